"""From the lemmas to Theorem 1: the potential of SVRB, its sum and the bound. L417-486.

One step of the potential F + C gamma delta_y + (delta_gy + delta_fx + delta_fy + delta_gxy + delta_gyy)/eta_(t-1) is
encoded; its sum telescopes (lem-7). ``gap`` stands for 1/eta_t - 1/eta_(t-1), base for 1/(7 L_F c^3).
"""

from sympy import Expr, Integer, Le, Symbol, log, symbols

from workbench.theory.lemma import Identity, misprint

from .chain import (
    C_0,
    C_1,
    C_2,
    C_3,
    C_4,
    HALF,
    L_F,
    QUARTER,
    C,
    L_g,
    L_y,
    Y,
    dfx,
    dfy,
    dgxy,
    dgy,
    dgyy,
    dy,
    err2,
    eta,
    gamma,
    inequality,
    lam,
    link,
    slope2,
    tau,
    z2,
)
from .lemmas_lower_level import KEPT, TELESCOPED

S_L = Symbol("S_L", positive=True)  # the sum of the five squared Lipschitz constants
gap, change_F, change_y, change_e, change = symbols("gap change_F change_y change_e change", real=True)
base, c, q = symbols("base c q", positive=True)  # q = c_0^(2/3)
noise, errors = symbols("noise errors", nonnegative=True)
D, C_k = symbols("D C_k", nonnegative=True)  # an error, and its constant
ERRORS = C_0 * dy + C_1 * dfx + C_2 * dgxy + C_3 * dgyy + C_4 * dfy
COST = 8 * C * gamma * L_y**2 / (tau * lam) + 2 * S_L  # of gamma^2 eta |z|^2

# The right sides of Lemmas 7 and 9 with tau_t = eta_t, X = gamma^2 eta^2 z2, and beta = (base + own) eta^2.
FALL_Y = (
    8 * eta * tau / lam * dgy
    - eta * tau * lam / 4 * dy
    + 8 * L_y**2 * gamma**2 * eta**2 / (eta * tau * lam) * z2
    - 2 * tau / eta * (1 + eta * tau * lam / 4) * KEPT * Y
)
OWN_GY = base + 8 * C * gamma * tau / lam


def first_betas(name: str, own: Expr) -> tuple:
    """beta = (1/(7 L_F c^3) + own) eta_t^2 <= 1 from two bounds on q = c_0^(2/3), as eta_t^2 <= c^2/q."""
    return name, (1 / (7 * L_F * c**3) + own) * c**2 / q, Integer(1), Le(2, 7 * L_F * c * q)


POTENTIAL = link(
    "eq-465",
    "Decrease of the potential of SVRB",
    "L417-473",
    r"For each $t$, $(\gamma \eta_t/2) \|\nabla F(x_t)\|^2$ plus the change of the potential is at most $2 \eta_t^3$ "
    r"times the sum of the $b^2 \sigma^2$.",
    ("lem-4", "lem-5", "lem-7", "lem-9", "eq-8"),
    *misprint(
        "E1",
        inequality(
            *first_betas("beta_gy < 1 from the printed c_0", 8 * C * gamma * tau / lam),
            Le(c**2 * lam, 16 * C * gamma * tau * q),
            note="L426; q = c_0^(2/3), beta of the first iteration is that with eta_t^2 = c^2/q.",
        ),
        "beta_gy < 1 from the repaired c_0",
        given=(Le(2, 7 * L_F * c * q), Le(16 * C * gamma * tau * c**2, lam * q)),
    ),
    inequality(
        *first_betas("the other beta < 1 from c_0", C_k * gamma),
        Le(2 * C_k * gamma * c**2, q),
        note="L445, C_k one of C_1, ..., C_4.",
    ),
    inequality(
        "the coefficient of delta_gy",
        (8 * C * gamma * eta * tau / lam + gap - OWN_GY * eta) * dgy,
        0,
        Le(gap, base * eta),
        note="L428-431, with (8): beta_gy/eta_t = (base + 8 C gamma tau/lambda) eta_t.",
    ),
    inequality(
        "the coefficients of the other errors",
        (gap - (base + C_k * gamma) * eta) * D,
        -C_k * gamma * eta * D,
        Le(gap, base * eta),
        note="L440-441 and L450.",
    ),
    inequality(
        "the coefficient of delta_y",
        -C * gamma * eta * tau * lam / 4,
        -C_0 * gamma * eta,
        Le(4 * C_0, C * tau * lam),
        note="L445.",
    ),
    inequality("1/(2 tau) - 3 L_g/4 >= 1/(4 tau)", 1 / (4 * tau), KEPT, Le(3 * L_g * tau, 1), note="L455."),
    inequality(
        "C gamma/(2 tau_t) >= 2 S_L/eta_t",
        2 * S_L / eta,
        C * gamma / (2 * eta),
        Le(4 * S_L, C * gamma),
        note="L455, tau_t = eta_t.",
    ),
    inequality(
        "the move of y",
        2 * S_L / eta * Y,
        2 * C * gamma * tau / eta * (1 + eta * tau * lam / 4) * KEPT * Y,
        Le(1 / (4 * tau), KEPT),
        Le(2 * S_L / eta, C * gamma / (2 * eta)),
        note="L452-453 cancel.",
    ),
    Identity(
        "the terms of y and w collected",
        C * gamma * FALL_Y + (gap - OWN_GY * eta) * dgy,
        (8 * C * gamma * eta * tau / lam + gap - OWN_GY * eta) * dgy
        - C * gamma * eta * tau * lam / 4 * dy
        + 8 * C * gamma**3 * L_y**2 * eta / (tau * lam) * z2
        - 2 * C * gamma * tau / eta * (1 + eta * tau * lam / 4) * KEPT * Y,
        note="L428-431 but for noise and moves of Lemma 9.",
    ),
    Identity(
        "the moves of x collected",
        8 * C * gamma**3 * L_y**2 * eta / (tau * lam) * z2 + 2 * S_L / eta * gamma**2 * eta**2 * z2,
        COST * gamma**2 * eta * z2,
        note="L442-443, L451 and L461, |x_(t+1) - x_t|^2 = gamma^2 eta_t^2 |z|^2.",
    ),
    inequality(
        "the sum of the recursions",
        change_y + change_e,
        noise - gamma * eta * ERRORS + COST * gamma**2 * eta * z2,
        Le(
            change_y,
            8 * C * gamma * eta * tau / lam * dgy
            - C_0 * gamma * eta * dy
            + 8 * C * gamma**3 * L_y**2 * eta / (tau * lam) * z2
            - q * Y,
        ),
        Le(
            change_e,
            noise
            - 8 * C * gamma * eta * tau / lam * dgy
            - gamma * eta * (ERRORS - C_0 * dy)
            + 2 * S_L * gamma**2 * eta * z2
            + q * Y,
        ),
        note="L447-461; q: the factor of |y_(t+1) - y_t|^2 that Lemma 6 has at least and Lemma 9 at most.",
    ),
    inequality(
        "the coefficient of |z|^2",
        gamma * COST,
        QUARTER,
        Le(64 * C * L_y**2 * gamma**2, tau * lam),
        Le(16 * S_L * gamma, 1),
        note="L470.",
    ),
    *misprint(
        "E23",
        inequality(
            "gamma eta_t L_F from eta_t L_F alone",
            gamma * eta * L_F,
            HALF,
            Le(eta * L_F, QUARTER),
            note="what Theorem 1 secures (L162).",
        ),
        "gamma eta_t L_F with gamma <= 2",
        given=(Le(eta * L_F, QUARTER), Le(gamma, 2)),
    ),
    inequality(
        "one step of the potential",
        gamma * eta / 2 * slope2 + change,
        noise,
        Le(change, change_F + change_y + change_e),
        Le(change_F, gamma * eta / 2 * (err2 - slope2) - gamma * eta / 4 * z2),
        Le(err2, 2 * errors),
        Le(change_y + change_e, noise - gamma * eta * errors + q * gamma * eta * z2),
        Le(q, QUARTER),
        note="L465-473: descent, Lemma 5, the recursions, and q = gamma (8 C gamma L_y^2/(tau lambda) + 2 S_L) <= 1/4; "
        "errors = C_0 delta_y + ... + C_4 delta_fy.",
    )
    .states()
    .repaired("E1"),
    note="L472-473 leave out the term of delta_fx, and write sums from t = 1 in L419 and L442.",
)

