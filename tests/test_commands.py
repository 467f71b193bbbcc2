"""``table``, ``explain`` and ``lint`` on the project itself, and on what they must refuse. No torch is needed."""

import csv
import io
import json
import re
import shutil

import pytest
from conftest import ROOT, one_line


def test_lint_finds_nothing(run):
    done = run("lint")
    assert done.returncode == 0, done.stdout


def test_the_truth_table_is_generated_from_the_results(run):
    done = run("table", "--format", "markdown")
    assert done.returncode == 0 and done.stdout == (ROOT / "TRUTH_TABLE.md").read_text(encoding="utf-8")


def test_the_text_table_shows_every_claim_within_100_columns(run):
    text = run("table").stdout
    assert max(len(line) for line in text.splitlines()) <= 100
    shown = set(re.findall(r"^\| (00\d-\d\d) ", text, re.M))
    assert len(shown) == 165 and "\x1b" not in text
    assert "of 165 claims" in text


def test_csv_and_json_agree(run):
    rows = list(csv.DictReader(io.StringIO(run("table", "--format", "csv").stdout)))
    found = json.loads(run("table", "--format", "json").stdout)["claims"]
    assert [(row["id"], row["verdict"]) for row in rows] == [(one["id"], one["verdict"]) for one in found]
    assert len(rows) == 165


def test_output_goes_to_a_file(run, tmp_path):
    assert run("table", "--format", "csv", "-o", tmp_path / "t.csv").stdout == ""
    assert (tmp_path / "t.csv").read_text(encoding="utf-8").startswith("id,document,")
    assert "cannot be written" in one_line(run("table", "-o", tmp_path / "no" / "t.txt"))


def test_explain_shows_text_history_and_script(run):
    text = run("explain", "001-06").stdout
    for part in (
        "001-06-error-in-any-grad-mode",
        "What is true:",
        "Decided by:",
        "torch 1.0-1.5 cpu",
        "correct",
        "To reproduce it",
    ):
        assert part in text
    text = run("explain", "absent.to-numpy").stdout
    assert "MUST · torch>=1.0 · every device" in text and "Checked by conformance/chapters/test_nonexistent.py" in text


@pytest.mark.parametrize(
    "asked, says",
    [
        ("001-99", "no claim or requirement has this id"),
        ("00", "more than one claim or requirement has this id"),
        ("absent.to-nunpy", "did you mean absent.to-numpy"),
    ],
)
def test_an_id_that_means_nothing_is_refused(run, asked, says):
    assert says in one_line(run("explain", asked))


def test_an_opinion_has_no_script(run):
    assert "opinion" in one_line(run("explain", "000-62", "--script"))


@pytest.mark.parametrize("command", [["table"], ["explain", "001-06"], ["lint"]])
@pytest.mark.parametrize("text", ["{", '{"schema": 9}'])
def test_a_damaged_results_file_is_refused_by_every_command(run, tmp_path, command, text):
    for path in (ROOT / "results").glob("*.json"):
        shutil.copy(str(path), str(tmp_path))
    (tmp_path / "torch-1.4.0-numpy1-cpu.json").write_text(text)
    assert "torch-1.4.0-numpy1-cpu.json" in one_line(run(*command, "--results", tmp_path))


def test_other_bad_input_is_one_line(run, tmp_path):
    assert "no such folder" in one_line(run("table", "--results", tmp_path / "nowhere"))
    assert "does not import" in one_line(run("table", "--claims", "nowhere_at_all"))
    assert "no chapters" in one_line(run("lint", "--spec", tmp_path))
    assert "is not there" in one_line(run("lint", "--documents", tmp_path))


def test_usage_errors_have_status_2(run):
    assert (
        run("table", "--format", "pdf").returncode == run("tabel").returncode == run("table", "-k", "x").returncode == 2
    )
