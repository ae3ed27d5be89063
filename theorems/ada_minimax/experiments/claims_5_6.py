"""Claims about Theorem 5.6 (Ada-NSGDM), and its falsifiers."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from workbench import FULL, LONG, Custom, Scaling, as_recorded, at_horizons, evidence, over, window_means
from workbench.claims import PROFILES, Count, Readings, Results, caught, exponents
from workbench.theory import exponent

from ..theory import witness
from . import single_level as runs
from .study import FREE, STUDY, THEOREM_5_6, regime

SIMS = runs.SIMS

E12 = "E12: C grows like kappa_sigma^4.5, not kappa_sigma^4"
FINDINGS = {
    ("printed", "kappa_sigma"): E12,
    ("repaired", "kappa_sigma"): E12,
    ("printed", "sigma"): "E10: C hides powers of sigma, so the bound itself does not show sqrt(sigma)",
    ("repaired", "sigma"): "E10, and the repair of E1 costs sqrt(sigma) more (a lower-order term in T only)",
}

BOUNDS = tuple(
    STUDY.bound(THEOREM_5_6, form, SIMS[name])
    for form in ("printed", "repaired")
    for name in ("i1", "i1h", "i1n", "i1-kappa")
)
slope = STUDY.reader(THEOREM_5_6, case=regime, form="printed")

# Witness I1: exponent and constant attained. The constants are closed forms
# (`workbench.theorems.ada_minimax.theory.witness`).
QUIET = slope(SIMS["i1"], over("sigma", [0.0]))
NOISY = slope(SIMS["i1-witness"], over("sigma", [0.3, 1.0]))
# With noise the curve is still settling at the quick horizons; only the witness has enough runs there.
OTHERS = (
    slope(SIMS["i1"], over("sigma", [0.1]), profiles=LONG)
    + slope(SIMS["i1h"], over("sigma", [0.0]))
    + slope(SIMS["i1n"], over("sigma", [0.0]))
    + slope(SIMS["i1h"], over("sigma", [0.1, 0.3, 1.0]), profiles=LONG)
    + slope(SIMS["i1n"], over("sigma", [0.1, 0.3, 1.0]), profiles=LONG)
    + slope(SIMS["i1-kappa"], over("kappa", runs.KAPPAS), profiles=LONG)
)

LEVELS = slope(SIMS["i1"], over("sigma", runs.SIGMAS[1:]), view=as_recorded)
WINDOWS = LEVELS.but(view=window_means)
ENDS = LEVELS.where(sigma=(0.1, 0.3, 1.0))  # their crossovers lie two decades below the horizon
CONSTANT = slope(SIMS["i1-constant-crossover"], over("sigma", runs.SMALL_SIGMAS), view=as_recorded)

# The curve of a method that knows the noise level (L120); drawn only.
YARDSTICK = slope(SIMS["i1-known-noise"], over("sigma", runs.KNOWN_SIGMAS), view=at_horizons)

WEIGHTS = over("weight", runs.WEIGHTS)
WRONG = (
    # alpha_t without the root comes nearer to the claimed slope with the horizon, as a slow approach would.
    *(
        r
        for name, s in runs.SHOWN_AT.items()
        for r in slope(
            SIMS[f"i1-{name}"], over("sigma", [s]), profiles=FULL if name == "rootless" else PROFILES
        )
    ),
    *slope(SIMS["i1-constant-skewed"], WEIGHTS),
)
HIDDEN = slope(
    SIMS["i1-constant-symmetric"],
    WEIGHTS,
    note="constant momentum is wrong, but symmetric noise cannot show it (trap T4)",
    profiles=LONG,
)
RIGHT = slope(SIMS["i1-skewed"], WEIGHTS[1:], note="the right method, same noise", profiles=LONG)

# E1: the weight for which the concentration inequality holds as printed has the same rate.
PREDICTABLE = slope(
    SIMS["i1-predictable"],
    over("sigma", runs.PREDICTABLE_SIGMAS),
    note="this project's own statement (E1): alpha_t without the current sample. The rate, the same, cannot show it",
    profiles=LONG,
)

# The exponent halfway between the two rates, and the exponent of sigma in the horizon at which it is reached.
BETWEEN = (QUIET[0].claimed.value + NOISY[0].claimed.value) / 2
CROSSING = float(exponent(witness.crossover.formula, witness.sigma))


def crossover_at(sigma: Any) -> Any:
    """The horizon at which the two levels of I1 meet."""
    return witness.crossover.value(L=1.0, eta=FREE["eta"], sigma=sigma)


def crossing(
    readings: Readings, among: tuple[float, float], inside: tuple[float, float] | None, results: Results
) -> evidence.Finding:
    """How the horizon T_x where the local slope passes `BETWEEN` depends on sigma, or T_x sigma^2 ``inside`` a range.

    among: the predicted crossovers of the readings used, from an iteration to a share of the horizon.
    """
    earliest, latest = among[0], among[1] * results[readings[0].sim.key].horizon
    within = [r for r in readings if earliest <= crossover_at(r.where["sigma"]) <= latest]
    if not within:
        raise evidence.NotEnough(f"no predicted crossover between t = {earliest:g} and {latest:g}")
    curves, (marks, *_) = zip(*(r.curve(results) for r in within), strict=True)
    sigmas = [r.where["sigma"] for r in within]
    return evidence.crossover(np.stack(curves, axis=1), marks, sigmas, CROSSING, BETWEEN, inside)[-1]


def crossover(
    name: str, readings: Readings, among: tuple[float, float], inside: Any = None, **fields: Any
) -> Custom:
    """The claim of `crossing`."""
    find = partial(crossing, readings, among, inside)
    return Custom(
        THEOREM_5_6.key, "scaling", name, find, (readings[0].sim.key,), readings[0].rate().metrics, **fields
    )


CLAIMS = (
    *exponents(THEOREM_5_6, FINDINGS),
    *BOUNDS,
    *(QUIET + NOISY + OTHERS).rate(),
    *(QUIET + NOISY).tight(),
    *QUIET.but(view=as_recorded).level(witness.noiseless_level, "level L eta"),
    *NOISY.but(view=as_recorded).level(
        witness.noisy_level, f"level {witness.c_infty.value():.3f} sqrt(L eta sigma)"
    ),
    Scaling(ENDS, "sigma", witness.sigma_exponent.value(), "I1: exponent of sigma at the horizon"),
    # Read from window means: the initial transient in the running mean shifts the exponent by 0.05 at the larger noise
    # levels.
    crossover("I1: crossover horizon against sigma", WINDOWS, (4000, 1 / 10), tag="crossover", profiles=LONG),
    # T_x sigma^2 of the running mean (the asymptotes meet at 2.07).
    crossover(
        "I1: crossover horizon times sigma^2", LEVELS, (500, 1 / 20), inside=(0.7, 3.0), tag="crossover-level"
    ),
    Count(THEOREM_5_6, SIMS["i1"], "gradient", 2),
    *(r.caught() for r in WRONG),
    *(HIDDEN + RIGHT + PREDICTABLE).rate(),
    # With constant momentum the crossover depends on sigma, too, but like 1/sigma (weight 0.1), not like 1/sigma^2.
    caught(
        crossover(
            "constant momentum on I1: crossover horizon against sigma",
            CONSTANT,
            (0, math.inf),
            tag="crossover",
            profiles=LONG,
        )
    ),
)
