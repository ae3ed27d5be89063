"""Simulations on a cluster: the same bits as on one machine, whatever happens to the workers.

The workers are real: processes of this machine, started once for all tests of a pytest process.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from from_catalog import looked_at, multiplying, mutated, of_points
from test_runner import identical
from thin import one_in
from typer.testing import CliRunner
from waiting import group_lives, wait_for

from workbench.claims.interim_analyses import first
from workbench.cli.app import app
from workbench.engine.records import Result
from workbench.homes import papers
from workbench.run import catalog, cluster, connection, jobs, pending, pool, row_blocks, shipping
from workbench.run.options import Options, UsageError
from workbench.run.store.format import Damage
from workbench.run.store.results import Store

distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals"),
    pytest.mark.filterwarnings("ignore:unclosed cluster"),  # one that its own constructor refused
]

ROOT = Path(__file__).parents[1]
Client = Any
HERE = '[job.scheduler_options]\nhost = "127.0.0.1"\n'
SIMS = [*mutated(2), of_points(4)]
HORIZON = 400  # of a simulation that takes long enough to be disturbed
SMALL = Options("quick", backend="numpy", engine="eager", seed=5, horizon=40, runs=6)


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pieces in this process (the workers are told which rows to compute)."""
    monkeypatch.setattr(row_blocks, "WORK", 120.0)
    monkeypatch.setattr(row_blocks, "LEAST", 2)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with connection.client_of("local:2") as made:
        yield made


@pytest.fixture(autouse=True)
def few_papers() -> Iterator[None]:
    """The workers import what they need."""
    with papers.temporary_view():
        papers.narrow([sim.key for sim in [*SIMS, looked_at()]])
        yield


@pytest.fixture
def on(client: Client) -> Options:
    return dataclasses.replace(SMALL, cluster=client.scheduler.address)


def alone(sim: catalog.Simulation, options: Options = SMALL) -> Result:
    return jobs.execute(jobs.prepare(sim, options), "numpy", options)


# ------------------------------------------------------------------------------------------------ pieces


@pytest.mark.parametrize(
    ("engine", "sim"),
    one_in(2, zip(["fused"] * 2 + ["eager"] * 3 + ["fused"], [*SIMS, *SIMS], strict=True), unpack=True),
    ids=lambda x: getattr(x, "key", x),
)
def test_pieces_joined_have_the_bits_of_the_whole(sim, engine: str, in_parts: None) -> None:
    options = dataclasses.replace(SMALL, engine=engine)
    job = jobs.prepare(sim, options)
    of = row_blocks.pieces(job, 0, 6)
    assert len(of) > 1
    assert [p.start for p in of] == [0, *(p.stop for p in of)][:-1]
    assert of[-1].stop == job.batch.grid.rows
    run = jobs.run_of(job, "numpy", options)
    joined = row_blocks.whole(job, run, [row_blocks.simulate(job, piece, run) for piece in of])
    identical(joined, alone(sim, options))


def test_what_multiplies_matrices_stays_whole(in_parts: None) -> None:
    assert len(row_blocks.pieces(jobs.prepare(multiplying(), SMALL), 0, 6)) == 1


def test_what_may_be_rounded_otherwise_uncompiled_stays_whole(in_parts: None) -> None:
    assert len(row_blocks.pieces(jobs.prepare(SIMS[0], SMALL), 0, 6, fast=True)) == 1


def test_small_simulations_stay_whole() -> None:
    assert all(len(row_blocks.pieces(jobs.prepare(sim, SMALL), 0, 6)) == 1 for sim in SIMS)


# ------------------------------------------------------------------------------------------------ shipping


def test_a_parcel_holds_what_a_paper_reads_and_nothing_hidden(tmp_path: Path) -> None:
    folder = tmp_path / "my_paper"
    (folder / "data").mkdir(parents=True)
    (folder / ".workbench").mkdir()
    (folder / "__pycache__").mkdir()
    for name in ("claims.py", "data/a.csv", ".workbench/result.nc", "__pycache__/claims.pyc"):
        (folder / name).write_text(name)
    (tmp_path / "alone.py").write_text("x = 1")
    (tmp_path / "alone.data.csv").write_text("1")
    (folder / "kept.nc").write_text("a result")
    (folder / "again").symlink_to(folder)
    with papers.temporary_view():
        papers.look(False, [folder, tmp_path / "alone.py"])
        parcel = shipping.pack()
    assert [name for name, _ in parcel.files] == [
        "my_paper/claims.py",
        "my_paper/data/a.csv",
        "alone.data.csv",
        "alone.py",
    ]
    there = shipping.unpack(parcel, tmp_path / "there")
    assert there == [tmp_path / "there" / "my_paper", tmp_path / "there" / "alone.py"]
    assert (there[0] / "data" / "a.csv").read_text() == "data/a.csv"


