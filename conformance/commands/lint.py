"""``lint``: the specification, the tests, the claims, the documents and the results against one another."""

from pathlib import Path

from .. import catalogue, documents, linting, paths, results, sources, spec, truth
from ..errors import BadInput
from ..report import as_markdown, as_recipes
from . import table

_TRUTH_TABLE = paths.SPEC.parent / "TRUTH_TABLE.md"
_RECIPES = paths.SPEC.parent / "RECIPES.md"


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser("lint", help="spec, tests, claims, documents and results against one another")
    parser.add_argument("--spec", default=paths.SPEC, type=Path, metavar="DIR", help="the specification")
    parser.add_argument("--chapters", default=paths.CHAPTERS, type=Path, metavar="DIR", help="the tests")
    parser.add_argument(
        "--documents", metavar="DIR", type=Path, help="also compare the source documents in DIR with those judged"
    )
    parser.add_argument("--write-index", action="store_true", help="write the index of spec/README.md first")
    table.add_sources(parser)
    parser.set_defaults(main=main)


def main(options):
    """Print one line a problem; status 0 if there is none, else 1."""
    chapters = spec.read_chapters(options.spec)
    requirements = spec.read_requirements(options.spec)
    tests = sources.find_tests(options.chapters)
    claims = catalogue.load_claims(list(catalogue.DOCUMENTS) + options.claims)
    known = documents.read_documents()
    if options.write_index:
        write_index(chapters, options.spec / "README.md")
    problems = linting.untested_requirements(requirements, tests) + linting.stray_tests(requirements, tests)
    problems += linting.undecided_claims(claims, requirements) + linting.uncovered_lines(claims, known)
    readme = options.spec / "README.md"
    problems += linting.index_problems(chapters, _text(readme), paths.shown(readme))
    notes, stale_table = _recorded(options, requirements, tests, claims)
    problems += stale_table
    if options.documents:
        problems += _sources(options.documents, known)
    for note in notes:
        print("note: " + note)
    for problem in problems:
        print(problem)
    covered = sum(document.lines for document in known.values())
    print(
        "{} requirements, {} tests, {} claims, {} lines of {} documents: {} problems".format(
            len(requirements), len(tests), len(claims), covered, len(known), len(problems)
        )
    )
    return 1 if problems else 0


def _recorded(options, requirements, tests, claims):
    """Notes on stale results, which `run` has to renew, and problems of the truth table that is generated from them."""
    recorded = results.read_all(options.results)
    digests = {name: sources.requirement_digest(found, tests) for name, found in requirements.items()}
    digests.update((name, sources.claim_digest(found)) for name, found in claims.items())
    notes = linting.stale_results(
        recorded,
        requirements,
        claims,
        digests,
        lambda environment: paths.shown(options.results / results.file_name(environment)),
    )
    problems = as_recipes.disagreements(recorded)
    published = paths.CHECKOUT and options.results.resolve() == paths.RECORDED.resolve() and not options.claims
    if published and _text(_TRUTH_TABLE) != as_markdown.render(
        truth.build(claims, recorded, requirements, tests), requirements
    ):
        renew = "python -m conformance table --format markdown -o TRUTH_TABLE.md"
        problems.append("TRUTH_TABLE.md: not what the results say; run '{}'".format(renew))
    if published and _text(_RECIPES) != as_recipes.render(recorded):
        problems.append(
            "RECIPES.md: not what the results say; run '{}'".format("python -m conformance recipes -o RECIPES.md")
        )
    return notes, problems


def _sources(folder, known):
    problems = []
    for name, document in known.items():
        if not (folder / name).is_file():
            raise BadInput(
                "--documents {}".format(folder), "{} is not there".format(name), "name the folder of the documents"
            )
        problems += documents.source_problems(document, folder / name)
    return problems


def _text(path):
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def write_index(chapters, readme):
    """Replace the index at the end of ``readme`` by that of ``chapters``."""
    text = _text(readme)
    head = text.split("## Index", 1)[0].rstrip("\n")
    readme.write_bytes((head + "\n\n" + linting.index(chapters)).encode("utf-8"))
