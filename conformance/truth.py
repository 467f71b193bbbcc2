"""The truth table: what the recorded results say of each claim and requirement. Pure functions."""

from typing import NamedTuple, Optional, Tuple, Union

from . import backends, devices, sources, spans
from .catalogue import Claim
from .judging import CANT_TELL, CORRECT, DECIDED, INAPPLICABLE, INCORRECT, UNTESTED, Environment
from .results import order
from .spec import Requirement
from .versions import minor

PREDICTED = "predicted "  # begins a verdict that rests on no observation


class Observation(NamedTuple):
    """One recorded cell. A stale one, whose question has changed since, counts as ``untested``."""

    environment: Environment
    word: str
    text: Optional[str]
    stale: bool


class Disagreement(NamedTuple):
    """Where the reference implementation predicts something else than was observed."""

    judged: Union[Claim, Requirement]
    observed: Observation
    predicted: Observation

    def __str__(self):
        return "{}: predicted {}, observed {} on {}".format(
            self.judged.id, _told(self.predicted), _told(self.observed), label(self.observed.environment)
        )


def _told(observation):
    return observation.word + (" ({})".format(observation.text) if observation.text else "")


class Row(NamedTuple):
    """One claim: the verdict on the newest release that was asked, the range in which it holds, and every cell.

    Where nothing was observed, the verdict is what the reference implementation predicts, and says so.
    """

    claim: Claim
    verdict: str
    evidence: str
    newest: Optional[Environment]
    correct_in: str
    observations: Tuple[Observation, ...]

    @property
    def applicable(self):
        """The observed cells of the environments that the claim speaks of."""
        return [found for found in self.observations if found.word != INAPPLICABLE and not found.environment.predicts]

    @property
    def predicted(self):
        """The predictions for environments in which nothing was decided by observation."""
        return [
            found
            for found in self.observations
            if found.environment.predicts
            and found.word in DECIDED
            and not any(
                other.word in DECIDED and other.environment.stands_for(found.environment) for other in self.applicable
            )
        ]


class Table(NamedTuple):
    """The whole truth table. ``environments`` are those of its columns, oldest release first, predictions last."""

    environments: Tuple[Environment, ...]
    rows: Tuple[Row, ...]
    disagreements: Tuple[Disagreement, ...]


def build(claims, all_results, requirements=None, tests=()):
    """The `Table` of ``claims`` (a dict by id) from ``all_results`` (a list of `results.Results`).

    With ``requirements`` (a dict by id) and their ``tests``, disagreements about them are found too.
    """
    all_results = sorted(all_results, key=lambda found: order(found.environment))
    digests = {name: sources.claim_digest(claim) for name, claim in claims.items()}
    rows = tuple(_row(claim, claim_observations(claim, all_results, digests[name])) for name, claim in claims.items())
    cells = [(row.claim, row.observations) for row in rows if row.claim.judged]
    for requirement in (requirements or {}).values():
        digest = sources.requirement_digest(requirement, tests)
        cells.append((requirement, requirement_observations(requirement, all_results, digest)))
    found = tuple(problem for judged, observations in cells for problem in disagreements(judged, observations))
    return Table(tuple(found.environment for found in all_results), rows, found)


def disagreements(judged, observations):
    """Each prediction among the ``observations`` of a claim or a requirement that an observation contradicts.

    Where a backend is known to deviate from the specification, it is torch there that is not as it should be.
    """
    decided = [found for found in observations if found.word in DECIDED]
    return [
        Disagreement(judged, seen, foretold)
        for foretold in decided
        if foretold.environment.predicts
        for seen in decided
        if seen.environment.implementation == "torch"
        and seen.environment.stands_for(foretold.environment)
        and seen.word != foretold.word
        and judged.id not in backends.deviations(seen.environment.device)
    ]


def claim_observations(claim, all_results, digest):
    """The cells of ``claim`` in ``all_results``, in their order; what no file holds is ``untested``."""
    return tuple(_observation(claim, found.environment, found.claims.get(claim.id), digest) for found in all_results)


def requirement_observations(requirement, all_results, digest):
    """The cells of ``requirement`` in ``all_results``, in their order; what no file holds is ``untested``."""
    return tuple(
        _observation(requirement, found.environment, found.requirements.get(requirement.id), digest)
        for found in all_results
    )


