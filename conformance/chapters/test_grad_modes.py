"""Tests of spec/grad_modes.md."""

import threading

import pytest

from conformance import requirement
from conformance.witnesses import address


def in_thread(call):
    """What ``call()`` returns in a new thread, or the type of the exception that it raises there."""
    seen = []

    def target():
        try:
            seen.append(call())
        except Exception as error:
            seen.append(type(error))

    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
    return seen[0]


def leaf_and_result(torch, device):
    """A leaf that requires grad and a result that is computed from it; ones and twos."""
    x = torch.ones(2, requires_grad=True, device=device)
    return x, x * 2


def convertible(torch, device):
    """Tensors that require grad, with their values: a leaf, a result, a parameter."""
    x, y = leaf_and_result(torch, device)
    return [(x, [1.0, 1.0]), (y, [2.0, 2.0]), (torch.nn.Parameter(torch.zeros(2, device=device)), [0.0, 0.0])]


def inference_tensors(torch, device):
    """Twos made inside inference mode: by a factory, and as results of operations on a normal tensor and on a leaf."""
    normal = torch.ones(2, device=device)
    leaf = torch.ones(2, requires_grad=True, device=device)
    with torch.inference_mode():
        return [torch.full((2,), 2.0, device=device), normal * 2, leaf * 2]


def modes_of_exception(torch, mode):
    """The grad modes inside a block of ``mode`` that an exception leaves, and after it; the mode before is restored."""
    before = torch.is_grad_enabled()
    with pytest.raises(KeyError):
        with mode:
            inside = torch.is_grad_enabled()
            raise KeyError
    after = torch.is_grad_enabled()
    torch.set_grad_enabled(before)
    return inside, after


# Switching


@requirement("mode.no-grad-disables")
def test_no_grad_disables(torch):
    assert torch.is_grad_enabled() is True  # control
    with torch.no_grad():
        assert torch.is_grad_enabled() is False


@requirement("mode.no-grad-restores")
def test_no_grad_restores(torch):
    with torch.no_grad():
        with torch.no_grad():
            assert torch.is_grad_enabled() is False
        assert torch.is_grad_enabled() is False
    assert torch.is_grad_enabled() is True


@requirement("mode.no-grad-restores-after-exception")
def test_an_exception_restores_the_mode(torch):
    assert modes_of_exception(torch, torch.no_grad()) == (False, True)
    with torch.no_grad():
        assert modes_of_exception(torch, torch.enable_grad()) == (True, False)
    with pytest.raises(KeyError):
        with torch.set_grad_enabled(False):
            assert torch.is_grad_enabled() is False
            raise KeyError
    after = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    assert after is True


@requirement("mode.no-grad-call-alone-does-nothing")
def test_calling_no_grad_alone_does_nothing(torch):
    mode = torch.no_grad()
    assert torch.is_grad_enabled() is True
    with mode:
        assert torch.is_grad_enabled() is False  # control


@requirement("mode.enable-grad-enables")
def test_enable_grad_enables(torch):
    with torch.no_grad():
        with torch.enable_grad():
            assert torch.is_grad_enabled() is True
        assert torch.is_grad_enabled() is False
    with torch.enable_grad():
        assert torch.is_grad_enabled() is True
    assert torch.is_grad_enabled() is True


@requirement("mode.set-grad-enabled-as-context")
def test_set_grad_enabled_as_a_context(torch):
    with torch.set_grad_enabled(False):
        assert torch.is_grad_enabled() is False
        with torch.set_grad_enabled(True):
            assert torch.is_grad_enabled() is True
        assert torch.is_grad_enabled() is False
    assert torch.is_grad_enabled() is True


@requirement("mode.set-grad-enabled-as-call")
def test_set_grad_enabled_as_a_call(torch):
    try:
        torch.set_grad_enabled(False)
        disabled = torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)
    assert disabled is False
    assert torch.is_grad_enabled() is True


