"""Walks the graph backward, from roots to leaves, each node once, when all its gradients are there."""

import collections
import heapq
import weakref

from .. import geometry, tensors
from ..errors import NotModelled
from .grad_modes import grad_mode
from .graph import AccumulateGrad, edge_of, record


def run(torch, roots, gradients, retain, create, inputs=None):
    """Send ``gradients`` back from ``roots`` (tensors).

    Gradients are added to ``grad`` of the leaves, or, if ``inputs`` (tensors) are given, returned as a list with one
    tensor or None for each of them. While nodes and hooks run, grad mode is ``create`` (grad.hook-permits-numpy).
    """
    buffers = {}
    starts = []
    for root, gradient in zip(roots, gradients):
        edge = edge_of(root)
        add(buffers, edge, gradient)
        starts.append(edge[0])
    waiting = dependencies(starts)
    wanted = [edge_of(tensor) for tensor in inputs or ()]
    useful = leading_to([node for node, _ in wanted], starts) if inputs is not None else None
    captured = [None] * len(wanted)
    ready = []
    for node in dict.fromkeys(starts):
        if waiting.get(node, 0) == 0:
            push(ready, node)
    with grad_mode(torch, create):
        while ready:
            node = heapq.heappop(ready)[-1]
            received = buffers.pop(node, {})
            hooked(torch, node, received)
            for place, (wanted_node, number) in enumerate(wanted):
                if wanted_node is node:
                    captured[place] = received.get(number)
            if useful is None or node in useful:
                step(torch, node, received, buffers, retain, create, accumulate=inputs is None)
            for following, _ in node.edges:
                if following is not None:
                    waiting[following] -= 1
                    if waiting[following] == 0:
                        push(ready, following)
    return captured


def push(ready, node):
    """Put a node where it is taken from when it is its turn: leaves first, then the latest operation."""
    heapq.heappush(ready, (-node.sequence, id(node), node))


def dependencies(starts):
    """For each node that can be reached, the number of edges that lead to it."""
    waiting = collections.Counter()
    todo, seen = list(starts), set(starts)
    while todo:
        for node, _ in todo.pop().edges:
            if node is not None:
                waiting[node] += 1
                if node not in seen:
                    seen.add(node)
                    todo.append(node)
    return waiting


def leading_to(targets, starts):
    """The nodes that must run so that gradients reach ``targets``: those with a target behind them."""
    order, seen, todo = [], set(), [(node, False) for node in starts]
    while todo:
        node, done = todo.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo.extend((following, False) for following, _ in node.edges if following is not None)
    useful = set()
    for node in order:
        if any(following in useful or following in targets for following, _ in node.edges if following is not None):
            useful.add(node)
    return useful


def add(buffers, edge, gradient):
    """Add a gradient to what has arrived at an edge."""
    node, number = edge
    arrived = buffers.setdefault(node, {})
    arrived[number] = gradient if number not in arrived else arrived[number] + gradient


def hooked(torch, node, received):
    """Call the hooks of the tensors that a node made on what arrived, and keep it where a tensor retains it."""
    for number in list(received):
        own = node.variable._history.hooks if isinstance(node, AccumulateGrad) else node.pre_hooks.get(number, ())
        for hook in list(own):
            changed = hook(received[number])
            if changed is not None:
                received[number] = replaced(torch, hook, received[number], changed)
        kept = node.retained.get(number)
        tensor = kept and kept()
        if tensor is not None:
            have = tensor._history.grad
            tensor._history.grad = received[number].clone() if have is None else have + received[number]


def replaced(torch, hook, gradient, changed):
    """What a hook returned in place of a gradient.

    Raises:
        RuntimeError: it has another shape or type.
        TypeError: it is no tensor.
    """
    name = getattr(hook, "__name__", "hook")
    if not isinstance(changed, torch.Tensor):
        raise TypeError("expected Variable, but hook returned '{}'".format(type(changed).__name__))
    if changed._impl.dtype is not gradient._impl.dtype or tensors.device_of(changed) != tensors.device_of(gradient):
        raise RuntimeError("hook '{}' has changed the type of value".format(name))
    if changed._impl.shape != gradient._impl.shape:
        raise RuntimeError("hook '{}' has changed the size of value".format(name))
    return changed


def step(torch, node, received, buffers, retain, create, accumulate):
    """Run one node and pass its gradients on."""
    if isinstance(node, AccumulateGrad):
        if accumulate and 0 in received:
            gather(torch, node.variable, received, create)
        return
    if not received:
        return
    gradients = node.arrived(torch, received)
    passed = node.apply(gradients)
    if not retain:
        node.release()
    passed = tuple(passed) + (None,) * (len(node.edges) - len(passed))
    for hook in list(node.hooks):
        changed = hook(passed, tuple(gradients))
        if changed is not None:
            raise NotModelled("a hook of a node that returns gradients")
    for (following, number), gradient in zip(node.edges, passed):
        if following is not None and gradient is not None:
            add(buffers, (following, number), gradient)


def gather(torch, leaf, received, create):
    """Add the gradient in ``received`` to ``grad`` of a leaf (model.backward-accumulates).

    The first one becomes ``grad`` as it is if nobody else has it, and else is copied.
    """
    have = leaf._history.grad
    if not leaf._history.requires_grad:  # the flag was cleared since
        return
    if have is None:
        gradient = received.pop(0)
        strides = laid_out(leaf, gradient)
        if create:
            leaf._history.grad = recorded_copy(torch, gradient, strides)
            return
        impl, counter, alone = gradient._impl, gradient._counter, weakref.ref(gradient)
        del gradient
        if alone() is None and strides is None:
            leaf._history.grad = tensors.wrap(torch, impl, counter)
            return
        leaf._history.grad = recorded_copy(torch, tensors.wrap(torch, impl), strides)
    elif create:
        leaf._history.grad = have + received[0]
    else:
        tensors.fill(have, tensors.values(have) + tensors.values(received[0]))
        have._counter.value += 1


def recorded_copy(torch, gradient, strides):
    """A copy of a gradient that can be differentiated itself."""
    impl = gradient._impl
    copy = tensors.allocate(torch, impl.shape, impl.dtype, impl.storage.device, strides or impl.strides)
    tensors.fill(copy, tensors.values(gradient))
    copy._counter.value += 1
    return record(torch, copy, "CopyBackwards", (gradient,), lambda found: (found[0],))


def laid_out(leaf, gradient):
    """The strides that a leaf's ``grad`` must have, those of the leaf if it is dense; None if the gradient has them."""
    want, have = leaf._impl, gradient._impl
    if geometry.is_dense(want.shape, want.strides):
        pairs = zip(want.shape, want.strides, have.strides)
        fits = all(size == 1 or one == other for size, one, other in pairs)
        strides = want.strides
    else:
        fits = geometry.is_contiguous(have.shape, have.strides)
        strides = geometry.contiguous_strides(want.shape)
    return None if fits and not (have.conj or have.neg or have.zero) else strides
