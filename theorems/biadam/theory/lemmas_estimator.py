"""Lemmas 3 and 4: bias and Lipschitz constant of the estimate (6). L29.

With q = 1 - h/L_g for an eigenvalue h of the mean Hessian the mean of (6)'s factor over k and over independent samples
is (1/L_g) (1 + q + ... + q^(K-1)). Both lemmas are quoted by the paper; the proofs here are this project's.
"""

from sympy import Expr, Ge, IndexedBase, Integer, Le, Rational, Symbol, log, symbols

from workbench.theory.lemma import Identity, Inequality, Interval, closed, misprint

from . import common
from . import symbols as s
from .chain import inequality, link
from .symbols import C_fy, C_gxy, L_f, L_g, L_gxy, L_gyy, mu_g

n = Symbol("n", integer=True, positive=True)
k = Symbol("k", integer=True, nonnegative=True)

# ------------------------------------------------------------------------------------------- Lemma 3

S, P = IndexedBase("S"), IndexedBase("P")  # 1 + q + ... + q^(n-1), and q^n
f_y, g_xy = symbols("f_y g_xy", real=True)
q = Symbol("q", real=True)
h = Symbol("h", positive=True)
GEOMETRIC = {S[1]: Integer(1), P[1]: q, S[n + 1]: S[n] + P[n], P[n + 1]: q * P[n]}
tail, factor, bias, K_real, product = symbols("tail factor bias K_real product", nonnegative=True)
ratio = Symbol("ratio", positive=True)
log_A, log_ratio = symbols("log_A log_ratio", real=True)


def scalar_bias(bound: Expr) -> Identity:
    """|R| of one coordinate with the Hessian mu, from the sum of n = K terms, against ``bound``."""
    at = {q: 1 - mu_g / L_g}
    return Identity(
        "equality for one coordinate",
        g_xy * f_y / mu_g - g_xy * f_y / L_g * S[n],
        bound,
        n=n,
        recursion={target: value.xreplace(at) for target, value in GEOMETRIC.items()},
        note="grad f - E (6) for the Hessian mu, every K = n: S_n = 1 + q + ... + q^(n-1), P_n = q^n, q = 1 - mu/L_g. "
        "The bound of the lemma is attained.",
    )


LEMMA_3 = link(
    "lem-3",
    "Bias of the estimate (6)",
    "L29",
    r"The bias $\|R\|$ is at most $(C_{gxy} C_{fy}/\mu) (1 - \mu/L_g)^K$.",
    ("asm-1", "asm-4", "asm-5"),
    Identity(
        "truncated Neumann sum",
        (1 - q) * S[n],
        1 - P[n],
        n=n,
        recursion=GEOMETRIC,
        note="S_n = 1 + q + ... + q^(n-1), P_n = q^n for every real q: the mean over k of L_g times the factor is S_K.",
    ),
    Identity(
        "bias in one eigendirection",
        1 / h - S[n] / L_g,
        P[n] / h,
        n=n,
        recursion={target: value.xreplace({q: 1 - h / L_g}) for target, value in GEOMETRIC.items()},
        note="h: an eigenvalue of the mean Hessian; P_n = (1 - h/L_g)^n. Exact in K.",
    ),
    inequality(
        "largest in the direction of mu",
        1 - h / L_g,
        1 - mu_g / L_g,
        Le(mu_g, h),
        Le(h, L_g),
    ),
    inequality(
        "the bound",
        bias,
        C_gxy * C_fy / mu_g * factor,
        Le(bias, C_gxy * tail * C_fy),
        Le(tail, product / h),
        Le(product, factor),
        Le(mu_g, h),
        note="tail: norm of H^-1 - (1/L_g) sum, at most its largest eigenvalue (1 - h/L_g)^K/h; factor = "
        "(1 - mu/L_g)^K, product = (1 - h/L_g)^K <= factor, as 0 <= 1 - h/L_g <= 1 - mu/L_g.",
    ).states(),
    scalar_bias(g_xy * f_y / mu_g * P[n]),
    Inequality(
        "log x <= x - 1",
        log(ratio),
        ratio - 1,
        {ratio: Interval(0, 1, low_open=True)},
        note="ratio = 1 - mu/L_g.",
    ),
    inequality(
        "K of the theorems",
        log_A + K_real * log_ratio,
        0,
        Ge(K_real * (1 - ratio), log_A),
        Le(log_ratio, ratio - 1),
        box={ratio: Interval(0, 1, low_open=True)},
        note="K >= (L_g/mu) log A with A = C_gxy C_fy T/mu makes log(A (1 - mu/L_g)^K) <= 0, that is |R| <= 1/T.",
    ),
    quoted=True,
    note="The theorems round K up and floor it at 1 (O-14); with A <= 1 one term is enough.",
)

