"""Every displayed line of the proofs, L369-1416, and what the ledger shows of it.

The statements that the main text displays as well (L94-222) are listed once, where they are proved. A line counts as
shown, too, if a check refutes it. An integral is shown by the derivative of its antiderivative, a sum against an
integral by the monotonicity of the summand, a norm inequality by its scalars.
"""

from workbench.theory.coverage import Display

from .paper import PAPER


def line(source: str, says: str, link: str, *checks: str) -> Display:
    """A line that checks of one link encode."""
    return Display(PAPER, source, says, link, checks)


def quotation(source: str, says: str) -> Display:
    """A line that the paper quotes, or a definition."""
    return Display(PAPER, source, says, quoted=True)


def missing(source: str, says: str, why: str) -> Display:
    """A line that no check encodes."""
    return Display(PAPER, source, says, why=why)


CONCENTRATION = (
    line(
        "L373",
        "Lemma A.1: time-uniform Bernstein inequality",
        "lem-A.1",
        "martingale of adapted sizes, X^ = 0",
        "martingale of adapted sizes, X^_t = X_(t-1)",
    ),
    line("L381", "Lemma A.2: Hoeffding in a Hilbert space", "lem-A.2", "random predictable sizes"),
    quotation("L390", "definition of G_t"),
    line(
        "L394",
        "Lemma A.3: both sums over AdaGrad-Norm denominators",
        "lem-A.3",
        "one term of the first sum",
        "G_T - G_0 against the root of the sum",
        "one term of the second sum",
    ),
    line("(9), L399", "Lemma A.4: sum |g_t|^2/G_t^2 <= C_1", "lem-A.4", "on a fixed function"),
)

UNROLLING = (
    line("L411", "Lemma B.1: unrolled momentum error", "lem-5.3", "unrolled"),
    line("L416-419", "one step of the momentum error", "lem-5.3", "one step"),
)

MOMENTUM_NOISE = (
    line("(7), L427", "Lemma B.2: momentum noise", "lem-5.4", "any adapted weights between the bounds"),
    quotation("(10), L432", "definition of gamma and of its bounds"),
    line("L436", "pairwise sum against that of b*", "lem-F.5", "one pair"),
    line(
        "(11), L440",
        "Lemma A.2 for the pairwise sum",
        "step-5.4",
        "the chosen coefficients behave as in (11), (12)",
    ),
    missing(
        "(12), L444", "Lemma A.2 for the inner sums", "b* depends on the terms; tested with (11) as one line"
    ),
    line("L448", "both together", "step-5.4", "the chosen coefficients behave as in (11), (12)"),
    line(
        "L449",
        "sum over pairs against the sum of squares",
        "step-5.4",
        "sum over pairs against the square of the sum",
    ),
    line("L453-455", "square of the norm expanded and bounded", "lem-5.4", "the last display of the proof"),
)

WEIGHT = (
    line(
        "L463",
        "Lemma B.3: bounds of alpha_t",
        "lem-5.5",
        "lower bound, surely",
        "upper bound",
    ),
    line(
        "L464",
        "Lemma B.3: bounds of beta_t = 1 - alpha_t",
        "lem-5.5",
        "lower bound, surely",
        "upper bound",
    ),
    line("(13), L469", "sum |g - g~|^2 <= 4 sigma_bar^2 t", "eq-13", "two errors"),
    missing("L473-475", "Z_t has mean zero", "independence of the two samples"),
    line("L479", "Z_t from both sides", "lem-5.5", "X_k lies in [-1, 1]", "X_k lies in [-1, 1], from below"),
    line(
        "L483",
        "|Z_t| <= 4 sigma_bar^2 - 2 sigma_t^2",
        "lem-5.5",
        "X_k lies in [-1, 1]",
        "X_k lies in [-1, 1], from below",
    ),
    missing("(14), L487, first", "Lemma A.1 for X_k", "an application of Lemma A.1"),
    line("(14), L487, second", "sum X_k^2 <= t", "lem-5.5", "Eq. (14): squares of X_k"),
    line("L491", "A_T t + B_T <= (c_0 t)^2 from t_0 on", "eq-16", "from t_0 on"),
    line(
        "(15), L495",
        "lower bound of sum |g - g~|^2",
        "lem-5.5",
        "Z_k as X_k times its range",
        "step (15): the smallest denominator will do",
        "upper bound of alpha_t from Eq. (15)",
    ),
)

