"""Runs the tests of requirements on an implementation that has one deliberate fault, and tells which tests notice.

The faults are those of the reference implementation; most can be put into torch itself as well. A test is run only if
it uses the part that is wrong, and what it says counts only if it passes without the fault.
"""

import collections
import contextlib
import functools
import importlib
import inspect
import io
import threading
import warnings
from typing import Any, Callable, Dict, List, NamedTuple, Tuple

import pytest

from . import backends, devices, implementations, judging, paths, sources
from .versions import EDITIONS

_PATIENCE = 60.0  # seconds after which a test that a fault has caught in a loop is given up


class Check(NamedTuple):
    """One test or example of a requirement; ``call(torch)`` raises if it fails."""

    requirement: str
    name: str
    call: Callable[..., Any]
    text: str


class Place(NamedTuple):
    """Where faults are tried: an implementation, the edition that is expected of it, and a device."""

    implementation: str
    edition: str
    device: str


class Kill(NamedTuple):
    """A requirement whose test noticed a fault."""

    fault: str
    requirement: str
    place: Place


class _Catch:
    """Keeps what pytest collects."""

    def __init__(self):
        self.items = []

    def pytest_collection_finish(self, session):
        """Keep the items."""
        self.items = list(session.items)


def collect(numpy, device):
    """Every `Check` of the suite, in its order.

    Raises:
        RuntimeError: pytest cannot collect the suite.
    """
    return [_check(item, numpy, device) for item in _items()]


@functools.lru_cache(maxsize=None)
def _items():
    """What pytest collects, once a process."""
    catch, quiet = _Catch(), io.StringIO()
    arguments = ["--collect-only", "-q", "-p", "conformance.collecting", "-c", str(paths.PACKAGE / "suite.ini")]
    arguments += ["--rootdir", str(paths.PACKAGE), str(paths.CHAPTERS), str(paths.PACKAGE / "test_examples.py")]
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        pytest.main(arguments, plugins=[catch])
    if not catch.items:
        raise RuntimeError("the suite cannot be collected: " + quiet.getvalue()[-500:])
    return catch.items


def _check(item, numpy, device):
    params = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    mark = item.get_closest_marker("requirement")
    known = {name: value for name, value in (("np", numpy), ("device", device)) if name in item._fixtureinfo.argnames}

    def call(torch):
        item.function(torch=torch, **known, **params)

    if mark:
        text = sources.text_of(inspect.getsourcefile(item.function), item.function.__name__)
        return Check(mark.args[0], item.nodeid, call, text)
    return Check(params["exemplified"].id, item.nodeid, call, params["exemplified"].example)


def passes(check, torch):
    """Whether a check passes on an implementation. It has a thread of its own, and so grad modes of its own."""
    outcome = []

    def work():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                check.call(torch)
                outcome.append(True)
            except BaseException:  # whatever it is: pytest's own outcomes derive from BaseException
                outcome.append(False)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(_PATIENCE)
    return outcome == [True]


def places(implementation, requirements, numpy, edition=None):
    """The places at which every requirement is in scope at least once, and which requirements each adds.

    Torch itself has one edition; the reference implementation has all, the newest first. Those that no place here can
    judge are the second part of the answer.
    """
    editions = [edition] if edition else list(reversed(EDITIONS))
    names = [devices.HOST] if edition else [devices.HOST, "cuda", "meta"]
    left, found = dict(requirements), []
    while left:
        best, most = None, set()
        for each in editions:
            for device in names:
                mine = {
                    name
                    for name, known in left.items()
                    if known.range.contains(each, numpy) and devices.in_scope(known.devices, device)
                }
                if len(mine) > len(most):
                    best, most = Place(implementation, each, device), mine
        if not most:
            break
        found.append((best, most))
        left = {name: known for name, known in left.items() if name not in most}
    return found, sorted(left)


