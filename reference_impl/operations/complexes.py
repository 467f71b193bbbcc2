"""Complex elements: conjugation and negation as lazy bits, parts, and views as real numbers."""

import numpy as np

from .. import dtypes, tensors
from ..errors import NotModelled
from ..gradients.graph import record
from ..registry import attribute, both, function
from . import copying, views


def conjugated(tensor):
    """The conjugate: the tensor itself if it is real, a view with the bit flipped, or a copy before there were bits."""
    impl = tensor._impl
    if not impl.dtype.is_complex:
        return tensor
    torch = tensor._torch
    if torch.behaviour.lazy_conj:
        return views.view_of(tensor, "ConjBackward0", conjugated, conj=not impl.conj)
    result = tensors.new(torch, tensors.values(tensor).conj(), impl.dtype, tensors.device_of(tensor))
    return record(torch, result, "ConjBackward", (tensor,), lambda found: (conjugated(found[0]),))


@both("conj")
def conj(self):
    """The conjugate (layout.conj-sets-bit); a real tensor is returned itself, where the release does that."""
    if not self._impl.dtype.is_complex and not self._torch.behaviour.real_conj_is_self:
        return copying.clone(self)
    return conjugated(self)


def resolved(tensor, bit):
    """The tensor itself if the bit is not set, else a copy without it."""
    return copying.clone(tensor) if getattr(tensor._impl, bit) else tensor


@both("resolve_conj")
def resolve_conj(self):
    """Without the conjugate bit: a copy if it was set, else the tensor itself."""
    return resolved(self, "conj")


@both("resolve_neg")
def resolve_neg(self):
    """Without the negative bit: a copy if it was set, else the tensor itself."""
    return resolved(self, "neg")


@both("conj_physical")
def conj_physical(self):
    """The conjugate as a copy; a real tensor itself."""
    if not self._impl.dtype.is_complex:
        return self
    result = tensors.new(self._torch, tensors.values(self).conj(), self._impl.dtype, tensors.device_of(self))
    return record(self._torch, result, "ConjPhysicalBackward0", (self,), lambda found: (conj_physical(found[0]),))


@both("_neg_view")
def neg_view(self):
    """A view with the negative bit flipped (layout.conj-imag-sets-neg-bit)."""
    return views.view_of(self, "NegViewBackward0", neg_view, neg=not self._impl.neg)


def part(tensor, which):
    """A view of the real (0) or the imaginary (1) parts."""
    impl = tensor._impl
    real = dtypes.real_part(impl.dtype)

    def backward(gradient):
        whole = np.zeros(gradient.shape, impl.dtype.compute)
        if gradient._history.requires_grad:
            raise NotModelled("a second derivative through parts of complex elements")
        values = tensors.values(gradient)
        whole[...] = values if which == 0 else values * impl.dtype.compute.type(1j)
        return tensors.new(tensor._torch, whole, impl.dtype, tensors.device_of(gradient))

    return views.view_of(
        tensor,
        "SelectBackward0",
        backward,
        strides=[stride * 2 for stride in impl.strides],
        offset=impl.offset * 2 + which,
        dtype=real,
        conj=False,
        neg=impl.neg != (which == 1 and impl.conj),
    )


@attribute("real")
def real(self):
    """A view of the real parts; a real tensor itself."""
    return part(self, 0) if self._impl.dtype.is_complex else self


@attribute("imag")
def imag(self):
    """A view of the imaginary parts; of a conjugated tensor, with the negative bit (layout.conj-imag-sets-neg-bit).

    Raises:
        RuntimeError: a real tensor.
    """
    if not self._impl.dtype.is_complex:
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return part(self, 1)


@function("view_as_real")
def view_as_real(torch, input):
    """A view with one more dimension, of size 2, for the parts.

    Raises:
        RuntimeError: a real tensor, or one with the conjugate bit.
    """
    impl = input._impl
    if not impl.dtype.is_complex:
        raise RuntimeError("view_as_real is only supported for complex tensors")
    if impl.conj:
        raise RuntimeError("view_as_real doesn't work on unresolved conjugated tensors.")
    return views.view_of(
        input,
        "ViewAsRealBackward0",
        lambda gradient: view_as_complex(torch, gradient.contiguous()),
        shape=tuple(impl.shape) + (2,),
        strides=tuple(stride * 2 for stride in impl.strides) + (1,),
        offset=impl.offset * 2,
        dtype=dtypes.real_part(impl.dtype),
    )


@function("view_as_complex")
def view_as_complex(torch, input):
    """A view of pairs of real numbers as complex ones.

    Raises:
        RuntimeError: not pairs, or strides that do not fit.
    """
    impl = input._impl
    if impl.dtype is dtypes.float16 and not torch.behaviour.views_halves_as_complex:
        raise NotModelled("view_as_complex() of halves in this release")
    if not impl.shape or impl.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if impl.strides[-1] != 1 or any(stride % 2 for stride in impl.strides[:-1]) or impl.offset % 2:
        raise RuntimeError("Tensor must have a last dimension with stride 1, and others divisible by 2")
    return views.view_of(
        input,
        "ViewAsComplexBackward0",
        lambda gradient: view_as_real(torch, copying.clone(gradient)),
        shape=impl.shape[:-1],
        strides=[stride // 2 for stride in impl.strides[:-1]],
        offset=impl.offset // 2,
        dtype=dtypes.complex_of(impl.dtype),
    )


def matrix_transposed(name, conjugates):
    """The attribute ``name``: the last two dimensions swapped, conjugated if so said."""

    def get(self):
        if not self._impl.shape:
            raise NotModelled("{} of a tensor without dimensions".format(name))
        dimensions = len(self._impl.shape)
        if dimensions < 2 or name == "H" and dimensions != 2:
            where = "matrices (2-D tensors)" if name == "H" else "matrices or batches of matrices"
            hint = " For batches of matrices, consider using tensor.mH" if dimensions > 2 else ""
            raise RuntimeError(
                "tensor.{} is only supported on {}. Got {}-D tensor.{}".format(name, where, dimensions, hint)
            )
        found = self.transpose(-2, -1)
        return conjugated(found) if conjugates else found

    get.__doc__ = "The last two dimensions swapped{}.".format(", conjugated" if conjugates else "")
    attribute(name)(get)


matrix_transposed("mT", False)
matrix_transposed("mH", True)
matrix_transposed("H", True)


@both("adjoint")
def adjoint(self):
    """The last two dimensions swapped, conjugated."""
    if len(self._impl.shape) < 2:
        raise NotModelled("adjoint() of less than two dimensions")
    return conjugated(self.transpose(-2, -1))
