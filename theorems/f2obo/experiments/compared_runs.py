"""Tables 1 and 2: the deterministic methods on the same two drifting problems, the stochastic ones on a noisy problem.

Table 1: D (H_2,T linear, V_T = 0) and E (V_T of order T^1/2, P_T = 0). Every method uses the upper step gamma = 2/L_F,
because F_t is 9 times smoother than L_F says and x has to settle between two jumps, and the inner step 1/L_g1.
``CHOICES`` lists what the table leaves open. OBBO, AOBO and AF2OBO take parameters from the horizon: each of their
horizons (grid parameter ``until``) has rows of its own, and is read at its end. Table 2: the static sine with noise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from workbench import Batch, Grid, Theorem, over, powers, profile
from workbench.claims import AS_READ, Competition, Method, named

from ...baselines import aobo, fsobo, obbo, ogd, sobbo, sobow, sogd
from ..methods import sf2obo
from ..methods.rounds import stochastic
from ..problems.sine import Jumps, Oscillation, Sine
from .adaptive_runs import until
from .stochastic_runs import COROLLARY, EPSILON, SIGMA
from .study import FAST, K_MAX, STUDY, THEOREM_3_1, THEOREM_3_2, THEOREM_4_1, THEOREM_5_1, Scheduled

CASES = {"oscillation": 0.0, "jumps": 1.0}  # values of the grid parameter ``case``
BY_HORIZON = ("obbo", "aobo", "af2obo")  # methods with parameters that depend on the horizon
WINDOW, INNER = 50, 5  # of SOBBO, L379
CG_GROWTH = 0.01  # SOBOW solves its system with ceil(1 + t/100) products: linear in t, as Table 1 says
CHOICES = (
    f"SOBOW: Q_t = ceil(1 + {CG_GROWTH:g} t), w = 1; OBBO: K = ceil(3 log T), w = 1; AOBO: delta = T^-1/2, "
    "M = ceil(3 log T); F2OBO: tau = 3/4; single loop: tau = 1/3; AF2OBO: tau = 1/2; gamma = 2/L_F throughout"
)


def logarithmic(horizon: Any) -> Any:
    """ceil(3 log T): the O(log T) steps of OBBO and AOBO."""
    return np.ceil(3 * np.log(horizon))


def problem(grid: Grid) -> Sine:
    """D in the rows of case 0, E in those of case 1."""
    d, e, jumps = Oscillation(), Jumps(), grid["case"]
    still = 1.0 - jumps
    return Sine(p=e.p * jumps, a=e.a * jumps, flip=d.flip * still, phi=d.phi * still + e.phi * jumps)


on_both = partial(Scheduled, points=over("case", CASES.values()), instance=problem, part=FAST)
each_horizon = partial(Scheduled, points=until("case", *CASES.values()), instance=problem, part=FAST)
# SOGD's theory needs noise that does not depend on y: omega = 0.
NOISY = Scheduled(
    THEOREM_5_1, "repaired", over("sigma", [SIGMA]), Sine(epsilon=EPSILON, sigma=SIGMA), given=COROLLARY
)


def make(problem: Scheduled, method: Method, horizon: int, runs: int) -> Batch:
    """Instance, start, alpha and gamma are those of one schedule, whatever the method."""
    base = problem(horizon, runs)
    return replace(base, steps=method.steps(base, horizon))


def batch_of(method: Method, horizon: int, runs: int) -> Batch:
    """A row for each case, and for each horizon where the method's parameters depend on it."""
    laid_out = each_horizon if method.name in BY_HORIZON else on_both
    return make(laid_out(THEOREM_3_1, "anytime", given={"tau": 3 / 4}), method, horizon, runs)


def own(theorem: Theorem, form: str, tau: float) -> Callable[[Batch, int], Any]:
    """The Steps of a method of this paper, by its theorem."""

    def steps(base: Batch, T: int) -> Any:
        laid_out = each_horizon if "until" in base.grid.params else on_both
        return laid_out(theorem, form, given={"tau": tau})(T, base.grid.runs).steps

    return steps


