"""``table``: the truth table from recorded results."""

import os
import sys
from pathlib import Path

from .. import catalogue, paths, results, sources, spec, truth
from ..errors import BadInput
from ..report import as_csv, as_json, as_markdown, as_text

FORMATS = ("text", "markdown", "csv", "json")


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser("table", help="print the truth table of recorded results")
    add_sources(parser)
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of printing")
    parser.set_defaults(main=main)


def add_results(parser):
    """Add the option that says which results a command reads."""
    parser.add_argument("--results", default=paths.RECORDED, type=Path, metavar="DIR", help="recorded results")


def add_sources(parser):
    """Add the options that say which results and claims a command reads."""
    add_results(parser)
    parser.add_argument("--claims", action="append", default=[], metavar="MODULE", help="a further module of claims")


def read(options):
    """The claims and the results that ``options`` name."""
    return catalogue.load_claims(list(catalogue.DOCUMENTS) + options.claims), results.read_all(options.results)


def main(options):
    """Print or write the table; status 0, or 1 if predicted and observed disagree."""
    claims, recorded = read(options)
    table = truth.build(claims, recorded, spec.read_requirements(), sources.find_tests())
    emit(_rendered(table, options), options.output)
    return 1 if table.disagreements else 0


def _rendered(table, options):
    if options.format == "markdown":
        return as_markdown.render(table, spec.read_requirements())
    if options.format == "csv":
        return as_csv.render(table)
    if options.format == "json":
        return as_json.render(table)
    return as_text.render(table, _colour(options.output))


def _colour(output):
    return output is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ


def emit(text, output):
    """Print ``text``, or write it to the file ``output`` as a whole."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        output.write_bytes(text.encode("utf-8"))
    except OSError as problem:
        raise BadInput(
            "-o " + str(output), "cannot be written ({})".format(problem.strerror), "name a writable file"
        ) from None
