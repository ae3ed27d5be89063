"""Primitives of generated CPU kernels: stack buffers, branch-free selection, bits of a float, matrix products.

Numba inlines them. Each buffer is a separate ``alloca``, so that LLVM knows that no two overlap. `select`, `root` and
the others compile to one instruction each; Python's ``if`` or a NumPy function would become a branch or a call and
prevent vectorization.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from workbench.engine.vectors import HEIGHT, NATIVE, WIDE


def _buffer(element: Any) -> Any:
    """An intrinsic ``f(n)`` with a literal n: a pointer to space for n elements."""

    @intrinsic(prefer_literal=True)
    def reserve(typing_context: Any, n: Any) -> Any:
        count = n.literal_value

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            # LLVM avoids 512-bit vectors, because older processors slowed down for them; here they gain 20 %.
            set.add(builder.function.attributes, '"prefer-vector-width"="512"')
            # Not `alloca_once`: it stores zeros, which LLVM takes seconds to optimize away.
            with builder.goto_entry_block():
                room = builder.alloca(ir.ArrayType(context.get_data_type(element), count))
            room.align = 64
            return builder.bitcast(room, context.get_value_type(types.CPointer(element)))

        return types.CPointer(element)(n), codegen

    return reserve


floats = _buffer(types.float64)
integers = _buffer(types.int64)


@intrinsic(prefer_literal=True)
def row(typing_context: Any, pool: Any, number: Any, width: Any) -> Any:
    """A pointer to a row of a C-contiguous array of floats with ``width`` columns, a literal."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first = context.make_array(pool)(context, builder, args[0]).data
        return builder.gep(first, [builder.mul(args[1], _INT(width.literal_value))])

    return types.CPointer(types.float64)(pool, types.int64, width), codegen


@intrinsic
def select(typing_context: Any, condition: Any, a: Any, b: Any) -> Any:
    """``a if condition else b``, with both operands evaluated."""
    return a(types.boolean, a, a), lambda context, builder, signature, args: builder.select(*args)


