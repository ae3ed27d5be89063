"""Connections to a Dask cluster: one that is running, one started on this machine, or jobs of a batch system."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import socket
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.homes import disk
from workbench.homes.usage import UsageError
from workbench.run import processes

if TYPE_CHECKING:
    from distributed import Client

START = 60.0  # seconds for the first worker on this machine
WAIT = 15.0  # seconds for the scheduler's answer
SILENCE = "30s"  # after which a worker of a scheduler started here that does not answer is replaced
ANY = ":0"  # free port for Dask's HTTP server; of a second cluster on its own one, 8787, it warns
KINDS = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "sge": "SGECluster",
    "lsf": "LSFCluster",
    "oar": "OARCluster",
    "htcondor": "HTCondorCluster",
    "local": "LocalCluster",  # jobs that are processes of this machine, to try a configuration
}
JOB = {
    "cores": 1,
    "memory": "4GB",
}  # of a job of the batch system, unless the file says otherwise
EXTRA = "install it with `pip install 'theorem-workbench[cluster]'`"
NETWORK = (errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EHOSTUNREACH, errno.ENETUNREACH)  # its errors
HOST = "an address that it has is named by host in the table job.scheduler_options"
FORM = "a cluster is named by local:N, by a scheduler's address as tcp://host:8786 (or tls://), or by a .toml file"


def problem(place: str) -> str:
    """Why a cluster cannot be meant by this name; "" if it can."""
    kind, _, rest = place.partition(":")
    if kind == "local":
        return "" if rest.isascii() and rest.isdecimal() and int(rest) > 0 else f"{place!r}: {FORM}"
    scheme, _, host = place.rpartition("://")
    port = host.rpartition(":")[2]
    address = scheme in ("", "tcp", "tls") and host != port and port.isascii() and port.isdecimal()
    return "" if address or place.endswith(".toml") else f"{place!r}: {FORM}"


@contextlib.contextmanager
def client_of(place: str) -> Iterator[Client]:
    """A client of the cluster; a cluster that is started here ends with the block.

    Raises UsageError if a library is missing, if nobody answers, and for a file that describes no cluster.
    """
    try:
        import dask
        import distributed
    except ImportError:
        raise UsageError(f"--cluster needs dask.distributed: {EXTRA}") from None
    for library in ("distributed", "tornado"):  # that workers are lost is not for the user to read
        logging.getLogger(library).setLevel(logging.CRITICAL)
    # How often a piece is tried again is counted by the client (`workbench.run.cluster`).
    ours = {"distributed.scheduler.allowed-failures": 0, "distributed.scheduler.worker-ttl": SILENCE}
    with dask.config.set(ours), contextlib.ExitStack() as stack:
        here: Any = place
        if place.startswith("local:"):
            here = stack.enter_context(_local(int(place.removeprefix("local:"))))
        elif place.endswith(".toml"):
            here = stack.enter_context(_batch(Path(place)))
        try:
            if here is place:
                _probe(place)
            client = distributed.Client(here, timeout=WAIT, set_as_default=False)
        except (
            RuntimeError,
            TypeError,
        ) as error:  # Dask's configuration wants encryption, or has no certificate for it
            raise UsageError(f"{place} cannot be spoken to: {error}") from None
        except (OSError, TimeoutError, ValueError, MemoryError) as error:  # it takes any bytes for a length
            raise UsageError(f"no scheduler answers at {place} ({type(error).__name__})") from None
        yield stack.enter_context(client)


def _probe(address: str) -> None:
    """Raises what `_answered` raises, and TimeoutError."""
    import asyncio  # here, as the pool below: only a cluster needs them
    from concurrent.futures import ThreadPoolExecutor

    def ask() -> None:
        asyncio.run(asyncio.wait_for(_shake_hands(address), WAIT))

    try:
        asyncio.get_running_loop()
    except RuntimeError:  # there is none, so Ctrl-C ends the waiting
        ask()
    else:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(ask).result()


async def _shake_hands(address: str) -> None:
    """Returns once a scheduler has shaken hands, for which Dask's client would wait without limit."""
    from distributed import Security
    from distributed.comm import connect

    (await connect(address, timeout=WAIT, **Security().get_connection_args("client"))).abort()


@contextlib.contextmanager
def _local(workers: int) -> Iterator[str]:
    """The address of workers on this machine; Ctrl-C does not reach them, this process ends them."""
    from distributed import LocalCluster

    if why := processes.obstacle():
        raise UsageError(f"no workers can be started on this machine: {why}")
    processes.only_what_is_installed()
    options = {"memory_limit": 0, "dashboard_address": f"127.0.0.1{ANY}", "silence_logs": logging.CRITICAL}
    try:
        with processes.without_interrupts():
            cluster = LocalCluster(n_workers=0, threads_per_worker=1, processes=True, **options)
    except (OSError, RuntimeError, TimeoutError) as error:
        raise UsageError(f"no scheduler can be started on this machine: {error}") from None
    try:
        cluster.scale(workers)  # in the background: Dask would wait forever for one that hangs on starting
        cluster.wait_for_workers(1, timeout=START)
        yield cluster.scheduler_address  # with the cluster itself, the client would wait for all of them
    except TimeoutError:
        raise UsageError(f"none of the {workers} workers has started within {START:g} s") from None
    finally:
        _kill_those_that_hang(cluster)
        cluster.close()


