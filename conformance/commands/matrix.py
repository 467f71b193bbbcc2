"""``matrix``: records every release, one environment of tox after another, on one machine."""

import importlib.util
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

from .. import catalogue, matrix, paths, recipes, results, sources, spec
from ..errors import BadInput

_GIGABYTE = 1024**3


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser(
        "matrix",
        help="record the releases of torch that releases.tsv lists, one after another",
        description="Runs those environments whose results are missing or stale, and so goes on where it was stopped.",
    )
    parser.add_argument("environment", nargs="*", help="environments of tox (default: those with the label)")
    parser.add_argument(
        "--label", default="releases", help="a label: releases, oldest, newest or boundaries (default: releases)"
    )
    parser.add_argument("--all", action="store_true", help="run what is recorded and not stale as well")
    parser.add_argument("--keep", type=int, default=1, metavar="N", help="environments to keep on disk (default: 1)")
    parser.add_argument(
        "--free", type=float, default=10, metavar="GB", help="empty uv's cache if less is free (default: 10)"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be run, and run nothing")
    parser.add_argument("--results", default=paths.WRITTEN, type=Path, metavar="DIR", help="where results are kept")
    parser.set_defaults(main=main)


def main(options):
    """Run the environments; status 0 if all are recorded as stated, 1 if one is not, 2 if one could not be run."""
    if importlib.util.find_spec("tox") is None:
        raise BadInput("tox", "this package, which makes the environments, is not installed", "pip install tox tox-uv")
    root = paths.PACKAGE.parent
    if not paths.CHECKOUT:
        raise BadInput("matrix", "an installed package has no environments of tox", "run it in a checkout")
    planned = _planned(options, root)
    progress = _Progress(root / ".tox" / "matrix.json")
    todo = [each for each in planned if _wanted(each, options, progress)]
    print("{} of {} environments to run".format(len(todo), len(planned)), flush=True)
    if options.dry_run:
        print("\n".join(each.name for each in todo))
        return 0
    kept, seconds, troubles, status = [], [], [], 0
    for number, each in enumerate(todo):
        print(
            "[{}/{}] {} ({})".format(number + 1, len(todo), each.name, matrix.time_left(seconds, len(todo) - number)),
            flush=True,
        )
        _make_room(options.free, root)
        begin = time.monotonic()
        code, trouble = _run(each, options, root)
        seconds.append(time.monotonic() - begin)
        if trouble:
            print("    " + trouble, flush=True)
            troubles.append("{}: {}".format(each.name, trouble))
        else:
            progress.finished(each.name)
        status = max(status, code)
        kept.append(each.name)
        while len(kept) > options.keep:
            shutil.rmtree(str(root / ".tox" / kept.pop(0)), ignore_errors=True)
    if not status:
        progress.forget()
    print("{} of {} recorded as stated".format(len(todo) - len(troubles), len(todo)))
    for trouble in troubles:
        print("NOT AS STATED  " + trouble)
    return status


def _planned(options, root):
    chosen = ["-e", ",".join(options.environment)] if options.environment else ["-m", options.label]
    done = subprocess.run(
        [sys.executable, "-m", "tox", "config", *chosen, "-k", "deps", "commands"],
        cwd=str(root),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines() or ["no message"]
        raise BadInput(" ".join(chosen), "tox refuses it ({})".format(lines[-1]), "name one that 'tox list' shows")
    try:
        return matrix.read_config(done.stdout)
    except ValueError as problem:
        raise BadInput("conformance/releases.tsv", str(problem), "mend the line of that release") from None


def _wanted(each, options, progress):
    if options.all:
        return each.name not in progress.names
    return not matrix.current(each, _recorded(options.results), _digests())


def _recorded(folder):
    return results.read_all(folder) if folder.is_dir() else []


def _digests():
    tests = sources.find_tests()
    found = {name: sources.requirement_digest(each, tests) for name, each in spec.read_requirements().items()}
    found.update((name, sources.claim_digest(each)) for name, each in catalogue.load_claims().items())
    found.update((name, sources.recipe_digest()) for name in recipes.CELLS)
    return found


def _run(each, options, root):
    """Run one environment. Returns an exit status and what is wrong, in one line, or None."""
    command = [sys.executable, "-m", "tox", "run", "-q", "-e", each.name, "--", "--results", str(options.results)]
    done = subprocess.run(command, cwd=str(root), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    differs = [line for line in lines if line.startswith("DIFFERS")]
    if differs:
        return 1, "{} (and {} more)".format(differs[0], len(differs) - 1) if len(differs) > 1 else differs[0]
    if done.returncode or not matrix.current(each, _recorded(options.results), _digests()):
        telling = [line for line in lines if "rror" in line or "SKIP" in line or "could not" in line or "╰─▶" in line]
        return 2, "could not be run: " + (telling or lines or ["no output"])[-1]
    return 0, None


def _make_room(gigabytes, root):
    """Empty the cache of uv if the disk is nearly full; what it holds is fetched again where it is needed."""
    free = shutil.disk_usage(str(root)).free / _GIGABYTE
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if free < gigabytes and uv:
        print("    {:.0f} GB free: emptying the cache of uv".format(free), flush=True)
        subprocess.run([uv, "cache", "clean", "-q"], check=True)


class _Progress:
    """The environments that a run with ``--all`` has finished, kept on disk so that the next one goes on from there."""

    def __init__(self, path):
        self.path = path
        try:
            self.names = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            self.names = []
        except ValueError:
            raise BadInput(paths.shown(path), "damaged: not JSON", "delete it to begin anew") from None

    def finished(self, name):
        self.names.append(name)
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(json.dumps(self.names), encoding="utf-8")

    def forget(self):
        if self.path.exists():
            self.path.unlink()
