"""The command line as a user meets it: what is printed, what is written, the exit status, and one clear sentence for
every mistake."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from from_catalog import claims_of, multiplying, mutated, plain
from typer.testing import CliRunner
from waiting import group_lives, wait_for

from workbench import evidence as ev
from workbench.arrays.noise import Gaussian, Skewed, Sphere, TwoRadius
from workbench.claims import plan
from workbench.claims.claims import Claim, Custom
from workbench.claims.records import Simulation
from workbench.cli.app import app
from workbench.engine.records import Result
from workbench.evidence.verdicts import Finding, NotEnough
from workbench.report import redraw
from workbench.report.drawing import draw
from workbench.run import catalog, jobs, pool, replay
from workbench.run.options import Options
from workbench.run.store.results import Store, StoreError
from workbench.verdicts import verify

WRONG, OTHER = mutated(2)
CAUGHT, TWIN = WRONG.key, OTHER.key  # falsifiers that the quick profile exposes: as expected, status 0
HORIZON, RUNS = WRONG.horizon["quick"], WRONG.runs["quick"]
SMALL = ("--profile", "quick", "--horizon", str(HORIZON), "--runs", str(RUNS), "--jobs", "1")
OPEN = CAUGHT  # 50 iterations of 2 runs decide nothing: not as expected, status 1
PAPER = CAUGHT.split("/")[0]
THEOREM = claims_of(WRONG)[0].key


def iterations(sim: Simulation) -> int:
    return sim.horizon["quick"] * sim.runs["quick"]


FIGURE = (
    min(  # of the fewest simulations, the shortest: to make an instance may take longer than to run on it
        (f for f in catalog.figures().values() if f.kind == "curves" and "/fig-" in f.key and not f.of_proof),
        key=lambda f: (len(f.needs), sum(iterations(catalog.simulations()[name]) for name in f.needs)),
    ).key
)
TINY = ("--profile", "quick", "--horizon", "50", "--runs", "2", "--jobs", "1")
FIELDS = [
    "id", "key", "evidence", "experiment", "verdict", "expected", "refutes", "claimed", "value", "low", "high",
    "sensitivity", "admitted", "slack", "trend", "trend_high", "runs", "horizon", "seconds", "void", "note", "error",
]  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder; the store is a folder in it that does not exist yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_STORE", "store")
    return tmp_path


def call(*words: Any, status: int = 0) -> Any:
    """Runs a command; an exception that would reach the user as a traceback fails the test by itself."""
    done = CliRunner().invoke(app, [str(w) for w in words], catch_exceptions=False)
    assert done.exit_code == status, done.output
    return done


def refused(*words: Any, status: int = 2) -> str:
    """The one sentence that a command ends with."""
    said = call(*words, status=status).stderr
    assert said.startswith("error: ")
    assert said.count("\n") == 1, "one sentence, one line"
    return said.strip()


def kept(here: Path) -> list[Path]:
    return sorted((here / "store").glob("*.nc"))


def claims(path: Path) -> list[dict[str, Any]]:
    """The claims of a report without the time they took."""
    rows = json.loads(path.read_text())["claims"]
    return [{k: v for k, v in row.items() if k != "seconds"} for row in rows]


@pytest.fixture
def no_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> Result:
        raise AssertionError("a simulation was run")

    monkeypatch.setattr(pool, "execute", forbidden)


# --------------------------------------------------------------------------------------------------- list


def test_list_as_json() -> None:
    rows = json.loads(call("list", "--json").stdout)
    assert all(list(row) == ["kind", "key", "paper", "title", "source"] for row in rows)
    keys = {row["key"] for row in rows}
    assert len(keys) == len(rows)
    for found in (catalog.theorems(), catalog.simulations(), catalog.figures()):
        assert set(found) <= keys
    assert {row["kind"] for row in rows} <= set(catalog.KINDS)


def test_list_shows_every_key_whole() -> None:
    """Keys are copied from here into the next command; titles may be cut."""
    shown = call("list", "--all").stdout
    assert all(e.key in shown.split() for e in catalog.entries())


def test_list_begins_with_papers_and_theorems() -> None:
    """The rest is shown on request and of what is named."""
    shown = call("list").stdout
    first = {e.key for e in catalog.entries() if e.kind in ("paper", "theorem")}
    assert {e.key for e in catalog.entries() if e.key in shown.split()} == first
    assert "--all shows them" in shown.splitlines()[-1]
    assert CAUGHT in call("list", CAUGHT).stdout.split()


def test_a_real_process(here: Path) -> None:
    """The installed entry point; quiet on standard error, with every warning an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "from workbench.cli.app import main; main()", "list", "--json"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert len(json.loads(done.stdout)) == len(catalog.entries())
    assert list(here.iterdir()) == []


