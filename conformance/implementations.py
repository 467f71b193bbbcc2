"""Finds the implementation under test and describes the environment that it makes.

Run as ``python -m conformance.implementations`` this prints the environments of one implementation as JSON: a
process of its own, so that an implementation that ends the interpreter cannot take the caller along.
"""

import argparse
import importlib
import importlib.util
import json
import platform
import sys

from . import backends, devices
from .errors import BadInput
from .judging import REFERENCE, Environment
from .versions import EDITIONS, minor, plain

NEWEST = EDITIONS[-1]


def default():
    """The implementation that is meant when none is named: torch, or the reference where torch is not installed."""
    return "torch" if importlib.util.find_spec("torch") else REFERENCE


def load(name, edition=None):
    """The module that stands for ``torch`` when the implementation ``name`` is asked for.

    The reference implementation has a module for each ``edition``; other implementations are what they are.

    Raises:
        BadInput: it does not import, or the reference implementation has no such edition.
    """
    try:
        if name == REFERENCE:
            return importlib.import_module("reference_impl").edition(edition or NEWEST)
        return importlib.import_module(name)
    except (Exception, SystemExit) as problem:  # whatever it raises: the reader must learn which module and why
        raise BadInput(
            "--implementation " + name,
            "the module does not import ({}: {})".format(type(problem).__name__, problem),
            "install it, or name another module shaped like torch",
        ) from problem


def edition_of(name, module, asked=None):
    """The torch release whose behaviour is expected of ``module``: the one ``asked`` for, torch's own, or the newest.

    A module that hands out torch's own ``Tensor`` (torch with a change) is expected to behave like that torch.
    """
    if asked:
        return asked
    torch = sys.modules.get("torch")
    if name == "torch" or torch is not None and getattr(module, "Tensor", None) is getattr(torch, "Tensor", object()):
        return minor((torch or module).__version__)
    return NEWEST


def environment(name, module, numpy, device, edition=None):
    """The `Environment` of ``module`` (loaded as ``name``) with the module ``numpy`` on ``device``."""
    version = str(getattr(module, "__version__", "0")).split("+")[0]
    try:
        plain(version)
    except ValueError:
        raise BadInput(
            "--implementation " + name,
            "its __version__ {!r} is no version".format(version),
            "set it to one such as 0.1",
        ) from None
    return Environment(
        implementation=name,
        version=version,
        numpy=numpy.__version__,
        python=platform.python_version(),
        platform="{}-{}".format(platform.system().lower(), platform.machine().lower()),
        device=device,
        edition=edition_of(name, module, edition),
    )


def absence(module, device):
    """Why ``device`` cannot be used with ``module``, in one line, or None if it can; devices that we make are made."""
    try:
        backends.prepare(module, device)
    except RuntimeError as problem:
        return str(problem)
    return devices.absence(module, device)


def main(arguments=None):
    """Print ``{"environments": {device: {...}}, "absent": {device: reason}}``; status 2 and one line on bad input."""
    parser = argparse.ArgumentParser(prog="python -m conformance.implementations")
    parser.add_argument("implementation")
    parser.add_argument("--edition")
    parser.add_argument("--device", action="append", default=[])
    options = parser.parse_args(arguments)
    found, absent = {}, {}
    try:
        module = load(options.implementation, options.edition)
        numpy = importlib.import_module("numpy")
        for device in options.device:
            reason = absence(module, device)
            if reason is None:
                found[device] = environment(options.implementation, module, numpy, device, options.edition)._asdict()
            else:
                absent[device] = reason
    except BadInput as problem:
        print(problem, file=sys.stderr)
        return 2
    print("\n" + json.dumps({"environments": found, "absent": absent}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
