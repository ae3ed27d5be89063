"""SGD on a strongly convex function: E f(x_t) - f* <= nu / (gamma + t) with steps beta / (gamma + t).

Source: Bottou, Curtis, Nocedal, "Optimization Methods for Large-Scale Machine Learning", SIAM Review 60 (2018),
Theorem 4.7, for unbiased gradients with variance at most sigma^2 (their M = sigma^2, M_G = 1; mu is their c): if
beta > 1/mu and beta / (gamma + 1) <= 1/L, nu = max(beta^2 L sigma^2 / (2 (beta mu - 1)), (gamma + 1) (f(x_1) - f*)).

Level, derived here: on f = L x^2 / 2 with mu = L, e_t = E x_t^2 obeys e_{t+1} = (1 - L a)^2 e_t + a^2 sigma^2 with
a = beta / (gamma + t). The ansatz e_t = K / t gives K (2 beta L - 1) = beta^2 sigma^2. The theorem has beta mu - 1 in
place of beta L - 1/2 and is loose by a factor 3 for beta = 2/L. With beta < 1/(2 mu) the start is forgotten like
T^(-2 beta mu) only (Nemirovski et al., SIAM J. Optim. 19 (2009), section 2.1): the falsifier, beta = 1/(4 L).
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sympy import Max, S, Symbol

from workbench.arrays.noise import Sphere
from workbench.claims.claims import exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch
from workbench.claims.study import Study, profile
from workbench.engine.records import Grid
from workbench.problems.single_level import Quadratic
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Condition, Form, Paper, Statement, Theorem

KEY = "sgd_strongly_convex"
PAPER = Paper(KEY, "SGD, strongly convex", "Bottou, Curtis, Nocedal", "SIAM Review 60 (2018)")
beta, gamma = Symbol("beta", positive=True), Symbol("gamma", positive=True)
NU = Max(beta**2 * v.L * v.sigma_bar**2 / (2 * (beta * v.mu - 1)), (gamma + 1) * v.Delta_1)
THEOREM = Theorem(
    key=f"{KEY}/thm-4.7",
    paper=PAPER,
    title="SGD with steps beta / (gamma + t)",
    statement=r"$\mathbb{E} f(x_T) - f^* \le \nu / (\gamma + T)$",
    source="Theorem 4.7",
    metric="$f(x_T) - f^*$",
    assumes=(),
    probability=S.One,
    kind="expectation",
    forms=(
        Form("printed", ((Symbol("nu"), NU), (Symbol("bound"), Symbol("nu") / (gamma + v.T))), "Theorem 4.7"),
    ),
    cases=(Case("any", {}, S(-1), "Theorem 4.7"),),
    schedule={"beta": beta, "gamma": gamma},
    generic={v.L: S(2), v.mu: S(2), beta: S(1), gamma: S(1), v.sigma_bar: S(1), v.Delta_1: S(1)},
    conditions=(
        Condition(beta * v.mu > 1, "beta > 1/mu", "Theorem 4.7"),
        Condition(beta * v.L <= gamma + 1, "beta / (gamma + 1) <= 1/L", "Theorem 4.7"),
    ),
)
LEVEL = Statement(
    f"{KEY}/level",
    PAPER,
    "f(x_T) - f* on f = L x^2 / 2, derived above",
    v.L / 2 * beta**2 * v.sigma_bar**2 / ((2 * beta * v.L - 1) * v.T),
    "the ansatz K/t in the recursion of E x_t^2",
)


class State(NamedTuple):
    x: Any


class Steps(NamedTuple):
    beta: Any
    gamma: Any


def init(start, c, oracle, draw, xp):
    return State(start["x"])


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.beta / (c.gamma + t) * oracle.grad(s.x, draw(0)))


def make(factor, horizon, runs):
    grid = Grid([{"sigma": 1.0}], runs)
    problem, start = Quadratic(Sphere(grid["sigma"]), L=2.0), {"x": grid.full(0.1, 16)}
    known = {**problem.constants(start), "beta": factor / problem.L, "gamma": 1.5}
    steps = THEOREM.steps(**known) if factor > 1 else known
    return Batch(problem, Steps(steps["beta"], steps["gamma"]), start, grid)


STUDY = Study(PAPER, metric="gap", known=lambda result: result.steps)
SIZE = profile(10_000, 30_000, 100_000), profile(2048, 2048, 2048)
SGD = STUDY.simulation("sgd", "SGD, beta = 2/L", __name__, partial(make, 2.0), *SIZE, kind="compliant")
SLOW = STUDY.simulation(
    "slow", "SGD, beta = 1/(4 L)", __name__, partial(make, 0.25), *SIZE, wrong="beta below 1/(2 mu)"
)
SIMULATIONS = (SGD, SLOW)
CURVE = STUDY.reading(THEOREM, SGD, case="any")
CLAIMS = (
    Constants(THEOREM, "the parabola", lambda: Quadratic(Sphere(1.0), L=2.0), {"x": np.full((1, 16), 0.1)}),
    *exponents(THEOREM),
    STUDY.bound(THEOREM, "printed", SGD),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(LEVEL, "level derived here", rtol=0.05)),
    STUDY.reading(THEOREM, SLOW, case="any").caught(),
)
