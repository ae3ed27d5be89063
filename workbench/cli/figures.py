"""`workbench figures`: simulates what is missing, then draws what is out of date."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli import answers
from workbench.cli.console import check_stored, fail, left_out, warn
from workbench.cli.options import Keys, StoreDir, folder_named, simulates
from workbench.cli.progress import Bars
from workbench.homes.keys import Key

OUT = Path("figures/out")


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
    ] = OUT,
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Also redraw figures that are up to date.")
    ] = False,
) -> None:
    """Draws figures that are out of date from the store, after simulating missing results."""
    from workbench.run.store.results import Store, store_folder

    options = dataclasses.replace(options, data=data)
    results_store = Store(store_folder(store))
    selection = _selection(keys or [])
    drawing = draw(selection, options, results_store, out, redraw)
    complaints = left_out({Key.of(f.key).paper for f in selection})
    for sentence in complaints:
        warn(sentence)
    if complaints:
        raise typer.Exit(1)
    check_stored(results_store)
    if drawing.can_be_repeated(selection) and not redraw and options.backend == "auto":
        answers.keep(up_to_date(selection), drawing.files(selection))


def draw(figures: list[Any], options: Any, store: Any, out: Path, redraw: bool = False) -> Any:
    """Draws those of the figures that are out of date, prints their files, and returns the `Drawing`."""
    from workbench.report.redraw import Drawing
    from workbench.run.options import UsageError
    from workbench.run.pending import as_held
    from workbench.run.pool import ensure
    from workbench.verdicts import verify as verification

    drawing = Drawing(options, store, out, warn=warn)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot create the folder {out}: {error.strerror}") from None
    stale = figures if redraw else drawing.stale(figures)
    for line in up_to_date(figure for figure in figures if figure not in stale):
        print(line, end="")
    sims = verification.simulations_of(stale)
    with Bars() as bars:
        finish, at = bars.of(sims)
        results = ensure(sims, options, store, finish, warn, at, begin=as_held)
    try:
        for path in drawing.draw(stale, results):
            print(path)
    except OSError as error:
        raise fail(f"cannot write the figures to {out}: {error.strerror}") from None
    return drawing


def up_to_date(figures: Iterable[Any]) -> list[str]:
    return [f"{figure.key} is up to date\n" for figure in figures]


def of_papers(papers: Collection[str]) -> list[Any]:
    """The figures of these papers, whose modules load Matplotlib."""
    from workbench.report.drawing import without_docs

    without_docs.load()
    from workbench.run import catalog

    return [f for f in catalog.figures().values() if Key.of(f.key).paper in papers]


def _selection(keys: list[str]) -> list[Any]:
    """The figures that are named, and those of named papers; without keys all. Raises UsageError for none."""
    from workbench.report.drawing import without_docs

    without_docs.load()
    from workbench.run import catalog
    from workbench.run.options import UsageError

    entries = catalog.chosen(keys)
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
