"""Re-checks certificates: ``python -m workbench.ledger.certificate FILE...`` (exit status 1 if one is wrong).

A certificate is {"statement", "verdict", "proof", "hash"}; the hash binds the other three. This module searches for
nothing and imports nothing that does, only its own arithmetic (`intervals`), algebra (`algebra`) and trees: from
statement and proof alone it rebuilds the verdict. Only for a proof by "solver" it asks `solvers` again. Kinds of
statements:

* ``inequality``: lhs <= rhs at every point of `box` where every condition in `given` holds. Both sides must have a
  value at each of these points, and `example` must be one of them, since otherwise the statement would say nothing.
* ``induction``: a sum or product up to n <= bound, for every n >= start. Base and step are formed here.
* ``identity``: lhs = rhs wherever both have a value; with `n`, for every n >= start, by induction. Where this is not
  shown to be everywhere in the box (`everywhere`), they have one at the point `example`. `rules` define sequences:
  [name, k, tree] the element k, [name, null, tree] the element n + 1 for every n >= start.
* ``program``: the optimum of a rational linear program and the claimed one.
* ``worst case``: the largest metric of a method over a class of functions and a number (`worst_cases`).

A box is {name: [low, high, low open, high open, integer]} with ends as "1/3", "oo", "-oo"; a condition is [tree, sign]
for tree >= 0, > 0 or = 0.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from fractions import Fraction
from itertools import product
from math import ceil, floor, inf, prod
from pathlib import Path
from typing import Any

from workbench.ledger import algebra, calculus, confined, printer, trees, worst_cases
from workbench.ledger.intervals import Enclosure, Interval, Undefined, point, sides
from workbench.ledger.trees import Tree, Wrong, differentiate, minus, names_in, number, replace, require

Statement = dict[str, Any]
LEVELS = (100, 300, 1000)  # precisions tried in turn at a point, in binary digits
SECONDS = 20.0  # for each answer of a solver
MOST_SECONDS = 30.0  # of processor time for a certificate that comes from elsewhere
MOST_CASES = 10_000  # of integer variables, counted before they are listed
SEAL = b"\nwbsha256 "


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def certificate(statement: Statement, verdict: str, proof: dict[str, Any]) -> dict[str, Any]:
    """A certificate, with its hash; whether it is right is for `check` to say."""
    bound = {"statement": statement, "verdict": verdict, "proof": proof}
    return {**bound, "hash": digest(bound)}


def check(record: dict[str, Any], statement: Statement | None = None, seconds: float = SECONDS) -> str:
    """The verdict, rebuilt from statement and proof. Raises Wrong unless it is the certificate's.

    statement: what the certificate must be about, if that is known.
    """
    try:
        require(set(record) == {"statement", "verdict", "proof", "hash"}, "a certificate has four parts")
        require(
            record["hash"] == digest({k: record[k] for k in record if k != "hash"}), "the hash is another one"
        )
        require(statement is None or record["statement"] == statement, "it is about another statement")
        well_formed(record["statement"])
        verdict = rebuilt(record["statement"], record["proof"], seconds)
        require(verdict == record["verdict"], f"the proof shows that the statement is {verdict}")
        return verdict
    except Wrong:
        raise
    except Undefined as reason:
        raise Wrong(f"not shown to have a value: {reason}") from reason
    except (
        KeyError,
        IndexError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise Wrong(f"the certificate is malformed: {type(error).__name__}: {error}") from error


def rebuilt(s: Statement, proof: dict[str, Any], seconds: float) -> str:
    if s["kind"] == "program":
        return program(s, proof)
    if s["kind"] == "worst case":
        return worst_cases.check(s, proof)
    if proof["by"] == "point":
        refute(s, proof["point"])
        return "violated"
    if s["kind"] == "identity":
        identity(s, proof)
        return "holds"
    if s["given"]:
        require(admissible(s, proof["example"]), "the example does not satisfy the conditions")
    if s["kind"] == "induction":
        induct(s, proof, seconds)
    else:
        prove(s, proof, seconds)
    return "holds"


def induct(s: Statement, proof: dict[str, Any], seconds: float) -> None:
    """Raises Wrong unless the proof shows an induction: by its parts, or with a smaller bound in between ("chain")."""
    if proof["by"] == "chain":
        smaller = {**s, "bound": proof["through"]}
        well_formed(smaller)
        induct(smaller, proof["parts"]["first"], seconds)
        return prove(comparison(s, proof["through"]), proof["parts"]["second"], seconds)
    own_parts = parts(s)
    require(
        proof["by"] == "induction" and set(proof["parts"]) == set(own_parts), "an induction has all its parts"
    )
    for name, part in own_parts.items():
        prove(part, proof["parts"][name], seconds)
    return None


# ------------------------------------------------------------------------------------------------ statements

KEYS = {
    "inequality": {"kind", "lhs", "rhs", "box", "given"},
    "induction": {"kind", "op", "index", "low", "term", "bound", "n", "start", "box", "given"},
    "identity": {"kind", "lhs", "rhs", "box", "n", "start", "rules"},
    "program": {"kind", "sense", "relation", "claimed", "objective", "constant", "rows"},
    "worst case": worst_cases.KEYS,
}


def well_formed(s: Statement) -> None:
    """Raises Wrong for a statement that is not one of the five kinds, or that has no clear meaning."""
    require(set(s) == KEYS.get(s["kind"]), "a statement of no known kind")
    if s["kind"] in ("program", "worst case"):
        return
    names, whole = set(s["box"]), {name for name, side in s["box"].items() if side[4]}
    for name in [*names, *(s[x] for x in ("n", "index") if s.get(x) is not None)]:
        trees.is_name(name)
    for low, high, *marks in s["box"].values():
        require(len(marks) == 3 and {type(mark) for mark in marks} == {bool}, "a side has three yes or no")
        require(low == "-oo" or trees.is_number(low), f"the end {low!r} of a side is no number")
        require(high == "oo" or trees.is_number(high), f"the end {high!r} of a side is no number")
    for name, (low, high, never_low, never_high) in sides(s["box"]).items():
        require(
            low < high or (low == high and not never_low and not never_high), f"the side of {name} is empty"
        )
        for end, never in ((low, never_low), (high, never_high)):
            if end in (inf, -inf):
                require(never, f"an infinite end of {name} is attained")
            elif name in whole:
                require(
                    end.denominator == 1 and not never, f"the integers of {name} do not end at an integer"
                )
    if s["kind"] == "induction":
        require(type(s["start"]) is int and type(s["low"]) is int, "a start that is no integer")
        require(s["op"] in ("sum", "prod") and s["start"] >= s["low"] - 1, "a start below the range")
        own = {s["n"], s["index"]}
        require(len(names | own) == len(names) + 2, "two variables of one name")
        trees.well_formed(s["term"], names | {s["index"]}, whole | {s["index"]}, own)
        trees.well_formed(s["bound"], names | {s["n"]}, whole | {s["n"]}, own)
    else:
        trees.well_formed(s["lhs"], names, whole)
        trees.well_formed(s["rhs"], names, whole)
    for tree, sign in s.get("given", []):
        trees.well_formed(tree, names, whole)
        require(sign in (">=", ">", "="), f"unknown relation {sign!r}")
    if s["kind"] == "identity":
        well_founded(s)


def well_founded(s: Statement) -> None:
    """Raises Wrong unless the rules define every element of a sequence once, by elements before it."""
    ruled_sequences = {sequence for sequence, _, _ in s["rules"]}
    require(len({(q, k) for q, k, _ in s["rules"]}) == len(s["rules"]), "a sequence is defined twice")
    require(s["n"] is not None or not s["rules"], "a rule without n")
    require(s["n"] is None or type(s["start"]) is int, "a start that is no integer")
    require(
        s["n"] is None or s["box"][s["n"]] == [str(s["start"]), "oo", False, True, True],
        "n runs from its start",
    )
    for _, k, tree in s["rules"]:
        trees.well_formed(tree, set(s["box"]), {s["n"]})
        require(k is None or (type(k) is int and k <= s["start"]), "two rules define one element")
        require(k is None or s["n"] not in names_in(tree), "a first element depends on n")
        for name, index in trees.elements(tree):
            if name in ruled_sequences:
                before = index == s["n"] if k is None else index[0] == "q" and Fraction(index[1]) < k
                require(before, f"{name} is not defined by earlier elements")


def fixed(s: Statement, values: dict[str, int]) -> Statement:
    """An inequality with numbers in place of some variables."""
    over = {name: ["q", str(v)] for name, v in values.items()}
    box = {name: side for name, side in s["box"].items() if name not in values}
    given = [[replace(tree, over), sign] for tree, sign in s["given"]]
    return {**s, "lhs": replace(s["lhs"], over), "rhs": replace(s["rhs"], over), "box": box, "given": given}


def ranges(s: Statement, names: list[str]) -> list[range]:
    """The values of integer variables with finite sides."""
    require(
        all(s["box"][n][4] and "oo" not in s["box"][n][0] + s["box"][n][1] for n in names),
        "cases without end",
    )
    return [range(ceil(Fraction(s["box"][n][0])), floor(Fraction(s["box"][n][1])) + 1) for n in names]


def cases(s: Statement, names: list[str]) -> list[dict[str, int]]:
    """Every combination of the values of integer variables with finite sides, counted before they are listed."""
    values = ranges(s, names)
    count = prod(r.stop - r.start for r in values)
    require(count <= MOST_CASES, f"{count} combinations of {', '.join(names)}")
    return [dict(zip(names, one, strict=True)) for one in product(*values)]


def instance(s: Statement, n: int) -> Statement:
    """An induction's claim for one n, as an inequality."""
    total = [s["op"], s["index"], ["q", str(s["low"])], ["q", str(n)], s["term"]]
    bound = replace(s["bound"], {s["n"]: ["q", str(n)]})
    return {"kind": "inequality", "lhs": total, "rhs": bound, "box": s["box"], "given": s["given"]}


