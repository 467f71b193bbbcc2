"""Functions that users write: ``torch.autograd.Function`` with ``forward`` and ``backward``."""

import weakref

from .. import boundary, tensors
from ..errors import NotModelled
from ..registry import built
from .grad_modes import grad_mode
from .graph import Node, Saved, described, edge_of, requires_grad, zeros_like_described


class FunctionNode(Node):
    """The recorded call of a user's function. It keeps the context, and with it what ``forward`` put there."""

    def __init__(self, torch, function, context, arguments, results):
        inputs = [each for each in arguments if isinstance(each, torch.Tensor)]
        results = [described(each) if isinstance(each, torch.Tensor) else None for each in results]
        super().__init__(tuple(edge_of(each) for each in inputs), None, (), results)
        self.torch, self.function, self.context = torch, function, context
        self.places = [place for place, each in enumerate(arguments) if isinstance(each, torch.Tensor)]
        self.count = len(arguments)
        self.inputs = [described(each) for each in inputs]
        context._node = weakref.ref(self)

    def __getattr__(self, name):
        """What ``forward`` left on the context can be read from ``grad_fn`` too."""
        if name.startswith("_") or name == "context":
            raise AttributeError(name)
        return getattr(self.context, name)

    def arrived(self, torch, received):
        """The gradients of all results: zeros, or None if ``set_materialize_grads(False)``, where none arrived."""
        filled = []
        for number, result in enumerate(self.results):
            wanted = result is not None and self.context._materialize
            empty = zeros_like_described(torch, result) if wanted and number not in received else None
            filled.append(received.get(number, empty))
        return filled

    def apply(self, gradients):
        """The gradients of the inputs, from the user's ``backward`` (grad.function-backward-converts)."""
        found = self.function.backward(self.context, *gradients)
        found = list(found) if isinstance(found, tuple) else [found]
        name = self.function.__name__ + "Backward"
        if len(found) > self.count and all(each is None for each in found[self.count :]):
            found = found[: self.count]
        if len(found) != self.count:
            raise RuntimeError(
                "function {} returned an incorrect number of gradients (expected {}, got {})".format(
                    name, self.count, len(found)
                )
            )
        for place, gradient in enumerate(found):
            if place not in self.places and gradient is not None:
                raise RuntimeError(
                    "function {} returned a gradient different than None at position {}, but the corresponding forward "
                    "input was not a Variable".format(name, place + 1)
                )
        return tuple(
            fitted(self.torch, name, number, found[place], self.inputs[number])
            for number, place in enumerate(self.places)
        )

    def release(self):
        """Let go of what was saved."""
        self.context._saved = None if self.context._saved else ()


class Context:
    """The first argument of ``forward`` and ``backward``: users put on it what they like.

    Nothing but the graph refers to it when ``forward`` is done (detach.result-keeps-no-history).
    """

    def __init__(self, needs):
        self.needs_input_grad = needs
        self._asked = ()
        self._saved = ()
        self._node = None
        self._plain = ()
        self._materialize = True

    def save_for_backward(self, *saved):
        """Keep these tensors (or None) for backward, which notices if they are changed in place."""
        self._asked = saved

    def mark_non_differentiable(self, *results):
        """Results that get no history."""
        self._plain = results

    def set_materialize_grads(self, value):
        """Whether a gradient that did not arrive is zeros for ``backward``, or None."""
        self._materialize = value

    def mark_dirty(self, *changed):
        """Not modelled: a function that changes its inputs."""
        raise NotModelled("mark_dirty()")

    @property
    def saved_tensors(self):
        """The tensors that were saved.

        Raises:
            RuntimeError: they are gone, or were changed since.
        """
        if self._saved is None:
            raise RuntimeError(
                "Trying to backward through the graph a second time (or directly access saved tensors after they have "
                "already been freed)."
            )
        node = self._node and self._node()
        return tuple(saved and saved.unpack(node) for saved in self._saved)


def call_function(torch, function, arguments):
    """Run ``forward`` without grad mode and record it (grad.function-forward-converts, detach.call-keeps-history)."""
    inputs = [argument for argument in arguments if isinstance(argument, torch.Tensor)]
    recorded = torch.records and any(requires_grad(each) for each in inputs)
    if any(each._history.tangent is not None for each in inputs):
        raise NotModelled("a function of the user on a dual tensor")
    context = Context(tuple(isinstance(each, torch.Tensor) and requires_grad(each) for each in arguments))
    with grad_mode(torch, False):
        if function.setup_context is not None and "setup_context" in torch.known["torch.autograd.Function"]:
            result = function.forward(*arguments)
            function.setup_context(context, arguments, result)
        else:
            result = function.forward(context, *arguments)
    several = isinstance(result, tuple)
    if not several and not isinstance(result, torch.Tensor):
        raise NotModelled("a function whose forward returns no tensor")
    results = [returned(torch, each, arguments) for each in (result if several else (result,))]
    if recorded:
        attach(torch, function, context, arguments, results)
    return tuple(results) if several else results[0]


