"""The part of Lean 4 that `workbench ledger --lean` writes: a parser, and values as Lean defines them.

Types are checked more strictly than Lean does: an integer among real numbers must have its cast, and a relation needs a
side whose type is known. Division by 0 gives 0, roots and logarithms of numbers without one are Mathlib's (0, and the
logarithm of the absolute value), and a difference of natural numbers stops at 0.
"""

from __future__ import annotations

import math
import re
from typing import Any

FUNCTIONS = {
    "Real.exp": math.exp, "Real.sin": math.sin, "Real.cos": math.cos, "Real.tanh": math.tanh, "abs": abs,
    "Real.log": lambda x: math.log(abs(x)) if x else 0.0, "Real.sqrt": lambda x: math.sqrt(x) if x > 0 else 0.0,
}  # fmt: skip
TYPES = ("ℝ", "ℕ", "ℤ")
KEYWORDS = frozenset(("if", "then", "else", "theorem", "by"))


class NotLean(ValueError):
    """The text is outside the part of the language, or has a wrong type."""


def need(condition: Any, why: str) -> None:
    if not condition:
        raise NotLean(why)


class Parser:
    """A term as nested tuples (head, part, ...)."""

    def __init__(self, text: str) -> None:
        self.tokens, at = [], 0
        pattern = re.compile(r"\s*(⁻¹|[ℝℕℤ]|[A-Za-z_][A-Za-z0-9_.']*|\d+|[()\[\]{}:,|+\-*/^<=≤≠∀∃∈∑∏¬∧→])")
        while at < len(text.rstrip()):
            match = pattern.match(text, at)
            need(match, f"no token at {text[at : at + 20]!r}")
            self.tokens.append(match[1])
            at = match.end()
        self.tokens.append("")
        self.at = 0

    @property
    def next(self) -> str:
        return self.tokens[self.at]

    def take(self, *texts: str) -> str:
        if self.next in texts and self.next:
            self.at += 1
            return self.tokens[self.at - 1]
        return ""

    def expect(self, text: str) -> None:
        need(self.next == text, f"expected {text!r}, not {self.next!r}")
        self.at += 1

    def name(self) -> str:
        need(
            re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", self.next) and self.next not in KEYWORDS,
            f"no name: {self.next!r}",
        )
        self.at += 1
        return self.tokens[self.at - 1]

    def binder(self) -> tuple:
        """(x y : T) or (h : claim)"""
        self.expect("(")
        names = [self.name()]
        while self.next != ":":
            names.append(self.name())
        self.expect(":")
        kind = self.kind() if self.next in TYPES else None
        claim = None if kind else self.term()
        self.expect(")")
        return names, kind, claim

    def kind(self) -> tuple[str, ...]:
        parts = [self.take(*TYPES)]
        while self.take("→"):
            parts.append(self.take(*TYPES))
        need(all(parts), "no type")
        return tuple(parts)

    def term(self) -> tuple:
        if self.take("¬"):
            return ("¬", self.term())
        if self.next in ("∀", "∃"):
            return self.quantified()
        left = self.conjunction()
        return ("→", left, self.term()) if self.take("→") else left

    def quantified(self) -> tuple:
        sign = self.take("∀", "∃")
        if self.next == "(":
            binders = [self.binder()]
            while self.next == "(":
                binders.append(self.binder())
            self.expect(",")
            return (sign, binders, self.term())
        names = [self.name()]
        while self.next not in (":", "∈"):
            names.append(self.name())
        if self.take("∈"):
            need(len(names) == 1, "one index")
            limits = self.range()
            self.expect(",")
            return ("∀ ∈", names[0], *limits, self.term())
        self.expect(":")
        kind = self.kind()
        self.expect(",")
        return (sign, [(names, kind, None)], self.term())

    def conjunction(self) -> tuple:
        left = self.relation()
        return ("∧", left, self.conjunction()) if self.take("∧") else left

    def relation(self) -> tuple:
        left = self.sum()
        sign = self.take("≤", "<", "=", "≠")
        return (sign, left, self.sum()) if sign else left

    def sum(self) -> tuple:
        left = self.product()
        while sign := self.take("+", "-"):
            left = (sign, left, self.product())
        return left

    def product(self) -> tuple:
        left = self.unary()
        while sign := self.take("*", "/"):
            left = (sign, left, self.unary())
        return left

    def unary(self) -> tuple:
        return ("neg", self.unary()) if self.take("-") else self.power()

    def power(self) -> tuple:
        base = self.application()
        return ("^", base, self.unary()) if self.take("^") else base

    def application(self) -> tuple:
        parts = [self.postfix()]
        while self.next in ("(", "{") or (
            re.fullmatch(r"[A-Za-z][\w.']*|\d+", self.next) and self.next not in KEYWORDS
        ):
            parts.append(self.postfix())
        if len(parts) == 1:
            return parts[0]
        need(parts[0][0] == "name", "only a name is applied")
        return ("apply", parts[0][1], *parts[1:])

    def postfix(self) -> tuple:
        part = self.atom()
        while self.take("⁻¹"):
            part = ("inverse", part)
        return part

    def atom(self) -> tuple:
        if self.next.isdigit():
            self.at += 1
            return ("number", int(self.tokens[self.at - 1]))
        if self.take("("):
            return self.bracket()
        if self.take("{"):
            names, _, kind = self.name(), self.expect(":"), self.kind()
            self.expect("|")
            inner = self.term()
            self.expect("}")
            return ("set", names, kind, inner)
        need(
            re.fullmatch(r"[A-Za-z][\w.']*", self.next) and self.next not in KEYWORDS,
            f"no term: {self.next!r}",
        )
        self.at += 1
        return ("name", self.tokens[self.at - 1])

    def bracket(self) -> tuple:
        if sign := self.take("∑", "∏"):
            index, _ = self.name(), self.expect("∈")
            limits = self.range()
            self.expect(",")
            inner = (sign, index, *limits, self.sum())
        elif self.take("if"):
            condition = self.term()
            self.expect("then")
            yes = self.term()
            self.expect("else")
            inner = ("if", condition, yes, self.term())
        else:
            inner = self.term()
        if self.take(":"):
            inner = ("as", inner, self.take(*TYPES))
            need(inner[2], "no type")
        self.expect(")")
        return inner

    def range(self) -> tuple[tuple, tuple]:
        self.expect("Finset.Icc")
        return self.postfix(), self.postfix()


