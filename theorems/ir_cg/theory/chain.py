"""What the records of this paper's proof chain share: keys without the paper's name, recorded quantities, simulations.

A probe records at t what belongs to x_t and z_t, and the estimators' errors at x_(t-1).
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from sympy import Expr, Ge, Rational, Sum, Symbol, log, symbols

from workbench import Form, lemma
from workbench.lemma import Induction, Inequality, Interval, LinearProgram, WithProbability, at_least
from workbench.vocabulary import T, delta

from .paper import PAPER

link = partial(lemma.link, PAPER)

DELTA = Rational(1, 10)  # failure probability at which lines "with probability 1 - delta" are measured
likely = partial(WithProbability, probability=1 - DELTA)
C_STORM = 3 ** Rational(-1, 2)  # admissible in Lemma 3 for almost surely bounded noise (I3)
t = Symbol("t", positive=True)

HC, EXP, NC = (PAPER.entry(f"sim-ledger-{n}") for n in ("hc", "exp", "saddle"))
FS, NC_FS = PAPER.entry("sim-ledger-components"), PAPER.entry("sim-ledger-saddle-fs")
MOVING = (
    PAPER.entry(
        "sim-ledger-moving"
    )  # long steps, so that lines on the error of SPIDER come nearest to equality
)
NC_OWN, NC_FS_OWN = f"{NC}-own", f"{NC_FS}-own"  # at this project's p, omega
ONE_SAMPLE, FINITE_SUM, EACH_NC = (HC, EXP), (FS,), (NC, NC_FS, NC_OWN, NC_FS_OWN)

SET, CONVEX, SMOOTH, NOISE = "asm-1(a)", "asm-1(b)", ("asm-1(c)", "asm-1(d)"), "asm-1(e)"


def quantities(*names: str) -> tuple[Symbol, ...]:
    """Recorded quantities, as real symbols."""
    return tuple(Symbol(n, real=True) for n in names)


late, later = quantities(
    "late", "later"
)  # indicators: 1 from t = q on, and from t = q + 2 on (`workbench.theorems.ir_cg.probes`)


def from_q(kind: Callable[..., Any], name: str, lhs: Expr, rhs: Expr, **more: Any) -> Any:
    """A line that Algorithm 2 obeys from t = q on: both sides are multiplied by `late`."""
    return kind(name, late * lhs, late * rhs, on=FINITE_SUM, **more)


def after_q(name: str, lhs: Expr, rhs: Expr, on: str, **more: Any) -> WithProbability:
    """A line that holds with probability 1 - delta from t = q + 2 on: both sides are multiplied by `later`."""
    return likely(name, later * lhs, later * rhs, on=(on,), **more)


def measured(form: Form, symbol: Symbol | None = None, at: Expr = t) -> Expr:
    """A constant of a form (its bound, if none is named) at delta = `DELTA` and T = `at`."""
    return form.in_parameters(symbol).xreplace({delta: DELTA, T: at})


def program(lines: Callable[[Expr, Expr], tuple[Expr, ...]], best: Rational) -> LinearProgram:
    """min over 0 <= p <= omega of the largest exponent, as min z with z >= each of them."""
    z, p, omega = symbols("z p omega", real=True)
    constraints = (*(Ge(z - e, 0) for e in lines(p, omega)), Ge(p, 0), Ge(omega - p, 0))
    return LinearProgram("optimal exponents", z, constraints, best, sense="min")


def logarithm() -> tuple[Inequality, Inequality]:
    """log x <= x/e, above and below x = e, where the two sides are equal."""
    x, note = Symbol("x", positive=True), "x stands for x/e"
    return (
        Inequality("log x <= x/e, above e", log(x) + 1, x, {x: at_least(1)}, note=note),
        Inequality("log x <= x/e, below e", log(x) + 1, x, {x: Interval(0, 1, low_open=True)}, note=note),
    )


def power_sum(omega: Rational) -> Induction:
    """The sum of i^-omega over 1 <= i <= n is at most the integral of x^-omega from 0 to n."""
    n, i = (Symbol(name, integer=True, positive=True) for name in ("n", "i"))
    total = Sum(i ** (-omega), (i, 1, n))
    return Induction(f"sum of i^(-{omega})", total, n ** (1 - omega) / (1 - omega), n, 1)
