"""What Figure 1 says of the paper's two statements: which method leads, and whose inner gap grows."""

from types import SimpleNamespace

import numpy as np
import pytest

from figures.ir_cg.competition import Panels

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
    competition = SimpleNamespace(results=lambda results: [(m, results[m.name]) for m in methods])
    return Panels(competition, {"inner_gap": "inner gap", "outer_gap": "outer gap"}, {}), made


def order(rival, **more):
    found, results = panels({"ours": [3.0, 2.0, 0.1], "theirs": rival})
    return found.ordering(results, "ours", {"ours": 5, "theirs": 50}, "other data", **more)


def test_both_statements_are_found():
    found = order([3.0, 1.0, 2.0], grow=["theirs"])
    assert found.reproduced
    assert "THEIRS, which grows in the paper, rises in 1 of 1 runs" in found.says


def test_the_second_statement_is_not_found():
    found = order([3.0, 2.0, 1.0], grow=["theirs"])
    assert not found.reproduced
    assert found.says.startswith("The paper's statements are not reproduced in full.")
    assert "rises in 0 of 1 runs" in found.says
    assert "THEIRS runs for 10 iterations here and for 50 there" in found.why


@pytest.mark.parametrize("rival", [[3.0, 2.0, 1.0], [3.0, 1.0, 2.0]])
def test_a_figure_without_such_a_statement(rival):
    assert order(rival).reproduced
