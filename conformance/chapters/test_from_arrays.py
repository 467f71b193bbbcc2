"""Tests of spec/from_arrays.md."""

import gc
import warnings
import weakref

import pytest

from conformance import requirement
from conformance.witnesses import address


def shared_from(np, call):
    """An array of zeros, and the tensor that ``call`` makes of it."""
    array = np.zeros(3)
    return array, call(array)


def read_only(np):
    """An array that is not writeable, with the values 0, 1, 2."""
    array = np.arange(3.0)
    array.setflags(write=False)
    return array


def foreign(np):
    """An array whose byte order is not that of the machine."""
    return np.arange(3.0).astype(np.dtype("f8").newbyteorder())


def quietly(call):
    """What ``call()`` returns, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


def with_default_dtype(torch, dtype, call):
    """What ``call()`` returns while ``dtype`` is the default dtype."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        return call()
    finally:
        torch.set_default_dtype(before)


@requirement("from.numpy-shares-address")
def test_from_numpy_begins_at_the_address_of_the_array(torch, np):
    array = np.arange(6.0)
    assert torch.from_numpy(array).data_ptr() == address(array)
    assert torch.from_numpy(array[2:]).data_ptr() == address(array) + 16


@requirement("from.numpy-sees-array-writes")
def test_a_write_to_the_array_is_seen_in_the_tensor_of_from_numpy(torch, np):
    array, t = shared_from(np, torch.from_numpy)
    array[1] = 7
    assert t.tolist() == [0.0, 7.0, 0.0]


@requirement("from.array-sees-tensor-writes")
def test_a_write_to_the_tensor_of_from_numpy_is_seen_in_the_array(torch, np):
    array, t = shared_from(np, torch.from_numpy)
    t[1] = 7
    assert array.tolist() == [0.0, 7.0, 0.0]


@requirement("from.numpy-keeps-array-alive")
def test_the_tensor_keeps_the_array_alive(torch, np):
    array = np.arange(3.0)
    seen = weakref.ref(array)
    view = torch.from_numpy(array)[1:]
    del array
    gc.collect()
    assert seen() is not None
    assert view.tolist() == [1.0, 2.0]


@requirement("from.numpy-releases-array")
def test_the_array_goes_with_the_last_tensor(torch, np):
    array = np.arange(3.0)
    seen = weakref.ref(array)
    t = torch.from_numpy(array)
    del array
    gc.collect()
    assert seen() is not None  # control: it lives until then
    del t
    gc.collect()
    assert seen() is None


@requirement("from.numpy-locks-array-size")
def test_numpy_refuses_to_resize_an_array_that_a_tensor_uses(torch, np):
    array = np.zeros(3)
    t = torch.from_numpy(array)
    with pytest.raises(ValueError):
        array.resize(64)
    assert array.shape == (3,)
    del t
    gc.collect()
    array.resize(64)
    assert array.shape == (64,)  # control


@requirement("from.numpy-result-does-not-grow")
def test_the_tensor_of_from_numpy_does_not_grow(torch, np):
    t = torch.from_numpy(np.arange(3.0))
    with pytest.raises(RuntimeError):
        t.resize_(64)
    assert tuple(torch.zeros(3).resize_(64).shape) == (64,)  # control
    assert torch.from_numpy(np.arange(3.0)).resize_(2).tolist() == [0.0, 1.0]  # control


@requirement("from.numpy-gives-plain-tensor")
def test_from_numpy_gives_a_plain_tensor(torch, np):
    array = np.arange(4.0).reshape(2, 2)
    for source in (array, array.view(np.matrix), np.ma.array(array), array.view(np.recarray)):
        t = torch.from_numpy(source)
        assert type(t) is torch.Tensor
        assert t.tolist() == [[0.0, 1.0], [2.0, 3.0]]


@requirement("from.numpy-requires-no-grad")
def test_the_tensor_of_from_numpy_does_not_require_grad(torch, np):
    t = torch.from_numpy(np.ones(2))
    assert t.requires_grad is False and t.grad_fn is None
    with torch.no_grad():
        assert torch.from_numpy(np.ones(2)).requires_grad is False
    assert (t + torch.ones(2, dtype=torch.float64).requires_grad_()).requires_grad is True  # control


