"""Closed forms of the regret on the scalar family, as functions of T and of `Reading.knowledge`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..problems.sine import Bias
from ..theory import witness


def bias_regret(T: np.ndarray, lam_1: Any, tau: float, **_: Any) -> np.ndarray:
    """A: the regret due to the bias of the penalty, the same for the single and the double loop."""
    a = Bias()
    return witness.bias_regret.value(
        v=a.v, w=a.w, mu=a.mu, epsilon=a.epsilon, p=a.p, lam_1=lam_1, tau=tau, T=T
    )


def lag(T: np.ndarray, lam_1: Any, tau: float, d_step: np.ndarray, **size: Any) -> np.ndarray:
    """|F'(x_t)|^2 of the single loop on C: lambda_t times the lag of y and z; d_step: how far their targets move."""
    return (lam_1 * T**tau * witness.drift_level.value(**size, d_step=d_step)) ** 2


def displacement(instance: Any, T: np.ndarray) -> np.ndarray:
    """d_T - d_(T-1)."""
    return instance.shift(T, np) - instance.shift(np.maximum(T - 1.0, 0.0), np)
