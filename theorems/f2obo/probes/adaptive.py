"""AF2OBO: Lemma D.1, Eqs. (33), (34) and the sum over the starts of the rounds."""

from __future__ import annotations

from typing import Any

from . import rounds

QUANTITIES = rounds.QUANTITIES | dict.fromkeys(("K_y", "K_z", "sum_K_y", "sum_start"), ("last",))
MEMORY, begin = rounds.MEMORY, rounds.begin


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    quantities = rounds.observe(s, new, t, c, instance, draw, memory, xp)
    return {
        **quantities,
        "K_y": new.steps_y - s.steps_y,
        "K_z": new.steps_z - s.steps_z,
        "sum_K_y": new.steps_y,
        "sum_start": memory["sum_start"] + s.lam**2 * quantities["start_y"],
    }
