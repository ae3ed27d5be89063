"""SGD with steps eta / sqrt(t) on a noisy quadratic: its gradient norm falls like T^-1/4, and no faster."""

import workbench as wb

State = wb.state("x")
Steps = wb.steps("eta")


def step(s, t, c, oracle, draw, xp):  # my algorithm
    return State(s.x - c.eta / xp.sqrt(t) * oracle.grad(s.x, draw(0)))


STUDY = wb.Study(__name__, "SGD", metric="grad_norm_mean", view=wb.window_means)
SGD = STUDY.simulation(
    step,
    Steps(eta=1.0),
    problem=lambda p: wb.problems.Quadratic(wb.Sphere(p["sigma"])),
    start={"x": 1.0},
    grid={"sigma": [1.0]},
    horizon=300_000,
    runs=256,
)
CURVE = STUDY.reading("rate", SGD, sigma=1.0, claimed=-1 / 4)
CLAIMS = (CURVE.tight(), CURVE.caught(claimed=-1 / 2))
