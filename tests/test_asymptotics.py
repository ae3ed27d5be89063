"""The growth rules: known expansions, agreement with SymPy limits and with mpmath, and what they refuse."""

from collections.abc import Callable

import mpmath
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sympy import (
    Abs,
    Dummy,
    Expr,
    Integer,
    Integral,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    ceiling,
    exp,
    log,
    oo,
    sin,
    sqrt,
    symbols,
    zeta,
)

from tests.exponents import exponent_by_limit, local_exponent, predicted_local_exponent
from workbench import evidence, theory
from workbench.homes import papers
from workbench.theory import laws
from workbench.theory.asymptotics import (
    Growth,
    Undecided,
    exponent,
    growth,
    sign_on,
)
from workbench.theory.indicator import IsPositive, IsZero, ratio
from workbench.theory.numbers import sign
from workbench.theory.special import PowerSum

T = Symbol("T", positive=True)
a, b = symbols("a b", positive=True)
k = Symbol("k", integer=True, positive=True)
s = Symbol("s", nonnegative=True)
Q = Rational

KNOWN = [
    (Integer(7), 0, 0),
    (a * T**2, 2, 0),
    (T ** Q(-1, 2) + T ** Q(-1, 4), Q(-1, 4), 0),
    (T ** Q(1, 3) * log(T) ** 2 + a * T ** Q(1, 3), Q(1, 3), 2),
    (sqrt(a + b * T + T**2 * log(T)), 1, Q(1, 2)),
    (log(1 + a * T**3), 0, 1),
    (log(1 + a / T), -1, 0),  # log(1 + u) ~ u
    (log(60 * log(6 * T) / a), 0, 0),
    (sqrt(T - 3) - 1, Q(1, 2), 0),
    (Max(2, log(T)), 0, 1),
    (Min(2, log(T)), 0, 0),
    (Min(1, a / sqrt(T)), Q(-1, 2), 0),
    (ceiling(sqrt(T)), Q(1, 2), 0),
    (Abs(3 - T), 1, 0),
    (exp(-log(T) / 3), Q(-1, 3), 0),
    (Q(4, 7) ** (log(T) / (2 * log(Q(7, 4)))), Q(-1, 2), 0),
    (T ** (1 / log(T)), 0, 0),
    ((1 + 1 / T) ** 3, 0, 0),
    (Piecewise((T, a * log(T) < b), (1 / T, True)), -1, 0),
    (Piecewise((T, a * log(T) > b), (1 / T, True)), 1, 0),
    (1 / (T - sqrt(T)) * log(T) ** Q(1, 2), -1, Q(1, 2)),
]


@pytest.mark.parametrize(("expr", "power", "log_power"), KNOWN)
def test_known_growth(expr: Expr, power: Expr, log_power: Expr) -> None:
    found = growth(expr, T)
    assert (found.power, found.log_power) == (power, log_power)


def test_iterated_logarithms_are_kept_apart() -> None:
    assert growth(log(log(T)) * T + T, T).exponents == (1, 0, 1)
    assert growth(log(log(log(T))), T).exponents == (0, 0, 0, 1)
    assert growth(log(T ** Q(1, 2) * log(T)), T) == Growth((Integer(0), Integer(1)), Q(1, 2))


def test_coefficients_are_exact_where_they_are_symbols() -> None:
    assert growth((a * T + b) / (2 * T), T).coefficient == a / 2
    assert growth(a * T + b * T, T).coefficient == a + b


@pytest.mark.parametrize(
    "expr",
    [
        sqrt(T + 1) - sqrt(T),  # leading terms cancel
        (T + 1) ** 2 - T**2 - 2 * T,
        a * T - b * T,  # sign unknown
        log(2 - T),
        sqrt(1 - T),
        sin(T),
        exp(T),  # no power of T
        ceiling(2 + sin(1 / T)),
        Symbol("r", real=True) * T + T,
        IsPositive(s) * T - T,
        T * 0 + Symbol("z", zero=True) * T + log(1 + 0 * T),
        Piecewise((T, s < a), (1, True)),
    ],
)
def test_refuses_what_it_cannot_decide(expr: Expr) -> None:
    with pytest.raises(Undecided):
        growth(expr, T)


