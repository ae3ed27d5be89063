"""Linear operators as examples, where the conditions of a class are necessary only: a search in floating point.

The example is d = 2: a rotation with a part along the identity, a start, and the answer at the reference.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from workbench.ledger.worst_case import solve
from workbench.ledger.worst_cases import Setting

TRIES = 24
OPTIONS = {"maxiter": 2000, "xatol": 1e-10, "fatol": 1e-14}
DENOMINATOR = 10**9
SHRINK = 1 - 1e-9  # of the operator and the start, so that rounding leaves them in the class


def worst(statement: dict[str, Any]) -> dict[str, Any]:
    """The proof by the best example of a few tries. Raises NoSolution where there is none."""
    if len(statement["parts"]) != 1:
        raise solve.NoSolution("examples by a matrix are of one operator")
    family = _Family(statement)
    rng = np.random.default_rng(0)
    tries = [
        minimize(lambda p: -family.metric(p), rng.normal(size=4), method="Nelder-Mead", options=OPTIONS)
        for _ in range(TRIES)
    ]
    best = min(tries, key=lambda one: float(one.fun))
    return family.proof(best.x)


class _Family:
    def __init__(self, statement: dict[str, Any]) -> None:
        self._s, self._setting = statement, Setting(statement, exact=False)
        part = statement["parts"][0]
        self._L = float(Fraction(part["constants"]["L"]))
        self._mu = float(Fraction(part["constants"].get("mu", "0")))
        self._has_shift = any(not p["x"] and p["g"] for p in part["points"])
        self._radius = float(np.sqrt(float(Fraction(statement["start"][0]["constant"]))))
        self._rows = [
            np.array(
                [
                    solve.midpoint(v.get(k, Fraction(0))) if k in v else 0.0
                    for k in range(len(self._setting.basis))
                ]
            )
            for v in self._setting.vectors
        ]

    def operator(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The matrix and the answer at the reference."""
        share, angle = expit(4 * p[0] + 4), expit(p[1])
        a = self._mu + (self._L - self._mu) * share * np.cos(angle * np.pi / 2)
        size = share * self._L
        a = min(a, size) if size > self._mu else self._mu
        b = np.sqrt(max(size**2 - a**2, 0.0))
        shift = p[2:4] if self._has_shift else np.zeros(2)
        return np.array([[a, -b], [b, a]]) * SHRINK, shift

    def metric(self, p: np.ndarray) -> float:
        matrix, shift = self.operator(p)
        basis = self._basis(matrix, shift)
        vectors = np.array([row @ basis for row in self._rows])
        return min(
            float(f.constant) + sum(float(c) * float(vectors[u] @ vectors[v]) for c, u, v in f.products)
            for f in self._setting.metrics
        )

    def _basis(self, matrix: np.ndarray, shift: np.ndarray) -> np.ndarray:
        setting = self._setting
        basis = np.zeros((len(setting.basis), 2))
        basis[setting.basis["x"]] = [self._radius * SHRINK, 0.0]
        for p in self._s["parts"][0]["points"]:
            if p["g"]:
                at = self._rows[setting.vector(p["x"])] @ basis
                basis[setting.basis[next(iter(p["g"]))]] = matrix @ at + shift
        return basis

    def proof(self, p: np.ndarray) -> dict[str, Any]:
        matrix, shift = self.operator(p)
        matrix[0, 0] = matrix[1, 1] = max(matrix[0, 0], self._mu)

        def text(x: float) -> str:
            return str(Fraction(float(x)).limit_denominator(DENOMINATOR))

        return {
            "by": "matrix",
            "matrix": [[text(x) for x in row] for row in matrix],
            "shift": [text(x) for x in shift],
            "vectors": {"x": [text(self._radius * SHRINK), "0"]},
            "values": {},
        }
