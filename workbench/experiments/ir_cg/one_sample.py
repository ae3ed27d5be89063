"""Simulations of IR-SCG (Theorems 1, 3, 5) on the witnesses, and its negative controls."""

from __future__ import annotations

from functools import partial

import numpy as np

from workbench.engine.records import Grid
from workbench.experiments.ir_cg.study import INNER_OWN, ONE_SAMPLE_P, OUTER_1, OUTER_5, STUDY, at_p, batch
from workbench.experiments.records import Mutation
from workbench.experiments.study import profile
from workbench.instances.ir_cg.least_norm import hadamard_least_norm
from workbench.instances.ir_cg.nonconvex import SaddleOuter
from workbench.instances.ir_cg.witness import Exponential, HuberCosh

LEVEL_NOISE = 0.05
SMALL_VARSIGMA = 0.3  # least norm: m sigma_t is small from the start, so that the powers of t show
WRONG_P = 0.6  # outside (0, 1/2)
WIDE = 9  # coordinates where the inner gap of single ones scatters too much
EACH_P, MIDDLE = at_p(*ONE_SAMPLE_P), at_p(0.25)


def vertex(grid: Grid, d: int) -> np.ndarray:
    """The first unit vector."""
    return np.tile(np.eye(d)[:1], (grid.rows, 1))


on_hc = partial(batch, OUTER_1, HuberCosh, 2)
on_exp = partial(batch, OUTER_1, partial(Exponential, b=LEVEL_NOISE), 1)
on_least_norm = partial(
    batch, OUTER_1, hadamard_least_norm, 8, points=EACH_P, start=vertex, at={"varsigma": SMALL_VARSIGMA}
)

PLAIN = Mutation("plain stochastic gradient", "G", becomes="g")
HEAVY = Mutation("constant momentum 0.1", "keep", becomes="0.9")
UNCORRECTED = Mutation("momentum without the correction term", "G", becomes="keep * s.G + (1.0 - keep) * g")
CONSTANT_STEP = Mutation("step not decaying", "x", part="a", becomes="0.1")
CONSTANT_SIGMA = Mutation("sigma constant", "sigma", becomes="s.sigma")

LENGTH, SHORT = profile(20_000, 100_000, 4_000_000), profile(10_000, 200_000, 1_000_000)
RUNS, WRONG_RUNS = profile(64, 96, 200), profile(64, 1024, 1024)
MANY, SMOOTH_RUNS = profile(64, 9216, 9216), profile(64, 3072, 3072)

SIMULATIONS = (
    STUDY.simulation("hc", "IR-SCG on HC", "ir_scg", partial(on_hc, points=EACH_P), LENGTH, MANY),
    STUDY.simulation("exp", "IR-SCG on EXP", "ir_scg", partial(on_exp, points=EACH_P), LENGTH, RUNS),
    STUDY.simulation(
        "ls", "IR-SCG on least norm", "ir_scg", on_least_norm, profile(10_000, 30_000, 1_000_000), RUNS
    ),
    STUDY.simulation(
        "nc", "IR-SCG on NC, Theorem 5", "ir_scg", partial(batch, OUTER_5, SaddleOuter, 3), LENGTH, SMOOTH_RUNS
    ),
    STUDY.simulation(
        "nc-own", "IR-SCG on NC, p = 1/5", "ir_scg", partial(batch, INNER_OWN, SaddleOuter, 3), LENGTH, SMOOTH_RUNS
    ),
    STUDY.simulation(
        "exp-own", "IR-SCG on EXP, (p, omega) = (1/5, 4/5)", "ir_scg",
        partial(batch, INNER_OWN, partial(Exponential, b=LEVEL_NOISE), 1), LENGTH, RUNS,
    ),
    *(
        STUDY.simulation(f"hc-{name}", f"IR-SCG on HC, {what}", "ir_scg", partial(on_hc, points=MIDDLE), SHORT,
                         WRONG_RUNS, mutation=mutation)
        for name, what, mutation in (
            ("plain", "plain gradients", PLAIN),
            ("heavy", "constant momentum", HEAVY),
            ("uncorrected", "no correction term", UNCORRECTED),
        )
    ),
    STUDY.simulation(
        "hc-step", "IR-SCG on HC, constant step", "ir_scg", partial(batch, OUTER_1, HuberCosh, WIDE, points=MIDDLE),
        profile(10_000, 20_000, 200_000), WRONG_RUNS, mutation=CONSTANT_STEP,
    ),
    STUDY.simulation(
        "exp-sigma", "IR-SCG on EXP, constant sigma", "ir_scg", partial(on_exp, points=MIDDLE), SHORT, WRONG_RUNS,
        mutation=CONSTANT_SIGMA,
    ),
    STUDY.simulation(
        "hc-decay", f"IR-SCG on HC, p = {WRONG_P:g}", "ir_scg", partial(on_hc, at={"p": 0.25}, p=WRONG_P), SHORT,
        WRONG_RUNS, wrong="p outside (0, 1/2)",
    ),
    STUDY.simulation(
        "nc-decay", "IR-SCG on NC, p = 3/7", "ir_scg", partial(batch, OUTER_5, SaddleOuter, 3, p=3 / 7), LENGTH,
        SMOOTH_RUNS, wrong="p = 3/7 where Theorem 5 takes 2/7",
    ),
)  # fmt: skip
