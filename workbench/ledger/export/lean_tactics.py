"""Which tactic of Mathlib a line is made for, by the form of its trees and by the certificate that it has."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from workbench.ledger.export.lines import Line
from workbench.ledger.trees import ONE, ZERO, Tree, children, heads, limits, minus, powers

Print = Callable[[Tree], str]
RATIONAL = frozenset(("q", "+", "*", "^"))
BOUNDED = "bounds of functions on a box"
BY_HAND = "by hand"
LEMMAS = {
    "exp": "Real.add_one_le_exp",
    "log": "Real.log_le_sub_one_of_pos",
    "sin": "Real.sin_le_one",
    "cos": "Real.cos_le_one",
    "abs": "abs_nonneg",
    "max": "le_max_left",
    "min": "min_le_left",
}
MADE_FOR = {
    "norm_num": "numbers alone",
    "positivity": "0 ≤ an expression without a difference",
    "linarith": "linear in the variables",
    "nlinarith": "polynomials: products of hypotheses and squares, with hints from the certificate",
    "field_simp": "quotients of polynomials, once their denominators are cleared",
    "nlinarith with roots": "square roots: with Real.sq_sqrt and Real.sqrt_nonneg",
    "ring": "identities of polynomials",
    "interval_cases": "finitely many integers",
    "induction": "Nat.le_induction with Finset.sum_Icc_succ_top",
    BOUNDED: "exp, log and the like on a bounded box: interval arithmetic, for which Mathlib has no tactic",
    BY_HAND: "no tactic is made for it",
}


def suggestion(line: Line, term: Print) -> tuple[str, str]:
    """(one of `MADE_FOR`, a tactic to try or the empty text). term: writes a tree of the line."""
    s = line.statement
    if line.verdict == "violated":
        return "norm_num", ""
    if s["kind"] == "program":
        return "linarith", ""
    if s["kind"] == "identity":
        return _identity(s)
    if s["kind"] == "induction":
        return "induction", ""
    return _inequality(line, term)


def _identity(s: dict[str, Any]) -> tuple[str, str]:
    if s["n"] is not None:
        return "induction", ""
    if _is_rational(s["lhs"]) and _is_rational(s["rhs"]):
        inverse = any(p < 0 for tree in (s["lhs"], s["rhs"]) for _, p in powers(tree))
        return ("field_simp", "(field_simp; ring)") if inverse else ("ring", "ring")
    return BY_HAND, ""


def _inequality(line: Line, term: Print) -> tuple[str, str]:
    s = line.statement
    parts = [s["lhs"], s["rhs"], *(tree for tree, _ in s["given"])]
    own = set().union(*map(heads, parts))
    if set().union(*map(limits, parts)) & set(s["box"]):
        return "interval_cases", ""
    if own & {"sum", "prod"}:
        return BY_HAND, ""
    if not s["box"] and own <= RATIONAL and all(map(_is_rational, parts)):
        return "norm_num", "norm_num"
    if s["lhs"] == ZERO and _is_positive(s["rhs"], s["box"]):
        return "positivity", "positivity"
    if own <= RATIONAL and all(p.denominator == 1 for part in parts for _, p in powers(part)):
        return _rational(line, parts, term)
    if own <= RATIONAL and all(p.denominator <= 2 for part in parts for _, p in powers(part)):
        return "nlinarith with roots", _nlinarith(_roots(parts, term) + _hints(line, term))
    bounded = all("oo" not in side[0] + side[1] for side in s["box"].values())
    return (BOUNDED if bounded else BY_HAND), ""


def lemmas(line: Line) -> list[str]:
    """Names of Mathlib about the functions in an inequality."""
    own = heads(line.statement.get("lhs", ZERO)) | heads(line.statement.get("rhs", ZERO))
    return [LEMMAS[head] for head in sorted(own & set(LEMMAS))]


def _rational(line: Line, parts: list[Tree], term: Print) -> tuple[str, str]:
    attempt = _nlinarith(_hints(line, term))
    if any(p < 0 for part in parts for _, p in powers(part)):
        return "field_simp", f"(rw [← sub_nonneg]; field_simp; {attempt})"
    if all(_degree(part) <= 1 for part in parts):
        return "linarith", "linarith"
    return "nlinarith", attempt


def _nlinarith(facts: list[str]) -> str:
    return f"nlinarith [{', '.join(facts)}]" if facts else "nlinarith"


def _is_rational(tree: Tree) -> bool:
    return heads(tree) <= RATIONAL and all(p.denominator == 1 for _, p in powers(tree))


def _degree(tree: Tree) -> int:
    """Of a polynomial."""
    if isinstance(tree, str):
        return 1
    if tree[0] == "^":
        return _degree(tree[1]) * int(Fraction(tree[2]))
    return (sum if tree[0] == "*" else max)([_degree(part) for part in children(tree)] or [0])


def _is_positive(tree: Tree, box: dict[str, Any]) -> bool:
    """Does `positivity` see that this is not negative? No difference, no negative number, variables from 0 on."""
    if isinstance(tree, str):
        return bool(box[tree][0] != "-oo" and Fraction(box[tree][0]) >= 0)
    if tree[0] == "q":
        return Fraction(tree[1]) >= 0
    if tree[0] in ("exp", "abs", "pi", "e"):
        return True
    even = tree[0] == "^" and Fraction(tree[2]).denominator == 1 and Fraction(tree[2]) % 2 == 0
    return even or (
        tree[0] in ("+", "*", "^", "max") and all(_is_positive(part, box) for part in children(tree))
    )


def _roots(parts: list[Tree], term: Print) -> list[str]:
    bases = {term(base): base for part in parts for base, p in powers(part) if p.denominator == 2}
    return [f"Real.sqrt_nonneg {_argument(text)}" for text in bases]


def _hints(line: Line, term: Print) -> list[str]:
    """Squares and products of a proof by terms, as facts for nlinarith."""
    if line.proof.get("by") != "terms":
        return []
    facts: list[str] = []
    for _, factors in line.proof["terms"]:
        squares = [at for kind, at in factors if kind == "square"]
        distances = [
            _difference(line.statement, *f) for f in factors if f[0] in ("low", "high", "given", "plain")
        ]
        facts += [f"sq_nonneg {_argument(term(_without_ones(at)))}" for at in squares]
        if len(distances) == 2 and not squares:
            claim = " * ".join(_argument(term(tree)) for tree in distances)
            facts.append(f"(by apply mul_nonneg <;> first | positivity | linarith : (0 : ℝ) ≤ {claim})")
    return list(dict.fromkeys(facts))


def _without_ones(tree: Tree) -> Tree:
    """A tree without factors 1, which the search leaves in its monomials."""
    if isinstance(tree, str) or tree[0] not in ("+", "*"):
        return tree
    parts = [_without_ones(part) for part in tree[1:]]
    if tree[0] == "*":
        parts = [part for part in parts if part != ONE] or [ONE]
    return parts[0] if len(parts) == 1 else [tree[0], *parts]


def _difference(s: dict[str, Any], kind: str, name: Any) -> Tree:
    """A factor of a proof by terms that is not negative."""
    if kind in ("given", "plain"):
        return s["given"][name][0] if kind == "given" else _without_ones(name)
    low, high = s["box"][name][:2]
    if kind == "low":
        return name if low == "0" else minus(name, ["q", low])
    return minus(["q", high], name)


def _argument(text: str) -> str:
    return text if text.isidentifier() else f"({text})"
