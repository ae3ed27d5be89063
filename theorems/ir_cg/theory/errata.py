"""Errata of this paper. None contradicts a rate; they concern constants, proof steps and ranges of parameters."""

from workbench import Erratum

I1 = Erratum(
    "I1",
    "Outer constant of Theorem 1 (Lemma 5)",
    "4 c (4 (sigma_0 L_f + L_g) D + 3 (sigma_0 sigma_f + sigma_g)), in the proof with 8 c.",
    "8 c (4 (sigma_0 L_f + L_g) D^2 + 3 (sigma_0 sigma_f + sigma_g) D), as in (15b) and Lemma 4: a factor D was "
    "lost, and (t + 1)/t <= 2 contributes a factor 2. The printed statement is refuted: it does not scale with the "
    "unit of length, and at t = 1 a linear F with D large exceeds it with probability 1/2, whatever c is. L917 has "
    "the proof line with 4 c.",
    "L519, L536; L508, L490; L917 has D^2 with 4 c",
)
I2 = Erratum(
    "I2",
    "Closed bound of (15b) (Lemma 6 (ii))",
    "4 c (8 (...) D^2 + 3 (...) D).",
    "4 c (8 (...) D^2 + 6 (...) D), as in the last line of its proof.",
    "L561; L602",
)
I3 = Erratum(
    "I3",
    "Absolute constant of Lemma 3",
    "An absolute constant c without a value; the proof is omitted.",
    "For almost surely bounded noise c = 1/sqrt(3), independent of the dimension (this project's derivation). For "
    "unbounded sub-Gaussian noise c is unknown, and the bound cannot be compared with runs.",
    "L442-450",
)
I4 = Erratum(
    "I4",
    "A factor 4 lost in the finite-sum bounds",
    "(8 sqrt(2) t - 4 q)(...) D^2 in (23f), Lemmas 9 and 10 and the proof of Theorem 4.",
    "4 (8 sqrt(2) t - 4 q)(...) D^2: Proposition 1 has 4 i D e_(i-1), Proposition 3 bounds the sum of i e_(i-1). "
    "This is a wrong line of the proofs; the statements of Lemmas 9 and 10 are open, no instance that exceeds them "
    "is known.",
    "L788, L808, L821, L841, L947; L419, L747",
)
I5 = Erratum(
    "I5",
    "First line of Lemma 11",
    "max F - f(x_0) + (max g - g(x_0))/varsigma.",
    "(max F - F_opt)/q + (q + 1)^p/q (max G - G_opt)/varsigma, which is the supremum, attained at t = q. The proof has "
    "F_opt and G_opt, but it loses 1/varsigma and drops a factor that exceeds 1 at t = q.",
    "L859; L867, L871, L875",
)
I6 = Erratum(
    "I6",
    "V for p > 1/2 (Lemma 6 (i))",
    "Dividing by t (t + 1) sigma_t^2 gives p/(1 - p).",
    "The step needs (t/(t + 1))^(1 - 2 p) <= 1, false for p > 1/2. The result is true: V <= p/min(1, 2 (1 - p)).",
    "L594-596",
)
I7 = Erratum(
    "I7",
    "Summation by parts in Lemma 12",
    "The boundary term sigma_k F(x_k).",
    "k^omega sigma_(k-1) F(x_k), zero for k = 0. The inequality of the lemma holds nevertheless.",
    "L1001",
)
I8 = Erratum(
    "I8",
    "Inner bound of Theorem 5",
    "sup |F| with t^(1 - p - omega); t + q in the logarithm; in (26) varsigma F(x_0) outside the factor.",
    "sup |calF|, as in the line it comes from; t + 1; (t + 1)^-omega multiplies varsigma F(x_0) as well.",
    "L1031, L1039-1040; L1035",
)
I9 = Erratum(
    "I9",
    "Lemma 13, (29)",
    "For an arbitrary constant first step size alpha.",
    "For q < t < 2 q the increment alpha_q = alpha enters the error. With alpha = log(q + 1)/(q + 1) it holds if "
    "log(q + 1) <= 2 (q + 1)^(1 - omega), hence for omega = 3/4.",
    "L1078-1086",
)
I10 = Erratum(
    "I10",
    "D in place of D^2 in the proofs of Lemma 15 and Theorem 6",
    "8 (sigma_0 L_f + L_g) D (t - q)^(1 - omega)/(1 - omega).",
    "D^2, as in the statement of Lemma 15.",
    "L1215, L1244, L1256; L1197",
)
I11 = Erratum(
    "I11",
    "Lower bound of the sum of the weights beta_i",
    "The sum of sigma_i over q < i <= t is at least varsigma (t^(1-p) - (q+1)^(1-p))/(1 - p).",
    "False for large t; with (t + 2)^(1-p) - (q + 2)^(1-p) it holds.",
    "L1249-1250",
)
I12 = Erratum(
    "I12",
    "Geometric weights of Lemma 14",
    "(1 - alpha)^(t - i) for x_t.",
    "(1 - alpha)^(t - 1 - i), as in the proof (for x_(t+1)) and in Lemma 15. The statement as printed is not "
    "refuted: it holds too, since -calF(x) <= F(v) - F(x) + L_f D^2/2 on X_opt and the constant 16 has room.",
    "L1132; L1148, L1208",
)
I13 = Erratum(
    "I13",
    "Increments in Lemma 13",
    "The sum of alpha_(s-1)^2 is 4 times the sum of s^(-2 omega).",
    "alpha_(s-1)^2 = s^(-2 omega). Without this 4, the constants of Lemmas 14 and 15 follow with the 4 of (28).",
    "L1102",
)
I14 = Erratum(
    "I14",
    "Lemma 4 at t = 0",
    "G(x_t) - G_opt <= C_delta sigma_t for any t >= 0.",
    "For t >= 1, the range that the proof covers.",
    "L502; L511",
)
I15 = Erratum(
    "I15",
    "Range of p in Conditions 1-4",
    "Conditions 1-3 hold for sigma_t = varsigma (t + 1)^-p, any p in (0, 1); the same sequence satisfies Condition 4.",
    "Condition 3 needs p < 1/2 (Lemma 6 (ii) has it); Condition 4 needs the sequence held constant up to q, so that "
    "the first statement of Lemma 11 is false.",
    "L494, L792, L853; L559",
)
I16 = Erratum(
    "I16",
    "(20) without its geometric weights",
    "The sum of 2 D |error_i| over i < q.",
    "Each term needs the weight alpha_0 (1 - alpha_0)^(q-1-i). The printed sum is q times too large for Lemma 8, which "
    "is correct.",
    "L729; L721",
)
I17 = Erratum(
    "I17",
    "Misprints without consequence",
    "Sign of Phi_t(x_opt) - Phi_t(x_t) (L377); sigma_i (L461); F as a sum of the f_i, g_S with f_i (L614, L618); "
    "S_t and the sum over [t] (L834); Proposition 2 (L837); (17), (18) (L1124); (t+1)^p (L792); sup (L1242); the "
    "deterministic method has t^-p at the upper and t^-(1-p) at the lower level (L68); unlike the proof of Theorem 3 "
    "(L612); sigma_t^2 is replaced by sigma_t^2 (L698); SBCGI is the mini-batch counterpart of IR-FSCG (L231, L1289); "
    "a time limit of four minutes for Figure 3 (L1289).",
    "The opposite sign; sigma_(i-1); means, and g_i; [t] without [q]; Proposition 3; (28), (29); (t+1)^-p; no sup; "
    "the other way round; of Theorem 1; by sigma_t; SBCGF; one minute (L1285).",
    "lines named in the text",
)

I18 = Erratum(
    "I18",
    "Range of omega in Lemma 12",
    "0 < p <= omega.",
    "0 < p <= omega <= 1: the proof needs (t+1)^omega - 1 <= t^omega. For omega = 2, F = 0 and G = x on [0, 1] "
    "without noise the inequality fails at k = t = 1. Theorems 5 and 6 have omega < 1.",
    "L962; L990",
)

I19 = Erratum(
    "I19",
    "Range of t in Theorem 6",
    "Every t >= q, from Lemma 15.",
    "Lemma 15 is for t > q + 1, hence the inner bound for t > q + 1 and the outer one for t > q. At t = q the inner "
    "display has the power 1 - omega of t - 1 - q = -1, and the outer one divides by a + b t^(1-p), which is negative "
    "for q <= 3. With max(t - 1 - q, 0) and the sum of the weights of I11 both bounds hold from t = q on, by Lemma 14.",
    "L1071, L1193; L1237, L1250, L1254",
)

ERRATA = (I1, I2, I3, I4, I5, I6, I7, I8, I9, I10, I11, I12, I13, I14, I15, I16, I17, I18, I19)
