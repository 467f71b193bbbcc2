"""Claims of the document 003_a3bd01242a5bedfa.txt."""

import ast
import contextlib
import importlib
import inspect
import io
import logging
import os
import re
import subprocess
import sys
import tempfile
import warnings

from conformance import ALWAYS, NEVER, NON_HOST, claim
from conformance.findings import Finding, all_of, attempt, described, returns_array, told
from conformance.timing import ratio
from conformance.witnesses import address, assert_aliases, assert_separate

DOCUMENT = "003_a3bd01242a5bedfa.txt"

DATA = "every device that holds data"
REFUSALS = (RuntimeError, TypeError, ValueError)


# What the listings do, in our own words: each is a generator that yields the number of a line and then does what
# stands there. ``seen`` takes what a listing prints, and the arrays that it makes.


def listing_1(torch, np, seen):
    """Lines 7-17: numpy()."""
    yield 11
    values = torch.randn(3, 4)
    yield 14
    array = values.numpy()
    yield 17
    seen[17] = str(array)


def listing_2(torch, np, seen):
    """Lines 21-30: np.asarray()."""
    yield 24
    values = torch.randn(3, 4)
    yield 27
    array = np.asarray(values)
    yield 30
    seen[30] = str(array)


def listing_3(torch, np, seen):
    """Lines 54-83: both, and a write to the second tensor."""
    yield 60
    values = torch.randn(3, 4)
    yield 63
    array = seen[63] = values.numpy()
    yield 66
    seen[66] = str(array), array.tolist()
    yield 71
    values = torch.randn(3, 4)
    yield 74
    array = seen[74] = np.asarray(values)
    yield 77
    seen[77] = str(array), array.tolist()
    yield 80
    values[0, 0] = 100
    yield 83
    seen[83] = str(array), array.tolist()


def listing_4(torch, np, seen, to_device):
    """Lines 104-120: from a CUDA device to an array; ``to_device`` does what cuda() does there."""
    yield 108
    values = to_device(torch.randn(3, 4))
    yield 111
    values = values.cpu()
    yield 114
    values = values.detach()
    yield 117
    array = values.numpy()
    yield 120
    seen[120] = str(array)


def listing_5(torch, np, seen):
    """Lines 124-134: to_numpy()."""
    yield 128
    values = torch.randn(3, 4)
    yield 131
    array = values.to_numpy()
    yield 134
    seen[134] = str(array)


def listing_6(torch, np, seen, folder):
    """Lines 138-152: by way of an ONNX file, here in ``folder``."""
    yield 140
    import onnx

    yield 143
    values = torch.randn(3, 4)
    file = os.path.join(folder, "values.onnx")
    yield 146
    onnx.export(values, file, input_names=["input"], output_names=["output"])
    yield 149
    array = np.loadtxt(file, dtype=np.float32)
    yield 152
    seen[152] = str(array)


def ran(*listings):
    """A `Finding`: the listings, one after another, run to the end of the last without an exception."""
    lines = []

    def follow():
        for listing in listings:
            for line in listing:
                lines.append(line)

    result = attempt(follow, Exception)
    if result.raised:
        return Finding(False, "stops at line {} with {}".format(lines[-1], told(result.error)))
    return Finding(True, "ran to its end, line {}".format(lines[-1]))


def seen_in_listing_3(torch, np):
    """What the listing at lines 54-83 made and printed, by line."""
    seen = {}
    for _ in listing_3(torch, np, seen):
        pass
    return seen


def sharing(tensor, array):
    """A `Finding`: the tensor and the array use the same memory, by two witnesses. Overwrites both."""
    result = attempt(lambda: assert_aliases(tensor, array), AssertionError)
    if result.raised:
        return Finding(False, str(result.error).splitlines()[0])
    return Finding(True, "same address; a write to either is seen in the other")


def data_bytes(tensor, array):
    """How many bytes of data were allocated to make ``array`` from ``tensor``. Overwrites both."""
    return 0 if sharing(tensor, array).holds else array.nbytes


def dtypes(torch):
    """The dtypes of the implementation, as pairs of name and dtype in the order of the names."""
    found = {str(value).split(".")[-1]: value for value in vars(torch).values() if isinstance(value, torch.dtype)}
    return sorted(found.items())


def of_dtype(torch, dtype, device):
    """A dense tensor of ``dtype``, of zeros where the implementation can fill it with them."""
    zeros = attempt(lambda: torch.zeros(2, 3, dtype=dtype, device=device), *REFUSALS)
    return torch.empty(2, 3, dtype=dtype, device=device) if zeros.raised else zeros.value


def marked_as_subclass(torch, device, **members):
    """A tensor of a subclass of Tensor that has ``members``."""
    return torch.ones(2, device=device).as_subclass(type("Marked", (torch.Tensor,), members))


def made_in_inference_mode(torch, device):
    """An inference tensor."""
    with torch.inference_mode():
        return torch.ones(2, device=device)


def refuse_to_dispatch(cls, func, types, args=(), kwargs=None):
    """The ``__torch_dispatch__`` of a tensor subclass that nothing here should come to."""
    raise TypeError("no operation on this subclass was expected")


def dtype_kinds(torch, device):
    """Dense tensors by dtype: pairs of name and maker."""
    return [("dtype " + name, lambda dtype=dtype: of_dtype(torch, dtype, device)) for name, dtype in dtypes(torch)]


def layout_kinds(torch, device):
    """Tensors whose layout is not strided: pairs of name and maker."""

    def square():
        return torch.ones(2, 2, device=device)

    def coo():
        return torch.sparse_coo_tensor(torch.zeros(1, 1, dtype=torch.int64), torch.ones(1), (2,), device=device)

    return [
        ("layout sparse_coo", coo),
        ("layout sparse_csr", lambda: square().to_sparse_csr()),
        ("layout sparse_csc", lambda: square().to_sparse_csc()),
        ("layout sparse_bsr", lambda: square().to_sparse_bsr((1, 1))),
        ("layout sparse_bsc", lambda: square().to_sparse_bsc((1, 1))),
        ("layout mkldnn", lambda: square().to_mkldnn()),
    ]


