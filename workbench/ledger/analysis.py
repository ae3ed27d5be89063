"""Searches for proofs by rules of calculus (`calculus`): a few simple ones, tried in order, deeper ones later.

A difference is brought into a normal form, which a positive factor has no part in; then it is shown to be >= 0 by its
enclosure, by squares, or by its value at a point and the sign of its derivative, which is shown in the same way. Before
that, logarithms of both sides are taken, 1/t or e^t is put in place of a variable, and a number in the statement is
replaced by a variable that may take this value. Floating-point arithmetic only says what is not worth trying.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import inf, lcm
from typing import Any

import numpy as np

from workbench.ledger import boxes, calculus, certificate, counterexample, normal, positive, printer
from workbench.ledger.calculus import Statement
from workbench.ledger.enclosure import Undefined as UndefinedBox
from workbench.ledger.intervals import Enclosure, Undefined, sides
from workbench.ledger.outcome import Outcome, Reason, holds, undecided
from workbench.ledger.subboxes import Pieces, root_box
from workbench.ledger.trees import ONE, ZERO, Tree, Wrong, heads, names_in, powers, replace

Proof = dict[str, Any]
DEEPEST = 9  # rules one after another
SHARE, GROWTH = 0.006, 1.5  # of the time, for each way, and by how much this grows with the depth
MOST_TERMS = 40  # of a normal form
FEW_TERMS = 9  # of a normal form in which squares are looked for
POINTS = 500
NOISE = 1e-9  # of sums in floating-point arithmetic, relative to their largest term
PIECES = 40  # of a box
TIE = 1e-4  # a smallest value, relative to its terms, at which pieces of a box are not tried
START, VALUE = (
    {"by": "terms", "multiplier": [], "terms": []},
    {"by": "boxes", "form": "difference", "tree": "v"},
)
FAILURES = (Wrong, Undefined, UndefinedBox, ArithmeticError, ValueError, KeyError)


def decide(s: Statement, seconds: float) -> Outcome:
    """Holds, or inconclusive with what was tried."""
    if not heads(s["lhs"]) | heads(s["rhs"]) <= calculus.SMOOTH or not s["box"]:
        return undecided("calculus", "an expression without a derivative", "another form", Reason.OUTSIDE)
    search, end = Search(), time.process_time() + seconds
    logarithms_first = {"pow", "exp"} & (heads(s["lhs"]) | heads(s["rhs"]))
    ways = sorted(WAYS, key=lambda way: way[1] is not of_logarithms) if logarithms_first else WAYS
    tried: dict[str, int] = {}
    for depth in range(1, DEEPEST + 1):
        for name, way in ways:
            before = search.steps
            search.deadline = min(end, time.process_time() + SHARE * GROWTH**depth * seconds)
            proof = way(search, s, depth)
            if proof is not None:
                return holds("calculus", f"{name} ({search.steps} steps)", proof)
            tried |= {name: depth} if search.steps > before else {}
    names = ", ".join(name for name, _ in WAYS if name in tried)
    note = f"{names}, {max(tried.values(), default=0)} rules deep"
    note += f"; left open: {search.open[1]}" if search.open[1] else ""
    return undecided("calculus", note, "a simpler form, or the step that is missing as a line")


class Node:
    """A statement 0 <= f, f the normal form of another statement. margin: the smallest value of f, in floating-point
    arithmetic and relative to its terms. proof: of 0 <= f."""

    def __init__(self, s: Statement, form: normal.Normal, scaled: Proof | None, proof: Proof | None) -> None:
        self.s, self.form, self.scaled, self.proof = s, form, scaled, proof
        self.isolated: list[Proof] | None = None

    @classmethod
    def of(cls, s: Statement) -> Node | None:
        """None if it is clearly false, or too long. Raises Wrong or Undefined where it may have no value."""
        form = normal.of(calculus.gap(s), sides(s["box"]))
        if not form.form:
            certificate.terms(s, START)
            return cls(s, form, None, dict(START))
        terms = form.terms
        if len(terms) > MOST_TERMS or (margin := smallest(terms, s["box"])) < -NOISE:
            return None
        plain = {**s, "lhs": ZERO, "rhs": normal.summed(terms)}
        scaled: Proof | None = None
        if s["lhs"] != ZERO or s["rhs"] != plain["rhs"]:
            scaled = {"by": "scaled", "multiplier": form.multiplier, "to": [ZERO, plain["rhs"]]}
            calculus.scaled(s, scaled)
        node = cls(plain, form, scaled, None)
        for last in (by_value, by_squares, *[by_pieces] * (margin > TIE)):
            with contextlib.suppress(*FAILURES):
                node.proof = node.proof or last(plain, form)
        return node

    def whole(self, proof: Proof) -> Proof:
        return {**self.scaled, "parts": {"rest": proof}} if self.scaled else proof


def by_value(s: Statement, form: normal.Normal) -> Proof | None:
    return dict(VALUE) if Enclosure(sides(s["box"])).value(s["rhs"])[0] >= 0 else None


def by_squares(s: Statement, form: normal.Normal) -> Proof | None:
    if not 1 < len(form.form) <= FEW_TERMS or not s["box"] or "log" in heads(s["rhs"]):
        return None
    outcome = positive.decide(s)
    return outcome and outcome.certificate


def by_pieces(s: Statement, form: normal.Normal) -> Proof | None:
    """A few pieces of a box on which there is no tie."""
    if not s["box"] or len(s["box"]) > 2:
        return None
    search = boxes.Search(Pieces.of(s, "difference"), root_box(s), inf, PIECES, level=boxes.NESTED)
    tree = search.run()
    if tree is None:
        return None
    proof = {"by": "boxes", "form": "difference", "tree": tree}
    certificate.boxes(s, proof)
    return proof


class Search:
    """deadline: in processor time. failures: statement -> the largest depth at which it was tried in vain."""

    def __init__(self) -> None:
        self.deadline = inf
        self.failures: dict[str, int] = {}
        self.proofs: dict[str, Proof] = {}
        self.nodes: dict[str, Node | None] = {}
        self.made: dict[str, dict[str, Statement] | None] = {}  # by applications of rules
        self.open: tuple[int, str] = (-1, "")  # the statement that stayed open after most rules
        self.steps = 0

    @property
    def late(self) -> bool:
        return time.process_time() > self.deadline

    def apply(self, s: Statement, rule: str, depth: int, **about: Any) -> Proof | None:
        """A proof by a rule and, in turn, of all that it leaves to be shown."""
        proof: Proof = {"by": rule, **about}
        key = repr((identity(s), rule, about))
        if key not in self.made:
            self.made[key] = None
            with contextlib.suppress(*FAILURES):
                self.made[key] = calculus.RULES[rule](s, proof)
        if (made := self.made[key]) is None:
            return None
        parts = {}
        for name, part in made.items():
            inner = self.prove(part, depth - 1)
            if inner is None:
                return None
            parts[name] = inner
        return {**proof, "parts": parts}

    def prove(self, s: Statement, depth: int) -> Proof | None:
        """A proof of a statement by its normal form."""
        key = repr(identity(s))
        if key in self.proofs:
            return self.proofs[key]
        if self.late or depth < 0 or self.failures.get(key, -1) >= depth:
            return None
        self.failures[key] = depth
        if key not in self.nodes:
            self.steps += 1
            try:
                self.nodes[key] = Node.of(s)
            except FAILURES:
                self.nodes[key] = None
        node = self.nodes[key]
        proof = self.prove_node(node, depth) if node else None
        if proof is not None:
            self.proofs[key] = proof
        elif self.late:  # not every rule was tried
            del self.failures[key]
        return proof

    def prove_node(self, node: Node, depth: int) -> Proof | None:
        """A proof of 0 <= f, f in normal form, and with it one of the statement that has this form."""
        rules = (self.by_slope, self.by_logarithms, self.by_tangent, self.by_inverse)
        if node.proof is None and depth > 0:
            for rule in rules:
                try:
                    node.proof = rule(node, depth)
                except FAILURES:
                    continue
                if node.proof is not None:
                    break
        if node.proof is not None:
            return node.whole(node.proof)
        if depth > self.open[0]:
            self.open = (depth, printer.statement(node.s))
        return None

    # -------------------------------------------------------------------------------------------- rules of calculus

    def by_slope(self, node: Node, depth: int) -> Proof | None:
        if node.isolated is None:
            node.isolated = list(isolated(node))
        for scaled in [*node.isolated, None]:
            s = node.s if scaled is None else {**node.s, "rhs": scaled["to"][1]}
            for x in sorted(s["box"]):
                for c in starts(s["box"][x]):
                    proof = self.apply(s, "monotone", depth, **{"variable": x, "from": str(c)})
                    if proof is not None:
                        return proof if scaled is None else {**scaled, "parts": {"rest": proof}}
        return None

    def by_logarithms(self, node: Node, depth: int) -> Proof | None:
        """Of two terms, one of which is subtracted."""
        s = node.s
        if len(node.form.form) != 2:
            return None
        (c, a), (d, b) = node.form.terms
        if c > 0:
            (c, a), (d, b) = (d, b), (c, a)
        if c > 0 or d < 0:
            return None
        two = [normal.summed([(-c, a)]), normal.summed([(d, b)])]
        if "log" in heads(two[0]) | heads(two[1]):  # nothing becomes simpler
            return None
        proof: Proof = {"by": "scaled", "multiplier": [], "to": two}
        inner = self.apply(calculus.scaled(s, proof)["rest"], "logarithm", depth)
        return inner and {**proof, "parts": {"rest": inner}}

    def by_inverse(self, node: Node, depth: int) -> Proof | None:
        s = node.s
        for x, (low, high, low_open, _, _) in sorted(s["box"].items()):
            if high == "oo" and low != "-oo" and (Fraction(low) > 0 or (low == "0" and low_open)):
                proof = self.apply(s, "substituted", depth, **{"variable": x, "as": "inverse"})
                if proof is not None:
                    return proof
        return None

    def by_tangent(self, node: Node, depth: int) -> Proof | None:
        s = node.s
        for x in sorted(s["box"]):
            others = {name: side for name, side in sides(s["box"]).items() if name != x}
            for v in [*sorted(others), *stationary(s["rhs"], x, sides(s["box"]))]:
                proof = self.apply(s, "convex", depth, variable=x, at=v)
                if proof is not None:
                    return proof
        return None


# ------------------------------------------------------------------------------------------------ whole statements


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
    for x, (low, high, low_open, *_) in sorted(s["box"].items()):
        new = {"0": "-oo", "1": "0"}.get(low)
        if high != "oo" or new is None or (low == "0" and not low_open):
            continue
        side = [new, "oo", low_open, True, False]
        proof = search.apply(s, "substituted", depth, **{"variable": x, "as": "exponential", "side": side})
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
    for x, q in sorted(roots.items()):
        proof = search.apply(s, "substituted", depth, **{"variable": x, "as": "power", "power": str(q)})
        if proof is not None:
            return proof
    return None


def of_ratios(search: Search, s: Statement, depth: int) -> Proof | None:
    """With a multiple of another variable in place of a variable."""
    if depth < 2:
        return None
    for x, y in permutations(sorted(s["box"]), 2):
        proof = search.apply(s, "substituted", depth, **{"variable": x, "as": "multiple", "of": y})
        if proof is not None:
            return proof
    return None


def of_shifts(search: Search, s: Statement, depth: int) -> Proof | None:
    """With t + c in place of a variable that is at least c."""
    if depth < 2:
        return None
    for x, (low, *_) in sorted(s["box"].items()):
        if low not in ("-oo", "0"):
            about = {"variable": x, "as": "shifted", "by_number": low}
            proof = search.apply(s, "substituted", depth, **about)
            if proof is not None:
                return proof
    return None


def of_a_number(search: Search, s: Statement, depth: int) -> Proof | None:
    """With a variable in place of a 1 that is added to another one."""
    if depth < 2:
        return None
    for lhs, rhs in generalised(s):
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


def generalised(s: Statement) -> Iterator[tuple[Tree, Tree]]:
    """Statements with h in place of the 1 in x + 1, such that both sides are equal for h = 0."""
    h = new_name(s)
    for x in sorted(s["box"]):
        parts = _stepped(s, x, h) or [_with_step(part, x, h) for part in summands(calculus.gap(s))]
        if not any(h in names_in(part) for part in parts) or len(parts) > 5:
            continue
        for count in range(len(parts) + 1):
            for chosen in combinations(range(len(parts)), count):
                terms = [["*", h, part] if k in chosen else part for k, part in enumerate(parts)]
                total = ["+", ZERO, *terms]
                try:
                    if not normal.of(replace(total, {h: ZERO}), sides(s["box"])).form:
                        yield ZERO, total
                except FAILURES:
                    continue


def _stepped(s: Statement, x: str, h: str) -> list[Tree]:
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


def starts(side: list[Any]) -> list[Fraction]:
    """Numbers from which a function may grow: the ends of its variable's side, and simple ones inside."""
    low, high = side[:2]
    ends = [Fraction(end) for end in (low, high) if end not in ("oo", "-oo")]
    inside = [
        Fraction(q)
        for q in (0, 1)
        if (low == "-oo" or Fraction(low) < q) and (high == "oo" or q < Fraction(high))
    ]
    return ends + inside


