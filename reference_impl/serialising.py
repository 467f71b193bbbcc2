"""Copies by ``copy`` and ``pickle``: which keep that tensors share memory, and know nothing of arrays on it."""

import importlib
from multiprocessing.reduction import ForkingPickler

import numpy as np

from . import devices, dtypes, memory, tensors
from .errors import NotModelled
from .gradients.graph import requires_grad
from .gradients.inplace import current_grad_fn
from .registry import METHODS, built, method


def plain(tensor):
    """Refuse a tensor of a kind whose copy is made in another way."""
    impl = tensor._impl
    special = impl.layout != tensors.STRIDED or impl.conj or impl.neg or impl.zero or impl.extra is not None
    if special or type(tensor) is not tensor._torch.Tensor or tensor._inference or tensor._history.tangent is not None:
        raise NotModelled("a copy of such a tensor by copy or pickle")
    if tensor._history.hooks or not tensors.device_of(tensor).holds_data:
        raise NotModelled("a copy of such a tensor by copy or pickle")


@method("__deepcopy__")
def deepcopy(self, memo):
    """A tensor on a copy of the storage; tensors that alias each other still do (hazard.deepcopy-separates-array).

    Raises:
        RuntimeError: the tensor is no leaf.
    """
    if current_grad_fn(self) is not None:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
        )
    if id(self) in memo:
        return memo[id(self)]
    plain(self)
    if self._history.grad is not None:
        raise NotModelled("deepcopy() of a tensor that has a gradient")
    made = tensors.wrap(self._torch, self._impl.changed(storage=copied_storage(self._impl.storage, memo)))
    made._history.requires_grad = requires_grad(self)
    made._counter.value = 1  # as ``set_`` counts
    memo[id(self)] = made
    return made


def copied_storage(held, memo):
    """A storage with the same bytes; the same one for every tensor of one call of `copy.deepcopy`."""
    if id(held) not in memo:
        memo[id(held)] = memory.Storage(held.nbytes, held.device, held.memory.copy())
    return memo[id(held)]


@method("__reduce_ex__")
def reduced(self, protocol):
    """How a tensor is pickled, and how `copy.copy` copies it: that shares the storage, while pickling does not."""
    plain(self)
    impl, release = self._impl, self._torch.number
    place = (impl.offset, tuple(impl.shape), impl.strides)
    return rebuilt, (release, Held(impl.storage)) + place + (impl.dtype.name, requires_grad(self))


def rebuilt(release, held, offset, shape, strides, dtype, flag):
    """A tensor as it was when it was pickled, without its history."""
    torch = importlib.import_module(__package__).edition(release).Tensor._torch
    made = tensors.wrap(torch, tensors.Impl(held.storage, offset, shape, strides, dtypes.ALL[dtype]))
    made._history.requires_grad = flag
    made._counter.value = 1  # as ``set_`` counts
    return made


class Held:
    """A storage while a tensor on it is copied; each tensor that is pickled has its bytes for itself."""

    def __init__(self, storage):
        self.storage = storage

    def __reduce__(self):
        if self.storage.device != devices.CPU:
            raise NotModelled("pickling a tensor of {}".format(self.storage.device))
        return stored, (self.storage.memory.tobytes(),)


def stored(content):
    """A storage that was pickled."""
    return Held(memory.Storage(len(content), devices.CPU, np.frombuffer(content, np.uint8).copy()))


@built("multiprocessing.reductions.reduce_tensor")
def reduce_tensor(torch):
    """How a tensor is pickled for another process (hazard.sending-to-process-frees-array-memory).

    It is moved to shared memory.
    """

    def reduce(tensor):
        if current_grad_fn(tensor) is not None:
            raise RuntimeError("Cowardly refusing to serialize non-leaf tensor which requires_grad")
        plain(tensor)
        METHODS["share_memory_"](tensor)
        return reduced(tensor, 2)

    ForkingPickler.register(torch.Tensor, reduce)
    return reduce
