"""SF2OBO (Theorem 5.1, Corollary 5.2) on the sine with Gaussian noise: each variance term and each drift by itself.

p = 0 leaves noise as the only cause of regret. The batches and a, b decide which term of sigma^2 max{T^(1+2tau-B_1),
T^(1+3tau-b-B_2), T^(1+2tau-a-B_2)} dominates. The noise at y and z is uncorrelated (large omega) except in `ADDITIVE`:
additive noise cancels in line 10 (pitfall D5).

Where something moves, the batches of `CALM` let all three grow like T^(1/3) only, less than V_T on E and H_2,T on C. On
B (`sf-ripple`) V_T dominates whatever the method does; on E it must follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import Any

from workbench import Grid, Mutation, always, over, powers, profile
from workbench.claims import AS_READ, first_draws, named

from ..problems.sine import Bias, Drift, Jumps, Ripple, Sine
from .sine_runs import ENDS, NEAR
from .study import (
    FAST,
    THEOREM_5_1,
    Points,
    Scheduled,
    beginning,
    columns,
    falsifier,
    simulation,
    under_bound,
)

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
GROW = 0.8  # exponent of V_T where it drifts under noise
# Where E or C moves: every variance of order T^(1/3), and a = b - tau, so that y and z contract alike.
CALM_TAU, SLOWER = 0.3, 0.12
CALM = {
    "tau": CALM_TAU,
    "a": SLOWER,
    "b": CALM_TAU + SLOWER,
    "B_1": 1 + 2 * CALM_TAU - THIRD,
    "B_2": 1 + 2 * CALM_TAU - SLOWER - THIRD,
}
JUMPING, LAGGING = 0.6, 0.8  # exponents of V_T on E, above the bias 1 - 2 tau = 0.4, and of H_2,T on C
LAG = 0.3  # h on C
LOUD = 1.0  # sigma where V_T, H_2,T and the variances all are of order T^(2/3), L64
BOTH = {"p": 0.2, "a": 2 * THIRD, "h": 0.1, "b": 2 * THIRD, "sigma": LOUD}
SHRINKING = 0.3  # gamma_t of order t^-0.3 in a twin, which then cannot follow E
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


def noisy_ripple(grid: Grid) -> Ripple:
    """V_T of order T^GROW, above the T^(2/3) of the corollary's other terms."""
    unit = first_draws(grid)(1)
    return Ripple(grow=GROW, sigma=SIGMA, omega=FAR, u_0=unit.uniform(1), u_1=unit.uniform(1, 1))


def jumping() -> Scheduled:
    """E, where x must follow the minimizer after each of about T^JUMPING jumps."""
    return repaired([CALM], Jumps(a=JUMPING, sigma=SIGMA, omega=FAR), FAST, close, given=CALM)


def lagging(**more: Any) -> Scheduled:
    """C, where y* drifts away from y in one direction."""
    instance = Drift(b=LAGGING, h=LAG, sigma=SIGMA, omega=FAR)
    return repaired([CALM], instance, FAST, close, given=CALM, **more)


def critical(steps: Mapping[str, Any], part: float = 1.0) -> dict[str, Any]:
    """K_t on C for which lambda_t^2 times the squared contraction stays bounded (pitfall D4); ``part`` of this K_t.

    The theorem's K_t = 4 kappa_g t^(b - tau) log t contracts the distance to y* by t^-2, (1 - beta_t lambda_t mu)^K_t
    with beta_t lambda_t mu = t^(tau - b)/(2 kappa_g), and its square by t^-4; t^(-2 tau) needs tau/2 of these steps.
    """
    return {"K": part * steps["tau"] / 2 * steps["K"]}


def slow_beta(tau: float, **wrong: float) -> Scheduled:
    """b = 0 < tau: beta_t lambda_t mu exceeds 2 from t = (4 kappa_g)^(1/tau) on, and y diverges (O-8).

    Without noise, kappa_g = 1.25, starts near the minimum. The repaired theorem refuses b < tau, so the wrong b
    replaces the right one in a schedule for b = tau.
    """
    point = {**COROLLARY, "tau": tau, "b": tau}
    return repaired([point], Bias(epsilon=EPSILON, p=TILT), FAST, above, given=point, wrong=wrong)


MAIN, WITH_LONG_LOOPS = powers(10, 14, 16), powers(9, 12, 15)
MOVING = powers(10, 13, 16)
RUNS, MANY, MOST, FEW = (
    profile(32, 256, 512),
    profile(32, 512, 1024),
    profile(32, 1024, 1024),
    profile(24, 24, 32),
)

SHRINKING_STEP = Mutation(
    f"gamma_t of order t^-{SHRINKING:g}",
    "x",
    part="c.gamma",
    becomes=f"c.gamma * power(t, -{SHRINKING:g}, xp)",
)
CHOSEN = f"gamma = {FAST:g}/L_F, sigma = {SIGMA:g}, kappa_g = 1.25, starts within {CLOSE:g} of the minimum"
AT_CALM = (
    f"gamma = {FAST:g}/L_F, sigma = {SIGMA:g}, variances of order T^(1/3), starts within {CLOSE:g} of x = 0"
)
MOVED, LAGGED = profile(64, 128, 256), profile(160, 384, 768)
measured = partial(simulation, record=AS_READ)

