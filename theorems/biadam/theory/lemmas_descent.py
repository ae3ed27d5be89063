"""Lemma 9, the descent of F, and Lemma 10 with (46), the distance of y from y*(x). L97, L131."""

from sympy import Ge, Le, Rational, Symbol, sqrt, symbols

from workbench.theory.lemma import Identity, Interval

from .chain import V, X, Y, Z, b, eta, inequality, link
from .lemmas_preliminary import along_runs
from .symbols import L, L_g, gamma, lam, mu_g, rho

F, F_next, toward, toward_w, toward_e = symbols("F F_next toward toward_w toward_e", real=True)
n, D = symbols("n D", nonnegative=True)  # |grad F - w|, |x~ - x_t|
STEP = {eta: Interval(0, 1, low_open=True)}

LEMMA_9 = link(
    "lem-9",
    "Descent of F",
    "L97",
    r"$\gamma \le \rho/(2 L \eta_t)$ implies $F(x_{t+1}) \le F(x_t) + (\eta_t \gamma/\rho) \|\nabla F - w_t\|^2 "
    r"- (\rho \eta_t/(2 \gamma)) \|\tilde{x}_{t+1} - x_t\|^2$.",
    ("lem-2", "lem-6", "asm-7"),
    inequality(
        "(27): the step in the quadratic bound",
        F_next,
        F + eta * toward_w + eta * toward_e + L * eta**2 / 2 * D**2,
        Le(F_next, F + eta * toward + L / 2 * (eta * D) ** 2),
        Le(toward, toward_w + toward_e),
        box=STEP,
        note="toward = <grad F, x~ - x_t>, of which toward_w = <w, x~ - x_t> and toward_e the rest.",
    ),
    inequality(
        "(30) from (29)",
        toward_w,
        -rho / gamma * D**2,
        Ge(-toward_w / gamma, rho * (D / gamma) ** 2),
        note="(29) is Lemma 6 with h = 0.",
    ),
    inequality(
        "(31): Cauchy-Schwarz and Young",
        toward_e,
        gamma / rho * n**2 + rho / (4 * gamma) * D**2,
        Le(toward_e, n * D),
    ),
    inequality(
        "(32)",
        F_next,
        F + eta * gamma / rho * n**2 - rho * eta / (2 * gamma) * D**2,
        Le(F_next, F + eta * toward_w + eta * toward_e + L * eta**2 / 2 * D**2),
        Le(toward_w, -rho / gamma * D**2),
        Le(toward_e, gamma / rho * n**2 + rho / (4 * gamma) * D**2),
        Le(2 * L * eta * gamma, rho),
        box=STEP,
        note="from (27), (30), (31) and the condition on gamma.",
    ).states(),
    along_runs("move_9", "rhs_9"),
)

# ------------------------------------------------------------------------------------------- Lemma 10

