"""Names of measured quantities as formulas: how claims, notes and constants are shown to a reader.

Plans, stored results and JSON keep a claim's own name, which has the names of Python in it: "METHOD on A; p = 0.25,
inner_gap". Only what a reader sees goes through `display_name`. A module ``quantities`` among a paper's figures, or the
one file of a paper, says in ``SHOWN_AS`` what stands for its names, "inner_gap": "G(z_t) - G_opt", and for grid
points whose parameters are no symbols of the paper, "case = 0": "on D" (or "weight = ": "alpha = ", at every value).
The formulas are ASCII: a terminal prints them as they are, and `workbench.theory.notation` typesets them everywhere
else.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from workbench.claims.claims import Claim
from workbench.homes import papers
from workbench.homes.keys import Key
from workbench.homes.papers import per_view
from workbench.run import catalog
from workbench.theory.record import Statement
from workbench.theory.vocabulary import Constant

CALLS = {  # metered; "evaluation_f calls" are evaluations of f
    "gradient": "gradients",
    "gradient_x": "gradients in x",
    "gradient_y": "gradients in y",
    "gradient_x_f": "gradients of f in x",
    "gradient_y_f": "gradients of f in y",
    "gradient_y_g": "gradients of g in y",
    "hessian_vector": "Hessian-vector products",
    "jacobian_vector": "Jacobian-vector products",
    "evaluation_f": "evaluations of f",
    "evaluation_g": "evaluations of g",
    "batch_f": "minibatches of f",
    "batch_g": "minibatches of g",
    "pass_f": "passes over f",
    "pass_g": "passes over g",
    "lmo": "linear minimizations",
}
# Names that a sentence may use: metered only before "calls" or as the last part of a name.
_ENGLISH = ("gradient", "lmo")
_DECIMALS = re.compile(r"(?<= = )-?\d+\.\d{5,}(?!\w)")
LARGEST = 30  # denominator of a grid parameter that is shown as a fraction


def display_name(claim: Claim) -> str:
    """The name of a claim for readers."""
    return for_readers(claim.experiment, Key.of(claim.key).paper)


def for_readers(text: str, paper: str = "") -> str:
    """A name or a note for readers. paper: the key of the paper that it is about."""
    words = {**CALLS, **_shown_as().get(paper, {})}
    names = "|".join(re.escape(name) for name in sorted(words, key=len, reverse=True))
    # Part of no longer name or number, and no code between backticks.
    pattern = re.compile(rf"(?<![\w.`])({names})( calls)?(?:(?<= )|(?![\w`]|\.\w))")

    def replacement(match: re.Match[str]) -> str:
        name, calls = match.groups()
        last = text[: match.start()].endswith("; ") and match.end() == len(text)
        if name in _ENGLISH and not (calls or last):
            return str(match.group())
        return words[name] + ("" if name in CALLS else calls or "")

    return _DECIMALS.sub(_fraction, pattern.sub(replacement, text))


@per_view
def _shown_as() -> dict[str, dict[str, str]]:
    """Paper -> its ``SHOWN_AS``. No other module is imported: a verdict table needs no drawing library."""
    by_paper: dict[str, dict[str, str]] = {}
    for home in papers.homes():
        for name in home.names("figures"):
            if name == home.package or name.endswith(".quantities"):
                by_paper[home.key] = getattr(catalog.module_or_none(name), "SHOWN_AS", {})
    return by_paper


def _fraction(match: re.Match[str]) -> str:
    """0.166667 as 1/6."""
    near = Fraction(match.group()).limit_denominator(LARGEST)
    return str(near) if abs(float(near) - float(match.group())) < 1e-6 else str(match.group())


def title_of(name: str) -> str:
    """The title of a statement in place of its key, as "Error of STORM" for "<paper>/lem-3-error"."""
    return _statements().get(name, name)


@per_view
def _statements() -> dict[str, str]:
    values = (value for module in catalog.modules("theory") for value in vars(module).values())
    return {x.key: x.title for value in values for x in _several(value) if isinstance(x, Statement)}


@per_view
def symbols() -> dict[str, dict[str, str]]:
    """Paper -> name of a constant -> its LaTeX, of all constants in the modules of its theorems."""
    by_paper: dict[str, dict[str, str]] = {}
    for module in catalog.modules("theory"):
        letters = by_paper.setdefault(papers.key_of(module.__name__), {})
        for value in vars(module).values():
            letters |= {x.name: x.latex for x in _several(value) if isinstance(x, Constant)}
    return by_paper


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