def other_kinds(torch, device):
    """Tensors that differ in something else: pairs of name and maker.

    Left out are tensors without storage that stand for zeros: some releases make arrays of uninitialised memory of
    them, which compare as chance has it.
    """

    def ones(*shape, **more):
        return torch.ones(*shape, device=device, **more)

    def dispatched():
        return marked_as_subclass(torch, device, __torch_dispatch__=classmethod(refuse_to_dispatch))

    return [
        ("requires grad", lambda: ones(2, requires_grad=True)),
        ("Parameter", lambda: torch.nn.Parameter(ones(2))),
        ("result that requires grad", lambda: ones(2, requires_grad=True) * 2),
        ("zero-dimensional", lambda: ones(())),
        ("no elements", lambda: ones(0, 3)),
        ("expanded", lambda: ones(1, 3).expand(2, 3)),
        ("transposed", lambda: ones(2, 3).t()),
        ("stepped", lambda: ones(6)[::2]),
        ("offset", lambda: ones(6)[2:]),
        ("65 dimensions", lambda: torch.empty((1,) * 65, device=device)),
        ("detached", lambda: (ones(2, requires_grad=True) * 2).detach()),
        ("conjugate", lambda: ones(2, dtype=torch.complex64).conj()),
        ("negative bit", lambda: ones(2, dtype=torch.complex64).conj().imag),
        ("quantized", lambda: torch.quantize_per_tensor(ones(2), 1.0, 0, torch.quint8)),
        ("named", lambda: ones(2, names=("n",))),
        ("nested", lambda: torch.nested.nested_tensor([ones(2), ones(3)])),
        ("inference", lambda: made_in_inference_mode(torch, device)),
        ("subclass", lambda: marked_as_subclass(torch, device)),
        ("subclass that dispatches", dispatched),
    ]


def made(kinds):
    """Those of the ``kinds`` that can be made here, as pairs of name and tensor."""
    found = []
    for name, make in kinds:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found.append((name, make()))
        except Exception:  # whatever it raises: this release has no such kind of tensor
            continue
    return found


def every_kind(torch, device):
    """All kinds of tensor that can be made here, as pairs of name and tensor."""
    return made(dtype_kinds(torch, device) + layout_kinds(torch, device) + other_kinds(torch, device))


def refusals(kinds, convert):
    """The names of those of the ``kinds`` that ``convert`` refuses, each with the type of its exception."""
    found = []
    for name, tensor in kinds:
        result = attempt(lambda tensor=tensor: convert(tensor), *REFUSALS)
        if result.raised:
            found.append("{} ({})".format(name, type(result.error).__name__))
    return found


def few(names, shown=4):
    """The first of ``names`` and the number of the others."""
    more = len(names) - shown
    return ", ".join(names[:shown]) + (" and {} more".format(more) if more > 0 else "")


def all_refusals(torch, device, convert):
    """As evidence: which kinds of tensor ``convert`` refuses, some of each sort; empty if it refuses none."""
    sorts = other_kinds(torch, device), layout_kinds(torch, device), dtype_kinds(torch, device)
    found = [refusals(made(sort), convert) for sort in sorts]
    return "; ".join(few(names, 2) for names in found if names)


