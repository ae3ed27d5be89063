"""The ledger's records: what they refuse, and that every refusal is one clear sentence."""

import pytest
from sympy import (
    Eq,
    Ge,
    IndexedBase,
    Integer,
    Le,
    Product,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    nan,
    oo,
    sqrt,
    symbols,
)

from workbench.theory.lemma import (
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
from workbench.theory.record import Paper

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


# ------------------------------------------------------------------------------------------------ well-formedness

a, b, u, w = symbols("a b u w", real=True)
i, j, m = symbols("i j m", integer=True, nonnegative=True)
A, V = IndexedBase("A"), IndexedBase("V")
ANY = {a: Interval(), b: Interval()}


def named(name, **assumptions):
    return Symbol(name, **assumptions)


ILL_FORMED = {
    # a sum, and what may stand in it
    "the summand contains the upper limit": lambda: Induction(
        "r", Sum(n, (k, 1, n)), n**2, n, 1, {a: closed(0, 1)}
    ),
    "a factor contains the upper limit": lambda: Induction("r", Product(1 + k / n, (k, 1, n)), n**n, n, 1),
    "a sum of a sum": lambda: Induction("r", Sum(j, (j, 0, k), (k, 1, n)), n**3, n, 1),
    "a sum inside with the upper limit": lambda: Induction(
        "r", Sum(Sum(j, (j, 0, n)), (k, 1, n)), n**3, n, 1
    ),
    "a start that is a variable": lambda: Induction("r", Sum(k, (k, m, n)), n**2, n, 1, {m: integers(0, 3)}),
    # conditions on the variable of an induction
    "a condition on n": lambda: Induction(
        "r", Sum(k, (k, 1, n)), n**2, n, 1, {b: at_least(100)}, given=(Ge(n, b),)
    ),
    "n has a side, too": lambda: Induction("r", Sum(k, (k, 1, n)), n**2, n, 1, {n: integers(1, 5)}),
    # two things of one name
    "two symbols of one name": lambda: Inequality(
        "r",
        named("z", positive=True),
        named("z", real=True),
        {named("z", positive=True): closed(5, 6), named("z", real=True): closed(1, 2)},
    ),
    "two symbols of one name in a condition": lambda: Inequality(
        "r",
        named("z", real=True),
        a,
        {**ANY, named("z", real=True): Interval(), named("z"): Interval()},
        given=(Ge(named("z"), a),),
    ),
    "two symbols of one name in an identity": lambda: Identity(
        "r", named("z", real=True) ** 2, named("z") ** 2
    ),
    "two symbols of one name in a program": lambda: LinearProgram(
        "r", named("z"), (Le(named("z", real=True), 1),), 1
    ),
    "a sequence and a variable of one name": lambda: Identity("r", V[n], named("V") + n, n=n),
    "a constant and a variable of one name": lambda: Inequality(
        "r",
        a,
        named("a", positive=True) * a,
        {a: closed(0, 1)},
        constants=(Constant(named("a", positive=True), 2),),
    ),
    "a constant with a side": lambda: Inequality(
        "r", a, c, {a: closed(0, 1), c: POSITIVE}, constants=(Constant(c, 2),)
    ),
    # indices
    "an index that is a variable": lambda: Inequality("r", Sum(k, (k, 1, 100)), 300 * k, {k: integers(1)}),
    "an index that is a variable of an identity": lambda: Identity(
        "r", Sum(k, (k, 1, 3)), 6 + k - k * Sum(1, (j, 1, 1))
    ),
    "the index of an induction in its bound": lambda: Induction(
        "r", Sum(k, (k, 1, n)), n**2 + k, n, 1, {k: integers(1)}
    ),
    "an index inside itself": lambda: Identity("r", Sum(k * Sum(k**2, (k, 1, 3)), (k, 1, n)), n, n=n),
    "an index declared narrower than its range": lambda: Identity("r", Sum(x**k, (k, 0, n)), n, n=n),
    "n declared narrower than its range": lambda: Identity("r", Sum(i, (i, 0, n)), n, n=n, start=0),
    # limits
    "an empty sum": lambda: Identity("r", Sum(k, (k, 5, n)), n * (n + 1) / 2 - 10, n=n, start=1),
    "an empty product": lambda: Identity("r", Product(k, (k, 3, n)), n, n=n, start=1),
    "an empty sum in an induction": lambda: Induction("r", Sum(k, (k, 5, n)), n**2, n, 1),
    "an empty sum over a box": lambda: Inequality("r", Sum(k, (k, 4, n)), n**2, {n: integers(1, 8)}),
    "an empty sum inside a sum": lambda: Identity("r", Sum(Sum(j, (j, 3, k)), (k, 1, n)), n, n=n),
    "a limit that is a half": lambda: Identity("r", Sum(k, (k, 1, n / 2)), n, n=n),
    "a limit that is real": lambda: Inequality("r", Sum(k, (k, 1, a)), 1, {a: closed(1, 2)}),
    "no end": lambda: Inequality("r", Sum(1 / k**2, (k, 1, oo)), 2, {}),
    # recursions
    "a recursion of itself": lambda: Identity("r", V[n], n, n=n, recursion={V[n + 1]: V[n + 1] + 1}),
    "a recursion of what comes later": lambda: Identity("r", V[n], n, n=n, recursion={V[n + 1]: V[n + 2]}),
    "two definitions of one element": lambda: Identity(
        "r", V[i], i, n=i, start=0, recursion={V[i + 1]: V[i] + 1, V[1]: V[0] + 2}
    ),
    "a recursion without its variable": lambda: Identity("r", V[1], V[0], recursion={V[1]: V[0]}),
    "a recursion of something else": lambda: Identity("r", V[n], n, n=n, recursion={V[2 * n]: V[n]}),
    # values
    "division by what may be 0": lambda: Inequality("r", 1 / a, 9, {a: closed(0, 1)}),
    "a root of something negative": lambda: Inequality("r", sqrt(a), 9, {a: closed(-1, 1)}),
    "a logarithm of something negative": lambda: Inequality("r", log(a), 9, {a: closed(-1, 1)}),
    "a logarithm of 0": lambda: Inequality("r", a * log(a), 9, {a: closed(0, 1)}),
    "an imaginary number": lambda: Inequality("r", sqrt(Integer(-2)) * a, 9, {a: closed(0, 1)}),
    "infinity": lambda: Inequality("r", a, oo, {a: closed(0, 1)}),
    "0/0": lambda: Inequality("r", a * nan, 1, {a: closed(0, 1)}),
    # boxes and conditions
    "an interval without integers": lambda: integers("1/3", "2/3"),
    "an open interval without integers": lambda: Interval(1, 2, True, True, True),
    "a condition that is never satisfied": lambda: Inequality("r", x, 1, {x: POSITIVE}, given=(Le(x, -1),)),
    "a symbol declared even": lambda: Inequality(
        "r", named("e", even=True), 1, {named("e", even=True): integers(1, 2)}
    ),
    "a symbol declared negative": lambda: Inequality(
        "r", named("e", negative=True), 1, {named("e", negative=True): closed(-1, 1)}
    ),
    "a symbol declared not zero": lambda: Inequality(
        "r", named("e", real=True, nonzero=True), 1, {named("e", real=True, nonzero=True): closed(-1, 1)}
    ),
    "a constant declared positive, printed negative": lambda: Inequality(
        "r", a, c, {a: closed(0, 1)}, constants=(Constant(c, -2),)
    ),
    "a constant with a variable without a side": lambda: Inequality(
        "r", a, c, {a: closed(0, 1)}, constants=(Constant(c, x + 1),)
    ),
    "an irrational witness": lambda: Inequality("r", a, 1, {a: closed(0, 2)}, witness={a: sqrt(2)}),
    "an irrational optimum": lambda: LinearProgram("r", u, (Le(u, 1),), sqrt(2)),
}


@pytest.mark.parametrize("name", ILL_FORMED)
def test_an_ill_formed_statement_is_refused_with_one_sentence(name):
    with pytest.raises(ValueError) as caught:
        ILL_FORMED[name]()
    text = str(caught.value)
    assert "\n" not in text
    assert "'r'" in text or "interval" in text
    assert len(text) > 20


def test_well_formed_neighbours_are_accepted():
    """The same shapes without the flaw."""
    Induction("r", Sum(k, (k, 1, n)), n**2, n, 1, {b: at_least(100)}, given=(Ge(b, 200),))
    Identity("r", Sum(k, (k, 2, n)), n * (n + 1) / 2 - 1, n=n, start=1)  # empty at n = 1, exactly
    Identity("r", Sum(Sum(j, (j, 1, k)), (k, 1, n)), n, n=n)
    Identity("r", Sum(A[k], (k, 1, n)) - Sum(A[k], (k, 1, n)), Integer(0), n=n)  # siblings may share an index
    Identity("r", V[i], i, n=i, start=0, recursion={V[i + 1]: V[i] + 1, V[0]: Integer(0)})
    Inequality("r", 1 / a, 9, {a: opened(0, 1)})
    Inequality("r", 1 / a, 9, {a: closed(0, 1)}, given=(Ge(a, Rational(1, 2)),))
    Inequality("r", Sum(k, (k, 2, n)), n**2, {n: integers(1, 8)})


FALSE_ONCE_CALLED_TRUE = {
    "n in the summand": lambda: Inequality(
        "r", Sum(m, (j, 1, m)), m * (m - 1) / 2 + 300, {m: integers(1, 60), a: closed(0, 1)}
    ),
    "a factor that may vanish": lambda: Inequality(
        "r", exp(u), exp(w), {a: closed(0, 1), u: closed(0, 1), w: closed(0, 1)}, given=(Eq(a * u, a * w),)
    ),
    "a factor that may vanish, as a sum": lambda: Inequality(
        "r", u, w, {a: closed(-1, 1), u: closed(0, 1), w: closed(0, 1)}, given=(Eq((a**2 + a) * (u - w), 0),)
    ),
    "0 of a power": lambda: Inequality("r", Integer(1), u**a, {u: closed(0, 1), a: closed(0, 1)}),
    "a quotient on the edge": lambda: Inequality(
        "r", a, a / (u - w), {a: at_least(0), u: at_least(1), w: closed(0, 1)}
    ),
}


@pytest.mark.parametrize("name", FALSE_ONCE_CALLED_TRUE)
def test_a_false_or_undefined_statement_is_never_called_true(name):
    from workbench.evidence.verdicts import Verdict
    from workbench.ledger.decide import decide

    assert decide(FALSE_ONCE_CALLED_TRUE[name](), budget=2.0).verdict != Verdict.HOLDS
