"""VRBO: Yang, Ji, Liang, NeurIPS 2021: SARAH/SPIDER on both levels, and an inner loop that both estimators follow.

Every q iterations S samples (the large batch) give u = g_y and w = the hypergradient estimate at (x_k, y_k). Then

    x_(k+1) = x_k - alpha w;   u, w += their difference from (x_k, y_k) to (x_(k+1), y_k);   y^1 = y_k - beta u
    for j = 1, ..., M:  u, w += their difference from (x_(k+1), y^(j-1)) to (x_(k+1), y^j);  y^(j+1) = y^j - beta u
    u, w += their difference to (x_(k+1), y^(M+1));   y_(k+1) = y^(M+1)

with y^0 = y_k and one fresh sample (the small batch) for each difference. Without noise u stays the gradient at the
current point. The estimator is SHIA. Both public reimplementations depart from the recursion (one forgets the
x-difference, github benchopt/benchmark_bilevel; the authors' code moves y once more after the last update); the loop
indices are general knowledge.
"""

import workbench as wb
from workbench.ops import branch, loop

from .estimators.truncated import shia

TITLE = "VRBO"
SOURCE = "arXiv 2106.04692, Algorithm 2"
LABEL = "P"
# w: estimate of the hypergradient at (x_t, y_t); u: estimate of grad_y g there
State = wb.state("x", "y", "w", "u")
Steps = wb.steps(
    "alpha",
    "beta",
    "q",  # period of the large batches
    "S",  # samples in a large batch
    "M",  # inner steps after the first
    "K",  # Q + 1
    "theta",  # eta of the paper's estimator
)


def init(start, c, oracle, draw, xp):
    """x_1, y_1, and estimates that iteration 1 replaces."""
    x, y = start["x"], start["y"]
    return State(x, y, xp.zeros_like(x), xp.zeros_like(y))


def step(s, t, c, oracle, draw, xp):
    """Iteration t: M + 2 differences, each of twice the work of an estimate with three gradients."""
    large, small = draw(0), draw(1)

    def estimates(
        z, sample, j
    ):  # at z = (x, y) with the j-th of several samples; each has K draws of the Hessian
        zeta, xi = sample.repeat(2 * c.K * j), sample.repeat(2 * c.K * j + c.K)
        return shia(z[0], z[1], xi, c.K, c.theta, oracle, xp).value, oracle.grad_y_g(z[0], z[1], zeta)

    def large_batch():
        def add(j, total):
            w, u = estimates((s.x, s.y), large, j)
            return total[0] + w / c.S, total[1] + u / c.S

        return loop(c.S, add, (xp.zeros_like(s.w), xp.zeros_like(s.u)), xp)

    def small_batch(w, u, old, new, j):
        w_new, u_new = estimates(new, small, j)
        w_old, u_old = estimates(old, small, j)
        return w + w_new - w_old, u + u_new - u_old

    due = (t - 1.0) - c.q * xp.floor((t - 1.0) / c.q) == 0.0
    w, u = branch(due, large_batch, lambda: (s.w, s.u), xp)
    x = s.x - c.alpha * w
    w, u = small_batch(w, u, (s.x, s.y), (x, s.y), 0)

    def inner(j, carry):
        w, u, y_old, y = carry
        w, u = small_batch(w, u, (x, y_old), (x, y), j + 1)
        return w, u, y, y - c.beta * u

    w, u, y_old, y = loop(c.M, inner, (w, u, s.y, s.y - c.beta * u), xp)
    w, u = small_batch(w, u, (x, y_old), (x, y), c.M + 1)
    return State(x, y, w, u)