def test_indicators_are_decided_by_substitution() -> None:
    e = IsZero(s) / T + IsPositive(s)
    assert exponent(e.xreplace({s: Integer(0)}), T) == -1
    assert exponent(e.xreplace({s: T ** Q(-1, 2)}), T) == 0
    assert ratio(s, s).xreplace({s: Integer(0)}) == 1
    assert exponent(ratio(s, 2 * s), s) == 0  # the variable itself counts as positive near infinity


@pytest.mark.parametrize(
    "expr",
    [
        T ** Q(-1, 2) + 3 * T ** Q(-3, 8) + T ** Q(-1, 4),
        (1 + 2 * T) ** Q(1, 4) / sqrt(T),
        log(T) ** 2 / sqrt(T) + 5 / T,
        (4 + sqrt(T)) ** 2 / (1 + T**3),
    ],
)
def test_agrees_with_sympy_limits(expr: Expr) -> None:
    assert exponent_by_limit(expr, T) == exponent(expr, T)


def terms() -> st.SearchStrategy[Expr]:
    """c T^p (log T)^q with small rationals."""
    rationals = st.fractions(min_value=-2, max_value=2, max_denominator=8).map(
        lambda f: Q(f.numerator, f.denominator)
    )
    return st.builds(
        lambda c, p, q: c * T**p * log(T) ** q, st.integers(1, 9).map(Integer), rationals, st.integers(0, 2)
    )


