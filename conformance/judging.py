"""Turns what the tests of one run reported into outcomes and verdicts. Pure functions."""

from typing import Dict, NamedTuple, Optional

from . import devices
from .versions import works_together

PASSED, FAILED, INAPPLICABLE, UNTESTED, CANT_TELL = "passed", "failed", "inapplicable", "untested", "cantTell"
CORRECT, INCORRECT = "correct", "incorrect"
OUTCOMES = (PASSED, FAILED, INAPPLICABLE, UNTESTED, CANT_TELL)
VERDICTS = (CORRECT, INCORRECT, INAPPLICABLE, UNTESTED, CANT_TELL)
NOT_HERE = "and the test does not pass here"  # ends the reason of a requirement that was run outside its range
DECIDED = (PASSED, FAILED, CORRECT, INCORRECT)

REFERENCE = "reference"  # the implementation that predicts what torch does, instead of being observed


class Environment(NamedTuple):
    """Where something was observed; ``edition`` is the torch release whose behaviour is expected of it."""

    implementation: str
    version: str
    numpy: str
    python: str
    platform: str
    device: str
    edition: str

    @property
    def predicts(self):
        """Whether what is recorded of it is a prediction: it is the reference implementation."""
        return self.implementation == REFERENCE

    def stands_for(self, other):
        """Whether both are of one torch release and NumPy major version, on one kind of device."""
        return (self.edition, self.numpy.split(".")[0], self.device) == (
            other.edition,
            other.numpy.split(".")[0],
            other.device,
        )

    def expects(self, versions):
        """Whether the range ``versions`` contains this environment."""
        return versions.contains(self.edition, self.numpy)


class Cell(NamedTuple):
    """What one requirement or claim came to: a word of `OUTCOMES` or `VERDICTS`, and the reason or evidence."""

    word: str
    text: Optional[str]


class Report(NamedTuple):
    """What one test item reported: ``word`` as in `Cell`; ``of`` is ``test``, ``example`` or ``probe``."""

    of: str
    word: str
    text: Optional[str]


def requirement_cell(requirement, environment, reports):
    """The outcome of ``requirement`` from the ``reports`` (a list of `Report`) of its tests and example.

    Outside its version range the tests must not all pass: if they do, the range is wrong.
    """
    if not devices.in_scope(requirement.devices, environment.device):
        return Cell(INAPPLICABLE, "the scope is {}".format(requirement.devices))
    if not reports:
        return Cell(CANT_TELL, "no test of it reported anything")
    for report in reports:
        if report.word == CANT_TELL:
            return Cell(CANT_TELL, report.text)
    for report in reports:
        if report.word == UNTESTED:
            return Cell(UNTESTED, report.text)
    broken = [report for report in reports if report.word == FAILED]
    if environment.expects(requirement.range):
        return Cell(FAILED, broken[0].text) if broken else Cell(PASSED, None)
    if not works_together(environment.edition, environment.numpy):
        text = "the range is {}, and torch {} does not know NumPy 2".format(requirement.range.text, environment.edition)
        return Cell(INAPPLICABLE, text)
    if any(report.of == "test" for report in broken):
        return Cell(INAPPLICABLE, "the range is {}, {}".format(requirement.range.text, NOT_HERE))
    return Cell(
        FAILED, "the test passes outside the stated range {}: the range is wrong".format(requirement.range.text)
    )


def claim_cell(claim, environment, reports):
    """The verdict on ``claim`` from the ``reports`` (none or one) of its probe."""
    if not claim.judged:
        return Cell(INAPPLICABLE, "an opinion, which is listed and never judged")
    if not devices.in_scope(claim.devices, environment.device):
        return Cell(INAPPLICABLE, "it speaks of {}".format(claim.devices))
    if not reports:
        return Cell(CANT_TELL, "its probe did not report anything")
    return Cell(reports[0].word, reports[0].text)


def requirement_problems(cells: Dict[str, Cell], deviations=()):
    """One line for each requirement whose outcome is not as the specification states.

    Those in ``deviations`` (ids) are known not to be met; there it is a problem if they are.
    """
    problems = [
        "{}: {}: {}".format(name, cell.word, cell.text)
        for name, cell in cells.items()
        if cell.word == CANT_TELL or cell.word == FAILED and name not in deviations
    ]
    return problems + [
        "{}: passed, and is declared as a deviation of this backend: take it off the list".format(name)
        for name in deviations
        if name in cells and cells[name].word == PASSED
    ]


def claim_problems(claims, environment, cells: Dict[str, Cell]):
    """One line for each claim whose verdict is not the one that its ``correct`` range states."""
    problems = []
    for name, cell in cells.items():
        if cell.word == CANT_TELL:
            problems.append("{}: cantTell: {}".format(name, cell.text))
        elif cell.word in (CORRECT, INCORRECT):
            stated = CORRECT if environment.expects(claims[name].correct) else INCORRECT
            if cell.word != stated:
                problems.append(
                    "{}: observed {}, but correct={!r} states {} here: {}".format(
                        name, cell.word, claims[name].correct.text, stated, cell.text
                    )
                )
    return problems
