"""Each checker of the ledger on statements that are true, false, tight, undecidable and malformed."""

import time

import pytest
from sympy import (
    Abs,
    E,
    Eq,
    Function,
    Ge,
    IndexedBase,
    Integer,
    Le,
    Lt,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    cos,
    exp,
    log,
    pi,
    sin,
    sqrt,
    symbols,
    tanh,
)
from sympy_lines import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    Constant,
    Identity,
    Induction,
    Inequality,
    LinearProgram,
    at_least,
    closed,
    integers,
    opened,
)

from workbench.evidence.verdicts import Verdict
from workbench.ledger import boxes, certificate, counterexample, smt, subboxes
from workbench.ledger.checks import decide
from workbench.ledger.statements import statement as statement_of
from workbench.ledger.trees import Wrong
from workbench.theory.lemma import AlongTrajectory

q = Rational
x, y, z, t, c = symbols("x y z t c", positive=True)
a, b, g, m, e = symbols("a b g m e", real=True)
s = Symbol("s", nonnegative=True)
i = Symbol("i", integer=True, nonnegative=True)
n, k, j = symbols("n k j", integer=True, positive=True)
POS2 = {x: POSITIVE, y: POSITIVE}

TRUE = {
    "tangent of the exponential": Inequality("i", 1 + a, exp(a), {a: REAL}),
    "logarithm below the identity": Inequality("i", log(1 + s), s, {s: NONNEGATIVE}),
    "a tie of second order": Inequality("i", 1 - a**2 / 2, cos(a), {a: closed(-3, 3)}),
    "a tie at infinity": Inequality("i", 1 / (x + 1), log(x + 1) - log(x), {x: at_least(1)}),
    "a tie on a line": Inequality("i", x * y, (x**2 + y**2) / 2, POS2),
    "a tie at a point": Inequality("i", a - a**2, q(1, 4), {a: REAL}),
    "roots": Inequality("i", sqrt(x + y), sqrt(x) + sqrt(y), POS2),
    "fractional powers": Inequality("i", (1 + t) ** q(3, 4) - t ** q(3, 4), q(3, 4) * t ** q(-1, 4), {t: at_least(1)}),
    "Cauchy-Schwarz as a condition": Inequality(
        "i", (g + m + 2 * e), (sqrt(x) + sqrt(y)) ** 2, {x: POSITIVE, y: POSITIVE, g: REAL, m: REAL, e: REAL},
        given=(Eq(g, x), Eq(m, y), Le(e**2, x * y)),
    ),
    "maxima and minima": Inequality("i", Max(a, b) + Min(a, b), a + b, {a: REAL, b: REAL}),
    "absolute values": Inequality("i", Abs(Abs(a) - Abs(b)), Abs(a - b), {a: REAL, b: REAL}),
    "a case distinction": Inequality("i", Piecewise((a, a > 0), (0, True)), Abs(a), {a: REAL}),
    "three variables": Inequality(
        "i", exp(-x) * y * z, Integer(1), {x: closed("1/10", 2), y: opened(0, 1), z: opened(0, 1)}
    ),
    "hyperbolic tangent": Inequality("i", tanh(s), s, {s: NONNEGATIVE}),
    "constants of nature": Inequality("i", E, pi, {}),
    "an equation to be used": Inequality(
        "i", y - x, c / x, {x: at_least(1), y: at_least(1), c: POSITIVE}, given=(Eq(y**2, x**2 + c),)
    ),
    "a sum written out": Inequality("i", Sum(1 / k**2, (k, 1, n)), 2 - 1 / n, {n: integers(1, 12)}),
}  # fmt: skip

