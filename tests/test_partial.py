"""What an interrupt costs: nothing that was computed. A simulation taken up again has the bits of one left alone."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from discover import pair_id
from engines import (
    KERNELS,
    Toy,
    algorithm_of,
    job_of,
    needs_compiler,
    on_kernels,
    one_of_each,
    same_results,
    start_of,
    steps_for,
)
from from_catalog import mutated
from host_kernel import HostKernel, covering
from test_runner import identical
from toy_steps import TOYS, together
from waiting import wait_for

from workbench.arrays import ops
from workbench.engine import choice, eager, fused
from workbench.engine.fused import Fused
from workbench.engine.records import Problem, Result, Rows, Run
from workbench.run import jobs, pool
from workbench.run.options import Options
from workbench.run.store import checkpoint as partial
from workbench.run.store.checkpoint import Checkpointer, decode, encode
from workbench.run.store.format import unseal
from workbench.run.store.interrupts import Interrupts
from workbench.run.store.results import Store, StoreError

MARKS = np.array([1, 2, 31, 40, 90])
KEY = "0a" * 16


@dataclasses.dataclass(frozen=True)
class Recorded(Toy):
    """Every reduction, of a metric that is NaN for some runs in passing; and one at marks only."""

    RECORD = {  # noqa: RUF012
        "size": ("last", "mean", "max", "sum"),
        "passing": ("mean", "max"),
        "end": ("last",),
    }

    def metrics(self, s, t, xp):
        size = ops.norm(s[0], xp)
        return {"size": size, "passing": xp.where((t == 33.0) & (size > 1.0), xp.nan, size), "end": size * t}


class Stopping(Checkpointer):
    """Asked for its position at the border with a number, and interrupted there."""

    borders, stop = 0, 0

    def due(self, end: bool = False) -> bool:
        self.borders += 1
        return self.borders == self.stop or super().due(end)

    def write(self, position: dict[str, Any]) -> None:
        super().write(position)
        if self.borders == self.stop:
            raise KeyboardInterrupt


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """On a slow machine a checkpoint falls due in any test, and what nobody delivers stays deferred."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def keeper(store: Store, stop: int = 0, told: list[int] | None = None, key: str = KEY) -> Stopping:
    made = Stopping(store, key, Interrupts(), (told if told is not None else []).append)
    made.stop = stop
    return made


def partials(store: Store) -> list[str]:
    return sorted(p.name for p in store.folder.glob("*.partial"))


def agree_after_stops(store: Store, simulate: Any, whole: Result, stops: Any) -> None:
    """Interrupted at each of the borders in turn, always taken up, and ended: the bits of ``whole``."""
    told: list[int] = []
    for stop in stops:
        with pytest.raises(KeyboardInterrupt):
            simulate(keeper(store, stop, told))
    result = simulate(keeper(store, told=told))
    assert len(told) == len(stops)
    assert told == sorted(set(told))
    assert told[0] > 0
    identical(result, whole)
    assert (np.diff(result.elapsed) >= 0).all(), "the clock goes on where it was"


# ----------------------------------------------------------------------------------------- the engines


class ShortLaunches:
    """Seven iterations at a time."""

    steps = 7

    def of(self, n: int, launch: Any) -> None:
        launch()


@pytest.fixture
def toy() -> Problem:
    """Noise of every kind, inner loops of own lengths, calls per run, on a grid of parameters."""
    step, fields = together(
        ["data_dependent_loop", "counts_of_every_kind", "random_loop", "old_values_read_late"]
    )
    start = start_of(fields)
    return Problem(algorithm_of(step, start), Recorded(), steps_for(5), start)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("seed", range(4))
def test_a_compiled_run_is_taken_up_at_any_launch(kernel, seed, toy, store, monkeypatch):
    monkeypatch.setattr(fused, "_Pace", ShortLaunches)
    how = on_kernels(MARKS, 11)
    made = Fused(dataclasses.replace(toy, grid=Rows(np.arange(5) + 3)), how, kernel)
    whole = made.result(how)
    assert len(whole.calls["gradient"]) == 5, "calls differ between runs"
    assert np.isnan(whole.data["passing_max"]).any()
    assert set(whole.status) == {0, 1}
    stops = np.random.default_rng(seed).integers(1, 7, size=1 + seed)
    agree_after_stops(store, lambda keep: made.result(dataclasses.replace(how, keep=keep)), whole, stops)


