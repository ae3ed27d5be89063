"""Decentralized gradient descent on a ring of n = 8 agents with constant steps does not tend to the minimizer: its
distance is of order eta (Yuan, Ling, Yin, SIAM J. Optim. 2016; from memory). f_i = a_i (x - b_i)^2/2."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

import workbench as wb

N = 8
A = np.array([1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 1.0, 1.0])
B = np.array([1.0, 0.0, -1.0, 2.0, 0.0, 1.0, -2.0, 0.5])
W = np.eye(N) / 2 + (np.roll(np.eye(N), 1, 0) + np.roll(np.eye(N), -1, 0)) / 4
BEST = float((A * B).sum() / A.sum())
State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(wb.ops.matvec(xp.asarray(W), s.x, xp) - c.eta * oracle.grad(s.x, draw(0)))


@dataclass(frozen=True)
class Ring:
    """Agents are coordinates; recorded is the distance of the mean to the minimizer, and the mean."""

    COSTS: ClassVar = {"grad": {"gradient": 1}}
    RECORD: ClassVar = {"mean": ("last",), "distance": ("last",)}
    a: object = field(default_factory=lambda: A)
    b: object = field(default_factory=lambda: B)

    def grad(self, x, xi, xp):
        return self.a * (x - self.b)

    def metrics(self, s, t, xp):
        mean = wb.ops.rowsum(s.x, xp) / N
        return {"mean": mean, "distance": xp.abs(mean - BEST)}


STUDY = wb.Study(__name__, "Decentralized gradient descent", metric="distance", view=wb.as_recorded)
SIZES = [10.0 * 2.0**k for k in range(10)]
DGD = STUDY.simulation(
    step,
    lambda p, s, g: Steps(eta=1 / g["n"]),
    problem=Ring(),
    start={"x": N * [0.0]},
    grid={"n": SIZES},
    horizon=80_000,
    runs=32,
    title="DGD",
)


def limit(eta):
    return float(np.linalg.solve(np.eye(N) - W + eta * np.diag(A), eta * A * B).mean())


CURVE = STUDY.reading("to the minimizer", DGD, n=10.0, metric="mean")
IN_N = STUDY.along("n", DGD, "order of eta", claimed=-1)
CLAIMS = (
    CURVE.misses(to=BEST),
    CURVE.limit(to=limit(0.1)),
    IN_N.level(lambda T, **_: np.array([abs(limit(1 / n) - BEST) for n in T]), "distance of the fixed point"),
    IN_N.level(
        lambda T, **_: 1.5 * np.array([abs(limit(1 / n) - BEST) for n in T]), "1.5 times that"
    ).caught(),
)