def _unary(name: str) -> Any:
    """One LLVM intrinsic on a float64."""

    @intrinsic
    def apply(typing_context: Any, v: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            function = builder.module.declare_intrinsic(name, [ir.DoubleType()])
            return builder.call(function, args)

        return types.float64(types.float64), codegen

    return apply


root, floor, absolute = _unary("llvm.sqrt"), _unary("llvm.floor"), _unary("llvm.fabs")


@intrinsic
def bits(typing_context: Any, v: Any) -> Any:
    """The 64 bits of a float64 as int64."""
    codegen = lambda context, builder, signature, args: builder.bitcast(args[0], ir.IntType(64))  # noqa: E731
    return types.int64(types.float64), codegen


@intrinsic
def unbits(typing_context: Any, v: Any) -> Any:
    """The float64 with the 64 bits of an int64."""
    codegen = lambda context, builder, signature, args: builder.bitcast(args[0], ir.DoubleType())  # noqa: E731
    return types.float64(types.int64), codegen


@cache
def inline(source: str) -> Any:
    """The function that ``source`` defines, to be inlined into its callers.

    Created once per process, so that kernels share Numba's work on it, although each text contains the full source.
    """
    names: dict[str, Any] = {}
    exec(source, {**_WORDS, "__name__": __name__}, names)  # the printer's own text, never a user's
    (function,) = names.values()
    return njit(error_model="numpy", forceinline=True)(function)


_WORDS = {
    "INF": math.inf, "NAN": math.nan, "absolute": absolute, "bits": bits, "float64": types.float64, "floor": floor,
    "int64": types.int64, "root": root, "select": select, "uint64": types.uint64, "unbits": unbits,
}  # fmt: skip

# Floats per vector register; the sums of a product kept in registers (HEIGHT rows of WIDE runs, half of all registers).
_INT = ir.IntType(64)


@intrinsic(prefer_literal=True)
def any_of(typing_context: Any, flags: Any, lanes: Any) -> Any:
    """Is one of ``lanes`` integers nonzero? Tests a vector at a time; LLVM would test them one by one."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        width = math.gcd(lanes.literal_value, NATIVE)
        vector = ir.VectorType(_INT, width)
        parts = builder.bitcast(args[0], vector.as_pointer())
        union = vector([0] * width)
        for part in range(lanes.literal_value // width):
            union = builder.or_(union, builder.load(builder.gep(parts, [_INT(part)]), align=8 * width))
        whole = ir.FunctionType(_INT, [vector])
        disjunction = cgutils.get_or_insert_function(
            builder.module, whole, f"llvm.vector.reduce.or.v{width}i64"
        )
        return builder.icmp_signed("!=", builder.call(disjunction, [union]), _INT(0))

    return types.boolean(flags, lanes), codegen


@intrinsic(prefer_literal=True)
def product(typing_context: Any, x: Any, out: Any, table: Any, start: Any, n: Any, d: Any, lanes: Any) -> Any:
    """out = A x for ``lanes`` runs side by side; A is (n, d), row-major from ``table[start]``; all are literals.

    Every sum starts with -0.0 and runs from left to right, with one rounding per product and addition (a fused
    multiply-add). In a plain loop nest LLVM would keep the sums in memory.
    """
    rows = n.literal_value

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        numbers = context.make_array(table)(context, builder, args[2]).data
        A = builder.gep(numbers, [_INT(start.literal_value)])
        kernel = _Product(builder, A, args[0], args[1], d.literal_value, lanes.literal_value)
        for lane in range(0, lanes.literal_value, kernel.width):
            with cgutils.for_range(builder, _INT(rows // HEIGHT)) as loop:
                kernel.sums(builder.mul(loop.index, _INT(HEIGHT)), HEIGHT, lane)
            if rows % HEIGHT:
                kernel.sums(_INT(rows - rows % HEIGHT), rows % HEIGHT, lane)
        return context.get_dummy_value()

    return types.none(x, out, table, start, n, d, lanes), codegen


@intrinsic(prefer_literal=True)
def product_alone(typing_context: Any, x: Any, out: Any, table: Any, start: Any, n: Any, d: Any) -> Any:
    """`product` for one run, with the same sums. A is column-major from ``table[start]`` on: vectors run over rows."""
    rows = n.literal_value

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        numbers = context.make_array(table)(context, builder, args[2]).data
        A = builder.gep(numbers, [_INT(start.literal_value)])
        kernel = _ProductAlone(builder, A, args[0], args[1], rows, d.literal_value)
        vectors = HEIGHT * WIDE // NATIVE
        together = vectors * NATIVE
        with cgutils.for_range(builder, _INT(rows // together)) as loop:
            kernel.sums(builder.mul(loop.index, _INT(together)), vectors, NATIVE)
        full = rows - rows % together
        kernel.sums(_INT(full), rows % together // NATIVE, NATIVE)
        kernel.sums(_INT(rows - rows % NATIVE), rows % NATIVE, 1)
        return context.get_dummy_value()

    return types.none(x, out, table, start, n, d), codegen


def _spread(builder: Any, number: Any, vector: Any) -> Any:
    """A vector with all entries equal to ``number``."""
    nothing, lane = ir.Constant(vector, ir.Undefined), ir.IntType(32)
    first = builder.insert_element(nothing, number, lane(0))
    return builder.shuffle_vector(first, nothing, ir.VectorType(lane, vector.count)([0] * vector.count))


def _totals(builder: Any, count: int, vector: Any) -> list[Any]:
    """``count`` sums, each a vector that starts as -0.0; LLVM keeps them in registers."""
    totals = [cgutils.alloca_once(builder, vector) for _ in range(count)]
    for total in totals:
        builder.store(vector([-0.0] * vector.count), total)
    return totals


def _add(builder: Any, a: Any, x: Any, total: Any) -> None:
    """total += a x, rounded once."""
    kind = ir.FunctionType(a.type, [a.type] * 3)
    name = f"llvm.fma.v{a.type.count}f64"
    fma = cgutils.get_or_insert_function(builder.module, kind, name)
    builder.store(builder.call(fma, [a, x, builder.load(total)]), total)


@dataclass
class _Product:
    """Generates the code of `product`. A, x, out: pointers to floats."""

    builder: Any
    A: Any
    x: Any
    out: Any
    d: int
    lanes: int

    def __post_init__(self) -> None:
        self.width = math.gcd(self.lanes, WIDE)
        self.vector = ir.VectorType(ir.DoubleType(), self.width)
        self.align = min(8 * self.width, 64)  # buffers are aligned to 64 bytes

    def sums(self, first: Any, rows: int, lane: int) -> None:
        """out[first], ..., out[first + rows - 1] for ``width`` runs from ``lane`` on."""
        builder = self.builder
        totals = _totals(builder, rows, self.vector)
        with cgutils.for_range(builder, _INT(self.d)) as loop:
            x = builder.load(self._runs(self.x, loop.index, lane), align=self.align)
            for row, total in enumerate(totals):
                entry = builder.add(self._row(first, row, self.d), loop.index)
                a = builder.load(builder.gep(self.A, [entry]))
                _add(builder, _spread(builder, a, self.vector), x, total)
        for row, total in enumerate(totals):
            place = self._runs(self.out, self._row(first, row, 1), lane)
            builder.store(builder.load(total), place, align=self.align)

    def _row(self, first: Any, row: int, length: int) -> Any:
        """Offset of a row if each has ``length`` entries."""
        return self.builder.mul(self.builder.add(first, _INT(row)), _INT(length))

    def _runs(self, buffer: Any, entry: Any, lane: int) -> Any:
        """Pointer to an entry of ``width`` runs."""
        place = self.builder.add(self.builder.mul(entry, _INT(self.lanes)), _INT(lane))
        return self.builder.bitcast(self.builder.gep(buffer, [place]), self.vector.as_pointer())


@dataclass
class _ProductAlone:
    """Generates the code of `product_alone`. A, x, out: pointers to floats."""

    builder: Any
    A: Any
    x: Any
    out: Any
    n: int
    d: int

    def sums(self, first: Any, count: int, width: int) -> None:
        """out[first], ..., out[first + count * width - 1], in ``count`` vectors."""
        builder, vector = self.builder, ir.VectorType(ir.DoubleType(), width)
        totals = _totals(builder, count, vector)
        places = [builder.add(first, _INT(number * width)) for number in range(count)]
        with cgutils.for_range(builder, _INT(self.d)) as loop:
            x = _spread(builder, builder.load(builder.gep(self.x, [loop.index])), vector)
            column = builder.gep(self.A, [builder.mul(loop.index, _INT(self.n))])
            for place, total in zip(places, totals, strict=True):
                a = builder.load(self._vector(column, place, vector), align=8)
                _add(builder, a, x, total)
        for place, total in zip(places, totals, strict=True):
            builder.store(builder.load(total), self._vector(self.out, place, vector), align=8)

    def _vector(self, numbers: Any, place: Any, vector: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(numbers, [place]), vector.as_pointer())
