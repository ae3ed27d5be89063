"""Lines measured along runs: probes, records, and the three kinds of measured checks on planted numbers."""

import dataclasses
import sys
import types

import numpy as np
import pytest
import toy_method
from sympy import Rational, symbols

from workbench.arrays.noise import Sphere
from workbench.claims.probes import Sampler, with_probe
from workbench.claims.records import Batch, Simulation
from workbench.claims.usable_rows import Chance
from workbench.engine.records import Grid
from workbench.evidence.verdicts import Verdict, decide
from workbench.ledger import trajectories
from workbench.ledger.claims import MeasuredCheck, claims
from workbench.ledger.trajectories import Record
from workbench.run import jobs
from workbench.run.options import Options
from workbench.theory.lemma import AlongTrajectory, InExpectation, Lemma, WithProbability
from workbench.theory.record import Paper

left, right, alpha_t, alpha, sigma_bar, t, T, L = symbols("left right alpha_t alpha sigma_bar t T L")
LEMMA = Lemma("demo/lem-1", Paper("demo", "", "", ""), "", "", "")
RUNS, MARKS = 400, np.array([1, 2, 4, 8])
rng = np.random.default_rng(1)


def record(**values):
    rows = next(iter(values.values())).shape[0]
    return Record(values, MARKS, np.ones(rows, dtype=bool), np.zeros(rows, dtype=int), 8)


def verdict(check, *records):
    found = trajectories.finding(LEMMA, check, {f"run {k}": r for k, r in enumerate(records)})
    return decide([found])[0].verdict, found


BASE = rng.uniform(1, 2, (RUNS, len(MARKS)))
LINE = AlongTrajectory("line", left, right, ("demo/sim-1",))


def test_a_line_that_always_holds():
    got, found = verdict(LINE, record(left=BASE, right=1.25 * BASE))
    assert got == Verdict.HOLDS
    assert found.value == pytest.approx(0.8)
    assert found.slack == pytest.approx(1.25)
    assert found.exact


def test_one_broken_checkpoint_of_one_run_is_named():
    broken = 1.25 * BASE
    broken[17, 2] = 0.999 * BASE[17, 2]
    got, found = verdict(LINE, record(left=BASE, right=broken))
    assert got == Verdict.VIOLATED
    assert "run 17, t = 4" in found.note


def test_equality_up_to_rounding_and_no_further():
    same = dataclasses.replace(LINE, relation="=")
    assert verdict(same, record(left=BASE, right=BASE * (1 + 1e-14)))[0] == Verdict.HOLDS
    assert verdict(same, record(left=BASE, right=BASE * (1 + 1e-6)))[0] == Verdict.VIOLATED
    # The scale of rounding is that of the terms: their difference may be much smaller.
    big = AlongTrajectory("line", left - right, 0, ("demo/sim-1",), relation="=")
    assert verdict(big, record(left=1e6 * BASE, right=1e6 * BASE * (1 + 1e-14)))[0] == Verdict.HOLDS


def test_what_is_small_by_cancellation_has_the_rounding_of_what_it_comes_from():
    """An estimate that is right to eight digits: both sides are differences of numbers of order one."""
    same, small = dataclasses.replace(LINE, relation="="), np.array(BASE)
    small[5, 2] = 5e-8
    off = np.zeros_like(BASE)
    off[5, 2] = 1e-16
    got, found = verdict(same, record(left=small, right=small + off))
    assert got == Verdict.HOLDS
    assert f"1 of the {BASE.size} entries are small by cancellation and not judged" in found.note
    got, found = verdict(LINE, record(left=small + off, right=small))
    assert got == Verdict.HOLDS
    assert found.value == 1.0
    assert verdict(same, record(left=small, right=small + 1e5 * off))[0] == Verdict.VIOLATED
    first = np.array(BASE)
    first[5, 0], off = 5e-8, np.zeros_like(BASE)
    off[5, 0] = 1e-16
    got, found = verdict(same, record(left=first, right=first + off))
    assert got == Verdict.VIOLATED, "what comes later has no part in it"
    assert "run 5, t = 1" in found.note


