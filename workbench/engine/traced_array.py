"""The recording array, on which a ``step`` operates while it is traced.

A `Traced` looks like an array of the standard: ``(RUNS, d)``, ``(RUNS, m, d)``, ``()`` for values shared by all runs.
The length of the runs axis is the symbol `RUNS`, which equals only itself. Operations are delegated to the namespace
that created the array (`workbench.engine.namespace`); operations that cannot be compiled raise an error here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.engine.graph import BOOL, FLOAT, INT, Node
from workbench.engine.refusal import refusal

NUMPY_TYPES = {FLOAT: np.float64, INT: np.int64, BOOL: np.bool_}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class _Runs:
    """The length of the runs axis: unknown to a step, so that no step can depend on it."""

    def __repr__(self) -> str:
        return "runs"


RUNS = _Runs()


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
        __xor__: Any
        __rshift__: Any
        __lt__: Any
        __le__: Any
        __gt__: Any
        __ge__: Any

    def __init__(self, node: Node, shape: tuple[Any, ...], xp: Any) -> None:
        self.node, self.shape, self.xp = node, shape, xp

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        return NUMPY_TYPES[self.node.dtype]

    def __getitem__(self, index: Any) -> Traced:
        return self.xp.view(self, index)

    # Operations that cannot be compiled.
    def __bool__(self) -> bool:
        raise refusal("a branch on the value of an array", "use xp.where, wb.ops.branch or wb.ops.loop")

    def __float__(self) -> float:
        raise refusal("float() of an array", "keep it an array")

    def __int__(self) -> int:
        raise refusal("int() of an array", "keep it an array (xp.floor, xp.astype)")

    __index__ = __int__

    def __len__(self) -> int:
        raise refusal("len() of an array", "use .shape[-1] for the number of coordinates")

    def __iter__(self) -> Iterator[Any]:
        raise refusal("a Python loop over an array", "use wb.ops.loop or a whole-array operation")

    def __setitem__(self, index: Any, value: Any) -> None:
        raise refusal("writing into an array", "make a new one (xp.where, wb.ops.put)")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise refusal("NumPy called on an array", "call the function of xp instead")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        symbol = _UFUNCS.get(ufunc.__name__)
        if method != "__call__" or kwargs or symbol is None:
            raise refusal(f"numpy.{ufunc.__name__} called on an array", "call the function of xp instead")
        return self.xp.binary(symbol, *inputs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python and NumPy test whether it exists
            raise AttributeError(name)
        raise refusal(f"the array attribute .{name}", "use a function of xp or of wb.ops")

    def __neg__(self) -> Traced:
        return self.xp.unary("neg", self)

    def __abs__(self) -> Traced:
        return self.xp.abs(self)

    def __invert__(self) -> Traced:
        if self.node.dtype != BOOL:
            raise refusal("~ of a number", "use it on conditions only")
        return self.xp.unary("not", self)

    def __pow__(self, p: Any) -> Traced:
        """The exponents that NumPy replaces by an operation that is rounded the same everywhere."""
        if not isinstance(p, (int, float)) or p not in (-1, 0, 0.5, 1, 2):
            raise refusal(
                f"** {p}",
                "libraries round other powers than -1, 0, 0.5, 1 and 2 differently: multiply it out, or use "
                "xp.pow(x, p) for x >= 0 (wb.ops.power)",
            )
        if not self.shape and p in (-1, 0.5):  # NumPy leaves powers of single numbers to C's pow
            raise refusal(f"** {p} of a number that all runs share", "use xp.sqrt(x) or 1.0 / x")
        if p == 0.5:
            return self.xp.sqrt(self)
        if p == 0:
            return self.xp.ones_like(self)
        return 1.0 / self if p == -1 else self if p == 1 else self * self

    def __rpow__(self, _: Any) -> Traced:
        raise refusal("a power with an array as exponent", "use wb.ops.power")

    def __floordiv__(self, _: Any) -> Traced:
        raise refusal("//", "use xp.floor(a / b)")

    def __matmul__(self, _: Any) -> Traced:
        raise refusal("@", "use wb.ops.matvec or dot")

    __rfloordiv__, __rmatmul__ = __floordiv__, __matmul__

    __hash__ = None  # type: ignore[assignment]


_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==",
    "ne": "!=", "and": "&", "or": "|", "xor": "^", "rshift": ">>", "lshift": "<<", "mod": "%",
}  # fmt: skip
_UFUNCS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "less": "<", "less_equal": "<=", "greater": ">",
    "greater_equal": ">=", "equal": "==", "not_equal": "!=", "bitwise_and": "&", "bitwise_or": "|",
    "bitwise_xor": "^", "logical_and": "&", "logical_or": "|",
}  # fmt: skip


def _operators() -> None:
    """Adds to Traced every binary operator, its reflected form, and an in-place form that raises an error."""

    def forward(symbol: str) -> Callable[..., Any]:
        return lambda a, b: a.xp.binary(symbol, a, b)

    def reverse(symbol: str) -> Callable[..., Any]:
        return lambda a, b: a.xp.binary(symbol, b, a)

    def in_place(symbol: str) -> Callable[..., Any]:
        def refuse(a: Traced, b: Any) -> Any:
            raise refusal(f"the in-place operator {symbol}=", f"write a = a {symbol} b")

        return refuse

    for name, symbol in _BINARY.items():
        setattr(Traced, f"__{name}__", forward(symbol))
        if symbol not in COMPARISONS:
            setattr(Traced, f"__r{name}__", reverse(symbol))
            setattr(Traced, f"__i{name}__", in_place(symbol))


_operators()
