"""The products and sums of Lemma G.1 on a grid of p, q, c_1, c_2 and a: no randomness, one row per point.

Checkpoints are values of b. Where the conditions of a part fail at a point, its left side is set to zero.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from workbench import Sampler
from workbench.instances import Draws

from ..theory.paper import PAPER
from .samplers import columns

Array = np.ndarray
END = 10_000
MARKS = tuple(int(b) for b in np.unique(np.geomspace(2, END, 40).astype(int)))
EXPONENTS = ((1.0, 0.5), (0.5, 0.5), (0.9, 0.7), (0.6, 0.2))  # (p, q); the proofs use the first two
SCALES = ((1.0, 1.0), (0.01, 0.01), (100.0, 100.0), (1.0, 4.0), (10.0, 1000.0), (1e4, 1e4))  # (c_1, c_2)
STARTS = (2, 120)
GRID = tuple(itertools.product(EXPONENTS, SCALES, STARTS))


def weight_sums(draws: Draws, runs: int) -> dict[str, Array]:
    """Both sides of (a) in logarithms, of (b), and of (c) under each of three conditions."""
    p, q, c_1, c_2, a = (np.array(v)[:, None] for v in zip(*((*e, *s, a) for e, s, a in GRID), strict=True))
    product, log_product = np.ones_like(p), np.zeros_like(p)
    sum_b, sum_c = np.zeros_like(p), np.zeros_like(p)
    # The bound of (b), and the conditions of (c): as printed, corrected, and without the exponential.
    first = (c_2 / c_1) ** (q / 2) * (a - 1.0) ** -p * (1 + (a - 1) * c_2) ** (q / 2)
    rhs_b = first * np.exp(_exponent(q, c_2, a, a - 1))
    printed = (p - q) * (1 + (a - 1) * c_2) ** (q - 1) <= 0.5
    right = (p - q) * c_2 * (1 + (a - 1) * c_2) ** (q - 1) <= 0.5
    short = (p - q) * c_2 * (1 + (a + 1) * c_2) ** (q - 1) <= 0.5
    rows = []
    for t in range(2, END + 1):
        on, factor = t >= a, 1.0 - (1.0 + c_2 * t) ** -q
        product = np.where(on, product * factor, product)
        log_product = np.where(on, log_product + np.log(factor), log_product)
        sum_b = sum_b + np.where(on, (1.0 + c_1 * t) ** (-q / 2) * t**-p * product, 0.0)
        sum_c = np.where(on, factor * sum_c + (1.0 + c_1 * t) ** -p, sum_c)
        if t in MARKS:
            own = 2 * (c_2 / c_1) ** p * (1 + (t + 1) * c_2) ** (q - p)
            bound = own * np.exp(_exponent(q, c_2, 1.0, 0.0))
            row = {
                "lhs_a": log_product,
                "rhs_a": np.where(on, _exponent(q, c_2, a, t), 0.0),
                "lhs_b": sum_b,
                "rhs_b": rhs_b,
                "lhs_c": np.where(printed, sum_c, 0.0),
                "rhs_c": bound,
                "lhs_c_right": np.where(right, sum_c, 0.0),
                "rhs_c_right": bound,
                "lhs_own": np.where(short, sum_c, 0.0),
                "rhs_own": own,
            }
            rows.append(row)
    return columns(rows, MARKS)


def _exponent(q: Array, c: Array, a: Any, b: Any) -> Array:
    """The integral of (1 + c t)^-q from b to a."""
    return ((1 + a * c) ** (1 - q) - (1 + b * c) ** (1 - q)) / (c * (1 - q))


SAMPLERS = (Sampler(PAPER.entry("smp-weight-sums"), "Sums of Lemma G.1", weight_sums, len(GRID)),)
