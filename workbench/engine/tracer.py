"""The array namespace that records: handed to a ``step`` as ``xp``, it turns the call into a graph.

A `Traced` looks like an array of the standard: ``(RUNS, d)``, ``(RUNS, m, d)``, ``()`` for what all runs share. The
length of the runs axis is the symbol `RUNS`, which equals nothing but itself. What cannot become one kernel (a branch
on a value, a write in place, NumPy called on an array, an operation without a counterpart) is a `TraceError` that
names the operation, the line that asked for it, and the way out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.engine.graph import BOOL, FLOAT, INT, SCALAR, Block, Graph, Node, Phi, Shape, broadcast

DTYPES = {np.float64: FLOAT, np.int64: INT, np.bool_: BOOL, float: FLOAT, int: INT, bool: BOOL}
NUMPY_TYPES = {FLOAT: np.float64, INT: np.int64, BOOL: np.bool_}
_OURS = (  # where a refusal is raised, not where it is caused
    str(Path(np.__file__).parent),
    str(Path(__file__).parent),
    *(str(Path(__file__).parent.parent / f) for f in ("ops.py", "random.py")),
)


class TraceError(ValueError):
    """A step that no kernel can be made of; one sentence with the operation, the line and the remedy."""


class _Runs:
    """The length of the runs axis: known to no step, so that none can depend on it."""

    def __repr__(self) -> str:
        return "runs"


RUNS = _Runs()


def refused(what: str, remedy: str) -> TraceError:
    """The error for an operation, placed at the first line outside the engine and the shared primitives."""
    frame, place = sys._getframe(1), "a traced function"
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OURS):
            place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
            break
        frame = frame.f_back  # type: ignore[assignment]
    return TraceError(f"{place}: {what} cannot be compiled; {remedy}, or use --engine eager")


class Traced:
    """An array of the graph. shape: as the standard sees it, `RUNS` first where runs differ."""

    __slots__ = ("node", "shape", "xp")
    __array_priority__ = 1000
    if TYPE_CHECKING:  # the operators come from `_operators`
        __add__: Any
        __radd__: Any
        __sub__: Any
        __rsub__: Any
        __mul__: Any
        __rmul__: Any
        __truediv__: Any
        __rtruediv__: Any
        __mod__: Any
        __and__: Any
        __or__: Any
        __rshift__: Any
        __lt__: Any
        __le__: Any
        __gt__: Any
        __ge__: Any

    def __init__(self, node: Node, shape: tuple[Any, ...], xp: Tracer) -> None:
        self.node, self.shape, self.xp = node, shape, xp

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        return NUMPY_TYPES[self.node.dtype]

    def __getitem__(self, index: Any) -> Traced:
        return self.xp.view(self, index)

    # What a compiled step cannot do.
    def __bool__(self) -> bool:
        raise refused("a branch on the value of an array", "use xp.where, workbench.ops.branch or loop")

    def __float__(self) -> float:
        raise refused("float() of an array", "keep it an array")

    def __int__(self) -> int:
        raise refused("int() of an array", "keep it an array (xp.floor, xp.astype)")

    __index__ = __int__

    def __len__(self) -> int:
        raise refused("len() of an array", "use .shape[-1] for the number of coordinates")

    def __iter__(self) -> Iterator[Any]:
        raise refused("a Python loop over an array", "use workbench.ops.loop or a whole-array operation")

    def __setitem__(self, index: Any, value: Any) -> None:
        raise refused("writing into an array", "make a new one (xp.where, workbench.ops.put)")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise refused("NumPy called on an array", "call the function of xp instead")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        symbol = _UFUNCS.get(ufunc.__name__)
        if method != "__call__" or kwargs or symbol is None:
            raise refused(f"numpy.{ufunc.__name__} called on an array", "call the function of xp instead")
        return self.xp.binary(symbol, *inputs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python and NumPy ask whether there is such a thing
            raise AttributeError(name)
        raise refused(f"the array attribute .{name}", "use a function of xp or of workbench.ops")

    def __neg__(self) -> Traced:
        return self.xp.unary("neg", self)

    def __abs__(self) -> Traced:
        return self.xp.abs(self)

    def __invert__(self) -> Traced:
        if self.node.dtype != BOOL:
            raise refused("~ of a number", "use it on conditions only")
        return self.xp.unary("not", self)

    def __pow__(self, p: Any) -> Traced:
        if not (isinstance(p, (int, float)) and p in (1, 2)):
            raise refused(f"** {p}", "use **2, products or workbench.ops.power")
        return self if p == 1 else self * self

    def __rpow__(self, _: Any) -> Traced:
        raise refused("a power with an array as exponent", "use workbench.ops.power")

    def __floordiv__(self, _: Any) -> Traced:
        raise refused("//", "use xp.floor(a / b)")

    def __matmul__(self, _: Any) -> Traced:
        raise refused("@", "use workbench.ops.matvec or dot")

    __rfloordiv__, __rmatmul__ = __floordiv__, __matmul__

    __hash__ = None  # type: ignore[assignment]


_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==",
    "ne": "!=", "and": "&", "or": "|", "rshift": ">>", "lshift": "<<", "mod": "%",
}  # fmt: skip
_UFUNCS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "less": "<", "less_equal": "<=", "greater": ">",
    "greater_equal": ">=", "equal": "==", "not_equal": "!=", "bitwise_and": "&", "bitwise_or": "|",
    "logical_and": "&", "logical_or": "|",
}  # fmt: skip
_WIDTH = (BOOL, INT, FLOAT)
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def _operators() -> None:
    """Traced gets every binary operator, its mirrored form, and a refusal of the in-place one."""

    def forward(symbol: str) -> Callable[..., Any]:
        return lambda a, b: a.xp.binary(symbol, a, b)

    def mirrored(symbol: str) -> Callable[..., Any]:
        return lambda a, b: a.xp.binary(symbol, b, a)

    def in_place(symbol: str) -> Callable[..., Any]:
        def refuse(a: Traced, b: Any) -> Any:
            raise refused(f"the in-place operator {symbol}=", f"write a = a {symbol} b")

        return refuse

    for name, symbol in _BINARY.items():
        setattr(Traced, f"__{name}__", forward(symbol))
        if symbol not in _COMPARISONS:
            setattr(Traced, f"__r{name}__", mirrored(symbol))
            setattr(Traced, f"__i{name}__", in_place(symbol))


_operators()


class Tracer:
    """The namespace. Its functions make nodes of ``graph``; names that it lacks are refused by name."""

    __name__ = "tracer"
    float64, int64 = np.float64, np.int64
    pi, inf, nan, newaxis = np.pi, np.inf, np.nan, None

    def __init__(self, graph: Graph, calls: Counter[str] | None = None) -> None:
        self.graph, self.bool = graph, np.bool_
        self.calls: Counter[str] = Counter() if calls is None else calls
        self._open: list[Block] = []  # loops that are being traced, innermost last

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("device",):
            raise AttributeError(name)
        raise refused(f"xp.{name}", "write it with the operations that workbench.ops and the engine offer")

    # ------------------------------------------------------------------------------------- making arrays
    def traced(self, node: Node, shape: tuple[Any, ...]) -> Traced:
        return Traced(node, shape, self)

    def asarray(self, value: Any, dtype: Any = None) -> Traced:
        """A number or an array known when tracing; a `Traced` comes back as it is (converted to ``dtype``)."""
        if isinstance(value, Traced):
            return value if dtype is None else self.astype(value, dtype)
        array = np.asarray(value, dtype=dtype)
        if array.dtype.kind not in "fiub":
            raise refused(f"an array of {array.dtype}", "use 64-bit numbers and booleans")
        kind = {"f": FLOAT, "b": BOOL}.get(array.dtype.kind, INT)
        if array.ndim == 0:
            return self.traced(self._const(array.item(), kind), ())
        if array.ndim > 2:
            raise refused(f"a constant array of {array.ndim} axes", "use at most two")
        shape: Shape = (1, *array.shape) if array.ndim == 1 else array.shape
        table = self.graph.node("table", (), (Table(array),), kind, shape, False, self.graph.once)
        return self.traced(table, array.shape)

    def _const(self, value: Any, kind: str, shape: Shape = SCALAR) -> Node:
        made = {FLOAT: float, INT: int, BOOL: bool}[kind](value)
        return self.graph.node("const", (), (made,), kind, shape, False)

    def full(self, shape: Any, value: Any, dtype: Any = None) -> Traced:
        shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        if isinstance(value, Traced):
            return self._shaped(value, shape)
        kind = DTYPES[dtype or type(value)]
        node = self.graph.node("const", (), ({FLOAT: float, INT: int, BOOL: bool}[kind](value),), kind)
        return self._shaped(self.traced(node, ()), shape)

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
            raise refused("arange of a length that is not fixed", "give it an int")
        return self.traced(self.index(n), (n,))

    def index(self, n: int, axis: int = 1) -> Node:
        """The own index along an axis of ``n`` entries: the coordinate (axis 1) or the task (axis 0)."""
        if n == 1:
            return self._const(0, INT)
        return self.graph.node("index", (), (axis,), INT, (1, n) if axis else (n, 1), False)

    def broadcast_to(self, v: Any, shape: Any) -> Traced:
        return self._shaped(self.asarray(v), tuple(shape))

    # -------------------------------------------------------------------------------- elementwise operations
    def unary(self, op: str, v: Any, dtype: str | None = None) -> Traced:
        v = self.asarray(v)
        return self.traced(self._apply(op, (v.node,), dtype or v.node.dtype), v.shape)

    def binary(self, symbol: str, a: Any, b: Any) -> Traced:
        a, b = self.asarray(a), self.asarray(b)
        kinds = {a.node.dtype, b.node.dtype}
        if kinds == {BOOL} and symbol in ("+", "-", "*", "%", "<<", ">>"):
            raise refused(f"{symbol} of two conditions", "use &, | or xp.astype")
        if symbol == "/":
            a, b = self.astype(a, np.float64), self.astype(b, np.float64)
        a, b = self._promoted(a, b)
        kind = BOOL if symbol in _COMPARISONS else a.node.dtype
        if symbol == "%" and kind == FLOAT:  # exact for whole numbers
            return a - self.floor(a / b) * b
        if symbol in (">>", "<<", "&", "|") and kind == FLOAT:
            raise refused(f"{symbol} on floats", "use integers or booleans")
        return self.traced(self._apply(symbol, (a.node, b.node), kind), self._common(a, b))

    def where(self, condition: Any, a: Any, b: Any) -> Traced:
        condition = self.astype(condition, np.bool_)
        a, b = self._promoted(self.asarray(a), self.asarray(b))
        args = (condition.node, a.node, b.node)
        return self.traced(self._apply("where", args, a.node.dtype), self._common(condition, a, b))

    def _promoted(self, *arrays: Traced) -> tuple[Traced, ...]:
        """All in the widest of their types: conditions, integers, floats."""
        widest = max((v.node.dtype for v in arrays), key=_WIDTH.index)
        return tuple(self.astype(v, NUMPY_TYPES[widest]) for v in arrays)

    def astype(self, v: Any, dtype: Any, copy: Any = None) -> Traced:
        v, kind = self.asarray(v), DTYPES.get(dtype)
        if kind is None:
            raise refused(f"the type {dtype}", "use xp.float64, xp.int64 or xp.bool")
        if kind == v.node.dtype:
            return v
        if v.node.op == "const":  # int() cuts towards zero, as the conversion does
            return self.traced(self._const(v.node.attrs[0], kind, v.node.shape), v.shape)
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

    def logical_and(self, a: Any, b: Any) -> Traced:
        return self.binary("&", a, b)

    def logical_or(self, a: Any, b: Any) -> Traced:
        return self.binary("|", a, b)

    def logical_not(self, v: Any) -> Traced:
        return self.unary("not", self.astype(v, np.bool_))

    def bits(self, v: Any) -> Traced:
        """The 64 bits of a float as an integer (see `workbench.maths`)."""
        return self.unary("bits", v, INT)

    def unbits(self, v: Any) -> Traced:
        return self.unary("unbits", v, FLOAT)

    def call(self, name: str, *args: Any) -> Traced:
        """A function of `workbench.maths`; each printer prints it once, from that source."""
        arrays = [self.astype(v, np.float64) for v in args]
        node = self._apply("call", tuple(v.node for v in arrays), FLOAT, (name,))
        return self.traced(node, self._common(*arrays))

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
        shape = broadcast((a.shape for a in args), lambda s: refused(s, "see the shapes of the operands"))
        return self.graph.node(op, args, attrs, dtype, shape)

    def _common(self, *arrays: Traced) -> tuple[Any, ...]:
        """The standard's broadcast shape; the runs axis meets only itself, an axis of length 1, or nothing."""
        ndim = max(a.ndim for a in arrays)
        out: list[Any] = [1] * ndim
        for a in arrays:
            for axis, n in enumerate(a.shape, ndim - a.ndim):
                if n is not RUNS and n == 1:
                    continue
                if out[axis] is not n and out[axis] != 1 and out[axis] != n:
                    what = f"shapes {' and '.join(str(v.shape) for v in arrays)}"
                    raise refused(f"an operation on {what}", "only the runs axis can meet the runs axis")
                out[axis] = n
        if RUNS in out[1:]:
            what = f"shapes {' and '.join(str(v.shape) for v in arrays)}"
            raise refused(f"an operation on {what}", "keep scalars as (runs, 1)")
        return tuple(out)

    def _shaped(self, v: Traced, shape: tuple[Any, ...]) -> Traced:
        """``v`` broadcast to a shape."""
        own: Shape = tuple([1, 1, *(n for n in shape if n is not RUNS)][-2:])
        node = v.node
        if node.shape != own:
            node = self.graph.node("spread", (node,), (), node.dtype, own)
        return self.traced(node, shape)

    # ------------------------------------------------------------------------------ views, reductions, tasks
    def view(self, v: Traced, index: Any) -> Traced:
        """``v[:, None, :]``, ``v[..., None]``, ``v[..., j:j+1]``, ``v[..., j]`` and what amounts to them."""
        parts = list(index) if isinstance(index, tuple) else [index]
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
            raise refused("moving the runs axis", "leave it in front")
        return self._fitted(node, tuple(shape))

    def _one_entry(self, part: Any, n: Any) -> tuple[int, bool]:
        if n is RUNS:
            raise refused("selecting runs", "every operation works on all runs")
        if isinstance(part, int) and -n <= part < n:
            return part % n, False
        if isinstance(part, slice) and part.step in (None, 1):
            start, stop, _ = part.indices(n)
            if stop - start == 1:
                return start, True
        shown = "an array as index" if isinstance(part, Traced) else f"the index {part}"
        raise refused(shown, "select one entry (v[..., j:j+1]) or use workbench.ops.take")

    def _pick(self, node: Node, from_last: int, j: int) -> Node:
        """Entry j of the last axis but ``from_last`` (0: coordinate, 1: task)."""
        axis = 1 - from_last
        if node.shape[axis] == 1:
            return node
        shape = (node.shape[0], 1) if axis else (1, node.shape[1])
        return self.graph.node("pick", (node,), (axis, j), node.dtype, shape)

    def _fitted(self, node: Node, shape: tuple[Any, ...]) -> Traced:
        """``node`` under a shape with as many entries: as it is, or with the coordinates moved to the task axis."""
        own = tuple([1, 1, *(n for n in shape if n is not RUNS)][-2:])
        if node.shape == own:
            return self.traced(node, shape)
        if node.shape == own[::-1]:
            return self.traced(self.swap(node), shape)
        raise refused(f"a change of shape to {shape}", "use at most one task axis and one coordinate axis")

    def swap(self, node: Node) -> Node:
        """(m, 1) as (1, m), or the other way round."""
        if node.op == "index":
            return self.index(max(node.shape), 1 - node.attrs[0])
        return self.graph.node("swap", (node,), (), node.dtype, node.shape[::-1])

    def reshape(self, v: Traced, shape: Any) -> Traced:
        raise refused("xp.reshape", "use v[..., None] or v[:, None, :]")

    def sum(self, v: Traced, axis: Any = None, keepdims: bool = False) -> Traced:
        return self._reduce("sum", v, axis, keepdims)

    def max(self, v: Traced, axis: Any = None, keepdims: bool = False) -> Traced:
        return self._reduce("max", v, axis, keepdims)

    def mean(self, v: Traced, axis: Any = None, keepdims: bool = False) -> Traced:
        return self._reduce("sum", v, axis, keepdims) / float(v.shape[axis])

    def _reduce(self, op: str, v: Traced, axis: Any, keepdims: bool) -> Traced:
        if not isinstance(axis, int) or v.shape[axis] is RUNS:
            raise refused(f"xp.{op} over runs", "give the axis: -1 for coordinates, -2 for tasks")
        if op == "max" and v.node.dtype != FLOAT:
            raise refused("xp.max of integers or conditions", "convert them with xp.astype")
        if v.node.dtype == BOOL:
            v = self.astype(v, np.int64)  # their number
        axis %= v.ndim
        shape = (*v.shape[:axis], *([1] if keepdims else []), *v.shape[axis + 1 :])
        last = axis == v.ndim - 1
        m, d = v.node.shape
        if (d if last else m) == 1:
            return self._fitted(v.node, shape)
        if not last and op != "sum":
            raise refused(f"xp.{op} over tasks", "reduce over the last axis")
        name = op if last else "tasksum"
        node = self.graph.node(name, (v.node,), (), v.node.dtype, (m, 1) if last else (1, d))
        return self._fitted(node, shape)

    def row_sum(self, v: Traced) -> Traced:
        return self.sum(v, axis=-1, keepdims=True)

    def row_argmax(self, v: Traced) -> Traced:
        """Index of the first largest entry along the last axis (`workbench.ops.argmax`)."""
        if v.node.shape[1] == 1:
            return self._shaped(self.asarray(0), (*v.shape[:-1], 1))
        v = self.astype(v, np.float64)
        node = self.graph.node("argmax", (v.node,), (), INT, (v.node.shape[0], 1))
        return self.traced(node, (*v.shape[:-1], 1))

    def row_take(self, v: Traced, i: Traced) -> Traced:
        """(runs, m, d) at each run's own task i, (runs, 1) or shared: (runs, d) (`workbench.ops.take`)."""
        i = self.astype(i, np.int64)
        node = self.graph.node("take", (v.node, i.node), (), v.node.dtype, (1, v.node.shape[1]))
        return self.traced(node, (RUNS, v.shape[-1]))

    def row_put(self, v: Traced, i: Traced, new: Traced) -> Traced:
        """``v`` with task i of each run replaced (`workbench.ops.put`)."""
        mine = self._apply("==", (self.index(v.node.shape[0], 0), self.astype(i, np.int64).node), BOOL)
        return self.traced(self._apply("where", (mine, new.node, v.node), v.node.dtype), v.shape)

    def matrix_transpose(self, A: Traced) -> Traced:
        if A.node.op != "table" or A.ndim != 2:
            raise refused("the transpose of an array that is not a constant", "use workbench.ops.matvec")
        return self.asarray(A.node.attrs[0].values.T)

    def row_matvec(self, A: Traced, x: Traced) -> Traced:
        """A x for each run, (n, d) times (runs, d); sums from left to right."""
        if x.shape[0] is not RUNS or A.shape[0] is RUNS or A.ndim != 2:
            raise refused(
                f"a product of {A.shape} and {x.shape}", "use workbench.ops.matvec(A, x) with a fixed A"
            )
        if A.shape[1] != x.shape[-1] or x.ndim != 2:
            raise refused(
                f"a product of {A.shape} and {x.shape}", "give x as many coordinates as A has columns"
            )
        n, d = A.shape
        A, x = self.astype(A, np.float64), self.astype(x, np.float64)
        if A.node.op == "table" and x.node.per_run:
            node = self.graph.node("matvec", (A.node, x.node), (), FLOAT, (1, n))
            return self.traced(node, (RUNS, n))
        product = self._apply("*", (A.node, x.node), FLOAT)
        total = product if d == 1 else self.graph.node("sum", (product,), (), FLOAT, (n, 1))
        return self.traced(total if n == 1 else self.swap(total), (RUNS, n))

    # ------------------------------------------------------------------------------------- control flow
    def loop(self, n: Any, body: Any, carry: tuple[Any, ...], going: Any = None) -> tuple[Traced, ...]:
        """`workbench.ops.loop`: one inner loop of the kernel. See there for the arguments."""
        starts = tuple(self.asarray(v) for v in carry)
        if isinstance(n, int) and n <= 0:
            return starts
        limit, own_count = self._turns(n)
        alive = self._alive_at_first(limit, own_count, going, starts)
        starts = self._as_after_a_turn(body, starts)  # a turn may widen what starts as a zero, say
        block = Block(self._home, limit.node if isinstance(limit, Traced) else limit)
        counter = self._counter(block)
        leaves = tuple(self._phi(block, v) for v in starts)
        live = None if alive is None else self._phi(block, self._per_run(alive))
        phis = list(block.phis)
        with self._inside(block), self._counted() as turn:
            kept = self._kept(live, body(counter, leaves), leaves)
        for phi, value in zip(phis, kept, strict=False):
            phi.next = self._like(value, phi.leaf)
        last = limit if own_count is None else own_count  # `going` is asked again only before another turn
        goes_on = live if live is None or last is None else live & (counter + 1 < last)
        with self._inside(block), self._counted() as check:
            go: Any = live
            if going is not None:
                go = go & self.astype(going(kept), np.bool_)
        if live is not None:
            block.alive = phis[-1]
            go = go if own_count is None else go & (own_count > counter + 1)
            block.alive.next = self._like(go, block.alive.leaf)
        self._charge(block, turn, live, limit)
        self._charge(block, check, goes_on, limit)
        return tuple(self._result(block, i, v.shape) for i, v in enumerate(leaves))

    def branch(self, condition: Any, yes: Any, no: Any) -> tuple[Traced, ...]:
        """`workbench.ops.branch`: two loops of one turn or none, whose contents stay inside."""
        condition = self.asarray(condition)
        if condition.node.per_run:
            raise refused("a branch that differs between runs", "use xp.where")
        taken = self.astype(condition, np.int64)
        trial = Block(self._home)
        with self._inside(trial, pinned=True), self._counted():
            zeros = tuple(self.zeros_like(self._per_run(self.asarray(v))) for v in yes())
        first = self._pinned_loop(taken, yes, zeros)
        return self._pinned_loop(1 - taken, no, first)

    def _pinned_loop(self, n: Traced, make: Any, start: tuple[Traced, ...]) -> tuple[Traced, ...]:
        """``make()`` if n is 1, else ``start``; what it computes does not leave the loop."""
        block = Block(self._home, n.node)
        self._counter(block)
        leaves = tuple(self._phi(block, v) for v in start)
        with self._inside(block, pinned=True), self._counted() as turn:
            for phi, value in zip(block.phis, make(), strict=True):
                phi.next = self._like(value, phi.leaf)
        self._charge(block, turn, None, n)
        return tuple(self._result(block, i, v.shape) for i, v in enumerate(leaves))

    @property
    def in_branch(self) -> bool:
        """Is a part traced that does not run in every iteration?"""
        return self.graph.floor is not self.graph.once

    @property
    def _home(self) -> Block:
        """The loop that is being traced: where a new one lives."""
        return self._open[-1] if self._open else self.graph.steps

    @contextmanager
    def _inside(self, block: Block, pinned: bool = False) -> Iterator[None]:
        """Traces the body of a block; pinned: nodes made here stay here, even where nothing ties them to it."""
        held, self.graph.floor = self.graph.floor, block if pinned else self.graph.floor
        self._open.append(block)
        yield
        self._open.pop()
        self.graph.floor = held

    @contextmanager
    def _counted(self) -> Iterator[Counter[str]]:
        """Collects the oracle calls made inside, which do not reach the meter by themselves."""
        held, inside = Counter(self.calls), Counter[str]()
        self._set_calls(Counter())
        yield inside
        inside.update(self.calls)
        self._set_calls(held)

    def _charge(self, block: Block, inside: Counter[str], live: Traced | None, limit: Any) -> None:
        """Meters the calls of one turn: in every turn, for the runs that make it (``live``; None: all of them)."""
        turns: Any = None
        for resource, count in inside.items():
            total: Any
            if isinstance(count, Traced):  # differs from turn to turn: an inner loop of its own
                total = self._added_up(block, count if live is None else count * self.astype(live, np.int64))
            elif live is None:
                total = count * (limit if isinstance(limit, int) else self.where(limit > 0, limit, 0))
            else:
                turns = turns or (self._added_up(block, self.astype(live, np.int64)),)
                total = count * turns[0]
            self.calls[resource] = self.calls[resource] + total

    def _added_up(self, block: Block, number: Traced) -> Traced:
        """The sum of ``number`` over the turns of a block, per run: one more carried value."""
        total = self._phi(block, self.full((RUNS, 1), 0))
        with self._inside(block):
            block.phis[-1].next = (total + number).node
        return self._result(block, len(block.phis) - 1, (RUNS, 1))

    def _counter(self, block: Block) -> Traced:
        block.counter = self.graph.leaf("counter", (block,), INT, SCALAR, False, block)
        return self.traced(block.counter, ())

    def _as_after_a_turn(self, body: Any, starts: tuple[Traced, ...]) -> tuple[Traced, ...]:
        """The start of a carry, in shape and type as one turn leaves it; that turn is traced for this alone."""
        trial = Block(self._home)
        starts = tuple(self._per_run(v) for v in starts)
        with self._inside(trial), self._counted():
            new = body(self._counter(trial), tuple(self._phi(trial, v) for v in starts))
        if len(new) != len(starts):
            raise refused(
                f"a loop that returns {len(new)} of {len(starts)} carried values", "return them all"
            )
        out = []
        for old, value in zip(starts, map(self.asarray, new), strict=True):
            out.append(self._promoted(self._shaped(old, self._common(old, value)), value)[0])
        return tuple(out)

    def _per_run(self, v: Traced) -> Traced:
        """With a runs axis in its shape."""
        return v if v.shape and v.shape[0] is RUNS else self._shaped(v, (RUNS, *(v.shape or (1,))))

    def _phi(self, block: Block, start: Traced) -> Traced:
        leaf = self.graph.leaf(
            "phi", (block, len(block.phis)), start.node.dtype, start.node.shape, True, block
        )
        block.phis.append(Phi(leaf, start.node, f"carry {len(block.phis)}"))
        return self.traced(leaf, start.shape)

    def _kept(self, live: Traced | None, new: Any, old: tuple[Traced, ...]) -> tuple[Traced, ...]:
        """``new`` for the runs that go on, ``old`` for the others."""
        new = tuple(self.asarray(v) for v in new)
        if live is None:
            return new
        masks = [live if v.ndim <= 2 else live[..., None] for v in old]
        return tuple(self.where(m, a, b) for m, a, b in zip(masks, new, old, strict=True))

    def _like(self, value: Any, leaf: Node) -> Node:
        """``value`` in the type of a carried leaf; refused where that or the shape would be another."""
        value, wanted = self.asarray(value), NUMPY_TYPES[leaf.dtype]
        if _WIDTH.index(value.node.dtype) > _WIDTH.index(leaf.dtype):
            was, now = wanted.__name__, NUMPY_TYPES[value.node.dtype].__name__
            raise refused(f"a carried value that turns from {was} to {now}", "convert one with xp.astype")
        if value.node.shape != leaf.shape:
            entries = f"{leaf.shape} to {value.node.shape} entries"
            raise refused(f"a carried value that turns from {entries}", "give both one shape")
        return self.astype(value, wanted).node

    def _turns(self, n: Any) -> tuple[Any, Traced | None]:
        """How often a loop turns: (an int or an integer node for all runs, None) or (None, a number per run)."""
        if isinstance(n, int):
            return n, None
        n = self.asarray(n)
        if n.node.dtype == FLOAT:  # an endless loop would hold the other runs of its block
            n = self.floor(self.where(n < np.inf, n, 0.0))
        return (None, n) if n.node.per_run else (self.astype(n, np.int64), None)

    def _alive_at_first(
        self, limit: Any, own_count: Traced | None, going: Any, starts: tuple[Traced, ...]
    ) -> Traced | None:
        """Which runs make the first turn; None: all of them."""
        alive = None if own_count is None else own_count > 0
        if going is None:
            return alive
        with self._counted() as check:
            go = self.astype(going(starts), np.bool_)
        asked: Any = (
            1 if isinstance(limit, int) else self.astype(limit > 0 if alive is None else alive, np.int64)
        )
        for resource, count in check.items():
            self.calls[resource] = self.calls[resource] + count * asked
        return go if alive is None else alive & go

    def _set_calls(self, to: Counter[str]) -> None:
        self.calls.clear()
        for resource, count in to.items():
            self.calls[resource] = count

    def _result(self, block: Block, i: int, shape: tuple[Any, ...]) -> Traced:
        leaf = block.phis[i].leaf
        home = block.parent
        assert home is not None
        node = self.graph.node("result", (), (block, i), leaf.dtype, leaf.shape, True, home)
        return self.traced(node, shape)


class Table:
    """A constant array as part of a node's key: by content."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = np.ascontiguousarray(values)
        self._key = (self.values.shape, self.values.dtype.str, self.values.tobytes())

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._key == other._key

    def __repr__(self) -> str:
        return f"table{self.values.shape}"
