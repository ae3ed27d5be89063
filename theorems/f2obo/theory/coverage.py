"""Every displayed line of Appendices B-E, L383-1246, and the checks of the ledger that encode it.

A chain whose relations are shown by different checks has one row for each; three formulas of the running text that
carry a proof (L418, L819, L1234) are included. A check that refutes a printed line encodes it as well. Where a constant
is wrong, the check of what follows from it has the repaired constant.
"""

from functools import partial

from workbench.theory.coverage import Display

from .paper import PAPER

display = partial(Display, PAPER)
TOTAL = "each round's line summed over t"
UNBIASED = "expectation of the expanded square, unbiased samples"
RATE = "a rate: derived from the record's bound, outside the ledger"
BOUND = "the bound of the record"


def line(source: str, says: str, link: str, *checks: str) -> Display:
    """A line that checks of one link encode."""
    return display(source, says, link, checks)


def quotation(source: str, says: str) -> Display:
    """A definition, an update rule, or a result of another paper."""
    return display(source, says, quoted=True)


def open_line(source: str, says: str, why: str) -> Display:
    """A line that is not checked."""
    return display(source, says, why=why)


PRELIMINARY = (
    line("L391", "Lemma B.1", "lem-B.1", "strong convexity against smoothness"),
    line("(12), L396", "|F_t - L*| <= D_0/lambda", "lem-B.2", "values, with D_0 = L_f0^2/(2 mu_g)"),
    line("(13), L397", "the same of gradients", "lem-B.2", "gradients, with the D_1 of the records"),
    quotation("(14), L398", "L* is smooth (never used)"),
    line("L403", "Lemma B.3", "lem-B.3", "the four changes of the hypergradient"),
    quotation("L407", "definition of L_F"),
    line("L412", "Lemma B.4", "lem-B.4", "summation by parts"),
    line("L418", "Lemma B.5 (running text)", "lem-B.5", "from the optimality of y*_lambda"),
    line("L424", "Lemma 3.2 of Kwon et al.", "lem-kwon-3.2", "both terms"),
    quotation("L432", "definition of L_L0"),
    line("L437-440", "|grad L*| <= L_L0", "lem-B.6", "two gradients of g_t"),
)

COUNTER = "F_t(x) = x on [0, 1], gamma_t = 1/100 for 17 rounds, then gamma_18 = 1"
WEIGHTED = "sum over the rounds with weights that do not decrease"
DESCENT = (
    quotation("L452", "the update"),
    line("L456", "Lemma C.1", "lem-C.1", COUNTER),
    open_line("L461-463", "quadratic upper bound, update inserted", "standard"),
    line("(15), L464-471", "one step", "lem-C.1", "one step, Eq. (15)"),
    line("(16), L475-476", "two gradient mappings", "lem-C.1", "two gradient mappings, Eq. (16)"),
    line("L480", "|G|^2, one error", "lem-C.1", "the gradient mapping at the exact gradient"),
    line("L481-482", "|G|^2, two errors", "lem-C.1", "one round"),
    line("L486", "summed over t", "lem-C.1", WEIGHTED, "one round"),
)

