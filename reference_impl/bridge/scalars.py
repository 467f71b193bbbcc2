"""From a tensor to Python numbers and lists of them."""

import warnings

from .. import tensors
from ..errors import NotModelled
from ..gradients.graph import requires_grad
from ..registry import METHODS, method


def on_host(tensor):
    """The values of a tensor, wherever it is (device.meta-tolist-raises)."""
    if not tensors.device_of(tensor).holds_data:
        kind = NotImplementedError if tensor._torch.behaviour.meta_copy_is_not_implemented else RuntimeError
        raise kind("Cannot copy out of meta tensor; no data!")
    if tensor._impl.dtype.is_complex and not tensor._torch.behaviour.has_complex_numbers:
        raise NotModelled("a complex number in this release")
    return tensors.values(tensor)


@method("tolist")
def tolist(self):
    """The elements as nested lists of Python numbers (scalar.tolist-nests).

    Raises:
        RuntimeError: an instance of a class that takes over dispatch, or a sparse tensor, which has no such elements.
    """
    if getattr(type(self), "_dispatches", False):
        if not self._torch.behaviour.refuses_tolist_of_subclasses:
            raise NotModelled("tolist() of such a subclass in this release")
        raise RuntimeError(".tolist() is not supported for tensor subclasses, got {}".format(type(self).__name__))
    if self._impl.layout == "sparse_coo":
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")
    return on_host(self).tolist()


@method("item")
def item(self):
    """The one element as a Python number.

    Raises:
        RuntimeError: there is not just one.
    """
    if self.numel() != 1:
        kind = RuntimeError if self._torch.behaviour.item_raises_runtime_error else ValueError
        raise kind("a Tensor with {} elements cannot be converted to Scalar".format(self.numel()))
    return on_host(self).reshape(()).tolist()


@method("__bool__", "__nonzero__")
def truth(self):
    """Whether the one element is not 0.

    Raises:
        RuntimeError: there is not just one.
    """
    if self.numel() != 1:
        raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
    return bool(on_host(self).reshape(()).tolist())


@method("__float__")
def as_float(self):
    """The one element as a float."""
    return float(only(self))


def only(tensor):
    """The one element, for Python's conversions, which refuse otherwise than ``item`` (scalar.float-of-many-raises).

    Raises:
        ValueError: there is not just one.
    """
    if METHODS["numel"](tensor) != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    torch = tensor._torch
    if torch.behaviour.warns_of_scalar_with_grad and requires_grad(tensor) and "scalar" not in torch.warned:
        torch.warned.add("scalar")
        warnings.warn(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.", UserWarning, 4
        )
    return METHODS["item"](tensor)


@method("__int__", "__long__")
def as_int(self):
    """The one element as an int."""
    return int(only(self))


@method("__index__")
def as_index(self):
    """The one element, an integer, as an int."""
    if self._impl.dtype.is_floating_point or self._impl.dtype.is_complex or METHODS["numel"](self) != 1:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self.item())


@method("__complex__")
def as_complex(self):
    """The one element as a complex number."""
    return complex(only(self))
