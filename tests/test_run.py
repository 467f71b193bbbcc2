"""``run``: plugged-in implementations, crashes, devices, and what is recorded. No torch is needed here."""

import json
import shutil
import sys
import textwrap

import pytest
from conftest import ROOT, one_line

ONE = ["conformance/chapters/test_nonexistent.py", "-k", "to_numpy_is_not_there"]
FAKE = """
import numpy

__version__ = "0.1"


class Tensor:
    def __init__(self, array):
        self.array = array

    def numpy(self):
        return self.array

    def requires_grad_(self):
        return self


def ones(*shape, device="cpu", **_):
    {body}
    return Tensor(numpy.ones(shape))
"""


@pytest.fixture
def fake(tmp_path):
    """Make an importable implementation whose ``ones`` runs ``body`` first; returns the folder for the import path."""

    def make(body="pass", text=FAKE, name="fake_torch"):
        folder = tmp_path / "path"
        folder.mkdir(exist_ok=True)
        (folder / (name + ".py")).write_text(textwrap.dedent(text).replace("{body}", body), encoding="utf-8")
        return [folder]

    return make


def cells(folder, name="fake_torch-0.1-numpy{}-cpu.json"):
    import numpy

    path = folder / name.format(numpy.__version__.split(".")[0])
    return json.loads(path.read_text(encoding="utf-8"))


def start(run, path, folder, *more, tests=tuple(ONE), **variables):
    return run("run", "--implementation", "fake_torch", "--results", folder, *more, *tests, path=path, **variables)


def test_a_module_plugs_in_by_name(run, fake, tmp_path):
    done = start(run, fake(), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    found = cells(tmp_path)
    assert found["requirements"] == {"absent.to-numpy": found["requirements"]["absent.to-numpy"]}
    assert found["requirements"]["absent.to-numpy"]["outcome"] == "passed"
    assert found["environment"]["edition"] == "2.15" and found["claims"] == {}
    assert "all as stated" in done.stdout


def test_a_name_that_it_lacks_is_the_reason(run, fake, tmp_path):
    done = start(run, fake(text="__version__ = '0.1'\n"), tmp_path)
    assert done.returncode == 1
    found = cells(tmp_path)["requirements"]["absent.to-numpy"]
    assert (found["outcome"], found["reason"]) == (
        "failed",
        "AttributeError: module 'fake_torch' has no attribute 'ones'",
    )
    assert "DIFFERS  absent.to-numpy: failed: AttributeError" in done.stdout


# With workers of pytest-xdist, and without.
WORKERS = pytest.mark.parametrize("variables", [{}, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}])


@WORKERS
def test_a_crash_costs_one_cell(run, fake, tmp_path, variables):
    body = "import os; len(shape) == 2 and os.kill(os.getpid(), 11)"
    path = fake(body)
    (path[0] / "crash_claims.py").write_text(
        textwrap.dedent(
            """
            from conformance import claim
            from conformance.findings import Finding

            DOCUMENT = "crash.txt"


            @claim("crash-01", lines="1", topic="t", kind="semantics", says="It crashes.")
            def crashes(torch, np, device):
                torch.ones(1, 1)
                return Finding(True, "seen")


            @claim("crash-02", lines="2", topic="t", kind="semantics", says="It does not crash.")
            def lives(torch, np, device):
                torch.ones(1)
                return Finding(True, "seen")


            @claim("crash-03", lines="3", topic="t", kind="semantics", says="It fails.")
            def fails(torch, np, device):
                raise KeyError("odd")
            """
        ),
        encoding="utf-8",
    )
    done = start(
        run,
        path,
        tmp_path,
        "--claims",
        "crash_claims",
        tests=["conformance/test_claims.py", "-k", "crash-"],
        **variables,
    )
    assert done.returncode == 1
    found = cells(tmp_path)["claims"]
    assert found["crash-01"]["verdict"] == "cantTell" and "signal 11" in found["crash-01"]["evidence"]
    assert found["crash-02"]["verdict"] == "correct"
    assert (found["crash-03"]["verdict"], found["crash-03"]["evidence"]) == ("cantTell", "KeyError: 'odd'")
    assert "DIFFERS  crash-01: cantTell" in done.stdout


@WORKERS
def test_a_test_that_hangs_is_given_up(run, fake, tmp_path, variables):
    done = start(run, fake("import time; time.sleep(120)"), tmp_path, "--time-limit", "2", **variables)
    assert done.returncode == 1
    found = cells(tmp_path)["requirements"]["absent.to-numpy"]
    assert found["outcome"] == "cantTell" and "--time-limit" in found["reason"]


