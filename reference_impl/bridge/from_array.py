"""From arrays, numbers and sequences to a tensor."""

import numpy as np

from .. import devices, dtypes, geometry, memory
from .. import tensors
from ..errors import NotModelled
from ..operations.operands import is_number, number_dtype
from ..registry import function


@function("from_numpy")
def from_numpy(torch, ndarray):
    """A tensor on the memory of an array (from.shares).

    Raises:
        TypeError: no ndarray, or a dtype that tensors do not have.
        ValueError: a byte order, or strides, that tensors do not have.
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError("expected np.ndarray (got {})".format(type(ndarray).__name__))
    if any(stride < 0 for stride in ndarray.strides):
        raise ValueError("At least one of the strides of a given NumPy array is negative")
    if not ndarray.dtype.isnative:
        raise ValueError("given numpy array has byte order different from the native byte order")
    dtype = dtypes.from_array(ndarray.dtype)
    if dtype is None:
        raise TypeError("can't convert np.ndarray of type {}.".format(ndarray.dtype))
    size = ndarray.itemsize
    if any(stride % size for stride in ndarray.strides):
        raise ValueError("given numpy array strides not a multiple of the element byte size. Copy the numpy array")
    strides = [stride // size for stride in ndarray.strides]
    held = memory.over_array(ndarray, geometry.extent(ndarray.shape, strides) * size)
    return tensors.wrap(torch, tensors.Impl(held, 0, ndarray.shape, strides, dtype))


@function("tensor")
def tensor(torch, data, *, dtype=None, device=None, requires_grad=False, **options):
    """A new tensor with the elements of ``data`` (from.tensor-copies)."""
    if options.pop("pin_memory", False) or options:
        raise NotModelled("tensor({})".format(sorted(options)))
    found = read(torch, data)
    if isinstance(found, torch.Tensor):
        where = tensors.device_of(found) if isinstance(data, torch.Tensor) else devices.CPU
        place = where if device is None and isinstance(data, torch.Tensor) else devices.place(torch, device)
        with_own = found.detach().to(device=place, dtype=dtype, copy=True)
        result = tensors.wrap(torch, with_own._impl)
    else:
        values, own = found
        result = tensors.new(torch, np.ascontiguousarray(values).reshape(values.shape), dtype or own, devices.place(torch, device))
    return result.requires_grad_() if requires_grad else result


def read(torch, data):
    """A tensor of what ``data`` holds, or its values as an ndarray with the dtype that they have by themselves."""
    if isinstance(data, torch.Tensor):
        return data
    if isinstance(data, np.ndarray):
        return from_numpy(torch, data)
    if is_number(data):
        own = number_dtype(torch, data)
        if isinstance(data, np.generic) and torch.behaviour.keeps_scalar_dtype:
            own = dtypes.from_array(data.dtype) or own
        return np.asarray(data), own
    if isinstance(data, (list, tuple)):
        return of_sequence(torch, data)
    raise NotModelled("a tensor of {}".format(type(data).__name__))


def of_sequence(torch, data):
    """The values of nested sequences, and the dtype that they have together.

    Raises:
        ValueError: the sequences have different lengths.
    """
    shape = shape_of(torch, data)
    flat = list(flattened(torch, data, len(shape)))
    if any(len_of != shape for len_of in (shape_of(torch, data),)):
        raise ValueError("expected sequence of equal length")
    own = None
    for element in flat:
        found = read(torch, element) if not isinstance(element, (list, tuple)) else None
        mine = found._impl.dtype if isinstance(found, torch.Tensor) else found[1]
        own = mine if own is None else dtypes.promote(own, mine)
    own = own or torch.default_dtype
    numbers = [element.item() if isinstance(element, torch.Tensor) else element for element in flat]
    with np.errstate(all="ignore"):
        return np.array(numbers, dtype=own.compute).reshape(shape), own


def shape_of(torch, data):
    """The shape of nested sequences, by their first elements."""
    if isinstance(data, (list, tuple)):
        return (len(data),) + (shape_of(torch, data[0]) if data else ())
    return tuple(data.shape) if isinstance(data, (np.ndarray, torch.Tensor)) else ()


def flattened(torch, data, depth):
    """The elements of nested sequences, checked to be of equal length."""
    if isinstance(data, (list, tuple)):
        shapes = {shape_of(torch, part) for part in data}
        if len(shapes) > 1:
            raise ValueError("expected sequence of length {} at dim {}".format(len(data), depth))
        for part in data:
            for element in flattened(torch, part, depth - 1):
                yield element
    elif isinstance(data, np.ndarray) and data.shape or isinstance(data, torch.Tensor) and data._impl.shape:
        for part in data:
            for element in flattened(torch, part, depth - 1):
                yield element
    else:
        yield data
