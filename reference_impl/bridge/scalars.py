"""From a tensor to Python numbers and lists of them."""

from .. import tensors
from ..registry import method


def on_host(tensor):
    """The values of a tensor, wherever it is (device.tolist-moves)."""
    if not tensors.device_of(tensor).holds_data:
        kind = NotImplementedError if tensor._torch.behaviour.meta_copy_is_not_implemented else RuntimeError
        raise kind("Cannot copy out of meta tensor; no data!")
    return tensors.values(tensor)


@method("tolist")
def tolist(self):
    """The elements as nested lists of Python numbers (scalar.tolist)."""
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
    return float(self.item())


@method("__int__", "__long__")
def as_int(self):
    """The one element as an int."""
    return int(self.item())


@method("__index__")
def as_index(self):
    """The one element, an integer, as an int."""
    if self._impl.dtype.is_floating_point:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self.item())


@method("__complex__")
def as_complex(self):
    """The one element as a complex number."""
    return complex(self.item())
