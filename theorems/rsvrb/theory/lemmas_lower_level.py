"""One step of y, with or without projection: (17)-(20), Lemmas 3, 6 and 7. L302, L381-395, L667-738."""

from dataclasses import replace

from sympy import Eq, Expr, IndexedBase, Le, Rational, Sum, Symbol, symbols

from workbench.theory.lemma import AlongTrajectory, Identity, Interval

from . import constants as k
from .chain import HALF, RUNS, UNIT, L_g, L_y, X, Y, dgy, dy, inequality, lam, link, quantity, tau

tau_t = Symbol("tau_t", positive=True)
y, y_t, y_star, y_new, slope, w = symbols("y y_t y_star y_new slope w", real=True)  # y_new: y~_(t+1)
# Of D = y~ - y_t: D2 = |D|^2; dot = D.(y_t - y*); inner = -D.(y - y_t); cut = -D.(y - y~).
D2, near, lag, move_star, dist = symbols("D2 near lag move_star dist", nonnegative=True)
dot, inner, cut = symbols("dot inner cut", real=True)
g_y, g_t, g_new = symbols("g_y g_t g_new", real=True)  # g(x_t, .) at y, y_t and y~
along, pull, error = symbols("along pull error", real=True)  # grad g.D, w.(y - y~), (grad g - w).(y - y~)
q = Symbol("q", nonnegative=True)  # |y - y_t|^2
e, u = symbols("e u", nonnegative=True)  # |grad g - w|, |y* - y~|
n, i = (Symbol(name, integer=True, positive=True) for name in ("n", "i"))

KEPT = 1 / (2 * tau) - Rational(3, 4) * L_g
BELOW_18 = g_new + pull + error + lam / 2 * q - L_g / 2 * D2
BELOW_707 = g_new + D2 / tau + inner / tau + error + lam / 2 * q - L_g / 2 * D2
TAU_T = Le(tau_t, HALF)
TAU = Le(3 * L_g * tau, 2)


def next_at(kept: Expr) -> Expr:
    """The bound of |y_(t+1) - y*(x_t)|^2, L723-726, with a factor ``kept`` of -2 tau_t tau |y~ - y_t|^2."""
    return (1 - tau_t * tau * lam / 2) * dy + 4 * tau_t * tau / lam * dgy - 2 * tau_t * tau * kept * D2


def last_line(moved: Expr) -> Expr:
    """The right side of Lemma 6 with |y_(t+1) - y_t|^2 = ``moved``."""
    return (
        (1 - tau_t * tau * lam / 4) * dy
        + 8 * tau_t * tau / lam * dgy
        + 8 * L_y**2 / (tau_t * tau * lam) * X
        - 2 * tau / tau_t * (1 + tau_t * tau * lam / 4) * KEPT * moved
    )


ONE_QUADRATIC = inequality(
    "g = y^2/2 at a fixed x",
    (1 - tau_t * tau * w) ** 2,
    1
    - tau_t * tau / 4
    + 8 * tau_t * tau * (1 - w) ** 2
    - tau_t * tau**2 * (1 + tau_t * tau / 4) * (1 - 3 * tau / 2) * w**2,
    box={tau: Interval(0, Rational(2, 3), low_open=True)},
    witness={tau: Rational(13, 20), tau_t: Rational(15, 2), w: Rational(19, 20)},
    note="y_t = 1, L_g = lambda = 1, w in place of grad_y g = 1; the printed lemma has no bound on tau_t.",
)
AFTER_17 = (near - dy - tau_t**2 * D2) / (2 * tau_t * tau) - 2 / lam * dgy + lam / 4 * dy
AFTER_17 = AFTER_17 - L_g / 2 * D2 + D2 / tau - lam / 4 * D2