def stationary(tree: Tree, x: str, box: dict[str, Any]) -> Iterator[Tree]:
    """Where the derivative, if that has two terms, vanishes: their quotient is e^(a log x + b) or e^(a x + b)."""
    try:
        slope = normal.of(calculus.derivative(tree, x), box)
        if len(slope.form) != 2:
            return
        (m, c), (k, d) = sorted(slope.form.items())
        if (c < 0) == (d < 0):
            return
        algebra = slope.algebra
        logs = algebra.log({normal.monomial_product(m, tuple((g, -e) for g, e in k)): -c / d})
        for inner in (["log", x], x):
            ((g, _),) = next(iter(algebra.form(inner)))
            slopes = {}
            for monomial, q in logs.items():
                if dict(monomial).get(g) == 1:
                    slopes[tuple((u, e) for u, e in monomial if u != g)] = q
            rest = {monomial: q for monomial, q in logs.items() if g not in dict(monomial)}
            if len(slopes) + len(rest) != len(logs) or not slopes:
                continue
            if x in algebra.names(slopes) | algebra.names(rest):
                continue
            over = [
                "*",
                ["q", "-1"],
                normal.tree_of(algebra, rest),
                ["^", normal.tree_of(algebra, slopes), "-1"],
            ]
            yield over if inner == x else ["exp", over]
    except FAILURES:
        return


