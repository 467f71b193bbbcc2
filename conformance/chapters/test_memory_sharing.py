"""Tests of spec/memory_sharing.md."""

import gc
import weakref

import pytest

from conformance import requirement
from conformance.child import in_child
from conformance.witnesses import address, assert_aliases, assert_separate


def alive(seen):
    """Whether the object of the weak reference ``seen`` is there, also after a collection of garbage."""
    if seen() is not None:
        gc.collect()
    return seen() is not None


@requirement("memory.array-fresh-object")
def test_each_call_returns_another_object(torch, device):
    x = torch.ones(2, device=device)
    first = x.numpy()
    second = x.numpy()
    assert first is not second
    assert first.tolist() == second.tolist() == [1.0, 1.0]


@requirement("memory.array-exact-type")
def test_the_type_is_ndarray(torch, np, device):
    x = torch.ones(2, device=device)
    assert type(x.numpy()) is np.ndarray
    assert type(torch.nn.Parameter(x, requires_grad=False).numpy()) is np.ndarray


@requirement("memory.zero-dim-array")
def test_a_tensor_without_dimensions_gives_such_an_array(torch, np, device):
    exported = torch.tensor(2.0, device=device).numpy()
    assert type(exported) is np.ndarray
    assert exported.shape == ()
    assert exported.tolist() == 2.0


@requirement("memory.shape-kept")
@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (2, 1, 3)])
def test_the_shape_is_kept(torch, device, shape):
    assert torch.zeros(shape, device=device).numpy().shape == shape


@requirement("memory.empty-shape-kept")
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 4)])
def test_the_shape_of_an_empty_tensor_is_kept(torch, device, shape):
    assert torch.zeros(shape, device=device).numpy().shape == shape


@requirement("memory.empty-dtype-kept")
@pytest.mark.parametrize("name", ["float64", "float32", "int64", "int32", "int16", "uint8"])
def test_the_dtype_of_an_empty_tensor_is_kept(torch, device, name):
    x = torch.zeros((0, 3), dtype=getattr(torch, name), device=device)
    assert x.numpy().dtype.name == name


@requirement("memory.array-writeable")
def test_the_array_is_writeable(torch, device):
    assert torch.ones(2, device=device).numpy().flags.writeable
    assert torch.ones(2, 3, device=device).t().numpy().flags.writeable


@requirement("memory.expanded-array-writeable")
def test_the_array_of_an_expanded_tensor_is_writeable(torch, np, device):
    assert torch.ones(1, device=device).expand(3).numpy().flags.writeable
    assert not np.broadcast_to(np.ones(1), (3,)).flags.writeable  # control: the flag tells


@requirement("memory.array-owns-no-data")
def test_the_array_does_not_own_its_data(torch, device):
    exported = torch.ones(2, device=device).numpy()
    assert not exported.flags.owndata
    assert exported.copy().flags.owndata  # control: the flag tells


@requirement("memory.array-begins-at-data-ptr")
def test_the_array_begins_where_the_tensor_does(torch, device):
    x = torch.ones(4, device=device)
    assert address(x.numpy()) == x.data_ptr()
    part = x[1:]
    assert address(part.numpy()) == part.data_ptr() == x.data_ptr() + x.element_size()


@requirement("memory.tensor-write-seen-in-array")
def test_a_write_to_the_tensor_is_seen_in_the_array(torch, device):
    x = torch.zeros(3, device=device)
    exported = x.numpy()
    x[0] = 7
    assert exported.tolist() == [7.0, 0.0, 0.0]
    x.add_(1)
    assert exported.tolist() == [8.0, 1.0, 1.0]


@requirement("memory.array-write-seen-in-tensor")
def test_a_write_to_the_array_is_seen_in_the_tensor(torch, device):
    x = torch.zeros(3, device=device)
    exported = x.numpy()
    exported[0] = 7
    assert x.tolist() == [7.0, 0.0, 0.0]
    exported += 1
    assert x.tolist() == [8.0, 1.0, 1.0]


@requirement("memory.arrays-alias-each-other")
def test_two_arrays_of_a_tensor_alias_each_other(torch, device):
    x = torch.zeros(3, device=device)
    assert_aliases(x.numpy(), x.numpy())


@requirement("memory.shared-for-each-dtype")
@pytest.mark.parametrize("name", ["float64", "float32", "int64", "int32", "int16", "uint8"])
def test_the_memory_is_shared_for_each_dtype(torch, device, name):
    x = torch.zeros(3, dtype=getattr(torch, name), device=device)
    assert_aliases(x, x.numpy())


