"""The environments of tox in which releases are recorded, and which of them are to be run. Pure functions."""

import re
from typing import NamedTuple, Tuple

from . import results

_SECTION = re.compile(r"\[testenv:(.+)\]$")


class Planned(NamedTuple):
    """An environment of tox: its name, and the names of the results files that a run of it writes."""

    name: str
    files: Tuple[str, ...]


def read_config(text):
    """The `Planned` environments in what ``tox config -k deps commands`` prints.

    Raises:
        ValueError: an environment pins no torch or no NumPy, or runs on no device; the message names it.
    """
    planned = []
    for section in re.split(r"\n(?=\[testenv:)", text.strip()):
        found = _SECTION.match(section.split("\n", 1)[0])
        if found is None:
            continue
        torch = re.findall(r"^\s*torch==(\S+)$", section, re.M)
        numpy = re.findall(r"^\s*numpy==(\d+)\S*$", section, re.M)
        devices = re.findall(r"--device (\S+)", section)
        if len(torch) != 1 or len(numpy) != 1 or not devices:
            raise ValueError("{} must pin one torch and one NumPy and name its devices".format(found.group(1)))
        files = ["torch-{}-numpy{}-{}.json".format(torch[0], numpy[0], device) for device in devices]
        planned.append(Planned(found.group(1), tuple(files)))
    return planned


def current(planned, recorded, digests):
    """Whether everything that an environment would write is recorded and answers today's questions.

    ``recorded`` is a list of `results.Results`; ``digests`` holds those of all requirements, claims and recipes by id.
    """
    known = {results.file_name(found.environment): found for found in recorded}
    return all(name in known and fresh(known[name], digests) for name in planned.files)


def fresh(found, digests):
    """Whether results hold a cell with today's digest for every requirement, claim and recipe."""
    cells = {**found.requirements, **found.claims, **found.recipes}
    return set(cells) == set(digests) and all(entry.digest == digests[name] for name, entry in cells.items())


def time_left(seconds, number):
    """About how long ``number`` environments will take, after those that took ``seconds`` (a list), in words."""
    if not seconds:
        return "no estimate yet"
    left = sum(seconds) / len(seconds) * number
    return "about {:.0f} s left".format(left) if left < 100 else "about {:.0f} min left".format(left / 60)
