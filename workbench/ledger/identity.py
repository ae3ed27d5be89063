"""Exact identities between two expressions, for all values of their symbols, or for all n by induction.

A false identity is refuted by exact values. A true one is proved by normal forms (`algebra`), the way in which it is
re-checked. Where these do not suffice, SymPy reduces the differences to zero: sums, products and indexed symbols that
remain are treated as unknowns after the last term of each has been split off.
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
from typing import Any

from sympy import (
    Add,
    Expr,
    Indexed,
    Integer,
    Mul,
    Pow,
    Product,
    Rational,
    S,
    Sum,
    Symbol,
    expand,
    factor_terms,
    simplify,
)

from workbench.ledger import certificate, rewriting
from workbench.ledger.from_sympy import tree
from workbench.ledger.outcome import Outcome, holds, refuted, undecided
from workbench.ledger.trees import Wrong
from workbench.theory.lemma import Identity

TRIALS = 4  # values at which both sides agree before the search for others ends
DRAWS = 40
# Factors of the values at which sides are tried to have one.
SCALES = tuple(Rational(q) for q in ("1", "1/100", "10", "1/10000", "1000"))
SEED = 7
ELEMENTS = 12  # of a sequence that get a value
FIRST_TERMS = 5  # values of n at which an induction is tested with random numbers before it is proved
LARGEST = 4000  # operations beyond which an expansion is not attempted
LONG = 60  # terms of a sum that is not written out
NAMES = {"algebra": "normal forms", "induction": "induction"}


def decide(check: Identity, statement: dict[str, Any]) -> Outcome:
    """Holds, violated with exact values, or inconclusive. The re-checker's own algebra is asked first.

    What only SymPy shows to be zero is not called true: SymPy's rules hold for generic values.
    """
    some = {} if certificate.everywhere(statement) else {"example": _valued(check, statement)}
    for proof in _proofs(check):
        with contextlib.suppress(Wrong, ArithmeticError):
            certificate.identity(statement, proof | some)
            where = " wherever both sides have a value" if some else ""
            return holds(NAMES[proof["by"]], f"the difference is zero{where}", proof | some)
    if found := _refuted(check, statement):
        return found
    if some and not some["example"]:
        return undecided(
            "values", "no point was found at which both sides have a value", "a box in which they have"
        )
    parts = {"difference": check.lhs - check.rhs} if check.n is None else _induction(check)
    for name, part in parts.items():
        e = _without_unknowns(part)
        if e.count_ops() > LARGEST:
            return undecided(
                "SymPy", f"the {name} has {e.count_ops()} operations", "a statement in smaller parts"
            )
        if not rewriting.is_zero(e):
            shown = str(simplify(e))[:80]
            what = "the inductive step" if check.n is not None else "the difference"
            return undecided("SymPy", f"{what} leaves {shown}", "a form that SymPy can reduce")
    return undecided("SymPy", "only SymPy shows it, which is not re-checked", "a form in powers, exp and log")


def _proofs(check: Identity) -> list[dict[str, Any]]:
    """Candidates: lhs - rhs is multiplied by 1, by the last factor of a product or by a recursion's own factor."""
    if check.n is None:
        return [{"by": "algebra"}]
    found: list[Expr] = [S.One]
    for a in check.lhs.atoms(Product) | check.rhs.atoms(Product):
        k, _, high = a.limits[0]
        if len(a.limits) == 1 and high == check.n:
            found.append(a.function.xreplace({k: check.n + 1}))
    for target, value in check.recursion.items():
        if target.has(check.n):
            found.append(expand(value).coeff(target.xreplace({check.n: check.n - 1})))
    trees = [tree(factor) for factor in dict.fromkeys(found) if factor != 0]
    return [{"by": "induction", "multiplier": t} for t in trees]


# ------------------------------------------------------------------------------------------------ refutation


