"""What differs between releases: one table of named switches, as measured.

A switch has a value for each release. What a release *has* by name is in ``names.tsv``; what it *does* is here. A fault is one
switch turned to a value that the release does not have (`Behaviour.turned`).
"""

from .names import RELEASES

_ORDER = {release: place for place, release in enumerate(RELEASES)}


class Switch:
    """One difference: ``history`` is a tuple of (first release, value), oldest first; ``requirements`` are those it decides."""

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
    Switch("array_base_is_alias", since("1.13"), ["memory.base-is-another-tensor"], "numpy() detaches first"),
    Switch("detach_shares_metadata", until("1.1"), ["detach.metadata-change-reaches-original"], "detach() gives a second handle"),
    Switch("decorates_generators", since("1.5"), ["mode.decorated-generator-runs-disabled"], "a decorated generator runs disabled"),
    Switch(
        "decorator_shares_one_context", until("1.5"), ["mode.recursive-decorated-function-switches"], "a decorator has one context"
    ),
    Switch("decorates_without_parentheses", since("2.1"), ["mode.decorator-without-parentheses"], "@no_grad works bare"),
    Switch("set_grad_enabled_decorates", since("1.5"), ["mode.set-grad-enabled-as-decorator"], "it is a decorator too"),
    Switch(
        "set_grad_enabled_decoration_restores", since("2.2"), ["mode.set-grad-enabled-decoration-keeps-mode"], "decorating undoes the call"
    ),
    Switch("promotes", since("1.3"), ["dtype.promotion"], "operands of different dtypes"),
    Switch("divides_integers_truly", since("1.5"), ["dtype.integer-division"], "integers divide to floats"),
    Switch("compares_to_bool", since("1.2"), ["array.comparison-ufunc-bool"], "comparisons give bool, not uint8"),
    Switch("meta_copy_is_not_implemented", since("1.9"), ["device.meta-has-no-data"], "the exception of a copy out of meta"),
    Switch("to_copy_node", since("1.10"), ["device.cpu-is-recorded"], "the name of the node of to()"),
    Switch("full_infers", since("1.7"), ["dtype.full-infers"], "full() looks at the number"),
    Switch("item_raises_runtime_error", since("2.0"), ["scalar.item-many-raises-runtime-error"], "item() of many elements"),
    Switch("keeps_scalar_dtype", since("1.5"), ["from.numpy-scalar-dtype"], "tensor() of a NumPy scalar keeps its dtype"),
    Switch("lazy_conj", since("1.10"), ["layout.conj-is-lazy"], "conj() sets a bit"),
    Switch("real_conj_is_self", since("1.7"), ["layout.conj-of-real"], "conj() of a real tensor returns it"),
)


class Behaviour:
    """The switches of one release, as attributes; those named in ``turned`` have the values given there instead.

    Raises:
        ValueError: ``turned`` names a switch that does not exist.
    """

    def __init__(self, release, turned=None):
        turned = dict(turned or {})
        for switch in SWITCHES:
            setattr(self, switch.name, turned.pop(switch.name, None) if switch.name in turned else switch.value(release))
        if turned:
            raise ValueError("no such switch: {}".format(", ".join(sorted(turned))))
