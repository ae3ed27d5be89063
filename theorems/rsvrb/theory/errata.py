"""Errata of this paper: wrong statements, and wrong lines of proofs whose statements stand.

None contradicts a power of T or eps. E8, E11, E13 and E22 concern the dependence on the number m of tasks.
"""

from workbench import Erratum

STATEMENTS = (
    Erratum(
        "E1",
        "Theorem 1: an inverted bound on c_0",
        "c_0 >= (c^2 lambda/(16 C gamma tau))^(3/2).",
        "c_0 >= (16 C gamma tau c^2/lambda)^(3/2): the purpose is beta_gy < 1. With the printed one beta_gy exceeds "
        "1 in finitely many iterations, so the order of the bound stands.",
        "L162, L426",
    ),
    Erratum(
        "E2",
        "Lemmas 3 and 6: a hidden bound on tau_t",
        "For tau <= 2/(3 L_g) and any tau_t.",
        "For tau_t <= 1/2, which the proof uses; a factor 2 that L724 loses would give tau_t <= 1. The lemma is "
        "false for large tau_t. Theorem 1 ensures 1/2 only if L_F >= 1/2, Theorem 2 only for small eps, as it does "
        "beta_gy < 1.",
        "L302, L381; L728, L530",
    ),
    Erratum(
        "E3",
        "Projection onto the matrices X >= lambda I",
        "Implemented by thresholding singular values.",
        "Symmetrize and clip eigenvalues from below. Of diag(-1, 2) both singular values exceed 0.1, and thresholding "
        "leaves the eigenvalue -1.",
        "L88",
    ),
    Erratum(
        "E4",
        "Theorem 2: an entry of C",
        "C >= 12 C_0 tau lambda.",
        "C >= 12 C_0/(tau lambda), by which C tau lambda/4 >= 3 C_0. The other entry of C covers it if L(p) is at "
        "least 2 C_0 gamma/lambda; that one needs 6 L(p)/gamma, without tau.",
        "L252, L548; L530",
    ),
    Erratum(
        "E5",
        "Lemma 11: C'_2 and sigma",
        "C'_2 = 24 C_fy^2/lambda; sigma^2, also in C_5.",
        "24 C_fy^2/lambda^2; sigma_z^2, the variance of z_i over the tasks.",
        "L514, L767; L508, L565",
    ),
    Erratum(
        "E7",
        "Theorem 3: T_1 and eta_1",
        "T_1 = max(5 Delta/(mu C_6 eta_1 gamma), ...), third entry 5 (sum of errors)/(mu C_6); no gamma in the root of "
        "eta_1.",
        "Every entry over eps_1, the third also over m eta_1^2 gamma; gamma in the root, as in the proof. In (15) "
        "the terms of d belong to stage k.",
        "L582, L266; L580, L588-592",
    ),
    Erratum(
        "E11",
        "Remark after Theorem 2: a lower order by the choice of p",
        "C(p)/(m eps^3) could be in a lower order than m/eps^3 if p is optimized.",
        "By Assumption 3 every C_gyy,i >= lambda, so C(p) >= (lambda m)^2 for every p: only constants can improve.",
        "L254, L11, L41",
    ),
    Erratum(
        "E12",
        "Theorem 3: hypotheses that only a constant F meets",
        "Assumption 4 and gradient dominance on all of R^d.",
        "Bounded gradients and gradient dominance together bound F - F_* and force F to be constant. Both are needed "
        "only on a region that contains the iterates.",
        "L181-191, L260-264",
    ),
    Erratum(
        "E13",
        "Theorem 2: size of the first mini-batch, accuracy of y_0",
        "O(1/(m eps)) samples; |y_0 - y*(x_0)| <= O(L(p)).",
        "sigma^2/eta samples for each task, m/eps in all; the sum of |y_i,0 - y*_i|^2 of order m/L(p): the factor C "
        "of its term was dropped.",
        "L252, L570",
    ),
    Erratum(
        "E15",
        "C(p) in Table 1",
        "C(p) = min over p of sum C_i/p_i.",
        "Theorem 2 is about sum C_i^2/p_i over five families of constants, for the p in use (L248).",
        "L29; L248",
    ),
    Erratum(
        "E16",
        "Definition of delta_(y,t)",
        "|y_(t+1) - y*(x_t)|^2.",
        "|y_t - y*(x_t)|^2, as in Lemma 6.",
        "L390, L532",
    ),
    Erratum(
        "E19",
        "Lemma 8: what is Lipschitz",
        "h is L-Lipschitz.",
        "h(.; xi) is, at least in mean square; Assumption 2(i) gives it.",
        "L399",
    ),
    Erratum(
        "E23",
        "Theorem 1: a hidden bound on gamma",
        "eta_t <= 1/(4 L_F).",
        "Lemma 4 needs gamma eta_t L_F <= 1/2, so gamma <= 2 as well; it follows if the sum of the squared Lipschitz "
        "constants is at least 1/32.",
        "L162; L361",
    ),
)

