"""Theorems of the paper `f2obo` as data: constants, exponents in symbols, schedules, and what bad input is told."""

from __future__ import annotations

import dataclasses
import math

import mpmath
import numpy as np
import pytest
import sympy as sp
from exponents import check_exponents
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Dummy, Integer, Max, Min, Rational, Symbol, ceiling, log, sqrt
from workbench.theorems.f2obo.theory import STATEMENTS, THEOREMS, witness
from workbench.theorems.f2obo.theory import symbols as s

from workbench.theory import laws
from workbench.theory.asymptotics import Undecided, growth
from workbench.theory.record import Theorem
from workbench.theory.special import Gamma, PowerSum

THM_31, THM_32, THM_41, THM_51, COR_52 = THEOREMS
Q = Rational
T, x = s.T, Symbol("x", positive=True)

# sin(y) - p x over (y - x)^2/2 on [-2, 2]: kappa_g = 2.
SINE = {"mu_g": 1.0, "L_f0": 1.0, "L_f1": 1.0, "L_g1": 2.0, "L_g2": 0.0, "M": 1.0, "d_y": 0.5, "d_z": 0.5}
RATIOS = {"r_alpha": 1.0, "r_beta": 0.5, "r_gamma": 1.0}
DRIFT = {"V_T": 0.0, "H_2T": 0.0, "E_fT": 0.0, "E_gT": 0.0}
CORNER = {"a": 0.0, "b": 1 / 6, "B_1": 2 / 3, "B_2": 2 / 3}
ALL = {
    **SINE,
    **RATIOS,
    **DRIFT,
    **CORNER,
    "lam_1": 2.1,
    "tau": 1 / 6,
    "c": 1.0,
    "c_0": 1.0,
    "sigma": 0.5,
    "T": 1e4,
}


# --- constants ---------------------------------------------------------------------------------------------------


def test_smoothness_in_one_factor() -> None:
    """L_F (L407) is (1 + kappa_g)^2 (L_f1 + L_f0 L_g2/mu_g)."""
    L_F = THM_31.form().in_parameters(s.L_F)
    kappa = s.L_g1 / s.mu_g
    assert sp.expand(L_F - (1 + kappa) ** 2 * (s.L_f1 + s.L_f0 * s.L_g2 / s.mu_g)) == 0


def test_constants_of_the_sine_family() -> None:
    got = THM_31.constants(**ALL)
    assert (got["kappa_g"], got["L_F"], got["D_1"], got["rho_y"], got["rho"]) == (2, 9, 3, 0.875, 0.875)
    assert got["gamma"] == pytest.approx(6.03e-4, rel=1e-3)
    assert THM_32.constants(**{**ALL, "tau": 0.3})["gamma"] == pytest.approx(3.63e-5, rel=1e-3)
    assert THM_32.constants(**ALL)["rho_y"] == 1 - 1 / 16
    assert THM_51.constants(**ALL)["c_lam"] == 2.1**2


