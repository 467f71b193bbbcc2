"""Finding devices, running without workers and elsewhere, and taking over what was recorded there."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT, one_line

from conformance import releases, results


def test_discovery_says_what_is_there_and_why_another_is_not(run):
    pytest.importorskip("torch")
    done = run("devices")
    lines = dict(line.split(None, 1) for line in done.stdout.splitlines())
    assert done.returncode == 0 and lines["cpu"] == "here" and lines["meta"] == "here" and lines["privateuse"] == "here"
    for name in ("xla", "cuda", "mps", "xpu"):
        assert lines[name].startswith("not here: ") and len(lines[name]) > 25
    assert "AssertionError" not in one_line(run("devices", "--implementation", "no_such_module"))
    assert max(len(line) for line in lines.values()) < 200
    assert run("devices", "cuda").stdout.startswith("cuda         not here: ")


def test_a_device_that_is_not_there_loses_nothing_of_the_others(run, tmp_path):
    pytest.importorskip("torch")
    asked = ["--device", "nonsense", "--device", "cpu", "--device", "cuda"]
    done = run("run", *asked, "--results", tmp_path, "-k", "absent.to-numpy")
    assert done.returncode == 2
    assert [path.name.rsplit("-", 1)[1] for path in tmp_path.glob("*.json")] == ["cpu.json"]
    lines = [line for line in done.stderr.splitlines() if line]
    assert len(lines) == 2 and all("has no such device here" in line and "leave it out" in line for line in lines)


def test_tox_has_an_environment_with_a_gpu_for_each_release_of_torch_2():
    found = [each for each in releases.environments(releases.read_releases()) if "cuda" in each.labels]
    assert [each.name for each in found] == ["torch2.{}-cuda".format(minor) for minor in range(16)]
    assert all(each.devices == ("cuda",) and set(each.labels) == {"cuda"} for each in found)


# Without a network: a module that Python imports at its start and that takes sockets away.
OFFLINE = """\
import socket


def refuse(*_):
    raise OSError("there is no network here")


socket.socket.connect = socket.getaddrinfo = refuse
"""


def test_a_machine_with_torch_numpy_and_pytest_only_needs_no_network_and_no_more(tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "sitecustomize.py").write_text(OFFLINE, encoding="utf-8")
    for name in ("xdist", "tabulate", "onnx", "onnxscript", "tox"):
        (tmp_path / (name + ".py")).write_text(
            "raise ModuleNotFoundError('not here', name=__name__)\n", encoding="utf-8"
        )
    done = subprocess.run(
        [
            sys.executable,
            str(ROOT / ".ci" / "on_device.py"),
            "--device",
            "privateuse",
            "--results",
            str(tmp_path / "r"),
        ],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all as stated" in done.stdout
    (found,) = results.read_all(tmp_path / "r")
    (recorded,) = [
        each
        for each in results.read_all(ROOT / "results")
        if results.file_name(each.environment) == results.file_name(found.environment)
    ]
    differing = results.differences(recorded, found)
    assert [line.split(":")[0] for line in differing] == [
        "absent.onnx-package-export"
    ]  # about a package that is not here
    assert "observed untested (could not import 'onnx'" in differing[0]


def test_the_script_for_a_gpu_says_in_one_line_what_is_missing(tmp_path):
    (tmp_path / "torch.py").write_text("raise ImportError('not installed here')\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "on_device.py")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert one_line(done).startswith("torch: does not import (not installed here); install it")


def results_of(folder, word="passed"):
    from fakes import environment

    where = environment("2.13.0", numpy="2.4.6", device="cuda")
    results.write(folder, results.Results(where, {"grad.numpy-raises": results.Entry(word, None, "d")}, {}))
    return folder


def test_what_was_recorded_elsewhere_is_taken_over_if_the_machines_agree(run, tmp_path):
    one, other, into = results_of(tmp_path / "one"), results_of(tmp_path / "other"), tmp_path / "into"
    done = run("merge", one, other, "--results", into)
    assert done.returncode == 0 and "1 of 1 environments taken over" in done.stdout
    (file,) = into.glob("*.json")
    before = file.read_bytes()
    results_of(tmp_path / "other", "failed")
    done = run("merge", one, other, "--results", into)
    assert done.returncode == 1 and "0 of 1 environments" in done.stdout and file.read_bytes() == before
    assert "DIFFERS  torch-2.13.0-numpy2-cuda.json: grad.numpy-raises: recorded passed" in done.stdout
    done = run("merge", tmp_path / "other", "--results", into)
    assert done.returncode == 1 and file.read_bytes() == before
    assert run("merge", tmp_path / "other", "--results", into, "--replace").returncode == 0
    assert file.read_bytes() != before
    assert "no such folder" in one_line(run("merge", tmp_path / "nowhere"))
    (tmp_path / "one" / file.name).write_text("{", encoding="utf-8")
    assert "damaged" in one_line(run("merge", tmp_path / "one", "--results", into))
