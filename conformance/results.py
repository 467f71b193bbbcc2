"""Recorded results: one JSON file an environment.

Reading refuses what it does not know; a file is written as a whole or not at all.
"""

import json
import os
import tempfile
from pathlib import Path
from typing import Dict, NamedTuple

from packaging.version import InvalidVersion, Version

from . import paths
from .errors import BadInput
from .judging import OUTCOMES, VERDICTS, Environment
from .recipes import CAME_TO
from .versions import minor

SCHEMA = 1
_HEADER = ("implementation", "version", "numpy", "python", "platform", "device")
_RERUN = "restore it, or delete it and run the suite in that environment again"


class Entry(NamedTuple):
    """One recorded cell: the outcome or verdict, the reason or evidence, and the digest of what was judged."""

    word: str
    text: str
    digest: str


class Results(NamedTuple):
    """What was observed in one environment."""

    environment: Environment
    requirements: Dict[str, Entry]
    claims: Dict[str, Entry]
    recipes: Dict[str, Entry] = {}


def file_name(environment):
    """The name of the file that holds the results of ``environment``."""
    return "{}-{}-numpy{}-{}.json".format(
        environment.implementation,
        environment.version,
        environment.numpy.split(".")[0],
        environment.device.replace(":", ""),
    )


def render(results):
    """The text of a results file: sorted keys, nothing that differs between two runs."""
    environment = {name: getattr(results.environment, name) for name in _HEADER}
    if results.environment.edition != _own_edition(environment):
        environment["edition"] = results.environment.edition
    content = {
        "schema": SCHEMA,
        "environment": environment,
        "requirements": {
            name: {"outcome": entry.word, "reason": entry.text, "digest": entry.digest}
            for name, entry in results.requirements.items()
        },
        "claims": {
            name: {"verdict": entry.word, "evidence": entry.text, "digest": entry.digest}
            for name, entry in results.claims.items()
        },
    }
    if results.recipes:
        content["recipes"] = {
            name: {"came_to": entry.word, "evidence": entry.text, "digest": entry.digest}
            for name, entry in results.recipes.items()
        }
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _own_edition(header):
    return minor(header["version"]) if header["implementation"] == "torch" else None


def write(folder, results):
    """Write ``results`` into ``folder`` and return the file's path. The file is replaced as a whole."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name(results.environment)
    handle, temporary = tempfile.mkstemp(dir=str(folder), prefix=".writing-", suffix=".json")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(render(results))
        os.chmod(temporary, 0o644)
        os.replace(temporary, str(path))
    except BaseException:
        os.unlink(temporary)
        raise
    return path


def read(path):
    """Read one results file.

    Raises:
        BadInput: it is damaged, of another schema, or says what no results file can say.
    """
    path = Path(path)
    shown = paths.shown(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(shown, "cannot be read ({})".format(problem.strerror), "check the path") from None
    except (ValueError, RecursionError) as problem:
        line = getattr(problem, "lineno", 1)
        raise BadInput("{}:{}".format(shown, line), "damaged: not JSON ({})".format(problem), _RERUN) from None
    if not isinstance(content, dict) or "schema" not in content:
        raise BadInput(shown, "not a results file: it has no 'schema'", _RERUN)
    if type(content["schema"]) is not int or content["schema"] != SCHEMA:
        raise BadInput(
            shown,
            "its schema is {!r}, and this version reads schema {}".format(content["schema"], SCHEMA),
            "read it with the version that wrote it, or run the suite again",
        )
    try:
        header = content["environment"]
        if not isinstance(header, dict):
            raise ValueError("environment must be an object")
        versions = {name: header[name] for name in _HEADER}
        for name, value in versions.items():
            if not isinstance(value, str):
                raise ValueError("environment.{} is {!r} and must be text".format(name, value))
        for name in ("version", "numpy", "python"):
            Version(versions[name])
        edition = header.get("edition") or _own_edition(header)
        if header["implementation"] == "torch" and edition != _own_edition(header):
            raise ValueError("the edition of torch {} is not {}".format(header["version"], edition))
        if edition is None:
            raise ValueError("no 'edition', which an implementation other than torch needs")
        Version(edition)
        environment = Environment(edition=edition, **versions)
        requirements = _entries(content["requirements"], "requirements", "outcome", "reason", OUTCOMES)
        claims = _entries(content["claims"], "claims", "verdict", "evidence", VERDICTS)
        recipes = _entries(content.get("recipes", {}), "recipes", "came_to", "evidence", CAME_TO)
    except KeyError as problem:
        raise BadInput(shown, "damaged: {} is missing".format(problem), _RERUN) from None
    except (InvalidVersion, TypeError, ValueError, AttributeError) as problem:
        raise BadInput(shown, "damaged: {}".format(problem), _RERUN) from None
    if path.name != file_name(environment):
        raise BadInput(
            shown, "it holds the results of another environment", "rename it to {}".format(file_name(environment))
        )
    return Results(environment, requirements, claims, recipes)


def _entries(cells, section, word, text, words):
    entries = {}
    if not isinstance(cells, dict) or not all(isinstance(cell, dict) for cell in cells.values()):
        raise ValueError("{} must be an object of objects".format(section))
    for name, cell in cells.items():
        if cell[word] not in words:
            raise ValueError("{}.{}: {} {!r} is none of {}".format(section, name, word, cell[word], ", ".join(words)))
        if not isinstance(cell[text], (str, type(None))) or not isinstance(cell["digest"], str):
            raise ValueError("{}.{}: {} and digest must be text".format(section, name, text))
        entries[name] = Entry(cell[word], cell[text], cell["digest"])
    return entries


def read_all(folder):
    """All results files in ``folder``, sorted by implementation, release, NumPy and device (torch first).

    Raises:
        BadInput: the folder is missing, or one of its files is refused by `read`.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise BadInput(paths.shown(folder), "no such folder of results", "run the suite first, or name another folder")
    found = [read(path) for path in sorted(folder.glob("*.json")) if not path.name.startswith(".")]
    return sorted(found, key=lambda results: order(results.environment))


