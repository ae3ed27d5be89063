"""A figure is left alone only while everything that it depends on, and its files, are what they were."""

from __future__ import annotations

import dataclasses
import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from from_catalog import of_points
from matplotlib.figure import Figure as MplFigure
from typer.testing import CliRunner

from workbench.cli import app
from workbench.homes import disk
from workbench.ledger.study import Study
from workbench.report import redraw
from workbench.report.drawing import draw
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.stamps import NAME
from workbench.report.redraw import Drawing
from workbench.run import catalog, jobs, pool
from workbench.run.options import Options, UsageError
from workbench.run.store.results import Store

SIM = of_points(3).key
OPTIONS = Options("quick", horizon=16, runs=2, jobs=1)
ENDINGS = ("pdf", "png", "txt")


def draw_mean(results: Results) -> MplFigure:
    figure, ax = plt.subplots()
    ax.plot(results[SIM].marks, next(iter(results[SIM].data.values())).mean(axis=0))
    return figure


FIGURE = Figure("toy/fig-1", "Mean", "none", (SIM,), draw_mean, "A toy.", lambda results: "Seen.")
PROOF = dataclasses.replace(FIGURE, key=f"{SIM.split('/')[0]}/fig-proof-toy", of_proof=True)


VERDICTS = {("toy/lem-1", "line"): "holds"}


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, and the two figures drawn (out)."""
    folder = tmp_path_factory.mktemp("drawn")
    with pytest.MonkeyPatch.context() as patched:
        without_a_ledger(patched)
        store = Store(folder / "store")
        results = pool.ensure([catalog.simulations()[SIM]], OPTIONS, store)
        paths = list(Drawing(OPTIONS, store, folder / "out").draw([FIGURE, PROOF], results))
    assert [p.suffix[1:] for p in paths] == [*ENDINGS, *ENDINGS]
    return folder


def without_a_ledger(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(redraw, "exact_verdicts", lambda lemmas, folder, jobs: VERDICTS)
    patched.setattr(redraw.Drawing, "_prepare_ledger", lambda *_: None)


@pytest.fixture
def store(once: Path, tmp_path: Path) -> Store:
    return Store(shutil.copytree(once / "store", tmp_path / "store"))


@pytest.fixture
def again(
    once: Path, tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[str]]:
    """Keys that the next call of the command would draw; the two figures were drawn before."""
    without_a_ledger(monkeypatch)
    shutil.copytree(once / "out", tmp_path / "out")

    def outdated(options: Options = OPTIONS) -> list[str]:
        return [f.key for f in Drawing(options, store, tmp_path / "out").stale([FIGURE, PROOF])]

    assert outdated() == [], "nothing has changed"
    return outdated


BOTH = [FIGURE.key, PROOF.key]


def test_changed_sources(again: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of another paper do not count."""
    real = redraw.stamp
    for key in BOTH:
        changed = key.split("/")[0]
        monkeypatch.setattr(
            redraw, "stamp", lambda paper, of=changed: "another" if paper == of else real(paper)
        )
        assert again() == [key]


def test_a_changed_result(store: Store, again: Callable[..., list[str]]) -> None:
    key = jobs.prepare(catalog.simulations()[SIM], OPTIONS).key
    held = store.load(key)
    assert held is not None
    data = {name: values + 1.0 for name, values in held.data.items()}
    store.save(key, dataclasses.replace(held, data=data))
    assert again() == BOTH
    store.path(key).unlink()
    assert again() == BOTH


def test_a_result_replaced_between_its_reading_and_the_drawing(
    store: Store, tmp_path: Path, again: Callable[..., list[str]]
) -> None:
    """By another command, while this one still simulates: what is drawn is not of what is stored."""
    sim = catalog.simulations()[SIM]
    results = pool.ensure([sim], OPTIONS, store)
    held = results[SIM]
    data = {name: values + 1.0 for name, values in held.data.items()}
    Store(store.folder).save(jobs.identity(sim, OPTIONS).key, dataclasses.replace(held, data=data))
    list(Drawing(OPTIONS, store, tmp_path / "out").draw([FIGURE, PROOF], results))
    assert again() == BOTH


