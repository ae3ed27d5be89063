"""One paper's experiments: what its simulations and claims share, said once.

A paper's package below `workbench.experiments` makes one `Study`, and with it its simulations, readings and bounds::

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

from theorems.record import Paper, Theorem
from workbench import evidence
from workbench.experiments.claims import Bound
from workbench.experiments.readings import Claimed, Known, Point, Reading, Readings, by_case, by_law
from workbench.experiments.records import PROFILES, Batch, Kind, Mutation, Simulation
from workbench.experiments.views import Quantity, View, as_recorded, name_of

LONG = PROFILES[1:]  # the profiles whose horizons decide slower claims


def profile(quick: int, default: int, full: int) -> dict[str, int]:
    """A number per profile: a horizon, or runs per grid point."""
    return dict(zip(PROFILES, (quick, default, full), strict=True))


def powers(quick: int, default: int, full: int) -> dict[str, int]:
    """Horizons 2^quick, 2^default, 2^full: dyadic increments are exact there."""
    return profile(1 << quick, 1 << default, 1 << full)


def always(number: int) -> dict[str, int]:
    """The same number in every profile."""
    return profile(number, number, number)


def named(*modules: ModuleType) -> dict[str, Simulation]:
    """The simulations of some modules by name, which is what follows "sim-" in their keys."""
    return {s.key.split("/sim-")[1]: s for m in modules for s in m.SIMULATIONS}


@dataclass(frozen=True)
class Study:
    """What a paper's simulations and claims share.

    kind, chosen, marks: of its simulations, unless they say otherwise (`Simulation`). metric, view, since, tol,
    drift_tol: of its readings. known: result -> what its formulas and bounds need beside the constants that a result
    carries. vanishing: term of a law -> the quantity that is 0 on an instance without it. shift: see `Bound`.
    """

    paper: Paper
    kind: Kind = "practical"
    chosen: str = ""
    marks: tuple[int, ...] = ()
    metric: Quantity = ""
    view: View = as_recorded
    since: float | None = None
    tol: float = evidence.TOL
    drift_tol: float | None = None
    known: Known = lambda result: {}
    vanishing: Mapping[str, str] = field(default_factory=dict)
    shift: int = 0

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
    ) -> Simulation:
        """algorithm, probe: modules of this paper, or dotted. wrong: what makes it a falsifier, besides a mutation."""

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
        """Runs beside which a probe computes the lines of a proof, for the ledger."""
        return self.simulation(f"ledger-{name}", title, algorithm, make, horizon, runs, probe=probe, **more)

    def reading(
        self, theorem: Theorem | str, sim: Simulation, where: Point | None = None, **given: Any
    ) -> Reading:
        """One reading; arguments as in `readings`."""
        (found,) = self.readings(theorem, sim, [where or {}], **given)
        return found

    def readings(
        self,
        theorem: Theorem | str,
        sim: Simulation,
        points: Iterable[Point] = ({},),
        *,
        case: str | Callable[[Point], str] = "",
        law: str = "",
        term: str = "",
        at: Mapping[str, str | float] | None = None,
        absent: Sequence[str] = (),
        claimed: Claimed | None = None,
        **fields: Any,
    ) -> Readings:
        """One reading per grid point, with the exponent of a case (which may depend on the point) or of a law.

        term: the one that the law's exponent is read from; else the largest. at: symbol of the theorem -> grid
        parameter that holds its value, or the value; symbols named like a grid parameter need no entry. absent: terms
        that the instance does not have although their exponents are known. claimed: where neither case nor law has the
        exponent. fields: of `Reading`.
        """
        made = []
        for where in points:
            values: dict[str, Any] = {
                **where,
                **{s: where[v] if isinstance(v, str) else v for s, v in (at or {}).items()},
            }
            given: dict[str, Any] = {**self._defaults(), **fields}
            if claimed is not None:
                found = claimed
            elif isinstance(theorem, str):
                raise ValueError(f"{theorem} is no theorem: say where the exponent comes from")
            elif law:
                view = given["view"]
                found = by_law(theorem, theorem.law(law), values, term, self.vanishing, absent, view.forgets)
            else:
                found = by_case(theorem, case(where) if callable(case) else case, values)
            if given["metric"] != self.metric:
                given.setdefault("shown", name_of(given["metric"]))
            made.append(Reading(theorem, sim, where, found, **given))
        return Readings(made)

    def reader(self, theorem: Theorem | str, **given: Any) -> Callable[..., Readings]:
        """`readings` of one theorem, with some of its arguments given: (sim, points, **more) -> readings."""
        return partial(self.readings, theorem, **given)

    def _defaults(self) -> dict[str, Any]:
        """Fields of `Reading` that a study says once."""
        return {
            name: getattr(self, name) for name in ("metric", "view", "since", "tol", "drift_tol", "known")
        }

    def bound(
        self, theorem: Theorem, form: str, sim: Simulation, metric: Quantity | None = None, **fields: Any
    ) -> Bound:
        """`Bound` with this study's metric, knowledge and shift."""
        fields = {"known": self.known, "shift": self.shift, **fields}
        return Bound(theorem, form, sim, self.metric if metric is None else metric, **fields)
