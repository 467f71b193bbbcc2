"""The graph that is recorded: nodes, the tensors that they save, and the leaves where gradients end."""

import itertools
import weakref

import numpy as np

from .. import tensors

_CLASSES = {}
# Operations on two operands, either of which may be a number: that has an edge too, which leads nowhere.
_TWO = ("AddBackward0", "SubBackward0", "MulBackward0", "DivBackward0")
# They save a number or an index that the model need not save; but a second backward is refused all the same.
_SAVE_MORE = ("MulBackward0", "DivBackward0", "IndexBackward0")
_sequence = itertools.count()  # later operations go backward first


class Saved:
    """A tensor saved for backward, with the version it had (mode.no-grad-write-is-noticed).

    A node's own result is kept as an alias without history, so that the node does not keep itself alive.
    """

    def __init__(self, tensor, of=None):
        if tensor._inference:
            raise RuntimeError("Inference tensors cannot be saved for backward. To work around you can make a clone")
        self.is_result = of is not None
        self.tensor = tensors.alias(tensor) if self.is_result else tensor
        self.version = tensor._counter.value
        self.counter = tensor._counter

    def unpack(self, node):
        """The tensor.

        Raises:
            RuntimeError: it was changed in place since.
        """
        if self.counter.value != self.version:
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                "[{}], which is output 0 of {}, is at version {}; expected version {} instead.".format(
                    list(self.tensor._impl.shape), node.name(), self.counter.value, self.version
                )
            )
        if not self.is_result:
            return self.tensor
        tensor = tensors.alias(self.tensor)
        tensor._history.requires_grad, tensor._history.grad_fn = True, node
        return tensor


class Node:
    """A recorded operation: ``backward(gradients, *saved)`` gives a gradient, or None, for each edge.

    ``edges`` leads on: (node, number of its result) or (None, 0) for inputs that need none.
    """

    def __init__(self, edges, backward, saved, results):
        self.edges = edges
        self.backward = backward
        self.saved = saved
        self.results = results  # (shape, dtype, device) of each result
        self.released = False
        self.hooks = []
        self.pre_hooks = {}  # number of the result -> hooks of the tensor
        self.retained = {}  # number of the result -> weak reference to the tensor whose grad is kept
        self.metadata = {}
        self.sequence = next(_sequence)

    def name(self):
        """The name of the operation, such as ``MulBackward0``."""
        return type(self).__name__

    @property
    def next_functions(self):
        """The edges: a tuple of (node or None, number)."""
        return tuple(self.edges)

    def register_hook(self, hook):
        """Call ``hook(gradients of inputs, gradients of results)`` when this node has run."""
        self.hooks.append(hook)
        return RemovableHandle(self.hooks, hook)

    def arrived(self, torch, received):
        """The gradients of all results: zeros where none arrived."""
        return [
            received[number] if number in received else zeros_like_described(torch, result)
            for number, result in enumerate(self.results)
        ]

    def apply(self, gradients):
        """The gradients for the edges, from those of the results.

        Raises:
            RuntimeError: what was saved is gone, or was changed in place.
        """
        if self.released and self.saved is None:
            raise RuntimeError(
                "Trying to backward through the graph a second time (or directly access saved tensors after they have "
                "already been freed). Specify retain_graph=True if you need to backward through the graph a second "
                "time."
            )
        found = self.backward(gradients, *[saved.unpack(self) for saved in self.saved])
        return found if isinstance(found, tuple) else (found,)

    def release(self):
        """Let go of what was saved (cost.second-backward-raises)."""
        if self.saved or self.name() in _SAVE_MORE:
            self.saved = None
            self.released = True


class AccumulateGrad(Node):
    """Where the gradient of a leaf ends."""

    def __init__(self, variable):
        super().__init__((), None, (), [described(variable)])
        self.variable = variable
        self.sequence = float("inf")  # as soon as its gradient is there


class RemovableHandle:
    """What `register_hook` returns: ``remove()`` takes the hook away."""

    def __init__(self, hooks, hook):
        self.hooks, self.hook = hooks, hook

    def remove(self):
        """Take the hook away."""
        if self.hook in self.hooks:
            self.hooks.remove(self.hook)


def described(tensor):
    """What a node needs to know of a result to make zeros for it: shape, dtype, device."""
    return tensor._impl.shape, tensor._impl.dtype, tensors.device_of(tensor)


