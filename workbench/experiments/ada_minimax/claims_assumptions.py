"""Are the instances' constants right? Sampled quotients never exceed them and come close to those that are attained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workbench.arrays.noise import Skewed, Sphere, TwoRadius
from workbench.experiments.ada_minimax.study import START, THEOREM_4_1, THEOREM_4_2, THEOREM_5_6
from workbench.experiments.build import constants_claim
from workbench.experiments.claims import Claim
from workbench.instances.ada_minimax.saddle import CosineSaddle, LogarithmSaddle, QuadraticSaddle
from workbench.instances.ada_minimax.scalar_bilevel import ScalarBilevel
from workbench.instances.ada_minimax.single_level import Logarithm, Quadratic, Root

POINT = {"x": np.array([[START]]), "y": np.array([[0.0]])}
PLUS_MINUS = Sphere(0.5)

INSTANCES: tuple[tuple[str, str, Callable[[], Any]], ...] = (
    (THEOREM_5_6.key, "I1, plus-minus noise", lambda: Quadratic(noise=PLUS_MINUS)),
    (THEOREM_5_6.key, "I1, two-radius noise", lambda: Quadratic(noise=TwoRadius(0.25, 1.0))),
    (THEOREM_5_6.key, "I1, skewed noise", lambda: Quadratic(noise=Skewed(0.1, 1.0))),
    (THEOREM_5_6.key, "I1h, plus-minus noise", lambda: Root(noise=PLUS_MINUS)),
    (THEOREM_5_6.key, "I1n, plus-minus noise", lambda: Logarithm(noise=PLUS_MINUS)),
    (THEOREM_4_1.key, "I2", lambda: QuadraticSaddle(noise_x=PLUS_MINUS, noise_y=PLUS_MINUS)),
    (THEOREM_4_1.key, "I2q", lambda: CosineSaddle(noise_x=PLUS_MINUS, noise_y=PLUS_MINUS)),
    (THEOREM_4_1.key, "I2n", lambda: LogarithmSaddle(noise_x=PLUS_MINUS, noise_y=PLUS_MINUS)),
    (THEOREM_4_2.key, "B1", lambda: ScalarBilevel(noise_f=PLUS_MINUS, noise_g=PLUS_MINUS)),
)


def start(instance: Any) -> Mapping[str, np.ndarray]:
    """(x_1, y_1), or x_1 alone for a single-level instance."""
    return POINT if hasattr(instance, "y_star") else {"x": POINT["x"]}


CLAIMS: tuple[Claim, ...] = tuple(
    constants_claim(key, f"constants of {name}", make, start) for key, name, make in INSTANCES
)
