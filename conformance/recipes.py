"""The conversions in common use, the kinds of tensor that they meet, and what came of one on the other.

What is here is observed in every environment and recorded beside requirements and claims; nothing of it is stated
beforehand. `conformance.report.recipes` makes the reader's summary of it.
"""

from typing import Any, Callable, NamedTuple

from . import devices
from .findings import attempt, described, told
from .judging import CANT_TELL, UNTESTED

# What a recipe came to. SHARES, COPIES and LISTS gave the tensor's values; OTHER gave something else.
SHARES, COPIES, LISTS, RAISES, OTHER = "shares", "copies", "lists", "raises", "other"
CAME_TO = (SHARES, COPIES, LISTS, RAISES, OTHER, UNTESTED, CANT_TELL)
GAVE_VALUES = (SHARES, COPIES, LISTS)

VALUES = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def to_numpy(torch, x):
    """An array with the values of ``x``, whatever its device, dtype and layout, and whether or not it requires grad.

    NumPy has no bfloat16, so its values come as float32. The array may share memory with ``x``: copy it before you
    write.

    Raises:
        Exception: a tensor on the meta device has no values; which exception it is differs between releases.
    """
    x = x.detach().cpu()
    if x.layout is not torch.strided:
        x = x.to_dense()
    if x.dtype is getattr(torch, "bfloat16", None):
        x = x.float()
    for resolve in ("resolve_conj", "resolve_neg"):
        x = getattr(x, resolve)() if hasattr(x, resolve) else x
    return x.numpy()


class Recipe(NamedTuple):
    """A conversion: how people write it, and the same as a function of torch, NumPy and a tensor."""

    code: str
    convert: Callable[..., Any]


RECIPES = {
    "numpy": Recipe("x.numpy()", lambda torch, np, x: x.numpy()),
    "detach-numpy": Recipe("x.detach().numpy()", lambda torch, np, x: x.detach().numpy()),
    "cpu-numpy": Recipe("x.cpu().numpy()", lambda torch, np, x: x.cpu().numpy()),
    "detach-cpu-numpy": Recipe("x.detach().cpu().numpy()", lambda torch, np, x: x.detach().cpu().numpy()),
    "asarray": Recipe("np.asarray(x)", lambda torch, np, x: np.asarray(x)),
    "force": Recipe("x.numpy(force=True)", lambda torch, np, x: x.numpy(force=True)),
    "tolist": Recipe("x.tolist()", lambda torch, np, x: x.tolist()),
    "from-dlpack": Recipe("np.from_dlpack(x)", lambda torch, np, x: np.from_dlpack(x)),
    "to-numpy": Recipe("to_numpy(torch, x)", lambda torch, np, x: to_numpy(torch, x)),
}
SAFE = "to-numpy"


class Kind(NamedTuple):
    """A kind of tensor: how it is made from dense values on a device, and whether the device made one of that kind."""

    name: str
    make: Callable[..., Any]
    holds: Callable[..., Any]


KINDS = {
    "plain": Kind("plain float32", lambda torch, dense: dense, lambda x: x.is_contiguous()),
    "requires-grad": Kind(
        "requires grad", lambda torch, dense: dense.clone().requires_grad_(), lambda x: x.requires_grad
    ),
    "non-contiguous": Kind("non-contiguous", lambda torch, dense: dense.t(), lambda x: not x.is_contiguous()),
    "bfloat16": Kind("bfloat16", lambda torch, dense: dense.to(torch.bfloat16), lambda x: "bfloat16" in str(x.dtype)),
    "conjugated": Kind(
        "conjugated complex64", lambda torch, dense: dense.to(torch.complex64).conj(), lambda x: x.is_conj()
    ),
    "sparse": Kind("sparse", lambda torch, dense: dense.to_sparse(), lambda x: x.is_sparse),
}

CELLS = ["{}/{}".format(recipe, kind) for recipe in RECIPES for kind in KINDS]


class Seen(NamedTuple):
    """What a recipe came to on a kind of tensor: a word of `CAME_TO`, and what was seen."""

    word: str
    text: str


def observe(torch, np, device, recipe, kind):
    """Use the recipe with the id ``recipe`` on a tensor of ``kind``, of shape (2, 3) or (3, 2), on ``device``.

    Raises:
        RuntimeError: the witnesses of shared memory contradict one another.
    """
    wanted = KINDS[kind]
    values = np.array(VALUES, dtype=np.float32)
    made = attempt(lambda: wanted.make(torch, torch.tensor(VALUES, device=device)), Exception)
    if made.raised:
        return Seen(UNTESTED, "no such tensor can be made here ({})".format(told(made.error)))
    held = attempt(lambda: wanted.holds(made.value), Exception)
    if held.raised or not held.value:
        why = " ({})".format(told(held.error)) if held.raised else ""
        return Seen(UNTESTED, "what is made here is no such tensor" + why)
    x = made.value
    result = attempt(lambda: RECIPES[recipe].convert(torch, np, x), Exception)
    if result.raised:
        return Seen(RAISES, told(result.error))
    given = result.value
    right = values.T if kind == "non-contiguous" else values
    if not devices.describe(device).holds_data or not _equal(np, given, right):
        return Seen(OTHER, "returned {}, and not the values".format(described(given)))
    if type(given) is list:
        return Seen(LISTS, "returned " + described(given))
    return Seen(SHARES if _shared(np, x, given, device) else COPIES, "returned " + described(given))


def _equal(np, given, right):
    """Whether ``given`` is an array or a list of exactly the values ``right``."""
    if type(given) not in (list, np.ndarray):
        return False
    array = np.array(given)
    return array.shape == right.shape and array.dtype.kind in "fc" and bool((array == right).all())


def _shared(np, x, array, device):
    """Whether a write to ``x`` is seen in ``array``; on the host a second witness, the addresses, must agree."""
    if x.is_sparse:
        return False  # to_dense() and every other way to an array computes new values: there is nothing to write to
    before = array.copy()
    x.detach().add_(1)
    seen = not np.array_equal(before, array)
    if device == devices.HOST:
        same = x.detach().data_ptr() == array.__array_interface__["data"][0]
        if same != seen:
            raise RuntimeError(
                "the addresses are {}, but a write is {}seen".format(
                    "equal" if same else "different", "" if seen else "not "
                )
            )
    return seen
