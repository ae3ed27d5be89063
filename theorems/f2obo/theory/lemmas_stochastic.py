"""Appendix E: SF2OBO, Lemmas E.1-E.4, Theorem 5.1 and Corollary 5.2. L1003-1244.

q_t = 1 - beta_t lambda_t mu_g/2 and p_t = 1 - alpha_t mu_g are the contraction factors of one inner step in the mean.
"""

from dataclasses import replace

from sympy import Expr, Integer, Le, Rational, Sum, Symbol, exp, expand, log, symbols

from workbench.theory.lemma import Identity, Induction, InExpectation, Interval, at_least, misprint
from workbench.theory.record import Form
from workbench.theory.special import PowerSum

from . import symbols as s
from .chain import inequality, k, link, n
from .lemmas_descent import MAPPING, SMOOTH_STEP, G, H, drop, e, gamma_t
from .lemmas_multi import CONVOLVED
from .paper import PAPER
from .symbols import B_1, B_2, L_g1, a, b, kappa_g, mu_g, sigma, tau
from .theorem_5_1 import CORNER, PRINTED, REPAIRED

alpha, beta, lam, q, t = symbols("alpha beta lam q t", positive=True)
d, u, v, w, x, log_t, gain, total = symbols("d u v w x log_t gain total", nonnegative=True)
noise, b_2, old, new, power, floor, N, V, first_y = symbols(
    "noise b_2 old new power floor N V first_y", nonnegative=True
)
drop_t, jump, S_y, S_z, S_x, drift, start, drift_v, upper, lower = symbols(
    "drop_t jump S_y S_z S_x drift start drift_v upper lower", nonnegative=True
)
rho = Symbol("rho", positive=True)
ratio, four = symbols("ratio four_tau", positive=True)  # four = 4^tau
first, R_sum, S_bias, N_sum, sum_error = symbols("first R_sum S_bias N_sum sum_error", nonnegative=True)
inner, n_f, n_y, n_z = symbols("inner n_f n_y n_z", real=True)
# Along runs
noise_sq, lam_t, batch, dy_sq, dz_sq = symbols("noise_sq lam_t batch dy_sq dz_sq", nonnegative=True)
rhs_y, rhs_z = symbols("rhs_y_noisy rhs_z_noisy", nonnegative=True)
HALF = Rational(1, 2)
STOCHASTIC = PAPER.entry("sim-ledger-stochastic")

VARIANCE = link(
    "eq-E1-variance",
    "Variance of the sampled upper gradient",
    "L1044-1052, L289",
    r"The variance of the sampled $h_t$ is at most $(1 + 2 \lambda_t^2) \sigma^2/B_t \le 3 \lambda_t^2 \sigma^2/B_t$.",
    ("asm-2.3",),
    *misprint(
        "O-9",
        inequality(
            "one sample for both gradients of g_t",
            n_f**2 + lam**2 * (n_y - n_z) ** 2,
            (1 + 2 * lam**2) * sigma**2,
            Le(n_f**2, sigma**2),
            Le(n_y**2, sigma**2),
            Le(n_z**2, sigma**2),
            witness={n_f: 1, n_y: 1, n_z: -1, lam: 1, sigma: 1},
            note="n_f, n_y, n_z: noises that are +1 or -1 times these with equal chances; with one sample n_y = -n_z "
            "is possible: +1 at y_(t+1), -1 at z_(t+1).",
        ).states(),
        "one sample, repaired",
        rhs=(1 + 4 * lam**2) * sigma**2,
    ),
    *misprint(
        "O-12",
        inequality("1 + 2 lambda^2 <= 3 lambda^2", 1 + 2 * lam**2, 3 * lam**2),
        "1 + 4 lambda^2 <= 5 lambda^2 for lambda >= 1",
        lhs=1 + 4 * lam**2,
        rhs=5 * lam**2,
        box={lam: at_least(1)},
    ),
    InExpectation("along runs", noise_sq, (1 + 4 * lam_t**2) * sigma**2 / batch, on=(STOCHASTIC,))
    .states()
    .repaired("O-9"),
)