# Before every node was numbered, these were: their operations have several forms.
_NUMBERED = {
    "AddBackward0", "DivBackward0", "MaxBackward1", "MeanBackward0", "MeanBackward1", "MulBackward0", "PowBackward0",
    "PowBackward1", "ReluBackward0", "RsubBackward1", "SqueezeBackward0", "SqueezeBackward1", "SubBackward0",
    "SumBackward0", "SumBackward1", "TransposeBackward0", "UnsqueezeBackward0", "MinBackward1",
    "FillBackward0", "FillBackward1",
}  # fmt: skip


def node_class(torch, name):
    """The class of nodes that the release calls ``name``, or so without its number."""
    if not torch.behaviour.numbers_every_node and name not in _NUMBERED and name[-1] in "01":
        name = name[:-1]
    if name not in _CLASSES:
        _CLASSES[name] = type(name, (Node,), {"__doc__": "A recorded operation."})
    return _CLASSES[name]


def requires_grad(tensor):
    """The flag of a tensor; a view shows that of its base too (mode.no-grad-view-requires-grad)."""
    history = tensor._history
    return (
        history.requires_grad
        or history.grad_fn is not None
        or (history.base is not None and requires_grad(history.base))
    )


def edge_of(tensor):
    """The edge to a tensor: where its gradient goes."""
    from .inplace import current_grad_fn  # views may have to renew theirs; inplace builds on this module

    grad_fn = current_grad_fn(tensor)
    if grad_fn is not None:
        return (grad_fn, tensor._history.output)
    return (accumulator(tensor), 0) if tensor._history.requires_grad else (None, 0)


def accumulator(leaf):
    """The node that a leaf's gradient ends in; the same one for as long as a graph refers to it."""
    known = leaf._history.accumulator and leaf._history.accumulator()
    if known is None:
        known = AccumulateGrad(leaf)
        leaf._history.accumulator = weakref.ref(known)
    return known


def needs_record(torch, inputs):
    """Whether an operation on these tensors is recorded now."""
    return torch.records and any(requires_grad(tensor) for tensor in inputs)


def make_node(name, inputs, backward, saved, results):
    """A node for an operation on ``inputs`` (tensors) with these ``results`` (described)."""
    edges = tuple(edge_of(tensor) for tensor in inputs)
    if name in _TWO and len(edges) == 1:
        edges += ((None, 0),)
    return node_class(inputs[0]._torch, name)(edges, backward, tuple(Saved(tensor) for tensor in saved), results)


def record(torch, result, name, inputs, backward, saved=(), saves_result=False):
    """Give ``result`` its history, if the operation that made it is to be recorded, and return it.

    Args:
        result: a new tensor, or a tuple of them.
        name: the name of the operation, such as ``"MulBackward0"``.
        inputs: the tensors that a gradient may go to.
        backward: ``backward(gradients, *saved)``: a list with the gradient of each result (a tensor) to a tuple
            with one gradient, or None, for each input. It computes with tensors, so that it can be recorded itself.
        saved: tensors that ``backward`` needs.
        saves_result: ``backward`` needs the result, as the last of the saved tensors.
    """
    results = result if isinstance(result, tuple) else (result,)
    if torch.modes.dual_level != -1:
        carry_tangents(torch, results, inputs, backward, tuple(saved) + ((results[0],) if saves_result else ()))
    if not needs_record(torch, inputs) or not any(each._impl.dtype.differentiable for each in results):
        return result
    node = make_node(name, inputs, backward, saved, [described(each) for each in results])
    for number, each in enumerate(results):
        if each._impl.dtype.differentiable:
            each._history.requires_grad, each._history.grad_fn, each._history.output = True, node, number
    if saves_result:
        node.saved += (Saved(results[0], of=node),)
    return result


def zeros_like_described(torch, about):
    """Zeros for a result that no gradient reached."""
    shape, dtype, device = about
    return tensors.new(torch, np.zeros(shape, dtype.compute), dtype, device)


def carry_tangents(torch, results, inputs, backward, saved):
    """Have the tangents of dual inputs go along (detach.drops-tangent)."""
    from .forward import carry  # which builds on this module

    carry(torch, results, inputs, backward, saved)
