"""Claims of the document 000_4432c67a89b620e2.txt.

Where a claim says *every* or *exactly when*, one exception refutes it. One that speaks in general terms, of *a result*
or *a computation*, is judged on ordinary cases, and the probe's docstring names the exceptions.
"""

import gc
import weakref

from conformance import ALWAYS, NEVER, NON_HOST, claim
from conformance.findings import Finding, all_of, attempt, described, raises, returns_array, told
from conformance.sampling import drawn_afresh, probability_of_so_small

DOCUMENT = "000_4432c67a89b620e2.txt"

# The 25 numbers that the document prints at lines 42-46, and again at lines 81-85.
PRINTED = (
    (0.02441548, -0.04320324, 0.10154216, 0.04101421, -0.05214325),
    (-0.00704001, 0.12304862, 0.02004458, 0.10238544, 0.0380401),
    (0.05412256, 0.03291176, -0.07131842, 0.07420041, -0.00582486),
    (0.03949324, 0.00098124, -0.04184417, 0.02312345, 0.12345678),
    (-0.03124124, -0.01234567, 0.00987654, 0.04321098, 0.01234567),
)


class Screen:
    """What a listing has printed, by the line of the document, and the line that it has reached."""

    def __init__(self):
        self.line = None
        self.shown = {}

    def at(self, line):
        """Say which line of the document runs next."""
        self.line = line
        return self

    def show(self, value):
        """Keep what ``print(value)`` would print at the present line."""
        self.shown[self.line] = str(value)


def basic_example(torch, screen, shift=0, **options):
    """The listing at lines 21-37, which stands again at lines 62-78: ``shift`` lines further down."""
    screen.at(25 + shift)
    x = torch.randn(5, 5, **options)
    screen.at(28 + shift).show(x.requires_grad)
    screen.at(31 + shift)
    y = x.detach().numpy()
    screen.at(34 + shift).show(y)
    screen.at(37 + shift).show(y.requires_grad)


def listing_1(torch, np, screen):
    """The listing at lines 21-37."""
    basic_example(torch, screen)


def listing_1_with_grad(torch, np, screen):
    """The listing at lines 21-37, with a tensor that requires grad."""
    basic_example(torch, screen, requires_grad=True)


def listing_2(torch, np, screen):
    """The listing at lines 62-78."""
    basic_example(torch, screen, shift=41)


def listing_3(torch, np, screen):
    """The listing at lines 90-103."""
    screen.at(94)
    x = torch.randn(5, 5)
    screen.at(97)
    y = x.detach().numpy()
    screen.at(100)
    z = np.sum(y)
    screen.at(103).show(z)


def listing_4(torch, np, screen):
    """The listing at lines 109-123."""
    screen.at(113)
    x = torch.randn(1000, 1000)
    screen.at(116)
    before = x.memory_format()
    screen.at(119)
    x = x.detach()
    screen.at(120)
    after = x.memory_format()
    screen.at(123).show(before - after)


def listing_5(torch, np, screen):
    """The listing at lines 131-141."""
    screen.at(134)
    x = torch.randn(5, 5)
    screen.at(137)
    with torch.no_grad():
        screen.at(138)
        y = x.numpy()
    screen.at(141).show(y.requires_grad)


def listing_6(torch, np, screen):
    """The listing at lines 147-156."""
    screen.at(150)
    x = torch.randn(5, 5)
    screen.at(153)
    y = x.cpu().numpy()
    screen.at(156).show(y.requires_grad)


def listing_7(torch, np, screen):
    """The listing at lines 162-171."""
    screen.at(165)
    x = torch.randn(5, 5)
    screen.at(168)
    y = x.contiguous().view(-1).numpy()
    screen.at(171).show(y.requires_grad)


def listing_8(torch, np, screen):
    """The listing at lines 177-186."""
    screen.at(180)
    x = torch.randn(5, 5)
    screen.at(183)
    y = x.to_numpy()
    screen.at(186).show(y.requires_grad)


def run_listing(listing, torch, np):
    """Run ``listing`` up to its end or its first AttributeError: the screen, and where and how it stopped (or None)."""
    screen = Screen()
    run = attempt(lambda: listing(torch, np, screen), AttributeError)
    return screen, "stops at line {} with {}".format(screen.line, told(run.error)) if run.raised else None


def runs(listing, torch, np):
    """A `Finding`: ``listing`` runs to its end."""
    stopped = run_listing(listing, torch, np)[1]
    return Finding(stopped is None, stopped or "ran to its end")


def prints(listing, torch, np, line, text):
    """A `Finding`: ``listing`` prints ``text`` at ``line``."""
    screen, stopped = run_listing(listing, torch, np)
    if line not in screen.shown:
        return Finding(False, "line {} prints nothing: the code {}".format(line, stopped))
    return Finding(screen.shown[line] == text, "line {} prints {}".format(line, screen.shown[line]))


def size(thing):
    """The bytes that the elements of a tensor or of an ndarray take."""
    return thing.nbytes if hasattr(thing, "__array_interface__") else thing.element_size() * thing.numel()


def place(thing):
    """The address of the first element of a tensor or of an ndarray."""
    return thing.__array_interface__["data"][0] if hasattr(thing, "__array_interface__") else thing.data_ptr()


def same_place(one, other):
    """In words, whether two objects begin at one address."""
    return "at the same address" if place(one) == place(other) else "at another address"


def recorded(x):
    """In words, what of a history ``x`` shows."""
    return "{} and requires_grad {}".format("grad_fn None" if x.grad_fn is None else "a grad_fn", x.requires_grad)


def alike(of, *findings):
    """A `Finding`: all of ``findings`` hold; where they read the same, once, with ``of`` that says what they are of."""
    if len(set(findings)) == 1:
        return Finding(findings[0].holds, "{} ({})".format(findings[0].evidence, of))
    return all_of(*findings)


def long_product(torch, np):
    """A result of ten multiplications, and weak references to the memory of the ten factors, which nothing else holds.

    The factors are tensors on arrays, because the array lives exactly as long as the data of the tensor on it.
    """
    factors = []
    result = torch.ones(1000, requires_grad=True)
    for _ in range(10):
        memory = np.full(1000, 2, dtype="float32")
        factors.append(weakref.ref(memory))
        result = result * torch.from_numpy(memory)
    return result, factors


def allocated(factors):
    """How many of the arrays that ``factors`` refers to weakly are still there."""
    gc.collect()
    return sum(factor() is not None for factor in factors)


