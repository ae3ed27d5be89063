"""Verdicts that are kept in the store: given again while nothing has changed, and made anew where anything has."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from workbench.claims.claims import Claim
from workbench.homes import libraries
from workbench.homes.papers import ROOT
from workbench.run import catalog
from workbench.run.jobs import prepare
from workbench.run.options import Options
from workbench.run.store.results import Store
from workbench.verdicts import verdict_cache, verify
from workbench.verdicts.verdict_cache import Kept
from workbench.verdicts.verify import Line

OPTIONS = Options("quick", jobs=1)


@cache
def keys() -> tuple[str, ...]:
    """Of the two papers where this costs least, a key with lines along runs and exact ones."""

    def cost(key: str) -> int:
        sims = verify.simulations_of(c for c in by_key[key])
        return sum(sim.horizon["quick"] * sim.runs["quick"] for sim in sims)

    by_key: dict[str, list[Claim]] = {}
    for claim in verify.chosen_claims([], OPTIONS)[0]:
        by_key.setdefault(claim.key, []).append(claim)
    both = (k for k, mine in by_key.items() if {bool(c.needs) for c in mine} == {True, False})
    found: dict[str, str] = {}
    for key in sorted(both, key=lambda key: (cost(key), key)):
        found.setdefault(key.split("/")[0], key)
    return tuple(sorted(list(found.values())[:2]))


def papers() -> list[str]:
    return [key.split("/")[0] for key in keys()]


def claims() -> list[Claim]:
    return verify.chosen_claims(keys(), OPTIONS)[0]


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, list[Line]]:
    made = Store(tmp_path_factory.mktemp("kept") / "store")
    return made, verify.verify(claims(), OPTIONS, made)


@pytest.fixture
def store(verified: tuple[Store, list[Line]], tmp_path: Path) -> Store:
    """A store with the results and the kept lines."""
    before, lines = verified
    made = Store(shutil.copytree(before.folder, tmp_path / "store"))
    Kept().keep(lines, OPTIONS, made)
    return made


@pytest.fixture
def lines(verified: tuple[Store, list[Line]]) -> list[Line]:
    return verified[1]


def nothing(chosen: list[Claim]) -> list[Line]:
    assert chosen == []
    return []


def asked(store: Store, lines: list[Line]) -> list[str]:
    """The papers whose lines are made anew."""
    found: set[str] = set()

    def make(chosen: list[Claim]) -> list[Line]:
        found.update(c.key.split("/")[0] for c in chosen)
        return [line for line in lines if line.claim in chosen]

    assert [line.claim for line in Kept().get_or_make(claims(), OPTIONS, store, make)] == claims()
    return sorted(found)


def test_what_is_given_again_is_what_was_made(store: Store, lines: list[Line]) -> None:
    again = Kept().get_or_make(claims(), OPTIONS, store, nothing)
    assert [line.claim for line in again] == claims()
    for old, new in zip(lines, again, strict=True):
        told, said = old.record(), new.record()
        assert {**told, "seconds": 0} == {**said, "seconds": 0}
        assert (old.as_expected, old.loose, old.decision.p) == (new.as_expected, new.loose, new.decision.p)
        for name in verdict_cache.PLAIN:
            before, after = (getattr(line.decision.finding, name) for line in (old, new))
            assert before == after or (before != before and after != after) or name in ("trend", "span"), name
    assert verify.proof_verdicts(lines, store.folder) == verify.proof_verdicts(again, store.folder)
    assert verify.informative(lines) == verify.informative(again)


def test_the_order_is_that_of_the_claims(store: Store, lines: list[Line]) -> None:
    mine = claims()[::-1]
    made = Kept().get_or_make(mine, OPTIONS, store, lambda chosen: lines[::-1])
    assert [line.claim for line in made] == mine


def changed_source(store: Store, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(verdict_cache, "stamp", lambda paper: "another tree")


def changed_library(store: Store, patch: pytest.MonkeyPatch) -> None:
    place = store.folder.parent / "installed"
    (place / "numpy-0.1.dist-info").mkdir(parents=True)
    patch.setattr(sys, "path", [*sys.path, str(place)])
    libraries.releases.cache_clear()


def damaged_lines(store: Store, patch: pytest.MonkeyPatch) -> None:
    for file in (store.folder / verdict_cache.FOLDER).iterdir():
        body = bytearray(file.read_bytes())
        body[len(body) // 2] ^= 1
        file.write_bytes(bytes(body))


def emptied_lines(store: Store, patch: pytest.MonkeyPatch) -> None:
    for file in (store.folder / verdict_cache.FOLDER).iterdir():
        file.write_bytes(b"")


def sealed_nonsense(store: Store, patch: pytest.MonkeyPatch) -> None:
    """A document that is whole and is none of ours."""
    for file in (store.folder / verdict_cache.FOLDER).iterdir():
        verdict_cache._write(file, {"inputs": [], "lines": None})


def touched_result(store: Store, patch: pytest.MonkeyPatch) -> None:
    for file in store.folder.glob("*.nc"):
        os.utime(file, ns=(1, 1))


def deleted_results(store: Store, patch: pytest.MonkeyPatch) -> None:
    for file in store.folder.glob("*.nc"):
        file.unlink()


def installed() -> list[str]:
    """As the next command finds it."""
    libraries.releases.cache_clear()
    return libraries.releases()


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    libraries.releases.cache_clear()


CHANGES = (
    changed_source,
    changed_library,
    damaged_lines,
    emptied_lines,
    sealed_nonsense,
    touched_result,
    deleted_results,
)


def test_a_version_counts_however_a_library_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel, a folder of sources under development, an egg, an archive, and the working folder."""
    places = [tmp_path / name for name in ("wheels", "sources", "foo-1.0-py3.11.egg", "foo.zip")]
    for place in places[:3]:
        place.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, *map(str, places), ""])
    about = tmp_path / "sources" / "Foo_bar.egg-info"
    seen = [installed()]
    for change in (
        lambda: (tmp_path / "wheels" / "foo-1.0.dist-info").mkdir(),
        lambda: (tmp_path / "wheels" / "foo-1.0.dist-info").rename(tmp_path / "wheels" / "foo-1.1.dist-info"),
        lambda: (about.mkdir(), (about / "PKG-INFO").write_text("Name: Foo_bar\nVersion: 1.0\n")),
        lambda: (about / "PKG-INFO").write_text("Name: Foo_bar\nVersion: 2.0\n"),
        lambda: os.utime(places[2], ns=(1, 1)),
        lambda: places[3].write_bytes(b"PK"),
        lambda: (tmp_path / "here-1.0.dist-info").mkdir(),
    ):
        change()
        seen.append(installed())
        assert seen[-1] not in seen[:-1]
    assert "foo-bar 2.0" in seen[-1]


