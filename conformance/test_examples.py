"""Runs the example of every requirement, doctest style, on the implementation under test."""

import contextlib
import doctest
import sys

import pytest


@contextlib.contextmanager
def imported_as_torch(module):
    """Let ``import torch`` mean ``module``.

    Other modules that are imported meanwhile stay: torch imports parts of itself on first use, and only once.
    """
    before = sys.modules.get("torch")
    sys.modules["torch"] = module
    try:
        yield
    finally:
        if before is None:
            del sys.modules["torch"]
        else:
            sys.modules["torch"] = before


@pytest.mark.example
def test_example(exemplified, torch, np):
    """The example of a requirement prints what it shows; ``import torch`` in it means the implementation."""
    globals_ = {"torch": torch, "np": np}
    examples = doctest.DocTestParser().get_doctest(
        exemplified.example, globals_, exemplified.id, exemplified.file, exemplified.line
    )
    shown = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False)
    with imported_as_torch(torch):
        runner.run(examples, out=shown.append)
    if runner.failures:
        lines = [line for line in "".join(shown).splitlines() if line.strip() and not line.startswith("*")]
        raise AssertionError(
            "the example does not print what it shows: " + " / ".join(line.strip() for line in lines[2:])
        )
