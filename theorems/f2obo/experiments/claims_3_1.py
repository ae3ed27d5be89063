"""Claims of Theorem 3.1 (F2OBO with K_t of order log t): each term on the instance that isolates it."""

from __future__ import annotations

import numpy as np

from workbench import LONG, Claimed, Result, as_recorded, calls_of, evidence, over
from workbench.claims import Count, Readings, exponents

from ..theory import witness
from . import sine_runs as runs
from .levels import bias_regret
from .study import FORMS, STUDY, THEOREM_3_1

SIMS = runs.SIMS
RIPPLING = 0.08  # tolerance on B and E, where increments scatter

regret = STUDY.reader(THEOREM_3_1, law="regret", profiles=LONG)
at_tau = {"tau": runs.MOVING_TAU}  # wherever something moves

# A: increments grow like T^(1 - 2 tau), also where that is negative and the sum itself converges.
BIAS = regret(SIMS["bias"], over("tau", runs.TAUS), term="bias")
FAST = regret(SIMS["fast"], over("tau", [runs.FAST_TAU]), term="bias")
# B and E isolate V_T, C with critical K_t isolates H_2,T.
RIPPLE = regret(SIMS["ripple"], over("a", runs.RIPPLES), at={**at_tau, "v": "a"}, tol=RIPPLING)
JUMPS = regret(SIMS["jumps"], over("a", runs.JUMPS), at={**at_tau, "v": "a"}, tol=RIPPLING)
CRITICAL = regret(SIMS["critical"], over("b", runs.CRITICAL), at={**at_tau, "h": "b"}, term="inner drift")
INVISIBLE = regret(
    SIMS["drift"], over("b", [runs.DRIFT]), law="regret, shrinking c", at={**at_tau, "h": "b", "v": 0.0},
    view=as_recorded, tol=evidence.TOL,
    note="with the theorem's own K_t the regret stops growing, as if H_2,T were divided by T (pitfall D4)",
)  # fmt: skip

WRONG = {
    **dict.fromkeys(runs.MUTATIONS, runs.FLAT),
    **{name: tau for name, _, tau, _ in runs.WRONG_SCHEDULES},
}
DIVERGES, EARLY = {"constant-beta"}, {"constant-lambda"}  # fails by divergence; fails in short runs, too


def wrong(name: str) -> Readings:
    """The bias, at the rate of the right method."""
    readings = regret(SIMS[f"wrong-{name}"], at={"tau": WRONG[name]}, term="bias")
    return readings.every_profile() if name in EARLY else readings


def ripple_regret(V_T: np.ndarray, **_: object) -> np.ndarray:
    """pi/8 V_T; V_1 = 0."""
    return witness.ripple_ratio.value() * np.maximum(V_T, 1e-300)


def gradients(result: Result) -> np.ndarray:
    """(rows,): all gradients with each row's fixed K: 3 K inner ones and 3 for the upper step per round."""
    return (3 * result.steps["K"][:, 0] + 3) * result.horizon


# L176: T log T gradients. K_t of order log t has the same count as the theorem's K, which is fixed by the horizon.
COUNT = regret(
    SIMS["bias"], over("tau", [1.0]), claimed=Claimed(1.0, "L176: O(T log T)"), metric=calls_of("gradient"),
    log_power=1.0, shown="", label="; gradient evaluations, T log T",
)  # fmt: skip
BOUNDS = tuple(STUDY.bound(THEOREM_3_1, form, SIMS[f"bound-3.1-{form}"]) for form in FORMS)

CLAIMS = (
    *exponents(THEOREM_3_1),
    *BOUNDS,
    *BIAS.tight(),
    # At tau = 0.1 lambda_t grows to 5 only, and the next order of the bias is 5 %; at tau = 0.2 it is 2.4 %.
    *BIAS.where(tau=runs.TAUS[1]).level(bias_regret, "level of the penalty's bias", 0.05),
    *BIAS.where(tau=runs.TAUS[2:]).level(bias_regret, "level of the penalty's bias"),
    *FAST.rate(),
    *RIPPLE.tight(),
    *RIPPLE.where(a=runs.RIPPLES[1]).but(view=as_recorded).level(ripple_regret, "BLReg/V_T = pi/8"),
    *JUMPS.rate(),
    *CRITICAL.tight(),
    *INVISIBLE.rate(),
    *COUNT.tight(),
    Count(THEOREM_3_1, SIMS["bound-3.1-printed"], "gradient", gradients),
    *(claim for name in WRONG for claim in wrong(name).caught(name in DIVERGES)),
    *regret(SIMS["wrong-drift-constant-k"], at={**at_tau, "h": runs.DRIFT}).every_profile().caught(),
)
