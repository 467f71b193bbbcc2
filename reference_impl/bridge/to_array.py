"""From a tensor to an array: ``Tensor.numpy``."""

import numpy as np

from .. import devices, dtypes, geometry, tensors
from ..errors import NotModelled
from ..gradients.graph import requires_grad
from ..operations import complexes, copying
from ..registry import METHODS, method

LAYOUT_NAMES = {
    "sparse_coo": "Sparse", "sparse_csr": "SparseCsr", "sparse_csc": "SparseCsc", "sparse_bsr": "SparseBsr",
    "sparse_bsc": "SparseBsc", "_mkldnn": "Mkldnn", "jagged": "Jagged",
}  # fmt: skip


@method("numpy")
def numpy(self, *arguments, **options):
    """An ndarray on the memory of the tensor (memory.array-begins-at-data-ptr), or of a copy where ``force`` needs one.

    Raises:
        TypeError: layout, device or dtype that NumPy does not have (layout.coo-raises, device.numpy-raises);
            arguments
            other than the keyword ``force`` of releases that have it (grad.numpy-takes-no-positional-argument).
        RuntimeError: the tensor requires grad while grad mode is on (grad.numpy-raises), or has a lazy bit
            (layout.conj-raises, layout.neg-raises).
    """
    force = force_of(self._torch, arguments, options)
    behaviour = self._torch.behaviour
    for name in behaviour.numpy_checks:
        if not (force and name in PASSED_BY_FORCE):
            CHECKS[name](self)
    if self._impl.zero:
        return zeros(self)
    if behaviour.array_base != "detached":
        check_dtype(self)
        if behaviour.array_base == "tensor":
            return share(self)
        impl = self._impl if behaviour.detach_shares_metadata else self._impl.changed()
        return share(tensors.wrap(self._torch, impl))
    source = METHODS["detach"](self)
    if force:
        source = copying.moved(source, device=devices.CPU)
        source = complexes.resolved(complexes.resolved(source, "conj"), "neg")
    check_dtype(source)
    return share(source)


def force_of(torch, arguments, options):
    """The argument ``force``.

    Raises:
        TypeError: any other argument, one by position, or one that is no bool.
    """
    if arguments:
        raise TypeError("numpy() takes 0 positional arguments but {} was given".format(len(arguments)))
    for name in options:
        if name != "force" or not torch.behaviour.numpy_has_force:
            raise TypeError("numpy() got an unexpected keyword argument '{}'".format(name))
    force = options.get("force", False)
    if not isinstance(force, bool):
        raise TypeError("numpy(): argument 'force' must be bool, not {}".format(type(force).__name__))
    return force


def check_subclass(tensor):
    """Refuse an instance of a class that takes over dispatch (layout.dispatch-subclass-raises)."""
    if getattr(type(tensor), "_dispatches", False):
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")


def check_layout(tensor):
    """Refuse every layout but the strided one."""
    if tensor._impl.layout == "_nested":
        raise RuntimeError("Internal error: NestedTensorImpl doesn't support sizes. Please file an issue.")
    if tensor._impl.layout != tensors.STRIDED:
        raise TypeError(tensor._torch.behaviour.layout_message.format(LAYOUT_NAMES[tensor._impl.layout]))


def check_device(tensor):
    """Refuse memory that the host cannot read, and the lack of memory (device.numpy-raises)."""
    device = tensors.device_of(tensor)
    if not device.host_readable:
        raise TypeError(tensor._torch.behaviour.device_message.format(device, device.type.upper()))


def check_zero(tensor):
    """Refuse a tensor that stands for zeros without memory."""
    if tensor._impl.zero:
        raise RuntimeError("Cannot convert a ZeroTensor to numpy. Set force=True if you need the zero array.")


def check_grad(tensor):
    """Refuse a tensor that requires grad, in the grad modes in which the release does (mode.no-grad-permits-numpy)."""
    torch = tensor._torch
    if requires_grad(tensor) and (torch.modes.grad or not torch.behaviour.no_grad_permits_numpy):
        raise RuntimeError(torch.behaviour.grad_message)


def check_conj(tensor):
    """Refuse the conjugate bit."""
    if tensor._impl.conj:
        raise RuntimeError(
            "Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead."
        )


def check_neg(tensor):
    """Refuse the negative bit."""
    if tensor._impl.neg:
        raise RuntimeError(
            "Can't call numpy() on Tensor that has negative bit set. Use tensor.resolve_neg().numpy() instead."
        )


CHECKS = {
    "subclass": check_subclass, "layout": check_layout, "device": check_device, "zero": check_zero, "grad": check_grad,
    "conj": check_conj, "neg": check_neg,
}  # fmt: skip
PASSED_BY_FORCE = ("device", "zero", "grad", "conj", "neg")


def check_dtype(tensor):
    """Refuse a dtype that NumPy does not have, or that the release does not convert (dtype.bfloat16-raises)."""
    dtype = tensor._impl.dtype
    if dtype.array is None or not converts(tensor._torch, dtype):
        raise TypeError("Got unsupported ScalarType {}".format(dtype.scalar_type))


def converts(torch, dtype):
    """Whether the release converts a dtype between tensors and arrays, if both have it."""
    if dtype in (dtypes.int8, dtypes.bool_):
        return torch.behaviour.converts_int8_and_bool
    if dtype.is_complex:
        return torch.behaviour.converts_complex
    if dtype in (dtypes.uint16, dtypes.uint32, dtypes.uint64):
        return torch.behaviour.converts_wide_unsigned
    return True


def zeros(tensor):
    """The array of a tensor that stands for zeros: what the release gives, where that is no garbage."""
    if not tensor._torch.behaviour.numpy_knows_zero_tensors:
        # NumPy is handed no memory and takes some that holds anything (hazard.zero-tensor-array-uninitialised).
        check_dtype(tensor)
        return np.empty(tuple(tensor._impl.shape), tensor._impl.dtype.array)
    check_dtype(tensor)
    return np.zeros(tuple(tensor._impl.shape), tensor._impl.dtype.array)


_NOWHERE = np.zeros(1)  # where arrays without elements begin: NumPy 1 takes the address 0 for a mistake


def share(tensor):
    """An ndarray on the memory of a host tensor, whose ``base`` is that tensor object (memory.base-is-a-tensor).

    The memory cannot grow from now on (memory.exported-storage-cannot-grow).
    """
    impl = tensor._impl
    if impl.storage.memory.size == 0 and geometry.count(impl.shape):
        if not tensor._torch.behaviour.emptied_storage_converts:
            raise RuntimeError("the storage has no memory")
        # NumPy is handed no memory and takes some that holds anything (hazard.emptied-storage-array-uninitialised).
        return np.empty(tuple(impl.shape), impl.dtype.array)
    if impl.storage.nbytes < (impl.offset + geometry.extent(impl.shape, impl.strides)) * impl.dtype.itemsize:
        raise NotModelled("the array of a tensor whose storage was made smaller")
    impl.storage.resizable = False
    size = impl.dtype.itemsize
    # NumPy takes the tensor for the owner if it finds the description of the memory on it.
    tensor.__dict__["__array_interface__"] = {
        "version": 3,
        "typestr": impl.dtype.array.str,
        "shape": tuple(impl.shape),
        "strides": tuple(stride * size for stride in impl.strides),
        "data": (impl.storage.address + impl.offset * size or _NOWHERE.ctypes.data, False),
    }
    try:
        return np.asarray(tensor)
    except ValueError as problem:  # more dimensions than NumPy has (memory.shape-kept)
        raise ValueError(str(problem)) from None
    finally:
        del tensor.__dict__["__array_interface__"]
