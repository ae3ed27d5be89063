"""A line of the verdict table as a sentence: what was asked, and what was found."""

from __future__ import annotations

import math

from workbench.claims.claims import Caught, Claim, Custom
from workbench.claims.exact_claims import Exactly
from workbench.claims.kinds import Bounded, Geometric, Limit
from workbench.claims.power import BY_ERROR
from workbench.claims.readings import Level
from workbench.claims.scaling import Scaling
from workbench.evidence.verdicts import Finding, Verdict
from workbench.homes.keys import Key
from workbench.ledger.claims import LemmaClaim, MeasuredCheck
from workbench.report.quantities import for_readers
from workbench.theory.lemma import InExpectation
from workbench.verdicts.verify import Line


def number(value: float, digits: int = 4) -> str:
    """A number without the ballast of an exponent: 6139 -> "6139", 1e+05 -> "1e5"."""
    mantissa, e, exponent = f"{value:.{digits}g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if e else mantissa


def sentence(line: Line) -> str:
    """What was asked and found, with the number of runs, the horizon, and what the data would have rejected."""
    claim, finding = line.claim, line.decision.finding
    inner = claim.wrong if isinstance(claim, Caught) else claim
    if finding.exact and isinstance(inner, LemmaClaim) and math.isnan(finding.claimed):
        return {Verdict.HOLDS: "shown by an exact check", Verdict.VIOLATED: "refuted by an exact check"}.get(
            line.decision.verdict, "left open by the exact checkers"
        )
    if math.isnan(finding.value):
        return for_readers(finding.note, Key.of(claim.key).paper) or "no number was found"
    text = _SENTENCES.get(inner.evidence, _comparison)(line, inner)
    if isinstance(claim, Caught):
        outcome = "caught" if line.decision.verdict == Verdict.HOLDS else "not caught"
        text = f"wrong on purpose, {outcome}: {text}"
    warning = finding.warning and f"warning: {finding.warning}"
    less = f"without allowance for {', '.join(finding.without)}" if finding.without else ""
    return "; ".join(filter(None, [text, _errors_noticed(line), less, warning]))


def what_is_open(line: Line) -> str:
    """The quantity on which the verdict of an undecided line depends, and what would decide it."""
    claim, finding = line.claim, line.decision.finding
    inner = claim.wrong if isinstance(claim, Caught) else claim
    remedy = line.decision.decides or "another way to check it: no number of runs decides it"
    if math.isnan(finding.value):  # the line itself says why
        return f"open; to decide: {remedy}"
    if _slope_is_inside(line, finding):
        return (
            "open: the slope lies within the claim here, but these runs do not show that it stays there;"
            f" to decide: {remedy}"
        )
    return f"open: {_quantity(inner, finding)} lies neither clearly within the claim nor beyond it; to decide: {remedy}"


def _slope_is_inside(line: Line, finding: Finding) -> bool:
    """Whether the interval of a slope lies within the claim's tolerance: then its drift or a slower term is open."""
    low, high, room = line.decision.low, line.decision.high, finding.tolerance
    below = finding.evidence == "rate" or low >= finding.claimed - room
    return finding.evidence in ("rate", "tight") and below and high <= finding.claimed + room


def _quantity(claim: Claim, finding: Finding) -> str:
    """What a line compares with its claim."""
    if isinstance(claim, Level):
        return "the level"
    if claim.evidence in ("bound", "lemma"):
        return "the share of runs" if finding.claimed < 1 else "the mean over runs"
    names = {"rate": "the slope", "tight": "the slope", "scaling": "the exponent", "complexity": "the count"}
    return names.get(finding.evidence, "the measured value")


