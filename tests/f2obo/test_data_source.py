"""Figures of the paper `f2obo` on its own data sets, and what happens where they cannot be fetched."""

import pytest
from real_data import captions, check_captions
from workbench.theorems.f2obo.experiments import imbalance_runs

from workbench.problems import real
from workbench.problems.datasets import digits_in_three
from workbench.run import catalog
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options, UsageError

CAPTIONS = {
    "f2obo/fig-1": ("Digits of scikit-learn", "MNIST, the paper's own set"),
    "f2obo/table-3": ("Digits of scikit-learn", "20 Newsgroups, the paper's own set"),
}


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


@pytest.fixture
def fetched(monkeypatch):
    """Another set of digits in the place of both real sets."""
    monkeypatch.setattr(real, "parts", lambda *_, **__: digits_in_three(800, 500))
    imbalance_runs.problem.cache_clear()
    yield
    imbalance_runs.problem.cache_clear()


@pytest.mark.parametrize("key", CAPTIONS)
def test_the_caption_follows_the_data_that_were_used(key, fetched):
    check_captions(captions(key, 44), *CAPTIONS[key])
