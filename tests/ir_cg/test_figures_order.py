"""What Figure 1 says of the paper's two statements: which method leads, and whose inner gap grows."""

from types import SimpleNamespace

import numpy as np
import pytest
from workbench.theorems.ir_cg.figures.competition import Panels

from workbench.claims.full_horizon import Longer

MARKS = np.array([1, 6, 10])


def panels(inner):
    """inner: name -> inner gaps of one run at the marks."""
    methods = [SimpleNamespace(name=name, title=name.upper()) for name in inner]
    made = {
        name: SimpleNamespace(
            data={"inner_gap": np.array([gaps]), "outer_gap": np.array([gaps])},
            marks=MARKS, horizon=10, size=1, meta={},
        )
        for name, gaps in inner.items()
    }  # fmt: skip
    competition = SimpleNamespace(
        results=lambda results: [(m, results[m.name]) for m in methods], methods=methods, key=lambda m: m.name
    )
    return Panels(competition, {"inner_gap": "inner gap", "outer_gap": "outer gap"}, {}), made


def order(rival, **more):
    found, results = panels({"ours": [3.0, 2.0, 0.1], "theirs": rival})
    return found.ordering(results, "ours", {"ours": 5, "theirs": 50}, "other data", **more)


def test_both_statements_are_found():
    found = order([3.0, 1.0, 2.0], grow=["theirs"])
    assert found.holds
    assert "THEIRS, which grows in the paper, rises in 1 of 1 runs" in found.says


def test_the_second_statement_is_not_found():
    found = order([3.0, 2.0, 1.0], grow=["theirs"])
    assert not found.holds
    assert found.says.startswith("The paper's statements are not reproduced in full.")
    assert "rises in 0 of 1 runs" in found.says
    assert "THEIRS runs for 10 iterations here and for 50 there" in found.why


def test_what_the_paper_s_iterations_showed_is_quoted(monkeypatch):
    """Of the methods in the order of their ends, as far down as the leader, where all of them have been run."""
    kept = {
        name: Longer("2026-01-02", 2, 50, {"inner_gap": end, "outer_gap": 1 / end})
        for name, end in (("ours", 0.25), ("theirs", 0.5))
    }
    monkeypatch.setattr("workbench.theorems.ir_cg.figures.competition.full_horizon.load", lambda paper: kept)
    found, results = panels({"ours": [3.0, 2.0, 1.0], "theirs": [3.0, 1.0, 0.5]})
    printed = {"ours": 50, "theirs": 50}
    why = found.ordering(results, "ours", printed, "other data").why
    assert "OURS runs for 10 iterations here and for 50 there" in why
    assert why.endswith(
        "Run once with the paper's iterations, on 2026-01-02, these methods ended lowest, in this order (medians of 2 "
        "runs): inner gap: OURS 0.25, THEIRS 0.5; outer gap: THEIRS 2, OURS 4."
    )
    del kept["theirs"]
    assert "Run once" not in found.ordering(results, "ours", printed, "other data").why
    assert "Run once" not in found.ordering(results, "ours", {"ours": 10}, "other data").why


@pytest.mark.parametrize("rival", [[3.0, 2.0, 1.0], [3.0, 1.0, 2.0]])
def test_a_figure_without_such_a_statement(rival):
    assert order(rival).holds
