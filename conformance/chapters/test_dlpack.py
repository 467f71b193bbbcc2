"""Tests of spec/dlpack.md."""

import gc
import importlib

import pytest

from conformance import requirement
from conformance.witnesses import address, assert_separate

REFUSALS = (RuntimeError, BufferError)


def capsules(torch):
    """The module ``torch.utils.dlpack``, which some releases do not import by themselves."""
    module = getattr(getattr(torch, "utils", None), "dlpack", None)
    return module or importlib.import_module(torch.__name__ + ".utils.dlpack")


def assert_refused(call, kind):
    """Fail unless ``call()`` raises an exception whose type is exactly ``kind``."""
    with pytest.raises(kind) as caught:
        call()
    assert caught.type is kind


@requirement("dlpack.numpy-returns-ndarray")
def test_from_dlpack_returns_an_ndarray(torch, np, device):
    assert type(np.from_dlpack(torch.ones(2, device=device))) is np.ndarray


@requirement("dlpack.numpy-keeps-dtype")
@pytest.mark.parametrize(
    "name",
    ["float16", "float32", "float64", "complex64", "complex128", "int8", "int16", "int32", "int64", "uint8"],
)
def test_the_array_has_the_dtype_of_the_tensor(torch, np, device, name):
    x = torch.ones(2, device=device).to(getattr(torch, name))
    assert np.from_dlpack(x).dtype == np.dtype(name)
    assert np.from_dlpack(x).dtype == x.numpy().dtype


@requirement("dlpack.numpy-keeps-shape")
@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0, 3), (2, 1, 2)])
def test_the_array_has_the_shape_of_the_tensor(torch, np, device, shape):
    assert np.from_dlpack(torch.zeros(shape, device=device)).shape == shape


@requirement("dlpack.numpy-keeps-strides")
def test_the_array_has_the_strides_of_the_tensor(torch, np, device):
    x = torch.zeros((4, 6), device=device)
    assert np.from_dlpack(x).strides == (24, 4)
    assert np.from_dlpack(x.t()).strides == (4, 24)
    assert np.from_dlpack(x[::2, ::3]).strides == (48, 12)
    assert np.from_dlpack(x[:1].expand(4, 6)).strides == (0, 4)


