"""What is done with files and texts that others may have written: harmless payloads, limits, and writers at once."""

from __future__ import annotations

import dataclasses
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from from_catalog import plain
from test_store import META, input_of, result
from waiting import group_lives, wait_for

from workbench.claims import full_horizon, plan
from workbench.claims.families import BadFound, Family
from workbench.homes import disk, signature
from workbench.homes.visible_text import visible
from workbench.ledger import outcomes
from workbench.report import latex
from workbench.run import catalog, jobs, pool
from workbench.run.options import Options
from workbench.run.store import format as store_format
from workbench.run.store.results import Store
from workbench.theory.lemma import MEASURED

ROOT = Path(__file__).parents[1]
SMALL = ("--profile", "quick", "--runs", "8", "--horizon", "100")
posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, signals and limits of POSIX")
# In a title: commands for a terminal, another direction of writing, HTML, a template, LaTeX, a shell.
PAYLOAD = (
    "T\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\u2066 <script>alert(1)</script> {{7*7}} \\input{/etc/hostname}"
    " \\write18{touch owned} $(touch owned) %s"
)


def command(*words: str, cwd: Path, before: Callable[[], None] | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "workbench", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "WORKBENCH_STORE": str(cwd / "store")},
        capture_output=True,
        timeout=300,
        check=False,
        preexec_fn=before,
    )


# -------------------------------------------------------------------------------------------------- certificates


@pytest.fixture
def decided(tmp_path: Path) -> tuple:
    """(lemma, check, its file) of an outcome of this user's, which no process remembers."""
    for lemma in catalog.lemmas().values():
        for check in lemma.checks:
            if not isinstance(check, MEASURED) and check.expected == "holds":
                outcomes._outcomes.clear()
                outcomes.ensure([(lemma, check)], tmp_path, 1)
                outcomes._outcomes.clear()
                key = outcomes.content_key(check)
                file = outcomes.path(tmp_path, lemma, check, key)
                if json.loads(outcomes.unseal(file.read_bytes()))["certificate"]:
                    return lemma, check, file
    raise AssertionError("no exact check with a certificate")


def rewritten(file: Path, change: Callable[[dict], None]) -> None:
    record = json.loads(outcomes.unseal(file.read_bytes()))
    change(record)
    file.write_bytes(outcomes.seal(json.dumps(record).encode()))


def test_a_certificate_of_somebody_else_counts_if_it_is_right(decided: tuple, tmp_path: Path) -> None:
    lemma, check, file = decided
    mine = file.read_bytes()
    rewritten(file, lambda record: record.pop("signature"))
    found = outcomes.from_store(lemma, check, tmp_path)
    assert found is not None
    assert str(found.verdict) == "holds"
    assert file.read_bytes() == mine, "signed now"


def forged_verdict(record: dict) -> None:
    record["verdict"] = record["certificate"]["verdict"] = "violated"
    bound = {k: v for k, v in record["certificate"].items() if k != "hash"}
    record["certificate"]["hash"] = outcomes.certificate.digest(bound)


def without_proof(record: dict) -> None:
    record["certificate"] = None


def of_another_proof(record: dict) -> None:
    record["certificate"]["proof"] = {"by": "nothing"}


@pytest.mark.parametrize("forge", [forged_verdict, without_proof, of_another_proof])
def test_a_forged_one_is_decided_again(forge: Callable[[dict], None], decided: tuple, tmp_path: Path) -> None:
    lemma, check, file = decided
    rewritten(file, forge)
    assert outcomes.from_store(lemma, check, tmp_path) is None
    assert str(outcomes.ensure([(lemma, check)], tmp_path, 1)[lemma.key, check.name].verdict) == "holds"


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"null", b"7", b"[" * 9999])
def test_what_is_no_outcome_is_no_error(body: bytes, decided: tuple, tmp_path: Path) -> None:
    lemma, check, file = decided
    file.write_bytes(outcomes.seal(body))
    assert outcomes.from_store(lemma, check, tmp_path) is None


