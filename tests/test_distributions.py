"""The project's own distribution functions against SciPy's."""

from __future__ import annotations

import math

import flint
import numpy as np
import pytest
from scipy import special

from workbench.evidence import distributions as own

FREEDOM = [1, 2, 3, 7, 23, 127, 255, 511, 1023, 4095, 99_999]
LEVELS = [1e-200, 1e-30, 1e-12, 1e-9, 1e-6, 3e-5, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.99, 1 - 1e-9]
CLOSE = {"rtol": 1e-12, "atol": 0.0}


@pytest.mark.parametrize("freedom", FREEDOM)
def test_student(freedom: int) -> None:
    at = np.array([-1e9, -300, -40, -9, -5, -3, -1.5, -1, -0.3, -1e-3, 0, 1e-3, 0.7, 2, 6, 50])
    with np.errstate(all="ignore"):
        theirs = special.stdtr(freedom, at)
    mine = np.array([own.student(freedom, t) for t in at])
    small = theirs > 1e-290
    np.testing.assert_allclose(mine[small], theirs[small], **CLOSE)


@pytest.mark.parametrize("freedom", FREEDOM[1:])
def test_quantiles_of_student(freedom: int) -> None:
    for p in LEVELS[3:-1]:
        t = own.student_quantile(freedom, p)
        np.testing.assert_allclose(t, special.stdtrit(freedom, p), rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(own.student(freedom, t), p, **CLOSE)


def test_the_normal_law() -> None:
    at = np.linspace(-37, 8, 91)
    np.testing.assert_allclose([own.normal(x) for x in at], special.ndtr(at), **CLOSE)
    np.testing.assert_allclose(
        [own.normal_quantile(p) for p in LEVELS], special.ndtri(LEVELS), rtol=1e-12, atol=1e-15
    )
    assert own.normal_quantile(0.0) == -math.inf
    assert own.normal_quantile(1.0) == math.inf
    assert math.isnan(own.normal_quantile(-1.0))


def exact_binomial(k: int, n: int, p: float) -> tuple[float, float]:
    """P(Bin(n, p) <= k) and P(Bin(n, p) > k), summed with 70 digits."""
    with flint.ctx.workdps(70):
        odds, q = flint.arb(p), 1 - flint.arb(p)
        at = flint.arb.bin_uiui(n, k) * odds**k * q ** (n - k)
        sums = []
        for step, ratio in ((-1, q / odds), (1, odds / q)):
            total, term, j, least = flint.arb(0), at, k, flint.arb(10) ** -40
            while 0 <= j <= n and term > total * least:
                total += term
                term *= ratio * (j if step < 0 else n - j) / (n - j + 1 if step < 0 else j + 1)
                j += step
            sums.append(total)
        below, above = sums[0], sums[1] - at
        assert max(below.rel_accuracy_bits(), above.rel_accuracy_bits()) > 100
        return float(below if below < 0.5 else 1 - above), float(above if above < 0.5 else 1 - below)


@pytest.mark.parametrize("n", [2, 24, 128, 1000, 4096, 100_000])
def test_binomial_laws(n: int) -> None:
    """Against exact sums: SciPy 1.17 is wrong by 2.5e-10 for 5,000 of 100,000 at 0.05."""
    for k in sorted({0, 1, n // 20, n // 3, n - 1} & set(range(n))):
        for p in (1e-4, 0.01, 0.05, 0.2, 0.5, 0.9):
            for mine, right in zip(
                (own.binomial(k, n, p), own.binomial_tail(k, n, p)), exact_binomial(k, n, p), strict=True
            ):
                if right > 1e-280:
                    np.testing.assert_allclose(mine, right, **CLOSE)
    assert own.binomial(n, n, 0.3) == 1.0
    assert own.binomial_tail(n, n, 0.3) == 0.0


@pytest.mark.parametrize("n", [1, 2, 24, 128, 1000, 4096])
def test_quantiles_of_the_beta_law(n: int) -> None:
    for k in sorted({0, 1, n // 20, n // 3, n - 1} & set(range(n))):
        for level in (1e-9, 1e-4, 0.01, 0.4, 0.99, 1 - 1e-6):
            x = own.beta_quantile(k + 1, n - k, level)
            np.testing.assert_allclose(x, special.betaincinv(k + 1, n - k, level), rtol=1e-11)
            rounding = 1e-12 + 4e-16 * n  # of x, which moves the probability n times as far
            np.testing.assert_allclose(own.beta(k + 1, n - k, x), level, rtol=rounding)


@pytest.mark.parametrize("freedom", FREEDOM)
def test_quantiles_of_chi_squared(freedom: int) -> None:
    for p in (1e-6, 0.01, 0.2, 0.5, 0.8, 0.99):
        np.testing.assert_allclose(
            own.chi_squared_quantile(freedom, p), special.chdtri(freedom, p), rtol=1e-11
        )
