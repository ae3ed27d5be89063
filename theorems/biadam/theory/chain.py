"""How the proof chain of this paper is encoded: one `link` per lemma, with keys without the paper's name.

Norms of vectors become nonnegative symbols and inner products real ones, constrained by what the proof uses of them:
Cauchy-Schwarz, strong convexity, optimality. Lines in expectation are encoded for one outcome of the past, or for means
that obey the lines which they combine; both sides are linear in the means.

A check is marked `.states()` if its conclusion is the whole statement of its link, and each of its conditions is a
hypothesis of the link, a standard fact, the statement of a link that it uses, or the conclusion of another exact line
of the same link. Of a statement with several parts each part has its own check. Everything else is a line of a proof.
"""

from functools import partial
from typing import Any

from sympy import Expr, Symbol, symbols, sympify
from sympy.core.relational import Relational

from workbench import lemma
from workbench.lemma import NONNEGATIVE, POSITIVE, REAL, Box, Inequality

from .paper import PAPER

link = partial(lemma.link, PAPER)

# Simulations on which lines are measured.
DESCENT, ADAPTIVE, BOXED, MOMENTUM, RECURSIVE = (
    PAPER.entry(f"sim-ledger-{n}") for n in ("descent", "adaptive", "boxed", "momentum", "recursive")
)

# Squared quantities of one step: |y_t - y*(x_t)|^2, |v_t - grad_y g|^2, |w_t - grad f - R_t|^2, |x~ - x_t|^2,
# |y~ - y_t|^2, |R_t|^2, |R_(t+1)|^2.
Y, V, W, X, Z, R, R_next = symbols("Y V W X Z R R_next", nonnegative=True)
eta = Symbol("eta", positive=True)
b = Symbol("b", positive=True)  # b_t


def inequality(
    name: str, lhs: Expr, rhs: Expr, *given: Relational, box: Box | None = None, **more: Any
) -> Inequality:
    """An `Inequality` whose symbols range over their declared signs, except for those in ``box``."""
    free: set[Symbol] = set().union(*(sympify(e).free_symbols for e in (lhs, rhs, *given)))
    signs = {
        x: POSITIVE if x.is_positive else NONNEGATIVE if x.is_nonnegative else REAL
        for x in sorted(free, key=str)
    }
    return Inequality(name, lhs, rhs, {**signs, **(box or {})}, given, **more)
