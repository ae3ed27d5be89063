"""Frozen records: a theorem as data, from which bound, numbers, exponents, schedule and LaTeX are derived.

A `Theorem` has one or more `Form`s of its bound (as printed, as repaired, ...), each an ordered chain of definitions
`symbol := expression` whose last one is the bound. Nothing is written twice: the number used in a test, the exponent of
a verdict and the formula in a report all come from the same chain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, Literal, get_args

from sympy import (
    Add,
    Basic,
    Expr,
    Integer,
    Max,
    Min,
    Ne,
    Piecewise,
    S,
    Symbol,
    expand_mul,
    oo,
)
from sympy.core.relational import GreaterThan, Relational
from sympy.logic.boolalg import Boolean

from workbench.homes import papers
from workbench.homes.records import Record
from workbench.theory import laws, sentences, vocabulary
from workbench.theory.asymptotics import Growth, NotCovered, Ranges, Undecided, exponent, growth, sign_on
from workbench.theory.numbers import sign, substitute
from workbench.theory.symbol_names import formula

Definition = tuple[Symbol, Expr]
Kind = Literal["probability", "expectation"]
MetricKind = Literal["", "last iterate", "average", "best", "running mean", "regret"]


def _exact(what: str, value: Any) -> Any:
    """A SymPy expression; a whole number becomes one. Raises ValueError, with what to write, for anything else."""
    if isinstance(value, Basic):
        return value
    if isinstance(value, int):
        return Integer(value)
    if isinstance(value, float):
        near = Fraction(value).limit_denominator(1000) if abs(value) < 1e6 else Fraction(0)
        exact = f", for example Rational({near.numerator}, {near.denominator})" if near else ""
        raise ValueError(f"{what}: {value} is a float; write it exactly{exact}")
    raise ValueError(f"{what}: got a {type(value).__name__}; wanted a SymPy expression")


def _all_exact(what: str, values: Any) -> dict[Any, Any]:
    if not isinstance(values, Mapping):
        raise ValueError(f"{what}: got a {type(values).__name__}; wanted a dict")
    return {name: _exact(f"{what}, {name}", value) for name, value in values.items()}


def rational(value: Any) -> Expr:
    """A number as an exact one: 0.1 and -1/3 are those fractions."""
    if isinstance(value, float):
        near = Fraction(value).limit_denominator(10**6)
        value = near if math.isclose(near, value, rel_tol=1e-15) else value
    return S(value)


def _tuple_of(what: str, kind: type, values: Any) -> None:
    if isinstance(values, kind) or not isinstance(values, tuple | list):
        raise ValueError(
            f"{what}: got a {type(values).__name__}; wanted a tuple, such as ({kind.__name__}(...),)"
        )
    if other := next((v for v in values if not isinstance(v, kind)), None):
        raise ValueError(f"{what}: holds a {type(other).__name__}, no {kind.__name__}")


@dataclass(frozen=True)
class Paper(Record):
    """One paper.

    key: the name of its folder or file. A module of the paper may give its ``__name__``, of which this is a part: then
    the paper keeps working under another name. source: where it appeared.
    """

    key: str
    title: str
    authors: str
    source: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", papers.key_of(self.key) or self.key)

    def entry(self, name: str) -> str:
        """The key of one of its theorems, simulations, figures: "<key>/thm-1"."""
        return f"{self.key}/{name}"

    def theorem(
        self,
        name: str,
        *,
        bound: Expr,
        exponent: Any = None,
        statement: str = "",
        metric: str = "",
        metric_kind: MetricKind = "",
        source: str = "",
        title: str = "",
        where: tuple[Definition, ...] = (),
        schedule: Mapping[str, Expr] | None = None,
        conditions: Iterable[tuple[Relational, str]] = (),
        generic: Mapping[Symbol, Any] | None = None,
        probability: Any = 1,
        expectation: bool = False,
        assumes: tuple[Assumption, ...] = (),
        form: str = "printed",
        forms: tuple[Form, ...] = (),
    ) -> Theorem:
        """A theorem with one rate, the case "claimed"; `Theorem` has room for several.

        name: "thm-1", "cor-2": the key is "<paper>/thm-1". bound: in SymPy; its horizon is `vocabulary.T`. exponent:
        the claimed power of T; a float is taken as the fraction that it stands for; None where no power is claimed, as
        of a linear rate. statement: what is claimed, and
        metric: the quantity that is bounded, with formulas in LaTeX between dollar signs. metric_kind: see `Theorem`.
        source: where it stands.
        title: a short name, by default that of the paper. where: definitions (symbol, formula) that the bound uses, in
        order. schedule: field of the method's `Steps` -> formula. conditions: (relation, its text). generic: symbol ->
        number, at which the exponent of the bound is derived. probability: with which the bound holds. expectation: it
        holds in expectation. assumes: the assumptions. form: what this form of the bound is called. forms: further
        ones, as a repaired one.

        Raises ValueError for a float in a formula, for two symbols of one name, and as `Theorem` and `Form` do.
        """
        source = source or name
        return Theorem(
            key=self.entry(name),
            paper=self,
            title=title or self.title,
            statement=statement,
            source=source,
            metric=metric,
            metric_kind=metric_kind,
            assumes=assumes,
            probability=S(probability),
            kind="expectation" if expectation else "probability",
            forms=(Form(form, (*where, (Symbol("bound"), bound)), source), *forms),
            cases=() if exponent is None else (Case("claimed", {}, rational(exponent), source),),
            schedule=schedule or {},
            conditions=tuple(Condition(relation, text, source) for relation, text in conditions),
            generic={symbol: rational(value) for symbol, value in (generic or {}).items()},
        )


@dataclass(frozen=True, eq=False)
class Assumption:
    """One numbered assumption: its text, the constants it introduces, and relations that they always satisfy.

    Formulas in the text are LaTeX between dollar signs (`workbench.theory.sentences`), or ValueError is raised.
    `ranges` are open intervals of free parameters that stay symbolic in exponents.
    """

    key: str
    statement: str
    symbols: tuple[Symbol, ...]
    source: str
    relations: tuple[Boolean, ...] = ()
    ranges: Ranges = field(default_factory=dict)

    def __post_init__(self) -> None:
        sentences.check(f"assumption {self.key}", self.statement)


@dataclass(frozen=True)
class Erratum:
    """A printed statement that is wrong as it stands, and its correction."""

    label: str
    title: str
    printed: str
    right: str
    source: str


@dataclass(frozen=True, eq=False)
class Statement:
    """A named formula that is not a theorem of a paper; `own` marks derivations of this project."""

    key: str
    paper: Paper
    title: str
    formula: Expr
    derivation: str
    own: bool = True

    def value(self, **values: Any) -> Any:
        """The formula in float64 at keyword values (numbers or arrays), one for each free symbol."""
        return numeric(self.formula)(values)


@dataclass(frozen=True, eq=False)
class Case:
    """One regime in which a rate is claimed.

    `when` is substituted into the chain of definitions before `variable` (usually the horizon) tends to infinity; `of`
    is the quantity of the chain that the claim is about (default: the bound). `claimed` may contain parameters for
    which an assumption of the theorem gives a range.
    """

    name: str
    when: Mapping[Symbol, Expr]
    claimed: Expr
    source: str
    variable: Symbol = vocabulary.T
    of: Symbol | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for a rate that is no exact expression."""
        object.__setattr__(self, "claimed", _exact(f"the rate of the case {self.name!r}", self.claimed))
        object.__setattr__(self, "when", _all_exact(f"the case {self.name!r}, when", self.when))


