"""``torch.nn.Module``: what holds parameters, buffers and other modules, and knows whether it trains."""

import collections

from . import boundary, devices, dtypes, tensors
from .errors import NotModelled
from .registry import METHODS, built

_KINDS = ("_parameters", "_buffers", "_modules")


class ModuleBody:
    """The body of the class Module; ``_torch`` is the release, set on the class of each."""

    _torch = None

    def __init__(self):
        self.__dict__.update(training=True)
        for kind in _KINDS:
            self.__dict__[kind] = collections.OrderedDict()

    def __setattr__(self, name, value):
        """Keep parameters and modules apart from other attributes."""
        torch = self._torch
        if not all(kind in self.__dict__ for kind in _KINDS):
            if isinstance(value, (torch.objects["nn.Parameter"], torch.objects["nn.Module"])):
                raise AttributeError("cannot assign '{}' before Module.__init__() call".format(name))
            self.__dict__[name] = value
            return
        expected = None
        if isinstance(value, torch.objects["nn.Parameter"]):
            found = "_parameters"
        elif isinstance(value, torch.objects["nn.Module"]):
            found = "_modules"
        else:
            found = next((kind for kind in _KINDS if name in self.__dict__[kind]), None)
            expected = {"_parameters": "torch.nn.Parameter", "_modules": "torch.nn.Module"}.get(found)
            if found == "_buffers" and not isinstance(value, torch.Tensor):
                expected = "torch.Tensor"
        if expected is not None and value is not None:
            raise TypeError(
                "cannot assign '{}' object to '{}' ({} or None required)".format(type(value).__name__, name, expected)
            )
        for place in [self.__dict__] + [self.__dict__[kind] for kind in _KINDS]:
            if found is not None and place is not self.__dict__[found]:
                place.pop(name, None)
        (self.__dict__ if found is None else self.__dict__[found])[name] = value

    def __getattr__(self, name):
        for kind in _KINDS:
            if name in self.__dict__.get(kind, ()):
                return self.__dict__[kind][name]
        if name in self._torch.known.get("torch.nn.Module", ()):
            raise NotModelled("Module." + name)
        raise AttributeError("'{}' object has no attribute '{}'".format(type(self).__name__, name))

    def __delattr__(self, name):
        for kind in _KINDS:
            if name in self.__dict__[kind]:
                del self.__dict__[kind][name]
                return
        object.__delattr__(self, name)

    def __call__(self, *arguments, **options):
        """Run ``forward``."""
        return self.forward(*arguments, **options)

    def register_buffer(self, name, tensor):
        """Keep a tensor that is no parameter (grad.buffer-converts)."""
        known = any(name in self.__dict__[kind] for kind in _KINDS) or name in dir(self)
        if not isinstance(name, str) or "." in name or not name or known:
            raise NotModelled("a buffer of that name")
        if tensor is not None and not isinstance(tensor, self._torch.Tensor):
            raise TypeError("cannot assign '{}' object to buffer '{}'".format(type(tensor).__name__, name))
        self._buffers[name] = tensor

    def register_parameter(self, name, param):
        """Keep a parameter, or None in its place."""
        if name in dir(self) or "." in name or not name:
            raise NotModelled("a parameter of that name")
        if param is not None and not isinstance(param, self._torch.objects["nn.Parameter"]):
            raise TypeError("cannot assign '{}' object to parameter '{}'".format(type(param).__name__, name))
        self._parameters[name] = param

    def add_module(self, name, module):
        """Keep a module."""
        if module is not None and not isinstance(module, self._torch.objects["nn.Module"]):
            raise TypeError("{} is not a Module subclass".format(type(module).__name__))
        self._modules[name] = module

    def named_modules(self):
        """This module and all below, with their names; each one once."""
        return iter(below(self))

    def modules(self):
        """This module and all below."""
        return iter([module for _, module in below(self)])

    def children(self):
        """The modules directly below."""
        return iter([module for module in self._modules.values() if module is not None])

    def named_parameters(self):
        """Names and parameters, each one once."""
        return iter(held(self, "_parameters"))

    def parameters(self):
        """The parameters, each one once."""
        return iter([each for _, each in held(self, "_parameters")])

    def named_buffers(self):
        """Names and buffers, each one once."""
        return iter(held(self, "_buffers"))

    def buffers(self):
        """The buffers, each one once."""
        return iter([each for _, each in held(self, "_buffers")])

    def state_dict(self, *, keep_vars=False):
        """Parameters and buffers by name; without history unless told otherwise (grad.state-dict-value-converts)."""
        found = collections.OrderedDict()
        for prefix, module in below(self, once=False):
            for kind in ("_parameters", "_buffers"):
                for name, each in module.__dict__[kind].items():
                    if each is not None:
                        found[prefix + "." * bool(prefix) + name] = each if keep_vars else METHODS["detach"](each)
        return found

    def train(self, mode=True):
        """Train, or not; grad mode stays as it is (mode.eval-keeps-mode, mode.no-grad-keeps-training)."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for _, module in below(self):
            module.__dict__["training"] = mode
        return self

    def eval(self):
        """Do not train (grad.eval-does-not-lift)."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Set the flag of every parameter."""
        for each in self.parameters():
            METHODS["requires_grad_"](each, requires_grad)
        return self

    def to(self, *arguments, **options):
        """Move every parameter and buffer to a device, and those with a fraction to a dtype."""
        device, dtype = asked(self._torch, arguments, options)
        return moved(self, device, dtype)

    def cpu(self):
        """Move everything to the host."""
        return moved(self, devices.CPU, None)

    def cuda(self):
        """Move everything to the first CUDA device."""
        return moved(self, devices.place(self._torch, "cuda"), None)

    def float(self):
        """Everything with a fraction as float32."""
        return moved(self, None, dtypes.float32)

    def double(self):
        """Everything with a fraction as float64."""
        return moved(self, None, dtypes.float64)

    def half(self):
        """Everything with a fraction as float16."""
        return moved(self, None, dtypes.float16)

    def forward(self, *arguments):
        """To be written by the user."""
        raise NotImplementedError('Module [{}] is missing the required "forward" function'.format(type(self).__name__))


