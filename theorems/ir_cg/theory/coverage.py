"""The displayed lines of Theorems 1 and 2 and of Appendices A and B.1, B.2, B.4, in the order of the text.

The proof sketch (L172-211) repeats displays of the appendix with O, and is not listed. A display with several relations
has one entry per relation where they are shown in different ways. Lines of a statement that are refuted, or corrected
by an erratum, name the check that says so.
"""

from functools import partial

from workbench.theory.coverage import Display

from .paper import PAPER

display = partial(Display, PAPER)
definition = partial(display, quoted=True)
UNROLLED = "the recursion unrolled; the statement is shown by induction instead"
SAME_FOR_G = "the same for the other level"
UNION = "union bound over estimators"
QUOTED_TAIL = "from the tail bound that is quoted from [41]; only its solution for lambda is encoded"
STANDARD = "standard"
LIMIT = "a limit; tested by long runs, not encoded"

RATES = (
    display("L164", "outer rate of Theorem 1", "thm-1-outer", ("the rate, from Lemma 5 as repaired",)),
    display("L164", "inner rate of Theorem 1", "thm-1-inner", ("the rate, from Lemmas 5 and 6 as repaired",)),
    display(
        "L169",
        "outer rate of Theorem 2",
        "thm-2-outer",
        tuple(f"the rate, from Lemma 10 as repaired: {part}" for part in ("start", "first phase", "later")),
    ),
    display(
        "L170", "inner rate of Theorem 2", "thm-2-inner", ("the rate, from Lemmas 10 and 11 as repaired",)
    ),
)

PREPARATION = (
    display("L349", "Lemma 1: descent of Phi_t", "lem-1", ("(9) at w = x_opt with convexity",)),
    definition("L354", "the step of the algorithm"),
    display("L358", "smoothness of Phi_t", why=STANDARD),
    display("L359", "|v_t - x_t| <= D", "eq-9", ("smoothness on a set of diameter D",)),
    display("L363-364", "split off the estimate", "eq-9", ("split of the inner product",)),
    display(
        "L365-367", "v_t minimizes; two errors", "eq-9", ("one step, from smoothness and the choice of v_t",)
    ),
    display(
        "(9), L371", "one step against any w", "eq-9", ("one step, from smoothness and the choice of v_t",)
    ),
    display("L375-376", "w = x_opt, convexity", "lem-1", ("(9) at w = x_opt with convexity",)),
    display("L377", "collected, with the wrong sign", "lem-1", ("the same line with the sign of L377",)),
    display("(10), L385-387", "Lemma 2: weighted sums", "lem-2", ("one summand of (10)",)),
    display("L392-393", "from sigma_t to sigma_(t+1)", "lem-2", ("a change of sigma",)),
    definition("L397", "eta_t"),
    display("L401", "recursion times t (t+1)", "lem-2", ("the weight of a step", "one summand of (10)")),
    display("L405", "summed over k < i <= t", "lem-2", ("one summand of (10)",)),
    display("L409-411", "eta inserted", "lem-2", ("one summand of (10)",)),
    display("(11), L419", "Proposition 1, inner level", "prop-1", ("(11) from (10)",)),
    display("(12), L423-425", "Proposition 1, outer level", "prop-1", ("(12) from (10)",)),
    display("(13), L430", "the two levels of Phi_t", why="definition of Phi_t"),
)

