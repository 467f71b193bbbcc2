"""Tests of spec/model.md."""

import pytest

from conformance import requirement

FACTORIES = {
    "ones": lambda torch, **options: torch.ones(2, 3, **options),
    "zeros": lambda torch, **options: torch.zeros(2, **options),
    "empty": lambda torch, **options: torch.empty(2, **options),
    "full": lambda torch, **options: torch.full((2,), 1.5, **options),
    "randn": lambda torch, **options: torch.randn(5, 5, **options),
    "rand": lambda torch, **options: torch.rand(2, **options),
    "tensor": lambda torch, **options: torch.tensor([1.0, 2.0], **options),
}

OPERATIONS = {
    "times a number": lambda torch, x: x * 2,
    "times itself": lambda torch, x: x * x,
    "added to a plain tensor": lambda torch, x: torch.ones(2, device=x.device) + x,
    "clone": lambda torch, x: x.clone(),
    "view": lambda torch, x: x.view(-1),
    "element": lambda torch, x: x[0],
}

INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]


def assert_cannot_require_grad(torch, device, dtype):
    """Every way of asking that a tensor of ``dtype`` require grad raises RuntimeError, and not asking does not."""
    x = torch.zeros(2, dtype=dtype, device=device)
    with pytest.raises(RuntimeError):
        torch.zeros(2, dtype=dtype, device=device, requires_grad=True)
    with pytest.raises(RuntimeError):
        x.requires_grad_()
    with pytest.raises(RuntimeError):
        x.requires_grad = True
    with pytest.raises(RuntimeError):
        torch.nn.Parameter(x)
    assert x.requires_grad is False
    # controls
    assert torch.nn.Parameter(x, requires_grad=False).requires_grad is False
    assert torch.zeros(2, device=device, requires_grad=True).requires_grad is True
    assert torch.zeros(2, device=device).requires_grad_().requires_grad is True


@requirement("model.factory-requires-no-grad")
@pytest.mark.parametrize("name", sorted(FACTORIES))
def test_a_factory_makes_tensors_that_require_no_grad(torch, device, name):
    assert FACTORIES[name](torch, device=device).requires_grad is False
    assert FACTORIES[name](torch, device=device, requires_grad=True).requires_grad is True  # control


@requirement("model.factory-has-no-grad-fn")
@pytest.mark.parametrize("name", sorted(FACTORIES))
def test_making_a_tensor_is_not_recorded(torch, device, name):
    assert FACTORIES[name](torch, device=device).grad_fn is None
    assert (torch.ones(2, device=device, requires_grad=True) * 2).grad_fn is not None  # control


@requirement("model.factory-is-leaf")
@pytest.mark.parametrize("name", sorted(FACTORIES))
def test_a_factory_makes_leaves(torch, device, name):
    assert FACTORIES[name](torch, device=device).is_leaf is True
    assert (torch.ones(2, device=device, requires_grad=True) * 2).is_leaf is False  # control


@requirement("model.plain-result-requires-no-grad")
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_a_result_of_plain_tensors_requires_no_grad(torch, device, name):
    x = torch.ones(2, device=device)
    assert OPERATIONS[name](torch, x).requires_grad is False
    assert OPERATIONS[name](torch, x.requires_grad_()).requires_grad is True  # control


@requirement("model.grad-leaf-has-no-grad-fn")
@pytest.mark.parametrize("name", sorted(FACTORIES))
def test_a_leaf_that_requires_grad_has_no_recorded_operation(torch, device, name):
    asked = FACTORIES[name](torch, device=device, requires_grad=True)
    later = FACTORIES[name](torch, device=device).requires_grad_()
    assert [asked.requires_grad, later.requires_grad] == [True, True]
    assert [asked.grad_fn, later.grad_fn] == [None, None]
    assert (asked * 2).grad_fn is not None  # control


@requirement("model.grad-leaf-is-leaf")
@pytest.mark.parametrize("name", sorted(FACTORIES))
def test_a_factory_makes_leaves_that_require_grad(torch, device, name):
    asked = FACTORIES[name](torch, device=device, requires_grad=True)
    later = FACTORIES[name](torch, device=device).requires_grad_()
    assert [asked.is_leaf, later.is_leaf] == [True, True]
    assert (asked * 2).is_leaf is False  # control


