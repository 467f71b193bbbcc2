"""Ways in which what a call gives can be wrong: each takes what was given and returns something else, or `SAME`.

``given`` is the result of a call, ``arguments`` are what it was called with. Written for anything shaped like torch.
"""

import collections

import numpy as np

SAME = object()  # this way of being wrong does not apply
Transform = collections.namedtuple("Transform", "says change kinds")

TRANSFORMS = collections.OrderedDict()


def kind_of(torch, given, arguments):
    """What sort of result a call gave, in a word: the ways to be wrong say which sorts they apply to."""
    if is_tensor(torch, given):
        if any(given is each for each in arguments):
            return "argument"
        return "tensor-with-grad" if given.requires_grad else "tensor"
    for kind in (bool, int, float, complex, list):
        if type(given) is kind:
            return kind.__name__
    return "array" if is_array(given) else "tuple" if isinstance(given, tuple) else "other"


def _says(change):
    """The docstring of a change as the end of a sentence."""
    return change.__doc__[len("It ") :].rstrip(".")


RAISED = "raised"  # the sort of a call that gave nothing


def transform(name, kinds):
    """Register a way to be wrong under a name: a function whose docstring says what "it" does.

    It applies to results of the ``kinds``, see `kind_of`.
    """

    def register(change):
        TRANSFORMS[name] = Transform(_says(change), change, kinds.split())
        return change

    return register


def is_tensor(torch, thing):
    """Whether something is a tensor of this module."""
    return isinstance(thing, torch.Tensor)


def is_array(thing):
    """Whether something is an array."""
    return isinstance(thing, np.ndarray)


def elements(given):
    """Whether an array has numbers in it."""
    return is_array(given) and given.size > 0 and given.dtype.kind in "iufc"


class OtherArray(np.ndarray):
    """A subclass of ndarray, which is not what torch gives."""


def owners(thing):
    """The addresses at which the memory that a tensor or an array uses begins and ends, or None."""
    if is_array(thing):
        while is_array(thing.base):
            thing = thing.base
        begin = thing.__array_interface__["data"][0]
        return begin, begin + max(thing.nbytes, 1)
    for name in ("untyped_storage", "storage"):
        if hasattr(thing, name):
            try:
                storage = getattr(thing, name)()
                begin = storage.data_ptr()
                size = storage.size() * (1 if name == "untyped_storage" else thing.element_size())
                return (begin, begin + max(size, 1)) if begin else None
            except Exception:  # a tensor without a storage that can be shown
                return None
    return None


def shares(given, arguments):
    """Whether a result lies in the memory of one of the arguments."""
    mine = owners(given)
    found = [owners(each) for each in arguments if each is not given]
    return mine is not None and any(each is not None and each[0] < mine[1] and mine[0] < each[1] for each in found)


@transform("copies", "array tensor")
def copies(torch, given, arguments):
    """It copies where it should use the same memory."""
    if is_array(given):
        return given.copy(order="K") if shares(given, arguments) else SAME
    if is_tensor(torch, given) and not any(given is each for each in arguments) and shares(given, arguments):
        copy = given.detach().clone()
        return (
            copy.requires_grad_()
            if given.requires_grad and given.is_leaf
            else (copy if not given.requires_grad else SAME)
        )
    return SAME


@transform("is-read-only", "array")
def is_read_only(torch, given, arguments):
    """It gives an array that cannot be written to."""
    if not is_array(given) or not given.flags.writeable:
        return SAME
    given = given.view()
    given.flags.writeable = False
    return given


@transform("loses-strides", "array tensor")
def loses_strides(torch, given, arguments):
    """It lays the elements out anew, one after another."""
    if is_array(given):
        return SAME if given.flags.c_contiguous else np.ascontiguousarray(given)
    if is_tensor(torch, given) and not given.requires_grad and not given.is_contiguous():
        return given.contiguous()
    return SAME


@transform("widens", "array tensor")
def widens(torch, given, arguments):
    """It gives numbers of twice the width."""
    if is_array(given) and given.dtype.kind in "iufc" and given.dtype.itemsize < 16:
        wider = np.promote_types(
            given.dtype, {"i": np.int64, "u": np.int64, "f": np.float64, "c": np.complex128}[given.dtype.kind]
        )
        return SAME if wider == given.dtype else given.astype(wider)
    if is_tensor(torch, given) and given.dtype in (torch.float32, torch.float16) and not given.requires_grad:
        return given.double()
    return SAME


@transform("gains-a-dimension", "array tensor")
def gains_a_dimension(torch, given, arguments):
    """It gives one dimension where there should be none."""
    if is_array(given) and given.ndim == 0:
        return given.reshape(1)
    if is_tensor(torch, given) and given.dim() == 0 and not given.requires_grad:
        return given.reshape(1)
    return SAME


@transform("is-flat", "array tensor")
def is_flat(torch, given, arguments):
    """It gives one dimension where there should be several."""
    if is_array(given) and given.ndim > 1:
        return given.reshape(-1)
    if is_tensor(torch, given) and given.dim() > 1 and not given.requires_grad and given.is_contiguous():
        return given.reshape(-1)
    return SAME


@transform("has-other-values", "array tensor")
def has_other_values(torch, given, arguments):
    """It gives other numbers."""
    if elements(given):
        return given + 1
    if is_tensor(torch, given) and given.numel() and given.dtype in (torch.float32, torch.float64, torch.int64):
        return given + 1
    return SAME


