"""CUDA code generation: one kernel, one thread per run; with a few macros the same text compiles as C++ on the host.

``kernel(first, last, runs, k0, k1, rid, P, F, I, TF, TI)``: see `workbench.engine.llvm_text`. Pools are (rows, runs)
in memory, so the threads of a warp read contiguous entries; K, the pool of resident stacks
(`workbench.engine.resident_stacks`), is (runs, width), so that the blocks of a task lie side by side. Every nest is
a separate block. A buffer of one entry is a register; a longer one is a thread-local array. Loops of more than
`UNROLLED` iterations are not unrolled, since unrolling would spill registers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from workbench.engine.emit import Emitter, traced_function
from workbench.engine.graph import BOOL, FLOAT, INT, Node
from workbench.engine.program import Program

UNROLLED = 4
# Sums of a product at a time, and terms of each per turn of the loop: few for SMALL matrices, whose registers are then
# left to more threads (the other numbers were not tried on them). On an H200 many took 0.23 (128 x 128) and 0.57
# (32 x 32) of the time of few; 8 and 2 took 0.42 and 0.60.
FEW, MANY, SMALL = (UNROLLED, 1), (16, 4), 32
THREADS = 128  # of a block; with ", 1" in the launch bounds the assembler takes registers rather than spill a few bytes
TYPES = {FLOAT: "double", INT: "long long", BOOL: "bool"}
_OPERATIONS = {
    "sqrt": "sqrt({})", "floor": "floor({})", "neg": "-{}", "not": "!{}",
    "bits": "__double_as_longlong({})", "unbits": "__longlong_as_double({})",
}  # fmt: skip

PRELUDE = """\
#ifdef ON_HOST  // the same kernel as C++, one run after the other
#include <math.h>
#include <string.h>
#define DEVICE static inline
static inline long long __double_as_longlong(double x) { long long i; memcpy(&i, &x, 8); return i; }
static inline double __longlong_as_double(long long i) { double x; memcpy(&x, &i, 8); return x; }
#else
#define DEVICE __device__ __forceinline__
#endif
#define INF (__longlong_as_double(0x7FF0000000000000LL))
#define NOT_A_NUMBER (__longlong_as_double(0x7FF8000000000000LL))

