"""Online problems: in round t a method is charged f_t(x_t), then sees a gradient of f_t."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from workbench.arrays.noise import Sphere
from workbench.arrays.ops import norm, power, sq
from workbench.problems.noisy import additive_noise, noise_constants
from workbench.problems.samples import Lipschitz, Norm, Samples, Space, StronglyMonotone

Array = Any
ROUNDS = (1.0, 2.0, 3.0, 50.0)  # whose maps are sampled, early and late


@dataclass(frozen=True)
class DriftingQuadratic:
    """f_t(x) = (L/2) |x - m_t|^2 with m_t = h t^b u, u = (1, ..., 1)/sqrt(d): the minimizer drifts; L = mu.

    The path length P_T = |m_2 - m_1| + ... + |m_T - m_(T-1)| = h (T^b - 1) for 0 <= b <= 1 is of order T^b, and the
    squared one, S_T, of order T^(2b-1) for b > 1/2. ``regret`` is f_t(x_t) - min f_t: its sum is the dynamic regret.
    """

    noise: Any = field(default_factory=Sphere)
    L: Array = 1.0
    h: Array = 1.0
    b: Array = 0.5

    COSTS: ClassVar = {"grad_at": {"gradient": 1}}
    RECORD: ClassVar = {"regret": ("last", "mean", "sum"), "dist": ("last", "mean")}

    def minimizer(self, t: Array, d: int, xp: Any) -> Array:
        """m_t, (d,) or (runs, d)."""
        return self.h * power(t, self.b, xp) / float(np.sqrt(d)) + xp.zeros((d,))

    def _move(self, t: Array, x: Array, xp: Any) -> Array:
        """m_(t+1) - m_t."""
        d = x.shape[-1]
        return self.minimizer(t + 1.0, d, xp) - self.minimizer(t, d, xp)

    def f(self, t: Array, x: Array, xp: Any) -> Array:
        return self.L / 2 * sq(x - self.minimizer(t, x.shape[-1], xp), xp)

    def grad_f(self, t: Array, x: Array, xp: Any) -> Array:
        return self.L * (x - self.minimizer(t, x.shape[-1], xp))

    # The oracle.
    def grad_at(self, t: Array, x: Array, xi: Any, xp: Any) -> Array:
        """A noisy gradient of f_t at x."""
        return self.grad_f(t, x, xp) + self.noise(xi, x.shape[-1], 0, xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {"regret": self.f(t, s.x, xp), "dist": norm(s.x - self.minimizer(t, s.x.shape[-1], xp), xp)}

    def drift(self, marks: np.ndarray) -> dict[str, np.ndarray]:
        """P_T and S_T up to each mark, (1, M) or (rows, M)."""
        last = int(np.max(marks))
        place = np.asarray(self.h) * np.arange(1.0, last + 1.0) ** np.asarray(self.b)
        lengths = np.abs(np.diff(np.atleast_2d(place), axis=-1, prepend=np.atleast_2d(place)[:, :1]))
        at = np.asarray(marks, int) - 1
        return {"P_T": np.cumsum(lengths, axis=-1)[:, at], "S_T": np.cumsum(lengths**2, axis=-1)[:, at]}

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L = mu, the noise, D_1 = |x_1 - m_1|, and speed, the largest |m_(t+1) - m_t|, which is the first."""
        x = start["x"]
        d = x.shape[-1]
        if not np.all((np.asarray(self.b) >= 0) & (np.asarray(self.b) <= 1)):
            raise ValueError(f"DriftingQuadratic: needs 0 <= b <= 1, got b = {self.b}")
        return {
            "L": self.L,
            "mu": self.L,
            **noise_constants(self.noise, d),
            "speed": np.abs(self.h) * (2.0**self.b - 1.0),
            "D_1": norm(x - self.minimizer(np.asarray(1.0), d, np), np),
        }

    unsampled: ClassVar[dict[str, str]] = {"D_1": "the distance from m_1, which is given"}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        space = Space((start["x"].shape[-1],), rounds=ROUNDS)
        return {
            "L": Lipschitz(space, self.grad_f),
            "mu": StronglyMonotone(space, self.grad_f),
            "speed": Norm(space, self._move),
            **additive_noise(space, self.grad_at, self.grad_f),
        }
