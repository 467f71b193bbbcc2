"""The catalogue of claims: the decorator that makes a probe a claim, and the loading of claims modules."""

import importlib
import inspect
import re
from pathlib import Path
from typing import Callable, NamedTuple, Tuple

from . import devices, paths
from .errors import BadInput
from .versions import ALWAYS, Range, parse_range

KINDS = ("semantics", "memory", "output", "listing", "availability", "performance", "opinion")
DOCUMENTS = ("conformance.claims.doc_000", "conformance.claims.doc_001", "conformance.claims.doc_003")

HOST = "every device whose memory the host can read"
NON_HOST = "every device whose memory the host cannot read"


class Claim(NamedTuple):
    """One atomic statement of a document, with the probe that decides it.

    ``correct`` is the stated range in which the claim holds, ``devices`` a scope phrase of the specification.
    """

    id: str
    document: str
    lines: Tuple[int, int]
    topic: str
    kind: str
    says: str
    requirements: Tuple[str, ...]
    correct: Range
    correction: str
    devices: str
    needs: Tuple[str, ...]
    probe: Callable
    file: str
    line: int

    @property
    def judged(self):
        """Whether the claim can be decided at all: opinions are listed and never judged."""
        return self.kind != "opinion"

    @property
    def where(self):
        """The lines of the document, as people write them."""
        first, last = self.lines
        return str(first) if first == last else "{}-{}".format(first, last)

    @property
    def place(self):
        """The lines of the document in words: ``line 9`` or ``lines 21-37``."""
        return "{} {}".format("line" if self.lines[0] == self.lines[1] else "lines", self.where)


def claim(identifier, lines, topic, kind, says, requirements=(), correct=ALWAYS, correction="", devices=HOST, needs=()):
    """Make the decorated function the probe of a claim.

    The probe is called as ``probe(torch, np, device)`` and returns a `conformance.findings.Finding`; an exception
    that it lets through makes the verdict ``cantTell``. The probe of an opinion is never called.

    Args:
        identifier: permanent id; its module's ``DOCUMENT`` says which document it belongs to.
        lines: lines of the document, such as ``"9"`` or ``"21-37"``.
        topic: what it is about, one word.
        kind: one of `KINDS`.
        says: the claim in our own words.
        requirements: ids of the requirements that decide it.
        correct: `ALWAYS`, `NEVER` or a range such as ``"torch>=1.6"`` in which it holds; checked on every run.
        correction: what is true instead, for a reader; needed unless ``correct`` is `ALWAYS`.
        devices: the scope phrase of the devices it speaks of.
        needs: modules besides torch and NumPy without which it is ``untested``.
    """

    def decorate(probe):
        probe.claim = dict(
            id=identifier,
            lines=lines,
            topic=topic,
            kind=kind,
            says=says,
            requirements=requirements,
            correct=correct,
            correction=correction,
            devices=devices,
            needs=needs,
        )
        return probe

    return decorate


def load_claims(modules=DOCUMENTS):
    """All claims of the named modules by id, in the order in which they stand.

    Raises:
        BadInput: a module that does not import or names no document, a malformed claim, or an id that stands twice.
    """
    claims = {}
    for name in modules:
        for found in _claims_of(_module(name), name):
            if found.id in claims:
                other = claims[found.id]
                raise BadInput(
                    "{}:{}".format(found.file, found.line),
                    "the claim id {} is already used at {}:{}".format(found.id, other.file, other.line),
                    "choose another",
                )
            claims[found.id] = found
    return claims


def _module(name):
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as problem:  # whatever the module raises, the reader must learn which module and why
        raise BadInput(
            "--claims " + name,
            "the module does not import ({}: {})".format(type(problem).__name__, problem),
            "name an importable module of claims",
        ) from problem


def _claims_of(module, name):
    document = getattr(module, "DOCUMENT", None)
    if not isinstance(document, str):
        raise BadInput("--claims " + name, "the module names no document", "add DOCUMENT = 'name-of-the-document'")
    for value in list(vars(module).values()):
        if hasattr(value, "claim") and getattr(value, "__module__", None) == module.__name__:
            yield _checked(document, value)


def _checked(document, probe):
    facts = dict(probe.claim)
    code = getattr(probe, "__code__", None)
    if code is None:
        raise BadInput("claim {}".format(facts["id"]), "its probe is no function", "decorate a function")
    file = paths.shown(Path(code.co_filename))
    line = inspect.getsourcelines(probe)[1]

    def bad(what, mend):
        return BadInput("{}:{}".format(file, line), "claim {}: {}".format(facts["id"], what), mend)

    for name in ("id", "lines", "topic", "kind", "says", "correct", "correction", "devices"):
        if not isinstance(facts[name], str):
            raise bad("{} is {!r}".format(name, facts[name]), "make it text")
    for name in ("requirements", "needs"):
        if not isinstance(facts[name], (list, tuple)) or not all(isinstance(part, str) for part in facts[name]):
            raise bad("{} is {!r}".format(name, facts[name]), "make it a list of texts")
        facts[name] = tuple(facts[name])
    if not re.match(r"[0-9]+(-[0-9]+)?$", facts["lines"]):
        raise bad("'{}' are no lines".format(facts["lines"]), "write them as '9' or '21-37'")
    ends = facts["lines"].split("-")
    if not 1 <= int(ends[0]) <= int(ends[-1]):
        raise bad("'{}' are no lines".format(facts["lines"]), "write them as '9' or '21-37'")
    if facts["kind"] not in KINDS:
        raise bad("unknown kind '{}'".format(facts["kind"]), "use one of: " + ", ".join(KINDS))
    if facts["devices"] not in devices.SCOPES:
        raise bad("unknown device scope '{}'".format(facts["devices"]), "use a scope phrase of the specification")
    try:
        correct = parse_range(facts["correct"])
    except ValueError as problem:
        raise bad(str(problem), "mend the range") from None
    return Claim(
        facts["id"],
        document,
        (int(ends[0]), int(ends[-1])),
        facts["topic"],
        facts["kind"],
        facts["says"],
        facts["requirements"],
        correct,
        facts["correction"],
        facts["devices"],
        facts["needs"],
        probe,
        file,
        line,
    )
