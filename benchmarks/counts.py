"""The cost of one iteration of one run, counted from the traced graph: operations, and bytes of buffers.

A node counts once per entry of its pass and iteration of its loop. Values shared by all runs (functions of t alone) and
values computed before the loop over t are free, and so is the place of a task in a stack that is kept in memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from workbench.engine.emit import traced_function
from workbench.engine.graph import FLOAT, LEAVES, REDUCTIONS, Block, Node
from workbench.engine.lanes import HEIGHT
from workbench.engine.program import Program, wanted
from workbench.engine.schedule import Body, Inner, Nest, is_shared, nest_shape, plan

FLOATING = {"+", "-", "*", "/", "sqrt", "neg", "abs", "floor"}
FREE = {"spread", "swap", "pick", "take", "word", "held word", "result", "bits", "unbits"}
# Philox4x32-10: per round two products, two shifts, two masks, four exclusive-ors; the key is bumped nine times
# (an addition and a mask each, but shared by all runs).
PHILOX = 10 * 10
HELD = 32  # iterations served by one cached word


@dataclass
class Counts:
    """Per iteration and run.

    floating: + - * / and roots on floats, bodies of functions included. divisions, roots: those among them, for which
    a processor has one slow unit. other: integers, comparisons, selections, Philox. buffers: bytes that the fused
    kernel loads from and stores to its buffers, which stay in the L1 cache. arrays: bytes that array-at-a-time
    evaluation moves.
    """

    floating: float = 0.0
    divisions: float = 0.0
    roots: float = 0.0
    other: float = 0.0
    buffers: float = 0.0
    arrays: float = 0.0


class Operations(NamedTuple):
    """Of one entry of a node; the names are those of `Counts`."""

    floating: float = 0.0
    other: float = 0.0
    divisions: float = 0.0
    roots: float = 0.0


def loops_of(program: Program) -> list[Block]:
    """The inner loops in the order in which the step creates them."""
    found: dict[int, Block] = {}
    for node in program.graph.live(wanted(program)):
        if node.op == "result":
            found.setdefault(id(node.attrs[0]), node.attrs[0])
    return list(found.values())


def count(program: Program, turns: tuple[float, ...]) -> Counts:
    """The counts of a program. turns: average iterations of each inner loop. Raises ValueError for a wrong number."""
    loops = loops_of(program)
    if len(loops) != len(turns):
        raise ValueError(f"the step has {len(loops)} inner loops, but turns has {len(turns)} entries")
    times = {id(program.graph.once): 0.0, id(program.graph.steps): 1.0}
    for block, turn in zip(loops, turns, strict=True):
        assert block.parent is not None
        times[id(block)] = turn * times.get(id(block.parent), 1.0)
    out = Counts()
    addresses: set[tuple[int, ...]] = set()
    for node in program.graph.live(wanted(program)):
        factor = times.get(id(node.block), 0.0)
        if node.op in LEAVES or is_shared(node) or not node.per_run or factor == 0.0:
            continue
        if node.id in program.kept.stored:  # an indexed store, as `take` is an indexed load
            out.arrays += 8.0 * factor * (2 * node.shape[0] * node.shape[1])
            continue
        shape = nest_shape(node)
        entries = factor * shape[0] * shape[1]
        if node.op == "word":
            address = tuple(a.id for a in node.args)
            out.other += 0.0 if address in addresses else PHILOX * entries
            addresses.add(address)
        for name, number in operations(node)._asdict().items():
            setattr(out, name, getattr(out, name) + number * entries)
        moved = node.shape[0] * node.shape[1] + sum(a.shape[0] * a.shape[1] for a in node.args if a.per_run)
        out.arrays += 8.0 * factor * moved
    made = plan(program.graph, program.phis)
    out.buffers = 8.0 * sum(
        touched(n, set(made.buffers)) * times.get(id(b), 0.0) for b, n in nests(made.steps)
    )
    return out


def operations(node: Node) -> Operations:
    if node.op == "held word":
        return Operations(other=PHILOX / HELD)
    if node.op in FREE:
        return Operations()
    if node.op in REDUCTIONS:
        return Operations(1.0) if node.op in ("sum", "tasksum") else Operations(other=2.0)
    if node.op == "matvec":  # of one row
        return Operations(2.0 * node.args[0].shape[1])
    if node.op == "call":
        return body(node.attrs[0], len(node.args))
    if node.op in FLOATING and node.dtype == FLOAT:
        if node.op == "/" and node.args[1].op == "const" and math.frexp(node.args[1].attrs[0])[0] == 0.5:
            # By a power of two: the compiler multiplies, and by 1 it does nothing.
            return Operations(float(node.args[1].attrs[0] != 1.0))
        return Operations(1.0, 0.0, float(node.op == "/"), float(node.op == "sqrt"))
    return Operations(other=1.0)


def body(name: str, arguments: int) -> Operations:
    """Of a function of `workbench.arrays.maths`."""
    graph, _, value = traced_function(name, arguments)
    parts = [operations(n) for n in graph.live([value]) if n.op not in LEAVES and n.op != "argument"]
    return Operations(*map(sum, zip(*parts, strict=True)))


def nests(body: Body) -> Iterator[tuple[Block, Nest]]:
    for item in body.items:
        if isinstance(item, Inner):
            yield from nests(item.body)
        else:
            yield body.block, item


def touched(nest: Nest, buffers: set[int]) -> float:
    """Entries that a pass loads and stores; a product of several runs rereads its vector every `lanes.HEIGHT` rows."""
    if nest.product is not None:
        rows, columns = nest.product.args[0].shape
        return rows + columns * -(-rows // HEIGHT)
    own = {n.id for n in nest.nodes}
    loads = {a.id for n in nest.nodes for a in n.args if a.id not in own and a.id in buffers}
    stores = sum(2 if n.op in REDUCTIONS else 1 for n in nest.nodes if n.id in buffers)
    rare = 1 / HELD if nest.held else 1.0
    return rare * nest.shape[0] * nest.shape[1] * (len(loads) + stores)