LINEAR = "g = y^2/2, f_1 = y, f_2 = -y, lambda_1 = 1, 4 inner steps"
UNROLLED = "unrolled over the rounds"
MULTI = (
    line("L498-500", "Lemma C.2", "lem-C.2", LINEAR),
    line("(17), L505-509", "one inner step of y", "eq-17", "gradient descent"),
    open_line("L513", "strong monotonicity of grad_y L_t", "standard; its constant is checked under eq-17"),
    open_line("L514", "co-coercivity of grad_y L_t", "standard; its constant is checked under eq-17"),
    line("L518", "K inner steps", "lem-C.2", "K steps"),
    line("L519", "(a + b)^2 <= 2 a^2 + 2 b^2", "lem-C.2", "two distances"),
    line("(18), L523-526", "drift of the penalty solution", "eq-18", "three distances"),
    line("L530-532", "one round", "lem-C.2", "one round, repaired"),
    line("(19), L533-534", "unrolled", "lem-C.2", UNROLLED),
    line("L542-543", "Lemma C.3", "lem-C.3", UNROLLED),
    line("L548-552", "one inner step of z", "eq-c3-step", "gradient descent"),
    line("L556-557", "K inner steps", "lem-C.3", "K steps"),
    line("L558-559", "one round", "lem-C.3", "one round", "y* moves with x and with t"),
    line("L560-561", "unrolled", "lem-C.3", UNROLLED),
    line("L569-570", "Lemma C.4", "lem-C.4", "rearranged"),
    line("(20), L578-582", "error of the computed gradient", "eq-20", "three gradients"),
    line("L586-589", "C.2 and C.3 in (20)", "lem-C.4", "Lemmas C.2 and C.3 in (20)"),
    line("(21), L593-598", "with lambda_t^2 rho^K <= c", "lem-C.4", "one round, Eq. (21)"),
    open_line("(22), L602-604", "(21) summed", TOTAL),
    line("L608", "sum of lambda_t^2 rho^(t-1)", "eq-23", "tau = 16, theta = 19/2, T = 30"),
    quotation("L612", "the Gamma integral"),
    quotation("L616", "the same at s = 2 tau + 1"),
    line("(23), L620", "the sum is at most c_tau", "eq-23", "tau = 16, theta = 19/2, T = 30"),
    line(
        "L624",
        "double sum of rho_y^j/lambda^2",
        "lem-C.4",
        "geometric weights summed over the rounds",
        "sum of rho_y^j at r_beta = 1/2",
    ),
    line("L628-629", "double sums", "lem-C.4", "geometric weights summed over the rounds"),
    line("L630-633", "steps of x", "lem-C.4", "the steps of x"),
    line("L637-638", "rearranged", "lem-C.4", "rearranged"),
    line("L646-647", "Theorem C.5", "thm-3.1", BOUND),
    open_line("L648", "O(...)", RATE),
    line("L656-657", "C.4 in C.1", "thm-3.1", "Lemma C.4 in Lemma C.1"),
    line("L661-662", "the bound", "thm-3.1", BOUND),
    open_line("L663", "O(...)", RATE),
    open_line("L667", "three cases of tau", RATE),
)

