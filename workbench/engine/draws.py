"""The noise of a traced step: the addresses and formulas of `workbench.arrays.random`, as nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.arrays import random
from workbench.engine.graph import INT, Node
from workbench.engine.tracer import RUNS, Traced, Tracer


class TracedDraws:
    """``draw(i)`` of a traced step. t: the iteration, an integer node."""

    def __init__(self, xp: Tracer, t: Node) -> None:
        self.xp, self._t = xp, t
        self._rid = xp.graph.node("runs_id", (), (), INT, (1, 1), True, xp.graph.once)

    def __call__(self, i: int) -> random.Sample:
        return random.Sample(self, i)

    def number(self, kind: str, stream: int, d: Any, k: Any) -> Traced:
        """(runs, d) or (runs, m, d) numbers of this iteration; ``kind`` is one of uniform, sign, normal."""
        m, n = d if isinstance(d, tuple) else (1, d)
        shape = (RUNS, m, n) if isinstance(d, tuple) else (RUNS, n)
        block, word = random.place(kind, stream)
        if kind == "sign":
            return self._sign(block, word, m, n, k, shape)
        if kind == "uniform":
            return random.unit_interval(self._word(block, word, m, n, k, shape), self.xp)
        pair = word - word % 2
        u, v = (random.unit_interval(self._word(block, w, m, n, k, shape), self.xp) for w in (pair, pair + 1))
        return random.box_muller(u, v, word - pair, self.xp)

    def _word(
        self, block: int, word: int, m: int, n: int, k: Any, shape: Any, t: Node | None = None
    ) -> Traced:
        """One of the four 32-bit words of an address, as an integer node."""
        last = self.xp.astype(self.xp.asarray(k), np.int64) * 256 + (block + 256)
        args = (self._t if t is None else t, self._rid, self._coordinate(m, n), last.node)
        node = self.xp.graph.node("word", args, (word,), INT, (m, n), True)
        return self.xp.wrap(node, shape)

    def _sign(self, block: int, number: int, m: int, n: int, k: Any, shape: Any) -> Traced:
        """+1 or -1 from bit t % 32 of a word shared by 32 iterations.

        The word is cached for these iterations, unless k changes within an iteration, or in a branch, which may be
        skipped at the very iteration that needs the next word.
        """
        xp = self.xp
        t = xp.wrap(self._t, ())
        if isinstance(k, int) and not xp.in_branch:
            args = (self._t, self._rid, self._coordinate(m, n))
            attrs = (number, block + 256 * (k + 1))
            word = xp.wrap(xp.graph.node("held word", args, attrs, INT, (m, n), True), shape)
        else:
            word = self._word(block, number, m, n, k, shape, (t >> 5).node)
        bit = (word >> (t & 31)) & 1
        return xp.where(bit == 1, 1.0, -1.0)

    def _coordinate(self, m: int, n: int) -> Node:
        """The flat index of a coordinate, task by task."""
        if m == 1:
            return self.xp.index(n)
        return self.xp.graph.node("index", (), (2,), INT, (m, n), False)
