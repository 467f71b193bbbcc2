"""Tests of spec/detach.md."""

import gc
import weakref

import pytest

from conformance import requirement


def kinds(torch, device):
    """A plain tensor, a leaf that requires grad, a result with a history, a parameter."""
    leaf = torch.ones(2, requires_grad=True, device=device)
    return [
        torch.ones(2, device=device),
        leaf,
        leaf * 2,
        torch.nn.Parameter(torch.ones(2, device=device)),
    ]


def leaf_and_result(torch, device):
    """A leaf that requires grad and a result that is computed from it; ones and twos."""
    x = torch.ones(2, requires_grad=True, device=device)
    return x, x * 2


class Kept:
    """An object to which a weak reference can be made."""


def result_and_history(torch, device):
    """A result, and a weak reference to an object that nothing but the result's history refers to."""
    seen = []

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.kept = Kept()
            seen.append(weakref.ref(ctx.kept))
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 2

    y = Doubled.apply(torch.ones(2, requires_grad=True, device=device))
    assert y.grad_fn is not None
    return y, seen[0]


def released(reference):
    """Whether the object behind a weak reference is gone."""
    gc.collect()
    return reference() is None


# The detached tensor


@requirement("detach.new-object")
def test_detach_returns_a_new_object(torch, device):
    for x in leaf_and_result(torch, device):
        d = x.detach()
        assert isinstance(d, torch.Tensor)
        assert d is not x
        assert x.detach() is not d


@requirement("detach.new-object-for-plain")
def test_detach_of_a_plain_tensor_returns_a_new_object(torch, device):
    x = torch.ones(2, device=device)
    d = x.detach()
    assert isinstance(d, torch.Tensor)
    assert d is not x
    assert x.detach() is not d


@requirement("detach.requires-no-grad")
def test_the_detached_tensor_requires_no_grad(torch, device):
    assert [x.requires_grad for x in kinds(torch, device)] == [False, True, True, True]  # control
    assert [x.detach().requires_grad for x in kinds(torch, device)] == [False] * 4


@requirement("detach.has-no-grad-fn")
def test_the_detached_tensor_has_no_grad_fn(torch, device):
    x, y = leaf_and_result(torch, device)
    assert y.grad_fn is not None  # control
    assert y.detach().grad_fn is None
    assert x.detach().grad_fn is None


@requirement("detach.is-leaf")
def test_the_detached_tensor_is_a_leaf(torch, device):
    x, y = leaf_and_result(torch, device)
    assert y.is_leaf is False  # control
    assert y.detach().is_leaf is True
    assert x.detach().is_leaf is True


@requirement("detach.has-no-grad")
def test_the_detached_tensor_has_no_grad(torch, device):
    x, y = leaf_and_result(torch, device)
    y.backward(torch.ones_like(y))
    assert x.grad is not None  # control
    assert x.detach().grad is None


@requirement("detach.parameter-becomes-tensor")
def test_a_detached_parameter_is_a_plain_tensor(torch, device):
    p = torch.nn.Parameter(torch.ones(2, device=device))
    assert type(p) is torch.nn.Parameter  # control
    assert type(p.detach()) is torch.Tensor


@requirement("detach.keeps-shape")
def test_the_detached_tensor_has_the_shape(torch, device):
    for shape in ((2, 3), (4,), (), (0, 3)):
        assert tuple(torch.ones(shape, requires_grad=True, device=device).detach().shape) == shape


@requirement("detach.keeps-strides")
def test_the_detached_tensor_has_the_strides(torch, device):
    x = torch.ones(2, 3, requires_grad=True, device=device)
    assert x.detach().stride() == (3, 1)
    assert x.t().detach().stride() == (1, 3)
    assert x[:, ::2].detach().stride() == (3, 2)
    assert torch.ones(1, requires_grad=True, device=device).expand(4).detach().stride() == (0,)


@requirement("detach.keeps-offset")
def test_the_detached_tensor_has_the_offset(torch, device):
    x = torch.ones(5, requires_grad=True, device=device)
    assert x[2:].detach().storage_offset() == 2
    assert x.detach().storage_offset() == 0


@requirement("detach.keeps-dtype")
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "int16", "uint8"])
def test_the_detached_tensor_has_the_dtype(torch, device, dtype):
    x = torch.ones(2, dtype=getattr(torch, dtype), device=device)
    assert x.detach().dtype is getattr(torch, dtype)


@requirement("detach.keeps-device")
def test_the_detached_tensor_is_on_the_device(torch, device):
    for x in kinds(torch, device):
        assert x.detach().device == torch.zeros(1, device=device).device


