"""The proof chain of the paper `ir_cg`: what its lines notice, and that no lemma is left out."""

from __future__ import annotations

import dataclasses

import pytest
from measured_lines import LEMMAS, measured
from thin import one_in
from workbench.theorems.ir_cg.theory import THEOREMS

from workbench.ledger.graph import chain


@pytest.mark.parametrize(
    ("key", "name", "factor"),
    one_in(
        2,
        [
            ("ir_cg/lem-1", "along runs", 4),
            ("ir_cg/eq-S", "lower bound", 2),
            ("ir_cg/eq-9", "length of a step", 1.5),
            ("ir_cg/eq-25", "along runs", 20),
            ("ir_cg/lem-12", "along runs, k = 0", 100),
            ("ir_cg/prop-1", "(11) along runs of Algorithm 2", 1.5),
        ],
        unpack=True,
    ),
)
def test_sure_lines_can_fail(key: str, name: str, factor: float) -> None:
    """A right-hand side divided by the factor is exceeded somewhere: the runs come near the line."""
    check = LEMMAS[key].check(name)
    weaker = dataclasses.replace(check, rhs=check.rhs * 2 / int(2 * factor))
    assert measured(key, weaker).p_if_right == 0.0


def test_the_average_of_algorithm_2_starts_at_q() -> None:
    """With the sums from i = 1 on, the identity of the weights of Algorithm 1 would hold; with q it must not."""
    check = LEMMAS["ir_cg/eq-S"].check("along runs of Algorithm 1")
    moved = dataclasses.replace(check, on=("ir_cg/sim-ledger-components",))
    assert measured("ir_cg/eq-S", moved).p_if_right == 0.0


def test_no_lemma_is_left_out() -> None:
    chains = {t.key: {x.key for x in chain(LEMMAS, t.key)} for t in THEOREMS if t.key in LEMMAS}
    assert all(len(links) >= 5 for links in chains.values())
    numbered = {f"ir_cg/lem-{i}" for i in range(1, 18)} | {f"ir_cg/prop-{i}" for i in range(1, 5)}
    assert numbered <= set().union(*chains.values())
