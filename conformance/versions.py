"""Version ranges such as ``torch>=1.6,<2.9 and numpy>=2 or torch>=2.13``."""

import re
from typing import NamedTuple, Tuple

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from .releases import read_releases

ALWAYS = "always"
NEVER = "never"

# The minor releases of torch that the specification describes.
EDITIONS = tuple(found.release for found in read_releases())

_CONDITION = re.compile(r"(torch|numpy)\s*([<>=!~].*)$")


class Condition(NamedTuple):
    """One package and the versions of it that satisfy the condition."""

    package: str
    specifier: SpecifierSet


class Range(NamedTuple):
    """A set of environments, by the releases of torch and NumPy in them.

    ``alternatives`` is a tuple of tuples of `Condition`: a disjunction of conjunctions.
    """

    text: str
    alternatives: Tuple[Tuple[Condition, ...], ...]

    def contains(self, torch, numpy):
        """Whether the release ``torch`` (a version, or an edition such as ``1.6``) with NumPy ``numpy`` is inside."""
        have = {"torch": plain(torch), "numpy": plain(numpy)}
        return any(
            all(condition.specifier.contains(have[condition.package]) for condition in alternative)
            for alternative in self.alternatives
        )


def plain(version):
    """``version`` (a string) as a release number alone: ``2.13.0+cpu`` and ``2.13.0.dev1`` are 2.13.0."""
    return Version(Version(version).base_version)


def minor(version):
    """The minor release that ``version`` belongs to, as text: ``1.5.1`` is ``1.5``."""
    release = Version(version).release
    return "{}.{}".format(release[0], release[1] if len(release) > 1 else 0)


def works_together(torch, numpy):
    """Whether a torch release can convert to arrays of a NumPy release: NumPy 2 is known from torch 2.3 on."""
    return plain(torch) >= Version("2.3") or plain(numpy) < Version("2")


def parse_range(text):
    """Read a range.

    Raises:
        ValueError: the text is not a range; the message says which part.
    """
    if text == ALWAYS:
        return Range(text, ((),))
    if text == NEVER:
        return Range(text, ())
    alternatives = []
    for alternative in text.split(" or "):
        conditions = []
        for part in alternative.split(" and "):
            match = _CONDITION.match(part.strip())
            if match is None:
                raise ValueError("'{}' is not a range such as 'torch>=1.6,<2.9'".format(part.strip()))
            if not all(piece.strip() for piece in match.group(2).split(",")):
                raise ValueError("'{}' has an empty part".format(match.group(2)))
            try:
                conditions.append(Condition(match.group(1), SpecifierSet(match.group(2))))
            except InvalidSpecifier:
                raise ValueError("'{}' is not a version specifier".format(match.group(2))) from None
        alternatives.append(tuple(conditions))
    return Range(text, tuple(alternatives))
