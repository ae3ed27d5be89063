"""The checks as `workbench verify` makes them of a long simulation: look by look
(`workbench.evidence.interim_analyses`)."""

from __future__ import annotations

from collections.abc import Callable

from workbench import evidence
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.interim_analyses import at_first, sizes
from workbench.evidence.stats import Floats
from workbench.evidence.verdicts import Finding

FAMILY = 200  # claims decided together: no paper has a larger family (a test counts them)
SIDE = LEVEL / len(FAMILIES) / FAMILY  # at which the looks end

Check = Callable[..., Finding]


def by_looks(at: Callable[[int], Finding], runs: int) -> Finding:
    """The finding at the first look that settles it, of so many runs; or at the last. at(n): that of the first n."""
    return at_first(at, sizes(runs), SIDE)


def of(name: str) -> Check:
    """The check of this name, whose first argument, (runs, ...), is read look by look."""

    def finding(values: Floats, *rest: object, **options: object) -> Finding:
        check = getattr(evidence, name)
        return by_looks(lambda n: check(values[:n], *rest, **options), len(values))

    return finding


def falsifier(values: Floats, marks: Floats, claimed: float, diverges: bool = False) -> Finding:
    """A negative control of `rate`."""

    def control(n: int) -> Finding:
        return evidence.falsifier(evidence.rate(values[:n], marks, claimed), diverges)

    return by_looks(control, len(values))


def same(a: Floats, b: Floats, marks: Floats, rtol: float) -> Finding:
    """Both methods' runs are read together."""
    return by_looks(lambda n: evidence.same(a[:n], b[:n], marks, rtol=rtol), len(a))


def crossover(values: Floats, marks: Floats, parameters: Floats, claimed: float, at: float) -> Finding:
    """Of the finding and the crossings, the finding."""
    return by_looks(
        lambda n: evidence.crossover(values[:n], marks, parameters, claimed, at=at)[0], len(values)
    )


rate, tight, level, bound, scaling = map(of, ("rate", "tight", "level", "bound", "scaling"))