def test_a_paper_too_large_to_be_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "alone.py").write_text("x = 1")
    monkeypatch.setattr(shipping, "LARGEST", 3)
    with papers.temporary_view():
        papers.look(False, [tmp_path / "alone.py"])
        with pytest.raises(UsageError, match=r"alone\.py have .* move large data out"):
            shipping.pack()


# ------------------------------------------------------------------------------------------------ real workers


def test_the_same_bits_as_on_one_machine(on: Options, store: Store, in_parts: None) -> None:
    seen: list[tuple] = []
    found = pool.ensure(SIMS, on, store, progress=lambda *said: seen.append(said))
    for sim in SIMS:
        identical(found[sim.key], alone(sim))
        identical(store.load(jobs.prepare(sim, SMALL).key), found[sim.key])
    assert not list(store.folder.glob("*.partial"))
    assert {key for key, *_ in seen} <= set(found)


@pytest.mark.long
def test_a_result_grows_look_by_look_with_the_same_bits(client: Client, store: Store) -> None:
    """The workers know of a piece where it starts in the order of the looks; the first parts are in the store."""
    options = Options("quick", backend="numpy", engine="fused", cluster=client.scheduler.address)
    sim = looked_at()
    job = jobs.prepare(sim, options)

    def more(results: Mapping[str, Result]) -> list[str]:
        return [key for key, result in results.items() if result.runs < job.looks[2]]

    made = pool.ensure([sim], options, store, begin=pending.at_first, more=more)[sim.key]
    assert made.runs == job.looks[2]
    alone = jobs.execute(job, "numpy", dataclasses.replace(options, cluster=None))
    identical(made, first(alone, made.runs))
    identical(store.load(job.key), made)


def test_rows_of_another_backend_are_computed_again(client: Client, store: Store) -> None:
    """A result that a GPU began, where its workers have none: it cannot be extended, and that is seen in time."""
    options = Options("quick", engine="fused", cluster=client.scheduler.address)
    sim = looked_at()
    job = jobs.prepare(sim, options)
    alone = jobs.execute(job, "numpy", dataclasses.replace(options, cluster=None))
    begun = first(alone, job.looks[0])
    wrong = {name: values + 1.0 for name, values in begun.data.items()}
    store.save(job.key, dataclasses.replace(begun, data=wrong, meta={**begun.meta, "backend": "cupy"}))

    def more(results: Mapping[str, Result]) -> list[str]:
        return [key for key, result in results.items() if result.runs < job.looks[1]]

    made = pool.ensure([sim], options, store, begin=pending.at_first, more=more)[sim.key]
    identical(made, first(alone, job.looks[1]))


def todo_of(options: Options, store: Store) -> cluster._Todo:
    asked = pending.Work(options, store)
    asked.add(SIMS[0], pending.whole)
    return cluster._Todo(asked, options, store)


def test_the_longest_pieces_come_first(on: Options, store: Store, in_parts: None) -> None:
    """What is not cut, though it was asked for last: all workers wait for it at the end."""
    asked = pending.Work(on, store)
    for sim in SIMS:
        asked.add(sim, pending.whole)
    todo = cluster._Todo(asked, on, store)
    costs = [pending.length(todo.jobs[p.key].job, p.stop - p.start) for p in todo.pieces]
    assert costs == sorted(costs, reverse=True)
    assert len({piece.key for piece in todo.pieces}) == len(SIMS) < len(costs)


