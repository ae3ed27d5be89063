"""`workbench verify`: evidence, the table of verdicts, and the exit status that sums them up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli import answers
from workbench.cli.console import check_stored, fail, plain, sized, stdout, warn
from workbench.cli.documents import STDOUT, beside, check_file, written
from workbench.cli.options import JsonFile, Keys, StoreDir, simulates
from workbench.cli.progress import Bars

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
Timings = Annotated[bool, typer.Option("--timings", help="Say at the end where the time went.")]


@dataclass(frozen=True)
class Judged:
    """What came out. broken: sentences on what could not be imported. misses: None where nobody asked for them."""

    claims: list[Any]
    left_out: list[Any]
    broken: list[str]
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

        held = Store(store_folder(store))
        judged = _judged(keys or [], options, held, json_file, near, bars)
    lines = judged.lines
    not_judged = omissions.omissions(judged.left_out, options.profile)
    verdicts = document.verdicts(lines, judged.cards, options, keys or [], not_judged)
    if judged.misses is not None:
        verdicts["near_misses"] = [row.record() for row in judged.misses]
    unwritten = written(json_file, verdicts)  # before anything is printed, whose reader may leave
    expected = verification.all_as_expected(lines)
    with beside(json_file), answers.printed() as copy:
        rows = lines if every or notes or wide else _worth_a_line(lines, judged.cards, near)
        verdict_table.show(rows, sized(wide), notes, wide)
        if judged.misses is not None:
            verdict_table.show_near_misses(judged.misses, sized(wide))
        elif not wide:
            verdict_table.show_cards(judged.cards, stdout())
        _sum_up(lines, judged.left_out, options.profile, notes or bool(keys))
        if len(rows) < len(lines):
            print(f"--lines shows all {len(lines):,} verdicts.")
        if timings:
            print(f"Time: {TIMINGS.sentence()}")
    if unwritten:
        raise fail(unwritten)
    _check_evaluated(lines)
    if not lines or not expected:
        raise typer.Exit(1)
    if judged.broken:
        raise fail("part of what was asked for could not be imported, as said above", 1)
    check_stored(held)
    if not timings and json_file != STDOUT and options.backend == "auto":
        _keep_answer(copy.text, judged.claims, options, held, json_file)


def _judged(
    keys: list[str], options: Any, held: Any, json_file: Path | None, near: bool, bars: Bars
) -> Judged:
    """The lines of these papers, after simulating what is missing."""
    from workbench.run.timings import TIMINGS

    with TIMINGS.phase("loading the workbench"):
        from workbench.claims.plan import SEEDS
        from workbench.report import cards
        from workbench.run import pool
        from workbench.verdicts import verify as verification
        from workbench.verdicts.verdict_cache import Kept

        kept = Kept()
    if not keys:
        pool.expect(options, held)
    if options.seed in SEEDS:
        warn(
            f"seed {options.seed} is a pilot seed: windows and claims were chosen with it, so it tests nothing"
        )
    with TIMINGS.phase("importing papers"):
        claims, left_out = verification.chosen_claims(keys, options)
    broken = verification.broken(claims, keys)
    for sentence in broken:
        warn(sentence)
    if json_file is not None:
        check_file(json_file)
    done, at = bars.of(verification.needed(claims))
    lines = kept.made(
        claims, options, held, lambda chosen: verification.verify(chosen, options, held, done, warn, at)
    )
    proofs = verification.proof_verdicts(lines, held.folder, options.jobs)
    theorem_cards = cards.of_lines(lines, proofs, left_out)
    misses = _near_misses(claims, options, held) if near else None
    return Judged(claims, left_out, broken, lines, theorem_cards, misses)


def _check_evaluated(lines: Sequence[Any]) -> None:
    """Ends the command with the first claim that could not be evaluated."""
    if errors := [line.error for line in lines if line.error]:
        others = f" ({len(errors)} claims could not be evaluated; their lines say why)" * (len(errors) > 1)
        raise fail(f"{errors[0]}{others}")


def _keep_answer(text: list[str], claims: Any, options: Any, held: Any, json_file: Path | None) -> None:
    from workbench.run.jobs import identity
    from workbench.verdicts import verify as verification

    results = [held.path(identity(sim, options).key) for sim in verification.needed(claims)]
    answers.keep(text, results, [held.folder / "ledger"], [json_file] if json_file else [])


def _worth_a_line(lines: Sequence[Any], cards: Iterable[Any], near: bool) -> list[Any]:
    """The lines that are shown beside cards or near misses: surprises; all of them where no card has a row."""
    has_answer = near or any(card.rows for card in cards)
    return [x for x in lines if not x.as_expected] if has_answer else list(lines)


def _near_misses(claims: Any, options: Any, store: Any) -> Any:
    """What becomes of the near misses of these claims, on the results that decided them."""
    from workbench.run.pool import ensure
    from workbench.verdicts import near_misses, verify

    return near_misses.outcomes(claims, ensure(verify.needed(claims), options, store), options)


def _sum_up(lines: Any, left_out: Any, profile: str, notes: bool) -> None:
    """Prints how many claims hold, what the lines are worth, and what was not asked."""
    from workbench.verdicts import tally
    from workbench.verdicts import verify as verification

    print(tally.outcome(lines))
    for statement in verification.refutations(lines):
        stdout().print(f"Refuted: {plain(statement)}", soft_wrap=True)
    print(verification.informative(lines))
    if sharp := verification.noticed(lines):
        print(sharp)
    for sentence in verification.not_asked(left_out, profile, len(left_out) if notes else SHORT):
        stdout().print(plain(sentence), soft_wrap=True)
