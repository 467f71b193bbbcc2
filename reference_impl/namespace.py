"""Lays out what the modules of this package registered as the module of one release, shaped like ``torch``.

A name that the release has and this package does not is there, and says `NotModelled` on use; a name that the release
lacks is not there.
"""

import functools
import importlib
import math
import types

from . import boundary, devices, dtypes, names
from .errors import NotModelled
from .names import covers
from .operations import quantized
from .registry import ATTRIBUTES, BUILDERS, FUNCTIONS, METHODS
from .release import Release
from .tensors import INTERNAL, Size

# Modules that register what they offer when they are imported.
_OFFERING = (
    "attributes", "gradients.calls", "gradients.metadata", "gradients.functions", "gradients.forward", "nn",
    "serialising", "printing", "exporting", "bridge.storages", "gradients.grad_modes", "operations.pointwise",
    "operations.comparison", "operations.views", "operations.pieces",
    "operations.reductions", "operations.copying", "operations.creation",
    "operations.complexes", "operations.layouts", "operations.quantized", "subclasses", "operations.indexing",
    "bridge.to_array", "bridge.from_array", "bridge.constructors", "bridge.scalars", "bridge.array_protocol",
    "bridge.dlpack",
)  # fmt: skip

_SUBMODULES = (
    "autograd",
    "autograd.function",
    "nn",
    "nn.functional",
    "cuda",
    "utils",
    "utils.dlpack",
    "random",
    "autograd.forward_ad",
    "autograd.graph",
    "nested",
    "func",
    "onnx",
)


class Unmodelled:
    """Stands for what the release has and this package does not: any use of it raises `NotModelled`."""

    def __init__(self, name):
        object.__setattr__(self, "_what", name)

    def __repr__(self):
        raise NotModelled(object.__getattribute__(self, "_what"))

    def _refuse(self, *arguments, **options):
        """Refuse, whatever the use."""
        raise NotModelled(object.__getattribute__(self, "_what"))

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)  # what Python itself asks for
        raise NotModelled(object.__getattribute__(self, "_what") + "." + name)

    __call__ = __iter__ = __enter__ = __exit__ = __getitem__ = __setitem__ = __len__ = __bool__ = _refuse
    __eq__ = __ne__ = __instancecheck__ = __subclasscheck__ = __mro_entries__ = __setattr__ = __contains__ = _refuse
    __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __lt__ = __gt__ = __float__ = __int__ = __index__ = _refuse
    __hash__ = object.__hash__


# Modules that `torch` imports on first use, so that they are there though ``dir(torch)`` does not tell.
_LAZY = {
    "onnx": "1.0-2.15", "nested": "1.13-2.15", "func": "2.0-2.15", "_dynamo": "2.1-2.15", "_inductor": "2.1-2.15",
    "export": "2.1-2.15", "compiler": "2.1-2.15",
}  # fmt: skip
_PRIVATE = ("_path", "_known", "_torch", "NotModelled", "simulate")


class Module(types.ModuleType):
    """A module of a release: what is registered for it, and stand-ins for what else the release has there."""

    def __init__(self, name, path, known):
        super().__init__(name, "The module {} of the model.".format(path))
        self.__dict__["_path"], self.__dict__["_known"] = path, known
        self.__dict__["__path__"] = []  # a package, so that Python asks `imports` for what is below it

    def __getattr__(self, name):
        known = self.__dict__.get("_known")
        if self._path == "torch" and covers(_LAZY.get(name, ""), self._torch.number):
            return self.submodule(name)
        if known is None and not name.startswith("__"):
            raise NotModelled(self._path + "." + name)  # a module whose names were not measured
        if name in (known or ()):
            if known[name] == "value":
                raise NotModelled(self._path + "." + name)  # a number or a string is used without a call to refuse
            return Unmodelled(self._path + "." + name)
        raise AttributeError("module '{}' has no attribute '{}'".format(self._path, name))

    def __dir__(self):
        if self._known is None:
            raise NotModelled("dir() of " + self._path)
        return sorted(name for name in set(self.__dict__) | set(self._known) if name not in _PRIVATE)

    def submodule(self, path):
        """The module at a dotted path below ``torch``, made if the release has one that is not here; None if it has
        none.
        """
        torch = self.__dict__.get("_torch")
        if torch is None:
            return None
        full = "torch." + path
        if path not in torch.modules and full in torch.known.get("import", ()):
            torch.modules[path] = Module(self.__name__ + "." + path, full, torch.known.get(full))
        return torch.modules.get(path)


class TensorType(type):
    """The type of Tensor: says `NotModelled` for methods of the release that are not here."""

    def __getattr__(cls, name):
        known = cls.__dict__.get("_known") or next(
            (base._known for base in cls.__mro__ if "_known" in base.__dict__), {}
        )
        if name in known:
            return Unmodelled("Tensor." + name)
        raise AttributeError("type object '{}' has no attribute '{}'".format(cls.__name__, name))


