"""Errata of the paper `ir_cg`: what is printed fails where it is said to fail, what is right holds there.

Bounds and constants come from the theorem records, so that the tests guard the records.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sympy import expand, sqrt

from theorems.ir_cg import ERRATA, common, suprema, theorem_1, theorem_2, theorems_5_6
from theorems.ir_cg import constants as k

ZERO: dict[str, Any] = dict.fromkeys(
    ("L_f", "L_g", "sigma_f", "sigma_g", "Delta_F", "gap_F0", "gap_G0", "range_F", "range_G", "F_0", "sup_F"),
    0.0,
)
ZERO |= {
    "D": 1.0,
    "d": 1,
    "c": 1 / math.sqrt(3),
    "varsigma": 1.0,
    "delta": 0.05,
    "q": 4,
    "p": 0.25,
    "sup_calF": 0.0,
}


def test_every_erratum_has_a_test() -> None:
    text = Path(__file__).read_text()
    for erratum in ERRATA:
        assert re.search(rf"def test_{erratum.label.lower()}_", text), erratum.label


def flat_inner_level(D: float, t_0: int, p: float, runs: int) -> np.ndarray:
    """(runs,): F(z_t) - F_opt at t_0 of Algorithm 1 on X = [-D/2, D/2], F = a x, G = 0 with gradient noise +-1.

    The slope a is 0.3 t_0^(-1/2)/sigma_(t_0): the estimator's error at t_0 is about three times sigma_t a.
    """
    a = 0.3 * t_0**-0.5 * (t_0 + 1) ** p
    rng = np.random.default_rng(7)
    x, e = np.full(runs, D / 2), np.zeros(runs)
    early, weight, total = 0.0, 0.0, 0.0
    for t in range(t_0):
        alpha, sigma, later = 2 / (t + 2), (t + 1) ** -p, (t + 2) ** -p
        e = (1 - alpha) * e + alpha * rng.choice(
            [-1.0, 1.0], runs
        )  # additive noise: the STORM correction cancels
        x = x + alpha * (-D / 2 * np.sign(sigma * a + e) - x)
        weight = (t + 2) * (t + 1) * later
        z = (early + weight * x) / (total + weight)
        early = early + (t + 2) * (t + 1) * (sigma - later) * x
        total += (t + 2) * (t + 1) * (sigma - later)
    return a * (z + D / 2)


def test_i1_outer_constant_of_theorem_1() -> None:
    """The gap grows with the size of X, the printed bound does not, so no value of c can save it."""
    gap = flat_inner_level(5000.0, 1000, 0.25, 1000)
    at = {**ZERO, "D": 5000.0, "sigma_g": 1.0, "T": 1000.0}
    printed = theorem_1.OUTER.numeric()
    assert printed(**at) == pytest.approx(5.35, abs=0.01)
    assert gap.mean() > 20 * printed(**at)
    assert (gap > printed(**at)).mean() > 0.8
    assert (gap > printed(**{**at, "c": 5.0})).mean() > 0.5
    assert (1000 * gap > printed(**{**at, "D": 5e6, "c": 100.0})).mean() > 0.9  # D enters the gap as a factor
    for form in ("repaired", "own"):
        assert (gap <= theorem_1.OUTER.numeric(form)(**at)).all()


def test_i2_closed_bound_of_c_bar() -> None:
    """Without curvature the printed bound lies below the supremum that it should bound, the repaired one above."""
    for p, d, delta in ((0.25, 1, 1e-6), (0.25, 2, 0.05), (0.4, 3, 0.01)):
        at = {**ZERO, "sigma_g": 1.0, "p": p, "d": d, "delta": delta}
        names = ("p", "varsigma", "c", "delta", "d", "L_f", "L_g", "D", "sigma_f", "sigma_g", "Delta_F")
        exact = suprema.one_sample(**{n: at[n] for n in names})["C_bar"]
        assert theorem_1.INNER.constants("printed", **at, T=9.0)["C_bar"] < exact.low
        assert theorem_1.INNER.constants("repaired", **at, T=9.0)["C_bar"] > exact.high


def test_i3_storm_without_an_unknown_constant() -> None:
    """The variance of the estimator's error for additive noise, exactly, and its high-probability bound in runs."""
    value = Fraction(1)
    for t in range(1, 60):
        alpha = Fraction(2, t + 2)
        value = (1 - alpha) ** 2 * value + alpha**2
        assert value == 4 * Fraction(2 * t + 3, 6 * (t + 1) * (t + 2))
    rng = np.random.default_rng(3)
    runs, delta = 4000, 0.05
    e = np.zeros(runs)
    for t in range(400):
        e = (1 - 2 / (t + 2)) * e + 2 / (t + 2) * rng.choice([-1.0, 1.0], runs)
        assert (np.abs(e) > 2 * math.sqrt(2 * math.log(2 / delta) / (3 * (t + 1)))).mean() <= delta
    # c = 1/sqrt(3) makes Lemma 3 true: 2 sqrt(2/3) <= (1/sqrt(3)) sqrt(2) 3, with room in the logarithm.
    assert 2 * math.sqrt(2 / 3) <= math.sqrt(2 / 3) * 3


