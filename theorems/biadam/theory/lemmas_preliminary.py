"""Lemmas 1, 2, 5-8, the projection's Lipschitz bound, and (11). L21, L45, L97.

G = grad^2_xy g, H = grad^2_yy g, v = grad_y f; grad f = grad_x f - G H^-1 v is the surrogate. Lemmas 1, 2, 6 and the
bound of Ghadimi et al. are quoted by the paper; checked here are short proofs of what it uses of them. d is the
distance of two points in y, moved that in x.
"""

from sympy import Eq, Expr, Ge, Le, Symbol, sqrt, symbols

from workbench.theory.lemma import AlongTrajectory, Identity

from . import common
from . import symbols as s
from .chain import ADAPTIVE, BOXED, DESCENT, inequality, link
from .symbols import L_0, C_fy, C_gxy, L_f, L_gxy, L_gyy, gamma, mu_g, rho

SMOOTHNESS = dict(common.SMOOTHNESS)
KAPPA = SMOOTHNESS[s.kappa]
L_Y: Expr = SMOOTHNESS[s.L_y]
L: Expr = SMOOTHNESS[s.L].xreplace({s.L_y: L_Y})
L_0_SQUARE: Expr = SMOOTHNESS[s.L_0] ** 2

d, moved, change_f, change_G, change_H, change_v = symbols(
    "d moved change_f change_G change_H change_v", nonnegative=True
)
total, error, shift = symbols("total error shift", nonnegative=True)


def seen(name: str) -> Symbol:
    """A quantity of the probe."""
    return Symbol(name, real=True)


def along_runs(lhs: str, rhs: str, *on: str) -> AlongTrajectory:
    """A line between two quantities of the probe `descent`, at every iteration of every run."""
    return AlongTrajectory("along runs", seen(lhs), seen(rhs), on=on or (DESCENT, ADAPTIVE, BOXED))


def four_changes(by: Expr) -> Expr:
    """What |grad f| changes by at most, if each of its four factors moves by its Lipschitz constant times ``by``."""
    return (
        L_f * by + L_gxy * by / mu_g * C_fy + C_gxy * (L_gyy * by / mu_g**2) * C_fy + C_gxy / mu_g * L_f * by
    )


# ------------------------------------------------------------------------------------------- Lemma 1

slope, f_x, f_y, g_xy = symbols("slope f_x f_y g_xy", real=True)
h = Symbol("h", positive=True)
LEMMA_1 = link(
    "lem-1",
    "The hypergradient",
    "L21",
    r"$\nabla F(x) = \nabla_x f - \nabla^2_{xy} g [\nabla^2_{yy} g]^{-1} \nabla_y f$ at $(x, y^*(x))$.",
    ("asm-1", "asm-2"),
    inequality(
        "implicit differentiation",
        (f_x + f_y * slope - (f_x - g_xy * f_y / h)) ** 2,
        0,
        Eq(g_xy + h * slope, 0),
        note="F' = f_x + f_y slope by the chain rule, slope = y*'; the condition is the derivative of "
        "grad_y g(x, y*(x)) = 0. One coordinate of x, one eigenvector of the symmetric Hessian with the eigenvalue h; "
        "the formula adds up over them.",
    ).states(),
    quoted=True,
)

# ------------------------------------------------------------------------------------------- Lemma 2

