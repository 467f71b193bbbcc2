"""``faults``: which requirement catches which deliberate fault, which faults survive, which requirements are idle."""

import concurrent.futures
import csv
import importlib
import io
import os
from pathlib import Path

from .. import faulting, implementations, judging, spec
from ..errors import BadInput
from . import table


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser(
        "faults",
        help="which requirement catches which fault",
        description="Puts one fault after another into an implementation and runs the tests that use what is wrong. "
        "Status 1 if a fault survives or a requirement catches nothing.",
    )
    parser.add_argument("fault", nargs="*", help="names of faults (default: all)")
    parser.add_argument(
        "--implementation", default=judging.REFERENCE, help="reference, torch, or a module shaped like it"
    )
    parser.add_argument(
        "--quick", action="store_true", help="stop at the first kill where nothing more is to be learnt"
    )
    parser.add_argument("--list", action="store_true", help="say what the faults are, and run nothing")
    parser.add_argument("--format", choices=("text", "csv"), default="text", help="csv: one line a kill")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of printing")
    parser.set_defaults(main=main)


def main(options):
    """Run the faults; status 0, or 1 if a fault survives or a requirement catches nothing."""
    module = implementations.load(options.implementation)
    edition = implementations.edition_of(options.implementation, module)
    known = importlib.import_module("reference_impl.faults").all_faults(edition)
    unknown = [name for name in options.fault if name not in known]
    if unknown:
        raise BadInput("fault " + unknown[0], "there is none of that name", "see 'faults --list'")
    if options.list:
        table.emit("".join("{}: {}\n".format(name, fault.says) for name, fault in known.items()), options.output)
        return 0
    outcome = judge(options.implementation, edition, options.fault, options.quick)
    table.emit(
        as_csv(outcome) if options.format == "csv" else as_text(outcome, known, bool(options.fault)), options.output
    )
    return 1 if outcome.survivors or not options.fault and outcome.idle else 0


class Outcome:
    """What became of the faults: kills, survivors, and requirements that caught nothing or were not judged.

    ``unjudged`` maps a requirement to the reason.
    """

    def __init__(self, kills, live, judged, unjudged):
        self.kills = kills
        caught = {kill.fault for kill in kills}
        catching = {kill.requirement for kill in kills}
        self.live = sorted(live)
        self.survivors = sorted(set(live) - caught)
        self.judged = sorted(judged)
        self.idle = sorted(set(judged) - catching)
        self.unjudged = dict(sorted(unjudged.items()))


def judge(implementation, edition, names=(), quick=False):
    """Try the faults called ``names`` (none: all) wherever the requirements are in scope. Returns an `Outcome`."""
    numpy = importlib.import_module("numpy")
    requirements = spec.read_requirements()
    only = None if implementation == judging.REFERENCE else edition
    places, nowhere = faulting.places(implementation, requirements, numpy.__version__, only)
    tasks = [(place, wanted, part, list(names), quick) for place, wanted in places for part in _parts(wanted)]
    kills, live, judged, unjudged = [], set(), set(), {}
    with concurrent.futures.ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for (place, wanted, *_), (some, shown, ran) in zip(tasks, pool.map(_task, tasks)):
            kills += some
            live.update(shown)
            judged.update(ran)
            reason = "its tests do not pass on {} {} {} as it is".format(*place)
            unjudged.update((name, reason) for name in wanted - set(ran))
    unjudged.update((name, "no release and device here is in its scope") for name in nowhere)
    return Outcome(kills, live, judged, unjudged)


_HALVES = 2


def _parts(wanted):
    """The parts into which the faults are divided at one place: as many as there are processes, if it pays."""
    return range(_HALVES) if len(wanted) > 100 else (None,)


def _task(task):
    place, wanted, part, names, quick = task
    numpy = importlib.import_module("numpy")
    names = names or list(importlib.import_module("reference_impl.faults").all_faults(place.edition))
    if part is not None:
        names = names[part::_HALVES]
    return faulting.run(place, wanted, numpy, names, thorough=not quick)


def as_csv(outcome):
    """One line a kill: the fault, the requirement, and where."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("fault", "requirement", "implementation", "edition", "device"))
    writer.writerows((kill.fault, kill.requirement, *kill.place) for kill in outcome.kills)
    return text.getvalue()


def as_text(outcome, known, named=False):
    """Each fault with the requirements that caught it, then what was not caught and what caught nothing.

    Of faults that the caller ``named`` all requirements are shown; that others catch nothing says nothing then.
    """
    by_fault = {}
    for kill in outcome.kills:
        by_fault.setdefault(kill.fault, set()).add(kill.requirement)
    lines = []
    for name in outcome.live:
        caught = sorted(by_fault.get(name, ()))
        most = len(caught) if named else 3
        some = ", ".join(caught[:most]) + (", and {} more".format(len(caught) - most) if len(caught) > most else "")
        lines.append("{}: {}".format(name, "caught by " + some if caught else "SURVIVES"))
    for name in outcome.survivors:
        lines.append("SURVIVES  {}: {}".format(name, known[name].says))
    if not named:
        lines += ["CATCHES NOTHING  {}".format(name) for name in outcome.idle]
    lines += ["not judged  {}: {}".format(name, reason) for name, reason in outcome.unjudged.items()]
    lines.append(
        "{} of {} faults caught; {} of {} requirements catch one".format(
            len(outcome.live) - len(outcome.survivors),
            len(outcome.live),
            len(outcome.judged) - len(outcome.idle),
            len(outcome.judged),
        )
    )
    return "\n".join(lines) + "\n"
