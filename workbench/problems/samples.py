"""How the constants of an instance can be sampled: the records that its ``samples(start)`` returns.

``samples`` maps the name of a constant to a record of the map whose extreme value the constant bounds, or to a tuple of
records where it bounds several. ``unsampled`` gives the reason for every other constant. An instance only states these
facts; `workbench.claims.constants` searches for the extreme values.

Maps take the blocks of a point, each (n, size), and ``xp`` by name, so most methods of an instance can be used as is.
Results are (n, anything) or a tuple of such, which is read as one long vector.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Array = Any
Map = Callable[..., Any]


@dataclass(frozen=True)
class Space:
    """Points of several blocks of coordinates.

    project: (first block, xp) -> the nearest point of its set. rounds: values of the time t; maps then take t, (n, 1),
    before the blocks, and the extreme is over all rounds.
    """

    sizes: tuple[int, ...]
    project: Map | None = None
    rounds: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Sample:
    """How one constant of an instance is sampled.

    reaches: the fraction of the constant that sampling must attain; below 0.9 the constant is called a loose bound,
    and with 0 no fraction is required. lower: the constant is a lower bound.
    """

    reaches: float = 0.99
    lower: bool = False


@dataclass(frozen=True)
class Supremum(Sample):
    """The largest value of a function, with its sign."""

    space: Space
    map: Map


@dataclass(frozen=True)
class Norm(Sample):
    """The largest Euclidean norm of a map."""

    space: Space
    map: Map


@dataclass(frozen=True)
class Lipschitz(Sample):
    """The largest |map(u) - map(v)| / |u - v|; the smoothness constant of a function where ``map`` is its gradient.

    block: the one block in which u and v differ (None: all of them). noisy: the map also takes a sample of the oracle,
    after the blocks, and the constant holds for every sample.
    """

    space: Space
    map: Map
    block: int | None = None
    noisy: bool = False


@dataclass(frozen=True)
class StronglyMonotone(Sample):
    """The least <map(u) - map(v), u - v> / |u - v|^2 for u, v that differ in ``block``, where the map is a gradient."""

    space: Space
    map: Map
    block: int = -1
    lower: bool = field(default=True, kw_only=True)


@dataclass(frozen=True)
class Noise(Sample):
    """|noisy - exact|: the largest, or the least where ``lower``.

    noisy takes a sample of the oracle after the blocks.
    part: the entry to compare where both results are tuples (None: all).
    """

    space: Space
    noisy: Map
    exact: Map
    part: int | None = None


@dataclass(frozen=True)
class Deviation(Noise):
    """The root of the mean of |noisy - exact|^2 over samples: its lower 1 % limit."""


@dataclass(frozen=True)
class Gap(Sample):
    """value(point) - min value, for each row of ``point``; over the set of ``project``, if any."""

    value: Map
    gradient: Map
    point: Array
    project: Map | None = None


@dataclass(frozen=True)
class Distance(Sample):
    """|point - zero of ``map``|, for each row of ``point``; the map is strongly monotone."""

    map: Map
    point: Array


@dataclass(frozen=True)
class Diameter(Sample):
    """The largest distance of two points of the set in ``size`` coordinates; ``lmo`` is its linear oracle."""

    size: int
    lmo: Map


Samples = Mapping[str, Sample | tuple[Sample, ...]]
