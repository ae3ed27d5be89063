"""Code generation from a plan, shared by both languages. `LlvmText` and `CudaText` implement `Language`.

The emitter walks the plan: it loads buffers, parameters and state from memory, then writes the block ``once``, the loop
over t with its nests and inner loops, and stores the state. Inside a nest every node is one statement ``v<id> = ...``;
a value of another nest is loaded from its buffer once per iteration. What a value or a place in memory is called is
the language's own: the walk only passes it on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from workbench.arrays import maths
from workbench.engine.graph import FLOAT, INT, REDUCTIONS, SCALAR, Block, Graph, Node, Phi
from workbench.engine.language import Language
from workbench.engine.namespace import Table
from workbench.engine.program import Program
from workbench.engine.schedule import Body, Inner, Nest, Plan, has_place, plan
from workbench.engine.tracer import Tracer

LINE = 8  # numbers in a line of the cache


class Emitter(Language):
    """Generates the text of one kernel; subclasses define the language."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.plan: Plan = plan(program.graph, program.phis)
        self.tables = _Tables([n for n in program.graph.nodes if n.op == "table"])
        self.functions: dict[str, int] = {}  # functions of `maths` in use, with their numbers of arguments
        self._names: dict[tuple[Any, ...], Any] = {}
        self._nest_ids: set[int] = set()  # nodes of the nest that is being written

    # ---------------------------------------------------------------------------------------- the walk
    def walk(self) -> None:
        """Writes the whole kernel."""
        self.header()
        self._load_params()
        self._transfer_all(into=True)
        self._body(self.plan.once)
        with self.over_time(), self.fresh():
            self._set_time()
            self.look_up()
            self._body(self.plan.steps)
        self._transfer_all(into=False)
        self.footer()

    def _set_time(self) -> None:
        node = next(n for n in self.program.graph.nodes if n.op == "t")
        self._names[node.id, "0", "0"] = self.assign(f"v{node.id}", self.time(), "i")

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """A scope: values computed inside are not available outside."""
        outer = dict(self._names)
        yield
        self._names = outer

    def _load_params(self) -> None:
        for node in (n for n in self.plan.live if n.op == "param"):
            if node.per_run:
                with self.each_run():
                    value = self.load(self.memory("P", node.attrs[0], "0"), FLOAT)
                    self.store(self.element(self.plan.buffer(node), "0"), value, FLOAT)
            else:
                self.value(node)

    def _transfer_all(self, into: bool) -> None:
        """Copies the carried values from memory into the buffers, or back; resident stacks stay where they are."""
        for phi, pool, row in self.program.places():
            if pool != "K":
                self._transfer(phi, pool, row, into)

    def _transfer(self, phi: Phi, pool: str, row: int, into: bool) -> None:
        size, dtype = phi.leaf.size, INT if pool == "I" else FLOAT
        with self.loop("e", size), self.each_run():
            inside = self.element(self.plan.buffer(phi.leaf), "e" if size > 1 else "0")
            outside = self.memory(pool, row, "e" if size > 1 else "0")
            a, b = (inside, outside) if into else (outside, inside)
            self.store(a, self.load(b, dtype), dtype)

    # --------------------------------------------------------------------------------------------- blocks
    def _body(self, body: Body) -> None:
        for node in body.uniform:
            self.value(node)
        for item in body.items:
            if isinstance(item, Inner):
                self._inner(item)
            elif item.hold:
                with self.when(self.refresh()):
                    self._nest(item)
            else:
                self._nest(item)
        self._puts(body.puts)
        self._copies(body.copies)

    def _nest(self, nest: Nest) -> None:
        if nest.product is not None:
            A, x = nest.product.args
            self.product(A, self.plan.buffer(x), self.plan.buffer(nest.product))
            return
        for node in nest.reductions:
            self._start(node)
        with self._pass(nest.shape, nest):
            for node in nest.nodes:
                if node.op in REDUCTIONS:
                    self._accumulate(node)
                else:
                    value = self.value(node)
                    if node.id in self.plan.buffers and not any(node is n for _, n in nest.stores):
                        self.store(self._place(node, "i", "j"), value, node.dtype)
            for phi, node in nest.stores:
                self.store(self._place(phi.leaf, "i", "j"), self.value(node), node.dtype)

    @contextmanager
    def _pass(self, shape: tuple[int, int], nest: Nest | None = None) -> Iterator[None]:
        """Loops over tasks, coordinates and runs, in which the nodes of ``nest`` are computed and all others loaded."""
        self._nest_ids = set() if nest is None else {n.id for n in nest.nodes}
        with self.fresh(), self.loop("i", shape[0]), self.loop("j", shape[1]), self.each_run():
            yield
        self._nest_ids = set()

    def _start(self, node: Node) -> None:
        first = {"sum": -0.0, "tasksum": -0.0, "max": -np.inf, "argmax": 0}[node.op]
        size = node.size
        with self.loop("e", size), self.each_run():
            index = "e" if size > 1 else "0"
            place = self.element(self.plan.buffer(node), index)
            self.store(place, self.literal(first, node.dtype), node.dtype)
            if node.op == "argmax":
                best = self.element(self.plan.largest[node.id], index)
                self.store(best, self.literal(np.nan, FLOAT), FLOAT)

    def _accumulate(self, node: Node) -> None:
        value, dtype = self.value(node.args[0]), node.dtype
        place = self._place(node, "i", "j")
        if node.op in ("sum", "tasksum"):
            self.store(place, self.binary("+", self.load(place, dtype), value), dtype)
        elif node.op == "max":
            best = self.load(place, dtype)
            larger = self.binary("|", self.binary(">", value, best), self.binary("!=", value, value))
            self.store(place, self.pick_if(larger, value, best), dtype)
        else:
            best_place = self._place(node, "i", "j", self.plan.largest[node.id])
            best = self.load(best_place, FLOAT)
            first = self.binary("&", self.binary("!=", best, best), self.binary("==", value, value))
            larger = self.assign(f"g{node.id}", self.binary("|", self.binary(">", value, best), first), "b")
            self.store(place, self.pick_if(larger, self.as_integer("j"), self.load(place, dtype)), dtype)
            self.store(best_place, self.pick_if(larger, value, best), FLOAT)

    def _puts(self, puts: list[tuple[int, Node]]) -> None:
        """Stores new tasks in the pool; every other value of the iteration has been computed."""
        for d in dict.fromkeys(node.shape[1] for _, node in puts):
            with self._pass((1, d)):
                for number, node in puts:
                    if node.shape[1] != d:
                        continue
                    _, index, new = node.args
                    at, value = self.value(index), self.value(new)
                    low, high = self.literal(0, INT), self.literal(node.shape[0], INT)
                    inside = self.binary("&", self.binary(">=", at, low), self.binary("<", at, high))
                    self.store_if(inside, self._spot(number, at, "j" if d > 1 else "0"), value, node.dtype)

    def _copies(self, copies: list[tuple[Phi, Node]]) -> None:
        """Copies carried values that could not be written in place; all are read before any is written."""
        for shape in dict.fromkeys(phi.leaf.shape for phi, _ in copies):
            with self._pass(shape):
                mine = [(phi, node) for phi, node in copies if phi.leaf.shape == shape]
                values = [self.value(node) for _, node in mine]
                for (phi, _), value in zip(mine, values, strict=True):
                    self.store(self._place(phi.leaf, "i", "j"), value, phi.leaf.dtype)

    def _inner(self, inner: Inner) -> None:
        block = inner.block
        for phi in block.phis:
            assert phi.first is not None
            if phi.leaf.id in self.plan.stacks.of:  # is in its place
                continue
            with self._pass(phi.leaf.shape):
                self.store(self._place(phi.leaf, "i", "j"), self.value(phi.first), phi.leaf.dtype)
        limit = block.limit if isinstance(block.limit, Node) else None
        turns = None if block.limit is None else self.value(limit) if limit else block.limit
        alive = None if block.alive is None else self.plan.buffer(block.alive.leaf)
        assert block.counter is not None
        with self.while_going(self.counter(block), turns, alive), self.fresh():
            name = f"v{block.counter.id}"
            count = self.as_integer(self.counter(block))
            self._names[block.counter.id, "0", "0"] = self.assign(name, count, "i")
            self._body(inner.body)

    @staticmethod
    def counter(block: Block) -> str:
        return f"k{block.depth}"

    # --------------------------------------------------------------------------------------------- values
    def value(self, node: Node, i: Any = "i", j: Any = "j") -> Any:
        """A node's entry at task i and coordinate j, computed or loaded if necessary."""
        if node.op == "const":
            return self.literal(node.attrs[0], node.dtype)
        i = i if node.shape[0] > 1 else "0"
        j = j if node.shape[1] > 1 else "0"
        key = (node.id, i, j)
        if key not in self._names:
            plain = i == ("i" if node.shape[0] > 1 else "0") and j == ("j" if node.shape[1] > 1 else "0")
            self._names[key] = name = f"v{node.id}" if plain else f"v{node.id}_{len(self._names)}"
            self._names[key] = self.assign(name, self._entry(name, node, i, j), node.dtype)
        return self._names[key]

    def _entry(self, name: str, node: Node, i: Any, j: Any) -> Any:
        if node.op == "index":
            number = {0: i, 1: j, 2: self.offset(i, node.shape[1], j)}[node.attrs[0]]
            return self.as_integer(number)
        if node.op == "runs_id":
            return self.run_id()
        if node.op == "table":
            return self.table(node, i, j)
        if node.op == "param" and not node.per_run:
            return self.parameter(node.attrs[0])
        if self._in_memory(node):
            return self.load(self._place(node, i, j), node.dtype)
        if node.op in ("word", "held word"):
            return self._word(node)
        if node.op in ("swap", "pick", "take"):
            return self._elsewhere(node, i, j)
        if node.op == "put":
            stack, index, new = node.args
            mine = self.binary("==", self.as_integer(i), self.value(index))
            return self.pick_if(mine, self.value(new, "0", j), self.value(stack, i, j))
        assert node.id in self._nest_ids or not has_place(node), f"{node} is not there when it is needed"
        args = [self.value(a, i, j) for a in node.args]
        if node.op == "call":
            self.functions[node.attrs[0]] = len(args)
        return args[0] if node.op == "spread" else self.operation(node, args)

    def _in_memory(self, node: Node) -> bool:
        """Is the value already in a buffer?"""
        if node.op in ("phi", "param", "result"):
            return True
        has_place = node.id in self.plan.buffers or node.id in self.plan.stacks.of
        return has_place and (node.id not in self._nest_ids or node.op in REDUCTIONS)

    def _elsewhere(self, node: Node, i: Any, j: Any) -> Any:
        """An entry of the argument at a different index."""
        a = node.args[0]
        if node.op == "swap":
            return self.value(a, j, i)
        if node.op == "pick":
            axis, at = node.attrs
            return self.value(a, i, str(at)) if axis else self.value(a, str(at), j)
        index = self.value(node.args[1], i, j)
        if a.id not in self.plan.stacks.of:
            return self.value(a, index, j)
        name = f"i{node.args[1].id}"  # a wrong index must not leave the pool
        if (name, "", "") not in self._names:
            last, zero = self.literal(a.shape[0] - 1, "i"), self.literal(0, "i")
            below = self.pick_if(self.binary(">", index, last), last, index)
            inside = self.pick_if(self.binary("<", index, zero), zero, below)
            self._names[name, "", ""] = self.assign(name, inside, "i")
        return self.load(self._spot(self.plan.stacks.of[a.id], self._names[name, "", ""], j), a.dtype)

    def _word(self, node: Node) -> Any:
        """Word 0..3 of an address; the four words of an address are computed together."""
        if node.op == "held word":  # shared by 32 iterations
            t, rid, coordinate = (self.value(a) for a in node.args)
            which, last = node.attrs
            address = [self.binary(">>", t, self.literal(5, INT)), rid, coordinate, self.literal(last, INT)]
            return self.words(f"w{node.id}", address)[which]
        key = ("words", *(a.id for a in node.args))
        if key not in self._names:
            self._names[key] = self.words(f"w{node.id}", [self.value(a) for a in node.args])
        return self._names[key][node.attrs[0]]

    def _spot(self, number: int, i: Any, j: Any) -> Any:
        """An entry of a resident stack."""
        first, stride, _, _ = self.plan.stacks.spots[number]
        return self.stack_entry(first, i, stride, j)

    def _place(self, node: Node, i: Any, j: Any, buffer: int | None = None) -> Any:
        m, d = node.shape
        if buffer is None and node.id in self.plan.stacks.of:
            return self._spot(self.plan.stacks.of[node.id], i, j if d > 1 else "0")
        index = j if m == 1 else i if d == 1 else self.offset(i, d, j)
        number = self.plan.buffer(node) if buffer is None else buffer
        return self.element(number, index if node.shape != SCALAR else "0")


