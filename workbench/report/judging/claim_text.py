"""A claim about a curve, written as one would on a blackboard: "T^-1/4", "T^-1/2 log T or faster", "<= 2 sqrt(T)".

The grammar, with blanks anywhere::

    claim    = number | "O(" formula ")" | formula ["or faster"] | "<=" formula | "level" formula
             | "linear" [factor] ["or faster"] | factor "^" variable ["or faster"]
             | "bounded" | "diverges" | ("tends to" | "misses") number ["within" number]
             | formula ["or less"] "," "logs counted"
    formula  = ["-"] term { ("+" | "-") term }
    term     = factor { ["*" | "/"] factor }          factors side by side are multiplied
    factor   = base [("^" | "**") exponent]
    base     = number | variable | "(" formula ")" | ("sqrt" | "log" | "exp") (base | "(" formula ")")
    exponent = ["-"] number ["/" number] | "(" formula ")"

An exponent takes the fraction behind it: T^-1/4 is T^(-1/4), as it is printed in papers. A number alone is an exponent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Relation = Literal[
    "exactly", "or faster", "bound", "level", "linear", "linear or faster",
    "bounded", "diverges", "limit", "misses", "logs", "logs or less",
]  # fmt: skip
KINDS = (
    "bounded",
    "diverges",
    "limit",
    "misses",
    "logs",
    "logs or less",
)  # neither an exponent nor a formula
TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z_]\w*)|(\*\*|[-+*/^()]))")
MOST = 200  # tokens of a claim
FUNCTIONS: dict[str, Callable[[Floats], Floats]] = {"sqrt": np.sqrt, "log": np.log, "exp": np.exp}


class ClaimError(ValueError):
    """A claim that cannot be read. The message names the character."""


@dataclass(frozen=True)
class Formula:
    """A formula in one variable, and its power law c T^power (log T)^log_power if it is one (else coefficient NaN)."""

    values: Callable[[Floats], Floats]
    power: Fraction = Fraction(0)
    log_power: Fraction = Fraction(0)
    coefficient: float = float("nan")

    @property
    def is_power_law(self) -> bool:
        return not np.isnan(self.coefficient)


@dataclass(frozen=True)
class ClaimText:
    """A claim as read. formula: of curve, bound or level, by the relation. factor: of a linear rate, None for any.

    to, within: of a limit.
    """

    relation: Relation
    formula: Formula
    variable: str = "T"
    factor: float | None = None
    to: float = 0.0
    within: float | None = None

    @property
    def is_linear(self) -> bool:
        return self.relation in ("linear", "linear or faster")

    @property
    def exponent(self) -> float:
        return float(self.formula.power)

    @property
    def log_power(self) -> float:
        return float(self.formula.log_power)

    def words(self, value: str = "the curve") -> str:
        """What is claimed of `value`, as a sentence without its full stop."""
        if self.is_linear:
            power = (
                f"{self.factor:.6g}^{self.variable}"
                if self.factor
                else f"q^{self.variable} for some q below 1"
            )
            ending = " or smaller" if self.relation == "linear or faster" else ""
            return f"{value} is of order {power}{ending}"
        shape = shape_text(self.formula, self.variable)
        if self.relation in KINDS:
            fewer = ", or fewer logarithms" if self.relation == "logs or less" else ""
            return {
                "bounded": f"{value} is bounded, of order 1",
                "diverges": f"{value} grows beyond every bound",
                "limit": f"{value} tends to {self.to:g}",
                "misses": f"{value} does not tend to {self.to:g}",
            }.get(self.relation, f"{value} is of order {shape}, logarithms counted{fewer}")
        if self.relation == "exactly":
            return f"{value} is of order {shape}, neither slower nor faster"
        if self.relation == "or faster":
            return f"{value} is of order {shape} or smaller"
        many = (
            "the given formula"
            if not self.formula.is_power_law
            else shape_text(self.formula, self.variable, True)
        )
        if self.relation == "bound":
            return f"the mean of {value} is at most {many} at every checkpoint"
        return f"{value} is {many} in the tail, constant included"


def shape_text(formula: Formula, variable: str, constant: bool = False) -> str:
    """ "T^(-1/2) log(T)": the power law, with its constant if asked."""
    parts = [f"{formula.coefficient:.6g}"] if constant and formula.coefficient != 1 else []
    if formula.power:
        parts.append(variable if formula.power == 1 else f"{variable}^({formula.power})")
    if formula.log_power:
        parts.append(f"log({variable})" + ("" if formula.log_power == 1 else f"^({formula.log_power})"))
    return " ".join(parts) or "1"


def read_claim(text: str | float, variable: str = "T") -> ClaimText:
    """A claim from its text, or from a number, which is an exponent. variable: the name of what increases.

    Raises ClaimError for a text that does not parse, for another variable, and for a rate that is no power of the
    variable with a power of its logarithm, or that has a constant.
    """
    if isinstance(text, float | int | Fraction):
        return ClaimText("exactly", _power(Fraction(text).limit_denominator(10**6)), variable)
    bare = text.strip()
    if re.fullmatch(r"[-+]?\s*(\d+(\.\d*)?|\.\d+)(\s*/\s*\d+)?", bare):
        return ClaimText("exactly", _power(_fraction(bare)), variable)
    if (kind := _kind(bare, text, variable)) is not None:
        return kind
    relation, body = _relation(bare)
    if relation in ("exactly", "or faster") and (match := _linear(variable).fullmatch(body)):
        return _linear_claim(match[1] or match[2], relation == "or faster", text, variable)
    formula = _Parser(body, text, variable).whole()
    if relation in ("exactly", "or faster"):
        if not formula.is_power_law:
            raise ClaimError(
                f"{body!r} is no power of {variable} times a power of log {variable}; for a curve with its constant "
                f"write 'level {body}', for an upper bound '<= {body}'"
            )
        if formula.coefficient != 1:
            raise ClaimError(
                f"a rate has no constant, {body!r} has {formula.coefficient:g}; write 'level {body}' or '<= {body}'"
            )
    return ClaimText(relation, formula, variable)


def _relation(text: str) -> tuple[Relation, str]:
    if text.startswith(("<=", "≤")):
        return "bound", text.removeprefix("<=").removeprefix("≤").strip()
    if match := re.fullmatch(r"level\b(.*)", text, re.DOTALL):
        return "level", match[1].strip()
    if match := re.fullmatch(r"(.*)\bor\s+(?:faster|better|smaller|less)", text, re.DOTALL):
        return "or faster", match[1].strip()
    if re.search(r"\bor\s+(?:slower|worse|larger|more)\s*$", text):
        raise ClaimError(
            "'or slower' is not judged; write the exact order alone, or an upper bound with 'or faster'"
        )
    if match := re.fullmatch(r"O\s*\((.*)\)", text, re.DOTALL):
        return "or faster", match[1].strip()
    return "exactly", text


def _kind(bare: str, text: str, variable: str) -> ClaimText | None:
    """A claim of one of `KINDS`, or None. Raises ClaimError for a limit without its number."""
    number = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    if bare in ("bounded", "diverges"):
        return ClaimText("bounded" if bare == "bounded" else "diverges", _power(Fraction(0)), variable)
    if match := re.fullmatch(
        rf"(tends to|misses)\b\s*(?:{number}(?:\s+within\s+{number})?)?(.*)", bare, re.DOTALL
    ):
        words, to, within, rest = match.groups()
        if to is None or rest.strip():
            raise ClaimError(
                f"a limit needs a number, as '{words} 0.5' or '{words} 0 within 0.001' (in {text!r})"
            )
        if within is None and float(to) == 0:
            raise ClaimError(
                f"a limit of 0 has no size of its own: write '{words} 0 within 0.001' (in {text!r})"
            )
        law = _number(float(to))
        relation: Relation = "limit" if words == "tends to" else "misses"
        return ClaimText(
            relation, law, variable, to=float(to), within=None if within is None else float(within)
        )
    if match := re.fullmatch(r"(.*?)(\s+or\s+less)?\s*,\s*logs counted", bare, re.DOTALL):
        formula = _Parser(match[1], text, variable).whole()
        if not (formula.is_power_law and formula.coefficient == 1 and formula.log_power > 0):
            raise ClaimError(
                f"counted are the logarithms of a power, as in '{variable}^-1 log {variable}, logs counted'"
            )
        return ClaimText("logs or less" if match[2] else "logs", formula, variable)
    return None


def _linear(variable: str) -> re.Pattern[str]:
    number = r"(\d*\.?\d+(?:[eE][+-]?\d+)?)"
    return re.compile(rf"(?:linear|geometric)(?:\s+{number})?|{number}\s*(?:\^|\*\*)\s*{re.escape(variable)}")


def _linear_claim(number: str | None, or_faster: bool, text: str, variable: str) -> ClaimText:
    factor = float(number) if number else None
    if factor is not None and not 0 < factor < 1:
        raise ClaimError(f"the factor of a linear rate lies between 0 and 1, not at {number} (in {text!r})")
    if factor is None and or_faster:
        raise ClaimError(
            f"'linear' names no factor that could be faster; write 'linear' or '0.9^{variable} or faster'"
        )
    law = Formula(lambda x: (factor or np.nan) ** x)
    return ClaimText("linear or faster" if or_faster else "linear", law, variable, factor)


def _fraction(text: str) -> Fraction:
    return Fraction(text.replace(" ", ""))


def _power(power: Fraction) -> Formula:
    return Formula(lambda x: x ** float(power), power, Fraction(0), 1.0)


class _Parser:
    """Recursive descent over the tokens of one formula."""

    def __init__(self, body: str, text: str, variable: str) -> None:
        self.text, self.variable, self.offset = text, variable, max(text.find(body), 0)
        self.tokens: list[tuple[str, int]] = []
        position = 0
        while position < len(body.rstrip()):
            match = TOKEN.match(body, position)
            if match is None:
                at = position + len(body[position:]) - len(body[position:].lstrip())
                self._fail(f"the character {body[at]!r} has no meaning here", at)
            self.tokens.append((match[0].strip(), match.end() - len(match[0].strip())))
            position = match.end()
        self.position, self.end = 0, len(body)
        if len(self.tokens) > MOST:
            self._fail(f"a claim has at most {MOST} signs")

    def _fail(self, what: str, at: int | None = None) -> NoReturn:
        if at is None:
            at = self.tokens[self.position][1] if self.position < len(self.tokens) else self.end
        raise ClaimError(f"{what} (character {self.offset + at + 1} of {self.text!r})")

    @property
    def next(self) -> str:
        return self.tokens[self.position][0] if self.position < len(self.tokens) else ""

    def _take(self) -> str:
        self.position += 1
        return self.tokens[self.position - 1][0]

    def whole(self) -> Formula:
        formula = self.sum()
        if self.next:
            self._fail(f"{self.next!r} is not expected here")
        return formula

    def sum(self) -> Formula:
        sign = self._take() if self.next in ("-", "+") else "+"
        total = self.term() if sign == "+" else _product(_number(-1.0), self.term())
        while self.next in ("+", "-"):
            sign, term = self._take(), self.term()
            total = _sum(total, term if sign == "+" else _product(_number(-1.0), term))
        return total

    def term(self) -> Formula:
        product = self.factor()
        while self.next and self.next not in "+-)":
            divides = self._take() == "/" if self.next in ("*", "/") else False
            factor = self.factor()
            product = _product(product, _power_of(factor, Fraction(-1)) if divides else factor)
        return product

    def factor(self) -> Formula:
        base = self.base()
        if self.next not in ("^", "**"):
            return base
        self._take()
        return _power_of(base, self.exponent())

    def base(self) -> Formula:
        token = self.next
        if not token:
            self._fail("a number, a variable or a bracket is missing")
        if token == "(":
            self._take()
            inside = self.sum()
            if self.next != ")":
                self._fail("a closing bracket is missing")
            self._take()
            return inside
        if token[0].isdigit() or token[0] == ".":
            return _number(float(self._take()))
        if token in FUNCTIONS:
            self._take()
            return _function_of(token, self.base())
        if token == self.variable:
            self._take()
            return Formula(lambda x: x, Fraction(1), Fraction(0), 1.0)
        if token[0].isalpha():
            self._fail(f"{token!r} is unknown; the variable is {self.variable}")
        return self._fail(f"{token!r} is not expected here")

    def exponent(self) -> Fraction:
        if self.next == "(":
            inside = self.base()
            if not inside.is_power_law or inside.power or inside.log_power:
                self._fail("an exponent is a number")
            return Fraction(inside.coefficient).limit_denominator(10**6)
        sign = -1 if self.next == "-" else 1
        if self.next in ("-", "+"):
            self._take()
        if not self.next or not (self.next[0].isdigit() or self.next[0] == "."):
            self._fail("an exponent is a number")
        value = Fraction(self._take())
        following = self.tokens[self.position + 1][0] if self.position + 1 < len(self.tokens) else ""
        if self.next == "/" and following.isdigit():
            self._take()
            if not int(following):
                self._fail("an exponent divides by zero")
            value /= int(self._take())
        return sign * value


def _number(value: float) -> Formula:
    return Formula(lambda x: np.full_like(x, value), Fraction(0), Fraction(0), value)


def _product(a: Formula, b: Formula) -> Formula:
    return Formula(
        lambda x: a.values(x) * b.values(x),
        a.power + b.power,
        a.log_power + b.log_power,
        a.coefficient * b.coefficient,
    )


def _power_of(a: Formula, power: Fraction) -> Formula:
    # A negative constant has no fractional power; the law is then left open, and the values say so.
    is_law = a.coefficient > 0 or (a.coefficient != 0 and power.denominator == 1)
    coefficient = a.coefficient ** float(power) if is_law else float("nan")
    return Formula(lambda x: a.values(x) ** float(power), a.power * power, a.log_power * power, coefficient)


def _sum(a: Formula, b: Formula) -> Formula:
    same = a.power == b.power and a.log_power == b.log_power
    coefficient = a.coefficient + b.coefficient if same else float("nan")
    return Formula(lambda x: a.values(x) + b.values(x), a.power, a.log_power, coefficient)


def _function_of(name: str, a: Formula) -> Formula:
    if name == "sqrt":
        return _power_of(a, Fraction(1, 2))
    function = FUNCTIONS[name]
    if name == "log" and (a.power, a.log_power, a.coefficient) == (1, 0, 1.0):
        return Formula(lambda x: np.log(a.values(x)), Fraction(0), Fraction(1), 1.0)
    constant = a.is_power_law and not a.power and not a.log_power
    with np.errstate(all="ignore"):
        value = float(function(np.array(a.coefficient))) if constant else float("nan")
    return Formula(lambda x: function(a.values(x)), coefficient=value)
