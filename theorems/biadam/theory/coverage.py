"""Every displayed line of the statements (L21-53, L93) and of Appendices A.4-A.6 (L97-101), in the order of the text.

The text has no line breaks within a section, so that most sources are a number and L97 or L101. (44), (45), (87) and a
part of (96) are lost in the text; their rows say what the lines around them need. A chain whose relations are shown by
different checks has one row for each.
"""

from functools import partial

from workbench.theory.coverage import Display

from .paper import PAPER

display = partial(Display, PAPER)
UNBIASED = "expectation of the expanded square, unbiased samples; the line is measured as a whole"
RATE = "a rate: derived from the record's bound, outside the ledger"
STANDARD = "standard"


def line(source: str, says: str, link: str, *checks: str) -> Display:
    """A line that checks of one link encode."""
    return display(source, says, link, checks)


def quotation(source: str, says: str) -> Display:
    """A definition, an update rule, an assumption, or a result of another paper."""
    return display(source, says, quoted=True)


def open_line(source: str, says: str, why: str) -> Display:
    """A line that is not checked."""
    return display(source, says, why=why)


SPLIT = "the surrogate's change in four parts"
INSTANCES = ("L_f^2 in the last term", "bounds of the means")
VR = "VR-BiAdam, b_t = b_u from t = 2 on"
FIRST = "BiAdam, b_t = b_u from t = 2 on"

MAIN_TEXT = (
    quotation("L21", "the basic iteration"),
    line("L21", "Lemma 1", "lem-1", "implicit differentiation"),
    quotation("L21", "the surrogate grad f(x, y)"),
    line("L21", "Lemma 2, surrogate", "lem-2", "L_y: four changes"),
    line("L21", "Lemma 2, y*", "lem-2", "kappa: strong monotonicity against the mean value"),
    line("L21", "Lemma 2, smoothness of F", "lem-2", "L: first in x, then in y"),
    quotation("(3), L21", "the estimate (3)"),
    quotation("(4), L29", "A_t"),
    quotation("(5), L29", "b_t"),
    quotation("(6), L29", "the estimate (6)"),
    line(
        "L29", "Lemma 3", "lem-3", "bias in one eigendirection", "largest in the direction of mu", "the bound"
    ),
    line("L29", "|R| <= 1/T by the choice of K", "lem-3", "log x <= x - 1", "K of the theorems"),
    line("L29", "Lemma 4, in x", "lem-4", INSTANCES[1], "Lemma 4, repaired"),
    line("L29", "Lemma 4, in y", "lem-4", *INSTANCES, "Lemma 4, repaired"),
    quotation("L29", "definition of L_K"),
    line("L45", "Lemma 5", "lem-5", "(21): (22) in (23)"),
    quotation("L45", "definitions of L_0, calG_t, V_t, both projections, both mappings"),
    line("L45", "Proposition 1 of Ghadimi et al.", "prop-1", "two optimality conditions"),
    line("(11), L45", "triangle inequality and the proposition", "eq-11", "first line of (11)"),
    line("(11), L45", "Lemma 5 inserted", "eq-11", "square root of Lemma 5", "(11)"),
    line("L49", "Theorem 1, left inequality", "eq-11", "(11)"),
    line("L49", "Theorem 1, right inequality", "thm-1", FIRST, "(64), repaired"),
    open_line("L49", "Theorem 1, O(...)", RATE),
    line("L53", "Theorem 2, left inequality", "eq-11", "(11)"),
    line("L53", "Theorem 2, right inequality", "thm-2", VR, "(90), repaired"),
    open_line("L53", "Theorem 2, O(...)", RATE),
    line("(14), L93", "Theorem 3", "thm-3", "last line of Theorem 6"),
    open_line("(14), L93", "Theorem 3, O(...)", RATE),
    line(
        "L93",
        "Remark 3: the factor, with lambda for rho",
        "thm-3",
        "Remarks 3 and 4: the mean (4) of squares",
        "Remarks 3 and 4: the factor",
    ),
    line("(15), L93", "Theorem 4", "thm-4", "last line of Theorem 8"),
    open_line("(15), L93", "Theorem 4, O(...)", RATE),
)

