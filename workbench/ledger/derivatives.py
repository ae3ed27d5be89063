"""Proofs that a difference is >= 0, by its normal form, its value at a point and the sign of its derivative.

A difference is brought into a normal form, which a positive factor has no part in; then it is shown to be >= 0 by its
enclosure, by squares, or by its value at a point and the sign of its derivative, which is shown in the same way.
Floating-point arithmetic only says what is not worth trying.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from workbench.ledger import boxes, calculus, certificate, counterexample, normal, positive, printer
from workbench.ledger.calculus import Statement
from workbench.ledger.enclosure import Undefined as UndefinedBox
from workbench.ledger.intervals import Enclosure, Undefined, sides
from workbench.ledger.subboxes import Pieces, root_box
from workbench.ledger.trees import ZERO, Tree, Wrong, heads, names_in

Proof = dict[str, Any]
MOST_TERMS = 40  # of a normal form
FEW_SUMMANDS = 4  # of a normal form whose two sides are compared by their logarithms
FEW_TERMS = 9  # of a normal form in which squares are looked for
POINTS = 500
NOISE = 1e-9  # of sums in floating-point arithmetic, relative to their largest term
PIECES = 40  # of a box
TIE = 1e-4  # a smallest value, relative to its terms, at which pieces of a box are not tried
START = {"by": "terms", "multiplier": [], "terms": []}
VALUE = {"by": "boxes", "form": "difference", "tree": "v"}
FAILURES = (Wrong, Undefined, UndefinedBox, ArithmeticError, ValueError, KeyError)


class Node:
    """A statement s, 0 <= f, with f the normal form of another one. scaling: the step to it, if it is another.

    proof: of 0 <= f, once there is one. scalings: of `isolations`.
    """

    def __init__(self, s: Statement, form: normal.Normal, scaling: Proof | None, proof: Proof | None) -> None:
        self.s, self.form, self.scaling, self.proof = s, form, scaling, proof
        self.scalings: list[Proof] | None = None
        self.paths: list[tuple[str, Proof]] = []
        self.free_by_exponentials: bool | None = (
            None  # do they leave neither a logarithm nor a symbolic power?
        )

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
        plain = {**s, "lhs": ZERO, "rhs": normal.sum_tree(terms)}
        scaling: Proof | None = None
        if s["lhs"] != ZERO or s["rhs"] != plain["rhs"]:
            scaling = {"by": "scaling", "multiplier": form.multiplier, "to": [ZERO, plain["rhs"]]}
            scaling |= {"weight": form.weight} if form.weight else {}
            calculus.scaling(s, scaling)
        node = cls(plain, form, scaling, None)
        for last in (by_value, by_squares, by_completed_square, *[by_pieces] * (margin > TIE)):
            with contextlib.suppress(*FAILURES):
                node.proof = node.proof or last(plain, form)
        return node

    def whole(self, proof: Proof) -> Proof:
        return {**self.scaling, "parts": {"rest": proof}} if self.scaling else proof


def by_value(s: Statement, form: normal.Normal) -> Proof | None:
    return dict(VALUE) if Enclosure(sides(s["box"])).value(s["rhs"])[0] >= 0 else None


def by_squares(s: Statement, form: normal.Normal) -> Proof | None:
    if not 1 < len(form.form) <= FEW_TERMS or not s["box"] or "log" in heads(s["rhs"]):
        return None
    outcome = positive.decide(s)
    return outcome.certificate if outcome else None


def by_completed_square(s: Statement, form: normal.Normal) -> Proof | None:
    """4 A f = (2 A u + B)^2 + 4 A C - B^2 for f = A u^2 + B u + C with A > 0, if the rest is not negative."""
    if not 2 < len(form.form) <= FEW_TERMS or not s["box"]:
        return None
    for u in sorted({u for m in form.form for u, _ in m}):
        by_degree: dict[Fraction, normal.Form] = {}
        for m, c in form.form.items():
            others = tuple(each for each in m if each[0] != u)
            by_degree.setdefault(dict(m).get(u, Fraction(0)), {})[others] = c
        if set(by_degree) != {0, 1, 2}:
            continue
        low, middle, high = (normal.tree_of(form.algebra, by_degree[Fraction(k)]) for k in range(3))
        root = ["+", ["*", ["q", "2"], high, normal.tree_of_unknown(form.algebra, u)], middle]
        rest = ["+", ["*", ["q", "4"], high, low], ["*", ["q", "-1"], ["^", middle, "2"]]]
        with contextlib.suppress(*FAILURES):
            rest_is = normal.of(rest, sides(s["box"]))
            terms: list[Any] = [["1", [["square", root]]]]
            proof = {"by": "terms", "multiplier": [["q", "4"], high], "terms": terms}
            if rest_is.form:
                inner = positive.decide({**s, "lhs": ZERO, "rhs": rest_is.tree})
                if inner is None or inner.certificate is None or rest_is.multiplier or rest_is.weight:
                    continue
                factors = [["plain", each] for each in inner.certificate["multiplier"]]
                terms[0][1] += factors
                terms += inner.certificate["terms"]
                proof["multiplier"] += inner.certificate["multiplier"]
            certificate.terms(s, proof)
            return proof
    return None


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
        self.applications: dict[str, dict[str, Statement] | None] = {}  # by applications of rules
        self.open: tuple[int, str] = (-1, "")  # the statement that stayed open after most rules
        self.steps = 0

    @property
    def late(self) -> bool:
        return time.process_time() > self.deadline

    def apply(self, s: Statement, rule: str, depth: int, **about: Any) -> Proof | None:
        """A proof by a rule and, in turn, of all that it leaves to be shown."""
        proof: Proof = {"by": rule, **about}
        key = repr((identity(s), rule, about))
        if key not in self.applications:
            self.applications[key] = None
            with contextlib.suppress(*FAILURES):
                self.applications[key] = calculus.RULES[rule](s, proof)
        if (parts_to_show := self.applications[key]) is None:
            return None
        parts = {}
        for name, part in parts_to_show.items():
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
        rules = [self.by_slope, self.by_logarithms, self.by_tangent, self.by_minimum, self.by_inverse]
        if "pow" in heads(node.s["rhs"]):
            rules.insert(0, self.by_logarithms_of_powers)
        if "log" in heads(node.s["rhs"]) and "pow" not in heads(node.s["rhs"]):
            rules.append(self.by_exponentials)
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
        if node.scalings is None:
            node.scalings = list(isolations(node))
            node.paths = sorted(paths(node.s), key=lambda path: not vanishes(node.s, *path))
        for scaling in [*node.scalings, None]:
            s = node.s if scaling is None else {**node.s, "rhs": scaling["to"][1]}
            for x, about in node.paths:
                proof = self.apply(s, "monotone", depth, variable=x, **about)
                if proof is not None:
                    return proof if scaling is None else {**scaling, "parts": {"rest": proof}}
        return None

    def by_logarithms(self, node: Node, depth: int, all_powers: bool = False) -> Proof | None:
        """Of the terms that are subtracted, and of the others; on one side there is a single term."""
        s, terms = node.s, node.form.terms
        two = [[(abs(c), tree) for c, tree in terms if (c < 0) == below] for below in (True, False)]
        if not all(two) or len(terms) > FEW_SUMMANDS or min(map(len, two)) > 1 or "log" in heads(s["rhs"]):
            return None  # with a logarithm nothing becomes simpler
        proof: Proof = {"by": "scaling", "multiplier": [], "to": [normal.sum_tree(side) for side in two]}
        rest = calculus.scaling(s, proof)["rest"]
        if all_powers:
            after = calculus.logarithm(rest, {})["rest"]
            if "pow" in heads(normal.of(calculus.gap(after), sides(after["box"])).tree):
                return None
        inner = self.apply(rest, "logarithm", depth)
        return inner and {**proof, "parts": {"rest": inner}}

    def by_exponentials(self, node: Node, depth: int) -> Proof | None:
        """Where neither a logarithm nor a symbolic power remains."""
        if node.free_by_exponentials is None:
            after = calculus.exponential(node.s, {})["rest"]
            parts = heads(normal.of(calculus.gap(after), sides(after["box"])).tree)
            node.free_by_exponentials = not {"log", "pow"} & parts
        if not node.free_by_exponentials:
            return None
        return self.apply(node.s, "exponential", depth)

    def by_logarithms_of_powers(self, node: Node, depth: int) -> Proof | None:
        """Where no symbolic power remains: it is tried before other rules."""
        return self.by_logarithms(node, depth, all_powers=True)

    def by_inverse(self, node: Node, depth: int) -> Proof | None:
        s = node.s
        for x in variables(s):
            low, high, low_open = s["box"][x][:3]
            if high == "oo" and low != "-oo" and (Fraction(low) > 0 or (low == "0" and low_open)):
                proof = self.apply(s, "substitution", depth, **{"variable": x, "as": "inverse"})
                if proof is not None:
                    return proof
        return None

    def by_tangent(self, node: Node, depth: int) -> Proof | None:
        s = node.s
        for x in variables(s):
            numbers = [["q", str(c)] for c in starts(s["box"][x])]
            for v in [
                *(name for name in variables(s) if name != x),
                *stationary(s["rhs"], x, sides(s["box"])),
                *numbers,
            ]:
                proof = self.apply(s, "convex", depth, variable=x, at=v)
                if proof is not None:
                    return proof
        return None

    def by_minimum(self, node: Node, depth: int) -> Proof | None:
        """With a multiple of the point where the derivative vanishes, or the distance from it, for a variable."""
        s = node.s
        for x in variables(s):
            low, high = s["box"][x][:2]
            if high != "oo" or (low != "-oo" and Fraction(low) < 0):
                continue
            kind = "distance" if low == "-oo" else "multiple"
            for v in stationary(s["rhs"], x, sides(s["box"])):
                if isinstance(v, list) and v[0] != "q":
                    proof = self.apply(s, "substitution", depth, **{"variable": x, "as": kind, "of": v})
                    if proof is not None:
                        return proof
        return None


def variables(s: Statement) -> list[str]:
    """The variables of a statement's box that occur in its sides."""
    return sorted((names_in(s["lhs"]) | names_in(s["rhs"])) & s["box"].keys())


