"""The plan: windows and claims chosen from pilot runs, by rules that see no verdict seed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.claims import plan, windows
from workbench.claims.batches import always
from workbench.claims.claimed_exponents import Claimed
from workbench.claims.claims import Claim, caught
from workbench.claims.costs import Complexity
from workbench.claims.plan import UNPLANNED, BadPlan, Piloted, Plan, Tolerance
from workbench.claims.readings import Rate, Reading
from workbench.claims.study import Study
from workbench.engine.marks import log_marks
from workbench.engine.records import Result
from workbench.evidence.margins import margin
from workbench.evidence.stats import with_outlier
from workbench.evidence.verdicts import Finding, Verdict, decide
from workbench.homes import papers
from workbench.run import catalog
from workbench.run.options import Options
from workbench.theory.record import Paper
from workbench.verdicts import verify
from workbench.verdicts.studies import pilot_margins, planner
from workbench.verdicts.studies.statistics_digest import statistics_digest

MARKS = log_marks(1 << 16)
STUDY = Study(Paper("demo", "Demo", "Nobody", "nowhere"), metric="gap")
SIM = STUDY.simulation_from("one", "One", "method", lambda horizon, runs: None, always(1 << 16), always(64))  # type: ignore
ROOT = Path(__file__).parent.parent


def reading(claimed: float = -0.25, **more: Any) -> Reading:
    return STUDY.reading("demo/thm-1", SIM, claimed=Claimed(claimed, "by hand"), **more)


def pilots(curve: Any, spread: float = 0.02, runs: int = 64, seeds: int = 3) -> list[dict[str, Result]]:
    """Results of several seeds whose mean follows a function of T, each run times its own factor."""
    made = []
    for seed in range(seeds):
        factors = np.exp(spread * np.random.default_rng([7, seed]).standard_normal((runs, 1)))
        none = np.zeros(runs, dtype=int)
        made.append(
            {
                SIM.key: Result(
                    marks=MARKS,
                    data={"gap": factors * curve(MARKS.astype(float))[None, :]},
                    params={},
                    run_ids=np.arange(runs),
                    status=none,
                    failed_at=none,
                    calls={},
                    elapsed=np.ones(len(MARKS)),
                )
            }
        )
    return made


# ------------------------------------------------------------------------------------------------------ windows


def test_a_window_starts_after_the_transient_and_no_later() -> None:
    """T^-1/4 (1 + (A/T)^1/2): the larger A, the later the start; without a transient the window is the longest."""
    starts = [
        windows.choice(reading().tight(), pilots(lambda T, A=A: T**-0.25 * (1 + (A / T) ** 0.5)))[0]
        for A in (0.0, 1.0, 10.0)
    ]
    assert starts[0] == windows.STARTS[0]
    assert starts[0] < starts[1] < starts[2]


def test_a_slope_that_passes_through_the_claim_is_no_reason_to_read_it_there() -> None:
    """From T^-1/2 to a constant: the local slope is -1/4 once; later it is flat, and every later start shows it."""
    claim = reading().tight()
    passing = pilots(lambda T: T**-0.5 + 4000.0**-0.5)
    tried = windows.trials(claim, passing)
    assert any(t.admissible for t in windows.trials(claim, pilots(lambda T: T**-0.25)))
    assert not any(t.admissible and not any(u.refuted for u in tried[n:]) for n, t in enumerate(tried))


@pytest.mark.parametrize("kind", ["rate", "tight", "level"])
def test_an_oscillation_shortens_no_window(kind: str) -> None:
    """Neighbouring marks differ by up to 60 %, in all runs alike: the shortest window was taken for it."""
    uneven = pilots(lambda T: T**-0.25 * (1 + 0.3 * np.cos(2.2 * np.arange(T.size))))
    claim = getattr(reading(), kind)(*((lambda T, **_: T**-0.25, "level") if kind == "level" else ()))
    smooth = windows.choice(claim, pilots(lambda T: T**-0.25))
    assert windows.choice(claim, uneven) == smooth == (windows.STARTS[0], True)


def test_a_level_is_read_where_the_ratio_has_come_to_one() -> None:
    claim = reading().level(lambda T, **_: T**-0.25, "level")
    early = windows.choice(claim, pilots(lambda T: T**-0.25))[0]
    late = windows.choice(claim, pilots(lambda T: T**-0.25 * (1 + (3 / T) ** 0.5)))[0]
    assert early is not None
    assert late is not None
    assert early < late


def test_a_wrong_method_is_read_where_it_is_caught_best() -> None:
    """It follows the claim up to T = 1000 and stalls then."""
    claim = reading().caught()
    stalling = pilots(lambda T: np.minimum(T, 1000.0) ** -0.25)
    start = windows.choice(claim, stalling)[0]
    assert start is not None
    (decided,) = decide([windows.reread(claim, start).finding(stalling[0])])
    assert decided.verdict is Verdict.HOLDS


def test_a_window_that_the_author_fixed_is_not_planned() -> None:
    assert windows.reading_of(reading(since=0.1).tight()) is None
    with pytest.raises(ValueError, match="not chosen by a plan"):
        windows.choice(reading(since=0.1).tight(), [])


# ------------------------------------------------------------------------------------------------------ margins


def finding(**fields: Any) -> Finding:
    given = {
        "claimed": 0.0,
        "value": 0.0,
        "low": 0.0,
        "high": 0.0,
        "p_if_wrong": 1.0,
        "p_if_right": 1.0,
        "runs": 10_001,
    }
    return Finding("rate", **{**given, **fields})


def test_a_margin_counts_standard_errors() -> None:
    """Three standard errors from the edge, at a level that asks for two: a margin of one."""
    held = finding(p_if_wrong=0.00135)
    assert margin(held, "holds", 0.02275) == pytest.approx(1.0, abs=2e-3)
    assert margin(held, "violated", 0.01) == -np.inf


def test_what_is_exact_has_an_infinite_margin() -> None:
    exact = finding(p_if_wrong=0.0, exact=True)
    assert margin(exact, "holds", 1e-5) == np.inf
    assert margin(exact, "violated", 1e-5) == -np.inf


# ------------------------------------------------------------------------------------------------------ the planner


class Demo:
    """The plan of the paper `demo`, empty at first, as it is after each call of the planner."""

    def __init__(self) -> None:
        self.plan = UNPLANNED

    def planned(self, claims: list[Claim], results: planner.Pilots) -> planner.Planned:
        made = planner.propose(claims, results, {"demo": self.plan})
        self.plan = made.plans["demo"]
        return made

    def rows(self, claims: list[Claim], results: list[dict[str, Result]]) -> dict[str, pilot_margins.Row]:
        return {r.claim.id: r for r in self.planned(claims, {"default": results}).rows}

    @property
    def default(self) -> Piloted:
        return self.plan.profiles["default"]


@pytest.fixture
def demo() -> Demo:
    return Demo()


def test_what_the_pilots_decide_stays_in_and_what_they_do_not_is_left_out_with_the_runs_it_needs(
    demo: Demo,
) -> None:
    clear, rough = reading().tight(), reading(tag="rough").tight()
    few = pilots(lambda T: T**-0.25, spread=0.0, runs=64)
    noise = [np.random.default_rng([3, s]).standard_normal((64, len(MARKS))) for s in range(3)]
    noisy = [
        {SIM.key: replace(held[SIM.key], data={"gap": held[SIM.key].data["gap"] * np.exp(0.6 * n)})}
        for held, n in zip(few, noise, strict=True)
    ]
    (row,) = demo.rows([clear], pilots(lambda T: T**-0.25)).values()
    assert not row.why
    assert row.margin > plan.SAFE
    assert row.chance_open < 1e-4
    assert demo.plan.start(clear.reading.id) == windows.STARTS[0]
    (row,) = demo.rows([rough], noisy).values()
    assert row.why
    assert row.chance_open == 0.0
    assert demo.plan.why_open(row.claim.id, "default") == row.why
    (row,) = demo.rows([reading(tag="other").rate()], bent(0.06)).values()
    assert (bool(row.why), row.against or row.is_contradicted) == (not row.is_contradicted, True)
    assert demo.plan.why_open(row.claim.id, "quick") == ""


def bent(off: float, spread: float = 0.02) -> list[dict[str, Result]]:
    """Pilots of T^-0.25 whose slope is wrong by so much, as at a horizon that is too short."""
    return pilots(lambda T: T ** (off - 0.25), spread)


@pytest.mark.parametrize(("off", "tolerance"), [(0.0, 0.03), (-0.01, 0.03), (0.02, 0.05), (-0.035, 0.08)])
def test_a_tolerance_is_as_narrow_as_the_pilots_allow(demo: Demo, off: float, tolerance: float) -> None:
    tight, rate = reading(tol=0.08).tight(), reading(tol=0.08, tag="rate").rate()
    found = demo.rows([tight, rate], bent(off))
    assert demo.plan.tolerance(tight.id, -0.25, 0.08) == tight.tolerance(demo.plan) == tolerance
    assert not found[tight.id].why
    assert not found[tight.id].is_contradicted
    assert rate.tolerance(demo.plan) == (tolerance if off > 0 else 0.03), (
        "a rate that is faster than claimed is none the worse"
    )
    for other in (
        {"tol": 0.07},
        {"claimed": Claimed(-0.26, "by hand")},
    ):  # the author has changed the claim since
        changed = replace(tight, reading=replace(tight.reading, **other))
        assert changed.tolerance(demo.plan) == changed.given


def test_a_level_and_a_drift_have_narrower_tolerances_too(demo: Demo) -> None:
    level = reading(tag="level").level(lambda T, **_: T**-0.25, "level", rtol=0.2)
    slope = reading(tol=0.08, drift_tol=0.16).tight()
    demo.rows([level, slope], pilots(lambda T: 1.02 * T**-0.25, spread=0.002))
    assert level.tolerance(demo.plan) == 0.05
    assert slope.tolerance(demo.plan) == 0.03
    assert slope.drift_tolerance(demo.plan) == pytest.approx(0.06)
    alone = reading(tol=0.04, tag="of-no-plan").tight()
    assert (alone.tolerance(demo.plan), alone.drift_tolerance(demo.plan)) == (0.04, 0.04)


def test_a_claim_has_one_tolerance_in_all_profiles(demo: Demo) -> None:
    claim = reading(tol=0.08).tight()
    demo.planned([claim], {"quick": bent(0.02), "default": bent(0.0)})
    assert claim.tolerance(demo.plan) == 0.05
    assert {p.tolerances[claim.id] for p in demo.plan.profiles.values()} == {Tolerance(-0.25, 0.08, 0.05)}
    made = demo.planned([claim], {"quick": bent(0.0)})
    assert claim.tolerance(demo.plan) == 0.05, "the profile that was not piloted again asks for it"
    assert made.window_changes == []
    (told,) = demo.planned([claim], {"quick": bent(-0.035)}).window_changes
    assert told.endswith(
        "is now 0.08, and was 0.05 when the claims of default were chosen: plan default again"
    )


def test_a_control_and_a_cost_that_were_not_piloted_are_told(demo: Demo) -> None:
    """Their names in the plan are not those of the slopes that they are about."""
    gap = reading(tol=0.08, tag="cost").rate()
    cost, same = Complexity(gap, "calls"), reading(tol=0.08, tag="no-noise").tight()
    demo.plan = Plan({"default": Piloted(rule=3)})
    told = demo.planned([cost, same], {"quick": bent(0.0, spread=0.0)}).window_changes
    assert len(told) == 2
    assert all(
        text.endswith("is now 0.03, and was 0.08 when the claims of default were chosen: plan default again")
        for text in told
    )


def test_a_wrong_method_is_judged_by_what_its_author_gave(demo: Demo) -> None:
    """A narrower tolerance would make it easier to catch."""
    wrong, right = reading(-0.31, tol=0.08, tag="wrong").caught(), reading(tol=0.08).rate()
    slower = reading(-0.31, tol=0.08, tag="slower").rate(expected="violated")
    found = demo.rows([right, wrong, slower], bent(0.0))
    assert right.tolerance(demo.plan) == 0.03
    assert found[wrong.id].is_contradicted, "a slope of -0.25 is within 0.08 of -0.31"
    assert found[slower.id].is_contradicted
    assert set(demo.default.tolerances) == {right.id}
    same = reading(-0.31, tol=0.08).rate()
    assert (same.id, same.tolerance(demo.plan)) == (right.id, 0.08), "another exponent is another claim"


def test_a_narrow_tolerance_costs_no_claim_on_the_same_reading(demo: Demo) -> None:
    """It moves the window, which they share."""
    noise = [np.random.default_rng([5, s]).standard_normal((256, len(MARKS))) for s in range(3)]
    curve = pilots(lambda T: T**-0.25 * (1 + (3 / T) ** 0.5), spread=0.0, runs=256)
    noisy = [
        {SIM.key: replace(held[SIM.key], data={"gap": held[SIM.key].data["gap"] * np.exp(0.02 * n)})}
        for held, n in zip(curve, noise, strict=True)
    ]
    tight = reading(tol=0.08).tight()
    level = reading(tol=0.08).level(lambda T, **_: T**-0.25 * (1 + (3 / T) ** 0.5), "level", rtol=0.008)
    assert not demo.rows([tight], noisy)[tight.id].why
    assert tight.tolerance(demo.plan) == 0.03
    found = demo.rows([tight, level], noisy)
    assert not found[level.id].why
    assert not found[tight.id].why
    assert tight.tolerance(demo.plan) > 0.03


def test_a_tolerance_with_which_nothing_could_be_violated_is_too_narrow(
    demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What holds then could not come out violated, whatever its exponent."""
    finding = Rate.finding

    def mute(self: Rate, results: Any, plan: Plan) -> Finding:
        found = finding(self, results, plan)
        return replace(found, rejects=lambda side: math.inf) if self.tolerance(plan) < 0.05 else found

    monkeypatch.setattr(Rate, "finding", mute)
    claim, narrow = reading(tol=0.08).rate(), reading(tag="narrow").rate()
    found = demo.rows([claim, narrow], bent(0.0))
    assert claim.tolerance(demo.plan) == 0.05
    assert narrow.tolerance(demo.plan) == 0.03
    assert not found[narrow.id].why


