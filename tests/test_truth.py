"""The truth table says what the results say, and never more."""

import pytest
from fakes import claim, recorded

from conformance import results, sources, spans, spec, truth
from conformance.catalogue import NON_HOST
from conformance.versions import parse_range

CLAIM = claim()
DIGEST = sources.claim_digest(CLAIM)


def row(*observed, of=CLAIM):
    digest = sources.claim_digest(of)
    found = [recorded(version, verdict, digest, **more) for version, verdict, more in observed]
    return truth.build({of.id: of}, found).rows[0]


def test_the_verdict_is_that_on_the_newest_release():
    seen = row(("1.10.2", "correct", {}), ("1.5.1", "incorrect", {}), ("1.9.1", "correct", {}))
    assert (seen.verdict, seen.newest.version, seen.correct_in) == ("correct", "1.10.2", "1.9-1.10")
    assert [(word, text) for word, text, _ in spans.by_word(seen.observations)] == [
        ("incorrect", "1.5"),
        ("correct", "1.9-1.10"),
    ]


@pytest.mark.parametrize(
    "verdicts, text",
    [
        (["correct", "correct", "correct"], "all measured (1.1-1.3)"),
        (["incorrect", "incorrect", "incorrect"], "none measured (1.1-1.3)"),
        (["correct", "incorrect", "correct"], "1.1, 1.3"),
        (["incorrect", "cantTell", "correct"], "1.3"),
        (["untested", "untested", "untested"], "not measured"),
    ],
)
def test_the_range_is_made_of_measured_releases(verdicts, text):
    assert (
        row(*[("1.{}.0".format(number + 1), verdict, {}) for number, verdict in enumerate(verdicts)]).correct_in == text
    )


def test_two_numpys_that_disagree_are_told_apart():
    seen = row(("2.3.1", "correct", {"numpy": "1.26.4"}), ("2.3.1", "incorrect", {"numpy": "2.2.6"}))
    assert seen.verdict == "incorrect" and seen.correct_in == "2.3 (NumPy 1)"


def test_neighbouring_releases_read_as_ranges_and_numpys_that_differ_as_ranges_of_their_own():
    cells = [("1.0.1", "incorrect", {}), ("1.1.0", "incorrect", {})]
    for version in ("2.3.1", "2.4.1", "2.5.1"):
        cells += [(version, "incorrect", {"numpy": "1.26.4"}), (version, "correct", {"numpy": "2.2.6"})]
    cells += [("2.6.0", "correct", {"numpy": "1.26.4"}), ("2.6.0", "correct", {"numpy": "2.2.6"})]
    cells += [("2.7.0", "incorrect", {"numpy": "1.26.4"})]
    seen = row(*cells)
    assert truth.by_release(seen) == [
        ("incorrect", "1.0-1.1, 2.3-2.5 (NumPy 1), 2.7"),
        ("correct", "2.3-2.5 (NumPy 2), 2.6"),
    ]


def test_a_stale_cell_counts_as_untested_everywhere():
    table = truth.build({CLAIM.id: CLAIM}, [recorded("1.6.0", "correct", "another digest")])
    (seen,) = table.rows
    assert seen.verdict == "untested" and "stale" in seen.evidence and seen.correct_in == "not measured"
    assert truth.stale(table) == 1 and truth.counts(table.rows) == [("untested", 1)]


def test_editing_one_claim_makes_only_its_own_cells_stale():
    other = claim("d-02-other", says="It converts back.")
    found = recorded("1.6.0", "correct", DIGEST)
    found.claims[other.id] = found.claims[CLAIM.id]._replace(digest=sources.claim_digest(other))
    edited = other._replace(says="It always converts back.")
    table = truth.build({CLAIM.id: CLAIM, edited.id: edited}, [found])
    assert [found.verdict for found in table.rows] == ["correct", "untested"]


def test_a_claim_that_no_file_holds_is_untested():
    seen = row(("1.6.0", "correct", {"identifier": "another"}))
    assert seen.verdict == "untested" and "not recorded" in seen.evidence


def test_a_device_claim_is_untested_until_such_a_device_is_recorded():
    cuda = claim(devices=NON_HOST, correct=parse_range("always"))
    seen = row(("2.13.0", "inapplicable", {}), of=cuda)
    assert seen.verdict == "untested" and NON_HOST in seen.evidence and seen.newest is None
    seen = row(("2.13.0", "inapplicable", {}), ("2.9.1", "correct", {"device": "cuda"}), of=cuda)
    assert (seen.verdict, seen.newest.device) == ("correct", "cuda")


def test_the_host_is_asked_before_other_devices():
    seen = row(("2.13.0", "correct", {}), ("2.13.0", "incorrect", {"device": "xla"}))
    assert (seen.verdict, seen.newest.device) == ("correct", "cpu")


def test_opinions_are_listed_and_not_judged():
    seen = row(("2.13.0", "inapplicable", {}), of=claim(kind="opinion"))
    assert seen.verdict == "opinion" and truth.counts([seen]) == [("opinion", 1)]


