"""Collects what the modules of this package offer, so that `namespace` can lay it out as a release's module.

Each function is registered where it is defined. Whether a release has the name at all is not said here but in
``names.tsv``, which was measured.
"""

import numbers

import numpy as np

from .errors import NotModelled

METHODS = {}  # name -> function(self, ...), placed on Tensor
ATTRIBUTES = {}  # name -> property, placed on Tensor
FUNCTIONS = {}  # dotted path below torch -> function(torch, ...), where torch is the Release
BUILDERS = {}  # dotted path below torch -> function(torch) that makes the object, once a release


def method(*names):
    """Register a function as the method of Tensor that has these names."""

    def register(function):
        for name in names:
            METHODS[name] = function
        return function

    return register


def attribute(name, write=None, delete=None):
    """Register a function as the getter of an attribute of Tensor; ``write(self, value)`` sets it."""

    def register(function):
        ATTRIBUTES[name] = property(function, write, delete, function.__doc__)
        return function

    return register


def function(*paths):
    """Register a function at these paths below ``torch``; its first argument is the Release."""

    def register(target):
        for path in paths:
            FUNCTIONS[path] = target
        return target

    return register


def both(*names):
    """Register a function of ``self`` as a method of Tensor and as a function of ``torch`` with the same names."""

    def register(target):
        for name in names:
            METHODS[name] = target
            FUNCTIONS[name] = as_function(name, target)
        return target

    return register


def as_function(name, target):
    """A function of the Release and a tensor that calls the method ``target``."""

    def call(torch, input, *arguments, **options):
        if not isinstance(input, torch.Tensor):
            if isinstance(input, (numbers.Number, np.generic)):
                raise NotModelled("{}() of a number".format(name))
            raise TypeError("{}(): argument 'input' must be Tensor, not {}".format(name, type(input).__name__))
        return target(input, *arguments, **options)

    call.__name__, call.__doc__, call.target = name, target.__doc__, target
    return call


def unchecked(target):
    """Mark a function that looks at the kinds of its arguments itself: see `boundary.guarded`."""
    target.unchecked = True
    return target


def built(*paths):
    """Register a function of the Release that makes the object (mostly a class) at these paths below ``torch``."""

    def register(builder):
        for path in paths:
            BUILDERS[path] = builder
        return builder

    return register
