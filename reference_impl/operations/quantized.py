"""Quantized tensors: whole numbers with a scale and a zero, as far as they are made, refused and undone."""

import numpy as np

from .. import dtypes, tensors
from ..errors import NotModelled
from ..gradients.graph import requires_grad
from ..registry import function, method


def _quantized(name, store, scalar_type):
    """A quantized dtype, stored as ``store``."""
    return dtypes.dtype(name, None, dtypes.OPAQUE, scalar_type, store, store)


QUANTIZED = {
    "quint8": _quantized("quint8", "u1", "QUInt8"),
    "qint8": _quantized("qint8", "i1", "QInt8"),
    "qint32": _quantized("qint32", "i4", "QInt32"),
}
STORED = {"quint8": dtypes.uint8, "qint8": dtypes.int8, "qint32": dtypes.int32}


@function("quantize_per_tensor")
def quantize_per_tensor(torch, input, scale, zero_point, dtype):
    """Each element as the nearest multiple of ``scale`` (layout.quantized-raises)."""
    if not isinstance(input, torch.Tensor) or input._impl.dtype is not dtypes.float32 or requires_grad(input):
        raise NotModelled("quantize_per_tensor() of such a tensor")
    if dtype.name not in QUANTIZED or not isinstance(scale, float) or not isinstance(zero_point, int):
        raise NotModelled("quantize_per_tensor() with these arguments")
    store = dtype.store
    info = np.iinfo(store)
    whole = np.rint(tensors.values(input) / np.float32(scale)) + zero_point
    result = tensors.allocate(torch, input._impl.shape, dtype, tensors.device_of(input))
    if tensors.device_of(input).holds_data:
        result._impl.window()[...] = np.clip(whole, info.min, info.max).astype(store)
    result._impl.extra = (scale, zero_point)
    return result


def parts(tensor):
    """The stored numbers, the scale and the zero.

    Raises:
        RuntimeError: the tensor is not quantized.
    """
    impl = tensor._impl
    if impl.dtype.name not in QUANTIZED:
        raise NotModelled("this of a tensor that is not quantized")
    return impl.window(), impl.extra[0], impl.extra[1]


@method("dequantize")
def dequantize(self):
    """The elements as float32 (layout.dequantize-converts)."""
    stored, scale, zero = parts(self)
    values = (stored.astype(np.float32) - np.float32(zero)) * np.float32(scale)
    return tensors.new(self._torch, values, dtypes.float32, tensors.device_of(self))


@method("int_repr")
def int_repr(self):
    """The stored whole numbers (layout.int-repr-converts)."""
    stored, _, _ = parts(self)
    return tensors.new(self._torch, stored.copy(), STORED[self._impl.dtype.name], tensors.device_of(self))
