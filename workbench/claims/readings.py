"""Readings: one curve of one simulation at one grid point, and the exponent that a theorem claims for it.

A reading is defined once and used by the claims (`Reading.rate`, `tight`, `level`, `caught`), the figure (`curve`,
`claimed`) and its caption (`slope`), so these cannot disagree. The exponent is never typed in: it comes from a `Case`
of the theorem, or from a `Law` at the exponents of the grid point.

A law is a maximum of terms: bias, drift, variance. An instance can demonstrate one term only if the others do not
dominate it. So a reading accounts for every term of its law. Either the term is known and not larger (checked when the
reading is made), or it is absent, and then the quantity behind it must vanish on the instance (checked when the
evidence is computed). A view that drops additive constants (`View.forgets`) also drops constant terms.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, TypeAlias, TypedDict, Unpack

import numpy as np
from sympy import Expr, Symbol

from workbench import evidence
from workbench.claims import identifiers
from workbench.claims.claims import Claim, Results, caught
from workbench.claims.exact_claims import Exactly
from workbench.claims.exact_curves import without_runs
from workbench.claims.kinds import Kinds
from workbench.claims.of_reading import OfReading
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.records import PROFILES, Simulation
from workbench.claims.usable_rows import Refused, unless_random
from workbench.claims.views import (
    Formula,
    Quantity,
    View,
    as_recorded,
    at_horizons,
    check_kind,
    checked_view,
    read_by,
    selected,
)
from workbench.engine.records import Result
from workbench.evidence import protections, rates
from workbench.evidence.parameters import SCALING_TOL
from workbench.evidence.stats import Estimate
from workbench.evidence.verdicts import Finding
from workbench.theory import asymptotics
from workbench.theory.record import Law, Statement, Theorem, numeric

Point = Mapping[str, float]
Known = Callable[[Result], Mapping[str, Any]]
LevelFormula: TypeAlias = Statement | Expr | Callable[..., np.ndarray]


@dataclass(frozen=True)
class Claimed:
    """An exponent and where it is claimed: `wb.Claimed(-1 / 4, "Corollary 2")`.

    value: the power of T; a metric that falls like T^-1/4 has -0.25. source: where it is claimed. absent: term of a law
    -> quantity that must be 0 on the instance, because the exponent assumes that the instance lacks this term.
    but_constants: the view drops constant terms of the law, and so does the exponent.

    Raises ValueError for an exponent that is no number or not finite.
    """

    value: float
    source: str
    absent: Mapping[str, str] = field(default_factory=dict)
    but_constants: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.value, Real):
            raise ValueError(f"an exponent is a number, not a {type(self.value).__name__} ({self.source})")
        if not math.isfinite(self.value):
            raise ValueError(f"an exponent must be finite, not {self.value} ({self.source})")


NO_EXPONENT = Claimed(
    0.0, "no exponent is claimed"
)  # of a reading of which only other kinds of claims are made


def as_claimed(given: Any) -> Claimed | None:
    """An exponent with its origin; a mere number comes from the file that has it. Raises ValueError for no number."""
    if given is None or isinstance(given, Claimed):
        return given
    if isinstance(given, Real):
        return Claimed(float(given), "as written")
    raise ValueError(f"claimed is a {type(given).__name__}; wanted a number, or Claimed(exponent, source)")


def by_case(theorem: Theorem, name: str, at: Mapping[str, Any]) -> Claimed:
    """The exponent of a case at the given values of its free symbols.

    Raises KeyError for an unknown case, ValueError for a missing value.
    """
    claimed = theorem.case(name).claimed
    left = {s.name for s in claimed.free_symbols} - at.keys()
    if left:
        raise ValueError(f"the case {name!r} of {theorem.key} needs a value for {', '.join(sorted(left))}")
    return Claimed(float(claimed.subs({s: at[s.name] for s in claimed.free_symbols})), f"case {name}")


def by_law(
    theorem: Theorem,
    law: Law,
    at: Mapping[str, Any],
    term: str = "",
    vanishing: Mapping[str, str] | None = None,
    absent: Iterable[str] = (),
    forgets: bool = False,
) -> Claimed:
    """The exponent of the largest term of a law that is present, or of one ``term`` that no other term exceeds.

    at: symbol -> value. Terms with a symbol without a value are absent, as are those listed in ``absent``. vanishing:
    absent term -> quantity that must vanish on the instance. forgets: ignore constant terms.

    Raises KeyError for an unknown term, and ValueError if a term exceeds the isolated one, is absent without a quantity
    that proves it, if no term is left, and for values outside the law's ranges.
    """
    _check_ranges(theorem, law, at)
    known, gone = {}, {}
    for name, exponent in law.terms.items():
        if forgets and exponent == 0:
            continue
        if name in set(absent) or {s.name for s in exponent.free_symbols} - at.keys():
            gone[name] = (vanishing or {}).get(name, "")
        else:
            known[name] = float(exponent.subs({s: at[s.name] for s in exponent.free_symbols}))
    if unknown := ({term} - {""} | set(absent)) - law.terms.keys():
        raise KeyError(
            f"the law {law.name!r} of {theorem.key} has terms {sorted(law.terms)}, not {sorted(unknown)}"
        )
    if unshown := [name for name, quantity in gone.items() if not quantity]:
        raise ValueError(
            f"{theorem.key}, {law.name}: no quantity proves that the term {unshown[0]!r} is absent"
        )
    if term and term not in known:
        raise ValueError(f"{theorem.key}, {law.name}: the term {term!r} is absent and cannot be isolated")
    if not known:
        raise ValueError(f"{theorem.key}, {law.name}: every term is absent or forgotten")
    largest = max(known, key=lambda name: known[name])
    if term and known[largest] > known[term] + 1e-12:
        raise ValueError(
            f"{theorem.key}, {law.name}: {term!r} (exponent {known[term]:g}) cannot be isolated, "
            f"because {largest!r} ({known[largest]:g}) is larger"
        )
    return Claimed(known[term or largest], f"law {law.name}, term {term or largest}", gone, forgets)


def _check_ranges(theorem: Theorem, law: Law, at: Mapping[str, Any]) -> None:
    """Raises ValueError where the values that are known contradict one of the law's ranges (up to round-off)."""
    for relation in law.ranges:
        slack = relation.gts - relation.lts
        if not {s.name for s in slack.free_symbols} - at.keys():
            room = float(slack.subs({s: at[s.name] for s in slack.free_symbols}))
            if not room >= -1e-12:
                raise ValueError(f"{theorem.key}, {law.name}: claimed for {relation} only, not at {dict(at)}")


