"""Runs on which the proof ledger measures lines of `theorems/rsvrb/proof.txt`.

The lines hold in every iteration, so the runs are short. Those that hold whatever the noise is need the conditions of
their lemmas only: gamma = 1/2 and tau = 1/2 obey gamma eta_t L_F <= 1/2 and tau <= 2/(3 L_g) (Lemmas 4 and 6), lambda
is the strong convexity. The lines in expectation have all parameters of Theorem 1.
"""

from __future__ import annotations

from workbench.claims import always, named, powers, profile

from .one_task import NOISY, Practical, compliant
from .study import STUDY

SIMS = named(
    STUDY.watched(
        "svrb", "SVRB", "svrb", Practical({"gamma": 0.5, "tau": 0.5, "lam": NOISY.h}), powers(6, 8, 12),
        profile(16, 32, 64), "parts", chosen="gamma = tau = 1/2, lambda = h, c = 1, c_0 = 10, beta_t = eta_(t-1)^2",
    ),
    STUDY.watched(
        "recursions", "SVRB, lines in expectation", "svrb", compliant, always(33), always(1500), "recursions",
        kind="compliant", chosen="c = 1, largest tau and gamma, least c_0, little noise", marks=tuple(range(1, 34)),
    ),
)  # fmt: skip
