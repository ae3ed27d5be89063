"""Claims of Theorem 3.2 (the single loop): each term on the instance that isolates it."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench import LONG, Claimed, as_recorded, over
from workbench.claims import Count, exponents

from ..problems.sine import Drift
from ..theory import witness
from . import sine_runs as runs
from .levels import bias_regret, displacement, lag
from .study import FORMS, STUDY, THEOREM_3_2

SIMS = runs.SIMS
STEEP = runs.SL_TAUS[-1]

regret = STUDY.reader(THEOREM_3_2, law="regret", profiles=LONG)
# C: all drift sums grow like H_2,T, and p = 0 leaves no bias (pitfall D2).
drift: dict[str, Any] = {"term": "inner drift", "absent": ("bias",)}
like_b = {"h": "b", "e": "b", "g": "b"}


def at_point(tau: float, b: float) -> dict[str, float]:
    """The symbols of the law that are not grid parameters."""
    return {"tau": tau, **dict.fromkeys(like_b, b)}


BIAS = regret(SIMS["sl-bias"], over("tau", runs.SL_TAUS[:-1]), term="bias")
# From tau = 1/3 on the term T^tau of the start is larger. On A it is absent: the regret has a closed form.
STEEP_BIAS = regret(
    SIMS["sl-bias"],
    over("tau", [STEEP]),
    claimed=Claimed(1 - 2 * STEEP, witness.bias_regret.key),
    note="this project's own statement: the term T^tau of the start is absent on A",
)
FAST = regret(SIMS["sl-fast"], over("tau", runs.SL_FAST_TAUS))
LAG = regret(SIMS["sl-drift"], over("tau b", runs.SL_DRIFTS), at=like_b, **drift)
FAST_LAG = regret(SIMS["sl-fast-drift"], at=at_point(**runs.SHORT_DRIFT), **drift)
# E: the bias is present, too, and at tau = 0.1 it is the larger term.
JUMPS = regret(SIMS["sl-jumps"], over("tau a", runs.SL_JUMPS), at={"v": "a"}, tol=0.08)


# O-13 (L190): V_T and P_T are o(T), and yet the regret is linear, whatever tau. The claim is this project's.
SWITCHING = regret(
    SIMS["sl-switching"], over("tau", runs.SWITCHING), claimed=Claimed(1.0, "O-13: linear for every fixed tau"),
    note="refutes the remark after Theorem 3.2: V_T of order T/log T and P_T = 0 are o(T)",
)  # fmt: skip


def lag_level(T: np.ndarray, lam_1: Any, tau: float, b: float, **_: Any) -> np.ndarray:
    c = Drift(b=b, h=runs.STEP)
    return lag(T, lam_1, tau, displacement(c, T), mu=c.mu, epsilon=c.epsilon, kappa_g=1.0 + c.epsilon**2)


BOUNDS = tuple(STUDY.bound(THEOREM_3_2, form, SIMS[f"bound-3.2-{form}"]) for form in FORMS)

CLAIMS = (
    *exponents(THEOREM_3_2),
    *BOUNDS,
    *FAST.rate(),
    *FAST_LAG.rate(),
    *BIAS.tight(),
    *STEEP_BIAS.tight(),
    *(BIAS + STEEP_BIAS).where(tau=runs.SL_TAUS[1:]).level(bias_regret, "level of the penalty's bias"),
    *LAG.tight(),
    *LAG.but(metric="regret", view=as_recorded).level(lag_level, "level of the lag", 0.06),
    *JUMPS.rate(),
    *SWITCHING.tight(),
    Count(THEOREM_3_2, SIMS["sl-fast"], "gradient", 6),
    *regret(SIMS["wrong-sl-constant-lambda"], at={"tau": runs.FLAT}).every_profile().caught(),
    *regret(
        SIMS["wrong-vanishing-gamma"],
        over("tau", [runs.SL_FAST_TAUS[0]]),
        note="O-17: within the printed conditions, which bound gamma_t from above only",
    )
    .every_profile()
    .caught(),
    *regret(SIMS["wrong-constant-gamma"], at=at_point(**runs.UNSTABLE), **drift).caught(),
    *regret(SIMS["wrong-sl-steep"], at=at_point(**runs.MILD), **drift).every_profile().caught(),
)
