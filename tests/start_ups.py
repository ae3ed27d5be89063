"""True curves with an ordinary start-up: each has its claimed exponent exactly, and reaches it late or early."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from workbench.engine.marks import log_marks

LENGTHS = (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)  # of the start-up, in iterations
SIZES = (1.0, 10.0, 100.0)  # of what starts up, over what stays
HORIZONS = (1_000, 10_000, 100_000)
Curve = Callable[[np.ndarray, float, float], np.ndarray]

# Name: claimed exponent, power of log T, and the curve at T for a start-up of length a and size b.
CURVES: dict[str, tuple[float, float, Curve]] = {
    "steps 1/(t + a)": (-1.0, 0.0, lambda T, a, b: (b * a + T) / (T + a) ** 2),
    "burn-in, then the fast term": (-1.0, 0.0, lambda T, a, b: b * a / (T + a) ** 2 + 1 / (T + a)),
    "linear, then 1/T": (-1.0, 0.0, lambda T, a, b: b * np.exp(-T / a) + 1 / T),
    "linear, then T^-1/2": (-0.5, 0.0, lambda T, a, b: b * np.exp(-T / a) + T**-0.5),
    "fast term beside T^-1/4": (-0.25, 0.0, lambda T, a, b: b * (1 + T / a) ** -1.0 + (T / a) ** -0.25),
    "plain burn-in": (-1.0, 0.0, lambda T, a, b: b / (1 + T / a)),
    "soft burn-in": (-0.5, 0.0, lambda T, a, b: b / (1 + np.sqrt(T / a))),
    "linear regret, then sqrt T": (0.5, 0.0, lambda T, a, b: np.minimum(T, a) + b * np.sqrt(T)),
    "regret from T to sqrt T": (0.5, 0.0, lambda T, a, b: b * T / np.sqrt(1 + T / a)),
    "log(1 + T/a)/T": (-1.0, 1.0, lambda T, a, b: b * np.log(1 + T / a) / T),
}


class Case(NamedTuple):
    """One curve: marks (M,), its mean there, what is claimed of it, and the length of its start-up."""

    name: str
    length: float
    claimed: float
    log_power: float
    marks: np.ndarray
    mean: np.ndarray


def cases() -> Iterator[Case]:
    """Ten curves, six lengths, three sizes and three horizons: 540."""
    for name, (claimed, log_power, curve) in CURVES.items():
        for a in LENGTHS:
            for b in SIZES:
                for horizon in HORIZONS:
                    marks = log_marks(horizon).astype(float)
                    marks = marks[marks > 1] if log_power else marks
                    title = f"{name}, a = {a:g}, b = {b:g}, T = {horizon:g}"
                    yield Case(title, a, claimed, log_power, marks, curve(marks, a, b))


def noisy(mean: np.ndarray, runs: int, seed: int, spread: float = 0.2, size: float = 0.02) -> np.ndarray:
    """(runs, M): the curve times a lognormal factor per run and independent noise at each mark."""
    rng = np.random.default_rng(seed)
    factor = np.exp(spread * rng.standard_normal((runs, 1)))
    return mean * factor * np.exp(size * rng.standard_normal((runs, mean.size)))
