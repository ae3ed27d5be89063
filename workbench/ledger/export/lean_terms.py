"""Trees as terms of Lean 4, with Mathlib's names.

Every term is a real number. Integer variables are of type ℕ, or ℤ where they may be negative, and are cast where they
meet real numbers. A limit or an index in which something is subtracted is written in ℤ, since a difference of natural
numbers stops at 0; fractions are written as quotients of real numbers, since 1 / 2 is 0 among the natural ones.
Reciprocals are `x⁻¹` (0⁻¹ = 0), integer powers `x ^ n` with a natural n, other powers Real.rpow.
"""

from __future__ import annotations

from fractions import Fraction

from workbench.ledger.export.lines import divisor
from workbench.ledger.trees import Tree, Wrong, children

SUM, PRODUCT, POWER, ARGUMENT = range(4)  # how tightly a term binds
FUNCTIONS = {
    "exp": "Real.exp", "log": "Real.log", "sin": "Real.sin", "cos": "Real.cos", "tanh": "Real.tanh", "abs": "abs",
}  # fmt: skip
RESERVED = frozenset(
    (
        "abbrev", "abs", "at", "attribute", "axiom", "by", "calc", "class", "def", "decreasing_by", "deriving",
        "do", "elab", "else", "end", "example", "exists", "export", "extends", "Finset", "for", "from", "fun",
        "generalizing", "have", "hiding", "if", "import", "in", "include", "inductive", "infix", "initialize",
        "instance", "Int", "IsGreatest", "IsLeast", "let", "local", "macro", "macro_rules", "match", "max", "min",
        "mutual", "namespace", "Nat", "nofun", "nomatch", "noncomputable", "nonrec", "notation", "omit", "on",
        "only", "opaque", "open", "partial", "postfix", "prefix", "private", "Prop", "protected", "Real",
        "renaming", "return", "section", "set_option", "show", "sorry", "Sort", "structure", "suffices", "syntax",
        "termination_by", "then", "theorem", "Type", "universe", "unsafe", "using", "variable", "where", "with",
    )
)  # fmt: skip


def identifier(name: str) -> str:
    """A name of the ledger as one of Lean: an underscore in front means a hole, and keywords get one behind."""
    name = f"v{name}" if name.startswith("_") else name
    return f"{name}_" if name in RESERVED else name


