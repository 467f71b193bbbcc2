"""Storages as users see them: the memory behind a tensor, with and without a type."""

import warnings

from .. import tensors
from ..errors import NotModelled
from ..registry import method


class UntypedStorage:
    """The bytes behind a tensor."""

    def __init__(self, held):
        self._held = held

    def data_ptr(self):
        """The address of the first byte."""
        return self._held.address

    def nbytes(self):
        """The number of bytes."""
        return self._held.nbytes

    size = __len__ = nbytes

    def resize_(self, size):
        """Make the storage smaller, whatever lies on it, or larger (hazard.emptied-storage-array-uninitialised)."""
        if size > self._held.nbytes:
            self._held.grow(size)
        elif not self._held.resizable:
            raise RuntimeError("Trying to resize storage that is not resizable")
        elif self._held.memory is not None:
            self._held.memory = self._held.memory[:size].copy()
        return self

    @property
    def device(self):
        """The device."""
        return self._held.device

    def __eq__(self, other):
        raise NotModelled("== of storages")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotModelled("UntypedStorage." + name)


class TypedStorage(UntypedStorage):
    """The elements behind a tensor."""

    def __init__(self, held, dtype):
        super().__init__(held)
        self.dtype = dtype

    def size(self):
        """The number of elements."""
        return self._held.nbytes // self.dtype.itemsize

    __len__ = size

    def element_size(self):
        """Bytes of one element."""
        return self.dtype.itemsize

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotModelled("Storage." + name)


@method("untyped_storage")
def untyped_storage(self):
    """The bytes behind the tensor."""
    return UntypedStorage(strided(self)._impl.storage)


@method("storage")
def storage(self):
    """The elements behind the tensor (memory.lock-covers-the-storage); later releases warn of it."""
    strided(self)
    if self._torch.behaviour.typed_storage_warns:
        warnings.warn("TypedStorage is deprecated. It will be removed in the future", UserWarning, 3)
    return TypedStorage(self._impl.storage, self._impl.dtype)


def strided(tensor):
    """The tensor, if it has a storage of its own."""
    if tensor._impl.layout != tensors.STRIDED or tensor._impl.zero:
        raise NotModelled("the storage of such a tensor")
    return tensor
