"""Claims modules: what loads, and what is refused in one line that names the place."""

import sys
import textwrap

import pytest

from conformance import catalogue
from conformance.errors import BadInput

GOOD = """
from conformance import claim
from conformance.findings import Finding

DOCUMENT = "mine.txt"


@claim("mine-01", lines="3-4", topic="t", kind="semantics", says="It is so.", requirements=["grad.numpy-raises"])
def it_is_so(torch, np, device):
    return Finding(True, "seen")
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(text, name="my_claims"):
        (tmp_path / (name + ".py")).write_text(textwrap.dedent(text), encoding="utf-8")
        sys.modules.pop(name, None)
        return name

    yield make
    sys.modules.pop("my_claims", None)


def test_a_module_of_claims_loads(module):
    (found,) = catalogue.load_claims([module(GOOD)]).values()
    assert (found.id, found.document, found.lines, found.where) == ("mine-01", "mine.txt", (3, 4), "3-4")
    assert found.correct.text == "always" and found.probe(None, None, None).holds


@pytest.mark.parametrize(
    "old, new, says",
    [
        ("import claim\n", "import nothing_of_the_kind\n", "does not import"),
        ('DOCUMENT = "mine.txt"', "", "names no document"),
        ('"3-4"', '"4-3"', "are no lines"),
        ('"3-4"', '"three"', "are no lines"),
        ('"3-4"', '"\u00b2"', "are no lines"),
        ('"3-4"', "9", "make it text"),
        ('"It is so."', "None", "make it text"),
        ('["grad.numpy-raises"]', '"grad.numpy-raises"', "make it a list of texts"),
        ('["grad.numpy-raises"]', "None", "make it a list of texts"),
        (
            'def it_is_so(torch, np, device):\n    return Finding(True, "seen")',
            "class it_is_so:\n    pass",
            "no function",
        ),
        ("import claim\n", "import claim\nraise SystemExit(4)\n", "SystemExit"),
        ('"semantics"', '"rumour"', "unknown kind"),
        ("requirements=[", 'correct="sometimes", requirements=[', "is not a range"),
        ("requirements=[", 'devices="all", requirements=[', "unknown device scope"),
    ],
)
def test_a_malformed_module_is_refused(module, old, new, says):
    with pytest.raises(BadInput) as caught:
        catalogue.load_claims([module(GOOD.replace(old, new))])
    assert says in str(caught.value) and ("my_claims" in str(caught.value) or "mine-01" in str(caught.value))


def test_two_claims_with_one_id_are_refused(module):
    twice = GOOD + GOOD[GOOD.index("@claim") :].replace("it_is_so", "it_is_so_again")
    with pytest.raises(BadInput, match="mine-01 is already used at"):
        catalogue.load_claims([module(twice)])


def test_a_module_that_is_not_there_is_refused():
    with pytest.raises(BadInput, match="nowhere_at_all.*ModuleNotFoundError"):
        catalogue.load_claims(["nowhere_at_all"])


def test_the_catalogue_is_complete():
    claims = catalogue.load_claims()
    by_document = {}
    for found in claims.values():
        by_document.setdefault(found.document[:3], []).append(found.id)
    assert {name: len(ids) for name, ids in by_document.items()} == {"000": 66, "001": 50, "003": 49}
    for name, ids in by_document.items():
        assert [identifier[:6] for identifier in ids] == [
            "{}-{:02}".format(name, number) for number in range(1, len(ids) + 1)
        ]
    assert sum(not found.judged for found in claims.values()) == 4