ONE_SAMPLE = (
    display("(14), L446", "Lemma 3, outer level", quoted=True),
    display("(14), L447", "Lemma 3, inner level", "lem-3", ("along runs, inner level",)),
    display(
        "L456",
        "Proposition 2: sum of i e_(i-1)",
        "prop-2",
        (
            "both levels of one estimator",
            "union bound, one term",
            "sum of square roots",
            "the numbers",
            "level of the union bound",
        ),
    ),
    display("L461", "both levels, with sigma_i", "prop-2", ("sigma_i in place of sigma_(i-1)",)),
    display("L462", "sigma_0 for sigma_(i-1)", "prop-2", ("both levels of one estimator",)),
    display("L463", "Lemma 3 inserted", why="insertion"),
    display("L467", "one logarithm for all i", "prop-2", ("union bound, one term",)),
    display("L468", "sum of square roots", "prop-2", ("sum of square roots", "the numbers")),
    definition("L482", "Condition 2"),
    definition("L485", "Condition 3"),
    definition("(15a), L489", "C"),
    definition("(15b), L490", "C_bar"),
    definition("(15c), L491", "C_delta"),
    definition("(15d), L492", "V"),
    display("(16), L500-502", "Lemma 4, refuted at t = 0", "lem-4", ("at t = 0",)),
    display("L508-509", "(11) with Proposition 2", "lem-4", ("(11) with Proposition 2, t >= 1",)),
    display("L519", "Lemma 5, outer level, refuted", "lem-5", ("the outer statement at t = 1",)),
    display("L520", "Lemma 5, inner level", "lem-5", ("inner level, from Lemma 4",)),
    definition("L528", "S_t and z_t"),
    display("L532", "Jensen for F", "eq-S", ("Jensen for F, Algorithm 1",)),
    display(
        "L536", "outer level, without a factor D", "lem-5", ("printed constant against the one derived",)
    ),
    display("L542", "Jensen for G", why="Jensen's inequality"),
    display("L556", "Lemma 6 (i), C", "lem-6", ("C (L582)",)),
    display("L556", "Lemma 6 (i), V", "lem-6", ("V, p <= 1/2", "V, p > 1/2")),
    display("L561", "Lemma 6 (ii), refuted", "lem-6", ("(ii) as stated, at t = 1",)),
    display("L566", "t (sigma_t/sigma_(t+1) - 1) tends to p", why="elementary limit"),
    display("L570", "mean value theorem", "lem-6", ("mean value step (L570)",)),
    display("L574", "one summand", "lem-6", ("one summand of (15a) (L574)", "the largest summand (L574)")),
    display("L578", "the ratio is at most 2 p", "lem-6", ("the largest summand (L574)",)),
    display("L582", "C", "lem-6", ("C (L582)",)),
    display("L586", "summands of V", why="as L574; `own-spread` bounds V otherwise"),
    display("L590", "their sum for p <= 1/2", why="as L574; `own-spread` bounds V otherwise"),
    display("L594", "their sum for p > 1/2", why="`own-spread` bounds V otherwise"),
    display("L596", "division, wrong for p > 1/2", "lem-6", ("last step of (i) for p = 3/4",)),
    display("L600-601", "sigma_0/varsigma = 1, logarithm split", why="algebra"),
    display(
        "L602",
        "the logarithm bounded",
        "lem-6",
        ("(ii) as proved (L600-602)", "log x <= x/e, above e", "log x <= x/e, below e"),
    ),
)

