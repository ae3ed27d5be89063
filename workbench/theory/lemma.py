"""The records of the proof ledger: a lemma, its dependencies, and its machine-checkable statements.

A `Lemma` is one link of a proof: a numbered lemma, an unnumbered inequality, or (under the theorem's own key) the last
step of a theorem's proof. Its `checks` are data, SymPy over exact rationals; `workbench.ledger` decides them. A module
`theorems/<paper>/lemmas*.py` has its records in the attribute ``LEMMAS``; no further registration is needed.

Kinds of checks:

* `Identity`: algebra. Exact; sums and products by induction over their upper limit.
* `Inequality`: lhs <= rhs for every point of a parameter box. Vectors are reduced to scalars by the encoder (norms,
  inner products with ``given`` constraints such as Cauchy-Schwarz). Tried in turn: counter-example, sums of terms that
  are not negative, solvers, boxes of enclosures. A box side may be `integers(2, 40)`; sums and products over integer
  limits are then written out.
* `Induction`: a finite sum or product <= a closed form for every upper limit n >= start; base and step are derived.
* `AlongTrajectory`: a line that must hold in every run, at every recorded iteration, with certainty.
* `InExpectation`, `WithProbability`: a line about the mean, or about all but a share of the runs. The unit is the run.
* `LinearProgram`: an optimum in rationals, with its dual.

A statement is well-formed, or else refused with ValueError when it is made, if

* every name has one meaning: no two symbols, functions or sequences of one name, no index of a sum that is a variable
  of the statement or the index of a sum around it, no constant with a side in the box;
* every symbol takes all values of its side (as declared it may be real, an integer, of a sign, and no more), and every
  side and every set of conditions is satisfied by some point;
* limits of sums are sums of integer multiples of integer variables, and the upper one is at least the lower one minus 1
  (a sum over no terms is 0, a product 1; below that conventions differ);
* in an induction neither the summand nor a condition contains the upper limit, and sums are not nested in the total;
* a recursion defines every element of a sequence at most once, by elements before it;
* 1/x, log(x) and roots of x stand only where x takes no value outside their domain. For other expressions this is a
  part of the proof: both sides must have a value at every point of the box where the conditions hold. An identity whose
  sides are not shown to have one everywhere is certified where they do, which is said, if there is such a point.

`misprint` makes two checks from a misprinted line: the printed line must fail, the corrected one must hold. The methods
`refuted`, `repaired` and `own` mark checks that do not form such a pair. Numbers are exact: a float raises ValueError.

    x, y, c = symbols("x y c", positive=True)
    YOUNG = link(
        PAPER, "lem-1", "Young", "L10", "x y is at most c (x^2 + y^2).", ("asm-1",),
        Inequality("young", x * y, c * (x**2 + y**2), {x: POSITIVE, y: POSITIVE},
                   constants=(Constant(c, Rational(1, 2)),)),
        *misprint("E1", Identity("square", (x - y) ** 2, x**2 + y**2), "square, repaired", rhs=x**2 - 2 * x * y + y**2),
    )
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, Self

from sympy import (
    Basic,
    Dummy,
    Expr,
    Float,
    I,
    Indexed,
    Piecewise,
    Poly,
    PolynomialError,
    Pow,
    Product,
    S,
    Sum,
    Symbol,
    ceiling,
    expand,
    floor,
    log,
    nan,
    oo,
    preorder_traversal,
    sympify,
    zoo,
)
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from workbench.homes.keys import Key
from workbench.homes.records import Record
from workbench.theory import sentences
from workbench.theory.numbers import symbolic
from workbench.theory.record import Paper

Number = Any  # SymPy rational, int, or a string such as "1/3"
FORMS = ("printed", "repaired", "own")
SHOWS = ("statement", "line", "arithmetic")
EXPECTED = ("holds", "violated")
BUDGET = 5  # default time limit of a check, in seconds


def exact(value: Number, where: str) -> Expr:
    """A SymPy expression without floats. Raises ValueError naming the float if there is one."""
    e = sympify(value, rational=True) if isinstance(value, str) else sympify(value)
    if floats := e.atoms(Float):
        raise ValueError(f"{where} holds the float {min(floats, key=str)}; write it as a Rational")
    return e


@dataclass(frozen=True)
class Interval:
    """The domain of one symbol: rational ends (or -oo, oo), each open or closed; `integer` restricts it to integers.

    Infinite ends are open. Raises ValueError for an empty interval and for ends that are not rational.
    """

    low: Number = -oo
    high: Number = oo
    low_open: bool = False
    high_open: bool = False
    integer: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            end = exact(getattr(self, name), "an interval")
            if not (end.is_Rational or end in (oo, -oo)):
                raise ValueError(f"the ends of an interval are rational numbers or infinite, not {end}")
            object.__setattr__(self, name, end)
            object.__setattr__(self, f"{name}_open", getattr(self, f"{name}_open") or bool(end.is_infinite))
        if self.low > self.high or (self.low == self.high and (self.low_open or self.high_open)):
            raise ValueError(f"the interval from {self.low} to {self.high} is empty")
        if self.integer and self.least > self.most:
            raise ValueError(f"the interval from {self.low} to {self.high} has no integer in it")

    @property
    def bounded(self) -> bool:
        return bool(self.low.is_finite and self.high.is_finite)

    @property
    def least(self) -> Expr:
        """The least integer in the interval, or -oo."""
        return floor(self.low) + 1 if self.low_open and self.low.is_finite else ceiling(self.low)

    @property
    def most(self) -> Expr:
        """The largest integer in the interval, or oo."""
        return ceiling(self.high) - 1 if self.high_open and self.high.is_finite else floor(self.high)

    def __contains__(self, value: Number) -> bool:
        """Is a rational number in the interval?"""
        value = sympify(value)
        above = value > self.low if self.low_open else value >= self.low
        below = value < self.high if self.high_open else value <= self.high
        return bool(above and below and (not self.integer or value.is_integer))

    def __str__(self) -> str:
        text = f"{'(' if self.low_open else '['}{self.low}, {self.high}{')' if self.high_open else ']'}"
        return f"integers of {text}" if self.integer else text


def closed(low: Number, high: Number) -> Interval:
    """[low, high]."""
    return Interval(low, high)


def opened(low: Number, high: Number) -> Interval:
    """(low, high)."""
    return Interval(low, high, True, True)


def at_least(low: Number) -> Interval:
    """[low, oo)."""
    return Interval(low)


def above(low: Number) -> Interval:
    """(low, oo)."""
    return Interval(low, low_open=True)


def integers(low: Number, high: Number = oo) -> Interval:
    """The integers from low to high, both included."""
    return Interval(low, high, integer=True)


REAL = Interval()
POSITIVE, NONNEGATIVE = above(0), at_least(0)
UNIT = closed(0, 1)
Box = Mapping[Symbol, Interval]


def nonnegative(*symbols: Symbol) -> dict[Symbol, Interval]:
    """A box in which these symbols are nonnegative."""
    return dict.fromkeys(symbols, NONNEGATIVE)


def positive(*symbols: Symbol) -> dict[Symbol, Interval]:
    """A box in which these symbols are positive."""
    return dict.fromkeys(symbols, POSITIVE)


@dataclass(frozen=True)
class Constant:
    """A constant of a statement, bracketed by the ledger: the strongest certified value and the weakest refuted one.

    `symbol` represents it in the statement, `printed` is its printed value. `stronger` is the direction in which the
    statement becomes stronger: "smaller" for a factor of an upper bound, "larger" for one of a lower bound.
    """

    symbol: Symbol
    printed: Expr
    stronger: Literal["smaller", "larger"] = "smaller"

    def __post_init__(self) -> None:
        object.__setattr__(self, "printed", exact(self.printed, f"the constant {self.symbol}"))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Check:
    """The common fields of checks. `name` is unique within its lemma; `expected` is the verdict it must get.

    `form`: "printed", "repaired" or "own" (a line of this project). `shows`: "statement" if the check encodes what the
    link states, all of it; "line" for a line of its proof; "arithmetic" for a computation beside it, which shows
    nothing about the link by itself (3 * 9 = 27, or a hypothesis again). `erratum`: label of the erratum it documents.
    `note`: one sentence for readers of the ledger. `budget`: time limit in seconds.
    """

    form: str = "printed"
    shows: str = "line"
    expected: str = "holds"
    erratum: str = ""
    note: str = ""
    budget: int = BUDGET

    def states(self) -> Self:
        """This check as one that encodes the whole statement of its link."""
        return replace(self, shows="statement")

    def arithmetic(self) -> Self:
        """This check as a computation beside the link, which is no part of what it states."""
        return replace(self, shows="arithmetic")

    def refuted(self, label: str) -> Self:
        """This check as that of a wrong printed line, which must come out violated. `label`: the erratum."""
        return replace(self, expected="violated", erratum=label)

    def repaired(self, label: str) -> Self:
        """This check as that of a line that replaces a wrong one. `label`: the erratum that it resolves."""
        return replace(self, form="repaired", erratum=label)

    def own(self, label: str = "") -> Self:
        """This check as that of a line of this project. `label`: the erratum that it resolves, if any."""
        return replace(self, form="own", erratum=label)


@dataclass(frozen=True, eq=False)
class Identity(_Check):
    """lhs = rhs for all values of the symbols, by SymPy, exactly.

    With `n` and `start` it is proved by induction: true at n = start, and lhs(n+1) - lhs(n) = rhs(n+1) - rhs(n) after
    the last term of every `Sum` and the last factor of every `Product` with upper limit n + const is split off.
    Symbols may be `Indexed`. `recursion` defines sequences recursively; it is used in the base case and in the
    inductive step: {E[n + 1]: (1 - a[n + 1]) * E[n] + ...}.
    """

    name: str
    lhs: Expr
    rhs: Expr
    n: Symbol | None = None
    start: int = 1
    recursion: Mapping[Expr, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _clean(self)
        _check_start(self)
        both = (self.lhs, self.rhs, *self.recursion.values())
        box = {s: declared_domain(s) for s in symbols_of(*both) if s != self.n}
        if self.n is not None:
            box[self.n] = integers(self.start)
        _well_formed(self.name, (*both, *self.recursion), box)
        _check_declared(self.name, box)
        _check_recursion(self)


@dataclass(frozen=True, eq=False)
class Inequality(_Check):
    """lhs <= rhs at every point of `box` where all conditions in `given` (SymPy relations) hold.

    box: symbol -> Interval. constants: bracketed constants, which have their printed values in the check itself.
    witness: a known counter-example; tried first (and verified like any other).

    Raises ValueError for a symbol without a domain and for floats.
    """

    name: str
    lhs: Expr
    rhs: Expr
    box: Box
    given: tuple[Relational, ...] = ()
    constants: tuple[Constant, ...] = ()
    witness: Mapping[Symbol, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _clean(self)
        everything = (self.lhs, self.rhs, *self.given, *(c.printed for c in self.constants))
        _check_domains(self.name, everything, self.box, self.constants)
        _well_formed(self.name, everything, self.box, self.constants)
        _check_values(self.name, everything, self.box, self.given)
        point = {s: exact(v, f"the witness of {self.name!r}") for s, v in self.witness.items()}
        if not all(v.is_Rational for v in point.values()):
            raise ValueError(f"the witness of {self.name!r} must have rational coordinates")
        if point and set(point) != set(self.box):
            raise ValueError(f"the witness of {self.name!r} must give a value to every symbol of its box")
        object.__setattr__(self, "witness", point)


@dataclass(frozen=True, eq=False)
class Induction(_Check):
    """total <= bound for every integer n >= start; `total` is one `Sum` or `Product` whose upper limit is n.

    Base: the inequality at n = start. Step: term(n+1) <= bound(n+1) - bound(n) for a sum; for a product,
    bound(n) factor(n+1) <= bound(n+1) and factor(n+1) >= 0. The step is sufficient, not necessary: if it fails, the
    check is inconclusive unless a counter-example to the statement itself is found. `box` has all symbols except n.
    """

    name: str
    total: Sum | Product
    bound: Expr
    n: Symbol
    start: int
    box: Box = field(default_factory=dict)
    given: tuple[Relational, ...] = ()
    constants: tuple[Constant, ...] = ()

    def __post_init__(self) -> None:
        _clean(self)
        _check_start(self)
        one = isinstance(self.total, (Sum, Product)) and len(self.total.limits) == 1
        if not one or len(self.total.limits[0]) != 3 or self.total.limits[0][2] != self.n:
            raise ValueError(f"{self.name!r}: induction needs one Sum or Product with upper limit {self.n}")
        if not self.total.limits[0][1].is_Integer:
            raise ValueError(f"{self.name!r}: the sum of an induction starts at a number")
        for what, e in (("summand", self.total.function), *(("condition", g) for g in self.given)):
            if self.n in e.free_symbols:
                raise ValueError(
                    f"{self.name!r}: the {what} {e} contains {self.n}, the variable of the induction"
                )
        if self.n in self.box:
            raise ValueError(f"{self.name!r}: {self.n} runs from start and has no side in the box")
        domains = {**self.box, self.n: integers(self.start)}
        everything = (self.total, self.bound, *self.given, *(c.printed for c in self.constants))
        _check_domains(self.name, everything, domains, self.constants)
        _well_formed(self.name, everything, domains, self.constants)
        _check_values(self.name, everything, domains, self.given)


@dataclass(frozen=True, eq=False)
class Exact(_Check):
    """A statement in the language of the re-checker (`workbench.ledger.certificate`), from a line of a proof's text.

    constants: printed value, a tree, of each name in the statement that stands for a bracketed constant; "stronger" is
    "smaller" or "larger" (see `Constant`). witness: a known counter-example, which is tried first.
    """

    name: str
    statement: Mapping[str, Any]
    constants: Mapping[str, Any] = field(default_factory=dict)
    stronger: Mapping[str, str] = field(default_factory=dict)
    witness: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _clean(self)


@dataclass(frozen=True, eq=False)
class _Measured(_Check):
    """lhs <= rhs between recorded quantities. Symbols have the names of a probe's quantities, an instance's constants,
    fields of the algorithm's `Steps`, or `t`, the iteration. `on`: keys of simulations, or names of samplers.
    """

    name: str
    lhs: Expr
    rhs: Expr
    on: tuple[str, ...]

    def __post_init__(self) -> None:
        _clean(self)
        if not self.on:
            raise ValueError(f"{self.name!r} names no simulation or sampler on which to measure it")

    @property
    def symbols(self) -> set[Symbol]:
        """Of both sides."""
        return symbols_of(self.lhs, self.rhs)


@dataclass(frozen=True, eq=False)
class AlongTrajectory(_Measured):
    """The line holds in every run at every recorded iteration; `relation` "=" for an identity (up to rounding)."""

    relation: Literal["<=", "="] = "<="


@dataclass(frozen=True, eq=False)
class InExpectation(_Measured):
    """E[lhs] <= E[rhs] at every recorded iteration, by a t interval of lhs - rhs over runs at each one."""


@dataclass(frozen=True, eq=False)
class WithProbability(_Measured):
    """The line holds with at least this `probability` (an expression in the same symbols).

    uniform: at all recorded iterations simultaneously ("for all t <= T"), or at each one separately.
    """

    probability: Expr = S.One
    uniform: bool = True

    @property
    def symbols(self) -> set[Symbol]:
        """Of both sides, and of the probability."""
        return super().symbols | symbols_of(self.probability)


@dataclass(frozen=True, eq=False)
class LinearProgram(_Check):
    """The optimum of a linear objective under linear constraints (SymPy Le, Ge, Eq), all rational.

    `relation` is that of the optimum to `claimed`: "=", "<=" (for sense "max") or ">=" (for "min").
    Variables are free unless constrained.
    """

    name: str
    objective: Expr
    constraints: tuple[Relational, ...]
    claimed: Expr
    sense: Literal["max", "min"] = "max"
    relation: Literal["=", "<=", ">="] = "="

    def __post_init__(self) -> None:
        _clean(self)
        everything = (self.objective, *self.constraints, self.claimed)
        _well_formed(self.name, everything, {})
        for symbol in sorted(symbols_of(*everything), key=str):
            if not _covers(symbol, Interval()):
                raise ValueError(
                    f"{self.name!r}: {symbol} is declared narrower than the real numbers; use constraints"
                )
        if not self.claimed.is_Rational:
            raise ValueError(f"{self.name!r}: the claimed optimum {self.claimed} is no rational number")


Check = (
    Exact
    | Identity
    | Inequality
    | Induction
    | AlongTrajectory
    | InExpectation
    | WithProbability
    | LinearProgram
)
MEASURED = (AlongTrajectory, InExpectation, WithProbability)


@dataclass(frozen=True, eq=False)
class Lemma(Record):
    """One link of a proof.

    key: "<paper>/lem-5.3", "<paper>/eq-26", or the key of a theorem for the last step of its proof. uses: keys of
    lemmas, or "<paper>/asm-5.1" for an assumption. errata: labels; those of the checks are added. quoted: taken from
    another paper without proof, so that this ledger can at most test it. The users of a lemma are derived
    (`workbench.ledger.graph`).

    Formulas in `statement` are LaTeX between dollar signs (`workbench.theory.sentences`).

    Raises ValueError if they are not, and if two checks have the same name.
    """

    key: str
    paper: Paper
    title: str
    source: str
    statement: str
    uses: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    errata: tuple[str, ...] = ()
    note: str = ""
    quoted: bool = False

    def __post_init__(self) -> None:
        sentences.check(self.key, self.statement)
        names = [c.name for c in self.checks]
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise ValueError(f"{self.key} has several checks named {twice[0]!r}")
        labels = (*self.errata, *(c.erratum for c in self.checks if c.erratum))
        object.__setattr__(self, "errata", tuple(dict.fromkeys(labels)))

    @property
    def own(self) -> bool:
        """Whether it is this project that states the link; its key says so: "<paper>/own-..."."""
        return Key.of(self.key).name.startswith("own-")

    def check(self, name: str) -> Check:
        """The check with a name. Raises KeyError listing the existing names."""
        for c in self.checks:
            if c.name == name:
                return c
        raise KeyError(f"{self.key} has checks {[c.name for c in self.checks]}, not {name!r}")


def link(
    paper: Paper,
    name: str,
    title: str,
    source: str,
    statement: str,
    uses: tuple[str, ...] = (),
    *checks: Check,
    errata: tuple[str, ...] = (),
    note: str = "",
    quoted: bool = False,
) -> Lemma:
    """A `Lemma` of a paper; `name` and `uses` are keys without the paper's prefix."""
    key, links = f"{paper.key}/{name}", tuple(f"{paper.key}/{u}" for u in uses)
    return Lemma(key, paper, title, source, statement, links, checks, errata, note, quoted)


