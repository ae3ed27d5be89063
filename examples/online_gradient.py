"""Projected online gradient descent: regret at most (3/2) G D sqrt T, and at least of this order for every method.

Source: Zinkevich, "Online Convex Programming and Generalized Infinitesimal Gradient Ascent", ICML 2003, Theorem 1, with
the steps D / (G sqrt t) and the constant of Hazan, "Introduction to Online Convex Optimization" (2016), Theorem 3.1.

Level, derived here (the lower bound of Hazan's Theorem 3.2): let f_t(x) = (G / sqrt d) <z_t, x> with fair signs z_t on
a cube of diameter D. x_t is independent of z_t, so every method has the mean loss 0, while the best fixed point gains
G D / (2 d) times the sum over coordinates of |S_T|, S_T = z_1 + ... + z_T. The mean regret is G (D/2) E|S_T| =
G D sqrt(T / (2 pi)), up to a factor 1 + O(1/T): the bound is loose by 3.76. Falsifier, on f_t(x) = G |x - u| with a
fixed u (above every method has the same mean regret): a step that does not decrease.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from sympy import Rational, Symbol, pi, sqrt

import workbench as wb

v, G = wb.vocabulary, Symbol("G", positive=True)
PAPER = wb.Paper(__name__, "Online gradient descent", "Zinkevich; Hazan", "ICML 2003; Found. Trends Optim. 2")
THEOREM = PAPER.theorem(
    "thm-3.1",
    statement=r"The regret is at most $(3/2) G D \sqrt{T}$",
    source="Hazan, Theorem 3.1",
    metric="regret after $T$ rounds",
    expectation=True,
    bound=Rational(3, 2) * G * v.D * sqrt(v.T),
    exponent=1 / 2,
    schedule={"eta": v.D / G},
    generic={G: 1, v.D: 1},
)
# loss: so far; slope: the sum of the slopes z_t G, which makes the loss of any fixed point
State, Steps = wb.state("x", "loss", "slope"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    g, loss = oracle.round(s.x, draw(0), xp=xp)
    eta = c.eta / xp.sqrt(t)
    return State(oracle.project(s.x - eta * g, xp=xp), s.loss + loss, s.slope + g)


@dataclass(frozen=True)
class Signs:
    """f_t(x) = (G / sqrt d) <z_t, x> with fair signs z_t, on the cube of diameter D; here G = 1, D = 2."""

    COSTS: ClassVar = {"round": {"gradient": 1}, "project": {"projection": 1}}
    RECORD: ClassVar = {"regret": ("last",)}

    def round(self, x, xi, xp):
        g = xi.sign(x.shape[-1]) / x.shape[-1] ** 0.5
        return g, wb.ops.dot(g, x, xp)  # the gradient at x, and the loss

    def project(self, x, xp):
        return wb.ops.clip(x, -(x.shape[-1] ** -0.5), x.shape[-1] ** -0.5, xp)

    def metrics(self, s, t, xp):
        return {"regret": s.loss + wb.ops.rowsum(xp.abs(s.slope), xp) / s.x.shape[-1] ** 0.5}


@dataclass(frozen=True)
class Distance(Signs):
    """f_t(x) = |x - u| for one coordinate; u has no loss."""

    u: Any

    def round(self, x, xi, xp):
        return wb.ops.sign(x - self.u, xp), xp.abs(x - self.u)

    def metrics(self, s, t, xp):
        return {"regret": s.loss}


T_ROUNDS, FREE = wb.iterates(), {"G": 1.0, "D": 2.0}  # the state recorded at mark m has seen m - 1 rounds
STUDY = wb.Study(PAPER, metric="regret", view=T_ROUNDS, kind="compliant", shift=-1)
SHARED = {"steps": Steps.of(THEOREM, **FREE), "horizon": wb.profile(10_000, 100_000, 1_000_000)}
ZERO, ZEROS = {"x": 0.0, "loss": 0.0, "slope": 0.0}, {"x": [0.0] * 16, "loss": 0.0, "slope": [0.0] * 16}
CUBE = {"problem": lambda grid: Signs(), "start": ZEROS, "runs": 2048, **SHARED}
RANDOM = STUDY.simulation(step, name="random", title="Random signs", **CUBE)
LINE = {"problem": lambda grid: Distance(grid.random_start(0.2, 0.6)), "start": ZERO, "runs": 64, **SHARED}
TARGET = STUDY.simulation(step, name="target", title="A fixed target", **LINE)
FLAT = wb.Mutation("constant step", "eta", becomes="c.eta / 10.0")
WRONG = STUDY.simulation(step, name="constant", title="A fixed target, constant step", mutation=FLAT, **LINE)
CURVE, LEVEL = STUDY.reading(THEOREM, RANDOM), G * v.D * sqrt(v.T / (2 * pi))
CLAIMS = (
    *STUDY.exponents(THEOREM),
    *(STUDY.bound(THEOREM, "printed", sim, view=T_ROUNDS) for sim in (RANDOM, TARGET)),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(LEVEL, "level derived here", rtol=0.05)),
    STUDY.reading(THEOREM, WRONG).caught(),
)