SINGLE_LEVEL = (
    line(
        "L503", "Lemma B.4: descent, one step", "lem-B.4", "progress along the momentum", "one step, in norms"
    ),
    line("L507", "Lemma B.4: descent, summed", "lem-B.4", "one step more in the sum"),
    missing(
        "L515", "Theorem B.5", "the theorem itself; its bound is measured by the claims `bound` and `rate`"
    ),
    line("(16), L519", "t_0", "eq-16", "Eq. (6) is Eq. (16)"),
    quotation("(17), L520-522", "definition of C; its order is E12"),
    line("L527", "summed descent lemma", "lem-B.4", "one step more in the sum"),
    missing("L528", "Lemma B.1 put in", "triangle inequality"),
    missing("L529", "Lemma B.2 and |S_k| <= L eta_(k-1) put in", "substitution"),
    line("L530-533", "C collects the sums of Lemma G.2", "thm-5.6", "C of the record"),
    line("L537", "eta_T <= eta_t", "thm-5.6", "steps shrink, squared"),
    line("L541", "C/(T eta_T)", "thm-5.6", "the display", "fourth root of alpha^2 + 4 sigma_bar^2 T"),
)

MARTINGALE = (
    quotation("L547", "definition of the decorrelated step"),
    line("L555-556", "Lemma C.1: noise along the error", "lem-C.1", "along runs"),
    line("L560-561", "Lemma C.1: squared steps", "lem-C.1", "squared steps along runs"),
    line(
        "L569", "the projection changes nothing", "lem-C.1", "the projection leaves the scaled error as it is"
    ),
    line("(18), L573", "noise of one step", "lem-C.1", "Eq. (18)"),
    missing(
        "(19), L577-579", "sum over k against the maximum over scales", "a maximum over its own index set"
    ),
    quotation("L583", "definition of X_k^(s)"),
    missing("L587", "X_k^(s) has mean zero", "measurability of steps and errors"),
    missing("L591", "Lemma A.1 for X_k^(s)", "an application of Lemma A.1"),
    line("L595-597", "square of X_k^(s)", "lem-C.1", "the square of X_k", "the decorrelated step looks back"),
    line("L601", "multiplied by eta_(y,0) sigma a_s", "lem-C.1", "multiplied by eta_(y,0) sigma a_s"),
    line("(20), L605-606", "first statement, a_s <= 2 d'", "lem-C.1", "multiplied by eta_(y,0) sigma a_s"),
    line(
        "L610-611", "the same with squared steps", "lem-C.1", "Eq. (18)", "multiplied by eta_(y,0) sigma a_s"
    ),
    line("L612", "eta_(y,k-1)^4 <= eta_(y,0)^2 eta_(y,k-1)^2", "lem-C.1", "squared steps"),
    line("L620", "Lemma C.2: noise in squares", "lem-C.2", "along runs"),
)

