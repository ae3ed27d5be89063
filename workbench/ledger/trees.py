"""The language of statements: expressions as JSON trees, which searchers write and the re-checker reads.

"x" is a variable; ["q", "1/3"] a rational number; ["pi"], ["e"]; ["+" | "*" | "max" | "min", a, b, ...];
["^", a, "p/q"] with a rational power other than 0; ["pow", a, b]; ["exp" | "log" | "abs" | "sin" | "cos" | "tanh", a];
["if", d, a, b], a where d >= 0, else b; ["sum" | "prod", "k", low, high, body] over the integers k, empty if
high = low - 1; ["at", "A", index], an element of a sequence; ["call", "f", a, ...], a function of which nothing is
known. Re-checking trusts this file. Standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

Tree = Any
ZERO, ONE = ["q", "0"], ["q", "1"]
LARGEST_POWER = 64  # of a number, worth computing
LARGEST_EXPONENT = 1000  # numerator and denominator
# Head -> number of subtrees (None: at least one). "sure" is the derivative of "if": undefined where d may change sign.
NODES: dict[str, int | None] = {
    **dict.fromkeys(("q", "pi", "e"), 0),
    **dict.fromkeys(("^", "exp", "log", "abs", "sin", "cos", "tanh", "at"), 1),
    **dict.fromkeys(("if", "sure", "sum", "prod"), 3),
    **dict.fromkeys(("+", "*", "max", "min", "call"), None),
    "pow": 2,
}


class Wrong(ValueError):
    """The certificate does not prove its statement. The message gives the reason."""


NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
NUMBER = re.compile(r"-?[0-9]{1,1000}(/[0-9]{1,1000})?", re.ASCII)


def is_name(text: Any) -> None:
    """Raises Wrong unless it is a name: ASCII letters, digits, underscores."""
    require(isinstance(text, str) and NAME.fullmatch(text), f"{text!r} is no name")


def is_number(text: Any) -> bool:
    """Is it an integer or a fraction in ASCII digits, at most a thousand of them?"""
    return isinstance(text, str) and NUMBER.fullmatch(text) is not None


def require(condition: Any, why: str) -> None:
    if not condition:
        raise Wrong(why)


def number(text: Any) -> Fraction:
    """The rational number of a text. Raises Wrong for another: `Fraction` writes out a thousand million digits."""
    require(is_number(text), f"{str(text)[:40]!r} is no number")
    return Fraction(text)


def children(tree: Tree) -> list[Tree]:
    """The subtrees of a node, without the texts that some heads carry. Raises Wrong for a malformed node."""
    head, args = tree[0], tree[1:]
    parts = {"q": [], "^": args[:1], "sum": args[1:], "prod": args[1:], "at": args[1:], "call": args[1:]}.get(
        head, args
    )
    count = NODES.get(head, -1)
    require(
        (count is None and parts) or len(parts) == count, f"{head!r} with {len(parts)} parts is no expression"
    )
    return parts


def replace(tree: Tree, over: dict[str, Tree]) -> Tree:
    """The tree with other trees in place of variables. Indices differ from variables in a well-formed statement."""
    if isinstance(tree, str):
        return over.get(tree, tree)
    parts = [replace(part, over) for part in children(tree)]
    return [
        *tree[: 1 if tree[0] == "^" else len(tree) - len(parts)],
        *parts,
        *(tree[2:] if tree[0] == "^" else []),
    ]


def names_in(tree: Tree) -> set[str]:
    return {tree} if isinstance(tree, str) else {name for part in children(tree) for name in names_in(part)}


def well_formed(tree: Tree, variables: set[str], whole: set[str], others: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """Raises Wrong for a variable without a domain, for an index with the name of a variable (or one of `others`), and
    for a limit that is not a sum of integer multiples of integer variables. whole: the integer ones of `variables`."""
    if isinstance(tree, str):
        return require(tree in variables, f"the variable {tree} has no domain")
    parts = children(tree)
    if tree[0] in ("q", "^"):
        require(is_number(tree[-1]) and len(tree) == 2 + (tree[0] == "^"), f"{tree[-1]!r} is no number")
        q = Fraction(tree[-1])
        require(q or tree[0] == "q", "the power 0 hides where its base vanishes")
        small = max(abs(q.numerator), q.denominator) <= LARGEST_EXPONENT
        require(small or tree[0] == "q", f"the exponent {q} is too large")
    if tree[0] in ("at", "call", "sum", "prod"):
        is_name(tree[1])
        require(tree[1] not in ("e", "pi"), f"{tree[1]!r} is no name, but a number")
    if tree[0] in ("e", "pi"):
        require(tree[0] not in variables | others, f"{tree[0]} is a number and a variable")
    if tree[0] == "at":
        require(tree[1] not in variables | others, f"the sequence {tree[1]} has the name of a variable")
    if tree[0] not in ("sum", "prod"):
        for part in parts:
            well_formed(part, variables, whole, others)
        return None
    require(tree[1] not in variables | others, f"the index {tree[1]} has the name of a variable")
    for limit in parts[:2]:
        well_formed(limit, variables, whole, others)
        whole_multiples = heads(limit) <= {"q", "+", "*"} and names_in(limit) <= whole
        require(whole_multiples and numbers_are_whole(limit), "a limit that need not be an integer")
    return well_formed(parts[2], variables | {tree[1]}, whole | {tree[1]}, others)


def numbers_are_whole(tree: Tree) -> bool:
    if isinstance(tree, str):
        return True
    return (
        Fraction(tree[1]).denominator == 1 if tree[0] == "q" else all(map(numbers_are_whole, children(tree)))
    )


def minus(a: Tree, b: Tree) -> Tree:
    return ["+", a, ["*", ["q", "-1"], b]]


def operation(head: str, parts: list[Tree]) -> Tree:
    """The sum or product of any number of trees."""
    return [head, *parts] if len(parts) > 1 else (parts[0] if parts else ["q", "0" if head == "+" else "1"])


def certain(tree: Tree) -> Tree:
    """The tree, undefined where one of its case distinctions changes sign."""
    if isinstance(tree, str) or tree[0] == "q":
        return tree
    own = "sure" if tree[0] == "if" else tree[0]
    return [own, *(certain(part) if isinstance(part, list) else part for part in tree[1:])]


def differentiate(tree: Tree, x: str) -> Tree:
    """The partial derivative; of max, min and abs the generalized one. Raises Wrong where there is no rule."""
    if x not in names_in(tree):
        return ZERO
    if isinstance(tree, str):
        return ONE
    head, *args = tree
    parts = children(tree)
    d = [differentiate(part, x) for part in parts]
    if head == "+":
        return ["+", *(part for part in d if part != ZERO)]
    if head == "*":
        return ["+", *(["*", d[i], *args[:i], *args[i + 1 :]] for i in range(len(args)) if d[i] != ZERO)]
    if head == "^":
        p = Fraction(args[1])
        return [
            "*",
            ["q", str(p)],
            args[0] if p == 2 else (ONE if p == 1 else ["^", args[0], str(p - 1)]),
            d[0],
        ]
    if head == "pow":
        return ["*", tree, differentiate(["*", args[1], ["log", args[0]]], x)]
    if head in ("max", "min"):
        if len(args) > 2:
            return differentiate([head, [head, *args[:-1]], args[-1]], x)
        return ["if", minus(*(args if head == "max" else args[::-1])), *d]
    if head == "if":  # it may jump where the sign changes
        return ["sure", certain(args[0]), *d[1:]]
    if head == "sum" and x not in names_in(args[1]) | names_in(args[2]):
        return ["sum", *args[:3], d[2]]
    outer = {
        "exp": tree,
        "log": ["^", parts[0], "-1"],
        "sin": ["cos", parts[0]],
        "cos": ["*", ["q", "-1"], ["sin", parts[0]]],
        "tanh": minus(ONE, ["^", tree, "2"]),
        "abs": ["if", parts[0], ONE, ["q", "-1"]],
    }
    require(head in outer, f"{head} has no derivative here")
    return ["*", outer[head], d[0]]


def limits(tree: Tree) -> set[str]:
    """The names in the limits of sums and products."""
    if isinstance(tree, str):
        return set()
    own = names_in(tree[2]) | names_in(tree[3]) if tree[0] in ("sum", "prod") else set()
    return own.union(*map(limits, children(tree)))


def heads(tree: Tree) -> set[str]:
    return set() if isinstance(tree, str) else {tree[0]}.union(*map(heads, children(tree)))


def elements(tree: Tree) -> list[tuple[str, Tree]]:
    """(name, index) of every element of a sequence."""
    if isinstance(tree, str):
        return []
    own = [(tree[1], tree[2])] if tree[0] == "at" else []
    return own + [pair for part in children(tree) for pair in elements(part)]


@lru_cache(maxsize=4096)
def _fraction(text: str) -> Fraction:
    """Of the numbers in a tree, which are read again at every point."""
    return Fraction(text)


def constant(tree: Tree, at: Mapping[str, Fraction] = MappingProxyType({})) -> Fraction | None:
    """The value of a tree without variables that is a rational number by its form, else None."""
    if isinstance(tree, str):
        return at.get(tree)
    head, *args = tree
    if head == "q":
        return _fraction(args[0])
    if head == "^":
        base, p = constant(args[0], at), _fraction(args[1])
        if base is None or p.denominator != 1 or (base == 0 and p <= 0) or abs(p) > LARGEST_POWER:
            return None
        return base**p.numerator
    if head not in ("+", "*"):
        return None
    total = Fraction(head == "*")
    for a in args:
        if (value := constant(a, at)) is None:
            return None
        total = total + value if head == "+" else total * value
    return total


def powers(tree: Tree) -> list[tuple[Tree, Fraction]]:
    """(base, exponent) of every rational power."""
    if isinstance(tree, str):
        return []
    own = [(tree[1], Fraction(tree[2]))] if tree[0] == "^" else []
    return own + [pair for part in children(tree) for pair in powers(part)]


def domains(tree: Tree) -> list[tuple[Tree, str, dict[str, Tree]]]:
    """What must be ">= 0", "> 0" or "!= 0" for a tree to have a value, with the lower ends of the indices around it."""
    if isinstance(tree, str):
        return []
    head = tree[0]
    own: list[tuple[Tree, str, dict[str, Tree]]] = []
    if head == "^" and (power := Fraction(tree[2])) != abs(power.numerator):
        whole = power.denominator == 1
        own = [(tree[1], "!= 0" if whole else "> 0" if power < 0 else ">= 0", {})]
    elif head in ("log", "pow"):
        own = [(tree[1], "> 0", {})]
    below = [need for part in children(tree) for need in domains(part)]
    if head in ("sum", "prod"):
        below = [(base, sign, {tree[1]: tree[2], **indices}) for base, sign, indices in below]
    return own + below