FINITE_SUM = (
    definition("L614", "F and G (means are meant)"),
    definition("L618", "minibatch means"),
    display("(17), L626", "Lemma 7 for t < q, outer level", "lem-7", ("(17) from the tail bound",)),
    display("(17), L627", "the same, inner level", "lem-7", ("(17) from the tail bound",)),
    display(
        "(18), L631",
        "Lemma 7 for t > q, outer level",
        "lem-7",
        ("one more step, any s_t", "(18) from the tail bound"),
    ),
    display(
        "(18), L632", "the same, inner level", "lem-7", ("one more step, any s_t", "(18) from the tail bound")
    ),
    definition("L640", "the increments of the error"),
    display("L644", "their size", "lem-7", ("size of an increment (L642-644)",)),
    display("L648", "recursion of the error", why="update rule of the estimator"),
    display("L652", "the error as a sum", why="update rule of the estimator"),
    display("L656", "tail bound", quoted=True),
    display("L660", "proxy for t <= q", why="q equal terms"),
    display("L664", "tail for t <= q", why=QUOTED_TAIL),
    display("L668", "sum of squared steps", "lem-7", ("one more step, any s_t",)),
    display("L672", "tail for t > q", why=QUOTED_TAIL),
    display("L676", "tail for t <= q, inner level", why=SAME_FOR_G),
    display("L680", "tail for t > q, inner level", why=SAME_FOR_G),
    display("L684", "solved for lambda, outer level", "lem-7", ("(17) from the tail bound",)),
    display("L688", "solved for lambda, inner level", "lem-7", ("(17) from the tail bound",)),
    definition("L696", "Condition 4"),
    display(
        "L704-705",
        "Lemma 8: the first q steps",
        "lem-8",
        ("one step of the first phase", "level of the union bound, i < q <= t"),
    ),
    display("(19), L710", "Lemma 1 for i < q", "lem-1", ("(9) at w = x_opt with convexity",)),
    display("L714", "Phi_0 = ... = Phi_q", why="Condition 4"),
    display("L718-719", "one step", "lem-1", ("(9) at w = x_opt with convexity",)),
    display("L720-721", "unrolled", why=UNROLLED),
    display("L725", "geometric series", "lem-8", ("its geometric weights sum to at most 1",)),
    display("(20), L729", "too weak as printed", "lem-8", ("(20) as printed against the lemma",)),
    display("L733", "both levels of one error", "prop-2", ("both levels of one estimator",)),
    display("L737", "Lemma 7 inserted", why=UNION),
    display(
        "(21), L747",
        "Proposition 3: sum of i e_(i-1)",
        "prop-3",
        (
            "one error of the first period (L758)",
            "one error of a later period (L768)",
            "first period",
            "i/(i - q) <= 2",
            "both periods",
        ),
    ),
    display("(22), L752-753", "both levels of one error", "prop-2", ("both levels of one estimator",)),
    display("L757", "Lemma 7 for q < i <= 2 q", why="insertion"),
    display("L758", "one error of the first period", "prop-3", ("one error of the first period (L758)",)),
    display("L762", "one logarithm for all i", "prop-2", ("union bound, one term",)),
    display("L763", "the first period", "prop-3", ("first period",)),
    display("L767", "Lemma 7 for i > 2 q", why="insertion"),
    display("L768", "floor bounded", "prop-3", ("one error of a later period (L768)",)),
    display("L769", "i/(i - q) <= 2", "prop-3", ("i/(i - q) <= 2",)),
    display("L773-774", "later periods", "prop-3", ("both periods",)),
    display("L778-781", "both periods", "prop-3", ("both periods",)),
    definition("(23c), L787", "C_q"),
    definition("(23f), L788", "C_bar_(delta,q)"),
    definition("(23g), L789", "C_(delta,q)"),
    definition("(23h), L790", "V_q"),
    display(
        "(24), L798-800",
        "Lemma 9",
        why="a factor 4 is lost in its proof; holds with the 4 in (23f), the printed constant is open",
    ),
    display(
        "L806-809",
        "(11) inserted, without the 4",
        "lem-9",
        ("L808: 4 D times Proposition 3 against the printed term",),
    ),
    display("L819-821", "Lemma 10, outer level", why="as (24)"),
    display("L822-824", "Lemma 10, inner level", why="as (24)"),
    definition("L830", "S_t and z_t"),
    display("L834-835", "Jensen for F", "eq-S", ("Jensen for F",)),
    display(
        "L839-841",
        "(12) inserted, without the 4",
        "lem-10",
        ("4 D times Proposition 3 against the printed term",),
    ),
    display("L847", "Jensen for G", why="Jensen's inequality"),
    display("L855", "Lemma 11, C_q and V_q", why="as Lemma 6, with fewer terms in the sums"),
    display("L859-861", "Lemma 11, C_bar, refuted", "lem-11", ("the statement at t = q",)),
    display("L866-867", "wrong at t = q", "lem-11", ("L867 at t = q",)),
    display("L871", "M_0", "lem-11", ("M_0 (L871)",)),
    display("L875", "1/varsigma lost", "lem-11", ("L875 at t = 1",)),
    display("L879", "log t over a power", "lem-11", ("log(t)/t^((1-p)/2) (L879)", "log x <= x/e, above e")),
    display("L883", "logarithm over a power", "lem-11", ("L883", "log x <= x/e, above e")),
    display("L887-888", "second line", "lem-11", ("second line of the bound",)),
    display("L892", "third line", "lem-11", ("third line of the bound",)),
)

LIMITS = (
    display("L910", "Theorem 3", why=LIMIT),
    display("L917-918", "(12) with Proposition 2, 4 c for 8 c", "thm-3", ("the 4 c of L917",)),
    display("L919-920", "positive parts", "thm-3", ("positive parts (L918-920)",)),
    display("L926", "weighted mean of positive parts", why="Stolz and Cesaro"),
    display("L930", "limes superior", why=LIMIT),
    display("L938", "Theorem 4", why=LIMIT),
    display("L945-948", "(12) with Lemma 8, without the 4", "thm-4", ("the factor of L947",)),
)