def test_help_names_every_command() -> None:
    shown = call("--help").stdout
    for name in ("list", "verify", "figures", "replay", "calibrate", "doctor"):
        assert f" {name} " in shown
        assert "Options" in call(name, "--help").stdout
    assert "..." not in shown.replace("[ARGS]...", ""), "a sentence is cut off"
    assert call(status=2).output  # no command: the help, and not a success


# ------------------------------------------------------------------------------------------------- verify


def test_verify_writes_a_stable_report(here: Path) -> None:
    done = call("verify", CAUGHT, *SMALL, "--seed", "3", "--json", "out.json")
    document = json.loads((here / "out.json").read_text())
    assert list(document) == ["meta", "claims", "theorems", "left_out"]
    meta = document["meta"]
    assert meta["keys"] == [CAUGHT]
    assert (meta["profile"], meta["seed"], meta["horizon"], meta["runs"]) == ("quick", 3, HORIZON, RUNS)
    assert {"python", "numpy", "sympy"} <= meta["versions"].keys()
    assert all(v and v != "missing" for v in meta["versions"].values())
    (claim,) = document["claims"]
    assert list(claim) == FIELDS
    assert (claim["key"], claim["evidence"]) == (THEOREM, "falsifier")
    assert (claim["verdict"], claim["expected"]) == ("holds", "holds")
    options = Options("quick", seed=3, horizon=HORIZON, runs=RUNS, jobs=1)
    (line,) = verify.verify(claims_of(WRONG), options, Store(here / "store"))
    assert {**line.record(), "seconds": claim["seconds"]} == claim
    assert claim["low"] <= claim["value"] <= claim["high"]
    assert (claim["runs"], claim["slack"]) == (RUNS, None)
    assert HORIZON - 1 <= claim["horizon"] <= HORIZON  # some count from 0
    assert claim["seconds"] > 0
    assert "holds" in done.stdout
    assert "The verdict is as expected: 1 holds, 0 are known errata, 0 undecided." in done.stdout
    assert done.stderr == "", "a pipe gets no progress bar"


def test_not_as_expected_is_status_1_and_says_what_would_decide(here: Path) -> None:
    done = call("verify", OPEN, *TINY, "--json", "out.json", status=1)
    (claim,) = json.loads((here / "out.json").read_text())["claims"]
    assert claim["verdict"] == "inconclusive"
    assert "to decide: " in claim["note"]
    assert "(expected holds)" in done.stdout
    assert "NOT all as expected" in done.stdout
    shown = " ".join(done.stdout.split())
    assert "open: the " in shown or "open; " in shown, "an open line names the quantity that decides"
    assert "to decide: " in shown, "and what it needs"
    assert claim["note"] not in shown, "the rest is behind --notes"


def test_a_second_call_simulates_nothing(here: Path, request: pytest.FixtureRequest) -> None:
    call("verify", CAUGHT, *SMALL, "--json", "one.json")
    request.getfixturevalue("no_simulation")
    call("verify", CAUGHT, *SMALL, "--json", "two.json")
    assert claims(here / "one.json") == claims(here / "two.json")
    assert len(kept(here)) == 1


def test_another_seed_is_another_experiment(here: Path) -> None:
    for seed in (0, 1):
        call("verify", CAUGHT, *SMALL, "--seed", seed, "--json", f"{seed}.json")
    zero, one = (claims(here / f"{s}.json")[0]["value"] for s in (0, 1))
    assert zero != one
    assert zero == pytest.approx(one, abs=0.1)
    assert len(kept(here)) == 2


