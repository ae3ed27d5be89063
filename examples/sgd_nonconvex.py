"""SGD on a smooth nonconvex function: the mean of E|grad f(x_t)|^2 falls like T^-1/2.

Source: Ghadimi, Lan, "Stochastic First- and Zeroth-Order Methods for Nonconvex Stochastic Programming", SIAM J. Optim.
23 (2013), Theorem 2.1 and Corollary 2.2: with gamma = min(1/L, D/(sigma sqrt T)) and D_f^2 = 2 (f(x_1) - f*) / L,
E|grad f(x_R)|^2 <= L (L D_f^2 / T + (D + D_f^2 / D) sigma / sqrt T), R uniform on 1..T. The step depends on the
horizon, so each horizon has rows of its own (grid parameter `until`).

Level, derived here: on f = L x^2 / 2 the second moment of x_t is s + r^(t-1) (x_1^2 - s) with r = (1 - gamma L)^2 and
s = gamma sigma^2 / (L (2 - gamma L)); its mean over t is exact for every T. To leading order it is
L sigma (D + D_f^2 / D) / (2 sqrt T): the Corollary is loose by a factor 2, whatever D. (Theorem 2.1 itself is not:
there the descent inequality is an equality, and only E f(x_{T+1}) is dropped.) Falsifier: one step size for all
horizons.
"""

import numpy as np
from sympy import Min, Symbol, sqrt

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "SGD, nonconvex", "Ghadimi, Lan", "SIAM J. Optim. 23 (2013)")
D_f, size, B = Symbol("D_f", nonnegative=True), Symbol("step_size", positive=True), Symbol("B")
FIRST = (D_f, sqrt(2 * v.Delta_1 / v.L))
STEP = Min(1 / v.L, v.D / (v.sigma_bar * sqrt(v.T)))
SUM = v.L * (D_f**2 + v.sigma_bar**2 * v.T * size**2) / (v.T * (2 * size - v.L * size**2))
THEOREM = PAPER.theorem(
    "cor-2.2",
    statement=r"The mean of $\mathbb{E}\|\nabla f(x_t)\|^2$ is $O(T^{-1/2})$",
    source="Corollary 2.2",
    metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|^2$",
    expectation=True,
    where=(FIRST,),
    bound=v.L * (v.L * D_f**2 / v.T + (v.D + D_f**2 / v.D) * v.sigma_bar / sqrt(v.T)),
    forms=(wb.Form("Theorem 2.1", (FIRST, (size, STEP), (B, SUM)), "Theorem 2.1, constant steps"),),
    exponent=-1 / 2,
    schedule={"gamma": STEP},
    generic={v.L: 1, v.D: 1, v.sigma_bar: 1, v.Delta_1: 1},
)
State, Steps = wb.state("x"), wb.steps("gamma")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.gamma * oracle.grad(s.x, draw(0)))


X_1, FREE = 1.0, {"D": 1.0}  # D is free; the best one is D_f = |x_1| on the parabola


def level(T, L, sigma_bar, **_):
    gamma = FREE["D"] / (sigma_bar * np.sqrt(T))
    r, floor = (1 - gamma * L) ** 2, gamma * sigma_bar**2 / (L * (2 - gamma * L))
    return L**2 * (floor + (X_1**2 - floor) * (1 - r**T) / (T * (1 - r)))


STUDY = wb.Study(PAPER, metric="grad_sq_mean", view=wb.at_horizons, kind="compliant")
SHARED = {
    "start": {"x": X_1},
    "grid": {"until": [2.0**k for k in range(6, 13)]},
    "horizon": 2**12,
    "runs": wb.profile(2048, 4096, 8192),
}
RULE, ONE = Steps.of(THEOREM, **FREE), Steps.of(THEOREM, T=100.0, **FREE)
BOWL = {"problem": wb.problems.Quadratic(wb.Sphere(1.0)), **SHARED}
LOG = {"problem": wb.problems.Logarithm(wb.Sphere(1.0)), **SHARED}
SGD = STUDY.simulation(step, RULE, name="sgd", title="SGD on x^2 / 2", **BOWL)
BENT = STUDY.simulation(step, RULE, name="bent", title="SGD on log(1 + x^2) / 2", **LOG)
FIXED = STUDY.simulation(step, ONE, name="fixed", title="SGD, one step", wrong="step size of T = 100", **BOWL)
CURVE = STUDY.reading(THEOREM, SGD)
CLAIMS = (
    STUDY.constants(THEOREM, BENT, "log(1 + x^2) / 2"),
    *STUDY.exponents(THEOREM),
    *(STUDY.bound(THEOREM, "printed", sim) for sim in (SGD, BENT)),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(level, "level derived here")),
    STUDY.reading(THEOREM, FIXED).caught(),
)