REGRET = link(
    "lem-E.1",
    "Expected regret of sampled gradient steps",
    "L1007-1057",
    r"$\mathbb{E}\,\mathrm{BLReg}(T)$ is at most $\sum_t (8/\gamma_t) \mathbb{E}[F_t(x_t) - F_t(x_{t+1})] + 24 D_1^2 "
    r"\sum_t \lambda_t^{-2} + 72 \sigma^2 \sum_t \lambda_t^2/B_t + 24 \sum_t \mathbb{E} "
    r"\|\nabla\mathcal{L}^*_t - h_t\|^2$.",
    ("lem-B.2", "lem-B.3", "lem-B.4", "eq-E1-variance"),
    replace(SMOOTH_STEP, name="one step with the sampled gradient"),
    inequality(
        "rearranged, L1032",
        gamma_t * H**2,
        4 * drop + 2 * gamma_t * e**2,
        Le(gamma_t / 2 * (1 - gamma_t * s.L_F) * H**2 - gamma_t / 2 * e**2, drop),
        Le(gamma_t * s.L_F, HALF),
    ),
    inequality("two gradient mappings, L1036", G**2 / 2, H**2 + e**2, Le(G, H + e)),
    replace(MAPPING, name="the gradient mapping at the exact gradient, Eq. (36)", note=""),
    inequality("three parts of the error", 8 * (u + v + w) ** 2, 24 * u**2 + 24 * v**2 + 24 * w**2),
    inequality(
        "one round, repaired",
        gamma_t * G**2,
        8 * drop + gamma_t * (24 * s.D_1**2 / lam**2 + 120 * lam**2 * noise + 24 * b_2),
        Le(gamma_t * G**2, 8 * drop + gamma_t * (24 * u**2 + 24 * b_2 + 24 * v**2)),
        Le(lam * u, s.D_1),
        Le(v**2, 5 * lam**2 * noise),
        note="means over the samples. u = |grad F_t - grad L*_t|, b_2 = E|h_t - grad L*_t|^2, v^2: the variance with "
        "its 5 (lambda_t >= 1), noise = sigma^2/B_t. Summed over t.",
    )
    .states()
    .repaired("O-9"),
    errata=("O-12", "O-14"),
)


SMALL = Interval(0, HALF, low_open=True)


