"""One step of the block estimators and of d: L239-242, Lemmas 11 and 12. L506-528, L753-778.

A block is a number: u before the step, n and o the sampled function at the new and at the old point; the estimator has
n/q and o/q with the block's probability q, and 0 otherwise. Sums over the blocks and over coordinates are added up.
"""

from dataclasses import replace

from sympy import Expr, Ge, Le, Rational, Symbol, symbols

from workbench.theory.lemma import Identity, InExpectation, at_least, misprint

from .chain import BLOCKS, UNIT, beta, dd, inequality, lam, link, m, quantity

q = Symbol("q", positive=True)
u, n, o = symbols("u n o", real=True)
n_1, n_2, o_1, o_2 = symbols("n_1 n_2 o_1 o_2", real=True)


def step(new: Expr, old: Expr) -> Expr:
    """The sampled block after the step."""
    return (1 - beta) * (u - old / q) + new / q


def mean_square(about: Expr, changed: Expr) -> Expr:
    """E of (block - about)^2 for the fair sample (n_1, o_1), (n_2, o_2); ``changed``: u, or 0 to look at its change."""
    drawn = ((step(n_1, o_1) - about) ** 2 + (step(n_2, o_2) - about) ** 2) / 2
    return q * drawn + (1 - q) * ((1 - beta) * changed - about) ** 2


H_NEW, H_OLD = (n_1 + n_2) / 2, (o_1 + o_2) / 2
SECOND = (n_1**2 + n_2**2) / (2 * q)
APART = (
    (1 - beta) ** 2 * (u - H_OLD) ** 2
    + ((beta * n_1 + (1 - beta) * (n_1 - o_1)) ** 2 + (beta * n_2 + (1 - beta) * (n_2 - o_2)) ** 2) / (2 * q)
    - (H_NEW - (1 - beta) * H_OLD) ** 2
)

UNBIASED = link(
    "eq-241",
    "The block estimators are unbiased",
    "L237-244",
    r"The mean of $(0, \ldots, h_i/p_i, \ldots, 0)$ over the sampled task $i$ is $(h_1, \ldots, h_m)$.",
    ("asm-4",),
    Identity(
        "one block, sampled or not",
        q * (n_1 / q + n_2 / q) / 2 + (1 - q) * 0,
        H_NEW,
        note="E of block i, which has h_i/p_i with the probability p_i = q, for the fair sample n_1, n_2 of h_i.",
    ).states(),
    Identity(
        "one step of a block, in the mean",
        q * step(n, o) + (1 - q) * (1 - beta) * u,
        (1 - beta) * (u - o) + n,
        note="a STORM step with the exact functions; the blocks that are not sampled are multiplied by 1 - beta.",
    ),
)

# ------------------------------------------------------------------------------------------- Lemma 11

