"""What theorems, assumptions and lemmas of the papers state can be read in a browser, in print and in a terminal."""

from __future__ import annotations

import re

import pytest
from latex2mathml.converter import convert
from matplotlib.mathtext import MathTextParser

from workbench.ledger.unicode_text import plain
from workbench.report.drawing.formulas import tex
from workbench.run import catalog
from workbench.theory.notation import SYMBOLS
from workbench.theory.sentences import head, parts

NAMES = "|".join([*SYMBOLS, "grad", "sqrt", "log", "exp"])
BARE = re.compile(rf"(?<![\\A-Za-z-])({NAMES})(?![A-Za-z-])")
ASCII = re.compile(r"[\\_^<>=|+*]")


def _said() -> dict[str, str]:
    made = {}
    for theorem in catalog.theorems().values():
        made |= {theorem.key: theorem.statement, f"{theorem.key}, metric": theorem.metric}
        made |= {f"{theorem.paper.key}, assumption {a.key}": a.statement for a in theorem.assumes}
    return made | {f"{lemma.key}, lemma": lemma.statement for lemma in catalog.lemmas().values()}


SAID = _said()


@pytest.mark.parametrize("text", SAID.values(), ids=SAID)
def test_every_formula_is_typeset_everywhere(text: str) -> None:
    """All formulas stand between dollar signs, in LaTeX that each of the three readers knows."""
    for formula, what in parts(text):
        if formula:
            assert not BARE.search(what), "a name without its backslash"
            assert "\\" not in convert(what), "unknown to latex2mathml"
            assert "\\" not in plain(f"${what}$")
        else:
            assert not ASCII.search(what), "a formula without dollar signs"
            assert not BARE.search(what), "a symbol without dollar signs"


@pytest.mark.parametrize("theorem", sorted({w.theorem.key for w in catalog.waterfalls()}))
def test_a_figure_can_be_labelled_with_what_is_bounded(theorem: str) -> None:
    MathTextParser("path").parse(tex(head(catalog.theorems()[theorem].metric)))