NONCONVEX = (
    definition("L956", "the merit functions"),
    display("L964-965", "Lemma 12, refuted for omega > 1", "lem-12", ("omega = 2, k = t = 1",)),
    display(
        "L970-971",
        "(9) with the minimum over X",
        "eq-9",
        ("one step, from smoothness and the choice of v_t",),
    ),
    display(
        "L975-977", "the minimum over X_opt", "eq-25", ("from (9) with the minimum over X_opt (L970-984)",)
    ),
    display("L981-982", "both combined", "eq-25", ("from (9) with the minimum over X_opt (L970-984)",)),
    display("(25), L986", "one step", "eq-25", ("from (9) with the minimum over X_opt (L970-984)",)),
    display("L990-991", "times (t+1)^omega", "lem-12", ("(25) times (t+1)^omega (L990-991)",)),
    display("L995-996", "summed", "lem-12", ("(25) times (t+1)^omega (L990-991)",)),
    display("L1000-1001", "summation by parts", "lem-12", ("boundary term of L1001, k = t = 0",)),
    display(
        "L1002-1003",
        "sup |F|, telescoped",
        "lem-12",
        ("summation by parts, one more term", "summation by parts, the end"),
    ),
    display(
        "L1015",
        "Theorem 5, outer level",
        "thm-5-outer",
        ("optimal exponents", "division by the sum of sigma_i (L1053)"),
    ),
    display(
        "L1015",
        "Theorem 5, inner level",
        "thm-5-inner",
        ("optimal exponents", "from Lemma 12 (L1031-1040), with the right parentheses and sup |calF|"),
    ),
    display("L1020", "error of STORM", quoted=True),
    display("L1024-1025", "inserted", why=UNION),
    display("L1026-1027", "sums of powers", "thm-5-outer", ("sum of i^(-3/7)", "sum of i^(-6/7)")),
    display("(26), L1031", "without parentheses", "thm-5-inner", ("(26) without its parentheses",)),
    display("L1035", "terms with calF", "own-power-sum", ("one more term of the sum",)),
    display(
        "L1039-1040",
        "inner level (with sup |calF|)",
        "thm-5-inner",
        ("from Lemma 12 (L1031-1040), with the right parentheses and sup |calF|",),
    ),
    display("L1044-1045", "terms with calF alone", "thm-5-outer", ("calG >= 0 (L1044)",)),
    display(
        "L1049",
        "sum of sigma_i from below",
        "thm-5-outer",
        ("sum of sigma_i from below (L1049)", "its second step (L1049)"),
    ),
    display("L1053-1055", "outer level", "thm-5-outer", ("division by the sum of sigma_i (L1053)",)),
    display("L1059", "optimal exponents", "thm-5-outer", ("optimal exponents",)),
)

