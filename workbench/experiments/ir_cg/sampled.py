"""Declared constants of the witnesses against sampled quotients: never exceeded, and nearly attained."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.arrays.random import Draws
from workbench.instances.ir_cg.nonconvex import merit

COUNT = 12_000
NEAR = 0.8  # share of an attained constant that random points and pairs of points reach


def points(instance: Any, d: int, rng: np.random.Generator, count: int = COUNT) -> np.ndarray:
    """(count, d) of the set, many of them on its boundary."""
    far = rng.choice([0.1, 0.5, 3.0], (count, 1))
    return instance.project(rng.standard_normal((count, d)) * far, np)


def smoothness(gradient: Any, x: np.ndarray, others: tuple[np.ndarray, ...]) -> float:
    """Largest |grad(x) - grad(y)| / |x - y|, row by row."""
    worst = 0.0
    for y in others:
        apart = np.linalg.norm(x - y, axis=1)
        change = np.linalg.norm(gradient(x) - gradient(y), axis=1)
        worst = max(worst, float((change / np.maximum(apart, 1e-12))[apart > 1e-9].max()))
    return worst


def quotients(instance: Any, d: int, seed: int = 0) -> dict[str, float]:
    """Constant -> sampled / declared, for every constant of the witness that can be sampled and is not 0."""
    rng = np.random.default_rng(seed)
    x, y = points(instance, d, rng), points(instance, d, rng)
    near = instance.project(x + 1e-4 * rng.standard_normal(x.shape), np)
    sample = Draws(1, np.arange(COUNT), np).at(1)(1)
    outer, inner = instance.F(x, np) - instance.F_opt, instance.G(x, np) - instance.G_opt
    slopes = instance.grad_F(x, np)
    noise = instance.grad_g(x, sample, np) - instance.grad_G(x, np)
    found = {
        "D": np.linalg.norm(instance.lmo(x, np) - instance.lmo(-x, np), axis=1).max(),
        "L_f": smoothness(lambda v: instance.grad_F(v, np), x, (y, near)),
        "L_g": smoothness(lambda v: instance.grad_g(v, sample, np), x, (y, near)),
        "sigma_g": np.linalg.norm(noise, axis=1).max(),
        "sup_F": np.abs(instance.F(x, np)).max(),
        "sup_grad_F": np.linalg.norm(slopes, axis=1).max(),
        "range_F": outer.max(),
        "range_G": inner.max(),
        "Delta_F": -outer.min(),
        "gap_F0": outer.max(),
        "gap_G0": inner.max(),
    }
    if "sup_calF" in instance.constants({"x": x}):
        found["sup_calF"] = np.abs(merit(x, slopes, instance.box, np)).max()
    declared = {name: float(np.max(value)) for name, value in instance.constants({"x": x}).items()}
    return {
        name: float(value) / declared[name] for name, value in found.items() if declared.get(name, 0.0) > 0
    }
