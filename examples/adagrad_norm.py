"""AdaGrad-Norm on a smooth function: mean of |grad f|^2 is O(1/T) without noise, O(log T / sqrt T) with it.

Source: Ward, Wu, Bottou, "AdaGrad Stepsizes: Sharp Convergence over Nonconvex Landscapes", JMLR 21 (2020), Theorem 2.1
(noise; its constant is written C here) and Theorem 2.2 (no noise, case b_0 >= eta L), for x_{t+1} = x_t - eta g_t / b_t
with b_t^2 = b_0^2 + |g_1|^2 + ... + |g_t|^2.

Constant without noise, derived here for the mean (it bounds the minimum): if b_0 >= eta L the descent inequality gives
sum |g_t|^2 / b_t <= 2 Delta_1 / eta =: S. Since b_t - b_{t-1} <= |g_t|^2 / b_t, b_T <= b_0 + S, so that
sum |g_t|^2 <= b_T S <= (b_0 + S) S.

Level with noise, derived here: on f = L x^2 / 2 the steps become eta / (sigma sqrt t), and x_t has the second moment of
SGD with that step, eta sigma / (2 L sqrt t). So the mean of |grad f|^2 is L eta sigma / sqrt T, without the logarithm.
Falsifier: b_t forgets what it has summed and is the last gradient's size: the steps do not become short.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sympy import Rational, S, Symbol, log, sqrt

from workbench.arrays.noise import Sphere
from workbench.arrays.ops import sq
from workbench.claims.claims import exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch, Mutation
from workbench.claims.study import Study, profile
from workbench.claims.views import window_means
from workbench.engine.records import Grid
from workbench.problems.single_level import Logarithm, Quadratic
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Condition, Form, Paper, Statement, Theorem

KEY = "adagrad_norm"
PAPER = Paper(KEY, "AdaGrad-Norm", "Ward, Wu, Bottou", "JMLR 21 (2020)")
b_0, C, S_T = Symbol("b_0", positive=True), Symbol("C", positive=True), Symbol("S_T", nonnegative=True)


def theorem(number, statement, chain, case, claimed, **more):
    return Theorem(
        key=f"{KEY}/thm-{number}",
        paper=PAPER,
        title="AdaGrad-Norm",
        statement=statement,
        source=f"Theorem {number}",
        metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|^2$",
        assumes=(),
        probability=S.One,
        kind="expectation",
        forms=(Form("printed", chain, f"Theorem {number}"),),
        cases=(Case(case, {}, claimed, f"Theorem {number}"),),
        schedule={"eta": v.eta, "b_0": b_0},
        generic={v.L: S(1), v.eta: S(1), b_0: S(1), v.Delta_1: S(1), C: S(1)},
        **more,
    )


EXACT = theorem(
    "2.2",
    r"Without noise the mean of $\|\nabla f(x_t)\|^2$ is $O(1/T)$",
    ((S_T, 2 * v.Delta_1 / v.eta), (Symbol("bound"), (b_0 + S_T) * S_T / v.T)),
    "exact",
    S(-1),
    conditions=(Condition(b_0 >= v.eta * v.L, "b_0 >= eta L", "derived above"),),
)
NOISY = theorem(
    "2.1",
    r"With noise it is $O(\log T / \sqrt{T})$",
    ((Symbol("bound"), C * log(v.T) / sqrt(v.T)),),
    "noisy",
    -Rational(1, 2),
)
LEVEL = Statement(
    f"{KEY}/level", PAPER, "L eta sigma / sqrt T", v.L * v.eta * v.sigma_bar / sqrt(v.T), "derived above"
)


class State(NamedTuple):
    x: Any
    b_sq: Any


class Steps(NamedTuple):
    eta: Any
    b_0: Any


def init(start, c, oracle, draw, xp):
    return State(start["x"], xp.zeros_like(start["x"][:, 0:1]) + c.b_0 * c.b_0)


def step(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    b_sq = s.b_sq + sq(g, xp)
    return State(s.x - c.eta / xp.sqrt(b_sq) * g, b_sq)


def make(kind, sigma, theorem, horizon, runs):
    grid = Grid([{"sigma": sigma}], runs)
    problem, start = kind(Sphere(sigma)), {"x": grid.random_start(0.5, 2.0)}
    constants = problem.constants(start)
    return Batch(problem, Steps(**theorem.steps(eta=1.0, b_0=1.0, **constants)), start, grid)


STUDY = Study(PAPER, metric="grad_sq_mean", view=window_means, known=lambda result: result.steps)
SIZE = profile(20_000, 50_000, 200_000), profile(2048, 2048, 2048)
QUIET = STUDY.simulation(
    "quiet",
    "No noise, log(1 + x^2) / 2",
    __name__,
    partial(make, Logarithm, 0.0, EXACT),
    *SIZE,
    kind="compliant",
)
SGD = STUDY.simulation("noisy", "Noise, x^2 / 2", __name__, partial(make, Quadratic, 1.0, NOISY), *SIZE)
WRONG = Mutation("b forgets", "b_sq", becomes="c.b_0 * c.b_0 + sq(g, xp)")
LONG = STUDY.simulation(
    "long", "b forgets", __name__, partial(make, Quadratic, 1.0, NOISY), *SIZE, mutation=WRONG
)
SIMULATIONS = (QUIET, SGD, LONG)
CURVE = STUDY.reading(NOISY, SGD, case="noisy")
CLAIMS = (
    Constants(EXACT, "log(1 + x^2) / 2", lambda: Logarithm(Sphere(1.0)), {"x": np.full((1, 1), 1.0)}),
    *(*exponents(EXACT), *exponents(NOISY), STUDY.bound(EXACT, "printed", QUIET)),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(LEVEL, "level derived here", rtol=0.05)),
    STUDY.reading(NOISY, LONG, case="noisy").caught(),
)
