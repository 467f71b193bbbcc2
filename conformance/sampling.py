"""What probes about random numbers share. Standard library only, so that ``explain`` can copy it into a script."""

import math
import os
import subprocess
import sys

DRAW = "import importlib, sys; print(importlib.import_module(sys.argv[1]).randn(*map(int, sys.argv[2:])).tolist())"


def drawn_afresh(torch, shape, count):
    """What ``count`` new interpreters print that import the implementation and draw ``randn`` of ``shape`` at once.

    Raises:
        RuntimeError: one of them ended with another status than 0.
    """
    known = dict(os.environ, PYTHONPATH=os.pathsep.join(folder or os.getcwd() for folder in sys.path))
    command = [sys.executable, "-c", DRAW, torch.__name__] + [str(size) for size in shape]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, env=known) for _ in range(count)]
    texts = [process.communicate()[0].decode() for process in started]
    for process in started:
        if process.returncode != 0:
            raise RuntimeError("the new interpreter ended with status {}".format(process.returncode))
    return texts


def probability_of_so_small(numbers):
    """The probability that as many standard normal numbers have a sum of squares as small as that of ``numbers``.

    This is the distribution function of chi-square: the regularised lower incomplete gamma function, by its series.
    """
    half, x = len(numbers) / 2.0, sum(number * number for number in numbers) / 2.0
    term = math.exp(half * math.log(x) - x - math.lgamma(half + 1))
    probability, n = 0.0, 0
    while term > probability * 1e-17:
        probability += term
        n += 1
        term *= x / (half + n)
    return probability