def by_statement(statement: Statement, variable: Symbol) -> Claimed:
    """The exponent of a statement's formula in one of its symbols, e.g. of a lemma's bound in t."""
    return Claimed(float(asymptotics.exponent(statement.formula, variable)), statement.key)


class Fields(TypedDict, total=False):
    """The keyword arguments of a `Reading` that do not belong to its exponent."""

    metric: Quantity
    view: View
    since: float | None
    tol: float
    drift_tol: float | None
    terms: tuple[float, ...] | None
    log_power: float
    known: Known
    label: str
    shown: str
    note: str
    profiles: tuple[str, ...]
    tag: str
    without: tuple[str, ...]


class Change(Fields, total=False):
    """What a claim about a reading may change in the reading, and the verdict that it expects."""

    theorem: Theorem | str
    sim: Simulation
    where: Point
    claimed: Claimed | float | None
    expected: str
    refutes: str


@dataclass(frozen=True)
class Reading(Kinds):
    """One curve of one simulation at one grid point, and the exponent claimed of it. `Study.reading` makes it.

    theorem: the source of the claim, or a key if there is no record of it. sim: the simulation. where: parameter ->
    value, the grid point. claimed: the exponent. metric: the recorded quantity, or a function result -> (rows, M).
    view: how it becomes a curve. since: share of the horizon, in [0, 1), where reading starts (default: what the
    paper's plan says, else the last three decades; the first mark if the view is `whole`). tol: the tolerance of an
    exponent; the plan may have chosen a narrower one, never a wider one. drift_tol: that of the change of slope between
    the two windows (default: tol). terms: powers of T between which the curve may bend before it settles. log_power:
    the curve falls like T^claimed (log T)^log_power. known: result -> values that the formula of a level needs besides
    the result's constants. label: added to the simulation's title in the name of the line. shown: how the name refers
    to the metric. note: a remark for readers of the table. profiles: those in which its claims are decided.
    tag: a word that ends its `id`, where another reading of the paper would have the same; readings of one id share
    their window. without: the protections that its claims do without (`workbench.evidence.protections`), as
    ("start-up",); their lines say so.

    Raises ValueError for a view that is none, that is made for other quantities or cannot show the exponent, for
    ``since`` outside [0, 1), for a tag that is no word, and for a protection that there is not.
    """

    theorem: Theorem | str
    sim: Simulation
    where: Point
    claimed: Claimed
    metric: Quantity
    view: View = as_recorded
    since: float | None = None
    tol: float = evidence.TOL
    drift_tol: float | None = None
    terms: tuple[float, ...] | None = None
    log_power: float = 0.0
    known: Known = lambda result: {}
    label: str = ""
    shown: str = ""
    note: str = ""
    profiles: tuple[str, ...] = PROFILES
    tag: str = ""
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "without", protections.names_of(self.without))
        if self.tag:
            identifiers.check_tag(self.tag, self.key)
        checked_view(self.view, self.metric)
        check_kind(self.theorem, self.metric, self.view)
        if self.claimed.value < self.view.floor and not self.claimed.but_constants:
            raise ValueError(
                f"{self.key}, {self.named()}: the exponent {self.claimed.value:g} cannot be read in this view, which"
                f" drops what keeps the curve above T^{self.view.floor:g}; take view=as_recorded"
            )
        if self.since is not None and not 0.0 <= self.since < 1.0:
            raise ValueError(
                f"{self.key}, {self.named()}: since is a share of the horizon in [0, 1), not {self.since:g}"
            )

    @property
    def key(self) -> str:
        return self.theorem if isinstance(self.theorem, str) else self.theorem.key

    @property
    def needs(self) -> tuple[str, ...]:
        """Keys of the simulations that it reads."""
        return (self.sim.key,)

    @property
    def point(self) -> str:
        """The grid point in words, without ``until``, which only marks where rows end."""
        return ", ".join(f"{name} = {value:g}" for name, value in self.where.items() if name != "until")

    def named(self, more: str = "") -> str:
        point = ", ".join(part for part in (self.point, self.shown) if part)
        return "; ".join(part for part in (f"{self.sim.title}{self.label}{more}", point) if part)

    @property
    def id(self) -> str:
        """By which it is known within its paper."""
        return identifiers.joined(identifiers.statement(self.key), *self.parts)

    @property
    def parts(self) -> tuple[str, ...]:
        """The declared names in its `id` that it adds to its theorem."""
        names = identifiers.simulation(self.sim.key), identifiers.metric(self.metric)
        return (*names, identifiers.point(self.where), self.tag)

    # --- the curve

    def curve(self, results: Results) -> tuple[np.ndarray, np.ndarray]:
        """(runs, M) and (M,), in this reading's view. Raises Refused if a term assumed absent is present."""
        result = results[self.sim.key]
        mask = selected(result, self.where)
        self._check_absent(result, mask)
        return self.view(result, self.metric, mask)

    def window(self, marks: np.ndarray, plan: Plan = UNPLANNED) -> evidence.Window | None:
        """Where it is read; None for the last three decades. Raises NotEnough without a mark."""
        since = 0.0 if self.view.whole else self.since
        if since is None and (since := plan.start(self.id)) is None:
            return None
        if not marks.size:
            raise evidence.NotEnough(f"{self.named()}: there is no mark to read")
        return max(since * float(marks[-1]), float(marks[0])), float(marks[-1])

    def slope(self, results: Results, plan: Plan = UNPLANNED) -> Estimate:
        """The tail slope that the verdicts use. Raises ValueError if the curve has none."""
        values, marks = self.curve(results)
        kept = values[np.isfinite(values).all(axis=1)]
        return rates.window_slopes(kept, marks, self.window(marks, plan), self.log_power).tail

    def knowledge(self, result: Result) -> dict[str, Any]:
        """The result's constants, the grid parameters and what else is known, of this reading's rows.

        By name: (runs, 1), (runs, M) or numbers; of rows that end at different horizons (runs, horizons).
        """
        mask = result.rows(**self.where)

        def mine(value: Any) -> Any:
            array = np.asarray(value)
            if not (array.ndim and len(array) == result.size):
                return value
            shape = (result.size, len(result.marks))
            if self.view is at_horizons and array.size in (result.size, math.prod(shape)):
                return at_horizons.read(result, np.broadcast_to(array.reshape(result.size, -1), shape), mask)[
                    0
                ]
            return array[mask]

        columns = {name: value[:, None] for name, value in result.params.items()}
        known = {**result.constants, **columns, **self.known(result), **self.where}
        return {n: mine(v) for n, v in known.items()}

    def trusted(self, found: Finding, results: Results) -> Finding:
        """The finding on this reading's rows, exact only where nothing in them is random (`unless_random`)."""
        result = results[self.sim.key]
        return without_runs(unless_random(found, result, selected(result, self.where), self.metric), self.sim)

    def tested(
        self,
        results: Results,
        test: Callable[[np.ndarray, np.ndarray, float], Finding],
        tol: float,
        window: evidence.Window | None,
        of_level: bool = False,
    ) -> Finding:
        """The finding of a test of the curve, its marks and a tolerance. of_level: it is that of a level."""
        return self.trusted(test(*self.curve(results), tol), results)

    def tested_without(self, results: Results, test: Callable[[np.ndarray, np.ndarray], Finding]) -> Finding:
        """The finding of a test that has no tolerance of an exponent or a level."""
        return self.trusted(test(*self.curve(results)), results)

    def marks(self, results: Results) -> np.ndarray:
        """(M,), those of the curve."""
        return self.curve(results)[1]

    def _check_absent(self, result: Result, mask: np.ndarray) -> None:
        for term, quantity in self.claimed.absent.items():
            value = result.constants.get(quantity, result.params.get(quantity))
            if value is None:
                raise Refused(
                    f"{self.sim.key} does not record {quantity}, which shows that {term!r} is absent"
                )
            seen = np.asarray(value)
            if np.any((seen[mask] if len(seen) == result.size else seen) != 0):
                raise Refused(f"{self.sim.key}: {term!r} is declared absent, but {quantity} is not 0")

    # --- what is claimed of it

    def claim(self, kind: Any, change: Mapping[str, Any], **fields: Any) -> Any:
        """A claim of this kind (`workbench.claims.kinds`). change, errors: as in `rate`."""
        return _claim(kind, self, change, **fields)

    def rate(self, **change: Unpack[Change]) -> Rate:
        """The claim that the curve falls at least as fast: its exponent is at most the claimed one.

        change: fields of the reading that this claim has otherwise, and ``expected``, the verdict that it must get
        ("holds", "violated" or "inconclusive"). Raises ValueError for another theorem, simulation or grid point without
        an exponent of its own (``claimed``), and for an unknown verdict or profile.
        """
        return _claim(Rate, self, change)

    def tight(self, **change: Unpack[Change]) -> Tight:
        """The claim that the curve has exactly this exponent, on this instance. change, errors: as in `rate`."""
        return _claim(Tight, self, change)

    def level(self, formula: LevelFormula, name: str, rtol: float = 0.03, **change: Unpack[Change]) -> Level:
        """The claim that the curve is a formula, constant included, to a share ``rtol`` of it.

        formula: a `Statement`, or a function of T (M,) and, by name, of the constants, grid parameters and ``known``
        values, each a number or (runs, 1), to be taken as ``**constants``; it returns (M,) or (runs, M). name: what
        the line is called. change: as in `rate`. Raises ValueError for a formula that is neither, and for a function
        that does not take all constants by name.
        """
        _check_formula(formula)
        return _claim(Level, self, change, formula=formula, name=name, rtol=rtol)

    def at_most(
        self, formula: Expr | Callable[..., Any], name: str = "", **change: Unpack[Change]
    ) -> Exactly:
        """The claim that an exact curve is at most a formula at every t, in fractions (`Exactly`).

        formula: SymPy, rational in ``v.T``, or a function (T, **point) -> fraction. Raises ValueError for another
        formula, and for a reading of runs.
        """
        return _claim(Exactly, self, change, formula=formula, name=name)

    def equals(self, formula: Expr | Callable[..., Any], name: str = "", **change: Unpack[Change]) -> Exactly:
        """The claim that an exact curve is this formula at every t, in fractions. formula, errors: as in `at_most`."""
        return _claim(Exactly, self, change, formula=formula, name=name, equal=True)

    def caught(self, diverges: bool = False, **change: Unpack[Change]) -> Claim:
        """A falsifier: the claim that `rate` comes out violated, since the method or ``claimed`` is wrong on purpose.

        diverges: failed runs are the symptom that is expected. change, errors: as in `rate`.
        """
        return caught(self.rate(**change), diverges)


