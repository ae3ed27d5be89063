"""Theorems 1-6 of the paper `ir_cg` as data: exponents symbolic in p, closed bounds, enclosed suprema, schedules."""

from __future__ import annotations

import dataclasses
import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from exponents import check_exponents
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer, Max, Rational, Symbol, lambdify, limit, log, oo, simplify, symbols
from workbench.theorems.ir_cg.theory import (
    THEOREMS,
    absolute,
    common,
    nonconvex,
    remark_1,
    suprema,
    theorem_1,
    theorem_2,
    theorems_3_4,
    theorems_5_6,
)
from workbench.theorems.ir_cg.theory import constants as k

from workbench.evidence import exponent
from workbench.theory.asymptotics import Undecided, growth, sign_on
from workbench.theory.record import Theorem
from workbench.theory.vocabulary import T

Q = Rational
INF = math.inf
FORMS = [pytest.param(t, f.name, id=f"{t.key}-{f.name}") for t in THEOREMS for f in t.forms]
HALF, UNIT = {k.p: (Integer(0), Q(1, 2))}, {k.p: (Integer(0), Integer(1))}
fast = settings(max_examples=60, deadline=None, derandomize=True)

POINT: dict[str, Any] = {s.name: float(e) for s, e in common.GENERIC.items()}
POINT |= {"hoelder_a": 1.0, "hoelder_r": 2.0}
PLAIN = {s: Symbol(s.name) for s in common.GENERIC}  # without assumptions, as names of arguments


@st.composite
def constants(draw: st.DrawFn, below: float = 0.5) -> dict[str, Any]:
    """Constants that obey the assumptions, with p below `below`."""
    positive = ("D", "varsigma", "c")
    zero = (
        "L_f",
        "L_g",
        "sigma_f",
        "sigma_g",
        "Delta_F",
        "gap_G0",
        "range_F",
        "sup_F",
        "sup_calF",
        "sup_grad_F",
    )
    out: dict[str, Any] = {n: draw(st.floats(0.1, 10)) for n in positive}
    out |= {n: draw(st.just(0.0) | st.floats(0.01, 10)) for n in zero}
    out |= {"gap_F0": draw(st.floats(-3, 0)), "F_0": draw(st.floats(-1, 1)) * out["sup_F"]}
    out["range_G"] = out["gap_G0"] + draw(st.floats(0, 3))
    out |= {"q": draw(st.integers(2, 40)), "d": draw(st.integers(1, 50)), "delta": draw(st.floats(1e-6, 0.5))}
    return {**out, "p": draw(st.floats(0.01, below - 0.01)), "hoelder_a": 1.0, "hoelder_r": 2.0}


# --- exponents ------------------------------------------------------------------------------------------------


OTHER = {
    ("thm-1-outer", "exact gradients", "rate"): k.p
    - 1,  # without noise of any kind: as in the finite-sum case
    ("thm-5-inner", "own", "rate"): Q(-2, 7),  # twice as fast as claimed
}
LOGARITHMS = {  # powers of log t where they are not 1/2 on the outer level (claimed: log; proved: sqrt(log)), else 0
    ("thm-1-outer", "exact gradients", "rate"): 0,
    ("thm-2-outer", "printed", "t = q"): Q(3, 2),  # log q of max(1, q log q/t), and sqrt(log)
    ("thm-2-outer", "repaired", "t = q"): Q(3, 2),
    ("thm-2-outer", "own", "t = q"): Q(3, 2),
    ("own-absolute-gap", "own", "r = 2, p = 1/3"): Q(1, 2),
    ("own-absolute-gap", "own", "r = 1"): Q(1, 2),
}


def test_exponents() -> None:
    """As expressions in p, hence for every p of the range at once."""
    check_exponents(THEOREMS, OTHER)
    for one in THEOREMS:
        for form in one.forms:
            for case in one.cases:
                name = one.key.split("/")[1]
                usual = Q(1, 2) if name.endswith("outer") else 0
                expected = LOGARITHMS.get((name, form.name, case.name), usual)
                assert one.growth(case, form.name).log_power == expected, (name, form.name, case.name)


def test_a_claim_that_holds_for_some_p_only_is_undecided() -> None:
    one = theorem_1.OUTER
    with pytest.raises(Undecided):
        one.agrees(dataclasses.replace(one.case("rate"), claimed=Q(-1, 4)))


