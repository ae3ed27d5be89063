"""A first-order penalty method for bilevel problems (F2SA, without noise): |grad Phi|^2 falls like T^-2/3.

Source: Kwon, Kwon, Wright, Nowak, "A Fully First-Order Method for Stochastic Bilevel Optimization", ICML 2023, Theorem
4.1 and its corollary for the case without noise: multiplier lambda_k of order k^1/3, steps alpha_k of order k^-1/3 for
x and y, gamma constant for z; the constants are hidden in O(.), so there is no bound to compare with (C below). y
follows the minimizer of f + lambda g, z that of g, and x the gradient of f + lambda (g(y) - g(z)): no second
derivatives, but a bias of order 1/lambda, whose square is the rate.

Level, derived here: for f = (y - a)^2/2 + rho x^2/2 and g = (y - x)^2/2, Phi = (x - a)^2/2 + rho x^2/2, while the
penalised problem has (x - a)^2 m/2 in place of (x - a)^2/2, m = lambda/(1 + lambda). At its minimizer
|grad Phi| = rho a / ((1 + lambda) (m + rho)), about rho a / ((1 + rho) lambda). x follows it with a lag of relative
order 1/k^(2/3). Falsifier: a multiplier that grows like k^(1/6).
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from sympy import Rational, S, Symbol

from workbench.arrays.ops import power, sq
from workbench.claims.claims import Count, exponents
from workbench.claims.records import Batch, Mutation
from workbench.claims.study import Study, always, profile
from workbench.engine.records import Grid
from workbench.problems.samples import Lipschitz, Space
from workbench.theory import vocabulary as v
from workbench.theory.record import Case, Form, Paper, Theorem

KEY = "f2sa"
PAPER = Paper(KEY, "F2SA", "Kwon, Kwon, Wright, Nowak", "ICML 2023")
C, LAM, STEP = Symbol("C", positive=True), Symbol("lam", positive=True), Symbol("gamma", positive=True)
GROWTH = Rational(1, 3)
THEOREM = Theorem(
    key=f"{KEY}/thm-4.1",
    paper=PAPER,
    title="F2SA without noise",
    statement=r"$\|\nabla \Phi(x_k)\|^2$ is $O(k^{-2/3})$, up to a logarithm for the mean",
    source="Theorem 4.1, case without noise",
    metric=r"$\|\nabla \Phi(x_T)\|^2$",
    assumes=(),
    probability=S.One,
    forms=(
        Form(
            "printed",
            ((Symbol("bias"), C / v.T**GROWTH), (Symbol("bound"), Symbol("bias") ** 2)),
            "Theorem 4.1",
        ),
    ),
    cases=(Case("exact", {}, -Rational(2, 3), "Theorem 4.1"),),
    schedule={"growth": GROWTH, "lam": LAM, "gamma": STEP},
    generic={C: S(1)},
)


class State(NamedTuple):
    x: Any
    y: Any
    z: Any


class Steps(NamedTuple):
    growth: Any
    lam: Any  # multiplier at k = 1
    gamma: Any  # step of z; that of y in terms of lambda g is the same


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"], start["x"])


def step(s, t, c, oracle, draw, xp):
    lam = c.lam * power(t, c.growth, xp)
    alpha = c.gamma / lam
    z = s.z - c.gamma * oracle.lower(s.x, s.z, xp=xp)[1]
    f_x, f_y = oracle.upper(s.x, s.y, xp=xp)
    g_x, g_y = oracle.lower(s.x, s.y, xp=xp)
    y = s.y - alpha * (f_y + lam * g_y)
    x = s.x - alpha * (f_x + lam * (g_x - oracle.lower(s.x, z, xp=xp)[0]))
    return State(x, y, z)


@dataclass(frozen=True)
class Pair:
    """f = (y - a)^2 / 2 + rho x^2 / 2, g = (y - x)^2 / 2."""

    a: Any
    rho: float = 1.0
    COSTS: ClassVar = {"upper": {"gradient_f": 1}, "lower": {"gradient_g": 1}}
    RECORD: ClassVar = {"grad_sq": ("last",)}

    def upper(self, x, y, xp):
        return self.rho * x, y - self.a

    def lower(self, x, y, xp):
        return x - y, y - x

    def metrics(self, s, t, xp):
        return {"grad_sq": sq(s.x - self.a + self.rho * s.x, xp)}

    def constants(self, start):
        return {"a": self.a, "rho": self.rho}

    def samples(self, start):
        return {"rho": Lipschitz(Space((1,)), lambda x, xp: self.upper(x, x, xp)[0])}

    unsampled: ClassVar = {"a": "where f is least in y, by definition"}


def make(horizon, runs):
    grid = Grid([{}], runs)
    start = {"x": grid.full(0.0)}
    return Batch(Pair(grid.random_start(0.5, 1.5)), Steps(**THEOREM.steps(lam=4.0, gamma=0.5)), start, grid)


def level(T, a, rho, lam, growth, **_):
    multiplier = lam * T**growth
    return (rho * a / ((1 + multiplier) * (multiplier / (1 + multiplier) + rho))) ** 2


STUDY = Study(PAPER, metric="grad_sq", known=lambda result: result.steps)
SIZE = profile(100_000, 300_000, 1_000_000), always(32)
F2SA = STUDY.simulation("f2sa", "F2SA", __name__, make, *SIZE, chosen="lambda_1 = 4, gamma = 1/2")
SLOWER = Mutation("lambda k^1/6", "lam", becomes="c.growth / 2.0", part="c.growth")
SHORT = STUDY.simulation("slower", "Multiplier of order k^1/6", __name__, make, *SIZE, mutation=SLOWER)
SIMULATIONS = (F2SA, SHORT)
CURVE = STUDY.reading(THEOREM, F2SA, case="exact")
CLAIMS = (
    *exponents(THEOREM),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(level, "level derived here")),
    *(Count(THEOREM, F2SA, "gradient_g", 3), Count(THEOREM, F2SA, "gradient_f", 1)),
    STUDY.reading(THEOREM, SHORT, case="exact").caught(),
)
