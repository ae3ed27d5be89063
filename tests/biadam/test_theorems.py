"""Theorems of the paper `biadam` as data: constants, exponents, schedules, and what bad input is told."""

from __future__ import annotations

import math

import pytest
import sympy as sp
from exponents import check_exponents
from sympy import Rational
from workbench.theorems.biadam.theory import TABLE_1, THEOREMS, common
from workbench.theorems.biadam.theory import symbols as s
from workbench.theorems.biadam.theory.common import values_at_limits
from workbench.theorems.biadam.theory.table_1 import samples

from workbench.theory.record import Theorem

THM_1, THM_2, THM_3, THM_4 = THEOREMS
FORMS = [(t, f.name) for t in THEOREMS for f in t.forms]
each_form = pytest.mark.parametrize(("theorem", "form"), FORMS, ids=lambda v: getattr(v, "key", v))

ALL = {
    "mu_g": 1.0, "L_g": 2.0, "L_f": 0.3, "L_gxy": 0.2, "L_gyy": 0.4, "C_fy": 0.5, "C_gxy": 0.7, "sigma": 0.6,
    "sigma_fy": 0.2, "sigma_gxy": 0.1, "rho": 0.5, "b_l": 1.0, "b_u": 1.5, "b_1": 1.2, "Delta_1": 2.0, "d_1": 3.0,
    "k": 1.1, "m": 400.0, "c_1": 30.0, "c_2": 6.0, "lam": 0.01, "gamma": 0.002, "A_rms": 1.7, "G_1": 4.0, "T": 500.0,
}  # fmt: skip


# --- constants and bounds against plain arithmetic, typed from the text ------------------------------------------


def test_constants_of_lemma_2_and_lemma_5() -> None:
    """L21, L45. L = L_y (1 + kappa)."""
    c, v = THM_1.constants(**ALL), ALL
    second = v["C_fy"] * (v["L_gxy"] / v["mu_g"] + v["L_gyy"] * v["C_gxy"] / v["mu_g"] ** 2)
    L_y = v["L_f"] + v["L_f"] * v["C_gxy"] / v["mu_g"] + second
    assert c["L_y"] == pytest.approx(L_y)
    assert c["L"] == pytest.approx(v["L_f"] + (v["L_f"] + L_y) * v["C_gxy"] / v["mu_g"] + second)
    four = (0.3**2, (0.2 * 0.5) ** 2, (0.4 * 0.7 * 0.5) ** 2, (0.3 * 0.7) ** 2)  # mu = 1
    assert c["L_0"] ** 2 == pytest.approx(8 * sum(four))
    assert c["L_1"] ** 2 == pytest.approx(12 * 4 / (125 * c["L_0"] ** 2) + 2 * c["L_0"] ** 2 / 3)
    assert (c["kappa"], c["Delta_0"], c["K"]) == (0.7, 9.0, math.ceil(2 * math.log(0.35 * 500)))
    form = THM_1.form()
    identity = form.in_parameters(s.L) - form.in_parameters(s.L_y) * (1 + s.C_gxy / s.mu_g)
    assert sp.expand(identity) == 0
    assert 2 * c["L_y"] ** 2 <= c["L_0"] ** 2  # Lemma 5


def test_length_of_the_sum_is_at_least_one() -> None:
    for at in ({"C_fy": 0.0}, {"C_gxy": 0.0}, {"T": 1.0}):
        assert THM_1.constants(**{**ALL, **at})["K"] == 1
    bias = 0.35 * 0.5 ** THM_1.constants(**ALL)["K"]  # Lemma 3
    assert bias <= 1 / 500


@pytest.mark.parametrize(
    ("form", "fourth", "slope", "cross", "below"),
    [("printed", 0.3**2, 0.5**2, 0.7**2, 1.0), ("repaired", 0.29, 0.29, 0.5, 4.0)],
)
def test_constant_of_lemma_4(form: str, fourth: float, slope: float, cross: float, below: float) -> None:
    """L29; (2 mu L_g - mu^2) = 3. Repaired: C^2 + variance, L_g^2 below."""
    c = THM_2.constants(form, **ALL)
    K = c["K"]
    square = 2 * 0.09 + 6 * cross * 0.09 * K / 3 + 6 * slope * 0.04 * K / 3
    square += 6 * cross * fourth * K**3 * 0.16 / (below * 3)
    assert c["L_K"] ** 2 == pytest.approx(square)
    assert c["L_2"] ** 2 == pytest.approx(4 + square)


def test_the_term_zero_over_zero_of_lemma_4_counts_as_zero() -> None:
    flat = {**ALL, "L_g": 1.0, "L_gyy": 0.0, "L_gxy": 0.0}
    c = THM_2.constants(**flat)
    assert c["L_K"] ** 2 == pytest.approx(2 * 0.09 + 6 * 0.49 * 0.09 * c["K"])


