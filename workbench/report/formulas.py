"""Formulas as MathML, which browsers typeset without a network, a font or a script."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from workbench.theory.notation import MINUS, pieces, with_braces
from workbench.theory.sentences import parts

# Relations and arrows that the converter takes for letters, and so gives no space.
_RELATION = re.compile(
    "<mi>(&#x0(?:007E|21[9A-F][0-9A-F]|22[3-9AB][0-9A-F]|27F[0-9A-F]|2A7[DE]|2A[AB][0-9A-F]);)</mi>"
)
_NAME = re.compile(r"\\operatorname\*?\{([^{}]*)\}")
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
    element = _convert(latex, display)
    return Markup("<code>{}</code>").format(latex) if element is None else element


def unreadable(text: str) -> list[str]:
    """The formulas of a sentence that are shown as they were written, since they cannot be typeset."""
    return [what for formula, what in parts(text) if formula and None in map(_convert, breakable(what))]


def _convert(latex: str, display: bool = False) -> Markup | None:
    markup, tree = "", None
    with contextlib.suppress(Exception):  # the converter raises many classes, of its own and of Python
        markup = convert(with_braces(_NAME.sub(_operator, latex)), display="block" if display else "inline")
        tree = ElementTree.fromstring(markup)
    if tree is not None and _is_formula(tree):
        markup = _BAR.sub(r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>', markup)
        markup = _RELATION.sub(r"<mo>\1</mo>", markup).replace("<mo>&#x0007E;</mo>", "<mo>&#x0223C;</mo>")
        return Markup(_FUNCTION.sub(_with_space, markup))
    return None


def _operator(name: re.Match[str]) -> str:
    """The name of an operator, in which the converter reads no spaces: "arg\\,min" in two words."""
    words = re.sub(r"\\[,;:! ]|~", " ", name[1]).split()
    return r"\,".join(rf"\operatorname{{{word}}}" for word in words)


def _with_space(function: re.Match[str]) -> str:
    """The name of a function with a thin space before it, if it stands behind an operand, and before its argument."""
    after, bracket = function["after"] or "", function["bracket"] or ""
    before, behind = "0.17em" if after else "0", "0" if bracket else "0.17em"
    return f'{after}<mo form="prefix" lspace="{before}" rspace="{behind}">{function["name"]}</mo>{bracket}'


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
    output, pending, scripts = Markup(""), Markup(""), False
    for kind, what, base in pieces(text):
        if kind == "power" or (kind == "index" and not base):
            pending, scripts = pending + _script(kind, what), True
            continue
        output += _whole(pending, scripts)
        pending, scripts = Markup(""), kind == "index"
        if kind == "index":
            pending = prose(base) + _script(kind, what)
        elif kind == "math":
            # A sign is text: alone in MathML it would get the space of an operator between operands.
            pending = escape(SIGNS[what]) if what in SIGNS else mathml(what)
        else:
            word = re.search(r"[^\s]*$", what)
            start = word.start() if word else len(what)
            output += escape(what[:start])
            pending = escape(what[start:])
    return output + _whole(pending, scripts)


def _script(kind: str, what: str) -> Markup:
    tag = "sup" if kind == "power" else "sub"
    return Markup("<{0}>{1}</{0}>").format(Markup(tag), prose(what))


def _whole(markup: Markup, scripts: bool) -> Markup:
    return Markup('<span class="whole">{}</span>').format(markup) if scripts else markup


def statement(text: str) -> Markup:
    """A sentence with formulas in LaTeX between dollar signs; in its prose, ASCII formulas are set too."""
    output, pending = Markup(""), Markup("")
    for formula, what in parts(text):
        if formula:
            output += pending
            before, pending = _split_last(what)
            output += before
            continue
        end = what[: len(what) - len(what.lstrip(".,;:)"))] if pending else ""
        output += Markup('<span class="whole">{}{}</span>').format(pending, end) if end else pending
        output, pending = output + prose(what[len(end) :]), Markup("")
    return output + pending


def with_breaks(latex: str) -> Markup:
    """A formula that may be broken between lines (`breakable`)."""
    before, last = _split_last(latex)
    return before + last


def _split_last(latex: str) -> tuple[Markup, Markup]:
    """All but the last part, and the last one."""
    *first, last = breakable(latex)
    pieces = (_LAST_OPERATOR.sub(r'<mo form="infix">\1\2', str(mathml(piece))) for piece in first)
    return Markup("").join(Markup(piece) + Markup("<wbr>") for piece in pieces), mathml(last)


def breakable(latex: str, left: str = "(", right: str = ")") -> list[str]:
    """The parts of a formula between which a line may end: after operators and commas outside of braces.

    Where more than `WHOLE` characters stand in parentheses, a line may end there too; these become ``left`` and
    ``right``, which do not grow with what they hold. MathML is not broken by itself in today's browsers, and a long
    formula would not fit on a phone.
    """
    parts, start = [], 0
    latex = _plain_parentheses(latex, left, right)
    for match, depth in _tokens(latex):
        if depth == 0 and match.group()[0] in " ,":
            parts.append(latex[start : match.end()])
            start = match.end()
    return [*parts, latex[start:]]


def _plain_parentheses(latex: str, left: str, right: str) -> str:
    r"""The formula with plain parentheses for each long outer ``\left( ... \right)``, and for long ones in these."""
    output, end, start = "", 0, 0
    for match, depth in _tokens(latex):
        token = match.group()
        if token == "\\left" and depth == 1:
            start = match.start()
        elif token == "\\right" and depth == 0 and latex[start : match.end() + 1].startswith("\\left("):
            inside = latex[start + len("\\left(") : match.start()]
            if len(inside) > WHOLE and latex.startswith(")", match.end()) and len(breakable(inside)) > 1:
                output += f"{latex[end:start]}{left}{_plain_parentheses(inside, left, right)}{right}"
                end = match.end() + 1
    return output + latex[end:]


def _tokens(latex: str) -> Iterator[tuple[re.Match[str], int]]:
    """The operators and braces of a formula, each with the number of braces that are open behind it."""
    depth = 0
    for match in _OPERATOR.finditer(latex):
        if match.group() in ("{", "\\left", "\\begin"):
            depth += 1
        elif match.group() in ("}", "\\right", "\\end"):
            depth -= 1
        yield match, depth
