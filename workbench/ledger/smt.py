"""z3 on the negation of a statement: polynomials, roots, absolute values, maxima; it sees ties that no box can.

A root r = b^(p/q) becomes a variable with r >= 0 and r^q = b^p. Where a root or a quotient could be undefined on the
box, nothing is concluded. Every call has a time limit, and an interrupt behind it should z3 not heed the limit.
"""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

import z3

from workbench.ledger.certificate import point_refutes
from workbench.ledger.enclosure import Undefined
from workbench.ledger.outcome import Outcome, holds, refuted, undecided

Tree = Any
LARGEST_POWER = 24


class NotPolynomial(ValueError):
    """A function that z3's reals do not know."""


class _Query:
    """A statement in z3's terms. `defining`: what the auxiliary variables obey; `defined`: where all roots exist."""

    def __init__(self, statement: dict[str, Any]) -> None:
        self.variables = {n: (z3.Int(n) if side[4] else z3.Real(n)) for n, side in statement["box"].items()}
        self.defining: list[Any] = []
        self.defined: list[Any] = []
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

    def _power(self, base: Any, p: Fraction) -> Any:
        if max(abs(p.numerator), p.denominator) > LARGEST_POWER:
            raise NotPolynomial(f"the power {p}")
        if p < 0:
            self.defined.append(base != 0)
            inverse = z3.FreshReal("inverse")
            self.defining.append(inverse * self._power(base, -p) == 1)
            return inverse
        if p.denominator == 1:
            return _whole(base, p.numerator)
        root = z3.FreshReal("root")
        self.defined.append(base >= 0)
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
    stop = threading.Timer(seconds + 0.5, solver.interrupt)
    stop.daemon = True
    stop.start()
    try:
        return solver.check(), solver
    except z3.Z3Exception:
        return z3.unknown, solver
    finally:
        stop.cancel()


def unsatisfiable(statement: dict[str, Any], seconds: float) -> bool | dict[str, str] | None:
    """True: there is no counter-example. A dict: one, in rationals near z3's. None: z3 cannot tell.

    Raises NotPolynomial.
    """
    query = _Query(statement)
    ground = query.box + query.given
    if query.defined:
        answer, _ = _check([*ground, z3.Or([z3.Not(d) for d in query.defined]), *query.defining], seconds / 2)
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


def decide(statement: dict[str, Any], seconds: float) -> Outcome:
    """Holds, violated with a rational point, or inconclusive."""
    try:
        answer = unsatisfiable(statement, seconds)
    except NotPolynomial as reason:
        return undecided("z3", f"no polynomial or root: {reason}", "another checker")
    except z3.Z3Exception as error:
        return undecided("z3", f"z3 gave up: {error}", "another checker")
    if answer is True:
        certificate = {"kind": "smt", "statement": statement, "seconds": seconds}
        return holds("z3", "no counter-example exists", certificate)
    if answer is None:
        return undecided("z3", f"no answer within {seconds:g} s", "a larger budget")
    try:
        if point_refutes(statement, answer):  # type: ignore[arg-type]
            return refuted("z3", statement, answer)  # type: ignore[arg-type]
    except Undefined:
        pass
    return undecided("z3", f"a counter-example near {answer} is not rational", "a rational point near it")