@pytest.mark.parametrize("profiles", [("quick",), ("quick", "default")])
def test_a_claim_that_is_mute_anyway_is_not_lost_to_another_profile(
    demo: Demo, monkeypatch: pytest.MonkeyPatch, profiles: tuple[str, ...]
) -> None:
    """In quick no wrong exponent would be violated with its author's tolerance; with a narrower one it is lost."""
    finding, pilots_of = Rate.finding, {"quick": bent(0.035), "default": bent(0.0)}
    quick = [id(results[SIM.key]) for results in pilots_of["quick"]]

    def mute(self: Rate, results: Any, plan: Plan) -> Finding:
        found = finding(self, results, plan)
        return replace(found, rejects=lambda side: math.inf) if id(results[SIM.key]) in quick else found

    monkeypatch.setattr(Rate, "finding", mute)
    claim = reading(tol=0.08).rate()
    made = demo.planned([claim], {p: pilots_of[p] for p in profiles})
    assert [r.why for r in made.rows] == [""] * len(profiles)
    assert claim.tolerance(demo.plan) == 0.08


def test_with_the_users_own_numbers_tolerances_are_the_authors(demo: Demo) -> None:
    claim, results = reading(tol=0.08).rate(), bent(0.0)
    demo.planned([claim], {"default": results})
    assert claim.tolerance(demo.plan) == 0.03
    seen = []

    class Seen(Rate):
        def finding(self, results: Any, plan: Plan = UNPLANNED) -> Finding:
            seen.append(self.tolerance(plan))
            return super().finding(results, plan)

    for options in (Options(), Options(runs=9), Options(horizon=9)):
        verify.evaluate(Seen(claim.reading), results[0], options, demo.plan)
    assert seen == [0.03, 0.08, 0.08]


