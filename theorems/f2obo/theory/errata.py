"""Errata of the paper: what is printed, and what is right. The labels are those of the proof ledger.

A title ends in "statement" if the printed statement itself is refuted, in "proof line" if a line of its proof is and
the statement may stand, in "hypothesis" if a condition is missing.

None of them changes the rate of a theorem, once the hypotheses that the proofs use tacitly are added.
"""

from workbench import Erratum

ERRATA = (
    Erratum(
        "O-1",
        "Drift of the penalty solution: statements of (18) and Lemma C.2",
        "Both penalty distances together cost 6 L_f0^2/(lambda_t^2 mu_g^2).",
        "3 (1 + 4^tau) L_f0^2/(lambda_t^2 mu_g^2), from the tight Lemma B.5 and lambda_t <= 2^tau "
        "lambda_(t-1). In what follows 12 becomes 6 (1 + 4^tau), 576 becomes 288 (1 + 4^tau), 18432 becomes"
        " 9216 (1 + 4^tau); in Appendix E 144 becomes 72 (1 + 4^tau), 6912 becomes 3456 (1 + 4^tau). Lemma C.2 "
        "fails for g = y^2/2, f_1 = y, f_2 = -y, lambda_2 = 128 lambda_1; C.4, C.5 and E.2-E.5 are open with the "
        "printed constants.",
        "L523-533, L569, L646, L976, L1098, L1158, L1241",
    ),
    Erratum(
        "O-2",
        "Number of inner steps of Theorem 3.1: proof line",
        "K >= (ln c - 2 tau ln T)/ln rho makes lambda_T^2 rho^K <= c.",
        "It makes T^(2 tau) rho^K <= c; ln c - 2 ln lambda_1 - 2 tau ln T is needed (or c lambda_1^2 for c).",
        "L170, L567, L591, L644",
    ),
    Erratum(
        "O-3",
        "Inner step size of Theorem 3.1: hypothesis",
        "beta_t <= 1/(2 lambda_t L_g1).",
        "rho_y = 1 - beta_t lambda_t mu_g/2 is treated as a constant: beta_t lambda_t must not tend to 0. "
        "At beta_t = r/(lambda_t L_g1) the sum of rho_y^j is 2 kappa_g/r, the printed 4 kappa_g at r = 1/2.",
        "L170, L496, L624",
    ),
    Erratum(
        "O-4",
        "Step sizes of Lemma C.1: statement",
        "gamma_t <= 1/(2 L_F).",
        "And gamma_t non-increasing, for the summation by parts that gives 1/gamma_T. Otherwise F_t(x) = x on "
        "[0, 1] with gamma_t = 1/100 for 17 rounds and gamma_18 = 1 is a counter-example. (The proof ends with "
        "gamma_t; Lemma B.4 rests on the bound M of Assumption 2.1, not on 2.2.)",
        "L410-414, L450-456, L484-486",
    ),
    Erratum(
        "O-5",
        "The explicit bound of Theorem C.9: proof lines; S(T) <= C_S for large tau: statement",
        "The factor 2 of BLReg <= A + BLReg/2 is lost; sum_t lambda_t^2 sum_j rho^j a_(t-j) <= sum_t "
        "lambda_t^2 a_t/(1 - rho); |x_(t-1) - x_t| = gamma_t |G_t|; (m-1)^-2 replaced by m^-2; m^tau - "
        "(m-1)^tau <= tau (m-1)^(tau-1) for every tau; S(T) <= C_S for every tau; the third term of L850 "
        "without its 3.",
        "2 A; the factor sum_k (1+k)^(2 tau) rho^k, at most (1 - rho)^(-1 - 2 tau) for tau <= 1/2; "
        "gamma_(t-1) |G_(t-1)|, so lambda_t gamma_(t-1) <= 2^tau sqrt(c_gamma); S(T) <= tau^2 (pi^2/6) (1 -"
        " rho_y)^(-1 - 2 tau) for tau <= 1/2. The mean value needs tau <= 1; S(9) > C_S at tau = 3, kappa_g = 1.",
        "L819-821, L837-850, L892-895",
    ),
    Erratum(
        "O-6b",
        "c_g of Lemma C.8: proof line",
        "6 L_g1^2 384 kappa_g/mu_g.",
        "6 L_g1^2 384 kappa_g/mu_g^2, as Lemma C.6 gives.",
        "L679-680, L803",
    ),
    Erratum(
        "O-7",
        "Rate of Theorem C.5 for tau < 1/2 (weaker than proved), and a product index: proof line",
        "O(T^(1 - tau) + ...); lambda_t is the product of (1 + 1/i)^tau lambda_1 up to i = t.",
        "O(T^(1 - 2 tau) + ...), as the sum says; up to i = t - 1.",
        "L606, L667",
    ),
    Erratum(
        "O-8",
        "Step size of Theorem 5.1: proof line; its exponents: hypothesis",
        "gamma at most sqrt((1 - rho)/(7 c_lambda))/(48 kappa_g L_g1), checked with 4032; any a, b; any B_2.",
        "The coefficient is 16128 and equals 1 at the printed maximum: divide by sqrt(2). The proof needs b"
        " >= tau and a >= 0. 1 - 2 q_2^(K_2) is only about ln(2)/(8 kappa_g). With T^(2 tau) in front of "
        "the inner sums the stated power follows only for b + B_2 - tau <= 1 and a + B_2 <= 1; keeping "
        "lambda_t^2 inside repairs this.",
        "L283, L1061, L1118, L1203-1205, L1231-1242",
    ),
    Erratum(
        "O-9",
        "Variance of the sampled upper gradient: statement",
        "(1 + 2 lambda_t^2) sigma^2/B, as if the two gradients of g_t had independent samples.",
        "Algorithm 3 gives them the same sample: (1 + 4 lambda_t^2) sigma^2/B, so 3 lambda_t^2 becomes 5 "
        "lambda_t^2, 72 becomes 120, 2016 becomes 3360, 144 becomes 240, 96768 becomes 161280. (Or two "
        "independent samples.)",
        "L277-278, L289, L1045-1052",
    ),
    Erratum(
        "O-10",
        "Iteration count of Theorem D.2: proof lines",
        "6 lambda_1^2 T^(2 tau) H_2T; lambda_t in the bound on |y_t - y*_(lambda_(t-1),t-1)|; no term for t"
        " = 1; Lemma B.6 for the computed gradient; the first total is called I^z_T.",
        "12 = 2 x 6; lambda_(t-1), a factor 4^tau; the squared distances at the start; the error (33) added"
        " to L_L0; I^y_T.",
        "L232, L967-997",
    ),
    Erratum(
        "O-12",
        "Size of the first multiplier: hypothesis",
        "lambda_1 > 2 L_f1/mu_g.",
        "Also lambda_1 >= 1, where 1 + 2 lambda^2 <= 3 lambda^2, 1 + lambda^2 <= 2 lambda^2 and "
        "1/lambda_(t-j)^2 <= 1 are used. (Lemma C.4 also adds the error of t = 1 with weight c_tau; the sum"
        " (23) covers it already.)",
        "L640, L795, L1052, L1082",
    ),
    Erratum(
        "O-13",
        "Remark after Theorem 3.2: statement",
        "If V_T and P_T are o(T), some tau makes the regret o(T).",
        "Not for a tau fixed in advance: with V_T = T/log T and P_T = 0 the regret of F2OBO is linear for "
        "every fixed tau. True for V_T, P_T = O(T^(1 - epsilon)), and for a tau that decreases with the "
        "horizon.",
        "L190",
    ),
    Erratum(
        "O-14",
        "Misprints",
        "SF2OBO for F2OBO with one inner step; 1/lambda_(t-j) in Lemma E.2; gamma^2 and a stray C_1 in "
        "Lemma E.4; a minus sign and a sample in E.1; y_(t+1) in (11); beta in Algorithm 2; no z_1 in the "
        "input of Algorithm 3; C.9 for E.5.",
        "F2OBO; squared; gamma^2, no C_1; as in Algorithm 3, line 10; z_(t+1); beta_t; z_1; E.5.",
        "L190, L211, L229, L268, L315, L1005, L1047-1048, L1064, L1108, L1196, L1200",
    ),
    Erratum(
        "O-15",
        "D_0, D_1 of Lemma B.2",
        "Constants of another paper, not given.",
        "D_0 = L_f0^2/(2 mu_g) and D_1 = (1 + kappa_g) (L_f1 L_f0/mu_g + L_g2 L_f0^2/(2 mu_g^2)) suffice.",
        "L392-398",
    ),
    Erratum(
        "O-16",
        "Sum against integral in (23): statement, for large tau",
        "The sum of t^(2 tau) e^(-theta t) is at most its integral plus 1.",
        "Plus the maximum (2 tau/(e theta))^(2 tau). (The printed line holds for tau <= 3 and fails for "
        "large tau: tau = 16, theta = 19/2, T = 30.)",
        "L608-620",
    ),
    Erratum(
        "O-17",
        "Step size of Theorem 3.2: hypothesis",
        "gamma_t below its limit, which decays like t^-tau.",
        "And gamma_t at least a constant times t^-tau: the bound contains M/gamma_T and V_T/gamma_T, and with a "
        "summable gamma_t, such as t^-2, x moves by a bounded way in all, so that the regret of a static problem "
        "is linear.",
        "L184, L190, L892-895",
    ),
)
