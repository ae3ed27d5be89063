r"""LaTeX from records: every string is escaped unless it is a `Tex`; formulas written in ASCII become readable.

Templates use ``<< value >>`` and ``<% statement %>``, since braces belong to LaTeX. `environment` passes each value
through `finalize`, so that a template cannot forget to escape. The text of records is ASCII ("T^-1/4 sqrt(sigma)");
`prose` sets its exponents, subscripts, Greek letters and relations, and changes nothing else. `statement` is for what
theorems, assumptions and lemmas state, whose formulas are LaTeX already.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from workbench.report.formulas import breakable
from workbench.theory.notation import pieces
from workbench.theory.sentences import parts

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
    "±": r"\textpm{}",
}  # fmt: skip
# What the font of `main.tex` (Latin Modern in the encoding T1) has of Latin-1 without further packages.
LETTERS = set("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŁłŚśŠšŽžŐőŰű")
WIDE = 200  # characters of LaTeX that a line of a page surely has no room for, if they stand side by side
_LIGATURE = re.compile("(?<=-)(?=-)|(?<=,)(?=,)")  # the font would draw "--" as a dash


class Tex(str):
    """LaTeX that needs no escaping."""

    __slots__ = ()


def escape(text: str) -> Tex:
    """Text that LaTeX prints as it stands. A letter that the font lacks becomes its code point, U+2603."""
    return Tex(_LIGATURE.sub("{}", "".join(_letter(c) for c in text)))


def _letter(c: str) -> str:
    if c in SPECIAL:
        return SPECIAL[c]
    if c.isspace() or not c.isprintable():
        return " " if c.isspace() else f"U+{ord(c):04X}"
    return c if c.isascii() or c in LETTERS else f"U+{ord(c):04X}"


def prose(text: str) -> Tex:
    """A record's sentence, its ASCII formulas set as such (`workbench.theory.notation`)."""
    return Tex("".join(_set(*piece) for piece in pieces(text)))


def _set(kind: str, what: str, base: str) -> str:
    if kind == "math":
        return f"${what}$"
    if kind == "power":
        return rf"\textsuperscript{{{prose(what)}}}"
    return rf"{prose(base)}\textsubscript{{{prose(what)}}}" if kind == "index" else escape(what)


def statement(text: str) -> Tex:
    """A sentence with formulas in LaTeX between dollar signs; in its prose, ASCII formulas are set too."""
    return Tex("".join(_formula(what) if formula else prose(what) for formula, what in parts(text)))


def _formula(latex: str) -> str:
    """In mathematics; a percent sign would hide what comes after it."""
    return "${}$".format(re.sub(r"(?<!\\)%", r"\%", latex))


def code(text: str) -> Tex:
    """A key or a command, which may be broken after a slash, a hyphen, an underscore or a comma."""
    breakable_text = re.sub(r"(/|-|\\_|,|=)(?!\{)", r"\1\\allowbreak{}", escape(text))
    return Tex(rf"\texttt{{{breakable_text}}}")


def number(value: float | None, digits: int = 3, beside: float = 0.0) -> Tex:
    r"""A number in mathematics: $-0.251$, $1.9\cdot 10^{4}$; a dash for a missing or infinite one.

    Numbers below 10^4 have no power of ten. beside: what the number is compared with; what is less than its rounding
    is 0.
    """
    if value is None or not math.isfinite(value):
        return Tex("--")
    if value == 0.0 or negligible(value, beside, digits):
        return Tex("$0$")
    whole = f"{value:.0f}"
    mantissa, e, exponent = f"{value:.{digits}g}".partition("e")
    if abs(value) < 1e4 and (float(whole) == value or (e.startswith("e") and int(exponent) > 0)):
        return Tex(f"${whole}$")
    if not e:
        return Tex(f"${mantissa}$")
    sign = mantissa.removesuffix("1") if mantissa in ("1", "-1") else rf"{mantissa}\cdot "
    return Tex(f"${sign}10^{{{int(exponent)}}}$")


def negligible(value: float, beside: float, digits: int = 4) -> bool:
    """Whether a number is less than half of the last of the digits with which ``beside`` is written."""
    return abs(value) < 0.5 * 10.0**-digits * abs(beside)