@requirement("from.numpy-is-a-leaf")
def test_the_tensor_of_from_numpy_is_a_leaf_that_may_require_grad(torch, np):
    t = torch.from_numpy(np.ones(2))
    assert t.is_leaf is True
    t.requires_grad_()
    assert t.requires_grad is True and t.is_leaf is True
    (t * 3).sum().backward()
    assert t.grad.tolist() == [3.0, 3.0]


@requirement("from.numpy-keeps-shape")
@pytest.mark.parametrize("shape", ((3,), (2, 3), (2, 1, 3)))
def test_from_numpy_keeps_the_shape(torch, np, shape):
    array = np.zeros(shape)
    assert tuple(torch.from_numpy(array).shape) == shape
    assert tuple(torch.from_numpy(array.T).shape) == shape[::-1]


@requirement("from.numpy-keeps-zero-dim")
def test_from_numpy_of_an_array_with_no_dimensions(torch, np):
    array = np.array(2.0)
    t = torch.from_numpy(array)
    assert tuple(t.shape) == () and t.item() == 2.0
    t.fill_(7)
    assert array[()] == 7.0


@requirement("from.numpy-keeps-empty-shape")
def test_from_numpy_of_an_array_with_no_elements(torch, np):
    for shape in ((0,), (0, 3), (3, 0), (3, 0, 2)):
        t = torch.from_numpy(np.zeros(shape))
        assert tuple(t.shape) == shape
        assert t.dtype == torch.float64


@requirement("from.numpy-refuses-inner-empty")
def test_from_numpy_refuses_an_array_that_is_empty_after_a_longer_dimension(torch, np):
    for shape in ((3, 0), (3, 0, 2)):
        with pytest.raises(RuntimeError):
            torch.from_numpy(np.zeros(shape))
    assert tuple(torch.from_numpy(np.zeros((0, 3))).shape) == (0, 3)  # control


