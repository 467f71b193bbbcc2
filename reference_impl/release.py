"""A release of torch as this package models it: its behaviour, and the state that torch keeps for a process."""

import threading

import numpy as np


class Modes(threading.local):
    """What torch keeps for each thread (mode.new-thread-starts-enabled)."""

    def __init__(self):
        self.grad = True
        self.inference = False
        self.dual_level = -1
        self.default_device = None


class Release:
    """One release: ``number`` such as ``"2.13"``, its switches as ``behaviour``, and its classes.

    Registered functions get it as their first argument, methods of a tensor find it as ``self._torch``. The module
    that users see is made from it by `namespace`.
    """

    def __init__(self, number, behaviour):
        self.number = number
        self.behaviour = behaviour
        self.modes = Modes()
        self.default_dtype = None  # set by `namespace`: dtypes import nothing of this
        self.generator = np.random.RandomState()  # seeded by the system, as torch is
        self.Tensor = None
        self.warned = set()  # what torch warns of once in a process
        self.objects = {}  # what the builders made, by path

    def __repr__(self):
        return "<release {}>".format(self.number)

    @property
    def records(self):
        """Whether operations are recorded now, in this thread (mode.inference-enable-grad-records-nothing)."""
        return self.modes.grad and not self.modes.inference
