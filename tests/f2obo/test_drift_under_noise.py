"""V_T and H_2,T of the noisy simulations of paper `f2obo`: brute force, closed forms, and what exceeds what."""

from __future__ import annotations

import numpy as np
import pytest
from workbench.theorems.f2obo.experiments import claims_5_1, stochastic_runs
from workbench.theorems.f2obo.experiments.study import STUDY, THEOREM_5_1
from workbench.theorems.f2obo.methods.rounds import stochastic
from workbench.theorems.f2obo.theory.theorem_5_1 import COROLLARY

from workbench.claims.claimed_exponents import by_law
from workbench.claims.usable_rows import Refused
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options

SIMS = stochastic_runs.SIMS
MOVING = ("sf-ripple", "sf-jumps", "sf-critical", "sf-drift", "sf-both", "sf-moving-bound-repaired")
SUMS = ("V_T", "H_2T")


def noisy(name, horizon, seed=0, runs=3):
    options = Options("quick", horizon=horizon, runs=runs, seed=seed, engine="eager")
    return execute(prepare(SIMS[name], options), "numpy")


def brute(instance, T):
    """Suprema over a grid of X, per row, of |F_t - F_(t-1)| and |y*_t - y*_(t-1)|^2, summed up to each round."""
    R = min(float(np.max(instance.R)), 60.0)  # on B X is the whole line, and F_t has period 2 pi/(w epsilon)
    x = np.linspace(-R, R, 4001)[None, :]
    steps = []
    for t in range(2, T + 1):
        (F, y), (F_0, y_0) = (
            (instance.f(s, x, instance.y_star(s, x, np), np), instance.y_star(s, x, np))
            for s in (np.asarray(float(t)), np.asarray(float(t - 1)))
        )
        steps.append([np.abs(F - F_0).max(axis=1), ((y - y_0) ** 2).max(axis=1)])
    rows = max(len(v) for v in steps[-1])
    table = np.array([[np.broadcast_to(v, rows) for v in step] for step in steps])
    return np.concatenate([np.zeros((1, 2, rows)), np.cumsum(table, axis=0)])


@pytest.mark.parametrize("name", MOVING)
def test_drift_sums_by_brute_force(name):
    """What a result records is the sum of suprema for the very instances of its runs."""
    T = 24
    result, instance = noisy(name, T), SIMS[name].make(T, 3).instance
    assert np.all(np.asarray(instance.sigma) > 0)
    sums = brute(instance, T)[result.marks - 1]
    for i, term in enumerate(SUMS):
        recorded = np.broadcast_to(result.constants[term], (result.size, len(result.marks)))
        found = np.broadcast_to(sums[:, i].T, recorded.shape)
        # Two waves of unequal frequency on B are opposite only nearly somewhere on the grid.
        np.testing.assert_allclose(found, recorded, rtol=2e-2 if name == "sf-ripple" else 1e-4, atol=1e-9)


@pytest.mark.parametrize("name", MOVING[1:])
def test_drift_sums_do_not_depend_on_the_noise(name):
    """Other seeds move x_t, but neither V_T nor H_2,T: of these instances nothing is drawn (of B the phases are)."""
    one, other = noisy(name, 32, seed=0), noisy(name, 32, seed=1)
    assert np.any(one.data["regret_sum"] != other.data["regret_sum"])
    for term in SUMS:
        np.testing.assert_array_equal(one.constants[term], other.constants[term])


def test_closed_forms_of_the_drift_sums():
    """V_T = 2 p R (floor(T^a) - 1) on E; H_2,T tends to h^2 (1 + b)^2 T^b/(4 b) on C."""
    T = np.array([2**10, 2**13, 2**16])
    E, C = (SIMS[name].make(64, 2).instance for name in ("sf-jumps", "sf-critical"))
    both = SIMS["sf-both"].make(64, 2).instance
    for instance in (E, both):
        jumps = np.floor(T**instance.a + 1e-9) - 1
        np.testing.assert_allclose(
            instance.drift(T)["V_T"][0], 2 * instance.p * instance.R * jumps, rtol=1e-12
        )
    for instance in (C, both):
        leading = instance.h**2 * (1 + instance.b) ** 2 / (4 * instance.b) * T**instance.b
        ratio = instance.drift(T)["H_2T"][0] / leading
        assert np.all(np.abs(ratio - 1) < 0.03)
        assert abs(ratio[-1] - 1) < abs(ratio[0] - 1)
    assert np.all(E.drift(T)["H_2T"] == 0)
    assert np.all(C.drift(T)["V_T"] == 0)
    assert (E.a, C.b) == (stochastic_runs.JUMPING, stochastic_runs.LAGGING)
    case = COROLLARY.case("drift").when
    assert {
        name: float(e.as_base_exp()[1]) for s, e in case.items() if (name := s.name) in SUMS
    } == pytest.approx({"V_T": both.a, "H_2T": both.b})


