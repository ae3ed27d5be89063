"""`--data real`: asked by experiments that can fetch a set, one sentence where it cannot be fetched."""

import pytest

from workbench import catalog
from workbench.data_source import source, wants_real
from workbench.instances.datasets import digits_in_three
from workbench.instances.f2obo import real
from workbench.runner import Options, UsageError, execute, prepare


def test_the_choice_ends_with_its_block():
    assert not wants_real()
    with source("real") as data:
        assert not data.used
        assert wants_real()
        assert data.used
    with source("bundled") as data:
        assert not wants_real()
        assert not data.used


def test_a_set_that_cannot_be_fetched_is_one_sentence(monkeypatch):
    def no_network(words):
        raise OSError("no route to host")

    monkeypatch.setattr(real, "_newsgroups", no_network)
    sim = catalog.simulations()["f2obo/sim-table-3-sogd"]
    with pytest.raises(UsageError, match="table-3-sogd: the data set newsgroups cannot be fetched") as caught:
        prepare(sim, Options("quick", data="real"))
    assert "\n" not in str(caught.value)


def test_fetched_data_are_another_result_and_say_so(monkeypatch):
    """Another set of digits in the place of the real one: other key, marked in the result."""
    monkeypatch.setattr(real, "parts", lambda *_, **__: digits_in_three(300, 300))
    sim = catalog.simulations()["f2obo/sim-table-3-sogd"]
    bundled, fetched = (prepare(sim, Options("quick", horizon=2, data=d)) for d in ("bundled", "real"))
    assert bundled.key != fetched.key
    assert "data" not in execute(bundled, "numpy").meta
    assert execute(fetched, "numpy").meta["data"] == "real"


def test_unknown_data_are_refused():
    with pytest.raises(UsageError, match="unknown data 'mnist'"):
        Options(data="mnist")
