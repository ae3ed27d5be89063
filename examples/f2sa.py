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
from typing import Any, ClassVar

from sympy import Rational, Symbol

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "F2SA", "Kwon, Kwon, Wright, Nowak", "ICML 2023")
C, A, LAM, BIAS = (Symbol(name, positive=True) for name in ("C", "a", "lam", "bias"))
GROWTH = Rational(1, 3)
THEOREM = PAPER.theorem(
    "thm-4.1",
    statement=r"$\|\nabla \Phi(x_k)\|^2$ is $O(k^{-2/3})$, up to a logarithm for the mean",
    source="Theorem 4.1, case without noise",
    metric=r"$\|\nabla \Phi(x_T)\|^2$",
    where=((BIAS, C / v.T**GROWTH),),
    bound=BIAS**2,
    exponent=-2 / 3,
    schedule={"growth": GROWTH, "lam": LAM, "gamma": v.gamma},
    generic={C: 1},
)
State = wb.state("x", "y", "z")
Steps = wb.steps("growth", "lam", "gamma")  # lam: at k = 1; gamma: of z, and of y in terms of lambda g


def step(s, t, c, oracle, draw, xp):
    lam = c.lam * wb.ops.power(t, c.growth, xp)
    alpha = c.gamma / lam
    z = s.z - c.gamma * oracle.lower(s.x, s.z, xp=xp)[1]
    f_x, f_y = oracle.upper(s.x, s.y, xp=xp)
    g_x, g_y = oracle.lower(s.x, s.y, xp=xp)
    y = s.y - alpha * (f_y + lam * g_y)
    x = s.x - alpha * (f_x + lam * (g_x - oracle.lower(s.x, z, xp=xp)[0]))
    return State(x, y, z)


@dataclass(frozen=True)
class Pair:
    """f = (y - a)^2 / 2 + x^2 / 2, g = (y - x)^2 / 2: the one above with rho = 1."""

    a: Any
    COSTS: ClassVar = {"upper": {"gradient_f": 1}, "lower": {"gradient_g": 1}}
    RECORD: ClassVar = {"grad_sq": ("last",)}

    def upper(self, x, y, xp):
        return x, y - self.a

    def lower(self, x, y, xp):
        return x - y, y - x

    def metrics(self, s, t, xp):
        return {"grad_sq": wb.ops.sq(s.x - self.a + s.x, xp)}

    def constants(self, start):
        return {"a": self.a}

    unsampled: ClassVar = {"a": "where f is least in y, by definition"}


STUDY = wb.Study(PAPER, metric="grad_sq", known=lambda result: result.steps)
SIZE = {"horizon": wb.profile(100_000, 300_000, 1_000_000), "runs": 32}
RULE = {"steps": Steps.of(THEOREM, lam=4.0, gamma=0.5), "start": {"x": 0.0, "y": 0.0, "z": 0.0}}
SHARED = {"problem": lambda grid: Pair(grid.random_start(0.5, 1.5)), **RULE, **SIZE}
F2SA = STUDY.simulation(step, name="f2sa", chosen="lambda_1 = 4, gamma = 1/2", **SHARED)
WRONG = wb.Mutation("lambda k^1/6", "lam", becomes="c.growth / 2.0", part="c.growth")
SLOW = STUDY.simulation(step, name="slower", title="Multiplier of order k^1/6", mutation=WRONG, **SHARED)
CURVE = STUDY.reading(THEOREM, F2SA)
CLAIMS = (
    *STUDY.exponents(THEOREM),
    *(CURVE.rate(), CURVE.tight()),
    CURVE.level((A / (1 + 2 * LAM * v.T**GROWTH)) ** 2, "level derived here"),
    *(STUDY.count(THEOREM, F2SA, "gradient_g", 3), STUDY.count(THEOREM, F2SA, "gradient_f", 1)),
    STUDY.reading(THEOREM, SLOW).caught(),
)