@requirement("from.numpy-keeps-strides")
def test_from_numpy_keeps_the_strides(torch, np):
    array = np.arange(24.0).reshape(4, 6)
    for source in (array, array.T, array[1::2, ::3], array[:, 2]):
        t = torch.from_numpy(source)
        assert t.stride() == tuple(stride // array.itemsize for stride in source.strides)
        assert t.tolist() == source.tolist()


@requirement("from.numpy-keeps-broadcast")
def test_from_numpy_keeps_the_zero_strides_of_a_broadcast_array(torch, np):
    t = quietly(lambda: torch.from_numpy(np.broadcast_to(np.array([1.0, 2.0]), (3, 2))))
    assert t.stride() == (0, 1)
    assert t.tolist() == [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]


@requirement("from.numpy-drops-mask")
def test_from_numpy_drops_the_mask(torch, np):
    masked = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
    assert masked.tolist() == [1.0, None, 3.0]
    assert torch.from_numpy(masked).tolist() == [1.0, 2.0, 3.0]


@requirement("from.numpy-ignores-default-device")
def test_from_numpy_ignores_the_default_device(torch, np):
    array = np.zeros(2)
    with torch.device("meta"):
        t = torch.from_numpy(array)
        elsewhere = torch.zeros(2)
    assert t.device.type == "cpu"
    assert t.data_ptr() == address(array)
    assert elsewhere.device.type == "meta"  # control


@requirement("from.numpy-accepts-read-only")
def test_from_numpy_accepts_a_read_only_array(torch, np):
    array = read_only(np)
    t = quietly(lambda: torch.from_numpy(array))
    assert t.data_ptr() == address(array)
    assert t.tolist() == [0.0, 1.0, 2.0]


@requirement("from.numpy-writes-through-read-only")
def test_a_write_to_the_tensor_of_a_read_only_array_changes_it(torch, np):
    array = read_only(np)
    t = quietly(lambda: torch.from_numpy(array))
    t[0] = 9
    assert array.tolist() == [9.0, 1.0, 2.0]
    with pytest.raises(ValueError):  # control: NumPy protects it
        array[0] = 1
    assert array.tolist() == [9.0, 1.0, 2.0]


@requirement("from.numpy-rejects-non-arrays")
def test_from_numpy_rejects_what_is_no_array(torch, np):
    for source in ([1.0, 2.0], (1.0,), 1.0, np.float64(1.0), memoryview(b"ab"), None):
        with pytest.raises(TypeError):
            torch.from_numpy(source)
    with pytest.raises(TypeError):
        torch.from_numpy(torch.ones(2))
    assert torch.from_numpy(np.array([1.0, 2.0])).tolist() == [1.0, 2.0]  # control


@requirement("from.numpy-rejects-negative-strides")
def test_from_numpy_rejects_negative_strides(torch, np):
    array = np.arange(6.0).reshape(2, 3)
    for source in (array[0, ::-1], array[::-1], array[:, ::-1], array[:1, :1][::-1]):
        with pytest.raises(ValueError):
            torch.from_numpy(source)
    assert torch.from_numpy(array[::-1].copy()).tolist() == [[3.0, 4.0, 5.0], [0.0, 1.0, 2.0]]  # control


@requirement("from.numpy-rejects-foreign-byte-order")
def test_from_numpy_rejects_a_foreign_byte_order(torch, np):
    array = foreign(np)
    with pytest.raises(ValueError):
        torch.from_numpy(array)
    assert torch.from_numpy(array.astype("f8")).tolist() == [0.0, 1.0, 2.0]  # control


@requirement("from.numpy-rejects-uneven-strides")
def test_from_numpy_rejects_strides_between_items(torch, np):
    field = np.zeros(3, dtype=[("a", "i1"), ("b", "f4")])["b"]
    assert field.strides == (5,)
    with pytest.raises(ValueError):
        torch.from_numpy(field)
    assert torch.from_numpy(field.copy()).tolist() == [0.0, 0.0, 0.0]  # control
    even = np.zeros(3, dtype=[("a", "f4"), ("b", "f4")])["b"]
    assert torch.from_numpy(even).stride() == (2,)  # control


@requirement("from.as-tensor-shares-address")
def test_as_tensor_begins_at_the_address_of_the_array(torch, np, device):
    array = np.arange(6.0)[2:]
    assert torch.as_tensor(array).data_ptr() == address(array)
    assert torch.as_tensor(array, dtype=torch.float64, device=device).data_ptr() == address(array)


@requirement("from.as-tensor-sees-array-writes")
def test_a_write_to_the_array_is_seen_in_the_tensor_of_as_tensor(torch, np):
    array, t = shared_from(np, torch.as_tensor)
    array[1] = 7
    assert t.tolist() == [0.0, 7.0, 0.0]


@requirement("from.array-sees-as-tensor-writes")
def test_a_write_to_the_tensor_of_as_tensor_is_seen_in_the_array(torch, np):
    array, t = shared_from(np, torch.as_tensor)
    t[1] = 7
    assert array.tolist() == [0.0, 7.0, 0.0]


@requirement("from.as-tensor-copies-for-dtype")
def test_as_tensor_copies_where_the_dtype_differs(torch, np):
    array, t = shared_from(np, lambda array: torch.as_tensor(array, dtype=torch.float32))
    same = torch.as_tensor(array, dtype=torch.float64)
    array[1] = 7
    assert t.dtype == torch.float32
    assert t.tolist() == [0.0, 0.0, 0.0]
    assert same.tolist() == [0.0, 7.0, 0.0]  # control


@requirement("from.as-tensor-copies-to-device")
def test_as_tensor_copies_to_a_device(torch, np, device):
    array = np.zeros(3, dtype=np.float32)
    t = torch.as_tensor(array, device=device)
    array[1] = 7
    assert t.device.type == torch.device(device).type
    assert t.cpu().tolist() == [0.0, 0.0, 0.0]
    assert torch.as_tensor(array, device=device).cpu().tolist() == [0.0, 7.0, 0.0]  # control


@requirement("from.as-tensor-returns-tensor")
def test_as_tensor_of_a_tensor_is_that_tensor(torch, device):
    x = torch.ones(2, device=device)
    assert torch.as_tensor(x) is x
    assert torch.as_tensor(x, dtype=x.dtype, device=x.device) is x
    x.requires_grad_()
    assert torch.as_tensor(x) is x
    assert x.requires_grad is True
    assert torch.as_tensor(x, dtype=torch.float64) is not x  # control


@requirement("from.as-tensor-keeps-graph")
def test_as_tensor_with_another_dtype_stays_in_the_graph(torch, device):
    x = torch.ones(2, device=device).requires_grad_()
    t = torch.as_tensor(x, dtype=torch.float16)
    assert t.dtype == torch.float16
    assert t.requires_grad is True and t.grad_fn is not None
    assert torch.as_tensor(x.detach(), dtype=torch.float16).requires_grad is False  # control


@requirement("from.tensor-ignores-array-writes")
def test_a_write_to_the_array_is_not_seen_in_the_tensor_of_tensor(torch, np, device):
    array = np.zeros(3, dtype=np.float32)
    t = torch.tensor(array, device=device)
    array[1] = 7
    assert t.cpu().tolist() == [0.0, 0.0, 0.0]
    assert torch.tensor(array, device=device).cpu().tolist() == [0.0, 7.0, 0.0]  # control


@requirement("from.array-ignores-tensor-writes")
def test_a_write_to_the_tensor_of_tensor_is_not_seen_in_the_array(torch, np, device):
    array = np.zeros(3, dtype=np.float32)
    t = torch.tensor(array, device=device)
    t.fill_(7)
    assert array.tolist() == [0.0, 0.0, 0.0]
    assert t.cpu().tolist() == [7.0, 7.0, 7.0]  # control


@requirement("from.tensor-detaches")
def test_tensor_of_a_tensor_does_not_require_grad(torch, device):
    x = torch.ones(2, device=device).requires_grad_()
    t = quietly(lambda: torch.tensor(x))
    assert t.requires_grad is False and t.is_leaf is True
    assert t is not x and tuple(t.shape) == (2,)
    assert x.requires_grad is True
    assert quietly(lambda: torch.tensor(x, requires_grad=True)).requires_grad is True  # control


@requirement("from.asarray-shares-address")
def test_asarray_begins_at_the_address_of_the_array(torch, np, device):
    array = np.arange(6.0)[2:]
    assert torch.asarray(array).data_ptr() == address(array)
    assert torch.asarray(array, dtype=torch.float64, device=device, copy=False).data_ptr() == address(array)


@requirement("from.asarray-sees-array-writes")
def test_a_write_to_the_array_is_seen_in_the_tensor_of_asarray(torch, np):
    array, t = shared_from(np, torch.asarray)
    array[1] = 7
    assert t.tolist() == [0.0, 7.0, 0.0]


@requirement("from.array-sees-asarray-writes")
def test_a_write_to_the_tensor_of_asarray_is_seen_in_the_array(torch, np):
    array, t = shared_from(np, torch.asarray)
    t[1] = 7
    assert array.tolist() == [0.0, 7.0, 0.0]


@requirement("from.asarray-copies-on-request")
def test_asarray_copies_on_request(torch, np):
    array, t = shared_from(np, lambda array: torch.asarray(array, copy=True))
    shared = torch.asarray(array)
    array[1] = 7
    assert t.tolist() == [0.0, 0.0, 0.0]
    assert shared.tolist() == [0.0, 7.0, 0.0]  # control


@requirement("from.asarray-refuses-needed-copy")
def test_asarray_refuses_a_copy_that_it_needs(torch, np):
    array = np.zeros(3)
    with pytest.raises(ValueError):
        torch.asarray(array, dtype=torch.float32, copy=False)
    assert torch.asarray(array, dtype=torch.float64, copy=False).data_ptr() == address(array)  # control
    assert torch.asarray(array, dtype=torch.float32).dtype == torch.float32  # control


@requirement("from.asarray-clears-requires-grad")
def test_asarray_clears_the_flag_of_its_argument(torch, device):
    x = torch.ones(2, device=device).requires_grad_()
    assert torch.asarray(x, requires_grad=True) is x and x.requires_grad is True  # control
    torch.asarray(x)
    assert x.requires_grad is False


@requirement("from.asarray-keeps-requires-grad")
def test_asarray_keeps_the_flag_of_its_argument(torch, device):
    x = torch.ones(2, device=device).requires_grad_()
    t = quietly(lambda: torch.asarray(x))
    assert x.requires_grad is True
    assert t.requires_grad is True
    assert torch.asarray(torch.ones(2, device=device)).requires_grad is False  # control


@requirement("from.asarray-reads-scalar-bytes")
def test_asarray_reads_the_bytes_of_a_numpy_scalar(torch, np):
    t = quietly(lambda: torch.asarray(np.float64(0.5)))
    assert tuple(t.shape) == (2,)
    assert t.dtype == torch.float32
    assert t.tolist() == np.array([0.5]).view(np.float32).tolist()


@requirement("from.asarray-reads-scalar")
def test_asarray_reads_a_numpy_scalar_as_a_number(torch, np):
    t = quietly(lambda: torch.asarray(np.float64(0.1)))
    assert tuple(t.shape) == ()
    assert t.dtype == torch.float64
    assert t.item() == 0.1


@requirement("from.frombuffer-sees-writes")
def test_a_write_to_the_buffer_is_seen_in_the_tensor(torch):
    buffer = bytearray(3)
    t = torch.frombuffer(buffer, dtype=torch.uint8)
    buffer[1] = 7
    assert t.tolist() == [0, 7, 0]


@requirement("from.buffer-sees-tensor-writes")
def test_a_write_to_the_tensor_is_seen_in_the_buffer(torch):
    buffer = bytearray(3)
    t = torch.frombuffer(buffer, dtype=torch.uint8)
    t[1] = 7
    assert list(buffer) == [0, 7, 0]


@requirement("from.legacy-sees-array-writes")
def test_a_write_to_the_array_is_seen_in_the_tensor_of_the_constructor(torch, np):
    array = np.zeros(3, dtype=np.float32)
    t = torch.Tensor(array)
    array[1] = 7
    assert t.tolist() == [0.0, 7.0, 0.0]


@requirement("from.array-sees-legacy-writes")
def test_a_write_to_the_tensor_of_the_constructor_is_seen_in_the_array(torch, np):
    array = np.zeros(3, dtype=np.float32)
    t = torch.Tensor(array)
    t[1] = 7
    assert array.tolist() == [0.0, 7.0, 0.0]


@requirement("from.legacy-copies-for-dtype")
@pytest.mark.parametrize("name", ("float64", "int64"))
def test_the_constructor_copies_where_the_dtype_differs(torch, np, name):
    array = np.zeros(3, dtype=name)
    t = torch.Tensor(array)
    array[1] = 7
    assert t.dtype == torch.float32
    assert t.tolist() == [0.0, 0.0, 0.0]
    assert torch.Tensor(array).tolist() == [0.0, 7.0, 0.0]  # control


@requirement("from.constructors-reject-negative-strides")
def test_constructors_reject_negative_strides(torch, np, device):
    array = np.arange(3.0)
    for call in (torch.tensor, torch.as_tensor):
        with pytest.raises(ValueError):
            call(array[::-1], device=device)
        with pytest.raises(ValueError):
            call(array[::-1], dtype=torch.float32, device=device)
        assert tuple(call(array[::-1].copy(), device=device, dtype=torch.float32).shape) == (3,)  # control
    with pytest.raises(ValueError):
        torch.Tensor(array[::-1])
    assert torch.Tensor(array[::-1].copy()).tolist() == [2.0, 1.0, 0.0]  # control


@requirement("from.constructors-reject-foreign-byte-order")
def test_constructors_reject_a_foreign_byte_order(torch, np, device):
    array = foreign(np)
    for call in (torch.tensor, torch.as_tensor):
        with pytest.raises(ValueError):
            call(array, device=device)
        with pytest.raises(ValueError):
            call(array, dtype=torch.float32, device=device)
        assert tuple(call(array.astype("f8"), device=device, dtype=torch.float32).shape) == (3,)  # control
    with pytest.raises(ValueError):
        torch.Tensor(array)
    assert torch.Tensor(array.astype("f8")).tolist() == [0.0, 1.0, 2.0]  # control


@requirement("from.asarray-rejects-negative-strides")
def test_asarray_rejects_negative_strides(torch, np, device):
    array = np.arange(3.0)
    with pytest.raises(ValueError):
        torch.asarray(array[::-1], device=device)
    with pytest.raises(ValueError):
        torch.asarray(array[::-1], device=device, copy=True)
    assert tuple(torch.asarray(array[::-1].copy(), device=device, dtype=torch.float32).shape) == (3,)  # control


@requirement("from.floats-get-default-dtype")
def test_python_floats_get_the_default_dtype(torch, device):
    def dtypes():
        return [torch.tensor(0.5, device=device).dtype, torch.tensor([[0.5]], device=device).dtype]

    assert with_default_dtype(torch, torch.float32, dtypes) == [torch.float32, torch.float32]
    assert with_default_dtype(torch, torch.float64, dtypes) == [torch.float64, torch.float64]


@requirement("from.ints-get-int64")
def test_python_ints_get_int64(torch, device):
    def dtypes():
        return [torch.tensor(2, device=device).dtype, torch.tensor([[2]], device=device).dtype]

    assert dtypes() == [torch.int64, torch.int64]
    assert with_default_dtype(torch, torch.float64, dtypes) == [torch.int64, torch.int64]


@requirement("from.bools-get-uint8")
def test_python_bools_get_uint8(torch, device):
    assert torch.tensor(True, device=device).dtype == torch.uint8
    assert torch.tensor([True, False], device=device).dtype == torch.uint8


@requirement("from.bools-get-bool")
def test_python_bools_get_bool(torch, device):
    assert torch.tensor(True, device=device).dtype == torch.bool
    assert torch.tensor([True, False], device=device).dtype == torch.bool
    assert torch.tensor([1, 0], device=device).dtype == torch.int64  # control


@requirement("from.arrays-keep-dtype")
@pytest.mark.parametrize("name", ("float16", "float32", "float64", "int32", "int64", "uint8"))
def test_arrays_keep_their_dtype(torch, np, device, name):
    array = np.zeros(2, dtype=name)

    def dtypes():
        return [torch.tensor(array, device=device).dtype, torch.as_tensor(array, device=device).dtype]

    kept = [getattr(torch, name)] * 2
    assert with_default_dtype(torch, torch.float32, dtypes) == kept
    assert with_default_dtype(torch, torch.float64, dtypes) == kept


@requirement("from.lists-of-arrays-keep-dtype")
@pytest.mark.parametrize("name", ("float16", "float32", "float64", "int32"))
def test_lists_of_arrays_keep_their_dtype(torch, np, device, name):
    arrays = [np.zeros(2, dtype=name), np.ones(2, dtype=name)]
    t = quietly(lambda: torch.tensor(arrays, device=device))
    assert t.dtype == getattr(torch, name)
    assert tuple(t.shape) == (2, 2)


@requirement("from.numpy-float64-gets-default-dtype")
def test_a_numpy_scalar_of_float64_gets_the_default_dtype(torch, np, device):
    def dtypes():
        return [torch.tensor(source, device=device).dtype for source in (np.float64(0.5), [np.float64(0.5)])]

    assert with_default_dtype(torch, torch.float32, dtypes) == [torch.float32, torch.float32]
    assert with_default_dtype(torch, torch.float64, dtypes) == [torch.float64, torch.float64]


@requirement("from.numpy-float64-keeps-dtype")
def test_a_numpy_scalar_of_float64_keeps_its_dtype(torch, np, device):
    def dtypes():
        return [torch.tensor(np.float64(0.5), device=device).dtype, torch.tensor(0.5, device=device).dtype]

    assert with_default_dtype(torch, torch.float32, dtypes) == [torch.float64, torch.float32]
    assert with_default_dtype(torch, torch.float64, dtypes) == [torch.float64, torch.float64]


@requirement("from.lists-of-numpy-float64-keep-dtype")
def test_lists_with_a_numpy_scalar_of_float64_keep_its_dtype(torch, np, device):
    def dtypes():
        half = np.float64(0.5)
        sources = ([half], [1, half], [half, 1.0], [1.0])
        return [torch.tensor(source, device=device).dtype for source in sources]

    assert with_default_dtype(torch, torch.float32, dtypes) == [torch.float64] * 3 + [torch.float32]
