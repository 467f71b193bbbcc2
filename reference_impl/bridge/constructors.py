"""Tensors of arrays, numbers and sequences: ``tensor``, ``as_tensor``, ``asarray``, ``frombuffer`` and the old
constructors.
"""

import warnings

import numpy as np

from .. import devices, dtypes, geometry, memory, tensors
from ..attributes import made_to_require_grad
from ..errors import NotModelled
from ..gradients.graph import requires_grad as wants_grad
from ..kinds import is_plain_number
from ..operations import copying, guards, views
from ..operations.operands import number_dtype
from ..registry import METHODS, built, function
from . import from_array


@function("tensor")
def tensor(torch, data, *, dtype=None, device=None, requires_grad=False, **options):
    """A new tensor with the elements of ``data`` (from.tensor-ignores-array-writes)."""
    if options.pop("pin_memory", False) or options:
        raise NotModelled("tensor({})".format(sorted(options)))
    check_flag("tensor", requires_grad)
    if isinstance(data, torch.Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            4,
        )
    result = fresh(torch, data, dtype, device)
    return made_to_require_grad(result) if requires_grad else result


def check_flag(name, flag):
    """Refuse a flag that is no bool."""
    if not isinstance(flag, bool):
        raise TypeError("{}(): argument 'requires_grad' must be bool, not {}".format(name, type(flag).__name__))


def fresh(torch, data, dtype, device):
    """A new tensor without history of what ``data`` holds."""
    found = read(torch, data, dtype)
    if isinstance(found, torch.Tensor):
        where = (
            tensors.device_of(found)
            if device is None and isinstance(data, torch.Tensor)
            else devices.place(torch, device)
        )
        result = copying.copied(found, dtype, where)
        return tensors.wrap(torch, result._impl)
    values, own = found
    return tensors.new(
        torch, np.ascontiguousarray(values).reshape(values.shape), dtype or own, devices.place(torch, device)
    )


def read(torch, data, dtype=None):
    """A tensor of what ``data`` holds, or its values as an ndarray with ``dtype``, or the one that they have by
    themselves.
    """
    if isinstance(data, torch.Tensor):
        return data
    if isinstance(data, np.ndarray):
        return from_array.shared(torch, data, warn=torch.behaviour.tensor_warns_of_read_only)
    if is_number(data):
        own = dtype or scalar_dtype(torch, data)
        guards.fits(data, own)
        return np.asarray(data, dtype=own.compute), own
    if isinstance(data, (list, tuple)):
        return of_sequence(torch, data, dtype)
    raise NotModelled("a tensor of {}".format(type(data).__name__))


def is_number(thing):
    """Whether a tensor can be made of ``thing`` as of a number; whether it fits is looked at later (`guards.fits`)."""
    return is_plain_number(thing) or type(thing) is int


def scalar_dtype(torch, number):
    """The dtype that a number gives (from.floats-get-default-dtype, from.numpy-float64-keeps-dtype)."""
    if isinstance(number, np.generic):
        if isinstance(number, np.float64) and not torch.behaviour.keeps_scalar_dtype:
            return torch.default_dtype
        own = dtypes.from_array(number.dtype)
        if own is None or own in (dtypes.uint16, dtypes.uint32, dtypes.uint64):
            raise NotModelled("a tensor of {}".format(type(number).__name__))
        if not torch.behaviour.keeps_scalar_dtype:
            raise NotModelled("a tensor of a NumPy scalar in this release")
        return own
    if isinstance(number, bool) and not torch.behaviour.bools_make_bool:
        return dtypes.uint8
    return number_dtype(torch, number)