def test_a_second_run_writes_the_same_bytes_and_check_agrees(run, fake, tmp_path):
    path = fake()
    start(run, path, tmp_path)
    (file,) = tmp_path.glob("*.json")
    before = file.read_bytes()
    assert start(run, path, tmp_path).returncode == 0 and file.read_bytes() == before
    assert start(run, path, tmp_path, "--check").returncode == 0
    file.write_text(before.decode("utf-8").replace('"passed"', '"failed"'), encoding="utf-8")
    done = start(run, path, tmp_path, "--check")
    assert done.returncode == 1 and "DIFFERS  absent.to-numpy: recorded failed" in done.stdout
    assert file.read_text(encoding="utf-8").count('"failed"') == 1


def test_a_partial_run_keeps_the_other_cells(run, fake, tmp_path):
    path = fake()
    start(run, path, tmp_path)
    (file,) = tmp_path.glob("*.json")
    content = json.loads(file.read_text(encoding="utf-8"))
    content["claims"]["kept-01"] = {"verdict": "correct", "evidence": "seen", "digest": "d"}
    file.write_text(json.dumps(content), encoding="utf-8")
    assert start(run, path, tmp_path).returncode == 0
    assert cells(tmp_path)["claims"]["kept-01"]["verdict"] == "correct"


def test_a_damaged_results_file_is_refused_and_kept(run, fake, tmp_path):
    path = fake()
    start(run, path, tmp_path)
    (file,) = tmp_path.glob("*.json")
    file.write_text("{damaged", encoding="utf-8")
    line = one_line(start(run, path, tmp_path))
    assert file.name in line and "damaged" in line and file.read_text(encoding="utf-8") == "{damaged"


def test_bad_input_is_one_line(run, fake, tmp_path):
    path = fake()
    assert "no_such_torch: the module does not import" in one_line(
        run("run", "--implementation", "no_such_torch", "--results", tmp_path)
    )
    path = fake(text="raise RuntimeError('broken\\nbadly')\n", name="broken_torch")
    assert "RuntimeError: broken badly" in one_line(
        run("run", "--implementation", "broken_torch", "--results", tmp_path, path=path)
    )
    path = fake(text="import os\nos.kill(os.getpid(), 9)\n", name="deadly_torch")
    assert "ended the interpreter (signal 9)" in one_line(
        run("run", "--implementation", "deadly_torch", "--results", tmp_path, path=path)
    )
    assert "no_such_claims" in one_line(run("run", "--claims", "no_such_claims", "--results", tmp_path))
    for edition in ("new", "1.*", "99.0", " 2.13"):
        assert "--edition" in one_line(run("run", "--edition", edition, "--results", tmp_path))
    path = fake(text="__version__ = 'my build'\n", name="odd_torch")
    assert "'my build' is no version" in one_line(
        run("run", "--implementation", "odd_torch", "--results", tmp_path, path=path)
    )
    path = fake(text="raise SystemExit(4)\n", name="leaving_torch")
    assert "SystemExit" in one_line(run("run", "--implementation", "leaving_torch", "--results", tmp_path, path=path))
    assert list(tmp_path.glob("*.json")) == []


def test_a_device_that_is_not_there_loses_nothing_else(run, fake, tmp_path):
    path = fake("if device == 'nowhere': raise RuntimeError('no such device')")
    done = start(run, path, tmp_path, "--device", "nowhere", "--device", "cpu")
    assert "--device nowhere" in one_line(done)
    assert cells(tmp_path)["requirements"]["absent.to-numpy"]["outcome"] == "passed"


def copy_of_the_project(tmp_path):
    """A small copy of the project, to break."""
    for name in ("conformance", "spec"):
        shutil.copytree(str(ROOT / name), str(tmp_path / name), ignore=shutil.ignore_patterns("__pycache__", "_data"))
    shutil.copy(str(ROOT / "pyproject.toml"), str(tmp_path))
    (tmp_path / "results").mkdir()
    return tmp_path


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path, old, text.count(old))
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    "file, old, new, tests, named",
    [
        (
            "spec/nonexistent.md",
            "### absent.to-numpy\n*MUST* · torch>=1.0",
            "### absent.to-numpy\n*MUST* · torch<2.0",
            ONE,
            "absent.to-numpy",
        ),
        (
            "conformance/chapters/test_nonexistent.py",
            '@requirement("absent.to-numpy")',
            '@requirement("absent.to-nunpy")',
            ONE[:1],
            "absent.to-nunpy",
        ),
    ],
)
def test_whoever_states_something_false_gets_a_failing_run_that_names_it(fake, tmp_path, file, old, new, tests, named):
    import subprocess

    project = copy_of_the_project(tmp_path / "copy")
    edit(project / file, old, new)
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "run", "--implementation", "fake_torch", *tests],
        cwd=str(project),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={"PYTHONPATH": str(fake()[0]), "PATH": ""},
    )
    assert done.returncode == 1, done.stdout
    assert [line for line in done.stdout.splitlines() if line.startswith("DIFFERS") and named in line], done.stdout


