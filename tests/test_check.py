"""`workbench check`: the templates keep every contract, and each kind of mistake is found by its contract."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from thin import one_in
from typer.testing import CliRunner

from workbench.arrays import backends
from workbench.claims.claims import Bound, Claim, Custom, caught
from workbench.cli import scaffold
from workbench.cli.app import app
from workbench.cli.contracts import check, claims, steps
from workbench.cli.contracts.outcome import Outcome, Skipped, line, summary
from workbench.homes import papers
from workbench.run import catalog
from workbench.run.options import Options
from workbench.run.store.results import Store
from workbench.verdicts import verify

TINY = Options("quick", engine="eager", horizon=60, runs=4, jobs=1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_STORE", "store")
    scaffold.new(tmp_path / "my_paper")
    with papers.temporary_view():
        yield tmp_path / "my_paper"


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def outcome_of(folder: Path, contract: str) -> Outcome:
    catalog.entries_for([str(folder)])
    found = check.contracts_of(folder.name, TINY, Store(folder.parent / "store"))
    assert contract in found, sorted(found)
    return found[contract]()


GRAD = "return self.grad_f(x, xp) + self.noise(xi, x.shape[-1], 0, xp)"
METRIC = '{"grad_sq": wb.ops.sq(self.grad_f(s.x, xp), xp)}'
# mistake -> (contract, file, old, new, what is said)
MISTAKES = {
    "a module that does not parse": ("imports", "figures.py", "def draw(", "def draw((", r"figures.py:\d+: "),
    "an unknown simulation": ("figures", "figures.py", "(CURVE.sim.key,)", '("my_paper/sim-x",)', "sim-x"),
    "another shape": ("shapes and noise", "method.py", "- eta * g)", "- eta * g[..., 0])", "shape"),
    "rows that mix": ("shapes and noise", "method.py", "- eta * g)", "- eta * xp.mean(g, axis=0))", "axis=-1"),
    "noise of its own": (
        "shapes and noise", "problems.py", GRAD, GRAD + " + np.random.default_rng().normal()", "other numbers",
    ),
    "a write in place": ("purity", "method.py", "    eta =", "    g *= 1.0\n    eta =", "make a new array"),
    "the size of the batch": (
        "one by one", "method.py", "- eta * g)", "- eta * g / s.x.shape[0])", "run 0 alone gives NOT the same",
    ),
    "a method of NumPy's arrays": ("array standard", "method.py", "- eta * g)", "- eta * g.clip(-9, 9))", "clip"),
    "another number when compiled": (
        "engines agree", "problems.py", METRIC,
        METRIC[:-1] + " * (1.0 if isinstance(s.x, np.ndarray) else 2.0)}", "grad_sq differs",
    ),
    "a constant too small": ("constants", "problems.py", '"L": self.L,', '"L": 0.9 * self.L,', "exceeded .* 1.111"),
    "a constant too large": ("constants", "problems.py", '"L": self.L,', '"L": 1.2 * self.L,', "finds 0.833 of it"),
    "a constant that nobody samples": (
        "constants", "problems.py", '{"L": self.L,', '{"M": 1.0, "L": self.L,', "M is neither sampled",
    ),
    "no samples": ("constants", "problems.py", "def samples(", "def sample(", "no samples"),
    "a typed step size": (
        "schedule values", "theorem.py", 'schedule={"eta": v.eta}', 'schedule={"eta": 1 / v.L}',
        "eta = 0.3, where the schedule of my_paper/thm-1 gives 0.5",
    ),
    "a field that no method has": (
        "schedule fields", "theorem.py", 'schedule={"eta": v.eta}', 'schedule={"alpha": v.eta}', "fills alpha",
    ),
    "a formula that cannot be typeset": (
        "formulas", "theorem.py", "$O(T^{-1/2})$", "$O(T^{-1/2}$, $T^$", r"thm-1, statement: .* \$T\^\$ cannot",
    ),
    "no falsifier": (
        "falsifier", "experiments.py", "    STUDY.reading(THEOREM, CONSTANT, sigma=1.0).caught(),\n", "",
        "no falsifier",
    ),
    "a quantity that is not kept": (
        "claims read what is kept", "experiments.py", 'kind="compliant",',
        'kind="compliant", record=("grad_sq",),', "reads grad_sq_mean, which my_paper/sim-sgd does not keep",
    ),
    "a line twice": (
        "claims can fail", "experiments.py", "*(CURVE.rate(),", "*(CURVE.rate(), CURVE.rate(),", "claimed 2 times",
    ),
    "a wrong exponent": (
        "claims as expected", "theorem.py", "exponent=-1 / 2", "exponent=-3 / 4", "exponent.*violated, expected holds",
    ),
    "an empty figure": (
        "figures", "figures.py", "    wb.drawing.panel(axes, results, [CURVE])", "    ", "draws nothing",
    ),
    "a figure that fails": ("figures", "figures.py", "plt.subplots()", "plt.subplot()", r"figures.py:\d+"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found_by_its_contract(folder: Path, mistake: str) -> None:
    contract, file, old, new, said = MISTAKES[mistake]
    if mistake == "a field that no method has" or mistake == "a typed step size":
        edit(folder / "experiments.py", "Steps.of(THEOREM, eta=0.3)", "Steps(eta=0.3)")
    edit(folder / file, old, new)
    found = outcome_of(folder, contract)
    assert found.status == "broken", found
    assert re.search(said, " ".join(found.findings)), found.findings


@pytest.mark.parametrize(
    "contract",
    sorted(
        {row[0] for row in MISTAKES.values()} - {"claims as expected", "claims can fail", "engines agree"}
    ),
)
def test_the_template_keeps_it(folder: Path, contract: str) -> None:
    """So a finding above is due to the mistake. (Verdicts and kernels: the command below.)"""
    assert outcome_of(folder, contract).status == "kept"


def test_steps_that_depend_on_the_horizon_keep_their_schedule(folder: Path) -> None:
    """Each horizon has rows of its own, and T is theirs, not that of the whole simulation."""
    edit(folder / "theorem.py", '{"eta": v.eta}', '{"eta": 1 / (v.L * sqrt(v.T))}')
    edit(folder / "experiments.py", '{"sigma": [1.0]}', '{"sigma": [1.0], "until": [16.0, 32.0]}')
    edit(folder / "experiments.py", "Steps.of(THEOREM, eta=0.3)", "Steps.of(THEOREM)")
    assert outcome_of(folder, "schedule values").status == "kept"
    edit(folder / "experiments.py", "Steps.of(THEOREM)", "Steps.of(THEOREM, T=15.0)")
    assert outcome_of(folder, "schedule values").status == "broken"


# Claims of quantities that nobody keeps, in every form: made from the bound of a simulation.
UNKEPT: dict[str, Callable[[Bound], Claim]] = {
    "by name": lambda bound: replace(bound, metric="nothing"),
    "by a function": lambda bound: replace(bound, metric=lambda result: result.data["nothing"]),
    "in what is known": lambda bound: replace(bound, known=lambda result: {"x": result.table("nothing")}),
    "caught": lambda bound: caught(replace(bound, metric="nothing")),
    "computed": lambda bound: computed(bound, lambda results: results[bound.sim.key].curve("nothing")),
    "after another one": lambda bound: computed(
        bound, lambda results: [replace(bound, metric=m).finding(results) for m in (bound.metric, "nothing")]
    ),
}


def computed(bound: Bound, find: Callable[..., object]) -> Custom:
    return Custom(bound.key, "tight", "own", find, bound.needs)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", UNKEPT)
@pytest.mark.parametrize("named", [False, True])
def test_a_quantity_that_is_not_kept_is_found_in_every_form(form: str, named: bool) -> None:
    """With `record` or without; and the claim that it was made from reads what is kept."""
    kept = next(
        claim
        for claim in catalog.claims()
        if isinstance(claim, Bound) and isinstance(claim.metric, str) and not claim.sim.record
    )
    sim = replace(kept.sim, record=(kept.metric,)) if named else kept.sim
    assert list(claims.quantities(sim, [kept])) == []
    (said,) = claims.quantities(sim, [UNKEPT[form](kept)])
    assert f"reads nothing, which {sim.key} does not keep; it keeps " in said


@pytest.mark.parametrize("paper", one_in(3, sorted({key.split("/")[0] for key in catalog.simulations()})))
def test_the_claims_of_the_papers_read_what_is_kept(paper: str) -> None:
    chosen = check.about(paper, verify.claims())
    said = [
        sentence
        for sim in check.about(paper, catalog.simulations().values())
        for sentence in claims.quantities(sim, chosen)
    ]
    assert said == []


def test_a_mistake_that_stops_several_contracts_is_told_once(folder: Path) -> None:
    edit(folder / "experiments.py", "lambda grid: Bowl(", "lambda grid: 1 / 0 or Bowl(")
    catalog.entries_for([str(folder)])
    found = check.contracts_of(folder.name, TINY, Store(folder.parent / "store"))
    assert all(
        "experiments.py:11: ZeroDivisionError" in said for said in found["shapes and noise"]().findings
    )
    assert found["purity"]().findings == ("cannot be run; see `shapes and noise`",)


@pytest.mark.parametrize(
    "contract", ["shapes and noise", "purity", "one by one", "constants", "schedule values"]
)
def test_a_new_file_keeps_it_too(tmp_path: Path, contract: str) -> None:
    """Its instance declares no constants, which is no mistake."""
    scaffold.new(tmp_path / "claim.py", single=True)
    with papers.temporary_view():
        catalog.entries_for([str(tmp_path / "claim.py")])
        outcome = check.contracts_of("claim", TINY, Store(tmp_path / "store"))[contract]()
    assert outcome.status != "broken", outcome.findings


def test_what_cannot_be_compiled_is_no_mistake(folder: Path) -> None:
    edit(folder / "method.py", "- eta * g)", "- eta * xp.sort(g, axis=-1))")
    found = outcome_of(folder, "engines agree")
    assert found.status == "skipped"
    assert "only the eager engine" in found.findings[0]


def test_without_the_strict_library_its_contract_is_skipped(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in an installation for users, who have no test tools."""

    def missing(name: str) -> None:
        raise backends.BackendError(f"{name} is missing")

    monkeypatch.setattr(backends, "namespace", missing)
    with pytest.raises(Skipped, match="not installed"):
        list(steps.standard(None))  # type: ignore[arg-type]