@transform("is-a-subclass", "array")
def is_a_subclass(torch, given, arguments):
    """It gives an instance of a subclass of ndarray."""
    return given.view(OtherArray) if type(given) is np.ndarray else SAME


@transform("swaps-bytes", "array")
def swaps_bytes(torch, given, arguments):
    """It gives numbers in the byte order of another machine."""
    if is_array(given) and given.dtype.itemsize > 1 and given.dtype.kind in "iuf":
        return given.astype(given.dtype.newbyteorder())
    return SAME


@transform("requires-grad", "tensor")
def requires_grad(torch, given, arguments):
    """It gives a tensor that requires grad where it should not."""
    if is_tensor(torch, given) and not given.requires_grad and given.dtype in (torch.float32, torch.float64):
        return SAME if any(given is each for each in arguments) else given.requires_grad_()
    return SAME


@transform("loses-grad", "tensor-with-grad")
def loses_grad(torch, given, arguments):
    """It gives a tensor that does not require grad where it should."""
    if is_tensor(torch, given) and given.requires_grad and not any(given is each for each in arguments):
        return given.detach()
    return SAME


@transform("gives-its-argument", "tensor tensor-with-grad")
def gives_its_argument(torch, given, arguments):
    """It gives the tensor itself where it should give a new object."""
    if is_tensor(torch, given) and arguments and is_tensor(torch, arguments[0]) and given is not arguments[0]:
        return arguments[0]
    return SAME


@transform("gives-a-new-object", "argument")
def gives_a_new_object(torch, given, arguments):
    """It gives a new object where it should give the tensor itself."""
    if is_tensor(torch, given) and any(given is each for each in arguments):
        return given.detach() if not given.requires_grad else given.view_as(given)
    return SAME


@transform("has-its-own-version", "tensor")
def has_its_own_version(torch, given, arguments):
    """It gives a tensor whose version counter is its own."""
    if not is_tensor(torch, given) or given.requires_grad or any(given is each for each in arguments):
        return SAME
    tensors = [each for each in arguments if is_tensor(torch, each)]
    return given.data if shares(given, tensors) else SAME
    return SAME


@transform("is-negated", "bool")
def is_negated(torch, given, arguments):
    """It says True for False and False for True."""
    return not given if type(given) is bool else SAME


@transform("is-one-more", "int float")
def is_one_more(torch, given, arguments):
    """It gives one more."""
    if type(given) in (int, float):
        return given + 1
    return SAME


@transform("is-a-numpy-number", "int float bool complex")
def is_a_numpy_number(torch, given, arguments):
    """It gives a number of NumPy instead of one of Python."""
    if type(given) in (float, complex, bool):
        return np.array(given)[()]
    if type(given) is int:
        return np.int64(given) if abs(given) < 2**63 else SAME
    return SAME


@transform("is-none", "array tensor tensor-with-grad argument bool int float complex list tuple other")
def is_none(torch, given, arguments):
    """It gives None."""
    return None if given is not None and not isinstance(given, type) else SAME


@transform("is-not-nested", "list")
def is_not_nested(torch, given, arguments):
    """It gives a flat list."""
    if type(given) is list and given and type(given[0]) is list:
        return [each for row in given for each in row]
    return SAME


@transform("is-a-tuple", "list")
def is_a_tuple(torch, given, arguments):
    """It gives a tuple instead of a list."""
    return tuple(given) if type(given) is list else SAME


@transform("is-reversed", "tuple list")
def is_reversed(torch, given, arguments):
    """It gives the parts in another order."""
    if isinstance(given, (tuple, list)) and len(given) > 1 and given[::-1] != given:
        return given[::-1] if type(given) in (tuple, list) else type(given)(tuple(given)[::-1])
    return SAME


# Ways in which an exception can be wrong: each takes the exception, and raises another one or returns a value.
REFUSALS = collections.OrderedDict()


def refusal(name):
    """Register a way in which a refusal can be wrong, as `transform` does."""

    def register(change):
        REFUSALS[name] = Transform(_says(change), change, [RAISED])
        return change

    return register


OTHERS = {
    TypeError: RuntimeError,
    ValueError: TypeError,
    BufferError: ValueError,
    AttributeError: TypeError,
    IndexError: ValueError,
    NotImplementedError: TypeError,
    RuntimeError: TypeError,
}


@refusal("raises-another-type")
def raises_another_type(torch, error, plain, arguments, options):
    """It refuses with another type of exception."""
    for kind, other in OTHERS.items():
        if isinstance(error, kind):
            raise other(str(error)) from error
    raise error


@refusal("permits")
def permits(torch, error, plain, arguments, options):
    """It does not refuse."""
    if arguments and is_tensor(torch, arguments[0]):
        self = arguments[0]
        plainer = self.detach() if self.requires_grad else self
        if plainer.device.type not in ("cpu", "meta"):
            plainer = plainer.cpu()
        if plainer.layout is not torch.strided:
            plainer = plainer.to_dense()
        for name in ("resolve_conj", "resolve_neg"):
            if hasattr(plainer, name):
                plainer = getattr(plainer, name)()
        try:
            return plain(plainer, *arguments[1:], **options)
        except Exception:  # not even so: what does not refuse must give something
            return self
    return arguments[0] if arguments else None
