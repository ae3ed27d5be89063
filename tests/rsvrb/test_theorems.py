"""Theorems 1-3 of the paper `rsvrb` as data: constants, exponents, sampling probabilities, stages and Table 1."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from exponents import check_exponents
from proof_lines import sides, symbol
from sympy import Add, Integer, Rational, expand, simplify, sqrt
from workbench.theorems.rsvrb.theory import (
    THEOREMS,
    common,
    sampling,
    table_1,
    theorem_1,
    theorem_2,
    theorem_3,
)
from workbench.theorems.rsvrb.theory import constants as k

from workbench.theory import laws
from workbench.theory import vocabulary as v
from workbench.theory.asymptotics import growth

ONE, TWO, THREE = THEOREMS
GENERIC = {s.name: float(e) for s, e in common.GENERIC.items() if s != k.precision}


def single(rng: np.random.Generator) -> dict[str, Any]:
    """Constants of one lower-level problem."""
    out = {f"{x}_{n}": rng.uniform(0.1, 5.0) for n in k.ORACLES for x in ("L", "C", "sigma")}
    out["lam"] = rng.uniform(0.1, 5.0)
    out["L_g"] = out["lam"] + rng.uniform(0.0, 5.0)
    return out | {n: rng.uniform(0.1, 5.0) for n in ("L_y", "L_F", "Delta", "delta_y", "delta_0")}


def many(rng: np.random.Generator) -> dict[str, Any]:
    """Constants of several tasks, with uniform p."""
    lam, m = rng.uniform(0.1, 5.0), int(rng.integers(1, 7))
    tasks = [{f"{x}_{n}": rng.uniform(0.1, 5.0) for n in k.ORACLES for x in "LC"} for _ in range(m)]
    for task in tasks:
        task["C_gyy"] += lam
    out: dict[str, Any] = sampling.of_tasks(tasks, sampling.uniform(m), lam) | {"lam": lam}
    out["L_g"] = lam + rng.uniform(0.0, 5.0)
    names = ("L_y", "L_F", "Delta", "delta_y", "delta_0", "delta_d", "sigma_z", "mu")
    return out | {n: rng.uniform(0.1, 5.0) for n in names}


seeds = pytest.mark.parametrize("seed", range(3))


# --------------------------------------------------------------------------------------------- exponents


def test_exponents_follow_from_the_bounds() -> None:
    check_exponents(THEOREMS, {})


def test_the_logarithm_is_that_of_the_claim() -> None:
    for form in ("printed", "repaired"):
        assert ONE.growth("rate", form).exponents == (Rational(-2, 3), Integer(1))
    assert TWO.growth("rate", "repaired").exponents == (Rational(-2, 3),)


@pytest.mark.parametrize(
    ("law", "form", "holds"),
    [
        ("m, y_0 as printed", "printed", False),
        ("m, y_0 as printed", "repaired", False),
        ("m, y_0 accurate", "printed", True),
        ("m, y_0 accurate", "repaired", False),
    ],
)
def test_the_power_of_m_follows_only_with_an_accurate_start_and_without_beta_gy(
    law: str, form: str, holds: bool
) -> None:
    assert (TWO.counterexample(law, form) is None) is holds


def test_without_tasks_every_law_is_right() -> None:
    """theta = 0: the power of T, and those of mu and eps, are as claimed."""
    for theorem, theta in ((TWO, theorem_2.theta), (THREE, theorem_3.theta)):
        for form in ("printed", "repaired"):
            for law in theorem.laws:
                fixed = dataclasses.replace(law, when={s: e.subs(theta, 0) for s, e in law.when.items()})
                terms = {n: e.subs(theta, 0) for n, e in law.terms.items()}
                one = dataclasses.replace(
                    fixed, terms=terms, ranges=tuple(r for r in law.ranges if theta not in r.free_symbols)
                )
                assert dataclasses.replace(theorem, laws=(one,)).counterexample(one, form) is None


def test_a_law_names_every_term_of_its_bound() -> None:
    """Each summand of the printed bound has, at the parameters of the law, the exponent of a named term."""
    law = TWO.law("m, y_0 accurate")
    fixed = {s: e for s, e in common.GENERIC.items() if s not in law.when}
    found = []
    for summand in Add.make_args(TWO.bound("printed")):
        at = common.in_parameters(summand, theorem_2.PRINTED_CHAIN).xreplace(dict(law.when)).xreplace(fixed)
        found += [laws.power(at, v.T)] if at != 0 else []  # the error of d_1 is zero
    assert len(found) == len(law.terms)
    for e, claimed in zip(found, law.terms.values(), strict=True):
        assert simplify(e - claimed) == 0


# ------------------------------------------------------------------------------------- constants, retyped


def test_constants_of_theorem_1_as_typed_again() -> None:
    """The numbers of a scalar example: spec value of gamma, C, c_0 for noise 0.003 on |x|, |y| <= 2.5."""
    s, R = 0.003, 2.5
    constants: dict[str, Any] = dict.fromkeys(("L_gxy", "L_gyy", "delta_y", "delta_0"), 0.0) | {
        "L_fx": 1.0,
        "L_fy": 0.5,
        "L_gy": math.sqrt(2) * (0.5 + s),
        "C_fy": 0.5,
        "C_gxy": 0.5,
        "lam": 0.5,
        "L_g": 0.5,
        "L_y": 1.0,
        "L_F": 1.5,
        "Delta": 1.25,
        "sigma_fx": s,
        "sigma_fy": s,
        "sigma_gxy": s,
        "sigma_gyy": s,
        "sigma_gy": s * math.sqrt(1 + 2 * R * R),
    }
    found = constants | theorem_1.parameters(**constants)
    squares = 1.0 + 0.25 + 2 * 0.503**2
    tau = 2 / 3
    gamma = min(
        tau * 0.5 / (256 * squares),
        tau * 0.5 / (16 * math.sqrt(2 + 6 * 0.25 * 0.25 / 0.25)),
        1 / (16 * squares),
        2,
    )
    assert found["gamma"] == pytest.approx(gamma, rel=1e-11)  # the parameters keep 1e-12 off their bounds
    assert gamma == pytest.approx(7.41e-4, rel=1e-3)
    at = ONE.constants("repaired", T=2.0**20, **found)
    assert at["C"] == pytest.approx(4 * squares / gamma, rel=1e-11)
    assert found["c_0"] == pytest.approx((16 * at["C"] * gamma * tau / 0.5) ** 1.5, rel=1e-9)
    assert (at["C"], found["c_0"]) == (pytest.approx(9473, rel=1e-3), pytest.approx(1834, rel=1e-3))
    base = 1 / (7 * 1.5)
    b = {n: base + c * gamma for n, c in (("fx", 2), ("fy", 6), ("gxy", 6), ("gyy", 6))}
    b["gy"] = base + 8 * at["C"] * gamma * tau / 0.5
    noise = sum((b[n] * constants[f"sigma_{n}"]) ** 2 for n in b)
    T, c_0 = 2.0**20, found["c_0"]
    bound = 2 / (gamma * (c_0 + T) ** (-1 / 3) * (T + 1))
    bound *= 1.25 + 2 * noise * (1 / c_0 + math.log((c_0 + T) / c_0))
    assert ONE.numeric("repaired")(T=T, **found) == pytest.approx(bound, rel=1e-10)
    steps = ONE.steps("repaired", **found)
    assert {n: steps[f"b_{n}"] for n in b} == pytest.approx(b, rel=1e-10)


def test_constants_of_theorem_2_as_typed_again() -> None:
    g = GENERIC
    C_max = 8 * max(8, 4 * g["C_2"], 4 * g["C_3"], 4 * g["C_4"])
    C_ = max(6 * g["L_p"] / g["gamma"], 12 * g["C_0"] / (g["tau"] * g["lam"]))
    C_5_ = (
        27 * (4 + g["C_2"] ** 2 + g["C_3"] ** 2 + g["C_4"] ** 2)
        + 8 * C_max * g["sigma_z"] ** 2 * g["m"] / g["C_p"]
        + 192 * g["tau"] ** 2 * C_**2 / g["lam"] ** 2
    )
    at = TWO.constants("repaired", T=1000.0, **g)
    assert (at["C"], at["C_max"], at["C_5"]) == tuple(pytest.approx(x, rel=1e-12) for x in (C_, C_max, C_5_))
    ge = g["gamma"] * g["eta"]
    bound = (
        2 * g["Delta"] / (ge * 1000)
        + 2 * C_ * g["delta_y"] / (g["m"] * g["eta"] * 1000)
        + 2 * g["delta_0"] / (g["m"] * ge * g["eta"] * 1000)
        + 2 * g["delta_d"] / (C_max * ge * g["eta"] * 1000)
        + 2 * g["gamma"] * g["C_p"] * C_5_ / g["m"] * g["eta"] ** 2
    )
    assert at["bound"] == pytest.approx(bound, rel=1e-12)


def test_lemma_11_is_four_times_lemma_5() -> None:
    """C'_k = 4 C_k, with the formulas of L514 and lambda^2 in the second (E5)."""
    formulas = dict(common.LEMMA_5)
    again = (
        8,
        24 * k.C_fy**2 / k.lam**2,
        24 * k.C_gxy**2 * k.C_fy**2 / k.lam**4,
        24 * k.C_gxy**2 / k.lam**2,
    )
    for of_change, e in zip((k.C_1, k.C_2, k.C_3, k.C_4), again, strict=True):
        assert simplify(4 * formulas[of_change] - e) == 0


