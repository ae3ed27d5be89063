"""ADMM: |w_(k+1) - w_k|^2 <= C/(k + 1) without averages, and no better: the worst angle is another one at each k.

Source: He, Yuan, "On non-ergodic convergence rate of Douglas-Rachford alternating direction method of multipliers",
Numer. Math. 130 (2015), Theorem 6.1; from memory. Two lines in the plane that meet at the angle theta: minimize 0 over
x in the first, z in the second, x = z; penalty 1; w = (z, dual).

Level, derived here: ADMM is the Douglas-Rachford operator, a turn by theta with a factor cos theta. So |w_(k+1) -
w_k|^2 = sin^2 theta cos^(2 k) theta for |w_0| = 1, at most about 1/(e k), at tan^2 theta = 1/k: a supremum over
instances at each k, while each of them has a linear rate. Near misses: the exponent, 1.5 times the constant, one
angle for all k, and a multiplier that moves by a tenth.
"""

from math import e, sqrt

import workbench as wb

STUDY = wb.Study(__name__, "ADMM")
TANGENTS = [1.15**-j for j in range(8, 70)]  # squares of tan theta


def change(share):
    """|w_(k+1) - w_k|^2 at T = k. share: of the multiplier's step."""

    def values(T, tangent):
        c, s = 1 / sqrt(1 + tangent), sqrt(tangent / (1 + tangent))
        z, u, v = c, 0.0, s  # the second line is the first axis: z; (u, v): the scaled multiplier
        for _ in range(T + 1):
            at = c * (z - u) - s * v  # on the first line
            z_new = c * at + u
            u_new, v_new = u + share * (c * at - z_new), v + share * s * at
            yield (z_new - z) ** 2 + (u_new - u) ** 2 + (v_new - v) ** 2
            z, u, v = z_new, u_new, v_new

    return values


def curve(name, share, **more):
    return STUDY.exact_curve(
        change(share), horizon=2000, grid={"tangent": TANGENTS}, name=name, metric="change", **more
    )


ADMM = curve("admm", 1)
SLOW = curve("slow", 0.1, title="A tenth of the multiplier's step", wrong="a tenth of the multiplier's step")
WORST = STUDY.supremum("tangent", ADMM, "thm-6.1", claimed=-1)
ONE = STUDY.reading("thm-6.1", ADMM, tangent=TANGENTS[20])
CLAIMS = (
    WORST.rate(),
    WORST.tight(),
    WORST.level(lambda T, **_: 1 / (e * T), "1/(e k)"),
    WORST.caught(claimed=-1.1),
    WORST.level(lambda T, **_: 1 / (1.5 * e * T), "two thirds of it").caught(),
    ONE.geometric(factor=1 / (1 + TANGENTS[20])),
    STUDY.supremum("tangent", SLOW, "thm-6.1").level(lambda T, **_: 1 / (e * T), "1/(e k)").caught(),
)