FALSE = {
    "Taylor turned round": Inequality("i", exp(x), 1 + x + x**2 / 2, {x: opened(0, 1)}),
    "a constant too small": Inequality("i", x * y, q(49, 100) * (x**2 + y**2), POS2),
    "only far out": Inequality("i", x, 10**4 + x / 2, {x: POSITIVE}),
    "only in a corner": Inequality("i", x + y, q(199, 100), {x: closed("1/2", 1), y: closed("1/2", 1)}),
    "only under the condition": Inequality("i", x, q(1, 2), {x: closed("1/10", 1)}, given=(Ge(x**2, q(81, 100)),)),
    "a long sum": Inequality(
        "i", Sum(k ** q(-5, 4), (k, 1, n)), Integer(4), {n: integers(2042, 2042)}
    ),
    "under an equation": Inequality(
        "i", y - x, c / (3 * x), {x: at_least(1), y: at_least(1), c: POSITIVE}, given=(Eq(y**2, x**2 + c),)
    ),
    "without variables": Inequality("i", pi, E, {}),
    "at a whole number": Inequality("i", n**2, 3 * n + 9, {n: integers(1)}),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_true_inequality_is_certified(name):
    found = decide(TRUE[name])
    assert found.verdict == Verdict.HOLDS, found
    certificate.check(found.certificate)


@pytest.mark.parametrize("name", FALSE)
def test_a_false_inequality_gets_a_witness(name):
    check = FALSE[name]
    found = decide(check)
    assert found.verdict == Verdict.VIOLATED, found
    assert found.witness is not None
    certificate.check(found.certificate)


def test_a_witness_is_small():
    assert decide(FALSE["Taylor turned round"]).witness == {"x": "1/2"}
    assert decide(FALSE["a constant too small"]).witness == {"x": "1", "y": "1"}


def test_the_encoders_witness_is_checked_like_any_other():
    right = Inequality("i", x, 1, {x: POSITIVE}, witness={x: 2})
    assert decide(right).method == "witness"
    wrong = Inequality("i", x, 2, {x: closed("1/2", 1)}, witness={x: 1})
    assert decide(wrong).verdict == Verdict.HOLDS


def test_a_point_on_the_edge_of_an_open_box_is_no_witness():
    edge = Inequality("i", x, Integer(1), {x: opened(0, 1)})
    assert not subboxes.point_refutes(statement_of(edge), {"x": "2"})
    assert decide(edge).verdict == Verdict.HOLDS
    closed_edge = Inequality("i", 1 + x, q(3, 2), {x: opened(0, "1/2")})
    assert decide(closed_edge).verdict == Verdict.HOLDS


UNDECIDABLE = Inequality(
    "i",
    sin(x * y) ** 2 + cos(x * y) ** 2 + exp(-x * z),
    1 + exp(-x * z) * (sin(y) ** 2 + cos(y) ** 2),
    {x: closed(1, 30), y: closed(1, 30), z: closed(1, 3)},
)


def test_an_undecidable_query_ends_in_time_and_says_what_would_help():
    began = time.monotonic()
    found = decide(UNDECIDABLE, budget=1.0)
    assert time.monotonic() - began < 6
    assert found.verdict == Verdict.INCONCLUSIVE
    assert "boxes left" in found.note
    assert found.decides


def test_a_sum_without_end_asks_for_an_induction():
    found = decide(Inequality("i", Sum(1 / k**2, (k, 1, n)), 2, {n: integers(1)}))
    assert found.verdict == Verdict.INCONCLUSIVE
    assert "Induction" in found.decides


def test_where_a_root_may_not_exist_nothing_is_concluded():
    found = decide(Inequality("i", sqrt(a + q(1, 2)), Max(2, a), {a: closed(-1, 1)}), budget=1.0)
    assert found.verdict == Verdict.INCONCLUSIVE


def test_a_measured_line_is_not_decided_by_itself():
    with pytest.raises(ValueError, match="measured along runs"):
        decide(AlongTrajectory("i", x, y, ("demo/sim-1",)))


def test_constants_take_other_values_on_request():
    check = Inequality("i", x * y, c * (x**2 + y**2), POS2, constants=(Constant(c, q(1, 2)),))
    assert decide(check).verdict == Verdict.HOLDS
    assert decide(check, values={"c": ["q", "1/3"]}).verdict == Verdict.VIOLATED


# ------------------------------------------------------------------------------------------------ parts alone


def test_boxes_alone_settle_a_transcendental_statement_of_two_variables():
    check = Inequality("i", x * exp(-x) * y, q(2, 5), {x: POSITIVE, y: opened(0, 1)})
    assert boxes.decide(statement_of(check), 3.0).verdict == Verdict.HOLDS


def test_z3_leaves_the_exponential_to_others():
    found = smt.decide(statement_of(TRUE["tangent of the exponential"]), 1.0)
    assert found.verdict == Verdict.INCONCLUSIVE
    assert "exp" in found.note


def test_random_search_finds_nothing_where_nothing_is():
    assert counterexample.search(statement_of(TRUE["roots"]), 1.0) is None


VACUOUS = {
    "an interval between": Inequality("i", x, 0, {x: POSITIVE}, given=(Lt(x, 1), Ge(x, 2))),
    "outside the box": Inequality("i", x, 9, {x: closed(1, 2)}, given=(Ge(x, 3),)),
    "an equation without a root": Inequality(
        "i", a, 0, {a: REAL, b: REAL}, given=(Eq(a**2 + a * b + b**2, -1),)
    ),
    "an induction": Induction(
        "i", Sum(x * k, (k, 1, n)), x * n**2, n, 1, {x: closed(1, 2)}, given=(Ge(x, 3),)
    ),
}


@pytest.mark.parametrize("name", VACUOUS)
def test_conditions_that_contradict_each_other_make_a_statement_say_nothing(name):
    found = decide(VACUOUS[name])
    assert found.verdict == Verdict.INCONCLUSIVE
    assert "vacuous" in found.note or "no value" in found.note


# ------------------------------------------------------------------------------------------------ identities

A, V, EPS, S = (IndexedBase(name) for name in ("A", "V", "eps", "S"))


def weights(low, high):
    return Product(1 - A[j], (j, low, high))


def unrolled(late=weights, weight=A[k]):
    """A momentum recursion, unrolled; the arguments plant mistakes."""
    first = weights(2, n) * V[1] + Sum(late(k + 1, n) * weight * EPS[k], (k, 2, n))
    return first + Sum(weights(k, n) * S[k], (k, 2, n))


RULE = {V[n + 1]: (1 - A[n + 1]) * (V[n] + S[n + 1]) + A[n + 1] * EPS[n + 1]}

IDENTITIES = {
    "square": (Identity("i", (x + y) ** 2, x**2 + 2 * x * y + y**2), True),
    "square, wrong": (Identity("i", (x + y) ** 2, x**2 + x * y + y**2), False),
    "logarithm": (Identity("i", log(x * y), log(x) + log(y)), True),
    "sum of integers": (Identity("i", Sum(k, (k, 1, n)), n * (n + 1) / 2, n=n), True),
    "sum of integers, wrong": (Identity("i", Sum(k, (k, 1, n)), n * (n + 2) / 3, n=n), False),
    "telescope": (Identity("i", Product(1 - 1 / k, (k, 2, n)), 1 / n, n=n, start=2), True),
    "geometric": (Identity("i", Sum(x**i, (i, 0, n - 1)), (1 - x**n) / (1 - x), n=n), True),
    "momentum": (Identity("i", V[n], unrolled(), n=n, recursion=RULE), True),
    "momentum, product from k": (
        Identity("i", V[n], unrolled(lambda low, high: weights(low - 1, high)), n=n, recursion=RULE), False),
    "momentum, weight dropped": (Identity("i", V[n], unrolled(weight=Integer(1)), n=n, recursion=RULE), False),
    "weights add up": (Identity("i", Sum(weights(k + 1, n) * A[k], (k, 2, n)), 1 - weights(2, n), n=n), True),
    "wrong only late": (Identity("i", Sum(k, (k, 1, n)), n * (n + 1) / 2 + (n - 1) * (n - 2) * (n - 3), n=n), False),
}  # fmt: skip


@pytest.mark.parametrize("name", IDENTITIES)
def test_identities(name):
    check, right = IDENTITIES[name]
    found = decide(check)
    assert found.verdict == (Verdict.HOLDS if right else Verdict.VIOLATED), found
    if right:
        certificate.check(found.certificate)
    else:
        assert found.witness


PARTLY = {
    "a quotient": Identity("i", (a**2 - b**2) / (a - b), a + b),
    "a geometric sum for every ratio": Identity("i", Sum(x**i, (i, 0, n)), (x ** (n + 1) - 1) / (x - 1), n=n),
}


@pytest.mark.parametrize("name", PARTLY)
def test_an_identity_is_said_to_hold_where_its_sides_have_a_value(name):
    found = decide(PARTLY[name])
    assert found.verdict == Verdict.HOLDS
    assert certificate.to_text(found.certificate).endswith(", wherever both sides have a value")
    bare = {key: value for key, value in found.certificate["proof"].items() if key != "example"}
    with pytest.raises(Wrong, match="no point is known at which both sides have a value"):
        certificate.identity(found.certificate["statement"], bare)
    outside = {**bare, "example": dict.fromkeys(found.certificate["proof"]["example"], "1")}
    with pytest.raises((Wrong, ArithmeticError)):
        certificate.identity(found.certificate["statement"], outside)


def test_where_both_sides_have_a_value_everywhere_nothing_is_said():
    for name in ("square", "logarithm", "telescope", "momentum"):
        found = decide(IDENTITIES[name][0])
        assert "wherever" not in certificate.to_text(found.certificate)


P, W, N = IndexedBase("P", positive=True), IndexedBase("W"), Symbol("N", integer=True, positive=True)


@pytest.mark.parametrize(
    "true",
    [
        Identity("i", Sum(x / P[k], (k, 1, N)), x * Sum(1 / P[k], (k, 1, N))),
        Identity("i", (P[N] + x) / P[N], 1 + x / P[N]),
        Identity("i", x / sqrt(x - 31), x / sqrt(x - 31) * 1),
        Identity("i", x**2 / sqrt(1 - x - y) / x, x / sqrt(1 - x - y)),
    ],
)
def test_values_are_found_for_elements_and_on_narrow_domains(true):
    assert decide(true).verdict == Verdict.HOLDS


@pytest.mark.parametrize(
    "false",
    [
        Identity("i", x / (1 + (x + 1) ** 100), x / (2 + (x + 1) ** 100)),
        Identity("i", 1 / (1 + 1 / (n - x)), n**2, n=n),
    ],
)
def test_what_is_too_large_for_signs_is_refuted_all_the_same(false):
    assert decide(false).verdict == Verdict.VIOLATED


@pytest.mark.parametrize(
    "nowhere",
    [
        Identity(
            "i",
            V[n],
            W[n],
            n=n,
            recursion={V[1]: log(-1 - a**2), V[n + 1]: V[n], W[1]: log(-1 - a**2), W[n + 1]: W[n]},
        ),
        Identity(
            "i",
            V[n],
            W[n],
            n=n,
            recursion={V[1]: a, V[n + 1]: V[n] + log(-1 - a**2), W[1]: a, W[n + 1]: W[n] + log(-1 - a**2)},
        ),
        Identity("i", (1 + sqrt(-1 - a**2)) ** 2, 2 * sqrt(-1 - a**2) - a**2),
        Identity("i", log(-1 - a**2) + log(-1 - b**2) - log(-1 - b**2), log(-1 - a**2)),
    ],
)
def test_an_identity_whose_sides_never_have_a_value_is_not_certified(nowhere):
    assert decide(nowhere).verdict == Verdict.INCONCLUSIVE


def test_an_identity_that_no_rule_shows_is_left_open():
    found = decide(Identity("i", Function("f")(x), Function("g")(x)))
    assert found.verdict == Verdict.INCONCLUSIVE
    assert found.decides


# ------------------------------------------------------------------------------------------------ inductions

INDUCTIONS = {
    "inverse roots": (Induction("i", Sum(1 / sqrt(k), (k, 1, n)), 2 * sqrt(n) - 1, n, 1), Verdict.HOLDS),
    "inverse roots, one less": (Induction("i", Sum(1 / sqrt(k), (k, 1, n)), 2 * (sqrt(n) - 1), n, 1), Verdict.VIOLATED),
    "harmonic": (Induction("i", Sum(1 / k, (k, 1, n)), 1 + log(n), n, 1), Verdict.HOLDS),
    "false from 10 on": (Induction("i", Sum(1 / k, (k, 1, n)), q(29, 10), n, 1), Verdict.VIOLATED),
    "a product": (Induction("i", Product(1 - 1 / (2 * k), (k, 1, n)), 1 / sqrt(n + 1), n, 1), Verdict.HOLDS),
    "with a parameter": (
        Induction("i", Sum(x * k, (k, 1, n)), x * n**2, n, 1, {x: POSITIVE}), Verdict.HOLDS),
    "a smaller bound": (Induction("i", Sum(1 / k**2, (k, 1, n)), Integer(2), n, 1), Verdict.HOLDS),
    "true, but not by this step": (
        Induction("i", Sum(1 / k**2, (k, 1, n)), Rational(33, 20), n, 1), Verdict.INCONCLUSIVE),
}  # fmt: skip


@pytest.mark.parametrize("name", INDUCTIONS)
def test_inductions(name):
    check, expected = INDUCTIONS[name]
    found = decide(check)
    assert found.verdict == expected, found
    if expected == Verdict.HOLDS:
        certificate.check(found.certificate)
    if expected == Verdict.VIOLATED:
        assert "n" in found.witness


# ------------------------------------------------------------------------------------------------ linear programs

u, v = symbols("u v")
CORNER = (Le(u + v, 4), Le(u + 3 * v, 6), Le(u, 3), Ge(u, 0), Ge(v, 0))

PROGRAMS = {
    "corner": (LinearProgram("p", 3 * u + 2 * v, CORNER, 11), Verdict.HOLDS),
    "corner, wrong value": (LinearProgram("p", 3 * u + 2 * v, CORNER, 12), Verdict.VIOLATED),
    "corner, at most": (LinearProgram("p", 3 * u + 2 * v, CORNER, 12, relation="<="), Verdict.HOLDS),
    "equation and free variables": (
        LinearProgram("p", u + v, (Eq(u + 2 * v, 4), Ge(u, -1), Ge(v, -2)), q(3, 2), sense="min"), Verdict.HOLDS),
    "degenerate": (LinearProgram("p", u, (Le(u, 0), Le(u + v, 0), Le(u - v, 0), Ge(u, 0)), 0), Verdict.HOLDS),
    "a constant in the objective": (LinearProgram("p", u + q(1, 3), (Le(u, 1),), q(4, 3)), Verdict.HOLDS),
    "infeasible": (LinearProgram("p", u, (Ge(u, 2), Le(u, 1)), 1), Verdict.INCONCLUSIVE),
    "unbounded": (LinearProgram("p", u, (Ge(u, 2),), 1), Verdict.INCONCLUSIVE),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_linear_programs(name):
    check, expected = PROGRAMS[name]
    found = decide(check)
    assert found.verdict == expected, found
    if found.certificate:
        certificate.check(found.certificate)


def test_random_programs_agree_with_scipy():
    import numpy as np
    from scipy.optimize import linprog

    from workbench.theory.simplex import solve

    rng = np.random.default_rng(3)
    for _ in range(60):
        d, rows = rng.integers(1, 5), rng.integers(1, 7)
        A_, b_, c_ = (rng.integers(-4, 5, shape) for shape in ((rows, d), rows, d))
        equal = [bool(e_) for e_ in rng.integers(0, 4, rows) == 0]
        box = np.vstack([np.eye(d), -np.eye(d)]).astype(int)
        from fractions import Fraction

        as_rows = [[Fraction(int(w)) for w in row] for row in np.vstack([A_, box])]
        right = [Fraction(int(w)) for w in [*b_, *([5] * 2 * d)]]
        mine = solve([Fraction(int(w)) for w in c_], as_rows, right, [*equal, *([False] * 2 * d)])
        eq = np.array(equal)
        theirs = linprog(
            -c_, A_[~eq] if (~eq).any() else None, b_[~eq] if (~eq).any() else None,
            A_[eq] if eq.any() else None, b_[eq] if eq.any() else None, bounds=[(-5, 5)] * d,
        )  # fmt: skip
        if theirs.status == 2:
            assert mine == "infeasible"
        else:
            assert float(mine[0]) == pytest.approx(-theirs.fun, abs=1e-7)
