"""Tests of spec/scalars.md."""

import pytest

from conformance import requirement

FLOATS = ("float16", "float32", "float64")
INTS = ("int16", "int32", "int64", "uint8")
ODDS = (0.1, 0.7, -3.3, 1e-3)  # binary fractions of no floating dtype


@requirement("scalar.tolist-nests")
def test_tolist_nests_as_deep_as_the_tensor_has_dimensions(torch, device):
    values = [[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]]
    nested = torch.tensor(values, device=device).tolist()
    assert nested == values
    assert type(nested) is list and type(nested[0]) is list and type(nested[0][0]) is list


@requirement("scalar.tolist-nests")
def test_tolist_follows_the_indices_and_not_the_memory(torch, device):
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    assert x.t().tolist() == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
    assert x[:, 1:].tolist() == [[2.0, 3.0], [5.0, 6.0]]
    assert x[1, 1:2].expand(3).tolist() == [5.0, 5.0, 5.0]


@requirement("scalar.tolist-nests")
def test_tolist_of_a_tensor_with_no_elements(torch, device):
    assert torch.zeros(0, device=device).tolist() == []
    assert torch.zeros(2, 0, device=device).tolist() == [[], []]


@requirement("scalar.tolist-of-zero-dim-is-a-number")
def test_tolist_of_a_tensor_with_no_dimensions_is_no_list(torch, device):
    value = torch.tensor(1.5, device=device).tolist()
    assert type(value) is float and value == 1.5
    assert torch.tensor([1.5], device=device).tolist() == [1.5]  # control: one dimension


@requirement("scalar.tolist-gives-floats")
@pytest.mark.parametrize("name", FLOATS)
def test_tolist_gives_floats(torch, device, name):
    values = torch.tensor([1.5, -2.0], dtype=getattr(torch, name)).to(device).tolist()
    assert values == [1.5, -2.0]
    assert [type(value) for value in values] == [float, float]


@requirement("scalar.tolist-gives-ints")
@pytest.mark.parametrize("name", INTS)
def test_tolist_gives_ints(torch, device, name):
    values = torch.tensor([5, 7], dtype=getattr(torch, name)).to(device).tolist()
    assert values == [5, 7]
    assert [type(value) for value in values] == [int, int]


@requirement("scalar.tolist-gives-ints")
def test_tolist_keeps_integers_that_no_double_holds(torch, device):
    values = [2**62 + 1, -(2**53) - 1]
    assert torch.tensor(values, dtype=torch.int64, device=device).tolist() == values


@requirement("scalar.tolist-gives-bools")
def test_tolist_gives_bools(torch, device):
    values = torch.tensor([1, 0], dtype=torch.bool, device=device).tolist()
    assert [type(value) for value in values] == [bool, bool]
    assert values == [True, False]


@requirement("scalar.tolist-gives-complex")
def test_tolist_gives_complex_numbers(torch, device):
    values = torch.tensor([1 + 2j, -3j], device=device).tolist()
    assert [type(value) for value in values] == [complex, complex]
    assert values == [1 + 2j, -3j]


@requirement("scalar.tolist-widens-exactly")
@pytest.mark.parametrize("name", ("float16", "float32"))
def test_tolist_widens_without_rounding(torch, np, device, name):
    exact = [float(np.dtype(name).type(value)) for value in ODDS]
    values = torch.tensor(ODDS, dtype=getattr(torch, name)).to(device).tolist()
    assert values == exact
    assert all(value != odd for value, odd in zip(values, ODDS))


@requirement("scalar.tolist-copies")
def test_the_list_is_a_copy(torch, device):
    x = torch.zeros(2, device=device)
    values = x.tolist()
    x.fill_(7)
    assert values == [0.0, 0.0]
    assert x.tolist() == [7.0, 7.0]  # control: the write took place


@requirement("scalar.tolist-with-grad")
def test_tolist_of_a_tensor_that_requires_grad(torch, device):
    leaf = torch.ones(2, device=device).requires_grad_()
    result = leaf * 2
    parameter = torch.nn.Parameter(torch.zeros(2, device=device))
    assert torch.is_grad_enabled() and result.requires_grad and parameter.requires_grad
    assert leaf.tolist() == [1.0, 1.0]
    assert result.tolist() == [2.0, 2.0]
    assert parameter.tolist() == [0.0, 0.0]
    assert result.grad_fn is not None and leaf.requires_grad