def parts(s: Statement) -> dict[str, Statement]:
    """Base and step of an induction, and for a product the claim that its factors are not negative."""
    after = ["+", s["n"], trees.ONE]
    term, bound = replace(s["term"], {s["index"]: after}), replace(s["bound"], {s["n"]: after})
    box = {**s["box"], s["n"]: [str(s["start"]), "oo", False, True, True]}
    step = {
        "kind": "inequality",
        "lhs": term,
        "rhs": minus(bound, s["bound"]),
        "box": box,
        "given": s["given"],
    }
    instances = {"base": instance(s, s["start"]), "step": step}
    if s["op"] == "prod":
        instances["step"] = {**step, "lhs": ["*", s["bound"], term], "rhs": bound}
        instances["sign"] = {**step, "lhs": trees.ZERO, "rhs": term}
    return instances


def comparison(s: Statement, smaller: Tree) -> Statement:
    """The claim that another bound is at most that of an induction, for every n."""
    box = {**s["box"], s["n"]: [str(s["start"]), "oo", False, True, True]}
    return {"kind": "inequality", "lhs": smaller, "rhs": s["bound"], "box": box, "given": s["given"]}


def with_inverses(s: Statement, names: list[str]) -> Statement:
    """An inequality in 1/x for some variables x >= a > 0, whose sides become (0, 1/a]."""
    box = dict(s["box"])
    for n in names:
        low, high, low_open, _, _ = box[n]
        require(low != "-oo" and Fraction(low) > 0 and high == "oo", f"{n} cannot be replaced by its inverse")
        box[n] = ["0", str(1 / Fraction(low)), True, low_open, False]
    over = {n: ["^", n, "-1"] for n in names}
    given = [[replace(tree, over), sign] for tree, sign in s["given"]]
    return {**s, "lhs": replace(s["lhs"], over), "rhs": replace(s["rhs"], over), "box": box, "given": given}


