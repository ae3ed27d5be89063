"""Tables 1 and 2: every method on the same two drifting problems, and the stochastic ones on the same noisy one.

Table 1: D (H_2,T linear, V_T = 0) and E (V_T of order T^1/2, P_T = 0). Every method moves x with gamma = 2/L_F (F_t is
9 times smoother than L_F says, and a jump must be over before the next) and the inner variable with 1/L_g1; what the
tables leave open is said in ``CHOICES``. Table 2: the static sine with noise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from workbench.algorithms.baselines import aobo, fsobo, obbo, ogd, sobbo, sobow, sogd
from workbench.algorithms.f2obo import sf2obo
from workbench.algorithms.f2obo.rounds import stochastic
from workbench.engine.records import Grid
from workbench.experiments.f2obo.stochastic_runs import COROLLARY, EPSILON, SIGMA
from workbench.experiments.f2obo.study import (
    FAST,
    GAMMA_PART,
    K_MAX,
    STEPS,
    THEOREM_3_1,
    THEOREM_3_2,
    THEOREM_4_1,
    THEOREM_5_1,
    beginning,
    constants,
    schedule,
    simulation,
)
from workbench.experiments.records import Batch
from workbench.experiments.study import powers, profile
from workbench.instances.f2obo.sine import Jumps, Oscillation, Sine

# Methods of the tables, and of figure 1 and table 3 -> module of the algorithm.
DETERMINISTIC = {
    "sobow": "baselines.sobow",
    "obbo": "baselines.obbo",
    "fsobo": "baselines.fsobo",
    "aobo": "baselines.aobo",
    "f2obo": "f2obo.f2obo",
    "f2obo-sl": "f2obo.f2obo",
    "af2obo": "f2obo.af2obo",
}
TABLE_1 = {**DETERMINISTIC, "ogd": "baselines.ogd"}
STOCHASTIC = {"sobbo": "baselines.sobbo", "sogd": "baselines.sogd", "sf2obo": "f2obo.sf2obo"}
CASES = {"oscillation": 0.0, "jumps": 1.0}  # values of the grid parameter ``case``
OURS = {  # method -> theorem, form, tau
    "f2obo": (THEOREM_3_1, "anytime", 3 / 4),
    "f2obo-sl": (THEOREM_3_2, "repaired", 1 / 3),
    "af2obo": (THEOREM_4_1, "repaired", 1 / 2),
}
WINDOW, INNER = 50, 5  # of SOBBO, L379
CG_GROWTH = 0.01  # SOBOW solves its system with ceil(1 + t/100) products: linear in t, as its entry needs
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
    """Table 1: the paper's methods by their theorems, the others with the same step sizes."""
    grid = Grid([{"case": case} for case in CASES.values()], runs)
    instance, start = problem(grid), beginning(grid)
    theorem, form, tau = OURS.get(name, OURS["f2obo"])
    steps = schedule(theorem, form, instance, start, FAST, tau=tau, T=horizon)
    alpha, gamma = steps["alpha"], steps["gamma"]
    inner, known = {"alpha": alpha, "beta": alpha}, constants(instance, start)
    logs = logarithmic(horizon)
    theirs = {
        "sobow": lambda: sobow.Steps(alpha=alpha, beta=gamma, eta=0.5, Q=1.0, Q_1=CG_GROWTH, w=1),
        "obbo": lambda: obbo.Steps(alpha=alpha, gamma=gamma, K=logs, w=1),
        "fsobo": lambda: fsobo.Steps(**inner, gamma=gamma, radius=known["L_f0"] / known["mu_g"]),
        "aobo": lambda: aobo.Steps(**inner, gamma=gamma, delta=horizon**-0.5, M=logs, K_max=K_MAX),
        "ogd": lambda: ogd.Steps(gamma=gamma),
    }
    made = theirs[name]() if name in theirs else STEPS[theorem.key](**steps)
    return Batch(replace(instance, gamma=gamma), made, start, grid)


def noisy(name: str, horizon: int, runs: int) -> Batch:
    """Table 2: the static sine with additive noise (SOGD's theory needs noise without a derivative), sigma = 0.5."""
    grid = Grid([{"sigma": SIGMA}], runs)
    instance, start = Sine(epsilon=EPSILON, sigma=SIGMA), beginning(grid)
    known = constants(instance, start)
    steps = schedule(THEOREM_5_1, "repaired", instance, start, GAMMA_PART, T=horizon, **COROLLARY)
    gamma, alpha = steps["gamma"], steps["alpha"]
    fixed = {"eta": 1.0, "c": 1.0, "q": 1 / 3, "radius": known["L_f0"] / known["mu_g"], "B": 1.0}
    made = {
        "sobbo": lambda: sobbo.Steps(alpha=alpha, gamma=gamma, B=1.0, K=INNER, w=WINDOW),
        "sogd": lambda: sogd.Steps(alpha=2 ** (1 / 3) * gamma, beta=alpha, delta=alpha, **fixed),
        "sf2obo": lambda: sf2obo.Steps(**steps),
    }
    return Batch(replace(instance, gamma=gamma), made[name](), start, grid)


def samples(steps: Mapping[str, np.ndarray], horizon: int) -> float:
    """Points drawn by SF2OBO up to T: 2 K_t B_t + 2 B^_t a round, by the algorithm's own sequences."""
    t = np.arange(1.0, horizon + 1)
    K, K_0, b, tau, a = (steps[n].flat[0] for n in ("K", "K_0", "b", "tau", "a"))
    rounds = stochastic(t, K, K_0, b, tau, a, np)
    B, upper = (sf2obo.batch(t, np.asarray(steps[n].flat[0]), np) for n in ("B_2", "B_1"))
    return float(np.sum(2 * rounds * B + 2 * upper))


HORIZON = powers(9, 12, 15)

SIMULATIONS = (
    *(
        simulation(f"table-1-{name}", f"Table 1, {name}", algorithm, partial(deterministic, name), HORIZON,
                   profile(2, 24, 24), chosen=CHOICES)
        for name, algorithm in TABLE_1.items()
    ),
    *(
        simulation(f"table-2-{name}", f"Table 2, {name}", algorithm, partial(noisy, name), HORIZON,
                   profile(8, 64, 256),
                   chosen=f"window {WINDOW}, K = {INNER} (SOBBO); q = 1/3, weights (1 + t)^-2/3 (SOGD); Corollary 5.2")
        for name, algorithm in STOCHASTIC.items()
    ),
)  # fmt: skip
