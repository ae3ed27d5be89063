"""An instance of which a simulation records only some quantities: what no claim or figure reads need not be kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.records import Wrapped

Array = Any


@dataclass(frozen=True)
class Recording(Wrapped):
    """An instance that records the quantities in ``only``, of those that it measures.

    only: names as in a result: ``gap`` at x_t, ``gap_mean``, ``gap_sum`` and ``gap_max`` over the iterations, and the
    instance's ``checkpoint_metrics``. Trajectories are the same.
    """

    only: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raises ValueError for a name that nothing measures, as far as is known before the first mark."""
        if not hasattr(self.instance, "checkpoint_metrics") and _sound(
            getattr(self.instance, "RECORD", None)
        ):
            self._check(())

    @property
    def RECORD(self) -> dict[str, tuple[str, ...]]:
        """metric -> those of its reductions that are wanted."""
        if not _sound(self.instance.RECORD):  # the engine says so
            return self.instance.RECORD
        made = {m: tuple(r for r in rs if _name(m, r) in self.only) for m, rs in self.instance.RECORD.items()}
        return {metric: reductions for metric, reductions in made.items() if reductions}

    def _checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        found = self.instance.checkpoint_metrics(s, t, xp)
        if not isinstance(found, Mapping):  # the engine says so
            return found
        self._check(found)
        return {n: value for n, value in found.items() if n in self.only}

    def _check(self, at_marks: Iterable[str]) -> None:
        measured = {_name(m, r) for m, reductions in self.instance.RECORD.items() for r in reductions}
        measured |= set(at_marks)
        if missing := [n for n in self.only if n not in measured]:
            raise ValueError(
                f"record: {missing[0]!r} is not measured; there are {', '.join(sorted(measured))}"
            )

    def __getattr__(self, attribute: str) -> Any:
        found = super().__getattr__(attribute)
        return self._checkpoint_metrics if attribute == "checkpoint_metrics" else found


def _sound(record: Any) -> bool:
    """Whether it is metric -> some of the reductions."""
    return isinstance(record, Mapping) and all(
        isinstance(r, tuple | list) and r and set(r) <= {"last", "mean", "sum", "max"}
        for r in record.values()
    )


def _name(metric: str, reduction: str) -> str:
    """The name in a result of a metric's reduction."""
    return metric if reduction == "last" else f"{metric}_{reduction}"