def misprint(label: str, printed: Check, name: str, **right: Any) -> tuple[Check, Check]:
    """A misprinted line and its correction: the same check under another `name`, with the fields in `right` replaced.

    `note` and `witness` belong to one line only and are not copied. Raises ValueError if the two lines are equal.
    """
    alone = {"note": "", "witness": {}} if isinstance(printed, Inequality) else {"note": ""}
    other = replace(printed, name=name, **{**alone, **right})
    content = [f.name for f in fields(printed) if f.name not in ("name", "note", "witness", "budget")]
    if all(getattr(printed, field) == getattr(other, field) for field in content):
        raise ValueError(
            f"{printed.name!r} and {name!r} are the same line; give the fields that the correction changes"
        )
    return printed.refuted(label), other.repaired(label)


def _clean(check: Check | _Measured) -> None:
    """Validates and normalizes a check: no floats, known form and expectation, positive budget."""
    for name, values in (("form", FORMS), ("shows", SHOWS), ("expected", EXPECTED)):
        if getattr(check, name) not in values:
            raise ValueError(f"{check.name!r}: {name} is one of {', '.join(values)}")
    if check.budget <= 0:
        raise ValueError(f"{check.name!r} needs a positive budget")
    for name, value in vars(check).items():
        if name in ("lhs", "rhs", "total", "bound", "objective", "claimed", "probability"):
            object.__setattr__(check, name, exact(value, f"{check.name!r}"))
        elif name == "recursion":
            rules = {k: exact(v, f"{check.name!r}") for k, v in value.items()}
            object.__setattr__(check, name, rules)
        elif name in ("given", "constraints"):
            for relation in value:
                if relation == False:  # noqa: E712  (SymPy has decided it)
                    raise ValueError(
                        f"{check.name!r}: a condition is never satisfied, so the statement says nothing"
                    )
                if not isinstance(relation, Relational):
                    raise ValueError(f"{check.name!r}: the condition {relation} is not a relation")
                exact(relation, f"{check.name!r}")


