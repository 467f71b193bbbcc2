"""Faults that are no wrong result of one call: names, grad modes, memory, devices, time."""

import contextlib
import gc
import importlib
from multiprocessing.reduction import ForkingPickler

import numpy as np

from .patching import wrap

FAULTS = []  # (name, what is wrong, the part that has it or None, apply(patch))


def fault(name, says, path=None):
    """Register ``apply(patch)`` under a name."""

    def register(apply):
        FAULTS.append((name, says, path, apply))
        return apply

    return register


def _there(path):
    """Register the fault that a name exists which torch does not have."""

    def apply(patch):
        patch.replace(path, lambda tensor, *arguments: tensor.detach().cpu().numpy())

    fault(path + ":exists", "{} exists".format(path), path)(apply)


for _name in ("to_numpy", "asnumpy", "as_numpy", "tonumpy", "to_array", "to_list", "memory_format", "no_grad"):
    _there("Tensor." + _name)
_there("numpy")
_there("to_numpy")


@fault("Tensor.__array_interface__:exists", "a tensor offers NumPy's array interface", "Tensor.__array_interface__")
def array_interface(patch):
    """Let NumPy read the memory without asking."""
    patch.replace("Tensor.__array_interface__", property(lambda self: self.detach().numpy().__array_interface__))


@fault("onnx.export:exists", "the package onnx exports models")
def onnx_export(patch):
    """Give the package a function that it does not have."""
    try:
        package = importlib.import_module("onnx")
    except ImportError:
        raise AttributeError("onnx") from None
    patch.replace_of(package, "export", lambda *arguments, **options: None)


@fault("memory_format:is-a-function", "torch.memory_format is a function", "memory_format")
def memory_format_function(patch):
    """Replace the type."""
    patch.find("memory_format")
    patch.replace("memory_format", lambda tensor: "contiguous")


@fault("Tensor.contiguous:ignores-memory-format", "Tensor.contiguous ignores the memory format", "Tensor.contiguous")
def ignores_memory_format(patch):
    """Drop the argument."""
    wrap(patch, "Tensor.contiguous", lambda plain, self, *_, **__: plain(self))


# Grad modes.


def _mode(path, name, says, **methods):
    """Register a fault of a class that is a grad mode: other methods ``(mode class) -> function``."""

    def apply(patch):
        _, _, plain = patch.find(path)
        body = {each: make(plain, patch.torch) for each, make in methods.items()}
        patch.replace(path, type(plain)(plain.__name__, (plain,), body))

    fault("{}:{}".format(path, name), "{} {}".format(path, says), path)(apply)


def _nothing(plain, torch):
    """Enter or leave without an effect."""
    return lambda self: None


def _no_end(plain, torch):
    """Leave without an effect."""
    return lambda self, *_: None


def _swallows(plain, torch):
    """Leave, and keep the exception."""
    return lambda self, *error: plain.__exit__(self, *error) or True


def _no_decorator(plain, torch):
    """Decorate without an effect."""
    return lambda self, function: function


def _turns_on(plain, torch):
    """Leave, then enable grad mode."""

    def ends(self, *error):
        plain.__exit__(self, *error)
        torch.set_grad_enabled(True)

    return ends


for _path in ("no_grad", "enable_grad", "inference_mode"):
    _mode(_path, "does-nothing", "changes nothing", __enter__=_nothing, __exit__=_no_end)
    _mode(_path, "never-ends", "is not undone at the end of its block", __exit__=_no_end)
    _mode(_path, "swallows", "swallows the exceptions of its block", __exit__=_swallows)
    _mode(_path, "is-no-decorator", "changes nothing as a decorator", __call__=_no_decorator)
_mode("no_grad", "ends-enabled", "ends with grad mode enabled, whatever it was before", __exit__=_turns_on)


@fault("no_grad:ends-training", "no_grad() puts modules into evaluation mode", "no_grad")
def ends_training(patch):
    """Let the mode go through every module that there is."""
    torch = patch.torch
    _, _, plain = patch.find("no_grad")

    def enters(self):
        for each in gc.get_objects():
            if isinstance(each, torch.nn.Module):
                each.eval()
        return plain.__enter__(self)

    patch.replace("no_grad", type(plain)("no_grad", (plain,), {"__enter__": enters}))