def test_ranges_in_the_growth_rules() -> None:
    """What has one sign on the range is decided, what has not is refused, zero is recognised."""
    assert growth(T**k.p + T ** Q(1, 2), T, HALF).power == Q(1, 2)
    assert growth(Max(T**-k.p, T ** (k.p - 1)), T, HALF).power == -k.p
    assert growth(Max(T - 3, 0) ** Q(1, 4), T).power == Q(1, 4)
    with pytest.raises(Undecided, match="vanishing"):
        growth(Max(0, 3 - T), T)
    assert growth(T ** (1 - 2 * k.p) * T ** (2 * k.p) / T, T, UNIT).exponents == ()
    with pytest.raises(Undecided):
        growth(T**-k.p + T ** (k.p - 1), T, UNIT)
    assert (sign_on(k.p - 1, UNIT), sign_on(k.p, UNIT), sign_on(2 * k.p - (k.p + k.p), UNIT)) == (-1, 1, 0)
    with pytest.raises(Undecided):
        sign_on(k.p - Q(1, 2), UNIT)


def test_exponents_that_stay_symbolic_are_not_compared_as_numbers() -> None:
    with pytest.raises(TypeError):
        exponent(-k.p, Q(-1, 4), "at_most")


# --- the exponents that Theorems 5 and 6 minimize --------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "at", "best", "dual"),
    [
        (nonconvex.exponents_one_sample, (Q(2, 7), Q(6, 7)), Q(-1, 7), {1: Q(2, 7), 5: Q(3, 7), 8: Q(2, 7)}),
        (nonconvex.exponents_finite_sum, (Q(1, 2), Q(3, 4)), Q(-1, 4), {1: Q(1, 2), 2: Q(1, 4), 6: Q(1, 4)}),
        (
            nonconvex.exponents_one_sample_own,
            (Q(1, 5), Q(4, 5)),
            Q(-1, 5),
            {0: Q(2, 5), 3: Q(1, 5), 6: Q(2, 5)},
        ),
    ],
)
def test_optimal_exponents(lines: Any, at: tuple[Rational, Rational], best: Rational, dual: dict) -> None:
    """The maximum at the point chosen, and weights under which no other (p, omega) can do better: exact."""
    p, omega = symbols("p omega", positive=True)
    assert max(lines(*at)) == best
    assert sum(dual.values()) == 1
    assert simplify(sum(w * lines(p, omega)[i] for i, w in dual.items()) - best) == 0


# --- closed bounds against suprema -----------------------------------------------------------------------------


@pytest.mark.parametrize("p", [0.05, 0.25, 0.366, 0.45, 0.5, 0.7, 0.95])
@pytest.mark.parametrize("q", [0, 1, 7])
def test_suprema_against_direct_sums(p: float, q: int) -> None:
    """Enclosures against cumulated sums as the paper writes them, and their limits against Lemma 16."""
    n = np.arange(1, 200_001.0)
    sigma = np.maximum(np.arange(0, 200_001.0), q) + 1
    sigma = sigma**-p
    jump = (n + 1) * n * (sigma[:-1] - sigma[1:])
    drift = np.cumsum(jump) / ((n + 1) * n * sigma[1:])
    spread = np.cumsum(jump * sigma[1:]) / ((n + 1) * n * sigma[1:] ** 2)
    found = suprema.spread(p, q)
    assert found.high >= spread[q:].max() * (1 - 1e-9)
    assert found.high <= found.low * (1 + 1e-4)
    if found.at is not None:  # a maximum that is attained
        assert spread[q:].max() == pytest.approx(found.low, rel=1e-9)
        assert spread[found.at - 1] == pytest.approx(found.low, rel=1e-9)
    # The limit is approached like t^-(2 - 2p) from below and like 1/t from above.
    assert abs(spread[-1] / (p / (2 - 2 * p)) - 1) < 20 * n[-1] ** -min(1, 2 - 2 * p) * (q + 1)
    found = suprema.drift(p) if q == 0 else suprema.drift_from(p, q)
    assert found.high >= drift[max(q, 1) - 1 :].max() * (1 - 1e-9)
    assert found.low <= max(drift[max(q, 1) - 1 :].max(), p / (2 - p)) * (1 + 1e-9)
    assert drift[-1] == pytest.approx(p / (2 - p), rel=1e-3)
    if found.at is not None and q == 0:
        assert drift[found.at - 1] == pytest.approx(found.low, rel=1e-12)