def test_a_tolerance_may_be_a_whole_number(demo: Demo, tmp_path: Path) -> None:
    claim = reading().level(lambda T, **_: T**-0.25, "level", rtol=1)
    demo.planned([claim], {"default": pilots(lambda T: 1.45 * T**-0.25, spread=0.002)})
    file = tmp_path / "plan.json"
    file.write_text(demo.plan.text())
    assert plan.read(file) == demo.plan
    assert claim.tolerance(plan.read(file)) == 1


def test_one_that_no_tolerance_decides_is_left_out_with_what_its_author_gave(demo: Demo) -> None:
    claim = reading(tol=0.08).tight()
    (row,) = demo.rows([claim], bent(0.07, spread=0.3)).values()
    assert row.why or row.is_contradicted
    assert claim.tolerance(demo.plan) == 0.08


@pytest.mark.parametrize("contradicting", [1, 3])
def test_a_claim_that_a_pilot_contradicts_stays_in(demo: Demo, contradicting: int) -> None:
    """Left out, a refuted theorem would have no verdict and a call that ends in success."""
    claim = reading(-0.5).tight()
    false, true = pilots(lambda T: T**-0.25), pilots(lambda T: T**-0.5)
    (row,) = demo.rows([claim], [*false[:contradicting], *true[contradicting:]]).values()
    assert row.is_contradicted
    assert not row.why
    assert row.chance_open == 1.0
    assert not demo.plan.why_open(row.claim.id, "default")
    made = planner.Planned(rows=[row])
    assert made.surprises("default") == 1.0


