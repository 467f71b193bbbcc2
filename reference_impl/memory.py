"""Memory: what tensors, their views and NumPy arrays share."""

import numpy as np

from . import devices


class Storage:
    """Bytes on a device. ``memory`` is a one-dimensional ndarray of uint8, or None on meta.

    ``resizable`` is withdrawn for good once an array shares the memory, and for memory that NumPy owns
    (memory.exported-storage-cannot-grow, memory.lock-outlives-array).
    """

    def __init__(self, nbytes, device, memory=None, resizable=True):
        self.device = device
        self.resizable = resizable
        self.owner = None  # what must live as long as foreign memory is used
        self.is_shared = False
        self.meta_nbytes = nbytes
        self.memory = memory
        if memory is None and device.holds_data:
            self.memory = np.zeros(nbytes, dtype=np.uint8)

    @property
    def nbytes(self):
        """The size in bytes."""
        return self.meta_nbytes if self.memory is None else self.memory.size

    @property
    def address(self):
        """The address of the first byte; 0 where there is none."""
        return 0 if self.memory is None or self.memory.size == 0 else self.memory.ctypes.data

    def grow(self, nbytes):
        """Make room for ``nbytes``, keeping what is there.

        Raises:
            RuntimeError: an array shares the memory.
        """
        if nbytes <= self.nbytes:
            return
        if not self.resizable:
            raise RuntimeError("Trying to resize storage that is not resizable")
        if self.memory is not None:
            larger = np.zeros(nbytes, dtype=np.uint8)
            larger[: self.memory.size] = self.memory
            self.memory = larger
        self.meta_nbytes = nbytes

    def share(self):
        """Move what is here to memory that processes share: arrays on the old memory do not follow."""
        if not self.is_shared and self.memory is not None:
            self.memory = self.memory.copy()
            self.resizable, self.owner, self.is_shared = False, None, True

    def elements(self, dtype, offset, shape, strides):
        """The elements at these places as an ndarray of ``dtype.store`` on this memory; offset and strides in elements.

        On meta, zeros that take no memory.
        """
        if self.memory is None:
            return np.broadcast_to(np.zeros((), dtype.store), shape)
        size = dtype.itemsize
        if 0 in shape:
            return np.empty(shape, dtype.store)
        return np.ndarray(shape, dtype.store, self.memory, offset * size, tuple(stride * size for stride in strides))


class _Span:
    """Memory of an array, as bytes: keeps the array alive for as long as a storage refers to it."""

    def __init__(self, array, nbytes):
        self.array = array
        self.__array_interface__ = {
            "version": 3,
            "typestr": "|u1",
            "shape": (nbytes,),
            "data": (array.__array_interface__["data"][0], False),
        }


def over_array(array, nbytes):
    """A `Storage` on the memory of an ndarray, from its first element on, also if the array is read-only.

    It keeps the array alive (from.numpy-keeps-array-alive) and cannot grow.
    """
    memory = np.asarray(_Span(array, nbytes)) if nbytes else np.empty(0, np.uint8)
    if not nbytes:
        return _Emptied(array)
    return Storage(nbytes, devices.CPU, memory, resizable=False)


class _Emptied(Storage):
    """The storage of an array without elements: nothing to see, but the array is kept."""

    def __init__(self, array):
        super().__init__(0, devices.CPU, np.empty(0, np.uint8), resizable=False)
        self.array = array

    @property
    def address(self):
        """Where the array says that its elements would be."""
        return self.array.__array_interface__["data"][0]
