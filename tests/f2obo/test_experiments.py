"""Experiments of paper `f2obo`: claimed exponents, schedules, bad input, reading by horizon, falsifiers that build."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from workbench.theorems.f2obo.experiments import (
    adaptive_runs,
    claims_4_1,
    compared_runs,
    sine_runs,
    stochastic_runs,
    vector_runs,
)
from workbench.theorems.f2obo.experiments.study import (
    STUDY,
    THEOREM_3_1,
    THEOREM_3_2,
    THEOREM_4_1,
    THEOREM_5_1,
    beginning,
    schedule,
)
from workbench.theorems.f2obo.methods import f2obo, sf2obo
from workbench.theorems.f2obo.problems.sine import Bias, Drift, Jumps, Sine
from workbench.theorems.f2obo.problems.vector import VectorSine, at_rest
from workbench.theorems.f2obo.theory import witness

from workbench.claims.claimed_exponents import by_law
from workbench.claims.mutation import mutant
from workbench.claims.views import at_horizons, calls_of, increments
from workbench.engine.records import Grid, Problem, Run
from workbench.evidence import rates
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options

GRID = Grid([{"tau": 0.3}], 2)
START = beginning(GRID)


def run(module, name, horizon, runs=2):
    sim = module.SIMS[name]
    return sim, execute(prepare(sim, Options("quick", horizon=horizon, runs=runs, engine="eager")), "numpy")


# ------------------------------------------------------------------------------------- claimed exponents


def claimed(theorem, law="regret", term="", forgets=True, **at):
    """The exponent of a law where everything else stands still."""
    absent = ("bias",) if term and term != "bias" else ()
    return by_law(theorem, theorem.law(law), at, term, STUDY.vanishing, absent, forgets).value


def test_claimed_exponents_are_those_of_the_text():
    """L168-176, L184-194, L234-244, L283-295 by hand."""
    assert claimed(THEOREM_3_1, tau=0.3) == pytest.approx(0.4)
    assert claimed(THEOREM_3_1, tau=0.75) == pytest.approx(-0.5)
    assert claimed(THEOREM_3_1, tau=0.75, forgets=False) == 0.0
    assert claimed(THEOREM_3_1, tau=0.75, v=0.6, h=0.2) == pytest.approx(0.6)
    assert claimed(THEOREM_3_1, "regret, shrinking c", tau=0.75, h=0.5) == pytest.approx(-0.5)
    assert claimed(THEOREM_3_2, tau=1 / 3, v=0.0, h=0.0) == pytest.approx(2 / 3)  # T^(2/3) P_T
    assert claimed(THEOREM_3_2, term="value drift", tau=0.2, v=0.5) == pytest.approx(0.7)
    assert claimed(THEOREM_4_1, "iterations", tau=1.0, h=1.0) == pytest.approx(3.0)
    assert stochastic_runs.COROLLARY["B_1"] == pytest.approx(2 / 3)
    assert claimed(THEOREM_5_1, **stochastic_runs.COROLLARY) == pytest.approx(2 / 3)


def test_the_single_loop_does_not_show_its_bias_alone_from_a_third_on():
    """T^tau of the start is then the larger term of the theorem."""
    assert claimed(THEOREM_3_2, term="bias", tau=0.33) == pytest.approx(0.34)
    with pytest.raises(ValueError, match=r"'start' \(0.4\) is larger"):
        claimed(THEOREM_3_2, term="bias", tau=0.4)


# --------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        (Bias(p=1.2), r"\|p\| <= epsilon v w"),
        (Bias(p=0.5, R=0.4), "minimizer of F_t leaves X"),
        (Jumps(p=0.3, phi=-math.pi / 2 - 1.8), "minimizer of F_t leaves X"),
        (Drift(b=0.0), "b > 0"),
        (Jumps(a=1.2), "0 <= a <= 1"),
        (VectorSine(p=0.7), r"\|p \(A 1\)_i\| <= 1"),
        (VectorSine(p=np.array([[0.3], [0.7]])), r"\|p \(A 1\)_i\| <= 1"),
        (VectorSine(phi=-math.pi / 2 - 1.5), "minimizer of F_t leaves X"),
        (VectorSine(h=0.1, b=0.0), "b > 0"),
        (VectorSine(h=0.1, oscillates=True), "h = 0"),
    ],
)
def test_a_drift_that_leaves_the_feasible_set_is_refused(instance, message):
    with pytest.raises(ValueError, match=message):
        schedule(THEOREM_3_1, "repaired", instance, START, tau=0.3, T=100.0)


def test_a_start_outside_the_feasible_set_is_refused():
    outside = {name: x + 2.0 for name, x in START.items()}
    with pytest.raises(ValueError, match="x_1 must lie in X"):
        schedule(THEOREM_3_1, "repaired", Bias(), outside, tau=0.3, T=100.0)


def test_the_families_pass_their_own_check():
    vectors = (VectorSine(p=np.array([[0.0], [0.3]]), h=0.1), vector_runs.OSCILLATING)
    for instance in (Bias(), Drift(), Jumps(), Sine(p=np.array([[0.0], [0.9]])), *vectors):
        instance.check()


# --------------------------------------------------------------------------------------------- schedules


def test_inner_steps_meet_the_condition_of_the_proof():
    """lambda_t^2 rho^K_t <= c at every round, with no step to spare but one (anytime form of Theorem 3.1)."""
    steps = schedule(THEOREM_3_1, "anytime", Bias(), START, tau=0.5, T=1000.0)
    for t in (1.0, 10.0, 1000.0):
        K = int(f2obo.growing(np.asarray(t), steps["K"], steps["K_0"], steps["K_log"], np))
        left = (2.1 * t**0.5) ** 2 * (7 / 8) ** K
        assert left <= 1.0 + 1e-9
        assert steps["K"] == K or left >= 7 / 8 - 1e-9


def test_critical_steps_are_a_fraction_of_the_theorems():
    """lambda_t^2 (1 - r/kappa_g)^(2 K_t) = c up to rounding up."""
    critical = sine_runs.SIMS["critical"]
    c = critical.make(1024, 2).steps
    for t in (100.0, 1000.0):
        K = f2obo.growing(np.asarray(t), c.K, c.K_0, c.K_log, np)[0, 0]
        left = (2.1 * t**0.75) ** 2 * (1 - 0.05 / 2) ** (2 * K)
        assert (1 - 0.05 / 2) ** 2 - 1e-9 <= left <= 1 + 1e-9


def test_practical_gamma_is_the_smoothness_part():
    """gamma = 1/(2 L_F), L_F = (1 + kappa_g)^2 v w^2 = 9 on A."""
    assert schedule(THEOREM_3_1, "anytime", Bias(), START, 0.5, tau=0.3, T=64.0)["gamma"] == pytest.approx(
        1 / 18
    )
    compliant = schedule(THEOREM_3_1, "repaired", Bias(), START, tau=0.3, T=64.0)["gamma"]
    assert 0 < compliant < 1e-3


def test_samples_are_what_the_listing_draws():
    chosen = {"K": 2.0, "K_0": 1.0, "a": 0.0, "b": 0.5, "tau": 0.5, "B_1": 1.0, "B_2": 0.5}
    steps = {name: np.array([[value]]) for name, value in chosen.items()}
    expected = 0
    for t in range(1, 7):
        expected += 2 * max(1, math.ceil(2 * math.log(t))) * math.ceil(t**0.5) + 2 * t
    assert compared_runs.samples(steps, 6) == expected


# ----------------------------------------------------------------------------------------- reading results


def test_every_horizon_has_its_own_rows():
    """Rows of horizon 256 are read at 256, with delta_y = 1/16; later rounds of theirs do not count."""
    sim, result = run(adaptive_runs, "af-oscillation", 512)
    values, horizons = at_horizons(result, "regret_sum", result.rows(tau=1.0))
    assert horizons.tolist() == [32.0, 64.0, 128.0, 256.0, 512.0]
    rows = result.rows(tau=1.0, until=256.0)
    np.testing.assert_array_equal(values[:, 3], result.data["regret_sum"][rows, result.at(256)])
    batch = sim.make(512, 2)
    np.testing.assert_allclose(np.unique(batch.steps.delta_y), np.sort(horizons**-0.5))
    counted, _ = at_horizons(result, calls_of("gradient"), result.rows(tau=1.0))
    assert np.all(counted > 5 * horizons)
    assert adaptive_runs.horizons(100) == [32.0, 64.0]
    assert adaptive_runs.horizons(3) == [3.0]
    assert adaptive_runs.horizons(1 << 11) == [256.0, 512.0, 1024.0, 2048.0]


def test_no_inner_problem_is_left_unsolved():
    """K_MAX is a guard that the theorem's runs never touch."""
    sim = adaptive_runs.SIMS["af-oscillation"]
    batch = sim.make(256, 2)
    from discover import trajectory
    from workbench.theorems.f2obo.methods import af2obo

    last = trajectory(af2obo, batch.instance, batch.steps, batch.start, batch.grid.run_ids, 256)[-1]
    assert np.all(last.unsolved == 0)
    assert np.max(last.steps_y + last.steps_z) > 256


