"""Sums and their like, and products of matrices."""

import numpy as np

from .. import dtypes, geometry, tensors
from ..errors import NotModelled
from ..gradients.graph import record, requires_grad
from ..registry import METHODS, both
from . import guards
from .operands import device_of

_NOT_GIVEN = object()  # the default for dimensions: not quite the same as None, which torch takes for a list of them


def plainly(dim, keepdim):
    """Refuse to keep dimensions without naming any."""
    if dim is _NOT_GIVEN and keepdim:
        raise NotModelled("keepdim without dim")
    return None if dim is _NOT_GIVEN else dim


def dims_of(tensor, dim):
    """The dimensions to reduce as a sorted tuple; all of them for None or none."""
    dimensions = len(tensor._impl.shape)
    if dim is None or dim == () or dim == []:
        return tuple(range(dimensions))
    given = dim if isinstance(dim, (tuple, list)) else [dim]
    found = sorted(geometry.wrapped(each, dimensions) for each in given)
    if len(set(found)) != len(found):
        raise RuntimeError("dim appears multiple times in the list of dims")
    return tuple(each for each in found if each < dimensions)


def spread(gradient, shape, dims, keepdim):
    """The gradient of a reduced tensor, repeated (with the stride 0) over what was reduced."""
    if not keepdim:
        for dim in dims:
            gradient = gradient.unsqueeze(dim)
    return gradient.expand(tuple(shape))


@both("sum")
def sum(self, dim=_NOT_GIVEN, keepdim=False, *, dtype=None):
    """The sum over some dimensions or all; integers and booleans become int64."""
    name = "SumBackward0" if dim is _NOT_GIVEN else "SumBackward1"
    dim = plainly(dim, keepdim)
    torch = self._torch
    dims = dims_of(self, dim)
    own = self._impl.dtype
    result = dtype or (dtypes.int64 if own.category < dtypes.FLOAT else own)
    values = guards.halves(tensors.values(self).astype(result.compute, copy=False))
    total = np.asarray(values.sum(axis=dims, keepdims=keepdim))
    shape = self._impl.shape
    return record(
        torch,
        tensors.new(torch, total, result, tensors.device_of(self)),
        name,
        (self,),
        lambda found: (cast(spread(found[0], shape, dims, keepdim), own),),
    )


def cast(gradient, dtype):
    """A gradient in another type, if it has not that type."""
    return gradient if gradient._impl.dtype is dtype else gradient.to(dtype)


@both("mean")
def mean(self, dim=_NOT_GIVEN, keepdim=False, *, dtype=None):
    """The mean over some dimensions or all.

    Raises:
        RuntimeError: integers or booleans.
    """
    name = "MeanBackward0" if dim is _NOT_GIVEN else "MeanBackward1"
    dim = plainly(dim, keepdim)
    own = dtype or self._impl.dtype
    if own is not self._impl.dtype and requires_grad(self):
        raise NotModelled("the gradient of a mean in another dtype")
    if own.category < dtypes.FLOAT:
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            "Got: {}".format(own.scalar_type)
        )
    torch = self._torch
    dims = dims_of(self, dim)
    shape = self._impl.shape
    number = geometry.count(shape[each] for each in dims)
    values = guards.halves(tensors.values(self).astype(own.compute, copy=False))
    with np.errstate(all="ignore"):
        found = np.asarray(values.sum(axis=dims, keepdims=keepdim) / values.dtype.type(number))
    before = self._impl.dtype
    return record(
        torch,
        tensors.new(torch, found, own, tensors.device_of(self)),
        name,
        (self,),
        lambda found: (cast(spread(found[0], shape, dims, keepdim), before) / number,),
    )


