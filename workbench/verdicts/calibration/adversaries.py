"""Adversarial planted curves: what fooled the checker, or may fool it.

Late slower terms, regime switches, logarithms mistaken for powers, soft burn-ins, log-periodic modulation, heavy tails,
few runs, and rare runs that get stuck or fail. Each is a `workbench.verdicts.calibration.planted.Scenario`, judged
by the same rules as the others. Where no finite sample can know (a rare run that did not occur, a slower term that
carries a few per cent), the truth is "open", and `Scenario.says` is what a verdict that the claim holds must say.
"""

from __future__ import annotations

import numpy as np

from workbench.evidence import rates
from workbench.evidence.stats import Floats
from workbench.evidence.verdicts import Finding
from workbench.verdicts.calibration.interim_analyses import FAMILY, Checks
from workbench.verdicts.calibration.planted import (
    HORIZONS,
    NO,
    NONE,
    OPEN,
    YES,
    Draw,
    Generator,
    Plant,
    Scenario,
    View,
    noisy,
    seen_up_to,
)

MANY = 1024
UNSEEN = "could misbehave unseen"  # said of rare runs
LATER = "slower terms"  # said of terms that are not in view
WAVING = "the local slope goes up and down"
HALF = "or 50% (T^-0.15) of the value at the horizon would not be seen"  # beside T^-1/4
BEHIND = "nor closer ones behind a logarithm"
STUCK = 30.0  # where a stuck run stays, in units of the mean at the horizon


def mixture(v: View, *terms: tuple[float, float]) -> Floats:
    """Sum of share * (t/T)^exponent from (exponent, share at the horizon)."""
    return sum((share * v.power(e) for e, share in terms), np.zeros_like(v.t))


def switching(v: View, before: float, after: float, at: float) -> Floats:
    """A power until at * T, then another one, continuously."""
    u = v.t / v.horizon
    return np.where(u < at, u**before, at ** (before - after) * u**after)


def soft_burn_in(v: View, start: float, softness: float, exponent: float = -1 / 4) -> Floats:
    """(1 + (T/T0)^softness)^(exponent/softness): the softer, the longer it bends."""
    return (1 + (v.t / v.horizon / start) ** softness) ** (exponent / softness)


def approaching(v: View) -> Floats:
    """T^-1/4 (1 - (T/500)^-1/8 / 2): true, and slower than claimed for many decades."""
    return v.power(-0.25) * (1 - 0.5 * (v.t / 500) ** -0.125)


def waves(
    v: View, exponent: float, runs: int, size: float = 0.05, frequency: float = 1.0, claimed: float = -0.25
) -> Draw:
    """T^exponent, and the curve that is read times 1 + size sin(frequency log T + a random phase)."""

    def finding(rng: Generator) -> Finding:
        values, marks = v.windows(rng, v.power(exponent), runs)
        wave = 1 + size * np.sin(frequency * np.log(marks) + rng.uniform(0, 2 * np.pi))
        return v.checks.rate(values * wave, marks, claimed)

    return finding


def stages(v: View, exponent: float, runs: int, factor: float) -> Draw:
    """T^exponent in steps: what is read is constant over a factor in T, from a random iteration on."""

    def finding(rng: Generator) -> Finding:
        values, marks = v.windows(rng, v.power(0.0), runs)
        step = np.floor(np.log(marks) / np.log(factor) + rng.uniform())
        return v.checks.rate(values * factor ** (exponent * step), marks, -0.25)

    return finding


def heavy(v: View, exponent: float, runs: int, spread: float = 1.5) -> Draw:
    """T^exponent, claimed -1/4, with a lognormal factor per run whose mean a few runs dominate."""

    def finding(rng: Generator) -> Finding:
        values = noisy(rng, v.power(exponent), v.t, runs, spread=spread)
        return v.checks.rate(*rates.window_means(values, v.t), -0.25)

    return finding


def _checks(v: View, at_once: bool) -> Checks:
    return Checks(v.family, looks=not at_once)


def stuck(v: View, share: float, runs: int, at_once: bool = False) -> Draw:
    """T^-1/4, but a share of the runs stays at `STUCK` times the end value."""

    def finding(rng: Generator) -> Finding:
        values, marks = v.windows(rng, v.power(-0.25), runs)
        values[rng.random(runs) < share] = STUCK
        return _checks(v, at_once).rate(values, marks, -0.25)

    return finding


def failing_runs(v: View, share: float, runs: int, at_once: bool = False) -> Draw:
    """T^-1/4, but a share of the runs fails."""
    return lambda rng: _checks(v, at_once).rate(*v.some_lost(rng, share, runs), -0.25)


