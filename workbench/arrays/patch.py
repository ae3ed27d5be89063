"""A stack of tasks of which one task per run has changed, without a copy of the others.

The eager counterpart of an indexed store in a compiled step: `workbench.arrays.ops.put` returns a `Patch`, and
`workbench.arrays.ops.take` reads through it. Both cost O(1) in the number of tasks. After the step the engine writes
the new tasks into an array that it owns (`workbench.engine.eager`). In any other operation a patch stands for the whole
array, which is then made: slower, but with the same bits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

Array = Any

DEPTH = 4  # patches upon patches before a whole array is made


class Patch:
    """``base`` (runs, m, d) with task ``index`` (runs, 1) of each run replaced by ``new`` (runs, d).

    base may be a patch itself. An index outside {0, ..., m - 1} replaces nothing.
    """

    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, base: Any, index: Array, new: Array, xp: Any) -> None:
        self.base, self.index, self.new, self.xp = base, index, new, xp
        self.shape, self.ndim, self.dtype = base.shape, base.ndim, base.dtype
        self.depth: int = 1 + (base.depth if isinstance(base, Patch) else 0)
        self._all: Array = None

    def take(self, index: Array) -> Array:
        """Task ``index`` (runs, 1) of each run, (runs, d)."""
        return self.xp.where(self.index == index, self.new, take_task(self.base, index, self.xp))

    def whole(self) -> Array:
        """The array that this stands for, a new one."""
        if self._all is None:
            base = self.base.whole() if isinstance(self.base, Patch) else self.base
            self._all = replace_task(base, self.index, self.new, self.xp)
        return self._all

    def root(self) -> Array:
        """The array under all patches."""
        return self.base.root() if isinstance(self.base, Patch) else self.base

    def parts(self) -> list[Array]:
        """Every array that this refers to."""
        below = self.base.parts() if isinstance(self.base, Patch) else [self.base]
        return [*below, self.index, self.new]

    def write(self, out: Array) -> None:
        """Writes the changed tasks into ``out``, a writeable array equal to the root."""
        if isinstance(self.base, Patch):
            self.base.write(out)
        xp, last = self.xp, self.shape[1] - 1
        inside = (self.index >= 0) & (self.index <= last)
        safe = xp.where(inside, self.index, xp.zeros_like(self.index))
        runs = xp.arange(self.shape[0])
        out[runs, safe[:, 0]] = xp.where(inside, self.new, take_task(out, safe, xp))

    # In any other use this is the whole array.
    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        return self.whole() if dtype is None else self.whole().astype(dtype)

    def __cupy_get_ndarray__(self) -> Array:
        return self.whole()

    def __getitem__(self, key: Any) -> Array:
        return self.whole()[key]

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.whole(), name)


def take_task(v: Any, index: Array, xp: Any) -> Array:
    """Task ``index`` (runs, 1) of each run of an array or a patch."""
    if isinstance(v, Patch):
        return v.take(index)
    return xp.take_along_axis(v, index[..., None], axis=1)[:, 0, :]


def replace_task(v: Array, index: Array, new: Array, xp: Any) -> Array:
    """A copy of ``v`` with task ``index`` of each run replaced."""
    return xp.where((xp.arange(v.shape[1]) == index)[..., None], new[:, None, :], v)


def patch(v: Any, index: Array, new: Array, xp: Any) -> Any:
    """A `Patch` where the library has arrays that an engine may write into, else a copy."""
    fits = (
        v.dtype == new.dtype and v.shape[0] == new.shape[0] == index.shape[0] and new.shape[1:] == v.shape[2:]
    )
    if xp.__name__ not in ("numpy", "cupy") or not fits:
        return replace_task(plain(v), index, new, xp)
    if isinstance(v, Patch) and v.depth >= DEPTH:
        v = v.whole()
    return Patch(v, index, new, xp)


def _operators() -> None:
    def forward(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, *others: function(self.whole(), *map(plain, others))

    def backward(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, other: function(plain(other), self.whole())

    for name in ("add", "sub", "mul", "truediv", "mod", "pow", "and", "or", "xor"):
        function = getattr(operator, f"{name}_" if name in ("and", "or") else name)
        setattr(Patch, f"__{name}__", forward(function))
        setattr(Patch, f"__r{name}__", backward(function))
    for name in ("lt", "le", "gt", "ge", "eq", "ne", "neg", "abs", "invert"):
        setattr(Patch, f"__{name}__", forward(getattr(operator, name)))


def plain(v: Any) -> Any:
    """The whole array of a patch; anything else as it is."""
    return v.whole() if isinstance(v, Patch) else v


_operators()
