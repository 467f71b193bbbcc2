"""Taking and setting parts by index, slice and mask."""

import numpy as np

from .. import dtypes, kinds, tensors
from ..errors import NotModelled
from ..gradients.graph import needs_record, record
from ..gradients.inplace import change
from ..registry import method
from . import copying, guards, views


def entries(tensor, index):
    """An index as a list with one entry for each dimension that it speaks of, ellipsis spelt out.

    Raises:
        IndexError: more entries than dimensions.
        ValueError: a slice that does not go forward.
        NotModelled: other entries than numbers, slices, None, an ellipsis, and flat lists, arrays and tensors.
    """
    given = [entry(tensor, each) for each in (index if isinstance(index, tuple) else [index])]
    taken = sum(width(each) for each in given)
    missing = len(tensor._impl.shape) - taken
    places = [place for place, each in enumerate(given) if each is Ellipsis]
    if len(places) > 1:
        raise NotModelled("an index with two ellipses")
    if missing < 0:
        if any(isinstance(each, slice) for each in given):
            raise NotModelled("a slice of a tensor with too few dimensions")
        raise IndexError("too many indices for tensor of dimension {}".format(len(tensor._impl.shape)))
    if places:
        given[places[0] : places[0] + 1] = [slice(None)] * missing
    return given


def entry(tensor, each):
    """One entry: an int, a slice, None, Ellipsis, or an ndarray of places or of bool."""
    if each is None or each is Ellipsis:
        return each
    if kinds.is_whole(each):
        return int(each)
    if isinstance(each, slice):
        if any(part is not None and not kinds.is_whole(part) for part in (each.start, each.stop, each.step)):
            raise NotModelled("a slice with other bounds than integers")
        if each.step is not None and each.step <= 0:
            raise ValueError("step must be greater than zero")
        return each
    if isinstance(each, tensor._torch.Tensor):
        return entry_of_tensor(each)
    if isinstance(each, np.ndarray):
        if each.dtype.kind == "b" and not tensor._torch.behaviour.masks_by_array:
            raise NotModelled("a mask that is an array in this release")
        if each.ndim != 1 or each.dtype.kind not in "iub" or each.dtype.kind != "b" and each.dtype != np.int64:
            raise NotModelled("an index that is an array of {} with {} dimensions".format(each.dtype, each.ndim))
        return each
    if isinstance(each, list) and each and all(type(one) is bool for one in each):
        return np.array(each)
    if isinstance(each, list) and all(type(one) is int for one in each):
        return np.array(each, dtype=np.int64)
    raise NotModelled("an index of type {}".format(type(each).__name__))


def entry_of_tensor(each):
    """An entry that is a tensor: of places, or a mask (a tensor of uint8 is one too)."""
    dtype = each._impl.dtype
    if not tensors.device_of(each).holds_data:
        raise NotModelled("an index on meta")
    if dtype.category == dtypes.INTEGER and dtype is not dtypes.uint8 and not each._impl.shape:
        return int(np.asarray(tensors.values(each)))
    if dtype in (dtypes.bool_, dtypes.uint8):
        if not each._impl.shape:
            raise NotModelled("a mask without dimensions")
        return np.asarray(tensors.values(each)) != 0
    if dtype not in (dtypes.int64, dtypes.int32):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return np.asarray(tensors.values(each))


def width(each):
    """How many dimensions an entry speaks of."""
    if each is None or each is Ellipsis:
        return 0
    return each.ndim if isinstance(each, np.ndarray) and each.dtype.kind == "b" else 1


def viewed(tensor, given):
    """A view for entries that are numbers, slices and None; and the entries that are left, by dimension of the view."""
    left, dim = {}, 0
    result = tensor
    for each in given:
        if isinstance(each, int):
            result = result.select(dim, each)
        elif isinstance(each, slice):
            start, stop, step = each.indices(result._impl.shape[dim])
            result = views.sliced(result, dim, start, max(start, stop), step)
            dim += 1
        elif each is None:
            result = result.unsqueeze(dim)
            dim += 1
        else:
            left[dim] = each
            dim += width(each)
    return result, left


def numpy_index(left):
    """Entries that are arrays, by dimension, as an index of NumPy."""
    index, dim = [], 0
    for place in sorted(left):
        index += [slice(None)] * (place - dim)
        index.append(left[place])
        dim = place + width(left[place])
    return tuple(index)


