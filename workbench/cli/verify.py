"""`workbench verify`: evidence, the table of verdicts, and the exit status that sums them up."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from workbench.cli import answers
from workbench.cli.console import check_stored, fail, plain, sized, stdout, warn
from workbench.cli.documents import STDOUT, beside, check_file, meta, written
from workbench.cli.options import JsonFile, Keys, StoreDir, simulates
from workbench.cli.progress import Bars

SHORT = 3  # claims left out by the plan that are named without --notes


@simulates
def verify(
    options: Any,
    keys: Keys = None,
    store: StoreDir = None,
    json_file: JsonFile = None,
    notes: Annotated[bool, typer.Option("--notes", help="Show the note of every claim.")] = False,
    wide: Annotated[bool, typer.Option("--wide", help="Show all numbers, one row per claim.")] = False,
    only_cards: Annotated[
        bool,
        typer.Option("--cards", help="Show what the theorems come to, and of the claims only surprises."),
    ] = False,
    near: Annotated[
        bool,
        typer.Option(
            "--near-misses",
            help="Show which near misses of the claims are caught (exponent 0.1 off, a logarithm, constant times 1.5),"
            " and from which horizon on; of the claims only surprises.",
        ),
    ] = False,
    timings: Annotated[bool, typer.Option("--timings", help="Say at the end where the time went.")] = False,
) -> None:
    """Collects evidence for theorems and prints the verdict table.

    The exit status is 1 where a verdict is a surprise or nothing was decided, 2 where a claim could not be evaluated,
    and 4 where only the store failed.
    """
    from workbench.run.timings import TIMINGS

    with TIMINGS.phase("loading the workbench"):
        from workbench.claims.plan import SEEDS
        from workbench.report import cards, verdict_table
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
    with Bars(verification.needed(claims)) as (done, at):
        lines = kept.made(
            claims,
            options,
            held,
            lambda chosen: verification.verify(chosen, options, held, done, warn, at),
        )
    proofs = verification.proof_verdicts(lines, held.folder, options.jobs)
    made = cards.of_lines(lines, proofs, left_out)
    document = {
        "meta": meta(options, keys or []),
        "claims": [line.record() for line in lines],
        "theorems": [card.record() for card in made],
        "left_out": [o.record() for o in omissions.omissions(left_out, options.profile)],
    }
    misses = _near_misses(claims, options, held) if near else []
    if near:
        document["near_misses"] = [row.record() for row in misses]
    unwritten = written(json_file, document)  # before anything is printed, whose reader may leave
    expected = verification.all_as_expected(lines)
    with beside(json_file), answers.printed() as copy:
        rows = [line for line in lines if not line.as_expected] if only_cards or near else lines
        verdict_table.show(rows, sized(wide), notes, wide)
        if near:
            verdict_table.show_near_misses(misses, sized(wide))
        elif only_cards or not wide:
            verdict_table.show_cards(made, stdout())
        _sum_up(lines, left_out, options.profile, notes or bool(keys))
        if timings:
            print(f"Time: {TIMINGS.sentence()}")
    if unwritten:
        raise fail(unwritten)
    if errors := [line.error for line in lines if line.error]:
        others = f" ({len(errors)} claims could not be evaluated; their lines say why)" * (len(errors) > 1)
        raise fail(f"{errors[0]}{others}")
    if not lines or not expected:
        raise typer.Exit(1)
    if broken:
        raise fail("part of what was asked for could not be imported, as said above", 1)
    check_stored(held)
    if not timings and json_file != STDOUT and options.backend == "auto":
        results = [held.path(identity(sim, options).key) for sim in verification.needed(claims)]
        answers.keep(copy.text, results, [held.folder / "ledger"], [json_file] if json_file else [])


def _near_misses(claims: Any, options: Any, store: Any) -> Any:
    """What becomes of the near misses of these claims, on the results that decided them."""
    from workbench.run.pool import ensure
    from workbench.verdicts import near_misses, verify

    return near_misses.outcomes(claims, ensure(verify.needed(claims), options, store), options)


def _sum_up(lines: Any, left_out: Any, profile: str, notes: bool) -> None:
    """Prints how many claims hold, what the lines are worth, and what was not asked."""
    from workbench.verdicts import verify as verification

    tally = ", ".join(f"{n} {v}" for v, n in verification.counts(lines).items())
    outcome = "all as expected" if verification.all_as_expected(lines) else "NOT all as expected"
    outcome = "; ".join(filter(None, (outcome, verification.left_by_plan(left_out, profile))))
    print(f"{len(lines)} claims: {tally}; {outcome}." if lines else "No claim was decided.")
    for statement in verification.refutations(lines):
        stdout().print(f"Refuted: {plain(statement)}", soft_wrap=True)
    print(verification.informative(lines))
    if sharp := verification.noticed(lines):
        print(sharp)
    for sentence in verification.not_asked(left_out, profile, len(left_out) if notes else SHORT):
        stdout().print(plain(sentence), soft_wrap=True)
