"""The proof chain of the paper `ir_cg`: exact checks come out as recorded, measured lines hold along short runs."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import pytest

from theorems.ir_cg import ASSUMPTIONS, ERRATA, THEOREMS
from theorems.ir_cg import lemmas_contraction as contraction
from theorems.ir_cg import lemmas_descent as descent
from theorems.ir_cg import lemmas_elementary as elementary
from theorems.ir_cg import lemmas_finite_sum as finite_sum
from theorems.ir_cg import lemmas_limits as limits
from theorems.ir_cg import lemmas_nonconvex as nonconvex
from theorems.ir_cg import lemmas_nonconvex_finite as nonconvex_finite
from theorems.ir_cg import lemmas_one_sample as one_sample
from theorems.ir_cg import lemmas_spider as spider
from theorems.ir_cg import lemmas_storm as storm
from theorems.lemma import MEASURED, AlongTrajectory
from workbench.experiments.ir_cg import ledger
from workbench.ledger import trajectories
from workbench.ledger.decide import decide
from workbench.ledger.graph import chain, check_links
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options

MODULES = (
    elementary,
    descent,
    storm,
    one_sample,
    spider,
    finite_sum,
    nonconvex,
    contraction,
    nonconvex_finite,
    limits,
)
LEMMAS = {x.key: x for m in MODULES for x in m.LEMMAS}
SIMULATIONS = {s.key: s for s in ledger.SIMULATIONS}
ALL = [(x, c) for x in LEMMAS.values() for c in x.checks]


def ids(items: list) -> list[str]:
    return [f"{x.key.split('/')[1]}-{c.name}-{c.form}" for x, c in items]


EXACT = [(x, c) for x, c in ALL if not isinstance(c, MEASURED)]
SEEN = [(x, c) for x, c in ALL if isinstance(c, MEASURED)]


@cache
def record(key: str) -> Any:
    """A short run of a ledger simulation."""
    sim = SIMULATIONS[key]
    result = execute(prepare(sim, Options(horizon=200, runs=20)), "numpy", Options(engine="eager"))
    return trajectories.simulated(result, sim)


@pytest.mark.parametrize(("lemma", "check"), EXACT, ids=ids(EXACT))
def test_exact_checks(lemma: Any, check: Any) -> None:
    found = decide(check)
    assert str(found.verdict) == check.expected, found.note


@pytest.mark.parametrize(("lemma", "check"), SEEN, ids=ids(SEEN))
def test_measured_lines(lemma: Any, check: Any) -> None:
    """No run may break a sure line; a line with probability 0.9 may not be broken by more runs than chance allows."""
    found = trajectories.finding(lemma, check, {n: record(n) for n in check.on})
    assert check.expected == "holds"
    assert found.p_violated > 0.5, found.note
    if isinstance(check, AlongTrajectory):
        assert found.p_holds == 0.0, found.note


@pytest.mark.parametrize(
    ("lemma", "name", "factor"),
    [
        (LEMMAS["ir_cg/lem-1"], "along runs", 4),
        (LEMMAS["ir_cg/eq-S"], "lower bound", 2),
        (LEMMAS["ir_cg/eq-9"], "length of a step", 1.5),
        (LEMMAS["ir_cg/eq-25"], "along runs", 20),
        (LEMMAS["ir_cg/lem-12"], "along runs, k = 0", 100),
        (LEMMAS["ir_cg/prop-1"], "(11) along runs of Algorithm 2", 1.5),
    ],
    ids=lambda v: getattr(v, "key", str(v)),
)
def test_sure_lines_can_fail(lemma: Any, name: str, factor: float) -> None:
    """A right-hand side divided by the factor is exceeded somewhere: the runs come near the line."""
    check = lemma.check(name)
    weaker = dataclasses.replace(check, rhs=check.rhs * 2 / int(2 * factor))
    assert trajectories.finding(lemma, weaker, {n: record(n) for n in check.on}).p_violated == 0.0


def test_the_average_of_algorithm_2_starts_at_q() -> None:
    """With the sums from i = 1 on, the identity of the weights of Algorithm 1 would hold; with q it must not."""
    check = LEMMAS["ir_cg/eq-S"].check("along runs of Algorithm 1")
    moved = dataclasses.replace(check, on=("ir_cg/sim-ledger-components",))
    assert (
        trajectories.finding(LEMMAS["ir_cg/eq-S"], moved, {n: record(n) for n in moved.on}).p_violated == 0.0
    )


def test_links() -> None:
    known = {f"ir_cg/asm-{a.key}" for a in ASSUMPTIONS}
    check_links(LEMMAS, known)
    for theorem in THEOREMS:
        if not theorem.key.startswith(("ir_cg/own", "ir_cg/rem")):
            assert theorem.key in LEMMAS
            assert len(chain(LEMMAS, theorem.key)) >= 5
    numbered = {f"ir_cg/lem-{i}" for i in range(1, 18)} | {f"ir_cg/prop-{i}" for i in range(1, 5)}
    assert numbered <= set(LEMMAS)
    reached = {x.key for t in THEOREMS if t.key in LEMMAS for x in chain(LEMMAS, t.key)}
    assert numbered <= reached


def test_errata_are_in_the_ledger() -> None:
    """Every erratum is documented by a check; one that says "violated" has a form that holds beside it."""
    labels = {e.label for e in ERRATA}
    documented = {c.erratum for _, c in ALL if c.erratum}
    assert documented == labels
    broken = {c.erratum for _, c in ALL if c.expected == "violated"}
    right = {c.erratum for _, c in ALL if c.expected == "holds" and c.form == "repaired"}
    assert broken <= right
    assert not [c.name for _, c in ALL if c.expected == "violated" and not c.erratum]
