"""Tables 1 and 2: every method on the same two drifting problems, and the stochastic ones on the same noisy one.

Table 1: D (H_2,T linear, V_T = 0) and E (V_T of order T^1/2, P_T = 0). Every method moves x with gamma = 2/L_F (F_t is
9 times smoother than L_F says, and a jump must be over before the next) and the inner variable with 1/L_g1; what the
tables leave open is said in ``CHOICES``. Table 2: the static sine with noise.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from workbench.algorithms.f2obo import sf2obo
from workbench.algorithms.f2obo.rounds import stochastic
from workbench.engine.records import Grid
from workbench.experiments.f2obo.stochastic_runs import COROLLARY, EPSILON, FAST, SIGMA
from workbench.experiments.f2obo.study import (
    GAMMA_PART,
    STUDY,
    THEOREM_3_1,
    THEOREM_3_2,
    THEOREM_4_1,
    THEOREM_5_1,
    beginning,
    constants,
    schedule,
)
from workbench.experiments.records import Batch
from workbench.experiments.study import powers, profile
from workbench.instances.f2obo.sine import Jumps, Oscillation, Sine

CASES = {"oscillation": 0.0, "jumps": 1.0}  # values of the grid parameter ``case``
WINDOW, INNER = 50, 5  # of SOBBO, L379
CG_GROWTH = (
    0.01  # SOBOW solves its system with ceil(1 + t/100) products: linear in t, as its table entry needs
)
CHOICES = (
    f"SOBOW: Q_t = ceil(1 + {CG_GROWTH:g} t), w = 1; OBBO: K = ceil(3 log T), w = 1; AOBO: delta = T^-1/2, "
    "M = ceil(3 log T); F2OBO: tau = 3/4; single loop: tau = 1/3; AF2OBO: tau = 1/2; gamma = 2/L_F throughout"
)


def logarithmic(horizon: int) -> int:
    """ceil(3 log T): the O(log T) steps of OBBO and AOBO."""
    return math.ceil(3 * math.log(horizon))


def problem(grid: Grid) -> Sine:
    """D in the rows of case 0, E in those of case 1."""
    d, e, jumps = Oscillation(), Jumps(), grid["case"]
    still = 1.0 - jumps
    return Sine(p=e.p * jumps, a=e.a * jumps, flip=d.flip * still, phi=d.phi * still + e.phi * jumps)


def deterministic(name: str, horizon: int, runs: int) -> Batch:
    grid = Grid([{"case": case} for case in CASES.values()], runs)
    instance, start = problem(grid), beginning(grid)
    steps = TABLE_1[name][1](instance, start, horizon)
    gamma = schedule(THEOREM_3_1, "repaired", instance, start, FAST, tau=0.75, T=horizon)["gamma"]
    return Batch(replace(instance, gamma=gamma), _steps(TABLE_1[name][0], steps), start, grid)


def _steps(algorithm: str, values: Mapping[str, Any]) -> Any:
    return importlib.import_module(f"workbench.algorithms.{algorithm}").Steps(**values)


def _common(instance: Sine, start: Mapping[str, Any], horizon: int) -> dict[str, Any]:
    """alpha = 1/L_g1, gamma = FAST/L_F and the radius L_f0/mu_g of the linear system's solution."""
    steps = schedule(THEOREM_3_1, "repaired", instance, start, FAST, tau=0.75, T=horizon)
    known = constants(instance, start)
    return {"alpha": steps["alpha"], "gamma": steps["gamma"], "radius": known["L_f0"] / known["mu_g"]}


def sobow(instance: Sine, start: Mapping[str, Any], horizon: int) -> dict[str, Any]:
    c = _common(instance, start, horizon)
    return {"alpha": c["alpha"], "beta": c["gamma"], "eta": 0.5, "Q": 1.0, "Q_1": CG_GROWTH, "w": 1}


def obbo(instance: Sine, start: Mapping[str, Any], horizon: int) -> dict[str, Any]:
    c = _common(instance, start, horizon)
    return {"alpha": c["alpha"], "gamma": c["gamma"], "K": logarithmic(horizon), "w": 1}


def fsobo(instance: Sine, start: Mapping[str, Any], horizon: int) -> dict[str, Any]:
    c = _common(instance, start, horizon)
    return {"alpha": c["alpha"], "beta": c["alpha"], "gamma": c["gamma"], "radius": c["radius"]}


