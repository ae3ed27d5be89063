"""STORM: one step (Lemma 8), its sum (Lemma 9), and the step sizes (8). L399-426.

In Lemma 8 w, n and o are numbers: what a sample of h has at the new and at the old point, less the mean there. The
noise of a step has mean 0, so the old error and the noise add up in mean square; a fair two-valued sample shows it.
"""

from typing import Any

from sympy import Eq, Expr, Ge, Integer, Le, Symbol, symbols

from workbench.theory.lemma import Identity, InExpectation, Interval, at_least, misprint

from . import constants as k
from .chain import COMPLIANT, L_F, UNIT, beta, eta, inequality, link, quantity
from .lemmas_lower_level import TELESCOPED

old_error, noise_sq, moved_sq, step_sq, delta, delta_next = symbols(
    "old_error noise_sq moved_sq step_sq delta delta_next", nonnegative=True
)
sigma, L = symbols("sigma L", nonnegative=True)
h, h_old, estimate, sample, sample_old, a, b = symbols("h h_old estimate sample sample_old a b", real=True)
centre, inside, target = symbols("centre inside target", real=True)
n_1, n_2, o_1, o_2 = symbols("n_1 n_2 o_1 o_2", real=True)
N = Symbol("N", positive=True)
AT_MOST_1 = {beta: UNIT}
NEXT = (1 - beta) * (estimate - sample_old) + sample


def two_values(new: tuple[Symbol, Symbol], old: tuple[Symbol, Symbol]) -> tuple[Expr, Expr]:
    """Means of a fair sample with two values."""
    return sum(new, Integer(0)) / 2, sum(old, Integer(0)) / 2


def one_step(n: Any, o: Any) -> Expr:
    """(1 - beta)(estimate - o) + n."""
    return (1 - beta) * (estimate - o) + n


MEAN, MEAN_OLD = two_values((n_1, n_2), (o_1, o_2))
SQUARE = sum(((one_step(n, o) - MEAN) ** 2 for n, o in ((n_1, o_1), (n_2, o_2))), Integer(0)) / 2
SPREAD = sum(
    (
        (beta * (n - MEAN) + (1 - beta) * (n - MEAN - (o - MEAN_OLD))) ** 2
        for n, o in ((n_1, o_1), (n_2, o_2))
    ),
    Integer(0),
)
VARIANCE = ((n_1 - MEAN) ** 2 + (n_2 - MEAN) ** 2) / 2
MOVE = ((n_1 - o_1) ** 2 + (n_2 - o_2) ** 2) / 2


def along(name: str) -> InExpectation:
    """Lemma 8 for one of the five estimators, in every iteration of compliant runs of SVRB."""
    return InExpectation(
        f"{name}, along runs",
        quantity(f"err_{name}"),
        (1 - quantity(f"beta_{name}")) * quantity(f"old_{name}")
        + 2 * quantity(f"beta_{name}") ** 2 * k.SYMBOLS[f"sigma_{name}"] ** 2
        + 2 * k.SYMBOLS[f"L_{name}"] ** 2 * quantity("moved"),
        on=(COMPLIANT,),
        note="old: the error before the step; moved: |x_t - x_(t-1)|^2 + |y_t - y_(t-1)|^2.",
    )


STORM = link(
    "lem-8",
    "One step of STORM",
    "Lemma 8, L399-407",
    r"$\mathbb{E}\|h_{t+1} - h(e_t)\|^2$ is at most "
    r"$(1 - \beta) \|h_t - h(e_{t-1})\|^2 + 2 \beta^2 \sigma^2 + 2 L^2 \|e_t - e_{t-1}\|^2$.",
    ("asm-2(i)", "asm-2(ii)"),
    *misprint(
        "E19",
        inequality(
            "h Lipschitz, but not its samples",
            Integer(1),
            2 * beta**2,
            box=AT_MOST_1,
            note="h(e; xi) = xi 2 N e/(1 + N^2 e^2) with a fair sign xi has the mean 0, L = 0, and sigma^2 = 1. From "
            "e = 0 to e = 1/N the sample changes from 0 to xi; the estimate before is 0.",
        ).states(),
        "the Lipschitz constant 2 N of the samples",
        rhs=2 * beta**2 + 2 * (2 * N) ** 2 / N**2,
        box={**AT_MOST_1, N: Interval(0, low_open=True)},
        shows="line",
    ),
    Identity(
        "the error after one step",
        NEXT - h,
        (1 - beta) * (estimate - h_old)
        + beta * (sample - h)
        + (1 - beta) * ((sample - h) - (sample_old - h_old)),
    ),
    Identity(
        "the old error and the noise apart",
        SQUARE,
        (1 - beta) ** 2 * (estimate - MEAN_OLD) ** 2 + SPREAD / 2,
        note="mean over a fair sample with the values n_1, n_2 at the new point and o_1, o_2 at the old one.",
    ),
    inequality("two parts of the noise", (a + b) ** 2, 2 * (a**2 + b**2), note="each coordinate."),
    inequality(
        "a sample with two values",
        SQUARE,
        (1 - beta) * (estimate - MEAN_OLD) ** 2 + 2 * beta**2 * VARIANCE + 2 * MOVE,
        box=AT_MOST_1,
        note="Lemma 8 as a whole in one dimension; |n_i - o_i| <= L |e_t - e_(t-1)|.",
        budget=15,
    ),
    inequality(
        "Lemma 8",
        delta_next,
        (1 - beta) * delta + 2 * beta**2 * sigma**2 + 2 * L**2 * step_sq,
        Le(delta_next, (1 - beta) ** 2 * delta + 2 * beta**2 * noise_sq + 2 * (1 - beta) ** 2 * moved_sq),
        Le(noise_sq, sigma**2),
        Le(moved_sq, L**2 * step_sq),
        box=AT_MOST_1,
        note="noise_sq: the variance of a sample; moved_sq: E of the squared change of the sample, which bounds the "
        "variance of the change.",
    )
    .states()
    .repaired("E19"),
    inequality(
        "projection onto a convex set",
        (inside - target) ** 2,
        (centre - target) ** 2,
        Ge((centre - inside) * (inside - target), 0),
        note="inside = Pi(centre), target = h(e_t) in Omega; the condition is the optimality of the projection.",
    ).states(),
    *(along(name) for name in k.ORACLES),
    quoted=True,
    note="Quoted with a reference to [5]. h(.; xi) has to be Lipschitz, not only h (E19); in mean square is enough.",
)

