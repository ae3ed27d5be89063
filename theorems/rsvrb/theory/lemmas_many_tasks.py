"""From the lemmas to Theorem 2: the potential of RSVRB, (9)-(11), and the bound. L528-570.

One step of the potential F + (C gamma/m) delta_y + (delta_gy + ... + delta_gyy)/(m eta) + delta_d/(C'_max eta) with
eta_t = tau_t = eta. D, C_k, beta: the error of one of u, V, H, v, its constant of Lemma 5 and its beta = 3 C_k gamma
eta^2. beta_gy = (8 tau/lambda) C gamma eta^2 and beta_d = 2 gamma C'_max eta^2 (L530). Theorem 3 needs a bound of
delta_gy as well: its lines, marked E10, have gamma eta^2 more in beta_gy.
"""

from sympy import Expr, Integer, Le, Rational, S, Symbol, symbols

from workbench.theory.lemma import Identity, Inequality, misprint

from .chain import (
    C_0,
    C_1,
    C_2,
    C_3,
    C_4,
    HALF,
    L_F,
    QUARTER,
    THIRD,
    UNIT,
    C,
    L_g,
    L_y,
    Y,
    beta,
    dd,
    dgy,
    dy,
    err2,
    eta,
    gamma,
    inequality,
    lam,
    link,
    m,
    slope2,
    tau,
    z2,
)
from .lemmas_lower_level import KEPT, TELESCOPED

C_p, L_p = symbols("C_p L_p", positive=True)
C_max, C_k = symbols("C_max C_k", positive=True)
D, step_sq, jump, L_sum, L_own, sigma_z, noise_d = symbols(
    "D step_sq jump L_sum L_own sigma_z noise_d", nonnegative=True
)
change_F, change_y, change = symbols("change_F change_y change", real=True)
BETA_GY = 8 * tau / lam * C * gamma * eta**2
BETA_K = 3 * C_k * gamma * eta**2
SMALL = Le(3 * (C_1 + C_2 + C_3 + C_4 + C_max) * gamma * eta**2, 1)  # the first bound on eta, squared
OF_FOUR = 32 * C_k  # C'_max = 8 max C'_k is at least this, as C'_k = 4 C_k
D_next, dd_next = symbols("D_next dd_next", nonnegative=True)
change_u, change_V, change_H, change_v = symbols("change_u change_V change_H change_v", nonnegative=True)
c_1, c_2, c_3, c_4 = symbols("c_1 c_2 c_3 c_4", nonnegative=True)  # C'_1, ..., C'_4

change_e, change_d = symbols("change_e change_d", real=True)
noise, errors, jumps, factor, more = symbols("noise errors jumps factor more", nonnegative=True)
RIGHT_534 = (
    noise
    + noise_d
    - C * gamma * eta * tau * lam / (4 * m) * dy
    - 3 * gamma * eta * errors / m
    - 2 * gamma * eta * dd
    + 8 * C * gamma**3 * eta * L_y**2 / (tau * lam * m) * z2
    - factor * Y
    + 2 * L_p / (m * eta) * step_sq
    + jumps / (8 * m * eta)
)

OF_GY = gamma * eta / m * dgy  # what gamma eta^2 more in beta_gy adds to the left side
MORE_GY = "beta_gy with gamma eta^2 more"


def recursions(name: str, of_gy: Expr) -> Inequality:
    """The terms of y, of the five errors and of d; of_gy: what beta_gy leaves of delta_gy."""
    return inequality(
        name,
        change,
        RIGHT_534 - of_gy,
        Le(change, change_y + change_e + change_d),
        Le(
            change_y,
            8 * C * gamma * eta * tau / (lam * m) * dgy
            - C * gamma * eta * tau * lam / (4 * m) * dy
            + 8 * C * gamma**3 * eta * L_y**2 / (tau * lam * m) * z2
            - factor * Y,
        ),
        Le(
            change_e,
            noise
            - 8 * C * gamma * eta * tau / (lam * m) * dgy
            - of_gy
            - 3 * gamma * eta * errors / m
            + 2 * L_p / (m * eta) * step_sq,
        ),
        Le(change_d, noise_d - 2 * gamma * eta * dd + jumps / (8 * m * eta)),
        note="change_y, change_e, change_d: of the terms of y, of the five errors (the coefficient of delta_gy is "
        "that of its beta), and of d; errors = C_1 delta_fx + ... + C_4 delta_fy, factor: that of |y_(t+1) - y_t|^2.",
        budget=15,
    ).states()


