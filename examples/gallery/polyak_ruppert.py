"""Polyak-Ruppert averaging: with steps 2 t^-2/3 the average of SGD has E f - f* -> sigma^2/(2 L T), the best variance.

Source: Polyak, Juditsky, "Acceleration of Stochastic Approximation by Averaging", SIAM J. Control Optim. 30 (1992),
Theorem 1: sqrt(T) (z_T - x*) is asymptotically normal with variance sigma^2/L^2, whatever the steps in (1/2, 1).

Level, derived here: f = L x^2/2 and E z_T^2 = sigma^2/(L^2 T) in each of d coordinates give d sigma^2/(2 L T). Near
misses: the exponent off by 0.1, the constant by 1.5, the last iterate, which has the exponent -2/3 of its steps.
"""

import workbench as wb

v, D = wb.vocabulary, 256  # coordinates: their mean is less noisy than one
State = wb.state("x", "z")
Steps = wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    x = s.x - c.eta * wb.ops.power(t, -2.0 / 3.0, xp) * oracle.grad(s.x, draw(0))
    return State(x, s.z + (x - s.z) / t)


STUDY = wb.Study(__name__, "Polyak-Ruppert averaging", metric="gap", view=wb.as_recorded, tol=0.05)
SHARED = {
    "steps": Steps(eta=2.0),
    "problem": wb.problems.Quadratic(wb.Gaussian(1.0)),
    "start": {"x": D * [0.0], "z": D * [0.0]},
    "horizon": wb.profile(10_000, 30_000, 100_000),
    "runs": 1024,
}
AVERAGE = STUDY.simulation(step, name="average", **SHARED)
LAST = wb.Mutation("the last iterate", "return State(x, s.z + (x - s.z) / t)", becomes="State(x, x)")
PLAIN = STUDY.simulation(step, name="last", title="Last iterate", mutation=LAST, **SHARED)
CURVE = STUDY.reading("thm-1", AVERAGE, claimed=-1)
CLAIMS = (
    CURVE.rate(),
    CURVE.level(D / (2 * v.T), "d sigma^2/(2 L T)", rtol=0.05),
    CURVE.caught(claimed=-1.1),
    CURVE.level(3 * D / (4 * v.T), "1.5 times that").caught(),
    STUDY.reading("thm-1", PLAIN, claimed=-1).caught(),
)
