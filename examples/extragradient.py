"""The extragradient method on a bilinear saddle: the duality gap of the averages falls like 1/T.

Source: Nemirovski, "Prox-Method with Rate of Convergence O(1/t)", SIAM J. Optim. 15 (2004), Theorem 3.2; the method
is Korpelevich's (1976). Constant for the Euclidean case, derived here: with w_k = z_k - gamma F(z_k) and
z_{k+1} = z_k - gamma F(w_k), for every u
2 gamma <F(w_k), w_k - u> <= |z_k - u|^2 - |z_{k+1} - u|^2 - (1 - gamma^2 L^2) |z_k - w_k|^2. The sum
over k, for gamma L <= 1, bounds the gap over |x|, |y| <= r by the largest |z_1 - u|^2 / (2 gamma T), u in this set.

Level, derived here: f = b x y has F = (b y, -b x), so the w_k add up to (start - end) / (gamma b), turned by a right
angle: since z_k tends to 0 the gap r b (|x| + |y|) of the average is r (|x_1| + |y_1|) / (gamma T). With
r = |x_1| = |y_1| the bound is loose by 2. Falsifier: w_k = z_k, gradient descent-ascent, spirals outwards.
"""

from typing import Any, NamedTuple

import numpy as np
from sympy import S, Symbol

from workbench.claims.claims import Count, exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch, Mutation
from workbench.claims.study import Study, always, profile
from workbench.claims.views import iterates
from workbench.engine.records import Grid
from workbench.problems.saddle import BilinearSaddle
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Condition, Form, Paper, Statement, Theorem

KEY = "extragradient"
PAPER = Paper(KEY, "Extragradient", "Nemirovski", "SIAM J. Optim. 15 (2004)")
gamma, r = Symbol("gamma", positive=True), Symbol("r", positive=True)
x_1, y_1 = Symbol("x_1", nonnegative=True), Symbol("y_1", nonnegative=True)
THEOREM = Theorem(
    key=f"{KEY}/thm-3.2",
    paper=PAPER,
    title="Extragradient, Euclidean case",
    statement="The duality gap of the averages is $O(1/T)$",
    source="after Theorem 3.2",
    metric=r"duality gap of the averages of $w_k$ over $\|x\|, \|y\| \le r$",
    assumes=(),
    probability=S.One,
    forms=(
        Form(
            "derived here",
            ((Symbol("bound"), ((x_1 + r) ** 2 + (y_1 + r) ** 2) / (2 * gamma * v.T)),),
            "above",
        ),
    ),
    cases=(Case("monotone", {}, S(-1), "Theorem 3.2"),),
    schedule={"gamma": gamma},
    generic={v.L: S(1), gamma: S(1), r: S(1), x_1: S(1), y_1: S(1)},
    conditions=(Condition(gamma * v.L <= 1, "gamma L <= 1", "above"),),
)
LEVEL = Statement(
    f"{KEY}/level", PAPER, "r (|x_1| + |y_1|) / (gamma T)", r * (x_1 + y_1) / (gamma * v.T), "above"
)


class State(NamedTuple):
    x: Any
    y: Any
    z: Any  # the averages
    w: Any


class Steps(NamedTuple):
    gamma: Any


def init(start, c, oracle, draw, xp):
    zero = xp.zeros_like(start["x"])
    return State(start["x"], start["y"], zero, zero)


def step(s, t, c, oracle, draw, xp):
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    x, y = s.x - c.gamma * g_x, s.y + c.gamma * g_y
    h_x, h_y = oracle.grad(x, y, draw(0))
    return State(s.x - c.gamma * h_x, s.y + c.gamma * h_y, s.z + (x - s.z) / t, s.w + (y - s.w) / t)


RADIUS, STEP = 1.0, 0.5


def make(horizon, runs):
    grid = Grid([{}], runs)
    start = {"x": grid.random_start(0.5, 1.0), "y": grid.random_start(-0.5, -1.0)}
    problem = BilinearSaddle(radius=RADIUS)
    return Batch(problem, Steps(**THEOREM.steps(gamma=STEP, **problem.constants(start))), start, grid)


def known(result):
    """|x_1| and |y_1|, which are equal, from the distance of the start from 0."""
    side = result.constants["D_1"] / np.sqrt(2.0)
    return {**result.steps, "r": RADIUS, "x_1": side, "y_1": side}


T_STEPS = iterates()  # the averages recorded at mark m are those of m - 1 steps
STUDY = Study(PAPER, metric="gap", view=T_STEPS, kind="compliant", known=known, shift=-1)
SIZE = profile(30_000, 100_000, 1_000_000), always(64)
EG = STUDY.simulation("eg", "Extragradient", __name__, make, *SIZE)
PLAIN = Mutation("no extrapolation", "x, y", becomes="s.x, s.y")
GDA = STUDY.simulation(
    "gda", "Descent-ascent", __name__, make, profile(1000, 1000, 1000), always(64), mutation=PLAIN
)
SIMULATIONS = (EG, GDA)
CURVE = STUDY.reading(THEOREM, EG, case="monotone")
CLAIMS = (
    Constants(THEOREM, "x y", BilinearSaddle, {"x": np.ones((1, 1)), "y": np.ones((1, 1))}),
    *exponents(THEOREM),
    STUDY.bound(THEOREM, "derived here", EG, view=T_STEPS),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(LEVEL, "level derived here")),
    Count(THEOREM, EG, "gradient_x", 2),
    STUDY.reading(THEOREM, GDA, case="monotone").caught(),
)