def ends(base: Batch) -> Any:
    """(rows, 1): the horizon of each row."""
    return base.grid["until"]


def radius(base: Batch) -> Any:
    """L_f0/mu_g, a bound on the solution of the linear system."""
    constants = base.instance.constants(base.start)
    return constants["L_f0"] / constants["mu_g"]


def samples_per_round(steps: Mapping[str, np.ndarray], horizon: int) -> np.ndarray:
    """(T,): points drawn by SF2OBO in each round, 2 K_t B_t + 2 B^_t, from the algorithm's own sequences."""
    t = np.arange(1.0, horizon + 1)
    K, K_0, b, tau, a = (steps[n].flat[0] for n in ("K", "K_0", "b", "tau", "a"))
    rounds = stochastic(t, K, K_0, b, tau, a, np)
    B, upper = (sf2obo.batch(t, np.asarray(steps[n].flat[0]), np) for n in ("B_2", "B_1"))
    return 2.0 * rounds * B + 2.0 * upper


def samples(steps: Mapping[str, np.ndarray], horizon: int) -> float:
    """Points drawn by SF2OBO up to T."""
    return float(np.sum(samples_per_round(steps, horizon)))


TABLE_1 = Competition(
    STUDY,
    "table-1",
    (
        Method("sobow", "SOBOW", "baselines.sobow", lambda base, T: sobow.Steps(
            alpha=base.steps.alpha, beta=base.steps.gamma, eta=0.5, Q=1.0, Q_1=CG_GROWTH, w=1)),
        Method("obbo", "OBBO", "baselines.obbo", lambda base, T: obbo.Steps(
            alpha=base.steps.alpha, gamma=base.steps.gamma, K=logarithmic(ends(base)), w=1, K_max=int(logarithmic(T)))),
        Method("fsobo", "FSOBO", "baselines.fsobo", lambda base, T: fsobo.Steps(
            alpha=base.steps.alpha, beta=base.steps.alpha, gamma=base.steps.gamma, radius=radius(base))),
        Method("aobo", "AOBO", "baselines.aobo", lambda base, T: aobo.Steps(
            alpha=base.steps.alpha, beta=base.steps.alpha, gamma=base.steps.gamma, delta=ends(base)**-0.5,
            M=logarithmic(ends(base)), K_max=K_MAX)),
        Method("f2obo", "F2OBO", "f2obo", own(THEOREM_3_1, "anytime", 3 / 4)),
        Method("f2obo-sl", "F2OBO-SL", "f2obo", own(THEOREM_3_2, "repaired", 1 / 3)),
        Method("af2obo", "AF2OBO", "af2obo", own(THEOREM_4_1, "repaired", 1 / 2)),
        Method("ogd", "OGD", "baselines.ogd", lambda base, T: ogd.Steps(gamma=base.steps.gamma)),
    ),
    batch_of,
    kind="practical",
)  # fmt: skip
TABLE_2 = Competition(
    STUDY,
    "table-2",
    (
        Method("sobbo", "SOBBO", "baselines.sobbo", lambda base, T: sobbo.Steps(
            alpha=base.steps.alpha, gamma=base.steps.gamma, B=1.0, K=INNER, w=WINDOW)),
        Method("sogd", "SOGD", "baselines.sogd", lambda base, T: sogd.Steps(
            alpha=2 ** (1 / 3) * base.steps.gamma, beta=base.steps.alpha, delta=base.steps.alpha, eta=1.0, c=1.0,
            q=1 / 3, radius=radius(base), B=1.0)),
        Method("sf2obo", "SF2OBO", "sf2obo", lambda base, T: base.steps),
    ),
    partial(make, NOISY),
    kind="practical",
)  # fmt: skip
HORIZON = powers(9, 12, 15)
SIMS = named(
    *TABLE_1.simulations(HORIZON, profile(2, 128, 128), chosen=CHOICES, record=AS_READ),
    *TABLE_2.simulations(
        HORIZON,
        profile(8, 64, 256),
        chosen=f"window {WINDOW}, K = {INNER} (SOBBO); q = 1/3, weights (1 + t)^-2/3 (SOGD); Corollary 5.2",
    ),
)
