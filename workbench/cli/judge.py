"""`workbench judge`: a verdict on a table of curves from anywhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli.console import fail, say, warn
from workbench.cli.documents import check_file, write_json
from workbench.cli.options import JsonFile
from workbench.homes.disk import SCHEMA

UNDECIDED = 4  # exit status
Table = Annotated[
    str,
    typer.Argument(
        help="CSV, JSON lines, .npy, .npz, netCDF, Parquet; a folder of TensorBoard or benchopt; -: standard input"
    ),
]
Claim = Annotated[
    str,
    typer.Option(
        help='-1/4, "T^-1/2 log T", "T^-2/3 or faster", "<= 2*sqrt(T)", "level 0.834 T^-1/4", "linear" (0.9^T), '
        '"bounded", "diverges" or "tends to 3".'
    ),
]
Along = Annotated[
    str | None, typer.Option(help="Column of a parameter (h, d, sigma): judge the exponent in it.")
]
Window = Annotated[
    tuple[float, float] | None, typer.Option(help="First and last checkpoint to read.", metavar="FROM TO")
]
Tolerance = Annotated[
    float | None, typer.Option(help="Exponents (levels, relatively) this close are the same: 0.03.")
]
RunningMean = Annotated[bool, typer.Option("--running-mean", help="The values are means over (0, T].")]
Exact = Annotated[bool, typer.Option("--exact", help="One run is enough: its numbers have no noise.")]
Without = Annotated[
    list[str] | None,
    typer.Option(help="Allow for no start-up, slower terms, waves or residuals; may be repeated."),
]
Pair = Annotated[
    tuple[str, str] | None, typer.Option(help="Also say which of two groups is ahead.", metavar="A B")
]

Common = Annotated[bool, typer.Option("--common", help="Keep only checkpoints that all runs have.")]
Notes = Annotated[bool, typer.Option("--notes", help="Also print what the statistics say besides.")]
Picture = Annotated[
    str | None, typer.Option(help="PNG, PDF or SVG (default: FILE-judged.png); none for no picture.")
]


def judge(
    file: Table,
    claimed: Claim,
    run: Annotated[str | None, typer.Option(help="Column that tells runs apart.")] = None,
    at: Annotated[str | None, typer.Option(help="Column of the checkpoints.")] = None,
    value: Annotated[str | None, typer.Option(help="Column (or array) that is judged.")] = None,
    along: Along = None,
    group: Annotated[str | None, typer.Option(help="Column of the methods; one verdict each.")] = None,
    window: Window = None,
    tol: Tolerance = None,
    running_mean: RunningMean = False,
    exact: Exact = False,
    without: Without = None,
    common: Common = False,
    level: Annotated[float, typer.Option(help="Probability of any wrong verdict in this call.")] = 0.01,
    compare: Pair = None,
    pairs: Annotated[bool, typer.Option("--paired", help="Runs of one name are pairs in --compare.")] = False,
    notes: Notes = False,
    picture: Picture = None,
    json_file: JsonFile = None,
) -> None:
    """Judges a claim on measured curves: does the mean over runs fall as claimed?

    A table has a row or a column a run, or a row per run and checkpoint. Exit status 0: the claim holds, 1: it is
    violated, 4: it is not decided, 2: the table or the claim cannot be read.
    """
    from workbench.report.judging import judgement, table
    from workbench.report.judging.claim_text import read_claim

    roles = table.Roles(run, along or at, value, group)
    with _mistakes_in_sentences(file):
        content = table.read(sys.stdin.buffer.read() if file == "-" else Path(file), roles, common)
        claim = read_claim(claimed, along or _variable(claimed, content.at))
        protections = judgement.names_of(without or ())
        reading = judgement.Reading(window, tol, running_mean, along is not None, exact, protections)
        judgements = judgement.judge_all(content.groups, claim, reading, level, content.value)
        comparison = _comparison(content, compare, pairs, level) if compare else None
    if json_file is not None:
        check_file(json_file)
    for note in content.notes:
        warn(note)
    print(f"table     {content.layout}")
    for one in judgements:
        for word, text in one.lines(notes):
            say(f"{word:<8}  {text}")
    if comparison is not None:
        say(f"compared  {comparison}")
    failure = write_json(json_file, {"schema": SCHEMA, "judgements": [one.record() for one in judgements]})
    _draw(judgements, content, file, picture)
    if failure:
        raise fail(failure)
    verdicts = {one.verdict for one in judgements}
    raise typer.Exit(1 if "violated" in verdicts else UNDECIDED if "not decided" in verdicts else 0)


@contextmanager
def _mistakes_in_sentences(file: str) -> Iterator[None]:
    """Ends the command with one sentence where the table or the claim cannot be read."""
    from workbench.homes.disk import NotPlain
    from workbench.report.judging.claim_text import ClaimError
    from workbench.report.judging.table import TableError

    try:
        yield
    except (TableError, NotPlain) as error:
        raise fail(f"{file}: {error}") from None
    except OSError as error:
        raise fail(f"cannot read {file}: {error.strerror}") from None
    except ClaimError as error:
        raise fail(f"the claim cannot be read: {error}") from None
    except ValueError as error:
        raise fail(str(error)) from None


def _variable(claimed: str, at: str) -> str:
    """The name that the claim uses for the checkpoints: that of their column if it occurs, else T."""
    import re

    return at if re.search(rf"(?<![A-Za-z_]){re.escape(at)}(?!\w)", claimed) else "T"


def _comparison(content: Any, names: tuple[str, str], pairs: bool, level: float) -> Any:
    from workbench.report.judging import judgement

    groups = {curves.name: curves for curves in content.groups}
    for name in names:
        if name not in groups:
            raise ValueError(f"there is no group {name!r}; there are {', '.join(map(repr, groups))}")
    return judgement.compare(groups[names[0]], groups[names[1]], pairs, level)


def _draw(judgements: Any, content: Any, file: str, path: str | None) -> None:
    if path == "none":
        return
    from workbench.report.drawing import without_docs

    without_docs.load()
    from workbench.report.judging import picture

    to = Path(path or f"{Path(file).stem if file != '-' else 'standard-input'}-judged.png")
    try:
        picture.save(
            picture.draw([one.panel() for one in judgements], at=content.at, value=content.value), to
        )
    except (OSError, ValueError) as error:
        raise fail(f"cannot draw {to}: {error}") from None
    print(f"picture   {to}")