@requirement("mode.no-grad-as-decorator")
def test_no_grad_as_a_decorator(torch):
    @torch.no_grad()
    def double(value, raising=False):
        if raising:
            raise KeyError
        return 2 * value, torch.is_grad_enabled()

    assert double(3) == (6, False)
    assert torch.is_grad_enabled() is True
    with pytest.raises(KeyError):
        double(3, raising=True)
    after = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    assert after is True


@requirement("mode.enable-grad-as-decorator")
def test_enable_grad_as_a_decorator(torch):
    @torch.enable_grad()
    def double(value):
        return 2 * value, torch.is_grad_enabled()

    with torch.no_grad():
        assert double(3) == (6, True)
        assert torch.is_grad_enabled() is False


@requirement("mode.decorator-needs-parentheses")
def test_decorators_need_parentheses(torch):
    def enabled():
        return torch.is_grad_enabled()

    for mode in (torch.no_grad, torch.enable_grad):
        with pytest.raises(TypeError):
            mode(enabled)
    assert torch.no_grad()(enabled)() is False  # control


@requirement("mode.decorator-without-parentheses")
def test_decorators_without_parentheses(torch):
    def enabled():
        return torch.is_grad_enabled()

    assert torch.no_grad(enabled)() is False
    assert torch.is_grad_enabled() is True
    with torch.no_grad():
        assert torch.enable_grad(enabled)() is True
        assert torch.is_grad_enabled() is False


@requirement("mode.set-grad-enabled-is-no-decorator")
def test_set_grad_enabled_is_no_decorator(torch):
    def enabled():
        return torch.is_grad_enabled()

    try:
        mode = torch.set_grad_enabled(False)
        with pytest.raises(TypeError):
            mode(enabled)
    finally:
        torch.set_grad_enabled(True)
    assert torch.no_grad()(enabled)() is False  # control


@requirement("mode.set-grad-enabled-as-decorator")
@pytest.mark.parametrize("flag", [False, True])
def test_set_grad_enabled_as_a_decorator(torch, flag):
    try:

        @torch.set_grad_enabled(flag)
        def enabled():
            return torch.is_grad_enabled()

        torch.set_grad_enabled(not flag)
        seen = enabled()
    finally:
        torch.set_grad_enabled(True)
    assert seen is flag


@requirement("mode.set-grad-enabled-decoration-switches")
def test_decorating_with_set_grad_enabled_switches_the_mode(torch):
    try:

        @torch.set_grad_enabled(False)
        def enabled():
            return torch.is_grad_enabled()

        seen = torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)
    assert seen is False
    assert enabled() is False


@requirement("mode.set-grad-enabled-decoration-keeps-mode")
def test_decorating_with_set_grad_enabled_keeps_the_mode(torch):
    try:

        @torch.set_grad_enabled(False)
        def enabled():
            return torch.is_grad_enabled()

        seen = torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)
    assert seen is True
    assert enabled() is False  # control
    assert torch.is_grad_enabled() is True


@requirement("mode.recursive-decorated-function-switches")
def test_recursion_into_a_decorated_function_leaves_the_mode_disabled(torch):
    assert modes_of_recursion(torch, 0) == ([False], True)  # control
    assert modes_of_recursion(torch, 2) == ([False] * 3, False)


@requirement("mode.recursive-decorated-function-restores")
def test_recursion_into_a_decorated_function_restores_the_mode(torch):
    assert modes_of_recursion(torch, 0) == ([False], True)
    assert modes_of_recursion(torch, 2) == ([False] * 3, True)


def modes_of_recursion(torch, depth):
    """The grad modes inside a decorated function that calls itself ``depth`` times, and the one after it."""
    inside = []

    @torch.no_grad()
    def descend(remaining):
        if remaining:
            descend(remaining - 1)
        inside.append(torch.is_grad_enabled())

    try:
        descend(depth)
        return inside, torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)


def modes_of_generator(torch, mode):
    """The grad modes (inside, outside) of a decorated generator, element by element, and the one after it."""

    @mode
    def elements():
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    seen = [(inside, torch.is_grad_enabled()) for inside in elements()]
    return seen, torch.is_grad_enabled()