def of_sequence(torch, data, dtype=None):
    """The values of nested sequences with ``dtype``, or the one that they have together (from.ints-get-int64).

    Raises:
        ValueError: the sequences have different lengths.
    """
    shape = shape_of(torch, data)
    flat = list(flattened(torch, data, shape))
    if flat and any(isinstance(part, np.ndarray) for part in data):
        warn_slow(torch)
        if len({part.dtype for part in arrays_in(data)}) > 1:
            raise NotModelled("a tensor of a sequence of arrays of different dtypes")
    own = dtype
    arrays = {dtype_of_array(torch, each) for each in arrays_in(data)}
    for element in flat if dtype is None else ():
        mine = element._impl.dtype if isinstance(element, torch.Tensor) else None
        if mine is None:
            mine = arrays.copy().pop() if arrays and isinstance(element, np.generic) else scalar_dtype(torch, element)
        own = mine if own is None else dtypes.promote(own, mine)
    own = own or torch.default_dtype
    elements = [METHODS["item"](each) if isinstance(each, torch.Tensor) else each for each in flat]
    for element in elements:
        guards.fits(element, own)
    with np.errstate(all="ignore"):
        return np.array(elements, dtype=own.compute).reshape(shape), own


def arrays_in(data):
    """The arrays with dimensions in nested sequences."""
    if isinstance(data, np.ndarray):
        return [data] if data.shape else []
    return [found for part in data for found in arrays_in(part)] if isinstance(data, (list, tuple)) else []


def dtype_of_array(torch, array):
    """The dtype of an array among others in a sequence; all of them must have one.

    Raises:
        TypeError: tensors do not have it.
    """
    found = from_array.dtype_of(torch, array)
    if found is None or not array.dtype.isnative:
        raise NotModelled("a tensor of a sequence of such arrays")
    return found


def warn_slow(torch):
    """Warn, once in a process, that a list of arrays is read slowly (from.lists-of-arrays-keep-dtype)."""
    if torch.behaviour.warns_of_slow_lists and "slow" not in torch.warned:
        torch.warned.add("slow")
        warnings.warn(
            "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to "
            "a single numpy.ndarray with numpy.array() before converting to a tensor.",
            UserWarning,
            6,
        )


def shape_of(torch, data):
    """The shape of nested sequences, by their first elements."""
    if isinstance(data, (list, tuple)):
        return (len(data),) + (shape_of(torch, data[0]) if data else ())
    return tuple(data.shape) if isinstance(data, (np.ndarray, torch.Tensor)) else ()


def flattened(torch, data, shape):
    """The elements of nested sequences one by one; all of them must have the shape that the first ones have.

    Raises:
        ValueError: they have not.
    """
    if isinstance(data, torch.Tensor) and data._impl.shape:
        raise NotModelled("a tensor of a sequence of tensors with dimensions")
    if isinstance(data, (list, tuple, np.ndarray)) and np.ndim(shape) is not None and shape_of(torch, data):
        if len(data) != (shape[0] if shape else -1):
            raise ValueError("expected sequence of length {} at dim 0 (got {})".format(shape[:1], len(data)))
        for part in data:
            yield from flattened(torch, part, shape[1:])
    elif shape:
        raise TypeError("not a sequence")
    elif isinstance(data, np.ndarray):
        yield data[()]
    elif isinstance(data, torch.Tensor) or is_number(data):
        yield data
    else:
        raise NotModelled("a tensor of {}".format(type(data).__name__))


@function("as_tensor")
def as_tensor(torch, data, *, dtype=None, device=None):
    """The tensor itself, a tensor on the memory of an array, or a copy where dtype or device ask for one.

    See from.as-tensor-returns-tensor, from.as-tensor-shares-address, from.as-tensor-copies-for-dtype.
    """
    if isinstance(data, torch.Tensor):
        return copying.moved(data, dtype, None if device is None else devices.place(torch, device))
    if isinstance(data, np.ndarray):
        found = from_array.shared(torch, data, warn=torch.behaviour.as_tensor_warns_of_read_only)
        return copying.moved(found, dtype, devices.place(torch, device))
    return fresh(torch, data, dtype, device)


