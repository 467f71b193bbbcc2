"""What a reproduction script needs besides a probe or a test; `conformance.reproduce` copies parts of this module.

Standard library only. The classes ``raises``, ``warns`` and ``mark`` stand for their namesakes in pytest, so that a
test runs where pytest is not installed.
"""

import importlib
import inspect
import itertools
import re
import sys
import warnings


class raises:
    """Context manager: the body must raise one of the expected exceptions, which is kept as ``value``."""

    def __init__(self, expected, match=None):
        self.expected, self.match, self.value = expected, match, None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        assert kind is not None, "did not raise {}".format(self.expected)
        self.type, self.value = kind, value
        return issubclass(kind, self.expected) and (self.match is None or re.search(self.match, str(value)) is not None)


class warns:
    """Context manager: the body must give a warning of the expected category."""

    def __init__(self, expected, match=None):
        self.expected, self.match = expected, match

    def __enter__(self):
        self.catcher = warnings.catch_warnings(record=True)
        self.list = self.catcher.__enter__()
        warnings.simplefilter("always")
        return self.list

    def __exit__(self, kind, value, trace):
        self.catcher.__exit__(kind, value, trace)
        if kind is None:
            texts = [str(seen.message) for seen in self.list if issubclass(seen.category, self.expected)]
            fitting = [text for text in texts if self.match is None or re.search(self.match, text)]
            assert fitting, "did not warn {}".format(self.expected)


class mark:
    """Parametrization: the values are kept on the test, and all of them are run."""

    @staticmethod
    def parametrize(names, values, ids=None):
        """Keep ``values`` for the arguments ``names``."""

        def keep(function):
            function.parameters = getattr(function, "parameters", []) + [(names, list(values))]
            return function

        return keep


def importorskip(name):
    """Import a module; without it the script ends and says so."""
    try:
        return importlib.import_module(name)
    except ImportError:
        sys.exit("untested: this needs the package {}".format(name))


def calls(function, fixtures):
    """The arguments of each call of a test: the fixtures that it asks for and one choice of its parameters."""
    asked = inspect.signature(function).parameters
    fixed = {name: value for name, value in fixtures.items() if name in asked}
    choices = [
        [dict(zip(names.replace(" ", "").split(","), value if "," in names else [value])) for value in values]
        for names, values in getattr(function, "parameters", [])
    ]
    for choice in itertools.product(*choices):
        parameters = {}
        for part in choice:
            parameters.update(part)
        yield fixed, parameters


def run_tests(tests, torch, np):
    """Run ``tests``, print what each came to, and return the exit status. The device is the script's argument."""
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    print("torch {}, NumPy {}, device {}".format(torch.__version__, np.__version__, device))
    broken = 0
    for test in tests:
        for fixed, parameters in calls(test, {"torch": torch, "np": np, "device": device}):
            name = " ".join([test.__name__] + ["{}={}".format(key, value) for key, value in parameters.items()])
            try:
                test(**fixed, **parameters)
                print("holds   " + name)
            except Exception as error:
                broken += 1
                print("BROKEN  {}: {}: {}".format(name, type(error).__name__, error))
    print("the requirement {} here".format("does not hold" if broken else "holds"))
    return 1 if broken else 0


def run_probe(probe, torch, np):
    """Run a claim's ``probe``, print the verdict and what was seen, return 0. The device is the script's argument."""
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    finding = probe(torch, np, device)
    print("torch {}, NumPy {}, device {}".format(torch.__version__, np.__version__, device))
    print("the claim is {} here".format("correct" if finding.holds else "incorrect"))
    print("seen: " + finding.evidence)
    return 0
