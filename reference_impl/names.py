"""Which names each release has, as measured: ``names.tsv``, made by ``_measure_names.py``."""

import os

RELEASES = tuple(["1.{}".format(number) for number in range(14)] + ["2.{}".format(number) for number in range(16)])

_ORDER = {release: place for place, release in enumerate(RELEASES)}
_TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "names.tsv")


def covers(spans, release):
    """Whether ``spans``, such as ``"1.0-1.12,2.1-2.15"``, contain a release."""
    if not spans:
        return False
    place = _ORDER[release]
    for span in spans.split(","):
        first, _, last = span.partition("-")
        if _ORDER[first] <= place <= _ORDER[last or first]:
            return True
    return False


def read(release):
    """The names of a release: a dictionary from the owner (such as ``torch.Tensor``) to one from the name to its
    kind.
    """
    found = {}
    with open(_TABLE, encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            owner, kind, spans, names = line.rstrip("\n").split("\t")
            if covers(spans, release):
                found.setdefault(owner, {}).update((name, kind) for name in names.split(" "))
    return found
