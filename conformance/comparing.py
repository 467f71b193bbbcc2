"""What differs between two sets of recorded results. Pure functions."""

from typing import NamedTuple, Tuple, Union

from . import spans, truth
from .catalogue import Claim
from .judging import DECIDED, INAPPLICABLE, NOT_HERE, PASSED
from .spec import Requirement
from .truth import Observation


class Difference(NamedTuple):
    """A claim or a requirement of which two environments say different things."""

    judged: Union[Claim, Requirement]
    before: Observation
    after: Observation


class Comparison(NamedTuple):
    """Two environments, what both decided and differently, and how many claims or requirements could be compared."""

    before: truth.Environment
    after: truth.Environment
    differences: Tuple[Difference, ...]
    compared: int
    left_out: Tuple[str, ...]


def pairs(before, after):
    """The environments of two releases that correspond: for each device that both have, those of the same NumPy.

    ``before`` and ``after`` are lists of `results.Results`. Where no NumPy major version is common to both, the newest
    of each side is taken.
    """
    found = []
    for device in dict.fromkeys(each.environment.device for each in before):
        first = {_numpy(each): each for each in before if each.environment.device == device}
        second = {_numpy(each): each for each in after if each.environment.device == device}
        if not second:
            continue
        common = sorted(set(first) & set(second))
        if common:
            found += [(first[major], second[major]) for major in common]
        else:
            found.append((first[max(first)], second[max(second)]))
    return found


def _numpy(results):
    return int(results.environment.numpy.split(".")[0])


def compare(before, after, claims, requirements, digests):
    """The `Comparison` of two `results.Results`. What one of them does not answer is left out by name."""
    differences, left_out, compared = [], [], 0
    for identifier, judged in list(claims.items()) + list(requirements.items()):
        kind = truth.claim_observations if identifier in claims else truth.requirement_observations
        first, second = kind(judged, [before, after], digests[identifier])
        said = [_says(judged, found) for found in (first, second)]
        if None in said:
            if first.word != second.word:
                left_out.append(identifier)
            continue
        compared += 1
        if said[0] != said[1]:
            differences.append(Difference(judged, first, second))
    return Comparison(before.environment, after.environment, tuple(differences), compared, tuple(left_out))


def tracks(observations):
    """The observations of each implementation, device and NumPy major version: a list of lists, each by release."""
    found = {}
    for each in observations:
        environment = each.environment
        key = (environment.implementation, environment.device, environment.numpy.split(".")[0])
        found.setdefault(key, []).append(each)
    return list(found.values())


def changes(judged, observations):
    """Where the behaviour of torch changed, in words: ``1.6 on cpu with NumPy 1: incorrect -> correct``."""
    found = {}
    for track in tracks(observations):
        said = [(each, _says(judged, each)) for each in track if each.environment.implementation == "torch"]
        said = [(each, says) for each, says in said if says]
        for (_, before), (each, after) in zip(said, said[1:]):
            if before != after:
                key = (spans.release(each), each.environment.device, before, after)
                found.setdefault(key, []).append(each.environment.numpy.split(".")[0])
    return [
        "{} on {} with NumPy {}: {} -> {}".format(release, device, " and ".join(numpys), before, after)
        for (release, device, before, after), numpys in found.items()
    ]


def _says(judged, found):
    """What an observation says of the behaviour, or None if it says nothing.

    A requirement that is inapplicable because of its range was run and did not hold: that is behaviour too.
    """
    if found.word in DECIDED:
        return found.word
    if isinstance(judged, Requirement) and found.word == INAPPLICABLE and NOT_HERE in (found.text or ""):
        return "not " + PASSED
    return None