def aobo(instance: Sine, start: Mapping[str, Any], horizon: int) -> dict[str, Any]:
    c = _common(instance, start, horizon)
    steps = {"delta": horizon**-0.5, "M": logarithmic(horizon), "K_max": 2000}
    return {"alpha": c["alpha"], "beta": c["alpha"], "gamma": c["gamma"], **steps}


def ogd(instance: Sine, start: Mapping[str, Any], horizon: int) -> dict[str, Any]:
    return {"gamma": _common(instance, start, horizon)["gamma"]}


def f2obo(instance: Sine, start: Mapping[str, Any], horizon: int) -> dict[str, Any]:
    return schedule(THEOREM_3_1, "anytime", instance, start, FAST, tau=0.75, T=horizon)


def single_loop(instance: Sine, start: Mapping[str, Any], horizon: int) -> dict[str, Any]:
    return schedule(THEOREM_3_2, "repaired", instance, start, FAST, tau=1 / 3, T=horizon)


def af2obo(instance: Sine, start: Mapping[str, Any], horizon: int) -> dict[str, Any]:
    return {**schedule(THEOREM_4_1, "repaired", instance, start, FAST, tau=0.5, T=horizon), "K_max": 2000}


Maker = Callable[[Sine, Mapping[str, Any], int], dict[str, Any]]
TABLE_1: dict[str, tuple[str, Maker]] = {  # name -> (algorithm, its Steps)
    "sobow": ("baselines.sobow", sobow),
    "obbo": ("baselines.obbo", obbo),
    "fsobo": ("baselines.fsobo", fsobo),
    "aobo": ("baselines.aobo", aobo),
    "f2obo": ("f2obo.f2obo", f2obo),
    "f2obo-sl": ("f2obo.f2obo", single_loop),
    "af2obo": ("f2obo.af2obo", af2obo),
    "ogd": ("baselines.ogd", ogd),
}


def noisy(name: str, horizon: int, runs: int) -> Batch:
    """Table 2: the static sine with additive noise (SOGD's theory needs noise without a derivative), sigma = 0.5."""
    grid = Grid([{"sigma": SIGMA}], runs)
    instance, start = Sine(epsilon=EPSILON, sigma=SIGMA), beginning(grid)
    known = constants(instance, start)
    steps: dict[str, Any] = schedule(
        THEOREM_5_1, "repaired", instance, start, GAMMA_PART, T=horizon, **COROLLARY
    )
    gamma, alpha = steps["gamma"], steps["alpha"]
    if name == "sobbo":
        steps = {"alpha": alpha, "gamma": gamma, "B": 1.0, "K": INNER, "w": WINDOW}
    if name == "sogd":
        fixed = {"eta": 1.0, "c": 1.0, "q": 1 / 3, "radius": known["L_f0"] / known["mu_g"], "B": 1.0}
        steps = {"alpha": 2 ** (1 / 3) * gamma, "beta": alpha, "delta": alpha, **fixed}
    return Batch(replace(instance, gamma=gamma), _steps(TABLE_2[name], steps), start, grid)


TABLE_2 = {"sobbo": "baselines.sobbo", "sogd": "baselines.sogd", "sf2obo": "f2obo.sf2obo"}


def samples(steps: Mapping[str, np.ndarray], horizon: int) -> float:
    """Points drawn by SF2OBO up to T: 2 K_t B_t + 2 B^_t a round, by the algorithm's own sequences."""
    t = np.arange(1.0, horizon + 1)
    K, K_0, b, tau, a = (steps[n].flat[0] for n in ("K", "K_0", "b", "tau", "a"))
    rounds = stochastic(t, K, K_0, b, tau, a, np)
    B, upper = (sf2obo.batch(t, np.asarray(steps[n].flat[0]), np) for n in ("B_2", "B_1"))
    return float(np.sum(2 * rounds * B + 2 * upper))


HORIZON = powers(9, 12, 15)
RUNS = profile(2, 24, 24)

SIMULATIONS = (
    *(
        STUDY.simulation(f"table-1-{name}", f"Table 1, {name}", algorithm, partial(deterministic, name), HORIZON, RUNS,
                   chosen=CHOICES)
        for name, (algorithm, _) in TABLE_1.items()
    ),
    *(
        STUDY.simulation(f"table-2-{name}", f"Table 2, {name}", algorithm, partial(noisy, name), HORIZON,
                   profile(8, 64, 256),
                   chosen=f"window {WINDOW}, K = {INNER} (SOBBO); q = 1/3, weights (1 + t)^-2/3 (SOGD); Corollary 5.2")
        for name, algorithm in TABLE_2.items()
    ),
)  # fmt: skip
