"""The catalog: what is found by walking, and that all of it hangs together, whatever papers there are."""

from __future__ import annotations

import dataclasses
import importlib
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from workbench.claims import mutation
from workbench.claims.records import PROFILES, Simulation
from workbench.cli.app import app
from workbench.cli.contracts import claims as contracts
from workbench.evidence.verdicts import Verdict
from workbench.homes import papers
from workbench.run import catalog, jobs
from workbench.verdicts import verify

ROOT = Path(__file__).parents[1]
SIMULATIONS = catalog.simulations()
CLAIMS = verify.claims()
KINDS = ("exponent", "bound", "rate", "tight", "falsifier", "assumptions")  # what every theorem must face

each_mutant = pytest.mark.parametrize(
    "sim", [s for s in SIMULATIONS.values() if s.mutation], ids=lambda s: s.key
)


# ------------------------------------------------------------------------------------------ what is found


def test_keys_are_unique_and_filed_under_their_paper() -> None:
    entries = catalog.entries()
    assert len({e.key for e in entries}) == len(entries)
    assert {e.kind for e in entries} <= set(catalog.KINDS)
    papers = {e.key for e in entries if e.kind == "paper"}
    assert papers
    for e in entries:
        assert e.paper in papers | {"baselines", "ready"}
        assert e.key == e.paper or e.key.startswith(f"{e.paper}/")
        assert e.title
        assert e.source


def test_everything_that_is_found_is_listed() -> None:
    listed = Counter(e.kind for e in catalog.entries())
    assert listed["theorem"] == len(catalog.theorems()) > 0
    assert listed["experiment"] == len(SIMULATIONS) > 0
    assert listed["figure"] == len(catalog.figures()) > 0
    assert listed["algorithm"] == len(catalog.algorithms()) > 0
    assert listed["instance"] == len(catalog.instances()) > 0


def test_no_module_holds_a_record_that_is_lost() -> None:
    """Dictionaries by key would swallow a second simulation, theorem or figure of the same key without a word."""
    values = [v for m in catalog.modules("experiments") for v in vars(m).values()]
    assert {id(v) for v in values if isinstance(v, Simulation)} <= {id(s) for s in SIMULATIONS.values()}
    for role, name, found in (
        ("theory", "THEOREMS", catalog.theorems()),
        ("figures", "FIGURES", catalog.figures()),
    ):
        records = {id(r): r for m in catalog.modules(role) for r in getattr(m, name, ())}
        if name == "FIGURES":
            records |= {id(m.FIGURE): m.FIGURE for m in catalog.modules(role) if hasattr(m, "FIGURE")}
            made = importlib.import_module(catalog.PER_PAPER).per_paper()
            records |= {id(f): f for f in made}
            assert len(made) > 1
        assert len(records) == len(found)
        assert all(key == record.key for key, record in found.items())


def test_abstract_classes_are_not_listed() -> None:
    """What others extend: there are such classes, and none of them is listed."""
    listed = set(catalog.instances().values())
    bases = {base for cls in listed for base in cls.__mro__[1:] if hasattr(base, "COSTS")}
    assert bases
    assert bases.isdisjoint(listed)


def test_a_subclass_made_elsewhere_hides_nothing() -> None:
    before = catalog.instances()
    parent = next(iter(before.values()))
    made = dataclasses.make_dataclass("Elsewhere", [], bases=(parent,), frozen=True)
    assert made in parent.__subclasses__()
    assert catalog.instances() == before


# ------------------------------------------------------------------------------------------ finding by key