@pytest.mark.parametrize("seed", range(4))
def test_an_eager_run_is_taken_up_at_any_iteration(seed, toy, store):
    def simulate(keep: Any) -> Result:
        problem = dataclasses.replace(toy, grid=Rows(np.arange(5) + 3))
        return eager.simulate(problem, Run(MARKS, 11, keep=keep))

    stops = np.random.default_rng(seed).integers(1, 25, size=1 + seed)
    agree_after_stops(store, simulate, simulate(None), stops)


@pytest.mark.parametrize(
    "number", one_of_each(covering()), ids=[pair_id(covering()[n]) for n in one_of_each(covering())]
)
def test_every_algorithm_is_taken_up(number, store):
    """No part of a state is lost: types, shapes, order in memory. Bits, also where matrices are multiplied."""
    job = job_of(covering()[number])

    def simulate(keep: Any) -> Result:
        return eager.simulate(job, Run(np.array([1, 9, 40]), 11, keep=keep))

    agree_after_stops(store, simulate, simulate(None), [1 + number % 13, 2])


def test_an_eager_run_on_another_library(store):
    pytest.importorskip("array_api_strict")
    job = job_of(covering()[one_of_each(covering())[0]])

    def simulate(keep: Any) -> Result:
        return eager.simulate(job, Run(MARKS, 11, "array-api-strict", keep=keep))

    agree_after_stops(store, simulate, simulate(None), [12])


@needs_compiler
def test_the_halves_of_a_batch_have_positions_of_their_own(toy, store, monkeypatch):
    """The first half is done when the second is interrupted, and is not done again."""
    launched: list[int] = []

    class Small(HostKernel):
        def pool(self, values):
            if self.runs > 3:
                raise MemoryError
            return super().pool(values)

        def launch(self, first, last, *rest):
            launched.append(self.runs)
            super().launch(first, last, *rest)

    monkeypatch.setattr(fused, "kernel_for", lambda name: Small)
    monkeypatch.setattr(fused, "_Pace", ShortLaunches)

    def simulate(keep: Any) -> Result:
        return choice.simulate(toy, Run(MARKS, 11, engine="fused", keep=keep))

    whole = simulate(None)
    assert set(launched) == {2, 3}

    class Halved(Stopping):
        def part(self, n: int) -> Checkpointer:
            made = Halved(self._store, self._key, self._interrupts, self._on_resume, f"{self._part}{n}")
            made.stop = self.stop if n else 0
            return made

    stopping = Halved(store, KEY, Interrupts())
    stopping.stop = 5
    with pytest.raises(KeyboardInterrupt):
        simulate(stopping)
    assert partials(store) == [f"{KEY}.0.partial", f"{KEY}.1.partial"]
    launched.clear()
    told: list[int] = []
    identical(simulate(Halved(store, KEY, Interrupts(), told.append)), whole)
    assert set(launched) == {3}
    assert told[0] == 90
    assert 0 < told[1] < 90
    store.remove_partials(KEY)
    assert partials(store) == []


# ------------------------------------------------------------------------- what is not to be trusted


@pytest.fixture
def stopped(toy, store):
    """A simulation, its result, and a store with a position of it."""

    def simulate(keep: Any) -> Result:
        return eager.simulate(toy, Run(MARKS, 11, keep=keep))

    with pytest.raises(KeyboardInterrupt):
        simulate(keeper(store, 37))
    assert partials(store) == [f"{KEY}.partial"]
    return simulate, simulate(None)


def start_over(store: Store, stopped: Any, key: str = KEY) -> None:
    simulate, whole = stopped
    told: list[int] = []
    identical(simulate(keeper(store, told=told, key=key)), whole)
    assert told == []


def test_the_position_of_the_fixture_counts(store, stopped):
    """The twin of the tests below: untouched, it is taken up."""
    simulate, whole = stopped
    told: list[int] = []
    identical(simulate(keeper(store, told=told)), whole)
    assert told == [37]


