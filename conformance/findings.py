"""What a probe returns, and small helpers to observe behaviour without judging it.

Everything here depends on the standard library alone and imports nothing of this project at run time,
so that ``explain`` can copy it into a stand-alone reproduction script.
"""

from typing import NamedTuple


class Finding(NamedTuple):
    """Whether a claim, taken literally, holds, and what was seen that shows it."""

    holds: bool
    evidence: str


class Attempt(NamedTuple):
    """The result of a call: its value, or the exception that it raised."""

    value: object
    error: object

    @property
    def raised(self):
        """Whether the call raised one of the exceptions that were expected of it."""
        return self.error is not None


def attempt(call, *expected):
    """Run ``call()`` and return its value, or its exception if it is one of the ``expected`` types.

    Any other exception is raised: it neither confirms nor refutes anything. So is `NotModelled`, with which an
    implementation says that it does not answer, whatever it derives from.
    """
    try:
        return Attempt(call(), None)
    except expected as error:
        if type(error).__name__ == "NotModelled":
            raise
        return Attempt(None, error)


def told(error):
    """An exception as evidence: its type and the first line of its message."""
    text = str(error).strip()
    return type(error).__name__ + (": " + text.splitlines()[0] if text else "")


def described(value):
    """A value as evidence, without its numbers: type, dtype and shape."""
    kind = type(value).__module__.split(".")[0] + "." + type(value).__name__
    if kind.startswith("builtins."):
        kind = kind[len("builtins.") :]
    dtype = getattr(value, "dtype", None)
    shape = getattr(value, "shape", None)
    text = kind
    if dtype is not None:
        text += " of dtype {}".format(dtype)
    if shape is not None and not callable(shape):
        text += ", shape {}".format(tuple(shape))
    return text


def returns_array(np, call, *expected):
    """A `Finding`: ``call()`` returns a ``numpy.ndarray`` instead of raising one of the ``expected`` exceptions."""
    result = attempt(call, *expected)
    if result.raised:
        return Finding(False, told(result.error))
    return Finding(type(result.value) is np.ndarray, "returned " + described(result.value))


def raises(call, *expected):
    """A `Finding`: ``call()`` raises one of the ``expected`` exceptions instead of returning."""
    result = attempt(call, *expected)
    if result.raised:
        return Finding(True, told(result.error))
    return Finding(False, "no exception; returned " + described(result.value))


def all_of(*findings):
    """A `Finding`: every one of ``findings`` holds. The evidence is theirs, or that of those that do not hold."""
    refuted = [finding for finding in findings if not finding.holds]
    return Finding(not refuted, "; ".join(finding.evidence for finding in refuted or findings))
