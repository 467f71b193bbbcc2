"""Taking and setting parts by index, slice and mask."""

import numpy as np

from .. import dtypes
from .. import tensors
from ..gradients.graph import record
from ..gradients.inplace import change
from ..errors import NotModelled
from ..registry import METHODS, method
from . import copying, views


def entries(tensor, index):
    """An index as a list with one entry for each dimension that it speaks of, ellipsis spelt out.

    Raises:
        IndexError: more entries than dimensions.
    """
    given = list(index) if isinstance(index, tuple) else [index]
    taken = sum(
        np.ndim(each) if is_mask(tensor, each) and not isinstance(each, bool) else 1
        for each in given
        if each is not None and each is not Ellipsis and not isinstance(each, bool)
    )
    missing = len(tensor._impl.shape) - taken
    if missing < 0:
        raise IndexError("too many indices for tensor of dimension {}".format(len(tensor._impl.shape)))
    places = [place for place, each in enumerate(given) if each is Ellipsis]
    if len(places) > 1:
        raise NotModelled("an index with two ellipses")
    if places:
        given[places[0] : places[0] + 1] = [slice(None)] * missing
    return given


def is_mask(tensor, each):
    """Whether an entry is a mask: a tensor or an array of bool (or of uint8)."""
    if isinstance(each, tensor._torch.Tensor):
        return each._impl.dtype in (dtypes.bool_, dtypes.uint8)
    return isinstance(each, np.ndarray) and each.dtype.kind == "b"


def whole_number(tensor, each):
    """An entry that names one place, as an int, or None."""
    if isinstance(each, (bool, np.bool_)):
        return None
    if isinstance(each, (int, np.integer)):
        return int(each)
    if isinstance(each, tensor._torch.Tensor) and not each._impl.shape and each._impl.dtype.category == dtypes.INTEGER:
        return each.item() if each._impl.dtype is not dtypes.uint8 else None
    return None


def viewed(tensor, given):
    """A view for entries that are numbers, slices and None; and the entries that are left, by dimension of the view."""
    left, dim = {}, 0
    result = tensor
    for each in given:
        number = whole_number(tensor, each)
        if number is not None:
            result = result.select(dim, number)
        elif isinstance(each, slice):
            start, stop, step = each.indices(result._impl.shape[dim])
            if step <= 0:
                raise ValueError("step must be greater than zero")
            if (start, step) != (0, 1) or stop < result._impl.shape[dim]:
                result = views.sliced(result, dim, start, max(start, stop), step)
            dim += 1
        elif each is None:
            result = result.unsqueeze(dim)
            dim += 1
        else:
            left[dim] = each
            dim += np.ndim(each) if is_mask(tensor, each) else 1
    if result is tensor:
        result = views.view_of(tensor, "AliasBackward0", lambda gradient: gradient)
    return result, left


def numpy_index(tensor, left):
    """Entries that are tensors, arrays or lists as an index of NumPy."""
    index, dim = [], 0
    for place in sorted(left):
        index += [slice(None)] * (place - dim)
        each = left[place]
        if isinstance(each, tensor._torch.Tensor):
            found = np.asarray(tensors.values(each))
        elif isinstance(each, (list, tuple, np.ndarray)):
            found = np.asarray(tensor._torch.objects["tensor"](each).tolist()) if not isinstance(each, np.ndarray) else each
        else:
            raise NotModelled("an index of type {}".format(type(each).__name__))
        if found.dtype == np.uint8 and is_mask(tensor, each):
            found = found.astype(bool)
        if not found.size and found.dtype.kind == "f":
            found = found.astype(np.int64)
        if found.dtype.kind not in "iub":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        index.append(found)
        dim = place + (found.ndim if found.dtype.kind == "b" else 1)
    return tuple(index)


@method("__getitem__")
def getitem(self, index):
    """A view for numbers and slices, a copy for masks and lists of places."""
    result, left = viewed(self, entries(self, index))
    return taken(result, numpy_index(self, left)) if left else result


def taken(tensor, index):
    """A copy of the elements at an index of NumPy."""
    torch = tensor._torch
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


@method("__setitem__")
def setitem(self, index, value):
    """Set a part in place."""
    torch = self._torch
    part, left = viewed(self, entries(self, index))
    if not isinstance(value, torch.Tensor):
        if isinstance(value, np.ndarray):
            value = torch.objects["tensor"](value)
        elif isinstance(value, (list, tuple)):
            raise NotModelled("setting a part to a sequence")
        else:
            value = torch.objects["tensor"](value, dtype=self._impl.dtype, device=tensors.device_of(self))
    if not left:
        while len(value._impl.shape) > len(part._impl.shape) and value._impl.shape[0] == 1:
            value = value.squeeze(0)
        copying.copy_(part, value)
        return
    from ..gradients.graph import needs_record

    if needs_record(torch, (self, value)):
        raise NotModelled("setting places by list or mask where gradients are wanted")
    changed = np.array(tensors.values(part))
    changed[numpy_index(self, left)] = tensors.values(value)
    change(torch, part, changed, "IndexPutBackward0", (part,), None)


METHODS["__contains__"] = lambda self, element: bool((self == element).any().item())