class Terms:
    """Writes trees. types: integer variable -> "ℕ" or "ℤ"; every other variable is real."""

    def __init__(self, types: dict[str, str]) -> None:
        self.types = types

    def real(self, tree: Tree, tight: int = SUM) -> str:
        """A term of type ℝ, in brackets unless it binds at least as `tight`ly. Raises Wrong for an inner head."""
        text, binds = self._real(tree)
        return f"({text})" if binds < tight else text

    def _real(self, tree: Tree) -> tuple[str, int]:
        if isinstance(tree, str):
            name = identifier(tree)
            return (f"({name} : ℝ)" if tree in self.types else name), ARGUMENT
        head, *args = tree
        if head == "q":
            return number(Fraction(args[0]))
        if head in ("pi", "e"):
            return ("Real.pi", ARGUMENT) if head == "pi" else ("Real.exp 1", POWER)
        if head == "+":
            return self._sum(args), SUM
        if head == "*":
            return self._product(args), PRODUCT
        if head == "^":
            return self._power(args[0], Fraction(args[1]))
        if head == "pow":
            return f"{self.real(args[0], ARGUMENT)} ^ {self._exponent(args[1])}", POWER
        if head in ("sum", "prod"):
            return self._series(*tree), ARGUMENT
        if head == "at":
            return (
                f"{identifier(args[0])} {self.index(args[1], self.types.get(args[0], 'ℕ'), ARGUMENT)}",
                POWER,
            )
        if head == "if":
            condition, yes, no = map(self.real, args)
            return f"if (0 : ℝ) ≤ {condition} then {yes} else {no}", -1
        if head in ("max", "min"):
            text = self.real(args[0], ARGUMENT)
            for other in args[1:]:
                text = f"({text})" if text.startswith(f"{head} ") else text
                text = f"{head} {text} {self.real(other, ARGUMENT)}"
            return text, ARGUMENT if len(args) == 1 else POWER
        if head == "call":
            return " ".join([identifier(args[0]), *(self.real(a, ARGUMENT) for a in args[1:])]), POWER
        if head not in FUNCTIONS:
            raise Wrong(f"no term for {head}")
        return f"{FUNCTIONS[head]} {self.real(args[0], ARGUMENT)}", POWER

    def _sum(self, parts: list[Tree]) -> str:
        text = self.real(parts[0], PRODUCT)
        for part in parts[1:]:
            if _is_negative(part):
                text += f" - {self.real(['q', part[1][1:]], PRODUCT)}"
            elif not isinstance(part, str) and part[:2] == ["*", ["q", "-1"]] and len(part) > 2:
                rest = part[2] if len(part) == 3 else ["*", *part[2:]]
                text += f" - {self.real(rest, PRODUCT)}"
            else:
                text += f" + {self.real(part, PRODUCT)}"
        return text

    def _product(self, factors: list[Tree]) -> str:
        if factors[0] == ["q", "-1"] and len(factors) > 1 and not _is_number(factors[1]):
            return f"-{self._product(factors[1:])}"
        text = ""
        for factor in factors:
            inverse = divisor(factor)
            if text and inverse is not None:
                text += f" / {self.real(inverse, POWER)}"
            else:
                text += f" * {self.real(factor, POWER)}" if text else self.real(factor, POWER)
        return text

    def _power(self, base: Tree, p: Fraction) -> tuple[str, int]:
        if p < 0:
            return f"{self.real(base if p == -1 else ['^', base, str(-p)], ARGUMENT)}⁻¹", ARGUMENT
        if p == Fraction(1, 2):
            return f"Real.sqrt {self.real(base, ARGUMENT)}", POWER
        exponent = str(p) if p.denominator == 1 else f"({p.numerator} / {p.denominator} : ℝ)"
        return f"{self.real(base, ARGUMENT)} ^ {exponent}", POWER

    def _exponent(self, tree: Tree) -> str:
        """A natural variable as it is, anything else as a real exponent."""
        if isinstance(tree, str) and self.types.get(tree) == "ℕ":
            return identifier(tree)
        return f"({self.real(tree)} : ℝ)"

    def _series(self, head: str, index: str, low: Tree, high: Tree, body: Tree) -> str:
        kind = self.kind(low, high)
        inner = Terms({**self.types, index: kind})
        first, last = (self.index(limit, kind, ARGUMENT) for limit in (low, high))
        sign = "∑" if head == "sum" else "∏"
        return f"({sign} {identifier(index)} ∈ Finset.Icc {first} {last}, {inner.real(body, POWER)})"

    # -------------------------------------------------------------------------------------------- integers

    def kind(self, *limits: Tree) -> str:
        """ℕ if all of this is a sum of products of natural numbers, else ℤ."""
        return "ℕ" if all(map(self._is_natural, limits)) else "ℤ"

    def _is_natural(self, tree: Tree) -> bool:
        if isinstance(tree, str):
            return self.types.get(tree) == "ℕ"
        return not tree[1].startswith("-") if tree[0] == "q" else all(map(self._is_natural, children(tree)))

    def index(self, tree: Tree, kind: str, tight: int = SUM) -> str:
        """A limit or an index as a term of type ℕ or ℤ."""
        text, binds = self._index(tree, kind)
        return f"({text})" if binds < tight else text

    def _index(self, tree: Tree, kind: str) -> tuple[str, int]:
        if isinstance(tree, str):
            own = identifier(tree)
            return (own if self.types[tree] == kind else f"({own} : {kind})"), ARGUMENT
        head, *args = tree
        if head == "q":
            return (args[0] if kind == "ℕ" else f"({args[0]} : ℤ)"), ARGUMENT
        sign, binds = (" + ", SUM) if head == "+" else (" * ", PRODUCT)
        return sign.join(self.index(a, kind, binds + 1) for a in args), binds


def number(q: Fraction) -> tuple[str, int]:
    """A rational number as a term of type ℝ."""
    if q.denominator == 1:
        return (str(q), ARGUMENT) if q >= 0 else (f"(-{-q.numerator} : ℝ)", ARGUMENT)
    sign = "-" if q < 0 else ""
    return f"({sign}{abs(q.numerator)} / {q.denominator} : ℝ)", ARGUMENT


def _is_number(tree: Tree) -> bool:
    return not isinstance(tree, str) and tree[0] == "q"


def _is_negative(tree: Tree) -> bool:
    return _is_number(tree) and tree[1].startswith("-")


def types_of(box: dict[str, list], trees: list[Tree]) -> dict[str, str]:
    """Integer variable -> its type, ℕ if it is never negative; sequence -> the type of its index."""
    types = {
        name: "ℕ" if low != "-oo" and Fraction(low) >= 0 else "ℤ"
        for name, (low, *_, whole) in box.items()
        if whole
    }
    sequences: dict[str, str] = {}
    for tree in trees:
        _find_sequences(tree, types, sequences)
    return types | sequences


def _find_sequences(tree: Tree, types: dict[str, str], sequences: dict[str, str]) -> None:
    if isinstance(tree, str):
        return
    if tree[0] in ("sum", "prod"):
        types = {**types, tree[1]: Terms(types).kind(tree[2], tree[3])}
    if tree[0] == "at" and sequences.get(tree[1]) != "ℤ":
        sequences[tree[1]] = Terms(types).kind(tree[2])
    for part in children(tree):
        _find_sequences(part, types, sequences)
