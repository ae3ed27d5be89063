"""Claims on an exact curve in fractions: at most a formula, or equal to it, at every t. Nothing is rounded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Expr, Poly, PolynomialError, Symbol, together

from workbench.claims import identifiers
from workbench.claims.claims import Results
from workbench.claims.exact_curves import ExactCurve, as_float, rational
from workbench.claims.of_reading import OfReading
from workbench.claims.plan import UNPLANNED, Plan
from workbench.evidence.exact import exact_factor
from workbench.evidence.verdicts import Finding
from workbench.theory import vocabulary

LONG = 30  # digits from which on a fraction is shown by its decimals


def as_text(number: Fraction) -> str:
    """A fraction, or its decimals where it is long."""
    text = str(number)
    if len(text) <= LONG:
        return text
    size = (
        (math.log2(abs(number.numerator)) - math.log2(number.denominator)) * math.log10(2) if number else 0.0
    )
    if abs(size) > 300:  # beyond what a float holds
        return f"about {'-' * (number < 0)}10^{size:.0f}"
    return f"{float(number):.10g}..."


@dataclass(frozen=True)
class Exactly(OfReading):
    """At every t the number of an exact curve is at most the formula (equal: it is the formula).

    formula: SymPy, rational in T with rational coefficients, or a function (T, **point) -> fraction. name: what the
    line is called.
    """

    formula: Any = None
    name: str = ""
    equal: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError for a reading of what is no exact curve, and for a formula that is not rational."""
        super().__post_init__()
        if not isinstance(self.reading.sim, ExactCurve):
            raise ValueError(
                f"{self.key}, {self.experiment}: only an exact curve can be compared exactly: STUDY.exact_curve"
            )
        if self.reading.view.whole or self.reading.view.of:
            raise ValueError(
                f"{self.key}, {self.experiment}: an exact comparison reads the numbers as they are recorded"
            )
        if isinstance(self.formula, Expr):
            _coefficients(self.formula)

    @property
    def evidence(self) -> str:
        return "tight" if self.equal else "bound"

    @property
    def experiment(self) -> str:
        return self.reading.in_words(f", {self.name}" if self.name else "")

    @property
    def parts(self) -> tuple[str, ...]:
        return (*super().parts, "exactly" if self.equal else "at-most", identifiers.part(self.name))

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        curve, where = self.reading.sim, self.reading.where
        numbers = curve.numbers(results[curve.key].horizon, where)
        pairs = [(t, self._fraction(x, t), self.formula_at(t)) for t, x in numbers.items()]
        bad = [(t, x, right) for t, x, right in pairs if (x != right if self.equal else x > right)]
        worst = max((as_float(x / right) for _, x, right in pairs if right > 0), default=float("nan"))
        if self.equal:
            worst = max((abs(as_float(x / r) - 1) for _, x, r in pairs if r), default=0.0) + 1.0
        return Finding(
            "bound",
            claimed=1.0,
            value=worst,
            low=worst,
            high=worst,
            p_if_wrong=float(bool(bad)),
            p_if_right=float(not bad),
            horizon=float(pairs[-1][0]),
            exact=True,
            slack=float("nan") if self.equal or not worst > 0 else 1 / worst,
            rejects=None if self.equal else lambda side: exact_factor(worst),
            note=self._note(bad, pairs),
        )

    def _fraction(self, number: Any, t: int) -> Fraction:
        fraction = rational(number)
        if fraction is None:
            raise ValueError(
                f"{self.key}, {self.experiment}: the value at t = {t} is a {type(number).__name__}, {number!r}; an"
                " exact comparison needs fractions: a root, a decimal or a float in the step is not rational"
            )
        return fraction

    def formula_at(self, t: int) -> Fraction:
        """What the formula gives at t, at this point of the grid. Raises ValueError where it is not rational."""
        if isinstance(self.formula, Expr):
            return _value(_coefficients(self.formula), t)
        return self._fraction(self.formula(t, **self.reading.where), t)

    def _note(
        self, bad: list[tuple[int, Fraction, Fraction]], pairs: list[tuple[int, Fraction, Fraction]]
    ) -> str:
        sign = "=" if self.equal else "<="
        if not bad:
            return f"in fractions, value {sign} formula at each of {len(pairs)} t up to {pairs[-1][0]}"
        t, x, right = bad[0]
        rest = (
            "and at every later one"
            if len(bad) == len(pairs) - pairs.index(bad[0])
            else f"and at {len(bad) - 1} later ones"
        )
        sides = f"the value is {as_text(x)}, the formula {as_text(right)}"
        return f"counter-example, in fractions: at t = {t} {sides}; {rest}"


Coefficients = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


def _coefficients(formula: Expr) -> Coefficients:
    """Those of numerator and denominator, highest first. Raises ValueError for what is not rational in T."""
    T: Symbol = vocabulary.T
    try:
        sides = [Poly(side, T) for side in together(formula).as_numer_denom()]
        coefficients = [tuple(Fraction(int(c.p), int(c.q)) for c in side.all_coeffs()) for side in sides]
    except (PolynomialError, AttributeError, TypeError):
        raise ValueError(
            f"the formula {formula} is not rational in T with rational coefficients: give a function"
        ) from None
    return coefficients[0], coefficients[1]


def _value(coefficients: Coefficients, t: int) -> Fraction:
    numerator, denominator = (_horner(side, t) for side in coefficients)
    return numerator / denominator


def _horner(coefficients: tuple[Fraction, ...], t: int) -> Fraction:
    total = Fraction(0)
    for c in coefficients:
        total = total * t + c
    return total