PREPARATION = (
    quotation("(16), L97", "Bregman distance"),
    quotation("(17), L97", "generalized projection"),
    quotation("(18), L97", "generalized gradient"),
    line("(19), L97", "Lemma 6", "lem-6", "(19): the optimality condition at x"),
    line("(20), L97", "Lemma 6 with h = 0", "lem-6", "(20): h = 0"),
    line("(21), L97", "Lemma 7", "lem-5", "(21): (22) in (23)"),
    line("(22), L97", "four differences inserted", "lem-5", SPLIT),
    line(
        "(22), L97",
        "four squares, Assumptions 1, 2, 4",
        "lem-5",
        "four squares",
        "(22): the surrogate's change, squared",
    ),
    line("(23), L97", "two terms", "lem-5", "(23): two terms", "(21): (22) in (23)"),
    line("(24), L97", "Lemma 8", "lem-8", "two moves"),
    line("(25), L97", "four differences inserted", "lem-8", SPLIT),
    line("(25), L97", "four squares, two moves", "lem-8", "two moves"),
    line("(26), L97", "Lemma 9", "lem-9", "(32)"),
    open_line("(27), L97", "quadratic upper bound", STANDARD),
    line("(27), L97", "the step inserted, T_1 and T_2", "lem-9", "(27): the step in the quadratic bound"),
    quotation("(28), L97", "V_t"),
    line("(29), L97", "Lemma 6 at the step", "lem-6", "(20): h = 0"),
    line("(30), L97", "T_1", "lem-9", "(30) from (29)"),
    line("(31), L97", "T_2", "lem-9", "(31): Cauchy-Schwarz and Young"),
    line("(32), L97", "descent", "lem-9", "(32)"),
    line("(33), L97", "Lemma 10", "lem-10", "(48)"),
    open_line("(34), L97", "strong convexity", STANDARD),
    open_line("(35), L97", "smoothness", STANDARD),
    line("(36), L97", "(34) and (35)", "eq-46", "(36): (34) and (35)"),
    open_line("(37), L97", "optimality of y~", "first-order condition, standard"),
    line("(38), L97", "(37) rearranged", "eq-46", "(38) from (37)"),
    line("(39), L97", "(38) in (36)", "eq-46", "(39), (40): (38) in (36)"),
    line("(40), L97", "at y = y*", "eq-46", "(39), (40): (38) in (36)"),
    line("(41), L97", "g at its minimum", "eq-46", "(41): y* is the minimum"),
    line("(42), L97", "the step squared", "eq-46", "(42)"),
    line("(43), L97", "(42) solved for the inner product", "eq-46", "(42)"),
    line("(44), L97", "lost: the inner product with the error", "eq-46", "(44), lost in the text"),
    line("(45), L97", "lost: (43) and (44) in (41)", "eq-46", "(46)"),
    line("(46), L97", "one step toward y*(x_t)", "eq-46", "(46)"),
    line("(47), L97", "square of a sum", "lem-10", "(47): square of a sum"),
    line("(47), L97", "Young, y* Lipschitz", "lem-10", "(47): Young"),
    line("L97", "(46) in (47)", "lem-10", "(48)"),
    line("L97", "factor of |y - y*|^2", "lem-10", "factor of Y", "u <= 1/6"),
    line("L97", "factor of |y~ - y|^2", "lem-10", "factor of Z"),
    line("L97", "factor of |grad_y g - v|^2", "lem-10", "factor of V", "u <= 1/6"),
    line("L97", "factor of the move of x", "lem-10", "factor of the move of x", "u <= 1/6"),
    line("(48), L97", "all together", "lem-10", "(48)"),
)

