"""Claims of the document 001_061fbbdffb7ed958.txt."""

from conformance import ALWAYS, NEVER, NON_HOST, claim
from conformance.findings import Finding, all_of, attempt, described, raises, returns_array, told
from conformance.sampling import drawn_afresh, probability_of_so_small
from conformance.witnesses import address

DOCUMENT = "001_061fbbdffb7ed958.txt"

REFUSALS = (RuntimeError, TypeError)
MISTAKES = (RuntimeError, TypeError, AttributeError)
PRINTED = (
    (0.09170594, -0.11175346, 0.06427481),
    (-0.05801958, 0.04606218, 0.02554021),
    (0.03424327, 0.00341044, 0.0202943),
)
MESSAGE = "Can't call numpy() on Variable that requires grad. Use var.detach().numpy() instead"


class Run:
    """One run of a listing: what it prints, the names that it binds, and where and how it ends."""

    def __init__(self, listing, *arguments, **options):
        self.line = None
        self.printed = []
        self.names = {}
        self.error = attempt(lambda: listing(self, *arguments, **options), *MISTAKES).error

    @property
    def ending(self):
        """How the run ended, and what it printed, as evidence."""
        if self.error is not None:
            return "stopped at line {} with {}".format(self.line, told(self.error))
        shown = [str(value) if isinstance(value, bool) else described(value) for value in self.printed]
        return "ran to its end" + ("; printed " + ", then ".join(shown) if shown else "")


def to_its_end(run):
    """A `Finding`: the run of a listing met no exception."""
    return Finding(run.error is None, run.ending)


def first_printed(run, value):
    """A `Finding`: the first thing that the run of a listing prints is ``value``."""
    if not run.printed:
        return Finding(False, run.ending)
    return Finding(run.printed[0] is value, "print showed {}".format(run.printed[0]))


def listing_1(run, torch, **options):
    """Lines 21-33."""
    run.line = 24
    tensor = run.names["tensor"] = torch.randn(3, 3, **options)
    run.line = 27
    run.printed.append(tensor.requires_grad)
    run.line = 30
    array = run.names["numpy_array"] = tensor.detach().numpy()
    run.line = 33
    run.printed.append(array)


def listing_2(run, torch, **options):
    """Lines 49-71."""
    run.line = 52
    tensor = torch.randn(3, 3, **options)
    run.line = 55
    run.printed.append(tensor.requires_grad)
    run.line = 58
    first = tensor.detach().numpy()
    with torch.no_grad():
        run.line = 62
        second = tensor.numpy()
    run.line = 65
    tensor = tensor.cpu()
    run.line = 66
    third = tensor.numpy()
    for line, array in ((69, first), (70, second), (71, third)):
        run.line = line
        run.printed.append(array)


def listing_3(run, torch, **options):
    """Lines 94-103."""
    run.line = 97
    tensor = torch.randn(3, 3, **options)
    run.line = 100
    array = tensor.detach().numpy()
    run.line = 103
    run.printed.append(array)


def listing_4(run, torch, **options):
    """Lines 113-123."""
    run.line = 116
    tensor = run.names["tensor"] = torch.randn(3, 3, **options)
    with torch.no_grad():
        run.line = 120
        array = run.names["numpy_array"] = tensor.numpy()
    run.line = 123
    run.printed.append(array)


def listing_5(run, torch, **options):
    """Lines 133-143."""
    run.line = 136
    tensor = torch.randn(3, 3, **options)
    run.line = 139
    tensor = tensor.cpu()
    run.line = 140
    array = tensor.numpy()
    run.line = 143
    run.printed.append(array)


def listing_6(run, torch, np, **options):
    """Lines 153-163."""
    run.line = 157
    tensor = torch.randn(3, 3, **options)
    run.line = 160
    run.names["list_of_lists"] = tensor.tolist()
    run.line = 163
    run.names["numpy_array"] = np


def in_each(cases):
    """A `Finding`: all of the ``cases`` hold, which are pairs of a name and a finding. Equal evidence is told once."""
    refuted = [(name, finding) for name, finding in cases if not finding.holds]
    names = {}
    for name, finding in refuted or cases:
        names.setdefault(finding.evidence, []).append(name)
    return Finding(not refuted, "; ".join("{}: {}".format(", ".join(names[text]), text) for text in names))


def refusal(torch, device):
    """The exception of ``numpy()`` on a leaf that requires grad, in default grad mode, or None."""
    return attempt(torch.ones(2, requires_grad=True, device=device).numpy, *REFUSALS).error


def tensors_that_require_grad(torch, device):
    """A leaf, a computed result and a Parameter, by what they are."""
    leaf = torch.ones(2, requires_grad=True, device=device)
    return (("a leaf", leaf), ("a result", leaf * 2), ("a Parameter", torch.nn.Parameter(torch.ones(2, device=device))))


@claim(
    "001-01-error-is-runtimeerror",
    lines="9",
    topic="error-message",
    kind="semantics",
    says="With grad mode as it is by default, the exception that numpy() raises on a tensor that requires grad "
    "is of type RuntimeError.",
    requirements=["grad.numpy-raises", "grad.raises-runtimeerror-itself"],
    correct=ALWAYS,
)
def refusal_is_a_runtime_error(torch, np, device):
    """The very type of the exception, not a class that it derives from."""
    error = refusal(torch, device)
    if error is None:
        return Finding(False, "numpy() raised nothing")
    return Finding(type(error) is RuntimeError, told(error))


