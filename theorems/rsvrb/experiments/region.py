"""The claim that runs stay in the region on which the constants of a problem hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from workbench import Custom, Theorem, evidence
from workbench.claims import Results, Simulation
from workbench.evidence import Finding


def inside(theorem: Theorem, sim: Simulation, metrics: Sequence[str]) -> Custom:
    """No run leaves the region. metrics: recorded suprema of distances over the radius, (rows, M)."""

    def find(results: Results) -> Finding:
        result = results[sim.key]
        farthest = np.max([result.table(name)[:, -1] for name in metrics], axis=0)
        finding = evidence.complexity(int(np.sum(~(farthest <= 1.0))), 0, result.horizon, "runs outside")
        note = f"runs that leave the region; the farthest comes to {farthest.max():.3g} of its radius"
        return replace(finding, evidence="bound", runs=result.runs, note=note)

    name = f"{sim.title}; iterates stay in the region of the constants"
    return Custom(theorem.key, "bound", name, find, (sim.key,), tuple(metrics), tag="region")