// The remainder with the sign of the divisor, as Python has it; 0 where that is 0.
DEVICE long long modulo(long long a, long long b) {
    const long long rest = b == 0 || b == -1 ? 0 : a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

DEVICE void philox(long long c0, long long c1, long long c2, long long c3, long long k0, long long k1,
                   long long *w0, long long *w1, long long *w2, long long *w3) {
    unsigned int a = (unsigned int)c0, b = (unsigned int)c1, c = (unsigned int)c2, d = (unsigned int)c3;
    unsigned int x = (unsigned int)k0, y = (unsigned int)k1;
#ifndef ON_HOST
#pragma unroll
#endif
    for (int turn = 0; turn < 10; ++turn) {
        const unsigned long long p = (unsigned long long)a * 0xD2511F53u, q = (unsigned long long)c * 0xCD9E8D57u;
        const unsigned int a1 = (unsigned int)(q >> 32) ^ b ^ x, c1 = (unsigned int)(p >> 32) ^ d ^ y;
        a = a1; b = (unsigned int)q; c = c1; d = (unsigned int)p;
        x += 0x9E3779B9u; y += 0xBB67AE85u;
    }
    *w0 = a; *w1 = b; *w2 = c; *w3 = d;
}
"""
_SIGNATURE = (
    "long long first, long long last, long long runs, long long k0, long long k1, const long long *rid,\n"
    "        const double *P, double *F, long long *I, const double *TF, const long long *TI"
)


def _opening(keeps: bool) -> str:
    signature = _SIGNATURE.replace("*I, ", "*I, double *K, ") if keeps else _SIGNATURE
    return f"""\
#ifdef ON_HOST
extern "C" void kernel({signature}) {{
    for (long long r = 0; r < runs; ++r) {{
#else
extern "C" __global__ void __launch_bounds__({THREADS}, 1) kernel({signature}) {{
    const long long r = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (r < runs) {{
#endif"""


class CudaText(Emitter):
    """Values, places and indices are C++ expressions."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.lines: list[str] = []
        self._level = 0

    def text(self) -> str:
        self.walk()
        functions = [self.function(n, a) for n, a in self.functions.items()]
        return "\n".join([PRELUDE, *functions, _opening(bool(self.plan.stacks.spots)), *self.lines, ""])

    def line(self, text: str) -> None:
        self.lines.append("    " * self._level + text)

    @contextmanager
    def indent(self, head: str, foot: str = "") -> Iterator[None]:
        self.line(head)
        self._level += 1
        yield
        self._level -= 1
        if foot:
            self.line(foot)

    def header(self) -> None:
        self._level = 2
        for number, (dtype, size) in enumerate(self.plan.sizes):
            self.line(f"{TYPES[dtype]} b{number}{f'[{size}]' if size > 1 else ''};")

    def footer(self) -> None:
        self._level = 0
        self.line("    }")
        self.line("}")

    def over_time(self) -> Any:
        return self.indent("for (long long t = first; t <= last; ++t) {", "}")

    def time(self) -> str:
        return "t"

    @contextmanager
    def loop(self, variable: str, count: int | str, unroll: int = 1) -> Iterator[None]:
        if count == 1:
            yield
            return
        # Steps that keep values are long; their vectors stay in local arrays, as unrolled they would need registers.
        if isinstance(count, str) or count > UNROLLED or self.plan.stacks.spots:
            self.lines.append(f"#ifndef ON_HOST\n#pragma unroll {unroll}\n#endif")
        with self.indent(f"for (int {variable} = 0; {variable} < {count}; ++{variable}) {{", "}"):
            yield

    def each_run(self) -> Any:
        return self.indent("{", "}")

    @contextmanager
    def while_going(self, variable: str, limit: Any, alive: int | None) -> Iterator[None]:
        conditions = [] if limit is None else [f"{variable} < {limit}"]
        conditions += [self.element(alive, "0")] if alive is not None else []
        self.lines.append("#ifndef ON_HOST\n#pragma unroll 1\n#endif")
        with self.indent(f"for (long long {variable} = 0; {' && '.join(conditions)}; ++{variable}) {{", "}"):
            yield

    def when(self, condition: str) -> Any:
        return self.indent(f"if ({condition}) {{", "}")

    def refresh(self) -> str:
        return "t == first || (t & 31) == 0"

    def assign(self, name: str, value: str, dtype: str) -> str:
        self.line(f"const {TYPES[dtype]} {name} = {value};")
        return name

    def store(self, place: str, value: str, dtype: str) -> None:
        self.line(f"{place} = {value};")

    def store_if(self, condition: str, place: str, value: str, dtype: str) -> None:
        with self.when(condition):
            self.store(place, value, dtype)

    def load(self, place: str, dtype: str) -> str:
        return place

    def element(self, buffer: int, index: str) -> str:
        return f"b{buffer}[{index}]" if self.plan.sizes[buffer][1] > 1 else f"b{buffer}"

    def memory(self, pool: str, first: int, entry: str) -> str:
        return f"{pool}[({first if entry == '0' else f'{first} + {entry}'}) * runs + r]"

    def stack_entry(self, first: int, i: str, stride: int, j: str) -> str:
        return f"K[r * {self.plan.stacks.width} + {first} + {i} * {stride} + {j}]"

    def table(self, node: Node, i: str, j: str) -> str:
        d = node.shape[1]
        text = f"T{'F' if node.dtype == FLOAT else 'I'}[{self.tables.offset[node.id]} + {i} * {d} + {j}]"
        return f"({text} != 0)" if node.dtype == BOOL else text

    def parameter(self, row: int) -> str:
        return f"P[{row} * runs]"

    def offset(self, i: str, d: int, j: str) -> str:
        return f"({i} * {d} + {j})"

    def run_id(self) -> str:
        return "rid[r]"

    def literal(self, value: Any, dtype: str) -> str:
        if dtype == BOOL:
            return "true" if value else "false"
        if dtype == INT:
            return f"{int(value)}LL" if value >= 0 else f"({int(value)}LL)"
        if math.isnan(value):
            return "NOT_A_NUMBER"
        if math.isinf(value):
            return "INF" if value > 0 else "(-INF)"
        return float(value).hex() if value >= 0 and math.copysign(1, value) > 0 else f"({float(value).hex()})"

    def as_integer(self, text: str) -> str:
        return f"(long long)({text})"

    def binary(self, op: str, a: str, b: str) -> str:
        return f"({a}) {op} ({b})" if op in ("&", "|") else f"{a} {op} {b}"

    def pick_if(self, condition: str, a: str, b: str) -> str:
        return f"({condition}) ? {a} : {b}"

    def operation(self, node: Node, args: list[str]) -> str:
        op = node.op
        if op == "where":
            return self.pick_if(*args)
        if op == "call":
            return f"f_{node.attrs[0]}({', '.join(args)})"
        if op == "cast":
            return f"({args[0]} != 0)" if node.dtype == BOOL else f"({TYPES[node.dtype]})({args[0]})"
        if op == "abs":
            return f"fabs({args[0]})" if node.dtype == FLOAT else f"llabs({args[0]})"
        if op == "%":
            return f"modulo({args[0]}, {args[1]})"
        if op in _OPERATIONS:
            return _OPERATIONS[op].format(args[0])
        return f"{args[0]} {op} {args[1]}"

    def product(self, A: Node, x: int, out: int) -> None:
        """Computes several sums at a time, each in a register, which share the loads of x."""
        (n, d), table = A.shape, self.tables.offset[A.id]
        height, along = FEW if min(n, d) < SMALL else MANY
        whole = n - n % height
        for first, count, rows in ((0, whole // height, height), (whole, 1, n % height)):
            if not count or not rows:
                continue
            with self.loop("i", count), self.each_run():
                own = [f"(i * {height} + {r})" if count > 1 else str(first + r) for r in range(rows)]
                for r in range(rows):
                    self.line(f"double s{r} = {self.literal(-0.0, FLOAT)};")
                with self.loop("j", d, along):
                    j = "j" if d > 1 else "0"
                    for r, row in enumerate(own):
                        self.line(f"s{r} = fma(TF[{table} + {row} * {d} + {j}], {self.element(x, j)}, s{r});")
                for r, row in enumerate(own):
                    self.store(self.element(out, row), f"s{r}", FLOAT)

    def words(self, stem: str, args: list[str]) -> list[str]:
        names = [f"{stem}_{n}" for n in range(4)]
        self.line(f"long long {', '.join(names)};")
        self.line(f"philox({', '.join(args)}, k0, k1, {', '.join('&' + n for n in names)});")
        return names

    def function(self, name: str, arguments: int) -> str:
        graph, leaves, value = traced_function(name, arguments)
        inner = CudaText(self.program)
        inner._level = 1
        inner._names = {(leaf.id, "0", "0"): f"x{n}" for n, leaf in enumerate(leaves)}
        inner._nest_ids = {n.id for n in graph.nodes}
        result = inner.value(value)
        names = ", ".join(f"double x{n}" for n in range(arguments))
        return "\n".join(
            [f"DEVICE double f_{name}({names}) {{", *inner.lines, f"    return {result};", "}", ""]
        )