DISTANCE = (
    line("(21), L632-633", "Lemma C.3: d_t <= D", "eq-34", "d_t <= D along runs"),
    line("(22), L634", "Lemma C.3: sum of squares", "lem-5.7", "(22) from a distant start"),
    line("(23), L635", "Lemma C.3: sum", "lem-5.7", "(23) from a distant start"),
    line("L643", "one step of y", "eq-24", "one step of y"),
    line("L647-648", "strong convexity", "eq-24", "strong convexity"),
    line("L652", "both together", "eq-24", "one step of y", "strong convexity"),
    line(
        "L656-658",
        "motion of y* by Young's inequality",
        "eq-24",
        "Young's inequality for the motion of y*",
        "the two factors of d^2",
        "one step of the distance, in squares",
    ),
    line("L662-663", "summed over k", "eq-24", "Eq. (24), one iteration more"),
    line("(24), L664-665", "Lemma A.4 put in", "eq-34", "(ii) sum eta_y^2 |g_y|^2 against C_1"),
    missing("(25), L669-670", "(A_1) split in two sums", "adds and subtracts the same sum"),
    line(
        "(26), L674-677",
        "difference of the two steps",
        "eq-26",
        "difference of the roots, step too small",
        "difference of the roots, step too large",
    ),
    line("(27), L681-684", "correction of (A_1)", "eq-26", "Eq. (27): both denominators exceed the last one"),
    line("(28), L688-689", "(25), (27) and Lemma C.1 together", "eq-31", "Eq. (28)"),
    missing("(29), L693-694", "(A_2) split in two sums", "adds and subtracts the same sum"),
    line(
        "(30), L698-701",
        "correction of (A_2)",
        "eq-26",
        "Eq. (30): sum of the two steps",
        "Eq. (27): both denominators exceed the last one",
    ),
    line(
        "(31), L705-706",
        "(29), (30) and Lemma C.1 together",
        "eq-31",
        "2 (A_1) + 2 (A_2) with (31) as printed",
    ),
    line("L710-711", "(A) from (A_1) and (A_2)", "eq-31", "(A) from (28) and (31) without its mu"),
    line("L715-716", "Young's inequality", "eq-31", "Young, first part", "Young, second part"),
    line(
        "L717-718",
        "d'^2 <= d_bar^2 + eta^2",
        "eq-31",
        "d'^2 is at most d_bar^2 + eta^2",
        "the two halves of Young together",
    ),
    line("L722", "Lemma C.2 put in", "eq-31", "Lemma C.2 put in"),
    line("L723", "A_T(delta) for A_t(delta/log(4T))", "eq-34", "(v) A_t(delta/log(4T)) against A_T(delta)"),
    line("(32)-(33), L727-728", "x step against y step", "eq-33", "one term", "harmonic sum"),
    line("L732", "(B)", "eq-33", "one term", "harmonic sum"),
    line("(34), L736-738", "d^2 against d_bar^2/2 + D^2/2", "eq-34", "(i) the sum is D^2, not D^2/2"),
    line("(35), L744", "sum mu eta_(y,k) d_k^2 <= D^2", "eq-34", "the induction closes"),
    line(
        "L748-749", "sum d^2 from (35)", "lem-5.7", "(iii), (iv) the sum of squares", "root of a sum of three"
    ),
    line(
        "L753",
        "the quadratic inequality solved",
        "lem-5.7",
        "(iii), (iv) the sum of squares",
        "the quadratic inequality",
    ),
    line("L757", "(22)", "lem-5.7", "(22) from a distant start"),
    line("L761-762", "(23)", "lem-5.7", "(23) from a distant start"),
)

MINIMAX = (
    line("L776", "Lemma D.2: unrolled momentum error", "lem-D.2", "unrolled"),
    line("L781-784", "one step of the momentum error", "lem-D.2", "one step"),
    line(
        "L792", "Lemma D.3: descent, one step", "lem-D.3", "progress along the momentum", "one step, in norms"
    ),
    line("L796", "Lemma D.3: descent, summed", "lem-D.3", "one step more in the sum"),
    missing(
        "L804-805",
        "Theorem D.4",
        "the theorem itself; its bound is measured by the claims `bound` and `rate`",
    ),
    line("L809", "t_0", "eq-16", "Eq. (6) is Eq. (16)"),
    quotation("L810-815", "definition of C; its order is E2, E12"),
    line("L820", "summed descent lemma", "lem-D.3", "one step more in the sum"),
    missing("L821-822", "Lemma D.2 put in", "triangle inequality"),
    line(
        "L823-829",
        "C collects the sums of Lemmas G.2 and G.3",
        "thm-4.1",
        "C of the record, as the lemmas give it",
        "C of the record, G.3 once and first error sigma_x_bar",
    ),
    line("L833", "eta_(x,T) <= eta_(x,t)", "thm-5.6", "steps shrink, squared"),
    missing("L837", "C/(T eta_(x,T))", "definition of eta_(x,T) put in"),
    line("L838", "|g_y|^2 against sigma^2 + L^2 d^2", "thm-4.1", "|g_y|^2 as sigma^2 + L^2 d^2"),
    missing("L839", "(22) put in", "substitution of (22), which is refuted"),
    line("L840", "fourth root of a sum of three", "thm-4.1", "fourth root of a sum of three"),
)