def _check_domains(
    name: str, expressions: Iterable[Basic], box: Box, constants: tuple[Constant, ...]
) -> None:
    free = {s for e in expressions for s in e.free_symbols}
    domain = set(box) | {c.symbol for c in constants}
    if missing := sorted(map(str, free - domain)):
        raise ValueError(f"{name!r}: the symbol {missing[0]} has no domain; give it an interval in the box")
    _check_declared(name, box)
    for c in constants:
        if not isinstance(c.symbol, Symbol):
            raise ValueError(f"{name!r}: the constant {c.symbol} is not a symbol")
        if c.symbol in box:
            raise ValueError(f"{name!r}: the constant {c.symbol} has a side in the box, too")
        if c.printed.free_symbols & {d.symbol for d in constants}:
            raise ValueError(f"{name!r}: the constant {c.symbol} is printed with another constant in it")
        assumptions = {what: value for what, value in c.symbol.assumptions0.items() if what != "commutative"}
        signs = ("positive", "nonnegative", "negative", "nonpositive", "integer")
        printed = symbolic(c.printed)
        if any(
            getattr(printed, f"is_{what}") not in ((value,) if what in signs else (value, None))
            for what, value in assumptions.items()
        ):
            raise ValueError(f"{name!r}: {c.symbol} is declared narrower than its printed value {c.printed}")
    if len({c.symbol for c in constants}) < len(constants):
        raise ValueError(f"{name!r}: a constant has two printed values")


