"""Two time scales: k^-2/3 is the rate for non-smooth coupling only, k^-1 for smooth; the upper bound holds for both.

Sources: Hong, Wai, Wang, Yang, SIAM J. Optim. 2023 (arXiv 2007.05170); Doan, arXiv 2011.01868; decoupled rates: Han,
Li, Zhang, arXiv 2401.03893. y <- (1 - b_k) y + b_k xi, x <- x - a_k (x - |y|^(1 + rho) + zeta), b_k = (k + 1)^-2/3,
a_k = 2/(k + 2), Gaussian noise of variance 1; the exponent of E x^2 is -min(1, (2/3)(1 + rho)).

Computed from moments, not from runs: y is Gaussian with a known variance, E x follows a recursion, and the variance of
x is that of its own noise (that of |y|^(1 + rho) is left out). Fooled: from 10^3 to 10^4 the slope for rho = 0 is
-0.73, a sum of two powers of which the slower wins late; up to 10^6 it is -0.68.
"""

from math import gamma, pi, sqrt

import workbench as wb

LENGTH = wb.profile(300_000, 1_000_000, 3_000_000)
STUDY = wb.Study(__name__, "Two time scales", tol=0.04)


def mean_square(T, rho):
    """E x_k^2 at k = 1, ..., T."""
    variance_y = mean_x = variance_x = 1.0
    moment = 2 ** ((1 + rho) / 2) * gamma((2 + rho) / 2) / sqrt(pi)  # E|N(0, 1)|^(1 + rho)
    for k in range(T):
        yield mean_x**2 + variance_x
        a, b = 2 / (k + 2), (k + 1) ** (-2 / 3)
        mean_x += a * (moment * variance_y ** ((1 + rho) / 2) - mean_x)
        variance_x = (1 - a) ** 2 * variance_x + a * a
        variance_y = (1 - b) ** 2 * variance_y + b * b


CURVE = STUDY.exact_curve(mean_square, horizon=LENGTH, grid={"rho": [0, 1]}, metric="E x^2")
ROUGH, SMOOTH = (STUDY.reading("mean-square", CURVE, rho=rho, claimed=-2 / 3) for rho in (0, 1))
CLAIMS = (
    ROUGH.rate(),
    ROUGH.tight(since=0.02),
    SMOOTH.rate(),
    SMOOTH.tight(claimed=-1),
    SMOOTH.tight(
        expected="violated", tag="quoted", note="the upper bound is often quoted as the rate of the method"
    ),
    ROUGH.caught(claimed=-1),
)
