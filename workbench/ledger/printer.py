"""Statements and their trees as lines of ASCII mathematics, which `parser` reads back to the same trees.

Names are written as they are; which names a statement may have is for the rules of well-formedness to say.

Standard library only.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from workbench.ledger.parser import induction
from workbench.ledger.trees import NODES, ONE, Tree, children, require

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly a text binds


def text(tree: Tree, tight: int = SUM) -> str:
    """A tree as a person writes it, in brackets unless it binds at least as `tight`ly.

    Raises Wrong for a tree that the grammar has no form for: a sum or product of one part, or the inner head "sure".
    """
    line, binds = _with_binding(tree)
    return f"({line})" if binds < tight else line


def _with_binding(tree: Tree) -> tuple[str, int]:
    if isinstance(tree, str):
        return tree, ATOM
    head, *args = tree
    require(
        head in NODES and head != "sure" and (head not in ("+", "*") or len(args) > 1), f"no form of {head}"
    )
    if head == "q":
        require(str(Fraction(args[0])) == args[0], f"{args[0]} is not in lowest terms")
        return args[0], SUM if args[0][0] == "-" else PRODUCT if "/" in args[0] else ATOM
    if head == "+":
        return _sum(args), SUM
    if head == "*":
        return _product(args), SUM if _is_negative(args[0]) else PRODUCT
    if head == "^":
        return _power(args[0], Fraction(args[1]))
    if head == "pow" and not _is_number(args[1]):
        return f"{text(args[0], ATOM)}^{text(args[1], ATOM)}", POWER
    if head in ("pi", "e"):
        return head, ATOM
    if head in ("sum", "prod"):
        index, low, high, term = args
        return f"{head}({text(term)}, {index}, {text(low)}, {text(high)})", ATOM
    if head == "at":
        return f"{args[0]}[{text(args[1])}]", ATOM
    if head == "if":
        return f"if({text(args[0])} >= 0, {text(args[1])}, {text(args[2])})", ATOM
    name = args[0] if head == "call" else head
    return f"{name}({', '.join(map(text, children(tree)))})", ATOM


def _is_number(tree: Tree) -> bool:
    return not isinstance(tree, str) and tree[0] == "q"


def _is_negative(tree: Tree) -> bool:
    return _is_number(tree) and str(tree[1]).startswith("-")


def _sum(parts: list[Tree]) -> str:
    """A part that begins with a minus as text is subtracted; a sum within a sum stands in brackets."""
    line = text(parts[0], PRODUCT) if not _has_minus(parts[0]) else text(parts[0])
    for part in parts[1:]:
        line += f" - {text(part)[1:]}" if _has_minus(part) else f" + {text(part, PRODUCT)}"
    return line


def _has_minus(tree: Tree) -> bool:
    """A negative number, or a product that begins with one."""
    return _is_negative(tree) or (not isinstance(tree, str) and tree[0] == "*" and _is_negative(tree[1]))


def _product(factors: list[Tree]) -> str:
    """Factors from the left; 1/b and b^(-p) as divisions where they are read back as such."""
    minus = factors[0] == ["q", "-1"] and not _is_number(factors[1])
    before, *rest = factors[minus:]
    line = "-" * minus + (text(before) if _is_number(before) or _divides(before) else text(before, POWER))
    for factor in rest:
        if _is_number(factor) and not _is_number(before) and factor[1].startswith("1/"):
            line += f"/{factor[1][2:]}"
        elif _divides(factor) and before != ONE:
            line += f"/{_divisor(factor)}"
        else:
            line += f"*{text(factor, PRODUCT if _is_number(factor) else POWER)}"
        before = factor
    return line


def _divides(tree: Tree) -> bool:
    """A power that `1/b^p` is read as: with a negative exponent, but not (b^p)^(-1) or that of a number."""
    if isinstance(tree, str) or tree[0] != "^" or Fraction(tree[2]) >= 0:
        return False
    return Fraction(tree[2]) != -1 or not (_is_number(tree[1]) or _positive_power(tree[1]))


def _positive_power(tree: Tree) -> bool:
    return not isinstance(tree, str) and tree[0] == "^" and Fraction(tree[2]) > 0


def _divisor(tree: Tree) -> str:
    p = -Fraction(tree[2])
    return text(tree[1], POWER) if p == 1 else _power(tree[1], p)[0]


def _power(base: Tree, p: Fraction) -> tuple[str, int]:
    if p == Fraction(1, 2):
        return f"sqrt({text(base)})", ATOM
    if _divides(["^", base, str(p)]):
        return f"1/{_divisor(['^', base, str(p)])}", PRODUCT
    return f"{text(base, ATOM)}^{p if p >= 0 and p.denominator == 1 else f'({p})'}", POWER


# ------------------------------------------------------------------------------------------------ statements


def statement(s: dict[str, Any]) -> str:
    """A statement as a line. Raises Wrong for a tree that the grammar has no form for."""
    if s["kind"] == "program":
        return _program(s)
    box, given = dict(s["box"]), s.get("given", [])
    end = ""
    if s["kind"] == "induction":
        total = [s["op"], s["index"], ["q", str(s["low"])], s["n"], s["term"]]
        claim = f"{text(total)} <= {text(s['bound'])}"
        box[s["n"]] = [str(s["start"]), "oo", False, True, True]
    elif s["kind"] == "identity":
        claim = f"{text(s['lhs'])} = {text(s['rhs'])}"
        after = f"{s['n']} + 1"
        rules = [f"{q}[{after if k is None else k}] = {text(t)}" for q, k, t in s["rules"]]
        end = f" by induction on {s['n']}" * (s["n"] is not None) + " with " * bool(rules) + ", ".join(rules)
    else:
        claim = f"{text(s['lhs'])} <= {text(s['rhs'])}"
        end = " without induction" * (induction(s) is not None)
    where = f" for {domain(box)}" if box else ""
    under = " given " * bool(given) + ", ".join(f"{text(tree)} {sign} 0" for tree, sign in given)
    return claim + where + under + end


def _program(s: dict[str, Any]) -> str:
    rows = ", ".join(f"{_linear(row)} {sign} {right}" for row, sign, right in s["rows"])
    goal = f"{s['sense']}imum of {_linear(s['objective'], s['constant'])} {s['relation']} {s['claimed']}"
    return goal + f" given {rows}" * bool(rows)


def _linear(row: dict[str, str], constant: str = "0") -> str:
    parts = [name if q == "1" else ["*", ["q", q], name] for name, q in sorted(row.items())]
    parts += [["q", constant]] * (constant != "0" or not parts)
    return text(parts[0] if len(parts) == 1 else ["+", *parts])


def domain(box: dict[str, Any]) -> str:
    """Every variable with its side; those with one side together."""
    same: dict[str, list[str]] = {}
    for name, side in sorted(box.items()):
        same.setdefault(_side(*side), []).append(name)
    return ", ".join(
        "integer " * side.startswith("integer") + ", ".join(names) + side.removeprefix("integer")
        for side, names in same.items()
    )


def _side(low: str, high: str, low_open: bool, high_open: bool, integer: bool) -> str:
    if low == "-oo" and high == "oo":
        end = " real"
    elif high == "oo":
        end = f" >{'' if low_open else '='} {low}"
    elif low == "-oo":
        end = f" <{'' if high_open else '='} {high}"
    else:
        end = f" in {'(' if low_open else '['}{low}, {high}{')' if high_open else ']'}"
    return "integer" * integer + end
