"""From a graph to loops: which nodes share a nest, which values need a buffer, which are updated in place.

A *nest* is one pass over the coordinates (and tasks) of a shape. Nodes of one shape share a nest unless one of them
needs a value that is complete only after the pass: a reduction, an entry at another index, a value of another shape,
the outcome of an inner loop. Such an edge is a *cut*. The level of a node is the largest number of cuts on any path to
it, and there is one nest per block, level and shape. For d = 1 without inner loops everything is one nest.

Only a value used outside its nest gets a buffer. A second pass moves nodes to later levels if that saves a buffer. A
carried value overwrites its old value inside the nest if the old value is dead afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from workbench.engine.graph import (
    ALONE,
    FLOAT,
    INDEXED,
    LEAVES,
    REDUCTIONS,
    SCALAR,
    Block,
    Graph,
    Node,
    Phi,
    Shape,
    needed_by_loop,
)
from workbench.engine.resident_stacks import ResidentStacks, resident_stacks


@dataclass(eq=False)
class Nest:
    """One pass. stores: carried values that overwrite their old ones at the end of each iteration of the pass.

    hold: computed once in 32 iterations (the words from which fair signs are taken). product: the only node of a nest
    that is a table times a vector; the product itself writes its carried value, if any.
    """

    level: int
    shape: Shape
    hold: bool = False
    product: Node | None = None
    nodes: list[Node] = field(default_factory=list)
    stores: list[tuple[Phi, Node]] = field(default_factory=list)

    @property
    def reductions(self) -> list[Node]:
        return [n for n in self.nodes if n.op in REDUCTIONS]


@dataclass(eq=False)
class Inner:
    """An inner loop in the sequence of nests."""

    level: int
    block: Block
    body: Body


@dataclass(eq=False)
class Body:
    """One block. uniform: values shared by all runs, in order. items: nests and inner loops, in order.

    puts: tasks to be stored in the pool at the end of an iteration. copies: carried values that could not be written in
    place, copied together after that.
    """

    block: Block
    uniform: list[Node]
    items: list[Nest | Inner]
    copies: list[tuple[Phi, Node]]
    puts: list[tuple[int, Node]] = field(default_factory=list)


@dataclass(eq=False)
class Plan:
    """once: before the loop over t. steps: one iteration. buffers: id of a node or phi leaf -> number of its buffer.

    Several nodes may share a buffer: a carried value, the value that overwrites it, and the outcome of the loop.
    largest: id of an ``argmax`` -> number of a second buffer, for the largest entry so far in addition to its index.
    stacks: the carried values that have no buffer (`workbench.engine.resident_stacks`).
    """

    once: Body
    steps: Body
    buffers: dict[int, int]
    largest: dict[int, int]
    sizes: list[tuple[str, int]]  # of each buffer: type and entries per run
    live: list[Node]  # the nodes that the kernel needs
    stacks: ResidentStacks

    def buffer(self, node: Node) -> int:
        return self.buffers[node.id]


def nest_shape(node: Node) -> Shape:
    """The shape that a node's pass runs over; for a reduction that of its argument."""
    return node.args[0].shape if node.op in REDUCTIONS else node.shape


def is_uniform(node: Node) -> bool:
    """Is this a number shared by all runs, computed once outside every nest?"""
    return not node.per_run and node.shape == SCALAR


def is_inline(node: Node) -> bool:
    """Is this a constant vector (a function of the index, a table), recomputed in every nest that uses it?"""
    return not node.per_run and node.shape != SCALAR and node.op not in LEAVES


def has_place(node: Node) -> bool:
    """Does a node belong to one nest of its block?"""
    return node.op not in LEAVES and not is_uniform(node) and not is_inline(node)


def plan(graph: Graph, phis: list[Phi]) -> Plan:
    """The plan of a kernel that carries ``phis`` from iteration to iteration."""
    stacks = loop_stacks(graph, phis)
    live = graph.live([n for phi in phis for n in (phi.leaf, phi.next)])
    planner = _Planner(live, stacks)
    once, steps = planner.body(graph.once), planner.body(graph.steps)
    steps.puts = [(number, node) for number, puts in stacks.puts.items() for node in puts]
    return Plan(once, steps, planner.buffers, planner.largest, planner.sizes, live, stacks)


def loop_stacks(graph: Graph, phis: list[Phi]) -> ResidentStacks:
    """Lets the loop over t carry ``phis``; returns those that stay in memory."""
    graph.steps.phis = phis
    _name_copies(graph)
    return resident_stacks(graph, phis)


def _name_copies(graph: Graph) -> None:
    """x_old = x: turns the copy into a separate node, which can share a nest with the node that overwrites x."""
    for block in dict.fromkeys([graph.steps, *(node.block for node in graph.nodes)]):
        leaves = {phi.leaf.id for phi in block.phis}
        for phi in block.phis:
            if phi.next is not phi.leaf and phi.next.id in leaves:
                phi.next = graph.node("spread", (phi.next,), (phi.name,), phi.leaf.dtype, phi.leaf.shape)


