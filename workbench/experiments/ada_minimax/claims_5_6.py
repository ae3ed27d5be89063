"""What is claimed of Theorem 5.6 (Ada-NSGDM), and what must be caught."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from theorems.ada_minimax import witness
from theorems.asymptotics import exponent
from workbench import evidence
from workbench.experiments.ada_minimax import single_level
from workbench.experiments.ada_minimax.study import FREE, STUDY, THEOREM_5_6, regime
from workbench.experiments.claims import Count, Custom, Results, caught, exponents
from workbench.experiments.readings import Readings, Scaling
from workbench.experiments.study import LONG, PROFILES, named
from workbench.experiments.views import as_recorded, at_horizons

KEY = THEOREM_5_6.key
SIMS = named(single_level)

E12 = "E12: C grows like kappa^4.5, not kappa^4"
FINDINGS = {
    ("printed", "kappa"): E12,
    ("repaired", "kappa"): E12,
    ("printed", "sigma"): "E10: C hides powers of sigma, so the bound itself does not show sqrt(sigma)",
    ("repaired", "sigma"): "E10, and the repair of E1 costs sqrt(sigma) more (a lower-order term in T only)",
}

BOUNDS = tuple(
    STUDY.bound(THEOREM_5_6, form, SIMS[name])
    for form in ("printed", "repaired")
    for name in ("i1", "i1h", "i1n", "i1-kappa")
)
slope = STUDY.reader(THEOREM_5_6, case=regime, form="printed")


def at(*sigmas: float) -> list[dict[str, float]]:
    return [{"sigma": sigma} for sigma in sigmas]


# Witness I1: exponent and constant attained. The constants are closed forms (`theorems.ada_minimax.witness`).
QUIET = slope(SIMS["i1"], at(0.0))
NOISY = slope(SIMS["i1-witness"], at(0.3, 1.0))
# With noise the curve is still settling at the quick horizons; only the witness has runs enough to tell.
OTHERS = (
    *slope(SIMS["i1"], at(0.1), profiles=LONG),
    *(r for name in ("i1h", "i1n") for r in slope(SIMS[name], at(0.0))),
    *(r for name in ("i1h", "i1n") for r in slope(SIMS[name], at(0.1, 0.3, 1.0), profiles=LONG)),
    *slope(SIMS["i1-kappa"], [{"kappa": kappa} for kappa in single_level.KAPPAS], profiles=LONG),
)

LEVELS = slope(SIMS["i1"], at(*(sigma for sigma in single_level.SIGMAS if sigma > 0)), view=as_recorded)
ENDS = LEVELS.where(sigma=(0.1, 0.3, 1.0))  # their crossovers lie two decades below the horizon
CONSTANT = slope(SIMS["i1-constant-crossover"], at(*single_level.SMALL_SIGMAS), view=as_recorded)

# What is attained where the noise level is known (L120); drawn only.
YARDSTICK = slope(SIMS["i1-known-noise"], at(*single_level.KNOWN_SIGMAS), view=at_horizons)

WEIGHTS = [{"weight": weight} for weight in single_level.WEIGHTS]
WRONG = (
    *(r for name, sigma in single_level.SHOWN_AT.items() for r in slope(SIMS[f"i1-{name}"], at(sigma))),
    *slope(SIMS["i1-constant-skewed"], WEIGHTS),
)
HIDDEN = slope(
    SIMS["i1-constant-symmetric"],
    WEIGHTS,
    note="constant momentum is wrong, but symmetric noise cannot show it (trap T4)",
    profiles=LONG,
)
RIGHT = slope(SIMS["i1-skewed"], WEIGHTS[1:], note="the right method, same noise", profiles=LONG)

# Half way between the two rates, and how the horizon where that is reached depends on sigma.
BETWEEN = (QUIET[0].claimed.value + NOISY[0].claimed.value) / 2
CROSSING = float(exponent(witness.crossover.formula, witness.sigma))


def crossover_at(sigma: Any) -> Any:
    """The horizon at which the two levels of I1 meet."""
    return witness.crossover.value(L=1.0, eta=FREE["eta"], sigma=sigma)


def crossing(
    readings: Readings,
    results: Results,
    earliest: float = 0.0,
    share: float = math.inf,
    inside: tuple[float, float] | None = None,
) -> evidence.Finding:
    """How the horizon T_x, where the local slope passes `BETWEEN`, moves with sigma, or T_x sigma^2 ``inside``.

    Of the readings whose predicted crossover lies between an iteration and a share of the horizon.
    """
    latest = share * results[readings[0].sim.key].horizon
    kept = [r for r in readings if earliest <= crossover_at(r.where["sigma"]) <= latest]
    if not kept:
        raise evidence.NotEnough(f"no predicted crossover between t = {earliest:g} and {latest:g}")
    curves, (marks, *_) = zip(*(r.curve(results) for r in kept), strict=True)
    sigmas = [r.where["sigma"] for r in kept]
    return evidence.crossover(np.stack(curves, axis=1), marks, sigmas, CROSSING, BETWEEN, inside)[-1]


def crossover(name: str, readings: Readings, profiles: tuple[str, ...] = LONG, **options: Any) -> Custom:
    """options: of `crossing`."""
    find = partial(crossing, readings, **options)
    return Custom(KEY, "scaling", name, find, (readings[0].sim.key,), profiles=profiles)


CLAIMS = (
    *exponents(THEOREM_5_6, FINDINGS),
    *BOUNDS,
    *(r.rate() for r in (*QUIET, *NOISY, *OTHERS)),
    *(QUIET + NOISY).tight(),
    *QUIET.but(view=as_recorded).level(witness.noiseless_level, "level L eta"),
    *NOISY.but(view=as_recorded).level(
        witness.noisy_level, f"level {witness.c_infty.value():.3f} sqrt(L eta sigma)"
    ),
    Scaling(ENDS, "sigma", witness.sigma_exponent.value(), "I1: exponent of sigma at the horizon"),
    # Off window means: the running mean remembers the way from the start, which bends the exponent by 0.05 at the
    # larger noise levels.
    crossover(
        "I1: crossover horizon against sigma", LEVELS.but(view=STUDY.view), earliest=4000, share=1 / 10
    ),
    # T_x sigma^2 of the running mean (the asymptotes meet at 2.07).
    crossover(
        "I1: crossover horizon times sigma^2",
        LEVELS,
        PROFILES,
        earliest=500,
        share=1 / 20,
        inside=(0.7, 3.0),
    ),
    Count(THEOREM_5_6, SIMS["i1"], "gradient", 2),
    *(r.caught() for r in WRONG),
    *HIDDEN.rate(),
    *RIGHT.rate(),
    # Constant momentum moves its crossover too, but like 1/sigma (weight 0.1), not like 1/sigma^2.
    caught(crossover("constant momentum on I1: crossover horizon against sigma", CONSTANT)),
)
