"""`workbench calibrate`: how often the checkers are wrong, on planted data or on a paper's own curves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli.console import empty_table, fail, stdout, warn
from workbench.cli.options import Jobs, Keys, StoreDir

Rows = list[dict[str, object]]


def calibrate(
    keys: Keys = None,
    repeats: Annotated[
        int,
        typer.Option(
            help="Planted data sets per scenario; three times as many where it must decide, or is wrong once."
        ),
    ] = 15,
    seed: Annotated[int, typer.Option(help="Seed of the planted curves.")] = 0,
    seconds: Annotated[
        float,
        typer.Option(
            help="Time limit of each false or true statement for the exact checkers; 0: none of them."
        ),
    ] = 1.0,
    profile: Annotated[str, typer.Option(help="With papers: the profile whose runs are used.")] = "quick",
    store: StoreDir = None,
    jobs: Jobs = None,
    reuse: Annotated[
        bool,
        typer.Option("--kept", help="Do nothing if the store has an outcome of the same code and options."),
    ] = False,
) -> None:
    """Tests the checkers themselves: on planted curves (false alarms, power), and on statements of known truth.

    The outcome is kept in the store, from where `workbench report --paper` takes it. With papers: on the curves of
    their own claims, bent to the claimed exponent and to a slower one; that is not kept.
    """
    from workbench.report import calibration_results
    from workbench.run.options import Options, UsageError
    from workbench.run.store.results import store_folder

    if repeats < 1:
        raise UsageError(f"the number of repeats must be at least 1, got {repeats}")
    if keys:
        if reuse:
            raise UsageError("--kept is about the outcome without papers; leave out one of the two")
        _calibrate_on(keys, Options(profile=profile, seed=seed, jobs=jobs), store, 3 * repeats)
        return
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"the time limit must be 0 or a number of seconds, got {seconds:g}")
    Options(seed=seed)
    folder = store_folder(store)
    previous = calibration_results.load(folder) if reuse else None
    if previous is not None and (previous.repeats, previous.seed, previous.seconds) == (
        repeats,
        seed,
        seconds,
    ):
        print(f"the outcome in {folder / calibration_results.NAME} is of the same code and options")
        return
    rows, calls, sizes, wrong = _calibrate_statistics(repeats, seed)
    statements, more = _calibrate_exact(seconds) if seconds else ([], [])
    calibration_results.save(
        calibration_results.Calibration(repeats, seed, seconds, rows, sizes, statements, calls), folder
    )
    if wrong + more:
        raise fail("; ".join(wrong + more), 1)


def _calibrate_statistics(repeats: int, seed: int) -> tuple[Rows, Rows, Rows, list[str]]:
    """The tables of planted curves, of calls of verify and of tests of a mean; and sentences on what is wrong."""
    from workbench.verdicts.calibration import calibrate as calibration
    from workbench.verdicts.calibration import papers

    wrong = []
    rows = calibration.calibrate(repeats, seed)
    stdout().print(_table_of(rows))
    calls = papers.calls(repeats, seed)
    stdout().print(_table_of(calls))
    if often := papers.failures(calls):
        wrong.append(f"more than 1 % of the calls decide a claim wrongly in: {', '.join(often)}")
    sizes = calibration.sizes(samples=2500 * repeats, seed=seed)
    stdout().print(_table_of(sizes))
    if over := [str(row["mean of"]) for row in sizes if not row["ok"]]:
        wrong.append(f"the test of a mean is wrong more often than it is known to be: {'; '.join(over)}")
    if bad := calibration.failures(rows):
        wrong.append(f"the checker misses its promised error rates in: {', '.join(bad)}")
    return rows, calls, sizes, wrong


def _calibrate_exact(seconds: float) -> tuple[Rows, list[str]]:
    """What the exact checkers say of statements of known truth, and a sentence if they are wrong about some."""
    from workbench.ledger import corpus

    entries = corpus.entries()
    if not entries:
        warn(
            "the exact checkers are not calibrated here: the statements of known truth are part of the source "
            "tree (tests/ledger_corpus), which this copy does not have"
        )
        return [], []
    fates = corpus.judge(entries, seconds)
    statements = corpus.table(fates)
    stdout().print(_table_of(statements))
    bad = corpus.failures(fates)
    examples = "; ".join(bad[:5]) + (f"; and {len(bad) - 5} more" if len(bad) > 5 else "")
    sentence = f"the exact checkers are wrong about {len(bad)} statements of known truth: {examples}"
    return statements, [sentence] if bad else []


def _calibrate_on(keys: list[str], options: Any, store: Path | None, repeats: int) -> None:
    from workbench.run.store.results import Store, store_folder
    from workbench.verdicts.studies import curve_calibration

    rows = curve_calibration.rows(keys, options, Store(store_folder(store)), repeats, warn)
    stdout().print(_table_of(rows))
    if wrong := sorted({str(row["claim"]) for row in rows if not row["ok"]}):
        raise fail(f"wrong verdicts are more frequent than promised for: {'; '.join(wrong)}", 1)


def _table_of(rows: Rows) -> Any:
    table = empty_table()
    for name in rows[0]:
        table.add_column(name.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()))
    return table
