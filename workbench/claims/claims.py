"""Claims as data: statements about a theorem that find their own evidence in stored results.

Every claim is a line of the verdict table. It has the key of its theorem, a kind of evidence, a name and the
simulations that it needs, and it computes its `Finding`:

* `Exponent`: does the claimed rate follow from a form of the bound? Exact, without simulation;
* `Bound`: measured <= bound at every mark of every grid point;
* `Count`: metered oracle calls against the paper's listing;
* `Caught`: a negative control, i.e. another claim about a wrong method or number that must come out violated;
* `Custom`: anything else, computed by a function.

Claims about a single curve (its rate, its exponent, its level) are made by `workbench.claims.readings.Reading`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from workbench import evidence
from workbench.claims import identifiers
from workbench.claims.exact_curves import without_runs
from workbench.claims.interim_analyses import failed_behind
from workbench.claims.method import given_values
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.records import PROFILES, Simulation
from workbench.claims.usable_rows import Refused, unless_failed_behind, unless_random
from workbench.claims.views import Quantity, View, as_recorded, check_kind, checked_view, read_by, row_mask
from workbench.engine.records import Result
from workbench.evidence.verdicts import Finding, Verdict
from workbench.homes.records import Record
from workbench.theory import vocabulary
from workbench.theory.record import Theorem

Results = Mapping[str, Result]
EVIDENCE = (  # in the order of the verdict table; explained in the README
    "assumptions", "exponent", "bound", "worst case", "rate", "tight", "geometric", "bounded", "limit", "logarithm",
    "scaling", "complexity", "lemma", "falsifier",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Claim(Record, ABC):
    """One line of the verdict table.

    expected: the expected verdict. note: a remark for readers of the table. profiles: those whose horizon and number of
    runs suffice to decide the claim; in the others it is left out. tag: a word that ends its `id`, where another claim
    of the paper would have the same. refutes: where the claim is that of a published statement which is false, that
    statement; then it is expected to be violated, and said to be refuted where it is.
    """

    tag: str = ""
    expected: str = "holds"
    note: str = ""
    profiles: tuple[str, ...] = PROFILES
    refutes: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError for a misspelt verdict or profile, and for a tag that is no word."""
        if self.refutes:
            object.__setattr__(self, "expected", "violated")
        if self.tag:
            identifiers.check_tag(self.tag, self.key)
        if self.expected not in set(Verdict):
            raise ValueError(f"no verdict {self.expected!r} can be expected; there are {', '.join(Verdict)}")
        if isinstance(self.profiles, str) or (foreign := set(self.profiles) - set(PROFILES)):
            wrong = self.profiles if isinstance(self.profiles, str) else min(foreign)
            raise ValueError(f"no tuple of profiles: {wrong!r}; there are {', '.join(PROFILES)}")
        if not self.profiles:
            raise ValueError(f"a claim of no profile is never decided; there are {', '.join(PROFILES)}")

    @property
    @abstractmethod
    def key(self) -> str:
        """Key of the theorem, lemma or figure that it is about."""

    @property
    @abstractmethod
    def evidence(self) -> str:
        """One of `EVIDENCE`."""

    @property
    @abstractmethod
    def experiment(self) -> str:
        """Its name within the theorem, in words."""

    @property
    def paper(self) -> str:
        """Key of its paper."""
        return self.key.partition("/")[0]

    @property
    def id(self) -> str:
        """By which it is known within its paper: theorem, evidence, `parts` and tag."""
        return identifiers.join(identifiers.statement(self.key), self.evidence, *self.parts, self.tag)

    @property
    def parts(self) -> tuple[str, ...]:
        """The declared names in its `id` that it adds to theorem and evidence: simulation, metric, grid point."""
        return ("+".join(map(identifiers.simulation, self.needs)),)

    @property
    def needs(self) -> tuple[str, ...]:
        """Keys of the simulations whose results it needs."""
        return ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of recorded quantities that it is about, as far as it says so; a function may read others."""
        return ()

    @property
    def bound(self) -> Bound | None:
        """The bound that it tests, alone or with others; None for any other claim, and for one that must fail."""
        return None

    @abstractmethod
    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        """The evidence in these results, which include at least those in `needs`, read as its paper's plan says."""


@dataclass(frozen=True)
class Custom(Claim):
    """A claim that a function computes.

    about: the key of the theorem, lemma or figure. kind: its evidence, one of `EVIDENCE`. name: what the line is
    called. find: {simulation key: result} -> `evidence.Finding`. reads: keys of the simulations that it needs. series:
    the recorded quantities that ``find`` reads of them, for simulations that keep no others (`records.AS_READ`).
    """

    about: str
    kind: str
    name: str
    find: Callable[[Results], Finding]
    reads: tuple[str, ...] = ()
    series: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return self.about

    @property
    def evidence(self) -> str:
        return self.kind

    @property
    def experiment(self) -> str:
        return self.name

    @property
    def needs(self) -> tuple[str, ...]:
        return self.reads

    @property
    def metrics(self) -> tuple[str, ...]:
        return self.series

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        failed = sum(failed_behind(results[key]) for key in self.needs)
        return unless_failed_behind(self.find(results), failed)


