"""The command line: ``python -m conformance COMMAND``. Exit status 0 as stated, 1 something differs, 2 bad input."""

import argparse
import sys

from . import __version__
from .commands import explain, lint, run, table
from .errors import BadInput

COMMANDS = (run, table, explain, lint)

# Options of pytest that choose among tests, so that not every cell is judged.
_CHOOSING = (
    "-k",
    "-m",
    "-x",
    "--exitfirst",
    "--maxfail",
    "--deselect",
    "--ignore",
    "--lf",
    "--ff",
    "--sw",
    "--co",
    "--collect-only",
)


def parser():
    """The parser of the whole command line."""
    top = argparse.ArgumentParser(prog="python -m conformance", description=__doc__.split(".")[0] + ".")
    top.add_argument("--version", action="version", version=__version__)
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND")
    subparsers.required = True
    for command in COMMANDS:
        command.add(subparsers)
    return top


def main(arguments=None):
    """Run one command and return the exit status."""
    options, rest = parser().parse_known_args(arguments)
    if rest and not getattr(options, "takes_pytest_arguments", False):
        parser().error("unrecognized arguments: " + " ".join(rest))
    options.pytest_arguments = [argument for argument in rest if argument != "--"]
    options.pytest_arguments_files = any(".py" in argument for argument in rest)
    options.pytest_arguments_choose = options.pytest_arguments_files or any(
        argument.startswith(_CHOOSING) for argument in rest
    )
    try:
        return options.main(options)
    except BadInput as problem:
        print(problem, file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 1