def test_terms_that_decay_are_no_cancellation():
    """A line that is false by a factor of 3 where its terms are far below the first ones."""
    decays = np.broadcast_to(np.geomspace(1.0, 1e-13, len(MARKS)), BASE.shape)
    late = np.array(decays)
    late[:, -1] *= 3.0
    for line in (LINE, dataclasses.replace(LINE, relation="=")):
        got, found = verdict(line, record(left=late, right=decays))
        assert got == Verdict.INCONCLUSIVE
        assert f"{RUNS} of {BASE.size} entries break it" in found.note
        early = np.array(late)
        early[0, 1] *= 3.0
        assert verdict(line, record(left=early, right=decays))[0] == Verdict.VIOLATED
    # One iteration of many: less than one entry in a hundred, but every run.
    many = np.broadcast_to(np.geomspace(1.0, 1e-13, 200), (RUNS, 200))
    once = np.array(many)
    once[:, -1] *= 3.0
    held = dataclasses.replace(record(left=once, right=many), t=np.arange(200))
    assert verdict(LINE, held)[0] == Verdict.INCONCLUSIVE


def test_a_constant_in_the_terms_hides_no_violation():
    """f(x_{t+1}) <= f(x_t) is false by one in every run, and f is 1e9: it does not hold, and is violated by ten."""
    far, offset = np.full(BASE.shape, 1e9), 1e9 - 1 + BASE
    for line in (dataclasses.replace(LINE, lhs=left - 1), MEAN, OFTEN):
        assert verdict(line, record(left=offset + 1, right=far))[0] == Verdict.INCONCLUSIVE
        assert verdict(line, record(left=offset + 10, right=far))[0] == Verdict.VIOLATED
        assert verdict(line, record(left=far - BASE, right=far))[0] == Verdict.HOLDS


def test_a_spike_excuses_no_later_violation():
    """One entry of 1e13 at first; later one run in twenty-five breaks the line by a factor of nine."""
    spiked, late = np.ones(BASE.shape), np.ones(BASE.shape)
    spiked[:, 0] = late[:, 0] = 1e13
    late[::25, 2] = 9.0
    got, found = verdict(LINE, record(left=late, right=spiked))
    assert got == Verdict.INCONCLUSIVE
    assert f"{RUNS // 25} of {BASE.size} entries break it" in found.note


def test_what_counts_as_rounding_is_said():
    off = np.zeros_like(BASE)
    off[3, 1] = 1e-13
    _, found = verdict(LINE, record(left=BASE + off, right=BASE))
    assert "e-14 relative to the terms, taken for rounding" in found.note
    assert "no violation" not in found.note


def test_failed_runs_are_left_out_while_they_are_few():
    held = record(left=BASE, right=1.25 * BASE)
    few, many = held.ok.copy(), held.ok.copy()
    few[:3], many[:100] = False, False
    broken = np.array(BASE)
    broken[:100] = np.nan
    values = {"left": broken, "right": 1.25 * BASE}
    assert verdict(LINE, dataclasses.replace(held, values=values, ok=many))[0] == Verdict.INCONCLUSIVE
    values = {"left": np.where(np.arange(RUNS)[:, None] < 3, np.nan, BASE), "right": 1.25 * BASE}
    assert verdict(LINE, dataclasses.replace(held, values=values, ok=few))[0] == Verdict.HOLDS


MEAN = InExpectation("mean", left, right, ("demo/sim-1",))


def test_expectation_true_false_and_too_close():
    noise = rng.standard_normal((RUNS, len(MARKS)))
    assert verdict(MEAN, record(left=1 + noise, right=np.full((RUNS, 1), 1.5)))[0] == Verdict.HOLDS
    got, found = verdict(MEAN, record(left=2 + noise, right=np.full((RUNS, 1), 1.5)))
    assert got == Verdict.VIOLATED
    assert not found.exact
    assert verdict(MEAN, record(left=1 + noise, right=np.full((RUNS, 1), 1.0)))[0] == Verdict.INCONCLUSIVE


def test_an_expectation_must_hold_at_every_point_of_the_grid():
    noise = 0.1 * rng.standard_normal((RUNS, len(MARKS)))
    value = np.where(np.arange(RUNS)[:, None] < RUNS / 2, 0.2, 1.5) + noise  # the mean over all is below 1
    held = record(left=value, right=np.ones((RUNS, 1)))
    assert verdict(MEAN, held)[0] == Verdict.HOLDS
    split = dataclasses.replace(held, points=(np.arange(RUNS) >= RUNS / 2).astype(int))
    assert verdict(MEAN, split)[0] == Verdict.VIOLATED


