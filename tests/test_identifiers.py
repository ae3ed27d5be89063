"""Ids of claims and readings: built of declared names alone, unique within a paper, and what its plan goes by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from same_verdicts import differences
from typer.testing import CliRunner

from workbench.claims import windows
from workbench.claims.batches import always
from workbench.claims.claimed_exponents import Claimed
from workbench.claims.claims import Claim, Custom, Results, caught
from workbench.claims.costs import Complexity
from workbench.claims.plan import UNPLANNED, Piloted, Plan, Tolerance
from workbench.claims.readings import Rate, Reading
from workbench.claims.records import PROFILES
from workbench.claims.scaling import Scaling
from workbench.claims.study import Study
from workbench.claims.views import calls_of
from workbench.cli.app import app
from workbench.engine.marks import log_marks
from workbench.engine.records import Result
from workbench.evidence.verdicts import Finding
from workbench.homes import papers
from workbench.report.drawing import readings as drawing
from workbench.report.drawing.figure import Results as Drawn
from workbench.run import catalog
from workbench.run.options import Options, UsageError
from workbench.theory.record import Paper
from workbench.verdicts import plans, verify

STUDY = Study(Paper("demo", "Demo", "Nobody", "nowhere"), metric="gap_mean")
SIM = STUDY.simulation_from("bias", "A title", "method", lambda T, n: None, always(100), always(4))  # type: ignore
READING = STUDY.reading("demo/thm-3.1", SIM, claimed=Claimed(-0.25, "by hand"), label=", a label")
BENT = Plan(
    {"quick": Piloted({READING.id: 0.25}, tolerances={READING.rate().id: Tolerance(-0.25, 0.5, 0.03)})}
)


def at(**where: float) -> Reading:
    return replace(READING, where=where)


def results() -> dict[str, Result]:
    """T^-1/2 up to a quarter of the horizon, T^-1/4 from there on."""
    marks, none = log_marks(1 << 16), np.zeros(8, dtype=int)
    slopes = np.where(marks <= marks[-1] / 4, -0.5, -0.25)
    curve = np.exp(np.cumsum(slopes * np.diff(np.log(marks), prepend=0.0)))
    made = Result(
        marks=marks,
        data={"gap_mean": np.linspace(0.99, 1.01, 8)[:, None] * curve},
        params={},
        run_ids=np.arange(8),
        status=none,
        failed_at=none,
        calls={},
        elapsed=np.ones(len(marks)),
    )
    return {SIM.key: made}


# --------------------------------------------------------------------------------------------------- their names


@pytest.mark.parametrize(
    ("claim", "known"),
    [
        (at(tau=0.1).tight(), "thm-3.1/tight/bias/gap_mean/tau=0.1"),
        (at(tau=0.1, b=0.5).rate(), "thm-3.1/rate/bias/gap_mean/b=0.5,tau=0.1"),
        (READING.caught(), "thm-3.1/falsifier/rate/bias/gap_mean"),
        (replace(READING, tag="printed").rate(), "thm-3.1/rate/bias/gap_mean/printed"),
        (READING.level(lambda T, **_: T, "A level in words"), "thm-3.1/tight/bias/gap_mean/level"),
        (Complexity(READING.rate(), "Calls in words"), "thm-3.1/complexity/bias/gap_mean"),
        (replace(READING, metric=calls_of("gradient")).rate(), "thm-3.1/rate/bias/gradient-calls"),
        (replace(READING, metric=lambda result: result.data["gap"]).rate(), "thm-3.1/rate/bias"),
        (Scaling((at(tau=0.1), at(tau=0.2)), "tau", 1.0, "Words"), "thm-3.1/scaling/bias/gap_mean/tau"),
        (
            Custom("demo/fig-1", "bound", "Words", lambda r: None, (SIM.key,), tag="own"),
            "fig-1/bound/bias/own",
        ),  # type: ignore
    ],
)
def test_an_id_is_made_of_declared_names(claim: Claim, known: str) -> None:
    assert claim.id == known


def test_readings_that_are_claimed_differently_have_one_window() -> None:
    assert READING.id == "thm-3.1/bias/gap_mean"
    for claim in (READING.tight(), READING.caught(), READING.level(lambda T, **_: T, "level")):
        assert (found := windows.reading_of(claim)) is not None
        assert found.id == READING.id


@pytest.mark.parametrize("tag", ["two words", "a/b", "-", "\n"])
def test_a_tag_is_one_word(tag: str) -> None:
    for make in (
        lambda: replace(READING, tag=tag),
        lambda: Custom("demo/thm-1", "bound", "A", print, tag=tag),
    ):  # type: ignore
        with pytest.raises(ValueError, match="no single word"):
            make()


def test_ids_are_unique_within_a_paper() -> None:
    names = [(c.paper, c.id) for c in verify.claims()]
    assert len(names) == len(set(names))


def test_two_claims_of_one_id_are_an_error_that_names_both() -> None:
    printed = replace(READING, label=", as printed").rate(
        claimed=Claimed(-0.5, "printed"), expected="violated"
    )
    with pytest.raises(UsageError) as error:
        plans.check_apart([READING.rate(), printed])
    for words in (
        "'A title, a label'",
        "'A title, as printed'",
        "thm-3.1/rate/bias/gap_mean",
        "give one of them a tag",
    ):
        assert words in str(error.value)
    plans.check_apart([READING.rate(), replace(READING).rate()])  # the same claim, listed twice
    plans.check_apart([READING.rate(), replace(READING, theorem="other/thm-3.1").rate()])


# ---------------------------------------------------------------------------------------------- the plan is given


def test_a_claim_reads_no_file_while_it_is_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *_: pytest.fail("a file was read"))
    claim, found = READING.rate(tol=0.5), results()
    assert claim.finding(found, BENT).value == pytest.approx(-0.25, abs=1e-6)
    assert claim.finding(found).value < -0.3
    assert READING.slope(found, BENT).value == pytest.approx(-0.25, abs=1e-6)


def test_who_wraps_a_claim_hands_its_plan_on() -> None:
    given: list[Plan] = []

    class Seen(Rate):
        def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
            given.append(plan)
            return super().finding(results, plan)

    seen = Seen(READING)
    for claim in (seen, caught(seen), caught(caught(seen)), Complexity(seen, "calls")):
        claim.finding(results(), BENT)
    assert given == [BENT] * 4


def test_a_caption_says_the_slope_that_verdicts_read() -> None:
    assert drawing.slope_text(Drawn(results(), BENT), READING) == "\N{MINUS SIGN}0.25"
    assert drawing.slope_text(Drawn(results()), READING) != "\N{MINUS SIGN}0.25"


def test_the_users_own_numbers_have_windows_and_the_authors_tolerances() -> None:
    claim, given = READING.rate(tol=0.5), BENT.as_given()
    assert claim.tolerance(BENT) == 0.03
    assert (claim.tolerance(given), given.start(READING.id)) == (0.5, 0.25)


# ----------------------------------------------------------------------------------------------- names and words


def chosen(paper: str) -> list[Any]:
    """What the plan of a paper says of each of its claims."""
    claims = [c for c in verify.claims() if c.paper == paper]
    held = verify.plans_of(claims)[paper]
    return [
        (
            c.id,
            (r := windows.reading_of(c)) and held.start(r.id),
            [c.tolerance(held)] if isinstance(c, Rate) else [],
            [verify.why_left(c, profile, held) for profile in PROFILES],
        )
        for c in claims
    ]


SHIPPED = next(iter(papers.built_in()))


@pytest.fixture
def renamed() -> Iterator[list[str]]:
    """All simulations of one paper under another title, while the test runs."""
    sims = [s for s in catalog.simulations().values() if s.key.startswith(f"{SHIPPED}/")]
    before = [s.title for s in sims]
    yield before
    for sim, title in zip(sims, before, strict=True):
        object.__setattr__(sim, "title", title)


def test_another_title_changes_nothing_that_was_planned(renamed: list[str]) -> None:
    """Once 14 readings lost their windows when "Ada-NSGDM" became "AdaNSGDM" in a title."""
    planned = chosen(SHIPPED)
    words = [c.experiment for c in verify.claims() if c.paper == SHIPPED and c.needs]
    assert sum(start is not None for _, start, *_ in planned) > 40
    assert sum(any(left) for *_, left in planned) > 5
    for n, sim in enumerate(s for s in catalog.simulations().values() if s.key.startswith(f"{SHIPPED}/")):
        object.__setattr__(sim, "title", f"Simulation {n}")
    now = [c.experiment for c in verify.claims() if c.paper == SHIPPED and c.needs]
    assert sum(a != b for a, b in zip(words, now, strict=True)) > 50
    assert chosen(SHIPPED) == planned


OWN = """
import workbench as wb

