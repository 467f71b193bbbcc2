"""Runs the suite on a machine with a GPU, which needs nothing but Python, torch, NumPy and pytest, and no network.

    python .ci/on_device.py                  # cuda, into the folder results
    python .ci/on_device.py --device xpu --results fresh

What it writes is merged on another machine with `python -m conformance merge fresh`.
Exit status: 0 all as stated, 1 something differs, 2 the device or a package is missing.
"""

import argparse
import importlib
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    """Run the suite on the device, and say what is missing if it cannot be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", action="append", help="a device; may be given several times (default: cuda)")
    parser.add_argument("--results", default="results", metavar="DIR", help="where results are written")
    options = parser.parse_args()
    for name in ("numpy", "pytest", "packaging", "torch"):
        try:
            importlib.import_module(name)
        except ImportError as problem:
            print("{}: does not import ({}); install it for {}".format(name, problem, sys.executable), file=sys.stderr)
            return 2
    command = [sys.executable, "-m", "conformance", "run", "--results", os.path.abspath(options.results)]
    for device in options.device or ["cuda"]:
        command += ["--device", device]
    begin = time.time()
    status = subprocess.call(command, cwd=ROOT)
    print("{:.0f} s".format(time.time() - begin))
    return status


if __name__ == "__main__":
    sys.exit(main())