def parse(text: str) -> tuple:
    parser = Parser(text)
    term = parser.term()
    need(not parser.next, f"left over: {parser.next!r}")
    return term


def theorem(text: str) -> tuple[str, list[tuple], tuple]:
    """(name, binders, claim) of `theorem name (x : ℝ) ... : claim`."""
    match = re.match(r"theorem ([A-Za-z]\w*)\s*", text)
    need(match, "no theorem")
    parser = Parser(text[match.end() :])
    binders = []
    while parser.next == "(":
        binders.append(parser.binder())
    parser.expect(":")
    claim = parser.term()
    need(not parser.next, f"left over: {parser.next!r}")
    return match[1], binders, claim


# ------------------------------------------------------------------------------------------------ types and values


def known(term: tuple, types: dict[str, Any]) -> str | None:
    """The type of a term, None if it holds numbers alone."""
    head, *parts = term
    if head == "as":
        return parts[1]
    if head == "number":
        return None
    if head == "name":
        return "ℝ" if parts[0] == "Real.pi" else lookup(parts[0], types)
    if head == "apply":
        return (
            "ℝ"
            if parts[0] not in ("max", "min", "abs")
            else next(filter(None, (known(p, types) for p in parts[1:])), None)
        )
    if head in ("∑", "∏"):
        return "ℝ"
    if head == "if":
        return known(parts[1], types) or known(parts[2], types)
    if head == "^":
        return known(parts[0], types)
    return next(filter(None, (known(p, types) for p in parts)), None)


def lookup(name: str, types: dict[str, Any]) -> Any:
    need(name in types, f"unknown identifier {name}")
    kind = types[name]
    return kind[0] if isinstance(kind, tuple) and len(kind) == 1 else kind