def test_finished_pieces_are_not_computed_again(
    on: Options, store: Store, in_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a command that ended early, and only if they are sound and of the backend that is asked for."""
    todo = todo_of(on, store)
    wanted = list(todo.pieces)
    run = jobs.run_of(jobs.prepare(SIMS[0], on), "numpy", on)
    for piece in wanted[:-1]:
        result = row_blocks.simulate(jobs.prepare(SIMS[0], on), piece, run)
        todo.take_in(piece, _sealed(piece.key, result))
    with pytest.raises(Damage, match="other rows"):
        todo.take_in(wanted[-1], _sealed(wanted[0].key, result))
    left = store.partial_path(wanted[0].key, f"rows-{wanted[0].start}-{wanted[0].stop}")
    again = todo_of(on, store)
    assert list(again.pieces) == wanted[-1:]
    other = dataclasses.replace(on, backend="array-api-strict")
    assert list(todo_of(other, store).pieces) == wanted
    left.write_bytes(left.read_bytes()[:-9])
    assert list(todo_of(on, store).pieces) == [wanted[0], wanted[-1]]
    identical(pool.ensure(SIMS[:1], on, store)[SIMS[0].key], alone(SIMS[0]))


def _sealed(key: str, result: Result) -> bytes:
    from workbench.run.store.format import encode, seal

    body = encode(key, result)
    return body + seal(body)


@pytest.mark.parametrize("victim", one_in(3, ["worker", "child", "child that hangs"]))
def test_a_lost_process_loses_nothing(
    victim: str, on: Options, client: Client, store: Store, in_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As soon as it computes: the child that does, or Dask's worker above it, with its child; killed or stopped."""
    monkeypatch.setattr(cluster, "LATE", 1.0)
    monkeypatch.setattr(cluster, "TIMES", 1)
    longer = dataclasses.replace(on, horizon=HORIZON)
    lost: list[int] = []

    def strike(results: object) -> bool:
        if not lost and (found := _busy(client)):
            child, worker = found
            number = signal.SIGSTOP if "hangs" in victim else signal.SIGKILL
            os.kill(worker if victim == "worker" else child, number)
            lost.append(child)
        return False

    found = pool.ensure(SIMS[:2], longer, store, idle=strike)
    assert lost
    for sim in SIMS[:2]:
        identical(found[sim.key], alone(sim, dataclasses.replace(SMALL, horizon=HORIZON)))
    wait_for(lambda: not Path(f"/proc/{lost[0]}").exists(), 60)


def _busy(client: Client) -> tuple[int, int] | None:
    """(child, Dask's worker) of which the child has used some processor time."""

    def children() -> list[tuple[float, int, int]]:
        import os

        import psutil

        mine = psutil.Process(os.getpid())
        return [(sum(p.cpu_times()[:2]), p.pid, mine.pid) for p in mine.children(True) if p.num_threads() > 1]

    try:
        found = [c for each in client.run(children, on_error="ignore").values() for c in each]
    except (OSError, RuntimeError):
        return None
    return max(found)[1:] if found else None


def test_a_worker_that_always_loses_its_process_is_told(
    on: Options, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kills_itself(*_: object) -> None:  # sent as it is: a function of this module would be imported there
        os.kill(os.getpid(), 9)

    monkeypatch.setattr(cluster, "work", kills_itself)
    monkeypatch.setattr(cluster, "DEATHS", 2)
    with pytest.raises(UsageError, match=rf"3 workers .* computing {SIMS[0].key} .*out of memory"):
        pool.ensure(SIMS[:1], on, store)


@pytest.mark.long
def test_a_mistake_in_a_paper_is_told_as_on_one_machine(on: Options, tmp_path: Path) -> None:
    CliRunner().invoke(app, ["new", str(tmp_path / "my_paper")])
    words = ["verify", str(tmp_path / "my_paper"), "--profile", "quick", "--runs", "4", "--horizon", "30"]
    words += ["--store", str(tmp_path / "store")]
    there = CliRunner().invoke(app, [*words, "--cluster", str(on.cluster)])
    assert there.exit_code == 1, there.output  # so few runs decide nothing
    method = tmp_path / "my_paper" / "method.py"
    method.write_text(method.read_text().replace("return State(", "return 1 / 0, State("))
    here = CliRunner().invoke(app, words)
    there = CliRunner().invoke(app, [*words, "--cluster", str(on.cluster)])
    assert (here.exit_code, there.exit_code) == (2, 2)
    assert "ZeroDivisionError" in there.output or "division by zero" in there.output


# ------------------------------------------------------------------------------------------------ connections


@pytest.mark.parametrize(
    "place",
    [
        "",
        "local",
        "local:0",
        "local:²",
        "localhost",
        "tcp://host",
        "tls://host",
        "ucx://host:1",
        "cluster.yaml",
    ],
)
def test_a_name_that_can_be_no_cluster(place: str) -> None:
    with pytest.raises(UsageError, match="a cluster is named by"):
        Options(cluster=place)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot read .*No such file"),
        ("kind = ", "is no TOML file"),
        ("workers = 3", "kind is None; choose one of slurm, pbs"),
        ('kind = "slurm"', "workers is None"),
        ('kind = "slurm"\nworkers = true', "workers is True"),
        ('kind = "slurm"\nworkers = 2\nqueue = "short"', "nothing else; got queue"),
        (f'kind = "local"\nworkers = 2\n[job]\nspeed = 3\n{HERE}', "does not accept the table job"),
        (f'kind = "local"\nworkers = 2\n[job]\ncores = 0\n{HERE}', "does not accept the table job: Zero"),
        (
            f'kind = "local"\nworkers = 2\n[job]\nmemory = ["a"]\n{HERE}',
            "does not accept the table job: Attr",
        ),
        (f'kind = "local"\nworkers = 2\n[job]\nenv_extra = 3\n{HERE}', "does not accept the table job: "),
        (
            f'kind = "local"\nworkers = 2\n[job]\nconfig_name = "no"\n{HERE}',
            "does not accept the table job: Key",
        ),
    ],
)
def test_a_file_that_describes_no_cluster(text: str | None, said: str, tmp_path: Path) -> None:
    file = tmp_path / "cluster.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UsageError, match=said), connection.client_of(str(file)):
        pass


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (None, "there is no program sbatch here to submit jobs with"),
        (
            "echo 'sbatch: error: no partition short' >&2; exit 1",
            "refuses the jobs: sbatch: error: no partition short",
        ),
        ("echo 'no account'; exit 1", "refuses the jobs: no account"),
        ("exit 7", "refuses the jobs: Command exited with non-zero exit code. Exit code: 7"),
        ("printf '\\377' >&2; exit 1", "answers in another encoding"),
        ("echo 'good morning'", "refuses the jobs: Could not parse job id .*good morning"),
    ],
)
def test_jobs_that_are_refused(
    script: str | None,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """One sentence, of the batch system itself."""
    file, program = tmp_path / "cluster.toml", tmp_path / "sbatch"
    file.write_text(f'kind = "slurm"\nworkers = 1\n[job]\nqueue = "short"\n{HERE}')
    if script is not None:
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(UsageError, match=said), connection.client_of(str(file)):
        pass
    assert "Traceback" not in capfd.readouterr().err


def test_a_second_job_that_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one is cancelled."""
    scripts = {
        "sbatch": "mkdir first 2>/dev/null || { echo 'one job is enough' >&2; exit 1; }; echo 4711",  # at once
        "scancel": "echo $1 > cancelled",
    }
    for name, script in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "cluster.toml").write_text(f'kind = "slurm"\nworkers = 2\n{HERE}')
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="one job is enough"), connection.client_of("cluster.toml"):
        pass
    assert (tmp_path / "cancelled").read_text() == "4711\n"


def in_a_fresh_process(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr
    return done.stdout


def test_ctrl_c_stays_what_it_was(tmp_path: Path) -> None:
    """Importing dask-jobqueue sets a handler of its own, once per process."""
    file = tmp_path / "cluster.toml"
    file.write_text(f'kind = "local"\nworkers = 2\n[job]\nspeed = 3\n{HERE}')
    code = f"""if True:
        import signal, sys
        from workbench.run import connection
        before = signal.getsignal(signal.SIGINT)
        try:
            connection.client_of({str(file)!r}).__enter__()
        except connection.UsageError:
            assert "dask_jobqueue.runner" in sys.modules
            assert signal.getsignal(signal.SIGINT) is before
            print("tried")"""
    assert in_a_fresh_process(code) == "tried\n"


def test_no_scheduler_can_be_started_here(tmp_path: Path) -> None:
    """The address is nobody's (RFC 5737). Dask leaves sockets open that end with the process."""
    file = tmp_path / "cluster.toml"
    file.write_text('kind = "slurm"\nworkers = 2\n[job.scheduler_options]\nhost = "192.0.2.1"')
    code = f"""if True:
        from workbench.run import connection
        try:
            connection.client_of({str(file)!r}).__enter__()
        except connection.UsageError as error:
            print(error)"""
    said = in_a_fresh_process(code)
    assert re.search(
        r"no scheduler can be started .*: .*address; .* host in the table job\.scheduler_opt", said
    )


def test_a_second_cluster_on_one_machine(tmp_path: Path) -> None:
    """Dask's own HTTP port is taken; warnings are errors here."""
    with socket.socket() as other:
        with contextlib.suppress(OSError):  # taken already
            other.bind(("", 8787))
            other.listen()
        with connection.client_of("local:1") as made:
            assert made.scheduler.address


@contextlib.contextmanager
def stopped_while_they_start(workers: int) -> Iterator[list[int]]:
    """Stops so many new worker processes of this one as soon as they are there, for good."""
    psutil = pytest.importorskip("psutil")
    mine, caught, over = psutil.Process(), list[int](), threading.Event()

    def spawned() -> set[int]:
        found = set()
        for child in mine.children():
            with contextlib.suppress(psutil.Error):
                found |= {child.pid} if any("spawn_main" in word for word in child.cmdline()) else set()
        return found

    before = spawned()

    def strike() -> None:
        while len(caught) < workers and not over.is_set():
            for pid in sorted(spawned() - before - {*caught})[: workers - len(caught)]:
                os.kill(pid, signal.SIGSTOP)
                caught.append(pid)
            time.sleep(0.002)

    thread = threading.Thread(target=strike)
    thread.start()
    try:
        yield caught
    finally:
        over.set()
        thread.join()


def test_a_worker_that_hangs_while_it_starts(store: Store) -> None:
    """Dask would wait for it, however long that is; the other one does the work, and both are gone in the end."""
    with stopped_while_they_start(1) as caught:
        found = pool.ensure(SIMS[:1], dataclasses.replace(SMALL, cluster="local:2"), store)
    identical(found[SIMS[0].key], alone(SIMS[0]))
    assert len(caught) == 1
    wait_for(lambda: not Path(f"/proc/{caught[0]}").exists(), 20)


def test_no_worker_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "START", 5.0)
    with (
        stopped_while_they_start(2) as caught,
        pytest.raises(UsageError, match=r"^none of the 2 workers has started within 5 s$"),
        connection.client_of("local:2"),
    ):
        pass
    assert len(caught) == 2
    for pid in caught:
        wait_for(lambda pid=pid: not Path(f"/proc/{pid}").exists(), 20)


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "WAIT", 1.0)
    with (
        pytest.raises(UsageError, match=r"no scheduler answers at tcp://127\.0\.0\.1:1"),
        connection.client_of("tcp://127.0.0.1:1"),
    ):
        pass


