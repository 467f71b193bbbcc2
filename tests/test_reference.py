"""The reference implementation: its editions, what it says of itself, and that it refuses rather than guesses."""

import ast
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import reference_impl
from conformance import catalogue, matrix, recipes, results, sources, spec, truth
from conformance.judging import DECIDED
from conformance.versions import EDITIONS
from reference_impl import editions, names

FOLDER = ROOT / "reference_impl"
MODULES = sorted(path for path in FOLDER.rglob("*.py"))
PREFIXES = {identifier.split(".")[0] for identifier in spec.read_requirements()}
CITED = re.compile(r"\b({})\.[a-z0-9]+(?:-[a-z0-9]+)+".format("|".join(sorted(PREFIXES))))


def test_there_is_an_edition_for_every_release_that_the_specification_describes():
    assert names.RELEASES == EDITIONS
    assert reference_impl.edition("1.4") is reference_impl.edition("1.4")
    assert reference_impl.edition().__version__ == EDITIONS[-1] + ".0"


def test_an_unknown_edition_is_refused_with_a_list(run):
    with pytest.raises(ValueError, match="no edition '1.99'; there are 1.0, 1.1, .*2.15"):
        reference_impl.edition("1.99")
    done = run("run", "--implementation", "reference", "--edition", "1.99")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "1.0 to 2.15" in done.stderr


def test_two_editions_live_side_by_side_in_one_process():
    old, new = reference_impl.edition("1.5"), reference_impl.edition("1.6")
    for torch, allowed in ((old, False), (new, True)):
        x = torch.ones(2, requires_grad=True)
        with torch.no_grad():
            if allowed:
                assert x.numpy().tolist() == [1.0, 1.0]
            else:
                with pytest.raises(RuntimeError):
                    x.numpy()
    with old.no_grad():
        assert new.is_grad_enabled() and not old.is_grad_enabled()
    assert not isinstance(old.ones(1), new.Tensor)


def test_the_package_itself_behaves_as_the_newest_edition():
    assert reference_impl.ones(2).numpy().tolist() == [1.0, 1.0]
    assert reference_impl.Tensor is reference_impl.edition().Tensor
    with pytest.raises(AttributeError):
        reference_impl.to_numpy  # noqa: B018


def test_what_a_release_has_and_the_model_has_not_is_refused_on_use_and_what_it_lacks_is_absent():
    torch = reference_impl.edition("2.13")
    assert hasattr(torch, "svd") and hasattr(torch.ones(1), "cholesky")
    before = torch.NotModelled.raised
    for use in (
        lambda: torch.svd(torch.ones(2, 2)),
        lambda: torch.ones(2, 2).cholesky(),
        lambda: torch.distributions.x,
    ):
        with pytest.raises(NotImplementedError, match="not modelled"):
            use()
    assert torch.NotModelled.raised == before + 3 and "distributions" in torch.NotModelled.latest
    assert not hasattr(torch.ones(1), "to_numpy")
    assert not hasattr(reference_impl.edition("1.8"), "inference_mode") and hasattr(torch, "inference_mode")


