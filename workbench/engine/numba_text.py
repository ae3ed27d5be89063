"""CPU code generation: a Numba kernel over blocks of runs, with the loop over the runs of a block innermost.

``kernel(first, last, low, high, k0, k1, rid, P, F, I, TF, TI)`` runs iterations first .. last of the runs low ..
high - 1 (a multiple of `LANES`). Pools have one column per run: P parameters, F and I the carried floats and integers.
Kernels that keep values (`workbench.engine.resident_stacks`) have the pool K of these as well, with one row per run.
k0, k1 are the halves of the seed, rid the noise identities, TF and TI the tables. The LANES runs of a block lie side by
side in every buffer. Each statement is a loop over them that LLVM vectorizes, two vectors at a time
(`workbench.engine.pipeline`).

Functions of t alone (t^-p, log t) are the same for all runs. They are tabulated `AHEAD` iterations at a time, and every
block looks them up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from workbench.arrays import maths
from workbench.engine.emit import Emitter, traced_function
from workbench.engine.graph import BOOL, FLOAT, INT, SCALAR, Node
from workbench.engine.program import Program

LANES = 16
AHEAD = 256  # iterations; short enough for the L1 cache, long enough to amortize spilling the carried values
AHEAD_KEPT = 4096  # where values are kept in memory: amortizes loading those of a block into the L2 cache
ALONE = "_alone"  # names the form of a function that branches
_M0, _M1, _W0, _W1 = 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85
_OPERATIONS = {
    "sqrt": "root({})",
    "floor": "floor({})",
    "neg": "-{}",
    "bits": "bits({})",
    "unbits": "unbits({})",
}


class NumbaText(Emitter):
    """lanes: runs per block; with 1, for a few runs, vectors run over coordinates. fast: fuse a * b + c."""

    def __init__(self, program: Program, lanes: int = LANES, fast: bool = False) -> None:
        super().__init__(program)
        self.lanes, self.fast = lanes, fast
        self._by_columns: dict[int, int] = {}  # offsets of column-major matrices, for one lane
        self._ahead = [n for n in self.plan.steps.uniform if n.op == "call"]
        self.ahead = AHEAD_KEPT if self.plan.stacks.spots else AHEAD
        self._first, self._last = ("begin", "end") if self._ahead else ("first", "last")

    def prelude(self) -> list[str]:
        primitives = (
            "product_alone",
            "root",
            *(["row"] if self.plan.stacks.spots else []),
            "select",
            "unbits",
        )
        out = [
            "from numba import float64, int64, njit",
            "from workbench.engine.pipeline import Pipeline",
            "from workbench.engine.lanes import absolute, any_of, bits, floats, floor, inline, integers, product",
            f"from workbench.engine.lanes import {', '.join(primitives)}",
            "",
            'INF = float("inf")',
            'NAN = float("nan")',
            "",
        ]
        functions = [self.function(name, arguments) for name, arguments in self.functions.items()]
        return [*out, PHILOX, *functions, *self._opening()]

    def _opening(self) -> list[str]:
        # Only contraction: unrestricted reordering would break the bit tricks and exact differences of
        # `workbench.arrays.maths`.
        fastmath = '{"contract"}' if self.fast else "False"
        options = f'error_model="numpy", nogil=True, cache=True, fastmath={fastmath}, pipeline_class=Pipeline'
        stacks = "K, " if self.plan.stacks.spots else ""
        return [
            f"@njit({options})",
            f"def kernel(first, last, low, high, k0, k1, rid, P, F, I, {stacks}TF, TI):",
        ]

    def header(self) -> None:
        self._level = 1
        for number, (dtype, size) in enumerate(self.plan.sizes):
            self.line(f"b{number} = {'floats' if dtype == FLOAT else 'integers'}({size * self.lanes})")
        if self._ahead:
            self._make_ahead()
        self.line(f"for block in range(low, high, {self.lanes}):")
        self._level += 1
        if self.plan.stacks.spots:
            self.line(f"kept = row(K, block, {self.plan.stacks.width})")

    def _make_ahead(self) -> None:
        """Opens the loop over chunks of ``ahead`` iterations and tabulates the functions of t for one chunk."""
        self.line(f"ahead = floats({self.ahead * len(self._ahead)})")
        self.line(f"for begin in range(first, last + 1, {self.ahead}):")
        self._level += 1
        self.line(f"end = min(begin + {self.ahead - 1}, last)")
        with self.over_time(), self.fresh():
            self.assign(f"v{self._time().id}", self.time(), "i")
            for row, node in enumerate(self._ahead):
                self.line(f"{self._place_ahead(row)} = {self.value(node)}")

    def _place_ahead(self, row: int) -> str:
        return f"ahead[{row * self.ahead} + t - begin]"

    def look_up(self) -> None:
        for row, node in enumerate(self._ahead):
            self._names[node.id, "0", "0"] = name = f"v{node.id}"
            self.assign(name, self._place_ahead(row), node.dtype)

    def footer(self) -> None:
        self._level = 0

    def over_time(self) -> Any:
        return self.indent(f"for t in range({self._first}, {self._last} + 1):")

    def time(self) -> str:
        return "int64(t)"

    @contextmanager
    def loop(self, variable: str, count: int | str) -> Iterator[None]:
        if count == 1:
            yield
        else:
            with self.indent(f"for {variable} in range({count}):"):
                yield

    def each_run(self) -> Any:
        return self.indent(f"for l in range({self.lanes}):")

    @contextmanager
    def while_going(self, variable: str, limit: str | None, alive: int | None) -> Iterator[None]:
        with self.indent(f"for {variable} in range({limit or 1 << 62}):"):
            if alive is not None:
                self.line(f"if not any_of(b{alive}, {self.lanes}):")
                self.line("    break")
            yield

    def when(self, condition: str) -> Any:
        return self.indent(f"if {condition}:")

    def refresh(self) -> str:
        return f"t == {self._first} or t & 31 == 0"

    def assign(self, name: str, value: str, dtype: str) -> None:
        self.line(f"{name} = {value}")

    def store(self, place: str, value: str, dtype: str) -> None:
        self.line(f"{place} = {f'int64({value})' if dtype == BOOL else value}")

    def load(self, place: str, dtype: str) -> str:
        return f"({place} != 0)" if dtype == BOOL else place

    def element(self, buffer: int, index: str) -> str:
        if index.isdigit():
            return f"b{buffer}[{int(index) * self.lanes} + l]" if int(index) else f"b{buffer}[l]"
        return f"b{buffer}[{index} * {self.lanes} + l]"

    def memory(self, pool: str, row: str) -> str:
        return f"{pool}[{row}, block + l]"

    def stack_entry(self, index: str) -> str:
        return f"kept[l * {self.plan.stacks.width} + {index}]"

    def first_run(self, row: int) -> str:
        return f"{row}, 0"

    def run_id(self) -> str:
        return "rid[block + l]"

    def literal(self, value: Any, dtype: str) -> str:
        if dtype == BOOL:
            return "True" if value else "False"
        if dtype == INT:
            return f"int64({int(value)})"
        if not math.isfinite(value):
            return {"inf": "INF", "-inf": "-INF"}.get(repr(float(value)), "NAN")
        return repr(float(value))

    def as_integer(self, text: str) -> str:
        return f"int64({text})"

    def pick_if(self, condition: str, a: str, b: str) -> str:
        return f"select({condition}, {a}, {b})"

    def operation(self, node: Node, args: list[str]) -> str:
        op = node.op
        if op == "where":
            return self.pick_if(*args)
        if op == "call":
            return f"f_{node.attrs[0]}{self._form(node)}({', '.join(args)})"
        if op == "cast":
            return {FLOAT: f"float64({args[0]})", INT: f"int64({args[0]})", BOOL: f"({args[0]} != 0)"}[
                node.dtype
            ]
        if op == "abs":
            return f"absolute({args[0]})" if node.dtype == FLOAT else f"abs({args[0]})"
        if op == "not":
            return f"not {args[0]}"
        if op in _OPERATIONS:
            return _OPERATIONS[op].format(args[0])
        return f"{args[0]} {op} {args[1]}"

    def product(self, A: Node, x: int, out: int) -> None:
        n, d = A.shape
        if self.lanes == 1:
            if A.id not in self._by_columns:
                self._by_columns[A.id] = self.tables.append(A.attrs[0].values.T)
            self.line(f"product_alone(b{x}, b{out}, TF, {self._by_columns[A.id]}, {n}, {d})")
        else:
            self.line(f"product(b{x}, b{out}, TF, {self.tables.offset[A.id]}, {n}, {d}, {self.lanes})")

    def words(self, names: list[str], args: list[str]) -> None:
        self.line(f"{', '.join(names)} = philox({', '.join(args)}, k0, k1)")

    def _form(self, node: Node) -> str:
        """Where a single number is computed, a function may branch; a vector would take both branches."""
        return ALONE if self.lanes == 1 and node.shape == SCALAR and node.attrs[0] in maths.SHORT else ""

    def function(self, name: str, arguments: int) -> str:
        names, whole = ", ".join(f"x{n}" for n in range(arguments)), self._lines(name, arguments)
        texts = [_inline_function(f"f_{name}", names, whole)]
        if self.lanes == 1 and name in maths.SHORT:
            other, below = maths.SHORT[name]
            short = [f"    {line}" for line in self._lines(other, arguments)]
            branching = [f"    if absolute(x0) < {below}:", *short, *whole]
            texts.append(_inline_function(f"f_{name}{ALONE}", names, branching))
        return "\n".join(texts)

    def _lines(self, name: str, arguments: int) -> list[str]:
        """The lines that compute a function of `workbench.arrays.maths`, the last of which returns it."""
        graph, leaves, value = traced_function(name, arguments)
        inner = NumbaText(self.program, self.lanes)
        inner._level = 1
        inner._names = {(leaf.id, "0", "0"): f"x{n}" for n, leaf in enumerate(leaves)}
        inner._nest_ids = {n.id for n in graph.nodes}
        result = inner.value(value)
        return [*inner.lines, f"    return {result}"]


def _inline_function(name: str, arguments: str, lines: list[str]) -> str:
    """A function that is inlined into the kernel."""
    return "\n".join([f'{name} = inline("""', f"def {name}({arguments}):", *lines, '""")', "", ""])


def _philox() -> str:
    """Ten rounds of Philox4x32, unrolled: LLVM would have to unroll a loop before vectorizing."""
    lines = [
        "    mask = uint64(0xFFFFFFFF)",
        "    a, b, c, d, x, y = uint64(a), uint64(b), uint64(c), uint64(d), uint64(k0), uint64(k1)",
    ]
    for turn in range(10):
        if turn:
            lines.append(f"    x, y = (x + uint64({_W0})) & mask, (y + uint64({_W1})) & mask")
        lines += [
            f"    p, q = a * uint64({_M0}), c * uint64({_M1})",
            "    a, b, c, d = (q >> uint64(32)) ^ b ^ x, q & mask, (p >> uint64(32)) ^ d ^ y, p & mask",
        ]
    lines.append("    return int64(a), int64(b), int64(c), int64(d)")
    return _inline_function("philox", "a, b, c, d, k0, k1", lines)


PHILOX = _philox()
