"""Views and in-place changes: which history a tensor has after a change, and which changes are refused."""

from .. import geometry, tensors
from ..errors import NotModelled
from .graph import Node, Saved, carry_tangents, described, edge_of, make_node, needs_record, requires_grad


class CopySlices(Node):
    """The history of a base after a change of a view: the gradient of the part goes through ``inner``."""

    def __init__(self, torch, base, view, inner):
        super().__init__((edge_of(base),) + tuple(inner.edges[1:]), None, (), [described(base)])
        self.torch, self.inner = torch, inner
        self.base, self.view = place_of(base), place_of(view)

    def apply(self, gradients):
        """The gradient of the base before the change, and those of the other inputs of the change."""
        if requires_grad(gradients[0]) and self.torch.modes.grad:
            raise NotModelled("a second derivative through an in-place change of a view")
        shape, strides, origin = self.base
        result = tensors.allocate(self.torch, shape, gradients[0]._impl.dtype, tensors.device_of(gradients[0]), strides)
        tensors.fill(result, tensors.values(gradients[0]))
        part = window(result, self.view, origin)
        passed = self.inner.apply([part.clone()])
        tensors.fill(part, 0 if passed[0] is None else tensors.values(passed[0]))
        return (result,) + tuple(passed[1:])

    def release(self):
        """Let go of what the change saved."""
        self.inner.release()


def place_of(tensor):
    """Shape, strides and offset of a tensor."""
    return tensor._impl.shape, tensor._impl.strides, tensor._impl.offset


def window(whole, view, origin):
    """The part of the tensor ``whole`` that lies where ``view`` lay in a tensor whose offset was ``origin``."""
    shape, strides, offset = view
    return tensors.alias(whole, whole._impl.changed(shape=shape, strides=strides, offset=offset - origin))


def current_grad_fn(tensor):
    """The node that made a tensor. A view's is renewed if its base was changed since."""
    history = tensor._history
    base = history.base
    if base is None or tensor._counter is None or history.seen == tensor._counter.value:
        return history.grad_fn
    if history.grad_fn is None and not requires_grad(base):
        return None
    if history.how is not None:
        refuse_stale(tensor)
    node = as_strided_node(tensor._torch, base, tensor)
    history.grad_fn, history.output, history.seen = node, 0, tensor._counter.value
    return node


def refuse_stale(view):
    """Refuse the history of a view whose base was changed, where it would not be right.

    Raises:
        RuntimeError: a view made without grad mode, in inference mode, or by a function with several results.
        NotModelled: a release of which this was not looked into.
    """
    if not view._torch.behaviour.stale_view_raises:
        raise NotModelled("the history of a view that was made without history and whose base was changed")
    raise RuntimeError(
        "A view was created in {} mode and its base or another view of its base has been modified inplace with grad "
        "mode enabled.".format(view._history.how)
    )


def as_strided_node(torch, base, view):
    """The history of a view as a plain window on its base."""
    shape, strides, origin = place_of(base)
    place = place_of(view)
    if not geometry.is_dense(shape, strides):
        raise NotModelled("a change in place below a view of a tensor with gaps or overlap")

    def backward(gradients):
        if requires_grad(gradients[0]) and torch.modes.grad:
            raise NotModelled("a second derivative through an in-place change of a view")
        result = tensors.allocate(torch, shape, gradients[0]._impl.dtype, tensors.device_of(gradients[0]), strides)
        part = window(result, place, origin)
        if geometry.overlaps(part._impl.shape, part._impl.strides):
            raise NotModelled("the gradient of an expanded window")
        tensors.fill(part, tensors.values(gradients[0]))
        return (result,)

    return make_node("AsStridedBackward0", (base,), backward, (), [described(view)])


def make_view(torch, base, impl, name, backward, saved=()):
    """A view of ``base`` at ``impl``: same memory, same version counter, and a history that leads to ``base``."""
    if base._inference:  # also one that detach() gave a counter
        return tensors.wrap(torch, impl, None, True)
    view = tensors.alias(base, impl)
    history = view._history
    if base._counter is not None:
        history.base = base._history.base if base._history.base is not None else base
        history.how = "inference" if torch.modes.inference else None if torch.modes.grad else "no_grad"
        history.seen = base._counter.value if base._counter is not None else 0
    if torch.modes.dual_level != -1:
        carry_tangents(torch, (view,), (base,), backward, saved)
    if needs_record(torch, (base,)) and impl.dtype.differentiable:
        node = make_node(name, (base,), backward, saved, [described(view)])
        history.requires_grad, history.grad_fn = True, node
    return view


def guard(torch, tensor, records, elements=None):
    """Refuse a change in place that torch refuses, whatever is written.

    Of an inference tensor, torch notices the change when it has written the ``elements``.

    Raises:
        RuntimeError: an inference tensor outside inference mode; a leaf that requires grad, or a view of one, while the
            change would be recorded; a view made without history, if it would be given one.
    """
    if tensor._counter is None and not torch.modes.inference:
        if elements is not None:
            tensors.fill(tensor, elements)
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed."
            "You can make a clone to get a normal tensor before doing inplace update."
        )
    if not torch.records:
        return
    history = tensor._history
    base = history.base
    if requires_grad(tensor) and current_grad_fn(tensor) is None and (base is None or history.requires_grad):
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    if base is not None:
        if requires_grad(base) and current_grad_fn(base) is None:
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
        if history.how == "custom" and records:
            raise RuntimeError("Output 0 of a custom Function is a view and is being modified inplace.")
        if history.how is not None and (records or requires_grad(tensor)):
            raise RuntimeError(
                "A view was created in {} mode and is being modified inplace with grad mode enabled.".format(
                    history.how
                )
            )


def bump(tensor):
    """Count one change of the elements."""
    if tensor._counter is not None:
        tensor._counter.value += 1


def change(torch, tensor, elements, name, inputs, backward, saved=(), saves_result=False, overlap=False):
    """Write ``elements`` (an ndarray) over ``tensor`` and give it the history of the operation ``name``; return it.

    ``inputs`` begins with ``tensor`` itself; the rest is as for `graph.record`. A tensor that is saved must not be
    ``tensor``: save a clone. With ``overlap``, elements that lie in one place are no obstacle.
    """
    recorded = needs_record(torch, inputs)
    if any(each._history.tangent is not None for each in inputs):
        raise NotModelled("a change in place of a dual tensor, or by one")
    guard(torch, tensor, recorded, elements)
    if not overlap and geometry.overlaps(tensor._impl.shape, tensor._impl.strides):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )
    node = make_node(name, inputs, backward, saved, [described(tensor)]) if recorded else None
    tensors.fill(tensor, elements)
    bump(tensor)
    if node is not None:
        if tensor._history.retains:
            raise NotModelled("a change in place of a tensor that retains its grad")
        rebase(torch, tensor, node)
        if saves_result:
            node.saved += (Saved(tensor, of=node),)
    return tensor


def rebase(torch, tensor, node):
    """Give a changed tensor, and the base that it is a view of, their new history."""
    history = tensor._history
    base = history.base
    if base is None:
        history.requires_grad, history.grad_fn, history.output = True, node, 0
        return
    if not geometry.is_dense(base._impl.shape, base._impl.strides):
        raise NotModelled("a change in place below a view of a tensor with gaps or overlap")
    copied = CopySlices(torch, base, tensor, node)
    base._history.requires_grad, base._history.grad_fn, base._history.output = True, copied, 0
    history.requires_grad, history.grad_fn, history.output = True, as_strided_node(torch, base, tensor), 0
    history.seen = tensor._counter.value
