"""A small model of torch's tensors: the specification in executable form.

``edition("1.4")`` is the module of that release, shaped like ``torch``; this module itself behaves like the newest one.
What the model does not have raises `NotModelled` on use. NumPy and the standard library are all it needs.
"""

import importlib

from . import imports
from .devices import simulate
from .editions import RELEASES, Behaviour
from .errors import NotModelled

__all__ = ["NEWEST", "NotModelled", "edition", "simulate"]

NEWEST = RELEASES[-1]

_made = {}

imports.register()


def edition(release=NEWEST):
    """The module of a minor release such as ``"1.4"``; the same one on every call.

    Raises:
        ValueError: there is no edition of that name; the message lists them.
    """
    if release not in RELEASES:
        raise ValueError("no edition {!r}; there are {}".format(release, ", ".join(RELEASES)))
    if release not in _made:
        # imported here so that a program pays for the model only when it uses it; not by "from . import",
        # which would ask this module's own __getattr__
        namespace = importlib.import_module(".namespace", __name__)
        _made[release] = namespace.build(release, Behaviour(release))
    return _made[release]


def __getattr__(name):
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    return getattr(edition(), name)


def __dir__():
    return sorted(set(globals()) | set(dir(edition())))
