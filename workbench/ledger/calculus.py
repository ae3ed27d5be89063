"""Rules of calculus for inequalities: each makes statements that together imply one, and searches for nothing.

`RULES` has a function for every rule: (statement lhs <= rhs, proof) -> {name: statement}. If each of these statements
is proved, the first is true: both sides have a value at every point of its box at which its conditions hold, and
lhs <= rhs there. A function raises Wrong, or Undefined, where its rule does not apply. Below, f is rhs - lhs.

* ``monotone``: f >= 0 at x = c, or in the limit from above if c is the lower end of x; its derivative in x is >= 0
  for x > c and <= 0 for x < c.
* ``convex``: f >= 0 and f' = 0 at x = v, where v does not depend on x; f'' >= 0.
* ``scaling``: a positive multiple of f is another difference, or one times a weight >= 0.
* ``logarithm``: log lhs <= log rhs. ``exponential``: e^lhs <= e^rhs.
* ``substitution``: x = t + c, 1/t, t^q, e^t, or v t or v + t with an expression v in the other variables.
* ``wider``: the same for every x > 0 in place of the numbers from a positive one on.
* ``extremes``: a maximum is at most a bound if all of its arguments are, and a minimum at least.
* ``general``: the statement for every value of a new variable; the given one is a case of it.

Derivatives need functions that have them: no case distinction, absolute value, maximum, sum or sequence is let
through. Such a function is continuous wherever it has a value, and differentiable inside any interval on which it and
the tree of its derivative have values. Conditions that contain the variable which is moved are dropped, since the path
may leave them. Re-checking trusts this file. Standard library only.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any

from workbench.ledger import algebra, trees
from workbench.ledger.intervals import Enclosure, Interval, Undefined, point, sides
from workbench.ledger.trees import ZERO, Tree, Wrong, differentiate, heads, minus, names_in, replace, require

Statement = dict[str, Any]
Proof = dict[str, Any]
SMOOTH = {"q", "pi", "e", "+", "*", "^", "exp", "log", "pow", "sin", "cos", "tanh"}
LARGEST = 1000  # nodes of a tree that is differentiated, or in which something is put in place of a variable


def nodes(tree: Tree) -> int:
    return 1 if isinstance(tree, str) else 1 + sum(map(nodes, trees.children(tree)))


def gap(s: Statement) -> Tree:
    return minus(s["rhs"], s["lhs"])


def smooth(*parts: Tree) -> None:
    """Raises Wrong unless the trees are differentiable wherever their derivatives have values."""
    for tree in parts:
        require(heads(tree) <= SMOOTH, f"{min(heads(tree) - SMOOTH, default='')} need not have a derivative")


def derivative(tree: Tree, x: str) -> Tree:
    small(tree)
    return differentiate(tree, x)


def small(*parts: Tree) -> None:
    require(sum(map(nodes, parts)) <= LARGEST, "a rule for a very large expression")


def require_value(tree: Tree, box: dict[str, Interval]) -> None:
    """Raises Wrong unless a smooth tree has a value on the whole box: by its enclosure, or need by need."""
    smooth(tree)
    with contextlib.suppress(Undefined):
        Enclosure(box).value(tree)
        return
    for base, sign, _ in trees.domains(tree):
        sure = has_sign(base, box, sign) or (sign == "!= 0" and has_sign(minus(ZERO, base), box, "> 0"))
        require(sure, "an expression need not have a value")


def has_sign(tree: Tree, box: dict[str, Interval], sign: str) -> bool:
    """Is a tree "> 0" or ">= 0" on the box, by its enclosure or the signs of its terms?"""
    with contextlib.suppress(Undefined):
        low, _, never, _ = Enclosure(box).value(tree)
        if low > 0 or (low == 0 and (never or sign == ">= 0")):
            return True
    with contextlib.suppress(Wrong):
        return algebra.sign(tree, box) >= (1 if sign == ">= 0" else 2)
    return False


def hull(a: Interval, b: Interval) -> Interval:
    """The smallest interval with both; an end that one of them attains is attained."""
    low, low_open = min((a[0], a[2]), (b[0], b[2]))
    high, high_closed = max((a[1], not a[3]), (b[1], not b[3]))
    return low, high, low_open or low == -inf, not high_closed or high == inf


def without(s: Statement, x: str, **changes: Any) -> Statement:
    """The statement without the conditions that contain a variable."""
    return {**s, "given": [g for g in s["given"] if x not in names_in(g[0])], **changes}


def end(q: Any) -> str:
    return "oo" if q == inf else "-oo" if q == -inf else str(q)


def side(low: Any, high: Any, low_open: bool = True, high_open: bool = True) -> list[Any]:
    """The side of a real variable, as a box has it."""
    return [end(low), end(high), low_open, high_open, False]


def at_value(s: Statement, x: str, value: Tree) -> Statement:
    over = {x: value}
    box = {name: each for name, each in s["box"].items() if name != x}
    return without(s, x, lhs=replace(s["lhs"], over), rhs=replace(s["rhs"], over), box=box)


def monotone(s: Statement, proof: Proof) -> dict[str, Statement]:
    x, box = proof["variable"], sides(s["box"])
    require(trees.is_number(proof["from"]), "a path that starts at no number")
    c = Fraction(proof["from"])
    low, high, _, _ = box[x]
    in_limit = proof.get("limit", False)
    require(in_limit is False or (in_limit is True and c == low), "a limit that is not at the lower end")
    path = box if in_limit else {**box, x: hull(box[x], point(c))}
    for tree in (s["lhs"], s["rhs"]):
        require_value(tree, path)
    slope = derivative(gap(s), x)
    parts = {"start": at_value(s, x, ["q", str(c)])}
    if in_limit:
        others = {name: each for name, each in box.items() if name != x}
        ends = {part: limit(s[part], x, ["q", str(c)], others) for part in ("lhs", "rhs")}
        parts["start"] = {**parts["start"], **ends}
    if high > c:
        parts["above"] = without(s, x, lhs=ZERO, rhs=slope, box={**s["box"], x: side(c, high)})
    if low < c:
        parts["below"] = without(s, x, lhs=slope, rhs=ZERO, box={**s["box"], x: side(low, c)})
    return parts


def limit(tree: Tree, x: str, c: Tree, others: dict[str, Interval]) -> Tree:
    """The limit of a smooth tree as x falls to c, if that has a value at each point of the other variables' box.

    Where the tree with c in place of x has a value, it is continuous. So has a power with a symbolic exponent no value
    where its base vanishes: it falls to 0, if the exponent's limit is positive.
    """
    if isinstance(tree, str):
        return c if tree == x else tree
    if x not in names_in(tree):
        return tree
    parts = [limit(part, x, c, others) for part in trees.children(tree)]
    if tree[0] == "pow":
        base, exponent = parts
        with contextlib.suppress(Wrong):
            require_value(base, others)
            require_value(exponent, others)
            if has_sign(exponent, others, "> 0") and algebra.zero(base, others):
                return ZERO
    return [tree[0], *parts, *(tree[2:] if tree[0] == "^" else [])]


def convex(s: Statement, proof: Proof) -> dict[str, Statement]:
    x, v = proof["variable"], proof["at"]
    box = sides(s["box"])
    others = {name: each for name, each in box.items() if name != x}
    trees.well_formed(v, set(others), set())
    smooth(v)
    small(v)
    path = {**box, x: hull(box[x], Enclosure(others).value(v))}
    low, high = path[x][:2]
    for tree in (s["lhs"], s["rhs"]):
        require_value(tree, path)
    require(low < high, "a variable that does not move")
    slope = derivative(gap(s), x)
    require_value(slope, {**box, x: (low, high, True, True)})
    there = replace(slope, {x: v})
    require_value(there, others)
    require(algebra.zero(there, others), "the derivative is not shown to vanish at the point of tangency")
    curve = without(s, x, lhs=ZERO, rhs=derivative(slope, x), box={**s["box"], x: side(low, high)})
    return {"start": at_value(s, x, v), "curve": curve}


def scaling(s: Statement, proof: Proof) -> dict[str, Statement]:
    box, (lhs, rhs) = sides(s["box"]), proof["to"]
    for tree in (s["lhs"], s["rhs"]):
        require_value(tree, box)
    weight = proof.get("weight", [])
    for tree in (lhs, rhs, *proof["multiplier"], *weight):
        trees.well_formed(tree, set(box), set())
    for factor in proof["multiplier"]:
        require_value(factor, box)
        require(has_sign(factor, box, "> 0"), "a factor that may vanish or be negative")
    for factor in weight:
        require_value(factor, box)
        require(has_sign(factor, box, ">= 0"), "a weight that may be negative")
    multiple = ["*", trees.ONE, *proof["multiplier"], gap(s)]
    weighted = ["*", trees.ONE, *weight, minus(rhs, lhs)]
    require(algebra.zero(minus(multiple, weighted), box), "this is no such multiple")
    return {"rest": {**s, "lhs": lhs, "rhs": rhs}}


def logarithm(s: Statement, proof: Proof) -> dict[str, Statement]:
    return {"rest": {**s, "lhs": ["log", s["lhs"]], "rhs": ["log", s["rhs"]]}}


def exponential(s: Statement, proof: Proof) -> dict[str, Statement]:
    return {"rest": {**s, "lhs": ["exp", s["lhs"]], "rhs": ["exp", s["rhs"]]}}


def substitution(s: Statement, proof: Proof) -> dict[str, Statement]:
    x, kind = proof["variable"], proof["as"]
    low, high, low_open, high_open = sides(s["box"])[x]
    if kind in ("inverse", "power", "exponential"):
        positive = low > 0 or (low == 0 and (low_open or kind == "power"))
        require(positive, "a variable that need not be positive")
    if kind == "shifted":
        require(trees.is_number(proof["by_number"]), "a shift by no number")
        c = Fraction(proof["by_number"])
        value: Tree = ["+", x, ["q", str(c)]]
        new = side(low - c if low != -inf else low, high - c if high != inf else high, low_open, high_open)
    elif kind == "inverse":
        value = ["^", x, "-1"]
        new = side(0 if high == inf else 1 / high, 1 / low if low else inf, high_open, low_open)
    elif kind == "power":
        q = Fraction(proof["power"])
        usual = q > 0 and max(q.numerator, q.denominator) <= trees.LARGEST_EXPONENT
        require(usual, "a power that is not positive, or a huge one")
        value, new = ["^", x, str(q)], side(root(low, q), root(high, q), low_open, high_open)
    elif kind == "exponential":
        value, new = ["exp", x], proof["side"]
        covers(new, (low, high, low_open, high_open))
    else:
        require(kind in ("multiple", "distance"), "an unknown substitution")
        v, others = proof["of"], {name: each for name, each in sides(s["box"]).items() if name != x}
        trees.well_formed(v, set(others), set())
        small(v)
        require_value(v, others)
        if kind == "multiple":
            require((low == -inf or low >= 0) and high == inf, "a side that multiples do not keep")
            require(has_sign(v, others, "> 0"), "a factor that need not be positive")
        else:
            require(low == -inf and high == inf, "a side that a shift does not keep")
        value = ["*" if kind == "multiple" else "+", v, x]
        new = side(min(low, 0), high, low_open or low > 0, high_open)  # from a positive end on, all t > 0
    small(s["lhs"], s["rhs"], *(tree for tree, _ in s["given"]))
    over = {x: value}
    given = [[replace(tree, over), sign] for tree, sign in s["given"]]
    lhs, rhs = replace(s["lhs"], over), replace(s["rhs"], over)
    return {"rest": {**s, "lhs": lhs, "rhs": rhs, "given": given, "box": {**s["box"], x: new}}}


def root(a: Any, q: Fraction) -> Any:
    """The number whose power q is a. Raises Wrong if it is not rational."""
    if a in (0, inf):
        return a
    power = a**q.denominator
    low, high, *_ = Enclosure({}).power(point(power), Fraction(1, q.numerator))
    require(low == high and low**q.numerator == power, "an end of a side that becomes irrational")
    return low


def covers(new: list[Any], old: Interval) -> None:
    """Raises Wrong unless e^t, t on the new side, takes every value of the old one."""
    require(new[4] is False and len(new) == 5, "a side that is no interval")
    for k, beyond in ((0, lambda a, b: a < b), (1, lambda a, b: a > b)):
        if new[k] in ("-oo", "oo"):
            require(new[k] == ("-oo", "oo")[k] and new[2 + k] is True, "an infinite end that is attained")
            continue
        require(trees.is_number(new[k]) and type(new[2 + k]) is bool, "an end that is no number")
        reach = Enclosure({}).exp(point(Fraction(new[k])))
        exact = reach[0] == reach[1] == old[k] and (old[2 + k] or not new[2 + k])
        require(exact or beyond(reach[1 - k], old[k]), "the new side does not cover the old one")
    require(new[0] == "-oo" or new[1] == "oo" or Fraction(new[0]) < Fraction(new[1]), "an empty side")


def general(s: Statement, proof: Proof) -> dict[str, Statement]:
    name, (low, high), box = proof["variable"], proof["side"], sides(s["box"])
    trees.is_name(name)
    names = names_in(gap(s)).union(box, *(names_in(tree) for tree, _ in s["given"]))
    require(name not in {*names, "e", "pi"}, "the new variable is not new")
    require(trees.is_number(low) and trees.is_number(high), "a side that does not end at numbers")
    require(trees.is_number(proof["value"]), "a value that is no number")
    require(Fraction(low) <= Fraction(proof["value"]) <= Fraction(high) != Fraction(low), "a value outside")
    lhs, rhs = proof["to"]
    for tree in (lhs, rhs):
        trees.well_formed(tree, {*box, name}, set())
        smooth(tree)
    for tree in (s["lhs"], s["rhs"]):
        require_value(tree, box)
    case = replace(minus(rhs, lhs), {name: ["q", proof["value"]]})
    require(algebra.zero(minus(case, gap(s)), box), "the statement is no case of the general one")
    wider = {**s["box"], name: side(Fraction(low), Fraction(high), False, False)}
    return {"rest": {**s, "lhs": lhs, "rhs": rhs, "box": wider}}


def wider(s: Statement, proof: Proof) -> dict[str, Statement]:
    x = proof["variable"]
    low, high = sides(s["box"])[x][:2]
    require(low > 0 and high == inf, "a side that does not go on from a positive number")
    return {"rest": {**s, "box": {**s["box"], x: side(Fraction(0), inf)}}}


def extremes(s: Statement, proof: Proof) -> dict[str, Statement]:
    lhs, rhs = s["lhs"], s["rhs"]
    least = isinstance(lhs, str) or lhs[0] != "max"
    require(
        not least or (isinstance(rhs, list) and rhs[0] == "min"), "no maximum below, and no minimum above"
    )
    return {
        str(k): {**s, "rhs" if least else "lhs": part}
        for k, part in enumerate(trees.children(rhs if least else lhs))
    }


RULES: dict[str, Callable[[Statement, Proof], dict[str, Statement]]] = {
    rule.__name__: rule
    for rule in (monotone, convex, scaling, logarithm, exponential, substitution, wider, extremes, general)
}
