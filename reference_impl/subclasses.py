"""Subclasses of Tensor that users define, as far as they leave the functions of torch alone."""

from . import geometry, memory, tensors
from .errors import NotModelled
from .gradients.graph import requires_grad
from .registry import METHODS, method


def noted(cls):
    """Note on a subclass whether it takes over dispatch, or the functions of torch (`Tensor.__init_subclass__`)."""
    cls._dispatches = "__torch_dispatch__" in _own(cls)
    cls._overrides = "__torch_function__" in _own(cls)


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
