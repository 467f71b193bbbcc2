"""Shared by the tests of the tools: small implementations, and running the command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def run():
    """Run ``python -m conformance`` with arguments; returns the completed process."""

    def call(*arguments, cwd=None, path=(), **variables):
        environment = dict(
            os.environ, PYTHONPATH=os.pathsep.join([str(ROOT), *map(str, path)]), COLUMNS="100", **variables
        )
        return subprocess.run(
            [sys.executable, "-m", "conformance", *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=str(cwd or ROOT),
            env=environment,
        )

    return call


def one_line(done):
    """The one line that a command prints for bad input; fails unless it is exactly that, with status 2."""
    assert done.returncode == 2, done.stdout + done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[0]
