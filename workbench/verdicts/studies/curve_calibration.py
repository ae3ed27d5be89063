"""Calibration on a paper's own curves (`workbench calibrate ./my_paper`): would its claims be judged rightly?

In: a paper's claims of a rate or an exponent, and its stored runs. Each curve is bent by a power of t until its slope
is the claimed one, and until it is `SLOWER` than that; the truth is then known, while noise, horizon, windows and
number of runs stay the paper's. Runs are drawn again from the stored ones, with replacement. Out: how often each claim
holds or is violated, look by look and at the level at which `verify` judges one claim of this paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from workbench.claims import interim_analyses
from workbench.claims.plan import Plan
from workbench.claims.readings import Rate, Tight
from workbench.claims.usable_rows import until_failure
from workbench.claims.views import View
from workbench.engine.records import Result
from workbench.evidence.interim_analyses import at_first
from workbench.evidence.stats import clopper_pearson
from workbench.evidence.verdicts import Finding, NotEnough, Verdict, decide
from workbench.run.options import Options, UsageError
from workbench.run.pool import ensure
from workbench.run.store.results import Store
from workbench.verdicts import verify

SLOWER = 0.1  # of the exponents that must be caught
PROMISE, SIDE = 0.01, 0.005  # largest share of wrong verdicts; error probability of the limit that refutes it


def rows(
    keys: Iterable[str],
    options: Options,
    store: Store,
    repeats: int,
    warn: Callable[[str], None] = lambda sentence: None,
) -> list[dict[str, object]]:
    """Two rows for each claim of a rate or an exponent. Raises UsageError where there is none with random runs."""
    claims, _ = verify.chosen_claims(keys, options)
    mine = [c for c in claims if isinstance(c, Rate | Tight)]
    results = ensure(verify.simulations_of(mine), options, store, warn=warn)
    usable = {key: until_failure(result) for key, result in results.items()}
    levels = verify.sides(mine, options.profile)
    plans = verify.plans_of(mine)
    readings = [
        row
        for claim, level in zip(mine, levels, strict=True)
        for row in _rows(claim, level, usable, repeats, options, plans[claim.paper])
    ]
    if not readings:
        raise UsageError(
            "there is no claim of a rate or an exponent, in this profile and from runs that differ, to calibrate"
        )
    return readings


def _rows(
    claim: Rate | Tight,
    level: float,
    usable: Mapping[str, Result],
    repeats: int,
    options: Options,
    plan: Plan,
) -> Iterable[dict[str, object]]:
    if verify.evaluate(claim, usable, options, plan).exact:
        return
    try:
        slope = claim.reading.slope(usable, plan).value
    except ValueError:  # no curve that could be bent
        return
    for truth, error in (("as claimed", 0.0), (f"{SLOWER:g} slower", SLOWER)):
        rng = np.random.default_rng([options.seed, *claim.id.encode()])
        power = claim.reading.claimed.value + error - slope
        verdicts = [_verdict(claim, usable, power, level, rng, plan) for _ in range(repeats)]
        holds, violated = verdicts.count(Verdict.HOLDS), verdicts.count(Verdict.VIOLATED)
        right, wrong = (violated, holds) if error else (holds, violated)
        yield {
            "claim": f"{claim.key}; {claim.evidence}; {claim.experiment}",
            "truth": truth,
            "repeats": repeats,
            "right_%": 100 * right / repeats,
            "wrong_%": 100 * wrong / repeats,
            "ok": clopper_pearson(wrong, repeats, SIDE)[0] <= PROMISE,
        }


def _verdict(
    claim: Rate | Tight,
    usable: Mapping[str, Result],
    power: float,
    level: float,
    rng: np.random.Generator,
    plan: Plan,
) -> Verdict:
    """The verdict on other runs, drawn from the same curves times (t/T)^power."""
    reading, result = claim.reading, usable[claim.reading.sim.key]
    values, marks = reading.curve(usable)
    resampled_curves = values[rng.integers(len(values), size=len(values))] * (marks / marks[-1]) ** power

    def at(runs: int) -> Finding:
        # A reading of several grid points has as many rows for each run.
        rows = len(resampled_curves) * runs // result.runs
        bent_view: View = replace(reading.view, read=lambda *_arguments: (resampled_curves[:rows], marks))
        bent_claim = replace(claim, reading=replace(reading, view=bent_view))
        return bent_claim.finding({reading.sim.key: interim_analyses.first(result, runs)}, plan)

    try:
        return decide([at_first(at, interim_analyses.of(result), level)], level)[0].verdict
    except NotEnough:
        return Verdict.INCONCLUSIVE
