"""What is printed and not right as it stands, and what is. The labels are those of the proof ledger.

`printed` begins with what is wrong: a statement (refuted as printed), a proof line (the statement it serves may hold
all the same), or an order, a remark on the size of a constant.
"""

from workbench import Erratum

E1 = Erratum(
    "E1",
    "Concentration of the averaged noise (Lemma 5.4)",
    "Statement: the inequality (7) for every adapted alpha_t between non-random bounds.",
    "True for predictable alpha_t. The alpha_t of Eq. (5) includes the current sample; comparing it with its "
    "predictable neighbour costs 2 eta sigma_bar (4 sqrt(t_0) + 4 e K + H/2) in C.",
    "L185-189, L423-457",
)
E2 = Erratum(
    "E2",
    "Low noise in Theorems 4.1 and 4.2",
    "Order: C contains 2 L alpha/(mu sigma_x_low) (...), so that the bound does not decay for sigma ~ T^-1/2.",
    "eta_(x,t) is non-increasing; Cauchy-Schwarz as in the noiseless case gives H L q without 1/sigma_x_low.",
    "L814-815, L1366-1391",
)
E3 = Erratum(
    "E3",
    "Hoeffding's inequality for random sizes (Lemma A.2)",
    "Statement: for every predictable R_s, with no log-log term and no range of R_s known beforehand.",
    "For sizes R_s that are not random. Signs of growing size, stopped after a long run of equal ones, exceed the "
    "printed bound with probability 0.98 at delta = 0.9 within 16000 epochs; by the law of the iterated logarithm "
    "every delta has such an example.",
    "L377-384, L438-444",
)
E4 = Erratum(
    "E4",
    "Distance to the lower-level solution (Lemma 5.7)",
    "Statement: (22), (23) in terms of D. Proof lines of (21): D^2 once, C_1 without eta^2, A_T at delta, a fixed "
    "lower level.",
    "D^2 doubled, eta^2 C_1, sum d^2 <= Q_T with D^2 in place of D, A_T at delta/log2(4 rho T), and the motion of y* "
    "in C_1.",
    "L632-635, L663-764",
)
E5 = Erratum(
    "E5",
    "C of Theorems 4.1 and 4.2 against the lemmas it collects",
    "Proof lines: bias sums of G.3, G.4 once; t_0 - 1 + e K; |hat eps_1| <= sigma_x_bar; sigma^2 + L^2 d^2.",
    "Twice; (t_0 - 1)(1 + e K) as in G.2(d); sigma_x_bar + L d_1; 2 sigma^2 + 2 L^2 d^2.",
    "L810-840, L955-985",
)
E6 = Erratum(
    "E6",
    "Growth of the y gradients (Lemma A.4)",
    "Proof line: stated for Algorithm 3, which has neither gamma nor G_t, for one fixed L-smooth function; used in "
    "Lemma C.3 for g(x_k, .), which changes with x_k.",
    "It holds for steps of at most eta. For a moving lower level C_1 remains valid with the joint smoothness L, not "
    "with the smoothness of g(x, .) alone.",
    "L395-401, L660-664",
)
E7 = Erratum(
    "E7",
    "Almost sure bounds behind the hypergradient noise (Lemmas E.2, E.3)",
    "Statement: |H_yy| <= 1/mu_g for every sample (E.2). Proof line: |grad_y F| <= l_f0 for every sample (E.3).",
    "The first needs every sampled Hessian between mu_g I and l_g1 I; the second is l_f0 + sigma_f.",
    "L875-915",
)
E8 = Erratum(
    "E8",
    "Upper bound on the hypergradient noise (40)",
    "Statement: a term 2 l_g1 l_f0/mu_g without a noise factor.",
    "l_f0 sigma_g2/mu_g, as in the proof of the same lemma.",
    "L885, L902, L915",
)
E9 = Erratum(
    "E9",
    "Lemma G.1(c) and the factor 3 sqrt(e)",
    "Statement: G.1(c) under its condition without c_2. Proof line: 3 sqrt(e) at every noise level (G.2(c)).",
    "Its proof needs 4 sigma_bar^2/alpha^2 <= t_0 - 1; beyond, sqrt(4 e + 2.1 log T).",
    "L1106, L1237",
)
E10 = Erratum(
    "E10",
    "Dependence on the noise level",
    "Order: a rate proportional to sqrt(sigma_bar).",
    "C itself grows like sigma_bar^(3/2), so the printed bound grows like sigma_bar^2 for large noise.",
    "L90, L206, L520-522",
)
E11 = Erratum(
    "E11",
    "Algebraic slips without consequences",
    "Proof lines: sum_{t<=n} t^(-1/2) <= 2 (sqrt(n) - 1); sum_{t<=n} sqrt(t) <= (2/3)(n^(3/2) - 1); sum_{t<T} t^(-5/4) "
    "<= 4; (31) with a factor mu in its first term only; (p - q)(1 + c t)^(q-1) at most its value at a - 1 for p < q.",
    "2 sqrt(n) - 1; the same for t - 1 in place of t, which is what is summed; 4.595, and the next line still holds; "
    "mu in both terms or in neither; p >= q. Lemmas G.2(b), G.3 and the bound of (A) are right.",
    "L705-708, L1222, L1283, L1369-1370, L1385",
)
E12 = Erratum(
    "E12",
    "Powers of kappa_sigma",
    "Order: C of order kappa_sigma^4 up to logarithms.",
    "kappa_sigma^(9/2) in Theorem 5.6, kappa_sigma^6 in Theorems 4.1 and 4.2 as printed.",
    "L118, L140, L208, L522",
)
E13 = Erratum(
    "E13",
    "Sums of momentum weights in Lemmas G.3 and G.4 (slack, not an error)",
    "Proof line: sum_k beta_((k+1):t) alpha_k bounded by t or t - 1.",
    "It equals 1 - beta_(2:t) <= 1: t_0^(3/2) disappears, a third of the printed Neumann length suffices.",
    "L1369-1370, L1414",
)

ERRATA = (E1, E2, E3, E4, E5, E6, E7, E8, E9, E10, E11, E12, E13)