@requirement("model.parameter-requires-grad")
def test_a_parameter_requires_grad_unless_told_not_to(torch, device):
    data = torch.ones(2, device=device)
    assert torch.nn.Parameter(data).requires_grad is True
    assert torch.nn.Parameter(data, requires_grad=False).requires_grad is False
    assert data.requires_grad is False


@requirement("model.parameter-is-leaf")
def test_a_parameter_is_a_leaf(torch, device):
    computed = torch.ones(2, device=device, requires_grad=True) * 2
    assert torch.nn.Parameter(torch.ones(2, device=device)).is_leaf is True
    assert torch.nn.Parameter(computed).is_leaf is True
    assert computed.is_leaf is False  # control


@requirement("model.integer-cannot-require-grad")
@pytest.mark.parametrize("name", INTEGERS)
def test_an_integer_tensor_cannot_require_grad(torch, device, name):
    assert_cannot_require_grad(torch, device, getattr(torch, name))


@requirement("model.bool-cannot-require-grad")
def test_a_bool_tensor_cannot_require_grad(torch, device):
    assert_cannot_require_grad(torch, device, torch.bool)


@requirement("model.complex-can-require-grad")
@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_a_complex_tensor_can_require_grad(torch, device, name):
    x = torch.ones(2, dtype=getattr(torch, name), device=device, requires_grad=True)
    assert x.dtype == getattr(torch, name)
    assert x.requires_grad is True


@requirement("model.result-requires-grad")
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_a_result_requires_grad_where_an_input_does(torch, device, name):
    assert OPERATIONS[name](torch, torch.ones(2, device=device, requires_grad=True)).requires_grad is True
    assert OPERATIONS[name](torch, torch.ones(2, device=device)).requires_grad is False  # control


@requirement("model.result-has-grad-fn")
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_a_result_has_a_history_where_an_input_requires_grad(torch, device, name):
    assert OPERATIONS[name](torch, torch.ones(2, device=device, requires_grad=True)).grad_fn is not None
    assert OPERATIONS[name](torch, torch.ones(2, device=device)).grad_fn is None  # control


@requirement("model.result-is-no-leaf")
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_a_result_is_no_leaf_where_an_input_requires_grad(torch, device, name):
    assert OPERATIONS[name](torch, torch.ones(2, device=device, requires_grad=True)).is_leaf is False
    assert OPERATIONS[name](torch, torch.ones(2, device=device)).is_leaf is True  # control


@requirement("model.leaf-iff-no-grad-fn")
def test_a_leaf_is_what_has_no_grad_fn(torch, device):
    plain = torch.ones(2, device=device)
    x = torch.ones(2, device=device, requires_grad=True)
    tensors = [
        plain,
        plain * 2,
        plain.view(-1),
        x,
        torch.nn.Parameter(plain),
        x * 2,
        x.view(-1),
        x[0],
        (x * 2).detach(),
    ]
    assert [t.is_leaf for t in tensors] == [t.grad_fn is None for t in tensors]
    assert [t.is_leaf for t in tensors] == [True, True, True, True, True, False, False, False, True]


@requirement("model.integer-result-requires-no-grad")
def test_an_integer_result_requires_no_grad(torch, device):
    x = torch.ones(2, device=device, requires_grad=True)
    for result in (x > 0, x == x, x.argmax(), x.long()):
        assert result.is_floating_point() is False
        assert result.requires_grad is False
    assert (x * 2).requires_grad is True  # control


@requirement("model.result-flag-cannot-be-cleared")
def test_the_flag_of_a_result_cannot_be_cleared(torch, device):
    x = torch.ones(2, device=device, requires_grad=True)
    y = x * 2
    with pytest.raises(RuntimeError):
        y.requires_grad = False
    with pytest.raises(RuntimeError):
        y.requires_grad_(False)
    assert y.requires_grad is True
    x.requires_grad = False  # control: a leaf
    assert x.requires_grad is False


@requirement("model.grad-mode-is-on-by-default")
def test_grad_mode_is_on_by_default(torch, device):
    assert torch.is_grad_enabled() is True
    assert (torch.ones(2, device=device, requires_grad=True) * 2).requires_grad is True
    with torch.no_grad():
        assert torch.is_grad_enabled() is False  # control


@requirement("model.grad-is-none-at-first")
def test_grad_is_none_at_first(torch, device):
    assert torch.ones(2, device=device).grad is None
    assert torch.ones(2, device=device, requires_grad=True).grad is None
    assert torch.nn.Parameter(torch.ones(2, device=device)).grad is None
    x = torch.ones(2, device=device, requires_grad=True)
    x.grad = torch.zeros(2, device=device)
    assert x.grad is not None  # control


