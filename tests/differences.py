"""Central differences, for tests of the instances' derivatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Function = Callable[[np.ndarray], np.ndarray]


def along(function: Function, at: np.ndarray, way: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """The derivative of ``function`` along ``way``; error h^2 |f'''| / 6 + eps |f| / h."""
    return (function(at + h * way) - function(at - h * way)) / (2 * h)


def partials(function: Function, at: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """The derivatives in each coordinate of at (runs, d), as a last axis behind those of the function's value."""
    return np.stack([along(function, at, way, h) for way in np.eye(at.shape[1])], axis=-1)