def test_lemma_13_bounds_the_change_of_the_hypergradient() -> None:
    """F(x) = f(x, y*(x)) of one variable, f = a x^2/2 + b y, g = (y - s x)^2 lam/2: both constants are attained."""
    s, lam, a = 0.7, 0.5, 2.0
    found = common.LIPSCHITZ_SOLUTION.value(C_gxy=s * lam, lam=lam)
    assert found == pytest.approx(s)
    smooth = common.SMOOTH_OBJECTIVE.value(
        L_fx=a, L_fy=0.0, L_gxy=0.0, L_gyy=0.0, C_fy=1.0, C_gxy=s * lam, lam=lam
    )
    assert smooth == pytest.approx(a * math.hypot(1, s))
    assert smooth >= a


# ------------------------------------------------------------------------------- conditions and parameters


@seeds
def test_parameters_of_theorem_1_obey_its_conditions(seed: int) -> None:
    """And every beta and step is as the proof needs it, from the first iteration on."""
    rng = np.random.default_rng(seed)
    constants, c = single(rng), rng.uniform(0.2, 3.0)
    values = constants | theorem_1.parameters(c, **constants)
    steps = ONE.steps("repaired", **values)
    eta = c / (values["c_0"]) ** (1 / 3)
    assert eta <= 0.5
    assert values["gamma"] * eta * constants["L_F"] <= 0.5
    assert all(0 < steps[f"b_{n}"] * eta**2 <= 1 for n in k.ORACLES)
    C_ = ONE.constants("repaired", T=10.0, **values)["C"]
    squares = sum(constants[f"L_{n}"] ** 2 for n in k.ORACLES)
    left = values["gamma"] * (
        8 * C_ * values["gamma"] * constants["L_y"] ** 2 / (values["tau"] * constants["lam"]) + 2 * squares
    )
    assert left <= 0.25 * (1 + 1e-9)