State, Steps = wb.state("x"), wb.steps("eta")

def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta / xp.sqrt(t) * oracle.grad(s.x, draw(0)))

STUDY = wb.Study(__name__, "SGD", metric="grad_norm_mean", view=wb.window_means)
SGD = STUDY.simulation(
    step, Steps(eta=1.0), problem=lambda p: wb.problems.Quadratic(wb.Sphere(p["sigma"])),
    start={"x": 1.0}, grid={"sigma": [1.0]}, horizon=1000, runs=8, name="sgd", title="SGD on a bowl",
)
CURVE = STUDY.reading("thm-1", SGD, sigma=1.0, claimed=-1 / 4)
CLAIMS = (CURVE.rate(), CURVE.caught(claimed=-1 / 2))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's paper with a plan that leaves one of its claims out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_STORE", "store")
    (tmp_path / "my_paper").mkdir()
    (tmp_path / "my_paper" / "claims.py").write_text(OWN)
    reading, rate = "thm-1/sgd/grad_norm_mean/sigma=1", "thm-1/rate/sgd/grad_norm_mean/sigma=1"
    piloted = Piloted({reading: 0.25}, open={rate: "too few runs"}, seeds=(900,))
    (tmp_path / "my_paper" / "plan.json").write_text(Plan({"quick": piloted}).text())
    return tmp_path / "my_paper"


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def left_out(paper: str = "my_paper") -> list[str]:
    with papers.temporary_view():
        catalog.entries_for([f"./{paper}"])
        return [c.id for c in verify.chosen_claims([paper], Options("quick"))[1]]


