"""Answers to statements that were typed, each by a process that can be ended; slow ones are kept in the store.

An answer is the record of an `Outcome`. A kept one counts if this user stored it with the checkers of today and, if it
is decisive, if the re-checker accepts its certificate.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import time
from pathlib import Path
from typing import Any

from workbench.homes import disk
from workbench.homes.signature import is_mine, signature
from workbench.ledger import certificate
from workbench.ledger.certificate import seal, unseal
from workbench.ledger.checkers import checkers_hash
from workbench.ledger.confined import Confined, Over

SECONDS = 20  # of processor time for one statement
SLOW = 2.0  # seconds after which an answer is worth keeping
Record = dict[str, Any]


class Answers:
    """Decides statements one after the other. folder: the store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._decides, self._checks = Confined("workbench.ledger.decide"), Confined(certificate.__name__)
        for process in (self._decides, self._checks):
            atexit.register(process.stop)
        self._decides.begin()  # imports what it needs while the statements are read

    def answer(self, statement: Record) -> Record:
        """The kept answer, or one that is found now. No statement makes this raise an error."""
        if (old := self._stored_answer(statement)) is not None:
            return old
        began = time.monotonic()
        record, lasting = self._search(statement)
        if lasting and time.monotonic() - began > SLOW:
            self._keep(statement, record)
        return record

    def _search(self, statement: Record) -> tuple[Record, bool]:
        """The answer, and whether another call would give the same."""
        try:
            return self._decides.ask(statement, SECONDS), True
        except Over as reason:
            why, lasting = str(reason), reason.lasting
        except (ValueError, RecursionError) as error:
            why, lasting = str(error), False
        return {"verdict": "inconclusive", "method": "limits", "note": why}, lasting

    # ------------------------------------------------------------------------------------------------ the store

    def _path(self, statement: Record) -> Path:
        text = json.dumps(statement, sort_keys=True) + checkers_hash()
        return self.folder / "ledger" / f"typed.{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"

    def _stored_answer(self, statement: Record) -> Record | None:
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            body = unseal(disk.read(self._path(statement)))
            mark, record = json.loads(body)
            if not is_mine(json.dumps(record).encode(), mark):
                return None
            document = record.get("certificate")
            if record["verdict"] == "inconclusive":
                return dict(record) if document is None else None
            if document["statement"] == statement and record["verdict"] == document["verdict"]:
                right = certificate.judge(self._checks, document).get("verdict") == record["verdict"]
                return dict(record) if right else None
        return None

    def _keep(self, statement: Record, record: Record) -> None:
        """Stores an answer. A failed write is ignored: the next call finds the answer again."""
        target = self._path(statement)
        content = json.dumps([signature(json.dumps(record).encode()), record])
        with contextlib.suppress(OSError):
            target.parent.mkdir(parents=True, exist_ok=True)
            disk.replace(target, seal(content.encode()))