@claim(
    "001-02-error-text-exact",
    lines="9",
    topic="error-message",
    kind="output",
    says="The message of that exception is exactly \"Can't call numpy() on Variable that requires grad. Use "
    'var.detach().numpy() instead", every character counted, without a full stop after its last word.',
    requirements=["grad.message-says-variable", "grad.message-says-tensor"],
    correct=NEVER,
    correction="The message ends with a full stop in every release; up to torch 1.5 the rest is as quoted, and from "
    '1.6 on it speaks of "Tensor" and "tensor.detach()" instead of "Variable" and "var.detach()".',
)
def message_is_exactly_as_quoted(torch, np, device):
    """The text, compared character for character."""
    error = refusal(torch, device)
    if error is None:
        return Finding(False, "numpy() raised nothing")
    return Finding(str(error) == MESSAGE, told(error))


@claim(
    "001-03-error-text-but-for-full-stop",
    lines="9",
    topic="error-message",
    kind="output",
    says="Apart from a full stop that may end it, the message of that exception is \"Can't call numpy() on "
    'Variable that requires grad. Use var.detach().numpy() instead".',
    requirements=["grad.message-says-variable", "grad.message-says-tensor"],
    correct="torch<1.6",
    correction="Since torch 1.6 the message is \"Can't call numpy() on Tensor that requires grad. Use "
    'tensor.detach().numpy() instead."',
)
def message_is_as_quoted_but_for_the_full_stop(torch, np, device):
    """The text, compared after one full stop is taken off its end."""
    error = refusal(torch, device)
    if error is None:
        return Finding(False, "numpy() raised nothing")
    text = str(error)
    return Finding((text[:-1] if text.endswith(".") else text) == MESSAGE, told(error))


@claim(
    "001-04-error-advises-detach-numpy",
    lines="9",
    topic="error-message",
    kind="output",
    says="The message of that exception recommends to call detach().numpy().",
    requirements=["grad.message-advises-detach-numpy"],
    correct=ALWAYS,
)
def message_advises_detach(torch, np, device):
    """The advice is looked for in the text."""
    error = refusal(torch, device)
    if error is None:
        return Finding(False, "numpy() raised nothing")
    return Finding("Use " in str(error) and ".detach().numpy()" in str(error), told(error))


@claim(
    "001-05-requires-grad-triggers-error",
    lines="13",
    topic="grad-error",
    kind="semantics",
    says="Called without arguments while grad mode is as it is by default, numpy() raises the error on a "
    "tensor with requires_grad True, be it a leaf, the result of a computation or an nn.Parameter.",
    requirements=["grad.numpy-raises", "grad.leaf-raises", "grad.result-raises", "grad.parameter-raises"],
    correct=ALWAYS,
)
def requires_grad_triggers_the_error(torch, np, device):
    """A leaf, a result and a Parameter."""
    tensors = tensors_that_require_grad(torch, device)
    return in_each([(name, raises(tensor.numpy, RuntimeError)) for name, tensor in tensors])


@claim(
    "001-06-error-in-any-grad-mode",
    lines="13",
    topic="grad-error",
    kind="semantics",
    says="No grad mode makes a difference: numpy() without arguments raises the error on a tensor with "
    "requires_grad True in each of them, and so within torch.no_grad() too.",
    requirements=[
        "grad.numpy-raises",
        "grad.enable-grad-raises",
        "grad.no-grad-raises",
        "mode.no-grad-permits-numpy",
        "mode.set-grad-enabled-permits-numpy",
        "mode.inference-permits-numpy",
    ],
    correct="torch<1.6",
    correction="Since torch 1.6 numpy() raises the error only while grad mode is enabled; within torch.no_grad() it "
    "returns an array that shares the tensor's memory.",
)
def error_in_any_grad_mode(torch, np, device):
    """Every way to set the grad mode that this release has."""
    x = torch.ones(2, requires_grad=True, device=device)
    modes = [
        ("by default", lambda: torch.set_grad_enabled(torch.is_grad_enabled())),
        ("in enable_grad()", torch.enable_grad),
        ("in no_grad()", torch.no_grad),
        ("in set_grad_enabled(False)", lambda: torch.set_grad_enabled(False)),
    ]
    if hasattr(torch, "inference_mode"):
        modes.append(("in inference_mode()", torch.inference_mode))
    found = []
    for name, mode in modes:
        with mode():
            found.append((name, raises(x.numpy, RuntimeError)))
    return in_each(found)


@claim(
    "001-07-requires-grad-tensor-is-tracked",
    lines="13",
    topic="grad-error",
    kind="semantics",
    says="A tensor with requires_grad True is followed by automatic differentiation: what an operation makes "
    "of it in default grad mode has a grad_fn and requires_grad True as well.",
    requirements=["model.result-requires-grad", "model.result-has-grad-fn"],
    correct=ALWAYS,
)
def tensor_that_requires_grad_is_tracked(torch, np, device):
    """Three operations on a leaf."""
    x = torch.ones(2, requires_grad=True, device=device)
    found = []
    for name, result in (("x * 2", x * 2), ("x.sum()", x.sum()), ("x.exp()", x.exp())):
        tracked = result.grad_fn is not None and result.requires_grad
        known = "no grad_fn" if result.grad_fn is None else "a grad_fn"
        found.append((name, Finding(tracked, "{} and requires_grad {}".format(known, result.requires_grad))))
    return in_each(found)


