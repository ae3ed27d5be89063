"""Brackets of constants: the strongest value that is certified, and the weakest that a counter-example refutes."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from math import isqrt

from workbench.evidence.verdicts import Verdict
from workbench.ledger import trees
from workbench.ledger.checks import decide
from workbench.theory.lemma import Exact

SECONDS = 1.0  # time limit per value
DOUBLINGS = 10
RATIO = Fraction(51, 50)  # sufficient width of a bracket
TRIES = 9  # bisections on each side


@dataclass(frozen=True)
class Bracket:
    """certified: strongest value proved; refuted: weakest value with a counter-example; None if none was found.

    smaller: whether the statement is the stronger, the smaller the constant.
    """

    name: str
    printed: Fraction
    smaller: bool
    certified: Fraction | None
    refuted: Fraction | None

    def __str__(self) -> str:
        text = f"{self.name} = {self.printed}"
        text += (
            f" can be {decimal(self.certified, up=self.smaller)}"
            if self.certified is not None
            else " could not be certified"
        )
        return text + (
            f", not {decimal(self.refuted, up=not self.smaller)}"
            if self.refuted is not None
            else ", no limit found"
        )


def brackets(check: Exact, seconds: float = SECONDS) -> list[Bracket]:
    """One bracket per constant with a positive rational value; the others keep their printed values."""
    numbers = {name: trees.constant(tree) for name, tree in check.constants.items()}
    return [bracket(check, name, q, seconds) for name, q in numbers.items() if q is not None and q > 0]


def bracket(check: Exact, name: str, printed: Fraction, seconds: float = SECONDS) -> Bracket:
    """Doubling and halving from the printed value, then bisection on a logarithmic scale, to three digits.

    The statement is assumed to be monotone in its constant, in the direction given by `stronger`.
    """
    smaller = check.stronger.get(name, "smaller") == "smaller"
    stronger = Fraction(1, 2) if smaller else Fraction(2)
    verdicts: dict[Fraction, Verdict] = {}

    def verdict(value: Fraction) -> Verdict:
        if value not in verdicts:
            verdicts[value] = decide(check, seconds, {name: ["q", str(value)]}).verdict
        return verdicts[value]

    value, step = printed, stronger if verdict(printed) == Verdict.HOLDS else 1 / stronger
    for _ in range(DOUBLINGS):
        value = value * step
        # Towards stronger values stop at a refutation, towards weaker ones at a certificate.
        if verdict(value) == (Verdict.VIOLATED if step == stronger else Verdict.HOLDS):
            break
    for target in (Verdict.HOLDS, Verdict.VIOLATED):
        _narrow(verdicts, verdict, target, smaller)
    holding = [v for v, t in verdicts.items() if t == Verdict.HOLDS]
    failing = [v for v, t in verdicts.items() if t == Verdict.VIOLATED]
    best, worst = (min, max) if smaller else (max, min)
    return Bracket(name, printed, smaller, best(holding, default=None), worst(failing, default=None))


def _narrow(verdicts: dict, verdict, target: Verdict, smaller_is_stronger: bool) -> None:
    """Bisection between the values with the wanted verdict and the others."""
    for _ in range(TRIES):
        hits = [v for v, t in verdicts.items() if t == target]
        others = [v for v, t in verdicts.items() if t != target]
        upwards = (
            target == Verdict.HOLDS
        ) == smaller_is_stronger  # do the wanted values lie above the others?
        if not hits or not others:
            return
        a, b = (max(others), min(hits)) if upwards else (max(hits), min(others))
        if a >= b or b / a < RATIO:
            return
        middle = _three_digits(_root(a * b))
        if not a < middle < b:
            return
        verdict(middle)


def _root(x: Fraction) -> Fraction:
    """The square root of a positive number to ten digits, however large or small it is."""
    return Fraction(isqrt(x.numerator * x.denominator * 10**20), x.denominator * 10**10)


def _three_digits(x: Fraction) -> Fraction:
    with localcontext() as context:
        context.prec = 3
        return Fraction(Decimal(x.numerator) / Decimal(x.denominator))


def decimal(x: Fraction, up: bool) -> str:
    """A number as a short fraction, or in three digits, rounded to the side on which the verdict is the same."""
    if x.denominator <= 1000:
        return str(x)
    with localcontext() as context:
        context.prec, context.rounding = 3, ROUND_CEILING if up else ROUND_FLOOR
        return f"{Decimal(x.numerator) / Decimal(x.denominator):g}"