def with_value(s: Statement, condition: int, x: str, value: Tree) -> Statement:
    """An inequality with a value in place of a variable; the side of the variable becomes conditions on the value."""
    low, high, low_open, high_open, integer = s["box"][x]
    require(not integer, "an integer cannot be solved for")
    given = [[replace(t, {x: value}), sign] for i, (t, sign) in enumerate(s["given"]) if i != condition]
    if low != "-oo":
        given.append([minus(value, ["q", low]), ">" if low_open else ">="])
    if high != "oo":
        given.append([minus(["q", high], value), ">" if high_open else ">="])
    box = {name: side for name, side in s["box"].items() if name != x}
    over = {x: value}
    return {**s, "lhs": replace(s["lhs"], over), "rhs": replace(s["rhs"], over), "box": box, "given": given}


# ------------------------------------------------------------------------------------------------ points


def within(box: dict[str, Any], values: dict[str, str]) -> dict[str, Interval]:
    """The point's values, as intervals. Raises Wrong unless they lie in the box."""
    for name, (low, high, never_low, never_high) in sides(box).items():
        v = number(values[name])
        inside = (low < v if never_low else low <= v) and (v < high if never_high else v <= high)
        require(inside and (not box[name][4] or v.denominator == 1), f"{name} = {v} lies outside its side")
    return {name: point(number(v)) for name, v in values.items()}


