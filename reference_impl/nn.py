"""``torch.nn``: parameters, and the few modules that requirements and claims use."""

import math

import numpy as np

from . import boundary, devices, dtypes, modules, tensors  # noqa: F401 (modules registers Module, which comes first)
from .errors import NotModelled
from .gradients.graph import record
from .operations import copying
from .registry import METHODS, built


@built("nn.Parameter", "nn.parameter.Parameter")
def parameter_class(torch):
    """The class ``torch.nn.Parameter`` (model.parameter-requires-grad, model.parameter-is-leaf)."""

    def make(cls, data=None, requires_grad=True):
        """A parameter on the memory of a tensor; it shares the version counter, as ``detach()`` does."""
        if data is None:
            data = tensors.allocate(torch, (0,), torch.default_dtype, devices.CPU)
        if not isinstance(data, torch.Tensor) or not isinstance(requires_grad, bool):
            raise NotModelled("Parameter() with these arguments")
        if type(data) not in (torch.Tensor, torch.objects["nn.Parameter"]) or cls is not torch.objects["nn.Parameter"]:
            raise NotModelled("a Parameter of a subclass")
        if data._impl.layout != tensors.STRIDED or data._history.tangent is not None:
            raise NotModelled("a Parameter of such a tensor")
        made = tensors.alias(data, cls=cls)
        METHODS["requires_grad_"](made, requires_grad)
        return made

    def deepcopy(self, memo):
        """A parameter on memory of its own."""
        if id(self) not in memo:
            plain = copying.copied(tensors.alias(self, cls=torch.Tensor))
            memo[id(self)] = type(self)(plain, self._history.requires_grad)
        return memo[id(self)]

    def represented(self):
        """As a tensor is, with a line before it."""
        return "Parameter containing:\n" + torch.Tensor.__repr__(self)

    def reduced(self, protocol):
        """Not modelled."""
        raise NotModelled("pickling a Parameter")

    body = {"__module__": "torch.nn.parameter", "__doc__": "A tensor that a module learns.", "__slots__": ()}
    body["__new__"] = boundary.guarded(make, torch)
    body["__init__"] = lambda self, *arguments, **options: None
    body.update(__deepcopy__=deepcopy, __repr__=represented, __str__=represented, __reduce_ex__=reduced)
    return type(torch.Tensor)("Parameter", (torch.Tensor,), body)


def drawn(torch, shape, bound):
    """A parameter of random numbers between ``-bound`` and ``bound``."""
    values = torch.generator.uniform(-bound, bound, shape)
    return torch.objects["nn.Parameter"](tensors.new(torch, values, torch.default_dtype, devices.CPU))


def filled(torch, size, number):
    """A tensor of one dimension."""
    return tensors.new(torch, np.full(size, float(number)), torch.default_dtype, devices.CPU)


def layer(torch, name, initialise, forward):
    """The class of a layer; its constructor takes what ``initialise`` takes."""
    module = torch.objects["nn.Module"]

    def make(self, *arguments, **options):
        module.__init__(self)
        initialise(self, *arguments, **options)

    body = {"__doc__": "A layer.", "__module__": "torch.nn", "__init__": boundary.guarded(make, torch)}
    body["forward"] = boundary.guarded(forward, torch)
    return type(module)(name, (module,), body)


@built("nn.Linear")
def linear_class(torch):
    """The class ``torch.nn.Linear``: a matrix and, unless told otherwise, a bias (grad.state-dict-value-converts)."""

    def initialise(self, in_features, out_features, bias=True):
        bound = 1 / math.sqrt(in_features)
        self.in_features, self.out_features = in_features, out_features
        self.weight = drawn(torch, (out_features, in_features), bound)
        self.register_parameter("bias", drawn(torch, (out_features,), bound) if bias else None)

    def forward(self, input):
        if not tensors.device_of(input).holds_data:
            return without_elements(torch, input, [each for each in (self.weight, self.bias) if each is not None])
        if self.bias is None or len(input._impl.shape) != 2:
            found = METHODS["matmul"](input, METHODS["t"](self.weight))
            return found if self.bias is None else found + self.bias
        return addmm(torch, self.bias, input, self.weight)

    return layer(torch, "Linear", initialise, forward)


def without_elements(torch, input, parameters):
    """The shape of a result on meta, which there is all of it."""
    weight = parameters[0]
    if (
        not input._impl.shape
        or input._impl.shape[-1] != weight._impl.shape[1]
        or weight._impl.dtype is not input._impl.dtype
    ):
        raise NotModelled("Linear on meta of a tensor that does not fit")
    common = tensors.common_device([input] + parameters)
    result = tensors.allocate(torch, input._impl.shape[:-1] + weight._impl.shape[:1], input._impl.dtype, common)

    def backward(gradients):
        raise NotModelled("the gradient of Linear on meta")

    return record(torch, result, "AddmmBackward0", [input] + parameters, backward)


def addmm(torch, bias, rows, weight):
    """``rows @ weight.t() + bias`` as the one operation that it is."""
    plain = [tensors.alias(each, cls=torch.Tensor) for each in (rows, weight, bias)]
    found = METHODS["matmul"](plain[0], METHODS["t"](plain[1])) + plain[2]

    def backward(gradients, rows, weight):
        gradient = gradients[0]
        return gradient.sum(0), gradient.matmul(weight), gradient.t().matmul(rows)

    found = tensors.wrap(torch, found._impl)
    return record(torch, found, "AddmmBackward0", (bias, rows, weight), backward, saved=(rows, weight))


@built("nn.Dropout")
def dropout_class(torch):
    """The class ``torch.nn.Dropout``, as long as it does not train (mode.no-grad-keeps-training)."""

    def initialise(self, p=0.5, inplace=False):
        self.p, self.inplace = p, inplace

    def forward(self, input):
        if self.training:
            raise NotModelled("a Dropout that trains")
        return input

    return layer(torch, "Dropout", initialise, forward)


@built("nn.BatchNorm1d")
def batch_norm_class(torch):
    """The class ``torch.nn.BatchNorm1d``, as far as its parameters and buffers go (grad.buffer-converts)."""

    def initialise(self, num_features):
        parameter = torch.objects["nn.Parameter"]
        self.num_features, self.eps, self.momentum = num_features, 1e-5, 0.1
        self.affine = self.track_running_stats = True
        self.weight, self.bias = parameter(filled(torch, num_features, 1)), parameter(filled(torch, num_features, 0))
        self.register_buffer("running_mean", filled(torch, num_features, 0))
        self.register_buffer("running_var", filled(torch, num_features, 1))
        count = tensors.new(torch, np.asarray(0), dtypes.int64, devices.CPU)
        self.register_buffer("num_batches_tracked", count)

    def forward(self, input):
        raise NotModelled("BatchNorm1d")

    return layer(torch, "BatchNorm1d", initialise, forward)
