"""The proof chain of this paper: lines along runs fail if a quantity is wrong; theorems rest on their lemmas."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from measured_lines import LEMMAS, record

from theorems.lemma import AlongTrajectory
from theorems.rsvrb import THEOREMS
from workbench.ledger import graph, trajectories

RUN = "rsvrb/sim-ledger-svrb"
# (lemma, quantity of the left side, factor that makes it wrong). The lines hold with slack 1.05, 3.7, 1.4.
SPOILED = (("lem-4", "fall", 0.5), ("lem-5", "err2", 5.0), ("lem-6", "lag2_next", 3.0))


@pytest.mark.parametrize(("name", "quantity", "factor"), SPOILED)
def test_a_wrong_quantity_breaks_its_line(name: str, quantity: str, factor: float) -> None:
    lemma = LEMMAS[f"rsvrb/{name}"]
    (line,) = (c for c in lemma.checks if isinstance(c, AlongTrajectory))
    good = record(RUN)
    bad = dataclasses.replace(good, values={**good.values, quantity: factor * good.values[quantity]})
    assert trajectories.finding(lemma, line, {RUN: good}).p_holds <= 0.01
    assert trajectories.finding(lemma, line, {RUN: bad}).p_violated <= 0.01


def test_the_probe_sees_the_step() -> None:
    """|x_(t+1) - x_t| = gamma eta_t |z|, and eta_t decreases."""
    values = {n: v[:, 1:] for n, v in record(RUN).values.items() if np.ndim(v) == 2 and np.shape(v)[1] > 1}
    moved = 0.5**2 * values["eta"] ** 2 * values["z2"]
    np.testing.assert_allclose(values["moved_x"], moved, rtol=1e-9)
    assert np.all(np.diff(values["eta"], axis=1) < 0)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.key)
def test_a_theorem_rests_on_descent(theorem: object) -> None:
    links = {x.key for x in graph.chain(LEMMAS, theorem.key)}  # type: ignore[attr-defined]
    assert {"rsvrb/lem-4", "rsvrb/lem-6", "rsvrb/lem-13"} <= links
