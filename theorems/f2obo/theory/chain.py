"""How the proof chain of this paper is encoded: one `link` per lemma, with keys without the paper's name.

Norms of vectors become nonnegative symbols and inner products real ones, constrained by what the proof uses of them:
Cauchy-Schwarz, strong convexity, co-coercivity.

A check is marked `.states()` if its conclusion is the whole statement of its link, and each of its conditions is a
hypothesis of the link, a standard fact (triangle inequality, Cauchy-Schwarz, co-coercivity), the statement of a link
that it uses, or the conclusion of another exact line of the same link. Of a statement that sums one inequality over the
rounds, the round is encoded. Everything else is a line of a proof.
"""

from functools import partial
from typing import Any

from sympy import Add, Expr, IndexedBase, Piecewise, Rational, S, Sum, Symbol, expand, symbols, sympify
from sympy.core.relational import Relational

from workbench import Form, lemma
from workbench.lemma import NONNEGATIVE, POSITIVE, REAL, Box, Constant, Identity, Inequality

from . import symbols as s
from .paper import PAPER

link = partial(lemma.link, PAPER)


def inequality(
    name: str,
    lhs: Expr,
    rhs: Expr,
    *given: Relational,
    box: Box | None = None,
    constants: tuple[Constant, ...] = (),
    **more: Any,
) -> Inequality:
    """An `Inequality` whose symbols range over their declared signs, except for those in ``box``."""
    free = set().union(*(sympify(e).free_symbols for e in (lhs, rhs, *given))) - {c.symbol for c in constants}
    signs = {
        x: POSITIVE if x.is_positive else NONNEGATIVE if x.is_nonnegative else REAL
        for x in sorted(free, key=str)
    }
    return Inequality(name, lhs, rhs, {**signs, **(box or {})}, given, constants, **more)


n, k = symbols("n k", integer=True, positive=True)
E, spare, rho = IndexedBase("E"), IndexedBase("spare"), Symbol("rho", positive=True)


def sum_over_rounds(e: Expr, first: int = 2) -> Expr:
    """The sum of e over k = first, ..., n, term by term."""
    return Add(*(Sum(term, (k, first, n)) for term in Add.make_args(expand(e))))


SPARE = "spare_k >= 0: what the step of round k has to spare. Divided by rho^t."


def unrolling(summand: Expr, name: str = "unrolled over the rounds") -> Identity:
    """The statement of a lemma that unrolls E_t <= rho E_(t-1) + summand_t; `summand` has the index k for t.

    E_t <= rho^(t-1) E_1 + sum of rho^(t-k) summand_k over k = 2, ..., t. spare_k >= 0 is what the step of round k has
    to spare; both sides are divided by rho^t.
    """
    return Identity(
        name,
        E[n] * rho**-n,
        E[1] / rho + sum_over_rounds((summand - spare[k]) * rho**-k),
        n,
        recursion={E[n + 1]: rho * E[n] + summand.subs(k, n + 1) - spare[n + 1]},
        note=SPARE,
    ).states()


# What a run records: constants of the instance, fields of `Steps`, sums over the rounds so far. All runs of the ledger
# have r_beta = 1/2 and c = 1; r_alpha is 1/4 in those of Algorithm 1 and 1 in those of Algorithm 2.
t = Symbol("t", positive=True)
V_seen, H_seen, E_f_seen, E_g_seen = symbols("V_seen H_seen E_f_seen E_g_seen", nonnegative=True)
_RECORDED: dict[Symbol, Expr] = {
    s.lam_1: Symbol("lam", positive=True),
    s.r_beta: Rational(1, 2),
    s.c: S.One,
    s.V_T: V_seen,
    s.H_2T: H_seen,
    s.E_fT: E_f_seen,
    s.E_gT: E_g_seen,
}


def later(e: Expr) -> Expr:
    """A quantity from the second round on: unrolled bounds start from equality in the first."""
    return Piecewise((e, t > 1), (0, True))


QUARTER = Rational(1, 4)


def as_recorded(e: Expr, form: Form, r_alpha: Expr = QUARTER) -> Expr:
    """An expression in the constants of a form, in terms of what a run records; gamma stays a field of `Steps`.

    The horizon becomes t, the number of rounds so far: the theorems hold for each of them.
    """
    chain = [(symbol, value) for symbol, value in form.definitions if symbol != s.gamma]
    for symbol, value in reversed(chain):
        e = e.xreplace({symbol: value})
    return e.xreplace(_RECORDED).xreplace({s.r_alpha: r_alpha, s.T: t})
