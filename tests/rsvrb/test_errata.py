"""Errata of the paper `rsvrb`: each printed line fails on an example, and its correction holds there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from proof_lines import sides
from sympy import Rational, Symbol, simplify, symbols
from workbench.theorems.rsvrb.theory import (
    THEOREMS,
    common,
    errata,
    sampling,
    theorem_1,
    theorem_3,
)
from workbench.theorems.rsvrb.theory import constants as k

ONE, TWO, THREE = THEOREMS
RNG = np.random.default_rng(4)
GENERIC = {s.name: float(e) for s, e in common.GENERIC.items() if s != k.precision}
# The sine family of one task with f scaled by 0.1.
SCALED: dict[str, Any] = {
    "lam": 1.0,
    "L_g": 1.5,
    "L_gy": math.hypot(1.8, 1.8),
    "L_gyy": math.sqrt(2) * 4 / (3 * math.sqrt(3)) * 0.5,
    "L_gxy": math.hypot(0.385, 2.185),
    "L_fx": 0.1,
    "L_fy": 0.05,
    "C_fy": 0.05,
    "C_gxy": 1.5,
    "L_y": 1.0,
    "L_F": 0.2,
}


def test_every_erratum_says_what_is_wrong() -> None:
    """Statements and lines of proofs are told apart."""
    assert not set(errata.STATEMENTS) & set(errata.PROOF_LINES)
    assert len({e.label for e in errata.ERRATA}) == len(errata.ERRATA) == 23


def first_steps(c: float, c_0: float, **change: Any) -> tuple[float, float]:
    """(beta_gy, tau_t) of the first iteration of Theorem 1 for the scaled family."""
    values = SCALED | {"c": c, "c_0": c_0, **change}
    eta = c / c_0 ** (1 / 3)
    steps = {**theorem_1.parameters(c, **SCALED), **values}
    b_gy = common.in_parameters(theorem_1.B["gy"], theorem_1.CHAIN)
    return float(b_gy.subs({s: steps[s.name] for s in b_gy.free_symbols})) * eta**2, eta


def least_printed(c: float) -> float:
    """The least c_0 that the printed conditions allow."""
    values = SCALED | theorem_1.parameters(c, **SCALED)
    printed = [
        x.relation.rhs for x in (*ONE.conditions, *ONE.form("printed").conditions) if x.relation.lhs == k.c_0
    ]
    return max(float(e.subs({s: values[s.name] for s in e.free_symbols})) for e in printed)


@pytest.mark.parametrize("c", [1.0, 10.0])
def test_e1_the_printed_c_0_leaves_beta_above_1(c: float) -> None:
    printed = least_printed(c)
    right = theorem_1.parameters(c, **SCALED)
    values = SCALED | right | {"c_0": printed * (1 + 1e-9)}
    ONE.check("printed", **values)
    assert first_steps(c, printed)[0] > 50
    assert 0 < first_steps(c, right["c_0"])[0] <= 1


def lemma_6(
    g_yy: float, L_g: float, lam: float, tau: float, tau_t: float, y: float, w: float
) -> tuple[float, float]:
    """Both sides of Lemma 6 for g = g_yy y^2/2 and a fixed x, so y* = 0."""
    after = y - tau_t * tau * w
    share = tau_t * tau * lam / 4
    right = (1 - share) * y**2 + 8 * tau_t * tau / lam * (g_yy * y - w) ** 2
    right -= 2 * tau / tau_t * (1 + share) * (1 / (2 * tau) - 3 * L_g / 4) * (after - y) ** 2
    return after**2, right


def test_e2_lemma_6_needs_small_tau_t() -> None:
    left, right = lemma_6(0.957, 1.0, 0.949, 0.65, 7.54, -3.098, -2.964)
    assert left > 130 > 0 > right
    for _ in range(3000):
        lam, tau_t = RNG.uniform(0.05, 1.0), RNG.uniform(0.01, 0.5)
        h, tau = RNG.uniform(lam, 1.0), RNG.uniform(0.01, 2 / 3)
        left, right = lemma_6(h, 1.0, lam, tau, tau_t, *RNG.standard_normal(2))
        assert left <= right + 1e-12
    assert first_steps(10.0, least_printed(10.0))[1] > 0.5  # L_F < 1/2: Theorem 1 as printed allows it
    assert first_steps(10.0, theorem_1.parameters(10.0, **SCALED)["c_0"])[1] <= 0.5


def test_e3_thresholded_singular_values_leave_a_negative_eigenvalue() -> None:
    X, lam = np.diag([-1.0, 2.0]), 0.1
    u, s, vt = np.linalg.svd(X)
    assert np.linalg.eigvalsh((u * np.maximum(s, lam)) @ vt).min() == pytest.approx(-1.0)
    w, q = np.linalg.eigh(X)
    right = (q * np.maximum(w, lam)) @ q.T
    assert np.linalg.eigvalsh(right).min() == pytest.approx(lam)
    for _ in range(50):  # it is the nearest such matrix
        A = RNG.standard_normal((2, 2))
        other = A @ A.T + lam * np.eye(2)
        assert np.linalg.norm(right - X) <= np.linalg.norm(other - X)


def test_e4_the_printed_entry_of_c_is_too_small() -> None:
    """C tau lambda/4 >= 3 C_0 is needed; where L(p) is small nothing else gives it."""
    values = GENERIC | {"L_p": 1e-6}
    need = 3 * values["C_0"]
    for form, enough in (("printed", False), ("repaired", True)):
        C = TWO.constants(form, T=10.0, **values)["C"]
        assert bool(C * values["tau"] * values["lam"] / 4 >= need * (1 - 1e-12)) is enough
    large = GENERIC | {"L_p": 2 * GENERIC["C_0"] * GENERIC["gamma"] / GENERIC["lam"]}
    assert TWO.constants("printed", T=10.0, **large)["C"] * large["tau"] * large["lam"] / 4 >= need


@pytest.mark.parametrize("moved", [(1.0, -1.0), (1.0, 0.0)])
def test_e5_lemma_11_needs_lambda_squared(moved: tuple[float, float]) -> None:
    """m = 2, H = lambda, v = 1, u = 0 and V from 0 to ``moved``; d is the mean of z before, beta = 0."""
    lam = 0.01
    z = -np.array(moved) / lam
    error = np.mean((z - z.mean()) ** 2)  # d + z_j - mean z, over j
    change = np.mean(np.square(moved))
    C_fy = 1.0
    assert error > 24 * C_fy**2 / lam * change
    assert error <= 24 * C_fy**2 / lam**2 * change


def test_e6_c_6_exceeds_the_coefficient_of_the_gradient() -> None:
    """Where only |grad F|^2 is not zero, (11) says gamma eta/2 |grad F|^2 <= right side, (12) 4 times as much."""
    at = {form: THREE.constants(form, precision=1e6, **GENERIC)["C_6"] for form in ("printed", "repaired")}
    assert at["printed"] / 0.5 == pytest.approx(4.0)
    assert at["repaired"] <= 0.5


def test_e7_the_printed_first_stage_has_the_wrong_length() -> None:
    """The first term of (13) is mu eps_1/5 with the repaired T_1 and mu/5 with the printed one."""
    values = GENERIC | {"Delta": 1e9}
    for form in ("printed", "repaired"):
        at = THREE.constants(form, precision=1e6, **values)
        term = values["Delta"] / (at["C_6"] * at["eta_0"] * values["gamma"] * at["T_1"])
        allowed = values["mu"] * at["eps_1"] / 5
        assert term == pytest.approx(allowed / (1.0 if form == "repaired" else at["eps_1"]))
    small = GENERIC | {"delta_0": 1e12, "Delta": 0.0}
    at = THREE.constants("printed", precision=1e6, **small)
    third = small["delta_0"] / (at["C_6"] * small["m"] * at["eta_0"] ** 2 * small["gamma"] * at["T_1"])
    assert third != pytest.approx(small["mu"] / 5)  # not even up to eps_1
    # Without gamma in its root, eta_1 lets beta = 2 gamma C'_max eta_1^2 exceed 1 where gamma is large.
    C_max = TWO.constants("printed", T=10.0, **GENERIC)["C_max"]
    eta_1 = 1 / math.sqrt(3 * (2 + GENERIC["C_2"] + GENERIC["C_3"] + GENERIC["C_4"] + C_max))
    assert 2 * 3.0 * C_max * eta_1**2 > 1


def test_e8_the_dependence_on_m() -> None:
    """L_y of alike tasks together is sqrt(m) times that of one; beta_gy outgrows what C_5 has."""
    jacobians = [np.array([[0.7]])] * 9
    assert np.linalg.norm(np.vstack(jacobians), 2) == pytest.approx(math.sqrt(9) * 0.7)
    assert TWO.counterexample("m, y_0 accurate", "printed") is None
    assert TWO.counterexample("m, y_0 accurate", "repaired") is not None
    gamma, C, eta, tau, lam = symbols("gamma C eta tau lambda", positive=True)
    of_gy = 3 * (8 * tau / lam * C * gamma * eta**2) ** 2 / eta
    assert simplify(of_gy / (gamma**2 * eta**3) - 192 * tau**2 * C**2 / lam**2) == 0
    growth = [
        TWO.constants(
            "repaired", T=10.0, **(GENERIC | {"m": m, "L_p": m**2, "C_p": m**2, "gamma": 1e-3 / m})
        )["C_5"]
        for m in (1e3, 1e4)
    ]
    assert math.log10(growth[1] / growth[0]) == pytest.approx(6.0, abs=1e-3)


def test_e9_a_dropped_term_of_a_twentieth() -> None:
    coefficient = -3 + Rational(3, 2) * Rational(1, 33) + 2
    assert coefficient > -1
    assert coefficient <= -Rational(95, 100)


def test_e10_the_error_of_w_has_coefficient_zero() -> None:
    gamma, C, eta, tau, lam = symbols("gamma C eta tau lambda", positive=True)
    beta = 8 * tau / lam * C * gamma * eta**2
    assert simplify(C * gamma * 8 * eta * tau / lam - beta / eta) == 0
    repaired = beta + gamma * eta**2
    assert simplify(C * gamma * 8 * eta * tau / lam - repaired / eta) == -gamma * eta


def test_e11_no_probabilities_make_c_of_p_small() -> None:
    lam = 0.4
    for _ in range(100):
        m = int(RNG.integers(1, 8))
        tasks = [{f"{x}_{n}": RNG.exponential() for n in k.ORACLES for x in "LC"} for _ in range(m)]
        for task in tasks:
            task["C_gyy"] += lam
        best = sampling.optimal([sampling.size(x) for x in tasks])
        found = sampling.of_tasks(tasks, best, lam)["C_p"]
        assert sampling.LOWER_BOUND.value(lam=lam, m=m) <= found
        assert found == pytest.approx(sum(map(sampling.size, tasks)) ** 2)


def test_e12_gradient_dominance_and_bounded_gradients_exclude_each_other() -> None:
    """In one variable: |phi'|^2 >= mu phi forces phi to pass G^2/mu, its largest value for |phi'| <= G."""
    x, mu, start = symbols("x mu start", positive=True)
    phi = (start + mu * x / 2) ** 2  # the slowest growth from phi(0) = start^2
    assert simplify(phi.diff(x) ** 2 / phi - mu**2) == 0
    G = Symbol("G", positive=True)
    slowest = phi.subs(mu, Symbol("root", positive=True))
    root = Symbol("root", positive=True)
    assert simplify(slowest.subs(x, 2 * G / root**2) - (start + G / root) ** 2) == 0  # more than (G/root)^2


def test_e13_the_first_mini_batch_and_the_first_y() -> None:
    """delta_0 = m sigma^2/B <= eta m needs B >= sigma^2/eta for each task."""
    m, sigma, eta = 50, 1.0, 0.01
    printed, right = max(1.0, 1 / (eta * m)), sigma**2 / eta
    assert m * sigma**2 / printed > eta * m
    assert m * sigma**2 / right <= eta * m * (1 + 1e-12)
    assert TWO.counterexample("m, y_0 as printed", "printed") is not None


def test_e14_dividing_by_half_of_gamma_eta_t() -> None:
    T, eta, gamma, C_p, C_5, m, C_max, delta = symbols("T eta gamma C_p C_5 m C_max delta", positive=True)
    right = gamma**2 * C_p / m * C_5 * eta**3 * T + delta / (C_max * eta)
    divided = right / (gamma * eta * T / 2)
    assert (
        simplify(divided - 2 * (gamma * C_p / m * C_5 * eta**2 + delta / (C_max * gamma * eta**2 * T))) == 0
    )
    values = GENERIC | {"Delta": 0.0, "delta_0": 0.0, "delta_y": 0.0, "C_2": 1.0}
    at = {f: TWO.constants(f, T=1e12, **values) for f in ("printed", "repaired")}
    per = {f: x["bound"] / x["C_5"] for f, x in at.items()}
    assert per["repaired"] / per["printed"] == pytest.approx(2.0)


def test_e15_table_1_has_no_squares() -> None:
    sizes = [1.0, 3.0]
    squares = sampling.weighted_sum(sizes, sampling.optimal(sizes))
    plain = sum(math.sqrt(a) for a in sizes) ** 2  # min of sum C_i/p_i
    assert squares == pytest.approx(16.0)
    assert plain == pytest.approx(7.46, abs=0.01)


def test_e16_delta_of_the_next_y() -> None:
    """With |y_(t+2) - y*|^2 on the left of Lemma 6, an error of w_(t+2) is not on its right."""
    tau, tau_t, lam = 0.5, 0.4, 1.0
    y = 1.0
    after = y - tau_t * tau * y  # w_(t+1) is exact
    later = after - tau_t * tau * 100.0
    share = tau_t * tau * lam / 4
    move = 2 * tau / tau_t * (1 + share) * (1 / (2 * tau) - 3 / 4)
    assert later**2 > (1 - share) * after**2 - move * (later - after) ** 2
    assert after**2 <= (1 - share) * y**2 - move * (after - y) ** 2


def test_e17_the_misprints_of_the_last_lines_are_weaker() -> None:
    """1/eta_0 and 1/T are larger than 1/eta_(-1) and 1/(T + 1); the other reading of V tends to zero, see the steps."""
    values = GENERIC | theorem_1.parameters(**GENERIC)
    printed = ONE.constants("printed", T=10.0, **values)["eta_0"]
    repaired = ONE.constants("repaired", T=10.0, **values)["eta_0"]
    assert 1 / printed > 1 / repaired
    V, constant, beta = 5.0, 2.0, 0.1
    right = wrong = V
    for _ in range(400):
        right = (1 - beta) * (right - constant) + constant
        wrong = (1 - beta) * (wrong - constant + constant)
    assert right == pytest.approx(constant)
    assert wrong == pytest.approx(0.0, abs=1e-12)


def test_e19_the_sampled_map_must_be_lipschitz() -> None:
    """h(e; xi) = xi N e has mean 0, which is 0-Lipschitz, and variance at most 1 on |e| <= 1/N."""
    N, beta = 50.0, 1e-3
    old, new = 0.0, 1 / N
    error = np.mean([((1 - beta) * (0.0 - xi * N * old) + xi * N * new) ** 2 for xi in (-1.0, 1.0)])
    assert error > 2 * beta**2 * 1.0
    assert error <= 2 * beta**2 * 1.0 + 2 * N**2 * (new - old) ** 2


def test_e22_one_over_m_is_used_twice() -> None:
    """Where the hypothesis of (15) holds with equality, each of its terms with T_k has to be at most mu eps_k/5."""
    values = GENERIC | {"m": 64.0, "C_p": 6400.0, "gamma": 1e-5, "mu": 5.0}
    for form, factor in (("printed", 64.0), ("repaired", 1.0)):
        at = THREE.constants(form, precision=1e6, **values)
        eta, eps_old, eps = at["eta_0"] / math.sqrt(2), at["eps_1"], at["eps_1"] / 2
        per = 64.0 if form == "printed" else 1.0
        for entry, term in (
            (10 * at["C"] / (at["C_6"] * per * eta), at["C"] * values["mu"] * eps_old / (at["C_6"] * eta)),
            (
                10 / (at["C_6"] * per * eta**2 * values["gamma"]),
                values["mu"] * eps_old / (at["C_6"] * eta**2 * values["gamma"]),
            ),
        ):
            assert term / entry == pytest.approx(factor * values["mu"] * eps / 5)
            assert entry <= max(at["A"] / eta, at["B"] / eta**2) * (1 + 1e-12)
    assert theorem_3.THEOREM.counterexample("m and mu", "printed") is not None


def test_e23_gamma_is_at_most_2() -> None:
    """Tiny Lipschitz constants let gamma exceed 2, and eta_t = 1/(4 L_F) is then too long for Lemma 4."""
    tiny: dict[str, Any] = dict.fromkeys((f"L_{n}" for n in k.ORACLES), 1e-3) | {
        "C_fy": 1e-3,
        "C_gxy": 1e-3,
        "lam": 1.0,
        "L_g": 1.0,
        "L_y": 1e-3,
        "L_F": 1.0,
    }
    found = theorem_1.parameters(1.0, **tiny)
    assert found["gamma"] == pytest.approx(2.0)
    assert 3.0 * (1 / 4) * 1.0 > 0.5
    with pytest.raises(ValueError, match="gamma <= 2"):
        ONE.check("repaired", **(tiny | found | {"gamma": 3.0, "c_0": 1e9}))
    ONE.check("printed", **(tiny | found | {"gamma": 3.0, "c_0": 1e9}))


def test_e24_gradient_dominance_has_no_2() -> None:
    """F = x^2 obeys the condition of L260 with mu = 4, where F - F_* = |F'|^2/mu is twice what (14) says."""
    for x in (0.5, -2.0):
        gap, slope_sq, mu = x**2, (2 * x) ** 2, 4.0
        assert mu * gap <= slope_sq
        assert gap > slope_sq / (2 * mu)
        assert gap <= slope_sq / mu


