"""SGD with late gradients: E f - f* is of order 1/T, and its leading term is that without a delay.

Sources: Agarwal, Duchi, "Distributed Delayed Stochastic Optimization", NIPS 24 (2011); Stich, Karimireddy, "The Error-
Feedback Framework", JMLR 21 (2020), on delayed gradients, strongly convex; from memory. f = |x|^2/2 in 16 dimensions,
noise of size 1, the gradient is that of x_(t - D) with D uniform on 0, ..., 7 and drawn anew at each t; steps
2/max(t, 16).

The step keeps the last eight iterates in a ring: x_t at place t mod 8, by `put`, and the late one by `take`.

Level, derived here: E|x|^2 <- (1 - 2 eta) E|x|^2 + eta^2 up to what is smaller by the delay over t, so 2/(3 T). Near
misses: T^-1.1, 1.5 times the level, and steps of an eighth, which give T^-1/2.
"""

import workbench as wb

v = wb.vocabulary
State, Steps = wb.state("x", "past"), wb.steps("a")
LATEST = 8


def init(start, c, oracle, draw, xp):
    x = start["x"]
    return State(x, xp.zeros((x.shape[0], LATEST, x.shape[1])) + x[:, None, :])


def step(s, t, c, oracle, draw, xp):
    here = wb.ops.column(t, s.x, xp)
    past = wb.ops.put(s.past, xp.astype(here % LATEST, xp.int64), s.x, xp)
    late = xp.astype((here + LATEST - xp.astype(draw(1).index(LATEST, 1), xp.float64)) % LATEST, xp.int64)
    gradient = oracle.grad(wb.ops.take(past, late, xp), draw(0))
    return State(s.x - c.a / wb.ops.maximum(here, xp.asarray(16.0), xp) * gradient, past)


STUDY = wb.Study(__name__, "SGD with late gradients", metric="gap", view=wb.as_recorded)
PARTS = {
    "problem": wb.problems.Quadratic(wb.Sphere(1.0)),
    "start": {"x": 16 * [0.07]},
    "horizon": wb.profile(20_000, 50_000, 200_000),
    "runs": 2048,
    "record": wb.claims.AS_READ,
}
LATE = STUDY.simulation(step, Steps(a=2.0), name="late", **PARTS)
SHORT = STUDY.simulation(
    step, Steps(a=0.25), name="short", title="Steps of an eighth", wrong="steps 1/(4 t)", **PARTS
)
CURVE = STUDY.reading("delay", LATE, claimed=-1)
CLAIMS = (
    CURVE.rate(),
    CURVE.level(2 / (3 * v.T), "2/(3 T)", rtol=0.05),
    CURVE.caught(claimed=-1.1),
    CURVE.level(1 / v.T, "1.5 times that").caught(),
    STUDY.reading("delay", SHORT, claimed=-1).caught(),
)
