"""Runs every contract on some papers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache, partial
from typing import Any

from workbench.claims.records import Simulation
from workbench.cli.contracts import claims, drawings, instances, steps
from workbench.cli.contracts.outcome import Outcome, Skipped, Status
from workbench.engine.records import class_of
from workbench.homes import mistakes, on_demand, papers
from workbench.homes.keys import Key
from workbench.run import catalog, jobs
from workbench.run.options import Options, UsageError
from workbench.run.pool import ensure
from workbench.run.store.results import Store
from workbench.verdicts import verify

Warn = Callable[[str], None]
Call = Callable[[], Iterator[str]]
OF_STEPS: dict[str, Callable[[Simulation], Iterator[str]]] = {
    "shapes and noise": steps.shapes,
    "purity": steps.purity,
    "one by one": steps.one_by_one,
    "array standard": steps.standard,
    "engines agree": steps.engines,
}


def check(keys: Iterable[str], options: Options, store: Store, warn: Warn) -> Iterator[Outcome]:
    """The outcome of each contract, paper by paper, as they are found.

    Raises UnknownKey or NoPaper for what is no paper, and UsageError for a key below a paper.
    """
    entries = catalog.entries_for(keys)
    if other := next((e for e in entries if e.kind != "paper"), None):
        raise UsageError(f"{other.key} is of kind {other.kind}; name a paper, by its key or its path")
    for entry in entries:
        for contract in contracts_of(entry.key, options, store, warn).values():
            yield contract()


def contracts_of(
    key: str, options: Options, store: Store, warn: Warn = lambda sentence: None
) -> dict[str, Callable[[], Outcome]]:
    """Name -> a call that gives the outcome, for every contract of one paper.

    A mistake that keeps a contract from running is its finding. Where the records themselves cannot be read, there are
    fewer contracts.
    """
    contracts: dict[str, Callable[[], Outcome]] = {
        "imports": partial(imports, key),
        "public names": partial(public, key),
    }
    try:
        simulations = about(key, catalog.simulations().values())
        theorems, figures = about(key, catalog.theorems().values()), about(key, catalog.figures().values())
        of_paper = about(key, verify.claims())
    except UsageError as error:
        sentences = (str(error),)
        return {**contracts, "records": lambda: Outcome("records", key, "broken", sentences, 1)}
    by_class, by_step = distinct(simulations)
    mistakes_told: dict[
        str, str
    ] = {}  # a mistake that keeps several contracts from running is told at length once

    @cache
    def lines() -> list[verify.Line]:
        of_profile = [c for c in of_paper if options.profile in c.profiles]
        return verify.complete(verify.verify(of_profile, options, store, warn=warn))

    def of(name: str, calls: Iterable[Call]) -> None:
        contracts[name] = partial(outcome, name, key, list(calls), mistakes_told)

    for name, contract in OF_STEPS.items():
        of(name, [partial(contract, sim) for sim in by_step])
    of("constants", [partial(instances.constants, sim) for sim in by_class])
    of("schedule fields", [partial(claims.fields, theorem, simulations) for theorem in theorems])
    if about(key, catalog.lemmas().values()):
        of("links of proofs", [lambda: claims.links(key)])
    of(
        "formulas",
        [partial(claims.formulas, where, sentences) for where, sentences in _sentences(key, theorems)],
    )
    of("schedule values", [partial(claims.schedule, sim, theorems) for sim in simulations])
    of("claims read what is kept", [partial(claims.quantities, sim, of_paper) for sim in simulations])
    of("claims as expected", [lambda: claims.expected(lines())])
    of("claims can fail", [lambda: claims.can_fail(lines())])
    of("falsifier", [lambda: claims.falsifier(key, of_paper, theorems)])
    of("figures", [partial(_figure, figure, options, store, warn) for figure in figures])
    return contracts


def about(key: str, records: Iterable[Any]) -> list[Any]:
    """Those of one paper."""
    return [record for record in records if Key.of(record.key).paper == key]


def _sentences(key: str, theorems: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """(where, sentence) of everything that the records of a paper state in words."""
    for theorem in theorems:
        yield from (
            (f"{theorem.key}, statement", theorem.statement),
            (f"{theorem.key}, metric", theorem.metric),
        )
        yield from ((f"{theorem.key}, assumption {a.key}", a.statement) for a in theorem.assumes)
    for lemma in about(key, catalog.lemmas().values()):
        yield f"{lemma.key}, statement", lemma.statement


def imports(key: str) -> Outcome:
    """Every module of the paper can be imported."""
    home = papers.home_of(key)
    names = set() if home is None else {name for role in papers.ROLES for name in home.names(role)}
    for role in papers.ROLES:
        list(catalog.modules(role, home))
    complaints = tuple(catalog.import_failures().get(key, ()))
    return Outcome("imports", key, "broken" if complaints else "kept", complaints, len(names))


def public(key: str) -> Outcome:
    """The paper imports no private names; those that it does are noted, each with its public form."""
    if (home := papers.home_of(key)) is None:
        return Outcome("public names", key, "skipped", ("the paper has no folder",), 0)
    notes = []
    for path in home.files():
        try:
            names = on_demand.private(ast.walk(ast.parse(papers.text(path))))
        except (SyntaxError, ValueError):
            continue  # told by `imports`
        if names:
            listing = ", ".join(f"{name} ({now})" if now else name for name, now in sorted(names.items()))
            notes.append(f"{mistakes.place(path)} imports private names, which may change: {listing}")
    return Outcome("public names", key, "noted" if notes else "kept", tuple(notes), len(home.files()))


def distinct(simulations: Iterable[Simulation]) -> tuple[list[Simulation], list[Simulation]]:
    """One simulation for each class of instances, and one for each (method, mutation, probe, class of instances)."""
    by_class: dict[Hashable, Simulation] = {}
    by_step: dict[Hashable, Simulation] = {}
    for sim in simulations:
        kind: Any
        try:
            kind = class_of(jobs.prepare(sim, steps.SMALL).batch.instance)
        except UsageError:
            kind = sim.key  # a mistake, which the contracts will tell
        by_class.setdefault(kind, sim)
        by_step.setdefault((sim.algorithm, sim.method, sim.mutation, sim.probe, kind), sim)
    return list(by_class.values()), list(by_step.values())


def outcome(
    contract: str, paper: str, calls: list[Call], first_contract: dict[str, str] | None = None
) -> Outcome:
    """The outcome of one contract over all of its subjects.

    first_contract: mistakes that kept a contract from running -> the first such contract; later ones refer to it.
    """
    first_contract = {} if first_contract is None else first_contract
    findings: dict[str, None] = {}
    skip_reasons: list[str] = []
    for call in calls:
        try:
            findings |= dict.fromkeys(call())
        except UsageError as error:
            first = first_contract.setdefault(str(error), contract)
            findings[str(error) if first == contract else f"cannot be run; see `{first}`"] = None
        except Skipped as reason:
            skip_reasons.append(str(reason))
    status: Status = "broken" if findings else "skipped" if len(skip_reasons) == len(calls) else "kept"
    reasons = tuple(dict.fromkeys(skip_reasons)) or ("there is none",)
    sentences = tuple(findings) if findings else reasons if status == "skipped" else ()
    return Outcome(contract, paper, status, sentences, len(calls) - len(skip_reasons))


def _figure(figure: Any, options: Options, store: Store, warn: Warn) -> Iterator[str]:
    yield from drawings.draws(figure, ensure(verify.simulations_of([figure]), options, store, warn=warn))
