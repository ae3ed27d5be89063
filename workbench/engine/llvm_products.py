"""Products of constant matrices and vectors in LLVM's language, with the sums in registers.

Every sum starts with -0.0 and runs from left to right, with one rounding per product and addition (a fused
multiply-add). In a plain loop nest LLVM would keep the sums in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from workbench.engine.graph import FLOAT
from workbench.engine.llvm_writer import POINTER, Value, Writer, integer, vector
from workbench.engine.vectors import HEIGHT, NATIVE, WIDE

TABLE = Value(("%TF",), POINTER)
ZERO = Value(("0x8000000000000000",), FLOAT)  # -0.0


@dataclass
class Product:
    """out = A x, from buffer to buffer; A is (n, d), from entry ``start`` of the table on.

    x, out: (entry, number of the vector in the block) -> its pointer.
    """

    writer: Writer
    start: int
    n: int
    d: int
    x: Callable[[Value, int], Value]
    out: Callable[[Value, int], Value]

    def for_lanes(self, width: int, vectors: int) -> None:
        """For a block of so many vectors of runs; A is row-major."""
        at_once = math.gcd(width * vectors, WIDE) // width
        full = self.n - self.n % HEIGHT
        for first in range(0, vectors, at_once):
            numbers = range(first, first + at_once)
            if full > HEIGHT:
                with self.writer.loop(integer(0), integer(full), HEIGHT) as row:
                    self._rows(row, HEIGHT, width, numbers)
            elif full:
                self._rows(integer(0), HEIGHT, width, numbers)
            if full < self.n:
                self._rows(integer(full), self.n - full, width, numbers)

    def _rows(self, first: Value, rows: int, width: int, numbers: range) -> None:
        """Entries first, ..., first + rows - 1 for the vectors ``numbers`` of the block."""
        writer, align = self.writer, 8 * width
        totals = [self._total(width, len(numbers)) for _ in range(rows)]
        with writer.loop(integer(0), integer(self.d)) as j:
            x = writer.load(_pointers([self.x(j, n) for n in numbers]), FLOAT, width, align)
            for r, total in enumerate(totals):
                row = writer.times(writer.add(first, integer(r)), self.d)
                at = writer.add(writer.add(row, integer(self.start)), j)
                self._add(writer.constant(writer.at(TABLE, at, "double"), FLOAT), x, total, width)
        for r, total in enumerate(totals):
            entry = writer.add(first, integer(r))
            place = _pointers([self.out(entry, n) for n in numbers])
            writer.store(place, writer.load(total, FLOAT, width, align), width, align)

    def for_one_run(self) -> None:
        """With the same sums. A is column-major: vectors run over rows."""
        most = HEIGHT * WIDE // NATIVE
        together = most * NATIVE
        full = self.n - self.n % together
        if full:
            with self.writer.loop(integer(0), integer(full), together) as row:
                self._vectors(row, most, NATIVE)
        if rest := self.n % together // NATIVE:
            self._vectors(integer(full), rest, NATIVE)
        if rest := self.n % NATIVE:
            self._vectors(integer(self.n - rest), rest, 1)

    def _vectors(self, first: Value, count: int, width: int) -> None:
        """Entries first, ..., first + count * width - 1."""
        writer, total = self.writer, self._total(width, count)
        with writer.loop(integer(0), integer(self.d)) as j:
            number = writer.load(self.x(j, 0), FLOAT, 1)
            at = writer.add(writer.add(writer.times(j, self.n), integer(self.start)), first)
            column = self._side_by_side(writer.at(TABLE, at, "double"), count, width)
            self._add(number, writer.load(column, FLOAT, width), total, width)
        place = self._side_by_side(self.out(first, 0), count, width)
        writer.store(place, writer.load(total, FLOAT, width, 8 * width), width)

    def _side_by_side(self, first: Value, count: int, width: int) -> Value:
        return _pointers([self.writer.at(first, integer(n), vector(FLOAT, width)) for n in range(count)])

    def _total(self, width: int, parts: int) -> Value:
        """A sum in vectors that start as -0.0; LLVM keeps them in registers."""
        total = _pointers([self.writer.room(vector(FLOAT, width)) for _ in range(parts)])
        self.writer.store(total, ZERO, width, 8 * width)
        return total

    def _add(self, a: Value, x: Value, total: Value, width: int) -> None:
        """total += a x, rounded once."""
        before = self.writer.load(total, FLOAT, width, 8 * width)
        self.writer.store(total, self.writer.intrinsic("fma", FLOAT, a, x, before), width, 8 * width)


def _pointers(each: list[Value]) -> Value:
    return Value(tuple(p.name for p in each), POINTER, 1, max(p.depth for p in each))
