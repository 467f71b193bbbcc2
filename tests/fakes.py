"""Claims and results for tests, made by hand."""

from conformance import findings
from conformance.catalogue import HOST, Claim
from conformance.judging import Environment
from conformance.results import Entry, Results
from conformance.versions import parse_range


def probe(torch, np, device):
    """A probe."""
    return findings.Finding(True, "seen")


def claim(identifier="d-01-it-converts", **changes):
    """A claim of a document that nobody wrote."""
    facts = dict(
        id=identifier,
        document="d.txt",
        lines=(1, 1),
        topic="t",
        kind="semantics",
        says="It converts.",
        requirements=("grad.numpy-raises",),
        correct=parse_range("torch>=1.6"),
        correction="It converts from 1.6 on.",
        devices=HOST,
        needs=(),
        probe=probe,
        file="d.py",
        line=1,
    )
    facts.update(changes)
    return Claim(**facts)


def environment(version, numpy="1.19.5", device="cpu", implementation="torch"):
    """An environment of torch, or of another implementation that stands for the same release."""
    return Environment(implementation, version, numpy, "3.8.18", "linux-x86_64", device, version.rsplit(".", 1)[0])


def recorded(
    version,
    verdict,
    digest,
    numpy="1.19.5",
    device="cpu",
    evidence="seen",
    identifier="d-01-it-converts",
    implementation="torch",
):
    """Results of one environment with one claim."""
    where = environment(version, numpy, device, implementation)
    return Results(where, {}, {identifier: Entry(verdict, evidence, digest)})
