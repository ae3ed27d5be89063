"""Linear programs in rationals: the simplex method with Bland's rule, which terminates, and a dual solution."""

from __future__ import annotations

from fractions import Fraction

Row = list[Fraction]
LARGEST = 5000  # pivots


def solve(objective: Row, rows: list[Row], right: Row, equal: list[bool]) -> tuple[Fraction, Row, Row] | str:
    """max objective.x with rows.x <= right (= where equal), x free: (value, x, dual), or "infeasible", "unbounded"."""
    n = len(objective)
    split_rows, b, owner = [], [], []
    for k, (row, r, e) in enumerate(zip(rows, right, equal, strict=True)):
        for s in (1, -1) if e else (1,):
            split_rows.append(
                [s * c for c in row] + [-s * c for c in row]
            )  # x = positive part - negative part
            b.append(s * r)
            owner.append((k, s))
    solution = _simplex(objective + [-c for c in objective], split_rows, b)
    if isinstance(solution, str):
        return solution
    value, x, y = solution
    dual = [Fraction(0)] * len(rows)
    for (k, s), multiplier in zip(owner, y, strict=True):
        dual[k] += s * multiplier
    return value, [x[j] - x[n + j] for j in range(n)], dual


class _Table:
    """Dictionary form: basic variable = constant - sum of coefficients * non-basic ones."""

    def __init__(self, a: list[Row], b: Row) -> None:
        self.n, self.m = len(a[0]) if a else 0, len(a)
        self.outside = list(range(self.n))
        self.basis = list(range(self.n, self.n + self.m))
        self.a, self.b = [list(r) for r in a], list(b)

    def pivot(self, i: int, j: int, costs: list[Row]) -> None:
        """Column j enters, row i leaves. costs: objective rows [value, coefficients...] carried along."""
        p = self.a[i][j]
        self.basis[i], self.outside[j] = self.outside[j], self.basis[i]
        self.b[i] /= p
        self.a[i] = [c / p for c in self.a[i]]
        self.a[i][j] = 1 / p
        for k in range(self.m):
            if k != i and (f := self.a[k][j]):
                self.b[k] -= f * self.b[i]
                self.a[k] = [c - f * d for c, d in zip(self.a[k], self.a[i], strict=True)]
                self.a[k][j] = -f / p
        for cost in costs:
            if f := cost[1 + j]:
                cost[0] += f * self.b[i]
                cost[1:] = [c - f * d for c, d in zip(cost[1:], self.a[i], strict=True)]
                cost[1 + j] = -f / p

    def improve(self, costs: list[Row]) -> bool:
        """Pivots until costs[0] is maximal; False if unbounded. Bland's rule guarantees termination."""
        for _ in range(LARGEST):
            entering = [j for j in range(len(self.outside)) if costs[0][1 + j] > 0]
            if not entering:
                return True
            j = min(entering, key=lambda j: self.outside[j])
            leaving = [i for i in range(self.m) if self.a[i][j] > 0]
            if not leaving:
                return False
            self.pivot(min(leaving, key=lambda i: (self.b[i] / self.a[i][j], self.basis[i])), j, costs)
        raise ValueError(f"the linear program takes more than {LARGEST} pivots")


def _simplex(c: Row, a: list[Row], b: Row) -> tuple[Fraction, Row, Row] | str:
    """max c.x with a x <= b, x >= 0."""
    n, zero = len(c), Fraction(0)
    table, cost = _Table([[*r, Fraction(-1)] for r in a], b), [zero, *c, zero]
    extra = n  # the artificial variable: subtracted from every row
    table.basis = list(range(n + 1, n + 1 + len(a)))
    if a and min(b) < 0:
        artificial = [zero] * (n + 1) + [Fraction(-1)]
        table.pivot(min(range(len(b)), key=lambda i: b[i]), n, [artificial, cost])
        table.improve([artificial, cost])
        if artificial[0] < 0:
            return "infeasible"
        if extra in table.basis:
            i = table.basis.index(extra)
            j = next((j for j, v in enumerate(table.a[i]) if v), None)
            if j is not None:
                table.pivot(i, j, [cost])
    if extra in table.outside:  # fixed at zero from now on
        j = table.outside.index(extra)
        for row in table.a:
            row[j] = zero
        cost[1 + j] = zero
    if not table.improve([cost]):
        return "unbounded"
    x, y = [zero] * n, [zero] * len(a)
    for i, v in enumerate(table.basis):
        if v < n:
            x[v] = table.b[i]
    for j, v in enumerate(table.outside):
        if v > n:
            y[v - n - 1] = -cost[1 + j]
    return cost[0], x, y
