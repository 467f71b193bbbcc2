"""Tests of spec/dtypes.md."""

import math
import struct

import pytest

from conformance import requirement
from conformance.witnesses import address


def exported(torch, device, dtype):
    """The array of two small numbers of the dtype."""
    return torch.tensor([1, 2], dtype=getattr(torch, dtype), device=device).numpy()


def taken(torch, np, dtype):
    """The tensor made from an array of two small numbers of the NumPy dtype."""
    return torch.from_numpy(np.array([1, 2], dtype=dtype))


def refused(torch, np, dtype):
    """Check that ``from_numpy`` refuses arrays of the NumPy dtype with TypeError, and takes others."""
    with pytest.raises(TypeError):
        taken(torch, np, dtype)
    assert taken(torch, np, "int32").tolist() == [1, 2]  # control


@requirement("dtype.floats-to-numpy")
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_floats_become_their_namesakes(torch, np, device, dtype):
    assert exported(torch, device, dtype).dtype == np.dtype(dtype)


@requirement("dtype.signed-integers-to-numpy")
@pytest.mark.parametrize("dtype", ["int64", "int32", "int16"])
def test_signed_integers_become_their_namesakes(torch, np, device, dtype):
    assert exported(torch, device, dtype).dtype == np.dtype(dtype)


@requirement("dtype.uint8-to-numpy")
def test_uint8_becomes_uint8(torch, np, device):
    assert exported(torch, device, "uint8").dtype == np.dtype("uint8")


@requirement("dtype.int8-to-numpy")
def test_int8_becomes_int8(torch, np, device):
    assert exported(torch, device, "int8").dtype == np.dtype("int8")


@requirement("dtype.int8-raises")
def test_int8_is_refused(torch, device):
    x = torch.tensor([1, 2], dtype=torch.int8, device=device)
    with pytest.raises(TypeError):
        x.numpy()
    assert exported(torch, device, "uint8").tolist() == [1, 2]  # control


@requirement("dtype.bool-to-numpy")
def test_bool_becomes_bool(torch, np, device):
    assert torch.tensor([True, False], dtype=torch.bool, device=device).numpy().dtype == np.dtype("bool")


@requirement("dtype.complex-to-numpy")
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_becomes_its_namesake(torch, np, device, dtype):
    assert exported(torch, device, dtype).dtype == np.dtype(dtype)


@requirement("dtype.wide-unsigned-to-numpy")
@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_wide_unsigned_integers_become_their_namesakes(torch, np, device, dtype):
    assert exported(torch, device, dtype).dtype == np.dtype(dtype)


@requirement("dtype.values-kept")
@pytest.mark.parametrize(
    "dtype, values",
    [
        ("float64", [0.1, -1.7976931348623157e308, 2.2250738585072014e-308, float("inf")]),
        ("float32", [0.5, -3.4028234663852886e38, 1.1754943508222875e-38, float("-inf")]),
        ("float16", [0.5, -65504.0, 6.103515625e-05, float("inf")]),
        ("int64", [-(2**63), -1, 2**63 - 1]),
        ("int32", [-(2**31), -1, 2**31 - 1]),
        ("int16", [-(2**15), -1, 2**15 - 1]),
        ("uint8", [0, 128, 255]),
    ],
)
def test_values_are_kept(torch, device, dtype, values):
    assert torch.tensor(values, dtype=getattr(torch, dtype), device=device).numpy().tolist() == values


@requirement("dtype.values-kept")
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_the_sign_of_zero_is_kept(torch, device, dtype):
    values = torch.tensor([-0.0, 0.0], dtype=getattr(torch, dtype), device=device).numpy().tolist()
    assert values == [0.0, 0.0]
    assert [math.copysign(1.0, value) for value in values] == [-1.0, 1.0]


@requirement("dtype.int8-values-kept")
def test_int8_values_are_kept(torch, device):
    assert torch.tensor([-128, -1, 127], dtype=torch.int8, device=device).numpy().tolist() == [-128, -1, 127]