def returned(torch, result, arguments):
    """A result; one that is an input as it was is returned as another tensor on the same memory."""
    if not isinstance(result, torch.Tensor) or not any(result is each for each in arguments):
        return result
    view = tensors.alias(result)
    view._history.base = result._history.base if result._history.base is not None else result
    view._history.seen = result._counter.value if result._counter is not None else 0
    return view


def attach(torch, function, context, arguments, results):
    """Give results their history: a node that keeps the context."""
    kind = type(
        function.__name__ + "Backward", (FunctionNode,), {"__doc__": "The call of a function that a user wrote."}
    )
    node = kind(torch, function, context, arguments, results)
    for number, result in enumerate(results):
        plain = any(result is each for each in context._plain)
        if not isinstance(result, torch.Tensor) or not result._impl.dtype.differentiable or plain:
            continue
        history = result._history
        if history.grad_fn is not None or history.requires_grad:
            raise NotModelled("a function whose forward returns a tensor that has a history")
        history.requires_grad, history.grad_fn, history.output = True, node, number
        if history.base is not None:
            history.how, history.seen = "custom", result._counter.value
    context._saved = tuple(each if each is None else saved_of(torch, each, results, node) for each in context._asked)
    context._asked = context._plain = ()


def saved_of(torch, tensor, results, node):
    """A tensor as it is saved: a result without its history, so that the node does not keep itself."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(
            "save_for_backward can only save variables, but argument is of type {}".format(type(tensor).__name__)
        )
    return Saved(tensor, of=node if any(tensor is each for each in results) else None)


def fitted(torch, name, number, gradient, wanted):
    """A gradient in the shape and type of the input.

    Raises:
        RuntimeError: it is no tensor, or its shape does not fit.
    """
    if gradient is None:
        return None
    if not isinstance(gradient, torch.Tensor):
        raise RuntimeError("expected Variable or None (got {})".format(type(gradient).__name__))
    shape, dtype, device = wanted
    if tuple(gradient._impl.shape) != tuple(shape):
        gradient = summed(gradient, shape, name, number)
    if tensors.device_of(gradient) != device or gradient._impl.layout != tensors.STRIDED:
        raise NotModelled("a gradient on another device or of another layout")
    if gradient._impl.dtype is not dtype:
        from ..operations.copying import moved  # operations build on this package

        if gradient._impl.dtype.is_complex and not dtype.is_complex:
            raise NotModelled("a complex gradient of a real tensor")
        gradient = moved(gradient, dtype)
    return gradient


def summed(gradient, shape, name, number):
    """A gradient summed to a shape that it is an expansion of."""
    from ..operations.views import sum_to

    have, front = gradient._impl.shape, len(gradient._impl.shape) - len(shape)
    if front < 0 or any(size not in (1, wide) for size, wide in zip(shape, have[max(front, 0) :])):
        raise RuntimeError(
            "Function {} returned an invalid gradient at index {} - got {} but expected shape compatible "
            "with {}".format(name, number, list(have), list(shape))
        )
    return sum_to(gradient, shape)


def _old_style(self, *arguments, **options):
    """Refuse to make an instance of a user's operation."""
    raise NotModelled("an instance of a function")


@built("autograd.Function", "autograd.function.Function")
def function_class(torch):
    """The class ``torch.autograd.Function``."""

    def apply(cls, *arguments, **options):
        """Call the function: ``forward`` now, ``backward`` when gradients arrive."""
        if options:
            raise NotModelled("apply() with options by name")
        return call_function(torch, cls, arguments)

    def forward(ctx, *arguments):
        """To be written by the user."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    def backward(ctx, *gradients):
        """To be written by the user."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function."
        )

    body = {
        "__doc__": "A function with a gradient that a user gives.",
        "apply": classmethod(boundary.guarded(apply, torch)),
        "forward": staticmethod(forward),
        "backward": staticmethod(backward),
        "__call__": _old_style,
        "setup_context": None,
    }
    return type("Function", (object,), body)