@requirement("detach.keeps-values")
def test_the_detached_tensor_has_the_values(torch, device):
    x = torch.tensor([1.5, -2.0, 3.0], requires_grad=True, device=device)
    assert x.detach().tolist() == [1.5, -2.0, 3.0]
    assert (x * 2)[1:].detach().tolist() == [-4.0, 6.0]


# Memory


@requirement("detach.same-address")
def test_the_detached_tensor_begins_at_the_address(torch, device):
    for x in kinds(torch, device):
        assert x.detach().data_ptr() == x.data_ptr()
        assert x[1:].detach().data_ptr() == x.data_ptr() + 4
        assert x.clone().data_ptr() != x.data_ptr()  # control


@requirement("detach.same-storage")
def test_the_detached_tensor_has_the_whole_storage(torch, device):
    whole = torch.ones(5, requires_grad=True, device=device)
    x = whole[2:]
    d = x.detach()
    assert d.storage().data_ptr() == whole.storage().data_ptr()
    assert d.storage().size() == 5
    assert x.clone().storage().size() == 3  # control


@requirement("detach.write-reaches-original")
def test_a_write_to_the_detached_tensor_is_seen_in_the_original(torch, device):
    for x in leaf_and_result(torch, device):
        x.detach()[1] = 7
        assert x.tolist()[1] == 7.0
        x.detach().fill_(5)
        assert x.tolist() == [5.0, 5.0]


@requirement("detach.original-write-reaches-detached")
def test_a_write_to_the_original_is_seen_in_the_detached_tensor(torch, device):
    plain = torch.zeros(2, device=device)
    for x in [plain, leaf_and_result(torch, device)[1]]:
        d = x.detach()
        x.fill_(5)
        assert d.tolist() == [5.0, 5.0]


@requirement("detach.keeps-byte-count")
def test_the_detached_tensor_takes_as_many_bytes(torch, device):
    x = torch.ones(10, 10, requires_grad=True, device=device)
    for y in (x, x * 2):
        d = y.detach()
        assert d.element_size() * d.numel() == 400
        assert y.element_size() * y.numel() == 400


@requirement("detach.write-bumps-original-version")
def test_a_write_to_the_detached_tensor_raises_the_version_of_the_original(torch, device):
    for x in kinds(torch, device):
        d = x.detach()
        before = x._version
        d.add_(1)
        assert x._version == before + 1
        d.add_(1)
        assert x._version == before + 2


@requirement("detach.original-write-bumps-version")
def test_a_write_to_the_original_raises_the_version_of_the_detached_tensor(torch, device):
    for x in [torch.ones(2, device=device), leaf_and_result(torch, device)[1]]:
        d = x.detach()
        before = d._version
        x.add_(1)
        assert d._version == before + 1
        x.add_(1)
        assert d._version == before + 2


# The original


@requirement("detach.original-keeps-requires-grad")
def test_the_original_still_requires_grad(torch, device):
    for x, expected in zip(kinds(torch, device), [False, True, True, True]):
        x.detach()
        assert x.requires_grad is expected


@requirement("detach.original-keeps-grad-fn")
def test_the_original_still_has_its_grad_fn(torch, device):
    x, y = leaf_and_result(torch, device)
    before = y.grad_fn
    assert before is not None
    y.detach()
    x.detach()
    assert y.grad_fn is before
    assert x.grad_fn is None


@requirement("detach.original-keeps-values")
def test_the_original_still_has_its_values(torch, device):
    x = torch.tensor([1.5, -2.0], requires_grad=True, device=device)
    d = x.detach()
    assert x.tolist() == [1.5, -2.0]
    assert d.tolist() == [1.5, -2.0]


@requirement("detach.original-keeps-version")
def test_the_original_still_has_its_version(torch, device):
    y = leaf_and_result(torch, device)[1]
    y.add_(1)
    assert y._version == 1
    y.detach()
    assert y._version == 1


@requirement("detach.original-backward-works")
def test_the_original_can_still_go_backward(torch, device):
    x = torch.tensor([1.0, 3.0], requires_grad=True, device=device)
    y = x * x
    d = y.detach()
    y.backward(torch.ones_like(d))
    assert x.grad.tolist() == [2.0, 6.0]


# Gradients stop


