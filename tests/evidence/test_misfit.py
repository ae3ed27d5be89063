"""Residuals between neighbouring marks that the runs do not explain: oscillation, and marks at ends of epochs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from workbench import evidence as ev
from workbench.engine.marks import log_marks
from workbench.evidence import misfit
from workbench.evidence.verdicts import Decision, Verdict, decide

REPEATS = 20


def judged(mean: np.ndarray, marks: np.ndarray, claimed: float, kind: str, seed: int) -> Decision:
    """All runs are multiples of one curve: the jackknife sees no noise in its slope."""
    values = mean * np.random.default_rng(seed).lognormal(0, 0.3, (64, 1))
    return decide([getattr(ev, kind)(values, marks, claimed)], 0.005)[0]


def oscillating(marks: np.ndarray, seed: int) -> np.ndarray:
    """An accelerated method on a quadratic: at most T^-3, and nearly 0 at times."""
    rng = np.random.default_rng([7, seed])
    return marks**-3 * (np.cos(rng.uniform(0.01, 3) * marks + rng.uniform(0, 6)) ** 2 + 1e-4)


@pytest.mark.parametrize(("kind", "claimed"), [("rate", -2.0), ("rate", -3.0), ("tight", -3.0)])
def test_an_oscillation_violates_no_true_rate(kind: str, claimed: float) -> None:
    """At 12 marks a T^-2 was violated in 8 of 60 cases, T^-3 in 29, and T^-3 exactly in 46."""
    for marks in (log_marks(10_000).astype(float), np.unique(np.round(np.geomspace(30, 4_000, 12)))):
        for seed in range(REPEATS):
            decision = judged(oscillating(marks, seed), marks, claimed, kind, seed)
            assert decision.verdict is not Verdict.VIOLATED


def test_ends_of_epochs_beside_other_marks_decide_nothing_and_are_named() -> None:
    """The truth is 1/T; -1.2 was violated and -0.8 held in 60 of 60, -1 exactly was violated in 3."""
    counts: Counter[tuple[str, float, str]] = Counter()
    for seed in range(REPEATS):
        rng = np.random.default_rng(seed)
        epoch = int(rng.integers(20, 200))
        ends = np.round(np.geomspace(epoch, 20_000, 12) / epoch) * epoch
        marks = np.unique([*log_marks(20_000).astype(float), *ends])
        mean = np.where(marks % epoch == 0, 1.0, rng.uniform(1.5, 4)) / marks
        for kind, claimed in (("rate", -1.0), ("tight", -1.0)):
            decision = judged(mean, marks, claimed, kind, seed)
            counts[kind, claimed, str(decision.verdict)] += 1
            assert "ends of epochs" in decision.decides
        alone = np.unique(ends)
        assert "ends of epochs" not in judged(1 / alone, alone, -1.0, "tight", seed).decides
    assert {verdict for _, _, verdict in counts} == {"inconclusive"}


def test_a_smooth_curve_and_noise_of_the_runs_are_no_misfit() -> None:
    marks = log_marks(100_000).astype(float)
    window = (100.0, 100_000.0)
    smooth = np.tile((1 + marks / 3000) ** -1.0 + marks**-0.25, (3, 1))
    assert misfit.misfit(smooth, marks, window) < 1e-3
    noise = np.exp(0.2 * np.random.default_rng(0).standard_normal((64, marks.size)))
    assert misfit.misfit(marks**-0.5 * noise, marks, window) == 0.0
