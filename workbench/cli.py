"""The command line: parses, calls, prints.

Exit status 0: as expected, 1: not as expected, 2: usage error, 3: a fault of the workbench.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from typer.core import TyperGroup

from workbench import disk, guard, papers

err = Console(stderr=True, highlight=False)
_UsageError: type[Exception] = typer.BadParameter.__mro__[
    1
]  # Click's; newer versions of Typer have their own copy


class _Commands(TyperGroup):
    """Commands whose mistakes of usage (an unknown option, a missing argument) are one sentence, as all others are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args:
            print(ctx.get_help())
            raise typer.Exit(2)
        return _in_a_sentence(super().parse_args, ctx, args)

    def invoke(self, ctx: Any) -> Any:
        return _in_a_sentence(super().invoke, ctx)


def _in_a_sentence(call: Callable[..., Any], *args: Any) -> Any:
    try:
        return call(*args)
    except _UsageError as error:
        said = " ".join(error.format_message().split())  # type: ignore[attr-defined]
        raise _fail(f"{said[:1].lower()}{said[1:].rstrip('.')}; see --help") from None


app = typer.Typer(cls=_Commands, add_completion=False, pretty_exceptions_enable=False, help=__doc__)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"workbench {version('theorem-workbench')}")
        except PackageNotFoundError:  # run from a checkout that is not installed
            print("workbench (not installed)")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version.")
    ] = False,
) -> None:
    pass


def _folder(name: str) -> Path:
    """An empty name, as of an unset shell variable, would mean the current folder."""
    if not name:
        raise ValueError("an empty name is no folder")
    return Path(name)


Keys = Annotated[
    list[str] | None,
    typer.Argument(
        help="Keys or prefixes (see `workbench list`), or papers by path: ./my_paper, ./my_claim.py."
    ),
]
StoreDir = Annotated[
    Path | None,
    typer.Option("--store", parser=_folder, metavar="PATH", help="Result folder (default: .workbench)."),
]
Jobs = Annotated[int | None, typer.Option(help="Processes (default: one per core).")]
# The options of every command that simulates: field of `Options` -> annotation and default.
RUN_OPTIONS: dict[str, tuple[Any, Any]] = {
    "profile": (Annotated[str, typer.Option(help="quick, default or full.")], "default"),
    "backend": (Annotated[str, typer.Option(help="auto, numpy or cupy.")], "auto"),
    "engine": (Annotated[str, typer.Option(help="auto, eager or fused.")], "auto"),
    "fast": (
        Annotated[
            bool,
            typer.Option(
                "--fast",
                help="Let compiled kernels fuse a * b + c; changes the last bits, stored separately.",
            ),
        ],
        False,
    ),
    "seed": (
        Annotated[int, typer.Option(help="Seed of the noise and of the starts.")],
        0,
    ),
    "runs": (
        Annotated[int | None, typer.Option(help="Runs per parameter point (default: the profile's).")],
        None,
    ),
    "horizon": (Annotated[int | None, typer.Option(help="Iterations (default: the profile's).")], None),
    "jobs": (Jobs, None),
    "cluster": (
        Annotated[
            str | None,
            typer.Option(help="Compute on a Dask cluster: local:N, an address, or a .toml file."),
        ],
        None,
    ),
}
Data = Annotated[str, typer.Option(help="bundled, or real: fetch the papers' own data sets if available.")]
Seed = Annotated[int, typer.Option(help="Seed of the planted curves.")]
JsonFile = Annotated[Path | None, typer.Option("--json", help="Also write the outcome to this file.")]


def _fail(sentence: str, status: int = 2) -> typer.Exit:
    err.print(f"[bold red]error:[/] {_plain(sentence)}", soft_wrap=True)
    return typer.Exit(status)


def _plain(text: str) -> str:
    return text.replace("[", r"\[")


def _warn(sentence: str) -> None:
    err.print(f"[yellow]warning:[/] {_plain(sentence)}", soft_wrap=True)


def _warner(heard: list[str]) -> Callable[[str], None]:
    """A function that prints a warning and records it for the exit status."""

    def warn(sentence: str) -> None:
        heard.append(sentence)
        _warn(sentence)

    return warn


def _mistakes() -> tuple[type[Exception], ...]:
    """The errors that a user causes; imported late, since they live beside what they come from."""
    from workbench.arrays.backends import BackendError
    from workbench.catalog import UnknownKey
    from workbench.experiments.plan import BadPlan
    from workbench.papers import NoPaper
    from workbench.run.options import UsageError
    from workbench.store.results import StoreError

    return UnknownKey, NoPaper, BadPlan, UsageError, BackendError, StoreError