@requirement("scalar.tolist-in-no-grad")
def test_tolist_of_a_tensor_that_requires_grad_while_grad_mode_is_disabled(torch, device):
    leaf = torch.ones(2, device=device).requires_grad_()
    result = leaf * 2
    with torch.no_grad():
        assert leaf.tolist() == [1.0, 1.0]
        assert result.tolist() == [2.0, 2.0]
    assert result.requires_grad and leaf.requires_grad


@requirement("scalar.tolist-resolves-conj")
def test_tolist_resolves_the_conjugate_bit(torch, device):
    x = torch.tensor([1 + 2j, 3 - 4j], device=device)
    conjugate = x.conj()
    assert not x.is_conj()
    assert conjugate.tolist() == [1 - 2j, 3 + 4j]
    assert conjugate[1].tolist() == 3 + 4j
    assert x.tolist() == [1 + 2j, 3 - 4j]


@requirement("scalar.tolist-resolves-neg")
def test_tolist_resolves_the_negative_bit(torch, device):
    x = torch.tensor([1 + 2j, 3 - 4j], device=device)
    assert not x.imag.is_neg()
    assert x.conj().imag.tolist() == [-2.0, 4.0]
    assert x.imag.tolist() == [2.0, -4.0]  # control


@requirement("scalar.list-of-floats-becomes-float64")
@pytest.mark.parametrize("name", FLOATS)
def test_an_array_of_a_list_of_floats_is_float64(torch, np, device, name):
    array = np.array(torch.tensor([1.5, -2.0], dtype=getattr(torch, name)).to(device).tolist())
    assert type(array) is np.ndarray
    assert array.dtype == np.float64
    assert array.tolist() == [1.5, -2.0]


@requirement("scalar.list-of-ints-becomes-int64")
@pytest.mark.parametrize("name", INTS)
def test_an_array_of_a_list_of_ints_has_the_default_integer_dtype(torch, np, device, name):
    array = np.array(torch.tensor([5, 7], dtype=getattr(torch, name)).to(device).tolist())
    assert type(array) is np.ndarray
    assert array.dtype == np.array([1]).dtype
    assert array.tolist() == [5, 7]


@requirement("scalar.list-keeps-shape")
@pytest.mark.parametrize("shape", ((), (3,), (1, 1), (2, 1, 3)))
def test_an_array_of_the_list_has_the_shape(torch, np, device, shape):
    x = torch.ones(shape, device=device)
    assert tuple(x.shape) == shape
    assert np.array(x.tolist()).shape == shape


@requirement("scalar.list-keeps-values")
@pytest.mark.parametrize("name", FLOATS)
def test_an_array_of_the_list_has_the_values(torch, np, device, name):
    x = torch.tensor(ODDS, dtype=getattr(torch, name)).to(device)
    exact = np.array(ODDS, dtype=name).astype(np.float64)
    assert np.array(x.tolist()).tolist() == exact.tolist()


@requirement("scalar.list-of-empty-loses-shape")
@pytest.mark.parametrize("shape, left", (((0, 3), (0,)), ((2, 0), (2, 0)), ((2, 0, 3), (2, 0)), ((0, 0), (0,))))
def test_an_array_of_an_empty_list_ends_at_the_first_empty_dimension(torch, np, device, shape, left):
    x = torch.zeros(shape, device=device)
    assert tuple(x.shape) == shape
    assert np.array(x.tolist()).shape == left


@requirement("scalar.list-of-empty-loses-dtype")
@pytest.mark.parametrize("name", ("float32", "int64", "uint8"))
def test_an_array_of_an_empty_list_is_float64(torch, np, device, name):
    x = torch.zeros(0, dtype=getattr(torch, name), device=device)
    assert x.dtype == getattr(torch, name)
    assert np.array(x.tolist()).dtype == np.float64


@requirement("scalar.list-round-trips")
@pytest.mark.parametrize("name", FLOATS)
def test_a_tensor_of_the_list_equals_the_tensor(torch, device, name):
    x = torch.tensor([ODDS, ODDS], dtype=getattr(torch, name))
    back = torch.tensor(x.to(device).tolist(), dtype=x.dtype)
    assert back.dtype == x.dtype and back.shape == x.shape
    assert bool((back == x).all()) if name != "float16" else back.float().equal(x.float())


@requirement("scalar.item-gives-a-number")
@pytest.mark.parametrize("shape", ((), (1,), (1, 1, 1)))
def test_item_gives_a_float_or_an_int(torch, device, shape):
    value = torch.full(shape, 1.5, device=device).item()
    assert type(value) is float and value == 1.5
    value = torch.full(shape, 3, dtype=torch.int64, device=device).item()
    assert type(value) is int and value == 3


