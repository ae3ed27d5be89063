r"""ASCII formulas of records, "sum of |g_x - g_x'|^2 <= sigma_x_bar", as Matplotlib typesets them.

They are taken apart by `workbench.theory.notation`, as for every other reader. Of TeX's names Matplotlib lacks some
short ones.
"""

from __future__ import annotations

import re

from workbench.theory.notation import pieces, with_braces

LACKING = re.compile(r"\\(le|ge|ne)(?![A-Za-z])")  # Matplotlib has \leq, \geq and \neq only

OTHERS = {
    **dict.fromkeys(("lVert", "rVert"), r"\|"),
    **dict.fromkeys(("lvert", "rvert"), "|"),
    **dict.fromkeys(("tfrac", "dfrac"), r"\frac"),
    "leqslant": r"\leq",
    "geqslant": r"\geq",
    "iff": r"\Leftrightarrow",
    "implies": r"\Rightarrow",
}  # the same signs under names that Matplotlib has


def mathtext(text: str) -> str:
    """The text with its formulas between dollar signs; adjoining formulas are one. Powers of powers stay."""
    formula = "".join(
        what.replace("$", r"\$") if kind == "text" else f"${_formula(kind, what, base)}$"
        for kind, what, base in pieces(text)
    )
    if "}$$^{" in formula:  # 2^-2^k
        return text.replace("$", r"\$")
    # A letter with a power belongs to the formula.
    formula = re.sub(r"(?<![A-Za-z\\])([A-Za-z])\$\^", r"$\1^", formula)
    return re.sub(r"(?<!\\)\$(\s*)\$", lambda match: r"\ " if match[1] else "", formula)


def _formula(kind: str, what: str, base: str = "") -> str:
    if kind == "math":
        return tex(what)
    if kind == "text":  # in a script; a word in it stands upright
        return re.sub(r"[A-Za-z]{3,}", lambda match: rf"\mathrm{{{match[0]}}}", what)
    inner = "".join(_formula(*piece) for piece in pieces(what))
    if kind == "power":
        return f"^{{{inner}}}"
    letter = "".join(_formula(*piece) for piece in pieces(base))
    return f"{letter}_{{{inner}}}".replace("'", r"{}^{\prime}").replace("*_", "^{*}_")


def tex(formula: str) -> str:
    """A formula of TeX, as Matplotlib reads it; also a sentence with such formulas."""
    for name, sign in OTHERS.items():
        formula = re.sub(rf"\\{name}(?![A-Za-z])", lambda _, sign=sign: sign, formula)  # type: ignore[misc]
    if re.search(r"\\(frac|binom|sqrt)[^{a-zA-Z]|\\(frac|binom)\{", formula):
        formula = with_braces(formula)
    return LACKING.sub(r"\\\1q", formula).replace(r"\surd", "√")
