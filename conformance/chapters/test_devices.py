"""Tests of spec/devices.md."""

import pytest

from conformance import requirement
from conformance.child import in_child
from conformance.witnesses import address, read, written


def separate(one, other):
    """Whether no write to either of two tensors, on any device, is seen in the other."""
    written(one, 3)
    written(other, 5)
    if set(read(one.cpu())) != {3}:
        return False
    written(one, 7)
    return set(read(one.cpu())) == {7} and set(read(other.cpu())) == {5}


@requirement("device.cpu-returns-self")
def test_cpu_of_a_host_tensor_is_the_tensor(torch, device):
    x = torch.tensor([1.0, 2.0], device=device)
    assert x.cpu() is x
    view = torch.ones(2, 3, device=device).t()
    assert view.cpu() is view


@requirement("device.cpu-returns-self-with-grad")
def test_cpu_of_a_host_tensor_that_requires_grad_is_the_tensor(torch, device):
    leaf = torch.ones(2, requires_grad=True, device=device)
    result = leaf * 2
    assert leaf.cpu() is leaf
    assert result.cpu() is result
    assert leaf.cpu().requires_grad and result.cpu().requires_grad


@requirement("device.cpu-returns-self-with-grad")
def test_cpu_of_a_host_parameter_is_the_parameter(torch, device):
    parameter = torch.nn.Parameter(torch.ones(2, device=device))
    assert parameter.cpu() is parameter


@requirement("device.to-cpu-returns-self")
@pytest.mark.parametrize("requires_grad", [False, True])
def test_to_cpu_of_a_host_tensor_is_the_tensor(torch, device, requires_grad):
    x = torch.ones(2, device=device, requires_grad=requires_grad)
    assert x.to("cpu") is x
    assert x.to(torch.device("cpu")) is x
    assert x.to("cpu", torch.float32) is x


@requirement("device.to-own-device-returns-self")
@pytest.mark.parametrize("requires_grad", [False, True])
def test_to_its_own_device_is_the_tensor(torch, device, requires_grad):
    x = torch.ones(2, device=device, requires_grad=requires_grad)
    assert x.to(x.device) is x


@requirement("device.to-own-dtype-returns-self")
@pytest.mark.parametrize("dtype, method", [("float32", "float"), ("int64", "long"), ("uint8", "byte")])
def test_to_its_own_dtype_is_the_tensor(torch, device, dtype, method):
    x = torch.ones(2, device=device, dtype=getattr(torch, dtype))
    assert x.to(getattr(torch, dtype)) is x
    assert getattr(x, method)() is x


@requirement("device.cpu-numpy-begins-at-host-tensor")
def test_cpu_numpy_begins_where_the_host_tensor_begins(torch, device):
    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    assert address(x.cpu().numpy()) == x.data_ptr()
    assert address(x[1:].cpu().numpy()) == x.data_ptr() + x.element_size()


@requirement("device.cpu-numpy-writes-reach-host-tensor")
def test_a_write_to_cpu_numpy_is_seen_in_the_host_tensor(torch, device):
    x = torch.zeros(3, device=device)
    array = x.cpu().numpy()
    array[1] = 4
    assert x.tolist() == [0.0, 4.0, 0.0]


@requirement("device.to-cpu-with-index-copies")
def test_to_cpu_with_an_index_is_a_copy(torch, device):
    x = torch.tensor([1.0, 2.0], device=device)
    moved = x.to("cpu:0")
    assert moved.tolist() == [1.0, 2.0]
    assert separate(x, moved)
    assert x.to("cpu") is x  # control


@requirement("device.to-copy-returns-another-object")
def test_to_with_copy_is_another_object(torch, device):
    x = torch.ones(2, device=device)
    by_device = x.to(x.device, copy=True)
    by_dtype = x.to(x.dtype, copy=True)
    assert by_device is not x
    assert by_dtype is not x
    assert by_device.device == by_dtype.device == x.device
    assert x.to(x.device, copy=False) is x  # control


@requirement("device.to-copy-is-separate")
def test_to_with_copy_has_memory_of_its_own(torch, device):
    x = torch.tensor([1.0, 2.0], device=device)
    copy = x.to(x.device, copy=True)
    assert copy.cpu().tolist() == [1.0, 2.0]
    assert separate(x, copy)


@requirement("device.to-copy-alone-copies")
def test_to_with_nothing_but_copy_has_memory_of_its_own(torch, device):
    def copied():
        x = torch.tensor([1.0, 2.0], device=device)
        copy = x.to(copy=True)
        return copy.tolist(), separate(x, copy)

    assert in_child(copied) == ([1.0, 2.0], True)


@requirement("device.to-copy-keeps-graph")
def test_the_gradient_passes_through_to_with_copy(torch, device):
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    copy = x.to(x.device, copy=True)
    (copy * 3).sum().backward()
    assert x.grad.cpu().tolist() == [3.0, 3.0]