BIADAM = (
    line("(49), L97", "Lemma 11, w", "lem-11", "(49)"),
    line("(50), L97", "Lemma 11, v", "lem-11", "(50)"),
    line("(51), L97", "the update inserted; error, noise and change apart", "lem-11",
          "(51): error, noise and change apart"),
    open_line("(51), L97", "noise apart from the rest in the mean", UNBIASED),
    line("(51), L97", "Young", "lem-11", "Young at beta"),
    line("(51), L97", "factors 1 - beta and 1/beta", "lem-11", "contraction", "factor of the change"),
    line("(51), L97", "three parts of the change", "lem-11", "three parts of the change"),
    line("(51), L97", "Lemma 8 at the step", "lem-11", "(49)"),
    line("L97", "(1 - beta)^2 (1 + beta) <= 1 - beta, (1 - beta)^2 (1 + 1/beta) <= 1/beta", "lem-11",
          "contraction", "factor of the change"),
    line("(52), L97", "Theorem 5", "thm-1", FIRST, "(64), repaired"),
    line("L97", "eta_t <= 1, gamma <= rho/(2 L eta_t), alpha, beta <= 1", "eq-59", "eta_t <= 1",
          "gamma <= rho/(2 L eta_t)", "alpha_(t+1) <= 1"),
    line("(54), L97", "Lemma 11 with alpha = c_1 eta, bounds on c_1", "eq-59", "(54): noise", "(54): moves", "(54)",
          "(54), without eta_t"),
    line("(55), L97", "Lemma 11 with beta = c_2 eta, bounds on c_2", "eq-59", "(55): moves", "(55): bias", "(55)"),
    line("(56), L97", "Lemmas 7 and 9", "eq-59", "(56)"),
    line("(57), L97", "Lemma 10 rearranged", "lem-10", "(48)"),
    quotation("L97", "potential Gamma_t"),
    line("(58), L97", "weights b_t in both terms", "eq-59", "(59) in one step with b_2 up to 2"),
    line("(58), L97", "(54)-(57) added and collected", "eq-59", "(58): the terms collected, (54) without eta_t",
          "(58): the terms collected"),
    line("(58), L97", "conditions on gamma and lambda", "eq-59", "(58): the move of x",
          "(58): the move of x, half of gamma", "(58): the move of y"),
    line("(59), L97", "decrease of the potential", "eq-59", "(59) in one step with b_2 up to 2", "(59), repaired"),
    line("L97", "(59) averaged over t", "eq-61", "a sequence telescopes", "eta_T <= eta_t"),
    line("(60), L97", "the first potential", "eq-61", "the start of the potential"),
    line("L97", "divided by eta_T, |R_t| <= 1/T", "eq-61", "the terms of R at T = 1",
          "the terms of R at T = 1, repaired"),
    line("L97", "sum of eta_t^2", "eq-sums", "sum of 1/(m + t), m > 0", "one summand of 1/(m + t)"),
    line("L97", "sum of 1/eta_t", "eq-sums", "sum of 1/eta_t, to T", "sum of 1/eta_t, to T + 1"),
    line("L97", "sum of eta_t", "eq-sums", "sum of eta_t, Theorem 1"),
    line("L97", "collected to G", "eq-61", "the printed terms of G"),
    line("(61), L97", "the squares on average", "eq-61", "(61), repaired"),
    line("(62), L97", "Jensen", "thm-1", "Jensen: three terms", "(62): from squares to the mean"),
    line("(62), L97", "(a + b)^(1/4)", "thm-1", "(a + b)^(1/4)"),
    line("(63), L97", "twice (62)", "thm-1", "(63)"),
    line("(64), L97", "calG_t, bias of the metric", "thm-1", "(64)", "(64), repaired"),
    line("(65), L97", "the gradient mapping", "eq-11", "(11)"),
    line("(66), L97", "Theorem 6", "thm-3", "last line of Theorem 6"),
    line("(67), L97", "the metric bounds the gradient, divided by |A_t|", "eq-68", "(67)"),
    line("(68), L97", "|grad F| <= |A_t| calG_t", "eq-68", "(68)"),
    open_line("(69), L97", "Cauchy-Schwarz for means", STANDARD),
    line("(70), L97", "three terms", "eq-70", "three terms"),
    line("(70), L97", "R_t taken out", "eq-70", "R_t taken out"),
    line("(70), L97", "(61) and |R_t| <= 1/T", "thm-3", "(70): (61) or (87) inserted"),
    line("(71), L97", "the bound with sqrt(m)", "thm-3", "root of a sum", "(m + T)^(1/4) <= m^(1/2) + T^(1/4)",
          "last line of Theorem 6, with sqrt(m) as printed"),
)  # fmt: skip

