"""``compare``: what differs between two releases, or between two recorded environments."""

import json
import textwrap

from .. import comparing, results, sources, spec, truth, versions
from ..catalogue import Claim
from ..errors import BadInput
from . import table

_WIDTH = 100


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser(
        "compare",
        help="what differs between two releases or two environments",
        description="Prints the claims and requirements that changed, with the evidence of both; status 1 if any did.",
    )
    for name in ("A", "B"):
        parser.add_argument(name, help="a torch release such as 1.5, or the name of a results file without .json")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    table.add_sources(parser)
    parser.set_defaults(main=main)


def main(options):
    """Print the comparison; status 0 if nothing differs, else 1."""
    claims, recorded = table.read(options)
    requirements = spec.read_requirements()
    tests = sources.find_tests()
    digests = {name: sources.requirement_digest(found, tests) for name, found in requirements.items()}
    digests.update((name, sources.claim_digest(found)) for name, found in claims.items())
    before, after = (chosen(asked, recorded) for asked in (options.A, options.B))
    meeting = comparing.pairs(before, after)
    if not meeting:
        raise BadInput(
            "{} and {}".format(options.A, options.B), "were recorded on no device in common", "compare others"
        )
    judged = {name: claim for name, claim in claims.items() if claim.judged}
    found = [comparing.compare(first, second, judged, requirements, digests) for first, second in meeting]
    table.emit(_as_json(found) if options.format == "json" else _as_text(found), None)
    return 1 if any(each.differences for each in found) else 0


def chosen(asked, recorded):
    """The results that ``asked`` names: all of torch in a release, or those of one environment.

    Raises:
        BadInput: nothing is recorded under that name.
    """
    named = [found for found in recorded if results.file_name(found.environment) == asked + ".json"]
    released = [
        found
        for found in recorded
        if found.environment.implementation == "torch"
        and asked in (found.environment.version, versions.minor(found.environment.version))
    ]
    if named or released:
        return named or released
    releases = dict.fromkeys(
        versions.minor(found.environment.version) for found in recorded if found.environment.implementation == "torch"
    )
    raise BadInput(
        asked,
        "nothing is recorded of such a release or environment",
        "name one of {}, or a results file without .json".format(", ".join(releases) or "none"),
    )


def _as_text(found):
    parts = []
    for each in found:
        lines = [
            "{} -> {}".format(truth.label(each.before), truth.label(each.after)),
            _filled(
                "{} of {} claims and requirements that both decided differ{}".format(
                    len(each.differences),
                    each.compared,
                    "; not comparable: " + ", ".join(each.left_out) if each.left_out else "",
                )
            ),
        ]
        for difference in each.differences:
            judged = difference.judged
            lines += ["", judged.id]
            lines.append(_filled(judged.says if isinstance(judged, Claim) else judged.text.replace("\n", " "), 2))
            for side in (difference.before, difference.after):
                lines.append(
                    _filled(
                        "{}: {}{}".format(
                            truth.label(side.environment), side.word, ": " + side.text if side.text else ""
                        ),
                        4,
                    )
                )
        parts.append("\n".join(lines))
    return "\n\n\n".join(parts) + "\n"


def _filled(text, indent=0):
    return textwrap.fill(
        text, _WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2), break_on_hyphens=False
    )


def _as_json(found):
    content = [
        {
            "before": each.before._asdict(),
            "after": each.after._asdict(),
            "compared": each.compared,
            "not_comparable": list(each.left_out),
            "differences": [
                {
                    "id": difference.judged.id,
                    "before": {"word": difference.before.word, "evidence": difference.before.text},
                    "after": {"word": difference.after.word, "evidence": difference.after.text},
                }
                for difference in each.differences
            ],
        }
        for each in found
    ]
    return json.dumps({"schema": 1, "comparisons": content}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
