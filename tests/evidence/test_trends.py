"""The trend of measured/bound: it is read in the tail, and a bound that is being used up is said to be."""

from __future__ import annotations

import numpy as np
import pytest

from workbench import evidence as ev

MARKS = np.geomspace(1e2, 1e6, 41)
LINE = 1e3 * MARKS**-0.25


def curves(mean: np.ndarray, runs: int = 64, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return mean * rng.lognormal(0, 0.1, (runs, 1)) * rng.lognormal(0, 0.02, (runs, mean.size))


@pytest.mark.parametrize("kind", [{}, {"kind": "probability", "delta": 0.1}])
@pytest.mark.parametrize(("exponent", "rises"), [(-0.2, True), (-0.3, False), (-0.25, False)])
def test_the_trend_is_the_slope_over_the_bounds(kind: dict, exponent: float, rises: bool) -> None:
    found = ev.bound(curves(MARKS**exponent), LINE, MARKS, **kind)
    slope, high = found.trend
    assert slope == pytest.approx(exponent + 0.25, abs=0.005)
    assert slope < high < slope + 0.01
    assert ("still rises" in found.note) == rises
    assert "at the horizon measured/bound is 0.00" in found.note


def test_it_is_told_where_a_rising_ratio_reaches_the_bound() -> None:
    """T^0.5 from 1e-3 at T = 1e6: at T = 1e12. At a slope of 0.01 the horizon is beyond telling."""
    assert "reach 1 at T = 1e12" in ev.bound(curves(MARKS**0.25), LINE * 1e3, MARKS).note
    assert "beyond T = 1e99" in ev.bound(curves(MARKS**-0.24), LINE, MARKS).note


def test_of_several_grid_points_the_one_that_rises_counts() -> None:
    both = np.concatenate([curves(MARKS**-0.3), curves(MARKS**-0.2, seed=1)], axis=1)
    found = ev.bound(both, np.tile(LINE, 2), np.tile(MARKS, 2))
    assert found.trend[0] == pytest.approx(0.05, abs=0.005)
    assert "still rises" in found.note


@pytest.mark.parametrize(
    ("values", "marks"),
    [
        (curves(np.ones(1)), np.ones(1)),
        (curves(np.ones(4)), np.arange(1.0, 5)),
        (curves(np.ones(3)), np.full(3, 7.0)),
        (-curves(MARKS**0.0), MARKS),
        (np.full((30, 41), np.nan), MARKS),
    ],
)
def test_without_a_slope_nothing_is_said(values: np.ndarray, marks: np.ndarray) -> None:
    found = ev.bound(values, 10.0, marks)
    assert np.isnan(found.trend).all()
    assert "slope" not in found.note


def test_one_run_has_a_slope_without_limits() -> None:
    found = ev.bound(curves(MARKS**-0.2)[:1], LINE, MARKS)
    assert found.trend[0] == pytest.approx(0.05, abs=0.01)
    assert found.trend[1] == np.inf
    assert "slope" not in found.note


def test_a_ratio_of_other_quantities_has_none() -> None:
    assert np.isnan(ev.bound(curves(MARKS**-0.2), LINE, MARKS, trend=False).trend).all()
