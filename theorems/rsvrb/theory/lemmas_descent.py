"""Descent of F; errors of z and d in terms of those of their parts: Lemmas 1, 2, 4, 5, 10. L282, L361, L494."""

from sympy import IndexedBase, Le, Symbol, symbols

from workbench.theory.lemma import AlongTrajectory, Identity, misprint

from . import common
from . import constants as k
from .chain import (
    BLOCKS,
    C_0,
    C_1,
    C_2,
    C_3,
    C_4,
    HALF,
    L_F,
    RUNS,
    dd,
    dfx,
    dfy,
    dgxy,
    dgyy,
    dy,
    err2,
    eta,
    gamma,
    inequality,
    link,
    quantity,
)
from .lemmas_preliminary import PRODUCT

a, b, c, d = symbols("a b c d", nonnegative=True)
g, z = symbols("g z", nonnegative=True)
p, slope, step = symbols("p slope step", real=True)
fall, gap = symbols("fall gap", real=True)

DESCENT = link(
    "lem-4",
    "Descent of F in any direction z",
    "Lemmas 1 and 4, L282-286, L361-365, L619-624",
    r"For $\gamma \eta_t L_F \le 1/2$, $F(x_{t+1})$ is at most "
    r"$F(x_t) + (\gamma \eta_t/2) (\|\nabla F - z\|^2 - \|\nabla F\|^2) - (\gamma \eta_t/4) \|z\|^2$.",
    ("lem-13",),
    Identity(
        "the step inserted",
        slope * (-gamma * eta * step) + L_F / 2 * (-gamma * eta * step) ** 2,
        -gamma * eta * slope * step + L_F * gamma**2 * eta**2 / 2 * step**2,
        note="L621-622 in one coordinate: slope of grad F, step of z.",
    ),
    Identity(
        "the inner product",
        -gamma * eta * slope * step,
        gamma * eta / 2 * ((slope - step) ** 2 - slope**2 - step**2),
        note="L623 in one coordinate.",
    ),
    inequality(
        "the quadratic upper bound",
        -gamma * eta * p + L_F * gamma**2 * eta**2 / 2 * z**2,
        gamma * eta / 2 * (g**2 - 2 * p + z**2) - gamma * eta / 2 * g**2 - gamma * eta / 4 * z**2,
        Le(gamma * eta * L_F, HALF),
        note="g = |grad F|, z = |z|, p their inner product; left: the upper bound of F(x_(t+1)) - F(x_t).",
    ).states(),
    AlongTrajectory(
        "along runs",
        quantity("fall"),
        gamma * eta / 2 * (quantity("err2") - quantity("slope2")) - gamma * eta / 4 * quantity("z2"),
        on=(RUNS,),
    ).states(),
)

# ------------------------------------------------------------------------------------------- Lemma 5

f_1, f_2, j_1, j_2 = symbols("f_1 f_2 j_1 j_2", real=True)
before, after, whole = symbols("before after whole", nonnegative=True)
CONSTANTS = dict(common.LEMMA_5)
PARTS = C_1 * dfx + C_2 * dgxy + C_3 * dgyy + C_4 * dfy
TWO_SQUARES = inequality("two squares", (a + b) ** 2, 2 * (a**2 + b**2))
THREE_SQUARES = inequality("three squares", (b + c + d) ** 2, 3 * (b**2 + c**2 + d**2))

