"""Outcomes of many checks: cached by content, computed by worker processes that can be killed.

A file holds one outcome as JSON and ends with a seal, the SHA-256 of all before it. It binds a chain: the key (the
record's content and the checkers' code), the statement as the checker reads the record now, the certificate about this
statement, and its verdict, which is checked again on reading. A file in which any of these is wrong counts as missing.

A solver that exceeds its time limit is killed with its process, so that no statement can hang the ledger.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from workbench.evidence.verdicts import Verdict
from workbench.homes import disk
from workbench.homes.signature import is_mine, signature
from workbench.ledger import certificate, confined
from workbench.ledger.certificate import seal, unseal
from workbench.ledger.checkers import checkers_hash
from workbench.ledger.outcome import Outcome, Reason, over_limit, undecided
from workbench.ledger.statements import statement
from workbench.run import processes
from workbench.theory.lemma import Check, Lemma

PATIENCE = 8  # times the budget, which is processor time: other processes may have most of the machine
KILLED = {
    Reason.ENDED: "the checker's process was killed",
    Reason.LATE: f"killed: no answer within {PATIENCE} times the budget",
}
GRACE = 6.0  # seconds beyond the budget after which a check's process is killed
Item = tuple[Lemma, Check]
_outcomes: dict[str, Outcome] = {}


@cache
def content_key(check: Check) -> str:
    """Hash of the statement, its box and its budget, and of the checkers' code."""
    content = [statement(check), dict(getattr(check, "witness", {})), check.budget]
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(f"{checkers_hash()} {text}".encode()).hexdigest()[:32]


def snapshot() -> dict[str, Outcome]:
    """All outcomes that this process knows, by content key, for another process to `take`."""
    return dict(_outcomes)


def take(more: Mapping[str, Outcome]) -> None:
    _outcomes.update(more)


def outcome(check: Check) -> Outcome:
    """The cached outcome, or else the outcome computed in this process."""
    from workbench.ledger.checks import decide

    key = content_key(check)
    if key not in _outcomes:
        _outcomes[key] = decide(check)
    return _outcomes[key]


def ensure(
    items: Iterable[Item],
    folder: Path | None = None,
    jobs: int | None = None,
    progress: Callable[[Lemma, Check], None] = lambda lemma, check: None,
) -> dict[tuple[str, str], Outcome]:
    """Outcomes by (lemma key, check name): from memory, from certificates in the folder, or computed and stored."""
    by_content: dict[str, list[Item]] = {}  # two lemmas may need the same statement
    for item in items:
        by_content.setdefault(content_key(item[1]), []).append(item)
    missing: dict[str, Item] = {}
    for key, same in by_content.items():
        if key not in _outcomes:
            old = next((h for item in same if (h := _read(folder, *item, key)) is not None), None)
            if old is None:
                missing[key] = same[0]
                continue
            _outcomes[key] = old
        elif folder is not None and not path(folder, *same[0], key).exists():  # decided for another store
            _store_unless_killed(folder, *same[0], key, _outcomes[key])
        for item in same:
            progress(*item)
    for key, outcome in _compute(missing, processes.count(len(missing), jobs)):
        _outcomes[key] = outcome
        _store_unless_killed(folder, *missing[key], key, outcome)
        for item in by_content[key]:
            progress(*item)
    return {
        (lemma.key, check.name): _outcomes[key] for key, same in by_content.items() for lemma, check in same
    }


def _store_unless_killed(folder: Path | None, lemma: Lemma, check: Check, key: str, outcome: Outcome) -> None:
    if outcome.reason not in KILLED:  # which says something about this call, not about the statement
        _write(folder, lemma, check, key, outcome)


def path(folder: Path, lemma: Lemma, check: Check, key: str) -> Path:
    name = "".join(c if c.isalnum() or c in ".-" else "-" for c in f"{lemma.key}.{check.name}")
    return folder / "ledger" / f"{name}.{key[:12]}.json"


def _read(folder: Path | None, lemma: Lemma, check: Check, key: str) -> Outcome | None:
    """The stored outcome, or None. A damaged file counts as missing: its outcome is recomputed and replaces it.

    So does one that another user wrote, unless the re-checker accepts its certificate; then it is signed.
    """
    if folder is None:
        return None
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        record = json.loads(unseal(disk.read(path(folder, lemma, check, key))))
        mine = isinstance(record, dict) and is_mine(_unsigned_part(record), record.pop("signature", ""))
        if [record.pop(name) for name in ("key", "lemma", "check")] == [key, lemma.key, check.name]:
            result = Outcome.read(record)
            if not _bound(result, check) or not (mine or _accepts(result)):
                return None
            if not mine:
                _write(folder, lemma, check, key, result)
            return result
    return None


def _unsigned_part(record: dict[str, Any]) -> bytes:
    """The part of a record that is signed."""
    return json.dumps({k: v for k, v in record.items() if k != "signature"}, sort_keys=True).encode()