def test_libraries_are_the_same_however_the_command_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """``python -m workbench`` in a checkout looks there first, where setuptools has left a description."""
    here = [place for place in sys.path if place not in ("", str(ROOT))]
    monkeypatch.setattr(sys, "path", here)
    alone = installed()
    monkeypatch.setattr(sys, "path", [str(ROOT), *here])
    assert installed() == alone
    assert any(line.startswith("theorem-workbench ") for line in alone)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_whatever_changes_they_are_made_anew(
    store: Store,
    lines: list[Line],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Store, pytest.MonkeyPatch], None],
) -> None:
    assert asked(store, lines) == []
    change(store, monkeypatch)
    assert asked(store, lines) == papers()
    assert asked(store, lines) == (papers() if change is deleted_results else [])


def test_one_changed_result_makes_its_paper_anew_and_no_other(store: Store, lines: list[Line]) -> None:
    name = next(name for claim in claims() for name in claim.needs if name.startswith(papers()[0]))
    os.utime(store.path(prepare(catalog.simulations()[name], OPTIONS).key), ns=(1, 1))
    assert asked(store, lines) == papers()[:1]


def test_lines_of_other_options_or_of_a_backend_that_was_asked_for_are_not_given(store: Store) -> None:
    assert Kept().lines(claims(), dataclasses.replace(OPTIONS, seed=7), store) == {}
    assert Kept().lines(claims(), dataclasses.replace(OPTIONS, backend="numpy"), store) == {}
    assert Kept().lines(claims()[:-1], OPTIONS, store).keys() < set(papers())
    assert Kept().lines(claims(), dataclasses.replace(OPTIONS, jobs=2), store).keys() == set(papers())


