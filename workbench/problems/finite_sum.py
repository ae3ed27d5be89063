"""Finite sums f = (1/n) sum f_i: the noise of a gradient is that of a drawn component, and a full pass is offered too.

Indices are drawn with replacement; equal samples draw equal indices, as recursive estimators need.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from workbench.arrays.ops import norm, sq
from workbench.problems.output import output
from workbench.problems.rows import Rows, logistic_minimizer
from workbench.problems.samples import Deviation, Gap, Lipschitz, Samples, Space, StronglyMonotone

Array = Any
COSTS = {"grad": {"gradient": 1}, "full_grad": {"pass": 1}}
FLAT = 1e-7  # relative size of a gradient that counts as zero


@dataclass(frozen=True)
class QuadraticSum:
    """f_i = (L + h u_i) |x|^2 / 2 - a u_i <e, x>, u_i from -1 to 1 in n equal steps, e = (1, ..., 1)/sqrt(d).

    The mean is (L/2) |x|^2, with f* = 0 at 0. a = 0: the noise vanishes at the minimizer (interpolation); h = 0: the
    noise is additive. Runs on the compiled engine too.
    """

    n: int = 16
    L: Array = 1.0
    h: Array = 0.5
    a: Array = 1.0

    COSTS: ClassVar = COSTS
    RECORD: ClassVar = {
        "grad_norm": ("last", "mean"),
        "grad_sq": ("mean",),
        "x_norm": ("max",),
        "gap": ("last",),
    }

    def __post_init__(self) -> None:
        if self.n < 2:
            raise ValueError(f"QuadraticSum: needs at least two components, got n = {self.n}")

    def f(self, x: Array, xp: Any) -> Array:
        return self.L / 2 * sq(x, xp)

    def grad_f(self, x: Array, xp: Any) -> Array:
        return self.L * x

    # The oracle.
    def grad(self, x: Array, xi: Any, xp: Any) -> Array:
        """The gradient of one component."""
        u = 2.0 * xp.astype(xi.index(self.n, 1), xp.float64) / float(self.n - 1) - 1.0
        return (self.L + self.h * u) * x - self.a * u / float(np.sqrt(x.shape[-1]))

    def full_grad(self, x: Array, xp: Any) -> Array:
        return self.grad_f(x, xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        gradient = self.grad_f(s.x, xp)
        return {
            "grad_norm": norm(gradient, xp), "grad_sq": sq(gradient, xp), "x_norm": norm(s.x, xp),
            "gap": self.f(output(s), xp),
        }  # fmt: skip

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L = mu of f; L_max of every component; sigma_star, the root mean square noise at x*; n; Delta_1, D_1."""
        x = start["x"]
        spread = np.sqrt((self.n + 1) / (3.0 * (self.n - 1)))  # the root mean square of u
        return {
            "L": self.L,
            "mu": self.L,
            "L_max": self.L + np.abs(self.h),
            "sigma_star": np.abs(self.a) * spread,
            "n": self.n,
            "Delta_1": self.f(x, np),
            "D_1": norm(x, np),
        }

    unsampled: ClassVar[dict[str, str]] = {
        "n": "a count",
        "D_1": "the minimizer is 0, where Delta_1 is sampled",
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        x = start["x"]
        return _samples(self, x, lambda x, xp: 0.0 * x)


@dataclass(frozen=True)
class _OnData:
    """A mean of losses over the rows of A, (n, d), with labels b, (n,). Each sampled gradient is that of a batch.

    x_star: found when it is left out. Raises ValueError for data that do not fit, and for an x_star of other data.
    """

    A: np.ndarray
    b: np.ndarray
    batch: int = 1
    ridge: float = 0.0
    x_star: Any = None

    COSTS: ClassVar = COSTS
    RECORD: ClassVar = {"grad_norm": ("last", "mean"), "grad_sq": ("mean",)}
    LOSS: ClassVar[str]

    def __post_init__(self) -> None:
        if self.batch < 1 or not np.all(np.asarray(self.ridge) >= 0.0):
            raise ValueError(f"{type(self).__name__}: needs batch >= 1 and ridge >= 0")
        if not isinstance(self.A, np.ndarray):
            return  # a copy on another array library
        self.rows()
        if self.x_star is None:
            object.__setattr__(self, "x_star", self._minimizer())
        slope = np.linalg.norm(self.grad_f(self.x_star[None], np))
        if not slope <= FLAT * (1.0 + np.linalg.norm(self.grad_f(np.zeros_like(self.x_star[None]), np))):
            raise ValueError(f"{type(self).__name__}: x_star minimizes other data; leave it out")

    def _minimizer(self) -> np.ndarray:
        raise TypeError(f"{type(self).__name__} must find its minimizer")

    def rows(self) -> Rows:
        return Rows(self.A, self.b, self.LOSS)

    def f(self, x: Array, xp: Any) -> Array:
        return self.rows().value(x, xp) + self.ridge / 2 * sq(x, xp)

    def grad_f(self, x: Array, xp: Any) -> Array:
        return self.rows().grad(x, xp) + self.ridge * x

    def f_star(self) -> float:
        return float(self.f(self.x_star[None], np)[0, 0])

    # The oracle.
    def grad(self, x: Array, xi: Any, xp: Any) -> Array:
        """The gradient of a batch of drawn rows."""
        return self.rows().at_sample(x, xi, self.batch, xp)[1] + self.ridge * x

    def full_grad(self, x: Array, xp: Any) -> Array:
        return self.grad_f(x, xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        gradient = self.grad_f(s.x, xp)
        return {"grad_norm": norm(gradient, xp), "grad_sq": sq(gradient, xp)}

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        best = xp.reshape(self.x_star, (1, -1))
        return {"gap": self.f(output(s), xp) - self.f(best, xp), "dist": norm(s.x - best, xp)}

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L of f, and mu where it is strongly convex; L_max of every row's loss; n; Delta_1 and D_1.

        sigma_star: the root mean square noise at x*. f_star: the minimum.
        """
        x, n = start["x"], len(self.A)
        rows, curvature = self.rows(), self.rows().curvature()
        _, slope = rows.slopes(self.x_star[None], np)
        parts = slope.T * self.A  # (n, d): the gradient of each row's loss at x*
        noise = parts - parts.mean(axis=0)
        return {
            "L": curvature * float(np.linalg.eigvalsh(self.A.T @ self.A)[-1]) / n + self.ridge,
            **({"mu": modulus} if (modulus := self._convexity()) > 0.0 else {}),
            "L_max": rows.smoothness() + self.ridge,
            "sigma_star": float(np.sqrt(np.mean(np.sum(noise**2, axis=1)) / self.batch)),
            "n": n,
            "Delta_1": self.f(x, np) - self.f_star(),
            "D_1": norm(x - self.x_star, np),
            "f_star": self.f_star(),
        }

    def _convexity(self) -> float:
        """The modulus of strong convexity."""
        return float(self.ridge)

    unsampled: ClassVar[dict[str, str]] = {
        "n": "a count",
        "D_1": "the distance from the minimizer, where Delta_1 is sampled",
        "f_star": "the value there",
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        return _samples(self, start["x"], lambda x, xp: 0.0 * x + self.x_star)


def _features(n: int = 12, d: int = 4) -> np.ndarray:
    """(n, d) numbers without a pattern, the same everywhere; the columns have unlike sizes."""
    entries = np.sin(12.9898 * np.arange(1.0, n * d + 1.0).reshape(n, d) ** 1.5)
    return entries * np.linspace(1.0, 0.4, d)


def _labels(n: int = 12) -> np.ndarray:
    return np.where(np.arange(n) % 3 == 0, 1.0, -1.0)


@dataclass(frozen=True)
class LeastSquares(_OnData):
    """f = |A x - b|^2 / (2 n) + (ridge/2) |x|^2; a sampled gradient is that of ``batch`` drawn rows."""

    A: np.ndarray = field(default_factory=_features)
    b: np.ndarray = field(default_factory=_labels)

    LOSS: ClassVar = "half_square"

    def _minimizer(self) -> np.ndarray:
        n, d = self.A.shape
        ridge = np.sqrt(n * self.ridge) * np.eye(d)
        return np.linalg.lstsq(np.vstack([self.A, ridge]), np.append(self.b, np.zeros(d)), rcond=None)[0]

    def _convexity(self) -> float:
        values = np.linalg.eigvalsh(self.A.T @ self.A) / len(self.A)
        flat = values[0] <= 1e-12 * values[-1]  # up to round-off
        return (0.0 if flat else float(values[0])) + float(self.ridge)


@dataclass(frozen=True)
class Logistic(_OnData):
    """f = (1/n) sum log(1 + exp(-b_i <a_i, x>)) + (ridge/2) |x|^2, labels b_i = +-1; mu = ridge.

    Without a ridge the classes must overlap, else there is no minimizer (ValueError).
    """

    A: np.ndarray = field(default_factory=_features)
    b: np.ndarray = field(default_factory=_labels)
    ridge: float = 0.1

    LOSS: ClassVar = "logistic"

    def _minimizer(self) -> np.ndarray:
        point = logistic_minimizer(self.A, self.b, self.ridge)
        if point is None:
            raise ValueError("Logistic: no minimizer was found; a ridge makes it unique")
        return point


def _samples(instance: Any, x: Array, best: Any) -> Samples:
    """Of the constants that all of them have; ``best``: (x, xp) -> x* for every row."""
    space = Space((x.shape[-1],))
    at_best = Space(space.sizes, best)
    alone = getattr(instance, "batch", 1) == 1  # a batch hardly ever holds the worst component alone
    return {
        "L": Lipschitz(space, instance.grad_f),
        "mu": StronglyMonotone(space, instance.grad_f),
        "L_max": Lipschitz(space, instance.grad, noisy=True, reaches=0.99 if alone else 0.0),
        "sigma_star": Deviation(at_best, instance.grad, instance.grad_f),
        "Delta_1": Gap(instance.f, instance.grad_f, x),
    }
