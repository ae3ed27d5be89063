"""The worst case of one step as a formula in its size a and in mu (L = 1), found on a grid and proved.

The multipliers of the certificates on a grid are fitted: by products of powers of a few factors where the class has a
mu, else by fractions of two polynomials in a. With the fitted ones as formulas, the proof for all a and mu is that of
one certificate: values cancel, multipliers are at least 0, and so are all principal minors of the matrix. Each of these
is a line of text for the ledger, which decides it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from sympy import Expr, Integer, Matrix, Rational, S, Symbol, cancel, factor, lcm, prod, sstr, zeros
from sympy.combinatorics import Permutation

from workbench.claims.worst_cases import WorstCase
from workbench.ledger.answers import Answers
from workbench.ledger.parser import statement
from workbench.ledger.worst_case import certify, curvatures, solve
from workbench.ledger.worst_case.oracle import NoClass
from workbench.ledger.worst_case.question import at_horizon
from workbench.ledger.worst_case.trace import ROOTS, Question, trace
from workbench.ledger.worst_cases import OPERATORS, Form, Point, Setting, conditions_between

A, MU = Symbol("a", positive=True), Symbol("mu", positive=True)
STEPS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
MODULI = (Fraction(1, 5), Fraction(1, 3), Fraction(1, 2))
EIGHTHS = tuple(Fraction(k, 8) for k in range(1, 8))
FACTORS = (A, MU, 1 - A, 1 - MU, 1 - A * MU)
POWERS = (0, 1, 2)
NUMBERS = (1, 2, 0.5)
DEGREE = 2
UNITS = ("L", "G", "D")
SHOWN = 6  # decimals
NEAR = 5e-4  # relative error of a fit; a wrong one has no proof
START = {"gap": "(f(x_0) - f*)", "distance": "|x_0 - x*|^2"}
METRIC = {"gap": "f(x_1) - f*", "grad_sq_min": "min |grad f(x_t)|^2", "dist_sq": "|x_1 - x*|^2"}
OF_OPERATORS = {"gap": "<F(u), z - u>"}


@dataclass(frozen=True)
class ClosedForm:
    """metric <= factor * start for all a and mu.

    multipliers: fitted. lines: for the ledger to decide. names: of the step, the metric and the start. beside:
    sentences on the theorem's bound and on an example that has the factor.
    """

    factor: Expr
    multipliers: tuple[Expr, ...]
    lines: tuple[str, ...]
    domain: str
    names: tuple[str, str, str]
    beside: tuple[str, ...] = ()

    def open_lines(self, folder: Path) -> list[str]:
        """The lines that the ledger does not prove. folder: the store."""
        answers = Answers(folder)
        pairs = zip(self.lines, self.statements(), strict=True)
        return [line for line, s in pairs if answers.answer(s)["verdict"] != "holds"]

    def sentences(self, folder: Path) -> list[str]:
        """What is shown, or which lines are open."""
        step, metric, start = self.names
        claim = f"{metric} <= {text(self.factor)} {start}".rstrip()
        if lines := self.open_lines(folder):
            return [f"{step}: fitted {claim}, not proved: {line}" for line in lines]
        return [
            f"{step}: {claim} {self.domain}: {len(self.lines)} lines, all proved by the ledger.",
            *self.beside,
        ]

    def statements(self) -> list[dict[str, Any]]:
        """The lines as the ledger reads them."""
        return [statement(line) for line in self.lines]


def one_step(claim: WorstCase) -> ClosedForm:
    """The formula for the step of a claim. Raises NoClass where its step, class or fit is another."""
    base = at_horizon(replace(claim, shift=-1), 1, noisy=True).question
    if not base.steps:
        raise NoClass("its step has no size for a formula")
    has_mu = "mu" in base.constants and any("strongly" in c for c in base.classes.values())
    if has_mu and base.metric == "gap":  # a contraction, which can be applied again and again
        base = replace(base, distance=None, gap=Fraction(1))
    name = next(iter(base.steps))
    length = _length(base, name)
    grid = list(product(STEPS, MODULI)) if has_mu else [(a, None) for a in EIGHTHS]
    questions = [trace(at_step(base, name, a / length, mu), 1).statement for a, mu in grid]
    if curvatures.is_quadratic(questions[0]):
        raise NoClass("over quadratics there are no multipliers to fit")
    weights = np.array([_weights(one) for one in questions])
    at = [{A: a} if mu is None else {A: a, MU: mu} for a, mu in grid]
    fits = [(_of_factors if has_mu else _of_polynomials)(column, at) for column in weights.T]
    alike = [k for k, (_, mu) in enumerate(grid) if mu == grid[0][1]]
    formulas = Formulas(_in_a([questions[k] for k in alike], [grid[k][0] for k in alike]))
    domain = "for a in (0, 1]" if base.constants.keys() & {*UNITS} else "for a > 0"
    domain += ", mu in (0, 1)" if has_mu else ""
    value = formulas.value(fits)
    middle = len(questions) // 2
    is_of_operator = any(c in OPERATORS for c in base.classes.values())
    metric = (OF_OPERATORS if is_of_operator else METRIC).get(base.metric, base.metric)
    metric += "^2" * (base.metric in ROOTS)
    units = [k for k in UNITS if k in base.constants]
    return ClosedForm(
        value,
        tuple(fits),
        tuple(formulas.lines(fits, domain)),
        domain,
        (
            "One step a" + f" with {' = '.join(units)} = 1" * bool(units),
            metric,
            START["gap" if base.gap else "distance"] if base.gap or base.distance else "",
        ),
        (*_beside_bound(claim, base, length, value), *_example_of(value, questions[middle], at[middle])),
    )


def _beside_bound(claim: WorstCase, base: Question, length: Fraction, value: Expr) -> list[str]:
    """The theorem's bound after one step with its own step size, where it has no noise."""
    try:
        bound = at_horizon(claim, claim.shift + 2).claimed
    except NoClass:
        return []
    own = base.steps[next(iter(base.steps))] * length
    if (
        any(base.constants.get(k, 1) != 1 for k in (*UNITS, "D_1", "Delta_1"))
        or not Rational(own).is_Rational
    ):
        return []
    at = {A: Rational(own), MU: Rational(base.constants.get("mu", 1))}
    return [f"At the theorem's own a = {own} it is {value.subs(at)}, where the theorem has {bound}."]


