"""Random search for a counter-example, and its simplification to small rationals.

Floating-point arithmetic only proposes points; `point_refutes` (enclosures at exact rationals) decides.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from workbench.ledger.enclosure import Undefined
from workbench.ledger.subboxes import double, point_refutes
from workbench.ledger.trees import constant

Tree = Any
SAMPLES, ROUNDS, KEPT = 4000, 12, 40
SEED = 20240501
PLAIN = tuple(
    Fraction(t) for t in ("0", "1", "1/2", "2", "-1", "3", "1/4", "4", "10", "1/10", "100", "1/100")
)
DENOMINATORS = (1, 2, 3, 4, 5, 8, 10, 16, 20, 50, 100, 1000, 10**4, 10**6)
LARGEST = 1e6  # replaces an infinite end when sampling
FARTHEST = 1e300  # of a sampled number: those beyond are near the end of double precision
FUNCTIONS = {"exp": np.exp, "log": np.log, "abs": np.abs, "tanh": np.tanh, "sin": np.sin, "cos": np.cos}


def evaluate(tree: Tree, values: dict[str, Any]) -> Any:
    """A portable tree in float64 (for proposals only)."""
    if isinstance(tree, str):
        return values[tree]
    head, *args = tree
    if head == "q":
        return double(Fraction(args[0]))
    if head in ("pi", "e"):
        return np.pi if head == "pi" else np.e
    if head == "^":
        return np.power(evaluate(args[0], values), float(Fraction(args[1])))
    if head in ("sum", "prod"):
        first, last = constant(args[1]), constant(args[2])
        if first is None or last is None:
            raise ValueError(f"the limits of a {head} over {args[0]} are no numbers")
        terms = [
            evaluate(args[3], {**values, args[0]: np.float64(k)}) for k in range(int(first), int(last) + 1)
        ]
        return sum(terms) if head == "sum" else math.prod(terms)
    parts = [evaluate(a, values) for a in args]
    if head == "if":
        return np.where(parts[0] >= 0, parts[1], parts[2])
    if head in FUNCTIONS:
        return FUNCTIONS[head](parts[0])
    join = {"+": np.add, "*": np.multiply, "max": np.maximum, "min": np.minimum, "pow": np.power}[head]
    total = parts[0]
    for p in parts[1:]:
        total = join(total, p)
    return total


def search(statement: dict[str, Any], seconds: float) -> dict[str, str] | None:
    """A rational point that provably refutes the statement, simplified if possible; None if none was found."""
    return next((point for point in rounds(statement, seconds) if point is not None), None)


def rounds(statement: dict[str, Any], seconds: float) -> Iterator[dict[str, str] | None]:
    """The random search of `search`, round by round: None after each in vain.

    seconds: for its rounds, whatever the caller does between them.
    """
    remaining = seconds
    names = sorted(statement["box"])
    if not names:
        yield {} if _refutes(statement, {}) else None
        return
    sides = {n: statement["box"][n] for n in names}
    rng = np.random.default_rng(SEED)
    points = sample(sides, rng, SAMPLES)
    for _ in range(ROUNDS):
        began = time.process_time()
        found_excess = excess(statement, points)
        order = np.argsort(-found_excess)[:KEPT]
        best = {n: points[n][order] for n in names}
        if (
            found_excess[order[0]] > 1e-12
            and (witness := _confirm(statement, best, min(5, len(order)))) is not None
        ):
            yield smallest(statement, witness, began + remaining)
            return
        remaining -= time.process_time() - began
        yield None
        if remaining < 0:
            return
        began = time.process_time()
        points = _around(best, sides, rng)
        remaining -= time.process_time() - began


def excess(statement: dict[str, Any], points: dict[str, np.ndarray], slack: float = 0.0) -> np.ndarray:
    """(lhs - rhs)/(slack + |lhs| + |rhs|) where the conditions hold, -inf elsewhere."""
    n = len(next(iter(points.values())))
    with np.errstate(all="ignore"):
        lhs, rhs = (np.broadcast_to(evaluate(statement[s], points), n) for s in ("lhs", "rhs"))
        ratio = (lhs - rhs) / (slack + np.abs(lhs) + np.abs(rhs))
        ok = np.isfinite(ratio)
        for g, sign in statement["given"]:
            value = evaluate(g, points)
            ok &= {">=": value >= 0, ">": value > 0, "=": np.abs(value) < 1e-12}[sign]
    return np.where(ok, ratio, -np.inf)


def sample(sides: dict[str, list[Any]], rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    return {n: clip(_draw(side, rng, count), side) for n, side in sides.items()}


def _draw(side: list[Any], rng: np.random.Generator, count: int) -> np.ndarray:
    """A mixture of uniform points, log-uniform points towards each end, and the ends themselves."""
    low = -LARGEST if side[0] == "-oo" else _within_range(Fraction(side[0]))
    high = max(LARGEST, 10 * abs(low)) if side[1] == "oo" else _within_range(Fraction(side[1]))
    width = high - low
    log_scale = 10 ** rng.uniform(-6, 0, count)
    kinds = rng.integers(0, 5, count)
    if width > 100:  # a wide side: near its finite end, on the scale of 1
        log_scale = 10 ** rng.uniform(-4, np.log10(width), count) / width
    choices = [
        low + width * rng.uniform(size=count),
        low + width * log_scale,
        high - width * log_scale,
        np.where(rng.uniform(size=count) < 0.5, low, high),
        10 ** rng.uniform(-3, 3, count) * rng.choice([-1, 1], count),
    ]
    return np.choose(kinds, choices)


def _within_range(q: Fraction) -> float:
    return min(max(double(q), -FARTHEST), FARTHEST)


def clip(x: np.ndarray, side: list[Any]) -> np.ndarray:
    low = -np.inf if side[0] == "-oo" else _within_range(Fraction(side[0]))
    high = np.inf if side[1] == "oo" else _within_range(Fraction(side[1]))
    x = np.clip(x, max(low, -FARTHEST), min(high, FARTHEST))
    x = np.where(side[2] & (x <= low), low + 1e-6 * max(1.0, abs(low)) if np.isfinite(low) else x, x)
    x = np.where(side[3] & (x >= high), high - 1e-6 * max(1.0, abs(high)) if np.isfinite(high) else x, x)
    return np.round(x) if side[4] else x


def _around(
    best: dict[str, np.ndarray], sides: dict[str, list[Any]], rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """New points near the best ones, perturbed in some coordinates by factors and by small steps."""
    pick = rng.integers(0, len(next(iter(best.values()))), SAMPLES // 2)
    near = {}
    for n, side in sides.items():
        x = best[n][pick]
        scale = 10 ** rng.uniform(-5, 0.5, len(pick))
        step = scale * rng.standard_normal(len(pick)) * np.maximum(np.abs(x), 1e-3)
        stay = rng.uniform(size=len(pick)) < 0.4
        fresh = sample({n: side}, rng, SAMPLES // 8)[n]
        near[n] = np.concatenate([best[n], clip(np.where(stay, x, x + step), side), fresh])
    return near


def _confirm(statement: dict[str, Any], best: dict[str, np.ndarray], tries: int) -> dict[str, str] | None:
    for k in range(tries):
        point = {n: str(Fraction(float(v[k]))) for n, v in best.items()}
        if _refutes(statement, point):
            return point
    return None


def _refutes(statement: dict[str, Any], point: dict[str, str]) -> bool:
    try:
        return point_refutes(statement, point)
    except Undefined:
        return False


def smallest(statement: dict[str, Any], point: dict[str, str], deadline: float) -> dict[str, str]:
    """Replaces each coordinate in turn by the simplest rational that still refutes, in two passes."""
    names = sorted(point)
    together = (dict(zip(names, c, strict=True)) for c in _together(len(names)))
    simple = next((p for p in together if time.process_time() < deadline and _refutes(statement, p)), None)
    point = simple or point
    for _ in range(2):
        for n in names:
            for value in _simpler(Fraction(point[n])):
                if time.process_time() > deadline:
                    return point
                trial = {**point, n: str(value)}
                if _refutes(statement, trial):
                    point = trial
                    break
    return point


@lru_cache(maxsize=64)
def _together(n: int) -> list[tuple[str, ...]]:
    """A few simple points: all tuples of simple numbers if there are few, otherwise those with at most one number that
    is not 1, and a random selection."""
    return [tuple(map(str, point)) for point in _simple_points(n)]


def _simple_points(n: int) -> list[tuple[Fraction, ...]]:
    if len(PLAIN) ** n <= 300:
        return sorted(product(PLAIN, repeat=n), key=lambda c: sum(map(_height, c)))
    ones = (Fraction(1),) * n
    single = {(*ones[:k], q, *ones[k + 1 :]) for k in range(n) for q in PLAIN}
    rng = random.Random(SEED)
    random_points = {tuple(rng.choice(PLAIN) for _ in range(n)) for _ in range(300)}
    return sorted(single | random_points, key=lambda c: (sum(map(_height, c)), c))


def _simpler(x: Fraction) -> Iterator[Fraction]:
    """Rationals near x, simplest first, none more complex than x."""
    near = set(PLAIN) | {x.limit_denominator(d) for d in DENOMINATORS}
    if x:
        size = Fraction(10) ** (len(str(int(abs(x)))) - 1 if abs(x) >= 1 else -len(str(int(1 / abs(x)))))
        near |= {round(x / size * k) * size / k for k in (1, 2, 10, 100)}
    return iter(sorted((q for q in near if _height(q) < _height(x)), key=_height))


def _height(q: Fraction) -> int:
    return abs(q.numerator) + 2 * q.denominator + (1 if q < 0 else 0)
