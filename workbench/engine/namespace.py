"""Array functions that record: each creates nodes of a graph, on `workbench.engine.traced_array` arrays.

This module has the whole-array operations; `workbench.engine.tracer` adds loops and branches.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import numpy as np

from workbench.arrays import standard
from workbench.engine.graph import BOOL, FLOAT, INT, SCALAR, Graph, Node, Shape, broadcast
from workbench.engine.refusal import refusal
from workbench.engine.traced_array import COMPARISONS, NUMPY_TYPES, RUNS, Traced

DTYPES = {np.float64: FLOAT, np.int64: INT, np.bool_: BOOL, float: FLOAT, int: INT, bool: BOOL}
WIDTH = (BOOL, INT, FLOAT)
# The standard's names of the binary operators.
OPERATORS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "remainder": "%", "equal": "==", "not_equal": "!=",
    "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "bitwise_and": "&", "bitwise_or": "|",
    "bitwise_xor": "^", "logical_and": "&", "logical_or": "|", "logical_xor": "^",
}  # fmt: skip
# What to write instead of functions that steps are often written with.
WAY_OUT = {
    "linalg": "use norm, dot or matvec of wb.ops",
    "vecdot": "use wb.ops.dot",
    "power": "use xp.pow(x, p), for x >= 0",
    "concat": "keep the parts as two fields of the state, or choose with xp.where(xp.arange(d) < k, a, b)",
    "stack": "keep the parts as fields of the state",
    "argmax": "use wb.ops.argmax",
    "argsort": "use wb.ops.argmax for the largest entry, or count ranks: r = r + (v[..., j:j+1] < v) for every j",
    "take": "use wb.ops.take",
    "random": "draw noise with draw, as draw(0).normal(d)",
}
ENTRY = "use wb.ops.entry(v, i, xp) for a coordinate, wb.ops.take(v, i, xp) for a task"
WAY_OUT |= {"concatenate": WAY_OUT["concat"], "take_along_axis": WAY_OUT["take"], "sort": WAY_OUT["argsort"]}


class Namespace:
    """The array namespace. Its functions create nodes of ``graph``; unsupported names raise an error naming them."""

    __name__ = "tracer"
    float64, int64 = np.float64, np.int64
    pi, inf, nan, newaxis = np.pi, np.inf, np.nan, None

    def __init__(self, graph: Graph, calls: Counter[str] | None = None) -> None:
        self.graph, self.bool = graph, np.bool_
        self.calls: Counter[str] = Counter() if calls is None else calls

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("device",):
            raise AttributeError(name)
        if name in standard.FUNCTIONS:
            return functools.partial(standard.FUNCTIONS[name], xp=self)
        if name in OPERATORS:
            return functools.partial(self.binary, OPERATORS[name])
        raise refusal(f"xp.{name}", WAY_OUT.get(name, "write it with what wb.ops and xp offer"))

    # ------------------------------------------------------------------------------------- making arrays
    def wrap(self, node: Node, shape: tuple[Any, ...]) -> Traced:
        return Traced(node, shape, self)

    def asarray(self, value: Any, dtype: Any = None) -> Traced:
        """A number or an array known when tracing; a `Traced` is returned unchanged (converted to ``dtype``)."""
        if isinstance(value, Traced):
            return value if dtype is None else self.astype(value, dtype)
        array = np.asarray(value, dtype=dtype)
        if array.dtype.kind not in "fiub":
            raise refusal(f"an array of {array.dtype}", "use 64-bit numbers and booleans")
        kind = {"f": FLOAT, "b": BOOL}.get(array.dtype.kind, INT)
        if array.ndim == 0:
            return self.wrap(self._const(array.item(), kind), ())
        if array.ndim > 2:
            raise refusal(f"a constant array of {array.ndim} axes", "use at most two")
        shape: Shape = (1, *array.shape) if array.ndim == 1 else array.shape
        table = self.graph.node("table", (), (Table(array),), kind, shape, False, self.graph.once)
        return self.wrap(table, array.shape)

    def _const(self, value: Any, kind: str, shape: Shape = SCALAR) -> Node:
        literal = {FLOAT: float, INT: int, BOOL: bool}[kind](value)
        return self.graph.node("const", (), (literal,), kind, shape, False)

    def full(self, shape: Any, value: Any, dtype: Any = None) -> Traced:
        shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        if isinstance(value, Traced):
            return self._spread_to(value, shape)
        kind = DTYPES[dtype or type(value)]
        node = self.graph.node("const", (), ({FLOAT: float, INT: int, BOOL: bool}[kind](value),), kind)
        return self._spread_to(self.wrap(node, ()), shape)

    def zeros(self, shape: Any, dtype: Any = None) -> Traced:
        return self.full(shape, 0.0, dtype)

    def ones(self, shape: Any, dtype: Any = None) -> Traced:
        return self.full(shape, 1.0, dtype)

    def zeros_like(self, v: Traced) -> Traced:
        return self.full(v.shape, 0.0 if v.node.dtype == FLOAT else 0, v.dtype)

    def ones_like(self, v: Traced) -> Traced:
        return self.full(v.shape, 1.0 if v.node.dtype == FLOAT else 1, v.dtype)

    def arange(self, n: Any) -> Traced:
        if not isinstance(n, int):
            raise refusal("arange of a length that is not fixed", "give it an int")
        return self.wrap(self.index(n), (n,))

    def index(self, n: int, axis: int = 1) -> Node:
        """The index along an axis of ``n`` entries: the coordinate (axis 1) or the task (axis 0)."""
        if n == 1:
            return self._const(0, INT)
        return self.graph.node("index", (), (axis,), INT, (1, n) if axis else (n, 1), False)

    def expand_dims(self, v: Traced, axis: int = 0) -> Traced:
        at = axis % (v.ndim + 1)
        return self.view(v, (*[slice(None)] * at, None))

    def broadcast_to(self, v: Any, shape: Any) -> Traced:
        return self._spread_to(self.asarray(v), tuple(shape))

    # -------------------------------------------------------------------------------- elementwise operations
    def unary(self, op: str, v: Any, dtype: str | None = None) -> Traced:
        v = self.asarray(v)
        return self.wrap(self._apply(op, (v.node,), dtype or v.node.dtype), v.shape)

    def binary(self, symbol: str, a: Any, b: Any) -> Traced:
        a, b = self.asarray(a), self.asarray(b)
        kinds = {a.node.dtype, b.node.dtype}
        if kinds == {BOOL} and symbol in ("+", "-", "*", "%", "<<", ">>"):
            raise refusal(f"{symbol} of two conditions", "use &, | or xp.astype")
        if symbol == "/":
            a, b = self.astype(a, np.float64), self.astype(b, np.float64)
        a, b = self._promote(a, b)
        kind = BOOL if symbol in COMPARISONS else a.node.dtype
        if symbol == "%" and kind == FLOAT:  # exact for whole numbers
            return a - self.floor(a / b) * b
        if symbol in (">>", "<<", "&", "|", "^") and kind == FLOAT:
            raise refusal(f"{symbol} on floats", "use integers or booleans")
        return self.wrap(self._apply(symbol, (a.node, b.node), kind), self._common(a, b))

    def where(self, condition: Any, a: Any, b: Any) -> Traced:
        condition = self.astype(condition, np.bool_)
        a, b = self._promote(self.asarray(a), self.asarray(b))
        args = (condition.node, a.node, b.node)
        return self.wrap(self._apply("where", args, a.node.dtype), self._common(condition, a, b))

    def _promote(self, *arrays: Traced) -> tuple[Traced, ...]:
        """Converts all to the widest of their types: conditions, integers, floats."""
        widest = max((v.node.dtype for v in arrays), key=WIDTH.index)
        return tuple(self.astype(v, NUMPY_TYPES[widest]) for v in arrays)

    def astype(self, v: Any, dtype: Any, copy: Any = None) -> Traced:
        v, kind = self.asarray(v), DTYPES.get(dtype)
        if kind is None:
            raise refusal(f"the type {dtype}", "use xp.float64, xp.int64 or xp.bool")
        if kind == v.node.dtype:
            return v
        if v.node.op == "const":  # int() truncates towards zero, as the conversion does
            return self.wrap(self._const(v.node.attrs[0], kind, v.node.shape), v.shape)
        return self.unary("cast", v, kind)

    def sqrt(self, v: Any) -> Traced:
        return self.unary("sqrt", self.astype(v, np.float64))

    def abs(self, v: Any) -> Traced:
        return self.unary("abs", v)

    def floor(self, v: Any) -> Traced:
        return self.unary("floor", self.astype(v, np.float64))

    def isnan(self, v: Any) -> Traced:
        return self.asarray(v) != v

    def isfinite(self, v: Any) -> Traced:
        return self.asarray(v) * 0.0 == 0.0

    def square(self, v: Any) -> Traced:
        return v * v

    def isinf(self, v: Any) -> Traced:
        return self.binary("==", self.abs(v), np.inf)

    def ceil(self, v: Any) -> Traced:
        return -self.floor(-self.asarray(v))

    def trunc(self, v: Any) -> Traced:
        v = self.asarray(v)
        return self.where(v < 0.0, self.ceil(v), self.floor(v))

    def negative(self, v: Any) -> Traced:
        return -self.asarray(v)

    def positive(self, v: Any) -> Traced:
        return self.asarray(v)

    def logical_not(self, v: Any) -> Traced:
        return ~self.astype(v, np.bool_)

    def bits(self, v: Any) -> Traced:
        """The 64 bits of a float as an integer (see `workbench.arrays.maths`)."""
        return self.unary("bits", v, INT)

    def unbits(self, v: Any) -> Traced:
        return self.unary("unbits", v, FLOAT)

    def call(self, name: str, *args: Any) -> Traced:
        """A function of `workbench.arrays.maths`; each language generates it once, from that source."""
        arrays = [self.astype(v, np.float64) for v in args]
        node = self._apply("call", tuple(v.node for v in arrays), FLOAT, (name,))
        return self.wrap(node, self._common(*arrays))

    def log(self, v: Any) -> Traced:
        return self.call("log", v)

    def exp(self, v: Any) -> Traced:
        return self.call("exp", v)

    def sin(self, v: Any) -> Traced:
        return self.call("sin", v)

    def cos(self, v: Any) -> Traced:
        return self.call("cos", v)

    def tanh(self, v: Any) -> Traced:
        return self.call("tanh", v)

    def log_unit(self, u: Any) -> Traced:
        return self.call("log_unit", u)

    def sin_turn(self, v: Any) -> Traced:
        return self.call("sin_turn", v)

    def cos_turn(self, v: Any) -> Traced:
        return self.call("cos_turn", v)

    def pow(self, x: Any, p: Any) -> Traced:
        return self.call("power", x, p)

    def _apply(self, op: str, args: tuple[Node, ...], dtype: str, attrs: tuple[Any, ...] = ()) -> Node:
        shape = broadcast((a.shape for a in args), lambda s: refusal(s, "see the shapes of the operands"))
        return self.graph.node(op, args, attrs, dtype, shape)

    def _common(self, *arrays: Traced) -> tuple[Any, ...]:
        """The standard's broadcast shape; the runs axis broadcasts only with itself, length 1, or no axis."""
        ndim = max(a.ndim for a in arrays)
        out: list[Any] = [1] * ndim
        for a in arrays:
            for axis, n in enumerate(a.shape, ndim - a.ndim):
                if n is not RUNS and n == 1:
                    continue
                if out[axis] is not n and out[axis] != 1 and out[axis] != n:
                    what = f"shapes {' and '.join(str(v.shape) for v in arrays)}"
                    raise refusal(f"an operation on {what}", "only the runs axis can meet the runs axis")
                out[axis] = n
        if RUNS in out[1:]:
            what = f"shapes {' and '.join(str(v.shape) for v in arrays)}"
            raise refusal(f"an operation on {what}", "keep scalars as (runs, 1)")
        return tuple(out)

    def _spread_to(self, v: Traced, shape: tuple[Any, ...]) -> Traced:
        """``v`` broadcast to a shape."""
        own: Shape = tuple([1, 1, *(n for n in shape if n is not RUNS)][-2:])
        node = v.node
        if node.shape != own:
            node = self.graph.node("spread", (node,), (), node.dtype, own)
        return self.wrap(node, shape)

    # ------------------------------------------------------------------------------ views, reductions, tasks
    def view(self, v: Traced, index: Any) -> Traced:
        """``v[:, None, :]``, ``v[..., None]``, ``v[..., j:j+1]``, ``v[..., j]`` and equivalent forms."""
        parts = list(index) if isinstance(index, tuple) else [index]
        if any(isinstance(end, Traced) for p in parts if isinstance(p, slice) for end in (p.start, p.stop)):
            raise refusal("a slice with an array as its end", ENTRY)
        for at in [n for n, p in enumerate(parts) if p is Ellipsis]:
            missing = v.ndim - sum(p is not None and p is not Ellipsis for p in parts)
            parts[at : at + 1] = [slice(None)] * missing
        parts += [slice(None)] * (v.ndim - sum(p is not None for p in parts))
        shape: list[Any] = []
        axis, node = 0, v.node
        for part in parts:
            if part is None:
                shape.append(1)
                continue
            n = v.shape[axis]
            if isinstance(part, slice) and part == slice(None):
                shape.append(n)
            else:
                start, keep = self._one_entry(part, n)
                node = self._pick(node, v.ndim - 1 - axis, start)
                shape += [1] if keep else []
            axis += 1
        if RUNS in shape[1:]:
            raise refusal("moving the runs axis", "leave it in front")
        return self._reshape(node, tuple(shape))

    def _one_entry(self, part: Any, n: Any) -> tuple[int, bool]:
        if n is RUNS:
            raise refusal("selecting runs", "every operation works on all runs")
        if isinstance(part, int) and -n <= part < n:
            return part % n, False
        if isinstance(part, slice) and part.step in (None, 1):
            start, stop, _ = part.indices(n)
            if stop - start == 1:
                return start, True
            raise refusal(
                f"the slice {start}:{stop}",
                f"keep all entries and mask the others, xp.where(i < {stop}, v, 0.0) with i = xp.arange({n}), "
                "or keep the parts as fields of the state",
            )
        if isinstance(part, Traced):
            raise refusal("an array as index", ENTRY)
        raise refusal(f"the index {part}", "select one entry (v[..., j:j+1]) or use wb.ops.take")

    def _pick(self, node: Node, from_last: int, j: int) -> Node:
        """Entry j of an axis, counted from the last: 0 is the coordinate, 1 the task."""
        axis = 1 - from_last
        if node.shape[axis] == 1:
            return node
        shape = (node.shape[0], 1) if axis else (1, node.shape[1])
        return self.graph.node("pick", (node,), (axis, j), node.dtype, shape)

    def _reshape(self, node: Node, shape: tuple[Any, ...]) -> Traced:
        """``node`` with a shape of equal size: unchanged, or with the coordinates moved to the task axis."""
        own = tuple([1, 1, *(n for n in shape if n is not RUNS)][-2:])
        if node.shape == own:
            return self.wrap(node, shape)
        if node.shape == own[::-1]:
            return self.wrap(self.swap(node), shape)
        raise refusal(f"a change of shape to {shape}", "use at most one task axis and one coordinate axis")

    def swap(self, node: Node) -> Node:
        """(m, 1) as (1, m), or vice versa."""
        if node.op == "index":
            return self.index(max(node.shape), 1 - node.attrs[0])
        return self.graph.node("swap", (node,), (), node.dtype, node.shape[::-1])

    def reshape(self, v: Traced, shape: Any) -> Traced:
        raise refusal("xp.reshape", "use v[..., None] or v[:, None, :]")

    def sum(self, v: Traced, axis: Any = None, keepdims: bool = False) -> Traced:
        return self._reduce("sum", v, axis, keepdims)

    def max(self, v: Traced, axis: Any = None, keepdims: bool = False) -> Traced:
        return self._reduce("max", v, axis, keepdims)

    def min(self, v: Traced, axis: Any = None, keepdims: bool = False) -> Traced:
        return -self.max(-v, axis, keepdims)

    def any(self, v: Traced, axis: Any = None, keepdims: bool = False) -> Traced:
        return self.sum(self.astype(v, np.bool_), axis, keepdims) > 0

    def all(self, v: Traced, axis: Any = None, keepdims: bool = False) -> Traced:
        return ~self.any(self.logical_not(v), axis, keepdims)

    def mean(self, v: Traced, axis: Any = None, keepdims: bool = False) -> Traced:
        return self._reduce("sum", v, axis, keepdims) / float(v.shape[axis])

    def _reduce(self, op: str, v: Traced, axis: Any, keepdims: bool) -> Traced:
        if not isinstance(axis, int) or v.shape[axis] is RUNS:
            raise refusal(f"xp.{op} over runs", "give the axis: -1 for coordinates, -2 for tasks")
        if op == "max" and v.node.dtype != FLOAT:
            raise refusal("xp.max of integers or conditions", "convert them with xp.astype")
        if v.node.dtype == BOOL:
            v = self.astype(v, np.int64)  # counts them
        axis %= v.ndim
        shape = (*v.shape[:axis], *([1] if keepdims else []), *v.shape[axis + 1 :])
        last = axis == v.ndim - 1
        m, d = v.node.shape
        if (d if last else m) == 1:
            return self._reshape(v.node, shape)
        if not last and op != "sum":
            raise refusal(f"xp.{op} over tasks", "reduce over the last axis")
        name = op if last else "tasksum"
        node = self.graph.node(name, (v.node,), (), v.node.dtype, (m, 1) if last else (1, d))
        return self._reshape(node, shape)

    def row_sum(self, v: Traced) -> Traced:
        return self.sum(v, axis=-1, keepdims=True)

    def row_argmax(self, v: Traced) -> Traced:
        """Index of the first largest entry along the last axis (`workbench.arrays.ops.argmax`)."""
        if v.node.shape[1] == 1:
            return self._spread_to(self.asarray(0), (*v.shape[:-1], 1))
        v = self.astype(v, np.float64)
        node = self.graph.node("argmax", (v.node,), (), INT, (v.node.shape[0], 1))
        return self.wrap(node, (*v.shape[:-1], 1))

    def row_take(self, v: Traced, i: Traced) -> Traced:
        """(runs, m, d) at each run's own task i, (runs, 1) or shared: (runs, d) (`workbench.arrays.ops.take`)."""
        i = self.astype(i, np.int64)
        if v.node.op == "put":  # reads through it, so that nothing but the next put needs the changed stack
            base, at, new = v.node.args
            below = self.row_take(self.wrap(base, v.shape), i)
            mine = self.wrap(self._apply("==", (at, i.node), BOOL), (RUNS, 1))
            return self.where(mine, self.wrap(new, below.shape), below)
        node = self.graph.node("take", (v.node, i.node), (), v.node.dtype, (1, v.node.shape[1]))
        return self.wrap(node, (RUNS, v.shape[-1]))

    def row_put(self, v: Traced, i: Traced, new: Traced) -> Traced:
        """``v`` with task i of each run replaced (`workbench.arrays.ops.put`)."""
        i = self.astype(i, np.int64)
        m, d = v.node.shape
        if m > 1 and v.node.per_run and new.node.shape == (1, d) and new.node.dtype == v.node.dtype:
            args = (v.node, i.node, new.node)
            return self.wrap(self.graph.node("put", args, (), v.node.dtype, (m, d)), v.shape)
        mine = self._apply("==", (self.index(m, 0), i.node), BOOL)
        return self.wrap(self._apply("where", (mine, new.node, v.node), v.node.dtype), v.shape)

    def matrix_transpose(self, A: Traced) -> Traced:
        if A.node.op != "table" or A.ndim != 2:
            raise refusal("the transpose of an array that is not a constant", "use wb.ops.matvec")
        return self.asarray(A.node.attrs[0].values.T)

    def row_matvec(self, A: Traced, x: Traced) -> Traced:
        """A x for each run, (n, d) times (runs, d); sums run left to right, by fused multiply-adds if x is per run."""
        if x.shape[0] is not RUNS or A.shape[0] is RUNS or A.ndim != 2:
            raise refusal(
                f"a product of {A.shape} and {x.shape}",
                "use wb.ops.matvec(A, x) with a fixed A",
            )
        if A.shape[1] != x.shape[-1] or x.ndim != 2:
            raise refusal(
                f"a product of {A.shape} and {x.shape}", "give x as many coordinates as A has columns"
            )
        n, d = A.shape
        A, x = self.astype(A, np.float64), self.astype(x, np.float64)
        if A.node.op == "table" and x.node.per_run:
            node = self.graph.node("matvec", (A.node, x.node), (), FLOAT, (1, n))
            return self.wrap(node, (RUNS, n))
        product = self._apply("*", (A.node, x.node), FLOAT)
        total = product if d == 1 else self.graph.node("sum", (product,), (), FLOAT, (n, 1))
        return self.wrap(total if n == 1 else self.swap(total), (RUNS, n))


class Table:
    """A constant array as part of a node's key, compared by content."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = np.ascontiguousarray(values)
        self._key = (self.values.shape, self.values.dtype.str, self.values.tobytes())

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._key == other._key

    def __repr__(self) -> str:
        return f"table{self.values.shape}"
