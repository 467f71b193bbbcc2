"""``recipes``: the reader's summary of the conversions in common use, from recorded results."""

from pathlib import Path

from .. import results
from ..report import as_recipes
from . import table


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser("recipes", help="which conversion works for which tensor, device and release")
    table.add_results(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of printing")
    parser.set_defaults(main=main)


def main(options):
    """Print or write the summary; status 0, or 1 if a prediction and an observation disagree."""
    recorded = results.read_all(options.results)
    problems = as_recipes.disagreements(recorded)
    table.emit(as_recipes.render(recorded), options.output)
    for problem in problems:
        print("PREDICTED OTHERWISE  " + problem)
    return 1 if problems else 0
