"""Changes of a tensor's own shape, strides or storage, in place; and which of them are refused."""

from .. import devices, geometry, memory, tensors
from ..errors import NotModelled
from ..registry import METHODS, method
from .graph import needs_record, requires_grad
from .inplace import bump, guard


def allowed(tensor, what):
    """Refuse a change of metadata where the release refuses it (detach.metadata-change-raises).

    Raises:
        RuntimeError: the tensor came from ``detach()`` or ``data`` and the release does not let those change.
        NotModelled: the change would be recorded, or the tensor is a view that autograd knows of.
    """
    if tensor._fixed:
        raise RuntimeError("{} is not allowed on a Tensor created from .data or .detach().".format(what))
    if tensor._impl.layout != tensors.STRIDED or tensor._impl.zero:
        raise NotModelled("{} of such a tensor".format(what))


def reshape_in_place(tensor, what, **changes):
    """Give a tensor another shape, strides or offset."""
    torch = tensor._torch
    if needs_record(torch, (tensor,)) or tensor._history.base is not None and requires_grad(tensor):
        raise NotModelled("{} of a tensor that requires grad".format(what))
    allowed(tensor, what)
    guard(torch, tensor, False)
    for name, value in changes.items():
        setattr(tensor._impl, name, tensors.Size(value) if name == "shape" else value)
    bump(tensor)
    return tensor


def like_view(name, view):
    """The method ``name``: the tensor itself with the shape and strides that the method ``view`` gives."""

    def call(self, *arguments):
        if needs_record(self._torch, (self,)) or self._history.base is not None and requires_grad(self):
            raise NotModelled("{}() of a tensor that requires grad".format(name))
        other = METHODS[view](tensors.alias(self), *arguments)._impl
        return reshape_in_place(self, name, shape=other.shape, strides=other.strides, offset=other.offset)

    call.__name__, call.__doc__ = name, "As ``{}``, in place (detach.metadata-change-allowed).".format(view)
    method(name)(call)


for _view in ("t", "transpose", "unsqueeze", "squeeze"):
    like_view(_view + "_", _view)


@method("resize_")
def resize_(self, *sizes, **options):
    """Another shape on the same storage, which grows if it must (memory.exported-storage-cannot-grow).

    Raises:
        RuntimeError: the tensor requires grad, or the storage is too small and may not grow.
    """
    if options:
        raise NotModelled("resize_() with options")
    torch = self._torch
    shape = geometry.sizes_of(sizes)
    if any(size < 0 for size in shape):
        raise NotModelled("resize_() to a negative size")
    if requires_grad(self):
        raise RuntimeError("cannot resize variables that require grad")
    allowed(self, "resize_")
    guard(torch, self, False)
    impl = self._impl
    if tuple(shape) != tuple(impl.shape):
        strides = geometry.contiguous_strides(shape)
        impl.shape, impl.strides = tensors.Size(shape), strides
        bump(self)
        # Last, and so a refused growth leaves the new shape behind (hazard.refused-growth-changes-shape).
        impl.storage.grow((impl.offset + geometry.extent(shape, strides)) * impl.dtype.itemsize)
    return self


@method("set_")
def set_(self, source=None, *arguments):
    """The storage, shape and strides of another tensor (detach.set-allowed).

    Raises:
        RuntimeError: the release does not let a detached tensor change (detach.set-raises).
    """
    torch = self._torch
    if arguments or requires_grad(self):
        raise NotModelled("set_() with these arguments, or of a tensor that requires grad")
    allowed(self, "set_storage")
    guard(torch, self, False)
    if source is None:
        self._impl = tensors.Impl(memory.Storage(0, tensors.device_of(self)), 0, (0,), (1,), self._impl.dtype)
    elif isinstance(source, torch.Tensor):
        if source._impl.dtype is not self._impl.dtype or tensors.device_of(source) != tensors.device_of(self):
            raise NotModelled("set_() to a tensor of another dtype or device")
        self._impl = source._impl.changed()
    else:
        held = getattr(source, "_held", None)
        if held is None or source.dtype is not self._impl.dtype:
            raise NotModelled("set_() to {}".format(type(source).__name__))
        number = held.nbytes // self._impl.dtype.itemsize
        self._impl = tensors.Impl(held, 0, (number,), (1,), self._impl.dtype)
    bump(self)
    return self


@method("share_memory_")
def share_memory_(self):
    """Move the storage to memory that processes share (hazard.share-memory-moves-tensor).

    An array that lies on the old memory does not come along, and on the host alone is there anything to do.
    """
    if tensors.device_of(self) != devices.CPU or self._impl.layout != tensors.STRIDED:
        raise NotModelled("share_memory_() of such a tensor")
    self._impl.storage.share()
    return self


@method("is_shared")
def is_shared(self):
    """Whether the storage is in memory that processes share."""
    return self._impl.storage.is_shared