@requirement("dtype.bool-values-kept")
def test_bool_values_are_kept(torch, device):
    values = torch.tensor([True, False, True], dtype=torch.bool, device=device).numpy().tolist()
    assert [value is True for value in values] == [True, False, True]
    assert [value is False for value in values] == [False, True, False]


@requirement("dtype.complex-values-kept")
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_values_are_kept(torch, device, dtype):
    values = [1.5 + 2.5j, -1j, -3.0 + 0j]
    assert torch.tensor(values, dtype=getattr(torch, dtype), device=device).numpy().tolist() == values


@requirement("dtype.wide-unsigned-values-kept")
@pytest.mark.parametrize("dtype, bits", [("uint16", 16), ("uint32", 32), ("uint64", 64)])
def test_wide_unsigned_values_are_kept(torch, device, dtype, bits):
    values = [0, 2 ** (bits - 1), 2**bits - 1]
    assert torch.tensor(values, dtype=getattr(torch, dtype), device=device).numpy().tolist() == values


@requirement("dtype.native-byte-order")
@pytest.mark.parametrize("dtype, code", [("float64", "=d"), ("float32", "=f"), ("int64", "=q"), ("int16", "=h")])
def test_the_byte_order_is_the_machines(torch, device, dtype, code):
    array = torch.tensor([258], dtype=getattr(torch, dtype), device=device).numpy()
    assert array.dtype.isnative
    assert array.tobytes() == struct.pack(code, 258)
    assert array.tolist() == [258]


@requirement("dtype.round-trip-keeps-dtype")
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "int32", "int16", "uint8"])
def test_a_round_trip_keeps_the_dtype(torch, device, dtype):
    returned = torch.from_numpy(exported(torch, device, dtype))
    assert returned.dtype == getattr(torch, dtype)
    assert returned.tolist() == [1, 2]


@requirement("dtype.comparison-gives-bool")
def test_a_comparison_becomes_a_bool_array(torch, np, device):
    x = torch.tensor([-1.0, 1.0], device=device)
    for result in (x > 0, x == 1, x.gt(0)):
        assert result.numpy().dtype == np.dtype("bool")
        assert result.numpy().tolist() == [False, True]


@requirement("dtype.comparison-gives-uint8")
def test_a_comparison_becomes_a_uint8_array(torch, np, device):
    x = torch.tensor([-1.0, 1.0], device=device)
    for result in (x > 0, x == 1, x.gt(0)):
        assert result.numpy().dtype == np.dtype("uint8")
        assert result.numpy().tolist() == [0, 1]


@requirement("dtype.bfloat16-raises")
def test_bfloat16_is_refused(torch, device):
    x = torch.tensor([1.5, -2.0], device=device).to(torch.bfloat16)
    with pytest.raises(TypeError):
        x.numpy()
    assert x.to(torch.float64).numpy().tolist() == [1.5, -2.0]  # control


@requirement("dtype.asked-dtype-does-not-help")
def test_bfloat16_is_refused_whatever_dtype_is_asked_for(torch, np, device):
    x = torch.tensor([1.5, -2.0], device=device)
    with pytest.raises(TypeError):
        np.asarray(x.to(torch.bfloat16), dtype=np.float32)
    assert np.asarray(x.to(torch.float64), dtype=np.float32).tolist() == [1.5, -2.0]  # control


@requirement("dtype.float8-raises")
@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2"])
def test_float8_is_refused(torch, device, dtype):
    x = torch.tensor([1.5, -2.0], device=device).to(getattr(torch, dtype))
    with pytest.raises(TypeError):
        x.numpy()
    assert x.to(torch.float64).numpy().tolist() == [1.5, -2.0]  # control


@requirement("dtype.complex32-raises")
def test_complex32_is_refused(torch, device):
    x = torch.empty(2, dtype=torch.complex32, device=device)
    with pytest.raises(TypeError):
        x.numpy()
    assert torch.empty(2, dtype=torch.complex64, device=device).numpy().shape == (2,)  # control


