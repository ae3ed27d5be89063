"""Simulations of BiAdam and VR-BiAdam on TRIG, and negative controls."""

from __future__ import annotations

from functools import partial

from workbench.experiments.biadam.study import (
    LONGER,
    MULTIPLICATIVE,
    STUDY,
    THEOREM_1,
    THEOREM_2,
    TUNED,
    compliant,
    tuned,
)
from workbench.experiments.records import Mutation
from workbench.experiments.study import powers, profile

LENGTH, RUNS = powers(14, 16, 18), profile(1024, 2048, 4096)
BOUND_LENGTH, BOUND_RUNS = powers(12, 15, 20), profile(16, 16, 32)

on_first, on_second = partial(tuned, THEOREM_1, TUNED), partial(tuned, THEOREM_2, TUNED)
noisy_first = partial(tuned, THEOREM_1, MULTIPLICATIVE, **LONGER)
noisy_second = partial(tuned, THEOREM_2, MULTIPLICATIVE, **LONGER)
HEAVY = Mutation("constant momentum 0.3", "alpha, beta", becomes="0.3, 0.3")
FRESH = Mutation("fresh samples at the old point", "old", part="xi", becomes="draw(4)")
LIMITS = "all parameters at the limits of the repaired conditions; A_t = I, b_t = 1"

SIMULATIONS = (
    STUDY.simulation("trig", "BiAdam on TRIG", "biadam", on_first, LENGTH, RUNS),
    STUDY.simulation("trig-vr", "VR-BiAdam on TRIG", "vr_biadam", on_second, LENGTH, RUNS),
    STUDY.simulation("noisy", "BiAdam on TRIG, multiplicative noise", "biadam", noisy_first, LENGTH, RUNS),
    STUDY.simulation(
        "noisy-vr", "VR-BiAdam on TRIG, multiplicative noise", "vr_biadam", noisy_second, LENGTH, RUNS
    ),
    STUDY.simulation(
        "compliant", "BiAdam on TRIG, Theorem 1", "biadam", partial(compliant, THEOREM_1), BOUND_LENGTH,
        BOUND_RUNS, kind="compliant", chosen=LIMITS,
    ),
    STUDY.simulation(
        "compliant-vr", "VR-BiAdam on TRIG, Theorem 2", "vr_biadam", partial(compliant, THEOREM_2), BOUND_LENGTH,
        BOUND_RUNS, kind="compliant", chosen=LIMITS,
    ),
    STUDY.simulation(
        "trig-heavy", "BiAdam on TRIG, constant momentum", "biadam", on_first, LENGTH, RUNS, mutation=HEAVY
    ),
    STUDY.simulation(
        "noisy-fresh", "VR-BiAdam on TRIG, fresh samples", "vr_biadam", noisy_second, LENGTH, RUNS, mutation=FRESH
    ),
)  # fmt: skip
