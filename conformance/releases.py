"""The releases of torch that are described and recorded: one line each in ``releases.tsv``.

Standard library only: tox reads this module too (``toxfile.py``), outside any environment of the project.
"""

import os
from typing import NamedTuple, Tuple

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "releases.tsv")
_COLUMNS = ("release", "torch", "python", "numpy", "python_numpy1", "numpy1", "packages", "label")


# The wheels of torch for Linux are built for CUDA; those of older releases do not know today's GPUs.
CUDA_SINCE = (2, 0)


class Release(NamedTuple):
    """A minor release: the patch of torch that is recorded, and with which Python, NumPy and further packages.

    ``python_numpy1`` and ``numpy1`` are for the second environment, with the older major version of NumPy, or None.
    """

    release: str
    torch: str
    python: str
    numpy: str
    python_numpy1: str
    numpy1: str
    packages: Tuple[str, ...]
    label: str


class Environment(NamedTuple):
    """An environment of tox in which a release is recorded."""

    name: str
    python: str
    packages: Tuple[str, ...]
    devices: Tuple[str, ...]
    labels: Tuple[str, ...]


def read_releases(path=_FILE):
    """The `Release` of each line, oldest first.

    Raises:
        ValueError: a line has not the columns that the first one names; the message names file and line.
    """
    found = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            cells = line.rstrip("\n").split("\t")
            if len(cells) != len(_COLUMNS) or number == 1 and tuple(cells) != _COLUMNS:
                where = "{}:{}".format(os.path.basename(path), number)
                raise ValueError("{}: expected the columns {}, each of them filled".format(where, ", ".join(_COLUMNS)))
            if number > 1:
                given = Release(*[None if cell == "-" else cell for cell in cells])  # type: ignore[arg-type]
                found.append(given._replace(packages=tuple(str(given.packages or "").split())))
    return found


def numbers(release):
    """A minor release as a pair of numbers."""
    return tuple(int(part) for part in release.split("."))


def devices(release):
    """The devices that a release is recorded on without special hardware."""
    found = ["cpu"]
    if numbers(release) >= (1, 9):
        found.append("meta")
    if numbers(release) >= (2, 10):
        found.append("privateuse")
    return tuple(found)


def environments(releases):
    """The environments of tox for some releases.

    A release with two versions of NumPy has three names: without a suffix it is the newer one, which is not recorded
    twice and so lacks the label ``releases``. With ``-cuda`` it is for a machine with a GPU of NVIDIA, label ``cuda``.
    """
    found = []
    for each in releases:
        labels = [each.label] if each.label else []
        labels += ["oldest"] * (each is releases[0]) + ["newest"] * (each is releases[-1])
        base = ("torch==" + each.torch,) + each.packages
        where = devices(each.release)
        newer = base + ("numpy==" + each.numpy,)
        name = "torch" + each.release
        if numbers(each.release) >= CUDA_SINCE:
            found.append(Environment(name + "-cuda", each.python, newer, ("cuda",), ("cuda",)))
        if each.numpy1 is None:
            found.append(Environment(name, each.python, newer, where, ("releases",) + tuple(labels)))
            continue
        older = base + ("numpy==" + each.numpy1,)
        found.append(Environment(name, each.python, newer, where, tuple(labels)))
        found.append(Environment(name + "-numpy1", each.python_numpy1, older, where, ("releases",)))
        found.append(Environment(name + "-numpy2", each.python, newer, where, ("releases",)))
    return found
