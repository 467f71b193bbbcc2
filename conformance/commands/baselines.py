"""``baselines``: what implementations score that do nothing, always copy, or never refuse."""

import importlib

from .. import baselines, paths
from ..errors import BadInput


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser(
        "baselines", help="what an implementation scores that does nothing, or copies always"
    )
    parser.add_argument("--write", action="store_true", help="measure them again and write baselines.tsv")
    parser.set_defaults(main=main)


def main(options):
    """Print the scores chapter by chapter; status 0."""
    if options.write:
        if not paths.CHECKOUT:
            raise BadInput("--write", "an installed package is not written to", "run it in a checkout")
        baselines.FILE.write_bytes(baselines.render(baselines.scores()).encode("utf-8"))
    found = baselines.read()
    try:
        tabulate = importlib.import_module("tabulate").tabulate
    except ImportError:
        raise BadInput("tabulate", "this package is not installed", "pip install tabulate") from None
    rows = [
        [chapter, score.requirements] + ["{} ({:.0%})".format(each, each / score.requirements) for each in score.met]
        for chapter, score in found.items()
    ]
    print(tabulate(rows, headers=["chapter", "requirements", *baselines.NAMES], colalign=["left"] + ["right"] * 4))
    print(baselines.in_words(found))
    return 0