@requirement("memory.strides-in-bytes")
@pytest.mark.parametrize("name", ["float64", "float32", "uint8"])
def test_strides_are_those_of_the_tensor_in_bytes(torch, device, name):
    x = torch.zeros(4, 1, 6, dtype=getattr(torch, name), device=device)
    size = x.element_size()
    assert x.numpy().strides == (6 * size, 6 * size, size)
    assert x.transpose(0, 2).numpy().strides == (size, 6 * size, 6 * size)
    assert x[::2, :, 1::3].numpy().strides == (12 * size, 6 * size, 3 * size)
    for view in (x, x.transpose(0, 2), x[::2, :, 1::3], x[:1], x.expand(4, 5, 6)):
        assert view.numpy().strides == tuple(stride * size for stride in view.stride())


@requirement("memory.noncontiguous-shared")
def test_a_transposed_tensor_is_not_copied(torch, device):
    x = torch.zeros(2, 3, device=device).t()
    assert_aliases(x, x.numpy())


@requirement("memory.noncontiguous-shared")
def test_a_slice_with_a_step_and_an_offset_is_not_copied(torch, device):
    whole = torch.zeros(4, 6, device=device)
    part = whole[1::2, 2::3]
    exported = part.numpy()
    assert_aliases(part, exported)
    exported[:] = 7
    assert whole[1].tolist() == [0.0, 0.0, 7.0, 0.0, 0.0, 7.0]
    assert whole.sum().tolist() == 28.0


@requirement("memory.channels-last-strides")
def test_channels_last_is_not_reordered(torch, device):
    x = torch.zeros(1, 2, 3, 4, device=device).contiguous(memory_format=torch.channels_last)
    assert x.numpy().strides == (96, 4, 32, 8)
    assert address(x.numpy()) == x.data_ptr()
    assert torch.zeros(1, 2, 3, 4, device=device).numpy().strides == (96, 48, 16, 4)  # control


@requirement("memory.expanded-stride-zero")
def test_an_expanded_dimension_has_the_stride_zero(torch, device):
    x = torch.zeros(2, 1, device=device)
    assert x.expand(2, 3).numpy().strides == (4, 0)
    assert x.expand(5, 2, 3).numpy().strides == (0, 4, 0)
    assert address(x.expand(2, 3).numpy()) == x.data_ptr()


@requirement("memory.expanded-write-changes-all")
def test_one_write_changes_all_elements_of_an_expanded_tensor(torch, device):
    x = torch.zeros(2, 1, device=device)
    exported = x.expand(2, 3).numpy()
    exported[1, 2] = 7
    assert exported.tolist() == [[0.0, 0.0, 0.0], [7.0, 7.0, 7.0]]
    assert x.tolist() == [[0.0], [7.0]]


@requirement("memory.array-keeps-memory")
def test_the_array_has_its_elements_after_the_tensor_is_gone(torch, device):
    def child():
        x = torch.arange(1000, device=device)
        exported = x.numpy()
        del x
        others = [torch.zeros(1000, dtype=torch.int64, device=device) for _ in range(100)]
        return exported.tolist(), len(others)

    assert in_child(child) == (list(range(1000)), 100)


@requirement("memory.array-keeps-memory")
def test_the_array_keeps_what_the_tensor_was_made_from(torch, np):
    source = np.arange(3.0)
    seen = weakref.ref(source)
    x = torch.from_numpy(source)
    exported = x.numpy()
    del source, x
    assert alive(seen)
    assert exported.tolist() == [0.0, 1.0, 2.0]


@requirement("memory.memory-released-at-last")
def test_the_memory_is_released_when_tensor_and_arrays_are_gone(torch, np):
    source = np.arange(3.0)
    seen = weakref.ref(source)
    x = torch.from_numpy(source)
    first = x.numpy()
    second = x.numpy()
    del source, x, first
    assert seen() is not None
    assert second.tolist() == [0.0, 1.0, 2.0]
    del second
    assert not alive(seen)


@requirement("memory.base-is-a-tensor")
def test_base_is_a_tensor(torch, device):
    exported = torch.ones(2, device=device).numpy()
    assert isinstance(exported.base, torch.Tensor)
    assert not isinstance(exported.copy().base, torch.Tensor)  # control


@requirement("memory.base-is-the-tensor")
def test_base_is_the_tensor_itself(torch, device):
    x = torch.ones(2, device=device)
    assert x.numpy().base is x


