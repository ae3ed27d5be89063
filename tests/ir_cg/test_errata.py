"""Errata of the paper `ir_cg` whose numbers stand in the theorem records; the ledger has a line for every erratum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from workbench.theorems.ir_cg.theory import suprema, theorem_1, theorem_2, theorems_5_6

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


def test_i8_inner_bound_of_theorem_5() -> None:
    """F = e sin(x/e) has a small range and a large calF."""
    e, x = 0.01, 0.01 * 33 * math.pi  # X_opt = {0}
    assert -math.cos(x / e) * x > 100 * e
    at = {**ZERO, "sup_F": e, "sup_calF": x, "F_0": 0.0, "T": 1e6}
    printed, repaired = (theorems_5_6.THEOREM_5["inner"].numeric(f)(**at) for f in ("printed", "repaired"))
    assert repaired > 20 * printed


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


@pytest.mark.parametrize("q", range(1, 9))
def test_i19_sum_of_weights_at_q(q: int) -> None:
    """L1250 at t = q is not positive for q <= 3; the repaired sum is exact there."""
    outer = theorems_5_6.THEOREM_6["outer"]
    printed, repaired = (
        outer.constants(f, **{**ZERO, "q": q}, T=float(q))["beta_sum"] for f in ("printed", "repaired")
    )
    assert (printed > 0) == (q > 3)
    alpha = math.log(q + 1) / (q + 1)
    exact = (q + 2) ** -0.5 * (q + 1) ** 0.75 * sum(alpha * (1 - alpha) ** (q - i) for i in range(q + 1))
    assert repaired == pytest.approx(exact, rel=1e-12)


def test_i18_range_of_omega_in_lemma_12() -> None:
    """G = x on [0, 1] without noise, F = 0, x_0 = 1, alpha_0 = 1/2, alpha_1 = 2^-omega: both sides at k = t = 1."""
    for omega, holds in ((0.5, True), (1.0, True), (1.5, False), (2.0, False)):
        x_1 = 0.5
        x_2 = (1 - 2**-omega) * x_1  # v_t = 0
        assert (2**omega * x_2 - x_1 <= 1e-15) == holds
