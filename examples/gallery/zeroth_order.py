"""Two-point zeroth-order SGD: E|x_T|^2 grows with the dimension like d at equal T, if both points share their sample.

Source: Duchi, Jordan, Wainwright, Wibisono, "Optimal Rates for Zero-Order Convex Optimization: The Power of Two
Function Evaluations", IEEE Trans. Inf. Theory 61 (2015), Theorem 1 (sqrt(d/T) on convex f; here on a strongly convex
one, where the rate is d/T); from memory. F(x, xi) = |x|^2/2 - <xi, x>, |xi| = 1, u uniform with |u|^2 = d, steps 2/(t
+ 4 d), difference over h = 10^-3.

Level, derived here: the estimate is <x - xi, u> u, whose mean square is d |x - xi|^2, so that E|x_T|^2 tends to 4
d/((4 - 1) T). Near misses: d^0.9, 1.5 times the level; a second point with a sample of its own.
"""

from dataclasses import dataclass
from typing import ClassVar

import workbench as wb

State, Steps = wb.state("x"), wb.steps("eta")
H = 1e-3


def step(s, t, c, oracle, draw, xp):
    d = s.x.shape[-1]
    u = draw(1).sphere(d) * d**0.5
    slope = (oracle.value(s.x + H * u, draw(0)) - oracle.value(s.x, draw(0))) / H
    return State(s.x - c.eta / (t + 4.0 * d) * slope * u)


@dataclass(frozen=True)
class Noisy:
    """F(x, xi) = |x|^2/2 - <xi, x>; only values can be asked for."""

    COSTS: ClassVar = {"value": {"value": 1}}
    RECORD: ClassVar = {"square": ("last",)}

    def value(self, x, xi, xp):
        return wb.ops.sq(x, xp) / 2.0 - wb.ops.dot(xi.sphere(x.shape[-1]), x, xp)

    def metrics(self, s, t, xp):
        return {"square": wb.ops.sq(s.x, xp)}


def mean_square(d, T=30_000):
    """E|x_T|^2 from 0, by its recursion."""
    square = 0.0
    for t in range(1, T):
        eta = 2 / (t + 4 * d)
        square = (1 - 2 * eta + d * eta**2) * square + d * eta**2
    return square


STUDY = wb.Study(__name__, "Two-point SGD", metric="square", view=wb.as_recorded)
PARTS = {"problem": Noisy(), "start": {"x": 8 * [0.0]}, "horizon": wb.profile(10_000, 30_000, 100_000)}
SGD = STUDY.simulation(step, Steps(eta=2.0), name="sgd", runs=16_384, **PARTS)
VALUE = "oracle.value(s.x, draw(0))"
OWN = wb.Mutation("a sample of its own", "slope", part=VALUE, becomes="oracle.value(s.x, draw(2))")
APART = STUDY.simulation(
    step, Steps(eta=2.0), name="apart", title="Two samples", runs=256, mutation=OWN, **PARTS
)
SIZES = STUDY.exact_curve(mean_square, at=[2**k for k in range(1, 8)], name="sizes", title="In d")
CURVE, IN_D = STUDY.reading("thm-1", SGD, claimed=-1, tol=0.05), STUDY.reading("sizes", SIZES, claimed=1)
LEVEL, WORDS = 32 / (3 * (wb.vocabulary.T + 32)), "4 d/(3 (T + 4 d))"
CLAIMS = (
    CURVE.rate(),
    CURVE.level(LEVEL, WORDS, rtol=0.05),
    IN_D.tight(),
    IN_D.caught(claimed=0.9),
    CURVE.level(3 * LEVEL / 2, "1.5 times that").caught(),
    STUDY.reading("thm-1", APART).level(LEVEL, WORDS).caught(),
)