@requirement("mode.decorated-generator-escapes")
def test_a_decorated_generator_runs_in_the_mode_of_its_caller(torch):
    assert modes_of_generator(torch, torch.no_grad()) == ([(True, True)] * 2, True)
    with torch.no_grad():
        assert modes_of_generator(torch, torch.no_grad()) == ([(False, False)] * 2, False)  # control


@requirement("mode.decorated-generator-runs-disabled")
def test_a_decorated_generator_runs_disabled(torch):
    assert modes_of_generator(torch, torch.no_grad()) == ([(False, True)] * 2, True)
    with torch.no_grad():
        assert modes_of_generator(torch, torch.enable_grad()) == ([(True, False)] * 2, False)  # control


@requirement("mode.suspended-generator-switches-caller")
def test_a_generator_suspended_in_no_grad_switches_its_caller(torch):
    def elements():
        with torch.no_grad():
            yield 1

    generator = elements()
    before = torch.is_grad_enabled()
    next(generator)
    suspended = torch.is_grad_enabled()
    generator.close()
    assert (before, suspended, torch.is_grad_enabled()) == (True, False, True)


@requirement("mode.new-thread-starts-enabled")
def test_a_new_thread_starts_enabled(torch):
    with torch.no_grad():
        assert in_thread(torch.is_grad_enabled) is True
        assert torch.is_grad_enabled() is False
    try:
        torch.set_grad_enabled(False)
        seen = in_thread(torch.is_grad_enabled)
    finally:
        torch.set_grad_enabled(True)
    assert seen is True


@requirement("mode.thread-keeps-to-itself")
def test_a_thread_keeps_its_mode_to_itself(torch):
    def disable():
        torch.set_grad_enabled(False)
        return torch.is_grad_enabled()

    assert in_thread(disable) is False
    assert torch.is_grad_enabled() is True


@requirement("mode.eval-keeps-mode")
def test_eval_keeps_the_mode(torch, device):
    model = torch.nn.Linear(2, 1).to(device)
    model.eval()
    assert model.training is False  # control
    assert torch.is_grad_enabled() is True
    y = model(torch.ones(1, 2, device=device))
    assert y.requires_grad is True
    assert y.grad_fn is not None
    with torch.no_grad():
        assert model(torch.ones(1, 2, device=device)).requires_grad is False  # control


@requirement("mode.no-grad-keeps-training")
def test_no_grad_keeps_training(torch):
    model = torch.nn.Dropout()
    with torch.no_grad():
        assert model.training is True
        model.eval()
    assert model.training is False  # control


# Results without history


@requirement("mode.no-grad-result-requires-no-grad")
def test_a_result_in_no_grad_requires_no_grad(torch, device):
    for x in leaf_and_result(torch, device):
        with torch.no_grad():
            results = [x * 2, x + x, x.clone(), x.exp()]
        assert [y.requires_grad for y in results] == [False] * 4
        assert (x * 2).requires_grad is True  # control


@requirement("mode.no-grad-result-has-no-grad-fn")
def test_a_result_in_no_grad_has_no_grad_fn(torch, device):
    for x in leaf_and_result(torch, device):
        with torch.no_grad():
            results = [x * 2, x + x, x.clone(), x.exp()]
        assert [y.grad_fn is None for y in results] == [True] * 4
        assert (x * 2).grad_fn is not None  # control