PROOF_LINES = (
    Erratum(
        "E6",
        "(12): C_6",
        "C_6 = min(2, C_0, ..., C_4).",
        "(11) has the factor 1/2 at |grad F|^2, so C_6 <= 1/2.",
        "L578; L563",
    ),
    Erratum(
        "E8",
        "Theorem 2: the dependence on m is not proved",
        "L_y of order 1 for all y*_i together; C_5 without beta_gy.",
        "L_y is sqrt(m) times that of one task. C_5 needs 192 tau^2 C^2/lambda^2 for beta_gy, which grows like m^6 "
        "for alike tasks: the printed parameters give m^4/eps^3 or more. Other parameters give m/eps^3.",
        "L492; L565, L530",
    ),
    Erratum(
        "E9",
        "From (9) to (10): a dropped term",
        "The coefficients of the errors are at most -C_k gamma eta/m.",
        "They are -3 + 3 beta/2 + 2 times C_k gamma eta/m, at most -0.95 of it where beta <= 1/33.",
        "L545-557",
    ),
    Erratum(
        "E10",
        "(13) and (15): the error of w is not bounded",
        "The induction hypothesis of stage k has delta_gy.",
        "Its coefficient in (10) is zero, so no stage bounds it. With gamma eta^2 added to beta_gy it is bounded; C_5 "
        "then has 3 (8 tau C/lambda + 1)^2 for beta_gy.",
        "L590; L530, L552",
    ),
    Erratum(
        "E14",
        "Dividing (11)",
        "gamma C(p) C_5 eta^2/m and delta_d/(C'_max gamma eta^2 T); gamma/m = O(1/C(p)).",
        "Both terms with a factor 2; gamma/m = O(1/L(p)) only, and the claimed T needs a lower bound on gamma.",
        "L567-570",
    ),
    Erratum(
        "E17",
        "Misprints without consequence",
        "1/eta_0 and T (L478-482), no delta_fx (L472-473); a sign (L634, L647), 2 C_1 for 2 C_0 (L661); L_i, G(p) for "
        "L_i^2, C(p) in the proof of Lemma 12; xi for zeta at w, f for f_i at v (Algorithm 2); one parenthesis of V "
        "and of H (Algorithm 1).",
        "1/eta_(-1) and T + 1; the others as named. V and H read (1 - beta)(V_t - old) + new, as the other estimators.",
        "lines named in the text; L143-146, L213-220",
    ),
    Erratum(
        "E22",
        "(15): 1/m used twice",
        "T_k has 10 C gamma/(C_6 m eta_k gamma) and 10/(C_6 m eta_k^2 gamma).",
        "No 1/m: the induction hypothesis bounds the errors over m. The term C(p)/(mu m eps) of the complexity "
        "stands; the entry with C is not covered by it.",
        "L592, L594",
    ),
    Erratum(
        "E24",
        "(14) and (16): another convention of gradient dominance",
        "F - F_* <= |grad F|^2/(2 mu).",
        "F - F_* <= |grad F|^2/mu by the condition of L260. The induction needs eps_k only, which stands.",
        "L588, L598; L260",
    ),
    Erratum(
        "E25",
        "The number of stages",
        "K = 1 + log2(eps_1/eps) <= log2(eps_0/eps) for eps_0 > eps_1.",
        "K is whole: 1 + log2(eps_1/eps) rounded up, so 2^(K-1) < 2 eps_1/eps. Even before rounding the inequality "
        "needs eps_0 >= 2 eps_1, which is not enough for the whole K. As eps_0 > eps_1, K < 2 + log2(eps_0/eps), so "
        "the order stands.",
        "L600; L580",
    ),
    Erratum(
        "E26",
        "(15): stage k starts from other estimators",
        "Algorithm 2 returns (x_t, y_t, u_t, ..., d_t).",
        "(13) and (15) bound the errors of u_(t+1), ..., d_(t+1) at (x_t, y_t), but stage k makes these anew with its "
        "own beta: u_(t+1) then differs by (beta_(k-1) - beta_k) (u_t - sampled value at t - 1). The induction holds "
        "if a stage hands on x_t, y_t, u_(t+1), ..., d_(t+1) and begins with lines 14 and 15.",
        "L227; L532, L586-592",
    ),
)

ERRATA = (*STATEMENTS, *PROOF_LINES)
