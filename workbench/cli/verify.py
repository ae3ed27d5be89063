"""`workbench verify`: evidence, the table of verdicts, and the exit status that sums them up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli import answers
from workbench.cli.console import check_stored, fail, plain, stdout, table_console, warn
from workbench.cli.documents import STDOUT, beside, check_file, write_json
from workbench.cli.figures import OUT, draw, of_papers, up_to_date
from workbench.cli.options import JsonFile, Keys, StoreDir, simulates
from workbench.cli.progress import Bars
from workbench.homes.keys import Key

SURPRISE = 1  # exit status
SHORT = 3  # claims left out by the plan that are named without --notes

Lines = Annotated[bool, typer.Option("--lines", help="Show every claim, and not only the cards.")]
Notes = Annotated[bool, typer.Option("--notes", help="--lines, with the note of every claim.")]
Wide = Annotated[bool, typer.Option("--wide", help="Show all numbers, one row per claim, in place of cards.")]
NearMisses = Annotated[
    bool,
    typer.Option(
        "--near-misses",
        help="Show which near misses of the claims are caught (exponent 0.1 off, a logarithm, constant times 1.5),"
        " and from which horizon on; of the claims only surprises.",
    ),
]
WithFigures = Annotated[
    bool, typer.Option("--figures", help=f"Also draw the figures, as `workbench figures` does, into {OUT}.")
]
Timings = Annotated[bool, typer.Option("--timings", help="Say at the end where the time went.")]


@dataclass(frozen=True)
class Outcome:
    """What came out. import_failures: sentences. misses: None where nobody asked for them."""

    claims: list[Any]
    left_out: list[Any]
    import_failures: list[str]
    lines: list[Any]
    cards: list[Any]
    misses: list[Any] | None


@simulates
def verify(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    json_file: JsonFile = None,
    every: Lines = False,
    notes: Notes = False,
    wide: Wide = False,
    near: NearMisses = False,
    with_figures: WithFigures = False,
    timings: Timings = False,
) -> None:
    """Collects evidence for theorems and prints a card for each: is it right?

    The exit status is 1 where a verdict is a surprise or nothing was decided, 2 where a claim could not be evaluated,
    and 4 where only the store failed.
    """
    with Bars() as bars:
        from workbench.run.timings import TIMINGS

        with TIMINGS.phase("loading the workbench"):
            from workbench.report import document, verdict_table
            from workbench.run.store.results import Store, store_folder
            from workbench.verdicts import omissions
            from workbench.verdicts import verify as verification

        result_store = Store(store_folder(store))
        outcome = _outcome(keys or [], options, result_store, json_file, near, bars)
    lines = outcome.lines
    not_judged = omissions.omissions(outcome.left_out, options.profile)
    verdicts = document.verdicts(lines, outcome.cards, options, keys or [], not_judged)
    if outcome.misses is not None:
        verdicts["near_misses"] = [row.record() for row in outcome.misses]
    write_error = write_json(json_file, verdicts)  # before anything is printed, whose reader may leave
    expected = verification.all_as_expected(lines)
    with beside(json_file), answers.printed() as copy:
        rows = lines if every or notes or wide else _worth_a_line(lines, outcome.cards, near)
        verdict_table.show(rows, table_console(wide), notes, wide)
        if outcome.misses is not None:
            verdict_table.show_near_misses(outcome.misses, table_console(wide))
        elif not wide:
            verdict_table.show_cards(outcome.cards, stdout())
        _sum_up(lines, outcome.left_out, options.profile, notes or bool(keys))
        _point(lines, outcome.cards, len(rows))
        if timings:
            print(f"Time: {TIMINGS.sentence()}")
    with beside(json_file):
        figures = of_papers({claim.paper for claim in outcome.claims}) if with_figures else []
        drawing = draw(figures, options, result_store, OUT) if with_figures else None
    if write_error:
        raise fail(write_error)
    _check_evaluated(lines)
    status = 0 if lines and expected else SURPRISE
    if not status:
        if outcome.import_failures:
            raise fail("part of what was asked for could not be imported, as said above", 1)
        check_stored(result_store)
    can_be_repeated = drawing is None or drawing.can_be_repeated(figures)
    if can_be_repeated and not timings and json_file != STDOUT and options.backend == "auto":
        pictures = drawing.files(figures) if drawing else []
        text = [*copy.text, *up_to_date(figures)]
        _keep_answer(text, outcome.claims, options, result_store, json_file, pictures, status)
    raise typer.Exit(status)


def _outcome(
    keys: list[str], options: Any, result_store: Any, json_file: Path | None, near: bool, bars: Bars
) -> Outcome:
    """The lines of these papers, after simulating what is missing."""
    from workbench.run.timings import TIMINGS

    with TIMINGS.phase("loading the workbench"):
        from workbench.claims.plan import SEEDS
        from workbench.report import cards
        from workbench.run import pool
        from workbench.verdicts import omissions
        from workbench.verdicts import verify as verification
        from workbench.verdicts.verdict_cache import Kept

        cache = Kept()
    if not keys:
        pool.expect(options, result_store)
    if options.seed in SEEDS:
        warn(
            f"seed {options.seed} is a pilot seed: windows and claims were chosen with it, so it tests nothing"
        )
    with TIMINGS.phase("importing papers"):
        claims, left_out = verification.chosen_claims(keys, options)
    import_failures = verification.import_failures(claims, keys)
    for sentence in import_failures:
        warn(sentence)
    if json_file is not None:
        check_file(json_file)
    on_result, progress = bars.of(verification.simulations_of(claims))
    lines = cache.get_or_make(
        claims,
        options,
        result_store,
        lambda subset: verification.verify(subset, options, result_store, on_result, warn, progress),
    )
    proofs = verification.proof_verdicts(lines, result_store.folder, options.jobs)
    theorem_cards = cards.of_lines(lines, proofs, omissions.omissions(left_out, options.profile))
    misses = _near_misses(claims, options, result_store) if near else None
    return Outcome(claims, left_out, import_failures, lines, theorem_cards, misses)


def _check_evaluated(lines: Sequence[Any]) -> None:
    """Ends the command with the first claim that could not be evaluated."""
    if errors := [line.error for line in lines if line.error]:
        others = f" ({len(errors)} claims could not be evaluated; their lines say why)" * (len(errors) > 1)
        raise fail(f"{errors[0]}{others}")


def _keep_answer(
    text: list[str],
    claims: Any,
    options: Any,
    result_store: Any,
    json_file: Path | None,
    pictures: list[Path],
    status: int,
) -> None:
    from workbench.run.jobs import identity
    from workbench.verdicts import verify as verification

    results = [result_store.path(identity(sim, options).key) for sim in verification.simulations_of(claims)]
    documents = [json_file] if json_file else []
    answers.keep(text, [*results, *pictures], [result_store.folder / "ledger"], documents, status)


def _worth_a_line(lines: Sequence[Any], cards: Iterable[Any], near: bool) -> list[Any]:
    """The lines that are shown beside cards or near misses: surprises; all of them where no card has a row."""
    has_answer = near or any(card.rows for card in cards)
    return [x for x in lines if not x.as_expected] if has_answer else list(lines)


def _near_misses(claims: Any, options: Any, store: Any) -> Any:
    """What becomes of the near misses of these claims, on the results that decided them."""
    from workbench.run.pool import ensure
    from workbench.verdicts import near_misses, verify

    return near_misses.outcomes(claims, ensure(verify.simulations_of(claims), options, store), options)


def _point(lines: Sequence[Any], cards: Iterable[Any], already: int) -> None:
    """Prints how to see the other lines; where cards name an erratum, what it says, and what the problems are.

    already: number of lines that were printed.
    """
    from workbench.homes.papers import for_command
    from workbench.run import catalog

    if already < len(lines):
        print(f"--lines shows all {len(lines):,} verdicts.")
    text = " ".join(row.evidence for card in cards for row in card.rows)
    of_papers = {x.claim.paper for x in lines}
    errata = (
        key
        for key in catalog.errata()
        if Key.of(key).paper in of_papers and re.search(rf"\b{re.escape(Key.of(key).name)}\b", text)
    )
    if erratum := next(errata, ""):
        experiment = next((key for x in lines for key in x.claim.needs), "")
        of_runs = f", a problem and its runs ({for_command(experiment)})" if experiment else ""
        print(f"workbench list KEY explains an erratum ({for_command(erratum)}){of_runs}.")


def _sum_up(lines: Any, left_out: Any, profile: str, notes: bool) -> None:
    """Prints how many claims hold, what the lines are worth, and what was not asked."""
    from workbench.verdicts import tally
    from workbench.verdicts import verify as verification

    print(tally.outcome(lines))
    for statement in verification.refutations(lines):
        stdout().print(f"Refuted: {plain(statement)}", soft_wrap=True)
    print(verification.informative(lines))
    if sharp := verification.sharpness(lines):
        print(sharp)
    for sentence in verification.not_asked(left_out, profile, len(left_out) if notes else SHORT):
        stdout().print(plain(sentence), soft_wrap=True)