def test_each_drift_outgrows_the_other_terms():
    """A reading whose drift grows more slowly than the bias or a variance is refused."""
    law, calm = THEOREM_5_1.law("regret"), stochastic_runs.CALM
    for term, symbol, absent in (("value drift", "v", ()), ("inner drift", "h", ("bias",))):
        right = {"v": stochastic_runs.JUMPING, "h": stochastic_runs.LAGGING}[symbol]
        assert by_law(THEOREM_5_1, law, {**calm, symbol: right}, term, STUDY.vanishing, absent).value == right
        with pytest.raises(ValueError, match="is larger"):
            by_law(THEOREM_5_1, law, {**calm, symbol: 0.3}, term, STUDY.vanishing, absent)
    variances = [e for name, e in law.terms.items() if "variance" in name]
    assert [float(e.subs({s: calm[s.name] for s in e.free_symbols})) for e in variances] == pytest.approx(
        [1 / 3] * 3
    )


def test_what_is_called_absent_is_absent():
    """On E H_2,T vanishes, on C V_T and the tilt; a reading of C's drift on both at once is refused."""
    (jumps,), (lag,) = claims_5_1.JUMPS, claims_5_1.LAG
    jumps.curve({jumps.sim.key: noisy("sf-jumps", 32)})
    lag.curve({lag.sim.key: noisy("sf-critical", 32)})
    with pytest.raises(Refused, match="declared absent"):
        lag.curve({lag.sim.key: noisy("sf-both", 32)})


def test_critical_steps_leave_the_lag_times_lambda_bounded():
    """lambda_t (1 - beta_t lambda_t mu)^K_t stays of order lambda_1; the theorem's K_t give t^(tau - 2)."""
    t = 2.0 ** np.arange(6, 17)
    tau = stochastic_runs.CALM_TAU

    def left(name):
        c = SIMS[name].make(64, 2).steps
        K = stochastic(t, c.K, c.K_0, c.b, c.tau, c.a, np)
        rate = 1 - c.beta * c.lam * t ** (c.tau - c.b)  # mu = 1
        return np.broadcast_to(t**c.tau * rate**K, (1, len(t)))[0]

    critical, own, half = map(left, ("sf-critical", "sf-drift", "sf-half-critical"))
    assert np.all((critical > 0.6) & (critical <= 1.0))
    assert np.all(own < t ** (tau - 2))
    assert np.all(half > 0.8 * t ** (tau / 2) * critical**0.5)


@pytest.mark.parametrize("form", ["printed", "repaired"])
def test_the_bound_contains_both_drift_sums(form):
    """16/gamma V_T and 8064 L_g1^2 c_lambda H_2,T/(1 - rho), with the sums of the instance itself."""
    name = f"sf-moving-bound-{form}"
    result, batch = noisy(name, 64), SIMS[name].make(64, 3)
    found = STUDY.bound(THEOREM_5_1, form, SIMS[name]).curves(result)
    sums = {n: v for n, v in batch.instance.drift(result.marks).items() if n in SUMS}
    assert sums["V_T"][0, -1] > 1
    assert sums["H_2T"][0, -1] > 0.1
    values = {
        **STUDY.known(result),
        **batch.instance.constants(batch.start),
        "T": result.marks[None, :].astype(float),
    }
    still = THEOREM_5_1.numeric(form)(**{**values, "V_T": 0.0, "H_2T": 0.0})
    known = THEOREM_5_1.constants(form, **{**values, "V_T": 0.0, "H_2T": 0.0})
    per_motion = 8064 * values["L_g1"] ** 2 * known["c_lam"] / (1 - known["rho"])
    moved = 16 / known["gamma"] * sums["V_T"] + per_motion * sums["H_2T"]
    np.testing.assert_allclose(found, np.broadcast_to(still + moved, found.shape), rtol=1e-9)
    assert np.all(result.data["regret_sum"] < found)