def rarely_above(v: View, share: float, runs: int, at_once: bool = False) -> Draw:
    """Half the bound, but a share of the runs stays at 100 times the bound: the mean exceeds it."""
    line = v.power(-0.25)

    def finding(rng: Generator) -> Finding:
        values = noisy(rng, 0.5 * line, v.t, runs, spread=0.1)
        values[rng.random(runs) < share] = 100 * line
        return _checks(v, at_once).bound(values, line, v.t)

    return finding


def largest_fail(v: View, share: float, runs: int) -> Draw:
    """1.3 times the bound in the mean, where the runs farthest above it overflow."""
    line = v.power(-0.25)

    def finding(rng: Generator) -> Finding:
        values = noisy(rng, 1.3 * line, v.t, runs, spread=0.5)
        values[np.argsort(values[:, -1])[runs - max(1, int(share * runs)) :]] = np.nan
        return v.checks.bound(values, line, v.t)

    return finding


def skewed_bound(v: View, factor: float, runs: int, spread: float) -> Draw:
    """A mean of `factor` times the bound, lognormal over runs."""
    line = v.power(-0.25)
    return lambda rng: v.checks.bound(noisy(rng, factor * line, v.t, runs, spread=spread), line, v.t)


def scenarios(family: int = FAMILY) -> list[Scenario]:
    """The adversarial families, seen up to the longer horizon, of a paper with so many claims."""
    v = View(max(HORIZONS), family)
    return seen_up_to(
        v.horizon, [*_slower(v), *_logarithms(v), *_bending(v), *_few_waves(v), *_runs(v), *_fewer(v)]
    )


def _slower(v: View) -> list[Plant]:
    half, late = mixture(v, (-0.5, 0.5), (0, 0.5)), switching(v, -0.5, 0, 10**-0.5)
    far, near = (mixture(v, *((-0.25 + d, 1 / 3) for d in (-gap, 0, gap))) for gap in (0.15, 0.1))
    switch, some = switching(v, -0.5, -0.125, 0.1), mixture(v, (-0.25, 0.95), (0, 0.05))
    fifth, third = mixture(v, (-0.25, 0.75), (0, 0.25)), mixture(v, (-0.5, 0.67), (0, 0.33))
    most = mixture(v, (-0.4, 0.4), (-0.15, 0.6))
    return [
        ("rate -1/4: T^-1/2 + a floor of half the value, 1024 runs", NO, NONE, v.rate(half, -0.25, MANY)),
        ("rate -1/4: T^-1/2 + a floor of a third, 1024 runs", NO, NONE, v.rate(third, -0.25, MANY)),
        ("rate -1/4: T^-1/2 + a floor of a third, 64 runs", NO, NONE, v.rate(third, -0.25, 64)),
        ("rate -1/4: T^-1/2, flat over half a decade, 1024 runs", NO, NONE, v.rate(late, -0.25, MANY)),
        ("rate -1/4: powers -.40, -.25, -.10, 1024 runs", NO, NONE, v.rate(far, -0.25, MANY)),
        ("rate -1/4: T^-1/2, then T^-1/8 from T/10, 1024 runs", NO, NONE, v.rate(switch, -0.25, MANY)),
        ("rate -1/4: T^-1/4 + a floor of a quarter, 1024 runs", NO, NONE, v.rate(fifth, -0.25, MANY)),
        ("rate -1/4: T^-1/4 + a floor of 5 %, 1024 runs", OPEN, NONE, v.rate(some, -0.25, MANY), LATER),
        ("tight -1/4: powers -.35, -.25, -.15, 1024 runs", OPEN, NONE, v.tight(near, -0.25, MANY), HALF),
        ("tight -1/4: T^-0.4 + 60 % of T^-0.15, 1024 runs", NO, NONE, v.tight(most, -0.25, MANY)),
        ("tight -1/4: T^-1/2 + a floor of half, 1024 runs", NO, NONE, v.tight(half, -0.25, MANY)),
    ]


def _logarithms(v: View) -> list[Plant]:
    logs, third = np.log(v.t), -1 / 3
    quarter = v.power(-0.25) / logs
    return [
        ("rate -1/4, log T: T^-0.19, 1024 runs", NO, NONE, v.rate(v.power(-0.19), -0.25, MANY, 1)),
        ("rate -1/3: T^-1/4 / log T, 256 runs", OPEN, NONE, v.rate(quarter, third, 256), BEHIND),
        ("rate -1/3: T^-1/4 / log T, 1024 runs", OPEN, NONE, v.rate(quarter, third, MANY), BEHIND),
        ("rate -1/3: T^-0.23 / log T, 1024 runs", NO, NONE, v.rate(v.power(-0.23) / logs, third, MANY)),
        ("tight -1/3: T^-1/4 / log T, 1024 runs", OPEN, NONE, v.tight(quarter, third, MANY), BEHIND),
        ("level 1: on its way as 1 + 2/log T, 1024 runs", YES, NONE, v.level(1 + 2 / logs, MANY)),
    ]


