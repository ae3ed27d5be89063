"""Log-spaced checkpoints."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def log_marks(horizon: int, per_octave: int = 4, extra: Iterable[int] = ()) -> np.ndarray:
    """Sorted iterations round(2^(j / per_octave)) up to ``horizon``, the horizon and its halvings, and ``extra``.

    The halvings T, T/2, T/4, ... make windows (T/2, T] and dyadic increments exact.
    Raises ValueError for a horizon below 1.
    """
    if horizon < 1:
        raise ValueError(f"the horizon must be at least 1, got {horizon}")
    grid = np.round(2.0 ** (np.arange(0, per_octave * np.log2(horizon) + 1) / per_octave)).astype(np.int64)
    halvings = horizon >> np.arange(int(np.log2(horizon)) + 1)
    marks = np.unique(np.concatenate([grid, halvings, np.fromiter(extra, dtype=np.int64), [horizon]]))
    return marks[(marks >= 1) & (marks <= horizon)]
