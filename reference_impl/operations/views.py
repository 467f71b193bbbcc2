"""Views: other shapes and strides on the same memory."""

from .. import dtypes, geometry, kinds, tensors
from ..errors import NotModelled
from ..gradients.graph import record, requires_grad
from ..gradients.inplace import make_view
from ..registry import attribute, both, method, unchecked


def view_of(tensor, name, backward, **changes):
    """A view of ``tensor`` with these changes of its `Impl`; ``backward(gradient)`` gives the gradient of
    ``tensor``.
    """
    return make_view(tensor._torch, tensor, tensor._impl.changed(**changes), name, lambda found: (backward(found[0]),))


@method("view")
@unchecked
def view(self, *sizes):
    """The same elements in another shape (memory.view-aliases).

    Raises:
        RuntimeError: a copy would be needed (memory.incompatible-view-raises), or the numbers of elements differ.
        NotModelled: a view as another dtype.
    """
    if len(sizes) == 1 and not isinstance(sizes[0], (int, tuple, list)):
        return view_as_dtype(self, *sizes)
    impl = self._impl
    shape = geometry.inferred(geometry.sizes_of(sizes), geometry.count(impl.shape))
    strides = geometry.viewed_strides(impl.shape, impl.strides, shape)
    if strides is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    before = impl.shape
    return view_of(self, "ViewBackward0", lambda gradient: gradient.reshape(before), shape=shape, strides=strides)


