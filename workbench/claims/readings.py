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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias, TypedDict, Unpack

import numpy as np
from sympy import Expr

from workbench import evidence
from workbench.claims import identifiers
from workbench.claims.claimed_exponents import NO_EXPONENT, Claimed, as_claimed
from workbench.claims.claims import Claim, Results, caught
from workbench.claims.exact_claims import Exactly
from workbench.claims.exact_curves import without_runs
from workbench.claims.kinds import Kinds
from workbench.claims.method import given_values
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
    row_mask,
)
from workbench.engine.records import Result
from workbench.evidence import protections, rates
from workbench.evidence.stats import Estimate
from workbench.evidence.verdicts import Finding
from workbench.theory.record import Statement, Theorem, numeric

Point = Mapping[str, float]
Known = Callable[[Result], Mapping[str, Any]]
LevelFormula: TypeAlias = Statement | Expr | Callable[..., np.ndarray]


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
                f"{self.key}, {self.in_words()}: the exponent {self.claimed.value:g} cannot be read in this view, which"
                f" drops what keeps the curve above T^{self.view.floor:g}; take view=as_recorded"
            )
        if self.since is not None and not 0.0 <= self.since < 1.0:
            raise ValueError(
                f"{self.key}, {self.in_words()}: since is a share of the horizon in [0, 1), not {self.since:g}"
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

    def in_words(self, more: str = "") -> str:
        point = ", ".join(part for part in (self.point, self.shown) if part)
        return "; ".join(part for part in (f"{self.sim.title}{self.label}{more}", point, self.suffix) if part)

    @property
    def suffix(self) -> str:
        """How its name ends, where it is no plain curve along T."""
        return ""

    @property
    def id(self) -> str:
        """By which it is known within its paper."""
        return identifiers.join(identifiers.statement(self.key), *self.parts)

    @property
    def parts(self) -> tuple[str, ...]:
        """The declared names in its `id` that it adds to its theorem."""
        names = identifiers.simulation(self.sim.key), identifiers.metric(self.metric)
        return (*names, identifiers.point(self.where), self.tag)

    # --- the curve

    def curve(self, results: Results) -> tuple[np.ndarray, np.ndarray]:
        """(runs, M) and (M,), in this reading's view. Raises Refused if a term assumed absent is present."""
        result = results[self.sim.key]
        mask = row_mask(result, self.where)
        self._check_absent(result, mask)
        return self.view(result, self.metric, mask)

    def window(self, marks: np.ndarray, plan: Plan = UNPLANNED) -> evidence.Window | None:
        """Where it is read; None for the last three decades. Raises NotEnough without a mark."""
        since = 0.0 if self.view.whole else self.since
        if since is None and (since := plan.start(self.id)) is None:
            return None
        if not marks.size:
            raise evidence.NotEnough(f"{self.in_words()}: there is no mark to read")
        return max(since * float(marks[-1]), float(marks[0])), float(marks[-1])

    def slope(self, results: Results, plan: Plan = UNPLANNED) -> Estimate:
        """The tail slope that the verdicts use. Raises ValueError if the curve has none."""
        values, marks = self.curve(results)
        finite = values[np.isfinite(values).all(axis=1)]
        return rates.window_slopes(finite, marks, self.window(marks, plan), self.log_power).tail

    def knowledge(self, result: Result) -> dict[str, Any]:
        """The result's constants, the grid parameters and what else is known, of this reading's rows.

        By name: (runs, 1), (runs, M) or numbers; of rows that end at different horizons (runs, horizons). Raises
        `Refused` for an array of one axis, which could be of the rows or of the marks.
        """
        mask = result.rows(**self.where)

        def mine(value: Any) -> Any:
            part = result.part(value, mask)
            if part is value or self.view is not at_horizons or value.shape[1] not in (1, len(result.marks)):
                return part
            table = np.broadcast_to(value, (result.size, len(result.marks)))
            return at_horizons.read(result, table, mask)[0]

        columns = {name: value[:, None] for name, value in result.params.items()}
        more = self.known(result)
        if flat := next((name for name, value in more.items() if np.ndim(value) == 1), None):
            raise Refused(
                f"{self.sim.key}: known gives {flat!r} with one axis; wanted a number, one per row (rows, 1), or one"
                " per row and mark (rows, M)"
            )
        values = {**given_values(self.sim, self.theorem), **result.constants, **columns, **more, **self.where}
        return {n: mine(v) for n, v in values.items()}

    def exact_if_certain(self, finding: Finding, results: Results) -> Finding:
        """The finding on this reading's rows, exact only where nothing in them is random (`unless_random`)."""
        result = results[self.sim.key]
        return without_runs(
            unless_random(finding, result, row_mask(result, self.where), self.metric), self.sim
        )

    def finding_of(
        self,
        results: Results,
        test: Callable[[np.ndarray, np.ndarray, float], Finding],
        tol: float,
        window: evidence.Window | None,
        of_level: bool = False,
    ) -> Finding:
        """The finding of a test of the curve, its marks and a tolerance. of_level: it is that of a level."""
        finding = replace(test(*self.curve(results), tol), tolerance=tol)
        return self.exact_if_certain(finding, results)

    def finding_without_tolerance(
        self, results: Results, test: Callable[[np.ndarray, np.ndarray], Finding]
    ) -> Finding:
        """The finding of a test that has no tolerance of an exponent or a level."""
        return self.exact_if_certain(test(*self.curve(results)), results)

    def marks(self, results: Results) -> np.ndarray:
        """(M,), those of the curve."""
        return self.curve(results)[1]

    def _check_absent(self, result: Result, mask: np.ndarray) -> None:
        for term, quantity in self.claimed.absent.items():
            value = result.constants.get(quantity)
            if value is None and quantity in result.params:
                value = result.params[quantity][:, None]
            if value is None:
                raise Refused(
                    f"{self.sim.key} does not record {quantity}, which shows that {term!r} is absent"
                )
            if np.any(result.part(value, mask) != 0):
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
    parameters = inspect.signature(formula).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        raise ValueError(
            f"the level is called with T and every constant by name, not as ({', '.join(parameters)}):"
            " let it take those that it reads, and the others as **_, for example (T, L, **_)"
        )


def _claim(kind: Any, reading: Reading, change: Mapping[str, Any], **fields: Any) -> Any:
    expectations = {name: change[name] for name in ("expected", "refutes") if name in change}
    reading = _with_changes(
        reading, {name: value for name, value in change.items() if name not in expectations}
    )
    if kind in (Rate, Tight) and reading.claimed is NO_EXPONENT:
        raise ValueError(f"{reading.key} claims no power of T: the claim needs a case, a law or `claimed`")
    return kind(reading, **fields, **expectations, note=reading.note, profiles=reading.profiles)


def _with_changes(reading: Reading, change: Mapping[str, Any]) -> Reading:
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

    evidence: ClassVar[str] = "rate"

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        r, claimed = self.reading, self.reading.claimed.value
        window = r.window(r.marks(results), plan)

        def test(values: np.ndarray, marks: np.ndarray, tol: float) -> Finding:
            return evidence.rate(
                values, marks, claimed, r.terms, r.log_power, tol, window=window, without=r.without
            )

        finding: Finding = r.finding_of(results, test, self.tolerance(plan), window)
        return finding


@dataclass(frozen=True)
class Tight(OfReading):
    """The exponent is attained on this instance (`workbench.evidence.tight`)."""

    evidence: ClassVar[str] = "tight"

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

        finding: Finding = r.finding_of(results, test, given, window)
        return finding


@dataclass(frozen=True)
class Level(OfReading):
    """The curve follows a formula, including its constant (`workbench.evidence.level`).

    formula: a SymPy expression, or `Statement`, in T and in names from `Reading.knowledge`, or a function of T (M,)
    and these names.
    """

    formula: LevelFormula
    name: str
    rtol: float = 0.03

    evidence: ClassVar[str] = "tight"

    @property
    def experiment(self) -> str:
        return self.reading.in_words(f", {self.name}")

    @property
    def parts(self) -> tuple[str, ...]:
        return (*self.reading.parts, "level")

    @property
    def given(self) -> float:
        return self.rtol

    @property
    def number(self) -> float:
        return 1.0

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        r, marks = self.reading, self.reading.marks(results)
        predicted, window = r.view.predict(self.predictor(results), marks), r.window(marks, plan)

        def test(values: np.ndarray, marks: np.ndarray, tol: float) -> Finding:
            return evidence.level(values, marks, predicted, tol, window=window, without=r.without)

        finding: Finding = r.finding_of(results, test, self.tolerance(plan), window, of_level=True)
        return finding

    def predictor(self, results: Results) -> Formula:
        """The formula as a function of T alone."""
        values_by_name = self.reading.knowledge(results[self.reading.sim.key])
        formula = self.formula.formula if isinstance(self.formula, Statement) else self.formula
        if isinstance(formula, Expr):
            return lambda T: numeric(formula)({**values_by_name, "T": T})
        return lambda T: formula(**{**values_by_name, "T": T})


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
        return Readings(_with_changes(r, change) for r in self)

    def where(self, **values: float | Sequence[float]) -> Readings:
        """The readings whose grid point has these values; a sequence allows any of its values.

        Values are compared as `Result.rows` does. Raises ValueError for a value that no reading found has.
        """

        def has(r: Reading, name: str, value: float) -> bool:
            return name in r.where and math.isclose(r.where[name], value, rel_tol=1e-12)

        choices = {n: tuple(v) if isinstance(v, Sequence) else (v,) for n, v in values.items()}
        readings = Readings(
            r for r in self if all(any(has(r, n, v) for v in given) for n, given in choices.items())
        )
        for name, given in choices.items():
            if missing := [v for v in given if not any(has(r, name, v) for r in readings)]:
                raise ValueError(f"no reading where {name} = {missing[0]} (among {values})")
        return readings

    def every_profile(self) -> Readings:
        """The same readings, decided in every profile."""
        return self.but(profiles=PROFILES)

    def __add__(self, other: Any) -> Any:
        return Readings((*self, *other)) if isinstance(other, Readings) else (*self, *other)
