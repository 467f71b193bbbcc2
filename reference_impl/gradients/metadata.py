"""Changes of a tensor's own shape, strides or storage, in place; and which of them are refused."""

from .. import devices, geometry, memory, tensors
from ..errors import NotModelled
from ..registry import METHODS, method
from .graph import needs_record, node_class, requires_grad
from .inplace import bump, guard


def allowed(tensor, what):
    """Refuse a change of metadata where the release refuses it (detach.metadata-change-raises).

    Raises:
        RuntimeError: the tensor came from ``detach()`` or ``data`` and the release does not let those change.
        NotModelled: the change would be recorded, or the tensor is a view that autograd knows of.
    """
    if tensor._fixed:
        raise RuntimeError("{} is not allowed on a Tensor created from .data or .detach().".format(what))
    if tensor._impl.layout != tensors.STRIDED or tensor._impl.zero or tensor._history.tangent is not None:
        raise NotModelled("{} of such a tensor".format(what))


def take_over(tensor, new):
    """Give a tensor the shape, strides and offset of another `Impl`; whoever has the same one sees it too."""
    impl = tensor._impl
    impl.shape, impl.strides, impl.offset = new.shape, new.strides, new.offset
    bump(tensor)
    return tensor


# The node of a change in place, by the method that gives a view, without and with arguments.
_NODES = {"t": "TBackward1", "transpose": "TransposeBackward1", "unsqueeze": "UnsqueezeBackward1"}
_SQUEEZED = ("SqueezeBackward3", "SqueezeBackward4")


def like_view(name, view):
    """The method ``name``: the tensor itself with the shape and strides that the method ``view`` gives."""

    def call(self, *arguments):
        torch, history = self._torch, self._history
        recorded = needs_record(torch, (self,))
        guard(torch, self, recorded)
        if history.base is not None and requires_grad(self) or history.retains or history.tangent is not None:
            raise NotModelled("{}() of a view or of a tensor that retains its grad".format(name))
        if not recorded:
            other = METHODS[view](tensors.alias(self), *arguments)
            allowed(self, "set_storage_offset")
            return take_over(self, other._impl)
        other = METHODS[view](self, *arguments)
        allowed(self, "set_storage_offset")
        made = other._history.grad_fn
        kind = node_class(torch, _NODES.get(view) or _SQUEEZED[bool(arguments)])
        node = kind(made.edges, made.backward, made.saved, made.results)
        take_over(self, other._impl)
        history.requires_grad, history.grad_fn, history.output = True, node, 0
        return self

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
    if needs_record(torch, (self,)):
        guard(torch, self, True)
    if arguments or requires_grad(self) or isinstance(source, torch.Tensor) and requires_grad(source):
        raise NotModelled("set_() with these arguments, or where a tensor requires grad")
    allowed(self, "set_storage")
    guard(torch, self, False)
    if source is None:
        found = tensors.Impl(memory.Storage(0, tensors.device_of(self)), 0, (0,), (1,), self._impl.dtype)
    elif isinstance(source, torch.Tensor):
        if source._impl.dtype is not self._impl.dtype or tensors.device_of(source) != tensors.device_of(self):
            raise NotModelled("set_() to a tensor of another dtype or device")
        found = source._impl
    else:
        held = getattr(source, "_held", None)
        if held is None or source.dtype is not self._impl.dtype:
            raise NotModelled("set_() to {}".format(type(source).__name__))
        number = held.nbytes // self._impl.dtype.itemsize
        found = tensors.Impl(held, 0, (number,), (1,), self._impl.dtype)
    self._impl.storage = (
        found.storage
    )  # in place: others may have the same `Impl` (detach.metadata-change-reaches-original)
    for name in ("conj", "neg", "zero", "extra", "layout"):
        setattr(self._impl, name, getattr(found, name))
    return take_over(self, found)


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