@dataclass(frozen=True, eq=False)
class Law:
    """A rate claimed for a whole region of exponents: symbols such as tau, or v where V_T = T^v.

    `when` is substituted into the chain (tau -> tau keeps tau free). The free exponents lie in the polytope given by
    `ranges` (linear inequalities) and the symbols' declared signs. `of` as in `Case`.

    The rate is a sum of terms. `terms` maps the cause of each term to its exponent, a linear form in the free
    exponents. It includes terms that `claimed` drops because they can never be the largest.
    """

    name: str
    when: Mapping[Symbol, Expr]
    terms: Mapping[str, Expr]
    ranges: tuple[Relational, ...]
    source: str
    variable: Symbol = vocabulary.T
    of: Symbol | None = None

    @property
    def claimed(self) -> Expr:
        """The largest exponent. `Max` drops terms that cannot be the largest, such as 0 next to a drift exponent."""
        return Max(*self.terms.values())


@dataclass(frozen=True)
class Condition:
    """A hypothesis on parameters: the relation, and the text with which its violation is reported.

    A relation that follows from the declared signs needs ``evaluate=False``. Raises ValueError otherwise.
    limit: the parameter that the condition restricts and its extreme admissible value in terms of the others, reported
    as a number in place of all values.
    """

    relation: Relational
    text: str
    source: str
    limit: Definition | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.relation, Relational):
            raise ValueError(f"SymPy has evaluated the condition {self.text}; write it with evaluate=False")


