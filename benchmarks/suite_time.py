"""How long the suite takes, as a ratio to importing what it needs. Run it with a Python that has torch.

The aim is at most twice the time of ``python -c "import torch, numpy, pytest"`` plus ten seconds on two cores, so the
ratio that matters is (suite - 10 s) / import, which should not exceed 2. The smallest of three runs of each counts.
"""

import subprocess
import sys
import tempfile
import time

ALLOWANCE = 10.0  # seconds


def smallest(command, runs=3):
    """The smallest wall time of ``runs`` runs of ``command``, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    """Print the ratio."""
    importing = smallest([sys.executable, "-c", "import torch, numpy, pytest"])
    with tempfile.TemporaryDirectory() as folder:
        suite = smallest(
            [sys.executable, "-m", "conformance", "run", "--device", "cpu", "--results", folder, "-n", "2"]
        )
    print("import {:.1f} s, suite {:.1f} s, (suite - {:.0f}) / import = {:.2f}".format(
        importing, suite, ALLOWANCE, (suite - ALLOWANCE) / importing
    ))  # fmt: skip


if __name__ == "__main__":
    main()