def test_printed_bounds_against_plain_arithmetic() -> None:
    """L49, L53, L93."""
    v = ALL
    L0, T, m, k, s2, rho = THM_1.constants(**v)["L_0"] ** 2, 500.0, 400.0, 1.1, 0.36, 0.5
    gap, start = 2 / (rho * k * 0.002), 5 * 1.2 * L0 * 9 / (rho**2 * k * 0.01)
    G = gap + start + 2 * s2 / (rho**2 * k) + 2 * m * s2 / (rho**2 * k) * math.log(m + T)
    G += 4 * (m + T) / (9 * rho**2 * k * T**2) + 8 * k / (rho**2 * T)
    M = gap + start + 2 * m ** (1 / 3) * s2 / (rho**2 * k**2)
    M += 2 * k**2 * (30**2 + 6**2) * s2 * math.log(m + T) / rho**2 + 6 * k * (m + T) ** (1 / 3) / (rho**2 * T)
    assert THM_1.constants(**v)["G"] == pytest.approx(G)
    assert THM_2.constants(**v)["M"] == pytest.approx(M)
    for theorem, X, p in ((THM_1, G, 1 / 4), (THM_2, M, 1 / 3)):
        total = 2 * math.sqrt(3 * X) * (m ** (p if p == 1 / 4 else 1 / 6) / T**0.5 + T**-p) + math.sqrt(2) / T
        assert theorem.numeric()(**v) == pytest.approx(total, rel=1e-12)
    for theorem, X, p in ((THM_3, rho**2 * G, 1 / 4), (THM_4, rho**2 * M, 1 / 3)):
        total = 2 * math.sqrt(6 * X * m) / T**0.5 + 2 * math.sqrt(6 * X) / T**p + 2 * math.sqrt(3) / T
        assert theorem.numeric()(**v) == pytest.approx(1.7 / rho * total, rel=1e-12)


def test_repaired_bounds_against_plain_arithmetic() -> None:
    v = ALL
    L0, T, m, k, s2, rho = THM_1.constants(**v)["L_0"] ** 2, 500.0, 400.0, 1.1, 0.36, 0.5
    gap, start = 2 / (rho * k * 0.002), 5 * 1.5 * L0 * 9 / (rho**2 * k * 0.01)
    squares, grown = 30**2 + 6**2, math.log((m + T) / m)
    G = gap + start + 2 * s2 / (rho**2 * k) + squares * k * s2 / rho**2 * grown
    G += 8 * (m + T + 1) ** 1.5 / (9 * rho**2 * k**2 * T**2) + 8 * (m + T) ** 0.5 / (rho**2 * T**2)
    M = gap + start + 2 * m ** (1 / 3) * s2 / (rho**2 * k**2) + 2 * k**2 * squares * s2 * grown / rho**2
    M += 6 * (m + T) ** (2 / 3) / (rho**2 * T**2)
    for theorem, X, p, q in ((THM_1, G, 1 / 4, 1 / 4), (THM_2, M, 1 / 3, 1 / 6)):
        total = 2 * math.sqrt(3 * X) * (m**q / T**0.5 + T**-p) + math.sqrt(2) / (rho * T)
        assert theorem.numeric("repaired")(**v) == pytest.approx(total, rel=1e-12)
    for theorem, X, p, q in ((THM_3, G, 1 / 4, 1 / 4), (THM_4, M, 1 / 3, 1 / 6)):
        total = 2 * math.sqrt(6 * rho**2 * X) * (m**q / T**0.5 + T**-p) + 2 * math.sqrt(3) / T
        assert theorem.numeric("repaired")(**v) == pytest.approx(1.7 / rho * total, rel=1e-12)


def test_the_restated_theorem_has_b_u() -> None:
    """Theorem 6 against Theorem 3: the start term alone differs, by b_u/b_1."""
    printed, restated = (THM_3.constants(form, **ALL) for form in ("printed", "restated"))
    assert restated["start"] / printed["start"] == pytest.approx(1.5 / 1.2)
    assert {n for n in printed if printed[n] != restated[n]} == {"start", "G_prime", "early", "late", "bound"}


# --- exponents -------------------------------------------------------------------------------------------------------


def test_exponents() -> None:
    check_exponents(THEOREMS, {})