BILEVEL = (
    quotation("L848", "the hypergradient"),
    quotation("(36), L852", "definition of the estimate"),
    quotation("(37), L856", "definition of H_yy"),
    quotation("L860", "the random variables of one estimate"),
    line(
        "L868-869",
        "Lemma E.1: L_f, L_y, L_F",
        "lem-E.1",
        "y* is l_g1/mu_g-Lipschitz",
        "the difference of inverse Hessians",
        "a product of three factors",
        "L_F is L_f along (x, y*(x))",
    ),
    line(
        "(38)-(39), L873-874",
        "the constants",
        "lem-E.1",
        "L_f is what the products give",
        "L_F is L_f along (x, y*(x))",
    ),
    line(
        "L879",
        "Lemma E.2: |H_yy| and its bias",
        "lem-E.2",
        "a sampled Hessian, N = 2",
        "geometric sum",
        "bias of one eigenvalue",
    ),
    line("L880", "Lemma E.2: bias of the estimate", "lem-E.2", "bias of the estimate"),
    line(
        "(40), L885",
        "Lemma E.3: noise of the estimate",
        "lem-E.3",
        "Eq. (40) with noise in d2_xy g only, N = 1",
    ),
    line("L890-893", "four parts", "lem-E.3", "differences one after the other"),
    quotation("L897", "first part: Assumption 3.4"),
    line("L901-902", "second part", "lem-E.3", "second part, |grad_y F| <= l_f0"),
    line("L906-907", "third part", "lem-E.3", "third part, |grad_y F| <= l_f0"),
    line("L911", "fourth part", "lem-E.3", "fourth part"),
    line(
        "L915",
        "the four parts together",
        "lem-E.3",
        "four parts, |grad_y F| <= l_f0",
        "(40) collects the four parts",
    ),
    line("L921", "Lemma E.4: unrolled momentum error", "lem-E.4", "unrolled"),
    line("L926-929", "one step of the momentum error", "lem-E.4", "one step"),
    line(
        "L937", "Lemma E.5: descent, one step", "lem-E.5", "progress along the momentum", "one step, in norms"
    ),
    line("L941", "Lemma E.5: descent, summed", "lem-E.5", "one step more in the sum"),
    missing(
        "L949-950",
        "Theorem E.6",
        "the theorem itself; its bound is measured by the claims `bound` and `rate`",
    ),
    line("L954", "t_0", "eq-16", "Eq. (6) is Eq. (16)"),
    quotation("L955-960", "definition of C; its order is E2, E12"),
    line("L965", "summed descent lemma", "lem-E.5", "one step more in the sum"),
    missing("L966-967", "Lemma E.4 put in", "triangle inequality"),
    line(
        "L968-974",
        "C collects the sums of Lemmas G.2, G.3 and G.4",
        "thm-4.2",
        "C of the record, as the lemmas give it",
    ),
    line("L978", "eta_(x,T) <= eta_(x,t)", "thm-5.6", "steps shrink, squared"),
    missing("L982", "C/(T eta_(x,T))", "definition of eta_(x,T) put in"),
    line("L983", "|g_y|^2 against sigma_g1^2 + l_g1^2 d^2", "thm-4.2", "|g_y|^2 as sigma^2 + L^2 d^2"),
    missing("L984", "(22) put in", "substitution of (22), which is refuted"),
    line("L985", "fourth root of a sum of three", "thm-4.2", "fourth root of a sum of three"),
)

