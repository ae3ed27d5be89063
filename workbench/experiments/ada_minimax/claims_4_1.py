"""What is claimed of Theorem 4.1 (Ada-Minimax), and what must be caught."""

from __future__ import annotations

from functools import partial

import numpy as np

from workbench import evidence
from workbench.experiments.ada_minimax import minimax
from workbench.experiments.ada_minimax.choices import DELTA, FREE, LONG, METRIC, NOISY, QUIET, THEOREM_4_1
from workbench.experiments.build import (
    Results,
    at_horizon,
    bound_claim,
    caught,
    count_claim,
    exponent_claims,
    slope_claim,
)
from workbench.experiments.claims import Claim, Custom
from workbench.experiments.records import PROFILES

KEY = THEOREM_4_1.key
SIMS = {s.key.removeprefix("ada_minimax/sim-"): s for s in minimax.SIMULATIONS}
TERMS = (-0.5, -0.375, -0.25)  # the powers of T in the theorem's bound

E12 = "E12: C_m grows like kappa^6, not kappa^4"
E10 = "as E10 for Theorem 5.6, and D of Lemma 5.7 grows like sigma^2"
E2 = "E2: the printed C_m contains 1/sigma_low, so the bound does not interpolate to T^-1/2"
FINDINGS = {
    **{(form, "kappa"): E12 for form in ("printed", "main text")},
    **{(form, "sigma"): E10 for form in ("printed", "main text")},
    **{(form, "low noise"): E2 for form in ("printed", "main text")},
    ("repaired", "kappa"): "E12: the repaired C' still grows like kappa^4.5",
    ("repaired", "sigma"): f"{E10}; the repairs of E1 and E4 cost a further sigma^(3/2)",
}


def level(sigma: float) -> dict[str, float]:
    """The grid point with sigma on both gradients (``until`` is 0 outside the low-noise rows)."""
    return {"sigma_x": sigma, "sigma_y": sigma, "until": 0.0}


def low_noise(results: Results) -> evidence.Finding:
    """sigma = T^-1/2, read at T: the algorithm's own interpolation (L120), whatever the printed constant says."""
    result = results["ada_minimax/sim-i2"]
    horizons = [t for t in minimax.LOW_NOISE_HORIZONS if t <= result.horizon]
    values = at_horizon(result, METRIC, [{"until": float(t)} for t in horizons], horizons)
    return evidence.scaling(values, horizons, QUIET)


def sigma_exponent(results: Results) -> evidence.Finding:
    result = results["ada_minimax/sim-i2"]
    sigmas = (0.1, 0.3, 1.0)
    values = at_horizon(result, METRIC, [level(s) for s in sigmas], [result.horizon] * 3)
    return evidence.scaling(values, sigmas, float(THEOREM_4_1.case("sigma").claimed))


# Noise levels whose transition from T^-1/2 (on I2n: the way from the start) ends well inside the default horizon.
RATE_SIGMAS = {"i2": (0.1, 0.3), "i2q": (0.3, 1.0), "i2n": (1.0,)}


def late(values: np.ndarray, marks: np.ndarray) -> evidence.Finding:
    """The noisy rate over the last two decades: on I2n the way from the start reaches into the third."""
    window = (marks[-1] / 100, float(marks[-1]))
    return evidence.rate(values, marks, NOISY, TERMS, window=window)


