"""The corpora of known truth: every false statement is shown to be false, none is called true, no true one violated.

Every second entry of each mechanism (the first always) is decided here within 0.3 s; all of them by `calibrate`.
"""

import dataclasses
from collections import Counter

import pytest
from sympy import Eq, Integer, Piecewise, Product, Rational, Sum, exp, log, sqrt

from workbench.evidence.verdicts import Verdict
from workbench.ledger.corpus import judge, value
from workbench.ledger.corpus.corpus import FALSE, TRUE, sample
from workbench.ledger.corpus.entry import Entry, fails, k, n, undefined, x, y
from workbench.ledger.outcome import Outcome
from workbench.theory.lemma import UNIT, Induction, Inequality, LinearProgram, closed, integers

EVERY = 2
SECONDS = 0.3


def key(entry: Entry) -> str:
    return f"{entry.mechanism}: {entry.name}"


def test_the_corpora_are_large_and_no_entry_occurs_twice():
    assert len(FALSE) >= 200
    assert len(TRUE) >= 100
    assert len({e.mechanism for e in FALSE}) >= 25
    assert len({e.mechanism for e in TRUE}) >= 15
    counts = Counter(map(key, (*FALSE, *TRUE)))
    assert [name for name, number in counts.items() if number > 1] == []


def test_every_entry_says_why():
    assert [key(e) for e in (*FALSE, *TRUE) if not e.source.endswith(".") or "\n" in e.source] == []
    assert [key(e) for e in FALSE if e.witness is None] == []
    assert [key(e) for e in TRUE if e.witness is not None] == []


@pytest.mark.parametrize("mechanism", sorted({e.mechanism for e in FALSE}))
def test_every_false_statement_is_shown_to_be_false(mechanism):
    assert [e.name for e in FALSE if e.mechanism == mechanism and not e.witness()] == []


# ------------------------------------------------------------------------------------------------ decided


@pytest.mark.parametrize("entry", sample(FALSE, EVERY), ids=key)
def test_no_false_statement_is_called_true(entry):
    found = judge.fate(entry, SECONDS)
    assert not found.wrong, found


@pytest.mark.parametrize("entry", sample(TRUE, EVERY), ids=key)
def test_no_true_statement_is_called_violated(entry):
    found = judge.fate(entry, SECONDS)
    assert not found.wrong, found


# ------------------------------------------------------------------------------------------------ numerical search


def points(box):
    """Ends, and a few points between them, of every side of a box."""
    sides = []
    for side in box.values():
        low = (
            side.low
            if side.low.is_finite
            else min(Integer(-20), side.high - 20 if side.high.is_finite else 0)
        )
        high = side.high if side.high.is_finite else max(Integer(20), low + 20)
        steps = [low + (high - low) * Rational(i, 7) for i in (0, 1, 2, 4, 7)]
        steps = [s.round() if side.integer else s for s in steps]
        sides.append([s for s in steps if s in side] or [Integer(1)])
    most = max((len(s) for s in sides), default=1)
    for shift in range(3):
        for i in range(most):
            yield {
                s: side[(i + shift * j) % len(side)]
                for j, (s, side) in enumerate(zip(box, sides, strict=True))
            }


@pytest.mark.parametrize("entry", TRUE, ids=key)
def test_a_true_statement_is_true_at_some_points(entry):
    """A plausibility check of the true corpus: a misprinted entry would make the checkers look weak."""
    check = entry.build()
    if isinstance(check, Inequality):
        lhs, rhs, box, given = check.lhs, check.rhs, check.box, check.given
    elif isinstance(check, Induction):
        box = {**check.box, check.n: integers(check.start, check.start + 14)}
        lhs, rhs, given = check.total, check.bound, check.given
    else:
        assert str(judge.fate(entry, 2.0).fate) in (judge.HOLDS, judge.INCONCLUSIVE)
        return
    for at in points(box):
        if all(value.true(g, at) for g in given):
            assert not value.larger(lhs, rhs, at), at


# ------------------------------------------------------------------------------------------------ the parts


