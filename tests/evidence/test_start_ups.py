"""Start-ups: true exponents are not violated by one, wrong ones are in spite of it, and more data weaken nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import start_ups

from workbench import evidence as ev
from workbench.engine.marks import log_marks
from workbench.evidence import rates
from workbench.evidence.verdicts import Decision, Verdict, decide

HORIZONS = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 1_000_000)
Curve = Callable[[np.ndarray], np.ndarray]


def judged(curve: Curve, claimed: float, horizon: int, kind: str = "rate", runs: int = 128) -> Decision:
    marks = log_marks(horizon).astype(float)
    return decide([getattr(ev, kind)(start_ups.noisy(curve(marks), runs, seed=1), marks, claimed)], 0.005)[0]


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", start_ups.CURVES)
def test_a_true_exponent_with_a_start_up_is_not_violated(name: str, every: int) -> None:
    """Of all 540 the exact exponent was violated in 147, the rate in 24. Every second has all lengths and sizes.

    A start-up that ends with the horizon is the truth as far as anybody can see, and is left out.
    """
    cases = [c for c in start_ups.cases() if c.name.startswith(f"{name}, a") and c.length < c.marks[-1]]
    for seed, c in list(enumerate(cases))[::every]:
        values = start_ups.noisy(c.mean, 128, seed)
        for check in (ev.tight, ev.rate):
            decision = decide([check(values, c.marks, c.claimed, log_power=c.log_power)], 0.005)[0]
            assert decision.verdict is not Verdict.VIOLATED, (c.name, check.__name__)


def test_steps_one_over_t_plus_64() -> None:
    """E|x|^2 = (2048 + T)/(T + 64)^2 has the exponent -1: its slope is -1.24 at 1e4, and on its way back."""
    for horizon in (10_000, 20_000):
        decision = judged(lambda T: (2048 + T) / (T + 64) ** 2, -1.0, horizon, "tight", 1024)
        assert decision.verdict is Verdict.INCONCLUSIVE
        assert "at least as fast" in decision.decides
    assert judged(lambda T: T**-1.24, -1.0, 10_000, "tight", 1024).verdict is Verdict.VIOLATED


NESTED: dict[str, tuple[Curve, float]] = {
    "constant from 20 on, after a rise": (lambda T: np.minimum(T, 20) ** 0.3, -1.0),
    "constant from 20 on, after a fall": (lambda T: np.minimum(T, 20) ** -0.5, -1.0),
    "a limit that is reached linearly": (lambda T: 1 - np.exp(-T / 4), -1.0),
    "log k is not bounded": (lambda T: np.log(1 + T), 0.0),
    "5 + log k is not bounded": (lambda T: 5 + np.log(T), 0.0),
    "linear regret": (lambda T: T - 0.5 * np.sqrt(T), 0.5),
    "linear regret, softly": (lambda T: T * (T / 10) ** (-0.008 * np.log(T / 10)), 0.5),
    "T^-1/3 after T^-2": (lambda T: T**-2.0 + 1e-3 * T ** (-1 / 3), -1.0),
    "T^-1/4 for -1/2": (lambda T: T**-0.25, -0.5),
    "T^-1/2 for -1/2": (lambda T: T**-0.5, -0.5),
}


@pytest.mark.parametrize("name", NESTED)
@pytest.mark.parametrize("kind", ["rate", "tight"])
def test_more_data_weaken_no_verdict(name: str, kind: str) -> None:
    """On nested horizons: once decided, it stays so; and with a million iterations it is decided."""
    curve, claimed = NESTED[name]
    verdicts = [judged(curve, claimed, horizon, kind).verdict for horizon in HORIZONS]
    assert verdicts[-1] is (Verdict.HOLDS if name.endswith("T^-1/2 for -1/2") else Verdict.VIOLATED)
    for earlier, later in pairwise(verdicts):
        assert earlier is Verdict.INCONCLUSIVE or later is earlier, verdicts


def accelerated(curvatures: np.ndarray, runs: int, horizon: int) -> tuple[np.ndarray, np.ndarray]:
    """(runs, M), (M,): the largest gap over (T/2, T] of Nesterov's method on a quadratic of these curvatures, L = 1."""
    x = np.random.default_rng(1).uniform(-1, 1, (runs, curvatures.size))
    y, marks, peaks = x, log_marks(horizon), []
    for t in range(1, horizon + 1):
        peaks.append((curvatures * x * x).sum(1) / 2)
        x, y = (new := y - curvatures * y), new + (t - 1) / (t + 2) * (new - x)
    return rates.octave_maxima(np.maximum.reduceat(peaks, [0, *marks[:-1]]).T, marks)


def test_a_pause_is_violated_and_its_note_says_when_a_true_rate_falls_again() -> None:
    """A theorem, gap <= 2 R^2/(T + 1)^2: first all directions but one fall, then that one stays until T is 1/root mu.

    Up to there no value tells it from a wrong method at its floor, which is violated as well.
    """
    values, marks = accelerated(np.linspace(1, 1e-7, 50), 32, 30_000)
    decisions = {}
    for horizon in (10_000, 30_000):
        k = marks <= horizon
        decisions[horizon] = decide([ev.rate(values[:, k], marks[k], -2.0)], 0.005)[0]
    assert decisions[10_000].verdict is Verdict.VIOLATED
    assert re.search(
        r"the curve has all but stopped: a true rate that pauses must fall again at a horizon \d+ times as long",
        decisions[10_000].finding.note,
    )
    floor = 10 / marks**2 + 1e-2
    wrong = decide([ev.rate(np.tile(floor, (32, 1)), marks, -2.0)], 0.005)[0]
    assert wrong.verdict is Verdict.VIOLATED


def test_a_start_above_does_not_hide_a_wrong_exponent() -> None:
    """1/T after a larger start, claimed T^-1.1: it lies below what it came up to at first for a thousand horizons."""
    decision = judged(lambda T: 10 / (1 + (T / 20) ** 4) + 1 / T, -1.1, 20_000, runs=1024)
    assert decision.verdict is Verdict.VIOLATED


def test_a_bounded_curve_is_not_taken_for_a_logarithm() -> None:
    for curve in (lambda T: 2 - T**-0.125, lambda T: 2 - 1 / np.log(T + 9), lambda T: T / (T + 30)):
        for horizon in HORIZONS[2:]:
            assert judged(curve, 0.0, horizon, runs=512).verdict is not Verdict.VIOLATED


def test_a_far_growth_claim_would_have_been_noticed() -> None:
    """The sensitivity used to be infinite beside an interval that is half an exponent away: the line was void."""
    decision = judged(lambda T: T * (T / 10) ** (-0.008 * np.log(T / 10)), 0.5, 10_000)
    assert decision.sensitivity < 0.1
