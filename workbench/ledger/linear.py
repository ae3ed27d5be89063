"""Linear programs as checks: the optimum in rationals, with a dual certificate."""

from __future__ import annotations

from fractions import Fraction

from sympy import Expr, Symbol
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Relational

from theorems.lemma import LinearProgram
from theorems.simplex import Row, solve
from workbench.evidence.verdicts import Verdict
from workbench.ledger.outcome import Outcome, undecided


def decide(check: LinearProgram) -> Outcome:
    """Compares the optimum with the claim. Raises ValueError for a program that is not linear and rational."""
    rows, equal, right, names = _standard(check)
    objective = _coefficients(check.objective, names, "the objective")[0]
    sign = 1 if check.sense == "max" else -1
    solved = solve([sign * c for c in objective], rows, right, equal)
    if isinstance(solved, str):
        return undecided("simplex", f"the program is {solved}", "a program with an optimum")
    value, point, dual = solved
    constant = Fraction(str(check.objective.subs(dict.fromkeys(check.objective.free_symbols, 0))))
    claimed, optimum = Fraction(str(check.claimed)), sign * value + constant
    as_claimed = {"=": optimum == claimed, "<=": optimum <= claimed, ">=": optimum >= claimed}[check.relation]
    shown = sign * (claimed - constant) if as_claimed else value
    relation = {"=": "=", "<=": "<=" if sign > 0 else ">=", ">=": ">=" if sign > 0 else "<="}[check.relation]
    certificate = {
        "kind": "program",
        "objective": _texts([sign * c for c in objective]),
        "rows": [_texts(r) for r in rows],
        "right": _texts(right),
        "equal": equal,
        "point": _texts(point),
        "dual": _texts(dual),
        "claimed": str(shown),
        "relation": relation if as_claimed else "=",
    }
    witness = {s.name: str(v) for s, v in zip(names, point, strict=True)}
    return Outcome(
        Verdict.HOLDS if as_claimed else Verdict.VIOLATED,
        "simplex",
        f"optimum {optimum}, claimed {check.relation} {claimed}",
        witness=None if as_claimed else witness,
        certificate=certificate,
    )


def _texts(row: Row) -> list[str]:
    return [str(x) for x in row]


def _standard(check: LinearProgram) -> tuple[list[Row], list[bool], Row, list[Symbol]]:
    """rows.x <= right, or = where `equal`."""
    free = {s for e in (check.objective, *check.constraints) for s in e.free_symbols}
    names = sorted(free, key=str)
    rows, equal, right = [], [], []
    for c in check.constraints:
        if isinstance(c, (Lt, Gt)) or not isinstance(c, (Le, Ge, Eq)):
            raise ValueError(f"{check.name!r}: the constraint {c} is not <=, >= or =")
        row, constant = _coefficients(_left(c), names, f"the constraint {c}")
        rows.append(row)
        right.append(-constant)
        equal.append(isinstance(c, Eq))
    return rows, equal, right, names


def _left(c: Relational) -> Expr:
    return c.rhs - c.lhs if isinstance(c, Ge) else c.lhs - c.rhs


def _coefficients(e: Expr, names: list[Symbol], what: str) -> tuple[Row, Fraction]:
    zero = dict.fromkeys(names, 0)
    constant = e.subs(zero)
    row = [e.diff(s) for s in names]
    if not all(c.is_Rational for c in [constant, *row]):
        raise ValueError(f"{what} is not linear with rational coefficients")
    return [Fraction(str(c)) for c in row], Fraction(str(constant))
