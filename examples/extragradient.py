"""The extragradient method on a bilinear saddle: the duality gap of the averages falls like 1/T.

Source: Nemirovski, "Prox-Method with Rate of Convergence O(1/t)", SIAM J. Optim. 15 (2004), Theorem 3.2; the method
is Korpelevich's (1976). Constant for the Euclidean case, derived here: with w_k = z_k - gamma F(z_k) and
z_{k+1} = z_k - gamma F(w_k), for every u
2 gamma <F(w_k), w_k - u> <= |z_k - u|^2 - |z_{k+1} - u|^2 - (1 - gamma^2 L^2) |z_k - w_k|^2. The sum
over k, for gamma L <= 1, bounds the gap over |x|, |y| <= r by the largest |z_1 - u|^2 / (2 gamma T), u in this set.

Level, derived here: f = b x y has F = (b y, -b x), so the w_k add up to (start - end) / (gamma b), turned by a right
angle: since z_k tends to 0 the gap r b (|x| + |y|) of the average is r (|x_1| + |y_1|) / (gamma T). With
r = |x_1| = |y_1| the bound is loose by 2. Falsifier: w_k = z_k, gradient descent-ascent, spirals outwards.
"""

import numpy as np
from sympy import Symbol

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Extragradient", "Nemirovski", "SIAM J. Optim. 15 (2004)")
r, x_1, y_1 = (Symbol(name, positive=True) for name in ("r", "x_1", "y_1"))
THEOREM = PAPER.theorem(
    "thm-3.2",
    statement="The duality gap of the averages is $O(1/T)$",
    metric=r"duality gap of the averages of $w_k$ over $\|x\|, \|y\| \le r$",
    form="derived here",
    bound=((x_1 + r) ** 2 + (y_1 + r) ** 2) / (2 * v.gamma * v.T),
    exponent=-1,
    schedule={"gamma": v.gamma},
    generic={v.L: 1, v.gamma: 1, r: 1, x_1: 1, y_1: 1},
    conditions=[(v.gamma * v.L <= 1, "gamma L <= 1")],
)
State = wb.state("x", "y", "z", "w")  # z, w: the averages
Steps = wb.steps("gamma")


def init(start, c, oracle, draw, xp):
    zero = xp.zeros_like(start["x"])
    return State(start["x"], start["y"], zero, zero)


def step(s, t, c, oracle, draw, xp):
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    x, y = s.x - c.gamma * g_x, s.y + c.gamma * g_y
    h_x, h_y = oracle.grad(x, y, draw(0))
    return State(s.x - c.gamma * h_x, s.y + c.gamma * h_y, s.z + (x - s.z) / t, s.w + (y - s.w) / t)


def known(result):
    """|x_1| and |y_1|, which are equal, from the distance of the start from 0."""
    side = result.constants["D_1"] / np.sqrt(2.0)
    return {**result.steps, "r": 1.0, "x_1": side, "y_1": side}


T_STEPS = wb.iterates()  # the averages recorded at mark m are those of m - 1 steps
STUDY = wb.Study(PAPER, metric="gap", view=T_STEPS, kind="compliant", known=known, shift=-1)
SHARED = {
    "steps": Steps.of(THEOREM, gamma=0.5),
    "problem": wb.problems.BilinearSaddle(radius=1.0),
    "start": {"x": lambda grid: grid.random_start(0.5, 1.0), "y": lambda grid: grid.random_start(-0.5, -1.0)},
    "runs": 64,
}
LENGTH = wb.profile(30_000, 100_000, 1_000_000)
EG = STUDY.simulation(step, horizon=LENGTH, name="eg", title="Extragradient", **SHARED)
PLAIN = wb.Mutation("no extrapolation", "x, y", becomes="s.x, s.y")
GDA = STUDY.simulation(step, horizon=1000, name="gda", title="Descent-ascent", mutation=PLAIN, **SHARED)
CURVE = STUDY.reading(THEOREM, EG)
CLAIMS = (
    STUDY.constants(THEOREM, EG, "x y"),
    *STUDY.exponents(THEOREM),
    STUDY.bound(THEOREM, "derived here", EG, view=T_STEPS),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(r * (x_1 + y_1) / (v.gamma * v.T), "level derived here")),
    STUDY.count(THEOREM, EG, "gradient_x", 2),
    STUDY.reading(THEOREM, GDA).caught(),
)