LINEAR_PROGRAM = (
    quotation("(41), L993-994", "general form of a linear program"),
    line("L1011", "Lemma F.5: pairwise sum against that of b*", "lem-F.5", "one pair"),
    quotation("(42), L1016-1017", "the program over alpha and beta"),
    quotation("(43), L1021-1022", "its relaxation to gamma"),
    quotation("(44), L1026-1027", "the same as a minimum"),
    quotation("L1045", "notation c_ij, x_ij, b_ij"),
    quotation("(45), L1049", "notation c_t, x_t, P_t"),
    quotation("(46), L1053", "notation A_t, b_t"),
    quotation("(47), L1057-1058", "the relaxation to x_ij = gamma_i gamma_j"),
    missing("L1062", "extreme points of P_t", "corners of a box; `one pair` needs none"),
    missing("L1068", "z_ij below the lower bound", "corners of a box; `one pair` needs none"),
    missing("L1074", "z_ij above the upper bound", "corners of a box; `one pair` needs none"),
    missing("L1082", "a point that is no corner is a midpoint", "corners of a box; `one pair` needs none"),
    missing("L1088", "the objective is finite", "a finite sum"),
    missing("L1092", "the objective is not -oo", "a finite sum"),
    line("L1096", "an optimal corner", "lem-F.5", "three pairs: the optimum is the sign rule", "one pair"),
    line("L1100", "pairwise sum against that of b*", "lem-F.5", "one pair"),
)

FIRST_VALUE = "the integral over one step is at most its first value"
QUOTIENTS = ("the quotient of both weights grows with t", "from c_1 to c_2")
BRANCHES = "integral test for a function that falls and then rises"
WEIGHTS = (
    line("L1114", "Lemma G.1(a)", "lem-G.1a", "one factor", FIRST_VALUE, "b in place of b + 1"),
    line("L1119-1120", "Lemma G.1(b)", "lem-G.1b", "whole sums"),
    line("L1125", "Lemma G.1(c)", "lem-G.1c", "whole sums, (p - q) (1 + (a-1) c_2)^(q-1) <= 1/2"),
    line("L1132", "(a): 1 - x <= exp(-x), sum against integral", "lem-G.1a", "one factor", FIRST_VALUE),
    line("L1133", "(a): the integral", "lem-G.1a", "antiderivative of (1 + c t)^-q"),
    line("L1134", "(a): b in place of b + 1", "lem-G.1a", "b in place of b + 1"),
    line("L1138-1139", "(b): part (a) in each term", "lem-G.1b", "part (a) in each term"),
    line(
        "L1143",
        "(b): sum against integral",
        "lem-G.1b",
        "logarithmic derivative of the summand",
        "the summand decreases",
    ),
    line("L1144-1146", "(b): c_2/c_1 in front", "lem-G.1b", *QUOTIENTS),
    line("L1150-1151", "(b): integration by parts", "lem-G.1b", "integration by parts"),
    line(
        "L1152-1153",
        "(b): the coefficient at b",
        "lem-G.1b",
        "(1 + c t)^(q-1) decreases",
        "the coefficient decreases",
        "the coefficient is positive",
    ),
    line("L1157", "(b): solved for I", "lem-G.1b", "solved for the integral"),
    line("L1158", "(b): bound of I", "lem-G.1b", "the first boundary term remains", "L1158 prints q for q/2"),
    line("L1162-1163", "(b): collected", "lem-G.1b", "collected"),
    line(
        "L1167", "(c): 1 - x <= exp(-x)", "lem-G.1c", "one factor", "product over k > t as two exponentials"
    ),
    line(
        "L1171",
        "(c): sum up to b against integral",
        "lem-G.1c",
        FIRST_VALUE,
        "antiderivative of (1 + c t)^-q",
    ),
    line(
        "L1175",
        "(c): sum up to t against integral",
        "lem-G.1c",
        "the last value is at most the integral over one step",
        "antiderivative of (1 + c t)^-q",
    ),
    line("L1179-1182", "(c): (c_2/c_1)^p in front", "lem-G.1c", *QUOTIENTS),
    quotation("L1186", "(c): definition of h"),
    line("L1190", "(c): derivative of h", "lem-G.1c", "derivative of the summand"),
    quotation("L1194", "(c): definition of t_1"),
    missing("L1200", "(c): sum against integral, t_1 <= a", BRANCHES),
    missing("L1204-1206", "(c): sum against integral, a <= t_1 <= b", BRANCHES),
    missing("L1210", "(c): sum against integral, t_1 >= b", BRANCHES),
    missing("L1214", "(c): sum against integral", BRANCHES),
    line("L1218-1220", "(c): integration by parts", "lem-G.1c", "integration by parts"),
    line(
        "L1221-1222",
        "(c): weight at a - 1",
        "lem-G.1c",
        "(p - q) (1 + c t)^(q-1) is at most its value at a - 1",
    ),
    line("L1223-1224", "(c): the condition", "lem-G.1c", "the condition makes it one half"),
    line("L1228", "(c): bound of I'", "lem-G.1c", "solved for the integral"),
    line("L1232-1235", "(c): collected", "lem-G.1c", "collected"),
)