def test_where_no_window_is_admissible_the_claim_is_left_out(demo: Demo) -> None:
    """Local slopes of -0.8, -0.3 and at last -0.03: a start at which the claimed -1/4 is passed would let it hold."""
    bends = MARKS[-1] / np.array([10.0**1.5, 10**0.5])

    def curve(T: Any) -> Any:
        slopes = np.where(bends[0] > T, -0.82, np.where(bends[1] > T, -0.28, -0.03))
        steps = np.diff(np.log(T), prepend=0.0)
        return np.exp(np.cumsum(slopes * steps))

    claim = reading().tight()
    bent = pilots(curve, spread=0.2, runs=512)
    assert windows.choice(claim, bent) == (windows.STARTS[-1], False)
    (row,) = demo.rows([claim], bent).values()
    assert row.is_contradicted or row.why
    for results in pilots(curve, spread=0.2, runs=512, seeds=5):
        start = demo.plan.start(claim.reading.id)
        assert start is not None
        (decided,) = decide([windows.reread(claim, start).finding(results)])
        assert decided.verdict is not Verdict.HOLDS


def test_a_plateau_does_not_catch_a_right_method(demo: Demo) -> None:
    """Flat between 1/32 and 1/8 of the horizon, with next to no noise: no window convicts it."""

    def curve(T: Any) -> Any:
        slopes = np.where(MARKS[-1] / 32 > T, -0.3, np.where(MARKS[-1] / 8 > T, -0.05, -0.25))
        return np.exp(np.cumsum(slopes * np.diff(np.log(T), prepend=0.0)))

    claim = reading().caught()
    held = pilots(curve, spread=0.001, runs=512)
    for start in windows.STARTS:
        (decision,) = decide([windows.reread(claim, start).finding(held[0])])
        assert decision.verdict is not Verdict.HOLDS


