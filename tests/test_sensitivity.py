"""Sensitivity: the error that a finding says its data would reject is one that they do reject; and void lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from workbench import evidence as ev
from workbench.claims import power
from workbench.claims.claims import Bound, Claim, Custom, _at_first, caught
from workbench.evidence._common import ERRORS
from workbench.evidence.verdicts import Decision, Finding, decide

THEOREM = SimpleNamespace(key="toy/thm", metric_kind="")
SIM = SimpleNamespace(key="toy/sim", title="Toy")
MARKS = np.geomspace(1e2, 1e6, 41)
SIDE = 1e-4
RATE, TRUTH = -0.25, MARKS**-0.25


def curves(mean: np.ndarray, runs: int = 64, size: float = 0.02, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return mean * np.exp(
        size * rng.standard_normal((runs, 1)) + size * rng.standard_normal((runs, mean.size))
    )


VALUES = curves(TRUTH)
TERMS = (
    -1 / 2,
    -1 / 3,
    RATE,
)  # the form fit tells a term beside T^-1/4 from it only where it is far enough away
# How each kind of claim is made, as a function of the error of the claimed number.
BY_EXPONENT: dict[str, Callable[[float], Finding]] = {
    "rate": lambda error: ev.rate(VALUES, MARKS, RATE - error),
    "tight, faster": lambda error: ev.tight(VALUES, MARKS, RATE - error),
    "tight, slower": lambda error: ev.tight(VALUES, MARKS, RATE + error),
    "tight with terms, faster": lambda error: ev.tight(VALUES, MARKS, RATE - error, terms=TERMS),
    "tight with terms, slower": lambda error: ev.tight(VALUES, MARKS, RATE + error, terms=TERMS),
    "scaling, above": lambda error: ev.scaling(VALUES, MARKS, RATE - error),
    "scaling, below": lambda error: ev.scaling(VALUES, MARKS, RATE + error),
}
BY_FACTOR: dict[str, Callable[[float], Finding]] = {
    "level, above": lambda error: ev.level(VALUES, MARKS, TRUTH * (1 + error)),
    "level, below": lambda error: ev.level(VALUES, MARKS, TRUTH * (1 - error)),
    "bound": lambda factor: ev.bound(VALUES, 5 * TRUTH / max(factor, 1.0), MARKS),
    "bound with probability": lambda factor: ev.bound(
        VALUES, 5 * TRUTH / max(factor, 1.0), MARKS, "probability", 0.1
    ),
}


def sensitivity(finding: Finding) -> float:
    assert finding.rejects is not None
    return finding.rejects(SIDE)


@pytest.mark.parametrize("name", BY_EXPONENT)
def test_an_exponent_wrong_by_the_sensitivity_is_violated(name: str) -> None:
    make = BY_EXPONENT[name]
    found = sensitivity(make(0.0))
    assert found < 0.2
    assert make(found * (1 + 1e-9)).p_if_right <= SIDE
    for error in (e for e in ERRORS if e > found):
        assert make(error).p_if_right <= SIDE, error


@pytest.mark.parametrize("kind", ["rate", "tight", "level"])
def test_other_curves_wrong_by_a_little_more_than_the_sensitivity_are_violated(kind: str) -> None:
    """New runs of a method that is slower, faster or at another level by 1.2 times what was said to be noticed."""
    for seed in range(10):
        for sign in (1, -1) if kind != "rate" else (1,):
            if kind == "level":
                found = sensitivity(ev.level(curves(TRUTH, seed=seed), MARKS, TRUTH))
                other = curves(TRUTH * (1 + sign * 1.2 * found), seed=seed + 100)
                again = ev.level(other, MARKS, TRUTH)
            else:
                check = getattr(ev, kind)
                found = sensitivity(check(curves(TRUTH, seed=seed), MARKS, RATE))
                other = curves(MARKS ** (RATE + sign * 1.2 * found), seed=seed + 100)
                again = check(other, MARKS, RATE)
            assert again.p_if_right <= SIDE, (kind, seed, sign, found)


@pytest.mark.parametrize("name", BY_FACTOR)
def test_a_level_or_bound_wrong_by_the_sensitivity_is_violated(name: str) -> None:
    make = BY_FACTOR[name]
    found = sensitivity(make(0.0))
    assert np.isfinite(found)
    assert make(found * (1 + 1e-6)).p_if_right <= SIDE


ADMITTED = {  # the claim with an error in either direction, or a faster rate
    "rate": (BY_EXPONENT["rate"],),
    "tight": (BY_EXPONENT["tight, faster"], BY_EXPONENT["tight, slower"]),
    "scaling": (BY_EXPONENT["scaling, above"], BY_EXPONENT["scaling, below"]),
    "level": (BY_FACTOR["level, above"], BY_FACTOR["level, below"]),
}


@pytest.mark.parametrize("kind", ADMITTED)
def test_from_the_error_that_is_admitted_on_no_claim_holds(kind: str) -> None:
    makes = ADMITTED[kind]
    found = makes[0](0.0)
    assert found.admits is not None
    assert found.rejects is not None
    most = found.admits(SIDE)
    assert 0.02 < most < 0.05
    assert most < found.rejects(SIDE), "a claim that is violated does not hold"
    for error in (most * (1 + 1e-6), 1.1 * most, 2 * most, 0.3):
        assert all(make(error).p_if_wrong > SIDE for make in makes), error
    less = [make(most * (1 - 1e-6)) for make in makes]
    assert any(f.p_if_wrong <= SIDE for f in less), "a smaller error is not told"


def test_an_estimate_off_the_claim_admits_more_on_its_side() -> None:
    """Nobody is told that a claim of T^-1/4 excludes T^-0.29 where the slope lies at -0.27."""
    off = curves(MARKS ** (RATE - 0.015))
    found, wrong = ev.tight(off, MARKS, RATE), ev.tight(off, MARKS, RATE - 0.035)
    assert found.admits is not None
    assert found.p_if_wrong <= SIDE
    assert wrong.p_if_wrong <= SIDE
    assert found.admits(SIDE) > 0.035


def test_the_sensitivity_is_not_needlessly_coarse() -> None:
    """A rate, and a bound, that are a little less wrong are not rejected."""
    rate, bound = sensitivity(BY_EXPONENT["rate"](0.0)), sensitivity(BY_FACTOR["bound"](0.0))
    assert BY_EXPONENT["rate"](rate / 1.2).p_if_right > SIDE
    assert BY_FACTOR["bound"](bound / 1.01).p_if_right > SIDE
    assert 4.5 < bound < 5.5
    assert 4.5 < sensitivity(BY_FACTOR["bound with probability"](0.0)) < 5.5


@pytest.mark.parametrize("make", [lambda v: ev.rate(v, MARKS, RATE), lambda v: ev.tight(v, MARKS, RATE)])
def test_more_runs_make_it_smaller(make: Callable[[np.ndarray], Finding]) -> None:
    few, many = (sensitivity(make(curves(TRUTH, runs, 0.2))) for runs in (8, 512))
    assert many < few


def test_one_run_notices_nothing() -> None:
    assert sensitivity(ev.rate(VALUES[:1], MARKS, RATE)) == np.inf


def test_identical_runs_have_a_sensitivity_of_their_own() -> None:
    same = np.broadcast_to(TRUTH, (3, MARKS.size))
    found = ev.rate(same, MARKS, RATE)
    assert found.exact
    assert found.rejects is not None
    assert found.rejects(0.0) < 0.04


def test_a_falsifier_has_none() -> None:
    assert ev.falsifier(ev.rate(VALUES, MARKS, -0.5)).rejects is None


# ------------------------------------------------------------------------------------------------------ void


def line(
    finding: Finding, name: str = "a", key: str = "paper/thm", needs: tuple[str, ...] = ("s",)
) -> tuple[Claim, Decision]:
    claim = Custom(key, finding.evidence, name, lambda results: finding, needs)
    return claim, decide([finding])[0]


def test_a_bound_on_what_is_never_positive_is_void() -> None:
    gone = ev.bound(-VALUES, TRUTH, MARKS)
    assert power.voids([line(gone)]) == ["the bounded quantity is never positive"]
    assert power.voids([line(ev.bound(VALUES, 5 * TRUTH, MARKS))]) == [""]


def test_what_no_wrong_claim_would_change_is_void() -> None:
    few = ev.bound(VALUES[:3], 5 * TRUTH, MARKS, "probability", 0.9)
    (why,) = power.voids([line(replace(few, p_if_wrong=0.0))])
    assert why == "no wrong claim would have been noticed"


def test_what_came_out_violated_is_not_void() -> None:
    violated = ev.bound(VALUES, TRUTH / 5, MARKS)
    assert power.voids([line(replace(violated, void="never"))]) == [""]


def test_a_repetition_is_void_and_names_the_first() -> None:
    one, other = ev.rate(VALUES, MARKS, RATE), ev.rate(VALUES, MARKS, -0.24)
    rows = [
        line(one),
        line(other, "b"),
        line(one, "c", "paper/cor"),
        line(one, "d", "other/thm"),
        line(one, "e", needs=("another",)),
    ]
    assert power.voids(rows) == ["", "", "the same as paper/thm, a", "", ""]


def test_equal_counts_of_different_calls_are_no_repetition() -> None:
    count = ev.complexity(100, 100, 10, "gradients")
    assert power.voids([line(count), line(count, "b")]) == ["", ""]


def divided(over: float, needed: float, name: str = "a") -> list[str]:
    """A bound whose sensitivity is 5, and the same bound over a number, which must be violated."""
    whole = Bound(THEOREM, "printed", SIM, "gap")  # type: ignore[arg-type]
    tenth = caught(replace(whole, over=over, name=name))
    found = ev.bound(VALUES, 5 * TRUTH, MARKS)
    wrong = ev.falsifier(ev.bound(VALUES, 5 * TRUTH / over, MARKS))
    decisions = decide([found, wrong])
    return power.voids([(whole, replace(decisions[0], sensitivity=needed)), (tenth, decisions[1])])


def test_a_bound_that_must_fail_says_no_more_than_its_sensitivity() -> None:
    assert divided(20.0, 5.0) == ["", "toy/thm, Toy; printed, rejects a factor of 5 already"]
    assert divided(20.0, 30.0) == ["", ""]  # the line of the bound does not say it


def test_a_bound_that_could_be_a_hundred_times_smaller_is_loose() -> None:
    assert power.loose(line(ev.bound(VALUES, 200 * TRUTH, MARKS))[1])
    assert not power.loose(line(ev.bound(VALUES, 50 * TRUTH, MARKS))[1])
    held, wide, void = ("", False, False), ("", True, False), ("why", False, True)
    assert power.summary([held, held, wide, void]) == (
        "2 lines are informative: a small error of the claim would have shown (100 times too large a bound, 1/12 in an "
        "exponent). 1 line is loose: only a larger error would have shown. 1 line is void: no error could have "
        "shown, or another line says the same."
    )
    assert power.summary([held, ("", False, True), void]).startswith("1 line is informative")
    assert power.summary([held, ("", False, True), void]).endswith(
        "or another line says the same. 1 line is undecided."
    )
    assert "loose" not in power.summary([held])


def test_how_many_exponents_are_sharp_is_said() -> None:
    finding = ev.rate(VALUES, MARKS, -0.25)
    known = [
        replace(finding, rejects=lambda side, e=e: e, admits=lambda side, e=e: e / 2)
        for e in (0.04, 0.06, 0.2, np.inf)
    ]
    bound = ev.bound(VALUES, 5 * TRUTH, MARKS)
    violated = ev.rate(VALUES, MARKS, -0.5)
    said = (
        "How sharp: of 3 exponents or levels that hold, 2 would not hold had the claim been wrong by 0.05, and 2 would "
        "be violated had it been wrong by 1/12."
    )
    assert power.sensitivities(decide([*known, bound, violated])) == said
    assert power.sensitivities(decide([bound])) == ""


def test_an_exponent_that_does_not_tell_neighbouring_rates_is_loose() -> None:
    finding = replace(ev.rate(VALUES, MARKS, -0.25), rejects=lambda side: 0.09)
    assert power.loose(decide([finding])[0])
    sharp = replace(finding, rejects=lambda side: 0.08)
    assert not power.loose(decide([sharp])[0])
    assert power.loose(decide([replace(sharp, admits=lambda side: 0.051)])[0]), (
        "off by 0.05 it would still hold"
    )
    assert not power.loose(decide([replace(sharp, admits=lambda side: 0.049)])[0])
    # A ratio's sensitivity is a factor, whatever the claim calls it.
    assert not power.loose(decide([replace(finding, evidence="bound", rejects=lambda side: 50.0)])[0])


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        (5 * TRUTH, ""),  # at the horizon below the first value: a method that stays there does not pass
        (40 * TRUTH, "the bound at the horizon is 4 times the first value measured"),
    ],
)
def test_a_bound_that_the_first_value_would_meet_says_so(bound: np.ndarray, said: str) -> None:
    values, bounds = np.tile(TRUTH, (8, 1)), np.tile(bound, (8, 1))
    assert _at_first(values, bounds, MARKS) == said
    assert not _at_first(values[:, :1], bounds[:, :1], MARKS[:1])
    assert not _at_first(0.0 * values, bounds, MARKS)
