"""Frozen records: a theorem as data, from which bound, number, exponent, schedule and LaTeX are derived.

A `Theorem` holds one or more `Form`s of its bound (as printed, as repaired, ...), each an ordered chain of
definitions `symbol := expression` whose last one is the bound. Nothing is typed twice: the number used in a
test, the exponent of a verdict and the formula in a report all come from the same chain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sympy import Expr, Ne, Piecewise, Rational, S, Symbol, lambdify, latex, oo
from sympy.logic.boolalg import Boolean

from theorems import vocabulary
from theorems.asymptotics import Growth, NotCovered, growth

Definition = tuple[Symbol, Expr]


@dataclass(frozen=True)
class Paper:
    """One paper; `source` says where it appeared."""

    key: str
    title: str
    authors: str
    source: str


@dataclass(frozen=True, eq=False)
class Assumption:
    """One numbered assumption: what it says, the constants it introduces, relations they always obey."""

    key: str
    statement: str
    symbols: tuple[Symbol, ...]
    source: str
    relations: tuple[Boolean, ...] = ()


@dataclass(frozen=True)
class Erratum:
    """A printed statement that is not right as it stands, and what is."""

    label: str
    title: str
    printed: str
    right: str
    source: str


@dataclass(frozen=True, eq=False)
class Statement:
    """A formula with a name that is not a theorem of a paper; `own` marks this project's derivations."""

    key: str
    paper: Paper
    title: str
    formula: Expr
    derivation: str
    own: bool = True

    def value(self, **values: Any) -> Any:
        """The formula as float64 at keyword values (numbers or arrays), one for each of its free symbols."""
        return _function(tuple(sorted(self.formula.free_symbols, key=str)), self.formula)(values)


@dataclass(frozen=True, eq=False)
class Case:
    """One regime in which a rate is claimed.

    `when` is substituted into the chain of definitions before the variable (`variable`, usually the horizon)
    tends to infinity; `of` names the quantity of the chain that the claim is about (default: the bound).
    """

    name: str
    when: Mapping[Symbol, Expr]
    claimed: Rational
    source: str
    variable: Symbol = vocabulary.T
    of: Symbol | None = None


