"""Figures of the paper `ir_cg` on its own data sets, with data of the right sizes and of nobody's."""

import io
import json
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from real_data import captions, check_captions
from workbench.theorems.ir_cg.problems import real

CAPTIONS = {
    "ir_cg/fig-1": (
        "generated (the paper: Wikipedia",
        "on Wikipedia Math Essential, the paper's own set",
    ),
    "ir_cg/fig-2": ("data of the generator of Madelon", "on Madelon, the paper's own set"),
}


@pytest.fixture
def fetched(monkeypatch):
    """Every fetcher answers."""
    rng = np.random.default_rng(0)
    days = {str(day): {"y": rng.standard_normal(1068).tolist()} for day in range(731)}
    monkeypatch.setattr(real, "urlopen", lambda *_, **__: io.StringIO(json.dumps(days)))
    madelon = SimpleNamespace(
        data=rng.standard_normal((2600, 500)), target=rng.choice(["1", "2"], 2600).astype(object)
    )
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: madelon)
    quickly = partial(real.with_reference, most=21)  # the optimal value does not matter here
    monkeypatch.setattr(real, "with_reference", quickly)
    for made in (real.wiki, real.madelon):
        made.cache_clear()
    yield
    for made in (real.wiki, real.madelon):
        made.cache_clear()


@pytest.mark.parametrize("key", CAPTIONS)
def test_the_caption_follows_the_data_that_were_used(key, fetched):
    said = captions(key, 16)
    check_captions(said, *CAPTIONS[key])
    # F_opt of these sets is not known.
    assert "|outer gap|" in said["bundled"][1]
    assert "outer value F" in said["real"][1]
    assert "|outer gap|" not in said["real"][1]
    assert "|outer gap|" not in said["real"][0]
