"""The command's work: verdicts from stored results, figures as SVG, pages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from workbench.homes.keys import Key
from workbench.ledger import status
from workbench.ledger.claims import exact_verdicts
from workbench.report import calibration_results, cards, document, pages
from workbench.report.dossier import Dossier
from workbench.report.drawing.draw import CURVES
from workbench.report.drawing.figure import Figure
from workbench.report.redraw import Drawing
from workbench.run import catalog
from workbench.run.options import Options, UsageError
from workbench.run.pool import load_results
from workbench.run.store.results import Store
from workbench.verdicts import verify
from workbench.verdicts.omissions import omissions as not_judged
from workbench.verdicts.verdict_cache import Kept

IMAGES = "figures"  # the folder of the pictures inside the dossier


def report(
    keys: Iterable[str], options: Options, store: Store, folder: Path, warn: Callable[[str], None]
) -> list[Path]:
    """Writes the dossier of papers, by key or path (or all), into a folder; returns its pages, the overview first.

    It simulates nothing. Raises UsageError for a key that is no paper's, for results that are not in the store, and for
    a folder that cannot be written.
    """
    keys, cache = list(keys), Kept()
    papers_of(keys)
    writable(folder)
    dossier = collect(keys, options, store, warn, cache)
    selection = figures(dossier)
    try:
        drawing = Drawing(options, store, folder / IMAGES, ("svg", CURVES), warn)
        paths = drawing.draw(drawing.stale(selection), dossier.results)
        next(paths, None)  # the others are drawn while the pages are made
        images = {f.key: folder / IMAGES / f"{f.key.replace('/', '-')}.svg" for f in selection}
        texts = pages.page_texts(dossier, images, folder, calibration_results.at_hand(store.folder))
        for _ in paths:
            pass
        return pages.write(texts, folder)
    except OSError as error:
        raise UsageError(f"cannot write the report to {folder}: {error.strerror}") from None


def figures(dossier: Dossier) -> list[Figure]:
    """The figures whose results are at hand."""
    return [f for paper in dossier.papers for f in dossier.figures[paper.key]]


def collect(
    keys: Iterable[str], options: Options, store: Store, warn: Callable[[str], None], cache: Kept
) -> Dossier:
    """Collects what a report shows of papers, by key or path (or all); simulates nothing.

    cache: must have been made before papers are imported.

    Raises UsageError for a key that is no paper's, and for results that are not in the store. warn: called for each
    figure that is left out.
    """
    keys = list(keys)
    papers = papers_of(keys)
    claims, omissions = verify.chosen_claims(keys, options)
    selection = [f for f in catalog.figures().values() if Key.of(f.key).paper in papers]
    results = load_results(verify.simulations_of([*claims, *selection]), options, store, warn)
    simulations = [sim.key for sim in verify.simulations_of(claims)]
    if missing := [key for key in simulations if key not in results]:
        counts = f"{len(simulations) - len(missing)} of the {len(simulations)} results that the report needs"
        first = f"{missing[0]}{', ...' if len(missing) > 1 else ''}"
        raise UsageError(
            f"the store {store.folder} holds {counts} (missing: {first}); "
            f"compute them with: {_command(keys, options)}"
        )
    lines = cache.get_or_make(
        claims, options, store, lambda subset: verify.lines_from(subset, results, options, store)
    )
    lemmas = {k: x for k, x in catalog.lemmas().items() if x.paper.key in papers}
    exact_verdicts(lemmas.values(), store.folder, options.jobs)
    measured = verify.measured(lines)
    links = status.links(lemmas.values(), measured, store.folder, options.jobs)
    status.remember(papers, measured)  # for captions, of figures that are not drawn again, too
    proofs = verify.proof_verdicts(lines, store.folder, options.jobs)
    reasons = not_judged(omissions, options.profile)
    theorems = {card.key: card for card in cards.of_lines(lines, proofs, reasons)}
    plans = {
        paper: verify.read_by(plan, options) for paper, plan in verify.plans_of([*claims, *omissions]).items()
    }
    verdicts = document.verdicts(lines, theorems.values(), options, keys, reasons)
    dossier = Dossier(
        lines, links, results, theorems, options.profile, options.seed, omissions, plans, verdicts
    )
    ready = figures(dossier)
    for figure in (f for f in selection if f not in ready):
        warn(f"{figure.key} is left out: a simulation that it draws is not in the store")
    return dossier


def _command(keys: Iterable[str], options: Options) -> str:
    """The command that computes what is missing."""
    settings = {name: getattr(options, name) for name in ("profile", "runs", "horizon", "seed")}
    words = [f"--{name} {value}" for name, value in settings.items() if value not in (None, 0)]
    return " ".join(["workbench verify", *keys, *words])


def papers_of(keys: Iterable[str]) -> list[str]:
    """The keys of the named papers, or of all. Raises UsageError for a key that is no paper's."""
    entries = catalog.entries_for(keys)
    if other := [e for e in entries if e.kind != "paper"]:
        raise UsageError(f"{other[0].key} is of kind {other[0].kind}; a report is about papers")
    return [e.key for e in entries] or [e.key for e in catalog.entries() if e.kind == "paper"]


def writable(folder: Path) -> None:
    """Raises UsageError before anything is computed if the folder cannot be made or written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot create the folder {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise UsageError(f"cannot write the report to {folder}: permission denied")
