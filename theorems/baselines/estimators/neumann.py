"""Estimators of the hypergradient  grad_x f - (d2g/dxdy) [d2g/dydy]^-1 grad_y f  shared by the bilevel methods."""

from __future__ import annotations

from typing import Any

from workbench.ops import loop

Array = Any


def neumann(x: Array, y: Array, xi: Any, N: int, l_g1: Array, oracle: Any, xp: Any) -> Array:
    """The truncated Neumann estimate of Ada-BiO, Eqs. (36)-(37), L842-860; (runs, d_x).

        grad_x F - (d2G/dxdy) H grad_y F,  H = (1/l_g1) sum_{n=0}^{N-1} prod_{j=1}^{n} (I - d2G/dydy(zeta^(n,j)) / l_g1)

    The product is printed up to "q"; the sample list (L858-860) shows that n is meant. All Hessian samples
    zeta^(n,j) are independent: N(N-1)/2 of them. Where the oracle's Hessian carries no noise all factors are equal and
    Horner's rule gives the same sum with N-1 products (``oracle.hessian_is_exact``).

    xi: the sample shared by grad_x F, grad_y F; zeta^(0) and zeta^(n,j) are its repeated draws (k > 0).
    """
    f_x, f_y = oracle.grad_f(x, y, xi)

    def factor(w, k):  # (I - d2G/dydy(zeta_k) / l_g1) w
        return w - oracle.hess_yy_g(x, y, w, xi, k) / l_g1

    def product(n, first):  # of the n factors with samples first, first + 1, ..., times grad_y F
        (term,) = loop(n, lambda j, q: (factor(q[0], first + j),), (f_y,), xp)
        return term

    if oracle.hessian_is_exact():
        (total,) = loop(N - 1, lambda n, q: (f_y + factor(q[0], 1),), (f_y,), xp)
    else:
        total = f_y
        for n in range(1, N):
            total = total + product(n, 2 + n * (n - 1) // 2)  # k = 1 belongs to zeta^(0)
    return f_x - oracle.jac_xy_g(x, y, total / l_g1, xi, 1)