def test_inner_steps_are_counted_by_the_meter():
    """I_T from the metered gradients is what the state of AF2OBO counts."""
    sim, result = run(adaptive_runs, "af-drift", 64)
    batch = sim.make(64, 2)
    from discover import trajectory
    from workbench.theorems.f2obo.methods import af2obo

    last = trajectory(af2obo, batch.instance, batch.steps, batch.start, batch.grid.run_ids, 64)[-1]
    metered = claims_4_1.inner_steps(result)[:, result.at(64)]
    np.testing.assert_array_equal(metered, (last.steps_y + last.steps_z)[:, 0])
    assert metered.min() > 64


def test_the_count_of_a_form_is_read_like_its_bound():
    sim, result = run(adaptive_runs, "af-drift", 64)
    count = STUDY.bound(THEOREM_4_1, "T log T", sim, of="I_T").curves(result)
    bound = STUDY.bound(THEOREM_4_1, "T log T", sim).curves(result)
    assert count.shape == bound.shape == (result.size, len(result.marks))
    steps = claims_4_1.inner_steps(result)
    own = result.params["until"] == 64.0
    assert np.all(steps[own, -1] < count[own, -1])
    assert np.all(steps[own, -1] > count[own, -1] / claims_4_1.TOO_SMALL)


def test_bound_uses_the_drift_measured_up_to_each_mark():
    """By hand on E: V_T enters with 16/gamma."""
    sim, result = run(sine_runs, "bound-3.1-repaired", 64)
    bound = STUDY.bound(THEOREM_3_1, "repaired", sim).curves(result)
    batch = sim.make(64, 2)
    rows = result.rows(p=0.3, tau=1.0)
    values = {
        "V_T": 0.0,
        "H_2T": 0.0,
        "E_fT": 0.0,
        "E_gT": 0.0,
        "c": 1.0,
        "r_alpha": 1.0,
        "r_beta": 0.5,
        "r_gamma": 1.0,
    }
    known = batch.instance.constants(batch.start)
    values |= {k: np.broadcast_to(v, (result.size, 1))[rows] for k, v in known.items()}
    values |= {"lam_1": 2.1, "tau": 1.0, "T": result.marks[None, :].astype(float)}
    still = THEOREM_3_1.numeric("repaired")(**values)
    gamma = THEOREM_3_1.constants("repaired", **values)["gamma"]
    V_T = batch.instance.drift(result.marks)["V_T"][rows]
    assert V_T[0, -1] > 1.0
    np.testing.assert_allclose(bound[rows], still + 16 / gamma * V_T, rtol=1e-9)