def _check_declared(name: str, box: Box) -> None:
    """Raises ValueError where a box goes beyond the signs of its symbols, with which SymPy simplifies."""
    for symbol, side in box.items():
        if not isinstance(symbol, Symbol) or not isinstance(side, Interval):
            raise ValueError(
                f"{name!r}: the box gives {symbol} the side {side}; it gives intervals to symbols"
            )
        if not _covers(symbol, side):
            raise ValueError(f"{name!r}: {symbol} is declared narrower than its interval {side}")


@cache
def _covers(symbol: Symbol, side: Interval) -> bool:
    """Does a symbol, as declared, take every value of its side?"""
    own = declared_domain(symbol)
    low = own.low < side.low or (own.low == side.low and own.low_open <= side.low_open)
    low = low or (own.integer and side.integer and own.least <= side.least)
    high = own.high > side.high or (own.high == side.high and own.high_open <= side.high_open)
    high = high or (own.integer and side.integer and own.most >= side.most)
    return bool(low and high and (side.integer or not symbol.is_integer)) and not _excludes(symbol, side)


def _excludes(symbol: Symbol, side: Interval) -> bool:
    """Is a symbol declared as more than real, an integer, of a sign, and not zero on a side without 0?"""
    signs = ("real", "integer", "positive", "nonnegative", "negative", "nonpositive")
    assumptions = {what: True for what in signs if getattr(symbol, f"is_{what}")}
    if symbol.is_nonzero and 0 not in side:
        assumptions["nonzero"] = True
    plain = Symbol(symbol.name, **assumptions).assumptions0
    return any(plain.get(what) != value for what, value in symbol.assumptions0.items())


