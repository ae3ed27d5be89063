"""Claims about Theorems 1-4: exponents, constants, bounds, rates on TRIG, and falsifiers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from workbench.experiments.biadam import runs
from workbench.experiments.biadam.study import (
    COMPLIANT,
    MULTIPLICATIVE,
    STUDY,
    THEOREM_1,
    THEOREM_2,
    THEOREM_3,
    THEOREM_4,
    TUNED,
)
from workbench.experiments.claims import exponents, law_exponents
from workbench.experiments.constants import Constants
from workbench.experiments.study import LONG, named

SIMS = named(runs)
ALL = (THEOREM_1, THEOREM_2, THEOREM_3, THEOREM_4)
START = {"x": np.array([[1.0, 0.4]]), "y": np.array([[1.0, -0.2]])}
INSTANCES = (
    ("TRIG, tuned", TUNED, (THEOREM_1, THEOREM_2)),
    ("TRIG, multiplicative noise", MULTIPLICATIVE, (THEOREM_3, THEOREM_4)),
    ("TRIG, compliant", COMPLIANT, ALL),
)
SETTLED = 0.05  # share of the horizon from which the transient is over

first = STUDY.reader(THEOREM_1, case="rate", since=SETTLED)
second = STUDY.reader(THEOREM_2, case="rate", since=SETTLED)
third = STUDY.reader(THEOREM_3, case="rate", since=SETTLED, metric="grad_norm_mean")
fourth = STUDY.reader(THEOREM_4, case="rate", since=SETTLED, metric="grad_norm_mean")

CLAIMS = (
    *(claim for theorem in ALL for claim in exponents(theorem)),
    *(claim for theorem in ALL for claim in law_exponents(theorem, {}, {})),
    *(Constants(t, label, partial(replace, i), START) for label, i, theorems in INSTANCES for t in theorems),
    *(STUDY.bound(THEOREM_1, f, SIMS["compliant"]) for f in ("printed", "repaired")),
    *(STUDY.bound(THEOREM_2, f, SIMS["compliant-vr"]) for f in ("printed", "repaired")),
    *(STUDY.bound(THEOREM_3, f.name, SIMS["compliant"], "grad_norm_mean") for f in THEOREM_3.forms),
    *(STUDY.bound(THEOREM_4, f.name, SIMS["compliant-vr"], "grad_norm_mean") for f in THEOREM_4.forms),
    *(
        claim
        for name in ("trig", "noisy")
        for claim in (*first(SIMS[name]).rate(), *third(SIMS[name]).rate())
    ),
    *(
        claim
        for name in ("trig-vr", "noisy-vr")
        for claim in (*second(SIMS[name]).rate(), *fourth(SIMS[name]).rate())
    ),
    *first(SIMS["trig"]).tight(),
    *third(SIMS["trig"]).tight(),
    *second(SIMS["trig-vr"], metric="error_w_mean").tight(),
    *fourth(SIMS["trig-vr"], profiles=LONG).tight(),
    *first(SIMS["trig-heavy"]).caught(),
    *second(SIMS["noisy-fresh"]).caught(),
)
