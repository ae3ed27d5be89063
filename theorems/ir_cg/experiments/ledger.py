"""Runs on which the proof ledger measures the lines of this paper's proofs
(`theorems/ir_cg/proof.txt`).

The claims are built from the lemma records. Short runs suffice: the lines hold at every iteration, early ones included.
"""

from __future__ import annotations

from functools import partial

from workbench.claims import named, profile

from ..problems.nonconvex import SaddleOuter
from ..problems.witness import Exponential, HuberCosh
from .finite_sum import COMPONENTS, SADDLE
from .study import (
    FINITE_SUM_P,
    ONE_SAMPLE_P,
    OUTER_1,
    OUTER_2,
    OUTER_5,
    OUTER_6,
    OUTER_OWN,
    OUTER_OWN_FS,
    STUDY,
    at_p,
    batch,
    diagonal,
)

# A line of probability 0.9 that holds in every run has p = 0.9^runs; among m lines of the paper it needs p <= 0.005/m.
# 80 runs suffice for m = 20, 160 runs for m = 5000 even if one run violates the line.
RUNS = profile(160, 200, 1000)
HORIZON = profile(1000, 10_000, 100_000)

# HC with additive and multiplicative noise, EXP with little noise and Delta_F = 1.
both_signs = partial(diagonal, low=-1.0)
on_hc = partial(
    batch, OUTER_1, partial(HuberCosh, b=0.3, h=0.3), 3, points=at_p(*ONE_SAMPLE_P), start=both_signs
)
on_exp = partial(batch, OUTER_1, partial(Exponential, b=0.1), 1, points=at_p(*ONE_SAMPLE_P), start=diagonal)
on_fs_exp = partial(batch, OUTER_2, COMPONENTS, 2, points=at_p(*FINITE_SUM_P), start=diagonal)
# One coordinate that starts at the far end: its steps are nearly alpha_t D, so that the error of SPIDER is largest.
on_moving = partial(batch, OUTER_2, COMPONENTS, 1, points=at_p(*FINITE_SUM_P))
on_saddle, on_saddle_own = (
    partial(batch, theorem, SaddleOuter, 3, start=both_signs) for theorem in (OUTER_5, OUTER_OWN)
)
on_saddle_fs, on_saddle_fs_own = (
    partial(batch, theorem, SADDLE, 3, start=diagonal) for theorem in (OUTER_6, OUTER_OWN_FS)
)

SIMS = named(
    *(
        STUDY.watched(name, title, algorithm, make, HORIZON, RUNS, probe, marks=tuple(range(1, 41)))
        for name, title, algorithm, make, probe in (
            ("hc", "IR-SCG on HC, lines of its proof", "ir_scg", on_hc, "one_sample"),
            ("exp", "IR-SCG on EXP, lines of its proof", "ir_scg", on_exp, "one_sample"),
            ("saddle", "IR-SCG on NC, lines of its proof", "ir_scg", on_saddle, "nonconvex"),
            ("components", "IR-FSCG on FS-EXP, lines of its proof", "ir_fscg", on_fs_exp, "finite_sum"),
            (
                "moving",
                "IR-FSCG on FS-EXP without y, lines on its errors",
                "ir_fscg",
                on_moving,
                "finite_sum",
            ),
            ("saddle-fs", "IR-FSCG on NC, lines of its proof", "ir_fscg", on_saddle_fs, "nonconvex_finite"),
            ("saddle-own", "IR-SCG on NC, omega = 4/5", "ir_scg", on_saddle_own, "nonconvex"),
            ("saddle-fs-own", "IR-FSCG on NC, omega = 2/3", "ir_fscg", on_saddle_fs_own, "nonconvex_finite"),
        )
    )
)
