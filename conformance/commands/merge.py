"""``merge``: takes results over that were recorded elsewhere, such as on machines with a GPU."""

from pathlib import Path

from .. import paths, results


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser(
        "merge",
        help="take over results that were recorded on other machines",
        description="Copies results files. Files of one environment must agree cell by cell, or none of it is taken.",
    )
    parser.add_argument("folder", nargs="+", type=Path, metavar="FROM", help="a folder of results files")
    parser.add_argument("--results", default=paths.WRITTEN, type=Path, metavar="DIR", help="where results are kept")
    parser.add_argument(
        "--replace", action="store_true", help="what is recorded in DIR gives way to what was recorded elsewhere"
    )
    parser.set_defaults(main=main)


def main(options):
    """Merge; status 0, or 1 if machines contradict one another or DIR: nothing of that environment is written."""
    given = {}
    for folder in options.folder:
        for found in results.read_all(folder):
            given.setdefault(results.file_name(found.environment), []).append(found)
    refused = 0
    for name, files in sorted(given.items()):
        recorded = options.results / name
        others = list(files)
        if recorded.exists() and not options.replace:
            others.append(results.read(recorded))
        problems = [line for other in others[1:] for line in results.differences(others[0], other)]
        for problem in problems:
            print("DIFFERS  {}: {}".format(name, problem))
        if problems:
            refused += 1
        else:
            print("wrote " + paths.shown(results.write(options.results, files[0])))
    print("{} of {} environments taken over".format(len(given) - refused, len(given)))
    return 1 if refused else 0