def test_a_device_that_is_not_simulated_is_refused():
    code = (
        "import reference_impl; torch = reference_impl.edition('2.13')\n"
        "try:\n    torch.ones(1, device='xpu')\nexcept torch.NotModelled as error:\n    print(error)\n"
        "reference_impl.simulate('xpu'); x = torch.ones(1, device='xpu'); print(x.device)\n"
        "try:\n    x.numpy()\nexcept TypeError as error:\n    print(type(error).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=str(ROOT), capture_output=True, text=True, check=True)
    refusal, device, kind = done.stdout.splitlines()
    assert "simulate('xpu')" in refusal and (device, kind) == ("xpu:0", "TypeError")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_module_is_short_documented_and_cites_only_requirements_that_exist(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    known = spec.read_requirements()
    assert [found.group() for found in CITED.finditer(text) if found.group() not in known] == []
    body = ast.parse(text).body
    parts = body + [node for part in body if isinstance(part, ast.ClassDef) for node in part.body]
    functions = [node for node in parts if isinstance(node, ast.FunctionDef) and not node.name.startswith("__")]
    assert [node.name for node in functions if not ast.get_docstring(node)] == []


def test_the_readme_of_the_model_cites_only_requirements_that_exist_and_runs():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    known = spec.read_requirements()
    assert len(CITED.findall(text)) >= 5
    assert [found.group() for found in CITED.finditer(text) if found.group() not in known] == []
    missing = [name for name in re.findall(r"\]\(([\w/]+\.py)\)", text) if not (FOLDER / name).is_file()]
    assert missing == []
    code = text.split("```python\n")[1].split("```")[0]
    with pytest.raises(RuntimeError):
        exec(compile(code, "README.md", "exec"), {})


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_nothing_but_numpy_and_the_standard_library_is_imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found = [node.module]
        if path.name != "_measure_names.py":
            assert not {name.split(".")[0] for name in found} - set(sys.stdlib_module_names) - {"numpy"}


def test_every_switch_cites_requirements_has_two_values_and_is_used():
    known = spec.read_requirements()
    used = set()
    for path in MODULES:
        used.update(re.findall(r"\bbehaviour\.([a-z_0-9]+)", path.read_text(encoding="utf-8")))
    assert used == {switch.name for switch in editions.SWITCHES}
    for switch in editions.SWITCHES:
        assert switch.requirements and not [name for name in switch.requirements if name not in known], switch.name
        assert switch.history[0][0] == EDITIONS[0], switch.name
        assert len({switch.value(release) for release in EDITIONS}) > 1, switch.name


def test_a_switch_can_be_turned_and_an_unknown_one_is_refused():
    switch = editions.SWITCHES[0]
    assert getattr(editions.Behaviour("2.13", {switch.name: "other"}), switch.name) == "other"
    with pytest.raises(ValueError, match="no such switch: nonsense"):
        editions.Behaviour("2.13", {"nonsense": 1})


@pytest.mark.parametrize("edition", ["1.0", "1.12", "2.15"])
def test_every_requirement_and_claim_is_as_stated_on_a_simulated_device(run, tmp_path, edition):
    """On the host, every edition is run in the environments of tox that are called reference."""
    done = run("run", "--implementation", "reference", "--edition", edition, "--device", "cuda", "--results", tmp_path)
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if line.startswith("DIFFERS"))
    assert done.stdout.count("all as stated") == 1


OBSERVED = {
    (each.environment.edition, each.environment.device): each
    for each in results.read_all(ROOT / "results")
    if each.environment.implementation == "torch" and each.environment.device in ("meta", "privateuse")
}


@pytest.mark.parametrize("edition, device", sorted(OBSERVED))
def test_the_edition_says_what_was_observed_on_a_device(run, tmp_path, edition, device):
    """On the host, the recorded predictions are compared: see below."""
    some = ["--edition", edition, "--device", device, "--results", tmp_path, "-n", "0"]
    done = run("run", "--implementation", "reference", *some)
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if line.startswith("DIFFERS"))
    (predicted,) = results.read_all(tmp_path)
    observed = OBSERVED[edition, device]
    both = [(observed.requirements, predicted.requirements), (observed.claims, predicted.claims)]
    words = [
        (name, seen[name].word, foretold[name].word)
        for seen, foretold in both
        for name in seen
        if {seen[name].word, foretold[name].word} <= set(DECIDED)
    ]
    assert len(words) > 150 and [found for found in words if found[1] != found[2]] == []


@pytest.fixture(scope="module")
def recorded():
    requirements, tests, claims = spec.read_requirements(), sources.find_tests(), catalogue.load_claims()
    found = results.read_all(ROOT / "results")
    digests = {name: sources.requirement_digest(each, tests) for name, each in requirements.items()}
    digests.update((name, sources.claim_digest(each)) for name, each in claims.items())
    digests.update((name, sources.recipe_digest()) for name in recipes.CELLS)
    return truth.build(claims, found, requirements, tests), found, digests


def test_there_is_a_fresh_prediction_for_every_release_that_was_observed(recorded):
    _, found, digests = recorded
    predicted = {each.environment.edition: each for each in found if each.environment.predicts}
    assert (
        set(predicted) == {each.environment.edition for each in found if not each.environment.predicts} == set(EDITIONS)
    )
    assert all(matrix.fresh(each, digests) for each in predicted.values())
    cuda = [each for each in found if each.environment.device == "cuda"]
    assert cuda and all(each.environment.predicts for each in cuda)


def test_prediction_and_observation_agree_wherever_both_decided(recorded):
    table, found, _ = recorded
    assert [str(each) for each in table.disagreements] == []
    compared = sum(truth.agrees(row) for row in table.rows)
    assert compared >= 150  # not the opinions, and not the export of ONNX files


def test_what_the_reference_leaves_open_is_little_and_says_why(recorded):
    _, found, _ = recorded
    for each in found:
        if each.environment.predicts:
            entries = list(each.requirements.values()) + list(each.claims.values())
            open_ones = [entry for entry in entries if entry.word == "untested"]
            assert len(open_ones) <= 5 and all(entry.text for entry in open_ones)
            assert not [entry for entry in entries if entry.word in ("failed", "cantTell")]


def test_without_torch_the_reference_is_what_runs(run, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as util\nfound = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name == 'torch' else found(name, *more)\n",
        encoding="utf-8",
    )
    results = tmp_path / "results"
    some = ["-k", "numpy-raises", "--results", results]
    done = run("run", *some, path=[tmp_path])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "torch is not installed: the reference implementation predicts" in done.stdout
    assert [path.name.split("-")[:2] for path in results.iterdir()] == [["reference", "2.15.0"]]
    shown = run("table", "--results", results)
    assert "Predicted, not observed, by the reference implementation: reference 2.15 on cpu" in " ".join(
        shown.stdout.split()
    )
