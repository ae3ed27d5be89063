"""Truncated Neumann series of the inverse Hessian: a random number of factors (HIA), or all partial products (SHIA).

Both estimate grad_x f - grad^2_xy g [grad^2_yy g]^-1 grad_y f and have the same mean for the same theta, samples and
number of terms K. HIA: Ghadimi & Wang, arXiv 1802.02246, Algorithm 3. SHIA: Ji, Yang, Liang, arXiv 2010.07962. Methods
with recursive momentum evaluate one sample, random length included, at two points: they pass the same xi twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.ops import column, loop

Array = Any
Point = tuple[Array, Array, Any]  # x, y and the sample


class Estimate(NamedTuple):
    """value: the estimate, (runs, d). grad_x: grad_x f(x, y; xi) of the same sample."""

    value: Array
    grad_x: Array


def random_length(xi: Any, K: int, like: Array, xp: Any) -> Array:
    """k, uniform on {0, ..., K-1}, (runs, 1) float: the random length of HIA, part of the sample."""
    return column(xp.floor(xi.uniform(1, 7) * float(K)), like, xp)


def hia(x: Array, y: Array, xi: Any, K: int, theta: Array, oracle: Any, xp: Any) -> Estimate:
    """grad_x f(xi) - grad^2_xy g(zeta^0) [K theta prod_(i=1..k) (I - theta grad^2_yy g(zeta^i))] grad_y f(xi).

    theta is a number in (0, 1/L_g]. xi holds all samples: xi of both derivatives of f, zeta^0, ..., zeta^(K-1) as its
    repeated draws (k = 0: zeta^0), and the length k. The empty product is I. Each run pays for its own k products,
    (K - 1)/2 on average.
    """
    f_x, f_y = oracle.grad_f(x, y, xi)

    def factor(i: Any, q: tuple[Array, ...]) -> tuple[Array, ...]:  # zeta^(i+1) for i = 0, ..., k - 1
        return (q[0] - theta * oracle.hess_yy_g(x, y, q[0], xi, i + 1),)

    (product,) = loop(random_length(xi, K, x, xp), factor, (f_y,), xp)
    return Estimate(f_x - oracle.jac_xy_g(x, y, K * theta * product, xi, 0), f_x)


def hia_at_both(
    new: Point, old: Point, K: int, theta: Array, oracle: Any, xp: Any
) -> tuple[Estimate, Estimate]:
    """`hia` at two points (x, y, xi), as recursive momentum needs it.

    One sample for both takes one loop over its factors, in which a kernel draws their noise once.
    """
    (x, y, xi), (x_old, y_old, xi_old) = new, old
    if xi_old is not xi:
        return hia(*new, K, theta, oracle, xp), hia(*old, K, theta, oracle, xp)
    (f_x, f_y), (f_x_old, f_y_old) = oracle.grad_f(x, y, xi), oracle.grad_f(x_old, y_old, xi)

    def factors(i: Any, q: tuple[Array, ...]) -> tuple[Array, ...]:
        return (
            q[0] - theta * oracle.hess_yy_g(x, y, q[0], xi, i + 1),
            q[1] - theta * oracle.hess_yy_g(x_old, y_old, q[1], xi, i + 1),
        )

    product, product_old = loop(random_length(xi, K, x, xp), factors, (f_y, f_y_old), xp)
    value = f_x - oracle.jac_xy_g(x, y, K * theta * product, xi, 0)
    value_old = f_x_old - oracle.jac_xy_g(x_old, y_old, K * theta * product_old, xi, 0)
    return Estimate(value, f_x), Estimate(value_old, f_x_old)


def shia(x: Array, y: Array, xi: Any, K: int, theta: Array, oracle: Any, xp: Any) -> Estimate:
    """theta sum_(q=-1..Q-1) prod_(i=Q-q..Q) (I - theta grad^2_yy g(zeta_i)) in place of the inverse, K = Q + 1 terms.

    The term of q = -1 is I, that of q adds the factor of zeta_(Q-q) on the left: all terms share their factors from the
    right, so K - 1 products suffice. Repeated draw i stands for zeta_(Q+1-i).
    """
    f_x, f_y = oracle.grad_f(x, y, xi)

    def term(i: Any, q: tuple[Array, ...]) -> tuple[Array, ...]:
        last = q[0] - theta * oracle.hess_yy_g(x, y, q[0], xi, i + 1)
        return last, q[1] + last

    _, total = loop(K - 1, term, (f_y, f_y), xp)
    return Estimate(f_x - oracle.jac_xy_g(x, y, theta * total, xi, 0), f_x)
