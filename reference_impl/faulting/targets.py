"""The parts of torch that faults are put into, and which ways of being wrong make sense there."""

from . import transforms

# What the specification is about: everything that these give is looked at.
CONVERSIONS = (
    "Tensor.numpy", "Tensor.__array__", "Tensor.tolist", "Tensor.item", "Tensor.__bool__", "Tensor.__float__",
    "Tensor.__int__", "Tensor.__complex__", "Tensor.__len__", "Tensor.__iter__", "Tensor.__array_wrap__",
    "Tensor.__dlpack__", "Tensor.__dlpack_device__", "Tensor.detach", "Tensor.data", "Tensor.cpu", "Tensor.clone",
    "Tensor.contiguous", "Tensor.view", "Tensor.reshape", "Tensor.resolve_conj", "Tensor.resolve_neg",
    "Tensor.to_dense", "Tensor.grad", "Tensor.grad_fn", "Tensor.is_leaf", "Tensor.requires_grad", "Tensor._version",
    "Tensor.dtype", "Tensor.shape", "Tensor.device", "Tensor.stride", "Tensor.storage_offset", "Tensor.data_ptr",
    "Tensor.element_size", "Tensor.numel", "Tensor.is_conj", "Tensor.is_neg", "Tensor.backward", "from_numpy",
    "tensor", "as_tensor", "asarray", "frombuffer", "from_dlpack", "utils.dlpack.from_dlpack",
    "utils.dlpack.to_dlpack", "autograd.grad", "is_grad_enabled", "get_default_dtype", "cuda.is_available",
)  # fmt: skip

# Methods that give the tensor itself, after they have changed it.
IN_PLACE = ("Tensor.detach_", "Tensor.requires_grad_")

# What tests compute with: here only what becomes of the history is the specification's business.
COMPUTATIONS = (
    "Tensor.__add__", "Tensor.__mul__", "Tensor.__sub__", "Tensor.__truediv__", "Tensor.__pow__", "Tensor.sum",
    "Tensor.exp", "Tensor.__getitem__", "Tensor.t", "Tensor.transpose", "Tensor.expand", "Tensor.squeeze",
)  # fmt: skip
_OF_COMPUTATIONS = ("loses-grad", "is-none")

# Factories: what they are asked for decides, and nothing is shared yet.
FACTORIES = ("ones", "zeros", "full", "rand", "randn", "empty")
_OF_FACTORIES = ("widens", "requires-grad", "is-none")

_OF_IN_PLACE = ("gives-a-new-object", "is-none")

# What would be no fault, by part and way: the reason.
NO_FAULT = {
    "Tensor.clone:is-flat": "the specification does not say yet that clone() keeps the shape",
    "Tensor.__float__:is-a-numpy-number": "Python makes a float of it again",
    "Tensor.__complex__:is-a-numpy-number": "Python makes a complex of it again",
    "Tensor.__iter__:permits": "what iter() returns must be an iterator: Python refuses for it",
    "Tensor.data:has-its-own-version": "so it is",
    "from_dlpack:gives-its-argument": "the specification speaks of arrays that torch takes over, not of tensors",
    "Tensor.__array_wrap__:loses-strides": "the layout of a computed result is left open",
    "Tensor.__array_wrap__:copies": "what was computed is nobody else's",
    "Tensor.__array_wrap__:has-its-own-version": "what was computed is nobody else's",
    "Tensor.__len__:is-a-numpy-number": "Python makes an int of it again",
    "Tensor.__len__:permits": "what len() returns must be an integer: Python refuses for it",
    "Tensor.reshape:has-its-own-version": "the version counters of views are specified for detach() only",
    "from_dlpack:has-its-own-version": "the version counters of views are specified for detach() only",
}


def results():
    """The pairs of a part and a way in which what it gives can be wrong."""
    for path in CONVERSIONS:
        for name in transforms.TRANSFORMS:
            yield path, name
    for some, names in ((IN_PLACE, _OF_IN_PLACE), (COMPUTATIONS, _OF_COMPUTATIONS), (FACTORIES, _OF_FACTORIES)):
        for path in some:
            for name in names:
                yield path, name


def refusals():
    """The pairs of a part and a way in which its refusal can be wrong."""
    for path in CONVERSIONS + IN_PLACE:
        for name in transforms.REFUSALS:
            yield path, name


_MESSAGE = "a requirement fixes the type of an exception, not its message"
_WARNING = "the specification notes the warning and requires none"
_COMPUTING = "how torch computes is not the specification's business"

# Switches of the model that are not turned to make a fault, by name: the reason.
NO_FAULT_OF_SWITCH = {
    "array_dtype_is_checked": _MESSAGE,
    "as_tensor_warns_of_read_only": _WARNING,
    "asarray_follows_default_device": "the specification does not speak of default devices",
    "device_message": _MESSAGE,
    "divides_integers_truly": _COMPUTING,
    "dlpack_copies_by_itself": "who makes the copy, torch or NumPy, is not seen from outside",
    "dlpack_negative_strides": "turned to 'abort' it ends the interpreter, which a run records as cantTell",
    "full_infers": _COMPUTING,
    "has_named_tensors": "the specification does not speak of named tensors",
    "layout_message": _MESSAGE,
    "negative_stride_message": _MESSAGE,
    "numbers_every_node": "names of recorded operations are not specified",
    "real_conj_is_self": _COMPUTING,
    "refuses_tolist_of_subclasses": "the specification does not speak of tolist() of such subclasses",
    "stale_view_raises": _COMPUTING,
    "strided_to_dense_is_self": _COMPUTING,
    "tensor_warns_of_read_only": _WARNING,
    "to_copy_node": "names of recorded operations are not specified",
    "typed_storage_warns": _WARNING,
    "views_other_sizes": _COMPUTING,
    "warns_of_grad_of_results": _WARNING,
    "warns_of_read_only": _WARNING,
    "warns_of_scalar_with_grad": _WARNING,
    "warns_of_slow_lists": _WARNING,
}