class _Planner:
    def __init__(self, live: list[Node], stacks: ResidentStacks) -> None:
        self.live, self.stacks = live, stacks
        self.before_a_loop = {n.id for readers in stacks.readers.values() for n in readers}
        self.buffers: dict[int, int] = {}
        self.largest: dict[int, int] = {}
        self.sizes: list[tuple[str, int]] = []
        self.users: dict[int, list[Node]] = {n.id: [] for n in live}
        self.loops: dict[Block, None] = {}  # loops whose outcome is used, in order
        # What a loop starts from, and what it carries at the end of an iteration.
        self.for_loops: set[int] = set()
        self.carriers: dict[int, Block] = {}  # values that a block carries at the end of its iterations
        for node in live:
            for a in node.args:
                self.users[a.id].append(node)
            if node.op == "result":
                self.loops[node.attrs[0]] = None
            for phi in node.block.phis:
                self.carriers[phi.next.id] = node.block
        for loop in self.loops:
            self.for_loops.update(n.id for n in needed_by_loop(loop))
        for node in live:
            if node.op == "param" and node.per_run:
                self._give_buffer(node)
            if node.op == "argmax":
                self.largest[node.id] = len(self.sizes)
                self.sizes.append((FLOAT, node.shape[0]))

    # ------------------------------------------------------------------------------------------- one block
    def body(self, block: Block) -> Body:
        for phi in block.phis:
            self._give_buffer(phi.leaf)
        mine = [n for n in self.live if n.block is block and n.op not in LEAVES]
        inner = [b for b in self.loops if b.parent is block]
        uniform = [n for n in mine if is_uniform(n)]
        nest_nodes = [n for n in mine if has_place(n) and n.id not in self.stacks.put_ids]
        levels, of_loops = self._levels(block, nest_nodes, inner)
        self._delay(block, nest_nodes, levels)
        self._join_copies(block, levels)
        nests = self._nests(nest_nodes, levels)
        where = {n.id: nest for nest in nests for n in nest.nodes}
        copies = self._carry(block, where, of_loops)
        for node in nest_nodes:
            if self._leaves_nest(node, where):
                self._give_buffer(node)
        items: list[Nest | Inner] = list(nests)
        for loop in inner:
            for phi in loop.phis:
                self._give_buffer(phi.leaf)
            for n in self.live:
                if n.op == "result" and n.attrs[0] is loop and n.id not in self.stacks.of:
                    self.buffers[n.id] = self.buffers[loop.phis[n.attrs[1]].leaf.id]
            items.append(Inner(of_loops[loop], loop, self.body(loop)))
        # Nests with cached words come first in their level, loops last.
        items.sort(key=lambda item: (item.level, isinstance(item, Inner)))
        return Body(block, uniform, items, copies)

    def _levels(
        self, block: Block, nest_nodes: list[Node], inner: list[Block]
    ) -> tuple[dict[int, int], dict[Block, int]]:
        """Level of each computed node and loop outcome, by the node's id, and of each loop."""
        levels: dict[int, int] = {}
        of_loops: dict[Block, int] = {}

        def loop_level(loop: Block) -> int:
            if loop not in of_loops:
                of_loops[loop] = 0
                of_loops[loop] = max((level(u) + 1 for u in self._inputs(loop, block)), default=0)
            return of_loops[loop]

        def level(node: Node) -> int:
            if node.block is not block or is_uniform(node):
                return 0
            if is_inline(node):  # needed because its users may be loops
                return max((level(a) for a in node.args), default=0)
            if node.id not in levels:
                if node.op == "result":
                    levels[node.id] = loop_level(node.attrs[0]) + 1
                elif node.op in LEAVES:
                    levels[node.id] = 0
                else:
                    levels[node.id] = max((level(a) + self._cut(a, node) for a in node.args), default=0)
            return levels[node.id]

        for node in nest_nodes:  # in topological order, so the recursion stays shallow
            level(node)
        for loop in inner:
            loop_level(loop)
        return levels, of_loops

    def _inputs(self, loop: Block, block: Block) -> Iterator[Node]:
        """Nodes of ``block`` that a loop in it uses: as initial values, or inside."""
        yield from self.stacks.readers.get(loop, ())
        for node in needed_by_loop(loop):
            if node.block is block:
                yield node
        for node in self.live:
            if loop.encloses(node.block) and node.block is not block:
                args: Iterable[Node] = node.args
                if node.op == "result":
                    args = needed_by_loop(node.attrs[0])
                yield from (a for a in args if a.block is block)

    @staticmethod
    def _cut(a: Node, user: Node) -> int:
        """1 where ``user`` must wait for the end of the pass that computes ``a``."""
        if not has_place(a) or a.block is not user.block:
            return 0
        separate = a.op in REDUCTIONS or a.op in ALONE or user.op in INDEXED or user.op in ALONE
        return int(separate or nest_shape(a) != nest_shape(user))

    def _delay(self, block: Block, nest_nodes: list[Node], levels: dict[int, int]) -> None:
        """Moves a node to the nest of its first user if that does not cost more buffers than it saves."""
        end_values = self.for_loops | {phi.next.id for phi in block.phis}
        for node in reversed(nest_nodes):
            users = self.users[node.id]
            if (
                node.op in REDUCTIONS
                or node.op == "word"
                or node.op in ALONE
                or node.id in end_values
                or node.id in self.before_a_loop
                or not users
            ):
                continue
            if any(u.block is not block or not has_place(u) or self._cut(node, u) for u in users):
                continue
            latest = min(levels[u.id] for u in users)
            costs = [
                a
                for a in node.args
                if a.block is block
                and has_place(a)
                and nest_shape(a) == nest_shape(node)
                and a.op not in (*REDUCTIONS, "matvec")
            ]
            if latest > levels[node.id] and len(costs) <= 1:
                levels[node.id] = latest

    def _join_copies(self, block: Block, levels: dict[int, int]) -> None:
        """A plain copy of a carried value waits for the nest that overwrites the original."""
        next_values = {phi.leaf.id: phi.next for phi in block.phis}
        for phi in block.phis:
            copy = phi.next
            if copy.op == "spread" and copy.args[0].id in next_values and len(self.users[copy.id]) == 0:
                over = next_values[copy.args[0].id]
                if (
                    over.id in levels
                    and over.op not in (*REDUCTIONS, *ALONE)
                    and nest_shape(over) == nest_shape(copy)
                ):
                    levels[copy.id] = max(levels[copy.id], levels[over.id])

    def _nests(self, nest_nodes: list[Node], levels: dict[int, int]) -> list[Nest]:
        nests: dict[tuple[int, Shape, bool, Node | None], Nest] = {}
        for node in nest_nodes:
            product = node if node.op == "matvec" else None
            key = (levels[node.id], nest_shape(node), node.op == "held word", product)
            nest = nests.setdefault(key, Nest(*key))
            nest.nodes.append(node)
        return sorted(nests.values(), key=lambda n: (n.level, not n.hold))

    # --------------------------------------------------------------------------------- carried values, buffers
    def _carry(
        self, block: Block, where: dict[int, Nest], of_loops: dict[Block, int]
    ) -> list[tuple[Phi, Node]]:
        """Stores in place where the old value is no longer needed; the rest is copied at the end."""
        copies, in_place = [], set[int]()
        late = {phi.next.id for phi in block.phis if phi.next.op in LEAVES}
        for phi in block.phis:
            if phi.next is phi.leaf or (phi.leaf.id in self.stacks.of and phi.first is None):
                continue
            nest = where.get(phi.next.id)
            own = nest is not None and phi.next.op not in REDUCTIONS and phi.next.id not in in_place
            if (
                nest
                and own
                and phi.leaf.id not in late
                and self._unread_after(phi.leaf, block, nest, where, of_loops)
            ):
                nest.stores.append((phi, phi.next))
                if phi.leaf.id in self.stacks.of:
                    self.stacks.of[phi.next.id] = self.stacks.of[phi.leaf.id]
                else:
                    self.buffers[phi.next.id] = self.buffers[phi.leaf.id]
                in_place.add(phi.next.id)
            else:
                copies.append((phi, phi.next))
        for _, node in copies:
            if node.id in where:
                self._give_buffer(node)
        return copies

    def _unread_after(
        self, leaf: Node, block: Block, nest: Nest, where: dict[int, Nest], of_loops: dict[Block, int]
    ) -> bool:
        """Is every reader of ``leaf`` done when ``nest`` overwrites it?"""
        for user in self._readers(leaf):
            if user.block is not block:  # inside a loop of this block: it must have run before
                if not any(
                    loop.encloses(user.block) and level < nest.level for loop, level in of_loops.items()
                ):
                    return False
                continue
            own = where.get(user.id)
            if own is None:
                return False
            before = own.level < nest.level
            same_place = own is nest and nest_shape(user) == leaf.shape and user.op not in INDEXED
            if not (before or same_place):
                return False
        return True

    def _readers(self, leaf: Node) -> Iterator[Node]:
        yield from self.users[leaf.id]
        for loop in self.loops:
            if loop is not leaf.block and leaf in needed_by_loop(
                loop
            ):  # read when the loop starts, or inside it
                yield loop.phis[0].leaf

    def _leaves_nest(self, node: Node, where: dict[int, Nest]) -> bool:
        """Is a value needed outside the pass that computes it?"""
        if node.op in REDUCTIONS or node.op in ALONE:
            return True
        if self.carriers.get(node.id, node.block) is not node.block:
            return True
        if any(where.get(u.id) is not where[node.id] or u.op in INDEXED for u in self.users[node.id]):
            return True
        return node.id in self.for_loops

    def _give_buffer(self, node: Node) -> None:
        if node.id not in self.buffers and node.id not in self.stacks.of:
            self.buffers[node.id] = len(self.sizes)
            self.sizes.append((node.dtype, node.size))