@claim(
    "001-08-array-carries-no-tracking",
    lines="13",
    topic="grad-error",
    kind="semantics",
    says="An array that was made from a tensor that requires grad knows nothing of the graph: torch.from_numpy "
    "makes a tensor that does not require grad from it and from what is computed with it.",
    requirements=["from.numpy-requires-no-grad"],
    correct=ALWAYS,
)
def array_carries_no_tracking(torch, np, device):
    """Back from the array, and from twice the array."""
    array = torch.ones(2, requires_grad=True, device=device).detach().numpy()
    found = []
    for name, source in (("from_numpy(array)", array), ("from_numpy(array * 2)", array * 2)):
        back = torch.from_numpy(source)
        lost = not back.requires_grad and back.grad_fn is None
        found.append((name, Finding(lost, "requires_grad {}".format(back.requires_grad))))
    return in_each(found)


@claim(
    "001-09-conversion-strips-original",
    lines="13",
    topic="grad-error",
    kind="semantics",
    says="Once detach().numpy() has made an array from a computed tensor, that tensor has itself lost its "
    "tracking: its grad_fn is then None or its requires_grad False.",
    requirements=["detach.original-keeps-requires-grad", "detach.original-keeps-grad-fn"],
    correct=NEVER,
    correction="The tensor that was converted keeps its grad_fn and its requires_grad, and backward() through it "
    "still works; only the array and the detached tensor know nothing of the graph.",
)
def conversion_strips_the_original(torch, np, device):
    """What the original knows after the conversion."""
    x = torch.ones(2, requires_grad=True, device=device)
    result = x * 2
    array = result.detach().numpy()
    known = "no grad_fn" if result.grad_fn is None else "its grad_fn"
    text = "after {} was made, the original has {} and requires_grad {}".format(
        described(array), known, result.requires_grad
    )
    return Finding(result.grad_fn is None or not result.requires_grad, text)


@claim(
    "001-10-detach-cures-error",
    lines="17",
    topic="detach",
    kind="semantics",
    says="For a CPU tensor that requires grad, detach().numpy() does not raise the error and returns a numpy.ndarray.",
    requirements=["grad.detach-converts", "detach.numpy-exact-type"],
    correct=ALWAYS,
)
def detach_cures_the_error(torch, np, device):
    """On a leaf, a result and a Parameter."""
    tensors = tensors_that_require_grad(torch, device)
    return in_each([(name, returns_array(np, tensor.detach().numpy, *REFUSALS)) for name, tensor in tensors])


@claim(
    "001-11-detach-is-only-cure",
    lines="17",
    topic="detach",
    kind="semantics",
    says="There is no way around detach(): a tensor that requires grad yields an ndarray by no other means, "
    "such as numpy() on its attribute .data, unless detach() is called.",
    requirements=["grad.data-converts", "scalar.tolist-with-grad"],
    correct=NEVER,
    correction="An ndarray can be had without detach(): by x.data.numpy() and np.array(x.tolist()) in every release, "
    "by numpy() within torch.no_grad() since torch 1.6 and by x.numpy(force=True) since 1.13.",
)
def detach_is_the_only_cure(torch, np, device):
    """Two other means that every release has."""
    x = torch.ones(2, requires_grad=True, device=device)
    found = []
    for name, call in (
        (".data.numpy()", lambda: x.data.numpy()),
        ("np.array(x.tolist())", lambda: np.array(x.tolist())),
    ):
        finding = returns_array(np, call, *REFUSALS)
        found.append(Finding(not finding.holds, "{}: {}".format(name, finding.evidence)))
    return all_of(*found)


@claim(
    "001-12-detach-keeps-values",
    lines="17",
    topic="detach",
    kind="semantics",
    says="On a leaf that requires grad, detach() gives a tensor with equal values and leaves the values of the "
    "leaf as they were.",
    requirements=["detach.keeps-values", "detach.original-keeps-values"],
    correct=ALWAYS,
)
def detach_keeps_the_values(torch, np, device):
    """Values of both tensors after the call."""
    values = [1.5, -2.0, 0.25]
    x = torch.tensor(values, requires_grad=True, device=device)
    detached = x.detach()
    return all_of(
        Finding(detached.tolist() == values, "the new tensor holds {}".format(detached.tolist())),
        Finding(x.tolist() == values, "the original holds {}".format(x.tolist())),
    )


@claim(
    "001-13-detach-returns-new-object",
    lines="17",
    topic="detach",
    kind="semantics",
    says="What detach() returns on a tensor that requires grad is a Tensor object of its own and not the "
    "tensor on which it was called.",
    requirements=["detach.new-object"],
    correct=ALWAYS,
)
def detach_returns_a_new_object(torch, np, device):
    """Identity of the objects."""
    x = torch.ones(2, requires_grad=True, device=device)
    detached = x.detach()
    new = isinstance(detached, torch.Tensor) and detached is not x
    return Finding(new, "x.detach() is x: {}; its type is {}".format(detached is x, type(detached).__name__))


