"""What lies outside the window that is read plays no part: zeros, logarithms of marks up to 1."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from workbench import evidence as ev
from workbench.evidence import rates
from workbench.evidence.verdicts import Verdict, decide

MARKS = np.unique(np.round(np.logspace(0, 5, 60)))
WINDOW = (100.0, 1e5)
Check = Callable[..., Any]


def curves() -> np.ndarray:
    return MARKS**-1.0 * np.exp(0.1 * np.random.default_rng(4807).normal(size=(256, 1)))


def with_first(value: float) -> np.ndarray:
    values = curves()
    values[:, 0] = value
    return values


@pytest.mark.parametrize("check", [ev.rate, ev.tight])
@pytest.mark.parametrize("first", [0.0, -1.0, 7.0, 1e300])
def test_a_zero_before_the_window_changes_nothing(check: Check, first: float) -> None:
    plain, other = (check(v, MARKS, -1.0, window=WINDOW) for v in (curves(), with_first(first)))
    assert decide([other])[0].verdict is Verdict.HOLDS
    assert (other.value, other.low, other.p_if_wrong) == (plain.value, plain.low, plain.p_if_wrong)


def test_a_zero_inside_the_window_is_said_to_be_there() -> None:
    finding = ev.tight(with_first(0.0), MARKS, -1.0, window=(1.0, 1e5))
    assert "the mean over runs is 0 at T = 1, and only a positive curve has an exponent" in finding.note
    since = float(finding.decides.removeprefix("a window that begins later, since="))
    later = ev.tight(with_first(0.0), MARKS, -1.0, window=(since * MARKS[-1], MARKS[-1]))
    assert np.isfinite(later.value)
    control = ev.exact.falsifier(finding)
    assert "failed runs" not in control.note
    assert (decide([control])[0].verdict, control.decides) == (Verdict.INCONCLUSIVE, finding.decides)
    failed = ev.exact.falsifier(dataclasses.replace(finding, diverged=True, p_if_right=0.0))
    assert "decided by failed runs" in failed.note


def test_two_curves_are_compared_inside_the_window_only() -> None:
    plain, other = (ev.same(v, curves(), MARKS, window=WINDOW) for v in (curves(), with_first(0.0)))
    assert (other.value, other.p_if_wrong) == (plain.value, plain.p_if_wrong) == (1.0, 0.0)


def test_a_slope_over_a_window_reads_nothing_else() -> None:
    assert rates.slope(with_first(0.0), MARKS, WINDOW) == rates.slope(curves(), MARKS, WINDOW)


@pytest.mark.parametrize("check", [ev.rate, ev.tight])
@pytest.mark.parametrize("power", [1.0, -1.0])
@pytest.mark.parametrize("terms", [None, (-2.0, -1.0)])
def test_logarithms_need_marks_above_one_only_where_they_are_read(
    check: Check, power: float, terms: tuple[float, ...] | None
) -> None:
    logs = np.log(np.where(MARKS > 1, MARKS, 2.0)) ** power
    whole, cut = (
        check(curves()[:, s] * logs[s], MARKS[s], -1.0, terms=terms, log_power=power, window=WINDOW)
        for s in (slice(None), slice(1, None))
    )
    assert (whole.value, whole.low) == (cut.value, cut.low)
    assert "nan" not in whole.note
    with pytest.raises(ValueError, match="log factors need marks > 1 in the window"):
        check(curves() * logs, MARKS, -1.0, log_power=power, window=(1.0, 1e5))
