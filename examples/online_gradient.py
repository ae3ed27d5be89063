"""Projected online gradient descent: regret at most (3/2) G D sqrt T, and at least of this order for every method.

Source: Zinkevich, "Online Convex Programming and Generalized Infinitesimal Gradient Ascent", ICML 2003, Theorem 1, with
the steps D / (G sqrt t) and the constant of Hazan, "Introduction to Online Convex Optimization" (2016), Theorem 3.1.

Level, derived here (the lower bound of Hazan's Theorem 3.2): let f_t(x) = (G / sqrt d) <z_t, x> with fair signs z_t on
a cube of diameter D. x_t is independent of z_t, so every method has the mean loss 0, while the best fixed point gains
G D / (2 d) times the sum over coordinates of |S_T|, S_T = z_1 + ... + z_T. The mean regret is G (D/2) E|S_T| =
G D sqrt(T / (2 pi)), up to a factor 1 + O(1/T): the bound is loose by 3.76. Falsifier, on f_t(x) = G |x - u| with a
fixed u (above every method has the same mean regret): a step that does not decrease.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

from sympy import Rational, S, Symbol, pi, sqrt

from workbench.arrays.ops import clip, dot, rowsum, sign
from workbench.claims.claims import exponents
from workbench.claims.records import Batch, Mutation
from workbench.claims.study import Study, profile
from workbench.claims.views import iterates
from workbench.engine.records import Grid
from workbench.problems.samples import Noise, Space
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Form, Paper, Statement, Theorem

KEY = "online_gradient"
PAPER = Paper(KEY, "Online gradient descent", "Zinkevich; Hazan", "ICML 2003; Found. Trends Optim. 2 (2016)")
D, G = Symbol("D", positive=True), Symbol("G", positive=True)
THEOREM = Theorem(
    key=f"{KEY}/thm-3.1",
    paper=PAPER,
    title="Projected online gradient descent",
    statement=r"The regret is at most $(3/2) G D \sqrt{T}$",
    source="Hazan, Theorem 3.1",
    metric="regret after $T$ rounds",
    assumes=(),
    probability=S.One,
    kind="expectation",
    forms=(Form("printed", ((Symbol("bound"), Rational(3, 2) * G * D * sqrt(v.T)),), "Theorem 3.1"),),
    cases=(Case("convex", {}, Rational(1, 2), "Theorem 3.1"),),
    schedule={"eta": D / G},
    generic={G: S(1), D: S(1)},
)
LEVEL = Statement(
    f"{KEY}/level",
    PAPER,
    "G D sqrt(T / (2 pi)) for random signs",
    G * D * sqrt(v.T / (2 * pi)),
    "derived above",
)


class State(NamedTuple):
    x: Any
    loss: Any  # so far
    slope: Any  # the sum of the slopes z_t G, which makes the loss of any fixed point


class Steps(NamedTuple):
    eta: Any


def init(start, c, oracle, draw, xp):
    return State(start["x"], xp.zeros_like(start["x"][:, 0:1]), xp.zeros_like(start["x"]))


def step(s, t, c, oracle, draw, xp):
    g, loss = oracle.round(s.x, draw(0), xp=xp)
    eta = c.eta / xp.sqrt(t)
    return State(oracle.project(s.x - eta * g, xp=xp), s.loss + loss, s.slope + g)


@dataclass(frozen=True)
class Signs:
    """f_t(x) = (G / sqrt d) <z_t, x> with fair signs z_t, on the cube of diameter D."""

    G: float = 1.0
    D: float = 2.0
    COSTS: ClassVar = {"round": {"gradient": 1}, "project": {"projection": 1}}
    RECORD: ClassVar = {"regret": ("last",)}

    def round(self, x, xi, xp):
        """The gradient at x and the loss."""
        g = self.G / math.sqrt(x.shape[-1]) * xi.sign(x.shape[-1])
        return g, dot(g, x, xp)

    def project(self, x, xp):
        half = self.D / (2.0 * math.sqrt(x.shape[-1]))
        return clip(x, -half, half, xp)

    def metrics(self, s, t, xp):
        best = self.D / (2.0 * math.sqrt(s.x.shape[-1])) * rowsum(xp.abs(s.slope), xp)
        return {"regret": s.loss + best}

    def constants(self, start):
        return {"G": self.G, "D": self.D}

    def samples(self, start):
        space = Space((start["x"].shape[-1],))
        return {"G": Noise(space, lambda x, xi, xp: self.round(x, xi, xp)[0], lambda x, xp: 0.0 * x)}

    unsampled: ClassVar = {"D": "the diameter of the cube, by definition"}


@dataclass(frozen=True)
class Distance(Signs):
    """f_t(x) = G |x - u| for one coordinate; u has no loss."""

    u: Any = 0.0

    def round(self, x, xi, xp):
        return self.G * sign(x - self.u, xp), self.G * xp.abs(x - self.u)

    def metrics(self, s, t, xp):
        return {"regret": s.loss}


def make(kind, d, horizon, runs):
    grid = Grid([{}], runs)
    problem = Distance(u=grid.random_start(0.2, 0.6)) if kind is Distance else kind()
    return Batch(problem, Steps(**THEOREM.steps(**problem.constants({}))), {"x": grid.full(0.0, d)}, grid)


T_ROUNDS = iterates()  # the state recorded at mark m has seen m - 1 rounds
STUDY = Study(PAPER, metric="regret", view=T_ROUNDS, kind="compliant", shift=-1)
SIZE = profile(10_000, 100_000, 1_000_000), profile(2048, 2048, 2048)
RANDOM = STUDY.simulation("random", "Random signs", __name__, partial(make, Signs, 16), *SIZE)
FEW = SIZE[0], profile(64, 64, 64)
TARGET = STUDY.simulation("target", "A fixed target", __name__, partial(make, Distance, 1), *FEW)
FLAT = Mutation("constant step", "eta", becomes="c.eta / 10.0")
WRONG = STUDY.simulation(
    "constant", "A fixed target, constant step", __name__, partial(make, Distance, 1), *FEW, mutation=FLAT
)
SIMULATIONS = (RANDOM, TARGET, WRONG)
CURVE = STUDY.reading(THEOREM, RANDOM, case="convex")
CLAIMS = (
    *exponents(THEOREM),
    *(STUDY.bound(THEOREM, "printed", sim, view=T_ROUNDS) for sim in (RANDOM, TARGET)),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(LEVEL, "level derived here", rtol=0.05)),
    STUDY.reading(THEOREM, WRONG, case="convex").caught(),
)
