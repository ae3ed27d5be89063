"""Mutation testing of the checkers: a mutant is a statement changed in one place, which a checker must reject.

Changes: the sign of a term, a constant halved (or doubled, if that makes the statement stronger), a factor dropped, an
exponent shifted by 1/12. If the original has slack, the mutant may be true; then the checker proves it, and the proof
is the explanation. A mutant that is neither refuted nor proved counts as survived.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workbench.evidence.verdicts import Verdict
from workbench.ledger import printer
from workbench.ledger.checks import decide
from workbench.ledger.decide import decide_statement
from workbench.ledger.parser import head, opposite
from workbench.ledger.statements import statement
from workbench.ledger.trees import ONE, ZERO, Tree, Wrong, names_in
from workbench.theory.lemma import Exact, Lemma

SECONDS = 1.0
TWELFTH = Fraction(1, 12)
LEAST_RATE = 0.95  # share of the false mutants that must be refuted
AT_MOST = 8  # mutants per check, spread over the kinds of change
PARTS = {"inequality": ("rhs", "lhs"), "identity": ("rhs",), "induction": ("bound",), "program": ()}
FUNCTIONS = ("exp", "log", "abs", "sin", "cos", "tanh", "max", "min", "call")


@dataclass(frozen=True)
class Mutant:
    """A changed check and its fate: "refuted", "true" (proved: the original has slack) or "survived"."""

    lemma: str
    check: str
    change: str
    fate: str
    why: str = ""


def mutants(check: Exact, at_most: int = AT_MOST) -> list[tuple[str, Exact]]:
    """(description of the change, changed check), at most ``at_most``, taken from the kinds in turn.

    A known counter-example belongs to the original and is dropped.
    """
    kinds: dict[str, list[tuple[str, Exact]]] = {}
    s = check.statement
    for kind, label, mutant in _statements(s):
        other = dataclasses.replace(check, statement=mutant, witness={})
        kinds.setdefault(kind, []).append((label[:100], other))
    selection: list[tuple[str, Exact]] = []
    while any(kinds.values()) and len(selection) < at_most:
        for waiting in kinds.values():
            if waiting and len(selection) < at_most:
                selection.append(waiting.pop(0))
    return selection


def _statements(s: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(kind, description, changed statement)"""
    if s["kind"] == "program" and Fraction(s["claimed"]):
        for kind, q in (("sign", -Fraction(s["claimed"])), ("constant", Fraction(s["claimed"]) / 2)):
            yield kind, f"claimed: {kind}: {q}", {**s, "claimed": str(q)}
    for part in PARTS[s["kind"]]:
        for kind, other in _changes(s[part], smaller=part != "lhs"):
            if other != s[part] and _has_values(other, s):
                yield kind, f"{part}: {kind}: {printer.text(other)}", {**s, part: other}


def _has_values(tree: Tree, s: Any) -> bool:
    """False where a power of a single variable has no value on the variable's side: such a mutant is no statement."""
    if isinstance(tree, str):
        return True
    if tree[0] == "^" and isinstance(tree[1], str) and tree[1] in s["box"]:
        low, high, low_open, *_ = s["box"][tree[1]]
        p = Fraction(tree[2])
        below = low == "-oo" or Fraction(low) < 0
        zero = (below or (low == "0" and not low_open)) and (high == "oo" or Fraction(high) >= 0)
        is_constrained = any(tree[1] in names_in(g) for g, _ in s.get("given", ()))
        if not is_constrained and ((p.denominator > 1 and below) or (p < 0 and zero)):
            return False
    return all(_has_values(part, s) for part in tree[1:] if isinstance(part, list))


def _changes(tree: Tree, smaller: bool) -> Iterator[tuple[str, Tree]]:
    """(kind, changed tree). smaller: whether the statement is stronger when the tree is smaller."""
    if head(tree) == "+":
        for i, term in enumerate(tree[1:], 1):
            yield "sign", [*tree[:i], opposite(term), *tree[i + 1 :]]
    elif tree != ZERO:
        yield "sign", opposite(tree)
    half = Fraction(1, 2) if smaller else Fraction(2)
    yield "constant", _times(half, tree)
    yield from _inside(tree, half)


