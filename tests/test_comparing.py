"""``compare``, and the history that ``explain`` tells."""

import json

from conftest import one_line
from fakes import claim, recorded

from conformance import comparing, results, sources, spec, truth

CLAIM = claim()
DIGEST = sources.claim_digest(CLAIM)
REQUIREMENT = next(iter(spec.read_requirements().values()))
TESTS = sources.find_tests()
DIGESTS = {CLAIM.id: DIGEST, REQUIREMENT.id: sources.requirement_digest(REQUIREMENT, TESTS)}
RANGE = "the range is torch>=1.6, and the test does not pass here"


def found(version, verdict, outcome="passed", reason=None, **more):
    made = recorded(version, verdict, DIGEST, **more)
    made.requirements[REQUIREMENT.id] = results.Entry(outcome, reason, DIGESTS[REQUIREMENT.id])
    return made


def compared(before, after):
    return comparing.compare(before, after, {CLAIM.id: CLAIM}, {REQUIREMENT.id: REQUIREMENT}, DIGESTS)


def test_what_two_environments_answer_differently_is_found_with_both_answers():
    same = compared(found("1.5.1", "correct"), found("1.6.0", "correct"))
    assert (same.differences, same.compared, same.left_out) == ((), 2, ())
    both = compared(found("1.5.1", "incorrect", "inapplicable", RANGE, evidence="no"), found("1.6.0", "correct"))
    assert [(each.judged.id, each.before.word, each.after.word) for each in both.differences] == [
        (CLAIM.id, "incorrect", "correct"),
        (REQUIREMENT.id, "inapplicable", "passed"),
    ]
    assert both.differences[0].before.text == "no"


def test_what_one_side_does_not_answer_is_named_and_never_counts_as_equal_or_different():
    some = compared(found("1.5.1", "untested"), found("1.6.0", "correct", "inapplicable", "the scope is meta"))
    assert (some.differences, some.compared, some.left_out) == ((), 0, (CLAIM.id, REQUIREMENT.id))


def test_environments_of_two_releases_are_paired_by_device_and_numpy():
    old = [found("1.5.1", "correct"), found("1.5.1", "correct", device="meta")]
    new = [found("2.6.0", "correct", numpy=numpy) for numpy in ("1.26.4", "2.3.5")]
    pairs = comparing.pairs(old, new)
    assert [(a.environment.numpy, b.environment.numpy) for a, b in pairs] == [("1.19.5", "1.26.4")]
    pairs = comparing.pairs(new[1:], old)
    assert [(a.environment.numpy, b.environment.numpy) for a, b in pairs] == [("2.3.5", "1.19.5")]
    assert comparing.pairs(old[1:], new) == []


def test_changes_are_told_once_for_all_numpys_that_show_them():
    digest = {"digest": DIGEST}
    cells = [recorded("1.5.1", "incorrect", **digest), recorded("1.6.0", "correct", **digest)]
    for numpy in ("1.26.4", "2.3.5"):
        cells += [
            recorded(version, word, numpy=numpy, **digest)
            for version, word in (("2.6.0", "correct"), ("2.7.0", "incorrect"))
        ]
    observations = truth.claim_observations(CLAIM, cells, DIGEST)
    assert comparing.changes(CLAIM, observations) == [
        "1.6 on cpu with NumPy 1: incorrect -> correct",
        "2.7 on cpu with NumPy 1 and 2: correct -> incorrect",
    ]


def test_the_command_compares_two_releases(run):
    done = run("compare", "1.5", "1.6")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("torch 1.5 cpu, NumPy 1 -> torch 1.6 cpu, NumPy 1\n")
    assert "\n000-45-no-grad-allows-numpy\n" in done.stdout and "\nmode.no-grad-permits-numpy\n" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines()) <= 100
    content = json.loads(run("compare", "1.5", "1.6", "--format", "json").stdout)
    assert len(content["comparisons"]) == 1 and content["comparisons"][0]["before"]["edition"] == "1.5"


def test_the_command_compares_an_environment_with_itself(run):
    done = run("compare", "torch-1.6.0-numpy1-cpu", "1.6")
    assert done.returncode == 0 and "0 of" in done.stdout


def test_an_unknown_release_is_refused_with_those_that_are_recorded(run):
    line = one_line(run("compare", "1.5", "0.4"))
    assert line.startswith("0.4: nothing is recorded") and "1.5, 1.6" in line


def test_explain_tells_neighbouring_releases_together_and_where_it_changed(run):
    told = run("explain", "000-45").stdout
    assert "Changed in torch 1.6 on cpu with NumPy 1: incorrect -> correct" in told
    told = run("explain", "mode.no-grad-permits-numpy").stdout
    assert "Changed in torch 1.6 on cpu with NumPy 1: not passed -> passed" in told
