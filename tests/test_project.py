"""The project's own papers: the README's numbers and commands, the wheel, and what must not be in the tree."""

import re
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT

from conformance import baselines, catalogue, results, spec, truth

README = (ROOT / "README.md").read_text(encoding="utf-8")


def tracked():
    done = subprocess.run(["git", "ls-files"], cwd=str(ROOT), stdout=subprocess.PIPE, text=True)
    if done.returncode:
        pytest.skip("this is no git checkout")
    return [ROOT / name for name in done.stdout.splitlines()]


def test_the_readmes_headline_is_what_the_table_says():
    table = truth.build(catalogue.load_claims(), results.read_all(ROOT / "results"))
    sentence = ", ".join("{} {}".format(number, word) for word, number in truth.counts(table.rows))
    assert sentence in " ".join(README.split()), sentence


def test_the_numbers_of_requirements_are_those_that_were_counted():
    requirements = spec.read_requirements()
    chapters = {found.chapter for found in requirements.values()}
    counted = "{} requirements in {} chapters".format(len(requirements), len(chapters))
    assert counted in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    scores = baselines.read().values()
    met, of = sum(score.met[0] for score in scores), sum(score.requirements for score in scores)
    assert "nothing meets {} of {} requirements".format(met, of) in " ".join(README.split())


def test_the_readme_has_one_command_each():
    for mark in ("table command", "test command"):
        block = README.split("<!-- {} -->\n```sh\n".format(mark))[1].split("\n```")[0]
        assert "\n" not in block and block.startswith("python3 -m venv")


def test_every_command_that_the_readme_names_exists(run):
    commands = re.findall(r"^python -m conformance ([^#\n]+)", README, re.M)
    assert len(commands) >= 5
    for command in commands:
        done = run(command.split()[0], "--help")
        assert done.returncode == 0
        for option in re.findall(r" (--[a-z]+)", " " + command):
            assert option in done.stdout, command


def test_every_path_that_the_readme_names_exists():
    paths = set(re.findall(r"\]\(([\w./]+)\)", README)) | set(re.findall(r"`([\w/]+/)`", README))
    assert len(paths) > 8
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_no_machine_paths_and_no_registry_hosts():
    found = []
    for path in tracked():
        if path.suffix in (".png",) or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        if re.search(
            r"(?<![\w.])/(?:work|root|home)/|/tmp/"
            "w/|pypi"
            r"\.org/simple|files\.python"
            "hosted|registry\\.npm"
            "js",
            text,
        ):
            found.append(path.name)
    assert found == []


def test_every_file_that_runs_in_old_releases_is_python_3_7():
    """No newer syntax, as far as a newer parser can tell."""
    import ast

    for path in sorted((ROOT / "conformance").rglob("*.py")):
        ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_the_wheel_carries_the_specification_and_the_results(tmp_path):
    pytest.importorskip("hatchling")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=str(ROOT),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(str(wheel)).extractall(str(tmp_path / "site"))
    for command in (["table", "--format", "csv"], ["explain", "absent.to-numpy"], ["lint"]):
        done = subprocess.run(
            [sys.executable, "-m", "conformance", *command],
            cwd=str(tmp_path),
            env={
                "PYTHONPATH": str(tmp_path / "site"),
                "PATH": "",
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONIOENCODING": "utf-8",
            },
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