@pytest.mark.parametrize("changed", [{"seed": 1}, {"horizon": 32}, {"backend": "numpy"}])
def test_other_options(changed: dict, again: Callable[..., list[str]]) -> None:
    """A backend that is asked for by name may not be the one of the stored result."""
    assert again(dataclasses.replace(OPTIONS, **changed)) == BOTH


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_that_are_gone_or_edited(ending: str, tmp_path: Path, again: Callable[..., list[str]]) -> None:
    path = tmp_path / "out" / f"toy-fig-1.{ending}"
    body = path.read_bytes()
    path.write_bytes(body + b" ")
    assert again() == [FIGURE.key]
    path.write_bytes(body)
    assert again() == []
    path.unlink()
    assert again() == [FIGURE.key]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"toy/fig-1": 1}', '{"toy/fig-1": {"files": {}}}'])
def test_a_damaged_stamp(text: str, tmp_path: Path, again: Callable[..., list[str]]) -> None:
    (tmp_path / "out" / NAME).write_text(text)
    assert again() == BOTH


def test_other_libraries(again: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    real = redraw.metadata.version
    for library in redraw.LIBRARIES:
        versions = {name: "0" if name == library else real(name) for name in redraw.LIBRARIES}
        with monkeypatch.context() as patched:
            patched.setattr(redraw.metadata, "version", versions.__getitem__)
            assert again() == BOTH


def test_other_outcomes_of_the_ledger(
    again: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They count for the figures of the proof alone."""
    with monkeypatch.context() as patched:
        patched.setattr(redraw, "exact_verdicts", lambda *_: {("toy/lem-1", "line"): "violated"})
        assert again() == [PROOF.key]
    study = Study("toy/lem-1", (("line", "c = 2 can be 1"),), ())
    monkeypatch.setattr(redraw.studies, "in_memory", lambda lemma: study)
    assert again() == [PROOF.key]


def test_the_command_says_so_and_redraws_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "figures", lambda: {FIGURE.key: FIGURE})
    words = ["figures", "--profile", "quick", "--horizon", "16", "--runs", "2", "--jobs", "1"]
    words += ["--store", str(tmp_path / "store"), "--out", str(tmp_path / "out")]

    def said(*more: str) -> list[str]:
        done = CliRunner().invoke(app.app, [*words, *more])
        assert done.exit_code == 0, done.output
        return done.stdout.splitlines()

    drawn = [str(tmp_path / "out" / f"toy-fig-1.{ending}") for ending in ENDINGS]
    assert said() == drawn
    assert said() == [f"{FIGURE.key} is up to date"]
    assert said("--redraw") == drawn


def too_few(results: Results) -> MplFigure:
    raise ValueError("a slope needs\nthree marks")


def test_numbers_of_the_user_that_are_too_small_for_a_figure(store: Store, tmp_path: Path) -> None:
    results = pool.ensure([catalog.simulations()[SIM]], OPTIONS, store)
    figure = dataclasses.replace(FIGURE, draw=too_few)
    said = "toy/fig-1: a slope needs three marks"
    with pytest.raises(UsageError, match=f"^{said}; if runs or iterations are too few, leave out"):
        list(Drawing(OPTIONS, store, tmp_path / "out").draw([figure], results))
    with pytest.raises(UsageError, match=f"^{said}$"):  # a profile's numbers must do
        list(Drawing(Options("quick"), store, tmp_path / "out").draw([figure], results))


def test_a_picture_that_cannot_be_written_leaves_the_old_one(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = pool.ensure([catalog.simulations()[SIM]], OPTIONS, store)
    paths = list(Drawing(OPTIONS, store, tmp_path / "out").draw([FIGURE], results))
    before = [p.read_bytes() for p in paths]

    def full(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(disk, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        list(Drawing(OPTIONS, store, tmp_path / "out").draw([FIGURE], results))
    assert [p.read_bytes() for p in paths] == before


@pytest.mark.parametrize(
    ("low", "high", "most"), [(5.5e3, 9.5e3, 3), (1.1e3, 1.9e3, 3), (30, 600, 4), (20, 500, 5), (1, 1e5, 6)]
)
def test_a_short_logarithmic_axis_has_few_numbers(low: float, high: float, most: int) -> None:
    figure, ax = plt.subplots()
    ax.set_xscale("log")
    ax.set_xlim(low, high)
    draw._space_labels(figure)
    figure.canvas.draw()
    labels = [*ax.get_xticklabels(minor=True), *ax.get_xticklabels()]
    seen = [t.get_text() for t in labels if t.get_text() and low <= t.get_position()[0] <= high]
    assert 2 <= len(seen) <= most, seen
    plt.close(figure)
