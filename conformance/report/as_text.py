"""The truth table for a terminal, at most 100 columns wide."""

import textwrap

from .. import truth
from ..errors import BadInput

WIDTH = 100
_COLUMNS = (10, 36, 14, 27)  # claim, statement, verdict, evidence; the grid adds 13
_COLOURS = {"correct": "32", "incorrect": "31", "untested": "33", "cantTell": "35"}


def render(table, colour=False):
    """The table as text. ``colour`` marks verdict words with terminal colours; nothing depends on them."""
    parts = [_heading(table)]
    if table.disagreements:
        lines = [textwrap.fill(str(found), WIDTH, subsequent_indent="  ") for found in table.disagreements]
        parts.append("Predicted and observed DISAGREE:\n" + "\n".join(lines))
    for document in dict.fromkeys(row.claim.document for row in table.rows):
        rows = [row for row in table.rows if row.claim.document == document]
        parts.append("{}\n{}".format(document, textwrap.fill(truth.counted(rows), WIDTH)))
        parts.append(_grid([_cells(row, colour) for row in rows]))
    parts.append(textwrap.fill("All documents: " + truth.counted(table.rows), WIDTH))
    return "\n\n".join(parts) + "\n"


def _heading(table):
    text = "Truth table. Observed on {}. ".format(truth.observed_on(table.environments))
    text += "The verdict is that on the newest release that was run; "
    text += "'python -m conformance explain CLAIM' shows a claim in full, with a script that reproduces it."
    if any(found.predicts for found in table.environments):
        text += " Predicted, not observed, by the reference implementation: {}.".format(
            truth.predicted_for(table.environments)
        )
    stale = truth.stale(table)
    if stale:
        text += " {} stale cells count as untested until the suite is run again.".format(stale)
    return textwrap.fill(text, WIDTH)


def _cells(row, colour):
    claim = row.claim
    statement = claim.says
    if claim.correction and row.verdict != "correct":
        statement += "\n-> " + claim.correction
    verdict = [row.verdict]
    if row.newest is not None:
        verdict[0] += " on " + truth.where(row.newest)
        verdict += ["{}: {}".format(word, text) for word, text in truth.by_release(row)]
        verdict += ["predicted: the same"] if truth.agrees(row) else []
    name = claim.id.split("-")
    short = "-".join(name[:2]) if len(name) > 2 and all(part.isdigit() for part in name[:2]) else claim.id
    lines = [
        _wrapped("{}\n{}".format(short, claim.place), _COLUMNS[0]),
        _wrapped(statement, _COLUMNS[1]),
        _wrapped("\n".join(verdict), _COLUMNS[2]),
        _wrapped(row.evidence, _COLUMNS[3]),
    ]
    if colour and row.verdict in _COLOURS:
        first, separator, rest = lines[2].partition("\n")
        lines[2] = "\x1b[{}m{}\x1b[0m{}{}".format(_COLOURS[row.verdict], first, separator, rest)
    return lines


def _wrapped(text, width):
    """Every line of ``text`` wrapped, long words broken, nothing cut."""
    wrapper = textwrap.TextWrapper(width, break_on_hyphens=False)
    return "\n".join(line for part in text.split("\n") for line in wrapper.wrap(part) or [""])


def _grid(rows):
    try:
        from tabulate import tabulate
    except ImportError:
        raise BadInput(
            "tabulate",
            "this package, which prints tables, is not installed",
            "pip install tabulate, or use --format json",
        ) from None
    return tabulate(rows, headers=["claim", "statement", "verdict", "evidence"], tablefmt="grid", disable_numparse=True)
