"""`--data real`: asked by experiments that can fetch a set, and by whose figures. (What they fetch: tests/<paper>.)"""

import pytest

from workbench.claims import data_source
from workbench.claims.data_source import Source, source, wants_real
from workbench.run import catalog
from workbench.run.options import Options, UsageError


def test_the_choice_ends_with_its_block():
    assert not wants_real()
    with source("real") as data:
        assert not data.used
        assert wants_real()
        assert data.used
    with source("bundled") as data:
        assert not wants_real()
        assert not data.used


def test_unknown_data_are_refused():
    with pytest.raises(UsageError, match="unknown data 'mnist'"):
        Options(data="mnist")


class Asked(Exception):
    """An experiment wants the real data."""


class Watched(Source):
    """Stops an experiment when it asks, before it fetches anything."""

    def __setattr__(self, name, value):
        if name == "used" and value:
            raise Asked
        super().__setattr__(name, value)


def asks(key):
    token = data_source._SOURCE.set(Watched("real"))
    try:
        catalog.simulations()[key].make(44, 2)
    except Asked:
        return True
    finally:
        data_source._SOURCE.reset(token)
    return False


@pytest.mark.parametrize("figure", catalog.figures().values(), ids=catalog.figures())
def test_figures_that_can_be_drawn_from_a_fetched_set_have_a_caption_for_it(figure):
    """And no others have one."""
    assert bool(figure.on_real) == any(map(asks, figure.needs[:1]))