@claim(
    "001-14-detach-copies-memory",
    lines="17",
    topic="memory-sharing",
    kind="semantics",
    says="The data of the tensor that detach() makes are a copy: it has a storage of its own, which the tensor "
    "on which detach() was called does not use.",
    requirements=["detach.same-address", "detach.same-storage", "detach.write-reaches-original"],
    correct=NEVER,
    correction="detach() copies nothing: both tensors use one storage, and a write through either, or through an "
    "array made from it, is seen in the other; detach().clone() makes a copy.",
)
def detach_copies_the_memory(torch, np, device):
    """Two witnesses: the addresses, and a write through the new tensor."""
    x = torch.ones(2, requires_grad=True, device=device)
    detached = x.detach()
    same = address(detached) == address(x)
    detached.fill_(7)
    seen = x.tolist() == [7.0, 7.0]
    where = "the same address" if same else "different addresses"
    return Finding(
        not same and not seen,
        "{}; a write to the new tensor {} in the original".format(where, ("was not seen", "was seen")[seen]),
    )


@claim(
    "001-15-detached-requires-grad-false",
    lines="17",
    topic="detach",
    kind="semantics",
    says="On a tensor that requires grad, detach() returns a tensor whose requires_grad is False.",
    requirements=["detach.requires-no-grad", "detach.parameter-becomes-tensor"],
    correct=ALWAYS,
)
def detached_tensor_requires_no_grad(torch, np, device):
    """On a leaf, a result and a Parameter."""
    found = []
    for name, tensor in tensors_that_require_grad(torch, device):
        flag = tensor.detach().requires_grad
        found.append((name, Finding(flag is False, "the detached tensor has requires_grad {}".format(flag))))
    return in_each(found)


@claim(
    "001-16-listing-1-converts",
    lines="19-30",
    topic="listing",
    kind="listing",
    says="When line 30 of the printed code has run, numpy_array is a numpy.ndarray that holds the values of tensor.",
    requirements=["detach.keeps-values", "memory.array-exact-type", "dtype.values-kept"],
    correct=ALWAYS,
)
def listing_1_converts(torch, np, device):
    """The names that the listing binds."""
    run = Run(listing_1, torch)
    array = run.names.get("numpy_array")
    if type(array) is not np.ndarray:
        return Finding(False, run.ending)
    equal = array.tolist() == run.names["tensor"].tolist()
    return Finding(equal, "{}, {} values".format(described(array), "equal" if equal else "other"))


@claim(
    "001-17-listing-1-runs",
    lines="21-33",
    topic="listing",
    kind="listing",
    says="Lines 21-33, run as they are printed, raise no exception up to their end.",
    requirements=["model.factory-requires-no-grad", "grad.plain-tensor-converts", "detach.numpy-exact-type"],
    correct=ALWAYS,
)
def listing_1_runs(torch, np, device):
    """The listing as printed."""
    return to_its_end(Run(listing_1, torch))


@claim(
    "001-18-listing-1-prints-true",
    lines="37",
    topic="listing",
    kind="output",
    says="Line 27 of the code as printed, in which tensor is torch.randn(3, 3), prints True for tensor.requires_grad.",
    requirements=["model.factory-requires-no-grad"],
    correct=NEVER,
    correction="It prints False: torch.randn(3, 3) makes a tensor that does not require grad unless it is called "
    "with requires_grad=True.",
)
def listing_1_prints_true(torch, np, device):
    """The first thing printed."""
    return first_printed(Run(listing_1, torch), True)


@claim(
    "001-19-listing-1-prints-true-if-grad",
    lines="37",
    topic="listing",
    kind="output",
    says="With tensor made by torch.randn(3, 3, requires_grad=True) in its place, line 27 prints True for "
    "tensor.requires_grad.",
    requirements=["model.grad-leaf-has-no-grad-fn"],
    correct=ALWAYS,
)
def listing_1_prints_true_if_grad(torch, np, device):
    """The first thing printed by the changed listing."""
    return first_printed(Run(listing_1, torch, requires_grad=True), True)


@claim(
    "001-20-printed-values-plausible-randn",
    lines="38-40",
    topic="listing",
    kind="output",
    says="Lines 38-40 show a believable sample of torch.randn(3, 3): nine independent standard normal numbers "
    "have a sum of squares no larger than theirs with a probability of one in a million or more.",
    requirements=["model.randn-is-standard-normal"],
    correct=NEVER,
    correction="The sum of squares of the nine numbers is 0.033, and for nine standard normal numbers one so small "
    "has a probability of about 2 in ten thousand million: they were not drawn by torch.randn(3, 3).",
)
def printed_values_are_a_plausible_sample(torch, np, device):
    """The chi-square distribution with nine degrees of freedom, at the sum of squares of what is printed."""
    numbers = [number for row in PRINTED for number in row]
    total = sum(number * number for number in numbers)
    probability = probability_of_so_small(numbers)
    return Finding(probability >= 1e-6, "sum of squares {:.4f}, probability {:.1e}".format(total, probability))


@claim(
    "001-21-no-grad-disables-recording",
    lines="44",
    topic="no-grad",
    kind="semantics",
    says="An operation that is applied within torch.no_grad() to a tensor that requires grad yields a result "
    "whose requires_grad is False.",
    requirements=["mode.no-grad-result-requires-no-grad", "mode.no-grad-view-requires-grad"],
    correct=ALWAYS,
)
def no_grad_disables_recording(torch, np, device):
    """Operations that compute a new tensor. Exception: a view made in the block requires grad if its base does."""
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        results = (("x * 2", x * 2), ("x.sum()", x.sum()), ("x.exp()", x.exp()))
    flags = [(name, result.requires_grad) for name, result in results]
    return in_each([(name, Finding(flag is False, "requires_grad {}".format(flag))) for name, flag in flags])


