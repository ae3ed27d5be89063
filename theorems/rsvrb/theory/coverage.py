"""Every displayed line of the text (L17-261), of the proof sketch (L286-307), of Appendices A-D (L357-778), in order.

A row is a displayed line, or a chain of relations or one long line that is broken over several; a chain whose relations
are shown by different checks has one row for each. Sums over t are shown by one summand and the telescoping identity.
The appendix on experiments (L782-839) has no displayed line.
"""

from functools import partial

from workbench.theory.coverage import Display

from .paper import PAPER

display = partial(Display, PAPER)
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


TELESCOPES = "a sequence telescopes"
DESCENT, LEMMA_6 = "the quadratic upper bound", "Lemma 6 for tau_t <= 1/2"
SPLIT = "the change of V H^-1 v in three parts"
TWO, THREE = "two squares", "three squares"
MORE_GY = "beta_gy with gamma eta^2 more"  # E10

MAIN_TEXT = (
    quotation("(1), L17", "the bilevel problem"),
    quotation("L18", "its lower level"),
    quotation("(2), L24", "the problem with many lower levels"),
    quotation("L25", "its lower levels"),
    quotation("L49", "meta-learning"),
    quotation("L50", "its lower levels"),
    quotation("(3), L56", "the compositional problem"),
    line("L60-61", "(3) as a bilevel problem", "prop-1", "the lower level of (3) and (4)"),
    quotation("(4), L65", "sum of compositional problems"),
    line("L69-70", "(4) as a problem with many lower levels", "prop-1", "the lower level of (3) and (4)"),
    quotation("(5), L74", "area under the precision-recall curve"),
    quotation("(6), L80", "structured minimax problem"),
    quotation("(7), L92", "the bilevel problem again"),
    quotation("L93", "its lower level"),
    open_line("L121", "Proposition 1, chain rule", STANDARD),
    line("L122", "Proposition 1, hypergradient", "prop-1", "implicit differentiation"),
    quotation("L130", "the surrogate grad F(x, y)"),
    quotation("L134", "the estimate z"),
    open_line("L164", "Theorem 1", RATE),
    quotation("L172", "the problem with many lower levels again"),
    quotation("L173", "its lower levels"),
    open_line("L201", "Proposition 2, chain rule", STANDARD),
    line("L202", "Proposition 2, hypergradient", "prop-2", "one more task"),
    quotation("L231", "the estimate d"),
    quotation("L237", "the block update of u"),
    line("L241", "the blocks are unbiased at e_t", "eq-241", "one block, sampled or not"),
    line("L242", "the blocks are unbiased at e_(t-1)", "eq-241", "one block, sampled or not"),
    quotation("L260", "gradient dominance"),
)

SKETCH = (
    line("L286", "Lemma 1", "lem-4", DESCENT),
    line("L294-296", "Lemma 2", "lem-10", "Lemma 10"),
    line("L306-307", "Lemma 3", "lem-6", "g = y^2/2 at a fixed x", LEMMA_6),
)