def admissible(s: Statement, values: dict[str, str]) -> bool:
    """Do all conditions hold at a point of the box?"""
    at = within(s["box"], values)
    over = {name: ["q", v] for name, v in values.items()}
    return all(has_sign(tree, sign, at, over) for tree, sign in s["given"])


def has_sign(tree: Tree, sign: str, at: dict[str, Interval], over: dict[str, Tree]) -> bool:
    for bits in LEVELS:
        low, high = Enclosure(at, bits).value(tree)[:2]
        if sign == "=" and low <= 0 <= high:
            return low == high or algebra.zero(replace(tree, over), {})
        if low > 0 or high < 0 or low == high:
            break
    return bool(low > 0 or (low == 0 and sign == ">=")) and sign != "="


def refute(s: Statement, values: dict[str, str]) -> None:
    """Raises Wrong unless enclosures show that the statement fails at the point."""
    values = dict(values)
    if s["kind"] == "induction":
        n = number(values.pop(s["n"]))
        require(n.denominator == 1 and n >= s["start"], "n lies outside its range")
        s = instance(s, n.numerator)
    at = within(s["box"], values)
    require(set(values) == set(s["box"]) or s["kind"] == "identity", "the point has another variable")
    over = {name: ["q", v] for name, v in values.items()}
    require(
        all(has_sign(t, sign, at, over) for t, sign in s.get("given", [])), "the point breaks a condition"
    )
    gap = minus(s["lhs"], s["rhs"])
    for bits in LEVELS:
        low, high = Enclosure(at, bits, s.get("rules", ()), s.get("n"), s.get("start")).value(gap)[:2]
        if low > 0 or (high < 0 and s["kind"] == "identity"):
            return
    raise Wrong("the point does not refute the statement")


# ------------------------------------------------------------------------------------------------ inequalities


def prove(s: Statement, proof: dict[str, Any], seconds: float) -> None:
    """Raises Wrong unless the proof shows an inequality."""
    by = proof["by"]
    if by == "boxes":
        return boxes(s, proof)
    if by == "solver":
        from workbench.ledger import solvers  # trusted only for these proofs

        require(proof["names"] and set(proof["names"]) <= set(solvers.SOLVERS), "a proof by no solver")
        for name, answer in solvers.answers(s, seconds, proof["names"]).items():
            require(answer == "unsat", f"{name} does not confirm that there is no counter-example: {answer}")
        return None
    if by == "terms":
        return terms(s, proof)
    if by == "cases":
        cases_by_name = {",".join(map(str, values.values())): values for values in cases(s, proof["over"])}
        require(set(cases_by_name) == set(proof["parts"]), "a case is missing")
        for name, values in cases_by_name.items():
            prove(fixed(s, values), proof["parts"][name], seconds)
        return None
    if by in calculus.RULES:
        cases_by_name = calculus.RULES[by](s, proof)
        require(set(cases_by_name) == set(proof["parts"]), "a part is missing")
        for name, part in cases_by_name.items():
            prove(part, proof["parts"][name], seconds)
        return None
    require(by == "solving", f"unknown proof {by!r}")
    x, value, slope, k = proof["variable"], proof["value"], proof["slope"], proof["condition"]
    tree, sign = s["given"][k]
    others = {name: side for name, side in sides(s["box"]).items() if name != x}
    for t in (value, slope):
        trees.well_formed(t, set(others), set())
    require(sign == "=" and k >= 0, "only an equation can be solved")
    Enclosure(others).value(value)
    low, high, never_low, never_high = Enclosure(others).value(slope)
    require(
        low > 0 or high < 0 or (low == 0 and never_low) or (high == 0 and never_high), "a factor may vanish"
    )
    require(
        algebra.zero(minus(tree, ["*", slope, minus(x, value)]), others),
        "this does not solve the equation",
    )
    return prove(with_value(s, k, x, value), proof["proof"], seconds)