@seeds
def test_parameters_of_theorem_2_obey_its_conditions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    constants, accuracy = many(rng), 10 ** rng.uniform(-4, 0)
    values = constants | theorem_2.parameters(accuracy, **constants)
    steps = TWO.steps("repaired", **values)
    square = values["eta"] ** 2
    assert values["eta"] <= 0.5
    assert steps["b_gy"] * square < 1
    assert steps["b_d"] * square <= 2 / 3
    assert all(steps[f"b_{n}"] * square <= 1 / 33 for n in ("fx", "fy", "gxy", "gyy"))
    noise = TWO.constants("repaired", T=1e300, **values)["bound"]
    assert noise <= accuracy**2 / 2 * (1 + 1e-9)


@pytest.mark.parametrize(
    ("theorem", "change", "said"),
    [
        (ONE, {"tau": 0.0}, "tau > 0"),
        (ONE, {"gamma": -1.0}, "gamma > 0"),
        (ONE, {"tau": 0.34}, r"tau <= 1/\(3 L_g\) \(L162\)"),
        (ONE, {"gamma": 1.0}, "gamma <= sqrt"),
        (ONE, {"c_0": 1.0}, "c_0 >= 2"),
        (ONE, {"c_0": 100.0}, r"c_0 >= \(4 L_F c\)\^3"),
        (ONE, {"c_0": 600.0}, r"c_0 >= \(16 C gamma tau"),
        (TWO, {"gamma": 0.1}, r"gamma <= m/\(24 L\(p\)\)"),
        (TWO, {"gamma": 0.001}, "gamma <= sqrt"),
        (TWO, {"eta": 100.0}, "eta <= 1/sqrt"),
        (TWO, {"accuracy": 1e-9}, r"eta <= \(eps/2\)"),
        (THREE, {"mu": 0.0}, "mu > 0"),
    ],
)
def test_a_condition_that_fails_is_named(theorem: Any, change: dict[str, float], said: str) -> None:
    start = GENERIC | (theorem_1.parameters(**GENERIC) if theorem is ONE else {})
    if theorem is not ONE:
        start |= theorem_2.parameters(0.1, **GENERIC)
    theorem.check("repaired", **start)
    with pytest.raises(ValueError, match=f"{theorem.key} needs .*{said}"):
        theorem.check("repaired", **(start | change))


