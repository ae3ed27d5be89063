"""The trials: each does its harm n times and says how often the promise was kept."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import string
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.faults import commands
from tests.faults.commands import (
    VERIFY,
    as_nobody,
    broken_files,
    claims,
    descendants,
    fresh,
    jumping_clock,
    little_memory,
    little_room,
    run,
    start,
    wrong,
)
from workbench.claims import plan
from workbench.claims.plan import Piloted, Plan
from workbench.engine import kernels
from workbench.ledger import certificate
from workbench.report.drawing.stamps import NAME, Stamps
from workbench.run import catalog
from workbench.run.store import checkpoint
from workbench.run.store.results import Store

FREE = 100  # command lines from which on some may name keys, for which all papers are imported


@dataclass
class Table:
    """Trial -> outcome -> how often; and what went wrong, in words."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def note(self, trial: str, outcome: str, fault: str = "") -> None:
        self.counts.setdefault(trial, Counter())["BROKEN" if fault else outcome] += 1
        if fault:
            self.faults.append(f"{trial}: {fault}")


class Campaign:
    def __init__(self, base: Path, chance: random.Random) -> None:
        self.base, self.chance, self.table = base, chance, Table()
        self._number = 0
        folder = self.fresh()
        began = time.monotonic()
        self.status, said = run(folder, *VERIFY, "--jobs", "2")
        self.seconds = time.monotonic() - began
        self.expected = claims(folder)
        self.store = folder / "store"
        self.early = True  # whether the commands look at short simulations, which a cluster's workers do not
        if self.status != 0 or not self.expected:
            raise RuntimeError(f"the undisturbed command ends with {self.status}: {said}")

    def fresh(self) -> Path:
        self._number += 1
        return fresh(self.base, f"w{self._number}")

    def judge(
        self, trial: str, outcome: str, folder: Path, status: int, said: str, allowed: set[int]
    ) -> None:
        """Notes the end of a disturbed command, and that of an undisturbed one after it."""
        fault = wrong(status, said, allowed)
        try:
            found = claims(folder)
            if found is not None and found != self.expected and status == self.status:
                fault = fault or "another verdict"
        except ValueError:
            fault = fault or "half a report"
        fault = fault or "; ".join(broken_files(folder))
        after, said = run(folder, *VERIFY, "--jobs", "1", early=self.early)
        fault = fault or wrong(after, said, {self.status})
        if not fault and claims(folder) != self.expected:
            fault = "another verdict by the next command"
        self.table.note(trial, outcome, fault)

    # ------------------------------------------------------------------------------------------ processes

    def kills(self, n: int) -> None:
        """Signals to the command, one of its workers or all of them, at a random moment."""
        for _ in range(n):
            victim = self.chance.choice(("command", "worker", "all"))
            name = self.chance.choice(("SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGSTOP"))
            folder = self.fresh()
            running = start(folder, (*VERIFY, "--jobs", self.chance.choice("12")))
            time.sleep(self.chance.uniform(0, 1.1 * self.seconds))
            children = running.children()
            pid = self.chance.choice(children) if victim == "worker" and children else running.pid
            self._send(-running.pid if victim == "all" else pid, name)
            status, said = running.wait()
            allowed = {self.status, 130, 2}
            if name == "SIGKILL" and pid == running.pid:
                allowed.add(-signal.SIGKILL)
            elif name != "SIGKILL" and status < 0 and running.began > time.monotonic() - 0.1 * self.seconds:
                allowed.add(status)  # before the command had learned to handle signals
            if name == "SIGSTOP":
                allowed = {self.status}
            outcome = {self.status: "finished", 130: "interrupted", 2: "one sentence"}.get(status, "killed")
            fault = "processes are left" if running.lives() else ""
            if fault:
                self.table.note(f"{name} to {victim}", outcome, fault)
            else:
                self.judge(f"{name} to {victim}", outcome, folder, status, said, allowed)

    def _send(self, pid: int, name: str) -> None:
        def kill(number: int) -> None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(-pid, number) if pid < 0 else os.kill(pid, number)

        kill(getattr(signal, name))
        if name == "SIGSTOP":
            time.sleep(self.chance.uniform(0, 0.5))
            kill(signal.SIGCONT)

    def cluster(self, n: int) -> None:
        """A process below the command killed, or stopped for good, at a random moment: a worker or what it has started.

        Every other time it is the one that computes, if there is one by then.
        """
        words = (*VERIFY, "--cluster", "local:2")
        folder, began, looked_at, self.early = self.fresh(), time.monotonic(), self.expected, False
        status, said = run(folder, *words, early=False)
        seconds, self.expected = time.monotonic() - began, claims(folder)
        self.judge("cluster, undisturbed", "same verdicts", folder, status, said, {self.status})
        for k in range(n):
            name = self.chance.choice(("SIGKILL", "SIGKILL", "SIGKILL", "SIGSTOP"))
            folder = self.fresh()
            running = start(folder, words, early=False)
            time.sleep(self.chance.uniform(0.1, 1.0) * seconds)
            below = descendants(running.pid)
            if not below:
                self.judge("cluster", "too late", folder, *running.wait(), {self.status})
                continue
            deepest = max(depth for depth, _ in below)
            pid = self.chance.choice([p for depth, p in below if k % 2 or depth == deepest])
            self._send(pid, name) if name == "SIGKILL" else os.kill(pid, signal.SIGSTOP)
            status, said = running.wait()
            outcome = {self.status: "finished"}.get(status, "one sentence")
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            if running.lives():
                self.table.note(f"{name} in a cluster", outcome, "processes are left")
            else:
                self.judge(f"{name} in a cluster", outcome, folder, status, said, {self.status, 2})
        self.expected, self.early = looked_at, True

    def writers(self, n: int) -> None:
        """Two and four commands at a time on one store."""
        for k in range(n):
            folder, many = self.fresh(), (2, 4)[k % 2]
            for m in range(many):
                (folder / f"by{m}").mkdir()
                (folder / f"by{m}" / "tiny.py").write_text(commands.PAPER)
            words = tuple("../store" if w == "store" else w for w in VERIFY)
            running = [start(folder / f"by{m}", (*words, "--jobs", "1")) for m in range(many)]
            ends = [r.wait() for r in running]
            faults = [wrong(status, said, {self.status}) for status, said in ends]
            if any(claims(folder / f"by{m}") != self.expected for m in range(many)):
                faults.append("another verdict")
            self.table.note(
                f"{many} writers", "same verdicts", "; ".join(filter(None, [*faults, *broken_files(folder)]))
            )

    def full_disks(self, n: int) -> None:
        """No room for files beyond a random size; a report on /dev/full; output on /dev/full."""
        for _ in range(n):
            folder = self.fresh()
            size = int(10 ** self.chance.uniform(3, 6))  # the sentence itself must fit
            status, said = run(folder, *VERIFY, "--jobs", self.chance.choice("12"), prepare=little_room(size))
            outcome = {self.status: "finished", 4: "not stored, status 4"}.get(status, "one sentence")
            self.judge("full disk", outcome, folder, status, said, {self.status, 2, 4})

    def read_only_stores(self, n: int) -> None:
        """A store that may be read and not written, empty or with results."""
        for k in range(n):
            folder = self.fresh()
            if k % 2:
                shutil.copytree(self.store, folder / "store")
            status, said = run(folder, *VERIFY, "--jobs", self.chance.choice("12"), prepare=as_nobody(folder))
            (folder / "store").chmod(0o755)
            outcome = {self.status: "finished"}.get(status, "one sentence")
            allowed = {self.status} if k % 2 else {2}
            self.judge(
                f"read-only store, {'full' if k % 2 else 'empty'}", outcome, folder, status, said, allowed
            )

    def clocks(self, n: int) -> None:
        """A clock that jumps while the command runs, and files of other times."""
        for _ in range(n):
            folder = self.fresh()
            prepare = jumping_clock(random.Random(self.chance.random()))
            status, said = run(folder, *VERIFY, "--jobs", self.chance.choice("12"), prepare=prepare)
            for path in folder.rglob("*"):
                os.utime(path, (self.chance.uniform(0, 4e9),) * 2)
            self.judge("jumping clock", "same verdicts", folder, status, said, {self.status})

    def little_memory(self, n: int) -> None:
        """Less memory than the command needs, or just enough: it says so, in whatever it was doing.

        Status 3 where an extension finds no memory for its MemoryError, and ends in a SystemError without a word.
        OpenBLAS interrupts a process in which it cannot start a thread; other libraries end it by a fault of their own.
        """
        for _ in range(n):
            folder = self.fresh()
            size = int(10 ** self.chance.uniform(5, 8.5))
            status, said = run(
                folder, *VERIFY, "--jobs", self.chance.choice("12"), prepare=little_memory(size)
            )
            ends = {
                self.status: "finished",
                4: "not stored",
                130: "by OpenBLAS",
                -signal.SIGSEGV: "by a library",
            }
            outcome = ends.get(status, "one sentence")
            allowed = {self.status, 1, 2, 3, 4, 130, -signal.SIGSEGV}
            self.judge("little memory", outcome, folder, status, said, allowed)

    # ---------------------------------------------------------------------------------------------- files

    def flips(self, n: int) -> None:
        """Bits flipped and ends cut off in results, checkpoints, kernels, stamps, pictures and certificates."""
        kinds = list(_kept(self.base / "kept", self.store))
        for k in range(n):
            kind, path, sound = kinds[k % len(kinds)]
            whole = path.read_bytes()
            damaged = bytearray(whole)
            if self.chance.random() < 0.3:
                del damaged[self.chance.randrange(len(whole)) :]
            else:
                damaged[self.chance.randrange(len(whole))] ^= 1 << self.chance.randrange(8)
            path.write_bytes(damaged)
            try:
                outcome = sound()
                fault = "" if outcome in ("noticed", "harmless") else outcome
            except Exception as error:
                outcome, fault = "", f"{type(error).__name__}: {error}"
            for aside in path.parent.glob("*.damaged-*"):
                aside.unlink()
            path.write_bytes(whole)
            self.table.note(f"damage: {kind}", outcome, fault)

    def damaged_stores(self, n: int) -> None:
        """A command on a store with damaged files says so and finds the same."""
        for _ in range(n):
            folder = self.fresh()
            (folder / "store").mkdir()
            for path in self.store.glob("*.nc"):
                body = bytearray(path.read_bytes())
                body[self.chance.randrange(len(body))] ^= 1 << self.chance.randrange(8)
                (folder / "store" / path.name).write_bytes(body)
            status, said = run(folder, *VERIFY, "--jobs", "1")
            fault = "" if said.count("computed again") == 2 else f"the damage is not named: {said}"
            if fault:
                self.table.note("command on damage", "", fault)
            else:
                self.judge("command on damage", "named", folder, status, said, {self.status})

    # ---------------------------------------------------------------------------------------------- words

    def command_lines(self, n: int) -> None:
        """Command lines of words that are nearly right."""
        folder, table = self.fresh(), self.table
        free = n >= FREE
        if free:
            catalog.entries()  # once, for all commands
        known = ("list", "verify", "figures", "report", "replay", "ledger", "new", "calibrate", "doctor")
        valued = ("--profile", "--backend", "--engine", "--seed", "--runs", "--horizon", "--jobs", "--store", "--json",
                  "--out", "--data", "--run", "--from")  # fmt: skip
        flags = ("--notes", "--wide", "--fast", "--errata", "--lines", "--help", "--version", "--redraw",
                 "--single-file", "--bogus")  # fmt: skip
        values = ("quick", "numpy", "eager", "0", "1", "2", "-1", "5", "1e3", "nan", "", ".", "..", "store", "no/x",
                  "~x/y", "tiny.py", "/dev/null", "/dev/full", "\udcff", "a" * 300, "x\ny", "[red]", "--")  # fmt: skip
        paths = (
            "./tiny.py",
            "tiny.py",
            "./tiny.py/sim-one",
            "./tiny.py/rate",
            "./no.py",
            "/",
            "~x/y",
            "./[x]",
            "..",
        )
        junk = st.text(string.printable, max_size=8)
        some = st.sampled_from(values) | junk
        words = st.tuples(st.sampled_from(valued), some) | st.tuples(st.sampled_from((*flags, *paths)))
        if free:
            words |= st.tuples(some) | st.tuples(st.sampled_from((*valued, "tiny", "[x]", "-")))
        line = st.tuples(
            st.sampled_from(known) | junk,
            st.lists(words, max_size=4).map(lambda w: [x for y in w for x in y]),
        )

        @seed(self.chance.randrange(1 << 32))
        @settings(max_examples=n, database=None, deadline=None, phases=[Phase.generate],
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(line)
        def one(drawn: tuple[str, list[str]]) -> None:
            name, rest = drawn
            bounded = ["--horizon", "20", "--runs", "3"] if name in ("verify", "figures", "replay") else []
            small = ["--repeats", "0"] if name == "calibrate" else []
            at_least = ["./tiny.py"] if name in ("list", "verify", "figures", "report", "ledger") else []
            words = [w for w in (name, *at_least, *rest, *bounded, *small) if "\0" not in w]
            status, said = run(folder, *words)
            table.note("command line", f"status {status}", fault := wrong(status, said, {0, 1, 2}))
            if fault:
                table.faults.append(f"  words: {words!r}")

        if n:
            one()

    def scripts(self, n: int) -> None:
        """The paper with a line left out, doubled or moved, a word changed, or bytes garbled; as a file or a folder."""
        for _ in range(n):
            folder = self.fresh()
            text = self._garbled(commands.PAPER)
            path = folder / "tiny.py"
            if self.chance.random() < 0.3:
                path.unlink()
                (folder / "tiny").mkdir()
                path = (
                    folder
                    / "tiny"
                    / self.chance.choice(("theorem.py", "method.py", "experiments.py", "__init__.py"))
                )
            path.write_bytes(text)
            words = ["verify", "./tiny.py" if path.parent == folder else "./tiny", *VERIFY[2:]]
            status, said = run(folder, *words, "--horizon", "200", "--runs", "30", "--jobs", "1")
            fault = wrong(status, said, {0, 1, 2})
            self.table.note("script", f"status {status}", fault)
            if fault:
                (self.base / f"script{len(self.table.faults)}.py").write_bytes(text)

    def _garbled(self, text: str) -> bytes:
        lines = text.splitlines(keepends=True)
        words = (
            "0",
            "None",
            "xp",
            "nan",
            "1/0",
            '"x"',
            "()",
            "lambda: 0",
            "lines",
            "self",
            "1e400",
            "[]",
            "-1",
            "start",
        )
        for _ in range(self.chance.choice((1, 1, 2))):
            k = self.chance.randrange(len(lines))
            how = self.chance.randrange(5)
            if how == 0:
                del lines[k]
            elif how == 1:
                lines.insert(self.chance.randrange(len(lines)), lines[k])
            elif how == 2:
                parts = lines[k].split(" ")
                parts[self.chance.randrange(len(parts))] = self.chance.choice(words)
                lines[k] = " ".join(parts).rstrip("\n") + "\n"
            elif how == 3:
                m = self.chance.randrange(len(lines[k]))
                lines[k] = lines[k][:m] + self.chance.choice(string.printable) + lines[k][m + 1 :]
            else:
                return os.urandom(40) + "".join(lines).encode()
        return "".join(lines).encode("utf-8", "surrogateescape")


def _kept(folder: Path, store: Path) -> Iterator[tuple[str, Path, Callable[[], str]]]:
    """(kind, file, what a reader says of it: "noticed", "harmless", or what is wrong) for every kind of kept file."""
    folder.mkdir()
    for path in sorted(store.glob("*.nc"))[:1]:
        yield "result", path, _result(Store(store), path.stem)
    about = {"format": 1, "key": "k"}
    partial = folder / "k.partial"
    import numpy as np

    partial.write_bytes(b"".join(checkpoint.encode(about, {"t": 5, "x": np.arange(50.0)})))
    yield (
        "checkpoint",
        partial,
        lambda: "noticed" if checkpoint.decode(about, partial.read_bytes()) is None else "read",
    )
    yield from _kernel(folder)
    yield from _stamp(folder)
    whole = Plan(
        {"quick": Piloted({"tiny": 0.25}, {"tiny/rate": 4.5}, {"tiny/tight": "too few"}, (900, 901))}
    )
    planned = folder / "plan.json"
    planned.write_text(whole.text())
    yield "plan", planned, lambda: _plan(planned, whole)
    statement = {"names": {}, "claim": ["x"]}
    sealed = folder / "lemma.json"
    sealed.write_bytes(certificate.seal(repr(statement).encode()))
    yield "certificate", sealed, lambda: _unsealed(sealed)


def _result(store: Store, key: str) -> Callable[[], str]:
    def look() -> str:
        found = store.load(key)
        return "noticed" if found is None and len(store.take_notices()) == 1 else "a damaged result was read"

    return look


def _plan(path: Path, whole: Plan) -> str:
    try:
        return "harmless" if plan.read(path) == whole else "a damaged plan was read"
    except plan.BadPlan:
        return "noticed"


def _unsealed(path: Path) -> str:
    try:
        certificate.unseal(path.read_bytes())
    except ValueError:
        return "noticed"
    return "a damaged certificate was read"


def _kernel(folder: Path) -> Iterator[tuple[str, Path, Callable[[], str]]]:
    """A kernel that does nothing, compiled and kept as others are."""
    os.environ["WORKBENCH_KERNELS"] = str(folder / "kernels")
    text = "define void @kernel() {\n  ret void\n}\n"
    kernels.load(text)
    assert kernels.is_cached(text)

    def look() -> str:
        return "a damaged kernel was taken" if kernels.is_cached(text) else "noticed"

    yield "kernel", kernels.folder() / f"{kernels.name_of(text)}.obj", look


def _stamp(folder: Path) -> Iterator[tuple[str, Path, Callable[[], str]]]:
    picture = folder / "picture.pdf"
    picture.write_bytes(b"%PDF" + bytes(100))
    Stamps(folder).note("fig", "inputs", [picture])

    def look() -> str:
        return "a damaged picture is up to date" if Stamps(folder).current("fig", "inputs") else "noticed"

    yield "picture", picture, look
    yield "stamp", folder / NAME, lambda: "harmless" if Stamps(folder).current("fig", "inputs") else "noticed"


assert sys.platform != "win32", "the campaign forks and sends signals"