# ---------------------------------------------------------------------------------------------- falsifiers


@pytest.mark.parametrize("name", sine_runs.MUTATIONS)
def test_wrong_twins_differ_from_the_method(name):
    """Each mutation finds its line and changes the first or second step."""
    from discover import trajectory

    wrong = mutant(f2obo, sine_runs.MUTATIONS[name])
    batch = sine_runs.double([{"tau": 0.4}], Bias())(16, 2)
    ids = batch.grid.run_ids
    right, other = (
        trajectory(m, batch.instance, batch.steps, batch.start, ids, 3)[-1] for m in (f2obo, wrong)
    )
    assert np.any(right.x != other.x)


def test_swapped_goes_the_other_way():
    """Line 9 with y and z exchanged reverses the direction: on A, where grad_x f = -p is left out (p = 0)."""
    from discover import trajectory

    wrong = mutant(f2obo, sine_runs.MUTATIONS["swapped"])
    batch = sine_runs.double([{"tau": 0.4}], Bias(p=0.0))(16, 2)
    ids = batch.grid.run_ids
    start = batch.start["x"]
    right, other = (
        trajectory(m, batch.instance, batch.steps, batch.start, ids, 1)[-1] for m in (f2obo, wrong)
    )
    np.testing.assert_allclose(right.x - start, start - other.x, rtol=1e-12)


