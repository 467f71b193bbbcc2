"""Element by element: arithmetic, functions of one tensor, comparison; also in place."""

import numpy as np

from .. import dtypes, geometry, tensors
from ..errors import NotModelled
from ..gradients.graph import needs_record, record
from ..gradients.inplace import change
from ..registry import METHODS, both, method
from . import guards
from .operands import device_of, is_operand, number_dtype, result_dtype, tensor_inputs, values_as
from .views import sum_to


def computed(torch, kernel, operands, dtype, result=None):
    """A new tensor of ``result`` (or ``dtype``) with ``kernel(*values)``, the operands being taken as ``dtype``."""
    device = device_of(torch, operands)
    shape = geometry.broadcast(*[operand._impl.shape for operand in tensor_inputs(torch, operands)])
    guards.arithmetic(torch, operands, dtype)
    with np.errstate(all="ignore"):
        values = kernel(*[values_as(torch, operand, dtype) for operand in operands])
    if dtype.is_complex and kernel not in (np.equal, np.not_equal) and not np.isfinite(values).all():
        raise NotModelled("complex arithmetic that is not finite")
    return tensors.new(torch, values, result or dtype, device, guards.strides_of(torch, operands, shape, dtype))


class Binary:
    """An operation on two operands.

    ``gradients(gradient, a, b)`` gives functions for the gradient of either operand, before it is summed to the
    shape of
    the operand; ``saves`` says which operands the gradient of each one needs.
    """

    def __init__(self, name, kernel, left, right, left_saves="", right_saves="", floats=False):
        self.name, self.kernel = name, kernel
        self.left, self.right = left, right
        self.left_saves, self.right_saves = left_saves, right_saves
        self.floats = floats

    def dtype(self, torch, a, b):
        """The type of the result."""
        found = result_dtype(torch, (a, b))
        types = [number_dtype(torch, x) if not isinstance(x, torch.Tensor) else x._impl.dtype for x in (a, b)]
        if dtypes.bool_ in types and self in (SUB, RSUB):
            raise RuntimeError(
                "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a "
                "mask, use the `~` or `logical_not()` operator instead."
            )
        if dtypes.bool_ in types and self is POW:
            raise NotModelled("powers of elements of bool")
        if self.floats and found.category < dtypes.FLOAT:
            if not torch.behaviour.divides_integers_truly:
                raise NotModelled("the division of integers in this release")
            return torch.default_dtype
        return found

    def history(self, torch, a, b, own=None):
        """Inputs, backward and what to save for a result of ``a`` and ``b``; ``own`` replaces ``a`` among the saved."""
        inputs = tensor_inputs(torch, (a, b))
        active = [
            isinstance(x, torch.Tensor) and (needs_record(torch, (x,)) or x._history.tangent is not None)
            for x in (a, b)
        ]
        wanted = set((self.left_saves if active[0] else "") + (self.right_saves if active[1] else ""))
        saved, where = [], {}
        for key, operand in (("a", a), ("b", b)):
            if key in wanted and isinstance(operand, torch.Tensor):
                where[key] = len(saved)
                saved.append(operand.detach().clone() if operand is own else operand)
        numbers = {"a": a if "a" not in where and not isinstance(a, torch.Tensor) else None,
                   "b": b if "b" not in where and not isinstance(b, torch.Tensor) else None}  # fmt: skip
        shapes = [x._impl.shape if isinstance(x, torch.Tensor) else None for x in (a, b)]
        types = [x._impl.dtype if isinstance(x, torch.Tensor) else None for x in (a, b)]

        def backward(found, *kept):
            at = {key: kept[where[key]] if key in where else numbers[key] for key in "ab"}
            out = []
            for which, formula in enumerate((self.left, self.right)):
                if shapes[which] is None:
                    continue
                if not active[which]:
                    out.append(None)
                    continue
                part = formula(found[0], at["a"], at["b"])
                if self is POW and np.isnan(tensors.values(part)).any():
                    raise NotModelled("the gradient of a power at a singular place")
                out.append(like(sum_to(part, shapes[which]), types[which]))
            return tuple(out)

        return inputs, backward, tuple(saved)

    def __call__(self, a, b):
        """A new tensor."""
        torch = (a if hasattr(a, "_torch") else b)._torch
        dtype = self.dtype(torch, a, b)
        inputs, backward, saved = self.history(torch, a, b)
        return record(
            torch, computed(torch, self.kernel, (a, b), dtype), self.node(torch, a, b), inputs, backward, saved
        )

    def node(self, torch, a, b):
        """The name of the node that is recorded."""
        if self is POW:
            return "PowBackward{}".format(
                0 if not isinstance(b, torch.Tensor) else 1 if isinstance(a, torch.Tensor) else 2
            )
        if self is RSUB and isinstance(a, torch.Tensor):
            return "RsubBackward0"
        return self.name

    def change(self, a, b):
        """``a`` changed in place.

        Raises:
            RuntimeError: the result does not fit into the type or the shape of ``a``.
        """
        torch = a._torch
        dtype = self.dtype(torch, a, b)
        if isinstance(b, torch.Tensor) and b is a and needs_record(torch, (a,)):
            raise NotModelled("a tensor changed by itself where gradients are wanted")
        if dtype.category > a._impl.dtype.category and not tensors.device_of(a).holds_data:
            raise NotModelled("a change on meta to another type")
        if dtype.category > a._impl.dtype.category:
            raise RuntimeError(
                "result type {} can't be cast to the desired output type {}".format(
                    dtype.scalar_type, a._impl.dtype.scalar_type
                )
            )
        guards.overlap(torch, a, b)
        if not tensors.device_of(a).holds_data and any(
            tensors.device_of(x).holds_data for x in tensor_inputs(torch, (b,))
        ):
            raise NotModelled("a change on meta from elsewhere")
        result = computed(torch, self.kernel, (a, b), dtype)
        if result._impl.shape != a._impl.shape:
            raise RuntimeError(
                "output with shape {} doesn't match the broadcast shape {}".format(
                    list(a._impl.shape), list(result._impl.shape)
                )
            )
        inputs, backward, saved = self.history(torch, a, b, own=a)
        return change(torch, a, tensors.values(result), self.node(torch, a, b), inputs, backward, saved)


