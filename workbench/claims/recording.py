"""An instance of which a simulation records only some quantities: what no claim or figure reads need not be kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from workbench.engine.records import REDUCTIONS, Wrapped, quantities, quantity

Array = Any


@dataclass(frozen=True)
class Recording(Wrapped):
    """An instance that records the quantities in ``only``, of those that it measures.

    only: names as in a result: ``gap`` at x_t, ``gap_mean``, ``gap_sum`` and ``gap_max`` over the iterations, and the
    instance's ``checkpoint_metrics``. The peak since the mark before, ``gap_peak``, is there for every metric of
    ``RECORD``, whether the instance names it or not. Trajectories are the same. A RECORD that is none is left as it is,
    for the engine to say so.
    """

    only: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raises ValueError for a name that nothing measures, as far as is known before the first mark."""
        if not hasattr(self.instance, "checkpoint_metrics") and _sound(
            getattr(self.instance, "RECORD", None)
        ):
            self.check(())

    @property
    def RECORD(self) -> dict[str, tuple[str, ...]]:
        """metric -> those of its reductions that are wanted."""
        every = self.instance.RECORD
        if not _sound(every):
            return every
        watched_classes = {
            m: tuple(r for r in dict.fromkeys((*reductions, "peak")) if quantity(m, r) in self.only)
            for m, reductions in every.items()
        }
        return {metric: reductions for metric, reductions in watched_classes.items() if reductions}

    def check(self, at_marks: Iterable[str]) -> None:
        """Raises ValueError for a name that nothing measures. at_marks: the names of the checkpoint metrics."""
        peaks = (quantity(metric, "peak") for metric in self.instance.RECORD)
        measured = {*quantities(self.instance.RECORD), *peaks, *at_marks}
        if missing := [n for n in self.only if n not in measured]:
            raise ValueError(
                f"record: {missing[0]!r} is not measured; there are {', '.join(sorted(measured))}"
            )

    def __getattr__(self, name: str) -> Any:
        attribute = super().__getattr__(name)
        # The engine follows a partial function into the instance's own, in which it looks for foreign random numbers.
        return partial(_some, self, attribute) if name == "checkpoint_metrics" else attribute


def _some(recording: Recording, measure: Callable[..., Any], s: Any, t: Array, xp: Any) -> Any:
    """The checkpoint metrics that are wanted."""
    metrics = measure(s, t, xp)
    if not isinstance(metrics, Mapping):  # the engine says so
        return metrics
    recording.check(metrics)
    return {name: value for name, value in metrics.items() if name in recording.only}


def _sound(record: Any) -> bool:
    """Whether it is metric -> some of the reductions."""
    return isinstance(record, Mapping) and all(
        isinstance(r, tuple | list) and r and set(r) <= set(REDUCTIONS) for r in record.values()
    )