def test_i4_lost_factor_of_four() -> None:
    """(12) has 4 i D e_(i-1); with Proposition 3 for the sum of i e_(i-1) that is the repaired term."""
    printed, repaired = (theorem_2.OUTER.bound(f) for f in ("printed", "repaired"))
    proposition_3 = (8 * sqrt(2) * common.T - 4 * k.q) * common.smooth * k.D * common.ell
    summed = 4 * k.D * proposition_3 / ((common.T + 1) * common.T * common.sigma_T)
    # What is left are the terms of Lemma 8 and of the drift, which both forms share.
    assert expand(repaired - summed) == expand(printed - summed / 4)
    assert expand(repaired - printed).equals(expand(3 * summed / 4))


def test_i5_first_line_of_lemma_11() -> None:
    """x_0 at the maximum of F (or of G), no curvature: the supremum is known, the printed first line too small."""
    for q, p in ((2, 0.99), (4, 0.25), (16, 0.6)):
        n = np.arange(q, 10_000.0)
        shrink = ((q + 1) / ((n + 1) * n * (n + 1) ** -p)).max()
        outer = {**ZERO, "q": q, "p": p, "gap_F0": 1.0, "range_F": 1.0}  # F = x on [0, 1], x_0 = 1
        inner = {**ZERO, "q": q, "p": p, "gap_G0": 1.0, "range_G": 1.0}  # the same as G
        for at, size in ((outer, (q + 1) ** -p), (inner, 1.0)):
            exact = size * shrink
            assert theorem_2.INNER.constants("printed", **at, T=float(q))["C_bar"] == 0 < exact
            assert theorem_2.INNER.constants("repaired", **at, T=float(q))["C_bar"] == pytest.approx(
                exact, rel=1e-12
            )
            assert theorem_2.INNER.constants("own", **at, T=float(q))["C_bar"] == pytest.approx(
                exact, rel=1e-12
            )
    assert 3**0.99 / 2 > 1  # L867 drops this factor at t = q = 2


@pytest.mark.parametrize("p", [0.55, 0.75, 0.95])
def test_i6_last_step_for_p_above_one_half(p: float) -> None:
    t = np.arange(1, 1000.0)
    divided = p / (1 - p) * t ** (2 - 2 * p) / (t * (t + 1) * (t + 1) ** (-2 * p))
    assert (divided > p / (1 - p)).all()
    assert suprema.spread(p).high <= p / (1 - p) / 2 * (1 + 1e-12)


def test_i7_summation_by_parts() -> None:
    """Lemma 12: the printed identity fails for F = 1, the corrected one holds, and so does the inequality."""
    rng, omega, p, t = np.random.default_rng(0), 6 / 7, 2 / 7, 30
    a = np.arange(1, t + 2.0) ** (omega - p)  # (i + 1)^omega sigma_i
    before = np.concatenate([[0.0], a[:-1]])  # i^omega sigma_(i-1)
    for F in (np.ones(t + 2), *rng.uniform(-1, 1, (200, t + 2))):
        for start in (0, 1, 7):
            now = slice(start, t + 1)
            left = (a[now] * (F[start : t + 1] - F[start + 1 : t + 2])).sum()
            inside = (F[now] * (a - before)[now]).sum() - a[t] * F[t + 1]
            sigma = (start + 1.0) ** -p
            assert left == pytest.approx(inside + before[start] * F[start], abs=1e-12)
            assert left <= 2 * np.abs(F).max() * a[t] + sigma * F[start] + 1e-12
    left, printed = 0.0, (a - before).sum() + 1.0 - a[t]  # F = 1, k = 0
    assert abs(left - printed) > 0.9


