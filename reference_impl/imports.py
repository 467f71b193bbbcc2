"""Lets ``import torch.nn.functional`` reach the model, where ``torch`` in `sys.modules` is a module of the model.

The one finder here declines everything else: it never finds the real torch, nor stands in its way.
"""

import importlib.machinery
import os
import re
import sys

from .errors import NotModelled

_EDITION = re.compile(r"torch_(\d+)_(\d+)(\.(.+))?$")
_PACKAGE = __name__.rpartition(".")[0]
_MEASURED_DEPTH = 3  # names.tsv lists the modules of a release down to torch.nn.functional, but nothing deeper


class Finder:
    """Finds modules below a module of the model, whatever name `sys.modules` has it under, and below this package."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """How to load the module ``name``; None if it is none of the model's, or none that the release has.

        Raises:
            NotModelled: below what was measured: the release may have it.
        """
        top, _, rest = name.partition(".")
        root = rest and sys.modules.get(top)
        if root is None or not hasattr(type(root), "__getattr__") and root is not sys.modules.get(_PACKAGE):
            return None
        if root is sys.modules.get(_PACKAGE):
            if _own_file(rest):
                return _hidden(top, name)
            named = _EDITION.match(rest)  # the module of one edition, under its own name
            root = root.edition(*(["{}.{}".format(*named.groups()[:2])] if named else []))
            rest = named.group(4) if named else rest
            if not rest:
                return importlib.machinery.ModuleSpec(name, Loader(root), is_package=True)
        find = getattr(type(root), "submodule", None)
        if find is None:
            return None
        found = find(root, rest)
        if found is None:
            if name.count(".") >= _MEASURED_DEPTH:
                raise NotModelled("the module torch." + rest)
            return None
        return importlib.machinery.ModuleSpec(name, Loader(found), is_package=True)


class Loader:
    """Hands out a module that is there already."""

    def __init__(self, module):
        self.module = module

    def create_module(self, spec):
        """The module."""
        return self.module

    def exec_module(self, module):
        """Nothing is left to do."""


def _hidden(top, name):
    """A file of this package: to be found under its own name only."""
    if top != _PACKAGE:
        raise ModuleNotFoundError("No module named {!r}".format(name), name=name)
    return


def _own_file(rest):
    """Whether a name below this package is that of one of its own files."""
    base = os.path.join(os.path.dirname(os.path.abspath(__file__)), *rest.split("."))
    return os.path.isdir(base) or os.path.exists(base + ".py")


def register():
    """Have the import system ask the finder, first and once."""
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)
