"""SymPy expressions as trees (`workbench.ledger.trees`), and checks as statements (`workbench.ledger.certificate`).

What is certified is the statement that is written here: every certificate shows it as it was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import (
    Add,
    Expr,
    Integer,
    Sum,
    Symbol,
    expand,
)
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Relational

from workbench.ledger.from_sympy import Untranslatable, tree
from workbench.ledger.statements import with_values
from workbench.theory.lemma import (
    Box,
    Check,
    Exact,
    Identity,
    Induction,
    Inequality,
    Interval,
    LinearProgram,
    declared_domain,
    symbols_of,
)


def condition(relation: Relational) -> list[Any]:
    """[tree, sign]: the relation as "tree >= 0", "tree > 0" or "tree = 0"."""
    if isinstance(relation, Eq):
        return [tree(relation.lhs - relation.rhs), "="]
    if isinstance(relation, (Le, Lt)):
        return [tree(relation.rhs - relation.lhs), ">=" if isinstance(relation, Le) else ">"]
    if isinstance(relation, (Ge, Gt)):
        return [tree(relation.lhs - relation.rhs), ">=" if isinstance(relation, Ge) else ">"]
    raise Untranslatable(f"the condition {relation} is neither an inequality nor an equation")


def box(domain: Box) -> dict[str, list[Any]]:
    """Symbol name -> [low, high, low open, high open, integer]; ends as "1/3", "oo", "-oo"."""
    return {s.name: _side(i) for s, i in sorted(domain.items(), key=lambda item: item[0].name)}


def _side(i: Interval) -> list[Any]:
    if i.integer:
        return [str(i.least), str(i.most), not i.least.is_finite, not i.most.is_finite, True]
    return [str(i.low), str(i.high), i.low_open, i.high_open, False]


def statement(check: Check, values: Mapping[Symbol, Expr] | None = None) -> dict[str, Any]:
    """A check as JSON, its constants at their printed values or at the given ones.

    Raises Untranslatable for an expression outside the language, ValueError for a program that is not linear.
    """
    if isinstance(check, Exact):
        return with_values(check.statement, {**check.constants, **(values or {})})
    if isinstance(check, Identity):
        return _identity(check)
    if isinstance(check, LinearProgram):
        return _program(check)
    if not isinstance(check, (Inequality, Induction)):
        raise ValueError(f"{check.name!r} is measured along runs and is no statement for a re-checker")
    known = {c.symbol: c.printed for c in check.constants} | dict(values or {})
    given = [g.xreplace(known) for g in check.given]
    shared = {
        "box": box({s: i for s, i in check.box.items() if s not in known}),
        # SymPy has already decided conditions without symbols.
        "given": [condition(g) for g in given if isinstance(g, Relational)]
        + [[["q", "-1"], ">="] for g in given if g == False],  # noqa: E712
    }
    if isinstance(check, Inequality):
        return {
            "kind": "inequality",
            "lhs": tree(check.lhs.xreplace(known)),
            "rhs": tree(check.rhs.xreplace(known)),
            **shared,
        }
    index, low, _ = check.total.limits[0]
    return {
        "kind": "induction",
        "op": "sum" if isinstance(check.total, Sum) else "prod",
        "index": index.name,
        "low": int(low),
        "term": tree(check.total.function.xreplace(known)),
        "bound": tree(check.bound.xreplace(known)),
        "n": check.n.name,
        "start": check.start,
        **shared,
    }


def _identity(check: Identity) -> dict[str, Any]:
    domain = box(
        {
            s: declared_domain(s)
            for s in symbols_of(check.lhs, check.rhs, *check.recursion.values())
            if s != check.n
        }
    )
    if check.n is not None:
        domain[check.n.name] = [str(check.start), "oo", False, True, True]
    rules = [
        [str(target.base.label), int(k) if (k := target.indices[0]).is_Integer else None, tree(value, True)]
        for target, value in check.recursion.items()
    ]
    return {
        "kind": "identity",
        "lhs": tree(check.lhs, True),
        "rhs": tree(check.rhs, True),
        "box": domain,
        "n": None if check.n is None else check.n.name,
        "start": None if check.n is None else check.start,
        "rules": rules,
    }


def _program(check: LinearProgram) -> dict[str, Any]:
    objective, constant = _linear(check.objective, "the objective")
    rows = []
    for c in check.constraints:
        if isinstance(c, (Lt, Gt)) or not isinstance(c, (Le, Ge, Eq)):
            raise ValueError(f"{check.name!r}: the constraint {c} is not <=, >= or =")
        row, right = _linear(c.rhs - c.lhs if isinstance(c, Ge) else c.lhs - c.rhs, f"the constraint {c}")
        rows.append([row, "=" if isinstance(c, Eq) else "<=", str(-right)])
    return {
        "kind": "program",
        "sense": check.sense,
        "relation": check.relation,
        "claimed": str(check.claimed),
        "objective": objective,
        "constant": str(constant),
        "rows": rows,
    }


def _linear(e: Expr, what: str) -> tuple[dict[str, str], Expr]:
    """({symbol: coefficient}, constant). Raises ValueError."""
    row, constant = {}, Integer(0)
    for term in Add.make_args(expand(e)):
        c, factor = term.as_coeff_Mul(rational=True)
        if isinstance(factor, Symbol):
            row[factor.name] = str(c)
        elif factor == 1:
            constant = c
        else:
            raise ValueError(f"{what} is not linear with rational coefficients")
    return row, constant


def exact(check: Check) -> Exact:
    """A check in SymPy as one in the re-checker's language. Raises Untranslatable."""
    if isinstance(check, Exact):
        return check
    constants = getattr(check, "constants", ())
    common = {
        name: getattr(check, name)
        for name in ("form", "shows", "expected", "erratum", "note", "budget", "name")
    }
    free = {c.symbol: c.symbol for c in constants}
    return Exact(
        **common,
        statement=statement(check, free),
        constants={c.symbol.name: tree(c.printed) for c in constants},
        stronger={c.symbol.name: c.stronger for c in constants},
        witness={str(k): str(v) for k, v in getattr(check, "witness", {}).items()},
    )