def _check_formula(formula: Any) -> None:
    if isinstance(formula, Statement | Expr):
        return
    if not callable(formula):
        kind = type(formula).__name__
        raise ValueError(
            f"the level is a {kind}; wanted a SymPy expression, or a function of T and the constants"
        )
    taken = inspect.signature(formula).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in taken.values()):
        raise ValueError(
            f"the level is called with T and every constant by name, not as ({', '.join(taken)}):"
            " let it take those that it reads, and the others as **_, for example (T, L, **_)"
        )


def _claim(kind: Any, reading: Reading, change: Mapping[str, Any], **fields: Any) -> Any:
    expectations = {name: change[name] for name in ("expected", "refutes") if name in change}
    reading = _changed(reading, {name: value for name, value in change.items() if name not in expectations})
    if kind in (Rate, Tight) and reading.claimed is NO_EXPONENT:
        raise ValueError(f"{reading.key} is not a theorem: the claim needs a case, a law or `claimed`")
    return kind(reading, **fields, **expectations, note=reading.note, profiles=reading.profiles)


def _changed(reading: Reading, change: Mapping[str, Any]) -> Reading:
    """The reading with some fields replaced.

    Raises ValueError where it would keep an exponent that belongs to another theorem, simulation or grid point.
    """
    if "claimed" not in change and (others := change.keys() & {"theorem", "sim", "where"}):
        raise ValueError(
            f"another {others.pop()} has an exponent of its own: give claimed, or make another reading"
        )
    given = {"claimed": as_claimed(change["claimed"])} if "claimed" in change else {}
    return replace(reading, **{**change, **given})


