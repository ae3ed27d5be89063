"""SARAH / SPIDER with constant steps: the mean of E|grad f(x_t)|^2 is at most 2 Delta_1 / (eta T), at sqrt(n) cost.

Sources: Fang, Li, Lin, Zhang, "SPIDER", NeurIPS 2018, Theorem 2 (finite sums); in this form, without normalisation,
Nguyen, van Dijk, Phan, Nguyen, Weng, Kalagnanam, "Finite-Sum Smooth Optimization with SARAH", Comput. Optim. Appl. 82
(2022), and Wang et al., "SpiderBoost", NeurIPS 2019, Theorem 1. Every q iterations v_t is the full gradient; else
v_t = v_{t-1} + g_B(x_t) - g_B(x_{t-1}) with b samples B.

Constant, derived here for b >= q: f(x_{t+1}) <= f(x_t) - eta/2 |grad f|^2 - (eta - L eta^2)/2 |v_t|^2 + eta/2 |e_t|^2,
and E|e_t|^2 sums over an epoch to at most (q/b) L^2 eta^2 times the sum of |v_t|^2. So |v_t|^2 drops out if
L eta + L^2 eta^2 <= 1, e.g. for eta = 1/(2 L). Gradients of components: n per epoch and 2 b per other iteration.

Level, derived here: f_i = (m + h u_i) x^2 / 2 with mean curvature m, where u_i has mean 0 and mean square s. Without
samples |grad f|^2 has the mean Delta_1 (1 - r^T) / ((eta - m eta^2/2) T), r = (1 - eta m)^2; with m = z / (eta T), a
harder problem for every horizon (`until`), this is half the bound as z grows. The sampling adds v_t's fluctuation, by
the recursion of the moments of (x, v) that is summed here. Falsifier: v_t = g_B(x_t), plain
minibatches, on one problem for all horizons.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sympy import Rational, S, Symbol

from workbench.arrays.ops import branch, rowsum
from workbench.claims.claims import Count, exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch, Mutation
from workbench.claims.study import Study, always, over, profile
from workbench.claims.views import at_horizons
from workbench.engine.records import Grid
from workbench.problems.finite_sum import QuadraticSum
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Condition, Form, Paper, Theorem

KEY = "sarah"
PAPER = Paper(KEY, "SARAH", "Nguyen et al.; Fang et al.", "Comput. Optim. Appl. 82 (2022); NeurIPS 2018")
L_MAX = Symbol("L_max", positive=True)
THEOREM = Theorem(
    key=f"{KEY}/thm-1",
    paper=PAPER,
    title="SARAH with constant steps",
    statement=r"The mean of $\mathbb{E}\|\nabla f(x_t)\|^2$ is at most $2 \Delta_1 / (\eta T)$",
    source="derived above",
    metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|^2$",
    assumes=(),
    probability=S.One,
    kind="expectation",
    forms=(Form("derived here", ((Symbol("bound"), 2 * v.Delta_1 / (v.eta * v.T)),), "above"),),
    cases=(Case("finite sum", {}, S(-1), "Theorem 1"),),
    schedule={"eta": v.eta},
    generic={L_MAX: S(1), v.eta: Rational(1, 2), v.Delta_1: S(1)},
    conditions=(Condition(L_MAX * v.eta + (L_MAX * v.eta) ** 2 <= 1, "L eta + L^2 eta^2 <= 1", "above"),),
)


class State(NamedTuple):
    x: Any
    x_old: Any
    v: Any


class Steps(NamedTuple):
    eta: Any
    q: int


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"], xp.zeros_like(start["x"]))


def step(s, t, c, oracle, draw, xp):
    xi = draw(0)

    def update():
        return (s.v + oracle.batch(s.x, xi) - oracle.batch(s.x_old, xi),)

    (v,) = branch(t % float(c.q) == 1.0, lambda: (oracle.full_grad(s.x, xp=xp),), update, xp)
    return State(s.x - c.eta * v, s.x, v)


N, Q, ETA, DELTA, Z = 256, 16, 0.5, 1.0, 1.0  # components; epoch and batch; eta; f(x_1) - f*; eta m T
HORIZONS = [2.0**j for j in range(6, 13)]


@dataclass(frozen=True)
class Sampled(QuadraticSum):
    COSTS: ClassVar = {"batch": {"component": Q}, "full_grad": {"component": N}}

    def batch(self, x, xi, xp):
        """The mean gradient of Q components drawn with replacement; x is (runs, 1)."""
        u = 2.0 * xp.astype(xi.index(self.n, Q), xp.float64) / float(self.n - 1) - 1.0
        return (self.L + self.h * rowsum(u, xp) / float(Q)) * x - self.a * rowsum(u, xp) / float(Q)


def make(curvature, horizon, runs):
    grid = Grid(over("until", [n for n in HORIZONS if n <= horizon] or HORIZONS[:1]), runs)
    m = grid.full(curvature) if curvature else Z / (ETA * grid["until"])
    problem, start = Sampled(n=N, L=m, h=1.0), {"x": np.sqrt(2 * DELTA / m)}
    steps = THEOREM.steps(eta=ETA, **problem.constants(start))
    return Batch(problem, Steps(q=Q, **steps), start, grid)


def level(T, **_):
    """The recursion of E x^2, E x v, E v^2 for each horizon."""
    found, spread = [], (N + 1) / (3 * (N - 1)) / Q  # the mean square of the mean of Q samples of u
    for horizon in T:
        m = Z / (ETA * horizon)
        xx, xv, vv, total = 2 * DELTA / m, 0.0, 0.0, 0.0
        for t in range(int(horizon)):
            total += m**2 * xx / horizon
            xv, vv = (m * xx, m**2 * xx) if t % Q == 0 else (xv, vv)
            xx, xv = xx - 2 * ETA * xv + ETA**2 * vv, (1 - ETA * m) * (xv - ETA * vv)
            vv *= (1 - ETA * m) ** 2 + ETA**2 * spread
        found.append(total)
    return np.array(found)


def listed(result):
    """Q divides every horizon."""
    epochs = result.horizon // Q
    return epochs * N + 2 * Q * (result.horizon - epochs)


STUDY = Study(PAPER, metric="grad_sq_mean", view=at_horizons, kind="compliant", known=lambda r: {"eta": ETA})
SIZE = always(int(HORIZONS[-1])), profile(128, 512, 1024)
SARAH = STUDY.simulation("sarah", "SARAH", __name__, partial(make, 0.0), *SIZE)
WRONG = Mutation("minibatches", "(v,)", becomes="(oracle.batch(s.x, xi),)")
PLAIN = STUDY.simulation("plain", "Minibatches, m = 1/5", __name__, partial(make, 0.2), *SIZE, mutation=WRONG)
SIMULATIONS = (SARAH, PLAIN)
CURVE = STUDY.reading(THEOREM, SARAH, case="finite sum")
CLAIMS = (
    Constants(THEOREM, "the sum", lambda: Sampled(n=N, L=0.1, h=1.0), {"x": np.full((1, 1), 1.0)}),
    *exponents(THEOREM),
    STUDY.bound(THEOREM, "derived here", SARAH),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(level, "level derived here")),
    Count(THEOREM, SARAH, "component", listed),
    STUDY.reading(THEOREM, PLAIN, case="finite sum").caught(),
)
