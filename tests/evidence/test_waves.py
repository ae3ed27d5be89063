"""Few waves or stages in a window get a warning, and smooth curves none, however they bend."""

from __future__ import annotations

import numpy as np
import pytest

from workbench import evidence as ev
from workbench.engine.marks import log_marks
from workbench.evidence.stats import clopper_pearson

T = 1_000_000
MARKS = log_marks(T).astype(float)
DECADES = np.log10(MARKS / T)
SMOOTH = {
    "a power": MARKS**-0.25,
    "onto a slower power": MARKS**-0.5 + T**-0.25 * MARKS**-0.25,
    "onto a floor": MARKS**-0.25 + 0.3 * T**-0.25,
    "a burn-in": (1 + MARKS / (T / 100)) ** -1.0,
    "steps 1/(t + 64)": (2048 + MARKS) / (MARKS + 64) ** 2,
    "a fast term": 10 * np.exp(-MARKS / 1e4) + 1 / MARKS,
    "a logarithm": np.log(1 + MARKS / 100) / MARKS,
}
WAVES = {
    **{f"{a:.0%}, {p} decades": (a, p) for a in (0.1, 0.3) for p in (1.0, 1.5)},
    "30%, half a decade": (0.3, 0.5),
}


def runs(curve: np.ndarray, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    each = np.exp(0.5 * rng.standard_normal((count, 1)) + 0.3 * rng.standard_normal((count, len(MARKS))))
    return curve * each


def warned(curve: np.ndarray, count: int, repeats: int) -> int:
    return sum(bool(ev.rate(runs(curve, count, seed), MARKS, -0.25).warning) for seed in range(repeats))


@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_curves_get_no_warning(name: str) -> None:
    assert ev.rate(np.tile(SMOOTH[name], (2, 1)), MARKS, -0.25).warning == ""
    assert clopper_pearson(warned(SMOOTH[name], 64, 40), 40, 0.01)[0] <= 0.01


@pytest.mark.parametrize("name", WAVES)
def test_few_waves_get_one(name: str) -> None:
    size, period = WAVES[name]
    curve = MARKS**-0.25 * (1 + size * np.sin(2 * np.pi * DECADES / period + 1.0))
    assert warned(curve, 256, 20) >= 18
    found = ev.tight(runs(curve, 256, 0), MARKS, -0.25)
    assert "in the window, over which a slope can be off by 0." in found.warning


@pytest.mark.parametrize("factor", [4, 10, 30])
def test_few_stages_get_one(factor: int) -> None:
    stages = factor ** (-0.25 * np.floor(np.log(MARKS) / np.log(factor)))
    assert warned(stages, 256, 10) == 10


def test_a_short_wave_or_few_marks_get_none() -> None:
    """What is averaged out does not matter; and seven marks show no local slopes."""
    short = MARKS**-0.25 * (1 + 0.02 * np.sin(2 * np.pi * DECADES / 0.5))
    assert warned(short, 256, 5) == 0
    few = MARKS[::12]
    assert ev.rate(few**-0.25 * np.ones((2, 1)), few, -0.25).warning == ""
