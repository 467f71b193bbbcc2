"""Tests of spec/array_protocol.md."""

import operator
import tempfile
import warnings

import pytest

from conformance import requirement
from conformance.witnesses import address, assert_aliases, assert_separate


def warned(call):
    """The categories of the warnings that ``call()`` issues."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [warning.category for warning in caught]


@requirement("array.asarray-returns-ndarray")
def test_asarray_returns_an_ndarray(torch, np, device):
    assert type(np.asarray(torch.ones(2, device=device))) is np.ndarray


@requirement("array.asarray-returns-ndarray")
def test_asarray_of_a_parameter_returns_an_ndarray(torch, np, device):
    x = torch.nn.Parameter(torch.ones(2, device=device), requires_grad=False)
    assert type(np.asarray(x)) is np.ndarray


@requirement("array.asarray-keeps-dtype")
@pytest.mark.parametrize("name", ["float16", "float32", "float64", "int16", "int32", "int64", "uint8"])
def test_asarray_has_the_dtype_of_the_tensor(torch, np, device, name):
    x = torch.ones(2, device=device).to(getattr(torch, name))
    assert np.asarray(x).dtype == np.dtype(name)
    assert np.asarray(x).dtype == x.numpy().dtype


@requirement("array.asarray-keeps-shape")
@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0, 3), (2, 1, 2)])
def test_asarray_has_the_shape_of_the_tensor(torch, np, device, shape):
    assert np.asarray(torch.zeros(shape, device=device)).shape == shape


@requirement("array.asarray-keeps-strides")
def test_asarray_has_the_strides_of_the_tensor(torch, np, device):
    x = torch.zeros((4, 6), device=device)
    assert np.asarray(x).strides == (24, 4)
    assert np.asarray(x.t()).strides == (4, 24)
    assert np.asarray(x[::2, ::3]).strides == (48, 12)
    assert np.asarray(x[:1].expand(4, 6)).strides == (0, 4)


@requirement("array.asarray-keeps-values")
def test_asarray_has_the_elements_of_the_tensor(torch, np, device):
    x = torch.tensor([[1.5, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    assert np.asarray(x).tolist() == [[1.5, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert np.asarray(x.t()).tolist() == [[1.5, 4.0], [2.0, 5.0], [3.0, 6.0]]
    assert np.asarray(x[:, 1:]).tolist() == [[2.0, 3.0], [5.0, 6.0]]


@requirement("array.asarray-shares-address")
def test_asarray_begins_at_the_address_of_the_tensor(torch, np, device):
    x = torch.zeros(6, device=device)
    assert address(np.asarray(x)) == x.data_ptr()
    assert address(np.asarray(x[2:])) == x.data_ptr() + 8


@requirement("array.asarray-sees-tensor-writes")
def test_a_write_to_the_tensor_is_seen_in_the_array(torch, np, device):
    x = torch.zeros(3, device=device)
    a = np.asarray(x)
    x[1] = 7
    assert a.tolist() == [0.0, 7.0, 0.0]


@requirement("array.tensor-sees-asarray-writes")
def test_a_write_to_the_array_is_seen_in_the_tensor(torch, np, device):
    x = torch.zeros(3, device=device)
    a = np.asarray(x)
    a[1] = 7
    assert x.tolist() == [0.0, 7.0, 0.0]


@requirement("array.asarray-same-dtype-aliases")
@pytest.mark.parametrize("name", ["float32", "int64"])
def test_asarray_with_the_dtype_of_the_tensor_aliases(torch, np, device, name):
    x = torch.ones(3, device=device).to(getattr(torch, name))
    assert_aliases(x, np.asarray(x, dtype=np.dtype(name)))


@requirement("array.asarray-other-dtype-converts")
@pytest.mark.parametrize("name", ["float64", "float16", "int32"])
def test_asarray_with_another_dtype_converts(torch, np, device, name):
    a = np.asarray(torch.tensor([1.0, 2.0], device=device), dtype=np.dtype(name))
    assert (a.dtype, a.tolist()) == (np.dtype(name), [1, 2])


@requirement("array.asarray-other-dtype-converts")
def test_asarray_with_an_integer_dtype_truncates(torch, np, device):
    assert np.asarray(torch.tensor([1.5, -1.5], device=device), dtype=np.int64).tolist() == [1, -1]


@requirement("array.asarray-other-dtype-copies")
@pytest.mark.parametrize("name", ["float64", "int32"])
def test_asarray_with_another_dtype_copies(torch, np, device, name):
    x = torch.ones(3, device=device)
    a = np.asarray(x, dtype=np.dtype(name))
    assert a.tolist() == [1, 1, 1]
    assert_separate(x, a)


@requirement("array.array-copies")
def test_array_copies(torch, np, device):
    x = torch.tensor([1.0, 2.0], device=device)
    a = np.array(x)
    assert (type(a), a.dtype, a.tolist()) == (np.ndarray, np.dtype("float32"), [1.0, 2.0])
    assert_separate(x, a)


@requirement("array.array-copy-false-aliases")
def test_array_without_copy_aliases(torch, np, device):
    x = torch.ones(2, device=device)
    assert_aliases(x, np.array(x, copy=False))


@requirement("array.array-copy-false-raises")
def test_array_without_copy_raises(torch, np, device):
    x = torch.ones(2, device=device)
    with pytest.raises(ValueError):
        np.array(x, copy=False)
    assert_aliases(x, np.asarray(x))  # control: no copy is needed
    assert np.array(x.numpy(), copy=False).tolist() == [5.0, 5.0]  # control: NumPy refuses no array


@requirement("array.array-warns")
def test_array_warns_and_asarray_does_not(torch, np, device):
    x = torch.ones(2, device=device)
    assert warned(lambda: np.array(x)) == [DeprecationWarning]
    assert warned(lambda: np.asarray(x)) == []
    assert warned(lambda: np.asarray(x).copy()) == []


@requirement("array.protocol-method-aliases")
def test_the_protocol_method_aliases(torch, np, device):
    x = torch.ones(3, device=device)
    a = x.__array__()
    assert type(a) is np.ndarray
    assert_aliases(x, a)


@requirement("array.protocol-method-same-dtype-aliases")
def test_the_protocol_method_with_the_dtype_of_the_tensor_aliases(torch, np, device):
    x = torch.ones(3, device=device)
    assert_aliases(x, x.__array__(np.float32))
    assert_aliases(x, x.__array__(dtype=np.dtype("float32")))


@requirement("array.protocol-method-converts")
@pytest.mark.parametrize("name", ["float64", "int64", "uint8"])
def test_the_protocol_method_converts(torch, np, device, name):
    a = torch.tensor([1.0, 2.0], device=device).__array__(np.dtype(name))
    assert (type(a), a.dtype, a.tolist()) == (np.ndarray, np.dtype(name), [1, 2])


@requirement("array.protocol-method-has-no-copy")
@pytest.mark.parametrize("copy", [True, False, None])
def test_the_protocol_method_has_no_parameter_copy(torch, np, device, copy):
    x = torch.ones(2, device=device)
    with pytest.raises(TypeError):
        x.__array__(copy=copy)
    assert torch.ones(2).__array__(dtype=np.float64).tolist() == [1.0, 1.0]  # control


@requirement("array.has-priority")
def test_a_tensor_has_the_priority_1000(torch, device):
    assert torch.ones(2, device=device).__array_priority__ == 1000


@requirement("array.has-no-array-interface")
@pytest.mark.parametrize("name", ["__array_interface__", "__array_struct__"])
def test_a_tensor_has_no_array_interface(torch, np, device, name):
    x = torch.ones(2, device=device)
    assert not hasattr(x, name)
    assert hasattr(x, "__array__")  # control
    assert hasattr(np.ones(2), name)  # control


@requirement("array.has-no-buffer")
def test_a_tensor_has_no_buffer(torch, device):
    with pytest.raises(TypeError):
        memoryview(torch.ones(2, device=device))
    assert memoryview(torch.ones(2).numpy()).nbytes == 8  # control


@requirement("array.asarray-refuses-grad")
def test_asarray_refuses_a_tensor_that_requires_grad(torch, np, device):
    x = torch.ones(2, device=device, requires_grad=True)
    for refused in (x, x * 2):
        with pytest.raises(RuntimeError):
            np.asarray(refused)
    assert np.asarray(x.detach()).tolist() == [1.0, 1.0]  # control


@requirement("array.asarray-no-grad-permits")
def test_asarray_aliases_a_tensor_that_requires_grad_in_no_grad(torch, np, device):
    x = torch.ones(2, device=device, requires_grad=True)
    with torch.no_grad():
        a = np.asarray(x)
    assert x.requires_grad
    assert_aliases(x, a)


@requirement("array.asarray-no-grad-refuses")
def test_asarray_refuses_a_tensor_that_requires_grad_in_no_grad(torch, np, device):
    x = torch.ones(2, device=device, requires_grad=True)
    with torch.no_grad():
        with pytest.raises(RuntimeError):
            np.asarray(x)
        assert np.asarray(x.detach()).tolist() == [1.0, 1.0]  # control


@requirement("array.asarray-refuses-device")
def test_asarray_refuses_a_tensor_on_a_device(torch, np, device):
    with pytest.raises(TypeError):
        np.asarray(torch.ones(2, device=device))
    assert np.asarray(torch.ones(2)).tolist() == [1.0, 1.0]  # control


@requirement("array.asarray-refuses-sparse")
def test_asarray_refuses_a_sparse_tensor(torch, np, device):
    x = torch.eye(2, device=device)
    with pytest.raises(TypeError):
        np.asarray(x.to_sparse())
    assert np.asarray(x.to_sparse().to_dense()).tolist() == [[1.0, 0.0], [0.0, 1.0]]  # control


@requirement("array.asarray-refuses-bfloat16")
def test_asarray_refuses_bfloat16(torch, np, device):
    x = torch.ones(2, device=device).to(torch.bfloat16)
    with pytest.raises(TypeError):
        np.asarray(x)
    assert np.asarray(x.float()).tolist() == [1.0, 1.0]  # control


@requirement("array.asarray-refuses-bfloat16")
@pytest.mark.parametrize("name", ["float32", "float64"])
def test_asarray_refuses_bfloat16_with_another_dtype(torch, np, device, name):
    x = torch.ones(2, device=device).to(torch.bfloat16)
    with pytest.raises(TypeError):
        np.asarray(x, dtype=np.dtype(name))
    assert np.asarray(x.float(), dtype=np.dtype(name)).tolist() == [1.0, 1.0]  # control


@requirement("array.asarray-refuses-conj")
def test_asarray_refuses_the_conjugate_bit(torch, np, device):
    x = torch.tensor([1 + 2j], device=device)
    with pytest.raises(RuntimeError):
        np.asarray(x.conj())
    assert np.asarray(x.conj().resolve_conj()).tolist() == [1 - 2j]  # control


@requirement("array.asarray-refuses-neg")
def test_asarray_refuses_the_negative_bit(torch, np, device):
    x = torch.tensor([1 + 2j], device=device).conj().imag
    with pytest.raises(RuntimeError):
        np.asarray(x)
    assert np.asarray(x.resolve_neg()).tolist() == [-2.0]  # control


@requirement("array.asarray-does-not-force")
def test_asarray_does_not_detach(torch, np, device):
    x = torch.ones(2, device=device, requires_grad=True)
    assert x.numpy(force=True).tolist() == [1.0, 1.0]  # control
    with pytest.raises(RuntimeError):
        np.asarray(x)


@requirement("array.asarray-does-not-force")
def test_asarray_does_not_resolve_the_conjugate_bit(torch, np, device):
    x = torch.tensor([1 + 2j], device=device).conj()
    assert x.numpy(force=True).tolist() == [1 - 2j]  # control
    with pytest.raises(RuntimeError):
        np.asarray(x)


@requirement("array.cell-takes-grad-scalar")
def test_a_cell_takes_a_scalar_tensor_that_requires_grad(torch, np, device):
    a = np.zeros(3)
    x = torch.tensor(3.0, device=device, requires_grad=True)
    a[0] = x
    with torch.no_grad():
        a[1] = x
    assert a.tolist() == [3.0, 3.0, 0.0]
    assert x.requires_grad


@requirement("array.slice-refuses-grad")
def test_a_slice_refuses_a_tensor_that_requires_grad(torch, np, device):
    a = np.zeros(2)
    x = torch.ones(2, device=device, requires_grad=True)
    with pytest.raises(RuntimeError):
        a[:] = x
    assert a.tolist() == [0.0, 0.0]
    a[:] = x.detach()  # control
    assert a.tolist() == [1.0, 1.0]


@requirement("array.list-of-scalars-becomes-array")
@pytest.mark.parametrize("name", ["float32", "float64", "int64"])
def test_a_list_of_scalar_tensors_becomes_an_array(torch, np, device, name):
    a = np.array([torch.tensor(n, device=device).to(getattr(torch, name)) for n in (1, 2, 3)])
    assert (a.dtype, a.tolist()) == (np.dtype(name), [1, 2, 3])


@requirement("array.list-refuses-grad")
def test_a_list_refuses_tensors_that_require_grad(torch, np, device):
    x = torch.tensor(1.0, device=device, requires_grad=True)
    with pytest.raises(RuntimeError):
        np.array([x, x * 2])
    with pytest.raises(RuntimeError):
        np.array([x, x * 2], dtype=float)
    assert np.array([x.detach(), x.detach() * 2]).tolist() == [1.0, 2.0]  # control


@requirement("array.list-of-grad-becomes-objects")
def test_a_list_of_tensors_that_require_grad_becomes_objects(torch, np, device):
    x = torch.tensor(1.0, device=device, requires_grad=True)
    y = x * 2
    a = np.array([x, y])
    assert (a.dtype, a.shape) == (np.dtype(object), (2,))
    assert a[0] is x
    assert a[1] is y


@requirement("array.list-of-tensors-stacks")
def test_a_list_of_tensors_becomes_an_array_with_one_more_dimension(torch, np, device):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    a = np.array([x, x + 4, x + 8])
    assert (a.dtype, a.shape) == (np.dtype("float32"), (3, 2, 2))
    assert a[1].tolist() == [[5.0, 6.0], [7.0, 8.0]]


@requirement("array.ufunc-returns-tensor")
@pytest.mark.parametrize("name, expected", [("square", [4.0, 9.0]), ("negative", [-2.0, -3.0]), ("floor", [2.0, 3.0])])
def test_a_ufunc_of_a_tensor_returns_a_tensor(torch, np, device, name, expected):
    y = getattr(np, name)(torch.tensor([2.0, 3.0], device=device))
    assert isinstance(y, torch.Tensor)
    assert y.tolist() == expected


@requirement("array.ufunc-returns-tensor")
def test_a_ufunc_of_a_tensor_and_another_input_returns_a_tensor(torch, np, device):
    x, a = torch.tensor([2.0, 3.0], device=device), np.array([1.0, 2.0])
    results = [np.subtract(x, a), np.subtract(a, x), np.subtract(x, x), np.subtract(x, 1), np.subtract(1.0, x)]
    assert all(isinstance(y, torch.Tensor) for y in results)
    assert [y.tolist() for y in results] == [[1.0, 1.0], [-1.0, -1.0], [0.0, 0.0], [1.0, 2.0], [-1.0, -2.0]]


@requirement("array.ufunc-dtype-is-numpys")
def test_a_ufunc_promotes_as_numpy_does(torch, np, device):
    x, i = torch.ones(2, device=device), torch.ones(2, device=device).to(torch.int64)
    assert np.add(x, np.ones(2)).dtype == torch.float64
    assert np.add(np.ones(2), x).dtype == torch.float64
    assert np.add(x, np.ones(2, np.float32)).dtype == torch.float32
    assert np.add(i, np.ones(2, np.int32)).dtype == torch.int64
    assert np.add(i, np.ones(2, np.float32)).dtype == torch.float64  # torch's own promotion gives float32


@requirement("array.ufunc-bool-becomes-uint8")
@pytest.mark.parametrize("name", ["isfinite", "logical_not", "signbit"])
def test_a_predicate_of_a_tensor_gives_uint8(torch, np, device, name):
    y = getattr(np, name)(torch.tensor([0.0, -1.0], device=device))
    assert isinstance(y, torch.Tensor)
    assert y.dtype == torch.uint8
    assert y.tolist() == getattr(np, name)(np.array([0.0, -1.0])).astype(int).tolist()


@requirement("array.ufunc-bool-becomes-uint8")
@pytest.mark.parametrize("name", ["greater", "equal", "logical_and"])
def test_a_comparison_by_ufunc_gives_uint8(torch, np, device, name):
    a, b = np.array([0.0, 1.0, 3.0]), np.array([0.0, 2.0, 1.0])
    y = getattr(np, name)(torch.from_numpy(a).to(device), b)
    assert isinstance(y, torch.Tensor)
    assert y.dtype == torch.uint8
    assert y.tolist() == getattr(np, name)(a, b).astype(int).tolist()


@requirement("array.ufunc-refuses-grad")
def test_a_ufunc_refuses_a_tensor_that_requires_grad(torch, np, device):
    x = torch.ones(2, device=device, requires_grad=True)
    with pytest.raises(RuntimeError):
        np.square(x)
    with pytest.raises(RuntimeError):
        np.add(np.ones(2), x)
    assert np.square(x.detach()).tolist() == [1.0, 1.0]  # control


@requirement("array.ufunc-is-not-recorded")
def test_a_ufunc_in_no_grad_gives_a_tensor_that_requires_no_grad(torch, np, device):
    x = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    with torch.no_grad():
        y = np.square(x)
    assert isinstance(y, torch.Tensor)
    assert (y.tolist(), y.requires_grad, y.grad_fn) == ([4.0, 9.0], False, None)
    assert x.requires_grad


@requirement("array.ufunc-out-array-is-returned")
def test_a_ufunc_returns_the_array_that_is_its_out(torch, np, device):
    out = np.zeros(2, np.float32)
    assert np.square(torch.tensor([2.0, 3.0], device=device), out=out) is out
    assert out.tolist() == [4.0, 9.0]


@requirement("array.ufunc-out-tensor-raises")
def test_a_ufunc_refuses_a_tensor_as_its_out(torch, np, device):
    x = torch.ones(2, device=device)
    with pytest.raises(TypeError):
        np.square(np.ones(2), out=x)
    array = np.zeros(tuple(x.shape))
    assert np.square(2 * np.ones(2), out=array) is array and array.tolist() == [4.0, 4.0]  # control


@requirement("array.ufunc-warns")
def test_a_ufunc_of_a_tensor_warns(torch, np, device):
    x = torch.ones(2, device=device)
    assert warned(lambda: np.square(x)) == [DeprecationWarning]
    assert warned(lambda: np.square(x.numpy())) == []
    assert warned(lambda: np.square(x, out=np.zeros(2, np.float32))) == []


@requirement("array.reductions-raise")
@pytest.mark.parametrize("name", ["sum", "prod", "max", "amax", "min", "amin", "any", "all", "mean", "std", "var"])
def test_a_reduction_of_a_tensor_raises(torch, np, device, name):
    function = getattr(np, name)
    x = torch.ones((2, 2), device=device)
    with pytest.raises(TypeError):
        function(x)
    with pytest.raises(TypeError):
        function(x, axis=0)
    with pytest.raises(TypeError):
        function(torch.ones((2, 2), device=device, requires_grad=True))
    assert function(torch.ones((2, 2)).numpy(), axis=0).shape == (2,)  # control


METHOD_FUNCTIONS = {
    "argmax": lambda np, x: np.argmax(x),
    "argmin": lambda np, x: np.argmin(x, axis=0),
    "argsort": lambda np, x: np.argsort(x),
    "around": lambda np, x: np.around(x),
    "clip": lambda np, x: np.clip(x, 1.5, 3),
    "cumprod": lambda np, x: np.cumprod(x),
    "cumsum": lambda np, x: np.cumsum(x, axis=0),
    "repeat": lambda np, x: np.repeat(x, 2),
    "reshape": lambda np, x: np.reshape(x, (4, 1)),
    "take": lambda np, x: np.take(x, [3, 0]),
    "transpose": lambda np, x: np.transpose(x),
}


@requirement("array.method-functions-return-tensor")
@pytest.mark.parametrize("name", sorted(METHOD_FUNCTIONS))
def test_a_function_that_falls_back_returns_a_tensor(torch, np, device, name):
    function = METHOD_FUNCTIONS[name]
    x = torch.tensor([[3.0, 1.0], [2.0, 4.0]], device=device)
    y = function(np, x)
    assert isinstance(y, torch.Tensor)
    assert y.tolist() == function(np, x.numpy()).tolist()


@requirement("array.squeeze-is-recorded")
def test_squeeze_is_the_method_of_the_tensor(torch, np, device):
    x = torch.ones((1, 2, 1), device=device, requires_grad=True)
    y = np.squeeze(x)
    assert isinstance(y, torch.Tensor)
    assert (tuple(y.shape), y.requires_grad) == ((2,), True)
    y.sum().backward()
    assert x.grad.cpu().tolist() == [[[1.0], [1.0]]]


ARRAY_FUNCTIONS = {
    "concatenate": lambda np, x: np.concatenate([x, x]),
    "stack": lambda np, x: np.stack([x, x]),
    "hstack": lambda np, x: np.hstack([x, x]),
    "vstack": lambda np, x: np.vstack([x, x]),
    "sort": lambda np, x: np.sort(x),
    "ravel": lambda np, x: np.ravel(x),
    "where": lambda np, x: np.where(np.array([[True, False], [False, True]]), x, 0),
}


@requirement("array.functions-return-ndarray")
@pytest.mark.parametrize("name", sorted(ARRAY_FUNCTIONS))
def test_a_function_of_tensors_returns_an_ndarray(torch, np, device, name):
    function = ARRAY_FUNCTIONS[name]
    x = torch.tensor([[3.0, 1.0], [2.0, 4.0]], device=device)
    y = function(np, x)
    assert type(y) is np.ndarray
    assert y.tolist() == function(np, x.numpy()).tolist()


@requirement("array.norm-returns-numpy-scalar")
def test_norm_returns_a_numpy_scalar(torch, np, device):
    y = np.linalg.norm(torch.tensor([3.0, 4.0], device=device))
    assert isinstance(y, np.floating)
    assert float(y) == 5.0


@requirement("array.functions-refuse-grad")
@pytest.mark.parametrize("name", ["argmax", "cumsum", "reshape", "concatenate", "stack", "sort", "where"])
def test_a_function_refuses_a_tensor_that_requires_grad(torch, np, device, name):
    function = METHOD_FUNCTIONS.get(name) or ARRAY_FUNCTIONS[name]
    x = torch.ones((2, 2), device=device, requires_grad=True)
    with pytest.raises(RuntimeError):
        function(np, x)
    assert len(function(np, x.detach()).shape) <= 3  # control


@requirement("array.functions-refuse-grad")
def test_norm_refuses_a_tensor_that_requires_grad(torch, np, device):
    x = torch.tensor([3.0, 4.0], device=device, requires_grad=True)
    with pytest.raises(RuntimeError):
        np.linalg.norm(x)
    assert float(np.linalg.norm(x.detach())) == 5.0  # control


@requirement("array.array-equal-hides-refusals")
def test_array_equal_of_a_tensor_that_requires_grad_is_false(torch, np, device):
    x = torch.ones(2, device=device, requires_grad=True)
    assert np.array_equal(x, x) is False
    assert np.array_equal(np.ones(2), x) is False
    assert np.array_equal(torch.ones(2), torch.ones(2))  # control


@requirement("array.fill-diagonal-raises")
def test_fill_diagonal_of_a_tensor_raises(torch, np, device):
    with pytest.raises(AttributeError):
        np.fill_diagonal(torch.ones((2, 2), device=device), 0)
    a = torch.ones((2, 2)).numpy()
    np.fill_diagonal(a, 0)  # control
    assert a.tolist() == [[0.0, 1.0], [1.0, 0.0]]


DESTINATIONS = {
    "copyto": lambda np, x: np.copyto(x, 0),
    "place": lambda np, x: np.place(x, np.array([True, True]), [0]),
    "putmask": lambda np, x: np.putmask(x, np.array([True, True]), 0),
}


@requirement("array.destinations-raise")
@pytest.mark.parametrize("name", sorted(DESTINATIONS))
def test_a_function_that_writes_refuses_a_tensor(torch, np, device, name):
    with pytest.raises(TypeError):
        DESTINATIONS[name](np, torch.ones(2, device=device))
    x = torch.ones(2)
    with pytest.raises(TypeError):
        DESTINATIONS[name](np, x)
    assert x.tolist() == [1.0, 1.0]
    DESTINATIONS[name](np, x.numpy())  # control
    assert x.tolist() == [0.0, 0.0]


@requirement("array.save-stores-array")
def test_save_stores_the_array(torch, np, device):
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    with tempfile.TemporaryFile() as file:
        np.save(file, x)
        file.seek(0)
        a = np.load(file)
    assert (type(a), a.dtype) == (np.ndarray, np.dtype("float32"))
    assert a.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


@requirement("array.tensor-op-array-returns-tensor")
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "mod", "matmul"])
def test_an_operator_with_an_array_on_the_right_returns_a_tensor(torch, np, device, name):
    x, a = torch.tensor([5.0, 3.0], device=device), np.array([2.0, 4.0])
    y = getattr(operator, name)(x, a)
    assert isinstance(y, torch.Tensor)
    assert y.tolist() == getattr(operator, name)(np.array([5.0, 3.0]), a).tolist()


@requirement("array.tensor-op-array-dtype-is-numpys")
@pytest.mark.parametrize("name", ["add", "mul", "matmul"])
def test_an_operator_with_an_array_on_the_right_promotes_as_numpy_does(torch, np, device, name):
    x = torch.ones(2, device=device)
    assert getattr(operator, name)(x, np.ones(2)).dtype == torch.float64
    assert getattr(operator, name)(x, np.ones(2, np.float32)).dtype == torch.float32
    assert getattr(operator, name)(x, np.ones(2, np.int64)).dtype == torch.float64  # torch's own gives float32


@requirement("array.tensor-op-array-raises")
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "matmul", "eq", "ne"])
def test_an_operator_with_an_array_on_the_right_raises(torch, np, device, name):
    x = torch.ones(2, device=device)
    with pytest.raises(TypeError):
        getattr(operator, name)(x, np.ones(2, np.float32))
    assert isinstance(getattr(operator, name)(x, x), torch.Tensor)  # control


@requirement("array.tensor-op-array-refuses-grad")
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "matmul"])
def test_an_operator_with_an_array_refuses_a_tensor_that_requires_grad(torch, np, device, name):
    x = torch.ones(2, device=device, requires_grad=True)
    with pytest.raises(RuntimeError):
        getattr(operator, name)(x, np.ones(2))
    assert isinstance(getattr(operator, name)(x.detach(), np.ones(2)), torch.Tensor)  # control


@requirement("array.array-op-tensor-raises")
@pytest.mark.parametrize("name", ["add", "sub", "mul", "mod", "matmul"])
def test_an_operator_with_an_array_on_the_left_raises(torch, np, device, name):
    a = np.ones(2, np.float32)
    with pytest.raises(TypeError):
        getattr(operator, name)(a, torch.ones(2, device=device))
    assert (
        type(getattr(operator, name)(np.ones((1, 2)), torch.ones((2, 1)).numpy().reshape(2))) is np.ndarray
    )  # control


@requirement("array.array-div-tensor-returns-tensor")
def test_division_of_an_array_by_a_tensor_returns_a_tensor(torch, np, device):
    y = np.array([1.0, 6.0]) / torch.tensor([2.0, 4.0], device=device)
    assert isinstance(y, torch.Tensor)
    assert (y.dtype, y.tolist()) == (torch.float64, [0.5, 1.5])


@requirement("array.order-comparison-raises")
@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge"])
def test_a_comparison_for_order_with_an_array_raises(torch, np, device, name):
    compare = getattr(operator, name)
    x, a = torch.ones(2, device=device), np.ones(2, np.float32)
    with pytest.raises(TypeError):
        compare(x, a)
    with pytest.raises(TypeError):
        compare(a, x)
    assert isinstance(compare(torch.ones(2), torch.ones(2)), torch.Tensor)  # control
    assert type(compare(a, a)) is np.ndarray  # control


@requirement("array.equality-is-elementwise")
def test_equality_with_an_array_compares_elements(torch, np, device):
    x, a = torch.tensor([1.0, 2.0], device=device), np.array([1.0, 3.0])
    for y in (x == a, a == x):
        assert isinstance(y, torch.Tensor)
        assert (y.dtype, y.tolist()) == (torch.bool, [True, False])


@requirement("array.equality-is-false")
def test_equality_with_an_array_is_false(torch, np, device):
    x, a = torch.ones(2, device=device), np.ones(2, np.float32)
    assert (x == a) is False
    assert (a == x) is False
    assert (torch.ones(2) == torch.from_numpy(a)).tolist() == [True, True]  # control


@requirement("array.inequality-is-true")
def test_inequality_with_an_array_is_true(torch, np, device):
    x, a = torch.ones(2, device=device), np.ones(2, np.float32)
    assert (x != a) is True
    assert (a != x) is True
    assert (torch.ones(2) != torch.from_numpy(a)).tolist() == [False, False]  # control


SCALAR_OPERATORS = ["add", "sub", "mul", "truediv", "pow"]


@requirement("array.scalar-op-tensor-keeps-dtype")
@pytest.mark.parametrize("name", SCALAR_OPERATORS)
def test_an_operator_with_a_numpy_scalar_keeps_the_dtype(torch, np, device, name):
    x = torch.ones(2, device=device)
    for y in (getattr(operator, name)(np.float64(2), x), getattr(operator, name)(x, np.float64(2))):
        assert isinstance(y, torch.Tensor)
        assert y.dtype == torch.float32


@requirement("array.scalar-op-tensor-is-recorded")
@pytest.mark.parametrize("name", SCALAR_OPERATORS)
@pytest.mark.parametrize("scalar", ["float64", "float32", "int64"])
def test_an_operator_with_a_numpy_scalar_is_recorded(torch, np, device, name, scalar):
    x = torch.ones(2, device=device, requires_grad=True)
    number = getattr(np, scalar)(2)
    for y in (getattr(operator, name)(number, x), getattr(operator, name)(x, number)):
        assert isinstance(y, torch.Tensor)
        assert (y.requires_grad, y.grad_fn is None) == (True, False)


@requirement("array.inplace-op-array-makes-new-tensor")
@pytest.mark.parametrize("name", ["iadd", "isub", "imul"])
def test_an_operator_in_place_with_an_array_makes_a_new_tensor(torch, np, device, name):
    x, a = torch.tensor([5.0, 3.0], device=device), np.array([2.0, 4.0], np.float32)
    y = getattr(operator, name)(x, a)
    assert y is not x
    assert y.tolist() == getattr(operator, name)(np.array([5.0, 3.0]), a).tolist()
    assert x.tolist() == [5.0, 3.0]
    assert getattr(operator, name)(x, torch.from_numpy(a).to(device)) is x  # control


@requirement("array.array-inplace-op-raises")
@pytest.mark.parametrize("name", ["iadd", "isub", "imul"])
def test_an_operator_in_place_on_an_array_refuses_a_tensor(torch, np, device, name):
    a = np.array([5.0, 3.0], np.float32)
    with pytest.raises(TypeError):
        getattr(operator, name)(a, torch.ones(2, device=device))
    assert a.tolist() == [5.0, 3.0]
    assert getattr(operator, name)(a, torch.ones(2).numpy()) is a  # control


TORCH_FUNCTIONS = {
    "add": lambda torch, x, other: torch.add(x, other),
    "mul": lambda torch, x, other: torch.mul(x, other),
    "matmul": lambda torch, x, other: torch.matmul(x, other),
    "sin": lambda torch, x, other: torch.sin(other),
}


@requirement("array.torch-functions-refuse-arrays")
@pytest.mark.parametrize("name", sorted(TORCH_FUNCTIONS))
def test_a_function_of_torch_refuses_an_array(torch, np, device, name):
    a = np.ones(2, np.float32)
    with pytest.raises(TypeError):
        TORCH_FUNCTIONS[name](torch, torch.ones(2, device=device), a)
    assert isinstance(TORCH_FUNCTIONS[name](torch, torch.ones(2), torch.from_numpy(a)), torch.Tensor)  # control


@requirement("array.array-indexed-by-tensor")
def test_an_array_is_indexed_by_a_tensor(torch, np, device):
    a = np.array([1.0, 2.0, 3.0])
    selected = a[torch.tensor([2, 0, 2], device=device)]
    assert type(selected) is np.ndarray
    assert selected.tolist() == [3.0, 1.0, 3.0]


@requirement("array.array-indexed-by-mask")
def test_an_array_is_indexed_by_a_comparison_of_tensors(torch, np, device):
    mask = torch.tensor([3.0, 1.0, 2.0], device=device) > 1
    assert np.array([1.0, 2.0, 3.0])[mask].tolist() == [1.0, 3.0]


@requirement("array.tensor-indexed-by-array")
def test_a_tensor_is_indexed_by_an_array(torch, np, device):
    x = torch.tensor([1.0, 2.0, 3.0], device=device, requires_grad=True)
    y = x[np.array([2, 0, 2])]
    assert isinstance(y, torch.Tensor)
    assert y.tolist() == [3.0, 1.0, 3.0]
    y.sum().backward()
    assert x.grad.cpu().tolist() == [1.0, 0.0, 2.0]


@requirement("array.tensor-indexed-by-bool-array")
def test_a_tensor_is_indexed_by_an_array_of_bools(torch, np, device):
    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    assert x[np.array([True, False, True])].tolist() == [1.0, 3.0]
