"""Every format shows every claim, cuts nothing and breaks on nothing."""

import csv
import io
import json
import re

import pytest
from fakes import claim, recorded

from conformance import sources, truth
from conformance.report import as_csv, as_json, as_markdown, as_text

HOSTILE = "a|b <script>alert(1)</script> `x` *y* [z](w) \\ 한글 " + "long" * 40


@pytest.fixture
def table():
    claims = {
        found.id: found
        for found in (
            claim(),
            claim("d-02-hostile", says=HOSTILE, correction=HOSTILE, document="e.txt"),
            claim("d-03-opinion", kind="opinion"),
        )
    }
    found = []
    for version, verdict in (("1.5.1", "incorrect"), ("1.6.0", "correct"), ("2.13.0", "incorrect")):
        digests = {name: sources.claim_digest(one) for name, one in claims.items()}
        one = recorded(version, verdict, digests["d-01-it-converts"], evidence="saw | " + verdict)
        for name, digest in digests.items():
            one.claims[name] = one.claims["d-01-it-converts"]._replace(digest=digest)
        found.append(one)
    return truth.build(claims, found)


def test_text_fits_100_columns_and_cuts_nothing(table):
    text = as_text.render(table)
    assert max(len(line) for line in text.splitlines()) <= 100
    squeezed = re.sub(r"[\s|+=-]", "", text)
    for part in ("longlonglong" * 8, "alert(1)", "한글", "incorrecton2.13", "correct:1.6", "incorrect:1.5,2.13"):
        cells = [re.sub(r"[\s|+=-]", "", line) for line in text.splitlines()]
        assert part in squeezed or all(piece in "".join(cells) for piece in (part[:4], part[-4:])), part
    assert "\x1b" not in text and "\x1b[31m" in as_text.render(table, colour=True)
    assert max(len(re.sub("\x1b.*?m", "", line)) for line in as_text.render(table, colour=True).splitlines()) <= 100
    assert "1 opinion of 2 claims" in text and "All documents: 2 incorrect, 1 opinion of 3 claims" in text


def test_markdown_escapes_and_links(table):
    text = as_markdown.render(table, {})
    assert "<script>" not in text.replace("\\<script", "")
    rows = [line for line in text.splitlines() if line.startswith("| [d-")]
    assert len(rows) == 3
    assert all(len(re.split(r"(?<!\\)\|", row)) == 8 for row in rows)
    assert text.count("\n### d-") == 3
    assert "* **correct** 1.6\n  * 1.6: saw \\| correct" in text


def test_csv_holds_a_row_a_claim_and_a_column_an_environment(table):
    rows = list(csv.DictReader(io.StringIO(as_csv.render(table))))
    assert [row["id"] for row in rows] == ["d-01-it-converts", "d-02-hostile", "d-03-opinion"]
    assert rows[1]["statement"] == HOSTILE
    assert rows[0]["torch 1.6 cpu, NumPy 1"] == "correct" and rows[0]["verdict"] == "incorrect"


def test_json_holds_every_cell(table):
    content = json.loads(as_json.render(table))
    assert [len(found["cells"]) for found in content["claims"]] == [3, 3, 3]
    assert content["claims"][0]["cells"][1] == {
        "environment": 1,
        "verdict": "correct",
        "evidence": "saw | correct",
        "stale": False,
    }


def test_every_format_tells_predicted_from_observed_and_puts_disagreements_first():
    one = claim()
    digest = sources.claim_digest(one)
    found = [recorded("1.6.0", "correct", digest), recorded("1.6.0", "incorrect", digest, implementation="reference")]
    table = truth.build({one.id: one}, found)
    sentence = "d-01-it-converts: predicted incorrect (seen), observed correct (seen) on torch 1.6 cpu, NumPy 1"
    same = recorded("1.6.0", "correct", digest, implementation="reference")
    agreed = truth.build({one.id: one}, [found[0], same])
    text = as_text.render(table)
    assert " ".join(text.split()).index(sentence) < " ".join(text.split()).index("| claim")
    assert "Predicted, not observed, by the reference implementation: reference 1.6 on cpu" in " ".join(text.split())
    assert "predicted: the" not in text and "predicted: the" in as_text.render(agreed)
    markdown = as_markdown.render(table, {})
    assert "| correct 1.6 | incorrect 1.6 |" in markdown
    assert "| correct 1.6 | correct 1.6 |" in as_markdown.render(agreed, {})
    assert markdown.index("## Predicted and observed disagree") < markdown.index("## d.txt")
    content = json.loads(as_json.render(table))
    assert [(each["id"], each["predicted"]) for each in content["disagreements"]] == [("d-01-it-converts", "incorrect")]
    assert [each["predicted"] for each in content["environments"]] == [False, True]
    only = truth.build({one.id: one}, found[1:])
    for rendered in (as_text.render(only), as_markdown.render(only, {}), as_json.render(only), as_csv.render(only)):
        assert "predicted incorrect" in " ".join(re.sub(r"[|*]", " ", rendered).split())