@claim(
    "001-22-cpu-moves-cuda-tensor",
    lines="45",
    topic="device-transfer",
    kind="semantics",
    says="For a CUDA tensor, tensor.cpu() gives a tensor on the CPU that has the same values.",
    requirements=["device.cpu-moves", "device.cpu-keeps-values"],
    correct=ALWAYS,
    devices=NON_HOST,
)
def cpu_moves_a_device_tensor(torch, np, device):
    """Device and values of the result."""
    values = [1.5, -2.0, 0.25]
    x = torch.tensor(values, device=device)
    moved = x.cpu()
    return all_of(
        Finding(moved.device.type == "cpu", "the result is on {}".format(moved.device.type)),
        Finding(moved.tolist() == values, "it holds {}".format(moved.tolist())),
    )


@claim(
    "001-23-listing-2-runs",
    lines="49-71",
    topic="listing",
    kind="listing",
    says="Lines 49-71, run as they are printed, raise no exception up to their end.",
    requirements=["grad.plain-tensor-converts", "device.cpu-returns-self"],
    correct=ALWAYS,
)
def listing_2_runs(torch, np, device):
    """The listing as printed."""
    return to_its_end(Run(listing_2, torch))


@claim(
    "001-24-listing-2-detach-step-if-grad",
    lines="57-58",
    topic="detach",
    kind="listing",
    says="With tensor made by torch.randn(3, 3, requires_grad=True) in its place, detach().numpy() at line 58 "
    "raises no exception.",
    requirements=["grad.detach-converts"],
    correct=ALWAYS,
)
def listing_2_detach_step_if_grad(torch, np, device):
    """The step by itself, after the lines above it."""
    tensor = torch.randn(3, 3, requires_grad=True)
    return returns_array(np, lambda: tensor.detach().numpy(), *REFUSALS)


@claim(
    "001-25-listing-2-no-grad-step-if-grad",
    lines="60-62",
    topic="no-grad",
    kind="listing",
    says="With tensor made by torch.randn(3, 3, requires_grad=True) in its place, lines 61-62, which call "
    "numpy() within torch.no_grad(), raise no exception.",
    requirements=["grad.no-grad-raises", "mode.no-grad-permits-numpy"],
    correct="torch>=1.6",
    correction="Before torch 1.6 numpy() raises RuntimeError on a tensor that requires grad within torch.no_grad() "
    "too.",
)
def listing_2_no_grad_step_if_grad(torch, np, device):
    """The step by itself."""
    tensor = torch.randn(3, 3, requires_grad=True)
    with torch.no_grad():
        return returns_array(np, tensor.numpy, *REFUSALS)


@claim(
    "001-26-listing-2-cpu-step-if-grad",
    lines="64-66",
    topic="grad-error",
    kind="listing",
    says="With tensor made by torch.randn(3, 3, requires_grad=True) in its place, lines 65-66, which call "
    "cpu() and then numpy() in default grad mode, raise no exception.",
    requirements=["grad.cpu-still-raises", "device.cpu-returns-self-with-grad"],
    correct=NEVER,
    correction="cpu() does not detach: it returns the same CPU tensor, which still requires grad, so that numpy() "
    "raises RuntimeError at line 66.",
)
def listing_2_cpu_step_if_grad(torch, np, device):
    """The step by itself."""
    tensor = torch.randn(3, 3, requires_grad=True)
    return returns_array(np, lambda: tensor.cpu().numpy(), *REFUSALS)


@claim(
    "001-27-listing-2-prints-true",
    lines="73",
    topic="listing",
    kind="output",
    says="Line 55 of the code printed at lines 49-71 prints True for tensor.requires_grad.",
    requirements=["model.factory-requires-no-grad"],
    correct=NEVER,
    correction="It prints False: torch.randn(3, 3) makes a tensor that does not require grad unless it is called "
    "with requires_grad=True.",
)
def listing_2_prints_true(torch, np, device):
    """The first thing printed."""
    return first_printed(Run(listing_2, torch), True)


@claim(
    "001-28-listing-2-arrays-equal",
    lines="74-82",
    topic="listing",
    kind="output",
    says="Lines 69-71 of the printed code show three arrays of which each equals the others.",
    requirements=["detach.keeps-values", "device.cpu-returns-self", "dtype.values-kept"],
    correct=ALWAYS,
)
def listing_2_arrays_are_equal(torch, np, device):
    """The three arrays printed."""
    run = Run(listing_2, torch)
    arrays = [value for value in run.printed if type(value) is np.ndarray]
    if run.error is not None or len(arrays) != 3:
        return Finding(False, run.ending)
    equal = all(array.tolist() == arrays[0].tolist() for array in arrays)
    return Finding(equal, "three arrays printed, {}".format("equal" if equal else "not all equal"))


