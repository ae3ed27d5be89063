r"""ASCII formulas in the prose of records, "T^-1/4 sqrt(sigma_bar)", taken apart for typesetting.

Exponents, subscripts, bounds (sigma_bar, sigma_low), Greek letters, hats and tildes ("hat eps_1", "g~_x"), relations,
scalar products ("<e, y - y~>"), powers of ten, calligraphic letters and minus signs are found; anything else is text,
as are names of code (longer_names, files.py, what stands between backticks). "T^-1/4" and "T^1/3" are powers, and
"x^2/2" is half of a square: T^(2/3) needs its parentheses. A subscript may hold a comma if no space follows ("H_2,T").
A renderer (`workbench.report.latex.prose`, `workbench.report.formulas.prose`) says how each is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from workbench.theory.sentences import GREEK

SYMBOLS = {name: f"\\{name}" for name in GREEK} | {
    "eps": r"\varepsilon",
    "epsilon": r"\varepsilon",
    "varsigma": r"\varsigma",
    "ell": r"\ell",
    "lam": r"\lambda",  # a keyword of Python is no name of a symbol
    "grad": r"\nabla",
    "sqrt": r"\surd",
}
RELATIONS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "->": r"\to", "<": "<", ">": ">", "~": r"\sim"}
OPERATORS = {"sum": r"\sum", "prod": r"\prod", "d2": r"\nabla^2"}  # with a subscript; alone they are words
MINUS = "\N{MINUS SIGN}"

_NAMES = "|".join(sorted(SYMBOLS, key=len, reverse=True))
_NESTED = r"\((?:[^()]|\([^()]*\))*\)"  # parentheses, with further ones inside
_INDEX = rf"""(?:(?:{_NAMES})(?!\w) | [A-Za-z0-9]{{1,4}}(?:,[A-Za-z0-9]{{1,2}})*(?!\w) | \*(?!\w) | {_NESTED}
      | \{{[^{{}}]*\}})(?!\w|\.[a-z]|/[a-z]+-)"""
_SYMBOL = rf"(?:{_NAMES}|cal[A-Z]|[A-Za-z])(?![A-Za-z])"
_TOKEN = re.compile(
    rf"""
      (?P<code>`[^`]*`)
    | (?P<relation>(?<![<=-])(?:<=(?!>)|>=|!=|->)|(?<=\s)[<>~](?=\s))
    | <(?P<product>[^<>=]*,\s[^<>=]*)>
    | (?<![\w\\.])(?P<marked>{_NAMES}|[A-Za-z])(?:_(?P<under>[A-Za-z0-9]{{1,3}}))?_(?P<mark>bar|low)(?!\w|\.[a-z])
    | (?<![\w\\.])hat\s(?P<hat>{_NAMES}|[A-Za-z])(?![A-Za-z])
    | (?<![\w\\.])(?P<tilde>{_NAMES}|[A-Za-z])~(?![A-Za-z0-9~/])
    | \^(?P<power>-\d+(?:\.\d+)?(?:/\d+)?|(?!2/)\d+/\d+|\d+(?:\.\d+)?|-?(?:[A-Za-z][A-Za-z0-9]*|{_NESTED}))
    | (?<![\w\\.])(?P<base>(?:(?:{_NAMES}|cal[A-Z]|[A-Z]?[A-Za-z]|d[a-z])[*']?|sum|prod|d2(?=_[xy]{{1,2}}\b)))
      _(?P<index>{_INDEX})
    | (?<![A-Za-z_\\.])(?<![A-Za-z]-)(?!grad(?![_^(|]|\s+{_SYMBOL}))(?P<symbol>{_NAMES})(?!\w|\.[a-z])
    | (?<![\w.])(?<![A-Za-z]-)(?P<big>\d+(?:\.\d+)?e[+-]?\d+)(?!\w)
    | (?<![A-Za-z\\])cal(?P<cal>[A-Z])(?![a-z])
    | (?P<zero>(?<![\w.-])-)(?=0(?:\.0+)?(?!\.?\d))
    | (?P<minus>{MINUS}|(?<=\s)-(?=\s)|(?<=[(\s][a-z])-(?=\d)
      |(?<![\w.)-])-(?=\d|\(|(?:{_NAMES}|[A-Za-z])(?![A-Za-z0-9-])))
    """,
    re.VERBOSE,
)
_BELOW = re.compile(rf"_(?P<index>{_INDEX})", re.VERBOSE)


def power(value: float) -> str:
    """An exponent, as a fraction where it is one with a small denominator: "-1/4", "-0.83"."""
    near = Fraction(value).limit_denominator(24)
    return str(near) if abs(near - value) < 1e-9 else f"{value:.3g}"


def pieces(text: str) -> Iterator[tuple[str, str, str]]:
    r"""The parts of a sentence in order, as (kind, what, more).

    Kinds: "text" (what stands there), "math" (a formula in LaTeX), "power" and "index" (what is raised or lowered, to
    be taken apart again; ``more`` is the base of an index, empty if it belongs to the piece before).
    """
    end = 0
    while match := _TOKEN.search(text, end):
        if match.start() > end:
            yield "text", text[end : match.start()], ""
        end = match.end()
        kind, inner = str(match.lastgroup), match.group(str(match.lastgroup))
        if kind == "zero":  # a number that was rounded to zero has no sign
            continue
        if kind == "code":
            yield "text", inner, ""
        elif kind == "product":
            yield "math", r"\langle", ""
            yield from pieces(inner)
            yield "math", r"\rangle", ""
        elif kind == "power":
            yield "power", _bare(inner), ""
        elif kind == "index":
            base = match["base"]
            symbol = OPERATORS.get(base) or SYMBOLS.get(base)
            if symbol:
                yield "math", symbol, ""
            yield "index", _bare(inner), "" if symbol else base
        elif kind == "mark":
            yield "math", _bar(match["marked"], match["under"] or "", inner), ""
        else:
            yield "math", _math(kind, inner), ""
        if kind in ("power", "hat", "tilde") and (below := _BELOW.match(text, end)):
            end = below.end()
            yield "index", _bare(below["index"]), ""
    if end < len(text):
        yield "text", text[end:], ""


def _bare(script: str) -> str:
    """What is raised or lowered, without the parentheses around all of it; a hyphen in it is a minus sign."""
    around = script[0] + script[-1] in ("()", "{}")  # "-(1 - p)" keeps its parentheses
    return (script[1:-1] if around else script).replace("-", MINUS)


def _bar(base: str, under: str, mark: str) -> str:
    """An upper or a lower bound, "sigma_x_bar" or "sigma_x_low", as a bar above or below."""
    bar = r"\bar" if mark == "bar" else r"\underline"
    return f"{bar}{{{SYMBOLS.get(base, base)}}}" + (f"_{{{SYMBOLS.get(under, under)}}}" if under else "")


def _math(kind: str, inner: str) -> str:
    if kind == "relation":
        return RELATIONS[inner]
    if kind == "symbol":
        return SYMBOLS[inner]
    if kind in ("hat", "tilde"):
        return rf"\{kind}{{{SYMBOLS.get(inner, inner)}}}"
    if kind == "cal":
        return rf"\mathcal{{{inner}}}"
    if kind == "minus":
        return "-"
    mantissa, _, power = inner.partition("e")
    factor = "" if mantissa == "1" else rf"{mantissa}\cdot "
    return f"{factor}10^{{{int(power)}}}"


# Macros with arguments, of which a digit without braces is one, and the next digit is not.
_ARGUMENTS = dict.fromkeys(("frac", "tfrac", "dfrac", "binom", "tbinom", "dbinom"), 2) | {"sqrt": 1}
_ATOM = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)


def with_braces(latex: str) -> str:
    """LaTeX with braces around each digit that is an argument: ``\\frac12``, ``x^12`` is x^{1}2."""
    output, arguments, outer = "", 0, list[int]()  # arguments still to come, here and around the braces
    tokens = iter(_ATOM.findall(latex))
    for token in tokens:
        if token == "{":
            outer.append(max(0, arguments - 1))
            arguments = 0
        elif token == "}":
            arguments = outer.pop() if outer else 0
        elif token == "[" and output.endswith(r"\sqrt"):
            while not token.endswith("]"):
                token += next(tokens, "]")
        elif not token.isspace():
            token = f"{{{token}}}" if arguments and token.isdigit() else token
            arguments = max(0, arguments - 1) + _ARGUMENTS.get(token[1:], 1 if token in ("^", "_") else 0)
        output += token
    return output
