"""SGD on a strongly convex function: E f(x_t) - f* <= nu / (gamma + t) with steps beta / (gamma + t).

Source: Bottou, Curtis, Nocedal, "Optimization Methods for Large-Scale Machine Learning", SIAM Review 60 (2018),
Theorem 4.7, for unbiased gradients with variance at most sigma^2 (their M = sigma^2, M_G = 1; mu is their c): if
beta > 1/mu and beta / (gamma + 1) <= 1/L, nu = max(beta^2 L sigma^2 / (2 (beta mu - 1)), (gamma + 1) (f(x_1) - f*)).

Level, derived here: on f = L x^2 / 2 with mu = L, e_t = E x_t^2 obeys e_{t+1} = (1 - L a)^2 e_t + a^2 sigma^2 with
a = beta / (gamma + t). The ansatz e_t = K / t gives K (2 beta L - 1) = beta^2 sigma^2. The theorem has beta mu - 1 in
place of beta L - 1/2 and is loose by a factor 3 for beta = 2/L. With beta < 1/(2 mu) the start is forgotten like
T^(-2 beta mu) only (Nemirovski et al., SIAM J. Optim. 19 (2009), section 2.1): the falsifier, beta = 1/(4 L).
"""

from sympy import Max, Symbol

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "SGD, strongly convex", "Bottou, Curtis, Nocedal", "SIAM Review 60 (2018)")
beta, nu = Symbol("beta", positive=True), Symbol("nu")
NU = Max(beta**2 * v.L * v.sigma_bar**2 / (2 * (beta * v.mu - 1)), (v.gamma + 1) * v.Delta_1)
THEOREM = PAPER.theorem(
    "thm-4.7",
    statement=r"$\mathbb{E} f(x_T) - f^* \le \nu / (\gamma + T)$",
    source="Theorem 4.7",
    metric="$f(x_T) - f^*$",
    expectation=True,
    where=((nu, NU),),
    bound=nu / (v.gamma + v.T),
    exponent=-1,
    schedule={"beta": beta, "gamma": v.gamma},
    generic={v.L: 2, v.mu: 2, beta: 1, v.gamma: 1, v.sigma_bar: 1, v.Delta_1: 1},
    conditions=[
        (beta * v.mu > 1, "beta > 1/mu"),
        (beta * v.L <= v.gamma + 1, "beta / (gamma + 1) <= 1/L"),
    ],
)
LEVEL = v.L / 2 * beta**2 * v.sigma_bar**2 / ((2 * beta * v.L - 1) * v.T)  # the ansatz K / t
State, Steps = wb.state("x"), wb.steps("beta", "gamma")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.beta / (c.gamma + t) * oracle.grad(s.x, draw(0)))


STUDY = wb.Study(PAPER, metric="gap", known=lambda result: result.steps)
SHARED = {
    "problem": wb.problems.Quadratic(wb.Sphere(1.0), L=2.0),
    "start": {"x": [0.1] * 16},
    "horizon": wb.profile(10_000, 30_000, 100_000),
    "runs": 2048,
}
RULE, SHORT = Steps.of(THEOREM, beta=1.0, gamma=1.5), Steps(beta=0.125, gamma=1.5)
SGD = STUDY.simulation(step, RULE, name="sgd", title="SGD, beta = 2/L", kind="compliant", **SHARED)
SLOW = STUDY.simulation(
    step, SHORT, name="slow", title="SGD, beta = 1/(4 L)", wrong="beta below 1/(2 mu)", **SHARED
)
CURVE = STUDY.reading(THEOREM, SGD)
CLAIMS = (
    STUDY.constants(THEOREM, SGD, "the parabola"),
    *STUDY.exponents(THEOREM),
    STUDY.bound(THEOREM, "printed", SGD),
    *(CURVE.rate(), CURVE.tight(), CURVE.level(LEVEL, "level derived here", rtol=0.05)),
    STUDY.reading(THEOREM, SLOW).caught(),
)
