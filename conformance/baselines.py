"""Implementations that must not pass: what they score says how much a rate of a real one is worth.

One does nothing (every call raises), one copies wherever memory should be shared, and one refuses nothing. The last two
are the reference implementation with every fault of a kind at once.
"""

import contextlib
import importlib
import types
from pathlib import Path
from typing import Dict, NamedTuple, Tuple

from . import devices, faulting, implementations, judging, paths, spec
from .errors import BadInput

NAMES = ("does nothing", "always copies", "never refuses")
FILE = paths.PACKAGE / "baselines.tsv"
_COLUMNS = ("chapter", "requirements") + NAMES


class Score(NamedTuple):
    """How many requirements of a chapter are judged, and how many of them each of `NAMES` meets."""

    requirements: int
    met: Tuple[int, ...]


class Nothing:
    """Stands for everything that an implementation should have; using it raises RuntimeError, as torch often does."""

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Nothing()

    def _raise(self, *arguments, **options):
        raise RuntimeError("not implemented")

    __call__ = __enter__ = __exit__ = __getitem__ = __setitem__ = __len__ = __iter__ = _raise


class NothingModule(types.ModuleType):
    """A module shaped like torch that does nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


@contextlib.contextmanager
def _faulty(torch, ending):
    """The reference implementation with every fault whose name has an ending."""
    faults = importlib.import_module("reference_impl.faults").all_faults(implementations.NEWEST)
    with contextlib.ExitStack() as stack:
        for name, fault in faults.items():
            if name.endswith(ending) and fault.apply:
                with contextlib.suppress(AttributeError):  # the release lacks the part
                    stack.enter_context(fault.applied(torch))
        yield torch


def scores():
    """The `Score` of each chapter, measured on the newest edition and the host."""
    numpy = importlib.import_module("numpy")
    requirements = {
        name: found
        for name, found in spec.read_requirements().items()
        if found.range.contains(implementations.NEWEST, numpy.__version__)
        and devices.in_scope(found.devices, devices.HOST)
    }
    checks = [check for check in faulting.collect(numpy, devices.HOST) if check.requirement in requirements]
    torch = implementations.load(judging.REFERENCE, implementations.NEWEST)
    met = [_met(checks, NothingModule("nothing"))]
    for ending in (":copies", ":permits"):
        with _faulty(torch, ending):
            met.append(_met(checks, torch))
    found: Dict[str, Score] = {}
    for chapter in sorted({each.chapter for each in requirements.values()}):
        mine = {name for name, each in requirements.items() if each.chapter == chapter}
        found[chapter] = Score(len(mine), tuple(len(mine & some) for some in met))
    return found


def _met(checks, torch):
    """The requirements all of whose checks pass."""
    failed = {check.requirement for check in checks if not faulting.passes(check, torch)}
    return {check.requirement for check in checks} - failed


def render(found):
    """Scores as the text of `FILE`."""
    lines = ["\t".join(_COLUMNS)]
    lines += ["\t".join(map(str, (chapter, score.requirements) + score.met)) for chapter, score in found.items()]
    return "\n".join(lines) + "\n"


def read(path=FILE):
    """The recorded `Score` of each chapter.

    Raises:
        BadInput: the file is missing or damaged.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        if tuple(lines[0].split("\t")) != _COLUMNS:
            raise ValueError(1)
        found = {}
        for number, line in enumerate(lines[1:], 2):
            chapter, *numbers = line.split("\t")
            if len(numbers) != 1 + len(NAMES) or not all(each.isdigit() for each in numbers):
                raise ValueError(number)
            found[chapter] = Score(int(numbers[0]), tuple(map(int, numbers[1:])))
        return found
    except (OSError, IndexError, ValueError) as problem:
        where = "{}:{}".format(paths.shown(path), problem.args[0] if isinstance(problem, ValueError) else 1)
        raise BadInput(where, "missing or damaged", "run 'python -m conformance baselines --write'") from None


def in_words(found):
    """All chapters together in one line, with the denominator."""
    total = sum(score.requirements for score in found.values())
    sums = [sum(score.met[place] for score in found.values()) for place in range(len(NAMES))]
    parts = ["one that {} meets {}".format(name, number) for name, number in zip(NAMES, sums)]
    return "for comparison, of {} requirements on the host: {}".format(total, ", ".join(parts))