class Layout:
    """A layout: ``torch.strided`` and others."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "torch." + self.name


class MemoryFormat(Layout):
    """A memory format: ``torch.channels_last`` and others."""


LAYOUTS = {
    name: Layout(name)
    for name in (
        "strided",
        "sparse_coo",
        "sparse_csr",
        "sparse_csc",
        "sparse_bsr",
        "sparse_bsc",
        "_mkldnn",
        "jagged",
        "_nested",
    )
}
FORMATS = {
    name: MemoryFormat(name) for name in ("contiguous_format", "channels_last", "preserve_format", "channels_last_3d")
}


def load_modules():
    """Import every module that registers something."""
    for name in _OFFERING:
        importlib.import_module("." + name, __package__)


def bound(torch, path, target):
    """A registered function as users call it."""

    def call(*arguments, **options):
        return target(torch, *arguments, **options)

    functools.update_wrapper(call, target, assigned=("__doc__",))
    call.__name__ = call.__qualname__ = path.rpartition(".")[2]
    call.__module__ = "torch"
    read = getattr(target, "target", None)  # the method, where a function stands for one: see `registry.as_function`
    return boundary.guarded(call, torch, 0 if read is None else 1, read or target)


def tensor_class(torch, known):
    """The class Tensor of a release: the registered methods that it has."""

    def missing(self, name):
        kind = known.get(name)
        if kind is None:
            raise AttributeError("'{}' object has no attribute '{}'".format(type(self).__name__, name))
        if kind == "method":
            return boundary.MissingMethod("Tensor." + name)
        raise NotModelled("Tensor." + name)

    body = {
        "__doc__": "A tensor.",
        "_torch": torch,
        "_known": known,
        "__getattr__": missing,
        "__slots__": INTERNAL + ("__dict__", "__weakref__"),
    }
    body.update((name, found) for name, found in ATTRIBUTES.items() if name in known)
    body.update(
        (name, found)
        for name, found in METHODS.items()
        if name in known
        or name
        in (
            "__hash__",
            "__new__",
            "__init__",
            "__init_subclass__",
            "__eq__",
            "__ne__",
            "__lt__",
            "__le__",
            "__gt__",
            "__ge__",
            "__repr__",
            "__str__",
            "__format__",
            "__reduce_ex__",
            "__dir__",
        )
    )
    boundary.protect(body, known)
    return TensorType("Tensor", (object,), body)


def build(number, behaviour):
    """The module of a release."""
    load_modules()
    known = names.read(number)
    torch = Release(number, behaviour)
    torch.default_dtype = dtypes.float32
    torch.Tensor = tensor_class(torch, known["torch.Tensor"])
    torch.Tensor.__module__ = "torch"
    torch.known = known
    name = "{}.torch_{}".format(__package__, number.replace(".", "_"))
    root = Module(name, "torch", known["torch"])
    modules = {"": root}
    for path in _SUBMODULES:
        parent, _, last = path.rpartition(".")
        owner = known.get("torch." + parent if parent else "torch", {})
        if last in owner or ("torch." + path) in known.get("import", ()):
            modules[path] = Module(name + "." + path, "torch." + path, known.get("torch." + path, {}))
            if last in owner:
                modules[parent].__dict__[last] = modules[path]
    torch.modules = modules
    root.__dict__["_torch"] = torch
    torch.objects.update(LAYOUTS)
    place(torch, modules, {"Tensor": torch.Tensor, "Size": Size, "dtype": dtypes.dtype})
    place(torch, modules, {"device": devices.context_class(torch)})
    place(torch, modules, dict(LAYOUTS, layout=Layout, memory_format=MemoryFormat, **FORMATS))
    place(torch, modules, dict(dtypes.ALL, **dtypes.ALIASES))
    place(torch, modules, dict(dtypes.OPAQUE_TYPES, bit=dtypes.OPAQUE_TYPES["uint1"], **quantized.QUANTIZED))
    place(torch, modules, {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None})
    place(torch, modules, {path: bound(torch, path, target) for path, target in FUNCTIONS.items()})
    for path, builder in BUILDERS.items():
        if path not in torch.objects:
            place(torch, modules, {path: builder(torch)})
    root.__dict__.update(__version__=number + ".0", simulate=devices.simulate, NotModelled=NotModelled)
    return root


def place(torch, modules, found):
    """Put objects at their paths, where the release has those names; keep all of them in ``torch.objects``."""
    for path, thing in found.items():
        torch.objects[path] = thing
        parent, _, name = path.rpartition(".")
        if parent in modules and name in torch.known.get("torch." + parent if parent else "torch", {}):
            modules[parent].__dict__[name] = thing
