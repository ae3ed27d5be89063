"""Conditions of a statement: a point that satisfies them, and equations solved for a variable.

Solving only makes searches easier. A refuting point is completed and refutes the original statement; a proof of the
solved statement says what was divided by, and the re-checker asks whether that can vanish.
"""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np

from workbench.ledger import certificate, counterexample, solvers
from workbench.ledger.subboxes import multiply_out, positive_names, root_box
from workbench.ledger.trees import Wrong

Step = dict[str, Any]
HEADS = ("sum", "prod", "at", "call", "sure")
TRIES = 40  # sampled points that are tried exactly


def solve(s: dict[str, Any]) -> tuple[dict[str, Any], list[Step]]:
    """The statement with its equations solved for variables in which they are linear, and how; in order."""
    steps: list[Step] = []
    while (step := _solvable(s)) is not None:
        steps.append(step)
        s = certificate.with_value(s, step["condition"], step["variable"], step["value"])
    return s, steps


def _solvable(s: dict[str, Any]) -> Step | None:
    if all(sign != "=" for _, sign in s["given"]):
        return None
    from sympy import Integer, cancel, expand  # here: its import takes longer than most statements

    from workbench.ledger.from_sympy import Untranslatable, tree
    from workbench.ledger.rewriting import expression

    positive = positive_names(sorted(s["box"]), root_box(s))
    for k, (condition, sign) in enumerate(s["given"]):
        if sign != "=" or any(f"'{head}'" in repr(condition) for head in HEADS):
            continue
        gap = expand(expression(condition, positive))
        for x in sorted(gap.free_symbols, key=str):
            slope = gap.diff(x)
            if s["box"][x.name][4] or slope.has(x) or not slope.is_nonzero:
                continue
            try:
                value = tree(cancel(-gap.xreplace({x: Integer(0)}) / slope))
                return {"condition": k, "variable": x.name, "value": value, "slope": tree(slope)}
            except Untranslatable:
                continue
    return None


def complete(point: dict[str, str], steps: list[Step]) -> dict[str, str] | None:
    """The point with the variables that were solved for; None if one of them is not rational."""
    full = dict(point)
    if not steps:
        return full
    from workbench.ledger.rewriting import expression  # here: as above

    for step in reversed(steps):
        e = expression(step["value"], frozenset(full))
        value = e.subs({v: expression(["q", full[v.name]], frozenset()) for v in e.free_symbols})
        if not value.is_Rational:
            return None
        full[step["variable"]] = str(value)
    return full


def of_the_whole(proof: dict[str, Any], steps: list[Step]) -> dict[str, Any]:
    """A proof of the solved statement as one of the original."""
    for step in reversed(steps):
        proof = {"by": "solving", **step, "proof": proof}
    return proof


def example(s: dict[str, Any], seconds: float) -> dict[str, str] | str:
    """A rational point of the box that satisfies all conditions, or one sentence why there is none."""
    deadline = time.process_time() + seconds
    zero = ["q", "0"]
    s = multiply_out({"kind": "inequality", "lhs": zero, "rhs": zero, "box": s["box"], "given": s["given"]})
    simpler, steps = solve(s)
    for point in _samples(simpler, deadline):
        full = complete(point, steps)
        if full is not None and _admissible(s, full):
            return full
    try:
        texts = solvers.queries({**s, "lhs": ["q", "1"], "rhs": ["q", "0"]})
        answer, solver = solvers.z3_answer(texts[-1], max(0.5, seconds))
    except (solvers.NotPolynomial, solvers.Missing):
        return "no point was found that satisfies the conditions"
    if answer == "unsat":
        return "vacuous: no point of the box satisfies the conditions, so that the statement says nothing"
    if answer == "sat" and _admissible(s, point := solvers.model(solver, s)):
        return point
    return "no rational point was found that satisfies the conditions"


def _admissible(s: dict[str, Any], point: dict[str, str]) -> bool:
    try:
        return certificate.admissible(s, point)
    except (Wrong, ArithmeticError):
        return False


def _samples(s: dict[str, Any], deadline: float) -> list[dict[str, str]]:
    """Points at which the conditions hold in floating-point arithmetic: simple ones first."""
    names = sorted(s["box"])
    if not names:
        return [{}]
    rng = np.random.default_rng(counterexample.SEED)
    points = counterexample.sample(s["box"], rng, counterexample.SAMPLES)
    plain = np.array([float(q) for q in counterexample.PLAIN])
    simple = {n: counterexample.clip(rng.choice(plain, counterexample.SAMPLES), s["box"][n]) for n in names}
    satisfying = []
    for values in (simple, points):
        ok = np.isfinite(counterexample.excess(s, values, slack=1.0))
        for k in np.flatnonzero(ok)[:TRIES]:
            satisfying.append({n: str(Fraction(float(values[n][k])).limit_denominator(10**6)) for n in names})
        if satisfying or time.process_time() > deadline:
            break
    return satisfying
