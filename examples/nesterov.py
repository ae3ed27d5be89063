"""Accelerated gradient descent: f(x_k) - f* <= 2 L |x_0 - x*|^2 / (k + 1)^2, and this constant is attained.

Source: Beck, Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems", SIAM J. Imaging
Sci. 2 (2009), Theorem 4.4 (without a nonsmooth part: Nesterov's method of 1983).

Level, derived here: let f be quadratic with curvature L for |x| <= w and linear outside, f' = L w. While x_k stays
outside, x_k = x_0 - w p_k, where p_k is the path of the method under the constant gradient L, and
f(x_k) = L w (x_0 - w p_k) - L w^2 / 2. The worst w is x_0 / (2 p_k + 1), then f(x_k) = L x_0^2 / (2 (2 p_k + 1)). Since
p_k is about k^2 / 8, this is 2 L x_0^2 / k^2: the bound. A worse function for every horizon (`until`) is needed: on a
single one the method is faster in the end. Falsifier: no momentum, that is gradient descent, p_k = k.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sympy import S, Symbol

from workbench.arrays.ops import norm, sign
from workbench.claims.claims import exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch, Mutation
from workbench.claims.study import Study, always, over
from workbench.claims.views import at_horizons
from workbench.engine.records import Grid
from workbench.problems.samples import Lipschitz, Space
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Form, Paper, Theorem

KEY = "nesterov"
PAPER = Paper(KEY, "Accelerated gradient descent", "Beck, Teboulle", "SIAM J. Imaging Sci. 2 (2009)")
R = Symbol("R", nonnegative=True)
THEOREM = Theorem(
    key=f"{KEY}/thm-4.4",
    paper=PAPER,
    title="Acceleration",
    statement=r"$f(x_k) - f^* \le 2 L R^2 / (k + 1)^2$",
    source="Theorem 4.4",
    metric="$f(x_T) - f^*$",
    assumes=(),
    probability=S.One,
    forms=(Form("printed", ((Symbol("bound"), 2 * v.L * R**2 / (v.T + 1) ** 2),), "Theorem 4.4"),),
    cases=(Case("convex", {}, S(-2), "Theorem 4.4"),),
    schedule={"L": v.L},
    generic={v.L: S(1), R: S(1)},
)


class State(NamedTuple):
    x: Any
    y: Any
    theta: Any


class Steps(NamedTuple):
    L: Any


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"], xp.ones_like(start["x"]))


def step(s, t, c, oracle, draw, xp):
    x = s.y - oracle.grad(s.y, xp=xp) / c.L
    theta = (1.0 + xp.sqrt(1.0 + 4.0 * s.theta * s.theta)) / 2.0
    y = x + (s.theta - 1.0) / theta * (x - s.x)
    return State(x, y, theta)


@dataclass(frozen=True)
class Huber:
    """L x^2 / 2 for |x| <= w, linear outside."""

    w: Any
    L: float = 1.0
    COSTS: ClassVar = {"grad": {"gradient": 1}}
    RECORD: ClassVar = {"gap": ("last",)}

    def f(self, x, xp):
        a = norm(x, xp)
        return self.L * xp.where(a <= self.w, a * a / 2.0, self.w * (a - self.w / 2.0))

    def grad(self, x, xp):
        return self.L * xp.where(norm(x, xp) <= self.w, x, self.w * sign(x, xp))

    def metrics(self, s, t, xp):
        return {"gap": self.f(s.x, xp)}

    def constants(self, start):
        return {"L": self.L, "R": np.abs(start["x"])}

    def samples(self, start):
        return {"L": Lipschitz(Space((1,)), self.grad)}

    unsampled: ClassVar = {"R": "the distance of the start from the minimizer 0, by definition"}


def path(k, momentum):
    """How far k steps under the constant gradient L go."""
    x, y, theta = 0.0, 0.0, 1.0
    for _ in range(int(k)):
        new, following = y + 1.0, (1.0 + np.sqrt(1.0 + 4.0 * theta**2)) / 2.0
        x, y, theta = new, new + momentum * (theta - 1.0) / following * (new - x), following
    return x


HORIZONS = [2.0**k + 1.0 for k in range(5, 13)]


def make(momentum, horizon, runs):
    grid = Grid(over("until", [n for n in HORIZONS if n <= horizon] or HORIZONS[:1]), runs)
    start = {"x": grid.random_start(0.5, 1.5)}
    paths = {T: path(T - 1.0, momentum) for T in set(grid.params["until"])}  # x_k is recorded at mark k + 1
    problem = Huber(start["x"] / (2.0 * np.vectorize(paths.get)(grid["until"]) + 1.0))
    return Batch(problem, Steps(**THEOREM.steps(**problem.constants(start))), start, grid)


def relative_gap(result):
    return result.table("gap") / result.constants["R"] ** 2


def attained(T, **known):
    """The bound itself at R = 1; x_k is recorded at the mark T = k + 1."""
    return THEOREM.numeric()(**{**known, "T": T - 1.0, "R": 1.0})


STUDY = Study(PAPER, metric="gap", view=at_horizons, kind="compliant", shift=-1)
SIZE = always(4097), always(32)
FAST = STUDY.simulation("fast", "Acceleration, worst function", __name__, partial(make, 1.0), *SIZE)
PLAIN = Mutation("no momentum", "y", becomes="x")
SLOW = STUDY.simulation("slow", "No momentum", __name__, partial(make, 0.0), *SIZE, mutation=PLAIN)
SIMULATIONS = (FAST, SLOW)
CURVE = STUDY.reading(THEOREM, FAST, case="convex")
CLAIMS = (
    Constants(THEOREM, "the Huber function", lambda: Huber(0.1), {"x": np.full((1, 1), 1.0)}),
    *exponents(THEOREM),
    STUDY.bound(THEOREM, "printed", FAST),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(attained, "the bound", metric=relative_gap)),
    STUDY.reading(THEOREM, SLOW, case="convex").caught(),
)
