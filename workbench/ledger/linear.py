"""Linear programs as checks: the optimum in rationals, with a dual certificate."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from workbench.evidence.verdicts import Verdict
from workbench.ledger.outcome import Outcome, undecided
from workbench.theory.simplex import solve


def decide(s: dict[str, Any]) -> Outcome:
    """Compares the optimum of a program with the claim; the proof is an optimal point and its dual multipliers."""
    names = sorted({name for row in (s["objective"], *(row for row, _, _ in s["rows"])) for name in row})
    sign = 1 if s["sense"] == "max" else -1
    objective = [sign * Fraction(s["objective"].get(name, "0")) for name in names]
    rows = [[Fraction(row.get(name, "0")) for name in names] for row, _, _ in s["rows"]]
    right = [Fraction(text) for _, _, text in s["rows"]]
    solution = solve(objective, rows, right, [relation == "=" for _, relation, _ in s["rows"]])
    if isinstance(solution, str):
        return undecided("simplex", f"the program is {solution}", "a program with an optimum")
    value, point, dual = solution
    optimum, claimed = sign * value + Fraction(s["constant"]), Fraction(s["claimed"])
    as_claimed = {"=": optimum == claimed, "<=": optimum <= claimed, ">=": optimum >= claimed}[s["relation"]]
    at = {name: str(v) for name, v in zip(names, point, strict=True)}
    return Outcome(
        Verdict.HOLDS if as_claimed else Verdict.VIOLATED,
        "simplex",
        f"optimum {optimum}, claimed {s['relation']} {claimed}",
        witness=None if as_claimed else at,
        certificate={"by": "dual", "point": at, "dual": [str(y) for y in dual]},
    )