@pytest.mark.parametrize("lost", [np.nan, np.inf, -np.inf])
def test_a_point_of_the_grid_whose_runs_all_failed(lost):
    """No warning, no mean of nothing: such a point breaks the line, and the note counts the runs that failed."""
    right_side = np.full((RUNS, 1), 1.5)
    values = np.where(np.arange(RUNS)[:, None] < RUNS / 2, lost, BASE / 2)
    held = record(left=values, right=right_side)
    split = dataclasses.replace(held, points=(np.arange(RUNS) >= RUNS / 2).astype(int))
    got, found = verdict(MEAN, split)
    assert got == Verdict.VIOLATED
    assert f"{RUNS // 2} of {RUNS // 2} runs failed" in found.note
    assert np.isnan(found.slack)
    one = record(left=values[:1], right=right_side[:1])
    assert verdict(MEAN, one)[0] == Verdict.INCONCLUSIVE, "one run may fail by chance"
    assert np.isnan(verdict(OFTEN, record(left=np.full(BASE.shape, np.nan), right=right_side))[1].slack)


def test_one_infinite_run_does_not_hide_the_others():
    """Its size as the scale would put every other run on the border, where a broken line passes."""
    values = 2 + 0.1 * rng.standard_normal((RUNS, len(MARKS)))
    values[7, 2] = np.inf
    got, found = verdict(MEAN, record(left=values, right=np.full((RUNS, 1), 1.5)))
    assert got == Verdict.VIOLATED
    assert found.slack == pytest.approx(0.75, rel=0.02)
    got, found = verdict(MEAN, record(left=values - 1, right=np.full((RUNS, 1), 1.5)))
    assert got == Verdict.INCONCLUSIVE  # an expectation does not hold without all runs
    assert "runs that do not fail" in found.decides


@pytest.mark.parametrize(("runs", "expected"), [(2, Verdict.INCONCLUSIVE), (400, Verdict.HOLDS)])
def test_runs_that_agree_by_chance_are_a_sample(runs, expected):
    """One run in a thousand is 10,000 times as large: a few that agree show nothing of the mean."""
    same, bound = np.full((runs, len(MARKS)), 0.1), np.full((runs, len(MARKS)), 0.5)
    random = dataclasses.replace(record(left=same, right=bound), chance=Chance("random numbers are drawn"))
    got, found = verdict(MEAN, random)
    assert got == expected
    assert "random numbers are drawn" in found.note
    assert verdict(MEAN, record(left=same, right=bound))[0] == Verdict.HOLDS, (
        "nothing is random: one run is all"
    )


OFTEN = WithProbability("often", left, right, ("demo/sim-1",), probability=Rational(9, 10))


@pytest.mark.parametrize(
    ("share", "expected"), [(0.02, Verdict.HOLDS), (0.3, Verdict.VIOLATED), (0.1, Verdict.INCONCLUSIVE)]
)
def test_probability(share, expected):
    breaks = np.arange(RUNS)[:, None] < share * RUNS
    assert verdict(OFTEN, record(left=np.where(breaks, 2.0, 0.5), right=np.ones((RUNS, 1))))[0] == expected


def test_uniform_counts_runs_that_break_the_line_anywhere():
    """Each checkpoint is broken by 8 % of the runs, all four together by 32 %."""
    row, column = np.arange(RUNS)[:, None], np.arange(len(MARKS))[None, :]
    breaks = (row % 25) // 2 == column
    held = record(left=np.where(breaks, 2.0, 0.5), right=np.ones((RUNS, 1)))
    assert verdict(OFTEN, held)[0] == Verdict.VIOLATED
    each = dataclasses.replace(OFTEN, uniform=False)
    assert verdict(each, held)[0] != Verdict.VIOLATED


