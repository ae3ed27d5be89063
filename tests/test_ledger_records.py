"""The ledger's records: what they refuse, and that every refusal is one clear sentence."""

import pytest
from sympy import Eq, Integer, Le, Rational, Sum, Symbol, oo, sqrt, symbols

from theorems.lemma import (
    POSITIVE,
    UNIT,
    AlongTrajectory,
    Constant,
    Identity,
    Induction,
    Inequality,
    InExpectation,
    Interval,
    Lemma,
    LinearProgram,
    WithProbability,
    above,
    at_least,
    closed,
    integers,
    link,
    misprint,
    opened,
)
from theorems.record import Paper

x, y, c = symbols("x y c", positive=True)
n, k = symbols("n k", integer=True, positive=True)
r = Symbol("r", real=True)
PAPER = Paper("demo", "Demo", "Nobody", "nowhere")


def test_an_interval_holds_what_it_says():
    assert Rational(1, 3) in closed("1/3", 1)
    assert Rational(1, 3) not in above("1/3")
    assert 1 not in opened(0, 1)
    assert Rational(5, 2) not in integers(2)
    assert 3 in integers(2, 3)
    assert Interval().low_open
    assert not closed(0, 1).low_open
    assert at_least(2).high == oo
    assert str(opened(0, "1/2")) == "(0, 1/2)"


MISTAKES = {
    "a symbol without a domain": lambda: Inequality("a", x, y, {x: POSITIVE}),
    "a symbol in a condition without a domain": lambda: Inequality(
        "a", x, x, {x: POSITIVE}, given=(Le(y, 1),)
    ),
    "an empty box": lambda: Inequality("a", x, 1, {x: closed(2, 1)}),
    "an empty open point": lambda: opened(1, 1),
    "a float": lambda: Inequality("a", 0.5 * x, 1, {x: UNIT}),
    "a float in a condition": lambda: Inequality("a", r, 1, {r: UNIT}, given=(Le(r, 0.3),)),
    "a float constant": lambda: Constant(c, 0.1),
    "an irrational end": lambda: closed(0, sqrt(2)),
    "a condition that is none": lambda: Inequality("a", r, 1, {r: UNIT}, given=(True,)),
    "a box wider than the symbol's sign": lambda: Inequality("a", x, 1, {x: closed(-1, 1)}),
    "a box with a value that the symbol cannot take": lambda: Inequality("a", x, 1, {x: closed(0, 1)}),
    "real values of an integer": lambda: Inequality("a", n, 9, {n: closed(1, 3)}),
    "half a witness": lambda: Inequality("a", x, y, {x: POSITIVE, y: POSITIVE}, witness={x: 1}),
    "an unknown form": lambda: Identity("a", x, x, form="right"),
    "an unknown expectation": lambda: Identity("a", x, x, expected="true"),
    "no time": lambda: Identity("a", x, x, budget=0),
    "an induction over nothing": lambda: Induction("a", x, x, n, 1),
    "an induction over another limit": lambda: Induction("a", Sum(k, (k, 1, 5)), n, n, 1),
    "a measured line without runs": lambda: AlongTrajectory("a", x, y, ()),
    "two checks of one name": lambda: Lemma(
        "demo/lem-1", PAPER, "", "", "", checks=(Identity("a", x, x), Identity("a", y, y))
    ),
    "a misprint whose right line is the printed one": lambda: misprint(
        "E1", Inequality("a", x, y, {x: POSITIVE, y: POSITIVE}), "b", note="nothing else"
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_clear_sentence(name):
    with pytest.raises(ValueError) as caught:
        MISTAKES[name]()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) > 15


def test_the_message_names_what_is_missing():
    with pytest.raises(ValueError, match="symbol y has no domain"):
        Inequality("a", x, y, {x: POSITIVE})
    with pytest.raises(ValueError, match="interval from 2 to 1 is empty"):
        closed(2, 1)
    with pytest.raises(ValueError, match=r"holds the float 0\.5"):
        Inequality("a", 0.5 * x, 1, {x: UNIT})


def test_plain_numbers_become_exact():
    made = Inequality("a", 1, x, {x: at_least(1)}, given=(Eq(x, 2),))
    assert made.lhs == Integer(1)
    lemma = Lemma("demo/lem-1", PAPER, "t", "L1", "s", checks=(made,))
    assert lemma.check("a") is made
    with pytest.raises(KeyError, match="not 'b'"):
        lemma.check("b")


PRINTED_AND_RIGHT = {
    "inequality": (
        Inequality("a", x, y, {x: POSITIVE, y: POSITIVE}, witness={x: 2, y: 1}, note="of the printed line"),
        {"rhs": x + y},
    ),
    "identity": (Identity("a", (x + y) ** 2, x**2 + y**2, budget=9), {"lhs": x**2 + y**2}),
    "induction": (Induction("a", Sum(k, (k, 1, n)), n**2 - 1, n, 1), {"bound": n**2}),
    "along runs": (AlongTrajectory("a", x, y, ("demo/sim-1",)), {"rhs": 2 * y, "on": ("demo/sim-2",)}),
    "in expectation": (InExpectation("a", x, y, ("demo/sim-1",)), {"rhs": 2 * y}),
    "with probability": (
        WithProbability("a", x, y, ("demo/sim-1",), probability="9/10"),
        {"probability": "1/2"},
    ),
    "linear program": (LinearProgram("a", r, (Le(r, 1),), 2), {"claimed": 1}),
}


@pytest.mark.parametrize("kind", PRINTED_AND_RIGHT)
def test_a_misprint_is_the_printed_line_and_the_right_one(kind):
    printed, change = PRINTED_AND_RIGHT[kind]
    wrong, right = misprint("E1", printed, "b", **change)
    assert (wrong.name, wrong.form, wrong.expected, wrong.erratum) == ("a", "printed", "violated", "E1")
    assert (right.name, right.form, right.expected, right.erratum) == ("b", "repaired", "holds", "E1")
    assert type(wrong) is type(right) is type(printed)
    assert wrong.note == printed.note
    assert right.note == ""
    assert not getattr(right, "witness", {})
    marks = {"name", "form", "expected", "erratum", "note", "witness", *change}
    for field in set(vars(printed)) - marks:
        assert getattr(wrong, field) == getattr(right, field) == getattr(printed, field)


def test_checks_are_marked_with_what_they_are():
    line = Identity("a", x, x)
    assert [(c.form, c.expected, c.erratum) for c in (line.refuted("E1"), line.repaired("E2"))] == [
        ("printed", "violated", "E1"),
        ("repaired", "holds", "E2"),
    ]
    assert [(c.form, c.erratum) for c in (line.own(), line.own("E3"))] == [
        ("own", ""),
        ("own", "E3"),
    ]
    assert (line.form, line.erratum) == ("printed", "")


def test_a_link_has_the_keys_of_its_paper_and_the_errata_of_its_checks():
    line, other = Identity("a", x, x), Identity("b", x, y)
    lemma = link(PAPER, "lem-1", "t", "L1", "s", ("asm-1",), line, other.refuted("E2"), errata=("E1",))
    assert (lemma.key, lemma.paper, lemma.uses) == ("demo/lem-1", PAPER, ("demo/asm-1",))
    assert lemma.check("a") is line
    assert lemma.errata == ("E1", "E2")
    assert not link(PAPER, "lem-2", "t", "L1", "s", quoted=True).checks
