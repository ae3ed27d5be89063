"""How the proof chain of this paper is encoded: one `link` per lemma, with keys without the paper's name.

Norms of vectors become nonnegative symbols and inner products real ones, constrained by what the proof uses of them:
Cauchy-Schwarz, strong convexity, optimality. An identity between numbers is one of coordinates, with products of
matrices in the order of the text. Lines in expectation are encoded for one outcome of the past, or for means that obey
the lines which they combine; both sides are linear in the means.

A check is marked `.states()` if its conclusion is the whole statement of its link, and each of its conditions is a
hypothesis of the link, a standard fact, the statement of a link that it uses, or the conclusion of another exact line
of the same link. Of a statement with several parts each part has its own check. Everything else is a line of a proof.
"""

from functools import partial
from typing import Any

from sympy import Expr, Rational, Symbol, symbols, sympify
from sympy.core.relational import Relational

from workbench import lemma
from workbench.lemma import NONNEGATIVE, POSITIVE, REAL, Box, Inequality, Interval

from .paper import PAPER

link = partial(lemma.link, PAPER)
HALF, THIRD, QUARTER = Rational(1, 2), Rational(1, 3), Rational(1, 4)

# Simulations and samplers on which lines are measured.
RUNS, COMPLIANT, BLOCKS = (
    PAPER.entry("sim-ledger-svrb"),
    PAPER.entry("sim-ledger-recursions"),
    PAPER.entry("smp-blocks"),
)
UNIT = Interval(0, 1, low_open=True)  # of beta and tau_t

gamma, eta, beta, tau, lam = symbols("gamma eta beta tau lam", positive=True)
C, C_0, C_1, C_2, C_3, C_4 = symbols("C C_0 C_1 C_2 C_3 C_4", positive=True)
L_F, L_g, m = symbols("L_F L_g m", positive=True)
L_y = Symbol("L_y", nonnegative=True)
# Squared errors: |y_t - y*(x_t)|^2 and those of u, v, V, H, w; moves of x and y; sizes of z (or d) and grad F.
dy, dfx, dfy, dgxy, dgyy, dgy, dd = symbols("dy dfx dfy dgxy dgyy dgy dd", nonnegative=True)
X, Y, z2, slope2, err2 = symbols("X Y z2 slope2 err2", nonnegative=True)


def quantity(name: str) -> Symbol:
    """A quantity of a probe or a sampler."""
    return Symbol(name, real=True)


def inequality(
    name: str, lhs: Expr | int, rhs: Expr | int, *given: Relational, box: Box | None = None, **more: Any
) -> Inequality:
    """An `Inequality` whose symbols range over their declared signs, except for those in ``box``."""
    free: set[Symbol] = set().union(*(sympify(e).free_symbols for e in (lhs, rhs, *given)))
    signs = {
        x: POSITIVE if x.is_positive else NONNEGATIVE if x.is_nonnegative else REAL
        for x in sorted(free, key=str)
    }
    return Inequality(name, sympify(lhs), sympify(rhs), {**signs, **(box or {})}, given, **more)
