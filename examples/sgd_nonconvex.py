"""SGD on a smooth nonconvex function: the mean of E|grad f(x_t)|^2 falls like T^-1/2.

Source: Ghadimi, Lan, "Stochastic First- and Zeroth-Order Methods for Nonconvex Stochastic Programming", SIAM J. Optim.
23 (2013), Theorem 2.1 and Corollary 2.2: with gamma = min(1/L, D/(sigma sqrt T)) and D_f^2 = 2 (f(x_1) - f*) / L,
E|grad f(x_R)|^2 <= L (L D_f^2 / T + (D + D_f^2 / D) sigma / sqrt T), R uniform on 1..T. The step depends on the
horizon, so each horizon has rows of its own (grid parameter `until`).

Level, derived here: on f = L x^2 / 2 the second moment of x_t is s + r^(t-1) (x_1^2 - s) with r = (1 - gamma L)^2 and
s = gamma sigma^2 / (L (2 - gamma L)); its mean over t is exact for every T. To leading order it is
L sigma (D + D_f^2 / D) / (2 sqrt T): the Corollary is loose by a factor 2, whatever D. (Theorem 2.1 itself is not:
there the descent inequality is an equality, and only E f(x_{T+1}) is dropped.) Falsifier: one step size for all
horizons.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sympy import Min, Rational, S, Symbol, sqrt

from workbench.arrays.noise import Sphere
from workbench.claims.claims import exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch
from workbench.claims.study import Study, always, over, profile
from workbench.claims.views import at_horizons
from workbench.engine.records import Grid
from workbench.problems.single_level import Logarithm, Quadratic
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Form, Paper, Theorem

KEY = "sgd_nonconvex"
PAPER = Paper(KEY, "SGD, nonconvex", "Ghadimi, Lan", "SIAM J. Optim. 23 (2013)")
D, D_f, step_size = (
    Symbol("D", positive=True),
    Symbol("D_f", nonnegative=True),
    Symbol("step_size", positive=True),
)
STEP = Min(1 / v.L, D / (v.sigma_bar * sqrt(v.T)))
SUM = v.L * (D_f**2 + v.sigma_bar**2 * v.T * step_size**2) / (v.T * (2 * step_size - v.L * step_size**2))
COROLLARY = v.L * (v.L * D_f**2 / v.T + (D + D_f**2 / D) * v.sigma_bar / sqrt(v.T))
FIRST = (D_f, sqrt(2 * v.Delta_1 / v.L))
THEOREM = Theorem(
    key=f"{KEY}/cor-2.2",
    paper=PAPER,
    title="SGD with the step size of the horizon",
    statement=r"The mean of $\mathbb{E}\|\nabla f(x_t)\|^2$ is $O(T^{-1/2})$",
    source="Corollary 2.2",
    metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|^2$",
    assumes=(),
    probability=S.One,
    kind="expectation",
    forms=(
        Form("printed", (FIRST, (Symbol("B"), COROLLARY)), "Corollary 2.2"),
        Form("Theorem 2.1", (FIRST, (step_size, STEP), (Symbol("B"), SUM)), "Theorem 2.1, constant steps"),
    ),
    cases=(Case("noisy", {}, -Rational(1, 2), "Corollary 2.2"),),
    schedule={"gamma": STEP},
    generic={v.L: S(1), D: S(1), v.sigma_bar: S(1), v.Delta_1: S(1)},
)


class State(NamedTuple):
    x: Any


class Steps(NamedTuple):
    gamma: Any


def init(start, c, oracle, draw, xp):
    return State(start["x"])


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.gamma * oracle.grad(s.x, draw(0)))


SIGMA, X_1, D_FREE = 1.0, 1.0, 1.0  # D is free; the best one is D_f = |x_1| on the parabola
HORIZONS = [2.0**k for k in range(6, 13)]


def make(kind, fixed, horizon, runs):
    grid = Grid(over("until", [n for n in HORIZONS if n <= horizon] or HORIZONS[:1]), runs)
    problem, start = kind(Sphere(SIGMA)), {"x": grid.full(X_1)}
    T = grid.full(fixed) if fixed else grid["until"]
    return Batch(problem, Steps(**THEOREM.steps(D=D_FREE, T=T, **problem.constants(start))), start, grid)


def level(T, L, sigma_bar, **_):
    gamma = D_FREE / (sigma_bar * np.sqrt(T))
    r, floor = (1 - gamma * L) ** 2, gamma * sigma_bar**2 / (L * (2 - gamma * L))
    return L**2 * (floor + (X_1**2 - floor) * (1 - r**T) / (T * (1 - r)))


STUDY = Study(PAPER, metric="grad_sq_mean", view=at_horizons, known=lambda r: {"D": D_FREE}, kind="compliant")
SIZE = always(int(HORIZONS[-1])), profile(2048, 4096, 8192)
SGD = STUDY.simulation("sgd", "SGD on x^2 / 2", __name__, partial(make, Quadratic, 0), *SIZE)
BENT = STUDY.simulation("bent", "SGD on log(1 + x^2) / 2", __name__, partial(make, Logarithm, 0), *SIZE)
FIXED = STUDY.simulation(
    "fixed", "SGD, one step", __name__, partial(make, Quadratic, 100.0), *SIZE, wrong="step size of T = 100"
)
SIMULATIONS = (SGD, BENT, FIXED)
CURVE = STUDY.reading(THEOREM, SGD, case="noisy")
CLAIMS = (
    Constants(THEOREM, "log(1 + x^2) / 2", lambda: Logarithm(Sphere(SIGMA)), {"x": np.full((1, 1), X_1)}),
    *exponents(THEOREM),
    *(STUDY.bound(THEOREM, "printed", sim) for sim in (SGD, BENT)),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(level, "level derived here")),
    STUDY.reading(THEOREM, FIXED, case="noisy").caught(),
)