def declared_domain(symbol: Symbol) -> Interval:
    """The values of a symbol by its declaration: real, integer, and its sign."""
    low, high = -oo, oo
    if symbol.is_extended_nonnegative:
        low = 0
    if symbol.is_extended_nonpositive:
        high = 0
    if symbol.is_integer:
        return Interval(1 if symbol.is_positive else low, -1 if symbol.is_negative else high, integer=True)
    return Interval(low, high, bool(symbol.is_extended_positive), bool(symbol.is_extended_negative))


def symbols_of(*expressions: Basic) -> set[Symbol]:
    """The free variables: no indices of sums, and no names of sequences."""
    free = {s for e in expressions for s in e.free_symbols if isinstance(s, Symbol)}
    return free - {i.base.label for e in expressions for i in e.atoms(Indexed)}


# ------------------------------------------------------------------------------------------------ well-formedness


def _well_formed(
    name: str, expressions: tuple[Basic, ...], box: Box, constants: tuple[Constant, ...] = ()
) -> None:
    """Raises ValueError unless every name has one meaning and every sum has limits (see the module's docstring)."""
    names: dict[str, Any] = {}
    nodes = {e: _nodes(e) for e in expressions}
    everything = set[Basic]().union(*nodes.values())
    elements = {x for x in everything if isinstance(x, Indexed)}
    bases = {i.base for i in elements}
    functions = {x.func for x in everything if isinstance(x, AppliedUndef)}
    for thing in sorted([*bases, *functions], key=str):
        if names.setdefault(str(thing), thing) is not thing and names[str(thing)] != thing:
            raise ValueError(f"{name!r}: two different functions or sequences are called {thing}")
    sequences = set(names)
    symbols = {x for x in everything if isinstance(x, Symbol)} | set(box) | {c.symbol for c in constants}
    labels = {i.base.label for i in elements}
    for s in sorted(symbols - labels, key=str):
        if names.setdefault(s.name, s) != s or s.name in sequences:
            raise ValueError(f"{name!r}: two different symbols are called {s.name}")
    for e in expressions if elements else ():
        plain = e.xreplace({i: Dummy() for i in nodes[e] & elements})
        if both := sorted(map(str, plain.free_symbols & labels)):
            raise ValueError(f"{name!r}: {both[0]} is the name of a sequence and of a variable")
    free = symbols_of(*expressions) | set(box) | {c.symbol for c in constants}
    for e in expressions:
        if numbers := [w for w in (nan, zoo, oo, -oo, I) if w in nodes[e]]:
            raise ValueError(f"{name!r}: {str(e)[:60]} contains {numbers[0]}, which is no real number")
        if any(isinstance(p, Piecewise) and p.args[-1][1] != True for p in nodes[e]):  # noqa: E712  (a SymPy Boolean)
            raise ValueError(f"{name!r}: a case distinction has no last case; end it with (value, True)")
        _check_sums(name, e, free, (), box)