NOISY_UNROLLED = inequality(
    "unrolled over the rounds",
    2 * power * old + floor + 2 * power * jump,
    rho * first_y + (rho * N + floor) + 2 * power * (rho * V + jump),
    Le(old, first_y + N + 2 * x * V),
    Le(2 * power, rho),
    Le(2 * x, rho),
    note="induction over t: E_t <= first_t + N_t + 2 q_t^(K_t) V_t, where first_t = rho^(t-1) E_1, and N_t, V_t are "
    "the sums of rho^j times the noise floors and the jumps; power, x: q_t^(K_t) in this round and the one before.",
)
Y_NOISE = link(
    "lem-E.2",
    "Error of y under noise",
    "L1059-1114",
    r"$\mathbb{E} \|y_{t+1} - y^*_\lambda\|^2$ is at most $q_t^{K_t} \mathbb{E} \|y_t - y^*_\lambda\|^2 + 4 \beta_t "
    r"\lambda_t \sigma^2/(\mu_g B_t)$; unrolled as in Lemma C.2.",
    ("eq-17", "eq-18", "asm-2.3"),
    inequality(
        "variance of the sampled inner gradient",
        n_f**2 + lam**2 * n_y**2,
        (1 + lam**2) * sigma**2,
        Le(n_f**2, sigma**2),
        Le(n_y**2, sigma**2),
        note="the samples of f_t and g_t are independent, so the variances add.",
    ),
    inequality(
        "one noisy step",
        d**2 - 2 * beta * inner + beta**2 * (u**2 + (1 + lam**2) * sigma**2),
        (1 - beta * lam * mu_g / 2) * d**2 + 2 * beta**2 * lam**2 * sigma**2,
        Le(lam * mu_g / 2 * d**2, inner),
        Le(u**2, 2 * lam * L_g1 * inner),
        Le(2 * beta * lam * L_g1, 1),
        box={lam: at_least(1)},
        note="lambda >= 1 is used for 1 + lambda^2 <= 2 lambda^2.",
    ).repaired("O-12"),
    Identity(
        "K noisy steps", (1 - q) * Sum(q**k, (k, 1, n)), q - q * q**n, n, note="so sum q^j <= 1/(1 - q)."
    ),
    Identity(
        "floor of the noise",
        2 * (beta * lam) ** 2 / (beta * lam * mu_g / 2),
        4 * beta * lam / mu_g,
        note="the noise of one step over 1 - q_t.",
    ),
    inequality(
        "one round, repaired",
        new,
        2 * power * old + floor + power * (6 * (1 + ratio**2) * d**2 + 12 * u**2 + 12 * v**2),
        Le(new, power * (2 * old + 2 * w) + floor),
        Le(w, 3 * (1 + ratio**2) * d**2 + 6 * u**2 + 6 * v**2),
        note="means of squares: (37) and (18) as repaired; power = q_t^(K_t), d = L_f0/(lambda_t mu_g), u = kappa_g "
        "|x_(t-1) - x_t|, v: drift of y*, floor = 4 beta_t lambda_t sigma^2/(mu_g B_t).",
    ).repaired("O-1"),
    replace(NOISY_UNROLLED, note=f"{NOISY_UNROLLED.note} jump: the bracket of the line before, over 2.")
    .states()
    .repaired("O-1"),
    InExpectation("one round along runs", dy_sq, rhs_y, on=(STOCHASTIC,)),
    errata=("O-8", "O-14"),
    note="needs beta_t <= 1/(2 lambda_t L_g1), that is b >= tau in Theorem 5.1. 12 L_f0^2 becomes 6 (1 + 4^tau) "
    "L_f0^2.",
)


Z_NOISE = link(
    "lem-E.3",
    "Error of z under noise",
    "L1116-1151",
    r"$\mathbb{E} \|z_{t+1} - y^*\|^2$ is at most $p_t^{K_t} \mathbb{E} \|z_t - y^*\|^2 "
    r"+ \alpha_t \sigma^2/(\mu_g B_t)$; unrolled as in Lemma C.3.",
    ("eq-c3-step", "asm-2.3", "lem-B.1"),
    inequality(
        "one noisy step",
        d**2 - 2 * alpha * inner + alpha**2 * (u**2 + sigma**2),
        (1 - alpha * mu_g) * d**2 + alpha**2 * sigma**2,
        Le(mu_g * d**2, inner),
        Le(u**2, L_g1 * inner),
        Le(alpha * L_g1, 1),
    ),
    Identity("floor of the noise", alpha**2 / (alpha * mu_g), alpha / mu_g),
    inequality(
        "one round",
        new,
        2 * power * old + floor + power * (4 * u**2 + 4 * v**2),
        Le(new, power * (2 * old + 2 * w**2) + floor),
        Le(w, u + v),
        note="means of squares; u = kappa_g |x_(t-1) - x_t|, v: drift of y*, floor = alpha_t sigma^2/(mu_g B_t).",
    ),
    replace(NOISY_UNROLLED, note=f"{NOISY_UNROLLED.note} jump: 2 u^2 + 2 v^2 of the line before.").states(),
    InExpectation("one round along runs", dz_sq, rhs_z, on=(STOCHASTIC,)),
)


