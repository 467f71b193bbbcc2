"""New tensors: from sizes, from numbers and sequences, at random, and like others."""

import numpy as np

from .. import devices, dtypes, geometry, kinds, tensors
from ..attributes import made_to_require_grad
from ..errors import NotModelled
from ..registry import function, method
from . import guards
from .copying import preserved_strides


def finished(torch, tensor, requires_grad):
    """A new tensor that requires grad if asked (model.factory-requires-no-grad)."""
    return made_to_require_grad(tensor) if requires_grad else tensor


def settings(torch, dtype, device, layout, options):
    """The dtype and the device that a factory's arguments ask for.

    Raises:
        NotModelled: other options.
    """
    for name in ("out", "pin_memory", "memory_format"):
        given = options.pop(name, None)
        if given is not None and given is not False:
            raise NotModelled("the argument {} of a factory".format(name))
    if options:
        raise TypeError("unexpected keyword argument '{}'".format(sorted(options)[0]))
    if layout not in (None, "strided") and str(layout) != "torch.strided":
        raise NotModelled("a factory with layout={}".format(layout))
    if dtype is not None and not isinstance(dtype, dtypes.dtype):
        raise TypeError("argument 'dtype' must be torch.dtype, not {}".format(type(dtype).__name__))
    return dtype, devices.place(torch, device)


def filled(torch, shape, number, dtype=None, device=None, requires_grad=False, layout=None, **options):
    """A tensor of ``shape`` with ``number`` everywhere."""
    names = options.pop("names", None)
    if names is not None and not torch.behaviour.has_named_tensors:
        raise TypeError("a factory got an unexpected keyword argument 'names'")
    dtype, place = settings(torch, dtype, device, layout, options)
    tensor = tensors.allocate(torch, shape, dtype or torch.default_dtype, place)
    tensor._named = names is not None
    if number is not None and tensor._impl.dtype.name[:1] == "q":
        raise NotImplementedError("Could not run 'aten::zero_' with arguments from the 'QuantizedCPU' backend.")
    if number and tensor._impl.dtype.category == dtypes.OPAQUE:
        raise NotModelled("elements of {}".format(tensor._impl.dtype))
    guards.fits(number, tensor._impl.dtype)
    if number != 0:
        tensors.fill(tensor, number)
    return finished(torch, tensor, requires_grad)


def sizes(arguments, options):
    """Sizes given by position or as ``size``."""
    if not arguments and "size" in options:
        arguments = (options.pop("size"),)
    shape = geometry.sizes_of(arguments)
    if any(size < 0 for size in shape):
        raise RuntimeError("Trying to create tensor with negative dimension {}: {}".format(min(shape), list(shape)))
    return shape


@function("ones")
def ones(torch, *size, **options):
    """Ones."""
    return filled(torch, sizes(size, options), 1, **options)


@function("zeros")
def zeros(torch, *size, **options):
    """Zeros."""
    return filled(torch, sizes(size, options), 0, **options)


@function("empty")
def empty(torch, *size, **options):
    """A tensor whose elements mean nothing; here they are zeros."""
    memory_format = options.pop("memory_format", None)
    if memory_format is not None:
        raise NotModelled("empty() with a memory format")
    return filled(torch, sizes(size, options), 0, **options)


@function("full")
def full(torch, size, fill_value, *, dtype=None, **options):
    """One number everywhere; its own type decides, where the release lets it (model.default-dtype-is-float32)."""
    if not isinstance(size, (tuple, list)) or not kinds.is_plain_number(fill_value):
        raise NotModelled("full() of this size or value")
    if dtype is None and not isinstance(fill_value, float):
        if not torch.behaviour.full_infers:
            raise NotModelled("full() of a number that is no float in this release")
        from .operands import number_dtype

        dtype = number_dtype(torch, fill_value)
    return filled(torch, geometry.sizes_of((size,)), fill_value, dtype, **options)


@function("arange")
def arange(torch, *bounds, dtype=None, device=None, requires_grad=False, layout=None, **options):
    """Numbers at equal distances; int64 if all bounds are integers."""
    dtype, place = settings(torch, dtype, device, layout, options)
    if not 1 <= len(bounds) <= 3:
        raise TypeError("arange() takes from one to three numbers")
    if not all(kinds.is_plain_number(bound) and not isinstance(bound, (complex, bool)) for bound in bounds):
        raise NotModelled("arange() of other things than numbers")
    whole = all(isinstance(bound, (int, np.integer)) for bound in bounds)
    if dtype is None:
        dtype = dtypes.int64 if whole else torch.default_dtype
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (tuple(bounds) + (1,))[:3]
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (stop - start) * step < 0:
        raise RuntimeError("upper bound and larger bound inconsistent with step sign")
    number = max(int(np.ceil((stop - start) / step)), 0)
    values = start + np.arange(number) * step
    return finished(torch, tensors.new(torch, values, dtype, place), requires_grad)


@function("linspace")
def linspace(torch, start, end, steps, *, dtype=None, device=None, requires_grad=False, layout=None, **options):
    """``steps`` numbers from ``start`` to ``end``."""
    dtype, place = settings(torch, dtype, device, layout, options)
    values = np.linspace(start, end, steps)
    return finished(torch, tensors.new(torch, values, dtype or torch.default_dtype, place), requires_grad)


@function("eye")
def eye(torch, n, m=None, *, dtype=None, device=None, requires_grad=False, layout=None, **options):
    """Ones on the diagonal, zeros elsewhere."""
    if not kinds.is_whole(n) or not (m is None or kinds.is_whole(m)):
        raise NotModelled("eye() of other things than integers")
    dtype, place = settings(torch, dtype, device, layout, options)
    values = np.eye(n, m)
    return finished(torch, tensors.new(torch, values, dtype or torch.default_dtype, place), requires_grad)


