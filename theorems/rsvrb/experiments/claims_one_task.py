"""Claims about Theorem 1 (SVRB), and its falsifiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench import LONG
from workbench.claims import Constants, Count, exponents

from ..problems.waves import Straight, Wave
from ..theory import witness
from . import one_task
from .levels import decreasing
from .region import inside
from .study import STUDY, THEOREM_1, D, known_one

SIMS = one_task.SIMS

mean = STUDY.reader(THEOREM_1, case="rate")
RATE = mean(SIMS["one-task"])
# With fresh samples u is a random walk: its mean square grows, more slowly towards the end.
COARSE = {"fresh": {"tol": 0.2}}
WRONG = {
    name: mean(SIMS[f"wrong-{name}"], profiles=LONG, **COARSE.get(name, {})) for name in one_task.MUTATIONS
}
SLOW = mean(SIMS["wrong-slow"])
BOUND = STUDY.bound(THEOREM_1, "repaired", SIMS["bound-1"], known=known_one)


def level(T: np.ndarray, **_: Any) -> np.ndarray:
    return decreasing(T, D * one_task.NOISY.sampled_moment(one_task.NOISY.x_opt()), one_task.B)


CLAIMS = (
    *(
        Constants(THEOREM_1, name, make, {"x": np.full((1, 1), x)})
        for name, make, x in (
            ("one task", lambda: one_task.NOISY, one_task.FIRST),
            ("one gentle task", lambda: one_task.GENTLE, one_task.FIRST_GENTLE),
            ("one wave", Wave, 2.0),
            ("one straight task", Straight, 2.0),
        )
    ),
    *exponents(THEOREM_1),
    BOUND,
    inside(THEOREM_1, SIMS["bound-1"], ("outside_x_max", "outside_y_max")),
    *RATE.rate(profiles=LONG),
    *RATE.tight(profiles=LONG),
    *RATE.level(level, witness.DECREASING.title, 0.1, profiles=LONG),
    *(Count(THEOREM_1, SIMS["one-task"], f"evaluation_{level}", 2) for level in "fg"),
    *SLOW.caught(profiles=LONG),
    *(claim for readings in WRONG.values() for claim in readings.caught()),
)
