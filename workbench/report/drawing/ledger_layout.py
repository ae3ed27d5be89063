"""Layout of the links of a proof: layers by depth, rows of limited length, few crossings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

PER_ROW = 8
SWEEPS = 12


def depths(uses: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Length of the longest path down from each node. Raises RecursionError for a cycle."""
    depth_of: dict[str, int] = {}

    def depth(key: str) -> int:
        if key not in depth_of:
            depth_of[key] = 1 + max((depth(u) for u in uses[key]), default=-1)
        return depth_of[key]

    for key in uses:
        depth(key)
    return depth_of


def places(
    uses: Mapping[str, Sequence[str]], widths: Mapping[str, float] | None = None
) -> dict[str, tuple[float, int]]:
    """Node -> (x in [0, 1], row); a node's row is above the rows of all nodes it uses.

    widths: of the nodes, in any unit; a node gets a share of its row in proportion, so that labels do not overlap.
    """
    depth = depths(uses)
    layers: list[list[str]] = [[] for _ in range(1 + max(depth.values(), default=0))]
    for key in uses:
        layers[depth[key]].append(key)
    # Barycentre heuristic: order each layer by the mean position of the neighbours, alternately downwards and upwards.
    users: dict[str, list[str]] = {key: [] for key in uses}
    for key, links in uses.items():
        for u in links:
            users[u].append(key)
    x = {key: (i + 0.5) / len(layer) for layer in layers for i, key in enumerate(layer)}
    for sweep in range(SWEEPS):
        neighbours = uses if sweep % 2 == 0 else users
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            layer.sort(key=lambda k: fmean([x[n] for n in neighbours[k]] or [x[k]]))
            for i, key in enumerate(layer):
                x[key] = (i + 0.5) / len(layer)
    rows: list[list[str]] = []
    for layer in layers:
        parts = -(-len(layer) // PER_ROW)
        rows += [layer[k::parts] for k in range(parts)]
    positions = {}
    for y, row in enumerate(rows):
        sizes = [1.0 if widths is None else widths[key] for key in row]
        offset = 0.0
        for key, size in zip(row, sizes, strict=True):
            positions[key] = ((offset + size / 2) / sum(sizes), y)
            offset += size
    return positions
