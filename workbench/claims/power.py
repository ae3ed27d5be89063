"""Which lines of a verdict table are evidence: not those that could not have failed, nor repetitions.

A line that came out violated could evidently fail. One that holds is *void* if no wrong claim would have been noticed,
if it could not fail whatever the data, or if it repeats another line, as a bound divided by 20 that must fail repeats
the sensitivity of the bound. A bound is *loose* if it could have been divided by more than `LOOSE` unnoticed, an
exponent or a level if it would have held wrong by more than `SHARP`, or not been violated wrong by `FAR`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from workbench.claims.claims import Bound, Caught, Claim
from workbench.evidence.interim_analyses import NOTICED
from workbench.evidence.verdicts import Decision, Verdict

LOOSE = 100.0  # factor by which a bound may be wrong
# Errors of an exponent, or relative ones of a level. Wrong by the first an informative line would not hold, and by the
# second it would be violated: a line without that does not tell T^-1/4 from T^-1/3.
SHARP, FAR = 0.05, NOTICED
FAR_IN_PRINT = str(Fraction(FAR).limit_denominator(1000))
# Kinds of findings whose sensitivity is a factor, and those where it is an error of the number that is claimed.
FACTORS = ("assumptions", "bound", "lemma")
BY_ERROR = ("rate", "tight", "scaling", "level")
# Those whose numbers tell whether two lines are one. Counts of different calls, and lines of a proof that none of the
# runs violates, may have the same numbers by right.
REPEATED = ("bound", "rate", "tight", "scaling", "falsifier")


def voids(rows: Sequence[tuple[Claim, Decision]]) -> list[str]:
    """Why each line is void, or "" where it is not."""
    first: dict[Hashable, Claim] = {}
    return [
        _void(decision) or _why_repeated(claim, decision, first) or _why_divided(claim, decision, rows)
        for claim, decision in rows
    ]


def loose(decision: Decision) -> bool:
    """A line that holds, and would not have shown that its bound is `LOOSE` times too large, or its exponent wrong."""
    kind, error = decision.finding.evidence, decision.sensitivity
    if decision.verdict != Verdict.HOLDS or not error < math.inf:
        return False
    return (
        error > LOOSE if kind in FACTORS else kind in BY_ERROR and (error > FAR or decision.admitted > SHARP)
    )


def _void(decision: Decision) -> str:
    if decision.verdict == Verdict.VIOLATED:
        return ""
    if decision.finding.void:
        return decision.finding.void
    return "no wrong claim would have been noticed" if decision.sensitivity == math.inf else ""


def _why_repeated(claim: Claim, decision: Decision, first: dict[Hashable, Claim]) -> str:
    """A line that reads the same simulations and finds the same numbers as one above."""
    finding = decision.finding
    if claim.evidence not in REPEATED or not claim.needs or math.isnan(finding.value):
        return ""
    about = (
        finding.claimed,
        finding.value,
        finding.low,
        finding.high,
        finding.p_if_wrong,
        finding.p_if_right,
        finding.slack,
    )
    numbers = (*about, decision.sensitivity)
    # NaN differs from itself, so what is not defined is left out.
    digits = tuple(None if math.isnan(n) else n for n in numbers)
    identity = (claim.paper, finding.evidence, claim.evidence, claim.needs, digits)
    other = first.setdefault(identity, claim)
    return "" if other.id == claim.id else f"the same as {other.key}, {other.experiment}"


def _why_divided(claim: Claim, decision: Decision, rows: Sequence[tuple[Claim, Decision]]) -> str:
    """A bound over a number that must fail, where the line of the bound itself rejects this factor."""
    if not (
        isinstance(claim, Caught) and isinstance(claim.claim, Bound) and decision.verdict == Verdict.HOLDS
    ):
        return ""
    inner = claim.claim
    for other, decision_on_other in rows:
        if not isinstance(other, Bound) or decision_on_other.verdict != Verdict.HOLDS:
            continue
        differences = {
            name: getattr(other, name) for name in ("over", "name", "tag", "expected", "note", "profiles")
        }
        if (
            replace(inner, **differences) == other
            and decision_on_other.sensitivity <= inner.over / other.over
        ):
            return f"{other.key}, {other.experiment}, rejects a factor of {decision_on_other.sensitivity:.3g} already"
    return ""


def summary(lines: Iterable[tuple[str, bool, bool]]) -> str:
    """What the lines are worth, in a few sentences, from (why void, loose, undecided) of each.

    What is undecided informs of nothing.
    """
    rows = list(lines)
    void, wide = sum(bool(why) for why, _, _ in rows), sum(far for _, far, _ in rows)
    undecided = sum(is_left_out and not why for why, _, is_left_out in rows)
    sentences = (
        f"{_lines(len(rows) - void - wide - undecided)} informative: a small error of the claim would have shown "
        f"({LOOSE:g} times too large a bound, {FAR_IN_PRINT} in an exponent).",
        f"{_lines(wide)} loose: only a larger error would have shown." if wide else "",
        f"{_lines(void)} void: no error could have shown, or another line says the same." if void else "",
        f"{_lines(undecided)} undecided." if undecided else "",
    )
    return " ".join(filter(None, sentences))


def _lines(count: int) -> str:
    return f"{count} line is" if count == 1 else f"{count} lines are"


def sensitivities(decisions: Iterable[Decision]) -> str:
    """One sentence on how sharp the lines are that hold of an exponent or a level; "" where there are none."""
    holding = (d for d in decisions if d.verdict == Verdict.HOLDS and d.finding.evidence in BY_ERROR)
    both = [(d.sensitivity, d.admitted) for d in holding if math.isfinite(d.sensitivity)]
    if not both:
        return ""
    sharp = sum(admitted <= SHARP for _, admitted in both)
    refuted = sum(sensitivity <= FAR for sensitivity, _ in both)
    if len(both) == 1:
        first, second = "not hold" if sharp else "still hold", "be violated" if refuted else "not be violated"
        return (
            f"How sharp: the one exponent or level that holds would {first} had the claim been wrong by {SHARP:g}, and "
            f"would {second} had it been wrong by {FAR_IN_PRINT}."
        )
    return (
        f"How sharp: of {len(both)} exponents or levels that hold, {sharp} would not hold had the claim been wrong by "
        f"{SHARP:g}, and {refuted} would be violated had it been wrong by {FAR_IN_PRINT}."
    )
