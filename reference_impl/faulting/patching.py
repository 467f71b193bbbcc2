"""Replaces parts of a module shaped like ``torch``, the model's or torch itself, and puts them back.

A part is named by its path below the module: ``from_numpy``, ``Tensor.numpy``, ``Tensor.grad`` (an attribute) or
``nn.Parameter``.
"""

MISSING = object()


class Patch:
    """What was replaced in one module; `undo` puts it back. Used as a context, it does so at the end."""

    def __init__(self, torch):
        self.torch = torch
        self._replaced, self._calls = [], []
        self.happened = 0  # how often something went wrong on purpose

    def find(self, path):
        """The owner of a part, its name, and the part itself as it is stored (a function, or a property)."""
        owner_path, _, name = path.rpartition(".")
        owner = self.torch
        for step in owner_path.split(".") if owner_path else ():
            owner = getattr(owner, step)
        if isinstance(owner, type):
            for base in owner.__mro__:
                if name in base.__dict__:
                    return owner, name, base.__dict__[name]
            raise AttributeError(path)
        return owner, name, getattr(owner, name)

    def has(self, path):
        """Whether the module has such a part."""
        try:
            self.find(path)
        except AttributeError:
            return False
        return True

    def replace(self, path, made):
        """Put ``made`` at a path."""
        owner_path, _, name = path.rpartition(".")
        owner = self.torch
        for step in owner_path.split(".") if owner_path else ():
            owner = getattr(owner, step)
        self.replace_of(owner, name, made)

    def replace_of(self, owner, name, made):
        """Put ``made`` at a name of any object."""
        before = owner.__dict__.get(name, MISSING)
        setattr(owner, name, made)
        self._replaced.append((owner, name, before))

    def at_end(self, call):
        """Have something else undone as well."""
        self._calls.append(call)

    def undo(self):
        """Put everything back, the last replacement first."""
        while self._calls:
            self._calls.pop()()
        while self._replaced:
            owner, name, before = self._replaced.pop()
            if before is MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.undo()


def wrap(patch, path, around):
    """Replace what a path names by something that calls ``around(plain, *arguments, **options)``.

    ``plain`` does what the part did before; of an attribute that is reading it. What ``around`` itself calls is
    the part as it was: one fault is one fault.
    """
    _, name, plain = patch.find(path)
    busy = []

    def guarded(call, arguments, options):
        if busy:
            return call(*arguments, **options)
        busy.append(True)
        try:
            return around(call, *arguments, **options)
        finally:
            busy.pop()

    if hasattr(plain, "__get__") and hasattr(plain, "__set__"):  # an attribute of a class
        made = property(
            lambda self: guarded(lambda of: plain.__get__(of, type(of)), (self,), {}),
            lambda self, value: plain.__set__(self, value),
            lambda self: plain.__delete__(self),
        )
    elif isinstance(plain, staticmethod):

        def static(*arguments, **options):
            return guarded(plain.__func__, arguments, options)

        made = staticmethod(static)
    else:

        def made(*arguments, **options):
            return guarded(plain, arguments, options)

        made.__name__ = made.__qualname__ = name
        made.__doc__ = getattr(plain, "__doc__", None)
    patch.replace(path, made)
