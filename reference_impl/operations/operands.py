"""Operands of an operation: tensors and numbers, the type that they have together, and their values."""

import numbers

import numpy as np

from .. import dtypes, tensors
from ..errors import NotModelled


def is_number(thing):
    """Whether an operation takes ``thing`` for a number: Python's and NumPy's (array.scalar-op-tensor-keeps-dtype)."""
    return isinstance(thing, (numbers.Number, np.bool_, np.number)) and not isinstance(thing, np.ndarray)


def is_operand(torch, thing):
    """Whether ``thing`` is a tensor or a number."""
    return isinstance(thing, torch.Tensor) or is_number(thing)


def number_dtype(torch, number):
    """The dtype that a number has by itself."""
    if isinstance(number, (bool, np.bool_)):
        return dtypes.bool_
    if isinstance(number, (int, np.integer)):
        return dtypes.int64
    if isinstance(number, (complex, np.complexfloating)):
        return dtypes.complex_of(torch.default_dtype)
    return torch.default_dtype


def result_dtype(torch, operands):
    """The dtype that tensors and numbers have together: tensors with dimensions before those without, those before
    numbers.

    A lower rank counts only where its category (bool, integer, float, complex) is higher.

    Raises:
        RuntimeError: the release does not mix dtypes (array.scalar-op-tensor-keeps-dtype).
    """
    ranks = ([], [], [])
    for operand in operands:
        if isinstance(operand, torch.Tensor):
            ranks[0 if operand._impl.shape else 1].append(operand._impl.dtype)
        else:
            ranks[2].append(number_dtype(torch, operand))
    found = None
    for rank in ranks:
        mine = rank[0] if rank else None
        for dtype in rank[1:]:
            mine = dtypes.promote(dtype, mine)
        if rank and (found is None or mine.category > found.category):
            if found is not None and found.category == dtypes.FLOAT and mine.category == dtypes.COMPLEX:
                mine = dtypes.complex_of(dtypes.float32 if found is dtypes.bfloat16 else found)
            found = mine
    if not torch.behaviour.promotes and len({dtype for rank in ranks[:2] for dtype in rank}) > 1:
        raise RuntimeError("expected type {} but got another".format(found))
    return found


def device_of(torch, operands):
    """The device that an operation on these operands takes place on."""
    return tensors.common_device([operand for operand in operands if isinstance(operand, torch.Tensor)])


def values_as(torch, operand, dtype):
    """The values of an operand in the type that arithmetic on ``dtype`` is done in."""
    if isinstance(operand, torch.Tensor):
        return tensors.values(operand).astype(dtype.compute, copy=False)
    if dtype.category == dtypes.INTEGER and not isinstance(operand, (bool, np.bool_)):
        info = np.iinfo(dtype.compute)
        if not info.min <= int(operand) <= info.max:
            raise NotModelled("the number {} among elements of {}".format(operand, dtype))
    return np.asarray(operand).astype(dtype.compute)


def tensor_inputs(torch, operands):
    """The operands that are tensors."""
    return tuple(operand for operand in operands if isinstance(operand, torch.Tensor))