@cache
def expansion(definitions: tuple[Definition, ...]) -> Callable[[Expr], Expr]:
    """A function that writes an expression in the constants of a chain in terms of its parameters only.

    Each constant is expanded when it is first needed, and once for all who ask. Maxima and minima keep all their
    arguments: SymPy takes seconds to find out which of them can never be the largest.
    """
    chain = dict(definitions)

    @cache
    def in_parameters(e: Expr) -> Expr:
        if e in chain:
            return in_parameters(chain[e])
        if not e.free_symbols & chain.keys():
            return e
        keep = {"evaluate": False} if isinstance(e, (Max, Min)) else {}
        return e.func(*map(in_parameters, e.args), **keep)

    return in_parameters


@dataclass(frozen=True, eq=False)
class Form:
    """One version of a bound: an ordered chain of definitions that ends in the bound.

    `covers` is 1 where this form applies and 0 elsewhere. `repairs` are the labels of the errata that it resolves;
    `schedule` overrides entries of the theorem's schedule. `conditions` are hypotheses beyond the theorem's. `own`
    marks statements of this project.
    """

    name: str
    definitions: tuple[Definition, ...]
    source: str
    covers: Expr = S.One
    repairs: tuple[str, ...] = ()
    schedule: Mapping[str, Expr] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()
    own: bool = False

    def __post_init__(self) -> None:
        """Checks that each symbol is defined once, and used only after its definition."""
        chain = []
        for item in self.definitions:
            if not isinstance(item, tuple) or len(item) != 2 or not isinstance(item[0], Symbol):
                raise ValueError(
                    f'form {self.name!r}: {item!r} is no definition; write (Symbol("bound"), formula)'
                )
            chain.append((item[0], _exact(f"form {self.name!r}, {item[0]}", item[1])))
        object.__setattr__(self, "definitions", tuple(chain))
        names = [s.name for s, _ in self.definitions]
        for i, (symbol, expression) in enumerate(self.definitions):
            early = {s.name for s in expression.free_symbols} & set(names[i:])
            if early or symbol.name in names[:i]:
                raise ValueError(f"form {self.name!r}: {symbol} is defined twice or from {sorted(early)}")

    @property
    def bound(self) -> Expr:
        """The last definition."""
        return self.definitions[-1][1]

    def __getitem__(self, symbol: Symbol) -> Expr:
        """The definition of one constant of the chain, in terms of the constants defined before it."""
        return dict(self.definitions)[symbol]

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """Free symbols of the whole chain: assumption constants and free parameters, sorted by name."""
        free = {s for _, e in self.definitions for s in e.free_symbols} - {s for s, _ in self.definitions}
        return tuple(sorted(free, key=lambda s: s.name))

    @cached_property
    def _expand(self) -> Callable[[Expr], Expr]:
        return expansion(self.definitions)

    def values(self, when: Mapping[Symbol, Expr] | None = None) -> dict[Symbol, Expr]:
        """Every constant of the chain, and everything in `when`, in terms of the remaining free parameters."""
        constants: dict[Symbol, Expr] = dict(when or {})
        for symbol, expression in self.definitions:
            constants[symbol] = substitute(expression, constants)
        return constants

    def in_parameters(self, of: Symbol | None = None) -> Expr:
        """The bound, or another constant of the chain, in terms of the parameters only."""
        return self._expand(self.bound if of is None else self[of])


