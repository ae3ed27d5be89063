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

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sympy import Rational, S, Symbol

from workbench.arrays.noise import Sphere
from workbench.arrays.ops import sq
from workbench.claims.claims import exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch
from workbench.claims.study import Study, always, over, profile
from workbench.claims.views import at_horizons
from workbench.engine.records import Grid
from workbench.problems.saddle import QuadraticSaddle
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Form, Paper, Theorem

KEY = "sgda"
PAPER = Paper(KEY, "SGDA", "Lin, Jin, Jordan", "ICML 2020")
kappa, sigma, d_1 = (
    Symbol("kappa", positive=True),
    Symbol("sigma_1", nonnegative=True),  # of one sample
    Symbol("d_1", nonnegative=True),
)
START = (16 * kappa**2 * v.L * v.Delta_1 + Rational(5, 2) * kappa * v.L**2 * d_1**2) / v.T
BOUND = Rational(256, 81) * (START + 4 * kappa * sigma**2 / v.T)
THEOREM = Theorem(
    key=f"{KEY}/thm-4.5",
    paper=PAPER,
    title="SGDA with batches of size T",
    statement=r"The mean of $\mathbb{E}\|\nabla \Phi(x_t)\|^2$ is $O(1/T)$",
    source="Theorem 4.5",
    metric=r"mean over $t \le T$ of $\|\nabla \Phi(x_t)\|^2$",
    assumes=(),
    probability=S.One,
    kind="expectation",
    forms=(Form("derived here", ((kappa, v.L / v.mu), (Symbol("bound"), BOUND)), "above"),),
    cases=(Case("noisy", {}, S(-1), "Theorem 4.5"),),
    schedule={"eta_x": v.mu**2 / (16 * v.L**3), "eta_y": 1 / v.L},
    generic={v.L: S(2), v.mu: S(1), sigma: S(1), v.Delta_1: S(1), d_1: S(1)},
)


class State(NamedTuple):
    x: Any
    y: Any


class Steps(NamedTuple):
    eta_x: Any
    eta_y: Any


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["y"])


def step(s, t, c, oracle, draw, xp):
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    return State(s.x - c.eta_x * g_x, s.y + c.eta_y * g_y)


@dataclass(frozen=True)
class Batched(QuadraticSaddle):
    """Batches of M samples by the variance of their mean: the noise laws have sigma / sqrt M."""

    RECORD: ClassVar = {"grad_sq": ("mean",)}

    def metrics(self, s, t, xp):
        return {"grad_sq": sq(self.grad_phi(s.x, xp), xp)}


SIGMA, X_1, HORIZONS = 1.0, 0.25, [2.0**j for j in range(8, 15)]


def make(batch, horizon, runs):
    grid = Grid(over("until", [n for n in HORIZONS if n <= horizon] or HORIZONS[:1]), runs)
    M = grid.full(batch) if batch else grid["until"]
    problem = Batched(Sphere(SIGMA / np.sqrt(M)), Sphere(SIGMA / np.sqrt(M)))
    start = {"x": grid.full(X_1), "y": grid.full(0.0)}
    return Batch(problem, Steps(**THEOREM.steps(**problem.constants(start))), start, grid)


def level(T, L, mu, **_):
    """The recursion of the second moments of (x, y) for each horizon."""
    p, found = QuadraticSaddle(), []
    c = Steps(**THEOREM.steps(L=np.ravel(L)[0], mu=p.mu))
    move = np.array([[1 + c.eta_x * p.c, -c.eta_x * p.b], [c.eta_y * p.b, 1 - c.eta_y * p.mu]])
    for horizon in T:
        noise = SIGMA**2 / horizon * np.diag([c.eta_x**2, c.eta_y**2])
        moments, total = np.diag([X_1**2, 0.0]), 0.0
        for _ in range(int(horizon)):
            total += (p.b**2 / p.mu - p.c) ** 2 * moments[0, 0] / horizon
            moments = move @ moments @ move.T + noise
        found.append(total)
    return np.array(found)


def known(result):
    return {"sigma_1": np.sqrt(2.0) * SIGMA}  # of both partial gradients together


STUDY = Study(PAPER, metric="grad_sq_mean", view=at_horizons, kind="compliant", known=known)
SIZE = always(int(HORIZONS[-1])), profile(256, 1024, 2048)
SGDA = STUDY.simulation("sgda", "SGDA", __name__, partial(make, 0.0), *SIZE)
FIXED = STUDY.simulation("fixed", "SGDA, M = 100", __name__, partial(make, 100.0), *SIZE, wrong="M = 100")
SIMULATIONS = (SGDA, FIXED)
CURVE = STUDY.reading(THEOREM, SGDA, case="noisy")
ONE = {"x": np.full((1, 1), X_1), "y": np.zeros((1, 1))}
CLAIMS = (
    Constants(THEOREM, "the saddle", lambda: Batched(Sphere(SIGMA), Sphere(SIGMA)), ONE),
    *exponents(THEOREM),
    STUDY.bound(THEOREM, "derived here", SGDA),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(level, "level derived here")),
    STUDY.reading(THEOREM, FIXED, case="noisy").caught(),
)
