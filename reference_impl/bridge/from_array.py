"""From an array to a tensor: ``torch.from_numpy``."""

import warnings

import numpy as np

from .. import dtypes, geometry, memory, tensors
from ..errors import NotModelled
from ..registry import function
from . import to_array

_SUPPORTED = "The only supported types are: "


@function("from_numpy")
def from_numpy(torch, ndarray):
    """A tensor on the memory of an array (from.numpy-shares-address).

    Raises:
        TypeError: no ndarray (from.numpy-rejects-non-arrays), or a dtype that tensors do not have.
        ValueError: a byte order, or strides, that tensors do not have (from.numpy-rejects-negative-strides).
    """
    return shared(torch, ndarray)


def shared(torch, array, warn=True):
    """A tensor on the memory of an array; read-only memory is warned of, once in a process, unless ``warn`` is
    False.
    """
    if not isinstance(array, np.ndarray):
        prefix = "numpy." if isinstance(array, np.generic) else ""
        raise TypeError("expected np.ndarray (got {}{})".format(prefix, type(array).__name__))
    array = np.ndarray.view(array, np.ndarray) if type(array) is not np.ndarray else array
    dtype = dtype_of(torch, array)
    check_memory(torch, array, dtype)
    if dtype is None:
        refuse_dtype(array)
    if warn and not array.flags.writeable:
        warn_read_only(torch)
    size = array.itemsize
    strides = [stride // size for stride in array.strides]
    held = memory.over_array(array, geometry.extent(array.shape, strides) * size)
    if (
        torch.behaviour.refuses_inner_empty
        and 0 in array.shape
        and any(each > 1 for each in array.shape[: array.shape.index(0)])
    ):
        raise RuntimeError("Trying to resize storage that is not resizable")
    return tensors.wrap(torch, tensors.Impl(held, 0, array.shape, strides, dtype))


def dtype_of(torch, array):
    """The dtype for the elements of an array, whatever their byte order, or None if the release has none."""
    plain = array.dtype.newbyteorder("=")
    found = dtypes.from_array(plain)
    if found is None or plain.char == "Q" or not to_array.converts(torch, found):
        return None
    return found


def check_memory(torch, array, dtype):
    """Refuse memory that a tensor cannot lie on.

    Raises:
        ValueError: a negative stride, one that is no multiple of the item size, or a foreign byte order.
        NotModelled: the dtype is refused too, and which refusal comes first was not looked into.
    """
    problem = None
    if any(stride < 0 for stride in array.strides):
        problem = torch.behaviour.negative_stride_message
    elif array.itemsize and any(stride % array.itemsize for stride in array.strides):
        problem = (
            "given numpy array strides not a multiple of the element byte size. Copy the numpy array to reallocate the "
            "memory."
        )
    elif not array.dtype.isnative:
        problem = (
            "given numpy array has byte order different from the native byte order. Conversion between byte orders is "
            "currently not supported."
        )
    if problem is None:
        return
    if dtype is None:
        if torch.behaviour.array_dtype_is_checked == "first":
            refuse_dtype(array)
        raise NotModelled("from_numpy() of an array that is refused for two reasons")
    raise ValueError(problem)


def refuse_dtype(array):
    """Refuse a dtype that tensors do not have (dtype.other-arrays-raise)."""
    raise TypeError(
        "can't convert np.ndarray of type numpy.{}. {}float64, float32, float16, complex64, complex128, int64, int32, "
        "int16, int8, uint64, uint32, uint16, uint8, and bool.".format(array.dtype.type.__name__, _SUPPORTED)
    )


def warn_read_only(torch):
    """Warn, once in a process, that writes to the tensor would be undefined (from.numpy-accepts-read-only)."""
    if torch.behaviour.warns_of_read_only and "read-only" not in torch.warned:
        torch.warned.add("read-only")
        warnings.warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors.", UserWarning, 4
        )