LOWER = link(
    "lem-6",
    "One step of y",
    "Lemmas 3 and 6, L302-307, L381-386, L669-738",
    r"For $\tau \le 2/(3 L_g)$, $\delta_{y,t+1}$ is at most $(1 - \tau_t \tau \lambda/4) \delta_{y,t} "
    r"+ (8 \tau_t \tau/\lambda) \delta_{gy,t} + (8 L_y^2/(\tau_t \tau \lambda)) \|x_{t+1} - x_t\|^2 "
    r"- (2 \tau/\tau_t) (1 + \tau_t \tau \lambda/4) (1/(2 \tau) - 3 L_g/4) \|y_{t+1} - y_t\|^2$.",
    ("asm-1", "lem-13"),
    ONE_QUADRATIC.states().refuted("E2"),
    replace(
        ONE_QUADRATIC,
        name="g = y^2/2 at a fixed x, tau_t <= 1/2",
        given=(TAU_T,),
        witness={},
        note="",
    ).repaired("E2"),
    Identity(
        "the step squared",
        (y_t - tau_t * (y_t - y_new) - y_star) ** 2,
        (y_t - y_star) ** 2 + tau_t**2 * (y_t - y_new) ** 2 + 2 * tau_t * (y_new - y_t) * (y_t - y_star),
        note="L671-672, each coordinate.",
    ),
    inequality(
        "(17)",
        (near - dy - tau_t**2 * D2) / (2 * tau_t),
        dot,
        Eq(near, dy + tau_t**2 * D2 + 2 * tau_t * dot),
        note="near = |y_(t+1) - y*(x_t)|^2, dot = (y~ - y_t).(y_t - y*).",
    ),
    inequality(
        "smoothness rearranged",
        g_new - along - L_g / 2 * D2,
        g_t,
        Le(g_new, g_t + along + L_g / 2 * D2),
        note="L684 from L680.",
    ),
    Identity(
        "w inserted",
        slope * (y - y_t),
        w * (y - y_new) + (slope - w) * (y - y_new) + slope * (y_new - y_t),
        note="L688-691, each coordinate.",
    ),
    inequality(
        "(18)",
        BELOW_18,
        g_y,
        Le(g_t + pull + error + along + lam / 2 * q, g_y),
        Le(g_new - along - L_g / 2 * D2, g_t),
    ),
    Identity(
        "(20): through y_t",
        (y_t - y_new) * (y - y_new),
        (y_t - y_new) ** 2 + (y_t - y_new) * (y - y_t),
        note="each coordinate.",
    ),
    inequality(
        "(20) from (19)",
        (D2 + inner) / tau,
        pull,
        Le(cut, tau * pull),
        Eq(cut, D2 + inner),
        note="cut = (y_t - y~).(y - y~), inner = (y_t - y~).(y - y_t).",
    ),
    inequality(
        "(18) with (20)", BELOW_707, g_y, Le(BELOW_18, g_y), Le((D2 + inner) / tau, pull), note="L707-708."
    ),
    inequality(
        "at y*",
        dot / tau + error + lam / 2 * dy - L_g / 2 * D2 + D2 / tau,
        0,
        Le(BELOW_707.xreplace({q: dy, inner: dot}), g_y),
        Le(g_y, g_new),
        note="L712-714 less g(x_t, y~): y = y*, where g(x_t, .) is least; inner becomes dot.",
    ),
    inequality(
        "Young for the error of w",
        -2 / lam * e**2 - lam / 4 * lag**2 - lam / 4 * dist**2,
        error,
        Le(-e * u, error),
        Le(u, lag + dist),
        note="L715-717: lag = |y* - y_t|, dist = |y~ - y_t|, u = |y* - y~|.",
    ),
    inequality(
        "(17) inserted",
        AFTER_17,
        0,
        Le(dot / tau + error + lam / 2 * dy - L_g / 2 * D2 + D2 / tau, 0),
        Le(-2 / lam * dgy - lam / 4 * dy - lam / 4 * D2, error),
        Le((near - dy - tau_t**2 * D2) / (2 * tau_t), dot),
        note="L718-719 less g(x_t, y~).",
    ),
    inequality(
        "solved for y_(t+1)",
        near,
        next_at(1 / tau - tau_t / tau - L_g / 2 - lam / 4),
        Le(AFTER_17, 0),
        note="L723-724; tau_t/(2 tau) would do.",
    ),
    inequality(
        "solved for y_(t+1), with half of the loss",
        near,
        next_at(1 / tau - tau_t / (2 * tau) - L_g / 2 - lam / 4),
        Le(AFTER_17, 0),
    ).own("E2"),
    inequality(
        "the factor of |y~ - y_t|^2",
        KEPT,
        1 / tau - tau_t / tau - L_g / 2 - lam / 4,
        TAU_T,
        Le(lam, L_g),
        note="L725-726; the only place that needs tau_t <= 1/2 (L728).",
    ),
    inequality(
        "the factor of |y~ - y_t|^2 for tau_t <= 1",
        KEPT,
        1 / tau - tau_t / (2 * tau) - L_g / 2 - lam / 4,
        Le(tau_t, 1),
        Le(lam, L_g),
    ).own("E2"),
    inequality(
        "y* moves: Young",
        (lag + dist) ** 2,
        (1 + q) * lag**2 + (1 + 1 / q) * dist**2,
        box={q: Interval(0, low_open=True)},
        note="L730-731 with q = tau_t tau lambda/4, lag = |y_(t+1) - y*(x_t)|, dist = |y*(x_t) - y*(x_(t+1))|.",
    ),
    Identity(
        "(1 + eps/2) (1 - eps)",
        (1 + e / 2) * (1 - e),
        1 - e / 2 - e**2 / 2,
        note="L738.",
    ),
    inequality(
        "Lemma 6 for tau_t <= 1/2",
        move_star,
        last_line(Y),
        Le(move_star, (1 + tau_t * tau * lam / 4) * near + (1 + 4 / (tau_t * tau * lam)) * L_y**2 * X),
        Le(near, next_at(KEPT)),
        Eq(Y, tau_t**2 * D2),
        TAU_T,
        TAU,
        Le(lam, L_g),
        note="L732-736: move_star = |y_(t+1) - y*(x_(t+1))|^2, X = |x_(t+1) - x_t|^2, Y = |y_(t+1) - y_t|^2 = tau_t^2 "
        "|y~ - y_t|^2.",
        budget=15,
    )
    .states()
    .repaired("E2"),
    inequality(
        "Lemma 6 for tau_t <= 1",
        move_star,
        last_line(Y),
        Le(move_star, (1 + tau_t * tau * lam / 4) * near + (1 + 4 / (tau_t * tau * lam)) * L_y**2 * X),
        Le(near, next_at(KEPT)),
        Eq(Y, tau_t**2 * D2),
        Le(tau_t, 1),
        TAU,
        Le(lam, L_g),
        note="by half of the loss of L724: any step that is a convex combination.",
        budget=15,
    )
    .states()
    .own("E2"),
    AlongTrajectory(
        "along runs, tau_t <= 1/2",
        quantity("lag2_next"),
        (1 - quantity("eta") * k.tau * k.lam / 4) * quantity("lag2")
        + 8 * quantity("eta") * k.tau / k.lam * quantity("err_gy")
        + 8 * k.L_y**2 / (quantity("eta") * k.tau * k.lam) * quantity("moved_x")
        - 2
        * k.tau
        / quantity("eta")
        * (1 + quantity("eta") * k.tau * k.lam / 4)
        * (1 / (2 * k.tau) - Rational(3, 4) * k.L_g)
        * quantity("moved_y"),
        on=(RUNS,),
        note="tau_t = eta_t.",
    )
    .states()
    .repaired("E2"),
    note="Lemma 3 has |z_(t+1)|^2 where x moves along d_(t+1).",
)

