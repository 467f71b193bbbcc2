"""Tests of spec/cost.md."""

import gc
import weakref

import pytest

from conformance import requirement
from conformance.timing import ratio
from conformance.witnesses import address

MANY = 10000000


def alive(seen):
    """How many objects of the weak references in ``seen`` are there, also after a collection of garbage."""
    if any(reference() is not None for reference in seen):
        gc.collect()
    return sum(1 for reference in seen if reference() is not None)


@requirement("cost.million-floats-bytes")
def test_a_million_float32_take_four_million_bytes(torch, device):
    x = torch.empty(1000, 1000, dtype=torch.float32, device=device)
    assert x.element_size() * x.numel() == 4000000
    y = torch.empty(1000, 1000, dtype=torch.float64, device=device)
    assert y.element_size() * y.numel() == 8000000  # control


@requirement("cost.numpy-allocates-nothing")
@pytest.mark.parametrize("count", [1, 1000, MANY])
def test_numpy_allocates_no_data(torch, device, count):
    x = torch.empty(count, device=device)
    exported = x.numpy()
    assert exported.shape == (count,)
    assert address(exported) == x.data_ptr()
    assert x.clone().data_ptr() != x.data_ptr()  # control


@requirement("cost.asarray-allocates-nothing")
@pytest.mark.parametrize("count", [1, 1000, MANY])
def test_asarray_allocates_no_data(torch, np, device, count):
    x = torch.empty(count, device=device)
    exported = np.asarray(x)
    assert exported.shape == (count,)
    assert address(exported) == x.data_ptr()
    assert address(np.asarray(x, dtype=np.float64)) != x.data_ptr()  # control


@requirement("cost.detach-allocates-nothing")
@pytest.mark.parametrize("count", [1, 1000, MANY])
def test_detach_allocates_no_data(torch, device, count):
    x = torch.empty(count, device=device)
    detached = x.detach()
    assert detached.shape == (count,)
    detached.fill_(3)
    assert x[-1].tolist() == 3.0
    x.fill_(5)
    assert detached[-1].tolist() == 5.0
    x.clone().fill_(7)
    assert x[-1].tolist() == 5.0  # control


@requirement("cost.detach-before-numpy-saves-nothing")
def test_numpy_is_no_larger_than_detach_and_numpy(torch, device):
    x = torch.ones(1000, device=device)
    direct = x.numpy()
    detached = x.detach().numpy()
    assert address(direct) == address(detached) == x.data_ptr()
    assert direct.nbytes == detached.nbytes == 4000


@requirement("cost.rebinding-frees-no-data")
def test_rebinding_to_the_detached_tensor_frees_no_data(torch, np):
    source = np.zeros(1000)
    seen = [weakref.ref(source)]
    x = torch.from_numpy(source).requires_grad_()
    del source
    before = x.data_ptr()
    x = x.detach()
    assert alive(seen) == 1
    assert x.data_ptr() == before
    x = x.clone()
    assert alive(seen) == 0  # control
    assert x.shape == (1000,)


@requirement("cost.slice-array-keeps-whole-storage")
def test_the_array_of_a_slice_keeps_the_whole_storage(torch, np):
    def first(copied):
        source = np.zeros(1000)
        x = torch.from_numpy(source)
        part = x[:1].clone() if copied else x[:1]
        return part.numpy(), [weakref.ref(source)]

    exported, seen = first(copied=False)
    assert exported.nbytes == 8
    assert alive(seen) == 1
    exported, seen = first(copied=True)
    assert exported.nbytes == 8
    assert alive(seen) == 0  # control


def combined(torch, np, combine):
    """A leaf combined with ten tensors one after another: the last result, and weak references to the tensors' memory.

    Each of the ten tensors lives in the memory of an array that nobody else refers to.
    """
    y = torch.ones(4, dtype=torch.float64, requires_grad=True)
    seen = []
    for _ in range(10):
        source = np.full(4, 2.0)
        seen.append(weakref.ref(source))
        y = combine(y, torch.from_numpy(source))
    return y, seen


def product(torch, np):
    """The last result of ten multiplications, and weak references to the memory of the ten factors."""
    return combined(torch, np, lambda y, factor: y * factor)


@requirement("cost.history-keeps-operands")
def test_the_history_keeps_the_factors(torch, np):
    y, seen = product(torch, np)
    assert alive(seen) == 10
    assert y.tolist() == [1024.0] * 4

    plain, seen = combined(torch, np, lambda y, factor: y.detach() * factor)
    assert alive(seen) == 0  # control: nothing is recorded
    assert plain.tolist() == [1024.0] * 4


@requirement("cost.history-freed-with-result")
def test_the_factors_are_freed_with_the_result(torch, np):
    y, seen = product(torch, np)
    assert alive(seen) == 10
    assert y.requires_grad
    del y
    assert alive(seen) == 0


