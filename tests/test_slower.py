"""Slower terms: excluded where the claim is true, not excluded where one is about to take over."""

from __future__ import annotations

import re

import numpy as np
import pytest

from workbench import evidence as ev
from workbench.evidence import slower_terms
from workbench.evidence.stats import MIN_RUNS
from workbench.evidence.verdicts import Verdict, decide

MARKS = np.geomspace(1e3, 1e6, 41)
U = MARKS / MARKS[-1]
WINDOW = (1e3, 1e6)
SIDE = 2.5e-5


def curves(mean: np.ndarray, runs: int = 256, size: float = 0.02, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return mean * rng.lognormal(0, 0.2, (runs, 1)) * np.exp(size * rng.standard_normal((runs, mean.size)))


def excess(mean: np.ndarray, claimed: float = -0.25, log_power: float = 0.0, **noise: float) -> float:
    """The p-value against slower terms."""
    steepest = float((np.diff(np.log(mean)) / np.diff(np.log(MARKS))).min())
    family = slower_terms.shapes(MARKS, claimed, 0.03, None, log_power, steepest)
    return slower_terms.excess(curves(mean, **noise), MARKS, family, WINDOW).p_below(0)  # type: ignore[arg-type]


TRUE = {
    "T^-1/4": (U**-0.25, -0.25),
    "faster": (U**-0.5, -0.25),
    "from faster": (0.5 * U**-0.5 + 0.5 * U**-0.25, -0.25),
    "burn-in": ((1 + U / 0.01) ** -0.25, -0.25),
    "T^-1": (U**-1.0, -1.0),
    "T^-3, much faster": (U**-3.0, -0.25),
    "regret T^1/2": (U**0.5, 0.5),
}
FALSE = {
    "a floor of a fifth": (0.8 * U**-0.25 + 0.2, -0.25),
    "T^-1/2 and a floor of a third": (0.67 * U**-0.5 + 0.33, -0.25),
    "-.40, -.25, -.10": (U**-0.4 + U**-0.25 + U**-0.1, -0.25),
    "T^-1/2, flat at last": (np.minimum(U, 10**-0.5) ** -0.5, -0.25),
    "a floor beneath T^-1": (0.85 * U**-1.0 + 0.15, -1.0),
    "a floor beneath T^-5/2": (0.7 * U**-2.5 + 0.3, -0.5),
    "T^-0.3 beneath T^-2": (0.3 * U**-2.0 + 0.7 * U**-0.3, -0.5),
    "T^-0.4 beneath T^-7/2": (0.45 * U**-3.5 + 0.55 * U**-0.4, -0.5),
    "a floor beneath T^-4": (0.5 * U**-4.0 + 0.5, -0.5),
    "linear regret": (0.8 * U**0.5 + 0.2 * U, 0.5),
}


@pytest.mark.parametrize("name", TRUE)
def test_slower_terms_are_excluded_where_there_are_none(name: str) -> None:
    assert excess(*TRUE[name]) < SIDE


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("runs", [32, 1024])
def test_slower_terms_are_not_excluded_where_they_are(name: str, runs: int) -> None:
    assert min(excess(*FALSE[name], runs=runs, seed=seed) for seed in range(5)) > 0.001


def test_the_size_on_the_boundary_is_the_level() -> None:
    """A curve of the cone itself, with the smallest share that must be seen: 300 samples, at most the level."""
    share = slower_terms.PULL / 0.25
    p = np.array([excess((1 - share) * U**-0.25 + share, runs=48, seed=seed) for seed in range(300)])
    assert (p <= 0.05).mean() <= 0.09


def test_logarithms_belong_to_the_claim() -> None:
    logs = np.log(MARKS)
    assert excess(U**-0.25 * logs, log_power=1.0, runs=1024, size=0.005) < SIDE
    assert excess(U**-0.19, log_power=1.0, runs=1024, size=0.005) > SIDE


def test_identical_runs_are_exact() -> None:
    family = slower_terms.shapes(MARKS, -0.25, 0.03, None)
    true, false = (
        slower_terms.excess(np.tile(m, (3, 1)), MARKS, family, WINDOW)
        for m in (U**-0.25, 0.8 * U**-0.25 + 0.2)
    )
    assert (true.p_below(0), false.p_below(0)) == (0.0, 1.0)
    assert slower_terms.excess(U[None] ** -0.25, MARKS, family, WINDOW).p_below(0) == 1.0


def test_a_mean_that_is_not_positive_decides_nothing() -> None:
    family = slower_terms.shapes(MARKS, -0.25, 0.03, None)
    assert slower_terms.excess(-curves(U), MARKS, family, WINDOW).p_below(0) == 1.0


@pytest.mark.parametrize("runs", [2, 5, MIN_RUNS - 1])
def test_few_runs_are_undecided_and_told_how_many_are_needed(runs: int) -> None:
    """Not a warning about a covariance of one run, nor a test of which nothing could come."""
    assert excess(U**-0.25, runs=runs) == 1.0
    assert excess(U**-0.25, runs=MIN_RUNS) < 1.0
    decision = decide([ev.rate(curves(U**-0.25, runs=runs), MARKS, -0.25)])[0]
    assert decision.verdict is Verdict.INCONCLUSIVE
    assert re.match(r"about \d+ runs", decision.decides)


def test_a_rate_with_a_floor_in_view_does_not_hold_and_says_why() -> None:
    """The slope is far below the edge, yet in a decade it will not be."""
    finding = ev.rate(curves(FALSE["T^-1/2 and a floor of a third"][0], runs=1024), MARKS, -0.25)
    assert finding.value < -0.28
    decision = decide([finding])[0]
    assert decision.verdict is Verdict.INCONCLUSIVE
    assert "slower terms" in decision.decides


def test_a_floor_just_above_what_is_promised_to_be_seen_is_in_the_error_budget() -> None:
    """20 claims decided together. With 1 % for each of them, a tenth to a third of the calls are wrong."""
    mean, wrong = 0.799 * U**-0.5 + 0.201, 0
    for call in range(30):
        rng = np.random.default_rng([4801, call])
        tables = mean * (1 + 0.3 * rng.standard_normal((20, 256, MARKS.size)))
        decisions = decide([ev.rate(values, MARKS, -0.25) for values in tables], 0.005)
        wrong += any(d.verdict is Verdict.HOLDS for d in decisions)
    assert wrong <= 2  # of 30 calls at 0.5 %, three or more have a chance of 5e-4


def test_what_falls_beyond_all_powers_is_said_to_hide_slower_terms() -> None:
    steep = ev.rate(curves(np.exp(-40 * (U - 1)), size=0.02), MARKS, -0.5)
    assert "slower terms of any size could be hidden" in steep.note


def test_what_is_not_excluded_is_said() -> None:
    finding = ev.rate(curves(U**-0.25), MARKS, -0.25)
    assert decide([finding])[0].verdict is Verdict.HOLDS
    assert "slower terms with less than 20% (T^0) or 50% (T^-0.15)" in finding.note
    assert "could misbehave unseen" in finding.note


@pytest.mark.parametrize(
    "mean",
    [
        (1 + (U / 0.1) ** 0.5) ** -0.5,
        U**-0.25 * (1 - 0.5 * (MARKS / 500) ** -0.125),
        *(U**-0.25 * (1 + 0.05 * np.sin(np.log(MARKS) + phase)) for phase in (0.0, 1.5, 3.0, 4.5)),
    ],
)
def test_what_may_come_back_is_not_violated(mean: np.ndarray) -> None:
    """Soft burn-ins, slow approaches and log-periodic waves, however many runs show them."""
    assert ev.rate(curves(mean, runs=1024, size=0.01), MARKS, -0.25).p_if_right > SIDE
    assert ev.tight(curves(mean, runs=1024, size=0.01), MARKS, -0.25).p_if_right > SIDE


def test_a_level_on_its_way_as_one_over_log_is_not_violated() -> None:
    for size in (1e6, 1e12):
        marks = np.geomspace(size / 1000, size, 41)
        values = np.random.default_rng(0).normal(1, 0.001, (256, 1)) * (1 + 2 / np.log(marks))
        finding = ev.level(values, marks, np.ones(41))
        assert (finding.p_if_wrong > SIDE, finding.p_if_right > SIDE) == (True, True)
    assert ev.level(values / values.mean(0) * 1.1, marks, np.ones(41)).p_if_right < SIDE
