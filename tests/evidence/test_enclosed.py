"""Curves known up to a factor: the worst member of a family at each T, times between marks; true and false claims."""

from __future__ import annotations

import numpy as np
import pytest

from workbench import evidence
from workbench.engine.marks import log_marks
from workbench.evidence import enclosed
from workbench.evidence.enclosed import Enclosed
from workbench.evidence.rates import window_slopes
from workbench.evidence.verdicts import decide

MARKS = log_marks(10_000).astype(float)
SIZES = 2.0 ** np.arange(4, 15)  # of members: the worst at T is that of about T


def members(power: float = 1.0) -> np.ndarray:
    """(members, M): each decays like exp(-T/size)/size^power in the end, the largest at T like T^-power."""
    return np.exp(-MARKS / SIZES[:, None]) / SIZES[:, None] ** power


def noisy(means: np.ndarray, seed: int, runs: int = 2048, spread: float = 0.3) -> np.ndarray:
    """(members, runs, M), with a factor for each run that all members share, and one of their own."""
    rng = np.random.default_rng(seed)
    shared = np.exp(spread * rng.standard_normal((1, runs, 1)) - spread**2 / 2)
    own = np.exp(0.1 * rng.standard_normal((len(means), runs, means.shape[1])) - 0.005)
    return means[:, None] * shared * own


def verdict(values: np.ndarray, claimed: float) -> str:
    seen = enclosed.worst(values, MARKS)
    off = enclosed.shift(seen, None)
    finding = enclosed.finding_of(seen, lambda v, t, tol: evidence.rate(v, t, claimed, tol=tol), 0.1, off)
    return str(decide([finding], 0.005)[0].verdict)


def test_the_worst_member_has_another_rate_than_each_member() -> None:
    exact = np.repeat(members()[:, None], 2, axis=1)
    assert verdict(exact, -1.0) == "holds"
    assert verdict(exact, -1.3) == "violated"
    assert enclosed.worst(exact, MARKS).excess.max() == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_true_and_false_claims_with_noise(seed: int) -> None:
    values = noisy(members(), seed)
    assert verdict(values, -1.0) != "violated"
    assert verdict(values, -1.3) != "holds"
    assert verdict(noisy(members(1.3), seed), -1.0) == "holds"


def test_the_excess_covers_what_the_choice_misses() -> None:
    """Also where members are nearly equal and few runs choose: the true maximum is at most (1 + excess) times."""
    for seed in range(200):
        means = 1.0 + 0.02 * np.random.default_rng(seed).standard_normal((5, MARKS.size))
        values = noisy(means, seed, runs=64)
        seen = enclosed.worst(values, MARKS)
        chosen = [
            means[:, k][
                np.argmin([abs(seen.values[:, k] - v[np.arange(64) % 4 != 0, k]).max() for v in values])
            ]
            for k in range(MARKS.size)
        ]
        assert (means.max(axis=0) <= np.array(chosen) * (1 + seen.excess)).all()


def test_the_choice_is_made_by_other_runs() -> None:
    values = noisy(members(), 0, runs=100)
    assert enclosed.worst(values, MARKS).values.shape == (75, MARKS.size)
    changed = values.copy()
    changed[3, np.arange(100) % 4 != 0] *= 100.0  # seen by the runs that are read, not by those that choose
    assert enclosed.worst(changed, MARKS).excess.max() > 1.0
    assert verdict(changed, -1.0) == "inconclusive"


def test_a_failed_run_is_a_failed_run() -> None:
    values = noisy(members(), 0, runs=100)
    values[2, 1, -1] = np.inf
    assert np.isnan(enclosed.worst(values, MARKS).values).any(axis=1).sum() == 1
    assert verdict(values, -1.0) != "holds"


def test_shift_bounds_what_a_factor_does_to_slopes() -> None:
    rng = np.random.default_rng(0)
    window = (10.0, 10_000.0)
    for _ in range(50):
        excess = 0.2 * rng.random(MARKS.size)
        up = np.log1p(excess) * rng.integers(0, 2, MARKS.size)
        plain = np.repeat(MARKS[None] ** -1, 2, axis=0)
        one, other = (window_slopes(v, MARKS, window) for v in (plain, plain * np.exp(up)))
        off = enclosed.shift(Enclosed(plain, MARKS, excess), window)
        for name in ("tail", "before", "drift", "ahead"):
            assert abs(getattr(one, name).value - getattr(other, name).value) <= off


def test_a_claim_without_tolerance_decides_nothing_where_the_excess_is_large() -> None:
    plain = np.repeat(MARKS[None] ** 0, 2, axis=0)
    finding = evidence.bounded(plain, MARKS)
    assert enclosed.undecided(finding, Enclosed(plain, MARKS, np.zeros(MARKS.size))).p_if_wrong == 0.0
    loose = enclosed.undecided(finding, Enclosed(plain, MARKS, np.full(MARKS.size, 0.2)))
    assert loose.p_if_wrong == loose.p_if_right == 1.0
    assert "0.2 of its value larger" in loose.decides
