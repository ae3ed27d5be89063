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
    Interval,
    Lemma,
    above,
    at_least,
    closed,
    integers,
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
    "an erratum that the lemma does not list": lambda: Lemma(
        "demo/lem-1", PAPER, "", "", "", checks=(Identity("a", x, x, erratum="E1"),)
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
