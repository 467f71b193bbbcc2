"""Kinds of device, the device scopes that the specification names, and which devices are there."""

from typing import NamedTuple

HOST = "cpu"
KNOWN = (HOST, "meta", "privateuse", "xla", "cuda", "mps", "xpu")  # other names may be asked for as well


class Device(NamedTuple):
    """What the suite needs to know of a device; ``name`` is what an implementation is asked for."""

    name: str
    host_readable: bool
    holds_data: bool


def describe(name):
    """The `Device` called ``name``. A name we do not know is taken for memory that the host cannot read."""
    kind = name.split(":")[0]
    return Device(name, host_readable=kind == HOST, holds_data=kind != "meta")


# The phrases that end a scope line, and the devices each of them means.
SCOPES = {
    "every device": lambda device: True,
    "every device that holds data": lambda device: device.holds_data,
    "every device whose memory the host can read": lambda device: device.host_readable,
    "every device whose memory the host cannot read": lambda device: device.holds_data and not device.host_readable,
    "every device but the host": lambda device: not device.host_readable,
    "the meta device": lambda device: device.name == "meta",
}


def in_scope(phrase, name):
    """Whether the scope ``phrase`` covers the device called ``name``."""
    return SCOPES[phrase](describe(name))


def absence(torch, name):
    """Why the device called ``name`` cannot be used with ``torch``, in one line, or None if it can.

    The host is always there: what an implementation lacks on it is for the tests to find.
    """
    if name == HOST:
        return None
    try:
        torch.ones(1, device=name)
    except Exception as problem:  # any failure means "not there"; it is reported, not swallowed
        text = str(problem).strip() or "no message"
        return "{}: {}".format(type(problem).__name__, text.splitlines()[0].split(". ")[0])
    return None