coordinate, step = symbols("coordinate step", real=True)
g_star, g_t, g_tilde = symbols("g_star g_t g_tilde", real=True)  # g(x_t, .) at y*(x_t), y_t, y~
grad_a, grad_s, v_a, v_s, cross = symbols("grad_a grad_s v_a v_s cross", real=True)
e_a, e_s, e_both = symbols("e_a e_s e_both", real=True)
Y_mid, Y_next, drift = symbols(
    "Y_mid Y_next drift", nonnegative=True
)  # |y_(t+1) - y*|^2 at x_t and at x_(t+1)
kappa = Symbol("kappa", nonnegative=True)
WORDS = (
    "a = y*(x_t) - y_t, s = y~ - y_t, e = grad_y g - v; Y = |a|^2, Z = |s|^2, V = |e|^2, cross = <s, a> and "
    "products with grad_y g and v in the same way."
)
STRONG = Ge(g_star, g_t + grad_a + mu_g / 2 * Y)
SMOOTH = Le(g_tilde, g_t + grad_s + L_g / 2 * Z)
OPTIMAL = Ge(v_a - v_s + b / lam * (cross - Z), 0)
ADDED = Ge(g_star, g_tilde + (v_a - v_s) + ((grad_a - grad_s) - (v_a - v_s)) + mu_g / 2 * Y - L_g / 2 * Z)
FORTY = Ge(
    g_star,
    g_tilde - b / lam * cross + (b / lam - L_g / 2) * Z + ((grad_a - grad_s) - (v_a - v_s)) + mu_g / 2 * Y,
)
FORTY_ONE = Ge(0, -b / lam * cross + (b / lam - L_g / 2) * Z + e_both + mu_g / 2 * Y)
FORTY_FOUR = Ge(e_both, -2 / mu_g * V - mu_g / 4 * Y - mu_g / 4 * Z)
FORTY_TWO = Le(Y_mid, Y - 2 * eta * cross + eta**2 * Z)
SMALL = Le(6 * L_g * lam, b)
MID = (1 - eta * mu_g * lam / (2 * b)) * Y - Rational(3, 4) * eta * Z + 4 * eta * lam / (mu_g * b) * V
CONTRACTION = link(
    "eq-46",
    "One step of y toward y*(x_t)",
    "(34)-(46), L97, L131",
    r"$\lambda \le b_l/(6 L_g)$ implies $\|y_{t+1} - y^*(x_t)\|^2 \le (1 - \eta_t \mu \lambda/(2 b_t)) \|y_t "
    r"- y^*(x_t)\|^2 - (3 \eta_t/4) \|\tilde{y} - y_t\|^2 + (4 \eta_t \lambda/(\mu b_t)) \|\nabla_y g - v_t\|^2$.",
    ("asm-1", "asm-2", "asm-7"),
    inequality(
        "(36): (34) and (35)",
        g_tilde + (v_a - v_s) + ((grad_a - grad_s) - (v_a - v_s)) + mu_g / 2 * Y - L_g / 2 * Z,
        g_star,
        STRONG,
        SMOOTH,
        note=f"(34) and (35) are strong convexity and smoothness of g(x_t, .). {WORDS}",
    ),
    inequality(
        "(38) from (37)",
        b / lam * (Z - cross),
        v_a - v_s,
        OPTIMAL,
        note="(37) is the optimality of y~ in Y, at y = y*(x_t).",
    ),
    inequality(
        "(39), (40): (38) in (36)",
        g_tilde
        - b / lam * cross
        + (b / lam - L_g / 2) * Z
        + ((grad_a - grad_s) - (v_a - v_s))
        + mu_g / 2 * Y,
        g_star,
        ADDED,
        Ge(v_a - v_s, b / lam * (Z - cross)),
        note="at y = y*(x_t).",
    ),
    inequality(
        "(41): y* is the minimum",
        -b / lam * cross + (b / lam - L_g / 2) * Z + ((grad_a - grad_s) - (v_a - v_s)) + mu_g / 2 * Y,
        0,
        FORTY,
        Le(g_star, g_tilde),
    ),
    Identity(
        "(42)",
        (coordinate + eta * step) ** 2,
        coordinate**2 + 2 * eta * step * coordinate + eta**2 * step**2,
        note="each coordinate of y_t - y*(x_t) and of y~ - y_t. (43) is (42) solved for the inner product.",
    ),
    inequality(
        "(44), lost in the text",
        -2 / mu_g * V - mu_g / 4 * Y - mu_g / 4 * Z,
        e_a - e_s,
        Ge(e_a, -sqrt(V) * sqrt(Y)),
        Le(e_s, sqrt(V) * sqrt(Z)),
        note="<e, y* - y~> = <e, a> - <e, s>; Cauchy-Schwarz and Young's inequality.",
    ),
    inequality(
        "(46)",
        Y_mid,
        MID,
        FORTY_ONE,
        FORTY_FOUR,
        FORTY_TWO,
        SMALL,
        Le(mu_g, L_g),
        box=STEP,
        note="from (41), (42), (44) and 6 L_g lambda <= b_t; e_both = <e, y* - y~>.",
    ).states(),
    along_runs("mid_sq", "rhs_46"),
)
u = Symbol("u", positive=True)  # eta_t mu lambda/b_t
SIXTH = {u: Interval(0, Rational(1, 6), low_open=True)}
m_1, m_2, tau = symbols("m_1 m_2 tau", positive=True)
LEMMA_10 = link(
    "lem-10",
    "Distance of y from y*(x)",
    "L97",
    r"$\lambda \le b_l/(6 L_g)$ implies $\|y_{t+1} - y^*(x_{t+1})\|^2 \le (1 - \eta_t \mu \lambda/(4 b_t)) \|y_t "
    r"- y^*(x_t)\|^2 - (3 \eta_t/4) \|\tilde{y} - y_t\|^2 + (25 \eta_t \lambda/(6 \mu b_t)) \|\nabla_y g - v_t\|^2 "
    r"+ (25 \kappa^2 \eta_t b_t/(6 \mu \lambda)) \|\tilde{x} - x_t\|^2$.",
    ("eq-46", "lem-2"),
    Identity(
        "(47): square of a sum",
        (coordinate + step) ** 2,
        coordinate**2 + 2 * coordinate * step + step**2,
        note="each coordinate of y_(t+1) - y*(x_t) and of y*(x_t) - y*(x_(t+1)).",
    ),
    inequality(
        "(47): Young",
        (m_1 + m_2) ** 2,
        (1 + tau) * m_1**2 + (1 + 1 / tau) * m_2**2,
        note="tau = eta_t mu lambda/(4 b_t); m_1 = |y_(t+1) - y*(x_t)|, m_2 = |y*(x_t) - y*(x_(t+1))| <= kappa |x_t - "
        "x_(t+1)| (Lemma 2; the text says Lemma 3).",
    ),
    inequality(
        "factor of Y", (1 + u / 4) * (1 - u / 2), 1 - u / 4, box=SIXTH, note="u = eta_t mu lambda/b_t."
    ),
    inequality("factor of Z", -(1 + u / 4) * Rational(3, 4), -Rational(3, 4), box=SIXTH),
    inequality("factor of V", (1 + u / 4) * 4, Rational(25, 6), box=SIXTH),
    inequality("factor of the move of x", 1 + 4 / u, Rational(25, 6) / u, box=SIXTH),
    inequality(
        "u <= 1/6",
        6 * eta * mu_g * lam,
        b,
        SMALL,
        Le(mu_g, L_g),
        box=STEP,
    ),
    inequality(
        "(48)",
        Y_next,
        (1 - u / 4) * Y
        - Rational(3, 4) * eta * Z
        + 25 * u / (6 * mu_g**2) * V
        + 25 / (6 * u) * kappa**2 * eta**2 * X,
        Le(Y_next, (1 + u / 4) * Y_mid + (1 + 4 / u) * drift),
        Le(Y_mid, (1 - u / 2) * Y - Rational(3, 4) * eta * Z + 4 * u / mu_g**2 * V),
        Le(drift, kappa**2 * eta**2 * X),
        box=SIXTH,
        note="u = eta_t mu lambda/b_t <= 1/6 throughout, drift = |y*(x_t) - y*(x_(t+1))|^2; from (46), (47) and Lemma "
        "2, "
        "with either kappa, C_gxy/mu or L_g/mu.",
    ).states(),
    along_runs("dist_next_sq", "rhs_10"),
)
LEMMAS = (LEMMA_9, CONTRACTION, LEMMA_10)