def view_as_dtype(self, dtype):
    """The same bytes as elements of another type (dtype.bfloat16-view-gives-bits).

    Raises:
        NotModelled: elements of another size in a release that does not view them so, or gradients.
    """
    if not isinstance(dtype, dtypes.dtype):
        raise NotModelled("view({!r})".format(dtype))
    if not self._torch.behaviour.views_as_dtype:
        raise TypeError("view(): argument 'size' must be tuple of ints, not torch.dtype")
    impl = self._impl
    if impl.conj or impl.neg or requires_grad(self) or dtypes.BOOL in (dtype.category, impl.dtype.category):
        raise NotModelled("view({}) of such a tensor".format(dtype))
    old, new = impl.dtype.itemsize, dtype.itemsize
    if self._inference:
        raise NotModelled("view({}) of an inference tensor".format(dtype))
    if old == new:
        return view_of(self, "ViewBackward1", lambda gradient: gradient, dtype=dtype)
    if not impl.shape or impl.strides[-1] != 1 or not self._torch.behaviour.views_other_sizes:
        raise NotModelled("view({}) of such a tensor".format(dtype))
    places = [impl.offset] + list(impl.strides[:-1]) + [impl.shape[-1]]
    if any(place * old % new for place in places):
        raise RuntimeError("self.size(-1), the strides and the offset must be divisible by {}".format(new // old))
    scaled = [place * old // new for place in places]
    return view_of(
        self, "ViewBackward1", lambda gradient: gradient, dtype=dtype, offset=scaled[0], strides=scaled[1:-1] + [1],
        shape=tuple(impl.shape[:-1]) + (scaled[-1],),
    )  # fmt: skip


@both("reshape")
def reshape(self, *shape):
    """A view of another shape where that can be, else a copy (memory.reshape-aliases-if-it-can)."""
    shape = geometry.inferred(geometry.sizes_of(shape), geometry.count(self._impl.shape))
    if geometry.viewed_strides(self._impl.shape, self._impl.strides, shape) is None:
        from .copying import copied  # copies build on this module's neighbours

        before = self._impl.shape
        copy = copied(self, memory_format="contiguous_format")
        result = tensors.wrap(self._torch, copy._impl.changed(shape=shape, strides=geometry.contiguous_strides(shape)))
        return record(self._torch, result, "UnsafeViewBackward0", (self,), lambda found: (found[0].reshape(before),))
    return self.view(shape)


@both("permute")
def permute(self, *dims):
    """The dimensions in another order."""
    dims = geometry.sizes_of(dims)
    impl = self._impl
    if len(dims) != len(impl.shape):
        raise RuntimeError("permute(): the number of dimensions of the tensor and of the order differ")
    dims = [geometry.wrapped(dim, len(impl.shape)) for dim in dims]
    if sorted(dims) != list(range(len(impl.shape))):
        raise RuntimeError("permute(sparse_coo): dims must name each dimension once: {}".format(dims))
    inverse = sorted(range(len(dims)), key=dims.__getitem__)
    return view_of(
        self,
        "PermuteBackward0",
        lambda gradient: gradient.permute(inverse),
        shape=[impl.shape[dim] for dim in dims],
        strides=[impl.strides[dim] for dim in dims],
    )


def swapped(impl, one, other):
    """Shape and strides with two dimensions swapped."""
    shape, strides = list(impl.shape), list(impl.strides)
    if shape:
        shape[one], shape[other] = shape[other], shape[one]
        strides[one], strides[other] = strides[other], strides[one]
    return {"shape": shape, "strides": strides}


@both("transpose")
@unchecked
def transpose(self, *dims, **options):
    """Two dimensions swapped.

    Raises:
        TypeError: no two dimensions, as NumPy asks for (array.method-functions-return-tensor).
    """
    given = list(dims) + [options[name] for name in ("dim0", "dim1")[len(dims) :] if name in options]
    if len(given) != 2 or None in given:
        raise TypeError("transpose() received an invalid combination of arguments")
    if not all(kinds.is_whole(dim) for dim in given):
        raise NotModelled("transpose() of such dimensions")
    dim0, dim1 = given
    dim0, dim1 = (geometry.wrapped(dim, len(self._impl.shape)) for dim in (dim0, dim1))
    return view_of(
        self, "TransposeBackward0", lambda gradient: gradient.transpose(dim0, dim1), **swapped(self._impl, dim0, dim1)
    )


@both("t")
def t(self):
    """A matrix transposed; tensors of fewer dimensions as they are.

    Raises:
        RuntimeError: more than two dimensions.
    """
    if len(self._impl.shape) > 2:
        raise RuntimeError("t() expects a tensor with <= 2 dimensions, but self is {}D".format(len(self._impl.shape)))
    changes = swapped(self._impl, 0, 1) if len(self._impl.shape) == 2 else {}
    return view_of(self, "TBackward0", lambda gradient: gradient.t(), **changes)


@method("expand")
def expand(self, *sizes):
    """Dimensions of size 1, and new ones in front, repeated with the stride 0 (memory.expanded-stride-zero)."""
    sizes = geometry.sizes_of(sizes)
    impl = self._impl
    front = len(sizes) - len(impl.shape)
    if 0 in sizes and -1 in sizes:
        raise NotModelled("expand() to no elements and to a size of -1")
    if front < 0:
        raise RuntimeError("the number of sizes provided must be greater or equal to the number of dimensions")
    shape, strides = [], []
    for place, size in enumerate(sizes):
        old = 1 if place < front else impl.shape[place - front]
        stride = 0 if place < front else impl.strides[place - front]
        if size == -1 and place >= front:
            size = old
        if size < 0:
            raise RuntimeError("The expanded size of the tensor ({}) isn't allowed".format(size))
        if size != old:
            if old != 1:
                raise RuntimeError(
                    "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton "
                    "dimension {}.".format(size, old, place)
                )
            stride = 0
        shape.append(size)
        strides.append(stride)
    for place in reversed(range(min(front, len(sizes)))):  # a new dimension of size 1 is laid out as by unsqueeze
        if shape[place] == 1:
            strides[place] = 1 if place == len(sizes) - 1 else shape[place + 1] * strides[place + 1]
    before = impl.shape
    return view_of(self, "ExpandBackward0", lambda gradient: sum_to(gradient, before), shape=shape, strides=strides)


def sum_to(gradient, shape):
    """A gradient of a broadcast tensor, summed to the shape that the tensor had."""
    if tuple(gradient.shape) == tuple(shape):
        return gradient
    front = len(gradient.shape) - len(shape)
    dims = list(range(front))
    dims += [place + front for place, size in enumerate(shape) if size == 1 and gradient.shape[place + front] != 1]
    return (gradient.sum(dims, keepdim=True) if dims else gradient).reshape(tuple(shape))


@both("unsqueeze")
def unsqueeze(self, dim):
    """A new dimension of size 1."""
    impl = self._impl
    dim = geometry.wrapped(dim, len(impl.shape) + 1)
    shape, strides = list(impl.shape), list(impl.strides)
    stride = shape[dim] * strides[dim] if dim < len(shape) else 1
    shape.insert(dim, 1)
    strides.insert(dim, stride)
    return view_of(self, "UnsqueezeBackward0", lambda gradient: gradient.squeeze(dim), shape=shape, strides=strides)


_ALL = object()  # the default of squeeze(): torch does not take None for it


@both("squeeze")
def squeeze(self, dim=_ALL):
    """Without dimensions of size 1: all of them, or the one named if it is one."""
    impl = self._impl
    if dim is _ALL:
        gone = [place for place, size in enumerate(impl.shape) if size == 1]
    else:
        if not isinstance(dim, int):
            raise NotModelled("squeeze({!r})".format(dim))
        dim = geometry.wrapped(dim, len(impl.shape))
        gone = [dim] if impl.shape and impl.shape[dim] == 1 else []
    before = impl.shape
    return view_of(
        self,
        "SqueezeBackward0" if dim is _ALL else "SqueezeBackward1",
        lambda gradient: gradient.reshape(before),
        shape=[size for place, size in enumerate(impl.shape) if place not in gone],
        strides=[stride for place, stride in enumerate(impl.strides) if place not in gone],
    )


def scatter(gradient, shape, take):
    """A tensor of zeros of ``shape`` with ``gradient`` where ``take(tensor)`` views it: the gradient of taking a
    part.
    """
    torch = gradient._torch
    whole = tensors.allocate(torch, shape, gradient._impl.dtype, tensors.device_of(gradient))
    part = take(whole)
    tensors.fill(part, tensors.values(gradient))
    return record(torch, whole, "ScatterBackward0", (gradient,), lambda found: (take(found[0]),))


def part_of(tensor, name, take, **changes):
    """A view of a part; ``take(other)`` takes the same part of another tensor of this shape."""
    shape = tensor._impl.shape
    return view_of(tensor, name, lambda gradient: scatter(gradient, shape, take), **changes)


@both("select")
def select(self, dim, index):
    """One place of a dimension, which goes."""
    impl = self._impl
    if not kinds.is_whole(index):
        raise NotModelled("select() of an index of type {}".format(type(index).__name__))
    if not impl.shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = geometry.wrapped(dim, len(impl.shape))
    size = impl.shape[dim]
    if not -size <= index < size:
        raise IndexError("index {} is out of bounds for dimension {} with size {}".format(index, dim, size))
    return selected(self, dim, index % size)


def selected(self, dim, index, name="SelectBackward0"):
    """One place of a dimension, both within range."""
    impl = self._impl
    return part_of(
        self,
        name,
        lambda other: other.select(dim, index),
        shape=impl.shape[:dim] + impl.shape[dim + 1 :],
        strides=impl.strides[:dim] + impl.strides[dim + 1 :],
        offset=impl.offset + index * impl.strides[dim],
    )


def sliced(self, dim, start, stop, step, name="SliceBackward0"):
    """Every ``step``-th place of a dimension from ``start`` to before ``stop`` (all within range, as a range gives
    them).
    """
    impl = self._impl
    size = len(range(start, stop, step))
    shape, strides = list(impl.shape), list(impl.strides)
    shape[dim], strides[dim] = size, impl.strides[dim] * step
    return part_of(
        self,
        name,
        lambda other: sliced(other, dim, start, stop, step),
        shape=shape,
        strides=strides,
        offset=impl.offset + start * impl.strides[dim],
    )


@both("narrow")
def narrow(self, dim, start, length):
    """``length`` places of a dimension from ``start`` on.

    Raises:
        RuntimeError: they are not all there.
    """
    impl = self._impl
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not impl.shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    dim = geometry.wrapped(dim, len(impl.shape))
    size = impl.shape[dim]
    if not isinstance(start, int):
        raise NotModelled("narrow() from a tensor")
    if start < 0:
        start += size
    if length < 0 or not 0 <= start <= size - length:
        raise RuntimeError("start ({}) + length ({}) exceeds dimension size ({}).".format(start, length, size))
    return sliced(self, dim, start, start + length, 1)


@both("as_strided")
def as_strided(self, size, stride, storage_offset=None):
    """A window of this shape, with these strides and offset in elements, on the memory.

    Raises:
        RuntimeError: a negative stride, or elements outside the memory.
    """
    impl = self._impl
    offset = impl.offset if storage_offset is None else storage_offset
    size, stride = tuple(size), tuple(stride)
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(step < 0 for step in stride):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides: {}".format(list(stride))
        )
    if (offset + geometry.extent(size, stride)) * impl.dtype.itemsize > impl.storage.nbytes:
        raise RuntimeError("setStorage: the sizes, strides and offset are out of bounds for the storage")
    origin, shape, strides = impl.offset, impl.shape, impl.strides
    torch = self._torch

    def backward(gradient):
        if not geometry.is_dense(shape, strides) or geometry.overlaps(size, stride):
            raise NotModelled("the gradient of as_strided() with gaps or overlap")
        whole = tensors.allocate(torch, shape, gradient._impl.dtype, tensors.device_of(gradient), strides)
        part = tensors.alias(whole, whole._impl.changed(shape=size, strides=stride, offset=offset - origin))
        tensors.fill(part, tensors.values(gradient))
        return whole

    return view_of(self, "AsStridedBackward0", backward, shape=size, strides=stride, offset=offset)


@attribute("T")
def T(self):
    """The dimensions in reverse order."""
    return self.permute(tuple(reversed(range(len(self._impl.shape)))))
