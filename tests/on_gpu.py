"""``python -m tests.on_gpu``: the tests that need a CUDA device, and a page of what came of them on this one.

``make test-gpu`` calls it. Options are handed on to pytest. The page is benchmarks/results/<device>-tests.md; it is
left as it was where the tests were chosen by an option, were interrupted, or could not all be read.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks import gpu, machine
from benchmarks.__main__ import RESULTS

CHOOSING = (
    "-k",
    "-m",
    "-x",
    "--lf",
    "--last",
    "--ff",
    "--sw",
    "--stepwise",
    "--maxfail",
    "--deselect",
    "--ignore",
    "tests",
)


class Outcomes:
    """Counts the tests of every file by outcome."""

    def __init__(self) -> None:
        self.of: dict[str, Counter[str]] = {}
        self.failed: list[str] = []
        self.unread = 0  # files of tests that could not be imported

    def pytest_collectreport(self, report: Any) -> None:
        self.unread += report.failed

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.of.setdefault(report.nodeid.partition("::")[0], Counter())[report.outcome] += 1
            if report.failed:
                self.failed.append(report.nodeid)


def page(outcomes: Outcomes, seconds: float, meta: dict[str, Any]) -> str:
    """The page, as Markdown."""
    total = sum(outcomes.of.values(), Counter())
    versions = ", ".join(f"{name} {version}" for name, version in meta["versions"].items())
    said = ", ".join(f"{total[o]} {o}" for o in ("passed", "failed", "skipped"))
    lines = [
        f"# Tests on {meta['gpu']}",
        "",
        f"`make test-gpu`, {datetime.now(UTC):%Y-%m-%d}: {said}, in {seconds:.0f} s. {versions}.",
        "",
        "| file | passed | failed | skipped |",
        "|---|---:|---:|---:|",
    ]
    for name, count in sorted(outcomes.of.items()):
        lines.append(f"| {name} | {count['passed']} | {count['failed']} | {count['skipped']} |")
    lines += ["", *(f"* failed: {name}" for name in outcomes.failed)] if outcomes.failed else []
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    if problem := gpu.problem():
        print(f"tests on a GPU: {problem}", file=sys.stderr)
        return 2
    outcomes, began = Outcomes(), time.perf_counter()
    status = int(pytest.main(["-m", "gpu", *arguments], plugins=[outcomes]))
    if status not in (0, 1) or outcomes.unread or any(a.startswith(CHOOSING) for a in arguments):
        print("no page was written: not all tests ran", file=sys.stderr)
        return status
    meta = machine.describe(gpu.name())
    path: Path = RESULTS / f"{machine.slug(meta)}-tests.md"
    path.write_text(page(outcomes, time.perf_counter() - began, meta))
    print(f"written: {path}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
