"""The source documents: how many lines they have, which are blank, and which hold no claim and why.

The documents themselves are not part of this project; their text is known by its SHA-256 digest.
"""

import csv
import hashlib
from pathlib import Path
from typing import Dict, FrozenSet, NamedTuple

from . import paths
from .errors import BadInput

_FOLDER = paths.PACKAGE / "claims"


class Document(NamedTuple):
    """A source document. ``nonclaims`` says why a line holds no claim, by line number."""

    name: str
    lines: int
    blank: FrozenSet[int]
    sha256: str
    nonclaims: Dict[int, str]


def read_documents(folder=_FOLDER):
    """All source documents by name, from ``documents.tsv`` and ``nonclaims.tsv`` in ``folder``.

    Raises:
        BadInput: a row that cannot be read, or names an unknown document.
    """
    folder = Path(folder)
    found = {}
    for row, where in _rows(folder / "documents.tsv", ("document", "lines", "blank", "sha256")):
        found[row["document"]] = Document(
            row["document"],
            _numbers(row["lines"], where)[0],
            frozenset(_numbers(row["blank"], where)),
            row["sha256"],
            {},
        )
    for row, where in _rows(folder / "nonclaims.tsv", ("document", "lines", "why")):
        if row["document"] not in found:
            raise BadInput(where, "unknown document '{}'".format(row["document"]), "add it to documents.tsv")
        for line in _numbers(row["lines"], where):
            found[row["document"]].nonclaims[line] = row["why"]
    return found


def _rows(path, columns):
    with open(str(path), encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if tuple(reader.fieldnames or ()) != columns:
            raise BadInput(paths.shown(path) + ":1", "the columns are not " + ", ".join(columns), "mend the first line")
        for row in reader:
            where = "{}:{}".format(paths.shown(path), reader.line_num)
            if None in row or None in row.values():
                raise BadInput(where, "not {} columns".format(len(columns)), "separate them by single tabs")
            yield row, where


def _numbers(text, where):
    """The numbers in ``2,4-6`` as a list."""
    numbers = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.isdigit() or not (last or first).isdigit():
            raise BadInput(where, "'{}' are no lines".format(text), "write them as '2,4-6'")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def source_problems(document, path):
    """Problems of the file ``path``, which should be the source ``document``: a list of lines."""
    data = Path(path).read_bytes()
    if hashlib.sha256(data).hexdigest() == document.sha256:
        return []
    lines = len(data.decode("utf-8", "replace").splitlines())
    return [
        "{}: not the text that the claims speak of ({} lines, expected {}, or other words); judge it anew".format(
            paths.shown(path), lines, document.lines
        )
    ]
