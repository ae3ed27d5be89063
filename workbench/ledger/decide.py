"""Decides one exact check: the methods are tried in order of cost, each with a share of the time."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, Product, Sum, Symbol, cancel, expand
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Relational

from theorems.lemma import MEASURED, Check, Identity, Induction, Inequality, Interval, LinearProgram
from workbench.evidence.verdicts import Verdict
from workbench.ledger import boxes, certificate, counterexample, identity, linear, portable, smt
from workbench.ledger.outcome import Outcome, holds, refuted, undecided

LARGEST_CASES = 64  # largest number of combinations of the integer variables in summation limits
FIRST_N = (
    0,
    1,
    2,
    3,
    5,
    50,
    1000,
)  # upper limits, beyond the first one, at which an induction is tested beforehand
Values = Mapping[Symbol, Expr]


def decide(check: Check, budget: float | None = None, values: Values | None = None) -> Outcome:
    """The outcome of an exact (not measured) check. ``values`` replaces printed constants.

    Never takes much longer than its budget. Raises ValueError for a statement that cannot be translated.
    """
    began = time.monotonic()
    seconds = check.budget if budget is None else budget
    if isinstance(check, MEASURED):
        raise ValueError(f"{check.name!r} is measured along runs and cannot be decided exactly")
    try:
        if isinstance(check, Identity):
            found = identity.decide(check)
        elif isinstance(check, LinearProgram):
            found = linear.decide(check)
        elif isinstance(check, Induction):
            found = _induction(check, seconds, values)
        else:
            found = _inequality(check, seconds, values)
    except portable.Untranslatable as reason:
        found = undecided("none", str(reason), "a statement in elementary functions")
    return dataclasses.replace(found, seconds=round(time.monotonic() - began, 3))


def statement(check: Inequality, values: Values | None = None) -> dict[str, Any]:
    return portable.statement(check, values)


def settle(
    s: dict[str, Any],
    seconds: float,
    known: Mapping[str, Expr] | None = None,
    solved: dict[str, Any] | None = None,
) -> Outcome:
    """Decides a statement without sums: known counter-example, random search, z3, boxes.

    solved: the same statement with its equations solved for some of the variables, for methods that need it.
    """
    began = time.monotonic()
    if known:
        point = {n: str(v) for n, v in known.items()}
        if certificate.point_refutes(s, point):
            return refuted("witness", s, point)
    reduced = s if solved is None else solved
    if (found := counterexample.search(reduced, 0.2 * seconds)) is not None:
        return refuted("random search", reduced, found)
    tried = smt.decide(s, 0.4 * seconds)
    if tried.verdict == Verdict.VIOLATED and tried.witness is not None:
        deadline = time.monotonic() + 0.1 * seconds
        return refuted("z3", s, counterexample.smallest(s, tried.witness, deadline))
    if tried.verdict == Verdict.HOLDS:
        return tried
    left = boxes.decide(reduced, max(0.3 * seconds, seconds - (time.monotonic() - began)))
    if left.verdict == Verdict.INCONCLUSIVE and "no polynomial" not in tried.note:
        return dataclasses.replace(left, note=f"{left.note}; z3: {tried.note}")
    return left


def solved_for(check: Inequality) -> Inequality | None:
    """The check with each equation of `given` solved for a variable in which it is linear; None if there is none.

    The side of an eliminated variable becomes a condition on the expression that replaces it.
    """
    lhs, rhs, given, box, changed = check.lhs, check.rhs, list(check.given), dict(check.box), False
    for _ in check.given:
        found = next(((g, x, e) for g in given if isinstance(g, Eq) for x, e in _linear(g, box)), None)
        if found is None:
            break
        equation, x, e = found
        side, changed = box.pop(x), True
        lhs, rhs = lhs.xreplace({x: e}), rhs.xreplace({x: e})
        given = [g.xreplace({x: e}) for g in given if g is not equation]
        if side.low.is_finite:
            given.append(Gt(e, side.low) if side.low_open else Ge(e, side.low))
        if side.high.is_finite:
            given.append(Lt(e, side.high) if side.high_open else Le(e, side.high))
    if not changed:
        return None
    kept = tuple(g for g in given if g != True)  # noqa: E712
    if not all(isinstance(g, Relational) for g in kept):
        return None
    return Inequality(check.name, lhs, rhs, box, kept, check.constants, budget=check.budget)


def _linear(equation: Eq, box: Mapping[Symbol, Interval]) -> Iterator[tuple[Symbol, Expr]]:
    """(variable, its value) for every real variable in which the equation is linear."""
    gap = expand(equation.lhs - equation.rhs)
    for x in sorted(gap.free_symbols & set(box), key=str):
        slope = gap.diff(x)
        if not box[x].integer and slope != 0 and not slope.has(x):
            yield x, cancel(-gap.xreplace({x: Integer(0)}) / slope)


def _inequality(check: Inequality, seconds: float, values: Values | None) -> Outcome:
    limits = _limit_symbols(check)
    if limits:
        return _cases(check, limits, seconds, values)
    known = {s.name: v for s, v in check.witness.items()} if not values else None
    reduced = solved_for(check)
    return settle(statement(check, values), seconds, known, statement(reduced, values) if reduced else None)


def _limit_symbols(check: Inequality) -> list[Symbol]:
    """Integer variables in the limits of a sum or product."""
    terms = {a for e in (check.lhs, check.rhs, *check.given) for a in e.atoms(Sum, Product)}
    found = {s for a in terms for limit in a.limits for e in limit[1:] for s in e.free_symbols}
    return sorted(found & set(check.box), key=str)


def _cases(check: Inequality, limits: list[Symbol], seconds: float, values: Values | None) -> Outcome:
    """Decides every combination of the integer variables, with sums written out; the box is finite in them."""
    sides = [check.box[s] for s in limits]
    if any(not (side.integer and side.bounded) for side in sides):
        names = ", ".join(map(str, limits))
        return undecided(
            "cases", f"a sum with limit {names} is not written out", "integers(low, high), or an Induction"
        )
    points = list(itertools.product(*(range(int(i.low), int(i.high) + 1) for i in sides)))
    if len(points) > LARGEST_CASES:
        return undecided("cases", f"{len(points)} combinations of {limits}", "fewer, or an Induction")
    parts = {}
    for point in points:
        at = dict(zip(limits, map(Integer, point), strict=True))
        label = ", ".join(f"{s} = {v}" for s, v in at.items())
        one = _fixed(check, at)
        known = {s.name: v for s, v in check.witness.items() if s not in at}
        hit = check.witness and all(check.witness[s] == v for s, v in at.items())
        found = settle(statement(one, values), max(0.3, seconds / len(points)), known if hit else None)
        if found.verdict == Verdict.VIOLATED:
            full = {**(found.witness or {}), **{s.name: str(v) for s, v in at.items()}}
            return dataclasses.replace(
                found, witness=full, note=f"{found.note}, {label}".replace(" at ,", " at")
            )
        if found.verdict == Verdict.INCONCLUSIVE:
            return dataclasses.replace(found, note=f"{label}: {found.note}")
        parts[label] = found.certificate
    return holds("cases", f"{len(parts)} cases", {"kind": "all", "parts": parts})


def _fixed(check: Inequality, at: Mapping[Symbol, Expr]) -> Inequality:
    """The check with some integer variables replaced by numbers."""
    relations = [portable.written_out(g.xreplace(dict(at))) for g in check.given]
    return Inequality(
        check.name,
        portable.written_out(check.lhs.xreplace(dict(at))),
        portable.written_out(check.rhs.xreplace(dict(at))),
        {s: i for s, i in check.box.items() if s not in at},
        given=tuple(g for g in relations if g != True),  # noqa: E712
        constants=check.constants,
        budget=check.budget,
    )


def steps_of(check: Induction) -> dict[str, Inequality]:
    """Base and inductive step as inequalities, and for a product the nonnegativity of its factors."""
    n, k = check.n, check.total.limits[0][0]
    box = {**check.box, n: Interval(check.start, integer=bool(n.is_integer))}
    new = check.total.function.xreplace({k: n + 1})
    bound, after = check.bound, check.bound.xreplace({n: n + 1})
    first = check.total.xreplace({n: Integer(check.start)})
    shared: dict[str, Any] = {"constants": check.constants, "budget": check.budget}
    made = {
        "base": Inequality(
            f"{check.name}: base",
            portable.written_out(first),
            bound.xreplace({n: Integer(check.start)}),
            check.box,
            given=tuple(g for g in check.given if not g.has(n)),
            **shared,
        )
    }
    if isinstance(check.total, Sum):
        made["step"] = Inequality(f"{check.name}: step", new, after - bound, box, check.given, **shared)
        return made
    made["step"] = Inequality(f"{check.name}: step", bound * new, after, box, check.given, **shared)
    sign = Inequality(f"{check.name}: sign", -new, Integer(0), box, check.given, **shared)
    return {**made, "sign": sign}


def _upper_limits(check: Induction) -> list[int]:
    """Limits at which to test the statement; long sums only if it has no other variables."""
    short = isinstance(check.total, Product) or bool(check.box)
    return [check.start + n for n in FIRST_N if not (short and n > 50)]


def _induction(check: Induction, seconds: float, values: Values | None) -> Outcome:
    for n in _upper_limits(check):
        total = portable.written_out(check.total.xreplace({check.n: Integer(n)}))
        bound = check.bound.xreplace({check.n: Integer(n)})
        given = tuple(g.xreplace({check.n: Integer(n)}) for g in check.given)
        given = tuple(g for g in given if g != True)  # noqa: E712
        one = Inequality(check.name, total, bound, check.box, given, check.constants)
        s = statement(one, values)
        if (point := counterexample.search(s, 0.3 * seconds / len(FIRST_N))) is not None:
            found = refuted("random search", s, point)
            full = {**point, check.n.name: str(n)}
            at = ", ".join(f"{k} = {v}" for k, v in full.items())
            return dataclasses.replace(found, witness=full, note=f"fails at {at}")
    parts, steps = {}, steps_of(check)
    for name, step in steps.items():
        found = settle(statement(step, values), 0.7 * seconds / len(steps))
        if found.verdict != Verdict.HOLDS:
            if name == "base" and found.verdict == Verdict.VIOLATED:
                return found
            where = f"the {name} of the induction: {found.note}"
            return undecided("induction", where, found.decides or "a stronger statement to induct on")
        parts[name] = found.certificate
    return holds("induction", "base and step", {"kind": "all", "parts": parts})