@requirement("mode.no-grad-result-backward-raises")
def test_backward_of_a_result_in_no_grad_raises(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        y = x * 2
    with pytest.raises(RuntimeError):
        y.backward(torch.ones_like(y))
    assert x.grad is None
    z = x * 2
    z.backward(torch.ones_like(z))
    assert x.grad is not None  # control


@requirement("mode.enable-grad-records")
def test_enable_grad_records(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        with torch.enable_grad():
            y = x * 2
        z = x * 2
    assert y.requires_grad is True
    assert y.grad_fn is not None
    assert z.requires_grad is False  # control
    y.backward(torch.ones_like(y))
    assert x.grad is not None


@requirement("mode.no-grad-keeps-request")
def test_no_grad_keeps_a_request(torch, device):
    with torch.no_grad():
        tensors = [
            torch.ones(2, requires_grad=True, device=device),
            torch.empty(2, requires_grad=True, device=device),
            torch.tensor([1.0], requires_grad=True, device=device),
            torch.ones(2, device=device).requires_grad_(),
        ]
        plain = torch.ones(2, device=device)
    assert [x.requires_grad for x in tensors] == [True] * 4
    assert plain.requires_grad is False  # control
    assert [(x * 2).grad_fn is None for x in tensors] == [False] * 4


@requirement("mode.no-grad-parameter-requires-grad")
def test_a_parameter_made_in_no_grad_requires_grad(torch, device):
    with torch.no_grad():
        p = torch.nn.Parameter(torch.ones(2, device=device))
        q = torch.nn.Linear(2, 1).to(device).weight
        frozen = torch.nn.Parameter(torch.ones(2, device=device), requires_grad=False)
    assert p.requires_grad is True
    assert q.requires_grad is True
    assert frozen.requires_grad is False  # control


@requirement("mode.no-grad-keeps-flag")
def test_no_grad_keeps_the_flag(torch, device):
    x, y = leaf_and_result(torch, device)
    with torch.no_grad():
        assert (x.requires_grad, y.requires_grad) == (True, True)
        assert torch.is_grad_enabled() is False  # control
    assert (x.requires_grad, y.requires_grad) == (True, True)


@requirement("mode.no-grad-keeps-history")
def test_no_grad_keeps_the_history(torch, device):
    x, y = leaf_and_result(torch, device)
    z = x * 3
    with torch.no_grad():
        assert y.grad_fn is not None
        y.backward(torch.ones_like(y))
    assert x.grad is not None
    x.grad = None
    assert z.grad_fn is not None
    z.backward(torch.ones_like(z))
    assert x.grad is not None


# Views taken without history


@requirement("mode.no-grad-view-requires-grad")
@pytest.mark.parametrize(
    "name, arguments",
    [
        ("__getitem__", (0,)),
        ("__getitem__", (slice(1),)),
        ("view", (6,)),
        ("t", ()),
        ("transpose", (0, 1)),
        ("permute", (1, 0)),
        ("expand", (4, 2, 3)),
        ("narrow", (0, 0, 1)),
        ("select", (0, 0)),
    ],
)
def test_a_view_in_no_grad_requires_grad(torch, device, name, arguments):
    x = torch.ones(2, 3, requires_grad=True, device=device)
    for base in (x, x * 2):
        with torch.no_grad():
            view = getattr(base, name)(*arguments)
            assert view.requires_grad is True
            assert getattr(base.detach(), name)(*arguments).requires_grad is False  # control
        assert view is not base
        assert view.requires_grad is True


@requirement("mode.no-grad-chunk-requires-no-grad")
def test_a_piece_in_no_grad_requires_no_grad(torch, device):
    x = torch.ones(2, 3, requires_grad=True, device=device)
    with torch.no_grad():
        assert [piece.requires_grad for piece in x.chunk(2)] == [False, False]
        assert [piece.requires_grad for piece in x.split(1)] == [False, False]
        assert x[:1].requires_grad is True  # control
    assert [piece.requires_grad for piece in x.chunk(2)] == [True, True]  # control


@requirement("mode.no-grad-chunk-requires-grad")
def test_a_piece_in_no_grad_requires_grad(torch, device):
    x = torch.ones(2, 3, requires_grad=True, device=device)
    with torch.no_grad():
        assert [piece.requires_grad for piece in x.chunk(2)] == [True, True]
        assert [piece.requires_grad for piece in x.split(1)] == [True, True]
        assert x.detach().chunk(2)[0].requires_grad is False  # control


@requirement("mode.no-grad-view-has-no-grad-fn")
def test_a_view_in_no_grad_has_no_grad_fn(torch, device):
    x = torch.ones(2, 3, requires_grad=True, device=device)
    for base in (x, x * 2):
        with torch.no_grad():
            views = [base[0], base[:1], base.view(6), base.t()]
        assert [view.grad_fn is None for view in views] == [True] * 4
        assert [view.is_leaf for view in views] == [True] * 4
        assert base[0].grad_fn is not None  # control
        assert base[0].is_leaf is False  # control


@requirement("mode.no-grad-view-stops-gradient")
def test_a_view_in_no_grad_stops_the_gradient(torch, device):
    x, y = leaf_and_result(torch, device)
    for base in (x, y):
        with torch.no_grad():
            view = base[:1]
        z = view + 1
        assert z.requires_grad is True
        z.backward(torch.ones_like(z))
        assert x.grad is None
        assert view.grad is None
    z = y[:1] + 1
    z.backward(torch.ones_like(z))
    assert x.grad is not None  # control


@requirement("mode.no-grad-view-refused-outside")
def test_numpy_refuses_a_view_that_was_taken_in_no_grad(torch, device):
    for base in leaf_and_result(torch, device):
        with torch.no_grad():
            view = base[:1]
            result = base + 1
        with pytest.raises(RuntimeError):
            view.numpy()
        assert view.detach().numpy().tolist() == base.tolist()[:1]  # control
        assert result.numpy().tolist() == [value + 1 for value in base.tolist()]  # control


# Writes in place


@requirement("mode.leaf-write-raises")
def test_a_write_to_a_leaf_raises(torch, device):
    x, y = leaf_and_result(torch, device)
    with pytest.raises(RuntimeError):
        x.add_(1)
    with pytest.raises(RuntimeError):
        x.fill_(1)
    with torch.no_grad():
        with torch.enable_grad():
            with pytest.raises(RuntimeError):
                x.add_(1)
    y.add_(1)  # control
    torch.ones(2, device=device).add_(1)  # control


@requirement("mode.no-grad-permits-leaf-write")
def test_no_grad_permits_a_write_to_a_leaf(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        x.add_(1)
        assert x.tolist() == [2.0, 2.0]
        x[0] = 7
    assert x.tolist() == [7.0, 2.0]


@requirement("mode.no-grad-write-keeps-leaf")
def test_a_write_in_no_grad_keeps_the_leaf(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        x.add_(1)
    assert x.is_leaf is True
    assert x.grad_fn is None
    assert x.requires_grad is True


@requirement("mode.no-grad-write-bumps-version")
def test_a_write_in_no_grad_raises_the_version(torch, device):
    for x in leaf_and_result(torch, device):
        before = x._version
        with torch.no_grad():
            x.add_(1)
            assert x._version == before + 1
            x.add_(1)
        assert x._version == before + 2


@requirement("mode.no-grad-write-is-noticed")
def test_backward_notices_a_write_in_no_grad(torch, device):
    x = torch.zeros(2, requires_grad=True, device=device)
    y, z = x.exp(), x.exp()
    with torch.no_grad():
        y.fill_(9)
    with pytest.raises(RuntimeError):
        y.backward(torch.ones_like(y))
    z.backward(torch.ones_like(z))
    assert x.grad is not None  # control


# Conversion while grad mode is disabled


@requirement("mode.no-grad-permits-numpy")
def test_no_grad_permits_numpy(torch, np, device):
    for x, values in convertible(torch, device):
        with torch.no_grad():
            a = x.numpy()
        assert type(a) is np.ndarray
        assert a.tolist() == values


@requirement("mode.permitted-array-shares-address")
def test_the_permitted_array_begins_at_the_address(torch, device):
    for x, _ in convertible(torch, device):
        with torch.no_grad():
            assert address(x.numpy()) == x.data_ptr()
            assert address(x.clone().numpy()) != x.data_ptr()  # control


@requirement("mode.permitted-array-write-reaches-tensor")
def test_a_write_to_the_permitted_array_is_seen_in_the_tensor(torch, device):
    for x, _ in convertible(torch, device):
        with torch.no_grad():
            a = x.numpy()
        a[:] = [7, 5]
        assert x.tolist() == [7.0, 5.0]


@requirement("mode.tensor-write-reaches-permitted-array")
def test_a_write_to_the_tensor_is_seen_in_the_permitted_array(torch, device):
    for x, _ in convertible(torch, device):
        with torch.no_grad():
            a = x.numpy()
            x.fill_(7)
        assert a.tolist() == [7.0, 7.0]


@requirement("mode.permitted-tensor-keeps-flag")
def test_the_permitted_tensor_keeps_its_flag(torch, device):
    x, y = leaf_and_result(torch, device)
    with torch.no_grad():
        assert x.numpy().tolist() == [1.0, 1.0]
        assert y.numpy().tolist() == [2.0, 2.0]
        assert (x.requires_grad, y.requires_grad) == (True, True)
    assert (x.requires_grad, y.requires_grad) == (True, True)
    assert y.grad_fn is not None
    y.backward(torch.ones_like(y))
    assert x.grad.tolist() == [2.0, 2.0]


@requirement("mode.numpy-refused-after-no-grad")
def test_the_permission_ends_with_the_block(torch, device):
    for x, values in convertible(torch, device):
        with torch.no_grad():
            assert x.numpy().tolist() == values
        with pytest.raises(RuntimeError):
            x.numpy()


@requirement("mode.set-grad-enabled-permits-numpy")
def test_set_grad_enabled_permits_numpy(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.set_grad_enabled(False):
        assert x.numpy().tolist() == [1.0, 1.0]
    with torch.set_grad_enabled(True):
        with pytest.raises(RuntimeError):
            x.numpy()  # control
    try:
        torch.set_grad_enabled(False)
        a = x.numpy()
    finally:
        torch.set_grad_enabled(True)
    assert a.tolist() == [1.0, 1.0]


@requirement("mode.decorator-permits-numpy")
def test_a_decorator_permits_numpy(torch, np, device):
    @torch.no_grad()
    def export(x):
        return x.numpy()

    for x, values in convertible(torch, device):
        a = export(x)
        assert type(a) is np.ndarray
        assert a.tolist() == values


@requirement("mode.enable-grad-withdraws-permission")
def test_enable_grad_withdraws_the_permission(torch, device):
    for x, values in convertible(torch, device):
        with torch.no_grad():
            assert x.numpy().tolist() == values
            with torch.enable_grad():
                with pytest.raises(RuntimeError):
                    x.numpy()
            assert x.numpy().tolist() == values


@requirement("mode.other-thread-not-permitted")
def test_another_thread_is_not_permitted(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        assert x.numpy().tolist() == [1.0, 1.0]
        assert in_thread(lambda: x.numpy().tolist()) is RuntimeError
        assert in_thread(lambda: x.detach().numpy().tolist()) == [1.0, 1.0]  # control


# Inference mode


@requirement("mode.inference-disables")
def test_inference_mode_disables_and_restores(torch):
    def modes():
        return torch.is_grad_enabled(), torch.is_inference_mode_enabled()

    assert modes() == (True, False)
    with torch.inference_mode():
        assert modes() == (False, True)
    assert modes() == (True, False)
    with pytest.raises(KeyError):
        with torch.inference_mode():
            raise KeyError
    assert modes() == (True, False)
    with torch.no_grad():
        with torch.inference_mode():
            assert modes() == (False, True)
        assert modes() == (False, False)


@requirement("mode.inference-as-decorator")
def test_inference_mode_as_a_decorator(torch):
    @torch.inference_mode()
    def double(value):
        return 2 * value, torch.is_grad_enabled(), torch.is_inference_mode_enabled()

    assert double(3) == (6, False, True)
    assert torch.is_grad_enabled() is True
    assert torch.is_inference_mode_enabled() is False


@requirement("mode.inference-new-thread-starts-outside")
def test_a_new_thread_starts_outside_inference_mode(torch):
    with torch.inference_mode():
        assert in_thread(torch.is_inference_mode_enabled) is False
        assert in_thread(torch.is_grad_enabled) is True
        assert torch.is_inference_mode_enabled() is True  # control


@requirement("mode.inference-false-enables")
def test_inference_mode_false_enables(torch):
    with torch.no_grad():
        with torch.inference_mode(False):
            assert torch.is_grad_enabled() is True
            assert torch.is_inference_mode_enabled() is False
        assert torch.is_grad_enabled() is False


@requirement("mode.inference-result-requires-no-grad")
def test_a_result_in_inference_mode_requires_no_grad(torch, device):
    for x in leaf_and_result(torch, device):
        with torch.inference_mode():
            results = [x * 2, x + x, x.clone(), x.exp()]
        assert [y.requires_grad for y in results] == [False] * 4
        assert [y.grad_fn is None for y in results] == [True] * 4
        assert (x * 2).requires_grad is True  # control


@requirement("mode.inference-permits-numpy")
def test_inference_mode_permits_numpy(torch, np, device):
    for x, values in convertible(torch, device):
        with torch.inference_mode():
            a = x.numpy()
        assert type(a) is np.ndarray
        assert a.tolist() == values
        with pytest.raises(RuntimeError):
            x.numpy()  # control


@requirement("mode.inference-enable-grad-enables")
def test_enable_grad_in_inference_mode_enables(torch):
    with torch.inference_mode():
        with torch.enable_grad():
            assert torch.is_grad_enabled() is True
            assert torch.is_inference_mode_enabled() is True
        assert torch.is_grad_enabled() is False


@requirement("mode.inference-enable-grad-records-nothing")
def test_enable_grad_in_inference_mode_records_nothing(torch, device):
    for x in leaf_and_result(torch, device):
        with torch.inference_mode():
            with torch.enable_grad():
                y = x * 2
        assert y.requires_grad is False
        assert y.grad_fn is None
        assert (x * 2).grad_fn is not None  # control


@requirement("mode.inference-enable-grad-withdraws-permission")
def test_enable_grad_in_inference_mode_withdraws_the_permission(torch, device):
    for x, values in convertible(torch, device):
        with torch.inference_mode():
            with torch.enable_grad():
                with pytest.raises(RuntimeError):
                    x.numpy()
            assert x.numpy().tolist() == values  # control


# Inference tensors


@requirement("mode.inference-tensor-is-inference")
def test_tensors_made_in_inference_mode_are_inference_tensors(torch, device):
    for y in inference_tensors(torch, device):
        assert y.is_inference() is True
        assert y[:1].is_inference() is True
        with torch.inference_mode():
            assert y.is_inference() is True
            assert y[:1].is_inference() is True
    assert torch.ones(2, device=device).is_inference() is False  # control


@requirement("mode.inference-view-of-normal-is-normal")
def test_normal_tensors_and_their_views_stay_normal(torch, device):
    x = torch.ones(2, device=device)
    with torch.inference_mode():
        view = x[:1]
        assert x.is_inference() is False
        assert view.is_inference() is False
        assert (x * 2).is_inference() is True  # control
    assert x.is_inference() is False
    assert view.is_inference() is False


@requirement("mode.inference-version-raises")
def test_an_inference_tensor_has_no_version(torch, device):
    for y in inference_tensors(torch, device):
        with pytest.raises(RuntimeError):
            y._version
        with torch.inference_mode():
            with pytest.raises(RuntimeError):
                y._version
    x = torch.ones(2, device=device)
    assert x._version == 0  # control
    with torch.inference_mode():
        assert x._version == 0  # control


@requirement("mode.inference-write-inside")
def test_an_inference_tensor_can_be_written_inside(torch, device):
    for y in inference_tensors(torch, device):
        with torch.inference_mode():
            y.add_(1)
            y[0] = 7
        assert y.tolist() == [7.0, 3.0]


@requirement("mode.inference-write-outside-raises")
def test_an_inference_tensor_cannot_be_written_outside(torch, device):
    for y in inference_tensors(torch, device):
        with pytest.raises(RuntimeError):
            y.add_(1)
        with pytest.raises(RuntimeError):
            y.fill_(1)
        with torch.no_grad():
            with pytest.raises(RuntimeError):
                y.add_(1)
        with torch.inference_mode():
            y.add_(1)  # control
    torch.ones(2, device=device).add_(1)  # control


@requirement("mode.inference-requires-grad-outside-raises")
def test_an_inference_tensor_cannot_come_to_require_grad_outside(torch, device):
    for y in inference_tensors(torch, device):
        with pytest.raises(RuntimeError):
            y.requires_grad_()
        assert y.requires_grad is False
    assert torch.ones(2, device=device).requires_grad_().requires_grad is True  # control
    with torch.inference_mode():
        assert torch.ones(2, device=device).requires_grad_().requires_grad is True  # control


@requirement("mode.inference-save-raises")
def test_an_inference_tensor_cannot_be_saved(torch, device):
    x = torch.ones(2, requires_grad=True, device=device)
    for y in inference_tensors(torch, device):
        with pytest.raises(RuntimeError):
            x * y
        assert (x * y.clone()).requires_grad is True  # control
        assert (x + y).requires_grad is True  # control
        with torch.no_grad():
            assert (x * y).requires_grad is False  # control


@requirement("mode.inference-tensor-converts-inside")
def test_an_inference_tensor_converts_inside(torch, np, device):
    for y in inference_tensors(torch, device):
        with torch.inference_mode():
            a = y.numpy()
        assert type(a) is np.ndarray
        assert a.tolist() == [2.0, 2.0]


@requirement("mode.inference-tensor-converts-outside")
def test_an_inference_tensor_converts_outside(torch, np, device):
    for y in inference_tensors(torch, device):
        a = y.numpy()
        assert type(a) is np.ndarray
        assert a.tolist() == [2.0, 2.0]


@requirement("mode.inference-grad-tensor-refused-outside")
def test_an_inference_tensor_that_requires_grad_is_refused_outside(torch, device):
    with torch.inference_mode():
        y = torch.ones(2, requires_grad=True, device=device)
        assert y.numpy().tolist() == [1.0, 1.0]
    assert y.requires_grad is True
    with pytest.raises(RuntimeError):
        y.numpy()
    assert y.detach().numpy().tolist() == [1.0, 1.0]  # control


def assert_normal(tensor):
    """Fail unless ``tensor`` has a version, may be changed in place, and may come to require grad."""
    before = tensor._version
    tensor.add_(1)
    assert tensor._version == before + 1
    assert tensor.requires_grad_().requires_grad is True
    assert (tensor * tensor).requires_grad is True


@requirement("mode.inference-clone-is-normal")
def test_a_clone_of_an_inference_tensor_is_normal(torch, device):
    for y in inference_tensors(torch, device):
        assert_normal(y.clone())


@requirement("mode.inference-detach-stays-inference")
def test_a_detached_inference_tensor_is_an_inference_tensor(torch, device):
    for y in inference_tensors(torch, device):
        d = y.detach()
        assert d is not y
        assert d.is_inference() is True
    assert torch.ones(2, device=device).detach().is_inference() is False  # control


@requirement("mode.inference-detached-accepts-writes")
def test_a_detached_inference_tensor_accepts_writes(torch, device):
    for y in inference_tensors(torch, device):
        d = y.detach()
        before = d._version
        d.add_(1)
        assert d._version == before + 1
        with pytest.raises(RuntimeError):
            y.add_(1)  # control


@requirement("mode.inference-array-gives-normal-tensor")
def test_a_tensor_from_the_array_of_an_inference_tensor_is_normal(torch, device):
    for y in inference_tensors(torch, device):
        assert_normal(torch.from_numpy(y.numpy()))


@requirement("mode.inference-array-tensor-aliases")
def test_a_tensor_from_the_array_of_an_inference_tensor_aliases_it(torch, device):
    for y in inference_tensors(torch, device):
        torch.from_numpy(y.numpy()).fill_(7)
        assert y.tolist() == [7.0, 7.0]
