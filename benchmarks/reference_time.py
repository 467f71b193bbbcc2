"""How long the reference implementation takes, as ratios. Run it with a Python that has torch.

Importing the model and laying out one edition should take less than 0.2 s beyond NumPy. The smallest of several runs
counts.
"""

import sys
import tempfile

from suite_time import smallest

MODEL = "import numpy, reference_impl; reference_impl.edition('2.13')"


def main():
    """Print the times and the ratio."""
    plain = smallest([sys.executable, "-c", "import numpy"], runs=7)
    model = smallest([sys.executable, "-c", MODEL], runs=7)
    print("NumPy {:.3f} s, with the model {:.3f} s, beyond {:.3f} s".format(plain, model, model - plain))
    times = []
    for implementation in ("reference", "torch"):
        with tempfile.TemporaryDirectory() as folder:
            command = [
                sys.executable,
                "-m",
                "conformance",
                "run",
                "--implementation",
                implementation,
                "--results",
                folder,
            ]
            edition = ["--edition", "2.13"] if implementation == "reference" else []
            times.append(smallest(command + edition + ["-n", "2"]))
    print("suite on the model {:.1f} s, on torch {:.1f} s, ratio {:.2f}".format(*times, times[0] / times[1]))


if __name__ == "__main__":
    main()
