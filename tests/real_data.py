"""Captions of figures drawn from a fetched data set, and from the bundled one."""

from __future__ import annotations

from dataclasses import replace

import matplotlib.pyplot as plt

from workbench.run import catalog
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options


def captions(key: str, horizon: int) -> dict[str, tuple[str, set[str]]]:
    """ "real", "bundled" -> the figure's text and its y labels, for the same numbers with and without the mark."""
    figure, options = catalog.figures()[key], Options("quick", horizon=horizon, runs=2, data="real")
    sims = [catalog.simulations()[k] for k in figure.needs]
    fetched = {sim.key: execute(prepare(sim, options), "numpy") for sim in sims}
    unmarked = {
        k: replace(r, meta={n: v for n, v in r.meta.items() if n != "data"}) for k, r in fetched.items()
    }
    found = {}
    for data, results in (("real", fetched), ("bundled", unmarked)):
        drawn = figure.draw(results)
        found[data] = figure.text(results), {ax.get_ylabel() for ax in drawn.axes}
        plt.close(drawn)
    return found


def check_captions(said: dict[str, tuple[str, set[str]]], bundled: str, own: str) -> None:
    """Of the two sets a caption names the one drawn, and no other."""
    assert bundled in said["bundled"][0]
    assert own not in said["bundled"][0]
    assert own in said["real"][0]
    assert bundled not in said["real"][0]