RECURSIONS = link(
    "eq-534",
    "The recursions of RSVRB added up",
    "L528-542",
    r"The change of $(C \gamma/m) \delta_y + (\delta_{gy} + \ldots + \delta_{gyy})/(m \eta) "
    r"+ \delta_d/(C'_{\max} \eta)$ is at most noise, multiples of the errors, of $\|d\|^2$ and of "
    r"$\|y_{t+1} - y_t\|^2$, and the changes of $u$, $V$, $H$, $v$ over $8 m \eta$; less $\gamma \eta \delta_{gy}/m$, "
    r"if $\beta_{gy}$ has $\gamma \eta^2$ more.",
    ("lem-6", "lem-11", "lem-12"),
    inequality(
        "beta_fx, ..., beta_gyy and beta_d are below 1",
        3 * C_1 * gamma * eta**2 + 2 * gamma * C_max * eta**2 / 3,
        Integer(1),
        SMALL,
        note="L530, each of the two and C_2, C_3, C_4 alike.",
    ),
    inequality(
        "beta_k is at most 1/33",
        BETA_K,
        Rational(1, 33),
        Le(3 * (C_k + C_max) * gamma * eta**2, 1),
        Le(OF_FOUR, C_max),
        note="C'_max >= 8 C'_k = 32 C_k with lambda^2 in C'_2.",
    ).own("E9"),
    inequality("beta_d is at most 2/3", 2 * gamma * C_max * eta**2, Rational(2, 3), SMALL).own("E14"),
    *misprint(
        "E14",
        inequality(
            "beta_d < 1 from eta <= 1/sqrt(gamma C'_max) (L530)",
            2 * gamma * C_max * eta**2,
            Integer(1),
            Le(gamma * C_max * eta**2, 1),
        ),
        "beta_d < 1 from the condition of Theorem 2",
        given=(Le(3 * C_max * gamma * eta**2, 1),),
    ),
    inequality(
        "one of u, V, H, v",
        (D_next - D) / (m * eta),
        2 * BETA_K**2 * C_p / (m * eta) - 3 * C_k * gamma * eta * D / m + 2 * L_own / (m * eta) * step_sq,
        Le(D_next, (1 - BETA_K) * D + 2 * BETA_K**2 * C_p + 2 * L_own * step_sq),
        note="L537-540: Lemma 12 over m eta; C_p and L_own of this estimator.",
    ),
    Identity(
        "the coefficient of delta_gy",
        C * gamma / m * (8 * eta * tau / lam) * dgy - BETA_GY / (m * eta) * dgy,
        0 * dgy,
        note="from Lemma 6 times C gamma/m and Lemma 12 over m eta: it cancels, so that nothing bounds delta_gy (E10).",
    ),
    inequality(
        "the error of d",
        (dd_next - dd) / (C_max * eta),
        noise_d - 2 * gamma * eta * dd + (change_u + change_V + change_H + change_v) / (8 * m * eta),
        Le(
            dd_next,
            (1 - 2 * gamma * C_max * eta**2) * dd
            + C_max * eta * noise_d
            + (c_1 * change_u + c_2 * change_V + c_3 * change_H + c_4 * change_v) / m,
        ),
        Le(8 * c_1, C_max),
        Le(8 * c_2, C_max),
        Le(8 * c_3, C_max),
        Le(8 * c_4, C_max),
        note="L541-542: Lemma 11 over C'_max eta; noise_d = 2 beta_d^2 sigma_z^2/(C'_max eta).",
        budget=15,
    ),
    Identity(
        "the terms of y and d",
        C
        * gamma
        / m
        * (
            -eta * tau * lam / 4 * dy
            + 8 * L_y**2 / (eta * tau * lam) * gamma**2 * eta**2 * z2
            - 2 * tau / eta * (1 + eta * tau * lam / 4) * KEPT * Y
        ),
        -C * gamma * eta * tau * lam / (4 * m) * dy
        + 8 * C * gamma**3 * eta * L_y**2 / (tau * lam * m) * z2
        - 2 * C * gamma * tau / (eta * m) * (1 + eta * tau * lam / 4) * KEPT * Y,
        note="L537-539: Lemma 6 times C gamma/m, |x_(t+1) - x_t|^2 = gamma^2 eta^2 |d|^2.",
    ),
    recursions("all recursions", S.Zero),
    recursions(f"all recursions, {MORE_GY}", OF_GY).repaired("E10"),
)

