"""Results files: written whole, the same twice, and refused where they are not what they should be."""

import json
import os

import pytest

from conformance import results
from conformance.errors import BadInput
from conformance.judging import Environment
from conformance.results import Entry, Results

ENVIRONMENT = Environment("torch", "1.6.0", "1.19.5", "3.8.18", "linux-x86_64", "cpu", "1.6")
SOME = Results(
    ENVIRONMENT, {"grad.numpy-raises": Entry("passed", None, "d1")}, {"c-1": Entry("incorrect", "한글 → seen", "d2")}
)


def test_round_trip_and_name(tmp_path):
    path = results.write(tmp_path, SOME)
    assert path.name == "torch-1.6.0-numpy1-cpu.json"
    assert results.read(path) == SOME
    before = path.read_bytes()
    results.write(tmp_path, SOME)
    assert path.read_bytes() == before and before.endswith(b"}\n")
    assert "한글" in before.decode("utf-8")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_another_implementation_keeps_its_edition(tmp_path):
    other = SOME._replace(environment=ENVIRONMENT._replace(implementation="my.module", version="0.1", edition="2.13"))
    path = results.write(tmp_path, other)
    assert path.name == "my.module-0.1-numpy1-cpu.json" and results.read(path) == other


def test_a_write_that_fails_leaves_what_was_recorded(tmp_path, monkeypatch):
    path = results.write(tmp_path, SOME)
    before = path.read_bytes()

    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError):
        results.write(tmp_path, SOME._replace(claims={}))
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1


def damage(change):
    content = json.loads(results.render(SOME))
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "not JSON"),
        (results.render(SOME)[:200], "not JSON"),
        ("[]", "no 'schema'"),
        ("{}", "no 'schema'"),
        (damage(lambda c: c.update(schema=2)), "schema is 2"),
        (damage(lambda c: c.pop("claims")), "'claims' is missing"),
        (damage(lambda c: c["environment"].pop("numpy")), "'numpy' is missing"),
        (damage(lambda c: c["environment"].update(version="new")), "nvalid version"),
        (damage(lambda c: c["environment"].update(version="1.7.0")), "rename it to torch-1.7.0-numpy1-cpu.json"),
        (damage(lambda c: c["environment"].update(implementation="other")), "no 'edition'"),
        (damage(lambda c: c.update(claims=[])), "claims must be an object"),
        (damage(lambda c: c.update(environment=None)), "environment must be an object"),
        (damage(lambda c: c["environment"].update(device=None)), "environment.device is None"),
        (damage(lambda c: c["environment"].update(platform={})), "environment.platform is {}"),
        (damage(lambda c: c["environment"].update(edition="1.5")), "the edition of torch 1.6.0 is not 1.5"),
        (damage(lambda c: c.update(schema=True)), "schema is True"),
        ("[" * 100000, "not JSON"),
        (damage(lambda c: c["claims"]["c-1"].update(verdict="right")), "verdict 'right' is none of"),
        (damage(lambda c: c["claims"]["c-1"].update(evidence=3)), "must be text"),
        (damage(lambda c: c["requirements"]["grad.numpy-raises"].pop("digest")), "'digest' is missing"),
    ],
)
def test_refuses_what_is_no_results_file_by_name(tmp_path, text, says):
    path = tmp_path / "torch-1.6.0-numpy1-cpu.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        results.read_all(tmp_path)
    assert "torch-1.6.0-numpy1-cpu.json" in str(caught.value) and says in str(caught.value)
    assert path.read_text(encoding="utf-8") == text


def test_refuses_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(BadInput, match="no such folder"):
        results.read_all(tmp_path / "nowhere")


def test_files_come_in_the_order_of_releases(tmp_path):
    for version, numpy, device in [
        ("1.10.2", "1.26.4", "cpu"),
        ("1.9.1", "1.26.4", "meta"),
        ("1.9.1", "1.26.4", "cpu"),
    ]:
        environment = ENVIRONMENT._replace(version=version, numpy=numpy, device=device, edition=version[:-2])
        results.write(tmp_path, SOME._replace(environment=environment))
    seen = [(found.environment.version, found.environment.device) for found in results.read_all(tmp_path)]
    assert seen == [("1.9.1", "cpu"), ("1.9.1", "meta"), ("1.10.2", "cpu")]


def test_a_partial_run_loses_nothing():
    part = SOME._replace(requirements={}, claims={"c-2": Entry("correct", "seen", "d3")})
    whole = results.merged(SOME, part)
    assert set(whole.claims) == {"c-1", "c-2"} and whole.requirements == SOME.requirements
    assert results.merged(None, part) == part
    other = part._replace(environment=ENVIRONMENT._replace(numpy="1.18.0"))
    with pytest.raises(BadInput, match="recorded with NumPy 1.19.5"):
        results.merged(SOME, other)


def test_differences_name_every_cell_that_would_change():
    assert results.differences(SOME, SOME) == []
    elsewhere = SOME._replace(environment=ENVIRONMENT._replace(python="3.8.1", platform="darwin-arm64"))
    assert results.differences(SOME, elsewhere) == []
    changed = Results(
        ENVIRONMENT._replace(python="3.9.1"),
        {"grad.numpy-raises": Entry("passed", None, "d9"), "grad.new": Entry("passed", None, "d4")},
        {"c-1": Entry("incorrect", "other evidence", "d2")},
    )
    assert [line.split(":")[0] for line in results.differences(SOME, changed)] == [
        "environment", "grad.new", "grad.numpy-raises", "c-1"
    ]  # fmt: skip
    assert results.differences(SOME, SOME._replace(claims={})) == ["c-1: recorded, but no longer judged"]
