"""``run``: runs requirements and claims on an implementation, records the results, prints a summary."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from .. import (
    assembly,
    backends,
    baselines,
    catalogue,
    devices,
    implementations,
    judging,
    paths,
    recipes,
    results,
    running,
    sources,
    spec,
    truth,
)
from ..errors import BadInput
from ..judging import Environment
from ..versions import EDITIONS


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser(
        "run",
        help="run requirements and claims on an implementation and record the results",
        description="Runs every requirement and claim, writes one results file a device and prints a summary. "
        "Arguments that are not listed here go to pytest: -k grad, -x, -n 4.",
    )
    parser.add_argument(
        "--implementation",
        help="torch, reference, or an importable module shaped like torch (default: torch, or reference without torch)",
    )
    parser.add_argument(
        "--edition",
        action="append",
        help="the torch release whose behaviour is expected, such as 1.8 (default: its own, or the newest); may be "
        "given several times",
    )
    parser.add_argument("--device", action="append", help="a device; may be given several times (default: cpu)")
    parser.add_argument("--claims", action="append", default=[], metavar="MODULE", help="a further module of claims")
    parser.add_argument("--results", default=paths.WRITTEN, type=Path, metavar="DIR", help="where results are kept")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if what is recorded would change")
    parser.set_defaults(main=main, takes_pytest_arguments=True)


def main(options):
    """Run the suite on each device. Returns the exit status: 0 as stated, 1 something differs, 2 bad input."""
    asked = list(dict.fromkeys(options.device or [devices.HOST]))
    if options.implementation is None:
        options.implementation = implementations.default()
        if options.implementation == judging.REFERENCE:
            print("torch is not installed: the reference implementation predicts what it would do")
    editions = list(dict.fromkeys(options.edition or [None]))
    for edition in editions:
        if edition is not None and edition not in EDITIONS:
            known = "{} to {}".format(EDITIONS[0], EDITIONS[-1])
            raise BadInput(
                "--edition " + edition, "not a torch release that the specification describes", "use " + known
            )
    catalogue_modules = list(catalogue.DOCUMENTS) + options.claims
    suite = assembly.Suite(
        spec.read_requirements(), sources.find_tests(), catalogue.load_claims(catalogue_modules), catalogue_modules
    )
    status = 0
    for options.edition in editions:
        status = max(status, _run_edition(suite, asked, options))
    return status


def _run_edition(suite, asked, options):
    """Run the suite on each device for one edition. Returns the exit status."""
    environments, absent = discover(options.implementation, options.edition, asked)
    status = 0
    for device in asked:
        if device in absent:
            problem = BadInput(
                "--device " + device,
                "{} has no such device here ({})".format(options.implementation, absent[device]),
                "leave it out, or run where it is",
            )
            print(problem, file=sys.stderr)
            status = 2
        else:
            status = max(status, _run_device(suite, environments[device], options))
    return status


def discover(implementation, edition, asked):
    """The environments of the devices ``asked`` for that are there, and the reasons why others are not.

    Raises:
        BadInput: the implementation does not import, or ends the interpreter while it does.
    """
    together = [device for device in asked if not backends.made(device)]
    found, absent = {}, {}
    for some in [together] * bool(together) + [[device] for device in asked if backends.made(device)]:
        answer = _described(implementation, edition, some)
        found.update((device, Environment(**known)) for device, known in answer["environments"].items())
        absent.update(answer["absent"])
    return found, absent


def _described(implementation, edition, asked):
    """What `conformance.implementations` prints of some devices, in a process of its own."""
    command = [sys.executable, "-m", "conformance.implementations", implementation]
    for device in asked:
        command += ["--device", device]
    if edition:
        command += ["--edition", edition]
    done = subprocess.run(command, capture_output=True, text=True, env=running.child_environment())
    if done.returncode == 0:
        return json.loads(done.stdout.strip().splitlines()[-1])
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    if done.returncode == 2:
        raise BadInputLine(last)
    how = "signal {}".format(-done.returncode) if done.returncode < 0 else "status {}".format(done.returncode)
    raise BadInput(
        "--implementation " + implementation, "importing it ended the interpreter ({})".format(how), "mend the module"
    )


class BadInputLine(BadInput):
    """Bad input that another process has put into words already."""

    def __str__(self):
        return self.where

    def __init__(self, line):
        super().__init__(line, "", "")


def _run_device(suite, environment, options):
    print(
        "{} {}, NumPy {}, Python {}, device {}: {} requirements, {} claims".format(
            environment.implementation,
            environment.version,
            environment.numpy,
            environment.python,
            environment.device,
            len(suite.requirements),
            len(suite.claims),
        ),
        flush=True,
    )
    with tempfile.TemporaryDirectory(prefix="conformance-") as scratch:
        reports_file = Path(scratch) / "reports.jsonl"
        code = running.run(_plan(suite, environment, options), reports_file)
        lines = reports_file.read_text(encoding="utf-8").splitlines() if reports_file.exists() else []
    if not lines or code in (3, 4):  # 3, 4: pytest's internal and usage errors, which it has printed
        what = "no test was chosen" if code in (0, 5) else "pytest ended with status {} (see above)".format(code)
        raise BadInput("pytest arguments '{}'".format(" ".join(options.pytest_arguments)), what, "mend them")
    reports = [json.loads(line) for line in lines]
    partial = options.partial or code == 2
    observed = assembly.observed(suite, environment, reports, partial)
    known = backends.deviations(environment.device) if environment.implementation == "torch" else {}
    problems = judging.requirement_problems(observed.requirements, known)
    problems += judging.claim_problems(suite.claims, environment, observed.claims)
    problems += assembly.strays(suite, reports)
    problems += assembly.unfinished(suite, environment, reports, observed) if partial else []
    if code == 2:
        problems.append("the run was cut short")
    problems = _contradictions(suite, observed, options.results) + problems
    path = options.results / results.file_name(environment)
    recorded = results.read(path) if path.exists() else None
    if options.check:
        problems += _check(recorded, observed, partial, path)
    else:
        if partial:
            observed = results.merged(recorded, observed)
        results.write(options.results, observed)
        print("wrote " + paths.shown(path))
    for name, entry in observed.recipes.items():  # nothing is stated of these, so that nothing differs
        if entry.word == judging.CANT_TELL:
            print("CANNOT TELL  {}: {}".format(name, entry.text))
    for name in sorted(known):
        if name in observed.requirements and observed.requirements[name].word == judging.FAILED:
            print("DEVIATES {}: {}".format(name, known[name]))
    _summary(observed, problems)
    return 1 if problems else 0


def _plan(suite, environment, options):
    return running.Plan(
        environment.implementation,
        options.edition,
        environment.device,
        tuple(suite.modules),
        tuple(options.pytest_arguments),
        options.pytest_arguments_files,
    )


def _contradictions(suite, predicted, folder):
    """What the reference implementation predicts and the results recorded in ``folder`` contradict, one line each."""
    if not predicted.environment.predicts or not folder.is_dir():
        return []
    others = [found for found in results.read_all(folder) if predicted.environment.stands_for(found.environment)]
    torches = [found for found in others if found.environment.implementation == "torch"]
    table = truth.build(suite.claims, torches + [predicted], suite.requirements, suite.tests)
    return ["PREDICTED OTHERWISE  {}".format(found) for found in table.disagreements]


def _check(recorded, observed, partial, path):
    if recorded is None:
        raise BadInput(paths.shown(path), "nothing is recorded for this environment", "run without --check first")
    if partial:
        recorded = recorded._replace(
            requirements={
                name: entry for name, entry in recorded.requirements.items() if name in observed.requirements
            },
            claims={name: entry for name, entry in recorded.claims.items() if name in observed.claims},
            recipes={name: entry for name, entry in recorded.recipes.items() if name in observed.recipes},
        )
    return results.differences(recorded, observed)


def _summary(observed, problems):
    for title, entries, words in (
        ("requirements", observed.requirements, judging.OUTCOMES),
        ("claims", observed.claims, judging.VERDICTS),
        ("recipes", observed.recipes, recipes.CAME_TO),
    ):
        counts = [(word, sum(1 for entry in entries.values() if entry.word == word)) for word in words]
        print(
            "{} of {}: {}".format(
                title, len(entries), ", ".join("{} {}".format(count, word) for word, count in counts if count)
            )
        )
    if observed.environment.device == devices.HOST and baselines.FILE.is_file():
        print(baselines.in_words(baselines.read()))
    for problem in problems:
        print("DIFFERS  " + problem)
    print("{} as stated".format("not" if problems else "all"))
