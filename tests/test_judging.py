"""Outcomes and verdicts from reports."""

import pytest

from conformance import judging
from conformance.judging import Cell, Environment, Report


class Asked:
    """Stands for a requirement or a claim."""

    def __init__(self, text="torch>=1.6", devices="every device that holds data"):
        from conformance.versions import parse_range

        self.range = self.correct = parse_range(text)
        self.devices = devices
        self.judged = True


def environment(edition="1.6", device="cpu"):
    return Environment("torch", edition + ".0", "1.19.5", "3.8.18", "linux-x86_64", device, edition)


PASS, FAIL = Report("test", "passed", None), Report("test", "failed", "assert 1 == 2")


@pytest.mark.parametrize(
    "edition, reports, word",
    [
        ("1.6", [PASS, PASS], "passed"),
        ("1.6", [PASS, FAIL], "failed"),
        ("1.6", [PASS, Report("example", "failed", "no")], "failed"),
        ("1.6", [PASS, Report("test", "cantTell", "signal 11")], "cantTell"),
        ("1.6", [PASS, Report("test", "untested", "no onnx")], "untested"),
        ("1.6", [], "cantTell"),
        ("1.5", [FAIL], "inapplicable"),
        ("1.5", [PASS, FAIL], "inapplicable"),
        ("1.5", [PASS, PASS], "failed"),
        ("1.5", [Report("test", "cantTell", "signal 6")], "cantTell"),
    ],
)
def test_requirement_cell(edition, reports, word):
    assert judging.requirement_cell(Asked(), environment(edition), reports).word == word


def test_outside_the_device_scope_nothing_counts():
    assert judging.requirement_cell(Asked(), environment(device="meta"), [PASS]).word == "inapplicable"
    assert judging.claim_cell(Asked(), environment(device="meta"), []).word == "inapplicable"


def test_a_range_that_is_too_narrow_is_named():
    cell = judging.requirement_cell(Asked("torch>=1.8"), environment("1.6"), [PASS])
    assert judging.requirement_problems({"x.y": cell}) == [
        "x.y: failed: the test passes outside the stated range torch>=1.8: the range is wrong"
    ]


@pytest.mark.parametrize(
    "edition, word, problem",
    [("1.6", "correct", False), ("1.6", "incorrect", True), ("1.5", "incorrect", False), ("1.5", "correct", True)],
)
def test_a_verdict_that_is_not_the_stated_one_is_named(edition, word, problem):
    problems = judging.claim_problems({"c-1": Asked()}, environment(edition), {"c-1": Cell(word, "seen")})
    assert len(problems) == problem
    assert all(text.startswith("c-1: observed " + word) for text in problems)


def test_a_check_that_broke_is_a_problem_and_never_a_pass():
    broken = Cell("cantTell", "signal 11")
    assert judging.requirement_problems({"x.y": broken}) == ["x.y: cantTell: signal 11"]
    assert judging.claim_problems({"c-1": Asked()}, environment(), {"c-1": broken}) == ["c-1: cantTell: signal 11"]


def test_a_declared_deviation_is_no_problem_until_it_is_none_any_more():
    failed, passed = judging.Cell(judging.FAILED, "no strides"), judging.Cell(judging.PASSED, None)
    assert judging.requirement_problems({"a.b": failed}) == ["a.b: failed: no strides"]
    assert judging.requirement_problems({"a.b": failed}, {"a.b": "why"}) == []
    assert len(judging.requirement_problems({"a.b": passed}, {"a.b": "why"})) == 1
    broken = judging.Cell(judging.CANT_TELL, "crash")
    assert judging.requirement_problems({"a.b": broken}, {"a.b": "why"}) == ["a.b: cantTell: crash"]
    assert judging.requirement_problems({}, {"a.b": "why"}) == []
