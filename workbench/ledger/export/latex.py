"""Exact lines as LaTeX, for the appendix of a paper: the words, the formula with its domain, and how it is status."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from workbench.ledger.export.lines import Line, divisor, linear
from workbench.ledger.trees import ONE, Tree, Wrong, children
from workbench.theory.symbol_names import symbol_latex

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly a formula binds
FUNCTIONS = {"exp": r"\exp", "log": r"\log", "sin": r"\sin", "cos": r"\cos", "tanh": r"\tanh"}
SIGNS = {">=": r"\ge", ">": ">", "=": "=", "<=": r"\le"}
SAYS = {"holds": "Shown", "violated": "False", "inconclusive": "Not decided"}


def file(lines: Iterable[Line], prose: Callable[[str], str]) -> str:
    """A list of lines for an appendix. prose: a sentence as LaTeX."""
    items = [_item(line, Formulas(), prose) for line in lines]
    return "\n".join(
        [
            "% Written by `workbench ledger --latex`; needs amsmath.",
            r"\begin{itemize}",
            *items,
            r"\end{itemize}",
            "",
        ]
    )


def _item(line: Line, formulas: Formulas, prose: Callable[[str], str]) -> str:
    about = ", ".join(filter(None, (line.words, line.name)))
    s = line.statement
    verdict = SAYS[line.verdict]
    if line.verdict == "violated" and line.proof.get("point"):
        at = ", ".join(
            f"{symbol_latex(x)} = {_fraction(Fraction(v))}" for x, v in sorted(line.proof["point"].items())
        )
        verdict = f"False at ${at}$"
    status = f"{verdict} ({prose(line.method)})."
    return f"\\item {prose(about)}\n  \\[ {formulas.claim(s)}{formulas.where(s)} \\]\n  {status}"


class Formulas:
    """Writes trees and statements."""

    def text(self, tree: Tree, tight: int = SUM) -> str:
        """A formula, in parentheses unless it binds at least as `tight`ly."""
        text, binds = self._text(tree)
        return rf"\left({text}\right)" if binds < tight else text

    def _text(self, tree: Tree) -> tuple[str, int]:
        if isinstance(tree, str):
            return symbol_latex(tree), ATOM
        head, *args = tree
        if head == "q":
            q = Fraction(args[0])
            return _fraction(q), SUM if q < 0 else ATOM if q.denominator == 1 else PRODUCT
        if head in ("pi", "e"):
            return (r"\pi" if head == "pi" else r"\mathrm{e}"), ATOM
        if head == "+":
            return self._sum(args), SUM
        if head == "*":
            return self._product(args)
        if head == "^":
            return self._power(args[0], Fraction(args[1]))
        if head == "pow":
            return f"{self.text(args[0], ATOM)}^{{{self.text(args[1])}}}", POWER
        if head in ("sum", "prod"):
            index, low, high, body = args
            sign = rf"\{head}_{{{symbol_latex(index)}={self.text(low)}}}^{{{self.text(high)}}}"
            return f"{sign} {self.text(body, PRODUCT)}", SUM
        if head == "at":
            return f"{symbol_latex(args[0])}_{{{self.text(args[1])}}}", ATOM
        if head == "if":
            d, yes, no = map(self.text, args)
            cases = rf"{yes} & \text{{if }} {d} \ge 0, \\ {no} & \text{{else}}"
            return rf"\begin{{cases}} {cases} \end{{cases}}", SUM
        if head == "abs":
            return rf"\left|{self.text(args[0])}\right|", ATOM
        inner = ", ".join(self.text(part) for part in children(tree))
        if head == "call":
            return rf"{symbol_latex(args[0])}\left({inner}\right)", ATOM
        if head not in (*FUNCTIONS, "max", "min"):
            raise Wrong(f"no formula for {head}")
        return rf"{FUNCTIONS.get(head, chr(92) + head)}\left({inner}\right)", ATOM

    def _sum(self, parts: list[Tree]) -> str:
        text = self.text(parts[0])
        for part in parts[1:]:
            term = self.text(part, PRODUCT) if not _begins_with_minus(part) else self.text(part)
            text += f" - {term[1:].lstrip()}" if _begins_with_minus(part) else f" + {term}"
        return text

    def _product(self, factors: list[Tree]) -> tuple[str, int]:
        """Factors with negative powers and denominators of numbers go below one fraction line."""
        sign = ""
        above: list[Tree] = []
        below: list[Tree] = []
        for factor in factors:
            q = Fraction(factor[1]) if not isinstance(factor, str) and factor[0] == "q" else None
            inverse = divisor(factor)
            if q is not None:
                sign = sign if q >= 0 else ("" if sign else "-")
                above += [["q", str(abs(q.numerator))]] if abs(q.numerator) != 1 else []
                below[:0] = [["q", str(q.denominator)]] if q.denominator != 1 else []
            elif inverse is not None:
                below.append(inverse)
            else:
                above.append(factor)
        top = self._row(above, bool(below))
        text = rf"\frac{{{top}}}{{{self._row(below, True)}}}" if below else top
        return sign + text, SUM if sign else PRODUCT

    def _row(self, factors: list[Tree], alone: bool) -> str:
        if not factors:
            return "1"
        if len(factors) == 1:
            return self.text(factors[0], SUM if alone else PRODUCT)
        texts = [self.text(f, POWER) for f in factors]
        line = texts[0]
        for text in texts[1:]:
            line += rf" \cdot {text}" if text[0].isdigit() else f" {text}"
        return line

    def _power(self, base: Tree, p: Fraction) -> tuple[str, int]:
        if p < 0:
            return rf"\frac{{1}}{{{self.text(base if p == -1 else ['^', base, str(-p)])}}}", PRODUCT
        if p == Fraction(1, 2):
            return rf"\sqrt{{{self.text(base)}}}", ATOM
        exponent = str(p) if p.denominator == 1 else f"{p.numerator}/{p.denominator}"
        return f"{self.text(base, ATOM)}^{{{exponent}}}", POWER

    # -------------------------------------------------------------------------------------------- statements

    def claim(self, s: dict[str, Any]) -> str:
        if s["kind"] == "program":
            goal = rf"\{s['sense']} \left({self.text(linear(s['objective'], s['constant']))}\right)"
            return f"{goal} {SIGNS[s['relation']]} {_fraction(Fraction(s['claimed']))}"
        if s["kind"] == "induction":
            total = [s["op"], s["index"], ["q", str(s["low"])], s["n"], s["term"]]
            return rf"{self.text(total)} \le {self.text(s['bound'])}"
        return f"{self.text(s['lhs'])} {'=' if s['kind'] == 'identity' else chr(92) + 'le'} {self.text(s['rhs'])}"

    def where(self, s: dict[str, Any]) -> str:
        """The domains, the conditions and the definitions of sequences, behind a space."""
        if s["kind"] == "program":
            rows = [
                f"{self.text(linear(r, '0'))} {SIGNS[sign]} {_fraction(Fraction(q))}"
                for r, sign, q in s["rows"]
            ]
            return rf" \quad \text{{for }} {', '.join(rows)}" if rows else ""
        box = dict(s["box"])
        if s["kind"] == "induction":
            box[s["n"]] = [str(s["start"]), "oo", False, True, True]
        parts = [self._side(name, *side) for name, side in sorted(box.items())]
        parts += [f"{self.text(tree)} {SIGNS[sign]} 0" for tree, sign in s.get("given", [])]
        for sequence, k, value in s.get("rules", []):
            index = ["+", s["n"], ONE] if k is None else ["q", str(k)]
            parts.append(f"{self.text(['at', sequence, index])} = {self.text(value)}")
        listing = r",\; ".join(parts)
        return rf" \qquad \left({listing}\right)" if parts else ""

    def _side(self, name: str, low: str, high: str, low_open: bool, high_open: bool, integer: bool) -> str:
        x = symbol_latex(name)
        if low == "-oo" and high == "oo":
            return rf"{x} \in \mathbb{{{'Z' if integer else 'R'}}}"
        whole = r" \text{ integer}" if integer else ""
        if high == "oo":
            return rf"{x} {'>' if low_open else SIGNS['>=']} {_fraction(Fraction(low))}{whole}"
        if low == "-oo":
            return rf"{x} {'<' if high_open else SIGNS['<=']} {_fraction(Fraction(high))}{whole}"
        ends = f"{_fraction(Fraction(low))}, {_fraction(Fraction(high))}"
        return rf"{x} \in {'(' if low_open else '['}{ends}{')' if high_open else ']'}{whole}"


def _fraction(q: Fraction) -> str:
    if q.denominator == 1:
        return str(q)
    return rf"{'-' * (q < 0)}\frac{{{abs(q.numerator)}}}{{{q.denominator}}}"


def _begins_with_minus(tree: Tree) -> bool:
    if isinstance(tree, str):
        return False
    if tree[0] == "q":
        return Fraction(tree[1]) < 0
    negative = [f for f in tree[1:] if not isinstance(f, str) and f[0] == "q" and Fraction(f[1]) < 0]
    return tree[0] == "*" and len(negative) % 2 == 1
