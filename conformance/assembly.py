"""Puts the cells of one run together from what its tests reported. Pure functions."""

from . import judging, recipes, results, sources
from .judging import Report

_KINDS = {"test": "requirement", "example": "requirement", "probe": "claim", "recipe": "recipe"}


class Suite:
    """Everything that can be judged, read once."""

    def __init__(self, requirements, tests, claims, modules):
        self.requirements = requirements
        self.tests = tests
        self.claims = claims
        self.modules = modules

    def functions(self, identifier):
        """The names of the test functions that cite a requirement."""
        return {test.function for test in self.tests if test.requirement == identifier}


def observed(suite, environment, reports, partial):
    """The `results.Results` of a run. A cell of which only a part ran is left out of a partial run."""
    by_id = {}
    for report in reports:
        by_id.setdefault((_KINDS[report["of"]], report["id"]), []).append(report)
    requirements, claims = {}, {}
    for name, requirement in suite.requirements.items():
        mine = by_id.get(("requirement", name), [])
        if partial and not _complete(suite.functions(name), mine):
            continue
        cell = judging.requirement_cell(requirement, environment, [Report(r["of"], r["word"], r["text"]) for r in mine])
        requirements[name] = results.Entry(cell.word, cell.text, sources.requirement_digest(requirement, suite.tests))
    for name, claim in suite.claims.items():
        mine = by_id.get(("claim", name), [])
        if partial and not mine:
            continue
        cell = judging.claim_cell(claim, environment, [Report(r["of"], r["word"], r["text"]) for r in mine])
        claims[name] = results.Entry(cell.word, cell.text, sources.claim_digest(claim))
    cells, digest = {}, sources.recipe_digest()
    for name in recipes.CELLS:
        mine = by_id.get(("recipe", name), [])
        if partial and not mine:
            continue
        word, text = (mine[0]["word"], mine[0]["text"]) if mine else (judging.CANT_TELL, "it did not report anything")
        cells[name] = results.Entry(word, text, digest)
    return results.Results(environment, requirements, claims, cells)


def unfinished(suite, environment, reports, seen):
    """Failures of requirements of which only a part ran, so that they have no cell."""
    return sorted(
        {
            "{}: {} in the part that ran: {}".format(report["id"], report["word"], report["text"])
            for report in reports
            if _KINDS[report["of"]] == "requirement"
            and report["id"] in suite.requirements
            and report["id"] not in seen.requirements
            and report["word"] in (judging.FAILED, judging.CANT_TELL)
            and environment.expects(suite.requirements[report["id"]].range)
        }
    )


def _complete(functions, reports):
    """Whether every test of a requirement ran with every parameter."""
    ran = {}
    for report in reports:
        ran.setdefault(report["function"], []).append(report["total"])
    crashed = any(report["total"] is None for report in reports)
    return functions <= set(ran) and (crashed or all(len(totals) == totals[0] for totals in ran.values()))


def strays(suite, reports):
    """Problems that belong to no requirement: tests that cite none, or one that the specification does not have."""
    return sorted(
        {report["text"] for report in reports if report["of"] == "test" and report["id"] not in suite.requirements}
    )
