"""The truth table as Markdown that reads well on a code host."""

import re

from .. import spans, truth


def render(table, requirements):
    """The table as a Markdown document: an overview a document, then the evidence of every claim.

    ``requirements`` are those of the specification by id; the ids that decide a claim are linked to them.
    """
    parts = ["# Truth table", _introduction(table)]
    if table.disagreements:
        parts.append("## Predicted and observed disagree")
        parts.append("\n".join("* {}".format(escaped(str(found))) for found in table.disagreements))
    for document in _documents(table):
        rows = [row for row in table.rows if row.claim.document == document]
        parts += ["## {}".format(document), truth.counted(rows) + ".", _overview(rows)]
    parts.append("## Evidence")
    parts += [_detail(row, requirements) for row in table.rows]
    return "\n\n".join(parts) + "\n"


def _documents(table):
    return dict.fromkeys(row.claim.document for row in table.rows)


def _introduction(table):
    text = (
        "Generated from the recorded results by `python -m conformance table --format markdown -o TRUTH_TABLE.md`; "
        "not edited by hand. *Verdict* is the verdict on the newest release that was run, *by release* all of them, "
        "*predicted* what the reference implementation says. `untested`, `inapplicable` and `cantTell` never "
        "count as correct. The environment `reference` is the reference implementation: what it predicts is "
        "shown where nothing was observed, and never counts as observed."
    )
    lines = [
        text,
        "",
        "| environment | releases | NumPy | Python | device |",
        "| --- | --- | --- | --- | --- |",
    ]
    for (implementation, numpy, python, device), versions in _alike(table.environments).items():
        lines.append("| {} | {} | {} | {} | {} |".format(implementation, ", ".join(versions), numpy, python, device))
    stale = truth.stale(table)
    if stale:
        lines += ["", "{} cells are stale and count as untested until the suite is run again.".format(stale)]
    return "\n".join(lines)


def _alike(environments):
    """The versions of the environments that have everything else in common."""
    found = {}
    for each in environments:
        found.setdefault((each.implementation, each.numpy, truth.minor(each.python), each.device), []).append(
            each.version
        )
    return found


def _overview(rows):
    lines = [
        "| claim | lines | statement | verdict | by release | predicted |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        claim = row.claim
        verdict = row.verdict if row.newest is None else "**{}** on {}".format(row.verdict, truth.where(row.newest))
        releases = "; ".join(" ".join(pair) for pair in truth.by_release(row)) if row.newest else ""
        cells = [
            "[{}](#{})".format(claim.id, claim.id),
            claim.where,
            escaped(claim.says),
            verdict,
            releases,
            truth.foretold(row),
        ]
        lines.append("| {} |".format(" | ".join(cells)))
    return "\n".join(lines)


def _detail(row, requirements):
    claim = row.claim
    lines = [
        "### {}".format(claim.id),
        "",
        "{}, {}: {}".format(claim.document, claim.place, escaped(claim.says)),
        "",
    ]
    if not claim.judged:
        return "\n".join(lines + ["An opinion, which is listed and never judged."])
    if row.newest is None:
        return "\n".join(lines + ["* {}: {}".format(row.verdict, escaped(row.evidence))] + _also(claim, requirements))
    for kind, cells in (("", row.applicable), (truth.PREDICTED, row.predicted)):
        for word, text, observations in spans.by_word(cells):
            lines.append("* **{}{}** {}".format(kind, word, text))
            for evidence, where in _evidence(observations):
                lines.append("  * {}: {}".format(where, escaped(evidence)))
    return "\n".join(lines + _also(claim, requirements))


def _evidence(observations):
    """The distinct texts of ``observations`` with the releases that gave each."""
    return [
        (text or "no evidence", ", ".join(spans.span(run) for run in runs))
        for text, runs in _runs_by_text(observations).items()
    ]


def _runs_by_text(observations):
    answer = {}
    previous = None
    for found in observations:
        runs = answer.setdefault(found.text, [])
        if runs and previous is not None and previous.text == found.text:
            runs[-1].append(found)
        else:
            runs.append([found])
        previous = found
    return answer


def _also(claim, requirements):
    lines = []
    if claim.correction:
        lines.append("* What is true: {}".format(escaped(claim.correction)))
    if claim.requirements:
        lines.append("* Decided by {}".format(", ".join(_linked(name, requirements) for name in claim.requirements)))
    return lines


def _linked(name, requirements):
    if name not in requirements:
        return "`{}`".format(name)
    return "[`{}`](spec/{}.md#{})".format(name, requirements[name].chapter, name.replace(".", ""))


def escaped(text):
    """``text`` so that Markdown shows it as it is, on one line."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", " ".join(text.split()))
