"""Simultaneous gradient descent-ascent on a strongly convex, strongly concave saddle: |z_t - z*|^2 falls by a factor
(1 - eta mu)^2 + eta^2 b^2 a step, exactly on mu/2 |x|^2 + b <x, y> - mu/2 |y|^2 (textbook; derived here)."""

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Descent-ascent on a strong saddle", "folklore", "textbook")
State, Steps = wb.state("x", "y"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    gx, gy = oracle.grad(s.x, s.y, draw(0))
    return State(s.x - c.eta * gx, s.y + c.eta * gy)


ETA, MU, B = 0.1, 0.5, 1.0
FACTOR = (1 - ETA * MU) ** 2 + (ETA * B) ** 2
STUDY = wb.Study(PAPER, metric="saddle_sq", view=wb.as_recorded)
SADDLE = wb.problems.StrongSaddle(b=B, mu=MU, mu_x=MU)
PARTS = {"problem": SADDLE, "start": {"x": [1.0, 0.5], "y": [0.3, -1.0]}, "horizon": 300, "runs": 32}
GDA = STUDY.simulation(step, Steps(eta=ETA), title="GDA", **PARTS)
LONG = STUDY.simulation(
    step, Steps(eta=1.0), name="long", title="GDA, steps 1", wrong="too long steps", **PARTS
)
CURVE = STUDY.reading("linear", GDA)
CLAIMS = (
    CURVE.geometric(factor=FACTOR),
    CURVE.geometric(factor=0.99 * FACTOR, or_faster=True).caught(),
    STUDY.reading("linear", LONG).geometric().caught(),
    STUDY.reading("linear", LONG).diverges(),
)
