"""Products of constant matrices and vectors in LLVM's language, with the sums in registers.

Every sum starts with -0.0 and runs from left to right, with one rounding per product and addition (a fused
multiply-add). In a plain loop nest LLVM would keep the sums in memory.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from workbench.engine.graph import FLOAT
from workbench.engine.llvm_writer import Value, Writer, integer, vector
from workbench.engine.vectors import HEIGHT, NATIVE, WIDE

if TYPE_CHECKING:
    from workbench.engine.llvm_text import LlvmText


def in_lanes(kernel: LlvmText, start: int, shape: tuple[int, int], x: int, out: int) -> None:
    """out = A x, from buffer to buffer, for the runs of a block; A is (n, d), row-major from entry ``start`` on."""
    rows = shape[0]
    count = math.gcd(kernel.lanes, WIDE) // kernel.width  # vectors at a time
    for first in range(0, kernel.vectors, count):
        numbers = range(first, first + count)
        if rows >= 2 * HEIGHT:
            with kernel.writer.counted(integer(0), integer(rows - rows % HEIGHT), HEIGHT) as row:
                _rows(kernel, start, shape[1], row, HEIGHT, numbers, (x, out))
        elif rows >= HEIGHT:
            _rows(kernel, start, shape[1], integer(0), HEIGHT, numbers, (x, out))
        if rows % HEIGHT:
            _rows(kernel, start, shape[1], integer(rows - rows % HEIGHT), rows % HEIGHT, numbers, (x, out))


def _rows(
    kernel: LlvmText, start: int, d: int, row: Value, rows: int, numbers: range, buffers: tuple[int, int]
) -> None:
    """Rows row, ..., row + rows - 1 of the product, in the vectors ``numbers`` of the block."""
    writer, width = kernel.writer, kernel.width
    align = 8 * width
    matrix, (x, out) = Value(("%TF",), "p"), buffers
    totals = _totals(writer, rows, width, len(numbers))
    with writer.counted(integer(0), integer(d)) as j:
        vectors = _vectors(kernel, x, j, numbers)
        entries = writer.load(vectors, FLOAT, width, align)
        for r, total in enumerate(totals):
            begin = writer.times(writer.add(row, integer(r)), d)
            at = writer.add(writer.add(begin, integer(start)), j)
            a = writer.constant(writer.at(matrix, at, "double"), FLOAT)
            _add(writer, a, entries, total, width)
    for r, total in enumerate(totals):
        place = _vectors(kernel, out, writer.add(row, integer(r)), numbers)
        writer.store(place, writer.load(total, FLOAT, width, align), width, align)


def _vectors(kernel: LlvmText, buffer: int, entry: Value, numbers: range) -> Value:
    """Pointers to vectors of an entry of a buffer."""
    return Value(tuple(kernel.vector_at(buffer, entry, n).name for n in numbers), "p", 1, entry.depth)


def alone(kernel: LlvmText, start: int, shape: tuple[int, int], x: int, out: int) -> None:
    """`in_lanes` for one run, with the same sums. A is column-major from ``start`` on: vectors run over rows."""
    rows = shape[0]
    most = HEIGHT * WIDE // NATIVE
    together = most * NATIVE
    full = rows - rows % together
    if full:
        with kernel.writer.counted(integer(0), integer(full), together) as row:
            _columns(kernel, start, shape, row, most, NATIVE, (x, out))
    if left := rows % together // NATIVE:
        _columns(kernel, start, shape, integer(full), left, NATIVE, (x, out))
    if rows % NATIVE:
        _columns(kernel, start, shape, integer(rows - rows % NATIVE), rows % NATIVE, 1, (x, out))


def _columns(
    kernel: LlvmText,
    start: int,
    shape: tuple[int, int],
    first: Value,
    count: int,
    width: int,
    buffers: tuple[int, int],
) -> None:
    """Entries first, ..., first + count * width - 1 of the product, in ``count`` vectors."""
    writer, (n, d), (x, out) = kernel.writer, shape, buffers
    (total,) = _totals(writer, 1, width, count)
    with writer.counted(integer(0), integer(d)) as j:
        number = writer.load(kernel.vector_at(x, j, 0), FLOAT, 1)
        begin = writer.add(writer.add(writer.times(j, n), integer(start)), first)
        column = _side_by_side(writer, writer.at(Value(("%TF",), "p"), begin, "double"), count, width)
        _add(writer, number, writer.load(column, FLOAT, width), total, width)
    place = _side_by_side(writer, kernel.vector_at(out, first, 0), count, width)
    writer.store(place, writer.load(total, FLOAT, width, 8 * width), width)


def _side_by_side(writer: Writer, first: Value, count: int, width: int) -> Value:
    pointers = [writer.at(first, integer(n), vector(FLOAT, width)) for n in range(count)]
    return Value(tuple(p.name for p in pointers), "p", 1, pointers[-1].depth)


def _totals(writer: Writer, count: int, width: int, parts: int) -> list[Value]:
    """``count`` sums, each in vectors that start as -0.0; LLVM keeps them in registers."""
    totals = []
    for _ in range(count):
        rooms = [writer.room(vector(FLOAT, width)) for _ in range(parts)]
        totals.append(Value(tuple(r.name for r in rooms), "p"))
        writer.store(totals[-1], Value(("0x8000000000000000",), FLOAT), width, 8 * width)
    return totals


def _add(writer: Writer, a: Value, x: Value, total: Value, width: int) -> None:
    """total += a x, rounded once."""
    before = writer.load(total, FLOAT, width, 8 * width)
    writer.store(total, writer.intrinsic("fma", FLOAT, a, x, before), width, 8 * width)
