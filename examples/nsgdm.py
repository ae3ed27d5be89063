"""Normalised SGD with momentum: the mean of E|grad f(x_t)| falls like T^-1/4, with one sample per iteration.

Source: Cutkosky, Mehta, "Momentum Improves Normalized SGD", ICML 2020, Theorem 1: m_t = (1 - a) m_{t-1} + a g_t,
x_{t+1} = x_t - eta m_t / |m_t|, a = min(1, sqrt(R L) / (sigma sqrt T)), eta = sqrt(R a / (L T)), R >= f(x_1) - f*.

Constants derived here, not those printed: with e_t = m_t - grad f(x_t) the descent inequality gives
eta |grad f| <= f(x_t) - f(x_{t+1}) + 2 eta |e_t| + L eta^2 / 2, and m_1 = g_1 with e_t = (1 - a) (e_{t-1} + change of
the gradient, at most L eta) + a noise gives E|e_t| <= (1 - a)^(t-1) sigma + sigma sqrt a + L eta / a. So the mean is
at most R / (eta T) + L eta / 2 + 2 sigma / (a T) + 2 sigma sqrt a + 2 L eta / a.

Tight on x^2 / 2: for small a, m / (sigma sqrt a) and L x / (sigma sqrt a) follow a limit process without any parameter
(L eta = sigma a^(3/2) by the choice of a and eta), so |grad f| is a number times sigma sqrt a, T^-1/4; there is no
closed form for the number. Falsifier: steps shorter by the factor a, which do not arrive.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sympy import Min, Rational, S, Symbol, sqrt

from workbench.arrays.noise import Sphere
from workbench.arrays.ops import unit
from workbench.claims.claims import exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch, Mutation
from workbench.claims.study import Study, always, over, profile
from workbench.claims.views import at_horizons
from workbench.engine.records import Grid
from workbench.problems.single_level import Logarithm, Quadratic
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Form, Paper, Theorem

KEY = "nsgdm"
PAPER = Paper(KEY, "Normalised SGD with momentum", "Cutkosky, Mehta", "ICML 2020")
A, ETA, R = Symbol("a", positive=True), Symbol("eta_T", positive=True), Symbol("R", positive=True)
MOMENTUM = Min(1, sqrt(R * v.L / v.T) / v.sigma_bar)
STEP = sqrt(R * MOMENTUM / (v.L * v.T))
DESCENT = R / (ETA * v.T) + v.L * ETA / 2
ERROR = v.sigma_bar / (A * v.T) + v.sigma_bar * sqrt(A) + v.L * ETA / A
THEOREM = Theorem(
    key=f"{KEY}/thm-1",
    paper=PAPER,
    title="Normalised SGD with momentum",
    statement=r"The mean of $\mathbb{E}\|\nabla f(x_t)\|$ is $O(T^{-1/4})$, and $O(T^{-1/2})$ without noise",
    source="Theorem 1",
    metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|$",
    assumes=(),
    probability=S.One,
    kind="expectation",
    forms=(
        Form("derived here", ((A, MOMENTUM), (ETA, STEP), (Symbol("bound"), DESCENT + 2 * ERROR)), "above"),
    ),
    cases=(Case("noisy", {}, -Rational(1, 4), "Theorem 1"),),
    schedule={"a": MOMENTUM, "eta": STEP},
    generic={v.L: S(1), v.sigma_bar: S(1), R: S(1)},
)


class State(NamedTuple):
    x: Any
    m: Any


class Steps(NamedTuple):
    a: Any
    eta: Any


def init(start, c, oracle, draw, xp):
    return State(start["x"], xp.zeros_like(start["x"]))


def step(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = xp.where(t > 1.0, (1.0 - c.a) * s.m + c.a * g, g)
    x = s.x - c.eta * unit(m, xp)
    return State(x, m)


HORIZONS, X_1 = [2.0**k for k in range(6, 14)], 0.25
SIGMA, FREE = 0.5, {"R": 1.0}  # at least f(x_1) - f*


def make(kind, horizon, runs):
    grid = Grid(over("until", [n for n in HORIZONS if n <= horizon] or HORIZONS[:1]), runs)
    problem, start = kind(Sphere(SIGMA)), {"x": grid.full(X_1)}
    constants = {**problem.constants(start), **FREE, "T": grid["until"]}
    return Batch(problem, Steps(**THEOREM.steps(**constants)), start, grid)


STUDY = Study(PAPER, metric="grad_norm_mean", view=at_horizons, kind="compliant", known=lambda result: FREE)
SIZE = always(int(HORIZONS[-1])), profile(4096, 4096, 8192)
FEW = SIZE[0], profile(256, 512, 1024)
NSGDM = STUDY.simulation("nsgdm", "Momentum, x^2 / 2", __name__, partial(make, Quadratic), *SIZE)
BENT = STUDY.simulation("bent", "Momentum, log(1 + x^2) / 2", __name__, partial(make, Logarithm), *FEW)
SHORT = Mutation("short steps", "x", becomes="c.eta * c.a", part="c.eta")
NSGD = STUDY.simulation("short", "Short steps", __name__, partial(make, Quadratic), *FEW, mutation=SHORT)
SIMULATIONS = (NSGDM, BENT, NSGD)
CURVE = STUDY.reading(THEOREM, NSGDM, case="noisy")
CLAIMS = (
    Constants(THEOREM, "log(1 + x^2) / 2", lambda: Logarithm(Sphere(SIGMA)), {"x": np.full((1, 1), X_1)}),
    *exponents(THEOREM),
    *(STUDY.bound(THEOREM, "derived here", sim) for sim in (NSGDM, BENT)),
    *(CURVE.rate(), CURVE.tight()),
    STUDY.reading(THEOREM, NSGD, case="noisy").caught(),
)
