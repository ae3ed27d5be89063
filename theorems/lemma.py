"""The records of the proof ledger: a lemma, its dependencies, and its machine-checkable statements.

A `Lemma` is one link of a proof: a numbered lemma, an unnumbered inequality, or (under the theorem's own key) the last
step of a theorem's proof. Its `checks` are data, SymPy over exact rationals; `workbench.ledger` decides them. A module
`theorems/<paper>/lemmas*.py` has its records in the attribute ``LEMMAS``; no further registration is needed.

Kinds of checks:

* `Identity`: algebra. Exact; sums and products by induction over their upper limit.
* `Inequality`: lhs <= rhs for every point of a parameter box. Vectors are reduced to scalars by the encoder (norms,
  inner products with ``given`` constraints such as Cauchy-Schwarz). Tried in turn: counter-example, z3, boxes of
  enclosures. A box side may be `integers(2, 40)`; sums and products over integer limits are then written out.
* `Induction`: a finite sum or product <= a closed form for every upper limit n >= start; base and step are derived.
* `AlongTrajectory`: a line that must hold in every run, at every recorded iteration, with certainty.
* `InExpectation`, `WithProbability`: a line about the mean, or about all but a share of the runs. The unit is the run.
* `LinearProgram`: an optimum in rationals, with its dual.

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
from typing import Any, Literal, Self

from sympy import Basic, Expr, Float, Product, S, Sum, Symbol, oo, sympify
from sympy.core.relational import Relational

from theorems.record import Paper

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

    @property
    def bounded(self) -> bool:
        return bool(self.low.is_finite and self.high.is_finite)

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
        _check_domains(self.name, (self.lhs, self.rhs, *self.given), self.box, self.constants)
        point = {s: exact(v, f"the witness of {self.name!r}") for s, v in self.witness.items()}
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
        if not isinstance(self.total, (Sum, Product)) or self.total.limits[0][2] != self.n:
            raise ValueError(f"{self.name!r}: induction needs one Sum or Product with upper limit {self.n}")
        domains = {**self.box, self.n: integers(self.start)}
        _check_domains(self.name, (self.total, self.bound, *self.given), domains, self.constants)


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


Check = Identity | Inequality | Induction | AlongTrajectory | InExpectation | WithProbability | LinearProgram
MEASURED = (AlongTrajectory, InExpectation, WithProbability)


@dataclass(frozen=True, eq=False)
class Lemma:
    """One link of a proof.

    key: "<paper>/lem-5.3", "<paper>/eq-26", or the key of a theorem for the last step of its proof. uses: keys of
    lemmas, or "<paper>/asm-5.1" for an assumption. errata: labels; those of the checks are added. quoted: taken from
    another paper without proof, so that this ledger can at most test it. The users of a lemma are derived
    (`workbench.ledger.graph`).

    Raises ValueError if two checks have the same name.
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
        names = [c.name for c in self.checks]
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise ValueError(f"{self.key} has several checks named {twice[0]!r}")
        labels = (*self.errata, *(c.erratum for c in self.checks if c.erratum))
        object.__setattr__(self, "errata", tuple(dict.fromkeys(labels)))

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
    key, used = f"{paper.key}/{name}", tuple(f"{paper.key}/{u}" for u in uses)
    return Lemma(key, paper, title, source, statement, used, checks, errata, note, quoted)


def misprint(label: str, printed: Check, name: str, **right: Any) -> tuple[Check, Check]:
    """A misprinted line and its correction: the same check under another `name`, with the fields in `right` replaced.

    `note` and `witness` belong to one line only and are not copied. Raises ValueError if the two lines are equal.
    """
    alone = {"note": "", "witness": {}} if isinstance(printed, Inequality) else {"note": ""}
    other = replace(printed, name=name, **{**alone, **right})
    said = [f.name for f in fields(printed) if f.name not in ("name", "note", "witness", "budget")]
    if all(getattr(printed, field) == getattr(other, field) for field in said):
        raise ValueError(
            f"{printed.name!r} and {name!r} are the same line; give the fields that the correction changes"
        )
    return printed.refuted(label), other.repaired(label)


def _clean(check: Check | _Measured) -> None:
    """Validates and normalizes a check: no floats, known form and expectation, positive budget."""
    for name, allowed in (("form", FORMS), ("shows", SHOWS), ("expected", EXPECTED)):
        if getattr(check, name) not in allowed:
            raise ValueError(f"{check.name!r}: {name} is one of {', '.join(allowed)}")
    if check.budget <= 0:
        raise ValueError(f"{check.name!r} needs a positive budget")
    for name, value in vars(check).items():
        if name in ("lhs", "rhs", "bound", "objective", "claimed", "probability"):
            object.__setattr__(check, name, exact(value, f"{check.name!r}"))
        elif name in ("given", "constraints"):
            for relation in value:
                if not isinstance(relation, Relational):
                    raise ValueError(f"{check.name!r}: the condition {relation} is not a relation")
                exact(relation, f"{check.name!r}")


def _check_domains(
    name: str, expressions: Iterable[Basic], box: Box, constants: tuple[Constant, ...]
) -> None:
    free = {s for e in expressions for s in e.free_symbols}
    known = set(box) | {c.symbol for c in constants}
    if missing := sorted(map(str, free - known)):
        raise ValueError(f"{name!r}: the symbol {missing[0]} has no domain; give it an interval in the box")
    for symbol, side in box.items():
        # SymPy simplifies using the symbol's declared signs, so the box must respect them.
        outside = (
            (symbol.is_nonnegative and side.low < 0)
            or (symbol.is_positive and 0 in side)
            or (symbol.is_integer and not side.integer)
        )
        if outside:
            raise ValueError(f"{name!r}: {symbol} is declared narrower than its interval {side}")