def test_a_surprise_is_not_kept(store: Store, lines: list[Line]) -> None:
    odd = dataclasses.replace(lines[0], claim=dataclasses.replace(lines[0].claim, expected="violated"))
    assert not odd.as_expected
    for file in (store.folder / verdict_cache.FOLDER).iterdir():
        file.unlink()
    Kept().keep([odd, *lines[1:]], OPTIONS, store)
    kept = {file.name.partition("-")[0] for file in (store.folder / verdict_cache.FOLDER).iterdir()}
    assert kept == set(papers()) - {odd.claim.key.split("/")[0]}


def test_a_store_that_cannot_be_written_to_loses_nothing_else(
    store: Store, lines: list[Line], monkeypatch: pytest.MonkeyPatch
) -> None:

    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(verdict_cache.disk, "replace", full)
    Kept().keep(lines, OPTIONS, store)


def test_the_oldest_go(tmp_path: Path) -> None:
    folder = tmp_path / verdict_cache.FOLDER
    for n in range(verdict_cache.MOST + 3):
        verdict_cache._write(folder / f"my_paper-{n:024}.json", {"n": n})
        os.utime(folder / f"my_paper-{n:024}.json", ns=(n, n))
    verdict_cache._write(folder / "other-0.json", {})
    left = sorted(int(file.stem.rpartition("-")[2]) for file in folder.glob("my_paper-*"))
    assert len(left) == verdict_cache.MOST
    assert max(left) == verdict_cache.MOST + 2


def test_what_is_no_number_is_not_kept_and_no_error(store: Store, lines: list[Line]) -> None:
    odd = dataclasses.replace(
        lines[0].decision, finding=dataclasses.replace(lines[0].decision.finding, value=Fraction(1, 3))
    )
    for file in (store.folder / verdict_cache.FOLDER).iterdir():
        file.unlink()
    Kept().keep([dataclasses.replace(lines[0], decision=odd), *lines[1:]], OPTIONS, store)
    left = {file.name.partition("-")[0] for file in (store.folder / verdict_cache.FOLDER).iterdir()}
    assert lines[0].claim.key.split("/")[0] not in left


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes")
def test_a_pipe_in_the_place_of_kept_lines_is_not_waited_for(store: Store, lines: list[Line]) -> None:
    for file in (store.folder / verdict_cache.FOLDER).iterdir():
        file.unlink()
        os.mkfifo(file)
    Kept().keep(lines, OPTIONS, store)
    assert asked(store, lines) == papers()


def test_a_source_that_vanishes_while_it_is_read_is_no_error(
    store: Store, lines: list[Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(paper: str) -> str:
        raise FileNotFoundError("replaced by an editor")

    monkeypatch.setattr(verdict_cache, "stamp", gone)
    assert asked(store, lines) == papers()


def forge(store: Store, change: Callable[[dict], None], *, mine: bool) -> None:
    """Rewrites all kept lines, as their owner or as somebody else."""
    for file in (store.folder / verdict_cache.FOLDER).iterdir():
        document = verdict_cache._read(file)
        for row in document["lines"]:
            change(row)
        body = json.dumps(document).encode()
        signed = verdict_cache.signature(body) if mine else hashlib.sha256(body).hexdigest()
        file.write_bytes(signed.encode() + b"\n" + body)


def test_lines_that_somebody_else_wrote_are_not_given(store: Store, lines: list[Line]) -> None:
    forge(store, lambda row: None, mine=True)
    assert asked(store, lines) == []
    forge(store, lambda row: None, mine=False)
    assert asked(store, lines) == papers()


def test_a_kept_surprise_is_not_given(store: Store, lines: list[Line]) -> None:
    other = {"holds": "violated", "violated": "holds", "inconclusive": "holds"}

    def change(row: dict) -> None:
        row["decision"][0] = other[row["decision"][0]]

    forge(store, change, mine=True)
    assert asked(store, lines) == papers()


def test_an_exact_line_needs_its_certificate(store: Store, lines: list[Line]) -> None:
    shutil.rmtree(store.folder / "ledger")
    assert asked(store, lines) == papers()
