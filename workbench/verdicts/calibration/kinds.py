"""Planted curves for claims that are no exponents: geometric rates, bounded curves, limits, logarithms.

Each curve is a mean times a lognormal factor per run and noise at each mark, of which the next mark keeps a part.
"Heavy" runs have a Pareto factor of index 2.5 instead, whose third moment is infinite: a mean that rare runs carry.
True and false claims lie as near to each other as the kind promises to tell apart: factors off by 1 %, limits missed by
2 %, one logarithm more or less, a logarithm of a logarithm against a bounded curve. No decision is required of them:
the table shows how many are right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from workbench.engine.marks import log_marks
from workbench.evidence.stats import Floats
from workbench.evidence.verdicts import Finding
from workbench.verdicts.calibration.interim_analyses import FAMILY, Checks
from workbench.verdicts.calibration.planted import (
    NO,
    NONE,
    YES,
    Draw,
    Generator,
    Plant,
    Scenario,
    seen_up_to,
)

HORIZONS = (1_000_000, 10_000)
SHORT = 400  # horizon of a geometric curve, whose marks are dense at its end
SPREAD, NOISE, SHARED = (
    0.2,
    0.05,
    0.7,
)  # of the factor per run; at a mark, and the part that the next mark keeps
INDEX = 2.5  # of a Pareto factor
OF_A_LIMIT = 0.1  # of these fluctuations: a limit is measured on averages, within 1 %
Curve = Callable[[Floats], Floats]


def fluctuation(rng: Generator, size: int, runs: int, heavy: bool) -> Floats:
    """(runs, size), with mean 1."""
    own = rng.standard_normal((runs, size))
    for k in range(1, size):
        own[:, k] = SHARED * own[:, k - 1] + np.sqrt(1 - SHARED**2) * own[:, k]
    factor = np.exp(SPREAD * rng.standard_normal((runs, 1)) - SPREAD**2 / 2)
    if heavy:
        factor = (1 + rng.pareto(INDEX, (runs, 1))) * (INDEX - 1) / INDEX
    return factor * np.exp(NOISE * own - NOISE**2 / 2)


def marks_of(horizon: int) -> Floats:
    """Those of a simulation; up to `SHORT`, every fifth iteration."""
    return (np.arange(5, SHORT + 1, 5) if horizon == SHORT else log_marks(horizon)).astype(float)


@dataclass(frozen=True)
class Setting:
    """So many runs up to a horizon, of a paper with so many claims."""

    horizon: int
    runs: int
    family: int
    heavy: bool = False

    def draw(self, check: str, curve: Curve, *claim: float, **options: bool) -> Draw:
        """The finding of a check of `workbench.evidence` on curves with this mean."""
        marks = marks_of(self.horizon)
        test, mean = getattr(Checks(self.family), check), curve(marks)

        def finding(rng: Generator) -> Finding:
            around = fluctuation(rng, marks.size, self.runs, self.heavy)
            values = mean + OF_A_LIMIT * (around - 1) if check == "limit" else mean * around
            return cast(Finding, test(values, marks, *claim, **options))

        return finding

    def plants(self) -> list[Plant]:
        """All claims on the curves of this horizon."""
        end = f", {self.runs} {'heavy ' * self.heavy}runs"
        plants: list[Plant] = []

        def plant(name: str, truth: str, finding: Draw) -> None:
            plants.append((f"{name}{end}", truth, NONE, finding))

        if self.horizon == SHORT:
            for name, (exactly, at_most, curve) in GEOMETRIC.items():
                plant(f"0.9^T: {name}", exactly, self.draw("geometric", curve, 0.9))
                plant(f"0.9^T or faster: {name}", at_most, self.draw("geometric", curve, 0.9, or_faster=True))
            return plants
        for name, (truth, curve) in BOUNDED.items():
            plant(f"bounded: {name}", truth, self.draw("bounded", curve))
        for name, (truth, curve) in LIMITS.items():
            plant(f"limit 1: {name}", truth, self.draw("limit", curve, 1.0))
        for name, (exactly, at_most, curve) in LOGARITHMS.items():
            plant(f"log T: {name}", exactly, self.draw("logarithmic", curve, 0.0, 1.0))
            plant(f"log T or less: {name}", at_most, self.draw("logarithmic", curve, 0.0, 1.0, or_less=True))
        return plants


BOUNDED: dict[str, tuple[str, Curve]] = {
    "a constant": (YES, lambda t: 1 + 0 * t),
    "2 - T^-1/2": (YES, lambda t: 2 - t**-0.5),
    "2 - T^-1/8": (YES, lambda t: 2 - t**-0.125),
    "2 - 1/log T": (YES, lambda t: 2 - 1 / (1 + np.log(t))),
    "T/(T + 1000)": (YES, lambda t: t / (t + 1000)),
    "a wave of 5 %": (YES, lambda t: 1 + 0.05 * np.sin(np.log(t))),
    "steps of 10 %": (YES, lambda t: 1 + 0.1 * (np.floor(np.log10(t)) % 2)),
    "1 + log T": (NO, lambda t: 1 + np.log(t)),
    "1 + log log T": (NO, lambda t: 1 + np.log(1 + np.log(t))),
    "3 + 1000 T^-1/2": (YES, lambda t: 3 + 1000 * t**-0.5),
    "1 + log T + 1000 T^-1/2": (NO, lambda t: 1 + np.log(t) + 1000 * t**-0.5),
    "T^0.05": (NO, lambda t: t**0.05),
    "T^-1/2 + log T / 10": (NO, lambda t: t**-0.5 + 0.1 * np.log(t)),
}
LIMITS: dict[str, tuple[str, Curve]] = {
    "1": (YES, lambda t: 1 + 0 * t),
    "1 + T^-1/2": (YES, lambda t: 1 + t**-0.5),
    "1 + T^-1/8": (YES, lambda t: 1 + t**-0.125),
    "1 + 1/log T": (YES, lambda t: 1 + 1 / (1 + np.log(t))),
    "1.02": (NO, lambda t: 1.02 + 0 * t),
    "0.98 + T^-1/2": (NO, lambda t: 0.98 + t**-0.5),
    "1.1 + T^-1/2": (NO, lambda t: 1.1 + t**-0.5),
    "a wave of 30 %": (NO, lambda t: 1 + 0.3 * np.sin(np.log(t))),
}
LOGARITHMS: dict[str, tuple[str, str, Curve]] = {  # truth of "log T", and of "log T or less"
    "3 + log T": (YES, YES, lambda t: 3 + np.log(t)),
    "3 + log(1 + T/100)": (YES, YES, lambda t: 3 + np.log(1 + t / 100)),
    "log T - 10 T^-1/2 + 12": (YES, YES, lambda t: np.log(t) - 10 * t**-0.5 + 12),
    "3 + log T + 100 T^-1/2": (YES, YES, lambda t: 3 + np.log(t) + 100 * t**-0.5),
    "log^2 T + 1000 T^-1/2": (NO, NO, lambda t: np.log(t) ** 2 + 1000 * t**-0.5),
    "3 + log^2 T": (NO, NO, lambda t: 3 + np.log(t) ** 2),
    "T^1/4": (NO, NO, lambda t: t**0.25),
    "3 + log log T": (NO, YES, lambda t: 3 + np.log(1 + np.log(t))),
    "4 - T^-1/4": (NO, YES, lambda t: 4 - t**-0.25),
}
GEOMETRIC: dict[str, tuple[str, str, Curve]] = {  # truth of "0.9^T", and of "0.9^T or faster"
    "0.9^T": (YES, YES, lambda t: 0.9**t),
    "0.9^T + 100 * 0.8^T": (YES, YES, lambda t: 0.9**t + 100 * 0.8**t),
    "0.9^T, a wave of 30 %": (YES, YES, lambda t: 0.9**t * (1 + 0.3 * np.sin(t))),
    "0.9^T in epochs of 20": (YES, YES, lambda t: 0.9 ** (20 * np.floor(t / 20))),
    "0.909^T": (NO, NO, lambda t: 0.909**t),
    "0.891^T": (NO, YES, lambda t: 0.891**t),
    "T^-2": (NO, NO, lambda t: t**-2.0),
}


def scenarios(family: int = FAMILY) -> list[Scenario]:
    """All planted families, of a paper with so many claims."""
    collection = []
    for horizon in (*HORIZONS, SHORT):
        settings = [Setting(horizon, 256, family)]
        if horizon in (max(HORIZONS), SHORT):
            settings.append(Setting(horizon, 1024, family, heavy=True))
        collection += seen_up_to(horizon, [plant for setting in settings for plant in setting.plants()])
    return collection
