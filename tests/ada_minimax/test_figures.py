"""Figures of paper `ada_minimax`: what their captions state."""

from __future__ import annotations

import dataclasses

import numpy as np

from figures import facts
from workbench import catalog
from workbench.run import jobs
from workbench.run.options import Options


def test_figure_1_says_who_is_ahead() -> None:
    """Exchanged data, exchanged names; the factor is that of the medians at the end."""
    figure, options = catalog.figures()["ada_minimax/fig-1"], Options("quick", horizon=44, runs=3)
    sims = [catalog.simulations()[key] for key in figure.needs]
    ada, tiada = (jobs.execute(jobs.prepare(sim, options), "numpy") for sim in sims)
    exchanged = (dataclasses.replace(ada, data=tiada.data), dataclasses.replace(tiada, data=ada.data))
    one = figure.seen(dict(zip(figure.needs, (ada, tiada), strict=True)))
    two = figure.seen(dict(zip(figure.needs, exchanged, strict=True)))
    renamed = (
        one.replace("Ada-Minimax (x", "#").replace("TiAda (x", "Ada-Minimax (x").replace("#", "TiAda (x")
    )
    assert two == renamed
    assert one != two
    where = {"sigma": 100.0, "x_1": 10.0, "y_1": 10.0}
    ends = [np.median(r.curve("grad_norm_mean", **where)[:, -1]) for r in (ada, tiada)]
    assert (
        f"sigma = 100: {'Ada-Minimax' if ends[0] < ends[1] else 'TiAda'} (x{max(ends) / min(ends):.2g})"
        in one
    )


def test_competitors_carry_the_labels_of_their_modules() -> None:
    for name in ("tiada", "sgda", "pdsm", "tfbo", "nsgdm"):
        module = catalog.algorithms()[f"baselines.{name}"]
        assert facts.competitors(name) == f"{module.TITLE} [{module.LABEL}]"
        assert f"[{module.LABEL}]" in facts.LABELS
