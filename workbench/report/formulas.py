"""Formulas as MathML, which browsers typeset without a network, a font or a script."""

from __future__ import annotations

import re
from functools import cache

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from theorems.sentences import parts
from workbench.report.notation import pieces

_RELATION = re.compile(
    "<mi>(&#x0(?:2AAF|2AB0|227C|227D);)</mi>"
)  # matrix inequalities, which the converter spaces not
_OPERATOR = re.compile(r"\\(?:left|right|begin|end)\b|\\?[{}]| (?:[=<>+-]|\\(?:le|ge|leq|geq|to|cdot)\b) |, ")


@cache
def mathml(latex: str, display: bool = False) -> Markup:
    """LaTeX as a MathML element, in a line of text or (display) on a line of its own.

    The text of the LaTeX is escaped by the converter; only formulas of theorem records come here.
    """
    made = convert(latex, display="block" if display else "inline")
    return Markup(_RELATION.sub(r"<mo>\1</mo>", made))


@cache
def prose(text: str) -> Markup:
    """A record's sentence, its ASCII formulas set as such (`workbench.report.notation`)."""
    return Markup("").join(_set(*piece) for piece in pieces(text))


def _set(kind: str, what: str, base: str) -> Markup:
    if kind == "math":  # fonts for mathematics hang a bare root sign below the line
        return Markup("√") if what == r"\surd" else mathml(what)
    if kind == "power":
        return Markup("<sup>{}</sup>").format(prose(what))
    return Markup("{}<sub>{}</sub>").format(prose(base), prose(what)) if kind == "index" else escape(what)


def statement(text: str) -> Markup:
    """A sentence with formulas in LaTeX between dollar signs; in its prose, ASCII formulas are set too."""
    made, held = Markup(""), Markup("")
    for formula, what in parts(text):
        if formula:
            made += held
            *first, last = breakable(what)
            made += Markup("").join(mathml(piece) + Markup("<wbr>") for piece in first)
            held = mathml(last)
            continue
        end = what[: len(what) - len(what.lstrip(".,;:)"))] if held else ""
        made += Markup('<span class="whole">{}{}</span>').format(held, end) if end else held
        made, held = made + prose(what[len(end) :]), Markup("")
    return made + held


def breakable(latex: str) -> list[str]:
    """The parts of a formula between which a line may end: after operators and commas outside of braces.

    MathML is not broken by itself in today's browsers, and a long formula would not fit on a phone.
    """
    found, depth, start = [], 0, 0
    for match in _OPERATOR.finditer(latex):
        token = match.group()
        if token in ("{", "\\left", "\\begin"):
            depth += 1
        elif token in ("}", "\\right", "\\end"):
            depth -= 1
        elif depth == 0 and token[0] in " ,":
            found.append(latex[start : match.end()])
            start = match.end()
    return [*found, latex[start:]]