@dataclass(frozen=True)
class Rate(OfReading):
    """The curve is O(T^claimed), as far as the horizon shows (`workbench.evidence.rate`)."""

    @property
    def evidence(self) -> str:
        return "rate"

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        r, claimed = self.reading, self.reading.claimed.value
        window = r.window(r.marks(results), plan)

        def test(values: np.ndarray, marks: np.ndarray, tol: float) -> Finding:
            return evidence.rate(
                values, marks, claimed, r.terms, r.log_power, tol, window=window, without=r.without
            )

        found: Finding = r.tested(results, test, self.tolerance(plan), window)
        return found


@dataclass(frozen=True)
class Tight(OfReading):
    """The exponent is attained on this instance (`workbench.evidence.tight`)."""

    @property
    def evidence(self) -> str:
        return "tight"

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        r, given = self.reading, self.tolerance(plan)
        window, drift_tol = r.window(r.marks(results), plan), self.drift_tolerance(plan)

        def test(values: np.ndarray, marks: np.ndarray, tol: float) -> Finding:
            return evidence.tight(
                values,
                marks,
                r.claimed.value,
                tol,
                terms=r.terms,
                log_power=r.log_power,
                drift_tol=drift_tol * tol / given,
                window=window,
                without=r.without,
            )

        found: Finding = r.tested(results, test, given, window)
        return found


