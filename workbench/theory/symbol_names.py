"""Names of symbols as LaTeX, by their parts between underscores and by whole words alone.

SymPy's own rules look at the letters in which a word ends: "L_local" would get a script letter, "gradnorm" bars and
"eta_that" a hat. Here "L_local" is L with the index "local", "sigma_x_bar" is a barred sigma with the index x, "C12" is
C with the index 12, as "C_12" is, and a word of several letters that is no Greek letter is set upright.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sympy import Basic, Symbol, latex

from workbench.theory.notation import SYMBOLS

LETTERS = {name: macro for name, macro in SYMBOLS.items() if name not in ("grad", "sqrt")} | {
    "lamda": r"\lambda",
    "omicron": "o",
}
MARKS = {"bar": r"\bar", "low": r"\underline", "hat": r"\hat", "tilde": r"\tilde"}  # around the base
BEHIND = {"star": "^{*}", "prime": "'"}
_NAME = re.compile(r"[^\W_]\w*")
_NUMBERED = re.compile(r"([^\W\d]+)(\d+)")


def symbol_latex(name: str) -> str:
    """The LaTeX of a name; one that is no identifier is LaTeX already."""
    if not _NAME.fullmatch(name):
        return name.replace("_", r"\_") if name.isidentifier() else name
    base, *rest = filter(None, name.split("_"))
    match = _NUMBERED.fullmatch(base)
    if match:
        base, rest = match[1], [match[2], *rest]
    text, indices, behind = _word(base), [], ""
    for part in rest:
        if part in MARKS:
            text = f"{MARKS[part]}{{{text}}}"
        elif part in BEHIND:
            behind += BEHIND[part]
        else:
            indices.append(_word(part))
    return text + (f"_{{{','.join(indices)}}}" if indices else "") + behind


def _word(word: str) -> str:
    if word in LETTERS:
        return LETTERS[word]
    return word if len(word) == 1 or not word.isalpha() else rf"\mathrm{{{word}}}"


def formula(expression: Basic, names: Mapping[Symbol, str], **settings: Any) -> str:
    """The LaTeX of an expression. names: of some of its symbols; the others are set by `symbol_latex`."""
    others = {s: symbol_latex(s.name) for s in expression.atoms(Symbol)}
    return str(latex(expression, symbol_names={**others, **names}, **settings))