@pytest.mark.parametrize(
    ("theorem", "form", "value"),
    [
        # Recomputed by hand-written arithmetic below, not by the records.
        (THM_31, "printed", "c5"),
        (THM_41, "printed", "d2"),
        (THM_51, "printed", "e5"),
    ],
)
def test_bounds_against_plain_arithmetic(theorem: Theorem, form: str, value: str) -> None:
    """The displays L646, L935, L1241-1243 typed once more, with sums taken term by term."""
    v = {**ALL, "V_T": 3.0, "H_2T": 5.0, "tau": 0.2, "b": 0.3, "B_1": 0.9, "B_2": 0.7, "T": 200.0, "a": 0.1}
    c, t = theorem.constants(form, **v), np.arange(1.0, 201.0)
    tau, lam, k, g, D, s2 = v["tau"], v["lam_1"], c["kappa_g"], c["gamma"], c["D_1"], v["sigma"] ** 2
    S = (t ** (-2 * tau)).sum()
    if value == "c5":
        total = 32 / g + 16 / g * 3 + 32 * D**2 / lam**2 * S + 64 * c["c_tau"] * c["Delta_1"]
        total += 18432 * k**3 / lam**2 * S
        total += 256 * g**2 * c["C_lam"] * k**2 * D**2 / (lam**2 * (1 - c["rho"])) * S
        total += 64 * c["C_lam"] / (1 - c["rho"]) * 5
    elif value == "d2":
        total = 16 / g + 8 / g * 3 + 16 * D**2 / lam**2 * S + 384 * k**2 + 48 * lam**2 * k**2
    else:
        gap, cl, L = 1 - c["rho"], lam**2, v["L_g1"]
        upper, inner = (t ** (2 * tau - 0.9)).sum(), (t ** (tau - 0.3 - 0.7) + t ** (-0.1 - 0.7)).sum()
        total = 32 / g + 16 / g * 3 + 48 * D**2 / lam**2 * S + 144 * lam**2 * s2 * upper
        total += (
            6912 * k**2 * cl / (lam**2 * gap) * S + 2592 * lam**2 * k * s2 * 200 ** (2 * tau) / gap * inner
        )
        total += 32256 * g**2 * k**2 * L**2 * cl * D**2 / (lam**2 * gap) * S + 96 * c["c_tau"] * c["Delta_1"]
        total += 96768 * g**2 * lam**2 * k**2 * L**2 * cl * s2 / gap * upper + 8064 * L**2 * cl / gap * 5
    assert theorem.numeric(form)(**v) == pytest.approx(total, rel=1e-12)


def test_printed_single_loop_bound_against_plain_arithmetic() -> None:
    """L894-895."""
    v = {**ALL, "tau": 0.3, "V_T": 3.0, "H_2T": 5.0, "E_fT": 7.0, "E_gT": 11.0, "T": 200.0, "mu_g": 0.5}
    v["lam_1"] = 5.0
    c, t = THM_32.constants(**v), np.arange(1.0, 201.0)
    S, g, slow = (t**-0.6).sum(), c["gamma_T"], (5.0 * 200**0.3) ** 2
    c_g, c_gz = 6 * 4 * 384 * 4 / 0.5, 3 * 4 * 8 / (0.5 * 0.5)  # alpha = 1/L_g1 = 1/2
    total = 16 / g + 8 * 3 / g + 16 * c["D_1"] ** 2 / 25 * S + 32 * c["c_tau"] * c["Delta_1"]
    total += (
        32 * c["c_lam"] * c["C_S"] + 96 * c["c_gamma"] * c["C_g"] * c["D_1"] ** 2 / (25 * (1 - c["rho"])) * S
    )
    total += 32 * c_gz * slow / (1 - c["rho_z"]) * 5 + 32 * c_g * slow / (1 - c["rho_y"]) * (7 + 11)
    assert (c["c_g"], c["c_gz"]) == (c_g, c_gz)
    assert THM_32.numeric()(**v) == pytest.approx(total, rel=1e-12)


# --- iteration counts of AF2OBO ------------------------------------------------------------------------------------


def test_iteration_count_of_the_oscillating_instance() -> None:
    """sin(y - pi/2 - 1/2) over (y - (-1)^t x)^2/2 on [-2, 2], tau = 1, T = 2^14."""
    v = {**ALL, "tau": 1.0, "T": 2.0**14, "H_2T": 16 * (2.0**14 - 1), "d_y": 0.0, "d_z": 0.0}
    counts = {form: THM_41.constants(form, **v)["I_T"] for form in ("printed", "repaired", "T log T")}
    assert counts["T log T"] == pytest.approx(5.6e6, rel=0.1)
    assert counts["printed"] > 4.4e12
    assert counts["printed"] < counts["repaired"]


