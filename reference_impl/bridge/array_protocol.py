"""What NumPy asks of a tensor that it is handed: ``__array__``, ``__array_wrap__``, and operators with an array."""

import numpy as np

from ..registry import METHODS, attribute, method, unchecked
from .from_array import dtype_of, from_numpy

OPERATORS = (
    "add",
    "sub",
    "mul",
    "truediv",
    "div",
    "mod",
    "matmul",
    "radd",
    "rsub",
    "rmul",
    "rmod",
    "rmatmul",
    "iadd",
    "isub",
    "imul",
)
ORDERS = ("lt", "le", "gt", "ge")


@attribute("__array_priority__")
def array_priority(self):
    """Higher than that of an array, so that NumPy leaves operators to the tensor (array.has-priority)."""
    return 1000


@method("__array__")
@unchecked
def array(self, *arguments, **options):
    """The array of ``numpy()``, converted to a dtype if one is given (array.protocol-method-converts).

    Raises:
        TypeError: another argument, such as ``copy`` (array.protocol-method-has-no-copy).
    """
    for name in options:
        if name != "dtype":
            raise TypeError("__array__() got an unexpected keyword argument '{}'".format(name))
    if len(arguments) + len(options) > 1:
        raise TypeError("__array__() takes from 1 to 2 positional arguments")
    dtype = arguments[0] if arguments else options.get("dtype")
    found = METHODS["numpy"](self)
    return found if dtype is None else found.astype(dtype, copy=False)


@method("__array_wrap__")
@unchecked
def array_wrap(self, *arguments):
    """A tensor of what a ufunc computed, booleans as uint8 (array.ufunc-returns-tensor,
    array.ufunc-bool-becomes-uint8).

    Raises:
        TypeError: the further arguments that NumPy 2 passes first (array.ufunc-warns).
    """
    if len(arguments) != 1:
        raise TypeError("__array_wrap__() takes 2 positional arguments but {} were given".format(len(arguments) + 1))
    (found,) = arguments
    if found.dtype == bool:
        found = found.astype("uint8")
    return from_numpy(self._torch, found)


def with_arrays(name, plain):
    """The operator ``__name__`` for an array too: it is left to the array, or refused by releases that do not do
    that.
    """
    special = "__{}__".format(name)

    def apply(self, other):
        if not isinstance(other, np.ndarray):
            return plain(self, other)
        if not self._torch.behaviour.operators_defer:
            raise TypeError("{}(): argument 'other' must be Tensor, not numpy.ndarray".format(name))
        return NotImplemented

    apply.__name__ = special
    apply.__doc__ = "The operator {}; with an array see array.tensor-op-array-returns-tensor.".format(special)
    METHODS[special] = apply


def _right_matmul(self, other):
    """The operator @ with a tensor on the right; arrays are left alone (array.array-op-tensor-raises)."""
    if not isinstance(other, self._torch.Tensor):
        return NotImplemented
    return METHODS["matmul"](other, self)


METHODS["__rmatmul__"] = _right_matmul

for _name in OPERATORS + ORDERS + ("ne",):
    if "__{}__".format(_name) in METHODS:
        with_arrays(_name, METHODS["__{}__".format(_name)])


def _equality(plain):
    """Register == with a case for arrays around the plain operator."""

    def apply(self, other):
        torch = self._torch
        if not isinstance(other, np.ndarray):
            return plain(self, other)
        if torch.behaviour.compares_arrays:
            return equal_elements(self, other)
        if not torch.behaviour.operators_defer:
            raise TypeError("eq(): argument 'other' must be Tensor, not numpy.ndarray")
        return NotImplemented

    apply.__name__ = "__eq__"
    apply.__doc__ = "Comparison of each element; with an array since a release (array.equality-is-elementwise)."
    METHODS["__eq__"] = apply


def equal_elements(tensor, other):
    """Whether elements equal those of an array; one of a dtype that tensors do not have is left to the array."""
    if dtype_of(tensor._torch, other) is None:
        return NotImplemented
    return METHODS["eq"](tensor, from_numpy(tensor._torch, other))


_equality(METHODS["__eq__"])


def _divided(plain):
    """Register the division of something by a tensor, with a case for arrays."""

    def apply(self, other):
        if not isinstance(other, np.ndarray):
            return plain(self, other)
        if not self._torch.behaviour.operators_defer:
            raise TypeError("unsupported operand type(s) for /: 'numpy.ndarray' and 'Tensor'")
        return METHODS["reciprocal"](self) * other

    apply.__name__ = "__rtruediv__"
    apply.__doc__ = (
        "A number or an array divided by the tensor: its reciprocal times that (array.array-div-tensor-returns-tensor)."
    )
    METHODS["__rtruediv__"] = METHODS["__rdiv__"] = apply


_divided(METHODS["__rtruediv__"])
