"""`--data real`: asked by experiments that can fetch a set, and by whose figures. (What they fetch: tests/<paper>.)"""

import pytest

from workbench.claims.runs import Runs, wants_real
from workbench.engine.records import Grid
from workbench.run import catalog
from workbench.run.options import Options, UsageError


@pytest.mark.parametrize("data", ["real", "bundled"])
def test_a_grid_hands_the_choice_on_and_the_question_is_remembered(data):
    runs = Runs(2, data=data)
    assert not runs.asked_for_real
    assert wants_real(Grid([{}], runs)) is runs.asked_for_real is (data == "real")
    assert not wants_real(Grid([{}], 2))


def test_unknown_data_are_refused():
    with pytest.raises(UsageError, match="unknown data 'mnist'"):
        Options(data="mnist")


class Asked(Exception):
    """An experiment wants the real data."""


class Watched(Runs):
    """Stops an experiment when it asks, before it fetches anything."""

    def __setattr__(self, name, value):
        if name == "asked_for_real" and value:
            raise Asked
        super().__setattr__(name, value)


def asks(key):
    runs = Watched(2, data="real")
    try:
        catalog.simulations()[key].make(44, runs)
    except Asked:
        return True
    return False


@pytest.mark.parametrize("figure", catalog.figures().values(), ids=catalog.figures())
def test_figures_that_can_be_drawn_from_a_fetched_set_have_a_caption_for_it(figure):
    """And no others have one."""
    assert bool(figure.on_real) == any(map(asks, figure.needs[:1]))
