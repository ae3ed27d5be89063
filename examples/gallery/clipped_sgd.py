"""Clipped SGD with heavy tails: E x_T^2 is of order T^(-2 (a - 1)/a) where only E|noise|^a, 1 < a < 2, is finite.

Sources: Zhang, Karimireddy, Veit, Kim, Reddi, Kumar, Sra, "Why are Adaptive Methods Good for Attention Models?",
NeurIPS 2020, Theorems 4 and 5 (strongly convex f; no method is faster); from memory. f = x^2/2, Pareto noise with
P(|noise| > r) = r^-a, a = 3/2 (its moments below 3/2 are finite), steps 2/(t + 8), gradients clipped at t^(1/a).

Level, derived here: noise that is clipped at r has the variance 4 r^1/2 - 3, here 4 t^1/3 - 3, so that E x^2 follows v
<- (1 - 2/(t + 8))^2 v + 4/(t + 8)^2 (4 t^1/3 - 3), about 4.8 T^-2/3. Near misses: the rate of bounded noise, 1/T; 1.5
times the level; a clip at t.
"""

from typing import ClassVar

import numpy as np

import workbench as wb

INDEX = 1.5
State, Steps = wb.state("x"), wb.steps("power")


def step(s, t, c, oracle, draw, xp):
    gradient = oracle.grad(s.x, draw(0))
    level = wb.ops.power(t, c.power, xp)
    return State(s.x - 2.0 / (t + 8.0) * wb.ops.clip(gradient, -level, level, xp))


STUDY = wb.Study(__name__, "Clipped SGD", metric="square", view=wb.as_recorded)


class Square(wb.problems.Quadratic):
    """f = x^2/2; recorded is x^2."""

    RECORD: ClassVar = {"square": ("last",)}

    def metrics(self, s, t, xp):
        return {"square": wb.ops.sq(s.x, xp)}


def level(T, **_):
    """v_t at t = T, from v_1 = 1."""
    v, out = 1.0, {}
    for t in range(1, int(max(T)) + 1):
        out[t] = v
        v = (1 - 2 / (t + 8)) ** 2 * v + 4 / (t + 8) ** 2 * (4 * t ** (1 / 3) - 3)
    return np.array([out[int(t)] for t in T])


PARTS = {
    "problem": Square(wb.instances.Pareto(INDEX)),
    "start": {"x": 1.0},
    "horizon": wb.profile(20_000, 100_000, 300_000),
}
CLIPPED = STUDY.simulation(step, Steps(power=1 / INDEX), name="clipped", runs=131_072, **PARTS)
LOOSE = STUDY.simulation(
    step, Steps(power=1.0), name="loose", title="Clip at t", wrong="a clip at t", runs=4096, **PARTS
)
CURVE = STUDY.reading("thm-4", CLIPPED, claimed=-2 / 3, tol=0.05)
CLAIMS = (
    CURVE.rate(),
    CURVE.level(level, "the recursion", rtol=0.05),
    CURVE.caught(claimed=-1),
    CURVE.level(lambda T, **_: 1.5 * level(T), "1.5 times that").caught(),
    STUDY.reading("thm-4", LOOSE).level(level, "the recursion", rtol=0.05).caught(),
)
