"""Subclasses of Tensor that users define, as far as they leave the functions of torch alone."""

from . import geometry, memory, tensors
from .errors import NotModelled
from .gradients.graph import requires_grad
from .registry import METHODS, method


def noted(cls):
    """Note on a subclass whether it takes over dispatch, or the functions of torch (`Tensor.__init_subclass__`)."""
    cls._dispatches = "__torch_dispatch__" in _own(cls)
    cls._overrides = "__torch_function__" in _own(cls)


# What a subclass shares with Tensor: it tells of the tensor, or takes it out of the hands of torch.
_SHARED = {
    "numpy", "tolist", "item", "__array__", "data_ptr", "shape", "size", "stride", "dim", "ndim", "dtype", "device",
    "layout",
    "requires_grad_attribute", "is_leaf", "grad_fn", "grad", "is_cuda", "is_meta", "is_cpu", "numel", "nelement",
    "element_size", "version", "is_conj", "is_neg", "is_inference", "identity_hash", "array_priority", "storage_offset",
    "is_contiguous", "is_sparse", "array", "init", "__dir__", "directory",
}  # fmt: skip


def takes_over(torch, name, thing):
    """Whether an argument is an instance of a user's subclass and torch would let that have a say in the result.

    Results of most functions are instances of the subclass too; neither that nor what the subclass defines is modelled.
    """
    if not isinstance(thing, torch.Tensor) or type(thing) is torch.objects.get("nn.Parameter"):
        return False
    if getattr(type(thing), "_overrides", False):
        return True
    return name not in _SHARED


def _own(cls):
    """The names that a subclass and its bases define below Tensor."""
    found = set()
    for base in cls.__mro__:
        if base.__dict__.get("_known") is not None:
            break
        found.update(base.__dict__)
    return found


def init_subclass(cls, **options):
    """Note what a subclass takes over."""
    noted(cls)


METHODS["__init_subclass__"] = classmethod(init_subclass)


def make_subclass(cls, data, require_grad=False, **options):
    """An instance of a subclass on the memory of a tensor (layout.plain-subclass-gives-plain-array)."""
    if options:
        raise NotModelled("_make_subclass() with options")
    made = tensors.wrap(data._torch, data._impl.changed(), cls=cls)
    if require_grad:
        METHODS["requires_grad_"](made)
    return made


def static(name, target):
    """Register what is called on the class: its first argument is a class too, not a tensor."""
    METHODS[name] = staticmethod(target)


static("_make_subclass", make_subclass)


def make_wrapper_subclass(cls, size, *, dtype=None, device=None, layout=None, requires_grad=False):
    """An instance of a subclass without memory (layout.subclass-refused-before-layout)."""
    torch = cls._torch
    from .devices import place

    held = memory.Storage(0, place(torch, device))
    name = getattr(layout, "name", tensors.STRIDED)
    impl = tensors.Impl(held, 0, size, geometry.contiguous_strides(size), dtype or torch.default_dtype, name)
    impl.zero = True
    made = tensors.wrap(torch, impl, cls=cls)
    if requires_grad:
        METHODS["requires_grad_"](made)
    return made


static("_make_wrapper_subclass", make_wrapper_subclass)


@method("as_subclass")
def as_subclass(self, cls):
    """An instance of a subclass on this memory."""
    if requires_grad(self):
        raise NotModelled("as_subclass() of a tensor that requires grad")
    return tensors.alias(self, cls=cls)
