"""Contracts of the instances that simulations run on: their constants against sampling."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from workbench.claims.constants import RTOL, first_row, ratios, reach
from workbench.claims.records import Batch, Simulation
from workbench.cli.contracts.outcome import Skipped
from workbench.cli.contracts.steps import SMALL
from workbench.engine.records import class_of
from workbench.run import jobs


def constants(sim: Simulation) -> Iterator[str]:
    """No sampled extreme exceeds its constant, and each comes as close as it is declared to."""
    batch = jobs.prepare(sim, SMALL).batch
    if not hasattr(batch.instance, "constants"):
        raise Skipped(f"{class_of(batch.instance).__name__} declares no constants")
    with jobs.explaining(sim):
        yield from (f"{sim.key}: {sentence}" for sentence in wrong_constants(batch))


def wrong_constants(batch: Batch) -> Iterator[str]:
    """A sentence for each constant that sampling refutes, that is not reached, or that nobody can sample.

    Of the first row of the batch; noise levels that differ between rows are those of one row.
    """
    instance, start = first_row(batch)
    name = class_of(instance).__name__
    constants = instance.constants(start)
    reasons = getattr(instance, "unsampled", {})
    if not hasattr(instance, "samples") and constants.keys() - reasons.keys():
        yield (f"{name}: has constants but no samples(start); say how each can be sampled (`wb.samples`)")
        return
    samples = instance.samples(start) if hasattr(instance, "samples") else {}
    for constant in sorted(constants.keys() - samples.keys() - reasons.keys()):
        yield f"{name}: {constant} is neither sampled nor in `unsampled` with a reason"
    with np.errstate(all="ignore"):
        extremes = ratios(constants, samples)
    for constant, ratio in extremes.items():
        share, least = float(np.max(ratio)), reach(samples[constant])
        value = float(np.max(constants[constant]))
        if not share <= 1.0 + RTOL:
            yield (
                f"{name}: {constant} = {value:.6g} is wrong: sampling finds a point where it is exceeded"
                f" by a factor of {share:.4g}"
            )
        elif share < least:
            yield (
                f"{name}: {constant} = {value:.6g} is not reached: sampling finds {share:.3g} of it, not"
                f" {least:.3g}; correct it, or declare with `reaches` how loose it is"
            )
