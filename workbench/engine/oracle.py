"""The oracle: an instance as seen by an algorithm, with the namespace bound and every call counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from workbench.arrays import meter


class Oracle:
    """Binds ``xp`` to the methods named in ``instance.COSTS`` and meters them.

    ``COSTS`` maps a method's name to the cost of one call, for example ``{"grad": {"gradient": 1}}``. Methods that are
    not listed are inaccessible to an algorithm, so it cannot use exact quantities. Each call of a batched method counts
    as one call *per run*.
    """

    def __init__(self, instance: Any, xp: Any, calls: Counter[str] | None = None) -> None:
        self.calls: Counter[str] = Counter() if calls is None else calls
        for name, costs in instance.COSTS.items():
            method = partial(getattr(instance, name), xp=xp)
            setattr(self, name, _with_meter(method, tuple(costs.items()), self.calls))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the oracle offers no {name!r}; an instance lists its oracle methods in COSTS")


def _with_meter(method: Callable, costs: tuple[tuple[str, int], ...], calls: Counter[str]) -> Callable:
    def call(*args: Any, **kwargs: Any) -> Any:
        for resource, amount in costs:
            calls[resource] = calls[resource] + amount * meter.rows()
        return method(*args, **kwargs)

    return call
