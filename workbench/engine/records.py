"""Plain records that the rooms of the house hand to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np

Array = Any


class Status(IntEnum):
    """What became of one run."""

    OK = 0
    NONFINITE = (
        1  # a metric or an iterate overflowed or became NaN; the other runs of the batch are untouched
    )


@dataclass(frozen=True)
class Result:
    """One simulated batch, on the host.

    marks: (M,) iterations at which was recorded. data: name -> (runs, M): ``<metric>`` at x_t; ``<metric>_mean``,
    ``<metric>_sum`` and ``<metric>_max`` over iterations 1..t. params: name -> (runs,), the grid. status, failed_at:
    (runs,), the status and the first mark at which it was seen (0: never). calls: resource -> calls per run so far,
    (1, M) where they are the same for all runs, else (runs, M). elapsed: (M,) wall-clock seconds of the whole batch.
    meta: how it was made (strings and numbers).
    """

    marks: np.ndarray
    data: dict[str, np.ndarray]
    params: dict[str, np.ndarray]
    run_ids: np.ndarray
    status: np.ndarray
    failed_at: np.ndarray
    calls: dict[str, np.ndarray]
    elapsed: np.ndarray
    meta: dict[str, Any] = field(default_factory=dict)
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    steps: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.status)

    @property
    def runs(self) -> int:
        """Noise identities: runs per grid point."""
        return len(np.unique(self.run_ids))

    @property
    def horizon(self) -> int:
        return int(self.marks[-1])

    def rows(self, **where: float) -> np.ndarray:
        """(runs,) mask of the rows whose parameters equal the given values (to 1e-12 relative)."""
        mask = np.ones(self.size, dtype=bool)
        for name, value in where.items():
            mask &= np.isclose(self.params[name], value, rtol=1e-12, atol=0.0)
        return mask

    def curve(self, metric: str, **where: float) -> np.ndarray:
        """(rows, M) of a recorded quantity on the rows selected by ``rows``. Raises KeyError for an empty slice."""
        mask = self.rows(**where)
        if not mask.any():
            raise KeyError(f"no run with {where}; the grid holds {sorted(self.params)}")
        return self.data[metric][mask]

    def at(self, t: int) -> int:
        """Index of the last mark at or before iteration t."""
        return max(0, int(np.searchsorted(self.marks, t, side="right")) - 1)
