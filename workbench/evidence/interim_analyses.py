"""Early looks: a claim is decided as soon as the runs so far decide it well, at the same error probability.

A claim is looked at with a growing number of runs, and its finding is the first that settles it (`is_settled`). Each
look has a share of the claim's error probability, and the shares add up to one. So the chance that any look decides
wrongly is at most the whole, whatever ends the looking: a union bound, which assumes nothing of how the looks depend
on each other and serves every kind of finding. It costs little: a level a quarter as large moves a limit at the levels
of a family (1e-5) by 0.3 standard errors. (Alpha spending in the manner of Lan and DeMets 1983; their boundaries are
tighter, but for one normal statistic whose information at each look is known. Confidence sequences, as in the packages
confseq and ville, allow any number of looks, but are for means of bounded, sub-Gaussian or asymptotically normal
numbers; what is looked at here are slopes of means, extrapolated levels, shares of runs and distances to a cone.)

What it costs besides: a verdict on fewer runs has seen fewer of the rare ones. Where runs differ, the finding's note
says how many of them could misbehave unseen, and the first look is not so small that this could be most of them
(`LEAST`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from workbench.evidence._common import SIDE
from workbench.evidence.verdicts import Finding

LEAST = 128  # runs of the first look: of a family's claim, at most one run in eleven could misbehave unseen
NOTICED = 1 / 12  # from 1/4 to 1/3, the nearest two rates that are claimed of one kind of method
WITHOUT = ("bound",)  # evidence whose sensitivity is no error of an exponent or of a level
GROWTH = 1.5  # least factor between the runs of two looks
MOST = 4  # looks: half of the runs, a quarter and an eighth come before all of them


def sizes(runs: int) -> tuple[int, ...]:
    """The numbers of runs of the looks, increasing, the last of which is all.

    A part of the runs below `LEAST` is raised to it: more runs never come with a larger first look. One that is less
    than `GROWTH` times the look before is left out. Fewer than twice `LEAST` runs are looked at once.
    """
    if runs < 2 * LEAST - 1:
        return (runs,)
    *parts, whole = (max(-(-runs // 2**n), LEAST) for n in reversed(range(MOST)))
    looks = parts[:1]
    looks += [part for part, before in zip(parts[1:], parts, strict=False) if part >= GROWTH * before]
    return (*looks, whole)


def share(look: int, looks: int) -> float:
    """The share of the error probability that one look may use: 1/2 at the last, 1/4 at the one before it, and so on.

    look: its number, 1, ..., looks. The first look has the same share as the second. Most is left for the last look,
    behind which nothing can follow.
    """
    return 0.5 ** (looks - max(look, 2) + 1) if looks > 1 else 1.0


def at_share(finding: Finding, part: float) -> Finding:
    """A finding as it counts at one look: p-values are divided by its share, levels of limits multiplied by it.

    What is exact has no error probability to share.
    """
    if finding.exact or part == 1.0:
        return finding
    limits, advice, rejects, admits = finding.limits, finding.advice, finding.rejects, finding.admits
    costs = finding.costs
    low, high = limits(part * SIDE) if limits else (finding.low, finding.high)
    return replace(
        finding,
        p_if_wrong=min(1.0, finding.p_if_wrong / part),
        p_if_right=min(1.0, finding.p_if_right / part),
        low=low,
        high=high,
        limits=limits and (lambda level: limits(part * level)),
        advice=advice and (lambda level: advice(part * level)),
        rejects=rejects and (lambda level: rejects(part * level)),
        admits=admits and (lambda level: admits(part * level)),
        costs=costs and (lambda level: costs(part * level)),
    )


def at_first(at: Callable[[int], Finding], looks: tuple[int, ...], side: float) -> Finding:
    """The finding at the first look that settles it, or at the last.

    at(n): that of the first n runs. looks: their numbers. side: the level, for each direction, at which the looks end.
    """
    for look, n in enumerate(looks, start=1):
        finding = at_share(at(n), share(look, len(looks)))
        if is_settled(finding, side, 2.0 ** (len(looks) - look)):
            break
    return finding


def is_decisive(finding: Finding, side: float) -> bool:
    """Whether the finding is decisive at a level for each direction, as `verdicts.decide` will find."""
    return (finding.p_if_wrong <= side) != (finding.p_if_right <= side)


def is_settled(finding: Finding, side: float, more: float) -> bool:
    """Whether no further look is needed: the finding is decisive, and sharp enough.

    It is sharp enough if it would have noticed an error of `NOTICED` in its exponent, or in its level. Where it would
    not, looking goes on if ``more``, the factor by which the runs can still grow, could bring it: errors fall like one
    over the root of the runs. (A factor on a bound is not asked about: its slack has little to do with the runs.)

    That no run so far contradicts a claim, exactly, says nothing of the next: all of them are awaited. One that does is
    enough.
    """
    if finding.provisional:
        return more <= 1.0
    decisive = is_decisive(finding, side)
    if not decisive or finding.exact or finding.rejects is None or finding.evidence in WITHOUT:
        return decisive
    smallest = finding.rejects(side)
    return not math.isinf(smallest) and not NOTICED < smallest <= NOTICED * math.sqrt(more)