def _nodes(e: Basic) -> set[Basic]:
    """All subexpressions, each looked into once."""
    nodes: set[Basic] = set()
    stack = [e]
    while stack:
        node = stack.pop()
        if node not in nodes:
            nodes.add(node)
            stack += node.args
    return nodes


def _check_sums(name: str, e: Basic, free: set[Symbol], outer: tuple[Any, ...], box: Box) -> None:
    """Raises ValueError for a sum whose index or limits are ambiguous.

    outer: (index, low, high) of the sums around the expression, outermost first.
    """
    if not isinstance(e, (Sum, Product)):
        for part in e.args:
            _check_sums(name, part, free, outer, box)
        return
    for limit in reversed(e.limits):  # the last limit is the outermost one
        if len(limit) != 3:
            raise ValueError(f"{name!r}: the sum over {limit[0]} has no limits")
        index, low, high = limit
        if index in free:
            raise ValueError(f"{name!r}: the index {index} of a sum is a variable of the statement, too")
        if index in [k for k, _, _ in outer]:
            raise ValueError(f"{name!r}: two sums, one inside the other, have the index {index}")
        for end in (low, high):
            if not _is_whole(end, {k for k, _, _ in outer}, box):
                raise ValueError(
                    f"{name!r}: the limit {end} of the sum over {index} is not an integer plus integers"
                )
        least = _least(high - low + 1, outer, box)
        if least is None or least < 0:
            raise ValueError(
                f"{name!r}: the sum over {index} from {low} to {high} has an upper limit that may lie below "
                f"{expand(low - 1)}, where its value depends on a convention"
            )
        first, own = _least(low, outer, box), declared_domain(index)
        if not isinstance(index, Symbol) or _excludes(index, integers(1)):
            raise ValueError(f"{name!r}: the index {index} of a sum is declared narrower than the integers")
        if own.high != oo or (own.low != -oo and (first is None or first < own.low + own.low_open)):
            raise ValueError(f"{name!r}: the index {index} is declared narrower than its range from {low} on")
        outer = (*outer, limit)
    _check_sums(name, e.function, free, outer, box)


