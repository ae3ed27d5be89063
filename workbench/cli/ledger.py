"""`workbench ledger`: the table of statuses, or what one of its options shows instead."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli.console import check_stored, empty_table, fail, plain, say, stdout, warn
from workbench.cli.documents import beside, check_file, write_json
from workbench.cli.options import JsonFile, Keys, StoreDir, simulates
from workbench.cli.progress import Bars

Survivors = Annotated[bool, typer.Option("--survivors", help="Show every mutant that was not refuted.")]
Lines = Annotated[bool, typer.Option("--lines", help="Show every exact line, as it was checked; no mutants.")]
Displays = Annotated[
    bool,
    typer.Option(
        "--displays", help="Show every displayed line of the proofs, and what is shown of it; no mutants."
    ),
]
Slack = Annotated[
    bool, typer.Option("--slack", help="Simulate, and show the factor that each line of a proof loses.")
]
Search = Annotated[
    bool, typer.Option("--search", help="Search families of instances for the worst one for each theorem.")
]
Budget = Annotated[int, typer.Option(help="Simulations of each search.")]
Line = Annotated[
    list[str] | None,
    typer.Option("-e", "--line", help="Decide this statement alone, as `x^2 <= x for x in [0, 1]`."),
]
Lean = Annotated[
    bool, typer.Option("--lean", help="Write the exact lines as theorems of Lean 4 (Mathlib); no mutants.")
]
Latex = Annotated[
    bool, typer.Option("--latex", help="Write the exact lines as LaTeX for an appendix; no mutants.")
]


@simulates
def ledger(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    survivors: Survivors = False,
    lines: Lines = False,
    displays: Displays = False,
    slack: Slack = False,
    search: Search = False,
    budget: Budget = 200,
    line: Line = None,
    lean: Lean = False,
    latex: Latex = False,
    json_file: JsonFile = None,
) -> None:
    """Prints the proof ledger: status of every lemma, brackets of its constants, fates of its mutants.

    Lines measured along runs are judged by the stored results of the profile; without them they are said to be
    unmeasured. --slack simulates what it needs. The exit status is 1 where a lemma is broken, where fewer than 95 % of
    the false mutants were refuted, and, with --slack, where what a line loses is a surprise. With -e, or for a file
    whose name ends in .txt, it decides statements in ASCII mathematics, one a line; status 0: all hold, 1: one is
    violated or not decided, 2: one is no statement (the others are decided nevertheless).
    """
    if texts := [key for key in keys or [] if key.endswith("proof.txt")]:
        raise fail(f"{texts[0]} is the text of a paper's proofs; name the paper, its folder or its file")
    forms = [name for name, is_asked in (("lean", lean), ("latex", latex)) if is_asked]
    views = {"--lines": lines, "--displays": displays, "--slack": slack, "--search": search}
    if line or any(key.endswith(".txt") for key in keys or []):
        others = [key for key in keys or [] if not key.endswith(".txt")]
        if others or any(views.values()) or survivors or len(forms) > 1 or json_file is not None:
            raise fail(
                "-e and files of statements go with no other key, and of the options with --lean or --latex"
            )
        _print_typed(line or [], keys or [], store, "".join(forms))
        return
    _check_views(
        [name for name, is_asked in views.items() if is_asked] + [f"--{name}" for name in forms], json_file
    )
    from workbench.run.store.results import Store, store_folder

    folder = store_folder(store)
    if slack:
        _print_slack(keys or [], options, Store(folder), json_file)
    elif search:
        _print_search(keys or [], options, budget, json_file)
    elif displays:
        _print_displays(_lemmas_behind(keys or []))
    elif lines or forms:
        _print_exact_lines(_lemmas_behind(keys or []), folder, options.jobs, "".join(forms))
    else:
        _print_statuses(_lemmas_behind(keys or []), options, folder, survivors, json_file)


def _check_views(views: list[str], json_file: Path | None) -> None:
    """Raises UsageError for several views, or one that has no JSON, before anything is computed."""
    from workbench.run.options import UsageError

    if len(views) > 1:
        raise UsageError(
            "--lines, --displays, --slack, --search, --lean and --latex show different things; name one of them"
        )
    if json_file is not None:
        if set(views) - {"--slack", "--search"}:
            raise UsageError(
                "--json writes statuses and coverage; leave out --lines, --displays, --lean and --latex"
            )
        check_file(json_file)


def _print_typed(lines: list[str], files: list[str], store: Path | None, export: str) -> None:
    """Decides statements that were typed; imports no catalog, so that an answer comes within a second or two.

    What is no statement is told, and the others are decided. export: "lean" or "latex" for statements in that form.
    """
    from workbench.ledger.answers import Answers
    from workbench.run.store.results import store_folder

    answers, results = Answers(store_folder(store)), []
    from workbench.ledger import words
    from workbench.ledger.export.lines import of_record
    from workbench.ledger.printer import statement

    statements, mistakes = _statements(lines, files)
    ends = [fail(mistake) for mistake in mistakes]
    for each in statements:
        record = answers.answer(each.statement)
        results.append(of_record("", each.label, "", each.statement, record))
        if not export:
            label = f"{each.label}: " * bool(each.label)
            print(f"{record['verdict']}: {label}{statement(each.statement)}", flush=True)
            print(f"  {record['method']}: {record['note']}", flush=True)
            for step in words.lines(record.get("certificate")):
                print(f"    {step}", flush=True)
    if export:
        _write_export(export, results)
    if ends or {x.verdict for x in results} != {"holds"}:
        raise typer.Exit(2 if ends else 1)


def _write_export(form: str, lines: Iterable[Any]) -> None:
    """Prints lines as a file of Lean or of LaTeX."""
    if form == "lean":
        from workbench.ledger.export import lean

        say(lean.file(lines).rstrip())
        return
    from workbench.ledger.export import latex
    from workbench.report.latex import statement

    say(latex.file(lines, statement).rstrip())


def _statements(lines: list[str], files: list[str]) -> tuple[list[Any], list[str]]:
    """The statements of lines and files, and a sentence about each line that is none and each file without one."""
    from workbench.ledger import typed

    statements, mistakes = [], []
    for number, line in enumerate(lines, start=1):
        try:
            statements.append(typed.one(line, "-e", number))
        except typed.BadLine as error:
            mistakes.append(str(error))
    for file in files:
        try:
            own, wrong = typed.every(Path(file).read_text("utf-8"), file)
        except (OSError, UnicodeDecodeError) as error:
            own, wrong = [], [f"cannot read {file}: {getattr(error, 'strerror', None) or 'it is no text'}"]
        statements += own
        mistakes += wrong
    return statements, mistakes


def _print_exact_lines(lemmas: list, folder: Path, jobs: int | None, form: str) -> None:
    """The printed statement of each link with its source; each exact line, how it was decided, and what that shows.

    form: "lean" or "latex" for the lines as a file of this form.
    """
    from workbench.ledger import certificate, outcomes, printer, statements
    from workbench.ledger.claims import exact_verdicts
    from workbench.ledger.unicode_text import plain as text_of
    from workbench.theory.lemma import Exact

    exact_verdicts(lemmas, folder, jobs)
    if form:
        from workbench.ledger.export.lines import of_lemmas

        _write_export(form, of_lemmas(lemmas, text_of if form == "lean" else str))
        return
    for lemma in lemmas:
        say(f"{lemma.key}, {lemma.source}: {text_of(lemma.statement)}")
        for check in (c for c in lemma.checks if isinstance(c, Exact)):
            outcome = outcomes.outcome(check)
            line = printer.statement(statements.statement(check))
            line = certificate.to_text(outcome.certificate) if outcome.certificate else line
            say(f"  {check.name} ({check.form}): {outcome.verdict}, {outcome.method}\n    {line}")


def _lemmas_behind(keys: list[str]) -> list:
    """The lemmas that the named entries rest on; without a name, all. Raises UsageError where there is none."""
    from workbench.ledger import graph
    from workbench.run import catalog
    from workbench.run.options import UsageError

    entries = catalog.entries_for(keys)
    lemmas = [lemma for e in entries for lemma in graph.behind(catalog.lemmas(), e.kind, e.key)]
    if keys and not lemmas:
        raise UsageError(f"{keys[0]} has no lemma in the ledger; name a paper, theorem or lemma")
    return list({x.key: x for x in lemmas or catalog.lemmas().values()}.values())


def _displays_of(lemmas: list) -> list:
    """The displayed lines of the papers that these lemmas are from."""
    from workbench.run import catalog

    papers = {x.paper.key for x in lemmas}
    return [d for d in catalog.coverage() if d.paper in papers]


def _print_displays(lemmas: list) -> None:
    from workbench.ledger import coverage
    from workbench.run import catalog

    lines = _displays_of(lemmas)
    for d in lines:
        evidence = ", ".join(d.checks) or d.why or "quoted"
        kind = coverage.kind(d, catalog.lemmas())
        line = f"{d.paper}, {d.source}: {d.says} | {kind}: {d.link} {evidence}"
        stdout().print(plain(line), soft_wrap=True)
    _print_coverage(coverage.counts(lines, catalog.lemmas()))


def _print_statuses(
    lemmas: list, options: Any, folder: Path, survivors: bool, json_file: Path | None
) -> None:
    from workbench.ledger import coverage, graph, status, study
    from workbench.ledger.mutants import LEAST_RATE, kill_rate
    from workbench.run import catalog, pool
    from workbench.run.store.results import Store
    from workbench.verdicts import verify

    # All measured lines of these papers, since they share an error budget.
    papers = {x.paper.key for x in lemmas}
    within = [x for x in catalog.lemmas().values() if x.paper.key in papers]
    store = Store(folder)
    results = pool.load_results(
        verify.simulations_of(verify.measured_claims(papers, options)), options, store, warn
    )
    lines = verify.measured_lines(papers, results, options, store)
    links = status.links(within, verify.measured(lines), folder, options.jobs)
    studies = study.ensure(lemmas, folder, options.jobs)
    counts_by_paper = coverage.counts(_displays_of(lemmas), catalog.lemmas())
    document = {
        "links": [
            {"key": x.key, "title": x.title, "status": links[x.key].words, "checks": len(x.checks)}
            for x in lemmas
        ],
        "coverage": {paper: dict(counts) for paper, counts in counts_by_paper.items()},
    }
    failure = write_json(json_file, document)
    mutants = [t for s in studies.values() for t in s.mutants]
    rate = kill_rate(mutants)
    true = sum(t.fate == "true" for t in mutants)
    with beside(json_file):
        stdout().print(_ledger_table([links[x.key] for x in lemmas], studies))
        for t in mutants:
            if t.fate == "survived" or (survivors and t.fate == "true"):
                stdout().print(plain(f"{t.fate}: {t.lemma}, {t.check}: {t.change} ({t.why})"), soft_wrap=True)
        print(f"{len(mutants)} mutants: {true} are true statements, {rate:.1%} of the others refuted.")
        _print_coverage(counts_by_paper)
    if failure:
        raise fail(failure)
    if any(links[x.key].status == graph.Status.BROKEN for x in lemmas) or rate < LEAST_RATE:
        raise typer.Exit(1)


def _print_slack(keys: list[str], options: Any, store: Any, json_file: Path | None) -> None:
    from workbench.run.installation import meta
    from workbench.verdicts.studies import slack

    waterfalls = slack.waterfalls_of(keys)
    with Bars() as bars:
        finish, at = bars.of(slack.simulations(waterfalls))
        outcomes = slack.falls(waterfalls, options, store, finish, warn, at)
    rows = [one.record() for one in outcomes]
    failure = write_json(json_file, {"meta": meta(options, keys), "waterfalls": rows})
    with beside(json_file):
        for one in outcomes:
            table = empty_table(pad_edge=False, title=plain(slack.title(one)))
            table.title_justify = "left"
            for name in ("line of the proof", "source", "right-hand side", "factor", "interval", "share"):
                table.add_column(name, overflow="fold")
            for row in slack.rows(one):
                table.add_row(*map(plain, row))
            stdout().print(table)
        say(slack.verdict(outcomes))
    if failure:
        raise fail(failure)
    if any(bar.surprising for one in outcomes for bar in one.bars):
        raise typer.Exit(1)
    check_stored(store)


def _print_search(keys: list[str], options: Any, budget: int, json_file: Path | None) -> None:
    from workbench.verdicts.studies import adversary

    outcomes = [
        adversary.search(family, goal, budget, options.horizon, options.runs)
        for family in adversary.families_of(keys)
        for goal in adversary.GOALS
    ]
    failure = write_json(json_file, {"worst_found": [one.record() for one in outcomes]})
    table = empty_table(pad_edge=False)
    about = ("theorem", "family", "worst instance found for")
    for name in (*about, "searched", "fresh noise", "usual instance", "at"):
        table.add_column(name, overflow="fold")
    for one in outcomes:
        table.add_row(*map(plain, adversary.row(one)))
    with beside(json_file):
        stdout().print(table)
    if failure:
        raise fail(failure)


def _ledger_table(links: list, studies: Any) -> Any:
    table = empty_table(pad_edge=False)
    for name in ("link", "checks", "status", "mutants refuted/true/open", "constants"):
        table.add_column(name, overflow="fold")
    for link in links:
        s = studies[link.lemma.key]
        counts = "/".join(str(s.count(fate)) for fate in ("refuted", "true", "survived"))
        constants = "; ".join(plain(b) for _, b in s.brackets)
        table.add_row(link.lemma.key, str(len(link.lemma.checks)), link.words, counts, constants)
    return table


def _print_coverage(counts_by_paper: Any) -> None:
    from workbench.ledger.coverage import KINDS

    for paper, counts in counts_by_paper.items():
        kinds = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
        print(f"{paper}: {counts.total()} displayed lines of its proofs: {kinds}.")
