"""PAGE: E|grad f|^2 of a uniform iterate is at most 2 Delta/(eta T), with full gradients in a share p of the steps.

Source: Li, Bao, Zhang, Richtarik, "PAGE: A Simple and Optimal Probabilistic Gradient Estimator for Nonconvex
Optimization", ICML 2021, Theorem 1; from memory. Finite sum of n = 16, batches of one, p = 1/(n + 1), step 1/(L (1 +
sqrt((1 - p)/p))) = 1/(5 L), L the largest smoothness constant; started with a full gradient.

Constant, derived here: the sum of all E|grad f|^2 converges on a strongly convex sum, so that the mean is of exact
order 1/T, whatever the rate. Near misses: T^-1.1, full gradients that never come, where the
estimator's error stays.
"""

import workbench as wb

v, P = wb.vocabulary, 1 / 17
PAPER = wb.Paper(__name__, "PAGE", "Z. Li, H. Bao, X. Zhang, P. Richtarik", "ICML 2021")
THEOREM = PAPER.theorem(
    "thm-1",
    statement=r"The mean of $|\nabla f(x_t)|^2$ is at most $2 \Delta/(\eta T)$",
    metric=r"mean of $|\nabla f(x_t)|^2$",
    expectation=True,
    bound=2 * v.Delta_1 / (v.eta * v.T),
    exponent=-1,
    schedule={"eta": v.eta},
    generic={v.Delta_1: 1, v.eta: 1 / 5},
)
State, Steps = wb.state("x", "g"), wb.steps("eta")


def init(start, c, oracle, draw, xp):
    return State(start["x"], oracle.full_grad(start["x"], xp=xp))


def step(s, t, c, oracle, draw, xp):
    x = s.x - c.eta * s.g
    full = draw(1).uniform(1) < P
    update = s.g + oracle.grad(x, draw(0)) - oracle.grad(s.x, draw(0))
    return State(x, xp.where(full, oracle.full_grad(x, xp=xp), update))


L = 1.5  # the largest curvature of a component
STUDY = wb.Study(
    PAPER, metric="grad_sq_mean", view=wb.as_recorded, kind="compliant", since=0.05, known=lambda r: r.steps
)
PARTS = {
    "steps": Steps.of(THEOREM, eta=1 / (5 * L)),
    "problem": wb.problems.QuadraticSum(n=16, h=0.5),
    "start": {"x": 4 * [1.0]},
    "horizon": wb.profile(10_000, 30_000, 100_000),
    "runs": 1024,
}
PAGE = STUDY.simulation(step, name="page", **PARTS)
NEVER = wb.Mutation("full gradients never come", "full", part="P", becomes="0.0")
BIASED = STUDY.simulation(step, name="never", title="No full gradients", mutation=NEVER, **PARTS)
CURVE, WRONG = (STUDY.reading(THEOREM, sim) for sim in (PAGE, BIASED))
CLAIMS = (
    *STUDY.exponents(THEOREM),
    STUDY.bound(THEOREM, "printed", PAGE),
    CURVE.rate(),
    CURVE.tight(),
    CURVE.caught(claimed=-1.1),
    WRONG.caught(),
)
