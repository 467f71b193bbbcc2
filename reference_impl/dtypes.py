"""Element types: what NumPy calls them, how those that NumPy lacks are stored, and which type a mixture has."""

import numpy as np

from .errors import NotModelled

BOOL, INTEGER, FLOAT, COMPLEX, OPAQUE = range(5)  # ordered as type promotion orders categories


class dtype:
    """An element type: ``torch.float32`` and the like.

    ``array`` is the NumPy dtype that has the same values, or None (dtype.bfloat16-raises and its like);
    ``store`` is the NumPy dtype of one element in memory; ``compute`` the one that arithmetic is done in.
    """

    def __init__(self, name, array, category, scalar_type, store=None, compute=None, decode=None, encode=None):
        self.name = name
        self.array = None if array is None else np.dtype(array)
        self.store = np.dtype(store or array)
        self.compute = np.dtype(compute or array or store)
        self.category = category
        self.scalar_type = scalar_type
        self._decode, self._encode = decode, encode

    def __repr__(self):
        return "torch." + self.name

    def __reduce__(self):
        return (_named, (self.name,))

    @property
    def itemsize(self):
        """Bytes of one element."""
        return self.store.itemsize

    @property
    def is_floating_point(self):
        """Whether the elements are real numbers with a fraction."""
        return self.category == FLOAT

    @property
    def is_complex(self):
        """Whether the elements are complex numbers."""
        return self.category == COMPLEX

    @property
    def is_signed(self):
        """Whether the elements can be negative."""
        if self.category == OPAQUE:
            raise NotModelled("is_signed of {}".format(self))
        return self.category in (FLOAT, COMPLEX) or self.category == INTEGER and self.compute.kind == "i"

    @property
    def differentiable(self):
        """Whether tensors of it can require grad (model.integer-cannot-require-grad,
        model.complex-can-require-grad).
        """
        return self.category in (FLOAT, COMPLEX)

    def decode(self, stored):
        """Stored elements (an ndarray of ``store``) as values (of ``compute``); the same memory where possible."""
        return stored if self._decode is None else self._decode(stored)

    def encode(self, values):
        """Values (an ndarray of any numeric dtype) as elements to store."""
        with np.errstate(all="ignore"):
            if self._encode is not None:
                return self._encode(values)
            values = np.asarray(values)
            if self.category == BOOL:
                return values != 0
            if values.dtype.kind == "c" and self.category != COMPLEX:
                values = values.real
            return values.astype(self.store, copy=False)


def _bfloat16_values(stored):
    """Elements of bfloat16 as float32: their 16 bits are the upper half."""
    wide = np.atleast_1d(stored).astype(np.uint32) << 16
    return wide.view(np.float32).reshape(np.shape(stored))


def _bfloat16_elements(values):
    """Numbers as elements of bfloat16, rounded to the nearest, ties to even."""
    bits = np.array(values, dtype=np.float32, ndmin=1, copy=True).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16  # to the nearest, ties to even
    nan = (bits & 0x7FFFFFFF) > 0x7F800000
    return np.where(nan, 0x7FC0, rounded).astype(np.uint16).reshape(np.shape(values))


def _complex_half_values(stored):
    """Elements of complex32, two halves each, as complex64."""
    flat = np.ascontiguousarray(stored).reshape(-1).view(np.float16)
    halves = flat.reshape(np.shape(stored) + (2,)).astype(np.float32)
    return halves[..., 0] + np.complex64(1j) * halves[..., 1]


def _complex_half_elements(values):
    """Complex numbers as elements of complex32."""
    values = np.asarray(values, dtype=np.complex64)
    pairs = np.stack([values.real, values.imag], -1).astype(np.float16)
    return pairs.reshape(-1).view(np.uint32).reshape(values.shape)


def _table(decode_byte):
    """The float32 values of all bytes."""
    return np.array([decode_byte(byte) for byte in range(256)], dtype=np.float32)


def _e4m3fn(byte):
    """The value of one byte with 4 bits of exponent and 3 of fraction."""
    sign, exponent, fraction = -1.0 if byte & 0x80 else 1.0, byte >> 3 & 15, byte & 7
    if exponent == 15 and fraction == 7:
        return float("nan")
    return sign * (fraction / 8 * 2.0**-6 if exponent == 0 else (1 + fraction / 8) * 2.0 ** (exponent - 7))


_E4M3FN = _table(_e4m3fn)
_E5M2 = (np.arange(256, dtype=np.uint16) << 8).view(np.float16).astype(np.float32)


def _byte_float(table):
    """Functions that decode and encode elements of one byte; what the table has no neighbour for is refused."""
    positive = table[:128][np.isfinite(table[:128])].astype(np.float64)

    def encode(values):
        values = np.asarray(values, dtype=np.float32)
        size = np.abs(values).astype(np.float64)
        if not (size <= positive[-1]).all():  # too large, or not a number: releases differ
            raise NotModelled("elements of one byte that are too large or not numbers")
        above = np.searchsorted(positive, size).clip(0, len(positive) - 1)
        below = (above - 1).clip(0)
        up, down = positive[above] - size, size - positive[below]
        code = np.where((up < down) | (up == down) & (above % 2 == 0) | (size == positive[above]), above, below)
        return (code + np.where(np.signbit(values), 128, 0)).astype(np.uint8)

    return (lambda stored: table[stored]), encode


