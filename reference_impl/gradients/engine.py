"""Walks the graph backward, from roots to leaves, each node once, when all its gradients are there."""

import collections

from .. import geometry
from .. import tensors
from .graph import AccumulateGrad, edge_of, zeros_like_described
from .grad_modes import grad_mode


def run(torch, roots, gradients, retain, create, inputs=None):
    """Send ``gradients`` back from ``roots`` (tensors).

    Gradients are added to ``grad`` of the leaves, or, if ``inputs`` (tensors) are given, returned as a list with one
    tensor or None for each of them. While nodes and hooks run, grad mode is ``create`` (mode.hook-runs-disabled).
    """
    buffers = {}
    starts = []
    for root, gradient in zip(roots, gradients):
        edge = edge_of(root)
        add(buffers, edge, gradient)
        starts.append(edge[0])
    waiting = dependencies(starts)
    wanted = {edge_of(tensor): place for place, tensor in enumerate(inputs or ())}
    useful = leading_to([node for node, _ in wanted], starts) if inputs is not None else None
    captured = [None] * len(wanted)
    ready = [node for node in dict.fromkeys(starts) if waiting.get(node, 0) == 0]
    with grad_mode(torch, create):
        while ready:
            node = ready.pop()
            received = buffers.pop(node, {})
            received = hooked(torch, node, received)
            for (wanted_node, number), place in wanted.items():
                if wanted_node is node:
                    captured[place] = received.get(number)
            if useful is None or node in useful:
                step(torch, node, received, buffers, retain, create, accumulate=inputs is None)
            for following, _ in node.edges:
                if following is not None:
                    waiting[following] -= 1
                    if waiting[following] == 0:
                        ready.append(following)
    return captured


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
    """What arrived at a node, after the hooks of the tensors that it made, and kept where a tensor retains it."""
    for number, gradient in list(received.items()):
        own = node.variable._history.hooks if isinstance(node, AccumulateGrad) else node.pre_hooks.get(number, ())
        for hook in list(own):
            changed = hook(gradient)
            if changed is not None:
                gradient = received[number] = changed
        kept = node.retained.get(number)
        tensor = kept and kept()
        if tensor is not None:
            have = tensor._history.grad
            tensor._history.grad = gradient.clone() if have is None else have + gradient
    return received


def step(torch, node, received, buffers, retain, create, accumulate):
    """Run one node and pass its gradients on."""
    if isinstance(node, AccumulateGrad):
        if accumulate and 0 in received:
            gather(torch, node.variable, received[0], create)
        return
    if not received:
        return
    gradients = [
        received[number] if number in received else zeros_like_described(torch, about)
        for number, about in enumerate(node.results)
    ]
    passed = node.apply(gradients)
    if not retain:
        node.release()
    for hook in list(node.hooks):
        changed = hook(tuple(passed), tuple(gradients))
        passed = passed if changed is None else changed
    for (following, number), gradient in zip(node.edges, passed):
        if following is not None and gradient is not None:
            add(buffers, (following, number), gradient)


def gather(torch, leaf, gradient, create):
    """Add a gradient to ``grad`` of a leaf (model.backward-accumulates)."""
    have = leaf._history.grad
    if have is None:
        fresh = gradient if create else gradient.detach()
        shared = fresh._impl.storage is leaf._impl.storage
        leaf._history.grad = fresh.clone() if shared or not stealable(gradient) else fresh
    elif create:
        leaf._history.grad = have + gradient
    else:
        tensors.fill(have, tensors.values(have) + tensors.values(gradient))
        have._counter.value += 1


def stealable(gradient):
    """Whether a gradient may become a leaf's ``grad`` as it is: it fills its memory."""
    impl = gradient._impl
    return geometry.is_dense(impl.shape, impl.strides) and not impl.conj and not impl.neg
