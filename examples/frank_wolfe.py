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
from typing import ClassVar

import numpy as np

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Frank-Wolfe", "Jaggi", "ICML 2013")
THEOREM = PAPER.theorem(
    "thm-1",
    statement=r"$f(x_k) - f^* \le 2 C_f / (k + 2)$",
    source="Theorem 1, Lemma 7",
    metric="$f(x_T) - f^*$",
    bound=2 * v.L * v.D**2 / (v.T + 2),
    exponent=-1,
    generic={v.L: 1, v.D: 1},
)
State = wb.state("x")


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
        first, top = (wb.ops.indicator(xp.arange(2) == i, xp) for i in (0, 1))
        return xp.where(c[:, 1:2] < side * c[:, 0:1], top, side * first)

    def search(self, x, d, xp):
        """The minimizer of f(x + gamma d) over [0, 1]."""
        return wb.ops.clip(-wb.ops.dot(x, d, xp) / wb.ops.sq(d, xp), 0.0, 1.0, xp)

    def metrics(self, s, t, xp):
        return {"gap": wb.ops.sq(s.x, xp) / 2.0}

    def constants(self, start):
        return {"L": 1.0, "D": 2.0}

    def samples(self, start):
        space = wb.samples.Space((2,))
        return {"L": wb.samples.Lipschitz(space, self.grad), "D": wb.samples.Diameter(2, self.lmo)}


STUDY = wb.Study(PAPER, metric="gap", kind="compliant", shift=-1)
START = {"x": lambda grid: np.hstack([grid.random_start(-0.5, 0.5), grid.random_start(0.35, 0.5)])}
LENGTH = wb.profile(30_000, 100_000, 1_000_000)
SHARED = {"problem": lambda grid: Triangle(), "start": START, "horizon": LENGTH, "runs": 64}
SEARCH = STUDY.simulation(step, name="search", title="Frank-Wolfe, line search", **SHARED)
LONG = wb.Mutation("steps k^-1/4", "gamma", becomes="1.0 / xp.sqrt(xp.sqrt(t))")
FIXED = STUDY.simulation(step, name="fixed", title="Steps k^-1/4", mutation=LONG, **SHARED)
CURVE = STUDY.reading(THEOREM, SEARCH)
CLAIMS = (
    STUDY.constants(THEOREM, SEARCH, "the triangle"),
    *STUDY.exponents(THEOREM),
    STUDY.bound(THEOREM, "printed", SEARCH),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(1 / (8 * v.T), "level derived here")),
    STUDY.reading(THEOREM, FIXED).caught(),
)
