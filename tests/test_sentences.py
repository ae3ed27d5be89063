"""Sentences with formulas between dollar signs."""

from __future__ import annotations

import pytest

from workbench.ledger.unicode_text import plain
from workbench.theory.sentences import check, head, parts


def test_text_and_formulas_in_turn() -> None:
    assert list(parts("at most $a$, $b$")) == [(False, "at most "), (True, "a"), (False, ", "), (True, "b")]
    assert list(parts("")) == []


@pytest.mark.parametrize("text", ["5 $", "$$", "a $ $ b", "$x$ costs $"])
def test_a_dollar_sign_without_its_partner(text: str) -> None:
    with pytest.raises(ValueError, match="own/thm-1: formulas are LaTeX between two dollar signs; not so in"):
        check("own/thm-1", text)


def test_the_head_ends_at_a_comma_of_the_prose() -> None:
    assert head(r"mean of $f(x, y)$, $f$ the loss") == "mean of $f(x, y)$"
    assert head("$a_{i,j}$") == "$a_{i,j}$"
    assert head("regret, summed") == "regret"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"at most $C T^{-1/4}$.", "at most C T^{-1/4}."),  # no exponent may swallow what follows
        (r"$\|x\| \le 2 \sqrt{a + b}$", "‖x‖ ≤ 2 √(a + b)"),
        (r"$\log t \le \mu \bar \sigma \, \eta_k$", "log t ≤ μ σ\u0305 η_k"),
        (r"$\operatorname{dist}(x, X)$ and $\underline{\sigma}_x$", "dist(x, X) and σ\u0332_x"),
        (r"$\frac{a + b}{2 c}$", r"$\frac{a + b}{2 c}$"),  # "a + b/2 c" would be another number
        (r"at $\widetilde{O}(T)$, $\sqrt[3]{x}$", r"at $\widetilde{O}(T)$, $\sqrt[3]{x}$"),
        (r"$\bar{xy} + \underline{x + y}$", r"$\bar{xy} + \underline{x + y}$"),
        ("$50% x$", "$50% x$"),
        ("100 % & more", "100 % & more"),  # prose is no LaTeX
    ],
)
def test_a_sentence_for_a_terminal(text: str, shown: str) -> None:
    assert plain(text) == shown
