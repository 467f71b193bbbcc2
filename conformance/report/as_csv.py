"""The truth table as CSV: one row a claim, one column an environment."""

import csv
import io

from .. import truth


def render(table):
    """The table as CSV text (RFC 4180, but with line feeds)."""
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    fixed = ["id", "document", "lines", "topic", "kind", "statement", "verdict", "newest", "correct_in"]
    fixed += ["evidence", "correction", "requirements"]
    writer.writerow(fixed + [truth.label(environment) for environment in table.environments])
    for row in table.rows:
        claim = row.claim
        newest = truth.minor(row.newest.version) if row.newest else ""
        writer.writerow(
            [claim.id, claim.document, claim.where, claim.topic, claim.kind, claim.says, row.verdict, newest]
            + [row.correct_in, row.evidence, claim.correction, " ".join(claim.requirements)]
            + ["stale" if found.stale else found.word for found in row.observations]
        )
    return output.getvalue()