HALVES = ("the first half of the weights", "the second half of the weights", "geometric sum")
SINGLE = (
    line("L677-680", "Lemma C.6", "lem-C.6", UNROLLED),
    line("(24), L688-692", "Young's inequality", "eq-24", "Young's inequality"),
    line("(25), L696-698", "two moves", "eq-31", "two moves, Eq. (25)"),
    line("(26), L702", "strong convexity", "eq-31", "strong convexity of the new problem, Eq. (26)"),
    quotation("(27), L706", "gradient of L_t"),
    quotation("(28), L707", "optimality of y*_lambda"),
    line("L711-713", "(27) minus (28)", "eq-31", "gradient of the new problem, (27) minus (28)"),
    line("L717-718", "|grad_y g_(t-1)|", "eq-31", "gradient of the old lower function"),
    line("(29), L722-724", "norm", "eq-31", "gradient of the new problem at the old solution, (26)-(29)"),
    line("L728-730", "(29) in (26)", "eq-31", "gradient of the new problem at the old solution, (26)-(29)"),
    line("(30), L734-736", "squared", "eq-31", "three terms squared, Eq. (30)"),
    line("(31), L740-742", "all four terms", "eq-31", "all four terms, Eq. (31)"),
    line("L746-748", "(31) in (24)", "lem-C.6", "(31) in (24)"),
    line("L749-751", "unrolled", "lem-C.6", UNROLLED),
    line("L759-760", "Lemma C.7", "lem-C.7", UNROLLED),
    line("L768-770", "one round", "lem-C.7", "Young's inequality"),
    line("L771-772", "unrolled", "lem-C.7", UNROLLED),
    line("L780-781", "Lemma C.8", "lem-C.8", "rearranged"),
    line("L789", "(20) again", "eq-20", "three gradients"),
    line(
        "L793-797",
        "C.6 and C.7 in (20)",
        "lem-C.8",
        "Lemmas C.6 and C.7 in (20): the steps of x",
        "1/lambda^2 <= 1 in the term of f_t",
    ),
    quotation("L801-802", "definitions of c_lambda, C_g"),
    line("L803", "c_g of Lemma C.6", "lem-C.8", "c_g as printed"),
    quotation("L804-805", "definitions of c_g', rho"),
    open_line("(32), L809-813", "summed", TOTAL),
    quotation("L817", "definition of S(T), reindexed"),
    line("L819", "jump by the mean value (running text)", "eq-CS", "mean value of the power, tau = 2"),
    line("L821", "weight of a jump", "eq-CS", "m - 1 against m"),
    open_line("L825", "S(T) by that weight", "an equation printed for an upper bound; rests on L821"),
    line("L829", "j <= t/2", "eq-CS", HALVES[0], HALVES[2]),
    line("L833", "j > t/2", "eq-CS", HALVES[1], HALVES[2]),
    line("L837", "S(T) <= C_S", "eq-CS", "tau = 3, kappa_g = 1, T = 9"),
    line("L841-844", "double sums", "lem-C.8", "a jump at m = 2 without the growth of lambda_t, tau = 1/2"),
    line("L845-848", "steps of x", "lem-C.8", "the step of x was made with gamma_(t-1)"),
    line("L849-852", "three parts of a step", "lem-C.8", "three parts of a step of x, L849-850"),
    open_line("L856-858", "c_gamma and (13) inserted", TOTAL),
    line("L862-863", "largest gamma_t", "lem-C.8", "gamma_t at its largest, L862-863"),
    line("L867-868", "rearranged", "lem-C.8", "rearranged"),
    open_line("L874", "Theorem C.9, O(...)", RATE),
    quotation("L878-879", "definitions of E^f, E^g"),
    line("L884-885", "C.8 in C.1", "thm-3.2", "Lemma C.8 in Lemma C.1"),
    line("L889-890", "largest gamma_t", "thm-3.2", "gamma_t at its largest, L889-890"),
    line("L894-895", "the bound, factor 2 lost", "thm-3.2", "the factor 2 is lost"),
    open_line("L896", "O(...)", RATE),
)

ADAPTIVE = (
    line("L906", "Lemma D.1", "lem-D.1", "T rounds at the last multiplier"),
    line("(33), L911-913", "one round", "lem-D.1", "one round, Eq. (33)"),
    line("L917", "y by its gradient", "eq-33", "y by strong convexity"),
    line("L921", "z by its gradient", "eq-33", "z by strong convexity"),
    line("L925", "summed", "lem-D.1", "T rounds at the last multiplier"),
    line("L929", "at the tolerances", "lem-D.1", "T rounds at the last multiplier"),
    line("L935", "Theorem D.2 (without its O)", "thm-4.1", "the regret of the record"),
    open_line("L939", "number of steps, O(...)", RATE),
    line("L944", "D.1 in C.1 (without its O)", "thm-4.1", "the regret of the record"),
    quotation("L948-949", "the inner loops"),
    line("(34), L953", "all steps", "eq-34", "all steps, Eq. (34)"),
    line("L957", "above the tolerance", "eq-34", "a step is made only above the tolerance"),
    line("L961-962", "solved for K_t", "eq-34", "solved for K_t", "the logarithm is at most its argument"),
    open_line("(35), L966", "summed", TOTAL),
    line("L970-972", "starts of the rounds", "eq-D2-start", "the tolerance of the round before"),
    line("L976", "(18) again", "eq-18", "three distances"),
    open_line("L977", "steps of x by L_L0", "Lemma B.6 does not bound the computed gradient (O-10)"),
    line("L981", "summed", "eq-D2-start", "2 x (18) as the text adds it up"),
    line("L985", "steps of y", "thm-4.1", "steps of y, repaired"),
    open_line("L986", "O(...)", RATE),
    line("L990-991", "solved for M_t", "eq-34", "all steps of z", "solved for M_t"),
    open_line("L995", "summed", TOTAL),
    line("L996-997", "steps of z", "thm-4.1", "steps of z in one round", "steps of z, repaired"),
    open_line("L1001", "O(...)", RATE),
)

