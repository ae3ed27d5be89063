"""Checks the constants of an instance: sampled extremes must not exceed the declared values, and must come close.

An instance declares its constants (``constants(start)``), how to sample each of them (``samples(start)``, records of
`workbench.problems.samples`) and why the others are not sampled (``unsampled``). Points are random, with radii over
decades, and improved by local search; directions are improved by power iteration. Quotients of finite differences are
averages of the derivative: up to round-off they can miss its extreme value but cannot exceed it.

Rows are points here, so the instance is a single problem: its parameters are numbers, not columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, ClassVar

import numpy as np

from workbench import evidence
from workbench.arrays.ops import dot, norm
from workbench.arrays.random import Draws
from workbench.claims import identifiers
from workbench.claims.claims import Claim
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.records import Batch, Simulation
from workbench.engine.per_row import typed_record
from workbench.engine.rows import cut
from workbench.evidence.verdicts import Finding
from workbench.problems import samples as declared
from workbench.problems.samples import Sample, Samples, Space

Array = np.ndarray
Quotient = Callable[[Array, Array, Any], tuple[Array, Array]]

POINTS = 1024  # random points
CHAINS, TRIES = 16, 6  # number of best points refined by local search, and variations of each per round
ROUNDS, PATIENCE = 240, 16  # largest number of rounds, and of rounds without progress
PROGRESS = 1e-6  # relative
DRAWN = 100_000  # samples of the oracle behind a standard deviation
WIDE, NEAR = (-2.0, 4.0), (-2.0, 1.0)  # decades of the radii; near the origin differences lose fewer digits
STEPS = (-4.0, 0.5)  # decades of the local search's steps
WIDTH = (
    1e-5  # half the distance of a pair of points: small against the curvature scale, large against round-off
)
ATTAINED = 0.9  # a constant is called loose if sampling reaches a smaller share of it
RTOL = 1e-9  # round-off of the quotients
ZERO = 1e-6  # tolerance for reaching a constant 0


@dataclass(frozen=True)
class Constants(Claim):
    """The claim that the constants of an instance are right.

    label: the name of the instance. start: argument of ``constants`` and ``samples``, or a function that gives it.
    derived: constants that a theorem computes from the declared ones. samples: samples that the instance itself cannot
    provide, such as the noise of an estimator.
    """

    theorem: Any
    label: str
    make: Callable[[], Any]
    start: Mapping[str, Array] | Callable[[], Mapping[str, Array]]
    derived: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda constants: {}
    samples: Callable[[Any, Mapping[str, Array]], Samples] = lambda instance, start: instance.samples(start)

    def __post_init__(self) -> None:
        """Raises ValueError for an instance that is not made by a function, and for a start without rows."""
        super().__post_init__()
        if not callable(self.make):
            raise ValueError(
                f"constants of {self.label}: a {type(self.make).__name__} is no function that makes an instance;"
                " write lambda: Instance(...)"
            )
        for name, value in () if callable(self.start) else self.start.items():
            if np.ndim(value) < 2:
                raise ValueError(
                    f"constants of {self.label}: the start of {name!r} has shape {np.shape(value)}; wanted one row per"
                    " run, as np.full((1, 4), 0.1)"
                )

    evidence: ClassVar[str] = "assumptions"

    @property
    def key(self) -> str:
        return str(self.theorem.key)

    @property
    def experiment(self) -> str:
        return f"constants of {self.label}"

    @property
    def parts(self) -> tuple[str, ...]:
        return (identifiers.part(self.label),)

    def finding(self, results: Mapping[str, Any], plan: Plan = UNPLANNED) -> Finding:
        """Violated if a constant is exceeded; holds if all are reached to the declared share.

        The finding shows the most critical constant: the most exceeded one, else one that is not reached, else the
        least reached of the attained ones. The note names the constants that may be loose, with the promised share.
        Raises ValueError if no constant is promised to be attained.
        """
        instance, start = self.make(), self.start() if callable(self.start) else self.start
        constants = instance.constants(start)
        constants = {**constants, **self.derived(constants)}
        samples = self.samples(instance, start)
        largest = {n: float(np.max(r)) for n, r in ratios(constants, samples).items()}
        promised_shares = {name: reach(samples[name]) for name in largest}
        above = [n for n, r in largest.items() if not r <= 1.0 + RTOL]
        below = [n for n, r in largest.items() if r < promised_shares[n]]
        tight = [n for n in largest if promised_shares[n] >= ATTAINED]
        if not (above or below or tight):
            raise ValueError(
                f"{self.experiment}: no sample promises to attain its constant, so nothing could fail"
            )
        worst = max if above else min
        critical = worst(above or below or tight, key=lambda n: largest[n])
        finding = evidence.assumptions([largest[critical]], near=promised_shares[critical], rtol=RTOL)
        left_out = ", ".join(sorted(constants.keys() - largest.keys())) or "none"
        loose = (
            ", ".join(f"{n} ({promised_shares[n]:g})" for n in largest if promised_shares[n] < ATTAINED)
            or "none"
        )
        note = f"{critical} is furthest from its sampled quotient; {finding.note}; loose: {loose}"
        note += f"; not sampled: {left_out}; sampled at points that --seed does not change; what is wrong only where"
        note += " none of them lies is not seen"
        return replace(finding, runs=len(largest), note=note)


def of_simulation(theorem: Any, sim: Simulation, label: str = "", **more: Any) -> Constants:
    """`Constants` of the problem of a simulation, at its first grid point and run. label: by default its name."""

    def first() -> tuple[Any, Mapping[str, Array]]:
        return first_row(sim.make(min(sim.horizon.values()), 1))

    return Constants(
        theorem, label or identifiers.simulation(sim.key), lambda: first()[0], lambda: first()[1], **more
    )


def first_row(batch: Batch) -> tuple[Any, Mapping[str, Array]]:
    """Instance and start of the first row: columns of the grid become one entry."""
    instance = cut(typed_record(batch.instance, batch.grid.rows), slice(0, 1))
    return instance, {name: np.asarray(value)[:1] for name, value in batch.start.items()}


def reach(samples: Sample | tuple[Sample, ...]) -> float:
    """The share of its constant that sampling is declared to reach."""
    return max(s.reaches for s in _each(samples))


def ratios(constants: Mapping[str, Any], samples: Samples, seed: int = 0) -> dict[str, Array]:
    """Constant -> sampled / declared for each row of the start; declared / sampled for lower bounds.

    A ratio above 1 is a counter-example. Samples of constants without a value are skipped.
    """
    quotients = {}
    for i, name in enumerate(samples):
        if name in constants:
            # One generator per constant, so that adding a constant does not change the others.
            rng = np.random.default_rng([seed, i])
            each = _each(samples[name])
            extremes = np.stack([extreme(s, rng) for s in each])
            value = np.ravel(np.asarray(constants[name], float))
            if each[0].lower:
                quotients[name] = _ratio(value, extremes.min(axis=0))
            else:
                quotients[name] = _ratio(extremes.max(axis=0), value)
    return quotients


def _each(samples: Sample | tuple[Sample, ...]) -> tuple[Sample, ...]:
    return samples if isinstance(samples, tuple) else (samples,)


def _ratio(smaller: Array, larger: Array) -> Array:
    """smaller / larger, above 1 where the order is wrong for any combination of signs; 1 where both are 0."""
    a, b = np.broadcast_arrays(smaller, larger)
    with np.errstate(divide="ignore", invalid="ignore"):
        against_zero = np.where(a > b + RTOL, np.inf, np.where(a >= b - ZERO, 1.0, 0.0))
        return np.where(b > 0.0, a / b, np.where(np.isnan(a + b), np.nan, against_zero))


# --------------------------------------------------------------------------------------------- the samplers


@singledispatch
def extreme(sample: Any, rng: np.random.Generator) -> Array:
    """The extreme value found: (1,), or one per row of the start."""
    raise TypeError(f"{type(sample).__name__} is not a sample record")


@extreme.register
def _(s: declared.Supremum, rng: np.random.Generator) -> Array:
    return _search(lambda z, e, xi: (_at(s.map, s.space, z)[:, 0], e), s.space, rng)


@extreme.register
def _(s: declared.Norm, rng: np.random.Generator) -> Array:
    return _search(lambda z, e, xi: (_length(_at(s.map, s.space, z)), e), s.space, rng)


@extreme.register
def _(s: declared.Noise, rng: np.random.Generator) -> Array:
    sign = -1.0 if s.lower else 1.0
    return sign * _search(lambda z, e, xi: (sign * _disturbance(s, z, xi), e), s.space, rng, NEAR)


@extreme.register
def _(s: declared.Deviation, rng: np.random.Generator) -> Array:
    for size in (CHAINS, DRAWN):
        square = _disturbance(s, _points(s.space, rng, NEAR, size), _sample(np.arange(size))) ** 2
        if not square.any():  # a noiseless oracle needs few samples
            break
    limit = square.mean() - 2.33 * square.std() / np.sqrt(size)
    return np.sqrt([max(limit, 0.0)])


@extreme.register
def _(s: declared.Lipschitz, rng: np.random.Generator) -> Array:
    moving = _moving(s.space, s.block)

    def stretch(z: Array, e: Array, xi: Any) -> tuple[Array, Array]:
        u, v, gap = _pair(s.space, z, e)
        given = (xi,) if s.noisy else ()
        change = _at(s.map, s.space, u, *given) - _at(s.map, s.space, v, *given)
        direction = e
        if (
            change.shape[1] == e[:, moving].shape[1]
        ):  # power iteration: the derivative of a gradient is symmetric
            direction = np.zeros_like(e)
            direction[:, moving] = change
        return _length(change) / gap, direction

    return _search(stretch, s.space, rng, moving=moving)


@extreme.register
def _(s: declared.StronglyMonotone, rng: np.random.Generator) -> Array:
    moving = _moving(s.space, s.block)
    largest = 0.0  # curvature observed

    def bend(z: Array, e: Array, xi: Any) -> tuple[Array, Array]:
        nonlocal largest
        u, v, gap = _pair(s.space, z, e)
        change = (_at(s.map, s.space, u) - _at(s.map, s.space, v)) / gap[:, None]
        along = (u - v)[:, moving] / gap[:, None]
        largest = max(largest, float(_length(change)[np.isfinite(gap)].max(initial=0.0)))
        direction = np.zeros_like(e)
        direction[:, moving] = largest * along - change  # power iteration for the least curvature
        least = dot(change, along, np)[:, 0]
        return np.where(np.isfinite(gap), -least, -np.inf), direction

    return -_search(bend, s.space, rng, moving=moving)


@extreme.register
def _(s: declared.Gap, rng: np.random.Generator) -> Array:
    """Gradient descent from the start, the origin and random points."""
    space = Space((s.point.shape[1],), s.project)
    z = np.vstack([s.point, np.zeros_like(s.point[:1]), _points(space, rng, WIDE, CHAINS)])
    z, step, idle = _inside(space, z), np.ones((len(z), 1)), 0
    for _ in range(ROUNDS):
        trial = _inside(space, z - step * s.gradient(z, xp=np))
        better = s.value(trial, xp=np) < s.value(z, xp=np)
        z, step = np.where(better, trial, z), np.where(better, 2.0 * step, 0.25 * step)
        idle = 0 if better.any() else idle + 1
        if idle == PATIENCE:
            break
    return (s.value(s.point, xp=np) - s.value(z, xp=np).min())[:, 0]


@extreme.register
def _(s: declared.Distance, rng: np.random.Generator) -> Array:
    """Secant steps (Barzilai and Borwein), which need no constant that might be wrong."""
    v, slope = s.point, s.map(s.point, xp=np)
    move = -1e-3 * slope
    for _ in range(ROUNDS):
        following = s.map(v + move, xp=np)
        bend = dot(move, following - slope, np)
        v, slope = v + move, following
        rate = dot(move, move, np) / np.where(bend > 0.0, bend, np.inf)
        move = -rate * slope
        if not move.any():
            break
    return norm(v - s.point, np)[:, 0]


@extreme.register
def _(s: declared.Diameter, rng: np.random.Generator) -> Array:
    c = rng.standard_normal((POINTS, s.size))
    return _length(s.lmo(c, xp=np) - s.lmo(-c, xp=np)).max(keepdims=True)


# ----------------------------------------------------------------------------------------------- the search


def _search(
    quotient: Quotient,
    space: Space,
    rng: np.random.Generator,
    decades: tuple[float, float] = WIDE,
    moving: slice | None = None,
) -> Array:
    """(1,): the largest quotient(point, direction, sample) found.

    A quotient also proposes the next direction. Directions vary the coordinates ``moving``; None: no directions.
    """
    z, ids = _points(space, rng, decades, POINTS), np.arange(POINTS)
    everywhere = _moving(space)
    free = moving or everywhere
    e = _directions(z.shape, rng, free)
    for _ in range(1 if moving is None else 2):  # the second time along the proposed directions
        best, direction = quotient(z, e, _sample(ids))
        e = _unit(direction, e)
    keep = np.argsort(best)[-CHAINS:]
    z, e, ids, best = z[keep], e[keep], ids[keep], best[keep]
    moves = ("point",) if moving is None else ("point", "proposed direction", "point", "other direction")
    xi, rows, idle = _sample(np.repeat(ids, TRIES)), np.arange(CHAINS), 0
    for i in range(ROUNDS):
        move, place, along = moves[i % len(moves)], np.repeat(z, TRIES, axis=0), np.repeat(e, TRIES, axis=0)
        shift = 10.0 ** rng.uniform(*STEPS, (len(place), 1))
        if move == "point":
            place = _inside(space, place + shift * _directions(place.shape, rng, everywhere))
        elif move == "other direction":
            along = _unit(along + shift * _directions(place.shape, rng, free))
        value, direction = quotient(place, along, xi)
        best_tries = value.reshape(CHAINS, TRIES).argmax(axis=1) + TRIES * rows  # the best try of each chain
        better = value[best_tries] > best
        idle = 0 if value.max() > best.max() + PROGRESS * np.abs(best.max()) else idle + 1
        best = np.maximum(value[best_tries], best)
        z = np.where(better[:, None], place[best_tries], z)
        e = np.where(better[:, None], _unit(direction[best_tries], along[best_tries]), e)
        if idle == PATIENCE:
            break
    return best.max(keepdims=True)


def _points(space: Space, rng: np.random.Generator, decades: tuple[float, float], count: int) -> Array:
    """(count, coordinates): isotropic with log-uniform radius, projected onto the set (often onto its boundary).

    If the space has rounds, the first coordinate is the round, which directions leave fixed.
    """
    far, moving = 10.0 ** rng.uniform(*decades, (count, 1)), _moving(space)
    z = far * _directions((count, moving.start + sum(space.sizes)), rng, moving)
    if space.rounds:
        z[:, 0] = rng.choice(space.rounds, count)
    return _inside(space, z)


def _directions(shape: tuple[int, ...], rng: np.random.Generator, moving: slice) -> Array:
    """Unit vectors in the coordinates ``moving``."""
    e = np.zeros(shape)
    e[:, moving] = rng.standard_normal(e[:, moving].shape)
    return _unit(e)


def _moving(space: Space, block: int | None = None) -> slice:
    """The coordinates of one block, or of all blocks; the round, if any, precedes them."""
    first = 1 if space.rounds else 0
    if block is None:
        return slice(first, first + sum(space.sizes))
    ends = first + np.cumsum(space.sizes)
    return slice(int(ends[block] - space.sizes[block]), int(ends[block]))


def _pair(space: Space, z: Array, e: Array) -> tuple[Array, Array, Array]:
    """Two points of the set around z along e, and their distance; infinite where the set is too narrow."""
    h = WIDTH * np.maximum(1.0, norm(z, np))
    u, v = _inside(space, z + h * e), _inside(space, z - h * e)
    gap = _length(u - v)
    return u, v, np.where(gap > h[:, 0] / 2, gap, np.inf)


def _at(map: Callable[..., Any], space: Space, z: Array, *given: Any) -> Array:
    values = map(*_blocks(space, z), *given, xp=np)
    return np.hstack(values) if isinstance(values, tuple) else values


def _disturbance(s: declared.Noise, z: Array, xi: Any) -> Array:
    """(n,): |noisy - exact|; values below the round-off of the subtraction count as zero."""
    blocks = _blocks(s.space, z)
    noisy, exact = s.noisy(*blocks, xi, xp=np), s.exact(*blocks, xp=np)
    if s.part is not None:
        noisy, exact = noisy[s.part], exact[s.part]
    elif isinstance(noisy, tuple):
        noisy, exact = np.hstack(noisy), np.hstack(exact)
    size = _length(noisy - exact)
    return np.where(size <= 1e-14 * (1.0 + _length(exact)), 0.0, size)


def _blocks(space: Space, z: Array) -> list[Array]:
    """The arguments of a map: the round, if the space has rounds, then the blocks."""
    sizes = (1, *space.sizes) if space.rounds else space.sizes
    ends = np.cumsum(sizes)
    return [z[:, end - size : end] for size, end in zip(sizes, ends, strict=True)]


def _inside(space: Space, z: Array) -> Array:
    if space.project is None:
        return z
    block, point = _moving(space, 0), z.copy()
    point[:, block] = space.project(z[:, block], xp=np)
    return point


def _sample(ids: Array) -> Any:
    """One oracle sample per row; equal identities give equal samples."""
    return Draws(0, ids, np).at(1)(1)


def _length(v: Array) -> Array:
    return norm(v, np)[:, 0]


def _unit(v: Array, otherwise: Any = 0.0) -> Array:
    """v / |v|, and ``otherwise`` where v is zero."""
    size = norm(v, np)
    return np.where(size > 0.0, v / np.where(size > 0.0, size, 1.0), otherwise)