def test_an_option_beats_the_environment(here: Path) -> None:
    call("verify", OPEN, *TINY, "--store", "elsewhere/deep", status=1)
    assert kept(here) == []
    assert len(list((here / "elsewhere" / "deep").glob("*.nc"))) == 1


def found_by(text: str) -> str:
    """The key that a prefix stands for, "" where it stands for several."""
    try:
        return catalog.find(text).key
    except catalog.UnknownKey:
        return ""


@pytest.mark.long
def test_a_theorem_by_prefix_twice_named_is_verified_once(here: Path) -> None:
    words = ["--profile", "quick", "--horizon", "10", "--runs", "3", "--jobs", "1"]
    prefix = next(THEOREM[:n] for n in range(1, len(THEOREM) + 1) if found_by(THEOREM[:n]) == THEOREM)
    call("verify", prefix, THEOREM, *words, "--json", "out.json", status=1)
    rows = claims(here / "out.json")
    made = [c for c in verify.claims() if c.key == THEOREM and "quick" in c.profiles]
    assert [(r["evidence"], r["experiment"]) for r in rows] == [(c.evidence, c.experiment) for c in made]
    assert {r["verdict"] for r in rows if r["evidence"] == "exponent"} <= {"holds", "violated"}


def only(claim: Claim, patch: pytest.MonkeyPatch) -> None:
    """There is no other claim, and no plan, whose entries would be of none."""
    patch.setattr(verify, "claims", lambda: (claim,))
    patch.setattr(plan, "of", lambda paper: plan.UNPLANNED)