def _kill_those_that_hang(cluster: Any) -> None:
    """Kills worker processes that have not started by now, for whose start Dask would wait before it closes."""
    from distributed import Status

    for nanny in list(cluster._created):
        process = getattr(nanny, "process", None)
        if process is not None and process.status == Status.starting and process.process.pid:
            with contextlib.suppress(OSError):
                os.kill(process.process.pid, signal.SIGKILL)


@contextlib.contextmanager
def _batch(path: Path) -> Iterator[Any]:
    """Workers of a batch system, as a file says: ``kind``, ``workers``, and a table ``job`` for dask-jobqueue."""
    kind, workers, job = _configuration(path)
    before = signal.getsignal(signal.SIGINT)
    try:
        import dask
        import dask_jobqueue
        from dask_jobqueue.local import LocalCluster
        from distributed import Status
    except ImportError:
        raise UsageError(f"{path} needs dask-jobqueue: {EXTRA}") from None
    finally:  # importing its module `runner` makes Ctrl-C end the process with status 0
        signal.signal(signal.SIGINT, before)
    maker = LocalCluster if kind == "local" else getattr(dask_jobqueue, KINDS[kind])
    scheduler = job.get("scheduler_options") or dask.config.get(f"jobqueue.{kind}.scheduler-options", {})
    if isinstance(scheduler, dict) and "dashboard_address" not in scheduler:
        scheduler = {
            "dashboard": False,
            "dashboard_address": f"{scheduler.get('host', '')}{ANY}",
            **scheduler,
        }
    try:
        cluster = maker(**{**JOB, "processes": job.get("cores", 1), **job, "scheduler_options": scheduler})
    except Exception as error:
        if unreachable := _network(error):
            raise UsageError(
                f"{path}: no scheduler can be started on this machine: {unreachable}; {HOST}"
            ) from None
        raise _refusal(path, error) from None
    try:
        _submit(path, cluster, workers)
        cluster.adapt(minimum=workers, maximum=workers)  # also in place of those whose time is over
        yield cluster
    finally:
        # Dask refuses to close while a job neither runs nor has ended, and dask-jobqueue does not note that one ended.
        for each in list(cluster._created):
            each.status = Status.failed
        cluster.close()


def _submit(path: Path, cluster: Any, workers: int) -> None:
    """The first jobs, waited for: Dask's `scale` submits them in the background, where nobody hears of a refusal."""

    async def submit_all() -> None:
        while len(cluster.plan) < workers:
            cluster.worker_spec.update(cluster.new_worker_spec())
        await cluster._correct_state()

    try:
        cluster.sync(submit_all)
    except FileNotFoundError as error:
        raise UsageError(f"{path}: there is no program {error.filename} here to submit jobs with") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: the batch system answers in another encoding than UTF-8") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot submit jobs with {error.filename}: {error.strerror}") from None
    except (RuntimeError, ValueError) as error:
        raise UsageError(f"{path}: the batch system refuses the jobs: {_reason(str(error))}") from None
    except Exception as error:  # a value of another type than dask-jobqueue makes the job's script of
        raise _refusal(path, error) from None


def _refusal(path: Path, error: Exception) -> UsageError:
    """What is said of a table ``job`` from which no cluster or no job can be made."""
    text = " ".join(str(error).split())
    if not isinstance(error, OSError | RuntimeError | TypeError | ValueError):
        text = f"{type(error).__name__}: {text}"
    return UsageError(f"{path}: dask-jobqueue does not accept the table job: {text}")


def _network(error: BaseException | None) -> str:
    """What the network said, of all that led to this error ("" if it said nothing)."""
    while error is not None and not (
        isinstance(error, socket.gaierror) or (isinstance(error, OSError) and error.errno in NETWORK)
    ):
        error = error.__cause__ or error.__context__
    return "" if error is None else str(error.strerror or error)


def _reason(text: str) -> str:
    """What a batch system printed, of all that dask-jobqueue says about a command that failed."""
    head, _, rest = text.partition("stdout:")
    stdout, _, stderr = rest.partition("stderr:")
    return " ".join((stderr.strip() or stdout.strip() or head).split())


def _configuration(path: Path) -> tuple[str, int, dict[str, Any]]:
    try:
        document = tomllib.loads(disk.read(path).decode())
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:  # also of what is no UTF-8
        raise UsageError(f"{path} is no TOML file: {error}") from None
    kind, workers, job = document.pop("kind", None), document.pop("workers", None), document.pop("job", {})
    if kind not in KINDS:
        raise UsageError(f"{path}: kind is {kind!r}; choose one of {', '.join(KINDS)}")
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise UsageError(f"{path}: workers is {workers!r}; wanted how many, from 1 on")
    if not isinstance(job, dict) or document:
        raise UsageError(
            f"{path}: wanted kind, workers and a table job, nothing else; got {', '.join(document) or 'job'}"
        )
    return kind, workers, job