@dataclass(frozen=True)
class OfClaim(Claim):
    """A claim about what becomes of another one, of which it has theorem, simulations and metrics."""

    claim: Claim

    @property
    def key(self) -> str:
        return self.claim.key

    @property
    def needs(self) -> tuple[str, ...]:
        return self.claim.needs

    @property
    def metrics(self) -> tuple[str, ...]:
        return self.claim.metrics


@dataclass(frozen=True)
class Caught(OfClaim):
    """A negative control: a claim about a wrong method or a wrong number, which must come out violated.

    diverges: failed runs are the expected symptom (`workbench.evidence.falsifier`). name: replaces the claim's own.
    """

    diverges: bool = False
    name: str = ""

    evidence: ClassVar[str] = "falsifier"

    @property
    def experiment(self) -> str:
        return self.name or self.claim.experiment

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.claim.evidence, *self.claim.parts, self.claim.tag)

    @property
    def wrong(self) -> Claim:
        """The claim that must come out violated, also behind several reversals."""
        return self.claim.wrong if isinstance(self.claim, Caught) else self.claim

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        return evidence.falsifier(self.claim.finding(results, plan), self.diverges)


def caught(claim: Claim, diverges: bool = False, name: str = "") -> Caught:
    """`Caught`, with the claim's profiles and note."""
    return Caught(claim, diverges, name, note=claim.note, profiles=claim.profiles)


# ------------------------------------------------------------------------------------------------- exponents


# ---------------------------------------------------------------------------------------------------- bounds