def test_a_margin_below_the_one_that_is_asked_for_never_reads_as_enough() -> None:
    said = pilot_margins._why([finding()] * 3, plan.SAFE - 0.01, 1.1)
    assert said.startswith("decided by 3.6 standard errors only, 3.7 are wanted; about ")


def test_the_rare_run_that_one_pilot_met_counts(demo: Demo) -> None:
    """Two pilots decide it by far, and the third has one run that outweighs the other 63 at the end."""
    claim, held = reading().tight(), pilots(lambda T: T**-0.25)
    assert not next(iter(demo.rows([claim], held).values())).why
    unlucky = held[1][SIM.key].data["gap"].copy()
    unlucky[5, -40:] *= 200.0
    held[1] = {SIM.key: replace(held[1][SIM.key], data={"gap": unlucky})}
    (row,) = demo.rows([claim], held).values()
    assert row.margin < plan.SAFE
    assert row.why.startswith("a few runs decide: ") or row.margin == -np.inf
    assert demo.plan.why_open(row.claim.id, "default") == row.why


def test_a_claim_that_one_run_farther_out_would_undo_is_left_out(demo: Demo) -> None:
    """64 runs, of which one lies 40 % above the others: inside a tolerance of 20 %, and not if it were 80 %."""
    claim = reading().level(lambda T, **_: T**-0.25, "level", rtol=0.2)
    held = pilots(lambda T: T**-0.25)
    (calm,) = demo.rows([claim], held).values()
    assert not calm.why
    assert plan.AFTER < calm.after < calm.margin
    for results in held:
        far = results[SIM.key].data["gap"].copy()
        far[5] *= 1.4
        results[SIM.key] = replace(results[SIM.key], data={"gap": far})
    (row,) = demo.rows([claim], held).values()
    assert row.margin > plan.SAFE
    assert row.after < plan.AFTER
    assert "2 times as far out" in row.why


