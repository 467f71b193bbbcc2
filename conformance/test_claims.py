"""Judges every claim: its probe's verdict must be the one that its ``correct`` range states."""

import importlib

import pytest

from .findings import Finding


def test_claim(claim, torch, np, device, environment, request):
    """The observed verdict equals the stated one."""
    for module in claim.needs:
        try:
            importlib.import_module(module)
        except ImportError as problem:
            pytest.skip("the package {} is not installed here ({})".format(module, type(problem).__name__))
    finding = claim.probe(torch, np, device)
    if not isinstance(finding, Finding):
        raise TypeError("the probe of {} returned no Finding".format(claim.id))
    request.node.finding = finding
    stated = environment.expects(claim.correct)
    if finding.holds != stated:
        pytest.fail(
            "{}: observed {}, stated correct={!r}: {}".format(
                claim.id, "correct" if finding.holds else "incorrect", claim.correct.text, finding.evidence
            ),
            pytrace=False,
        )
