"""``table``: the truth table from recorded results."""

import os
import sys
from pathlib import Path

from .. import catalogue, paths, results, truth
from ..errors import BadInput
from ..report import as_csv, as_json, as_markdown, as_text

FORMATS = {"markdown": as_markdown.render, "csv": as_csv.render, "json": as_json.render}


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser("table", help="print the truth table of recorded results")
    add_sources(parser)
    parser.add_argument("--format", choices=["text"] + sorted(FORMATS), default="text")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of printing")
    parser.set_defaults(main=main)


def add_sources(parser):
    """Add the options that say which results and claims a command reads."""
    parser.add_argument("--results", default=paths.RECORDED, type=Path, metavar="DIR", help="recorded results")
    parser.add_argument("--claims", action="append", default=[], metavar="MODULE", help="a further module of claims")


def read(options):
    """The claims and the results that ``options`` name."""
    return catalogue.load_claims(list(catalogue.DOCUMENTS) + options.claims), results.read_all(options.results)


def main(options):
    """Print or write the table; status 0."""
    claims, recorded = read(options)
    table = truth.build(claims, recorded)
    text = (
        FORMATS[options.format](table) if options.format in FORMATS else as_text.render(table, _colour(options.output))
    )
    emit(text, options.output)
    return 0


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