def test_a_plan_made_by_other_rules_is_said_to_be(demo: Demo) -> None:
    made = demo.planned([reading().tight()], {"default": pilots(lambda T: T**-0.25)})
    old = {"demo": Plan({"default": replace(demo.default, rule=1)})}
    assert planner.unfit(made, old) == [f"default: demo was planned by rule 1; the rule is now {plan.RULE}"]


def test_a_plan_made_with_other_statistics_is_said_to_be(demo: Demo) -> None:
    """Two plans outlived a change of the statistics unseen: a new seed left open what they gave 11 standard errors."""
    made = demo.planned([reading().tight()], {"default": pilots(lambda T: T**-0.25)})
    assert demo.default.statistics == statistics_digest()
    for digest, how in (("0123", "by other statistics than today's"), ("", "by statistics of unknown date")):
        old = {"demo": Plan({"default": replace(demo.default, statistics=digest)})}
        assert planner.unfit(made, old) == [f"default: demo was planned {how}, and its margins are of those"]


@pytest.mark.parametrize(
    "constant",
    [
        "bounds.CARRIED",
        "curve_reading.WAVE",
        "geometric.TOL",
        "limits.MOVING",
        "misfit.DOUBTS",
        "slower_terms.PULL",
    ],
)
def test_other_statistics_have_another_digest(constant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    today = statistics_digest()
    file, name = constant.split(".")
    module = import_module(f"workbench.evidence.{file}")
    monkeypatch.setattr(module, name, 1.5 * getattr(module, name) if name != "CARRIED" else 0.01)
    assert statistics_digest.__wrapped__() != today


def test_a_far_run_has_another_digest() -> None:
    today = statistics_digest()
    with with_outlier(1.1):
        assert statistics_digest.__wrapped__() != today


def test_a_window_that_another_profile_moves_is_told(demo: Demo) -> None:
    """A reading has one window, the latest that a profile needs; margins of the others were found with their own."""
    claim = reading().tight()
    demo.planned([claim], {"quick": pilots(lambda T: T**-0.25)})
    late = pilots(lambda T: T**-0.25 * (1 + (400.0 / T) ** 0.5))
    (told,) = demo.planned([claim], {"default": late}).window_changes
    assert told.startswith(f"quick: the window of demo/{claim.reading.id} starts now at 1/")
    assert demo.planned([claim], {"quick": pilots(lambda T: T**-0.25), "default": late}).window_changes == []


def test_claims_that_must_hold_choose_the_window_of_those_that_must_not(demo: Demo) -> None:
    right, wrong = reading().tight(), caught(reading().rate())
    late = pilots(lambda T: T**-0.25 * (1 + (400.0 / T) ** 0.5))
    demo.planned([right, wrong], {"default": late})
    assert demo.plan.start(right.reading.id) == windows.choice(right, late)[0]


def test_the_latest_start_of_all_profiles_counts() -> None:
    made = Plan({"quick": Piloted({"a": 0.25}), "default": Piloted({"a": 0.125, "b": 0.5})})
    assert (made.start("a"), made.start("b"), made.start("c")) == (0.25, 0.5, None)


def test_a_plan_no_longer_fits_where_a_rule_gives_something_else(demo: Demo) -> None:
    claim = reading().tight()
    made = demo.planned([claim], {"default": pilots(lambda T: T**-0.25)})
    same = {"demo": demo.plan}
    assert planner.unfit(made, same) == []
    moved = {"demo": Plan({"default": replace(demo.default, windows={claim.reading.id: 0.25})})}
    assert "starts at 1/4 of the horizon in the plan, at 1/1024" in planner.unfit(made, moved)[0]
    left = replace(demo.default, open={claim.id: "too few"}, margins={})
    assert (
        "is left out in the plan, decided by the rule"
        in planner.unfit(made, {"demo": Plan({"default": left})})[0]
    )
    wide = replace(demo.default, tolerances={})
    made = demo.planned([reading(tol=0.08).rate()], {"default": bent(0.0)})
    assert "is the author's in the plan, 0.03 by the rule" in "".join(
        planner.unfit(made, {"demo": Plan({"default": wide})})
    )


# ------------------------------------------------------------------------------------------------------ the file


def test_digests_of_before_rule_5_are_not_compared(tmp_path: Path) -> None:
    """They had the last bits of numbers in them: on another processor a claim that was left out came back."""
    part = Piloted(open={"a": "too few runs"}, seeds=(900,), judged={"a": "0123456789abcdef"})
    file = tmp_path / "plan.json"
    for rule, kept in ((plan.RULE, part.judged), (4, {})):
        file.write_text(Plan({"quick": replace(part, rule=rule)}).text())
        assert plan.read(file).profiles["quick"].judged == kept


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0.25", "0.3"),  # a start that no rule chooses
        ("0.25", "9" * 5000),
        ("0.25", "1" + "0" * 400),
        ("0.25", "Infinity"),
        ("900", "7"),  # a seed that verdicts use
        (f'"rule": {plan.RULE}', '"rule": 99'),
        ('"quick"', '"quik"'),
    ],
)
def test_a_plan_that_no_rule_makes_is_none(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its digest would fit: whoever changes a window may change that as well."""
    monkeypatch.setattr(plan, "_digest", lambda profiles: "fits")
    text = Plan({"quick": Piloted({"a": 0.25}, {}, {}, (900,))}).text()
    assert old in text
    file = tmp_path / "plan.json"
    file.write_text(text.replace(old, new))
    with pytest.raises(BadPlan, match="plan"):
        plan.read(file)


def test_fewer_pilots_ask_for_more_and_expect_more_surprises(demo: Demo) -> None:
    claim = reading().tight()
    one, three = (pilot_margins.Row(claim, "default", 4.0, "", 1.0, pilots=n) for n in (1, 3))
    assert one.chance_open > three.chance_open > 1e-4
    assert (
        pilot_margins._least_margin(1)
        > pilot_margins._least_margin(2)
        > pilot_margins._least_margin(3)
        == plan.SAFE
    )


def test_a_plan_survives_its_file(tmp_path: Path) -> None:
    made = Plan({"quick": Piloted({"a": 0.25}, {"b": 3.9}, {"c": "about 900 runs"}, (900, 901))})
    file = tmp_path / "plan.json"
    file.write_text(made.text())
    assert plan.read(file) == made
    assert plan.read(tmp_path / "none.json") == Plan()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"profiles": {"quick": {}}}',
        '{"profiles": {"quick": {"windows": {"a": 0}, "margins": {}, "open": {}, "seeds": [900]}}}',
        '{"profiles": {"quick": {"windows": {"a": 2}, "margins": {}, "open": {}, "seeds": [900]}}}',
        '{"profiles": {"quick": {"windows": {"a": "late"}, "margins": {}, "open": {}, "seeds": [900]}}}',
        '{"profiles": {"quick": {"windows": {}, "margins": {"a": NaN}, "open": {}, "seeds": [900]}}}',
        "[" * 100_000,
        "\x00\xff",
    ],
)
def test_what_is_no_plan_is_said_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "plan.json"
    if text.startswith('{"p'):
        profiles = json.loads(text)["profiles"]
        text = json.dumps({"profiles": profiles, "digest": plan._digest(profiles)})
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadPlan, match="`workbench plan` makes a new one"):
        plan.read(file)


def test_a_window_chosen_by_hand_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    text = Plan({"quick": Piloted({"a": 0.25}, {"b": 3.9}, {"c": "about 900 runs"}, (900, 901))}).text()
    for before, after in (("0.25", "0.125"), ("3.9", "4.9"), ('"c": "about 900 runs"', ""), ("901", "902")):
        assert before in text
        file.write_text(text.replace(before, after))
        with pytest.raises(BadPlan, match=r"changed by hand; `workbench plan` makes a new one"):
            plan.read(file)


def test_a_file_that_is_no_plan_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "plan.json"
    file.write_text("{")
    monkeypatch.setattr(plan, "file_of", lambda paper: file)
    assert planner.committed_plans(["demo"]) == {"demo": Plan()}
    file.write_text(Plan({"quick": Piloted({"a": 0.25})}).text())
    assert planner.committed_plans(["demo"])["demo"].start("a") == 0.25


def test_a_plan_lies_beside_the_experiments(tmp_path: Path) -> None:
    folder, script = tmp_path / "mine", tmp_path / "single.py"
    folder.mkdir()
    (folder / "claims.py").write_text("")
    script.write_text("")
    with papers.temporary_view():
        papers.look(opened=[folder, script])
        assert plan.file_of("mine") == folder / "plan.json"
        assert plan.file_of("single") == tmp_path / "single.plan.json"
    for paper in SHIPPED:
        assert plan.file_of(paper) == ROOT / "theorems" / paper / "plan.json"
    assert plan.file_of("nobody") is None


def test_the_users_own_numbers_are_not_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that the plan leaves out is evaluated where the user gives it more runs."""
    claim = next(c for c in verify.claims() if c.needs and "quick" in c.profiles)
    key, left = claim.key, Piloted(open={claim.id: "too few runs"})
    monkeypatch.setattr(plan, "of", lambda paper: Plan({"quick": left}))
    assert claim in verify.chosen_claims([key], Options("quick"))[1]
    assert claim in verify.chosen_claims([key], Options("quick", runs=9999))[0]
    assert claim in verify.chosen_claims([key], Options("default"))[0] or "default" not in claim.profiles


# ------------------------------------------------------------------------------------------------------ the plans made

SHIPPED = sorted({c.key.split("/")[0] for c in verify.claims()})


@pytest.mark.parametrize("paper", SHIPPED)
def test_the_committed_plan_is_of_these_claims(paper: str) -> None:
    """Every window that a plan chooses is in it, and it names nothing that is gone. (`plan --check` does the rest.)"""
    made = plan.read(plan.file_of(paper))
    claims = [c for c in verify.claims() if c.key.split("/")[0] == paper]
    assert {"quick", "default"} <= made.profiles.keys()
    for profile, piloted in made.profiles.items():
        mine = [c for c in claims if profile in c.profiles]
        read = {r.id for c in mine if (r := windows.reading_of(c)) is not None}
        assert set(piloted.windows) == read
        assert {*piloted.margins, *piloted.open} <= {c.id for c in mine}
        for name, of_claim in piloted.margins.items():
            assert of_claim >= plan.SAFE - 0.05 or name in piloted.open, name


@pytest.mark.parametrize("paper", SHIPPED)
def test_the_committed_plan_is_of_these_statistics(paper: str) -> None:
    """Else `workbench plan` has to make it again."""
    made = plan.read(plan.file_of(paper))
    assert {p.statistics for p in made.profiles.values()} == {statistics_digest()}


def test_no_verdict_is_made_with_a_pilot_seed() -> None:
    """The default seed and the twenty that are tried are none of them, and a plan says which it was made with."""
    assert not set(plan.SEEDS) & set(range(21))
    for paper in SHIPPED:
        file = plan.file_of(paper)
        assert file is not None
        for piloted in plan.read(file).profiles.values():
            assert piloted.seeds == plan.SEEDS[: len(piloted.seeds)] != ()
    assert catalog.claims()


def test_what_lacks_runs_stands_apart_from_what_the_pilots_do_not_show(tmp_path: Path) -> None:
    """In the plan, in what is left out of a call, and in plans of before that distinction."""
    few = Piloted(open={"a": "about 300 runs", "b": "the pilot runs do not decide it"}, against={"b": True})
    made = Plan({"quick": few})
    assert [made.is_against(name, "quick") for name in ("a", "b", "c")] == [False, True, False]
    assert not made.is_against("b", "default")
    document = json.loads(made.text())
    assert document["profiles"]["quick"]["against"] == {"b": True}
    del document["profiles"]["quick"]["against"]
    document["profiles"]["quick"]["margins"] = {"a": 1.5}
    document["digest"] = plan._digest(document["profiles"])
    (tmp_path / "plan.json").write_text(json.dumps(document))
    assert [plan.read(tmp_path / "plan.json").is_against(n, "quick") for n in ("a", "b")] == [False, True]
