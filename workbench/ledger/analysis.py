"""Searches for proofs by rules of calculus (`calculus`): a few simple ones, tried in order, deeper ones later.

A statement is tried as it is (`derivatives`), by logarithms of both sides, with 1/t, t^q, e^t, t + c or a ratio in
place of a variable, and with a variable in place of a number that is a case of it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from math import lcm

from workbench.evidence.verdicts import Verdict
from workbench.ledger import calculus, normal
from workbench.ledger.calculus import Statement
from workbench.ledger.derivatives import FAILURES, Node, Proof, Search, variables
from workbench.ledger.intervals import sides
from workbench.ledger.outcome import Outcome, Reason, holds, undecided
from workbench.ledger.trees import ONE, ZERO, Tree, heads, names_in, powers, replace

DEEPEST = 9  # rules one after another
WIDER = 0.5  # of the time, for a wider domain after the one that was asked for
SHARE, GROWTH = 0.006, 1.5  # of the time, for each way, and by how much this grows with the depth


def decide(s: Statement, seconds: float) -> Outcome:
    """Holds, or inconclusive with what was tried."""
    if not heads(s["lhs"]) | heads(s["rhs"]) <= calculus.SMOOTH or not s["box"]:
        return undecided("calculus", "an expression without a derivative", "another form", Reason.OUTSIDE)
    if not s["given"] and (simpler := homogeneous(s)) is not None:
        about, node = simpler
        inner = decide(node.s, seconds)
        if inner.verdict == Verdict.HOLDS:
            proof = {**about, "parts": {"rest": node.whole(inner.certificate or {})}}
            return holds("calculus", f"a ratio in place of a variable; {inner.note}", proof)
        return inner
    far = [x for x in variables(s) if sides(s["box"])[x][0] > 0 and s["box"][x][1] == "oo"]
    if not far or s["given"]:
        return by_ways(s, seconds)
    outcome = by_ways(s, seconds)
    if outcome.verdict != Verdict.HOLDS:
        about = {"by": "wider", "variable": far[0]}
        wide = decide(calculus.wider(s, about)["rest"], WIDER * seconds)
        if wide.verdict == Verdict.HOLDS:
            return holds(
                "calculus", f"a wider domain; {wide.note}", {**about, "parts": {"rest": wide.certificate}}
            )
    return outcome


def by_ways(s: Statement, seconds: float) -> Outcome:
    search, end = Search(), time.process_time() + seconds
    logarithms_first = {"pow", "exp"} & (heads(s["lhs"]) | heads(s["rhs"]))
    ways = sorted(WAYS, key=lambda way: way[1] is not of_logarithms) if logarithms_first else WAYS
    depths: dict[str, int] = {}
    for depth in range(1, DEEPEST + 1):
        for name, way in ways:
            before = search.steps
            search.deadline = min(end, time.process_time() + SHARE * GROWTH**depth * seconds)
            by_way = way(search, s, depth)
            if by_way is not None:
                return holds("calculus", f"{name} ({search.steps} steps)", by_way)
            depths |= {name: depth} if search.steps > before else {}
    names = ", ".join(name for name, _ in WAYS if name in depths)
    note = f"{names}, {max(depths.values(), default=0)} rules deep"
    note += f"; left open: {search.open[1]}" if search.open[1] else ""
    return undecided("calculus", note, "a simpler form, or the step that is missing as a line")


def as_it_is(search: Search, s: Statement, depth: int) -> Proof | None:
    return search.prove(s, depth)


def of_logarithms(search: Search, s: Statement, depth: int) -> Proof | None:
    box = sides(s["box"])
    if depth < 2 or not all(calculus.has_sign(s[side], box, "> 0") for side in ("lhs", "rhs")):
        return None
    return search.apply(s, "logarithm", depth)


def of_exponents(search: Search, s: Statement, depth: int) -> Proof | None:
    """With e^t in place of a positive variable."""
    if depth < 2:
        return None
    for x in variables(s):
        low, high, low_open = s["box"][x][:3]
        new = {"0": "-oo", "1": "0"}.get(low)
        if high != "oo" or new is None or (low == "0" and not low_open):
            continue
        side = [new, "oo", low_open, True, False]
        proof = search.apply(s, "substitution", depth, **{"variable": x, "as": "exponential", "side": side})
        if proof is not None:
            return proof
    return None


def of_roots(search: Search, s: Statement, depth: int) -> Proof | None:
    """With t^q in place of a variable whose roots occur."""
    if depth < 2:
        return None
    roots: dict[str, int] = {}
    for base, p in [*powers(s["lhs"]), *powers(s["rhs"])]:
        if isinstance(base, str) and p.denominator > 1:
            roots[base] = lcm(roots.get(base, 1), p.denominator)
    return _first_proof(
        search.apply(s, "substitution", depth, **{"variable": x, "as": "power", "power": str(q)})
        for x, q in sorted(roots.items())
    )


def of_ratios(search: Search, s: Statement, depth: int) -> Proof | None:
    """With a multiple of another variable in place of a variable."""
    if depth < 2:
        return None
    return _first_proof(
        search.apply(s, "substitution", depth, **{"variable": x, "as": "multiple", "of": y})
        for x, y in permutations(variables(s), 2)
    )


def _first_proof(attempts: Iterable[Proof | None]) -> Proof | None:
    return next((proof for proof in attempts if proof is not None), None)


def homogeneous(s: Statement) -> tuple[Proof, Node] | None:
    """A ratio in place of a variable with which another variable drops out of the normal form, and what remains."""
    for x, y in permutations(variables(s), 2):
        about = {"by": "substitution", "variable": x, "as": "multiple", "of": y}
        with contextlib.suppress(*FAILURES):
            rest = calculus.substitution(s, about)["rest"]
            if y not in names_in(normal.of(calculus.gap(rest), sides(rest["box"])).tree):
                node = Node.of(rest)
                return (about, node) if node else None
    return None


def of_shifts(search: Search, s: Statement, depth: int) -> Proof | None:
    """With t + c in place of a variable that is at least c."""
    if depth < 2:
        return None
    for x in variables(s):
        low = s["box"][x][0]
        if low not in ("-oo", "0"):
            about = {"variable": x, "as": "shifted", "by_number": low}
            proof = search.apply(s, "substitution", depth, **about)
            if proof is not None:
                return proof
    return None


def of_a_number(search: Search, s: Statement, depth: int) -> Proof | None:
    """With a variable in place of a 1 that is added to another one."""
    if depth < 2:
        return None
    for lhs, rhs in generalizations(s):
        about = {"variable": new_name(s), "value": "1", "side": ["0", "1"], "to": [lhs, rhs]}
        proof = search.apply(s, "general", depth, **about)
        if proof is not None:
            return proof
    return None


WAYS = (
    ("the sign of a derivative", as_it_is),
    ("logarithms of both sides", of_logarithms),
    ("a variable in place of a number", of_a_number),
    ("an exponential in place of a variable", of_exponents),
    ("the distance from an end in place of a variable", of_shifts),
    ("a power in place of a variable", of_roots),
    ("a ratio in place of a variable", of_ratios),
)


def new_name(s: Statement) -> str:
    return next(name for name in ("h", *(f"h{k}" for k in range(1, 99))) if name not in s["box"])


def generalizations(s: Statement) -> Iterator[tuple[Tree, Tree]]:
    """Statements with h in place of the 1 in x + 1, such that both sides are equal for h = 0."""
    h = new_name(s)
    for x in sorted(s["box"]):
        parts = _parts_of_step(s, x, h) or [_with_step(part, x, h) for part in summands(calculus.gap(s))]
        if not any(h in names_in(part) for part in parts) or len(parts) > 5:
            continue
        for count in range(len(parts) + 1):
            for picks in combinations(range(len(parts)), count):
                terms = [["*", h, part] if k in picks else part for k, part in enumerate(parts)]
                total = ["+", ZERO, *terms]
                try:
                    if not normal.of(replace(total, {h: ZERO}), sides(s["box"])).form:
                        yield ZERO, total
                except FAILURES:
                    continue


def _parts_of_step(s: Statement, x: str, h: str) -> list[Tree]:
    """The parts of an induction's step: its term, and its bound at x + h and at x."""
    rhs, after = s["rhs"], ["+", x, ONE]
    if isinstance(rhs, str) or rhs[0] != "+" or len(rhs) != 3 or x not in names_in(rhs[2]):
        return []
    bound = rhs[2][2] if rhs[2][:2] == ["*", ["q", "-1"]] and len(rhs[2]) == 3 else None
    if bound is None or replace(bound, {x: after}) != rhs[1]:
        return []
    return [replace(bound, {x: ["+", x, h]}), rhs[2], ["*", ["q", "-1"], _with_step(s["lhs"], x, h)]]


def _with_step(tree: Tree, x: str, h: str) -> Tree:
    if isinstance(tree, str) or tree[0] == "q":
        return tree
    if tree[0] == "+" and len(tree) == 3 and x in tree and ONE in tree:
        return ["+", x, h]
    return [_with_step(part, x, h) if isinstance(part, list) else part for part in tree]


def summands(tree: Tree, sign: int = 1) -> list[Tree]:
    """The terms of a sum, with their signs."""
    if not isinstance(tree, str) and tree[0] == "+":
        return [term for part in tree[1:] for term in summands(part, sign)]
    if not isinstance(tree, str) and tree[:2] == ["*", ["q", "-1"]] and len(tree) == 3:
        return summands(tree[2], -sign)
    return [tree if sign > 0 else ["*", ["q", "-1"], tree]]