@pytest.mark.parametrize(
    "damage",
    [
        lambda b: b[: len(b) // 2],
        lambda b: b[:-1],
        lambda b: b"",
        lambda b: b[:40],
        lambda b: b + b"\0",
        lambda b: b[:-60] + bytes([b[-60] ^ 1]) + b[-59:],  # one bit of one number
        lambda b: b[:3] + bytes([b[3] ^ 128]) + b[4:],  # in the beginning
        lambda b: b"not what it was\n" * 99,
    ],
)
def test_a_damaged_position_is_as_good_as_none(damage, store, stopped):
    path = store.partial_path(KEY)
    path.write_bytes(damage(path.read_bytes()))
    start_over(store, stopped)


def archive(**arrays: np.ndarray) -> bytes:
    made = io.BytesIO()
    np.savez(made, **arrays)
    return made.getvalue()


def test_a_sealed_file_of_another_form_is_as_good_as_none(store, stopped):
    for body in (b"", b"{}", archive(text=np.array("[]")), archive(a=np.arange(3.0)), b"\xff" * 90):
        store.save_partial(KEY, "", [body, partial.seal(body)])
        start_over(store, stopped)


@pytest.mark.parametrize("what", ["code", "format", "machine", "kernel", "backend"])
def test_a_position_of_something_else_is_as_good_as_none(what, store, stopped, monkeypatch):
    if what == "code":
        monkeypatch.setattr(partial, "code_hash", lambda modules: "edited since")
    elif what == "format":
        monkeypatch.setattr(partial, "FORMAT", partial.FORMAT + 1)
    elif what == "machine":
        monkeypatch.setattr(partial.platform, "machine", lambda: "z80")
    else:
        resume = Checkpointer.resume
        other = {"kernel": ("fused 1234", "numpy"), "backend": ("eager", "cupy")}[what]
        monkeypatch.setattr(Checkpointer, "resume", lambda self, *_: resume(self, *other))
    start_over(store, stopped)


def test_a_position_under_another_key_is_as_good_as_none(store, stopped):
    other = "j" * 32
    store.partial_path(KEY).rename(store.partial_path(other))
    start_over(store, stopped, other)


def test_a_position_that_cannot_be_read_is_as_good_as_none(store, stopped):
    path = store.partial_path(KEY)
    path.unlink()
    path.mkdir()
    start_over(store, stopped)


@needs_compiler
def test_kernels_do_not_take_each_others_positions(toy, store):
    """Other text, other columns; and the eager engine has none."""
    how = on_kernels(MARKS, 1)
    names = {Fused(toy, how, HostKernel).identity}
    step, fields = TOYS["old_values_read_late"]
    start = start_of(fields)
    other = dataclasses.replace(toy, algorithm=algorithm_of(step, start), start=start)
    one = Fused(other, how, HostKernel)
    assert names.isdisjoint({one.identity, "eager"})


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1),
        np.broadcast_to(np.arange(3.0), (2, 3)),
        np.array([[np.nan, -0.0, np.inf]]),
        np.array([[True], [False]]),
        np.array(2**62),
        np.zeros((0, 3)),
    ],
)
def test_arrays_come_back_as_they_were(array):
    """Bits, type, shape, order in memory."""
    position = {"t": 3, "seconds": 0.1, "state": [array, {"x/y": array}]}
    back = decode({"key": "a"}, b"".join(encode({"key": "a"}, position)))
    assert (back["t"], back["seconds"]) == (3, 0.1)
    for found in (back["state"][0], back["state"][1]["x/y"]):
        assert found.dtype == array.dtype
        assert found.shape == array.shape
        assert found.tobytes() == array.tobytes()
        assert found.flags.writeable
        assert partial._memory_order(found) == partial._memory_order(array)


def test_a_position_of_anything_but_numbers_is_refused():
    with pytest.raises(TypeError, match="only numbers"):
        list(encode({}, {"x": np.array(["a"])}))


# ------------------------------------------------------------------------------------------ the keeper


