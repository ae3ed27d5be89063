"""How much longer a horizon must be, in words: for what approaches its limit, and for what has begun to leave it."""

from __future__ import annotations

import math
from collections.abc import Sequence

FARTHEST = 1e6  # factor on the horizon beyond which no number is named


def times_as_long(shares: Sequence[float], small: float, step: float) -> str:
    """A horizon on which an approach has ended that goes on as from the earlier to the later half of a window.

    shares: of the whole distance, those that were left in the two halves; their odds p/(1 - p) shrink by a constant
    factor. small: the share that may be left in the earlier half of the window that is read then. step: the length of
    half a window in log T.
    """
    earlier, now, last = (math.log(p / (1 - p)) for p in (min(max(p, 1e-12), 0.98) for p in (*shares, small)))
    fall = min(earlier - now, step)
    if fall <= 0:
        return times(FARTHEST)
    return times(math.exp(step * min(max(earlier - last, fall) / fall, 50.0)))


def beyond(step: float) -> str:
    """A horizon on which the whole window lies beyond the present one."""
    return times(math.exp(2 * step))


def times(factor: float) -> str:
    """A horizon by this factor."""
    if factor >= FARTHEST:
        return f"a horizon more than {FARTHEST:g} times as long"
    unit = 10 ** math.floor(math.log10(factor))
    return f"a horizon {math.ceil(factor / unit - 1e-6) * unit:g} times as long"
