"""Lines of an earlier call, given again while nothing that they were made from has changed.

A line is made from the sources and data files of the library and of its paper (and what its modules have read while
they were imported), the installed libraries, the options, the claims of its paper that were asked for (they share an
error budget), and the stored results. The lines of a paper are kept in the store with a digest of all of these.

A store may have been written by others, and only lines that this user kept are given (`workbench.homes.signature`): no
surprise, and no exact line of the ledger without its certificate.
"""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from workbench.claims.claims import Claim
from workbench.evidence.verdicts import AT_LEVEL, Decision, Finding, Verdict
from workbench.homes import disk, libraries
from workbench.homes.keys import Key
from workbench.homes.signature import is_mine, signature
from workbench.ledger import outcomes
from workbench.ledger.claims import ExactCheck
from workbench.run import catalog
from workbench.run.jobs import identity
from workbench.run.options import Options
from workbench.run.store.content import content_hash
from workbench.run.store.results import Store
from workbench.run.store.sources import stamp
from workbench.run.timings import TIMINGS
from workbench.verdicts.verify import Line

PHASE = "looking up kept verdicts"
FOLDER = "lines"  # in the store's
MOST = 16  # files of one paper; the oldest go
LARGEST = 64 << 20  # bytes of a file that is read
# Of a finding, all but the functions, from which its decision was made.
PLAIN = tuple(f.name for f in fields(Finding) if f.name not in AT_LEVEL)
WITHOUT = {"jobs", "cluster"}  # options on which no result depends


class Kept:
    """The lines that a store keeps."""

    def get_or_make(
        self,
        claims: Iterable[Claim],
        options: Options,
        store: Store,
        make: Callable[[list[Claim]], list[Line]],
    ) -> list[Line]:
        """One line per claim, in order: kept ones by paper, and those that ``make`` gives for the other papers."""
        claims = list(claims)
        with TIMINGS.phase(PHASE):
            stored_lines = self.lines(claims, options, store)
        fresh = make([c for c in claims if c.paper not in stored_lines])
        with TIMINGS.phase(PHASE):
            self.keep(fresh, options, store)
        by_claim = {id(line.claim): line for line in itertools.chain(fresh, *stored_lines.values())}
        return [by_claim[id(claim)] for claim in claims]

    def lines(self, claims: Iterable[Claim], options: Options, store: Store) -> dict[str, list[Line]]:
        """Paper -> lines of all its claims among these, for each paper of which they are kept and still count."""
        by_paper = {}
        for paper, mine in _by_paper(claims).items():
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                stored_lines = _read(_file(store, paper, mine, options))
                if (inputs := self._inputs(mine, options, store)) and stored_lines["inputs"] == inputs:
                    rows = zip(mine, stored_lines["lines"], strict=True)
                    by_paper[paper] = _with_certificates([_line(claim, row) for claim, row in rows], store)
        return by_paper

    def keep(self, lines: Sequence[Line], options: Options, store: Store) -> None:
        """Writes lines by paper; what cannot be written is not kept."""
        by_claim = {id(line.claim): line for line in lines}
        for paper, mine in _by_paper(line.claim for line in lines).items():
            rows = [by_claim[id(claim)] for claim in mine]
            # What is a surprise is looked at again: it may have been for want of time, or memory.
            if not all(line.as_expected for line in rows):
                continue
            with contextlib.suppress(OSError, TypeError, ValueError):
                if inputs := self._inputs(mine, options, store):
                    document = {"inputs": inputs, "lines": list(map(_row, rows))}
                    _write(_file(store, paper, mine, options), document)

    def _inputs(self, claims: Sequence[Claim], options: Options, store: Store) -> str | None:
        """Digest of what lines of these claims are made from; None where that is not known or not all stored."""
        if options.backend != "auto":
            return None  # a stored result may come from another
        simulations, results = catalog.simulations(), {}
        for name in sorted({name for claim in claims for name in claim.needs}):
            if (
                name not in simulations
                or (state := store.state(identity(simulations[name], options).key)) is None
            ):
                return None
            results[name] = state
        fixed = {"sources": stamp(Key.of(claims[0].key).paper), "libraries": libraries.releases()}
        return content_hash({**fixed, "asked": _question(claims, options), "results": results})


def _by_paper(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """The claims of each paper."""
    claims_of: dict[str, list[Claim]] = {}
    for claim in claims:
        claims_of.setdefault(claim.paper, []).append(claim)
    return claims_of


def _question(claims: Sequence[Claim], options: Options) -> list[Any]:
    given_options = {name: value for name, value in asdict(options).items() if name not in WITHOUT}
    return [given_options, [claim.id for claim in claims]]


def _file(store: Store, paper: str, claims: Sequence[Claim], options: Options) -> Path:
    return store.folder / FOLDER / f"{paper}-{content_hash(_question(claims, options))[:24]}.json"


def _row(line: Line) -> dict[str, Any]:
    d = line.decision
    return {
        "finding": {name: getattr(d.finding, name) for name in PLAIN},
        "decision": [str(d.verdict), d.low, d.high, d.p, d.decides, d.sensitivity, d.admitted, d.costs],
        "seconds": line.seconds,
        "void": line.void,
    }


def _line(claim: Claim, row: dict[str, Any]) -> Line:
    pairs = {name: tuple(row["finding"][name]) for name in ("trend", "span", "without")}
    finding = Finding(**{**row["finding"], **pairs})
    verdict, *numbers = row["decision"]
    return Line(claim, Decision(finding, Verdict(verdict), *numbers), row["seconds"], row["void"])


def _with_certificates(lines: list[Line], store: Store) -> list[Line]:
    """The lines. Raises ValueError if one is a surprise, or an exact one that no accepted certificate shows."""
    if not all(line.as_expected for line in lines):
        raise ValueError("surprises are not kept")
    for line in lines:
        if isinstance(line.claim, ExactCheck):
            outcome = outcomes.from_store(line.claim.lemma, line.claim.item, store.folder)
            if outcome is None or outcome.verdict != line.decision.verdict:
                raise ValueError(f"no certificate shows {line.claim.id}")
    return lines


def _read(file: Path) -> dict[str, Any]:
    """Raises OSError, ValueError for a file that is not this user's, KeyError or TypeError where it is read then."""
    mark, _, body = disk.read(file, LARGEST).partition(b"\n")
    if not is_mine(body, mark.decode("ascii", "replace")):
        raise ValueError(f"{file} was damaged, or written by somebody else")
    return json.loads(body)


def _write(file: Path, document: dict[str, Any]) -> None:
    """Writes a document, and deletes the oldest of the paper beyond `MOST`."""
    body = json.dumps(document, default=_plain).encode()
    if not (mark := signature(body)):
        return
    if file.exists() and not file.is_file():
        raise OSError(f"{file} is no regular file")  # a pipe would be waited for
    file.parent.mkdir(exist_ok=True)
    disk.replace(file, mark.encode(), b"\n", body)
    paper = file.name.rpartition("-")[0]
    ages = sorted(((p.stat().st_mtime, p) for p in file.parent.glob(f"{paper}-*.json")), reverse=True)
    for _, old in ages[MOST:]:
        old.unlink(missing_ok=True)


def _plain(number: Any) -> Any:
    """A number of NumPy as one of Python. Raises TypeError for anything else."""
    if not isinstance(number, np.generic):
        raise TypeError(f"a {type(number).__name__} is not kept")
    return number.item()
