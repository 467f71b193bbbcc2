"""The pytest plugin: hands the implementation to the tests and collects what they report.

It runs in pytest's own process and in every worker of pytest-xdist. Workers attach a report to each item; the
process that was started writes all of them to the file named by ``--conformance-reports``, one JSON line each, as
they come in, so that nothing is lost if the run is cut short.
"""

import collections
import faulthandler
import gc
import importlib
import json
import os
import re

import pytest

from . import backends, catalogue, collecting, devices, implementations, recipes, running, spec
from .findings import told
from .judging import CANT_TELL, CORRECT, FAILED, INCORRECT, PASSED, UNTESTED

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")
_FOLDERS = re.compile(r"(?<![\w.:/])/(?:[\w.+-]+/)+(?=[\w.+-]+\.py\b)")
_LONGEST = 300


def pytest_addoption(parser):
    """Add the options that ``python -m conformance run`` passes on."""
    group = parser.getgroup("conformance")
    group.addoption("--implementation", default="torch", help="the module under test (default: torch)")
    group.addoption("--edition", default=None, help="the torch release whose behaviour is expected")
    group.addoption("--device", default=devices.HOST, help="the device to test on (default: cpu)")
    group.addoption("--claims", action="append", default=None, help="a module of claims to judge")
    group.addoption("--conformance-reports", default=None, help="the file to which reports are written")
    group.addoption("--conformance-started", default=None, help="the file of the tests that were begun (no workers)")
    group.addoption(
        "--time-limit", type=float, default=60.0, help="seconds after which a test is given up (default: 60)"
    )


def pytest_configure(config):
    """Register the mark, and the part of the plugin that belongs to this process."""
    collecting.pytest_configure(config)
    if not hasattr(config, "workerinput") and config.getoption("--conformance-reports"):
        config.pluginmanager.register(_Collector(config), "conformance-collector")
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(_Judge(config), "conformance-judge")


def scrubbed(text):
    """``text`` on one line, without addresses and folders of this machine; at most 300 characters.

    So a second run, on this machine or another one, writes the same.
    """
    line = _FOLDERS.sub("", _ADDRESS.sub("0x...", " ".join(str(text).split())))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."


@pytest.fixture(scope="session")
def torch(pytestconfig):
    """The implementation under test."""
    module = implementations.load(pytestconfig.getoption("--implementation"), pytestconfig.getoption("--edition"))
    backends.prepare(module, pytestconfig.getoption("--device"))
    return module


@pytest.fixture(scope="session")
def np():
    """NumPy."""
    return importlib.import_module("numpy")


@pytest.fixture(scope="session")
def device(pytestconfig):
    """The name of the device under test."""
    return pytestconfig.getoption("--device")


@pytest.fixture(scope="session")
def environment(pytestconfig, torch, np, device):
    """The environment under test, as it is recorded."""
    return implementations.environment(
        pytestconfig.getoption("--implementation"), torch, np, device, pytestconfig.getoption("--edition")
    )


def pytest_generate_tests(metafunc):
    """Make one item of each claim, of each requirement's example and of each recipe on each kind of tensor."""
    if "recipe_cell" in metafunc.fixturenames:
        metafunc.parametrize("recipe_cell", recipes.CELLS)
    if "claim" in metafunc.fixturenames:
        claims = catalogue.load_claims(metafunc.config.getoption("--claims") or catalogue.DOCUMENTS)
        metafunc.parametrize("claim", list(claims.values()), ids=list(claims))
    collecting.pytest_generate_tests(metafunc)