def trees() -> st.SearchStrategy[Expr]:
    return st.recursive(
        terms(),
        lambda inner: st.one_of(
            st.builds(lambda x, y: x + y, inner, inner),
            st.builds(lambda x, y: x * y, inner, inner),
            st.builds(lambda x, y: Max(x, y, evaluate=False), inner, inner),
            st.builds(lambda x, r: x**r, inner, st.sampled_from([Q(1, 2), Q(1, 4), Q(-1, 2), Q(2)])),
            st.builds(lambda x: log(2 + x), inner),
        ),
        max_leaves=6,
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(trees())
def test_rules_match_the_slope_at_huge_arguments(expr: Expr) -> None:
    """The slope of the rule's leading term is approached: at T = exp(1e6) powers and logs are well apart."""
    found = growth(expr, T)
    with mpmath.workdps(60):
        gaps = []
        for k in (10**3, 10**6):
            at = mpmath.exp(k)
            slope = local_exponent(expr, T, at, digits=60)
            gaps.append(abs(slope - predicted_local_exponent(found, at)))
    assert gaps[1] <= max(0.9 * gaps[0], mpmath.mpf("1e-5"))
    assert gaps[1] < 0.02


@pytest.mark.parametrize("at", ["1e50", "1e100", "1e400"])
def test_local_exponent_reaches_far(at: str) -> None:
    expr = T ** Q(-1, 4) * log(T) ** Q(3, 2) + T ** Q(-1, 2)
    expected = predicted_local_exponent(growth(expr, T), at)
    assert local_exponent(expr, T, at) == pytest.approx(float(expected), abs=1e-9)


def test_symbols_of_other_variables_are_constants() -> None:
    x = Dummy("x", positive=True)
    assert exponent(a**3 * x ** Q(9, 2) / T, x) == Q(9, 2)


# ------------------------------------------------------------------------------------- signs of numbers

TINY_FIRST = Sum(Q(1, 2) ** (300 - k) / sqrt(k), (k, 1, 300))  # 0.11566; SymPy's own evaluation gives 0
GEOMETRIC = Sum(sqrt(Q(1, 7)) ** (60 - k), (k, 1, 60))


@pytest.mark.parametrize("number", [TINY_FIRST, GEOMETRIC, Product(1 + Q(1, 3) ** k, (k, 1, 40))])
@pytest.mark.parametrize("share", [Q(1, 10), Q(9, 10), 1 - Q(1, 10**9), 1 + Q(1, 10**9), Q(11, 10)])
def test_signs_of_sums_and_products(number: Expr, share: Expr) -> None:
    """Also where SymPy decides before the rules see an expression: in a maximum, and by assumptions."""
    with mpmath.workdps(60):
        exact = Rational(str(number.doit().evalf(50))) * share
    positive = bool(share < 1)
    assert sign(number - exact) == (1 if positive else -1)
    assert exponent(Max(1 / T, (number - exact) / sqrt(T)), T) == (Q(-1, 2) if positive else -1)
    assert exponent(1 / T + Abs(number - exact) / sqrt(T), T) == Q(-1, 2)
    assert (Max(number - exact, 0) == 0) is not positive
    assert (number - exact).is_positive in (None, positive)
    assert IsPositive(Max(0, number - exact, evaluate=False)) == int(positive)


def test_signs_with_symbols_rest_on_enclosures_of_the_numbers() -> None:
    gap = TINY_FIRST - Q(1, 10)
    assert sign(a * gap + b * exp(-40)) == 1
    assert sign(-a * gap) == -1
    assert sign(a * gap - b) is None
    assert exponent(a * gap / sqrt(T) + b / T, T) == Q(-1, 2)
    assert laws.power(gap * T**a + b, T) == Max(0, a)
    with pytest.raises(Undecided):
        laws.power((gap - 1) * T**a + b, T)


@pytest.mark.parametrize(
    "zero",
    [
        sqrt(3 + 2 * sqrt(2)) - 1 - sqrt(2),
        Sum(k, (k, 1, 10**6)) - 500000500000,  # more terms than are enclosed
        Sum(1 / k**2, (k, 1, oo)) - zeta(2),
        Integral(exp(-(k**2)), (k, 0, 1)) - Q(7, 10),
        sin(1) - Symbol("z"),
    ],
)
def test_numbers_without_a_sign_are_refused(zero: Expr) -> None:
    assert sign(zero) is None
    with pytest.raises(Undecided):
        growth(Max(1 / T, zero / sqrt(T), evaluate=False), T)


@pytest.mark.parametrize(("n", "p"), [(10, Q(1, 2)), (10**9, Integer(2)), (1000, Integer(1)), (7, -sqrt(2))])
def test_sums_of_powers_are_enclosed(n: int, p: Expr) -> None:
    with mpmath.workdps(40):
        power = mpmath.mpf(str(p.evalf(40)))
        number = mpmath.harmonic(n) if p == 1 else mpmath.zeta(power) - mpmath.zeta(power, n + 1)
        exact = Rational(str(number))
    value = PowerSum(Integer(n), p)
    assert sign(value - exact * (1 - Q(1, 10**20))) == 1
    assert sign(value - exact * (1 + Q(1, 10**20))) == -1


def test_exponents_that_are_irrational_are_compared_by_enclosures() -> None:
    derived = -log(2) / log(3)
    for claimed, holds in ((Q(-63, 100), True), (Q(-64, 100), False)):
        with pytest.raises(TypeError, match="is irrational"):
            evidence.exponent(derived, claimed, "at_most")
        finding = evidence.exponent(derived, claimed, "at_most", sign_on(derived - claimed, {}))
        assert (finding.p_if_wrong == 0) is holds
    with pytest.raises(Undecided):
        sign_on(sqrt(3 + 2 * sqrt(2)) - 1 - sqrt(2), {})


@pytest.mark.parametrize(("ours", "sympys"), [(theory.Max, Max), (theory.Min, Min)])
def test_maxima_as_they_stand_are_sympys(ours: Callable[..., Expr], sympys: Callable[..., Expr]) -> None:
    """Numbers are compared; of terms with symbols also one that never counts is kept, until it has a value."""
    a, b = symbols("a b", positive=True)
    assert ours(a, b, 1) == sympys(a, b, 1)
    assert ours(2, Rational(1, 3), a) == sympys(2, Rational(1, 3), a)
    assert ours(1, 3) == sympys(1, 3)
    assert ours(a) == a
    kept = ours(a, a + 1)
    assert set(kept.args) == {a, a + 1}
    assert kept.subs(a, 4) == sympys(4, 5)


def test_formulas_for_proofs_are_imported_with_the_proofs() -> None:
    """What `workbench list` shows first needs none of them; every module of the theory is looked through for them."""
    for home in papers.homes():
        first, every = home.names(papers.STATEMENTS), home.names("theory")
        others = [name for name in every if name not in first]
        assert all(name.rpartition(".")[2].startswith("formulas") for name in others)
        if home.key != papers.COMPETITORS:
            assert {home.package, f"{home.package}.theory"} <= set(first)
