"""Unrolling the momentum error: Lemmas 5.3 (= B.1), D.2 and E.4, L174-183, L407-421, L772-791, L917-940.

All three are one recursion, hat-eps_t = beta_t hat-eps_(t-1) + alpha_t (inputs)_t + beta_t S_t, with one input (the
noise), two (and the bias of y_t) or three (and the bias of the Neumann sum). Each coordinate obeys it, so scalars
suffice.
"""

from typing import Any

from sympy import Expr, IndexedBase, Product, Sum, Symbol, symbols

from workbench.theory.lemma import AlongTrajectory, Check, Identity

from .chain import B1, B2, ONE_LEVEL, SADDLE, k, link, n

j = Symbol("j", integer=True, positive=True)  # index of a product
alpha = IndexedBase("alpha")
error, S, weight = IndexedBase("error"), IndexedBase("S"), IndexedBase("weight")  # hat-eps_t, S_t
beta, before, now, carried = symbols("beta grad_before grad_now carried", real=True)
hat, unrolled = symbols("hat unrolled", real=True)


def decay(first: Any, last: Any) -> Expr:
    """beta_(first:last), the product of 1 - alpha_j."""
    return Product(1 - alpha[j], (j, first, last))


def checks(on: tuple[str, ...], *inputs: str) -> tuple[Check, ...]:
    """The closed form of the recursion with these inputs, by induction from hat-eps_1; one step of it; along runs.

    One step: m_t - grad_t from m_t = beta m_(t-1) + (1 - beta) g_t, m_(t-1) = carried + before, g_t = inputs + now.
    Along runs: hat-eps_t of the algorithm's own m_t against the four sums, which the probe accumulates.
    """
    series, total = [IndexedBase(i) for i in inputs], sum(symbols(inputs, real=True))
    return (
        Identity(
            "unrolled",
            error[n],
            decay(2, n) * error[1]
            + Sum(decay(k + 1, n) * alpha[k] * sum(i[k] for i in series), (k, 2, n))
            + Sum(decay(k, n) * S[k], (k, 2, n)),
            n=n,
            start=1,
            recursion={
                error[n + 1]: (1 - alpha[n + 1]) * (error[n] + S[n + 1])
                + alpha[n + 1] * sum(i[n + 1] for i in series)
            },
        ).states(),
        Identity(
            "one step",
            beta * (carried + before) + (1 - beta) * (total + now) - now,
            beta * carried + (1 - beta) * total + beta * (before - now),
        ).states(),
        AlongTrajectory("along runs", hat, unrolled, on=on, relation="=").states(),
    )


SINGLE = link(
    "lem-5.3",
    "Momentum error, single level (= Lemma B.1)",
    "L174-183, L407-421",
    r"$\hat{\epsilon}_t$ is $\beta_{2:t} \hat{\epsilon}_1$ plus the decayed noise plus the decayed changes of the "
    "gradient.",
    ("asm-5.2",),
    *checks((ONE_LEVEL,), "noise"),
    note="The listing leaves m_0 undefined; with m_1 = g_1 the sums start at k = 2, as printed.",
)
MINIMAX = link(
    "lem-D.2",
    "Momentum error, minimax",
    "L772-786",
    r"As Lemma 5.3 with one more input, the bias $\nabla_x f(x_t, y_t) - \nabla \Phi(x_t)$.",
    ("asm-3.2",),
    *checks((SADDLE,), "noise", "bias"),
)
BILEVEL = link(
    "lem-E.4",
    "Momentum error, bilevel",
    "L917-931",
    "As Lemma D.2 with a third input, the bias of the truncated Neumann sum.",
    ("asm-3.4",),
    *checks((B1, B2), "noise", "bias", "neumann"),
)
CONVEX = link(
    "own-convex",
    "The momentum weights sum to at most one",
    "this project, for E13",
    r"The sum over $k$ of $\beta_{(k+1):t} \alpha_k$ is $1 - \beta_{2:t}$.",
    (),
    Identity(
        "sum of the weights",
        weight[n],
        1 - decay(2, n) * (1 - weight[1]),
        n=n,
        start=1,
        recursion={weight[n + 1]: (1 - alpha[n + 1]) * weight[n] + alpha[n + 1]},
        note="weight[1] = 0, the sum without terms",
    )
    .states()
    .own("E13"),
)

LEMMAS = (SINGLE, MINIMAX, BILEVEL, CONVEX)
