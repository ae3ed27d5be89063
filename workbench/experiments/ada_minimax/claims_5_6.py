"""What is claimed of Theorem 5.6 (Ada-NSGDM), and what must be caught."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from theorems.ada_minimax import witness
from theorems.asymptotics import exponent
from workbench import evidence
from workbench.experiments.ada_minimax import single_level
from workbench.experiments.ada_minimax.study import FREE, STUDY, THEOREM_5_6, regime
from workbench.experiments.claims import Count, Custom, Results, caught, exponents
from workbench.experiments.readings import Reading, Readings, Scaling
from workbench.experiments.study import LONG, named
from workbench.experiments.views import as_recorded

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


def crossing(results: Results, readings: Iterable[Reading], **options: Any) -> list[evidence.Finding]:
    """Where the local slope passes `BETWEEN`, against sigma (`workbench.evidence.crossover`)."""
    readings = list(readings)
    curves, (marks, *_) = zip(*(r.curve(results) for r in readings), strict=True)
    sigmas = [r.where["sigma"] for r in readings]
    return evidence.crossover(np.stack(curves, axis=1), marks, sigmas, CROSSING, BETWEEN, **options)


def crossover_at(sigma: Any) -> Any:
    """The horizon at which the two levels of I1 meet."""
    return witness.crossover.value(L=1.0, eta=FREE["eta"], sigma=sigma)


def foreseen(results: Results, readings: Readings, earliest: float, share: float) -> Readings:
    """The readings whose predicted crossover lies between an iteration and a share of the horizon."""
    latest = share * results[SIMS["i1"].key].horizon
    return Readings(r for r in readings if earliest <= crossover_at(r.where["sigma"]) <= latest)


def crossover_exponent(results: Results) -> evidence.Finding:
    """Off window means, and crossovers after 4000 iterations only.

    The running mean remembers the way from the start, which bends the exponent by 0.05 at the larger noise levels.
    """
    return crossing(results, foreseen(results, LEVELS.but(view=STUDY.view), 4000, 1 / 10))[0]


def crossover_level(results: Results) -> evidence.Finding:
    """T_x sigma^2 of the running mean inside [0.7, 3] (the asymptotes meet at 2.07)."""
    return crossing(results, foreseen(results, LEVELS, 500, 1 / 20), inside=(0.7, 3.0))[1]


def constant_crossover(results: Results) -> evidence.Finding:
    """Constant momentum moves its crossover too, but like 1/sigma (weight 0.1), not like 1/sigma^2."""
    return crossing(results, CONSTANT)[0]


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
    Custom(
        KEY,
        "scaling",
        "I1: crossover horizon against sigma",
        crossover_exponent,
        (SIMS["i1"].key,),
        profiles=LONG,
    ),
    Custom(KEY, "scaling", "I1: crossover horizon times sigma^2", crossover_level, (SIMS["i1"].key,)),
    Count(THEOREM_5_6, SIMS["i1"], "gradient", 2),
    *(r.caught() for r in WRONG),
    *HIDDEN.rate(),
    *RIGHT.rate(),
    caught(
        Custom(
            KEY,
            "scaling",
            "constant momentum on I1: crossover horizon against sigma",
            constant_crossover,
            (SIMS["i1-constant-crossover"].key,),
            profiles=LONG,
        )
    ),
)