@both("var")
def var(self, dim=None, unbiased=True, keepdim=False):
    """The variance over some dimensions or all, with one degree of freedom less unless told otherwise."""
    if not isinstance(unbiased, bool):
        raise NotModelled("var() with a correction")
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    dims_of(self, dim)
    if self._impl.dtype.is_complex:
        raise NotModelled("the variance of complex elements")
    if self._impl.dtype.category != dtypes.FLOAT:
        raise RuntimeError("std and var only support floating point and complex dtypes")
    dims = dims_of(self, dim)
    number = geometry.count(self._impl.shape[each] for each in dims) - (1 if unbiased else 0)
    if number <= 0:
        raise NotModelled("the variance of too few elements")
    dtype, shape = self._impl.dtype, self._impl.shape
    values = tensors.values(self).astype(np.float64)
    centred = values - values.mean(axis=dims, keepdims=True)
    found = np.asarray((centred * centred).sum(axis=dims, keepdims=keepdim) / number)
    result = tensors.new(self._torch, found, dtype, tensors.device_of(self))

    def backward(found, x):
        away = x - x.mean(list(dims), True)
        return (spread(found[0], shape, dims, keepdim) * away * (2.0 / number),)

    return record(self._torch, result, "VarBackward0", (self,), backward, (self,))


@both("std")
def std(self, dim=None, unbiased=True, keepdim=False):
    """The square root of `var`."""
    squared = var(self.detach(), dim, unbiased, keepdim)
    dims = dims_of(self, None if isinstance(dim, bool) else dim)
    number = geometry.count(self._impl.shape[each] for each in dims) - (
        1 if (dim if isinstance(dim, bool) else unbiased) else 0
    )
    shape, values = self._impl.shape, np.sqrt(tensors.values(squared))
    result = tensors.new(self._torch, values, self._impl.dtype, tensors.device_of(self))

    def backward(found, x, y):
        away = x - x.mean(list(dims), True)
        if not tensors.values(y).all():
            raise NotModelled("the gradient of std() where it is 0")
        return (spread(found[0] / y, shape, dims, keepdim) * away / float(number),)

    return record(self._torch, result, "StdBackward0", (self,), backward, (self,), saves_result=True)


def extreme(name, kernel):
    """Methods and functions for the largest or the smallest element of the whole tensor, and its place."""

    def call(self, *arguments, **options):
        if arguments or options:
            raise NotModelled("{}() over a dimension".format(name))
        guards.dtype_known(self, dtypes.COMPLEX)
        if not geometry.count(self._impl.shape):
            raise RuntimeError("{}(): Expected reduction dim to be specified for input.numel() == 0.".format(name))
        torch = self._torch
        found = np.asarray(kernel(tensors.values(self)))
        result = tensors.new(torch, found, self._impl.dtype, tensors.device_of(self))

        def backward(gradients, x):
            chosen = (x == x.detach().max() if name == "max" else x == x.detach().min()).to(x.dtype)
            return (gradients[0] * chosen / chosen.sum(),)

        return record(torch, result, name.capitalize() + "Backward1", (self,), backward, (self,))

    def place(self, *arguments, **options):
        if arguments or options:
            raise NotModelled("arg{}() over a dimension".format(name))
        guards.dtype_known(self, dtypes.COMPLEX, dtypes.BOOL)
        if not geometry.count(self._impl.shape):
            raise NotModelled("arg{}() of no elements".format(name))
        found = np.argmax if name == "max" else np.argmin
        return tensors.new(self._torch, np.asarray(found(tensors.values(self))), dtypes.int64, tensors.device_of(self))

    call.__name__, place.__name__ = name, "arg" + name
    call.__doc__, place.__doc__ = "The {} element.".format(name), "The place of the {} element.".format(name)
    both(name)(call)
    both("arg" + name)(place)


extreme("max", np.max)
extreme("min", np.min)


def truth(name, kernel):
    """Method and function ``all`` or ``any`` over the whole tensor."""

    def call(self, *arguments, **options):
        if arguments or options:
            raise NotModelled("{}() over a dimension".format(name))
        found = np.asarray(kernel(tensors.values(self) != 0))
        dtype = dtypes.uint8 if self._impl.dtype is dtypes.uint8 else dtypes.bool_
        return tensors.new(self._torch, found, dtype, tensors.device_of(self))

    call.__name__, call.__doc__ = name, "Whether {} element is not 0.".format("every" if name == "all" else "an")
    both(name)(call)


truth("all", np.all)
truth("any", np.any)


