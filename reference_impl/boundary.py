"""The edge between users and the model: what the model did not mean to raise is a refusal, never an answer.

An argument that nobody thought of mostly ends in an exception of Python or NumPy somewhere inside. Torch might well do
something else with it, so such an exception becomes `NotModelled`. What a ``raise`` of this package raised goes out
as it
is, and so does what code of the user raised that the model called, such as a hook.
"""

import dis
import functools
import os

import numpy as np

from . import kinds, subclasses
from .errors import NotModelled

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_NUMPY = os.path.dirname(os.path.abspath(np.__file__)) + os.sep
_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_PACKAGES = os.sep + "site-packages" + os.sep
_RAISE = dis.opmap["RAISE_VARARGS"]
_PASSING = (NotModelled, Warning, MemoryError, RecursionError)  # Warning: a filter made an error of it

# What Python itself would do with a tensor that lacks these is not what torch does.
# Keyword arguments that NumPy's functions pass to a method and that no method of a tensor has (array.reductions-raise).
_NEVER = ("out", "order", "kind", "mode")

_PROTOCOLS = ("__reduce_ex__", "__repr__", "__format__", "__dir__", "__init__")


def owner(frame):
    """Whose code a frame runs: ``"model"``, ``"library"`` (NumPy's and Python's own) or ``"user"``."""
    name = frame.f_code.co_filename
    if name.startswith(_HERE):
        return "model"
    if name.startswith((_NUMPY, "<frozen ", "<__array_function__")):
        return "library"
    return "library" if name.startswith(_LIBRARY) and _PACKAGES not in name else "user"


def meant(error):
    """Whether an exception came from a ``raise`` of this package or from code of the user, and not by accident."""
    if isinstance(error, _PASSING):
        return True
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append((trace.tb_frame, trace.tb_lasti))
        trace = trace.tb_next
    outside = False
    while owner(frames[-1][0]) == "library":
        frames.pop()
        outside = True
    frame, instruction = frames[-1]
    if owner(frame) == "user":
        return True
    return not outside and frame.f_code.co_code[instruction] == _RAISE


def guarded(target, torch, skip=1, read=None):
    """``target`` as users call it: arguments of odd kinds, and exceptions that nobody meant, become `NotModelled`.

    ``skip`` arguments are the tensor itself; ``read`` is the function whose parameters, but the first, say what they
    are.
    """
    name = getattr(target, "__name__", "a function")
    leaves = name.startswith("__") and name.endswith("__")  # an operator leaves what it does not know to the other side
    plan = []  # made at the first call: most functions of a release are never called

    @functools.wraps(target)
    def call(*arguments, **options):
        if not plan:
            plan.append(kinds.Plan(read or target, 1, read is not None and skip == 1))
        if skip == 1 and read is None and not leaves and any(word in options for word in _NEVER):
            raise TypeError(unexpected(name, options))
        if any(type(each) is not torch.Tensor and subclasses.takes_over(torch, name, each) for each in arguments):
            raise NotModelled("{}() of an instance of a subclass".format(name))
        odd = [] if getattr(target, "unchecked", False) else plan[0].odd(torch, arguments[skip:], options)
        if odd and not (leaves and (kinds.is_foreign(odd[0]) or isinstance(odd[0], np.ndarray))):
            if isinstance(odd[0], np.ndarray):  # no function of torch takes an array for a tensor
                raise TypeError("{}(): argument must be Tensor, not numpy.ndarray".format(name))
            raise NotModelled("{}() with an argument of type {}".format(name, type(odd[0]).__name__))
        try:
            return target(*arguments, **options)
        except Exception as error:
            if meant(error):
                raise
            raise NotModelled(described(target, error)) from error

    return call


def unexpected(name, options):
    """What torch says to the keyword arguments that NumPy's functions pass to a tensor's method."""
    if name in ("any", "all", "std", "var"):
        return "{}() received an invalid combination of arguments".format(name)
    if name in ("prod", "max", "min") and options.get("axis", 0) is None:
        return "{}(): argument 'dim' must be int, not NoneType".format(name)
    return "{}() got an unexpected keyword argument '{}'".format(name, "axis" if "axis" in options else min(options))


def described(target, error):
    """What is refused, for the message."""
    name = getattr(target, "__name__", "a function")
    return "{}() with these arguments ({}: {})".format(name, type(error).__name__, str(error)[:100])


def guarded_attribute(found, torch):
    """A property whose getter, setter and deleter are `guarded`."""
    parts = [part and guarded(part, torch) for part in (found.fget, found.fset, found.fdel)]
    return property(*parts, doc=found.__doc__)


def refusing(name):
    """A method that refuses, for what Python looks up on the class and not on the object."""

    def refuse(self, *arguments, **options):
        raise NotModelled("Tensor." + name)

    refuse.__name__ = name
    return refuse


class MissingMethod:
    """A method that the release has and this package does not: calling it refuses.

    With keyword arguments of NumPy that no method of a tensor takes, it raises what torch raises
    (array.reductions-raise).
    """

    def __init__(self, what):
        self._what = what

    def __call__(self, *arguments, **options):
        """Refuse, or raise what torch raises."""
        if any(word in options for word in _NEVER):
            raise TypeError("{}() got an unexpected keyword argument".format(self._what))
        raise NotModelled(self._what)

    def __repr__(self):
        raise NotModelled(self._what)

    __eq__ = __ne__ = __bool__ = __iter__ = __len__ = __getitem__ = __call__
    __hash__ = object.__hash__


def protect(body, known):
    """Guard the methods and attributes in the body of the class Tensor, and refuse the special methods that are
    missing.
    """
    for name, found in list(body.items()):
        if isinstance(found, property):
            if found.fset is None and name in ("real", "imag", "names"):
                found = property(found.fget, refusing(name), None, found.__doc__)
            body[name] = guarded_attribute(found, body["_torch"])
        elif callable(found) and name != "__getattr__" and not isinstance(found, (type, staticmethod, classmethod)):
            body[name] = guarded(found, body["_torch"])
            body[name].__name__ = name
    missing = [
        name for name, kind in known.items() if kind == "method" and name.startswith("__") and name.endswith("__")
    ]
    for name in list(_PROTOCOLS) + missing:
        if name not in body and name != "__new__" and not (name == "__init__" and "__new__" in body):
            body[name] = refusing(name)