def _example_of(value: Expr, example: dict[str, Any], at: dict[Symbol, Fraction]) -> list[str]:
    """A sentence on an example in fractions that has the value, to the digits shown."""
    if cancel(value - (1 - A * MU) ** 2) == 0:
        return ["The factor cannot be smaller: mu |x|^2 / 2 has it."]
    try:
        least = Fraction(certify.lower(example)["statement"]["claimed"])
    except solve.NoSolution:
        return []
    where = ", ".join(f"{k} = {v}" for k, v in at.items())
    decimals = f"{math.floor(least * 10**SHOWN) / 10**SHOWN:.{SHOWN}f}"
    return [f"At {where} it is {value.subs(at)}, and an example of the class has {decimals} or more."]


def at_step(base: Question, name: str, value: Fraction, mu: Fraction | None) -> Question:
    """The question in units, with this value of the step's parameter and, where the class has one, of mu."""
    units = {k: Fraction(1) for k in UNITS if k in base.constants}
    constants = {**base.constants, **units, **({"mu": mu} if mu is not None else {})}
    one = Fraction(1)
    return replace(
        base,
        steps={**base.steps, name: value},
        constants=constants,
        distance=None if base.distance is None else one,
        gap=None if base.gap is None else one,
    )


def _length(base: Question, name: str) -> Fraction:
    """The step a in x_1 = x_0 - a g_0 for a value 1 of its parameter; 1 for other steps, whose a is the parameter."""

    def of(value: int) -> Fraction:
        one = trace(at_step(base, name, Fraction(value), base.constants.get("mu")), 1)
        points = one.statement["parts"][0]["points"]
        last, first = points[-1]["x"], points[1] if len(points) > 1 else points[0]
        is_gradient_step = set(last) == {*first["x"], *first["g"]} and len(first["g"]) == 1
        return -Fraction(last[next(iter(first["g"]))]) if is_gradient_step else Fraction(value)

    length = of(1)
    if of(2) != 2 * length or length <= 0:
        raise NoClass(f"one step is no multiple of {name}")
    return length