def same_array(np, one, other):
    """Whether both are arrays of the same dtype, shape and values."""
    return (
        type(one) is np.ndarray
        and type(other) is np.ndarray
        and (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    )


def calls_in(source):
    """How many calls the Python text ``source`` makes."""
    return sum(isinstance(node, ast.Call) for node in ast.walk(ast.parse(source)))


@contextlib.contextmanager
def hushed():
    """Without what an exporter prints, logs and warns of."""
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(
            io.StringIO()
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)


def exporter_options(torch):
    """Options that choose the exporter by tracing, which every release has, where there is a choice."""
    return {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}


def release(torch):
    """The torch release as a pair of numbers. A version below 1.0 is none of torch's: such a module is the newest."""
    match = re.match(r"([1-9]\d*)\.(\d+)", str(getattr(torch, "__version__", "")))
    return (int(match.group(1)), int(match.group(2))) if match else (sys.maxsize, 0)


@claim(
    "003-01-listing-1-runs",
    lines="7-17",
    topic="listing",
    kind="listing",
    says="Lines 7-17, run as printed, reach their end and raise nothing.",
    requirements=["memory.array-exact-type", "grad.plain-tensor-converts"],
    correct=ALWAYS,
)
def first_listing_runs(torch, np, device):
    """Runs it."""
    return ran(listing_1(torch, np, {}))


@claim(
    "003-02-listing-2-runs-alone",
    lines="21-30",
    topic="listing",
    kind="listing",
    says="Lines 21-30, run as printed in a new interpreter that has run nothing else, reach their end and "
    "raise nothing.",
    requirements=["array.asarray-returns-ndarray"],
    correct=NEVER,
    correction="The listing never imports torch, so on its own it stops at line 24 with NameError; it needs `import "
    "torch`.",
)
def second_listing_runs_alone(torch, np, device):
    """Runs what it does, line by line, in an empty namespace."""
    namespace = {}
    steps = [
        (21, "import numpy as np"),
        (24, "values = torch.randn(3, 4)"),
        (27, "array = np.asarray(values)"),
        (30, "shown = str(array)"),
    ]

    def listing():
        for line, source in steps:
            yield line
            exec(source, namespace)

    return ran(listing())


@claim(
    "003-03-listing-2-runs-after-listing-1",
    lines="21-30",
    topic="listing",
    kind="listing",
    says="Lines 21-30 reach their end and raise nothing in an interpreter that has run lines 7-17 before.",
    requirements=["array.asarray-returns-ndarray", "grad.plain-tensor-converts"],
    correct=ALWAYS,
)
def second_listing_runs_after_the_first(torch, np, device):
    """Runs both, one after the other."""
    return ran(listing_1(torch, np, {}), listing_2(torch, np, {}))


@claim(
    "003-04-same-result",
    lines="32",
    topic="array-protocol",
    kind="semantics",
    says="For one and the same dense CPU tensor that needs no gradient, tensor.numpy() and np.asarray(tensor) "
    "return NumPy arrays of the same dtype, the same shape and the same values.",
    requirements=[
        "array.asarray-keeps-dtype",
        "array.asarray-keeps-shape",
        "array.asarray-keeps-values",
        "memory.array-exact-type",
        "memory.shape-kept",
        "dtype.values-kept",
    ],
    correct=ALWAYS,
)
def both_give_the_same_array(torch, np, device):
    """Compares the two on tensors like the document's: dense ones of the dtypes that tutorials use."""
    tensors = [torch.randn(3, 4, device=device), torch.randn(3, 4, device=device).t(), torch.ones((), device=device)]
    for dtype in (torch.float64, torch.int64, torch.int32, torch.uint8):
        tensors.append(torch.ones(2, 3, dtype=dtype, device=device))
    unlike = []
    for tensor in tensors:
        one, other = tensor.numpy(), np.asarray(tensor)
        if not same_array(np, one, other):
            unlike.append("{} and {}".format(described(one), described(other)))
    if unlike:
        return Finding(False, few(unlike))
    return Finding(True, "equal dtype, shape and values for {} tensors of {} dtypes".format(len(tensors), 5))


@claim(
    "003-05-numpy-shares-memory",
    lines="32",
    topic="memory-sharing",
    kind="semantics",
    says="The tensor and the array that its numpy() returns use the same memory.",
    requirements=[
        "memory.array-begins-at-data-ptr",
        "memory.tensor-write-seen-in-array",
        "memory.array-write-seen-in-tensor",
    ],
    correct=ALWAYS,
)
def numpy_shares_memory(torch, np, device):
    """Compares addresses, and writes on either side."""
    tensor = torch.randn(3, 4, device=device)
    return sharing(tensor, tensor.numpy())


@claim(
    "003-06-asarray-shares-memory",
    lines="32",
    topic="memory-sharing",
    kind="semantics",
    says="The tensor and the array that np.asarray(tensor) returns use the same memory.",
    requirements=[
        "array.asarray-shares-address",
        "array.asarray-sees-tensor-writes",
        "array.tensor-sees-asarray-writes",
    ],
    correct=ALWAYS,
)
def asarray_shares_memory(torch, np, device):
    """Compares addresses, and writes on either side."""
    tensor = torch.randn(3, 4, device=device)
    return sharing(tensor, np.asarray(tensor))


@claim(
    "003-07-tensor-write-shows-in-array",
    lines="32",
    topic="memory-sharing",
    kind="semantics",
    says="Arrays made earlier with tensor.numpy() and with np.asarray(tensor) both change when an element of "
    "the tensor is written in place.",
    requirements=["memory.tensor-write-seen-in-array", "array.asarray-sees-tensor-writes"],
    correct=ALWAYS,
)
def write_to_the_tensor_shows(torch, np, device):
    """Writes an element of the tensor and reads both arrays."""
    tensor = torch.zeros(3, 4, device=device)
    arrays = [("numpy()", tensor.numpy()), ("asarray()", np.asarray(tensor))]
    tensor[0, 1] = 7
    return all_of(
        *[
            Finding(array.tolist()[0] == [0.0, 7.0, 0.0, 0.0], "array of {}: {}".format(name, array.tolist()[0]))
            for name, array in arrays
        ]
    )


@claim(
    "003-08-array-write-shows-in-tensor",
    lines="32",
    topic="memory-sharing",
    kind="semantics",
    says="The tensor changes when an element is written in the array from tensor.numpy(), and likewise in the "
    "array from np.asarray(tensor).",
    requirements=["memory.array-write-seen-in-tensor", "array.tensor-sees-asarray-writes"],
    correct=ALWAYS,
)
def write_to_either_array_shows(torch, np, device):
    """Writes an element of each array and reads the tensor after each."""
    tensor = torch.zeros(3, 4, device=device)
    tensor.numpy()[0, 1] = 7
    first = tensor.tolist()[0]
    np.asarray(tensor)[0, 2] = 8
    second = tensor.tolist()[0]
    return all_of(
        Finding(first == [0.0, 7.0, 0.0, 0.0], "tensor after a write through numpy(): {}".format(first)),
        Finding(second == [0.0, 7.0, 8.0, 0.0], "through asarray(): {}".format(second)),
    )


@claim(
    "003-09-functionally-identical",
    lines="36",
    topic="array-protocol",
    kind="semantics",
    says="Whatever kind of CPU tensor they are given, tensor.numpy() and np.asarray(tensor), with no other "
    "argument, do the same: they return equal arrays, or they both raise.",
    requirements=[
        "array.asarray-keeps-values",
        "array.asarray-refuses-grad",
        "array.asarray-refuses-sparse",
        "array.asarray-refuses-bfloat16",
        "array.asarray-refuses-conj",
        "array.asarray-refuses-neg",
        "grad.numpy-raises",
        "layout.coo-raises",
        "layout.conj-raises",
        "layout.neg-raises",
        "dtype.bfloat16-raises",
    ],
    correct=ALWAYS,
)
def both_behave_alike(torch, np, device):
    """Compares what the two come to, over all kinds of tensor that can be made here."""
    unlike, converted, refused = [], 0, 0
    for name, tensor in every_kind(torch, device):
        one = attempt(lambda tensor=tensor: tensor.numpy(), *REFUSALS)
        other = attempt(lambda tensor=tensor: np.asarray(tensor), *REFUSALS)
        if one.raised != other.raised or not (one.raised or same_array(np, one.value, other.value)):
            unlike.append(name)
        converted += not one.raised
        refused += one.raised
    if unlike:
        return Finding(False, "unlike for: " + few(unlike))
    return Finding(True, "alike: both convert {} kinds of tensor and refuse {}".format(converted, refused))


@claim(
    "003-10-numpy-faster-than-asarray",
    lines="40",
    topic="performance",
    kind="performance",
    says="For one small CPU tensor, a call of tensor.numpy() is over sooner than one of np.asarray(tensor).",
    requirements=["cost.asarray-slower-than-numpy"],
    correct=ALWAYS,
)
def numpy_is_faster_than_asarray(torch, np, device):
    """Times both in turns, many times, and takes the median of the ratios."""
    tensor = torch.randn(3, 4, device=device)
    less = ratio(tensor.numpy, lambda: np.asarray(tensor), repeats=20, rounds=301) < 1
    return Finding(less, "numpy() took {} time than asarray()".format("less" if less else "no less"))


@claim(
    "003-11-numpy-allocates-separate-memory",
    lines="44",
    topic="memory-sharing",
    kind="semantics",
    says="The array from tensor.numpy() gets memory of its own, so that its data and the tensor's are not shared.",
    requirements=["memory.array-begins-at-data-ptr", "memory.array-owns-no-data", "cost.numpy-allocates-nothing"],
    correct=NEVER,
    correction="tensor.numpy() lays the array over the tensor's own memory, as np.asarray(tensor) does; "
    "tensor.numpy().copy() makes separate memory.",
)
def numpy_allocates_separate_memory(torch, np, device):
    """Compares addresses, and writes on either side."""
    tensor = torch.randn(3, 4, device=device)
    array = tensor.numpy()
    separate = attempt(lambda: assert_separate(tensor, array), AssertionError)
    return Finding(not separate.raised, sharing(tensor, array).evidence)


@claim(
    "003-12-asarray-uses-tensor-memory",
    lines="44",
    topic="memory-sharing",
    kind="semantics",
    says="The array from np.asarray(tensor) lies in the memory of the tensor and not in separate memory.",
    requirements=["array.asarray-shares-address", "cost.asarray-allocates-nothing"],
    correct=ALWAYS,
)
def asarray_uses_the_memory_of_the_tensor(torch, np, device):
    """Compares addresses and asks NumPy who owns the data, then writes on either side."""
    tensor = torch.randn(3, 4, device=device)
    array = np.asarray(tensor)
    return all_of(
        Finding(address(array) == address(tensor), "the array begins at the address of the tensor's data"),
        Finding(not array.flags.owndata, "OWNDATA {}".format(bool(array.flags.owndata))),
        sharing(tensor, array),
    )


@claim(
    "003-13-asarray-uses-less-memory",
    lines="44",
    topic="memory-usage",
    kind="memory",
    says="For the same tensor, np.asarray(tensor) allocates a smaller number of bytes for data than tensor.numpy().",
    requirements=["cost.numpy-allocates-nothing", "cost.asarray-allocates-nothing"],
    correct=NEVER,
    correction="Neither allocates anything for data: both arrays use the memory of the tensor.",
)
def asarray_allocates_less(torch, np, device):
    """Counts the bytes of each array that are not the tensor's own."""
    tensor = torch.randn(100, 100, device=device)
    of_numpy = data_bytes(tensor, tensor.numpy())
    of_asarray = data_bytes(tensor, np.asarray(tensor))
    return Finding(
        of_asarray < of_numpy,
        "bytes of data allocated for 10,000 elements: numpy() {}, asarray() {}".format(of_numpy, of_asarray),
    )


@claim(
    "003-14-numpy-handles-every-tensor",
    lines="48",
    topic="compatibility",
    kind="semantics",
    says="There is no PyTorch tensor for which numpy(), called without arguments, raises an error.",
    requirements=[
        "grad.numpy-raises",
        "layout.coo-raises",
        "layout.conj-raises",
        "dtype.bfloat16-raises",
        "device.numpy-raises",
    ],
    correct=NEVER,
    correction="numpy() refuses tensors that require grad (since 1.6 only while grad mode is on), tensors that are "
    "not strided or not on the CPU, and dtypes that NumPy does not have.",
)
def numpy_handles_every_tensor(torch, np, device):
    """Looks for kinds of tensor that it refuses."""
    refused = all_refusals(torch, device, lambda tensor: tensor.numpy())
    return Finding(not refused, "numpy() refuses: " + (refused or "no kind of tensor that can be made here"))


@claim(
    "003-15-numpy-handles-plain-dtypes",
    lines="48",
    topic="compatibility",
    kind="semantics",
    says="A new dense CPU tensor that needs no gradient can be converted with tensor.numpy() for every dtype "
    "that this torch can make a tensor of and whose name NumPy also has for a dtype.",
    requirements=[
        "dtype.floats-to-numpy",
        "dtype.signed-integers-to-numpy",
        "dtype.uint8-to-numpy",
        "dtype.int8-to-numpy",
        "dtype.int8-raises",
        "dtype.bool-to-numpy",
        "dtype.complex-to-numpy",
        "dtype.wide-unsigned-to-numpy",
    ],
    correct="torch>=1.1",
    correction="torch 1.0 refuses int8; from 1.1 on every dtype whose name both libraries have is converted.",
)
def numpy_handles_plain_dtypes(torch, np, device):
    """Tries all dtypes of torch that have the name of one of NumPy's own."""
    # The codes of NumPy's own types: other packages may register more names, such as bfloat16.
    common = {np.dtype(code).name for code in "?" + np.typecodes["AllInteger"] + np.typecodes["AllFloat"]}
    tensors = made([(name, make) for name, make in dtype_kinds(torch, device) if name[len("dtype ") :] in common])
    refused = refusals(tensors, lambda tensor: tensor.numpy())
    if refused:
        return Finding(False, "numpy() refuses: " + few(refused))
    changed = [name for name, tensor in tensors if "dtype " + tensor.numpy().dtype.name != name]
    if changed:
        return Finding(False, "numpy() changes the dtype of: " + few(changed))
    return Finding(
        True,
        "numpy() converts all {}: {}".format(len(tensors), ", ".join(name[len("dtype ") :] for name, _ in tensors)),
    )


@claim(
    "003-16-asarray-rejects-some",
    lines="48",
    topic="compatibility",
    kind="semantics",
    says="np.asarray(tensor) raises an error for some kinds of PyTorch tensor.",
    requirements=["array.asarray-refuses-grad", "array.asarray-refuses-sparse", "array.asarray-refuses-bfloat16"],
    correct=ALWAYS,
)
def asarray_rejects_some(torch, np, device):
    """Looks for kinds of tensor that it refuses."""
    refused = all_refusals(torch, device, np.asarray)
    return Finding(bool(refused), "asarray() refuses: " + (refused or "no kind of tensor that can be made here"))


@claim(
    "003-17-asarray-rejects-what-numpy-accepts",
    lines="48",
    topic="compatibility",
    kind="semantics",
    says="Some kind of CPU tensor is converted by tensor.numpy() while np.asarray(tensor) raises an error for it.",
    requirements=[
        "array.asarray-returns-ndarray",
        "array.asarray-refuses-grad",
        "array.asarray-refuses-sparse",
        "array.asarray-refuses-bfloat16",
    ],
    correct=NEVER,
    correction="np.asarray(tensor) calls tensor.__array__(), which calls tensor.numpy(), so that "
    "both refuse the same tensors.",
)
def asarray_rejects_what_numpy_accepts(torch, np, device):
    """Looks for a kind of tensor that only np.asarray() refuses."""
    kinds = every_kind(torch, device)
    accepted = [
        (name, tensor) for name, tensor in kinds if not refusals([(name, tensor)], lambda tensor: tensor.numpy())
    ]
    refused = refusals(accepted, np.asarray)
    if refused:
        return Finding(True, "only asarray() refuses: " + few(refused))
    return Finding(False, "asarray() converts all {} kinds that numpy() converts".format(len(accepted)))


@claim(
    "003-18-listing-3-runs",
    lines="54-83",
    topic="listing",
    kind="listing",
    says="Lines 54-83, run as printed, reach their end and raise nothing.",
    requirements=["grad.plain-tensor-converts", "array.asarray-returns-ndarray"],
    correct=ALWAYS,
)
def third_listing_runs(torch, np, device):
    """Runs it."""
    return ran(listing_3(torch, np, {}))


@claim(
    "003-19-two-random-tensors-print-same",
    lines="85-90",
    topic="listing",
    kind="output",
    says="The prints at lines 66 and 77, each of its own torch.randn(3, 4) drawn without a seed, show twelve "
    "numbers that are the same in both.",
    requirements=["model.randn-draws-afresh"],
    correct=NEVER,
    correction="The two tensors are drawn one after the other, so the prints differ; the printed output cannot come "
    "from this code.",
)
def two_random_tensors_print_the_same(torch, np, device):
    """Runs the listing and compares the two prints."""
    seen = seen_in_listing_3(torch, np)
    same = seen[66][0] == seen[77][0]
    return Finding(same, "the two prints {}".format("are the same" if same else "differ"))


@claim(
    "003-20-third-print-shows-100",
    lines="91",
    topic="memory-sharing",
    kind="output",
    says="Line 80 sets tensor[0, 0] to 100, and the array that line 83 then prints has 100 at [0, 0].",
    requirements=["array.asarray-sees-tensor-writes"],
    correct=ALWAYS,
)
def third_print_shows_the_write(torch, np, device):
    """Runs the listing and looks at what line 83 prints."""
    shown = seen_in_listing_3(torch, np)[83][1][0][0]
    return Finding(
        shown == 100, "line 83 prints 100 at [0, 0]" if shown == 100 else "line 83 prints another number there"
    )


@claim(
    "003-21-third-print-rest-unchanged",
    lines="91-93",
    topic="memory-sharing",
    kind="output",
    says="Apart from [0, 0], line 83 prints the array with the numbers that line 77 printed it with.",
    requirements=["array.asarray-sees-tensor-writes"],
    correct=ALWAYS,
)
def third_print_leaves_the_rest(torch, np, device):
    """Runs the listing and compares what lines 77 and 83 print."""
    seen = seen_in_listing_3(torch, np)
    before, after = (sum(seen[line][1], [])[1:] for line in (77, 83))
    equal = sum(one == other for one, other in zip(before, after))
    return Finding(before == after, "{} of the 11 other numbers are as they were".format(equal))


@claim(
    "003-22-third-print-text",
    lines="91-93",
    topic="listing",
    kind="output",
    says="What print shows, under NumPy's default options, of a float32 array with the twelve numbers of lines "
    "91-93 is the very text of these lines.",
    requirements=["model.default-dtype-is-float32", "dtype.floats-to-numpy"],
    correct=NEVER,
    correction="NumPy prints with exponents where the largest number is over 1000 times the smallest, as 100 beside "
    "-0.00095423 is: the first row begins with 1.0000000e+02.",
)
def third_print_has_this_text(torch, np, device):
    """Prints such an array and compares the text."""
    text = (
        "[[100.        -0.1101047   0.02602308  0.0469044 ]\n"
        " [ 0.01722067  0.05131913  0.01231434 -0.04341372]\n"
        " [-0.00095423  0.02380435  0.02500134 -0.1234734 ]]"
    )
    numbers = [[float(number) for number in line.strip(" []").split()] for line in text.splitlines()]
    shown = str(np.array(numbers, dtype=np.float32))
    if shown == text:
        return Finding(True, "print shows the text of lines 91-93")
    return Finding(False, "print shows as its first line " + shown.splitlines()[0])


@claim(
    "003-23-both-methods-convert",
    lines="97",
    topic="array-protocol",
    kind="semantics",
    says="Both methods in lines 54-83 do convert: after line 63, and again after line 74, numpy_array is a "
    "numpy.ndarray whose shape is (3, 4).",
    requirements=[
        "memory.array-exact-type",
        "memory.shape-kept",
        "array.asarray-returns-ndarray",
        "array.asarray-keeps-shape",
    ],
    correct=ALWAYS,
)
def both_methods_convert(torch, np, device):
    """Runs the listing and looks at its arrays."""
    seen = seen_in_listing_3(torch, np)
    return all_of(
        *[
            Finding(
                type(seen[line]) is np.ndarray and seen[line].shape == (3, 4),
                "after line {}: {}".format(line, described(seen[line])),
            )
            for line in (63, 74)
        ]
    )


@claim(
    "003-24-listing-3-shows-asarray-sharing",
    lines="98",
    topic="memory-sharing",
    kind="semantics",
    says="When line 80 changes the tensor, the array that line 74 got from np.asarray changes with it.",
    requirements=["array.asarray-sees-tensor-writes"],
    correct=ALWAYS,
)
def asarray_array_follows_the_write(torch, np, device):
    """Runs the listing and compares the array of line 74 before and after line 80."""
    seen = seen_in_listing_3(torch, np)
    changed = seen[74].tolist() != seen[77][1]
    return Finding(
        changed, "the array made at line 74 {} at line 80".format("changed" if changed else "did not change")
    )


@claim(
    "003-25-listing-3-shows-numpy-sharing",
    lines="98",
    topic="memory-sharing",
    kind="semantics",
    says="When line 80 changes the tensor, the array that line 63 got from tensor.numpy() changes with it.",
    requirements=["memory.tensor-write-seen-in-array", "model.randn-draws-afresh"],
    correct=NEVER,
    correction="At line 80 the name refers to the second tensor, made at line 71; the array of line 63 shares the "
    "memory of the first one and stays as it was.",
)
def numpy_array_follows_the_write(torch, np, device):
    """Runs the listing and compares the array of line 63 before and after line 80."""
    seen = seen_in_listing_3(torch, np)
    changed = seen[63].tolist() != seen[66][1]
    return Finding(
        changed, "the array made at line 63 {} at line 80".format("changed" if changed else "did not change")
    )


@claim(
    "003-26-listing-4-runs-without-gpu",
    lines="104-120",
    topic="device-transfer",
    kind="listing",
    says="On a machine without a CUDA device, lines 104-120 reach their end as printed and raise nothing.",
    requirements=["device.absent-cuda-transfer-raises"],
    correct=NEVER,
    correction="Without a CUDA device cuda() raises (AssertionError or RuntimeError, by release and build) and the "
    "listing stops at line 108; leave cuda() out, the other calls work on a CPU tensor too.",
)
def fourth_listing_runs_without_a_gpu(torch, np, device):
    """Runs it where there is no CUDA device, or in a process from which they are hidden."""
    cuda = getattr(torch, "cuda", None)
    if cuda is not None and cuda.is_available():
        source = (
            "import importlib\n"
            "values = importlib.import_module({!r}).randn(3, 4)\n"
            "try:\n"
            "    values.cuda().cpu().detach().numpy()\n"
            "    print('end')\n"
            "except (AssertionError, RuntimeError):\n"
            "    print('refused')\n"
        ).format(torch.__name__)
        process = subprocess.run(
            [sys.executable, "-c", source],
            env=dict(os.environ, CUDA_VISIBLE_DEVICES=""),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        finished = process.stdout.split()[-1] == "end"
    else:
        lines = []

        def follow():
            for line in listing_4(torch, np, {}, lambda tensor: tensor.cuda()):
                lines.append(line)

        result = attempt(follow, AssertionError, RuntimeError)
        finished = not result.raised
        if result.raised and lines[-1] != 108:
            return Finding(False, "stops at line {} with {}".format(lines[-1], told(result.error)))
    # The type and the message are those of the build (with or without CUDA), not of the release.
    return Finding(
        finished, "ran to its end" if finished else "stops at line 108: cuda() raises for want of a CUDA device"
    )


@claim(
    "003-27-listing-4-runs-with-gpu",
    lines="104-120",
    topic="device-transfer",
    kind="listing",
    says="On a machine whose CUDA device can be used, lines 104-120 reach their end as printed and raise nothing.",
    requirements=["device.cpu-moves", "device.cpu-detach-converts"],
    correct=ALWAYS,
    devices=NON_HOST,
)
def fourth_listing_runs_with_a_gpu(torch, np, device):
    """Runs it, on another device with to() in place of cuda()."""
    cuda = device.split(":")[0] == "cuda"
    return ran(listing_4(torch, np, {}, lambda tensor: tensor.cuda() if cuda else tensor.to(device)))


@claim(
    "003-28-cpu-moves-cuda-tensor",
    lines="110-111",
    topic="device-transfer",
    kind="semantics",
    says="A CUDA tensor's cpu() returns a tensor that is on the CPU.",
    requirements=["device.cpu-moves"],
    correct=ALWAYS,
    devices=NON_HOST,
)
def cpu_moves_the_tensor(torch, np, device):
    """Looks at the device before and after."""
    tensor = torch.randn(3, 4).to(device)
    before, after = tensor.device.type, tensor.cpu().device.type
    return Finding(before != "cpu" and after == "cpu", "device {} before cpu(), {} after".format(before, after))


@claim(
    "003-29-listing-4-tensor-has-graph",
    lines="113-114",
    topic="detach",
    kind="semantics",
    says="The tensor of lines 104-120, as they are printed, has a computation graph for line 114 to cut off: "
    "before that line its requires_grad is True.",
    requirements=["model.factory-requires-no-grad", "model.factory-has-no-grad-fn"],
    correct=NEVER,
    correction="torch.randn(3, 4) does not require grad, and neither does its copy on another device: there is no "
    "graph, and numpy() would work without detach().",
    devices=DATA,
)
def fourth_listing_has_a_graph(torch, np, device):
    """Takes the same steps with ``device`` in the place of the CUDA device, up to line 111."""
    tensor = torch.randn(3, 4).to(device).cpu()
    return Finding(
        bool(tensor.requires_grad),
        "requires_grad {}, grad_fn {}".format(tensor.requires_grad, "None" if tensor.grad_fn is None else "set"),
    )


@claim(
    "003-30-cpu-detach-numpy-if-grad",
    lines="102-117",
    topic="detach",
    kind="semantics",
    says="Calling cpu(), then detach(), then numpy() on a tensor that requires grad returns a numpy.ndarray "
    "and raises nothing.",
    requirements=["device.cpu-detach-converts", "detach.numpy-exact-type"],
    correct=ALWAYS,
    devices=DATA,
)
def cpu_detach_numpy_converts(torch, np, device):
    """Calls them, on a leaf and on a result."""
    leaf = torch.ones(2, device=device, requires_grad=True)
    found = [returns_array(np, lambda x=x: x.cpu().detach().numpy(), *REFUSALS) for x in (leaf, leaf * 2)]
    return all_of(
        *[Finding(one.holds, "{}: {}".format(of, one.evidence)) for of, one in zip(("leaf", "result"), found)]
    )


@claim(
    "003-31-to-numpy-exists",
    lines="122-131",
    topic="api-existence",
    kind="availability",
    says="The class torch.Tensor has a to_numpy method.",
    requirements=["absent.to-numpy"],
    correct=NEVER,
    correction="There is no such method; the one that converts is Tensor.numpy().",
)
def to_numpy_exists(torch, np, device):
    """Looks it up."""
    result = attempt(lambda: torch.Tensor.to_numpy, AttributeError)
    if result.raised:
        return Finding(False, told(result.error))
    return Finding(callable(result.value), "torch.Tensor.to_numpy is " + described(result.value))


@claim(
    "003-32-listing-5-runs",
    lines="124-134",
    topic="listing",
    kind="listing",
    says="Lines 124-134, run as printed, reach their end and raise nothing.",
    requirements=["absent.to-numpy"],
    correct=NEVER,
    correction="The listing stops at line 131, since no tensor has a method to_numpy; call numpy() there.",
)
def fifth_listing_runs(torch, np, device):
    """Runs it."""
    return ran(listing_5(torch, np, {}))


@claim(
    "003-33-torch-onnx-export-exists",
    lines="136",
    topic="onnx",
    kind="availability",
    says="torch.onnx has a function called export.",
    requirements=["absent.onnx-export-refuses-a-tensor"],
    correct=ALWAYS,
)
def torch_onnx_export_exists(torch, np, device):
    """Looks it up."""
    result = attempt(lambda: torch.onnx.export, AttributeError)
    if result.raised:
        return Finding(False, told(result.error))
    return Finding(inspect.isroutine(result.value), "torch.onnx.export is a " + type(result.value).__name__)


@claim(
    "003-34-onnx-package-has-export",
    lines="145-146",
    topic="onnx",
    kind="availability",
    says="The onnx package, which line 140 imports and line 146 uses, has an attribute export.",
    requirements=["absent.onnx-package-export"],
    correct=NEVER,
    correction="The onnx package has no export; the exporter is torch.onnx.export.",
    needs=["onnx"],
)
def onnx_has_export(torch, np, device):
    """Looks it up."""
    onnx = importlib.import_module("onnx")
    result = attempt(lambda: onnx.export, AttributeError)
    return Finding(
        not result.raised, told(result.error) if result.raised else "onnx.export is " + described(result.value)
    )


@claim(
    "003-35-torch-onnx-export-accepts-tensor",
    lines="145-146",
    topic="onnx",
    kind="semantics",
    says="Given a bare tensor in the place of the model, torch.onnx.export writes it to an ONNX file.",
    requirements=["absent.onnx-export-refuses-a-tensor"],
    correct=NEVER,
    correction="torch.onnx.export wants a module as its model and raises for a bare tensor; the tensor has to be a "
    "parameter or buffer of a module.",
)
def onnx_export_accepts_a_tensor(torch, np, device):
    """Calls it, by default and with the exporter by tracing, and looks for the file."""
    evidence = []
    with tempfile.TemporaryDirectory() as folder, hushed():
        for number, options in enumerate(({}, exporter_options(torch))):
            file = os.path.join(folder, "{}.onnx".format(number))
            result = attempt(
                lambda file=file, options=options: torch.onnx.export(torch.randn(3, 4), (), file, **options),
                AttributeError,
                ImportError,  # the newer exporter, which is the default from 2.9 on, needs a package
                *REFUSALS,
            )
            if not result.raised and os.path.exists(file) and os.path.getsize(file):
                return Finding(True, "a file was written")
            evidence.append(told(result.error) if result.raised else "no exception, but no file")
    return Finding(False, "no file was written; " + evidence[-1])


@claim(
    "003-36-loadtxt-reads-onnx",
    lines="148-149",
    topic="onnx",
    kind="semantics",
    says="An ONNX model file is read into a numpy.ndarray by np.loadtxt with dtype=np.float32.",
    requirements=["absent.onnx-package-export"],
    correct=NEVER,
    correction="An ONNX file is a binary protobuf message and np.loadtxt reads text: it raises ValueError. onnx.load "
    "reads the file and onnx.numpy_helper.to_array makes arrays of its tensors.",
)
def loadtxt_reads_an_onnx_file(torch, np, device):
    """Writes a model with one Identity node, as the format lays it out, and reads it."""

    def field(number, payload):
        return bytes([number << 3 | 2, len(payload)]) + payload

    def value(name):  # float32 and of shape (2,)
        shape = field(1, b"\x08\x02")
        return field(1, name) + field(2, field(1, b"\x08\x01" + field(2, shape)))

    node = field(1, b"x") + field(2, b"y") + field(4, b"Identity")
    graph = field(1, node) + field(2, b"g") + field(11, value(b"x")) + field(12, value(b"y"))
    model = b"\x08\x07" + field(7, graph) + field(8, b"\x10\x0d")  # version 7 of the format, operators of version 13
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "model.onnx")
        with open(file, "wb") as stream:
            stream.write(model)
        return returns_array(np, lambda: np.loadtxt(file, dtype=np.float32), ValueError)


@claim(
    "003-37-listing-6-runs",
    lines="138-152",
    topic="onnx",
    kind="listing",
    says="Lines 138-152, run as printed, reach their end and raise nothing.",
    requirements=["absent.onnx-package-export", "absent.onnx-export-refuses-a-tensor"],
    correct=NEVER,
    correction="The listing stops at line 146, since the onnx package has no export; nor could torch.onnx.export "
    "save a bare tensor or np.loadtxt read the file.",
    needs=["onnx"],
)
def sixth_listing_runs(torch, np, device):
    """Runs it in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder, hushed():
        return ran(listing_6(torch, np, {}, folder))


@claim(
    "003-38-numpy-is-fast",
    lines="157",
    topic="performance",
    kind="performance",
    says="tensor.numpy() is fast in that more data does not make it slower: with 10,000,000 elements it needs "
    "less than twice the time that it needs with 10.",
    requirements=["cost.numpy-time-independent-of-size"],
    correct=ALWAYS,
)
def numpy_takes_no_longer_for_more_data(torch, np, device):
    """Times both in turns, many times, and takes the median of the ratios."""
    small, large = torch.zeros(10, device=device), torch.zeros(10000000, device=device)
    held = ratio(large.numpy, small.numpy, repeats=20, rounds=301) < 2
    return Finding(held, "10,000,000 elements took {} than twice the time of 10".format("less" if held else "no less"))


@claim(
    "003-39-numpy-is-simple",
    lines="157",
    topic="api-existence",
    kind="opinion",
    says="Using tensor.numpy() is simple.",
)
def numpy_is_simple(torch, np, device):
    """Is not decided."""
    raise NotImplementedError("an opinion")


@claim(
    "003-40-numpy-con-shares-memory",
    lines="157",
    topic="memory-sharing",
    kind="semantics",
    says="The tensor and its numpy() array are in one and the same memory: what is written to either is seen "
    "in the other.",
    requirements=[
        "memory.array-begins-at-data-ptr",
        "memory.tensor-write-seen-in-array",
        "memory.array-write-seen-in-tensor",
    ],
    correct=ALWAYS,
)
def numpy_uses_the_same_memory(torch, np, device):
    """Compares addresses, and writes on either side."""
    tensor = torch.randn(3, 4, device=device)
    return sharing(tensor, tensor.numpy())


@claim(
    "003-41-asarray-makes-no-copy",
    lines="158",
    topic="memory-usage",
    kind="memory",
    says="np.asarray(tensor) saves memory in that the data of a dense CPU tensor are not copied a second time.",
    requirements=["cost.asarray-allocates-nothing"],
    correct=ALWAYS,
)
def asarray_makes_no_copy(torch, np, device):
    """Counts the bytes of the array that are not the tensor's own."""
    tensor = torch.randn(100, 100, device=device)
    count = data_bytes(tensor, np.asarray(tensor))
    return Finding(count == 0, "bytes of data allocated for 10,000 elements: {}".format(count))


@claim(
    "003-42-asarray-may-be-incompatible",
    lines="158",
    topic="compatibility",
    kind="semantics",
    says="Leaving aside tensors that require grad, at least one dtype or layout of PyTorch tensors (bfloat16 "
    "or sparse, say) does not work with np.asarray(tensor).",
    requirements=["layout.coo-raises", "array.asarray-refuses-sparse", "array.asarray-refuses-bfloat16"],
    correct=ALWAYS,
)
def asarray_rejects_a_dtype_or_layout(torch, np, device):
    """Looks for dtypes and layouts that it refuses."""
    refused_dtypes = refusals(made(dtype_kinds(torch, device)), np.asarray)
    refused_layouts = refusals(made(layout_kinds(torch, device)), np.asarray)
    if refused_dtypes or refused_layouts:
        parts = [few(part) for part in (refused_dtypes, refused_layouts) if part]
        return Finding(True, "asarray() refuses: " + "; ".join(parts))
    return Finding(False, "asarray() converts all dtypes and layouts")


@claim(
    "003-43-cpu-useful-for-gpu-tensors",
    lines="159",
    topic="device-transfer",
    kind="semantics",
    says="From a CUDA tensor, tensor.cpu().detach() makes a CPU tensor that numpy() converts.",
    requirements=["device.cpu-moves", "device.cpu-detach-converts"],
    correct=ALWAYS,
    devices=NON_HOST,
)
def cpu_and_detach_serve_device_tensors(torch, np, device):
    """Converts one that does not require grad and one that does."""
    findings = []
    for needs_grad in (False, True):
        moved = torch.ones(2, 3).to(device).requires_grad_(needs_grad).cpu().detach()
        place = Finding(moved.device.type == "cpu", "on the device " + moved.device.type)
        array = returns_array(np, moved.numpy, *REFUSALS)
        values = Finding(moved.tolist() == [[1.0] * 3] * 2, "with the values of the tensor")
        found = all_of(place, array, values)
        findings.append(Finding(found.holds, "requires_grad {}: {}".format(needs_grad, found.evidence)))
    return all_of(*findings)


@claim(
    "003-44-cpu-detach-more-complex",
    lines="159",
    topic="compatibility",
    kind="semantics",
    says="Converting with cpu() and detach(), as lines 110-117 do, is more complex in that it needs more "
    "method calls than line 14, which makes do with one.",
    requirements=["device.cpu-detach-converts", "grad.plain-tensor-converts"],
    correct=ALWAYS,
)
def cpu_and_detach_take_more_calls(torch, np, device):
    """Counts the calls of both conversions and makes them."""
    tensor = torch.randn(3, 4, device=device)
    long, short = "tensor.cpu().detach().numpy()", "tensor.numpy()"
    if not same_array(np, *[eval(source, {"tensor": tensor}) for source in (long, short)]):
        return Finding(False, "the two conversions come to different arrays")
    return Finding(
        calls_in(long) > calls_in(short),
        "{} calls against {}, for equal arrays".format(calls_in(long), calls_in(short)),
    )


@claim(
    "003-45-to-numpy-is-simple",
    lines="160",
    topic="api-existence",
    kind="opinion",
    says="Using to_numpy() is simple and intuitive.",
)
def to_numpy_is_simple(torch, np, device):
    """Is not decided."""
    raise NotImplementedError("an opinion")


@claim(
    "003-46-to-numpy-only-from-1-8",
    lines="160",
    topic="api-existence",
    kind="availability",
    says="Releases before torch 1.8 lack Tensor.to_numpy, and every release from 1.8 on has it.",
    requirements=["absent.to-numpy"],
    correct="torch<1.8",
    correction="No release has Tensor.to_numpy, neither before 1.8 nor since; the method is Tensor.numpy().",
)
def to_numpy_came_with_1_8(torch, np, device):
    """Judges the release under test: absent if it is before 1.8, present if not."""
    present = hasattr(torch.Tensor, "to_numpy")
    late = release(torch) >= (1, 8)
    return Finding(
        present == late,
        "to_numpy is {} in this release, which is {}".format(
            "present" if present else "absent", "1.8 or later" if late else "before 1.8"
        ),
    )


@claim(
    "003-47-onnx-useful-with-models",
    lines="161",
    topic="onnx",
    kind="opinion",
    says="If one works with ONNX models, torch.onnx.export() is useful.",
)
def onnx_is_useful(torch, np, device):
    """Is not decided."""
    raise NotImplementedError("an opinion")


@claim(
    "003-48-onnx-more-complex",
    lines="161",
    topic="onnx",
    kind="semantics",
    says="Converting as lines 145-149 do is more complex in that it needs more calls than line 14, which makes "
    "do with one.",
    requirements=["absent.onnx-package-export", "grad.plain-tensor-converts"],
    correct=ALWAYS,
)
def onnx_takes_more_calls(torch, np, device):
    """Counts the calls that stand there."""
    long, short = "onnx.export(tensor, file)\nnp.loadtxt(file)", "tensor.numpy()"
    return Finding(calls_in(long) > calls_in(short), "{} calls against {}".format(calls_in(long), calls_in(short)))


@claim(
    "003-49-onnx-slower",
    lines="161",
    topic="performance",
    kind="performance",
    says="torch.onnx.export of a small module in which the tensor is held needs more time than numpy() of that tensor.",
    requirements=["cost.numpy-time-independent-of-size", "absent.onnx-export-refuses-a-tensor"],
    correct=ALWAYS,
    needs=["onnx"],
)
def onnx_is_slower(torch, np, device):
    """Times both in turns and takes the median of the ratios."""
    tensor = torch.randn(3, 4, device=device)

    class Holder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("held", tensor)

        def forward(self, values):
            return self.held + values

    module, options = Holder(), exporter_options(torch)
    with tempfile.TemporaryDirectory() as folder, hushed():
        file = os.path.join(folder, "holder.onnx")
        longer = (
            ratio(
                lambda: torch.onnx.export(module, (torch.ones(3, 4, device=device),), file, **options),
                tensor.numpy,
                repeats=1,
                rounds=5,
            )
            > 1
        )
    return Finding(longer, "the export took {}".format("longer" if longer else "no longer"))