def interval(low: float | None, high: float | None, digits: int = 4, beside: float = 0.0) -> Tex:
    """[low, high]; nothing where there are no limits."""
    if low is None or high is None or not (math.isfinite(low) or math.isfinite(high)):
        return Tex("")
    return Tex(f"$[{_limit(low, digits, beside)},\\,{_limit(high, digits, beside)}]$")


def _limit(value: float, digits: int, beside: float) -> str:
    if math.isfinite(value):
        return number(value, digits, beside)[1:-1]
    return "?" if math.isnan(value) else r"\infty" if value > 0 else r"-\infty"


def exponent(value: float) -> Tex:
    """A rate's exponent: as a fraction where it is one with a small denominator."""
    near = Fraction(value).limit_denominator(24)
    return Tex(f"${near}$") if abs(float(near) - value) < 1e-9 else number(value)


def summands(formula: str) -> list[Tex]:
    r"""The terms of a LaTeX sum, each with the sign before it; one term where it is no sum.

    TeX breaks no line inside a brace or between \left and \right, so only the outermost sum is taken apart.
    """
    parts, depth, start = [], 0, 0
    for match in re.finditer(r"\\left|\\right|\\[{}]|[{}]| [+-] ", formula):
        token = match.group()
        if token in ("{", "\\left"):
            depth += 1
        elif token in ("}", "\\right"):
            depth -= 1
        elif depth == 0 and token in (" + ", " - "):
            parts.append(formula[start : match.start()])
            start = match.start() + 1
    return [Tex(part) for part in [*parts, formula[start:]]]


def formula(name: str, body: str) -> Tex:
    """A definition that may be broken between the terms of its sum; a term wider than the line is made smaller.

    One that would become too small to read is broken within its parentheses (`\\wholeor` of `main.tex` decides).
    """
    return Tex(" ".join(_term(term) for term in summands(f"{name} = {body}")))


def _term(term: str) -> str:
    whole = _box(
        f"{{}}{term}" if term[:2] in ("+ ", "- ") else term
    )  # behind nothing, a sign has no space after it
    if len(term) < WIDE:
        return whole
    parts = breakable(_beside(term), r"\Bigl(", r"\Bigr)")
    rest = (f"{part.strip()}{{}}" for part in parts)
    return rf"\wholeor{{{whole}}}{{{' '.join(map(_box, rest))}}}"


def _box(formula: str) -> str:
    return rf"\maxbox{{\linewidth}}{{$\displaystyle {formula}$}}"


def _beside(formula: str) -> str:
    r"""\frac{a long product}{b} as \frac{1}{b} times the product, which can be broken."""
    for start in (match.start() for match in re.finditer(r"\\frac\{", formula)):
        middle = _group_end(formula, start + len(r"\frac"))
        end = _group_end(formula, middle)
        above, below = formula[start + len(r"\frac{") : middle - 1], formula[middle:end]
        if len(above) >= WIDE:
            product = above if len(summands(above)) == 1 else rf"\left({above}\right)"
            return _beside(rf"{formula[:start]}\frac{{1}}{below} {product}{formula[end:]}")
    return formula


def _group_end(formula: str, start: int) -> int:
    """The end of the group that begins here with a brace."""
    depth = 0
    for match in re.finditer(r"\\[{}]|[{}]", formula[start:]):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return start + match.end()
    return len(formula)


def fit_to_line(formula: str) -> Tex:
    """A formula in mathematics that is made smaller where its line is too short."""
    return Tex(rf"\maxbox{{\linewidth}}{{{formula}}}") if formula.startswith("$") else Tex(formula)


def label(key: str) -> Tex:
    """A key as the name of a label."""
    return Tex(re.sub(r"[^A-Za-z0-9_.-]", "-", key))


def finalize(value: Any) -> str:
    """What a template writes for a value."""
    return value if isinstance(value, Tex) else escape(str(value))


def environment() -> Environment:
    jinja = Environment(
        loader=PackageLoader("workbench.report", "tex"),
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters = (prose, statement, code, number, exponent, interval, formula, fit_to_line, label)
    jinja.filters |= {function.__name__: function for function in filters}
    return jinja
