"""DLPack: handing memory over in a capsule, and taking it from one, as C structures made with ctypes.

The layout of the structures is that of the DLPack header, versions 0 and 1.
"""

import ctypes
import enum
import os
import sys

import numpy as np

from .. import devices, dtypes, geometry, memory, tensors
from ..errors import NotModelled
from ..gradients.graph import requires_grad
from ..operations import copying
from ..registry import function, method

_CODES = {dtypes.INTEGER: 0, dtypes.FLOAT: 2, dtypes.COMPLEX: 5, dtypes.BOOL: 6}
_BFLOAT, _UNSIGNED, _READ_ONLY = 4, 1, 1
_KINDS = {"cpu": 1, "cuda": 2}  # DLDeviceType; anything else is an extension
_EXTENSION = 12


class DLDeviceType(enum.IntEnum):
    """Kinds of device, as DLPack numbers them."""

    kDLCPU = 1
    kDLCUDA = 2


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_USED = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}  # must outlive capsules
_SHAPES = {b"dltensor": _Managed, b"dltensor_versioned": _Versioned}
_OURS = 4  # references to a capsule that nobody else has, as `_sweep` counts them
_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _python))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _python))
_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _python))

_handed = {}  # address of a structure -> its capsule and all that it points to, until its deleter is called


def _stamp():
    """The address of a C function that a consumer of a capsule may call as its deleter.

    It may be called while an exception is pending, when nothing written in Python can run. So it is ``time`` of the C
    library, which writes the time over the first eight bytes of the structure, where `_sweep` finds it.
    """
    return ctypes.cast(ctypes.CDLL(None).time, ctypes.c_void_p).value


def _first(address):
    """The first eight bytes of a structure."""
    return ctypes.c_uint64.from_address(address).value


def _sweep():
    """Let go of structures whose deleter was called, and of capsules that nobody took and nobody has any more."""
    for address, (capsule, name, first, _) in list(_handed.items()):
        if _first(address) != first or sys.getrefcount(capsule) <= _OURS and _valid(id(capsule), name):
            del _handed[address]


def capsule_of(tensor, versioned):
    """A capsule with the memory of a tensor, which it keeps alive."""
    impl = tensor._impl
    device = tensors.device_of(tensor)
    made = _Versioned() if versioned else _Managed()
    shape = (ctypes.c_int64 * len(impl.shape))(*impl.shape)
    # A dimension of one element or none may have any stride; torch hands over 1.
    steps = [1 if size < 2 else stride for size, stride in zip(impl.shape, impl.strides)]
    strides = (ctypes.c_int64 * len(impl.shape))(*steps)
    code = _BFLOAT if impl.dtype is dtypes.bfloat16 else _CODES[impl.dtype.category]
    if code == 0 and impl.dtype.compute.kind == "u":
        code = _UNSIGNED
    address = impl.storage.address + impl.offset * impl.dtype.itemsize if impl.storage.address and not impl.zero else 0
    made.tensor = _Tensor(
        address, kind_of(device), device.index or 0, len(impl.shape), code, impl.dtype.itemsize * 8, 1,
        ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)), ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64)), 0,
    )  # fmt: skip
    made.deleter = _stamp()
    if versioned:
        made.major, made.minor, made.flags = 1, 0, 0
    where = ctypes.addressof(made)
    name = b"dltensor_versioned" if versioned else b"dltensor"
    _sweep()
    capsule = _python.PyCapsule_New(where, name, None)
    _handed[where] = (capsule, name, _first(where), (made, shape, strides, tensors.alias(tensor)))
    return capsule


def kind_of(device):
    """The number that DLPack has for a kind of device."""
    return _KINDS.get(device.type, _EXTENSION)


def refusal(torch):
    """The type of torch's refusals (dlpack.grad-raises-runtime-error, dlpack.grad-raises-buffer-error)."""
    return BufferError if torch.behaviour.dlpack_raises_buffer_error else RuntimeError