def _command(function: Callable) -> Callable:
    """Turns a user's mistake into one sentence and exit status 2, and an interrupt into exit status 130."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            with papers.restored():
                if function.__name__ != "list_":  # which keeps a listing of all
                    papers.narrow([*(kwargs.get("keys") or ()), *filter(None, [kwargs.get("key")])])
                function(*args, **kwargs)
        except MemoryError as error:
            raise _fail(f"not enough memory; try fewer runs or processes: {error}") from None
        except KeyboardInterrupt:
            from workbench.run import processes

            processes.stop_server()
            kept = "finished simulations are stored, and a long unfinished one resumes from its checkpoint"
            raise _fail(f"interrupted; {kept}", 130) from None
        except Exception as error:
            if isinstance(error, _mistakes()):
                raise _fail(str(error)) from None
            raise

    return app.command(function.__name__.rstrip("_"))(run)


def _simulates(function: Callable) -> Callable:
    """Replaces a command's `Options` parameter by the command-line options in `RUN_OPTIONS`."""
    signature = inspect.signature(function, eval_str=True)
    own = [p for name, p in signature.parameters.items() if name != "options"]

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        from workbench.run.options import Options

        given = {name: kwargs.pop(name) for name in RUN_OPTIONS}
        function(*args, options=Options(**given), **kwargs)

    asked = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in RUN_OPTIONS.items()
    ]
    run.__signature__ = signature.replace(parameters=[*own, *asked])  # type: ignore[attr-defined]
    return run


@_command
def list_(
    keys: Keys = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
    errata: Annotated[bool, typer.Option("--errata", help="List the errata and their checks.")] = False,
    instances: Annotated[
        bool,
        typer.Option(
            "--instances", help="Show the ready instances, or those of the keys, with their constants."
        ),
    ] = False,
) -> None:
    """Lists papers, theorems, lemmas, errata, algorithms, instances, experiments and figures."""
    if instances:
        from workbench import instance_list

        found = instance_list.rows(keys or [])
        if not found:
            raise _fail(f"{', '.join(keys or [])}: there is no instance")
        print(instance_list.as_json(found) if as_json else instance_list.text(found))
        return
    if errata:
        _list_errata(keys or [], as_json)
        return
    rows = _rows(keys or [])
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("kind", "key"):
        table.add_column(name, no_wrap=True, min_width=max(len(e[name]) for e in rows))
    table.add_column("title", no_wrap=True, overflow="ellipsis", max_width=80)
    table.add_column("source", no_wrap=True, overflow="ellipsis")
    for e in rows:
        table.add_row(e["kind"], e["key"], _plain(e["title"]), _plain(e["source"]))
    _console().print(table)


def _written(path: Path | None, document: Any) -> str:
    """Writes JSON to a file, if one is named; returns why it cannot, or ""."""
    try:
        if path is not None:
            disk.replace(path, (json.dumps(document, indent=1) + "\n").encode())
    except OSError as error:
        return f"cannot write {path}: {error.strerror}"
    return ""


def _rows(keys: list[str]) -> list[dict[str, str]]:
    """The lines of the listing: all, or those of the named papers and entries."""
    from workbench import listing

    if not keys:
        return listing.rows(_warn)
    from workbench import catalog

    entries = catalog.chosen(keys)
    wanted = {e.key for e in entries} | {e.paper for e in entries if e.kind == "paper"}
    for sentence in _left_out({e.paper for e in entries}):
        _warn(sentence)
    return [vars(e) for e in catalog.entries() if e.key in wanted or e.paper in wanted]


def _left_out(keys: Iterable[str]) -> list[str]:
    """What is wrong with modules of these papers that could not be imported."""
    from workbench import catalog

    return [sentence for key in sorted(keys) for sentence in catalog.broken().get(key, ())]


def _list_errata(keys: list[str], as_json: bool) -> None:
    """Prints the printed and corrected form of each erratum, and the ledger's checks that document it."""
    from workbench import catalog

    wanted = {e.paper for e in catalog.chosen(keys)}
    rows = [row for row in catalog.errata_rows() if not keys or row["key"].split("/")[0] in wanted]
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    for row in rows:
        _console().print(f"[bold]{row['key']}[/]  {_plain(row['title'])}  [dim]{_plain(row['source'])}[/]")
        _console().print(f"  printed  {_plain(row['printed'])}")
        _console().print(f"  right    {_plain(row['right'])}")
        for check in row["checks"]:
            _console().print(
                f"  [dim]{check['expected']:9}[/]{_plain(check['lemma'])}: {_plain(check['check'])}"
            )