def identity(s: Statement) -> tuple[Any, ...]:
    return s["lhs"], s["rhs"], sorted(s["box"].items()), s["given"]


def isolated(node: Node) -> Iterator[Proof]:
    """The scalings by which a logarithm is a term by itself, which its derivative is free of."""
    algebra, form, s = node.form.algebra, node.form.form, node.s
    logs = [g for g in {g for m in form for g, _ in m} if algebra.unknowns[g][0] == "log"]
    factors: list[normal.Form] = []
    for g in sorted(logs, reverse=True):  # a logarithm of logarithms is younger than these
        factor = {tuple((u, e) for u, e in m if u != g): c for m, c in form.items() if dict(m).get(g) == 1}
        if set(factor) <= {()} or factor in factors:
            continue
        factors.append(factor)
        tree = normal.tree_of(algebra, factor)
        if not calculus.has_sign(tree, algebra.box, "> 0"):
            continue
        (lead, c), terms, rest = max(factor.items()), [], dict(form)
        for u in logs:  # with their own factor, if that is a multiple
            ratio = form.get(normal.monomial_product(lead, ((u, Fraction(1)),)), Fraction(0)) / c
            own = {normal.monomial_product(m, ((u, Fraction(1)),)): q * ratio for m, q in factor.items()}
            if ratio and all(rest.get(m) == q for m, q in own.items()):
                terms.append((ratio, normal.unknown(algebra, u)))
                rest = {m: q for m, q in rest.items() if m not in own}
        inverse = ["^", tree, "-1"]
        parts = [normal.summed(terms), ["*", normal.tree_of(algebra, rest), inverse]]
        proof: Proof = {"by": "scaled", "multiplier": [inverse], "to": [ZERO, ["+", *parts]]}
        with contextlib.suppress(*FAILURES):
            calculus.scaled(s, proof)
            yield proof


def smallest(terms: list[tuple[Fraction, Tree]], box: dict[str, Any]) -> float:
    """The smallest value of the sum of terms on the box, relative to its terms, in floating-point arithmetic."""
    points = sample(box)
    with np.errstate(all="ignore"):
        total, size = np.zeros(POINTS), np.zeros(POINTS)
        for c, tree in terms:
            value = float(c) * np.broadcast_to(counterexample.evaluate(tree, points), POINTS)
            total, size = total + value, size + np.abs(value)
        ratio = total / size
    return float(np.min(ratio[np.isfinite(ratio)], initial=1.0))


def sample(box: dict[str, Any]) -> dict[str, Any]:
    return counterexample.sample(
        dict(sorted(box.items())), np.random.default_rng(counterexample.SEED), POINTS
    )
