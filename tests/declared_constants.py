"""Compares declared constants with sampling, for the tests of the checker and of every paper's instances."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from workbench.claims.constants import RTOL, Constants, ratios, reach
from workbench.evidence.verdicts import Verdict, decide

NOBODYS = SimpleNamespace(key="nobody/thm-0")
MISTAKE = 0.97  # factor of a planted mistake, in addition to the share of the constant that is reached


def record(instance: Any, start: Any, **options: Any) -> Constants:
    return Constants(NOBODYS, "the test", lambda: instance, start, **options)


def check(instance: Any, start: Any, **options: Any) -> dict[str, np.ndarray]:
    """Asserts that no declared constant is exceeded, and that each is reached as declared; returns the ratios."""
    made = record(instance, start, **options)
    constants, samples = instance.constants(start), made.samples(instance, start)
    found = ratios({**constants, **made.derived(constants)}, samples)
    assert set(found) >= set(constants) - set(instance.unsampled)
    for name, ratio in found.items():
        assert np.all(ratio <= 1 + RTOL), (name, ratio)
        assert np.all(ratio >= reach(samples[name])), (name, ratio)
    return found


def verdict(made: Constants) -> Verdict:
    (decided,) = decide([made.finding({})])
    return decided.verdict


@dataclass
class Planted:
    """An instance with one constant that is too strong; no other constant is sampled."""

    right: Constants
    name: str

    def constants(self, start: Any) -> dict[str, Any]:
        instance = self.right.make()
        samples = self.samples(start)[self.name]
        lower = (samples[0] if isinstance(samples, tuple) else samples).lower
        factor = MISTAKE * reach(samples)
        value = np.asarray(instance.constants(start)[self.name])
        return {self.name: value / factor if lower else value * factor}

    def samples(self, start: Any) -> dict[str, Any]:
        return {self.name: self.right.samples(self.right.make(), start)[self.name]}


def mistakes(made: Constants) -> list[str]:
    """Constants in which a mistake can be planted: positive numbers that are declared to be reached to some share."""
    constants, samples = made.make().constants(made.start), made.samples(made.make(), made.start)
    return [
        name
        for name, value in constants.items()
        if name in samples and reach(samples[name]) > 0 and np.all((value > 0) & np.isfinite(value))
    ]


def planted(made: Constants, name: str) -> Constants:
    wrong = Planted(made, name)
    return replace(made, make=lambda: wrong, derived=lambda c: {}, samples=lambda i, start: i.samples(start))