class Trial:
    """The checks of some requirements at one place, and which parts of the implementation each of them uses."""

    def __init__(self, place, requirements, numpy):
        self.place = place
        self.faults = importlib.import_module("reference_impl.faults")
        self.torch = implementations.load(place.implementation, place.edition)
        backends.prepare(self.torch, place.device)
        self.all = self.faults.all_faults(place.edition)
        wanted = [check for check in collect(numpy, place.device) if check.requirement in requirements]
        self.checks = [check for check in wanted if passes(check, self.torch)]
        self.requirements = {check.requirement for check in self.checks}
        self.uses = self._uses()
        self._sound: Dict[Tuple[str, str], bool] = {}

    def _uses(self):
        """For each part and each switch, the checks that use it; those that look on from a child process by name."""
        seen: set = set()
        torch, built = self.torch, ()
        if self.place.implementation == judging.REFERENCE:
            torch, built = self.faults.edition_watching(self.place.edition, seen)
            backends.prepare(torch, self.place.device)
        with self.faults.watching(torch, self._paths(), seen):
            found = self._watched(torch, seen)
        for name in built:  # read while the module was laid out: any check may depend on it
            found[name] = list(self.checks)
        return found

    def _paths(self):
        return sorted({fault.path for fault in self.all.values() if fault.path})

    def _watched(self, torch, seen):
        found = collections.defaultdict(list)
        last = [(path, path.rpartition(".")[2]) for path in self._paths()]
        for check in self.checks:
            seen.clear()
            passes(check, torch)
            used = set(seen)
            used.update(path for path, name in last if name in check.text)
            for name in used:
                found[name].append(check)
        return found

    def candidates(self, fault):
        """The checks that could notice a fault."""
        if fault.turned:
            names = {check.name for check in self.uses.get(fault.turned[0], [])}
            return [check for check in self.checks if check.name in names or "in_child" in check.text]
        if fault.kinds:
            names = {check.name for kind in fault.kinds for check in self.uses.get((fault.path, kind), [])}
            names |= {check.name for check in self.uses.get(fault.path, []) if "in_child" in check.text}
            return [check for check in self.checks if check.name in names]
        return self.uses.get(fault.path, []) if fault.path else self.checks

    def kills(self, fault, wanted):
        """The requirements whose checks notice a fault, and whether anything went wrong at all.

        ``wanted(requirement, noticed)`` says whether one more check is worth it, now that the fault was noticed or not.
        """
        if fault.turned:
            torch = self.faults.edition_with(self.place.edition, dict([fault.turned]))
            backends.prepare(torch, self.place.device)
            return self._noticed(fault, torch, wanted), True
        try:
            patch = fault.applied(self.torch)
        except AttributeError:
            return [], False  # what should be wrong is not there
        with patch:
            noticed = self._noticed(fault, self.torch, wanted)
        sound = [check for check in noticed if fault.path is None or self._is_sound(fault.path, check)]
        return sound, patch.happened is None or patch.happened > 0

    def _noticed(self, fault, torch, wanted):
        noticed: List[Check] = []
        for check in self.candidates(fault):
            if wanted(check.requirement, bool(noticed)) and not passes(check, torch):
                noticed.append(check)
        return noticed

    def _is_sound(self, path, check):
        """Whether a check passes where a part is replaced by one that does the same."""
        key = path, check.name
        if key not in self._sound:
            with self.faults.same(self.torch, path):
                self._sound[key] = passes(check, self.torch)
        return self._sound[key]


def run(place, requirements, numpy, names, thorough=True):
    """Try the faults called ``names`` at one place; those that its edition lacks are passed over.

    Returns (`Kill` list, names of faults that showed, requirements that were judged).

    Unless ``thorough``, a fault that was noticed is tried further only on requirements that have noticed nothing yet.
    """
    trial = Trial(place, requirements, numpy)
    noticing, kills, live = set(), [], []
    # Elsewhere only some requirements are asked, perhaps not those that the switch decides.
    whole = (place.edition, place.device) == (EDITIONS[-1], devices.HOST)

    def wanted(requirement, noticed):
        return thorough or not noticed or requirement not in noticing

    for name in names:
        if name not in trial.all:
            continue
        fault = trial.all[name]
        checks, happened = trial.kills(fault, wanted)
        found = {check.requirement for check in checks}
        if happened and (found or not fault.turned or whole):
            live.append(name)
        noticing.update(found)
        kills += [Kill(name, requirement, place) for requirement in sorted(found)]
    return kills, live, trial.requirements