@method("__dlpack__")
def dlpack(self, *arguments, **options):
    """A capsule with the memory (dlpack.numpy-shares-address).

    Raises:
        RuntimeError, BufferError: the tensor requires grad, in every grad mode, has the conjugate bit, another
            layout than
            strided, or no memory.
        TypeError: arguments that the release does not take.
    """
    torch = self._torch
    takes = ("stream", "max_version", "dl_device", "copy") if torch.behaviour.dlpack_takes_arguments else ("stream",)
    for name in options:
        if name not in takes:
            raise TypeError("__dlpack__() got an unexpected keyword argument '{}'".format(name))
    if len(arguments) > 1 or arguments and "stream" in options:
        raise TypeError("__dlpack__() takes from 1 to 2 positional arguments")
    stream = arguments[0] if arguments else options.get("stream")
    if stream not in (None, -1):
        raise NotModelled("a stream for DLPack")
    source = checked(self)
    wanted, copy = options.get("dl_device"), options.get("copy")
    here = (kind_of(tensors.device_of(source)), tensors.device_of(source).index or 0)
    if wanted is not None and tuple(int(number) for number in wanted) != here:
        if tuple(int(number) for number in wanted) != (1, 0) or copy is False:
            raise NotModelled("DLPack to another device")
        source = copying.copied(source, device=devices.CPU)
    elif copy:
        source = copying.copied(source)
    version = options.get("max_version")
    return capsule_of(source, torch.behaviour.dlpack_takes_arguments and version is not None and version[0] >= 1)


def checked(tensor):
    """The tensor, if DLPack can have it."""
    torch, impl = tensor._torch, tensor._impl
    kind = refusal(torch)
    if requires_grad(tensor):
        raise kind("Can't export tensors that require gradient, use tensor.detach()")
    if impl.conj:
        raise kind("Can't export tensors with the conjugate bit set")
    if impl.layout != tensors.STRIDED:
        raise kind("Can't export tensors with layout other than torch.strided")
    return packable(tensor)


def packable(tensor):
    """The tensor, if there is a way to write down its dtype and its memory.

    Raises:
        RuntimeError, BufferError: a bool, before the release that has it (dlpack.bool-raises), or no memory.

    One that stands for zeros without memory is handed over without (hazard.dlpack-zero-tensor-uninitialised).
    """
    torch, impl = tensor._torch, tensor._impl
    if impl.layout != tensors.STRIDED or impl.dtype.category == dtypes.OPAQUE:
        raise NotModelled("DLPack of a tensor of layout {} and dtype {}".format(impl.layout, impl.dtype))
    if not tensors.device_of(tensor).holds_data:
        raise refusal(torch)("Cannot pack tensors on meta")
    if impl.dtype.category == dtypes.BOOL and not torch.behaviour.dlpack_has_bool:
        raise RuntimeError("Bool type is not supported by dlpack")
    return tensor


@method("__dlpack_device__")
def dlpack_device(self):
    """The kind of device and its number (dlpack.device-of-host-tensor)."""
    device = tensors.device_of(self)
    if device.type not in _KINDS:
        raise NotModelled("the DLPack device of {}".format(device))
    return (DLDeviceType(kind_of(device)), device.index or 0)


@function("to_dlpack", "utils.dlpack.to_dlpack")
def to_dlpack(torch, tensor):
    """A capsule of the first kind, whether the tensor requires grad or not (dlpack.capsule-accepts-grad)."""
    if not isinstance(tensor, torch.Tensor):
        raise NotModelled("to_dlpack() of what is no tensor")
    return capsule_of(packable(tensor), False)