THEOREM_1 = (
    line("L365", "Lemma 4", "lem-4", DESCENT),
    quotation("L373", "the estimate z inserted"),
    line("L374-375", "Lemma 5", "lem-5", "Lemma 5"),
    line("L385-386", "Lemma 6", "lem-6", "g = y^2/2 at a fixed x", LEMMA_6),
    line("L394-395", "Lemma 7", "lem-7", "delta_y,t = |y_(t+1) - y*(x_t)|^2", "one summand", TELESCOPES),
    line("L403", "Lemma 8", "lem-8", "h Lipschitz, but not its samples", "Lemma 8"),
    line("L407", "Lemma 8 with a projection", "lem-8", "Lemma 8", "projection onto a convex set"),
    line("L415", "Lemma 9", "lem-9", "one summand", TELESCOPES),
    line("L419-420", "Lemma 9 for w", "lem-9", "one summand", TELESCOPES),
    line("(8), L424", "concavity of the cube root", "eq-8", "concavity of the cube root"),
    line("(8), L424", "c_0 >= 2", "eq-8", "c_0 + t - 1 >= c_0/2 + t"),
    line("(8), L424", "2^(2/3)", "eq-8", "c_0/2 + t >= (c_0 + t)/2", "2^(2/3)"),
    line("(8), L424", "eta_t^2", "eq-8", "eta_t inserted"),
    line("(8), L424", "eta_t <= 1/(4 L_F)", "eq-8", "2^(2/3)/12 is at most 1/7", "(8)"),
    line(
        "L428-431",
        "Lemmas 7 and 9 for y and w",
        "eq-465",
        "the terms of y and w collected",
        "the coefficient of delta_gy",
        "beta_gy < 1 from the printed c_0",
        "beta_gy < 1 from the repaired c_0",
    ),
    line(
        "L437-443",
        "the other recursions added",
        "eq-465",
        "the moves of x collected",
        "the sum of the recursions",
    ),
    line(
        "L447-453",
        "the coefficients of the errors",
        "eq-465",
        "the other beta < 1 from c_0",
        "the coefficients of the other errors",
        "the coefficient of delta_y",
    ),
    line(
        "L457-461",
        "the move of y cancels",
        "eq-465",
        "1/(2 tau) - 3 L_g/4 >= 1/(4 tau)",
        "C gamma/(2 tau_t) >= 2 S_L/eta_t",
        "the move of y",
    ),
    line(
        "L465-468",
        "descent added",
        "eq-465",
        "one step of the potential",
        "gamma eta_t L_F from eta_t L_F alone",
        "gamma eta_t L_F with gamma <= 2",
    ),
    line(
        "L472-474", "the move of x cancels", "eq-465", "the coefficient of |z|^2", "one step of the potential"
    ),
    line(
        "L478",
        "the potential summed",
        "thm-1",
        TELESCOPES,
        "one summand of eta_t^3",
        "(L478), with every constant",
        "1/eta_0 for 1/eta_(-1)",
    ),
    line("L482", "divided by eta_T T", "thm-1", "1/T for 1/(T + 1)", "Theorem 1, repaired"),
    open_line("L486", "Theorem 1, O(...)", RATE),
)

THEOREM_2 = (
    line("L498-500", "Lemma 10", "lem-10", "Lemma 10"),
    line(
        "L510-512",
        "Lemma 11",
        "lem-11",
        "V_i of one task changes, C'_2 with lambda",
        "Lemma 11 with lambda^2 and sigma_z",
    ),
    line("L522", "Lemma 12, change of u", "lem-12", "Lemma 12, change"),
    line("L526", "Lemma 12, error of u", "lem-12", "Lemma 12, error"),
    line(
        "L534-542",
        "all recursions added",
        "eq-534",
        "one of u, V, H, v",
        "the coefficient of delta_gy",
        "the error of d",
        "the terms of y and d",
        "beta_fx, ..., beta_gyy and beta_d are below 1",
        "all recursions",
        f"all recursions, {MORE_GY}",
    ),
    line("(9), L546", "the last four terms", "eq-9", "one of the four"),
    line(
        "L550-555",
        "(9) inserted",
        "eq-548",
        "sums of L_i^2 are at most L(p)",
        "3 L(p)/(m eta) of the moves",
        "the coefficient of |d|^2",
        "the coefficient of delta_y, C as printed",
        "the coefficient of delta_y, C repaired",
        "the move of y, C as printed",
        "the move of y, C repaired",
        "the errors, a term dropped",
        "the errors, 1/20 of them given up",
        "the noise",
        "all recursions with (9)",
        f"all recursions with (9), {MORE_GY}",
    ),
    line(
        "(10), L559",
        "descent added",
        "eq-10",
        "Lemma 10 in the descent",
        "coefficients of the errors",
        "coefficients of the errors, repaired",
        "C_5 as printed",
        f"C_5, {MORE_GY}",
        "(10), repaired",
        f"(10), {MORE_GY}",
    ),
    line("(11), L563", "summed", "eq-11", TELESCOPES, "(11)"),
    line(
        "L567-568",
        "divided by gamma eta (T + 1)/2",
        "thm-2",
        "(11) divided by gamma eta (T + 1)/2, factors 1",
        "(11) divided by gamma eta (T + 1)/2",
    ),
)