def test_i8_inner_bound_of_theorem_5() -> None:
    """F = e sin(x/e) has a small range and a large calF; (26) without its parentheses turns negative for F = -1."""
    e, x = 0.01, 0.01 * 33 * math.pi  # X_opt = {0}
    assert -math.cos(x / e) * x > 100 * e
    at = {**ZERO, "sup_F": e, "sup_calF": x, "F_0": 0.0, "T": 1e6}
    printed, repaired = (theorems_5_6.THEOREM_5["inner"].numeric(f)(**at) for f in ("printed", "repaired"))
    assert repaired > 20 * printed
    t = 100.0  # F = -1, G = 0, no curvature, no noise: G(x_(t+1)) = 0, calF = 0
    assert 2 * (t + 1) ** (-2 / 7) - 1 < 0  # printed: varsigma F(x_0) not multiplied
    assert 2 * (t + 1) ** (-2 / 7) - (t + 1) ** (-6 / 7) >= 0


def test_i9_first_increment_behind_q() -> None:
    """Lemma 13 with alpha = 1: the iterate jumps across X at step q, and (29) at t = q + 1 does not know of it.

    f has components +-L x^2/2 (S signs drawn), g = mu x^2/2, X = [-D/2, D/2], L = D = 1: the error at q + 1 is the mean
    of S signs, and exceeds the printed threshold unless the signs balance.
    """
    q = S = 400
    omega, delta = 0.9, 0.05
    shape = (q ** (1 - 2 * omega) - (q + 1) ** (1 - 2 * omega)) / (S * (2 * omega - 1))
    threshold = 8 * math.sqrt(shape * math.log(8 / delta))
    assert threshold == pytest.approx(0.0041, abs=1e-4)
    assert threshold < 2 / S
    assert 1 - math.comb(S, S // 2) / 2**S > 0.95 > delta
    # With the theorem's alpha the martingale variance stays below the printed one, at omega = 3/4, wherever one looks.
    for q in (1, 2, 3, 10, 100, 400):
        first = math.log(q + 1) / (q + 1)
        for t in range(q + 1, 2 * q):
            total = first**2 + sum(s**-1.5 for s in range(q + 2, t + 1))
            assert total <= 4 * (q**-0.5 - t**-0.5) / 0.5 * (1 + 1e-12)


def test_i10_unit_of_the_noise_term() -> None:
    """Only with D^2 does the noise term of Theorem 6 scale like F: D -> 2 D, L -> L/4."""
    at = {**ZERO, "L_f": 4.0, "L_g": 4.0, "T": 1e4}
    scaled = {**at, "L_f": 1.0, "L_g": 1.0, "D": 2.0}
    outer = theorems_5_6.THEOREM_6["outer"]
    assert outer.numeric("repaired")(**at) == pytest.approx(outer.numeric("repaired")(**scaled), rel=1e-12)
    assert outer.numeric()(**scaled) < 0.8 * outer.numeric()(**at)


@pytest.mark.parametrize(("q", "first"), [(1, 19), (2, 28), (5, 55), (15, 145)])
def test_i11_sum_of_weights(q: int, first: int) -> None:
    """p = 1/2: the printed lower bound of the late weights fails from t = `first` on, the repaired one never."""
    t = np.arange(q + 1, 5000.0)
    total = np.cumsum((t + 1) ** -0.5)
    printed = 2 * (np.sqrt(t) - math.sqrt(q + 1))
    failing = t[printed > total]
    assert failing[0] == first
    assert failing[-1] == t[-1]
    assert (total >= 2 * (np.sqrt(t + 2) - math.sqrt(q + 2))).all()
    # The sums of the record: the first q + 1 weights exactly, the rest by the integral.
    got = theorems_5_6.THEOREM_6["outer"].constants("repaired", **{**ZERO, "q": q}, T=1000.0)["beta_sum"]
    alpha = math.log(q + 1) / (q + 1)
    early = (q + 2) ** -0.5 * (q + 1) ** 0.75 * sum(alpha * (1 - alpha) ** (q - i) for i in range(q + 1))
    exact = early + sum((i + 1) ** -0.5 for i in range(q + 1, 1001))
    assert got <= exact * (1 + 1e-12)
    assert got == pytest.approx(exact, rel=0.03)


def test_i12_weights_of_lemma_14() -> None:
    """The recursion behind the lemma, with equality, F = 0, calF = -1, no noise and no curvature."""
    alpha, g = 0.3, 0.0
    for t in range(1, 20):
        g = (1 - alpha) * g + alpha  # sigma_0 = 1
        printed = alpha * sum((1 - alpha) ** (t - i) for i in range(t))
        proved = alpha * sum((1 - alpha) ** (t - 1 - i) for i in range(t))
        assert g > printed
        assert g == pytest.approx(proved, rel=1e-12)


def test_i13_spurious_factor_in_lemma_13() -> None:
    omega, q = 0.75, 10
    alpha = [(t + 1) ** -omega for t in range(100)]
    total = sum(alpha[s - 1] ** 2 for s in range(q + 2, 50))
    assert total == pytest.approx(sum(s ** (-2 * omega) for s in range(q + 2, 50)), rel=1e-12)
    assert total < 0.3 * 4 * sum(s ** (-2 * omega) for s in range(q + 2, 50))


def test_i14_lemma_4_at_the_start() -> None:
    """X = [0, 1], x_0 = 1, G = x, F = 0, exact gradients: any noise level is admissible, so C_delta may be tiny."""
    tiny = theorem_1.INNER.constants("repaired", **{**ZERO, "sigma_f": 1e-9, "sigma_g": 1e-9}, T=1.0)
    assert tiny["C"] + tiny["C_bar"] < 1e-6 < 1.0  # G(x_0) - G_opt = 1, sigma_0 = 1
    # alpha_0 = 1 carries x_1 to the minimum, in accordance with the lemma for t >= 1.


def test_i15_range_of_p() -> None:
    """Condition 3 holds for p < 1/2 only; Condition 4 asks for a sequence that is constant up to q."""
    t = np.arange(0, 10_000.0)
    for p, holds in ((0.1, True), (0.49, True), (0.6, False), (0.9, False)):
        now, later = (t + 1) ** (-2 * p), (t + 2) ** (-2 * p)
        assert ((t + 1) * later > t * now).all() == holds
    q = 5
    plain = (t + 1) ** -0.5
    held = (np.maximum(t, q) + 1) ** -0.5
    assert plain[q] < plain[0]
    assert (held[: q + 1] == held[0]).all()
    assert ((t[:-1] + 1) * held[1:] > t[:-1] * held[:-1]).all()


def test_i16_geometric_weights_of_20() -> None:
    """Lemma 7 in (20) as printed gives q times what Lemma 8 states; with the weights it gives exactly that."""
    for q in (2, 5, 40, 400):
        alpha = math.log(q) / q
        weights = [alpha * (1 - alpha) ** (q - 1 - i) for i in range(q)]
        error = 8 * alpha  # L_Phi D = 1, S = q: 8 log q/sqrt(q S)
        stated = 16 * math.log(q) / q
        assert sum(2 * error for _ in weights) == pytest.approx(q * stated, rel=1e-12)
        assert sum(2 * error * w for w in weights) <= stated


def test_i17_slips() -> None:
    """L377: the sign; L614: with F a sum, a mean over S drawn components is n times too small."""
    alpha, gap = 0.3, 2.0
    assert gap + alpha * -gap == pytest.approx((1 - alpha) * gap)
    assert gap + alpha * -gap != pytest.approx((1 - alpha) * -gap)
    gradients = np.arange(1.0, 9.0)
    assert gradients.mean() * len(gradients) == gradients.sum() != gradients.mean()
    # L68: without noise the upper level has t^-(1-p), and the lower one t^-p.
    assert theorem_1.OUTER.exponent("rate", "exact gradients") == k.p - 1
    assert theorem_1.INNER.exponent("rate", "own") == -k.p
    # L461: sigma_i in place of sigma_(i-1) would bound Phi_(i-1) by too little.
    assert (3 + 1) ** -0.25 < 3**-0.25


def test_i18_range_of_omega_in_lemma_12() -> None:
    """G = x on [0, 1] without noise, F = 0, x_0 = 1, alpha_0 = 1/2, alpha_1 = 2^-omega: both sides at k = t = 1."""
    for omega, holds in ((0.5, True), (1.0, True), (1.5, False), (2.0, False)):
        x_1 = 0.5
        x_2 = (1 - 2**-omega) * x_1  # v_t = 0
        assert (2**omega * x_2 - x_1 <= 1e-15) == holds
