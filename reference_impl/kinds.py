"""What kind of thing an argument has to be, by the name of the parameter: anything else is refused, not guessed at.

Torch reads its arguments by tables of its own, with rules for what passes for a number, a flag or a list of sizes. The
model follows these rules for the plain cases only.
"""

import decimal
import numbers

import numpy as np

from . import dtypes

_FLAGS = (
    "keepdim", "keepdims", "unbiased", "descending", "stable", "largest", "create_graph", "accumulate_grad",
    "only_inputs", "non_blocking", "as_tuple", "accumulate",
)  # fmt: skip
_PLACES = ("dim0", "dim1", "diagonal", "chunks", "steps", "axis0", "axis1", "storage_offset")
_TENSORS = ("mat2", "tensor", "vec", "mat1", "mask", "vec2", "batch1", "batch2")


def is_whole(thing):
    """A Python or NumPy integer that is no bool."""
    return isinstance(thing, (int, np.integer)) and not isinstance(thing, bool)


def are_sizes(things):
    """Integers, or one tuple or list of them."""
    if len(things) == 1 and isinstance(things[0], (tuple, list)):
        things = things[0]
    return all(is_whole(thing) for thing in things)


def _place(torch, thing):
    """A dimension, a place or a number of them."""
    return is_whole(thing)


def _places(torch, thing):
    """A dimension, several or none."""
    return (
        thing is None or is_whole(thing) or isinstance(thing, (tuple, list)) and all(is_whole(each) for each in thing)
    )


def _flag(torch, thing):
    """A bool."""
    return isinstance(thing, bool)


def _flag_or_none(torch, thing):
    """A bool or None."""
    return thing is None or isinstance(thing, bool)


def _dtype(torch, thing):
    """A dtype or None."""
    return thing is None or isinstance(thing, dtypes.dtype)


def _tensor(torch, thing):
    """A tensor."""
    return isinstance(thing, torch.Tensor)


def is_plain_number(thing):
    """A number that torch reads as one without further ado: Python's four types and NumPy's but bool."""
    if type(thing) is int:
        return -(2**63) <= thing < 2**63
    if type(thing) in (bool, float, complex):
        return True
    return isinstance(thing, (np.integer, np.floating, np.complex128)) and not isinstance(thing, np.longdouble)


def is_foreign(thing):
    """Neither a number nor an array of any sort: an operator of torch answers NotImplemented to it."""
    return not isinstance(thing, (numbers.Number, decimal.Decimal, np.generic, np.ndarray))


def _operand(torch, thing):
    """A tensor or a number."""
    return isinstance(thing, torch.Tensor) or is_plain_number(thing)


def _tensor_or_none(torch, thing):
    """A tensor or None."""
    return thing is None or isinstance(thing, torch.Tensor)


def _gradients(torch, thing):
    """A tensor, None, or a sequence of these."""
    if isinstance(thing, (tuple, list)):
        return bool(thing) and all(_tensor_or_none(torch, each) for each in thing)
    return _tensor_or_none(torch, thing)


def _format(torch, thing):
    """Anything but None."""
    return thing is not None  # the default is not None, and few functions of torch take it


def _sizes(torch, thing):
    """Sizes as one sequence."""
    return are_sizes((thing,))


_CHECKS = {name: _flag for name in _FLAGS}
_CHECKS.update({name: _place for name in _PLACES})
_CHECKS.update({name: _tensor for name in _TENSORS})
_CHECKS.update(
    dim=_places, dims=_places, axis=_places, dtype=_dtype, retain_graph=_flag_or_none, allow_unused=_flag_or_none,
    grad_tensors=_gradients, grad_outputs=_gradients, gradient=_tensor_or_none, memory_format=_format,
    other=_operand, exponent=_operand, fill_value=_operand, sizes=_sizes, shape=_sizes, input=_tensor,
)  # fmt: skip
_MANY = ("size", "sizes", "shape", "dims")  # parameters that gather positional arguments


class Plan:
    """How to look at the arguments of one function, whose first ``skip`` parameters are not the user's."""

    def __init__(self, target, skip, one_sequence=False):
        code = getattr(target, "__code__", None)
        positional = () if code is None else code.co_varnames[skip : code.co_argcount]
        self.checks = [_CHECKS.get(name) for name in positional]
        count = 0 if code is None else code.co_argcount + code.co_kwonlyargcount
        gathers = code is not None and code.co_flags & 4
        self.one_sequence = one_sequence  # a function takes sizes as one sequence only, a method one by one too
        self.many = bool(gathers) and code.co_varnames[count] in _MANY

    def odd(self, torch, arguments, options):
        """The first argument that is of no kind that its parameter takes, as a list of one; else an empty list."""
        for check, thing in zip(self.checks, arguments):
            if check is not None and not check(torch, thing):
                return [thing]
        if self.many:
            sizes = arguments[len(self.checks) :]
            if not are_sizes(sizes) or not sizes and not any(name in options for name in _MANY):
                return [arguments]
            if self.one_sequence and not isinstance(sizes[0] if sizes else (), (tuple, list)):
                return [arguments]
        for name, thing in options.items():
            check = _CHECKS.get(name)
            if check is not None and not check(torch, thing):
                return [thing]
        return []