@dataclass(frozen=True, eq=False)
class Form:
    """One version of a bound: an ordered chain of definitions that ends in the bound.

    `covers` is 1 where this form applies and 0 where it says nothing. `repairs` are the labels of the errata
    it answers; `schedule` overrides entries of the theorem's.
    """

    name: str
    definitions: tuple[Definition, ...]
    source: str
    covers: Expr = S.One
    repairs: tuple[str, ...] = ()
    schedule: Mapping[str, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Order check: a symbol may be used only after its definition, and is defined once."""
        names = [s.name for s, _ in self.definitions]
        for i, (symbol, expression) in enumerate(self.definitions):
            early = {s.name for s in expression.free_symbols} & set(names[i:])
            if early or symbol.name in names[:i]:
                raise ValueError(f"form {self.name!r}: {symbol} is defined twice or from {sorted(early)}")

    @property
    def bound(self) -> Expr:
        return self.definitions[-1][1]

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """Free symbols of the whole chain: assumption constants and free parameters, by name."""
        free = {s for _, e in self.definitions for s in e.free_symbols} - {s for s, _ in self.definitions}
        return tuple(sorted(free, key=lambda s: s.name))

    def values(self, when: Mapping[Symbol, Expr] | None = None) -> dict[Symbol, Expr]:
        """Every constant of the chain, and everything in `when`, in terms of the parameters left free."""
        known: dict[Symbol, Expr] = dict(when or {})
        for symbol, expression in self.definitions:
            known[symbol] = expression.xreplace(known)
        return known

    def expanded(self, of: Symbol | None = None) -> Expr:
        """The bound, or another constant of the chain, in terms of the parameters only."""
        return self.values()[self.definitions[-1][0] if of is None else of]


@dataclass(frozen=True, eq=False)
class Schedule:
    """Step-size rule: field names of an algorithm's `Steps` -> expressions in constants and parameters."""

    entries: Mapping[str, Expr]
    source: str = ""
    integer: tuple[str, ...] = tuple(c.name for c in vocabulary.CONSTANTS if c.symbol.is_integer)

    def steps(self, **values: Any) -> dict[str, Any]:
        """The entries at given constants, those in `integer` as int; extra keywords are ignored."""
        out = {}
        for name, expression in self.entries.items():
            value = _function(tuple(sorted(expression.free_symbols, key=str)), expression)(values)
            out[name] = int(value) if name in self.integer else value
        return out


@dataclass(frozen=True, eq=False)
class Theorem:
    """A convergence theorem: what is bounded, under which assumptions, with which probability, how.

    `metric` says what is bounded; `schedule` maps the field names of the algorithm's `Steps` to expressions
    in assumption constants and free parameters; `generic` are values compatible with all assumptions, at
    which exponents are derived (rational, so that the derivation stays exact); `notation` is the LaTeX of
    intermediate constants.
    """

    key: str
    paper: Paper
    title: str
    statement: str
    source: str
    metric: str
    assumes: tuple[Assumption, ...]
    probability: Expr
    forms: tuple[Form, ...]
    cases: tuple[Case, ...]
    schedule: Mapping[str, Expr]
    generic: Mapping[Symbol, Expr]
    horizon: Symbol = vocabulary.T
    notation: Mapping[Symbol, str] = field(default_factory=dict)

    def form(self, name: str = "printed") -> Form:
        for form in self.forms:
            if form.name == name:
                return form
        raise KeyError(f"{self.key} has forms {[f.name for f in self.forms]}, not {name!r}")

    def case(self, name: str) -> Case:
        for case in self.cases:
            if case.name == name:
                return case
        raise KeyError(f"{self.key} has cases {[c.name for c in self.cases]}, not {name!r}")

    # --- symbolic -------------------------------------------------------------------------------------

    def bound(self, form: str = "printed") -> Expr:
        """The bound in terms of the constants that the form defines."""
        return self.form(form).bound

    def expanded(self, form: str = "printed") -> Expr:
        """The bound in terms of assumption constants and free parameters only."""
        return self.form(form).expanded()

    def latex(self, form: str = "printed") -> str:
        return self._latex(self.bound(form))

    def latex_definitions(self, form: str = "printed") -> tuple[tuple[str, str], ...]:
        """(name, formula) of every constant the form defines, the bound last."""
        return tuple((self._latex(s), self._latex(e)) for s, e in self.form(form).definitions)

    def _latex(self, expression: Expr) -> str:
        return str(latex(expression, symbol_names={**vocabulary.LATEX, **self.notation}))

    def growth(self, case: Case | str, form: str = "printed") -> Growth:
        """Leading behaviour in the case's variable: power, power of the logarithm, coefficient."""
        case = self.case(case) if isinstance(case, str) else case
        generic = {s: v.xreplace(case.when) for s, v in self.generic.items() if s != case.variable}
        chosen = self.form(form)
        values = chosen.values(generic | {s: v.xreplace(generic) for s, v in case.when.items()})
        if chosen.covers.xreplace(values) == 0:
            raise NotCovered(f"{self.key} ({form}) says nothing in the case {case.name!r}")
        return growth(values[case.of or chosen.definitions[-1][0]], case.variable)

    def exponent(self, case: Case | str, form: str = "printed") -> Expr:
        """Exact exponent of the case's variable in the bound (or in the quantity the case is about)."""
        return self.growth(case, form).power

    def agrees(self, case: Case | str, form: str = "printed") -> bool:
        """Does the exponent of this form imply the claim (equal, or smaller where an upper bound decays)?"""
        case = self.case(case) if isinstance(case, str) else case
        return bool(self.exponent(case, form) <= case.claimed)

    # --- numerical ------------------------------------------------------------------------------------

    def numeric(self, form: str = "printed") -> Callable[..., Any]:
        """The bound as a float64 function of keyword arguments, one per parameter, broadcasting arrays.

        Keywords that the form does not use are ignored, so that an instance can hand over all its constants;
        a missing one is a TypeError. Where the form says nothing the value is +inf.
        """
        return _compiled(self.form(form), False)

    def constants(self, form: str = "printed", **values: Any) -> dict[str, Any]:
        """Every constant of the chain at given parameter values, by name, the bound last.

        Meant for reports on covered cases: unlike `numeric` it does not blank out the others.
        """
        chosen = self.form(form)
        numbers = _compiled(chosen, True)(**values)
        return {s.name: v for (s, _), v in zip(chosen.definitions, numbers, strict=True)}

    def steps(self, form: str = "printed", **values: Any) -> dict[str, Any]:
        """The schedule at given constants: keyword arguments for the algorithm's `Steps`.

        A Neumann length comes back as int. Extra keywords are ignored, as in `numeric`.
        """
        return Schedule({**self.schedule, **self.form(form).schedule}).steps(**values)


@cache
def _compiled(form: Form, everything: bool) -> Callable[..., Any]:
    """The chain as straight-line NumPy code: each definition becomes one assignment."""
    last = form.definitions[-1][0]
    if everything:
        result: Any = [s for s, _ in form.definitions]
    else:
        result = Piecewise((last, Ne(form.covers, 0)), (oo, True))
    call = _function(form.parameters, result, form.definitions)
    return lambda **values: call(values)


def _function(
    parameters: tuple[Symbol, ...], result: Any, chain: tuple[Definition, ...] = ()
) -> Callable[[Mapping[str, Any]], Any]:
    """Compile `result`, given a chain of definitions, into a function of a mapping name -> value."""
    # lambdify lets the caller name the common sub-expressions: the chain itself is the natural choice.
    code = lambdify(parameters, result, modules="numpy", cse=lambda e: (list(chain), e))
    names = [s.name for s in parameters]

    def call(values: Mapping[str, Any]) -> Any:
        missing = [n for n in names if n not in values]
        if missing:
            raise TypeError(f"missing constants: {', '.join(missing)}")
        # 1.0 * v: integers, and arrays of them, become float64 before T**3 can overflow.
        out = code(*[1.0 * values[n] for n in names])
        return out if isinstance(out, list) else 1.0 * out

    return call