def picky_functions(np):
    """NumPy functions that the document may mean where it says that some do not take tensors."""
    return (
        ("np.sum", np.sum),
        ("np.mean", np.mean),
        ("np.fill_diagonal", lambda values: np.fill_diagonal(values, 0)),
        ("np.copyto", lambda values: np.copyto(values, np.zeros((2, 2), dtype="float32"))),
    )


def answers(functions, values):
    """For each of the named ``functions``, the exception that it raises when given ``values``, or None."""
    return [
        (name, attempt(lambda call=function: call(values), TypeError, AttributeError).error)
        for name, function in functions
    ]


def names_of(outcomes):
    """The names in ``outcomes`` of `answers`, each with the exception's type if there was one."""
    return ", ".join(
        name if error is None else "{} ({})".format(name, type(error).__name__) for name, error in outcomes
    )


def release(torch):
    """The torch release as major and minor number."""
    numbers = str(torch.__version__).split("+")[0].split(".")
    return int(numbers[0]), int(numbers[1])


@claim(
    "000-01-every-tensor-has-history",
    lines="9",
    topic="detach",
    kind="semantics",
    says="Each and every torch.Tensor, one from a plain torch.randn(5, 5) too, has a grad_fn: a record of the "
    "operations behind it.",
    requirements=["model.factory-has-no-grad-fn", "model.grad-leaf-has-no-grad-fn"],
    correct=NEVER,
    correction="Only the result of a recorded operation has a grad_fn: torch.randn(5, 5), or a tensor that you "
    "create with requires_grad=True, has none.",
)
def every_tensor_has_history(torch, np, device):
    x = torch.randn(5, 5)
    return Finding(x.grad_fn is not None, "torch.randn(5, 5) has {}".format(recorded(x)))


@claim(
    "000-02-grad-op-result-has-history",
    lines="9",
    topic="detach",
    kind="semantics",
    says="While grad mode is on, as it is by default, the result of a computation on a tensor that requires "
    "grad has a grad_fn, the record of that operation.",
    requirements=[
        "model.result-has-grad-fn",
        "model.grad-mode-is-on-by-default",
        "model.integer-result-requires-no-grad",
    ],
    correct=ALWAYS,
)
def grad_op_result_has_history(torch, np, device):
    """Exceptions: ``x > 0`` and ``x.argmax()``, whose results cannot require grad, and detach() itself."""
    x = torch.ones(2, 2, requires_grad=True, device=device)
    results = [x * 2, x + 1, x.exp(), x.sum(), x.t(), x[0], torch.matmul(x, x)]
    recording = [result.grad_fn is not None for result in results]
    return Finding(
        all(recording),
        "{} of 7 results have a grad_fn: x * 2, x + 1, x.exp(), x.sum(), x.t(), x[0], torch.matmul(x, x)".format(
            sum(recording)
        ),
    )


@claim(
    "000-03-history-yields-gradients",
    lines="9",
    topic="detach",
    kind="semantics",
    says="Where x requires grad and y = (x*x).sum(), y.backward() works through y's recorded operations and "
    "leaves 2*x in x.grad.",
    requirements=["model.backward-fills-grad", "model.result-has-grad-fn"],
    correct=ALWAYS,
)
def history_yields_gradients(torch, np, device):
    x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True, device=device)
    y = (x * x).sum()
    history = recorded(y)
    recorded_there = y.grad_fn is not None
    y.backward()
    gradient = None if x.grad is None else x.grad.tolist()
    return Finding(
        recorded_there and gradient == [2.0, -4.0, 6.0],
        "y has {}; x = [1.0, -2.0, 3.0], x.grad = {}".format(history, gradient),
    )


@claim(
    "000-04-ndarray-has-no-history",
    lines="9",
    topic="detach",
    kind="semantics",
    says="The numpy.ndarray that x.detach().numpy() returns records no operations; it lacks both the attribute "
    "grad_fn and the attribute requires_grad.",
    requirements=["absent.ndarray-requires-grad", "detach.numpy-exact-type"],
    correct=ALWAYS,
)
def ndarray_has_no_history(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device) * 2
    array = x.detach().numpy()
    has = [name for name in ("grad_fn", "requires_grad") if hasattr(array, name)]
    return Finding(
        type(array) is np.ndarray and not has,
        "{}; of grad_fn and requires_grad it has {}".format(described(array), " and ".join(has) or "neither"),
    )


@claim(
    "000-05-detach-needed-for-any-tensor",
    lines="9",
    topic="grad-error",
    kind="semantics",
    says="numpy() fails with an error on every CPU tensor that was not detached first, even on a "
    "torch.randn(5, 5) that does not require grad.",
    requirements=["grad.plain-tensor-converts", "model.factory-requires-no-grad"],
    correct=NEVER,
    correction="numpy() asks for detach() only where the tensor requires grad; torch.randn(5, 5).numpy() returns an "
    "array.",
)
def detach_needed_for_any_tensor(torch, np, device):
    x = torch.randn(5, 5)
    return raises(x.numpy, RuntimeError, TypeError)


@claim(
    "000-06-detach-needed-for-grad-tensor",
    lines="9",
    topic="grad-error",
    kind="semantics",
    says="A plain numpy() call on a tensor that requires grad, not detached first and with grad mode on as by "
    "default, ends in an error.",
    requirements=["grad.numpy-raises", "grad.leaf-raises", "grad.result-raises", "grad.parameter-raises"],
    correct=ALWAYS,
)
def detach_needed_for_grad_tensor(torch, np, device):
    leaf = torch.ones(2, requires_grad=True, device=device)
    tensors = (leaf, leaf * 2, torch.nn.Parameter(leaf.detach()))
    return alike("a leaf, a result, a Parameter", *[raises(tensor.numpy, RuntimeError) for tensor in tensors])


