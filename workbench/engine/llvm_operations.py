"""Operations on values in LLVM's language: those of the nodes of a graph, and the random words."""

from __future__ import annotations

import struct
from typing import Any

from workbench.engine.graph import BOOL, FLOAT, INT, Node
from workbench.engine.llvm_writer import Value, Writer, integer

_M0, _M1, _W0, _W1, _MASK = 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85, 0xFFFFFFFF
_FLOATS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_INTEGERS = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "ashr"}
_COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
_CASTS = {
    (INT, FLOAT): "sitofp {i} {0} to {f}", (BOOL, FLOAT): "uitofp {b} {0} to {f}",
    (FLOAT, INT): "fptosi {f} {0} to {i}", (BOOL, INT): "zext {b} {0} to {i}",
    (FLOAT, BOOL): "fcmp une {f} {0}, {1}", (INT, BOOL): "icmp ne {i} {0}, {1}",
}  # fmt: skip
_FUNCTIONS = {"sqrt": "sqrt", "floor": "floor", "abs": "fabs"}


class Operations:
    """What a writer writes for an operation."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def pick_if(self, condition: Value, a: Value, b: Value) -> Value:
        kind = f"{{{a.dtype}}}"
        if condition.lanes == 1:  # one for all lanes
            form = f"select i1 {condition.name}, {kind} {{0}}, {kind} {{1}}"
            return self._writer.pure(form, a.dtype, a, b, under=condition.depth)
        return self._writer.pure(f"select {{b}} {{0}}, {kind} {{1}}, {kind} {{2}}", a.dtype, condition, a, b)

    def binary(self, op: str, a: Value, b: Value) -> Value:
        pure = self._writer.pure
        if op in _COMPARISONS:
            word = _COMPARISONS[op]
            if a.dtype == FLOAT:
                return pure(f"fcmp {'une' if op == '!=' else 'o' + word} {{f}} {{0}}, {{1}}", BOOL, a, b)
            sign = "" if op in ("==", "!=") else "s" if a.dtype == INT else "u"
            return pure(f"icmp {sign}{word} {{{a.dtype}}} {{0}}, {{1}}", BOOL, a, b)
        if op == "%":
            return self._modulo(a, b)
        if a.dtype == FLOAT:
            return self._writer.arithmetic(_FLOATS[op], a, b)
        return pure(f"{_INTEGERS[op]} {{{a.dtype}}} {{0}}, {{1}}", a.dtype, a, b)

    def _modulo(self, a: Value, b: Value) -> Value:
        """The remainder with the sign of the divisor, as Python has it; 0 where that is 0."""
        zero, one = integer(0), integer(1)
        odd = self.binary("|", self.binary("==", b, zero), self.binary("==", b, integer(-1)))
        rest = self._writer.pure("srem {i} {0}, {1}", INT, a, self.pick_if(odd, one, b))
        differs = self.binary("!=", self.binary("<", rest, zero), self.binary("<", b, zero))
        wrong = self.binary("&", self.binary("!=", rest, zero), differs)
        return self.pick_if(wrong, self.binary("+", rest, b), rest)

    def cast(self, value: Value, dtype: str) -> Value:
        if value.dtype == dtype:
            return value
        zero = [literal(0, value.dtype)] if dtype == BOOL else []
        return self._writer.pure(_CASTS[value.dtype, dtype], dtype, value, *zero)

    def operation(self, node: Node, args: list[Value]) -> Value:
        op, pure = node.op, self._writer.pure
        if op == "where":
            return self.pick_if(*args)
        if op == "cast":
            return self.cast(args[0], node.dtype)
        if op == "abs" and node.dtype != FLOAT:
            return self.pick_if(
                self.binary("<", args[0], integer(0)), self.binary("-", integer(0), args[0]), args[0]
            )
        if op in _FUNCTIONS:
            return self._writer.intrinsic(_FUNCTIONS[op], FLOAT, *args)
        if op == "neg":
            return (
                pure("fneg {f} {0}", FLOAT, *args)
                if node.dtype == FLOAT
                else self.binary("-", integer(0), args[0])
            )
        if op == "not":
            return pure("xor {b} {0}, {1}", BOOL, args[0], Value(("true",), BOOL))
        if op == "bits":
            return pure("bitcast {f} {0} to {i}", INT, *args)
        if op == "unbits":
            return pure("bitcast {i} {0} to {f}", FLOAT, *args)
        return self.binary(op, *args)

    def philox(self, counter: list[Value], key: tuple[Value, Value]) -> list[Value]:
        """Ten rounds of Philox4x32."""
        pure, mask = self._writer.pure, integer(_MASK)
        a, b, c, d = counter
        x, y = key

        def mix(product: Value, word: Value, key: Value) -> Value:
            high = pure("lshr {i} {0}, {1}", INT, product, integer(32))
            return pure("xor {i} {0}, {1}", INT, pure("xor {i} {0}, {1}", INT, high, word), key)

        for turn in range(10):
            if turn:
                x, y = (
                    pure("and i64 {0}, {1}", INT, self._writer.add(k, integer(step)), mask)
                    for k, step in ((x, _W0), (y, _W1))
                )
            p, q = (pure("mul {i} {0}, {1}", INT, v, integer(m)) for v, m in ((a, _M0), (c, _M1)))
            a, c = mix(q, b, x), mix(p, d, y)
            b, d = (pure("and {i} {0}, {1}", INT, v, mask) for v in (q, p))
        return [a, b, c, d]


def literal(value: Any, dtype: str) -> Value:
    if dtype == BOOL:
        return Value(("true" if value else "false",), BOOL)
    if dtype == INT:
        return integer(int(value))
    return Value((_bits(float(value)),), FLOAT)


def _bits(value: float) -> str:
    """A float as LLVM writes it without rounding."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