def like(gradient, dtype):
    """A gradient in the type of what it is the gradient of: the real part, where that is real."""
    if gradient._impl.dtype.is_complex and not dtype.is_complex:
        gradient = gradient.real
    return gradient if gradient._impl.dtype is dtype else gradient.to(dtype)


def conjugate(operand):
    """The conjugate of a tensor or a number."""
    if hasattr(operand, "_torch"):
        from .complexes import conjugated  # complexes builds on this module's neighbours

        return conjugated(operand)
    return operand.conjugate()


ADD = Binary("AddBackward0", np.add, lambda g, a, b: g, lambda g, a, b: g)
SUB = Binary("SubBackward0", np.subtract, lambda g, a, b: g, lambda g, a, b: -g)
RSUB = Binary("RsubBackward1", np.subtract, lambda g, a, b: g, lambda g, a, b: -g)
MUL = Binary("MulBackward0", np.multiply, lambda g, a, b: g * conjugate(b), lambda g, a, b: g * conjugate(a), "b", "a")
DIV = Binary(
    "DivBackward0",
    np.true_divide,
    lambda g, a, b: g / conjugate(b),
    lambda g, a, b: -g * conjugate(a / b) / conjugate(b),
    "b",
    "ab",
    floats=True,
)
RDIV = Binary(  # torch multiplies by the reciprocal
    "MulBackward0",
    lambda a, b: np.true_divide(b.dtype.type(1), b) * a,
    lambda g, a, b: g / conjugate(b),
    lambda g, a, b: -g * conjugate(a / b) / conjugate(b),
    "b",
    "ab",
    floats=True,
)
POW = Binary(
    "PowBackward0",
    np.power,
    lambda g, a, b: g * conjugate(b * a ** (b - 1)),
    lambda g, a, b: g * conjugate(a**b * a.log()),
    "ab",
    "ab",
)


