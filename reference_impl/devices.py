"""Devices: the host, meta, and simulated ones, whose memory the host cannot read."""

from .errors import NotModelled

HOST, META = "cpu", "meta"

# Real kinds of device that torch knows; one that is not simulated is not answered for.
KNOWN = (
    "cuda",
    "xla",
    "mps",
    "xpu",
    "hpu",
    "ipu",
    "privateuseone",
    "vulkan",
    "mtia",
    "hip",
    "mkldnn",
    "opengl",
    "opencl",
)

# The kinds of device as torch 2.13 names them to a user who asked for another one.
_NAMED = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy",
    "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)  # fmt: skip

_simulated = {}


def simulate(name):
    """Make the kind of device ``name`` (such as ``"cuda"``) exist from now on, for every edition in this process.

    Its memory is ordinary memory that the model does not let NumPy see.
    """
    kind = name.split(":")[0]
    if kind not in (HOST, META):
        _simulated[kind] = True


def simulated(kind):
    """Whether devices of that kind are simulated in this process."""
    return kind in _simulated


class device:
    """A device: ``type`` and ``index`` (None where there is one only)."""

    _unknown = RuntimeError  # what an unknown name raises (device.unknown-name-raises)

    def __init__(self, type, index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        if not isinstance(type, str):
            raise NotModelled("torch.device({!r})".format(type))
        kind, colon, number = type.partition(":")
        if colon:
            if index is not None or not number.isdigit():
                raise RuntimeError("Invalid device string: '{}'".format(type))
            index = int(number)
        if kind not in (HOST, META) and kind not in KNOWN and kind not in _simulated:
            raise self._unknown(
                "Expected one of {} device type at start of device string: {}".format(", ".join(_NAMED), kind)
            )
        self.type, self.index = kind, index
        self._before = []  # default devices to go back to: see `context_class`

    def __repr__(self):
        return "device(type='{}'{})".format(self.type, "" if self.index is None else ", index={}".format(self.index))

    def __str__(self):
        return self.type if self.index is None else "{}:{}".format(self.type, self.index)

    def __eq__(self, other):
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    def __reduce__(self):
        return (device, (str(self),))

    def __call__(self, function):
        """Decorate a function: not modelled."""
        raise NotModelled("a device as a decorator")

    @property
    def host_readable(self):
        """Whether the host can read the memory."""
        return self.type == HOST

    @property
    def holds_data(self):
        """Whether there is memory at all."""
        return self.type != META


def context_class(torch):
    """The class ``torch.device`` of a release: with a context that makes a device the default, if it has that."""
    body = {"__module__": "torch", "_unknown": torch.behaviour.unknown_device_error}
    if torch.behaviour.devices_are_contexts:

        def enter(self):
            self._before.append(torch.modes.default_device)
            torch.modes.default_device = place(torch, self)
            return self

        def leave(self, *error):
            torch.modes.default_device = self._before.pop()

        body.update(__enter__=enter, __exit__=leave)
    return type("device", (device,), body)


def place(torch, asked):
    """The device that tensors asked for on ``asked`` (a name, a device or None) are made on.

    Raises:
        AssertionError: a CUDA device, and none is simulated (device.absent-cuda-factory-raises).
        NotModelled: another kind of device that is real and not simulated here, or not the first of its kind.
    """
    if asked is None:
        return torch.modes.default_device or CPU
    found = device(asked)
    if found.type == META and not torch.behaviour.has_meta:
        raise RuntimeError("this release has no tensors on meta")
    if found.type in (HOST, META):
        return device(found.type)  # an index adds nothing there
    if found.type == "cuda" and found.type not in _simulated:
        raise AssertionError("Torch not compiled with CUDA enabled")  # device.absent-cuda-factory-raises
    if found.type not in _simulated:
        raise NotModelled("the device {} (reference_impl.simulate('{}') makes one)".format(found, found.type))
    if found.index not in (None, 0):
        raise NotModelled("a second device of a kind ({})".format(found))
    return device(found.type, 0)


CPU = device(HOST)
