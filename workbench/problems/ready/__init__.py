"""Ready problems: smooth, constrained, on data, saddle, bilevel and online, with their constants in closed form.

Any parameter that is an ``Array`` may be a number or a (runs, 1) column of the grid, and any noise one of the laws of
`workbench.arrays.noise`. Each class says its formula, its oracle (``COSTS``) and, by ``constants(start)``, everything
that a theorem may ask for; `workbench list --instances` shows them. What is recorded at every iteration (``RECORD``) is
changed by a subclass of two lines; ``checkpoint_metrics`` come at no cost per iteration.
"""

from workbench.problems.ready.constrained import BallQuadratic, SimplexQuadratic
from workbench.problems.ready.finite_sum import LeastSquares, Logistic, QuadraticSum
from workbench.problems.ready.online import DriftingQuadratic
from workbench.problems.ready.saddle import (
    BilinearSaddle,
    CosineSaddle,
    LogarithmSaddle,
    QuadraticSaddle,
    StrongSaddle,
)
from workbench.problems.ready.scalar_bilevel import ScalarBilevel
from workbench.problems.ready.single_level import Cosh, DiagonalQuadratic, Logarithm, PseudoHuber, Quadratic
from workbench.problems.ready.vector_bilevel import VectorBilevel

__all__ = [
    "BallQuadratic",
    "BilinearSaddle",
    "Cosh",
    "CosineSaddle",
    "DiagonalQuadratic",
    "DriftingQuadratic",
    "LeastSquares",
    "Logarithm",
    "LogarithmSaddle",
    "Logistic",
    "PseudoHuber",
    "Quadratic",
    "QuadraticSaddle",
    "QuadraticSum",
    "ScalarBilevel",
    "SimplexQuadratic",
    "StrongSaddle",
    "VectorBilevel",
]