@pytest.mark.parametrize("tau", [Q(1, 2), Q(1), Q(3)])
def test_t_log_t_whatever_tau(tau: Rational) -> None:
    case = dataclasses.replace(
        THM_41.case("iterations, tau = 1"), when={s.tau: tau, s.V_T: Integer(1), s.H_2T: T}
    )
    found = THM_41.growth(case, "T log T")
    assert found.exponents == (1, 1)
    assert THM_41.exponent(case) == 1 + 2 * tau


# --- exponents -----------------------------------------------------------------------------------------------------


OTHER = {
    ("thm-3.1", "shrinking c", "drift"): Q(1, 2),
    ("thm-3.2", "sharp in E^f", "only f_t moves"): Q(1, 3),
    **{("thm-4.1", "T log T", c.name): 1 for c in THM_41.cases if c.of},
    **{("thm-5.1", form, "very large inner batch"): Q(4, 5) for form in ("printed", "repaired")},  # O-8 (d)
}


def test_exponents() -> None:
    check_exponents(THEOREMS, OTHER)


def test_only_the_stochastic_bounds_hold_in_expectation() -> None:
    assert [t for t in THEOREMS if t.kind == "expectation"] == [THM_51, COR_52]


def test_laws_agree_with_the_rules_at_points() -> None:
    """The law's exponent at rational points is the exponent that the growth rules derive there."""
    points = [
        {s.tau: Q(1, 4), s.v: Q(1, 3), s.h: Q(2, 5), s.e: Q(1, 7), s.g: Q(1, 2)},
        {s.tau: Q(2, 5), s.v: Q(0), s.h: Q(0), s.e: Q(4, 5), s.g: Q(0)},
        {s.tau: Q(1, 9), s.v: Q(3, 4), s.h: Q(1, 8), s.e: Q(0), s.g: Q(1, 9)},
    ]
    extra = {s.a: Q(1, 10), s.b: Q(3, 7), s.B_1: Q(3, 4), s.B_2: Q(1, 2)}
    for theorem in (THM_31, THM_32, THM_41, THM_51):
        for form in theorem.forms:
            symbolic = theorem.law_exponent("regret", form.name)
            for point in points:
                when = {k: v.subs(point) for k, v in s.DRIFT.items()} | {s.tau: point[s.tau], **extra}
                case = dataclasses.replace(theorem.cases[0], when=when)
                assert theorem.exponent(case, form.name) == symbolic.subs({**point, **extra})


def test_a_law_keeps_the_terms_that_its_maximum_drops() -> None:
    terms, tau = THM_31.law("regret").terms, s.tau
    assert terms == {"start": 0, "bias": 1 - 2 * tau, "value drift": s.v, "inner drift": s.h}
    assert THM_31.law("regret").claimed == Max(1 - 2 * tau, s.v, s.h)
    corollary = COR_52.law("regret")
    assert corollary.claimed == Max(Q(2, 3), s.v, s.h)
    assert set(corollary.terms) == set(THM_51.law("regret").terms)


def test_a_wrong_claim_is_reported() -> None:
    law = THM_32.law("regret")
    slower = {**law.terms, "lower gradient drift": 2 * s.tau + s.g / 2}
    wrong = dataclasses.replace(law, terms=slower)
    point = THM_32.counterexample(wrong)
    assert point is not None
    assert point[s.g] > 0
    assert THM_32.counterexample(law) is None


# --- the algebra of exponents ----------------------------------------------------------------------------------------

p, q = sp.symbols("p q", nonnegative=True)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (x**p + 3 * x**q / (1 + x**p), Max(p, q - p)),
        (sqrt(x**p + 1) * log(x), p / 2),
        (PowerSum(x, p), Max(0, 1 - p)),
        (x ** (2 * p) * PowerSum(x, q + 1), 2 * p + Max(0, -q)),
        (Max(x**p, x**q) / Min(1, 1 / x), 1 + Max(p, q)),
        (ceiling(x**p + x ** (-q)), p),
        (PowerSum(x, 2) - 1, 0),
        ((1 + 4**p) * x, 1),
    ],
)
def test_powers(expression: sp.Expr, expected: sp.Expr) -> None:
    assert sp.simplify(laws.power(expression, x) - expected) == 0