STEP_SUMS = (
    quotation("L1241", "definitions of alpha_t, beta_t, eta_t, kappa_sigma"),
    line("L1247", "Lemma G.2(a)", "lem-G.2a", "whole sums"),
    line("L1251", "Lemma G.2(b)", "lem-G.2b", "whole sums"),
    line("L1255", "Lemma G.2(c)", "lem-G.2c", "whole sums"),
    line("L1259", "Lemma G.2(d)", "lem-G.2d", "whole sums"),
    line("L1263", "Lemma G.2(e)", "lem-G.2e", "alpha_t is at most 1", "harmonic sum"),
    line(
        "L1271",
        "(a): Lemma G.1(b) put in, c_2/c_1 = 4 kappa^2",
        "lem-G.2a",
        "(4 kappa^2)^(1/4) <= 2 sqrt(kappa)",
    ),
    line(
        "L1272",
        "(a): the factor exp(1)",
        "lem-G.2a",
        "the factor exp(1)",
        "the exponent is at most 1",
        "fourth root of a sum",
    ),
    line("L1273", "(a): powers of a - 1 dropped", "lem-G.2a", "powers of a - 1 dropped"),
    line("L1279", "(b): part (a) at a = t_0", "lem-G.2b", "Lemma G.2(a) at a = t_0"),
    line("L1283", "(b): sum before t_0", "step-G.2b", "sum of t^(-1/2) up to t_0 - 1"),
    line("L1284", "(b): collected", "lem-G.2b", "collected"),
    missing("L1288", "(c): Lemma G.1(c) put in", "its condition fails at high noise (step-G.2c)"),
    line("L1289", "(c): the factor exp(1)", "lem-G.2c", "the exponent is at most 1"),
    line("L1293", "(c): eta_t put in", "lem-G.2c", "the weights of step and noise"),
    line(
        "L1294",
        "(c): harmonic sum",
        "lem-G.2c",
        "the weights of step and noise",
        "3 sqrt(e) from 12 e kappa^2",
        "harmonic sum",
    ),
    missing("L1298", "(c): sum split at t_0", "splits a sum"),
    line("L1299", "(c): before t_0", "lem-G.2c", "before t_0"),
    line("L1300", "(c): root of a sum", "lem-G.2c", "before t_0", "root of a sum of two"),
    line("L1301-1302", "(c): part (a) put in", "lem-G.2c", "collected"),
    missing("L1310", "(d): sum split at t_0", "splits a sum"),
    missing("L1311", "(d): eta_t <= eta/sqrt(t)", "alpha_t and beta_t are at most 1"),
    line("L1312", "(d): before t_0", "lem-G.2d", "inner sum before t_0", "sum before t_0"),
    line("L1313", "(d): part (a) put in", "lem-G.2d", "collected"),
    missing("L1317", "(d): order of summation", "exchange of two finite sums"),
    missing("L1318", "(d): part (a) put in", "substitution"),
    line("L1319", "(d): eta_k put in", "lem-G.2d", "one term after t_0"),
    line("L1320", "(d): harmonic sum", "lem-G.2d", "harmonic sum", "weight of the terms after t_0"),
    line("L1324", "(d): collected", "lem-G.2d", "collected"),
    line("L1328", "(e): alpha_t <= 1, harmonic sum", "lem-G.2e", "alpha_t is at most 1", "harmonic sum"),
)

