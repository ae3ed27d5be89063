"""SGD on |x|^2/2 in d dimensions with random sparsification (one coordinate kept, times d): the stationary E|x|^2 is
eta s^2 d/(2 - eta d) for noise of variance s^2 in all: of order d at a horizon (Alistarh et al. 2017; derived here)."""

import workbench as wb

State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    d = s.x.shape[-1]
    g = oracle.grad(s.x, draw(0))
    i = draw(1).index(d, 1)
    kept = wb.ops.add_at(xp.zeros_like(g), i, d * wb.ops.entry(g, i, xp), xp)
    return State(s.x - c.eta * kept)


STUDY = wb.Study(__name__, "Random sparsification", metric="gap", view=wb.as_recorded)
BY_D = {
    d: STUDY.simulation(
        step,
        Steps(eta=0.001),
        problem=wb.problems.Quadratic(wb.Sphere(1.0)),
        start={"x": d * [0.0]},
        horizon=2000,
        runs=4096,
        name=f"d{d}",
        title="Sparsified SGD",
    )
    for d in (1, 2, 4, 8, 16, 32, 64)
}


def level(T, **_):
    factor = 1 - 2 * 0.001 + 0.001**2 * T
    return 0.001 * T / (2 - 0.001 * T) * (1 - factor**1999) / 2


IN_D = STUDY.along("d", BY_D, "dimension", claimed=1)
CLAIMS = (
    IN_D.level(level, "eta d/(2 (2 - eta d))"),
    IN_D.caught(claimed=1 / 2),
)