def call(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    return done.exit_code, done.output


def test_the_command(folder: Path) -> None:
    """Everything, at the size of the profile: the new paper keeps all contracts, and a mistake is exit 1."""
    status, said = call("check", "./my_paper", "--jobs", "1")
    assert status == 0, said
    assert said.endswith("16 contracts: 16 kept, 0 broken, 0 skipped.\n")
    edit(folder / "problems.py", '"L": self.L,', '"L": 0.9 * self.L,')
    status, said = call("check", "./my_paper", "--jobs", "1", "--json")
    assert status == 1
    broken = {row["contract"] for row in json.loads(said) if row["status"] == "broken"}
    assert broken == {"constants", "claims as expected"}


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("./nothing", "no folder or file"),
        ("./my_paper/sim-sgd", "of kind experiment"),
        ("nobody", "there is no"),
    ],
)
def test_what_cannot_be_checked(folder: Path, word: str, said: str) -> None:
    status, told = call("check", word)
    assert status == 2
    assert said in told


def test_a_proof_in_a_circle_is_told(folder: Path) -> None:
    links = "[lem-1] one | L1\n  uses lem-2\n  says One.\n[lem-2] two | L2\n  uses lem-1\n  says Two.\n"
    (folder / "proof.txt").write_text(links)
    done = CliRunner().invoke(app, ["check", str(folder)])
    assert "links of proofs" in done.output
    assert "circular proof: " in done.output


