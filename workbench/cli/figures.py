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
    from workbench.run import catalog
    from workbench.run.options import UsageError
    from workbench.run.pending import as_held
    from workbench.run.pool import ensure
    from workbench.run.store.results import Store, store_folder
    from workbench.verdicts import verify as verification

    options = dataclasses.replace(options, data=data)
    held = Store(store_folder(store))
    drawing = Drawing(options, held, out, warn=warn)
    entries = catalog.chosen(keys or [])
    of_papers = {e.key for e in entries if e.kind == "paper"}
    wanted = {e.key for e in entries if e.kind == "figure"}
    if other := [e for e in entries if e.kind not in ("paper", "figure")]:
        raise UsageError(f"{other[0].key} is of kind {other[0].kind}; name a paper or a figure")
    chosen = [
        f
        for f in catalog.figures().values()
        if not entries or f.key in wanted or Key.of(f.key).paper in of_papers
    ]
    if not chosen:
        said = "; ".join(left_out({e.paper for e in entries}))
        raise UsageError(said or f"{', '.join(e.key for e in entries)} has no figure")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot create the folder {out}: {error.strerror}") from None
    stale = chosen if redraw else drawing.stale(chosen)
    for figure in chosen:
        if figure not in stale:
            print(f"{figure.key} is up to date")
    sims = verification.needed(stale)
    with Bars() as bars:
        done, at = bars.of(sims)
        results = ensure(sims, options, held, done, warn, at, begin=as_held)
    try:
        for path in drawing.draw(stale, results):
            print(path)
    except OSError as error:
        raise fail(f"cannot write the figures to {out}: {error.strerror}") from None
    broken = left_out({Key.of(f.key).paper for f in chosen})
    for sentence in broken:
        warn(sentence)
    if broken:
        raise typer.Exit(1)
    check_stored(held)
    can_be_repeated = all(drawing.was_noted(figure) and not figure.of_proof for figure in chosen)
    if can_be_repeated and not redraw and options.backend == "auto":
        answers.keep([f"{figure.key} is up to date\n" for figure in chosen], drawing.files(chosen))
