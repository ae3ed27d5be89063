"""How the proof chain of this paper is written down: one `link` per lemma, keys without the paper's name.

Norms of vectors become nonnegative numbers, inner products real ones, tied by what the proof uses of them (Cauchy-
Schwarz, strong convexity, co-coercivity). Primed quantities of round t - 1 end in 0, those of round t in 1.
"""

from typing import Any

from sympy import Expr, Rational, Symbol, log

from theorems.f2obo import common
from theorems.f2obo import symbols as s
from theorems.f2obo.paper import PAPER
from theorems.lemma import NONNEGATIVE, POSITIVE, Interval, Lemma
from theorems.record import Form


def link(
    name: str, title: str, source: str, statement: str, uses: tuple[str, ...] = (), **rest: Any
) -> Lemma:
    """A `Lemma` of this paper; `name` and `uses` are keys without "f2obo/"."""
    return Lemma(
        key=f"{PAPER.key}/{name}",
        paper=PAPER,
        title=title,
        source=source,
        statement=statement,
        uses=tuple(f"{PAPER.key}/{u}" for u in uses),
        **rest,
    )


def definition(form: Form, symbol: Symbol) -> Expr:
    """What a form of a theorem puts for one of its constants, in terms of the constants defined before it."""
    return dict(form.definitions)[symbol]


def nonnegative(*symbols: Symbol) -> dict[Symbol, Interval]:
    return dict.fromkeys(symbols, NONNEGATIVE)


def positive(*symbols: Symbol) -> dict[Symbol, Interval]:
    return dict.fromkeys(symbols, POSITIVE)


# What a run records: constants of the instance and fields of `Steps`; r_alpha = 1, r_beta = 1/2 as in all runs.
_RECORDED: dict[Symbol, Expr] = {
    **{symbol: e for symbol, e in common.smoothness() if symbol != s.D_1},
    s.lam_1: Symbol("lam", positive=True),
    s.theta: -log(s.rho),
    s.rho_y: 1 - s.mu_g / (4 * s.L_g1),
    s.rho_z: 1 - s.mu_g / s.L_g1,
}


def seen(e: Expr) -> Expr:
    """An expression in the symbols that a run of Algorithms 1 and 2 records."""
    gap = dict(common.smoothness())[s.D_1]
    return e.xreplace({s.D_1: gap}).xreplace(_RECORDED)


HALF = Rational(1, 2)
