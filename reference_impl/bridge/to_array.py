"""From a tensor to an array: ``Tensor.numpy``."""

import numpy as np

from .. import tensors
from ..gradients.graph import requires_grad
from ..errors import NotModelled
from ..registry import method


@method("numpy")
def numpy(self, *, force=False):
    """An ndarray on the memory of the tensor.

    Raises:
        TypeError: layout, device or dtype that NumPy does not have.
        RuntimeError: the tensor requires grad while grad mode is on (grad.numpy-raises), or has a lazy bit.
    """
    torch = self._torch
    check(self, force)
    source = self
    if torch.behaviour.array_base_is_alias:
        source = self.detach()
        if force:
            source = source.cpu().resolve_conj().resolve_neg()
    return share(source)


def check(tensor, force):
    """Refuse what has no array, in the order that the release looks."""
    torch, impl = tensor._torch, tensor._impl
    if impl.layout != tensors.STRIDED:
        raise TypeError("can't convert {} layout tensor to numpy. Use Tensor.to_dense() first.".format(impl.layout))
    if not force:
        device = tensors.device_of(tensor)
        if not device.host_readable:
            raise TypeError(
                "can't convert {} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
                "first.".format(device)
            )
        if requires_grad(tensor) and (torch.modes.grad or not torch.behaviour.no_grad_permits_numpy):
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        for bit, word in ((impl.conj, "conj"), (impl.neg, "neg")):
            if bit:
                raise RuntimeError(
                    "Can't call numpy() on Tensor that has {} bit set. Use tensor.resolve_{}().numpy() instead.".format(
                        {"conj": "conjugate", "neg": "negative"}[word], word
                    )
                )
    if impl.dtype.array is None:
        raise TypeError("Got unsupported ScalarType {}".format(impl.dtype.scalar_type))


def share(tensor):
    """An ndarray on the memory of a host tensor, whose ``base`` is that tensor object (memory.base-is-a-tensor).

    The memory cannot grow from now on (memory.exported-storage-cannot-grow).
    """
    impl = tensor._impl
    if impl.zero:
        raise NotModelled("the array of a tensor without memory")
    impl.storage.resizable = False
    size = impl.dtype.itemsize
    # NumPy takes the tensor for the owner if it finds the description of the memory on it.
    tensor.__dict__["__array_interface__"] = {
        "version": 3,
        "typestr": impl.dtype.array.str,
        "shape": tuple(impl.shape),
        "strides": tuple(stride * size for stride in impl.strides),
        "data": (impl.storage.address + impl.offset * size, False),
    }
    try:
        return np.asarray(tensor)
    finally:
        del tensor.__dict__["__array_interface__"]
