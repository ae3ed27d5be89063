"""From claims to verdicts: simulate what is missing, collect the findings, decide over the whole set."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench import catalog
from workbench.catalog import Entry
from workbench.experiment import Claim, Simulation
from workbench.records import Result
from workbench.runner import Options, UsageError, ensure, select
from workbench.store import Store
from workbench.verdicts import Decision, Finding, Verdict, decide

LEVEL = 0.01  # probability of any wrong decisive verdict among all claims of one call


@dataclass(frozen=True)
class Line:
    """One claim with its verdict. ``seconds``: computing time of the simulations behind it and of the check."""

    claim: Claim
    decision: Decision
    seconds: float

    @property
    def as_expected(self) -> bool:
        return self.decision.verdict == self.claim.expected

    def record(self) -> dict[str, Any]:
        """The stable JSON form, which other programs read; numbers that do not exist are null."""
        d, f = self.decision, self.decision.finding
        note = "; ".join(
            part for part in (f.note, self.claim.note, d.decides and f"to decide: {d.decides}") if part
        )
        return {
            "key": self.claim.key,
            "evidence": self.claim.evidence,
            "experiment": self.claim.experiment,
            "verdict": str(d.verdict),
            "expected": self.claim.expected,
            "claimed": _number(f.claimed),
            "value": _number(f.value),
            "low": _number(d.low),
            "high": _number(d.high),
            "slack": _number(f.slack),
            "runs": f.runs,
            "horizon": _number(f.horizon),
            "seconds": round(self.seconds, 3),
            "note": note,
        }


def _number(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None


def claims_of(entry: Entry) -> list[Claim]:
    """The claims that a catalog entry stands for. Raises UsageError where there are none."""
    if entry.kind == "paper":
        found = [c for c in catalog.claims() if c.key.startswith(f"{entry.key}/")]
    elif entry.kind == "experiment":
        found = [c for c in catalog.claims() if entry.key in c.needs]
    else:
        found = [c for c in catalog.claims() if c.key == entry.key]
    if not found:
        raise UsageError(
            f"{entry.key} ({entry.kind}) has no claim to verify; name a paper, theorem or experiment"
        )
    return found


def chosen_claims(keys: Iterable[str], profile: str) -> tuple[list[Claim], list[Claim]]:
    """Claims named by keys (all of them for no key), each once, in catalog order: (made in this profile, not made)."""
    wanted = [c for key in keys for c in claims_of(catalog.find(key))]
    chosen = [c for c in catalog.claims() if not wanted or c in wanted]
    return [c for c in chosen if profile in c.profiles], [c for c in chosen if profile not in c.profiles]


def needed(items: Iterable[Any]) -> list[Simulation]:
    """The simulations that claims or figures read, each once. Raises KeyError for one that does not exist."""
    keys = dict.fromkeys(key for item in items for key in item.needs)
    return [catalog.simulations()[key] for key in keys]


def verify(
    claims: list[Claim],
    options: Options,
    store: Store,
    done: Callable[[Simulation, bool], None] = lambda sim, stored: None,
    warn: Callable[[str], None] = lambda sentence: None,
) -> list[Line]:
    """One line per claim; verdicts are decided over the whole set (Holm at LEVEL)."""
    results = ensure(needed(claims), options, store, done, warn)
    findings, seconds = [], []
    for claim in claims:
        began = time.perf_counter()
        findings.append(_finding(claim, select(results, claim.needs), options))
        seconds.append(time.perf_counter() - began + sum(_cost(results[k]) for k in claim.needs))
    decisions = decide(findings, LEVEL)
    return [Line(*row) for row in zip(claims, decisions, seconds, strict=True)]


def _finding(claim: Claim, results: Mapping[str, Result], options: Options) -> Finding:
    """The claim's finding, open where a horizon or a number of runs of the user's own is too small to compute one.

    With the numbers of a profile that would be a mistake in the claim, and is raised.
    """
    try:
        return claim.check(results)
    except (ValueError, IndexError, KeyError) as error:
        if options.horizon is None and options.runs is None:
            raise
        held = [results[key] for key in claim.needs]
        return Finding(
            claim.evidence,
            claimed=math.nan,
            value=math.nan,
            low=-math.inf,
            high=math.inf,
            p_holds=1.0,
            p_violated=1.0,
            runs=min((r.runs for r in held), default=0),
            horizon=min((r.horizon for r in held), default=math.nan),
            note=f"not computed ({error})",
            decides="longer horizon or more runs",
        )


def _cost(result: Result) -> float:
    return float(result.elapsed[-1])


def all_as_expected(lines: Iterable[Line]) -> bool:
    return all(line.as_expected for line in lines)


def counts(lines: Iterable[Line]) -> dict[str, int]:
    verdicts = [line.decision.verdict for line in lines]
    return {str(v): verdicts.count(v) for v in Verdict}