ERROR = link(
    "lem-5",
    "The error of z in terms of those of its parts",
    "Lemma 5, L369-377, L630-663",
    r"$\|z_{t+1} - \nabla F(x_t)\|^2$ is at most "
    r"$2 C_0 \delta_y + 2 C_1 \delta_{fx} + 2 C_2 \delta_{gxy} + 2 C_3 \delta_{gyy} + 2 C_4 \delta_{fy}$.",
    ("asm-1", "asm-2(i)", "asm-2(iii)"),
    *misprint(
        "E17",
        inequality(
            "two hypergradients apart, sign of L634 and L647",
            (f_1 - j_1 - (f_2 - j_2)) ** 2,
            (f_1 - j_1 - f_2 - j_2) ** 2,
            note="f of grad_x f, j of d2g/dxdy (d2g/dydy)^-1 grad_y f at the two points.",
        ),
        "two hypergradients apart",
        rhs=(f_1 - j_1 - f_2 + j_2) ** 2,
    ),
    TWO_SQUARES,
    THREE_SQUARES,
    PRODUCT,
    inequality(
        "C_0: the change from y_t to y*(x_t)",
        2 * a**2 + 6 * (b**2 + c**2 + d**2),
        CONSTANTS[k.C_0] * dy,
        Le(a**2, k.L_fx**2 * dy),
        Le(b**2, k.C_fy**2 * k.L_gxy**2 / k.lam**2 * dy),
        Le(c**2, k.C_fy**2 * k.C_gxy**2 * k.L_gyy**2 / k.lam**4 * dy),
        Le(d**2, k.L_fy**2 * k.C_gxy**2 / k.lam**2 * dy),
        note="a: of grad_x f; b, c, d: the three parts of the change of d2g/dxdy (d2g/dydy)^-1 grad_y f.",
    ),
    inequality(
        "C_1, ..., C_4: the errors of u, V, H and v",
        2 * a**2 + 6 * (b**2 + c**2 + d**2),
        CONSTANTS[k.C_1] * dfx + CONSTANTS[k.C_2] * dgxy + CONSTANTS[k.C_3] * dgyy + CONSTANTS[k.C_4] * dfy,
        Le(a**2, dfx),
        Le(b**2, k.C_fy**2 / k.lam**2 * dgxy),
        Le(c**2, k.C_fy**2 * k.C_gxy**2 / k.lam**4 * dgyy),
        Le(d**2, k.C_gxy**2 / k.lam**2 * dfy),
        note="|v| <= C_fy and H >= lambda by the projections, |d2g/dxdy| <= C_gxy by Assumption 2(iii); |V| is not "
        "used.",
    ),
    *misprint(
        "E17",
        inequality(
            "C_1 for C_0 (L661)",
            2 * before + 2 * after,
            2 * before + 2 * C_1 * dy,
            Le(after, C_0 * dy),
            note="before: |z - grad F(x_t, y_t)|^2, after: |grad F(x_t, y_t) - grad F(x_t)|^2.",
        ),
        "C_0 (L661)",
        rhs=2 * before + 2 * C_0 * dy,
    ),
    inequality(
        "Lemma 5",
        err2,
        2 * C_0 * dy + 2 * PARTS,
        Le(err2, 2 * before + 2 * after),
        Le(before, PARTS),
        Le(after, C_0 * dy),
        note="two squares, C_0, and C_1, ..., C_4.",
    ).states(),
    AlongTrajectory(
        "along runs",
        quantity("err2"),
        common.in_parameters(
            2
            * (
                k.C_0 * quantity("lag2")
                + k.C_1 * quantity("err_fx")
                + k.C_2 * quantity("err_gxy")
                + k.C_3 * quantity("err_gyy")
                + k.C_4 * quantity("err_fy")
            ),
            common.LEMMA_5,
        ),
        on=(RUNS,),
    ).states(),
)

# ------------------------------------------------------------------------------------------- Lemma 10

n = Symbol("n", integer=True, positive=True)
A, SUM, SQUARES, SPREAD = (IndexedBase(name) for name in ("A", "SUM", "SQUARES", "SPREAD"))
mean_z, mean_y, mean_parts = symbols("mean_z mean_y mean_parts", nonnegative=True)
JENSEN = Identity(
    "Jensen: what the mean of squares exceeds",
    n * SQUARES[n] - SUM[n] ** 2,
    SPREAD[n],
    n=n,
    recursion={
        SUM[1]: A[1],
        SQUARES[1]: A[1] ** 2,
        SPREAD[1]: 0 * A[1],
        SUM[n + 1]: SUM[n] + A[n + 1],
        SQUARES[n + 1]: SQUARES[n] + A[n + 1] ** 2,
        SPREAD[n + 1]: SPREAD[n] + n * A[n + 1] ** 2 - 2 * A[n + 1] * SUM[n] + SQUARES[n],
    },
    note="each step adds the sum over i <= n of (A_(n+1) - A_i)^2, which is not negative; one coordinate, n = m.",
)

MEAN = link(
    "lem-10",
    "The error of d",
    "Lemmas 2 and 10, L290-298, L494-502, L744-751",
    r"$\|d_{t+1} - \nabla F\|^2$ is at most $2 \delta_d$ plus $1/m$ times the sum over $i$ of twice the right side "
    "of Lemma 5.",
    ("lem-5", "prop-2", "asm-3", "asm-4"),
    inequality(
        "two parts",
        (a + b) ** 2,
        2 * a**2 + 2 * b**2,
        note="a = |d - mean of z_i|, b = |mean of z_i - grad F|.",
    ),
    JENSEN,
    inequality(
        "Lemma 10",
        whole,
        2 * dd + 4 * C_0 * mean_y + 4 * mean_parts,
        Le(whole, 2 * dd + 2 * mean_z),
        Le(mean_z, 2 * C_0 * mean_y + 2 * mean_parts),
        note="mean_z, mean_y: means over i of |z_i - grad F_i|^2 and delta_(y,i); mean_parts: of C_1 delta_(fx,i) + "
        "... + C_4 delta_(fy,i). Two parts with Jensen, and the mean of Lemma 5 with the largest constants.",
    ).states(),
    AlongTrajectory("on sampled blocks", quantity("error_d"), quantity("rhs_10"), on=(BLOCKS,)).states(),
    note="The text writes y*(x_(i,t)) for y_i*(x_t) once (L498).",
)
LEMMAS = (DESCENT, ERROR, MEAN)