def paths(s: Statement) -> Iterator[tuple[str, Proof]]:
    """Variables, and where their paths start: at simple numbers, or in the limit at their lower ends."""
    for x in variables(s):
        for c in starts(s["box"][x]):
            yield x, {"from": str(c)}
        if "pow" in heads(s["rhs"]) and s["box"][x][0] != "-oo":
            yield x, {"from": s["box"][x][0], "limit": True}


def vanishes(s: Statement, x: str, about: Proof) -> bool:
    """Is the difference zero where a path starts? Such a path is tried first."""
    with contextlib.suppress(*FAILURES):
        start = calculus.at_value(s, x, ["q", about["from"]])
        return not normal.of(start["rhs"], sides(start["box"])).form
    return False


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
    """Where the derivative vanishes: of the form a x + b or a log x + b, or of two terms whose quotient is
    e^(a log x + b) or e^(a x + b)."""
    try:
        slope = normal.of(calculus.derivative(tree, x), box)
        for inner in (x, ["log", x]):
            if (v := root_of_linear(slope.algebra, slope.form, inner, x)) is not None:
                yield v if inner == x else ["exp", v]
        if len(slope.form) != 2:
            return
        (m, c), (k, d) = sorted(slope.form.items())
        if (c < 0) == (d < 0):
            return
        algebra = slope.algebra
        logs = algebra.log({normal.monomial_product(m, tuple((g, -e) for g, e in k)): -c / d})
        for inner in (["log", x], x):
            if (v := root_of_linear(algebra, logs, inner, x)) is not None:
                yield v if inner == x else ["exp", v]
    except FAILURES:
        return


