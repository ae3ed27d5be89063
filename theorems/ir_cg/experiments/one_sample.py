"""Simulations of IR-SCG (Theorems 1, 3, 5) on the witnesses, and its negative controls."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sympy import Expr, Symbol

from workbench import Grid
from workbench.claims import AS_READ, Mutation, Simulation, named, profile

from ..problems.least_norm import hadamard_least_norm
from ..problems.nonconvex import SaddleOuter
from ..problems.witness import Exponential, HuberCosh
from ..theory.theorems_3_4 import LOGARITHM, t
from .study import INNER_OWN, ONE_SAMPLE_P, OUTER_1, OUTER_5, STUDY, Make, at_p, batch

LEVEL_NOISE = 0.05
SMALL_VARSIGMA = 0.3  # least norm: m sigma_t is small from the start, so that the powers of t are visible
WRONG_P = 0.6  # outside (0, 1/2)
WIDE = 9  # coordinates: the inner gap of a single one varies too much between runs
EACH_P, SLOW, MIDDLE = at_p(*ONE_SAMPLE_P), at_p(0.1), at_p(0.25)


def vertex(grid: Grid, d: int) -> np.ndarray:
    """The first unit vector."""
    return np.tile(np.eye(d)[:1], (grid.rows, 1))


noisy_exp = partial(Exponential, b=LEVEL_NOISE)
on_hc = partial(batch, OUTER_1, HuberCosh, 2)
on_exp = partial(batch, OUTER_1, noisy_exp, 1)
on_least_norm = partial(
    batch, OUTER_1, hadamard_least_norm, 8, points=EACH_P, start=vertex, at={"varsigma": SMALL_VARSIGMA}
)
on_nc = partial(batch, OUTER_5, SaddleOuter, 3)
hc_middle, exp_middle = partial(on_hc, points=MIDDLE), partial(on_exp, points=MIDDLE)
on_wide = partial(batch, OUTER_1, HuberCosh, WIDE, points=MIDDLE)

PLAIN = Mutation("plain stochastic gradient", "G", becomes="g")
HEAVY = Mutation("constant momentum 0.1", "keep", becomes="0.9")
UNCORRECTED = Mutation("momentum without the correction term", "G", becomes="keep * s.G + (1.0 - keep) * g")
CONSTANT_STEP = Mutation("step not decaying", "x", part="a", becomes="0.1")
CONSTANT_SIGMA = Mutation("sigma constant", "sigma", becomes="s.sigma")


def text_of(sigma: Expr, at: str) -> str:
    """A formula in t as the listings write it, at the iteration that they call ``at``."""
    return f"column({str(sigma.subs(t, Symbol(at, nonnegative=True))).replace('log', 'xp.log')}, x, xp)"


# Theorem 3 is for any sigma_t that its conditions admit: one that falls more slowly than every power.
LOGARITHMIC = Mutation(f"sigma_t = {LOGARITHM.sigma}", "sigma", becomes=text_of(LOGARITHM.sigma, "(t + 1.0)"))
SIGMA_0 = {"varsigma": float(LOGARITHM.sigma.subs(t, 0))}

LENGTH, SHORT = profile(20_000, 100_000, 4_000_000), profile(10_000, 200_000, 1_000_000)
STEP_LENGTH = profile(10_000, 20_000, 200_000)
RUNS, WRONG_RUNS = profile(64, 256, 256), profile(64, 1024, 1024)
MANY, SMOOTH_RUNS = profile(64, 9216, 9216), profile(64, 3072, 3072)


def ir_scg_on(what: str, name: str, make: Make, *size: Any, **more: Any) -> Simulation:
    """size: horizon and runs by profile."""
    return STUDY.simulation_from(name, f"IR-SCG on {what}", "ir_scg", make, *size, **more)


# Another statement in place of the listing's, and no falsifier: the theorem allows it.
ADMITTED: dict[str, Any] = {
    "mutation": LOGARITHMIC,
    "kind": "compliant",
    "chosen": f"sigma_t = {LOGARITHM.sigma}, which the conditions allow",
}

SIMS = named(
    ir_scg_on("HC", "hc", partial(on_hc, points=EACH_P), LENGTH, profile(64, 2304, 9216), record=AS_READ),
    # Two exponents need thousands of runs: each has a simulation of its own, which records little.
    ir_scg_on("HC, p = 1/10", "hc-slow", partial(on_hc, points=SLOW), LENGTH, MANY, record=AS_READ),
    ir_scg_on("HC, p = 1/4", "hc-middle", hc_middle, LENGTH, MANY, record=AS_READ),
    ir_scg_on("EXP", "exp", partial(on_exp, points=EACH_P), LENGTH, RUNS, record=AS_READ),
    ir_scg_on("least norm", "ls", on_least_norm, profile(10_000, 30_000, 1_000_000), RUNS),
    ir_scg_on("NC, Theorem 5", "nc", on_nc, LENGTH, SMOOTH_RUNS, record=AS_READ),
    ir_scg_on(
        "NC, p = 1/5", "nc-own", partial(batch, INNER_OWN, SaddleOuter, 3), LENGTH, SMOOTH_RUNS, record=AS_READ
    ),
    ir_scg_on("EXP, Theorem 5", "exp-5", partial(batch, OUTER_5, noisy_exp, 1), LENGTH, RUNS, record=AS_READ),
    ir_scg_on(
        "EXP, (p, omega) = (1/5, 4/5)", "exp-own", partial(batch, INNER_OWN, noisy_exp, 1), LENGTH, RUNS,
        record=AS_READ,
    ),
    *(
        ir_scg_on(f"{what}, sigma_t = 1/log(t + 3)", name, make, SHORT, RUNS, **ADMITTED)
        for what, name, make in (
            ("HC", "hc-log", partial(hc_middle, at=SIGMA_0)),
            ("EXP", "exp-log", partial(exp_middle, at=SIGMA_0)),
        )
    ),
    ir_scg_on("HC, plain gradients", "hc-plain", hc_middle, SHORT, WRONG_RUNS, mutation=PLAIN, record=AS_READ),
    ir_scg_on("HC, constant momentum", "hc-heavy", hc_middle, SHORT, WRONG_RUNS, mutation=HEAVY),
    ir_scg_on("HC, no correction term", "hc-uncorrected", hc_middle, SHORT, WRONG_RUNS, mutation=UNCORRECTED),
    ir_scg_on(
        "HC, constant step", "hc-step", on_wide, STEP_LENGTH, WRONG_RUNS, mutation=CONSTANT_STEP, record=AS_READ
    ),
    ir_scg_on(
        "EXP, constant sigma", "exp-sigma", exp_middle, SHORT, WRONG_RUNS, mutation=CONSTANT_SIGMA, record=AS_READ
    ),
    ir_scg_on(
        f"HC, p = {WRONG_P:g}", "hc-decay", partial(on_hc, at={"p": 0.25}, p=WRONG_P), SHORT, WRONG_RUNS,
        wrong="p outside (0, 1/2)",
    ),
    ir_scg_on(
        "NC, p = 3/7", "nc-decay", partial(on_nc, p=3 / 7), LENGTH, SMOOTH_RUNS,
        wrong="p = 3/7 where Theorem 5 takes 2/7",
    ),
)  # fmt: skip