def test_when_a_position_is_due(store, monkeypatch):
    """Not in the first seconds, whatever comes; then at most now and then, or when the process is asked to end."""
    clock = [0.0]
    monkeypatch.setattr(partial.time, "monotonic", lambda: clock[0])
    with Interrupts() as interrupts:
        keep = Checkpointer(store, KEY, interrupts)
        keep.resume("eager", "numpy")
        clock[0] = partial.WORTH - 0.1
        assert not keep.due()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, "Ctrl-C is what it always was"
        clock[0] = partial.WORTH
        assert not keep.due()
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        clock[0] = partial.EVERY
        assert keep.due()
        assert not keep.due(end=True), "the result itself comes next"
        assert keep.part(0).due(end=True), "but a half waits for the other one"
        keep.write({"t": 1})
        assert not keep.due()
        clock[0] += partial.WORTH / 2
        assert not keep.due()
        signal.raise_signal(signal.SIGINT)
        assert keep.due()
        with pytest.raises(KeyboardInterrupt):
            keep.write({"t": 2})
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert Checkpointer(store, KEY, Interrupts()).resume("eager", "numpy") == {"t": 2}


def test_slow_writing_makes_it_rarer(store, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(partial.time, "monotonic", lambda: clock[0])
    save = Store.save_partial

    def slowly(*words: Any) -> None:
        clock[0] += 10.0
        save(*words)

    monkeypatch.setattr(Store, "save_partial", slowly)
    keep = Checkpointer(store, KEY, Interrupts())
    keep.resume("eager", "numpy")
    keep.write({"t": 1})
    clock[0] += 10.0 / partial.SHARE - 1
    with Interrupts() as keep._interrupts:
        assert not keep.due()
        clock[0] += 2
        assert keep.due()


def test_a_full_disk_does_not_stop_a_simulation(toy, store, monkeypatch):
    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Store, "save_partial", full)
    monkeypatch.setattr(partial, "WORTH", 0.0)
    monkeypatch.setattr(partial, "EVERY", 0.0)
    with Interrupts() as interrupts:
        kept = eager.simulate(toy, Run(MARKS, 11, keep=Checkpointer(store, KEY, interrupts)))
    same_results(kept, eager.simulate(toy, Run(MARKS, 11)))


def test_what_nobody_took_up_is_deleted_in_the_end(store, stopped):
    _, whole = stopped
    path = store.partial_path(KEY)
    store.save("a", whole)
    assert path.exists()
    month = time.time() - 31 * 24 * 3600
    os.utime(path, (month, month))
    store.save("b", whole)
    assert not path.exists()


# ---------------------------------------------------------------------------------------- the signals


def test_a_held_interrupt_comes_when_it_is_let() -> None:
    with Interrupts() as held:
        held.hold()
        signal.raise_signal(signal.SIGINT)
        assert held.number == signal.SIGINT
        with pytest.raises(KeyboardInterrupt):
            held.deliver()
        assert held.number is None
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_at_the_latest_at_the_end() -> None:
    held = Interrupts()
    with pytest.raises(KeyboardInterrupt), held:  # noqa: PT012
        held.hold()
        signal.raise_signal(signal.SIGINT)
        assert held.number


def test_ctrl_c_twice_is_at_once() -> None:
    held = Interrupts()
    held.hold()
    signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        held.deliver()


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts() as held:
            held.hold()
            signal.raise_signal(signal.SIGINT)
            assert held.number is None
    finally:
        signal.signal(signal.SIGINT, before)


# ---------------------------------------------------------------------------------- runner and command

(LONG,) = mutated(1)
SHORT = Options("quick", backend="numpy", engine="eager", horizon=60, runs=2, jobs=1)


def test_a_short_simulation_leaves_no_trace(store, monkeypatch):
    written: list[Any] = []
    monkeypatch.setattr(Store, "save_partial", lambda *words: written.append(words))
    pool.ensure([LONG], SHORT, store)
    assert written == []
    assert [p.suffix for p in store.folder.iterdir()] == [".nc"]


