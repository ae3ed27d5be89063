"""`workbench report`: the pages for a browser, or the generated parts of a LaTeX document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli.console import fail, warn
from workbench.cli.options import Keys, StoreDir, folder_named, simulates
from workbench.cli.progress import Bars


@simulates
def report(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    out: Annotated[
        Path,
        typer.Option(parser=folder_named, metavar="PATH", help="Folder for the pages and their pictures."),
    ] = Path("report"),
    paper: Annotated[
        Path | None,
        typer.Option(
            parser=folder_named,
            metavar="PATH",
            help="Write tables, numbers and figures for a LaTeX document in this folder, into its generated/.",
        ),
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="With --paper: also compile its main.tex.")] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Only say whether the text of --paper (default: paper) fits the store."),
    ] = False,
    pictures: Annotated[
        Path,
        typer.Option("--figures", parser=folder_named, metavar="PATH", help="Figures that --paper takes."),
    ] = Path("figures/out"),
) -> None:
    """Writes an HTML dossier of stored results, which needs no network; or with --paper what a LaTeX document shows."""
    from workbench.report.report import report as write_pages
    from workbench.run.options import UsageError
    from workbench.run.store.results import Store, store_folder

    results = Store(store_folder(store))
    if pdf and paper is None:
        raise UsageError("--pdf compiles the document of --paper; name its folder")
    if pdf and check:
        raise UsageError("--pdf compiles the document, which --check leaves alone; leave one of them out")
    if check:
        _check_paper(keys or [], options, results, paper or Path("paper"))
    elif paper is not None:
        _write_paper(keys or [], options, results, paper, pictures, pdf)
    else:
        with Bars():
            pages = write_pages(keys or [], options, results, out, warn)
        print(f"{len(pages)} files; open {pages[0]}")


def _check_paper(keys: list[str], options: Any, store: Any, folder: Path) -> None:
    from workbench.report import paper

    misfits = paper.check(keys, options, store, folder, warn)
    for sentence in misfits:
        print(sentence)
    if misfits:
        raise fail(f"the text in {folder / paper.GENERATED} does not fit the store {store.folder}", 1)
    print(f"the text in {folder / paper.GENERATED} fits the store {store.folder}")


def _write_paper(keys: list[str], options: Any, store: Any, folder: Path, pictures: Path, pdf: bool) -> None:
    from workbench.report import paper, tex

    files = paper.write(keys, options, store, folder, pictures, warn)
    print(f"{len(files)} files in {folder / paper.GENERATED}")
    if pdf:
        try:
            print(tex.compile_pdf(folder / "main.tex"))
        except tex.TexError as error:
            raise fail(str(error), 1) from None