@requirement("detach.stops-gradient")
def test_no_gradient_passes_the_detached_tensor(torch, device):
    x, y = leaf_and_result(torch, device)
    d = y.detach().requires_grad_()
    z = d * 3
    z.backward(torch.ones_like(z))
    assert d.grad is not None
    assert x.grad is None
    z = y * 3
    z.backward(torch.ones_like(z))
    assert x.grad is not None  # control


@requirement("detach.stops-gradient")
def test_what_is_computed_from_the_detached_tensor_has_no_history(torch, device):
    y = leaf_and_result(torch, device)[1]
    assert (y * 3).grad_fn is not None  # control
    assert (y.detach() * 3).grad_fn is None


@requirement("detach.counts-as-constant")
def test_the_detached_tensor_counts_as_a_constant(torch, device):
    x = torch.tensor([1.0, 3.0], requires_grad=True, device=device)
    y = x * 2
    z = y * y.detach()
    z.backward(torch.ones_like(z))
    assert x.grad.tolist() == [4.0, 12.0]  # 8 and 24 if both factors counted


@requirement("detach.requires-grad-again")
def test_the_detached_tensor_begins_a_history_of_its_own(torch, device):
    d = leaf_and_result(torch, device)[1].detach().requires_grad_()
    assert d.is_leaf is True
    assert d.requires_grad is True
    z = d * 3
    z.backward(torch.ones_like(z))
    assert d.grad.tolist() == [3.0, 3.0]


@requirement("detach.requires-grad-again-leaves-original")
def test_requires_grad_of_the_detached_tensor_is_its_own(torch, device):
    x = torch.ones(2, device=device)
    d = x.detach().requires_grad_()
    assert d.requires_grad is True
    assert x.requires_grad is False


@requirement("detach.drops-tangent")
def test_the_detached_tensor_has_no_tangent(torch, device):
    forward = torch.autograd.forward_ad
    with forward.dual_level():
        x = forward.make_dual(torch.ones(2, device=device), torch.ones(2, device=device))
        assert forward.unpack_dual(x)[1] is not None
        assert forward.unpack_dual(x.clone())[1] is not None  # control
        assert forward.unpack_dual(x.detach())[1] is None


# NumPy


@requirement("detach.is-no-array")
def test_the_detached_tensor_is_a_tensor_and_no_array(torch, np, device):
    for x in kinds(torch, device):
        assert isinstance(x.detach(), torch.Tensor)
        assert not isinstance(x.detach(), np.ndarray)
    assert isinstance(np.zeros(1), np.ndarray)  # control


@requirement("detach.numpy-exact-type")
def test_detach_numpy_gives_an_ndarray(torch, np, device):
    for x in kinds(torch, device):
        assert type(x.detach().numpy()) is np.ndarray


@requirement("detach.array-begins-at-original")
def test_the_array_begins_at_the_address_of_the_original(torch, np, device):
    for x in kinds(torch, device):
        assert x.detach().numpy().__array_interface__["data"][0] == x.data_ptr()
    assert x.detach().clone().numpy().__array_interface__["data"][0] != x.data_ptr()  # control


@requirement("detach.array-write-reaches-original")
def test_a_write_to_the_array_is_seen_in_the_original(torch, np, device):
    for x in kinds(torch, device):
        x.detach().numpy()[:] = [7, 5]
        assert x.tolist() == [7.0, 5.0]


@requirement("detach.original-write-reaches-array")
def test_a_write_to_the_original_is_seen_in_the_array(torch, np, device):
    for x in [torch.zeros(2, device=device), leaf_and_result(torch, device)[1]]:
        a = x.detach().numpy()
        x.fill_(5)
        assert a.tolist() == [5.0, 5.0]


# What is released


@requirement("detach.call-keeps-history")
def test_a_call_of_detach_releases_nothing(torch, device):
    y, history = result_and_history(torch, device)
    d = y.detach()
    assert not released(history)
    assert d.requires_grad is False
    del y
    assert released(history)  # control: y was what kept it


@requirement("detach.result-keeps-no-history")
def test_the_detached_tensor_does_not_keep_the_history(torch, device):
    y, history = result_and_history(torch, device)
    d = y.detach()
    other = y.view(2)
    del y
    assert not released(history)  # control: a view keeps it
    del other
    assert released(history)
    assert tuple(d.shape) == (2,)


@requirement("detach.array-keeps-no-history")
def test_the_array_does_not_keep_the_history(torch, device):
    y, history = result_and_history(torch, device)
    a = y.detach().numpy()
    assert not released(history)  # control
    del y
    assert released(history)
    assert a.tolist() == [2.0, 2.0]


# The attribute data