def test_an_accuracy_is_positive() -> None:
    with pytest.raises(ValueError, match=r"the accuracy is a positive number, got 0\.0"):
        theorem_2.parameters(0.0, **GENERIC)


# ----------------------------------------------------------------------------------------------- sampling


@seeds
def test_the_best_probabilities_are_proportional_to_the_sizes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = [float(a) for a in rng.uniform(0.05, 3.0, 1 + 3 * seed)]
    p = sampling.optimal(sizes)
    least = sampling.weighted_sum(sizes, p)
    assert least == pytest.approx(math.fsum(sizes) ** 2, rel=1e-12)
    uniform = sampling.weighted_sum(sizes, sampling.uniform(len(sizes)))
    assert uniform == pytest.approx(len(sizes) * math.fsum(a * a for a in sizes), rel=1e-12)
    for other in rng.dirichlet(np.ones(len(sizes)), 100):
        assert sampling.weighted_sum(sizes, other) >= least * (1 - 1e-12)


def test_the_gain_over_uniform_sampling() -> None:
    """a_i = i^(-alpha): a constant below 1/2, (log m)/4 at 1/2, of order m/log(m)^2 at 1 and m beyond."""
    for alpha, exponents in (
        (Rational(1, 4), ()),
        (Rational(1, 2), (0, 1)),
        (Integer(1), (1, -2)),
        (Integer(2), (1,)),
    ):
        found = growth(sampling.RATIO.formula.subs(sampling.alpha, alpha), k.m)
        assert found.exponents == exponents
        if alpha < Rational(1, 2):
            assert found.coefficient == pytest.approx(float((1 - alpha) ** 2 / (1 - 2 * alpha)))
    i = np.arange(1.0, 33.0)
    ratio = sampling.RATIO.value(m=32.0, alpha=1.0)
    assert ratio == pytest.approx(32 * (i**-2).sum() / (1 / i).sum() ** 2, rel=1e-9)
    assert ratio == pytest.approx(3.14, abs=0.01)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sampling.optimal([]), "positive sizes of the tasks, got"),
        (lambda: sampling.optimal([1.0, float("inf")]), "positive sizes of the tasks"),
        (lambda: sampling.uniform(0), "the number of tasks is at least 1, got 0"),
        (lambda: theorem_1.parameters(-1.0, **GENERIC), "c is a positive number"),
        (lambda: sampling.optimal([1.0, 0.0]), r"got \[1\.0, 0\.0\]"),
        (lambda: sampling.weighted_sum([1.0, 2.0], [1.0]), "2 tasks need as many probabilities, got 1"),
        (lambda: sampling.weighted_sum([1.0, 2.0], [1.0, 0.0]), "positive and add up to 1"),
        (lambda: sampling.weighted_sum([1.0, 2.0], [0.5, 0.4]), "positive and add up to 1"),
    ],
)
def test_bad_probabilities_are_refused(call: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call()


def test_the_constants_of_all_tasks() -> None:
    tasks = [dict.fromkeys((f"{letter}_{n}" for n in k.ORACLES for letter in "LC"), x) for x in (1.0, 2.0)]
    found = sampling.of_tasks(tasks, [0.25, 0.75], 0.5)
    assert found["m"] == 2
    assert found["C_p"] == found["L_p"] == pytest.approx(5 * (1 / 0.25 + 4 / 0.75))
    assert found["C_2"] == pytest.approx(6 * 4 / 0.25)
    assert found["C_0"] == pytest.approx(2 * 4 + 6 * 16 / 0.25 + 6 * 64 / 0.0625 + 6 * 16 / 0.25)


def test_alike_tasks_cost_m() -> None:
    """C(p)/(m eps^3) is m/eps^3 for uniform p, and so is this project's with M = m."""
    printed = theorem_2.COMPLEXITY.formula.subs(k.C_p, k.m**2)
    own = theorem_2.COMPLEXITY_OWN.formula.subs({k.C_p: k.m**2, theorem_2.largest: k.m})
    assert simplify(printed - k.m / k.accuracy**3) == simplify(own - printed) == 0


# ------------------------------------------------------------------------------------------------- stages


@seeds
def test_stages_halve_the_error_and_the_bound_counts_their_samples(seed: int) -> None:
    rng = np.random.default_rng(seed)
    constants, K = many(rng), int(rng.integers(2, 12))
    values = constants | theorem_2.parameters(1.0, **constants)
    for form in ("repaired", "printed"):
        if form == "printed":  # where tau < 1 its C is larger than that of the form "repaired"
            values["gamma"] *= values["tau"]
        made = theorem_3.plan(K, form, **values)
        assert len(made) == K
        at = THREE.constants(form, precision=1.0, **values)
        for (eta, eps, _), (eta_next, eps_next, T) in pairwise(made):
            assert eta_next == pytest.approx(eta / math.sqrt(2))
            assert eps_next == pytest.approx(eps / 2)
            # The four errors of (15), each at most mu eps_k/5, and the noise: exactly that.
            assert max(at["A"] / eta_next, at["B"] / eta_next**2) <= T
        last = made[-1]
        noise = values["gamma"] * values["C_p"] * at["C_5"] * last[0] ** 2 / (at["C_6"] * values["m"])
        assert noise == pytest.approx(values["mu"] * last[1] / 5, rel=1e-9)
        samples = THREE.numeric(form)(precision=1 / last[1], **values)
        assert sum(T for _, _, T in made) <= samples * (1 + 1e-12) + K
        assert THREE.numeric(form)(precision=0.5 / made[0][1], **values) == math.inf


LEDGER = {
    name: symbol(name)
    for name in ["gamma", "eta", "tau", "lam", "m", "C", "C_5", "C_6", "C_max", "C_p", "mu"]
}
draws = pytest.mark.parametrize("constants", [many(np.random.default_rng(seed)) for seed in range(3)])


def first_stage(constants: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[Any, Any]]:
    """(parameters, constants of Theorem 3 as repaired, values of the ledger's symbols in the first stage)."""
    values = constants | theorem_2.parameters(1.0, **constants)
    at = THREE.constants("repaired", precision=1.0, **values)
    names = {**values, **at, "eta": at["eta_0"]}
    return values, at, {symbol: names[name] for name, symbol in LEDGER.items()}


@draws
def test_beta_gy_of_the_schedule_has_gamma_more(constants: dict[str, Any]) -> None:
    """The schedule's beta_gy is 8 tau C gamma eta^2/lambda and gamma eta^2 (E10)."""
    values, at, _ = first_stage(constants)
    of_theorem_2 = 8 * values["tau"] * at["C"] * values["gamma"] / values["lam"]
    b_gy = THREE.steps("repaired", **values)["b_gy"]
    assert b_gy - of_theorem_2 == pytest.approx(values["gamma"], rel=1e-6)


def test_beta_gy_and_its_noise_are_those_of_the_ledger() -> None:
    """3 beta_gy^2 C(p)/(m eta) is what C_5 has beyond the noise of the other errors."""

    def of_ledger(e: Any) -> Any:
        return e.subs({s: LEDGER[s.name] for s in e.free_symbols})

    left, right = sides("rsvrb/eq-10", "C_5, beta_gy with gamma eta^2 more")
    gamma, eta, share = LEDGER["gamma"], LEDGER["eta"], LEDGER["C_p"] / LEDGER["m"]
    beta = of_ledger(theorem_3.BETA_GY) * eta**2
    more = of_ledger(expand(dict(theorem_3.REPAIRED_CHAIN)[common.C_5] - theorem_2.NOISE))
    assert simplify(3 * beta**2 * share / eta - left) == 0
    assert simplify(gamma**2 * share * more * eta**3 - right) == 0


@draws
@pytest.mark.parametrize("largest", ["Delta", "delta_y", "delta_0", "delta_d"])
def test_each_term_of_13_is_a_fifth_at_t_1(constants: dict[str, Any], largest: str) -> None:
    """The terms of the ledger's (13): the one that decides T_1 is mu eps_1/5, as is the noise."""
    values, at, point = first_stage(constants | {largest: 1e9})
    starts = {
        "Delta": symbol("Delta"),
        "delta_y": symbol("start_y"),
        "delta_0": symbol("start_e"),
        "delta_d": symbol("start_d"),
    }
    point |= {symbol("T"): at["T_1"]} | {start: values[name] for name, start in starts.items()}
    _, right = sides("rsvrb/eq-13", "(12) divided, term by term")
    terms = Add.make_args(right)
    assert len(terms) == 5
    for term in terms:
        part = float(term.subs(point)) / (values["mu"] * at["eps_1"])
        decides = starts[largest] in term.free_symbols or not set(starts.values()) & term.free_symbols
        assert part == pytest.approx(0.2, rel=1e-9) if decides else part < 0.2


@draws
@pytest.mark.parametrize("ratio", [1.01, 1.9, 2.01, 3.9, 4.01, 8.01, 100.0])
def test_the_bound_counts_the_samples_of_a_whole_number_of_stages(
    constants: dict[str, Any], ratio: float
) -> None:
    """Just above a power of 2, eps_1/eps needs a whole stage more (E25)."""
    values, at, _ = first_stage(constants)
    K = 1 + math.ceil(math.log2(ratio))
    made = theorem_3.plan(K, "repaired", **values)
    assert made[-1][1] <= at["eps_1"] / ratio
    bound = THREE.numeric("repaired")(precision=ratio / at["eps_1"], **values)
    assert sum(T for _, _, T in made) <= bound + K
    slow, fast, e = at["A"] / at["eta_0"], at["B"] / at["eta_0"] ** 2, 2 * ratio
    samples = at["T_1"] + slow * math.sqrt(2 * e) / (math.sqrt(2) - 1) + fast * 2 * e
    assert bound == pytest.approx(samples, rel=1e-9)


def test_stages_need_a_number() -> None:
    with pytest.raises(ValueError, match="the number of stages is at least 1, got 0"):
        theorem_3.plan(0, **GENERIC)


# ------------------------------------------------------------------------------------------------ Table 1


def test_table_1() -> None:
    assert {r.method: (r.order, r.slope) for r in table_1.TABLE_1} == {
        "RSVRB": (3, Rational(-2, 3)),
        "STABLE": (4, Rational(-1, 2)),
        "TTSA": (5, Rational(-2, 5)),
        "stocBiO": (4, Rational(-1, 2)),
        "BSA": (6, Rational(-1, 3)),
    }
    assert [r.method for r in table_1.TABLE_1 if r.tasks == 1] == ["RSVRB"]
    assert [r.method for r in table_1.TABLE_1 if r.batch != 1] == ["stocBiO"]
    assert [r.method for r in table_1.TABLE_1 if r.loops == 2] == ["stocBiO", "BSA"]
    free = set(table_1.COLUMNS.values())
    for e in (*(r.samples for r in table_1.TABLE_1), *table_1.GRADIENT_DOMINANT.values()):
        assert e.free_symbols <= free


def test_table_1_and_the_theorems_say_the_same() -> None:
    ours = table_1.TABLE_1[0]
    assert ours.slope == TWO.case("rate").claimed == ONE.case("rate").claimed
    assert simplify(ours.samples - theorem_2.COMPLEXITY.formula) == 0
    # |x - x_*|^2 <= eps needs F - F_* of order mu eps: m/(mu eps) at mu eps.
    at = (k.m / (v.mu * k.accuracy)).subs(k.accuracy, v.mu * k.accuracy)
    assert simplify(at - table_1.GRADIENT_DOMINANT["RE-RSVRB"]) == 0


def test_the_solved_gamma_meets_its_own_condition() -> None:
    """The first two entries are where gamma = sqrt(tau lambda m)/(8 sqrt(C) L_y) for either entry of C."""
    gamma = v.gamma
    for C_entry, solved in (
        (6 * k.L_p / gamma, k.tau * k.lam * k.m / (384 * k.L_p * k.L_y**2)),
        (
            12 * k.C_0 / (k.tau * k.lam),
            k.tau * k.lam * sqrt(k.m) / (16 * sqrt(3) * sqrt(k.C_0) * k.L_y),
        ),
    ):
        limit = k.tau * k.lam * k.m / (64 * C_entry * k.L_y**2)
        assert simplify((gamma**2 - limit).subs(gamma, solved)) == 0
