"""Layouts other than the strided one: sparse, MKL-DNN and nested tensors, as far as they are made, refused and undone.

Such a tensor keeps a strided one in ``extra``; how the elements are really packed is not modelled.
"""

import numpy as np

from .. import devices, dtypes, geometry, memory, tensors
from ..errors import NotModelled
from ..gradients.graph import record, requires_grad
from ..registry import FUNCTIONS, METHODS, both, function, method
from . import complexes, copying, creation

BLOCKED = ("sparse_bsr", "sparse_bsc")


def packed(dense, layout, name=None):
    """A tensor of another layout with the elements of a strided one; ``name`` is that of the recorded operation.

    Raises:
        NotModelled: gradients are wanted and the operation has no name here.
    """
    torch = dense._torch
    if requires_grad(dense) and torch.records and name is None:
        raise NotModelled("the gradient of a tensor of layout {}".format(layout))
    impl = dense._impl
    held = memory.Storage(0, impl.storage.device)
    made = tensors.Impl(held, 0, impl.shape, geometry.contiguous_strides(impl.shape), impl.dtype, layout)
    made.extra = copying.copied(dense, memory_format="contiguous_format")
    result = tensors.wrap(torch, made)
    return record(torch, result, name, (dense,), lambda found: (to_dense(found[0]),)) if name else result


@method("to_sparse")
def to_sparse(self, *arguments, **options):
    """A sparse tensor in coordinate form (layout.coo-raises)."""
    if arguments or options:
        raise NotModelled("to_sparse() with arguments")
    if self._impl.layout != tensors.STRIDED:
        raise NotModelled("to_sparse() of a tensor of layout {}".format(self._impl.layout))
    return packed(self, "sparse_coo", "ToSparseBackward1")


def compressed(layout):
    """Register ``to_<layout>``."""

    def call(self, *arguments):
        shape = self._impl.shape
        if self._impl.layout != tensors.STRIDED or len(shape) != 2 or bool(arguments) != (layout in BLOCKED):
            raise NotModelled("to_{}() of such a tensor".format(layout))
        if layout in BLOCKED and tuple(arguments[0]) != (1, 1):
            raise NotModelled("blocks of {}".format(arguments[0]))
        if not tensors.device_of(self).holds_data:
            raise NotModelled("to_{}() on meta".format(layout))
        return packed(self, layout)

    call.__name__, call.__doc__ = "to_" + layout, "A matrix in the layout {} (layout.csc-bsr-bsc-raise).".format(layout)
    method(call.__name__)(call)


for _layout in ("sparse_csr", "sparse_csc") + BLOCKED:
    compressed(_layout)


@method("to_mkldnn")
def to_mkldnn(self, dtype=None):
    """A tensor in a layout of MKL-DNN (layout.mkldnn-raises)."""
    if dtype is not None or self._impl.dtype is not dtypes.float32 or tensors.device_of(self).type != "cpu":
        raise NotModelled("to_mkldnn() of such a tensor")
    return packed(self, "_mkldnn")


@method("to_dense")
def to_dense(self, *arguments, **options):
    """The strided tensor with the same elements (layout.coo-to-dense-converts); a strided one itself."""
    if arguments or options:
        raise NotModelled("to_dense() with arguments")
    impl = self._impl
    if impl.layout == tensors.STRIDED:
        if not self._torch.behaviour.strided_to_dense_is_self:
            raise NotModelled("to_dense() of a strided tensor in this release")
        return self
    if impl.extra is None or impl.layout in BLOCKED + ("sparse_csc",) and not self._torch.behaviour.undoes_compressed:
        raise NotModelled("to_dense() of a tensor of layout {}".format(impl.layout))
    result = tensors.wrap(self._torch, copying.copied(impl.extra)._impl)
    if impl.conj:
        result = copying.clone(complexes.conjugated(result))
    return record(self._torch, result, "ToDenseBackward0", (self,), lambda found: (found[0],))


