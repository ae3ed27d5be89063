"""Figures 1 and 2 on the paper's own sets, with data of the right kind and of nobody's; damaged files."""

from __future__ import annotations

import zipfile
from functools import partial
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from real_data import captions, check_captions
from thin import one_in
from workbench.theorems.biadam.experiments import cleaning_runs, representation_runs
from workbench.theorems.biadam.problems import glyphs

from workbench.problems import real
from workbench.problems.datasets import digits_in_three
from workbench.run import catalog
from workbench.run.jobs import prepare
from workbench.run.options import Options, UsageError

CAPTIONS = {
    "biadam/fig-1": ("Digits of scikit-learn", "MNIST, the paper's own set"),
    "biadam/fig-2": ("Generated glyphs", "Omniglot, the paper's own set"),
}
SIMS = {"biadam/fig-1": "biadam/sim-fig-1-smb", "biadam/fig-2": "biadam/sim-fig-2-5-way-smb"}


def drawing(seed: int) -> bytes:
    """A black mark on white paper, 21 x 21."""
    pixels = np.full((21, 21), 255, np.uint8)
    pixels[seed % 19 : seed % 19 + 3, :7] = 0
    kept = BytesIO()
    Image.fromarray(pixels).save(kept, "PNG")
    return kept.getvalue()


def write(archive: zipfile.ZipFile, characters: int, drawings: int = 8, content: bytes = b"") -> None:
    for c in range(characters):
        for j in range(drawings):
            name = f"images_background/Nobody/character{c:03d}/{c:04d}_{j:02d}.png"
            archive.writestr(name, content or drawing(3 * c + j))


@pytest.fixture(autouse=True)
def fresh():
    """What was read for another test is forgotten."""
    caches = (
        cleaning_runs.parts,
        representation_runs.alphabet,
        glyphs.omniglot,
    )  # before anything is replaced
    for kept in caches:
        kept.cache_clear()
    yield
    for kept in caches:
        kept.cache_clear()


@pytest.fixture
def fetched(monkeypatch, tmp_path):
    """Another set of digits in the place of MNIST, and an archive of the shape of Omniglot's."""
    monkeypatch.setattr(real, "parts", lambda *_, **__: digits_in_three(40, 40))
    with zipfile.ZipFile(tmp_path / "omniglot.zip", "w") as archive:
        write(archive, 60)
    monkeypatch.setenv(glyphs.VARIABLE, str(tmp_path / "omniglot.zip"))


@pytest.mark.parametrize("key", one_in(2, CAPTIONS))
def test_the_caption_follows_the_data_that_were_used(key, fetched, monkeypatch):
    monkeypatch.setattr(
        glyphs, "omniglot", partial(glyphs.omniglot.__wrapped__, side=8)
    )  # fewer pixels are faster
    check_captions(captions(key, 1), *CAPTIONS[key])


def refused(key: str, match: str) -> None:
    with pytest.raises(UsageError, match=match) as caught:
        prepare(catalog.simulations()[SIMS[key]], Options("quick", data="real"))
    assert "\n" not in str(caught.value)


def test_mnist_that_cannot_be_fetched_is_one_sentence(monkeypatch):
    def no_network(words):
        raise OSError("no route to host")

    monkeypatch.setattr(real, "_mnist", no_network)
    refused("biadam/fig-1", "fig-1-smb: the data set mnist cannot be fetched")


def test_mnist_that_is_cut_short_is_one_sentence(monkeypatch):
    monkeypatch.setattr(real, "_mnist", lambda words: (np.zeros((100, 784)), np.zeros(100, int)))
    refused("biadam/fig-1", "mnist has 100 points: too few")


