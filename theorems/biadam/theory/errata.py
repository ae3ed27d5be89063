"""Errata of the paper: what is printed, and what is right.

The title says what is wrong: a statement (an instance that satisfies the hypotheses contradicts it), a proof line (it
does not follow; the statement itself is not refuted), a remark, or a misprint.
"""

from workbench import Erratum

ERRATA = (
    Erratum(
        "O-1",
        "Proof line: factor 2 in the condition on gamma of Theorems 1 and 3",
        "gamma <= sqrt(6) lambda mu rho/sqrt(6 L_1^2 lambda^2 mu^2 + 125 b_u^2 L_0^2 kappa^2) leaves rho/(4 gamma) in "
        "(58).",
        "At this gamma the coefficient is -rho/(2 gamma). Half of it leaves exactly rho/(4 gamma), as in Theorems 2 "
        "and 4, whose condition has the 2.",
        "L49, L93, L97 (58)",
    ),
    Erratum(
        "O-2",
        "Statement: Theorems 1 and 2, second inequality, and (59), (84), where b_t grows",
        "The start term of G and M has b_1: the potential's weight b_t is the same at t and t + 1.",
        "(b_(t+1) - b_t) |y_(t+1) - y*|^2 is dropped. With the weight b_u: b_u for b_1, and c_1 >= 125 L_0^2/(6 mu^2) "
        "b_u/b_l. As printed where b_t never increases. (Rule (5) itself increases b_t from a small b_0: with "
        "beta = 0.9999 the mean of calG_t exceeds the printed bounds on runs. The left side of Theorems 1, 2 and "
        "Theorems 3, 4 are not refuted.)",
        "L49, L53, L97 (59), L101 (84)",
    ),
    Erratum(
        "O-3",
        "Statement: Lemmas 4 and 12, the last term of L_K^2",
        "6 C_gxy^2 L_f^2 K^3 L_gyy^2/((L_g - mu)^2 (2 mu L_g - mu^2)).",
        "C_fy^2 in place of L_f^2. (L_g^2 in place of (L_g - mu)^2 is valid, smaller, and not singular at L_g = mu.)",
        "L29, L101",
    ),
    Erratum(
        "O-4",
        "Statement: Lemmas 4 and 12, bounds of the means in place of those of the samples",
        "C_gxy and C_fy bound the sampled derivatives in (6).",
        "Assumption 4 bounds their means. C^2 plus the variance of the sample, or bounds for every sample.",
        "L17, L29",
    ),
    Erratum(
        "O-5",
        "Remark: second moment of the sampled grad_y f",
        "|grad_y f(x, y; xi)|^2 <= 2 sigma^2 + 2 C_fy^2 for every sample; so Assumption 4 is not milder than bounds on "
        "samples.",
        "In expectation, and there sigma^2 + C_fy^2 is enough. Gaussian noise refutes the line, and the conclusion.",
        "L17",
    ),
    Erratum(
        "O-6",
        "Proof line: the sums of |R_t|^2 in G and M",
        "4 (m+T)/(9 rho^2 k T^2) + 8 k/(rho^2 T), and 6 k (m+T)^(1/3)/(rho^2 T).",
        "The factor 1/eta_T is lost, |R_t|^2 + |R_(t+1)|^2 is counted as 1/T^2, and the sum of (m+t)^(1/2) exceeds its "
        "integral to T; on the other side (1/T) sum eta_t |R_t|^2 is printed with 1/T^2 for 1/T^3. Right: 8 "
        "(m+T+1)^(3/2)/(9 rho^2 k^2 T^2) + 8 (m+T)^(1/2)/(rho^2 T^2), and 6 (m+T)^(2/3)/(rho^2 T^2).",
        "L97 after (60), L101 (86)",
    ),
    Erratum(
        "O-7",
        "Proof line: last term of Theorems 1 and 2",
        "sqrt(2)/T.",
        "sqrt(2)/(rho T): the metric has |w_t - grad f| over rho, and |R| <= 1/T.",
        "L49, L53, L97, L101",
    ),
    Erratum(
        "O-8",
        "Remark: the estimate (6) as a case of (3)",
        "(6) is a specific case of (3).",
        "Their means agree. With an exact Hessian (3) has no variance and (6) has one that grows like K.",
        "L29",
    ),
    Erratum(
        "O-9",
        "Remark: G and M are O(ln(m + T))",
        "With k, m = O(1).",
        "Up to further logarithms: K is of order log T, the variance of (6) up to order K, L_K^2 up to order K^3, so "
        "that the admissible lambda and gamma of Theorem 2 shrink with T.",
        "L49, L53, L111",
    ),
    Erratum(
        "O-10",
        "Proof line: sum of 1/(m + t) for m < 1",
        "The sum over t <= T is at most ln(m + T), for any m that Theorems 1 and 3 allow.",
        "ln((m + T)/m), for every m > 0; ln(m + T) for every T only if (m + 1) ln(m + 1) >= 1, that is m >= 0.7633 (m "
        ">= 1 "
        "is enough).",
        "L49, L97",
    ),
    Erratum(
        "O-11",
        "Remark: A_t of (4) in hyper-cleaning",
        "A_t of (4) adapts the steps of x.",
        "Where f depends on x through y*(x) only, grad_x f = 0 and (4) gives A_t = rho I.",
        "L29, L81",
    ),
    Erratum(
        "O-12",
        "Constant: m in Theorems 3 and 4 (true as printed; weaker than proved for m > 1)",
        "2 sqrt(6 G' m)/T^(1/2) and 2 sqrt(6 M' m)/T^(1/2).",
        "The proofs give 2 sqrt(6 G') m^(1/4)/T^(1/2) and 2 sqrt(6 M') m^(1/6)/T^(1/2). The printed lines follow from "
        "(61), (87), too, even for m < 1: (m + T)^(1/4) <= m^(1/2) + T^(1/4) for T >= 1. (Theorem 6 has b_u where "
        "Theorem "
        "3 has b_1.)",
        "L93, L97 (71), L101",
    ),
    Erratum(
        "O-13",
        "Misprint: the sample of the subtracted estimate in Lemma 12",
        "w_(t+1) subtracts the estimate at (x_t, y_t) with xi_t.",
        "With xi_(t+1), and the same k. With fresh samples the error of w grows like t^(1/3).",
        "L101, L121",
    ),
    Erratum(
        "O-14",
        "Misprints: signs, indices, names",
        "R = grad f - E estimate in Lemmas 3 and 11; no eta_t in (54) and (58); Lemma 3 for Lemma 2 in (47), "
        "Assumption 2 for 6 below (60) and (85); (G_1 + lambda)/lambda in Remarks 3 and 4; B_t = b I in Assumption "
        "7, b without t below (47); calG_t 'tighter' than the gradient mapping; grad_x f(x_t, y*(x_t)) in the basic "
        "iteration; an inverse and an index missing in (22); F(x_t) in Gamma_1; L for L_2 below (83); R_t left in "
        "(90); Lemma 12 without Assumption 6; K neither rounded nor positive.",
        "E estimate = grad f + R; eta_t; Lemma 2; Assumption 6; (G_1 + rho)/rho; b_t; larger, so a stronger "
        "measure; grad F(x_t); F(x_1); L_2; calG_t; K rounded up, at least 1.",
        "L21, L29, L41, L45, L93, L97, L101",
    ),
    Erratum(
        "O-15",
        "Hypothesis: b_1 in G and M where B_1 is built from samples",
        "5 b_1 L_0^2 Delta_0/(rho^2 k lambda mu), outside of any expectation.",
        "With (5), b_1 depends on zeta_1, and the first potential is an expectation: E b_1 (or b_u).",
        "L29 (5), L49, L53, L97 (60), L101 (85)",
    ),
)