def terms(s: Statement, proof: dict[str, Any]) -> None:
    """multiplier (rhs - lhs) as a sum of products that are not negative, with a multiplier that is positive."""
    box = sides(s["box"])
    for tree in (s["lhs"], s["rhs"]):
        Enclosure(box).value(tree)
    total: list[Tree] = ["+", trees.ZERO]
    for c, factors in proof["terms"]:
        for kind, at in factors:
            Enclosure(box).value(factor(s, box, kind, at))
        # A multiple of an equation is zero, whatever its other factors are.
        zero = any(kind == "given" and s["given"][at][1] == "=" for kind, at in factors)
        proper = number(c) >= 0 and all(kind != "free" for kind, _ in factors)
        require(zero or proper, "a term that may be negative")
        total.append(["*", ["q", c], *(factor(s, box, kind, at) for kind, at in factors)])
    multiplier: Tree = ["*", trees.ONE, *proof["multiplier"]]
    trees.well_formed(multiplier, set(box), set())
    for part in multiplier[1:]:
        low, _, never, _ = Enclosure(box).value(part)
        surely = low > 0 or (low == 0 and never) or algebra.positive(part, box)
        require(surely, "a multiplier that may vanish or be negative")
    gap = ["*", multiplier, minus(s["rhs"], s["lhs"])]
    require(algebra.zero(minus(gap, total), box), "the terms do not add up to the difference")


def factor(s: Statement, box: dict[str, Interval], kind: str, at: Any) -> Tree:
    """A tree that is not negative where the conditions hold (or zero, for an equation)."""
    if kind in ("low", "high"):
        require(box[at][kind == "high"] not in (inf, -inf), "a side without this end")
        return minus(at, ["q", s["box"][at][0]]) if kind == "low" else minus(["q", s["box"][at][1]], at)
    if kind == "given":
        require(type(at) is int and at >= 0, "a condition is named by its number")
        return s["given"][at][0]
    trees.well_formed(at, set(box), set())
    require(kind in ("square", "plain", "number", "free"), f"unknown factor {kind!r}")
    require(kind != "number" or Enclosure({}).value(at)[0] >= 0, "a number that may be negative")
    require(kind != "plain" or algebra.sign(at, box) >= 1, "a factor that may be negative")
    return ["^", at, "2"] if kind == "square" else at


