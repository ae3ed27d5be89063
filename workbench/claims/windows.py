"""The rule that chooses where the window of a reading starts, from pooled pilot runs.

1. A start is *admissible* if, in the pooled runs, the slope in each half of the window is within half a tolerance of
   the claimed exponent, and the drift between the halves within half of its own tolerance. (Of a rate: the slope in the
   tail, and one window ahead, at most half a tolerance above. Of a level: the mean ratio, and its extrapolation, within
   half a tolerance of 1.)
2. Of the admissible starts the earliest is taken such that no later one is significantly inadmissible: the longest
   window has the smallest error, but a slope that merely passes through the claimed one is not read.
3. A claim that must come out violated is read from the start where the pilot runs violate it most clearly, among those
   after which no later one significantly satisfies it: a transient convicts nobody.

What neighbouring marks differ by and the noise of the runs does not explain (`workbench.evidence.misfit`) refutes no
start: an oscillation does not end where a window is shorter.

Where no start is admissible, the latest is taken, and the claim is left out (`planner`): a start chosen for being
nearest to the claim would read a slope where it merely passes through the claimed one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from workbench.claims.claims import Caught, Claim, Results
from workbench.claims.costs import Complexity
from workbench.claims.plan import LADDER, STARTS, UNPLANNED, Plan, Tolerance
from workbench.claims.readings import Level, Rate, Reading, Tight
from workbench.evidence import distributions, rates
from workbench.evidence import misfit as misfits
from workbench.evidence.stats import Estimate, Floats, jackknife
from workbench.evidence.verdicts import Finding

ADMISSIBLE = 0.5  # tolerances
SURELY = 3.0  # standard errors beyond which a start counts as significantly inadmissible


@dataclass(frozen=True)
class Trial:
    """One start on pooled runs. off: the largest distance from the claim, in tolerances; error: its standard error."""

    start: float
    off: float
    error: float

    @property
    def admissible(self) -> bool:
        return self.off <= ADMISSIBLE

    @property
    def refuted(self) -> bool:
        return not self.off - SURELY * self.error <= ADMISSIBLE


def reading_of(claim: Claim) -> Reading | None:
    """The reading whose window a claim uses, or None if it has none or the window is not chosen by a plan."""
    inner = _inner(claim)
    if not isinstance(inner, Rate | Tight | Level):
        return None
    reading = inner.reading
    return None if reading.since is not None or reading.view.whole else reading


def within(claim: Claim) -> str:
    """The id by which the plan knows its tolerance; "" for a claim without one."""
    inner = _inner(claim)
    return inner.id if isinstance(inner, Rate | Tight | Level) else ""


def ladder(claim: Claim) -> tuple[Tolerance, ...]:
    """The tolerances to be tried for a claim, narrowest first, the last of which is the one that its author gives.

    None if that is the narrowest, and none for a claim that must be refuted: a narrower tolerance would make it easier.
    """
    inner = _inner(claim)
    if wanted_violated(claim) or not isinstance(inner, Rate | Tight | Level):
        return ()
    narrower = tuple(tol for tol in LADDER if tol < inner.given)
    trials = (*narrower, inner.given) if narrower else ()
    return tuple(Tolerance(float(f"{inner.number:.6g}"), inner.given, tol) for tol in trials)


def _inner(claim: Claim) -> Claim:
    """What a negative control or a cost is about."""
    return _inner(claim.claim) if isinstance(claim, Caught | Complexity) else claim


def reread(claim: Claim, start: float) -> Claim:
    """The claim with another start of its window."""
    if isinstance(claim, Caught | Complexity):
        around: Any = claim
        return replace(around, claim=reread(claim.claim, start))
    variant: Any = claim
    return replace(variant, reading=replace(variant.reading, since=start))


def choice(claim: Claim, pilots: Sequence[Results], plan: Plan = UNPLANNED) -> tuple[float | None, bool]:
    """(the start that the rule gives a claim, whether it is admissible), from the results of each pilot seed.

    None for the start if none leaves enough marks. plan: of the tolerances. Raises ValueError for a claim whose window
    no plan chooses.
    """
    if reading_of(claim) is None:
        raise ValueError(f"the window of {claim.experiment} is not chosen by a plan")
    if wanted_violated(claim):
        return clearest(claim, pilots, plan), True
    return earliest(trials(claim, pilots, plan))


def wanted_violated(claim: Claim) -> bool:
    """Whether the rate of a claim must be refuted: in the claim itself, or in the negative control that it is."""
    return isinstance(claim, Caught) or claim.expected == "violated"


def clearest(claim: Claim, pilots: Sequence[Results], plan: Plan = UNPLANNED) -> float | None:
    """The start at which the least clear of the pilots has the smallest p-value for what is expected.

    A start is out of the question where every pilot, read from a later one, shows the opposite significantly.
    """
    opposite = "holds" if claim.expected == "violated" else "violated"
    margins, against = {}, {}
    for start in STARTS:
        try:
            findings = [reread(claim, start).finding(results, plan) for results in pilots]
        except ValueError:
            continue
        margins[start] = max(_p(f, claim.expected) for f in findings)
        against[start] = max(_p(f, opposite) for f in findings)
    last = max((start for start, p in against.items() if p <= distributions.normal(-SURELY)), default=0.0)
    late = [start for start in margins if start >= last]
    return min(late, key=lambda start: (margins[start], start)) if late else None


def _p(finding: Finding, expected: str) -> float:
    return finding.p_if_right if expected == "violated" else finding.p_if_wrong


def earliest(trials: Sequence[Trial]) -> tuple[float | None, bool]:
    """(the start that the second point of the rule takes, True), or else (the latest, False)."""
    for n, trial in enumerate(trials):
        if trial.admissible and not any(later.refuted for later in trials[n:]):
            return trial.start, True
    return (trials[-1].start if trials else None), False


def trials(claim: Claim, pilots: Sequence[Results], plan: Plan = UNPLANNED) -> list[Trial]:
    """A trial for every start that leaves enough marks."""
    claim = _inner(claim)
    assert isinstance(claim, Rate | Tight | Level)
    curves = [claim.reading.curve(results) for results in pilots]
    marks = curves[0][1]
    values = np.concatenate([values for values, _ in curves])
    if isinstance(claim, Level):
        levels = [claim.reading.view.predict(claim.predictor(results), marks) for results in pilots]
        shapes = [np.broadcast_to(level, v.shape) for level, (v, _) in zip(levels, curves, strict=True)]
        values = values / np.concatenate(shapes)
    values = values[np.isfinite(values).all(axis=1)]
    distances: Callable[..., list[Estimate]] = _of_level if isinstance(claim, Level) else _of_slope
    margins = []
    for start in STARTS:
        try:
            offs = distances(claim, values, marks, start, plan)
        except ValueError:
            continue
        worst = max(offs, key=lambda e: e.value if np.isfinite(e.value) else np.inf)
        if np.isfinite(worst.value):
            margins.append(Trial(start, worst.value, worst.se))
    return margins


def _of_slope(claim: Rate | Tight, values: Floats, marks: Floats, start: float, plan: Plan) -> list[Estimate]:
    """The distances of an exponent from the claim, in tolerances."""
    r = claim.reading
    window = (max(start * marks[-1], marks[0]), marks[-1])
    s = rates.window_slopes(values, marks, window, r.log_power)
    claimed, tol, drift_tol = r.claimed.value, claim.tolerance(plan), claim.drift_tolerance(plan)
    uneven = misfits.misfit(rates.without_logs(values, marks, r.log_power), marks, window)
    doubt = misfits.DOUBTS * uneven / s.length  # of a slope in half of the window
    if isinstance(claim, Rate):
        edges = ((s.ahead, 5**0.5 * doubt), (s.tail, doubt))
        return [replace(e, value=(e.value - claimed - more) / tol, se=e.se / tol) for e, more in edges]
    off = max(abs(s.drift.value) - 2**0.5 * doubt, 0.0)
    drift = replace(s.drift, value=off / drift_tol, se=s.drift.se / drift_tol)
    halves = [
        replace(e, value=max(abs(e.value - claimed) - doubt, 0.0) / tol, se=e.se / tol)
        for e in (s.before, s.tail)
    ]
    return [*halves, drift]


def _of_level(claim: Level, ratios: Floats, marks: Floats, start: float, plan: Plan) -> list[Estimate]:
    """The distances of a level, and of its extrapolation by one window, from 1, in tolerances."""
    middle = np.sqrt(start) * marks[-1]
    tail, before = marks >= middle, (marks >= start * marks[-1]) & (marks < middle)
    if tail.sum() < 3 or not before.any():
        raise ValueError("a level needs three marks in the tail of its window and one before it")
    tol, weights, line = claim.tolerance(plan), tail / tail.sum(), np.zeros(marks.size)
    line[tail] = rates.slope_weights(np.log(marks[tail])) * np.log(marks[-1] / middle)
    columns = np.stack([weights, weights + line], axis=1)
    uneven = misfits.misfit(ratios, marks, (start * float(marks[-1]), float(marks[-1])))
    pairs = zip(jackknife(ratios, partial(_weighted, columns)), misfits.doubt(uneven, columns), strict=True)
    return [replace(e, value=max(abs(e.value - 1) - more, 0.0) / tol, se=e.se / tol) for e, more in pairs]


def _weighted(weights: Floats, means: Floats) -> Floats:
    return means @ weights