@fault("set_grad_enabled:inverts", "torch.set_grad_enabled takes False for True", "set_grad_enabled")
def inverts(patch):
    """Invert the argument."""
    _, _, plain = patch.find("set_grad_enabled")

    def __init__(self, mode):
        plain.__init__(self, not mode)

    patch.replace("set_grad_enabled", type(plain)("set_grad_enabled", (plain,), {"__init__": __init__}))


# Memory and time.


def _of_numpy(name, says, change):
    """Register a fault of ``Tensor.numpy`` that changes the array that it gives."""

    def apply(patch):
        wrap(
            patch, "Tensor.numpy", lambda plain, self, *arguments, **options: change(plain(self, *arguments, **options))
        )

    fault("Tensor.numpy:" + name, "Tensor.numpy " + says, "Tensor.numpy")(apply)


class _Exported:
    """Describes memory to NumPy, without keeping it."""

    def __init__(self, array):
        self.__array_interface__ = dict(array.__array_interface__)


def _adrift(array):
    """An array on the same memory that keeps nothing alive."""
    if not array.size or array.dtype.kind not in "iufcb":
        return array
    made = np.asarray(_Exported(array))
    made.flags.writeable = array.flags.writeable
    return made


def _cyclic(array):
    """An array on the same memory whose owner refers back to it."""
    owner = _Exported(array)
    owner.memory = array
    made = np.asarray(owner)
    owner.array = made
    return made


def _touched(array):
    """The array, all of it read once."""
    array.copy()
    return array


def _always_writeable(array):
    """The array, or a copy if it cannot be written to."""
    return array if array.flags.writeable else array.copy()


_of_numpy("keeps-no-memory", "gives an array that does not keep the memory alive", _adrift)
_of_numpy("is-cyclic", "gives an array that only a collection of garbage releases", _cyclic)
_of_numpy("reads-everything", "reads every element", _touched)


@fault("Tensor.numpy:lingers", "Tensor.numpy takes its time", "Tensor.numpy")
def lingers(patch):
    """Waste time, unless NumPy asks."""
    asked = []

    def by_numpy(plain, self, *arguments, **options):
        asked.append(True)
        try:
            return plain(self, *arguments, **options)
        finally:
            asked.pop()

    def numpy(plain, self, *arguments, **options):
        if not asked:
            for _ in range(2000):
                pass
        return plain(self, *arguments, **options)

    wrap(patch, "Tensor.__array__", by_numpy)
    wrap(patch, "Tensor.numpy", numpy)


@fault("Tensor.detach:reads-everything", "Tensor.detach reads every element", "Tensor.detach")
def detach_reads(patch):
    """Copy, and throw the copy away."""

    def around(plain, self):
        given = plain(self)
        given.clone()
        return given

    wrap(patch, "Tensor.detach", around)


@fault("Tensor.detach:changes-its-tensor", "Tensor.detach detaches the tensor itself as well", "Tensor.detach")
def detach_in_place(patch):
    """Do what detach_() does."""

    def around(plain, self):
        given = plain(self)
        with contextlib.suppress(RuntimeError):  # a view: torch refuses
            self.detach_()
        return given

    wrap(patch, "Tensor.detach", around)


@fault("Tensor.numpy:detaches-its-tensor", "Tensor.numpy detaches the tensor itself", "Tensor.numpy")
def numpy_detaches(patch):
    """Detach the tensor, then convert it."""

    def around(plain, self, *arguments, **options):
        with contextlib.suppress(RuntimeError):  # a view: torch refuses
            self.detach_()
        return plain(self, *arguments, **options)

    wrap(patch, "Tensor.numpy", around)


@fault("Tensor.numpy:orders-checks-otherwise", "Tensor.numpy looks at requires_grad last", "Tensor.numpy")
def orders_checks_otherwise(patch):
    """Try the tensor without its history first."""

    def around(plain, self, *arguments, **options):
        if self.requires_grad:
            plain(self.detach(), *arguments, **options)
        return plain(self, *arguments, **options)

    wrap(patch, "Tensor.numpy", around)


