"""AdaGrad-Norm on a smooth function: mean of |grad f|^2 is O(1/T) without noise, O(log T / sqrt T) with it.

Source: Ward, Wu, Bottou, "AdaGrad Stepsizes: Sharp Convergence over Nonconvex Landscapes", JMLR 21 (2020), Theorem 2.1
(noise; its constant is written C here) and Theorem 2.2 (no noise, case b_0 >= eta L), for x_{t+1} = x_t - eta g_t / b_t
with b_t^2 = b_0^2 + |g_1|^2 + ... + |g_t|^2.

Constant without noise, derived here for the mean (it bounds the minimum): if b_0 >= eta L the descent inequality gives
sum |g_t|^2 / b_t <= 2 Delta_1 / eta =: S. Since b_t - b_{t-1} <= |g_t|^2 / b_t, b_T <= b_0 + S, so that
sum |g_t|^2 <= b_T S <= (b_0 + S) S.

Level with noise, derived here: on f = L x^2 / 2 the steps become eta / (sigma sqrt t), and x_t has the second moment of
SGD with that step, eta sigma / (2 L sqrt t). So the mean of |grad f|^2 is L eta sigma / sqrt T, without the logarithm.
Falsifier: b_t forgets what it has summed and is the last gradient's size: the steps do not become short.
"""

from sympy import Symbol, log, sqrt

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "AdaGrad-Norm", "Ward, Wu, Bottou", "JMLR 21 (2020)")
b_0, C, S_T = Symbol("b_0", positive=True), Symbol("C", positive=True), Symbol("S_T", nonnegative=True)
COMMON = {
    "metric": r"mean over $t \le T$ of $\|\nabla f(x_t)\|^2$",
    "expectation": True,
    "schedule": {"eta": v.eta, "b_0": b_0},
    "generic": {v.L: 1, v.eta: 1, b_0: 1, v.Delta_1: 1, C: 1},
}
EXACT = PAPER.theorem(
    "thm-2.2",
    statement=r"Without noise the mean of $\|\nabla f(x_t)\|^2$ is $O(1/T)$",
    where=((S_T, 2 * v.Delta_1 / v.eta),),
    bound=(b_0 + S_T) * S_T / v.T,
    exponent=-1,
    conditions=[(b_0 >= v.eta * v.L, "b_0 >= eta L")],
    **COMMON,
)
NOISY = PAPER.theorem(
    "thm-2.1",
    statement=r"With noise it is $O(\log T / \sqrt{T})$",
    bound=C * log(v.T) / sqrt(v.T),
    exponent=-1 / 2,
    **COMMON,
)
State = wb.state("x", "b_sq")
Steps = wb.steps("eta", "b_0")


def init(start, c, oracle, draw, xp):
    return State(start["x"], wb.ops.column(c.b_0 * c.b_0, start["x"], xp))


def step(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    b_sq = s.b_sq + wb.ops.sq(g, xp)
    return State(s.x - c.eta / xp.sqrt(b_sq) * g, b_sq)


STUDY = wb.Study(PAPER, metric="grad_sq_mean", view=wb.window_means, known=lambda result: result.steps)
SHARED = {
    "start": {"x": lambda grid: grid.random_start(0.5, 2.0)},
    "horizon": wb.profile(20_000, 50_000, 200_000),
    "runs": 2048,
}
BENT = {"problem": wb.problems.Logarithm(), "title": "No noise, log(1 + x^2) / 2", **SHARED}
BOWL = {"problem": wb.problems.Quadratic(wb.Sphere(1.0)), **SHARED}
QUIET = STUDY.simulation(step, Steps.of(EXACT, eta=1.0, b_0=1.0), name="quiet", kind="compliant", **BENT)
SGD = STUDY.simulation(step, Steps(1.0, 1.0), name="noisy", title="Noise, x^2 / 2", **BOWL)
WRONG = wb.Mutation("b forgets", "b_sq", becomes="c.b_0 * c.b_0 + wb.ops.sq(g, xp)")
LONG = STUDY.simulation(step, Steps(1.0, 1.0), name="long", title="b forgets", mutation=WRONG, **BOWL)
CURVE = STUDY.reading(NOISY, SGD)
LEVEL = v.L * v.eta * v.sigma_bar / sqrt(v.T)
CLAIMS = (
    STUDY.constants(EXACT, QUIET, "log(1 + x^2) / 2"),
    *(*STUDY.exponents(EXACT), *STUDY.exponents(NOISY), STUDY.bound(EXACT, "printed", QUIET)),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(LEVEL, "level derived here", rtol=0.05)),
    STUDY.reading(NOISY, LONG).caught(),
)
