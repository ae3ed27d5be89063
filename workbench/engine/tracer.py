"""The namespace passed to a ``step`` as ``xp`` when tracing: recording array functions and control flow.

Whatever cannot be compiled (a branch on a value, an in-place write, NumPy called on an array, an unsupported operation)
raises a `TraceError` (`workbench.engine.refusal`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from workbench.engine.graph import FLOAT, INT, SCALAR, Block, Graph, Node, Phi
from workbench.engine.namespace import WIDTH, Namespace
from workbench.engine.refusal import TraceError, refusal
from workbench.engine.traced_array import NUMPY_TYPES, RUNS, Traced

__all__ = ["RUNS", "TraceError", "Traced", "Tracer"]


class Tracer(Namespace):
    """The namespace with `workbench.arrays.ops.loop` and ``branch`` as blocks of the graph."""

    def __init__(self, graph: Graph, calls: Counter[str] | None = None) -> None:
        super().__init__(graph, calls)
        self._open: list[Block] = []  # loops that are being traced, innermost last

    def loop(self, n: Any, body: Any, carry: tuple[Any, ...], going: Any = None) -> tuple[Traced, ...]:
        """`workbench.arrays.ops.loop`: one inner loop of the kernel. See there for the arguments."""
        starts = tuple(self.asarray(v) for v in carry)
        if isinstance(n, int) and n <= 0:
            return starts
        limit, own_count = self._turns(n)
        alive = self._alive_at_first(limit, own_count, going, starts)
        starts = self._as_after_a_turn(
            body, starts
        )  # an iteration may widen a carry, e.g. one that starts as zero
        block = Block(self._home, limit.node if isinstance(limit, Traced) else limit)
        counter = self._counter(block)
        leaves = tuple(self._phi(block, v) for v in starts)
        live = None if alive is None else self._phi(block, self._per_run(alive))
        phis = list(block.phis)
        with self._inside(block), self._counting() as turn:
            after = self._select(live, body(counter, leaves), leaves)
        for phi, value in zip(phis, after, strict=False):
            phi.next = self._like(value, phi.leaf)
        last = limit if own_count is None else own_count  # `going` is tested only before another iteration
        goes_on = live if live is None or last is None else live & (counter + 1 < last)
        with self._inside(block), self._counting() as check:
            go: Any = live
            if going is not None:
                go = go & self.astype(going(after), np.bool_)
        if live is not None:
            block.alive = phis[-1]
            go = go if own_count is None else go & (own_count > counter + 1)
            block.alive.next = self._like(go, block.alive.leaf)
        self._charge(block, turn, live, limit)
        self._charge(block, check, goes_on, limit)
        return tuple(self._result(block, i, v.shape) for i, v in enumerate(leaves))

    def branch(self, condition: Any, yes: Any, no: Any) -> tuple[Traced, ...]:
        """`workbench.arrays.ops.branch`: two loops of one iteration or none, whose contents stay inside."""
        condition = self.asarray(condition)
        if condition.node.per_run:
            raise refusal("a branch that differs between runs", "use xp.where")
        turns = self.astype(condition, np.int64)
        trial = Block(self._home)
        with self._inside(trial, pin=True), self._counting():
            zeros = tuple(self.zeros_like(self._per_run(self.asarray(v))) for v in yes())
        first = self._pinned_loop(turns, yes, zeros)
        return self._pinned_loop(1 - turns, no, first)

    def _pinned_loop(self, n: Traced, make: Any, start: tuple[Traced, ...]) -> tuple[Traced, ...]:
        """``make()`` if n is 1, else ``start``; what it computes does not leave the loop."""
        block = Block(self._home, n.node)
        self._counter(block)
        leaves = tuple(self._phi(block, v) for v in start)
        with self._inside(block, pin=True), self._counting() as turn:
            for phi, value in zip(block.phis, make(), strict=True):
                phi.next = self._like(value, phi.leaf)
        self._charge(block, turn, None, n)
        return tuple(self._result(block, i, v.shape) for i, v in enumerate(leaves))

    @property
    def in_branch(self) -> bool:
        """Is the code being traced skipped in some iterations?"""
        return self.graph.floor is not self.graph.once

    @property
    def _home(self) -> Block:
        """The loop being traced, in which a new loop is created."""
        return self._open[-1] if self._open else self.graph.steps

    @contextmanager
    def _inside(self, block: Block, pin: bool = False) -> Iterator[None]:
        """Traces the body of a block. pin: nodes created here stay here even if they do not depend on it."""
        before, self.graph.floor = self.graph.floor, block if pin else self.graph.floor
        self._open.append(block)
        yield
        self._open.pop()
        self.graph.floor = before

    @contextmanager
    def _counting(self) -> Iterator[Counter[str]]:
        """Collects the oracle calls made inside, which are not metered directly."""
        before, inside = Counter(self.calls), Counter[str]()
        self._set_calls(Counter())
        yield inside
        inside.update(self.calls)
        self._set_calls(before)

    def _charge(self, block: Block, inside: Counter[str], live: Traced | None, limit: Any) -> None:
        """Meters the calls of one iteration for the runs that make it (``live``; None: all of them)."""
        turns: Any = None
        for resource, count in inside.items():
            total: Any
            if isinstance(count, Traced):  # varies between iterations: comes from a nested loop
                total = self._added_up(block, count if live is None else count * self.astype(live, np.int64))
            elif live is None:
                total = count * (limit if isinstance(limit, int) else self.where(limit > 0, limit, 0))
            else:
                turns = turns or (self._added_up(block, self.astype(live, np.int64)),)
                total = count * turns[0]
            self.calls[resource] = self.calls[resource] + total

    def _added_up(self, block: Block, number: Traced) -> Traced:
        """The sum of ``number`` over the iterations of a block, per run, as an additional carried value."""
        total = self._phi(block, self.full((RUNS, 1), 0))
        with self._inside(block):
            block.phis[-1].next = (total + number).node
        return self._result(block, len(block.phis) - 1, (RUNS, 1))

    def _counter(self, block: Block) -> Traced:
        block.counter = self.graph.leaf("counter", (block,), INT, SCALAR, False, block)
        return self.wrap(block.counter, ())

    def _as_after_a_turn(self, body: Any, starts: tuple[Traced, ...]) -> tuple[Traced, ...]:
        """The initial carry, with the shape and type that it has after one iteration, traced only for this purpose."""
        trial = Block(self._home)
        starts = tuple(self._per_run(v) for v in starts)
        with self._inside(trial), self._counting():
            new = body(self._counter(trial), tuple(self._phi(trial, v) for v in starts))
        if len(new) != len(starts):
            raise refusal(
                f"a loop that returns {len(new)} of {len(starts)} carried values", "return them all"
            )
        out = []
        for old, value in zip(starts, map(self.asarray, new), strict=True):
            out.append(self._promote(self._spread_to(old, self._common(old, value)), value)[0])
        return tuple(out)

    def _per_run(self, v: Traced) -> Traced:
        """The value with a runs axis in its shape."""
        return v if v.shape and v.shape[0] is RUNS else self._spread_to(v, (RUNS, *(v.shape or (1,))))

    def _phi(self, block: Block, start: Traced) -> Traced:
        leaf = self.graph.leaf(
            "phi", (block, len(block.phis)), start.node.dtype, start.node.shape, True, block
        )
        block.phis.append(Phi(leaf, start.node, f"carry {len(block.phis)}"))
        return self.wrap(leaf, start.shape)

    def _select(self, live: Traced | None, new: Any, old: tuple[Traced, ...]) -> tuple[Traced, ...]:
        """``new`` for the runs that continue, ``old`` for the others."""
        new = tuple(self.asarray(v) for v in new)
        if live is None:
            return new
        masks = [live if v.ndim <= 2 else live[..., None] for v in old]
        return tuple(self.where(m, a, b) for m, a, b in zip(masks, new, old, strict=True))

    def _like(self, value: Any, leaf: Node) -> Node:
        """``value`` in the type of a carried leaf; an error if type or shape would change."""
        value, dtype = self.asarray(value), NUMPY_TYPES[leaf.dtype]
        if WIDTH.index(value.node.dtype) > WIDTH.index(leaf.dtype):
            was, now = dtype.__name__, NUMPY_TYPES[value.node.dtype].__name__
            raise refusal(f"a carried value that turns from {was} to {now}", "convert one with xp.astype")
        if value.node.shape != leaf.shape:
            entries = f"{leaf.shape} to {value.node.shape} entries"
            raise refusal(f"a carried value that turns from {entries}", "give both one shape")
        return self.astype(value, dtype).node

    def _turns(self, n: Any) -> tuple[Any, Traced | None]:
        """The number of iterations: (an int or an integer node for all runs, None) or (None, a number per run)."""
        if isinstance(n, int):
            return n, None
        n = self.asarray(n)
        if n.node.dtype == FLOAT:  # an infinite loop would block the other runs of its block
            n = self.floor(self.where(n < np.inf, n, 0.0))
        return (None, n) if n.node.per_run else (self.astype(n, np.int64), None)

    def _alive_at_first(
        self, limit: Any, own_count: Traced | None, going: Any, starts: tuple[Traced, ...]
    ) -> Traced | None:
        """The runs that make the first iteration; None: all of them."""
        alive = None if own_count is None else own_count > 0
        if going is None:
            return alive
        with self._counting() as check:
            go = self.astype(going(starts), np.bool_)
        tests: Any = (
            1 if isinstance(limit, int) else self.astype(limit > 0 if alive is None else alive, np.int64)
        )
        for resource, count in check.items():
            self.calls[resource] = self.calls[resource] + count * tests
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
        return self.wrap(node, shape)