def _refuted(check: Identity, statement: dict[str, Any]) -> Outcome | None:
    """Compares both sides, written out, at random rationals; None if they never differ (or have no numeric value)."""
    rng = random.Random(SEED)
    starts = range(check.start, check.start + FIRST_TERMS) if check.n is not None else (None,)
    for n in starts:
        e = check.lhs - check.rhs
        if n is not None:
            e = _unrolled(e.subs(check.n, n), check, n)
        e = written_out(e)
        zeros = 0
        for _ in range(DRAWS):
            values = {a: _random_value(a, rng) for a in sorted(_atoms(e), key=str)}
            value = written_out(
                e.subs({a: v for a, v in values.items() if isinstance(a, Indexed)}).subs(values)
            )
            if not _surely_not_zero(value):
                zeros += 1
                if zeros == TRIALS:
                    break
                continue
            point = {str(a): str(v) for a, v in values.items()}
            if n is not None:
                point = {str(check.n): str(n), **point}
            full = {**{name: _plain(side) for name, side in statement["box"].items()}, **point}
            with contextlib.suppress(Wrong, ArithmeticError):  # a root of something negative, for example
                certificate.refute(statement, full)
                at = ", ".join(f"{k} = {v}" for k, v in point.items())
                found = refuted("exact values", full, f"fails at {at[:120]}")
                return dataclasses.replace(found, witness=point)
    return None


def _valued(check: Identity, statement: dict[str, Any]) -> dict[str, str]:
    """A point at which both sides have a value; empty if none is found."""
    rng, sides = random.Random(SEED), (check.lhs, check.rhs)
    drawn: set[Expr] = {
        a for a in check.lhs.free_symbols | check.rhs.free_symbols if str(a) in statement["box"]
    }
    # Elements of sequences, as far as indices and limits that are drawn reach.
    bases = {
        i.base for side in (*sides, *check.recursion, *check.recursion.values()) for i in side.atoms(Indexed)
    }
    drawn |= {base[k] for base in bases for k in range(ELEMENTS)}
    ordered = sorted(drawn, key=str)
    for draw in range(4 * DRAWS):
        scale = SCALES[draw % len(SCALES)]
        point = {name: _plain(side) for name, side in statement["box"].items()}
        point |= {str(a): str(_random_value(a, rng) * (1 if a.is_integer else scale)) for a in ordered}
        point |= {} if check.n is None else {str(check.n): str(check.start)}
        with contextlib.suppress(Wrong, ArithmeticError):
            certificate.valued(statement, point)
            return point
    return {}


def _plain(side: list[Any]) -> str:
    """A value of a variable on which the difference does not depend."""
    low, high = side[:2]
    return "1" if low in ("-oo", "0", "1") and high in ("oo", "1") else (low if low != "-oo" else high)


def written_out(e: Expr) -> Expr:
    """Expands sums and products with numeric limits; sums of more than LONG terms are left as they are."""

    def short(x: Expr) -> bool:
        if not isinstance(x, (Sum, Product)) or not all(a.is_Integer for lim in x.limits for a in lim[1:]):
            return False
        return isinstance(x, Product) or len(x.limits) > 1 or x.limits[0][2] - x.limits[0][1] < LONG

    return e.replace(short, lambda x: x.doit())


def _unrolled(e: Expr, check: Identity, n: int) -> Expr:
    """The expression with sequences unrolled by the recursion, from their values at `start` up to n."""
    e = written_out(e)
    for k in range(n - 1, check.start - 1, -1):
        for target, value in check.recursion.items():
            e = e.subs(target.subs(check.n, k), value.subs(check.n, k))
    return e.subs({target: value for target, value in check.recursion.items() if not target.has(check.n)})


def _atoms(e: Expr) -> set[Expr]:
    indexed = e.atoms(Indexed)
    bases = {s for i in indexed for s in i.base.free_symbols}
    return indexed | {s for s in e.free_symbols if s not in bases and not isinstance(s, Indexed)}


def _random_value(a: Expr, rng: random.Random) -> Rational:
    if a.is_integer:
        return Integer(rng.randint(1, 9))
    value = Rational(rng.randint(1, 30), rng.randint(1, 12))
    return value if a.is_nonnegative or not a.is_symbol else value * rng.choice((1, -1))


def _surely_not_zero(value: Expr) -> bool:
    """Whether a number is nonzero: exactly for rationals, with 60 digits otherwise."""
    if value.is_Rational:
        return bool(value != 0)
    if not value.is_number or value.has(S.NaN, S.ComplexInfinity, S.Infinity):
        return False
    number = value.evalf(60)
    size = sum(abs(complex(a.evalf(15))) for a in Add.make_args(value)) or 1.0
    return bool(number.is_number and abs(complex(number)) > 1e-12 * size)


