"""Bounds in expectation where few runs carry the mean: nothing holds by luck, and violations are found by betting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from workbench import evidence as ev
from workbench.evidence import stats
from workbench.evidence.interim_analyses import at_first, sizes
from workbench.evidence.stats import Floats
from workbench.evidence.verdicts import Decision, Verdict, decide

SIDE = 2.5e-5
ONE = np.ones(1)
Draw = Callable[[np.random.Generator, int], Floats]


def lognormal(spread: float, mean: float) -> Draw:
    return lambda rng, n: mean * np.exp(spread * rng.standard_normal((n, 1)) - spread**2 / 2)


def rare(rng: np.random.Generator, n: int) -> Floats:
    """A mean of 1.3, of which one run in 200 has 1."""
    return np.where(rng.random((n, 1)) < 0.005, 200.0, 0.3 + 0.003 * rng.standard_normal((n, 1)))


def pareto(mean: float) -> Draw:
    """Index 1.5: no variance."""
    return lambda rng, n: (rng.pareto(1.5, (n, 1)) + 1) / 3 * mean


def decided(draw: Draw, runs: int, seed: int) -> Decision:
    """Look by look, as `verify` does."""
    values = draw(np.random.default_rng([4802, runs, seed]), runs)
    found = at_first(lambda n: ev.bound(values[:n], ONE, ONE, trend=False), sizes(runs), SIDE)
    return decide([found], SIDE)[0]


def counted(draw: Draw, runs: int, repeats: int = 60) -> Counter[Verdict]:
    return Counter(decided(draw, runs, seed).verdict for seed in range(repeats))


@pytest.mark.parametrize("runs", [1000, 1024])
def test_what_one_run_in_two_hundred_violates_does_not_hold_at_an_early_look(runs: int) -> None:
    """A third to a half held, and the more runs were asked for, the likelier; all runs miss it in one case of 150."""
    assert counted(rare, runs)[Verdict.HOLDS] <= 3


@pytest.mark.parametrize("runs", [128, 1024])
def test_no_bound_holds_whose_mean_one_run_carries(runs: int) -> None:
    """Lognormal runs of spread 5.25 and a mean of 1.3 times the bound: four in five held."""
    assert counted(lognormal(5.25, 1.3), runs)[Verdict.HOLDS] <= 12


def test_the_line_says_who_carries_the_mean() -> None:
    values = np.full((200, 1), 0.01) + 0.001 * np.random.default_rng(4803).random((200, 1))
    values[7] = 5.0
    finding = ev.bound(values, ONE, ONE, trend=False)
    assert "the largest run has up to 0.71 of the sum" in finding.note
    assert (finding.p_if_wrong, finding.decides) == (
        1.0,
        "about 12800 runs: the mean is carried by few of these",
    )
    equal = ev.bound(np.full((200, 1), 0.01), ONE, ONE, trend=False)
    assert (equal.p_if_wrong, "of the sum" in equal.note) == (0.0, False)


@pytest.mark.parametrize(("spread", "mean"), [(0.5, 0.5), (0.2, 0.8), (1.0, 0.05)])
def test_true_bounds_with_lighter_tails_hold_as_before(spread: float, mean: float) -> None:
    assert counted(lognormal(spread, mean), 512, 30)[Verdict.HOLDS] == 30


def test_violations_without_a_variance_are_found() -> None:
    """Pareto runs with 1.5 times the bound: a t-test with 1000 runs found less than half."""
    found = [decided(pareto(1.5), 1000, seed) for seed in range(60)]
    assert Counter(d.verdict for d in found)[Verdict.VIOLATED] >= 59
    assert np.mean([d.finding.runs for d in found]) < 650
    assert all(d.low >= 1 for d in found if d.verdict is Verdict.VIOLATED)


@pytest.mark.parametrize(
    "draw",
    [pareto(1.0), lognormal(1.5, 1.0), lognormal(0.2, 1.0), lognormal(3.0, 1.0)],
    ids=["Pareto", "spread 1.5", "spread 0.2", "spread 3"],
)
def test_betting_errs_no_more_often_than_its_level_at_any_number_of_runs(draw: Draw) -> None:
    """The p-value is that of the best moment of all runs so far; 400 games at equality, of several columns."""
    level = 0.05
    wrong = 0
    for seed in range(400):
        rng = np.random.default_rng([4804, seed])
        values = np.concatenate([draw(rng, 200) for _ in range(3)], axis=1)
        wrong += stats.p_betting(values, 1.0) <= level
    assert wrong <= 34  # more than that of 400 has a chance of 1 in 1000 at 5 %


def test_ratios_that_may_be_negative_are_not_bet_on() -> None:
    values = np.random.default_rng(4806).normal(-1.0, 3.0, (400, 1))
    assert ev.bound(values, ONE, ONE, trend=False).p_if_right == 1.0


@pytest.mark.parametrize("columns", [1, 21])
def test_exponents_are_safe_where_means_are_not(columns: int) -> None:
    """Runs of index 1.2, one factor for each or another at every mark: a level is too small, the slope is not wrong."""
    marks = np.geomspace(10, 1e5, 21)
    violated: Counter[str] = Counter()
    for seed in range(40):
        rng = np.random.default_rng([4804, columns, seed])
        runs = (1 + rng.pareto(1.2, (128, columns))) / 6 * np.ones(21)
        for name, found in (
            ("level", ev.level(runs, marks, np.ones(21))),
            ("tight", ev.tight(runs * marks**-0.5, marks, -0.5)),
            ("rate", ev.rate(runs * marks**-0.5, marks, -0.5)),
        ):
            violated[name] += decide([found], 0.01)[0].verdict == Verdict.VIOLATED
    assert violated["tight"] == violated["rate"] == 0
    assert violated["level"] >= 1  # as the page on verdicts says