def test_ratios_as_the_paper_writes_them() -> None:
    """The symbolic ratios at t = 1 and t = 5 against the recursion that the enclosure uses."""
    at = {k.p: Q(1, 3), k.varsigma: Integer(2)}
    assert suprema.DRIFT_RATIO.subs({suprema.t: 1, **at}).doit().equals(Integer(2) ** Q(1, 3) - 1)
    value = 0.0
    for n in range(1, 6):
        value = (1 + 1 / n) ** (1 / 3) - 1 + (1 - 1 / n) * (1 + 1 / n) ** (-1 / 3) * value
    assert float(suprema.SPREAD_RATIO.subs({suprema.t: 5, **at}).doit()) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("A", "b", "start"), [(160, 0.5, 1), (160, 0.1, 1), (16e6, 0.3, 1), (16, 1.8, 8), (16, 0.3, 8)]
)
def test_log_supremum(A: float, b: float, start: int) -> None:
    n = np.arange(start, 10**6 + 1.0)
    values = (n + 1) ** -b * np.log(A * n**2)
    found = suprema.log_ratio(A, b, start)
    if found.at is not None and found.at < 10**6:
        assert found.low == pytest.approx(values.max(), rel=1e-12)
        assert found.at == start + int(values.argmax())
    assert found.high >= values.max() * (1 - 1e-15)  # libraries round the logarithm in two ways
    closed = float(common.log_supremum(Integer(start), Q(str(A)), Q(str(b))))
    assert closed >= (n**-b * np.log(A * n**2)).max() * (1 - 1e-12)
    assert closed == pytest.approx((n**-b * np.log(A * n**2)).max(), rel=1e-3 if b > 0.2 else 0.3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: suprema.spread(1.0), "p must lie in"),
        (lambda: suprema.one_sample(0.5, 1, 1, 0.1, 1), r"\(0, 0.5\)"),
        (lambda: suprema.log_ratio(0.5, 0.5), "A start"),
    ],
)
def test_bad_parameters_of_suprema(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@fast
@given(constants())
def test_closed_bounds_of_theorem_1(c: dict[str, Any]) -> None:
    """Lemma 6, repaired: closed bounds above the enclosed suprema. The own ones are sharper, C exactly attained."""
    exact = suprema.one_sample(**{n: c[n] for n in ("p", "varsigma", "c", "delta", "d", "L_f", "L_g", "D")},
                               sigma_f=c["sigma_f"], sigma_g=c["sigma_g"], Delta_F=c["Delta_F"])  # fmt: skip
    repaired = theorem_1.INNER.constants("repaired", **c, T=100.0)
    own = theorem_1.INNER.constants("own", **c, T=100.0)
    slack = 1 + 1e-9
    assert exact["C"].high <= repaired["C"] * slack
    assert own["C"] == pytest.approx(exact["C"].low, rel=1e-12)
    assert exact["C_bar"].high <= repaired["C_bar"] * slack
    assert exact["V"].high <= own["V"] * (1 + 1e-4)
    assert own["V"] * 2 == pytest.approx(repaired["V"], rel=1e-12)
    for n in ("C", "V"):
        assert own[n] <= repaired[n] * slack


@fast
@given(constants(below=1.0))
def test_closed_bounds_of_theorem_2(c: dict[str, Any]) -> None:
    """Lemma 11, repaired, and the own bounds against direct maxima of (23) over t <= 1e5."""
    q, p, scale = c["q"], c["p"], c["varsigma"]
    n = np.arange(q, 100_001.0)
    for form, logs, start, late in (("repaired", 16, 16, 4), ("own", 8, 4 * math.sqrt(2), 1)):
        got = theorem_2.INNER.constants(form, **{**c, "gap_F0": min(c["gap_F0"], c["range_F"])}, T=float(q))
        ell = np.sqrt(np.log(logs * n**2 / c["delta"]))
        smooth = got["smooth"] * c["D"] ** 2
        tail = {
            "repaired": 8 * math.sqrt(2) * n - 4 * q,
            "own": 16 * math.sqrt(2) * (math.sqrt(2) * n - q / 2),
        }[form]
        total = (q + 1) * (
            got["M_0"] + smooth * (0.5 + start * ell) * math.log(q)
        ) + late * tail * smooth * ell
        weight = (n + 1) * n * scale * (n + 1) ** -p
        assert (total / weight).max() <= got["C_bar"] * (1 + 1e-9)
        middle = 2 * smooth * (n - q) / weight
        drift = suprema.drift_from(p, q, 500)
        assert c["Delta_F"] * (1 + drift.low) + middle.max() <= (got["C"] + c["Delta_F"] * 1e-9) * (1 + 1e-9)


# --- representations -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "form"), FORMS)
def test_bounds_cover_what_they_say(one: Theorem, form: str) -> None:
    times = np.array([1.0, 3, 4, 5, 6, *10.0 ** np.arange(2, 40, 2)])
    values = one.numeric(form)(**POINT, T=times)
    name = one.key.split("/")[1]
    late = {"thm-6-outer": 5, "own-nonconvex-fs-outer": 5, "thm-6-inner": 6, "own-nonconvex-fs-inner": 6}
    first = 4 if name.startswith("thm-2") or (name in late and form == "repaired") else late.get(name, 1)
    assert (values[times < first] == INF).all()
    assert np.isfinite(values[times >= first]).all()


@fast
@given(constants())
def test_repaired_bounds_exceed_printed_ones(c: dict[str, Any]) -> None:
    """The repairs only add, except in the first line of Lemma 11, which divides by q what was printed undivided."""
    assert theorem_1.INNER.numeric("repaired")(**c, T=1e3) >= theorem_1.INNER.numeric()(**c, T=1e3) * (
        1 - 1e-12
    )
    assert theorem_2.OUTER.numeric("repaired")(**c, T=1e3) >= theorem_2.OUTER.numeric()(**c, T=1e3) * (
        1 - 1e-12
    )
    if c["D"] >= 0.5:  # 8 D against 4
        assert theorem_1.OUTER.numeric("repaired")(**c, T=9.0) >= theorem_1.OUTER.numeric()(**c, T=9.0) * (
            1 - 1e-12
        )


@fast
@given(constants())
def test_own_forms_are_sharper_at_the_admissible_c(c: dict[str, Any]) -> None:
    """c = 1/sqrt(3) (Theorem 1) and c = 1 (Theorem 5) are values that Lemma 3 may have for bounded noise."""
    at = {**c, "c": 1 / math.sqrt(3), "d": 1, "T": 1e3}
    for one in (theorem_1.OUTER, theorem_1.INNER):
        assert one.numeric("own")(**at) <= one.numeric("repaired")(**at) * (1 + 1e-12)
    outer = theorems_5_6.THEOREM_5["outer"]
    assert outer.numeric("own")(**{**at, "c": 1.0}) <= outer.numeric()(**{**at, "c": 1.0}) * (1 + 1e-12)


@cache
def lemma_14_at(names: tuple[str, ...], t: Any) -> Any:
    return lambdify(list(map(Symbol, names)), nonconvex.lemma_14(t, Q(1, 2)).xreplace(PLAIN))


def at_first_steps(c: dict[str, Any], t: Any) -> tuple[float, float]:
    """Lemma 14 at t, and sigma_0 times the sum of its weights."""
    sigma, alpha = c["varsigma"] * (c["q"] + 2) ** -0.5, math.log(c["q"] + 1) / (c["q"] + 1)
    right = lemma_14_at(tuple(c), t)(**c)
    return right, sigma * (1 - (1 - alpha) ** (c["q"] if t == k.q else c["q"] + 1))


@fast
@given(constants(), st.sampled_from([1, 2, 3, 4, 8, 40, 1000, 10**6]))
def test_theorem_6_at_q_and_q_plus_1(c: dict[str, Any], q: int) -> None:
    """Lemma 14 alone gives both bounds there, and each of its terms is in them (I19). q = 1, 2: the proof has cases."""
    c |= {"q": q}
    outer, inner = (theorems_5_6.THEOREM_6[level].numeric("repaired") for level in ("outer", "inner"))
    terms = ("L_f", "L_g", "gap_G0", "sup_F", "sup_calF")
    for only in (terms, *((t,) for t in terms)):
        at = {**c, **{t: c[t] if t in only else 0.0 for t in terms}}
        for t, T_ in ((k.q, q), (k.q + 1, q + 1)):
            right, weights = at_first_steps(at, t)
            assert right + weights * at["sup_calF"] <= inner(**at, T=float(T_)) * (1 + 1e-12), (only, T_)
        assert right / weights <= outer(**at, T=float(q)) * (1 + 1e-12), only


def test_unit_of_length() -> None:
    """x -> s x: L/s^2, D s, noise/s leave F and G as they are. Repaired and own bounds stay, printed ones do not."""
    s = 10.0
    scaled = {**POINT, "D": POINT["D"] * s}
    for n, power in (("L_f", 2), ("L_g", 2), ("sigma_f", 1), ("sigma_g", 1), ("sup_grad_F", 1)):
        scaled[n] = POINT[n] / s**power
    for one in THEOREMS:
        if one is absolute.THEOREM:  # its error bound has a unit of its own
            continue
        for form in one.forms:
            before, after = (one.numeric(form.name)(**c, T=1e4) for c in (POINT, scaled))
            wrong = form.name == "printed" and one.key.endswith(("thm-1-outer", "thm-6-outer"))  # I1, I10
            assert (abs(after / before - 1) > 0.3) if wrong else (after == pytest.approx(before, rel=1e-12))


# --- schedules, conditions, records ----------------------------------------------------------------------------


def test_schedules() -> None:
    one = theorem_1.OUTER.steps(**POINT)
    assert one == {"varsigma": 2 / 3, "p": 0.25, "a": 2, "b": 2, "omega": 1}
    two = theorem_2.INNER.steps("own", **POINT)
    assert two["alpha_0"] == pytest.approx(math.log(4) / 4)
    assert {n: two[n] for n in ("q", "S", "hold")} == {"q": 4, "S": 4, "hold": 4}
    assert all(isinstance(two[n], int) for n in ("q", "S", "hold"))
    five, six = (
        theorems_5_6.THEOREM_5["outer"].steps(**POINT),
        theorems_5_6.THEOREM_6["inner"].steps(**POINT),
    )
    assert (five["a"], five["b"], five["omega"], five["p"]) == (1, 1, 6 / 7, 2 / 7)
    assert (six["hold"], six["q"], six["omega"], six["p"]) == (5, 4, 0.75, 0.5)
    assert six["alpha_0"] == pytest.approx(math.log(5) / 5)
    for pair in (theorems_5_6.THEOREM_5, theorems_5_6.THEOREM_6, theorems_5_6.OWN, theorems_5_6.OWN_FS):
        assert pair["outer"].schedule == pair["inner"].schedule
    grid = np.array([[0.1], [0.4]])
    assert theorem_1.OUTER.steps(**{**POINT, "p": grid})["p"].shape == (2, 1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"p": 0.0}, "p > 0"),
        ({"p": -0.1}, "p > 0"),
        ({"varsigma": 0.0}, "varsigma > 0"),
        ({"q": 0}, "q >= 1"),
    ],
)
def test_a_parameter_that_is_not_positive_is_refused(wrong: dict[str, float], message: str) -> None:
    """The symbols are declared positive; numbers are not."""
    theorems = (theorem_2.OUTER, theorem_2.INNER) if "q" in wrong else (theorem_1.OUTER, theorem_2.INNER)
    for one in theorems:
        with pytest.raises(ValueError, match=message):
            one.steps(**{**POINT, "q": 4, "p": 0.25, **wrong})


