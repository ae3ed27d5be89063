"""How the proof chain of this paper is written down: one `link` per lemma, keys without the paper's name.

Numbers of the appendix and of the main text name the same lemma (5.3 = B.1, 5.4 = B.2, 5.5 = B.3, 5.7 = C.3); the link
carries the number of the main text. A lemma of several parts is one link per part (G.1a, G.1b, ...), since its parts
rest on different things and have different errata.
"""

from typing import Any

from sympy import Expr, Rational, Symbol

from theorems.ada_minimax.paper import PAPER
from theorems.lemma import Lemma
from theorems.record import Form
from theorems.vocabulary import T, delta

DELTA = Rational(1, 10)  # failure probability at which lines "with probability 1 - delta" are measured


def link(
    name: str, title: str, source: str, statement: str, uses: tuple[str, ...] = (), **rest: Any
) -> Lemma:
    """A `Lemma` of this paper; `name` and `uses` are keys without "ada_minimax/"."""
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


def measured(form: Form, symbol: Symbol, **names: str) -> Expr:
    """The same in terms of assumption constants, at delta = `DELTA` and with T = t, the iteration of the record.

    names: what an algorithm calls a free parameter of the theorem (eta is eta_x, eta_y in Ada-Minimax).
    """
    other = {s: Symbol(names[s.name], positive=True) for s in form.parameters if s.name in names}
    return form.expanded(symbol).xreplace({delta: DELTA, T: Symbol("t", positive=True), **other})