def _bending(v: View) -> list[Plant]:
    soft = soft_burn_in(v, 0.1, 0.5)
    return [
        ("rate -1/4: soft burn-in until T/10, 1024 runs", YES, NONE, v.rate(soft, -0.25, MANY)),
        ("rate -1/4: approaching as T^-1/8, 1024 runs", YES, NONE, v.rate(approaching(v), -0.25, MANY)),
        ("rate -1/4: log-periodic, 5 %, 1024 runs", YES, NONE, waves(v, -0.25, MANY)),
        ("rate -1/4: log-periodic, 5 %, faster, 1024 runs", YES, NONE, waves(v, -0.25, MANY, frequency=2.0)),
        ("tight -1/4: soft burn-in until T/10, 1024 runs", YES, NONE, v.tight(soft, -0.25, MANY)),
        ("tight -1/4: approaching as T^-1/8, 1024 runs", YES, NONE, v.tight(approaching(v), -0.25, MANY)),
    ]


def _few_waves(v: View) -> list[Plant]:
    """Where a slope over the window is not the exponent, and no number of runs tells: what holds must warn."""
    slow = 2 * np.pi / (1.5 * np.log(10))  # of 1.5 decades
    plants: list[Plant] = []
    for e in (-0.25, -0.19):
        wave = waves(v, e, MANY, 0.1, slow)
        name = f"rate -1/4: T^{e}, a wave of 10 % and 1.5 decades, {MANY} runs"
        plants.append((name, OPEN, NONE, wave, WAVING))
        for factor in (10, 30):
            name = f"rate -1/4: T^{e} in stages x{factor}, {MANY} runs"
            plants.append((name, OPEN, NONE, stages(v, e, MANY, factor), WAVING))
    return plants


def _runs(v: View) -> list[Plant]:
    failing, above = failing_runs(v, 0.01, MANY, at_once=True), rarely_above(v, 0.01, MANY, at_once=True)
    return [
        *(
            (f"rate -1/4: 1 % of the runs stuck, {n} runs", OPEN, NONE, stuck(v, 0.01, n), UNSEEN)
            for n in (8, 64, 256, MANY)  # a fourth of the first looks, of 128 runs, sees none of these
        ),
        ("rate -1/4: 1 % of the runs diverge, 1024 runs", OPEN, NONE, failing_runs(v, 0.01, MANY), UNSEEN),
        *(
            (f"bound: 1 % at 100 times the bound, {n} runs", OPEN, NONE, rarely_above(v, 0.01, n), UNSEEN)
            for n in (64, MANY)
        ),
        ("rate -1/4: 1 % of the runs stuck, 1024 runs at once", NO, NONE, stuck(v, 0.01, MANY, at_once=True)),
        ("rate -1/4: 1 % of the runs diverge, 1024 runs at once", NO, NONE, failing),
        ("bound: 1 % at 100 times the bound, 1024 runs at once", NO, NONE, above),
        ("bound: 1.3 times the bound, the worst 4 % NaN, 256 runs", NO, NONE, largest_fail(v, 0.04, 256)),
        ("rate -1/4: T^-0.19, heavy tails, 256 runs", NO, NONE, heavy(v, -0.19, 256)),
        ("rate -1/4: T^-1/4, heavy tails, 256 runs", YES, NONE, heavy(v, -0.25, 256)),
        ("bound: mean = 1.1 bound, heavy tails, 64 runs", NO, NONE, skewed_bound(v, 1.1, 64, 1.5)),
        ("bound: mean = 1.01 bound, skewed, 24 runs", NO, NONE, skewed_bound(v, 1.01, 24, 0.5)),
    ]


def _fewer(v: View) -> list[Plant]:
    return [
        ("rate -1/4: T^-0.2, 4 runs", NO, NONE, v.rate(v.power(-0.2), -0.25, 4)),
        ("rate -1/4: T^-0.2, 8 runs", NO, NONE, v.rate(v.power(-0.2), -0.25, 8)),
        ("rate -1/4: T^-0.23, 4 runs", YES, NONE, v.rate(v.power(-0.23), -0.25, 4)),
        ("rate -1/4: T^-0.23, 8 runs", YES, NONE, v.rate(v.power(-0.23), -0.25, 8)),
        ("bound: mean = 1.01 bound, skewed, 8 runs", NO, NONE, skewed_bound(v, 1.01, 8, 0.5)),
        ("bound: mean = bound, 4 runs", YES, NONE, skewed_bound(v, 1.0, 4, 0.2)),
    ]
