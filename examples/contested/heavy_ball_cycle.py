"""Heavy ball with Polyak's parameters: "linear convergence on smooth, strongly convex f" fails: it cycles.

Sources: Lessard, Recht, Packard, SIAM J. Optim. 2016 (arXiv 1408.3595); Goujaud, Taylor, Dieuleveut, arXiv 2307.11291.
mu = 1, L = 25, alpha = 4/(sqrt L + sqrt mu)^2 = 1/9, beta = ((sqrt L - sqrt mu)/(sqrt L + sqrt mu))^2 = 4/9, and f' =
25 x (x < 1), x + 24 (1 <= x < 2), 25 x - 24 (x >= 2).

Why: the cycle -2208/1225, 2592/1225, 792/1225 of period 3 attracts (over a period its linear part has modulus 8/27).
It is shown here in fractions: started on it, the method stays. Fooled: seven of eight starts in [0, 6] converge, at
the rate 2/3 of quadratics, among them 3/2, 2 and 4.
"""

from fractions import Fraction

import workbench as wb

FALSE = (
    "folklore: heavy ball with Polyak's parameters converges at the rate 2/3 for smooth, strongly convex f"
)
ALPHA, BETA = Fraction(1, 9), Fraction(4, 9)
CYCLE = [Fraction(n, 1225) for n in (-2208, 2592, 792)]
STUDY = wb.Study(__name__, "Heavy ball")


def gradient(x):
    return 25 * x if x < 1 else x + 24 if x < 2 else 25 * x - 24


def iterates(x_prev, x):
    while True:
        yield x
        x_prev, x = x, x - ALPHA * gradient(x) + BETA * (x - x_prev)


def distance(T, start):
    return (abs(x) for x in iterates(start, start))


STARTS = [Fraction(16, 5), Fraction(2)]
FROM = STUDY.exact_curve(distance, horizon=200, grid={"start": STARTS}, name="starts", metric="|x - x*|")
ON = STUDY.exact_curve(
    lambda T: iterates(CYCLE[2], CYCLE[0]),
    horizon=400,
    name="cycle",
    metric="x",
    title="Started on the cycle",
)
AWAY, CLOSE = (STUDY.reading("distance", FROM, start=float(start)) for start in STARTS)
EVERY_THIRD = STUDY.reading("distance", FROM, start=float(STARTS[0]), view=wb.iterates(first=3, period=3))
CLAIMS = (
    AWAY.geometric(factor=0.7, or_faster=True, refutes=FALSE),
    EVERY_THIRD.misses(to=0, within=0.1),
    STUDY.reading("cycle", ON).equals(lambda T: CYCLE[(T - 1) % 3], "the cycle, for ever"),
    CLOSE.geometric(factor=0.7, or_faster=True),
    CLOSE.limit(to=0, within=0.01),
)
