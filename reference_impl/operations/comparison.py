"""Comparison of elements, and setting all of them to one number."""

import numpy as np

from .. import dtypes, kinds, tensors
from ..errors import NotModelled
from ..gradients.inplace import change
from ..registry import METHODS, both, function, method
from . import guards
from .operands import is_operand, result_dtype
from .pointwise import check, computed


def comparison(word, kernel, *names):
    """The operator ``__word__`` and the functions ``names`` for a comparison: a tensor of bool
    (dtype.comparison-gives-bool).
    """

    def compare(self, other):
        torch = self._torch
        dtype = result_dtype(torch, (self, other))
        if dtype.is_complex and word not in ("eq", "ne"):
            raise NotModelled("the order of complex elements")
        result = dtypes.bool_ if torch.behaviour.compares_to_bool else dtypes.uint8
        return computed(torch, kernel, (self, other), dtype, result)

    def apply(self, other):
        return compare(self, other) if is_operand(self._torch, other) else NotImplemented

    def call(self, other):
        check(self._torch, other, word)
        return compare(self, other)

    apply.__name__, apply.__doc__ = "__{}__".format(word), "Comparison of each element."
    METHODS[apply.__name__] = apply
    call.__name__, call.__doc__ = word, "Comparison of each element."
    both(*names)(call)


comparison("gt", np.greater, "gt", "greater")
comparison("lt", np.less, "lt", "less")
comparison("ge", np.greater_equal, "ge", "greater_equal")
comparison("le", np.less_equal, "le", "less_equal")
comparison("eq", np.equal, "eq")
comparison("ne", np.not_equal, "ne", "not_equal")


@method("__hash__")
def identity_hash(self):
    """Tensors hash by identity, since == compares elements."""
    return id(self)


@function("equal")
def equal(torch, input, other):
    """Whether shape and elements are equal."""
    return input.equal(other)


@method("equal")
def equal_method(self, other):
    """Whether shape and elements are equal."""
    if not isinstance(other, self._torch.Tensor) or self._impl.dtype is not other._impl.dtype:
        raise NotModelled("equal() of different types")
    if not (tensors.device_of(self).holds_data and tensors.device_of(other).holds_data):
        raise NotModelled("equal() on meta")
    if self._impl.shape != other._impl.shape:
        return False
    return bool(np.array_equal(tensors.values(self), tensors.values(other)))


@method("fill_")
def fill_(self, value):
    """Every element set to a number (or a tensor without dimensions)."""
    torch = self._torch
    if not isinstance(value, torch.Tensor):
        if not kinds.is_plain_number(value):
            raise NotModelled("fill_() with {}".format(type(value).__name__))
        guards.fits(value, self._impl.dtype)
    elif value._impl.dtype.category > self._impl.dtype.category:
        raise NotModelled("fill_() with a tensor of a higher type")
    if isinstance(value, torch.Tensor):
        if value._impl.shape:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.".format(
                    len(value._impl.shape)
                )
            )
        return change(
            torch,
            self,
            tensors.values(value),
            "FillBackward1",
            (self, value),
            lambda found: (found[0] * 0, found[0].sum()),
            overlap=True,
        )
    return change(torch, self, np.asarray(value), "FillBackward2", (self,), lambda found: (found[0] * 0,), overlap=True)


@method("zero_")
def zero_(self):
    """Every element set to 0."""
    return change(
        self._torch, self, np.asarray(0), "ZeroBackward0", (self,), lambda found: (found[0] * 0,), overlap=True
    )