@claim(
    "001-29-listing-2-repeats-listing-1-values",
    lines="74-76",
    topic="listing",
    kind="output",
    says="The listings, run separately and each drawing its own torch.randn(3, 3) with no seed set, print nine "
    "numbers that are the same from one run to the next (as lines 38-40, 74-76, 105-107, 125-127 and "
    "145-147 are).",
    requirements=["model.randn-draws-afresh"],
    correct=NEVER,
    correction="Each run draws other numbers, because a fresh interpreter seeds its generator from the system; to "
    "print the same numbers again, call torch.manual_seed() before the draw.",
)
def separate_runs_repeat_the_values(torch, np, device):
    """Two draws one after the other in this interpreter; if they agree, the first draws of two fresh ones as well."""
    again = torch.randn(3, 3).tolist() == torch.randn(3, 3).tolist()
    if not again:
        return Finding(False, "two draws, one after the other, gave different numbers")
    one, other = drawn_afresh(torch, (3, 3), 2)
    return Finding(
        one == other, "two fresh interpreters drew {} numbers".format("the same" if one == other else "different")
    )


@claim(
    "001-30-detach-plain-new-object",
    lines="86",
    topic="detach",
    kind="semantics",
    says="Where a tensor does not require grad, as in the listings, detach() gives a Tensor object of its own "
    "too, and not that tensor.",
    requirements=["detach.new-object-for-plain"],
    correct=ALWAYS,
)
def detach_of_a_plain_tensor_is_a_new_object(torch, np, device):
    """Identity of the objects."""
    x = torch.ones(2, device=device)
    detached = x.detach()
    new = isinstance(detached, torch.Tensor) and detached is not x
    return Finding(new, "x.detach() is x: {}; its type is {}".format(detached is x, type(detached).__name__))


@claim(
    "001-31-detach-plain-same-values",
    lines="86",
    topic="detach",
    kind="semantics",
    says="Where a tensor does not require grad, the tensor from detach() agrees with it in values, dtype and shape.",
    requirements=["detach.keeps-values", "detach.keeps-dtype", "detach.keeps-shape"],
    correct=ALWAYS,
)
def detach_of_a_plain_tensor_keeps_the_values(torch, np, device):
    """Values, dtype and shape of both tensors."""
    values = [[1.5, -2.0, 0.25], [0.0, 3.0, -1.0]]
    x = torch.tensor(values, device=device)
    detached = x.detach()
    return all_of(
        Finding(detached.tolist() == values, "it holds {}".format(detached.tolist())),
        Finding(detached.dtype == x.dtype, "dtypes {} and {}".format(x.dtype, detached.dtype)),
        Finding(detached.shape == x.shape, "shapes {} and {}".format(tuple(x.shape), tuple(detached.shape))),
    )


@claim(
    "001-32-detach-plain-requires-grad-false",
    lines="86",
    topic="detach",
    kind="semantics",
    says="Where a tensor does not require grad, detach() returns a tensor whose requires_grad is False.",
    requirements=["detach.requires-no-grad"],
    correct=ALWAYS,
)
def detach_of_a_plain_tensor_requires_no_grad(torch, np, device):
    """The flag of the result."""
    flag = torch.ones(2, device=device).detach().requires_grad
    return Finding(flag is False, "requires_grad {}".format(flag))


@claim(
    "001-33-detach-result-is-leaf",
    lines="92",
    topic="detach",
    kind="semantics",
    says="From a computed result that requires grad, detach() makes a leaf that has requires_grad False and "
    "grad_fn None.",
    requirements=["detach.requires-no-grad", "detach.has-no-grad-fn", "detach.is-leaf"],
    correct=ALWAYS,
)
def detached_result_is_a_leaf(torch, np, device):
    """Three properties of the detached result."""
    detached = (torch.ones(2, requires_grad=True, device=device) * 2).detach()
    known = "None" if detached.grad_fn is None else "set"
    return all_of(
        Finding(detached.requires_grad is False, "requires_grad {}".format(detached.requires_grad)),
        Finding(detached.grad_fn is None, "grad_fn {}".format(known)),
        Finding(detached.is_leaf is True, "is_leaf {}".format(detached.is_leaf)),
    )


@claim(
    "001-34-listing-3-runs",
    lines="94-103",
    topic="listing",
    kind="listing",
    says="Lines 94-103, run as they are printed, raise no exception up to their end.",
    requirements=["grad.plain-tensor-converts", "detach.new-object-for-plain"],
    correct=ALWAYS,
)
def listing_3_runs(torch, np, device):
    """The listing as printed."""
    return to_its_end(Run(listing_3, torch))


@claim(
    "001-35-no-grad-disables-backward",
    lines="111",
    topic="no-grad",
    kind="semantics",
    says="Within torch.no_grad() there is no automatic differentiation: a scalar that is computed there from a "
    "tensor that requires grad has a backward() that raises an error.",
    requirements=[
        "mode.no-grad-result-backward-raises",
        "mode.no-grad-result-has-no-grad-fn",
        "model.backward-without-history-raises",
    ],
    correct=ALWAYS,
)
def no_grad_disables_backward(torch, np, device):
    """backward() within the block and after it."""
    x = torch.ones(2, requires_grad=True, device=device)
    with torch.no_grad():
        total = (x * 2).sum()
        inside = raises(total.backward, RuntimeError)
    after = raises(total.backward, RuntimeError)
    return all_of(
        Finding(inside.holds, "in the block: " + inside.evidence), Finding(after.holds, "after it: " + after.evidence)
    )


