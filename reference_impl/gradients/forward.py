"""Forward-mode differentiation: dual tensors, whose tangent goes along through operations (detach.drops-tangent)."""

import collections
import contextlib

import numpy as np

from .. import tensors
from ..errors import NotModelled
from ..registry import built, function
from .grad_modes import grad_mode
from .graph import requires_grad

Unpacked = collections.namedtuple("UnpackedDualTensor", ("primal", "tangent"))


class Level:
    """What tells the tangents of one ``dual_level`` from those of the next."""


def tangent_of(tensor):
    """The tangent of a tensor at the level that is open, or None."""
    found = tensor._history.tangent
    return found[1] if found is not None and found[0] is tensor._torch.modes.dual_level else None


@function("autograd.forward_ad.enter_dual_level")
def enter_dual_level(torch):
    """Open a level: dual tensors can be made now. Returns its number."""
    if isinstance(torch.modes.dual_level, Level):
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    torch.modes.dual_level = Level()
    return 0


@function("autograd.forward_ad.exit_dual_level")
def exit_dual_level(torch, *, level=None):
    """Close the level: its tangents are gone."""
    if not isinstance(torch.modes.dual_level, Level):
        raise RuntimeError("Trying to exit a forward AD level but no level was entered")
    if level not in (None, 0):
        raise NotModelled("exit_dual_level(level={!r})".format(level))
    torch.modes.dual_level = -1


@built("autograd.forward_ad.dual_level")
def dual_level(torch):
    """The class ``dual_level``: a level for a block."""

    class dual_level:
        def __enter__(self):
            return enter_dual_level(torch)

        def __exit__(self, *error):
            exit_dual_level(torch)

    return dual_level


def need_level(torch, level):
    """Refuse to work without a level, or on another one than is open."""
    if level not in (None, 0) or not isinstance(torch.modes.dual_level, Level):
        raise NotModelled("dual tensors without the level that is open")


@function("autograd.forward_ad.make_dual")
def make_dual(torch, tensor, tangent, *, level=None):
    """A dual tensor on the memory of ``tensor``, with this tangent."""
    need_level(torch, level)
    given = [tensor, tangent]
    if not all(isinstance(each, torch.Tensor) for each in given) or any(requires_grad(each) for each in given):
        raise NotModelled("make_dual() of these arguments")
    one, other = tensor._impl, tangent._impl
    same = one.shape == other.shape and one.dtype is other.dtype and one.layout == other.layout == tensors.STRIDED
    if not same or not one.dtype.is_floating_point or tensors.device_of(tensor) != tensors.device_of(tangent):
        raise NotModelled("make_dual() of a tensor and a tangent that differ in kind, or are not floating point")
    if tangent_of(tensor) is not None or tangent_of(tangent) is not None or torch.modes.inference:
        raise NotModelled("make_dual() of a dual tensor, or in inference mode")
    dual = tensors.alias(tensor)
    dual._history.base = tensor._history.base if tensor._history.base is not None else tensor
    dual._history.seen = tensor._counter.value if tensor._counter is not None else 0
    dual._history.tangent = (torch.modes.dual_level, tangent)
    return dual


@function("autograd.forward_ad.unpack_dual")
def unpack_dual(torch, tensor, *, level=None):
    """The tensor without its tangent, and the tangent or None."""
    need_level(torch, level)
    tangent = tangent_of(tensor)
    return Unpacked(tensor if tangent is None else tensors.alias(tensor), tangent)


def carry(torch, results, inputs, backward, saved):
    """Give the results of an operation the tangents that its dual inputs lead to (detach.drops-tangent).

    For each element of the result, its gradient times the tangents of the inputs, summed up.
    """
    duals = [(place, tangent_of(each)) for place, each in enumerate(inputs) if tangent_of(each) is not None]
    if not duals:
        return
    results = [each for each in results if each._impl.dtype.differentiable]
    if not results:
        return
    if len(results) != 1 or torch.records and any(requires_grad(each) for each in inputs):
        raise NotModelled("this operation on dual tensors")
    result = results[0]
    if not result._impl.dtype.is_floating_point or not tensors.device_of(result).holds_data:
        if tensors.device_of(result).holds_data:
            raise NotModelled("this operation on dual tensors")
        result._history.tangent = (
            torch.modes.dual_level,
            tensors.allocate(torch, result._impl.shape, result._impl.dtype, tensors.device_of(result)),
        )
        return
    shape, dtype, device = result._impl.shape, result._impl.dtype, tensors.device_of(result)
    tangent = np.zeros(shape, dtype.compute)
    with undifferentiated(torch, [inputs[number] for number, _ in duals]):
        for place in np.ndindex(*shape):
            one = np.zeros(shape, dtype.compute)
            one[place] = 1
            found = backward([tensors.new(torch, one, dtype, device)], *saved)
            tangent[place] = sum(
                np.sum(tensors.values(found[number]) * tensors.values(given)) for number, given in duals
            )
    result._history.tangent = (torch.modes.dual_level, tensors.new(torch, tangent, dtype, device))


@contextlib.contextmanager
def undifferentiated(torch, duals):
    """Have nothing be recorded in a block, and no tangent go along, but gradients be computed for these tensors."""
    before = torch.modes.dual_level
    torch.modes.dual_level = -1
    for dual in duals:
        dual._history.requires_grad = True
    try:
        with grad_mode(torch, False):
            yield
    finally:
        torch.modes.dual_level = before
        for dual in duals:
            dual._history.requires_grad = False
