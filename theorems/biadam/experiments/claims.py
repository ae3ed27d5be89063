"""Claims about Theorems 1-4 on TRIG, BENT and COUPLED: exponents, constants, bounds, rates, levels."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from workbench import LONG, Claimed, Theorem, as_recorded, evidence
from workbench.claims import Constants, Level, Reading, Readings, exponents, law_exponents

from . import levels, runs
from .study import (
    BENT,
    CASES,
    COMPLIANT,
    COUPLED,
    LEVELS,
    MULTIPLICATIVE,
    STUDY,
    THEOREM_1,
    THEOREM_2,
    THEOREM_3,
    THEOREM_4,
    TUNED,
    known_rising,
)

SIMS = runs.SIMS
ALL = (THEOREM_1, THEOREM_2, THEOREM_3, THEOREM_4)
START = {"x": np.array([[1.0, 0.4]]), "y": np.array([[1.0, -0.2]])}
INSTANCES = (  # with the theorem that lists the claim about its constants: all four use each of them
    ("TRIG, tuned", TUNED, THEOREM_1),
    ("TRIG, multiplicative noise", MULTIPLICATIVE, THEOREM_2),
    ("TRIG, compliant", COMPLIANT, THEOREM_1),
    ("TRIG, compliant, nonconvex", replace(COMPLIANT, a=0.04, theta=2.0, s_x=0.03), THEOREM_2),
    ("BENT", BENT, THEOREM_3),
    ("COUPLED", COUPLED, THEOREM_4),
)
GRADIENT, ERROR, LOWER = "grad_norm_mean", "error_w_mean", "dist_y_mean"

# ------------------------------------------------------------------------------------------------------- rates


# Where no window has its slopes within half of 0.03 at the default horizon (rule 4).
TOLERANCES = {
    ("coupled-vr", "error_w_mean"): 0.05,
    ("coupled-vr", "grad_norm_mean"): 0.06,
    ("adaptive-vr", "grad_norm_mean"): 0.06,
}


def reading(theorem: Theorem, name: str, metric: str = "metric_mean", **more: Any) -> Reading:
    """The rate of the theorem on a simulation, by its name."""
    tol = TOLERANCES.get((name, metric), evidence.TOL)
    given = {"metric": metric, "tol": tol, "drift_tol": 2 * tol, **more}
    return STUDY.reading(theorem, SIMS[name], case="rate", **given)


WIDE = ("bent", "coupled", "adaptive")  # instances and matrices besides the first, decided in longer profiles
FIRST = Readings(reading(THEOREM_1, name) for name in ("trig", "noisy"))
FIRST_PARTS = Readings(
    reading(THEOREM_1, name, metric) for name in ("trig", "noisy") for metric in (ERROR, LOWER)
)
FIRST_WIDE = Readings(reading(THEOREM_1, name, profiles=LONG) for name in (*WIDE, "boxed"))
THIRD = Readings(reading(THEOREM_3, name, GRADIENT) for name in ("trig", "noisy"))
THIRD_WIDE = Readings(reading(THEOREM_3, name, GRADIENT, profiles=LONG) for name in WIDE)
SECOND = Readings(reading(THEOREM_2, f"{name}-vr") for name in ("trig", "noisy"))
SETTLED = Readings((reading(THEOREM_2, "settled-vr", profiles=LONG),))
SECOND_PARTS = Readings(
    reading(THEOREM_2, f"{name}-vr", metric) for name in ("trig", "noisy") for metric in (ERROR, LOWER)
)
SECOND_WIDE = Readings(reading(THEOREM_2, f"{name}-vr", ERROR, profiles=LONG) for name in (*WIDE, "boxed"))
FOURTH = Readings(reading(THEOREM_4, f"{name}-vr", GRADIENT, profiles=LONG) for name in ("trig", "noisy"))
FOURTH_WIDE = Readings(reading(THEOREM_4, f"{name}-vr", GRADIENT, profiles=LONG) for name in WIDE)
# Where the box is active the gradient mapping falls faster than any power: its sum converges.
SUMMABLE = Claimed(-1.0, "the sum over t converges where the box is active")
MAPPED = Readings(
    reading(theorem, name, "mapping_mean", profiles=LONG)
    for theorem, name in ((THEOREM_1, "boxed"), (THEOREM_2, "boxed-vr"))
)
INSIDE = Readings(
    reading(theorem, name, "mapping_mean", profiles=LONG)
    for theorem, name in ((THEOREM_1, "wide"), (THEOREM_2, "wide-vr"))
)
SUMS = MAPPED.but(claimed=SUMMABLE, view=as_recorded)
ATTAINED = (
    INSIDE
    + FIRST
    + FIRST_PARTS
    + FIRST_WIDE
    + THIRD
    + THIRD_WIDE
    + SECOND_PARTS
    + SECOND_WIDE
    + FOURTH
    + FOURTH_WIDE
)

# ------------------------------------------------------------------------------------------------------ levels

SQUARED = (  # metric, theorem (first method, second), of x, of y itself, level (first, second)
    ("grad_sq_mean", (THEOREM_3, THEOREM_4), True, False, (levels.first_gradient, levels.second_gradient)),
    ("error_w_sq_mean", (THEOREM_1, THEOREM_2), True, False, (levels.first_error, levels.second_error)),
    ("w_sq_mean", (THEOREM_1, THEOREM_2), True, False, (levels.first_momentum, levels.second_momentum)),
    ("error_v_sq_mean", (THEOREM_1, THEOREM_2), False, False, (levels.first_error, levels.second_error)),
    ("dist_y_sq_mean", (THEOREM_1, THEOREM_2), False, True, (levels.first_gradient, levels.second_gradient)),
)


RTOL = {  # else 0.03 (rules 3 and 4)
    ("levels", "grad_sq_mean"): 0.05,
    ("levels", "dist_y_sq_mean"): 0.05,
    ("levels-vr", "grad_sq_mean"): 0.06,
    ("levels-vr", "error_w_sq_mean"): 0.05,
    ("levels-vr", "w_sq_mean"): 0.05,
    ("levels-vr", "error_v_sq_mean"): 0.05,
    ("levels-vr", "dist_y_sq_mean"): 0.06,
}


def level_claims() -> tuple[Level, ...]:
    """Of x at each grid point, of y at the first: its constants are not in the grid."""
    claims_of_levels: list[Level] = []
    for n, (name, power) in enumerate((("levels", 1 / 2), ("levels-vr", 1 / 3))):
        for metric, theorems, upper, divide, shares in SQUARED:
            squared = Claimed(2 * float(theorems[n].case("rate").claimed), "twice that of the case rate")
            formula = levels.running(shares[n], power, upper, divide)
            shown = STUDY.readings(
                theorems[n], SIMS[name], LEVELS if upper else LEVELS[:1], claimed=squared, metric=metric,
                known=levels.steps_of, profiles=LONG,
            )  # fmt: skip
            claims_of_levels += shown.level(formula, "stationary level", RTOL.get((name, metric), 0.03))
    return tuple(claims_of_levels)


LEVEL_CLAIMS = level_claims()

# ------------------------------------------------------------------------------------------------------ bounds

BY_CASE = tuple({"theta": case["theta"]} for case in CASES.values())
BOUNDS = {
    theorem.key: tuple(
        STUDY.bound(theorem, form.name, SIMS[name], *metric, points=BY_CASE)
        for name in names
        for form in theorem.forms
    )
    for theorem, names, metric in (
        (THEOREM_1, ("compliant", "compliant-adaptive"), ()),
        (THEOREM_2, ("compliant-vr", "compliant-adaptive-vr"), ()),
        (THEOREM_3, ("compliant", "compliant-adaptive"), (GRADIENT,)),
        (THEOREM_4, ("compliant-vr", "compliant-adaptive-vr"), (GRADIENT,)),
    )
}

TIGHT = (*ATTAINED.tight(), *SETTLED.tight(), *SECOND.but(profiles=LONG).tight(), *SUMS.tight())
# b_t of (5) starts far below its later values: the weight b_1 in G and M is too small (O-2).
RISING = tuple(
    STUDY.bound(
        theorem, "printed", SIMS[name], known=known_rising, expected="violated", note="O-2", profiles=LONG
    )
    for theorem, name in ((THEOREM_1, "rising"), (THEOREM_2, "rising-vr"))
)

CLAIMS = (
    *(claim for theorem in ALL for claim in exponents(theorem)),
    *(claim for theorem in ALL for claim in law_exponents(theorem, {}, {})),
    *(Constants(theorem, label, partial(replace, i), START) for label, i, theorem in INSTANCES),
    *(bound for bounds in BOUNDS.values() for bound in bounds),
    *RISING,
    *TIGHT,
    *(FIRST + SECOND + SETTLED + THIRD + FOURTH).rate(),
    *(MAPPED.but(view=as_recorded)).rate(),
    *LEVEL_CLAIMS,
)
