"""``python tests/biadam/pilot.py PROFILE [SIMULATION ...]``: the windows that the rule of the paper's study chooses.

Runs the simulations of the readings on the pilot seeds. Prints, per reading, the earliest admissible start, its
distance from the claim (alone, and with its errors) in tolerances; where no start is admissible, all trials.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from workbench.engine.records import Result
from workbench.experiments.biadam import claims, claims_wrong, pilot
from workbench.experiments.readings import Level, Rate, Reading, Tight
from workbench.experiments.records import Simulation
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options


def pooled(sim: Simulation, profile: str, seeds: Sequence[int]) -> Result:
    """The runs of several seeds as one sample."""
    options = [Options(profile=profile, seed=seed) for seed in seeds]
    parts = [execute(prepare(sim, o), "numpy", o) for o in options]
    runs = parts[0].runs

    def joined(tables: Sequence[np.ndarray]) -> np.ndarray:
        return np.concatenate(tables) if len(tables[0]) == parts[0].size else tables[0]

    return replace(
        parts[0],
        data={n: joined([p.data[n] for p in parts]) for n in parts[0].data},
        params={n: joined([p.params[n] for p in parts]) for n in parts[0].params},
        run_ids=np.concatenate([p.run_ids + i * runs for i, p in enumerate(parts)]),
        status=np.concatenate([p.status for p in parts]),
        failed_at=np.concatenate([p.failed_at for p in parts]),
        calls={n: joined([p.calls[n] for p in parts]) for n in parts[0].calls},
        constants={n: joined([p.constants[n] for p in parts]) for n in parts[0].constants},
        steps={n: joined([p.steps[n] for p in parts]) for n in parts[0].steps},
    )


def said(claim: Rate | Tight | Level, result: Result) -> str:
    reading: Reading = claim.reading
    results, seeds = {reading.sim.key: result}, len(pilot.SEEDS)
    if isinstance(claim, Level):
        trials = pilot.of_level(claim, results, seeds)
    else:
        trials = pilot.of_slope(reading, results, seeds, isinstance(claim, Rate))
    best = pilot.earliest(trials)
    name = f"{type(claim).__name__:5s} {reading.named()}"
    if best is None:
        every = ", ".join(f"1/{1 / t.start:.0f}: {t.off:.2f} ({t.needs:.2f})" for t in trials)
        return f"{name}\n      NONE  {every}"
    runs = f"{best.more * result.runs / seeds:.0f} runs{'' if best.sharp else ', MORE than it has'}"
    return f"{name}\n      1/{1 / best.start:.0f}, off {best.off:.2f}, with errors {best.needs:.2f}, needs {runs}"


def main(profile: str, names: Sequence[str]) -> None:
    made = [c for c in (*claims.CLAIMS, *claims_wrong.TIGHT) if isinstance(c, Rate | Tight | Level)]
    for sim in {c.reading.sim.key: c.reading.sim for c in made}.values():
        if names and sim.key.split("/sim-")[1] not in names:
            continue
        result = pooled(sim, profile, pilot.SEEDS)
        print(f"== {sim.key}: {result.elapsed[-1]:.1f} s for one seed", flush=True)
        for claim in made:
            if claim.reading.sim is sim:
                print("  ", said(claim, result), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