THEOREM_3 = (
    line(
        "(12), L578",
        "(11) with C_6",
        "eq-12",
        "C_6 at most 2",
        "the errors with one constant",
        "(12), repaired",
    ),
    line(
        "(13), L584",
        "the first stage",
        "eq-13",
        "(12) divided by C_6 gamma eta (T + 1)",
        "(12) divided, term by term",
    ),
    line(
        "(13), L584",
        "the choice of T_1, eta_1 and eps_1",
        "eq-13",
        "Delta, T_1 as printed",
        "Delta, T_1 repaired",
        "the first errors, T_1 as printed",
        "the first errors, T_1 repaired",
        "y_0",
        "d_1",
        "the noise of the first stage",
        "five terms of a stage",
    ),
    line(
        "(14), L588", "gradient dominance", "eq-13", "(14) with 2 mu", "(14) with mu", "eps_1 from mu eps_1"
    ),
    line(
        "(15), L592",
        "stage k",
        "eq-15",
        "the term of d with eta_1",
        "the term of d with eta_k",
        "delta_gy in (10)",
        "stage k makes u_(t+1) with its own beta",
    ),
    line(
        "(15), L592",
        "the induction hypothesis inserted, T_k",
        "eq-15",
        "the term of F",
        "the term of y with the printed T_k",
        "the term of y without 1/m",
        "the terms of the errors with the printed T_k",
        "the terms of the errors without 1/m",
        "the term of d",
    ),
    line("(15), L592", "at most mu eps_k", "eq-15", "the noise of stage k", "(15), repaired"),
    line("(16), L598", "gradient dominance", "eq-15", "(16) with mu"),
)

LEMMAS_4_AND_5 = (
    line(
        "L612",
        "Lemma 13, smoothness of F",
        "lem-13",
        SPLIT,
        "L_J: four changes",
        "grad F, squared",
    ),
    line("L613", "Lemma 13, y*", "lem-13", "y*, from strong convexity and a change of gradient"),
    open_line("L621", "quadratic upper bound of F", STANDARD),
    line("L622", "the step inserted", "lem-4", "the step inserted"),
    line("L623", "the inner product", "lem-4", "the inner product"),
    line("L624", "gamma eta_t L_F <= 1/2", "lem-4", DESCENT),
    line(
        "L632-634",
        "two hypergradients",
        "lem-5",
        "two hypergradients apart, sign of L634 and L647",
        "two hypergradients apart",
    ),
    line("L635-636", "two squares", "lem-5", TWO),
    line("L637-640", "four squares", "lem-5", SPLIT, THREE),
    line("L641", "Lipschitz constants and bounds", "lem-5", "C_0: the change from y_t to y*(x_t)"),
    line("L642", "C_0", "lem-5", "C_0: the change from y_t to y*(x_t)"),
    line("L646-647", "the surrogate inserted", "lem-5", "two hypergradients apart, sign of L634 and L647"),
    line("L648", "two squares", "lem-5", TWO),
    line("L649-652", "four squares", "lem-5", SPLIT, THREE),
    line("L653-654", "projections and bounds", "lem-5", "C_1, ..., C_4: the errors of u, V, H and v"),
    line("L655-656", "C_1, ..., C_4", "lem-5", "C_1, ..., C_4: the errors of u, V, H and v"),
    line("L660", "two squares", "lem-5", TWO),
    line("L661", "the change of y", "lem-5", "C_1 for C_0 (L661)", "C_0 (L661)"),
    line("L662-663", "both parts", "lem-5", "Lemma 5"),
)

