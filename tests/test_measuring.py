"""A range that is shifted by one release, in either direction, fails: both sides of each end are recorded."""

import pytest
from conftest import ROOT
from fakes import claim, recorded

from conformance import catalogue, judging, measuring, results, sources, spec
from conformance.judging import Report
from conformance.versions import EDITIONS, parse_range

CLAIM = claim(correct=parse_range("torch>=1.6"))
DIGESTS = {CLAIM.id: sources.claim_digest(CLAIM)}


def found(*cells):
    return [recorded(version, word, DIGESTS[CLAIM.id], **more) for version, word, more in cells]


def problems(*cells):
    return measuring.unmeasured_ends({CLAIM.id: CLAIM}, found(*cells), DIGESTS)


def test_an_end_is_measured_where_both_sides_were_decided():
    assert problems(("1.5.1", "incorrect", {}), ("1.6.0", "correct", {})) == []
    assert problems(("1.5.1", "incorrect", {}), ("1.6.0", "untested", {})) == [
        "d.py:1: d-01-it-converts: no recorded results show that its range ends between torch 1.5 and 1.6; run both"
    ]


def test_an_end_needs_both_sides_on_one_device_with_one_numpy():
    cells = [("1.5.1", "incorrect", {}), ("1.6.0", "untested", {}), ("1.6.0", "correct", {"numpy": "2.0.0"})]
    assert len(problems(*cells)) == 1


def test_a_stale_answer_measures_nothing():
    stale = [recorded("1.5.1", "incorrect", "old"), recorded("1.6.0", "correct", DIGESTS[CLAIM.id])]
    assert len(measuring.unmeasured_ends({CLAIM.id: CLAIM}, stale, DIGESTS)) == 1


@pytest.fixture(scope="module")
def everything():
    requirements, tests, claims = spec.read_requirements(), sources.find_tests(), catalogue.load_claims()
    digests = {name: sources.requirement_digest(each, tests) for name, each in requirements.items()}
    digests.update((name, sources.claim_digest(each)) for name, each in claims.items())
    return requirements, claims, results.read_all(ROOT / "results"), digests


def test_every_release_is_recorded(everything):
    recorded_editions = {
        each.environment.edition for each in everything[2] if each.environment.implementation == "torch"
    }
    assert recorded_editions == set(EDITIONS)


def test_every_end_of_every_range_is_measured(everything):
    requirements, claims, all_results, digests = everything
    judged = {name: each for name, each in claims.items() if each.judged}
    assert measuring.unmeasured_ends(requirements, all_results, digests) == []
    assert measuring.unmeasured_ends(judged, all_results, digests) == []


ANY = next(iter(spec.read_requirements().values()))


def shifted(environment, answer, inside):
    """The outcome if the stated range said the opposite of what it says of this release."""
    reports = [Report("test", judging.PASSED if answer == judging.PASSED else judging.FAILED, "seen")]
    stated = parse_range("never" if inside else "always")
    return judging.requirement_cell(ANY._replace(range=stated, devices="every device"), environment, reports).word


def test_shifting_any_end_of_a_requirement_by_one_release_fails(everything):
    requirements, _, all_results, _ = everything
    number = 0
    for track in measuring.tracks(all_results).values():
        for name, each in requirements.items():
            for pair in measuring.ends(each.range, track):
                for release in pair:
                    entry = track[release].requirements[name]
                    if entry.text is not None and entry.text.startswith("the scope is"):
                        continue
                    inside = track[release].environment.expects(each.range)
                    if measuring.measured(name, entry.digest, track[release]):
                        assert shifted(track[release].environment, entry.word, inside) == judging.FAILED, (
                            name,
                            release,
                        )
                        number += 1
    assert number > 500
