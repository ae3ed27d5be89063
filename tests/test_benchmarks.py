"""The benchmarks: every case is found and runs the method it names, and tables read well.

Nothing here is timed: a shared machine says nothing about speed.
"""

from __future__ import annotations

import contextlib
import json
import math
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import workbench as wb

sys.path.insert(0, str(Path(__file__).parent.parent))  # the benchmarks are no part of what is installed

from benchmarks import child, guard, machine, public_cases, table
from benchmarks.__main__ import devices, main, numbers, within
from benchmarks.case import cases, chosen
from benchmarks.competitors import Eager, FusedCpu
from benchmarks.gpu import AddressedDraws, remembering
from benchmarks.near_misses import cell
from benchmarks.race import PROCESSOR, WALL, entered, pace, race, summary
from workbench.arrays import backends
from workbench.arrays.random import Draws

CASES = cases()
NUMPY = backends.namespace("numpy")
NOISY = next(case for case in CASES.values() if case.noisy and case.goal)
STILL = next(case for case in CASES.values() if not case.noisy)
ALONE = {"what": "alone", "case": NOISY.key, "device": "cpu", "runs": 2}


def test_an_unknown_case_is_refused_by_name():
    assert [c.key for c in chosen(f"{STILL.key}, {NOISY.key}")] == [STILL.key, NOISY.key]
    with pytest.raises(ValueError, match="unknown case 'nothing'"):
        chosen("nothing")
    assert main(["--cases", "nothing"]) == 2


@pytest.mark.parametrize("key", CASES)
def test_the_metric_is_recorded_and_runs_differ(key):
    case = CASES[key]
    problem = case.make(8)
    data = Eager(case, problem, 1).prepare(6)()
    assert data[case.metric].shape == (8,)
    assert np.isfinite(data[case.metric]).all()
    assert len(np.unique(data[case.metric])) > 1


def test_addressed_draws_are_the_draws_of_the_workbench():
    ids = np.array([3, 11, 4])
    for t in (1, 31, 32, 700):
        ours = AddressedDraws(5, ids, np.asarray(t), NUMPY)(1)
        theirs = Draws(5, ids, NUMPY).at(t)(1)
        for d in (1, 4):
            for part in (0, 3):
                assert np.array_equal(ours.normal(d, part), theirs.normal(d, part))
                assert np.array_equal(ours.uniform(d, part, 2), theirs.uniform(d, part, 2))
                assert np.array_equal(ours.sign(d, part), theirs.sign(d, part))
        assert np.array_equal(ours.normal((2, 3)), theirs.normal((2, 3)))


def test_every_turn_begins_anew():
    """The start is made once; a turn begins with a copy."""
    made = FusedCpu(NOISY, NOISY.make(8), 1)
    assert records(made, 20) == records(FusedCpu(NOISY, NOISY.make(8), 1), 20)
    assert records(made, 20) == records(made, 20)


def records(competitor, horizon):
    return {name: values.tolist() for name, values in competitor.prepare(horizon)().items()}


def test_constants_of_a_recorded_step_are_made_once():
    xp = remembering(NUMPY)
    assert xp.asarray(1.0) is xp.asarray(1.0)
    assert xp.asarray(1) is not xp.asarray(1.0)
    assert xp.asarray(1, dtype=xp.uint64).dtype == np.uint64
    assert np.signbit(xp.asarray(-0.0))
    assert not np.signbit(xp.asarray(0.0))
    assert np.array_equal(xp.asarray([1.0, 2.0]), [1.0, 2.0])
    ids = np.array([3, 11])
    assert np.array_equal(
        AddressedDraws(5, ids, np.asarray(7), xp)(0).normal(2), Draws(5, ids, NUMPY).at(7)(0).normal(2)
    )


def test_a_competitor_that_cannot_run_is_named(monkeypatch):
    def broken(case, problem, threads):
        raise RuntimeError("no such luck\nand more")

    monkeypatch.setattr("benchmarks.race.on_cpu", lambda case: {"fused": FusedCpu, "broken": broken})
    made, skipped = entered(NOISY, 4, 1, "cpu")
    assert set(made) == {"fused"}
    assert skipped == {"broken": "RuntimeError: no such luck"}
    monkeypatch.setattr("benchmarks.race.on_cpu", lambda case: {"fused": broken})
    with pytest.raises(RuntimeError):
        entered(NOISY, 4, 1, "cpu")


