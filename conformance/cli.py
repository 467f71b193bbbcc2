"""The command line: ``python -m conformance COMMAND``. Exit status 0 as stated, 1 something differs, 2 bad input."""

import argparse
import os
import re
import sys

from . import __version__
from .commands import baselines, compare, devices, explain, faults, lint, matrix, merge, recipes, run, table
from .errors import BadInput

COMMANDS = (run, table, recipes, explain, compare, devices, matrix, merge, faults, baselines, lint)

# Options of pytest that leave every test in: with any other argument a run is taken for a part of the suite.
_WITH_VALUE = (
    "-n",
    "--numprocesses",
    "--dist",
    "--max-worker-restart",
    "--time-limit",
    "--durations",
    "--tb",
    "--color",
)
_WHOLE = re.compile(r"({}|-v+|-q+|-s|-r\w*)(=.*|\d*)$".format("|".join(_WITH_VALUE)))


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message):
        raise BadInput(self.prog, message, "see {} --help".format(self.prog))


def parser():
    """The parser of the whole command line."""
    top = _Parser(prog="python -m conformance", description=__doc__.split(".")[0] + ".")
    top.add_argument("--version", action="version", version=__version__)
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND")
    subparsers.required = True
    for command in COMMANDS:
        command.add(subparsers)
    return top


def main(arguments=None):
    """Run one command and return the exit status."""
    if sys.stdout is None:  # closed by the caller: nobody reads what is printed
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except BadInput as problem:
        print(problem, file=sys.stderr)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as problem:
        print("standard output: cannot be written ({}); free the disk".format(problem.strerror), file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2


def _run(arguments):
    options, rest = parser().parse_known_args(arguments)
    if rest and not getattr(options, "takes_pytest_arguments", False):
        parser().error("unrecognized arguments: " + " ".join(rest))
    options.pytest_arguments = [argument for argument in rest if argument != "--"]
    options.pytest_arguments_files = any(".py" in argument for argument in rest)
    options.partial = not keeps_every_test(options.pytest_arguments) or bool(os.environ.get("PYTEST_ADDOPTS"))
    return options.main(options)


def keeps_every_test(arguments):
    """Whether pytest runs the whole suite with these ``arguments``."""
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if not _WHOLE.match(argument):
            return False
        if argument in _WITH_VALUE and rest:
            rest.pop(0)
    return True
