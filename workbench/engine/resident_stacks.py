"""Stacks of tasks that a kernel keeps in memory: which they are, and where each entry lies.

A carried value (m, d) is usually loaded into a buffer, updated as a whole in every iteration, and stored at the end of
a launch. That costs O(m) per step even if the step changes one task. It is *kept* if the step changes it in no other
way than

* ``put`` (`workbench.arrays.ops.put`), any number of times, and before that, if at all,
* inner loops, each of which starts from it or from the outcome of the one before, and makes no iteration as a rule:
  for what few steps need to do with all tasks.

Then its entries stay in one pool in memory. ``take`` is an indexed load, the loops work on the pool itself, and the
puts are indexed stores at the end of the iteration, when every other value has been computed. Memory order: all stacks
of equal m side by side, task after task, so that the blocks of a task share cache lines; one row of the pool per run.

A step reads the old value before the loops. So a value that depends on the outcome of one must not read the old
stack; if one does, the stack is not kept and takes the usual way, with the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from workbench.engine.graph import FLOAT, Block, Graph, Node, Phi

LARGE = 256  # entries from which a stack that is only read stays in memory
LINE = 8  # floats of a cache line


class Spot(NamedTuple):
    """Entry (i, j) lies at first + i * stride + j in the row of a run."""

    first: int
    stride: int
    m: int
    d: int


@dataclass
class ResidentStacks:
    """spots: of each stack, by its number among the carried values. of: id of a node -> that number, for every
    node whose value is in the pool: the old value, those of the loops and their outcomes. puts: the puts of a value in
    their order. put_ids: ids of all puts. loops: block -> numbers of the values on which it works in the pool. readers:
    block -> the nodes that must be computed before it. width: entries per run; 0 if nothing is kept.
    """

    spots: dict[int, Spot] = field(default_factory=dict)
    of: dict[int, int] = field(default_factory=dict)
    puts: dict[int, list[Node]] = field(default_factory=dict)
    put_ids: set[int] = field(default_factory=set)
    loops: dict[Block, list[int]] = field(default_factory=dict)
    readers: dict[Block, list[Node]] = field(default_factory=dict)
    width: int = 0

    def pool(self, values: dict[int, np.ndarray], runs: int) -> np.ndarray:
        """(runs, width), from the arrays (runs, m, d) of the stacks."""
        pool = np.zeros((runs, self.width))
        for number in self.spots:
            self.view(pool, number)[...] = values[number]
        return pool

    def view(self, pool: Any, number: int) -> Any:
        """(runs, m, d), the entries of a stack, in the memory of the pool."""
        first, stride, m, d = self.spots[number]
        start = first - first % stride if stride else first
        tasks = pool[:, start : start + m * stride].reshape(len(pool), m, stride)
        return tasks[:, :, first - start : first - start + d]


def resident_stacks(graph: Graph, phis: list[Phi]) -> ResidentStacks:
    """The carried values of the loop over t that stay in memory."""
    stacks, uses = ResidentStacks(), _Uses(graph, phis)
    for number, phi in enumerate(phis):
        if phi.leaf.shape[0] > 1 and phi.leaf.dtype == FLOAT:
            _try(stacks, uses, number, phi)
    _lay_out(stacks, phis)
    return stacks


class _Uses:
    """Who reads a node: nodes, and other carried values that copy it or start from it."""

    def __init__(self, graph: Graph, phis: list[Phi]) -> None:
        self.graph = graph
        live = graph.live([n for phi in phis for n in (phi.leaf, phi.next)])
        self.users: dict[int, list[Node]] = {n.id: [] for n in live}
        self.starts: dict[int, list[Phi]] = {}  # carried values of inner loops that start from a node
        self.follows: dict[int, list[Phi]] = {}  # carried values that a node is the next value of
        loops = dict.fromkeys(n.attrs[0] for n in live if n.op == "result")
        for node in live:
            for a in node.args:
                self.users[a.id].append(node)
        for phi in (*phis, *(p for loop in loops for p in loop.phis)):
            self.follows.setdefault(phi.next.id, []).append(phi)
            if phi.first is not None:
                self.starts.setdefault(phi.first.id, []).append(phi)
        self.limits = {loop.limit.id for loop in loops if isinstance(loop.limit, Node)}


def _try(stacks: ResidentStacks, uses: _Uses, number: int, phi: Phi) -> None:
    """Adds a carried value to ``stacks`` if it can be kept."""
    steps = uses.graph.steps
    if phi.next is phi.leaf:  # only read
        if phi.leaf.size > LARGE and phi.leaf.id not in uses.starts:
            stacks.spots[number] = Spot(0, 0, *phi.leaf.shape)
            stacks.of[phi.leaf.id] = number
        return
    puts: list[Node] = []
    end = phi.next
    while end.op == "put":
        puts.insert(0, end)
        end = end.args[0]
    loops: list[tuple[Node, Phi]] = []  # outcome, and the value that the loop carries
    while end.op == "result" and end.attrs[0].parent is steps:
        inner = end.attrs[0].phis[end.attrs[1]]
        loops.insert(0, (end, inner))
        end = inner.first
    if end is not phi.leaf:
        return
    starts = {
        before.id: [inner] for before, (_, inner) in zip([end, *(r for r, _ in loops)], loops, strict=False)
    }
    # In between nobody else may see a value that exists for a moment only.
    chain = [*(result for result, _ in loops), *puts]
    for node, after in zip(chain, [*chain[1:], None], strict=True):
        others = [u for u in uses.users[node.id] if u is not after]
        last = not loops or node is loops[-1][0]
        if (node.op == "put" or not last) and others:
            return
        if any(u.op != "take" or u.block is not steps for u in others):
            return
        if uses.follows.get(node.id, []) != ([phi] if after is None else []):
            return
        if uses.starts.get(node.id, []) != starts.get(node.id, []):
            return
    if uses.starts.get(phi.leaf.id, []) != starts.get(phi.leaf.id, []) or phi.leaf.id in uses.follows:
        return
    readers = [u for u in uses.users[phi.leaf.id] if not (puts and u is puts[0])]
    if any(u.op == "put" and u.args[0] is phi.leaf and u.id not in {p.id for p in puts} for u in readers):
        return
    if loops:
        blocks = [result.attrs[0] for result, _ in loops]
        if any(u.block is not steps or u.op == "spread" for u in readers):
            return
        if any(n.op == "result" and n.attrs[0] in blocks for n in uses.graph.live(readers)):
            return
        for block, (result, inner) in zip(blocks, loops, strict=True):
            stacks.loops.setdefault(block, []).append(number)
            stacks.readers.setdefault(block, []).extend(readers)
            stacks.of |= {inner.leaf.id: number, result.id: number}
    stacks.spots[number] = Spot(0, 0, *phi.leaf.shape)
    stacks.of[phi.leaf.id] = number
    stacks.puts[number] = puts
    stacks.put_ids |= {p.id for p in puts}


def _lay_out(stacks: ResidentStacks, phis: list[Phi]) -> None:
    """Stacks of equal m side by side, task after task; the stacks of another m after them."""
    start = 0
    for m in dict.fromkeys(phis[number].leaf.shape[0] for number in stacks.spots):
        mine = [number for number in stacks.spots if phis[number].leaf.shape[0] == m]
        stride = sum(phis[number].leaf.shape[1] for number in mine)
        start = -(-start // stride) * stride  # a multiple, from which the position in a task follows
        at = start
        for number in mine:
            d = phis[number].leaf.shape[1]
            stacks.spots[number] = Spot(at, stride, m, d)
            at += d
        start += m * stride
    # Rows that start at different cache sets, as their tasks are read side by side.
    stacks.width = (-(-start // LINE) + 1) * LINE if stacks.spots else 0
