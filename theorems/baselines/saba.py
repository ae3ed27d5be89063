"""SABA: Dagreou, Ablin, Vaiter, Moreau, NeurIPS 2022: one step of x, y and v, each quantity with a SAGA memory.

    d(q) = q_i(new) - q_i(stored) + mean of the stored,  then  stored <- new
    y <- y - rho d(g_y),  v <- v - rho (d(H v) - d(f_y)),  x <- x - gamma (d(f_x) - d(J v))

for finite sums g = (1/N) sum g_i and f = (1/M) sum f_j: one uniform i for g_y, H v and J v, one uniform j for f_x and
f_y, all at the old (x, y, v); J = grad^2_xy g, H = grad^2_yy g. Constant steps, of order (N + M)^-2/3 in the theory,
whose mean square falls as (N + M)^2/3 / T. The memory is filled at the start; its mean is summed anew each time,
not corrected. Rule confirmed by github benchopt/benchmark_bilevel (v has the other sign there); the exponents are
general knowledge.
"""

import workbench as wb
from workbench.ops import loop, put, take, tasksum

from .window import slot

TITLE = "SABA"
SOURCE = "arXiv 2201.13409"
LABEL = "C"
State = wb.state(
    "x",
    "y",
    "v",
    "g_y",  # stored grad_y g_i, (runs, N, d_y)
    "Hv",  # stored H_i v, (runs, N, d_y)
    "Jv",  # stored J_i v, (runs, N, d_x)
    "f_x",  # stored grad_x f_j, (runs, M, d_x)
    "f_y",  # stored grad_y f_j, (runs, M, d_y)
)
# rho: step of y and v; gamma: step of x; N: components of g; M: components of f
Steps = wb.steps("rho", "gamma", "N", "M")


def init(start, c, oracle, draw, xp):
    """x_1, y_1, v_1 = 0 and a memory filled there."""
    x, y = start["x"], start["y"]
    v, zero_x = xp.zeros_like(y), xp.zeros_like(x)

    def table_of(n, evaluate, like):
        def fill(k, tables):
            i = slot(k, x, xp)
            return tuple(put(table, i, q, xp) for table, q in zip(tables, evaluate(i), strict=True))

        return loop(n, fill, tuple(xp.zeros((q.shape[0], n, q.shape[-1])) for q in like), xp)

    def inner(i):
        return (
            oracle.part_grad_y_g(x, y, i), oracle.part_hess_yy_g(x, y, v, i), oracle.part_jac_xy_g(x, y, v, i)
        )  # fmt: skip

    g_y, Hv, Jv = table_of(c.N, inner, (v, v, zero_x))
    f_x, f_y = table_of(c.M, lambda j: oracle.part_grad_f(x, y, j), (zero_x, v))
    return State(x, y, v, g_y, Hv, Jv, f_x, f_y)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: three gradients, one Hessian- and one Jacobian-vector product."""
    i, j = draw(0).index(c.N, 1), draw(1).index(c.M, 1)

    def correction(new, table, place, n):
        """Direction and memory."""
        return new - take(table, place, xp) + tasksum(table, xp) / n, put(table, place, new, xp)

    d_y, g_y = correction(oracle.part_grad_y_g(s.x, s.y, i), s.g_y, i, c.N)
    d_H, Hv = correction(oracle.part_hess_yy_g(s.x, s.y, s.v, i), s.Hv, i, c.N)
    d_J, Jv = correction(oracle.part_jac_xy_g(s.x, s.y, s.v, i), s.Jv, i, c.N)
    new_x, new_y = oracle.part_grad_f(s.x, s.y, j)
    d_fx, f_x = correction(new_x, s.f_x, j, c.M)
    d_fy, f_y = correction(new_y, s.f_y, j, c.M)
    return State(
        s.x - c.gamma * (d_fx - d_J), s.y - c.rho * d_y, s.v - c.rho * (d_H - d_fy), g_y, Hv, Jv, f_x, f_y
    )