def root_of_linear(algebra: Any, form: normal.Form, at: Tree, x: str) -> Tree | None:
    """-b/a for a form a u + b whose a and b are free of x, with u for x or log x, as `at` says; else None."""
    ((u, _),) = next(iter(algebra.form(at)))
    slope = {tuple(g for g in m if g[0] != u): q for m, q in form.items() if dict(m).get(u) == 1}
    rest = {m: q for m, q in form.items() if u not in dict(m)}
    if len(slope) + len(rest) != len(form) or not slope or x in algebra.names(slope) | algebra.names(rest):
        return None
    return ["*", ["q", "-1"], normal.tree_of(algebra, rest), ["^", normal.tree_of(algebra, slope), "-1"]]


def identity(s: Statement) -> tuple[Any, ...]:
    return s["lhs"], s["rhs"], sorted(s["box"].items()), s["given"]


def isolations(node: Node) -> Iterator[Proof]:
    """The scalings by which a logarithm is a term by itself, which its derivative is free of."""
    algebra, form, s = node.form.algebra, node.form.form, node.s
    logs = [g for g in {g for m in form for g, _ in m} if algebra.unknowns[g][0] == "log"]
    factors: list[normal.Form] = []
    for g in sorted(logs, reverse=True):  # a logarithm of logarithms is younger than these
        factor = {tuple((u, e) for u, e in m if u != g): c for m, c in form.items() if dict(m).get(g) == 1}
        if set(factor) <= {()} or factor in factors:
            continue
        factors.append(factor)
        trees = {sign: normal.tree_of(algebra, {m: sign * c for m, c in factor.items()}) for sign in (1, -1)}
        positive_ones = [k for k, tree in trees.items() if calculus.has_sign(tree, algebra.box, "> 0")]
        if not positive_ones:
            continue
        sign = positive_ones[0]
        (lead, c), terms, rest = max(factor.items()), [], dict(form)
        for u in logs:  # with their own factor, if that is a multiple
            ratio = form.get(normal.monomial_product(lead, ((u, Fraction(1)),)), Fraction(0)) / c
            own = {normal.monomial_product(m, ((u, Fraction(1)),)): q * ratio for m, q in factor.items()}
            if ratio and all(rest.get(m) == q for m, q in own.items()):
                terms.append((sign * ratio, normal.tree_of_unknown(algebra, u)))
                rest = {m: q for m, q in rest.items() if m not in own}
        inverse = ["^", trees[sign], "-1"]
        parts = [normal.sum_tree(terms), ["*", normal.tree_of(algebra, rest), inverse]]
        proof: Proof = {"by": "scaling", "multiplier": [inverse], "to": [ZERO, ["+", *parts]]}
        with contextlib.suppress(*FAILURES):
            calculus.scaling(s, proof)
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