def _weights(question: dict[str, Any]) -> np.ndarray:
    """Few multipliers: of the conditions in the order of the re-checker, then the shares of the metrics."""
    try:
        return solve.fewest(solve.arrays(Setting(question, exact=False)))
    except solve.NoSolution as failure:
        raise NoClass(f"there are no multipliers to fit: {failure}") from None


# ------------------------------------------------------------------------------------------------- fits


def _of_factors(values: np.ndarray, at: list[dict[Symbol, Fraction]]) -> Expr:
    """The product of powers of the fewest factors that has these values."""
    if np.all(np.abs(values) < NEAR):
        return S.Zero
    columns = [np.array([float(f.subs(point)) for point in at]) for f in FACTORS]
    for powers in sorted(product(POWERS, repeat=len(FACTORS)), key=sum):
        guess = np.prod([c**p for c, p in zip(columns, powers, strict=True)], axis=0)
        for number in NUMBERS:
            if np.all(np.abs(number * guess - values) <= NEAR * np.abs(values)):
                return prod([Rational(number), *(f**p for f, p in zip(FACTORS, powers, strict=True))])
    raise NoClass("the multipliers are no product of powers of a, mu, 1 - a, 1 - mu, 1 - a mu and a factor 2")


def _of_polynomials(values: np.ndarray, at: list[dict[Symbol, Fraction]]) -> Expr:
    """The fraction p / q of polynomials of the lowest degrees that has these values."""
    if np.all(np.abs(values) < NEAR):
        return S.Zero
    points = np.array([float(point[A]) for point in at])
    for above, below in sorted(product(range(DEGREE + 1), repeat=2), key=sum):
        columns = [*(points**k for k in range(above + 1)), *(-values * points**k for k in range(below + 1))]
        solution = np.linalg.svd(np.array(columns).T)[2][-1]
        solution = solution / solution[np.argmax(np.abs(solution))]
        exact = [Fraction(float(x)).limit_denominator(24) for x in solution]
        p, q = (
            sum((Rational(c) * A**k for k, c in enumerate(part)), S.Zero)
            for part in (exact[: above + 1], exact[above + 1 :])
        )
        right, left = (np.array([float(f.subs(A, x)) for x in points]) for f in (p, q))
        if np.all(left != 0) and np.all(np.abs(right / left - values) <= NEAR * np.abs(values)):
            scale = lcm([c.denominator for c in exact])
            scale *= next(1 if c > 0 else -1 for c in exact[above + 1 :] if c)
            return (scale * p).expand() / (scale * q).expand()
    raise NoClass(f"the multipliers are no fraction of polynomials of degree {DEGREE} in a")


# ---------------------------------------------------------------------------------- the proof, as formulas


def _in_a(trees: Sequence[Any], at: Sequence[Fraction]) -> Any:
    """The statement with numbers that are linear in a, from those at some a. Raises NoClass where they are not."""
    first = trees[0]
    if all(tree == first for tree in trees):
        return first
    if isinstance(first, dict) and all(tree.keys() == first.keys() for tree in trees):
        return {key: _in_a([tree[key] for tree in trees], at) for key in first}
    if isinstance(first, list) and len({len(tree) for tree in trees}) == 1:
        return [_in_a(items, at) for items in zip(*trees, strict=True)]
    if isinstance(first, str):
        y = [Rational(tree) for tree in trees]
        line = y[0] + (y[1] - y[0]) / (at[1] - at[0]) * (A - Rational(at[0]))
        if all(line.subs(A, Rational(x)) == value for x, value in zip(at, y, strict=True)):
            return line.expand()
    raise NoClass("the step is not linear in its size")


