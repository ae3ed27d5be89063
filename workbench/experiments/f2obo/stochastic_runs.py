"""SF2OBO (Theorem 5.1, Corollary 5.2) on the static sine with Gaussian noise: each variance term by itself.

The regret left by noise is seen with p = 0 (no bias). Which term of sigma^2 max{T^(1+2tau-B_1), T^(1+3tau-b-B_2),
T^(1+2tau-a-B_2)} dominates is chosen by the batches and by a, b. Noise at y and z is uncorrelated (large omega) unless
a point says otherwise: additive noise cancels in line 10 (trap D5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from workbench.algorithms.f2obo.sf2obo import Steps
from workbench.engine.records import Grid
from workbench.experiments.f2obo.sine_runs import NEAR
from workbench.experiments.f2obo.study import GAMMA_PART, STUDY, THEOREM_5_1, beginning, schedule
from workbench.experiments.f2obo.wrong_runs import ENDS
from workbench.experiments.records import Batch
from workbench.experiments.study import always, powers, profile
from workbench.instances.f2obo.sine import Bias, Sine

FAR = 1e4  # omega (y - z) is then some hundred turns: uncorrelated noise at y and z
SIGMA, QUIET = 0.5, 0.05
FAST = 2.0  # gamma L_F of the noise runs: F is 20 times smoother than L_F says, and x must forget in a few rounds
CLOSE = 0.05  # starts lie this close to the minimum x = 0: what is seen is noise, not the way there
EPSILON = 0.5  # kappa_g = 1.25: the theorem's K_t = 4 kappa_g log t stays short
SIXTH, THIRD = 1 / 6, 1 / 3
COROLLARY = {"tau": SIXTH, "a": 0.0, "b": SIXTH, "B_1": 2 * THIRD, "B_2": 2 * THIRD}  # Corollary 5.2
UPPER = {"tau": SIXTH, "a": 0.0, "b": SIXTH, "B_1": THIRD, "B_2": 1.5, "omega": FAR}
INNER = {"tau": SIXTH, "a": 0.0, "b": SIXTH, "B_1": 2.0, "B_2": 0.25, "omega": FAR}  # both terms alike
INNER_Y = {"tau": SIXTH, "a": 0.2, "b": SIXTH, "B_1": 2.0, "B_2": 0.25, "omega": FAR}
INNER_Z = {"tau": SIXTH, "a": 0.0, "b": SIXTH + 0.2, "B_1": 2.0, "B_2": 0.25, "omega": FAR}
ADDITIVE = {**UPPER, "omega": 0.0}
TILT, ABOVE = 0.25, (1.1, 1.2)  # p, and a little beyond the minimum pi/3 that it has with kappa_g = 1.25
EARLY = 0.4  # tau for which b = 0 is unstable from round 5^2.5 = 56 on; 5^6 = 15625 at the corollary's
NOISELESS_TAUS = (0.1, 0.2, 0.3, 0.4)
Point = Mapping[str, float]


def noisy(points: Sequence[Point], horizon: int, runs: int, p: float = 0.0, sigma: float = SIGMA) -> Batch:
    """The schedule of Theorem 5.1 with gamma = FAST / L_F."""
    grid = Grid(points, runs)
    instance = Sine(epsilon=EPSILON, p=p, sigma=sigma, omega=grid["omega"])
    start = beginning(grid, -CLOSE, CLOSE)
    free = {name: grid[name] for name in ("tau", "a", "b", "B_1", "B_2")}
    steps = schedule(THEOREM_5_1, "repaired", instance, start, FAST, T=horizon, **free)
    return Batch(replace(instance, gamma=steps["gamma"]), Steps(**steps), start, grid)


def noiseless(horizon: int, runs: int) -> Batch:
    """sigma = 0 on A with p > 0: the bias of the penalty alone. One inner sample: the batches do not matter."""
    grid = Grid([{"tau": tau} for tau in NOISELESS_TAUS], runs)
    instance, start = Bias(), beginning(grid)
    free = {"tau": grid["tau"], "a": 0.0, "b": grid["tau"], "B_1": 0.0, "B_2": 0.0, "T": horizon}
    steps = schedule(THEOREM_5_1, "repaired", instance, start, GAMMA_PART, **free)
    return Batch(replace(instance, gamma=steps["gamma"]), Steps(**steps), start, grid)


def quiet(horizon: int, runs: int, wrong: bool = False) -> Batch:
    """sigma = 0 at the parameters of Corollary 5.2, gamma = FAST / L_F; wrong: lambda_t = lambda_1."""
    grid = Grid([COROLLARY], runs)
    instance, start = Bias(), beginning(grid, *(ENDS if wrong else NEAR))
    steps = schedule(THEOREM_5_1, "repaired", instance, start, FAST, T=horizon, **COROLLARY)
    if wrong:
        steps |= {"tau": 0.0, "b": 0.0}
    return Batch(replace(instance, gamma=steps["gamma"]), Steps(**steps), start, grid)


def slow_beta(tau: float, horizon: int, runs: int, wrong: bool = True) -> Batch:
    """b = 0 < tau: beta_t lambda_t mu passes 2 at t = (4 kappa_g)^(1/tau), and the steps of y then move away (O-8).

    Without noise and with kappa_g = 1.25; starts near the minimum. The theorem as repaired refuses b < tau, so b is
    put to 0 after the schedule was made at b = tau; not wrong: it stays there.
    """
    point = {**COROLLARY, "tau": tau, "b": tau}
    grid = Grid([point], runs)
    instance, start = Bias(epsilon=EPSILON, p=TILT), beginning(grid, *ABOVE)
    steps = schedule(THEOREM_5_1, "repaired", instance, start, FAST, T=horizon, **point)
    if wrong:
        steps["b"] = 0.0
    return Batch(replace(instance, gamma=steps["gamma"]), Steps(**steps), start, grid)


def compliant(form: str, horizon: int, runs: int) -> Batch:
    """Corollary 5.2 with the theorem's own gamma."""
    grid = Grid([{**COROLLARY, "omega": omega, "sigma": s} for omega in (0.0, FAR) for s in (0.0, 1.0)], runs)
    instance, start = Bias(sigma=grid["sigma"], omega=grid["omega"]), beginning(grid)
    steps = schedule(THEOREM_5_1, form, instance, start, T=horizon, **COROLLARY)
    return Batch(replace(instance, gamma=steps["gamma"]), Steps(**steps), start, grid)


