"""Descent of a normalized step: Lemmas B.4, D.3 and E.5, L499-507, L788-796, L933-941.

Along u = m_t/|m_t|, f(x_(t+1)) <= f(x_t) - eta_t <grad, u> + L eta_t^2/2, and <grad, u> = |m_t| - <hat-eps_t, u>.
With the norms M = |m_t|, G = |grad|, e = |hat-eps_t| and p = <hat-eps_t, u> this is a statement about four numbers
with p <= e and G <= M + e. Where m_t = 0 (M = 0, G = e), any vector u of norm at most one is allowed, since p >= -e.
"""

from sympy import Expr, Le, Symbol, symbols

from workbench.theory.lemma import REAL, AlongTrajectory, Constant, Inequality, Lemma, nonnegative
from workbench.theory.vocabulary import Delta_1, L, mu

from .chain import B1, B2, ONE_LEVEL, SADDLE, factor, link
from .theorem_4_2 import GIVEN, L_F

M, G, e = symbols("M G e", nonnegative=True)
p = Symbol("p", real=True)
step, smooth, grads, errors, squares = symbols("step smooth grads errors squares", nonnegative=True)
after, now, start = symbols("after now start", nonnegative=True)  # values of the function above its infimum
f_now, f_next, grad_norm_t, hat_norm, eta_t = symbols("f_now f_next grad_t hat_norm eta_t", real=True)
sum_eta_grad, sum_eta_hat, sum_eta2 = symbols("sum_eta_grad sum_eta_hat sum_eta2", nonnegative=True)

DIRECTION = Inequality(
    "progress along the momentum",
    p - M,
    factor * e - G,
    {**nonnegative(M, G, e), p: REAL},
    given=(Le(p, e), Le(G, M + e)),
    constants=(Constant(factor, 2),),
)
# The condition on `after` is smoothness along u, with <grad, u> = M - p; `smooth` is the constant of the function.
ONE_STEP = Inequality(
    "one step, in norms",
    after,
    now - step * G + 2 * step * e + smooth / 2 * step**2,
    {**nonnegative(M, G, e, step, smooth, after, now), p: REAL},
    given=(Le(p, e), Le(G, M + e), Le(after, now - step * (M - p) + smooth / 2 * step**2)),
)
ONE_MORE = Inequality(
    "one step more in the sum",
    grads + step * G,
    start - after + 2 * (errors + step * e) + smooth / 2 * (squares + step**2),
    {**nonnegative(G, e, step, smooth, grads, errors, squares), **nonnegative(after, now, start)},
    given=(
        Le(grads, start - now + 2 * errors + smooth / 2 * squares),
        Le(after, now - step * G + 2 * step * e + smooth / 2 * step**2),
    ),
    note="by induction from empty sums; after >= 0 and start = Delta_1 in the end.",
)


def lemma(
    name: str, title: str, source: str, function: str, constant: Expr, uses: tuple[str, ...], *on: str
) -> Lemma:
    """The descent lemma for a function of the given smoothness, one step and summed, along the runs ``on``."""
    return link(
        name,
        title,
        source,
        rf"${function}(x_{{t+1}})$ is at most ${function}(x_t) - \eta_t \|\nabla {function}(x_t)\| + "
        r"2 \eta_t \|\hat{\epsilon}_t\| + (\mathrm{smoothness}/2) \eta_t^2$; summed over $t$, "
        rf"$\sum_t \eta_t \|\nabla {function}(x_t)\|$ is at most "
        r"$\Delta_1 + 2 \sum_t \eta_t \|\hat{\epsilon}_t\| + (\mathrm{smoothness}/2) \sum_t \eta_t^2$.",
        uses,
        DIRECTION,
        ONE_STEP.states(),
        ONE_MORE.states(),
        AlongTrajectory(
            "one step",
            f_next,
            f_now - eta_t * grad_norm_t + 2 * eta_t * hat_norm + constant / 2 * eta_t**2,
            on=on,
        ).states(),
        AlongTrajectory(
            "summed", sum_eta_grad, Delta_1 + 2 * sum_eta_hat + constant / 2 * sum_eta2, on=on
        ).states(),
        note="The paper writes grad F for the gradient of the function itself.",
    )


SINGLE = lemma("lem-B.4", "Descent, single level", "L499-507", "f", L, ("asm-5.1", "lem-5.3"), ONE_LEVEL)
MINIMAX = lemma(
    "lem-D.3", "Descent, minimax", "L788-796", r"\Phi", (mu + L) * L / mu, ("lem-D.1", "lem-D.2"), SADDLE
)
BILEVEL = lemma(
    "lem-E.5",
    "Descent, bilevel",
    "L933-941",
    r"\Phi",
    GIVEN.in_parameters(L_F),
    ("lem-E.1", "lem-E.4"),
    B1,
    B2,
)

LEMMAS = (SINGLE, MINIMAX, BILEVEL)