@each_form
def test_logarithms(theorem: Theorem, form: str) -> None:
    """sqrt(ln T) where sigma > 0, none without noise, one more half each from K and from L_K (O-9)."""
    logs = {case.name: theorem.growth(case, form).log_power for case in theorem.cases}
    half = Rational(1, 2)
    assert logs.pop("largest steps", 3 * half) == 3 * half
    assert logs.pop("A_t of (4)", half) == half
    assert logs == {"rate": half, "noiseless": 0, "variance of order K": 1}


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.key)
def test_every_term_of_the_law_is_that_of_the_chain(theorem: Theorem) -> None:
    """The exponent of each named term, from its own symbol of the chain: sqrt(term) times T^-1/4 or T^-1/3."""
    rate = -theorem.case("rate").claimed
    chain = theorem.form().values(theorem._at(theorem.case("rate")))
    power = {x: common_power(chain[x]) for x in (s.gap, s.start, s.first, s.noise, s.bias_1, s.early, s.last)}
    terms = theorem.law("rate").terms
    assert terms["objective gap"] == power[s.gap] / 2 - rate
    assert terms["lower start"] == power[s.start] / 2 - rate
    assert terms["first sample"] == power[s.first] / 2 - rate
    assert terms["noise"] == power[s.noise] / 2 - rate
    bias = [e for name, e in terms.items() if name.startswith("bias, ")]
    assert bias[0] == power[s.bias_1] / 2 - rate
    if s.bias_2 in chain:
        assert bias[1] == common_power(chain[s.bias_2]) / 2 - rate
    assert terms["early steps"] == power[s.early]
    assert terms["bias of the metric"] == power[s.last]
    assert theorem.law("rate").claimed == -rate


def common_power(expression: sp.Expr) -> sp.Expr:
    from workbench.theory.asymptotics import exponent

    return exponent(expression, s.T)


# --- parameters at their limits, schedules, conditions ----------------------------------------------------------------

START = {n: v for n, v in ALL.items() if n not in ("m", "c_1", "c_2", "lam", "gamma")}


@each_form
def test_parameters_at_their_limits_are_admitted_and_beyond_refused(theorem: Theorem, form: str) -> None:
    at = values_at_limits(theorem, form, **START)
    steps = theorem.steps(form, **at)
    assert steps["K"] == theorem.constants(form, **at)["K"]
    assert set(steps) == {"k", "m", "c_1", "c_2", "lam", "gamma", "rho", "K", "L_g"}
    for name, factor in (("c_1", 0.99), ("c_2", 0.99), ("m", 0.99), ("lam", 1.01), ("gamma", 1.01)):
        shown = "lambda" if name == "lam" else name
        side = "least" if factor < 1 else "most"
        needs = rf"biadam/thm-\d needs {shown} .*L\d+.*that is {name} at {side} {at[name]:.6g}, not"
        with pytest.raises(ValueError, match=needs.replace("e+", r"e\+")):
            theorem.steps(form, **{**at, name: at[name] * factor})


def test_eta_stays_below_one_over_the_momentum_constants() -> None:
    """m at its limit makes alpha_(t+1) and beta_(t+1) at most 1 from t = 0 on."""
    for theorem, power, twice in ((THM_1, 1 / 2, 1), (THM_2, 1 / 3, 2)):
        at = values_at_limits(theorem, "repaired", **START)
        eta = at["k"] * at["m"] ** -power
        assert max(at["c_1"], at["c_2"]) * eta**twice <= 1 + 1e-12


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"mu_g": 3.0}, "mu <= L_g"),
        ({"rho": 0.0}, "rho > 0"),
        ({"b_1": 2.0}, "b_1 <= b_u"),
        ({"b_l": 1.3}, "b_l <= b_1"),
        ({"k": 0.0}, "k > 0"),
        ({"T": 0.0}, "T >= 1"),
        ({"gamma": -1.0}, "gamma > 0"),
    ],
)
def test_conditions_in_words(wrong: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        THM_1.check(**{**ALL, **wrong})


def test_kappa_of_lemma_10_is_never_smaller() -> None:
    """L97 redefines kappa as L_g/mu; its largest gamma is the smaller one."""
    c = THM_1.constants(**ALL)
    root = sp.sqrt(s.m)
    (_, sharp), (_, loose) = (
        common.step_limits(s.L_1**2, 6 * s.L_1**2, root, 1, curvature)[1]
        for curvature in (s.kappa, common.KAPPA_LEMMA_10)
    )
    at = {x: {**ALL, **c}[x.name] for e in (sharp, loose) for x in e.free_symbols}
    assert float(loose.subs(at)) < float(sharp.subs(at)) == pytest.approx(c["gamma_most"])


# --- Table 1 ---------------------------------------------------------------------------------------------------------


def test_sample_complexities_follow_from_the_theorems() -> None:
    rows = {row.method: row for row in TABLE_1}
    assert {n: int(r.samples) for n, r in rows.items()} == {
        "BSA": 6, "stocBiO": 4, "TTSA": 5, "SUSTAIN": 3, "SVRB": 3, "MRBO": 3, "BiAdam": 4, "VR-BiAdam": 3,
    }  # fmt: skip
    for theorem in (THM_1, THM_3):
        assert samples(theorem) == rows["BiAdam"].samples
    for theorem in (THM_2, THM_4):
        assert samples(theorem) == rows["VR-BiAdam"].samples
    assert [r.method for r in TABLE_1 if r.logarithm] == ["BiAdam", "VR-BiAdam"]
