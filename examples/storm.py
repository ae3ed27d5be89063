"""STORM with constant parameters: the mean of E|grad f(x_t)|^2 falls like T^-2/3, that of the norm like T^-1/3.

Source: Cutkosky, Orabona, "Momentum-Based Variance Reduction in Non-Convex SGD", NeurIPS 2019, Theorem 1 (for steps
that adapt to the gradients, with logarithms). Here eta = k T^-1/3 / L, a = 4 L^2 eta^2 and d_1 from a batch of T^1/3
samples: the constants are derived here.

With e_t = d_t - grad f(x_t) and eta <= 1/(4 L), f(x_{t+1}) <= f(x_t) - eta/2 (|grad f|^2 + |d_t|^2/2 - |e_t|^2)
and E|e_{t+1}|^2 <= (1 - a) E|e_t|^2 + 2 L^2 eta^2 E|d_t|^2 + 2 a^2 sigma^2, as each sample is L-smooth. The sum of f
and eta/(2 a) |e|^2 no longer has |e_t|^2 and |d_t|^2 in it, and the mean of E|grad f|^2 is at most
2 Delta_1 / (eta T) + sigma^2 / (a T B) + 2 a sigma^2.

Level, derived here: on L x^2 / 2 with additive noise e_{t+1} = (1 - a) e_t + a noise does not depend on x, and
x_{t+1} = (1 - L eta) x_t - eta e_t: the second moments of (x, e) obey a linear recursion, which is summed here.
Falsifier: d_t = g_t, that is SGD with this step size, whose noise is L eta sigma^2 / 2: T^-1/3.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sympy import Rational, S, Symbol, cbrt

from workbench.arrays.noise import Sphere
from workbench.claims.claims import Count, exponents
from workbench.claims.constants import Constants
from workbench.claims.records import Batch, Mutation
from workbench.claims.study import Study, always, over, profile
from workbench.claims.views import at_horizons
from workbench.engine.records import Grid
from workbench.problems.single_level import Logarithm, Quadratic
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Condition, Form, Paper, Theorem

KEY = "storm"
PAPER = Paper(KEY, "STORM", "Cutkosky, Orabona", "NeurIPS 2019")
k, ETA, A = Symbol("k", positive=True), Symbol("eta_T", positive=True), Symbol("a", positive=True)
STEP, BATCH = k / (v.L * cbrt(v.T)), cbrt(v.T)
BOUND = 2 * v.Delta_1 / (ETA * v.T) + v.sigma_bar**2 / (A * v.T * BATCH) + 2 * A * v.sigma_bar**2
THEOREM = Theorem(
    key=f"{KEY}/thm-1",
    paper=PAPER,
    title="STORM with constant parameters",
    statement=r"The mean of $\mathbb{E}\|\nabla f(x_t)\|^2$ is $O(T^{-2/3})$",
    source="derived above, after Theorem 1",
    metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|^2$",
    assumes=(),
    probability=S.One,
    kind="expectation",
    forms=(Form("derived here", ((ETA, STEP), (A, 4 * v.L**2 * ETA**2), (Symbol("bound"), BOUND)), "above"),),
    cases=(Case("noisy", {}, -Rational(2, 3), "Theorem 1"),),
    schedule={"eta": STEP, "a": 4 * v.L**2 * STEP**2, "B": BATCH},
    generic={v.L: S(1), k: S(1) / 4, v.sigma_bar: S(1), v.Delta_1: S(1)},
    conditions=(Condition(4 * k <= cbrt(v.T), "eta <= 1/(4 L)", "above"),),
)


class State(NamedTuple):
    x: Any
    d: Any


class Steps(NamedTuple):
    eta: Any
    a: Any
    B: Any


def init(start, c, oracle, draw, xp):
    return State(start["x"], oracle.batch(start["x"], c.B, draw(0), xp=xp))


def step(s, t, c, oracle, draw, xp):
    xi = draw(0)
    x = s.x - c.eta * s.d
    d = oracle.grad(x, xi) + (1.0 - c.a) * (s.d - oracle.grad(s.x, xi))
    return State(x, d)


class Sampled:
    COSTS: ClassVar = {"grad": {"gradient": 1}, "batch": {"batch": 1}}

    def batch(self, x, B, xi, xp):
        """The mean of B samples, by its variance."""
        return self.grad_f(x, xp) + self.noise(xi, x.shape[-1], 0, xp) / xp.sqrt(B)


@dataclass(frozen=True)
class Parabola(Sampled, Quadratic): ...


@dataclass(frozen=True)
class Bent(Sampled, Logarithm): ...


HORIZONS, X_1, K = [2.0**j for j in range(6, 13)], 1.5, 0.35


def make(kind, horizon, runs):
    grid = Grid(over("until", [n for n in HORIZONS if n <= horizon] or HORIZONS[:1]), runs)
    problem, start = kind(Sphere(1.0)), {"x": grid.full(X_1)}
    constants = {**problem.constants(start), "T": grid["until"], "k": K}
    return Batch(problem, Steps(**THEOREM.steps(**constants)), start, grid)


def level(T, L, sigma_bar, **_):
    """The recursion of E x^2, E x e, E e^2 for each horizon."""
    found = []
    for horizon in T:
        c = Steps(**THEOREM.steps(L=L, T=horizon, k=K))
        x, cross, e, total = X_1**2, 0.0, sigma_bar**2 / c.B, 0.0
        for _ in range(int(horizon)):
            total += L**2 * x / horizon
            r, q = 1 - L * c.eta, 1 - c.a
            x, cross, e = (
                r**2 * x - 2 * r * c.eta * cross + c.eta**2 * e,
                q * (r * cross - c.eta * e),
                q**2 * e + c.a**2 * sigma_bar**2,
            )
        found.append(float(np.ravel(total)[0]))
    return np.array(found)


STUDY = Study(PAPER, metric="grad_sq_mean", view=at_horizons, kind="compliant", known=lambda result: {"k": K})
SIZE = always(int(HORIZONS[-1])), profile(2048, 4096, 8192)
STORM = STUDY.simulation("storm", "STORM, x^2 / 2", __name__, partial(make, Parabola), *SIZE)
BENT = STUDY.simulation("bent", "STORM, log(1 + x^2) / 2", __name__, partial(make, Bent), *SIZE)
WRONG = Mutation("plain SGD", "d", becomes="oracle.grad(x, xi)")
PLAIN = STUDY.simulation("plain", "d_t = g_t", __name__, partial(make, Parabola), *SIZE, mutation=WRONG)
SIMULATIONS = (STORM, BENT, PLAIN)
CURVE = STUDY.reading(THEOREM, STORM, case="noisy")
CLAIMS = (
    Constants(THEOREM, "log(1 + x^2) / 2", lambda: Bent(Sphere(1.0)), {"x": np.full((1, 1), X_1)}),
    *exponents(THEOREM),
    *(STUDY.bound(THEOREM, "derived here", sim) for sim in (STORM, BENT)),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(level, "level derived here", rtol=0.05)),
    Count(THEOREM, STORM, "gradient", 2),
    STUDY.reading(THEOREM, PLAIN, case="noisy").caught(),
)
