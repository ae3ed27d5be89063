"""Which near misses of the claims are caught (`workbench.claims.perturbed_claims`), and from which horizon on.

Each is decided alone, at the level of one family, on the results at hand: it is a test of these results and no part of
the paper's error budget. Its horizon is the smallest of T, T/2, T/4, ... at which the results so far would have called
it violated, there and at each longer one. Where the author chose a window, the last three decades are tried as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.claims.claims import Claim
from workbench.claims.perturbed_claims import in_every_window, near_misses
from workbench.claims.plan import Plan
from workbench.engine.records import Result
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.verdicts import Verdict, decide
from workbench.run.options import Options
from workbench.verdicts.verify import evaluate, plans_of

FEWEST = 8  # iterations of the shortest horizon that is tried
LEFT = {Verdict.HOLDS: "holds as well", Verdict.INCONCLUSIVE: "open"}


@dataclass(frozen=True)
class Outcome:
    """One near miss of one claim. since: the smallest horizon from which on it is caught, or None."""

    claim: Claim
    words: str
    verdict: Verdict
    since: float | None

    @property
    def word(self) -> str:
        """As it is shown."""
        return LEFT.get(self.verdict, "caught")

    def record(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "id": self.claim.id,
            "key": self.claim.key,
            "near_miss": self.words,
            "verdict": self.word,
            "since": self.since,
        }


def up_to(result: Result, horizon: int) -> Result:
    """The result as if it had ended at this horizon, which is a mark; without rows of longer horizons (``until``)."""
    inside = result.marks <= horizon
    if "until" in result.params:
        result = result.keeping(result.params["until"] <= horizon)

    def some(table: Any) -> Any:
        return table[:, inside]

    return replace(
        result,
        marks=result.marks[inside],
        data={name: some(table) for name, table in result.data.items()},
        calls={name: some(table) for name, table in result.calls.items()},
        elapsed=result.elapsed[inside],
    )


def outcomes(claims: Sequence[Claim], results: Mapping[str, Result], options: Options) -> list[Outcome]:
    """One for each near miss of each claim, in the order of the claims."""
    plans = plans_of(claims)
    return [
        _outcome(claim, words, _Test(miss, options, plans[claim.paper]), {k: results[k] for k in claim.needs})
        for claim in claims
        for words, miss in near_misses(claim)
    ]


@dataclass(frozen=True)
class _Test:
    """A near miss, decided alone."""

    miss: Claim
    options: Options
    plan: Plan

    def __call__(self, results: Mapping[str, Result]) -> Verdict:
        """Inconclusive where the results are too few or too short for it."""
        horizon = min((result.horizon for result in results.values()), default=None)
        options, verdict = replace(self.options, horizon=horizon), Verdict.INCONCLUSIVE
        for miss in in_every_window(self.miss):
            if verdict != Verdict.VIOLATED:
                finding = evaluate(miss, results, options, self.plan)
                verdict = decide([finding], LEVEL / len(FAMILIES))[0].verdict
        return verdict


def _outcome(claim: Claim, words: str, test: _Test, results: Mapping[str, Result]) -> Outcome:
    verdict = test(results)
    if verdict != Verdict.VIOLATED:
        return Outcome(claim, words, verdict, None)
    since = horizon = min(result.horizon for result in results.values())
    while horizon // 2 >= FEWEST and len(results) == 1:
        ((key, result),) = results.items()
        marks = result.marks[result.marks <= horizon // 2]
        if not marks.size or min(result.params.get("until", (0.0,))) > marks[-1]:
            break
        horizon = int(marks[-1])
        if test({key: up_to(result, horizon)}) != Verdict.VIOLATED:
            break
        since = horizon
    return Outcome(claim, words, verdict, float(since))


def summary(rows: Sequence[Outcome]) -> str:
    """A sentence."""
    if not rows:
        return "These claims have no near misses."
    count = Counter(row.word for row in rows)
    return (
        f"{len(rows)} near misses: {count['caught']} caught, {count['holds as well']} hold as well (the claim is not"
        f" attained there), {count['open']} open."
    )
