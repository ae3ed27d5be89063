"""`workbench plan`: pilot runs, and the plan that they give, written or compared with the committed one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from workbench.cli.console import fail, plain, stdout, warn
from workbench.cli.options import Jobs, Keys, StoreDir


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
    from workbench.claims import plan as plans
    from workbench.run import catalog
    from workbench.run.options import Options, UsageError
    from workbench.run.store.results import Store, store_folder
    from workbench.verdicts import verify as verification
    from workbench.verdicts.studies import planner

    entries = catalog.entries_for(keys or [])
    if other := [e for e in entries if e.kind != "paper"]:
        raise UsageError(f"{other[0].key} is of kind {other[0].kind}; a plan is made for whole papers")
    profiles = list(dict.fromkeys(profile.split(",")))
    for name in profiles:
        Options(name)  # an unknown profile is told before anything is simulated
    claims = verification.selected_claims(keys or [])
    papers = dict.fromkeys(c.paper for c in claims)
    before = verification.plans_of(claims) if check else planner.committed_plans(papers)
    seeds = plans.SEEDS[:pilots]
    results = planner.simulate(claims, profiles, seeds, Store(store_folder(store)), jobs, warn, print)
    proposal = planner.propose(claims, results, before, seeds)
    _print_proposal(proposal, profiles)
    if check:
        misfits = planner.unfit(proposal, before)
        for sentence in misfits:
            stdout().print(plain(sentence), soft_wrap=True)
        print(f"The plan {'does not fit' if misfits else 'fits'}.")
        raise typer.Exit(1 if misfits else 0)
    try:
        print("\n".join(planner.write(proposal)))
    except OSError as error:
        raise fail(f"cannot write {error.filename}: {error.strerror}") from None


def _print_proposal(proposal: Any, profiles: list[str]) -> None:
    """What is left out, and why; what pilots contradict; windows that moved; and the counts of each profile."""
    from workbench.verdicts.studies import planner

    for row in sorted((row for row in proposal.rows if row.why), key=lambda row: row.against):
        cause = "because the pilots do not show it" if row.against else "for want of runs"
        sentence = f"left out of {row.profile} {cause}: {row.name}: {row.why}"
        stdout().print(plain(sentence), soft_wrap=True)
    for row in proposal.rows:
        if row.is_contradicted:
            sentence_on_pilot = (
                f"contradicted by a pilot of {row.profile}, and verified all the same: {row.name}"
            )
            stdout().print(plain(sentence_on_pilot), soft_wrap=True)
    for sentence in proposal.window_changes:
        stdout().print(plain(sentence), soft_wrap=True)
    for name in profiles:
        rows = [r for r in proposal.rows if r.profile == name]
        against, few = sum(r.against for r in rows if r.why), planner.few(proposal.surprises(name))
        print(
            f"{name}: {len(rows)} statistical claims, {sum(bool(r.why) for r in rows) - against} left out for want of "
            f"runs, {against} because the pilots do not show them; {few} of the others "
            "are expected not to be decided in one call."
        )