class _Judge:
    """Runs in the process that runs the tests: chooses the items in scope and reports what each came to."""

    def __init__(self, config):
        self.config = config
        self.requirements = spec.read_requirements()
        self.totals = collections.Counter()
        name = config.getoption("--implementation")
        self.implementation = implementations.load(name, config.getoption("--edition"))
        self.environment = implementations.environment(
            name,
            self.implementation,
            importlib.import_module("numpy"),
            config.getoption("--device"),
            config.getoption("--edition"),
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config, items):
        """Leave out what is outside the device scope, and examples of other releases; count the rest by id."""
        kept, left_out = [], []
        for item in items:
            of, identifier = identity(item)
            if of is None:
                left_out.append(item)
                continue
            item.extra_keyword_matches.add(identifier)  # so that -k finds the tests of a requirement by its id
            (kept if self._in_scope(of, identifier, item) else left_out).append(item)
        begun = self._begun()
        items[:] = [item for item in kept if item.nodeid not in begun]
        config.hook.pytest_deselected(items=left_out)
        self.totals.update(key(item) for item in kept)

    def _begun(self):
        """The node ids of the tests that processes before this one have begun."""
        path = self.config.getoption("--conformance-started")
        if not path:
            return set()
        with open(path, encoding="utf-8") as file:
            return set(file.read().splitlines())

    def _in_scope(self, of, identifier, item):
        device = self.config.getoption("--device")
        if of == "recipe":
            return True
        if of == "probe":
            claim = item.callspec.params["claim"]
            return claim.judged and devices.in_scope(claim.devices, device)
        found = self.requirements.get(identifier)
        if found is None:
            return True  # it fails when it runs: see pytest_runtest_setup
        return devices.in_scope(found.devices, device) and (of == "test" or self.environment.expects(found.range))

    def pytest_runtest_setup(self, item):
        """Refuse a test that cites no requirement the specification has; leave out what the device cannot show."""
        of, identifier = identity(item)
        reason = backends.limits(self.implementation, self.config.getoption("--device")).get(identifier)
        if reason is not None:
            pytest.skip(reason)
        if of == "test" and identifier not in self.requirements:
            pytest.fail("{} cites the unknown requirement {!r}".format(item.nodeid, identifier), pytrace=False)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        """Give a test up after the time limit, by ending this process: it may hang where no exception reaches it."""
        item.refusals = self._refusals()
        gc.freeze()  # tests of lifetimes collect garbage: only their own objects need to be looked at
        with open(os.devnull, "w") as nowhere:
            faulthandler.dump_traceback_later(self.config.getoption("--time-limit"), exit=True, file=nowhere)
            yield
            faulthandler.cancel_dump_traceback_later()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        """Attach to each report what the item came to, and show a test that fails outside its range as expected."""
        outcome = yield
        report = outcome.get_result()
        word, text = self._came_to(item, call, report)
        if word is None:
            return
        of, identifier = identity(item)
        report.conformance = {
            "of": of,
            "id": identifier,
            "word": word,
            "text": None if text is None else scrubbed(text),
            "function": key(item)[1],
            "total": self.totals[key(item)],
        }
        requirement = self.requirements.get(identifier)
        outside = of == "test" and requirement is not None and not self.environment.expects(requirement.range)
        if outside and word == FAILED:
            report.outcome, report.longrepr = "passed", None

    def _refusals(self):
        """How often the implementation has said so far that it does not model something, if it counts that."""
        return getattr(getattr(self.implementation, "NotModelled", None), "raised", 0)

    def _came_to(self, item, call, report):
        """The word and the text for an item's report, or (None, None) if this phase decides nothing.

        An answer of an implementation that refused to answer on the way is none: the test may have taken the refusal,
        which is an exception, for what it expects.
        """
        if call.when == "call" and self._refusals() > item.refusals:
            return UNTESTED, self.implementation.NotModelled.latest
        if call.excinfo is None:
            if call.when != "call":
                return None, None
            if hasattr(item, "seen"):
                return tuple(item.seen)
            finding = getattr(item, "finding", None)
            if finding is None:
                return PASSED, None
            return (CORRECT if finding.holds else INCORRECT), finding.evidence
        error = call.excinfo.value
        if isinstance(error, pytest.skip.Exception) or type(error).__name__ == "NotModelled":
            return UNTESTED, str(error)
        if type(error) is RuntimeError and str(error).startswith("NotModelled: "):  # raised in a forked child
            return UNTESTED, str(error)[len("NotModelled: ") :]
        if getattr(item, "finding", None) is not None:  # judged, and not as stated
            return (CORRECT if item.finding.holds else INCORRECT), item.finding.evidence
        if call.when == "call" and identity(item)[0] not in ("probe", "recipe"):
            return FAILED, told(error)
        return CANT_TELL, told(error)


def identity(item):
    """What an item decides: one of (``test``, requirement id), (``example``, requirement id), (``probe``, claim id) and
    (``recipe``, recipe and kind of tensor).
    """
    params = getattr(getattr(item, "callspec", None), "params", {})
    if "recipe_cell" in params:
        return "recipe", params["recipe_cell"]
    for name, of in (("claim", "probe"), ("exemplified", "example")):
        if name in params:
            # pytest makes one item without a value where there is no claim or no example at all
            return (of, params[name].id) if hasattr(params[name], "id") else (None, None)
    mark = item.get_closest_marker("requirement")
    return "test", mark.args[0] if mark and mark.args else None


def key(item):
    """The id that an item decides and the function that decides it."""
    of, identifier = identity(item)
    return identifier, item.originalname if of == "test" else of


class _Collector:
    """Runs in the process that was started: writes reports down, and crashes of workers as reports."""

    def __init__(self, config):
        self.file = open(config.getoption("--conformance-reports"), "a", encoding="utf-8")  # noqa: SIM115
        self.cited = running.cited_by_test()
        self.last_end = "the process ended"
        started = config.getoption("--conformance-started")
        self.started = open(started, "a", encoding="utf-8") if started else None  # noqa: SIM115

    def _write(self, report):
        self.file.write(json.dumps(report, sort_keys=True) + "\n")
        self.file.flush()

    def pytest_runtest_logreport(self, report):
        """Write down the report of one item."""
        if hasattr(report, "conformance"):
            self._write(report.conformance)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        """Remember how a worker ended, for the crash report that follows."""
        process = getattr(getattr(node.gateway, "_io", None), "popen", None)
        status = process.wait(timeout=30) if error and process is not None else None
        self.last_end = running.how_it_ended(status)

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem, report, sched):
        """A worker was ended by an item: this costs that item's cell and nothing else."""
        self._write(running.end_report(self.cited, crashitem, self.last_end))

    def pytest_runtest_logstart(self, nodeid, location):
        """Write down which test begins, for the case that it ends this process."""
        if self.started:
            self.started.write(nodeid + "\n")
            self.started.flush()

    def pytest_sessionfinish(self):
        """Write down that pytest came to its end."""
        if self.started:
            self.started.write(running.FINISHED + "\n")

    def pytest_unconfigure(self):
        """Close the files."""
        self.file.close()
        if self.started:
            self.started.close()
