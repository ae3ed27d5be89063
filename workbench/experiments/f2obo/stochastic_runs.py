"""SF2OBO (Theorem 5.1, Corollary 5.2) on the static sine with Gaussian noise: each variance term by itself.

p = 0 leaves noise as the only cause of regret. The batches and a, b decide which term of sigma^2 max{T^(1+2tau-B_1),
T^(1+3tau-b-B_2), T^(1+2tau-a-B_2)} dominates. The noise at y and z is uncorrelated (large omega) except in `ADDITIVE`:
additive noise cancels in line 10 (pitfall D5).
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from workbench.experiments.f2obo.sine_runs import ENDS, NEAR
from workbench.experiments.f2obo.study import (
    FAST,
    THEOREM_5_1,
    Points,
    Scheduled,
    beginning,
    columns,
    falsifier,
    over,
    simulation,
    under_bound,
)
from workbench.experiments.study import always, powers, profile
from workbench.instances.f2obo.sine import Bias, Sine

FAR = 1e4  # omega: the phase omega (y - z) then is hundreds of turns, and the noise at y and z uncorrelated
SIGMA, QUIET = 0.5, 0.05
CLOSE = 0.05  # distance of starts from the minimum x = 0, small so that noise outweighs the transient
EPSILON = 0.5  # kappa_g = 1.25: the theorem's K_t = 4 kappa_g log t stays short
SIXTH, THIRD = 1 / 6, 1 / 3
COROLLARY = {"tau": SIXTH, "a": 0.0, "b": SIXTH, "B_1": 2 * THIRD, "B_2": 2 * THIRD}  # Corollary 5.2
UPPER = {"tau": SIXTH, "a": 0.0, "b": SIXTH, "B_1": THIRD, "B_2": 1.5, "omega": FAR}
INNER = {
    "tau": SIXTH,
    "a": 0.0,
    "b": SIXTH,
    "B_1": 2.0,
    "B_2": 0.25,
    "omega": FAR,
}  # equal exponents of y and z
INNER_Y = {"tau": SIXTH, "a": 0.2, "b": SIXTH, "B_1": 2.0, "B_2": 0.25, "omega": FAR}
INNER_Z = {"tau": SIXTH, "a": 0.0, "b": SIXTH + 0.2, "B_1": 2.0, "B_2": 0.25, "omega": FAR}
ADDITIVE = {**UPPER, "omega": 0.0}
TILT = 0.25  # p of the runs with b = 0 < tau
EARLY = (
    0.4  # tau at which b = 0 is unstable from round 5^2.5 = 56 on; at the corollary's, from 5^6 = 15625 on
)
NOISELESS_TAUS = (0.1, 0.2, 0.3, 0.4)
BOUND_SIGMAS = (0.0, 1.0)

close = partial(beginning, low=-CLOSE, high=CLOSE)
above = partial(beginning, low=1.1, high=1.2)  # beyond the minimum pi/3 that `TILT` has with kappa_g = 1.25

repaired = partial(Scheduled, THEOREM_5_1, "repaired")
at_corollary: Any = partial(repaired, [COROLLARY], Bias(), FAST, given=COROLLARY)


def noisy(points: Points, sigma: float = SIGMA) -> Scheduled:
    return repaired(points, columns(Sine, "omega", epsilon=EPSILON, sigma=sigma), FAST, close)


def slow_beta(tau: float, **wrong: float) -> Scheduled:
    """b = 0 < tau: beta_t lambda_t mu exceeds 2 from t = (4 kappa_g)^(1/tau) on, and y diverges (O-8).

    Without noise, kappa_g = 1.25, starts near the minimum. The repaired theorem refuses b < tau, so the wrong b
    replaces the right one in a schedule for b = tau.
    """
    point = {**COROLLARY, "tau": tau, "b": tau}
    return repaired([point], Bias(epsilon=EPSILON, p=TILT), FAST, above, given=point, wrong=wrong)


MAIN, WITH_LONG_LOOPS = powers(10, 14, 16), powers(9, 12, 15)
RUNS, MANY, FEW = profile(32, 192, 512), profile(32, 512, 1024), always(24)

CHOSEN = f"gamma = {FAST:g}/L_F, sigma = {SIGMA:g}, kappa_g = 1.25, starts within {CLOSE:g} of the minimum"

SIMULATIONS = (
    simulation(
        "sf-quiet", "SF2OBO on A without noise, parameters of Corollary 5.2", "sf2obo", at_corollary(begin=NEAR),
        powers(9, 13, 16), FEW, chosen=f"gamma = {FAST:g}/L_F, sigma = 0",
    ),
    falsifier(
        "sf-constant-lambda", "SF2OBO on A without noise, constant lambda", "sf2obo",
        at_corollary(begin=ENDS, wrong={"tau": 0.0, "b": 0.0}), powers(9, 13, 16), FEW,
        chosen="lambda_t = lambda_1, sigma = 0",
    ),
    *(
        falsifier(
            f"sf-slow-beta-{name}", f"SF2OBO on A without noise, b = 0, tau = {tau:.3g}", "sf2obo",
            slow_beta(tau, b=0.0), always(horizon), FEW, chosen="b = 0 below tau; sigma = 0, kappa_g = 1.25",
        )
        for name, tau, horizon in (("early", EARLY, 1 << 7), ("corollary", SIXTH, 1 << 14))
    ),
    simulation(
        "sf-upper", "SF2OBO, noise of the upper step", "sf2obo", noisy([UPPER, ADDITIVE]), MAIN, RUNS, chosen=CHOSEN
    ),
    simulation("sf-inner", "SF2OBO, noise of the inner steps", "sf2obo", noisy([INNER]), MAIN, MANY, chosen=CHOSEN),
    *(
        simulation(
            f"sf-inner-{name}", f"SF2OBO, noise of the steps of {name}", "sf2obo", noisy([point]), WITH_LONG_LOOPS,
            RUNS, chosen=CHOSEN,
        )
        for name, point in (("y", INNER_Y), ("z", INNER_Z))
    ),
    simulation(
        "sf-corollary", "SF2OBO, parameters of Corollary 5.2", "sf2obo", noisy([{**COROLLARY, "omega": FAR}]), MAIN,
        MANY, chosen=CHOSEN,
    ),
    # The bias of the penalty alone. One sample per batch, since batches do not matter without noise.
    simulation(
        "sf-noiseless", "SF2OBO on A without noise", "sf2obo",
        repaired(over("tau", NOISELESS_TAUS), Bias(), given={"a": 0.0, "B_1": 0.0, "B_2": 0.0}), powers(11, 14, 18),
        FEW,
    ),
    *under_bound(
        THEOREM_5_1, "sf-bound", "SF2OBO on A", "sf2obo",
        over("omega sigma", product((0.0, FAR), BOUND_SIGMAS), **COROLLARY), columns(Bias, "sigma omega"),
        powers(7, 10, 12), profile(24, 64, 256), chosen="parameters of Corollary 5.2", given=COROLLARY,
    ),
    falsifier(
        "sf-constant-batch", "SF2OBO, B_1 = 0", "sf2obo", noisy([{**UPPER, "B_1": 0.0}], sigma=QUIET), MAIN, RUNS,
        chosen=f"upper batch of one; sigma = {QUIET:g}: with more noise x would reach the ends of X",
    ),
)  # fmt: skip
