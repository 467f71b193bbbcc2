"""Checks the specification, the tests, the claims and the documents against one another.

Every check is a pure function that returns a list of problems, one line each: where, what, and the mend.
"""

import re

from .devices import in_scope
from .versions import ALWAYS


def untested_requirements(requirements, tests):
    """Requirements that no test cites."""
    cited = {test.requirement for test in tests}
    return [
        "{0.file}:{0.line}: no test cites {0.id}; write one in conformance/chapters/test_{0.chapter}.py".format(
            requirement
        )
        for requirement in requirements.values()
        if requirement.id not in cited
    ]


def stray_tests(requirements, tests):
    """Tests that cite no requirement, or one that the specification does not have, or that stand in another chapter."""
    problems = []
    for test in tests:
        where = "{}:{}".format(test.file, test.line)
        if test.requirement is None:
            problems.append(
                "{}: {} cites no requirement; decorate it with @requirement('...')".format(where, test.function)
            )
        elif test.requirement not in requirements:
            problems.append(
                "{}: {} cites the unknown requirement {}; mend the id or specify it".format(
                    where, test.function, test.requirement
                )
            )
        elif test.path.stem != "test_" + requirements[test.requirement].chapter:
            problems.append(
                "{}: {} cites {}, of another chapter; move it to test_{}.py".format(
                    where, test.function, test.requirement, requirements[test.requirement].chapter
                )
            )
    return problems


def undecided_claims(claims, requirements):
    """Claims that cite no requirement, or an unknown one; and corrections that are missing or uncalled for."""
    problems = []
    for claim in claims.values():
        where = "{}:{}: claim {}".format(claim.file, claim.line, claim.id)
        for name in claim.requirements:
            if name not in requirements:
                problems.append("{}: cites the unknown requirement {}; mend the id or specify it".format(where, name))
        if not claim.judged:
            continue
        if not claim.requirements:
            problems.append("{}: cites no requirement; name those that decide it".format(where))
        if claim.correct.text == ALWAYS and claim.correction:
            problems.append("{}: has a correction although it is always correct; remove one of the two".format(where))
        if claim.correct.text != ALWAYS and not claim.correction:
            problems.append("{}: has no correction; say what is true instead".format(where))
    return problems


def uncovered_lines(claims, documents):
    """Lines of the documents that no claim covers and no non-claim names, claims outside them, and false non-claims."""
    problems = []
    covered = {name: set() for name in documents}
    for claim in claims.values():
        where = "{}:{}: claim {}".format(claim.file, claim.line, claim.id)
        document = documents.get(claim.document)
        if document is None:
            continue  # a document of somebody else's, of which nothing is known
        first, last = claim.lines
        if last > document.lines:
            problems.append("{}: line {} is past the end of {}; mend its lines".format(where, last, claim.document))
        covered[claim.document].update(range(first, last + 1))
    for name, document in documents.items():
        missing = set(range(1, document.lines + 1)) - covered[name] - document.blank - set(document.nonclaims)
        for line in sorted(missing):
            problems.append(
                "{}:{}: no claim covers this line; add one, or name the line in nonclaims.tsv".format(name, line)
            )
        for line in sorted(set(document.nonclaims)):
            if line in document.blank or line > document.lines:
                problems.append("nonclaims.tsv: line {} of {} is blank or past its end; remove it".format(line, name))
    return problems


def index_problems(chapters, readme, shown):
    """Chapters and requirements that the index in ``readme`` (the text of spec/README.md) lacks or has too many."""
    problems = []
    listed = (
        set(re.findall(r"`([a-z]+\.[a-z0-9-]+)`", readme.split("## Index", 1)[-1])) if "## Index" in readme else set()
    )
    known = set()
    for chapter in chapters:
        known.update(requirement.id for requirement in chapter.requirements)
        if "({}.md)".format(chapter.name) not in readme:
            problems.append("{}: the index lacks the chapter {}; run lint --write-index".format(shown, chapter.name))
    for name in sorted(known - listed):
        problems.append("{}: the index lacks {}; run lint --write-index".format(shown, name))
    for name in sorted(listed - known):
        problems.append("{}: the index lists the unknown {}; run lint --write-index".format(shown, name))
    return problems


def index(chapters):
    """The index of the specification as Markdown: each chapter with its requirements."""
    total = sum(len(chapter.requirements) for chapter in chapters)
    lines = ["## Index", "", "{} requirements in {} chapters.".format(total, len(chapters)), ""]
    for chapter in chapters:
        lines += ["### [{}]({}.md)".format(chapter.title, chapter.name), ""]
        for requirement in chapter.requirements:
            anchor = requirement.id.replace(".", "")
            lines.append("* [`{}`]({}.md#{})".format(requirement.id, chapter.name, anchor))
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def stale_results(all_results, requirements, claims, digests, file_of):
    """Recorded cells whose question has changed since, or that were never recorded; one line a results file.

    ``digests`` are those of all requirements and claims by id; ``file_of`` gives the shown name of the file of an
    `Environment`. What is outside an environment's device scope is never stale.
    """
    problems = []
    for found in all_results:
        environment = found.environment
        stale = [
            name
            for entries, judged in ((found.requirements, requirements), (found.claims, claims))
            for name in judged
            if in_scope(judged[name].devices, environment.device)
            and (name not in entries or entries[name].digest != digests[name])
        ]
        if stale:
            some = ", ".join(stale[:3]) + (", ..." if len(stale) > 3 else "")
            problems.append(
                "{}: {} cells are stale or missing ({}); run the suite there again".format(
                    file_of(environment), len(stale), some
                )
            )
    return problems
