"""Copies: clone, contiguous, and moves to another type or device."""

import numpy as np

from .. import devices, dtypes, geometry, memory, tensors
from ..errors import NotModelled
from ..gradients.graph import record, requires_grad
from ..gradients.inplace import change
from ..registry import METHODS, both, method


def format_name(memory_format):
    """The name of a memory format, given as such or as an object of torch."""
    return getattr(memory_format, "name", memory_format)


def preserved_strides(impl):
    """The strides of a copy that keeps the order of the dimensions (memory.clone-is-separate)."""
    if geometry.is_dense(impl.shape, impl.strides) and 0 not in impl.shape:
        return impl.strides
    return geometry.ordered_strides(impl.shape, [impl.strides])


def copied(tensor, dtype=None, device=None, memory_format="preserve_format"):
    """A tensor with memory of its own and the same elements, without history.

    Dense strides are kept unless another memory format is asked for (memory.clone-is-separate).

    Raises:
        NotImplementedError: from meta to a device that holds data: there is nothing to copy (device.meta-cpu-raises).
    """
    torch, impl = tensor._torch, tensor._impl
    here = tensors.device_of(tensor)
    device = device or here
    if device.holds_data and not here.holds_data:
        kind = NotImplementedError if torch.behaviour.meta_copy_is_not_implemented else RuntimeError
        raise kind("Cannot copy out of meta tensor; no data!")
    wanted = format_name(memory_format)
    if wanted == "preserve_format":
        strides = preserved_strides(impl)
    else:
        strides = geometry.memory_format_strides(impl.shape, wanted)
    target = dtype or impl.dtype
    result = tensors.allocate(torch, impl.shape, target, device, strides)
    if device.holds_data and here.holds_data and impl.storage.nbytes < impl.extent():
        result._impl.extra = tensors.UNDEFINED  # torch copies what lies behind the memory
        return result
    if device.holds_data:
        if target is impl.dtype and not (impl.conj or impl.neg or impl.zero):
            result._impl.window()[...] = impl.window()
        else:
            tensors.fill(result, tensors.values(tensor))
    return result


@both("clone")
def clone(self, *, memory_format="preserve_format"):
    """A copy, which is recorded (detach.clone-requires-grad). Lazy bits are resolved."""
    if self._impl.layout != tensors.STRIDED:
        raise NotModelled("clone() of a tensor of layout {}".format(self._impl.layout))
    result = copied(self, memory_format=memory_format)
    return record(self._torch, result, "CloneBackward0", (self,), lambda found: (found[0],))


@method("contiguous")
def contiguous(self, memory_format="contiguous_format"):
    """The tensor itself if it is laid out so, else a copy that is (memory.contiguous-returns-self)."""
    impl = self._impl
    name = format_name(memory_format)
    if name == "contiguous_format":
        done = geometry.is_contiguous(impl.shape, impl.strides)
    else:
        done = tuple(impl.strides) == geometry.memory_format_strides(impl.shape, name)
    return self if done else clone(self, memory_format=name)


def moved(self, dtype=None, device=None, copy=False, memory_format="preserve_format"):
    """The tensor itself if it has this type and is on this device, else a recorded copy
    (device.to-own-device-returns-self).
    """
    torch, impl = self._torch, self._impl
    dtype = dtype or impl.dtype
    device = device or tensors.device_of(self)
    same = dtype is impl.dtype and device == tensors.device_of(self)
    wanted = format_name(memory_format)
    if same and wanted not in (None, "preserve_format") and len(impl.shape) > 3:
        raise NotModelled("to() with a memory format")
    if same and not copy and wanted in ("preserve_format", "contiguous_format"):
        return self
    if impl.layout != tensors.STRIDED:
        return _moved_sparse(self, dtype, device)
    result = copied(self, dtype, device, memory_format)
    before, here = impl.dtype, tensors.device_of(self)

    def backward(found):
        gradient = found[0]
        if gradient._impl.dtype.is_complex and not before.is_complex:
            gradient = gradient.real
        return (moved(gradient, before, here),)

    name = "ToCopyBackward0" if torch.behaviour.to_copy_node else "CopyBackwards"
    return record(torch, result, name, (self,), backward)


def _moved_sparse(self, dtype, device):
    """A sparse tensor of another type or on another device; as in torch it stays sparse."""
    impl = self._impl
    if (
        impl.layout != "sparse_coo"
        or impl.extra is None
        or not tensors.device_of(self).holds_data
        or requires_grad(self)
    ):
        raise NotModelled("to() of a tensor of layout {}".format(impl.layout))
    made = impl.changed(storage=memory.Storage(0, device), dtype=dtype, extra=moved(impl.extra, dtype, device, True))
    return tensors.wrap(self._torch, made)


