"""Normal forms as trees, for searches: a positive multiple of a tree without negative powers and common factors.

The forms are those of `algebra`, so that the re-checker sees at once that they are multiples. Nothing rests on this
file.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from workbench.ledger import calculus
from workbench.ledger.algebra import CONSTANT, Algebra, Form, add, monomial_product
from workbench.ledger.intervals import Interval
from workbench.ledger.trees import ONE, ZERO, Tree, Wrong

ROUNDS = 12  # of clearing denominators


@dataclass
class Normal:
    """multiplier * tree = weight * sum of terms. terms: (coefficient, tree of the monomial)

    multiplier: factors > 0. weight: factors >= 0.
    """

    algebra: Algebra
    form: Form
    multiplier: list[Tree]
    weight: list[Tree]

    @property
    def terms(self) -> list[tuple[Fraction, Tree]]:
        return [(c, monomial(self.algebra, m)) for m, c in sorted(self.form.items())]

    @property
    def tree(self) -> Tree:
        return sum_tree(self.terms)


def of(tree: Tree, box: dict[str, Interval]) -> Normal:
    """The normal form. Raises Wrong if it is too large."""
    algebra = Algebra(box)
    form, multiplier = algebra.form(tree), []
    for _ in range(ROUNDS):
        lift = _lift(algebra, form)
        if lift is None:
            break
        g, e, sign = lift
        form = add(
            *(
                algebra.tidy(monomial_product(m, ((g, e),)), c * (sign if e.numerator % 2 else 1))
                for m, c in form.items()
            )
        )
        base = tree_of_unknown(algebra, g)
        multiplier.append(power(base if sign > 0 else ["*", ["q", "-1"], base], e))
    if (common := _common_sum(algebra, form)) is not None:
        divisor, form = common
        multiplier.append(["^", tree_of(algebra, divisor), "-1"])
    form, weight = _without_weight(algebra, form)
    if form:
        size = min(abs(c) for c in form.values())
        form = {m: c / size for m, c in form.items()}
        multiplier.append(["q", str(1 / size)])
    return Normal(algebra, form, [factor for factor in multiplier if factor != ONE], weight)


def _lift(algebra: Algebra, form: Form) -> tuple[int, Fraction, int] | None:
    """An unknown that has a sign, the power of it that leaves no negative power and no common factor, and the sign."""
    least: dict[int, Fraction] = {}
    for g in {g for m in form for g, _ in m}:
        least[g] = min(dict(m).get(g, Fraction(0)) for m in form)
    for g in sorted(least, key=lambda g: (least[g] > 0, -g)):
        if not least[g]:
            continue
        if _positive(algebra, g):
            return g, -least[g], 1
        below = ["*", ["q", "-1"], tree_of_unknown(algebra, g)]
        if least[g].denominator == 1 and calculus.has_sign(below, algebra.box, "> 0"):
            return g, -least[g], -1
    return None


def _without_weight(algebra: Algebra, form: Form) -> tuple[Form, list[Tree]]:
    """A form without its common factors that are never negative, but may vanish, and these factors."""
    weight = []
    for g in {g for m in form for g, _ in m}:
        e = min(dict(m).get(g, Fraction(0)) for m in form)
        if (
            e >= 1
            and e.denominator == 1
            and calculus.has_sign(tree_of_unknown(algebra, g), algebra.box, ">= 0")
        ):
            form = {monomial_product(m, ((g, -e),)): c for m, c in form.items()}
            weight.append(power(tree_of_unknown(algebra, g), e))
    if (common := _common_sum(algebra, form, ">= 0")) is not None:
        divisor, form = common
        weight.append(tree_of(algebra, divisor))
    return form, weight


def _common_sum(algebra: Algebra, form: Form, sign_of_it: str = "> 0") -> tuple[Form, Form] | None:
    """A positive sum of several terms that divides a form, and the quotient: all coefficients of the powers of an
    unknown are multiples of it by monomials."""
    for g in {g for m in form for g, _ in m}:
        groups: dict[Fraction, Form] = {}
        for m, c in form.items():
            groups.setdefault(dict(m).get(g, Fraction(0)), {})[tuple(p for p in m if p[0] != g)] = c
        divisor, *others = groups.values()
        if not others or len(divisor) < 2 or any(len(other) != len(divisor) for other in others):
            continue
        quotient: Form = {}
        for e, other in groups.items():
            ratio, q = _ratio(other, divisor)
            if not q:
                break
            quotient[monomial_product(ratio, ((g, e),) if e else ())] = q
        if len(quotient) < len(groups):
            continue
        for one, other in ((divisor, quotient), (quotient, divisor)):
            for sign in (1, -1):
                own = {m: sign * c for m, c in one.items()}
                if len(own) > 1 and calculus.has_sign(tree_of(algebra, own), algebra.box, sign_of_it):
                    return own, {m: sign * c for m, c in other.items()}
    return None


def _ratio(a: Form, b: Form) -> tuple[tuple, Fraction]:
    """The monomial and its coefficient by which a is a multiple of b; coefficient 0 if it is none."""
    for lead, c in a.items():
        (first, d) = next(iter(b.items()))
        ratio = monomial_product(lead, tuple((g, -e) for g, e in first))
        if {monomial_product(m, ratio): q * c / d for m, q in b.items()} == a:
            return ratio, c / d
    return CONSTANT, Fraction(0)


def _positive(algebra: Algebra, g: int) -> bool:
    return algebra.signs[g] == 2 or calculus.has_sign(tree_of_unknown(algebra, g), algebra.box, "> 0")


def sum_tree(terms: list[tuple[Fraction, Tree]]) -> Tree:
    parts = [_multiple(c, t) for c, t in terms]
    return ["+", *parts] if len(parts) > 1 else (parts[0] if parts else ZERO)


def _multiple(c: Fraction, t: Tree) -> Tree:
    if t == ONE:
        return ["q", str(c)]
    if c == 1:
        return t
    return ["*", ["q", str(c)], *(t[1:] if not isinstance(t, str) and t[0] == "*" else [t])]


def tree_of(algebra: Algebra, form: Form) -> Tree:
    return sum_tree([(c, monomial(algebra, m)) for m, c in sorted(form.items())])


def monomial(algebra: Algebra, m: tuple) -> Tree:
    if m == CONSTANT:
        return ONE
    factors = [power(tree_of_unknown(algebra, g), e) for g, e in m]
    return factors[0] if len(factors) == 1 else ["*", *factors]


def power(tree: Tree, e: Fraction) -> Tree:
    """tree^e, with the exponent inside of an exponential or symbolic power."""
    if e == 1:
        return tree
    if not isinstance(tree, str) and tree[0] in ("exp", "pow"):
        return [*tree[:-1], _multiple(e, tree[-1])]
    return ["^", tree, str(e)]


def tree_of_unknown(algebra: Algebra, g: int) -> Tree:
    """The tree that an unknown stands for. Raises Wrong for sequences, sums and products."""
    head, *rest = algebra.unknowns[g]
    if head in ("variable", "prime"):
        return rest[0] if head == "variable" else ["q", str(rest[0])]
    if head in ("pi", "e"):
        return [head]
    if head == "form":
        return tree_of(algebra, algebra.parts[g])
    if head == "power":
        base, exponent = tree_of_unknown(algebra, rest[0]), monomial(algebra, rest[1])
        return ["exp", exponent] if base == ["e"] else ["pow", base, exponent]
    if head == "log":
        return [
            "log",
            tree_of_unknown(algebra, rest[0]) if isinstance(rest[0], int) else ["q", str(rest[0][1])],
        ]
    if head == "symbolic":
        return ["pow", *(tree_of(algebra, dict(part)) for part in rest)]
    if head in ("at", "sum", "prod", "call"):
        raise Wrong("no expression in variables")
    return [head, *(tree_of(algebra, dict(part)) for part in rest)]