float64 = dtype("float64", "f8", FLOAT, "Double")
float32 = dtype("float32", "f4", FLOAT, "Float")
float16 = dtype("float16", "f2", FLOAT, "Half")
bfloat16 = dtype("bfloat16", None, FLOAT, "BFloat16", "u2", "f4", _bfloat16_values, _bfloat16_elements)
complex32 = dtype("complex32", None, COMPLEX, "ComplexHalf", "u4", "c8", _complex_half_values, _complex_half_elements)
complex64 = dtype("complex64", "c8", COMPLEX, "ComplexFloat")
complex128 = dtype("complex128", "c16", COMPLEX, "ComplexDouble")
int64 = dtype("int64", "i8", INTEGER, "Long")
int32 = dtype("int32", "i4", INTEGER, "Int")
int16 = dtype("int16", "i2", INTEGER, "Short")
int8 = dtype("int8", "i1", INTEGER, "Char")
uint8 = dtype("uint8", "u1", INTEGER, "Byte")
uint16 = dtype("uint16", "u2", INTEGER, "UInt16")
uint32 = dtype("uint32", "u4", INTEGER, "UInt32")
uint64 = dtype("uint64", "u8", INTEGER, "UInt64")
bool_ = dtype("bool", "?", BOOL, "Bool")
float8_e4m3fn = dtype("float8_e4m3fn", None, FLOAT, "Float8_e4m3fn", "u1", "f4", *_byte_float(_E4M3FN))
float8_e5m2 = dtype("float8_e5m2", None, FLOAT, "Float8_e5m2", "u1", "f4", *_byte_float(_E5M2))
FLOAT8 = (float8_e4m3fn, float8_e5m2)

ALL = {
    found.name: found
    for found in (
        float64, float32, float16, bfloat16, complex32, complex64, complex128,
        int64, int32, int16, int8, uint8, uint16, uint32, uint64, bool_, float8_e4m3fn, float8_e5m2,
    )
}  # fmt: skip
ALIASES = {
    "double": float64, "float": float32, "half": float16, "cfloat": complex64, "cdouble": complex128,
    "chalf": complex32,
    "long": int64, "int": int32, "short": int16,
}  # fmt: skip

_BY_ARRAY = {found.array: found for found in ALL.values() if found.array is not None}
_PARTS = {complex64: float32, complex128: float64, complex32: float16}
_WHOLES = {part: whole for whole, part in _PARTS.items()}


def _named(name):
    """The dtype of a name, for pickle."""
    return ALL[name]


def from_array(array_dtype):
    """The dtype that has the values of a NumPy dtype of native byte order, or None."""
    return _BY_ARRAY.get(np.dtype(array_dtype)) if np.dtype(array_dtype).isnative else None


def real_part(complex_dtype):
    """The dtype of the real part of a complex dtype."""
    return _PARTS[complex_dtype]


def complex_of(real_dtype):
    """The complex dtype whose parts are of ``real_dtype``."""
    return _WHOLES[real_dtype]


def _opaque(name, scalar_type, store="u1"):
    """An element type of which no more is modelled than that it exists and that NumPy does not have it."""
    return dtype(name, None, OPAQUE, scalar_type, store, store)


OPAQUE_TYPES = {
    found.name: found
    for found in [_opaque("uint{}".format(bits), "UInt{}".format(bits)) for bits in range(1, 8)]
    + [_opaque("int{}".format(bits), "Int{}".format(bits)) for bits in range(1, 8)]
    + [_opaque(name, name.capitalize()) for name in ("bits1x8", "bits2x4", "bits4x2", "bits8")]
    + [_opaque(name, name.capitalize()) for name in ("float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu")]
    + [_opaque("bits16", "Bits16", "u2"), _opaque("float4_e2m1fn_x2", "Float4_e2m1fn_x2")]
    + [_opaque("quint4x2", "QUInt4x2"), _opaque("quint2x4", "QUInt2x4")]
}


def promote(one, other):
    """The dtype of an operation on elements of both types, as torch >= 1.5 has it.

    Raises:
        NotModelled: the mixture was not looked into (unsigned types wider than a byte, opaque types).
    """
    if one is other:
        return one
    if OPAQUE in (one.category, other.category) or one in FLOAT8 or other in FLOAT8:
        raise NotModelled("a mixture of {} and {}".format(one, other))
    if one.category > other.category:
        one, other = other, one
    if one.category == other.category:
        if {one, other} == {float16, bfloat16}:
            return float32
        if one.category == INTEGER and {one, other} & {uint16, uint32, uint64}:
            raise NotModelled("a mixture of {} and {}".format(one, other))
        if one.category == INTEGER and uint8 in (one, other):
            signed = one if other is uint8 else other
            return int16 if signed is int8 else signed
        return max(one, other, key=lambda found: found.itemsize)
    if other.category == COMPLEX and one.category == FLOAT:
        return complex_of(promote(real_part(other), float32 if one is bfloat16 else one))
    return other