@requirement("cost.detach-call-frees-nothing")
def test_the_factors_are_kept_when_the_result_was_detached(torch, np):
    y, seen = product(torch, np)
    detached = y.detach()
    assert alive(seen) == 10
    assert detached.tolist() == y.tolist() == [1024.0] * 4


@requirement("cost.detached-tensor-keeps-no-history")
def test_the_factors_are_freed_when_only_the_detached_tensor_is_kept(torch, np):
    y, seen = product(torch, np)
    detached = y.detach()
    assert alive(seen) == 10
    del y
    assert alive(seen) == 0
    assert detached.tolist() == [1024.0] * 4


@requirement("cost.array-keeps-no-history")
def test_the_factors_are_freed_when_only_the_array_is_kept(torch, np):
    y, seen = product(torch, np)
    exported = y.detach().numpy()
    assert alive(seen) == 10
    del y
    assert alive(seen) == 0
    assert exported.tolist() == [1024.0] * 4


@requirement("cost.no-grad-array-keeps-history")
def test_the_array_made_in_no_grad_keeps_the_factors(torch, np):
    y, seen = product(torch, np)
    with torch.no_grad():
        exported = y.numpy()
    del y
    assert alive(seen) == 10
    del exported
    assert alive(seen) == 0  # control


@requirement("cost.no-grad-array-keeps-no-history")
def test_the_array_made_in_no_grad_does_not_keep_the_factors(torch, np):
    y, seen = product(torch, np)
    with torch.no_grad():
        exported = y.numpy()
    assert alive(seen) == 10
    del y
    assert alive(seen) == 0
    assert exported.tolist() == [1024.0] * 4


@requirement("cost.no-grad-keeps-no-operands")
def test_no_factor_is_kept_in_no_grad(torch, np):
    with torch.no_grad():
        y, seen = product(torch, np)
    assert alive(seen) == 0
    assert y.tolist() == [1024.0] * 4
    y, seen = product(torch, np)
    assert alive(seen) == 10  # control
    assert y.requires_grad


@requirement("cost.sums-keep-no-operands")
def test_no_term_of_a_sum_is_kept(torch, np):
    y, seen = combined(torch, np, lambda y, term: y + term)
    assert y.requires_grad
    assert y.tolist() == [21.0] * 4
    assert alive(seen) == 0
    y, seen = product(torch, np)
    assert alive(seen) == 10  # control
    assert y.requires_grad


@requirement("cost.backward-frees-operands")
def test_backward_frees_the_factors(torch, np):
    y, seen = product(torch, np)
    assert alive(seen) == 10
    y.sum().backward()
    assert alive(seen) == 0
    assert y.grad_fn is not None


@requirement("cost.retain-graph-keeps-operands")
def test_backward_keeps_the_factors_if_told_to(torch, np):
    y, seen = product(torch, np)
    y.sum().backward(retain_graph=True)
    assert alive(seen) == 10
    y.sum().backward()
    assert alive(seen) == 0  # control


@requirement("cost.second-backward-raises")
def test_a_second_backward_raises(torch, device):
    ones = torch.ones(2, device=device)
    x = torch.ones(2, requires_grad=True, device=device)
    y = x * x
    y.backward(ones)
    with pytest.raises(RuntimeError):
        y.backward(ones)
    y = x * x
    y.backward(ones, retain_graph=True)
    y.backward(ones)  # control
    assert x.grad.shape == (2,)


@requirement("cost.numpy-time-independent-of-size")
def test_numpy_takes_no_longer_for_more_elements(torch, device):
    small = torch.empty(10, device=device)
    large = torch.empty(MANY, device=device)
    assert ratio(large.numpy, small.numpy, repeats=20, rounds=101) < 2, (
        "the large tensor takes twice as long, or longer"
    )
    assert ratio(large.clone, small.clone, repeats=1, rounds=3) > 2  # control


@requirement("cost.detach-time-independent-of-size")
def test_detach_takes_no_longer_for_more_elements(torch, device):
    small = torch.empty(10, device=device)
    large = torch.empty(MANY, device=device)
    assert ratio(large.detach, small.detach, repeats=20, rounds=101) < 2, (
        "the large tensor takes twice as long, or longer"
    )
    assert ratio(large.clone, small.clone, repeats=1, rounds=3) > 2  # control


@requirement("cost.asarray-slower-than-numpy")
def test_asarray_takes_longer_than_numpy(torch, np, device):
    x = torch.ones(2, device=device)
    found = ratio(lambda: np.asarray(x), lambda: x.numpy(), repeats=20, rounds=201)
    assert found > 1, "numpy() takes at least as long as asarray()"
