"""Sizes of the mean test at the level of one claim of a family, 1e-5 and below, from many small planted samples.

`workbench.verdicts.calibration.calibrate` decides some hundred data sets per scenario; it cannot see an error rate
of 1e-4. Here the truth lies exactly on the edge, samples are drawn by the hundred thousand, and the decisions of the
test that every finding rests on (`workbench.evidence.stats.p_value`) are counted against its nominal level. One
scenario, followed through: 64 runs with lognormal values whose mean is the bound; in how many samples is the mean
declared smaller?
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from workbench.evidence import stats
from workbench.evidence.stats import Floats, clopper_pearson

SIDE = 0.005
BLOCK = 2_000_000  # numbers drawn at once
Generator = np.random.Generator


@dataclass(frozen=True)
class Law:
    """A distribution over runs with mean 0. draw: (rng, shape) -> values."""

    name: str
    draw: Callable[[Generator, tuple[int, int]], Floats]


def lognormal(s: float) -> Law:
    return Law(f"lognormal({s:g})", lambda rng, k: np.exp(s * rng.standard_normal(k)) - np.exp(s**2 / 2))


GAUSS = Law("Gaussian", lambda rng, k: rng.standard_normal(k))
EXPONENTIAL = Law("exponential", lambda rng, k: rng.exponential(size=k) - 1)
FLAT = Law("uniform", lambda rng, k: rng.random(k) - 0.5)
STUDENT = Law("Student, 3 degrees", lambda rng, k: rng.standard_t(3, k))


@dataclass(frozen=True)
class Case:
    """A law, a number of runs, and the largest size that the test is known to have, in units of its level."""

    law: Law
    runs: int
    at_most: float


# A test of a mean has no guaranteed size without an assumption on the tail. `at_most` was fixed from 1e6 samples of
# another seed, rounded up: about the nominal level for light tails, some ten times for lognormal(1), which a family of
# 200 turns into at most 1e-3 for one claim on its edge.
CASES = (
    *(Case(GAUSS, n, 1.5) for n in (24, 64)),
    *(Case(FLAT, n, 1.5) for n in (24, 64)),
    *(Case(STUDENT, n, 1.5) for n in (24, 64)),
    Case(lognormal(0.5), 24, 6.0),
    Case(lognormal(0.5), 64, 4.0),
    Case(EXPONENTIAL, 24, 4.0),
    Case(EXPONENTIAL, 64, 4.0),
    Case(lognormal(1.0), 24, 10.0),
    Case(lognormal(1.0), 64, 6.0),
    Case(lognormal(1.5), 24, 50.0),
    Case(lognormal(1.5), 64, 15.0),
    Case(lognormal(1.5), 256, 6.0),
)


def rejections(law: Law, runs: int, samples: int, level: float, rng: Generator) -> int:
    """In how many samples the mean, which is 0, is declared to be negative at this level."""
    count, remaining = 0, samples
    while remaining > 0:
        now = min(remaining, max(1, BLOCK // runs))
        x = law.draw(rng, (now, runs)).T
        mean, se, skew = x.mean(0), x.std(0, ddof=1) / np.sqrt(runs), stats.skewness(x)
        count += int((stats.p_value(mean / se, skew, runs) <= level).sum())
        remaining -= now
    return count


def sizes(level: float, samples: int = 200_000, seed: int = 0) -> list[dict[str, object]]:
    """Rows, one per case: wrong decisions per sample over the level, with 99 % limits, and whether they are allowed."""
    rows = []
    for case in CASES:
        rng = np.random.default_rng([seed, case.runs, *case.law.name.encode()])
        bad = rejections(case.law, case.runs, samples, level, rng)
        low, high = clopper_pearson(bad, samples, SIDE)
        rows.append(
            {
                "mean of": f"{case.law.name}, {case.runs} runs",
                "samples": samples,
                "wrong": bad,
                "size/level": bad / samples / level,
                "from": low / level,
                "to": high / level,
                "at most": case.at_most,
                "ok": low / level <= case.at_most,
            }
        )
    return rows