@dataclass(frozen=True, eq=False)
class Schedule:
    """Step-size rule: field names of an algorithm's `Steps` -> expressions in constants and parameters."""

    entries: Mapping[str, Expr]
    source: str = ""
    integer: tuple[str, ...] = tuple(c.name for c in vocabulary.CONSTANTS if c.symbol.is_integer)

    def steps(self, **values: Any) -> dict[str, Any]:
        """The entries at given constants, those in `integer` as int; extra keywords are ignored.

        Raises ValueError if one of the latter is not an integer.
        """
        out: dict[str, Any] = {}
        for name, expression in self.entries.items():
            value = numeric(expression)(values)
            whole = (name in self.integer or expression.is_integer) and not getattr(value, "ndim", 0)
            if whole and value != round(value):
                raise ValueError(f"{name} must be an integer, not {value:g}")
            out[name] = int(value) if whole else value
        return out


@dataclass(frozen=True, eq=False)
class Theorem(Record):
    """A convergence theorem: the bounded metric, assumptions, forms of the bound, and claimed rates.

    key: "<paper>/thm-1". metric: the bounded quantity. Formulas in `statement` and `metric` are LaTeX between dollar
    signs (`workbench.theory.sentences`). forms: the bound as printed, as repaired. cases: the rates claimed in single
    regimes; laws: those claimed for symbolic exponents. schedule: field of the method's `Steps` -> expression in
    assumption constants and free parameters. generic: symbol -> value, compatible with all assumptions, at which
    exponents are derived (rational, so that the derivation stays exact). horizon: the symbol that tends to infinity.
    notation: symbol -> LaTeX of an intermediate constant. conditions: hypotheses, which `steps` checks. kind: whether
    the bound holds with `probability` or in "expectation". metric_kind: the metric is of the "last
    iterate", the "average" of the iterates or the "best" of them, or it is a "running mean" over them or a "regret"; ""
    where that is not said. What is read must be of this kind (`workbench.claims.views.check_kind`). method: the module
    of the method that it is about, "<paper>.<module>" as in a simulation; a claim about another one fills no row of its
    card ("": one about any).

    Raises ValueError for a field of another kind, for a float in a formula, for two symbols of one name and for a value
    in ``generic`` that is a power of the horizon.
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
    laws: tuple[Law, ...] = ()
    conditions: tuple[Condition, ...] = ()
    kind: Kind = "probability"
    metric_kind: MetricKind = ""
    method: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError, with what is wanted, for a field of another kind."""
        if self.metric_kind not in get_args(MetricKind):
            kinds = ", ".join(filter(None, get_args(MetricKind)))
            raise ValueError(f"{self.key}: metric_kind is {self.metric_kind!r}; there are {kinds}")
        if self.kind not in get_args(Kind):
            raise ValueError(f"{self.key}: kind is {self.kind!r}; there are {', '.join(get_args(Kind))}")
        for name, kind in (("forms", Form), ("cases", Case), ("laws", Law), ("conditions", Condition)):
            _tuple_of(f"{self.key}: {name}", kind, getattr(self, name))
        for sentence in (self.statement, self.metric):
            sentences.check(self.key, sentence)
        object.__setattr__(self, "probability", _exact(f"{self.key}: probability", self.probability))
        for name in ("schedule", "generic"):
            object.__setattr__(self, name, _all_exact(f"{self.key}: {name}", getattr(self, name)))
        self._check_names()
        for symbol, value in self.generic.items():
            if self.horizon in value.free_symbols and exponent(value, self.horizon) != 0:
                raise ValueError(
                    f"{self.key}: generic, {symbol}: {value} is a power of {self.horizon}, which no constant is; a rate"
                    " with such a parameter is a case of its own"
                )

    def _check_names(self) -> None:
        """Raises ValueError for two symbols of one name: one would be taken for the other's value."""
        chains = [part for form in self.forms for pair in form.definitions for part in pair]
        others = [*self.schedule.values(), *(c.claimed for c in self.cases), *self.generic]
        symbols = {self.horizon.name: self.horizon}
        for symbol in sorted(set[Symbol]().union(*(e.free_symbols for e in (*chains, *others))), key=str):
            if symbols.setdefault(symbol.name, symbol) != symbol:
                raise ValueError(
                    f"{self.key}: there are two symbols named {symbol}, of other assumptions (positive, real); take"
                    " that of `wb.vocabulary` everywhere"
                )

    def form(self, name: str = "printed") -> Form:
        """The form of a name; the only one, whatever it is called, where none is named. Raises KeyError if none is."""
        if name == "printed" and len(self.forms) == 1:
            return self.forms[0]
        for form in self.forms:
            if form.name == name:
                return form
        raise KeyError(f"{self.key} has forms {[f.name for f in self.forms]}, not {name!r}")

    @cached_property
    def anytime(self) -> bool:
        """Whether it speaks of every t of one run: no entry of its schedules is a power of the horizon.

        Else it is for a horizon chosen beforehand, and the state at t says nothing about a run of t iterations. (A
        logarithm is admitted: an inner loop that is longer than a shorter horizon needs.)
        """
        entries = [*self.schedule.values(), *(e for form in self.forms for e in form.schedule.values())]
        return all(
            exponent(substitute(entry, self.generic), self.horizon) == 0
            for entry in map(S, entries)
            if self.horizon in entry.free_symbols
        )

    def case(self, name: str = "") -> Case:
        """The case of a name; without one the only case. Raises KeyError if there is none, or more than one."""
        if not name and len(self.cases) == 1:
            return self.cases[0]
        for case in self.cases:
            if case.name == name:
                return case
        raise KeyError(f"{self.key} has cases {[c.name for c in self.cases]}, not {name!r}")

    def law(self, name: str) -> Law:
        """The law of a name. Raises KeyError if there is none."""
        for law in self.laws:
            if law.name == name:
                return law
        raise KeyError(f"{self.key} has laws {[w.name for w in self.laws]}, not {name!r}")

    # --- symbolic -------------------------------------------------------------------------------------

    def bound(self, form: str = "printed") -> Expr:
        """The bound in terms of the constants that the form defines."""
        return self.form(form).bound

    def in_parameters(self, form: str = "printed") -> Expr:
        """The bound in terms of assumption constants and free parameters only."""
        return self.form(form).in_parameters()

    def latex(self, form: str = "printed") -> str:
        """The bound as LaTeX."""
        return self._latex(self.bound(form))

    def latex_definitions(self, form: str = "printed") -> tuple[tuple[str, str], ...]:
        """(name, formula) of every constant the form defines, the bound last."""
        return tuple((self._latex(s), self._latex(e)) for s, e in self.form(form).definitions)

    def _latex(self, expression: Expr) -> str:
        return formula(expression, {**vocabulary.LATEX, **self.notation})

    def growth(self, case: Case | str, form: str = "printed") -> Growth:
        """Leading behaviour in the case's variable: power, power of the logarithm, coefficient."""
        return _growth(self, self.case(case) if isinstance(case, str) else case, form)

    def covers(self, case: Case, form: str = "printed") -> bool:
        """Does the form apply in this case?"""
        version = self.form(form)
        if not version.covers.free_symbols:
            return bool(version.covers != 0)
        at = self._at(case)
        if version.covers.free_symbols & {s for s, _ in version.definitions}:
            at = version.values(at)
        covers = substitute(version.covers, at)
        if not covers.free_symbols and sign(covers) is None:
            raise Undecided(f"{self.key} ({form}): whether {covers} is 0 in the case {case.name!r}")
        return bool(covers.free_symbols) or sign(covers) != 0

    def _at(self, case: Case) -> dict[Symbol, Expr]:
        """Values of the parameters in a case: its own, and generic ones for all others except its variable."""
        free = {case.variable, *self.ranges(case)}
        generic = {s: substitute(v, case.when) for s, v in self.generic.items() if s not in free}
        return generic | {s: substitute(v, generic) for s, v in case.when.items()}

    def ranges(self, case: Case) -> Ranges:
        """The parameters that stay symbolic in the exponents of this case, with their open intervals."""
        return {s: r for a in self.assumes for s, r in a.ranges.items() if s not in case.when}

    def exponent(self, case: Case | str, form: str = "printed") -> Expr:
        """Exact exponent of the case's variable in the bound (or in the quantity the case is about)."""
        return self.growth(case, form).power

    def powers(self, case: Case | str, form: str = "printed") -> tuple[Expr, ...]:
        """Powers of the case's variable in the summands of the bound as it is displayed, in ascending order.

        The constants that the form defines stay as they are (they may hide logarithms). A measured curve may turn from
        one of these powers to the next. Raises ValueError for a summand that is not a constant times a power.
        """
        case = self.case(case) if isinstance(case, str) else case
        exponents = set()
        for summand in Add.make_args(expand_mul(self.bound(form).xreplace(dict(case.when)))):
            base, power = summand.as_independent(case.variable)[1].as_base_exp()
            if base != case.variable:
                raise ValueError(
                    f"{self.key} ({form}), {case.name}: {summand} is no power of {case.variable}"
                )
            exponents.add(power)
        return tuple(sorted(exponents))

    def agrees(self, case: Case | str, form: str = "printed") -> bool:
        """Does the exponent of this form imply the claim (equal, or smaller for an upper bound that decays)?

        With symbolic exponents this must hold for all values of the parameters in their ranges.
        """
        case = self.case(case) if isinstance(case, str) else case
        return sign_on(self.exponent(case, form) - case.claimed, self.ranges(case)) <= 0

    def law_exponent(self, law: Law | str, form: str = "printed") -> Expr:
        """Exponent of the law's variable, up to logarithms: a maximum of linear forms in the law's exponents."""
        return _law_exponent(self, self.law(law) if isinstance(law, str) else law, form)

    def counterexample(self, law: Law | str, form: str = "printed") -> dict[Symbol, Expr] | None:
        """Exponents in the law's ranges for which this form does not imply the claim; None if it always does."""
        law = self.law(law) if isinstance(law, str) else law
        return laws.exceeds(self.law_exponent(law, form), law.claimed, law.ranges)

    # --- numerical ------------------------------------------------------------------------------------

    def numeric(self, form: str = "printed") -> Callable[..., Any]:
        """The bound as a float64 function of keyword arguments, one per parameter, broadcasting arrays.

        Keywords that the form does not use are ignored, so that an instance can pass all its constants; a missing one
        is a TypeError. The value is +inf where the form does not apply.
        """
        return _compile(self.form(form), False)

    def constants(self, form: str = "printed", **values: Any) -> dict[str, Any]:
        """Every constant of the chain at given parameter values, by name, the bound last.

        Meant for reports on covered cases: unlike `numeric` it does not mask the others.
        """
        version = self.form(form)
        numbers = _compile(version, True)(**values)
        return {s.name: v for (s, _), v in zip(version.definitions, numbers, strict=True)}

    def steps(self, form: str = "printed", **values: Any) -> dict[str, Any]:
        """The schedule at given constants: keyword arguments for the algorithm's `Steps`.

        Entries such as a Neumann length are int. Extra keywords are ignored, as in `numeric`. Raises ValueError, naming
        the condition, if a hypothesis of the theorem or of the form is violated.
        """
        self.check(form, **values)
        return Schedule({**self.schedule, **self.form(form).schedule}).steps(**values)

    def check(self, form: str = "printed", **values: Any) -> None:
        """Raises ValueError for the first condition that fails in any row, naming it and the values.

        A condition with a symbol without a value is skipped.
        """
        for condition in (*self.conditions, *self.form(form).conditions):
            symbols = tuple(sorted(condition.relation.free_symbols, key=str))
            if any(s.name not in values for s in symbols):
                continue
            holds = numeric(condition.relation)(values)
            if not bool((holds == 1.0).all() if hasattr(holds, "all") else holds == 1.0):
                raise ValueError(
                    f"{self.key} needs {condition.text} ({condition.source}), {_got(condition, values)}"
                )


