"""Dictionary learning, non-convex (appendix B.3, Eq. 32, L1266-1290): new atoms and codes for new data.

Outer: (1/2n') sum |a'_i - D x_i|^2 over the dictionary D (q atoms) and the codes x_i, |x_i|_1 <= delta. Inner, in D
alone: (1/2n) sum |a_i - D xhat_i|^2 over atoms of norm at most 1, xhat_i the known codes of the p old atoms, padded
with zeros. A point is D atom by atom, then the codes one after the other: (runs, q m + n' q). In the generated data the
old data are exactly atoms times codes, so G_opt = 0. The optimal outer value is not known; the figure shows F itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from workbench import L1Ball, L2Ball
from workbench.instances import Copies, Product, cut_lmo
from workbench.ops import sq

from .base import Bilevel

Array = Any

ROWS, MEASURED, OLD_ATOMS, ATOMS = 250, 25, 40, 50  # n = n', m (not printed), p, q
DELTA = 3.0
DIMENSION = ATOMS * MEASURED + ROWS * ATOMS


@dataclass(frozen=True, kw_only=True)
class Dictionary(Bilevel):
    """old: (n, m) data with codes: (n, p). new: (n', m). atoms: q >= p, the size of the new dictionary."""

    old: Array
    codes: Array
    new: Array
    atoms: int

    UNIQUE = False

    def __post_init__(self) -> None:
        parts = (self.old, self.codes, self.new)
        if not all(isinstance(part, np.ndarray) for part in parts):
            return  # copies on a GPU were checked before
        if not all(np.isfinite(part).all() for part in parts):
            raise ValueError("the data or codes have entries that are NaN or infinite")
        if not (len(self.old) == len(self.codes) and self.old.shape[1] == self.new.shape[1]):
            raise ValueError(
                f"old data {self.old.shape}, their codes {self.codes.shape} and new data {self.new.shape} do not fit"
            )
        if self.atoms < self.codes.shape[1]:
            raise ValueError(f"the codes use {self.codes.shape[1]} atoms, the dictionary has {self.atoms}")

    def _parts(self, x: Array, xp: Any) -> tuple[Array, Array]:
        """(D (runs, q, m), X (runs, n', q))."""
        n, m = self.new.shape
        split_at = self.atoms * m
        return xp.reshape(x[..., :split_at], (-1, self.atoms, m)), xp.reshape(
            x[..., split_at:], (-1, n, self.atoms)
        )

    def _join(self, D: Array, X: Array, xp: Any) -> Array:
        n, m = self.new.shape
        return xp.concat([xp.reshape(D, (-1, self.atoms * m)), xp.reshape(X, (-1, n * self.atoms))], axis=-1)

    def _old_residual(self, D: Array, xp: Any) -> Array:
        return xp.matmul(self.codes, D[:, : self.codes.shape[1], :]) - self.old

    def F(self, x: Array, xp: Any) -> Array:
        D, X = self._parts(x, xp)
        return _half_mean_square(xp.matmul(X, D) - self.new, xp)

    def G(self, x: Array, xp: Any) -> Array:
        return _half_mean_square(self._old_residual(self._parts(x, xp)[0], xp), xp)

    def grad_F(self, x: Array, xp: Any) -> Array:
        D, X = self._parts(x, xp)
        r = (xp.matmul(X, D) - self.new) / float(self.new.shape[0])
        return self._join(xp.matmul(xp.matrix_transpose(X), r), xp.matmul(r, xp.matrix_transpose(D)), xp)

    def grad_G(self, x: Array, xp: Any) -> Array:
        D, X = self._parts(x, xp)
        r = self._old_residual(D, xp) / float(self.old.shape[0])
        return self._join(self._pad(xp.matmul(xp.matrix_transpose(self.codes), r), xp), 0.0 * X, xp)

    def _pad(self, D: Array, xp: Any) -> Array:
        """Zeros for the new atoms, which no old code uses."""
        rest = self.atoms - self.codes.shape[1]
        return xp.concat([D, 0.0 * D[:, :1, :] + xp.zeros((1, rest, D.shape[-1]))], axis=1) if rest else D

    def sampled_f(self, x: Array, theta: Any, S: int, xp: Any) -> Array:
        D, X = self._parts(x, xp)
        n = self.new.shape[0]
        i = theta.index(n, S)
        codes = xp.take_along_axis(X, i[..., None], axis=1)  # (runs, S, q)
        r = (xp.matmul(codes, D) - _rows(self.new, i, xp)) / float(S)
        place = xp.astype(xp.reshape(xp.arange(n), (1, n, 1)) == i[:, None, :], xp.float64)  # (runs, n', S)
        back = xp.matmul(place, xp.matmul(r, xp.matrix_transpose(D)))
        return self._join(xp.matmul(xp.matrix_transpose(codes), r), back, xp)

    def sampled_g(self, x: Array, xi: Any, S: int, xp: Any) -> Array:
        return self._valued_g(x, xi, S, xp)[1]

    def _valued_g(self, x: Array, xi: Any, S: int, xp: Any) -> tuple[Array, Array]:
        D, X = self._parts(x, xp)
        i = xi.index(self.old.shape[0], S)
        codes = _rows(self.codes, i, xp)
        r = xp.matmul(codes, D[:, : self.codes.shape[1], :]) - _rows(self.old, i, xp)
        g = self._pad(xp.matmul(xp.matrix_transpose(codes), r / float(S)), xp)
        return _half_mean_square(r, xp), self._join(g, 0.0 * X, xp)

    def valued_pair_g(self, x: Array, x_old: Array, xi: Any, S: int, xp: Any) -> tuple[Array, ...]:
        (v, g), (v_old, g_old) = self._valued_g(x, xi, S, xp), self._valued_g(x_old, xi, S, xp)
        return v, v_old, g, g_old

    def valued_grad_g(self, x: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        return self._valued_g(x, xi, 1, xp)

    def lmo_cut(self, c: Array, a: Array, r: Array, xp: Any) -> tuple[Array, Array]:
        """The inner objective does not depend on the codes, so a vanishes there and the cut concerns only the atoms."""
        split_at = self.atoms * self.new.shape[1]
        (atoms, _), (codes, _) = self.box.parts
        D, empty = cut_lmo(atoms.lmo, c[..., :split_at], a[..., :split_at], r, xp)
        return xp.concat([D, codes.lmo(c[..., split_at:], xp)], axis=-1), empty

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """The paper plots the last iterate (L1268)."""
        return {"outer_value": self.F(s.x, xp), "last_inner_gap": self.G(s.x, xp) - self.G_opt}

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        return {**super().constants(start), "n": len(self.new)}


def _rows(data: Array, index: Array, xp: Any) -> Array:
    """(runs, S, columns): rows of the data for each run."""
    runs, S = index.shape
    return xp.reshape(xp.take(data, xp.reshape(index, (-1,)), axis=0), (runs, S, -1))


def _half_mean_square(r: Array, xp: Any) -> Array:
    """(runs, n, m) residuals -> (runs, 1)."""
    return xp.mean(sq(r, xp)[..., 0], axis=-1, keepdims=True) / 2.0


@cache
def synthetic() -> Dictionary:
    """q unit atoms; old data use the first p, new data all of them, each code 3-sparse with |x|_1 = delta - 0.5."""
    n, m, p, q = ROWS, MEASURED, OLD_ATOMS, ATOMS
    rng = np.random.default_rng(4)
    truth = rng.standard_normal((q, m))
    truth = truth / np.linalg.norm(truth, axis=1, keepdims=True)
    codes, new_codes = _sparse(rng, n, p, DELTA - 0.5), _sparse(rng, n, q, DELTA - 0.5)
    box = Product(((Copies(L2Ball(1.0), q), q * m), (Copies(L1Ball(DELTA), n), n * q)))
    return Dictionary(box=box, old=codes @ truth[:p], codes=codes, new=new_codes @ truth, atoms=q)


def _sparse(rng: np.random.Generator, n: int, atoms: int, length: float, support: int = 3) -> np.ndarray:
    """(n, atoms) with ``support`` non-zero entries of random sign per row, adding up to ``length`` in modulus."""
    codes = np.zeros((n, atoms))
    for row in codes:
        row[rng.permutation(atoms)[:support]] = (
            length * rng.dirichlet(np.ones(support)) * rng.choice([-1.0, 1.0], support)
        )
    return codes