a, b, c, d = symbols("a b c d", nonnegative=True)
d_t, z_j, z_j_new, bar, bar_new = symbols("d_t z_j z_j_new bar bar_new", real=True)
e, r_1, r_2 = symbols("e r_1 r_2", real=True)
sigma_z = Symbol("sigma_z", nonnegative=True)
dd_next, noise_sq, moved_sq, du, dV, dH, dv = symbols(
    "dd_next noise_sq moved_sq du dV dH dv", nonnegative=True
)
C_fy, C_gxy = symbols("C_fy C_gxy", nonnegative=True)
CHANGED = (
    8 * du + 24 * C_fy**2 / lam**2 * dV + 24 * C_gxy**2 * C_fy**2 / lam**4 * dH + 24 * C_gxy**2 / lam**2 * dv
)
ONE_CHANGES = inequality(
    "V_i of one task changes, C'_2 with lambda",
    (1 - 1 / m) * C_fy**2 * a**2,
    24 * lam * C_fy**2 * a**2,
    box={m: at_least(2)},
    witness={C_fy: 1, a: 1, lam: Rational(1, 100), m: 2},
    note="beta = 0 and d = mean of z_i: both sides times m lambda^2. z_i changes by C_fy a/lambda where |v_i| = C_fy "
    "and H_i = lambda, so E_j of delta_d becomes (1 - 1/m)/m times its square.",
)
CHANGE = link(
    "lem-11",
    "One step of d",
    "Lemma 11, L506-516, L755-767",
    r"$\mathbb{E}_j \delta_{d,t+1}$ is at most $(1 - \beta) \delta_{d,t} + 2 \beta^2 \sigma_z^2 "
    r"+ (1/m) \sum_i (C'_1 \|\operatorname{change}(u_i)\|^2 + C'_2 \|\operatorname{change}(V_i)\|^2 "
    r"+ C'_3 \|\operatorname{change}(H_i)\|^2 + C'_4 \|\operatorname{change}(v_i)\|^2)$.",
    ("asm-3", "asm-4"),
    ONE_CHANGES.states().refuted("E5"),
    replace(
        ONE_CHANGES,
        name="V_i of one task changes, C'_2 with lambda^2",
        rhs=24 * C_fy**2 * a**2,
        witness={},
        note="",
    ).repaired("E5"),
    Identity(
        "the error after one step",
        (1 - beta) * (d_t - z_j) + z_j_new - bar_new,
        (1 - beta) * (d_t - bar) + beta * (z_j_new - bar_new) + (1 - beta) * (z_j_new - z_j - bar_new + bar),
        note="L757-759, each coordinate; bar: the mean of the z_i.",
    ),
    Identity(
        "the old error and the rest apart",
        ((e + r_1) ** 2 + (e + r_2) ** 2) / 2,
        e**2 + (r_1**2 + r_2**2) / 2 + e * (r_1 + r_2),
        note="the rest has mean 0 over j: r_1 + r_2 = 0, here for two tasks.",
    ),
    inequality("two parts of the rest", (r_1 + r_2) ** 2, 2 * (r_1**2 + r_2**2), note="each coordinate."),
    inequality(
        "a variance is at most a second moment",
        ((r_1 - (r_1 + r_2) / 2) ** 2 + (r_2 - (r_1 + r_2) / 2) ** 2) / 2,
        (r_1**2 + r_2**2) / 2,
        note="of the change of z_j, for two tasks; the text has 4 (1 - beta)^2 in L760, where 2 (1 - beta)^2 would do.",
    ),
    inequality(
        "four squares",
        4 * (a + b + c + d) ** 2,
        8 * a**2 + 24 * (b**2 + c**2 + d**2),
        note="a: from u; b, c, d: the three parts of the change of V H^-1 v (lem-5).",
    ),
    inequality(
        "four parts of the change of z_j",
        8 * a**2 + 24 * (b**2 + c**2 + d**2),
        CHANGED,
        Le(a**2, du),
        Le(b**2, C_fy**2 / lam**2 * dV),
        Le(c**2, C_gxy**2 * C_fy**2 / lam**4 * dH),
        Le(d**2, C_gxy**2 / lam**2 * dv),
        note="|v| <= C_fy, |V| <= C_gxy and H >= lambda by the projections.",
    ).repaired("E5"),
    inequality(
        "Lemma 11 with lambda^2 and sigma_z",
        dd_next,
        (1 - beta) * dd + 2 * beta**2 * sigma_z**2 + CHANGED,
        Le(dd_next, (1 - beta) ** 2 * dd + 2 * beta**2 * noise_sq + 4 * (1 - beta) ** 2 * moved_sq),
        Le(noise_sq, sigma_z**2),
        Le(4 * moved_sq, CHANGED),
        box={beta: UNIT},
        note="means over j: noise_sq of |z_j - bar|^2, moved_sq of |change of z_j|^2, du, ..., dv of the changes.",
    )
    .states()
    .repaired("E5"),
    InExpectation("on sampled blocks", quantity("next_d"), quantity("rhs_11"), on=(BLOCKS,))
    .states()
    .repaired("E5"),
    note="The text writes sigma^2 for sigma_z^2 (L510) and E_(i_t) for E_(j_t) (L760).",
)

# ------------------------------------------------------------------------------------------- Lemma 12

