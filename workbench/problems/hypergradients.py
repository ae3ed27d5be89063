"""Which hypergradient a function computes: that of a package, say, against those that a problem knows exactly.

For min f(x, y*(x)), y*(x) = argmin g(x, .), at any point (x, y): with J = d2g/dxdy and H = d2g/dydy,

    grad_x f - J H^-1 grad_y f

is the hypergradient with y in place of y*(x). Packages put something in the place of q = H^-1 grad_y f: k steps of
conjugate gradients from 0 (Hestenes, Stiefel 1952), or K terms of Neumann's series, q = r sum_{i<K} (I - r H)^i
grad_y f (Ghadimi, Wang 2018, (2.8); r is the rate), of which they count now the terms, now the products with H. Or
they differentiate f(x, y_K) through K steps y_(k+1) = y_k - r grad_y g(x, y_k) from y_0 = y (reverse mode: Franceschi
et al., ICML 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.arrays.random import Draws, Sample
from workbench.problems.two_levels import TwoLevels

MOST = 10_000  # points, and terms of a series
NEAREST = 2  # series that are shown although they do not agree


@dataclass(frozen=True)
class Candidate:
    """A hypergradient that is known, beside what the function gives.

    kind: a key of `KINDS`. size: the steps, or the terms; 0 for the others. rate: of the series.
    error: the largest difference, in units of the largest exact component; infinite where a series overflows.
    """

    kind: str
    error: float
    agrees: bool
    size: int = 0
    rate: float = 0.0

    @property
    def name(self) -> str:
        return _name(self.kind, _plural(self.size, WORDS.get(self.kind, "")), self.rate)


KINDS = {
    "exact": "exact",
    "at y*": "exact, at y*(x) in place of y",
    "direct": "direct part only, grad_x f",
    "sum": "sum of both parts in place of their difference",
    "cg": "conjugate gradients, {}",
    "cg, late": "conjugate gradients, {}, directions from the residual before",
    "neumann": "Neumann, {}, rate {:.6g}",
    "unrolled": "differentiated through {} on y, rate {:.6g}",
}
WORDS = {"cg": "step", "cg, late": "step", "neumann": "term", "unrolled": "step"}
SERIES = ("neumann", "unrolled")


def _name(kind: str, size: str, rate: float) -> str:
    return KINDS[kind].format(size, rate)


@dataclass(frozen=True)
class HypergradientCheck:
    """What a function computes. candidates: all that were compared, the exact one first.

    x, y, value, exact: the point at which the function is farthest from the exact hypergradient, and both there.
    """

    title: str
    problem: str
    points: int
    candidates: tuple[Candidate, ...]
    x: np.ndarray
    y: np.ndarray
    value: np.ndarray
    exact: np.ndarray

    @property
    def agreeing(self) -> tuple[Candidate, ...]:
        """The candidates that the function agrees with: several stay several."""
        return tuple(c for c in self.candidates if c.agrees)

    @property
    def is_exact(self) -> bool:
        """Whether it is the hypergradient."""
        return self.candidates[0].agrees

    @property
    def answer(self) -> str:
        """What it agrees with, in words."""
        names = [name for name, _, agrees in self._rows() if agrees]
        return "; or ".join(names) if names else "none of the known hypergradients"

    def __str__(self) -> str:
        rows = list(self._rows())
        wide = max(len(name) for name, _, _ in rows)
        table = [
            f"  {name:{wide}}  {error:8.2g}  {'agrees' if agrees else ''}".rstrip()
            for name, error, agrees in rows
        ]
        head = f"{self.title} on {self.problem}: {self.answer}"
        lines = [head, f"  {'':{wide}}  largest error in {_plural(self.points, 'point')} (x, y)", *table]
        if not self.is_exact:
            lines.append(
                f"  at x = {_row(self.x)}, y = {_row(self.y)}: {_row(self.value)} by the function, {_row(self.exact)}"
                " exact"
            )
        return "\n".join(lines)

    def _rows(self) -> Iterator[tuple[str, float, bool]]:
        """(name, error, whether it agrees): series in which all agree in one row, of the others the nearest."""
        for c in self.candidates:
            if c.kind not in SERIES:
                yield c.name, c.error, c.agrees
        for kind, rate in dict.fromkeys((c.kind, c.rate) for c in self.candidates if c.kind in SERIES):
            series = [c for c in self.candidates if (c.kind, c.rate) == (kind, rate)]
            agreeing = [c for c in series if c.agrees]
            if agreeing:
                error = max(c.error for c in agreeing)
                yield _name(kind, _sizes([c.size for c in agreeing], WORDS[kind]), rate), error, True
            others = [c for c in series if not c.agrees and np.isfinite(c.error)]
            for c in sorted(sorted(others, key=lambda c: c.error)[:NEAREST], key=lambda c: c.size):
                yield c.name, c.error, False


class KnowsHypergradient(TwoLevels):
    """A bilevel problem with ``grad_f``, ``jac_xy_g``, ``hess_yy_g``, ``grad_phi`` and ``noiseless``."""

    shape: ClassVar[tuple[int, int]]  # numbers of coordinates of x and y
    COSTS: ClassVar[dict[str, dict[str, int]]] = {
        "grad_f": {"gradient_x_f": 1, "gradient_y_f": 1},
        "grad_y_g": {"gradient_y_g": 1},
        "jac_xy_g": {"jacobian_vector": 1},
        "hess_yy_g": {"hessian_vector": 1},
        "hessian_is_exact": {},
    }

    def check_hypergradient(
        self,
        function: Callable[[np.ndarray, np.ndarray], Any],
        *,
        rates: tuple[float, ...] = (),
        terms: int = 100,
        points: int = 8,
        seed: int = 0,
        tol: float = 1e-6,
    ) -> HypergradientCheck:
        """Which hypergradient a function (x, y) -> (d_x,) computes on this problem, without its noise.

        function: takes vectors (d_x,) and (d_y,) in 64 bits, and may return a number, a list, an array or a tensor.
        rates: of Neumann's series and of steps on y, by default 1 and 1/l_g1. terms: up to so many terms and steps are
        compared. points: how many pairs are drawn, with standard normal entries. tol: errors up to this share of the
        largest exact component are rounding; take 1e-4 for 32-bit floats.

        Raises ValueError for a function that fails, changes what it is given, gives other numbers the second time, or
        another shape than (d_x,).
        """
        _check_numbers(points, terms, rates)
        problem: Any = self.noiseless()  # type: ignore[attr-defined]
        rng = np.random.default_rng(seed)
        x, y = (rng.standard_normal((points, d)) for d in self.shape)
        values = np.stack([_value_at(function, a, b, tol) for a, b in zip(x, y, strict=True)])
        sample = Draws(seed, np.arange(points), np).at(1)(0)
        start = {"x": x, "y": y}
        rates = rates or (1.0, 1.0 / float(np.max(problem.constants(start)["l_g1"])))
        pairs = list(_candidates(problem, x, y, sample, rates, terms))
        exact = pairs[0][1]
        size = max(float(np.abs(exact).max()), 1e-300)
        candidates = []
        for (kind, count, rate), candidate in pairs:
            gap = float(np.abs(values - candidate).max())
            error = gap / size if np.isfinite(gap) else float("inf")
            candidates.append(Candidate(kind, error, error <= tol, count, rate))
        worst = int(np.argmax(np.abs(values - exact).max(axis=1)))
        title = getattr(function, "__qualname__", type(function).__name__).rpartition(".")[2]
        return HypergradientCheck(
            title=title,
            problem=type(self).__name__,
            points=points,
            candidates=tuple(candidates),
            x=x[worst],
            y=y[worst],
            value=values[worst],
            exact=exact[worst],
        )


def _candidates(
    problem: Any, x: np.ndarray, y: np.ndarray, sample: Sample, rates: tuple[float, ...], terms: int
) -> Iterator[tuple[tuple[str, int, float], np.ndarray]]:
    """((kind, size, rate), (points, d_x)) of each candidate, the exact one first."""
    f_x, f_y = (
        np.broadcast_to(a, b.shape) for a, b in zip(problem.grad_f(x, y, sample, np), (x, y), strict=True)
    )

    def product(v: np.ndarray) -> np.ndarray:
        return problem.hess_yy_g(x, y, v, sample, 1, np)

    def indirect(q: np.ndarray) -> np.ndarray:
        return problem.jac_xy_g(x, y, q, sample, 1, np)

    columns = [product(np.broadcast_to(unit, y.shape)) for unit in np.eye(y.shape[1])]
    inverse = np.linalg.solve(np.stack(columns, axis=-1), f_y[..., None])[..., 0]
    yield ("exact", 0, 0.0), f_x - indirect(inverse)
    yield ("at y*", 0, 0.0), np.asarray(problem.grad_phi(x, np))
    yield ("direct", 0, 0.0), f_x
    yield ("sum", 0, 0.0), f_x + indirect(inverse)
    for late in (False, True):  # the first steps are the same
        for k, q in enumerate(_conjugate_gradients(product, f_y, late), 1):
            if k > 1 or not late:
                yield ("cg, late" if late else "cg", k, 0.0), f_x - indirect(q)
    for rate in rates:
        power, total = f_y, np.zeros_like(f_y)
        for k in range(1, terms + 1):
            with np.errstate(over="ignore", invalid="ignore"):  # a series with too large a rate diverges
                total = total + rate * power
                power = power - rate * product(power)
                yield ("neumann", k, rate), f_x - indirect(total)
        for k, value in enumerate(_through_steps(problem, x, y, sample, rate, terms), 1):
            yield ("unrolled", k, rate), value


def _through_steps(
    problem: Any, x: np.ndarray, y: np.ndarray, sample: Sample, rate: float, steps: int
) -> Iterator[np.ndarray]:
    """d f(x, y_k) / dx, (points, d_x), k = 1, ..., steps, for y_(k+1) = y_k - rate grad_y g(x, y_k) from y."""
    slope = np.zeros((len(x), y.shape[1], x.shape[1]))  # dy_k / dx
    units = [np.broadcast_to(unit, y.shape) for unit in np.eye(y.shape[1])]
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(steps):
            cross = np.stack([problem.jac_xy_g(x, y, v, sample, 1, np) for v in units], axis=1)
            hessian = np.stack([problem.hess_yy_g(x, y, v, sample, 1, np) for v in units], axis=1)
            curvature = (hessian[..., None] * slope[:, None]).sum(axis=2)  # no product that is left to BLAS
            slope = slope - rate * (cross + curvature)
            y = y - rate * problem.grad_y_g(x, y, sample, np)
            f_x, f_y = problem.grad_f(x, y, sample, np)
            yield f_x + (slope * f_y[..., None]).sum(axis=1)


def _conjugate_gradients(
    product: Callable[[np.ndarray], np.ndarray], b: np.ndarray, late: bool
) -> Iterator[np.ndarray]:
    """As many iterates as there are coordinates, from 0. late: with the residual before in each new direction."""
    q, r, p = np.zeros_like(b), b, b
    for _ in range(b.shape[1]):
        square = _square(r)
        image = product(p)
        curvature = (p * image).sum(axis=1, keepdims=True)
        step = square / np.where(curvature > 0, curvature, 1.0)  # 0 where the residual is
        q, before, r = q + step * p, r, r - step * image
        p = (before if late else r) + _square(r) / np.where(square > 0, square, 1.0) * p
        yield q


def _square(v: np.ndarray) -> np.ndarray:
    return (v * v).sum(axis=1, keepdims=True)


def _check_numbers(points: int, terms: int, rates: tuple[float, ...]) -> None:
    """Raises ValueError with one sentence."""
    for name, count in (("points", points), ("terms", terms)):
        if not isinstance(count, int) or not 1 <= count <= MOST:
            raise ValueError(f"{name} is {count!r}; wanted a whole number from 1 to {MOST}")
    numbers = isinstance(rates, tuple | list) and all(isinstance(r, int | float) for r in rates)
    if not numbers or not all(0 < r < np.inf for r in rates):
        raise ValueError(f"rates is {rates!r}; wanted positive numbers, as (0.3,)")


def _value_at(function: Any, x: np.ndarray, y: np.ndarray, tol: float) -> np.ndarray:
    """(d_x,): the function's value, of two calls with copies. Raises ValueError with one sentence."""
    given = x.copy(), y.copy()
    first = _value(function, *given)
    if not (np.array_equal(given[0], x) and np.array_equal(given[1], y)):
        raise ValueError("the function changes x or y in place; give it copies, as x.copy()")
    second = _value(function, x.copy(), y.copy())
    if first.shape != x.shape:
        raise ValueError(f"the function gives {_plural(first.size, 'number')} for {len(x)} coordinates of x")
    if not np.isfinite(first).all():
        raise ValueError(f"the function gives {_row(first)} at x = {_row(x)}, y = {_row(y)}")
    if not np.allclose(first, second, rtol=tol, atol=tol):
        raise ValueError(
            f"the function gives {_row(first)} and then {_row(second)} at the same point: it keeps something"
            " between two calls, or draws random numbers"
        )
    return first


def _value(function: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    try:
        value = function(x, y)
        array = np.asarray(value.detach() if hasattr(value, "detach") else value)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"it returns {type(value).__name__}, not real numbers")
        return array.astype(float).reshape(-1)
    except Exception as error:  # of a package, which may raise anything
        text = " ".join(str(error).split("\n")[0].split())
        raise ValueError(f"the function fails ({type(error).__name__}: {text})") from None


def _plural(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _sizes(sizes: list[int], what: str) -> str:
    """Of series, in words."""
    first, last = sizes[0], sizes[-1]
    if len(sizes) == 1:
        return _plural(first, what)
    if last - first + 1 == len(sizes):
        return f"{first} to {last} {what}s"
    return f"{', '.join(map(str, sizes[:-1][:3]))}, ..., {last} {what}s"


def _row(v: np.ndarray) -> str:
    return f"({', '.join(f'{a:.4g}' for a in v)})"