MAIN, WITH_LONG_LOOPS, SHORT = powers(10, 14, 16), powers(9, 12, 15), powers(7, 10, 12)
RUNS = profile(32, 192, 512)
MANY = {**RUNS, "default": 640, "full": 640}
MANY = profile(32, 512, 1024)
FEW = profile(10, 8, 16)

CHOSEN = f"gamma = {FAST:g}/L_F, sigma = {SIGMA:g}, kappa_g = 1.25, starts within {CLOSE:g} of the minimum"

SIMULATIONS = (
    STUDY.simulation(
        "sf-quiet", "SF2OBO on A without noise, parameters of Corollary 5.2", "sf2obo", quiet, powers(9, 13, 16), FEW,
        chosen=f"gamma = {FAST:g}/L_F, sigma = 0",
    ),
    STUDY.simulation(
        "sf-constant-lambda", "SF2OBO on A without noise, constant lambda", "sf2obo", partial(quiet, wrong=True),
        powers(9, 13, 16), FEW, kind="falsifier", chosen="lambda_t = lambda_1, sigma = 0",
    ),
    *(
        STUDY.simulation(
            f"sf-slow-beta-{name}", f"SF2OBO on A without noise, b = 0, tau = {tau:.3g}", "sf2obo",
            partial(slow_beta, tau), always(horizon), FEW, kind="falsifier",
            chosen="b = 0 below tau; sigma = 0, kappa_g = 1.25",
        )
        for name, tau, horizon in (("early", EARLY, 1 << 7), ("corollary", SIXTH, 1 << 14))
    ),
    STUDY.simulation(
        "sf-upper", "SF2OBO, noise of the upper step", "sf2obo", partial(noisy, [UPPER, ADDITIVE]), MAIN, RUNS,
        chosen=CHOSEN,
    ),
    STUDY.simulation(
        "sf-inner", "SF2OBO, noise of the inner steps", "sf2obo", partial(noisy, [INNER]), MAIN, MANY, chosen=CHOSEN
    ),
    *(
        STUDY.simulation(
            f"sf-inner-{name}", f"SF2OBO, noise of the steps of {name}", "sf2obo", partial(noisy, [point]),
            WITH_LONG_LOOPS, RUNS, chosen=CHOSEN,
        )
        for name, point in (("y", INNER_Y), ("z", INNER_Z))
    ),
    STUDY.simulation(
        "sf-corollary", "SF2OBO, parameters of Corollary 5.2", "sf2obo",
        partial(noisy, [{**COROLLARY, "omega": FAR}]), MAIN, MANY, chosen=CHOSEN,
    ),
    STUDY.simulation("sf-noiseless", "SF2OBO on A without noise", "sf2obo", noiseless, powers(11, 14, 18), FEW),
    *(
        STUDY.simulation(
            f"sf-bound-{form}", f"SF2OBO on A, all of Theorem 5.1 ({form})", "sf2obo", partial(compliant, form), SHORT,
            profile(16, 64, 256), kind="compliant", chosen="parameters of Corollary 5.2",
        )
        for form in ("printed", "repaired")
    ),
    STUDY.simulation(
        "sf-constant-batch", "SF2OBO, B_1 = 0", "sf2obo", partial(noisy, [{**UPPER, "B_1": 0.0}], sigma=QUIET), MAIN,
        RUNS, kind="falsifier", chosen=f"upper batch of one; sigma = {QUIET:g}: with more the noise fills the box",
    ),
)  # fmt: skip
