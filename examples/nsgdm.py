"""Normalised SGD with momentum: the mean of E|grad f(x_t)| falls like T^-1/4, with one sample per iteration.

Source: Cutkosky, Mehta, "Momentum Improves Normalized SGD", ICML 2020, Theorem 1: m_t = (1 - a) m_{t-1} + a g_t,
x_{t+1} = x_t - eta m_t / |m_t|, a = min(1, sqrt(R L) / (sigma sqrt T)), eta = sqrt(R a / (L T)), R >= f(x_1) - f*.

Constants derived here, not those printed: with e_t = m_t - grad f(x_t) the descent inequality gives
eta |grad f| <= f(x_t) - f(x_{t+1}) + 2 eta |e_t| + L eta^2 / 2, and m_1 = g_1 with e_t = (1 - a) (e_{t-1} + change of
the gradient, at most L eta) + a noise gives E|e_t| <= (1 - a)^(t-1) sigma + sigma sqrt a + L eta / a. So the mean is
at most R / (eta T) + L eta / 2 + 2 sigma / (a T) + 2 sigma sqrt a + 2 L eta / a.

Tight on x^2 / 2: for small a, m / (sigma sqrt a) and L x / (sigma sqrt a) follow a limit process without any parameter
(L eta = sigma a^(3/2) by the choice of a and eta), so |grad f| is a number times sigma sqrt a, T^-1/4; there is no
closed form for the number. Falsifier: steps shorter by the factor a, which do not arrive.
"""

from sympy import Min, Symbol, sqrt

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Normalised SGD with momentum", "Cutkosky, Mehta", "ICML 2020")
A, ETA, R = (Symbol(name, positive=True) for name in ("a", "eta_T", "R"))
MOMENTUM = Min(1, sqrt(R * v.L / v.T) / v.sigma_bar)
STEP = sqrt(R * MOMENTUM / (v.L * v.T))
ERROR = v.sigma_bar / (A * v.T) + v.sigma_bar * sqrt(A) + v.L * ETA / A
THEOREM = PAPER.theorem(
    "thm-1",
    statement=r"The mean of $\mathbb{E}\|\nabla f(x_t)\|$ is $O(T^{-1/4})$, and $O(T^{-1/2})$ without noise",
    metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|$",
    expectation=True,
    form="derived here",
    where=((A, MOMENTUM), (ETA, STEP)),
    bound=R / (ETA * v.T) + v.L * ETA / 2 + 2 * ERROR,
    exponent=-1 / 4,
    schedule={"a": MOMENTUM, "eta": STEP},
    generic={v.L: 1, v.sigma_bar: 1, R: 1},
)
State = wb.state("x", "m")
Steps = wb.steps("a", "eta")


def init(start, c, oracle, draw, xp):
    return State(start["x"], xp.zeros_like(start["x"]))


def step(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = xp.where(t > 1.0, (1.0 - c.a) * s.m + c.a * g, g)
    x = s.x - c.eta * wb.ops.unit(m, xp)
    return State(x, m)


FREE = {"R": 1.0}  # at least f(x_1) - f*
STUDY = wb.Study(PAPER, metric="grad_norm_mean", view=wb.at_horizons, kind="compliant")
SHARED = {
    "steps": Steps.of(THEOREM, **FREE),
    "start": {"x": 0.25},
    "grid": {"until": [2.0**k for k in range(6, 14)]},
    "horizon": 2**13,
}
MANY, FEW = wb.profile(4096, 4096, 8192), wb.profile(256, 512, 1024)
BOWL = {"problem": wb.problems.Quadratic(wb.Sphere(0.5)), **SHARED}
LOG = {"problem": wb.problems.Logarithm(wb.Sphere(0.5)), **SHARED}
NSGDM = STUDY.simulation(step, runs=MANY, name="nsgdm", title="Momentum, x^2 / 2", **BOWL)
BENT = STUDY.simulation(step, runs=FEW, name="bent", title="Momentum, log(1 + x^2) / 2", **LOG)
SHORT = wb.Mutation("short steps", "x", becomes="c.eta * c.a", part="c.eta")
NSGD = STUDY.simulation(step, runs=FEW, name="short", title="Short steps", mutation=SHORT, **BOWL)
CURVE = STUDY.reading(THEOREM, NSGDM)
CLAIMS = (
    STUDY.constants(THEOREM, BENT, "log(1 + x^2) / 2"),
    *STUDY.exponents(THEOREM),
    *(STUDY.bound(THEOREM, "derived here", sim) for sim in (NSGDM, BENT)),
    *(CURVE.rate(), CURVE.tight()),
    STUDY.reading(THEOREM, NSGD).caught(),
)