CONTRACTION = link(
    "eq-E4-steps",
    "K_t steps contract enough",
    "L1163, L1219",
    r"For $b \ge \tau$ and $K_t = 4 \kappa_g \max(t^{b - \tau}, t^a) \log t$, $q_t^{K_t}$ is at most $1/t$ and "
    "$p_t^{K_t}$ at most $t^{-4}$.",
    (),
    inequality("1 - x <= exp(-x)", 1 - x, exp(-x)),
    Identity(
        "exponent of q at b >= tau",
        4 * kappa_g * t ** (b - tau) * log(t) * t ** (tau - b) / (4 * kappa_g),
        log(t),
        note="beta_t lambda_t mu_g/2 = t^(tau - b)/(4 kappa_g).",
    ),
    Identity("exponent of p", 4 * kappa_g * t**a * log(t) * t**-a / kappa_g, 4 * log(t)),
    inequality(
        "logarithm of q_t^(K_t)",
        total * inner,
        -log_t,
        Le(inner, -x),
        Le(log_t, total * x),
        note="total = K_t, inner = log q_t <= -x by the first line, x = 1 - q_t, K_t x >= log t by the second.",
    ).states(),
    inequality(
        "logarithm of p_t^(K_t)",
        total * inner,
        -4 * log_t,
        Le(inner, -x),
        Le(4 * log_t, total * x),
        note="likewise, with the third line.",
    ).states(),
    inequality(
        "t = 2 is the only close round",
        2 / t,
        Rational(2, 3),
        box={t: at_least(3)},
        note="2 q_2^(K_2) is computed in the record.",
    ),
    inequality(
        "the multiplier against 1/t",
        2 * x * log_t,
        log_t,
        box={x: Interval(0, HALF)},
        note="x = tau <= 1/2: lambda_t^2 q_t^(K_t) <= lambda_1^2 t^(2 tau - 1).",
    ),
    errata=("O-8",),
)


ERROR_SUM = link(
    "lem-E.4",
    "Sum of the gradient errors under noise",
    "L1153-1215",
    r"$\sum_t \mathbb{E} \|h_t - \nabla\mathcal{L}^*_t\|^2$ is at most $2 c_\tau \Delta_1 + 54 \lambda_T^2 \kappa_g "
    r"L_{g,1} \sigma^2/(1 - \rho) \cdot \sum_t (\beta_t \lambda_t + \alpha_t)/B_t "
    r"+ 144 \kappa_g^2 L_{f,0}^2 c_\lambda/(1 - \rho) \cdot \sum_t \lambda_t^{-2} "
    r"+ 168 L_{g,1}^2 c_\lambda/(1 - \rho) \cdot H_{2,T} + \mathrm{gain} \cdot (\mathbb{E}\,\mathrm{BLReg} "
    r"+ D_1^2 \sum_t \lambda_t^{-2} + 3 \sigma^2 \sum_t \lambda_t^2/B_t)$, "
    r"$\mathrm{gain} = 672 \gamma^2 \kappa_g^2 L_{g,1}^2 c_\lambda/(1 - \rho)$.",
    ("eq-20", "eq-23", "lem-B.2", "lem-E.2", "lem-E.3", "eq-E1-variance", "eq-E4-steps"),
    inequality(
        "Lemmas E.2 and E.3 in (20): the steps of x and the drift",
        72 * power * S_y + 12 * x * S_z,
        84 * s.c_lam * S_x,
        Le(power, s.c_lam),
        Le(x, s.c_lam),
        Le(S_y, S_x),
        Le(S_z, S_x),
        note="in units of L_g1^2; power, x = lambda_t^2 q_t^(K_t), lambda_t^2 p_t^(K_t). 72 = 6 x 12, 12 = 3 x 4.",
    ),
    inequality(
        "Lemmas E.2 and E.3 in (20): the noise",
        6 * 4 * kappa_g * L_g1 * S_y + 3 * kappa_g * L_g1 * S_z,
        27 * kappa_g * L_g1 * S_x,
        Le(S_y + S_z, S_x),
        note="S_y, S_z: the sums of rho_y^j beta_(t-j) lambda_(t-j)/B_(t-j) and rho_z^j alpha_(t-j)/B_(t-j).",
    ),
    replace(CONVOLVED, note=f"{CONVOLVED.note} With lambda_t <= lambda_T also L1205."),
    inequality("four parts of a step of x", (u + v + w + x) ** 2, 4 * (u**2 + v**2 + w**2 + x**2)),
    Identity("84 x 4 at the largest gamma", Integer(336) / (64 * 21), Rational(1, 4)).arithmetic(),
    inequality(
        "rearranged, Eq. (38), repaired",
        sum_error,
        2 * first + 2 * lower + 2 * drop_t + 2 * gain * (R_sum + S_bias + 5 * N_sum) + 2 * drift,
        Le(sum_error, first + lower + drop_t + gain * (R_sum + S_bias + sum_error + 5 * N_sum) + drift),
        Le(4 * gain, 1),
        note="first = c_tau Delta_1, lower = 27 lambda_T^2 kappa_g L_g1 sigma^2/(1 - rho) sum (beta_t lambda_t + "
        "alpha_t)/B_t, drop_t = 36 (1 + 4^tau) kappa_g^2 L_f0^2 c_lambda/(1 - rho) sum lambda_t^-2 (printed: 72), "
        "drift = 84 L_g1^2 c_lambda H_2T/(1 - rho), gain = 336 gamma^2 kappa_g^2 L_g1^2 c_lambda/(1 - rho), N_sum = "
        "sigma^2 sum lambda_t^2/B_t with 5 for 3 (O-9).",
    )
    .states()
    .repaired("O-1"),
    errata=("O-9", "O-12", "O-14"),
    note="144 becomes 72 (1 + 4^tau), 2016 becomes 3360.",
)


