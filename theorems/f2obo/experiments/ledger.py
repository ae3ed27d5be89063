"""Runs on which the proof ledger measures the lines of this paper's proofs
(`theorems/f2obo/proof.txt`).

The claims themselves are made from the lemma records. The lines hold in every round, so the runs are short and record
the first twenty rounds. gamma is the largest that Lemma C.1 allows, so that x moves, or the theorem's own.
"""

from __future__ import annotations

from functools import partial
from itertools import product

from workbench.claims import always, named, over, profile

from ..problems.bent import BentSine
from ..problems.sine import Sine
from ..problems.vector import N, VectorSine
from .stochastic_runs import COROLLARY
from .study import (
    DRAWN,
    STUDY,
    THEOREM_3_1,
    THEOREM_3_2,
    THEOREM_4_1,
    THEOREM_5_1,
    Points,
    Scheduled,
    beginning,
    columns,
)

# Tilt, drift, sign changes and jumps in one instance, separately and together.
MOTIONS = (
    {"p": 0.5, "h": 0.0, "flip": 0.0, "a": 0.0},
    {"p": 0.3, "h": 0.3, "flip": 0.0, "a": 0.5},
    {"p": 0.0, "h": 0.0, "flip": 1.0, "a": 0.0},
    {"p": 0.3, "h": 0.1, "flip": 1.0, "a": 0.5},
)


def moving(*taus: float) -> Points:
    return [{"tau": tau, **motion} for tau in taus for motion in MOTIONS]


on_all = partial(Scheduled, form="repaired", instance=columns(Sine, "p h flip a"))
# alpha is a quarter of its largest value: at 1/L_g1 z is so near y* after K steps that rounding decides Lemma C.3.
multi = partial(on_all, THEOREM_3_1, points=moving(0.25, 0.5, 1.0), given={"r_alpha": 0.25})
single = partial(on_all, THEOREM_3_2, points=moving(0.1, 0.25, 0.45), given={"r_alpha": 0.25})
adaptive = on_all(THEOREM_4_1, points=moving(0.5, 1.0), part=None)
# With noise that cancels in line 10 (omega = 0) and noise that does not.
stochastic = Scheduled(
    THEOREM_5_1,
    "repaired",
    over("omega sigma", product((0.0, 30.0), (0.3, 1.0))),
    columns(Sine, "sigma omega", epsilon=0.5, p=0.3),
    given=COROLLARY,
)

# K = 46: the least with 2 rho^K <= rho at rho = 63/64, kappa_g = 2. With the K of Theorem 3.1 the slack of Lemma C.2 is
# 1e8, that of Lemma C.3 300; small steps contract nearly as slowly as (17) says.
least = partial(multi, given={"r_alpha": 1 / 32, "r_beta": 1 / 16}, wrong={"K": 46.0})

# In R^3, where A and Q couple the coordinates: tilt, drift, and both.
in_r3 = partial(
    Scheduled, form="repaired", instance=columns(VectorSine, "p h"), begin=partial(beginning, d=N),
    points=[{"tau": tau, "p": p, "h": h} for tau in (0.25, 0.45) for p, h in ((0.3, 0.0), (0.0, 0.3), (0.2, 0.1))],
    given={"r_alpha": 0.25},
)  # fmt: skip
bending = partial(in_r3, instance=columns(BentSine, "p h"))  # with second derivatives that change, too

FEW = profile(4, 8, 32)
# The noise of (E.1) is heavy-tailed: 400 runs at each point decide its lines with too small a margin.
MANY = always(1000)
LENGTH, SHORT = profile(256, 1024, 8192), profile(128, 512, 2048)
OWN = f"every parameter from the theorem, alpha a quarter of its largest value; {DRAWN}"

simulation = partial(STUDY.watched, marks=tuple(range(1, 22)))
own = partial(simulation, kind="compliant", chosen=OWN)

SIMS = named(
    simulation("multi", "F2OBO, lines of its proof", "f2obo", multi(), LENGTH, FEW, "rounds"),
    simulation("least", "F2OBO with the least K of Lemmas C.2 and C.3", "f2obo", least(), LENGTH, FEW, "rounds"),
    simulation("single", "F2OBO, single loop, lines of its proof", "f2obo", single(), LENGTH, FEW, "rounds"),
    own("multi-slow", "F2OBO at the theorem's gamma, lines of its proof", "f2obo", multi(part=None), LENGTH, FEW,
        "rounds"),
    own("single-slow", "F2OBO, single loop, at the theorem's gamma, lines of its proof", "f2obo", single(part=None),
        LENGTH, FEW, "rounds"),
    simulation("multi-r3", "F2OBO in R^3, lines of its proof", "f2obo", in_r3(THEOREM_3_1), SHORT, FEW, "rounds"),
    simulation("single-r3", "F2OBO in R^3, single loop, lines of its proof", "f2obo", in_r3(THEOREM_3_2), SHORT, FEW,
        "rounds"),
    simulation("multi-bent", "F2OBO in R^3 with L_g2 > 0, lines of its proof", "f2obo", bending(THEOREM_3_1), SHORT,
        FEW, "rounds"),
    simulation("single-bent", "F2OBO in R^3 with L_g2 > 0, single loop, lines of its proof", "f2obo",
        bending(THEOREM_3_2), SHORT, FEW, "rounds"),
    simulation("adaptive", "AF2OBO, lines of its proof", "af2obo", adaptive, LENGTH, FEW, "adaptive"),
    simulation("stochastic", "SF2OBO, lines of its proof", "sf2obo", stochastic, SHORT, MANY, "stochastic"),
)  # fmt: skip