def test_private_names_are_noted_with_their_public_form(folder: Path) -> None:
    """They work, and may change."""
    assert outcome_of(folder, "public names").status == "kept"
    edit(
        folder / "experiments.py",
        "import workbench as wb",
        "import workbench as wb\nfrom workbench.claims.study import Study, named\nimport workbench.engine.eager"
        "\nfrom workbench.ops import sq\nimport workbench.claims",
    )
    found = outcome_of(folder, "public names")
    assert found.status == "noted"
    (said,) = found.findings
    assert said == (
        "my_paper/experiments.py imports private names, which may change: workbench.claims.study.Study (wb.Study),"
        " workbench.claims.study.named (wb.claims.named), workbench.engine.eager"
    )
    assert "noted" in line(found)
    assert summary([found]) == "1 contracts: 0 kept, 1 noted, 0 broken, 0 skipped."


@pytest.mark.parametrize("key", papers.built_in())
def test_papers_that_ship_import_public_names_alone(key: str) -> None:
    found = check.public(key)
    assert found.count > 1
    assert found.status == "kept", found.findings


def test_a_folder_of_the_former_form_is_told_the_new_one(tmp_path: Path) -> None:
    """Where a paper had a part in each of several folders."""
    for part in ("algorithms", "instances"):
        (tmp_path / "mine" / "workbench" / part / "my_paper").mkdir(parents=True)
    status, told = call("check", str(tmp_path / "mine"))
    assert status == 2
    assert "the former form: a paper is one folder that holds all of them, as `workbench new " in told
