"""How tensors are printed: with four digits, as torch does; only what fits on one screen without being shortened."""

import math

import numpy as np

from . import dtypes, tensors
from .errors import NotModelled
from .gradients.inplace import current_grad_fn
from .registry import METHODS, method

_DIGITS, _WIDTH, _MOST = 4, 80, 1000


class _Formatter:
    """How every element of a tensor of real numbers is written: plain or with an exponent, and how wide."""

    def __init__(self, values, floats):
        self.floats = floats
        flat = values.reshape(-1)
        if not floats:
            self.width = max([len(str(each)) for each in flat.tolist()] or [0])
            return
        finite = np.abs(flat[np.isfinite(flat) & (flat != 0)]).astype(np.float64)
        self.whole = bool(len(finite)) and bool((finite == np.ceil(finite)).all())
        self.exponent = bool(len(finite)) and bool(
            finite.max() / finite.min() > 1000.0 or finite.max() > 1.0e8 or (not self.whole and finite.min() < 1.0e-4)
        )
        if not len(finite):
            self.whole = True
        self.width = 0
        some = flat[np.isfinite(flat) & (flat != 0)]  # zeros and what is no number have no say in the width
        self.width = max([len(self.plain(each)) for each in some.tolist()] or [0])

    def plain(self, value):
        """An element without the blanks in front of it."""
        if not self.floats:
            return str(value)
        if self.exponent:
            return "{:.{}e}".format(value, _DIGITS)
        if self.whole:
            return "{:.0f}".format(value) + ("." if math.isfinite(value) else "")
        return "{:.{}f}".format(value, _DIGITS)

    def __call__(self, value):
        return self.plain(value).rjust(self.width)


class _Complex:
    """How every element of a complex tensor is written: both parts in their own way."""

    def __init__(self, values):
        self.real, self.imag = _Formatter(values.real, True), _Formatter(values.imag, True)
        self.width = self.real.width + self.imag.width + 1

    def __call__(self, value):
        imag = (self.imag(value.imag) + "j").lstrip()
        return self.real.plain(value.real) + ("" if imag[0] in "+-" else "+") + imag


def formatter(values, dtype):
    """How the elements are written."""
    return _Complex(values) if dtype.is_complex else _Formatter(values, dtype.is_floating_point)


def lines_of(values, written, indent):
    """The elements in brackets, a row a line."""
    if values.ndim == 0:
        return written(values.item())
    if values.ndim == 1:
        per_line = max(1, (_WIDTH - indent) // (written.width + 2))
        cells = [written(each) for each in values.tolist()]
        rows = [", ".join(cells[first : first + per_line]) for first in range(0, len(cells), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(rows) + "]"
    inside = [lines_of(part, written, indent + 1) for part in values]
    return "[" + ("," + "\n" * (values.ndim - 1) + " " * (indent + 1)).join(inside) + "]"


def text(tensor):
    """The tensor as torch prints it.

    Raises:
        NotModelled: more elements than are printed in full, or what was not looked into.
    """
    torch, impl = tensor._torch, tensor._impl
    device = tensors.device_of(tensor)
    count = METHODS["numel"](tensor)
    if (
        impl.layout != tensors.STRIDED or impl.zero or count > _MOST or impl.dtype.category == dtypes.OPAQUE
        or tensor._named or tensor._inference
    ):  # fmt: skip
        raise NotModelled("how this tensor is printed")
    notes = []
    if device.type != "cpu":
        notes.append("device='{}'".format(device))
    if not device.holds_data:
        body = "..."
        notes.append("size={}".format(tuple(impl.shape)))
    elif not count:
        body = "[]"
        if len(impl.shape) != 1:
            notes.append("size={}".format(tuple(impl.shape)))
    else:
        values = tensors.values(tensor)
        body = lines_of(values, formatter(values, impl.dtype), 7)
    if (
        impl.dtype not in (torch.default_dtype, dtypes.complex_of(torch.default_dtype), dtypes.int64, dtypes.bool_)
        or not count
        and impl.dtype is not torch.default_dtype
    ):
        notes.append("dtype={}".format(impl.dtype))
    node = current_grad_fn(tensor)
    if node is not None:
        notes.append("grad_fn=<{}>".format(node.name()))
    elif tensor._history.requires_grad:
        notes.append("requires_grad=True")
    whole = "tensor(" + body
    lines = whole.split("\n")
    for note in notes:
        if len(lines[-1]) + len(note) + 2 > _WIDTH:
            lines[-1] += ","
            lines.append(" " * 7 + note)
        else:
            lines[-1] += ", " + note
    return "\n".join(lines) + ")"


@method("__repr__")
def represent(self):
    """The tensor as it is printed."""
    return text(self)


METHODS["__str__"] = represent


@method("__format__")
def formatted(self, specification):
    """One element as its number is; anything else as it is printed.

    Raises:
        TypeError: a format for a tensor with dimensions.
    """
    if not isinstance(specification, str):
        raise TypeError("__format__() argument must be str, not {}".format(type(specification).__name__))
    if not self._impl.shape and tensors.device_of(self).holds_data and type(self) is self._torch.Tensor:
        return METHODS["item"](self).__format__(specification)
    if specification:
        raise TypeError("unsupported format string passed to Tensor.__format__")
    return str(self)


@method("__dir__")
def directory(self):
    """The names that a tensor has."""
    return sorted(set(self._known) | {name for name in self.__dict__ if not name.startswith("_")})
