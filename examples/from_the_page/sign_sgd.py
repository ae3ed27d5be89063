"""signSGD on [-1, 1] with the gradients 4 (chance 1/4) and -1: their mean is 1/4, so -1 is the minimizer, and signSGD
goes to +1 (Karimireddy, Rebjock, Stich, Jaggi, ICML 2019, Counterexample 1; from memory)."""

from dataclasses import dataclass
from typing import ClassVar

import workbench as wb

State = wb.state("x")


def step(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0), xp=xp)
    return State(wb.ops.clip(s.x - wb.ops.sign(g, xp) / xp.sqrt(t), -1.0, 1.0, xp))


@dataclass(frozen=True)
class Line:
    COSTS: ClassVar = {"grad": {"gradient": 1}}
    RECORD: ClassVar = {"x": ("last", "mean")}

    def grad(self, x, xi, xp):
        return 5.0 * wb.ops.indicator(xi.uniform(1) < 0.25, xp) - 1.0 + 0.0 * x

    def metrics(self, s, t, xp):
        return {"x": s.x}


STUDY = wb.Study(__name__, "signSGD", metric="x", view=wb.as_recorded)
PARTS = {"problem": Line(), "start": {"x": 0.0}, "horizon": 10_000, "runs": 1024}
SIGN = STUDY.simulation(step, title="signSGD", **PARTS)
PLAIN = STUDY.simulation(
    step,
    name="sgd",
    title="SGD",
    mutation=wb.Mutation(
        "no sign", "return", becomes="State(wb.ops.clip(s.x - g / xp.sqrt(t), -1.0, 1.0, xp))"
    ),
    **PARTS,
)
X = STUDY.reading("x", SIGN)
CLAIMS = (
    X.misses(to=-1),
    X.limit(to=-1, refutes="the descent of signSGD"),
    X.limit(to=1, within=0.05),
    STUDY.reading("x", PLAIN, metric=lambda result: result.table("x") + 1, claimed=-1 / 2, tol=0.05).rate(),
)