def test_costs_of_remark_1() -> None:
    """eps^-4 and eps^-2 at the printed p, where they are least: anywhere else they are larger."""
    for cost, p, exponent_ in ((remark_1.ONE_SAMPLE, Q(1, 4), -4), (remark_1.FINITE_SUM, Q(1, 2), -2)):
        assert cost.exponent_at(p) == cost.exponent == exponent_
        assert cost.best_p() == cost.p == p
        for other in (p - Q(1, 10), p + Q(1, 10)):
            assert cost.exponent_at(other) < exponent_
    n, S = 10_000, 100
    assert remark_1.FINITE_SUM.calls.subs(k.q, S) * S == n + (S - 1) * S  # over one period of q = S = sqrt(n)


@pytest.mark.parametrize(
    ("one", "p"), [(theorem_1.OUTER, 0.5), (theorem_1.INNER, 0.7), (theorem_2.OUTER, 1.0)]
)
def test_a_decay_out_of_range_is_refused(one: Theorem, p: float) -> None:
    with pytest.raises(ValueError, match="p < 1"):
        one.steps(**{**POINT, "p": p})


@pytest.mark.parametrize("sequence", [theorems_3_4.POWER, theorems_3_4.LOGARITHM], ids=lambda s: s.name)
@pytest.mark.parametrize("p", [Q(1, 4), Q(3, 4)])
def test_conditions_on_the_regularization(sequence: theorems_3_4.Regularization, p: Rational) -> None:
    """Conditions 1-3, and the inequality of Condition 4: for (t+1)^-p Condition 3 holds iff p < 1/2."""
    t = theorems_3_4.t
    sigma = sequence.sigma.subs({k.p: p, k.varsigma: 1})
    later = sigma.subs(t, t + 1)
    n = np.concatenate([np.arange(0.0, 1000.0), 10.0 ** np.arange(3, 12)])
    value = np.array([float(sigma.subs(t, int(i))) for i in n])
    after = np.array([float(later.subs(t, int(i))) for i in n])
    assert (after < value).all()
    assert limit(sigma, t, oo) == 0
    assert limit(t * (sigma / later - 1), t, oo) == sequence.L.subs(k.p, p)
    slow = sequence.L.subs(k.p, p) < Q(1, 2)
    assert ((n + 1) * after**2 > n * value**2).all() == slow
    assert limit(log(t) / (t * sigma**2), t, oo) == (0 if slow else oo)
    assert ((n + 1) * after > n * value).all()
