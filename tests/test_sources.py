"""Digests cover what is judged and nothing else; closures hold all that a function needs."""

import textwrap

import pytest

from conformance import sources
from conformance.errors import BadInput

MODULE = '''
import gc
from conformance import requirement, claim
from conformance.witnesses import address
import pytest

VALUES = ["a", "b"]
OTHER = 1


def helper(x):
    """Helps."""
    return address(x)


# a comment
@requirement("grad.numpy-raises")
@pytest.mark.parametrize("value", VALUES)
def test_it(torch, value):
    # another comment
    gc.collect()
    assert helper(torch.ones(2))


@claim("c-1", lines="1", topic="t", kind="semantics", says="so",
       correct="torch>=1.6")
def probe(torch, np, device):
    return OTHER
'''


@pytest.fixture
def module(tmp_path):
    counter = iter(range(100))

    def make(text=MODULE):
        path = tmp_path / "test_made{}.py".format(next(counter))
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return make


def test_a_closure_holds_the_helpers_the_constants_and_the_imports(module):
    definitions, imports = sources.closure(module(), "test_it")
    assert [definition.name for definition in definitions] == ["VALUES", "address", "helper", "test_it"]
    assert imports == ["import gc", "import pytest"]
    text = sources.text_of(module(), "test_it")
    assert "requirement" not in text and "comment" not in text and "parametrize" in text


@pytest.mark.parametrize(
    "old, new",
    [
        ("# another comment", "# quite another comment"),
        ("# a comment\n", "\n\n"),
        ("OTHER = 1", "OTHER = 2"),
        ('"grad.numpy-raises"', '"grad.other"'),
    ],
)
def test_what_is_not_judged_does_not_change_the_text(module, old, new):
    assert MODULE.count(old) == 1
    assert sources.text_of(module(MODULE.replace(old, new)), "test_it") == sources.text_of(module(), "test_it")


@pytest.mark.parametrize(
    "old, new",
    [
        ('["a", "b"]', '["a"]'),
        ("return address(x)", "return 1"),
        ("assert helper", "assert not helper"),
        ("(2))", "(3))"),
    ],
)
def test_what_is_judged_changes_the_text(module, old, new):
    assert MODULE.count(old) == 1
    assert sources.text_of(module(MODULE.replace(old, new)), "test_it") != sources.text_of(module(), "test_it")


def test_a_stated_range_is_no_part_of_a_probe(module):
    changed = MODULE.replace('correct="torch>=1.6"', 'correct="never"')
    assert (
        sources.text_of(module(changed), "probe")
        == sources.text_of(module(), "probe")
        == "OTHER = 1\ndef probe(torch, np, device):\n    return OTHER"
    )


def test_tests_and_the_requirements_that_they_cite_are_found_without_importing(module, tmp_path):
    module(MODULE + "\nraise SystemExit\n\ndef test_stray(torch):\n    pass\n")
    found = sources.find_tests(tmp_path)
    assert [(test.function, test.requirement) for test in found] == [
        ("test_it", "grad.numpy-raises"),
        ("test_stray", None),
    ]


def test_a_file_that_is_not_python_is_named(module, tmp_path):
    module("def test_(:\n")
    with pytest.raises(BadInput, match=r"test_made0.py:1: not Python"):
        sources.find_tests(tmp_path)


def test_a_digest_tells_indentation_and_parts_apart():
    assert len({sources.digest("a\n b"), sources.digest("a\nb"), sources.digest("a", "b")}) == 3
