"""Figures of paper `ada_minimax`: what their captions state."""

from __future__ import annotations

import numpy as np

from workbench.engine.records import Result
from workbench.report.drawing import facts
from workbench.run import catalog, jobs
from workbench.run.options import Options


def measured(ada: np.ndarray, tiada: np.ndarray) -> dict[str, Result]:
    """Results of Figure 1 whose running means at the end are these, (runs,), in every panel."""
    figure = catalog.figures()["ada_minimax/fig-1"]
    made = {}
    for key, ends in zip(figure.needs, (ada, tiada), strict=True):
        sim = catalog.simulations()[key]
        job = jobs.prepare(sim, Options("quick", horizon=20, runs=len(ends)))
        rows = np.tile(ends, job.batch.grid.rows // len(ends))[:, None]
        values = rows * np.ones((1, len(job.marks)))
        made[key] = Result(
            marks=job.marks, data={"grad_norm_mean": values, "grad_norm": values}, params=job.batch.grid.params,
            run_ids=job.batch.grid.run_ids, status=np.zeros(len(rows), int), failed_at=np.zeros(len(rows), int),
            calls={}, elapsed=job.marks * 1.0,
        )  # fmt: skip
    return made


def said(ada: np.ndarray, tiada: np.ndarray) -> str:
    return catalog.figures()["ada_minimax/fig-1"].text(measured(ada, tiada))


def test_figure_1_names_a_method_only_with_an_interval() -> None:
    """Twice as large with a scatter of 5 % is ahead, and so is the other one if the data are exchanged."""
    scatter = np.exp(0.05 * np.random.default_rng(1).standard_normal((2, 20)))
    one, two = said(scatter[0], 2 * scatter[1]), said(2 * scatter[0], scatter[1])
    assert "reproduced: Ada-Minimax is ahead" in one
    assert "sigma = 100: Ada-Minimax (x1.9 to 2.1)" in one
    assert "Not reproduced" in two
    assert "sigma = 100: TiAda (x1.9 to 2.1)" in two


def test_figure_1_leaves_a_coin_toss_open() -> None:
    """Two samples of one law: their medians differ, and neither method is ahead."""
    same = np.exp(np.random.default_rng(2).standard_normal((2, 20)))
    text = said(*same)
    assert "sigma = 100: open (x" in text
    assert "significantly in 0 of 12 panels" in text


def test_competitors_carry_the_labels_of_their_modules() -> None:
    for name in ("tiada", "sgda", "pdsm", "tfbo", "nsgdm"):
        module = catalog.algorithms()[f"baselines.{name}"]
        assert facts.competitors(name) == f"{module.TITLE} [{module.LABEL}]"
        assert f"[{module.LABEL}]" in facts.LABELS
