"""Does an open line say what decides it? The theorems of the examples, cut short, and what the line asks for, doubled.

Each claim of the examples that holds is made open on purpose by an eighth of its runs; then it gets twice the runs that
its line names, as far as the profile has them. A line that names another thing (a horizon, another instance) or more
runs than there are is counted apart. Prints one row per file and the share that is decided.

    python -m benchmarks.what_decides [FILE ...]
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from workbench.claims import interim_analyses
from workbench.claims.claims import Claim
from workbench.engine.records import Result
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.verdicts import Decision, Verdict, decide
from workbench.run.options import Options
from workbench.run.pool import ensure
from workbench.run.store.results import Store, store_folder
from workbench.verdicts import verify

ROOT = Path(__file__).parents[1]
ALL = [*sorted(ROOT.glob("examples/*.py")), *sorted(ROOT.glob("examples/gallery/*.py"))]
CUT = 8


def decision(claim: Claim, results: dict[str, Result], runs: int, options: Options) -> Decision:
    """On the first runs of each result."""
    some = {key: interim_analyses.first(result, runs) for key, result in results.items()}
    finding = verify.evaluate(claim, some, replace(options, runs=max(runs, 2)))
    return decide([finding], LEVEL / len(FAMILIES))[0]


def outcome(claim: Claim, results: dict[str, Result], options: Options) -> str:
    """What becomes of one claim: "" where it is not made open, else what doubling what it names does."""
    most = min((result.runs for result in results.values()), default=0)
    if most < CUT or claim.expected != "holds":
        return ""
    short = decision(claim, results, most // CUT, options)
    if short.verdict != Verdict.INCONCLUSIVE or short.finding.exact:
        return ""
    if not short.decides:
        return "no reason"
    named = re.search(r"about (\d+) runs", short.decides)
    if not named:
        return "names something else"
    asked = 2 * int(named[1])
    if asked > most:
        return "names more runs than there are"
    after = decision(claim, results, asked, options)
    return "open still" if after.verdict == Verdict.INCONCLUSIVE else "decided"


def main(files: list[Path]) -> None:
    """Prints the table."""
    options, total = Options("quick"), Counter[str]()
    for file in files:
        claims, _ = verify.chosen_claims([str(file)], options)
        results = ensure(verify.simulations_of(claims), options, Store(store_folder(None)))
        mine = Counter(
            outcome(claim, {key: results[key] for key in claim.needs}, options) for claim in claims
        )
        total += mine
        print(
            f"{file.stem:24}",
            ", ".join(f"{n} {what}" for what, n in mine.items() if what) or "none made open",
        )
    tried = total["decided"] + total["open still"]
    print(
        f"{total['decided']} of {tried} decided by twice the runs that they name; {total['no reason']} without a reason"
    )


if __name__ == "__main__":
    main([Path(name).resolve() for name in sys.argv[1:]] or ALL)