# ------------------------------------------------------------------------------------------- (9) and L550-555

LINE_9 = link(
    "eq-9",
    "The changes of u, V, H and v",
    "(9), L544-546",
    r"Each change over $8 \eta$ is at most $\beta^2 \delta/(2 \eta) + \beta^2 C(\mathbf{p})/(4 \eta) "
    r"+ (L(\mathbf{p}) + \sum_i L_i^2) \|e_{t+1} - e_t\|^2/(2 \eta)$.",
    ("lem-12",),
    inequality(
        "one of the four",
        jump / (8 * eta),
        beta**2 * D / (2 * eta) + beta**2 * C_p / (4 * eta) + (L_own + L_sum) / (2 * eta) * step_sq,
        Le(jump, 4 * beta**2 * D + 2 * beta**2 * C_p + 4 * (L_own + beta**2 * L_sum) * step_sq),
        box={beta: UNIT},
    ).states(),
)

COST = 8 * C * gamma * L_y**2 / (tau * lam * m) + 3 * L_p / m


def with_9(name: str, of_gy: Expr) -> Inequality:
    """eq-534 with (9) inserted; of_gy as in `recursions`."""
    return inequality(
        name,
        change,
        noise
        + more
        + noise_d
        + gamma * eta / 4 * z2
        - 3 * C_0 * gamma * eta * dy / m
        - Rational(59, 20) * gamma * eta * errors / m
        - 2 * gamma * eta * dd
        - of_gy,
        Le(change, RIGHT_534 - of_gy),
        Le(jumps / (8 * m * eta), gamma * eta * errors / (20 * m) + more + L_p / (m * eta) * step_sq),
        Le(3 * L_p / (m * eta) * step_sq, 3 * L_p * gamma**2 * eta / m * z2 + factor * Y),
        Le(3 * C_0 * gamma * eta / m * dy, C * gamma * eta * tau * lam / (4 * m) * dy),
        Le(
            (8 * C * gamma**3 * eta * L_y**2 / (tau * lam * m) + 3 * L_p * gamma**2 * eta / m) * z2,
            gamma * eta / 4 * z2,
        ),
        note="noise + more: 3 (sum of beta^2) C(p)/(m eta); the conditions are eq-534, (9), and the coefficients "
        "above.",
        budget=15,
    ).states()


