"""Formulas as MathML, which browsers typeset without a network, a font or a script."""

from __future__ import annotations

from functools import cache

from latex2mathml.converter import convert
from markupsafe import Markup


@cache
def mathml(latex: str, display: bool = False) -> Markup:
    """LaTeX as a MathML element, in a line of text or (display) on a line of its own.

    The text of the LaTeX is escaped by the converter; only formulas of theorem records come here.
    """
    return Markup(convert(latex, display="block" if display else "inline"))
