"""Exact evidence: sampled assumptions, exponents, counted calls; and the reversal of any finding (`falsifier`)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from numbers import Rational
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence.verdicts import Finding


def assumptions(ratios: ArrayLike, near: float = 0.9, rtol: float = 1e-9) -> Finding:
    """Checks a declared constant: sampled quotients never exceed it (up to rounding), and nearly attain it.

    One ratio above 1 + rtol is a counter-example, so the finding is exact. It is inconclusive if the largest ratio
    stays below `near`: the sampling may have missed the extreme point, or the constant is loose.

    Raises ValueError if there are no ratios.
    """
    largest = float(np.max(np.asarray(ratios, float)))
    violated = not largest <= 1 + rtol  # NaN counts as violated
    return _exact(
        "assumptions",
        1.0,
        largest,
        holds=not violated and largest >= near,
        violated=violated,
        runs=int(np.size(ratios)),
        slack=1 / largest if largest > 0 else np.inf,
        rejects=partial(exact_factor, largest),
        note="largest sampled quotient over declared constant",
        decides=f"sampling nearer the extreme point, or a smaller constant: {largest:.3g} of it is attained",
    )


def exponent(
    derived: Any,
    claimed: Any,
    relation: Literal["equal", "at_most"] = "equal",
    order: int | None = None,
) -> Finding:
    """Compares two exponents exactly (int, Fraction, SymPy number). at_most: derived <= claimed suffices.

    order: the sign of derived - claimed, if that is irrational (`workbench.theory.asymptotics.sign_on`).

    Raises TypeError for floats (1/3 is not a float, and an exact finding must not depend on rounding), for an
    irrational difference without its sign, and ValueError for exponents that are not finite.
    """
    if isinstance(derived, float) or isinstance(claimed, float):
        raise TypeError("exponents are compared exactly: pass Fraction or SymPy rationals, not floats")
    for name, value in (("derived", derived), ("claimed", claimed)):
        if not np.isfinite(float(value)):
            raise ValueError(f"the {name} exponent must be a finite number, got {value}")
    gap = derived - claimed if order is None else order
    if not isinstance(gap, Rational):
        raise TypeError(f"{derived} - {claimed} is irrational: pass its sign, which no rounding has decided")
    if relation not in ("equal", "at_most"):
        raise ValueError(f"exponents are compared as 'equal' or 'at_most', not {relation!r}")
    holds = bool(gap <= 0) if relation == "at_most" else bool(gap == 0)
    note = f"derived {derived}, claimed {claimed}" + ("; faster than claimed" if gap < 0 else "")
    return _exact("exponent", float(claimed), float(derived), holds=holds, violated=not holds, note=note)


def complexity(measured: int, claimed: int, horizon: int, what: str, random: bool = False) -> Finding:
    """Compares metered calls per run with the count of the paper's listing. what: names the calls in the note.

    random: other runs may call more or less often; ``measured`` is that of the run farthest from the listing.
    """
    same = measured == claimed
    return _exact(
        "complexity",
        claimed,
        measured,
        holds=same,
        violated=not same,
        horizon=horizon,
        note=what,
        provisional=same and random,
    )


def exact_factor(largest: float, side: float = 0.0) -> float:
    """The factor by which a bound of 1 may be divided before ``largest`` exceeds it; the same at every level."""
    return max(1.0, 1 / largest) if largest > 0 else np.inf


def falsifier(finding: Finding, diverges: bool = False) -> Finding:
    """Makes a negative control of a finding on a wrong method or statement: it holds iff that claim is violated.

    Its kind of evidence stays that of the claim, for its numbers do.

    A finding without a value, or one decided by failed runs, is inconclusive: a mistyped formula causes both, and must
    not count as a detection. diverges: divergence is the expected symptom of this wrong method and does count.
    """
    note = f"must be caught ({finding.evidence}): {finding.note}"
    # The wrong claim itself is the test of power.
    finding = replace(finding, rejects=None, admits=None)
    nowhere = finding.diverged or np.isnan(finding.value)
    if nowhere and min(finding.p_if_wrong, finding.p_if_right) < 1.0 and not diverges:
        symptom = "failed runs" if finding.diverged else "NaN"
        return replace(
            finding,
            p_if_wrong=1.0,
            p_if_right=1.0,
            note=f"{note}; decided by {symptom}, which a mere typing error would cause as well",
            decides="a wrong method whose runs stay finite, or `diverges=True` where divergence is its symptom",
        )
    return replace(
        finding,
        p_if_wrong=finding.p_if_right,
        p_if_right=finding.p_if_wrong,
        note=note,
    )


def _exact(
    evidence: str, claimed: float, value: float, *, holds: bool, violated: bool, **fields: Any
) -> Finding:
    """A finding without spread; inconclusive if it neither holds nor is violated."""
    return Finding(
        evidence,
        claimed=claimed,
        value=value,
        low=value,
        high=value,
        p_if_wrong=float(not holds),
        p_if_right=float(not violated),
        exact=True,
        **fields,
    )
