"""Reads tests and probes as text: which requirement a test cites, and all the code that a function depends on.

Nothing is imported or run, so that digests can be computed and scripts written where torch is not installed.
The text of a definition is the same under every Python version that we support.
"""

import ast
import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Dict, NamedTuple, Optional, Tuple

from . import paths
from .errors import BadInput


class Definition(NamedTuple):
    """One top-level statement of a module that binds ``name``: its text without the deciding decorators."""

    module: str
    name: str
    text: str
    node: ast.AST


class Module(NamedTuple):
    """A parsed module: what it defines and what it imports from where."""

    path: Path
    definitions: Dict[str, Definition]
    imports: Dict[str, Tuple[str, str, str]]  # name -> (module, attribute, import statement)


class SuiteTest(NamedTuple):
    """A test of the suite, by where it stands and the requirement that it cites (None if it cites none)."""

    file: str
    function: str
    requirement: Optional[str]
    line: int
    path: Path


# Decorators that say what a function decides, and are no part of what it does.
_DECIDING = ("requirement", "claim")


@lru_cache(maxsize=None)
def parsed(path):
    """The `Module` in the file ``path``. Raises `BadInput` where it is not Python."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        tree = ast.parse(text)
    except UnicodeDecodeError:
        raise BadInput(paths.shown(path), "not UTF-8 text", "save it as UTF-8") from None
    except SyntaxError as problem:
        raise BadInput(
            "{}:{}".format(paths.shown(path), problem.lineno or 1),
            "not Python ({})".format(problem.msg),
            "mend the syntax",
        ) from None
    lines = text.splitlines()
    starts = [_start(node) for node in tree.body] + [len(lines) + 1]
    definitions, imports = {}, {}
    for node, following in zip(tree.body, starts[1:]):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            statement = _trimmed(lines[_start(node) - 1 : following - 1])
            for alias in node.names:
                bound = alias.asname or alias.name.split(".")[0]
                if isinstance(node, ast.ImportFrom):
                    module = "." * node.level + (node.module or "")
                    imports[bound] = (module, alias.name, statement)
                else:
                    imports[bound] = (alias.name, "", statement)
            continue
        text_of = _trimmed(_without_deciding_decorators(node, lines[_start(node) - 1 : following - 1]))
        for name in _bound(node):
            definitions[name] = Definition(str(path), name, text_of, node)
    return Module(Path(path), definitions, imports)


def _start(node):
    """The first line of a statement, decorators included (Python 3.7 and 3.8 disagree on ``lineno``)."""
    return min([node.lineno] + [decorator.lineno for decorator in getattr(node, "decorator_list", [])])


def _without_deciding_decorators(node, lines):
    decorators = getattr(node, "decorator_list", [])
    if not decorators:
        return lines
    first = _start(node)
    # A decorator reaches to the next one, or to the `def` or `class` line.
    body = next(
        offset
        for offset, line in enumerate(lines)
        if offset >= decorators[-1].lineno - first and line.startswith(("def ", "class "))
    )
    ends = [decorator.lineno - first for decorator in decorators[1:]] + [body]
    kept = []
    for decorator, end in zip(decorators, ends):
        if _called(decorator) not in _DECIDING:
            kept += lines[decorator.lineno - first : end]
    return kept + lines[body:]


def _called(decorator):
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(function, "id", None) or getattr(function, "attr", None)


def _trimmed(lines):
    """The lines as text, without comment lines and blank lines, which change nothing that is judged."""
    return "\n".join(line.rstrip() for line in lines if line.strip() and not line.strip().startswith("#"))


def _bound(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def _used(node):
    """Names that a definition mentions outside its deciding decorators, sorted (arguments too: they name fixtures)."""
    passed_over = {
        id(part)
        for decorator in getattr(node, "decorator_list", [])
        if _called(decorator) in _DECIDING
        for part in ast.walk(decorator)
    }
    found = set()
    for child in ast.walk(node):
        if id(child) not in passed_over and isinstance(child, (ast.Name, ast.arg)):
            found.add(child.id if isinstance(child, ast.Name) else child.arg)
    return sorted(found)


def closure(path, name):
    """All definitions that ``name`` in the file ``path`` depends on, dependencies first, then itself; and the
    import statements of other modules that they need, as a pair of lists.

    Definitions are followed into modules of this project only.
    """
    definitions, statements, seen = [], [], set()

    def visit(module_path, wanted):
        if (str(module_path), wanted) in seen:
            return
        seen.add((str(module_path), wanted))
        module = parsed(module_path)
        if wanted in module.definitions:
            definition = module.definitions[wanted]
            for used in _used(definition.node):
                if used != wanted:
                    visit(module_path, used)
            if definition not in definitions:
                definitions.append(definition)
        elif wanted in module.imports:
            source, attribute, statement = module.imports[wanted]
            inside = _project_file(source, module.path)
            if inside is None:
                if statement not in statements:
                    statements.append(statement)
            elif attribute not in _DECIDING:
                visit(inside, attribute)

    visit(Path(path), name)
    return definitions, statements


def _project_file(module, importer):
    """The file of ``module`` if it belongs to this project or lies beside ``importer``, else None."""
    if module.startswith("."):
        level = len(module) - len(module.lstrip("."))
        base = importer.parents[level - 1]
        candidate = base.joinpath(*[part for part in module.lstrip(".").split(".") if part])
    elif module.split(".")[0] == "conformance":
        candidate = paths.PACKAGE.parent.joinpath(*module.split("."))
    else:
        candidate = importer.parent.joinpath(*module.split("."))
    for file in (candidate.with_suffix(".py"), candidate / "__init__.py"):
        if file.is_file():
            return file
    return None


def text_of(path, name):
    """The text of everything that ``name`` in ``path`` depends on, itself included: what its digest covers."""
    definitions, _ = closure(path, name)
    return "\n".join(definition.text for definition in definitions)


def digest(*texts):
    """A short digest of ``texts``."""
    return hashlib.sha256("\x00".join(texts).encode("utf-8")).hexdigest()[:12]


def find_tests(folder=paths.CHAPTERS):
    """All test functions of the suite in ``folder``, in file-name order, then as they stand."""
    tests = []
    for path in sorted(Path(folder).glob("test_*.py")):
        for name, definition in parsed(path).definitions.items():
            if name.startswith("test_") and isinstance(definition.node, ast.FunctionDef):
                cited = [
                    _cited(decorator)
                    for decorator in definition.node.decorator_list
                    if _called(decorator) == "requirement"
                ]
                tests.append(
                    SuiteTest(paths.shown(path), name, cited[0] if cited else None, definition.node.lineno, path)
                )
    return tests


def _cited(decorator):
    arguments = getattr(decorator, "args", [])
    if len(arguments) == 1:
        try:
            return ast.literal_eval(arguments[0])
        except ValueError:
            return None
    return None


def requirement_digest(requirement, tests):
    """The digest of a requirement: its text, scope, example and the ``tests`` (of `find_tests`) that cite it."""
    mine = [text_of(test.path, test.function) for test in tests if test.requirement == requirement.id]
    return digest(requirement.text, requirement.scope, requirement.example, *mine)


def claim_digest(claim):
    """The digest of a claim: its statement, device scope, needs and probe."""
    return digest(claim.says, claim.devices, " ".join(claim.needs), text_of(claim_file(claim), claim.probe.__name__))


def recipe_digest():
    """The digest of all cells of `conformance.recipes`: the recipes, the kinds of tensor and how one is observed."""
    return digest(text_of(paths.PACKAGE / "recipes.py", "observe"))


def claim_file(claim):
    """The file in which the claim's probe stands."""
    return Path(claim.probe.__code__.co_filename)
