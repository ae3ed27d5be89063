"""Lines of a proof measured along runs: almost surely, in expectation, or with a probability. The unit is the run.

A line's symbols are resolved in this order: quantities recorded by the simulation (its probe's and its instance's, with
their reductions: ``alpha_t``, ``gap_max``), parameters of the grid, constants of the instance at its start, fields of
the algorithm's `Steps`; ``t`` is the iteration of the quantities, ``T`` the horizon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from sympy import Expr

from workbench.arrays.random import Draws, derived_seed
from workbench.claims.probes import Sampler, computed_names
from workbench.claims.records import Simulation
from workbench.claims.usable_rows import Chance, by_chance, chance
from workbench.engine.records import Result, Status
from workbench.evidence import bound, stats
from workbench.evidence._common import rare_runs_note
from workbench.evidence.exact import exact_factor
from workbench.evidence.stats import Estimate, clopper_pearson, mean_estimates
from workbench.evidence.verdicts import Finding
from workbench.theory.lemma import AlongTrajectory, InExpectation, Lemma, WithProbability
from workbench.theory.numeric_code import numpy_function

Measured = AlongTrajectory | InExpectation | WithProbability
# Relative to the sum of the magnitudes of a line's terms: an entry that breaks it by less than `ROUNDING` counts as
# rounding, which was 2e-12 at most along the runs of the papers that ship; up to `DOUBT` it may be (a sum of a million
# terms), and the line is open.
ROUNDING, DOUBT = 1e-11, 1e-9
# Terms that are small by cancellation (the error of an estimate that happens to be right to eight digits) have the
# rounding of what they come from. So an entry that breaks a line by less than `CANCELLED` of the largest sum of terms
# before in its run is not judged. Where there are more such entries than `FEW`, or in more than `FEW_RUNS` of the runs
# at one iteration, terms decay rather than cancel: the line is open, unless another entry breaks it.
CANCELLED, FEW, FEW_RUNS = 1e-12, 1e-3, 0.005
FACTORS = tuple(
    float(f) for f in np.geomspace(1.0, 1e4, 81)
)  # in which a sensitivity is looked for, 12 % apart
MAX_FAILED = 0.05  # share of runs that may become non-finite


@dataclass(frozen=True)
class Record:
    """The quantities of one simulation or sampler: name -> (runs, M) or broadcastable.

    t: (M,) iterations. ok: (runs,), the finite runs. points: (runs,), the grid point of each run. available: names that
    a line could read; the simulation would then keep them. chance: how chance had a part in the runs.
    """

    values: Mapping[str, np.ndarray]
    t: np.ndarray
    ok: np.ndarray
    points: np.ndarray
    horizon: int
    available: tuple[str, ...] = ()
    chance: Chance | None = None

    def of(self, e: Expr, where: str) -> np.ndarray:
        """(runs, M) of an expression. Raises ValueError for an unknown symbol, listing the known ones."""
        symbols = sorted(e.free_symbols, key=str)
        numbers = {**self.values, "t": self.t[None, :].astype(float), "T": np.asarray(float(self.horizon))}
        if missing := [s.name for s in symbols if s.name not in numbers]:
            there = sorted({*numbers, *self.available})
            raise ValueError(f"{where}: {missing[0]} is not recorded; available: {', '.join(there)}")
        with np.errstate(all="ignore"):
            value = numpy_function(symbols, e)(*(numbers[s.name] for s in symbols))
        return np.broadcast_to(np.asarray(value, float), (len(self.ok), len(self.t)))


def from_result(result: Result, simulation: Simulation) -> Record:
    """A stored result with its constants. With a probe, mark m holds iteration m - 1, and mark 1 is empty."""
    first = 1 if simulation.probe else 0
    values = {n: v for n, v in result.constants.items() if v.shape[1] == 1} | result.steps
    values |= {n: v[:, None] for n, v in result.params.items()}
    values |= {n: v[:, first:] for n, v in result.data.items()}
    _, points = np.unique(_point_table(result), axis=0, return_inverse=True)
    marks = result.marks[first:] - first
    ok, points = result.status == Status.OK, points.reshape(-1)
    part = chance(result, np.ones(result.size, dtype=bool))
    return Record(values, marks, ok, points, result.horizon, computed_names(simulation.probe), part)


def _point_table(result: Result) -> np.ndarray:
    columns = [np.asarray(v, float) for v in result.params.values()]
    return np.stack(columns, axis=1) if columns else np.zeros((len(result.run_ids), 1))


_records: dict[tuple[str, int], Record] = {}


def from_sampler(sampler: Sampler, seed: int = 0) -> Record:
    """A sampler's random process with the user's seed, drawn once per process."""
    key = sampler.key, seed
    if key not in _records:
        draws = Draws(derived_seed(seed, sampler.key), np.arange(sampler.runs), np)
        values = {n: np.asarray(v, float) for n, v in sampler.sample(draws, sampler.runs).items()}
        t = values.pop("t", None)
        columns = max(v.shape[-1] for v in values.values())
        t = np.arange(1, columns + 1) if t is None else t.reshape(-1)
        ok = np.ones(sampler.runs, dtype=bool)
        points = np.zeros(sampler.runs, dtype=int)
        _records[key] = Record(values, t, ok, points, int(t[-1]), chance=Chance("random numbers are drawn"))
    return _records[key]


@dataclass(frozen=True)
class Profile:
    """The tightness of a line: quantiles over runs of lhs/rhs at each mark (1: equality)."""

    t: np.ndarray
    low: np.ndarray
    median: np.ndarray
    high: np.ndarray
    largest: np.ndarray


def profile(check: Measured, record: Record, where: str) -> Profile:
    """The profile of a line. Raises ValueError if the right side is never positive and finite."""
    lhs, rhs = record.of(check.lhs, where)[record.ok], record.of(check.rhs, where)[record.ok]
    with np.errstate(all="ignore"):
        ratio = np.where(rhs > 0, lhs / rhs, np.nan)
    ratio = np.where(np.isfinite(ratio), ratio, np.nan)
    positive = np.isfinite(ratio).any(axis=0)
    if not positive.any():
        raise ValueError(f"{where}: the line has no positive right side")
    ratios = ratio[:, positive]
    low, median, high = np.nanquantile(ratios, (0.1, 0.5, 0.9), axis=0)
    return Profile(record.t[positive], low, median, high, np.nanmax(ratios, axis=0))


def finding(lemma: Lemma, check: Measured, records: Mapping[str, Record]) -> Finding:
    """The finding on a line over all its simulations and samplers; the least favourable one decides."""
    where = f"{lemma.key}, {check.name!r}"
    findings = [_one(check, r, f"{where} on {name}") for name, r in records.items()]
    worst = max(findings, key=lambda f: (f.p_if_wrong, -f.p_if_right))
    if len(findings) == 1:
        return worst
    note = "; ".join(f"{name}: {f.note}" for (name, _), f in zip(records.items(), findings, strict=True))
    return _join(worst, findings, note)


def _join(worst: Finding, findings: list[Finding], note: str) -> Finding:
    """The joint finding: all must hold, one violation suffices."""
    violated = min(1.0, len(findings) * min(f.p_if_right for f in findings))
    holds = max(f.p_if_wrong for f in findings)
    decisive = min(findings, key=lambda f: f.p_if_right) if violated < holds else worst
    return replace(
        decisive,
        p_if_wrong=holds,
        p_if_right=violated,
        runs=sum(f.runs for f in findings),
        exact=all(f.exact for f in findings),
        provisional=any(f.provisional for f in findings) and violated > 0.0,
        note=note,
        void=findings[0].void if all(f.void for f in findings) else "",
        rejects=partial(_most_sensitive, findings),
    )


def _most_sensitive(findings: list[Finding], side: float) -> float:
    """The sensitivity of several findings, one violation of which suffices; NaN if none has one."""
    limits = [f.rejects(side / len(findings)) for f in findings if f.rejects]
    return min(limits, default=np.nan)


def _one(check: Measured, record: Record, where: str) -> Finding:
    lhs, rhs = record.of(check.lhs, where), record.of(check.rhs, where)
    if isinstance(check, AlongTrajectory):
        return _surely(check, record, lhs, rhs)
    points = [_point(check, record, lhs, rhs, record.points == k, where) for k in np.unique(record.points)]
    worst = max(points, key=lambda f: (f.p_if_wrong, -f.p_if_right))
    return points[0] if len(points) == 1 else _join(worst, points, worst.note)


def _scale(check: Measured, record: Record) -> np.ndarray:
    """Sum of the magnitudes of all terms of both sides, to which rounding errors are relative."""
    from sympy import Add

    terms = [*Add.make_args(check.lhs), *Add.make_args(check.rhs)]
    return np.asarray(sum(np.abs(record.of(term, check.name)) for term in terms))


def _surely(check: AlongTrajectory, record: Record, lhs: np.ndarray, rhs: np.ndarray) -> Finding:
    scale, equality = _scale(check, record), check.relation == "="
    with np.errstate(all="ignore"):
        gap = np.abs(lhs - rhs) if equality else lhs - rhs
        excess = gap / np.where(scale > 0, scale, 1.0)
    excesses = excess[record.ok]
    if not np.isfinite(excesses).all() or len(excesses) < (1 - MAX_FAILED) * len(excess):
        bad = int((~np.isfinite(excess).all(axis=1)).sum())
        return _open(check, record, f"{bad} of {len(excess)} runs have no finite value")
    before = np.maximum.accumulate(scale[record.ok], axis=1)
    uncertain = (excesses > ROUNDING) & (gap[record.ok] <= CANCELLED * before)
    excesses = np.where(uncertain, 0.0, excesses)
    worst = float(excesses.max())
    run, mark = np.unravel_index(int(excesses.argmax()), excesses.shape)
    violated = worst > DOUBT
    if rounding := _rounding(worst, uncertain):
        return _open(check, record, *rounding)
    note = _excess_note(worst, uncertain)
    others = len(excesses) > 1 and not (stats.identical(lhs[record.ok]) and stats.identical(rhs[record.ok]))
    if others and not violated:
        note += rare_runs_note(len(excesses))
    if violated:
        row = int(np.flatnonzero(record.ok)[run])
        note += f"; run {row}, t = {int(record.t[mark])}: {lhs[row, mark]:.6g} against {rhs[row, mark]:.6g}"
    with np.errstate(all="ignore"):
        ratio = np.where(uncertain, np.nan, (lhs / rhs)[record.ok])
    positive = ratio[np.isfinite(ratio) & (rhs[record.ok] > 0)]
    value = float(positive.max()) if positive.size and not equality else worst
    return Finding(
        "lemma",
        claimed=0.0 if equality else 1.0,
        value=value,
        low=value,
        high=value,
        p_if_wrong=float(violated),
        p_if_right=float(not violated),
        runs=len(excesses),
        horizon=float(record.t[-1]),
        slack=1 / value if value > 0 and not equality else np.nan,
        exact=True,
        provisional=others and not violated,
        note=note,
        void=_cannot_fail(check, lhs[record.ok], rhs[record.ok]),
        rejects=None if equality else partial(exact_factor, value),
    )


def _rounding(worst: float, uncertain: np.ndarray) -> tuple[str, str] | None:
    """Why rounding may be all that breaks a line, and what decides then; uncertain: (runs, marks), by cancellation."""
    if ROUNDING < worst <= DOUBT:
        return (
            f"largest excess {worst:.2g} relative to the terms, which may be rounding",
            "a line with smaller terms: without what both sides have in common",
        )
    at_once = uncertain.sum(axis=0).max()
    if worst <= DOUBT and (uncertain.mean() > FEW or at_once > max(1.0, FEW_RUNS * len(uncertain))):
        return (
            f"{uncertain.sum()} of {uncertain.size} entries break it, by less than the rounding of earlier terms",
            "a shorter horizon, before its terms have decayed to rounding",
        )
    return None


def _excess_note(worst: float, uncertain: np.ndarray) -> str:
    where = " where it is judged" if uncertain.any() else ""
    note = f"no violation{where}" if worst <= 0.0 else f"largest excess {worst:.2g} relative to the terms"
    note += ", taken for rounding" if 0.0 < worst <= DOUBT else ""
    note += f"; {uncertain.shape[0]} runs, {uncertain.shape[1]} checkpoints"
    if uncertain.any():
        note += (
            f"; {uncertain.sum()} of the {uncertain.size} entries are small by cancellation and not judged"
        )
    return note


def _cannot_fail(check: Measured, lhs: np.ndarray, rhs: np.ndarray) -> str:
    """Why these runs could not violate an inequality: its left side is never positive, its right never negative."""
    equality = isinstance(check, AlongTrajectory) and check.relation == "="
    idle = not equality and (lhs <= 0).all() and (rhs >= 0).all()
    return "the left side is never positive on these runs" if idle else ""


def _open(
    check: Measured,
    record: Record,
    note: str,
    decides: str = "runs in which every quantity of the line is finite",
) -> Finding:
    return Finding(
        "lemma",
        claimed=np.nan,
        value=np.nan,
        low=-np.inf,
        high=np.inf,
        p_if_wrong=1.0,
        p_if_right=1.0,
        runs=len(record.ok),
        horizon=float(record.t[-1]),
        exact=True,
        note=note,
        decides=decides,
    )


def _point(
    check: Measured, record: Record, lhs: np.ndarray, rhs: np.ndarray, rows: np.ndarray, where: str
) -> Finding:
    """The finding at one grid point: a t interval of the mean, or a binomial one of the share of violating runs."""
    lhs, rhs = lhs[rows], rhs[rows]
    finite = _finite(lhs, rhs)
    if isinstance(check, InExpectation):
        # Failed runs count as in `bound`; an infinite one must not set the scale of the others.
        size = np.abs(lhs[finite]) + np.abs(rhs[finite])
        ratio = np.full(lhs.shape, np.nan)
        if finite.any():
            ratio[finite] = 1 + (lhs - rhs)[finite] / np.maximum(size.mean(axis=0), 1e-300)
        finding = bound(ratio, np.ones(1), record.t, rtol=ROUNDING, trend=False)
        surely = bound(ratio, np.ones(1), record.t, rtol=DOUBT, trend=False)
        finding = replace(finding, p_if_right=surely.p_if_right)
        finding = by_chance(finding, len(lhs), record.chance)
        return replace(
            finding,
            evidence="lemma",
            slack=_slack(lhs[finite], rhs[finite]),
            note=f"mean of lhs - rhs; {finding.note}",
            void=_cannot_fail(check, lhs[finite], rhs[finite]),
            rejects=_rejected_in_mean(lhs[finite], rhs[finite]),
        )
    assert isinstance(check, WithProbability)
    shares = record.of(1 - check.probability, where)[rows]
    if (shares != shares[:1]).any():
        raise ValueError(f"{where}: the probability differs between runs of one grid point")
    each = np.unique(shares[0])
    if check.uniform and len(each) > 1:
        raise ValueError(f"{where}: one probability is needed for all iterations at once, got several")
    parts = []
    for share in each:
        at = shares[0] == share
        parts.append(_for_some(check, record.t[at], lhs[:, at], rhs[:, at], float(share), where))
    least = max(parts, key=lambda f: (f.p_if_wrong, -f.p_if_right))
    return least if len(parts) == 1 else replace(_join(least, parts, least.note), runs=len(lhs))


def _for_some(
    check: WithProbability, marks: np.ndarray, lhs: np.ndarray, rhs: np.ndarray, share: float, where: str
) -> Finding:
    """The finding at iterations at which the same share of the runs of a grid point may violate the line."""
    if not 0 < share < 1:
        raise ValueError(f"{where}: the probability must lie in (0, 1), got {1 - share:g}")
    finite = _finite(lhs, rhs)
    with np.errstate(all="ignore"):
        size = np.abs(lhs) + np.abs(rhs)
        violations, surely = (~(lhs <= rhs + room * size) for room in (ROUNDING, DOUBT))
    if check.uniform:
        marks = marks[-1:]
        violations, surely = (b.any(axis=1, keepdims=True) for b in (violations, surely))
    # 1/2 and 2 are below and above the bound 1; only the number of runs above it matters.
    finding, least = (
        bound(np.where(b, 2.0, 0.5), np.ones(1), marks, "probability", share, trend=False)
        for b in (violations, surely)
    )
    finding = replace(finding, p_if_right=least.p_if_right)
    count = int(violations.any(axis=1).sum())
    low, high = clopper_pearson(count, len(violations), 0.01)
    note = f"{count} of {len(violations)} runs violate it, a share of at most {share:.3g} may"
    return replace(
        finding,
        evidence="lemma",
        slack=_slack(lhs[finite], rhs[finite]),
        low=low,
        high=high,
        note=note,
        void=_cannot_fail(check, lhs[finite], rhs[finite]),
        rejects=_rejected_for_some(check, lhs, rhs, share),
    )


def _rejected_in_mean(lhs: np.ndarray, rhs: np.ndarray) -> Callable[[float], float] | None:
    """The smallest of `FACTORS` by which the right side may be divided before the mean line is violated somewhere."""
    if len(lhs) < 2:
        return None
    return partial(_first_rejected, [(factor, mean_estimates(lhs - rhs / factor)) for factor in FACTORS])


def _first_rejected(cuts: list[tuple[float, list[Estimate]]], side: float) -> float:
    above = (f for f, estimates in cuts if len(estimates) * min(e.p_above(0.0) for e in estimates) <= side)
    return next(above, np.inf)


def _rejected_for_some(
    check: WithProbability, lhs: np.ndarray, rhs: np.ndarray, share: float
) -> Callable[[float], float] | None:
    """The same for a line that a share of the runs may violate."""
    with np.errstate(all="ignore"):
        ratio = np.where(rhs > 0, lhs / rhs, np.nan)
    if np.isnan(ratio).any():
        return None
    if check.uniform:
        ratio = ratio.max(axis=1, keepdims=True)
    columns = np.arange(1.0, ratio.shape[1] + 1)
    return bound(ratio, np.ones(1), columns, "probability", share, trend=False).rejects


def _finite(*sides: np.ndarray) -> np.ndarray:
    """(runs,) mask of the runs that are finite at every checkpoint."""
    return np.all([np.isfinite(side).all(axis=1) for side in sides], axis=0)


def _slack(lhs: np.ndarray, rhs: np.ndarray) -> float:
    """The smallest ratio of the sides' means over the checkpoints; NaN without runs."""
    if not len(lhs):
        return np.nan
    with np.errstate(all="ignore"):
        ratio = rhs.mean(axis=0) / lhs.mean(axis=0)
    ratios = ratio[np.isfinite(ratio) & (ratio > 0)]
    return float(ratios.min()) if ratios.size else np.nan