@pytest.mark.parametrize("expression", [x**p - x**q, sp.sin(x) * p, Symbol("r", real=True) * x, x ** (p * x)])
def test_powers_refuse_what_they_cannot_decide(expression: sp.Expr) -> None:
    with pytest.raises(Undecided):
        laws.power(expression, x)


def test_comparison_of_maxima() -> None:
    assert laws.exceeds(Max(p, q), p + q) is None
    assert laws.exceeds(p + q, Max(p, q)) is not None
    assert laws.exceeds(2 * Max(p, q), Max(2 * p, 2 * q)) is None
    assert laws.exceeds(p, Q(1, 2), (p < Q(1, 2),)) is None
    point = laws.exceeds(p + q, 1, (p <= Q(1, 2), q <= p))
    assert point is None
    point = laws.exceeds(p + q, Q(9, 10), (p <= Q(1, 2), q <= p))
    assert point is not None
    assert point[p] + point[q] > Q(9, 10)
    with pytest.raises(Undecided, match="contradict"):
        laws.exceeds(p, q, (p + q <= 1, p - q >= 2))


# --- special functions ----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 300), st.floats(-1.5, 4.0))
def test_power_sums(n: int, exponent: float) -> None:
    for value in (exponent, 1.0):
        t = np.arange(1.0, n + 1.0)
        compiled = sp.lambdify([x, p], PowerSum(x, p), "numpy")
        assert compiled(float(n), value) == pytest.approx((t**-value).sum(), rel=1e-11, abs=1e-11)


def test_power_sums_of_arrays_and_in_many_digits() -> None:
    compiled = sp.lambdify([x, p], PowerSum(x, p), "numpy")
    got = compiled(np.array([10.0, 1e6]), np.array([[0.5], [1.0]]))
    assert got.shape == (2, 2)
    assert got[1, 1] == pytest.approx(float(mpmath.harmonic(10**6)), rel=1e-12)
    exact = sp.lambdify([x, p], PowerSum(x, p), "mpmath")
    with mpmath.workdps(40):
        assert abs(exact(mpmath.mpf(100), mpmath.mpf(1)) - mpmath.harmonic(100)) < 1e-15
        assert (
            abs(exact(mpmath.mpf(7), mpmath.mpf(2)) - sum(mpmath.mpf(t) ** -2 for t in range(1, 8))) < 1e-35
        )
    assert PowerSum(Integer(3), Integer(1)) == Q(11, 6)
    assert float(PowerSum(Integer(100), Integer(1)).evalf()) == pytest.approx(float(mpmath.harmonic(100)))


@pytest.mark.parametrize(
    ("exponent", "expected"), [(Q(1, 3), (Q(2, 3),)), (Integer(1), (0, 1)), (Integer(2), ())]
)
def test_growth_of_power_sums(exponent: Rational, expected: tuple) -> None:
    assert growth(PowerSum(x, exponent), x).exponents == expected


def test_growth_of_power_sums_needs_a_decided_exponent() -> None:
    with pytest.raises(Undecided):
        growth(PowerSum(x, Dummy("r", real=True)), x)


@pytest.mark.parametrize("z", [0.01, 0.5, 1.0, 3.3, 20.0])
def test_gamma(z: float) -> None:
    compiled = sp.lambdify([x], Gamma(x), "numpy")
    assert compiled(z) == pytest.approx(math.gamma(z), rel=1e-12)
    assert Gamma(Q(3)) == 2