def _bound(line: Line, claim: Claim) -> str:
    f = line.decision.finding
    if isinstance(claim, Exactly):
        return f.note
    if f.exact and not f.runs:
        return f"computed exactly, {_share(f.value)} the bound{_slack(f)}{_horizon(f, ' at ')}"
    if f.claimed < 1:  # a share of runs; a bound on the mean claims the ratio 1
        above = f"{round(f.value * f.runs)} of {f.runs} runs above the bound ({number(100 * f.claimed)} % allowed)"
        return f"{above}{_tolerance(f)}{_slack(f)}{_horizon(f, ' at ')}"
    mean = f"mean of {f.runs} runs {_share(f.value)} the bound"
    return f"{mean}{_tolerance(f)}{_slack(f)}{_horizon(f, ' at ')}"


def _share(ratio: float) -> str:
    """Words for a ratio to something, which they come before."""
    return f"up to {number(ratio, 3)} times" if ratio > 1 else f"at most {number(ratio, 3)} of"


def _tolerance(finding: Finding) -> str:
    return f", tolerance {number(finding.tolerance, 3)}" if finding.tolerance else ""


def _slack(finding: Finding) -> str:
    return f", slack {number(finding.slack, 2)}" if math.isfinite(finding.slack) else ""


def _horizon(finding: Finding, before: str) -> str:
    return f"{before}T = {number(finding.horizon)}" if math.isfinite(finding.horizon) else ""


def _assumptions(line: Line, claim: Claim) -> str:
    return f"largest sampled quotient is {number(line.decision.finding.value)} of the declared constant"


def _exponent(line: Line, claim: Claim) -> str:
    f = line.decision.finding
    return f"claimed exponent {number(f.claimed)}, the bound gives {number(f.value)}"


def _count(line: Line, claim: Claim) -> str:
    f = line.decision.finding
    return f"{number(f.value, 12)} calls counted, {number(f.claimed, 12)} claimed{_horizon(f, ' up to ')}"


def _lemma(line: Line, claim: Claim) -> str:
    f = line.decision.finding
    if not f.exact and f.claimed < 1:
        low, high = number(100 * line.decision.low, 3), number(100 * line.decision.high, 3)
        share = f"{number(100 * f.value, 3)} % of {f.runs} runs [{low}, {high}] violate the line"
        return f"{share} ({number(100 * f.claimed)} % allowed){_horizon(f, '; ')}"
    if isinstance(claim, MeasuredCheck) and isinstance(claim.item, InExpectation):
        low, high = (number(x - 1, 2) for x in (line.decision.low, line.decision.high))
        mean = f"mean of left minus right at most {number(f.value - 1, 2)} [{low}, {high}] of their size"
        return f"{mean}; {f.runs} runs{_horizon(f, ', ')}"
    on = f"; {f.runs} runs{_horizon(f, ', ')}" if f.runs else ""
    if f.claimed == 1:
        return f"left side at most {number(f.value)} of the right{on}"
    return f"the two sides differ by {number(f.value, 2)} of their size{on}"


def _curve(line: Line, claim: Claim) -> str:
    """A slope, unless the claim reads a level or a ratio (`Custom`)."""
    if isinstance(claim, Exactly):
        return line.decision.finding.note
    if isinstance(claim, Level):
        return _comparison(line, claim, "{} of the level that theory gives", "")
    if isinstance(claim, Custom) and line.decision.finding.evidence not in ("rate", "tight"):
        most = "at most " if claim.evidence == "rate" else ""
        return _comparison(
            line, claim, "ratio {}", f", claimed {most}{number(line.decision.finding.claimed)}"
        )
    faster = " or faster" if claim.evidence == "rate" else ""
    return _comparison(line, claim, "slope {}", f", claimed {number(line.decision.finding.claimed)}{faster}")


def within(line: Line) -> str:
    """ " within 0.03": the tolerance, where a claim holds although the interval excludes it."""
    d, f = line.decision, line.decision.finding
    slower = d.low > f.claimed
    faster = d.high < f.claimed and line.claim.evidence != "rate"  # a rate is an upper bound
    if d.verdict != Verdict.HOLDS or f.exact or not f.tolerance or not (slower or faster):
        return ""
    return f" within {number(f.tolerance)}"


