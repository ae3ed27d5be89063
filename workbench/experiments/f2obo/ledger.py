"""Runs on which the proof ledger measures the lines of this paper's proofs (`theorems.f2obo.lemmas_*`).

The claims themselves are made from the lemma records. The lines concern every round, early ones included: short runs
with the first twenty rounds recorded. gamma is as large as Lemma C.1 allows, so that x moves.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from workbench.algorithms.f2obo.af2obo import Steps as AdaptiveSteps
from workbench.algorithms.f2obo.f2obo import Steps
from workbench.algorithms.f2obo.sf2obo import Steps as SampledSteps
from workbench.engine.records import Grid
from workbench.experiments.f2obo.study import (
    GAMMA_PART,
    STUDY,
    THEOREM_3_1,
    THEOREM_3_2,
    THEOREM_4_1,
    THEOREM_5_1,
    beginning,
    schedule,
)
from workbench.experiments.records import Batch
from workbench.experiments.study import profile
from workbench.instances.f2obo.sine import Sine

# Tilt, drift, sign changes, jumps: one instance, everything moves or one thing at a time.
MOTIONS = (
    {"p": 0.5, "h": 0.0, "flip": 0.0, "a": 0.0},
    {"p": 0.3, "h": 0.3, "flip": 0.0, "a": 0.5},
    {"p": 0.0, "h": 0.0, "flip": 1.0, "a": 0.0},
    {"p": 0.3, "h": 0.1, "flip": 1.0, "a": 0.5},
)
K_MAX = 2000
SIXTH = 1 / 6


def moving(taus: tuple[float, ...], runs: int) -> tuple[Grid, Sine]:
    grid = Grid([{"tau": tau, **motion} for tau in taus for motion in MOTIONS], runs)
    return grid, Sine(p=grid["p"], h=grid["h"], flip=grid["flip"], a=grid["a"])


def fixed(theorem: object, taus: tuple[float, ...], part: float | None, horizon: int, runs: int) -> Batch:
    """Algorithm 1 with the repaired schedule of Theorem 3.1 (K steps) or 3.2 (one step); gamma = part/L_F, or its own.

    alpha is a quarter of its largest value: at 1/L_g1, K steps take z so near to y* that rounding decides Lemma C.3.
    """
    grid, instance = moving(taus, runs)
    start = beginning(grid)
    free = {"tau": grid["tau"], "T": horizon, "r_alpha": 0.25}
    steps = schedule(theorem, "repaired", instance, start, part, **free)
    return Batch(replace(instance, gamma=steps["gamma"], gamma_p=steps["p"]), Steps(**steps), start, grid)


def adaptive(horizon: int, runs: int) -> Batch:
    """Algorithm 2 with the tolerances of Theorem 4.1."""
    grid, instance = moving((0.5, 1.0), runs)
    start = beginning(grid)
    steps = schedule(THEOREM_4_1, "repaired", instance, start, tau=grid["tau"], T=horizon)
    return Batch(replace(instance, gamma=steps["gamma"]), AdaptiveSteps(**steps, K_max=K_MAX), start, grid)


def stochastic(horizon: int, runs: int) -> Batch:
    """Algorithm 3 with the parameters of Corollary 5.2; noise that cancels in line 10, and noise that does not."""
    grid = Grid([{"omega": omega, "sigma": sigma} for omega in (0.0, 30.0) for sigma in (0.3, 1.0)], runs)
    instance = Sine(epsilon=0.5, p=0.3, sigma=grid["sigma"], omega=grid["omega"])
    start = beginning(grid)
    free = {"tau": SIXTH, "a": 0.0, "b": SIXTH, "B_1": 2 / 3, "B_2": 2 / 3, "T": horizon}
    steps = schedule(THEOREM_5_1, "repaired", instance, start, GAMMA_PART, **free)
    return Batch(replace(instance, gamma=steps["gamma"]), SampledSteps(**steps), start, grid)


FEW = profile(4, 8, 32)
# The noise of (E.1) is heavy-tailed: 100 runs leave p = 0.04, 400 runs p < 1e-9.
MANY = profile(400, 400, 1000)
LENGTH, SHORT = profile(256, 1024, 8192), profile(128, 512, 2048)
MANY_TAUS, FEW_TAUS = (0.25, 0.5, 1.0), (0.1, 0.25, 0.45)  # Theorem 3.1, Theorem 3.2
OWN = "every parameter from the theorem, alpha a quarter of its largest value; starts drawn from [0.3, 0.9]"

watched = partial(STUDY.watched, marks=tuple(range(1, 22)))

SIMULATIONS = (
    watched(
        "multi", "F2OBO, lines of its proof", "f2obo", partial(fixed, THEOREM_3_1, MANY_TAUS, GAMMA_PART), LENGTH, FEW,
        "rounds",
    ),
    watched(
        "single", "F2OBO, single loop, lines of its proof", "f2obo", partial(fixed, THEOREM_3_2, FEW_TAUS, GAMMA_PART),
        LENGTH, FEW, "rounds",
    ),
    watched(
        "multi-slow", "F2OBO at the theorem's gamma, lines of its proof", "f2obo",
        partial(fixed, THEOREM_3_1, MANY_TAUS, None), LENGTH, FEW, "rounds", kind="compliant", chosen=OWN,
    ),
    watched(
        "single-slow", "F2OBO, single loop, at the theorem's gamma, lines of its proof", "f2obo",
        partial(fixed, THEOREM_3_2, FEW_TAUS, None), LENGTH, FEW, "rounds", kind="compliant", chosen=OWN,
    ),
    watched("adaptive", "AF2OBO, lines of its proof", "af2obo", adaptive, LENGTH, FEW, "adaptive"),
    watched("stochastic", "SF2OBO, lines of its proof", "sf2obo", stochastic, SHORT, MANY, "stochastic"),
)  # fmt: skip
