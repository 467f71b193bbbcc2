"""Observing without judging."""

import numpy as np
import pytest

from conformance.findings import Finding, all_of, attempt, described, raises, returns_array, told


def fail(error):
    def call():
        raise error

    return call


def test_an_exception_is_an_answer_only_if_it_was_expected():
    assert attempt(fail(ValueError("no")), ValueError).raised
    assert attempt(lambda: 3, ValueError) == (3, None)
    with pytest.raises(KeyError):
        attempt(fail(KeyError("odd")), ValueError)


def test_what_is_not_modelled_is_never_an_answer():
    class NotModelled(NotImplementedError):
        pass

    with pytest.raises(NotModelled):
        attempt(fail(NotModelled("outside")), RuntimeError, NotImplementedError)


def test_findings_say_what_was_seen():
    assert returns_array(np, lambda: np.zeros((2, 3))) == (
        True,
        "returned numpy.ndarray of dtype float64, shape (2, 3)",
    )
    assert returns_array(np, lambda: [1.0]) == (False, "returned list")
    assert returns_array(np, fail(RuntimeError("no\nmore")), RuntimeError) == (False, "RuntimeError: no")
    assert raises(fail(TypeError("no")), TypeError) == (True, "TypeError: no")
    assert raises(lambda: 3, TypeError) == (False, "no exception; returned int")
    assert told(ValueError()) == "ValueError" and described(None) == "NoneType"


def test_all_of_shows_what_refutes():
    yes, no = Finding(True, "yes"), Finding(False, "no")
    assert all_of(yes, yes) == (True, "yes; yes") and all_of(yes, no, yes) == (False, "no")
