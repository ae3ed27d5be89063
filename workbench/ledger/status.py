"""The status of every link of a proof, from exact checks and from lines measured along runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from theorems.lemma import MEASURED, Lemma
from workbench.engine.records import Result, Status
from workbench.evidence.budget import FAMILIES, decide_by_family
from workbench.evidence.verdicts import Verdict
from workbench.experiments.records import Simulation
from workbench.ledger.claims import MeasuredCheck, exact_verdicts
from workbench.ledger.graph import Link, link
from workbench.probes import Sampler


def measured_checks(
    lemmas: Iterable[Lemma], simulations: Mapping[str, Simulation], samplers: Mapping[str, Sampler]
) -> list[MeasuredCheck]:
    """The lines measured on simulations or samplers that exist."""
    calls = [
        MeasuredCheck(x, c, simulations, samplers)
        for x in lemmas
        for c in x.checks
        if isinstance(c, MEASURED)
    ]
    return [call for call in calls if not call.missing]


def links(
    lemmas: Iterable[Lemma],
    calls: Iterable[MeasuredCheck],
    results: Mapping[str, Result],
    folder: Path | None,
    jobs: int | None = None,
) -> dict[str, Link]:
    """Key -> link with its status. calls: all measured lines of these papers, which share a budget; those without
    results are left out, and their links are said to be unmeasured.
    """
    lemmas = list(lemmas)
    verdicts = exact_verdicts(lemmas, folder, jobs)
    made = []
    for call in calls:
        if not all(n in results for n in call.needs):
            continue
        # A simulation without finite runs is no evidence about the lines measured on it.
        if all((results[n].status == Status.OK).any() for n in call.needs):
            made.append(call)
        else:
            verdicts[call.lemma.key, call.item.name] = str(Verdict.INCONCLUSIVE)
    families = [(call.lemma.paper.key, FAMILIES[1]) for call in made]
    decisions = decide_by_family([call.finding(results) for call in made], families)
    for call, decision in zip(made, decisions, strict=True):
        verdicts[call.lemma.key, call.item.name] = str(decision.verdict)
    return {x.key: link(x, verdicts) for x in lemmas}