@requirement("device.to-other-dtype-is-separate")
@pytest.mark.parametrize("dtype", ["int32", "uint8"])
def test_another_dtype_has_memory_of_its_own(torch, device, dtype):
    x = torch.tensor([1.0, 2.0], device=device)
    converted = x.to(getattr(torch, dtype))
    assert converted.cpu().tolist() == [1, 2]
    assert separate(x, converted)


@requirement("device.numpy-raises")
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8"])
def test_numpy_refuses_a_tensor_outside_host_memory(torch, device, dtype):
    x = torch.ones(2, device=device, dtype=getattr(torch, dtype))
    with pytest.raises(TypeError):
        x.numpy()
    assert torch.ones(2, dtype=getattr(torch, dtype)).numpy().tolist() == [1, 1]  # control


@requirement("device.no-grad-keeps-refusal")
def test_numpy_refuses_a_tensor_outside_host_memory_without_grad_mode(torch, device):
    x = torch.ones(2, device=device)
    with torch.no_grad():
        with pytest.raises(TypeError):
            x.numpy()
        assert torch.ones(2).numpy().tolist() == [1.0, 1.0]  # control


@requirement("device.refused-before-grad")
def test_the_device_is_refused_before_requiring_grad(torch, device):
    with pytest.raises(TypeError):
        torch.ones(2, device=device, requires_grad=True).numpy()
    with pytest.raises(RuntimeError):  # control: in host memory it is requiring grad that is refused
        torch.ones(2, requires_grad=True).numpy()
    assert torch.ones(2).numpy().tolist() == [1.0, 1.0]  # control


@requirement("device.detach-keeps-refusal")
def test_detach_does_not_move_a_tensor(torch, device):
    x = torch.ones(2, device=device, requires_grad=True)
    detached = x.detach()
    with pytest.raises(TypeError):
        detached.numpy()
    assert detached.device == x.device
    assert torch.ones(2, requires_grad=True).detach().numpy().tolist() == [1.0, 1.0]  # control


@requirement("device.cpu-moves")
def test_cpu_moves_to_the_host(torch, device):
    x = torch.ones(2, device=device)
    assert x.device.type != "cpu"
    assert x.cpu().device == torch.device("cpu")


@requirement("device.cpu-keeps-values")
@pytest.mark.parametrize(
    "dtype, values",
    [
        ("float32", [0.5, -2.0, 16777216.0]),
        ("int64", [-7, 0, 2**40]),
        ("int32", [-(2**31), 0, 2**31 - 1]),
        ("uint8", [0, 1, 255]),
    ],
)
def test_cpu_keeps_the_values(torch, device, dtype, values):
    x = torch.tensor(values, dtype=getattr(torch, dtype), device=device)
    assert x.cpu().numpy().tolist() == values


@requirement("device.cpu-keeps-dtype")
@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "int32", "int16", "int8", "uint8"])
def test_cpu_keeps_the_dtype(torch, device, dtype):
    x = torch.tensor([1, 2], dtype=getattr(torch, dtype), device=device)
    assert x.cpu().dtype == getattr(torch, dtype)


@requirement("device.cpu-keeps-shape")
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (1, 2, 3)])
def test_cpu_keeps_the_shape(torch, device, shape):
    assert tuple(torch.ones(shape, device=device).cpu().shape) == shape


@requirement("device.array-write-stays-on-host")
def test_a_write_to_the_array_is_not_seen_on_the_device(torch, device):
    x = torch.tensor([1.0, 2.0], device=device)
    array = x.cpu().numpy()
    array[:] = 5
    assert x.cpu().tolist() == [1.0, 2.0]
    assert array.tolist() == [5.0, 5.0]


@requirement("device.device-write-stays-on-device")
def test_a_write_on_the_device_is_not_seen_in_the_array(torch, device):
    x = torch.tensor([1.0, 2.0], device=device)
    array = x.cpu().numpy()
    x.fill_(5)
    assert array.tolist() == [1.0, 2.0]
    assert x.cpu().tolist() == [5.0, 5.0]


@requirement("device.cpu-keeps-requires-grad")
def test_cpu_of_a_tensor_that_requires_grad_requires_grad(torch, device):
    assert torch.ones(2, device=device, requires_grad=True).cpu().requires_grad is True
    assert torch.ones(2, device=device).cpu().requires_grad is False  # control


@requirement("device.gradient-returns-to-device")
def test_the_gradient_comes_back_on_the_device(torch, device):
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    (x.cpu() * 3).sum().backward()
    assert x.grad.device == x.device
    assert x.grad.cpu().tolist() == [3.0, 3.0]


@requirement("device.detach-cpu-converts")
def test_detach_and_then_cpu_makes_a_tensor_convertible(torch, device):
    leaf = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    result = leaf * 2
    assert leaf.detach().cpu().numpy().tolist() == [1.0, 2.0]
    assert result.detach().cpu().numpy().tolist() == [2.0, 4.0]


@requirement("device.cpu-detach-converts")
def test_cpu_and_then_detach_makes_a_tensor_convertible(torch, device):
    leaf = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    result = leaf * 2
    assert leaf.cpu().detach().numpy().tolist() == [1.0, 2.0]
    assert result.cpu().detach().numpy().tolist() == [2.0, 4.0]


