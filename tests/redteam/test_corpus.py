"""The corpora of known truth: every false statement is shown to be false, none is called true, no true one violated.

Every second entry of each mechanism (the first always) is decided here within 0.3 s; all of them by `calibrate`.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from fractions import Fraction
from typing import Any

import ledger_value
import numpy as np
import pytest
from ledger_value import NoValue, holds, larger
from mpmath import mpf
from scipy.optimize import linprog

from workbench.evidence.verdicts import Verdict
from workbench.ledger import corpus, parser
from workbench.ledger.corpus import Entry, sample
from workbench.ledger.outcome import Outcome

EVERY = 2
SECONDS = 0.3
ALL = corpus.entries()
FALSE = tuple(e for e in ALL if e.false)
TRUE = tuple(e for e in ALL if not e.false)
# Each of these is refused as it stands.
MALFORMED = (
    *("names", "domains", "numbers", "sums", "relations", "functions", "recursions", "programs"),
    "an index named like another variable",
)
OPTIMUM = "a wrong optimum"
POINTED = tuple(e for e in FALSE if e.mechanism not in (*MALFORMED, OPTIMUM))


def key(entry: Entry) -> str:
    return f"{entry.mechanism}: {entry.name}"


def test_the_corpora_are_large_and_no_entry_occurs_twice():
    assert len(FALSE) >= 300
    assert len(TRUE) >= 140
    assert len({e.mechanism for e in FALSE}) >= 25
    assert len({e.mechanism for e in TRUE}) >= 15
    counts = Counter(map(key, ALL))
    assert [name for name, number in counts.items() if number > 1] == []


def refuted_at(s: dict, point: dict[str, Any]) -> bool:
    """Does a statement fail, or have no value, at a point of its domain where its conditions hold?"""
    if s["kind"] == "induction":
        total = [s["op"], s["index"], ["q", str(s["low"])], s["n"], s["term"]]
        box = {**s["box"], s["n"]: [str(s["start"]), "oo", False, True, True]}
        s = {"kind": "inequality", "lhs": total, "rhs": s["bound"], "box": box, "given": s["given"]}
    inside = all(within(side, point[name]) for name, side in s["box"].items() if name in point)
    if not inside or not all(holds(condition, point) for condition in s.get("given", ())):
        return False
    try:
        fails = larger(s["lhs"], s["rhs"], point)
        return fails or (s["kind"] == "identity" and larger(s["rhs"], s["lhs"], point))
    except NoValue:
        return s["kind"] != "identity"


def within(side: list, v: Any) -> bool:
    low, high, low_open, high_open, whole = side
    above = low == "-oo" or (v > number(low) if low_open else v >= number(low))
    below = high == "oo" or (v < number(high) if high_open else v <= number(high))
    return bool(above and below and (not whole or v == int(v)))


def number(text: str) -> Any:
    return ledger_value.value(["q", text], {})


def point_of(entry: Entry) -> dict[str, Any]:
    parts = [part.partition(" = ") for part in entry.point.split(", ") if part]
    return {name: ledger_value.value(parser.tree(number), {}) for name, _, number in parts}


@pytest.mark.parametrize("mechanism", sorted({e.mechanism for e in POINTED}))
def test_every_false_statement_is_shown_to_be_false(mechanism):
    entries = [e for e in POINTED if e.mechanism == mechanism]
    assert [e.name for e in entries if not refuted_at(parser.statement(e.line), point_of(e))] == []


@pytest.mark.parametrize("entry", [e for e in FALSE if e.mechanism == OPTIMUM], ids=key)
def test_a_wrong_optimum_is_wrong(entry):
    s = parser.statement(entry.line)
    names = sorted({n for row in (s["objective"], *(r for r, _, _ in s["rows"])) for n in row})
    sign = {"max": -1, "min": 1}[s["sense"]]

    def vector(row: dict) -> list[float]:
        return [float(Fraction(row.get(n, "0"))) for n in names]

    rows = [(vector(row), float(Fraction(right)), relation) for row, relation, right in s["rows"]]
    below = [(row, right) for row, right, relation in rows if relation == "<="]
    solved = linprog(
        sign * np.array(vector(s["objective"])),
        A_ub=[row for row, _ in below],
        b_ub=[right for _, right in below],
        bounds=(None, None),
    )
    claimed = float(Fraction(s["claimed"]))
    if solved.status == 0:
        optimum = sign * solved.fun + float(Fraction(s["constant"]))
        met = {"=": optimum == claimed, "<=": optimum <= claimed, ">=": optimum >= claimed}[s["relation"]]
        assert not met
    else:
        assert solved.status in (2, 3)  # infeasible, unbounded


@pytest.mark.parametrize("entry", [e for e in FALSE if e.mechanism in MALFORMED], ids=key)
def test_what_is_no_statement_is_refused(entry):
    assert corpus.fate(entry, SECONDS).fate == corpus.REFUSED


# ------------------------------------------------------------------------------------------------ decided


@pytest.mark.parametrize("entry", sample(FALSE, EVERY), ids=key)
def test_no_false_statement_is_called_true(entry):
    found = corpus.fate(entry, SECONDS)
    assert not found.wrong, found


@pytest.mark.parametrize("entry", sample(TRUE, EVERY), ids=key)
def test_no_true_statement_is_called_violated(entry):
    found = corpus.fate(entry, SECONDS)
    assert not found.wrong, found


def points(box: dict):
    """Ends, and a few points between them, of every side of a box."""
    sides = {}
    for name, (low, high, _, _, whole) in box.items():
        first = (
            Fraction(low) if low != "-oo" else min(Fraction(-20), Fraction(high) - 20 if high != "oo" else 0)
        )
        last = Fraction(high) if high != "oo" else max(Fraction(20), first + 20)
        steps = [first + (last - first) * Fraction(i, 7) for i in (0, 1, 2, 4, 7)]
        steps = [Fraction(round(s)) if whole else s for s in steps]
        sides[name] = [s for s in steps if within(box[name], ledger_value.number(s))] or [Fraction(1)]
    for shift in range(3):
        for i in range(5):
            at = {n: side[(i + shift * j) % len(side)] for j, (n, side) in enumerate(sides.items())}
            yield {n: ledger_value.number(q) for n, q in at.items()}


@pytest.mark.parametrize("entry", TRUE, ids=key)
def test_a_true_statement_is_true_at_some_points(entry):
    """A plausibility check of the true corpus: a misprinted entry would make the checkers look weak."""
    s = parser.statement(entry.line)
    if s["kind"] in ("identity", "program"):
        assert corpus.fate(entry, 2.0).fate in (corpus.HOLDS, corpus.INCONCLUSIVE)
        return
    box = dict(s["box"])
    if s["kind"] == "induction":
        box[s["n"]] = [str(s["start"]), str(s["start"] + 14), False, False, True]
    for at in points(box):
        assert not refuted_at(s, at), at


# ------------------------------------------------------------------------------------------------ the parts


def test_values_follow_the_conventions_of_real_analysis():
    at = {"x": mpf("0.5"), "y": mpf(0)}

    def v(text: str, **more: Any):
        return ledger_value.value(parser.tree(text), at | more)

    assert v("x^2 + exp(y)") == 1.25
    assert v("sum(k, k, 5, 1)") == 0
    assert v("prod(k, k, 5, 1)") == 1
    assert v("sum(k*n, k, 1, n)", n=mpf(3)) == 18
    assert v("if(x >= 1, 2, 3)") == 3
    for nowhere in ("1/y", "log(y)", "sqrt(y - 1)"):
        with pytest.raises(NoValue):
            v(nowhere)
    assert larger(parser.tree("exp(x)"), parser.tree("1 + x"), at)
    assert not larger("x", "x", at)
    assert larger(["+", "x", ["q", f"1/{10**60}"]], "x", at)


def test_a_point_must_lie_in_the_domain_and_meet_the_conditions():
    one, two = {"x": mpf(1)}, {"x": mpf(3)}
    assert refuted_at(parser.statement("x <= 0 for x in [0, 1]"), one)
    assert not refuted_at(parser.statement("x <= 2 for x in [0, 1]"), two)
    assert not refuted_at(parser.statement("x <= 0 for x in [0, 1] given x = 0"), one)
    assert not refuted_at(parser.statement("x <= 1 for x in [0, 1]"), one)
    assert refuted_at(parser.statement("1/x <= 0 for x in [0, 1]"), {"x": mpf(0)})


def test_a_sample_holds_every_mechanism():
    assert {e.mechanism for e in sample(FALSE, 10**6)} == {e.mechanism for e in FALSE}
    assert sample(FALSE, 1) == FALSE
    assert len(sample(FALSE, EVERY)) > len(FALSE) / 2


FINE = Entry("some", "one", "x <= 2 for x in [0, 1]", false=False)
BAD = Entry("some", "one", "x <= 0 for x in [0, 1]", false=True)


def lying(monkeypatch, verdict):
    monkeypatch.setattr(corpus, "decide_statement", lambda s, seconds: Outcome(verdict, "guess"))


def test_fates_and_what_is_wrong(monkeypatch):
    no_domain = dataclasses.replace(BAD, line="x <= 0")
    ill_formed = dataclasses.replace(BAD, line="sum(k, k, 1, x) <= 0 for x in [0, 1]")
    found = corpus.judge((FINE, BAD, no_domain, ill_formed), 0.3)
    assert [f.fate for f in found] == ["holds", "violated", "refused", "refused"]
    assert [f.wrong for f in found] == [False] * 4
    assert "domain" in found[2].note
    monkeypatch.setattr(corpus, "decide_statement", lambda s, seconds: 1 // 0)
    (crashed,) = corpus.judge((BAD,))
    assert (crashed.fate, crashed.wrong) == ("crashed", True)
    assert corpus.failures([crashed]) == [
        "some: one: a false statement is answered by ZeroDivisionError: " + crashed.note[19:]
    ]
    lying(monkeypatch, Verdict.HOLDS)
    assert corpus.failures(corpus.judge((FINE, BAD))) == ["some: one: a false statement is called true"]
    lying(monkeypatch, Verdict.VIOLATED)
    assert corpus.failures(corpus.judge((FINE, BAD))) == ["some: one: a true statement is called violated"]
    lying(monkeypatch, Verdict.INCONCLUSIVE)
    assert corpus.failures(corpus.judge((FINE, BAD))) == []


def test_the_table_counts_and_gives_the_share_proved(monkeypatch):
    other = dataclasses.replace(BAD, mechanism="other")
    rows = corpus.table(corpus.judge((FINE, FINE, BAD, other), 0.3))
    assert [(r["statements"], r["truth"], r["number"]) for r in rows] == [
        ("some", "true", 2), ("some", "false", 1), ("other", "false", 1), ("all", "false", 2), ("all", "true", 2),
    ]  # fmt: skip
    assert [r["proved_%"] for r in rows] == [100.0, "", "", "", 100.0]
    assert [r["violated"] for r in rows] == [0, 1, 1, 2, 0]
    assert all(r["ok"] for r in rows)
    lying(monkeypatch, Verdict.HOLDS)
    assert [r["ok"] for r in corpus.table(corpus.judge((FINE, BAD, other)))] == [
        True,
        False,
        False,
        False,
        True,
    ]


def test_an_installed_copy_has_no_corpus(tmp_path):
    assert corpus.entries(tmp_path / "none") == ()
