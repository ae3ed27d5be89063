"""Which statistics a plan was made with: a digest of what they say of a few planted curves.

The margins of a plan are what the statistics of its day made of the pilot runs. When the statistics change, every plan
has to be made again, and nothing in a plan's own numbers shows it. A change that no curve here feels goes unseen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache

import numpy as np

from workbench import evidence
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.interim_analyses import at_share, share
from workbench.evidence.margins import margin
from workbench.evidence.verdicts import Finding
from workbench.verdicts.calibration.planted import View, noisy

RUNS, LOOKS = 128, 4
SIDE = LEVEL / len(FAMILIES) / 100  # of a claim among a hundred
DIGITS = 2  # of limits and margins: the last bits of a number differ between processors


@cache
def statistics_digest() -> str:
    """16 hexadecimal digits, the same as long as limits and margins of the planted curves are."""
    return hashlib.sha256(repr([_numbers(f) for f in _findings()]).encode()).hexdigest()[:16]


def _numbers(finding: Finding) -> list[float]:
    last = at_share(finding, share(LOOKS, LOOKS))
    margins = (margin(last, verdict, SIDE) for verdict in ("holds", "violated"))
    return [round(float(x), DIGITS) + 0.0 for x in (finding.value, finding.low, finding.high, *margins)]


def _findings() -> Iterator[Finding]:
    rng, view = np.random.default_rng(0), View(10**6)
    t, quarter = view.t, view.power(-0.25)
    waving = quarter * (1 + 0.05 * np.sin(2 * np.log(t)))
    pausing = np.maximum(quarter, quarter[t.size // 2]) + 0.5 * np.minimum(
        0, quarter - quarter[3 * t.size // 4]
    )
    slopes = (
        quarter,
        view.power(-0.2),
        view.mixture(0.01),
        view.burn_in(0.01),
        view.mixture(1.0),
        waving,
        pausing,
    )
    for mean in slopes:
        values, marks = view.windows(rng, mean, RUNS)
        yield evidence.rate(values, marks, -0.25)
        yield evidence.tight(values, marks, -0.25)
        yield evidence.falsifier(evidence.rate(values, marks, -0.25))
    values, marks = view.some_lost(rng, 0.02, RUNS)
    yield evidence.rate(values, marks, -0.25)
    constant, around = np.ones_like(t), np.exp(rng.standard_normal((RUNS, 1)) / 2 - 1 / 8)
    yield evidence.level(noisy(rng, quarter, t, RUNS, spread=0.02), t, quarter)
    yield evidence.same(noisy(rng, quarter, t, RUNS), 1.02 * noisy(rng, quarter, t, RUNS), t, rtol=0.1)
    yield evidence.bound(noisy(rng, 0.8 * quarter, t, RUNS), quarter, t)
    yield evidence.bound(noisy(rng, quarter, t, RUNS, spread=0.02), quarter, t)
    yield evidence.bound(0.8 * around**3 * constant, constant, t)
    yield evidence.bound(0.4 * around * constant, constant, t, "probability", 0.1)
    yield view.crossover(-2.0, RUNS)(rng)
    for mean in (1 + t**-0.5, 1 + t**-0.125, 1 + 0.05 * np.sin(np.log(t)), 1 + np.log(t)):
        yield evidence.bounded(noisy(rng, mean, t, RUNS), t)
        yield evidence.limit(noisy(rng, mean, t, RUNS, spread=0.02), t, 1.0)
        yield evidence.logarithmic(noisy(rng, mean + 2, t, RUNS), t, 0.0, 1.0)
        yield evidence.logarithmic(noisy(rng, mean + 2, t, RUNS), t, 0.0, 1.0, or_less=True)
    sizes = np.exp2(np.arange(6.0))
    yield evidence.scaling(noisy(rng, sizes**0.5, sizes, RUNS), sizes, 0.5)
    steps, jitter = np.arange(1.0, 101.0), np.exp(rng.standard_normal((RUNS, 100)) / 20)
    for factor in (0.9, 0.909):
        yield evidence.geometric(around * jitter * factor**steps, steps, 0.9)
        yield evidence.geometric(around * jitter * factor**steps, steps, 0.9, or_faster=True)
