"""Statistics and slope reading: exactness where it can be exact, coverage where it is statistical."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls
from scipy.special import stdtr

from workbench.evidence import rates, stats

MARKS = np.geomspace(1e2, 1e6, 41)
FAST = settings(deadline=None, max_examples=40)
exponents = st.floats(-2, 2)


def noisy(seed: int, mean: np.ndarray, runs: int = 12, size: float = 0.1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return mean * np.exp(size * rng.standard_normal((runs, mean.size)))


# ------------------------------------------------------------------------------------------ statistics


@FAST
@given(st.integers(1, 60), st.floats(0.01, 0.99), st.floats(0.001, 0.2))
def test_clopper_pearson_covers(n: int, p: float, level: float) -> None:
    """Exact coverage by summation over all outcomes: never below the nominal one, on either side."""
    k = np.arange(n + 1)
    mass = np.array([stats.p_more(i, n, p) - stats.p_more(i + 1, n, p) if i < n else p**n for i in k])
    limits = np.array([stats.clopper_pearson(i, n, level) for i in k])
    assert mass[limits[:, 0] > p].sum() <= level + 1e-9
    assert mass[limits[:, 1] < p].sum() <= level + 1e-9


@FAST
@given(st.integers(1, 50), st.floats(0.05, 0.95), st.data())
def test_clopper_pearson_agrees_with_its_tests(n: int, p: float, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    low, high = stats.clopper_pearson(k, n, 0.02)
    assert (stats.p_more(k, n, p) < 0.02) == (low > p) or np.isclose(low, p)
    assert (stats.p_fewer(k, n, p) < 0.02) == (high < p) or np.isclose(high, p)


@FAST
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.data())
def test_holm_is_monotone_and_between_raw_and_bonferroni(p: list[float], data: st.DataObject) -> None:
    raw = np.array(p)
    at_most = data.draw(st.integers(1, len(p)))
    for limit in (None, at_most):
        adjusted = stats.holm(raw, limit)
        assert (np.diff(adjusted[np.argsort(raw, kind="stable")]) >= 0).all()
        assert (adjusted >= raw - 1e-15).all()
        assert (adjusted <= np.minimum(1, len(p) * raw) + 1e-15).all()
    assert (stats.holm(raw, at_most) <= stats.holm(raw) + 1e-15).all()


def test_holm_known_values() -> None:
    np.testing.assert_allclose(stats.holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])


@FAST
@given(st.integers(0, 10**6), st.floats(-3, 3))
def test_interval_and_p_values_agree(seed: int, bound: float) -> None:
    x = np.random.default_rng(seed).lognormal(0, 1, (30, 1)) - 1
    e = stats.mean_estimates(x)[0]
    low, high = e.interval(0.03)
    assert low < high
    assert (e.p_above(bound) < 0.03) == (low > bound)
    assert (e.p_below(bound) < 0.03) == (high < bound)


def test_single_p_values_have_the_bits_of_arrays() -> None:
    rng = np.random.default_rng(0)
    for runs in (24, 64, 1000):
        for size in (0.01, 1.0, 10.0, 100.0):  # in standard errors; far below, the transformation is linear
            for t, skew in rng.normal(0, [size, 2], (50, 2)).tolist():
                estimate = stats.Estimate(t, 1.0, runs, skew)
                assert estimate.p_below(0.0) == float(stats.p_value(t, skew, runs))
                assert estimate.p_above(0.0) == float(stats.p_value(-t, -skew, runs))


@pytest.mark.parametrize("runs", [1, 2, 24, 500])
@pytest.mark.parametrize("level", [1e-5, 0.01])
def test_what_lies_below_is_what_its_p_value_says(runs: int, level: float) -> None:
    """Without a p-value: by the quantile."""
    rng = np.random.default_rng(runs)
    estimates = [
        stats.Estimate(*row, runs, skew)
        for row, skew in zip(
            rng.normal([-1, 0.4], [2, 0.1], (200, 2)).tolist(), rng.normal(0, 2, 200), strict=True
        )
    ]
    estimates += [
        stats.Estimate(v, se, runs) for v in (-1.0, 0.5, 2.0, np.nan) for se in (0.0, np.inf, np.nan)
    ]
    assert stats.lies_below(estimates, 0.5, level).tolist() == [e.p_below(0.5) <= level for e in estimates]


@pytest.mark.parametrize(("runs", "spread"), [(24, 0.3), (32, 0.5), (64, 0.5)])
def test_skewed_means_keep_their_level(runs: int, spread: float) -> None:
    """The dangerous side of right-skewed data is the upper limit: plain t misses it twice too often or more."""
    rng = np.random.default_rng(3)
    x = rng.lognormal(-(spread**2) / 2, spread, (runs, 4000))
    found = stats.mean_estimates(x)
    missed = sum(e.interval(0.01)[1] < 1 for e in found)
    plain = sum(stdtr(f.runs - 1, (f.value - 1) / f.se) <= 0.01 for f in found)
    assert stats.clopper_pearson(missed, 4000, 0.005)[0] <= 0.016
    assert missed < plain


def test_jackknife_of_the_mean_is_the_mean() -> None:
    x = np.random.default_rng(0).standard_normal((9, 4))
    for e, f in zip(stats.jackknife(x, lambda means: means), stats.mean_estimates(x), strict=True):
        assert (e.value, e.se, e.skew) == pytest.approx((f.value, f.se, f.skew))


def test_the_farthest_run_can_be_imagined_farther_out() -> None:
    """By hand: of (0, 0, 0, 4) the last lies 3 from the mean; twice as far it is 7, and the mean 7/4."""
    x = np.array([[0.0], [0.0], [0.0], [4.0]])
    with stats.with_outlier(2.0):
        for e in (stats.mean_estimates(x)[0], stats.jackknife(x, lambda means: means)[0]):
            assert (e.value, e.se) == (pytest.approx(7 / 4), pytest.approx(7 / 4))
    assert stats.mean_estimates(x)[0].value == 1.0
    assert x[3, 0] == 4.0


def test_jackknife_interval_covers() -> None:
    """log of a mean, 12 runs: one-sided misses at 2.5 % within the binomial noise of 2000 repeats."""
    rng = np.random.default_rng(1)
    draws = rng.lognormal(-0.045, 0.3, (2000, 12, 1))
    limits = np.array([stats.jackknife(x, np.log)[0].interval(0.025) for x in draws])
    for missed in ((limits[:, 0] > 0).sum(), (limits[:, 1] < 0).sum()):
        assert stats.clopper_pearson(int(missed), 2000, 0.001)[0] <= 0.025


def test_degenerate_samples() -> None:
    one = stats.mean_estimates(np.ones((1, 1)))[0]
    assert one.interval(0.01) == (-np.inf, np.inf)
    assert one.p_above(0) == one.p_below(2) == 1.0
    same = stats.mean_estimates(np.full((3, 1), 0.1))[0]
    assert same.interval(0.01) == (0.1, 0.1)
    assert (same.p_above(0.0), same.p_above(0.2), same.p_below(0.2)) == (0.0, 1.0, 0.0)


# ---------------------------------------------------------------------------------------------- slopes


@FAST
@given(exponents, st.floats(1e-3, 1e3))
def test_slope_is_exact_on_pure_powers(r: float, c: float) -> None:
    values = np.outer([c, 2 * c, 3 * c], MARKS**r)
    s = rates.window_slopes(values, MARKS)
    assert s.tail.value == pytest.approx(r, abs=1e-9)
    assert s.drift.value == pytest.approx(0, abs=1e-9)
    assert s.step == pytest.approx(np.log(1000) / 2)
    assert rates.slope(values, MARKS).value == pytest.approx(r, abs=1e-9)
    for e in rates.local_slopes(values, MARKS)[1]:
        assert e.value == pytest.approx(r, abs=1e-9)


@FAST
@given(st.integers(0, 1000), st.floats(1e-6, 1e6), st.floats(1e-3, 1e3), st.permutations(range(12)))
def test_slopes_are_invariant(seed: int, c: float, stretch: float, order: list[int]) -> None:
    values = noisy(seed, MARKS**-0.3)
    a = rates.window_slopes(values, MARKS)
    b = rates.window_slopes(c * values[order], stretch * MARKS)
    for name in ("tail", "before", "drift", "ahead"):
        e, f = getattr(a, name), getattr(b, name)
        assert (f.value, f.se) == pytest.approx((e.value, e.se), rel=1e-6, abs=1e-9)


def test_known_log_factors_are_taken_out() -> None:
    values = np.tile(MARKS**-0.25 * np.log(MARKS) ** 2, (2, 1))
    assert rates.window_slopes(values, MARKS, log_power=2).tail.value == pytest.approx(-0.25)
    assert rates.window_slopes(values, MARKS).tail.value > -0.15
    with pytest.raises(ValueError, match="marks > 1"):
        rates.window_slopes(values, MARKS / 1e2, (MARKS[0] / 1e2, 1e3), log_power=1)


def test_local_slopes_span_two_octaves() -> None:
    """A kink at 1e4: the slope between T/2 and 2T is half-way there, and outside that range it is that of one side."""
    marks = np.geomspace(1e2, 1e6, 14)  # no mark is another's double
    values = np.tile(np.where(marks < 1e4, (marks / 1e4) ** -0.5, (marks / 1e4) ** -0.25), (2, 1))
    at, found = rates.local_slopes(values, marks)
    assert (at[0] >= 200, at[-1] <= 5e5, set(np.round(at)) <= set(np.round(marks))) == (True, True, True)
    slopes = np.array([e.value for e in found])
    np.testing.assert_allclose(slopes[at < 2e3], -0.5, atol=1e-9)
    np.testing.assert_allclose(slopes[at > 5e4], -0.25, atol=1e-9)
    with pytest.raises(ValueError, match="two octaves"):
        rates.local_slopes(values[:, :2], marks[:2])


def test_local_slopes_know_their_spread() -> None:
    values = noisy(0, MARKS**-0.3)
    at, found = rates.local_slopes(values, MARKS)
    j = int(np.flatnonzero(np.isclose(at, 1e4))[0])
    x = np.log(MARKS)
    logs = np.log(values.mean(0))
    by_hand = (np.interp(x[20] + np.log(2), x, logs) - np.interp(x[20] - np.log(2), x, logs)) / np.log(4)
    assert found[j].value == pytest.approx(by_hand, abs=0.2 * found[j].se)
    assert found[j].se > 0
    values[:, 0] = 0.0
    assert np.isfinite([e.value for e in rates.local_slopes(values, MARKS)[1]]).sum() == len(at) - 1


def test_window_errors() -> None:
    with pytest.raises(ValueError, match="three marks"):
        rates.window_slopes(np.ones((2, 4)), np.geomspace(1, 1e6, 4))
    with pytest.raises(ValueError, match="three marks"):
        rates.slope(np.ones((2, 41)), MARKS, window=(1e2, 1.3e2))
    with pytest.raises(ValueError, match="more than the width of their window"):
        rates.sliding_slopes(np.log(MARKS), 5.0)
    assert np.isnan(rates.normalised(np.ones((2, 41)), MARKS / 1e2, -0.25, log_power=1)[0])
    with pytest.raises(ValueError, match="empty window"):
        rates.window_slopes(np.ones((2, 41)), MARKS, window=(1e7, 1e8))


@FAST
@given(st.floats(0.1, 1.5), st.floats(0, 1e4))
def test_increments_forget_transients(a: float, transient: float) -> None:
    marks = 2.0 ** np.arange(3, 21)
    values, later = rates.dyadic_increments(np.tile(marks**a + transient, (2, 1)), marks)
    assert later[0] == 16
    assert rates.slope(values, later).value == pytest.approx(a, abs=1e-5)


def test_increments_survive_rounded_checkpoints() -> None:
    """Marks rounded to integers are not exact doublings: the first-order correction keeps the exponent."""
    marks = np.unique(np.rint(np.geomspace(10, 1e6, 60)))
    values, later = rates.dyadic_increments(np.tile(marks**0.5, (2, 1)), marks)
    assert rates.slope(values, later).value == pytest.approx(0.5, abs=0.005)


def test_window_means_undo_the_running_mean() -> None:
    x = np.random.default_rng(0).random((3, 1024))
    marks = 2 ** np.arange(1, 11)
    running = (np.cumsum(x, axis=1) / np.arange(1, 1025))[:, marks - 1]
    values, later = rates.window_means(running, marks)
    np.testing.assert_allclose(values[:, -1], x[:, 512:].mean(1))
    assert later[-1] == 1024


def test_form_fit_finds_the_planted_shares() -> None:
    values = np.outer([1.0, 1.1, 0.9], 3 * (MARKS / 1e6) ** -0.5 + (MARKS / 1e6) ** -0.25)
    shares, misfit = rates.form_shares(values, MARKS, [-0.5, -0.375, -0.25])
    assert [e.value for e in shares] == pytest.approx([0.75, 0, 0.25], abs=1e-6)
    assert misfit < 1e-6
    assert rates.form_shares(values, MARKS, [-0.25])[1] > 0.1


@FAST
@given(st.floats(3.7, 5.3), st.floats(0.1, 10))
def test_crossing_of_two_powers(decade: float, scale: float) -> None:
    t = MARKS / 10**decade
    logs = np.log(scale * (t**-0.5 + t**-0.25))[None]
    assert rates.crossing(logs, np.log(MARKS), -0.375)[0] == pytest.approx(decade * np.log(10), abs=0.02)


def test_no_crossing_is_nan() -> None:
    x = np.log(MARKS)
    for logs in (-0.25 * x, -0.5 * x, np.full_like(x, np.nan)):
        assert np.isnan(rates.crossing(logs[None], x, -0.375)).all()


def test_the_spread_counts_runs_not_points() -> None:
    """Repeating every checkpoint many times must not tighten the interval; points are no observations."""
    values = noisy(0, MARKS**-0.25) * np.random.default_rng(1).lognormal(0, 0.3, (12, 1))
    coarse = rates.slope(values, MARKS)
    dense = rates.slope(np.repeat(values, 9, axis=1), np.repeat(MARKS, 9))
    assert dense.se == pytest.approx(coarse.se)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_nonnegative_least_squares_are_those_of_scipy(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(200):
        columns = rng.normal(size=(rng.integers(size, 40), size)) + rng.uniform(0, 2)
        target = rng.normal(size=len(columns)) + rng.uniform(-1, 2)
        right, misfit = nnls(columns, target)
        mine = rates.nonnegative(columns, target)
        assert (mine >= 0).all()
        np.testing.assert_allclose(np.linalg.norm(columns @ mine - target), misfit, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(mine, right, rtol=1e-9, atol=1e-11)


def test_powers_as_columns_have_nonnegative_coefficients() -> None:
    marks = np.geomspace(1e3, 1e6, 20)
    columns = marks[:, None] ** np.array([-0.5, -0.25, 0.0])
    target = columns @ np.array([3.0, 0.0, 1e-3])
    np.testing.assert_allclose(rates.nonnegative(columns, target), [3.0, 0.0, 1e-3], rtol=1e-8, atol=1e-12)
