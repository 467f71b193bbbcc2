"""The reader's summary as Markdown: which conversion works for which tensor, where, since when, and what it gives."""

import ast
import textwrap

from .. import devices, recipes, sources, spans
from ..judging import CANT_TELL, UNTESTED
from ..results import order
from ..truth import PREDICTED, Observation
from ..versions import minor
from .as_markdown import escaped

_WORDS = {
    recipes.SHARES: "shares memory",
    recipes.COPIES: "copies",
    recipes.LISTS: "a list",
    recipes.OTHER: "something else",
}


def observations(all_results, digest):
    """The recorded cells of each recipe: a dict of lists of `Observation`, by id, oldest release first.

    What was raised is a part of the word. A prediction is left out where its environment was observed.
    """
    found = {name: [] for name in recipes.CELLS}
    for results in sorted(all_results, key=lambda each: order(each.environment)):
        for name, entry in results.recipes.items():
            if name in found and entry.digest == digest:
                word = "raises " + entry.text.split(":")[0] if entry.word == recipes.RAISES else entry.word
                found[name].append(Observation(results.environment, word, entry.text, False))
    for name, cells in found.items():
        seen = [each.environment for each in cells if not each.environment.predicts]
        found[name] = [
            each
            for each in cells
            if not each.environment.predicts or not any(other.stands_for(each.environment) for other in seen)
        ]
    return found


def disagreements(all_results):
    """What the reference implementation predicts of a recipe and an observation contradicts, one line each."""
    problems = []
    torches = [found for found in all_results if found.environment.implementation == "torch"]
    for foretold in all_results:
        if not foretold.environment.predicts:
            continue
        for seen in torches:
            if seen.environment.stands_for(foretold.environment):
                problems += [
                    "{}: predicted {}, observed {} on torch {} {}, NumPy {}".format(
                        name,
                        *_pair(entry, seen.recipes[name]),
                        minor(seen.environment.version),
                        seen.environment.device,
                        seen.environment.numpy.split(".")[0],
                    )
                    for name, entry in foretold.recipes.items()
                    if name in seen.recipes and _contradict(entry, seen.recipes[name])
                ]
    return problems


def _contradict(one, other):
    if {one.word, other.word} & {UNTESTED, CANT_TELL}:
        return False
    return _pair(one, other)[0] != _pair(one, other)[1]


def _pair(*entries):
    """What entries came to in words; of an exception its type counts."""
    return tuple(each.text.split(":")[0] if each.word == recipes.RAISES else each.word for each in entries)


def render(all_results):
    """The summary as a Markdown document."""
    found = observations(all_results, sources.recipe_digest())
    names = list(dict.fromkeys(each.environment.device for cells in found.values() for each in cells))
    names.sort(key=lambda name: (name != devices.HOST, name))
    parts = ["# Recipes", _introduction(found, names)]
    for name, recipe in recipes.RECIPES.items():
        if name != recipes.SAFE:
            parts += ["## `{}`".format(recipe.code), _share(found, name), _grid(found, name, names)]
    parts += ["## How far each recipe gets", _ranking(found), "## The one recipe that is safe everywhere"]
    parts += [_safe(found), _grid(found, recipes.SAFE, names)]
    return "\n\n".join(parts) + "\n"


def _introduction(found, names):
    cells = [each for some in found.values() for each in some]
    seen = len({each.environment for each in cells if not each.environment.predicts})
    text = (
        "Generated from the recorded results of {} environments by `python -m conformance recipes -o RECIPES.md`; not "
        "edited by hand. Every recipe was run on every kind of tensor in each of them. A cell says what came of it, "
        "and in which torch releases: *shares memory* (an array over the tensor's own memory: a write to one is seen "
        "in the other), *copies*, *a list*, or the exception. `x` holds two rows of three numbers. *Predicted* is what "
        "the reference implementation says where nothing was observed. A dash: no such tensor there. *cantTell*: "
        "the check broke.".format(seen)
    )
    notes = {
        "cpu": "the host",
        "meta": "holds no data, so that nothing can be converted",
        "privateuse": "a backend made in Python, whose memory the host cannot read",
        "xla": "torch-xla on the CPU, whose memory NumPy cannot see",
        "cuda": "no such machine was at hand, unless a cell below lacks the word *predicted*",
    }
    lines = ["* `{}`: {}".format(name, notes.get(name, "a device whose memory the host cannot read")) for name in names]
    return "\n".join([*textwrap.wrap(text, 120), "", *lines])


