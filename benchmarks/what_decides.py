"""Does an open line say what decides it? The theorems of the examples, cut short, and what the line asks for, doubled.

Each claim of the examples is made open on purpose: by an eighth of its runs, by a quarter of its horizon, by a
sixteenth of it. Then it gets twice the runs or the horizon that its line names; a wider tolerance, a protection less,
or the weaker claim ("or faster") is taken as it is named. What would take more than `MOST` iterations of all runs is
not tried, nor are sizes beyond those that a file has; both are counted apart. Prints one row per file and the share
that is decided, with its 95 % interval (Clopper, Pearson). Without a file it takes those of which the runs make at most
`QUICK` iterations.

    python -m benchmarks.what_decides [--open] [FILE ...]     # --open: also each line that was not decided
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

from benchmarks.near_misses import cost
from workbench.claims import interim_analyses
from workbench.claims.claims import Caught, Claim
from workbench.claims.exact_curves import ExactCurve
from workbench.claims.kinds import Geometric
from workbench.claims.readings import Tight
from workbench.claims.records import Simulation
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.verdicts import Decision, Verdict, decide
from workbench.run.options import LARGEST, Options
from workbench.run.pool import ensure
from workbench.run.store.results import Store, store_folder
from workbench.verdicts import verify

ROOT = Path(__file__).parents[1]
FOLDERS = ("contested", "from_the_page", "", "gallery")
QUICK = 1e7
FEWER, SHORTER = 8, (4, 16)  # by how much a claim is cut
MOST = 3e8  # iterations of all runs; of an exact curve, whose steps are Python, a thousandth
EXACT = 1000
DECIDED, OPEN, NOT_TRIED, OTHER = "decided", "open still", "too long to be tried", "names another change"


@dataclass(frozen=True)
class Trials:
    """A claim of a file, on some of its runs, up to some horizon."""

    claim: Any
    store: Store
    options: Options

    @property
    def simulations(self) -> list[Simulation]:
        return list(verify.simulations_of([self.claim]))

    @property
    def exact(self) -> bool:
        return all(isinstance(sim, ExactCurve) for sim in self.simulations)

    def whole(self) -> tuple[int, int]:
        """(runs, horizon) of the profile."""
        profile = self.options.profile
        return tuple(
            max(getattr(sim, size)[profile] for sim in self.simulations) for size in ("runs", "horizon")
        )

    def decision(self, claim: Claim, runs: int, horizon: int) -> Decision:
        size = replace(self.options, horizon=horizon, runs=max(runs, 2))
        results = ensure(self.simulations, size, self.store)
        some = {key: interim_analyses.first(result, size.runs) for key, result in results.items()}
        return decide([verify.evaluate(claim, some, size)], LEVEL / len(FAMILIES))[0]

    def can_be_tried(self, runs: int, horizon: int) -> bool:
        """Whether there is so much, and time for it."""
        sized = any(
            getattr(sim, "at", ()) or "until" in sim.make(2, 2).grid.params for sim in self.simulations
        )
        if sized and horizon > self.whole()[1]:
            return False
        if self.exact:
            return horizon * len(self.simulations) <= MOST / EXACT
        return runs * horizon * len(self.simulations) <= MOST

    def all(self) -> Iterator[tuple[str, Decision, str]]:
        """(what was cut, the open decision, what became of it)."""
        runs, horizon = self.whole()
        if not self.exact and runs > FEWER:
            yield from self._cut(f"1/{FEWER} of its runs", runs // FEWER, horizon)
        for cut in SHORTER if horizon // min(SHORTER) <= LARGEST else ():  # of sizes that no option can name
            yield from self._cut(f"1/{cut} of its horizon", runs, max(horizon // cut, 2))

    def _cut(self, words: str, runs: int, horizon: int) -> Iterator[tuple[str, Decision, str]]:
        before = self.decision(self.claim, runs, horizon)
        if before.verdict != Verdict.INCONCLUSIVE:
            return
        more = re.search(r"about (\d+) runs", before.decides)
        longer = re.search(r"a horizon (?:more than )?([\d.e+]+) times as long", before.decides)
        claim = self.claim
        if longer:
            horizon = int(2 * float(longer[1]) * horizon)
        elif more:
            runs = 2 * int(more[1])
        else:
            claim = as_named(self.claim, before.decides)
        if claim is None:
            fate = OTHER if before.decides else "says nothing"
        elif not self.can_be_tried(runs, horizon):
            fate = NOT_TRIED
        else:
            after = self.decision(claim, runs, horizon)
            fate = OPEN if after.verdict == Verdict.INCONCLUSIVE else DECIDED
        yield words, before, fate


def as_named(claim: Any, decides: str) -> Any:
    """The claim with the tolerance that its line names, or weaker, or less a protection; None for none of these."""
    wider = re.search(r"wider tolerance, such as ([\d.]+)", decides)
    without = re.search(r'without=\("([\w-]+)",\)', decides)
    inner = claim.claim if isinstance(claim, Caught) else claim
    if without:
        reading = replace(inner.reading, without=(*inner.reading.without, without[1]))
        changed = replace(inner, reading=reading)
    elif wider:
        known = hasattr(inner, "rtol")
        reading = inner.reading if known else replace(inner.reading, tol=float(wider[1]))
        changed = replace(inner, reading=reading, **({"rtol": float(wider[1])} if known else {}))
    elif "or faster" in decides and isinstance(inner, Geometric):
        changed = replace(inner, or_faster=True)
    elif "or faster" in decides and isinstance(inner, Tight):
        changed = inner.reading.rate()
    else:
        return None
    return replace(claim, claim=changed) if isinstance(claim, Caught) else changed


def of_file(file: Path, show: bool) -> Counter[str]:
    """How many lines came to what."""
    options, store, counts = Options("quick"), Store(store_folder(None)), Counter[str]()
    claims, _ = verify.chosen_claims([str(file)], options)
    for claim in claims:
        if not claim.needs or options.profile not in claim.profiles:
            continue
        for words, before, fate in Trials(claim, store, options).all():
            counts[fate] += 1
            if show and fate != DECIDED:
                print(f"  {fate}: {claim.evidence}, {claim.experiment}, {words}: {before.decides}")
    return counts


def main(files: list[Path], show: bool) -> None:
    """Prints the table."""
    total = Counter[str]()
    print("| theorem | what became of the lines that were made open |\n|---|---|")
    for file in files:
        mine = of_file(file, show)
        total += mine
        said = ", ".join(f"{n} {what}" for what, n in sorted(mine.items())) or "none made open"
        print(f"| {file.stem} | {said} |", flush=True)
    tried = total[DECIDED] + total[OPEN]
    share = binomtest(total[DECIDED], tried).proportion_ci() if tried else None
    interval = f" ({share.low:.0%} to {share.high:.0%})" if share else ""
    rest = ", ".join(f"{n} {what}" for what, n in sorted(total.items()) if what not in (DECIDED, OPEN))
    print(f"\n{total[DECIDED]} of {tried} decided by twice what they name{interval}; {rest or 'none other'}.")


if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if name != "--open"]
    every = [file for folder in FOLDERS for file in sorted((ROOT / "examples" / folder).glob("*.py"))]
    main(
        [Path(name).resolve() for name in names] or [file for file in every if cost(file) <= QUICK],
        "--open" in sys.argv,
    )
