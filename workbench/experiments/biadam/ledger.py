"""Runs on which the proof ledger measures lines of `theorems.biadam.lemmas`: all parameters within the conditions."""

from __future__ import annotations

from functools import partial

from workbench.experiments.biadam.study import STUDY, THEOREM_1, compliant
from workbench.experiments.study import profile

SIMULATIONS = (
    STUDY.watched(
        "descent",
        "BiAdam on TRIG, lines of its proof",
        "biadam",
        partial(compliant, THEOREM_1),
        profile(1000, 10_000, 100_000),
        profile(160, 200, 1000),
        "descent",
        marks=tuple(range(1, 41)),
    ),
)
