"""Contracts of claims: each can fail, each theorem is claimed something of, and schedules are the theorem's."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.claims.claims import Claim
from workbench.claims.records import Simulation
from workbench.cli.contracts.outcome import Skipped
from workbench.cli.contracts.steps import SMALL, ran
from workbench.engine import stored_constants
from workbench.engine.records import Result
from workbench.homes import papers
from workbench.ledger.graph import check_links
from workbench.report.formulas import unreadable
from workbench.run import catalog, jobs
from workbench.theory.record import Schedule, Theorem
from workbench.verdicts.verify import Line

SAME = 1e-12  # relative difference of a step size from its formula


def schedule(sim: Simulation, theorems: Iterable[Theorem]) -> Iterator[str]:
    """A compliant simulation takes its steps from the schedule of some theorem, as printed or repaired."""
    if sim.kind != "compliant":
        raise Skipped("only compliant simulations take every step from a schedule")
    complaints = []
    for theorem in theorems:
        for entries in _schedules(theorem):
            if entries and set(entries) <= set(_steps(sim)):
                complaints.append(list(_differing_steps(theorem, entries, sim)))
    if not complaints:
        raise Skipped(f"no theorem has a schedule for the steps of {sim.key}")
    if all(complaints):
        yield from complaints[0]


def fields(theorem: Theorem, simulations: Iterable[Simulation]) -> Iterator[str]:
    """What a schedule fills are fields of a method's Steps."""
    known_fields = {name for sim in simulations for name in _steps(sim)}
    if missing := sorted(set(theorem.schedule) - known_fields):
        yield (
            f"{theorem.key}: the schedule fills {', '.join(missing)}, but no method has such a field of Steps;"
            f" there are {', '.join(sorted(known_fields)) or 'none'}"
        )


def links(key: str) -> Iterator[str]:
    """What the lemmas of a paper use exists, and no proof goes in a circle."""
    lemmas = catalog.lemmas()
    modules = [m for m in catalog.modules("theory", papers.home_of(key)) if hasattr(m, "PAPER")]
    assumptions = {f"{m.PAPER.key}/asm-{a.key}" for m in modules for a in getattr(m, "ASSUMPTIONS", ())}
    mine = {k: x for k, x in lemmas.items() if x.paper.key == key}
    try:
        check_links(mine, assumptions | set(catalog.theorems()) | set(lemmas))
    except ValueError as error:
        yield str(error)


def formulas(where: str, sentence: str) -> Iterator[str]:
    """Every formula of a sentence can be shown in a browser."""
    for latex in unreadable(sentence):
        yield f"{where}: the formula ${latex}$ cannot be typeset; is a brace open, or a macro not plain mathematics?"


class _Recorded(dict[str, np.ndarray]):
    """What a result keeps, and the names asked for in vain."""

    def __init__(self, data: Mapping[str, np.ndarray]) -> None:
        super().__init__(data)
        self.absent: list[str] = []

    def __contains__(self, name: object) -> bool:
        is_there = super().__contains__(name)
        if not is_there:
            self.absent.append(str(name))
        return is_there

    def __missing__(self, name: str) -> np.ndarray:
        self.absent.append(name)
        raise KeyError(name)


def quantities(sim: Simulation, claims: Iterable[Claim]) -> Iterator[str]:
    """Claims of any profile read what a simulation keeps.

    Each claim looks for its finding in runs of a few iterations. Those decide nothing, and most claims say so, but only
    after they have read. A claim that compares horizons, none of which is that short, is not seen to read.
    """
    simulations = catalog.simulations() | {sim.key: sim}
    short: dict[str, Result] = {}
    for claim in (c for c in claims if sim.key in c.needs):
        short |= {key: ran(simulations[key]) for key in claim.needs if key not in short}
        data = _Recorded(short[sim.key].data)
        with suppress(Exception), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            claim.finding({**short, sim.key: replace(short[sim.key], data=data)})
        for name in dict.fromkeys(data.absent):
            yield (
                f"{claim.key}, {claim.experiment} ({claim.evidence}): reads {name}, which {sim.key} does not keep;"
                f" it keeps {', '.join(data)}"
            )


def _schedules(theorem: Theorem) -> Iterator[Mapping[str, Any]]:
    yield theorem.schedule
    yield from ({**theorem.schedule, **form.schedule} for form in theorem.forms if form.schedule)


def _steps(sim: Simulation) -> Mapping[str, Any]:
    return jobs.prepare(sim, SMALL).batch.steps._asdict()


def _differing_steps(theorem: Theorem, entries: Mapping[str, Any], sim: Simulation) -> Iterator[str]:
    """Step sizes that are not what the schedule says at the constants of the instance.

    An entry with a parameter that neither the instance nor the steps provide is the author's choice.
    """
    job = jobs.prepare(sim, SMALL)
    with jobs.explaining(sim):
        given = stored_constants.constants(jobs.problem_of(job), job.marks)
    steps = job.batch.steps._asdict()
    values = {**steps, **{n: v for n, v in given.items() if v.shape[1] == 1}}
    # Where each horizon has rows of its own, the steps are those of their horizons.
    until = job.batch.grid.params.get("until")
    values[theorem.horizon.name] = float(job.marks[-1]) if until is None else until[:, None]
    for name, formula in entries.items():
        free = {s.name for s in formula.free_symbols}
        if name in free or not free <= values.keys():
            continue
        of_schedule = np.asarray(Schedule({name: formula}, integer=()).steps(**values)[name], float)
        actual = np.asarray(steps[name], float)
        if not np.allclose(actual, of_schedule, rtol=SAME, atol=0.0):
            yield (
                f"{sim.key}: {name} = {actual.max():.6g}, where the schedule of {theorem.key} gives"
                f" {of_schedule.max():.6g}; make the steps by Steps.of(THEOREM, ...)"
            )


def _some(lines: Iterable[Line]) -> list[Line]:
    """The lines. Raises Skipped where there is none."""
    all_lines = list(lines)
    if not all_lines:
        raise Skipped("no claim is decided in this profile")
    return all_lines


def can_fail(lines: Iterable[Line]) -> Iterator[str]:
    """No line is void: wrong data would have changed its verdict. None repeats another."""
    lines = _some(lines)
    names = [(line.claim.id, line.claim.key, line.claim.experiment, line.claim.evidence) for line in lines]
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{name[1]}, {name[2]} ({name[3]}): claimed {count} times; list it once"
    for line in lines:
        if line.void:
            yield f"{line.claim.key}, {line.claim.experiment} ({line.claim.evidence}): void, {line.void}"


def expected(lines: Iterable[Line]) -> Iterator[str]:
    """Every verdict is the expected one."""
    for line in _some(lines):
        if not line.as_expected:
            decides = f"; to decide: {line.decision.decides}" if line.decision.decides else ""
            yield (
                f"{line.claim.key}, {line.claim.experiment} ({line.claim.evidence}): {line.decision.verdict},"
                f" expected {line.claim.expected}{decides}"
            )


def falsifier(paper: str, claims: Iterable[Claim], theorems: Iterable[Theorem]) -> Iterator[str]:
    """Something is claimed of every theorem, and of some a nearby wrong method or claim that is to be caught."""
    claims = list(claims)
    if not any(claim.evidence == "falsifier" for claim in claims):
        yield f"{paper}: no falsifier; simulate a `Mutation` of the step, or a wrong exponent, with .caught()"
    claimed = {claim.key for claim in claims}
    yield from (f"{t.key}: nothing is claimed of it" for t in theorems if t.key not in claimed)
