"""The sets of Figures 1 and 2: generated shapes, LIBSVM files and damaged ones, and who says what in the captions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from real_data import captions, check_captions
from scipy import sparse
from sklearn.datasets import dump_svmlight_file
from thin import one_in
from workbench.theorems.rsvrb.experiments import reweighting_runs
from workbench.theorems.rsvrb.problems import libsvm

from workbench.run import catalog
from workbench.run.jobs import prepare
from workbench.run.options import Options, UsageError


@pytest.mark.parametrize("name", libsvm.SHAPES)
def test_generated_sets_have_the_shape_of_the_real_ones(name: str) -> None:
    shape, parts = libsvm.SHAPES[name], libsvm.synthetic(name)
    assert [part.features.shape for part in parts] == [
        (shape.train, shape.features), (shape.validation, shape.features)
    ]  # fmt: skip
    for part in parts:
        assert set(part.features.data) == {1.0}
        assert set(part.labels) == {-1.0, 1.0}
        assert np.mean(part.labels > 0) == pytest.approx(shape.positives, rel=0.25)
        assert part.features.nnz / len(part) == pytest.approx(14 if shape.features == 123 else 12, rel=0.05)


def test_labels_can_be_learned_and_sets_of_a_kind_share_their_rule() -> None:
    """The difference of the class means on one set separates the other one far better than chance."""
    small, large = libsvm.synthetic("a1a")[0], libsvm.synthetic("a8a")[1]
    direction = small.features[small.labels > 0].mean(axis=0) - small.features[small.labels < 0].mean(axis=0)
    scores = np.asarray(large.features @ np.asarray(direction).ravel()).ravel()
    above = scores[large.labels > 0][:, None] > scores[large.labels < 0][None, :2000]
    assert above.mean() > 0.75  # the area under the curve


@pytest.fixture(autouse=True)
def fresh():
    """What was read for another test is forgotten."""
    for kept in (libsvm.own, reweighting_runs.problem):
        kept.cache_clear()
    yield
    for kept in (libsvm.own, reweighting_runs.problem):
        kept.cache_clear()


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Small sets in LIBSVM's format under the names of the real ones, which are taken to be as small."""
    small = {
        name: libsvm.Shape(70 + i, 110 + i, full.features)
        for i, (name, full) in enumerate(libsvm.SHAPES.items())
    }
    monkeypatch.setattr(libsvm, "SHAPES", small)
    for name, shape in small.items():
        random = np.random.default_rng(len(name) + shape.train)
        for file, n in ((name, shape.train), (f"{name}.t", shape.validation)):
            features = sparse.random(n, shape.features, 0.1, random_state=random, format="csr")
            features.data[:] = 1.0
            labels = np.where(random.random(n) < 0.4, 1, -1)
            dump_svmlight_file(features, labels, str(tmp_path / file), zero_based=False)
    monkeypatch.setenv(libsvm.VARIABLE, str(tmp_path))
    return tmp_path


def test_a_file_is_read_as_it_was_written(tmp_path) -> None:
    features = sparse.random(30, 123, 0.1, random_state=3, format="csr")
    labels = np.where(np.arange(30) % 3 == 0, 1.0, -1.0)
    dump_svmlight_file(features, labels, str(tmp_path / "a1a"), zero_based=False)
    found = libsvm.read(tmp_path / "a1a", 123)
    np.testing.assert_array_equal(found.labels, labels)
    np.testing.assert_allclose(found.features.toarray(), features.toarray(), rtol=1e-15)


