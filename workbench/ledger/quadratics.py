"""Worst cases over convex quadratics: a polynomial in the curvature is not negative from mu to L.

On f(x) = <x - x*, H (x - x*)> / 2 every vector of a run is a polynomial in H times the start, so that start condition
and metric are sums over the eigenvalues h of H, weighted alike by the start: metric <= claimed for all H with
eigenvalues in [mu, L] if t s(h) - m(h) >= 0 there, where the start says sum w s(h) <= c, the metric is sum w m(h), and
t = claimed / c. (Nemirovski, "Information-Based Complexity of Linear Operator Equations", J. Complexity 8 (1992).)

A polynomial is not negative on an interval where its Bernstein coefficients are not. The proof is a tree of halvings,
depth first: "1" halves, "0" is a leaf. Re-checking trusts this file. Standard library only.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb, lcm
from typing import Any

from workbench.ledger.balls import Ball, Number
from workbench.ledger.trees import number, require

QUADRATICS = ("convex quadratic", "strongly convex quadratic")
MOST = 100_000  # halvings
Polynomial = list[Number]  # coefficients, the constant first


def ends(part: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """The smallest and the largest curvature."""
    return number(part["constants"].get("mu", "0")), number(part["constants"]["L"])


def excess(setting: Any, part: dict[str, Any], claimed: Fraction, of: Any) -> Polynomial:
    """t s - m. Raises Wrong where the statement is not about one start, one metric and answers of one quadratic."""
    start, metric = sides(setting, part, of)
    bound, level = setting.start[0].constant, claimed - setting.metrics[0].constant
    require(bound > 0, "a start that is fixed")
    return _sum([(of(level / bound), start), (of(Fraction(-1)), metric)], of)


def sides(setting: Any, part: dict[str, Any], of: Any) -> tuple[Polynomial, Polynomial]:
    """(s, m): what bounds the start, and the metric. Raises Wrong as `excess` does."""
    require(len(setting.start) == len(setting.metrics) == 1, "quadratics have one start and one metric")
    vectors = _vectors(setting, part, of)

    def total(products: list[Any], sign: int) -> Polynomial:
        return _sum([(of(sign * c), _product(vectors[u], vectors[v], of)) for c, u, v in products], of)

    return total(setting.start[0].products, -1), total(setting.metrics[0].products, 1)


def _vectors(setting: Any, part: dict[str, Any], of: Any) -> list[Polynomial]:
    """Each vector of the setting as a polynomial in the curvature, times the start."""
    answers = {name for p in part["points"] for name in p["g"]}
    others = [k for name, k in setting.basis.items() if name not in answers]
    require(len(others) == 1, "quadratics have one start")
    basis: dict[int, Polynomial] = {others[0]: [of(Fraction(1))]}

    def polynomial(vector: dict[int, Number]) -> Polynomial:
        require(set(vector) <= set(basis), "a point depends on a later answer")
        return _sum([(c, basis[k]) for k, c in vector.items()], of)

    for p in part["points"]:
        at = polynomial(setting.vectors[setting.vector(p["x"])])
        if not p["g"]:
            require(not p["x"], "the gradient is not 0 away from the minimizer")
            continue
        require(list(p["g"].values()) == ["1"], "the answer at a point is a basis vector")
        name = setting.basis[next(iter(p["g"]))]
        require(name not in basis, "an answer is given twice")
        basis[name] = [of(Fraction(0)), *at]
    return [polynomial(v) for v in setting.vectors]


def _sum(terms: list[tuple[Number, Polynomial]], of: Any) -> Polynomial:
    out = [of(Fraction(0))] * max((len(p) for _, p in terms), default=1)
    for c, p in terms:
        for k, x in enumerate(p):
            out[k] = out[k] + c * x
    return out


def _product(p: Polynomial, q: Polynomial, of: Any) -> Polynomial:
    out = [of(Fraction(0))] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            out[i + j] = out[i + j] + x * y
    return out


# -------------------------------------------------------------------------------------- Bernstein coefficients


def bernstein(p: Polynomial, low: Fraction, high: Fraction, of: Any) -> list[int]:
    """Of a polynomial on an interval, or of a smaller one where numbers are enclosed; all times a positive number."""
    n = len(p) - 1
    at_low = list(p)
    for k in range(n):  # p(low + u)
        for j in range(n - 1, k - 1, -1):
            at_low[j] = at_low[j] + of(low) * at_low[j + 1]
    on_unit = [c * of((high - low) ** k) for k, c in enumerate(at_low)]
    out = []
    for i in range(n + 1):
        terms = [of(Fraction(comb(i, j), comb(n, j))) * on_unit[j] for j in range(i + 1)]
        total = terms[0]
        for term in terms[1:]:
            total = total + term
        out.append(total)
    if any(isinstance(x, Ball) for x in out):
        return [x.low for x in out]
    common = lcm(*(x.denominator for x in out))
    return [int(x * common) for x in out]


def halves(b: list[int]) -> tuple[list[int], list[int]]:
    """Bernstein coefficients on both halves of the interval, all times 2^degree (de Casteljau)."""
    n = len(b) - 1
    left, right, row = [b[0] << n], [b[-1] << n], b
    for k in range(1, n + 1):
        row = [x + y for x, y in pairwise(row)]
        left.append(row[0] << (n - k))
        right.append(row[-1] << (n - k))
    return left, right[::-1]


def follow(b: list[int], tree: Any) -> None:
    """Raises Wrong unless a tree of halvings shows that a polynomial is not negative."""
    require(isinstance(tree, str) and len(tree) <= 2 * MOST + 1, "no tree of halvings")
    waiting = [b]
    for step in tree:
        require(waiting and step in "01", "no tree of halvings")
        mine = waiting.pop()
        if step == "1":
            waiting.extend(halves(mine)[::-1])
        else:
            require(min(mine) >= 0, "a polynomial is not shown to be at least 0")
    require(not waiting, "a tree of halvings that leaves a part out")


def at_most(setting: Any, statement: dict[str, Any], proof: dict[str, Any]) -> None:
    """Raises Wrong unless a tree of halvings proves the bound. setting: in fractions where it can be, else in balls."""
    of = (lambda x: x) if setting.exact else Ball.of
    part = statement["parts"][0]
    polynomial = excess(setting, part, number(statement["claimed"]), of)
    follow(bernstein(polynomial, *ends(part), of), proof["tree"])


def check_matrix(part: dict[str, Any], rows: list[list[Fraction]], is_semidefinite: Any) -> None:
    """Raises Wrong unless a matrix is symmetric with eigenvalues from mu to L."""
    low, high = ends(part)
    n = range(len(rows))
    require(all(rows[i][j] == rows[j][i] for i in n for j in n), "the matrix of a quadratic is symmetric")
    for sign, level in ((1, low), (-1, high)):
        room = [[sign * (rows[i][j] - level * (i == j)) for j in n] for i in n]
        require(is_semidefinite(room), "an eigenvalue is outside [mu, L]")
