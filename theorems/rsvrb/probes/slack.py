"""SVRB: the sums over t that the proof of Theorem 1 goes through, L417-482.

The recursions bound the errors at t by those at t, before, and t + 1, after; the latter are known one iteration later.
So every sum ends one iteration before the last one seen, whose values are the ends (end_...) of the telescoping sums.
Sums are weighted by eta_t unless stated.
"""

from __future__ import annotations

from typing import Any

from workbench.ops import column, power

from . import parts

ERRORS = ("fx", "fy", "gxy", "gyy", "gy")
OF_ERRORS = tuple(f"err_{name}" for name in ERRORS)
WEIGHTED = ("slope2", "err2", "z2", "lag2", *OF_ERRORS)
SUMS = (*(f"sum_{name}" for name in WEIGHTED), "total_slope2", "sum_moved_y", "sum_moved_y_eta", "sum_eta3")
ENDS = ("start_F", "end_F", "start_lag2", "start_errors", "end_errors")
QUANTITIES = parts.QUANTITIES | dict.fromkeys((*SUMS, *ENDS, "F"), ("last",))


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    quantities = parts.observe(s, new, t, c, instance, draw, memory, xp)
    eta, first = memory["eta"], t < 1.5  # of the iteration before
    safe = xp.where(first, 1.0, eta)
    before = column(c.c / power(c.c_0 + t - 2.0, c.a, xp), s.x, xp)  # eta_(t-1) of the paper's t
    value = instance.F(s.x, xp=xp)
    errors = sum(quantities[name] for name in OF_ERRORS[1:]) + quantities[OF_ERRORS[0]]
    return {
        **quantities,
        **{f"sum_{name}": memory[f"sum_{name}"] + eta * memory[name] for name in WEIGHTED},
        "total_slope2": memory["total_slope2"] + memory["slope2"],
        "sum_moved_y": memory["sum_moved_y"] + memory["moved_y"] / safe,
        "sum_moved_y_eta": memory["sum_moved_y_eta"] + memory["moved_y"],
        "sum_eta3": memory["sum_eta3"] + eta * eta * eta,
        "F": value,
        "start_F": xp.where(first, value, memory["start_F"]),
        "end_F": value,
        "start_lag2": xp.where(first, quantities["lag2"], memory["start_lag2"]),
        "start_errors": xp.where(first, errors / before, memory["start_errors"]),
        "end_errors": errors / before,
    }