POTENTIAL = link(
    "eq-548",
    "The recursions of RSVRB with (9)",
    "L548-555",
    r"The change of the potential less $F$ is at most $3 (\beta_{gy}^2 + \ldots "
    r"+ \beta_{gyy}^2) C(\mathbf{p})/(m \eta) + 2 \beta_d^2 \sigma_z^2/(C'_{\max} \eta) + (\gamma \eta/4) \|d\|^2 "
    r"- 3 C_0 \gamma \eta \delta_y/m - 3 \gamma \eta (C_1 \delta_{fx} + \ldots)/m - 2 \gamma \eta \delta_d$; "
    r"less $\gamma \eta \delta_{gy}/m$, if $\beta_{gy}$ has $\gamma \eta^2$ more.",
    ("eq-534", "eq-9"),
    inequality(
        "sums of L_i^2 are at most L(p)",
        L_sum,
        L_own / C_k,
        Le(L_sum, L_own),
        box={C_k: UNIT},
        note="one task: L_i^2 <= L_i^2/p_i, C_k in place of p_i.",
    ),
    inequality(
        "3 L(p)/(m eta) of the moves",
        2 * L_p / (m * eta) * step_sq + (L_own + L_sum) / (2 * m * eta) * step_sq,
        3 * L_p / (m * eta) * step_sq,
        Le(L_own, L_p),
        Le(L_sum, L_own),
        note="L540 and (9).",
    ),
    inequality(
        "the coefficient of |d|^2",
        gamma * COST,
        QUARTER,
        Le(64 * C * L_y**2 * gamma**2, tau * lam * m),
        Le(24 * L_p * gamma, m),
        note="L548.",
    ),
    *misprint(
        "E4",
        inequality(
            "the coefficient of delta_y, C as printed",
            3 * C_0,
            C * tau * lam / 4,
            Le(12 * C_0 * tau * lam, C),
            Le(tau * lam, THIRD),
        ),
        "the coefficient of delta_y, C repaired",
        given=(Le(12 * C_0, C * tau * lam),),
    ),
    *misprint(
        "E4",
        inequality(
            "the move of y, C as printed",
            3 * L_p,
            2 * C * gamma * tau * (1 + eta * tau * lam / 4) * KEPT,
            Le(6 * L_p, C * gamma * tau),
            Le(3 * L_g * tau, 1),
            Le(lam, L_g),
            Le(eta, HALF),
            note="C >= 6 L(p)/(gamma tau) is less than 6 L(p)/gamma where tau > 1, that is where L_g < 1/3.",
        ),
        "the move of y, C repaired",
        given=(Le(6 * L_p, C * gamma), Le(3 * L_g * tau, 1)),
    ),
    *misprint(
        "E9",
        inequality(
            "the errors, a term dropped",
            -3 * C_k * gamma * eta + BETA_K**2 / (2 * eta),
            -3 * C_k * gamma * eta,
            Le(BETA_K, Rational(1, 33)),
            note="L554-555, over 1/m.",
        ),
        "the errors, 1/20 of them given up",
        rhs=-Rational(59, 20) * C_k * gamma * eta,
    ),
    inequality(
        "the noise",
        2 * BETA_K**2 * C_p / (m * eta) + BETA_K**2 * C_p / (4 * m * eta),
        3 * BETA_K**2 * C_p / (m * eta),
        note="L553.",
    ),
    with_9("all recursions with (9)", S.Zero).repaired("E4"),
    with_9(f"all recursions with (9), {MORE_GY}", OF_GY).repaired("E10"),
)

# ------------------------------------------------------------------------------------------- (10), (11), Theorem 2

C_5 = Symbol("C_5", positive=True)
SQUARES = C_1**2 + C_2**2 + C_3**2 + C_4**2
NOISE_5 = 27 * SQUARES + 8 * C_max * sigma_z**2 * m / C_p
OWN_NOISE = 2 * (2 * gamma * C_max * eta**2) ** 2 * sigma_z**2 / (C_max * eta)
FOUR = 3 * 9 * SQUARES * gamma**2 * eta**4 * C_p / (m * eta)


def decrease(name: str, of_gy: Expr) -> Inequality:
    """Lemmas 4 and 10 with eq-548; of_gy as in `recursions`."""
    return inequality(
        name,
        gamma * eta / 2 * slope2 + change,
        noise - gamma * eta / m * (C_0 * dy + Rational(19, 20) * errors) - of_gy - gamma * eta * dd,
        Le(change, change_F + change_y),
        Le(change_F, gamma * eta / 2 * (err2 - slope2) - gamma * eta / 4 * z2),
        Le(err2, 2 * dd + 4 * C_0 * dy / m + 4 * errors / m),
        Le(
            change_y,
            noise
            + gamma * eta / 4 * z2
            - 3 * C_0 * gamma * eta * dy / m
            - Rational(59, 20) * gamma * eta * errors / m
            - 2 * gamma * eta * dd
            - of_gy,
        ),
        note="errors = C_1 delta_fx + ... + C_4 delta_fy; noise = gamma^2 eta^3 C_5 C(p)/m.",
        budget=15,
    ).states()