@requirement("device.force-converts")
@pytest.mark.parametrize("requires_grad", [False, True])
def test_force_transfers_to_the_host(torch, np, device, requires_grad):
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=requires_grad)
    array = x.numpy(force=True)
    assert type(array) is np.ndarray
    assert array.tolist() == [1.0, 2.0]


@requirement("device.force-copies")
def test_a_write_to_the_forced_array_is_not_seen_on_the_device(torch, device):
    x = torch.tensor([1.0, 2.0], device=device)
    array = x.numpy(force=True)
    array[:] = 5
    assert x.cpu().tolist() == [1.0, 2.0]
    assert array.tolist() == [5.0, 5.0]


@requirement("device.meta-is-meta")
def test_is_meta_tells_the_meta_device(torch, device):
    assert torch.ones(2, device=device).is_meta is True
    assert torch.ones(2).is_meta is False


@requirement("device.meta-keeps-shape")
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_moving_to_meta_keeps_the_shape(torch, shape):
    moved = torch.ones(shape).to("meta")
    assert moved.device == torch.device("meta")
    assert tuple(moved.shape) == shape


@requirement("device.meta-keeps-dtype")
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "int16", "uint8", "bool"])
def test_moving_to_meta_keeps_the_dtype(torch, dtype):
    moved = torch.ones(2, dtype=getattr(torch, dtype)).to("meta")
    assert moved.device == torch.device("meta")
    assert moved.dtype == getattr(torch, dtype)


@requirement("device.meta-detach-stays")
def test_a_detached_meta_tensor_is_on_meta(torch, device):
    detached = torch.ones(2, device=device, requires_grad=True).detach()
    assert detached.is_meta
    assert not detached.requires_grad


@requirement("device.meta-cpu-raises")
@pytest.mark.parametrize("requires_grad", [False, True])
def test_a_meta_tensor_does_not_move_to_the_host(torch, device, requires_grad):
    x = torch.ones(2, device=device, requires_grad=requires_grad)
    with pytest.raises(NotImplementedError):
        x.cpu()
    with pytest.raises(NotImplementedError):
        x.to("cpu")
    assert torch.ones(2).cpu().tolist() == [1.0, 1.0]  # control
    assert x.to(device) is x  # control


@requirement("device.meta-tolist-raises")
def test_a_meta_tensor_has_no_list(torch, device):
    with pytest.raises(NotImplementedError):
        torch.ones(2, device=device).tolist()
    assert torch.ones(2).tolist() == [1.0, 1.0]  # control


@requirement("device.meta-item-raises")
def test_a_meta_tensor_has_no_item(torch, device):
    with pytest.raises(RuntimeError):
        torch.ones((), device=device).item()
    assert torch.ones(()).item() == 1.0  # control


@requirement("device.meta-force-raises")
def test_force_does_not_convert_a_meta_tensor(torch, device):
    x = torch.ones(2, device=device)
    with pytest.raises(NotImplementedError):
        x.numpy(force=True)
    with pytest.raises(TypeError):
        x.numpy()
    assert torch.ones(2).numpy(force=True).tolist() == [1.0, 1.0]  # control


@requirement("device.absent-cuda-transfer-raises")
def test_a_transfer_to_absent_cuda_is_refused(torch, device):
    x = torch.ones(2, device=device)
    if torch.cuda.is_available():
        assert x.cuda().is_cuda
        assert x.to("cuda").is_cuda
    else:
        with pytest.raises((AssertionError, RuntimeError)):
            x.cuda()
        with pytest.raises((AssertionError, RuntimeError)):
            x.to("cuda")
    assert x.to(torch.float64).tolist() == [1.0, 1.0]  # control


@requirement("device.absent-cuda-factory-raises")
def test_a_factory_on_absent_cuda_is_refused(torch, device):
    if torch.cuda.is_available():
        assert torch.ones(2, device="cuda").is_cuda
    else:
        with pytest.raises((AssertionError, RuntimeError)):
            torch.ones(2, device="cuda")
    assert torch.ones(2, device=device).tolist() == [1.0, 1.0]  # control


@requirement("device.naming-cuda-needs-no-cuda")
def test_cuda_can_be_named_without_cuda(torch):
    assert torch.device("cuda").type == "cuda"
    assert torch.device("cuda").index is None
    assert torch.device("cuda:7").type == "cuda"
    assert torch.device("cuda:7").index == 7
    assert torch.device("cuda") != torch.device("cpu")


@requirement("device.cuda-availability-is-a-bool")
def test_the_availability_of_cuda_is_a_bool(torch):
    assert type(torch.cuda.is_available()) is bool


@requirement("device.unknown-name-raises")
@pytest.mark.parametrize("name", ["nosuch", "host"])
def test_an_unknown_type_of_device_is_refused(torch, name):
    with pytest.raises(RuntimeError):
        torch.device(name)
    assert torch.device("cpu").type == "cpu"  # control