def test_a_scheduler_that_must_be_encrypted_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """By Dask's own configuration; also within an event loop, as a notebook has one."""
    import dask

    monkeypatch.setattr(connection, "WAIT", 1.0)

    async def cell() -> None:
        with connection.client_of("tcp://127.0.0.1:1"):
            pass

    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(UsageError, match=r"tcp://127\.0\.0\.1:1 cannot be spoken to: .*encryption"),
    ):
        asyncio.run(cell())


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"])
def test_what_answers_is_no_scheduler(says: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tunnel that nobody serves at its end, and the port of a dashboard: Dask's client waits for minutes."""
    monkeypatch.setattr(connection, "WAIT", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    held.append(server.accept()[0])
                    held[-1].sendall(says)

        threading.Thread(target=serve, daemon=True).start()
        place, began = f"tcp://127.0.0.1:{server.getsockname()[1]}", time.monotonic()
        with pytest.raises(UsageError, match=f"no scheduler answers at {place}"), connection.client_of(place):
            pass
        assert time.monotonic() - began < 20
        for each in held:
            each.close()


@pytest.mark.long
def test_a_scheduler_that_goes_away(tmp_path: Path) -> None:
    """One sentence, and the next command goes on from what is stored."""
    file = tmp_path / "scheduler.json"
    dask = Path(sys.executable).with_name("dask")
    words = [str(dask), "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    scheduler = subprocess.Popen(words, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        wait_for(file.exists, 60)
        address = json.loads(file.read_text())["address"]
        key = SIMS[0].key
        command = subprocess.Popen(
            [sys.executable, "-m", "workbench", "verify", key, "--profile", "quick", "--cluster",
             address, "--store", str(tmp_path / "store")],
            env={**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s"},
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        )  # fmt: skip

        def clients(dask_scheduler: Any) -> list[str]:
            return [name for name in dask_scheduler.clients if name != "fire-and-forget"]

        with distributed.Client(address, set_as_default=False) as watching:
            wait_for(lambda: len(watching.run_on_scheduler(clients)) > 1, 120)
        os.killpg(scheduler.pid, signal.SIGKILL)
        _, said = command.communicate(timeout=120)
    finally:
        if group_lives(scheduler.pid):
            os.killpg(scheduler.pid, signal.SIGKILL)
        scheduler.wait()
    assert command.returncode == 2, said
    assert "the scheduler of the cluster went away" in said
    assert "Traceback" not in said


def test_cluster_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UsageError, match=r"install it with `pip install 'theorem-workbench\[cluster\]'`"),
        connection.client_of("local:1"),
    ):
        pass