def order(environment):
    """The place of an environment among others: torch first, then by release, NumPy and device."""
    return (
        environment.implementation != "torch",
        environment.implementation,
        Version(environment.version),
        Version(environment.numpy),
        environment.device != "cpu",
        environment.device,
    )


def merged(recorded, partial):
    """``partial`` laid over ``recorded`` (or None): a run of some tests must lose nothing that stands recorded.

    Raises:
        BadInput: the two were not observed in the same environment.
    """
    if recorded is None:
        return partial
    old, new = recorded.environment, partial.environment
    if (old.numpy, old.edition) != (new.numpy, new.edition):
        raise BadInput(
            file_name(new),
            "recorded with NumPy {}, edition {}, and this is NumPy {}, edition {}".format(
                old.numpy, old.edition, new.numpy, new.edition
            ),
            "run the whole suite, or use another --results folder",
        )
    return Results(
        new,
        {**recorded.requirements, **partial.requirements},
        {**recorded.claims, **partial.claims},
        {**recorded.recipes, **partial.recipes},
    )


def differences(recorded, observed):
    """One line for each cell that a run would change in ``recorded``. The Python patch level and the platform do not
    count; the Python minor release and the NumPy version do."""
    problems = []
    old, new = recorded.environment, observed.environment
    for name, before, after in (
        ("NumPy", old.numpy, new.numpy),
        ("Python", minor(old.python), minor(new.python)),
        ("edition", old.edition, new.edition),
    ):
        if before != after:
            problems.append("environment: recorded with {} {}, observed with {}".format(name, before, after))
    for section in ("requirements", "claims", "recipes"):
        before, after = getattr(recorded, section), getattr(observed, section)
        for name in sorted(set(before) | set(after)):
            if name not in after:
                problems.append("{}: recorded, but no longer judged".format(name))
            elif name not in before:
                problems.append("{}: not recorded; observed {}".format(name, after[name].word))
            elif before[name].digest != after[name].digest:
                problems.append("{}: the recorded cell is stale; observed {}".format(name, after[name].word))
            elif before[name] != after[name]:
                problems.append(
                    "{}: recorded {} ({}), observed {} ({})".format(
                        name, before[name].word, before[name].text, after[name].word, after[name].text
                    )
                )
    return problems
