"""Statements as z3 queries: is there a point of the box where lhs > rhs?

A root r = b^(p/q) becomes a variable with r >= 0 and r^q = b^p. If a root or a quotient could be undefined on the box,
nothing is concluded. Every call has a time limit, enforced by interrupts in case z3 ignores it.
"""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

import z3

Tree = Any
LARGEST_POWER = 24


class NotPolynomial(ValueError):
    """A function that z3's real arithmetic does not support."""


class _Query:
    """A statement for z3. defining: constraints of auxiliary variables; undefined: where some root does not exist."""

    def __init__(self, statement: dict[str, Any]) -> None:
        self.variables = {n: (z3.Int(n) if side[4] else z3.Real(n)) for n, side in statement["box"].items()}
        self.defining: list[Any] = []
        self.undefined: list[Any] = []
        self._memo: dict[str, Any] = {}
        gap = self.term(statement["lhs"]) - self.term(statement["rhs"])
        self.box = [c for n, side in statement["box"].items() for c in _sides(self.variables[n], side)]
        signs = {">=": lambda e: e >= 0, ">": lambda e: e > 0, "=": lambda e: e == 0}
        self.given = [signs[sign](self.term(g)) for g, sign in statement["given"]]
        self.negation = gap > 0

    def term(self, tree: Tree) -> Any:
        key = repr(tree)
        if key not in self._memo:
            self._memo[key] = self._term(tree)
        return self._memo[key]

    def _term(self, tree: Tree) -> Any:
        if isinstance(tree, str):
            v = self.variables[tree]
            return z3.ToReal(v) if z3.is_int(v) else v
        head, *args = tree
        if head == "q":
            q = Fraction(args[0])
            return z3.Q(q.numerator, q.denominator)
        if head == "^":
            return self._power(self.term(args[0]), Fraction(args[1]))
        if head not in ("+", "*", "max", "min", "abs", "if"):
            raise NotPolynomial(head)
        parts = [self.term(a) for a in args]
        if head == "if":
            return z3.If(parts[0] >= 0, parts[1], parts[2])
        if head == "abs":
            return z3.If(parts[0] >= 0, parts[0], -parts[0])
        total = parts[0]
        for p in parts[1:]:
            if head in ("+", "*"):
                total = total + p if head == "+" else total * p
            else:
                total = z3.If(total >= p if head == "max" else total <= p, total, p)
        return total

    def _needs(self, condition: Any) -> None:
        """Requires a condition for a root or quotient to exist, given the auxiliary variables before its own."""
        self.undefined.append(z3.And([z3.Not(condition), *self.defining]))

    def _power(self, base: Any, p: Fraction) -> Any:
        if max(abs(p.numerator), p.denominator) > LARGEST_POWER:
            raise NotPolynomial(f"the power {p}")
        if p < 0:
            self._needs(base != 0)
            inverse = z3.FreshReal("inverse")
            self.defining.append(inverse * self._power(base, -p) == 1)
            return inverse
        if p.denominator == 1:
            return _whole(base, p.numerator)
        root = z3.FreshReal("root")
        self._needs(base >= 0)
        self.defining += [root >= 0, _whole(root, p.denominator) == base]
        return _whole(root, p.numerator)


def _whole(base: Any, n: int) -> Any:
    total = z3.RealVal(1)
    for _ in range(n):
        total = base if z3.is_rational_value(total) else total * base
    return total


def _sides(v: Any, side: list[Any]) -> list[Any]:
    low, high, low_open, high_open, _ = side
    found = []
    if low != "-oo":
        q = z3.Q(Fraction(low).numerator, Fraction(low).denominator)
        found.append(v > q if low_open else v >= q)
    if high != "oo":
        q = z3.Q(Fraction(high).numerator, Fraction(high).denominator)
        found.append(v < q if high_open else v <= q)
    return found


def _check(constraints: list[Any], seconds: float) -> tuple[Any, Any]:
    """(z3's answer, the solver)."""
    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", max(1, int(1000 * seconds)))
    solver.add(*constraints)
    over = threading.Event()
    guard = threading.Thread(target=_interrupt_after, args=(solver, seconds + 0.3, over), daemon=True)
    guard.start()
    try:
        return solver.check(), solver
    except z3.Z3Exception:
        return z3.unknown, solver
    finally:
        over.set()
        guard.join()


def _interrupt_after(solver: Any, seconds: float, over: threading.Event) -> None:
    """Interrupts repeatedly: an interrupt stops only z3's current stage, and the next would run without a limit."""
    pause = seconds
    while not over.wait(pause):
        solver.interrupt()
        pause = 0.1


def unsatisfiable(statement: dict[str, Any], seconds: float) -> bool | dict[str, str] | None:
    """True: no counter-example exists. A dict: a counter-example, in rationals near z3's. None: undecided.

    Raises NotPolynomial.
    """
    query = _Query(statement)
    ground = query.box + query.given
    if query.undefined:
        answer, _ = _check([*ground, z3.Or(query.undefined)], seconds / 2)
        if answer != z3.unsat:
            return None
    answer, solver = _check([*ground, *query.defining, query.negation], seconds)
    if answer == z3.unsat:
        return True
    if answer != z3.sat:
        return None
    model = solver.model()
    return {n: _rational(model.eval(v, model_completion=True)) for n, v in query.variables.items()}


def _rational(value: Any) -> str:
    if z3.is_algebraic_value(value):
        value = value.approx(20)
    return str(value.as_fraction() if z3.is_rational_value(value) else value.as_long())