@claim(
    "001-36-no-grad-converts-if-grad",
    lines="111-120",
    topic="no-grad",
    kind="semantics",
    says="A tensor that requires grad can be converted by means of torch.no_grad(): when tensor is "
    "torch.randn(3, 3, requires_grad=True), lines 119-120 make numpy_array a numpy.ndarray.",
    requirements=["grad.no-grad-raises", "mode.no-grad-permits-numpy"],
    correct="torch>=1.6",
    correction="Before torch 1.6 line 120 raises RuntimeError for such a tensor, within torch.no_grad() as "
    "elsewhere; detach().numpy() works in every release.",
)
def no_grad_converts_if_grad(torch, np, device):
    """What the changed listing binds."""
    run = Run(listing_4, torch, requires_grad=True)
    array = run.names.get("numpy_array")
    return Finding(type(array) is np.ndarray, run.ending if run.error else "numpy_array is " + described(array))


@claim(
    "001-37-no-grad-block-makes-difference",
    lines="118-120",
    topic="no-grad",
    kind="semantics",
    says="The conversion of the printed code is possible because of the no_grad block: outside it, numpy() on "
    "the same tensor raises an error.",
    requirements=["grad.plain-tensor-converts", "model.factory-requires-no-grad"],
    correct=NEVER,
    correction="The tensor of the printed code does not require grad, so that numpy() works on it outside the block "
    "as well; the block matters only for a tensor that requires grad, and only since torch 1.6.",
)
def no_grad_block_makes_the_difference(torch, np, device):
    """The same call on the same tensor, outside the block."""
    run = Run(listing_4, torch)
    return raises(run.names["tensor"].numpy, *REFUSALS)


@claim(
    "001-38-listing-4-runs",
    lines="113-123",
    topic="listing",
    kind="listing",
    says="Lines 113-123, run as they are printed, raise no exception up to their end.",
    requirements=["grad.plain-tensor-converts", "model.factory-requires-no-grad"],
    correct=ALWAYS,
)
def listing_4_runs(torch, np, device):
    """The listing as printed."""
    return to_its_end(Run(listing_4, torch))


@claim(
    "001-39-numpy-direct-on-any-cpu-tensor",
    lines="131",
    topic="compatibility",
    kind="semantics",
    says="There is no tensor in CPU memory on which a direct call of numpy() raises an error.",
    requirements=["grad.leaf-raises", "layout.coo-raises", "dtype.bfloat16-raises"],
    correct=NEVER,
    correction="Being in CPU memory is not enough: numpy() also refuses a tensor that requires grad (while grad mode "
    "is enabled), one with a sparse layout and one whose dtype NumPy lacks.",
)
def numpy_works_on_any_cpu_tensor(torch, np, device):
    """A plain tensor, and one that requires grad."""
    found = []
    for name, tensor in (
        ("plain", torch.ones(2, device=device)),
        ("requires grad", torch.ones(2, requires_grad=True, device=device)),
    ):
        finding = returns_array(np, tensor.numpy, *REFUSALS)
        found.append(Finding(finding.holds, "{}: {}".format(name, finding.evidence)))
    return all_of(*found)


@claim(
    "001-40-numpy-direct-on-plain-cpu-tensor",
    lines="131",
    topic="compatibility",
    kind="semantics",
    says="On a CPU tensor of dtype float32 that is dense and does not require grad, a direct call of numpy() "
    "returns a numpy.ndarray.",
    requirements=["grad.plain-tensor-converts", "memory.array-exact-type"],
    correct=ALWAYS,
)
def numpy_works_on_a_plain_cpu_tensor(torch, np, device):
    """The call and its result."""
    return returns_array(np, torch.ones(3, 3, dtype=torch.float32, device=device).numpy, *REFUSALS)


@claim(
    "001-41-numpy-direct-on-grad-cpu-tensor",
    lines="131",
    topic="grad-error",
    kind="semantics",
    says="On a CPU tensor that requires grad, a direct call of numpy() in default grad mode returns a numpy.ndarray.",
    requirements=["grad.numpy-raises"],
    correct=NEVER,
    correction="On a tensor that requires grad, numpy() raises RuntimeError in default grad mode; call "
    "detach().numpy().",
)
def numpy_works_on_a_cpu_tensor_that_requires_grad(torch, np, device):
    """The call and its result."""
    return returns_array(np, torch.ones(3, 3, requires_grad=True, device=device).numpy, *REFUSALS)


@claim(
    "001-42-cpu-makes-numpy-callable",
    lines="131",
    topic="device-transfer",
    kind="semantics",
    says="When a CUDA tensor does not require grad, its cpu() gives a tensor in CPU memory whose numpy() can "
    "be called directly.",
    requirements=["device.cpu-moves", "grad.plain-tensor-converts"],
    correct=ALWAYS,
    devices=NON_HOST,
)
def cpu_makes_numpy_callable(torch, np, device):
    """Where the moved tensor is, and what numpy() makes of it."""
    moved = torch.tensor([1.5, -2.0, 0.25], device=device).cpu()
    return all_of(
        Finding(moved.device.type == "cpu", "cpu() gave a tensor on {}".format(moved.device.type)),
        returns_array(np, moved.numpy, *REFUSALS),
    )


@claim(
    "001-43-listing-5-runs",
    lines="133-143",
    topic="listing",
    kind="listing",
    says="Lines 133-143, run as they are printed, raise no exception up to their end.",
    requirements=["grad.plain-tensor-converts", "device.cpu-returns-self"],
    correct=ALWAYS,
)
def listing_5_runs(torch, np, device):
    """The listing as printed."""
    return to_its_end(Run(listing_5, torch))


