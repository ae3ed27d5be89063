"""How the proof chain of this paper is written down: one `link` per lemma, keys without the paper's name.

Numbers of the appendix and of the main text name the same lemma (5.3 = B.1, 5.4 = B.2, 5.5 = B.3, 5.7 = C.3); the link
carries the number of the main text. A lemma of several parts is one link per part (G.1a, G.1b, ...), since its parts
rest on different things and have different errata.
"""

from functools import partial

from sympy import Expr, Rational, Symbol

from theorems import lemma
from theorems.ada_minimax.paper import PAPER
from theorems.record import Form
from theorems.vocabulary import T, delta

link = partial(lemma.link, PAPER)

# Simulations on which lines are measured: Ada-NSGDM; Ada-Minimax on a saddle, from a distant start, and where y* runs
# away; Ada-BiO. NOISE_WEIGHTS samples the algorithm's own momentum weights.
ONE_LEVEL, SADDLE, FAR, DRIFT, B1 = (
    f"ada_minimax/sim-ledger-{name}" for name in ("single", "minimax", "far", "drift", "bilevel")
)
NOISE_WEIGHTS = "ada_minimax/smp-noise-weights"
DELTA = Rational(1, 10)  # failure probability at which lines "with probability 1 - delta" are measured


def measured(form: Form, symbol: Symbol, **names: str) -> Expr:
    """A form's constant in terms of assumption constants, at delta = `DELTA` and T = t, the iteration of the record.

    names: what an algorithm calls a free parameter of the theorem (eta is eta_x, eta_y in Ada-Minimax).
    """
    other = {s: Symbol(names[s.name], positive=True) for s in form.parameters if s.name in names}
    return form.expanded(symbol).xreplace({delta: DELTA, T: Symbol("t", positive=True), **other})
