"""`--data real`: asked by experiments that can fetch a set, one sentence where it cannot be fetched."""

import io
import json
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from workbench import catalog
from workbench.experiments.data_source import source, wants_real
from workbench.experiments.f2obo import imbalance_runs
from workbench.instances.datasets import digits_in_three
from workbench.instances.f2obo import real
from workbench.instances.ir_cg import real as real_ir_cg
from workbench.run.jobs import execute, prepare
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


# ---------------------------------------------------------------------------------------------------- the captions

# Figure -> what its caption says of the bundled data, and of the paper's own.
CAPTIONS = {
    "ir_cg/fig-1": (
        "generated (the paper: Wikipedia",
        "on Wikipedia Math Essential, the paper's own set",
    ),
    "ir_cg/fig-2": ("data of the generator of Madelon", "on Madelon, the paper's own set"),
    "f2obo/fig-1": ("Digits of scikit-learn", "MNIST, the paper's own set"),
    "f2obo/table-3": ("Digits of scikit-learn", "20 Newsgroups, the paper's own set"),
}


@pytest.fixture
def fetched(monkeypatch):
    """Every fetcher answers, with data of the right sizes and of nobody's."""
    rng = np.random.default_rng(0)
    days = {str(day): {"y": rng.standard_normal(1068).tolist()} for day in range(731)}
    monkeypatch.setattr(real_ir_cg, "urlopen", lambda *_, **__: io.StringIO(json.dumps(days)))
    madelon = SimpleNamespace(
        data=rng.standard_normal((2600, 500)), target=rng.choice(["1", "2"], 2600).astype(object)
    )
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: madelon)
    monkeypatch.setattr(real, "parts", lambda *_, **__: digits_in_three(800, 500))
    quickly = partial(real_ir_cg.with_reference, most=21)  # the optimal value does not matter here
    monkeypatch.setattr(real_ir_cg, "with_reference", quickly)
    caches = (real_ir_cg.wiki, real_ir_cg.madelon, imbalance_runs.problem)
    for made in caches:
        made.cache_clear()
    yield
    for made in caches:
        made.cache_clear()


def without_mark(results):
    """The same as if they came from the bundled data, whose results carry no mark."""
    return {
        key: replace(r, meta={k: v for k, v in r.meta.items() if k != "data"}) for key, r in results.items()
    }


@pytest.mark.parametrize("key", CAPTIONS)
def test_the_caption_follows_the_data_that_were_used(key, fetched):
    """Of the two sets it names the one drawn, and no other."""
    figure = catalog.figures()[key]
    said, labels = {}, {}
    options = Options("quick", horizon=16 if key.startswith("ir_cg") else 44, runs=2, data="real")
    sims = [catalog.simulations()[k] for k in figure.needs]
    fetched_ones = {sim.key: execute(prepare(sim, options), "numpy") for sim in sims}
    for data, results in (("real", fetched_ones), ("bundled", without_mark(fetched_ones))):
        said[data] = figure.text(results)
        drawn = figure.draw(results)
        labels[data] = {ax.get_ylabel() for ax in drawn.axes}
        plt.close(drawn)
    bundled, own = CAPTIONS[key]
    assert bundled in said["bundled"]
    assert own not in said["bundled"]
    assert own in said["real"]
    assert bundled not in said["real"]
    if key.startswith("ir_cg"):  # F_opt of these sets is not known
        assert "|outer gap|" in labels["bundled"]
        assert "outer value F" in labels["real"]
        assert "|outer gap|" not in labels["real"]
        assert "|outer gap|" not in said["real"]


def test_every_figure_that_can_be_drawn_from_a_fetched_set_has_a_caption_for_it(fetched):
    """And no other has one."""
    for key, figure in catalog.figures().items():
        options = Options("quick", horizon=44, runs=2, data="real")
        used = any(prepare(catalog.simulations()[k], options).data == "real" for k in figure.needs[:1])
        assert bool(figure.on_real) == used == (key in CAPTIONS), key
