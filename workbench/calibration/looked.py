"""The checks as `workbench verify` makes them of a long simulation: look by look (`workbench.evidence.looks`)."""

from __future__ import annotations

from collections.abc import Callable

from workbench import evidence
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.looks import at_share, settled, share, sizes
from workbench.evidence.stats import Floats
from workbench.evidence.verdicts import Finding

FAMILY = 200  # claims decided together: no paper has a larger family (a test counts them)
SIDE = LEVEL / len(FAMILIES) / FAMILY  # at which the looks end

Check = Callable[..., Finding]


def looked(check: Check, runs: int, values: Callable[[int], tuple[Floats, ...]]) -> Finding:
    """The finding at the first look that settles it, or at the last. values(n): what is read of the first n runs."""
    looks = sizes(runs)
    for look, n in enumerate(looks, start=1):
        found = at_share(check(*values(n)), share(look, len(looks)))
        if settled(found, SIDE, 2.0 ** (len(looks) - look)):
            break
    return found


def of(name: str) -> Check:
    """The check of this name, whose first argument, (runs, ...), is read look by look."""

    def finding(values: Floats, *rest: object, **named: object) -> Finding:
        check = getattr(evidence, name)
        return looked(lambda v: check(v, *rest, **named), len(values), lambda n: (values[:n],))

    return finding


def falsifier(values: Floats, marks: Floats, claimed: float, diverges: bool = False) -> Finding:
    """A negative control of `rate`."""

    def caught(v: Floats) -> Finding:
        return evidence.falsifier(evidence.rate(v, marks, claimed), diverges)

    return looked(caught, len(values), lambda n: (values[:n],))


def same(a: Floats, b: Floats, marks: Floats, rtol: float) -> Finding:
    """Both methods' runs are read together."""
    return looked(lambda u, v: evidence.same(u, v, marks, rtol=rtol), len(a), lambda n: (a[:n], b[:n]))


def crossover(values: Floats, marks: Floats, parameters: Floats, claimed: float, at: float) -> Finding:
    """Of the finding and the crossings, the finding."""
    return looked(
        lambda v: evidence.crossover(v, marks, parameters, claimed, at=at)[0],
        len(values),
        lambda n: (values[:n],),
    )


rate, tight, level, bound, scaling = map(of, ("rate", "tight", "level", "bound", "scaling"))
