"""Every kind of claim can fail: on planted curves each holds for what it claims, and is violated for what is nearby.

The curves are exact power laws, times a factor of each run that scatters by 2 %; exponents are wrong by 0.05 or a
little more than the tolerance, or by what the claim's line says would be noticed, constants by a tenth.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from workbench.theorems.biadam.experiments import claims, claims_cost, claims_wrong, study
from workbench.theorems.biadam.experiments.runs import GROWING_LENGTHS

from workbench.claims.claims import Caught, Claim, Custom
from workbench.claims.oracle_calls import Count
from workbench.claims.readings import Level, Rate, Reading, Tight
from workbench.engine.marks import log_marks
from workbench.engine.records import Result
from workbench.evidence.verdicts import Verdict, decide
from workbench.run import catalog
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options

RUNS, HORIZON = 64, 1 << 16
OFF = 0.05  # in an exponent
TIGHT = (*claims.TIGHT, *claims_wrong.TIGHT)
named = {"ids": lambda c: f"{c.key.split('/')[1]} {c.experiment}"}


def verdict(claim: Claim, result: Result) -> Verdict:
    (decided,) = decide([claim.finding(dict.fromkeys(claim.needs, result))])
    return decided.verdict


def planted(
    running: Any, metric: str, where: Any = None, calls: float = 1.0, horizon: int = HORIZON, **steps: float
) -> Result:
    """A result whose metric has these running means (a function of T), each run times its own factor."""
    marks = log_marks(horizon)
    factors = np.exp(0.02 * np.random.default_rng(5).standard_normal((RUNS, 1)))
    none = np.zeros(RUNS, dtype=int)
    return Result(
        marks=marks,
        data={metric: factors * running(marks.astype(float))[None, :]},
        params={n: np.full(RUNS, v) for n, v in (where or {}).items()},
        run_ids=np.arange(RUNS),
        status=none,
        failed_at=none,
        calls={"gradient_y_g": calls * marks[None, :].astype(float)},
        elapsed=np.ones(len(marks)),
        steps={n: np.full((1, 1), v) for n, v in steps.items()},
    )


def curve(reading: Reading, off: float) -> Result:
    power = reading.claimed.value + off
    return planted(lambda T: T**power, str(reading.metric), reading.where)


@pytest.mark.parametrize("claim", TIGHT, **named)
def test_an_exponent_off_by_a_twentieth_is_not_accepted_and_what_the_line_shows_is_rejected(
    claim: Tight,
) -> None:
    """On both sides. How far off an exponent must be in order to be violated depends on the window's length."""
    result = curve(claim.reading, 0.0)
    (right,) = decide([claim.finding(dict.fromkeys(claim.needs, result))])
    assert right.verdict is Verdict.HOLDS
    assert right.sensitivity <= 0.2 + 1e-9
    near, far = max(OFF, claim.reading.tol + 0.01), 1.01 * right.sensitivity
    for sign in (-1, 1):
        assert verdict(claim, curve(claim.reading, sign * near)) is not Verdict.HOLDS
        assert verdict(claim, curve(claim.reading, sign * far)) is Verdict.VIOLATED


@pytest.mark.parametrize("claim", [c for c in claims.CLAIMS if isinstance(c, Rate)], **named)
def test_a_rate_slower_by_a_twentieth_is_not_accepted_and_what_the_line_shows_is_rejected(
    claim: Rate,
) -> None:
    """The plan's window may be too short for these few runs to decide a twentieth; it is never taken for the rate."""
    (right,) = decide([claim.finding(dict.fromkeys(claim.needs, curve(claim.reading, 0.0)))])
    assert right.verdict is Verdict.HOLDS
    assert right.sensitivity <= 0.2 + 1e-9
    assert verdict(claim, curve(claim.reading, -OFF)) is Verdict.HOLDS
    assert verdict(claim, curve(claim.reading, OFF)) is not Verdict.HOLDS
    assert verdict(claim, curve(claim.reading, max(OFF, 1.01 * right.sensitivity))) is Verdict.VIOLATED


@pytest.mark.parametrize("claim", claims.LEVEL_CLAIMS, **named)
def test_a_level_off_by_a_tenth_is_rejected(claim: Level) -> None:
    steps = {**{n: v for n, v in study.STEPS.items() if n != "K"}, "b_0": 1.0, **claim.reading.where}
    right = planted(lambda T: T**-0.5, str(claim.reading.metric), claim.reading.where, **steps)
    formula = claim.predictor({claim.reading.sim.key: right})
    for factor, expected in ((1.0, Verdict.HOLDS), (1.1, Verdict.VIOLATED), (0.9, Verdict.VIOLATED)):
        made = planted(
            lambda T, f=factor: f * formula(T), str(claim.reading.metric), claim.reading.where, **steps
        )
        assert verdict(claim, made) == expected


@pytest.mark.parametrize("claim", [c for c in claims_wrong.CLAIMS if isinstance(c, Caught)], **named)
def test_a_negative_control_fails_on_the_right_method(claim: Caught) -> None:
    """A curve with the theorem's exponent is not caught."""
    assert isinstance(claim.claim, Rate | Tight)
    assert verdict(claim, curve(claim.claim.reading, 0.0)) == Verdict.VIOLATED


POWERS_OF_CALLS = [
    c for c in claims_cost.CLAIMS if isinstance(c, Custom | Caught) and c != claims_cost.OF_GROWING
]


