"""Frank-Wolfe: f(x_k) - f* <= 2 C_f / (k + 2) for every convex f, and no better than 1/k in general.

Source: Jaggi, "Revisiting Frank-Wolfe: Projection-Free Sparse Convex Optimization", ICML 2013, Theorem 1, with exact
minimization over the direction's segment (its Algorithm 3); C_f <= L D^2 by its Lemma 7. Lower bound: Canon, Cullum,
"A Tight Upper Bound on the Rate of Convergence of Frank-Wolfe Algorithm", SIAM J. Control 6 (1968).

Level, derived here: minimize (x^2 + y^2) / 2 over the triangle with corners (-1, 0), (1, 0), (0, 1). From (x, y) with
x > 0 the step goes towards (-1, 0) and ends orthogonal to it, at x' = -y' y / (1 + x): so |x| is about y^2, the step
about 2 y^2, and y' = y (1 - 2 y^2): the zigzag has y^2 = 1/(4 k) and f = 1/(8 k). (Steps 2/(k + 2) reach k^-2 here.)
Falsifier: steps k^-1/4, whose
zigzag has x of this order.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sympy import S, Symbol

from workbench.arrays.ops import clip, dot, sq
from workbench.claims.claims import exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch, Mutation
from workbench.claims.study import Study, always, profile
from workbench.engine.records import Grid
from workbench.problems.samples import Diameter, Lipschitz, Space
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Form, Paper, Statement, Theorem

KEY = "frank_wolfe"
PAPER = Paper(KEY, "Frank-Wolfe", "Jaggi", "ICML 2013")
D, C_f = Symbol("D", positive=True), Symbol("C_f", positive=True)
THEOREM = Theorem(
    key=f"{KEY}/thm-1",
    paper=PAPER,
    title="Frank-Wolfe with exact line search",
    statement=r"$f(x_k) - f^* \le 2 C_f / (k + 2)$",
    source="Theorem 1, Lemma 7",
    metric="$f(x_T) - f^*$",
    assumes=(),
    probability=S.One,
    forms=(Form("printed", ((C_f, v.L * D**2), (Symbol("bound"), 2 * C_f / (v.T + 2))), "Theorem 1"),),
    cases=(Case("convex", {}, S(-1), "Theorem 1"),),
    schedule={},
    generic={v.L: S(1), D: S(1)},
)
LEVEL = Statement(f"{KEY}/level", PAPER, "f = 1/(8 k) on the triangle", 1 / (8 * v.T), "derived above")


class State(NamedTuple):
    x: Any


class Steps(NamedTuple): ...


def init(start, c, oracle, draw, xp):
    return State(start["x"])


def step(s, t, c, oracle, draw, xp):
    gradient = oracle.grad(s.x, xp=xp)
    d = oracle.lmo(gradient, xp=xp) - s.x
    gamma = oracle.search(s.x, d, xp=xp)
    return State(s.x + gamma * d)


@dataclass(frozen=True)
class Triangle:
    """|x|^2 / 2 over the triangle with corners (-1, 0), (1, 0), (0, 1)."""

    COSTS: ClassVar = {"grad": {"gradient": 1}, "lmo": {"lmo": 1}, "search": {"search": 1}}
    RECORD: ClassVar = {"gap": ("last",)}

    def grad(self, x, xp):
        return x

    def lmo(self, c, xp):
        """The corner (+-1, 0) or (0, 1) with the least product."""
        side = xp.where(c[:, 0:1] >= 0.0, xp.asarray(-1.0), xp.asarray(1.0))
        first = xp.where(xp.arange(2) == 0, xp.asarray(1.0), xp.asarray(0.0))
        top = xp.where(xp.arange(2) == 1, xp.asarray(1.0), xp.asarray(0.0))
        return xp.where(c[:, 1:2] < side * c[:, 0:1], top, side * first)

    def search(self, x, d, xp):
        """The minimizer of f(x + gamma d) over [0, 1]."""
        return clip(-dot(x, d, xp) / sq(d, xp), 0.0, 1.0, xp)

    def metrics(self, s, t, xp):
        return {"gap": sq(s.x, xp) / 2.0}

    def constants(self, start):
        return {"L": 1.0, "D": 2.0}

    def samples(self, start):
        return {"L": Lipschitz(Space((2,)), self.grad), "D": Diameter(2, self.lmo)}


def make(horizon, runs):
    grid = Grid([{}], runs)
    side, height = grid.random_start(-0.5, 0.5), grid.random_start(0.35, 0.5)
    return Batch(Triangle(), Steps(**THEOREM.steps()), {"x": np.concatenate([side, height], axis=1)}, grid)


STUDY = Study(PAPER, metric="gap", kind="compliant", shift=-1)
SIZE = profile(30_000, 100_000, 1_000_000), always(64)
SEARCH = STUDY.simulation("search", "Frank-Wolfe, line search", __name__, make, *SIZE)
LONG = Mutation("steps k^-1/4", "gamma", becomes="1.0 / xp.sqrt(xp.sqrt(t))")
FIXED = STUDY.simulation("fixed", "Steps k^-1/4", __name__, make, *SIZE, mutation=LONG)
SIMULATIONS = (SEARCH, FIXED)
CURVE = STUDY.reading(THEOREM, SEARCH, case="convex")
CLAIMS = (
    Constants(THEOREM, "the triangle", Triangle, {"x": np.full((1, 2), 0.1)}),
    *exponents(THEOREM),
    STUDY.bound(THEOREM, "printed", SEARCH),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(LEVEL, "level derived here")),
    STUDY.reading(THEOREM, FIXED, case="convex").caught(),
)