LINE_10 = link(
    "eq-10",
    "Decrease of the potential of RSVRB",
    "(10), L557-559",
    r"For each $t$, $(\gamma \eta/2) \|\nabla F(x_t)\|^2$ plus the change of the potential is at most "
    r"$\gamma^2 \eta^3 C_5 C(\mathbf{p})/m "
    r"- (\gamma \eta/m) (C_0 \delta_y + 0.95 (C_1 \delta_{fx} + \ldots + C_4 \delta_{fy})) - \gamma \eta \delta_d$; "
    r"less $\gamma \eta \delta_{gy}/m$, if $\beta_{gy}$ has $\gamma \eta^2$ more.",
    ("lem-4", "lem-10", "eq-548"),
    Identity(
        "Lemma 10 in the descent",
        gamma * eta / 2 * (2 * dd + 4 * C_0 * dy / m + 4 * C_k * D / m),
        gamma * eta * dd + 2 * C_0 * gamma * eta * dy / m + 2 * C_k * gamma * eta * D / m,
    ),
    *misprint(
        "E9",
        inequality(
            "coefficients of the errors",
            -3 + 3 * beta / 2 + 2,
            Rational(-1),
            box={beta: UNIT},
            note="of C_k gamma eta delta/m, from L550-555 and Lemma 10.",
        ),
        "coefficients of the errors, repaired",
        rhs=-Rational(19, 20),
        given=(Le(33 * beta, 1),),
    ),
    Identity(
        "the noise of u, V, H, v and d",
        FOUR + OWN_NOISE,
        gamma**2 * C_p / m * NOISE_5 * eta**3,
        note="C_5 as in L565, with sigma_z.",
    ),
    *misprint(
        "E8",
        inequality(
            "C_5 as printed",
            FOUR + OWN_NOISE + 3 * BETA_GY**2 * C_p / (m * eta),
            gamma**2 * C_p / m * NOISE_5 * eta**3,
            note="L553 has beta_gy^2, too.",
        ),
        "C_5 with beta_gy",
        rhs=gamma**2 * C_p / m * (NOISE_5 + 192 * tau**2 * C**2 / lam**2) * eta**3,
    ),
    Identity(
        f"C_5, {MORE_GY}",
        3 * (BETA_GY + gamma * eta**2) ** 2 * C_p / (m * eta),
        gamma**2 * C_p / m * 3 * (8 * tau * C / lam + 1) ** 2 * eta**3,
        note="in place of 192 tau^2 C^2/lambda^2 (E8).",
    ).repaired("E10"),
    decrease("(10), repaired", S.Zero).repaired("E9"),
    decrease(f"(10), {MORE_GY}", OF_GY).repaired("E10"),
)

T, eps = symbols("T eps", positive=True)
total, Delta, start_y, start_e, start_d, left = symbols(
    "total Delta start_y start_e start_d left", nonnegative=True
)
START = Delta + C * gamma * start_y / m + start_e / (eta * m) + start_d / (C_max * eta)
LINE_11 = link(
    "eq-11",
    "The potential of RSVRB, summed",
    "(11), L561-565",
    r"The sum over $t \le T$ of $(\gamma \eta/2) \|\nabla F\|^2 + (\gamma \eta/m) (C_0 \delta_y + \ldots) "
    r"+ \gamma \eta \delta_d$ is at most $\Delta + C \gamma \delta_{y,0}/m + (\delta_{gy,0} + \ldots "
    r"+ \delta_{gyy,0})/(\eta m) + \delta_{d,0}/(C'_{\max} \eta) + \gamma^2 C(\mathbf{p}) C_5 \eta^3 (T + 1)/m$.",
    ("eq-10", "asm-2(iv), 4(iv)"),
    TELESCOPED,
    inequality(
        "(11)",
        gamma * eta / 2 * total + left,
        START + gamma**2 * C_p / m * C_5 * eta**3 * (T + 1),
        Le(gamma * eta / 2 * total + left + change, (T + 1) * gamma**2 * C_p / m * C_5 * eta**3),
        Le(-START, change),
        note="change: of the potential from 0 to T + 1, whose terms other than F are not negative; total, left: E of "
        "the sums over t. C_5 and C_k as in eq-10, repaired; with gamma eta^2 more in beta_gy, left includes delta_gy.",
    )
    .states()
    .repaired("E8"),
    errata=("E8",),
)