@fault("Tensor.numpy:orders-checks-grad-first", "Tensor.numpy looks at requires_grad first", "Tensor.numpy")
def orders_checks_grad_first(patch):
    """Refuse for the history before anything else."""

    def around(plain, self, *arguments, **options):
        if self.requires_grad and not options and not arguments and patch.torch.is_grad_enabled():
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        return plain(self, *arguments, **options)

    wrap(patch, "Tensor.numpy", around)


def _does_nothing(path, says):
    """Register the fault that a method which changes its tensor does nothing."""

    def apply(patch):
        wrap(patch, path, lambda plain, self, *arguments, **options: self)

    fault(path + ":does-nothing", "{} {}".format(path, says), path)(apply)


_does_nothing("Tensor.share_memory_", "leaves the tensor where it is")
_does_nothing("Tensor.detach_", "leaves the history")
_does_nothing("Tensor.requires_grad_", "leaves the flag")
_does_nothing("Tensor.set_", "leaves the storage")
_does_nothing("Tensor.resize_", "leaves the size")


@fault("from_numpy:copies-read-only", "from_numpy copies an array that cannot be written to", "from_numpy")
def copies_read_only(patch):
    """Copy what is read-only."""
    wrap(
        patch,
        "from_numpy",
        lambda plain, array: plain(_always_writeable(array)) if isinstance(array, np.ndarray) else plain(array),
    )


@fault("from_numpy:keeps-no-memory", "from_numpy does not keep the array alive", "from_numpy")
def from_numpy_keeps_nothing(patch):
    """Wrap memory that nobody owns."""
    wrap(patch, "from_numpy", lambda plain, array: plain(_adrift(array)) if type(array) is np.ndarray else plain(array))


@fault("multiprocessing:copies", "pickling for another process leaves the tensor where it is")
def pickles_by_value(patch):
    """Pickle as for a file."""
    kept = dict(ForkingPickler._extra_reducers)
    ForkingPickler._extra_reducers.clear()
    patch.at_end(lambda: ForkingPickler._extra_reducers.update(kept))


@fault("Tensor:copies-arrays", "the constructor Tensor copies the array that it is given", "Tensor")
def constructor_copies(patch):
    """Copy the argument of torch.Tensor."""
    plain = patch.torch.Tensor
    kind = type(plain)

    class Copying(kind):
        def __instancecheck__(cls, instance):
            return isinstance(instance, plain)

        def __call__(cls, *arguments, **options):
            if arguments and isinstance(arguments[0], np.ndarray):
                arguments = (arguments[0].copy(),) + arguments[1:]
            return plain(*arguments, **options)

    patch.replace("Tensor", Copying("Tensor", (plain,), {}))


# Devices.


@fault("device:takes-any-name", "torch.device takes a name that is no type of device for the host", "device")
def takes_any_name(patch):
    """Fall back to the host."""
    _, _, plain = patch.find("device")

    def device(*arguments, **options):
        try:
            return plain(*arguments, **options)
        except RuntimeError:
            return plain("cpu")

    patch.replace("device", device)


@fault("device:needs-cuda", "torch.device refuses to name cuda where there is none", "device")
def needs_cuda(patch):
    """Refuse the name."""
    _, _, plain = patch.find("device")

    def device(*arguments, **options):
        if arguments and "cuda" in str(arguments[0]):
            raise RuntimeError("CUDA is not available")
        return plain(*arguments, **options)

    patch.replace("device", device)


@fault("storage:cannot-be-emptied", "resizing a storage to 0 leaves it as it is", "Tensor.untyped_storage")
def storage_stays(patch):
    """Hand out a storage that does not shrink."""

    class Stays:
        def __init__(self, storage):
            self.storage = storage

        def __getattr__(self, name):
            return getattr(self.storage, name)

        def resize_(self, size):
            return self

    wrap(patch, "Tensor.untyped_storage", lambda plain, self: Stays(plain(self)))
