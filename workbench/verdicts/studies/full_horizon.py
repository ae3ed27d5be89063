"""Runs simulations once at the horizon of the profile full, with few runs, and keeps their ends (`experiments.longer`).

    python -m workbench.verdicts.studies.full_horizon PREFIX ... [--runs 2] [--jobs N] [--store DIR]

PREFIX: of the keys of simulations, such as paper/sim-fig-1. Every quantity that is recorded once per run is kept.
"""

from __future__ import annotations

import argparse
import datetime
from pathlib import Path

import numpy as np

from workbench.claims import full_horizon
from workbench.claims.families import BadFound
from workbench.claims.full_horizon import Longer
from workbench.engine.records import Result
from workbench.homes.keys import Key
from workbench.run import catalog
from workbench.run.options import Options, UsageError
from workbench.run.pool import ensure
from workbench.run.store.format import StoreError
from workbench.run.store.results import Store, store_folder

PROFILE = "full"


def ends(result: Result) -> Longer:
    """Medians of absolute values at the end, to three digits; a failed run counts as infinitely far."""
    outcomes = {
        name: float(f"{np.median(np.where(np.isfinite(v[:, -1]), np.abs(v[:, -1]), np.inf)):.3g}")
        for name, v in result.data.items()
        if v.ndim == 2
    }
    return Longer(datetime.date.today().isoformat(), result.runs, result.horizon, outcomes)


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m workbench.verdicts.studies.full_horizon", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("prefixes", nargs="+", metavar="PREFIX")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--store", type=Path)
    given = parser.parse_args()
    sims = [s for key, s in catalog.simulations().items() if key.startswith(tuple(given.prefixes))]
    if not sims:
        parser.error(f"there is no simulation whose key begins with {' or '.join(given.prefixes)}")
    papers = dict.fromkeys(Key.of(sim.key).paper for sim in sims)
    try:
        for paper in papers:  # a damaged file is told before hours are spent
            full_horizon.load(paper)
        options = Options(PROFILE, runs=given.runs, jobs=given.jobs)
        results = ensure(sims, options, Store(store_folder(given.store)), warn=print)
    except (UsageError, StoreError, BadFound) as error:
        parser.error(str(error))
    for paper in papers:
        mine = {key: ends(result) for key, result in results.items() if Key.of(key).paper == paper}
        file = full_horizon.file_of(paper)
        assert file is not None
        file.write_text(full_horizon.text(full_horizon.load(paper) | mine), encoding="utf-8")
        print(f"{file}: {len(mine)} simulations")


if __name__ == "__main__":
    main()