@function("from_dlpack", "utils.dlpack.from_dlpack")
def from_dlpack(torch, ext_tensor, *arguments, **options):
    """A tensor on the memory of what speaks DLPack, or in a capsule (dlpack.tensor-shares-address).

    Raises:
        TypeError: arguments that the release does not take.
        RuntimeError: a capsule that was used before (dlpack.capsule-is-used-once).
    """
    takes = ("device", "copy") if torch.behaviour.dlpack_takes_arguments else ()
    if arguments or any(name not in takes for name in options):
        raise TypeError("from_dlpack() got an unexpected argument")
    if options.get("device") is not None:
        raise NotModelled("from_dlpack() to a device")
    copy = options.get("copy")
    if type(ext_tensor).__name__ == "PyCapsule":
        if copy is not None:
            raise NotModelled("from_dlpack(copy=...) of a capsule")
        return taken(torch, ext_tensor)
    if not hasattr(ext_tensor, "__dlpack__"):
        raise NotModelled("from_dlpack() of {}".format(type(ext_tensor).__name__))
    asked = {} if copy is None else {"copy": copy}
    if not torch.behaviour.dlpack_takes_arguments:
        return taken(torch, handed(ext_tensor))
    try:
        capsule = handed(ext_tensor, max_version=(1, 0), **asked)
    except TypeError:
        if asked and torch.behaviour.dlpack_copies_by_itself:
            capsule = handed(ext_tensor)
            return copying.copied(taken(torch, capsule)) if copy else taken(torch, capsule)
        capsule = handed(ext_tensor, **asked)
    return taken(torch, capsule)


def handed(ext_tensor, **options):
    """The capsule of somebody else.

    Raises:
        BufferError: what NumPy raises where it may not hand over an array, such as a read-only one.
    """
    try:
        return ext_tensor.__dlpack__(**options)
    except BufferError as error:
        raise BufferError(str(error)) from error


class _Foreign:
    """Memory that came in a capsule: its deleter is called when nobody uses it any more."""

    def __init__(self, address, shape, data, nbytes):
        self.address, self.deleter = address, shape.from_address(address).deleter
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (nbytes,), "data": (data, False)}

    def __del__(self):
        if self.deleter:
            _DELETER(self.deleter)(self.address)


def negative(torch, strides):
    """What torch makes of strides that are negative: it takes them for positive ones, raises, or ends the process.

    This is what a test in a child process shows (hazard.negative-stride-dlpack-misread,
    hazard.negative-stride-dlpack-aborts, hazard.negative-stride-dlpack-raises).
    """
    if torch.behaviour.dlpack_negative_strides == "raise":
        raise RuntimeError("from_dlpack: negative strides are not supported")
    if torch.behaviour.dlpack_negative_strides == "abort":
        os.write(
            2, b"terminate called after throwing an instance of 'c10::Error'\n  Storage size calculation overflowed\n"
        )
        os.abort()
    return tuple(abs(stride) for stride in strides)


def taken(torch, capsule):
    """A tensor on the memory in a capsule, which is used up by this."""
    name = next((name for name in _SHAPES if _valid(id(capsule), name)), None)
    if name is None:
        raise RuntimeError(
            "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you "
            "might have already constructed a tensor from it once."
        )
    address = _pointer(id(capsule), name)
    found = _SHAPES[name].from_address(address).tensor
    dtype = dtype_of(found)
    shape = tuple(found.shape[place] for place in range(found.ndim))
    strides = geometry.contiguous_strides(shape)
    if found.strides:
        strides = tuple(found.strides[place] for place in range(found.ndim))
    if found.device_type != 1:
        raise NotModelled("from_dlpack() of memory on another device")
    if any(stride < 0 for stride, size in zip(strides, shape) if size > 1):
        strides = negative(torch, strides)
    nbytes = geometry.extent(shape, strides) * dtype.itemsize
    held = _Foreign(address, _SHAPES[name], (found.data or 0) + found.byte_offset, nbytes)
    _rename(capsule, _USED[name])
    array = np.asarray(held) if nbytes else np.empty(0, np.uint8)
    # Torch takes this memory for its own, so that the tensor may grow, into memory of its own.
    storage = memory.Storage(nbytes, devices.CPU, array)
    storage.owner = held
    return tensors.wrap(torch, tensors.Impl(storage, 0, shape, strides, dtype))


def dtype_of(found):
    """The dtype of a tensor in a capsule.

    Raises:
        NotModelled: one that NumPy does not hand over.
    """
    if found.lanes == 1:
        for dtype in dtypes.ALL.values():
            code = _BFLOAT if dtype is dtypes.bfloat16 else _CODES[dtype.category]
            code = _UNSIGNED if code == 0 and dtype.compute.kind == "u" else code
            if (code, dtype.itemsize * 8) == (found.code, found.bits):
                return dtype
    raise NotModelled("DLPack of elements with the code {} and {} bits".format(found.code, found.bits))