class Goal:
    """A tree that must be >= 0. given: conditions; defined: trees that must have values; positive: must be > 0."""

    def __init__(
        self, tree: Tree, given: list[Any], definitions: list[Tree], rewriting: Any, box: dict[str, Interval]
    ):
        self.tree, self.given, self.definitions, self.positive = tree, given, [*definitions, tree], []
        self._slopes: dict[str, Tree] = {}
        if rewriting:  # as numerator / denominator
            top, bottom = rewriting
            trees.well_formed(["+", top, bottom], set(box), set())
            require(algebra.zero(minus(["*", tree, bottom], top), box), "the rewritten form is another one")
            self.tree, self.positive = top, [bottom]
        self.jumps = "if" in trees.heads(self.tree)

    def slope(self, name: str) -> Tree:
        if name not in self._slopes:
            self._slopes[name] = differentiate(self.tree, name)
        return self._slopes[name]

    def inside(self, box: dict[str, Interval], name: str) -> dict[str, Interval]:
        """Where the slope along a variable must have its sign: off the ends of its side, and, if the tree has no case
        distinction and so is continuous, off those of the other sides, too."""
        return {**box, name: opened(box)[name]} if self.jumps else opened(box)

    def settles(self, box: dict[str, Interval], reason: Any) -> bool:
        """Does the reason settle a piece? A number: this condition fails on all of it; "v": the enclosure is >= 0;
        "m": so is that on the faces which monotonicity permits, or the centred form."""
        here = Enclosure(box)
        if type(reason) is int:
            low, high, _, never = here.value(self.given[reason][0])
            sign = self.given[reason][1]
            return bool(high < 0 or (high == 0 and (never or sign == ">")) or (sign == "=" and low > 0))
        require(reason in ("v", "m"), f"unknown reason {reason!r}")
        self.has_values(here)
        if here.value(self.tree)[0] >= 0:
            return True
        return reason == "m" and self.monotone(dict(box))

    def has_values(self, here: Enclosure) -> None:
        for tree in self.definitions:
            here.value(tree)
        for tree in self.positive:
            low, _, never, _ = here.value(tree)
            require(low > 0 or (low == 0 and never), "a denominator may vanish or be negative")

    def monotone(self, box: dict[str, Interval]) -> bool:
        for _ in range(3):
            slopes = {
                name: Enclosure(self.inside(box, name)).value(self.slope(name))
                for name, side in box.items()
                if side[0] < side[1]
            }
            ends = {
                name: box[name][0 if d[0] >= 0 else 1] for name, d in slopes.items() if d[0] >= 0 or d[1] <= 0
            }
            ends = {name: end for name, end in ends.items() if end not in (inf, -inf)}
            if not ends:
                break
            box |= {name: point(end) for name, end in ends.items()}
        if Enclosure(box).value(self.tree)[0] >= 0:
            return True
        if any(inf in (side[1], -side[0]) for side in box.values()):
            return False
        low = Enclosure({name: point((a + b) / 2) for name, (a, b, _, _) in box.items()}).value(self.tree)[0]
        for name, (a, b, _, _) in box.items():
            if a < b:
                within = box if self.jumps else opened(box)
                d = Enclosure(within).value(self.slope(name))
                if inf in (d[1], -d[0]):
                    return False
                low -= max(abs(d[0]), abs(d[1])) * (b - a) / 2
        return bool(low >= 0)


def opened(box: dict[str, Interval]) -> dict[str, Interval]:
    """The inside of a box, where derivatives are needed; a side that is a point stays one."""
    return {name: (a, b, True, True) if a < b else (a, b, False, False) for name, (a, b, _, _) in box.items()}


def boxes(s: Statement, proof: dict[str, Any]) -> None:
    s = with_inverses(s, proof.get("inverted", []))
    lhs, rhs, box = s["lhs"], s["rhs"], sides(s["box"])
    require(proof["form"] in ("difference", "logarithm"), "unknown form")
    gap = minus(rhs, lhs) if proof["form"] == "difference" else minus(["log", rhs], ["log", lhs])
    settle(Goal(gap, s["given"], [lhs, rhs], proof.get("rewritten"), box), box, proof["tree"])


def settle(goal: Goal, root: dict[str, Interval], tree: Any) -> None:
    """Raises Wrong unless the tree of pieces shows that the goal is >= 0 on the box."""
    todo = [(root, tree)]
    while todo:
        box, node = todo.pop()
        if isinstance(node, list):
            name, at, left, right = node
            (low, high, never_low, never_high), at = box[name], number(at)
            require(low < at < high, "a side is not cut inside")
            todo.append(({**box, name: (low, at, never_low, False)}, left))
            todo.append(({**box, name: (at, high, False, never_high)}, right))
        elif isinstance(node, dict):
            grows(goal, box, node)
        else:
            require(goal.settles(box, node), f"a piece is not settled by {node!r}")


def grows(goal: Goal, box: dict[str, Interval], node: dict[str, Any]) -> None:
    """Checks that the goal is >= 0 on a face of the piece and does not fall away from it."""
    name, up = node["along"], node["up"]
    end = box[name][0 if up else 1]
    require(box[name][0] < box[name][1] and end not in (inf, -inf), "no face to grow from")
    goal.has_values(Enclosure(box))
    slope = goal.slope(name) if up else ["*", ["q", "-1"], goal.slope(name)]
    inside = goal.inside(box, name)
    settle(Goal(slope, [], [], node.get("rewritten"), inside), inside, node["slope"])
    face = {**box, name: point(end)}
    settle(Goal(goal.tree, [], [], None, face), face, node["face"])


