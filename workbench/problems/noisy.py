"""The constants of additive noise, and how they are sampled."""

from __future__ import annotations

from typing import Any

from workbench.problems.samples import Deviation, Map, Noise, Samples, Space

Array = Any


def noise_constants(law: Any, d: int) -> dict[str, Array]:
    """sigma_low and sigma_bar, almost-sure bounds, where the law has them; sigma, the root mean square."""
    bounds = {"sigma_low": law.low, "sigma_bar": law.high} if law.bounded else {}
    return {**bounds, "sigma": law.deviation(d)}


def additive_noise(space: Space, noisy: Map, exact: Map) -> Samples:
    """Samples of `noise_constants`, in this order."""
    return {
        "sigma_low": Noise(space, noisy, exact, lower=True),
        "sigma_bar": Noise(space, noisy, exact),
        "sigma": Deviation(space, noisy, exact),
    }