# ------------------------------------------------------------------------------------------- Lemma 4

B, D, M, spare = (IndexedBase(name) for name in ("B", "D", "M", "spare"))
delta, q_most = symbols("delta q_most", nonnegative=True)
E_total, E_f, E_G, E_H, E_v = symbols("E_total E_f E_G E_H E_v", nonnegative=True)
moment, change, cross_sq, slope_sq = symbols("moment change cross_sq slope_sq", nonnegative=True)
d = Symbol("d", nonnegative=True)
K, below = symbols("K below", positive=True)
BELOW = 2 * mu_g * L_g - mu_g**2
L_K_SQUARE = {"printed": common.L_K_PRINTED[1] ** 2, "repaired": common.L_K_REPAIRED[1] ** 2}
r = Symbol("r", nonnegative=True)
u_1, u_2, u_3 = symbols("u_1 u_2 u_3", real=True)
y_1, y_2 = symbols("y_1 y_2", real=True)


def second_moment(of: Expr, K: int, L: Expr) -> Expr:
    """E of the square of (K/L) times an expression in k, over k uniform on 0, ..., K-1."""
    return sum((Rational(1, K) * (Integer(K) / L * of.subs(k, j)) ** 2 for j in range(K)), Integer(0))


def constant(form: str, **values: object) -> Expr:
    """L_K^2 of a form at an instance's constants."""
    e = L_K_SQUARE[form]
    return e.subs({x: values[x.name] for x in e.free_symbols})


def curvature(y: Symbol) -> Expr:
    """phi'' of the O-3 instance: between 1 and 2, and 1-Lipschitz."""
    return Rational(3, 2) + y / (1 + y**2)


O_3 = {
    "mu_g": 1, "L_g": 2, "L_f": 0, "C_fy": 1, "C_gxy": 1, "L_gxy": 0, "L_gyy": 1, "K": 2, "sigma_fy": 0,
    "sigma_gxy": 0,
}  # fmt: skip
O_4 = {
    "mu_g": 1, "L_g": 4, "L_f": 1, "C_fy": Rational(1, 2), "C_gxy": 0, "L_gxy": 0, "L_gyy": 0, "K": 2, "sigma_fy": 0,
    "sigma_gxy": 4,
}  # fmt: skip
O_3_STRETCH = second_moment((1 - curvature(y_1) / 2) ** k - (1 - curvature(y_2) / 2) ** k, 2, Integer(2))
O_4_STRETCH = (
    second_moment(Rational(3, 4) ** k, 2, Integer(4)) * 16 * (y_1 / (1 + y_1**2) - y_2 / (1 + y_2**2)) ** 2
)
NEAR = {y_1: closed(-1, 1), y_2: closed(-1, 1)}

