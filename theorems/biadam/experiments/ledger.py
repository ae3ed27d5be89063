"""Runs on which the proof ledger measures lines of `theorems/biadam/proof.txt`.

Two kinds. The lines of a single step that hold whatever the noise is need the conditions of their lemmas only: they run
at the limits of Theorem 1, with matrices that adapt, and on a box that is active. The lines in expectation need every
condition of their theorem: b_t = b_u = 1, parameters at the limits of the repaired conditions.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from workbench import Batch, Grid, Theorem, always, profile
from workbench.claims import named

from ..methods import biadam
from ..methods.matrices import MEAN_NORM, MOMENTUM
from ..problems.trig import Trig
from ..theory import theorem_1
from .study import STUDY, THEOREM_1, THEOREM_2, D, compliant

MARKS = tuple(range(1, 41))
RHO, B_LOW, B_HIGH = 0.5, 0.5, 4.0
STEPS: dict[str, Any] = {"k": 4.0, "m": 30.0, "c_1": 0.8, "c_2": 0.8, "K": 4, "rho": RHO}
NOISY = Trig(a=0.5, theta=2.0, s=1.0, c=0.5, h=1.1, sigma_y=0.3, s_x=0.3, s_g=0.4)


def adaptive(bound: float, horizon: int, runs: int) -> Batch:
    """A_t from w_t, b_t by (5) within [b_l, b_u]; gamma and lambda at the limits of Lemmas 9 and 10."""
    grid = Grid([{}], runs)
    start = {"x": grid.full(min(bound, 2.0), D), "y": grid.full(-1.0, D)}
    instance = Trig(**{**vars(NOISY), "B": bound})
    constants = {n: float(np.max(v)) for n, v in instance.constants(start).items()}
    at: dict[str, Any] = {**constants, "T": float(horizon), "sigma": 1.0, "A_rms": 1.0}
    at |= {"rho": RHO, "b_l": B_LOW, "b_u": B_HIGH, "b_1": 1.0, "gamma": 1.0, "lam": 1.0}
    L = theorem_1.THEOREM.constants("repaired", **at, **{n: STEPS[n] for n in ("k", "m", "c_1", "c_2")})["L"]
    first = STEPS["k"] / np.sqrt(STEPS["m"] + 1.0)
    gamma, lam = RHO / (2.0 * L * first), B_LOW / (6.0 * constants["L_g"])
    instance = Trig(**{**vars(instance), "gamma": gamma, "rho": RHO})
    steps = biadam.Steps(
        gamma=gamma, lam=lam, L_g=constants["L_g"], adapt_x=MOMENTUM, adapt_y=MEAN_NORM, epsilon=B_LOW,
        b_low=B_LOW, b_high=B_HIGH, **STEPS,
    )  # fmt: skip
    return Batch(instance, steps, start, grid)


LIMITS = "all parameters at the limits of the repaired conditions; A_t = I, b_t = 1"
OWN = "gamma = rho/(2 L eta_1), lambda = b_l/(6 L_g), A_t and b_t adapt; the other parameters chosen so that all moves"
watched = partial(STUDY.watched, marks=MARKS)
LENGTH, FEW, MANY = profile(64, 1000, 10_000), profile(160, 200, 1000), always(1000)
SHORT = always(41)
AHEAD = 10_000  # the horizon that the lines in expectation have their parameters from: it makes the sums (6) longer


def ahead(theorem: Theorem, horizon: int, runs: int) -> Batch:
    """The first steps of a compliant run to `AHEAD`."""
    return compliant(theorem, AHEAD, runs)


SIMS = named(
    watched(
        "descent", "BiAdam on TRIG, lines of its proof", "biadam", partial(compliant, THEOREM_1), LENGTH, FEW,
        "descent", kind="compliant", chosen=LIMITS,
    ),
    watched(
        "adaptive", "BiAdam on TRIG with adaptive matrices, lines of its proof", "biadam", partial(adaptive, np.inf),
        LENGTH, FEW, "descent", chosen=OWN,
    ),
    watched(
        "boxed", "BiAdam on TRIG in an active box, lines of its proof", "biadam", partial(adaptive, 0.5), LENGTH, FEW,
        "descent", chosen=OWN,
    ),
    watched(
        "momentum", "BiAdam on TRIG, lines in expectation", "biadam", partial(ahead, THEOREM_1), SHORT, MANY,
        "momentum", kind="compliant", chosen=LIMITS,
    ),
    watched(
        "recursive", "VR-BiAdam on TRIG, lines in expectation", "vr_biadam", partial(ahead, THEOREM_2), SHORT, MANY,
        "recursive", kind="compliant", chosen=LIMITS,
    ),
)  # fmt: skip
