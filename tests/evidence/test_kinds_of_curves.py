"""Bounded curves, limits and logarithms on curves whose truth is known, without noise and with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.engine.marks import log_marks
from workbench.evidence import bounded, geometric, limit, logarithmic
from workbench.evidence.limits import opposite
from workbench.evidence.verdicts import Finding, NotEnough, decide
from workbench.verdicts.calibration import kinds
from workbench.verdicts.calibration.kinds import SHORT, Setting, marks_of

log = np.log
Curve = Callable[[np.ndarray], np.ndarray]
HORIZONS = (1_000, 10_000, 100_000, 10**6, 10**8)
one_log, at_most_one = (partial(logarithmic, power=0.0, logs=1.0, or_less=x) for x in (False, True))
to_one, q = partial(limit, to=1.0), partial(geometric, factor=0.9)


def verdict(test: Callable[..., Finding], curve: Curve, horizon: int) -> str:
    """Of a curve without noise."""
    marks = marks_of(horizon)
    finding = test(np.stack(2 * [curve(marks)]), marks)
    return str(decide([finding])[0].verdict)


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize(
    ("test", "curve", "right"),
    [
        (bounded, lambda t: 1 + 0 * t, "holds"),
        (bounded, lambda t: t**-0.5, "holds"),
        (bounded, lambda t: 1 - 0.6 ** np.minimum(t, 1000), "holds"),  # at rest from t = 20 on, as in FedAvg
        (bounded, lambda t: 1 + log(t), "violated"),
        (bounded, lambda t: 1 / t + 0.1 * log(t), "violated"),
        (bounded, lambda t: t**0.25, "violated"),
        (to_one, lambda t: 1 + 0 * t, "holds"),
        (to_one, lambda t: 1.02 + 0 * t, "violated"),
        (to_one, lambda t: 0.98 + 1 / t, "violated"),
        (one_log, lambda t: 10 + log(t), "holds"),
        (one_log, lambda t: 10 + log(t) ** 2, "violated"),
        (one_log, lambda t: 2 - t**-0.5, "violated"),
        (at_most_one, lambda t: 2 - t**-0.5, "holds"),
        (at_most_one, lambda t: log(t) ** 2, "violated"),
        (partial(logarithmic, power=-1.0, logs=1.0), lambda t: (2 + log(t)) / t, "holds"),
        (partial(logarithmic, power=-1.0, logs=1.0), lambda t: 1 / t, "violated"),
    ],
)
def test_a_curve_without_noise_is_judged_rightly_at_every_horizon(
    test: Callable[..., Finding], curve: Curve, right: str, horizon: int
) -> None:
    assert verdict(test, curve, horizon) == right


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("size", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("horizon", [3_000, 10_000, 100_000, 10**6])
def test_a_limit_that_was_passed_on_the_way_is_not_missed(horizon: int, size: float, sign: int) -> None:
    """Both tend to 1, and were violated: one goes away from it first, the other goes past it and comes back."""
    assert (
        verdict(to_one, lambda t: 1 + sign * size * (t / 500) / (1 + (t / 500) ** 2), horizon) != "violated"
    )
    if horizon >= 10_000:
        past = lambda t: 1 + sign * size * (1 - np.sqrt(t / 200)) / (1 + t / 200)  # noqa: E731
        assert verdict(to_one, past, horizon) != "violated"
    missed = lambda t: 1.02 + sign * size * (t / 50) / (1 + (t / 50) ** 2)  # noqa: E731
    assert horizon < 10**6 or size > 1 or verdict(to_one, missed, horizon) == "violated"


def approach(power: float, t: np.ndarray) -> np.ndarray:
    return 1 + t**-power


@pytest.mark.parametrize("horizon", HORIZONS[:4])
def test_a_cycle_around_a_number_does_not_tend_to_it(horizon: int) -> None:
    assert verdict(to_one, lambda t: 1 + 0.3 * np.cos(2 * np.pi * (t % 3) / 3), horizon) == "violated"


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize(
    ("test", "curve", "wrong"),
    [
        (bounded, lambda t: 2 - t**-0.125, "violated"),
        (bounded, lambda t: 2 - 1 / (1 + log(t)), "violated"),
        (bounded, lambda t: t / (t + 1000), "violated"),
        (bounded, lambda t: 1 + 0.05 * np.sin(log(t)), "violated"),
        (bounded, lambda t: 1 + log(1 + log(t)), "holds"),
        (bounded, lambda t: 10 + log(1 + log(t)), "holds"),
        (bounded, lambda t: 100 + log(t), "holds"),
        (bounded, lambda t: t**0.02, "holds"),
        *[(to_one, partial(approach, p), "violated") for p in (0.5, 0.25, 0.125, 0.05)],
        (to_one, lambda t: 1 + 1 / (1 + log(t)), "violated"),
        (to_one, lambda t: 1.02 + t**-0.5, "holds"),
        (one_log, lambda t: 3 + log(1 + t / 100), "violated"),
        (at_most_one, lambda t: log(t) + 5 * t**-0.5, "violated"),
        (at_most_one, lambda t: log(t) + 10 - 10 * t**-0.5, "violated"),
    ],
)
def test_start_ups_slow_approaches_and_slow_growth_mislead_at_no_horizon(
    test: Callable[..., Finding], curve: Curve, wrong: str, horizon: int
) -> None:
    assert verdict(test, curve, horizon) != wrong


def growing(offset: float, size: float) -> Curve:
    return lambda t: offset + size * log(t)


@given(
    offset=st.floats(0.1, 20), size=st.floats(0.5, 5), power=st.floats(0.25, 2), sign=st.sampled_from((-1, 1))
)
@settings(max_examples=30, deadline=None)
def test_a_longer_horizon_never_weakens_a_verdict(
    offset: float, size: float, power: float, sign: int
) -> None:
    """What is decided at T without noise is decided in the same way at 10 T and 100 T."""
    curves: list[tuple[Callable[..., Finding], Curve]] = [
        (bounded, growing(offset, size)),
        (bounded, lambda t: offset + 1 + sign * t**-power),
        (one_log, growing(offset, size)),
        (to_one, lambda t: 1 + sign * offset * t**-power),
        (to_one, lambda t: 1.02 + sign * 0.1 * offset * t**-power),
    ]
    for test, curve in curves:
        verdicts = [verdict(test, curve, horizon) for horizon in (1_000, 10_000, 100_000, 10**6)]
        decided = [v for v in verdicts if v != "inconclusive"]
        first = next((n for n, v in enumerate(verdicts) if v != "inconclusive"), len(verdicts))
        assert verdicts[first:] == decided
        assert len(set(decided)) <= 1


NESTED = [
    (check, name, truth, curve, claim)
    for check, table, claim in (("bounded", kinds.BOUNDED, ()), ("limit", kinds.LIMITS, (1.0,)))
    for name, (truth, curve) in table.items()
] + [("logarithmic", name, truth, curve, (0.0, 1.0)) for name, (truth, _, curve) in kinds.LOGARITHMS.items()]


@pytest.mark.parametrize(
    ("check", "name", "truth", "curve", "claim"), NESTED, ids=lambda x: x if isinstance(x, str) else ""
)
def test_more_runs_reverse_no_verdict(
    check: str, name: str, truth: str, curve: Curve, claim: tuple[float, ...]
) -> None:
    """Of the same runs, first 128, then 512, then 2048: a decisive verdict is right, and stays."""
    marks, test = (
        log_marks(10_000).astype(float),
        {"bounded": bounded, "limit": limit, "logarithmic": logarithmic}[check],
    )
    wrong = "violated" if truth == "true" else "holds"
    for seed in range(3):
        around = kinds.fluctuation(np.random.default_rng(seed), marks.size, 2048, heavy=False)
        values = curve(marks) + kinds.OF_A_LIMIT * (around - 1) if check == "limit" else curve(marks) * around
        verdicts = [str(decide([test(values[:n], marks, *claim)], 1e-3)[0].verdict) for n in (128, 512, 2048)]
        assert wrong not in verdicts
        first = next((n for n, v in enumerate(verdicts) if v != "inconclusive"), 3)
        assert "inconclusive" not in verdicts[first:]


POWER = {  # planted family -> the verdict of nearly all of its draws at one claim's level among 200
    "bounded: a constant, 1024 heavy runs, T = 1e6": "holds",
    "bounded: 1 + log T, 256 runs, T = 1e4": "violated",
    "limit 1: 1, 256 runs, T = 1e6": "holds",
    "limit 1: 1.02, 256 runs, T = 1e6": "violated",
    "log T: 3 + log T, 1024 heavy runs, T = 1e6": "holds",
    "log T: 3 + log^2 T, 1024 heavy runs, T = 1e6": "violated",
    "log T or less: 3 + log^2 T, 256 runs, T = 1e4": "violated",
    "0.9^T: 0.9^T, 256 runs, T = 4e2": "holds",
    "0.9^T: 0.909^T, 256 runs, T = 4e2": "violated",
    "0.9^T or faster: 0.891^T, 256 runs, T = 4e2": "holds",
}


@pytest.mark.parametrize("name", POWER)
def test_planted_families_are_decided(name: str) -> None:
    (scenario,) = (s for s in kinds.scenarios() if s.name == name)
    rng = np.random.default_rng([3, *name.encode()])
    verdicts = [str(decide([scenario.finding(rng)], 0.005 / 200)[0].verdict) for _ in range(10)]
    assert verdicts.count(POWER[name]) >= 8, verdicts


def test_a_factor_off_by_one_per_cent_is_noticed_for_every_factor() -> None:
    marks = marks_of(SHORT)
    for factor in (0.5, 0.7, 0.9, 0.99):
        at = marks[marks <= max(30.0, 25 / abs(np.log(factor)))]
        at = np.linspace(1, at[-1], 60).round() if at.size < 12 else at
        values = np.stack(2 * [factor ** np.unique(at)])
        assert geometric(values, np.unique(at), factor).p_if_wrong == 0.0
        assert geometric(values, np.unique(at), 0.99 * factor).p_if_right == 0.0
        assert factor > 0.98 or geometric(values, np.unique(at), factor / 0.99).p_if_wrong == 1.0


def test_runs_that_overflow_diverge() -> None:
    marks = log_marks(1000).astype(float)
    values = np.where(np.arange(64)[:, None] < 40, np.nan, np.ones((64, marks.size)))
    assert bounded(values, marks).p_if_right < 1e-6
    grows = opposite(bounded(values, marks))
    assert (grows.p_if_wrong < 1e-6, grows.p_if_right) == (True, 1.0)


def test_notes_say_what_is_unseen_and_from_when_on() -> None:
    marks = log_marks(100_000).astype(float)
    values = 3 + np.log(marks) + 0.01 * np.random.default_rng(0).standard_normal((256, marks.size))
    note = logarithmic(values, marks, 0.0, 1.0).note
    assert "one logarithm more would be noticed from T = " in note
    assert "a factor T^p with p up to 0.0" in note
    noise = np.random.default_rng(1).standard_normal((256, marks.size))
    assert "unseen: T^p with p up to 0.0" in bounded(1 + 0.01 * noise, marks).note


def test_bad_input() -> None:
    marks = log_marks(1000).astype(float)
    values = np.ones((30, marks.size))
    with pytest.raises(ValueError, match="a limit of 0 has no size"):
        limit(values, marks, 0.0)
    with pytest.raises(ValueError, match="positive number of them"):
        logarithmic(values, marks, 0.0, 0.0)
    with pytest.raises(ValueError, match="growth must be a positive"):
        bounded(values, marks, growth=0.0)
    with pytest.raises(NotEnough, match="three marks from"):
        bounded(values[:, :4], marks[:4])
    with pytest.raises(NotEnough, match="above 1"):
        bounded(values[:, :1], marks[:1])


def test_settings_have_the_marks_of_their_horizon() -> None:
    assert marks_of(SHORT)[-1] == SHORT
    assert Setting(10_000, 24, 1).plants()[0][0] == "bounded: a constant, 24 runs"


def test_an_open_line_names_a_horizon_where_a_mean_passes_0_or_comes_nearer_slowly() -> None:
    """Neither more runs nor a wider tolerance decide these; they used to say nothing."""
    marks = np.arange(1.0, 51.0)
    with_0 = np.repeat([0.65**marks * (marks != 20)], 2, axis=0)
    wanted = "a horizon 4 times as long: the mean is 0 at a mark"
    assert geometric(with_0, marks, 0.7, or_faster=True).decides.startswith(wanted)
    slow = np.repeat([1 / 7 + 0.86 * 0.6 ** marks[:25]], 2, axis=0)
    assert "no faster than a slow approach does" in limit(slow, marks[:25], 0.0, 1e-4).decides
