r"""ASCII formulas of records, "sum of |g_x - g_x'|^2 <= sigma_x_bar", as Matplotlib typesets them.

Found are Greek letters, indices, powers, bars, relations, calligraphic letters, roots and powers of ten; everything
else is text. Of the formulas of TeX, Matplotlib lacks some short names, and text may hold no dollar sign.
"""

from __future__ import annotations

import re

from theorems.sentences import GREEK

SYMBOLS = {name: f"\\{name}" for name in GREEK} | {
    "eps": r"\varepsilon",
    "lam": r"\lambda",
    "grad": r"\nabla",
}
RELATIONS = {"<=": r"\leq", ">=": r"\geq", "!=": r"\neq", "->": r"\to"}
LACKING = re.compile(r"\\(le|ge|ne)(?![A-Za-z])")  # Matplotlib has \leq, \geq and \neq only

_NAMES = "|".join(sorted(SYMBOLS, key=len, reverse=True))
_SCRIPT = rf"-?\d+(?:\.\d+)?(?:/\d+)?|-?(?:{_NAMES}|[A-Za-z]\w{{0,2}})(?!\w)|\([^()]*\)|\*"
_TOKEN = re.compile(
    rf"""
      (?P<relation><=|>=|!=|->)
    | (?P<root>\bsqrt(?=\())
    | (?<![\w\\.])(?P<base>{_NAMES}|cal[A-Z]|[A-Za-z])
      (?:_(?P<index>(?!bar\b|low\b)(?:{_NAMES}|[A-Za-z0-9]{{1,4}}(?:,[A-Za-z0-9]{{1,2}}(?!\w))?|\([^()]*\)|\*)))?
      (?:_(?P<mark>bar|low))?(?![A-Za-z_])(?P<prime>'?)
      (?:\^(?P<power>{_SCRIPT}))?
    | \^(?P<raised>{_SCRIPT})
    | (?<![\w.])(?P<digits>\d+(?:\.\d+)?)e(?P<ten>-?\d+)(?!\w)
    """,
    re.VERBOSE,
)
_BARS = {"bar": r"\overline", "low": r"\underline"}


def mathtext(text: str) -> str:
    """The text with its formulas between dollar signs; adjoining formulas are one."""
    made = _TOKEN.sub(_typeset, text.replace("$", r"\$"))
    return re.sub(r"(?<!\\)\$(\s*)\$", lambda found: r"\ " if found[1] else "", made)


def _typeset(found: re.Match[str]) -> str:
    if relation := found["relation"]:
        return f"${RELATIONS[relation]}$"
    if found["root"]:
        return "√"
    if raised := found["raised"]:
        return f"$^{{{_script(raised)}}}$"
    if found["ten"]:
        times = "" if found["digits"] == "1" else rf"{found['digits']} \cdot "
        return f"${times}10^{{{found['ten']}}}$"
    base, index, power, mark = found["base"], found["index"], found["power"], found["mark"]
    if base not in SYMBOLS and not base.startswith("cal") and not (index or power or mark):
        return found.group()  # a letter, or a word of one letter
    shown = (
        rf"\mathcal{{{base[3]}}}" if len(base) == 4 and base.startswith("cal") else SYMBOLS.get(base, base)
    )
    if mark:
        shown = rf"{_BARS[mark]}{{{shown}}}"
    shown += f"_{{{_script(index)}}}" if index else ""
    shown += found["prime"] and r"{}^{\prime}"
    return f"${shown}" + (f"^{{{_script(power)}}}$" if power else "$")


def _script(text: str) -> str:
    """What is raised or lowered, without its parentheses; a word in it stands upright."""
    inner = text[1:-1] if text.startswith("(") else text
    inner = re.sub(rf"(?<![A-Za-z])({_NAMES})(?![A-Za-z])", lambda found: SYMBOLS[found[1]], inner)
    return re.sub(r"(?<![A-Za-z\\])[a-z]{3,}", lambda found: rf"\mathrm{{{found[0]}}}", inner)


def tex(formula: str) -> str:
    """A sentence with formulas of TeX, as Matplotlib reads it."""
    return LACKING.sub(r"\\\1q", formula)