@requirement("dlpack.numpy-keeps-values")
def test_the_array_has_the_elements_of_the_tensor(torch, np, device):
    x = torch.tensor([[1.5, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    assert np.from_dlpack(x).tolist() == [[1.5, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert np.from_dlpack(x.t()).tolist() == [[1.5, 4.0], [2.0, 5.0], [3.0, 6.0]]
    assert np.from_dlpack(x[:, 1:]).tolist() == [[2.0, 3.0], [5.0, 6.0]]


@requirement("dlpack.numpy-shares-address")
def test_the_array_begins_at_the_address_of_the_tensor(torch, np, device):
    x = torch.zeros(6, device=device)
    assert address(np.from_dlpack(x)) == x.data_ptr()
    assert address(np.from_dlpack(x[2:])) == x.data_ptr() + 8


@requirement("dlpack.numpy-sees-tensor-writes")
def test_a_write_to_the_tensor_is_seen_in_the_array(torch, np, device):
    x = torch.zeros(3, device=device)
    a = np.from_dlpack(x)
    x[1] = 7
    assert a.tolist() == [0.0, 7.0, 0.0]


@requirement("dlpack.numpy-is-read-only")
def test_the_array_is_read_only(torch, np, device):
    x = torch.ones(2, device=device)
    a = np.from_dlpack(x)
    assert not a.flags.writeable
    with pytest.raises(ValueError):
        a[0] = 7
    assert x.tolist() == [1.0, 1.0]
    x.numpy()[0] = 7  # control
    assert a.tolist() == [7.0, 1.0]


@requirement("dlpack.numpy-is-writeable")
def test_the_array_is_writeable(torch, np, device):
    assert np.from_dlpack(torch.ones(2, device=device)).flags.writeable


@requirement("dlpack.tensor-sees-numpy-writes")
def test_a_write_to_the_array_is_seen_in_the_tensor(torch, np, device):
    x = torch.zeros(3, device=device)
    a = np.from_dlpack(x)
    a[1] = 7
    assert x.tolist() == [0.0, 7.0, 0.0]


@requirement("dlpack.numpy-keeps-memory")
def test_the_array_keeps_the_memory_of_the_tensor(torch, np, device):
    x = torch.arange(1000, dtype=torch.float32, device=device)
    a = np.from_dlpack(x)
    assert address(a) == x.data_ptr()  # a copy would prove nothing
    del x
    gc.collect()
    others = [torch.full((1000,), -1.0) for _ in range(20)]
    assert a.tolist() == list(range(1000))
    assert len(others) == 20


@requirement("dlpack.grad-raises-runtime-error")
def test_a_tensor_that_requires_grad_raises_runtime_error(torch, np, device):
    x = torch.ones(2, device=device, requires_grad=True)
    assert_refused(lambda: np.from_dlpack(x), RuntimeError)
    assert np.from_dlpack(torch.ones(2, requires_grad=True).detach()).tolist() == [1.0, 1.0]  # control


@requirement("dlpack.grad-raises-buffer-error")
def test_a_tensor_that_requires_grad_raises_buffer_error(torch, np, device):
    x = torch.ones(2, device=device, requires_grad=True)
    assert_refused(lambda: np.from_dlpack(x), BufferError)
    assert np.from_dlpack(torch.ones(2, requires_grad=True).detach()).tolist() == [1.0, 1.0]  # control


@requirement("dlpack.no-grad-does-not-permit")
def test_a_tensor_that_requires_grad_is_refused_in_no_grad(torch, np, device):
    x = torch.ones(2, device=device, requires_grad=True)
    with torch.no_grad():
        with pytest.raises(REFUSALS):
            np.from_dlpack(x)
        assert np.asarray(x).tolist() == [1.0, 1.0]  # control
        assert np.from_dlpack(x.detach()).tolist() == [1.0, 1.0]  # control


@requirement("dlpack.conj-raises-runtime-error")
def test_the_conjugate_bit_raises_runtime_error(torch, np, device):
    x = torch.ones(2, device=device, dtype=torch.complex64).conj()
    assert_refused(lambda: np.from_dlpack(x), RuntimeError)
    assert np.from_dlpack(torch.tensor([1 + 2j]).conj().resolve_conj()).tolist() == [1 - 2j]  # control


@requirement("dlpack.conj-raises-buffer-error")
def test_the_conjugate_bit_raises_buffer_error(torch, np, device):
    x = torch.ones(2, device=device, dtype=torch.complex64).conj()
    assert_refused(lambda: np.from_dlpack(x), BufferError)
    assert np.from_dlpack(torch.tensor([1 + 2j]).conj().resolve_conj()).tolist() == [1 - 2j]  # control


@requirement("dlpack.sparse-raises-runtime-error")
def test_a_sparse_tensor_raises_runtime_error(torch, np, device):
    x = torch.eye(2, device=device).to_sparse()
    assert_refused(lambda: np.from_dlpack(x), RuntimeError)
    assert np.from_dlpack(x.to_dense()).tolist() == [[1.0, 0.0], [0.0, 1.0]]  # control


@requirement("dlpack.sparse-raises-buffer-error")
def test_a_sparse_tensor_raises_buffer_error(torch, np, device):
    x = torch.eye(2, device=device).to_sparse()
    assert_refused(lambda: np.from_dlpack(x), BufferError)
    assert np.from_dlpack(x.to_dense()).tolist() == [[1.0, 0.0], [0.0, 1.0]]  # control


@requirement("dlpack.meta-raises-runtime-error")
def test_a_tensor_without_memory_raises_runtime_error(torch, np, device):
    x = torch.ones(2, device=device)
    assert_refused(lambda: np.from_dlpack(x), RuntimeError)
    assert np.from_dlpack(torch.ones(2)).tolist() == [1.0, 1.0]  # control


@requirement("dlpack.meta-raises-buffer-error")
def test_a_tensor_without_memory_raises_buffer_error(torch, np, device):
    x = torch.ones(2, device=device)
    assert_refused(lambda: np.from_dlpack(x), BufferError)
    assert np.from_dlpack(torch.ones(2)).tolist() == [1.0, 1.0]  # control


@requirement("dlpack.bfloat16-raises")
def test_bfloat16_raises(torch, np, device):
    x = torch.ones(2, device=device).to(torch.bfloat16)
    assert_refused(lambda: np.from_dlpack(x), RuntimeError)
    assert torch.from_dlpack(x).dtype == torch.bfloat16  # control: torch exports it
    assert np.from_dlpack(x.float()).tolist() == [1.0, 1.0]  # control


@requirement("dlpack.bool-becomes-bool")
def test_bool_becomes_bool(torch, np, device):
    a = np.from_dlpack(torch.tensor([1.0, 3.0, 5.0], device=device) > 2)
    assert (a.dtype, a.tolist()) == (np.dtype(bool), [False, True, True])


@requirement("dlpack.bool-raises")
def test_bool_raises(torch, np, device):
    x = torch.tensor([1.0, 3.0, 5.0], device=device) > 2
    assert_refused(lambda: np.from_dlpack(x), RuntimeError)
    assert np.from_dlpack(x.to(torch.uint8)).tolist() == [0, 1, 1]  # control


@requirement("dlpack.numpy-copy-true-copies")
def test_copy_true_copies(torch, np, device):
    x = torch.tensor([1.0, 2.0], device=device)
    a = np.from_dlpack(x, copy=True)
    assert a.tolist() == [1.0, 2.0]
    assert address(a) != x.data_ptr()
    x[0] = 7
    assert a.tolist() == [1.0, 2.0]


@requirement("dlpack.numpy-copy-false-shares")
def test_copy_false_shares(torch, np, device):
    x = torch.zeros(6, device=device)
    assert address(np.from_dlpack(x, copy=False)) == x.data_ptr()
    assert address(np.from_dlpack(x[2:], copy=False)) == x.data_ptr() + 8


@requirement("dlpack.numpy-device-cpu-shares")
def test_device_cpu_shares(torch, np, device):
    x = torch.zeros(6, device=device)
    assert address(np.from_dlpack(x, device="cpu")) == x.data_ptr()
    assert address(np.from_dlpack(x[2:], device="cpu")) == x.data_ptr() + 8


ARGUMENTS = {"copy-true": {"copy": True}, "copy-false": {"copy": False}, "device": {"device": "cpu"}}


@requirement("dlpack.numpy-arguments-raise")
@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_arguments_raise(torch, np, device, name):
    x = torch.ones(2, device=device)
    with pytest.raises(TypeError):
        np.from_dlpack(x, **ARGUMENTS[name])
    assert np.from_dlpack(x).tolist() == [1.0, 1.0]  # control


@requirement("dlpack.device-of-host-tensor")
def test_the_device_of_a_tensor_in_host_memory(torch, device):
    x = torch.ones(2, device=device)
    assert [int(number) for number in x.__dlpack_device__()] == [1, 0]
    assert tuple(x.requires_grad_().__dlpack_device__()) == (1, 0)


@requirement("dlpack.tensor-shares-address")
def test_the_tensor_begins_at_the_address_of_the_array(torch, np, device):
    a = np.zeros(6)
    assert torch.from_dlpack(a).data_ptr() == address(a)
    assert torch.from_dlpack(a[2:]).data_ptr() == address(a) + 16


@requirement("dlpack.tensor-sees-array-writes")
def test_a_write_to_the_source_array_is_seen_in_the_tensor(torch, np, device):
    a = np.zeros((2, 3))
    x = torch.from_dlpack(a.T)
    a[1, 2] = 7
    assert x.tolist() == [[0.0, 0.0], [0.0, 0.0], [0.0, 7.0]]


@requirement("dlpack.array-sees-tensor-writes")
def test_a_write_to_the_tensor_is_seen_in_the_source_array(torch, np, device):
    a = np.zeros((2, 3))
    x = torch.from_dlpack(a.T)
    x[2, 1] = 7
    assert a.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 7.0]]


@requirement("dlpack.tensor-keeps-array-alive")
def test_the_tensor_keeps_the_source_array_alive(torch, np, device):
    a = np.arange(1000.0)
    x = torch.from_dlpack(a)
    assert x.data_ptr() == address(a)  # a copy would prove nothing
    del a
    gc.collect()
    others = [np.full(1000, -1.0) for _ in range(20)]
    assert x.tolist() == list(range(1000))
    assert len(others) == 20


@requirement("dlpack.tensor-copy-true-copies")
def test_a_tensor_by_copy_true_is_separate_from_its_source_array(torch, np, device):
    a = np.array([1.0, 2.0])
    x = torch.from_dlpack(a, copy=True)
    assert x.tolist() == [1.0, 2.0]
    assert_separate(x, a)


@requirement("dlpack.read-only-array-raises")
def test_a_read_only_array_raises(torch, np, device):
    a = np.ones(2)
    a.setflags(write=False)
    with pytest.raises(BufferError):
        torch.from_dlpack(a)
    assert torch.from_dlpack(a.copy()).tolist() == [1.0, 1.0]  # control


@requirement("dlpack.capsule-shares-address")
def test_a_capsule_keeps_the_address(torch, device):
    module = capsules(torch)
    x = torch.zeros(6, device=device)
    y = module.from_dlpack(module.to_dlpack(x[2:]))
    assert y.data_ptr() == x.data_ptr() + 8


@requirement("dlpack.capsule-tensor-sees-writes")
def test_a_write_to_the_source_of_a_capsule_is_seen(torch, device):
    module = capsules(torch)
    x = torch.zeros(3, device=device)
    y = module.from_dlpack(module.to_dlpack(x))
    x[1] = 7
    assert y.tolist() == [0.0, 7.0, 0.0]


@requirement("dlpack.capsule-source-sees-writes")
def test_a_write_to_the_tensor_of_a_capsule_is_seen(torch, device):
    module = capsules(torch)
    x = torch.zeros(3, device=device)
    y = module.from_dlpack(module.to_dlpack(x))
    y[1] = 7
    assert x.tolist() == [0.0, 7.0, 0.0]


@requirement("dlpack.capsule-is-used-once")
def test_a_capsule_is_used_once(torch, device):
    module = capsules(torch)
    capsule = module.to_dlpack(torch.ones(2, device=device))
    assert module.from_dlpack(capsule).tolist() == [1.0, 1.0]  # control
    with pytest.raises(RuntimeError):
        module.from_dlpack(capsule)


@requirement("dlpack.capsule-accepts-grad")
def test_a_capsule_accepts_a_tensor_that_requires_grad(torch, device):
    module = capsules(torch)
    x = torch.ones(2, device=device, requires_grad=True)
    for source in (x, x * 2):
        assert module.from_dlpack(module.to_dlpack(source)).data_ptr() == source.data_ptr()
    with torch.no_grad():
        assert module.from_dlpack(module.to_dlpack(x)).data_ptr() == x.data_ptr()


@requirement("dlpack.capsule-drops-grad")
def test_the_tensor_of_a_capsule_does_not_require_grad(torch, device):
    module = capsules(torch)
    x = torch.ones(2, device=device, requires_grad=True)
    y = module.from_dlpack(module.to_dlpack(x * 2))
    assert (y.requires_grad, y.grad_fn, y.tolist()) == (False, None, [2.0, 2.0])
    assert not module.from_dlpack(module.to_dlpack(x.detach())).requires_grad
    assert x.requires_grad