# --- schedules and conditions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theorem", "form"), [pytest.param(t, f.name, id=f"{t.key}-{f.name}") for t in THEOREMS for f in t.forms]
)
def test_schedules_respect_their_theorem(theorem: Theorem, form: str) -> None:
    steps, c = theorem.steps(form, **ALL), theorem.constants(form, **ALL)
    assert steps["alpha"] <= 1 / ALL["L_g1"]
    assert steps["gamma"] <= 1 / (2 * c["L_F"])
    assert steps["gamma"] == pytest.approx(c["gamma"])
    for t in (1.0, 17.0, 1e6):
        lam, beta = steps["lam"] * t ** steps["tau"], steps["beta"] * t ** -steps["b"]
        assert beta <= (1 + 1e-12) / (2 * lam * ALL["L_g1"])
    if theorem is THM_41:
        assert (steps["delta_y"], steps["delta_z"]) == pytest.approx((1e-2, 1e4 ** (-1 / 2 - 1 / 6)))


def test_schedules_take_columns() -> None:
    grid = np.array([[0.1], [0.5], [1.0]])
    steps = THM_31.steps("repaired", **{**ALL, "tau": grid})
    assert steps["K"].shape == steps["b"].shape == (3, 1)
    assert (np.diff(steps["K"][:, 0]) > 0).all()
    assert (steps["K"] == np.round(steps["K"])).all()


def test_the_anytime_form_uses_no_horizon() -> None:
    without = {k: v for k, v in ALL.items() if k != "T"}
    assert THM_31.steps("anytime", **without)["K_log"] > 0
    assert THM_32.steps("repaired", **without)["K"] == 1
    with pytest.raises(TypeError, match="T"):
        THM_31.steps("printed", **without)


BAD = [
    (THM_31, "printed", {"tau": 0.0}, "tau > 0"),
    (THM_31, "printed", {"lam_1": 2.0}, r"lambda_1 > 2 L_f1/mu_g.*lam_1 = 2.0"),
    (THM_31, "printed", {"lam_1": np.array([[3.0], [1.9]])}, "lambda_1 > 2 L_f1/mu_g"),
    (THM_31, "printed", {"r_beta": 0.6}, "beta_t <= 1/"),
    (THM_31, "printed", {"r_alpha": 1.5}, "alpha <= 1/L_g1"),
    (THM_31, "printed", {"r_gamma": 2.0}, "r_gamma <= 1"),
    (THM_31, "printed", {"c": 0.0}, "c > 0"),
    (THM_31, "shrinking c", {"c_0": -1.0}, "c_0 > 0"),
    (THM_31, "printed", {"mu_g": 3.0}, "mu_g <= L_g1"),
    (THM_32, "printed", {"tau": 0.5}, "tau < 1/2"),
    (THM_32, "printed", {"r_beta": 0.4}, "r_beta = 1/2"),
    (THM_32, "repaired", {"lam_1": 0.9, "L_f1": 0.1}, "lambda_1 >= 1"),
    (THM_41, "printed", {"tau": -0.1}, "tau > 0"),
    (THM_41, "printed", {"T": 0.0}, "T >= 1"),
    (THM_51, "printed", {"tau": 0.6}, "tau < 1/2"),
    (THM_51, "printed", {"a": -0.1}, "a >= 0"),
    (THM_51, "printed", {"B_1": -0.1}, "B_1 >= 0"),
    (THM_51, "printed", {"B_2": -0.1}, "B_2 >= 0"),
    (THM_51, "repaired", {"b": 0.1}, "b >= tau"),
    (THM_51, "repaired", {"lam_1": 0.9, "L_f1": 0.1}, "lambda_1 >= 1"),
    (COR_52, "printed", {"B_1": 0.5}, "B_1 = 2/3"),
    (COR_52, "printed", {"tau": 0.2}, "tau = 1/6"),
]


@pytest.mark.parametrize(("theorem", "form", "change", "message"), BAD)
def test_bad_parameters_name_the_condition(theorem: Theorem, form: str, change: dict, message: str) -> None:
    theorem.steps(form, **ALL)
    with pytest.raises(ValueError, match=message) as error:
        theorem.steps(form, **{**ALL, **change})
    assert theorem.key in str(error.value)
    assert "\n" not in str(error.value) or any(
        map(np.ndim, change.values())
    )  # a column of a grid takes several lines


# --- own statements ------------------------------------------------------------------------------------------------


