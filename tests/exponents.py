"""Compares derived exponents with claimed ones, for the tests of every paper's theorems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sympy import Expr, simplify

from workbench.theory.record import Theorem

Key = tuple[str, str, str]  # theorem (without its paper), form, case


def check_exponents(theorems: Iterable[Theorem], other: Mapping[Key, Expr | int]) -> None:
    """Asserts that every case that a form covers has the claimed exponent, or the one that ``other`` gives instead."""
    left = dict(other)
    for theorem in theorems:
        for form in theorem.forms:
            for case in theorem.cases:
                if theorem.covers(case, form.name):
                    key = (theorem.key.split("/")[1], form.name, case.name)
                    expected = left.pop(key, case.claimed)
                    assert simplify(theorem.exponent(case, form.name) - expected) == 0, key
    assert left == {}, "no such theorem, form and case"