G_1, G_2, v_1, v_2 = symbols("G_1 G_2 v_1 v_2", real=True)
h_1, h_2 = symbols("h_1 h_2", positive=True)
inner = Symbol("inner", real=True)
SPLIT = Identity(
    "the surrogate's change in four parts",
    G_1 * v_1 / h_1 - G_2 * v_2 / h_2,
    (G_1 - G_2) * v_1 / h_1 + G_2 * ((h_2 - h_1) / (h_1 * h_2)) * v_1 + G_2 / h_2 * (v_1 - v_2),
    note="The part of G H^-1 v; the fourth part is the change of grad_x f. Written with numbers, in the order of the "
    "matrices: A^-1 - B^-1 = A^-1 (B - A) B^-1.",
)
LEMMA_2 = link(
    "lem-2",
    "Lipschitz constants of the surrogate, y* and F",
    "L21",
    r"$\|\nabla f(x, y) - \nabla F(x)\| \le L_y \|y^* - y\|$, $\|y^*(x_1) - y^*(x_2)\| \le \kappa \|x_1 - x_2\|$, "
    "and $F$ is $L$-smooth.",
    ("lem-1", "asm-1", "asm-2", "asm-4"),
    SPLIT,
    inequality(
        "L_y: four changes",
        change_f + change_G * C_fy / mu_g + C_gxy * (change_H / mu_g**2) * C_fy + C_gxy / mu_g * change_v,
        L_Y * d,
        Le(change_f, L_f * d),
        Le(change_G, L_gxy * d),
        Le(change_H, L_gyy * d),
        Le(change_v, L_f * d),
        note="first part; the changes of the four factors from y to y*, the other factors at their bounds.",
    ).states(),
    inequality(
        "kappa: strong monotonicity against the mean value",
        d,
        KAPPA * moved,
        Le(mu_g * d**2, inner),
        Le(inner, C_gxy * moved * d),
        note="second part; d = |y*(x_1) - y*(x_2)|, inner: the change of grad_y g(x_1, .) between them times their "
        "difference, that is the change of grad_y g(., y*(x_2)) between x_2 and x_1.",
    ).states(),
    inequality(
        "L: first in x, then in y",
        total,
        L * moved,
        Le(total, four_changes(moved) + L_Y * d),
        Le(d, KAPPA * moved),
        note="third part; from x_1 to x_2 at y*(x_1) by Assumption 2 in x, then from y*(x_1) to y*(x_2).",
    ).states(),
    Identity("L = L_y (1 + kappa)", L, L_Y * (1 + KAPPA)),
    quoted=True,
)

# ------------------------------------------------------------------------------------------- Lemmas 5 = 7 and 8

p_1, p_2, p_3, p_4 = symbols("p_1 p_2 p_3 p_4", nonnegative=True)
u_1, u_2 = symbols("u_1 u_2", real=True)
FOUR = inequality("four squares", (p_1 + p_2 + p_3 + p_4) ** 2, 4 * (p_1**2 + p_2**2 + p_3**2 + p_4**2))
LEMMA_5 = link(
    "lem-5",
    "The metric's weight L_0",
    "L45; Lemma 7, L97",
    r"$\|w - \nabla F\|^2$ is at most $L_0^2 \|y^* - y\|^2 + 2 \|w - \nabla f\|^2$.",
    ("lem-2", "asm-1", "asm-2", "asm-4"),
    SPLIT,
    FOUR,
    inequality(
        "(22): the surrogate's change, squared",
        four_changes(d) ** 2,
        L_0_SQUARE / 2 * d**2,
        note="4 (L_f^2 + ...) |y* - y|^2, where 8 (L_f^2 + ...) = L_0^2.",
    ),
    inequality("(23): two terms", (u_1 + u_2) ** 2, 2 * (u_1**2 + u_2**2), note="each coordinate"),
    inequality(
        "(21): (22) in (23)",
        total**2,
        L_0**2 * d**2 + 2 * error**2,
        Le(total, error + shift),
        Le(shift**2, L_0**2 / 2 * d**2),
        note="total = |w - grad F|, error = |w - grad f|, shift = |grad f - grad F|, by (22).",
    ).states(),
    inequality("2 L_y^2 <= L_0^2", 2 * L_Y**2, L_0_SQUARE, note="so that Lemma 5 also follows from Lemma 2."),
    along_runs("error_sq", "rhs_5"),
)
LEMMA_8 = link(
    "lem-8",
    "The surrogate is L_0-Lipschitz",
    "L97",
    r"$\|\nabla f(x', y') - \nabla f(x, y)\|^2$ is at most $L_0^2 (\|x' - x\|^2 + \|y' - y\|^2)$.",
    ("asm-1", "asm-2", "asm-4"),
    SPLIT,
    inequality(
        "two moves",
        total**2,
        L_0_SQUARE * (moved**2 + d**2),
        Le(total, four_changes(moved + d)),
        note="each factor moves by its Lipschitz constant times |x' - x| + |y' - y|, whose square is at most twice the "
        "sum of squares.",
    ).states(),
    along_runs("surrogate_sq", "rhs_8"),
)