def _accepts(outcome: Outcome) -> bool:
    """Whether the re-checker accepts what another user has stored; what is undecided needs no proof."""
    if outcome.certificate is None:
        return outcome.verdict == Verdict.INCONCLUSIVE
    return certificate.judge(_rechecker(), outcome.certificate).get("verdict") == str(outcome.verdict)


@cache
def _rechecker() -> confined.Confined:
    """The process that checks certificates, which somebody else may have made to last for hours."""
    process = confined.Confined(certificate.__name__)
    atexit.register(process.stop)
    return process


def from_store(lemma: Lemma, check: Check, folder: Path) -> Outcome | None:
    """The stored outcome, None where there is none that counts."""
    return _read(folder, lemma, check, content_key(check))


def _bound(result: Outcome, check: Check) -> bool:
    """Is a certificate about this very check, and about the verdict? An open outcome has none, a decisive one must."""
    proof = result.certificate
    if result.verdict == Verdict.INCONCLUSIVE:
        return proof is None
    if not isinstance(proof, dict):
        return False
    return proof["verdict"] == str(result.verdict) and proof["statement"] == statement(check)


def _write(folder: Path | None, lemma: Lemma, check: Check, key: str, result: Outcome) -> None:
    """Stores an outcome. A failed write is ignored: the next call computes the outcome again."""
    if folder is None:
        return
    target = path(folder, lemma, check, key)
    record = {"key": key, "lemma": lemma.key, "check": check.name, **result.record()}
    record["signature"] = signature(_unsigned_part(record))
    with contextlib.suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        disk.replace(target, seal(json.dumps(record).encode()))


# ------------------------------------------------------------------------------------------------ processes


class _Worker:
    """A worker process that decides checks one at a time."""

    def __init__(self) -> None:
        context: Any = processes.context()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, processes.environment()), daemon=True)
        with processes.explaining_a_kill("checking the ledger"):
            self.process.start()
        theirs.close()
        self.key, self.deadline, self.ready = "", float("inf"), False

    def give(self, key: str, check: Check) -> None:
        # The first check of a process includes the time for its imports.
        self.key = key
        self.deadline = time.monotonic() + PATIENCE * check.budget + GRACE + (0 if self.ready else 20)
        with contextlib.suppress(
            BrokenPipeError
        ):  # of a worker that was just killed, which `_compute` notices
            self.pipe.send(check)

    def stop(self) -> None:
        processes.end([self.process], seconds=1.0)
        self.pipe.close()


def _serve(pipe: Connection, environment: dict[str, str]) -> None:
    processes.begin(environment)
    from workbench.ledger.checks import decide
    from workbench.ledger.decide import processor_time

    confined.limit_memory()
    while True:
        try:
            check = pipe.recv()
        except EOFError:
            return
        confined.limit_time(processor_time(check.budget))
        try:
            pipe.send(decide(check))
        except MemoryError:
            pipe.send(over_limit(confined.over_memory()))
        except Exception as error:  # an error in a checker affects and is reported for this check only
            pipe.send(
                undecided("none", f"{type(error).__name__}: {error}", "a statement that the checkers support")
            )


def _compute(missing: dict[str, Item], count: int) -> Iterable[tuple[str, Outcome]]:
    queue = sorted(missing, key=lambda k: -missing[k][1].budget)
    workers = [_Worker() for _ in range(count)]
    # Statements whose worker ended or was late once: something else may have killed it, or the machine was asleep.
    again: set[str] = set()
    try:
        for w in workers:
            _next(w, queue, missing)
        while busy := [w for w in workers if w.key]:
            pause = max(0.0, min(w.deadline for w in busy) - time.monotonic())
            ready = wait([w.pipe for w in busy], timeout=pause)
            for k, w in enumerate(workers):
                if not w.key or (w.pipe not in ready and time.monotonic() <= w.deadline):
                    continue
                key, budget = w.key, missing[w.key][1].budget
                result = _receive(w, budget) if w.pipe in ready else _no_answer(Reason.LATE)
                if result.reason in KILLED and key not in again:
                    again.add(key)
                    queue.append(key)
                else:
                    yield key, result
                if result.reason in (*KILLED, Reason.OVER):
                    w.stop()
                    workers[k] = _Worker()
                _next(workers[k], queue, missing)
    finally:
        for w in workers:
            w.stop()


def _no_answer(reason: Reason) -> Outcome:
    return undecided("none", KILLED[reason], "a larger budget, or a simpler statement", reason)


def _receive(worker: _Worker, budget: int) -> Outcome:
    """The answer of a worker, or that there is none."""
    from workbench.ledger.decide import processor_time

    worker.ready = True
    try:
        return worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join(1.0)
        if confined.time_was_over(worker.process.exitcode):
            return over_limit(confined.over_time(processor_time(budget)))
        return _no_answer(Reason.ENDED)


def _next(worker: _Worker, queue: list[str], missing: dict[str, Item]) -> None:
    worker.key = ""
    if queue:
        key = queue.pop(0)
        worker.give(key, missing[key][1])