class Formulas(Setting):
    """A setting whose numbers are formulas in a and mu, with L = G = D = 1."""

    def __init__(self, question: dict[str, Any]) -> None:
        if question["numbers"]:
            raise NoClass("its numbers are no fractions")
        self.basis = {name: k for k, name in enumerate(question["basis"])}
        self.names = {name: k for k, name in enumerate(question["values"])}
        self.vectors: list[dict[int, Any]] = []
        self._numbers: dict[Any, int] = {}
        self.metrics = [self.form(f) for f in question["metric"]]
        self.start = [self.form(f) for f in question["start"]]
        of_classes = (c for part in question["parts"] for c in self._of_part(part))
        self.conditions = [*self.start, *(c for c in map(self._without_zero, of_classes) if not c.trivial)]

    def vector(self, coefficients: Any) -> int:
        key = tuple(sorted(coefficients.items(), key=lambda item: item[0]))
        if key not in self._numbers:
            self._numbers[key] = len(self.vectors)
            self.vectors.append({self.basis[n]: _number(c) for n, c in key})
        return self._numbers[key]

    def combination(self, values: Any) -> dict[int, Any]:
        return {self.names[name]: _number(c) for name, c in values.items() if _number(c) != 0}

    def form(self, given: dict[str, Any]) -> Form:
        products: Any = [(_number(c), self.vector(u), self.vector(v)) for c, u, v in given["products"]]
        constant: Any = _number(given["constant"])
        return Form(constant, self.combination(given["values"]), products)

    def _of_part(self, part: dict[str, Any]) -> list[Form]:
        constants: Any = {k: MU if k == "mu" else Integer(1) for k in part["constants"]}
        points = [
            Point(self.vector(p["x"]), self.vector(p["g"]), self.combination(p["f"])) for p in part["points"]
        ]
        return list(conditions_between(part["class"], constants, points))

    def value(self, fits: Sequence[Expr]) -> Expr:
        """The bound: the constants of all forms, by their multipliers."""
        forms = [*self.conditions, *self.metrics]
        if len(forms) != len(fits):
            raise NoClass("on the grid there are other conditions than for a formula")
        terms = [w * f.constant for w, f in zip(fits, forms, strict=True) if w * f.constant != 0]
        return terms[0] if len(terms) == 1 else factor(sum(terms, S.Zero))

    def lines(self, fits: Sequence[Expr], domain: str) -> list[str]:
        """Text: multipliers and principal minors are not negative. Raises NoClass where the values do not cancel."""
        shares = fits[len(self.conditions) :]
        flow: dict[int, Expr] = {}
        matrix = zeros(len(self.basis), len(self.basis))
        for form, weight in zip([*self.conditions, *self.metrics], fits, strict=True):
            for k, c in form.values.items():
                flow[k] = flow.get(k, S.Zero) + weight * c
            matrix -= weight * self._matrix(form)
        if cancel(sum(shares) - 1) != 0 or any(cancel(x) != 0 for x in flow.values()):
            raise NoClass("the fitted multipliers do not cancel the values")
        lines = [f"{text(x)} >= 0 {domain}" for x in fits if x not in (0, 1)]
        for size in range(1, len(self.basis) + 1):
            for rows in combinations(range(len(self.basis)), size):
                part = matrix.extract(list(rows), list(rows))
                minor = factor(part.det())
                line = f"{text(minor)} >= 0" if minor != 0 else f"{_determinant(part)} = 0"
                if line not in ("0 = 0", "1 >= 0"):
                    lines.append(f"{line} {domain}")
        return list(dict.fromkeys(lines))

    def _matrix(self, form: Form) -> Matrix:
        out = zeros(len(self.basis), len(self.basis))
        for c, u, v in form.products:
            for i, x in self.vectors[u].items():
                for j, y in self.vectors[v].items():
                    out[i, j] += c * x * y / 2
                    out[j, i] += c * x * y / 2
        return out


def _number(x: Any) -> Any:
    return Rational(x) if isinstance(x, str | Fraction) else x


def _determinant(matrix: Matrix) -> str:
    """A determinant by its entries, which is for the ledger to see as 0."""
    size = matrix.shape[0]
    entries = matrix.applyfunc(factor)
    terms = []
    for columns in permutations(range(size)):
        term = Integer(Permutation(list(columns)).signature())
        for row, column in enumerate(columns):
            term = term * entries[row, column]
        if term != 0:
            terms.append(f"({text(term)})")
    return " + ".join(terms) or "0"


def text(x: Any) -> str:
    """A formula as the ledger reads it, low powers first."""
    return sstr(x, order="rev-lex").replace("**", "^")