def test_each_point_of_the_grid_has_its_own_probability():
    """Three runs in ten break the line at both points: at delta = 0.4 they may, at delta = 0.01 not."""
    breaks = np.arange(RUNS)[:, None] % 10 < 3
    delta = np.where(np.arange(RUNS) < RUNS / 2, 0.01, 0.4)[:, None]
    held = record(left=np.where(breaks, 2.0, 0.5), right=np.ones((RUNS, 1)), delta=delta)
    split = dataclasses.replace(held, points=(delta[:, 0] > 0.1).astype(int))
    line = dataclasses.replace(OFTEN, probability=1 - symbols("delta"))
    assert verdict(line, split)[0] == Verdict.VIOLATED
    generous = record(**{**held.values, "delta": np.full((RUNS, 1), 0.4)})
    assert verdict(line, generous)[0] == Verdict.HOLDS
    with pytest.raises(ValueError, match="the probability differs between runs of one grid point"):
        verdict(line, held)


def test_each_iteration_has_its_own_probability():
    """With probability 1 - 1/(2 t): a half of the runs may break it at first, a sixteenth at t = 8."""
    line = dataclasses.replace(OFTEN, probability=1 - 1 / (2 * t), uniform=False)

    def breaking(share_at_8):
        shares = np.array([0.4, 0.15, 0.06, share_at_8])
        breaks = np.arange(4000)[:, None] < 4000 * shares
        return record(left=np.where(breaks, 2.0, 0.5), right=np.ones((4000, 1)))

    assert verdict(line, breaking(0.03))[0] == Verdict.HOLDS
    got, found = verdict(line, breaking(0.3))
    assert got == Verdict.VIOLATED
    assert "1200 of 4000 runs violate it, a share of at most 0.0625 may" in found.note
    assert found.runs == 4000
    with pytest.raises(ValueError, match="one probability is needed for all iterations at once"):
        verdict(dataclasses.replace(line, uniform=True), breaking(0.03))


def test_the_least_favourable_simulation_decides():
    good, bad = record(left=BASE, right=2 * BASE), record(left=BASE, right=BASE / 2)
    assert verdict(LINE, good, good)[0] == Verdict.HOLDS
    assert verdict(LINE, good, bad)[0] == Verdict.VIOLATED


def test_an_unknown_symbol_is_named_with_what_there_is():
    with pytest.raises(ValueError, match="right is not recorded; available: T, left, t"):
        verdict(LINE, record(left=BASE))


def test_a_probability_without_room_is_refused():
    with pytest.raises(ValueError, match="probability must lie"):
        verdict(dataclasses.replace(OFTEN, probability=1), record(left=BASE, right=BASE))


def test_the_profile_shows_where_a_line_is_tight():
    shown = trajectories.profile(LINE, record(left=BASE, right=BASE * MARKS[None, :]), "here")
    np.testing.assert_allclose(shown.median, 1 / MARKS)
    np.testing.assert_allclose(shown.largest, 1 / MARKS)


# ------------------------------------------------------------------------------------------------ probes

PROBE = types.ModuleType("demo_probe")
PROBE.QUANTITIES = {"alpha_t": ("last", "max"), "moved": ("last",)}
PROBE.MEMORY = ("start",)
PROBE.begin = lambda s, c, instance, draw, xp: {"start": s.x}


def _observe(s, new, t, c, instance, draw, held, xp):
    """alpha_t from the samples that the step saw, drawn again; distance from the start, from memory."""
    g, g2 = instance.grad(s.x, draw(0), xp=xp), instance.grad(s.x, draw(1), xp=xp)
    S = s.S + xp.sum((g - g2) ** 2, axis=-1, keepdims=True)
    moved = xp.sqrt(xp.sum((new.x - held["start"]) ** 2, axis=-1, keepdims=True))
    return {"alpha_t": c.alpha / xp.sqrt(c.alpha**2 + S), "moved": moved, "start": held["start"]}


PROBE.observe = _observe


@pytest.fixture
def demo(monkeypatch):
    monkeypatch.setitem(sys.modules, "demo_probe", PROBE)
    monkeypatch.setitem(sys.modules, "demo", toy_method)
    # A probe without a file has no code hash.
    monkeypatch.setattr(jobs, "simulation_key", lambda *args: "0" * 32)
    return Simulation(
        "demo/sim-1",
        "",
        "demo",
        make,
        {"quick": 64},
        {"quick": 5},
        "compliant",
        probe="demo_probe",
        record=("grad_norm", "grad_norm_mean", "x_norm_max"),
    )


