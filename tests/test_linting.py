"""Every kind of gap between specification, tests, claims and documents is found, on small broken copies."""

from pathlib import Path

import pytest
from fakes import claim, recorded

from conformance import documents, linting, sources, spec
from conformance.documents import Document
from conformance.errors import BadInput
from conformance.versions import parse_range

CHAPTER = """# Things

Prefix: `thing`

### thing.is-there
*MUST* · torch>=1.0 · every device

The thing is there.

### thing.is-gone
*MUST* · torch>=2.0 · every device

It is gone.
"""
TESTS = """
from conformance import requirement


@requirement("thing.is-there")
def test_there(torch):
    pass


@requirement("thing.is-gone")
def test_gone(torch):
    pass
"""


@pytest.fixture
def read(tmp_path):
    def call(chapter=CHAPTER, tests=TESTS, module="test_things.py"):
        (tmp_path / "things.md").write_text(chapter, encoding="utf-8")
        (tmp_path / module).write_text(tests, encoding="utf-8")
        return spec.read_requirements(tmp_path), sources.find_tests(tmp_path)

    return call


def test_nothing_is_wrong_with_the_whole_copy(read):
    requirements, tests = read()
    assert linting.untested_requirements(requirements, tests) == linting.stray_tests(requirements, tests) == []


def test_a_test_that_goes_missing(read):
    requirements, tests = read(tests=TESTS.replace("def test_gone", "def gone"))
    (problem,) = linting.untested_requirements(requirements, tests)
    assert "things.md:10: no test cites thing.is-gone" in problem


@pytest.mark.parametrize(
    "old, new, says",
    [
        ('"thing.is-gone"', '"thing.is-lost"', "test_gone cites the unknown requirement thing.is-lost"),
        ('@requirement("thing.is-gone")', "", "test_gone cites no requirement"),
        ('"thing.is-gone"', "GONE", "test_gone cites no requirement"),
    ],
)
def test_a_test_that_cites_nothing_known(read, old, new, says):
    (problem,) = linting.stray_tests(*read(tests=TESTS.replace(old, new)))
    assert says in problem and "test_things.py:" in problem


def test_a_requirement_that_goes_missing(read):
    requirements, tests = read(chapter=CHAPTER[: CHAPTER.index("### thing.is-gone")])
    (problem,) = linting.stray_tests(requirements, tests)
    assert "unknown requirement thing.is-gone" in problem


def test_a_test_in_another_chapter(read):
    problems = linting.stray_tests(*read(module="test_others.py"))
    assert len(problems) == 2 and all("move it to test_things.py" in problem for problem in problems)


def document(lines=3, blank=(2,), nonclaims=None):
    return {"d.txt": Document("d.txt", lines, frozenset(blank), "", nonclaims or {})}


def claims(*found):
    return {one.id: one for one in found}


def test_every_line_is_covered_or_named():
    both = claims(claim(lines=(1, 1)), claim("d-02", lines=(3, 3)))
    assert linting.uncovered_lines(both, document()) == []
    assert linting.uncovered_lines(claims(claim(lines=(1, 1))), document(nonclaims={3: "a heading"})) == []
    (problem,) = linting.uncovered_lines(claims(claim(lines=(1, 1))), document())
    assert problem.startswith("d.txt:3: no claim covers this line")
    (problem,) = linting.uncovered_lines(claims(claim(lines=(1, 4))), document())
    assert "line 4 is past the end of d.txt" in problem
    (problem,) = linting.uncovered_lines(claims(claim(lines=(1, 3))), document(nonclaims={2: "?"}))
    assert "is blank or past its end" in problem
    assert linting.uncovered_lines(claims(claim(document="somebody.txt", lines=(1, 900))), document(0, ())) == []


@pytest.mark.parametrize(
    "changes, says",
    [
        (dict(requirements=("grad.nothing",)), "cites the unknown requirement grad.nothing"),
        (dict(requirements=()), "cites no requirement"),
        (dict(correction=""), "has no correction"),
        (dict(correct=parse_range("always")), "has a correction although"),
    ],
)
def test_what_a_claim_must_have(changes, says):
    known = {"grad.numpy-raises": None}
    assert linting.undecided_claims(claims(claim()), known) == []
    (problem,) = linting.undecided_claims(claims(claim(**changes)), known)
    assert says in problem and problem.startswith("d.py:1: claim d-01-it-converts: ")


def test_an_opinion_needs_neither_correction_nor_requirement():
    assert linting.undecided_claims(claims(claim(kind="opinion", correction="", requirements=())), {}) == []


def test_the_tables_of_documents_are_refused_where_they_are_damaged(tmp_path):
    (tmp_path / "documents.tsv").write_text("document\tlines\tblank\tsha256\nd.txt\t3\t2\tabc\n")
    (tmp_path / "nonclaims.tsv").write_text("document\tlines\twhy\nd.txt\t1,3\ttitle\n")
    assert documents.read_documents(tmp_path)["d.txt"].nonclaims == {1: "title", 3: "title"}
    for text, says in (
        ("document\tlines\twhy\nd.txt\tone\ttitle\n", ":2: 'one' are no lines"),
        ("document\tlines\twhy\ne.txt\t1\ttitle\n", ":2: unknown document 'e.txt'"),
        ("document\tlines\twhy\nd.txt\t1\n", ":2: not 3 columns"),
        ("document\tlines\nd.txt\t1\n", ":1: the columns are not"),
    ):
        (tmp_path / "nonclaims.tsv").write_text(text)
        with pytest.raises(BadInput) as caught:
            documents.read_documents(tmp_path)
        assert says in str(caught.value) and "nonclaims.tsv" in str(caught.value)


def test_a_source_with_other_words_is_noticed(tmp_path):
    import hashlib

    path = tmp_path / "d.txt"
    path.write_text("one\n\ntwo\n")
    known = document()["d.txt"]._replace(sha256=hashlib.sha256(path.read_bytes()).hexdigest())
    assert documents.source_problems(known, path) == []
    path.write_text("one\n\nthree\n")
    (problem,) = documents.source_problems(known, Path(path))
    assert "not the text that the claims speak of" in problem


def test_stale_and_missing_cells_are_named_by_file():
    found = recorded("1.6.0", "correct", "digest")
    both = claims(claim(), claim("d-02-device", devices="the meta device"))
    digests = {"d-01-it-converts": "digest", "d-02-device": "other"}
    assert linting.stale_results([found], {}, both, digests, lambda environment: "a file") == []
    digests["d-01-it-converts"] = "another"
    (problem,) = linting.stale_results([found], {}, both, digests, lambda environment: environment.version)
    assert problem.startswith("1.6.0: 1 cells are stale or missing (d-01-it-converts)")
