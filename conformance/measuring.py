"""Whether the ranges that the specification and the claims state rest on recorded results. Pure functions."""

from .devices import in_scope
from .judging import CORRECT, INCORRECT, NOT_HERE, PASSED
from .versions import EDITIONS


def tracks(all_results):
    """Torch's results: a dict from (device, NumPy major version) to a dict from the edition to the results."""
    found = {}
    for each in all_results:
        environment = each.environment
        if environment.implementation == "torch":
            key = (environment.device, environment.numpy.split(".")[0])
            found.setdefault(key, {})[environment.edition] = each
    return found


def ends(versions, track):
    """The neighbouring releases of a track of which one is inside the range ``versions`` and the other one is not."""
    answer = []
    for before, after in zip(EDITIONS, EDITIONS[1:]):
        if before in track and after in track:
            inside = [track[each].environment.expects(versions) for each in (before, after)]
            if inside[0] != inside[1]:
                answer.append((before, after))
    return answer


def measured(identifier, digest, results):
    """Whether results hold a fresh answer, so that a range that said otherwise of this release would fail."""
    entry = results.requirements.get(identifier) or results.claims.get(identifier)
    if entry is None or entry.digest != digest:
        return False
    return entry.word in (PASSED, CORRECT, INCORRECT) or NOT_HERE in (entry.text or "")


def unmeasured_ends(judged, all_results, digests):
    """Ends of ranges that no two neighbouring recorded releases show, one line each.

    ``judged`` is a dict of requirements or claims by id; ``digests`` those of all of them. An end that lies before the
    first recorded release on every device in scope cannot be shown and is left out.
    """
    problems = []
    known = tracks(all_results)
    for identifier, each in judged.items():
        versions = each.range if hasattr(each, "range") else each.correct
        shown, wanted = set(), set()
        for (device, _), track in known.items():
            if not in_scope(each.devices, device):
                continue
            for before, after in ends(versions, track):
                wanted.add((before, after))
                if all(measured(identifier, digests[identifier], track[release]) for release in (before, after)):
                    shown.add((before, after))
        for before, after in sorted(wanted - shown, key=lambda pair: EDITIONS.index(pair[0])):
            problems.append(
                "{}:{}: {}: no recorded results show that its range ends between torch {} and {}; run both".format(
                    each.file, each.line, identifier, before, after
                )
            )
    return problems
