"""Figures drawn by several processes are those that one process draws, and what befalls a process is told."""

from __future__ import annotations

import multiprocessing
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from workbench import catalog, verify
from workbench.report import drawing, parallel
from workbench.report.drawing import Drawing
from workbench.run import jobs, pool
from workbench.run.options import Options, UsageError
from workbench.store.results import Store

OPTIONS = Options("quick", horizon=64, runs=4, jobs=2)
FIGURES = sorted(
    (f for f in catalog.figures().values() if not f.of_proof), key=lambda f: (len(f.needs), f.key)
)[:2]


@pytest.fixture(autouse=True)
def two_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "MANY", 2)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def results(store: Store) -> Any:
    return pool.ensure(verify.needed(FIGURES), OPTIONS, store)


def drawn(store: Store, results: Any, folder: Path, options: Options = OPTIONS) -> dict[str, bytes]:
    paths = list(Drawing(options, store, folder).draw(FIGURES, results))
    assert [p.suffix for p in paths] == 2 * [".pdf", ".png", ".txt"]
    assert Drawing(options, store, folder).outdated(FIGURES) == []
    return {p.name: p.read_bytes() for p in paths}


def test_two_processes_draw_what_one_draws(
    store: Store, results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = drawn(store, results, tmp_path / "alone", Options("quick", horizon=64, runs=4, jobs=1))
    here: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(drawing, "files_of", lambda figure, *_: here.append(figure.key))
        assert drawn(store, results, tmp_path / "apart") == alone
    assert here == []
    # A result that is gone when its turn comes: the figure is drawn here, from what is in memory.
    real = Store.state
    monkeypatch.setattr(Store, "state", lambda self, key: real(self, key) or ("", 0))
    for name in FIGURES[0].needs:
        store.path(jobs.identity(catalog.simulations()[name], OPTIONS).key).unlink()
    paths = list(Drawing(OPTIONS, store, tmp_path / "gone").draw(FIGURES, results))
    assert {p.name: p.read_bytes() for p in paths} == alone


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
