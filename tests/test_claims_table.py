"""The table of the theorems made of documents of ``verify --json``."""

from __future__ import annotations

from typing import Any

from benchmarks.claims import bound, level, omissions, rate, text

CLAIM = {
    "key": "p/thm-1",
    "id": "thm-1/tight/a",
    "evidence": "tight",
    "verdict": "holds",
    "void": "",
    "slack": None,
}


def claim(**changes: Any) -> dict[str, Any]:
    return {**CLAIM, "value": -0.251, "claimed": -0.25, "sensitivity": 0.1, **changes}


def test_a_two_sided_rate_is_shown_before_a_one_sided_one() -> None:
    one = claim(evidence="rate", value=-0.3, sensitivity=0.01)
    assert rate([one]) == "-0.3 for -0.25 (one-sided; 1 of 1 lines hold)"
    assert rate([one, claim()]) == "-0.251 for -0.25 (two-sided; 2 of 2 lines hold)"
    assert rate([claim(verdict="inconclusive"), claim(void="could not fail")]) == "none of 2 lines"
    assert rate([]) == "none"


def test_levels_bounds_and_what_is_left_out() -> None:
    of_level = claim(id="thm-1/tight/a/level", value=1.01)
    assert level([of_level, claim()]) == "1.01 of theory (1)"
    assert rate([of_level]) == "none"
    bounds = [
        claim(evidence="bound", slack=s, verdict=v)
        for s, v in ((30.0, "holds"), (9.0, "holds"), (0.5, "violated"))
    ]
    assert bound(bounds) == "holds, 9; violated, 0.5"
    left = [
        {
            "key": "p/thm-1",
            "reason": "runs",
            "evidence": "rate",
            "experiment": "SGD",
            "details": "about 300 runs",
        },
        {"key": "p/thm-1", "reason": "longer", "evidence": "rate", "experiment": "SGD", "details": ""},
    ]
    assert omissions(left) == "1 too few runs (rate, SGD: about 300 runs)<br>1 longer profile"
    document = {
        "meta": {"profile": "default", "seed": 0}, "theorems": [{"key": "p/thm-1"}], "left_out": left,
        "claims": [claim(), claim(evidence="falsifier", id="thm-1/falsifier/rate/a")],
    }  # fmt: skip
    last = text([document]).splitlines()[-1]
    assert last.startswith("| `p/thm-1` | -0.251 for -0.25 (two-sided; 1 of 1 lines hold) |")
    assert "| 1 of 1 |" in last
