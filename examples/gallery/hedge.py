"""Hedge: the regret against the best of K experts is at most 2 sqrt(T log(K)/2) + sqrt(log(K)/8), for every T at once.

Sources: Freund, Schapire, J. Comput. Syst. Sci. 55 (1997); Cesa-Bianchi, Lugosi, "Prediction, Learning, and Games"
(2006), Theorem 2.3 (weights exp(-eta_t L), eta_t = sqrt(8 log(K)/t), losses in [0, 1]); from memory. K = 2.

Level, derived here: with fair losses 0 or 1, independent for both experts, every method has the mean loss 1/2 per
round, and the better expert gains E|L_1 - L_2|/2 = sqrt(T/(4 pi)): no method is of a smaller order. Losses (1/2, 0),
then (0, 1), (1, 0), (0, 1), ... make the leader of so far lose 1 in almost every round. Near misses: T^0.4, two thirds
of the level; to follow the leader.
"""

from dataclasses import dataclass
from math import log, pi
from typing import ClassVar

import workbench as wb

State = wb.state("one", "two", "loss")  # losses of both experts and of the method, so far


def step(s, t, c, oracle, draw, xp):
    eta = xp.sqrt(8.0 * log(2) / t)
    weight = 1.0 / (1.0 + xp.exp(-eta * (s.two - s.one)))  # of the first expert
    one, two = oracle.losses(t, draw(0), xp=xp)
    return State(s.one + one, s.two + two, s.loss + weight * one + (1.0 - weight) * two)


@dataclass(frozen=True)
class Coins:
    """Fair losses of both experts; recorded is the regret."""

    COSTS: ClassVar = {"losses": {"round": 1}}
    RECORD: ClassVar = {"regret": ("last",)}

    def losses(self, t, xi, xp):
        both = (xi.sign(2) + 1.0) / 2.0
        return both[:, 0:1], both[:, 1:2]

    def metrics(self, s, t, xp):
        return {"regret": s.loss - wb.ops.minimum(s.one, s.two, xp)}


@dataclass(frozen=True)
class Alternating(Coins):
    """The losses on which the leader changes in every round."""

    def losses(self, t, xi, xp):
        odd = xp.astype(t % 2 == 1, xp.float64) + xi.sign(1) * 0.0
        return xp.where(t == 1, 0.5 * odd, odd), 1.0 - odd


STUDY = wb.Study(__name__, "Hedge", metric="regret", view=wb.iterates())
PARTS = {"start": {"one": 0.0, "two": 0.0, "loss": 0.0}, "horizon": wb.profile(20_000, 100_000, 300_000)}
HEDGE = STUDY.simulation(step, problem=Coins(), name="coins", runs=16_384, **PARTS)
LEADER = wb.Mutation("follow the leader", "weight", becomes="wb.ops.indicator(s.one < s.two, xp)")
PARTS |= {"problem": Alternating(), "runs": 64}
GOOD = STUDY.simulation(step, name="alternating", title="Alternating", **PARTS)
BAD = STUDY.simulation(step, name="leader", title="The leader", mutation=LEADER, **PARTS)
CURVE, LEVEL = STUDY.reading("thm-2.3", HEDGE, claimed=0.5), (1 / (4 * pi)) ** 0.5
CLAIMS = (
    CURVE.rate(),
    CURVE.level(lambda T, **_: LEVEL * T**0.5, "sqrt(T/(4 pi))", rtol=0.05),
    STUDY.reading("thm-2.3", GOOD, claimed=0.5).rate(),
    CURVE.caught(claimed=0.4),
    CURVE.level(lambda T, **_: LEVEL / 1.5 * T**0.5, "two thirds of it").caught(),
    STUDY.reading("thm-2.3", BAD, claimed=0.5).caught(),
)