def _times(q: Fraction, tree: Tree) -> Tree:
    return ["q", str(q * Fraction(tree[1]))] if head(tree) == "q" else ["*", ["q", str(q)], tree]


def _power(tree: Tree, p: Fraction) -> Tree:
    return tree if p == 1 else ONE if p == 0 else ["^", tree, str(p)]


def _inside(tree: Tree, half: Fraction) -> Iterator[tuple[str, Tree]]:
    """Changes at single places in the tree."""
    if isinstance(tree, str):
        yield "exponent", _power(tree, 1 + TWELFTH)
        yield "exponent", _power(tree, 1 - TWELFTH)
        return
    kind, *args = tree
    if kind == "*":
        for i, factor in enumerate(args):
            if names_in(factor):
                rest = [*args[:i], *args[i + 1 :]]
                yield "factor", rest[0] if len(rest) == 1 else ["*", *rest]
    if kind == "^" and names_in(args[0]):
        for shift in (TWELFTH, -TWELFTH):
            yield "exponent", _power(args[0], Fraction(args[1]) + shift)
        if not isinstance(args[0], str):
            for change, part in _inside(args[0], half):
                yield change, ["^", part, args[1]]
    if kind in ("+", "*"):
        for i, part in enumerate(args):
            if head(part) == "q" and part[1] not in ("0", "1", "-1"):
                yield "constant", [kind, *args[:i], _times(half, part), *args[i + 1 :]]
            elif names_in(part):
                for change, other in _inside(part, half):
                    yield change, [kind, *args[:i], other, *args[i + 1 :]]
    if kind in FUNCTIONS:
        at = 1 if kind == "call" else 0
        for change, part in _inside(args[at], half):
            yield change, [kind, *args[:at], part, *args[at + 1 :]]


def run(lemma: Lemma, seconds: float = SECONDS) -> list[Mutant]:
    """The fates of all mutants of the lemma's exact checks that are expected to hold."""
    fates = []
    for check in lemma.checks:
        if not isinstance(check, Exact) or check.expected != "holds":
            continue
        for label, mutant in mutants(check):
            fates.append(_fate(lemma, check, label, mutant, seconds))
    return fates


def _fate(lemma: Lemma, check: Exact, label: str, mutant: Exact, seconds: float) -> Mutant:
    try:
        outcome = decide(mutant, seconds)
    except ValueError as error:  # outside the checkers' language, so it cannot be proved by mistake
        return Mutant(lemma.key, check.name, label, "refuted", f"rejected: {error}")
    if outcome.verdict == Verdict.INCONCLUSIVE and _weaker(check, mutant, seconds):
        return Mutant(lemma.key, check.name, label, "true", "weaker than the original")
    fates = {Verdict.VIOLATED: "refuted", Verdict.HOLDS: "true", Verdict.INCONCLUSIVE: "survived"}
    return Mutant(lemma.key, check.name, label, fates[outcome.verdict], outcome.note or outcome.decides)


def _weaker(check: Exact, mutant: Exact, seconds: float) -> bool:
    """Does the original imply the mutant, i.e. is its right side nowhere smaller and its left side nowhere larger?"""
    s, other = statement(check), statement(mutant)
    box = dict(s.get("box", {}))
    if s["kind"] == "induction":
        box[s["n"]] = [str(s["start"]), "oo", False, True, True]
        small, large = s["bound"], other["bound"]
    elif s["kind"] == "inequality":
        small, large = (other["lhs"], s["lhs"]) if s["rhs"] == other["rhs"] else (s["rhs"], other["rhs"])
    else:
        return False
    free = set[str]().union(*(names_in(t) for t in (small, large, *(g for g, _ in s["given"]))))
    box = {name: side for name, side in box.items() if name in free}
    claim = {"kind": "inequality", "lhs": small, "rhs": large, "box": box, "given": s["given"]}
    try:
        return decide_statement(claim, seconds).verdict == Verdict.HOLDS
    except Wrong:
        return False


def kill_rate(fates: list[Mutant]) -> float:
    """Share of the false mutants that were refuted. Mutants proved true do not count; NaN if no others exist."""
    false = [t for t in fates if t.fate != "true"]
    return sum(t.fate == "refuted" for t in false) / len(false) if false else float("nan")