def test_signatures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    signature._key.cache_clear()
    mine = signature.signature(b"text")
    assert signature.is_mine(b"text", mine)
    assert not any(signature.is_mine(*x) for x in ((b"texT", mine), (b"text", ""), (b"text", None)))
    (key,) = tmp_path.glob("*/signature.key")
    assert key.stat().st_mode & 0o077 == 0 or sys.platform == "win32"
    key.unlink()
    signature._key.cache_clear()
    assert not signature.is_mine(b"text", mine), "another user's"
    monkeypatch.setattr(disk, "cache_folder", lambda: None)
    signature._key.cache_clear()
    assert signature.signature(b"text") == ""
    assert not signature.is_mine(b"text", "")
    signature._key.cache_clear()


# ------------------------------------------------------------------------------------------------------- results

SIM = next(iter(plain())).key
OPTIONS = Options("quick", horizon=16, runs=4, jobs=1)


@pytest.mark.parametrize(("name", "value"), [("simulation", "other/sim-a"), ("seed", 1)])
def test_the_result_of_another_simulation_or_seed_is_set_aside(
    name: str, value: object, tmp_path: Path
) -> None:
    store, sim = Store(tmp_path), catalog.simulations()[SIM]
    true = pool.ensure([sim], OPTIONS, store)[SIM]
    key = jobs.identity(sim, OPTIONS).key
    odd = dataclasses.replace(true, data={n: 2 * v for n, v in true.data.items()})
    store.save(key, dataclasses.replace(odd, meta={**true.meta, name: value}))
    heard: list[str] = []
    again = pool.ensure([sim], OPTIONS, store, warn=heard.append)[SIM]
    assert all((again.data[n] == v).all() for n, v in true.data.items())
    assert [f"holds the result of another {name}" in sentence for sentence in heard] == [True]


@pytest.mark.parametrize("meta", ["[" * 100_000, '{"a":' * 50_000 + "1" + "}" * 50_000, "[]", "7", "null"])
def test_metadata_that_are_no_table_are_damage(
    meta: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_format, "_json", lambda _: meta)
    Store(tmp_path).save("a" * 32, result())
    store = Store(tmp_path)
    assert store.load("a" * 32) is None
    assert [file.name for file in tmp_path.glob("*.damaged-*")] == [f"{'a' * 32}.nc.damaged-1"]


def test_four_writers_of_one_result(tmp_path: Path) -> None:
    """Whatever the order, each reader finds a whole result."""
    text = f"""
import pickle, sys
from workbench.run.store.results import Store
store, (made,) = Store({str(tmp_path)!r}), pickle.load(sys.stdin.buffer)
for n in range(25):
    store.save("a" * 32, made)
    assert store.load("a" * 32) is not None
    assert store.notices == []
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    writers = []
    for n in range(4):
        with input_of([result(fill=float(n))]) as made:
            words = [sys.executable, "-c", text]
            writers.append(subprocess.Popen(words, env=environment, stdin=made, stderr=subprocess.PIPE))
    for writer in writers:
        _, said = writer.communicate(timeout=300)
        assert (writer.returncode, said) == (0, b"")
    assert [file.name for file in tmp_path.iterdir()] == [f"{'a' * 32}.nc"]
    assert META["seed"] == Store(tmp_path).load("a" * 32).meta["seed"]  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------------ plans and found points


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def too_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(disk.SMALL + 1)  # takes no room


def deep(path: Path) -> None:
    path.write_text("[" * 100_000)


@posix
@pytest.mark.parametrize("make", [a_pipe, a_device, too_large, deep])
def test_files_of_a_paper_are_read_only_if_they_can_be_meant(
    make: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "file")
    with pytest.raises(plan.BadPlan, match=r"regular file|bytes, more than|nested too deeply"):
        plan.read(tmp_path / "file")
    monkeypatch.setattr(full_horizon, "file_of", lambda paper: tmp_path / "file")
    with pytest.raises(BadFound, match=r"regular file|bytes, more than|nested too deeply"):
        full_horizon.load("paper")
    family = catalog.families()[0]
    monkeypatch.setattr(Family, "file", property(lambda self: tmp_path / "file"))
    with pytest.raises(BadFound, match=r"regular file|bytes, more than|nested too deeply"):
        family.worst_instances()


# --------------------------------------------------------------------------------------------------------- texts


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a paper whose titles are payloads, verified."""
    folder = tmp_path_factory.mktemp("payload")
    assert command("new", "./my_paper", cwd=folder).returncode == 0
    theorem = folder / "my_paper" / "theorem.py"
    text = theorem.read_text().replace('"SGD with decreasing steps"', repr(PAYLOAD))
    theorem.write_text(text.replace('title="SGD"', f"title={PAYLOAD!r}"))
    experiments = folder / "my_paper" / "experiments.py"
    experiments.write_text(experiments.read_text().replace('"SGD on a bowl"', repr(PAYLOAD)))
    return folder


STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize(
    "words", [("list", "./my_paper"), ("verify", "./my_paper", *SMALL, "--notes"), ("check", "./my_paper")]
)
def test_titles_do_not_steer_a_terminal(words: tuple[str, ...], paper: Path) -> None:
    done = command(*words, cwd=paper)
    said = (done.stdout + done.stderr).decode()
    assert not STEERING.findall(said)
    assert done.returncode in (0, 1)
    if words[0] != "check":
        assert "U+001B" in said


def test_titles_in_json(paper: Path) -> None:
    done = command("list", "./my_paper", "--json", cwd=paper)
    assert done.stdout.isascii()
    assert PAYLOAD in {row["title"] for row in json.loads(done.stdout)}


def test_titles_in_pages_pictures_and_latex(paper: Path) -> None:
    assert command("verify", "./my_paper", *SMALL, cwd=paper).returncode == 1
    done = command("report", "./my_paper", *SMALL, "--out", "pages", cwd=paper)
    assert done.returncode == 0, done.stderr
    pages = list((paper / "pages").rglob("*.html"))
    assert pages
    for page in pages:
        text = page.read_text()
        own = re.sub(r'<script src="(?:dossier|search|curves)\.js" defer></script>', "", text)
        assert "<script" not in own.lower()
        assert "Content-Security-Policy" in text
        assert "default-src 'none'" in text
        assert not STEERING.findall(text)
    assert html.escape("<script>alert(1)</script> {{7*7}}") in "".join(p.read_text() for p in pages)
    assert command("figures", "./my_paper", *SMALL, "--out", "drawn", cwd=paper).returncode == 0
    for caption in (paper / "drawn").glob("*.txt"):
        assert not STEERING.findall(caption.read_text())
    assert not list(paper.rglob("owned"))


def test_titles_in_latex() -> None:
    shown = latex.escape(PAYLOAD)
    assert "\\input" not in shown
    assert "\\write" not in shown
    assert not STEERING.findall(shown)
    assert "U+202E" in shown
    assert "U+001B" in shown


def test_what_is_meant_stays() -> None:
    assert visible("a\tb\nß ≤ ∇f \u2026") == "a\tb\nß ≤ ∇f \u2026"
    assert (
        visible("\x1b[1mbold\x1b[0m \x1b]8;;x\x07", styles=True) == "\x1b[1mbold\x1b[0m [U+001B]]8;;x[U+0007]"
    )
    assert visible("\x1b[1m") == "[U+001B][1m"


# -------------------------------------------------------------------------------------------- signals and limits


@posix
@pytest.mark.parametrize("seconds", [3.0, 9.0])
def test_a_terminal_that_closes_ends_the_command_in_one_sentence(seconds: float, tmp_path: Path) -> None:
    assert command("new", "./my_paper", cwd=tmp_path).returncode == 0
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a child inherits that it is ignored, as below nohup
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", "verify", "./my_paper", "--runs", "9999", "--jobs", "2"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "WORKBENCH_STORE": str(tmp_path / "store")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGHUP)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.fullmatch(r"error: interrupted.*\n", said), said
    wait_for(lambda: not group_lives(process.pid))


@posix
@pytest.mark.parametrize("files", [24, 40])
def test_few_open_files(files: int, paper: Path) -> None:
    """The command ends as it would with more, or in one sentence."""
    import resource

    shutil.rmtree(paper / "store", ignore_errors=True)
    done = command(
        "verify", "./my_paper", *SMALL, cwd=paper,
        before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)),
    )  # fmt: skip
    said = done.stderr.decode()
    assert "Traceback" not in said
    assert done.returncode in (1, 2), said


@posix
def test_little_memory(paper: Path) -> None:
    import resource

    shutil.rmtree(paper / "store", ignore_errors=True)
    most = 700 << 20
    done = command(
        "verify", "./my_paper", "--profile", "quick", "--runs", "200000", "--jobs", "1", cwd=paper,
        before=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
    )  # fmt: skip
    said = done.stderr.decode()
    assert "Traceback" not in said
    assert done.returncode == 2, said
    assert "memory" in said