@dataclass(frozen=True)
class Bound(Claim):
    """measured <= bound at every mark of the view, each taken as the horizon T, at every selected grid point.

    metric: the bounded quantity. known: result -> constants of the bound that neither the instance has, nor the grid,
    nor `Steps.of`. of: the name
    of another constant of the form's chain, in place of the bound. points: grid points, each read separately (default:
    all rows together). delta: the share of runs that may exceed the bound; by default the theorem's, evaluated at
    ``known["delta"]``, or 0 for a bound in expectation. tol: the share of the bound by which it may be exceeded,
    without which a bound that is attained stays open. over: divisor of the bound, for a claim that must fail. shift:
    the paper's index of what the engine records at mark m is m + shift. shown: the metric as the claim's name shows it.

    Raises ValueError for a view that is none, or that does not show what was recorded, as `window_means`; for ``over``
    that is not positive, or below 1 in a claim that is to hold: that would be another, weaker bound.
    """

    theorem: Theorem
    form: str
    sim: Simulation
    metric: Quantity
    known: Callable[[Result], Mapping[str, Any]] = lambda result: {}
    view: View = as_recorded
    of: str = ""
    points: tuple[Mapping[str, float], ...] = ({},)
    delta: float | None = None
    tol: float = 0.0
    over: float = 1.0
    shift: int = 0
    shown: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_view(self.view)
        check_kind(self.theorem, self.metric, self.view)
        if self.view.of:
            raise ValueError(
                f"{self.key}: a bound is compared with what was recorded; a view of {self.view.of} shows something else"
            )
        if not 0.0 <= self.tol < 1.0:
            raise ValueError(f"{self.key}: tol is a share of the bound in [0, 1), not {self.tol:g}")
        if not isinstance(self.over, Real):
            raise ValueError(f"{self.key}: over is a {type(self.over).__name__}; wanted a number")
        if not self.over > 0.0 or (self.over < 1.0 and self.expected == "holds"):
            raise ValueError(
                f"{self.key}: over = {self.over:g} is no divisor that makes the bound harder to keep"
            )

    @property
    def bound(self) -> Bound:
        return self

    @property
    def key(self) -> str:
        return self.theorem.key

    evidence: ClassVar[str] = "bound"

    @property
    def experiment(self) -> str:
        of = f"{self.shown}, " if self.shown else ""
        return self.name or f"{self.sim.title}; {of}{self.form}"

    @property
    def parts(self) -> tuple[str, ...]:
        return (
            identifiers.simulation(self.sim.key),
            identifiers.metric(self.metric),
            identifiers.part(self.form),
            identifiers.part(self.of),
            "+".join(filter(None, map(identifiers.point, self.points))),
            "" if self.over == 1.0 else f"over={self.over:g}",
        )

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.sim.key,)

    @property
    def metrics(self) -> tuple[str, ...]:
        return read_by(self.metric)

    def parameters(self, result: Result) -> dict[str, Any]:
        """What the simulation itself gives: parameters of the grid (rows, 1), and what `Steps.of` was given."""
        columns = {name: value[:, None] for name, value in result.params.items()}
        return {**columns, **given_values(self.sim, self.theorem)}

    def curves(self, result: Result) -> np.ndarray:
        """(rows, M): the right-hand side for each row of the result, at its marks.

        Not finite where the formula is undefined, as at T = 0; the view must leave such marks out.
        """
        T = (result.marks + self.shift).astype(float)[None, :]
        known_values = self.known(result)
        for name in known_values.keys() & result.constants.keys():
            if not _same(known_values[name], result.constants[name]):
                raise Refused(
                    f"{self.theorem.key}, {self.form}: {name} is a constant of the instance, of another value than what"
                    " `known` gives; there is one of a name"
                )
        values = {**self.parameters(result), **result.constants, **known_values, "T": T}
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.of:
                bound = self.theorem.constants(self.form, **values)[self.of]
            else:
                bound = self.theorem.numeric(self.form)(**values)
        return np.broadcast_to(bound / self.over, (result.size, len(result.marks)))

    def read(self, result: Result, quantity: Quantity) -> tuple[np.ndarray, np.ndarray]:
        """(runs, columns) and (columns,): a quantity in this claim's view, the grid points side by side.

        All rows with the same noise identity form one sample, whatever their grid point. Raises KeyError for a point
        without rows, and ValueError if the points do not have the same noise identities in the same order.
        """
        values, marks = [], []
        for where in self.points:
            mask = row_mask(result, where)
            identities = result.run_ids[mask]
            if (identities != np.resize(identities[: result.runs], len(identities))).any():
                raise ValueError(
                    f"{self.sim.key}: the rows of its grid points differ in their noise identities"
                )
            table, at = self.view(result, quantity, mask)
            copies = len(table) // result.runs
            values += np.split(table, copies)
            marks += copies * [at]
        return np.concatenate(values, axis=1), np.concatenate(marks)

    def failure(self, known_values: Mapping[str, Any]) -> float:
        """The share of runs that the theorem allows to exceed the bound; 0 if it holds surely or in expectation.

        Raises ValueError if the theorem needs a delta that is not known.
        """
        if self.delta is not None:
            return self.delta
        probability = self.theorem.probability
        if probability.free_symbols and "delta" not in known_values:
            raise ValueError(f"{self.experiment}: the probability {probability} needs delta in what is known")
        return 1.0 - float(
            probability.subs(vocabulary.delta, known_values["delta"])
            if probability.free_symbols
            else probability
        )

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        result = results[self.sim.key]
        values, marks = self.read(result, self.metric)
        bound, _ = self.read(result, self.curves)
        if len(out := np.argwhere(~(np.isfinite(bound) & (bound > 0.0)))):
            row, column = out[0]
            raise ValueError(
                f"{self.theorem.key}, {self.form}: the bound must be finite and positive wherever it is compared with "
                f"a measurement; it is {bound[row, column]:g} at mark {marks[column]:g}, with shift {self.shift} (a "
                "view can leave a mark out, as view=iterates() the first)"
            )
        failure = self.failure({**self.parameters(result), **self.known(result)})
        how = ("probability", failure) if failure else ("expectation", None)
        rows = np.any([row_mask(result, where) for where in self.points], axis=0)
        finding = unless_random(
            evidence.bound(values, bound, marks, *how, tol=self.tol), result, rows, self.metric
        )
        finding = without_runs(finding, self.sim)
        return replace(finding, note="; ".join(filter(None, [finding.note, _at_first(values, bound, marks)])))


def _same(a: Any, b: Any) -> bool:
    """Two values of a constant, one number or one per run, up to round-off."""
    try:
        return bool(
            np.allclose(np.asarray(a, float), np.asarray(b, float), rtol=1e-12, atol=0.0, equal_nan=True)
        )
    except (TypeError, ValueError):
        return False


def _at_first(values: np.ndarray, bound: np.ndarray, marks: np.ndarray) -> str:
    """A sentence where the bound at the horizon is still above the first values, so that it would hold of those."""
    first, last = values[:, marks == marks.min()].mean(axis=0), bound[:, marks == marks.max()].mean(axis=0)
    if marks.min() == marks.max() or not (
        np.isfinite(first).all() and (first > 0.0).all() and (first < last).all()
    ):
        return ""
    return f"the bound at the horizon is {(last / first).min():.3g} times the first value measured"


# ---------------------------------------------------------------------------------------------------- counts
