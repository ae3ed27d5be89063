"""Mutation testing of the checkers: a mutant is a statement changed in one place, which a checker must reject.

Changes: the sign of a term, a constant halved (or doubled, if that makes the statement stronger), a factor dropped, an
exponent shifted by 1/12. If the original has slack, the mutant may be true; then the checker proves it, and the proof
is the explanation. A mutant that is neither refuted nor proved counts as survived.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sympy import Add, Expr, Integer, Mul, Pow, Product, Rational, S, Sum, Symbol

from workbench.evidence.verdicts import Verdict
from workbench.ledger.decide import decide
from workbench.theory.lemma import (
    MEASURED,
    Check,
    Identity,
    Induction,
    Inequality,
    Lemma,
    LinearProgram,
    integers,
)

SECONDS = 1.0
TWELFTH = Rational(1, 12)
LEAST_RATE = 0.95  # share of the false mutants that must be refuted
AT_MOST = 8  # mutants per check, spread over the kinds of change
FIELDS: dict[type, tuple[str, ...]] = {
    Inequality: ("rhs", "lhs"),
    Identity: ("rhs",),
    Induction: ("bound",),
    LinearProgram: ("claimed",),
}


@dataclass(frozen=True)
class Mutant:
    """A changed check and its fate: "refuted", "true" (proved: the original has slack) or "survived"."""

    lemma: str
    check: str
    change: str
    fate: str
    why: str = ""


def mutants(check: Check, at_most: int = AT_MOST) -> list[tuple[str, Check]]:
    """(description of the change, changed check), at most ``at_most``, taken from the kinds in turn."""
    kinds: dict[str, list[tuple[str, Check]]] = {}
    for name in FIELDS.get(type(check), ()):
        original = getattr(check, name)
        for kind, other in _changes(original, smaller=name != "lhs"):
            if other != original and not other.has(S.NaN, S.ComplexInfinity):
                label = f"{name}: {kind}: {other}"[:100]
                fresh: dict[str, Any] = {name: other, **_fresh(check)}
                with contextlib.suppress(
                    ValueError
                ):  # a change may leave a statement that is not well-formed
                    kinds.setdefault(kind, []).append((label, dataclasses.replace(check, **fresh)))
    selection: list[tuple[str, Check]] = []
    while any(kinds.values()) and len(selection) < at_most:
        for waiting in kinds.values():
            if waiting and len(selection) < at_most:
                selection.append(waiting.pop(0))
    return selection


def _fresh(check: Check) -> dict[str, object]:
    """Drops a known counter-example, which belongs to the original."""
    return {"witness": {}} if isinstance(check, Inequality) else {}


def _changes(e: Expr, smaller: bool) -> Iterator[tuple[str, Expr]]:
    """(kind, changed expression). smaller: whether the statement is stronger when the expression is smaller."""
    if e.is_Add:
        for term in e.args:
            yield "sign", e - 2 * term
    elif e != 0:
        yield "sign", -e
    half = S.Half if smaller else Integer(2)
    yield "constant", half * e
    yield from _inside(e, half)


def _inside(e: Expr, half: Expr) -> Iterator[tuple[str, Expr]]:
    """Changes at single places in the tree."""
    if isinstance(e, Mul):
        for i, f in enumerate(e.args):
            if not f.is_number:
                yield "factor", Mul(*e.args[:i], *e.args[i + 1 :])
    if isinstance(e, Pow) and e.exp.is_Rational and not e.base.is_number:
        yield "exponent", e.base ** (e.exp + TWELFTH)
        yield "exponent", e.base ** (e.exp - TWELFTH)
    if isinstance(e, Symbol):
        yield "exponent", e ** (1 + TWELFTH)
        yield "exponent", e ** (1 - TWELFTH)
    if isinstance(e, (Add, Mul)):
        for i, a in enumerate(e.args):
            if a.is_Rational and a not in (0, 1, -1):
                yield "constant", e.func(*e.args[:i], half * a, *e.args[i + 1 :])
            elif not a.is_number:
                for kind, part in _inside(a, half):
                    yield kind, e.func(*e.args[:i], part, *e.args[i + 1 :])
    elif e.args and not isinstance(e, (Sum, Product, Pow)) and not e.is_Atom and e.func.is_Function:
        for kind, part in _inside(e.args[0], half):
            yield kind, e.func(part, *e.args[1:])
    elif isinstance(e, Pow) and not e.base.is_Atom and not e.base.is_number:
        for kind, part in _inside(e.base, half):
            yield kind, part**e.exp


def run(lemma: Lemma, seconds: float = SECONDS) -> list[Mutant]:
    """The fates of all mutants of the lemma's exact checks that are expected to hold."""
    fates = []
    for check in lemma.checks:
        if isinstance(check, MEASURED) or check.expected != "holds":
            continue
        for label, mutant in mutants(check):
            fates.append(_fate(lemma, check, label, mutant, seconds))
    return fates


def _fate(lemma: Lemma, check: Check, label: str, mutant: Check, seconds: float) -> Mutant:
    try:
        outcome = decide(mutant, seconds)
    except ValueError as error:  # outside the checkers' language, so it cannot be proved by mistake
        return Mutant(lemma.key, check.name, label, "refuted", f"rejected: {error}")
    if outcome.verdict == Verdict.INCONCLUSIVE and _weaker(check, mutant, seconds):
        return Mutant(lemma.key, check.name, label, "true", "weaker than the original")
    fates = {Verdict.VIOLATED: "refuted", Verdict.HOLDS: "true", Verdict.INCONCLUSIVE: "survived"}
    return Mutant(lemma.key, check.name, label, fates[outcome.verdict], outcome.note or outcome.decides)


def _weaker(check: Check, mutant: Check, seconds: float) -> bool:
    """Does the original imply the mutant, i.e. is its right side nowhere smaller and its left side nowhere larger?"""
    if isinstance(check, Induction) and isinstance(mutant, Induction):
        box = {**check.box, check.n: integers(check.start)}
        small, large = check.bound, mutant.bound
    elif isinstance(check, Inequality) and isinstance(mutant, Inequality):
        box, same_right = dict(check.box), check.rhs == mutant.rhs
        small, large = (mutant.lhs, check.lhs) if same_right else (check.rhs, mutant.rhs)
    else:
        return False
    if not all(s.is_integer for s in box if box[s].integer):
        box = {
            s: dataclasses.replace(side, integer=side.integer and bool(s.is_integer))
            for s, side in box.items()
        }
    free = {s for e in (small, large, *check.given) for s in e.free_symbols}
    box = {s: side for s, side in box.items() if s in free}
    try:
        claim = Inequality("weaker", small, large, box, check.given, check.constants)
        return decide(claim, seconds).verdict == Verdict.HOLDS
    except ValueError:
        return False


def kill_rate(fates: list[Mutant]) -> float:
    """Share of the false mutants that were refuted. Mutants proved true do not count; NaN if no others exist."""
    false = [t for t in fates if t.fate != "true"]
    return sum(t.fate == "refuted" for t in false) / len(false) if false else float("nan")
