"""IR-SCG (Algorithm 1): Lemmas 1-6 and the STORM error along a run."""

from __future__ import annotations

from typing import Any

from . import sums

QUANTITIES = sums.QUANTITIES


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    alpha = sums.alpha_of(c, t - 1.0, xp)
    quantities = sums.step(s, new, alpha, instance, xp)
    return {**quantities, **sums.weighted_sums(memory, quantities, s, new, t, 0.0, xp)}