@requirement("scalar.item-gives-a-number")
def test_item_of_an_element_of_a_larger_tensor(torch, device):
    x = torch.tensor([0.5, 0.1, 2.0], device=device)
    assert x[2].item() == 2.0
    assert x[1:2].item() == x.tolist()[1]


@requirement("scalar.item-gives-bools")
def test_item_gives_a_bool(torch, device):
    value = torch.tensor([1], dtype=torch.bool, device=device).item()
    assert type(value) is bool and value is True
    assert torch.tensor(0, dtype=torch.bool, device=device).item() is False


@requirement("scalar.item-with-grad")
def test_item_of_a_tensor_that_requires_grad(torch, device):
    leaf = torch.full((1,), 1.5, device=device).requires_grad_()
    result = leaf * 2
    assert result.requires_grad and torch.is_grad_enabled()
    assert leaf.item() == 1.5
    assert result.item() == 3.0


@requirement("scalar.item-of-many-raises-valueerror")
@pytest.mark.parametrize("count", (0, 2))
def test_item_of_many_elements_raises_value_error(torch, device, count):
    with pytest.raises(ValueError):
        torch.ones(count, device=device).item()
    assert torch.ones(1, device=device).item() == 1.0  # control


@requirement("scalar.item-of-many-raises-runtimeerror")
@pytest.mark.parametrize("count", (0, 2))
def test_item_of_many_elements_raises_runtime_error(torch, device, count):
    with pytest.raises(RuntimeError) as caught:
        torch.ones(count, device=device).item()
    assert caught.type is RuntimeError
    assert torch.ones(1, device=device).item() == 1.0  # control


@requirement("scalar.float-of-many-raises")
@pytest.mark.parametrize("count", (0, 2))
def test_float_and_int_of_many_elements_raise(torch, device, count):
    with pytest.raises(ValueError):
        float(torch.ones(count, device=device))
    with pytest.raises(ValueError):
        int(torch.ones(count, device=device))
    one = torch.full((1,), 2.5, device=device)
    assert (float(one), int(one)) == (2.5, 2)  # control


@requirement("scalar.bool-of-many-raises")
@pytest.mark.parametrize("shape", [(2,), (1, 2), (2, 2)])
def test_bool_of_many_elements_raises(torch, device, shape):
    with pytest.raises(RuntimeError):
        bool(torch.ones(shape, device=device))
    one = torch.ones(1, device=device)
    assert bool(one) is True and bool(one - one) is False  # control


@requirement("scalar.float-with-grad")
def test_float_of_a_tensor_that_requires_grad(torch, device):
    leaf = torch.full((1,), 1.5, device=device).requires_grad_()
    result = leaf[0] * 2
    assert result.requires_grad and torch.is_grad_enabled()
    assert type(float(leaf)) is float and float(leaf) == 1.5
    assert float(result) == 3.0


@requirement("scalar.list-gives-tensors")
def test_list_gives_the_slices_as_tensors(torch, device):
    x = torch.ones(2, 3, device=device)
    entries = list(x)
    assert type(entries) is list and len(entries) == 2
    assert [isinstance(entry, torch.Tensor) for entry in entries] == [True, True]
    assert [tuple(entry.shape) for entry in entries] == [(3,), (3,)]
    numbers = list(x[0])
    assert [isinstance(entry, torch.Tensor) and entry.dim() == 0 for entry in numbers] == [True, True, True]


@requirement("scalar.list-of-zero-dim-raises")
def test_list_of_a_tensor_with_no_dimensions_raises(torch, device):
    with pytest.raises(TypeError):
        list(torch.tensor(1.0, device=device))
    assert len(list(torch.ones(1, device=device))) == 1  # control


@requirement("scalar.len-is-first-dimension")
def test_len_is_the_length_of_the_first_dimension(torch, device):
    for shape in ((3,), (2, 3), (3, 1, 2), (0, 3), (2, 0)):
        length = len(torch.ones(shape, device=device))
        assert type(length) is int and length == shape[0]


@requirement("scalar.len-of-zero-dim-raises")
def test_len_of_a_tensor_with_no_dimensions_raises(torch, device):
    with pytest.raises(TypeError):
        len(torch.tensor(1.0, device=device))
    assert len(torch.ones(1, device=device)) == 1  # control


@requirement("scalar.list-keeps-grad")
def test_the_entries_of_a_list_require_grad(torch, device):
    x = torch.ones(2, device=device).requires_grad_()
    assert [entry.requires_grad for entry in list(x)] == [True, True]
    assert [entry.requires_grad for entry in list(x.detach())] == [False, False]  # control
