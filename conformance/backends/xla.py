"""The device ``xla``: somebody else's backend, which importing ``torch_xla`` adds to torch.

``PJRT_DEVICE=CPU`` in the environment gives one without special hardware.
"""

import importlib

NAME = "xla"

# Requirements that cannot be judged there, with the reasons.
LIMITS = {}

_NO_STRIDES = "XLA keeps no strides: a view is laid out anew, and says so"
_NO_INFERENCE = "XLA does not mark its tensors as inference tensors"
_FUNCTIONAL = "XLA computes without memory that changes, and refuses to resize"

# Requirements that this backend does not meet, as torch-xla 2.9 was measured, with the reasons.
DEVIATIONS = {
    "absent.contiguous-takes-a-memory-format": _NO_STRIDES,
    "detach.keeps-offset": _NO_STRIDES,
    "detach.keeps-strides": _NO_STRIDES,
    "detach.metadata-change-allowed": _FUNCTIONAL,
    "detach.metadata-change-leaves-original": _FUNCTIONAL,
    "dlpack.conj-raises-buffer-error": "XLA refuses DLPack for any tensor that is not on CUDA, with RuntimeError",
    "dlpack.conj-raises-runtime-error": "XLA refuses DLPack for any tensor that is not on CUDA, with RuntimeError",
    "memory.contiguous-copies-otherwise": _NO_STRIDES,
    "memory.contiguous-returns-self": "contiguous() gives another object where torch gives the tensor itself",
    "memory.incompatible-view-raises": _NO_STRIDES,
    "memory.reshape-copies-otherwise": _NO_STRIDES,
    "mode.inference-detach-stays-inference": _NO_INFERENCE,
    "mode.inference-tensor-is-inference": _NO_INFERENCE,
    "mode.inference-view-of-normal-is-normal": _NO_INFERENCE,
    "model.manual-seed-repeats": "XLA draws from a generator of its own, which torch.manual_seed does not reach",
}


def register(torch):
    """Add the device to torch.

    Raises:
        RuntimeError: the package is not installed, or does not fit the release.
    """
    try:
        importlib.import_module("torch_xla")
    except Exception as problem:  # an extension of another release can fail to load in many ways
        raise RuntimeError("torch_xla does not import ({}: {})".format(type(problem).__name__, problem)) from problem
