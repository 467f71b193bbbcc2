"""``explain``: one claim or requirement in full, with a script that reproduces it."""

import difflib
import textwrap

from .. import comparing, devices, reproduce, sources, spans, spec, truth
from ..errors import BadInput
from ..judging import DECIDED
from . import table

_WIDTH = 100


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser(
        "explain", help="one claim or requirement: text, verdict by release, evidence, script"
    )
    parser.add_argument(
        "id", help="the id of a claim or a requirement; the beginning of one is enough if it is the only one"
    )
    parser.add_argument("--script", action="store_true", help="print nothing but the reproduction script")
    table.add_sources(parser)
    parser.set_defaults(main=main)


def main(options):
    """Print the explanation; status 0."""
    claims, recorded = table.read(options)
    requirements = spec.read_requirements()
    identifier = resolve(options.id, list(claims) + list(requirements))
    tests = sources.find_tests()
    if identifier in claims:
        text = _claim(claims[identifier], recorded, options.script)
    else:
        text = _requirement(requirements[identifier], tests, claims, recorded, options.script)
    table.emit(text, None)
    return 0


def resolve(asked, known):
    """The id among ``known`` that ``asked`` names, in full or by its beginning.

    Raises:
        BadInput: none or several are meant.
    """
    if asked in known:
        return asked
    meant = [identifier for identifier in known if asked and identifier.startswith(asked)]
    if len(meant) == 1:
        return meant[0]
    close = meant[:3] or difflib.get_close_matches(asked, known, n=3, cutoff=0.5)
    mend = "did you mean {}?".format(" or ".join(close)) if close else "'python -m conformance table' lists the claims"
    raise BadInput(asked, "{} claim or requirement has this id".format("more than one" if meant else "no"), mend)


def _claim(claim, recorded, script_only):
    if script_only:
        return reproduce.claim_script(claim)
    row = truth.build({claim.id: claim}, recorded).rows[0]
    parts = [claim.id, "", _filled(claim.says), "", "Stands in {}, {}.".format(claim.document, claim.place)]
    if not claim.judged:
        return "\n".join(parts + ["An opinion, which is listed and never judged."]) + "\n"
    newest = (
        " on torch {} with NumPy {}, {}".format(
            row.newest.edition if row.newest.predicts else row.newest.version, row.newest.numpy, row.newest.device
        )
        if row.newest
        else ""
    )
    parts += [
        "",
        _filled("Verdict{}: {}".format(newest, row.verdict.upper())),
        "Correct in: {}".format(row.correct_in),
        "",
    ]
    parts += _history(claim, row.observations)
    if claim.correction:
        parts += ["", _filled("What is true: " + claim.correction)]
    parts += ["", _filled("Decided by: " + (", ".join(claim.requirements) or "nothing"))]
    return "\n".join(parts) + _script_part(reproduce.claim_script(claim))


def _requirement(requirement, tests, claims, recorded, script_only):
    script = reproduce.requirement_script(requirement, tests)
    if script_only:
        return script
    digest = sources.requirement_digest(requirement, tests)
    parts = [requirement.id, requirement.scope, "", _filled(requirement.text)]
    for note in requirement.notes:
        parts += ["", _filled(note)]
    parts += ["", "Stands in {}:{}.".format(requirement.file, requirement.line)]
    parts += [
        "Checked by {}:{} {}".format(test.file, test.line, test.function)
        for test in tests
        if test.requirement == requirement.id
    ]
    deciding = [claim.id for claim in claims.values() if requirement.id in claim.requirements]
    if deciding:
        parts.append(_filled("Decides the claims " + ", ".join(deciding)))
    parts += [""] + _history(requirement, truth.requirement_observations(requirement, recorded, digest))
    return "\n".join(parts) + _script_part(script)


def _history(judged, observations):
    """Lines that tell what was recorded, neighbouring releases with the same answer together, and where it changed."""
    if not observations:
        return ["No results are recorded."]
    lines, outside = [], []
    for track in comparing.tracks(observations):
        if not devices.in_scope(judged.devices, track[0].environment.device):
            outside.append(track[0].environment.device)
            continue
        for _, run in spans.runs(track, lambda found: (found.word, found.text)):
            first = run[0]
            predicted = truth.PREDICTED if first.environment.predicts and first.word in DECIDED else ""
            text = ": " + first.text if first.text else ""
            lines.append(_filled("  {:34} {}{}{}".format(_labelled(run), predicted, first.word, text), 4))
    if outside:
        lines.append("  outside its scope, which is {}: {}".format(judged.devices, ", ".join(dict.fromkeys(outside))))
    changed = comparing.changes(judged, observations)
    if changed:
        lines += [""] + [_filled("Changed in torch " + change, 4) for change in changed]
    return lines


def _labelled(run):
    """A short name for neighbouring environments that differ in the release: ``torch 1.0-1.5 cpu, NumPy 1``."""
    releases = spans.between(spans.release(run[0]), spans.release(run[-1]))
    found = run[0].environment
    return "{} {} {}, NumPy {}".format(found.implementation, releases, found.device, found.numpy.split(".")[0])


def _filled(text, indent=0):
    wrapper = textwrap.TextWrapper(_WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
    return "\n".join(wrapper.fill(line) for line in text.split("\n"))


def _script_part(script):
    return "\n\nTo reproduce it, save this script and run it with torch alone:\n\n{}".format(
        textwrap.indent(script, "    ")
    )
