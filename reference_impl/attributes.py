"""What a tensor tells of itself."""

import warnings

from . import geometry, tensors
from .errors import NotModelled
from .gradients.graph import requires_grad
from .gradients.inplace import current_grad_fn
from .registry import attribute, both, method


@attribute("shape")
def shape(self):
    """The shape, as a `Size`."""
    return self._impl.shape


@method("size")
def size(self, dim=None):
    """The shape, or the size of one dimension."""
    return self._impl.shape if dim is None else self._impl.shape[geometry.wrapped(dim, len(self._impl.shape))]


@method("stride")
def stride(self, dim=None):
    """The strides in elements, or that of one dimension."""
    return self._impl.strides if dim is None else self._impl.strides[geometry.wrapped(dim, len(self._impl.shape))]


@method("storage_offset")
def storage_offset(self):
    """The place of the first element in the storage, in elements."""
    return self._impl.offset


@method("dim", "ndimension")
def dim(self):
    """The number of dimensions."""
    return len(self._impl.shape)


@attribute("ndim")
def ndim(self):
    """The number of dimensions."""
    return len(self._impl.shape)


@both("numel")
def numel(self):
    """The number of elements."""
    return geometry.count(self._impl.shape)


@method("nelement")
def nelement(self):
    """The number of elements."""
    return geometry.count(self._impl.shape)


@method("element_size")
def element_size(self):
    """Bytes of one element (model.element-size)."""
    return self._impl.dtype.itemsize


@attribute("itemsize")
def itemsize(self):
    """Bytes of one element."""
    return self._impl.dtype.itemsize


@attribute("nbytes")
def nbytes(self):
    """Bytes of all elements."""
    return self._impl.dtype.itemsize * geometry.count(self._impl.shape)


@attribute("dtype")
def dtype(self):
    """The element type."""
    return self._impl.dtype


@attribute("device")
def device(self):
    """The device."""
    return self._torch.objects["device"](tensors.device_of(self))


@method("get_device")
def get_device(self):
    """The index of the device; -1 on the host."""
    index = tensors.device_of(self).index
    return -1 if index is None else index


@attribute("layout")
def layout(self):
    """How the elements are kept: ``torch.strided`` and others."""
    return self._torch.objects[self._impl.layout]


@attribute("is_cuda")
def is_cuda(self):
    """Whether the device is a CUDA device."""
    return tensors.device_of(self).type == "cuda"


@attribute("is_meta")
def is_meta(self):
    """Whether there are no elements at all, only a shape."""
    return tensors.device_of(self).type == "meta"


@attribute("is_cpu")
def is_cpu(self):
    """Whether the memory is that of the host."""
    return tensors.device_of(self).type == "cpu"


@attribute("is_sparse")
def is_sparse(self):
    """Whether the layout is sparse (COO)."""
    return self._impl.layout == "sparse_coo"


@attribute("is_quantized")
def is_quantized(self):
    """Whether the elements are quantized."""
    return "q" in self._impl.dtype.name[:2]


@both("is_floating_point")
def is_floating_point(self):
    """Whether the elements are real numbers with a fraction."""
    return self._impl.dtype.is_floating_point


@both("is_complex")
def is_complex(self):
    """Whether the elements are complex."""
    return self._impl.dtype.is_complex


@method("is_contiguous")
def is_contiguous(self, memory_format="contiguous_format"):
    """Whether the elements lie row by row (or in another memory format)."""
    name = getattr(memory_format, "name", memory_format)
    impl = self._impl
    if name == "contiguous_format":
        return geometry.is_contiguous(impl.shape, impl.strides)
    if name == "channels_last":
        return len(impl.shape) == 4 and tuple(impl.strides) == geometry.channels_last_strides(impl.shape)
    raise NotModelled("is_contiguous({})".format(name))


@method("data_ptr")
def data_ptr(self):
    """The address of the first element; 0 without memory."""
    impl = self._impl
    if impl.layout != tensors.STRIDED:
        raise NotModelled("data_ptr() of a tensor of layout {}".format(impl.layout))
    if impl.zero or not impl.storage.address:
        return 0
    return impl.storage.address + impl.offset * impl.dtype.itemsize


@both("is_conj")
def is_conj(self):
    """Whether the conjugate bit is set."""
    return self._impl.conj


@both("is_neg")
def is_neg(self):
    """Whether the negative bit is set."""
    return self._impl.neg


@both("is_inference")
def is_inference(self):
    """Whether the tensor was made in inference mode (mode.inference-tensor-is-inference)."""
    return self._inference


@attribute("is_leaf")
def is_leaf(self):
    """Whether no recorded operation made it (model.leaf-iff-no-grad-fn)."""
    return current_grad_fn(self) is None


@attribute("grad_fn")
def grad_fn(self):
    """The recorded operation that made it, or None."""
    return current_grad_fn(self)


@attribute("retains_grad")
def retains_grad(self):
    """Whether backward keeps ``grad`` although the tensor is no leaf."""
    return self._history.retains


