"""Planted curves for claims on the worst member of a family at each T, and on times of first passage.

A family has members that decay like exp(-T/size) from 1/size: each is faster than any power in the end, the worst at T
falls like T^-1. Runs of different members share a factor, as they share their noise in a simulation. Times of first
passage to a level grow like level^-2 and are known at marks only. Claims are right, or 0.1 off; none has to be decided.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from workbench import evidence
from workbench.engine.marks import log_marks
from workbench.evidence import enclosed
from workbench.evidence.enclosed import Enclosed
from workbench.evidence.stats import Floats
from workbench.evidence.verdicts import Finding
from workbench.verdicts.calibration.interim_analyses import FAMILY, Checks
from workbench.verdicts.calibration.planted import NO, NONE, YES, Generator, Plant, Scenario, seen_up_to

HORIZON, RUNS = 10_000, 512
MARKS = log_marks(HORIZON).astype(float)
SIZES = 2.0 ** (np.arange(6, 33) / 2)  # of members
SHARED, OWN = 0.3, 0.05  # deviations of the logarithm of a run's factor, for all members and for one
LEVELS = 2.0 ** -np.arange(1, 8)
DENSE = np.unique(np.round(np.geomspace(1, 10_000_000, 1200)))
TOL = 0.05


def members(rng: Generator, power: float) -> Floats:
    """(members, RUNS, M), with means that fall from size^-power."""
    means = np.exp(-MARKS / SIZES[:, None]) / SIZES[:, None] ** power
    common = np.exp(SHARED * rng.standard_normal((1, RUNS, 1)) - SHARED**2 / 2)
    own = np.exp(OWN * rng.standard_normal((len(means), RUNS, MARKS.size)) - OWN**2 / 2)
    return means[:, None] * common * own


def read(curve: Enclosed, claimed: float) -> Finding:
    """The finding of the claim that the curve falls, or grows, at most like T^claimed."""
    window = (float(curve.marks[0]), float(curve.marks[-1])) if curve.marks.size < MARKS.size else None

    def test(values: Floats, marks: Floats, tol: float) -> Finding:
        return evidence.rate(values, marks, claimed, tol=tol, window=window)

    return enclosed.finding_of(curve, test, TOL, enclosed.shift(curve, window))


def worst(rng: Generator, power: float, family: int) -> Finding:
    """The claim T^-1 on the worst member."""
    values = members(rng, power)
    checks = Checks(family)
    return checks.by_looks(lambda n: read(enclosed.worst(values[:, :n], MARKS), -1.0), RUNS)


def passage(rng: Generator, power: float, family: int) -> Finding:
    """The claim level^-2 on times that grow like level^-power, with a factor for each run and level."""
    factor = np.exp(SHARED * rng.standard_normal((RUNS, 1)) + OWN * rng.standard_normal((RUNS, LEVELS.size)))
    times = 2.0 * LEVELS**-power * factor
    later = DENSE[np.searchsorted(DENSE, times)]
    early = DENSE[np.maximum(np.searchsorted(DENSE, times), 1) - 1] + 1
    excess = later.mean(axis=0) / early.mean(axis=0) - 1
    return Checks(family).by_looks(lambda n: read(Enclosed(early[:n], 1 / LEVELS, excess), 2.0), RUNS)


def scenarios(family: int = FAMILY) -> list[Scenario]:
    """All planted families, of a paper with so many claims."""
    plants: list[Plant] = [
        (
            f"the worst member: T^-{p:g} for T^-1, {RUNS} runs",
            truth,
            NONE,
            partial(worst, power=p, family=family),
        )
        for p, truth in ((1.0, YES), (1.1, YES), (0.9, NO), (0.8, NO))
    ]
    plants += [
        (
            f"first passage: level^-{p:g} for level^-2, {RUNS} runs",
            truth,
            NONE,
            partial(passage, power=p, family=family),
        )
        for p, truth in ((2.0, YES), (2.1, NO), (2.2, NO))
    ]
    return seen_up_to(HORIZON, plants)
