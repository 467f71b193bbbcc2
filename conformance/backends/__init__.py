"""Devices that must be made before they can be used: ``prepare`` makes the one that is asked for.

Making a device changes its process for good, so that every device is tested in processes of its own.
"""

from . import privateuse, xla

_MADE = {privateuse.NAME: privateuse, xla.NAME: xla}


def made(device):
    """Whether ``device`` is one that this package makes, so that it must have a process of its own."""
    return device.split(":")[0] in _MADE


def prepare(torch, device):
    """Make ``device`` ready for use with ``torch``, if it is one of those that this package makes.

    An implementation that simulates devices by itself (it has a function ``simulate``) is asked to do that instead.

    Raises:
        RuntimeError: this release cannot have it; the message says why.
    """
    if simulates(torch):
        torch.simulate(device)
    elif made(device):
        _MADE[device.split(":")[0]].register(torch)


def simulates(torch):
    """Whether an implementation simulates devices by itself."""
    return hasattr(torch, "simulate")


def deviations(device):
    """The requirements that torch is known not to meet on ``device``, with the reasons."""
    return getattr(_MADE.get(device.split(":")[0]), "DEVIATIONS", {})


def limits(torch, device):
    """The requirements that cannot be judged on ``device``, with the reasons: what its backend cannot show."""
    return _MADE[device.split(":")[0]].LIMITS if made(device) and not simulates(torch) else {}