# ------------------------------------------------------------------------------------------------ other kinds


def identity(s: Statement, proof: dict[str, Any]) -> None:
    """Raises Wrong unless algebra shows lhs = rhs, or base and step: D(n + 1) = multiplier D(n) for D = lhs - rhs."""
    gap, box = minus(s["lhs"], s["rhs"]), sides(s["box"])
    if not everywhere(s):
        require(proof.get("example"), "no point is known at which both sides have a value")
        check_values(s, proof["example"])
    if proof["by"] == "chain":  # with a middle that has a value everywhere
        middle = proof["through"]
        calculus.smooth(middle)
        require(all(_has_value(s, *need) for need in trees.domains(middle)), "a middle without a value")
        for name, side in (("first", "rhs"), ("second", "lhs")):
            part = {**s, side: middle}
            well_formed(part)
            identity(part, {**proof["parts"][name], "example": proof.get("example")})
        return
    if s["n"] is None:
        require(proof["by"] == "algebra" and algebra.zero(gap, box), "the difference is not shown to be zero")
        return
    n, factor = s["n"], proof["multiplier"]
    trees.well_formed(factor, set(s["box"]), {n})
    rules = {"rules": s["rules"], "n": n, "steady": True}
    require(trees.heads(factor) <= {"+", "*", "q", "at", "^"}, "a multiplier that need not have a value")
    for base, _ in trees.powers(factor):
        require(algebra.positive(base, box, **rules), "a multiplier that need not have a value")
    base = replace(gap, {n: ["q", str(s["start"])]})
    require(algebra.zero(base, box, **rules), "the base is not shown to be zero")
    step = minus(replace(gap, {n: ["+", n, trees.ONE]}), ["*", factor, gap])
    require(algebra.zero(step, box, **rules), "the step is not shown to be zero")


def to_text(record: dict[str, Any]) -> str:
    """What a certificate shows, in one line."""
    if record["statement"]["kind"] == "worst case":
        return worst_cases.in_words(record["statement"])
    partly = record["statement"]["kind"] == "identity" and record["proof"].get("example")
    return printer.statement(record["statement"]) + ", wherever both sides have a value" * bool(partly)


def everywhere(s: Statement) -> bool:
    """Is it shown that both sides of an identity have a value at each point of its box?"""
    terms = [s["lhs"], s["rhs"], *(tree for _, _, tree in s["rules"])]
    return all(_has_value(s, *need) for tree in terms for need in trees.domains(tree))


def _has_value(s: Statement, base: Tree, condition: str, indices: dict[str, Tree]) -> bool:
    """Is a base ">= 0", "> 0" or "!= 0" on the box? By the signs of its terms, or by an enclosure."""
    rest = {} if s["n"] is None else {"rules": s["rules"], "n": s["n"], "steady": True}
    ends = {k: Fraction(low[1]) for k, low in indices.items() if low[0] == "q"}
    box = {**sides(s["box"]), **{k: (low, inf, False, True) for k, low in ends.items()}}
    for side in [base, minus(trees.ZERO, base)] if condition == "!= 0" else [base]:
        # Neither shows it of what is too large, or passes a point without a value.
        with contextlib.suppress(Wrong):
            if algebra.sign(side, box, **rest) >= (1 if condition == ">= 0" else 2):
                return True
        with contextlib.suppress(Wrong, ArithmeticError):
            if names_in(side) <= set(box):
                low, _, never, _ = Enclosure(box).value(side)
                if low > 0 or (low == 0 and (never or condition == ">= 0")):
                    return True
    return False


def check_values(s: Statement, values: dict[str, str]) -> None:
    """Raises Wrong, or Undefined, unless both sides of an identity have a value at the point; with n also at n + 1."""
    later = [] if s["n"] is None else [{**values, s["n"]: str(number(values[s["n"]]) + 1)}]
    for values_now in (values, *later):
        at = within(s["box"], values_now)
        for tree in (s["lhs"], s["rhs"]):
            Enclosure(at, LEVELS[-1], s["rules"], s["n"], s["start"]).value(tree)