def test_values_follow_the_conventions_of_real_analysis():
    at = {x: Rational(1, 2), y: Integer(0)}
    assert value.value(x**2 + exp(y), at) == 1.25
    assert value.value(Sum(k, (k, 5, 1)), {}) == 0
    assert value.value(Product(k, (k, 5, 1)), {}) == 1
    assert value.value(Sum(k * n, (k, 1, n)), {n: 3}) == 18
    assert value.value(Sum(k, (k, 1, 3), (n, 5, 9)), {}) == 30
    assert value.value(Sum(k, (k, 1, 3), (n, 9, 5)), {}) == 0
    assert value.value(Product(k, (k, 1, 3), (n, 5, 6)), {}) == 36
    assert value.value(Sum(1, (k, 1, 3), (n, 1, k)), {k: 5}) == 15
    assert value.value(y**y, at) == 1
    for nowhere in (1 / y, log(y), sqrt(y - 1), Piecewise((1, x > 1))):
        assert value.undefined(nowhere, at)
    assert value.larger(exp(x), 1 + x, at)
    assert not value.larger(x, x, at)
    assert value.larger(x + Rational(1, 10**60), x, at)


def test_a_witness_must_lie_in_the_box_and_meet_the_conditions():
    assert fails(x, 0, {x: UNIT}, {x: 1})()
    assert not fails(x, 2, {x: UNIT}, {x: 3})()
    assert not fails(x, 0, {x: UNIT}, {x: 1}, given=(Eq(x, 0),))()
    assert not fails(x, 1, {x: UNIT}, {x: 1})()
    assert not fails(x + y, 0, {x: UNIT, y: UNIT}, {x: 1})()
    assert undefined(1 / x, 0, {x: UNIT}, {x: 0})()
    assert not undefined(1 / x, 0, {x: UNIT}, {x: 1})()
    assert not undefined(1 / x, 0, {x: closed(1, 2)}, {x: 0})()


def test_a_sample_holds_every_mechanism():
    assert {e.mechanism for e in sample(FALSE, 10**6)} == {e.mechanism for e in FALSE}
    assert sample(FALSE, 1) == FALSE
    assert len(sample(FALSE, EVERY)) > len(FALSE) / 2


def entry_of(build, false=True):
    return Entry("one", "some", build, "Said.", (lambda: True) if false else None)


def lying(monkeypatch, verdict):
    monkeypatch.setattr(judge, "decide", lambda check, seconds: Outcome(verdict, "guess"))


def test_fates_and_what_is_wrong(monkeypatch):
    fine = entry_of(lambda: Inequality("i", x, 2, {x: UNIT}), false=False)
    bad = entry_of(lambda: Inequality("i", x, 0, {x: UNIT}))
    refused = entry_of(lambda: Inequality("i", x, 0, {}))
    strict = entry_of(lambda: LinearProgram("p", x, (x < 1,), 1))
    crashed = entry_of(lambda: 1 // 0)
    found = judge.judge((fine, bad, refused, strict, crashed), 0.3)
    assert [f.fate for f in found] == ["holds", "violated", "refused", "refused", "crashed"]
    assert [f.wrong for f in found] == [False, False, False, False, True]
    assert "no domain" in found[2].note
    assert judge.failures(found) == [
        "some: one: a false statement is answered by ZeroDivisionError: " + found[4].note[19:]
    ]
    lying(monkeypatch, Verdict.HOLDS)
    assert judge.failures(judge.judge((fine, bad))) == ["some: one: a false statement is called true"]
    lying(monkeypatch, Verdict.VIOLATED)
    assert judge.failures(judge.judge((fine, bad))) == ["some: one: a true statement is called violated"]
    lying(monkeypatch, Verdict.INCONCLUSIVE)
    assert judge.failures(judge.judge((fine, bad))) == []


def test_the_table_counts_and_gives_the_share_proved(monkeypatch):
    fine = entry_of(lambda: Inequality("i", x, 2, {x: UNIT}), false=False)
    bad = entry_of(lambda: Inequality("i", x, 0, {x: UNIT}))
    other = dataclasses.replace(bad, mechanism="other")
    rows = judge.table(judge.judge((fine, fine, bad, other), 0.3))
    assert [(r["statements"], r["truth"], r["number"]) for r in rows] == [
        ("some", "true", 2), ("some", "false", 1), ("other", "false", 1), ("all", "false", 2), ("all", "true", 2),
    ]  # fmt: skip
    assert [r["proved_%"] for r in rows] == [100.0, "", "", "", 100.0]
    assert [r["violated"] for r in rows] == [0, 1, 1, 2, 0]
    assert all(r["ok"] for r in rows)
    lying(monkeypatch, Verdict.HOLDS)
    assert [r["ok"] for r in judge.table(judge.judge((fine, bad, other)))] == [
        True,
        False,
        False,
        False,
        True,
    ]