def _geometric(line: Line, claim: Claim) -> str:
    f = line.decision.finding
    faster = " or smaller" * (isinstance(claim, Geometric) and claim.or_faster)
    claim_text = ", claimed below 1" if math.isnan(f.claimed) else f", claimed {number(f.claimed, 6)}{faster}"
    return _comparison(line, claim, "factor {} per iteration", claim_text)


def _bounded(line: Line, claim: Claim) -> str:
    grows = isinstance(claim, Bounded) and claim.reverse
    claim_text = ", claimed to go on for ever" if grows else ", claimed to stop"
    slower = max(0.0, line.decision.high)
    text = _comparison(line, claim, "growth {} per unit of log T over the level", claim_text)
    if grows or line.decision.verdict != Verdict.HOLDS:
        return text
    return f"{text}; T^p with p up to {number(slower, 2)} would be unseen"


def _limit(line: Line, claim: Claim) -> str:
    f = line.decision.finding
    claim_text = "not to be the limit" if isinstance(claim, Limit) and claim.reverse else "as limit"
    return _comparison(line, claim, "mean {} at the end", f", {number(f.claimed, 6)} claimed {claim_text}")


def _logarithm(line: Line, claim: Claim) -> str:
    f, power = line.decision.finding, getattr(claim, "power", 0.0)
    less = " or fewer" * bool(getattr(claim, "or_less", False))
    beside = f" beside T^{number(power)}" if power else ""
    text = _comparison(line, claim, "{} logarithms" + beside, f", claimed {number(f.claimed)}{less}")
    horizons = [
        part.strip() for part in f.note.split(";") if "one logarithm" in part or "would be unseen" in part
    ]
    return "; ".join([text, *horizons])


def _scaling(line: Line, claim: Claim) -> str:
    low, high = line.decision.finding.span
    if not math.isfinite(low):
        return _comparison(line, claim)
    name = f"{claim.parameter} = " if isinstance(claim, Scaling) else ""
    return _comparison(line, claim, over=f", for {name}{number(low, 3)} to {number(high, 3)}")


def _comparison(
    line: Line, claim: Claim, form: str = "found {}", claimed: str | None = None, over: str = ""
) -> str:
    """What is found, what is claimed, and over which values or runs."""
    d, f = line.decision, line.decision.finding
    exact = f.exact or d.low == d.high
    interval = f"[{number(d.low)}, {number(d.high)}]"
    number_claimed = "between " + " and ".join(map(number, f.between)) if f.between else number(f.claimed)
    claim_text = f", claimed {number_claimed}" if claimed is None else claimed
    claim_text += within(line) + over
    on = f"; {f.runs} runs{_horizon(f, ', ')}" if f.runs else _horizon(f, "; ")
    return form.format(number(f.value) if exact else f"{number(f.value)} {interval}") + claim_text + on


def _errors_noticed(line: Line) -> str:
    """The error up to which a claim would hold, and that from which on it would be violated; a bound has a slack.

    Where these are large, that the line is worth little.
    """
    d = line.decision
    error, holds = d.sensitivity, d.verdict == Verdict.HOLDS and math.isfinite(d.admitted)
    if line.void:
        return f"void: {line.void}"
    if line.decision.finding.evidence in BY_ERROR and math.isfinite(error):
        admits = f"admits {number(d.admitted, 2)} off, " if holds else ""
        return f"{admits}rejects {number(error, 2)} off{', which says little' * line.loose}"
    return ""


_SENTENCES = {
    "assumptions": _assumptions,
    "bound": _bound,
    "exponent": _exponent,
    "complexity": _count,
    "lemma": _lemma,
    "rate": _curve,
    "tight": _curve,
    "scaling": _scaling,
    "geometric": _geometric,
    "bounded": _bounded,
    "limit": _limit,
    "logarithm": _logarithm,
}