@function("asarray")
def asarray(torch, obj, *, dtype=None, device=None, copy=None, requires_grad=None):
    """A tensor on the memory of ``obj`` where that can be, unless ``copy`` says otherwise
    (from.asarray-shares-address).

    Raises:
        ValueError: ``copy=False`` where dtype or device need a copy (from.asarray-refuses-needed-copy).
    """
    if requires_grad is not None:
        check_flag("asarray", requires_grad)
    if str(device).startswith("cuda") and not devices.simulated("cuda"):
        raise RuntimeError("PyTorch is not linked with support for cuda devices")
    if isinstance(obj, torch.Tensor):
        found = obj
    elif isinstance(obj, np.ndarray):
        found = from_array.shared(torch, obj, warn=not copy)
    elif isinstance(obj, np.generic) and not torch.behaviour.asarray_reads_scalars:
        raise_unless_plain(dtype, device, copy, requires_grad)
        return scalar_bytes(torch, obj)
    elif isinstance(obj, (list, tuple)) or is_number(obj):
        if copy is False:
            raise ValueError("can't alias an arbitrary sequence")
        found = fresh(torch, obj, dtype, device)
        return made_to_require_grad(found) if requires_grad else found
    else:
        raise NotModelled("asarray() of {}".format(type(obj).__name__))
    place = tensors.device_of(found) if device is None else devices.place(torch, device)
    if device is None and found is not obj and torch.modes.default_device is not None:
        if not torch.behaviour.asarray_follows_default_device:
            raise NotModelled("asarray() with a default device in this release")
        place = torch.modes.default_device
    target = dtype or found._impl.dtype
    if copy is False and (target is not found._impl.dtype or place != tensors.device_of(found)):
        raise ValueError(
            "can't alias tensor with dtype '{}' into dtype '{}'.".format(
                found._impl.dtype.scalar_type, target.scalar_type
            )
        )
    return flagged(torch, copying.moved(found, target, place, copy=bool(copy)), obj, requires_grad)


def raise_unless_plain(*arguments):
    """Refuse further arguments beside a NumPy scalar."""
    if any(argument is not None for argument in arguments):
        raise NotModelled("asarray() of a NumPy scalar with further arguments")


def scalar_bytes(torch, scalar):
    """The bytes of a NumPy scalar as elements of the default dtype (from.asarray-reads-scalar-bytes)."""
    values = np.frombuffer(scalar.tobytes(), torch.default_dtype.store)
    return tensors.new(torch, values, torch.default_dtype, devices.CPU)


def flagged(torch, found, source, flag):
    """The result of `asarray` with the ``requires_grad`` that the release gives it.

    Earlier releases clear the flag of the argument itself (from.asarray-clears-requires-grad).
    """
    if not isinstance(source, torch.Tensor):
        return made_to_require_grad(found) if flag else found
    if torch.behaviour.asarray_keeps_flag:
        if flag is None:
            if wants_grad(source):
                warnings.warn("asarray() keeps requires_grad; pass it to say what is wanted", UserWarning, 4)
            return found
        if flag == wants_grad(found):
            return found
        raise NotModelled("asarray(requires_grad=...) that changes the flag of a tensor")
    if found._history.grad_fn is not None:
        if not flag:
            return METHODS["detach"](found)
        return found
    found._history.requires_grad = bool(flag)
    return found


