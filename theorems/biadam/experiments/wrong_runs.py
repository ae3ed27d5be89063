"""Simulations of nearby wrong methods: each loses its rate, and most of them have another known exponent.

With s the integral of eta_t, near a minimum of curvature F'' and with noise of standard deviation sigma (as in the
derivations of `levels`):

* constant momentum: |w - grad f| keeps its size; x averages it, so that |grad F| ~ eta^1/2 in BiAdam;
* eta_t ~ t^-q in place of t^-1/2: everything ~ eta^1/2 = t^-q/2;
* K = 1 with L_g = 3 h: the bias R of (6), which does not fall, is a floor for |grad F|; y does not see it;
* VR-BiAdam with beta ~ eta: |w - grad f| ~ beta^1/2 ~ t^-1/6;
* VR-BiAdam with eta_t ~ t^-1/2 and beta ~ eta, the schedule of BiAdam: |w - grad f| ~ beta^1/2 ~ t^-1/4;
* VR-BiAdam without the correction: heavy ball with beta ~ eta^2, |grad F| ~ |w - grad f| ~ eta^1/2 = t^-1/6;
* another sample, or another length k, at the old point: the difference adds a variance of order 1 in each step, over
  1/beta steps: |w - grad f| ~ beta^-1/2 ~ t^1/3.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from workbench.claims import AS_READ, Mutation, named, powers, profile

from .study import (
    LONGER,
    MULTIPLICATIVE,
    SHORTER,
    SINGLE,
    STUDY,
    THEOREM_1,
    THEOREM_2,
    TUNED,
    swept,
    tuned,
)

LENGTH, RUNS = powers(14, 16, 18), profile(256, 1536, 1536)
POWERS = ({"exponent": 0.0, "k": 0.05}, {"exponent": 1 / 3, "k": 1.0}, {"exponent": 1.0, "k": 2.0})

first, second = partial(tuned, THEOREM_1), partial(tuned, THEOREM_2)
HEAVY = Mutation("constant momentum 0.3", "alpha, beta", becomes="0.3, 0.3")
# ``exponent`` is a field of Steps that only STORM's rule for b_t reads.
POWER = Mutation("eta_t = k (m + t)^-q", "eta", becomes="c.k * xp.exp(-c.exponent * xp.log(c.m + t))")
BETA = Mutation("alpha, beta of order eta", "alpha, beta", becomes="c.c_1 * eta, c.c_2 * eta")
# Two statements: the schedule of Algorithm 1 inside Algorithm 2.
FIRST = Mutation("BiAdam's schedule", "eta", becomes="c.k / xp.sqrt(c.m + t)", also=BETA)
UNCORRECTED = Mutation("no correction term in w", "w", part="old.value", becomes="estimate.value")
FRESH = Mutation("fresh samples at the old point", "again", becomes="draw(4)")
LENGTH_OF = 'type("Sample", (), {"uniform": draw(4).uniform, "sign": xi.sign})()'
FRESH_LENGTH = Mutation("a fresh length k at the old point", "again", becomes=LENGTH_OF)


def wrong(name: str, what: str, module: str, make: Any, mutation: Mutation | None = None, **more: Any) -> Any:
    title = f"{'VR-BiAdam' if module == 'vr_biadam' else 'BiAdam'} on TRIG{what}"
    more = {"record": AS_READ, **more}
    return STUDY.simulation_from(name, title, module, make, LENGTH, RUNS, mutation=mutation, **more)


noisy_second = partial(second, MULTIPLICATIVE, **LONGER)
SIMS = named(
    wrong("heavy", ", constant momentum", "biadam", partial(first, TUNED), HEAVY),
    wrong(
        "power", ", eta_t ~ t^-q", "biadam", partial(swept, THEOREM_1, TUNED, POWERS), POWER,
    ),
    wrong(
        "short", ", K = 1 at L_g = 3 h", "biadam", partial(first, TUNED, **SHORTER),
        wrong="one term of a series that needs more",
    ),
    wrong("heavy-vr", ", constant momentum", "vr_biadam", partial(second, TUNED), HEAVY),
    wrong("beta-vr", ", beta ~ eta", "vr_biadam", partial(second, TUNED), BETA),
    wrong("schedule-vr", ", BiAdam's schedule", "vr_biadam", partial(second, TUNED), FIRST),
    wrong("uncorrected-vr", " without coupling, no correction", "vr_biadam", partial(second, SINGLE), UNCORRECTED),
    wrong("fresh-vr", ", multiplicative noise, fresh samples", "vr_biadam", noisy_second, FRESH),
    wrong("fresh-k-vr", ", multiplicative noise, fresh length", "vr_biadam", noisy_second, FRESH_LENGTH),
)  # fmt: skip