def test_a_key_finds_itself() -> None:
    for e in catalog.entries():
        assert catalog.find(e.key) is e


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalog of two papers."""
    names = ("thm-4.1", "thm-4.2", "thm-5.6", "sim-one", "sim-one-more", *(f"sim-i{n}" for n in range(9)))
    keys = ("other", "toy_paper", *(f"toy_paper/{name}" for name in names))
    made = tuple(catalog.Entry("experiment", key, "toy_paper", "title", "source") for key in keys)
    monkeypatch.setattr(catalog, "entries", lambda: made)


def test_a_unique_prefix_will_do(toy: None) -> None:
    """Unique, or the beginning of a family whose shortest key the others only continue."""
    assert catalog.find("toy_pa").key == "toy_paper"
    assert catalog.find("toy_paper/thm-5").key == "toy_paper/thm-5.6"
    assert catalog.find("toy_paper/sim-o").key == "toy_paper/sim-one"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("toy_paper/thm-4", r"not unique: toy_paper/thm-4\.1, toy_paper/thm-4\.2$"),
        ("toy_paper/sim-i", r"not unique: .*sim-i0, .* \.\.\."),
        ("", "not unique"),
        ("toy_paper/thm-5.7", r"nearest are .*toy_paper/thm-5\.6"),
        ("thm-5.6", r"nearest are toy_paper/thm-5\.6"),  # the paper forgotten
        ("5.6", r"nearest are toy_paper/thm-5\.6"),
        ("TOY_PAPER", "nearest are toy_paper"),
        ("§$%&", "`workbench list` shows every key"),
    ],
)
def test_a_wrong_key_is_answered_with_near_ones(text: str, said: str, toy: None) -> None:
    with pytest.raises(catalog.UnknownKey, match=said):
        catalog.find(text)


def test_a_key_of_a_file_with_a_mistake_is_answered_by_the_mistake(tmp_path: Path) -> None:
    """`workbench compare mine.py/sim-main other` said only that there is no such key."""
    file = tmp_path / "mine.py"
    file.write_text("import workbench as wb\nPAPER = wb.Paper(__name__, 'M', 'N', 'O')\nnot_defined()\n")
    with papers.temporary_view():
        done = CliRunner().invoke(app, ["compare", f"{file}/sim-main", f"{file}/sim-other"])
    assert done.exit_code == 2
    assert "there is no 'mine/sim-main'" in done.output
    assert "not_defined" in done.output


# --------------------------------------------------------------------------------------------- falsifiers


@each_mutant
def test_a_mutation_applies(sim: Simulation) -> None:
    assert sim.kind in ("falsifier", "compliant")  # compliant: a statement that the theorem admits as well
    right = jobs.algorithm_of(dataclasses.replace(sim, mutation=None))
    wrong = jobs.algorithm_of(sim)
    assert wrong.step is not right.step
    assert wrong.init is right.init


@pytest.mark.parametrize("key", [s.key for s in SIMULATIONS.values() if s.kind == "falsifier"])
def test_a_falsifier_is_read_by_a_claim_that_it_is_caught(key: str) -> None:
    """Or by one whose note says why it cannot be seen there."""
    readers = [c for c in CLAIMS if key in c.needs]
    assert any(c.evidence == "falsifier" or "cannot show it" in c.note for c in readers)


def test_a_falsifier_is_a_wrong_method_or_a_wrong_statement() -> None:
    """A wrong statement about a right method stands beside a right one about the same runs.

    One that needs no runs, such as an exact enumeration, stands beside an exact one of the same theorem and kind.
    """
    right = [c for c in CLAIMS if c.evidence != "falsifier" and c.expected == "holds"]
    runs = {frozenset(c.needs) for c in right if c.needs}
    exact = {(c.key, c.evidence) for c in right if not c.needs}
    for claim in CLAIMS:
        if claim.evidence == "falsifier" and claim.needs:
            wrong = {SIMULATIONS[k].kind for k in claim.needs} == {"falsifier"}
            assert wrong or frozenset(claim.needs) in runs, claim.experiment
        elif claim.evidence == "falsifier":
            assert (claim.key, claim.claim.evidence) in exact, claim.experiment


def test_a_mutation_of_a_statement_that_is_not_there_is_noticed() -> None:
    sim = next(s for s in SIMULATIONS.values() if s.mutation)
    odd = dataclasses.replace(sim.mutation, statement="no_such_name")
    with pytest.raises(ValueError, match="it must have exactly one"):
        mutation.mutant(jobs.algorithm_of(dataclasses.replace(sim, mutation=None)), odd)


# ------------------------------------------------------------------------------------- claims and figures


def test_claims_are_told_apart_by_what_the_table_shows() -> None:
    """(key, evidence, experiment) names a line for programs that compare two reports."""
    lines = Counter((c.key, c.evidence, c.experiment) for c in CLAIMS)
    assert [line for line, n in lines.items() if n > 1] == []


def test_claims_are_well_formed() -> None:
    known = {e.key for e in catalog.entries()}
    for claim in CLAIMS:
        assert claim.key in known
        assert claim.expected in set(Verdict)
        assert set(claim.needs) <= SIMULATIONS.keys()
        assert claim.profiles
        assert set(claim.profiles) <= set(PROFILES)
        assert claim.expected == "holds" or claim.note or claim.evidence == "bound", "a finding says why"


def evidence_of(start: str, profile: str = "full") -> set[str]:
    return {c.evidence for c in CLAIMS if c.key.startswith(start) and profile in c.profiles}


@pytest.mark.parametrize("theorem", catalog.theorems().values(), ids=catalog.theorems())
def test_every_theorem_faces_its_evidence(theorem) -> None:
    """A bound is compared and its exponent derived, in every profile and form; a mere limit is followed.

    Remarks speak of a theorem's own runs.
    """
    mine = [c for c in CLAIMS if c.key == theorem.key]
    made = {c.evidence for c in mine}
    assert {"assumptions", "rate"} <= made or "own" in theorem.key or "/rem-" in theorem.key
    if theorem.forms:
        assert {"exponent", "bound"} & made
        assert {"exponent", "bound"} & {c.evidence for c in mine if "quick" in c.profiles}
    if {f.name for f in theorem.forms} >= {"printed", "repaired"}:
        for form in ("printed", "repaired"):
            assert any(form in c.experiment for c in mine)


@pytest.mark.parametrize("paper", sorted({t.paper.key for t in catalog.theorems().values()}))
def test_every_paper_faces_every_kind_of_evidence(paper: str) -> None:
    """Together its theorems do, by default; a rate needs more runs or a longer horizon than the quick profile has."""
    assert {*KINDS, "lemma"} - {"scaling"} <= evidence_of(f"{paper}/", "default")
    assert {"exponent", "bound", "lemma", "falsifier"} <= evidence_of(f"{paper}/", "quick")


def test_every_simulation_is_read() -> None:
    read = {k for c in CLAIMS for k in c.needs} | {k for f in catalog.figures().values() for k in f.needs}
    assert SIMULATIONS.keys() - read == set()


@pytest.mark.parametrize("figure", catalog.figures().values(), ids=catalog.figures())
def test_figures_are_well_formed(figure) -> None:
    assert figure.needs
    assert set(figure.needs) <= SIMULATIONS.keys()
    assert figure.title
    assert figure.source
    assert figure.caption.endswith(".")


# ------------------------------------------------------------------------------------------------ a narrow view

EVERYTHING = {f.__name__: f for f in (catalog.simulations, catalog.theorems, catalog.lemmas, catalog.figures)}


def test_with_keys_only_their_papers_are_seen() -> None:
    """In a fresh process: importing the others is what takes time."""
    first = next(key for key in papers.built_in() if key != papers.COMPETITORS)
    theorem = next(key for key in catalog.theorems() if key.split("/")[0] == first)
    code = (
        "import sys; from workbench.homes import papers; papers.narrow([sys.argv[2]])\n"
        "from workbench.run import catalog\n"
        "assert [e.key for e in catalog.entries_for([sys.argv[2]])] == [sys.argv[2]]\n"
        "drawing = sys.modules.keys() & {'matplotlib', 'scipy.stats'}\n"
        "seen = {key.split('/')[0] for known in (catalog.simulations(), catalog.theorems()) for key in known}\n"
        "there = {key for m in sys.modules if (key := papers.key_of(m))} - {papers.COMPETITORS}\n"
        "print(*seen, *there, *drawing)"
    )
    words = [sys.executable, "-c", code, first, theorem]
    said = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
    assert said.stdout.split() == [first, first], said.stderr


@pytest.mark.parametrize("paper", [key for key in papers.built_in() if key != papers.COMPETITORS])
def test_nothing_is_missing_in_a_narrow_view(paper: str) -> None:
    whole = {name: set(found()) for name, found in EVERYTHING.items()}
    with papers.temporary_view():
        papers.narrow([paper])
        mine = {name: set(found()) for name, found in EVERYTHING.items()}
        assert catalog.import_failures() == {}
    assert mine == {name: {k for k in found if k.split("/")[0] == paper} for name, found in whole.items()}


@pytest.mark.parametrize("keys", [[], [""], ["nothing"], ["./{0}"], ["{0}/thm-1", "nothing"]])
def test_a_view_is_not_narrowed_by_what_may_be_no_paper(keys: list[str]) -> None:
    first = next(iter(papers.built_in()))
    before = papers.view()
    papers.narrow([key.format(first) for key in keys])
    assert papers.view() is before


def test_a_command_with_keys_leaves_the_view_as_it_was(tmp_path: Path) -> None:
    first, before = next(iter(papers.built_in())), papers.view()
    done = CliRunner().invoke(app, ["verify", f"{first}/nothing", "--store", str(tmp_path)])
    assert (done.exit_code, papers.view()) == (2, before)
    assert f"{first}/nothing" in done.output


@pytest.mark.parametrize("sim", [s for s in SIMULATIONS.values() if s.record or s.probe], ids=lambda s: s.key)
def test_claims_of_every_profile_read_what_is_kept(sim: Simulation) -> None:
    """Also those that the plan leaves out: it reads them, and so does a horizon of the user's own."""
    assert list(contracts.quantities(sim, CLAIMS)) == []
