"""What differs between releases: one table of named switches, as measured.

A switch has a value for each release. What a release *has* by name is in ``names.tsv``; what it *does* is here. A
fault is one
switch turned to a value that the release does not have (`Behaviour.turned`).
"""

from .names import RELEASES

_ORDER = {release: place for place, release in enumerate(RELEASES)}


class Switch:
    """One difference: ``history`` is a tuple of (first release, value), oldest first; ``requirements`` are those it
    decides.
    """

    def __init__(self, name, history, requirements, about):
        self.name, self.history, self.requirements, self.about = name, tuple(history), tuple(requirements), about

    def value(self, release):
        """The value in a release."""
        found = None
        for first, value in self.history:
            if _ORDER[first] <= _ORDER[release]:
                found = value
        return found


def since(release):
    """The history of what is so from ``release`` on, and was not before."""
    return (("1.0", False), (release, True)) if release != "1.0" else (("1.0", True),)


def until(release):
    """The history of what was so before ``release``."""
    return (("1.0", True), (release, False))


SWITCHES = (
    Switch("no_grad_permits_numpy", since("1.6"), ["mode.no-grad-permits-numpy"], "numpy() looks at grad mode"),
    Switch(
        "array_base",
        (("1.0", "data"), ("1.2", "tensor"), ("1.13", "detached")),
        ["memory.base-is-the-tensor", "memory.base-is-another-tensor", "memory.base-write-bumps-version"],
        "which tensor owns the array",
    ),
    Switch(
        "detach_keeps_tangent", until("1.9"), ["detach.drops-tangent"], "detach() of a dual tensor gives a dual tensor"
    ),
    Switch(
        "detach_shares_metadata",
        until("1.1"),
        ["detach.metadata-change-reaches-original"],
        "detach() gives a second handle",
    ),
    Switch(
        "numpy_checks",
        (
            ("1.0", ("grad", "device", "layout")),
            ("1.2", ("device", "layout", "grad")),
            ("1.10", ("device", "layout", "grad", "conj", "neg", "subclass")),
            ("1.13", ("subclass", "layout", "device", "grad", "conj", "neg")),
            ("2.10", ("subclass", "layout", "device", "zero", "grad", "conj", "neg")),
        ),
        ["device.refused-before-grad"],
        "the order of numpy()'s checks",
    ),
    Switch("numpy_has_force", since("1.13"), ["array.asarray-does-not-force"], "numpy(force=...)"),
    Switch("numpy_knows_zero_tensors", since("2.10"), ["layout.zero-raises"], "numpy() of a ZeroTensor"),
    Switch(
        "grad_message",
        (
            ("1.0", "Can't call numpy() on Variable that requires grad. Use var.detach().numpy() instead."),
            ("1.6", "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."),
        ),
        ["grad.message-says-variable", "grad.message-says-tensor"],
        "what numpy() says of a tensor that requires grad",
    ),
    Switch(
        "device_message",
        (
            ("1.0", "can't convert {1} tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."),
            (
                "1.5",
                (
                    "can't convert {0} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
                    "first."
                ),
            ),
        ),
        ["device.numpy-raises"],
        "what numpy() says of memory that the host cannot read",
    ),
    Switch(
        "layout_message",
        (
            ("1.0", "can't convert sparse tensor to numpy. Use Tensor.to_dense() to convert to a dense tensor first."),
            ("1.5", "can't convert {} layout tensor to numpy.convert the tensor to a strided layout first."),
            ("1.13", "can't convert {} layout tensor to numpy. Use Tensor.dense() first."),
            ("2.8", "can't convert {} layout tensor to numpy. Use Tensor.to_dense() first."),
        ),
        ["layout.coo-raises"],
        "what numpy() says of a layout",
    ),
    Switch("converts_int8_and_bool", since("1.1"), ["dtype.int8-to-numpy"], "int8 and bool"),
    Switch("converts_complex", since("1.6"), ["dtype.complex-to-numpy"], "complex64 and complex128"),
    Switch("converts_wide_unsigned", since("2.3"), ["dtype.wide-unsigned-to-numpy"], "uint16, uint32 and uint64"),
    Switch(
        "operators_defer", since("1.4"), ["array.tensor-op-array-returns-tensor"], "operators leave arrays to NumPy"
    ),
    Switch("compares_arrays", since("2.4"), ["array.equality-is-elementwise"], "== takes arrays"),
    Switch(
        "dlpack_raises_buffer_error", since("2.9"), ["dlpack.grad-raises-buffer-error"], "the type of DLPack's refusals"
    ),
    Switch("dlpack_takes_arguments", since("2.9"), ["dlpack.numpy-copy-true-copies"], "DLPack 1 and its arguments"),
    Switch(
        "dlpack_copies_by_itself",
        since("2.10"),
        ["dlpack.tensor-copy-true-copies"],
        "from_dlpack(copy=True) of anybody",
    ),
    Switch("dlpack_has_bool", since("2.2"), ["dlpack.bool-becomes-bool"], "bool by DLPack"),
    Switch(
        "dlpack_negative_strides",
        (("1.0", "misread"), ("1.12", "abort"), ("2.14", "raise")),
        [
            "hazard.negative-stride-dlpack-misread",
            "hazard.negative-stride-dlpack-aborts",
            "hazard.negative-stride-dlpack-raises",
        ],
        "what from_dlpack() does with negative strides",
    ),
    Switch(
        "emptied_storage_converts",
        since("1.1"),
        ["hazard.emptied-storage-array-uninitialised"],
        "numpy() of a tensor whose storage was resized to 0",
    ),
    Switch(
        "refuses_inner_empty", until("1.1"), ["from.numpy-refuses-inner-empty"], "from_numpy() of some empty arrays"
    ),
    Switch(
        "array_dtype_is_checked",
        (("1.0", "last"), ("2.9", "first")),
        ["from.numpy-rejects-foreign-byte-order"],
        "the place of the dtype among from_numpy()'s checks",
    ),
    Switch(
        "negative_stride_message",
        (
            ("1.0", "some of the strides of a given numpy array are negative."),
            (
                "1.5",
                (
                    "At least one stride in the given numpy array is negative, and tensors with negative strides are "
                    "not currently supported."
                ),
            ),
        ),
        ["from.numpy-rejects-negative-strides"],
        "what from_numpy() says of negative strides",
    ),
    Switch("warns_of_read_only", since("1.5"), ["from.numpy-accepts-read-only"], "a warning for read-only arrays"),
    Switch(
        "tensor_warns_of_read_only",
        (("1.0", True), ("1.8", False)),
        ["from.numpy-accepts-read-only"],
        "tensor() of a read-only array warns",
    ),
    Switch("as_tensor_warns_of_read_only", since("1.8"), ["from.numpy-accepts-read-only"], "as_tensor() warns"),
    Switch("bools_make_bool", since("1.2"), ["from.bools-get-bool"], "tensor() of a Python bool"),
    Switch("warns_of_slow_lists", since("1.10"), ["from.lists-of-arrays-keep-dtype"], "a warning for lists of arrays"),
    Switch("asarray_reads_scalars", since("2.0"), ["from.asarray-reads-scalar"], "asarray() of a NumPy scalar"),
    Switch("asarray_keeps_flag", since("2.12"), ["from.asarray-keeps-requires-grad"], "asarray() leaves requires_grad"),
    Switch(
        "strided_to_dense_is_self", since("1.8"), ["layout.coo-to-dense-converts"], "to_dense() of a strided tensor"
    ),
    Switch(
        "detached_keeps_metadata",
        (("1.0", False), ("1.1", True), ("1.13", False)),
        ["detach.metadata-change-raises"],
        "what detach() gives may not change its shape",
    ),
    Switch(
        "stale_view_raises",
        since("2.0"),
        ["mode.no-grad-view-has-no-grad-fn"],
        "the history of a view that was made without any, after a change of its base",
    ),
    Switch(
        "has_named_tensors",
        (("1.0", False), ("1.3", True), ("2.13", False)),
        ["from.numpy-gives-plain-tensor"],
        "factories take names of dimensions",
    ),
    Switch(
        "views_halves_as_complex", since("1.7"), ["dtype.complex32-view-gives-parts"], "view_as_complex() of halves"
    ),
    Switch("warns_of_grad_of_results", since("1.5"), ["model.grad-is-none-at-first"], "grad of a result warns"),
    Switch("has_complex_numbers", since("1.6"), ["model.complex-can-require-grad"], "complex tensors do something"),
    Switch("conjugates_sparse", since("1.9"), ["layout.sparse-conj-refused-for-layout"], "conj() of a sparse tensor"),
    Switch(
        "pieces_in_no_grad_are_views",
        since("1.7"),
        ["mode.no-grad-chunk-requires-grad"],
        "split() and chunk() in no_grad",
    ),
    Switch("copies_alone", since("1.5"), ["device.to-copy-alone-copies"], "to(copy=True) alone"),
    Switch("masks_by_array", since("1.2"), ["array.tensor-indexed-by-bool-array"], "a bool array as an index"),
    Switch(
        "unknown_device_error",
        (("1.0", TypeError), ("1.1", RuntimeError)),
        ["device.unknown-name-raises"],
        "an unknown device",
    ),
    Switch(
        "undoes_compressed", since("1.13"), ["layout.csc-bsr-bsc-raise"], "to_dense() of compressed layouts but CSR"
    ),
    Switch(
        "asarray_follows_default_device",
        since("2.13"),
        ["from.numpy-ignores-default-device"],
        "asarray() and the default device",
    ),
    Switch(
        "refuses_tolist_of_subclasses", since("1.10"), ["layout.dispatch-subclass-raises"], "tolist() of a subclass"
    ),
    Switch("numbers_every_node", since("1.10"), ["model.result-has-grad-fn"], "AddBackward0, and ExpBackward0 too"),
    Switch("devices_are_contexts", since("2.0"), ["from.numpy-ignores-default-device"], "with torch.device(...)"),
    Switch("has_meta", since("1.9"), ["device.meta-is-meta"], "tensors on meta"),
    Switch("views_as_dtype", since("1.8"), ["dtype.bfloat16-view-gives-bits"], "view(dtype)"),
    Switch("views_other_sizes", since("1.10"), ["dtype.bfloat16-view-gives-bits"], "view(dtype) of another item size"),
    Switch(
        "warns_of_scalar_with_grad", since("2.8"), ["scalar.float-with-grad"], "float() of what requires grad warns"
    ),
    Switch("typed_storage_warns", since("2.0"), ["memory.lock-covers-the-storage"], "storage() warns"),
    Switch(
        "decorates_generators",
        since("1.5"),
        ["mode.decorated-generator-runs-disabled"],
        "a decorated generator runs disabled",
    ),
    Switch(
        "decorator_shares_one_context",
        until("1.7"),
        ["mode.recursive-decorated-function-switches"],
        "a decorator has one context",
    ),
    Switch(
        "decorates_without_parentheses", since("2.1"), ["mode.decorator-without-parentheses"], "@no_grad works bare"
    ),
    Switch(
        "set_grad_enabled_decorates", since("1.11"), ["mode.set-grad-enabled-as-decorator"], "it is a decorator too"
    ),
    Switch(
        "set_grad_enabled_decoration_restores",
        since("2.2"),
        ["mode.set-grad-enabled-decoration-keeps-mode"],
        "decorating undoes the call",
    ),
    Switch("promotes", since("1.3"), ["array.scalar-op-tensor-keeps-dtype"], "operands of different dtypes"),
    Switch("divides_integers_truly", since("1.5"), ["array.scalar-op-tensor-keeps-dtype"], "integers divide to floats"),
    Switch("compares_to_bool", since("1.2"), ["dtype.comparison-gives-bool"], "comparisons give bool, not uint8"),
    Switch(
        "meta_copy_is_not_implemented", since("1.9"), ["device.meta-cpu-raises"], "the exception of a copy out of meta"
    ),
    Switch("to_copy_node", since("1.10"), ["device.cpu-keeps-requires-grad"], "the name of the node of to()"),
    Switch("full_infers", since("1.7"), ["model.default-dtype-is-float32"], "full() looks at the number"),
    Switch(
        "item_raises_runtime_error",
        since("2.0"),
        ["scalar.item-of-many-raises-runtimeerror"],
        "item() of many elements",
    ),
    Switch(
        "keeps_scalar_dtype",
        since("1.5"),
        ["from.numpy-float64-keeps-dtype"],
        "tensor() of a NumPy scalar keeps its dtype",
    ),
    Switch("lazy_conj", since("1.10"), ["layout.conj-sets-bit"], "conj() sets a bit"),
    Switch(
        "real_conj_is_self", since("1.7"), ["layout.resolve-conj-returns-self"], "conj() of a real tensor returns it"
    ),
)


class Behaviour:
    """The switches of one release, as attributes; those named in ``turned`` have the values given there instead.

    Raises:
        ValueError: ``turned`` names a switch that does not exist.
    """

    def __init__(self, release, turned=None):
        turned = dict(turned or {})
        for switch in SWITCHES:
            setattr(
                self, switch.name, turned.pop(switch.name, None) if switch.name in turned else switch.value(release)
            )
        if turned:
            raise ValueError("no such switch: {}".format(", ".join(sorted(turned))))
