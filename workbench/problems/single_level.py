"""Smooth problems min f(x) on R^d with f* = 0 at x = 0, and a gradient with additive noise.

Each class states f, its gradient and its smoothness constant L; the rest is common. x is (runs, d), any d.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from workbench.arrays.noise import Sphere
from workbench.arrays.ops import clip, maximum, minimum, norm, rowsum, sq
from workbench.problems.noisy import additive_noise, noise_constants
from workbench.problems.output import output
from workbench.problems.samples import Gap, Lipschitz, Norm, Samples, Space, StronglyMonotone, Supremum

Array = Any
REACH = 8.0  # of k x in samples of Cosh: the extremes are reached to 0.1 %, and differences keep their digits


@dataclass(frozen=True)
class SingleLevel:
    """f(x) with f* = 0 at x = 0. Subclasses define ``f``, ``grad_f`` and, in closed form, ``smoothness``.

    Recorded: |grad f(x_t)|, its square, |x_t|, and ``gap``, f - f* at the output, which is the average z that a method
    keeps, else x_t.
    """

    noise: Any = field(default_factory=Sphere)

    COSTS: ClassVar = {"grad": {"gradient": 1}, "batch": {"batch": 1}}
    RECORD: ClassVar = {
        "grad_norm": ("last", "mean"),
        "grad_sq": ("mean",),
        "x_norm": ("max",),
        "gap": ("last",),
    }

    @property
    def smoothness(self) -> Array:
        raise TypeError(f"{type(self).__name__} must state its smoothness constant")

    def f(self, x: Array, xp: Any) -> Array:
        raise TypeError(f"{type(self).__name__} must define f")

    def grad_f(self, x: Array, xp: Any) -> Array:
        raise TypeError(f"{type(self).__name__} must define grad_f")

    def grad(self, x: Array, xi: Any, xp: Any) -> Array:
        """grad F(x; xi) = grad f(x) + noise."""
        return self.grad_f(x, xp) + self.noise(xi, x.shape[-1], 0, xp)

    def batch(self, x: Array, B: Array, xi: Any, xp: Any) -> Array:
        """A gradient with the noise of a mean of B samples, by its variance."""
        return self.grad_f(x, xp) + self.noise(xi, x.shape[-1], 0, xp) / xp.sqrt(B)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        gradient, gap = self.grad_f(s.x, xp), self.f(output(s), xp)
        return {
            "grad_norm": norm(gradient, xp), "grad_sq": sq(gradient, xp), "x_norm": norm(s.x, xp), "gap": gap,
        }  # fmt: skip

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """Constants for a start {"x": (runs, d)}.

        L; sigma_low and sigma_bar, almost-sure bounds on the noise, where the law has them; sigma, its root mean
        square; Delta_1 = f(x_1) - f*; D_1 = |x_1 - x*|.
        """
        x = start["x"]
        return {
            "L": self.smoothness,
            **noise_constants(self.noise, x.shape[-1]),
            "Delta_1": self.f(x, np),
            "D_1": norm(x, np),
        }

    unsampled: ClassVar[dict[str, str]] = {"D_1": "the minimizer is 0, where Delta_1 is sampled"}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        space = Space((start["x"].shape[-1],))
        return {
            "L": Lipschitz(space, self.grad_f),
            **additive_noise(space, self.grad, self.grad_f),
            "Delta_1": Gap(self.f, self.grad_f, start["x"]),
        }


@dataclass(frozen=True)
class Quadratic(SingleLevel):
    """f = (L/2) |x|^2. Strongly convex with mu = L."""

    L: Array = 1.0

    @property
    def smoothness(self) -> Array:
        return self.L

    def f(self, x: Array, xp: Any) -> Array:
        return self.L / 2 * sq(x, xp)

    def grad_f(self, x: Array, xp: Any) -> Array:
        return self.L * x

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        return {**super().constants(start), "mu": self.L}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        return {**super().samples(start), "mu": _convexity(self, start)}


@dataclass(frozen=True)
class Huber(SingleLevel):
    """f = L |x|^2 / 2 for |x| <= w, and linear outside, where its gradient has the norm L w."""

    w: Array = 1.0
    L: Array = 1.0

    @property
    def smoothness(self) -> Array:
        return self.L

    def f(self, x: Array, xp: Any) -> Array:
        a = norm(x, xp)
        inner = minimum(a, self.w, xp)
        return self.L * (inner * a - inner * inner / 2.0)

    def grad_f(self, x: Array, xp: Any) -> Array:
        return self.L * self.w * x / maximum(norm(x, xp), self.w, xp)


@dataclass(frozen=True)
class DiagonalQuadratic(SingleLevel):
    """f = sum h_j x_j^2 / 2, h_j from L down to mu in equal steps; a single coordinate has L."""

    mu: Array = 0.1
    L: Array = 1.0

    @property
    def smoothness(self) -> Array:
        return self.L

    def curvatures(self, d: int, xp: Any) -> Array:
        """h, (d,) or (runs, d)."""
        share = xp.astype(xp.arange(d), xp.float64) / max(d - 1, 1)
        return self.L - (self.L - self.mu) * share

    def f(self, x: Array, xp: Any) -> Array:
        return rowsum(self.curvatures(x.shape[-1], xp) * x * x, xp) / 2

    def grad_f(self, x: Array, xp: Any) -> Array:
        return self.curvatures(x.shape[-1], xp) * x

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        if not np.all((np.asarray(self.mu) > 0) & (np.asarray(self.mu) <= self.L)):
            raise ValueError(f"DiagonalQuadratic: needs 0 < mu <= L, got mu = {self.mu}, L = {self.L}")
        mu = self.mu if start["x"].shape[-1] > 1 else self.L
        return {**super().constants(start), "mu": mu, "kappa": self.L / mu}

    unsampled: ClassVar = {**SingleLevel.unsampled, "kappa": "L / mu, which are both sampled"}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        return {**super().samples(start), "mu": _convexity(self, start)}


@dataclass(frozen=True)
class PseudoHuber(SingleLevel):
    """f = L delta^2 (sqrt(1 + |x/delta|^2) - 1), convex; L is attained at 0 and G = L delta bounds the gradient."""

    L: Array = 1.0
    delta: Array = 1.0

    @property
    def smoothness(self) -> Array:
        return self.L

    def f(self, x: Array, xp: Any) -> Array:
        return self.L * self.delta**2 * (xp.sqrt(1.0 + sq(x / self.delta, xp)) - 1.0)

    def grad_f(self, x: Array, xp: Any) -> Array:
        return self.L * x / xp.sqrt(1.0 + sq(x / self.delta, xp))

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        return {**super().constants(start), "G": self.L * self.delta}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        return {**super().samples(start), "G": Norm(Space((start["x"].shape[-1],)), self.grad_f)}


@dataclass(frozen=True)
class Logarithm(SingleLevel):
    """f = log(1 + |x|^2) / 2, non-convex with one stationary point; f'' in [-1/8, 1], so L = 1."""

    @property
    def smoothness(self) -> Array:
        return 1.0

    def f(self, x: Array, xp: Any) -> Array:
        return 0.5 * xp.log(1.0 + sq(x, xp))

    def grad_f(self, x: Array, xp: Any) -> Array:
        return x / (1.0 + sq(x, xp))


@dataclass(frozen=True)
class Cosh(SingleLevel):
    """f = sum (cosh(k x_j) - 1) / k^2: not smooth, but |grad^2 f| <= L_0 + L_1 |grad f| with L_0 = 1, L_1 = k; mu = 1.

    For methods that clip or normalize. Far out f overflows: the run is then marked as failed.
    """

    k: Array = 1.0

    def f(self, x: Array, xp: Any) -> Array:
        grow = xp.exp(self.k * x)
        return rowsum((grow + 1.0 / grow) / 2.0 - 1.0, xp) / self.k**2

    def grad_f(self, x: Array, xp: Any) -> Array:
        grow = xp.exp(self.k * x)
        return (grow - 1.0 / grow) / (2.0 * self.k)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """As for all, with L_0, L_1 and mu in place of L."""
        common = super().constants(start)
        return {"L_0": 1.0, "L_1": self.k, "mu": 1.0, **{n: v for n, v in common.items() if n != "L"}}

    @property
    def smoothness(self) -> Array:
        return np.inf

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """L_0: the largest |grad^2 f| - L_1 |grad f|; L_1: the largest (|grad^2 f| - L_0) / |grad f|."""
        reach = REACH / self.k
        space = Space((start["x"].shape[-1],), lambda x, xp: clip(x, -reach, reach, xp))

        def hessian(x: Array, xp: Any) -> Array:
            return xp.max(xp.cosh(self.k * x), axis=-1, keepdims=True)

        def share(x: Array, xp: Any) -> Array:
            slope = norm(self.grad_f(x, xp), xp)
            return (hessian(x, xp) - 1.0) / maximum(slope, 1e-300, xp)

        return {
            "L_0": Supremum(space, lambda x, xp: hessian(x, xp) - self.k * norm(self.grad_f(x, xp), xp)),
            "L_1": Supremum(space, share),
            "mu": StronglyMonotone(space, self.grad_f),
            "Delta_1": Gap(self.f, self.grad_f, start["x"], space.project),
            **additive_noise(space, self.grad, self.grad_f),
        }


def _convexity(instance: SingleLevel, start: Mapping[str, np.ndarray]) -> StronglyMonotone:
    return StronglyMonotone(Space((start["x"].shape[-1],)), instance.grad_f)