def test_shrinking_c_divides_the_drift_term_by_the_horizon() -> None:
    """64 C_lambda H_2T/(1 - rho) at c = c_0/T is that at c = c_0 divided by T."""
    drift = {**ALL, "H_2T": 4e4}
    share = {}
    for form in ("repaired", "shrinking c"):
        share[form] = THM_31.constants(form, **drift)["C_lam"]
    assert share["shrinking c"] == pytest.approx(share["repaired"] / 1e4)


def test_the_sharp_form_is_below_the_repaired_one() -> None:
    moving = {**ALL, "tau": 0.3, "E_fT": 100.0}
    for horizon in (1e6, 1e9, 1e12):
        sharp, repaired = (
            THM_32.numeric(f)(**{**moving, "T": horizon}) for f in ("sharp in E^f", "repaired")
        )
        assert sharp < repaired


def test_bias_level() -> None:
    """lambda F' at the stationary point of the penalty value of sin(y - pi/2) - x/2, y* = x: level^2 = 0.1875."""
    level = witness.bias_level.value(v=1, w=1, epsilon=1, mu=1, p=0.5)
    assert level**2 == pytest.approx(0.1875)
    for lam in (1e2, 1e3):
        y = math.pi / 6  # the stationary point of sin(y - pi/2) - y/2, and y = x - p/lam there
        assert lam * abs(math.sin(y + 0.5 / lam) - 0.5) == pytest.approx(level, rel=2 / lam)
    regret = witness.bias_regret.value(v=1, w=1, epsilon=1, mu=1, p=0.5, lam_1=2.1, tau=0.5, T=1e4)
    assert regret == pytest.approx(0.1875 / 2.1**2 * 9.7876, rel=1e-4)


def test_coupled_level_of_one_coordinate_is_the_bias_level() -> None:
    """n = 1: q = p, e = p/mu; the regret of a level is the sum over lambda_t^2."""
    for mu, p in ((1.0, 0.5), (2.0, 0.3)):
        level = witness.coupled_level.value(q_i=p, e_i=p / mu)
        assert level == pytest.approx(witness.bias_level.value(v=1, w=1, epsilon=1, mu=mu, p=p))
        regret = witness.level_regret.value(level=level, lam_1=3.0, tau=0.3, T=50.0)
        assert regret == pytest.approx(np.sum((level / (3.0 * np.arange(1, 51) ** 0.3)) ** 2))


@pytest.mark.parametrize("kappa", [1.25, 2.0, 5.0])
def test_drift_level(kappa: float) -> None:
    """Gradient descent behind a target that moves one way: y and z as in the single loop, far from the start."""
    mu, L, lam, step = 1.0, kappa, 50.0, 0.01
    y = z = target = 0.0
    for _ in range(2000):
        target += step
        z -= mu / L * (z - target)
        y -= lam * mu / (2 * lam * L) * (y - target)
    epsilon = math.sqrt(kappa - 1)
    error = mu * epsilon * abs((y - target) - (z - target))
    assert error == pytest.approx(
        witness.drift_level.value(mu=mu, epsilon=epsilon, kappa_g=kappa, d_step=step), rel=1e-9
    )


def test_ripple_ratio() -> None:
    """Means over uniform phases of F'^2 = v cos^2 and of sup |sin(. + a) - sin(. + b)| = 2 |sin((a - b)/2)|."""
    phases = np.linspace(0, 2 * math.pi, 4097)[:-1]
    jump = np.mean(2 * np.abs(np.sin(phases / 2)))
    assert np.mean(np.cos(phases) ** 2) / jump == pytest.approx(witness.ripple_ratio.value(), rel=1e-5)


def test_extra_steps_of_a_shrinking_c() -> None:
    more = THM_31.steps("shrinking c", **ALL)["K"] - THM_31.steps("repaired", **ALL)["K"]
    assert abs(more - witness.extra_steps.value(T=1e4, rho=0.875)) <= 1
    assert len({x.key for x in STATEMENTS}) == len(STATEMENTS)