SIMS = named(
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
    measured(
        "sf-upper", "SF2OBO, noise of the upper step", "sf2obo", noisy([UPPER, ADDITIVE]), MAIN, MOST, chosen=CHOSEN
    ),
    measured("sf-inner", "SF2OBO, noise of the inner steps", "sf2obo", noisy([INNER]), MAIN, MOST, chosen=CHOSEN),
    *(
        measured(
            f"sf-inner-{name}", f"SF2OBO, noise of the steps of {name}", "sf2obo", noisy([point]), WITH_LONG_LOOPS,
            runs, chosen=CHOSEN,
        )
        for name, point, runs in (("y", INNER_Y, RUNS), ("z", INNER_Z, MANY))
    ),
    simulation(
        "sf-ripple", "SF2OBO on B with noise, parameters of Corollary 5.2", "sf2obo",
        repaired([COROLLARY], noisy_ripple, FAST, given=COROLLARY), powers(9, 12, 15), profile(32, 128, 256),
        chosen=f"gamma = {FAST:g}/L_F, sigma = {SIGMA:g}, V_T of order T^{GROW:g}",
    ),
    # V_T, then H_2,T, then both, where the variances grow more slowly or alike.
    simulation(
        "sf-jumps", "SF2OBO on E with noise", "sf2obo", jumping(), MOVING, MOVED, chosen=AT_CALM
    ),
    falsifier(
        "sf-jumps-shrinking", f"SF2OBO on E with noise, gamma_t of order t^-{SHRINKING:g}", "sf2obo", jumping(), MOVING,
        MOVED, mutation=SHRINKING_STEP, chosen=AT_CALM,
    ),
    measured(
        "sf-critical", "SF2OBO on C with noise, critical K_t", "sf2obo", lagging(wrong=critical), powers(10, 16, 18),
        LAGGED,
        chosen=f"{AT_CALM}, K_t = tau/2 times the theorem's",
    ),
    measured(
        "sf-drift", "SF2OBO on C with noise, the theorem's K_t", "sf2obo", lagging(), MOVING, MOST,
        chosen=AT_CALM,
    ),
    measured(
        "sf-half-critical", "SF2OBO on C with noise, half of the critical K_t", "sf2obo",
        lagging(wrong=partial(critical, part=0.5)), MOVING, LAGGED, kind="falsifier",
        chosen=f"{AT_CALM}, K_t = tau/4 times the theorem's",
    ),
    measured(
        "sf-both", "SF2OBO on C and E at once with noise, parameters of Corollary 5.2", "sf2obo",
        repaired([COROLLARY], Sine(omega=FAR, **BOTH), FAST, close, given=COROLLARY), MAIN, MANY,
        chosen=f"gamma = {FAST:g}/L_F, sigma = {LOUD:g}, V_T and H_2,T of order T^(2/3)",
    ),
    measured(
        "sf-corollary", "SF2OBO, parameters of Corollary 5.2", "sf2obo", noisy([{**COROLLARY, "omega": FAR}]), MAIN,
        MANY, chosen=CHOSEN,
    ),
    # The bias of the penalty alone. One sample per batch, since batches do not matter without noise.
    simulation(
        "sf-noiseless", "SF2OBO on A without noise", "sf2obo",
        repaired(over("tau", NOISELESS_TAUS), Bias(), given={"a": 0.0, "B_1": 0.0, "B_2": 0.0}), powers(11, 13, 18),
        FEW,
    ),
    *under_bound(
        THEOREM_5_1, "sf-bound", "SF2OBO on A", "sf2obo",
        over("omega sigma", product((0.0, FAR), BOUND_SIGMAS), **COROLLARY), columns(Bias, "sigma omega"),
        powers(7, 10, 12), profile(32, 64, 256), chosen="parameters of Corollary 5.2", given=COROLLARY,
    ),
    *under_bound(
        THEOREM_5_1, "sf-moving-bound", "SF2OBO on C and E at once", "sf2obo",
        over("omega", (0.0, FAR), **COROLLARY), columns(Sine, "omega", **BOTH),
        powers(7, 10, 12), profile(32, 64, 256), chosen=f"parameters of Corollary 5.2, sigma = {LOUD:g}",
        given=COROLLARY,
    ),
    falsifier(
        "sf-constant-batch", "SF2OBO, B_1 = 0", "sf2obo", noisy([{**UPPER, "B_1": 0.0}], sigma=QUIET), MAIN, RUNS,
        chosen=f"upper batch of one; sigma = {QUIET:g}: with more noise x would reach the ends of X",
    ),
)  # fmt: skip
