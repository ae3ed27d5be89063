"""`workbench figures`: simulates what is missing, then draws what is out of date."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli import answers
from workbench.cli.console import check_stored, fail, left_out, warn
from workbench.cli.options import Keys, StoreDir, folder_named, simulates
from workbench.cli.progress import Bars
from workbench.homes.keys import Key


@simulates
def figures(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    data: Annotated[
        str, typer.Option(help="bundled, or real: fetch the papers' own data sets if available.")
    ] = "bundled",
    out: Annotated[
        Path,
        typer.Option(parser=folder_named, metavar="PATH", help="Folder for the PDF, PNG and caption files."),
    ] = Path("figures/out"),
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Also redraw figures that are up to date.")
    ] = False,
) -> None:
    """Draws figures that are out of date from the store, after simulating missing results."""
    from workbench.report.redraw import Drawing
    from workbench.run.options import UsageError
    from workbench.run.pending import as_held
    from workbench.run.pool import ensure
    from workbench.run.store.results import Store, store_folder
    from workbench.verdicts import verify as verification

    options = dataclasses.replace(options, data=data)
    results_store = Store(store_folder(store))
    drawing = Drawing(options, results_store, out, warn=warn)
    selection = _selection(keys or [])
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot create the folder {out}: {error.strerror}") from None
    stale = selection if redraw else drawing.stale(selection)
    for figure in selection:
        if figure not in stale:
            print(f"{figure.key} is up to date")
    sims = verification.simulations_of(stale)
    with Bars() as bars:
        finish, at = bars.of(sims)
        results = ensure(sims, options, results_store, finish, warn, at, begin=as_held)
    try:
        for path in drawing.draw(stale, results):
            print(path)
    except OSError as error:
        raise fail(f"cannot write the figures to {out}: {error.strerror}") from None
    complaints = left_out({Key.of(f.key).paper for f in selection})
    for sentence in complaints:
        warn(sentence)
    if complaints:
        raise typer.Exit(1)
    check_stored(results_store)
    can_be_repeated = all(drawing.was_noted(figure) and not figure.of_proof for figure in selection)
    if can_be_repeated and not redraw and options.backend == "auto":
        answers.keep([f"{figure.key} is up to date\n" for figure in selection], drawing.files(selection))


def _selection(keys: list[str]) -> list[Any]:
    """The figures that are named, and those of named papers; without keys all. Raises UsageError for none."""
    from workbench.run import catalog
    from workbench.run.options import UsageError

    entries = catalog.entries_for(keys)
    names = {kind: {e.key for e in entries if e.kind == kind} for kind in ("paper", "figure")}
    if other := [e for e in entries if e.kind not in names]:
        raise UsageError(f"{other[0].key} is of kind {other[0].kind}; name a paper or a figure")
    selection = [
        f
        for f in catalog.figures().values()
        if not entries or f.key in names["figure"] or Key.of(f.key).paper in names["paper"]
    ]
    if not selection:
        reason = "; ".join(left_out({e.paper for e in entries}))
        raise UsageError(reason or f"{', '.join(e.key for e in entries)} has no figure")
    return selection