def below(module, prefix="", seen=None, once=True):
    """A module and all below, as a list with their names; each one once, or as often as it is there."""
    seen = set() if seen is None else seen
    if once and id(module) in seen:
        return []
    seen.add(id(module))
    found = [(prefix, module)]
    for name, child in module.__dict__["_modules"].items():
        if child is not None:
            found += below(child, prefix + "." * bool(prefix) + name, seen, once)
    return found


def held(module, kind):
    """The parameters or buffers of a module and all below, as a list with their names; each one once."""
    found, seen = [], set()
    for prefix, each in below(module):
        for name, tensor in each.__dict__[kind].items():
            if tensor is not None and id(tensor) not in seen:
                seen.add(id(tensor))
                found.append((prefix + "." * bool(prefix) + name, tensor))
    return found


def asked(torch, arguments, options):
    """The device and the dtype that ``to`` is asked for."""
    device, dtype = options.pop("device", None), options.pop("dtype", None)
    if options or len(arguments) > 2:
        raise NotModelled("Module.to() with these arguments")
    for argument in arguments:
        if isinstance(argument, dtypes.dtype):
            dtype = argument
        elif isinstance(argument, (str, devices.device)):
            device = argument
        else:
            raise NotModelled("Module.to({!r})".format(argument))
    if dtype is not None and not dtype.is_floating_point:
        raise TypeError(
            "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={}".format(dtype)
        )
    return None if device is None else devices.place(torch, device), dtype


def moved(module, device, dtype):
    """The module, its parameters and buffers moved. Parameters stay the same objects; buffers are new ones."""
    from .operations.copying import moved as moved_tensor

    for _, each in below(module):
        for parameter in each.__dict__["_parameters"].values():
            if parameter is not None:
                if parameter._history.grad is not None:
                    raise NotModelled("to() of a module that has gradients")
                plain = tensors.wrap(module._torch, parameter._impl.changed())
                wanted = dtype if parameter._impl.dtype.is_floating_point else None
                parameter._impl = moved_tensor(plain, wanted, device)._impl.changed()
        for name, buffer in each.__dict__["_buffers"].items():
            if buffer is not None:
                each.__dict__["_buffers"][name] = moved_tensor(
                    buffer, dtype if buffer._impl.dtype.is_floating_point else None, device
                )
    return module


class ModuleType(type):
    """The type of Module: says `NotModelled` for what the release has there and this package does not."""

    def __getattr__(cls, name):
        if name in cls._torch.known.get("torch.nn.Module", ()):
            raise NotModelled("Module." + name)
        raise AttributeError("type object '{}' has no attribute '{}'".format(cls.__name__, name))


@built("nn.Module", "nn.modules.module.Module")
def module_class(torch):
    """The class ``torch.nn.Module``, with the methods that the release has."""
    known = torch.known.get("torch.nn.Module", {})
    body = {"_torch": torch, "__module__": "torch.nn.modules.module", "__doc__": "What holds parameters."}
    for name, target in vars(ModuleBody).items():
        if not callable(target) or not (name in known or name.startswith("__")):
            continue
        body[name] = target if name in ("__getattr__", "__call__", "forward") else boundary.guarded(target, torch)
    return ModuleType("Module", (object,), body)
