"""Formulas as MathML, which browsers typeset without a network, a font or a script."""

from __future__ import annotations

import re
from functools import cache

from latex2mathml.converter import convert
from markupsafe import Markup, escape


@cache
def mathml(latex: str, display: bool = False) -> Markup:
    """LaTeX as a MathML element, in a line of text or (display) on a line of its own.

    The text of the LaTeX is escaped by the converter; only formulas of theorem records come here.
    """
    return Markup(convert(latex, display="block" if display else "inline"))


def powers(cell: str) -> Markup:
    """The entry of a table, "1.2e4 (T^1/2)", with its powers raised."""
    raised = re.sub(r"([A-Za-z])\^(-?[\d./]*\d)", r"\1<sup>\2</sup>", str(escape(cell)))
    return Markup(re.sub(r"\b(\d(?:\.\d+)?)e(-?\d+)\b", r"\1 &middot; 10<sup>\2</sup>", raised))
