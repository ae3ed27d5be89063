"""The links of a proof as a layered graph: every link above those it uses, without the edges that others imply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import igraph
import networkx
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import block_array, coo_array, eye_array

ROW, GAP = 64.0, 14.0  # pixels between layers, and between the boxes of one layer
LETTER, PADDING, HEIGHT = 6.6, 16.0, 24.0  # of a box, in pixels

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A node: its key, its centre and its width, in pixels."""

    key: str
    x: float
    y: float
    width: float


@dataclass(frozen=True)
class Layout:
    """Boxes, and edges as polylines from user to used, in pixels from the upper left corner."""

    boxes: tuple[Box, ...]
    edges: tuple[tuple[Point, ...], ...]
    width: float
    height: float


def reduction(uses: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The edges that no longer path implies. Uses of unknown keys are left out. Raises ValueError for a circle."""
    graph = networkx.DiGraph({key: [u for u in links if u in uses] for key, links in uses.items()})
    try:
        small = networkx.transitive_reduction(graph)
    except networkx.NetworkXError as error:
        raise ValueError("a circular proof has no layers") from error
    return {key: tuple(u for u in links if small.has_edge(key, u)) for key, links in uses.items()}


def layout(uses: Mapping[str, Sequence[str]], labels: Mapping[str, str]) -> Layout:
    """Places the links by the method of Sugiyama, Tagawa and Toda (igraph)."""
    if not uses:
        return Layout((), (), 0.0, 0.0)
    keys, edges = list(uses), reduction(uses)
    number = {key: n for n, key in enumerate(keys)}
    graph = igraph.Graph(directed=True)
    graph.add_vertices(len(keys))
    graph.add_edges([(number[key], number[u]) for key, links in edges.items() for u in links])
    layers = _layers(edges)
    coordinates = graph.layout_sugiyama(layers=[layers[key] for key in keys], maxiter=500)
    # Points: the links, then the bends of each edge, from top to bottom. Paths: the points of each edge.
    points, paths = [tuple(point) for point in coordinates.coords], []
    for (start, end), bends in zip(graph.get_edgelist(), coordinates.edge_routing, strict=True):
        paths.append([start, *range(len(points), len(points) + len(bends)), end])
        points += sorted((tuple(point) for point in bends), key=lambda point: point[1])
    widths = [LETTER * len(labels[key]) + PADDING for key in keys] + [0.0] * (len(points) - len(keys))
    x = _positions(points, widths, [pair for path in paths for pair in pairwise(path)])
    y = [HEIGHT / 2 + GAP + ROW * row for _, row in points]
    boxes = tuple(Box(key, x[n], y[n], widths[n]) for key, n in number.items())
    edges_drawn = []
    for path in paths:
        line = [(x[n], y[n]) for n in path]
        line[0], line[-1] = (line[0][0], line[0][1] + HEIGHT / 2), (line[-1][0], line[-1][1] - HEIGHT / 2)
        edges_drawn.append(tuple(line))
    width = max(x[n] + widths[n] / 2 for n in range(len(points))) + GAP
    return Layout(boxes, tuple(edges_drawn), width, max(y) + HEIGHT / 2 + GAP)


def _layers(edges: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Number of the layer, 0 on top. A link stands directly above the highest link that it uses."""
    graph = networkx.DiGraph({key: list(links) for key, links in edges.items()})
    depth: dict[str, int] = {}
    for key in reversed(list(networkx.topological_sort(graph))):
        depth[key] = 1 + max((depth[u] for u in edges[key]), default=-1)
    return {key: max(depth.values()) - d for key, d in depth.items()}


def _positions(
    points: Sequence[Point], widths: Sequence[float], segments: Sequence[tuple[int, int]]
) -> list[float]:
    """Horizontal positions in pixels, in the layout's order, without overlaps and with edges as steep as possible.

    The layout's own distances are equal for all boxes, so that one wide box would stretch everything. A linear program
    minimizes the horizontal lengths of the segments instead (as Gansner et al., 1993, do).
    """
    rows: dict[float, list[int]] = {}
    for n, (_, row) in enumerate(points):
        rows.setdefault(row, []).append(n)
    apart = []
    for members in rows.values():
        members.sort(key=lambda n: points[n][0])
        apart += [(a, b, (widths[a] + widths[b]) / 2 + GAP) for a, b in pairwise(members)]
    # Unknowns: a position per point, a length per segment. x_a + distance <= x_b and |x_a - x_b| <= length.
    count, lengths = len(points), len(segments)
    order, along = _differences([pair[:2] for pair in apart], count), _differences(segments, count)
    one = eye_array(lengths)
    matrix = block_array([[order, None], [along, -one], [-along, -one]])
    solution = linprog(
        [1e-6] * count + [1.0] * lengths,  # a tiny weight keeps everything to the left
        A_ub=matrix.tocsr(),
        b_ub=[-distance for *_, distance in apart] + [0.0] * (2 * lengths),
        bounds=[(w / 2 + GAP, None) for w in widths] + [(0.0, None)] * lengths,
    )
    return [float(v) for v in solution.x[:count]]


def _differences(pairs: Sequence[tuple[int, int]], count: int) -> coo_array:
    """(pairs, count): the matrix that maps x to x_a - x_b for each pair (a, b)."""
    rows = np.repeat(np.arange(len(pairs)), 2)
    columns = np.array(pairs, dtype=int).reshape(-1)
    return coo_array((np.tile([1.0, -1.0], len(pairs)), (rows, columns)), shape=(len(pairs), count))