def said(*words: str) -> str:
    """The one sentence of a command that ends with 2."""
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 2, done.output
    assert done.stderr.count("\n") == 1
    return str(done.stderr)


def test_a_renamed_simulation_loses_its_plan_with_a_word(folder: Path) -> None:
    planned = left_out()
    assert planned == ["thm-1/rate/sgd/grad_norm_mean/sigma=1"]
    edit(folder / "claims.py", "SGD on a bowl", "SGD")
    assert left_out() == planned
    edit(folder / "claims.py", '"sgd"', '"plain"')
    for words in (("verify", "./my_paper"), ("plan", "./my_paper", "--check", "--profile", "quick")):
        sentence = said(*words)
        assert planned[0] in sentence
        assert "that no claim of my_paper uses" in sentence
        assert "`workbench plan` makes a new one" in sentence


def test_a_folder_under_another_name_keeps_its_plan(folder: Path) -> None:
    planned = left_out()
    folder.rename(folder.with_name("their_paper"))
    assert left_out("their_paper") == planned != []


def test_a_new_plan_has_no_entry_of_a_claim_that_is_gone() -> None:
    claim = READING.rate()
    gone = Plan(
        {"full": Piloted({"thm-9/sim": 0.25, READING.id: 0.5}, {"thm-9/rate/sim": 4.0, claim.id: 5.0})}
    )
    assert plans.used_part(gone, [claim]) == Plan({"full": Piloted({READING.id: 0.5}, {claim.id: 5.0})})
    with pytest.raises(UsageError, match=r"for thm-9/rate/sim, thm-9/sim: `workbench plan` makes a new one"):
        plans.check_used("demo", gone, [claim])
    wanted = replace(claim, profiles=("quick",))
    with pytest.raises(
        UsageError, match=claim.id
    ):  # no claim of the profile, though its window counts in others
        plans.check_used("demo", Plan({"full": Piloted({READING.id: 0.5}, {claim.id: 5.0})}), [wanted])


def test_lines_are_compared_by_their_ids() -> None:
    row = {"key": "demo/thm-1", "evidence": "rate", "experiment": "One", "id": "thm-1/rate/one", "value": 1.0}
    other = {**row, "experiment": "Uno"}
    assert list(differences([row], [other])) == []
    assert list(differences([row], [{**other, "value": 2.0}])) == [
        "('demo', 'thm-1/rate/one'): value was 1.0, is 2.0"
    ]
    old = {name: value for name, value in row.items() if name != "id"}
    assert list(differences([old], [row])) == []
    assert len(list(differences([old], [other]))) == 2