@attribute("output_nr")
def output_nr(self):
    """Which result of ``grad_fn`` it is."""
    return self._history.output


@attribute("_version")
def version(self):
    """How often the elements were changed in place, as far as torch could notice.

    Raises:
        RuntimeError: an inference tensor (mode.inference-version-raises).
    """
    if self._counter is None:
        raise RuntimeError("Inference tensors do not track version counter.")
    return self._counter.value


@attribute("_base")
def base(self):
    """The tensor that this one is a view of, or None."""
    return self._history.base


@method("_is_view")
def is_view(self):
    """Whether this is a view that autograd knows of."""
    return self._history.base is not None


@method("__len__")
def length(self):
    """The size of the first dimension.

    Raises:
        TypeError: there is none.
    """
    if not self._impl.shape:
        raise TypeError("len() of a 0-d tensor")
    return self._impl.shape[0]


def _set_requires_grad(self, value):
    """Set the flag (model.result-flag-cannot-be-cleared)."""
    if current_grad_fn(self) is not None and value is True:
        raise RuntimeError("you can only change requires_grad flags of leaf variables.")
    set_flag(self, value, "only " + refusal_of_dtype(self._torch))


def refusal_of_dtype(torch):
    """What the release says of gradients for tensors of other dtypes, but the first word."""
    kinds = "floating point and complex" if torch.behaviour.has_complex_numbers else "floating point"
    return "Tensors of {} dtype can require gradients".format(kinds)


def made_to_require_grad(tensor):
    """A new tensor whose maker was asked for gradients."""
    set_flag(tensor, True, "Only " + refusal_of_dtype(tensor._torch))
    return tensor


@attribute("requires_grad", write=_set_requires_grad)
def requires_grad_attribute(self):
    """Whether gradients are wanted."""
    return requires_grad(self)


def set_flag(tensor, value, message="only Tensors of floating point dtype can require gradients"):
    """Set ``requires_grad``; ``message`` says what a tensor of another dtype is told.

    Raises:
        RuntimeError: the elements are neither floating point nor complex (model.integer-cannot-require-grad), the
            tensor has a history
            (model.result-flag-cannot-be-cleared), or it is an inference tensor outside inference mode.
    """
    if not isinstance(value, bool):
        raise NotModelled("requires_grad = {!r}".format(value))
    known = tensor._torch.behaviour.has_complex_numbers or not tensor._impl.dtype.is_complex
    if value and not (tensor._impl.dtype.differentiable and known):
        raise RuntimeError(message)
    if current_grad_fn(tensor) is not None:
        if not value:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in "
                "a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        return
    if value and tensor._inference and not tensor._torch.modes.inference:
        raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
    tensor._history.requires_grad = value


@method("requires_grad_")
def requires_grad_(self, requires_grad=True):
    """Set ``requires_grad`` and return the tensor."""
    set_flag(self, requires_grad)
    return self


def _set_data(self, value):
    """Take over another tensor's memory (hazard.data-assignment-frees-array-memory)."""
    if not isinstance(value, self._torch.Tensor):
        raise TypeError("Variable data has to be a tensor, but got {}".format(type(value).__name__))
    if requires_grad(self) and not value._impl.dtype.differentiable:
        raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
    if value._impl.layout != self._impl.layout or value._inference != self._inference:
        raise NotModelled("an assignment to data of another kind of tensor")
    if current_grad_fn(self) is not None and value._impl.shape != self._impl.shape:
        raise NotModelled("data of another shape for a tensor with a history")
    self._impl = value._impl.changed()


@attribute("data", write=_set_data)
def data(self):
    """The same memory without history and with a version counter of its own (detach.data-write-keeps-version)."""
    shared = tensors.wrap(self._torch, self._impl.changed(), tensors.Counter(), self._inference)
    shared._fixed = self._torch.behaviour.detached_keeps_metadata
    return shared


def _set_grad(self, value):
    """Set the gradient, of the same shape, type and device (model.grad-is-none-at-first)."""
    if value is None:
        self._history.grad = None
        return
    if not isinstance(value, self._torch.Tensor):
        raise TypeError(
            "assigned grad expected to be a Tensor or None but got grad of type {}".format(type(value).__name__)
        )
    if value._impl.shape != self._impl.shape or value._impl.dtype is not self._impl.dtype or value is self:
        raise RuntimeError("assigned grad has data of a different size, type or is the tensor itself")
    if tensors.device_of(value) != tensors.device_of(self):
        raise RuntimeError("assigned grad has data located on a different device")
    self._history.grad = value


def _delete_grad(self):
    """Let go of the gradient."""
    self._history.grad = None


@attribute("grad", write=_set_grad, delete=_delete_grad)
def grad(self):
    """The gradient that backward left here, or None (model.grad-is-none-at-first); asking a result for it warns."""
    history = self._history
    kept = history.grad is not None or history.retains or current_grad_fn(self) is None
    if not kept and self._torch.behaviour.warns_of_grad_of_results:
        message = "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed."
        warnings.warn(message, UserWarning, 4)
    return history.grad
