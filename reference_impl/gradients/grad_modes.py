"""Grad mode and inference mode, as contexts, decorators and calls."""

import contextlib
import functools
import inspect

from ..registry import built, function


@contextlib.contextmanager
def grad_mode(torch, enabled):
    """Have grad mode be ``enabled`` for a block, whatever the block does to it."""
    before = torch.modes.grad
    torch.modes.grad = enabled
    try:
        yield
    finally:
        torch.modes.grad = before


@function("is_grad_enabled")
def is_grad_enabled(torch):
    """Whether grad mode is on in this thread (mode.new-thread-starts-enabled)."""
    return torch.modes.grad


@function("is_inference_mode_enabled")
def is_inference_mode_enabled(torch):
    """Whether inference mode is on in this thread."""
    return torch.modes.inference


def wrapped_generator(mode, generator_function):
    """A generator function each step of which runs in a mode of its own (mode.decorated-generator-runs-disabled)."""

    @functools.wraps(generator_function)
    def steps(*arguments, **options):
        generator = generator_function(*arguments, **options)
        send, value = generator.send, None
        while True:
            try:
                with mode.clone():
                    got = send(value)
            except StopIteration as stop:
                return stop.value
            try:
                value = yield got
                send = generator.send
            except GeneratorExit:
                with mode.clone():
                    generator.close()
                raise
            except BaseException as error:
                send, value = generator.throw, error

    return steps


class Mode:
    """A context that can decorate functions; subclasses say what ``enter`` and ``leave`` do to ``torch.modes``."""

    torch = None  # the Release, set on the subclasses of each release

    def __enter__(self):
        self.before = (self.torch.modes.grad, self.torch.modes.inference)
        self.enter(self.torch.modes)

    def __exit__(self, *error):
        self.torch.modes.grad, self.torch.modes.inference = self.before
        return False

    def __call__(self, target):
        """Decorate a function (mode.no-grad-as-decorator)."""
        if not callable(target):
            raise TypeError("{} decorates functions".format(type(self).__name__))
        if inspect.isgeneratorfunction(target) and self.torch.behaviour.decorates_generators:
            return wrapped_generator(self, target)

        @functools.wraps(target)
        def inside(*arguments, **options):
            with self if self.torch.behaviour.decorator_shares_one_context else self.clone():
                return target(*arguments, **options)

        return inside

    def clone(self):
        """A fresh context like this one."""
        return type(self)()


def _without_arguments(torch, name, enabled):
    """The class of a context that sets grad mode to ``enabled``."""

    class Context(Mode):
        def __new__(cls, target=None):
            if target is None:
                return object.__new__(cls)
            if not torch.behaviour.decorates_without_parentheses:
                raise TypeError("{}() takes no arguments".format(name))
            return object.__new__(cls)(target)

        def enter(self, modes):
            modes.grad = enabled

    Context.torch = torch
    Context.__name__ = Context.__qualname__ = name
    return Context


@built("no_grad", "autograd.no_grad")
def no_grad(torch):
    """The class ``torch.no_grad``."""
    return _without_arguments(torch, "no_grad", False)


@built("enable_grad", "autograd.enable_grad")
def enable_grad(torch):
    """The class ``torch.enable_grad``."""
    return _without_arguments(torch, "enable_grad", True)


@built("set_grad_enabled", "autograd.set_grad_enabled")
def set_grad_enabled(torch):
    """The class ``torch.set_grad_enabled``: it switches when it is made (mode.set-grad-enabled-as-call)."""

    class set_grad_enabled(Mode):
        def __init__(self, mode):
            if not isinstance(mode, bool):
                raise TypeError("set_grad_enabled(): argument must be bool, not {}".format(type(mode).__name__))
            self.mode = mode
            self.before = (torch.modes.grad, torch.modes.inference)
            torch.modes.grad = mode

        def __enter__(self):
            torch.modes.grad = self.mode

        def __call__(self, target):
            if not torch.behaviour.set_grad_enabled_decorates:
                raise TypeError("'set_grad_enabled' object is not callable")
            if torch.behaviour.set_grad_enabled_decoration_restores:
                torch.modes.grad = self.before[0]
            return super().__call__(target)

        def enter(self, modes):
            modes.grad = self.mode

        def clone(self):
            return type(self)(self.mode)

    set_grad_enabled.torch = torch
    return set_grad_enabled


@built("inference_mode", "autograd.inference_mode")
def inference_mode(torch):
    """The class ``torch.inference_mode``."""

    class inference_mode(Mode):
        def __init__(self, mode=True):
            if not isinstance(mode, bool):
                from ..errors import NotModelled

                raise NotModelled("inference_mode({!r})".format(mode))
            self.mode = mode

        def enter(self, modes):
            modes.grad, modes.inference = not self.mode, self.mode

        def clone(self):
            return type(self)(self.mode)

    inference_mode.torch = torch
    return inference_mode