def make(horizon, runs):
    grid = Grid([{"sigma": 0.5}, {"sigma": 1.0}], runs)
    steps = toy_method.Steps(eta=1.0, alpha=2.0)
    return Batch(toy_method.Quadratic(noise=Sphere(grid["sigma"])), steps, {"x": grid.full(1.5, 3)}, grid)


def test_a_probe_changes_nothing_and_sees_the_step(demo):
    options = Options("quick")
    with_probe = jobs.execute(jobs.prepare(demo, options), "numpy")
    without = jobs.execute(jobs.prepare(dataclasses.replace(demo, probe=""), options), "numpy")
    for name, values in without.data.items():
        np.testing.assert_array_equal(with_probe.data[name], values)
    assert {k: v.tolist() for k, v in with_probe.calls.items()} == {
        k: v.tolist() for k, v in without.calls.items()
    }
    held = trajectories.from_result(with_probe, demo)
    assert list(held.t) == list(with_probe.marks[1:] - 1)
    assert (held.values["alpha_t"][:, :-1] >= held.values["alpha_t"][:, 1:]).all()  # a sum that only grows
    # Lemma 5.5, lower bound: alpha_t >= alpha/sqrt(alpha^2 + 4 sigma_bar^2 t), and it is not trivial.
    lower = AlongTrajectory(
        "lower", alpha / (alpha**2 + 4 * sigma_bar**2 * t) ** Rational(1, 2), alpha_t, ("x",)
    )
    assert verdict(lower, held)[0] == Verdict.HOLDS
    wrong = dataclasses.replace(lower, lhs=alpha / (alpha**2 + sigma_bar**2 * t) ** Rational(1, 2))
    assert verdict(wrong, held)[0] == Verdict.VIOLATED


def test_metrics_beside_a_probe_read_what_the_state_computes(demo):
    """A property of the algorithm's State, which is none of its fields."""
    State = type("State", (toy_method.State,), {"twice": property(lambda s: 2.0 * s.x)})
    made = with_probe(types.SimpleNamespace(State=State, init=None, step=None), "demo_probe").State
    assert made._fields == (*toy_method.State._fields, "alpha_t", "moved", "start")
    assert made(*range(1, 1 + len(made._fields))).twice == 2.0


def test_a_name_may_be_used_once(demo, monkeypatch):
    monkeypatch.setattr(PROBE, "MEMORY", ("start", "S"))
    with pytest.raises(ValueError, match="'S' is already a state variable"):
        with_probe(toy_method, "demo_probe")
    monkeypatch.setattr(PROBE, "MEMORY", ("start",))
    monkeypatch.setattr(PROBE, "QUANTITIES", {**PROBE.QUANTITIES, "grad_norm": ("last",)})
    with pytest.raises(ValueError, match="'grad_norm' is already a metric"):
        jobs.execute(jobs.prepare(demo, Options("quick")), "numpy")


def test_an_absent_probe_is_one_sentence():
    with pytest.raises(ValueError, match="no probe 'nobody'"):
        with_probe(toy_method, "nobody")


def test_a_line_on_nothing_is_open_and_says_so():
    lemma = Lemma("demo/lem-1", LEMMA.paper, "", "", "", checks=(LINE,))
    (claim,) = claims([lemma], {}, {})
    assert claim.needs == ()
    decision = decide([claim.finding({})])[0]
    assert decision.verdict == Verdict.INCONCLUSIVE
    assert "no simulation or sampler is named demo/sim-1" in decision.finding.note


def test_a_sampler_needs_no_simulation():
    def walk(draws, runs):
        return {"left": np.abs(np.cumsum([draws.at(k)(0).sign(1)[:, 0] for k in range(1, 9)], axis=0)).T}

    sampler = Sampler("demo/smp-walk", "", walk, 300)
    line = WithProbability("walk", left, 6, ("demo/smp-walk",), probability=Rational(1, 2))
    call = MeasuredCheck(LEMMA, line, {}, {sampler.key: sampler})
    assert call.needs == ()
    assert decide([call.finding({})])[0].verdict == Verdict.HOLDS