def divided(of_d: int, of_noise: int) -> Expr:
    """L567-568; ``of_d`` and ``of_noise`` are the factors of the error of d and of the noise."""
    return (
        2 * Delta / (gamma * eta * T)
        + 2 * start_e / (eta * m * gamma * eta * T)
        + of_d * start_d / (C_max * eta * gamma * eta * T)
        + of_noise * gamma * C_p / m * C_5 * eta**2
        + 2 * C * start_y / (m * eta * T)
    )


SUM_11 = Le(gamma * eta / 2 * total, START + gamma**2 * C_p / m * C_5 * eta**3 * (T + 1))
THEOREM_2 = link(
    "thm-2",
    "Theorem 2: the bound",
    "Theorem 2, L250-254, L567-570",
    r"The mean of $\mathbb{E}\|\nabla F(x_t)\|^2$ over $t \le T$ is at most $2 \Delta/(\gamma \eta T) "
    r"+ 2 (\delta_{gy,0} + \ldots + \delta_{gyy,0})/(m \gamma \eta^2 T) + 2 \delta_{d,0}/(C'_{\max} \gamma \eta^2 T) "
    r"+ 2 \gamma C(\mathbf{p}) C_5 \eta^2/m + 2 C \delta_{y,0}/(m \eta T)$, so at most $\epsilon^2$ after "
    r"$T = O(C(\mathbf{p})/(m \epsilon^3))$ steps with $\eta$ of order $\epsilon$.",
    ("eq-11", "own-sampling"),
    *misprint(
        "E14",
        inequality(
            "(11) divided by gamma eta (T + 1)/2, factors 1",
            total / (T + 1),
            divided(1, 1),
            SUM_11,
        ),
        "(11) divided by gamma eta (T + 1)/2",
        rhs=divided(2, 2),
        shows="statement",
    ),
    inequality(
        "the noise is at most eps^2/2",
        2 * gamma * C_p / m * C_5 * eta**2,
        eps**2 / 2,
        Le(4 * gamma * C_p * C_5 * eta**2, m * eps**2),
        note="eta <= (eps/2) (m/(gamma C(p) C_5))^(1/2).",
    ),
    inequality(
        "at most eps^2",
        divided(2, 2),
        eps**2,
        Le(4 * gamma * C_p * C_5 * eta**2, m * eps**2),
        Le(16 * Delta, gamma * eta * T * eps**2),
        Le(16 * start_e, m * gamma * eta**2 * T * eps**2),
        Le(16 * start_d, C_max * gamma * eta**2 * T * eps**2),
        Le(16 * C * start_y, m * eta * T * eps**2),
        note="T at least the largest of four: with eta of order eps, Delta of order 1 and the first errors of order "
        "eta m, all are of order 1/(gamma eps^3).",
        budget=15,
    )
    .states()
    .repaired("E14"),
    *misprint(
        "E13",
        inequality(
            "the first mini-batch, 1/(eta m) samples per task",
            m * sigma_z**2 / T,
            eta * m,
            Le(1, T * eta * m),
            Le(sigma_z, 1),
            note="L570: sum over the tasks of the variance of a mean of T samples, sigma_z in place of sigma.",
        ),
        "the first mini-batch, 1/eta samples per task",
        given=(Le(1, T * eta), Le(sigma_z, 1)),
    ),
    inequality(
        "eta <= 1/(2 L_F gamma) is what Lemma 4 needs",
        gamma * eta * L_F,
        HALF,
        Le(2 * L_F * gamma * eta, 1),
    ),
    errata=("E8",),
)
LEMMAS = (RECURSIONS, LINE_9, POTENTIAL, LINE_10, LINE_11, THEOREM_2)