@both("prod")
def prod(self, *arguments, **options):
    """The product of all elements."""
    if arguments or options:
        raise NotModelled("prod() over a dimension")
    from ..gradients.graph import needs_record

    if needs_record(self._torch, (self,)):
        raise NotModelled("the gradient of prod()")
    own = self._impl.dtype
    result = dtypes.int64 if own.category < dtypes.FLOAT else own
    found = np.asarray(np.prod(tensors.values(self).astype(result.compute)))
    return tensors.new(self._torch, found, result, tensors.device_of(self))


@both("cumsum")
def cumsum(self, dim):
    """The running sum along a dimension."""
    from ..gradients.graph import needs_record

    if needs_record(self._torch, (self,)):
        raise NotModelled("the gradient of cumsum()")
    dim = geometry.wrapped(dim, len(self._impl.shape))
    own = self._impl.dtype
    result = dtypes.int64 if own.category < dtypes.FLOAT else own
    found = (
        np.cumsum(tensors.values(self).astype(result.compute), axis=dim) if self._impl.shape else tensors.values(self)
    )
    return tensors.new(self._torch, np.asarray(found), result, tensors.device_of(self))


@both("matmul")
def matmul(self, other):
    """The product of vectors and matrices.

    Raises:
        RuntimeError: dtypes differ, or the sizes do not fit.
        NotModelled: more than two dimensions.
    """
    torch = self._torch
    if not isinstance(other, torch.Tensor):
        raise TypeError("matmul(): argument 'other' must be Tensor, not {}".format(type(other).__name__))
    mine, others = self._impl, other._impl
    if mine.conj or others.conj or dtypes.BOOL in (mine.dtype.category, others.dtype.category):
        raise NotModelled("a product of matrices of bool, or with the conjugate bit")
    if not (tensors.device_of(self).holds_data and tensors.device_of(other).holds_data):
        raise NotModelled("a product of matrices on meta")
    if not mine.shape or not others.shape:
        raise RuntimeError("both arguments to matmul need to be at least 1D, but they are 0D and 0D")
    if len(mine.shape) > 2 or len(others.shape) > 2:
        raise NotModelled("matmul() of more than two dimensions")
    if mine.dtype is not others.dtype:
        raise RuntimeError(
            "expected m1 and m2 to have the same dtype, but got: {} != {}".format(mine.dtype.name, others.dtype.name)
        )
    if mine.dtype.category == dtypes.BOOL:
        raise RuntimeError("\"addmm_impl_cpu_\" not implemented for 'Bool'")
    if mine.shape[-1] != others.shape[0]:
        raise RuntimeError(
            "mat1 and mat2 shapes cannot be multiplied ({} and {})".format(list(mine.shape), list(others.shape))
        )
    found = np.asarray(np.matmul(tensors.values(self), tensors.values(other)))
    result = tensors.new(
        torch, np.ascontiguousarray(found).reshape(found.shape), mine.dtype, device_of(torch, (self, other))
    )
    name = {(1, 1): "DotBackward0", (2, 2): "MmBackward0", (2, 1): "MvBackward0"}.get(
        (len(mine.shape), len(others.shape)), "SqueezeBackward4"
    )

    def backward(gradients, a, b):
        gradient = gradients[0]
        left, right = a.dim() == 1, b.dim() == 1
        matrix = gradient.reshape(1 if left else a.shape[0], 1 if right else b.shape[1])
        wide_a, wide_b = (a.unsqueeze(0) if left else a), (b.unsqueeze(1) if right else b)
        return (
            matmul(matrix, wide_b.t().conj()).reshape(a.shape),
            matmul(wide_a.t().conj(), matrix).reshape(b.shape),
        )

    return record(torch, result, name, (self, other), backward, (self, other))


@both("mm")
def mm(self, mat2):
    """The product of two matrices."""
    if len(self._impl.shape) != 2 or len(mat2._impl.shape) != 2:
        raise RuntimeError("self must be a matrix")
    return matmul(self, mat2)


@both("dot")
def dot(self, tensor):
    """The product of two vectors."""
    if len(self._impl.shape) != 1 or len(tensor._impl.shape) != 1:
        raise RuntimeError("1D tensors expected")
    return matmul(self, tensor)


def _operator(self, other):
    """The operator @; what is no tensor is left to the other side."""
    return matmul(self, other) if isinstance(other, self._torch.Tensor) else NotImplemented


METHODS["__matmul__"] = _operator