@function("frombuffer")
def frombuffer(torch, buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A tensor on the memory of a Python buffer (from.frombuffer-sees-writes)."""
    view = np.frombuffer(buffer, np.uint8)
    if (
        dtype.category == dtypes.OPAQUE
        or not len(view)
        or count == 0
        or not isinstance(buffer, (bytearray, np.ndarray))
    ):
        raise NotModelled("frombuffer() of such a buffer")
    size = dtype.itemsize
    rest = len(view) - offset
    if offset < 0 or rest <= 0 or (rest % size if count < 0 else count * size > rest):
        raise ValueError("the buffer does not hold that many elements")
    number = rest // size if count < 0 else count
    held = memory.over_array(view[offset:], number * size)
    found = tensors.wrap(torch, tensors.Impl(held, 0, (number,), (1,), dtype))
    return made_to_require_grad(found) if requires_grad else found


def legacy(torch, dtype, arguments, cls=None):
    """What the constructor of a tensor type makes: of sizes, of a sequence, of an array or of a tensor.

    An array of the type's dtype is shared (from.legacy-sees-array-writes), another one copied.
    """
    if not arguments:
        return tensors.allocate(torch, (0,), dtype, devices.CPU)
    (first,) = arguments if len(arguments) == 1 else (None,)
    if len(arguments) > 1 and not all(type(each) is int for each in arguments):
        raise NotModelled("the constructor of a tensor type with these arguments")
    if isinstance(first, tensors.Size):
        return tensors.allocate(torch, first, dtype, devices.CPU)
    if isinstance(first, torch.Tensor):
        if first._impl.dtype is not dtype or tensors.device_of(first) != devices.CPU:
            raise NotModelled("the constructor of a tensor type given a tensor of another type")
        return views.view_of(first, "AliasBackward0", lambda gradient: gradient)
    if isinstance(first, np.ndarray):
        if not first.shape:
            raise NotModelled("the constructor of a tensor type given an array without dimensions")
        found = from_array.shared(torch, first, warn=torch.behaviour.as_tensor_warns_of_read_only)
        return copying.moved(found, dtype)
    if isinstance(first, (list, tuple)):
        values, _ = of_sequence(torch, first, dtype)
        return tensors.new(torch, np.ascontiguousarray(values).reshape(values.shape), dtype, devices.CPU)
    if isinstance(first, float):
        raise TypeError("new(): data must be a sequence (got float)")
    sizes = geometry.sizes_of(arguments)
    if any(size < 0 for size in sizes):
        raise RuntimeError("Trying to create tensor with negative dimension")
    return tensors.allocate(torch, sizes, dtype, devices.CPU)


def plain_argument(torch, thing):
    """Whether the constructors of tensor types are modelled for an argument: a size, nested lists, an array or a
    tensor.
    """
    if isinstance(thing, (list, tuple)):
        return all(plain_argument(torch, part) and not isinstance(part, np.ndarray) for part in thing)
    return type(thing) in (int, float, np.ndarray) or isinstance(thing, torch.Tensor)


class LegacyType(type):
    """The type of ``torch.FloatTensor`` and the like: calling it makes a tensor, and tensors of its dtype are
    instances.
    """

    def __call__(cls, *arguments, **options):
        """A tensor of this type: see `legacy`."""
        if options or not all(plain_argument(cls.torch, each) for each in arguments):
            raise NotModelled("{}() with these arguments".format(cls.__name__))
        return legacy(cls.torch, cls.dtype, arguments)

    def __instancecheck__(cls, thing):
        return (
            isinstance(thing, cls.torch.Tensor)
            and thing._impl.dtype is cls.dtype
            and tensors.device_of(thing) == devices.CPU
        )


def legacy_type(name, dtype):
    """Register the tensor type ``name``."""

    def build(torch):
        return LegacyType(name, (), {"torch": torch, "dtype": dtype, "__doc__": "Tensors of {}.".format(dtype)})

    built(name)(build)


for _name, _dtype in (
    ("FloatTensor", dtypes.float32), ("DoubleTensor", dtypes.float64), ("HalfTensor", dtypes.float16),
    ("LongTensor", dtypes.int64), ("IntTensor", dtypes.int32), ("ShortTensor", dtypes.int16),
    ("CharTensor", dtypes.int8), ("ByteTensor", dtypes.uint8), ("BoolTensor", dtypes.bool_),
):  # fmt: skip
    legacy_type(_name, _dtype)


def new_tensor(cls, *arguments, **options):
    """``torch.Tensor(...)``: the constructor of the default dtype, also of subclasses that leave torch's functions
    alone.
    """
    torch = cls._torch
    if options or not all(plain_argument(torch, each) for each in arguments):
        raise NotModelled("Tensor() with these arguments")
    made = legacy(torch, torch.default_dtype, arguments)
    if cls is torch.Tensor:
        return made
    if getattr(cls, "_dispatches", False) or getattr(cls, "_overrides", False):
        raise NotModelled("Tensor() of a subclass that takes over functions of torch")
    return tensors.alias(made, cls=cls)


METHODS["__new__"] = staticmethod(new_tensor)
METHODS["__init__"] = lambda self, *arguments, **options: None