def program(s: Statement, proof: dict[str, Any]) -> str:
    """Weak duality for: maximise sign objective.x subject to rows.x <= right, or = right."""
    sign = {"max": 1, "min": -1}[s["sense"]]
    x = {name: number(v) for name, v in proof["point"].items()}
    value, bound = sign * dot(s["objective"], x), Fraction(0)
    total = dict.fromkeys(x, Fraction(0))
    for (row, relation, right), text in zip(s["rows"], proof["dual"], strict=True):
        y, activity = number(text), dot(row, x)
        require(relation in ("<=", "=") and set(row) <= set(x), "a row of no known kind")
        require(
            activity == number(right) or (relation == "<=" and activity < number(right)), "a row is broken"
        )
        require(y >= 0 or relation == "=", "a dual multiplier is negative")
        bound += y * number(right)
        for name, c in row.items():
            total[name] += y * number(c)
    goal = {name: sign * number(s["objective"].get(name, "0")) for name in x}
    require(total == goal and set(s["objective"]) <= set(x), "the dual does not reproduce the objective")
    require(value == bound, "primal and dual values differ")
    optimum, claimed = sign * value + number(s["constant"]), number(s["claimed"])
    comparisons = {"=": optimum == claimed, "<=": optimum <= claimed, ">=": optimum >= claimed}
    return "holds" if comparisons[s["relation"]] else "violated"


def dot(row: dict[str, str], x: dict[str, Fraction]) -> Fraction:
    return sum((number(c) * x[name] for name, c in row.items()), Fraction(0))


# ------------------------------------------------------------------------------------------------ files


def seal(body: bytes) -> bytes:
    """A file's bytes: the body, and in a last line its SHA-256."""
    return body + SEAL + hashlib.sha256(body).hexdigest().encode() + b"\n"


def unseal(content: bytes) -> bytes:
    """The body of a sealed file. Raises Wrong if a byte of the file has changed."""
    body = content[: content.rfind(SEAL)]
    require(content == seal(body), "the file does not match its seal")
    return body


def answer(question: list[Any]) -> dict[str, str]:
    """[certificate, whether to show it] to the verdict and what is shown, or to the reason why it is wrong."""
    document, with_line = question
    try:
        return {"verdict": check(document), "shown": to_text(document) if with_line else ""}
    except Wrong as reason:
        return {"wrong": str(reason)}


def judge(process: confined.Confined, document: Any, with_line: bool = False) -> dict[str, str]:
    """The `answer` of a process that is ended after `MOST_SECONDS` of processor time, or beyond its memory."""
    try:
        return dict(process.ask([document, with_line], MOST_SECONDS))
    except (confined.Over, ValueError, RecursionError) as error:
        return {"wrong": f"not checked: {error}"}


def main(paths: list[str]) -> int:
    """Prints for each file its statement as it was read and the verdict; returns 0 if all certificates are right."""
    if not paths:
        print("usage: python -m workbench.ledger.certificate FILE...", file=sys.stderr)
        return 2
    with confined.Confined("workbench.ledger.certificate") as process:
        results = [_say(process, path) for path in paths]
    return 0 if all(results) else 1


def _say(process: confined.Confined, path: str) -> bool:
    """Prints what is true of one file. Returns whether nothing is wrong with it."""
    try:
        record = json.loads(unseal(Path(path).read_bytes()))
        document = record.get("certificate", record)  # the store keeps an outcome around each certificate
        if document is None:
            require(record.get("verdict") == "inconclusive", "a verdict without a certificate")
            print(f"{path}: nothing to check, it is inconclusive")
            return True
        reply = judge(process, document, with_line=True)
        require("wrong" not in reply, reply.get("wrong", ""))
        verdict = reply["verdict"]
        require(record.get("verdict", verdict) == verdict, f"the file says {record.get('verdict')!r}")
        print(f"{path}: right, {verdict}: {reply['shown']}")
        return True
    except (OSError, ValueError, AttributeError, RecursionError, MemoryError) as error:
        print(f"{path}: WRONG, {error}")
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
