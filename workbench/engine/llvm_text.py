"""CPU code generation: a kernel in LLVM's language over blocks of runs, with the lanes of a block in vectors.

``kernel(first, last, low, high, k0, k1, runs, rid, P, F, I, TF, TI)`` runs iterations first .. last of the runs low ..
high - 1 (a multiple of the lanes). Pools have one column per run: P parameters, F and I the carried floats and
integers. Kernels that keep values (`workbench.engine.resident_stacks`) have the pool K of these as well, with one row
per run. k0, k1 are the halves of the seed, runs the columns of the pools, rid the noise identities, TF and TI the
tables. The runs of a block lie side by side in every buffer. Each operation is written for two vectors of them: the
operations on one form a dependency chain, and a processor looks ahead only a few hundred instructions, so a single
vector leaves half of its units idle. A block of more lanes repeats that.

Functions of t alone (t^-p, log t) are the same for all runs. They are tabulated `AHEAD` iterations at a time, in
vectors of iterations, and every block looks them up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from workbench.arrays import maths
from workbench.engine.emit import Emitter, traced_function
from workbench.engine.graph import BOOL, FLOAT, INT, SCALAR, Graph, Node
from workbench.engine.llvm_operations import Operations, literal
from workbench.engine.llvm_products import Product
from workbench.engine.llvm_writer import POINTER, Value, Writer, integer, vector
from workbench.engine.program import Program
from workbench.engine.vectors import NATIVE

LANES = 16
AT_ONCE = 2  # vectors
AHEAD = 256  # iterations; short enough for the L1 cache, long enough to amortize spilling the carried values
AHEAD_KEPT = 4096  # where values are kept in memory: amortizes loading those of a block into the L2 cache
_NUMBERS = ("first", "last", "low", "high", "k0", "k1", "runs")


@dataclass(frozen=True)
class Place:
    """pointers: of each part, to a vector, or where ``apart`` one for every lane. align: of a vector, in bytes."""

    pointers: Value
    align: int = 8
    apart: bool = False


class LlvmText(Emitter):
    """lanes: runs per block; with 1, for a few runs, LLVM vectorizes loops over coordinates. fast: fuse a * b + c."""

    def __init__(self, program: Program, lanes: int = LANES, fast: bool = False) -> None:
        super().__init__(program)
        self.lanes, self.writer = lanes, Writer(contract=fast)
        self._compute = Operations(self.writer)
        self.width = math.gcd(lanes, NATIVE)  # entries of a vector
        self.vectors = lanes // self.width
        self.parts = AT_ONCE if self.vectors % AT_ONCE == 0 else 1
        self._by_columns: dict[int, int] = {}  # offsets of column-major matrices, for one lane
        self._buffers: list[list[Value]] = []
        self._ahead = [n for n in self.plan.steps.uniform if n.op == "call"]
        self._rows: list[Value] = []  # of the functions of t that are computed ahead
        self.ahead = AHEAD_KEPT if self.plan.stacks.spots else AHEAD
        given = {name: Value((f"%{name}",), INT) for name in _NUMBERS}
        self._first, self._end = given["first"], self.writer.add(given["last"], integer(1))
        self._given, self._time, self._block = given, given["first"], given["low"]
        self._begin = given["first"]  # of the iterations whose functions of t are at hand
        self._indices: dict[str, Value] = {"0": integer(0)}  # of the loops around
        self._chunk = integer(0)  # which vectors of the block are being computed
        self._outer: list[AbstractContextManager[Any]] = []  # loops around the loop over t, outermost first

    def text(self) -> str:
        self.walk()
        pools = ["rid", "P", "F", "I", *(["K"] if self.plan.stacks.spots else []), "TF", "TI"]
        constants = {"rid", "P", "TF", "TI"}
        numbers = [f"i64 %{name}" for name in _NUMBERS]
        pointers = [f"ptr noalias {'readonly ' if n in constants else ''}%{n}" for n in pools]
        head = f"define void @kernel({', '.join([*numbers, *pointers])}) #0 {{"
        body = [*self.writer.text(), "ret void", "}"]
        # LLVM avoids 512-bit vectors, because older processors slowed down for them; here they gain 20 %.
        attributes = 'attributes #0 = { nounwind "prefer-vector-width"="512" }'
        hints = ["!0 = distinct !{!0, !1}", f'!1 = !{{!"llvm.loop.interleave.count", i32 {AT_ONCE}}}']
        return "\n".join([*self.writer.declarations, head, *body, attributes, *hints, ""])

    # ------------------------------------------------------------------------------- the frame of a kernel
    def header(self) -> None:
        for dtype, size in self.plan.sizes:
            kind = vector(FLOAT if dtype == FLOAT else INT, self.width)
            # LLVM turns single vectors into registers.
            single = size == 1 and self.vectors == self.parts
            count = 1 if single else max(size, 1) * self.vectors
            rooms = [self.writer.room(kind, count) for _ in range(self.parts if single else 1)]
            self._buffers.append(rooms)
        if self._ahead:
            self._make_ahead()
        blocks = self.writer.loop(self._given["low"], self._given["high"], self.lanes)
        self._block = self._open(blocks)

    def footer(self) -> None:
        while self._outer:
            self._outer.pop().__exit__(None, None, None)

    def _open(self, context: AbstractContextManager[Any]) -> Any:
        self._outer.append(context)
        return context.__enter__()

    def _make_ahead(self) -> None:
        """Opens the loop over chunks of ``ahead`` iterations and tabulates the functions of t for one chunk."""
        writer, together = self.writer, AT_ONCE * NATIVE
        rows = [writer.room("double", self.ahead) for _ in self._ahead]
        self._begin = begin = self._open(writer.loop(self._first, self._end, self.ahead))
        full = writer.add(begin, integer(self.ahead))
        less = writer.pure("icmp slt i64 {0}, {1}", BOOL, full, self._end)
        end = writer.pure("select i1 {0}, i64 {1}, i64 {2}", INT, less, full, self._end)
        count = writer.pure("sub i64 {0}, {1}", INT, end, begin)
        with writer.loop(integer(0), count, together) as at, self.fresh():
            self._time = writer.add(writer.add(begin, at), _lanes(NATIVE, AT_ONCE))
            self._set_time()
            for row, node in zip(rows, self._ahead, strict=True):
                value = writer.spread(self.value(node), NATIVE, AT_ONCE)
                first = writer.at(row, at, "double")
                places = [writer.at(first, integer(n), vector(FLOAT, NATIVE)).name for n in range(AT_ONCE)]
                writer.store(Value(tuple(places), POINTER), value, NATIVE, 8 * NATIVE)
        self._first, self._end, self._rows = begin, end, rows

    def look_up(self) -> None:
        for row, node in zip(self._rows, self._ahead, strict=True):
            at = self.writer.pure("sub i64 {0}, {1}", INT, self._time, self._begin)
            self._names[node.id, "0", "0"] = self.writer.load(self.writer.at(row, at, "double"), FLOAT, 1)

    # ------------------------------------------------------------------------------------------- contexts
    @contextmanager
    def over_time(self) -> Iterator[None]:
        with self.writer.loop(self._first, self._end) as self._time:
            yield

    def time(self) -> Value:
        return self._time

    @contextmanager
    def loop(self, variable: str, count: int) -> Iterator[None]:
        if count == 0:
            with self.writer.when(Value(("false",), BOOL)):
                self._indices[variable] = integer(0)
                yield
        elif count == 1:
            self._indices[variable] = integer(0)
            yield
        else:
            hint = ", !llvm.loop !0" if self.lanes == 1 else ""
            with self.writer.loop(integer(0), integer(count), 1, hint) as self._indices[variable]:
                yield

    @contextmanager
    def each_run(self) -> Iterator[None]:
        chunks = self.vectors // self.parts
        if chunks == 1:
            yield
            return
        with self.writer.loop(integer(0), integer(chunks)) as self._chunk:
            yield
        self._chunk = integer(0)

    @contextmanager
    def while_going(self, variable: str, limit: Any, alive: int | None) -> Iterator[None]:
        turns = integer(limit) if isinstance(limit, int) else limit
        with self.writer.going(turns) as (self._indices[variable], only_if):
            if alive is not None:
                only_if(self._any(alive))
            yield

    def when(self, condition: Value) -> Any:
        return self.writer.when(condition)

    def _any(self, buffer: int) -> Value:
        """Is an entry of a buffer of whole numbers not zero?"""
        writer, union = self.writer, None
        for number in range(self.vectors):
            part = writer.load(self.vector_at(buffer, integer(0), number), INT, self.width, 8 * self.width)
            union = part if union is None else writer.pure("or {i} {0}, {1}", INT, union, part)
        assert union is not None
        if self.width > 1:
            of = f"v{self.width}i64"
            writer.declarations[f"declare i64 @llvm.vector.reduce.or.{of}({vector(INT, self.width)})"] = None
            whole = writer.pure(f"call i64 @llvm.vector.reduce.or.{of}({{i}} {{0}})", INT, union)
            union = Value(whole.names, INT, 1, whole.depth)
        return writer.pure("icmp ne i64 {0}, 0", BOOL, union)

    def refresh(self) -> Value:
        start = self.binary("==", self._time, self._first)
        return self.binary(
            "|", start, self.binary("==", self.binary("&", self._time, integer(31)), integer(0))
        )

    # ----------------------------------------------------------------------------------------- statements
    def assign(self, name: str, value: Value, dtype: str) -> Value:
        return value

    def store(self, place: Place, value: Value, dtype: str) -> None:
        self.store_if(None, place, self._in_memory_as(value), dtype)

    def store_if(self, condition: Value | None, place: Place, value: Value, dtype: str) -> None:
        if place.apart and self.width > 1:
            self.writer.scatter(place.pointers, value, condition or Value(("true",), BOOL))
            return
        with nullcontext() if condition is None else self.writer.when(condition):
            self.writer.store(place.pointers, value, self.width, place.align)

    def load(self, place: Place, dtype: str) -> Value:
        kind = FLOAT if dtype == FLOAT else INT
        if place.apart and self.width > 1:
            value = self.writer.gather(place.pointers, kind)
        else:
            value = self.writer.load(place.pointers, kind, self.width, place.align)
        return self._compute.cast(value, BOOL) if dtype == BOOL else value

    def _in_memory_as(self, value: Value) -> Value:
        return self._compute.cast(value, INT) if value.dtype == BOOL else value

    def words(self, stem: str, args: list[Value]) -> list[Value]:
        return self._compute.philox(args, (self._given["k0"], self._given["k1"]))

    def product(self, A: Node, x: int, out: int) -> None:
        if self.lanes == 1 and A.id not in self._by_columns:
            self._by_columns[A.id] = self.tables.append(A.attrs[0].values.T)
        start = (self._by_columns if self.lanes == 1 else self.tables.offset)[A.id]
        product = Product(
            self.writer, start, *A.shape, partial(self.vector_at, x), partial(self.vector_at, out)
        )
        if self.lanes == 1:
            product.for_one_run()
        else:
            product.for_lanes(self.width, self.vectors)

    # ------------------------------------------------------------------------------------------- places
    def element(self, buffer: int, index: Any) -> Place:
        entry, writer = self.as_integer(index), self.writer
        if entry.lanes > 1:  # an index of each run's own
            at = writer.add(writer.times(entry, self.lanes), self._lane())
            return Place(writer.at(self._buffers[buffer][0], at, "double"), apart=True)
        step = writer.times(self._chunk, self.parts)
        pointers = [self.vector_at(buffer, entry, n, step).name for n in range(self.parts)]
        depth = max(entry.depth, step.depth)
        return Place(Value(tuple(pointers), POINTER, 1, depth), 8 * self.width)

    def vector_at(self, buffer: int, entry: Value, number: int, step: Value | None = None) -> Value:
        """The pointer to a vector of an entry of a buffer."""
        rooms, writer, kind = self._buffers[buffer], self.writer, vector(FLOAT, self.width)
        if len(rooms) > 1:
            return rooms[number]
        at = writer.add(writer.times(entry, self.vectors), step or integer(0))
        return writer.at(writer.at(rooms[0], at, kind), integer(number), kind)

    def memory(self, pool: str, first: int, entry: str) -> Place:
        row = self.writer.add(integer(first), self.as_integer(entry))
        begin = self.writer.pure("mul i64 {0}, {1}", INT, row, self._given["runs"])
        return Place(self._columns(pool, begin))

    def _columns(self, pool: str, begin: Value) -> Value:
        """Pointers to the numbers of the runs at hand in a row that begins there."""
        writer = self.writer
        at = writer.add(writer.add(begin, self._block), writer.times(self._chunk, self.parts * self.width))
        first = writer.at(Value((f"%{pool}",), POINTER), at, "double")
        kind = vector(FLOAT, self.width)
        pointers = [writer.at(first, integer(n), kind) for n in range(self.parts)]
        return Value(tuple(p.name for p in pointers), POINTER, 1, pointers[0].depth)

    def stack_entry(self, first: int, i: Any, stride: int, j: Any) -> Place:
        writer = self.writer
        inside = writer.add(
            writer.times(self.as_integer(i), stride), writer.add(self.as_integer(j), integer(first))
        )
        row = writer.times(writer.add(self._block, self._lane()), self.plan.stacks.width)
        return Place(writer.at(Value(("%K",), POINTER), writer.add(row, inside), "double"), apart=True)

    def _lane(self) -> Value:
        """The number of each lane in the block."""
        return self.writer.add(
            self.writer.times(self._chunk, self.parts * self.width), _lanes(self.width, self.parts)
        )

    def offset(self, i: Any, d: int, j: Any) -> Value:
        return self.writer.add(self.writer.times(self.as_integer(i), d), self.as_integer(j))

    # ------------------------------------------------------------------------------------------- values
    def as_integer(self, index: Any) -> Value:
        if isinstance(index, Value):
            return index
        return integer(int(index)) if index.isdigit() else self._indices[index]

    def run_id(self) -> Value:
        numbers = []
        for pointer in self._columns("rid", integer(0)).names:
            place = Value((pointer,), POINTER, 1, self.writer.depth)
            numbers.append(self.writer.load(place, INT, self.width).name)
        return Value(tuple(numbers), INT, self.width, self.writer.depth)

    def table(self, node: Node, i: Any, j: Any) -> Value:
        writer = self.writer
        kind = FLOAT if node.dtype == FLOAT else INT
        at = writer.add(self.offset(i, node.shape[1], j), integer(self.tables.offset[node.id]))
        place = writer.at(Value(("%TF" if kind == FLOAT else "%TI",), POINTER), at, "double")
        value = writer.constant(place, kind) if place.lanes == 1 else writer.gather(place, kind)
        return self._compute.cast(value, BOOL) if node.dtype == BOOL else value

    def parameter(self, row: int) -> Value:
        begin = self.writer.pure("mul i64 {0}, {1}", INT, integer(row), self._given["runs"])
        return self.writer.constant(self.writer.at(Value(("%P",), POINTER), begin, "double"), FLOAT)

    def literal(self, value: Any, dtype: str) -> Value:
        return literal(value, dtype)

    def pick_if(self, condition: Value, a: Value, b: Value) -> Value:
        return self._compute.pick_if(condition, a, b)

    def binary(self, op: str, a: Value, b: Value) -> Value:
        return self._compute.binary(op, a, b)

    def operation(self, node: Node, args: list[Value]) -> Value:
        return self._call(node, args) if node.op == "call" else self._compute.operation(node, args)

    def _call(self, node: Node, args: list[Value]) -> Value:
        """A function of `workbench.arrays.maths`. A single number may branch; a vector would take both branches."""
        name = node.attrs[0]
        if name not in maths.SHORT or self.lanes > 1 or args[0].lanes > 1 or node.shape != SCALAR:
            return self._inline(name, args)
        other, below = maths.SHORT[name]
        size = self.writer.intrinsic("fabs", FLOAT, args[0])
        near = self.binary("<", size, self.literal(below, FLOAT))
        return self.writer.either(near, lambda: self._inline(other, args), lambda: self._inline(name, args))

    def _inline(self, name: str, args: list[Value]) -> Value:
        graph, leaves, result = _function(name, len(args))
        values = {leaf.id: arg for leaf, arg in zip(leaves, args, strict=True)}
        for node in graph.live([result]):
            if node.op == "const":
                values[node.id] = self.literal(node.attrs[0], node.dtype)
            elif node.op != "argument":
                values[node.id] = self.operation(node, [values[a.id] for a in node.args])
        return values[result.id]


@cache
def _function(name: str, arguments: int) -> tuple[Graph, list[Node], Node]:
    return traced_function(name, arguments)


@cache
def _lanes(width: int, parts: int) -> Value:
    """0, 1, 2 ... over the lanes of all parts."""
    if width == 1:
        return integer(0)
    numbers = [", ".join(f"i64 {part * width + n}" for n in range(width)) for part in range(parts)]
    return Value(tuple(f"<{n}>" for n in numbers), INT, width)