def feedback(form: Form) -> Expr:
    """16128 gamma^2 kappa_g^2 L_g1^2 c_lambda/(1 - rho) at the largest gamma that the form allows for that reason."""
    cap = form[s.gamma].subs(s.r_gamma, 1)
    (root,) = [c for c in cap.args if c.has(s.c_lam)]
    return 16128 * root**2 * kappa_g**2 * L_g1**2 * s.c_lam / s.gap


def in_units(bound: Expr) -> Expr:
    """The repaired bound in the units of its last step."""
    upper = PowerSum(s.T, B_1 - 2 * tau)
    inner_y, inner_z = PowerSum(s.T, b + B_2 - tau), PowerSum(s.T, a + B_2)
    noisy = s.gap / (s.lam_1**2 * s.T ** (2 * tau) * kappa_g * sigma**2)
    feedback = gain * s.gap / (336 * kappa_g**2 * L_g1**2 * s.c_lam)  # gamma^2
    units = {
        upper: N_sum / (sigma * s.lam_1) ** 2,
        inner_y: S_y * noisy,
        inner_z: S_z * noisy,
        s.M: start * s.gamma,
        s.V_T: drift_v * s.gamma,
        s.S_tau: S_bias * s.lam_1**2 / s.D_1**2,
        s.Delta_1: first / s.c_tau,
        s.H_2T: drift * s.gap / (84 * L_g1**2 * s.c_lam),
    }
    bound = bound.subs(units).subs(s.gamma**2, feedback)
    return expand(bound.subs(s.D_1**2, S_bias * kappa_g**2 * s.L_f0**2 * s.c_lam / (drop_t * s.gap)))