def test_the_guard_sees_another_method():
    case, rng = NOISY, np.random.default_rng(0)
    a, noise = rng.standard_normal((2, 4000))
    assert guard.compare(case, {case.metric: a}, {case.metric: a + 0.1 * noise})["agree"]
    assert not guard.compare(case, {case.metric: a}, {case.metric: a + 0.1 * noise + 0.01})["agree"]
    still = STILL
    assert guard.compare(still, {still.metric: a}, {still.metric: a * (1 + 1e-12)})["agree"]
    assert not guard.compare(still, {still.metric: a}, {still.metric: a * (1 + 1e-4)})["agree"]
    with pytest.raises(ValueError, match="finite"):
        guard.compare(still, {still.metric: a * np.nan}, {still.metric: a})


def test_engines_of_a_case_agree():
    case = NOISY
    problem = case.make(4)
    fused, eager = (made(case, problem, 1).prepare(20)() for made in (FusedCpu, Eager))
    assert fused.keys() >= {case.metric}
    for name, value in eager.items():
        assert np.array_equal(fused[name], value), name


@pytest.fixture(scope="module")
def row():
    """A race of one tiny case without JAX."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchmarks.competitors.jax_problem", lambda: "JAX is not installed")
        return race(NOISY, runs=16, threads=1, seconds=1e-4, repeats=2, device="cpu")


def test_what_a_race_runs_it_runs_alone(monkeypatch):
    """On a GPU other races wait meanwhile."""
    inside, ran = list[int](), list[bool]()

    @contextlib.contextmanager
    def held():
        inside.append(1)
        yield
        inside.pop()

    def observed(run):
        return lambda *given: ran.append(bool(inside)) or run(*given)

    monkeypatch.setattr("benchmarks.race.contextlib", SimpleNamespace(nullcontext=held))
    monkeypatch.setattr("benchmarks.competitors.jax_problem", lambda: "JAX is not installed")
    monkeypatch.setattr(FusedCpu, "run", observed(FusedCpu.run))
    race(NOISY, runs=4, threads=1, seconds=1e-4, repeats=2, device="cpu")
    assert len(ran) > 4
    assert all(ran)


def test_a_race_reports_every_competitor(row):
    assert set(row["ns"]) == {"fused", "eager"}
    assert row["ratios"]["fused"] == 1.0
    assert all(v > 0 for v in row["ns"].values())
    assert json.loads(json.dumps(row)) == row


def test_ratios_are_taken_turn_by_turn():
    turns = {"fused": [(1.0, 1.0), (2.0, 1.0), (4.0, 1.0)], "jax": [(10.0, 3.0), (20.0, 3.0), (8.0, 3.0)]}
    found = summary(turns, {"fused": 10, "jax": 20}, 5, WALL)
    assert found["ratios"]["jax"] == pytest.approx(5.0)  # of 5, 5 and 1, at half the time per iteration
    assert found["ns"]["fused"] == pytest.approx(2.0 / 50 * 1e9)
    assert found["busy"] == pytest.approx(2.0)
    found = summary(turns, {"fused": 10, "jax": 20}, 5, PROCESSOR)
    assert found["ratios"]["jax"] == pytest.approx(1.5)
    assert found["ns_wall"]["fused"] == pytest.approx(2.0 / 50 * 1e9)


def test_a_slow_competitor_has_one_turn(monkeypatch):
    """After a warm-up; a ratio is then to the median of the others."""
    seconds = {"fused": 1.0, "eager": 4.0}
    monkeypatch.setattr("benchmarks.race.timed", lambda run: (run(),) * 2)
    asked = Counter[str]()

    class Timed:
        def __init__(self, name):
            self.name = name

        def prepare(self, horizon):
            def run():
                asked[self.name] += 1
                return seconds[self.name]

            return run

    competitors = {name: lambda *_, name=name: Timed(name) for name in seconds}
    monkeypatch.setattr("benchmarks.race.on_cpu", lambda case: competitors)
    monkeypatch.setattr("benchmarks.race.choose", lambda *_: {"fused": 10, "eager": 5})
    found = race(NOISY, runs=4, threads=2, seconds=1.0, repeats=3, device="cpu")
    assert asked == {"fused": 1 + 1 + 3, "eager": 1 + 1 + 1}  # to begin with, before the turns, in the turns
    assert found["ratios"] == {"fused": 1.0, "eager": pytest.approx(8.0)}


@pytest.mark.parametrize(("device", "expected"), [("gpu", 1e-4), ("cpu", 0.3 / 8 + 1e-4)])
def test_the_copies_before_a_run_on_a_gpu_are_no_part_of_its_pace(device, expected, monkeypatch):
    """0.3 s whatever the iterations, and 0.1 ms for each; on the CPU there is nothing to copy."""
    monkeypatch.setattr("benchmarks.race.timed", lambda run: (run(), run()))
    made = SimpleNamespace(prepare=lambda iterations: lambda: 0.3 + 1e-4 * iterations)
    found = pace(made, device, WALL, contextlib.nullcontext)
    assert found == pytest.approx(expected, rel=1e-6)


def test_a_busy_machine_is_named(row):
    assert table.busy([{**row, "busy": 1.0}]) == []
    assert "2.5 times" in table.busy([{**row, "busy": 2.5}])[0]


def result(row, **ratios):
    made = {**row, "runs": 1024, "ratios": {"fused": 1.0, "eager": 8.0, **ratios}}
    return {"meta": machine.describe(None), "guards": [], "races": [made], "alone": [], "notes": ["No GPU."]}


def test_the_table_is_markdown_and_says_which_goals_are_met(row):
    text = table.markdown(result(row, jax=9.0, **{"jax rbg": 7.5}), CASES)
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("| ")]
    assert len(tables) == 2
    for lines in tables:
        assert len({line.count("|") for line in lines}) == 1
    (line,) = [
        s for s in text.splitlines() if s.startswith(f"| {NOISY.title} |") and f"| {NOISY.goal:g} |" in s
    ]
    assert "| 9 | 7.5 | yes | 8 | 7.5 |" in line
    assert "* No GPU." in text
    text = table.markdown(result(row, jax=9.0, **{"jax rbg": 5.0}), CASES)
    assert "| with the default generator |" in text
    assert "| no |" in table.markdown(result(row, jax=3.0), CASES)
    assert "| not measured |" in table.markdown(result(row), CASES)


def test_where_eager_is_faster_the_rival_is_compared_with_eager(row):
    made = result(row, jax=0.8)
    made["races"][0]["ratios"]["eager"] = 0.5
    line = next(s for s in table.markdown(made, CASES).splitlines() if s.startswith(f"| {NOISY.title} |"))
    assert line.endswith("| 1 |")  # eager is its own rival; JAX is at 1.6


def test_the_file_is_named_after_the_machine():
    meta = {"gpu": None, "processor": "AMD EPYC(TM) 9B45", "cores": 2, "vectors": "avx512f"}
    assert machine.slug(meta) == "amd-epyc-9b45-2-cores-avx512f"
    assert machine.slug({**meta, "gpu": "NVIDIA A100-SXM4"}) == "nvidia-a100-sxm4"


def test_bad_options_are_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.gpu.problem", lambda: "CuPy is not installed")
    assert main(["--device", "gpu"]) == 2
    assert "CuPy is not installed" in capsys.readouterr().err
    assert main(["--runs", "0", "--device", "cpu"]) == 2
    with pytest.raises(ValueError, match="at least 1"):
        numbers("4,0", (1,))


def test_what_is_measured_is_kept_race_by_race(row, monkeypatch, tmp_path, capsys):
    """The races of the goals come first; an interrupt loses the one that is running."""
    asked = []

    def start(order, threads, variables=None, seconds=None):
        asked.append((order["what"], order["runs"], threads))
        if len(asked) == 3:
            raise KeyboardInterrupt
        if len(asked) == 2:
            raise RuntimeError("no such luck")
        return {**row, "runs": order["runs"]}

    monkeypatch.setattr(child, "start", start)
    monkeypatch.setattr("benchmarks.__main__.jax_problem", lambda: "JAX is not installed")
    words = ["--cases", NOISY.key, "--runs", "1,1024,64", "--threads", "2,1", "--device", "cpu"]
    assert main([*words, "--out", str(tmp_path)]) == 130
    assert asked == [("race", 1024, 1), ("race", 1, 2), ("race", 1, 1)]
    (kept,) = tmp_path.glob("*.json")
    results = json.loads(kept.read_text())
    assert [r["runs"] for r in results["races"]] == [1024]
    assert results["notes"][-1] == f"{NOISY.key} on the cpu: no such luck"
    assert kept.with_suffix(".md").exists()
    assert "interrupted; what was measured is in" in capsys.readouterr().err


def test_no_measurement_outlasts_the_time_for_all(row, monkeypatch, tmp_path, capsys):
    """Each has what the others left; those that are cut short and those that do not begin are named."""
    clock, given = iter((0.0, 50.0, 61.0)), []

    def start(order, threads, variables, seconds):
        given.append((order["what"], order["runs"], seconds))
        if seconds == 10.0:
            raise subprocess.TimeoutExpired("python", seconds)
        return {**row, "runs": order["runs"]}

    monkeypatch.setattr(child, "start", start)
    monkeypatch.setattr("benchmarks.__main__.jax_problem", lambda: "JAX is not installed")
    monkeypatch.setattr("benchmarks.__main__.BEGAN", 0.0)
    monkeypatch.setattr("benchmarks.__main__.time", SimpleNamespace(monotonic=lambda: next(clock)))
    words = f"--cases {NOISY.key} --runs 1,1024,64 --threads 1 --device cpu --minutes 1".split()
    assert main([*words, "--quick", "--out", str(tmp_path)]) == 0
    assert given == [("race", 1024, 60.0), ("race", 1, 10.0)]
    (kept,) = tmp_path.glob("*.md")
    late = [f"{NOISY.key} on the cpu: {runs} runs, 1 threads" for runs in (1, 64)]
    assert f"* Not measured, since the time was up: {'; '.join(late)}." in kept.read_text()
    assert main([*words[:-1], "0"]) == 2
    assert "--minutes must be positive" in capsys.readouterr().err


def test_where_nothing_was_measured_nothing_is_written(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("benchmarks.__main__.jax_problem", lambda: "JAX is not installed")
    words = ["--cases", NOISY.key, "--runs", "8", "--threads", "1", "--device", "cpu", "--quick"]
    assert main([*words, "--minutes", "1e-9", "--out", str(tmp_path)]) == 1
    assert f"nothing was measured: {NOISY.key} on the cpu: 8 runs, 1 threads" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_measurement_without_an_end_is_a_note(monkeypatch):
    """It is not said to be late, since there is no limit for all."""
    monkeypatch.setattr(child, "LIMIT", 0.05)
    with pytest.raises(RuntimeError, match="alone took longer"):
        within(math.inf)("alone", {**ALONE, "competitor": "eager"}, 1)
    with pytest.raises(TimeoutError):
        within(1e-9)("alone", {**ALONE, "competitor": "eager"}, 1)


def test_a_child_that_takes_too_long_is_ended():
    with pytest.raises(subprocess.TimeoutExpired):
        child.start({**ALONE, "competitor": "eager"}, 1, None, 0.05)


def test_what_is_missing_is_said(monkeypatch):
    monkeypatch.setattr("benchmarks.gpu.problem", lambda: "CuPy is not installed")
    monkeypatch.setattr("benchmarks.__main__.jax_problem", lambda: "JAX is not installed")
    found, notes = devices("auto")
    assert found == ["cpu"]
    assert len(notes) == 2


def test_a_child_measures_and_fails_with_its_log():
    answer = child.start({**ALONE, "competitor": "eager"}, 1)
    assert set(answer) == {"first_seconds", "memory"}
    with pytest.raises(RuntimeError, match="no competitor"):
        child.start({**ALONE, "competitor": "no competitor"}, 1)


@pytest.mark.parametrize("case", public_cases.CASES, ids=lambda case: case.name)
def test_no_verdict_on_a_public_case_is_wrong(case: public_cases.Case) -> None:
    """On seeds other than those of the page."""
    for seed in (1, 2):
        values, marks = case.table(np.random.default_rng(seed))
        assert wb.judge(values, marks, case.true, **case.how).verdict != "violated"
        assert wb.judge(values, marks, case.wrong, **case.how).verdict != "holds"


def test_cells_of_near_misses() -> None:
    def row(name: str, verdict: str, since: float | None = None) -> dict[str, object]:
        return {"near_miss": name, "verdict": verdict, "since": since}

    rows = [row("exponent -0.1", "caught", 64.0), row("exponent -0.1", "caught", 2048.0)]
    rows += [row("exponent -0.1", "open"), row("exponent +0.1", "holds as well")]
    assert cell(rows, ("exponent -0.1",)) == "2: 2.05e3; 1 open"
    assert cell(rows, ("exponent +0.1",)) == "1 hold"
    assert cell(rows, ("constant / 1.5", "limit / 1.5")) == "-"