@_command
@_simulates
def verify(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    json_file: JsonFile = None,
    notes: Annotated[bool, typer.Option("--notes", help="Show the note of every claim.")] = False,
    wide: Annotated[bool, typer.Option("--wide", help="Show all numbers, one row per claim.")] = False,
    timings: Annotated[bool, typer.Option("--timings", help="Say at the end where the time went.")] = False,
) -> None:
    """Collects evidence for theorems and prints the verdict table."""
    from workbench.run.timings import TIMINGS

    with TIMINGS.phase("loading the workbench"):
        from workbench import verify as verification
        from workbench.experiments.plan import SEEDS
        from workbench.report import verdict_table
    from workbench.store.results import Store, store_folder

    if options.seed in SEEDS:
        _warn(
            f"seed {options.seed} is a pilot seed: windows and claims were chosen with it, so it tests nothing"
        )
    warned: list[str] = []
    with TIMINGS.phase("importing papers"):
        claims, left_out = verification.chosen_claims(keys or [], options)
    broken = verification.broken(claims, keys or [])
    for sentence in broken:
        _warn(sentence)
    if json_file is not None:
        _check_file(json_file)
    with _progress(verification.needed(claims)) as (done, at):
        lines = verification.verify(claims, options, Store(store_folder(store)), done, _warner(warned), at)
    chains = verification.chains(lines, store_folder(store), options.jobs)
    document = {
        "meta": _meta(options, keys or []),
        "claims": [line.record() for line in lines],
        "chains": chains,
    }
    unwritten = _written(json_file, document)  # before anything is printed, whose reader may leave
    verdict_table.show(lines, _sized(wide), notes, wide)
    for sentence in chains.values():
        _console().print(_plain(sentence), soft_wrap=True)
    expected = verification.all_as_expected(lines)
    tally = ", ".join(f"{n} {v}" for v, n in verification.counts(lines).items())
    print(f"{len(lines)} claims: {tally}; {'all as expected' if expected else 'NOT all as expected'}.")
    print(f"As evidence: {verification.informative(lines)}.")
    if left_out:
        need = "claim needs" if len(left_out) == 1 else "claims need"
        print(f"{len(left_out)} more {need} a longer profile than {options.profile} to be decided.")
    if timings:
        print(f"Time: {TIMINGS.sentence()}")
    if unwritten:
        raise _fail(unwritten)
    if not expected or broken or any("could not be stored" in w for w in warned):
        raise typer.Exit(1)


@_command
def plan(
    keys: Keys = None,
    profile: Annotated[
        str, typer.Option(help="The profiles to plan: quick, default, full, or several (quick,default).")
    ] = "quick,default",
    check: Annotated[
        bool,
        typer.Option("--check", help="Only say where the committed plan no longer fits; writes nothing."),
    ] = False,
    pilots: Annotated[
        int, typer.Option(min=1, max=3, help="How many pilot seeds; with fewer the margins are less certain.")
    ] = 3,
    store: StoreDir = None,
    jobs: Jobs = None,
) -> None:
    """Chooses from pilot runs where windows start and which claims a profile leaves out, and writes it down.

    The pilot seeds are never verified with. The plan is a file plan.json beside the paper's experiments: commit it.
    """
    from workbench import catalog
    from workbench import verify as verification
    from workbench.experiments import plan as plans
    from workbench.run.options import UsageError
    from workbench.store.results import Store, store_folder
    from workbench.studies import planner

    entries = catalog.chosen(keys or [])
    if other := [e for e in entries if e.kind != "paper"]:
        raise UsageError(f"{other[0].key} is of kind {other[0].kind}; a plan is made for whole papers")
    claims = verification.selected_claims(keys or [])
    before = {p: plans.read(plans.file_of(p)) for p in map(planner.paper_of, claims)} if check else {}
    profiles = list(dict.fromkeys(profile.split(",")))
    seeds = plans.SEEDS[:pilots]
    results = planner.simulate(claims, profiles, seeds, Store(store_folder(store)), jobs, _warn, print)
    made = planner.planned(claims, results, seeds)
    for row in made.rows:
        if row.why:
            _console().print(_plain(f"left out of {row.profile}: {row.name}: {row.why}"), soft_wrap=True)
    for name in profiles:
        rows = [r for r in made.rows if r.profile == name]
        print(
            f"{name}: {len(rows)} statistical claims, {sum(bool(r.why) for r in rows)} left out; "
            f"{planner.few(made.surprises(name))} of the others are expected not to be decided in one call."
        )
    if check:
        said = planner.unfit(made, before)
        for sentence in said:
            _console().print(_plain(sentence), soft_wrap=True)
        print(f"The plan {'does not fit' if said else 'fits'}.")
        raise typer.Exit(1 if said else 0)
    try:
        print("\n".join(planner.write(made)))
    except OSError as error:
        raise _fail(f"cannot write {error.filename}: {error.strerror}") from None


