"""Are the constants of the witnesses right? One claim for each theorem, on the instance that shows its rate."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

from theorems.ir_cg.absolute import THEOREM as ABSOLUTE
from workbench import evidence
from workbench.experiments.claims import Custom, Results
from workbench.experiments.ir_cg import study
from workbench.experiments.ir_cg.sampled import NEAR, quotients
from workbench.instances.ir_cg.least_norm import hadamard_least_norm
from workbench.instances.ir_cg.nonconvex import SaddleComponents, SaddleOuter
from workbench.instances.ir_cg.witness import Exponential, HuberCosh, SpreadComponents

# Bounds that no point need attain: the noise of least norm, whose worst residual and sample do not meet.
LOOSE = {"LS": {"sigma_g"}}
NOISE = 0.05
WITNESSES: tuple[tuple[str, Callable[[], Any], int, tuple[Any, ...]], ...] = (
    ("HC", HuberCosh, 2, (study.OUTER_1, study.THEOREM_3)),
    ("EXP", partial(Exponential, b=NOISE), 1, (study.INNER_1, study.INNER_2)),
    ("FS-EXP", partial(SpreadComponents, n=study.Q**2), 2, (study.OUTER_2,)),
    ("LS", hadamard_least_norm, 8, (study.THEOREM_4, ABSOLUTE)),
    ("NC", SaddleOuter, 3, (study.OUTER_5, study.INNER_5, study.OUTER_OWN, study.INNER_OWN)),
    (
        "NC, finite sum",
        partial(SaddleComponents, n=study.Q**2),
        3,
        (study.OUTER_6, study.INNER_6, study.OUTER_OWN_FS, study.INNER_OWN_FS),
    ),
)


def constants(name: str, make: Callable[[], Any], d: int, _: Results) -> evidence.Finding:
    """Violated by one quotient above 1; else the constant that sampling reached least decides."""
    ratios = quotients(make(), d)
    largest = max(ratios, key=lambda n: ratios[n])
    reached = {n: r for n, r in ratios.items() if n not in LOOSE.get(name, ())}
    shown = largest if ratios[largest] > 1.0 + 1e-9 else min(reached, key=lambda n: reached[n])
    finding = evidence.assumptions([ratios[shown]], near=NEAR)
    return dataclasses.replace(
        finding, runs=len(ratios), note=f"{shown} is furthest from its sampled quotient; {finding.note}"
    )


CLAIMS = tuple(
    Custom(theorem.key, "assumptions", f"constants of {name}", partial(constants, name, make, d))
    for name, make, d, theorems in WITNESSES
    for theorem in theorems
)
