"""What users call: backward, grad, detach, hooks."""

import weakref

import numpy as np

from .. import tensors
from ..errors import NotModelled
from ..registry import both, function, method
from . import engine
from .graph import RemovableHandle, requires_grad
from .inplace import bump, current_grad_fn


def seeds(torch, roots, given):
    """The gradients to begin with: those that are given, or 1 for a root with one element.

    Raises:
        RuntimeError: a root needs none, or has several elements and no gradient is given.
    """
    found = []
    for root, gradient in zip(roots, given):
        if not requires_grad(root):
            raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
        if gradient is None:
            if root.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            if root._impl.dtype.is_complex:
                raise NotModelled("the gradient of a complex number that starts with 1")
            gradient = tensors.new(torch, np.ones(root._impl.shape), root._impl.dtype, tensors.device_of(root))
        elif not isinstance(gradient, torch.Tensor):
            raise TypeError("gradients can be either Tensors or None, but got {}".format(type(gradient).__name__))
        elif gradient._impl.shape != root._impl.shape:
            raise RuntimeError(
                "Mismatch in shape: grad_output[0] has a shape of {} and output[0] has a shape of {}.".format(
                    gradient._impl.shape, root._impl.shape
                )
            )
        found.append(gradient)
    return found


def listed(thing):
    """One thing or a sequence of them, as a list."""
    return list(thing) if isinstance(thing, (tuple, list)) else [thing]


@method("backward")
def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Add the gradients of this tensor to ``grad`` of the leaves that it comes from (model.backward-fills-grad)."""
    if inputs is not None:
        raise NotModelled("backward(inputs=...)")
    torch = self._torch
    retain = create_graph if retain_graph is None else retain_graph
    engine.run(torch, [self], seeds(torch, [self], [gradient]), retain, create_graph)


@function("autograd.backward")
def backward_of_several(torch, tensors, grad_tensors=None, retain_graph=None, create_graph=False):
    """`backward` of several tensors at once."""
    roots = listed(tensors)
    given = [None] * len(roots) if grad_tensors is None else listed(grad_tensors)
    retain = create_graph if retain_graph is None else retain_graph
    engine.run(torch, roots, seeds(torch, roots, given), retain, create_graph)


@function("autograd.grad")
def grad(
    torch,
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
):
    """The gradients of ``outputs`` for ``inputs``, which are left as they are.

    Raises:
        RuntimeError: an input does not require grad, or the outputs do not depend on it.
    """
    roots, leaves = listed(outputs), listed(inputs)
    given = [None] * len(roots) if grad_outputs is None else listed(grad_outputs)
    starts = seeds(torch, roots, given)
    if any(not requires_grad(leaf) for leaf in leaves):
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    retain = create_graph if retain_graph is None else retain_graph
    found = engine.run(torch, roots, starts, retain, create_graph, leaves)
    if not allow_unused and any(gradient is None for gradient in found):
        raise RuntimeError(
            "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if "
            "this is the desired behavior."
        )
    return tuple(found)


@both("detach")
def detach(self):
    """Another tensor on the same memory, without history; it shares the version counter.

    So a write to it counts as one to this tensor (detach.write-bumps-original-version). That of an inference tensor
    has a counter, although it is an inference tensor too (mode.inference-detached-accepts-writes).
    """
    torch = self._torch
    impl = self._impl if torch.behaviour.detach_shares_metadata else None
    # What is detached from an inference tensor is one too, but counts changes (mode.inference-detached-accepts-writes).
    shared = tensors.alias(self, impl, self._counter or tensors.Counter())
    if self._history.tangent is not None and self._torch.behaviour.detach_keeps_tangent:
        shared._history.tangent = self._history.tangent
    shared._fixed = self._torch.behaviour.detached_keeps_metadata
    return shared


@both("detach_")
def detach_(self):
    """Forget the history.

    Raises:
        RuntimeError: a view (detach.in-place-refuses-view).
    """
    history = self._history
    if history.base is not None:
        raise RuntimeError("Can't detach views in-place. Use detach() instead.")
    history.requires_grad, history.grad_fn, history.output = False, None, 0
    return self


@method("retain_grad")
def retain_grad(self):
    """Have backward keep ``grad`` of a tensor that is no leaf."""
    if not requires_grad(self):
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    node = current_grad_fn(self)
    if node is not None:
        node.retained[self._history.output] = weakref.ref(self)
        self._history.retains = True


@method("register_hook")
def register_hook(self, hook):
    """Call ``hook(gradient)`` when the gradient of this tensor is there; what it returns replaces the gradient.

    Raises:
        RuntimeError: the tensor does not require grad.
    """
    if not requires_grad(self):
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    node = current_grad_fn(self)
    if node is None:
        self._history.hooks.append(hook)
        return RemovableHandle(self._history.hooks, hook)
    hooks = node.pre_hooks.setdefault(self._history.output, [])
    hooks.append(hook)
    return RemovableHandle(hooks, hook)


@function("autograd.graph.increment_version")
def increment_version(torch, tensor):
    """Count a change that torch could not notice, such as one through an array. Inference tensors have no version."""
    for each in listed(tensor):
        if not isinstance(each, torch.Tensor):
            raise NotModelled("increment_version() of {}".format(type(each).__name__))
        bump(each)