@requirement("memory.base-is-another-tensor")
def test_base_is_another_tensor_on_the_same_memory(torch, device):
    x = torch.ones(2, device=device)
    base = x.numpy().base
    assert isinstance(base, torch.Tensor)
    assert base is not x
    assert base.data_ptr() == x.data_ptr()


@requirement("memory.base-requires-no-grad")
def test_base_requires_no_grad(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        base = x.numpy().base
    assert isinstance(base, torch.Tensor)
    assert not base.requires_grad
    assert x.requires_grad  # control


def outlives(x):
    """Whether the tensor object in the list ``x``, which is emptied, lives as long as its array, and after that."""
    seen = weakref.ref(x[0])
    exported = x[0].numpy()
    x.clear()
    with_array = alive(seen)
    assert exported.shape == (2,)
    del exported
    return with_array, alive(seen)


@requirement("memory.array-keeps-tensor-object")
def test_the_array_keeps_the_tensor_object(torch, device):
    assert outlives([torch.ones(2, device=device)]) == (True, False)


@requirement("memory.array-freed-at-once")
def test_the_array_is_gone_with_its_last_reference(torch, device):
    x = torch.ones(2, device=device)
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        array = x.numpy()
        seen = weakref.ref(array)
        assert seen() is array  # control
        del array
        assert seen() is None, "the array is still there"
    finally:
        if enabled:
            gc.enable()


@requirement("memory.force-aliases")
def test_forced_array_aliases_a_plain_tensor(torch, device):
    for requires_grad in (False, True):
        x = torch.ones(2, 3, device=device).requires_grad_(requires_grad)
        assert_aliases(x.detach(), x.numpy(force=True))
    assert_aliases(x.detach().t(), x.detach().t().numpy(force=True))


@requirement("memory.array-leaves-tensor-object")
def test_the_array_does_not_keep_the_tensor_object(torch, device):
    x = torch.ones(2, device=device)
    seen = weakref.ref(x)
    assert seen() is x  # control: another reference keeps it
    assert outlives([torch.ones(2, device=device)]) == (False, False)


def kept_after(torch, np, change):
    """Whether the memory of an array from ``numpy()`` is still there after ``change(tensor)``, and what it holds.

    The tensor is made from an array, and lives in the memory of that array. This is released as soon as nobody
    refers to it any more, which a weak reference shows.
    """
    source = np.arange(4.0)
    seen = weakref.ref(source)
    x = torch.from_numpy(source)
    exported = x.numpy()
    del source
    change(x)
    return exported.tolist() if alive(seen) else "released"


@requirement("memory.set-keeps-array-memory")
def test_the_array_keeps_its_memory_when_the_tensor_gets_another_storage(torch, np):
    def child():
        changed = []

        def change(x):
            x.set_(torch.zeros(9, dtype=x.dtype))
            changed.append(x.tolist())

        return kept_after(torch, np, change), changed

    assert in_child(child) == ([0.0, 1.0, 2.0, 3.0], [[0.0] * 9])


@requirement("memory.data-assignment-keeps-array-memory")
def test_the_array_keeps_its_memory_when_data_is_assigned(torch, np):
    def child():
        changed = []

        def change(x):
            x.data = torch.zeros(9, dtype=x.dtype)
            changed.append(x.tolist())

        return kept_after(torch, np, change), changed

    assert in_child(child) == ([0.0, 1.0, 2.0, 3.0], [[0.0] * 9])


@requirement("memory.exported-storage-cannot-grow")
def test_an_exported_tensor_cannot_grow(torch, device):
    x = torch.ones(2, device=device)
    exported = x.numpy()
    with pytest.raises(RuntimeError):
        x.resize_(100)
    assert x.data_ptr() == address(exported)
    assert exported.tolist() == [1.0, 1.0]
    assert torch.ones(2, device=device).resize_(100).shape == (100,)  # control


@requirement("memory.exported-storage-cannot-grow")
def test_an_exported_tensor_without_elements_cannot_grow(torch, device):
    x = torch.ones(0, device=device)
    exported = x.numpy()
    with pytest.raises(RuntimeError):
        x.resize_(100)
    assert exported.shape == (0,)
    assert torch.ones(0, device=device).resize_(100).shape == (100,)  # control


@requirement("memory.lock-covers-the-storage")
def test_another_tensor_on_the_storage_cannot_grow(torch, device):
    x = torch.ones(4, device=device)
    part = x[:2]
    exported = x.numpy()
    with pytest.raises(RuntimeError):
        part.resize_(100)
    assert exported.tolist() == [1.0] * 4
    assert torch.ones(4, device=device)[:2].resize_(100).shape == (100,)  # control


@requirement("memory.lock-outlives-array")
def test_the_lock_outlives_the_array(torch, device):
    x = torch.ones(2, device=device)
    exported = x.numpy()
    del exported
    with pytest.raises(RuntimeError):
        x.resize_(100)
    assert x.clone().resize_(100).shape == (100,)  # control


@requirement("memory.exported-tensor-may-shrink")
def test_an_exported_tensor_may_shrink_and_grow_back(torch, device):
    x = torch.arange(4, device=device)
    exported = x.numpy()
    x.resize_(2)
    assert x.tolist() == [0, 1]
    assert address(exported) == x.data_ptr()
    x.resize_(2, 2)
    assert x.tolist() == [[0, 1], [2, 3]]
    assert address(exported) == x.data_ptr()
    assert exported.tolist() == [0, 1, 2, 3]


@requirement("memory.ndarray-resize-refused")
def test_the_array_cannot_be_resized(torch, device):
    exported = torch.ones(2, device=device).numpy()
    copied = exported.copy()
    for shape in (4, 1):
        with pytest.raises(ValueError):
            exported.resize(shape)
        with pytest.raises(ValueError):
            exported.resize(shape, refcheck=False)
    assert exported.tolist() == [1.0, 1.0]
    copied.resize(4, refcheck=False)
    assert copied.shape == (4,)  # control


@requirement("memory.tensor-round-trip-aliases")
def test_a_tensor_made_from_the_array_aliases_the_tensor(torch, device):
    x = torch.zeros(3, device=device)
    assert_aliases(x, torch.from_numpy(x.numpy()))


@requirement("memory.array-round-trip-aliases")
def test_the_array_of_a_tensor_made_from_an_array_aliases_it(torch, np):
    source = np.zeros(3)
    assert_aliases(source, torch.from_numpy(source).numpy())


@requirement("memory.clone-is-separate")
def test_the_array_of_a_clone_is_separate(torch, device):
    x = torch.zeros(3, device=device)
    assert_separate(x, x.clone().numpy())


@requirement("memory.array-copy-is-separate")
def test_a_copy_of_the_array_is_separate(torch, device):
    x = torch.zeros(3, device=device)
    assert_separate(x, x.numpy().copy())


@requirement("memory.contiguous-returns-self")
def test_contiguous_returns_a_contiguous_tensor_itself(torch, device):
    x = torch.ones(2, 3, device=device)
    assert x.contiguous() is x
    row = x[1]
    assert row.contiguous() is row
    scalar = torch.tensor(1.0, device=device)
    assert scalar.contiguous() is scalar
    transposed = x.t()
    assert transposed.contiguous() is not transposed  # control


@requirement("memory.contiguous-copies-otherwise")
def test_contiguous_copies_a_transposed_tensor(torch, device):
    x = torch.zeros(2, 3, device=device)
    copied = x.t().contiguous()
    assert copied.is_contiguous()
    copied.fill_(7)
    assert x.tolist() == [[0.0] * 3] * 2
    x.fill_(5)
    assert copied.tolist() == [[7.0] * 2] * 3


@requirement("memory.view-aliases")
def test_view_aliases(torch, device):
    x = torch.zeros(2, 3, device=device)
    viewed = x.view(-1)
    viewed[4] = 7
    assert x.tolist() == [[0.0, 0.0, 0.0], [0.0, 7.0, 0.0]]
    x.fill_(5)
    assert viewed.tolist() == [5.0] * 6


@requirement("memory.incompatible-view-raises")
def test_a_view_that_would_need_a_copy_raises(torch, device):
    transposed = torch.zeros(2, 3, device=device).t()
    with pytest.raises(RuntimeError):
        transposed.view(-1)
    assert transposed.contiguous().view(-1).shape == (6,)  # control
    assert transposed.view(3, 2, 1).shape == (3, 2, 1)  # control


@requirement("memory.reshape-aliases-if-it-can")
def test_reshape_aliases_if_view_is_possible(torch, device):
    x = torch.zeros(2, 3, device=device)
    reshaped = x.reshape(-1)
    reshaped[4] = 7
    assert x.tolist() == [[0.0, 0.0, 0.0], [0.0, 7.0, 0.0]]
    x.fill_(5)
    assert reshaped.tolist() == [5.0] * 6
    x.t().reshape(3, 1, 2).fill_(9)
    assert x.tolist() == [[9.0] * 3] * 2


@requirement("memory.reshape-copies-otherwise")
def test_reshape_copies_if_view_is_not_possible(torch, device):
    x = torch.zeros(2, 3, device=device)
    reshaped = x.t().reshape(-1)
    reshaped.fill_(7)
    assert x.tolist() == [[0.0] * 3] * 2
    x.fill_(5)
    assert reshaped.tolist() == [7.0] * 6


@requirement("memory.flattened-shape")
@pytest.mark.parametrize("shape,count", [((), 1), ((3,), 3), ((2, 3), 6), ((2, 1, 4), 8)])
def test_contiguous_view_has_one_dimension(torch, device, shape, count):
    x = torch.zeros(shape, device=device)
    assert x.contiguous().view(-1).shape == (count,)


@requirement("memory.flattened-shape")
def test_contiguous_view_of_a_transposed_tensor_has_one_dimension(torch, device):
    assert torch.zeros(2, 3, device=device).t().contiguous().view(-1).shape == (6,)


@requirement("memory.flattened-array-contiguous")
def test_the_flattened_array_is_contiguous(torch, device):
    x = torch.arange(6, device=device).view(2, 3).t()
    assert not x.numpy().flags.c_contiguous
    flattened = x.contiguous().view(-1).numpy()
    assert flattened.flags.c_contiguous
    assert flattened.tolist() == [0, 3, 1, 4, 2, 5]


@requirement("memory.array-write-keeps-version")
def test_a_write_to_the_array_is_not_counted(torch, np, device):
    x = torch.zeros(3, device=device)
    before = x._version
    exported = x.numpy()
    exported[:] = 7
    np.add(exported, 1, out=exported)
    exported.sort()
    assert x.tolist() == [8.0] * 3
    assert x._version == before
    x.fill_(1)
    assert x._version == before + 1  # control


@requirement("memory.base-write-bumps-version")
def test_a_write_to_the_base_is_counted(torch, device):
    x = torch.zeros(3, device=device)
    before = x._version
    exported = x.numpy()
    exported.base.fill_(7)
    assert x.tolist() == [7.0] * 3
    assert x._version == before + 1


def exponential(torch, device):
    """A leaf of zeros, and its exponential, whose gradient is its value."""
    x = torch.zeros(3, requires_grad=True, device=device)
    return x, x.exp()


@requirement("memory.array-write-corrupts-gradient")
def test_a_write_to_the_array_of_a_result_changes_the_gradient(torch, device):
    x, y = exponential(torch, device)
    y.detach().numpy()[:] = 100
    y.sum().backward()
    assert x.grad.tolist() == [100.0] * 3

    x, y = exponential(torch, device)
    y.detach().numpy().copy()[:] = 100
    y.sum().backward()
    assert x.grad.tolist() == [1.0] * 3  # control

    x, y = exponential(torch, device)
    y.detach().fill_(100)
    with pytest.raises(RuntimeError):  # control: the same write through a tensor is noticed
        y.sum().backward()


@requirement("memory.source-write-corrupts-gradient")
def test_a_write_to_the_source_array_of_a_factor_changes_the_gradient(torch, np):
    def product():
        source = np.ones(3)
        weight = torch.ones(3, dtype=torch.float64, requires_grad=True)
        factor = torch.from_numpy(source)
        return source, weight, factor, (weight * factor).sum()

    source, weight, factor, y = product()
    source[:] = 5
    y.backward()
    assert weight.grad.tolist() == [5.0] * 3

    source, weight, factor, y = product()
    y.backward()
    assert weight.grad.tolist() == [1.0] * 3  # control

    source, weight, factor, y = product()
    factor.fill_(5)
    with pytest.raises(RuntimeError):  # control: the same write through the tensor is noticed
        y.backward()


@requirement("memory.detached-write-raises")
def test_a_write_through_the_detached_tensor_is_noticed(torch, device):
    x, y = exponential(torch, device)
    y.detach().fill_(100)
    with pytest.raises(RuntimeError):
        y.backward(torch.ones(3, device=device))

    x, y = exponential(torch, device)
    y.detach().clone().fill_(100)
    y.backward(torch.ones(3, device=device))  # control
    assert x.grad.shape == (3,)


@requirement("memory.leaf-writable-through-array")
def test_a_leaf_can_be_written_through_its_array(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    x.detach().numpy()[:] = 5
    assert x.tolist() == [5.0, 5.0]
    assert x.is_leaf
    (x * x).sum().backward()
    assert x.grad.tolist() == [10.0, 10.0]
    with pytest.raises(RuntimeError):
        x.fill_(7)
    assert x.tolist() == [5.0, 5.0]