@pytest.mark.parametrize(
    ("made", "match"),
    [
        ("unset", "Omniglot is not fetched automatically: let WORKBENCH_OMNIGLOT name"),
        ("missing", "nowhere cannot be read"),
        ("empty folder", "has 0 characters with 8 drawings"),
        ("no archive", "cannot be read"),
        ("half an archive", "cannot be read"),
        ("too few", "has 59 characters with 8 drawings .* 60 are needed"),
        ("a damaged image", "an image in .* is damaged"),
    ],
)
def test_omniglot_that_is_missing_or_damaged_is_one_sentence(made, match, monkeypatch, tmp_path):
    path = tmp_path / ("nowhere" if made == "missing" else "omniglot.zip")
    if made == "empty folder":
        path.mkdir()
    elif made == "no archive":
        path.write_bytes(b"not a zip file")
    elif made != "missing":
        with zipfile.ZipFile(path, "w") as archive:
            write(
                archive,
                59 if made == "too few" else 60,
                content=b"no image" if made == "a damaged image" else b"",
            )
        if made == "half an archive":
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    monkeypatch.setenv(glyphs.VARIABLE, "" if made == "unset" else str(path))
    refused("biadam/fig-2", match)


@pytest.mark.parametrize("mode", ["1", "L"])
def test_gray_images_are_read_as_another_library_reads_them(mode):
    """One bit and eight bits a pixel; noise makes the encoder use every filter."""
    pixels = np.random.default_rng(1).integers(0, 256, (37, 29)).astype(np.uint8)
    pixels[10:20] = np.arange(29)[None, :] * 3 + np.arange(10)[:, None]
    kept, image = BytesIO(), Image.fromarray(pixels).convert(mode)
    image.save(kept, "PNG")
    np.testing.assert_array_equal(glyphs.gray(kept.getvalue()), np.asarray(image.convert("L")) / 255.0)
    for damaged in (kept.getvalue()[:-20], kept.getvalue().replace(b"IDAT", b"IDAB"), b"", b"GIF89a"):
        with pytest.raises((ValueError, IndexError)):
            glyphs.gray(damaged)
    coloured = BytesIO()
    Image.fromarray(np.zeros((4, 4, 3), np.uint8)).save(coloured, "PNG")
    with pytest.raises(ValueError, match="not a gray image"):
        glyphs.gray(coloured.getvalue())


def test_omniglot_from_a_folder_is_that_from_an_archive(fetched, monkeypatch, tmp_path):
    """Dark strokes on a bright ground become large numbers; the last column is 1."""
    zipped = glyphs.omniglot(60, 8)
    with zipfile.ZipFile(tmp_path / "omniglot.zip") as archive:
        archive.extractall(tmp_path / "folder")
    monkeypatch.setenv(glyphs.VARIABLE, str(tmp_path / "folder"))
    glyphs.omniglot.cache_clear()
    np.testing.assert_array_equal(glyphs.omniglot(60, 8), zipped)
    assert zipped.shape == (60, 8, 442)
    assert zipped.min() == 0.0
    assert zipped.max() == 1.0
    assert zipped[..., :-1].mean() == pytest.approx(3 * 7 / 21**2, rel=0.05)
    assert (zipped[..., -1] == 1.0).all()


def test_mnist_gets_the_printed_steps_and_digits_the_chosen_ones(fetched):
    """The grid search of the digits says nothing about other data; theta is 1/L_g of the data at hand."""
    sim = catalog.simulations()["biadam/sim-fig-1-stocbio"]
    bundled, own = (prepare(sim, Options("quick", data=d)).batch for d in ("bundled", "real"))
    assert (bundled.steps.alpha, bundled.steps.beta) == cleaning_runs.STEPS["stocbio"]
    assert bundled.steps.theta == cleaning_runs.SETTING.theta
    assert (own.steps.alpha, own.steps.beta) == (0.05, 1000.0)
    assert own.steps.theta == pytest.approx(1.0 / own.instance.constants({})["L_g"])
    assert cleaning_runs.SETTING.theta * bundled.instance.constants({})["L_g"] < 1.0