def rate_claims() -> list[Claim]:
    noisy = partial(evidence.rate, claimed=NOISY, terms=TERMS)
    quiet = partial(evidence.rate, claimed=QUIET)
    # I2n settles slowly: the claim's own logarithms are needed to judge it.
    quiet_log = partial(quiet, log_power=float(THEOREM_4_1.growth("noiseless").exponents[1]))
    with_log = ", with the bound's own power of log T"
    only_y = {"sigma_x": 0.0, "sigma_y": 1.0}
    return [
        slope_claim(KEY, "rate", SIMS["i2"], quiet, METRIC, level(0.0)),
        slope_claim(KEY, "rate", SIMS["i2q"], quiet, METRIC, level(0.0)),
        slope_claim(KEY, "rate", SIMS["i2n"], quiet_log, METRIC, level(0.0), label=with_log),
        slope_claim(KEY, "rate", SIMS["i2-witness"], noisy, METRIC, level(1.0)),
        *(
            slope_claim(
                KEY, "rate", SIMS[name], late if name == "i2n" else noisy, METRIC, level(sigma), profiles=LONG
            )
            for name, sigmas in RATE_SIGMAS.items()
            for sigma in sigmas
        ),
        slope_claim(KEY, "rate", SIMS["i2"], noisy, METRIC, only_y, profiles=LONG),
    ]


def tight_claims() -> list[Claim]:
    made = []
    for name, sigma, claimed in (("i2", 0.0, QUIET), ("i2-witness", 1.0, NOISY)):
        measure = partial(evidence.tight, claimed=claimed, terms=TERMS if sigma else None)
        # With noise the slope still drifts by 0.02 at the quick horizon (a T^-3/8 term leaves slowly).
        profiles = LONG if sigma else PROFILES
        made.append(slope_claim(KEY, "tight", SIMS[name], measure, METRIC, level(sigma), profiles=profiles))
    return made


def falsifier_claims() -> list[Claim]:
    """On I2 and I2q; not on I2n, where a divergent method looks convergent (trap T8)."""
    measure = partial(caught, claimed=NOISY)
    made = []
    for (instance, name), sigma in minimax.SHOWN_AT.items():
        sim, profiles = SIMS[f"{instance}-{name}"], PROFILES if instance == "i2" else LONG
        made.append(
            slope_claim(KEY, "falsifier", sim, measure, METRIC, {"sigma_x": sigma}, profiles=profiles)
        )
    return made


def distance_claim() -> Claim:
    """Lemma 5.7, first part: |y_t - y*(x_t)| <= D for all t, D as printed (E4 disputes the proof, not the claim)."""
    sim = SIMS["i2"]

    def check(results: Results) -> evidence.Finding:
        result = results[sim.key]
        horizons = result.marks.astype(float)[None, :]
        constants = {**result.constants, **FREE, "delta": DELTA, "T": horizons}
        D = np.broadcast_to(
            THEOREM_4_1.constants("printed", **constants)["D"], result.data["dist_y_max"].shape
        )
        values = result.by_run(result.data["dist_y_max"])
        marks = np.tile(result.marks, values.shape[1] // len(result.marks))
        return evidence.bound(values, result.by_run(D), marks, "probability", 4 * DELTA)

    return Custom(
        KEY, "bound", "Ada-Minimax on I2: |y_t - y*(x_t)| <= D of Lemma 5.7, printed", check, (sim.key,)
    )


CLAIMS = (
    *exponent_claims(THEOREM_4_1, FINDINGS),
    *(
        bound_claim(THEOREM_4_1, form, SIMS[name], METRIC, lambda r: {**FREE, "delta": DELTA})
        for form, names in (
            ("printed", ("i2", "i2q", "i2n")),
            ("main text", ("i2q", "i2n")),  # says nothing where sigma_x and sigma_y differ, as on I2
            ("repaired", ("i2", "i2q", "i2n")),
        )
        for name in names
    ),
    distance_claim(),
    *rate_claims(),
    *tight_claims(),
    Custom(
        KEY, "scaling", "I2: value at T with sigma = T^-1/2, against T", low_noise, ("ada_minimax/sim-i2",)
    ),
    Custom(KEY, "scaling", "I2: exponent of sigma at the horizon", sigma_exponent, ("ada_minimax/sim-i2",)),
    count_claim(KEY, SIMS["i2"], "gradient_x", lambda r: 2),
    count_claim(KEY, SIMS["i2"], "gradient_y", lambda r: 1),
    *falsifier_claims(),
)
