"""Tests of spec/grad_errors.md."""

import pytest

from conformance import requirement


def assert_array(np, array, values):
    """``array`` is a numpy.ndarray itself that holds ``values``."""
    assert type(array) is np.ndarray
    assert array.tolist() == values


def refusal(tensor):
    """The exception with which ``tensor.numpy()`` is refused."""
    with pytest.raises(RuntimeError) as caught:
        tensor.numpy()
    return caught.value


@requirement("grad.numpy-raises")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (2,), (2, 3), (1, 1, 1)])
def test_numpy_refuses_a_tensor_that_requires_grad(torch, np, device, dtype, shape):
    x = torch.zeros(shape, dtype=getattr(torch, dtype), device=device, requires_grad=True)
    with pytest.raises(RuntimeError):
        x.numpy()
    array = x.detach().numpy()  # control
    assert type(array) is np.ndarray
    assert array.shape == shape


@requirement("grad.raises-runtimeerror-itself")
def test_the_refusal_is_a_runtimeerror_itself(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    assert type(refusal(x)) is RuntimeError
    assert type(refusal(x * 2)) is RuntimeError
    assert_array(np, x.detach().numpy(), [1.0, 1.0])  # control


@requirement("grad.leaf-raises")
def test_numpy_refuses_a_leaf(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    later = torch.ones(2, device=device).requires_grad_()
    assert [x.grad_fn, later.grad_fn] == [None, None]
    with pytest.raises(RuntimeError):
        x.numpy()
    with pytest.raises(RuntimeError):
        later.numpy()
    assert_array(np, torch.ones(2, device=device).numpy(), [1.0, 1.0])  # control


@requirement("grad.result-raises")
def test_numpy_refuses_a_result(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    for result in (x * 2, x + torch.ones(2, device=device), x.sum(), x.exp()):
        assert result.grad_fn is not None
        with pytest.raises(RuntimeError):
            result.numpy()
    assert_array(np, (x.detach() * 2).numpy(), [2.0, 2.0])  # control


@requirement("grad.parameter-raises")
def test_numpy_refuses_a_parameter(torch, np, device):
    parameter = torch.nn.Parameter(torch.ones(2, device=device))
    with pytest.raises(RuntimeError):
        parameter.numpy()
    with pytest.raises(RuntimeError):
        torch.nn.Linear(2, 1).to(device).weight.numpy()
    frozen = torch.nn.Parameter(torch.ones(2, device=device), requires_grad=False)
    assert_array(np, frozen.numpy(), [1.0, 1.0])  # control


@requirement("grad.view-raises")
def test_numpy_refuses_a_view(torch, np, device):
    x = torch.ones(2, 3, requires_grad=True, device=device)
    for view in (x[0], x.view(-1), x.t(), x[:, 1:], x[:1].expand(4, 3)):
        with pytest.raises(RuntimeError):
            view.numpy()
    assert_array(np, x.detach()[0].numpy(), [1.0, 1.0, 1.0])  # control


@requirement("grad.create-graph-gradient-raises")
def test_numpy_refuses_a_gradient_with_a_graph(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with_graph = torch.autograd.grad((x * x).sum(), x, create_graph=True)[0]
    with pytest.raises(RuntimeError):
        with_graph.numpy()
    without = torch.autograd.grad((x * x).sum(), x)[0]
    assert_array(np, without.numpy(), [2.0, 2.0])  # control


@requirement("grad.enable-grad-raises")
def test_numpy_refuses_inside_enable_grad(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.enable_grad():
        with pytest.raises(RuntimeError):
            x.numpy()
    with torch.no_grad():
        with torch.enable_grad():
            with pytest.raises(RuntimeError):
                x.numpy()
            assert_array(np, x.detach().numpy(), [1.0, 1.0])  # control


@requirement("grad.no-grad-raises")
def test_numpy_refuses_inside_no_grad(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        with pytest.raises(RuntimeError):
            x.numpy()
        assert_array(np, x.detach().numpy(), [1.0, 1.0])  # control


@requirement("grad.eval-does-not-lift")
def test_eval_does_not_lift_the_refusal(torch, np, device):
    model = torch.nn.Linear(2, 1).to(device)
    model.eval()
    assert model.training is False
    with pytest.raises(RuntimeError):
        model(torch.ones(2, device=device)).numpy()
    with pytest.raises(RuntimeError):
        model.weight.numpy()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    assert type(model(torch.ones(2, device=device)).numpy()) is np.ndarray  # control


@requirement("grad.refusal-keeps-requires-grad")
def test_a_refused_tensor_still_requires_grad(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    y = x * 2
    refusal(x)
    refusal(y)
    assert [x.requires_grad, y.requires_grad] == [True, True]
    assert_array(np, x.detach().numpy(), [1.0, 1.0])  # control


@requirement("grad.refusal-keeps-grad-fn")
def test_a_refused_result_keeps_its_history(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    y = x * 3
    before = y.grad_fn
    assert before is not None
    refusal(y)
    assert y.grad_fn is before
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    assert_array(np, y.detach().numpy(), [3.0, 3.0])  # control


@requirement("grad.refusal-keeps-version")
def test_a_refusal_does_not_count_as_a_write(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        x.fill_(2)
    before = x._version
    refusal(x)
    assert x._version == before
    with torch.no_grad():
        x.fill_(3)
    assert x._version == before + 1  # controls
    assert_array(np, x.detach().numpy(), [3.0, 3.0])


@requirement("grad.refusal-leaves-storage-resizable")
def test_a_refusal_does_not_lock_the_storage(torch, device):
    data = torch.zeros(2, device=device)
    x = data.detach().requires_grad_()
    assert x.data_ptr() == data.data_ptr()
    refusal(x)
    data.resize_(1000)
    assert data.numel() == 1000
    data.numpy()
    with pytest.raises(RuntimeError):  # control: what a conversion that succeeds does
        data.resize_(100000)


@requirement("grad.plain-tensor-converts")
def test_numpy_converts_a_plain_tensor_without_detach(torch, np, device):
    x = torch.tensor([1.0, -2.0], device=device)
    assert_array(np, x.numpy(), [1.0, -2.0])
    assert_array(np, (x * 2).numpy(), [2.0, -4.0])
    assert_array(np, torch.tensor([3, 4], device=device).numpy(), [3, 4])
    random = torch.randn(5, 5, device=device)
    assert_array(np, random.numpy(), random.tolist())
    refusal(x.requires_grad_())  # control


@requirement("grad.detach-converts")
def test_detach_lifts_the_refusal(torch, np, device):
    x = torch.tensor([1.0, -2.0], requires_grad=True, device=device)
    y = x * 2
    assert_array(np, x.detach().numpy(), [1.0, -2.0])
    assert_array(np, y.detach().numpy(), [2.0, -4.0])
    refusal(x)  # controls
    refusal(y)


@requirement("grad.data-converts")
def test_the_data_attribute_lifts_the_refusal(torch, np, device):
    x = torch.tensor([1.0, -2.0], requires_grad=True, device=device)
    y = x * 2
    assert_array(np, x.data.numpy(), [1.0, -2.0])
    assert_array(np, y.data.numpy(), [2.0, -4.0])
    refusal(x)  # controls
    refusal(y)


@requirement("grad.gradient-converts")
def test_a_gradient_is_not_refused(torch, np, device):
    x = torch.tensor([1.0, -2.0], requires_grad=True, device=device)
    (x * x).sum().backward()
    assert_array(np, x.grad.numpy(), [2.0, -4.0])
    refusal(x)  # control


@requirement("grad.frozen-leaf-converts")
def test_a_frozen_leaf_is_not_refused(torch, np, device):
    x = torch.tensor([1.0, -2.0], requires_grad=True, device=device)
    refusal(x)  # control
    x.requires_grad_(False)
    assert_array(np, x.numpy(), [1.0, -2.0])


@requirement("grad.no-grad-result-converts")
def test_a_result_computed_in_no_grad_is_not_refused(torch, np, device):
    x = torch.tensor([1.0, -2.0], requires_grad=True, device=device)
    with torch.no_grad():
        y = x * 3
    assert_array(np, y.numpy(), [3.0, -6.0])
    refusal(x * 3)  # control


@requirement("grad.integer-result-converts")
def test_an_integer_result_is_not_refused(torch, np, device):
    x = torch.tensor([1.0, 3.0], requires_grad=True, device=device)
    assert_array(np, x.long().numpy(), [1, 3])
    assert_array(np, x.argmax().numpy(), 1)
    assert_array(np, (x > 2).long().numpy(), [0, 1])
    refusal(x.double())  # control


@requirement("grad.buffer-converts")
def test_a_buffer_is_not_refused(torch, np, device):
    module = torch.nn.BatchNorm1d(2).to(device)
    assert_array(np, module.running_mean.numpy(), [0.0, 0.0])
    module.register_buffer("mine", torch.tensor([5.0, 6.0], device=device))
    assert_array(np, module.mine.numpy(), [5.0, 6.0])
    refusal(module.weight)  # control


@requirement("grad.state-dict-value-converts")
def test_the_values_of_a_state_dict_are_not_refused(torch, np, device):
    module = torch.nn.Linear(2, 1).to(device)
    values = module.state_dict()
    assert sorted(values) == ["bias", "weight"]
    assert_array(np, values["weight"].numpy(), module.weight.tolist())
    assert_array(np, values["bias"].numpy(), module.bias.tolist())
    refusal(module.weight)  # controls
    refusal(module.state_dict(keep_vars=True)["weight"])


@requirement("grad.cpu-still-raises")
def test_cpu_does_not_lift_the_refusal(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with pytest.raises(RuntimeError):
        x.cpu().numpy()
    with pytest.raises(RuntimeError):
        (x * 2).cpu().numpy()
    assert_array(np, x.detach().cpu().numpy(), [1.0, 1.0])  # controls
    assert_array(np, x.cpu().detach().numpy(), [1.0, 1.0])


@requirement("grad.contiguous-view-still-raises")
def test_contiguous_and_view_do_not_lift_the_refusal(torch, np, device):
    x = torch.ones(2, 3, requires_grad=True, device=device)
    with pytest.raises(RuntimeError):
        x.contiguous().view(-1).numpy()
    with pytest.raises(RuntimeError):
        x.t().contiguous().view(-1).numpy()
    assert_array(np, x.detach().contiguous().view(-1).numpy(), [1.0] * 6)  # control


@requirement("grad.clone-still-raises")
def test_clone_does_not_lift_the_refusal(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with pytest.raises(RuntimeError):
        x.clone().numpy()
    assert_array(np, x.clone().detach().numpy(), [1.0, 1.0])  # controls
    assert_array(np, x.detach().clone().numpy(), [1.0, 1.0])


@requirement("grad.cast-still-raises")
@pytest.mark.parametrize("cast", ["float", "double", "half"])
def test_a_cast_does_not_lift_the_refusal(torch, np, device, cast):
    x = torch.ones(2, requires_grad=True, device=device)
    with pytest.raises(RuntimeError):
        getattr(x, cast)().numpy()
    assert_array(np, getattr(x.detach(), cast)().numpy(), [1.0, 1.0])  # control


@requirement("grad.function-forward-raises")
def test_numpy_refuses_inside_forward(torch, np, device):
    seen = []

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append((x.requires_grad, torch.is_grad_enabled()))
            with pytest.raises(RuntimeError):
                x.numpy()
            seen.append(x.detach().numpy().tolist())
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    Same.apply(torch.ones(2, requires_grad=True, device=device))
    assert seen == [(True, False), [1.0, 1.0]]


@requirement("grad.function-forward-converts")
def test_numpy_converts_inside_forward(torch, np, device):
    seen = []

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            array = x.numpy()
            seen.append((x.requires_grad, type(array) is np.ndarray, array.tolist()))
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    x = torch.tensor([1.0, -2.0], requires_grad=True, device=device)
    y = Same.apply(x)
    assert seen == [(True, True, [1.0, -2.0])]
    assert y.requires_grad is True
    refusal(x)  # control


@requirement("grad.function-backward-converts")
def test_numpy_converts_inside_backward(torch, np, device):
    seen = []

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            array = gradient.numpy()
            seen.append((type(array) is np.ndarray, array.tolist()))
            return gradient

    x = torch.ones(2, requires_grad=True, device=device)
    (Same.apply(x) * 3).sum().backward()
    assert seen == [(True, [3.0, 3.0])]
    refusal(x)  # control


@requirement("grad.hook-gradient-converts")
def test_numpy_converts_the_gradient_inside_a_hook(torch, np, device):
    seen = []

    def hook(gradient):
        array = gradient.numpy()
        seen.append((type(array) is np.ndarray, array.tolist()))

    x = torch.ones(2, requires_grad=True, device=device)
    y = x * 2
    x.register_hook(hook)
    y.register_hook(hook)
    (y * 3).sum().backward()
    assert seen == [(True, [3.0, 3.0]), (True, [6.0, 6.0])]
    refusal(x)  # control


@requirement("grad.hook-permits-numpy")
def test_numpy_converts_any_tensor_inside_a_hook(torch, np, device):
    seen = []

    def hook(gradient):
        seen.extend((type(t.numpy()) is np.ndarray, t.numpy().tolist()) for t in (x, y))

    x = torch.ones(2, requires_grad=True, device=device)
    y = x * 2
    y.register_hook(hook)
    (y * 3).sum().backward()
    assert seen == [(True, [1.0, 1.0]), (True, [2.0, 2.0])]
    refusal(x)  # control


@requirement("grad.sparse-refused-for-grad")
def test_grad_is_what_a_sparse_tensor_is_refused_for(torch, np, device):
    sparse = torch.eye(2, requires_grad=True, device=device).to_sparse()
    assert sparse.requires_grad is True
    with pytest.raises(RuntimeError):
        sparse.numpy()
    with pytest.raises(TypeError):  # controls: not sparse for grad, and neither
        torch.eye(2, device=device).to_sparse().numpy()
    assert_array(np, sparse.detach().to_dense().numpy(), [[1.0, 0.0], [0.0, 1.0]])


@requirement("grad.sparse-refused-for-layout")
def test_the_layout_is_what_a_sparse_tensor_is_refused_for(torch, np, device):
    sparse = torch.eye(2, requires_grad=True, device=device).to_sparse()
    assert sparse.requires_grad is True
    with pytest.raises(TypeError):
        sparse.numpy()
    refusal(sparse.to_dense())  # controls: grad alone, and neither
    assert_array(np, sparse.detach().to_dense().numpy(), [[1.0, 0.0], [0.0, 1.0]])


@requirement("grad.bfloat16-refused-for-grad")
def test_grad_is_what_a_bfloat16_tensor_is_refused_for(torch, np, device):
    x = torch.ones(2, dtype=torch.bfloat16, requires_grad=True, device=device)
    with pytest.raises(RuntimeError):
        x.numpy()
    with pytest.raises(TypeError):  # controls: the dtype alone, and neither
        x.detach().numpy()
    assert_array(np, x.detach().float().numpy(), [1.0, 1.0])


@requirement("grad.force-waives")
def test_force_waives_the_refusal(torch, np, device):
    x = torch.tensor([1.0, -2.0], requires_grad=True, device=device)
    assert_array(np, x.numpy(force=True), [1.0, -2.0])
    assert_array(np, (x * 2).numpy(force=True), [2.0, -4.0])
    with pytest.raises(RuntimeError):  # control
        x.numpy(force=False)


@requirement("grad.force-is-unknown")
def test_numpy_knows_no_force(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    with pytest.raises(TypeError):
        x.numpy(force=True)
    with pytest.raises(TypeError):
        x.detach().numpy(force=True)
    assert_array(np, x.detach().numpy(), [1.0, 1.0])  # control


@requirement("grad.numpy-takes-no-positional-argument")
@pytest.mark.parametrize("argument", [True, False, None, "float32"])
def test_numpy_takes_no_positional_argument(torch, np, device, argument):
    x = torch.ones(2, requires_grad=True, device=device)
    with pytest.raises(TypeError):
        x.numpy(argument)
    with pytest.raises(TypeError):
        x.detach().numpy(argument)
    assert_array(np, x.detach().numpy(), [1.0, 1.0])  # control


@requirement("grad.message-advises-detach-numpy")
def test_the_message_advises_detach_and_numpy(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    for refused in (x, x * 2, torch.nn.Parameter(x.detach())):
        assert "detach().numpy()" in str(refusal(refused))
        assert_array(np, refused.detach().numpy(), refused.tolist())  # control: the advice is good


@requirement("grad.message-says-variable")
def test_the_message_says_variable(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    message = str(refusal(x))
    assert "Variable that requires grad" in message
    assert "var.detach().numpy()" in message
    assert_array(np, x.detach().numpy(), [1.0, 1.0])  # control


@requirement("grad.message-says-tensor")
def test_the_message_says_tensor(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    message = str(refusal(x))
    assert "Tensor that requires grad" in message
    assert "tensor.detach().numpy()" in message
    assert_array(np, x.detach().numpy(), [1.0, 1.0])  # control