LEMMA_6_PROOF = (
    line("L671-672", "the step squared", "lem-6", "the step squared"),
    line("(17), L676", "solved for the inner product", "lem-6", "(17)"),
    open_line("L680", "smoothness of g", STANDARD),
    line("L684", "rearranged", "lem-6", "smoothness rearranged"),
    open_line("L688", "strong convexity of g", STANDARD),
    line("L689", "y~ inserted", "lem-6", "w inserted"),
    line("L690-691", "w inserted", "lem-6", "w inserted"),
    line("(18), L695", "both combined", "lem-6", "w inserted", "(18)"),
    open_line("(19), L699", "optimality of the projection", "first-order condition, standard"),
    line("(20), L703", "from (19)", "lem-6", "(20) from (19)"),
    line("(20), L703", "through y_t", "lem-6", "(20): through y_t", "(20) from (19)"),
    line("L707-708", "(18) with (20)", "lem-6", "(18) with (20)"),
    open_line("L712", "y* is the minimizer", STANDARD),
    line("L713-714", "at y = y*", "lem-6", "at y*"),
    line("L715-717", "Young", "lem-6", "Young for the error of w"),
    line("L718-719", "(17) inserted", "lem-6", "(17) inserted"),
    line("L723-724", "solved for y_(t+1)", "lem-6", "solved for y_(t+1)"),
    line("L725-726", "tau_t <= 1/2", "lem-6", "the factor of |y~ - y_t|^2"),
    quotation("L730", "y*(x_t) inserted"),
    line("L731", "Young", "lem-6", "y* moves: Young"),
    line("L732", "y* is Lipschitz", "lem-6", LEMMA_6),
    line("L733-734", "the coefficients", "lem-6", "(1 + eps/2) (1 - eps)", LEMMA_6),
    line("L735-736", "the move of y", "lem-6", LEMMA_6),
)

LEMMAS_10_TO_12 = (
    quotation("L744", "the mean of the z_i inserted"),
    line("L745", "two parts", "lem-10", "two parts"),
    line("L746", "Jensen", "lem-10", "Jensen: what the mean of squares exceeds"),
    line("L747-749", "Lemma 5 for each task", "lem-10", "Lemma 10"),
    quotation("L757", "the error of d"),
    line("L758-759", "the step inserted", "lem-11", "the error after one step"),
    line(
        "L760",
        "mean zero, two parts, a variance",
        "lem-11",
        "the old error and the rest apart",
        "two parts of the rest",
        "a variance is at most a second moment",
    ),
    quotation("L761-762", "z inserted"),
    line(
        "L763-765",
        "four parts",
        "lem-11",
        "four parts of the change of z_j",
        "Lemma 11 with lambda^2 and sigma_z",
    ),
    line(
        "L773",
        "the step inserted, projection",
        "lem-12",
        "the change of a block",
        "projection towards a point of the set",
    ),
    line("L774", "two squares, L(p)", "lem-12", TWO, "the moves of a block"),
    quotation("L775", "h(e_(t-1)) and h(e_t) inserted"),
    line("L776", "mean zero, second moment", "lem-12", "the mean and the noise of a block", "L774-776"),
    line("L777", "h is Lipschitz", "lem-12", "L_i for L_i^2 (L777)", "L_i^2 (L777)"),
    line("L778", "terms collected", "lem-12", "Lemma 12, change"),
)

COVERAGE = (
    *MAIN_TEXT,
    *SKETCH,
    *THEOREM_1,
    *THEOREM_2,
    *THEOREM_3,
    *LEMMAS_4_AND_5,
    *LEMMA_6_PROOF,
    *LEMMAS_10_TO_12,
)