LEMMA_4 = link(
    "lem-4",
    "Lipschitz constant of the estimate (6)",
    "L29",
    r"$\mathbb{E}\|(6) \operatorname{at} x_1 - (6) \operatorname{at} x_2\|^2$ is at most $L_K^2 \|x_1 - x_2\|^2$, "
    "and so in $y$.",
    ("asm-1", "asm-3", "asm-4"),
    *misprint(
        "O-3",
        Inequality(
            "L_f^2 in the last term",
            O_3_STRETCH,
            constant("printed", **O_3) * (y_1 - y_2) ** 2,
            NEAR,
            note="f = y, g = phi(y) - x y with phi'' = 3/2 + y/(1 + y^2): mu = 1, L_g = 2, L_f = 0, L_gyy = C_fy = "
            "C_gxy = 1; no noise but k, K = 2. The printed L_K is 0.",
        ).states(),
        "C_fy^2 in the last term, the same instance",
        rhs=constant("repaired", **O_3) * (y_1 - y_2) ** 2,
        shows="line",
    ),
    *misprint(
        "O-4",
        Inequality(
            "bounds of the means",
            O_4_STRETCH,
            constant("printed", **O_4) * (y_1 - y_2) ** 2,
            NEAR,
            note="g = y^2/2 - zeta 4 x y with a fair sign zeta (C_gxy = 0, every sample has 4), f = log(1 + y^2)/2; K "
            "= 2, enumerated over k and zeta.",
        ).states(),
        "second moments of the samples, the same instance",
        rhs=constant("repaired", **O_4) * (y_1 - y_2) ** 2,
        shows="line",
    ),
    inequality("two terms", (u_1 + u_2) ** 2, 2 * (u_1**2 + u_2**2), note="each coordinate"),
    inequality("three terms", (u_1 + u_2 + u_3) ** 2, 3 * (u_1**2 + u_2**2 + u_3**2), note="each coordinate"),
    Identity(
        "second moment of the factor",
        (1 - r) * S[n],
        1 - P[n],
        n=n,
        recursion={S[1]: Integer(1), P[1]: r, S[n + 1]: S[n] + P[n], P[n + 1]: r * P[n]},
        note="r = q^2, q = 1 - mu/L_g: the sum of q^(2k) over k < K is (1 - r^K)/(1 - r).",
    ).own("O-3"),
    Identity(
        "1 - q^2",
        1 - (1 - mu_g / L_g) ** 2,
        BELOW / L_g**2,
        note="so E|factor|^2 <= (K/L_g^2)/(1 - q^2) = K/(2 mu L_g - mu^2).",
    ).own("O-3"),
    Identity(
        "change of a product of k factors",
        D[n],
        n * M[n] * delta,
        n=n,
        recursion={
            D[1]: delta,
            M[1]: Integer(1),
            D[n + 1]: q_most * D[n] + q_most * M[n] * delta,
            M[n + 1]: q_most * M[n],
        },
        note="factors of norm at most q whose changes are at most delta: D_(k+1) = q D_k + q^k delta, M_k = q^(k-1).",
    ).own("O-3"),
    Identity(
        "sum of k^2 q^(2(k-1))",
        (1 - r) * B[n],
        n**2 * (1 - P[n]) - spare[n],
        n=n,
        recursion={
            B[1]: Integer(1),
            P[1]: r,
            spare[1]: Integer(0),
            B[n + 1]: B[n] + (n + 1) ** 2 * P[n],
            P[n + 1]: r * P[n],
            spare[n + 1]: spare[n] + (2 * n + 1) * (1 - P[n]),
        },
        note="B_n = sum of k^2 r^(k-1) over k <= n, r = q^2, P_n = r^n <= 1, so spare_n >= 0: at most n^2/(1 - q^2).",
    ).own("O-3"),
    inequality(
        "Lemma 4, repaired",
        E_total,
        common.estimator_square(cross_sq, slope_sq, slope_sq, L_g**2).xreplace({s.K: K, BELOW: below}) * d**2,
        Le(E_total, 2 * E_f + 6 * (E_G + E_H + E_v)),
        Le(E_f, L_f**2 * d**2),
        Le(E_G, L_gxy**2 * d**2 * moment * slope_sq),
        Le(E_H, cross_sq * change * slope_sq),
        Le(E_v, cross_sq * moment * L_f**2 * d**2),
        Le(moment, K / below),
        Le(change, K**3 * L_gyy**2 * d**2 / (L_g**2 * below)),
        note="in x and in y alike; below = 2 mu L_g - mu^2, positive as mu <= L_g. E_G, E_H, E_v: the three parts of "
        "the change of G (factor) v, whose samples are "
        "independent; moment, change: E|factor|^2 and E|change of factor|^2; cross_sq, slope_sq: C_gxy^2 + "
        "sigma_gxy^2 and C_fy^2 + sigma_fy^2, which bound E|sample|^2.",
    )
    .states()
    .repaired("O-3"),
    quoted=True,
)
LEMMAS = (LEMMA_3, LEMMA_4)
