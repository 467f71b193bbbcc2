"""Tests of spec/hazards.md."""

import copy
import gc
import pickle
import weakref
from multiprocessing.reduction import ForkingPickler

import pytest

from conformance import requirement
from conformance.child import ChildEnded, in_child
from conformance.witnesses import address


def kept_after(torch, np, change):
    """Whether the memory of an array from ``numpy()`` is still there after ``change(tensor)``. Reads nothing of it.

    The tensor is made from an array, and lives in the memory of that array. This is released as soon as nobody
    refers to it any more, which a weak reference shows.
    """
    source = np.zeros(4)
    seen = weakref.ref(source)
    x = torch.from_numpy(source)
    exported = x.numpy()
    del source
    change(x)
    if seen() is not None:
        gc.collect()
    return seen() is not None and exported.shape == (4,)


def nothing(x):
    """A change that changes nothing."""


@requirement("hazard.share-memory-moves-tensor")
def test_share_memory_moves_the_tensor_and_not_its_array(torch, device):
    def child():
        x = torch.ones(3, device=device)
        exported = x.numpy()
        before = address(exported) == x.data_ptr()
        x.share_memory_()
        return before, address(exported) == x.data_ptr(), x.tolist()

    assert in_child(child) == (True, False, [1.0, 1.0, 1.0])

    def shared_first():
        x = torch.ones(3, device=device)
        x.share_memory_()
        exported = x.numpy()
        x.share_memory_()
        return address(exported) == x.data_ptr()

    assert in_child(shared_first)  # control


@requirement("hazard.share-memory-separates-array")
def test_share_memory_separates_the_tensor_from_its_array(torch, np):
    def child():
        source = np.zeros(4)  # keeps the memory, so that it can be read
        x = torch.from_numpy(source)
        exported = x.numpy()
        x.fill_(3)
        before = exported.tolist()
        x.share_memory_()
        x.fill_(7)
        return before, exported.tolist(), x.tolist()

    assert in_child(child) == ([3.0] * 4, [3.0] * 4, [7.0] * 4)


@requirement("hazard.share-memory-frees-array-memory")
def test_share_memory_releases_the_memory_of_the_array(torch, np):
    assert in_child(lambda: kept_after(torch, np, nothing))  # control
    assert not in_child(lambda: kept_after(torch, np, lambda x: x.share_memory_()))


@requirement("hazard.sending-to-process-frees-array-memory")
def test_pickling_for_another_process_releases_the_memory_of_the_array(torch, np):
    assert in_child(lambda: kept_after(torch, np, pickle.dumps))  # control
    assert not in_child(lambda: kept_after(torch, np, ForkingPickler.dumps))


@requirement("hazard.set-frees-array-memory")
def test_set_releases_the_memory_of_the_array(torch, np):
    assert in_child(lambda: kept_after(torch, np, nothing))  # control
    assert not in_child(lambda: kept_after(torch, np, lambda x: x.set_(torch.zeros(9, dtype=x.dtype))))


@requirement("hazard.data-assignment-frees-array-memory")
def test_assignment_to_data_releases_the_memory_of_the_array(torch, np):
    def assign(x):
        x.data = torch.zeros(9, dtype=x.dtype)

    assert in_child(lambda: kept_after(torch, np, nothing))  # control
    assert not in_child(lambda: kept_after(torch, np, assign))


@requirement("hazard.dlpack-export-leaves-storage-resizable")
def test_growth_after_a_dlpack_export_is_not_refused(torch, np, device):
    def child():
        x = torch.ones(3, device=device)
        exported = np.from_dlpack(x)
        before = address(exported) == x.data_ptr()
        x.resize_(100000)
        return before, address(exported) == x.data_ptr(), tuple(x.shape)

    assert in_child(child) == (True, False, (100000,))

    def locked():
        x = torch.ones(3, device=device)
        exported = x.numpy()
        try:
            x.resize_(100000)
        except RuntimeError:
            return address(exported) == x.data_ptr()
        return False

    assert in_child(locked)  # control


@requirement("hazard.refused-growth-changes-shape")
def test_a_refused_growth_changes_the_shape(torch, device):
    def child():
        x = torch.ones(2, device=device)
        exported = x.numpy()
        try:
            x.resize_(10, 10)
        except RuntimeError:
            return tuple(x.shape), x.storage().size(), exported.tolist()
        return "not refused"

    assert in_child(child) == ((10, 10), 2, [1.0, 1.0])


@requirement("hazard.dlpack-ignores-negative-bit")
def test_from_dlpack_reads_a_negated_view_with_the_wrong_sign(torch, np, device):
    x = torch.tensor([1 + 2j, 3 - 4j], device=device).conj().imag
    assert x.is_neg()
    assert x.tolist() == [-2.0, 4.0]
    assert np.from_dlpack(x).tolist() == [2.0, -4.0]
    assert np.from_dlpack(x.resolve_neg()).tolist() == [-2.0, 4.0]  # control


def uninitialised(np, make, export):
    """Whether ``export(make())`` is an array of 3 float32 in memory of its own, with what NumPy's memory held before.

    NumPy hands a small block of memory that was just released to the next array of that size.
    """
    for _ in range(20):
        x = make()
        released = np.full(3, 7, dtype=np.float32)
        del released
        exported = export(x)
        if exported.shape == (3,) and exported.flags.owndata and exported.tolist() == [7.0, 7.0, 7.0]:
            return True
    return False