def _got(condition: Condition, values: Mapping[str, Any]) -> str:
    """Says which values were given in place of those that a condition needs."""
    if condition.limit is None:
        symbols = sorted(condition.relation.free_symbols, key=str)
        return f"not {', '.join(f'{s.name} = {values[s.name]}' for s in symbols)}"
    symbol, extreme = condition.limit
    number = numeric(extreme)(values)
    side = "least" if isinstance(condition.relation, GreaterThan) else "most"
    return f"that is {symbol.name} at {side} {number:.6g}, not {values[symbol.name]:.6g}"


@cache  # like the next one: used by the comparison and again by its display
def _growth(theorem: Theorem, case: Case, form: str) -> Growth:
    version, at = theorem.form(form), theorem._at(case)
    if not theorem.covers(case, form):
        raise NotCovered(f"{theorem.key} ({form}) says nothing in the case {case.name!r}")
    return growth(
        version.values(at)[case.of or version.definitions[-1][0]], case.variable, theorem.ranges(case)
    )


@cache
def _law_exponent(theorem: Theorem, law: Law, form: str) -> Expr:
    version = theorem.form(form)
    values = {s: v for s, v in theorem.generic.items() if s != law.variable} | dict(law.when)
    for symbol, expression in version.definitions:
        value = substitute(expression, values)
        # A constant that depends on the exponents but not on the variable matters only by its declared sign.
        values[symbol] = value if value.is_number or value.has(law.variable) else symbol
    return laws.power(values[law.of or version.definitions[-1][0]], law.variable)


