"""What is decided about each theorem, and what is not, as a table in Markdown.

    workbench verify --json verdicts.json
    python -m benchmarks.claims verdicts.json > benchmarks/results/claims.md

Reads documents of `workbench verify --json` only (several, for papers verified apart), and computes nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
TWO_SIDED = ("tight", "scaling", "geometric", "limit", "logarithm", "bounded")
HEADS = ("theorem", "rate", "level", "bound, slack", "falsifiers caught", "not judged in this profile")


def is_decided(claim: Row) -> bool:
    return claim["verdict"] == "holds" and not claim["void"]


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def rate(claims: Iterable[Row]) -> str:
    """The sharpest decided exponent, two-sided if there is one: "-0.667 for -0.667 (two-sided, 3 of 3 lines)"."""
    curves = [
        c for c in claims if c["evidence"] in (*TWO_SIDED, "rate") and "level" not in c["id"].split("/")
    ]
    sure = [c for c in curves if is_decided(c)]
    if not sure:
        return f"none of {len(curves)} lines" if curves else "none"
    two = [c for c in sure if c["evidence"] in TWO_SIDED]
    best = min(two or sure, key=lambda c: c["sensitivity"] if c["sensitivity"] is not None else 1e9)
    side = "two-sided" if two else "one-sided"
    numbers = (
        f"{number(best['value'])} for {number(best['claimed'])}" if best["value"] is not None else "holds"
    )
    return f"{numbers} ({side}; {len(sure)} of {len(curves)} lines hold)"


def level(claims: Iterable[Row]) -> str:
    levels = [c for c in claims if "level" in c["id"].split("/") and is_decided(c)]
    if not levels:
        return ""
    best = min(levels, key=lambda c: c["sensitivity"] if c["sensitivity"] is not None else 1e9)
    return f"{number(best['value'])} of theory ({len(levels)})"


def bound(claims: Iterable[Row]) -> str:
    """The least slack of bounds that hold, and those that are violated as expected."""
    bounds = [c for c in claims if c["evidence"] == "bound" and c["slack"] is not None]
    holding = [c["slack"] for c in bounds if c["verdict"] == "holds"]
    violations = [c["slack"] for c in bounds if c["verdict"] == "violated"]
    parts = [f"holds, {number(min(holding))}"] if holding else []
    parts += [f"violated, {number(min(violations))}"] if violations else []
    return "; ".join(parts)


def omissions(rest: Iterable[Row]) -> str:
    """By reason, with the details of those that the plan leaves out."""
    words = {
        "longer": "longer profile",
        "shorter": "shorter profile",
        "runs": "too few runs",
        "pilots": "pilots against",
    }
    by_reason: dict[str, list[Row]] = {}
    for row in rest:
        by_reason.setdefault(row["reason"], []).append(row)
    parts = []
    for reason, rows in by_reason.items():
        details = "; ".join(
            dict.fromkeys(f"{r['evidence']}, {r['experiment']}: {r['details']}" for r in rows)
        )
        parts.append(
            f"{len(rows)} {words[reason]}" + (f" ({details})" if reason in ("runs", "pilots") else "")
        )
    return "<br>".join(parts)


def rows(documents: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, ...]]:
    for document in documents:
        for theorem in sorted(document["theorems"], key=lambda t: t["key"]):
            mine = [c for c in document["claims"] if c["key"] == theorem["key"]]
            wrong = [c for c in mine if c["evidence"] == "falsifier"]
            rest = [o for o in document["left_out"] if o["key"] == theorem["key"]]
            count = f"{sum(map(is_decided, wrong))} of {len(wrong)}" if wrong else ""
            yield (f"`{theorem['key']}`", rate(mine), level(mine), bound(mine), count, omissions(rest))


def text(documents: list[Mapping[str, Any]]) -> str:
    """The page. Raises KeyError for a document of another form."""
    meta = documents[0]["meta"]
    lines = [
        "# The theorems: what is decided, and what is not",
        "",
        f"Written by `python -m benchmarks.claims` from `workbench verify --json`, profile {meta['profile']}, seed "
        f"{meta['seed']}. Rate: the sharpest exponent that is decided, beside the claimed one. Level: measured over "
        "derived, the sharpest one, and how many hold. Bound: the least slack.",
        "",
        f"| {' | '.join(HEADS)} |",
        f"|{'---|' * len(HEADS)}",
        *(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows(documents)),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(text([json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]))
