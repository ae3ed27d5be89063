"""A study: the defaults shared by the simulations and claims of one paper.

A paper's package in `workbench.claims` creates one `Study`, which builds its simulations, readings and bounds:

    STUDY = Study(PAPER, metric="regret_sum", view=increments, chosen="gamma = 1/(2 L_F)")
    BIAS = STUDY.simulation("bias", "Method on A", "method", make, powers(12, 16, 20), profile(4, 4, 16))
    RATES = STUDY.readings(THEOREM_3_1, BIAS, [{"tau": t} for t in TAUS], law="regret")
    CLAIMS = (*RATES.tight(), STUDY.bound(THEOREM_3_1, "printed", COMPLIANT))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any

from sympy import Expr

from workbench import evidence
from workbench.claims.claims import Bound
from workbench.claims.readings import Claimed, Known, Point, Reading, Readings, by_case, by_law
from workbench.claims.records import PROFILES, Batch, Kind, Mutation, Simulation
from workbench.claims.views import Quantity, View, as_recorded, checked_view, name_of
from workbench.homes.keys import Key
from workbench.theory.record import Paper, Theorem

LONG = PROFILES[1:]  # profiles with horizons long enough for slower claims
FULL = PROFILES[2:]  # for claims whose slower terms only the longest horizon, or many more runs, can exclude


def profile(quick: int, default: int, full: int) -> dict[str, int]:
    """A number per profile: a horizon, or the number of runs per grid point."""
    return dict(zip(PROFILES, (quick, default, full), strict=True))


def powers(quick: int, default: int, full: int) -> dict[str, int]:
    """Horizons 2^quick, 2^default, 2^full, for which dyadic increments are exact."""
    return profile(1 << quick, 1 << default, 1 << full)


def always(number: int) -> dict[str, int]:
    """The same number in every profile."""
    return profile(number, number, number)


def over(names: str, values: Iterable[Any], **fixed: float) -> list[dict[str, float]]:
    """Grid points: one name with its values, or several names ("tau b") with tuples; ``fixed`` is in every point."""
    rows = (v if isinstance(v, tuple) else (v,) for v in values)
    return [{**dict(zip(names.split(), row, strict=True)), **fixed} for row in rows]


def named(*modules: ModuleType) -> dict[str, Simulation]:
    """The simulations of some modules by name: the part of the key after "sim-"."""
    return {Key.of(s.key).rest: s for m in modules for s in m.SIMULATIONS}


def _check_read(theorem: Any, sim: Any, points: Iterable[Any] = (), claimed: Any = None) -> None:
    """Raises ValueError for what is no theorem, simulation, grid point or `Claimed`."""
    if not isinstance(theorem, Theorem | str):
        raise ValueError(f"a {type(theorem).__name__} is no theorem")
    if not isinstance(sim, Simulation):
        raise ValueError(
            f"{sim!r} is a {type(sim).__name__}, no simulation; give what STUDY.simulation returned"
        )
    if other := next((p for p in points if not isinstance(p, Mapping)), None):
        raise ValueError(
            f"the grid point {other!r} is a {type(other).__name__}; wanted name -> value, as {{'sigma': 0.1}}"
        )
    if claimed is not None and not isinstance(claimed, Claimed):
        raise ValueError(f"claimed is a {type(claimed).__name__}; wanted Claimed(exponent, source)")


def _check_symbols(what: str, at: Iterable[str], formulas: Iterable[Expr]) -> None:
    """A misspelt symbol has no value, and its terms would count as absent."""
    symbols = {s.name for formula in formulas for s in formula.free_symbols}
    if unknown := set(at) - symbols:
        raise ValueError(f"{what}: no symbol {min(unknown)!r}; there are {', '.join(sorted(symbols))}")


@dataclass(frozen=True)
class Study:
    """Defaults shared by a paper's simulations and claims.

    kind, chosen, marks, record: for simulations (see `Simulation`). metric, view, since, tol, drift_tol: for readings.
    known: result -> values that formulas and bounds need besides the constants carried by the result. vanishing: term
    of a law -> the quantity that is 0 on an instance without this term. shift: see `Bound`.
    """

    paper: Paper
    kind: Kind = "practical"
    chosen: str = ""
    marks: tuple[int, ...] = ()
    record: tuple[str, ...] = ()
    metric: Quantity = ""
    view: View = as_recorded
    since: float | None = None
    tol: float = evidence.TOL
    drift_tol: float | None = None
    known: Known = lambda result: {}
    vanishing: Mapping[str, str] = field(default_factory=dict)
    shift: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError for a view or a function that is none."""
        checked_view(self.view)
        if not callable(self.known):
            raise ValueError(
                f"known is a {type(self.known).__name__}; wanted a function of a result, that gives a dict"
            )

    def simulation(
        self,
        name: str,
        title: str,
        algorithm: str,
        make: Callable[[int, int], Batch],
        horizon: Mapping[str, int],
        runs: Mapping[str, int],
        *,
        kind: Kind | None = None,
        chosen: str = "",
        wrong: str = "",
        mutation: Mutation | None = None,
        marks: tuple[int, ...] | None = None,
        probe: str = "",
        record: tuple[str, ...] | None = None,
    ) -> Simulation:
        """One simulation of this paper; arguments as in `Simulation`.

        algorithm, probe: modules of this paper, or dotted names. wrong: what makes it a falsifier if it has no
        mutation.
        """

        def dotted(module: str) -> str:
            return f"{self.paper.key}.{module}" if module and "." not in module else module

        return Simulation(
            key=f"{self.paper.key}/sim-{name}",
            title=title,
            algorithm=dotted(algorithm),
            make=make,
            horizon=horizon,
            runs=runs,
            kind="falsifier" if mutation or wrong else kind or self.kind,
            chosen="; ".join(part for part in (chosen or self.chosen, wrong) if part),
            mutation=mutation,
            marks=self.marks if marks is None else marks,
            probe=dotted(probe),
            record=self.record if record is None else record,
        )

    def watched(
        self,
        name: str,
        title: str,
        algorithm: str,
        make: Callable[[int, int], Batch],
        horizon: Mapping[str, int],
        runs: Mapping[str, int],
        probe: str,
        **more: Any,
    ) -> Simulation:
        """A simulation with a probe that computes the lines of a proof for the ledger.

        It keeps the probe's quantities that they read, and of the instance's those that ``record`` names.
        """
        more = {"record": (), **more}
        return self.simulation(f"ledger-{name}", title, algorithm, make, horizon, runs, probe=probe, **more)

    def reading(
        self, theorem: Theorem | str, sim: Simulation, where: Point | None = None, **given: Any
    ) -> Reading:
        """A single reading; arguments as in `readings`."""
        (found,) = self.readings(theorem, sim, [where or {}], **given)
        return found

    def readings(
        self,
        theorem: Theorem | str,
        sim: Simulation,
        points: Iterable[Point] = ({},),
        *,
        case: str | Callable[[Point], str] = "",
        form: str = "",
        law: str = "",
        term: str = "",
        at: Mapping[str, str | float] | None = None,
        absent: Sequence[str] = (),
        claimed: Claimed | None = None,
        **fields: Any,
    ) -> Readings:
        """One reading per grid point, with the exponent of a case (which may depend on the point) or of a law.

        form: the bound whose powers of T become `Reading.terms`, between which a curve may bend before it settles.
        term: the term of the law that provides the exponent; default: the largest. at: symbol of the theorem -> its
        value, or the grid parameter with its value; a symbol with the name of a grid parameter needs no entry. absent:
        terms that vanish on the instance although their exponents are known. claimed: the exponent if neither a case
        nor a law provides it. fields: of `Reading`. Raises ValueError for a symbol in ``at`` that is unknown.
        """
        made, points = [], tuple(points)
        _check_read(theorem, sim, points, claimed)
        for where in points:
            values: dict[str, Any] = {
                **where,
                **{s: where[v] if isinstance(v, str) else v for s, v in (at or {}).items()},
            }
            given: dict[str, Any] = {**self._defaults(), **fields}
            if claimed is not None:
                found = claimed
            elif isinstance(theorem, str):
                raise ValueError(f"{theorem} is not a theorem: the reading needs a case, a law or `claimed`")
            elif law:
                view, of = given["view"], theorem.law(law)
                _check_symbols(f"{theorem.key}, {law}", at or {}, (*of.terms.values(), *of.when.values()))
                found = by_law(theorem, of, values, term, self.vanishing, absent, view.forgets)
            else:
                name = case(where) if callable(case) else case
                _check_symbols(f"{theorem.key}, {name}", at or {}, (theorem.case(name).claimed,))
                found = by_case(theorem, name, values)
                if form:
                    powers = theorem.powers(name, form)
                    given["terms"] = tuple(map(float, powers)) if len(powers) > 1 else None
            if given["metric"] != self.metric:
                given.setdefault("shown", name_of(given["metric"]))
            made.append(Reading(theorem, sim, where, found, **given))
        return Readings(made)

    def reader(self, theorem: Theorem | str, **given: Any) -> Callable[..., Readings]:
        """`readings` of one theorem with some arguments fixed: (sim, points, **more) -> readings."""
        return partial(self.readings, theorem, **given)

    def _defaults(self) -> dict[str, Any]:
        """The fields of `Reading` for which the study has defaults."""
        return {
            name: getattr(self, name) for name in ("metric", "view", "since", "tol", "drift_tol", "known")
        }

    def bound(
        self, theorem: Theorem, form: str, sim: Simulation, metric: Quantity | None = None, **fields: Any
    ) -> Bound:
        """A `Bound` with this study's known values, shift and, unless another one is given, metric.

        Its view is that of the study only if it reads one number per horizon: a bound on all rows at every mark would
        then compare runs with parameters of other horizons. Else the metric is compared as it was recorded.
        """
        _check_read(theorem, sim)
        view = self.view if self.view.whole else as_recorded
        fields = {"known": self.known, "shift": self.shift, "view": view, **fields}
        if metric is None or metric == self.metric:
            return Bound(theorem, form, sim, self.metric, **fields)
        return Bound(theorem, form, sim, metric, **{"shown": name_of(metric), **fields})