GOOD = "+1 3:1 11:1\n-1 5:1 7:1\n"
DAMAGED = {
    "no colon": (GOOD + "-1 3:1 4\n", "a1a.* is no LIBSVM file"),
    "no number": (GOOD + "+1 3:one\n", "a1a.* is no LIBSVM file .*one"),
    "half a line": (GOOD + "+1 3:1 12:\n", "a1a.* is no LIBSVM file"),
    "no label": ("label 3:1\n" + GOOD, "a1a.* is no LIBSVM file .*label"),
    "another label": (GOOD + "3 3:1\n", "a1a, line [0-9]+, has the label 3; wanted"),
    "label zero": ("# a comment\n0 3:1\n" + GOOD, "a1a, line 2, has the label 0; wanted"),
    "too many features": (GOOD + "+1 124:1\n", "a1a.* is no LIBSVM file with the features 1 to 123"),
    "feature zero": (GOOD + "+1 0:1\n", "a1a.* is no LIBSVM file with the features 1 to 123"),
    "not increasing": (GOOD + "+1 9:1 4:1\n", "a1a.* is no LIBSVM file .* sorted"),
    "not finite": (GOOD + "+1 9:nan\n", "a1a, line [0-9]+, has a value that is not finite"),
    "too large": (GOOD + "+1 9:1e999\n", "a1a, line [0-9]+, has a value that is not finite"),
    "empty": ("", "a1a.* is no LIBSVM file|a1a has 0 rows"),
    "a page": ("<!DOCTYPE html><title>404</title>", "a1a is an HTML page"),
    "a pointer": (
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
        "a1a is a pointer of Git LFS",
    ),
    "only comments": ("# nothing\n", "a1a.* is no LIBSVM file|a1a has 0 rows"),
}


@pytest.mark.parametrize("made", DAMAGED)
def test_a_damaged_file_is_one_sentence(made: str, folder: Path) -> None:
    content, said = DAMAGED[made]
    (folder / "a1a").write_text(content)
    refused("rsvrb/sim-fig-1-a1a-bsa", said)
    refused("rsvrb/sim-fig-2-a1a-200-bsa", said)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("unset", "a1a is not fetched automatically: let WORKBENCH_LIBSVM name a folder"),
        ("missing", "a1a.t cannot be read"),
        ("a folder", "a1a.t cannot be read"),
        ("not text", "no LIBSVM file"),
    ],
)
def test_a_missing_file_is_one_sentence(made: str, said: str, folder: Path, monkeypatch) -> None:
    path = folder / "a1a.t"
    if made == "unset":
        monkeypatch.delenv(libsvm.VARIABLE)
    elif made == "not text":
        path.write_bytes(bytes(range(256)) * 4)
    else:
        path.unlink()
        if made == "a folder":
            path.mkdir()
    refused("rsvrb/sim-fig-1-a1a-svrb", said)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("cut", "a1a.t has 109 rows, but a1a.t of https://.* has 110"),
        ("longer", "a1a.t has 111 rows, but a1a.t of https://.* has 110"),
        ("swapped", "a1a has 110 rows, but a1a of https://.* has 70"),
        ("another set", "a1a has 71 rows, but a1a of https://.* has 70"),
        ("one class", "a1a.t has rows of one class only, with the label -1$"),
    ],
)
def test_a_file_that_is_another_one_is_one_sentence(made: str, said: str, folder: Path) -> None:
    train, validation = folder / "a1a", folder / "a1a.t"
    lines = validation.read_text().splitlines(keepends=True)
    if made == "cut":
        validation.write_text("".join(lines[:-1]))
    elif made == "longer":
        validation.write_text("".join([*lines, lines[0]]))
    elif made == "swapped":
        train.write_text("".join(lines))
    elif made == "another set":
        train.write_bytes((folder / "a8a").read_bytes())
    else:
        validation.write_text("".join("-1 " + line.split(" ", 1)[1] for line in lines))
    refused("rsvrb/sim-fig-1-a1a-bsa", said)


def refused(key: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        prepare(catalog.simulations()[key], Options("quick", data="real"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", one_in(2, ["rsvrb/fig-1", "rsvrb/fig-2"]))
def test_the_caption_follows_the_data_that_were_used(key: str, folder: Path) -> None:
    check_captions(captions(key, 2), "Generated sets with the shapes of", "LIBSVM's")
