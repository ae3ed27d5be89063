"""Two-time-scale SGDA, nonconvex - strongly concave: the mean of E|grad Phi(x_t)|^2 is O(1/T) with batches of size T.

Source: Lin, Jin, Jordan, "On Gradient Descent Ascent for Nonconvex-Concave Minimax Problems", ICML 2020, Theorem 4.5:
eta_x of order 1/(kappa^2 L), eta_y = 1/L, batch M. Constants derived here for eta_x = 1/(16 kappa^2 L), kappa = L/mu,
along their proof: Phi is 2 kappa L-smooth, |grad_x f - grad Phi|^2 <= L^2 d_t, d_t = |y_t - y*(x_t)|^2, so that
Phi drops by (3/8) eta |grad Phi|^2 - (5/8) eta L^2 d_t - kappa L eta^2 sigma^2/M, and
d_{t+1} <= (1 - 1/(4 kappa)) d_t + 6 kappa^3 eta^2 |grad Phi|^2 + (3/(2 L^2) + 3 kappa^3 eta^2) sigma^2/M.
Summed up, with 15 kappa^4 L^2 eta^2 <= 15/256, the mean is at most
(256/81) ((16 kappa^2 L Delta_1 + (5/2) kappa L^2 d_1^2) / T + 4 kappa sigma^2 / M).

Level, derived here: on the quadratic saddle -c x^2/2 + b x y - mu y^2/2 the second moments of (x, y) obey a linear
recursion, which is summed here. Falsifier: one batch size for all horizons.
"""

from typing import ClassVar

import numpy as np
from sympy import Rational, Symbol

import workbench as wb

v, X_1 = wb.vocabulary, 0.25
PAPER = wb.Paper(__name__, "SGDA", "Lin, Jin, Jordan", "ICML 2020")
kappa, sigma = Symbol("kappa", positive=True), Symbol("sigma_1", nonnegative=True)  # sigma: of one sample
START = (16 * kappa**2 * v.L * v.Delta_1 + Rational(5, 2) * kappa * v.L**2 * v.d_1**2) / v.T
THEOREM = PAPER.theorem(
    "thm-4.5",
    statement=r"The mean of $\mathbb{E}\|\nabla \Phi(x_t)\|^2$ is $O(1/T)$",
    metric=r"mean over $t \le T$ of $\|\nabla \Phi(x_t)\|^2$",
    expectation=True,
    form="derived here",
    where=((kappa, v.L / v.mu),),
    bound=Rational(256, 81) * (START + 4 * kappa * sigma**2 / v.T),
    exponent=-1,
    schedule={"eta_x": v.mu**2 / (16 * v.L**3), "eta_y": 1 / v.L},
    generic={v.L: 2, v.mu: 1, sigma: 1, v.Delta_1: 1, v.d_1: 1},
)
State, Steps = wb.state("x", "y"), wb.steps("eta_x", "eta_y")


def step(s, t, c, oracle, draw, xp):
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    return State(s.x - c.eta_x * g_x, s.y + c.eta_y * g_y)


class Saddle(wb.problems.QuadraticSaddle):
    RECORD: ClassVar = {"grad_sq": ("mean",)}

    def metrics(self, s, t, xp):
        return {"grad_sq": wb.ops.sq(self.grad_phi(s.x, xp), xp)}


def with_batches(size):
    """The saddle with batches of this many samples, by the variance of their mean."""
    law = wb.Sphere(1.0 / np.sqrt(size))
    return Saddle(law, law)


def level(T, L, mu, **_):
    """The recursion of the second moments of (x, y), for all horizons at once."""
    p, c = Saddle(), Steps(**THEOREM.steps(L=np.ravel(L)[0], mu=np.ravel(mu)[0]))
    move = np.array([[1 + c.eta_x * p.c, -c.eta_x * p.b], [c.eta_y * p.b, 1 - c.eta_y * p.mu]])
    noise = np.diag([c.eta_x**2, c.eta_y**2]) / T[:, None, None]
    moments, total = np.diag([X_1**2, 0.0]), 0.0
    for t in range(int(max(T))):
        total = total + np.where(t < T, (p.b**2 / p.mu - p.c) ** 2 * moments[..., 0, 0] / T, 0.0)
        moments = move @ moments @ move.T + noise
    return total


KNOWN = {"sigma_1": np.sqrt(2.0)}  # of both partial gradients together
STUDY = wb.Study(PAPER, metric="grad_sq_mean", view=wb.at_horizons, kind="compliant", known=lambda r: KNOWN)
SIZE = {"horizon": 2**14, "runs": wb.profile(256, 1024, 2048), "start": {"x": X_1, "y": 0.0}}
SHARED = {"steps": Steps.of(THEOREM), "grid": {"until": [2.0**j for j in range(8, 15)]}, **SIZE}
SGDA = STUDY.simulation(step, problem=lambda grid: with_batches(grid["until"]), name="sgda", **SHARED)
OTHER = {"problem": lambda grid: with_batches(100.0), "title": "SGDA, M = 100", "wrong": "M = 100", **SHARED}
FIXED = STUDY.simulation(step, name="fixed", **OTHER)
CURVE = STUDY.reading(THEOREM, SGDA)
CLAIMS = (
    STUDY.constants(THEOREM, SGDA, "the saddle"),
    *STUDY.exponents(THEOREM),
    STUDY.bound(THEOREM, "derived here", SGDA),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(level, "level derived here")),
    STUDY.reading(THEOREM, FIXED).caught(),
)