@requirement("model.backward-fills-grad")
def test_backward_fills_grad(torch, device):
    x = torch.tensor([1.0, -2.0, 3.0], device=device, requires_grad=True)
    plain = torch.ones(3, device=device)
    (x * x * plain).sum().backward()
    assert x.grad.tolist() == [2.0, -4.0, 6.0]
    assert x.grad.dtype == x.dtype
    assert plain.grad is None
    assert x.tolist() == [1.0, -2.0, 3.0]


@requirement("model.backward-accumulates")
def test_backward_adds_to_grad(torch, device):
    x = torch.ones(2, device=device, requires_grad=True)
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    (x * 4).sum().backward()
    assert x.grad.tolist() == [7.0, 7.0]


@requirement("model.grad-does-not-require-grad")
def test_a_gradient_requires_no_grad(torch, device):
    x = torch.ones(2, device=device, requires_grad=True)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]
    assert x.grad.requires_grad is False


@requirement("model.backward-without-history-raises")
def test_backward_refuses_a_tensor_that_does_not_require_grad(torch, device):
    plain = torch.ones(2, device=device)
    with pytest.raises(RuntimeError):
        (plain * 3).sum().backward()
    x = torch.ones(2, device=device, requires_grad=True)
    (x * 3).sum().backward()  # control
    assert x.grad.tolist() == [3.0, 3.0]


@requirement("model.default-dtype-is-float32")
@pytest.mark.parametrize("name", sorted(FACTORIES))
def test_floating_point_factories_make_float32(torch, device, name):
    assert FACTORIES[name](torch, device=device).dtype == torch.float32
    assert FACTORIES[name](torch, device=device, dtype=torch.float64).dtype == torch.float64  # control


@requirement("model.randn-is-standard-normal")
def test_randn_draws_from_the_standard_normal_distribution(torch, device):
    x = torch.randn(10000, device=device).double()
    assert abs(x.mean().item()) < 0.1
    assert abs(x.var().item() - 1.0) < 0.15


@requirement("model.randn-draws-afresh")
def test_randn_draws_afresh(torch, device):
    first, second, third = [torch.randn(5, 5, device=device).tolist() for _ in range(3)]
    assert first != second
    assert second != third
    assert first != third


@requirement("model.manual-seed-repeats")
def test_manual_seed_repeats_the_draw(torch, device):
    drawn = []
    fresh = int(torch.randint(0, 2**31 - 1, (1,)))  # so that later draws differ from run to run again
    try:
        for seed in (7, 7, 8):
            torch.manual_seed(seed)
            drawn.append(torch.randn(5, 5, device=device).tolist())
        drawn.append(torch.randn(5, 5, device=device).tolist())
    finally:
        torch.manual_seed(fresh)
    assert drawn[0] == drawn[1]
    assert drawn[1] != drawn[2]  # controls: another seed, and no seed
    assert drawn[2] != drawn[3]


@requirement("model.element-size")
@pytest.mark.parametrize(
    "name, size",
    [
        ("float64", 8),
        ("int64", 8),
        ("float32", 4),
        ("int32", 4),
        ("float16", 2),
        ("int16", 2),
        ("int8", 1),
        ("uint8", 1),
    ],
)
def test_element_size_is_the_size_of_the_dtype(torch, device, name, size):
    assert torch.empty(3, dtype=getattr(torch, name), device=device).element_size() == size


@requirement("model.data-bytes")
@pytest.mark.parametrize("name, size", [("float64", 8), ("int64", 8), ("float32", 4), ("int16", 2), ("uint8", 1)])
def test_the_data_takes_the_bytes_of_its_elements(torch, device, name, size):
    x = torch.zeros(7, 5, dtype=getattr(torch, name), device=device)
    assert x.element_size() * x.numel() == 35 * size
    assert x.numpy().nbytes == 35 * size


@requirement("model.history-adds-no-data-bytes")
def test_a_history_adds_nothing_to_the_data(torch, device):
    x = torch.ones(5, 2, device=device, requires_grad=True)
    y = x * x * x
    d = y.detach()
    assert y.grad_fn is not None
    assert d.grad_fn is None
    assert [y.element_size() * y.numel(), d.element_size() * d.numel()] == [40, 40]