@requirement("hazard.zero-tensor-array-uninitialised")
def test_numpy_of_a_zero_tensor_is_uninitialised(torch, np, device):
    def zeros():
        return torch._efficientzerotensor((3,), device=device)

    assert in_child(lambda: uninitialised(np, zeros, lambda x: x.numpy()))
    assert not in_child(lambda: uninitialised(np, zeros, lambda x: x.clone().numpy()))  # control
    assert zeros().clone().numpy().tolist() == [0.0, 0.0, 0.0]


@requirement("hazard.dlpack-zero-tensor-uninitialised")
def test_from_dlpack_of_a_zero_tensor_is_uninitialised(torch, np, device):
    def zeros():
        return torch._efficientzerotensor((3,), device=device)

    assert in_child(lambda: uninitialised(np, zeros, np.from_dlpack))
    assert not in_child(lambda: uninitialised(np, zeros, lambda x: np.from_dlpack(x.clone())))  # control
    assert np.from_dlpack(zeros().clone()).tolist() == [0.0, 0.0, 0.0]


@requirement("hazard.emptied-storage-array-uninitialised")
def test_numpy_of_a_tensor_with_an_emptied_storage_is_uninitialised(torch, np, device):
    def full():
        return torch.ones(3, device=device)

    def emptied():
        x = full()
        getattr(x, "untyped_storage", x.storage)().resize_(0)
        return x

    assert in_child(lambda: uninitialised(np, emptied, lambda x: x.numpy()))
    assert not in_child(lambda: uninitialised(np, full, lambda x: x.numpy()))  # control


def from_dlpack_reversed(torch, np):
    """What ``torch.from_dlpack`` makes of the elements 3, 2, 1, 0 of an array of eight: values, or an error's type."""
    try:
        return torch.from_dlpack(np.arange(8)[3::-1]).tolist()
    except Exception as error:
        return type(error).__name__


@requirement("hazard.negative-stride-dlpack-misread")
def test_from_dlpack_misreads_a_negative_stride(torch, np):
    assert torch.from_dlpack(np.arange(8)[:4]).tolist() == [0, 1, 2, 3]  # control
    assert in_child(lambda: from_dlpack_reversed(torch, np)) == [3, 4, 5, 6]


@requirement("hazard.negative-stride-dlpack-aborts")
def test_from_dlpack_of_a_negative_stride_ends_the_process(torch, np):
    assert in_child(lambda: torch.from_dlpack(np.arange(8)[:4]).tolist()) == [0, 1, 2, 3]  # control
    with pytest.raises(ChildEnded):
        in_child(lambda: from_dlpack_reversed(torch, np))


@requirement("hazard.negative-stride-dlpack-raises")
def test_from_dlpack_refuses_a_negative_stride(torch, np):
    assert torch.from_dlpack(np.arange(8)[:4]).tolist() == [0, 1, 2, 3]  # control
    assert in_child(lambda: from_dlpack_reversed(torch, np)) == "RuntimeError"


@requirement("hazard.read-only-memory-written")
def test_a_read_only_array_is_written_through_from_numpy_and_numpy(torch, np):
    def child():
        source = np.zeros(3)
        source.setflags(write=False)
        exported = torch.from_numpy(source).numpy()
        exported[0] = 7
        return source.flags.writeable, exported.flags.writeable, source.tolist()

    assert in_child(child) == (False, True, [7.0, 0.0, 0.0])


@requirement("hazard.read-only-memory-written")
def test_a_bytes_object_is_written_through_from_numpy_and_numpy(torch, np):
    def child():
        text = bytes(bytearray([1, 2, 3]))
        torch.from_numpy(np.frombuffer(text, dtype=np.uint8)).numpy()[0] = 7
        return list(text)

    assert in_child(child) == [7, 2, 3]


@requirement("hazard.dlpack-read-only-memory-written")
def test_a_read_only_array_is_written_through_from_dlpack(torch, np):
    def child():
        source = np.zeros(3)
        source.setflags(write=False)
        torch.from_dlpack(source)[0] = 7
        return source.flags.writeable, source.tolist()

    assert in_child(child) == (False, [7.0, 0.0, 0.0])


@requirement("hazard.gradient-in-hook-has-one-element")
def test_a_write_to_one_element_of_a_gradient_in_a_hook_changes_all(torch, device):
    strides = []

    def hook(gradient):
        exported = gradient.numpy()
        strides.append(exported.strides)
        exported[0] = 5

    x = torch.ones(3, requires_grad=True, device=device)
    y = x * 3
    y.register_hook(hook)
    y.sum().backward()
    assert strides == [(0,)]
    assert x.grad.tolist() == [15.0, 15.0, 15.0]

    x.grad = None
    y = x * 3
    y.register_hook(hook)
    y.backward(torch.ones(3, device=device))  # control: a gradient with memory for each element
    assert strides == [(0,), (4,)]
    assert x.grad.tolist() == [15.0, 3.0, 3.0]


@requirement("hazard.deepcopy-separates-array")
def test_deepcopy_separates_a_tensor_from_its_array(torch, device):
    x = torch.zeros(2, device=device)
    copied, exported = copy.deepcopy([x, x.numpy()])
    exported[:] = 7
    assert copied.tolist() == [0.0, 0.0]
    one, other = copy.deepcopy([x, x.view(2)])
    other.fill_(7)
    assert one.tolist() == [7.0, 7.0]  # control