@function("sparse_coo_tensor")
def sparse_coo_tensor(torch, indices, values, size=None, *, dtype=None, device=None, requires_grad=False):
    """A sparse tensor of coordinates and elements."""
    if not isinstance(indices, torch.Tensor) or not isinstance(values, torch.Tensor) or dtype or requires_grad:
        raise NotModelled("sparse_coo_tensor() with these arguments")
    if device is not None:
        values = copying.moved(values, device=devices.place(torch, device))
    if size is None or values.dim() != 1 or requires_grad_of(values):
        raise NotModelled("sparse_coo_tensor() with these arguments")
    dense = tensors.allocate(torch, tuple(size), values._impl.dtype, tensors.device_of(values))
    whole = np.zeros(tuple(size), values._impl.dtype.compute)
    np.add.at(whole, tuple(tensors.values(indices)), tensors.values(values))
    tensors.fill(dense, whole)
    return packed(dense, "sparse_coo")


def requires_grad_of(tensor):
    """Whether gradients for a tensor are wanted."""
    return requires_grad(tensor)


def _conjugate_of_sparse(plain):
    """Register conj() with a case for sparse tensors."""

    def conj(self):
        if self._impl.layout == tensors.STRIDED:
            return plain(self)
        if self._impl.layout != "sparse_coo" or not self._impl.dtype.is_complex or requires_grad(self):
            raise NotModelled("conj() of a tensor of layout {}".format(self._impl.layout))
        if not self._torch.behaviour.conjugates_sparse:
            raise NotModelled("conj() of a sparse tensor in this release")
        impl = self._impl.changed()
        impl.extra = copying.clone(complexes.conjugated(self._impl.extra))
        return tensors.wrap(self._torch, impl)

    conj.__doc__ = "The conjugate, of a sparse tensor too (layout.sparse-conj-refused-for-layout)."
    conj.__name__ = "conj"
    both("conj")(conj)


_conjugate_of_sparse(METHODS["conj"])


def _empty_of_layout(plain):
    """Register empty() with a case for other layouts."""

    def empty(torch, *size, **options):
        layout = getattr(options.get("layout"), "name", None)
        if layout in (None, tensors.STRIDED):
            return plain(torch, *size, **options)
        del options["layout"]
        if layout != "sparse_coo" or options.get("requires_grad"):
            raise NotModelled("empty() of layout {}".format(layout))
        return packed(plain(torch, *size, **options), layout)

    empty.__doc__ = plain.__doc__ + " Also of the sparse layout (layout.meta-sparse-raises)."
    empty.__name__ = "empty"
    function("empty")(empty)


_empty_of_layout(FUNCTIONS["empty"])


@function("nested.nested_tensor")
def nested_tensor(torch, tensor_list, **options):
    """Tensors of different shapes as one (layout.nested-raises)."""
    if options or not all(isinstance(each, torch.Tensor) and not requires_grad(each) for each in tensor_list):
        raise NotModelled("nested_tensor() with these arguments")
    if len({each.dim() for each in tensor_list}) != 1:
        raise NotModelled("nested_tensor() with these arguments")
    first = tensor_list[0]
    made = tensors.Impl(memory.Storage(0, tensors.device_of(first)), 0, (len(tensor_list),), (1,), first._impl.dtype)
    made.layout, made.extra = "_nested", [copying.copied(each) for each in tensor_list]
    return tensors.wrap(torch, made)


def _unbind_of_nested(plain):
    """Register unbind() with a case for nested tensors."""

    def unbind(self, dim=0):
        if self._impl.layout != "_nested":
            return plain(self, dim)
        if dim != 0:
            raise NotModelled("unbind() of a nested tensor along another dimension")
        return tuple(copying.copied(each) for each in self._impl.extra)

    unbind.__doc__, unbind.__name__ = plain.__doc__, "unbind"
    method("unbind")(unbind)


_unbind_of_nested(METHODS["unbind"])


@function("_efficientzerotensor")
def efficientzerotensor(torch, *size, dtype=None, device=None, **options):
    """Zeros without memory (layout.zero-raises)."""
    result = creation.filled(torch, geometry.sizes_of(size), 0, dtype, device, **options)
    result._impl.zero = True
    return result
