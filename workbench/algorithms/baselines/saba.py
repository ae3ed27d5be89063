"""SABA: Dagreou, Ablin, Vaiter, Moreau, NeurIPS 2022: one step of x, y and v, each quantity with a SAGA memory.

    d(q) = q_i(new) - q_i(stored) + mean of the stored,  then  mean += (q_i(new) - q_i(stored)) / n,  stored <- new
    y <- y - rho d(g_y),  v <- v - rho (d(H v) - d(f_y)),  x <- x - gamma (d(f_x) - d(J v))

for finite sums g = (1/N) sum g_i and f = (1/M) sum f_j: one uniform i for g_y, H v and J v, one uniform j for f_x and
f_y, all at the old (x, y, v); J = grad^2_xy g, H = grad^2_yy g. Constant steps, of order (N + M)^-2/3 in the theory,
whose mean square falls as (N + M)^2/3 / T. The memory is filled at the start. Rule confirmed by github
benchopt/benchmark_bilevel (v has the other sign there); the exponents are general knowledge.
"""

from typing import Any, NamedTuple

from workbench.algorithms.baselines.window import slot
from workbench.arrays.ops import loop, put, take

TITLE = "SABA"
SOURCE = "arXiv 2201.13409"
LABEL = "C"


class State(NamedTuple):
    x: Any  # x_t, (runs, d_x)
    y: Any  # y_t, (runs, d_y)
    v: Any  # v_t, (runs, d_y)
    g_y: Any  # stored grad_y g_i, (runs, N, d_y)
    Hv: Any  # stored H_i v, (runs, N, d_y)
    Jv: Any  # stored J_i v, (runs, N, d_x)
    f_x: Any  # stored grad_x f_j, (runs, M, d_x)
    f_y: Any  # stored grad_y f_j, (runs, M, d_y)
    mean_g_y: Any  # mean over the memory, (runs, d_y)
    mean_Hv: Any
    mean_Jv: Any
    mean_f_x: Any
    mean_f_y: Any


class Steps(NamedTuple):
    rho: Any  # step of y and v
    gamma: Any  # step of x
    N: int  # components of g
    M: int  # components of f


def init(start, c, oracle, draw, xp):
    """x_1, y_1, v_1 = 0 and a memory filled there."""
    x, y = start["x"], start["y"]
    v, zero_x = xp.zeros_like(y), xp.zeros_like(x)

    def filled(n, evaluate, like):
        def fill(k, carry):
            i = slot(k, x, xp)
            new = evaluate(i)
            tables = (put(table, i, q, xp) for table, q in zip(carry, new, strict=False))
            return (*tables, *(mean + q / n for mean, q in zip(carry[len(new) :], new, strict=True)))

        tables = tuple(xp.zeros((q.shape[0], n, q.shape[-1])) for q in like)
        return loop(n, fill, (*tables, *like), xp)

    def inner(i):
        return (
            oracle.part_grad_y_g(x, y, i), oracle.part_hess_yy_g(x, y, v, i), oracle.part_jac_xy_g(x, y, v, i)
        )  # fmt: skip

    g_y, Hv, Jv, *means_g = filled(c.N, inner, (v, v, zero_x))
    f_x, f_y, *means_f = filled(c.M, lambda j: oracle.part_grad_f(x, y, j), (zero_x, v))
    return State(x, y, v, g_y, Hv, Jv, f_x, f_y, *means_g, *means_f)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: three gradients, one Hessian- and one Jacobian-vector product."""
    i, j = draw(0).index(c.N, 1), draw(1).index(c.M, 1)

    def corrected(new, table, mean, place, n):
        """Direction, memory and mean."""
        change = new - take(table, place, xp)
        return change + mean, put(table, place, new, xp), mean + change / n

    d_y, g_y, mean_g_y = corrected(oracle.part_grad_y_g(s.x, s.y, i), s.g_y, s.mean_g_y, i, c.N)
    d_H, Hv, mean_Hv = corrected(oracle.part_hess_yy_g(s.x, s.y, s.v, i), s.Hv, s.mean_Hv, i, c.N)
    d_J, Jv, mean_Jv = corrected(oracle.part_jac_xy_g(s.x, s.y, s.v, i), s.Jv, s.mean_Jv, i, c.N)
    new_x, new_y = oracle.part_grad_f(s.x, s.y, j)
    d_fx, f_x, mean_f_x = corrected(new_x, s.f_x, s.mean_f_x, j, c.M)
    d_fy, f_y, mean_f_y = corrected(new_y, s.f_y, s.mean_f_y, j, c.M)
    x = s.x - c.gamma * (d_fx - d_J)
    y = s.y - c.rho * d_y
    v = s.v - c.rho * (d_H - d_fy)
    return State(
        x, y, v, g_y, Hv, Jv, f_x, f_y, mean_g_y, mean_Hv, mean_Jv, mean_f_x, mean_f_y
    )  # fmt: skip