# ------------------------------------------------------------------------------------------- the sum, Theorem 1

T, t, c_0 = symbols("T t c_0", positive=True)
z, ell, last, eta_0, eta_before = symbols("z ell last eta_0 eta_before", positive=True)
total, Delta, start_y, start_e, squares, spread = symbols(
    "total Delta start_y start_e squares spread", nonnegative=True
)
START = Delta + C * gamma * start_y
RIGHT = 2 * c**3 * squares * (1 / c_0 + ell)
THEOREM_1 = link(
    "thm-1",
    "Theorem 1: the sum of the potential",
    "Theorem 1, L160-164, L472-486",
    r"The mean of $\mathbb{E}\|\nabla F(x_t)\|^2$ over $t \le T$ is at most $(2/(\gamma \eta_T (T + 1))) (\Delta "
    r"+ C \gamma \delta_{y,0} + (\delta_{gy,0} + \ldots + \delta_{gyy,0})/\eta_{-1} "
    r"+ 2 c^3 (\sum b^2 \sigma^2) (1/c_0 + \ln((c_0 + T)/c_0)))$, which is $O(T^{-2/3})$ up to logarithms.",
    ("eq-465", "asm-2(iv), 4(iv)"),
    TELESCOPED,
    inequality(
        "one summand of eta_t^3",
        z / (1 + z),
        log(1 + z),
        note="z = 1/(c_0 + t - 1): 1/(c_0 + t) is at most ln((c_0 + t)/(c_0 + t - 1)), which adds up to ln((c_0 + "
        "T)/c_0).",
    ),
    inequality(
        "(L478), with every constant",
        gamma / 2 * total,
        START + start_e / eta_before + RIGHT,
        Le(gamma / 2 * total, START + start_e / eta_before + 2 * squares * spread),
        Le(spread, c**3 * (1 / c_0 + ell)),
        note="total: E of the sum of eta_t |grad F(x_t)|^2; squares: of b^2 sigma^2, spread: of eta_t^3; ell = "
        "ln((c_0 + T)/c_0).",
    ),
    inequality(
        "1/eta_0 for 1/eta_(-1)",
        start_e / eta_before,
        start_e / eta_0,
        Le(eta_0, eta_before),
        note="L478: the printed line is weaker.",
    ),
    inequality("1/T for 1/(T + 1)", START / (last * (T + 1)), START / (last * T), note="L482: weaker, too."),
    inequality(
        "Theorem 1, repaired",
        total / (T + 1),
        2 / (gamma * last * (T + 1)) * (START + start_e / eta_before + RIGHT),
        Le(gamma * last / 2 * total, START + start_e / eta_before + RIGHT),
        note="total: E of the sum of |grad F(x_t)|^2, from L478 as eta_T <= eta_t; last = eta_T. The bound of the "
        "theorem's form `repaired`.",
    )
    .states()
    .repaired("E1"),
)
LEMMAS = (POTENTIAL, THEOREM_1)