@_command
def check(
    keys: Annotated[list[str], typer.Argument(help="Papers, by path or key.")],
    store: StoreDir = None,
    jobs: Jobs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Runs every contract on a paper: steps, constants, schedules, claims, figures; says what to do about a finding."""
    from workbench.contracts import check as contracts
    from workbench.contracts import outcome
    from workbench.run.options import Options
    from workbench.store.results import Store, store_folder

    options, held = Options("quick", jobs=jobs), Store(store_folder(store))
    found = []
    for each in contracts.check(keys, options, held, _warn):
        found.append(each)
        if not as_json:
            print(outcome.line(each), flush=True)
    if as_json:
        print(json.dumps([dataclasses.asdict(each) for each in found], indent=1))
    else:
        print(outcome.summary(found))
    if any(each.status == "broken" for each in found):
        raise typer.Exit(1)


@_command
@_simulates
def figures(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    data: Data = "bundled",
    out: Annotated[
        Path,
        typer.Option(parser=_folder, metavar="PATH", help="Folder for the PDF, PNG and caption files."),
    ] = Path("figures/out"),
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Also redraw figures that are up to date.")
    ] = False,
) -> None:
    """Draws figures that are out of date from the store, after simulating missing results."""
    from workbench import catalog
    from workbench import verify as verification
    from workbench.report.drawing import Drawing
    from workbench.run.options import UsageError
    from workbench.run.pool import ensure
    from workbench.run.work import as_held
    from workbench.store.results import Store, store_folder

    options = dataclasses.replace(options, data=data)
    held = Store(store_folder(store))
    drawing = Drawing(options, held, out)
    entries = catalog.chosen(keys or [])
    of_papers = {e.key for e in entries if e.kind == "paper"}
    wanted = {e.key for e in entries if e.kind == "figure"}
    if other := [e for e in entries if e.kind not in ("paper", "figure")]:
        raise UsageError(f"{other[0].key} is of kind {other[0].kind}; name a paper or a figure")
    chosen = [
        f
        for f in catalog.figures().values()
        if not entries or f.key in wanted or f.key.split("/")[0] in of_papers
    ]
    if not chosen:
        said = "; ".join(_left_out({e.paper for e in entries}))
        raise UsageError(said or f"{', '.join(e.key for e in entries)} has no figure")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot create the folder {out}: {error.strerror}") from None
    outdated = chosen if redraw else drawing.outdated(chosen)
    for figure in chosen:
        if figure not in outdated:
            print(f"{figure.key} is up to date")
    warned: list[str] = []
    sims = verification.needed(outdated)
    with _progress(sims) as (done, at):
        results = ensure(sims, options, held, done, _warner(warned), at, begin=as_held)
    try:
        for path in drawing.draw(outdated, results):
            print(path)
    except OSError as error:
        raise _fail(f"cannot write the figures to {out}: {error.strerror}") from None
    broken = _left_out({f.key.split("/")[0] for f in chosen})
    for sentence in broken:
        _warn(sentence)
    if broken or any("could not be stored" in w for w in warned):
        raise typer.Exit(1)


@_command
@_simulates
def report(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    out: Annotated[
        Path, typer.Option(parser=_folder, metavar="PATH", help="Folder for the pages and their pictures.")
    ] = Path("report"),
    paper: Annotated[
        Path | None,
        typer.Option(
            parser=_folder,
            metavar="PATH",
            help="Write tables, numbers and figures for a LaTeX document in this folder, into its generated/.",
        ),
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="With --paper: also compile its main.tex.")] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Only say whether the text of --paper (default: paper) fits the store."),
    ] = False,
    drawn: Annotated[
        Path, typer.Option("--figures", parser=_folder, metavar="PATH", help="Figures that --paper takes.")
    ] = Path("figures/out"),
) -> None:
    """Writes an HTML dossier of stored results, which needs no network; or with --paper what a LaTeX document shows."""
    from workbench.report.report import report as written
    from workbench.run.options import UsageError
    from workbench.store.results import Store, store_folder

    held = Store(store_folder(store))
    if pdf and (paper is None or check):
        raise UsageError("--pdf compiles the document of --paper, and does not go with --check")
    if check:
        _check_paper(keys or [], options, held, paper or Path("paper"))
    elif paper is not None:
        _write_paper(keys or [], options, held, paper, drawn, pdf)
    else:
        pages = written(keys or [], options, held, out, _warn)
        print(f"{len(pages)} files; open {pages[0]}")


def _check_paper(keys: list[str], options: Any, store: Any, folder: Path) -> None:
    from workbench.report import paper

    said = paper.check(keys, options, store, folder, _warn)
    for sentence in said:
        print(sentence)
    if said:
        raise _fail(f"the text in {folder / paper.GENERATED} does not fit the store {store.folder}", 1)
    print(f"the text in {folder / paper.GENERATED} fits the store {store.folder}")


def _write_paper(keys: list[str], options: Any, store: Any, folder: Path, drawn: Path, pdf: bool) -> None:
    from workbench.report import paper, tex

    made = paper.write(keys, options, store, folder, drawn, _warn)
    print(f"{len(made)} files in {folder / paper.GENERATED}")
    if pdf:
        try:
            print(tex.compiled(folder / "main.tex"))
        except tex.TexError as error:
            raise _fail(str(error), 1) from None


@_command
@_simulates
def ledger(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    survivors: Annotated[
        bool, typer.Option("--survivors", help="Show every mutant that was not refuted.")
    ] = False,
    lines: Annotated[
        bool,
        typer.Option("--lines", help="Show every line as written and as the re-checker read it; no mutants."),
    ] = False,
    displays: Annotated[
        bool,
        typer.Option(
            "--displays", help="Show every displayed line of the proofs, and what is shown of it; no mutants."
        ),
    ] = False,
    slack: Annotated[
        bool, typer.Option("--slack", help="Simulate, and show the factor that each line of a proof loses.")
    ] = False,
    search: Annotated[
        bool,
        typer.Option("--search", help="Search families of instances for the worst one for each theorem."),
    ] = False,
    budget: Annotated[int, typer.Option(help="Simulations of each search.")] = 200,
    json_file: JsonFile = None,
) -> None:
    """Prints the proof ledger: status of every lemma, brackets of its constants, fates of its mutants.

    Lines measured along runs are judged by the stored results of the profile; without them they are said to be
    unmeasured. --slack simulates what it needs.
    """
    from workbench.ledger.claims import exact_verdicts
    from workbench.ledger.reading import lines as lines_of
    from workbench.run.options import UsageError
    from workbench.store.results import Store, store_folder

    if lines + displays + slack + search > 1:
        raise UsageError("--lines, --displays, --slack and --search show different tables; name one of them")
    if json_file is not None:
        if lines or displays:
            raise UsageError("--json writes statuses and coverage; leave out --lines and --displays")
        _check_file(json_file)
    folder = store_folder(store)
    if slack:
        _print_slack(keys or [], options, Store(folder), json_file)
    elif search:
        _print_search(keys or [], options, budget, json_file)
    elif lines:
        lemmas = _lemmas_behind(keys or [])
        exact_verdicts(lemmas, folder, options.jobs)
        for lemma in lemmas:
            print("\n".join(lines_of(lemma)))
    elif displays:
        _print_displays(_lemmas_behind(keys or []))
    else:
        _print_statuses(_lemmas_behind(keys or []), options, folder, survivors, json_file)


def _lemmas_behind(keys: list[str]) -> list:
    """The lemmas that the named entries rest on; without a name, all. Raises UsageError where there is none."""
    from workbench import catalog
    from workbench.ledger import graph
    from workbench.run.options import UsageError

    entries = catalog.chosen(keys)
    chosen = [lemma for e in entries for lemma in graph.behind(catalog.lemmas(), e.kind, e.key)]
    if keys and not chosen:
        raise UsageError(f"{keys[0]} has no lemma in the ledger; name a paper, theorem or lemma")
    return list({x.key: x for x in chosen or catalog.lemmas().values()}.values())


def _displays_of(lemmas: list) -> list:
    """The displayed lines of the papers that these lemmas are from."""
    from workbench import catalog

    papers = {x.paper.key for x in lemmas}
    return [d for d in catalog.coverage() if d.paper.key in papers]


def _print_displays(lemmas: list) -> None:
    from workbench import catalog
    from workbench.ledger import coverage

    shown = _displays_of(lemmas)
    for d in shown:
        said = ", ".join(d.checks) or d.why or "quoted"
        kind = coverage.kind(d, catalog.lemmas())
        line = f"{d.paper.key}, {d.source}: {d.says} | {kind}: {d.link} {said}"
        _console().print(_plain(line), soft_wrap=True)
    _print_coverage(coverage.counts(shown, catalog.lemmas()))


def _print_statuses(
    lemmas: list, options: Any, folder: Path, survivors: bool, json_file: Path | None
) -> None:
    from workbench import catalog
    from workbench.ledger import coverage, graph, status, study
    from workbench.ledger.mutants import LEAST_RATE, kill_rate
    from workbench.run import pool
    from workbench.store.results import Store

    # All measured lines of these papers, since they share an error budget.
    papers = {x.paper.key for x in lemmas}
    within = [x for x in catalog.lemmas().values() if x.paper.key in papers]
    calls = status.measured_checks(within, catalog.simulations(), catalog.samplers())
    sims = [catalog.simulations()[n] for n in dict.fromkeys(n for call in calls for n in call.needs)]
    held = pool.stored(sims, options, Store(folder), _warn)
    links = status.links(within, calls, held, folder, options.jobs)
    studies = study.ensure(lemmas, folder, options.jobs)
    covered = coverage.counts(_displays_of(lemmas), catalog.lemmas())
    document = {
        "links": [
            {"key": x.key, "title": x.title, "status": links[x.key].words, "checks": len(x.checks)}
            for x in lemmas
        ],
        "coverage": {paper: dict(found) for paper, found in covered.items()},
    }
    unwritten = _written(json_file, document)
    _console().print(_ledger_table([links[x.key] for x in lemmas], studies))
    changed = [t for s in studies.values() for t in s.mutants]
    for t in changed:
        if t.fate == "survived" or (survivors and t.fate == "true"):
            _console().print(_plain(f"{t.fate}: {t.lemma}, {t.check}: {t.change} ({t.why})"), soft_wrap=True)
    rate = kill_rate(changed)
    true = sum(t.fate == "true" for t in changed)
    print(f"{len(changed)} mutants: {true} are true statements, {rate:.1%} of the others refuted.")
    _print_coverage(covered)
    if unwritten:
        raise _fail(unwritten)
    if any(links[x.key].status == graph.Status.BROKEN for x in lemmas) or rate < LEAST_RATE:
        raise typer.Exit(1)


def _print_slack(keys: list[str], options: Any, store: Any, json_file: Path | None) -> None:
    from workbench.studies import slack

    waterfalls = slack.chosen(keys)
    with _progress(slack.simulations(waterfalls)) as (done, at):
        found = slack.falls(waterfalls, options, store, done, _warn, at)
    rows = [one.record() for one in found]
    unwritten = _written(json_file, {"meta": _meta(options, keys), "waterfalls": rows})
    for one in found:
        table = Table(box=None, header_style="bold", pad_edge=False, title=_plain(slack.title(one)))
        table.title_justify = "left"
        for name in ("line of the proof", "source", "right-hand side", "factor", "interval", "share"):
            table.add_column(name, overflow="fold")
        for row in slack.rows(one):
            table.add_row(*map(_plain, row))
        _console().print(table)
    print(slack.verdict(found))
    if unwritten:
        raise _fail(unwritten)
    if any(bar.surprising for one in found for bar in one.bars):
        raise typer.Exit(1)


def _print_search(keys: list[str], options: Any, budget: int, json_file: Path | None) -> None:
    from workbench.studies import adversary

    found = [
        adversary.search(family, goal, budget, options.horizon, options.runs)
        for family in adversary.chosen(keys)
        for goal in adversary.GOALS
    ]
    unwritten = _written(json_file, {"worst_found": [one.record() for one in found]})
    table = Table(box=None, header_style="bold", pad_edge=False)
    about = ("theorem", "family", "worst instance found for")
    for name in (*about, "searched", "fresh noise", "usual instance", "at"):
        table.add_column(name, overflow="fold")
    for one in found:
        table.add_row(*map(_plain, adversary.row(one)))
    _console().print(table)
    if unwritten:
        raise _fail(unwritten)


def _ledger_table(links: list, studies: Any) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("link", "checks", "status", "mutants refuted/true/open", "constants"):
        table.add_column(name, overflow="fold")
    for link in links:
        s = studies[link.lemma.key]
        counts = "/".join(str(s.count(fate)) for fate in ("refuted", "true", "survived"))
        constants = "; ".join(_plain(b) for _, b in s.brackets)
        table.add_row(link.lemma.key, str(len(link.lemma.checks)), link.words, counts, constants)
    return table


def _print_coverage(covered: Any) -> None:
    from workbench.ledger.coverage import KINDS

    for paper, found in covered.items():
        kinds = ", ".join(f"{found[kind]} {kind}" for kind in KINDS if found[kind])
        print(f"{paper}: {found.total()} displayed lines of its proofs: {kinds}.")


@_command
@_simulates
def replay(
    options: Any,
    key: Annotated[str, typer.Argument(help="An experiment, as in `workbench list`: <paper>/sim-<name>.")],
    run: Annotated[int, typer.Option(help="Row of the batch.")],
    store: StoreDir = None,
) -> None:
    """Recomputes one run of a batch on its own and compares it with the stored one."""
    from workbench import catalog
    from workbench.arrays import backends
    from workbench.run import jobs, pool, replay
    from workbench.run.options import UsageError
    from workbench.store.results import Store, store_folder

    (entry,) = catalog.chosen([key])
    if entry.kind != "experiment":
        raise UsageError(f"{entry.key} is of kind {entry.kind}; replay takes an experiment")
    sim = catalog.simulations()[entry.key]
    job = jobs.prepare(sim, options)
    replay.check_run(job, run)
    with _progress([sim]) as (done, at):
        results = Store(store_folder(store))
        held = pool.ensure([sim], options, results, done, _warn, at, begin=replay.looks_with(job, run))[
            sim.key
        ]
    # Bits are comparable only on the same backend.
    alone = replay.replay(job, run, backends.resolve(held.meta["backend"]), options)
    table = Table("quantity", "stored", "alone", "largest difference", box=None, header_style="bold")
    row_of = replay.position(job, held, run)
    for row in replay.compared(held, row_of, alone):
        table.add_row(row.quantity, f"{row.stored:.17g}", f"{row.alone:.17g}", f"{row.gap:.3g}")
    _console().print(table)
    point = ", ".join(f"{n} = {v[row_of]:g}" for n, v in held.params.items())
    said = replay.said(job, held, row_of, alone)
    print(f"run {run} of {sim.key} ({point}), at every mark: {said}.")
    if not said.startswith("same"):
        raise typer.Exit(1)


@_command
def new(
    path: Annotated[
        Path, typer.Argument(parser=_folder, metavar="PATH", help="The folder to make, or a .py file.")
    ],
    shape: Annotated[
        str, typer.Option("--from", help="The nearest shape (a wrong one lists what there is).")
    ] = "sgd",
    single_file: Annotated[bool, typer.Option("--single-file", help="One file with all of it.")] = False,
) -> None:
    """Makes a paper of your own that verifies as it stands; its comments say what to change."""
    from workbench import scaffold

    made = scaffold.new(path, shape, single_file or path.suffix == ".py")
    for file in made:
        print(file)
    print(f"Next: workbench verify {made[0] if len(made) == 1 else _relative(path)} --profile quick")


def _relative(path: Path) -> str:
    """A path that no command takes for a key."""
    return str(path) if path.is_absolute() or str(path).startswith((".", "~")) else f"./{path}"


@_command
def calibrate(
    keys: Keys = None,
    repeats: Annotated[int, typer.Option(help="Planted data sets per scenario.")] = 40,
    seed: Seed = 0,
    seconds: Annotated[
        float,
        typer.Option(
            help="Time limit of each false or true statement for the exact checkers; 0: none of them."
        ),
    ] = 1.0,
    profile: Annotated[str, typer.Option(help="With papers: the profile whose runs are used.")] = "quick",
    store: StoreDir = None,
    jobs: Jobs = None,
    kept: Annotated[
        bool,
        typer.Option("--kept", help="Do nothing if the store has an outcome of the same code and options."),
    ] = False,
) -> None:
    """Tests the checkers themselves: on planted curves (false alarms, power), and on statements of known truth.

    The outcome is kept in the store, from where `workbench report --paper` takes it. With papers: on the curves of
    their own claims, bent to the claimed exponent and to a slower one; that is not kept.
    """
    from workbench.calibration import calibrate as calibration
    from workbench.report import calibrated
    from workbench.run.options import Options, UsageError
    from workbench.store.results import store_folder

    if repeats < 1:
        raise UsageError(f"the number of repeats must be at least 1, got {repeats}")
    if keys:
        if kept:
            raise UsageError("--kept is about the outcome without papers; leave out one of the two")
        _calibrate_on(keys, Options(profile=profile, seed=seed, jobs=jobs), store, repeats)
        return
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"the time limit must be 0 or a number of seconds, got {seconds:g}")
    Options(seed=seed)
    folder = store_folder(store)
    held = calibrated.kept(folder) if kept else None
    if held is not None and (held.repeats, held.seed, held.seconds) == (repeats, seed, seconds):
        print(f"the outcome in {folder / calibrated.NAME} is of the same code and options")
        return
    rows = calibration.calibrate(repeats, seed)
    _console().print(_table_of(rows))
    wrong = []
    sizes = calibration.sizes(samples=1000 * repeats, seed=seed)
    _console().print(_table_of(sizes))
    if over := [str(row["mean of"]) for row in sizes if not row["ok"]]:
        wrong.append(f"the test of a mean is wrong more often than it is known to be: {'; '.join(over)}")
    if bad := calibration.failures(rows):
        wrong.append(f"the checker misses its promised error rates in: {', '.join(bad)}")
    statements: list[dict[str, object]] = []
    if seconds:
        from workbench.calibration.exact import judge

        fates = judge.judge(seconds=seconds)
        statements = judge.table(fates)
        _console().print(_table_of(statements))
        if bad := judge.failures(fates):
            shown = "; ".join(bad[:5]) + (f"; and {len(bad) - 5} more" if len(bad) > 5 else "")
            wrong.append(f"the exact checkers are wrong about {len(bad)} statements of known truth: {shown}")
    calibrated.keep(calibrated.Calibration(repeats, seed, seconds, rows, sizes, statements), folder)
    if wrong:
        raise _fail("; ".join(wrong), 1)


def _calibrate_on(keys: list[str], options: Any, store: Path | None, repeats: int) -> None:
    from workbench.store.results import Store, store_folder
    from workbench.studies import replanted

    rows = replanted.rows(keys, options, Store(store_folder(store)), repeats, _warn)
    _console().print(_table_of(rows))
    if wrong := sorted({str(row["claim"]) for row in rows if not row["ok"]}):
        raise _fail(f"wrong verdicts are more frequent than promised for: {'; '.join(wrong)}", 1)


def _table_of(rows: list[dict[str, object]]) -> Table:
    table = Table(box=None, header_style="bold")
    for name in rows[0]:
        table.add_column(name.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()))
    return table


@_command
def doctor(store: StoreDir = None) -> None:
    """Shows versions, backends, devices, the store and missing optional tools."""
    from workbench.doctor import diagnose

    table = Table("what", "state", "remedy", box=None, header_style="bold")
    for line in diagnose(store):
        table.add_row(
            line.what, f"[{'green' if line.good else 'yellow'}]{_plain(line.state)}[/]", _plain(line.remedy)
        )
    _console().print(table)


def _check_file(path: Path) -> None:
    """Raises an error early, before hours of computing, if this file could not be written at the end."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise _fail(f"cannot write {path.name}: the folder {folder} does not exist")
    if path.is_dir():
        raise _fail(f"{path} is a folder; name a file in it")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise _fail(f"cannot write {path}: permission denied")


class _progress:
    """Progress bars for finished and running simulations; shown only on a terminal.

    Entering returns the two callbacks of `workbench.run.pool.ensure`: (simulation finished, iterations done). A resumed
    simulation is reported on a separate line.
    """

    def __init__(self, sims: list) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[state]}"),
            TimeElapsedColumn(),
        )
        self._bar = Progress(*columns, console=err, transient=True, disable=not sys.stderr.isatty())
        self._total, self._finished = len(sims), 0
        self._running: dict[str, Any] = {}

    def __enter__(self) -> tuple[Callable[[Any, bool], None], Callable[..., None]]:
        self._bar.start()
        self._all = self._bar.add_task("simulations", total=self._total, state=f"0/{self._total}")
        return self._done, self._at

    def _done(self, sim: Any, stored: bool) -> None:
        self._finished += 1
        self._bar.update(self._all, advance=1, state=f"{self._finished}/{self._total}")
        if sim.key in self._running:
            self._bar.remove_task(self._running.pop(sim.key))

    def _at(self, key: str, t: int, horizon: int, resumed: bool = False) -> None:
        if resumed:  # reported on a pipe as well, since this command's run time is not the simulation's
            err.print(f"{_plain(key)}: resumed at t = {t} of {horizon}", soft_wrap=True)
        if key not in self._running:
            self._running[key] = self._bar.add_task(f"  {key}", total=horizon, state="")
        self._bar.update(self._running[key], completed=t, state=f"T = {t:.3g} of {horizon:.3g}")

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def _console() -> Console:
    """Standard output; if it is not a terminal, wide enough that little is folded."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 200)


def _sized(wide: bool) -> Console:
    """Standard output for a table that fits any width: of the terminal, or of COLUMNS where it is set."""
    asked = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    return Console(highlight=False, width=200 if wide or not asked else None)


def _meta(options: Any, keys: list[str]) -> dict[str, Any]:
    from workbench.doctor import versions

    return {"keys": keys, **vars(options), "versions": versions()}


def main() -> None:
    """Runs the command line in this process; the entry point is `workbench.__main__`."""
    guard.run(lambda: app)
