"""The device ``privateuse``: real tensors of torch on a device whose memory NumPy cannot read, without a GPU.

torch lets a backend that it does not know take part under the dispatch key PrivateUse1, and from 2.10 on such a backend
can be written in Python alone (pull request 157859 of pytorch). What converts, refuses, transfers and differentiates is
torch's own code; this module only keeps the data, in a tensor on the host that the outer tensor hides, and runs the
arithmetic there.

What such a backend cannot show is declared in `LIMITS` and not imitated: the outer tensor has sizes only, so that
strides on the device are always contiguous, and the conjugate and negative bits live on the hidden tensor.
"""

from typing import Any

from packaging.version import Version

NAME = "privateuse"
SINCE = "2.10"

# Requirements that cannot be judged here, and why.
_STRIDES = "this backend has sizes only: it shows no strides and no offset of its own"
_STORAGE = "this backend has no storage that could be replaced or resized"
_CPP = "torch makes this tensor in C++, without the hidden one that this backend keeps its data in"
_BITS = "this backend keeps the conjugate and negative bits on the hidden tensor"
_CLASS = "tensors of this backend are of a Python class of its own"
_INFERENCE = "tensors of this backend are made outside inference mode's bookkeeping"
LIMITS = {
    "absent.contiguous-takes-a-memory-format": _STRIDES,
    "detach.data-write-corrupts-gradient": _CPP,
    "detach.data-write-keeps-version": _CPP,
    "detach.data-write-reaches-original": _CPP,
    "detach.keeps-offset": _STRIDES,
    "detach.keeps-strides": _STRIDES,
    "detach.metadata-change-allowed": _STORAGE,
    "detach.metadata-change-leaves-original": _STORAGE,
    "detach.parameter-becomes-tensor": _CLASS,
    "detach.set-allowed": _STORAGE,
    "detach.set-leaves-original": _STORAGE,
    "dlpack.conj-raises-buffer-error": _BITS,
    "dlpack.conj-raises-runtime-error": _BITS,
    "memory.contiguous-copies-otherwise": _STRIDES,
    "memory.contiguous-returns-self": _STRIDES,
    "memory.detached-write-raises": _CPP,
    "memory.flattened-shape": _STRIDES,
    "memory.incompatible-view-raises": _STRIDES,
    "memory.reshape-copies-otherwise": _STRIDES,
    "mode.inference-detach-stays-inference": _INFERENCE,
    "mode.inference-tensor-is-inference": _INFERENCE,
    "mode.inference-view-of-normal-is-normal": _INFERENCE,
    "mode.no-grad-write-is-noticed": _CPP,
    "scalar.tolist-resolves-neg": _BITS,
}

# Operations whose result must use the data of their argument.
_VIEWS = (
    "_conj",
    "_neg_view",
    "_reshape_alias",
    "alias",
    "detach",
    "diagonal",
    "expand",
    "permute",
    "select.int",
    "slice.Tensor",
    "squeeze",
    "squeeze.dim",
    "squeeze.dims",
    "t",
    "transpose.int",
    "unfold",
    "unsqueeze",
    "view",
    "view.dtype",
    "view_as_real",
)

_registered = []


def register(torch):
    """Register the device with ``torch``, once; it cannot be undone.

    Raises:
        RuntimeError: ``torch`` is not torch itself, or a release before 2.10.
    """
    if _registered:
        return
    if getattr(torch, "__name__", "") != "torch" or Version(torch.__version__) < Version(SINCE):
        raise RuntimeError("the device {} needs torch {} or newer".format(NAME, SINCE))
    from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

    _setup_privateuseone_for_python_backend(NAME)
    _registered.append(_kernels(torch, _tensor_class(torch)))


def _tensor_class(torch):
    tensor: Any = torch.Tensor

    class OnDevice(tensor):
        """A tensor on the device; ``_host`` holds its data."""

        # Without this, what torch returns from a method would be wrapped in this class again, on the host too.
        __torch_function__ = torch._C._disabled_torch_function_impl

        @staticmethod
        def __new__(cls, host):
            outer = torch._C._acc.create_empty_tensor(tuple(host.shape), host.dtype)
            outer.__class__ = cls
            return outer

        def __init__(self, host):
            self._host = host

    return OnDevice


def _kernels(torch, on_device):
    """Register the kernels; the libraries that are returned must stay alive."""

    def host(value):
        if isinstance(value, (list, tuple)):
            return type(value)(host(part) for part in value)
        if isinstance(value, torch.device):
            return torch.device("cpu") if value.type == NAME else value
        if isinstance(value, torch.Tensor) and value.device.type == NAME and not hasattr(value, "_host"):
            raise NotImplementedError("the device {} cannot use a tensor that torch made in C++".format(NAME))
        return getattr(value, "_host", value)

    def outer(value):
        if isinstance(value, (list, tuple)):
            return type(value)(outer(part) for part in value)
        return on_device(value) if isinstance(value, torch.Tensor) and not isinstance(value, on_device) else value

    def empty_strided(size, stride, *, dtype=None, layout=None, device=None, pin_memory=None):
        return on_device(torch.empty_strided(size, stride, dtype=dtype))

    def empty(size, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
        return on_device(torch.empty(size, dtype=dtype))

    def copy_from(source, target, non_blocking=False):
        host(target).copy_(host(source))
        return target

    def scalar(value):
        return host(value).item()

    def viewing(operation):
        """A kernel whose result is a view: it must use the data of its argument."""

        def kernel(tensor, *arguments, **keywords):
            return on_device(operation(host(tensor), *host(arguments), **keywords))

        return kernel

    def as_strided(tensor, size, stride, storage_offset=None):
        """torch computes the strides from those of the outer tensor: right only where the hidden one has the same."""
        hidden = host(tensor)
        if not hidden.is_contiguous() or hidden.storage_offset():
            raise NotImplementedError("the device {} has no strides: as_strided of a view".format(NAME))
        return on_device(hidden.as_strided(size, stride, storage_offset))

    def anything(operation, *arguments, **keywords):
        """Every other operation, in place or not: done on the host. What it wrote to is returned as it came."""
        owners = {id(host(value)): value for value in arguments if isinstance(value, on_device)}
        owners.update({id(host(value)): value for value in keywords.values() if isinstance(value, on_device)})
        answer = operation(*host(arguments), **{name: host(value) for name, value in keywords.items()})
        return owners.get(id(answer)) if id(answer) in owners else outer(answer)

    aten = torch.ops.aten
    library = torch.library.Library("aten", "IMPL", "PrivateUse1")
    library.impl("empty_strided", empty_strided)
    library.impl("empty.memory_format", empty)
    library.impl("_copy_from", copy_from)
    library.impl("_local_scalar_dense", scalar)
    library.impl("as_strided", as_strided)
    for name in _VIEWS:
        packet, _, overload = name.partition(".")
        library.impl(name, viewing(getattr(getattr(aten, packet), overload or "default")))
    everything = torch.library.Library("_", "IMPL", "PrivateUse1")
    everything.fallback(anything, "PrivateUse1")
    return library, everything