class _Tables:
    """The concatenated constant arrays of a kernel; they are arguments, so the text contains no data.

    Each begins at a multiple of `LINE` entries: to read a vector across two lines of the cache takes twice as long.
    """

    def __init__(self, nodes: list[Node]) -> None:
        self.offset: dict[int, int] = {}
        self.floats, self.integers = np.zeros(LINE), np.zeros(LINE, np.int64)
        for node in nodes:
            table: Table = node.attrs[0]
            if node.dtype == FLOAT:
                self.offset[node.id] = self.append(table.values)
            else:
                self.integers, self.offset[node.id] = _append(self.integers, table.values)

    def append(self, values: np.ndarray) -> int:
        """Appends an array of floats and returns its offset."""
        self.floats, offset = _append(self.floats, values)
        return offset


def _append(pool: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, int]:
    """The pool with an array at its end and zeros up to the next line, and the offset of the array."""
    rest = np.zeros(-values.size % LINE, pool.dtype)
    return np.concatenate([pool, values.ravel().astype(pool.dtype), rest]), pool.size


def traced_function(name: str, arguments: int) -> tuple[Graph, list[Node], Node]:
    """A function of `workbench.arrays.maths` as a graph of scalars: the graph, its arguments, its value."""
    graph = Graph()
    xp = Tracer(graph)
    leaves = [graph.leaf("argument", (n,), FLOAT, SCALAR, True, graph.once) for n in range(arguments)]
    value = getattr(maths, name)(*(xp.wrap(leaf, ()) for leaf in leaves), xp)
    return graph, leaves, value.node
