"""Compares the time that two calls take. Standard library only, so that ``explain`` can copy it into a script."""

import time


def ratio(one, other, repeats, rounds):
    """How many times as long ``one()`` takes as ``other()``: the median of the ratios of ``rounds`` pairs.

    Each pair is measured in one go, ``repeats`` calls of either, by turns the one and the other first. So what else the
    machine does reaches both sides of a pair alike, or makes it one of the outliers that a median passes over.
    """

    def seconds(call):
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        return time.perf_counter() - start

    found = []
    for number in range(rounds):
        if number % 2:
            below = seconds(other)
            found.append(seconds(one) / below)
        else:
            above = seconds(one)
            found.append(above / seconds(other))
    return sorted(found)[rounds // 2]
