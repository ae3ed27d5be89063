"""Accelerated gradient descent: f(x_k) - f* <= 2 L |x_0 - x*|^2 / (k + 1)^2, and this constant is attained.

Source: Beck, Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems", SIAM J. Imaging
Sci. 2 (2009), Theorem 4.4 (without a nonsmooth part: Nesterov's method of 1983).

Level, derived here: let f be quadratic with curvature L for |x| <= w and linear outside, f' = L w. While x_k stays
outside, x_k = x_0 - w p_k, where p_k is the path of the method under the constant gradient L, and
f(x_k) = L w (x_0 - w p_k) - L w^2 / 2. The worst w is x_0 / (2 p_k + 1), then f(x_k) = L x_0^2 / (2 (2 p_k + 1)). Since
p_k is about k^2 / 8, this is 2 L x_0^2 / k^2: the bound. A worse function for every horizon (`until`) is needed: on a
single one the method is faster in the end. Falsifier: no momentum, that is gradient descent, p_k = k.
"""

import numpy as np

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Accelerated gradient descent", "Beck, Teboulle", "SIAM J. Imaging Sci. 2 (2009)")
THEOREM = PAPER.theorem(
    "thm-4.4",
    statement=r"$f(x_k) - f^* \le 2 L R^2 / (k + 1)^2$",
    metric="$f(x_T) - f^*$",
    metric_kind="last iterate",
    bound=2 * v.L * v.D_1**2 / (v.T + 1) ** 2,
    exponent=-2,
    schedule={"L": v.L},
    generic={v.L: 1, v.D_1: 1},
)
State = wb.state("x", "y", "theta")
Steps = wb.steps("L")


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"], xp.ones_like(start["x"]))


def step(s, t, c, oracle, draw, xp):
    x = s.y - oracle.grad(s.y, draw(0)) / c.L
    theta = (1.0 + xp.sqrt(1.0 + 4.0 * s.theta * s.theta)) / 2.0
    y = x + (s.theta - 1.0) / theta * (x - s.x)
    return State(x, y, theta)


def path(k, momentum):
    """How far k steps under the constant gradient L go."""
    x, y, theta = 0.0, 0.0, 1.0
    for _ in range(int(k)):
        new, following = y + 1.0, (1.0 + np.sqrt(1.0 + 4.0 * theta**2)) / 2.0
        x, y, theta = new, new + momentum * (theta - 1.0) / following * (new - x), following
    return x


def worst(momentum, grid, start):
    """The worst function for each horizon; x_k is recorded at mark k + 1."""
    width = np.vectorize(lambda T: 2.0 * path(T - 1.0, momentum) + 1.0)
    return wb.problems.Huber(wb.Sphere(0.0), w=start["x"] / width(grid["until"]))


def relative_gap(result):
    return result.table("gap") / result.constants["D_1"] ** 2


def attained(T, **known):
    """The bound itself at D_1 = 1; x_k is recorded at the mark T = k + 1."""
    return THEOREM.numeric()(**{**known, "T": T - 1.0, "D_1": 1.0})


STUDY = wb.Study(PAPER, metric="gap", view=wb.at_horizons, kind="compliant", shift=-1)
GIVEN = {
    "steps": Steps.of(THEOREM),
    "start": {"x": lambda grid: grid.random_start(0.5, 1.5)},
    "grid": {"until": [2.0**k + 1.0 for k in range(6, 14)]},
    "horizon": 8193,
    "runs": 32,
}
WORST = {"problem": lambda grid, start: worst(1.0, grid, start), "title": "Acceleration, worst function"}
FAST = STUDY.simulation(step, name="fast", **WORST, **GIVEN)
PLAIN = wb.Mutation("no momentum", "y", becomes="x")
OTHER = {"problem": lambda grid, start: worst(0.0, grid, start), "title": "No momentum"}
SLOW = STUDY.simulation(step, name="slow", mutation=PLAIN, **OTHER, **GIVEN)
CURVE = STUDY.reading(THEOREM, FAST)
CLAIMS = (
    STUDY.constants(THEOREM, FAST, "the Huber function"),
    *STUDY.exponents(THEOREM),
    STUDY.bound(THEOREM, "printed", FAST),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(attained, "the bound", metric=relative_gap)),
    STUDY.reading(THEOREM, SLOW).caught(),
)
