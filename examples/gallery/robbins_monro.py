"""Robbins-Monro with steps a/t: E x_T^2 is of order 1/T if 2 a L > 1, log T/T if 2 a L = 1, T^(-2 a L) below.

Sources: Robbins, Monro, "A Stochastic Approximation Method", Ann. Math. Stat. 22 (1951); Chung, "On a Stochastic
Approximation Method", Ann. Math. Stat. 25 (1954), Theorem 1 and its remarks; from memory. x <- x - (a/t) (L x + noise)
with L = 1 and noise of variance 1, from x_1 = 1.

Moments: E x^2 <- (1 - a/t)^2 E x^2 + (a/t)^2. Levels, derived here: a^2/((2 a - 1) T) for a > 1/2, (log T)/(4 T) and
a constant over T for a = 1/2. Near misses: exponents 0.1 off, the logarithm left out, one more, the constant times
1.5, steps t^-0.9.
"""

import workbench as wb

v = wb.vocabulary
STUDY = wb.Study(__name__, "Robbins-Monro")


def mean_square(power):
    def values(T, a):
        square = 1.0
        for t in range(1, T + 1):
            yield square
            eta = a * t**-power
            square = (1 - eta) ** 2 * square + eta * eta

    return values


LENGTH = wb.profile(30_000, 100_000, 300_000)
STEPS = STUDY.exact_curve(mean_square(1.0), horizon=LENGTH, grid={"a": [0.25, 0.5, 2.0]}, metric="E x^2")
SLOWER = STUDY.exact_curve(
    mean_square(0.9), horizon=LENGTH, grid={"a": [2.0]}, name="slower", metric="E x^2", title="Steps t^-0.9",
    wrong="steps t^-0.9",
)  # fmt: skip
SMALL, EDGE, LARGE = (
    STUDY.reading("thm-1", STEPS, a=a, claimed=c) for a, c in ((0.25, -0.5), (0.5, -1), (2.0, -1))
)
CLAIMS = (
    LARGE.tight(),
    LARGE.level(4 / (3 * v.T), "a^2/((2 a - 1) T)"),
    SMALL.tight(tol=0.05),
    EDGE.logarithmic(power=-1, logs=1),
    LARGE.caught(claimed=-1.1),
    LARGE.level(2 / v.T, "1.5 times that").caught(),
    SMALL.caught(claimed=-0.6),
    EDGE.caught(),
    EDGE.logarithmic(power=-1, logs=2).caught(),
    STUDY.reading("thm-1", SLOWER, claimed=-1).caught(),
)