@claim(
    "001-44-tolist-gives-nested-list",
    lines="151",
    topic="tolist",
    kind="semantics",
    says="For a float tensor of three by three, tolist() gives a Python list that holds three lists, each with "
    "three Python floats.",
    requirements=["scalar.tolist-nests", "scalar.tolist-gives-floats"],
    correct=ALWAYS,
)
def tolist_gives_a_nested_list(torch, np, device):
    """Types and lengths at both levels."""
    rows = torch.ones(3, 3, device=device).tolist()
    if type(rows) is not list or len(rows) != 3 or any(type(row) is not list or len(row) != 3 for row in rows):
        return Finding(False, "returned " + described(rows))
    kinds = sorted({type(value).__name__ for row in rows for value in row})
    return Finding(kinds == ["float"], "a list of 3 lists of 3 values of type {}".format(" or ".join(kinds)))


@claim(
    "001-45-tolist-list-for-every-tensor",
    lines="151",
    topic="tolist",
    kind="semantics",
    says="Whatever the tensor, even if it has no dimensions, tolist() gives a Python list.",
    requirements=["scalar.tolist-of-zero-dim-is-a-number", "scalar.tolist-nests"],
    correct=NEVER,
    correction="For a tensor with no dimensions tolist() returns a bare Python number.",
)
def tolist_gives_a_list_for_every_tensor(torch, np, device):
    """Tensors with two, one and no dimensions."""
    found = []
    for shape in ((2, 2), (2,), ()):
        value = torch.ones(shape, device=device).tolist()
        found.append(Finding(type(value) is list, "shape {}: {}".format(shape, type(value).__name__)))
    return all_of(*found)


@claim(
    "001-46-list-to-array",
    lines="151",
    topic="tolist",
    kind="semantics",
    says="From tensor.tolist(), np.array makes a numpy.ndarray whose shape and values are those of the tensor.",
    requirements=["scalar.list-keeps-shape", "scalar.list-keeps-values"],
    correct=ALWAYS,
)
def array_of_tolist_has_shape_and_values(torch, np, device):
    """As in the listing: a float tensor of three by three."""
    tensor = torch.tensor([[1.5, -2.0, 0.1], [0.3, 3.0, -1.0], [0.7, 1e-3, 1e9]], device=device)
    array = np.array(tensor.tolist())
    if type(array) is not np.ndarray or array.shape != tuple(tensor.shape):
        return Finding(False, "returned " + described(array))
    equal = np.array_equal(array, tensor.numpy())
    return Finding(equal, "shape {}, {} values".format(array.shape, "equal" if equal else "other"))


@claim(
    "001-47-tolist-roundtrip-dtype",
    lines="151",
    topic="tolist",
    kind="semantics",
    says="When a tensor is of dtype float32, np.array(tensor.tolist()) and tensor.numpy() are of one dtype.",
    requirements=["scalar.list-of-floats-becomes-float64", "dtype.floats-to-numpy"],
    correct=NEVER,
    correction="tensor.numpy() is float32, but np.array(tensor.tolist()) is float64, because a Python float is a "
    "double.",
)
def tolist_round_trip_keeps_the_dtype(torch, np, device):
    """The dtypes of both arrays."""
    tensor = torch.ones(3, 3, dtype=torch.float32, device=device)
    by_list, direct = np.array(tensor.tolist()).dtype, tensor.numpy().dtype
    return Finding(by_list == direct, "by tolist() {}, by numpy() {}".format(by_list, direct))


@claim(
    "001-48-tolist-works-if-grad",
    lines="151",
    topic="tolist",
    kind="semantics",
    says="A tensor that requires grad needs no detach() for tolist(), which works on it in default grad mode.",
    requirements=["scalar.tolist-with-grad"],
    correct=ALWAYS,
)
def tolist_works_if_grad(torch, np, device):
    """The call and its result."""
    result = attempt(torch.ones(2, requires_grad=True, device=device).tolist, *REFUSALS)
    if result.raised:
        return Finding(False, told(result.error))
    return Finding(result.value == [1.0, 1.0], "returned {}".format(result.value))


@claim(
    "001-49-listing-6-converts",
    lines="151-163",
    topic="tolist",
    kind="listing",
    says="When the code printed at lines 153-163 has run, numpy_array is a numpy.ndarray.",
    requirements=["scalar.tolist-nests"],
    correct=NEVER,
    correction="The last line as printed binds numpy_array to the module numpy itself; np.array(list_of_lists) would "
    "make an array.",
)
def listing_6_converts(torch, np, device):
    """The names that the listing binds."""
    run = Run(listing_6, torch, np)
    array = run.names.get("numpy_array")
    if run.error is not None:
        return Finding(False, run.ending)
    return Finding(
        type(array) is np.ndarray, "numpy_array is " + ("the module numpy" if array is np else described(array))
    )


@claim(
    "001-50-listing-6-runs",
    lines="153-163",
    topic="listing",
    kind="listing",
    says="Lines 153-163, run as they are printed, with numpy_array = np for their end, raise no exception.",
    requirements=["scalar.tolist-nests"],
    correct=ALWAYS,
)
def listing_6_runs(torch, np, device):
    """The listing as printed."""
    return to_its_end(Run(listing_6, torch, np))