def test_an_interrupted_command_is_continued_by_the_next(store, monkeypatch):
    """The position goes when the result comes; where the result cannot be stored, it stays."""
    whole = jobs.execute(jobs.prepare(LONG, SHORT), "numpy")
    told: list[tuple[Any, ...]] = []
    with monkeypatch.context() as m:
        m.setattr(pool, "Checkpointer", Stopping)
        m.setattr(Stopping, "stop", 20)
        with pytest.raises(KeyboardInterrupt):
            pool.ensure([LONG], SHORT, store)
    assert len(partials(store)) == 1

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as m:
        m.setattr(Store, "save", full)
        pool.ensure([LONG], SHORT, store, progress=lambda *words: told.append(words))
    assert told == [(LONG.key, 20, 60, True)]
    assert len(partials(store)) == 1
    identical(pool.ensure([LONG], SHORT, store)[LONG.key], whole)
    assert partials(store) == []


# One regular position; then the file "moved_on" says that the engine has asked again, i.e. computed more.
RUN = """
import os, pathlib, sys
from workbench.run import pool
from workbench.run.store import checkpoint as partial
partial.WORTH, partial.EVERY = 0.1, 0.2

class Once(partial.Checkpointer):
    def due(self, end=False):
        if partial.EVERY > 1:
            pathlib.Path(os.environ["WORKBENCH_STORE"], "moved_on").touch()
        return super().due(end)

    def write(self, position):
        partial.EVERY = 1e9
        super().write(position)

pool.Checkpointer = Once
"""
COMMAND = RUN + "from workbench.cli.app import main; main()"
WORDS = ("verify", LONG.key, "--profile", "quick", "--horizon", "8000", "--runs", "2", "--jobs", "1")


def command(folder: Path, *words: str) -> subprocess.Popen:
    environment = {**os.environ, "WORKBENCH_STORE": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *WORDS, "--engine", "eager", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_and_the_same_command_again(store):
    process = command(store.folder)
    try:
        first = position_left_behind(store, process)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    assert process.returncode == 130
    assert said.startswith("error: interrupted; finished simulations are stored")
    assert out == ""
    (name,) = partials(store)
    last = (store.folder / name).read_bytes()
    assert iteration(last) > first, "what came after the last regular position is kept as well"
    (store.folder / "moved_on").unlink()
    process = command(store.folder)
    try:
        out, said = process.communicate(timeout=300)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    assert process.returncode in (0, 1)
    assert said == f"{LONG.key}: resumed at t = {iteration(last)} of 8000\n"
    assert "1 claims" in out
    assert partials(store) == []
    job = jobs.prepare(LONG, Options("quick", horizon=8000, runs=2))
    held = store.load(job.key)
    assert held is not None
    whole = jobs.execute(job, "numpy", Options(engine="eager"))
    identical(held, whole)
    assert (np.diff(held.elapsed) >= 0).all()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_worker_that_is_told_to_end_keeps_its_position(store):
    """It ignores Ctrl-C, and dies of the signal that it was sent; twice sent, as pools do, is no hurry."""
    script = RUN + (
        "from workbench.run import jobs\nfrom workbench.run.options import Options\n"
        "pool._begin(None, None, dict(__import__('os').environ))\n"
        "options = Options('quick', backend='numpy', engine='eager', horizon=10**7, runs=2)\n"
        f"from workbench.run import catalog; sim = catalog.simulations()['{LONG.key}']\n"
        f"pool._work(sim.key, options, 'numpy', '{store.folder}', jobs.prepare(sim, options).key, 2)\n"
    )
    environment = {**os.environ, "WORKBENCH_STORE": str(store.folder)}
    process = subprocess.Popen([sys.executable, "-c", script], env=environment)
    try:
        first = position_left_behind(store, process)
        process.send_signal(signal.SIGINT)
        process.terminate()
        process.terminate()
        assert process.wait(timeout=60) == -signal.SIGTERM
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    (name,) = partials(store)
    assert iteration((store.folder / name).read_bytes()) > first


def position_left_behind(store: Store, process: subprocess.Popen) -> int:
    """Iteration of the only regular position of `Once`, when the process has computed more than that."""
    wait_for(lambda: (store.folder / "moved_on").exists() or process.poll() is not None)
    (name,) = partials(store)
    return iteration((store.folder / name).read_bytes())


def iteration(sealed: bytes) -> int:
    """The iteration of a position."""
    with np.load(io.BytesIO(unseal(sealed))) as held:
        return json.loads(held["text"].item())["position"]["t"]
