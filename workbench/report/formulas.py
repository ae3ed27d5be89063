"""Formulas as MathML, which browsers typeset without a network, a font or a script."""

from __future__ import annotations

from functools import cache

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from theorems.sentences import parts
from workbench.report.notation import pieces


@cache
def mathml(latex: str, display: bool = False) -> Markup:
    """LaTeX as a MathML element, in a line of text or (display) on a line of its own.

    The text of the LaTeX is escaped by the converter; only formulas of theorem records come here.
    """
    return Markup(convert(latex, display="block" if display else "inline"))


@cache
def prose(text: str) -> Markup:
    """A record's sentence, its ASCII formulas set as such (`workbench.report.notation`)."""
    return Markup("").join(_set(*piece) for piece in pieces(text))


def _set(kind: str, what: str, base: str) -> Markup:
    if kind == "math":
        return mathml(what)
    if kind == "power":
        return Markup("<sup>{}</sup>").format(prose(what))
    return Markup("{}<sub>{}</sub>").format(prose(base), prose(what)) if kind == "index" else escape(what)


def statement(text: str) -> Markup:
    """A sentence with formulas in LaTeX between dollar signs; in its prose, ASCII formulas are set too."""
    return Markup("").join(mathml(what) if formula else prose(what) for formula, what in parts(text))
