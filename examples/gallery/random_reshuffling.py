"""Random reshuffling: with steps c/k per epoch E|x_k - x*|^2 is of order k^-2, against k^-1 with replacement.

Source: Gurbuzbalaban, Ozdaglar, Parrilo, "Why Random Reshuffling Beats Stochastic Gradient Descent", Math. Program.
186 (2021), Theorem 1 (quadratics, strongly convex). f_i = a_i (x - b_i)^2/2, (a, b) = (1, 1), (1, 1), (2, -1), whose
sum has its minimum at 0, steps 1/(2 k) in epoch k, from x = 1.

Moments, computed here over all orders: an epoch maps x to A x + B, and E x, E x^2 follow from the means of A, A^2, A
B, B^2, B over the 6 orders, or the 27 sequences with replacement. An order leaves a bias of order eta^2, which a
squared step turns into k^-2. Near misses: the exponents 0.1 off, a logarithm more, and those of each other.
"""

from itertools import permutations, product

import numpy as np

import workbench as wb

COMPONENTS = ((1, 1), (1, 1), (2, -1))
STUDY = wb.Study(__name__, "Random reshuffling", tol=0.05)


def mean_square(orders):
    """E x_k^2 after k = 0, 1, ... epochs; orders: equally likely sequences of components."""
    a, b = (np.array([[COMPONENTS[i][n] for i in order] for order in orders], float) for n in (0, 1))

    def values(T):
        mean = square = 1.0
        for k in range(1, T + 1):
            yield square
            A, B = np.ones(len(a)), np.zeros(len(a))
            for i in range(a.shape[1]):
                keep = 1 - a[:, i] / (2 * k)
                A, B = keep * A, keep * B + (1 - keep) * b[:, i]
            square = (A * A).mean() * square + 2 * (A * B).mean() * mean + (B * B).mean()
            mean = A.mean() * mean + B.mean()

    return values


LENGTH = wb.profile(10_000, 30_000, 100_000)
SHUFFLED = STUDY.exact_curve(
    mean_square(list(permutations(range(3)))),
    horizon=LENGTH,
    name="shuffled",
    metric="E x^2",
    title="Reshuffled",
)
DRAWN = STUDY.exact_curve(
    mean_square(list(product(range(3), repeat=3))),
    horizon=LENGTH,
    name="drawn",
    metric="E x^2",
    title="With replacement",
)
CURVE, OTHER = STUDY.reading("thm-1", SHUFFLED, claimed=-2), STUDY.reading("thm-1", DRAWN, claimed=-1)
CLAIMS = (
    CURVE.rate(),
    CURVE.tight(since=0.03),
    OTHER.tight(),
    CURVE.caught(claimed=-2.1),
    OTHER.caught(claimed=-1.1),
    OTHER.caught(claimed=-2, tag="of-the-other"),
    OTHER.logarithmic(power=-1, logs=1).caught(),
)