# ------------------------------------------------------------------------------------------- projections

ip_w, ip_u, q_w, q_u, quadratic = symbols("ip_w ip_u q_w q_u quadratic", real=True)
apart, offset = symbols("apart offset", nonnegative=True)
PROPOSITION = link(
    "prop-1",
    "The projection is Lipschitz in the direction",
    "Proposition 1 of Ghadimi et al., L45",
    r"$\|G_X(x, w, \gamma) - G_X(x, u, \gamma)\|$ is at most $\|w - u\|/\rho$.",
    ("asm-7",),
    inequality(
        "two optimality conditions",
        apart / gamma,
        offset / rho,
        Ge(ip_w + q_w / gamma, 0),
        Ge(-ip_u + q_u / gamma, 0),
        Eq(q_w + q_u, -quadratic),
        Ge(quadratic, rho * apart**2),
        Le(ip_w - ip_u, offset * apart),
        note="apart = |x+ - z+| of the projections x+ for w, z+ for u; ip = <w, z+ - x+>, <u, z+ - x+>, "
        "q_w = <A (x+ - x), z+ - x+>, q_u = <A (z+ - x), x+ - z+>; offset = |w - u|, by Cauchy-Schwarz.",
    ).states(),
    along_runs("projections_apart", "rhs_prop"),
    quoted=True,
)
n, mapping, own_mapping = symbols("n mapping own_mapping", nonnegative=True)
MAPPING = link(
    "eq-11",
    "The metric bounds the gradient mapping",
    "(11), L45",
    r"$\|G_X(x_t, \nabla F(x_t), \gamma)\|$ is at most $\mathcal{G}_t$.",
    ("lem-5", "prop-1"),
    inequality(
        "first line of (11)",
        mapping,
        own_mapping + n / rho,
        Le(mapping, own_mapping + apart),
        Le(apart, n / rho),
        note="apart: distance of the two mappings, at most n/rho by the proposition; n = |w - grad F|.",
    ),
    inequality(
        "square root of Lemma 5",
        n,
        sqrt(2) * error + L_0 * d,
        Le(n**2, L_0**2 * d**2 + 2 * error**2),
        note="error = |w - grad f|, d = |y* - y|",
    ),
    inequality(
        "(11)",
        mapping,
        own_mapping + (sqrt(2) * error + L_0 * d) / rho,
        Le(mapping, own_mapping + n / rho),
        Le(n, sqrt(2) * error + L_0 * d),
    ).states(),
    along_runs("mapping_t", "metric_t"),
)
h_new, h_old, breg = symbols("h_new h_old breg", real=True)
LEMMA_6 = link(
    "lem-6",
    "The generalized gradient is a direction of descent",
    "L97; Lemma 1 of Ghadimi et al.",
    r"$\langle w, G_X(x, w, \gamma) \rangle$ is at least $\rho \|G_X\|^2 + (h(x^*) - h(x))/\gamma$.",
    (),
    inequality(
        "(19): the optimality condition at x",
        rho * (apart / gamma) ** 2 + (h_new - h_old) / gamma,
        ip_w / gamma,
        Ge(ip_w + breg / gamma + h_old - h_new, 0),
        Le(breg, -rho * apart**2),
        note="ip = <w, x - x*>, apart = |x - x*|; breg = <grad phi(x*) - grad phi(x), x - x*>, at most -rho |x - x*|^2 "
        "as phi is rho-strongly convex.",
    ).states(),
    inequality(
        "(20): h = 0",
        rho * (apart / gamma) ** 2,
        ip_w / gamma,
        Ge(ip_w + breg / gamma, 0),
        Le(breg, -rho * apart**2),
    ),
    along_runs("rhs_6", "lhs_6"),
    quoted=True,
)
LEMMAS = (LEMMA_1, LEMMA_2, LEMMA_5, LEMMA_8, PROPOSITION, MAPPING, LEMMA_6)
