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

from typing import ClassVar

import numpy as np
from sympy import Symbol

import workbench as wb

N, Q, ETA, Z = 256, 16, 0.5, 1.0  # components; epoch and batch; eta; eta m T. f(x_1) - f* = 1
v, L_MAX = wb.vocabulary, Symbol("L_max", positive=True)
PAPER = wb.Paper(__name__, "SARAH", "Nguyen et al.; Fang et al.", "Comput. Optim. Appl. 82; NeurIPS 2018")
THEOREM = PAPER.theorem(
    "thm-1",
    statement=r"The mean of $\mathbb{E}\|\nabla f(x_t)\|^2$ is at most $2 \Delta_1 / (\eta T)$",
    metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|^2$",
    expectation=True,
    form="derived here",
    bound=2 * v.Delta_1 / (v.eta * v.T),
    exponent=-1,
    schedule={"eta": v.eta},
    generic={L_MAX: 1, v.eta: 1 / 2, v.Delta_1: 1},
    conditions=[(L_MAX * v.eta + (L_MAX * v.eta) ** 2 <= 1, "L eta + L^2 eta^2 <= 1")],
)
State, Steps = wb.state("x", "x_old", "v"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    def update():
        return (s.v + oracle.batch(s.x, draw(0)) - oracle.batch(s.x_old, draw(0)),)

    (v,) = wb.ops.branch(t % float(Q) == 1.0, lambda: (oracle.full_grad(s.x, xp=xp),), update, xp)
    return State(s.x - c.eta * v, s.x, v)


class Sampled(wb.problems.QuadraticSum):
    COSTS: ClassVar = {"batch": {"component": Q}, "full_grad": {"component": N}}

    def batch(self, x, xi, xp):
        """The mean gradient of Q components drawn with replacement; x is (runs, 1)."""
        u = 2.0 * xp.astype(xi.index(self.n, Q), xp.float64) / float(self.n - 1) - 1.0
        mean = wb.ops.rowsum(u, xp) / float(Q)
        return (self.L + self.h * mean) * x - self.a * mean


def level(T, **_):
    """The recursion of E x^2, E x v, E v^2, for all T at once; a mean of u has the mean square (N+1) / (3 (N-1) Q)."""
    m, total, xv, vv = Z / (ETA * T), 0.0, 0.0, 0.0
    xx, r = 2 / m, (1 - ETA * m) ** 2 + ETA**2 * (N + 1) / (3 * (N - 1) * Q)
    for t in range(int(max(T))):
        total = total + np.where(t < T, m**2 * xx / T, 0.0)
        xv, vv = (m * xx, m**2 * xx) if t % Q == 0 else (xv, vv)
        xx, xv, vv = xx - 2 * ETA * xv + ETA**2 * vv, (1 - ETA * m) * (xv - ETA * vv), r * vv
    return total


STUDY = wb.Study(PAPER, metric="grad_sq_mean", view=wb.at_horizons, kind="compliant", known=lambda r: r.steps)
GRID = {"grid": {"until": [2.0**j for j in range(6, 13)]}, "horizon": 2**12}
SHARED = {"steps": Steps.of(THEOREM, eta=ETA), "runs": wb.profile(128, 512, 1024), **GRID}
ZERO = {"x_old": 0.0, "v": 0.0}
HARD = {"x": lambda grid: np.sqrt(2 * ETA * grid["until"] / Z), **ZERO}
HARDER = {"problem": lambda grid: Sampled(n=N, L=Z / (ETA * grid["until"]), h=1.0), "start": HARD, **SHARED}
SARAH = STUDY.simulation(step, name="sarah", title="SARAH", **HARDER)
EASY = {"problem": lambda grid: Sampled(n=N, L=0.2, h=1.0), "start": {"x": 10**0.5, **ZERO}, **SHARED}
WRONG = wb.Mutation("minibatches", "(v,)", becomes="(oracle.batch(s.x, draw(0)),)")
PLAIN = STUDY.simulation(step, name="plain", title="Minibatches, m = 1/5", mutation=WRONG, **EASY)
CURVE = STUDY.reading(THEOREM, SARAH)
CLAIMS = (
    STUDY.constants(THEOREM, PLAIN, "the sum"),
    *(*STUDY.exponents(THEOREM), STUDY.bound(THEOREM, "derived here", SARAH)),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(level, "level derived here")),
    STUDY.count(THEOREM, SARAH, "component", N / Q + 2 * Q - 2),  # Q divides every horizon
    STUDY.reading(THEOREM, PLAIN).caught(),
)