delta, delta_next, second, step_sq, jump, C_p, L_p, L_sum = symbols(
    "delta delta_next second step_sq jump C_p L_p L_sum", nonnegative=True
)
x_sq, y_sq, y_i_sq = symbols("x_sq y_sq y_i_sq", nonnegative=True)
L_i = Symbol("L_i", nonnegative=True)
centre, inside = symbols("centre inside", real=True)
SAMPLED = {
    "fx": "u",
    "gy": "w",
    "gyy": "H",
}  # projected onto a ball, not projected, projected onto H >= lambda
FIRST = 4 * beta**2 * delta + 2 * beta**2 * C_p + 4 * (L_p + beta**2 * L_sum) * step_sq
STORM = link(
    "lem-12",
    "One step of the block estimators",
    "Lemma 12, L518-526, L769-778",
    r"$\mathbb{E}\|u_{t+1} - u_t\|^2$ is at most $4 \beta^2 \delta_{t-1} + 2 \beta^2 C(\mathbf{p}) "
    r"+ 4 (L(\mathbf{p}) + \beta^2 \sum_i L_i^2) \|e_t - e_{t-1}\|^2$, and $\mathbb{E}\,\delta_t$ at most "
    r"$(1 - \beta) \delta_{t-1} + 2 \beta^2 C(\mathbf{p}) + 2 L(\mathbf{p}) \|e_t - e_{t-1}\|^2$.",
    ("eq-241", "asm-4"),
    Identity(
        "the change of a block",
        (1 - beta) * (u - o) + n - u,
        -beta * (u - n) + (1 - beta) * (n - o),
        note="L773, before the projection.",
    ),
    inequality(
        "projection towards a point of the set",
        (inside - u) ** 2,
        (centre - u) ** 2,
        Ge((centre - inside) * (inside - u), 0),
        note="L773: u_t lies in the set; the condition is the optimality of the projection.",
    ),
    inequality("two squares", (n + o) ** 2, 2 * (n**2 + o**2), note="each coordinate."),
    Identity(
        "the mean and the noise of a block",
        q * ((u - n_1 / q) ** 2 + (u - n_2 / q) ** 2) / 2 + (1 - q) * u**2,
        (u - H_NEW) ** 2 + SECOND - H_NEW**2,
        note="L775-776: E of (u - estimator)^2 is that of (u - h)^2 and the variance, at most the second moment "
        "C_i^2/p_i.",
    ),
    inequality(
        "L774-776",
        jump,
        4 * beta**2 * delta
        + 4 * beta**2 * moved_sq
        + 2 * beta**2 * C_p
        + 2 * (1 - beta) ** 2 * L_p * step_sq,
        Le(jump, 2 * beta**2 * second + 2 * (1 - beta) ** 2 * L_p * step_sq),
        Le(second, noise_sq + C_p),
        Le(noise_sq, 2 * delta + 2 * moved_sq),
        note="second: E|u - estimator|^2, noise_sq: |u - h(e_t)|^2, moved_sq: |h(e_t) - h(e_(t-1))|^2.",
        box={beta: UNIT},
    ),
    *misprint(
        "E17",
        inequality(
            "L_i for L_i^2 (L777)",
            moved_sq,
            L_i * step_sq,
            Le(moved_sq, L_i**2 * step_sq),
            note="one task; delta^2 for delta and G(p) for C(p) stand in the same lines.",
        ),
        "L_i^2 (L777)",
        rhs=L_i**2 * step_sq,
    ),
    inequality(
        "Lemma 12, change",
        jump,
        FIRST,
        Le(
            jump,
            4 * beta**2 * delta
            + 4 * beta**2 * moved_sq
            + 2 * beta**2 * C_p
            + 2 * (1 - beta) ** 2 * L_p * step_sq,
        ),
        Le(moved_sq, L_sum * step_sq),
        box={beta: UNIT},
        note="L777-778, first part of the statement; L_sum: of the L_i^2.",
    ).states(),
    Identity(
        "the old error and the noise of a block apart",
        mean_square(H_NEW, u),
        APART,
        note="E over the sampled task and a fair sample with two values; two squares, and the means of n^2/q and (n "
        "- o)^2/q are those of the second part of the statement.",
    ),
    inequality(
        "the moves of a block",
        L_i**2 / q * (x_sq + y_i_sq),
        L_i**2 / q * (x_sq + y_sq),
        Le(y_i_sq, y_sq),
        note="e_i = (x, y_i); summed over the blocks the right side is L(p) |e_t - e_(t-1)|^2.",
        box={q: UNIT},
    ),
    inequality(
        "Lemma 12, error",
        delta_next,
        (1 - beta) * delta + 2 * beta**2 * C_p + 2 * L_p * step_sq,
        Le(delta_next, (1 - beta) ** 2 * delta + 2 * beta**2 * second + 2 * (1 - beta) ** 2 * moved_sq),
        Le(second, C_p),
        Le(moved_sq, L_p * step_sq),
        box={beta: UNIT},
        note="second part of the statement; moved_sq: E|change of the estimator|^2. Proved as Lemma 8.",
    ).states(),
    *(
        InExpectation(
            f"{what} of {name}, on sampled blocks",
            quantity(f"{lhs}_{n}"),
            quantity(f"rhs_{what}_{n}"),
            on=(BLOCKS,),
        )
        for n, name in SAMPLED.items()
        for what, lhs in (("error", "next"), ("change", "jump"))
    ),
    errata=("E17",),
)
LEMMAS = (UNBIASED, CHANGE, STORM)
