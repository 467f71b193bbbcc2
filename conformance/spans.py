"""Releases in words: what neighbouring releases have in common is said once. Pure functions of observations."""

from . import devices
from .judging import CORRECT, INCORRECT
from .versions import EDITIONS, minor


def release(observation):
    """The minor release that an observation is of."""
    return minor(observation.environment.version)


def runs(observations, alike):
    """Neighbouring observations for which ``alike`` gives the same: a list of (what it gives, [observations])."""
    found = []
    for each in observations:
        if found and found[-1][0] == alike(each):
            found[-1][1].append(each)
        else:
            found.append((alike(each), [each]))
    return found


def between(first, last):
    """Two releases as text: ``1.6-2.13``, or one if they are the same."""
    return first if first == last else "{}-{}".format(first, last)


def releases(some):
    """Minor releases as text, neighbours as ranges: ``1.0-2.15``, or ``1.5-1.6, 1.8``."""
    numbers = _neighbours(sorted(EDITIONS.index(each) for each in some if each in EDITIONS))
    others = [each for each in dict.fromkeys(some) if each not in EDITIONS]
    return ", ".join([between(EDITIONS[run[0]], EDITIONS[run[-1]]) for run in numbers] + others)


def span(observations):
    """The releases of a run of observations as text: ``1.6``, ``1.6-2.13`` or, seen on no host, ``2.13 on cuda``."""
    text = between(release(observations[0]), release(observations[-1]))
    elsewhere = {found.environment.device for found in observations} - {devices.HOST}
    only_there = all(found.environment.device != devices.HOST for found in observations)
    return "{} on {}".format(text, ", ".join(sorted(elsewhere))) if only_there else text


def by_word(observations):
    """For each word that occurs, in order of first occurrence: (word, text of the releases, observations).

    Neighbouring releases are one range. Where the environments of a release have different words, they are told apart
    by the major version of NumPy or by the device, and these have ranges of their own.
    """
    words = {}
    for found in observations:
        words.setdefault(release(found), set()).add(found.word)
    cells = {}
    for found in observations:
        cells.setdefault(found.word, []).append(found)
    return [(word, _ranges(word, observations, words), found) for word, found in cells.items()]


def _ranges(word, observations, words):
    """The releases that have ``word`` as text, ranges in order of their first release."""
    order = list(words)
    parts = []
    clear = [found for found in observations if words[release(found)] == {word}]
    for numbers in _neighbours([order.index(release(found)) for found in clear]):
        inside = [found for found in clear if numbers[0] <= order.index(release(found)) <= numbers[-1]]
        parts.append((numbers[0], span(inside)))
    for note in dict.fromkeys(_note(found) for found in observations):
        track = list(dict.fromkeys(release(found) for found in observations if _note(found) == note))
        unclear = [
            track.index(release(found))
            for found in observations
            if _note(found) == note and found.word == word and len(words[release(found)]) > 1
        ]
        for numbers in _neighbours(unclear):
            first, last = track[numbers[0]], track[numbers[-1]]
            parts.append((order.index(first), "{} {}".format(between(first, last), note)))
    return ", ".join(text for _, text in sorted(parts, key=lambda part: part[0]))


def _note(observation):
    """What tells the environments of one release apart."""
    environment = observation.environment
    if environment.device != devices.HOST:
        return "on " + environment.device
    return "(NumPy {})".format(environment.numpy.split(".")[0])


def _neighbours(numbers):
    """Runs of whole numbers that follow one another, repetitions aside."""
    found = []
    for number in dict.fromkeys(numbers):
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def correct_in(observations):
    """The measured releases in which a claim is correct, such as ``1.6-2.13`` or ``none measured (1.5-2.13)``."""
    decided = [found for found in observations if found.word in (CORRECT, INCORRECT)]
    if not decided:
        return "not measured"
    measured = span(decided)
    if all(found.word == CORRECT for found in decided):
        return "all measured ({})".format(measured)
    for word, text, _ in by_word(decided):
        if word == CORRECT:
            return text
    return "none measured ({})".format(measured)
