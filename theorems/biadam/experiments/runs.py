"""Simulations of BiAdam and VR-BiAdam on TRIG, BENT and COUPLED."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from workbench.claims import AS_READ, Simulation, always, named, powers, profile

from .study import (
    ADAPTIVE,
    BENT,
    BEYOND,
    BOXED,
    COUPLED,
    DECOUPLED,
    GROWING,
    LEVELS,
    LONGER,
    MANY,
    MULTIPLICATIVE,
    NARROW,
    OF_MEANS,
    SETTLED,
    THEOREM_1,
    THEOREM_2,
    TUNED,
    VARYING,
    WIDE,
    compliant,
    rising,
    swept,
    terms,
    tuned,
)

Size = Mapping[str, int]
LENGTH, RUNS = powers(14, 16, 18), profile(512, 1024, 2048)
SIDE_RUNS = profile(256, 1024, 1024)  # instances besides TRIG
LEVEL_RUNS = profile(256, 3072, 4096)  # extrapolated levels scatter more than slopes
RISING_LENGTH, RISING_K = powers(14, 18, 20), {THEOREM_1.key: 10.0, THEOREM_2.key: 1.0}
RISING_RUNS = always(32)  # all alike, but noise is drawn: of fewer than 24 no verdict is made
BOUND_LENGTH, BOUND_RUNS = powers(12, 15, 20), profile(24, 24, 32)
METHODS = (("BiAdam", "biadam", "", THEOREM_1), ("VR-BiAdam", "vr_biadam", "-vr", THEOREM_2))
GROWING_LENGTHS, GROWING_RUNS = (1 << 10, 1 << 13, 1 << 16), profile(24, 192, 256)
LIMITS = "all parameters at the limits of the repaired conditions"
ACTIVE = replace(BOXED, B=NARROW)


def both(
    what: str, name: str, make: Any, length: Size = LENGTH, runs: Size = RUNS, **more: Any
) -> tuple[Simulation, ...]:
    """One simulation of each method; make: theorem -> (horizon, runs) -> Batch."""
    return tuple(
        OF_MEANS.simulation_from(
            f"{name}{suffix}", f"{title} on {what}", module, make(theorem), length, runs, **more
        )
        for title, module, suffix, theorem in METHODS
    )


def on(instance: Any, **change: Any) -> Any:
    return lambda theorem: partial(tuned, theorem, instance, **change)


def at_limits(**adaptive: Any) -> Any:
    return lambda theorem: partial(compliant, theorem, **adaptive)


def at_rising(theorem: Any) -> Any:
    return partial(rising, theorem, RISING_K[theorem.key])


def at_levels(theorem: Any) -> Any:
    return partial(swept, theorem, DECOUPLED, LEVELS)


def growing(length: int) -> Any:
    """VR-BiAdam up to the horizon ``length``, with the K of the theorem for it."""
    K = terms(length, MANY)
    return OF_MEANS.simulation_from(
        f"growing-{length}", f"VR-BiAdam on TRIG, K = {K} for T = {length}", "vr_biadam",
        partial(tuned, THEOREM_2, TUNED, d=MANY, **GROWING, K=K), always(length), GROWING_RUNS, record=AS_READ,
        chosen=f"gamma = lambda = 2, c_1 = c_2 = 1, m = 64, L_g = 1.5, K = {K} by the theorem",
    )  # fmt: skip


SIMS = named(
    OF_MEANS.simulation_from(
        "settled-vr", "VR-BiAdam on TRIG, small c_2 eta/gamma", "vr_biadam",
        partial(tuned, THEOREM_2, TUNED, d=MANY, **SETTLED), LENGTH, profile(128, 256, 1024), record=AS_READ,
        chosen="A_t = I, b_t = 1; gamma = lambda = 2, c_1 = c_2 = 1, m = 64",
    ),
    *map(growing, GROWING_LENGTHS),
    *both("TRIG", "trig", on(TUNED), record=AS_READ),
    *both("TRIG, multiplicative noise", "noisy", on(MULTIPLICATIVE, **LONGER), record=AS_READ),
    *both("BENT", "bent", on(BENT, **LONGER), runs=SIDE_RUNS, record=AS_READ),
    *both("COUPLED, d = 3", "coupled", on(COUPLED, d=WIDE, K=6, L_g=2.3), runs=SIDE_RUNS, record=AS_READ),
    *both(
        "TRIG, A_t of (4) and b_t of (5)", "adaptive", on(TUNED, **ADAPTIVE), runs=SIDE_RUNS, record=AS_READ,
        chosen="b_t within [1/2, 2]; k, m, c_1, c_2, gamma, lambda chosen so that the rate shows early",
    ),
    *both("TRIG, active box", "boxed", on(ACTIVE), runs=SIDE_RUNS, record=AS_READ),
    *both("TRIG, inactive box", "wide", on(replace(TUNED, B=BEYOND)), runs=SIDE_RUNS, record=AS_READ),
    *both("TRIG without coupling", "levels", at_levels, runs=LEVEL_RUNS, record=()),  # all, and nothing else
    *both(
        "TRIG, all conditions", "compliant", at_limits(), BOUND_LENGTH, BOUND_RUNS, kind="compliant",
        chosen=f"{LIMITS}; A_t = I, b_t = 1",
    ),
    *both(
        "TRIG, all conditions, A_t of (4) and b_t of (5)", "compliant-adaptive", at_limits(**VARYING), BOUND_LENGTH,
        BOUND_RUNS, kind="compliant", chosen=f"{LIMITS}; b_t within [1, 1.1]",
    ),
    *both(
        "a deterministic problem, rising b_t of (5)", "rising", at_rising, RISING_LENGTH, RISING_RUNS, kind="compliant",
        chosen="all parameters at the limits of the printed conditions; beta = 0.9999, b_0 = 1e-6",
    ),
)  # fmt: skip
