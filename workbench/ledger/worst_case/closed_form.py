"""The worst case of one gradient step as a formula in the step size a and in mu (L = 1), found on a grid and proved.

The multipliers of the certificates on a grid are fitted by products of powers of a few factors. With the fitted ones as
formulas, the proof for all a and mu is that of one certificate: values cancel, multipliers are at least 0, and so are
all principal minors of the matrix. Each of these is a line of text for the ledger, which decides it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from sympy import Expr, Matrix, S, Symbol, cancel, factor, zeros

from workbench.claims.worst_cases import WorstCase
from workbench.ledger.answers import Answers
from workbench.ledger.parser import statement
from workbench.ledger.worst_case import solve
from workbench.ledger.worst_case.oracle import NoClass
from workbench.ledger.worst_case.question import at_horizon
from workbench.ledger.worst_case.trace import Question, trace
from workbench.ledger.worst_cases import Form, Point, Setting, pair_form, pair_products

A, MU = Symbol("a", positive=True), Symbol("mu", positive=True)
STEPS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
MODULI = (Fraction(1, 5), Fraction(1, 3), Fraction(1, 2))
FACTORS = (A, MU, 1 - A, 1 - MU, 1 - A * MU)
POWERS = (0, 1, 2)
DOMAIN = "for a in (0, 1], mu in (0, 1)"
NEAR = 5e-4  # relative error of a fit; a wrong one has no proof


@dataclass(frozen=True)
class ClosedForm:
    """f(x_1) - f* <= factor (f(x_0) - f*) for all a and mu. lines: for the ledger to decide; multipliers: fitted."""

    factor: Expr
    multipliers: tuple[Expr, ...]
    lines: tuple[str, ...]

    def open_lines(self, folder: Path) -> list[str]:
        """The lines that the ledger does not prove. folder: the store."""
        answers = Answers(folder)
        pairs = zip(self.lines, self.statements(), strict=True)
        return [line for line, s in pairs if answers.answer(s)["verdict"] != "holds"]

    def sentences(self, folder: Path) -> list[str]:
        """What is shown, or which lines are open."""
        text = f"f(x_1) - f* <= {_text(self.factor)} (f(x_0) - f*)"
        if lines := self.open_lines(folder):
            return [f"One step a with L = 1: fitted {text}, not proved: {line}" for line in lines]
        return [
            f"One step a with L = 1: {text} {DOMAIN}: {len(self.lines)} lines, all proved by the ledger.",
            "The factor cannot be smaller: mu |x|^2 / 2 has it." * (self.factor == (1 - A * MU) ** 2),
        ]

    def statements(self) -> list[dict[str, Any]]:
        """The lines as the ledger reads them."""
        return [statement(line) for line in self.lines]


def one_step(claim: WorstCase) -> ClosedForm:
    """The formula for the step of a claim. Raises NoClass where its step, class or fit is another."""
    if set(claim.classes.values()) != {"smooth strongly convex"} or claim.metric != "gap":
        raise NoClass("a closed form is looked for in the gap of smooth strongly convex functions only")
    base = at_horizon(replace(claim, shift=-1), 1, noisy=True).question
    name = next(iter(base.steps))
    length = _length(base, name, Fraction(1))
    if _length(base, name, Fraction(2)) != 2 * length:
        raise NoClass(f"one step is no multiple of {name}")
    grid = list(product(STEPS, MODULI))
    weights = np.array([_weights(_at(base, name, a / length, mu)) for a, mu in grid])
    at = [{A: a, MU: mu} for a, mu in grid]
    fits = [_fit(column, at) for column in weights.T]
    return ClosedForm(fits[0], tuple(fits), tuple(lines_of(fits)))


def _at(base: Question, name: str, value: Fraction, mu: Fraction) -> Question:
    constants = {**base.constants, "L": Fraction(1), "mu": mu}
    return replace(
        base, steps={**base.steps, name: value}, constants=constants, distance=None, gap=Fraction(1)
    )


def _length(base: Question, name: str, value: Fraction) -> Fraction:
    """The step a in x_1 = x_0 - a g_0, for a value of one of its parameters."""
    points = trace(_at(base, name, value, Fraction(1, 2)), 1).statement["parts"][0]["points"]
    last, first = points[-1]["x"], points[1]
    if set(last) != {*first["x"], *first["g"]}:
        raise NoClass("one step is no gradient step")
    return -Fraction(last[next(iter(first["g"]))])


def _weights(question: Question) -> np.ndarray:
    """Few multipliers: of the start and of the pairs of minimizer, x_0, x_1, in the order of the re-checker."""
    return solve.fewest(solve.arrays(Setting(trace(question, 1).statement, exact=False)))[:-1]


def _fit(values: np.ndarray, at: list[dict[Symbol, Fraction]]) -> Expr:
    """The product of powers of the fewest factors that has these values."""
    if np.all(np.abs(values) < NEAR):
        return S.Zero
    columns = [np.array([float(f.subs(point)) for point in at]) for f in FACTORS]
    for powers in sorted(product(POWERS, repeat=len(FACTORS)), key=sum):
        guess = np.prod([c**p for c, p in zip(columns, powers, strict=True)], axis=0)
        if np.all(np.abs(guess - values) <= NEAR * np.abs(values)):
            out = S.One
            for f, p in zip(FACTORS, powers, strict=True):
                out = out * f**p
            return out
    raise NoClass("the multipliers are no product of powers of a, mu, 1 - a, 1 - mu and 1 - a mu")


def lines_of(fits: list[Expr]) -> list[str]:
    """Text: multipliers and principal minors are not negative. Raises NoClass where the values do not cancel."""
    contraction, *pairs = fits
    forms = _forms()
    flow = [-contraction, S.One]  # of f(x_0) in the start, of f(x_1) in the metric
    matrix = zeros(3, 3)
    for form, weight in zip(forms, pairs, strict=True):
        for k, c in form.values.items():
            flow[k] = flow[k] + weight * c
        matrix -= weight * _matrix(form)
    if any(cancel(x) != 0 for x in flow):
        raise NoClass("the fitted multipliers do not cancel the values")
    lines = [f"{_text(x)} >= 0 {DOMAIN}" for x in fits if x != 0]
    for size in (1, 2, 3):
        for rows in combinations(range(3), size):
            minor = factor(Matrix(matrix.extract(list(rows), list(rows))).det())
            lines.append(
                f"{_text(minor)} >= 0 {DOMAIN}" if minor != 0 else f"{_determinant(matrix)} = 0 {DOMAIN}"
            )
    return list(dict.fromkeys(lines))


VECTORS: tuple[dict[int, Any], ...] = ({}, {0: 1}, {1: 1}, {0: 1, 1: -A}, {2: 1})  # 0, x_0, g_0, x_1, g_1


def _forms() -> list[Form]:
    """The conditions of minimizer, x_0 and x_1 as the re-checker forms them, with mu as a symbol."""
    points = [Point(0, 0, {}), Point(1, 2, {0: Fraction(1)}), Point(3, 4, {1: Fraction(1)})]
    constants: Any = {"L": 1, "mu": MU}
    products = pair_products("smooth strongly convex", constants)
    return [pair_form(products, p, q) for p, q in permutations(points, 2)]


def _matrix(form: Form) -> Matrix:
    out = zeros(3, 3)
    for c, u, v in form.products:
        for i, x in VECTORS[u].items():
            for j, y in VECTORS[v].items():
                out[i, j] += c * x * y / 2
                out[j, i] += c * x * y / 2
    return out


def _determinant(matrix: Matrix) -> str:
    """The determinant by its entries, which is for the ledger to see as 0."""
    (a, b, c), (_, e, f), (_, _, i) = (map(factor, row) for row in matrix.tolist())
    pieces = [a * e * i, 2 * b * f * c, -c * c * e, -b * b * i, -f * f * a]
    return " + ".join(f"({_text(p)})" for p in pieces)


def _text(x: Any) -> str:
    return str(x).replace("**", "^")