@pytest.mark.parametrize("claim", POWERS_OF_CALLS, **named)
def test_a_cost_with_another_power_is_rejected(claim: Custom | Caught) -> None:
    """The slope over calls decides: a cost of one power more is rejected; the caught claim has one power less."""
    if claim.evidence == "exponent":
        assert verdict(claim, planted(lambda T: T, "none")) == Verdict.HOLDS  # exact: no data enters
        return
    inner = claim.claim if isinstance(claim, Caught) else claim
    power = int(inner.experiment.split("O(eps^-")[1].split(")")[0])
    metric = "metric_mean" if "metric_mean" in inner.experiment else claims.GRADIENT
    for slope, holds in ((-1 / power, True), (-1 / (power + 1), False)):
        made = planted(lambda T, s=slope: T**s, metric, calls=7.0)
        expected = Verdict.HOLDS if holds != isinstance(claim, Caught) else Verdict.VIOLATED
        assert verdict(claim, made) == expected


@pytest.mark.parametrize(
    ("slope", "expected"), [(-1 / 3, Verdict.HOLDS), (-1 / 4, Verdict.VIOLATED), (-1 / 2, Verdict.VIOLATED)]
)
def test_the_power_of_calls_where_sums_grow(slope: float, expected: Verdict) -> None:
    """One simulation a horizon; the mean over the second half of each is a power of its calls."""
    results = {
        sim.key: planted(lambda T: T**slope, "metric_mean", calls=7.0, horizon=length)
        for sim, length in zip(claims_cost.GROWING, GROWING_LENGTHS, strict=True)
    }
    (finding,) = decide([claims_cost.OF_GROWING.finding(results)])
    assert finding.verdict == expected


@pytest.mark.parametrize("claim", [c for c in claims_cost.CLAIMS if isinstance(c, Count)], **named)
def test_one_call_more_is_noticed(claim: Count) -> None:
    made = planted(lambda T: T, "none")
    assert isinstance(claim.listed, int)
    for more, expected in ((0, Verdict.HOLDS), (1, Verdict.VIOLATED)):
        total = claim.listed * made.marks[None, :] + more
        assert verdict(claim, replace(made, calls={claim.resource: total.astype(float)})) == expected


@pytest.mark.parametrize("key", claims.BOUNDS)
def test_a_bound_a_tenth_below_what_is_measured_is_rejected(key: str) -> None:
    """The curve is put at a factor of the bound itself, at each mark and in each case."""
    for bound in claims.BOUNDS[key]:
        result = small(bound.sim)
        right = bound.curves(result)
        metric = str(bound.metric)
        for factor, expected in ((0.9, Verdict.HOLDS), (1.1, Verdict.VIOLATED)):
            data = {**result.data, metric: factor * right * np.linspace(0.99, 1.01, result.size)[:, None]}
            assert verdict(bound, replace(result, data=data)) == expected


def small(sim: Any, horizon: int = 64) -> Result:
    """The first call makes it, eagerly where it is short."""
    return _made(sim.key, horizon)


@cache
def _made(key: str, horizon: int) -> Result:
    options = Options("quick", horizon=horizon, runs=30, engine="eager" if horizon < 1000 else "fused")
    return execute(prepare(catalog.simulations()[key], options), "numpy", options)


def test_the_matrices_of_compliant_runs_vary() -> None:
    """(4) and (5) at work: |A_t| above rho, b_t at both ends of [1, 1.1] and between; else constant."""
    for name in ("compliant-adaptive", "compliant-adaptive-vr"):
        result = small(claims.SIMS[name], 2048)
        b = result.data["b"]
        assert (b.min(), b.max()) == (1.0, study.SPREAD)
        assert np.mean((b[:, -1] > 1.0) & (b[:, -1] < study.SPREAD)) > 0.3
        assert np.all(study.known(result)["A_rms"] > 1.01)
        assert np.all(study.known(result)["b_u"] == study.SPREAD)
    fixed = small(claims.SIMS["compliant"])
    assert np.all(fixed.data["b"] == 1.0)
    assert np.all(study.known(fixed)["A_rms"] == 1.0)


def test_the_counterexample_to_the_printed_bound_stands_for_o_2() -> None:
    """The same curve is below the bound once b_u takes the place of b_1 in it."""
    for bound in claims.RISING:
        result = small(bound.sim)
        known = study.known_rising(result)
        assert np.all(result.data["b"] <= np.ravel(known["b_u"])[0])
        assert result.data["b"][0, 0] == pytest.approx(study.first_b(study.RISING))
        T = result.marks[None, :].astype(float)
        at = {**result.constants, **known, "T": T}
        printed = bound.theorem.numeric("printed")(**at)
        restated = bound.theorem.numeric("printed")(**{**at, "b_1": known["b_u"]})
        assert np.all(restated > 5 * printed)


@pytest.mark.parametrize("theorem", claims.ALL, ids=lambda t: t.key)
def test_constants_that_were_chosen_are_no_theorem_runs(theorem: Any) -> None:
    """The tuned constants, asked for as a run of the theorem: the first violated condition, with its extreme value."""
    start = {"x": np.full((1, 2), 2.0), "y": np.full((1, 2), 2.0)}
    constants = {n: float(np.max(v)) for n, v in study.TUNED.constants(start).items()}
    at = {**constants, **study.LIMITS, **{n: v for n, v in study.STEPS.items() if n not in ("K", "L_g")}}
    for form in ("printed", "repaired"):
        with pytest.raises(
            ValueError, match=rf"{theorem.key} needs c_1 >= .* that is c_1 at least \d[\d.]*, not 2"
        ):
            theorem.steps(form, **{**at, "T": 1000.0, "sigma": 1.0})