def _of(found, recipe, kind, device):
    return [each for each in found["{}/{}".format(recipe, kind)] if each.environment.device == device]


def _grid(found, recipe, names):
    lines = ["| tensor | {} |".format(" | ".join(names)), "| --- |" + " --- |" * len(names)]
    for kind, known in recipes.KINDS.items():
        cells = [escaped(_cell(_of(found, recipe, kind, device))) or "-" for device in names]
        lines.append("| {} | {} |".format(known.name, " | ".join(cells)))
    return "\n".join(lines)


def _cell(cells):
    """The words of some observations with their releases, and what is predicted."""
    parts = []
    for predicted in (False, True):
        some = [
            each._replace(environment=each.environment._replace(device=devices.HOST))  # the column names the device
            for each in cells
            if each.environment.predicts == predicted and each.word != UNTESTED
        ]
        for word, releases, _ in spans.by_word(some):
            parts.append("{}{} {}".format(PREDICTED if predicted else "", _WORDS.get(word, word), releases))
    return "; ".join(parts)


def _counted(found, recipe):
    """In how many observed cells a recipe gave the values, of how many; a device without data has none to give."""
    cells = [
        each
        for kind in recipes.KINDS
        for each in found["{}/{}".format(recipe, kind)]
        if not each.environment.predicts
        and each.word not in (UNTESTED, CANT_TELL)
        and devices.describe(each.environment.device).holds_data
    ]
    return sum(each.word in recipes.GAVE_VALUES for each in cells), len(cells)


def _share(found, recipe):
    return "Gave the values in {} of {} observed cells on devices that hold data.".format(*_counted(found, recipe))


def _ranking(found):
    lines = ["| recipe | gave the values | where it did not |", "| --- | --- | --- |"]
    ranked = sorted(recipes.RECIPES, key=lambda name: -_counted(found, name)[0])
    for name in ranked:
        good, asked = _counted(found, name)
        lines.append(
            "| `{}` | {} of {} | {} |".format(recipes.RECIPES[name].code, good, asked, _failures(found, name) or "-")
        )
    return "\n".join(lines)


def _failures(found, recipe):
    """The kinds of tensor, and the devices, for which a recipe did not always give the values."""
    parts = []
    for kind, known in recipes.KINDS.items():
        where = [
            each.environment.device
            for each in found["{}/{}".format(recipe, kind)]
            if not each.environment.predicts
            and each.word not in recipes.GAVE_VALUES + (UNTESTED, CANT_TELL)
            and devices.describe(each.environment.device).holds_data
        ]
        if where:
            parts.append("{} ({})".format(known.name, ", ".join(dict.fromkeys(where))))
    return "; ".join(parts)


def _safe(found):
    good, asked = _counted(found, recipes.SAFE)
    expressions = [name for name in recipes.RECIPES if name != recipes.SAFE]
    best = max(expressions, key=lambda name: _counted(found, name)[0])
    everywhere = [name for name in expressions if _counted(found, name)[0] == _counted(found, name)[1]]
    if good != asked:
        verdict = "**Not safe everywhere:** it gave the values in only {} of {} cells.".format(good, asked)
    else:
        verdict = "It gave the values in all {} observed cells on devices that hold data.".format(asked)
    if everywhere:
        one_line = "So did {}.".format(", ".join("`{}`".format(recipes.RECIPES[name].code) for name in everywhere))
    else:
        one_line = "No single expression did; `{}` comes nearest, with {} of {}.".format(
            recipes.RECIPES[best].code, *_counted(found, best)
        )
    return "\n".join(
        [
            "```python",
            _source(),
            "```",
            "",
            verdict + " " + one_line + " Nothing converts a tensor on the meta device, which has no values.",
        ]
    )


def _source():
    """The function that is the safe recipe, as it was run."""
    text = (sources.paths.PACKAGE / "recipes.py").read_text(encoding="utf-8")
    node = next(node for node in ast.parse(text).body if getattr(node, "name", None) == "to_numpy")
    following = [other.lineno for other in ast.parse(text).body if other.lineno > node.lineno]
    return "\n".join(text.splitlines()[node.lineno - 1 : min(following) - 1]).rstrip()