def drawn(torch, values, dtype, device, layout, requires_grad, options):
    """A tensor of random numbers that were drawn as an ndarray."""
    dtype, place = settings(torch, dtype, device, layout, options)
    return finished(torch, tensors.new(torch, values, dtype or torch.default_dtype, place), requires_grad)


@function("randn")
def randn(torch, *size, dtype=None, device=None, layout=None, requires_grad=False, **options):
    """Numbers from the standard normal distribution (not the same ones as torch's)."""
    shape = sizes(size, options)
    values = np.asarray(torch.generator.standard_normal(shape))
    return drawn(torch, values, dtype, device, layout, requires_grad, options)


@function("rand")
def rand(torch, *size, dtype=None, device=None, layout=None, requires_grad=False, **options):
    """Numbers from 0 to below 1 (not the same ones as torch's)."""
    shape = sizes(size, options)
    values = np.asarray(torch.generator.random_sample(shape))
    return drawn(torch, values, dtype, device, layout, requires_grad, options)


@function("randint")
def randint(torch, low, high, size=None, *, dtype=None, device=None, layout=None, requires_grad=False, **options):
    """Whole numbers from ``low`` to below ``high``."""
    if size is None:
        low, high, size = 0, low, high
    values = np.asarray(torch.generator.randint(low, high, geometry.sizes_of((size,)), dtype=np.int64))
    return drawn(torch, values, dtype or dtypes.int64, device, layout, requires_grad, options)


@function("manual_seed", "random.manual_seed")
def manual_seed(torch, seed):
    """Draw as after any other call with this seed (model.manual-seed-repeats)."""
    torch.generator.seed(int(seed) % 2**32)
    return torch.generator


def like(name, factory):
    """The function ``name``: what ``factory`` makes, in the shape, type and place of another tensor."""

    def call(torch, input, *arguments, dtype=None, device=None, **options):
        if not isinstance(input, torch.Tensor):
            raise TypeError("{}(): argument 'input' must be Tensor, not {}".format(name, type(input).__name__))
        where = tensors.device_of(input) if device is None else device
        wanted = options.pop("memory_format", None)
        if (
            "out" in options
            or wanted is not None
            and str(wanted) not in ("torch.preserve_format", "torch.contiguous_format")
        ):
            raise NotModelled("{}() with these options".format(name))
        result = factory(
            torch, tuple(input._impl.shape), *arguments, dtype=dtype or input._impl.dtype, device=where, **options
        )
        if str(wanted) != "torch.contiguous_format":
            result._impl.strides = tuple(preserved_strides(input._impl))
        return result

    call.__name__, call.__doc__ = name, factory.__doc__
    function(name)(call)


for _name, _factory in (
    ("ones", ones),
    ("zeros", zeros),
    ("empty", empty),
    ("full", full),
    ("randn", randn),
    ("rand", rand),
):
    like(_name + "_like", _factory)


def new_like(name, factory):
    """The method ``name``: what ``factory`` makes, in the type and place of a tensor."""

    def call(self, *arguments, dtype=None, device=None, **options):
        where = tensors.device_of(self) if device is None else device
        given = arguments[:1] if name == "new_full" else arguments
        if (
            not given
            and "size" not in options
            or not kinds.are_sizes(given)
            or name == "new_full"
            and kinds.is_whole(given[0])
        ):
            raise NotModelled("{}() of this size".format(name))
        return factory(self._torch, *arguments, dtype=dtype or self._impl.dtype, device=where, **options)

    call.__name__, call.__doc__ = name, factory.__doc__
    method(name)(call)


for _name, _factory in (("ones", ones), ("zeros", zeros), ("empty", empty), ("full", full)):
    new_like("new_" + _name, _factory)


@function("set_default_dtype")
def set_default_dtype(torch, d):
    """The dtype of floating-point factories from now on."""
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    torch.default_dtype = d


@function("get_default_dtype")
def get_default_dtype(torch):
    """The dtype of floating-point factories."""
    return torch.default_dtype


@function("set_default_device")
def set_default_device(torch, device):
    """The device of factories from now on, or the host again for None (from.numpy-ignores-default-device)."""
    torch.modes.default_device = None if device is None else devices.place(torch, device)


@function("get_rng_state", "random.get_rng_state")
def get_rng_state(torch):
    """Where the generator stands, as a tensor of bytes (model.manual-seed-repeats)."""
    _, numbers, place, has_one, one = torch.generator.get_state()
    state = np.zeros(5056, np.uint8)
    rest = np.array([place, has_one, one], dtype=np.float64)
    packed = np.concatenate([numbers.astype(np.uint32).view(np.uint8), rest.view(np.uint8)])
    state[8 : 8 + len(packed)] = packed
    return tensors.new(torch, state, dtypes.uint8, devices.CPU)


@function("set_rng_state", "random.set_rng_state")
def set_rng_state(torch, new_state):
    """Put the generator where it stood."""
    state = tensors.values(new_state)
    numbers = state[8 : 8 + 2496].copy().view(np.uint32)
    place, has_one, one = state[8 + 2496 : 8 + 2496 + 24].copy().view(np.float64)
    torch.generator.set_state(("MT19937", numbers, int(place), int(has_one), float(one)))


@function("cuda.is_available")
def cuda_is_available(torch):
    """Whether CUDA devices are simulated."""
    return devices.simulated("cuda")
