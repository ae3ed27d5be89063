"""Table 3 (section 6.2): SOBBO, SOGD and SF2OBO on a stream of digits whose label noise increases three times.

As printed (L381): alpha = 0.1, gamma = 0.001, K = 5, window 50, SOGD's momentum 0.9 and linear-system step 0.1,
lambda_1 = 5, tau = 1. "Momentum 0.9" is read as weight 0.9 on the new estimate, as in SOGD's own paper. SF2OBO runs
with constant K and batches, outside Theorem 5.1, which needs tau < 1/2 and growing batches.
"""

from __future__ import annotations

import math
from functools import partial

from workbench import Batch, Grid, profile
from workbench.claims import Competition, Method, named, wants_real
from workbench.instances import real

from ...baselines import sobbo, sogd
from ..methods import sf2obo
from ..problems import noisy_labels
from .study import STUDY

ALPHA, GAMMA, LAM, TAU, K, WINDOW, MOMENTUM = 0.1, 0.001, 5.0, 1.0, 5, 50, 0.9


def make(method: Method, horizon: int, runs: int) -> Batch:
    grid = Grid([{"gamma": GAMMA}], runs)
    # 20 Newsgroups is the paper's own set (L324).
    parts = real.parts("newsgroups", 5_000, 5_000) if wants_real(grid) else None
    instance = noisy_labels.make(horizon, parts=parts)
    return Batch(instance, method.steps(gamma=GAMMA), noisy_labels.start(instance, runs), grid)


COMPETITION = Competition(
    STUDY,
    "table-3",
    (
        Method("sobbo", "SOBBO", "baselines.sobbo", partial(sobbo.Steps, alpha=ALPHA, B=1.0, K=K, w=WINDOW)),
        Method("sogd", "SOGD", "baselines.sogd",
               lambda gamma: sogd.Steps(alpha=gamma, beta=ALPHA, delta=ALPHA, eta=MOMENTUM, c=0.0, q=0.0,
                                        radius=math.inf, B=1.0)),
        Method("sf2obo", "SF2OBO", "sf2obo",
               partial(sf2obo.Steps, alpha=ALPHA, a=0.0, beta=ALPHA / LAM, b=TAU, lam=LAM, tau=TAU, K=0.0, B_1=0.0,
                       B_2=0.0, K_0=float(K))),
    ),
    make,
)  # fmt: skip
SIMS = named(
    *COMPETITION.simulations(
        profile(40, 2000, 10_000),
        profile(2, 5, 5),
        chosen="digits, linear classifier, batches of 64, start x = 0.05; horizon 2000 in place of 10000 "
        "(default profile)",
    )
)