@dataclass(frozen=True)
class Level(OfReading):
    """The curve follows a formula, including its constant (`workbench.evidence.level`).

    formula: a SymPy expression, or `Statement`, in T and in names from `Reading.knowledge`, or a function of T (M,)
    and these names.
    """

    formula: LevelFormula
    name: str
    rtol: float = 0.03

    @property
    def evidence(self) -> str:
        return "tight"

    @property
    def experiment(self) -> str:
        return self.reading.named(f", {self.name}")

    @property
    def parts(self) -> tuple[str, ...]:
        return (*self.reading.parts, "level")

    @property
    def given(self) -> float:
        return self.rtol

    @property
    def asked(self) -> float:
        return 1.0

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        r, marks = self.reading, self.reading.marks(results)
        predicted, window = r.view.predict(self.predictor(results), marks), r.window(marks, plan)

        def test(values: np.ndarray, marks: np.ndarray, tol: float) -> Finding:
            return evidence.level(values, marks, predicted, tol, window=window, without=r.without)

        found: Finding = r.tested(results, test, self.tolerance(plan), window, of_level=True)
        return found

    def predictor(self, results: Results) -> Formula:
        """The formula as a function of T alone."""
        known = self.reading.knowledge(results[self.reading.sim.key])
        formula = self.formula.formula if isinstance(self.formula, Statement) else self.formula
        if isinstance(formula, Expr):
            return lambda T: numeric(formula)({**known, "T": T})
        return lambda T: formula(**{**known, "T": T})


