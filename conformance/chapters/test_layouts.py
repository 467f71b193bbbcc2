"""Tests of spec/layouts.md."""

import pytest

from conformance import requirement
from conformance.witnesses import address

DENSE = [[1.0, 0.0], [0.0, 2.0]]


def coo(torch, device, values=(1.0, 2.0)):
    """The sparse COO matrix with ``values`` on its diagonal."""
    indices = torch.tensor([[0, 1], [0, 1]], device=device)
    return torch.sparse_coo_tensor(indices, torch.tensor(values, device=device), (2, 2))


def quantized(torch, device, dtype="quint8"):
    """The numbers 0, 1 and 1.5, quantised in steps of a half with zero at 1."""
    return torch.quantize_per_tensor(torch.tensor([0.0, 1.0, 1.5], device=device), 0.5, 1, getattr(torch, dtype))


def numbers(torch, device, requires_grad=False):
    """A complex tensor."""
    return torch.tensor([1 + 2j, 3 - 4j], device=device, requires_grad=requires_grad)


def zeros_without_memory(torch, device):
    """A ZeroTensor of two elements."""
    return torch._efficientzerotensor((2,), device=device)


def dispatching(torch):
    """A subclass that defines ``__torch_dispatch__``, which answers nothing."""

    class Dispatching(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    return Dispatching


def assert_message(caught, present, absent):
    """Check that the message of what was raised says one thing and not another."""
    assert present in str(caught.value)
    assert absent not in str(caught.value)


@requirement("layout.coo-raises")
def test_sparse_coo_is_refused(torch, device):
    x = coo(torch, device)
    with pytest.raises(TypeError):
        x.numpy()
    with pytest.raises(TypeError):
        torch.eye(2, device=device).to_sparse().numpy()
    assert torch.eye(2, device=device).numpy().tolist() == [[1.0, 0.0], [0.0, 1.0]]  # control


@requirement("layout.coo-to-dense-converts")
def test_to_dense_makes_sparse_coo_convertible(torch, device):
    dense = coo(torch, device).to_dense()
    assert dense.dtype == torch.float32
    assert dense.numpy().tolist() == DENSE


@requirement("layout.csr-raises")
def test_sparse_csr_is_refused(torch, device):
    x = torch.tensor(DENSE, device=device)
    with pytest.raises(TypeError):
        x.to_sparse_csr().numpy()
    assert x.numpy().tolist() == DENSE  # control


@requirement("layout.csr-to-dense-converts")
def test_to_dense_makes_sparse_csr_convertible(torch, device):
    assert torch.tensor(DENSE, device=device).to_sparse_csr().to_dense().numpy().tolist() == DENSE


@requirement("layout.csc-bsr-bsc-raise")
@pytest.mark.parametrize(
    "method, arguments", [("to_sparse_csc", ()), ("to_sparse_bsr", ((1, 1),)), ("to_sparse_bsc", ((1, 1),))]
)
def test_other_compressed_layouts_are_refused(torch, device, method, arguments):
    x = getattr(torch.tensor(DENSE, device=device), method)(*arguments)
    with pytest.raises(TypeError):
        x.numpy()
    assert x.to_dense().numpy().tolist() == DENSE  # control


@requirement("layout.mkldnn-raises")
def test_mkldnn_is_refused(torch, device):
    x = torch.tensor(DENSE, device=device)
    opaque = x.to_mkldnn()
    with pytest.raises(TypeError):
        opaque.numpy()
    assert x.numpy().tolist() == DENSE  # control


@requirement("layout.mkldnn-to-dense-converts")
def test_to_dense_makes_mkldnn_convertible(torch, device):
    assert torch.tensor(DENSE, device=device).to_mkldnn().to_dense().numpy().tolist() == DENSE


@requirement("layout.force-keeps-layout-refusal")
@pytest.mark.parametrize("method", ["to_sparse", "to_sparse_csr", "to_mkldnn"])
def test_force_does_not_change_the_layout(torch, device, method):
    x = torch.tensor(DENSE, device=device)
    converted = getattr(x, method)()
    with pytest.raises(TypeError):
        converted.numpy(force=True)
    assert x.numpy(force=True).tolist() == DENSE  # control


@requirement("layout.nested-raises")
def test_nested_tensors_are_refused(torch, device):
    x = torch.nested.nested_tensor([torch.ones(2, device=device), torch.ones(1, device=device)])
    with pytest.raises(RuntimeError):
        x.numpy()
    assert [part.numpy().tolist() for part in x.unbind()] == [[1.0, 1.0], [1.0]]  # control


@requirement("layout.quantized-raises")
@pytest.mark.parametrize("dtype", ["quint8", "qint8", "qint32"])
def test_quantised_tensors_are_refused(torch, device, dtype):
    x = quantized(torch, device, dtype)
    with pytest.raises(TypeError):
        x.numpy()
    assert x.dequantize().numpy().tolist() == [0.0, 1.0, 1.5]  # control


@requirement("layout.quantized-force-raises")
@pytest.mark.parametrize("dtype", ["quint8", "qint8", "qint32"])
def test_force_does_not_convert_quantised_tensors(torch, device, dtype):
    x = quantized(torch, device, dtype)
    with pytest.raises(TypeError):
        x.numpy(force=True)
    assert x.dequantize().numpy(force=True).tolist() == [0.0, 1.0, 1.5]  # control


@requirement("layout.dequantize-converts")
@pytest.mark.parametrize("dtype", ["quint8", "qint8", "qint32"])
def test_dequantize_makes_quantised_tensors_convertible(torch, np, device, dtype):
    array = quantized(torch, device, dtype).dequantize().numpy()
    assert array.dtype == np.dtype("float32")
    assert array.tolist() == [0.0, 1.0, 1.5]


@requirement("layout.int-repr-converts")
@pytest.mark.parametrize("dtype, stored", [("quint8", "uint8"), ("qint8", "int8"), ("qint32", "int32")])
def test_int_repr_gives_the_stored_integers(torch, np, device, dtype, stored):
    array = quantized(torch, device, dtype).int_repr().numpy()
    assert array.dtype == np.dtype(stored)
    assert array.tolist() == [1, 3, 4]


@requirement("layout.conj-sets-bit")
def test_conj_sets_the_conjugate_bit(torch, device):
    x = numbers(torch, device)
    assert x.conj().is_conj() is True
    assert x.is_conj() is False


@requirement("layout.conj-aliases")
def test_conj_uses_the_memory_of_the_tensor(torch, device):
    x = numbers(torch, device)
    conjugate = x.conj()
    x.fill_(5 + 6j)
    assert conjugate.tolist() == [5 - 6j, 5 - 6j]


@requirement("layout.conj-raises")
def test_the_conjugate_bit_is_refused(torch, device):
    x = numbers(torch, device)
    with pytest.raises(RuntimeError):
        x.conj().numpy()
    assert x.numpy().tolist() == [1 + 2j, 3 - 4j]  # control


@requirement("layout.conj-computed")
def test_conj_computes(torch, device):
    assert numbers(torch, device).conj().numpy().tolist() == [1 - 2j, 3 + 4j]


@requirement("layout.adjoint-raises")
@pytest.mark.parametrize("take", [lambda x: x.H, lambda x: x.mH, lambda x: x.adjoint()], ids=["H", "mH", "adjoint"])
def test_the_adjoint_of_a_complex_matrix_is_refused(torch, device, take):
    x = torch.tensor([[1 + 2j, 3 - 4j]], device=device)
    with pytest.raises(RuntimeError):
        take(x).numpy()
    assert take(x).resolve_conj().numpy().tolist() == [[1 - 2j], [3 + 4j]]  # control
    assert take(torch.tensor([[1.0, 2.0]], device=device)).numpy().tolist() == [[1.0], [2.0]]  # control


@requirement("layout.conj-refused-without-grad-mode")
def test_the_conjugate_bit_is_refused_without_grad_mode(torch, device):
    x = numbers(torch, device)
    with torch.no_grad():
        with pytest.raises(RuntimeError):
            x.conj().numpy()
        assert x.numpy().tolist() == [1 + 2j, 3 - 4j]  # control


@requirement("layout.detach-keeps-conj-bit")
def test_a_detached_tensor_keeps_the_conjugate_bit(torch, device):
    detached = numbers(torch, device, requires_grad=True).conj().detach()
    assert detached.is_conj() is True
    with pytest.raises(RuntimeError):
        detached.numpy()
    assert detached.resolve_conj().numpy().tolist() == [1 - 2j, 3 + 4j]  # control


@requirement("layout.conj-twice-aliases")
def test_the_second_conj_clears_the_bit(torch, device):
    x = numbers(torch, device)
    array = x.conj().conj().numpy()
    assert array.tolist() == [1 + 2j, 3 - 4j]
    assert address(array) == x.data_ptr()
    array[0] = 7j
    assert x.tolist() == [7j, 3 - 4j]


@requirement("layout.resolve-conj-converts")
def test_resolve_conj_makes_a_tensor_convertible(torch, device):
    assert numbers(torch, device).conj().resolve_conj().numpy().tolist() == [1 - 2j, 3 + 4j]


@requirement("layout.resolve-conj-returns-self")
def test_resolve_conj_without_the_bit_is_the_tensor(torch, device):
    for x in (numbers(torch, device), torch.ones(2, device=device)):
        assert x.resolve_conj() is x
    flagged = numbers(torch, device).conj()
    assert flagged.resolve_conj() is not flagged  # control


@requirement("layout.conj-force-converts")
@pytest.mark.parametrize("requires_grad", [False, True])
def test_force_resolves_the_conjugate_bit(torch, device, requires_grad):
    assert numbers(torch, device, requires_grad).conj().numpy(force=True).tolist() == [1 - 2j, 3 + 4j]


@requirement("layout.conj-force-copies")
def test_force_copies_what_has_the_conjugate_bit(torch, device):
    x = numbers(torch, device)
    array = x.conj().numpy(force=True)
    array[:] = 0
    assert x.tolist() == [1 + 2j, 3 - 4j]
    assert array.tolist() == [0, 0]


@requirement("layout.conj-imag-sets-neg-bit")
def test_the_imaginary_part_of_a_conjugate_has_the_negative_bit(torch, device):
    x = numbers(torch, device)
    assert x.conj().imag.is_neg() is True
    assert x.conj().real.is_neg() is False
    assert x.imag.is_neg() is False


@requirement("layout.minus-sets-no-bit")
def test_minus_computes(torch, device):
    x = torch.tensor([1.0, -2.0], device=device)
    assert (-x).is_neg() is False
    assert (-x).numpy().tolist() == [-1.0, 2.0]
    assert numbers(torch, device).conj().imag.is_neg() is True  # control


@requirement("layout.neg-raises")
def test_the_negative_bit_is_refused(torch, device):
    x = numbers(torch, device)
    with pytest.raises(RuntimeError):
        x.conj().imag.numpy()
    assert x.imag.numpy().tolist() == [2.0, -4.0]  # control
    assert x.conj().real.numpy().tolist() == [1.0, 3.0]  # control


@requirement("layout.conj-imag-computed")
def test_the_imaginary_part_of_a_conjugate_is_computed(torch, device):
    assert numbers(torch, device).conj().imag.numpy().tolist() == [-2.0, 4.0]


@requirement("layout.resolve-neg-converts")
def test_resolve_neg_makes_a_tensor_convertible(torch, device):
    resolved = numbers(torch, device).conj().imag.resolve_neg()
    assert resolved.dtype == torch.float32
    assert resolved.numpy().tolist() == [-2.0, 4.0]


@requirement("layout.neg-force-converts")
@pytest.mark.parametrize("requires_grad", [False, True])
def test_force_resolves_the_negative_bit(torch, device, requires_grad):
    assert numbers(torch, device, requires_grad).conj().imag.numpy(force=True).tolist() == [-2.0, 4.0]


@requirement("layout.neg-force-copies")
def test_force_copies_what_has_the_negative_bit(torch, device):
    x = numbers(torch, device)
    array = x.conj().imag.numpy(force=True)
    array[:] = 0
    assert x.tolist() == [1 + 2j, 3 - 4j]
    assert array.tolist() == [0.0, 0.0]


@requirement("layout.zero-raises")
def test_zeros_without_memory_are_refused(torch, device):
    x = zeros_without_memory(torch, device)
    with pytest.raises(RuntimeError):
        x.numpy()
    assert x.clone().numpy().tolist() == [0.0, 0.0]  # control


@requirement("layout.zero-force-gives-zeros")
def test_force_gives_the_zeros(torch, device):
    x = torch._efficientzerotensor((1000,), device=device)
    with pytest.raises(RuntimeError):  # else zeros would be found there by chance
        x.numpy()
    assert x.numpy(force=True).tolist() == [0.0] * 1000


@requirement("layout.zero-clone-converts")
def test_clone_makes_zeros_without_memory_convertible(torch, device):
    x = torch._efficientzerotensor((1000,), device=device)
    assert x.clone().numpy().tolist() == [0.0] * 1000


@requirement("layout.plain-subclass-gives-plain-array")
def test_a_plain_subclass_becomes_a_plain_array(torch, np, device):
    class Plain(torch.Tensor):
        pass

    x = torch.Tensor._make_subclass(Plain, torch.tensor([1.0, 2.0], device=device))
    assert type(x) is Plain
    array = x.numpy()
    assert type(array) is np.ndarray
    assert array.tolist() == [1.0, 2.0]


@requirement("layout.dispatch-subclass-raises")
def test_a_dispatching_subclass_is_refused(torch, device):
    x = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(RuntimeError):
        torch.Tensor._make_subclass(dispatching(torch), x).numpy()
    assert x.numpy().tolist() == [1.0, 2.0]  # control


@requirement("layout.dispatch-subclass-converts")
def test_a_dispatching_subclass_becomes_a_plain_array(torch, np, device):
    x = torch.Tensor._make_subclass(dispatching(torch), torch.tensor([1.0, 2.0], device=device))
    array = x.numpy()
    assert type(array) is np.ndarray
    assert array.tolist() == [1.0, 2.0]


@requirement("layout.dispatch-subclass-force-raises")
def test_force_does_not_convert_a_dispatching_subclass(torch, device):
    x = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(RuntimeError):
        torch.Tensor._make_subclass(dispatching(torch), x).numpy(force=True)
    assert x.numpy(force=True).tolist() == [1.0, 2.0]  # control


@requirement("layout.vmap-raises")
def test_a_tensor_inside_vmap_is_refused(torch, device):
    seen = []

    def double(x):
        with pytest.raises(RuntimeError) as caught:
            x.numpy()
        seen.append(type(caught.value))
        return x * 2

    result = torch.func.vmap(double)(torch.tensor([1.0, 2.0], device=device))
    assert seen == [RuntimeError]
    assert result.numpy().tolist() == [2.0, 4.0]  # control


@requirement("layout.vmap-force-raises")
def test_force_does_not_convert_a_tensor_inside_vmap(torch, device):
    seen = []

    def double(x):
        with pytest.raises(RuntimeError) as caught:
            x.numpy(force=True)
        seen.append(type(caught.value))
        return x * 2

    result = torch.func.vmap(double)(torch.tensor([1.0, 2.0], device=device))
    assert seen == [RuntimeError]
    assert result.numpy(force=True).tolist() == [2.0, 4.0]  # control


@requirement("layout.sparse-conj-refused-for-layout")
def test_the_conjugate_of_a_sparse_tensor_is_refused_for_its_layout(torch, device):
    x = coo(torch, device, (1 + 2j, 3 - 4j)).conj()
    with pytest.raises(TypeError):
        x.numpy()
    assert x.to_dense().numpy().tolist() == [[1 - 2j, 0], [0, 3 + 4j]]  # control


@requirement("layout.meta-sparse-raises")
def test_a_sparse_tensor_on_meta_is_refused(torch, device):
    x = torch.empty(2, 2, device=device, layout=torch.sparse_coo)
    with pytest.raises(TypeError):
        x.numpy()
    assert x.layout == torch.sparse_coo
    assert torch.empty(2, 2).numpy().shape == (2, 2)  # control


@requirement("layout.meta-sparse-names-layout")
def test_the_refusal_of_a_sparse_tensor_on_meta_names_the_layout(torch, device):
    with pytest.raises(TypeError) as caught:
        torch.empty(2, 2, device=device, layout=torch.sparse_coo).numpy()
    assert_message(caught, "layout", "device")
    with pytest.raises(TypeError) as caught:
        torch.empty(2, 2, device=device).numpy()
    assert_message(caught, "device", "layout")  # control


@requirement("layout.device-refused-before-conj")
def test_the_device_is_refused_before_the_conjugate_bit(torch, device):
    x = numbers(torch, device).conj()
    with pytest.raises(TypeError):
        x.numpy()
    with pytest.raises(RuntimeError):  # control: in host memory it is the bit that is refused
        torch.tensor([1 + 2j]).conj().numpy()
    assert torch.tensor([1 + 2j]).numpy().tolist() == [1 + 2j]  # control


@requirement("layout.grad-named-before-conj")
def test_requiring_grad_is_named_before_the_conjugate_bit(torch, device):
    x = numbers(torch, device, requires_grad=True).conj()
    assert x.is_conj()
    with pytest.raises(RuntimeError) as caught:
        x.numpy()
    assert_message(caught, "requires grad", "conjugate")
    with pytest.raises(RuntimeError) as caught:
        x.detach().numpy()
    assert_message(caught, "conjugate", "requires grad")  # control


@requirement("layout.conj-named-before-neg")
def test_the_conjugate_bit_is_named_before_the_negative_bit(torch, device):
    negated = torch._neg_view(numbers(torch, device))
    x = negated.conj()
    assert x.is_conj() and x.is_neg()
    with pytest.raises(RuntimeError) as caught:
        x.numpy()
    assert_message(caught, "conjugate", "negative")
    with pytest.raises(RuntimeError) as caught:
        negated.numpy()
    assert_message(caught, "negative", "conjugate")  # control


@requirement("layout.grad-named-for-zero")
def test_requiring_grad_is_named_for_zeros_without_memory(torch, device):
    x = zeros_without_memory(torch, device).requires_grad_()
    with pytest.raises(RuntimeError) as caught:
        x.numpy()
    assert_message(caught, "requires grad", "ZeroTensor")


@requirement("layout.zero-named-before-grad")
def test_zeros_without_memory_are_named_before_requiring_grad(torch, device):
    x = zeros_without_memory(torch, device).requires_grad_()
    with pytest.raises(RuntimeError) as caught:
        x.numpy()
    assert_message(caught, "ZeroTensor", "requires grad")
    with pytest.raises(RuntimeError) as caught:
        x.clone().numpy()
    assert_message(caught, "requires grad", "ZeroTensor")  # control


@requirement("layout.subclass-refused-before-layout")
def test_the_subclass_is_refused_before_the_layout(torch, device):
    x = torch.Tensor._make_wrapper_subclass(dispatching(torch), (2, 2), layout=torch.sparse_coo, device=device)
    with pytest.raises(RuntimeError):
        x.numpy()
    with pytest.raises(TypeError):  # control: without the subclass it is the layout that is refused
        coo(torch, device).numpy()


@requirement("layout.layout-refused-before-subclass")
def test_the_layout_is_refused_before_the_subclass(torch, device):
    kind = dispatching(torch)
    x = torch.Tensor._make_wrapper_subclass(kind, (2, 2), layout=torch.sparse_coo, device=device)
    with pytest.raises(TypeError):
        x.numpy()
    with pytest.raises(RuntimeError):  # control: a strided one is refused for the subclass
        torch.Tensor._make_wrapper_subclass(kind, (2, 2), device=device).numpy()


@requirement("layout.subclass-refused-before-device")
def test_the_subclass_is_refused_before_the_device(torch, device):
    x = torch.ones(2, device=device)
    with pytest.raises(RuntimeError):
        torch.Tensor._make_subclass(dispatching(torch), x).numpy()
    with pytest.raises(TypeError):  # control: without the subclass it is the device that is refused
        x.numpy()


@requirement("layout.device-refused-before-subclass")
def test_the_device_is_refused_before_the_subclass(torch, device):
    x = torch.Tensor._make_subclass(dispatching(torch), torch.ones(2, device=device))
    with pytest.raises(TypeError):
        x.numpy()
    assert torch.ones(2).numpy().tolist() == [1.0, 1.0]  # control