@method("to")
def to(self, *arguments, **options):
    """By type, by device, by both, or like another tensor."""
    torch = self._torch
    dtype = options.pop("dtype", None)
    device = options.pop("device", None)
    copy = options.pop("copy", False)
    options.pop("non_blocking", None)
    memory_format = options.pop("memory_format", "preserve_format")
    if options:
        raise NotModelled("to({})".format(", ".join(sorted(options))))
    for place, argument in enumerate(arguments):
        if isinstance(argument, dtypes.dtype):
            dtype = argument
        elif isinstance(argument, torch.Tensor):
            dtype, device = argument._impl.dtype, tensors.device_of(argument)
        elif isinstance(argument, (str, devices.device)):
            if dtype is not None:
                raise TypeError("to() received an invalid combination of arguments - got (torch.dtype, device)")
            device = argument
            # An index of the host makes it another device than the tensor's (device.to-cpu-with-index-copies).
            asked = devices.device(argument)
            copy = (
                copy
                or asked.type == devices.HOST
                and asked.index is not None
                and tensors.device_of(self) == devices.CPU
            )
        elif isinstance(argument, bool) and place:
            raise NotModelled("to() with flags by position")
        elif argument is not None or place:
            raise NotModelled("to({!r})".format(argument))
    if copy and dtype is None and device is None and not torch.behaviour.copies_alone:
        raise NotModelled("to(copy=True) alone, which ends the process in this release,")
    return moved(self, dtype, None if device is None else devices.place(torch, device), copy, memory_format)


@method("cpu")
def cpu(self, memory_format="preserve_format"):
    """On the host: the tensor itself if it is there (device.cpu-returns-self)."""
    return moved(self, device=devices.CPU, memory_format=memory_format)


@method("cuda")
def cuda(self, device=None):
    """On the first CUDA device.

    Raises:
        NotModelled: none is simulated.
    """
    return moved(self, device=devices.place(self._torch, "cuda" if device is None else device))


def conversion(name, dtype):
    """The method ``name``: the elements as ``dtype``."""

    def call(self, memory_format="preserve_format"):
        return moved(self, dtype, memory_format=memory_format)

    call.__name__, call.__doc__ = name, "As {}: the tensor itself if it is of that type.".format(dtype)
    return call


for _name, _dtype in list(dtypes.ALIASES.items()) + [("bfloat16", dtypes.bfloat16), ("bool", dtypes.bool_)] + [
    ("char", dtypes.int8), ("byte", dtypes.uint8)
]:  # fmt: skip
    METHODS[_name] = conversion(_name, _dtype)


@method("copy_")
def copy_(self, src, non_blocking=False):
    """The elements of another tensor, in the type of this one."""
    torch = self._torch
    if not isinstance(src, torch.Tensor):
        raise NotModelled("copy_() from {}".format(type(src).__name__))
    if tensors.device_of(self).holds_data and not tensors.device_of(src).holds_data:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    from .views import sum_to

    geometry_fits(src, self)
    before, dtype, here = src._impl.shape, src._impl.dtype, tensors.device_of(src)
    elements = np.array(tensors.values(src)) if src._impl.storage is self._impl.storage else tensors.values(src)
    return change(
        torch,
        self,
        elements,
        "CopyBackwards",
        (self, src),
        lambda found: (found[0] * 0, moved(sum_to(found[0], before), dtype, here)),
    )


def geometry_fits(src, target):
    """Refuse a source that does not broadcast to the shape of the target."""
    if geometry.broadcast(src._impl.shape, target._impl.shape) != target._impl.shape:
        raise RuntimeError("output with shape {} doesn't match the broadcast shape".format(list(target._impl.shape)))


@method("repeat")
def repeat(self, *sizes, **options):
    """The tensor beside itself, so often along each dimension, as a copy.

    Raises:
        TypeError: an ``axis``, which NumPy passes (array.method-functions-return-tensor).
    """
    if options:
        raise TypeError("repeat() got an unexpected keyword argument '{}'".format(sorted(options)[0]))
    sizes = geometry.sizes_of(sizes)
    front = len(sizes) - len(self._impl.shape)
    if front < 0 or any(size < 0 for size in sizes):
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    values = np.tile(tensors.values(self), sizes)
    result = tensors.new(
        self._torch, np.ascontiguousarray(values).reshape(values.shape), self._impl.dtype, tensors.device_of(self)
    )
    shape = self._impl.shape
    parts = [size for pair in zip(sizes, (1,) * front + tuple(shape)) for size in pair]

    def backward(found):
        if not sizes:
            return found
        return (found[0].reshape(parts).sum(list(range(0, len(parts), 2))).reshape(tuple(shape)),)

    return record(self._torch, result, "RepeatBackward0", (self,), backward)