@requirement("detach.data-requires-no-grad")
def test_data_requires_no_grad(torch, device):
    x, y = leaf_and_result(torch, device)
    for z in (x, y):
        assert z.data.requires_grad is False
        assert z.data.grad_fn is None
        assert z.requires_grad is True
    assert y.grad_fn is not None


@requirement("detach.data-same-address")
def test_data_begins_at_the_address(torch, device):
    for x in kinds(torch, device):
        assert x.data.data_ptr() == x.data_ptr()
        assert x.data.clone().data_ptr() != x.data_ptr()  # control


@requirement("detach.data-write-reaches-original")
def test_a_write_to_data_is_seen_in_the_original(torch, device):
    for x in kinds(torch, device):
        x.data[1] = 7
        assert x.tolist()[1] == 7.0
        x.data.fill_(5)
        assert x.tolist() == [5.0, 5.0]


@requirement("detach.data-write-keeps-version")
def test_a_write_to_data_does_not_raise_the_version_of_the_original(torch, device):
    for x in kinds(torch, device):
        d = x.data
        before, own = x._version, d._version
        d.add_(1)
        assert x._version == before
        assert d._version == own + 1
        x.detach().add_(1)
        assert x._version == before + 1  # control


@requirement("detach.data-write-corrupts-gradient")
def test_backward_does_not_notice_a_write_to_data(torch, device):
    x = torch.zeros(2, requires_grad=True, device=device)
    y = x.exp()
    y.data.fill_(9)
    y.backward(torch.ones_like(y))
    assert x.grad.tolist() == [9.0, 9.0]
    z = x.exp()
    z.detach().fill_(9)
    with pytest.raises(RuntimeError):  # control
        z.backward(torch.ones_like(z))


# In place


@requirement("detach.in-place-returns-self")
def test_detach_in_place_returns_the_tensor(torch, device):
    for x in kinds(torch, device):
        assert x.detach_() is x


@requirement("detach.in-place-clears-requires-grad")
def test_detach_in_place_clears_requires_grad(torch, device):
    for x in kinds(torch, device):
        x.detach_()
        assert x.requires_grad is False
    assert leaf_and_result(torch, device)[1].requires_grad is True  # control


@requirement("detach.in-place-clears-grad-fn")
def test_detach_in_place_clears_grad_fn(torch, device):
    y = leaf_and_result(torch, device)[1]
    assert y.grad_fn is not None
    assert y.is_leaf is False
    y.detach_()
    assert y.grad_fn is None
    assert y.is_leaf is True


@requirement("detach.in-place-releases-history")
def test_detach_in_place_releases_the_history(torch, device):
    y, history = result_and_history(torch, device)
    assert not released(history)  # control
    y.detach_()
    assert released(history)
    assert tuple(y.shape) == (2,)


@requirement("detach.in-place-refuses-view")
def test_detach_in_place_refuses_a_view(torch, device):
    x = torch.ones(2, 3, device=device)
    y = torch.ones(2, 3, requires_grad=True, device=device) * 2
    for base in (x, y):
        for view in (base[1:], base.t(), base.view(6)):
            with pytest.raises(RuntimeError):
                view.detach_()
            assert view.requires_grad is base.requires_grad
            assert view.detach().detach_().requires_grad is False  # control
        assert base.detach_() is base  # control


# Change of shape


@requirement("detach.metadata-change-reaches-original")
@pytest.mark.parametrize(
    "name, arguments, shape, stride",
    [
        ("resize_", (2,), (2,), (1,)),
        ("t_", (), (3, 2), (1, 3)),
        ("unsqueeze_", (0,), (1, 2, 3), (6, 3, 1)),
    ],
)
def test_a_change_of_shape_changes_the_original(torch, device, name, arguments, shape, stride):
    x = torch.ones(2, 3, requires_grad=True, device=device)
    d = x.detach()
    assert tuple(x.shape) == (2, 3)
    getattr(d, name)(*arguments)
    assert (tuple(d.shape), d.stride()) == (shape, stride)
    assert (tuple(x.shape), x.stride()) == (shape, stride)


@requirement("detach.metadata-change-raises")
@pytest.mark.parametrize("name, arguments", [("resize_", (2,)), ("resize_", (4, 3)), ("t_", ()), ("unsqueeze_", (0,))])
def test_a_change_of_shape_is_refused(torch, device, name, arguments):
    for x in (torch.ones(2, 3, device=device), torch.ones(2, 3, requires_grad=True, device=device)):
        for d in (x.detach(), x.data):
            with pytest.raises(RuntimeError):
                getattr(d, name)(*arguments)
            assert tuple(d.shape) == (2, 3)
        getattr(x.detach().clone(), name)(*arguments)  # control


