"""What a table of curves looks like, and cannot tell: rounding, staircases, running means, copies, heavy tails.

Each check returns a sentence, or "". None of them decides a verdict: they say what the reader has to know who made the
table.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from workbench.report.judging.table import Floats

ROUNDING = 1e-14  # of the first value: what is smaller may be rounding
STAIRS = 0.3  # share of neighbouring checkpoints with the same value in every run from which on a curve is a staircase
CARRIED = 0.25  # share of the sum over runs that the largest run has
LEAST_TAIL = 8  # values from which on a tail is seen
MOST_LIKE_MEAN = 20  # checkpoints from which on "t v(t) never falls" is no accident of noisy values


def notes(values: Floats, marks: Floats, running_mean: bool) -> Iterator[str]:
    """The sentences that apply. values (runs, M), finite; marks (M,), positive and increasing.

    running_mean: the values are known to come from running means.
    """
    mean = "" if running_mean else _running_mean(values, marks)
    yield from filter(
        None,
        (
            _rounding(values),
            _stairs(values),
            mean,
            _share_of_largest(values) or _heavy_tail(values),
            _copies(values) or _one_curve(values),
        ),
    )


def _rounding(values: Floats) -> str:
    first, last = np.abs(values[:, 0]).mean(), np.abs(values[:, -1]).mean()
    if first > 0 and last < ROUNDING * first:
        return f"the last values are {last / first:.0e} of the first, which may be rounding: end the table before that"
    return ""


def _stairs(values: Floats) -> str:
    equal = float((values[:, 1:] == values[:, :-1]).all(0).mean())
    if equal >= STAIRS:
        return (
            f"{100 * equal:.0f} % of neighbouring checkpoints have equal values in every run: if the method moves once "
            "an epoch, keep one checkpoint per epoch"
        )
    return ""


def _running_mean(values: Floats, marks: Floats) -> str:
    """A running mean has t v(t) that never falls where what is averaged is not negative."""
    sums = values * marks
    smooth = (np.diff(sums) >= 0).all()
    if len(values) > 1 and marks.size >= MOST_LIKE_MEAN and smooth and np.ptp(values, 0).max() != 0:
        return (
            "t times the value never falls, in any run, as if the values were running means: if they are, use "
            "--running-mean, which reads the means over (T/2, T] instead"
        )
    return ""


def _share_of_largest(values: Floats) -> str:
    total, largest = values[:, -1].sum(), values[:, -1].max()
    if len(values) >= 8 and total > 0 and largest > CARRIED * total:
        return f"one run holds {100 * largest / total:.0f} % of the last mean: more runs may change it much"
    return ""


def _heavy_tail(values: Floats) -> str:
    """Hill's index of the largest values at the end: the larger half of its error below 2, there is no variance."""
    last = values[:, -1]
    count = int(np.sqrt(last.size))
    if count < LEAST_TAIL or not (last > 0).all():
        return ""
    *largest, start = np.sort(last)[: -count - 2 : -1]
    logs = float(np.log(largest).mean() - np.log(start))
    if logs * 2 <= 1 + 1 / np.sqrt(count):
        return ""
    return (
        f"the largest of the last values thin out like a power of {1 / logs:.2g}, at which a mean may hang on runs "
        "that are not among these: it may be larger, while an exponent is safe"
    )


def each_once(values: Floats) -> Floats:
    """The rows without those that equal an earlier one."""
    first = {row.tobytes(): n for n, row in reversed(list(enumerate(values)))}
    return values if len(first) == len(values) else values[sorted(first.values())]


def _copies(values: Floats) -> str:
    copies = len(values) - len(each_once(values))
    if not copies:
        return ""
    return (
        f"{copies} of {len(values)} runs equal another one, value for value: no verdict rests on counting them, since "
        "they may be copies"
    )


def _one_curve(values: Floats) -> str:
    """Runs that are multiples of one curve show no noise in a slope."""
    if len(values) < 2 or not (values > 0).all():
        return ""
    shapes = np.log(values) - np.log(values).mean(1, keepdims=True)
    spread = np.abs(shapes - shapes.mean(0)).max()
    if 0 < spread < 1e-9 or (spread == 0 and np.ptp(values[:, -1]) > 0):
        return "all runs are multiples of one curve: their number adds nothing to what its slope shows"
    return ""