@pytest.mark.parametrize("arguments", [["-k", "nothing_of_the_kind"], ["no_such_test.py"], ["--fixtures"], ["--foo"]])
def test_a_run_of_nothing_is_no_success_and_writes_nothing(run, fake, tmp_path, arguments):
    path = fake()
    start(run, path, tmp_path)
    (file,) = tmp_path.glob("*.json")
    before = file.read_bytes()
    done = run("run", "--implementation", "fake_torch", "--results", tmp_path, *arguments, path=path)
    assert done.returncode == 2 and "as stated" not in done.stdout
    assert "pytest arguments" in done.stderr.strip().splitlines()[-1]
    assert file.read_bytes() == before


@pytest.mark.parametrize("variable, arguments", [("-k to_numpy_is_not_there", []), ("", ["-vk", "absent.to-numpy"])])
def test_any_choice_of_tests_keeps_the_other_cells(run, fake, tmp_path, variable, arguments):
    path = fake()
    start(run, path, tmp_path)
    (file,) = tmp_path.glob("*.json")
    content = json.loads(file.read_text(encoding="utf-8"))
    content["requirements"]["grad.kept"] = {"outcome": "passed", "reason": None, "digest": "d"}
    file.write_text(json.dumps(content), encoding="utf-8")
    run(
        "run",
        "--implementation",
        "fake_torch",
        "--results",
        tmp_path,
        *arguments,
        path=path,
        PYTEST_ADDOPTS=variable,
    )
    assert cells(tmp_path)["requirements"]["grad.kept"]["outcome"] == "passed"


def test_a_failure_in_a_part_of_a_requirement_is_named(run, fake, tmp_path):
    path = fake("raise RuntimeError('no')")
    part = [
        "conformance/chapters/test_grad_errors.py",
        "-k",
        "test_numpy_refuses_a_tensor_that_requires_grad and float64",
    ]
    done = start(run, path, tmp_path, tests=part)
    assert done.returncode == 1 and "DIFFERS  grad.numpy-raises: failed in the part that ran" in done.stdout


def test_a_false_verdict_is_named(run, fake, tmp_path):
    path = fake()
    text = """
    from conformance import NEVER, claim
    from conformance.findings import Finding

    DOCUMENT = "false.txt"


    @claim("false-01", lines="1", topic="t", kind="semantics", says="It is so.", correct=NEVER, correction="It is not.")
    def it_is_so(torch, np, device):
        return Finding(torch.ones(1).numpy()[0] == 1, "ones are ones")
    """
    (path[0] / "false_claims.py").write_text(textwrap.dedent(text), encoding="utf-8")
    tests = ["conformance/test_claims.py", "-k", "false-01"]
    done = start(run, path, tmp_path, "--claims", "false_claims", tests=tests)
    assert done.returncode == 1
    assert (
        "DIFFERS  false-01: observed correct, but correct='never' states incorrect here: ones are ones" in done.stdout
    )
    assert cells(tmp_path)["claims"]["false-01"]["verdict"] == "correct"


REFUSING = """
import numpy

__version__ = "0.1"


class NotModelled(NotImplementedError):
    raised = 0
    latest = None

    def __init__(self, what):
        super().__init__(what + " is not modelled")
        NotModelled.raised += 1
        NotModelled.latest = str(self)


class Tensor:
    def __init__(self, array):
        self.array = array

    def numpy(self):
        return self.array

    def {body}(self):
        raise NotModelled("everything else")


def ones(*shape, device="cpu", **_):
    return Tensor(numpy.ones(shape))
"""


def test_a_refusal_to_answer_is_no_answer_even_where_the_test_took_it_for_one(run, fake, tmp_path):
    """NotModelled is a RuntimeError, and the probe expects a RuntimeError of what it calls."""
    path = fake(text=REFUSING, body="clone")
    (path[0] / "refused_claims.py").write_text(
        textwrap.dedent(
            """
            from conformance import claim
            from conformance.findings import Finding

            DOCUMENT = "refused.txt"


            @claim("refused-01", lines="1", topic="t", kind="semantics", says="clone() raises RuntimeError.")
            def refused(torch, np, device):
                try:
                    torch.ones(1).clone()
                except RuntimeError:
                    return Finding(True, "it raised")
                return Finding(False, "it did not")
            """
        ),
        encoding="utf-8",
    )
    tests = ["conformance/test_claims.py", "-k", "refused-"]
    assert start(run, path, tmp_path, "--claims", "refused_claims", tests=tests).returncode == 0
    found = cells(tmp_path)["claims"]["refused-01"]
    assert (found["verdict"], found["evidence"]) == ("untested", "everything else is not modelled")


def test_recorded_text_names_no_folder_of_this_machine():
    from conformance.plugin import scrubbed

    text = 'File "/opt/some where/x.py", line 3, in /usr/lib/python3.11/doctest.py:12 at 0x7f3a22 and a/b.py'
    assert scrubbed(text) == 'File "/opt/some where/x.py", line 3, in doctest.py:12 at 0x... and a/b.py'