def operator(binary, name, reverse=False):
    """A method for an operator: it leaves operands that are neither tensors nor numbers to the other side."""

    def apply(self, other):
        if not is_operand(self._torch, other):
            return NotImplemented
        return reflected(other, self) if reverse else binary(self, other)

    reflected = {SUB: RSUB, DIV: RDIV}.get(binary, binary)
    apply.__name__, apply.__doc__ = name, "The operator {}; see `Binary`.".format(name)
    return apply


def changing(binary, name):
    """A method for an operator in place."""

    def apply(self, other):
        if not is_operand(self._torch, other):
            return NotImplemented
        return binary.change(self, other)

    apply.__name__, apply.__doc__ = name, "The operator {}, in place; see `Binary`.".format(name)
    return apply


def _offer(word, binary, plain_names, alpha=False):
    """Register the operators and the functions of an operation on two operands."""
    METHODS["__{}__".format(word)] = operator(binary, "__{}__".format(word))
    METHODS["__r{}__".format(word)] = operator(binary, "__r{}__".format(word), reverse=True)
    METHODS["__i{}__".format(word)] = changing(binary, "__i{}__".format(word))

    def call(self, other, *, alpha=1):
        check(self._torch, other, plain_names[0])
        return binary(self, scaled(self, other, alpha))

    def call_in_place(self, other, *, alpha=1):
        check(self._torch, other, plain_names[0] + "_")
        return binary.change(self, scaled(self, other, alpha))

    def plain(self, other):
        check(self._torch, other, plain_names[0])
        return binary(self, other)

    def power(self, exponent):
        return plain(self, exponent)

    def power_in_place(self, exponent):
        return plain_in_place(self, exponent)

    def plain_in_place(self, other):
        check(self._torch, other, plain_names[0] + "_")
        return binary.change(self, other)

    for name in plain_names:
        chosen, in_place = (call, call_in_place) if alpha else (plain, plain_in_place)
        if name == "pow":
            chosen, in_place = power, power_in_place
        both(name)(chosen)
        method(name + "_")(in_place)


def scaled(tensor, other, alpha):
    """``other`` times ``alpha``, where that is plain."""
    if type(alpha) is int and alpha == 1:
        return other
    if (
        type(alpha) not in (int, float)
        or type(alpha) is float
        and result_dtype(tensor._torch, (tensor, other)).category < dtypes.FLOAT
    ):
        raise NotModelled("alpha={!r}".format(alpha))
    if result_dtype(tensor._torch, (tensor, other)).category == dtypes.BOOL:
        raise NotModelled("alpha among elements of bool")
    return other * alpha


def check(torch, other, name):
    """Refuse what is neither a tensor nor a number (array.torch-functions-refuse-arrays).

    Raises:
        TypeError: it is neither.
    """
    if not is_operand(torch, other):
        raise TypeError("{}(): argument 'other' must be Tensor, not {}".format(name, type(other).__name__))


REMAINDER = Binary("RemainderBackward0", np.mod, lambda g, a, b: g, lambda g, a, b: refused_gradient("%"))


def refused_gradient(what):
    """Refuse a gradient that is not modelled."""
    raise NotModelled("the gradient of " + what)


_offer("add", ADD, ["add"], alpha=True)
_offer("sub", SUB, ["sub", "subtract"], alpha=True)
_offer("mul", MUL, ["mul", "multiply"])
_offer("truediv", DIV, ["div", "divide", "true_divide"])
_offer("mod", REMAINDER, ["remainder"])
_offer("pow", POW, ["pow"])


