"""Re-checks worst cases over a class: "for every function and start, metric <= number", and "for one, >= number".

A statement describes a run of a method in the vectors of a basis (start minus a reference point, answers of oracles)
and in the function values ("values"); scalars that are no fractions are n0, n1, ... of `balls`. Its "parts" are
functions or operators with the points at which they are asked. This file forms the interpolation conditions of their
classes (`class_conditions`), each a form h >= 0 that is linear in the products of vectors and in the values.

* "at most" is proved by multipliers: metric = claimed - sum multiplier h - <S, Gram matrix>, with multipliers >= 0,
  values that cancel exactly, and S positive (semi)definite, shown by an elimination in intervals or fractions.
  Where it has null vectors ("null") these are checked in fractions, and it is definite beside them.
* "at least" is proved by vectors in fractions that satisfy all conditions, hence by a function or an operator; where a
  class has conditions that are necessary only, by a matrix in fractions that is itself in the class.
* Quadratics have polynomials in the curvature instead of conditions: see `quadratics`.

Sources of the conditions: Taylor, Hendrickx, Glineur, Math. Program. 161 (2017), Theorem 4, and SIAM J. Optim. 27
(2017), section 3 (Lipschitz functions, sets of bounded diameter); Drori, Shamir, ICML 2020, Theorem 7 (smooth functions
that are bounded below); Ryu, Taylor, Bergeling, Giselsson, SIAM J. Optim. 30 (2020), section 2 (operators; their
Proposition 3: those of monotone Lipschitz operators are necessary only). Standard library only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from workbench.ledger import balls, quadratics
from workbench.ledger.balls import Ball, Number
from workbench.ledger.quadratics import QUADRATICS
from workbench.ledger.trees import number, require

Vector = dict[str, str]  # basis vector -> coefficient
Product = tuple[Fraction, int, int]  # coefficient of the product of two vectors, named by their numbers
KEYS = {"kind", "numbers", "basis", "values", "parts", "start", "metric", "sense", "claimed"}
MOST = 200  # basis vectors, and points of a part

# Class -> the constants it needs.
CLASSES: dict[str, tuple[str, ...]] = {
    "convex": (),
    "smooth convex": ("L",),
    "smooth strongly convex": ("L", "mu"),
    "strongly convex": ("mu",),
    "smooth": ("L",),
    "smooth bounded below": ("L",),
    "Lipschitz convex": ("G",),
    "linear losses": ("G",),
    "convex set": (),
    "bounded convex set": ("D",),
    "monotone": (),
    "strongly monotone": ("mu",),
    "cocoercive": ("L",),
    "nonexpansive": (),
    "Lipschitz monotone": ("L",),
    "Lipschitz strongly monotone": ("L", "mu"),
    "convex quadratic": ("L",),
    "strongly convex quadratic": ("L", "mu"),
}
OPERATORS = (
    "monotone",
    "strongly monotone",
    "cocoercive",
    "nonexpansive",
    "Lipschitz monotone",
    "Lipschitz strongly monotone",
)
WITHOUT_VALUES = (*OPERATORS, *QUADRATICS, "linear losses", "convex set", "bounded convex set")
NECESSARY_ONLY = (
    "Lipschitz monotone",
    "Lipschitz strongly monotone",
    *QUADRATICS,
)  # conditions do not suffice
CURVATURE = {"smooth": -1, "smooth bounded below": -1}  # of the lower bound on it, in L


@dataclass
class Form:
    """constant + sum of values + sum of products of vectors."""

    constant: Fraction = Fraction(0)
    values: dict[int, Fraction] = field(default_factory=dict)
    products: list[Product] = field(default_factory=list)

    @property
    def trivial(self) -> bool:
        return not self.values and not self.products and not self.constant


class Setting:
    """A statement with its numbers evaluated. vectors: by number, basis vector -> number; equal ones are one."""

    def __init__(self, statement: dict[str, Any], exact: bool) -> None:
        self.exact = exact
        table = balls.values(statement["numbers"], exact)
        self._table = table
        self.basis = {name: k for k, name in enumerate(statement["basis"])}
        self.names = {name: k for k, name in enumerate(statement["values"])}
        require(
            len(self.basis) == len(statement["basis"]) <= MOST
            and len(self.names) == len(statement["values"]),
            "two of one name, or too many",
        )
        self.vectors: list[dict[int, Number]] = []
        self._numbers: dict[tuple[tuple[str, str], ...], int] = {}
        self.metrics = [self.form(f) for f in statement["metric"]]
        require(self.metrics, "a statement without a metric")
        self.start = [self.form(f) for f in statement["start"]]
        of_classes = (c for part in statement["parts"] for c in class_conditions(self, part))
        self.conditions = [*self.start, *(c for c in map(self._without_zero, of_classes) if not c.trivial)]

    def _without_zero(self, form: Form) -> Form:
        """The form without products with the zero vector."""
        products = [(c, u, v) for c, u, v in form.products if self.vectors[u] and self.vectors[v]]
        return Form(form.constant, form.values, products)

    def vector(self, coefficients: Vector) -> int:
        """The number of a vector."""
        key = tuple(sorted(coefficients.items()))
        if key not in self._numbers:
            self._numbers[key] = len(self.vectors)
            self.vectors.append({self.basis[n]: balls.number_of(c, self._table, self.exact) for n, c in key})
        return self._numbers[key]

    def combination(self, values: dict[str, str]) -> dict[int, Fraction]:
        return {self.names[name]: number(c) for name, c in values.items() if number(c)}

    def form(self, given: dict[str, Any]) -> Form:
        require(set(given) == {"constant", "values", "products"}, "a form has three parts")
        products = [(number(c), self.vector(u), self.vector(v)) for c, u, v in given["products"]]
        return Form(number(given["constant"]), self.combination(given["values"]), products)


# ---------------------------------------------------------------------------------------------- classes


@dataclass(frozen=True)
class Point:
    """x and the answer g by number, and the value as a combination of values."""

    x: int
    g: int
    f: dict[int, Fraction]


def class_conditions(setting: Setting, part: dict[str, Any]) -> Iterator[Form]:
    """The interpolation conditions of one part, in a fixed order. Raises Wrong for an unknown class."""
    name = part["class"]
    require(set(part) == {"class", "constants", "points"} and name in CLASSES, f"no class {name!r} is known")
    require(set(part["constants"]) == set(CLASSES[name]), f"the constants of {name!r} are other ones")
    constants = {n: number(c) for n, c in part["constants"].items()}
    require(all(c > 0 for c in constants.values()), "a constant that is not positive")
    require(not {"mu", "L"} <= set(constants) or constants["mu"] < constants["L"], "mu is not below L")
    require(len(part["points"]) <= MOST, "too many points")
    points = [
        Point(setting.vector(p["x"]), setting.vector(p["g"]), setting.combination(p["f"]))
        for p in part["points"]
    ]
    require(name not in WITHOUT_VALUES or not any(p.f for p in points), "an operator has no values")
    require(len({(p.x, p.g) for p in points}) == len(points), "a point occurs twice")
    yield from conditions_between(name, constants, points)


def conditions_between(name: str, c: dict[str, Fraction], points: list[Point]) -> Iterator[Form]:
    if name in ("linear losses", "Lipschitz convex"):
        for p in points:
            yield _square({p.g: -1}, c["G"] ** 2)
    if name == "smooth bounded below":
        for p in points:
            yield Form(Fraction(0), dict(p.f), [(-1 / (2 * c["L"]), p.g, p.g)])
    if name in ("linear losses", *QUADRATICS):
        return
    if name in ("convex set", "bounded convex set"):
        yield from (
            _form({}, [(Fraction(-1), {q.g: 1}, _minus(p.x, q.x))]) for p, q in permutations(points, 2)
        )
        if "D" in c:
            for p, q in combinations(points, 2):
                if p.x != q.x:
                    yield _form({}, [(Fraction(-1), _minus(p.x, q.x), _minus(p.x, q.x))], c["D"] ** 2)
    elif name in OPERATORS:
        for p, q in combinations(points, 2):
            yield from _operator(name, c, _minus(p.x, q.x), _minus(p.g, q.g))
    else:
        products = pair_products(name, c)
        for p, q in permutations(points, 2):
            yield pair_form(products, p, q)


def pair_products(name: str, c: dict[str, Fraction]) -> list[Product]:
    """Of f_p - f_q - <g_q, x_p - x_q> - the part of smoothness and strong convexity, over (x_p, x_q, g_p, g_q)."""
    dx, dg = {0: 1, 1: -1}, {2: 1, 3: -1}
    terms = [(Fraction(-1), {3: 1}, dx)]
    if "L" in c:
        L = c["L"]
        mu = CURVATURE[name] * L if name in CURVATURE else c.get("mu", Fraction(0))
        share = 1 / (2 * (1 - mu / L))
        terms += [(-share / L, dg, dg), (-share * mu, dx, dx), (2 * share * mu / L, dg, dx)]
    elif "mu" in c:
        terms.append((-c["mu"] / 2, dx, dx))
    return _collect(_form({}, terms).products)


def pair_form(products: list[Product], p: Point, q: Point) -> Form:
    """The condition on two points. products: as `pair_products` gives them."""
    values = dict(p.f)
    for k, c in q.f.items():
        values[k] = values[k] - c if k in values else -c
    at = (p.x, q.x, p.g, q.g)
    mine = [(c, at[i], at[j]) for c, i, j in products]
    return Form(
        Fraction(0), {k: v for k, v in values.items() if v}, mine if len(set(at)) == 4 else _collect(mine)
    )


def _collect(products: list[Product]) -> list[Product]:
    """With each product once, and none that cancels."""
    total: dict[tuple[int, int], Fraction] = {}
    for c, u, v in products:
        key = (u, v) if u <= v else (v, u)
        total[key] = total[key] + c if key in total else c
    return [(c, u, v) for (u, v), c in total.items() if c != 0]


def _operator(name: str, c: dict[str, Fraction], dx: dict[int, int], dg: dict[int, int]) -> Iterator[Form]:
    one = Fraction(1)
    if name == "nonexpansive":
        yield _form({}, [(one, dx, dx), (-one, dg, dg)])
    elif name == "cocoercive":
        yield _form({}, [(one, dg, dx), (-1 / c["L"], dg, dg)])
    else:
        yield _form({}, [(one, dg, dx), (-c.get("mu", Fraction(0)), dx, dx)])
        if "L" in c:
            yield _form({}, [(c["L"] ** 2, dx, dx), (-one, dg, dg)])


def _minus(u: int, v: int) -> dict[int, int]:
    return {u: 1, v: -1} if u != v else {}


def _square(u: dict[int, int], constant: Fraction) -> Form:
    return _form({}, [(Fraction(-1), u, u)], constant)


def _form(values: dict[int, Fraction], terms: list[Any], constant: Fraction = Fraction(0)) -> Form:
    """A form from products of differences of vectors."""
    products = [(c * a * b, i, j) for c, u, v in terms if c for i, a in u.items() for j, b in v.items()]
    return Form(constant, {k: v for k, v in values.items() if v}, products)


# ------------------------------------------------------------------------------------------------ checking


def check(s: dict[str, Any], proof: dict[str, Any]) -> str:
    """The verdict, "holds". Raises Wrong unless the proof shows the statement."""
    require(s["sense"] in ("at most", "at least"), "unknown sense")
    of_quadratics = [part for part in s["parts"] if part["class"] in QUADRATICS]
    require(not of_quadratics or len(s["parts"]) == 1, "a quadratic is the only part")
    if s["sense"] == "at most" and of_quadratics:
        require(proof["by"] == "halvings", "an upper bound over quadratics is proved by a tree of halvings")
        quadratics.at_most(Setting(s, balls.is_rational(s["numbers"])), s, proof)
    elif s["sense"] == "at most":
        require(proof["by"] == "multipliers", "an upper bound is proved by multipliers")
        at_most(s, proof)
    else:
        require(proof["by"] in ("vectors", "matrix"), "a lower bound is proved by an example")
        at_least(s, proof)
    return "holds"


def at_most(s: dict[str, Any], proof: dict[str, Any]) -> None:
    """Raises Wrong unless the multipliers prove the bound."""
    setting = Setting(s, exact=False)
    weights, shares = multipliers(setting, proof)
    claimed, bound = number(s["claimed"]), Fraction(0)
    flow: dict[int, Fraction] = defaultdict(Fraction)
    products: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for form, weight in [*weights, *((m, share) for m, share in zip(setting.metrics, shares, strict=True))]:
        bound += weight * form.constant
        for k, c in form.values.items():
            flow[k] += weight * c
        for c, u, v in form.products:
            products[min(u, v), max(u, v)] += weight * c
    require(not any(flow.values()), "the values do not cancel")
    require(bound <= claimed, "the multipliers prove a larger bound only")
    matrix = _matrix(setting, products, Ball(0, 0), Ball.of)
    if not balls.is_rational(s["numbers"]):
        require("null" not in proof, "a matrix with a null vector is checked in fractions only")
        require(balls.is_definite(matrix), "the matrix is not shown to be positive definite")
        return
    rational = Setting(s, exact=True)
    for coefficients in proof.get("null", []):
        null = {setting.basis[n]: number(x) for n, x in coefficients.items()}
        require(not any(image(rational, products, null).values()), "a vector is no null vector")
        for i, a in null.items():
            for j, b in null.items():
                matrix[i][j] = matrix[i][j] + Ball.of(a * b)
    if not balls.is_definite(matrix):
        rows = _matrix(rational, products, Fraction(0), lambda x: x)
        require(balls.is_semidefinite(rows), "the matrix is not positive semidefinite")


def image(
    setting: Setting, products: dict[tuple[int, int], Fraction], v: dict[int, Fraction]
) -> dict[int, Fraction]:
    """Twice the matrix of the sum of products times a vector, in fractions."""
    total: dict[int, Fraction] = defaultdict(Fraction)
    for (a, b), c in products.items():
        for left, right in ((a, b), (b, a)):
            inner = sum((x * v[k] for k, x in setting.vectors[right].items() if k in v), Fraction(0))
            if inner:
                for k, x in setting.vectors[left].items():
                    total[k] += c * inner * x
    return total


def multipliers(
    setting: Setting, proof: dict[str, Any]
) -> tuple[list[tuple[Form, Fraction]], list[Fraction]]:
    """(condition, multiplier) and the shares of the metrics, whose smallest is bounded: they sum to 1."""
    shares = [number(x) for x in proof["shares"]]
    require(len(shares) == len(setting.metrics) and sum(shares) == 1, "shares of the metrics sum to 1")
    pairs = [(int(k), number(x)) for k, x in proof["multipliers"]]
    require(len({k for k, _ in pairs}) == len(pairs), "a multiplier occurs twice")
    require(all(x >= 0 for _, x in pairs) and min(shares) >= 0, "a negative multiplier")
    require(all(0 <= k < len(setting.conditions) for k, _ in pairs), "a multiplier of no condition")
    return [(setting.conditions[k], x) for k, x in pairs], shares


def _matrix(
    setting: Setting, products: dict[tuple[int, int], Fraction], zero: Number, of: Any
) -> balls.Matrix:
    """-2 (sum of the products) as a symmetric matrix over the basis."""
    beside: dict[int, dict[int, Number]] = defaultdict(dict)
    for (u, v), c in products.items():
        if c:
            multiple, mine = of(-c), beside[u]
            for j, x in setting.vectors[v].items():
                mine[j] = mine[j] + multiple * x if j in mine else multiple * x
    d = len(setting.basis)
    matrix = [[zero] * d for _ in range(d)]
    for u, row in beside.items():
        for i, x in setting.vectors[u].items():
            for j, y in row.items():
                p = x * y
                matrix[i][j] = matrix[i][j] + p
                matrix[j][i] = matrix[j][i] + p
    return matrix


def at_least(s: dict[str, Any], proof: dict[str, Any]) -> None:
    """Raises Wrong unless the example satisfies all conditions and has the metric."""
    exact = balls.is_rational(s["numbers"])
    setting = Setting(s, exact)
    of = (lambda x: x) if exact else Ball.of
    basis, values = example_basis(s, setting, proof)
    inner = inner_products(setting, basis, of)
    for form in setting.start if proof["by"] == "matrix" else setting.conditions:
        value = value_of(form, values, inner, of)
        require(value.nonnegative if isinstance(value, Ball) else value >= 0, "a condition is broken")
    claimed = number(s["claimed"])
    for form in setting.metrics:
        over = value_of(form, values, inner, of) - of(claimed)
        require(over.nonnegative if isinstance(over, Ball) else over >= 0, "the metric is smaller")


def example_basis(
    s: dict[str, Any], setting: Setting, proof: dict[str, Any]
) -> tuple[dict[int, list[Number]], dict[int, Fraction]]:
    """The vectors of the basis and the values of an example. Raises Wrong where they are not all given."""
    of = (lambda x: x) if setting.exact else Ball.of
    if proof["by"] == "matrix":
        basis = _by_matrix(s, setting, proof, of)
    else:
        classes = {part["class"] for part in s["parts"]}
        require(
            not classes & set(NECESSARY_ONLY), "vectors are no example where the conditions do not suffice"
        )
        basis = {setting.basis[name]: [of(number(x)) for x in v] for name, v in proof["vectors"].items()}
    require(len(basis) == len(setting.basis), "a vector is missing")
    require(len({len(v) for v in basis.values()}) == 1, "vectors of several lengths")
    values = {setting.names[name]: number(x) for name, x in proof["values"].items()}
    require(len(values) == len(setting.names), "a value is missing")
    return basis, values


def inner_products(setting: Setting, basis: dict[int, list[Number]], of: Any) -> InnerProducts:
    """The products of the vectors of a setting in an example."""
    return InnerProducts([_coordinates(v, basis, of) for v in setting.vectors])


def _coordinates(vector: dict[int, Number], basis: dict[int, list[Number]], of: Any) -> list[Number]:
    """The coordinates of a vector of the setting."""
    size = len(next(iter(basis.values())))
    total = [of(Fraction(0))] * size
    for k, c in vector.items():
        total = [t + c * x for t, x in zip(total, basis[k], strict=True)]
    return total


class InnerProducts:
    """Products of the vectors, each computed once."""

    def __init__(self, vectors: list[list[Number]]) -> None:
        self._vectors, self._table = vectors, {}  # type: ignore[var-annotated]

    def __call__(self, u: int, v: int) -> Number:
        key = (u, v) if u < v else (v, u)
        if key not in self._table:
            first, *rest = (a * b for a, b in zip(self._vectors[u], self._vectors[v], strict=True))
            for x in rest:
                first = first + x
            self._table[key] = first
        return self._table[key]


def value_of(form: Form, values: dict[int, Fraction], inner: InnerProducts, of: Any) -> Number:
    total = of(form.constant + sum((c * values[k] for k, c in form.values.items()), Fraction(0)))
    for c, u, v in form.products:
        total = total + of(c) * inner(u, v)
    return total


def _by_matrix(
    s: dict[str, Any], setting: Setting, proof: dict[str, Any], of: Any
) -> dict[int, list[Number]]:
    """The basis vectors that a linear operator in fractions gives: answers are matrix x (point - reference)."""
    require(len(s["parts"]) == 1, "a matrix is one operator")
    part = s["parts"][0]
    rows = [[number(x) for x in row] for row in proof["matrix"]]
    size = len(rows)
    require(size and all(len(row) == size for row in rows), "a matrix is square")
    if part["class"] in QUADRATICS:
        quadratics.check_matrix(part, rows, balls.is_semidefinite)
    else:
        _in_class(part["class"], {n: number(c) for n, c in part["constants"].items()}, rows)
    shift = [number(x) for x in proof["shift"]]
    require(len(shift) == size, "the answer at the reference has another length")
    basis = {setting.basis[name]: [of(number(x)) for x in v] for name, v in proof["vectors"].items()}
    require(all(len(v) == size for v in basis.values()), "vectors of another length")
    require(basis, "no start is given")
    for p in part["points"]:
        at = _coordinates(setting.vectors[setting.vector(p["x"])], basis, of)
        answer = [of(c) for c in shift]
        for i, row in enumerate(rows):
            for c, x in zip(row, at, strict=True):
                answer[i] = answer[i] + of(c) * x
        if not p["g"]:
            require(not any(shift), "the reference is no zero of the operator")
            continue
        require(list(p["g"].values()) == ["1"], "the answer at a point is a basis vector")
        name = setting.basis[next(iter(p["g"]))]
        require(name not in basis, "an answer is given twice")
        basis[name] = answer
    return basis


def _in_class(name: str, c: dict[str, Fraction], rows: list[list[Fraction]]) -> None:
    """Raises Wrong unless a matrix is in a class of operators."""
    n = range(len(rows))
    mu = c.get("mu", Fraction(0))
    require(name in OPERATORS, "only an operator is given by a matrix")
    square = [[sum((rows[k][i] * rows[k][j] for k in n), Fraction(0)) for j in n] for i in n]
    both = [[rows[i][j] + rows[j][i] - 2 * mu * (i == j) for j in n] for i in n]
    if name == "cocoercive":
        both = [[both[i][j] - 2 * square[i][j] / c["L"] for j in n] for i in n]
    if name != "nonexpansive":
        require(balls.is_semidefinite(both), "the matrix is not monotone enough")
    if name.startswith("Lipschitz") or name == "nonexpansive":
        most = c.get("L", Fraction(1)) ** 2
        gap = [[most * (i == j) - square[i][j] for j in n] for i in n]
        require(balls.is_semidefinite(gap), "the matrix is not Lipschitz enough")


def in_words(s: dict[str, Any]) -> str:
    """The statement in words."""
    parts = ", ".join(
        part["class"] + "".join(f", {n} = {c}" for n, c in part["constants"].items()) for part in s["parts"]
    )
    calls = sum(len(part["points"]) for part in s["parts"])
    number_text = s["claimed"] if len(s["claimed"]) <= 30 else f"{float(number(s['claimed'])):.12g}..."
    every = "for all" if s["sense"] == "at most" else "for one"
    sign = "<=" if s["sense"] == "at most" else ">="
    return f"{every} in the class ({parts}; {calls} points), metric {sign} {number_text}"
