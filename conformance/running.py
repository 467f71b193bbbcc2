"""Runs pytest on the suite in processes of its own, so that what ends an interpreter costs one cell and no more.

pytest-xdist does that with its workers. Where it is not installed, one process runs everything, and when it ends in
the midst of a test another one goes on behind that test.
"""

import importlib.util
import json
import os
import subprocess
import sys
from typing import NamedTuple, Optional, Tuple

from . import paths, sources

FINISHED = "finished"  # the last line of the file of started tests, if pytest came to its end
_MADE_OF = {"test_claim": "probe", "test_example": "example", "test_recipe": "recipe"}


class Plan(NamedTuple):
    """What to run: the implementation, its edition (or None), the device, modules of claims and pytest's arguments."""

    implementation: str
    edition: Optional[str]
    device: str
    modules: Tuple[str, ...]
    arguments: Tuple[str, ...]
    names_files: bool


def child_environment():
    """The environment of a child process in which this package and the working folder's modules can be imported."""
    known = dict(os.environ)
    known["PYTHONPATH"] = os.pathsep.join(
        [str(paths.PACKAGE.parent), os.getcwd()] + list(filter(None, [known.get("PYTHONPATH")]))
    )
    return known


def run(plan, reports):
    """Run a `Plan` and write what its tests report to the file ``reports``. Returns pytest's exit status.

    pytest's output is the progress that a terminal shows. A log, where the summary names every problem, gets it only
    if the caller passes arguments to pytest or pytest could not do its work.
    """
    if has_xdist():
        return _run(_command(plan, reports) + _workers(plan.arguments), plan)
    started = reports.with_name("started.txt")
    started.write_text("", encoding="utf-8")
    cited, begun = cited_by_test(), 0
    while True:
        code = _run(_command(plan, reports) + ["--conformance-started", str(started)], plan)
        lines = started.read_text(encoding="utf-8").splitlines()
        if len(lines) == begun or lines[-1] == FINISHED:  # no test that it began has ended it
            return code
        begun = len(lines)
        with open(str(reports), "a", encoding="utf-8") as file:
            file.write(json.dumps(end_report(cited, lines[-1], how_it_ended(code)), sort_keys=True) + "\n")


def has_xdist():
    """Whether pytest will have its workers."""
    return importlib.util.find_spec("xdist") is not None and not os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")


def _workers(arguments):
    more = []
    if not any(argument.startswith(("-n", "--numprocesses")) for argument in arguments):
        more += ["-n", str(min(2, os.cpu_count() or 1))]
    if not any(argument.startswith("--max-worker-restart") for argument in arguments):
        more += ["--max-worker-restart=10000"]
    return more


def _command(plan, reports):
    command = [sys.executable, "-m", "pytest", "-p", "conformance.plugin", "-c", str(paths.PACKAGE / "suite.ini")]
    command += ["--rootdir", str(paths.PACKAGE), "-q", "--no-header", "--tb=line", "-rN"]
    command += ["--implementation", plan.implementation, "--device", plan.device]
    if plan.edition:
        command += ["--edition", plan.edition]
    for module in plan.modules:
        command += ["--claims", module]
    command += ["--conformance-reports", str(reports)]
    if not plan.names_files:  # the claims first: the longest tests are among them
        files = ["test_claims.py", "chapters", "test_examples.py", "test_recipes.py"]
        command += [str(paths.PACKAGE / name) for name in files]
    return command + list(plan.arguments)


def _run(command, plan):
    if sys.stdout.isatty() or plan.arguments:
        return subprocess.run(command, env=child_environment()).returncode
    done = subprocess.run(command, env=child_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode in (2, 3, 4):  # interrupted, an internal error, or arguments that it does not know
        print(done.stdout, end="", flush=True)
    return done.returncode


def cited_by_test():
    """The requirement that each test function cites, by the name of its file and its own."""
    return {(test.path.name, test.function): test.requirement for test in sources.find_tests()}


def how_it_ended(status):
    """The end of a process that a test has ended, in words; ``status`` as `subprocess` gives it."""
    if status is not None and status < 0:
        return "the interpreter was ended by signal {}".format(-status)
    return "the interpreter ended by itself (status {}), or ran past --time-limit".format(status)


def end_report(cited, node, how):
    """The report of a test that ended its process; ``node`` is its node id, ``cited`` that of `cited_by_test`."""
    path, _, rest = node.partition("::")
    function, _, parameter = rest.partition("[")
    if function in _MADE_OF:
        of, identifier = _MADE_OF[function], parameter[:-1]
        function = of
    else:
        of, identifier = "test", cited.get((os.path.basename(path), function))
    return {"of": of, "id": identifier, "word": "cantTell", "text": how, "function": function, "total": None}