BIAS = (
    quotation("L1334-1335", "definitions of alpha_t, alpha'_t, eta_(x,t), kappa_sigma"),
    line("L1339-1341", "Lemma G.3", "lem-G.3", "along runs"),
    missing("L1348", "weights without noise", "the definitions at zero noise"),
    missing(
        "L1352",
        "one term of the sum is left, |eps^B| <= L d",
        "the definitions at zero noise; Assumption 3.1",
    ),
    line(
        "L1356",
        "Cauchy-Schwarz with (33), (35)",
        "own-quiet",
        "Cauchy-Schwarz, one term more",
        "product of two roots",
    ),
    line("(48), L1360", "the case without noise", "lem-G.3", "along runs"),
    missing("L1364", "norm of a sum", "triangle inequality; Assumption 3.1"),
    missing("L1368", "sum split at t_0", "splits a sum"),
    line("L1369", "sum of the weights before t_0", "own-convex", "sum of the weights"),
    line("L1370, first term", "sum of sqrt(t)", "step-G.3", "sum of sqrt(t) up to t_0 - 1"),
    line("L1370, second term", "decay from t_0 on", "lem-G.3", "a term before t_0, seen from t >= t_0"),
    line("L1371", "Lemma G.2(a) put in", "lem-G.2b", "Lemma G.2(a) at a = t_0"),
    missing("L1375-1376", "order of summation", "exchange of two finite sums"),
    line("L1377", "Lemma G.2(a) put in", "lem-G.2b", "Lemma G.2(a) at a = t_0"),
    line("L1378", "alpha_k <= alpha/(sigma_low sqrt(k))", "lem-G.3", "weight of d_k for k >= t_0"),
    line("L1382", "summation by parts", "lem-G.3", "summation by parts"),
    line("L1383", "difference of powers", "lem-G.3", "difference of powers"),
    missing("L1384", "(23) put in", "substitution of (23), which is refuted"),
    line("L1385", "sum of t^(-5/4)", "step-G.3", "sum of t^(-5/4) is at most 4"),
    line("L1386", "collected", "step-G.3", "the next line survives", "coefficient of sqrt(2 D sigma)"),
    line("(49), L1390-1391", "the case with noise", "lem-G.3", "(49) collects the parts"),
    line("L1395-1397", "both cases", "lem-G.3", "along runs"),
    quotation("L1403-1404", "definitions of alpha_t, alpha'_t, eta_(x,t), kappa_sigma"),
    line("L1408", "Lemma G.4", "lem-G.4", "one iteration", "sum of (t - 1) t^(-1/2)"),
    missing("L1413-1414", "norm of a sum, Lemma E.2", "triangle inequality"),
    line("L1415", "at most t - 1 terms", "lem-G.4", "one iteration"),
    line("L1416", "sum of (t - 1) t^(-1/2)", "lem-G.4", "sum of (t - 1) t^(-1/2)"),
)

SECTIONS = (
    CONCENTRATION,
    UNROLLING,
    MOMENTUM_NOISE,
    WEIGHT,
    SINGLE_LEVEL,
    MARTINGALE,
    DISTANCE,
    MINIMAX,
    BILEVEL,
    LINEAR_PROGRAM,
    WEIGHTS,
    STEP_SUMS,
    BIAS,
)
COVERAGE = tuple(display for section in SECTIONS for display in section)