@claim(
    "000-07-history-is-the-cause",
    lines="9",
    topic="grad-error",
    kind="semantics",
    says="Recorded operations are what makes detach() necessary: a leaf made with requires_grad=True has none, "
    "its grad_fn being None, so its numpy() works with grad mode on.",
    requirements=["grad.leaf-raises", "model.grad-leaf-has-no-grad-fn"],
    correct=NEVER,
    correction="What counts is requires_grad, not a history: with grad mode on, numpy() raises RuntimeError on a "
    "leaf that requires grad, although its grad_fn is None.",
)
def history_is_the_cause(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    finding = returns_array(np, x.numpy, RuntimeError)
    return Finding(x.grad_fn is None and finding.holds, "{}; {}".format(recorded(x), finding.evidence))


@claim(
    "000-08-history-can-hold-much-memory",
    lines="13",
    topic="memory-usage",
    kind="memory",
    says="A result's history can hold much more memory than the result itself: multiply a tensor that requires "
    "grad by ten others in turn, drop these, and the data of all ten remain allocated while the result "
    "exists.",
    requirements=["cost.history-keeps-operands", "cost.history-freed-with-result"],
    correct=ALWAYS,
)
def history_can_hold_much_memory(torch, np, device):
    result, factors = long_product(torch, np)
    own = size(result)
    held = allocated(factors)
    del result
    left = allocated(factors)
    return Finding(
        held == 10 and left == 0,
        "the result has {} bytes of data, the 10 factors {}; with it {} of these are allocated, without it {}".format(
            own, 10 * own, held, left
        ),
    )


@claim(
    "000-09-detach-call-frees-history",
    lines="13",
    topic="memory-usage",
    kind="memory",
    says="A call of detach() on a result frees what its history has saved, although the result itself is still "
    "referenced.",
    requirements=["cost.detach-call-frees-nothing", "detach.call-keeps-history"],
    correct=NEVER,
    correction="detach() makes another tensor and leaves the original with its history: what that has saved stays "
    "allocated as long as the original is kept, unless backward() frees it.",
)
def detach_call_frees_history(torch, np, device):
    result, factors = long_product(torch, np)
    before = allocated(factors)
    detached = result.detach()
    after = allocated(factors)
    return Finding(
        before == 10 and after == 0,
        "of the data of 10 saved tensors, those of {} are allocated before detach() and of {} after it; result: "
        "{}; detached: {}".format(before, after, recorded(result), recorded(detached)),
    )


@claim(
    "000-10-keeping-only-detached-frees-history",
    lines="13",
    topic="memory-usage",
    kind="memory",
    says="What a result's history has saved is freed once nothing but the tensor from detach() is kept and no "
    "reference to the result is left.",
    requirements=["cost.detached-tensor-keeps-no-history", "detach.result-keeps-no-history"],
    correct=ALWAYS,
)
def keeping_only_detached_frees_history(torch, np, device):
    result, factors = long_product(torch, np)
    kept = result.detach()
    before = allocated(factors)
    del result
    after = allocated(factors)
    return Finding(
        before == 10 and after == 0 and kept.tolist() == [1024.0] * 1000,
        "of the data of 10 saved tensors, those of {} are allocated beside the result, and of {} once only the "
        "detached tensor is left".format(before, after),
    )


@claim(
    "000-11-detached-tensor-is-smaller",
    lines="13",
    topic="memory-usage",
    kind="memory",
    says="What detach() returns has fewer bytes of data than the tensor that it was called on.",
    requirements=["detach.keeps-byte-count", "cost.detach-allocates-nothing", "model.history-adds-no-data-bytes"],
    correct=NEVER,
    correction="The tensor from detach() uses the very memory of the original: it has as many bytes of data, and "
    "none of its own.",
)
def detached_tensor_is_smaller(torch, np, device):
    x = torch.ones(5, 5, requires_grad=True, device=device) * 2
    detached = x.detach()
    return Finding(
        size(detached) < size(x),
        "x has {} bytes of data, x.detach() {}, {}".format(size(x), size(detached), same_place(x, detached)),
    )


@claim(
    "000-12-some-numpy-functions-reject-tensors",
    lines="17",
    topic="compatibility",
    kind="semantics",
    says="Some public NumPy functions take an ndarray, but end in an error when they get a CPU tensor that "
    "does not require grad instead.",
    requirements=["array.reductions-raise", "array.fill-diagonal-raises", "array.destinations-raise"],
    correct=ALWAYS,
)
def some_numpy_functions_reject_tensors(torch, np, device):
    functions = picky_functions(np)
    tensor = answers(functions, torch.ones(2, 2, device=device))
    array = dict(answers(functions, np.ones((2, 2), dtype="float32")))
    rejecting = [(name, error) for name, error in tensor if error is not None and array[name] is None]
    return Finding(
        bool(rejecting), "take an ndarray and refuse a tensor: {}".format(names_of(rejecting) or "none found")
    )


@claim(
    "000-13-detach-alone-converts",
    lines="17",
    topic="detach",
    kind="semantics",
    says="Calling detach() and not numpy() makes a numpy.ndarray out of a tensor.",
    requirements=["detach.is-no-array"],
    correct=NEVER,
    correction="detach() returns a torch.Tensor; it is numpy() that makes the array.",
)
def detach_alone_converts(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    detached = x.detach()
    return Finding(isinstance(detached, np.ndarray), "detach() returned " + described(detached))


@claim(
    "000-14-converted-array-accepted",
    lines="17",
    topic="compatibility",
    kind="semantics",
    says="NumPy functions that fail with an error on a tensor, among them np.sum, np.mean, np.fill_diagonal "
    "and np.copyto, take the array that the same tensor's detach().numpy() returns.",
    requirements=[
        "array.reductions-raise",
        "array.fill-diagonal-raises",
        "array.destinations-raise",
        "detach.numpy-exact-type",
    ],
    correct=ALWAYS,
)
def converted_array_accepted(torch, np, device):
    x = torch.ones(2, 2, device=device)
    functions = picky_functions(np)
    tensor, array = answers(functions, x), answers(functions, x.detach().numpy())
    return Finding(
        all(error is not None for _, error in tensor) and all(error is None for _, error in array),
        "given the tensor: {}; given the array: {}".format(names_of(tensor), names_of(array)),
    )


@claim(
    "000-15-detach-is-what-gives-compat",
    lines="17",
    topic="compatibility",
    kind="semantics",
    says="It is detach() that makes the array of a tensor without requires_grad fit for such NumPy functions; "
    "on the array from a bare numpy() they fail with an error.",
    requirements=["grad.plain-tensor-converts", "memory.array-exact-type"],
    correct=NEVER,
    correction="It is numpy() that makes the array, which such functions take; on a tensor that does not require "
    "grad detach() adds nothing to that.",
)
def detach_is_what_gives_compat(torch, np, device):
    x = torch.ones(2, 2, device=device)
    array = answers(picky_functions(np), x.numpy())
    return Finding(
        all(error is not None for _, error in array), "given the array from numpy(): {}".format(names_of(array))
    )


@claim(
    "000-16-listing-1-runs",
    lines="21-37",
    topic="listing",
    kind="listing",
    says="No exception stops the code at lines 21-37, as printed, before its end.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="Line 37 raises AttributeError: an ndarray has no requires_grad.",
)
def listing_1_runs(torch, np, device):
    return runs(listing_1, torch, np)


@claim(
    "000-17-listing-1-prints-true",
    lines="41",
    topic="listing",
    kind="output",
    says="With x = torch.randn(5, 5), as the code has it, line 28 shows True for x.requires_grad.",
    requirements=["model.factory-requires-no-grad"],
    correct=NEVER,
    correction="It prints False: torch.randn(5, 5) requires grad only if it is called with requires_grad=True.",
)
def listing_1_prints_true(torch, np, device):
    return prints(listing_1, torch, np, 28, "True")


@claim(
    "000-18-listing-1-prints-true-if-grad",
    lines="41",
    topic="listing",
    kind="output",
    says="Were x made by torch.randn(5, 5, requires_grad=True), line 28 would show True for x.requires_grad.",
    requirements=["model.grad-leaf-has-no-grad-fn"],
    correct=ALWAYS,
)
def listing_1_prints_true_if_grad(torch, np, device):
    return prints(listing_1_with_grad, torch, np, 28, "True")


@claim(
    "000-19-requires-grad-shows-history",
    lines="27-28",
    topic="detach",
    kind="semantics",
    says="Whether a tensor has recorded operations can be read from requires_grad, which on every tensor is "
    "True if and only if grad_fn is not None.",
    requirements=["model.grad-leaf-has-no-grad-fn"],
    correct=NEVER,
    correction="A leaf created with requires_grad=True has requires_grad True and grad_fn None; grad_fn is what "
    "tells of recorded operations.",
)
def requires_grad_shows_history(torch, np, device):
    leaf = torch.ones(2, requires_grad=True, device=device)
    tensors = (("a leaf", leaf), ("a result", leaf * 2), ("torch.randn(5, 5)", torch.randn(5, 5)))
    return Finding(
        all(tensor.requires_grad == (tensor.grad_fn is not None) for _, tensor in tensors),
        "; ".join("{}: {}".format(name, recorded(tensor)) for name, tensor in tensors),
    )


@claim(
    "000-20-detach-numpy-gives-float32-array",
    lines="30-34",
    topic="detach",
    kind="semantics",
    says="For x = torch.randn(5, 5), what x.detach().numpy() returns is a numpy.ndarray with shape (5, 5) and "
    "dtype float32.",
    requirements=[
        "detach.numpy-exact-type",
        "memory.shape-kept",
        "dtype.floats-to-numpy",
        "model.default-dtype-is-float32",
    ],
    correct=ALWAYS,
)
def detach_numpy_gives_float32_array(torch, np, device):
    array = torch.randn(5, 5).detach().numpy()
    return Finding(
        type(array) is np.ndarray and array.shape == (5, 5) and array.dtype == np.float32,
        "returned " + described(array),
    )


@claim(
    "000-21-printed-values-plausible-randn",
    lines="42-46",
    topic="listing",
    kind="output",
    says="The 25 numbers at lines 42-46 can pass for a draw of torch.randn(5, 5): the squares of 25 "
    "independent standard normal numbers add up to so little, or less, with a probability of one in a "
    "million or more.",
    requirements=["model.randn-is-standard-normal"],
    correct=NEVER,
    correction="Standard normal numbers are not that small: the squares of 25 of them add up to about 25, and to as "
    "little as those printed (less than 0.1) practically never.",
)
def printed_values_plausible_randn(torch, np, device):
    numbers = [number for row in PRINTED for number in row]
    probability = probability_of_so_small(numbers)
    return Finding(
        probability >= 1e-6,
        "the squares of the {} numbers add up to {:.3f}; the probability of that or less is about {:.0e}".format(
            len(numbers), sum(number * number for number in numbers), probability
        ),
    )


@claim(
    "000-22-ndarray-requires-grad-prints-false",
    lines="47",
    topic="listing",
    kind="output",
    says="For the array y from x.detach().numpy(), line 37, print(y.requires_grad), shows False.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="An ndarray has no requires_grad: line 37 prints nothing and raises AttributeError.",
)
def ndarray_requires_grad_prints_false(torch, np, device):
    return prints(listing_1, torch, np, 37, "False")


@claim(
    "000-23-example-x-had-history",
    lines="49",
    topic="detach",
    kind="semantics",
    says="The x of the example, torch.randn(5, 5), has recorded operations from which detach() can part it: "
    "its grad_fn is not None or its requires_grad is True.",
    requirements=["model.factory-has-no-grad-fn", "model.factory-requires-no-grad"],
    correct=NEVER,
    correction="torch.randn(5, 5) has grad_fn None and requires_grad False: there is nothing to detach.",
)
def example_x_had_history(torch, np, device):
    x = torch.randn(5, 5)
    return Finding(x.grad_fn is not None or x.requires_grad, "torch.randn(5, 5) has {}".format(recorded(x)))


@claim(
    "000-24-detach-strips-x-itself",
    lines="49",
    topic="detach",
    kind="semantics",
    says="x.detach() takes the recorded operations away from the result x itself, which is left with grad_fn "
    "None or requires_grad False.",
    requirements=["detach.original-keeps-grad-fn", "detach.original-keeps-requires-grad"],
    correct=NEVER,
    correction="detach() returns another tensor without a history and leaves x as it was; detach_() is what changes "
    "x itself.",
)
def detach_strips_x_itself(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device) * 2
    before = recorded(x)
    x.detach()
    return Finding(
        x.grad_fn is None or not x.requires_grad, "x has {} before detach(), {} after it".format(before, recorded(x))
    )


@claim(
    "000-25-detached-has-no-history",
    lines="49",
    topic="detach",
    kind="semantics",
    says="Of a result x with recorded operations, x.detach() returns a tensor that has none: grad_fn is None "
    "and requires_grad is False.",
    requirements=["detach.has-no-grad-fn", "detach.requires-no-grad"],
    correct=ALWAYS,
)
def detached_has_no_history(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device) * 2
    detached = x.detach()
    return Finding(
        x.grad_fn is not None and detached.grad_fn is None and detached.requires_grad is False,
        "x has {}, x.detach() has {}".format(recorded(x), recorded(detached)),
    )


@claim(
    "000-26-y-holds-fewer-bytes",
    lines="49",
    topic="memory-usage",
    kind="memory",
    says="Fewer bytes of data are in the array y = x.detach().numpy() than in the tensor x.",
    requirements=["detach.array-begins-at-original", "detach.keeps-byte-count", "model.data-bytes"],
    correct=NEVER,
    correction="y is made on x's own memory and has exactly as many bytes of data as x.",
)
def y_holds_fewer_bytes(torch, np, device):
    x = torch.randn(5, 5)
    y = x.detach().numpy()
    return Finding(size(y) < size(x), "x has {} bytes of data, y {}, {}".format(size(x), size(y), same_place(x, y)))


@claim(
    "000-27-y-accepted-by-numpy-functions",
    lines="49",
    topic="compatibility",
    kind="semantics",
    says="NumPy functions, for instance np.sum, np.mean, np.std, np.max, np.concatenate and np.linalg.norm, "
    "take the array y = x.detach().numpy().",
    requirements=["detach.numpy-exact-type"],
    correct=ALWAYS,
)
def y_accepted_by_numpy_functions(torch, np, device):
    y = torch.ones(2, 2, device=device).detach().numpy()
    functions = (
        ("np.sum", np.sum),
        ("np.mean", np.mean),
        ("np.std", np.std),
        ("np.max", np.max),
        ("np.concatenate", lambda values: np.concatenate([values, values])),
        ("np.linalg.norm", np.linalg.norm),
    )
    outcomes = answers(functions, y)
    return Finding(all(error is None for _, error in outcomes), "given the array: " + names_of(outcomes))


@claim(
    "000-28-detach-numpy-saves-memory-plain",
    lines="55",
    topic="memory-usage",
    kind="memory",
    says="On a tensor without requires_grad, detach().numpy() allocates fewer bytes of data than a bare numpy().",
    requirements=["cost.detach-before-numpy-saves-nothing", "cost.numpy-allocates-nothing"],
    correct=NEVER,
    correction="Neither allocates any: both arrays use the memory that the tensor has already.",
)
def detach_numpy_saves_memory_plain(torch, np, device):
    x = torch.randn(5, 5)
    arrays = (x.detach().numpy(), x.numpy())
    new = [0 if place(array) == place(x) else size(array) for array in arrays]
    return Finding(new[0] < new[1], "new bytes of data: detach().numpy() {}, numpy() {}".format(*new))


@claim(
    "000-29-keeping-only-array-frees-history",
    lines="55",
    topic="memory-usage",
    kind="memory",
    says="What a result's history has saved is freed once nothing but the array from its detach().numpy() is "
    "kept and no reference to the result is left.",
    requirements=["cost.array-keeps-no-history", "detach.array-keeps-no-history"],
    correct=ALWAYS,
)
def keeping_only_array_frees_history(torch, np, device):
    result, factors = long_product(torch, np)
    kept = result.detach().numpy()
    before = allocated(factors)
    del result
    after = allocated(factors)
    return Finding(
        before == 10 and after == 0 and kept.tolist() == [1024.0] * 1000,
        "of the data of 10 saved tensors, those of {} are allocated beside the result, and of {} once only the array "
        "is left".format(before, after),
    )


@claim(
    "000-30-detach-numpy-gives-true-ndarray",
    lines="56",
    topic="compatibility",
    kind="semantics",
    says="For a CPU tensor with or without requires_grad, the type of what detach().numpy() returns is "
    "numpy.ndarray itself.",
    requirements=["detach.numpy-exact-type"],
    correct=ALWAYS,
)
def detach_numpy_gives_true_ndarray(torch, np, device):
    plain = torch.ones(2, device=device)
    leaf = torch.ones(2, requires_grad=True, device=device)
    tensors = (plain, leaf, leaf * 2)
    findings = [returns_array(np, lambda x=tensor: x.detach().numpy(), RuntimeError) for tensor in tensors]
    return alike("of a tensor without requires_grad, a leaf with it, a result", *findings)


@claim(
    "000-31-listing-2-runs",
    lines="62-78",
    topic="listing",
    kind="listing",
    says="No exception stops the code at lines 62-78, as printed, before its end.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="Line 78 raises AttributeError: an ndarray has no requires_grad.",
)
def listing_2_runs(torch, np, device):
    return runs(listing_2, torch, np)


@claim(
    "000-32-listing-2-prints-true",
    lines="80",
    topic="listing",
    kind="output",
    says="As the code at lines 62-78 has it, line 69 shows True for x.requires_grad.",
    requirements=["model.factory-requires-no-grad"],
    correct=NEVER,
    correction="It prints False: torch.randn(5, 5) requires grad only if it is called with requires_grad=True.",
)
def listing_2_prints_true(torch, np, device):
    return prints(listing_2, torch, np, 69, "True")


@claim(
    "000-33-listing-2-repeats-values",
    lines="81-85",
    topic="listing",
    kind="output",
    says="A new run of the code at lines 62-78, in which no seed is set, shows the same 25 numbers as an "
    "earlier run of that code, just as lines 81-85 are those of lines 42-46.",
    requirements=["model.randn-draws-afresh", "model.manual-seed-repeats"],
    correct=NEVER,
    correction="Each interpreter starts with a seed of its own, so that other numbers come out in each run; "
    "torch.manual_seed() makes them repeat.",
)
def listing_2_repeats_values(torch, np, device):
    one, other = drawn_afresh(torch, (5, 5), 2)
    return Finding(
        one == other,
        "two new interpreters drew {}".format("the same numbers" if one == other else "different numbers"),
    )


@claim(
    "000-34-listing-2-ndarray-requires-grad-prints-false",
    lines="86",
    topic="listing",
    kind="output",
    says="y being an ndarray, line 78, print(y.requires_grad), shows False.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="An ndarray has no requires_grad: line 78 prints nothing and raises AttributeError.",
)
def listing_2_ndarray_requires_grad_prints_false(torch, np, device):
    return prints(listing_2, torch, np, 78, "False")


@claim(
    "000-35-listing-3-runs",
    lines="90-103",
    topic="listing",
    kind="listing",
    says="No exception stops the code at lines 90-103, as printed, before its end.",
    requirements=["detach.numpy-exact-type"],
    correct=ALWAYS,
)
def listing_3_runs(torch, np, device):
    return runs(listing_3, torch, np)


@claim(
    "000-36-np-sum-rejects-tensor",
    lines="99-100",
    topic="compatibility",
    kind="semantics",
    says="np.sum belongs to the NumPy functions that take no tensor: given x = torch.randn(5, 5) itself, "
    "np.sum(x) ends in an error.",
    requirements=["array.reductions-raise"],
    correct=ALWAYS,
)
def np_sum_rejects_tensor(torch, np, device):
    x = torch.randn(5, 5)
    return raises(lambda: np.sum(x), TypeError, AttributeError)


@claim(
    "000-37-np-sum-prints-float64-digits",
    lines="105",
    topic="listing",
    kind="output",
    says="Line 103, print(z), shows a number in float64 precision: 16 significant digits or more, like the one "
    "at line 105.",
    requirements=["dtype.floats-to-numpy", "model.default-dtype-is-float32"],
    correct=NEVER,
    correction="The sum of a float32 array is a numpy.float32, which prints with 9 significant digits at most.",
)
def np_sum_prints_float64_digits(torch, np, device):
    screen, _ = run_listing(listing_3, torch, np)
    kind = "numpy." + type(np.sum(torch.randn(5, 5).detach().numpy())).__name__
    digits = screen.shown[103].lower().split("e")[0].replace(".", "").strip("-").lstrip("0")
    enough = len(digits) >= 16
    return Finding(
        enough,
        "z is a {}, printed with {} significant digits".format(kind, "16 or more" if enough else "fewer than 16"),
    )


@claim(
    "000-38-tensor-has-memory-format-method",
    lines="115-120",
    topic="api-existence",
    kind="availability",
    says="memory_format is the name of a method of torch.Tensor.",
    requirements=["absent.memory-format-method"],
    correct=NEVER,
    correction="No tensor has that attribute; the bytes of its data are x.element_size() * x.numel().",
)
def tensor_has_memory_format_method(torch, np, device):
    found = attempt(lambda: torch.randn(2).memory_format, AttributeError)
    return Finding(
        callable(found.value), told(found.error) if found.raised else "memory_format is a " + described(found.value)
    )


@claim(
    "000-39-listing-4-runs",
    lines="109-123",
    topic="listing",
    kind="listing",
    says="No exception stops the code at lines 109-123, as printed, before its end.",
    requirements=["absent.memory-format-method"],
    correct=NEVER,
    correction="Line 116 raises AttributeError: a tensor has no memory_format.",
)
def listing_4_runs(torch, np, device):
    return runs(listing_4, torch, np)


@claim(
    "000-40-listing-4-prints-16000000",
    lines="125",
    topic="listing",
    kind="output",
    says="What the code at lines 109-123 shows is 16000000.",
    requirements=["absent.memory-format-method", "detach.keeps-byte-count"],
    correct=NEVER,
    correction="It prints nothing, because line 116 raises AttributeError; the bytes of x and of x.detach() do not "
    "differ at all.",
)
def listing_4_prints_16000000(torch, np, device):
    return prints(listing_4, torch, np, 123, "16000000")


@claim(
    "000-41-million-floats-take-16mb",
    lines="125",
    topic="memory-usage",
    kind="memory",
    says="torch.randn(1000, 1000) has 16,000,000 bytes of data.",
    requirements=["cost.million-floats-bytes", "model.default-dtype-is-float32"],
    correct=NEVER,
    correction="It has 4,000,000: a million numbers of the default dtype, float32, of 4 bytes each.",
)
def million_floats_take_16mb(torch, np, device):
    x = torch.randn(1000, 1000)
    return Finding(
        size(x) == 16000000, "{} elements of {} bytes: {} bytes of data".format(x.numel(), x.element_size(), size(x))
    )


@claim(
    "000-42-detach-saves-16mb-as-written",
    lines="118-125",
    topic="memory-usage",
    kind="memory",
    says="For the x of the code, torch.randn(1000, 1000), x.detach() takes 16,000,000 bytes less than x.",
    requirements=["detach.keeps-byte-count", "cost.detach-allocates-nothing", "cost.million-floats-bytes"],
    correct=NEVER,
    correction="x.detach() uses the same 4,000,000 bytes of memory as x: the difference is 0.",
)
def detach_saves_16mb_as_written(torch, np, device):
    x = torch.randn(1000, 1000)
    detached = x.detach()
    return Finding(
        size(x) - size(detached) == 16000000,
        "x has {} bytes of data, x.detach() {}, {}".format(size(x), size(detached), same_place(x, detached)),
    )


@claim(
    "000-43-detach-saves-16mb-if-grad",
    lines="118-125",
    topic="memory-usage",
    kind="memory",
    says="Were x made by torch.randn(1000, 1000, requires_grad=True), x = x.detach() would free 16,000,000 bytes.",
    requirements=["cost.rebinding-frees-no-data", "cost.million-floats-bytes"],
    correct=NEVER,
    correction="It frees none: the new x uses the same 4,000,000 bytes of memory, and a leaf has no history that "
    "could hold more.",
)
def detach_saves_16mb_if_grad(torch, np, device):
    x = torch.randn(1000, 1000, requires_grad=True)
    # All that x holds besides its data: a history and a gradient, if it has them.
    extra = [name for name in ("grad_fn", "grad") if getattr(x, name) is not None]
    before, first = size(x), place(x)
    x = x.detach()
    freed = 0 if place(x) == first else before
    return Finding(
        freed == 16000000,
        "x has {} bytes of data{}; {} bytes of them are freed".format(
            before, " and " + " and ".join(extra) if extra else ", no grad_fn and no grad", freed
        ),
    )


@claim(
    "000-44-no-grad-converts-plain",
    lines="136-138",
    topic="no-grad",
    kind="semantics",
    says="For the x of the code, torch.randn(5, 5) without requires_grad, x.numpy() in a torch.no_grad() block "
    "gives a numpy.ndarray.",
    requirements=["grad.plain-tensor-converts", "memory.array-exact-type"],
    correct=ALWAYS,
)
def no_grad_converts_plain(torch, np, device):
    x = torch.randn(5, 5)
    with torch.no_grad():
        return returns_array(np, x.numpy, RuntimeError)


@claim(
    "000-45-no-grad-allows-numpy",
    lines="129-138",
    topic="no-grad",
    kind="semantics",
    says="A torch.no_grad() block can stand in for detach(): in it, numpy() of a tensor x that requires grad "
    "gives a numpy.ndarray and no error.",
    requirements=["mode.no-grad-permits-numpy", "grad.no-grad-raises"],
    correct="torch>=1.6",
    correction="Up to torch 1.5, numpy() refuses a tensor that requires grad in a no_grad block as well; "
    "detach().numpy() works in every release.",
)
def no_grad_allows_numpy(torch, np, device):
    leaf = torch.ones(2, requires_grad=True, device=device)
    result = leaf * 2
    with torch.no_grad():
        return alike("a leaf, a result", *[returns_array(np, x.numpy, RuntimeError) for x in (leaf, result)])


@claim(
    "000-46-listing-5-runs",
    lines="131-141",
    topic="listing",
    kind="listing",
    says="No exception stops the code at lines 131-141, as printed, before its end.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="Line 141 raises AttributeError: an ndarray has no requires_grad.",
)
def listing_5_runs(torch, np, device):
    return runs(listing_5, torch, np)


@claim(
    "000-47-listing-5-prints-false",
    lines="143",
    topic="listing",
    kind="output",
    says="For the array y from x.numpy(), line 141, print(y.requires_grad), shows False.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="An ndarray has no requires_grad: line 141 prints nothing and raises AttributeError.",
)
def listing_5_prints_false(torch, np, device):
    return prints(listing_5, torch, np, 141, "False")


@claim(
    "000-48-cpu-numpy-converts-plain",
    lines="153",
    topic="device-transfer",
    kind="semantics",
    says="For the x of the code, the CPU tensor torch.randn(5, 5) without requires_grad, x.cpu().numpy() gives "
    "a numpy.ndarray.",
    requirements=["device.cpu-returns-self", "grad.plain-tensor-converts"],
    correct=ALWAYS,
)
def cpu_numpy_converts_plain(torch, np, device):
    x = torch.randn(5, 5)
    return returns_array(np, lambda: x.cpu().numpy(), RuntimeError)


@claim(
    "000-49-cpu-numpy-replaces-detach",
    lines="145-153",
    topic="grad-error",
    kind="semantics",
    says="cpu() can stand in for detach(): with grad mode on as by default, x.cpu().numpy() of a CPU tensor x "
    "that requires grad gives a numpy.ndarray and no error.",
    requirements=["grad.cpu-still-raises", "device.cpu-returns-self-with-grad"],
    correct=NEVER,
    correction="cpu() leaves requires_grad as it is, so that numpy() raises RuntimeError all the same; write "
    "x.detach().cpu().numpy().",
)
def cpu_numpy_replaces_detach(torch, np, device):
    x = torch.ones(2, requires_grad=True, device=device)
    return returns_array(np, lambda: x.cpu().numpy(), RuntimeError)


@claim(
    "000-50-cpu-call-moves-listing-tensor",
    lines="152-153",
    topic="device-transfer",
    kind="semantics",
    says="For the x of the code at lines 147-156, which torch.randn(5, 5) creates on the CPU, x.cpu() moves "
    "the data: the tensor that it returns has another storage.",
    requirements=["device.cpu-returns-self"],
    correct=NEVER,
    correction="On a CPU tensor cpu() returns that tensor itself and copies nothing.",
)
def cpu_call_moves_listing_tensor(torch, np, device):
    x = torch.randn(5, 5)
    moved = x.cpu()
    return Finding(
        place(moved) != place(x),
        "x.cpu() is {}, with its data {}".format("x itself" if moved is x else "another tensor", same_place(x, moved)),
    )


@claim(
    "000-51-listing-6-runs",
    lines="147-156",
    topic="listing",
    kind="listing",
    says="No exception stops the code at lines 147-156, as printed, before its end.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="Line 156 raises AttributeError: an ndarray has no requires_grad.",
)
def listing_6_runs(torch, np, device):
    return runs(listing_6, torch, np)


@claim(
    "000-52-listing-6-prints-false",
    lines="158",
    topic="listing",
    kind="output",
    says="For the array y from x.cpu().numpy(), line 156, print(y.requires_grad), shows False.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="An ndarray has no requires_grad: line 156 prints nothing and raises AttributeError.",
)
def listing_6_prints_false(torch, np, device):
    return prints(listing_6, torch, np, 156, "False")


@claim(
    "000-53-contiguous-view-numpy-converts-plain",
    lines="168",
    topic="compatibility",
    kind="semantics",
    says="For the x of the code, torch.randn(5, 5) without requires_grad, x.contiguous().view(-1).numpy() "
    "gives a numpy.ndarray.",
    requirements=["grad.plain-tensor-converts", "memory.contiguous-returns-self", "memory.view-aliases"],
    correct=ALWAYS,
)
def contiguous_view_numpy_converts_plain(torch, np, device):
    x = torch.randn(5, 5)
    return returns_array(np, lambda: x.contiguous().view(-1).numpy(), RuntimeError)


@claim(
    "000-54-contiguous-view-numpy-replaces-detach",
    lines="160-168",
    topic="grad-error",
    kind="semantics",
    says="contiguous().view(-1) can stand in for detach(): with grad mode on as by default, "
    "x.contiguous().view(-1).numpy() of a tensor x that requires grad gives a numpy.ndarray and no error.",
    requirements=["grad.contiguous-view-still-raises"],
    correct=NEVER,
    correction="The view requires grad as x does, so that numpy() raises RuntimeError all the same; detach() is "
    "needed as well.",
)
def contiguous_view_numpy_replaces_detach(torch, np, device):
    x = torch.ones(2, 2, requires_grad=True, device=device)
    return returns_array(np, lambda: x.contiguous().view(-1).numpy(), RuntimeError)


@claim(
    "000-55-contiguous-call-allocates",
    lines="167-168",
    topic="memory-sharing",
    kind="memory",
    says="For the x of the code at lines 162-171, torch.randn(5, 5), x.contiguous() takes new memory: the "
    "tensor that it returns has another storage.",
    requirements=["memory.contiguous-returns-self"],
    correct=NEVER,
    correction="torch.randn(5, 5) is contiguous already, and contiguous() then returns the tensor itself.",
)
def contiguous_call_allocates(torch, np, device):
    x = torch.randn(5, 5)
    made = x.contiguous()
    return Finding(
        place(made) != place(x),
        "x.contiguous() is {}, with its data {}".format(
            "x itself" if made is x else "another tensor", same_place(x, made)
        ),
    )


@claim(
    "000-56-contiguous-view-keeps-shape",
    lines="160-168",
    topic="compatibility",
    kind="semantics",
    says="For x = torch.randn(5, 5), the arrays from x.contiguous().view(-1).numpy() and from "
    "x.detach().numpy() have the same shape.",
    requirements=["memory.flattened-shape", "memory.shape-kept"],
    correct=NEVER,
    correction="view(-1) flattens: the array has shape (25,), while that of x.detach().numpy() has shape (5, 5).",
)
def contiguous_view_keeps_shape(torch, np, device):
    x = torch.randn(5, 5)
    flat, whole = x.contiguous().view(-1).numpy(), x.detach().numpy()
    return Finding(flat.shape == whole.shape, "shape {} against {}".format(tuple(flat.shape), tuple(whole.shape)))


@claim(
    "000-57-listing-7-runs",
    lines="162-171",
    topic="listing",
    kind="listing",
    says="No exception stops the code at lines 162-171, as printed, before its end.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="Line 171 raises AttributeError: an ndarray has no requires_grad.",
)
def listing_7_runs(torch, np, device):
    return runs(listing_7, torch, np)


@claim(
    "000-58-listing-7-prints-false",
    lines="173",
    topic="listing",
    kind="output",
    says="For the array y from x.contiguous().view(-1).numpy(), line 171, print(y.requires_grad), shows False.",
    requirements=["absent.ndarray-requires-grad"],
    correct=NEVER,
    correction="An ndarray has no requires_grad: line 171 prints nothing and raises AttributeError.",
)
def listing_7_prints_false(torch, np, device):
    return prints(listing_7, torch, np, 171, "False")


@claim(
    "000-59-to-numpy-since-1-8",
    lines="175",
    topic="api-existence",
    kind="availability",
    says="torch.Tensor has had a method to_numpy in every release since 1.8.",
    requirements=["absent.to-numpy"],
    correct="torch<1.8",
    correction="No release of torch has it, from 1.8 on or before; the method is numpy().",
)
def to_numpy_since_1_8(torch, np, device):
    found = attempt(lambda: torch.randn(2).to_numpy, AttributeError)
    seen = told(found.error) if found.raised else "to_numpy is a " + described(found.value)
    if release(torch) < (1, 8):
        return Finding(True, "torch {}.{}, of which the statement says nothing: {}".format(*release(torch) + (seen,)))
    return Finding(callable(found.value), seen)


@claim(
    "000-60-listing-8-runs",
    lines="177-186",
    topic="listing",
    kind="listing",
    says="No exception stops the code at lines 177-186, as printed, before its end.",
    requirements=["absent.to-numpy"],
    correct=NEVER,
    correction="Line 183 raises AttributeError: a tensor has no to_numpy.",
)
def listing_8_runs(torch, np, device):
    return runs(listing_8, torch, np)


@claim(
    "000-61-listing-8-prints-false",
    lines="188",
    topic="listing",
    kind="output",
    says="For the y that x.to_numpy() returned, line 186, print(y.requires_grad), shows False.",
    requirements=["absent.to-numpy"],
    correct=NEVER,
    correction="The code never gets there: a tensor has no to_numpy, so that line 183 raises AttributeError.",
)
def listing_8_prints_false(torch, np, device):
    return prints(listing_8, torch, np, 186, "False")


@claim(
    "000-62-choice-depends-on-situation",
    lines="192",
    topic="compatibility",
    kind="opinion",
    says="It depends on the situation which of the methods in the list is the one to use.",
)
def choice_depends_on_situation(torch, np, device):
    raise NotImplementedError("an opinion")


@claim(
    "000-63-no-grad-stops-recording",
    lines="194",
    topic="no-grad",
    kind="semantics",
    says="A computation on a tensor that requires grad goes unrecorded where it runs in a torch.no_grad() "
    "block: the result has grad_fn None and requires_grad False.",
    requirements=[
        "mode.no-grad-result-has-no-grad-fn",
        "mode.no-grad-result-requires-no-grad",
        "mode.no-grad-view-requires-grad",
    ],
    correct=ALWAYS,
)
def no_grad_stops_recording(torch, np, device):
    """Exception: a view made in the block has grad_fn None like the rest, but requires grad if its base does."""
    x = torch.ones(2, 2, requires_grad=True, device=device)
    outside = x * 2
    with torch.no_grad():
        results = [x * 2, x + 1, x.exp(), x.sum(), torch.matmul(x, x)]
    free = [result.grad_fn is None and result.requires_grad is False for result in results]
    return Finding(
        outside.grad_fn is not None and all(free),
        "{} of 5 results (x * 2, x + 1, x.exp(), x.sum(), torch.matmul(x, x)) have grad_fn None and "
        "requires_grad False; outside the block x * 2 has {}".format(sum(free), recorded(outside)),
    )


@claim(
    "000-64-cpu-numpy-converts-cuda-tensor",
    lines="195",
    topic="device-transfer",
    kind="semantics",
    says="x.cpu().numpy() gives a numpy.ndarray with x's values where x is a CUDA tensor that does not require grad.",
    requirements=["device.cpu-moves", "device.cpu-keeps-values"],
    correct=ALWAYS,
    devices=NON_HOST,
)
def cpu_numpy_converts_cuda_tensor(torch, np, device):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    made = attempt(lambda: x.cpu().numpy(), RuntimeError, TypeError)
    if made.raised:
        return Finding(False, told(made.error))
    values = made.value.tolist()
    return Finding(
        type(made.value) is np.ndarray and values == [[1.0, 2.0], [3.0, 4.0]],
        "returned {}, with the values {}".format(described(made.value), values),
    )


@claim(
    "000-65-contiguous-view-gives-contiguous-array",
    lines="196",
    topic="compatibility",
    kind="semantics",
    says="x.contiguous().view(-1).numpy() gives a C-contiguous array where x is not contiguous, being a "
    "transpose, say.",
    requirements=["memory.flattened-array-contiguous", "memory.contiguous-copies-otherwise"],
    correct=ALWAYS,
)
def contiguous_view_gives_contiguous_array(torch, np, device):
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device).t()
    array = x.contiguous().view(-1).numpy()
    return Finding(
        not x.is_contiguous() and type(array) is np.ndarray and bool(array.flags["C_CONTIGUOUS"]),
        "x.is_contiguous() is {}; the array's flag C_CONTIGUOUS is {}, its values are {}".format(
            x.is_contiguous(), bool(array.flags["C_CONTIGUOUS"]), array.tolist()
        ),
    )


@claim(
    "000-66-to-numpy-works-from-1-8",
    lines="197",
    topic="api-existence",
    kind="availability",
    says="From torch 1.8 on, x.to_numpy() turns a CPU tensor x without requires_grad into a numpy.ndarray.",
    requirements=["absent.to-numpy"],
    correct="torch<1.8",
    correction="A tensor has no to_numpy in any release of torch, from 1.8 on or before: the call raises "
    "AttributeError.",
)
def to_numpy_works_from_1_8(torch, np, device):
    x = torch.randn(5, 5)
    finding = returns_array(np, lambda: x.to_numpy(), AttributeError)
    if release(torch) < (1, 8):
        return Finding(
            True, "torch {}.{}, of which the statement says nothing: {}".format(*release(torch) + (finding.evidence,))
        )
    return finding