VR_BIADAM = (
    line("(72), L101", "Lemma 12, v", "lem-12", "(72)"),
    line("(73), L101", "Lemma 12, w", "lem-12", "L_K with L_f^2 in the last term", "L_K with bounds of the means",
          "(73)"),
    line("(74), L101", "the update inserted; error and noises apart", "lem-12", "(74): error and noises apart"),
    line("(74), L101", "the sample at the old point", "lem-12", "noise with a fresh sample at the old point",
          "noise with the same sample at the old point"),
    open_line("(74), L101", "noise apart from the rest in the mean", UNBIASED),
    line("(74), L101", "two parts of the noise", "lem-12", "two parts of the noise"),
    open_line("(74), L101", "E|z - E z|^2 <= E|z|^2", STANDARD),
    line("(74), L101", "Lemma 4 in x and in y", "lem-12", "from x and y apart to both"),
    line("(74), L101", "(1 - beta)^2 <= 1 - beta, the step", "lem-12", "(73)"),
    line("(75), L101", "Theorem 7", "thm-2", VR, "(90), repaired"),
    line("L101", "eta_t <= 1, gamma <= rho/(2 L eta_t), alpha, beta <= 1", "eq-84", "eta_t <= 1",
          "gamma <= rho/(2 L eta_t)", "alpha_(t+1) <= 1"),
    line("(76), L101", "Lemma 12 over eta_t, v", "eq-84", "(76)"),
    line("(77), L101", "Lemma 12 over eta_t, w", "eq-84", "(77)"),
    line("(78), L101", "concavity of the cube root", "eq-78", "concavity of the cube root"),
    line("(78), L101", "m >= 2", "eq-78", "m + t - 1 >= m/2 + t", "2^(2/3)"),
    line("(78), L101", "eta_t <= 1", "eq-78", "(78)"),
    line("(79), L101", "bound on c_1", "eq-84", "(79)"),
    line("(80), L101", "bound on c_2", "eq-84", "(80)"),
    line("(81), L101", "Lemmas 7 and 9", "eq-84", "(56)"),
    line("(82), L101", "Lemma 10 rearranged", "lem-10", "(48)"),
    quotation("L101", "potential Theta_t"),
    line("(83), L101", "weights b_t in both terms", "eq-84", "(84) in one step with b_2 up to 2"),
    line("(83), L101", "(79)-(82) added and collected", "eq-84", "(83): the terms collected"),
    line("(83), L101", "conditions on gamma and lambda", "eq-84", "(83): the move of x", "(83): the move of y"),
    line("(84), L101", "decrease of the potential", "eq-84", "(84) in one step with b_2 up to 2", "(84), repaired"),
    line("L101", "(84) averaged over t", "eq-61", "a sequence telescopes", "eta_T <= eta_t"),
    line("(85), L101", "the first potential", "eq-87", "the start of the potential"),
    line("(86), L101", "divided by eta_T, |R_t| <= 1/T", "eq-87", "the term of R at T = 1",
          "the term of R at T = 1, repaired"),
    line("(86), L101", "sum of eta_t^3", "eq-sums", "sum of 1/(m + t), m > 0", "one summand of 1/(m + t)"),
    line("(86), L101", "sum of eta_t", "eq-sums", "sum of eta_t, Theorem 2"),
    line("(86), L101", "collected to M", "eq-87", "the printed terms of M"),
    line("(87), L101", "lost: the squares on average", "eq-87", "(87), repaired"),
    line("(88), L101", "Jensen", "thm-2", "Jensen: three terms", "(88): from squares to the mean"),
    line("(88), L101", "(a + b)^(1/6)", "thm-2", "(a + b)^(1/6)"),
    line("(89), L101", "twice (88)", "thm-2", "(89)"),
    line("(90), L101", "calG_t, bias of the metric", "thm-2", "(90)", "(90), repaired"),
    line("(91), L101", "the gradient mapping", "eq-11", "(11)"),
    line("(92), L101", "Theorem 8", "thm-4", "last line of Theorem 8"),
    line("(93), L101", "lost: as (67)", "eq-68", "(67)"),
    line("(94), L101", "|grad F| <= |A_t| calG_t", "eq-68", "(68)"),
    open_line("(95), L101", "Cauchy-Schwarz for means", STANDARD),
    line("(96), L101", "three terms", "eq-70", "three terms"),
    line("(96), L101", "R_t taken out", "eq-70", "R_t taken out"),
    line("(96), L101", "(87) and |R_t| <= 1/T", "thm-4", "(96): (61) or (87) inserted"),
    line("L101", "the bound with sqrt(m)", "thm-4", "root of a sum", "(m + T)^(1/6) <= m^(1/2) + T^(1/6)",
          "last line of Theorem 8, with sqrt(m) as printed"),
)  # fmt: skip

COVERAGE = (*MAIN_TEXT, *PREPARATION, *BIADAM, *VR_BIADAM)
