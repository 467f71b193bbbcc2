"""The tensor: where its elements are (`Impl`), what autograd knows of it (`History`), and how tensors are made."""

import numpy as np

from . import devices, geometry, memory
from .dtypes import OPAQUE
from .errors import NotModelled

STRIDED = "strided"
UNDEFINED = "undefined"  # marks a copy of elements that nobody wrote


# What the model keeps on a tensor; in slots, so that ``__dict__`` holds what users put there.
INTERNAL = ("_impl", "_counter", "_history", "_inference", "_fixed", "_named")


class Size(tuple):
    """The shape of a tensor: a tuple of int."""

    def numel(self):
        """The number of elements."""
        return geometry.count(self)

    def __repr__(self):
        return "torch.Size({})".format(list(self))

    def __getitem__(self, index):
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other):
        return Size(tuple.__add__(self, other))

    def __mul__(self, number):
        return Size(tuple.__mul__(self, number))

    __rmul__ = __mul__

    def __radd__(self, other):
        return Size(tuple(other) + tuple(self))


class Impl:
    """Where the elements are. Offset and strides count elements.

    ``conj`` and ``neg`` are the lazy bits (layout.conj-sets-bit, layout.conj-imag-sets-neg-bit); ``zero`` marks a
    tensor without memory that stands for zeros; ``extra`` holds what other layouts and quantized tensors need.
    """

    __slots__ = ("storage", "offset", "shape", "strides", "dtype", "layout", "conj", "neg", "zero", "extra")

    def __init__(self, storage, offset, shape, strides, dtype, layout=STRIDED, conj=False, neg=False):
        self.storage, self.offset = storage, offset
        self.shape, self.strides = Size(shape), tuple(strides)
        self.dtype, self.layout = dtype, layout
        self.conj, self.neg = conj, neg
        self.zero, self.extra = False, None

    def changed(self, **changes):
        """A copy with other values for some fields; the storage stays the same one."""
        other = Impl.__new__(Impl)
        for name in Impl.__slots__:
            setattr(other, name, changes[name] if name in changes else getattr(self, name))
        other.shape, other.strides = Size(other.shape), tuple(other.strides)
        return other

    def extent(self):
        """The bytes from the beginning of the storage to behind the last element."""
        return (self.offset + geometry.extent(self.shape, self.strides)) * self.dtype.itemsize

    def window(self):
        """The stored elements as an ndarray on the memory, bits and encoding as they are."""
        return self.storage.elements(self.dtype, self.offset, self.shape, self.strides)


class Counter:
    """How often the elements were changed, as far as torch can notice; shared by views and detached aliases."""

    __slots__ = ("value",)

    def __init__(self):
        self.value = 0


class History:
    """What autograd knows of a tensor.

    ``base`` and ``how`` describe a view: the tensor that it views, and whether it was made normally (None), without
    grad mode (``"no_grad"``), in inference mode (``"inference"``) or by a function with several results
    (``"multiple"``).
    """

    __slots__ = (
        "requires_grad", "grad", "grad_fn", "output", "hooks", "retains", "accumulator", "base", "how", "seen",
        "tangent",
    )  # fmt: skip

    def __init__(self, requires_grad=False):
        self.requires_grad = requires_grad
        self.grad = self.grad_fn = self.accumulator = self.base = self.how = self.tangent = None
        self.output = 0
        self.hooks = []
        self.retains = False
        self.seen = 0  # the version of the base for which the view's grad_fn holds


def wrap(torch, impl, counter=None, inference=None, cls=None):
    """A tensor object on ``impl``, without history. ``counter`` is shared with another tensor, or new if None.

    A new tensor made in inference mode is an inference tensor and has no counter (mode.inference-version-raises).
    """
    tensor = object.__new__(cls or torch.Tensor)
    tensor._impl = impl
    tensor._inference = torch.modes.inference if inference is None else inference
    tensor._counter = None if counter is None and tensor._inference else counter or Counter()
    tensor._history = History()
    tensor._named = False  # whether the dimensions have names, which are not modelled further
    tensor._fixed = False  # whether a change of shape or storage is refused: see `gradients.metadata`
    return tensor


def allocate(torch, shape, dtype, device, strides=None):
    """A new tensor of zeros with memory of its own."""
    if dtype.is_complex and not torch.behaviour.has_complex_numbers:
        raise RuntimeError("Complex dtype not supported.")
    shape = tuple(shape)
    strides = geometry.contiguous_strides(shape) if strides is None else strides
    held = memory.Storage(geometry.extent(shape, strides) * dtype.itemsize, device)
    return wrap(torch, Impl(held, 0, shape, strides, dtype))


def new(torch, values, dtype, device, strides=None):
    """A new tensor that holds ``values`` (an ndarray), row by row or with these strides.

    On meta only shape and strides count.
    """
    values = np.asarray(values)
    tensor = allocate(torch, values.shape, dtype, device, strides)
    if device.holds_data:
        tensor._impl.window()[...] = dtype.encode(values)
    return tensor


def alias(tensor, impl=None, counter=None, cls=None):
    """Another tensor object on the same memory and, unless told otherwise, the same version counter; no history."""
    torch = tensor._torch
    return wrap(torch, impl or tensor._impl.changed(), counter or tensor._counter, tensor._inference, cls)


def values(tensor):
    """The elements as an ndarray of ``dtype.compute``, bits resolved: not to be written, maybe the memory itself.

    Whoever calls this works where the memory is: the host asks `bridge` instead.

    Raises:
        NotModelled: the layout is not strided, or the elements are opaque.
    """
    impl = tensor._impl
    if impl.layout != STRIDED or impl.dtype.category == OPAQUE:
        raise NotModelled("arithmetic on a tensor of layout {} and dtype {}".format(impl.layout, impl.dtype))
    if (
        impl.extra is UNDEFINED
        or impl.storage.memory is not None
        and impl.storage.nbytes < impl.extent()
        and not impl.zero
    ):
        raise NotModelled("elements behind the end of the memory")
    if impl.zero:
        return np.zeros(impl.shape, impl.dtype.compute)
    elements = impl.dtype.decode(impl.window())
    if impl.conj:
        elements = elements.conj()
    return -elements if impl.neg else elements


def fill(tensor, elements):
    """Write ``elements`` (an ndarray that broadcasts) over the tensor, whatever its bits; bumps no version."""
    impl = tensor._impl
    if impl.zero:
        raise NotModelled("a write to a tensor without memory")
    if not impl.storage.device.holds_data:
        return
    elements = np.asarray(elements)
    if impl.neg:
        elements = -elements
    if impl.conj:
        elements = elements.conj()
    impl.window()[...] = impl.dtype.encode(elements)


def device_of(tensor):
    """The device of a tensor."""
    return tensor._impl.storage.device


def common_device(tensors):
    """The device on which an operation on ``tensors`` takes place; host tensors without dimensions may go along.

    Raises:
        RuntimeError: they are on different devices.
    """
    found = None
    for tensor in tensors:
        here = device_of(tensor)
        if found is None or found == here:
            found = here
    wanted = {device_of(tensor) for tensor in tensors if tensor._impl.shape or device_of(tensor) != devices.CPU}
    if len(wanted) > 1:
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, {}".format(
                " and ".join(sorted(str(device) for device in wanted))
            )
        )
    return wanted.pop() if wanted else found or devices.CPU
