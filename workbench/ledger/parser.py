"""One line of ASCII mathematics as a statement: the trees that the re-checker reads, with nothing evaluated in between.

The grammar is in `docs/statements.md`; `printer` writes what this file reads back. Re-checking a line that was typed
trusts this file. Standard library only.

    sum(1/sqrt(k), k, 1, n) <= 2*sqrt(n) for integer n >= 1
    a*b <= a^2/(2*c) + c*b^2/2 for a, b >= 0, c > 0
    x <= 1 for x, y >= 0 given x + y <= 1
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from math import ceil, floor
from types import MappingProxyType
from typing import Any, NoReturn

from workbench.ledger import trees
from workbench.ledger.trees import ONE, ZERO, Tree

FUNCTIONS = ("exp", "log", "abs", "sin", "cos", "tanh")
SERIES = ("sum", "prod")
SPECIAL = (*FUNCTIONS, *SERIES, "sqrt", "max", "min", "pow", "if")  # names before a bracket
WORDS = ("maximum", "minimum", "of", "for", "given", "with", "by", "without", "in", "integer", "real")
RESERVED = ("e", "pi", "oo", *SPECIAL, *WORDS)  # names that nothing else may have
DEEPEST = 60  # brackets within brackets
LONGEST = 400  # digits of a number
TOKEN = re.compile(r"(\d+)|([A-Za-z_][A-Za-z0-9_]*)|(<=|>=|[-+*/^()\[\],<>=])", re.ASCII)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
END = "the end of the line"


class SyntaxFault(ValueError):
    """A line outside the grammar. place: the index of the first character that does not fit; expected: what does."""

    def __init__(self, place: int, expected: str, instead: str = "") -> None:
        super().__init__(f"expected {expected}" + f", not {instead}" * bool(instead))
        self.place, self.expected = place, expected


def statement(
    line: str, sides: Mapping[str, Any] = MappingProxyType({}), others: Collection[str] = ()
) -> dict[str, Any]:
    """The statement of a line, a JSON object that `certificate.well_formed` accepts or refuses.

    sides: the domains of variables that the line gives none, as `domains` reads them. others: names that need no
    domain, since the caller puts something in their place.

    Raises SyntaxFault for a line outside the grammar, for a variable without a domain, and in an inequality for a
    function of which nothing is known.
    """
    parser = _Parser(line)
    parser.sides, parser.others = sides, others
    return parser.statement()


def domains(line: str) -> dict[str, Any]:
    """The sides of variables by name, of a line as it stands after "for". Raises SyntaxFault."""
    parser = _Parser(line)
    box = parser.domains()
    parser.expect("")
    return box


def values(line: str) -> dict[str, str]:
    """Numbers by name, of a line "x = 1, y = 1/2". Raises SyntaxFault."""
    parser = _Parser(line)
    numbers: dict[str, str] = {}
    while not numbers or parser.take(","):
        place, name = parser.place, parser.name("a name")
        if name in numbers:
            raise SyntaxFault(place, f"one value of {name}")
        parser.expect("=")
        numbers[name] = parser.end("")
    parser.expect("")
    return numbers


def comparison(line: str) -> tuple[Tree, str, Tree]:
    """Both sides of a line without domains, and "<=" or "=" between them. Raises SyntaxFault."""
    parser = _Parser(line)
    both = parser.comparison()
    parser.expect("")
    return both


def tree(line: str) -> Tree:
    """The tree of an expression alone. Raises SyntaxFault."""
    parser = _Parser(line)
    part = parser.sum()
    parser.expect("")
    return part


def head(part: Tree) -> str:
    """The head of a node; of a variable the empty text."""
    return "" if isinstance(part, str) else str(part[0])


def opposite(part: Tree) -> Tree:
    """The negative of a number, or -1 times a tree."""
    return ["q", str(-Fraction(part[1]))] if head(part) == "q" else ["*", ["q", "-1"], part]


class _Parser:
    def __init__(self, line: str) -> None:
        self.tokens: list[tuple[str, int]] = []
        self.at = self.depth = 0
        self.sides: Mapping[str, Any] = {}  # domains of variables that the line gives none
        self.others: Collection[str] = ()  # names that need no domain
        self.names: dict[str, int] = {}  # variable -> its first place
        self.functions: dict[str, int] = {}  # function of which nothing is known -> its first place
        place = 0
        while place < len(line):
            if line[place].isspace():
                place += 1
                continue
            match = TOKEN.match(line, place)
            if match is None or len(match[0]) > LONGEST:
                what = "a shorter number or name" if match else "a number, a name or a sign of the grammar"
                raise SyntaxFault(place, what, ascii(line[place]))
            self.tokens.append((match[0], place))
            place = match.end()
        self.tokens.append(("", len(line)))

    # ------------------------------------------------------------------------------------------------ tokens

    @property
    def next(self) -> str:
        return self.tokens[self.at][0]

    @property
    def place(self) -> int:
        return self.tokens[self.at][1]

    def fault(self, expected: str) -> SyntaxFault:
        return SyntaxFault(self.place, expected, repr(self.next) if self.next else END)

    def refuse(self, expected: str) -> NoReturn:
        raise self.fault(expected)

    def take(self, *texts: str) -> str:
        """The next token if it is one of these, which is then consumed; else nothing."""
        if self.next not in texts or not self.next:
            return ""
        self.at += 1
        return self.tokens[self.at - 1][0]

    def expect(self, text: str) -> None:
        if self.next != text:
            raise self.fault(repr(text) if text else f"an operator or {END}")
        self.at += bool(text)

    def name(self, what: str) -> str:
        if not NAME.fullmatch(self.next) or self.next in RESERVED:
            raise self.fault(what)
        self.at += 1
        return self.tokens[self.at - 1][0]

    # ------------------------------------------------------------------------------------------------ expressions

    def sum(self) -> Tree:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fault(f"at most {DEEPEST} brackets within brackets")
        terms = [self.product(self.take("-"))]
        while sign := self.take("+", "-"):
            terms.append(self.product(sign))
        self.depth -= 1
        return terms[0] if len(terms) == 1 else ["+", *terms]

    def product(self, before: str) -> Tree:
        """before: a sign "-" goes into the first factor if that is a number, and else becomes the factor -1."""
        factors = [self.power()]
        while sign := self.take("*", "/"):
            place = self.place
            factor = self.power()
            if sign == "/":
                if factor == ZERO:
                    raise SyntaxFault(place, "a divisor that is not 0")
                self._divide(factors, factor, place)
            else:
                factors.append(factor)
        if before == "-":
            factors[:1] = [opposite(factors[0])] if head(factors[0]) == "q" else [["q", "-1"], factors[0]]
        return factors[0] if len(factors) == 1 else ["*", *factors]

    @staticmethod
    def _divide(factors: list[Tree], factor: Tree, place: int) -> None:
        """a/b: numbers make a fraction, 1/b is b^(-1), and 1/b^p is b^(-p) for a number p > 0."""
        before = factors[-1]
        if head(factor) == "q":
            if head(before) == "q":
                factors[-1] = ["q", str(Fraction(before[1]) / Fraction(factor[1]))]
                if not trees.is_number(factors[-1][1]):
                    raise SyntaxFault(place, "a fraction with fewer digits")
            else:
                factors.append(["q", str(1 / Fraction(factor[1]))])
            return
        if before == ONE:
            factors.pop()
        folds = head(factor) == "^" and Fraction(factor[2]) > 0
        factors.append(["^", factor[1], str(-Fraction(factor[2]))] if folds else ["^", factor, "-1"])

    def power(self) -> Tree:
        base = self.primary()
        if not self.take("^"):
            return base
        exponent = opposite(self.number()) if self.take("-") else self.primary()
        if self.next == "^":
            raise self.fault("brackets, since x^y^z can be read in two ways")
        return power(base, exponent)

    def number(self) -> Tree:
        if not self.next.isdigit():
            raise self.fault("a number")
        self.at += 1
        return ["q", str(int(self.tokens[self.at - 1][0]))]

    def primary(self) -> Tree:
        if self.next.isdigit():
            return self.number()
        if self.take("("):
            inner = self.sum()
            self.expect(")")
            return inner
        if constant := self.take("pi", "e"):
            return [constant]
        place = self.place
        if self.next in SPECIAL:
            return self.special(self.take(self.next))
        name = self.name("a number, a name or a bracket")
        if self.take("("):
            self.functions.setdefault(name, place)
            return ["call", name, *self.arguments()]
        if self.take("["):
            index = self.sum()
            self.expect("]")
            return ["at", name, index]
        self.names.setdefault(name, place)
        return name

    def several(self, part: Callable[[], Any]) -> list[Any]:
        """One or more parts with commas between them."""
        parts = [part()]
        while self.take(","):
            parts.append(part())
        return parts

    def arguments(self) -> list[Tree]:
        parts = self.several(self.sum)
        self.expect(")")
        return parts

    def special(self, name: str) -> Tree:
        self.expect("(")
        if name == "if":
            condition, sign = self.condition()
            self.expect(",")
            yes, no = self.pair(name)
            if sign == "=":
                raise SyntaxFault(self.place, "<, <=, > or >= in a case distinction")
            return ["if", condition, yes, no] if sign == ">=" else ["if", opposite(condition), no, yes]
        if name == "pow":
            return ["pow", *self.pair(name)]
        if name in SERIES:
            return self.series(name)
        place = self.place
        parts = self.arguments()
        if name not in ("max", "min") and len(parts) != 1:
            raise SyntaxFault(place, f"one argument of {name}, not {len(parts)}")
        return power(parts[0], ["q", "1/2"]) if name == "sqrt" else [name, *parts]

    def pair(self, name: str) -> list[Tree]:
        place = self.place
        parts = self.arguments()
        if len(parts) != 2:
            raise SyntaxFault(place, f"two arguments of {name} here, not {len(parts)}")
        return parts

    def series(self, op: str) -> Tree:
        """sum(term, k, low, high)"""
        outside = set(self.names)
        term = self.sum()
        self.expect(",")
        index = self.name(f"the index of the {op}")
        self.expect(",")
        if index not in outside:
            self.names.pop(index, None)
        low, high = self.pair(op)
        return [op, index, low, high, term]

    # ------------------------------------------------------------------------------------------------ statements

    def statement(self) -> dict[str, Any]:
        if sense := self.take("maximum", "minimum"):
            return self.program(sense[:3])
        lhs, relation, rhs = self.comparison()
        box, given, n, rules, plain = self.rest(relation == "=")
        for name, place in self.names.items():
            if name not in box and name in self.sides:
                box[name] = self.sides[name]
            elif name not in box and name not in self.others:
                raise SyntaxFault(place, f"a domain of {name} after 'for'")
        if relation == "=":
            start = None if n is None else int(box[n][0])
            own = {"lhs": lhs, "rhs": rhs, "box": box, "n": n, "start": start, "rules": rules}
            return {"kind": "identity", **own}
        for name, place in self.functions.items():
            raise SyntaxFault(place, "a known function", f"{name!r}; known are {', '.join(SPECIAL)}")
        whole = {"kind": "inequality", "lhs": lhs, "rhs": rhs, "box": box, "given": given}
        return whole if plain else induction(whole) or whole

    def relation(self, *signs: str) -> str:
        return self.take(*signs) or self.refuse(f"an operator, {', '.join(signs[:-1])} or {signs[-1]}")

    def comparison(self) -> tuple[Tree, str, Tree]:
        left, relation, right = self.sum(), self.relation("<=", ">=", "="), self.sum()
        return (right, "<=", left) if relation == ">=" else (left, relation, right)

    def program(self, sense: str) -> dict[str, Any]:
        """maximum of x + 2*y = 3 given x <= 1, y <= 1: the optimum of a linear program over free variables."""
        self.expect("of")
        objective, constant = self.linear()
        relation, claimed = self.relation("<=", ">=", "="), self.end("")
        rows = self.several(self.row) if self.take("given") else []
        self.expect("")
        goal = {"sense": sense, "relation": relation, "claimed": claimed, "objective": objective}
        return {"kind": "program", **goal, "constant": constant, "rows": rows}

    def row(self) -> list[Any]:
        coefficients, low = self.linear()
        sign, high = self.relation("<=", "="), self.end("")
        return [coefficients, sign, str(Fraction(high) - Fraction(low))]

    def linear(self) -> tuple[dict[str, str], str]:
        """({variable: coefficient}, constant)"""
        place, whole = self.place, self.sum()
        row, constant = {}, Fraction(0)
        for part in whole[1:] if head(whole) == "+" else [whole]:
            multiple = head(part) == "*" and len(part) == 3 and head(part[1]) == "q"
            q, name = part[1:] if multiple else (ONE, part)
            if head(part) == "q":
                constant += Fraction(part[1])
            elif isinstance(name, str) and name not in row:
                row[name] = q[1]
            else:
                raise SyntaxFault(place, "a sum of numbers times variables, each variable once")
        return row, str(constant)

    def rest(self, identity: bool) -> tuple[dict[str, Any], list[Any], str | None, list[Any], bool]:
        """What follows a claim: domains, conditions, definitions, and whether it is proved by induction."""
        box = self.domains() if self.take("for") else {}
        given = self.several(self.condition) if not identity and self.take("given") else []
        rules: list[Any] = []
        n, plain = None, not identity and bool(self.take("without"))
        if plain:
            self.expect("induction")
        if identity and self.take("by"):
            self.expect("induction")
            self.expect("on")
            place, n = self.place, self.name("the variable of the induction")
            if n in self.sides:
                box.setdefault(n, self.sides[n])
            if n not in box or box[n][0] == "-oo" or box[n][1:] != ["oo", False, True, True]:
                raise SyntaxFault(place, f"'integer {n} >= ...' after 'for'")
            if self.take("with"):
                rules = self.several(lambda: self.definition(n))
        more = "'for', " * (not box) + ("'by induction on', " if identity else "'given', ")
        if self.next:
            raise self.fault(f"an operator, {more}or {END}")
        return box, given, n, rules, plain

    def definition(self, n: str) -> list[Any]:
        """A[n + 1] = ..., or A[1] = ..."""
        place = self.place
        target = self.primary()
        if head(target) != "at" or not (target[2] == ["+", n, ONE] or whole_number(target[2])):
            raise SyntaxFault(place, f"the element {n} + 1 of a sequence, or one with a number")
        self.expect("=")
        return [target[1], int(target[2][1]) if whole_number(target[2]) else None, self.sum()]

    def condition(self) -> list[Any]:
        """[tree, sign] for tree >= 0, > 0 or = 0."""
        left = self.sum()
        sign = self.take("<=", ">=", "<", ">", "=") or self.refuse("an operator or a relation")
        right = self.sum()
        if sign[0] == "<":
            left, right = right, left
        difference = left if right == ZERO else ["+", left, opposite(right)]
        return [difference, sign.replace("<", ">")]

    def domains(self) -> dict[str, Any]:
        box: dict[str, Any] = {}
        self.several(lambda: self.domain(box))
        return box

    def variable(self) -> tuple[int, str]:
        return self.place, self.name("a variable")

    def domain(self, box: dict[str, Any]) -> None:
        """x, y > 0; x in [0, 1); integer n >= 1; x real."""
        whole = bool(self.take("integer"))
        places, place = self.several(self.variable), self.place
        side = self.side()
        if whole:
            side = integers(*side)
        low, high, low_open, high_open = side
        empty = "oo" not in (low.lstrip("-"), high) and (
            Fraction(low) > Fraction(high) or (low == high and (low_open or high_open))
        )
        if empty:
            raise SyntaxFault(place, "a domain that is not empty")
        for place, name in places:
            if name in box:
                raise SyntaxFault(place, f"one domain of {name}")
            box[name] = [low, high, low_open, high_open, whole]

    def side(self) -> tuple[str, str, bool, bool]:
        if self.take("real"):
            return "-oo", "oo", True, True
        if self.take("in"):
            opening, low = self.take("[", "(") or self.refuse("'[' or '('"), self.end("-oo")
            self.expect(",")
            high, closing = self.end("oo"), self.take("]", ")") or self.refuse("']' or ')'")
            return low, high, opening == "(" or low == "-oo", closing == ")" or high == "oo"
        relation = self.take(">=", ">", "<=", "<") or self.refuse("',', 'real', 'in', >=, >, <= or <")
        bound, strict = self.end(""), len(relation) == 1
        return (bound, "oo", strict, True) if relation[0] == ">" else ("-oo", bound, True, strict)

    def end(self, infinite: str) -> str:
        """A rational end of a domain, or the infinite one."""
        if infinite == "oo" and self.take("oo"):
            return "oo"
        place = self.place
        if infinite == "-oo" and self.next == "-" and self.tokens[self.at + 1][0] == "oo":
            self.at += 2
            return "-oo"
        part = self.sum()
        if head(part) != "q":
            raise SyntaxFault(place, "a number" + f" or {infinite}" * bool(infinite))
        return str(part[1])


def whole_number(part: Tree) -> bool:
    return head(part) == "q" and Fraction(part[1]).denominator == 1


def power(base: Tree, exponent: Tree) -> Tree:
    return ["^", base, exponent[1]] if head(exponent) == "q" else ["pow", base, exponent]


def integers(low: str, high: str, low_open: bool, high_open: bool) -> tuple[str, str, bool, bool]:
    """The side of an integer variable, which ends at integers."""
    if low != "-oo":
        least = floor(Fraction(low)) + 1 if low_open else ceil(Fraction(low))
        low, low_open = str(least), False
    if high != "oo":
        most = ceil(Fraction(high)) - 1 if high_open else floor(Fraction(high))
        high, high_open = str(most), False
    return low, high, low_open, high_open


def induction(s: dict[str, Any]) -> dict[str, Any] | None:
    """An inequality as an induction: a sum or product from a number to n <= bound, for every integer n >= start.

    None if it has another form, or if the term or a condition contains n.
    """
    lhs, box = s["lhs"], dict(s["box"])
    if (
        head(lhs) not in SERIES
        or not isinstance(lhs[3], str)
        or not whole_number(lhs[2])
        or lhs[3] not in box
    ):
        return None
    op, index, low, n, term = lhs
    side = box.pop(n)
    elsewhere = trees.names_in(term).union(*(trees.names_in(t) for t, _ in s["given"]))
    if side[0] == "-oo" or side[1] != "oo" or not side[4] or n in elsewhere:
        return None
    own = {"op": op, "index": index, "low": int(low[1]), "term": term, "bound": s["rhs"], "n": n}
    return {"kind": "induction", **own, "start": int(side[0]), "box": box, "given": s["given"]}
