"""Decides a statement: the methods are tried in order of cost, each with a share of the time.

Whatever a method finds becomes a certificate, and the verdict is given only if the re-checker confirms it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import time
from collections.abc import Mapping
from typing import Any

from workbench.evidence.verdicts import Verdict
from workbench.ledger import (
    analysis,
    boxes,
    calculus,
    certificate,
    conditions,
    counterexample,
    equations,
    linear,
    positive,
    sizes,
    smt,
    summation,
)
from workbench.ledger.outcome import Outcome, Reason, holds, over_limit, refuted, undecided
from workbench.ledger.subboxes import multiply_out, point_refutes
from workbench.ledger.trees import Wrong, limits

QUICK = 0.06  # share of the time for a first question to z3
MOST_SECONDS = (
    20  # of processor time for a statement, whatever its searchers do; twice the budget if that is more
)
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
BUDGET = 5.0  # seconds of processor time; that of a record's check is the same unless it has its own


def processor_time(budget: float) -> float:
    """The processor time after which the process of a statement with this budget is ended, in seconds."""
    return max(MOST_SECONDS, 2 * budget)


def answer(s: dict[str, Any]) -> dict[str, Any]:
    """The record of the outcome of a statement, for a `Confined` process."""
    return decide_statement(s).record()


def decide_statement(
    s: dict[str, Any],
    seconds: float = BUDGET,
    witness: Mapping[str, str] | None = None,
) -> Outcome:
    """The outcome of a statement. witness: a counter-example that is tried first.

    Holds and violated come with a certificate that the re-checker has confirmed. Never takes much longer than its
    budget, which is processor time.

    Raises Wrong for a statement that is not well-formed.
    """
    began = time.monotonic()
    certificate.well_formed(s)
    try:
        outcome = _decide(s, seconds, dict(witness or {}))
    except Wrong:
        raise
    except ValueError as reason:  # an expression that no searcher encloses, such as a sum within a sum
        outcome = undecided("none", str(reason), "a statement with simpler sums")
    return dataclasses.replace(_certify(s, outcome), seconds=round(time.monotonic() - began, 3))


def _decide(s: dict[str, Any], seconds: float, witness: dict[str, str]) -> Outcome:
    if s["kind"] == "identity":
        return equations.decide(s)
    if s["kind"] == "program":
        return linear.decide(s)
    outcome = _induction(s, seconds) if s["kind"] == "induction" else _inequality(s, seconds, witness)
    if outcome.verdict == Verdict.HOLDS and s["given"]:
        return _not_vacuous(s, outcome, seconds)
    return outcome


def _certify(s: dict[str, Any], outcome: Outcome) -> Outcome:
    """The outcome with its certificate, or inconclusive if the re-checker refuses that."""
    if outcome.verdict == Verdict.INCONCLUSIVE:
        return outcome
    assert outcome.certificate is not None
    document = certificate.certificate(s, str(outcome.verdict), outcome.certificate)
    try:
        certificate.check(document, s)
    except Wrong as reason:
        return undecided(
            "re-check", f"{outcome.method} says {outcome.verdict}, but {reason}", "another method"
        )
    return dataclasses.replace(outcome, certificate=document)


def _not_vacuous(s: dict[str, Any], outcome: Outcome, seconds: float) -> Outcome:
    """The proof with a point that satisfies the conditions: without one the statement would say nothing."""
    example = conditions.example(s, 0.3 * seconds)
    if isinstance(example, str):
        return undecided("conditions", example, "conditions that some point of the box satisfies")
    proof = {**(outcome.certificate or {}), "example": example}
    return dataclasses.replace(outcome, certificate=proof)


def settle(s: dict[str, Any], seconds: float, witness: Mapping[str, str] | None = None) -> Outcome:
    """Decides an inequality without variables in limits.

    By a known counter-example, a random search with a proof by terms after its first round, z3, rules of calculus,
    boxes.
    """
    began = time.process_time()
    if long := sizes.too_long(s):
        return over_limit(long)
    plain = multiply_out(s)
    if witness and point_refutes(plain, dict(witness)):
        return refuted("witness", dict(witness))
    with contextlib.suppress(Wrong):
        return _extremes(s, calculus.extremes(s, {}), seconds)
    simpler, steps = conditions.solve(plain)
    # Most false statements fall in the first round, and most true ones have a proof by terms: it comes before the rest.
    for k, point in enumerate(counterexample.rounds(simpler, 0.2 * seconds)):
        if point is not None:
            full = conditions.complete(point, steps)
            if full is not None and point_refutes(plain, full):
                return refuted("random search", full)
        if k == 0 and (by_terms := positive.decide(s)) is not None:
            return by_terms
    if len(s["box"]) <= 1:
        few = boxes.decide(s, 0.2 * seconds, boxes.FEW)
        if few.verdict == Verdict.HOLDS:
            return few
    # z3 answers at once or late; the rules of calculus are for what it does not read, too.
    by_smt = _by_solver(s, plain, QUICK * seconds)
    if by_smt.verdict != Verdict.INCONCLUSIVE:
        return by_smt
    readable = by_smt.reason != Reason.OUTSIDE
    by_rules = analysis.decide(simpler, (0.2 if readable else 0.6) * seconds)
    if by_rules.verdict == Verdict.HOLDS:
        whole = conditions.of_the_whole(by_rules.certificate or {}, steps)
        return dataclasses.replace(by_rules, certificate=whole)
    if readable and (by_smt := _by_solver(s, plain, 0.35 * seconds)).verdict != Verdict.INCONCLUSIVE:
        return by_smt
    by_boxes = _by_boxes(simpler, plain, steps, max(0.3 * seconds, seconds - (time.process_time() - began)))
    for other, name in ((by_smt, "z3"), (by_rules, "calculus")):
        if by_boxes.verdict == Verdict.INCONCLUSIVE and other.reason != Reason.OUTSIDE:
            by_boxes = dataclasses.replace(by_boxes, note=f"{by_boxes.note}; {name}: {other.note}")
    return by_boxes


def _extremes(s: dict[str, Any], arguments: dict[str, dict[str, Any]], seconds: float) -> Outcome:
    """Decides a bound on a maximum, or by a minimum, argument by argument."""
    proofs = {}
    for k, part in arguments.items():
        outcome = settle(part, seconds / len(arguments))
        if outcome.verdict != Verdict.HOLDS:
            return outcome
        proofs[k] = outcome.certificate
    return holds("extremes", f"{len(proofs)} arguments", {"by": "extremes", "parts": proofs})


def _by_boxes(
    simpler: dict[str, Any], plain: dict[str, Any], steps: list[conditions.Step], seconds: float
) -> Outcome:
    outcome = boxes.decide(simpler, seconds)
    if outcome.verdict == Verdict.HOLDS:
        return dataclasses.replace(
            outcome, certificate=conditions.of_the_whole(outcome.certificate or {}, steps)
        )
    if outcome.verdict == Verdict.VIOLATED:
        full = conditions.complete(outcome.witness or {}, steps)
        if full is None:
            return undecided("boxes", "a counter-example with an irrational coordinate", "a rational one")
        if not point_refutes(plain, full):
            at = ", ".join(f"{n} = {v}" for n, v in sorted(full.items()))
            return undecided(
                "boxes", f"not shown to fail at {at}, as it seems to", "a statement that fails by more"
            )
        return refuted("boxes", full)
    return outcome


def _by_solver(s: dict[str, Any], plain: dict[str, Any], seconds: float) -> Outcome:
    outcome = smt.decide(s, seconds)
    if outcome.verdict == Verdict.VIOLATED and outcome.witness is not None:
        deadline = time.process_time() + 0.25 * seconds
        return refuted("z3", counterexample.smallest(plain, outcome.witness, deadline))
    return outcome


def _inequality(s: dict[str, Any], seconds: float, witness: dict[str, str]) -> Outcome:
    names = sorted(
        {n for part in (s["lhs"], s["rhs"], *(g for g, _ in s["given"])) for n in limits(part)}
        & set(s["box"])
    )
    if names:
        return _cases(s, names, seconds, witness)
    return settle(s, seconds, witness)


def _cases(s: dict[str, Any], names: list[str], seconds: float, witness: dict[str, str]) -> Outcome:
    """Decides every combination of the integer variables, with sums written out; the box is finite in them."""
    sides = [s["box"][name] for name in names]
    if any(not side[4] or "oo" in side[0] + side[1] for side in sides):
        listing = ", ".join(names)
        return undecided(
            "cases", f"a sum with limit {listing} is not written out", "integers(low, high), or an Induction"
        )
    count = math.prod(r.stop - r.start for r in certificate.ranges(s, names))
    if count > LARGEST_CASES:
        return undecided("cases", f"{count} combinations of {', '.join(names)}", "fewer, or an Induction")
    points = certificate.cases(s, names)
    parts = {}
    for at in points:
        label = ", ".join(f"{name} = {v}" for name, v in at.items())
        agrees = witness and all(witness[name] == str(v) for name, v in at.items())
        rest = {name: v for name, v in witness.items() if name not in at} if agrees else {}
        outcome = settle(certificate.fixed(s, at), max(0.3, seconds / len(points)), rest or None)
        if outcome.verdict == Verdict.VIOLATED:
            full = {**(outcome.witness or {}), **{name: str(v) for name, v in at.items()}}
            return refuted(outcome.method, full)
        if outcome.verdict == Verdict.INCONCLUSIVE:
            return dataclasses.replace(outcome, note=f"{label}: {outcome.note}")
        parts[",".join(map(str, at.values()))] = outcome.certificate
    return holds("cases", f"{len(parts)} cases", {"by": "cases", "over": names, "parts": parts})


def _upper_limits(s: dict[str, Any]) -> list[int]:
    """Limits at which to test an induction; long sums only if it has no other variables."""
    short = s["op"] == "prod" or bool(s["box"])
    return [s["start"] + n for n in FIRST_N if not (short and n > 50)]


def _induction(s: dict[str, Any], seconds: float) -> Outcome:
    if long := sizes.too_long(s):
        return over_limit(long)
    for n in _upper_limits(s):
        one = multiply_out(certificate.instance(s, n))
        if (point := counterexample.search(one, 0.3 * seconds / len(FIRST_N))) is not None:
            full = {**point, s["n"]: str(n)}
            return refuted(
                "random search", full, "fails at " + ", ".join(f"{k} = {v}" for k, v in full.items())
            )
    outcome = _by_induction(s, 0.7 * seconds)
    if outcome.verdict == Verdict.INCONCLUSIVE:
        for bound in summation.smaller_bounds(s):
            first = _by_induction({**s, "bound": bound}, 0.3 * seconds)
            second = (
                settle(certificate.comparison(s, bound), 0.3 * seconds)
                if first.verdict == Verdict.HOLDS
                else first
            )
            if second.verdict == Verdict.HOLDS:
                proofs = {"first": first.certificate, "second": second.certificate}
                return holds(
                    "induction", "with a smaller bound", {"by": "chain", "through": bound, "parts": proofs}
                )
    return outcome


def _by_induction(s: dict[str, Any], seconds: float) -> Outcome:
    parts, end = {}, time.process_time() + seconds
    for name, step in sorted(certificate.parts(s).items(), key=lambda part: part[0] == "step"):
        share = 1.0 if name == "step" else 0.3
        outcome = settle(step, share * max(0.1 * seconds, end - time.process_time()))
        if outcome.verdict != Verdict.HOLDS:
            if name == "base" and outcome.verdict == Verdict.VIOLATED:
                return refuted(outcome.method, {**(outcome.witness or {}), s["n"]: str(s["start"])})
            where = f"the {name} of the induction: {outcome.note}"
            return undecided("induction", where, outcome.decides or "a stronger statement to induct on")
        parts[name] = outcome.certificate
    return holds("induction", "base and step", {"by": "induction", "parts": parts})
