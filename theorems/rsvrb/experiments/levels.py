"""Levels of `workbench.theorems.rsvrb.theory.witness` as functions of T."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..theory import witness


def decreasing(T: np.ndarray, S: Any, b: Any, m: int = 1) -> np.ndarray:
    """The mean of |grad F|^2 over t <= T; practical steps: eta_t = m^(-2/3) t^(-1/3), beta_t = b m eta_t^2."""
    return witness.DECREASING.value(b=b * m, c=m ** (-2 / 3), S=S, T=T)


def stage(S: Any, b: Any, eta: Any, length: Any, L_F: Any) -> np.ndarray:
    """F - F_* of the output of a stage with step eta, beta = b eta^2 and ``length`` iterations, in the long run."""
    return witness.STAGE.value(b=b, c=eta, S=S, L_F=L_F, n=b * eta**2 * length)
