"""Sentences of the records for a terminal: formulas as Unicode text, with the braces that keep them unambiguous."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from workbench.theory.sentences import GREEK, parts

# The space in "\\le \\mu", which pylatexenc would leave out. What comes after the named macros is their argument.
_ARGUMENT = "bar|hat|tilde|sqrt|mathbb|mathbf|mathcal|mathrm|operatorname|underline"
_BETWEEN_SYMBOLS = re.compile(rf"(\\(?!(?:{_ARGUMENT})\b)[A-Za-z]+) (?=\\[A-Za-z])")

_MACRO = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_FAITHFUL = (
    "epsilon varepsilon varsigma ell nabla partial infty prime circ top log ln exp sum prod max min sup inf le ge leq "
    "geq ne neq ll gg sim approx preceq succeq to in cup cap subset forall exists pm times cdot mid ldots dots cdots "
    "langle rangle lfloor rfloor lceil rceil"
)
_KNOWN = frozenset([*GREEK, *_ARGUMENT.split("|"), *"|{},; ", *_FAITHFUL.split()])
# An accent or a line over more than one symbol, a root that is not square, a comment, a starred operator.
_MISREAD = re.compile(
    r"\\(?:bar|hat|tilde|underline)\s*\{(?!\\?[A-Za-z]+\s*\}|.\})|\\(?:bar|hat|tilde|underline)\s*\{[A-Za-z]{2,}\}"
    r"|\\sqrt\s*\[|(?<!\\)%|\\operatorname\s*\*"
)


def plain(text: str) -> str:
    """A sentence whose formulas can be read without TeX: "at most C T^{-1/4}"."""
    return "".join(_plain(what) if formula else what for formula, what in parts(text))


def _plain(latex: str) -> str:
    """Unicode text; the LaTeX itself, between its dollar signs, if the text would say less or something else."""
    if {match.group(1) for match in _MACRO.finditer(latex)} <= _KNOWN and not _MISREAD.search(latex):
        return _reader().latex_to_text(latex)
    return f"${latex}$"


@cache
def _reader() -> Any:
    from pylatexenc import latex2text, latexwalker, macrospec

    # What pylatexenc would leave out: norms, lower bounds and named operators.
    arguments = latexwalker.get_default_latex_context_db()
    arguments.add_context_category(
        "records",
        prepend=True,
        macros=[macrospec.std_macro(name, False, 1) for name in ("operatorname", "underline")],
    )
    texts = latex2text.get_default_latex_context_db()
    texts.add_context_category(
        "records",
        prepend=True,
        macros=[
            latex2text.MacroTextSpec("|", "‖"),
            latex2text.MacroTextSpec("operatorname", "%s"),
            latex2text.MacroTextSpec("underline", "%s\u0332"),
        ],
    )
    return _Reader(arguments, texts)


class _Reader:
    def __init__(self, arguments: Any, texts: Any) -> None:
        from pylatexenc.latex2text import LatexNodes2Text

        self._arguments = arguments
        spaces = dict.fromkeys(("between-macro-and-chars", "after-comment", "in-equations"), False)
        self._to_text = LatexNodes2Text(
            texts,
            math_mode="text",
            keep_braced_groups=True,
            keep_braced_groups_minlen=2,
            strict_latex_spaces={**spaces, "between-latex-constructs": True},
        )

    def latex_to_text(self, latex: str) -> str:
        from pylatexenc.latexwalker import LatexWalker

        text = _BETWEEN_SYMBOLS.sub(r"\1{} ", latex)
        nodes, _, _ = LatexWalker(text, latex_context=self._arguments).get_latex_nodes()
        return re.sub(" +", " ", self._to_text.nodelist_to_text(nodes))
