r"""ASCII formulas in the prose of records, "T^-1/4 sqrt(sigma_bar)", taken apart for typesetting.

Exponents, subscripts, bounds (sigma_bar, sigma_low), Greek letters, relations, powers of ten, calligraphic letters and
minus signs are found; anything else is text, as are names of code (longer_names, files.py, what stands between
backticks). "T^-1/4" and "T^1/3" are powers, and "x^2/2" is half of a square: T^(2/3) needs its parentheses. A renderer
(`workbench.report.latex.prose`, `workbench.report.formulas.prose`) says how each is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from theorems.sentences import GREEK

SYMBOLS = {name: f"\\{name}" for name in GREEK} | {
    "eps": r"\varepsilon",
    "epsilon": r"\varepsilon",
    "lam": r"\lambda",  # a keyword of Python is no name of a symbol
    "grad": r"\nabla",
    "sqrt": r"\surd",
}
RELATIONS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "->": r"\to", "<": "<", ">": ">"}

_TOKEN = re.compile(
    r"""
      (?P<code>`[^`]*`)
    | (?P<relation>(?<![<=-])(?:<=(?!>)|>=|!=|->)|(?<=\s)[<>](?=\s))
    | (?<![\w\\.])(?P<marked>NAMES|[A-Za-z])(?:_(?P<under>[A-Za-z0-9]{1,3}))?_(?P<mark>bar|low)(?!\w|\.[a-z])
    | \^(?P<power>-\d+(?:\.\d+)?(?:/\d+)?|(?!2/)\d+/\d+|\d+(?:\.\d+)?|-?(?:[A-Za-z][A-Za-z0-9]*|\([^()^]*\)))
    | (?<![\w\\.])(?P<base>NAMES|cal[A-Z]|[A-Z]?[A-Za-z]|d[a-z])
      _(?P<index>NAMES|[A-Za-z0-9]{1,4}|\*|\([^()_^]*\))(?!\w|\.[a-z]|/[a-z]+-)
    | (?<![A-Za-z_\\.])(?<![A-Za-z]-)(?P<symbol>NAMES)(?!\w|\.[a-z])
    | (?<![\w.])(?<![A-Za-z]-)(?P<big>\d+(?:\.\d+)?e[+-]?\d+)(?!\w)
    | (?<![A-Za-z\\])cal(?P<cal>[A-Z])(?![a-z])
    | (?P<minus>(?<![\w.-])-(?=\d))
    """.replace("NAMES", "|".join(sorted(SYMBOLS, key=len, reverse=True))),
    re.VERBOSE,
)


def pieces(text: str) -> Iterator[tuple[str, str, str]]:
    r"""The parts of a sentence in order, as (kind, what, more).

    Kinds: "text" (what stands there), "math" (a formula in LaTeX), "power" and "index" (what is raised or lowered, to
    be taken apart again; ``more`` is the base of an index).
    """
    end = 0
    for found in _TOKEN.finditer(text):
        if found.start() > end:
            yield "text", text[end : found.start()], ""
        end = found.end()
        kind, inner = str(found.lastgroup), found.group(str(found.lastgroup))
        bare = inner[1:-1] if inner.startswith("(") else inner  # "-(1 - p)" keeps its parentheses
        if kind == "code":
            yield "text", inner, ""
        elif kind == "power":
            yield "power", bare, ""
        elif kind == "index":
            yield "index", bare, found["base"]
        elif kind == "mark":
            yield "math", _marked(found["marked"], found["under"] or "", inner), ""
        else:
            yield "math", _math(kind, inner), ""
    if end < len(text):
        yield "text", text[end:], ""


def _marked(base: str, under: str, mark: str) -> str:
    """An upper or a lower bound, "sigma_x_bar" or "sigma_x_low", as a bar above or below."""
    bar = r"\bar" if mark == "bar" else r"\underline"
    return f"{bar}{{{SYMBOLS.get(base, base)}}}" + (f"_{{{SYMBOLS.get(under, under)}}}" if under else "")


def _math(kind: str, inner: str) -> str:
    if kind == "relation":
        return RELATIONS[inner]
    if kind == "symbol":
        return SYMBOLS[inner]
    if kind == "cal":
        return rf"\mathcal{{{inner}}}"
    if kind == "minus":
        return "-"
    mantissa, _, power = inner.partition("e")
    factor = "" if mantissa == "1" else rf"{mantissa}\cdot "
    return f"{factor}10^{{{int(power)}}}"
