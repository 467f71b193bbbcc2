"""Writes stand-alone scripts that show one claim or one requirement with torch and NumPy alone."""

import re
import textwrap

from . import paths, sources
from .errors import BadInput

_STANDALONE = paths.PACKAGE / "standalone.py"
_OF_PYTEST = ("raises", "warns", "mark", "importorskip")


def claim_script(claim):
    """A script that judges ``claim`` and prints what it saw; its one argument is the device (default: cpu).

    Raises:
        BadInput: the claim is an opinion.
    """
    if not claim.judged:
        raise BadInput(claim.id, "an opinion, which nothing can reproduce", "ask for a claim that is judged")
    about = "Judges a claim about torch:\n\n{}\n\n{}, {} ({}).\n".format(
        textwrap.fill(claim.says, 100), claim.document, claim.place, claim.id
    )
    if claim.needs:
        about += "Needs {} besides torch and NumPy.\n".format(", ".join(claim.needs))
    name = claim.probe.__name__
    return _script(about, [(sources.claim_file(claim), name)], "run_probe", name)


def requirement_script(requirement, tests):
    """A script that runs the ``tests`` (of `sources.find_tests`) of ``requirement`` and says whether it holds.

    Raises:
        BadInput: no test cites the requirement.
    """
    mine = [test for test in tests if test.requirement == requirement.id]
    if not mine:
        raise BadInput(requirement.id, "no test cites it", "write one in conformance/chapters")
    about = "Checks a requirement ({}):\n\n{}\n\n{} ({}).\n".format(
        requirement.scope,
        "\n".join(textwrap.fill(line, 100) for line in requirement.text.split("\n")),
        requirement.id,
        requirement.file,
    )
    names = "[{}]".format(", ".join(test.function for test in mine))
    return _script(about, [(test.path, test.function) for test in mine], "run_tests", names)


def _script(about, roots, runner, argument):
    """A script with everything that ``roots`` (pairs of file and name) need, ending in ``runner(argument, ...)``."""
    definitions, imports = _gathered(roots)
    text = "\n".join(definition.text for definition in definitions)
    used = [name for name in _OF_PYTEST if re.search(r"\bpytest\.{}\b".format(name), text)]
    helpers, helper_imports = _gathered([(_STANDALONE, name) for name in [runner] + used])
    imports = sorted((set(imports) | set(helper_imports) | {"import sys"}) - {"import pytest"})
    body = [definition.text for definition in helpers]
    if used:
        lines = ["class pytest:", '    """What this script needs of pytest, so that it runs without it."""', ""]
        body.append("\n".join(lines + ["    {0} = {0}".format(name) for name in used]))
    body += [definition.text for definition in definitions]
    body.append('if __name__ == "__main__":\n    sys.exit({}({}, torch, np))'.format(runner, argument))
    head = '"""{}"""\n\n{}\n\nimport numpy as np\nimport torch\n'.format(
        about.replace("\\", "\\\\").replace('"""', "'''"), "\n".join(imports)
    )
    return head + "\n\n" + "\n\n\n".join(body) + "\n"


def _gathered(roots):
    """The definitions and import statements that all of ``roots`` need, each once."""
    definitions, imports = [], []
    for path, name in roots:
        found, needed = sources.closure(path, name)
        definitions += [definition for definition in found if definition not in definitions]
        imports += [statement for statement in needed if statement not in imports]
    return definitions, imports
