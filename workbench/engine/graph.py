"""The expression graph of a traced ``step``.

A `Node` is one array operation. Its ``shape`` is that of one *run*, always with two axes (task, coordinate): a scalar
of the paper is (1, 1), a vector (1, d), a task axis (m, d). The runs axis itself never appears: ``per_run`` is False
for values shared by all runs (t, loop counters, constants, tables), and no operation reduces over runs. So the
existence of a graph *proves* that rows do not interact.

Nodes are hash-consed: the same operation on the same arguments is the same node. So a gradient used by a step and a
metric, or a noise address drawn twice, is computed once, without a separate pass.

Every node belongs to a `Block`: ``once`` (parameters only), inside it the loop over iterations t, inside that the inner
loops. A node belongs to the deepest block of its arguments, so loop-invariant code is hoisted automatically.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

FLOAT, INT, BOOL = "f", "i", "b"
Shape = tuple[int, int]
SCALAR: Shape = (1, 1)

# Reductions: the value is available only after the nest over the argument is complete.
REDUCTIONS = ("sum", "tasksum", "max", "argmax")
# Operations that read an argument at a different index, hence from memory and not from the same nest.
INDEXED = ("swap", "pick", "take", "matvec")
# Not among them is "put", a stack with one task replaced: an entry is read at its own index, or is one of the new task.
# Operations with a separate pass, which no other node shares.
ALONE = ("held word", "matvec")
LEAVES = ("const", "param", "table", "index", "runs_id", "t", "counter", "phi", "result")


class Node:
    """One operation. attrs: values known when tracing (a literal, a name, an index)."""

    __slots__ = ("args", "attrs", "block", "dtype", "id", "op", "per_run", "shape")

    def __init__(
        self,
        op: str,
        args: tuple[Node, ...],
        attrs: tuple[Any, ...],
        dtype: str,
        shape: Shape,
        per_run: bool,
        block: Block,
        id: int,
    ) -> None:
        self.op, self.args, self.attrs, self.dtype = op, args, attrs, dtype
        self.shape, self.per_run, self.block, self.id = shape, per_run, block, id

    @property
    def size(self) -> int:
        """Entries per run."""
        return self.shape[0] * self.shape[1]

    def __repr__(self) -> str:
        what = "".join(f" {a}" for a in self.attrs if not isinstance(a, Block))
        return f"%{self.id} = {self.op}{what}({', '.join(f'%{a.id}' for a in self.args)}) {self.dtype}{self.shape}"


class Phi:
    """A value carried by a block from one iteration to the next: a state field, or a carry of an inner loop.

    leaf: its value at the start of an iteration. first: its value before the first one (None for state, which is loaded
    from memory). next: its value at the end of an iteration.
    """

    __slots__ = ("first", "leaf", "name", "next")

    def __init__(self, leaf: Node, first: Node | None, name: str) -> None:
        self.leaf, self.first, self.name = leaf, first, name
        self.next: Node = leaf


class Block:
    """A loop (or, for the outermost block, the code before the loop over t).

    limit: the largest number of iterations, an int or a node shared by all runs; None: only ``alive`` ends the loop.
    alive: the carried condition, per run, under which a run continues; None: all runs make every iteration.
    """

    def __init__(self, parent: Block | None, limit: int | Node | None = None) -> None:
        self.parent, self.limit = parent, limit
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.phis: list[Phi] = []
        self.alive: Phi | None = None
        self.counter: Node | None = None

    def encloses(self, other: Block) -> bool:
        """Is ``other`` this block or inside it?"""
        block: Block | None = other
        while block is not None and block is not self:
            block = block.parent
        return block is self


class Graph:
    """All nodes of one kernel in topological order."""

    def __init__(self) -> None:
        self.once = Block(None)
        self.steps = Block(self.once)
        self.nodes: list[Node] = []
        self.floor = self.once  # new nodes belong here or deeper (`Tracer.branch`)
        self._by_key: dict[tuple[Any, ...], Node] = {}

    def node(
        self,
        op: str,
        args: tuple[Node, ...] = (),
        attrs: tuple[Any, ...] = (),
        dtype: str = FLOAT,
        shape: Shape = SCALAR,
        per_run: bool | None = None,
        block: Block | None = None,
    ) -> Node:
        """The node for this operation, created if it does not exist yet.

        The key includes the type of each literal, since 0, 0.0 and False are equal in Python, and the sign of a zero.
        """
        if per_run is None:  # a reduction needs a nest, so it never counts as a shared number
            per_run = op in REDUCTIONS or any(a.per_run for a in args)
        home = deepest((a.block for a in args), self.once) if block is None else block
        literal = tuple((type(a), repr(a)) if isinstance(a, (float, int)) else a for a in attrs)
        key = (op, tuple(a.id for a in args), literal, dtype, shape, per_run)
        if (key, id(home)) in self._by_key:
            return self._by_key[key, id(home)]
        if args and self.floor.depth > home.depth:
            home = self.floor
        if (key, id(home)) not in self._by_key:
            node = Node(op, args, attrs, dtype, shape, per_run, home, len(self.nodes))
            self.nodes.append(node)
            self._by_key[key, id(home)] = node
        return self._by_key[key, id(home)]

    def leaf(
        self, op: str, attrs: tuple[Any, ...], dtype: str, shape: Shape, per_run: bool, block: Block
    ) -> Node:
        """A new leaf, never shared."""
        node = Node(op, (), attrs, dtype, shape, per_run, block, len(self.nodes))
        self.nodes.append(node)
        return node

    def live(self, outputs: Iterable[Node]) -> list[Node]:
        """The nodes that ``outputs`` depend on, in order, including the dependencies of the loops' carried values."""
        ids: set[int] = set()
        todo = list(outputs)
        while todo:
            node = todo.pop()
            if node.id in ids:
                continue
            ids.add(node.id)
            todo.extend(node.args)
            if node.op == "result":
                todo.extend(needed_by_loop(node.attrs[0]))
        return [n for n in self.nodes if n.id in ids]


def needed_by_loop(loop: Block) -> list[Node]:
    """The inputs of a loop: initial and final nodes of its carried values, and its number of iterations."""
    nodes = [n for phi in loop.phis for n in (phi.leaf, phi.first, phi.next) if n is not None]
    return nodes + ([loop.limit] if isinstance(loop.limit, Node) else [])


def deepest(blocks: Iterable[Block], outermost: Block) -> Block:
    """The innermost of nested blocks."""
    innermost = outermost
    for block in blocks:
        if block.depth > innermost.depth:
            innermost = block
        assert block.encloses(innermost), "a value of a finished loop was used without its result"
    return innermost


def broadcast(shapes: Iterable[Shape], refuse: Callable[[str], Exception]) -> Shape:
    """The common shape; ``refuse(sentence)`` creates the error if there is none."""
    out = [1, 1]
    for shape in shapes:
        for axis in (0, 1):
            if shape[axis] != 1 and out[axis] not in (1, shape[axis]):
                raise refuse(f"an operation on shapes of {out[axis]} and {shape[axis]} entries per run")
            out[axis] = max(out[axis], shape[axis])
    return out[0], out[1]
