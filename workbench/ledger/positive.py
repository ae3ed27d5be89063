"""Searches for proofs by terms: a positive multiple of rhs - lhs as a sum of products that are not negative.

The factors are the distances from the ends of the box, the conditions, roots, and squares of differences of monomials.
A linear program proposes the coefficients; they are made rational by solving for them exactly.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import isqrt
from typing import Any

import numpy as np

from workbench.ledger import certificate
from workbench.ledger.algebra import CONSTANT, Algebra, Form, add, monomial_power, monomial_product, scale
from workbench.ledger.intervals import Enclosure, Undefined
from workbench.ledger.outcome import Outcome, holds
from workbench.ledger.subboxes import multiply_out
from workbench.ledger.trees import Tree, Wrong, heads, minus, powers, require

Factor = tuple[str, Any]
HEADS = {"q", "+", "*", "^", "pi", "e", "exp", "log", "pow"}
MOST_FACTORS, MOST_COLUMNS, MOST_MATCHED, MOST_ROWS = 24, 300, 400, 500
LARGEST_ROOT = 4  # x^(6/7) leaves too many monomials
DEGREES = (1, 2, 3)  # of the products that are tried


def decide(statement: dict[str, Any]) -> Outcome | None:
    """Holds with a proof by terms that the re-checker accepts, or None."""
    plain = multiply_out(statement)
    parts = [plain["lhs"], plain["rhs"], *(g for g, _ in plain["given"])]
    if not set().union(*map(heads, parts)) <= HEADS:
        return None
    root = max((p.denominator for part in parts for _, p in powers(part)), default=1)
    if root > LARGEST_ROOT:
        return None
    try:
        search = _Search(statement)
        for degree in DEGREES if root == 1 else DEGREES[:1]:
            proof = search.proof(degree)
            if proof is not None:
                certificate.terms(statement, proof)
                return holds("terms", f"{len(proof['terms'])} terms that are not negative", proof)
    except (Wrong, Undefined, ArithmeticError):
        return None
    return None


class _Search:
    def __init__(self, s: dict[str, Any]) -> None:
        self.s, self.box = s, certificate.sides(s["box"])
        self.algebra = Algebra(self.box)
        s = multiply_out(s)
        self.goal, self.multiplier = self._clear_powers(self.form(minus(s["rhs"], s["lhs"])))
        self.facts = self._facts()
        self.matches: list[tuple[tuple[Factor, ...], Form, bool]] | None = None

    def form(self, tree: Tree) -> Form:
        return self.algebra.form(tree)

    def _clear_powers(self, form: Form) -> tuple[Form, list[Tree]]:
        """The form without negative powers, and what it was multiplied with."""
        factors: list[Tree] = []
        while below := {g for m in form for g, e in m if e < 0}:
            g = max(below)
            e = min(dict(m).get(g, Fraction(0)) for m in form)
            lift = Fraction(-(e.numerator // e.denominator))
            form = add(*(self.algebra.tidy(monomial_product(m, ((g, lift),)), c) for m, c in form.items()))
            factors.append(_power(self._tree(g), lift))
        return form, factors

    def _facts(self) -> list[tuple[Factor, Form]]:
        """The factors: simple ones first."""
        factors: list[Factor] = []
        for name, (low, high, _, _, _) in sorted(self.s["box"].items()):
            factors += [("low", name)] * (low != "-oo") + [("high", name)] * (high != "oo")
        factors += [("given", k) for k in range(len(self.s["given"]))]
        roots = {repr(t): t for part in (self.s["lhs"], self.s["rhs"]) for t in _roots(part)}
        factors += [("plain", t) for t in roots.values()]
        for g in sorted({g for m in self.goal for g, _ in m}):
            if self.algebra.unknowns[g][0] in ("prime", "e", "pi"):
                exponents = {dict(m)[g] for m in self.goal if g in dict(m)}
                for e in sorted(exponents):
                    tree = _power(self._tree(g), e)
                    low, high = Enclosure({}, 20).value(tree)[:2]
                    factors += [
                        ("number", minus(tree, ["q", str(low)])),
                        ("number", minus(["q", str(high)], tree)),
                    ]
        facts = [(f, self.form(certificate.factor(self.s, self.box, *f))) for f in factors[:MOST_FACTORS]]
        return [(f, form) for f, form in facts if form]

    def proof(self, degree: int) -> dict[str, Any] | None:
        from scipy.optimize import linprog  # here: a figure needs this module, and no search
        from scipy.sparse import csc_matrix

        columns = list(self._columns(degree))
        place_of: dict[tuple, int] = {}  # each monomial is looked up once, since its hash takes long
        entries = [
            (place_of.setdefault(m, len(place_of)), j, c)
            for j, (_, form, _) in enumerate(columns)
            for m, c in form.items()
        ]
        if not columns or len(place_of) > MOST_ROWS or not all(m in place_of for m in self.goal):
            return {"by": "terms", "multiplier": self.multiplier, "terms": []} if not self.goal else None
        rows = sorted(place_of)
        at = dict(zip((place_of[m] for m in rows), range(len(rows)), strict=True))
        i, j, values = zip(*((at[n], j, float(c)) for n, j, c in entries), strict=True)
        matrix = csc_matrix((values, (i, j)), shape=(len(rows), len(columns)))
        right = np.array([float(self.goal.get(m, 0)) for m in rows])
        cost = np.array([1.0 + len(factors) for factors, _, _ in columns])
        free = [(None if any_ else 0, None) for _, _, any_ in columns]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            solution = linprog(cost, A_eq=matrix, b_eq=right, bounds=free, method="highs-ds")
        if solution.x is None or solution.status != 0:
            return None
        basis = [columns[k] for k in np.flatnonzero(np.abs(solution.x) > 1e-9)]
        exact = _exact([form for _, form, _ in basis], self.goal)
        if exact is None or any(c < 0 and not any_ for c, (_, _, any_) in zip(exact, basis, strict=True)):
            return None
        terms = [
            [str(c), [list(f) for f in factors]] for c, (factors, _, _) in zip(exact, basis, strict=True) if c
        ]
        return {"by": "terms", "multiplier": self.multiplier, "terms": terms}

    def _columns(self, degree: int) -> Iterator[tuple[tuple[Factor, ...], Form, bool]]:
        """(factors, their product, may its coefficient be negative?)"""
        products: dict[tuple[int, ...], Form] = {(): {CONSTANT: Fraction(1)}}
        for d in range(degree + 1):
            for indices in combinations_with_replacement(range(len(self.facts)), d):
                if indices:
                    products[indices] = self.algebra.mul(products[indices[:-1]], self.facts[indices[-1]][1])
                factors = tuple(self.facts[k][0] for k in indices)
                equation = any(kind == "given" and self.s["given"][k][1] == "=" for kind, k in factors)
                yield factors, products[indices], equation
                if len(products) > MOST_COLUMNS:
                    break
        if self.matches is None:
            self.matches = list(self._matching_products())
        yield from self.matches
        for tree, form in self._differences():
            square = self.algebra.mul(form, form)
            yield (("square", tree),), square, False
            if degree > 1:
                for factor, fact in self.facts:
                    if factor[0] != "given" or self.s["given"][factor[1]][1] != "=":
                        yield (("square", tree), factor), self.algebra.mul(square, fact), False

    def _matching_products(self) -> Iterator[tuple[tuple[Factor, ...], Form, bool]]:
        """Factors times monomials that are not negative, such that one of their terms is a term of the goal, or, in
        a second round, one of a product that was made before."""
        targets: set[tuple] = set(self.goal)
        pairs: set[tuple[str, tuple]] = set()
        facts: list[tuple[tuple[Factor, ...], Form]] = [((), {CONSTANT: Fraction(1)})]
        facts += [((f,), form) for f, form in self.facts if f[0] != "low" or len(form) > 1]
        for _ in range(2):
            new: set[tuple] = set()
            for factors, form in facts:
                name, reciprocals = repr(factors), [monomial_power(k, Fraction(-1)) for k in form]
                for m in {monomial_product(w, k) for w in targets for k in reciprocals}:
                    monomial: Form = {m: Fraction(1)}
                    if (
                        any(e.numerator < 0 for _, e in m)
                        or (name, m) in pairs
                        or not self.algebra.sign(monomial)
                    ):
                        continue
                    pairs.add((name, m))
                    if len(pairs) > MOST_MATCHED:
                        return
                    product = self.algebra.mul(form, monomial)
                    new |= set(product)
                    tree = self._monomial(m)
                    equation = any(kind == "given" and self.s["given"][k][1] == "=" for kind, k in factors)
                    yield (*factors, ("plain", tree)), product, equation
            targets = new - targets

    def _differences(self) -> Iterator[tuple[Tree, Form]]:
        """Sums and differences of two or three monomials whose squares occur in the goal or in a condition."""
        halves = []
        squares = {m: abs(c) for form in (*(f for _, f in self.facts), self.goal) for m, c in form.items()}
        for m, c in squares.items():
            if m and all(e % 2 == 0 or e.denominator > 1 for _, e in m):
                root = _root(c)  # the square is to have this very coefficient, if that is a square
                tree = ["*", ["q", str(root)], self._monomial(tuple((g, e / 2) for g, e in m))]
                halves.append((tree, self.form(tree)))
        halves = [*halves[:8], (["q", "1"], {CONSTANT: Fraction(1)})]
        for (s, f), (t, g) in combinations(halves, 2):
            for q in (1, -1, 2, -2, Fraction(1, 2), Fraction(-1, 2)):
                yield ["+", s, ["*", ["q", str(q)], t]], add(f, scale(g, q))
        for (s, f), (t, g), (r, h) in combinations(halves[:6], 3):
            for p, q in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                yield (
                    ["+", s, ["*", ["q", str(p)], t], ["*", ["q", str(q)], r]],
                    add(f, scale(g, Fraction(p)), scale(h, Fraction(q))),
                )

    def _monomial(self, m: tuple) -> Tree:
        return ["*", ["q", "1"], *(_power(self._tree(g), e) for g, e in m)]

    def _tree(self, g: int) -> Tree:
        """An unknown as a tree. Raises Wrong for sums and functions."""
        what = self.algebra.unknowns[g]
        if what[0] == "form":
            return ["+", *(["*", ["q", str(c)], self._monomial(m)] for m, c in self.algebra.parts[g].items())]
        if what[0] in ("variable", "prime"):
            return what[1] if what[0] == "variable" else ["q", str(what[1])]
        require(what in (("e",), ("pi",)), "no monomial in variables")
        return [what[0]]


def _root(c: Fraction) -> Fraction:
    """The root of a square, else 1."""
    root = Fraction(isqrt(c.numerator), isqrt(c.denominator))
    return root if root * root == c else Fraction(1)


def _power(tree: Tree, p: Fraction) -> Tree:
    return tree if p == 1 else ["^", tree, str(p)]


def _roots(tree: Tree) -> Iterator[Tree]:
    """Every root, with its numerator left out."""
    for base, p in powers(tree):
        if p.denominator > 1:
            yield ["^", base, str(Fraction(1, p.denominator))]


def _exact(columns: list[Form], goal: Form) -> list[Fraction] | None:
    """The rational coefficients with which the columns add up to the goal; free ones are 0. None if there are none."""
    rows = sorted({m for form in columns for m in form} | set(goal))
    table = [[form.get(m, Fraction(0)) for form in columns] + [goal.get(m, Fraction(0))] for m in rows]
    pivots: list[int] = []
    for j in range(len(columns)):
        k = next((k for k in range(len(pivots), len(table)) if table[k][j]), None)
        if k is None:
            continue
        at = len(pivots)
        table[at], table[k] = table[k], table[at]
        table[at] = [x / table[at][j] for x in table[at]]
        for i, row in enumerate(table):
            if i != at and row[j]:
                table[i] = [x - row[j] * y for x, y in zip(row, table[at], strict=True)]
        pivots.append(j)
    if any(row[-1] for row in table[len(pivots) :]):
        return None
    solution = [Fraction(0)] * len(columns)
    for at, j in enumerate(pivots):
        solution[j] = table[at][-1]
    return solution
