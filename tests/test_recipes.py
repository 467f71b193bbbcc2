"""Recipes: what is observed of a conversion, and the summary that is made of it."""

import json

import numpy
import pytest
from conftest import ROOT
from fakes import environment

from conformance import recipes, results, sources
from conformance.report import as_recipes
from conformance.results import Entry, Results

torch = pytest.importorskip("torch")


def seen(recipe, kind, module=torch):
    return recipes.observe(module, numpy, "cpu", recipe, kind)


@pytest.mark.parametrize(
    "cell, word",
    [
        ("numpy/plain", "shares"),
        ("numpy/requires-grad", "raises"),
        ("force/conjugated", "copies"),
        ("tolist/bfloat16", "lists"),
        ("to-numpy/sparse", "copies"),
        ("to-numpy/non-contiguous", "shares"),
    ],
)
def test_what_a_recipe_comes_to(cell, word):
    found = seen(*cell.split("/"))
    assert found.word == word and found.text


@pytest.mark.parametrize(
    "change, word",
    [
        (lambda plain: lambda self, **options: plain(self, **options).copy(), "copies"),
        (lambda plain: lambda self, **options: plain(self, **options) + 1, "other"),
        (lambda plain: lambda self, **options: plain(self, **options).astype(object), "other"),
        (lambda plain: lambda self, **options: plain(self, **options)[:1], "other"),
    ],
)
def test_another_torch_comes_to_something_else(monkeypatch, change, word):
    assert seen("numpy", "plain").word == "shares"
    monkeypatch.setattr(torch.Tensor, "numpy", change(torch.Tensor.numpy))
    assert seen("numpy", "plain").word == word


def test_witnesses_that_contradict_one_another_decide_nothing(monkeypatch):
    monkeypatch.setattr(torch.Tensor, "data_ptr", lambda self: 1)
    with pytest.raises(RuntimeError, match="addresses are different, but a write is seen"):
        seen("numpy", "plain")


def test_what_cannot_be_made_is_untested_with_the_reason(monkeypatch):
    monkeypatch.setattr(torch.Tensor, "is_conj", lambda self: False)
    assert seen("numpy", "conjugated") == ("untested", "what is made here is no such tensor")
    monkeypatch.setattr(torch.Tensor, "to_sparse", lambda self: 1 / 0)
    word, text = seen("numpy", "sparse")
    assert word == "untested" and "ZeroDivisionError" in text


def recorded(version, word, text="returned", cell="numpy/plain", **where):
    return Results(environment(version, **where), {}, {}, {cell: Entry(word, text, sources.recipe_digest())})


def row(text, recipe="x.numpy()", kind="plain float32"):
    section = text.split("## `{}`".format(recipe))[1]
    return next(line for line in section.splitlines() if line.startswith("| " + kind))


def test_the_summary_tells_releases_devices_and_predictions_apart():
    text = as_recipes.render(
        [
            recorded("1.5.1", "raises", "TypeError: no"),
            recorded("1.6.0", "shares"),
            recorded("1.7.1", "shares"),
            recorded("1.7.1", "copies", device="xla"),
            recorded("1.7.0", "copies", implementation="reference"),
            recorded("1.8.0", "shares", implementation="reference"),
            recorded("1.6.0", "raises", "TypeError: no", device="cuda", implementation="reference"),
        ]
    )
    assert row(text) == (
        "| plain float32 | raises TypeError 1.5; shares memory 1.6-1.7; predicted shares memory 1.8 "
        "| predicted raises TypeError 1.6 | copies 1.7 |"
    )
    assert "Gave the values in 3 of 4 observed cells" in text.split("## `x.numpy()`")[1].split("##")[0]


def test_a_stale_cell_is_left_out():
    old = Results(environment("1.6.0"), {}, {}, {"numpy/plain": Entry("shares", "", "old")})
    assert row(as_recipes.render([old, recorded("1.5.1", "copies")])) == "| plain float32 | copies 1.5 |"


def test_the_safe_recipe_is_called_safe_only_if_it_always_worked():
    good = as_recipes.render([recorded("1.6.0", "copies", cell="to-numpy/plain")])
    assert "It gave the values in all 1 observed cells" in good
    bad = as_recipes.render([recorded("1.6.0", "raises", "E: e", cell="to-numpy/sparse")])
    assert "**Not safe everywhere:**" in bad


def test_a_prediction_that_an_observation_contradicts_is_named():
    predicted = recorded("1.6.0", "copies", implementation="reference")
    assert as_recipes.disagreements([predicted, recorded("1.6.1", "copies")]) == []
    (line,) = as_recipes.disagreements([predicted, recorded("1.6.1", "raises", "TypeError: no")])
    assert line.startswith("numpy/plain: predicted copies, observed TypeError on torch 1.6 cpu")
    assert as_recipes.disagreements([predicted, recorded("1.6.1", "untested", "why")]) == []


def test_the_summary_is_generated_from_the_results_and_ends_with_a_recipe_that_always_worked():
    text = (ROOT / "RECIPES.md").read_text(encoding="utf-8")
    assert text == as_recipes.render(results.read_all(ROOT / "results"))
    ending = text.split("## The one recipe that is safe everywhere")[1]
    code = ending.split("```python\n")[1].split("```")[0]
    scope = {}
    exec(compile(code, "RECIPES.md", "exec"), scope)
    for kind, made in recipes.KINDS.items():
        x = made.make(torch, torch.tensor(recipes.VALUES))
        right = numpy.array(recipes.VALUES)
        array = scope["to_numpy"](torch, x)
        assert array.tolist() == (right.T if kind == "non-contiguous" else right).tolist()
    assert "It gave the values in all" in ending and "Not safe" not in ending


def test_every_environment_has_a_cell_for_every_recipe():
    broken = []
    for path in sorted((ROOT / "results").glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        assert sorted(content["recipes"]) == sorted(recipes.CELLS), path.name
        for name, cell in content["recipes"].items():
            assert cell["came_to"] in recipes.CAME_TO and cell["evidence"], (path.name, name)
            if cell["came_to"] == "cantTell":  # torch 1.2 cannot add to bfloat16, by which the memory is told apart
                broken.append((path.name, name))
    assert broken == [("torch-1.2.0-numpy1-cpu.json", "to-numpy/bfloat16")]
