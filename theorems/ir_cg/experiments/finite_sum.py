"""Simulations of IR-FSCG (Theorems 2, 4, 6) on the witnesses, and its negative controls."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from workbench.claims import AS_READ, Mutation, Simulation, always, named, profile

from ..problems.least_norm import hadamard_least_norm
from ..problems.nonconvex import Linear, SaddleComponents
from ..problems.witness import Exponential, SpreadComponents
from ..theory.theorems_3_4 import LOGARITHM, t
from .one_sample import ADMITTED, CONSTANT_SIGMA, text_of, vertex
from .study import AWAY, FINITE_SUM_P, OUTER_2, OUTER_6, OUTER_OWN_FS, STUDY, Make, Q, at_p, batch, diagonal

N = Q * Q
WRONG_P = 1.2  # outside (0, 1)
NONCONVEX_P = 3 / 4  # omega of Theorem 6: the merit of order t^(p - omega) does not fall
EACH_P, MIDDLE = at_p(*FINITE_SUM_P), at_p(0.5)
AWAY_FROM_REFRESHES = tuple(sorted({int(Q * round(2 ** (j / 4) / Q) + AWAY + 1) for j in range(12, 96)}))
FROM_THE_START = (*range(1, Q + 3), *AWAY_FROM_REFRESHES)  # the weights of the average differ for t <= q
AT_Q = always(Q + 2)  # a horizon whose last marks are t = q and q + 1
STEEP, GENTLE = 50.0, 0.5  # slopes of G on LIN: the inner, the outer bound of Theorem 6 is nearest

COMPONENTS, SADDLE = partial(SpreadComponents, n=N), partial(SaddleComponents, n=N)
EXP = partial(Exponential, kappa=20.0)  # without noise: runs differ only in their starts
spread = partial(diagonal, low=0.5)
on_components = partial(batch, OUTER_2, COMPONENTS, 2)
components_middle = partial(on_components, points=MIDDLE)
on_exp = partial(batch, OUTER_2, EXP, 1, points=EACH_P, start=spread)
on_linear = partial(batch, OUTER_6, partial(Linear, b=STEEP), 2, start=spread)
on_vertex = partial(
    batch, points=EACH_P, start=vertex, at={"q": 2}
)  # S = q = 2, since least norm has n = 4 rows
on_least_norm = partial(on_vertex, OUTER_2, hadamard_least_norm, 8)

UNREFRESHED = Mutation("no full gradients", "F, G", part="c.q", becomes="10**9")
UNRECURSIVE = Mutation(  # -0.0 + g is g, bit by bit
    "mini-batches without recursion",
    "F, G",
    becomes="spider((-0.0, -0.0), t, c.q, full, lambda: "
    "(oracle.pair_f(s.x, s.x_old, draw(0), c.S)[0], oracle.pair_g(s.x, s.x_old, draw(1), c.S)[0]), xp)",
)

# Theorem 4: any admissible sigma_t, held until t = q.
LOGARITHMIC = Mutation(f"sigma_t = {LOGARITHM.sigma}", "sigma", becomes=text_of(LOGARITHM.sigma, "last"))
SIGMA_Q = {"varsigma": float(LOGARITHM.sigma.subs(t, Q)) * (Q + 1) ** MIDDLE[0]["p"]}

LENGTH, SHORT = profile(20_000, 400_000, 4_000_000), profile(10_000, 400_000, 1_000_000)
RUNS, MANY, MOST = profile(64, 256, 400), profile(64, 384, 400), profile(64, 768, 768)
FINITE_SUM = replace(STUDY, marks=AWAY_FROM_REFRESHES)


def ir_fscg_on(what: str, name: str, make: Make, *size: Any, **more: Any) -> Simulation:
    """size: horizon and runs by profile."""
    return FINITE_SUM.simulation_from(f"fs-{name}", f"IR-FSCG on {what}", "ir_fscg", make, *size, **more)


SIMS = named(
    ir_fscg_on("FS-EXP", "exp", partial(on_components, points=EACH_P), LENGTH, MANY, record=AS_READ),
    ir_fscg_on("EXP", "inner", on_exp, LENGTH, RUNS, record=AS_READ),
    ir_fscg_on("least norm", "ls", on_least_norm, profile(5_000, 20_000, 1_000_000), RUNS),
    ir_fscg_on("NC, Theorem 6", "nc", partial(batch, OUTER_6, SADDLE, 3), LENGTH, RUNS, marks=FROM_THE_START),
    ir_fscg_on("NC, p = 1/3", "nc-own", partial(batch, OUTER_OWN_FS, SADDLE, 3), LENGTH, MOST, marks=FROM_THE_START),
    ir_fscg_on(
        "EXP, (p, omega) = (1/3, 2/3)", "exp-own", partial(batch, OUTER_OWN_FS, EXP, 1, start=spread), LENGTH, RUNS,
        record=AS_READ,
    ),
    ir_fscg_on(
        "EXP, Theorem 6", "exp-6", partial(batch, OUTER_6, EXP, 1, start=spread), LENGTH, RUNS, record=AS_READ
    ),
    ir_fscg_on(
        f"NC, p = {NONCONVEX_P:g}", "nc-decay", partial(batch, OUTER_6, SADDLE, 3, p=NONCONVEX_P), LENGTH, RUNS,
        marks=FROM_THE_START, wrong=f"p = {NONCONVEX_P:g} where Theorem 6 takes 1/2",
    ),
    ir_fscg_on(f"LIN, b = {STEEP:g}", "linear-inner", on_linear, AT_Q, RUNS, marks=FROM_THE_START),
    ir_fscg_on(
        f"LIN, b = {GENTLE:g}", "linear-outer", partial(batch, OUTER_6, partial(Linear, b=GENTLE), 2, start=spread),
        AT_Q, RUNS, marks=FROM_THE_START,
    ),
    ir_fscg_on(
        "LIN, first steps 1/(q + 1)", "linear-steps", partial(on_linear, alpha_0=1.0 / (Q + 1)), AT_Q, RUNS,
        marks=FROM_THE_START, wrong="alpha_0 = 1/(q + 1) where Theorem 6 takes log(q + 1)/(q + 1)",
    ),
    *(
        ir_fscg_on(f"{what}, sigma_t = 1/log(t + 3)", name, make, SHORT, RUNS, **{**ADMITTED, "mutation": LOGARITHMIC})
        for what, name, make in (
            ("FS-EXP", "log", partial(components_middle, at=SIGMA_Q)),
            ("EXP", "exp-log", partial(on_exp, points=MIDDLE, at=SIGMA_Q)),
        )
    ),
    ir_fscg_on("FS-EXP, no refresh", "unrefreshed", components_middle, SHORT, RUNS, mutation=UNREFRESHED),
    ir_fscg_on("FS-EXP, plain mini-batches", "unrecursive", components_middle, SHORT, RUNS, mutation=UNRECURSIVE),
    ir_fscg_on("EXP, constant sigma", "sigma", on_exp, SHORT, RUNS, mutation=CONSTANT_SIGMA, record=AS_READ),
    ir_fscg_on(
        f"FS-EXP, p = {WRONG_P:g}", "decay", partial(on_components, at={"p": 0.5}, p=WRONG_P), SHORT, RUNS,
        wrong="p outside (0, 1)",
    ),
)  # fmt: skip