@requirement("detach.metadata-change-allowed")
@pytest.mark.parametrize(
    "name, arguments, shape, stride",
    [
        ("resize_", (2,), (2,), (1,)),
        ("resize_", (4, 3), (4, 3), (3, 1)),
        ("t_", (), (3, 2), (1, 3)),
        ("unsqueeze_", (0,), (1, 2, 3), (6, 3, 1)),
    ],
)
def test_a_change_of_shape_is_allowed(torch, device, name, arguments, shape, stride):
    for x in (torch.ones(2, 3, device=device), torch.ones(2, 3, requires_grad=True, device=device)):
        d = x.detach()
        assert getattr(d, name)(*arguments) is d
        assert (tuple(d.shape), d.stride()) == (shape, stride)


@requirement("detach.metadata-change-leaves-original")
@pytest.mark.parametrize("name, arguments", [("resize_", (2,)), ("resize_", (4, 3)), ("t_", ()), ("unsqueeze_", (0,))])
def test_a_change_of_shape_leaves_the_original(torch, device, name, arguments):
    for x in (torch.ones(2, 3, device=device), torch.ones(2, 3, requires_grad=True, device=device)):
        d = x.detach()
        getattr(d, name)(*arguments)
        assert tuple(d.shape) != (2, 3)
        assert (tuple(x.shape), x.stride()) == ((2, 3), (3, 1))


@requirement("detach.set-raises")
def test_set_is_refused(torch, device):
    source = torch.zeros(4, device=device)
    for x in (torch.ones(2, device=device), torch.ones(2, requires_grad=True, device=device)):
        d = x.detach()
        with pytest.raises(RuntimeError):
            d.set_(source)
        assert d.tolist() == [1.0, 1.0]
    assert torch.ones(2, device=device).set_(source).tolist() == [0.0] * 4  # control


@requirement("detach.set-allowed")
def test_set_is_allowed(torch, device):
    source = torch.zeros(4, device=device)
    for x in (torch.ones(2, device=device), torch.ones(2, requires_grad=True, device=device)):
        d = x.detach()
        assert d.set_(source) is d
        assert tuple(d.shape) == (4,)


@requirement("detach.set-leaves-original")
def test_set_leaves_the_original(torch, device):
    source = torch.zeros(4, device=device)
    for x in (torch.ones(2, device=device), torch.ones(2, requires_grad=True, device=device)):
        d = x.detach().set_(source)
        assert d.tolist() == [0.0] * 4
        assert x.tolist() == [1.0, 1.0]


# Clones


@requirement("detach.clone-requires-grad")
def test_a_clone_is_recorded(torch, device):
    for x in leaf_and_result(torch, device):
        assert x.clone().requires_grad is True
        assert x.clone().grad_fn is not None
    plain = torch.ones(2, device=device).clone()
    assert plain.requires_grad is False  # control
    assert plain.grad_fn is None


@requirement("detach.clone-passes-gradient")
def test_a_clone_passes_the_gradient(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    z = x.clone() * 3
    z.backward(torch.ones_like(z))
    assert x.grad.tolist() == [3.0, 3.0]


@requirement("detach.detached-clone-requires-no-grad")
def test_a_detached_clone_requires_no_grad(torch, device):
    for x in leaf_and_result(torch, device):
        for c in (x.detach().clone(), x.clone().detach()):
            assert c.requires_grad is False
            assert c.grad_fn is None
        assert x.clone().requires_grad is True  # control


@requirement("detach.detached-clone-keeps-own-values")
def test_a_detached_clone_does_not_see_writes_to_the_original(torch, device):
    for x in [torch.ones(2, device=device) * 2, leaf_and_result(torch, device)[1]]:
        clones = [x.detach().clone(), x.clone().detach()]
        alias = x.detach()
        x.fill_(5)
        assert [c.tolist() for c in clones] == [[2.0, 2.0], [2.0, 2.0]]
        assert alias.tolist() == [5.0, 5.0]  # control


@requirement("detach.detached-clone-write-stays")
def test_a_write_to_a_detached_clone_stays_there(torch, device):
    for x in [torch.ones(2, device=device) * 2, leaf_and_result(torch, device)[1]]:
        for c in (x.detach().clone(), x.clone().detach()):
            c.fill_(5)
            assert c.tolist() == [5.0, 5.0]
            assert x.tolist() == [2.0, 2.0]
