"""The exact linear programs behind laws and ledger: they end, and agree with a solver in floating point."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog
from sympy import Max, Rational, Symbol

from workbench.theory import laws
from workbench.theory.asymptotics import Undecided
from workbench.theory.simplex import solve

STATES = {0: "solved", 2: "infeasible", 3: "unbounded"}
p, q, r = Symbol("p", nonnegative=True), Symbol("q", positive=True), Symbol("r", real=True)


@pytest.mark.parametrize("seed", range(40))
def test_against_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, right, cost = rng.integers(-3, 4, (6, 3)), rng.integers(-2, 6, 6), rng.integers(-3, 4, 3)
    equal = [bool(e) for e in rng.uniform(size=6) < 0.1]
    exact = solve(
        [Fraction(int(c)) for c in cost],
        [[Fraction(int(c)) for c in row] for row in rows],
        [Fraction(int(c)) for c in right],
        equal,
    )
    on = np.array(equal)
    found = linprog(
        -cost,
        rows[~on],
        right[~on],
        rows[on] if on.any() else None,
        right[on] if on.any() else None,
        (None, None),
    )
    if found.status == 0:
        assert not isinstance(exact, str)
        value, point, dual = exact
        assert float(value) == pytest.approx(-found.fun, abs=1e-9)
        assert all(a == b if e else a <= b for a, b, e in zip(rows @ point, right, equal, strict=True))
        assert sum(a * int(b) for a, b in zip(dual, right, strict=True)) == value
    else:
        assert exact == STATES[found.status]


def test_a_program_on_which_a_careless_pivot_rule_never_ends() -> None:
    """Degenerate: SymPy 1.14's own simplex method goes round in circles on it."""
    half = Rational(1, 2)
    ranges = (
        -3 * p - q / 2 - r / 2 - half >= -p - q / 3 + r + 1,
        3 * p - 2 * q - 1 >= 2 * p + r / 3 + half,
        3 * p + 2 * q / 3 + r / 2 - half < p / 3 - 3 * q / 2 + 2 * r / 3,
        r <= 1,
        r >= -1,
        p <= 1,
        q < 1,
    )
    found = Max(-2 * p + q + 3 * r / 2 - 1, -3 * p / 2 - q - r - half, p - 3 * q + 3 * r + half)
    with pytest.raises(Undecided, match="contradict"):
        laws.exceeds(found, Max(p + 2 * q / 3 - r / 2, -p - 2 * q - r / 3 - half), ranges)


def test_only_linear_forms_with_rational_numbers_are_compared() -> None:
    for found in (p * q, p**2, 2 ** Rational(1, 2) * p):
        with pytest.raises(Undecided, match="not linear"):
            laws.exceeds(found, q)


def test_a_symbol_without_a_sign_may_be_negative() -> None:
    point = laws.exceeds(-r, 0)
    assert point is not None
    assert point[r] < 0
    assert laws.exceeds(-p, 0) is None