class Readings(Kinds, tuple[Reading, ...]):
    """Several readings, claimed and drawn together. `Study.readings` makes them."""

    def claim(self, kind: Any, change: Mapping[str, Any], **fields: Any) -> Any:
        """`Reading.claim` of each."""
        return tuple(r.claim(kind, change, **fields) for r in self)

    def rate(self, **change: Unpack[Change]) -> tuple[Rate, ...]:
        """`Reading.rate` of each."""
        return tuple(r.rate(**change) for r in self)

    def tight(self, **change: Unpack[Change]) -> tuple[Tight, ...]:
        """`Reading.tight` of each."""
        return tuple(r.tight(**change) for r in self)

    def level(
        self, formula: LevelFormula, name: str, rtol: float = 0.03, **change: Unpack[Change]
    ) -> tuple[Level, ...]:
        """`Reading.level` of each."""
        return tuple(r.level(formula, name, rtol, **change) for r in self)

    def caught(self, diverges: bool = False, **change: Unpack[Change]) -> tuple[Claim, ...]:
        """`Reading.caught` of each."""
        return tuple(r.caught(diverges, **change) for r in self)

    def but(self, **change: Unpack[Change]) -> Readings:
        """The same readings with some fields replaced. Raises ValueError as `Reading.rate` does."""
        return Readings(_changed(r, change) for r in self)

    def where(self, **values: float | Sequence[float]) -> Readings:
        """The readings whose grid point has these values; a sequence allows any of its values.

        Values are compared as `Result.rows` does. Raises ValueError for a value that no reading found has.
        """

        def has(r: Reading, name: str, value: float) -> bool:
            return name in r.where and math.isclose(r.where[name], value, rel_tol=1e-12)

        allowed = {n: tuple(v) if isinstance(v, Sequence) else (v,) for n, v in values.items()}
        found = Readings(
            r for r in self if all(any(has(r, n, v) for v in given) for n, given in allowed.items())
        )
        for name, given in allowed.items():
            if missing := [v for v in given if not any(has(r, name, v) for r in found)]:
                raise ValueError(f"no reading where {name} = {missing[0]} (among {values})")
        return found

    def every_profile(self) -> Readings:
        """The same readings, decided in every profile."""
        return self.but(profiles=PROFILES)

    def __add__(self, other: Any) -> Any:
        return Readings((*self, *other)) if isinstance(other, Readings) else (*self, *other)


@dataclass(frozen=True)
class Scaling(Claim):
    """The exponent of the value at the horizon in a grid parameter: with sigma^(1/2), four times sigma doubles it.

    readings: of one simulation, at grid points that differ in ``parameter``; each is read at its last mark, or at
    ``until`` where its grid point says so. Fewer than three values of the parameter decide nothing. claimed: the
    exponent. name: what the line is called. tol: the tolerance of the exponent; that of its change over the values is
    twice as wide.

    Raises ValueError for readings of several simulations or theorems, or without the parameter, and for a tolerance
    that is not positive.
    """

    readings: Sequence[Reading]
    parameter: str
    claimed: float
    name: str
    tol: float = SCALING_TOL

    def __post_init__(self) -> None:
        super().__post_init__()
        if len({(r.key, r.sim.key) for r in self.readings}) != 1:
            raise ValueError(f"{self.name}: the readings must be of one simulation and one theorem")
        if any(self.parameter not in r.where for r in self.readings):
            raise ValueError(f"{self.name}: not every grid point has a value of {self.parameter}")
        if not 0.0 < self.tol < math.inf:
            raise ValueError(f"{self.name}: tol is {self.tol:g}; wanted a positive number")

    @property
    def key(self) -> str:
        return self.readings[0].key

    @property
    def evidence(self) -> str:
        return "scaling"

    @property
    def experiment(self) -> str:
        return self.name

    @property
    def parts(self) -> tuple[str, ...]:
        first = self.readings[0]
        return (identifiers.simulation(first.sim.key), identifiers.metric(first.metric), self.parameter)

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.readings[0].sim.key,)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(name for r in self.readings for name in read_by(r.metric))

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        result = results[self.readings[0].sim.key]
        kept = [r for r in self.readings if r.where.get("until", 0.0) <= result.horizon]
        if len(kept) < min(len(self.readings), 3):
            raise evidence.NotEnough(f"fewer than three horizons of the grid are within {result.horizon}")
        columns = []
        for r in kept:
            values, marks = r.curve(results)
            end = r.where.get("until") or marks[-1]
            if end not in marks:
                raise ValueError(f"{self.name}: the view has no value at T = {end:g}; take view=as_recorded")
            columns.append(values[:, int(np.searchsorted(marks, end))])
        params = [r.where[self.parameter] for r in kept]
        found = evidence.scaling(np.stack(columns, axis=1), params, self.claimed, self.tol)
        rows = np.any([selected(result, r.where) for r in kept], axis=0)
        return unless_random(found, result, rows, *dict.fromkeys(r.metric for r in kept))
