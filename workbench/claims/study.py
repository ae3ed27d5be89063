"""A study: the defaults shared by the simulations and claims of one paper, and the way to make these.

    STUDY = Study("my_paper", "My method", metric="grad_norm_mean", view=window_means)
    RUNS = STUDY.simulation(step, Steps(eta=1.0), problem=Quadratic(), start={"x": 1.0}, horizon=10_000, runs=64)
    CURVE = STUDY.reading("rate", RUNS, claimed=-1 / 4)
    CLAIMS = (CURVE.tight(), CURVE.caught(claimed=-1 / 2))

A study knows its simulations: the catalog asks it for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from numbers import Real
from typing import Any, Unpack

from sympy import Expr

from workbench import evidence
from workbench.claims.batches import Parts, Size, _sizes, always, points_of
from workbench.claims.claimed_exponents import NO_EXPONENT, Claimed, as_claimed, by_case, by_law
from workbench.claims.claims import Bound
from workbench.claims.constants import Constants, of_simulation
from workbench.claims.exact_curves import ExactCurve, Make, check_function
from workbench.claims.method import NO_STEPS
from workbench.claims.optimizers.method import Method
from workbench.claims.oracle_calls import Count
from workbench.claims.rate_of_bound import Exponent, exponents
from workbench.claims.readings import Fields, Known, Point, Reading, Readings
from workbench.claims.records import PROFILES, Batch, Kind, Mutation, Simulation
from workbench.claims.sizes import AlongSizes, along
from workbench.claims.suprema import FirstPassage, Supremum
from workbench.claims.views import Quantity, View, as_recorded, at_horizons, checked_view, name_of
from workbench.claims.worst_cases import HORIZONS, WorstCase
from workbench.engine.records import Result
from workbench.homes.papers import PARENT
from workbench.problems.samples import Samples
from workbench.theory.record import Paper, Theorem
from workbench.theory.record import rational as exact_value


class ReadingOptions(Fields, total=False):
    """The keyword arguments of `Study.readings`, which are those of `Study.reading`."""

    case: str | Callable[[Point], str]
    form: str
    law: str
    term: str
    at: Mapping[str, str | float] | None
    absent: Sequence[str]
    claimed: Claimed | float | None


def _check_point(point: Mapping[str, Any]) -> None:
    """Raises ValueError for what is no number: it was meant as another argument of a reading."""
    for name in (name for name, value in point.items() if not isinstance(value, Real)):
        near = get_close_matches(name, ReadingOptions.__annotations__, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ValueError(f"a reading takes no {name!r}, and the values of a grid point are numbers{hint}")


def _check_read(theorem: Any, sim: Any, points: Iterable[Any] = ()) -> None:
    """Raises ValueError for what is no theorem, simulation or grid point."""
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


def _check_symbols(what: str, at: Iterable[str], formulas: Iterable[Expr]) -> None:
    """A misspelt symbol has no value, and its terms would count as absent."""
    symbols = {s.name for formula in formulas for s in formula.free_symbols}
    if foreign := set(at) - symbols:
        raise ValueError(f"{what}: no symbol {min(foreign)!r}; there are {', '.join(sorted(symbols))}")


def _fields(reading: Reading) -> dict[str, Any]:
    return {name: getattr(reading, name) for name in Reading.__dataclass_fields__}


def _given(argument: Any, default: Any) -> Any:
    return default if argument is None else argument


@dataclass(frozen=True)
class Study:
    """The simulations and claims of one paper, and the defaults that they share.

    paper: the record, or just its key, which is the name of the file or folder (``__name__`` will do); then `title`
    says what it is. For simulations (see `simulation_from`): kind, chosen, marks, record. For readings (see `Reading`):
    metric, view, since, tol, drift_tol. view: by default, each horizon has runs of its own if the theorem is for one
    chosen beforehand (`Theorem.anytime`), else what was recorded is read along t. known: result -> values that formulas
    and bounds need besides the constants of the problem. vanishing: term of a law -> the quantity that is 0 on an
    instance without this term. shift: the paper's index of what is recorded at mark m is m + shift; see `Bound`.
    simulations: by name, those that this study or a copy of it made.

    Raises ValueError for a view that is none and for ``known`` that is no function.
    """

    paper: Paper
    title: str = ""
    kind: Kind = "practical"
    chosen: str = ""
    marks: tuple[int, ...] = ()
    record: tuple[str, ...] = ()
    metric: Quantity = ""
    view: View | None = None
    since: float | None = None
    tol: float = evidence.TOL
    drift_tol: float | None = None
    known: Known = lambda result: {}
    vanishing: Mapping[str, str] = field(default_factory=dict)
    shift: int = 0
    simulations: dict[str, Simulation] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises ValueError for a view or a function that is none."""
        if isinstance(self.paper, str):
            record = Paper(
                self.paper, self.title or self.paper.rpartition(".")[2], "no author is named", "draft"
            )
            object.__setattr__(self, "paper", record)
        if self.view is not None:
            checked_view(self.view)
        if not callable(self.known):
            raise ValueError(
                f"known is a {type(self.known).__name__}; wanted a function of a result, that gives a dict"
            )

    def simulation(
        self,
        step: Any,
        steps: Any = NO_STEPS,
        *,
        problem: Any,
        start: Mapping[str, Any],
        grid: Sequence[Mapping[str, float]] | Mapping[str, Iterable[float]] = (),
        horizon: Size,
        runs: Size,
        name: str = "main",
        title: str = "",
        kind: Kind | None = None,
        chosen: str = "",
        wrong: str = "",
        mutation: Mutation | None = None,
        marks: tuple[int, ...] | None = None,
        probe: str = "",
        record: tuple[str, ...] | None = None,
    ) -> Simulation:
        """A simulation from its parts; `simulation_from` takes a function that makes all of them at once.

        step: the function ``step`` of a method, its module, or an optimizer (`wb.method`). steps: its `Steps`, as made
        by ``Steps(...)`` or, from a theorem's schedule, by ``Steps.of(THEOREM, ...)``, or a function of (problem,
        start, grid). problem: an instance, or a function that makes it from the `Grid`, whose ``grid["sigma"]`` is the
        (rows, 1) column of a parameter, or from grid and start. start: name -> a number, the d coordinates of one
        point, or a function of the grid that returns (rows, d). grid: parameter -> its values (all combinations), or a
        list of points; a parameter ``until`` is the horizon of a row. horizon: iterations; runs: per grid point; each a
        number, or one per profile (`profile`). name: the key is "<paper>/sim-<name>". title: by default that of the
        paper. The others: see `simulation_from`.

        Raises ValueError for a name that is taken, for a function that is not called ``step``, and for a horizon or
        runs that are not positive whole numbers. A mistake in the parts shows when they are put together: at the first
        run.
        """
        return self.simulation_from(
            name,
            title or self.paper.title,
            step,
            Parts(
                problem,
                step.Steps() if isinstance(step, Method) and steps is NO_STEPS else steps,
                start,
                grid,
            ),
            _sizes("the horizon", horizon),
            _sizes("runs", runs),
            kind=kind,
            chosen=chosen,
            wrong=wrong,
            mutation=mutation,
            marks=marks,
            probe=probe,
            record=record,
        )

    def simulation_from(
        self,
        name: str,
        title: str,
        step: Any,
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
        """A simulation whose parts one function makes.

        step: the function ``step`` of a method, its module, or the name of a module of this paper or of another, as
        "baselines.sgda". make: (horizon, runs) -> `Batch`. horizon, runs: one per profile. kind: "compliant" (all
        parameters satisfy the theorem: it tests the bound), "practical" (free constants are chosen), "paper" (the
        settings of a figure of the paper) or "falsifier" (wrong on purpose); by default that of the study, and
        "falsifier" with a mutation or with ``wrong``. chosen: in words, what was chosen. wrong: what makes it a
        falsifier if it has no mutation. mutation: the statement of the step that is replaced. marks: iterations to
        record besides the usual ones. probe: a module of the paper that computes further quantities
        (`workbench.claims.probes`). record: the recorded quantities to keep; see `Simulation`.

        Raises ValueError for a name that is taken, for a function that is not called ``step``, and as `Simulation`
        does.
        """
        self.simulations[name] = Simulation(
            key=self._free_key(name),
            title=title,
            algorithm=self._module(step),
            method=step if isinstance(step, Method) else None,
            make=make,
            horizon=horizon,
            runs=runs,
            kind=kind or ("falsifier" if mutation or wrong else self.kind),
            chosen="; ".join(part for part in (chosen or self.chosen, wrong) if part),
            mutation=mutation,
            marks=_given(marks, self.marks),
            probe=self._module(probe) if probe else "",
            record=_given(record, self.record),
        )
        return self.simulations[name]

    def exact_curve(
        self,
        values: Callable[..., Any],
        *,
        horizon: Size = 0,
        at: Sequence[int] = (),
        grid: Sequence[Mapping[str, float]] | Mapping[str, Iterable[float]] = (),
        name: str = "exact",
        title: str = "",
        metric: str = "value",
        kind: Kind | None = None,
        chosen: str = "",
        wrong: str = "",
    ) -> ExactCurve:
        """A curve that a function computes, in place of a simulation; `reading` and the claims take it as one.

        values: (T, **point) -> the numbers at t = 1, ..., T (a list, an array, or a generator, which may go on); with
        ``at``: (n, **point) -> the number at n. Numbers are int, Fraction or flint's fmpq, which can be compared
        exactly, or floats, as of a recursion of moments. horizon: of a trajectory, as in `simulation`. at: horizons or
        sizes (a dimension, a number of workers), increasing; the claims' T is then this size. grid: parameter -> its
        values, or a list of points. metric: what the number is called. The others: as in `simulation`.

        Raises ValueError for a name that is taken, for what is no function of T and the grid, for neither or both of
        horizon and ``at``, and for sizes of which there are fewer than two or that do not increase.
        """
        if bool(at) == bool(horizon):
            raise ValueError(
                "an exact curve has either a horizon, or the sizes at which it is computed (at=...)"
            )
        sizes = tuple(at)
        if at and (len(sizes) < 2 or list(sizes) != sorted(set(sizes)) or sizes[0] < 1):
            raise ValueError(
                f"the sizes of an exact curve are two or more that increase from 1 on, not {list(sizes)}"
            )
        points = tuple(points_of(grid)) or ({},)
        check_function(values, points[0])
        make = Make([])
        curve = ExactCurve(
            key=self._free_key(name),
            title=title or self.paper.title,
            algorithm=ExactCurve.__module__,
            make=make,
            horizon=_sizes("the horizon", horizon or sizes[-1]),
            runs=always(1),
            kind=kind or ("falsifier" if wrong else self.kind),
            chosen="; ".join(part for part in (chosen or self.chosen, wrong) if part),
            marks=self.marks,
            values=values,
            at=sizes,
            points=points,
            metric=metric,
        )
        make.curve.append(curve)
        self.simulations[name] = curve
        return curve

    def _free_key(self, name: str) -> str:
        if name in self.simulations:
            raise ValueError(
                f"two simulations of {self.paper.key} have the name {name!r}; give each a name of its own"
            )
        return f"{self.paper.key}/sim-{name}"

    def _module(self, given: Any) -> str:
        """The dotted name of the module of a step or a probe, from its paper's key on."""
        if isinstance(given, Method):
            given = given.module
        if callable(given) and getattr(given, "__name__", "") != "step":
            raise ValueError(f"a method's function is called step, not {getattr(given, '__name__', given)!r}")
        name = given if isinstance(given, str) else getattr(given, "__module__", None) or given.__name__
        inside = name.removeprefix(f"{PARENT}.")
        return inside if inside != name or "." in name else self.paper.key + f".{name}"

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
        return self.simulation_from(
            f"ledger-{name}", title, algorithm, make, horizon, runs, probe=probe, **more
        )

    def reading(
        self,
        theorem: Theorem | str,
        sim: Simulation,
        where: Point | None = None,
        *,
        case: str | Callable[[Point], str] = "",
        form: str = "",
        law: str = "",
        term: str = "",
        at: Mapping[str, str | float] | None = None,
        absent: Sequence[str] = (),
        claimed: Claimed | float | None = None,
        metric: Quantity | None = None,
        view: View | None = None,
        since: float | None = None,
        tol: float | None = None,
        drift_tol: float | None = None,
        terms: tuple[float, ...] | None = None,
        log_power: float = 0.0,
        known: Known | None = None,
        label: str = "",
        shown: str | None = None,
        note: str = "",
        profiles: tuple[str, ...] = PROFILES,
        tag: str = "",
        without: tuple[str, ...] = (),
        **point: float,
    ) -> Reading:
        """A reading: one curve of a simulation at one grid point, with the exponent that is claimed for it.

        theorem: the record, or the name of what is claimed without one, which becomes its key. where, point: the grid
        point, as {"sigma": 0.1} or sigma=0.1. The exponent is ``claimed``, or that of a theorem's case (by default its
        only one; it may be a function of the grid point), or of a law. form: the bound whose powers of T become
        ``terms``. term: the term of the law that provides the exponent; default: the largest. at: symbol of the theorem
        -> its value, or the grid parameter with its value; a symbol with the name of a grid parameter needs no entry.
        absent: terms that vanish on the instance although their exponents are known. The others are fields of
        `Reading`; those that are None are the study's.

        A name without an exponent will do for kinds of claims that need none (`workbench.claims.kinds`).

        Raises ValueError for what is no theorem, simulation or grid point, for an unknown symbol in ``at``, and as
        `Reading` does; KeyError for an unknown case, form, law or term.
        """
        _check_point(point)
        where = {**(where or {}), **point}
        if isinstance(theorem, str) and "/" not in theorem:
            theorem = self.paper.entry(theorem)
        _check_read(theorem, sim, (where,))
        curve = sim if isinstance(sim, ExactCurve) else None
        view = _given(view, as_recorded if curve else self._view(theorem))
        metric = _given(metric, curve.metric if curve else self.metric)
        exponent, powers = as_claimed(claimed), None
        if exponent is None:
            exponent, powers = self._exponent(theorem, where, at or {}, case, form, law, term, absent, view)
        return Reading(
            theorem,
            sim,
            where,
            exponent,
            metric,
            view,
            since=_given(since, self.since),
            tol=_given(tol, self.tol),
            drift_tol=_given(drift_tol, self.drift_tol),
            terms=_given(terms, powers),
            log_power=log_power,
            known=_given(known, self.known),
            label=label,
            shown=_given(shown, self._shown(metric)),
            note=note,
            profiles=profiles,
            tag=tag,
            without=without,
        )

    def _exponent(
        self,
        theorem: Theorem | str,
        where: Point,
        at: Mapping[str, str | float],
        case: str | Callable[[Point], str],
        form: str,
        law: str,
        term: str,
        absent: Sequence[str],
        view: View,
    ) -> tuple[Claimed, tuple[float, ...] | None]:
        """The exponent that a theorem claims at a grid point, and the powers of T in the bound of ``form``, if several.

        The arguments are those of `reading`, and so are the errors.
        """
        if isinstance(theorem, str) or not (theorem.cases or theorem.laws or case or law):
            return NO_EXPONENT, None
        values = {**where, **{s: where[v] if isinstance(v, str) else v for s, v in at.items()}}
        if law:
            of = theorem.law(law)
            _check_symbols(f"{theorem.key}, {law}", at, (*of.terms.values(), *of.when.values()))
            return by_law(theorem, of, values, term, self.vanishing, absent, view.forgets), None
        name = theorem.case(case(where) if callable(case) else case).name
        _check_symbols(f"{theorem.key}, {name}", at, (theorem.case(name).claimed,))
        powers = tuple(map(float, theorem.powers(name, form))) if form else ()
        return by_case(theorem, name, values), powers if len(powers) > 1 else None

    def readings(
        self,
        theorem: Theorem | str,
        sim: Simulation,
        points: Iterable[Point] = ({},),
        **given: Unpack[ReadingOptions],
    ) -> Readings:
        """One `reading` per grid point, with the same arguments."""
        return Readings(self.reading(theorem, sim, where, **given) for where in points)

    def along(
        self,
        size: str,
        sims: Simulation | Mapping[float, Simulation],
        theorem: Theorem | str,
        where: Point | None = None,
        **given: Unpack[ReadingOptions],
    ) -> Reading:
        """One `reading` of the value at the horizon as a curve along a size, which is then the claims' T.

        sims: one simulation, whose grid has the parameter ``size``; or size -> simulation, where the arrays themselves
        have another size each, and ``size`` is what it is called, as "d". Claims of an exponent, and kinds of claims,
        are about the size. Raises ValueError for fewer than five simulations, and as `reading` does.
        """
        if isinstance(sims, Simulation):
            options: Any = {**given, "view": along(size)}
            return self.reading(theorem, sims, where, **options)
        if not sims:
            raise ValueError(
                f"a reading along {size} needs simulations: size -> what STUDY.simulation returned"
            )
        first = self.reading(theorem, sims[min(sims)], where, **given)
        return AlongSizes(**_fields(first), sims=dict(sims), size=size)

    def supremum(
        self,
        over: str,
        sim: Simulation,
        theorem: Theorem | str,
        where: Point | None = None,
        **given: Unpack[ReadingOptions],
    ) -> Reading:
        """One `reading` of the worst member of a family at each T: the largest mean over the values of ``over``.

        over: a grid parameter (a start, a drift, an instance, a condition number); where: values of the others. A
        quarter of the runs choose the worst member at each mark, the others are read; that another member may be worse
        has its part in the error budget. For bounds, `bound` with ``points`` holds of every member at once. Raises
        ValueError as `reading` does.
        """
        return Supremum(**_fields(self.reading(theorem, sim, where, **given)), over=over)

    def first_passage(
        self,
        levels: Iterable[float],
        sim: Simulation,
        theorem: Theorem | str,
        where: Point | None = None,
        **given: Unpack[ReadingOptions],
    ) -> Reading:
        """One `reading` of the mean time until the metric is at most a level, as a curve in 1/level, the claims' T.

        levels: five at least, which all runs reach. A simulation records marks, so that a time is known to lie between
        two of them (``marks`` of the simulation adds some); an exact curve has every t. Raises ValueError for levels
        that are not positive or too few, and as `reading` does.
        """
        reading = self.reading(theorem, sim, where, **given)
        return FirstPassage(**_fields(reading), levels=tuple(levels))

    def reader(self, theorem: Theorem | str, **given: Any) -> Callable[..., Readings]:
        """`readings` of one theorem with some arguments fixed: (sim, points, **more) -> readings."""
        return partial(self.readings, theorem, **given)

    def _view(self, theorem: Theorem | str) -> View:
        if self.view is not None:
            return self.view
        return as_recorded if isinstance(theorem, str) or theorem.anytime else at_horizons

    def _shown(self, metric: Quantity) -> str:
        """What a metric is called beside the study's own, which needs no name."""
        return name_of(metric) if metric != self.metric else ""

    def exponents(
        self, theorem: Theorem, findings: Mapping[tuple[str, str], str] | None = None
    ) -> tuple[Exponent, ...]:
        """The claims that the rates of a theorem follow from its bounds: one per form and case, exact, without runs.

        findings: (form, case) -> label of the erratum, where the rate is known not to follow; this line is expected to
        be violated. Raises ValueError for a form or case that does not exist.
        """
        return exponents(theorem, findings)

    def constants(
        self,
        theorem: Theorem,
        sim: Simulation,
        label: str = "",
        *,
        derived: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None,
        samples: Callable[[Any, Mapping[str, Any]], Samples] | None = None,
        expected: str = "holds",
        note: str = "",
        profiles: tuple[str, ...] = PROFILES,
    ) -> Constants:
        """The claim that the constants of a simulation's problem are right, tested at its first grid point and run.

        Each is compared with sampled quotients (`samples`), which must not exceed it and must come close. label: what
        the problem is called, by default as the simulation, by its name. derived: constants -> those that the
        theorem computes from them. samples: (problem, start) -> how to sample them, by default
        ``problem.samples(start)``. Raises ValueError for a start without rows, and, at the evaluation, where no
        sample promises to attain its constant.
        """
        more = {name: value for name, value in (("derived", derived), ("samples", samples)) if value}
        return of_simulation(theorem, sim, label, expected=expected, note=note, profiles=profiles, **more)

    def count(
        self,
        theorem: Theorem | str,
        sim: Simulation,
        resource: str,
        listed: float | Callable[[Result], Any],
        *,
        expected: str = "holds",
        note: str = "",
        profiles: tuple[str, ...] = PROFILES,
    ) -> Count:
        """The claim that a run calls the oracle as often as the paper's listing says.

        theorem: the record, or the full key "<paper>/<name>" of what is claimed. resource: its name in ``COSTS`` of the
        problem, as "gradient". listed: calls per iteration, or a function of the result that gives the total up to the
        horizon, a number or (rows,).
        """
        return Count(theorem, sim, resource, listed, expected=expected, note=note, profiles=profiles)

    def bound(
        self,
        theorem: Theorem,
        form: str,
        sim: Simulation,
        metric: Quantity | None = None,
        *,
        known: Known | None = None,
        view: View | None = None,
        of: str = "",
        points: tuple[Point, ...] = ({},),
        delta: float | None = None,
        tol: float = 0.0,
        over: float = 1.0,
        shift: int | None = None,
        shown: str | None = None,
        name: str = "",
        expected: str = "holds",
        refutes: str = "",
        note: str = "",
        profiles: tuple[str, ...] = PROFILES,
    ) -> Bound:
        """The claim that what is measured stays below a theorem's bound, at every mark and grid point; see `Bound`.

        form: "printed", or the name of another form of the bound. metric, known, shift: by default the study's. view:
        that of the study if it reads one number per horizon (a bound on all rows at every mark would then compare runs
        with parameters of other horizons), else the metric is compared as it was recorded. of: the name of another
        constant of the form, in place of the bound. points: grid points, each read separately (default: all rows
        together). delta: the share of runs that may exceed the bound (default: what the theorem says). tol: the share
        of the bound by which it may be exceeded (0.03 for one that is attained). over: divisor of the bound, for a
        claim that must fail.

        Raises ValueError for what is no theorem or simulation, for a view that shows something else than what was
        recorded, and for ``over`` that would weaken a bound that is to hold.
        """
        _check_read(theorem, sim)
        metric, own = _given(metric, self.metric), self._view(theorem)
        return Bound(
            theorem,
            form,
            sim,
            metric,
            known=_given(known, self.known),
            view=_given(view, own if own.whole else as_recorded),
            of=of,
            points=points,
            delta=delta,
            tol=tol,
            over=over,
            shift=_given(shift, self.shift),
            shown=_given(shown, self._shown(metric)),
            name=name,
            expected=expected,
            refutes=refutes,
            note=note,
            profiles=profiles,
        )

    def worst_case(
        self,
        theorem: Theorem,
        step: Any,
        of: str | Mapping[str, str],
        *,
        form: str = "printed",
        metric: str = "",
        horizons: Sequence[int] = HORIZONS,
        shift: int | None = None,
        distance: Any = None,
        values: Mapping[Any, Any] | None = None,
        expected: str = "holds",
        note: str = "",
        profiles: tuple[str, ...] = PROFILES,
    ) -> WorstCase:
        """The claim that a bound covers the worst case of its metric over a class, certified; see `WorstCase`.

        step: the function ``step``, or a simulation of it, whose curve then says what of the slack is the instance's.
        of: the class, as "smooth convex", or oracle method -> class. Constants are those of the theorem's `generic`,
        or ``values``; the start is at the distance D_1, or has the gap Delta_1, if the bound has that symbol, else at
        ``distance``. horizons: values of T. metric, shift: by default the study's.

        Raises ValueError for what is no theorem, and for a metric that is a function.
        """
        if not isinstance(theorem, Theorem):
            raise ValueError(f"a {type(theorem).__name__} is no theorem")
        sim = step if isinstance(step, Simulation) else None
        name = metric or self.metric
        if not isinstance(name, str) or not name:
            raise ValueError(f"{theorem.key}: a worst case needs the name of a metric, as metric='gap'")
        shift = _given(shift, self.shift)
        return WorstCase(
            theorem,
            theorem.form(form).name,
            sim.algorithm if sim else self._module(step),
            {"grad": of} if isinstance(of, str) else dict(of),
            name,
            shift,
            tuple(horizons),
            {symbol: exact_value(value) for symbol, value in (values or {}).items()},
            None if distance is None else exact_value(distance),
            sim,
            self.bound(theorem, theorem.form(form).name, sim, name, shift=shift) if sim else None,
            expected=expected,
            note=note,
            profiles=profiles,
        )
