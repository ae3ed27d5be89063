"""STORM with constant parameters: the mean of E|grad f(x_t)|^2 falls like T^-2/3, that of the norm like T^-1/3.

Source: Cutkosky, Orabona, "Momentum-Based Variance Reduction in Non-Convex SGD", NeurIPS 2019, Theorem 1 (for steps
that adapt to the gradients, with logarithms). Here eta = k T^-1/3 / L, a = 4 L^2 eta^2 and d_1 from a batch of T^1/3
samples: the constants are derived here.

With e_t = d_t - grad f(x_t) and eta <= 1/(4 L), f(x_{t+1}) <= f(x_t) - eta/2 (|grad f|^2 + |d_t|^2/2 - |e_t|^2)
and E|e_{t+1}|^2 <= (1 - a) E|e_t|^2 + 2 L^2 eta^2 E|d_t|^2 + 2 a^2 sigma^2, as each sample is L-smooth. The sum of f
and eta/(2 a) |e|^2 no longer has |e_t|^2 and |d_t|^2 in it, and the mean of E|grad f|^2 is at most
2 Delta_1 / (eta T) + sigma^2 / (a T B) + 2 a sigma^2.

Level, derived here: on L x^2 / 2 with additive noise e_{t+1} = (1 - a) e_t + a noise does not depend on x, and
x_{t+1} = (1 - L eta) x_t - eta e_t: the second moments of (x, e) obey a linear recursion, which is summed here.
Falsifier: d_t = g_t, that is SGD with this step size, whose noise is L eta sigma^2 / 2: T^-1/3.
"""

import numpy as np
from sympy import Symbol, cbrt

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "STORM", "Cutkosky, Orabona", "NeurIPS 2019")
k, ETA, A = (Symbol(name, positive=True) for name in ("k", "eta_T", "a"))
STEP, BATCH = k / (v.L * cbrt(v.T)), cbrt(v.T)
THEOREM = PAPER.theorem(
    "thm-1",
    statement=r"The mean of $\mathbb{E}\|\nabla f(x_t)\|^2$ is $O(T^{-2/3})$",
    source="derived above, after Theorem 1",
    metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|^2$",
    expectation=True,
    form="derived here",
    where=((ETA, STEP), (A, 4 * v.L**2 * ETA**2)),
    bound=2 * v.Delta_1 / (ETA * v.T) + v.sigma_bar**2 / (A * v.T * BATCH) + 2 * A * v.sigma_bar**2,
    exponent=-2 / 3,
    schedule={"eta": STEP, "a": 4 * v.L**2 * STEP**2, "B": BATCH},
    generic={v.L: 1, k: 1 / 4, v.sigma_bar: 1, v.Delta_1: 1},
    conditions=[(4 * k <= cbrt(v.T), "eta <= 1/(4 L)")],
)
State, Steps = wb.state("x", "d"), wb.steps("eta", "a", "B")


def init(start, c, oracle, draw, xp):
    return State(start["x"], oracle.batch(start["x"], c.B, draw(0), xp=xp))


def step(s, t, c, oracle, draw, xp):
    xi = draw(0)
    x = s.x - c.eta * s.d
    d = oracle.grad(x, xi) + (1.0 - c.a) * (s.d - oracle.grad(s.x, xi))
    return State(x, d)


X_1, FREE = 1.5, {"k": 0.35}


def level(T, L, sigma_bar, **_):
    """The recursion of E x^2, E x e, E e^2, for all horizons at once."""
    c = Steps(**THEOREM.steps(L=L, T=T, **FREE))
    r, q, total = 1 - L * c.eta, 1 - c.a, 0.0
    x, cross, e = X_1**2, 0.0, sigma_bar**2 / c.B
    for t in range(int(max(T))):
        total = total + np.where(t < T, L**2 * x / T, 0.0)
        x, cross = r**2 * x - 2 * r * c.eta * cross + c.eta**2 * e, q * (r * cross - c.eta * e)
        e = q**2 * e + c.a**2 * sigma_bar**2
    return np.ravel(total)


STUDY = wb.Study(PAPER, metric="grad_sq_mean", view=wb.at_horizons, kind="compliant")
SIZE = {
    "horizon": 2**12,
    "runs": wb.profile(2048, 4096, 8192),
    "grid": {"until": [2.0**j for j in range(6, 13)]},
}
SHARED = {"steps": Steps.of(THEOREM, **FREE), "start": {"x": X_1}, **SIZE}
BOWL = {"problem": wb.problems.Quadratic(wb.Sphere(1.0)), **SHARED}
STORM = STUDY.simulation(step, name="storm", title="STORM, x^2 / 2", **BOWL)
LOG = {"problem": wb.problems.Logarithm(wb.Sphere(1.0)), **SHARED}
BENT = STUDY.simulation(step, name="bent", title="STORM, log(1 + x^2) / 2", **LOG)
WRONG = wb.Mutation("plain SGD", "d", becomes="oracle.grad(x, xi)")
PLAIN = STUDY.simulation(step, name="plain", title="d_t = g_t", mutation=WRONG, **BOWL)
CURVE = STUDY.reading(THEOREM, STORM)
CLAIMS = (
    STUDY.constants(THEOREM, BENT, "log(1 + x^2) / 2"),
    *STUDY.exponents(THEOREM),
    *(STUDY.bound(THEOREM, "derived here", sim) for sim in (STORM, BENT)),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(level, "level derived here", rtol=0.05)),
    STUDY.count(THEOREM, STORM, "gradient", 2),
    STUDY.reading(THEOREM, PLAIN).caught(),
)
