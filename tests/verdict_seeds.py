"""``python -m tests.verdict_seeds [--profile quick] [--seeds 1-20] [KEY ...]``: does the seed change a verdict?

Verifies every statistical claim of a profile with each seed in turn and lists the lines that did not come out as
expected: inconclusive ones, and those decided the wrong way. Results are computed in a folder of their own and deleted
after each seed. The table goes to ``tests/verdict_seeds/<profile>.md``, a row as each seed is done.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workbench.evidence.verdicts import Verdict
from workbench.ledger.claims import ExactCheck
from workbench.run.options import Options
from workbench.run.store.results import Store
from workbench.verdicts import verify

TABLES = Path(__file__).parent / "verdict_seeds"
HEADER = (
    "| seed | claims | holds | violated | inconclusive | not as expected | minutes |\n|" + " --- |" * 7 + "\n"
)


@dataclass(frozen=True)
class Call:
    """One seed: counts by verdict, and the surprising lines in words."""

    seed: int
    counts: dict[str, int]
    surprises: tuple[str, ...]
    wrong: int
    minutes: float

    def row(self) -> str:
        told = "; ".join(self.surprises) or "none"
        total = sum(self.counts.values())
        counts = " | ".join(str(self.counts[str(v)]) for v in Verdict)
        return f"| {self.seed} | {total} | {counts} | {told} | {self.minutes:.1f} |\n"


def call(keys: list[str], profile: str, seed: int) -> Call:
    began, options = time.perf_counter(), Options(profile=profile, seed=seed)
    claims = [c for c in verify.chosen_claims(keys, options)[0] if not isinstance(c, ExactCheck)]
    with tempfile.TemporaryDirectory() as folder:
        lines = verify.verify(claims, options, Store(Path(folder)))
    odd = [line for line in lines if not line.as_expected]
    said = tuple(f"{x.claim.paper}/{x.claim.id}: {x.decision.verdict}".replace("|", r"\|") for x in odd)
    wrong = sum(x.decision.verdict != Verdict.INCONCLUSIVE for x in odd)
    return Call(seed, verify.counts(lines), said, wrong, (time.perf_counter() - began) / 60)


def summary(calls: list[Call], left: str) -> str:
    """left: what the plan leaves out, in words."""
    lines = sum(sum(c.counts.values()) for c in calls)
    surprising = sum(bool(c.surprises) for c in calls)
    return (
        f"\n{lines} verdicts in {len(calls)} calls. Calls with any surprise: {surprising}. Lines not as expected: "
        f"{sum(len(c.surprises) for c in calls)}; decided the wrong way: {sum(c.wrong for c in calls)}. Claims of this "
        f"profile that were not asked: {left or 'none'}.\n"
    )


def numbers(text: str) -> list[int]:
    """ "1-3,7" -> [1, 2, 3, 7]."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def main(keys: list[str], profile: str, seeds: Iterable[int]) -> None:
    TABLES.mkdir(exist_ok=True)
    file, calls = TABLES / f"{profile}.md", []
    left = verify.left_by_plan(verify.chosen_claims(keys, Options(profile=profile))[1], profile)
    for seed in seeds:
        calls.append(call(keys, profile, seed))
        print(calls[-1].row(), end="", flush=True)
        about = f"Statistical claims of {', '.join(keys) or 'all papers'}, profile {profile}, by seed.\n\n"
        file.write_text(about + HEADER + "".join(c.row() for c in calls) + summary(calls, left))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="*")
    parser.add_argument("--profile", default="quick")
    parser.add_argument("--seeds", type=numbers, default=numbers("1-20"))
    given = parser.parse_args()
    main(given.keys, given.profile, given.seeds)