@pytest.mark.parametrize("tau", [0.4, 1 / 3])
def test_steps_of_y_are_unstable_where_algebra_says(tau):
    """b = 0: beta_t lambda_t mu = t^tau/(2 kappa_g) passes 2 at (4 kappa_g)^(1/tau); with b = tau it stays put."""
    edge = 5 ** (1 / tau)
    for wrong in ({"b": 0.0}, {}):
        c = stochastic_runs.slow_beta(tau, **wrong)(128, 2).steps
        rate = [float(np.max(c.beta * t**-c.b * c.lam * t**c.tau)) for t in (0.99 * edge, 1.01 * edge)]
        assert (rate[0] < 2 < rate[1]) == bool(wrong)
        assert wrong or rate[0] == pytest.approx(1 / (2 * 1.25))


def slope_of(batch, algorithm, horizon):
    """Slope of the increments over the last octaves, eager."""
    from workbench.engine.choice import simulate
    from workbench.engine.marks import log_marks

    problem = Problem(algorithm, batch.instance, batch.steps, batch.start, batch.grid)
    result = simulate(problem, Run(log_marks(horizon), seed=1, engine="eager"))
    values, marks = increments(result, "regret_sum", result.rows())
    return rates.window_slopes(values, marks, (marks[-1] / 64, marks[-1])).tail.value


def test_twins_that_keep_to_their_range_keep_their_slope():
    """The instances of the falsifiers are fair: with admissible exponents the claimed slopes are seen there."""
    bias = claimed(THEOREM_5_1, "regret, noiseless", tau=stochastic_runs.EARLY)
    early = stochastic_runs.EARLY
    assert slope_of(stochastic_runs.slow_beta(early)(128, 4), sf2obo, 128) < bias + 0.05
    assert slope_of(stochastic_runs.slow_beta(early, b=0.0)(128, 4), sf2obo, 128) > bias + 1.0
    tau, b = sine_runs.MILD["tau"], sine_runs.MILD["b"]
    wrong = sine_runs.STEEP_SINGLE(2048, 4)
    steps = wrong.steps._replace(tau=tau, b=tau, p=tau)
    term = claimed(THEOREM_3_2, term="inner drift", tau=tau, h=b, e=b, g=b)
    assert slope_of(dataclasses.replace(wrong, steps=steps), f2obo, 2048) < term + 0.04
    assert slope_of(wrong, f2obo, 2048) > term + 0.4


# ------------------------------------------------------------------------------------------------ levels


def test_coupled_level_is_the_limit_of_the_penalty():
    """Newton on both gradients of the penalty value in R^3: |grad F| lambda tends to the level, Q and A not trivial."""
    instance, lam, t = VectorSine(p=0.3), 1e4, np.asarray(1.0)
    q, e = at_rest(instance)
    np.testing.assert_allclose(q @ instance.A, np.full((1, 3), 0.3))
    np.testing.assert_allclose(e @ instance.Q, q)

    def residual(v):
        x, y = v[None, :3], v[None, 3:]
        upper = instance.grad_x_f(t, x, y, xp=np) + lam * instance.grad_x_g(t, x, y, xp=np)
        inner = instance.grad_y_f(t, x, y, xp=np) + lam * instance.grad_y_g(t, x, y, xp=np)
        return np.concatenate([upper, inner], axis=1)[0]

    u = np.arcsin(q)
    v = np.concatenate([u @ instance.A, u], axis=1)[0]
    for _ in range(6):
        J = np.stack([(residual(v + 1e-6 * d) - residual(v - 1e-6 * d)) / 2e-6 for d in np.eye(6)], axis=1)
        v = v - np.linalg.solve(J, residual(v))
    gap = lam * np.linalg.norm(instance.hypergradient(t, v[None, :3], np))
    level = np.linalg.norm(witness.coupled_level.value(q_i=q, e_i=e))
    assert gap == pytest.approx(level, rel=1e-3)
    assert gap != pytest.approx(np.linalg.norm(witness.coupled_level.value(q_i=q, e_i=q)), rel=0.3)


def test_vector_schedules_know_their_constants():
    """kappa_g = 4 and L_F = 25: gamma = 2/25; rows of three coordinates drawn apart."""
    sims = vector_runs.SIMS
    batch = sims["vector-sl-bias"].make(64, 3)
    assert batch.steps.gamma == pytest.approx(0.08)
    assert batch.start["x"].shape == (3 * len(vector_runs.SL_TAUS), 3)
    assert np.unique(batch.start["x"]).size == 9
    assert sims["wrong-vector-constant-lambda"].make(64, 2).steps.tau == 0.0
    assert np.all(sims["vector-bound-3.2-repaired"].make(64, 2).steps.gamma < 1e-4)
