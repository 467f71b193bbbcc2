"""The truth table as JSON."""

import json

from .. import truth


def render(table):
    """The table as JSON text with sorted keys."""
    content = {
        "schema": 1,
        "environments": [dict(found._asdict(), predicted=found.predicts) for found in table.environments],
        "disagreements": [_disagreement(found) for found in table.disagreements],
        "claims": [_claim(row) for row in table.rows],
    }
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _disagreement(found):
    return {
        "id": found.judged.id,
        "environment": found.observed.environment._asdict(),
        "observed": found.observed.word,
        "observed_evidence": found.observed.text,
        "predicted": found.predicted.word,
        "predicted_evidence": found.predicted.text,
    }


def _claim(row):
    claim = row.claim
    return {
        "id": claim.id,
        "document": claim.document,
        "lines": claim.where,
        "topic": claim.topic,
        "kind": claim.kind,
        "statement": claim.says,
        "verdict": row.verdict,
        "evidence": row.evidence,
        "newest": truth.minor(row.newest.version) if row.newest else None,
        "correct_in": row.correct_in,
        "stated": claim.correct.text,
        "correction": claim.correction or None,
        "requirements": list(claim.requirements),
        "cells": [
            {"environment": index, "verdict": found.word, "evidence": found.text, "stale": found.stale}
            for index, found in enumerate(row.observations)
        ],
    }