@cache
def _compile(form: Form, everything: bool) -> Callable[..., Any]:
    """The chain as straight-line NumPy code: each definition becomes one assignment."""
    last = form.definitions[-1][0]
    if everything:
        result: Any = [s for s, _ in form.definitions]
    else:
        result = Piecewise((last, Ne(form.covers, 0)), (oo, True))
    call = _function(form.parameters, result, form.definitions)
    return lambda **values: call(values)


@cache  # a schedule and the conditions of a theorem are evaluated for every simulation and horizon
def numeric(expression: Any) -> Callable[[Mapping[str, Any]], Any]:
    """An expression or a relation as a function of a mapping name -> value."""
    return _function(tuple(sorted(expression.free_symbols, key=str)), expression)


def _function(
    parameters: tuple[Symbol, ...], result: Any, chain: tuple[Definition, ...] = ()
) -> Callable[[Mapping[str, Any]], Any]:
    """Compiles `result`, given a chain of definitions, into a function of a mapping name -> value."""
    from workbench.theory.numeric_code import numpy_function  # NumPy, which records do without

    code = numpy_function(parameters, result, chain)
    names = [s.name for s in parameters]

    def call(values: Mapping[str, Any]) -> Any:
        missing = [n for n in names if n not in values]
        if missing:
            raise TypeError(f"missing constants: {', '.join(missing)}")
        # 1.0 * v converts integers and integer arrays to float64 before T**3 can overflow.
        out = code(*[1.0 * values[n] for n in names])
        return out if isinstance(out, list) else 1.0 * out

    return call