def _is_whole(end: Expr, indices: set[Symbol], box: Box) -> bool:
    """Is a limit a sum of integer multiples of integer variables?"""
    if not all(
        s in indices or declared_domain(s).integer or (s in box and box[s].integer) for s in end.free_symbols
    ):
        return False
    try:
        p = Poly(end, *sorted(end.free_symbols, key=str)) if end.free_symbols else None
    except PolynomialError:
        return False
    return bool(end.is_Integer) if p is None else p.is_linear and all(c.is_Integer for c in p.coeffs())


def _least(e: Expr, outer: tuple[Any, ...], box: Box) -> Expr | None:
    """The least value of a limit over the indices around it and the box; None if it has none."""
    e = expand(e)
    for index, low, high in reversed(outer):
        slope = e.coeff(index)
        e = expand(e.xreplace({index: low if slope > 0 else high}))
    for s in sorted(e.free_symbols, key=str):
        side, slope = box.get(s, declared_domain(s)), e.coeff(s)
        e = e.xreplace({s: side.least if slope > 0 else side.most})
    return e if e.is_Integer else None


def _check_values(name: str, expressions: tuple[Basic, ...], box: Box, given: tuple[Relational, ...]) -> None:
    """Refuses 1/x, log(x) and roots of x where a side of the box shows that they have no value.

    Only for a variable without a condition; other expressions must be shown to have values by their proof.
    """
    constrained_symbols = {s for g in given for s in g.free_symbols}
    for a in {a for e in expressions if not e.has(Piecewise) for a in preorder_traversal(e)}:
        if not (isinstance(a, (Pow, log)) and a.args[0] in box and a.args[0] not in constrained_symbols):
            continue
        x, side = a.args[0], box[a.args[0]]
        whole, negative = (
            (bool(a.exp.is_Integer), bool(a.exp.is_negative)) if isinstance(a, Pow) else (False, True)
        )
        if isinstance(a, Pow) and not a.exp.is_Rational:
            continue
        if (negative and 0 in side) or (not whole and side.low < 0):
            raise ValueError(f"{name!r}: {a} has no value everywhere on the side {side} of {x}")


