"""Every reproduction script runs with torch alone and tells what the suite recorded."""

import contextlib
import io
import subprocess
import sys

import pytest

from conformance import catalogue, devices, reproduce, sources, spec

torch = pytest.importorskip("torch")
VERSION = ".".join(torch.__version__.split(".")[:2])


def ran(script):
    """The script's output and exit status, run in this process."""
    output = io.StringIO()
    status = 0
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(script, "script", "exec"), {"__name__": "__main__"})
        except SystemExit as end:
            status = end.code
    return output.getvalue(), status


@pytest.fixture(autouse=True)
def no_arguments(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["script"])


def in_range(versions):
    import numpy

    return versions.contains(VERSION, numpy.__version__)


CLAIMS = {
    name: found for name, found in catalogue.load_claims().items() if found.judged and found.devices == catalogue.HOST
}
REQUIREMENTS = {
    name: found for name, found in spec.read_requirements().items() if devices.in_scope(found.devices, "cpu")
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claims_script_shows_the_verdict(name):
    found = CLAIMS[name]
    for package in found.needs:
        pytest.importorskip(package)
    output, status = ran(reproduce.claim_script(found))
    assert status == 0
    assert "the claim is {} here".format("correct" if in_range(found.correct) else "incorrect") in output, output
    assert "\nseen: " in output


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_a_requirements_script_shows_whether_it_holds(name):
    output, status = ran(reproduce.requirement_script(REQUIREMENTS[name], sources.find_tests()))
    if in_range(REQUIREMENTS[name].range):
        assert status == 0 and "the requirement holds here" in output, output
    else:
        assert status == 1 and "the requirement does not hold here" in output, output


@pytest.mark.parametrize("name", ["001-06-error-in-any-grad-mode", "absent.to-numpy"])
def test_a_script_needs_nothing_but_torch_and_numpy(tmp_path, name):
    claims = catalogue.load_claims()
    if name in claims:
        script = reproduce.claim_script(claims[name])
    else:
        script = reproduce.requirement_script(spec.read_requirements()[name], sources.find_tests())
    (tmp_path / "script.py").write_text(script, encoding="utf-8")
    (tmp_path / "pytest.py").write_text("raise ImportError('pytest is not to be used')\n")
    (tmp_path / "conformance.py").write_text("raise ImportError('conformance is not to be used')\n")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "script.py")],
        cwd=str(tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0 and " here\n" in done.stdout