def value(term: tuple, kind: str, types: dict[str, Any], at: dict[str, Any]) -> Any:
    """The value of a term that must have this type. Raises NotLean where it has another."""
    head, *parts = term
    if head == "number":
        return float(parts[0]) if kind == "ℝ" else parts[0]
    if head == "name":
        if parts[0] == "Real.pi":
            return math.pi
        need(lookup(parts[0], types) == kind, f"{parts[0]} has type {types[parts[0]]}, not {kind}")
        return at[parts[0]]
    if head == "as":
        need(parts[1] == kind, f"a term of type {parts[1]} where {kind} is wanted")
        inner = parts[0]
        if inner[0] == "name" and inner[1] != "Real.pi" and (own := lookup(inner[1], types)) != kind:
            need((own, kind) in (("ℕ", "ℤ"), ("ℕ", "ℝ"), ("ℤ", "ℝ")), f"no cast from {own} to {kind}")
            return float(at[inner[1]]) if kind == "ℝ" else at[inner[1]]
        return value(inner, kind, types, at)
    if head == "apply":
        return applied(parts[0], parts[1:], kind, types, at)
    if head in ("∑", "∏"):
        need(kind == "ℝ", "a sum of real numbers")
        index, low, high, body = parts
        own = known(low, types) or known(high, types) or "ℕ"
        first, last = (value(limit, own, types, at) for limit in (low, high))
        terms = [value(body, "ℝ", {**types, index: own}, {**at, index: k}) for k in range(first, last + 1)]
        return math.fsum(terms) if head == "∑" else math.prod(terms)
    if head == "if":
        return value(parts[1] if truth(parts[0], types, at) else parts[2], kind, types, at)
    if head == "neg":
        need(kind != "ℕ", "minus a natural number")
        return -value(parts[0], kind, types, at)
    if head == "inverse":
        need(kind == "ℝ", "an inverse of an integer")
        x = value(parts[0], kind, types, at)
        return 1 / x if x else 0.0
    if head == "^":
        return powered(*parts, kind, types, at)
    need(head in ("+", "-", "*", "/"), f"no value of {head}")
    a, b = (value(p, kind, types, at) for p in parts)
    if head == "/":
        need(kind == "ℝ", "a quotient of integers")
        return a / b if b else 0.0
    if head == "-":
        return max(a - b, 0) if kind == "ℕ" else a - b
    return a + b if head == "+" else a * b


def applied(name: str, arguments: list[tuple], kind: str, types: dict[str, Any], at: dict[str, Any]) -> Any:
    if name in ("max", "min"):
        need(len(arguments) == 2, f"two arguments of {name}")
        return {"max": max, "min": min}[name](*(value(a, kind, types, at) for a in arguments))
    need(kind == "ℝ", f"{name} of type ℝ")
    if name in FUNCTIONS:
        need(len(arguments) == 1, f"one argument of {name}")
        return FUNCTIONS[name](value(arguments[0], "ℝ", types, at))
    own = lookup(name, types)
    need(
        isinstance(own, tuple) and len(own) == len(arguments) + 1 and own[-1] == "ℝ", f"{name} is no function"
    )
    return at[name](*(value(a, k, types, at) for a, k in zip(arguments, own, strict=False)))


def powered(base: tuple, exponent: tuple, kind: str, types: dict[str, Any], at: dict[str, Any]) -> Any:
    x = value(base, kind, types, at)
    own = known(exponent, types) or "ℕ"
    need(own in ("ℕ", "ℝ"), "an exponent in ℤ")
    p = value(exponent, own, types, at)
    if own == "ℕ":
        return x**p
    if x == 0:
        return float(p == 0)
    return abs(x) ** p if x > 0 else abs(x) ** p * math.cos(math.pi * p)


def truth(term: tuple, types: dict[str, Any], at: dict[str, Any]) -> bool:
    head, *parts = term
    if head == "¬":
        return not truth(parts[0], types, at)
    if head == "→":
        return not truth(parts[0], types, at) or truth(parts[1], types, at)
    if head == "∧":
        return truth(parts[0], types, at) and truth(parts[1], types, at)
    if head == "∀ ∈":
        index, low, high, inner = parts
        own = known(low, types) or known(high, types) or "ℕ"
        first, last = (value(limit, own, types, at) for limit in (low, high))
        return all(truth(inner, {**types, index: own}, {**at, index: k}) for k in range(first, last + 1))
    need(head in ("≤", "<", "=", "≠"), f"no claim: {head}")
    kind = known(parts[0], types) or known(parts[1], types)
    need(kind, "a relation between numbers whose type nobody has said")
    a, b = (value(p, kind, types, at) for p in parts)
    return {"≤": a <= b, "<": a < b, "=": a == b, "≠": a != b}[head]
