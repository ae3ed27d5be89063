"""Protections: what the verdict on a curve allows for besides chance, each of which costs runs or sensitivity.

* "start-up": a slope above the claim may belong to a burn-in that ends, one below to a faster term that leaves, and a
  level may still approach its prediction. It delays *violated*.
* "slower terms": a term that takes over beyond the horizon. It delays *holds* (`slower_terms`; of a level, that it goes
  on as it does over one more window).
* "waves": a log-periodic modulation of a few per cent. It delays *violated*.
* "residuals": what neighbouring marks differ by and the noise of the runs does not explain. It narrows both.

A claim may do without some (``without=("start-up",)``), where the author knows from elsewhere that the curve has no
such thing; its line says so. `python -m workbench.verdicts.studies.protections` measures what each one costs.
"""

from __future__ import annotations

from collections.abc import Collection

START_UP, SLOWER, WAVES, RESIDUALS = PROTECTIONS = ("start-up", "slower terms", "waves", "residuals")


def names_of(without: Collection[str]) -> tuple[str, ...]:
    """The protections that a claim does without, in the order of `PROTECTIONS`. Raises ValueError for any other."""
    names = (without,) if isinstance(without, str) else tuple(without)
    for name in names:
        if name not in PROTECTIONS:
            raise ValueError(f"no protection {name!r} to do without; there are {', '.join(PROTECTIONS)}")
    return tuple(name for name in PROTECTIONS if name in names)