def test_a_cell_outside_the_device_scope_is_never_stale():
    table = truth.build({CLAIM.id: CLAIM}, [recorded("1.6.0", "inapplicable", "another digest", device="meta")])
    assert truth.stale(table) == 0 and table.rows[0].observations[0].word == "inapplicable"


def test_what_was_seen_on_no_host_says_where():
    cuda = claim(devices=NON_HOST)
    seen = row(("2.13.0", "inapplicable", {}), ("2.13.0", "correct", {"device": "xla"}), of=cuda)
    applicable = [found for found in seen.observations if found.word != "inapplicable"]
    assert [text for _, text, _ in spans.by_word(applicable)] == ["2.13 on xla"]
    everywhere = claim(devices="every device that holds data")
    seen = row(("2.13.0", "incorrect", {}), ("2.13.0", "correct", {"device": "xla"}), of=everywhere)
    assert [text for _, text, _ in spans.by_word(seen.observations)] == ["2.13 (NumPy 1)", "2.13 on xla"]


def predicted(verdict, version="1.6.0", device="cpu", digest=DIGEST):
    return recorded(version, verdict, digest, device=device, implementation="reference")


def test_a_prediction_is_shown_where_nothing_was_observed_and_never_counts_as_observed():
    everywhere = claim(devices="every device")
    digest = sources.claim_digest(everywhere)
    found = [
        recorded("1.6.0", "correct", digest),
        predicted("correct", digest=digest),
        predicted("incorrect", device="cuda", digest=digest),
    ]
    table = truth.build({everywhere.id: everywhere}, found)
    (seen,) = table.rows
    assert (seen.verdict, seen.correct_in) == ("correct", "all measured (1.6)")
    assert truth.by_release(seen) == [("correct", "1.6"), ("predicted incorrect", "1.6 on cuda")]
    assert truth.observed_on(table.environments) == "torch 1.6 on cpu (1 environments)"
    assert not table.disagreements


def test_a_claim_that_was_only_predicted_says_so_in_its_verdict():
    for found in ([predicted("incorrect")], [recorded("1.6.0", "untested", DIGEST), predicted("incorrect")]):
        (seen,) = truth.build({CLAIM.id: CLAIM}, found).rows
        assert (seen.verdict, seen.correct_in) == ("predicted incorrect", "not measured")
        assert truth.counts([seen]) == [("predicted incorrect", 1)]
    assert truth.build({CLAIM.id: CLAIM}, [predicted("untested")]).rows[0].verdict == "untested"


@pytest.mark.parametrize(
    "foretold, number",
    [
        (predicted("incorrect"), 1),
        (predicted("correct"), 0),
        (predicted("untested"), 0),
        (predicted("incorrect", version="1.5.0"), 0),
        (predicted("incorrect", device="cuda"), 0),
        (predicted("incorrect", digest="stale"), 0),
    ],
)
def test_a_prediction_disagrees_with_an_observation_of_the_same_release_numpy_and_device(foretold, number):
    table = truth.build({CLAIM.id: CLAIM}, [recorded("1.6.1", "correct", DIGEST, evidence="saw it"), foretold])
    assert len(table.disagreements) == number
    for found in table.disagreements:
        assert str(found) == (
            "d-01-it-converts: predicted incorrect ({}), observed correct (saw it) on torch 1.6 cpu, NumPy 1".format(
                foretold.claims[CLAIM.id].text
            )
        )


def test_requirements_are_compared_too():
    (requirement,) = list(spec.read_requirements().values())[:1]
    tests = sources.find_tests()
    digest = sources.requirement_digest(requirement, tests)
    found = []
    for made, outcome in ((recorded("1.6.1", "correct", DIGEST), "passed"), (predicted("correct"), "failed")):
        made.requirements[requirement.id] = results.Entry(outcome, None, digest)
        found.append(made)
    table = truth.build({CLAIM.id: CLAIM}, found, {requirement.id: requirement}, tests)
    assert [problem.judged.id for problem in table.disagreements] == [requirement.id]


def test_what_a_backend_is_known_to_do_otherwise_is_no_disagreement():
    requirements = spec.read_requirements()
    tests = sources.find_tests()
    some = {name: requirements[name] for name in ("detach.keeps-offset", "detach.has-no-grad")}
    found = []
    for implementation, outcome in (("torch", "failed"), ("reference", "passed")):
        made = recorded("2.9.1", "correct", DIGEST, numpy="2.3.5", device="xla", implementation=implementation)
        for name, each in some.items():
            digest = sources.requirement_digest(each, tests)
            made.requirements[name] = results.Entry(outcome, None, digest)
        found.append(made)
    table = truth.build({CLAIM.id: CLAIM}, found, some, tests)
    assert [problem.judged.id for problem in table.disagreements] == ["detach.has-no-grad"]