@requirement("dtype.force-does-not-help")
@pytest.mark.parametrize("dtype", ["bfloat16", "complex32"])
def test_force_does_not_convert_the_element_type(torch, device, dtype):
    x = torch.empty(2, dtype=getattr(torch, dtype), device=device)
    with pytest.raises(TypeError):
        x.numpy(force=True)
    assert torch.tensor([1.0, 2.0], device=device).numpy(force=True).tolist() == [1.0, 2.0]  # control


@requirement("dtype.force-does-not-help-float8")
@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2"])
def test_force_does_not_convert_float8(torch, device, dtype):
    x = torch.empty(2, dtype=getattr(torch, dtype), device=device)
    with pytest.raises(TypeError):
        x.numpy(force=True)
    assert torch.tensor([1.0, 2.0], device=device).numpy(force=True).tolist() == [1.0, 2.0]  # control


@requirement("dtype.bfloat16-float-converts")
def test_bfloat16_converts_as_float32(torch, np, device):
    # 1.0078125 is the neighbour of 1 in bfloat16; 3.3895313892515355e38 is its largest value.
    values = [1.0078125, -2.0, 3.3895313892515355e38]
    array = torch.tensor(values, dtype=torch.float32, device=device).to(torch.bfloat16).float().numpy()
    assert array.dtype == np.dtype("float32")
    assert array.tolist() == values


@requirement("dtype.bfloat16-view-gives-bits")
def test_a_view_gives_the_bits_of_bfloat16(torch, np, device):
    x = torch.tensor([1.0, 1.5, -2.0], device=device).to(torch.bfloat16)
    array = x.view(torch.int16).numpy()
    assert array.dtype == np.dtype("int16")
    assert array.tolist() == [0x3F80, 0x3FC0, 0xC000 - 0x10000]


@requirement("dtype.bfloat16-view-aliases")
def test_the_bits_of_bfloat16_are_those_of_the_tensor(torch, device):
    x = torch.tensor([1.0, 1.5], device=device).to(torch.bfloat16)
    array = x.view(torch.int16).numpy()
    assert address(array) == x.data_ptr()
    array[0] = 0x3FC0
    assert x.tolist() == [1.5, 1.5]


@requirement("dtype.bfloat16-from-bits")
def test_bits_become_bfloat16(torch, np):
    bits = np.array([0x3F80, 0x3FC0, 0xC000 - 0x10000], dtype=np.int16)
    x = torch.from_numpy(bits).view(torch.bfloat16)
    assert x.dtype == torch.bfloat16
    assert x.tolist() == [1.0, 1.5, -2.0]


@requirement("dtype.float8-float-converts")
@pytest.mark.parametrize("dtype, largest", [("float8_e4m3fn", 448.0), ("float8_e5m2", 57344.0)])
def test_float8_converts_as_float32(torch, np, device, dtype, largest):
    values = [1.25, -2.0, largest]
    array = torch.tensor(values, device=device).to(getattr(torch, dtype)).float().numpy()
    assert array.dtype == np.dtype("float32")
    assert array.tolist() == values


@requirement("dtype.float8-view-gives-bits")
@pytest.mark.parametrize("dtype, bits", [("float8_e4m3fn", [0x38, 0x40, 0xC0]), ("float8_e5m2", [0x3C, 0x40, 0xC0])])
def test_a_view_gives_the_bits_of_float8(torch, np, device, dtype, bits):
    array = torch.tensor([1.0, 2.0, -2.0], device=device).to(getattr(torch, dtype)).view(torch.uint8).numpy()
    assert array.dtype == np.dtype("uint8")
    assert array.tolist() == bits


@requirement("dtype.complex32-view-gives-parts")
def test_a_view_gives_the_parts_of_complex32(torch, np, device):
    x = torch.view_as_complex(torch.tensor([[1.0, 2.0], [0.5, -3.0]], dtype=torch.float16, device=device))
    assert x.dtype == torch.complex32
    parts = torch.view_as_real(x).numpy()
    assert parts.dtype == np.dtype("float16")
    assert parts.tolist() == [[1.0, 2.0], [0.5, -3.0]]


