"""Tests of spec/nonexistent.md."""

import inspect
import io
import warnings

import pytest

from conformance import requirement


def assert_absent(owner, name):
    """``owner`` has no attribute ``name``, and looking it up raises AttributeError itself."""
    with pytest.raises(AttributeError):
        getattr(owner, name)
    assert name not in dir(owner)


def assert_tensor_lacks(torch, device, name, real):
    """Neither tensors nor the class ``torch.Tensor`` have ``name``; tensors have the method ``real``."""
    x = torch.ones(2, device=device)
    assert_absent(x, name)
    assert_absent(x.requires_grad_(), name)
    assert_absent(torch.Tensor, name)
    assert callable(getattr(x, real))  # control


def array_of(torch, np, device):
    """An array made from a tensor on ``device``."""
    array = torch.ones(2, device=device).cpu().numpy()
    assert type(array) is np.ndarray
    assert array.tolist() == [1.0, 1.0]
    return array


@requirement("absent.to-numpy")
def test_to_numpy_is_not_there(torch, device):
    assert_tensor_lacks(torch, device, "to_numpy", "numpy")


@requirement("absent.asnumpy")
def test_asnumpy_is_not_there(torch, device):
    assert_tensor_lacks(torch, device, "asnumpy", "numpy")


@requirement("absent.as-numpy")
def test_as_numpy_is_not_there(torch, device):
    assert_tensor_lacks(torch, device, "as_numpy", "numpy")


@requirement("absent.tonumpy")
def test_tonumpy_is_not_there(torch, device):
    assert_tensor_lacks(torch, device, "tonumpy", "numpy")


@requirement("absent.to-array")
def test_to_array_is_not_there(torch, device):
    assert_tensor_lacks(torch, device, "to_array", "numpy")


@requirement("absent.to-list")
def test_to_list_is_not_there(torch, device):
    assert_tensor_lacks(torch, device, "to_list", "tolist")


@requirement("absent.memory-format-method")
def test_memory_format_is_no_method(torch, device):
    assert_tensor_lacks(torch, device, "memory_format", "element_size")


@requirement("absent.no-grad-method")
def test_no_grad_is_no_method(torch, device):
    assert_tensor_lacks(torch, device, "no_grad", "requires_grad_")
    with torch.no_grad():  # control
        assert (torch.ones(2, device=device, requires_grad=True) * 2).requires_grad is False


@requirement("absent.var-is-a-method")
def test_var_is_a_method_and_has_no_detach(torch, device):
    x = torch.ones(2, device=device, requires_grad=True)
    assert callable(x.var)
    assert_absent(x.var, "detach")
    assert x.detach().requires_grad is False  # control


@requirement("absent.array-interface")
def test_the_array_interface_is_not_there(torch, device):
    assert_tensor_lacks(torch, device, "__array_interface__", "__array__")
    assert "data" in torch.ones(2).numpy().__array_interface__  # control


@requirement("absent.buffer-protocol")
def test_a_tensor_is_no_buffer(torch, device):
    with pytest.raises(TypeError):
        memoryview(torch.ones(2, device=device))
    assert memoryview(torch.ones(2).numpy()).nbytes == 8  # control


@requirement("absent.torch-numpy")
def test_torch_has_no_numpy(torch, device):
    assert_absent(torch, "numpy")
    assert callable(torch.ones(2, device=device).numpy)  # controls
    assert callable(torch.from_numpy)


@requirement("absent.torch-to-numpy")
def test_torch_has_no_to_numpy(torch, device):
    assert_absent(torch, "to_numpy")
    assert callable(torch.ones(2, device=device).numpy)  # controls
    assert callable(torch.from_numpy)


@requirement("absent.torch-memory-format-is-a-type")
def test_memory_format_is_a_type(torch):
    assert isinstance(torch.memory_format, type)
    assert type(torch.contiguous_format) is torch.memory_format
    assert type(torch.channels_last) is torch.memory_format
    assert torch.contiguous_format != torch.channels_last


@requirement("absent.contiguous-takes-a-memory-format")
def test_contiguous_takes_a_memory_format(torch, device):
    x = torch.ones(2, 3, 4, 5, device=device)
    assert x.contiguous(memory_format=torch.channels_last).stride() == (60, 1, 15, 3)
    assert x.contiguous(memory_format=torch.contiguous_format).stride() == (60, 20, 5, 1)  # control


@requirement("absent.ndarray-requires-grad")
def test_an_array_has_no_requires_grad(torch, np, device):
    array = array_of(torch, np, device)
    assert_absent(array, "requires_grad")
    assert torch.from_numpy(array).requires_grad is False  # control


@requirement("absent.ndarray-requires-grad-cannot-be-set")
def test_requires_grad_of_an_array_cannot_be_set(torch, np, device):
    array = array_of(torch, np, device)
    with pytest.raises(AttributeError):
        array.requires_grad = True
    with pytest.raises(AttributeError):
        array.requires_grad = False
    tensor = torch.from_numpy(array)  # control
    tensor.requires_grad = True
    assert tensor.requires_grad is True


@requirement("absent.ndarray-detach")
def test_an_array_has_no_detach(torch, np, device):
    array = array_of(torch, np, device)
    assert_absent(array, "detach")
    assert torch.from_numpy(array).detach().tolist() == [1.0, 1.0]  # control


@requirement("absent.ndarray-cpu")
def test_an_array_has_no_cpu(torch, np, device):
    array = array_of(torch, np, device)
    assert_absent(array, "cpu")
    assert torch.from_numpy(array).cpu().tolist() == [1.0, 1.0]  # control


@requirement("absent.ndarray-numpy")
def test_an_array_has_no_numpy(torch, np, device):
    array = array_of(torch, np, device)
    assert_absent(array, "numpy")
    assert torch.from_numpy(array).numpy().tolist() == [1.0, 1.0]  # control


@requirement("absent.ndarray-backward")
def test_an_array_has_no_backward(torch, np, device):
    array = array_of(torch, np, device)
    assert_absent(array, "backward")
    assert callable(torch.from_numpy(array).backward)  # control


@requirement("absent.onnx-package-export")
def test_the_onnx_package_has_no_export(torch):
    onnx = pytest.importorskip("onnx")
    assert_absent(onnx, "export")
    assert callable(onnx.load)  # controls
    assert callable(torch.onnx.export)


@requirement("absent.onnx-export-refuses-a-tensor")
def test_onnx_export_refuses_a_tensor_as_the_model(torch, device):
    options = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}

    def exported(model, argument):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(model, (argument,), io.BytesIO(), **options)

    x = torch.ones(2, device=device)
    with pytest.raises(AttributeError):
        exported(x, x)
    try:
        exported(torch.nn.Linear(2, 1), torch.ones(2))
    except Exception as error:  # control: a module is at most refused for a package that is not installed
        assert "onnx" in str(error).lower()
        assert not isinstance(error, AttributeError)
