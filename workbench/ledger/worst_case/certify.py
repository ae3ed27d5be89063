"""From the solver's numbers to certificates in fractions: each is checked before anyone sees its number."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from workbench.ledger import balls, certificate
from workbench.ledger.balls import Ball
from workbench.ledger.trees import Wrong
from workbench.ledger.worst_case import curvatures, matrices, solve
from workbench.ledger.worst_case.oracle import FAR
from workbench.ledger.worst_cases import (
    NECESSARY_ONLY,
    Form,
    Setting,
    example_basis,
    image,
    inner_products,
    value_of,
)

UPPER = (1e-9, 3e-8, 1e-6, 1e-5)  # margins of the matrix: the first that suffices
LOWER = (1e-8, 1e-7, 1e-6, 1e-5)  # of the conditions of an example
MIXED = (1 / 32, 1 / 8, 1 / 3, 1.0)  # of an answer with the one before, whose margin did not suffice
TINY = (0.0, 1e-10, 1e-8)  # multipliers below are taken for 0
SIMPLE = (30, 300, 3000)  # largest denominators of multipliers that are recognized
RECOGNIZED = 1e-5  # distance from them
MOST_RECOGNIZED = 600  # conditions
BITS = 48  # of a rounded number, after the point
ROOT_BITS = 120  # of one that makes up for roots
OF_FAR = Fraction(1, 10**30)  # multiplier of what bounds gradients by FAR
DIGITS = 10  # of a bound
SMALLEST = (1e-8, 1e-10, 1e-12)  # shares of the largest eigenvalue below which a direction is left out

Statement = dict[str, Any]
Certificate = dict[str, Any]
Direction = dict[str, Fraction]  # basis vector -> coefficient


def upper(statement: Statement) -> Certificate:
    """The certificate of an upper bound on the metric. Raises NoSolution where none is shown."""
    if curvatures.is_quadratic(statement):
        return _upper_of_quadratics(statement)
    setting = Setting(statement, exact=False)
    arrays = _arrays(setting)
    null = null_vectors(statement, setting)
    rows = _rows_of_null(statement, null)
    if not null and (document := _in_simple_fractions(statement, setting, arrays)) is not None:
        return document
    reason = solve.NoSolution("no rounding of the solver's answer is a proof")
    before: np.ndarray | None = None
    for margin in UPPER:
        try:
            x = solve.multipliers(arrays, margin, [_as_array(v, setting) for v in null])
        except solve.NoSolution as failure:
            reason = failure
            continue
        for share in MIXED if before is not None else (1.0,):
            blend = x if before is None else share * x + (1 - share) * before
            for least in TINY:
                exact = _balance(setting, np.where(blend < least, 0.0, blend), rows)
                if (
                    exact is not None
                    and (document := _upper_proof(statement, setting, exact, null)) is not None
                ):
                    return document
        before = x
    raise reason


def _is_far(form: Form) -> bool:
    return form.constant == FAR**2


def _arrays(setting: Setting) -> solve.Arrays:
    """For the solver, without the bounds on gradients at the reference."""
    a = solve.arrays(setting)
    keep = np.array([not _is_far(f) for f in (*setting.conditions, *setting.metrics)])
    return replace(
        a,
        conditions=a.conditions - int(np.sum(~keep)),
        products=a.products[keep],
        values=a.values[keep],
        constants=a.constants[keep],
    )


def _balance(setting: Setting, x: np.ndarray, rows: list[dict[Any, Fraction]]) -> list[Fraction] | None:
    """`balance` for the numbers of the solver, which knows of no bounds on gradients.

    With roots what must cancel does so up to 2^-ROOT_BITS, which the bounds on gradients make up for.
    """
    far = [_is_far(f) for f in (*setting.conditions, *setting.metrics)]
    own = iter(x)
    exact = balance(setting, [OF_FAR if is_far else float(next(own)) for is_far in far], rows)
    if exact is None or not any(far):
        return exact
    return balance(setting, [Fraction(round(w * 2**ROOT_BITS), 2**ROOT_BITS) for w in exact], [])


def _upper_of_quadratics(statement: Statement) -> Certificate:
    for bound, proof in curvatures.proofs_above(statement):
        claim = {**statement, "sense": "at most", "claimed": str(decimal(bound, up=True))}
        if (document := _certificate_of(claim, proof)) is not None:
            return document
    raise solve.NoSolution("no bound near the largest value that was found is proved")


def _in_simple_fractions(statement: Statement, setting: Setting, arrays: solve.Arrays) -> Certificate | None:
    """The certificate of the exact worst case, where the multipliers are recognized; its matrix has null vectors."""
    if not balls.is_rational(statement["numbers"]) or arrays.conditions > MOST_RECOGNIZED:
        return None
    for few in (False, True):
        try:
            weights = solve.fewest(arrays) if few else solve.multipliers(arrays, 0.0)
        except solve.NoSolution:
            continue
        for largest in SIMPLE:
            simple = [Fraction(float(w)).limit_denominator(largest) for w in weights]
            if any(abs(float(x) - w) > RECOGNIZED for x, w in zip(simple, weights, strict=True)):
                continue
            exact = balance(setting, simple, [])
            if exact is not None and (document := _upper_proof(statement, setting, exact, [])) is not None:
                return document
    return None


def _upper_proof(
    statement: Statement, setting: Setting, x: list[Fraction], null: list[Direction]
) -> Certificate | None:
    m = len(setting.conditions)
    forms = zip((*setting.conditions, *setting.metrics), x, strict=True)
    bound = sum((f.constant * w for f, w in forms if f.constant), Fraction(0))
    claim = {**statement, "sense": "at most", "claimed": str(decimal(bound, up=True))}
    proof: dict[str, Any] = {
        "by": "multipliers",
        "shares": [str(w) for w in x[m:]],
        "multipliers": [[k, str(w)] for k, w in enumerate(x[:m]) if w],
    }
    if null and balls.is_rational(statement["numbers"]):
        proof["null"] = [{name: str(c) for name, c in v.items()} for v in null]
    return _certificate_of(claim, proof)


def lower(statement: Statement) -> Certificate:
    """The certificate of a lower bound on the worst case, by an example. Raises NoSolution where none is shown."""
    if curvatures.is_quadratic(statement):
        return _lower_proof(statement, curvatures.proof_below(statement))
    if any(part["class"] in NECESSARY_ONLY for part in statement["parts"]):
        return _lower_proof(statement, matrices.worst(statement))
    setting = Setting(statement, exact=False)
    arrays = _arrays(setting)
    reason = solve.NoSolution("no rounding of the solver's answer is an example")
    for margin in LOWER:
        try:
            gram, values = solve.example(arrays, margin)
        except solve.NoSolution as failure:
            reason = failure
            continue
        for vectors in _factors(gram):
            proof = {
                "by": "vectors",
                "vectors": {n: [str(_fraction(x)) for x in vectors[k]] for n, k in setting.basis.items()},
                "values": {n: str(_fraction(values[k])) for n, k in setting.names.items()},
            }
            try:
                return _lower_proof(statement, proof)
            except solve.NoSolution as failure:
                reason = failure
    raise reason


def _lower_proof(statement: Statement, proof: dict[str, Any]) -> Certificate:
    """With the metric that the example has, rounded down."""
    claim = {**statement, "sense": "at least"}
    setting = Setting(claim, exact=False)
    basis, values = example_basis(claim, setting, proof)
    inner = inner_products(setting, basis, Ball.of)
    level = min(value_of(f, values, inner, Ball.of).low for f in setting.metrics)
    claim["claimed"] = str(decimal(Fraction(level, 1 << balls.BITS), up=False))
    if (document := _certificate_of(claim, proof)) is None:
        raise solve.NoSolution("no rounding of the solver's answer is an example")
    return document


# ------------------------------------------------------------------------------------------ null vectors


def null_vectors(statement: Statement, setting: Setting) -> list[Direction]:
    """Directions in which the Gram matrix may grow without end, so that a proof's matrix is 0 on them.

    Where a function and a set have a minimizer between them, a linear function added to the first, in a direction
    orthogonal to all points, changes nothing: all gradients move alike.
    """
    directions = []
    for part in statement["parts"]:
        answers = [p["g"] for p in part["points"]]
        if answers and answers[0] and all(list(g.values()) == ["1"] for g in answers):
            directions.append({n: Fraction(1) for g in answers for n in g})
    return [v for v in directions if _grows(_as_array(v, setting), setting)]


def _grows(e: np.ndarray, setting: Setting) -> bool:
    """Does no condition and no metric fall when the Gram matrix grows in a direction?"""
    rows = [sum(solve.midpoint(c) * e[k] for k, c in vec.items()) for vec in setting.vectors]
    return all(
        sum(float(c) * rows[a] * rows[b] for c, a, b in f.products) > -1e-12
        for f in (*setting.conditions, *setting.metrics)
        if not _is_far(f)
    )


def _as_array(v: Direction, setting: Setting) -> np.ndarray:
    return np.array([float(v.get(name, 0)) for name in setting.basis])


def _rows_of_null(statement: Statement, null: list[Direction]) -> list[dict[Any, Fraction]]:
    """For each condition and metric what its matrix does to the null vectors, exactly: rows that must cancel."""
    if not null:
        return []
    exact = balls.is_rational(statement["numbers"])
    setting = Setting(statement, exact)
    if not exact:
        setting.vectors = [{k: _midpoint(c) for k, c in v.items()} for v in setting.vectors]
    out = []
    for f in (*setting.conditions, *setting.metrics):
        row: dict[Any, Fraction] = {}
        for n, v in enumerate(() if _is_far(f) else null):
            at = {setting.basis[name]: c for name, c in v.items()}
            products: dict[tuple[int, int], Fraction] = {}
            for c, a, b in f.products:
                products[a, b] = products.get((a, b), Fraction(0)) + c
            row |= {(n, k): x for k, x in image(setting, products, at).items() if x}
        out.append(row)
    return out


def _certificate_of(claim: Statement, proof: dict[str, Any]) -> Certificate | None:
    document = certificate.certificate(claim, "holds", proof)
    try:
        certificate.check(document)
    except Wrong:
        return None
    return document


def _factors(gram: np.ndarray) -> list[np.ndarray]:
    """Rows (d, r) whose products are nearly the matrix, those of the fewest dimensions first."""
    sizes, directions = np.linalg.eigh(gram)
    sizes = np.maximum(sizes, 0.0)
    out: dict[int, np.ndarray] = {}
    for smallest in SMALLEST:
        large = sizes > smallest * sizes[-1]
        out[int(large.sum())] = (directions[:, large] * np.sqrt(sizes[large]))[:, ::-1]
    return list(out.values())


def _midpoint(x: Ball) -> Fraction:
    return Fraction((x.low + x.high) >> (balls.BITS - ROOT_BITS), 2 << ROOT_BITS)


def _fraction(x: float) -> Fraction:
    return Fraction(round(float(x) * (1 << BITS)), 1 << BITS)


def decimal(x: Fraction, up: bool) -> Fraction:
    """A decimal of few digits, above or below."""
    if x == 0:
        return x
    scale = Fraction(10) ** (DIGITS - 1 - math.floor(math.log10(abs(float(x)))))
    multiple = x * scale
    return Fraction(math.ceil(multiple) if up else math.floor(multiple)) / scale


def balance(
    setting: Setting, weights: Iterable[Any], more: list[dict[Any, Fraction]]
) -> list[Fraction] | None:
    """Multipliers in fractions whose values cancel exactly: a few, the largest, make up for the rounding of others.

    weights: (m + k,) of conditions and metrics. more: for each, what must cancel besides.
    """
    m = len(setting.conditions)
    x = [w if isinstance(w, Fraction) else _fraction(max(w, 0.0)) for w in weights]
    columns: list[dict[Any, Fraction]] = [
        {**f.values, **({-1: Fraction(1)} if k >= m else {}), **(more[k] if more else {})}
        for k, f in enumerate((*setting.conditions, *setting.metrics))
    ]
    residual: dict[Any, Fraction] = {-1: Fraction(-1)}
    for column, w in zip(columns, x, strict=True):
        for row, c in column.items():
            residual[row] = residual.get(row, Fraction(0)) + c * w
    for k, change in _repair(columns, x, residual).items():
        x[k] -= change
        if x[k] < 0:
            return None
    return x


def _repair(
    columns: list[dict[Any, Fraction]], x: list[Fraction], residual: dict[Any, Fraction]
) -> dict[Any, Fraction]:
    """Column -> change with sum change column = residual, by elimination with the columns of the largest numbers."""
    open_rows = {row for row, r in residual.items() if r}
    rows = {row for column in columns for row in column} | open_rows
    pivots: list[tuple[int, int, dict[Any, Fraction]]] = []  # (row, column, column reduced by those before)
    order = sorted((k for k in range(len(columns)) if x[k]), key=lambda k: -x[k])
    for k in order:
        if len(pivots) == len(rows):
            break
        remainder = dict(columns[k])
        for row, _, other in pivots:
            if c := remainder.get(row):
                for r, v in other.items():
                    remainder[r] = remainder.get(r, Fraction(0)) - c * v
        live = [r for r, v in remainder.items() if v]
        if live:
            row = live[0]
            unit = remainder[row]
            pivots.append((row, k, {r: v / unit for r, v in remainder.items() if v}))
    return _solve([(k, columns[k]) for _, k, _ in pivots], residual)


def _solve(
    picks: list[tuple[int, dict[Any, Fraction]]], residual: dict[Any, Fraction]
) -> dict[Any, Fraction]:
    """The combination of independent columns that is the residual; {} for a residual outside their span."""
    system = [(dict(column), {k: Fraction(1)}) for k, column in picks]
    total: dict[Any, Fraction] = {}
    rest = dict(residual)
    earlier: list[tuple[int, dict[Any, Fraction], dict[Any, Fraction]]] = []
    for column, document in system:
        for row, other, other_made in earlier:
            if c := column.get(row):
                _subtract(column, other, c)
                _subtract(document, other_made, c)
        row = next(r for r, v in column.items() if v)
        unit = column[row]
        earlier.append(
            (row, {r: v / unit for r, v in column.items()}, {r: v / unit for r, v in document.items()})
        )
    for row, column, document in earlier:
        if c := rest.get(row):
            _subtract(rest, column, c)
            for k, v in document.items():
                total[k] = total.get(k, Fraction(0)) + c * v
    return total


def _subtract(target: dict[Any, Fraction], other: dict[Any, Fraction], factor: Fraction) -> None:
    for r, v in other.items():
        target[r] = target.get(r, Fraction(0)) - factor * v
