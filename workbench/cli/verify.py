"""`workbench verify`: evidence, the table of verdicts, and the exit status that sums them up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from workbench.cli import answers
from workbench.cli.console import check_stored, fail, plain, sized, stdout, warn
from workbench.cli.documents import STDOUT, beside, check_file, written
from workbench.cli.figures import OUT, draw, of_papers, up_to_date
from workbench.cli.options import JsonFile, Keys, StoreDir, simulates
from workbench.cli.progress import Bars

SURPRISE = 1  # exit status
SHORT = 3  # claims left out by the plan that are named without --notes


@simulates
def verify(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    json_file: JsonFile = None,
    every: Annotated[bool, typer.Option("--lines", help="Show every claim, and not only the cards.")] = False,
    notes: Annotated[bool, typer.Option("--notes", help="--lines, with the note of every claim.")] = False,
    wide: Annotated[
        bool, typer.Option("--wide", help="Show all numbers, one row per claim, in place of cards.")
    ] = False,
    near: Annotated[
        bool,
        typer.Option(
            "--near-misses",
            help="Show which near misses of the claims are caught (exponent 0.1 off, a logarithm, constant times 1.5),"
            " and from which horizon on; of the claims only surprises.",
        ),
    ] = False,
    with_figures: Annotated[
        bool,
        typer.Option("--figures", help=f"Also draw the figures, as `workbench figures` does, into {OUT}."),
    ] = False,
    timings: Annotated[bool, typer.Option("--timings", help="Say at the end where the time went.")] = False,
) -> None:
    """Collects evidence for theorems and prints a card for each: is it right?

    The exit status is 1 where a verdict is a surprise or nothing was decided, 2 where a claim could not be evaluated,
    and 4 where only the store failed.
    """
    with Bars() as bars:
        from workbench.run.timings import TIMINGS

        with TIMINGS.phase("loading the workbench"):
            from workbench.claims.plan import SEEDS
            from workbench.report import cards, document, verdict_table
            from workbench.verdicts import omissions
            from workbench.verdicts import verify as verification
            from workbench.verdicts.verdict_cache import Kept

            kept = Kept()
        from workbench.run import pool
        from workbench.run.jobs import identity
        from workbench.run.store.results import Store, store_folder

        held = Store(store_folder(store))
        if not keys:
            pool.expect(options, held)
        if options.seed in SEEDS:
            warn(
                f"seed {options.seed} is a pilot seed: windows and claims were chosen with it, so it tests nothing"
            )
        with TIMINGS.phase("importing papers"):
            claims, left_out = verification.chosen_claims(keys or [], options)
        broken = verification.broken(claims, keys or [])
        for sentence in broken:
            warn(sentence)
        if json_file is not None:
            check_file(json_file)
        done, at = bars.of(verification.needed(claims))
        lines = kept.made(
            claims,
            options,
            held,
            lambda chosen: verification.verify(chosen, options, held, done, warn, at),
        )
        proofs = verification.proof_verdicts(lines, held.folder, options.jobs)
        theorem_cards = cards.of_lines(lines, proofs, left_out)
        misses = _near_misses(claims, options, held) if near else []
    not_judged = omissions.omissions(left_out, options.profile)
    verdicts = document.verdicts(lines, theorem_cards, options, keys or [], not_judged)
    if near:
        verdicts["near_misses"] = [row.record() for row in misses]
    unwritten = written(json_file, verdicts)  # before anything is printed, whose reader may leave
    expected = verification.all_as_expected(lines)
    with beside(json_file), answers.printed() as copy:
        rows = lines if every or notes or wide else _worth_a_line(lines, theorem_cards, near)
        verdict_table.show(rows, sized(wide), notes, wide)
        if near:
            verdict_table.show_near_misses(misses, sized(wide))
        elif not wide:
            verdict_table.show_cards(theorem_cards, stdout())
        _sum_up(lines, left_out, options.profile, notes or bool(keys))
        if len(rows) < len(lines):
            print(f"--lines shows all {len(lines):,} verdicts.")
        if timings:
            print(f"Time: {TIMINGS.sentence()}")
    with beside(json_file):
        selection = of_papers({claim.paper for claim in claims}) if with_figures else []
        drawing = draw(selection, options, held, OUT) if with_figures else None
    if unwritten:
        raise fail(unwritten)
    if errors := [line.error for line in lines if line.error]:
        others = f" ({len(errors)} claims could not be evaluated; their lines say why)" * (len(errors) > 1)
        raise fail(f"{errors[0]}{others}")
    status = 0 if lines and expected else SURPRISE
    if not status:
        if broken:
            raise fail("part of what was asked for could not be imported, as said above", 1)
        check_stored(held)
    can_be_repeated = drawing is None or drawing.can_be_repeated(selection)
    if can_be_repeated and not timings and json_file != STDOUT and options.backend == "auto":
        files = [held.path(identity(sim, options).key) for sim in verification.needed(claims)]
        files += drawing.files(selection) if drawing else []
        text, documents = [*copy.text, *up_to_date(selection)], [json_file] if json_file else []
        answers.keep(text, files, [held.folder / "ledger"], documents, status)
    raise typer.Exit(status)


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