IN_20 = (
    "Lemmas E.2 and E.3 in (20): the steps of x and the drift",
    "Lemmas E.2 and E.3 in (20): the noise",
)
STOCHASTIC = (
    quotation("L1011", "the update"),
    line("L1015-1016", "Lemma E.1", "lem-E.1", "one round, repaired"),
    open_line("L1021-1023", "quadratic upper bound, update inserted", "standard"),
    line("L1024-1028", "one step", "lem-E.1", "one step with the sampled gradient"),
    line("L1032", "rearranged", "lem-E.1", "rearranged, L1032"),
    line("L1036", "two gradient mappings", "lem-E.1", "two gradient mappings, L1036"),
    line(
        "(36), L1040-1042",
        "|G|^2, three errors",
        "lem-E.1",
        "the gradient mapping at the exact gradient, Eq. (36)",
        "three parts of the error",
    ),
    line(
        "L1046-1052",
        "variance of the sampled h_t",
        "eq-E1-variance",
        "one sample for both gradients of g_t",
        "1 + 2 lambda^2 <= 3 lambda^2",
    ),
    line("L1056-1057", "summed", "lem-E.1", "one round, repaired"),
    line("L1063-1065", "Lemma E.2", "lem-E.2", UNROLLED),
    quotation("L1073", "the update"),
    open_line("L1077-1080", "one step in the mean", UNBIASED),
    line("L1081-1082", "one step in the mean", "lem-E.2", "one noisy step"),
    line("L1086-1087", "variance in y", "lem-E.2", "variance of the sampled inner gradient"),
    line("(37), L1091-1092", "K_t steps", "lem-E.2", "K noisy steps", "floor of the noise"),
    line("L1096-1098", "start of the round, (18) again", "eq-18", "three distances"),
    line("L1102-1103", "one round", "lem-E.2", "one round, repaired"),
    line("L1107-1112", "unrolled", "lem-E.2", UNROLLED),
    line("L1120-1122", "Lemma E.3", "lem-E.3", UNROLLED),
    open_line("L1130-1133", "one step in the mean", UNBIASED),
    line("L1134-1135", "one step in the mean", "lem-E.3", "one noisy step"),
    line("L1139-1140", "K_t steps", "lem-E.2", "K noisy steps"),
    line("L1141-1143", "one round", "lem-E.3", "one round", "floor of the noise"),
    line("L1147-1149", "unrolled", "lem-E.3", UNROLLED),
    line("L1157-1159", "Lemma E.4", "lem-E.4", "rearranged, Eq. (38), repaired"),
    line("L1167", "(20) again", "eq-20", "three gradients"),
    line("L1171-1178", "E.2 and E.3 in (20)", "lem-E.4", *IN_20),
    line("L1182-1187", "double sums", "lem-E.4", *IN_20, "geometric weights summed over the rounds"),
    line("L1191-1194", "four parts of a step", "lem-E.4", "four parts of a step of x"),
    line("(38), L1198-1201", "rearranged", "lem-E.4", "rearranged, Eq. (38), repaired"),
    line("L1205", "sum of the noise", "lem-E.4", "geometric weights summed over the rounds"),
    line("L1209", "sum of lambda_t^-2", "lem-E.4", "geometric weights summed over the rounds"),
    line("L1213-1215", "the sum of errors", "lem-E.4", "rearranged, Eq. (38), repaired"),
    open_line("L1221", "Theorem E.5, O(...)", RATE),
    line("L1229-1232", "E.4 in E.1", "thm-5.1", "Lemma E.4 in Lemma E.1"),
    line(
        "L1234", "the condition on gamma (running text)", "thm-5.1",
        "coefficient of E BLReg as the text checks it",
    ),
    quotation("L1236", "the schedules"),
    line("L1240-1243", "the bound", "thm-5.1", "the bound of the record, repaired"),
    open_line("L1244", "O(...)", RATE),
)  # fmt: skip

COVERAGE = (*PRELIMINARY, *DESCENT, *MULTI, *SINGLE, *ADAPTIVE, *STOCHASTIC)
