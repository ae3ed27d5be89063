"""The common start of all engines: the problem placed on an array library, and the state made by ``init``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.arrays.random import Draws
from workbench.engine.oracle import Oracle
from workbench.engine.records import Problem


@dataclass
class Start:
    """Instance, constants, oracle and noise in the namespace ``xp``, and x_1. calls: those from iteration 1 on."""

    xp: Any
    instance: Any
    c: Any
    oracle: Oracle
    draw: Draws
    state: Any
    calls: Counter[str]


def begin(problem: Problem, seed: int, xp: Any) -> Start:
    """Moves everything to the array library and calls ``init``."""
    instance = backends.place(problem.instance, xp)
    c = type(problem.steps)(*(backends.place(v, xp) for v in problem.steps))
    calls: Counter[str] = Counter()
    oracle, draw = Oracle(instance, xp, calls), Draws(seed, problem.run_ids, xp)
    with np.errstate(all="ignore"):
        # C order: NumPy's sums over long rows depend on the memory order, and a single row has only this one.
        first = {
            k: xp.asarray(np.array(v, order="C")) for k, v in problem.start.items()
        }  # a copy: init may write
        state = problem.algorithm.init(first, c, oracle, draw.at(1), xp)
    calls.clear()  # init evaluates the samples of t = 1, which the first step queries (and counts) again
    return Start(xp, instance, c, oracle, draw, state, calls)