# name: (kernel, what the gradient needs ("input", "result" or nothing), gradient(g, saved), needs floats)
UNARY = {
    "neg": (np.negative, None, lambda g: -g, False),
    "exp": (np.exp, "result", lambda g, y: g * conjugate(y), True),
    "log": (np.log, "input", lambda g, x: g / conjugate(x), True),
    "sin": (np.sin, "input", lambda g, x: g * conjugate(x.cos()), True),
    "cos": (np.cos, "input", lambda g, x: g * conjugate(-x.sin()), True),
    "tanh": (np.tanh, "result", lambda g, y: g * conjugate(1 - y * y), True),
    "sqrt": (np.sqrt, "result", lambda g, y: g / (2 * conjugate(y)), True),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), "result", lambda g, y: g * conjugate((1 - y) * y), True),
    "relu": (lambda x: np.maximum(x, 0), "result", lambda g, y: g * (y > 0), False),
    "reciprocal": (lambda x: 1 / x, "result", lambda g, y: -g * conjugate(y * y), True),
    "square": (lambda x: x * x, "input", lambda g, x: g * conjugate(2 * x), False),
    "floor": (np.floor, None, lambda g: g * 0, False),
    "ceil": (np.ceil, None, lambda g: g * 0, False),
    "sign": (np.sign, None, lambda g: g * 0, False),
}


def unary(name):
    """Method and function ``name`` and the method ``name_`` for a function of one tensor."""
    kernel, needs, gradient, floats = UNARY[name]
    node_name = "PowBackward0" if name == "square" else name.capitalize() + "Backward0"

    def dtype_of(self):
        dtype = self._impl.dtype
        if floats and dtype.category < dtypes.FLOAT:
            return self._torch.default_dtype
        if name in ("relu", "floor", "ceil", "sign", "square") and dtype.category in (dtypes.BOOL, dtypes.COMPLEX):
            raise NotModelled("{} of {}".format(name, dtype))
        if name == "neg" and dtype.category == dtypes.BOOL:
            raise RuntimeError("Negation, the `-` operator, on a bool tensor is not supported.")
        return dtype

    def backward(found, *saved):
        return (gradient(found[0], *saved),)

    def call(self):
        torch = self._torch
        result = computed(torch, kernel, (self,), dtype_of(self))
        saved = (self,) if needs == "input" else ()
        return record(torch, result, node_name, (self,), backward, saved, saves_result=needs == "result")

    def in_place(self):
        torch = self._torch
        if dtype_of(self) is not self._impl.dtype:
            raise RuntimeError(
                "result type Float can't be cast to the desired output type {}".format(self._impl.dtype.scalar_type)
            )
        values = tensors.values(computed(torch, kernel, (self,), self._impl.dtype))
        saved = (self.detach().clone(),) if needs == "input" else ()
        return change(torch, self, values, node_name, (self,), backward, saved, saves_result=needs == "result")

    call.__name__, in_place.__name__ = name, name + "_"
    call.__doc__ = in_place.__doc__ = "{} of each element.".format(name)
    both(name)(call)
    method(name + "_")(in_place)


for _name in UNARY:
    unary(_name)
METHODS["__neg__"] = METHODS["neg"]


@both("abs")
def absolute(self):
    """The absolute value of each element."""
    torch = self._torch
    dtype = self._impl.dtype
    result = computed(torch, np.abs, (self,), dtype, dtypes.real_part(dtype) if dtype.is_complex else None)
    return record(torch, result, "AbsBackward0", (self,), lambda found, x: (found[0] * x.sign(),), (self,))


METHODS["__abs__"] = METHODS["absolute"] = METHODS["abs"]


@both("sgn")
def sgn(self):
    """The sign of each element; of complex ones, what has the absolute value 1."""
    if self._impl.dtype.is_complex:
        raise NotModelled("sgn of complex elements")
    return self.sign()
