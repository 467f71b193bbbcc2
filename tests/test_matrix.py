"""``matrix``: which environments are run, and what becomes of those that cannot be."""

import pytest
from conftest import one_line
from fakes import recorded

from conformance import matrix, releases, versions
from conformance.matrix import Planned

CONFIG = """\
[testenv:torch1.9]
deps =
  pytest
  torch==1.9.1
  numpy==1.26.4
  onnx==1.17.0
commands = python -m conformance run --device cpu --device meta --check

[testenv:torch2.13-numpy2]
deps =
  torch==2.13.0
  numpy==2.4.6
commands = python -m conformance run --device cpu --check
"""


def test_the_results_files_of_an_environment_follow_from_its_pins():
    assert matrix.read_config(CONFIG) == [
        Planned("torch1.9", ("torch-1.9.1-numpy1-cpu.json", "torch-1.9.1-numpy1-meta.json")),
        Planned("torch2.13-numpy2", ("torch-2.13.0-numpy2-cpu.json",)),
    ]


@pytest.mark.parametrize("gone", ["  torch==1.9.1\n", "  numpy==1.26.4\n", "--device cpu --device meta"])
def test_an_environment_without_pins_is_refused_by_name(gone):
    with pytest.raises(ValueError, match="torch1.9 must pin"):
        matrix.read_config(CONFIG.replace(gone, ""))


def test_an_environment_is_run_unless_every_cell_of_every_file_is_recorded_and_fresh():
    planned = Planned("torch1.6", ("torch-1.6.0-numpy1-cpu.json",))
    digests = {"d-01-it-converts": "one"}
    assert matrix.current(planned, [recorded("1.6.0", "correct", "one")], digests)
    for have in ([], [recorded("1.5.0", "correct", "one")], [recorded("1.6.0", "correct", "two")]):
        assert not matrix.current(planned, have, digests)
    assert not matrix.current(planned, [recorded("1.6.0", "correct", "one")], {**digests, "d-02": "new"})
    assert not matrix.current(planned, [recorded("1.6.0", "correct", "one")], {})


def test_the_time_left_is_an_estimate_from_what_was_run():
    assert matrix.time_left([], 4) == "no estimate yet"
    assert matrix.time_left([10.0, 20.0], 4) == "about 60 s left"
    assert matrix.time_left([60.0], 30) == "about 30 min left"


def test_tox_has_an_environment_for_each_release_and_each_numpy(run):
    pytest.importorskip("tox")
    done = run("matrix", "--all", "--dry-run")
    assert done.returncode == 0, done.stderr
    names = done.stdout.splitlines()[1:]
    wanted = set()
    for edition in versions.EDITIONS:
        new = tuple(int(part) for part in edition.split(".")) >= (2, 3)
        wanted.update("torch{}{}".format(edition, suffix) for suffix in (("-numpy1", "-numpy2") if new else ("",)))
    assert set(names) == wanted and len(wanted) == 17 + 2 * 13


def test_an_unknown_environment_is_one_line(run):
    pytest.importorskip("tox")
    assert "tox refuses it" in one_line(run("matrix", "torch9.9"))


def test_the_releases_are_pinned_to_one_patch_each():
    known = releases.read_releases()
    assert [versions.minor(each.torch) for each in known] == list(versions.EDITIONS)
    assert len({each.torch for each in known}) == len(known) == 30


@pytest.mark.parametrize(
    "text",
    [
        "",
        "release\ttorch\n",
        "release\ttorch\tpython\tnumpy\tpython_numpy1\tnumpy1\tpackages\tlabel\n1.0\t1.0.1\n",
    ],
)
def test_a_malformed_line_is_refused_by_file_and_line(tmp_path, text):
    path = tmp_path / "releases.tsv"
    path.write_text(text + ("x\n" if not text else ""), encoding="utf-8")
    with pytest.raises(ValueError, match="releases.tsv:[12]: expected the columns release, torch"):
        releases.read_releases(str(path))


def test_the_environments_of_a_release_follow_from_its_line():
    known = releases.read_releases()
    old, new = known[0], known[-1]
    made = releases.environments([old, new])
    names = [each.name for each in made if "cuda" not in each.labels]
    assert names == ["torch1.0"] + ["torch{}{}".format(new.release, suffix) for suffix in ("", "-numpy1", "-numpy2")]
    first, bare, numpy1, numpy2 = [each for each in made if "cuda" not in each.labels]
    assert first.devices == ("cpu",) and set(first.labels) == {"oldest", "releases"}
    assert bare.packages == numpy2.packages and "releases" not in bare.labels and "newest" in bare.labels
    assert "numpy==1.26.4" in numpy1.packages and numpy1.devices == ("cpu", "meta", "privateuse")