@pytest.mark.parametrize(
    ("error", "decides"),
    [
        (NotEnough, "longer horizon"),
        (ValueError, "the horizon and runs of a profile"),
        (IndexError, "the horizon and runs of a profile"),
        (ZeroDivisionError, "the horizon and runs of a profile"),
    ],
)
def test_what_cannot_be_computed_is_open(
    error: type[Exception], decides: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At two iterations nothing can be read off a curve: an open claim, no traceback, no verdict made up."""

    def find(results: Any) -> Finding:
        raise error("too short")

    only(Custom(THEOREM, "rate", "toy", find, (CAUGHT,)), monkeypatch)
    words = ["--profile", "quick", "--horizon", "2", "--runs", "2", "--jobs", "1"]
    call("verify", CAUGHT, *words, "--json", "out.json", status=1)
    (row,) = claims(here / "out.json")
    assert row["verdict"] == "inconclusive"
    assert row["value"] is row["low"] is row["high"] is None
    assert "not computed" in row["note"]
    assert f"to decide: {decides}" in row["note"]
    own = ("verify", CAUGHT, "--profile", "quick", "--jobs", "1")
    if error is NotEnough:
        call(*own, status=1)
    else:  # with the profile's own numbers it is a mistake of the claim
        assert refused(*own).endswith("too short")


def test_a_misspelt_metric_is_no_verdict(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(results: Any) -> Finding:
        values = results[CAUGHT].curve("grad_nrom")
        return ev.rate(values, results[CAUGHT].marks, -0.25)

    only(Custom(THEOREM, "rate", "toy", find, (CAUGHT,)), monkeypatch)
    for words in (SMALL, ("--profile", "quick", "--jobs", "1")):
        said = refused("verify", CAUGHT, *words, "--json", "out.json")
        assert "toy: no quantity 'grad_nrom' is recorded; there are" in said
        (line,) = json.loads((here / "out.json").read_text())["claims"]
        assert line["verdict"] == "inconclusive"
        assert "no quantity 'grad_nrom' is recorded" in line["error"]


@pytest.mark.parametrize("horizon", [1, 2, 5])
def test_any_horizon_ends_in_a_table(horizon: int) -> None:
    words = ["--profile", "quick", "--horizon", horizon, "--runs", "2", "--jobs", "1"]
    assert "NOT all as expected" in call("verify", THEOREM, *words, status=1).stdout


def test_claims_that_need_a_longer_profile_are_announced() -> None:
    key = next(s.key for s in plain() if claims_of(s) and len(claims_of(s, "full")) > len(claims_of(s)))
    short = call("verify", key, *TINY, status=1).stdout
    assert "more claims need a longer profile than quick" in short
    long = call("verify", key, *TINY[2:], status=1).stdout
    assert "more claims" not in long


def test_what_the_plan_leaves_out_is_named_and_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing decided is nothing as expected; a longer profile is not promised where there is none."""
    key = next(s.key for s in plain() if any("full" in c.profiles for c in claims_of(s, "full")))
    monkeypatch.setattr(verify, "why_left", lambda claim, profile, plan: "too few runs")
    said = call("verify", key, "--profile", "full", "--jobs", "1", status=1).stdout
    assert "No claim was decided." in said
    assert "all as expected" not in said
    assert "longer profile" not in said
    assert "left out by the plan" in said
    assert re.search(r": too\s+few\s+runs|--notes names them", said)


def test_notes_are_shown_on_request() -> None:
    assert "must be caught" not in call("verify", CAUGHT, *SMALL).stdout
    assert "must be caught" in call("verify", CAUGHT, *SMALL, "--notes").stdout


# ------------------------------------------------------------------------------------------------ figures


def test_figures_simulates_draws_and_redraws(here: Path, request: pytest.FixtureRequest) -> None:
    words = ("figures", FIGURE, "--profile", "quick", "--jobs", "1")
    done = call(*words, "--out", "new/folder")
    paths = [here / "new" / "folder" / f"{FIGURE.replace('/', '-')}.{e}" for e in ("pdf", "png", "txt")]
    assert done.stdout.split() == [str(p.relative_to(here)) for p in paths]
    first = [p.read_bytes() for p in paths]
    request.getfixturevalue("no_simulation")
    call(*words, "--out", "new/folder")
    assert [p.read_bytes() for p in paths] == first


@pytest.mark.parametrize(
    "keys", [[], [PAPER], [k for k in catalog.figures() if k.startswith(f"{PAPER}/")][:2]]
)
def test_which_figures_are_drawn(keys: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """All, those of a paper, or those named; only what they need is simulated.

    The keys of results in the store, for which the data of all of them are made, are not looked at.
    """
    asked: list[str] = []

    def ensure(sims: list[Any], *_: object, **__: object) -> dict[str, Any]:
        asked.extend(s.key for s in sims)
        return {s.key: SimpleNamespace(meta={"backend": "numpy"}) for s in sims}

    monkeypatch.setattr(pool, "ensure", ensure)
    monkeypatch.setattr(redraw.Drawing, "_prepare_ledger", lambda *_: None)
    monkeypatch.setattr(redraw.Drawing, "_key", lambda self, name: name.replace("/", "-"))
    monkeypatch.setattr(verify, "measured_lines", lambda *_: [])
    monkeypatch.setattr(draw, "draw_all", lambda figures, *_: [f.key for f in figures])
    drawn = call("figures", *keys).stdout.split()
    of_one_paper = [k for k in catalog.figures() if keys == [PAPER] and k.startswith(f"{PAPER}/")]
    assert drawn == (keys if len(keys) == 2 else of_one_paper or list(catalog.figures()))
    assert set(asked) == {k for key in drawn for k in catalog.figures()[key].needs}
    assert len(set(asked)) == len(asked)


# -------------------------------------------------------------------------- replay, calibrate, doctor


def test_replay_finds_the_same_bits() -> None:
    done = call("replay", OPEN, "--run", 1, "--profile", "quick", "--horizon", 50, "--runs", 2)
    point = ", ".join(f"{n} = {v[1]:g}" for n, v in WRONG.make(50, 2).grid.params.items())
    assert f"run 1 of {OPEN} ({point}), at every mark: same bits." in done.stdout


def test_replay_notices_other_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """One bit in one mark of one quantity."""
    original = replay.replay

    def tampered(*words: Any) -> Result:
        alone = original(*words)
        values = next(iter(alone.data.values()))
        values[0, 3] = np.nextafter(values[0, 3], math.inf)
        return alone

    monkeypatch.setattr(replay, "replay", tampered)
    done = call("replay", OPEN, "--run", 1, "--profile", "quick", "--horizon", 50, "--runs", 2, status=1)
    assert "NOT the same bits" in done.stdout


def test_replay_of_a_data_set_says_that_it_agrees_up_to_round_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """BLAS adds up in another order for one run than for many; what is not round-off is a difference there, too."""
    data = multiplying().key
    words = ("replay", data, "--run", 1, "--profile", "quick", "--horizon", 30, "--runs", 3)
    original = replay.replay

    def moved(share: float) -> Any:
        def tampered(*words: Any) -> Result:
            alone = original(*words)
            for values in alone.data.values():
                values *= 1 + share
            return alone

        return tampered

    monkeypatch.setattr(replay, "replay", moved(1e-14))
    shown = call(*words).stdout
    assert re.search(
        r"same up to round-off \(largest relative difference (1e-14|9\.9+e-15|\d\.?\d*e-14);", shown
    )
    assert "NOT" not in shown
    monkeypatch.setattr(replay, "replay", moved(1e-6))
    shown = call(*words, status=1).stdout
    assert "NOT the same bits (largest relative difference 1e-06)" in shown


def test_calibrate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table, of one scenario a question; what the checker makes of each of them is `test_planted`'s business."""
    from workbench.verdicts.calibration import calibrate as calibration
    from workbench.verdicts.calibration import papers

    some = papers.papers()[:2]
    few = list({s.name.split(":")[0]: s for s in calibration.scenarios()}.values())
    monkeypatch.setattr(papers, "papers", lambda: some)
    monkeypatch.setattr(calibration, "scenarios", lambda family: few)
    monkeypatch.setattr(calibration, "failures", lambda rows: [])
    shown = call("calibrate", "--repeats", 1, "--seconds", 0).stdout
    assert "all papers of one claim" in shown
    assert "crossover" in shown
    assert "tight" in shown
    assert "called true" not in shown


def of_few_curves(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The calibration with two of its planted families, and few samples of its test sizes."""
    from workbench.verdicts.calibration import calibrate as calibration
    from workbench.verdicts.calibration import papers

    few, sizes = calibration.scenarios()[:2], calibration.sizes
    monkeypatch.setattr(calibration, "scenarios", lambda family: few)
    monkeypatch.setattr(papers, "papers", lambda: [papers.Paper("one claim", (few[0],))])
    monkeypatch.setattr(
        calibration, "sizes", lambda *args, **kwargs: sizes(*args, **{**kwargs, "samples": 400})
    )
    return calibration


def test_calibrate_fails_a_checker_that_misses_its_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    calibration = of_few_curves(monkeypatch)
    monkeypatch.setattr(calibration, "failures", lambda rows: ["rate: some curve"])
    assert "rate: some curve" in refused("calibrate", "--repeats", 2, "--seconds", 0, status=1)


def test_calibrate_counts_what_the_exact_checkers_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the first statements only; on all of them `tests/redteam` says what must come out."""
    from workbench.ledger import corpus

    calibration = of_few_curves(monkeypatch)
    monkeypatch.setattr(calibration, "failures", lambda rows: [])
    false = [e for e in corpus.entries() if e.false and e.point]
    some = (*false[5:8], *corpus.entries()[-2:])
    monkeypatch.setattr(corpus, "entries", lambda *folder: some)
    shown = call("calibrate", "--repeats", 2, "--seconds", 0.3).stdout
    assert re.search(r"all +false +3 +0 ", shown)
    assert re.search(r"all +true +2 ", shown)
    lie = corpus.Fate(false[0], corpus.HOLDS)
    monkeypatch.setattr(corpus, "judge", lambda known, seconds: [lie])
    said = refused("calibrate", "--repeats", 2, status=1)
    assert (
        f"1 statements of known truth: {lie.entry.mechanism}: {lie.entry.name}: a false statement is called"
        in said
    )
    monkeypatch.setattr(corpus, "judge", lambda known, seconds: [lie] * 7)
    assert "and 2 more" in refused("calibrate", "--repeats", 2, status=1)


def test_calibrate_says_that_an_installed_copy_has_no_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench.ledger import corpus

    calibration = of_few_curves(monkeypatch)
    monkeypatch.setattr(calibration, "failures", lambda rows: [])
    monkeypatch.setattr(corpus, "entries", lambda *folder: ())
    assert "part of the source tree (tests/ledger_corpus)" in call("calibrate", "--repeats", 2).stderr


def test_doctor(here: Path) -> None:
    call("verify", OPEN, *TINY, status=1)
    shown = call("doctor").stdout
    assert np.__version__ in shown
    assert "backend numpy" in shown
    assert "store: 1 results" in shown
    (path,) = kept(here)
    path.write_bytes(path.read_bytes()[:-1])
    shown = call("doctor").stdout
    assert "store: 0 results" in shown
    assert "truncated" in shown


def test_doctor_says_what_to_do_without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)  # makes the import fail
    shown = call("doctor").stdout
    assert "CuPy is not installed" in shown
    assert "everything runs without a GPU" in shown


def test_doctor_with_a_store_that_cannot_be_used(here: Path) -> None:
    (here / "store").write_text("")
    shown = call("doctor").stdout
    assert "a file where the folder should be" in shown
    assert "choose another folder" in shown


# --------------------------------------------------------------------------------------------- mistakes

MISTAKES: dict[str, tuple[list[Any], str]] = {
    "unknown key": (["verify", f"{THEOREM}-x"], "nearest are"),
    "paper forgotten": (["verify", CAUGHT.split("/")[1]], f"nearest are {CAUGHT}"),
    "ambiguous prefix": (["verify", f"{PAPER}/"], f"'{PAPER}/' is not unique"),
    "empty key": (["verify", ""], "not unique"),
    "key with brackets": (["verify", "[red]x[/red]"], "there is no '[red]x[/red]'"),
    "one wrong key of two": (["verify", CAUGHT, "nothing-like-it"], "there is no 'nothing-like-it'"),
    "a figure has no claims": (["verify", FIGURE], f"{FIGURE} (figure) has no claim to verify"),
    "unknown profile": (["verify", CAUGHT, "--profile", "fast"], "choose one of quick, default, full"),
    "unknown backend": (["verify", CAUGHT, "--backend", "tpu"], "unknown backend 'tpu'; choose one of auto, numpy"),
    "unknown engine": (["verify", CAUGHT, "--engine", "warp"], "unknown engine 'warp'"),
    "horizon 0": (["verify", CAUGHT, "--horizon", 0], "at least 1, got 0"),
    "horizon negative": (["verify", CAUGHT, "--horizon", -5], "at least 1, got -5"),
    "horizon beyond the noise": (["verify", CAUGHT, "--horizon", 10**19], "must be below 2^32"),
    "one run": (["verify", CAUGHT, "--runs", 1], "at least 2 runs, got 1"),
    "runs beyond the noise": (["verify", CAUGHT, "--runs", 10**12], "must be below 2^32"),
    "negative seed": (["verify", CAUGHT, "--seed", -1], "the seed must lie in [0, 2^64), got -1"),
    "seed too large": (["verify", CAUGHT, "--seed", 1 << 64], "the seed must lie in [0, 2^64)"),
    "no processes": (["verify", CAUGHT, "--jobs", 0], "at least 1, got 0"),
    "no processes for the ledger": (["ledger", "--jobs", 0], "at least 1, got 0"),
    "json into no folder": (["verify", CAUGHT, "--json", "no/out.json"], "no does not exist"),
    "json over a folder": (["verify", CAUGHT, "--json", "."], "is a folder; name a file in it"),
    "figures of a theorem": (["figures", THEOREM], "name a paper or a figure"),
    "figures of nothing": (["figures", "fig-9"], "nearest are"),
    "figures, profile": (["figures", "--profile", "fast"], "unknown profile"),
    "figures, seed": (["figures", "--seed", -1], "the seed must lie"),
    "replay of a figure": (["replay", FIGURE, "--run", 0], "replay takes an experiment"),
    "replay of nothing": (["replay", f"{CAUGHT}-x", "--run", 0], "nearest are"),
    "replay beyond the batch": (["replay", OPEN, "--run", 4, "--runs", 4], "has runs 0 to 3, not 4"),
    "replay before the batch": (["replay", OPEN, "--run", -1], "not -1"),
    "a device for a paper": (["verify", "/dev/null"], "/dev/null is neither a folder nor a file"),
    "a name too long": (["list", "a" * 300], "cannot be looked at: File name too long"),
    "a path too long": (["ledger", "a/" * 3000], "cannot be looked at: File name too long"),
    "a paper without a name": (["new", "--single-file", "/"], "'' cannot be a key"),
    "calibrate, repeats": (["calibrate", "--repeats", 0], "at least 1, got 0"),
    "calibrate, seed": (["calibrate", "--seed", -1, "--repeats", 2], "the seed must lie"),
    "calibrate, seconds": (["calibrate", "--seconds", -1, "--repeats", 2], "the time limit must be 0 or"),
}  # fmt: skip


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_one_sentence(words: str, here: Path, no_simulation: None) -> None:
    """Said before anything is computed or written."""
    command, said = MISTAKES[words]
    assert said in refused(*command)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("command", [["verify", CAUGHT, *SMALL], ["figures", FIGURE]])
def test_cupy_without_cupy(command: list[str], monkeypatch: pytest.MonkeyPatch, no_simulation: None) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    said = refused(*command, "--backend", "cupy")
    assert "backend cupy was asked for: CuPy is not installed: install CuPy with `pip install " in said
    assert "[cuda12]" in said, "brackets must not be taken for markup"


@pytest.mark.parametrize("command", ["verify", "figures", "replay"])
def test_a_file_where_the_store_should_be(command: str, here: Path, no_simulation: None) -> None:
    (here / "store").write_text("mine")
    words = {"verify": [CAUGHT, *SMALL], "figures": [FIGURE], "replay": [OPEN, "--run", 0]}
    assert "a file where the folder should be" in refused(command, *words[command])
    assert (here / "store").read_text() == "mine"


@pytest.mark.parametrize("out", ["taken", "taken/below"])
def test_a_file_where_the_figures_should_go(out: str, here: Path, no_simulation: None) -> None:
    (here / "taken").write_text("mine")
    assert f"cannot create the folder {out}" in refused("figures", FIGURE, "--out", out)
    assert (here / "taken").read_text() == "mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_report_that_cannot_be_written(here: Path) -> None:
    """The table is printed all the same, and the results are kept."""
    done = call("verify", CAUGHT, *SMALL, "--json", "/dev/full", status=2)
    assert done.stderr.startswith("error: cannot write /dev/full: No space left")
    assert "as expected: " in done.stdout
    assert len(kept(here)) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_report_into_a_read_only_folder(here: Path, no_simulation: None) -> None:
    (here / "locked").mkdir(mode=0o500)
    assert "permission denied" in refused("verify", CAUGHT, "--json", "locked/out.json")


def test_not_enough_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: object) -> Result:
        raise MemoryError("Unable to allocate 7.28 TiB")

    monkeypatch.setattr(pool, "execute", greedy)
    said = refused("verify", CAUGHT, *SMALL)
    assert "not enough memory" in said
    assert "7.28 TiB" in said


@pytest.mark.parametrize(
    "wrong", [-1.0, -1e-300, math.nan, np.array([[0.5], [-0.5]]), np.array([[math.nan]])]
)
def test_noise_of_negative_size(wrong: Any) -> None:
    for law in (Sphere, Gaussian, lambda s: TwoRadius(s, s), lambda s: Skewed(s, s)):
        with pytest.raises(ValueError, match=r"(?s)must satisfy 0 <= low <= high; got low = .*high = "):
            law(wrong)


@pytest.mark.parametrize(
    ("low", "high"), [(2.0, 1.0), (np.array([[0.0], [2.0]]), 1.0), (math.nan, 1.0), (0.0, math.nan)]
)
def test_noise_bounds_in_the_wrong_order(low: Any, high: Any) -> None:
    for law in (TwoRadius, Skewed):
        with pytest.raises(ValueError, match=f"{law.__name__}: noise bounds must satisfy"):
            law(low, high)
        law(0, np.array([[0.0], [3.0]]))  # zero is a size, integers are numbers


# -------------------------------------------------------------------------------- accidents on the way


def test_a_damaged_result_is_set_aside_and_changes_no_verdict(here: Path) -> None:
    call("verify", CAUGHT, *SMALL, "--json", "one.json")
    (path,) = kept(here)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 3])
    done = call("verify", CAUGHT, *SMALL, "--json", "two.json")
    assert claims(here / "one.json") == claims(here / "two.json")
    assert done.stderr.count("warning: ") == done.stderr.count("\n") == 1
    assert "computed again" in done.stderr
    assert path.with_name(f"{path.name}.damaged-1").read_bytes() == whole[: len(whole) // 3]
    assert Store(here / "store").load(path.stem) is not None


def test_a_full_disk_costs_the_file_and_the_status_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save = Store.save

    def full(self: Store, key: str, result: Result) -> None:
        if result.meta["simulation"] == CAUGHT:
            raise StoreError("cannot write to the store: the disk is full")
        save(self, key, result)

    with monkeypatch.context() as m:
        m.setattr(Store, "save", full)
        done = call("verify", CAUGHT, TWIN, *SMALL, "--json", "one.json", status=4)
    warned, failed = done.stderr.splitlines()
    assert f"{CAUGHT} was computed but could not be stored: cannot write to the store" in warned
    assert failed.startswith(
        "error: 1 results could not be stored in store, for the reasons above; what was said"
    )
    assert "as expected: " in done.stdout
    assert len(kept(here)) == 1
    call("verify", CAUGHT, TWIN, *SMALL, "--json", "two.json")
    assert claims(here / "one.json") == claims(here / "two.json")


def test_an_interrupt_keeps_finished_simulations(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    execute, begun = jobs.execute, []

    def interrupted(job: jobs.Job, *rest: Any) -> Result:
        begun.append(job)
        if len(begun) == 2:
            raise KeyboardInterrupt
        return execute(job, *rest)

    monkeypatch.setattr(pool, "execute", interrupted)
    said = refused("verify", CAUGHT, TWIN, *SMALL, "--json", "out.json", status=130)
    assert "finished simulations are stored" in said
    assert [p.stem for p in kept(here)] == [begun[0].key]
    assert not (here / "out.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_ctrl_c_ends_all_processes_and_keeps_their_work(here: Path) -> None:
    """A terminal sends the signal to the whole group. One simulation is short, the other would run for minutes."""
    sims = sorted((s for s in plain() if claims_of(s, "full")), key=lambda s: s.horizon["full"])
    names = [sims[0].key, sims[-1].key]
    assert sims[0].horizon["full"] < 10_000 < 1_000_000 < sims[-1].horizon["full"]
    words = ["verify", *names, "--profile", "full", "--runs", "2", "--jobs", "2", "--engine", "eager"]
    process = subprocess.Popen(
        [sys.executable, "-c", "from workbench.cli.app import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_for(lambda: kept(here) or process.poll() is not None)
        os.killpg(process.pid, signal.SIGINT)
        out, said = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert process.returncode == 130
    assert said.startswith("error: interrupted; finished simulations are stored, and a long unfinished one")
    assert said.count("\n") == 1
    assert out == ""
    (path,) = kept(here)
    assert Store(here / "store").load(path.stem) is not None
    wait_for(lambda: not group_lives(process.pid))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("verify", "--profil", "quick"), "no such option: --profil"),
        (("verify", "--run", "3"), "no such option: --run"),  # --runs was meant
        (("verify", "--horizon", "ten"), "invalid value for '--horizon'"),
        (("verify", "--json"), "option '--json' requires an argument"),
        (
            ("verify", CAUGHT, "--store", ""),
            "invalid value for '--store'",
        ),  # a shell variable that is not set
        (("figures", "--out", ""), "invalid value for '--out'"),
        (("replay", "--run", "3"), "missing argument 'key'"),
        (("replay", CAUGHT), "missing option '--run'"),
        (("replay", CAUGHT, "--run"), "option '--run' requires an argument"),
        (("verfiy",), "no such command 'verfiy'"),
        (("--bogus",), "no such option: --bogus"),
    ],
)
def test_mistakes_of_usage_are_one_sentence(
    words: tuple[str, ...], said: str, here: Path, no_simulation: None
) -> None:
    assert f"error: {said}" in refused(*words)
    assert list(here.iterdir()) == []


def test_no_words_at_all_show_the_help() -> None:
    assert "Usage:" in call(status=2).stdout