THEOREM = link(
    "thm-5.1",
    "Theorem 5.1 = E.5",
    "L1217-1244",
    r"$\mathbb{E}\,\mathrm{BLReg}(T)$ is at most the bound of the record.",
    ("lem-E.1", "lem-E.4", "lem-B.4"),
    inequality(
        "Lemma E.4 in Lemma E.1",
        total,
        16 * start
        + 8 * drift_v
        + (24 + 48 * gain) * S_bias
        + (72 + 144 * gain) * N_sum
        + 48 * first
        + 48 * lower
        + 48 * drop_t
        + 48 * gain * total
        + 48 * drift,
        Le(total, 16 * start + 8 * drift_v + 24 * S_bias + 72 * N_sum + 24 * sum_error),
        Le(
            sum_error,
            2 * first + 2 * lower + 2 * drop_t + 2 * gain * (total + S_bias + 3 * N_sum) + 2 * drift,
        ),
        note="start = M/gamma, drift_v = V_T/gamma; the others as in Lemma E.4. 16128 = 48 x 336.",
    ),
    *misprint(
        "O-8",
        Identity(
            "coefficient of E BLReg as the text checks it",
            feedback(PRINTED),
            HALF,
            note="It is 1 at the printed maximum of gamma, so that E BLReg on the right cancels the one on the left.",
        ),
        "coefficient of E BLReg, repaired",
        lhs=feedback(REPAIRED),
    ),
    inequality(
        "the bound of the record, repaired",
        total,
        in_units(REPAIRED[s.bound]).subs(4**tau, four),
        Le(total, 16 * start + 8 * drift_v + 24 * S_bias + 120 * N_sum + 24 * sum_error),
        Le(
            sum_error,
            2 * first
            + 54 * (S_y + S_z)
            + 72 * (1 + four) * drop_t
            + 2 * gain * (total + S_bias + 5 * N_sum)
            + 2 * drift,
        ),
        Le(96 * gain, 1),
        note="the bound of the record in the units of Lemma E.4, but drop_t without its 36 (1 + 4^tau), and S_y, S_z: "
        "lambda_1^2 T^(2 tau) kappa_g sigma^2/(1 - rho) times the sums of t^(tau - b - B_2) and t^(-a - B_2). gain: "
        "by the line before.",
    )
    .states()
    .repaired("O-8"),
    errata=("O-1", "O-4", "O-9", "O-12", "O-16"),
)
COROLLARY = link(
    "cor-5.2",
    "Corollary 5.2",
    "L291-293",
    r"$\mathbb{E}\,\mathrm{BLReg}(T)$ is $O(T^{2/3} (1 + \sigma^2) + V_T + H_{2,T})$ at $\tau = b = 1/6$, $a = 0$, "
    "$B_1 = B_2 = 2/3$.",
    ("thm-5.1",),
    Induction(
        "sum of t^(-1/3)",
        Sum(k ** -Rational(1, 3), (k, 1, n)),
        Rational(3, 2) * n ** Rational(2, 3),
        n,
        1,
        note="the bias and the upper samples: t^(-2 tau) and t^(2 tau - B_1).",
    ),
    Induction(
        "sum of t^(-2/3)",
        Sum(k ** -Rational(2, 3), (k, 1, n)),
        3 * n ** Rational(1, 3),
        n,
        1,
        note="the inner samples, times T^(2 tau) = T^(1/3).",
    ),
    inequality(
        "all terms at the corner",
        total,
        (start + Rational(3, 2) * upper + (Rational(3, 2) * lower + 3 * noise) * sigma**2) * x**2
        + drift_v
        + drift,
        Le(total, start + upper * S_y + sigma**2 * (lower * S_y + noise * x * S_z) + drift_v + drift),
        Le(S_y, Rational(3, 2) * x**2),
        Le(S_z, 3 * x),
        box={x: at_least(1)},
        note="x = T^(1/3); S_y, S_z: the two sums above; start, upper, lower, noise, drift_v, drift: the constants of "
        "the repaired bound (start with 96 c_tau Delta_1), those of V_T and H_2T with these.",
    )
    .states()
    .repaired("O-8"),
    *tuple(
        Identity(f"exponent {name}", value.subs(CORNER), Rational(2, 3)).arithmetic()
        for name, value in (
            ("of the bias", 1 - 2 * tau),
            ("of the upper samples", 1 + 2 * tau - B_1),
            ("of the inner samples of y", 1 + 3 * tau - b - B_2),
            ("of the inner samples of z", 1 + 2 * tau - a - B_2),
        )
    ),
)
LEMMAS = (VARIANCE, REGRET, Y_NOISE, Z_NOISE, CONTRACTION, ERROR_SUM, THEOREM, COROLLARY)