@method("__getitem__")
def getitem(self, index):
    """A view for numbers and slices (memory.view-aliases), a copy for masks and lists of places."""
    whole = index is Ellipsis or isinstance(index, tuple) and not index
    given = [] if whole else entries(self, index)
    result, left = viewed(self, given)
    if left:
        return taken(result, numpy_index(left))
    return views.view_of(self, "AliasBackward0", lambda gradient: gradient) if result is self else result


def taken(tensor, index):
    """A copy of the elements at an index of NumPy.

    Raises:
        IndexError: a place that is not there, or a mask of another shape.
    """
    torch = tensor._torch
    guarded(tensor, index)
    try:
        found = np.array(tensors.values(tensor)[index])
    except IndexError as problem:
        raise IndexError(str(problem)) from None
    shape, dtype, device = tensor._impl.shape, tensor._impl.dtype, tensors.device_of(tensor)

    def backward(gradients):
        if gradients[0]._history.requires_grad:
            raise NotModelled("a second derivative through an index")
        whole = np.zeros(shape, dtype.compute)
        np.add.at(whole, index, tensors.values(gradients[0]))
        return (tensors.new(torch, whole, dtype, device),)

    return record(torch, tensors.new(torch, found, dtype, device), "IndexBackward0", (tensor,), backward)


def guarded(tensor, index):
    """Refuse what torch lays out or checks otherwise than NumPy."""
    if not tensors.device_of(tensor).holds_data:
        raise NotModelled("an index into meta")
    if 0 in tensor._impl.shape:
        raise NotModelled("places in a tensor without elements")


@method("__setitem__")
def setitem(self, index, value):
    """Set a part in place (memory.tensor-write-seen-in-array).

    Raises:
        TypeError: a value that is neither a tensor nor a number (from.array-sees-tensor-writes and its like).
    """
    torch = self._torch
    if not isinstance(value, torch.Tensor):
        value = number_to_set(self, value)
    whole = index is Ellipsis or isinstance(index, tuple) and not index
    part, left = (self, {}) if whole else viewed(self, entries(self, index))
    if not left:
        guards.overlap(torch, part, value)
        copying.copy_(part, without_ones(value, len(part._impl.shape)))
        return
    set_places(part, numpy_index(left), value)


def number_to_set(tensor, value):
    """A number as a tensor of the type of the one that it is put into."""
    torch = tensor._torch
    if not kinds.is_plain_number(value):
        if isinstance(value, np.generic):
            raise NotModelled("setting a part to {}".format(type(value).__name__))
        raise TypeError("can't assign a {} to a tensor".format(type(value).__name__))
    dtype = tensor._impl.dtype
    guards.fits(value, dtype)
    return tensors.new(torch, np.asarray(value), dtype, tensors.device_of(tensor))


def without_ones(value, dimensions):
    """``value`` without leading dimensions of size 1 that are too many."""
    while len(value._impl.shape) > dimensions and value._impl.shape[0] == 1:
        value = value.squeeze(0)
    return value


def set_places(part, index, value):
    """Set the elements at an index of NumPy."""
    torch = part._torch
    if needs_record(torch, (part, value)):
        raise NotModelled("setting places by list or mask where gradients are wanted")
    if value._impl.dtype is not part._impl.dtype or value._impl.storage is part._impl.storage:
        raise NotModelled("setting places to elements of another type, or to the tensor's own")
    if tensors.device_of(value) != tensors.device_of(part):
        raise NotModelled("setting places to elements from elsewhere")
    guarded(part, index)
    changed = np.array(tensors.values(part))
    try:
        place = changed[index]
    except IndexError as problem:
        raise IndexError(str(problem)) from None
    value = without_ones(value, place.ndim)
    try:
        changed[index] = np.broadcast_to(tensors.values(value), place.shape)
    except ValueError:
        raise NotModelled("setting places to elements of another shape") from None
    change(torch, part, changed, "IndexPutBackward0", (part,), None)


@method("__delitem__")
def delitem(self, index):
    """Tensors keep their size.

    Raises:
        TypeError: always.
    """
    raise TypeError("Tensor does not support deleting items")


@method("__contains__")
def contains(self, element):
    """Whether an element equals a number or a tensor."""
    if not (isinstance(element, self._torch.Tensor) or kinds.is_plain_number(element)):
        raise NotModelled("whether a tensor contains {}".format(type(element).__name__))
    if not tensors.device_of(self).holds_data:
        raise NotModelled("whether a tensor on meta contains something")
    return bool((self == element).any().item())
