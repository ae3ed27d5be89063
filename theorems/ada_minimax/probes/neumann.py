"""Neumann estimates of a hypergradient in several dimensions: Lemmas E.2 and E.3 without an algorithm.

One run is one lower-level problem with a 3 x 3 Hessian, a 2 x 3 mixed derivative and a gradient of f, and one estimate
for each length N of the sum; checkpoints are N. The samples of the Hessian stay between mu_g I and l_g1 I, which Lemma
E.2 needs (E7), and all noise has its largest size.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench import Sampler
from workbench.instances import Draws

from ..theory.paper import PAPER
from .samplers import columns

Array = np.ndarray
MU, SMOOTH, SLOPE = 1.0, 4.0, 1.0  # mu_g, l_g1, l_f0
SIGMA_F, SIGMA_G2 = 0.3, 0.5
D_X, D_Y, LENGTHS = 2, 3, 8


def _norm(v: Array) -> Array:
    """(runs, 1): Euclidean norms of vectors, spectral norms of matrices."""
    return np.linalg.norm(v, 2, axis=(-2, -1) if v.ndim == 3 else -1).reshape(-1, 1)


def _rank_one(draw: Any, rows: int, cols: int) -> Array:
    """(runs, rows, cols): products of unit vectors, with mean zero."""
    return draw(0).sphere(rows)[:, :, None] * draw(1).sphere(cols)[:, None, :]


def _reflection(draw: Any) -> Array:
    """(runs, D_Y, D_Y): plus or minus a reflection, symmetric of norm 1 and mean zero."""
    u = draw(0).sphere(D_Y)
    return draw(1).sign(1)[:, :, None] * (np.eye(D_Y) - 2.0 * u[:, :, None] * u[:, None, :])


def estimates(draws: Draws, runs: int) -> dict[str, Array]:
    """|H_yy|, the bias of the mean of the estimate and its noise, for N = 1, ..., LENGTHS; and the constants."""
    seeds = iter(range(1, 10_000))

    def draw() -> Any:
        return draws.at(next(seeds))

    low, high = MU + SIGMA_G2, SMOOTH - SIGMA_G2  # eigenvalues of the mean Hessian: low, low, high
    u = draw()(0).sphere(D_Y)
    hessian = low * np.eye(D_Y) + (high - low) * u[:, :, None] * u[:, None, :]
    cross = (SMOOTH - SIGMA_G2) * _rank_one(draw(), D_X, D_Y)
    gradient = SLOPE * draw()(0).sphere(D_Y)
    exact = np.linalg.solve(hessian, gradient[:, :, None])
    mean, rows = np.zeros_like(hessian), []
    power = np.broadcast_to(np.eye(D_Y), hessian.shape)
    for length in range(1, LENGTHS + 1):
        mean, power = mean + power / SMOOTH, power @ (np.eye(D_Y) - hessian / SMOOTH)
        total = np.zeros_like(hessian)
        for n in range(length):
            product = np.broadcast_to(np.eye(D_Y), hessian.shape)
            for _ in range(n):
                product = product @ (np.eye(D_Y) - (hessian + SIGMA_G2 * _reflection(draw())) / SMOOTH)
            total = total + product / SMOOTH
        sampled_mixed = cross + SIGMA_G2 * _rank_one(draw(), D_X, D_Y)
        sampled_gradient = (gradient + SIGMA_F * draw()(0).sphere(D_Y))[:, :, None]
        of_x = SIGMA_F * draw()(0).sphere(D_X)  # error of grad_x F
        expected = cross @ mean @ gradient[:, :, None]
        noise = of_x[:, :, None] - (sampled_mixed @ total @ sampled_gradient - expected)
        values = {
            "H_norm": _norm(total),
            "neumann_norm": _norm((cross @ exact - expected)[:, :, 0]),
            "noise_norm": _norm(noise[:, :, 0]),
        }
        constants = {"mu_g": MU, "l_g1": SMOOTH, "l_f0": SLOPE, "sigma_f": SIGMA_F, "sigma_g2": SIGMA_G2}
        all_constants = {**constants, "N": float(length)}
        rows.append(values | {name: np.full((runs, 1), value) for name, value in all_constants.items()})
    return columns(rows, range(1, LENGTHS + 1))


SAMPLERS = (Sampler(PAPER.entry("smp-neumann"), "Neumann estimates in three dimensions", estimates, 300),)
