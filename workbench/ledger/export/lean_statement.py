"""One statement in the language of Lean: what is declared and assumed, and what is claimed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from workbench.ledger import certificate, trees
from workbench.ledger.export.lean_terms import ARGUMENT, Terms, identifier, number, types_of
from workbench.ledger.export.lines import linear
from workbench.ledger.trees import Tree

SIGNS = {">=": "≤", ">": "<", "=": "=", "!=": "≠"}


def fresh(name: str, names: set[str]) -> str:
    """The name, with a number behind if it is in use; it is in use from now on."""
    candidate, k = name, 2
    while candidate in names:
        candidate, k = f"{name}_{k}", k + 1
    names.add(candidate)
    return candidate


class Statement:
    """Writes one statement (`certificate`)."""

    def __init__(self, s: dict[str, Any]) -> None:
        self.s = s
        self.box = dict(s.get("box", {}))
        if s["kind"] == "induction":
            self.box[s["n"]] = [str(s["start"]), "oo", False, True, True]
        if s["kind"] == "program":
            names = {name for row in (s["objective"], *(row for row, *_ in s["rows"])) for name in row}
            self.box = {name: ["-oo", "oo", True, True, False] for name in sorted(names)}
        self.sides = [s[part] for part in ("lhs", "rhs") if part in s]
        self.rules = s.get("rules", [])
        everything = [*self.sides, *(t for _, _, t in self.rules), *(t for t, _ in s.get("given", []))]
        everything += [
            ["at", q, ["+", s["n"], trees.ONE] if k is None else ["q", str(k)]] for q, k, _ in self.rules
        ]
        self.terms = Terms(types_of(self.box, everything))
        self.everything = everything
        self.names = {identifier(x) for x in (*self.box, *self.terms.types)}
        self.hypothesis_of: dict[str, str] = {}

    # -------------------------------------------------------------------------------------------- declarations

    def binders(self) -> list[str]:
        """Variables with their types, then hypotheses."""
        self.hypothesis_of, self.hypotheses = {}, set(self.names)
        n = self.s.get("n") if self.s["kind"] == "identity" else None
        before = self._declaration([name for name in self.box if name != n])
        for q in sorted({name for tree in self.everything for name, _ in trees.elements(tree)}):
            before.append(f"({identifier(q)} : {self.terms.types[q]} → ℝ)")
        for f, count in sorted(_functions(self.everything)):
            before.append(f"({identifier(f)} : {'ℝ → ' * count}ℝ)")
        before += [self._hypothesis("hr", self._rule(*rule)) for rule in self.rules]
        if n is not None:
            before += self._declaration([n])
        if self.s["kind"] == "program":
            return before if self._for_all() else []
        given = [
            self._hypothesis("hg", self._condition(tree, sign)) for tree, sign in self.s.get("given", [])
        ]
        return before + given + [self._hypothesis("hd", need) for need in self._needs()]

    def _declaration(self, names: list[str]) -> list[str]:
        kinds: dict[str, list[str]] = {}
        for name in names:
            kinds.setdefault(self.terms.types.get(name, "ℝ"), []).append(identifier(name))
        rows = [f"({' '.join(own)} : {kind})" for kind, own in kinds.items()]
        return rows + [part for name in names for part in self._side(name)]

    def _hypothesis(self, stem: str, claim: str, name: str = "") -> str:
        hypothesis = fresh(stem, self.hypotheses)
        if name:
            self.hypothesis_of.setdefault(name, hypothesis)
        return f"({hypothesis} : {claim})"

    def _side(self, name: str) -> list[str]:
        """The ends of a variable as hypotheses; that a natural number is at least 0 needs none."""
        low, high, low_open, high_open, _ = self.box[name]
        kind, variable, claims = self.terms.types.get(name, "ℝ"), identifier(name), []
        if low != "-oo" and not (kind == "ℕ" and low == "0" and not low_open):
            claims.append(f"{_end(low, kind)} {'<' if low_open else '≤'} {variable}")
        if high != "oo":
            claims.append(f"{variable} {'<' if high_open else '≤'} {_end(high, kind)}")
        return [self._hypothesis(f"h_{variable}", claim, name) for claim in claims]

    def _condition(self, tree: Tree, sign: str) -> str:
        if sign in ("=", "!="):
            return f"{self.terms.real(tree)} {SIGNS[sign]} (0 : ℝ)"
        return f"(0 : ℝ) {SIGNS[sign]} {self.terms.real(tree)}"

    def _rule(self, sequence: str, k: int | None, value: Tree) -> str:
        """A[n + 1] = value for every n from the start on, or A[k] = value."""
        n = self.s["n"]
        element = self.terms.real(["at", sequence, ["+", n, trees.ONE] if k is None else ["q", str(k)]])
        equation = f"{element} = ({self.terms.real(value)} : ℝ)"
        kind = self.terms.types[n]
        return (
            equation
            if k is not None
            else f"∀ {identifier(n)} : {kind}, {self.s['start']} ≤ {identifier(n)} → {equation}"
        )

    def _needs(self) -> list[str]:
        """What an identity assumes, so that both sides have values: nothing if they have them everywhere."""
        if self.s["kind"] != "identity" or certificate.everywhere(self.s):
            return []
        needs = [need for tree in self.sides for need in _domains(tree, self.terms, ())]
        after = f"∀ {identifier(self.s['n'] or '')} : {self.terms.types.get(self.s['n'] or '', 'ℕ')}, "
        for _, k, tree in self.rules:
            needs += [need if k is not None else after + need for need in _domains(tree, self.terms, ())]
        return list(dict.fromkeys(needs))

    # -------------------------------------------------------------------------------------------- claims

    def claim(self) -> str:
        s, real = self.s, self.terms.real
        if s["kind"] == "program":
            return self._program()
        if s["kind"] == "induction":
            total = [s["op"], s["index"], ["q", str(s["low"])], s["n"], s["term"]]
            return f"({real(total)} : ℝ) ≤ {real(s['bound'])}"
        return f"({real(s['lhs'])} : ℝ) {'=' if s['kind'] == 'identity' else '≤'} {real(s['rhs'])}"

    def _for_all(self) -> bool:
        """Is a claim about an optimum one about all points? maximum <= c, minimum >= c."""
        return (self.s["sense"], self.s["relation"]) in (("max", "<="), ("min", ">="))

    def _program(self) -> str:
        s = self.s
        objective = self.terms.real(linear(s["objective"], s["constant"]))
        claimed, _ = number(Fraction(s["claimed"]))
        rows = [
            f"({self.terms.real(linear(row, '0'))} : ℝ) {'=' if sign == '=' else '≤'} {number(Fraction(right))[0]}"
            for row, sign, right in s["rows"]
        ]
        names = " ".join(identifier(name) for name in self.box)
        if self._for_all():
            a, b = (objective, claimed) if s["relation"] == "<=" else (claimed, objective)
            return " → ".join([*rows, f"({a} : ℝ) ≤ {b}"])
        if s["relation"] != "=":
            a, b = (objective, claimed) if s["relation"] == "<=" else (claimed, objective)
            return f"∃ {names} : ℝ, {' ∧ '.join([*rows, f'({a} : ℝ) ≤ {b}'])}"
        z = fresh("z", set(self.names))
        points = f"∃ {names} : ℝ, {' ∧ '.join([*rows, f'{z} = {objective}'])}"
        return f"{'IsGreatest' if s['sense'] == 'max' else 'IsLeast'} {{{z} : ℝ | {points}}} {claimed}"


def _end(text: str, kind: str) -> str:
    if kind != "ℝ":
        return text if not text.startswith("-") else f"({text} : ℤ)"
    return number(Fraction(text))[0] if text.startswith("-") or "/" in text else f"({text} : ℝ)"


def _functions(everything: list[Tree]) -> set[tuple[str, int]]:
    """(name, number of arguments) of the functions of which nothing is known."""
    calls: set[tuple[str, int]] = set()
    for tree in everything:
        if not isinstance(tree, str):
            calls |= {(tree[1], len(tree) - 2)} if tree[0] == "call" else set()
            calls |= _functions(trees.children(tree))
    return calls


def _domains(tree: Tree, terms: Terms, binders: tuple[str, ...]) -> list[str]:
    """What must hold for a tree to have a value, for every index of the sums around it."""
    if isinstance(tree, str):
        return []
    parts, own = trees.children(tree), []
    if tree[0] in ("sum", "prod"):
        _, index, low, high, body = tree
        kind = terms.kind(low, high)
        first, last = (terms.index(limit, kind, ARGUMENT) for limit in (low, high))
        inner = Terms({**terms.types, index: kind})
        around = (*binders, f"∀ {identifier(index)} ∈ Finset.Icc {first} {last}, ")
        return [need for limit in (low, high) for need in _domains(limit, terms, binders)] + _domains(
            body, inner, around
        )
    sign = ""
    if tree[0] == "^" and (p := Fraction(tree[2])) != abs(p.numerator):
        sign = "!=" if p.denominator == 1 else ">" if p < 0 else ">="
    elif tree[0] in ("log", "pow"):
        sign = ">"
    if sign:
        base = terms.real(parts[0])
        own = ["".join(binders) + (f"{base} ≠ (0 : ℝ)" if sign == "!=" else f"(0 : ℝ) {SIGNS[sign]} {base}")]
    return own + [need for part in parts for need in _domains(part, terms, binders)]