NONCONVEX_FINITE = (
    definition("(27), L1067", "beta_t"),
    display(
        "L1072",
        "Theorem 6, outer level",
        "thm-6-outer",
        ("optimal exponents", "division by the sum of the weights (L1254-1258)"),
    ),
    display(
        "L1072",
        "Theorem 6, inner level",
        "thm-6-inner",
        ("optimal exponents", "Lemma 15 divided by t^omega (L1235-1238)"),
    ),
    display("(28), L1080", "Lemma 13 for t < q, outer level", "lem-13", ("(28) from the tail bound",)),
    display("(28), L1081", "the same, inner level", "lem-13", ("(28) from the tail bound",)),
    display(
        "(29), L1085-1086",
        "Lemma 13 for t > q, both levels, refuted for alpha = 1",
        "lem-13",
        (
            "(29) for alpha = 1 at t = q + 1, q = S = 400, omega = 9/10",
            "probability that 400 signs balance",
        ),
    ),
    display("L1094", "tail bound", quoted=True),
    display("L1098", "tail for t <= q", why=QUOTED_TAIL),
    display("L1102", "spurious factor 4", "lem-13", ("alpha_(s-1)^2 with the 4 of L1102",)),
    display("L1102", "the sum by an integral", why="encoded for omega = 3/4 only"),
    display("L1106", "tail for t > q", why=QUOTED_TAIL),
    display("L1110", "tail for t <= q, inner level", why=SAME_FOR_G),
    display("L1114", "tail for t > q, inner level", why=SAME_FOR_G),
    display("L1118", "solved for lambda, outer level", "lem-13", ("(28) from the tail bound",)),
    display("L1122", "solved for lambda, inner level", "lem-13", ("(28) from the tail bound",)),
    display(
        "L1132-1133",
        "Lemma 14, printed weights",
        "lem-14",
        ("the printed weights: the terms with F and calF", "the printed weights: noise and curvature"),
    ),
    display("L1138-1139", "(25) rearranged", "lem-14", ("one step (L1138-1139)",)),
    display("L1143-1144", "Lemma 13 inserted", why="insertion, with the 4 that the proof of (28) gives"),
    display("L1148-1149", "unrolled", why=UNROLLED),
    display("L1153-1155", "summation by parts", why="identity; the induction of L1156 does without it"),
    display("L1156", "at most 2 sup |F|", "lem-14", ("the terms with F (L1153-1156)",)),
    display("(30), L1166", "Proposition 4", "prop-4", ("one error (L1176-1180)",)),
    display("(31), L1171-1172", "both levels of one error", "prop-2", ("both levels of one estimator",)),
    display("L1176", "mean value theorem", why=STANDARD),
    display("L1180", "one error", "prop-4", ("one error (L1176-1180)",)),
    display("L1184", "summed", why=UNION),
    display("L1185", "sum of powers", "own-power-sum", ("one more term of the sum",)),
    display(
        "L1195-1198",
        "Lemma 15",
        "lem-15",
        ("Lemma 12 from q + 1, Lemma 14 at q + 1, and Proposition 4",),
    ),
    display(
        "L1203-1204",
        "Lemma 12 from k = q + 1",
        "lem-12",
        (
            "(25) times (t+1)^omega (L990-991)",
            "summation by parts, one more term",
            "summation by parts, the end",
        ),
    ),
    display("L1208-1209", "Lemma 14 at q + 1", "lem-15", ("(1 - alpha)^(q+1) <= 1/(q+1) (L1208)",)),
    display(
        "L1213-1214",
        "both combined",
        "lem-15",
        ("Lemma 12 from q + 1, Lemma 14 at q + 1, and Proposition 4",),
    ),
    display("L1215", "D in place of D^2", "lem-15", ("D in place of D^2",)),
    display(
        "L1216-1217", "the rest", "lem-15", ("Lemma 12 from q + 1, Lemma 14 at q + 1, and Proposition 4",)
    ),
    display("L1227-1228", "terms with calF", "thm-6-inner", ("the terms with calF (L1227-1231)",)),
    display("L1229", "geometric series", "thm-6-inner", ("the early weights (L1228-1229)",)),
    display("L1230", "sum of the late weights", "thm-6-inner", ("one late weight (L1230)",)),
    display("L1231", "all weights", "thm-6-inner", ("the sum of the weights (L1229-1231)",)),
    display(
        "L1235-1238",
        "inner level",
        "thm-6-inner",
        ("Lemma 15 divided by t^omega (L1235-1238)", "the bounds of the integral (L1238)"),
    ),
    display("L1242-1243", "terms with calF alone", "thm-6-outer", ("calG >= 0 (L1242)",)),
    display("L1244", "D in place of D^2", "lem-15", ("D in place of D^2",)),
    display("L1245", "the rest", "thm-6-outer", ("calG >= 0 (L1242)",)),
    display("L1249", "sum of the weights, refuted", "thm-6-outer", ("sum of the late weights, printed",)),
    display("L1250", "the early weights are at least a third", why="checked numerically in the tests only"),
    display(
        "L1254-1255",
        "outer level, refuted at t = q",
        "thm-6-outer",
        ("division by the sum of the weights (L1254-1258)", "the printed sum of the weights at t = q"),
    ),
    display("L1256", "D in place of D^2", "lem-15", ("D in place of D^2",)),
    display("L1257-1258", "the rest", "thm-6-outer", ("division by the sum of the weights (L1254-1258)",)),
    display("L1262", "optimal exponents", "thm-6-outer", ("optimal exponents",)),
)

FINITENESS = (
    display("L1317", "L > 1 reverses an inequality", why="equivalent transformations"),
    display("L1321", "against Condition 3", "lem-16", ("L > 1 contradicts Condition 3 (L1317-1321)",)),
    display("L1327", "the quotient for C", "lem-16", ("quotient of Stolz and Cesaro for C",)),
    display("L1327", "its limit", why="elementary limit"),
    display("L1331-1332", "Stolz and Cesaro", why=STANDARD),
    display("(33), L1336", "the limit for C", why="a limit, from the two preceding lines"),
    display("L1342", "Stolz and Cesaro for V", why=STANDARD),
    display("L1343", "the quotient for V", "lem-16", ("the same for V",)),
    display("L1343", "its limit", why="elementary limit"),
    display("L1347", "sigma_t/sigma_(t+1) tends to 1", why="elementary limit"),
)

COVERAGE = (
    *RATES, *PREPARATION, *ONE_SAMPLE, *FINITE_SUM, *LIMITS, *NONCONVEX, *NONCONVEX_FINITE, *FINITENESS,
)  # fmt: skip
