"""`workbench worst-case`: what a bound says beside the certified worst case over a class of functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli.console import empty_table, err, fail, plain, stdout
from workbench.cli.documents import beside, check_file, write_json
from workbench.cli.options import JsonFile, StoreDir, folder_named

UNDECIDED = 4  # exit status


Named = Annotated[list[str], typer.Argument(help="Papers or theorems, by path or key.")]
Class = Annotated[
    str | None,
    typer.Option(
        "--class",
        help='Class of the functions, as "smooth convex", or "prox: convex, grad: smooth convex", where no claim'
        " of the file declares it.",
    ),
]
Horizons = Annotated[
    str | None, typer.Option(help="Values of T, as 1,2,5,10,20,40 (default: the claim's, else 1,2,5,10,20).")
]
Distance = Annotated[
    str | None,
    typer.Option(
        help="Of the start from the minimizer or zero, if the bound has no D_1: a formula in its symbols."
    ),
]
Form = Annotated[
    str | None,
    typer.Option(help="Form of the bound, as printed (default: those that are claimed)."),
]
Certificates = Annotated[
    Path | None,
    typer.Option(
        parser=folder_named,
        metavar="PATH",
        help="Folder that certificates are read from and written to (default: in the store).",
    ),
]
Measured = Annotated[
    bool, typer.Option("--measured", help="Simulate, and split the measured slack in theorem and instance.")
]
OneStep = Annotated[
    bool,
    typer.Option(
        "--one-step", help="Only one gradient step, as a formula in its length, proved by the ledger."
    ),
]
Markdown = Annotated[bool, typer.Option("--table", help="Print one row a theorem, as a Markdown table.")]
Picture = Annotated[
    str | None, typer.Option(help="Draw bound, worst case and, with --measured, the curve: PNG, PDF or SVG.")
]


def worst_case(
    keys: Named,
    of: Class = None,
    steps: Horizons = None,
    distance: Distance = None,
    form: Form = None,
    certificates: Certificates = None,
    store: StoreDir = None,
    measured: Measured = False,
    one_step: OneStep = False,
    table: Markdown = False,
    picture: Picture = None,
    json_file: JsonFile = None,
) -> None:
    """Certifies the worst case of a theorem's method over a class of functions, beside the theorem's bound.

    The step of the file is traced as it stands. A new certificate needs a solver (the extra `worst-case`); one that is
    kept is only checked. Exit status 0: the bound covers the worst case at every T, 1: it does not, 4: not decided, 2:
    there is no worst case to speak of (in one sentence why).
    """
    from workbench.ledger.worst_case import report
    from workbench.ledger.worst_case.claims import folders_of
    from workbench.run.store.results import Store, store_folder

    if json_file is not None:
        check_file(json_file)
    results = Store(store_folder(store))
    folders = [certificates] if certificates else []
    reports, reasons, proofs = [], [], []
    for key in keys:
        try:
            for claim in report.claims_of(
                key, report.classes_of(of), report.horizons_of(steps), distance, form
            ):
                if one_step:
                    sentences, proof_complete = report.one_step(claim, results.folder)
                    proofs.append(proof_complete)
                    stdout().print(plain("\n".join(sentences)), soft_wrap=True)
                    continue
                slacks = report.measured_curve(claim, results) if measured else {}
                reports.append(report.of_claim(claim, [*folders, *folders_of(claim, results.folder)], slacks))
        except report.NotCovered as error:
            reasons.append(str(error))
    failure = write_json(
        json_file, {"worst_cases": [one.record() for one in reports], "not_covered": reasons}
    )
    with beside(json_file):
        if table and reports:
            print("\n".join([report.TABLE, *(one.markdown() for one in reports)]))
        for one in reports if not table else ():
            _show(one)
        if picture is not None and reports:
            _draw(reports, picture)
    for reason in reasons:
        err().print(f"[yellow]no worst case:[/] {plain(reason)}", soft_wrap=True)
    if failure:
        raise fail(failure)
    raise typer.Exit(_status(reports, proofs))


def _status(reports: Sequence[Any], proofs: Sequence[bool]) -> int:
    """The exit status. proofs: for each formula of one step, whether it is proved."""
    if proofs:
        return 0 if all(proofs) else UNDECIDED
    covers = [answer.covers for one in reports for answer in one.answers]
    return 2 if not reports else 1 if False in covers else UNDECIDED if None in covers else 0


def _show(one: Any) -> None:
    console = stdout()
    console.print(plain(one.title), soft_wrap=True)
    table = empty_table(pad_edge=False)
    for name in one.columns:
        table.add_column(name, justify="right")
    for row in one.rows():
        table.add_row(*row)
    console.print(table)
    for sentence in one.sentences():
        console.print(plain(sentence), soft_wrap=True)


def _draw(reports: Any, path: str) -> None:
    from workbench.report.drawing import worst_cases

    try:
        worst_cases.save([one.curves() for one in reports], Path(path))
    except (OSError, ValueError) as error:
        raise fail(f"cannot draw {path}: {error}") from None
    print(f"picture {path}")
