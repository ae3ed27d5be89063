"""Costs: a slope over calls, inverted, with its interval; the calls that a view puts in the place of t."""

from __future__ import annotations

import numpy as np
import pytest

from workbench import evidence
from workbench.claims.costs import as_complexity, over_calls
from workbench.claims.views import as_recorded, iterates
from workbench.engine.records import Result


def test_the_exponent_of_eps_is_the_inverse_slope() -> None:
    """N^-1/4 needs eps^-4 calls; the interval turns over with it, and the verdict stays."""
    marks = 2.0 ** np.arange(4, 17)
    factors = np.exp(0.02 * np.random.default_rng(0).standard_normal((50, 1)))
    noise = np.exp(0.05 * np.random.default_rng(1).standard_normal((50, 13)))
    found = evidence.rate(factors * noise * marks**-0.25, marks, -0.25)
    cost = as_complexity(found)
    assert cost.evidence == "complexity"
    assert cost.claimed == -4.0
    assert cost.value == pytest.approx(1 / found.value)
    assert (cost.low, cost.high) == pytest.approx((1 / found.high, 1 / found.low))
    assert cost.low < cost.value < cost.high
    assert cost.p_if_wrong == found.p_if_wrong
    assert cost.p_if_right == found.p_if_right
    assert cost.limits is not None
    assert cost.limits(0.01) == pytest.approx((cost.low, cost.high))


def test_a_slope_that_may_not_fall_has_no_finite_cost() -> None:
    marks = 2.0 ** np.arange(4, 17)
    noise = np.exp(0.3 * np.random.default_rng(1).standard_normal((6, 13)))
    cost = as_complexity(evidence.rate(noise * marks**0.05, marks, -0.25))
    assert cost.low == -np.inf


@pytest.mark.parametrize(("view", "shift"), [(as_recorded, 0), (iterates(), 1)])
def test_calls_take_the_place_of_t(view: object, shift: int) -> None:
    marks = np.array([1, 2, 4, 8])
    none = np.zeros(3, dtype=int)
    result = Result(
        marks=marks,
        data={"gap": np.arange(12.0).reshape(3, 4)},
        params={},
        run_ids=np.arange(3),
        status=none,
        failed_at=none,
        calls={},
        elapsed=np.ones(4),
    )
    seen, calls = over_calls(view, lambda r: 10.0 * r.marks, shift)(result, "gap", np.ones(3, bool))
    kept = marks[marks - shift >= 1]
    np.testing.assert_array_equal(calls, 10.0 * kept)
    np.testing.assert_array_equal(seen, result.data["gap"][:, -len(kept) :])


def test_a_curve_that_does_not_fall_costs_infinitely_many_calls() -> None:
    marks = np.geomspace(1e2, 1e5, 31)
    flat = as_complexity(evidence.rate(np.ones((32, 31)), marks, -0.25))
    assert flat.value == -np.inf