# ------------------------------------------------------------------------------------------- Lemma 7

DELTA = IndexedBase("DELTA")
y_0, y_1, w_1, w_2 = symbols("y_0 y_1 w_1 w_2", real=True)
delta_next = Symbol("delta_next", nonnegative=True)
TELESCOPED = Identity(
    "a sequence telescopes",
    Sum(DELTA[i + 1] - DELTA[i], (i, 1, n)),
    DELTA[n + 1] - DELTA[1],
    n,
)
SUMMED = link(
    "lem-7",
    "Lemma 6, summed",
    "Lemma 7, L390-395",
    r"The sum over $t \le T$ of $\delta_{y,t+1} - \delta_{y,t}$ is at most that of the other terms of Lemma 6.",
    ("lem-6",),
    inequality(
        "delta_y,t = |y_(t+1) - y*(x_t)|^2",
        (y_1 - tau_t * tau * w_2) ** 2 - y_1**2,
        8 * tau_t * tau * (y_0 - w_1) ** 2
        - tau_t * tau / 4 * y_1**2
        - tau_t * tau**2 * (1 + tau_t * tau / 4) * (1 - 3 * tau / 2) * w_1**2,
        Eq(y_1, y_0 - tau_t * tau * w_1),
        box={tau: Interval(0, Rational(2, 3), low_open=True), tau_t: Interval(0, HALF, low_open=True)},
        witness={y_0: 0, y_1: 0, w_1: 0, w_2: 1, tau: HALF, tau_t: HALF},
        note="g = y^2/2, y* = 0 at a fixed x, T = 0: the right side does not contain w_2, which moves y_2.",
    )
    .states()
    .refuted("E16"),
    inequality(
        "one summand",
        delta_next - dy,
        8 * tau_t * tau / lam * dgy
        - tau_t * tau * lam / 4 * dy
        + 8 * L_y**2 / (tau_t * tau * lam) * X
        - 2 * tau / tau_t * (1 + tau_t * tau * lam / 4) * KEPT * Y,
        Le(delta_next, last_line(Y)),
        box={tau_t: UNIT},
        note="delta_y,t as in Lemma 6; X = gamma^2 eta_t^2 |z_(t+1)|^2.",
    )
    .states()
    .repaired("E16"),
    TELESCOPED,
)
LEMMAS = (LOWER, SUMMED)
