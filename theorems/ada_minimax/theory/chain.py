"""How the proof chain of this paper is written down: one `link` per lemma, keys without the paper's name.

A lemma that appears in the main text and in the appendix (5.3 = B.1, 5.4 = B.2, 5.5 = B.3, 5.7 = C.3) has one link,
under its number in the main text. A lemma of several parts has one link per part (G.1a, G.1b, ...), since the parts
depend on different lemmas and have different errata.
"""

from functools import partial
from typing import Any

from sympy import Expr, Rational, Symbol, symbols

from workbench import Form, lemma
from workbench.lemma import WithProbability
from workbench.vocabulary import T, delta

from .paper import PAPER

link = partial(lemma.link, PAPER)

# Simulations on which lines are measured: Ada-NSGDM; Ada-Minimax on a saddle, from a distant start, and with a fast
# lower solution; Ada-BiO on the line, and with d_x = 2, d_y = 3 and a noisy Hessian that is not constant. NOISE_WEIGHTS
# samples the algorithm's own momentum weights, AT_BOUNDS their bounds, MATRICES Neumann estimates in three dimensions.
ONE_LEVEL, SADDLE, FAR, DRIFT, B1, B2 = (
    PAPER.entry(f"sim-ledger-{name}") for name in ("single", "minimax", "far", "drift", "bilevel", "vector")
)
NOISE_WEIGHTS, AT_BOUNDS = PAPER.entry("smp-noise-weights"), PAPER.entry("smp-weights-at-bounds")
MATRICES = PAPER.entry("smp-neumann")
DELTA = Rational(1, 10)  # failure probability at which lines "with probability 1 - delta" are measured

n, k = symbols("n k", integer=True, positive=True)  # upper limit and index of a sum
t = Symbol("t", positive=True)  # iteration of a record
factor = Symbol("factor", positive=True)  # a constant that the ledger brackets


def likely(deltas: int, name: str, lhs: Expr, rhs: Expr, *on: str, **more: Any) -> WithProbability:
    """lhs <= rhs with probability 1 - ``deltas`` * `DELTA` on these simulations or samplers. more: other fields."""
    return WithProbability(name, lhs, rhs, on, probability=1 - deltas * DELTA, **more)


def measured(form: Form, symbol: Symbol, **names: str) -> Expr:
    """A form's constant in terms of assumption constants, at delta = `DELTA` and T = t, the iteration of the record.

    names: the names that an algorithm gives to free parameters of the theorem (eta is eta_x, eta_y in Ada-Minimax).
    """
    other = {s: Symbol(names[s.name], positive=True) for s in form.parameters if s.name in names}
    return form.in_parameters(symbol).xreplace({delta: DELTA, T: t, **other})