@requirement("dtype.floats-from-numpy")
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_arrays_of_floats_become_their_namesakes(torch, np, dtype):
    x = taken(torch, np, dtype)
    assert x.dtype == getattr(torch, dtype)
    assert x.tolist() == [1.0, 2.0]


@requirement("dtype.signed-integers-from-numpy")
@pytest.mark.parametrize("dtype", ["int64", "int32", "int16"])
def test_arrays_of_signed_integers_become_their_namesakes(torch, np, dtype):
    x = taken(torch, np, dtype)
    assert x.dtype == getattr(torch, dtype)
    assert x.tolist() == [1, 2]


@requirement("dtype.long-long-from-numpy")
def test_arrays_of_long_long_become_int64(torch, np):
    x = taken(torch, np, "longlong")
    assert x.dtype == torch.int64
    assert x.tolist() == [1, 2]


@requirement("dtype.uint8-from-numpy")
def test_arrays_of_uint8_become_uint8(torch, np):
    x = torch.from_numpy(np.array([0, 255], dtype=np.uint8))
    assert x.dtype == torch.uint8
    assert x.tolist() == [0, 255]


@requirement("dtype.int8-from-numpy")
def test_arrays_of_int8_become_int8(torch, np):
    x = torch.from_numpy(np.array([-128, 127], dtype=np.int8))
    assert x.dtype == torch.int8
    assert x.tolist() == [-128, 127]


@requirement("dtype.int8-array-raises")
def test_arrays_of_int8_are_refused(torch, np):
    refused(torch, np, "int8")


@requirement("dtype.bool-from-numpy")
def test_arrays_of_bool_become_bool(torch, np):
    x = torch.from_numpy(np.array([True, False]))
    assert x.dtype == torch.bool
    assert x.tolist() == [True, False]


@requirement("dtype.bool-array-raises")
def test_arrays_of_bool_are_refused(torch, np):
    refused(torch, np, "bool")


@requirement("dtype.complex-from-numpy")
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_arrays_of_complex_become_their_namesakes(torch, np, dtype):
    x = torch.from_numpy(np.array([1 + 2j, -3j], dtype=dtype))
    assert x.dtype == getattr(torch, dtype)
    assert x.tolist() == [1 + 2j, -3j]


@requirement("dtype.complex-array-raises")
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_arrays_of_complex_are_refused(torch, np, dtype):
    refused(torch, np, dtype)


@requirement("dtype.wide-unsigned-from-numpy")
@pytest.mark.parametrize("dtype, bits", [("uint16", 16), ("uint32", 32), ("uint64", 64)])
def test_arrays_of_wide_unsigned_integers_become_their_namesakes(torch, np, dtype, bits):
    x = torch.from_numpy(np.array([0, 2**bits - 1], dtype=dtype))
    assert x.dtype == getattr(torch, dtype)
    assert x.tolist() == [0, 2**bits - 1]


@requirement("dtype.wide-unsigned-array-raises")
@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_arrays_of_wide_unsigned_integers_are_refused(torch, np, dtype):
    refused(torch, np, dtype)


@requirement("dtype.other-arrays-raise")
@pytest.mark.parametrize(
    "dtype", ["object", "str", "S1", "datetime64[s]", "timedelta64[s]", "longdouble", "clongdouble"]
)
def test_arrays_of_other_types_are_refused(torch, np, dtype):
    refused(torch, np, dtype)


@requirement("dtype.other-arrays-raise")
@pytest.mark.parametrize("dtype", ["V2", [("a", "f4")], [("a", "f4"), ("b", "i4")]])
def test_arrays_of_void_types_are_refused(torch, np, dtype):
    with pytest.raises(TypeError):
        torch.from_numpy(np.zeros(2, dtype=dtype))
    assert torch.from_numpy(np.zeros(2, dtype="f4")).tolist() == [0.0, 0.0]  # control