# ------------------------------------------------------------------------------------------------ induction


def _induction(check: Identity) -> dict[str, Expr]:
    """Base and step. The hypothesis lhs(n) = rhs(n) is substituted if lhs is a single sum, product or sequence."""
    n: Any = check.n
    base = written_out((check.lhs - check.rhs).subs(n, check.start))
    base = written_out(base.subs(check.recursion))
    ends = [end for side in (check.lhs, check.rhs) for end in _ends(side, n)]
    down_to = min(ends, default=0)
    after_l = split_off(check.lhs.subs(n, n + 1), n, down_to).subs(check.recursion)
    after_r = split_off(check.rhs.subs(n, n + 1), n, down_to).subs(check.recursion)
    single = isinstance(check.lhs, (Sum, Product, Indexed))
    if single and all(end == down_to for end in _ends(check.lhs, n)):
        step = after_l.subs(check.lhs, check.rhs) - after_r
    else:
        step = (after_l - check.lhs) - (after_r - check.rhs)
    return {"base": base, "step": linear(expand(split_off(linear(expand(step)), n, down_to)))}


def _ends(e: Expr, n: Symbol) -> list[Expr]:
    """Upper limits of sums and products relative to n, for those of the form n plus a number."""
    ends = [a.limits[0][2] - n for a in e.atoms(Sum, Product)]
    return [d for d in ends if d.is_Integer]


def split_off(e: Expr, n: Symbol, down_to: Expr = S.Zero) -> Expr:
    """Every sum and product with upper limit n + d, d > `down_to`, as a shorter one and its last terms."""
    if isinstance(e, (Sum, Product)):
        k, low, high = e.limits[0]
        ahead = high - n
        if ahead.is_Integer and ahead > down_to:
            # Take the last term from the unsplit body, since inner ranges may be empty there.
            last = split_off(_empty(e.function.subs(k, high)), n, down_to)
            body = split_off(e.function, n, down_to)
            shorter = split_off(e.func(e.function, (k, low, high - 1)), n, down_to)
            if isinstance(e, Product):
                return shorter * last
            one_less = linear(Sum(expand(body), (k, low, high - 1))) if ahead - 1 == down_to else shorter
            return one_less + last
        return _empty(e.func(split_off(e.function, n, down_to), (k, low, high)))
    if e.args and not isinstance(e, Indexed):
        return e.func(*(split_off(a, n, down_to) for a in e.args))
    return e


def _empty(e: Expr) -> Expr:
    """Replaces sums by 0 and products by 1 where the limits show that they are empty."""
    if isinstance(e, (Sum, Product)):
        _, low, high = e.limits[0]
        if simplify(high - low + 1) == 0:
            return S.Zero if isinstance(e, Sum) else S.One
    if e.args and not isinstance(e, Indexed):
        return e.func(*(_empty(a) if isinstance(a, Expr) else a for a in e.args))
    return e


def linear(e: Expr) -> Expr:
    """Splits sums of sums, and moves factors without the summation index out of each."""
    if isinstance(e, Sum):
        k = e.limits[0][0]
        total = S.Zero
        for term in Add.make_args(expand(linear(e.function))):
            inside, outside = S.One, S.One
            for f in Mul.make_args(factor_terms(term)):
                if f.has(k):
                    inside *= f
                else:
                    outside *= f
            total += outside * Sum(inside, e.limits[0])
        return total
    if isinstance(e, (Add, Mul, Pow)):
        return e.func(*(linear(a) for a in e.args))
    return e


def _without_unknowns(e: Expr) -> Expr:
    """Replaces the remaining sums, products and indexed symbols by new symbols."""
    names: dict[Expr, Symbol] = {}

    def symbol(x: Expr) -> Expr:
        if isinstance(x, (Sum, Product, Indexed)):
            return names.setdefault(x, Symbol(f"u{len(names)}", real=True))
        if x.args:
            return x.func(*(symbol(a) for a in x.args))
        return x

    return symbol(e)