def _check_start(check: Identity | Induction) -> None:
    """Raises ValueError unless the variable of an induction is a symbol, and its start an integer."""
    start = sympify(check.start)
    if not getattr(start, "is_Integer", False) or isinstance(check.start, str):
        raise ValueError(f"{check.name!r}: the start {check.start} of an induction is not an integer")
    if check.n is not None and not isinstance(check.n, Symbol):
        raise ValueError(f"{check.name!r}: the variable {check.n} of an induction is not a symbol")
    object.__setattr__(check, "start", int(start))


def _check_recursion(check: Identity) -> None:
    """Raises ValueError unless each element of a sequence is defined at most once, by elements before it."""
    definitions: set[tuple[Any, Any]] = set()
    n: Any = check.n
    if check.recursion and n is None:
        raise ValueError(f"{check.name!r}: a recursion needs its variable n")
    for target in check.recursion:
        whole = isinstance(target, Indexed) and len(target.indices) == 1
        k: Any = target.indices[0] if whole else None
        if not whole or not (k == n + 1 or (k.is_Integer and k <= check.start)):
            raise ValueError(
                f"{check.name!r}: a recursion defines the element {n} + 1 of a sequence or one up to start, "
                f"not {target}"
            )
        if (target.base, k) in definitions:
            raise ValueError(f"{check.name!r}: {target} is defined twice")
        definitions.add((target.base, k))
    bases = {base for base, _ in definitions}
    for target, value in check.recursion.items():
        k = target.indices[0]
        for element in value.atoms(Indexed):
            j = element.indices[0]
            if element.base in bases and not (j == n if k == n + 1 else bool(j.is_Integer and j < k)):
                raise ValueError(
                    f"{check.name!r}: {target} is not defined by elements before it, but by {element}"
                )
        if k != n + 1 and n in value.free_symbols:
            raise ValueError(f"{check.name!r}: {target} does not depend on {n}, but its definition does")