eta_before = Symbol("eta_before", positive=True)
SUMMED = link(
    "lem-9",
    "Lemma 8, summed",
    "Lemma 9, L411-415",
    r"The sum over $t \le T$ of $\delta_{t+1}/\eta_t - \delta_t/\eta_{t-1}$ is at most that of $2 \beta^2 "
    r"\sigma^2/\eta_t + (1/\eta_t - 1/\eta_{t-1} - \beta/\eta_t) \delta_t + (2 L^2/\eta_t) \|e_{t+1} - e_t\|^2$.",
    ("lem-8",),
    inequality(
        "one summand",
        delta_next / eta - delta / eta_before,
        2 * beta**2 * sigma**2 / eta
        + (1 / eta - 1 / eta_before - beta / eta) * delta
        + 2 * L**2 / eta * step_sq,
        Le(delta_next, (1 - beta) * delta + 2 * beta**2 * sigma**2 + 2 * L**2 * step_sq),
        box=AT_MOST_1,
    ).states(),
    TELESCOPED,
)

# ------------------------------------------------------------------------------------------- the step sizes, (8)

p, q, s = symbols("p q s", positive=True)  # (c_0 + t)^(1/3), (c_0 + t - 1)^(1/3), 2^(2/3)
c, c_0 = symbols("c c_0", positive=True)
t = Symbol("t", nonnegative=True)
STEP_RATIO = link(
    "eq-8",
    "Change of 1/eta_t",
    "(8), L422-426",
    r"$1/\eta_t - 1/\eta_{t-1}$ is at most $\eta_t/(7 L_F c^3)$ for $c_0 \ge 2$ and $\eta_t \le 1/(4 L_F)$.",
    (),
    inequality(
        "concavity of the cube root",
        p - q,
        1 / (3 * q**2),
        Le(p**3, q**3 + 1),
        note="p = (c_0 + t)^(1/3), q = (c_0 + t - 1)^(1/3), the first two terms of the chain times c.",
    ),
    inequality("c_0 + t - 1 >= c_0/2 + t", c_0 / 2 + t, c_0 + t - 1, box={c_0: at_least(2)}),
    inequality("c_0/2 + t >= (c_0 + t)/2", (c_0 + t) / 2, c_0 / 2 + t),
    inequality(
        "2^(2/3)",
        1 / (3 * q**2),
        s / (3 * p**2),
        Le(p**3, 2 * q**3),
        Ge(s**3, 4),
        note="s = 2^(2/3), c_0 + t <= 2 (c_0 + t - 1).",
    ),
    Identity("eta_t inserted", s / (3 * c * p**2), s / (3 * c**3) * (c / p) ** 2, note="eta_t = c/p."),
    inequality(
        "2^(2/3)/12 is at most 1/7",
        s / (3 * c**3) * eta**2,
        eta / (7 * L_F * c**3),
        Le(s**3, 4),
        Le(4 * L_F * eta, 1),
    ),
    inequality(
        "(8)",
        (p - q) / c,
        eta / (7 * L_F * c**3),
        Le((p - q) / c, s / (3 * c**3) * eta**2),
        Le(s / (3 * c**3) * eta**2, eta / (7 * L_F * c**3)),
        note="the lines before, with eta_t = c/p in the first ones.",
    ).states(),
    inequality(
        "eta_t <= 1/(4 L_F) from c_0",
        4 * L_F * eta,
        1,
        Eq(eta * p, c),
        Le(4 * L_F * c, p),
        note="c_0 >= (4 L_F c)^3 (L422).",
    ),
)
LEMMAS = (STORM, SUMMED, STEP_RATIO)