def test_e25_the_number_of_stages() -> None:
    """eps_0 >= 2 eps_1 is needed before K is rounded up, and not enough afterwards; eps_0 > eps_1 gives one more."""
    eps = 1 / 8
    assert math.log2(1.5 / eps) < 1 + math.log2(1.0 / eps) == math.log2(2.0 / eps)
    for first, last in ((1.1, 2.2), (1.0, 1.5), (7.9, 8.0)):  # eps_1/eps, eps_0/eps
        K = 1 + math.ceil(math.log2(first))
        assert math.log2(last) < K < 2 + math.log2(last)
        assert 2 * first > 2 ** (K - 1)
    assert 1 + math.ceil(math.log2(1.1)) > 2 + math.log2(0.5)  # eps_0 < eps_1


def first_error(old: np.ndarray, new: np.ndarray, beta: float) -> float:
    """Mean of |u_(t+1) - h|^2 over the sampled task, uniform p and exact h: old, where u_t is exact, and then new."""
    m = len(old)
    errors = []
    for i in range(m):
        u = (1 - beta) * old
        u[i] = (1 - beta) * (old[i] - m * old[i]) + m * new[i]
        errors.append(np.sum((u - new) ** 2))
    return float(np.mean(errors))


def test_e26_stage_k_starts_from_other_errors() -> None:
    """Four alike tasks: the error of u_(t+1) is 0 in stage k - 1, and not in stage k, whose beta is half as large."""
    old = np.ones(4)
    assert first_error(old, 0.98 * old, 0.02) == pytest.approx(0.0, abs=1e-15)
    assert first_error(old, 0.98 * old, 0.01) == pytest.approx(0.0012)
    assert first_error(old, 1.01 * old, 0.02) == pytest.approx(0.0108)
    assert first_error(old, 1.01 * old, 0.01) == pytest.approx(0.0048)
    ledger, _ = sides("rsvrb/eq-15", "stage k makes u_(t+1) with its own beta")
    for beta in (0.01, 0.02):
        at = {"beta": beta, "m": 4, "old": 1.0, "new": 1.01}
        one = float(ledger.subs({s: at[s.name] for s in ledger.free_symbols}))
        assert 4 * one == pytest.approx(first_error(old, 1.01 * old, beta))


def test_sampling_alone_makes_noise() -> None:
    """Exact oracles of several tasks still have the variance sum |h_i|^2/p_i - sum |h_i|^2 (no erratum, a trap)."""
    h, p = np.array([1.0, -2.0, 0.5]), np.array([0.2, 0.5, 0.3])
    drawn = [np.eye(3)[i] * h[i] / p[i] for i in range(3)]
    mean = sum(q * x for q, x in zip(p, drawn, strict=True))
    variance = sum(q * ((x - h) ** 2).sum() for q, x in zip(p, drawn, strict=True))
    np.testing.assert_allclose(mean, h)
    assert variance == pytest.approx((h**2 / p).sum() - (h**2).sum())
