"""Formulas as MathML, which browsers typeset without a network, a font or a script."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from workbench.theory.notation import MINUS, pieces
from workbench.theory.sentences import parts

# Matrix inequalities, which the converter gives no space.
_RELATION = re.compile("<mi>(&#x0(?:2AAF|2AB0|227C|227D);)</mi>")
# An operator that ends a part would be set without space: as if it stood behind an operand.
_LAST_OPERATOR = re.compile("<mo>([^<,]+)(</mo></mrow></math>)$")
# Names of functions, which the converter sets as letters without space or as relations with too much of it.
_FUNCTION = re.compile(
    "(?P<after></m(?:i|n|sub|sup|subsup|frac|row|sqrt)>)?<m(?P<tag>[io])>"
    "(?P<name>arg|cos|exp|inf|lim|ln|log|max|min|sin|sup)</m(?P=tag)>(?P<bracket>(?:<mrow>)*<mo[^>]*>(?:&#x00028;|&#x0005B;))?"
)
# Bars, of which the converter does not tell the left from the right: a browser would put space inside of one only.
_BAR = re.compile("<mo(?: fence=.false.)?(?: stretchy=.false.)?>(&#x0(?:007C|2016);)</mo>")
_OPERATOR = re.compile(
    r"\\\\|\\,|\\sqrt\[[^]]*\]|\\(?:left|right|begin|end)\b|\\?[{}]| (?:[=<>+-]|\\(?:le|ge|leq|geq|to|cdot)\b) |, "
)

SIGNS = {
    "-": MINUS, "<": "<", ">": ">", r"\le": "≤", r"\ge": "≥", r"\ne": "≠", r"\to": "→", r"\sim": "∼",
    r"\langle": "⟨", r"\rangle": "⟩",
    r"\surd": "√",  # which fonts for mathematics hang below the line
}  # fmt: skip
WHOLE = 100  # characters of LaTeX that fit on a phone's line

_PRESENTATION = (
    "display fence stretchy symmetric separator form accent accentunder movablelimits lspace rspace width height depth "
    "minsize maxsize largeop linethickness mathvariant columnalign columnspacing rowspacing columnlines rowlines "
    "displaystyle scriptlevel mathsize"
)
_ATTRIBUTES = frozenset(_PRESENTATION.split())


@cache
def mathml(latex: str, display: bool = False) -> Markup:
    """LaTeX as a MathML element, in a line of text or (display) on a line of its own.

    What the converter cannot read, or makes more than formulas of, is shown as it was written.
    """
    made = _converted(latex, display)
    return Markup("<code>{}</code>").format(latex) if made is None else made


def unreadable(text: str) -> list[str]:
    """The formulas of a sentence that are shown as they were written, since they cannot be typeset."""
    return [what for formula, what in parts(text) if formula and None in map(_converted, breakable(what))]


def _converted(latex: str, display: bool = False) -> Markup | None:
    made, read = "", None
    with contextlib.suppress(Exception):  # the converter raises many classes, of its own and of Python
        made = convert(latex, display="block" if display else "inline")
        read = ElementTree.fromstring(made)
    if read is not None and _is_formula(read):
        made = _BAR.sub(r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>', made)
        return Markup(_FUNCTION.sub(_spaced, _RELATION.sub(r"<mo>\1</mo>", made)))
    return None


def _spaced(function: re.Match[str]) -> str:
    """The name of a function with a thin space before it, if it stands behind an operand, and before its argument."""
    after, bracket = function["after"] or "", function["bracket"] or ""
    left, right = "0.17em" if after else "0", "0" if bracket else "0.17em"
    return f'{after}<mo form="prefix" lspace="{left}" rspace="{right}">{function["name"]}</mo>{bracket}'


def _is_formula(element: ElementTree.Element) -> bool:
    """Whether it has elements and attributes of presentation only, and no macro is left over."""
    tag = element.tag.removeprefix("{http://www.w3.org/1998/Math/MathML}")
    text = (element.text or "") + (element.tail or "")
    fine = tag == "math" or (
        tag.startswith("m") and tag.isalpha() and tag not in ("maction", "merror", "mglyph")
    )
    return (
        fine and not set(element.keys()) - _ATTRIBUTES and "\\" not in text and all(map(_is_formula, element))
    )


@cache
def prose(text: str) -> Markup:
    """A record's sentence, its ASCII formulas set as such (`workbench.theory.notation`).

    No line ends between a letter and what is raised or lowered at it.
    """
    made, held, scripts = Markup(""), Markup(""), False
    for kind, what, base in pieces(text):
        if kind == "power" or (kind == "index" and not base):
            held, scripts = held + _script(kind, what), True
            continue
        made += _whole(held, scripts)
        held, scripts = Markup(""), kind == "index"
        if kind == "index":
            held = prose(base) + _script(kind, what)
        elif kind == "math":
            held = _symbol(what)
        else:
            word = re.search(r"[^\s]*$", what)
            start = word.start() if word else len(what)
            made += escape(what[:start])
            held = escape(what[start:])
    return made + _whole(held, scripts)


def _symbol(latex: str) -> Markup:
    """A sign is text: alone in MathML it would get the space of an operator between operands."""
    return escape(SIGNS[latex]) if latex in SIGNS else mathml(latex)


def _script(kind: str, what: str) -> Markup:
    tag = "sup" if kind == "power" else "sub"
    return Markup("<{0}>{1}</{0}>").format(Markup(tag), prose(what))


def _whole(made: Markup, scripts: bool) -> Markup:
    return Markup('<span class="whole">{}</span>').format(made) if scripts else made


def statement(text: str) -> Markup:
    """A sentence with formulas in LaTeX between dollar signs; in its prose, ASCII formulas are set too."""
    made, held = Markup(""), Markup("")
    for formula, what in parts(text):
        if formula:
            made += held
            before, held = _broken(what)
            made += before
            continue
        end = what[: len(what) - len(what.lstrip(".,;:)"))] if held else ""
        made += Markup('<span class="whole">{}{}</span>').format(held, end) if end else held
        made, held = made + prose(what[len(end) :]), Markup("")
    return made + held


def broken(latex: str) -> Markup:
    """A formula that may be broken between lines (`breakable`)."""
    before, last = _broken(latex)
    return before + last


def _broken(latex: str) -> tuple[Markup, Markup]:
    """All but the last part, and the last one."""
    *first, last = breakable(latex)
    made = (_LAST_OPERATOR.sub(r'<mo form="infix">\1\2', str(mathml(piece))) for piece in first)
    return Markup("").join(Markup(piece) + Markup("<wbr>") for piece in made), mathml(last)


def breakable(latex: str, left: str = "(", right: str = ")") -> list[str]:
    """The parts of a formula between which a line may end: after operators and commas outside of braces.

    Where more than `WHOLE` characters stand in parentheses, a line may end there too; these become ``left`` and
    ``right``, which do not grow with what they hold. MathML is not broken by itself in today's browsers, and a long
    formula would not fit on a phone.
    """
    found, start = [], 0
    latex = _opened(latex, left, right)
    for match, depth in _tokens(latex):
        if depth == 0 and match.group()[0] in " ,":
            found.append(latex[start : match.end()])
            start = match.end()
    return [*found, latex[start:]]


def _opened(latex: str, left: str, right: str) -> str:
    r"""The formula with plain parentheses for each long outer ``\left( ... \right)``, and for long ones in these."""
    made, done, start = "", 0, 0
    for match, depth in _tokens(latex):
        token = match.group()
        if token == "\\left" and depth == 1:
            start = match.start()
        elif token == "\\right" and depth == 0 and latex[start : match.end() + 1].startswith("\\left("):
            inside = latex[start + len("\\left(") : match.start()]
            if len(inside) > WHOLE and latex.startswith(")", match.end()) and len(breakable(inside)) > 1:
                made += f"{latex[done:start]}{left}{_opened(inside, left, right)}{right}"
                done = match.end() + 1
    return made + latex[done:]


def _tokens(latex: str) -> Iterator[tuple[re.Match[str], int]]:
    """The operators and braces of a formula, each with the number of braces that are open behind it."""
    depth = 0
    for match in _OPERATOR.finditer(latex):
        if match.group() in ("{", "\\left", "\\begin"):
            depth += 1
        elif match.group() in ("}", "\\right", "\\end"):
            depth -= 1
        yield match, depth
