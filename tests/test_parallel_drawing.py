"""Figures drawn by several processes are those that one process draws, and what befalls a process is told."""

from __future__ import annotations

import dataclasses
import multiprocessing
import pickle
import shutil
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from workbench.report import parallel, redraw
from workbench.report.redraw import Drawing
from workbench.run import catalog, pool
from workbench.run.options import Options, UsageError
from workbench.run.store.results import Store
from workbench.verdicts import verify

OPTIONS = Options("quick", horizon=64, runs=4, jobs=2)
FIGURES = sorted(
    (f for f in catalog.figures().values() if not f.of_proof), key=lambda f: (len(f.needs), f.key)
)[:2]


@pytest.fixture(autouse=True)
def two_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "MANY", 2)


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("simulated")
    pool.ensure(verify.simulations_of(FIGURES), OPTIONS, Store(folder))
    return folder


@pytest.fixture
def store(tmp_path: Path, simulated: Path) -> Store:
    return Store(shutil.copytree(simulated, tmp_path / "store"))


@pytest.fixture
def results(store: Store) -> Any:
    return pool.ensure(verify.simulations_of(FIGURES), OPTIONS, store)


def drawn(store: Store, results: Any, folder: Path, options: Options = OPTIONS) -> dict[str, bytes]:
    paths = list(Drawing(options, store, folder).draw(FIGURES, results))
    assert [p.suffix for p in paths] == 2 * [".pdf", ".png", ".txt"]
    assert Drawing(options, store, folder).stale(FIGURES) == []
    return {p.name: p.read_bytes() for p in paths}


def test_two_processes_draw_what_one_draws(
    store: Store, results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = drawn(store, results, tmp_path / "alone", Options("quick", horizon=64, runs=4, jobs=1))
    here: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(redraw, "files_of", lambda figure, *_: here.append(figure.key))
        assert drawn(store, results, tmp_path / "apart") == alone
    assert here == []


@pytest.mark.parametrize("change", ["gone", "other", "damaged", "fewer runs", "sources"])
def test_what_has_changed_meanwhile_is_drawn_here_from_what_is_in_memory(
    change: str, store: Store, results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by another command while the processes start; a full disk leaves a result with fewer runs in the store."""
    here: list[str] = []
    real, begin = redraw.files_of, parallel.Workers.begin

    def counted(figure: Any, memory: Any, *rest: Any) -> list[Path]:
        here.append(figure.key)
        assert all(memory[name].runs == OPTIONS.runs for name in figure.needs)
        return real(figure, memory, *rest) if change == "gone" else files(figure)

    def files(figure: Any) -> list[Path]:
        """In the place of a picture, which takes a second."""
        stem = figure.key.replace("/", "-")
        (tmp_path / "out").mkdir(exist_ok=True)
        made = [tmp_path / "out" / f"{stem}.{ending}" for ending in ("pdf", "png", "txt")]
        for path in made:
            path.write_text(figure.key)
        return made

    def changed(self: parallel.Workers, order: Any, ledger: Any = None) -> None:
        if change == "sources":
            order = dataclasses.replace(order, sources="")
        elif change == "fewer runs":
            held = {name: dataclasses.replace(h, runs=h.runs + 1) for name, h in order.results.items()}
            order = dataclasses.replace(order, results=held)
        else:
            for held in order.results.values():
                file, result = store.path(held.key), store.load(held.key)
                if change == "gone":
                    file.unlink(missing_ok=True)
                elif change == "other" and result is not None:
                    store.save(held.key, dataclasses.replace(result, meta={**result.meta, "title": "other"}))
                elif change == "damaged" and result is not None:
                    body = bytearray(file.read_bytes())
                    body[len(body) // 2] ^= 1
                    file.write_bytes(body)
        begin(self, order, ledger)

    monkeypatch.setattr(redraw, "files_of", counted)
    monkeypatch.setattr(parallel.Workers, "begin", changed)
    heard: list[str] = []
    paths = list(Drawing(OPTIONS, store, tmp_path / "out", warn=heard.append).draw(FIGURES, results))
    assert here == [f.key for f in FIGURES]
    if change == "gone":
        assert {p.suffix for p in paths} == {".pdf", ".png", ".txt"}
    assert bool(heard) == (change == "damaged")
    if change == "other":  # what was drawn is not of what is stored now
        assert Drawing(OPTIONS, store, tmp_path / "out").stale(FIGURES) == list(FIGURES)


def test_a_killed_process_is_told(store: Store, results: Any, tmp_path: Path) -> None:
    def kill() -> None:
        while not (workers := multiprocessing.active_children()):
            time.sleep(0.01)
        for worker in workers:
            worker.kill()

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    with pytest.raises(UsageError, match="a worker process was killed while drawing"):
        list(Drawing(OPTIONS, store, tmp_path / "out").draw(FIGURES, results))
    killer.join(10)
    assert not killer.is_alive()


def test_what_is_printed_before_a_mistake_is_printed(
    store: Store,
    results: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    failed: Future[parallel.FigureFiles] = Future()
    error = UsageError("a mistake")
    setattr(error, parallel.PRINTED, "what I saw\n")
    failed.set_exception(pickle.loads(pickle.dumps(error)))
    monkeypatch.setattr(parallel.Workers, "begin", lambda self, order, ledger=None: None)
    workers = parallel.Workers(None)
    workers._futures[FIGURES[0].key] = failed
    with pytest.raises(UsageError, match="a mistake"):
        workers.files(FIGURES[0])
    assert capsys.readouterr().out == "what I saw\n"