def _observation(judged, environment, entry, digest):
    if not devices.in_scope(judged.devices, environment.device):
        return Observation(environment, INAPPLICABLE, "the scope is {}".format(judged.devices), False)
    if entry is None:
        return Observation(environment, UNTESTED, "not recorded in this environment yet", False)
    if entry.digest != digest:
        return Observation(
            environment, UNTESTED, "stale: what was judged has changed since ({} then)".format(entry.word), True
        )
    return Observation(environment, entry.word, entry.text, False)


def _row(claim, observations):
    if not claim.judged:
        return Row(claim, "opinion", "an opinion, which is listed and never judged", None, "-", observations)
    asked = [
        found for found in observations if found.word != INAPPLICABLE and found.environment.implementation == "torch"
    ]
    if all(found.word == UNTESTED for found in asked):
        foretold = [found for found in observations if found.environment.predicts and found.word in DECIDED]
        if foretold:
            newest = max(foretold, key=lambda found: _rank(found.environment))
            verdict = PREDICTED + newest.word
            return Row(claim, verdict, newest.text or "", newest.environment, "not measured", observations)
    if not asked:
        reason = "no results are recorded from a device that it speaks of ({})".format(claim.devices)
        return Row(claim, UNTESTED, reason, None, "not measured", observations)
    newest = max(asked, key=lambda found: _rank(found.environment))
    return Row(claim, newest.word, newest.text or "", newest.environment, spans.correct_in(asked), observations)


def _rank(environment):
    """The place of an environment in the choice of the newest: by release and NumPy, then the host, CUDA, the rest."""
    kind = environment.device.split(":")[0]
    return order(environment)[2:4] + ({devices.HOST: 2, "cuda": 1}.get(kind, 0),)


def counts(rows):
    """How many of ``rows`` have each verdict: a list of (word, number) of those that occur."""
    words = (
        CORRECT,
        INCORRECT,
        INAPPLICABLE,
        UNTESTED,
        CANT_TELL,
        PREDICTED + CORRECT,
        PREDICTED + INCORRECT,
        "opinion",
    )
    tallies = [(word, sum(1 for row in rows if row.verdict == word)) for word in words]
    return [(word, number) for word, number in tallies if number]


def counted(rows):
    """The verdicts of ``rows`` in words: ``3 correct, 2 incorrect of 5 claims``."""
    words = ", ".join("{} {}".format(number, word) for word, number in counts(rows))
    return "{} of {} claims".format(words or "none", len(rows))


def stale(table):
    """The number of stale cells of a `Table`."""
    return sum(found.stale for row in table.rows for found in row.observations)


def by_release(row):
    """The verdicts of a row as a list of (word, text of the releases); a word that rests on no observation says so."""
    found = [(word, text) for word, text, _ in spans.by_word(row.applicable)]
    return found + [(PREDICTED + word, text) for word, text, _ in spans.by_word(row.predicted)]


def foretold(row):
    """What the reference implementation predicts for a row, whatever was observed: such as ``incorrect 1.5-2.13``."""
    cells = [found for found in row.observations if found.environment.predicts and found.word in DECIDED]
    return "; ".join("{} {}".format(word, text) for word, text, _ in spans.by_word(cells)) or "-"


def agrees(row):
    """Whether predictions and observations of a row meet in an environment, and agree in every one where they do."""
    met = [
        found
        for found in row.observations
        if found.environment.predicts and found.word in DECIDED and found not in row.predicted
    ]
    return bool(met) and not disagreements(row.claim, row.observations)


def observed_on(environments):
    """What was run, in few words: ``torch 1.5, 1.6 on cpu (2 environments); ...``."""
    return _in_few_words([found for found in environments if not found.predicts])


def predicted_for(environments):
    """What the reference implementation was asked for, in few words."""
    return _in_few_words([found for found in environments if found.predicts])


def _in_few_words(environments):
    kinds = {}
    for environment in environments:
        kinds.setdefault((environment.implementation, environment.device), []).append(environment)
    parts = [
        "{} {} on {} ({} environments)".format(
            implementation, spans.releases([minor(found.version) for found in some]), device, len(some)
        )
        for (implementation, device), some in kinds.items()
    ]
    return "; ".join(parts) or "nothing yet"


def where(environment):
    """The release of an environment, and its device unless that is the host: ``2.13`` or ``2.13 privateuse``."""
    release = minor(environment.version)
    return release if environment.device == devices.HOST else "{} {}".format(release, environment.device)


def label(environment):
    """A short name for an environment: ``torch 2.13 cpu, NumPy 2``."""
    return "{} {} {}, NumPy {}".format(
        environment.implementation, minor(environment.version), environment.device, environment.numpy.split(".")[0]
    )
