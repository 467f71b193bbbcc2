"""What arithmetic is refused: where torch has rules of its own that were not looked into."""

import numpy as np

from .. import dtypes, geometry, kinds
from ..errors import NotModelled

_WIDE_UNSIGNED = (dtypes.uint16, dtypes.uint32, dtypes.uint64)


def arithmetic(torch, operands, dtype):
    """Refuse arithmetic in types that torch lacks kernels for (dtype.wide-unsigned-to-numpy and its like), or rounds
    otherwise.
    """
    if dtype is dtypes.complex32:
        raise NotModelled("arithmetic on elements of complex32")
    for operand in operands:
        if isinstance(operand, torch.Tensor):
            if operand._impl.dtype in _WIDE_UNSIGNED or operand._impl.dtype is dtypes.complex32:
                raise NotModelled("arithmetic on elements of {}".format(operand._impl.dtype))
        elif isinstance(operand, (bool, np.bool_)):
            continue
        else:
            number(operand, dtype)


def number(given, dtype):
    """Refuse a number that elements of ``dtype`` cannot hold as it is: torch may compute with more digits, or raise."""
    if not kinds.is_plain_number(given):
        raise NotModelled("the number {}".format(given))
    if isinstance(given, complex) and dtype.category != dtypes.COMPLEX:
        raise NotModelled("a complex number among elements of {}".format(dtype))
    if dtype.category not in (dtypes.FLOAT, dtypes.COMPLEX):
        if isinstance(given, float) and not np.isfinite(given):
            raise NotModelled("the number {} among elements of {}".format(given, dtype))
        return
    real = np.float32 if dtype in (dtypes.bfloat16, dtypes.float32, dtypes.complex64, dtypes.complex32) else np.float64
    size = abs(complex(given))
    if np.isfinite(size) and size > np.finfo(real).max:
        raise NotModelled("the number {} among elements of {}".format(given, dtype))
    if dtype in (dtypes.float16, dtypes.bfloat16):
        with np.errstate(all="ignore"):
            held = float(dtype.decode(np.asarray(dtype.encode(np.asarray(float(given))))))
        if held != given and given == given:
            raise NotModelled("the number {} among elements of {}".format(given, dtype))


def overlap(torch, target, operand):
    """Refuse to write over elements that are read at other places (memory.expanded-write-changes-all)."""
    if not isinstance(operand, torch.Tensor) or operand is target:
        return
    one, other = target._impl, operand._impl
    if one.storage is not other.storage or (one.offset, one.shape, one.strides) == (
        other.offset,
        other.shape,
        other.strides,
    ):
        return
    size, more = one.dtype.itemsize, other.dtype.itemsize
    first, last = one.offset * size, (one.offset + geometry.extent(one.shape, one.strides)) * size
    start, stop = other.offset * more, (other.offset + geometry.extent(other.shape, other.strides)) * more
    if first < stop and start < last:
        raise NotModelled("a change in place from overlapping memory")


def strides_of(torch, operands, shape, dtype):
    """Strides of the result of an element by element operation on these operands."""
    given = [operand._impl for operand in operands if isinstance(operand, torch.Tensor) and operand._impl.shape]
    if not given or 0 in shape:
        return None
    given = [converted(impl, dtype) for impl in given]
    whole = [impl for impl in given if tuple(impl.shape) == tuple(shape)]
    first = given[0]
    alike = len(whole) == len(given) and all(impl.strides == first.strides for impl in given)
    if alike and geometry.is_dense(first.shape, first.strides):
        return first.strides
    if all(geometry.is_contiguous(impl.shape, impl.strides) for impl in whole) and len(whole) == len(given):
        return None
    return geometry.ordered_strides(shape, [aligned(impl, shape) for impl in given])


def converted(impl, dtype):
    """An operand as it lies after its conversion to the type that the operation computes in."""
    if impl.dtype is dtype or impl.storage.device.type != "cpu":
        return impl
    dense = geometry.is_dense(impl.shape, impl.strides) and 0 not in impl.shape
    return impl.changed(strides=impl.strides if dense else geometry.ordered_strides(impl.shape, [impl.strides]))


def aligned(impl, shape):
    """Strides of an operand as broadcast to ``shape``."""
    front = len(shape) - len(impl.shape)
    strides = [0] * front
    for size, stride, wide in zip(impl.shape, impl.strides, shape[front:]):
        strides.append(0 if size == 1 and wide != 1 else stride)
    return strides


def halves(values):
    """Values to add up: those of two bytes with the digits that torch adds them up with."""
    return values.astype(np.float32) if values.dtype == np.float16 else values


def dtype_known(tensor, *refused):
    """Refuse elements of these categories."""
    if tensor._impl.dtype.category in refused or tensor._impl.dtype in _WIDE_UNSIGNED:
        raise NotModelled("this operation on elements of {}".format(tensor._impl.dtype))


def fits(given, dtype):
    """Refuse to store a number that elements of ``dtype`` cannot hold: torch mostly raises."""
    if isinstance(given, complex) and dtype.category != dtypes.COMPLEX:
        raise NotModelled("a complex number among elements of {}".format(dtype))
    if dtype.category == dtypes.INTEGER:
        info = np.iinfo(dtype.compute)
        if given != given or not info.min <= given <= info.max:
            raise NotModelled("the number {} among elements of {}".format(given, dtype))
    elif dtype.category in (dtypes.FLOAT, dtypes.COMPLEX):
        with np.errstate(all="ignore"):
            held = dtype.decode(
                np.asarray(
                    dtype.encode(np.asarray(given, dtype=np.complex128 if isinstance(given, complex) else float))
                )
            )
        if np.isfinite(complex(given)) and not np.isfinite(complex(held)):
            raise NotModelled("the number {} among elements of {}".format(given, dtype))
