"""A theorem with a linear rate claims no power of T; what `Steps.of` is given reaches bound and level by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sympy import sqrt
from typer.testing import CliRunner

import workbench as wb
from workbench import evidence
from workbench.claims.kinds import Kind
from workbench.cli.app import app
from workbench.report.drawing import kinds

LINEAR = """
import workbench as wb
from sympy import sqrt

v, State, Steps = wb.vocabulary, wb.state("x", "y"), wb.steps("eta", "beta")
PAPER = wb.Paper(__name__, "Nesterov, strongly convex", "Y. Nesterov", "2004, Theorem 2.2.3")
root = sqrt(v.mu / v.L)
THEOREM = PAPER.theorem(
    "thm-1", bound=v.c * v.D_1**2 * (1 - root) ** (v.T - 1), schedule={"eta": 1 / v.L, "beta": (1 - root) / (1 + root)},
    generic={v.L: 4, v.mu: 1, v.D_1: 1},
)

def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"])

def step(s, t, c, oracle, draw, xp):
    x = s.y - c.eta * oracle.grad(s.y, draw(0))
    return State(x, x + c.beta * (x - s.x))

STUDY = wb.Study(PAPER, metric="gap", kind="compliant")
SIM = STUDY.simulation(
    step, Steps.of(THEOREM, c=1.0), problem=wb.problems.DiagonalQuadratic(mu=0.01, L=1.0),
    start={"x": lambda grid: grid.random_start(-1, 1, 20)}, horizon=1000, runs=32,
)
CURVE = STUDY.reading(THEOREM, SIM)
CLAIMS = (
    STUDY.bound(THEOREM, "printed", SIM), *STUDY.exponents(THEOREM),
    CURVE.geometric(factor=0.9, or_faster=True), CURVE.geometric(), CURVE.geometric(factor=0.7).caught(),
)
""".replace("v.c", "Symbol('c', positive=True)").replace("import sqrt", "import Symbol, sqrt")


def test_a_theorem_with_a_linear_rate_has_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("linear.py").write_text(LINEAR)
    done = CliRunner().invoke(app, ["verify", "linear.py", "--store", "store", "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert "holds         linear rate: in 2 of 2 lines: factor" in done.output
    assert "holds         bound as printed: never exceeded" in done.output
    done = CliRunner().invoke(app, ["check", "linear.py"])
    assert "BROKEN" not in done.output


def test_without_an_exponent_a_rate_is_refused() -> None:
    paper = wb.Paper("no_power", "A linear rate", "A. Author", "draft")
    theorem = paper.theorem("thm-1", bound=wb.vocabulary.L * 2**-wb.vocabulary.T)
    study = wb.Study(paper, metric="gap", view=wb.as_recorded)
    assert study.exponents(theorem) == ()
    with pytest.raises(ValueError, match="claims no power of T"):
        study.reading(theorem, simulation(study, wb.steps("eta")(eta=0.1))).rate()


# ------------------------------------------------------------------------------------------ values of `Steps.of`


def step(s, t, c, oracle, draw, xp):
    return s._replace(x=s.x - c.eta * oracle.grad(s.x, draw(0)))


class Descent:
    State, step = wb.state("x"), staticmethod(step)

    def init(start, c, oracle, draw, xp):
        return Descent.State(start["x"])


def simulation(study: wb.Study, steps: object, **more: object) -> object:
    bowl = wb.problems.Quadratic(wb.Sphere(1.0))
    return study.simulation(step, steps, problem=bowl, start={"x": 1.0}, horizon=8, runs=4, **more)


def result_of(sim) -> wb.Result:
    batch = sim.make(8, 4)
    problem = wb.Problem(Descent, batch.instance, batch.steps, batch.start, batch.grid)
    return wb.simulate(problem, wb.Run(np.array([1, 2, 4, 8])))


def test_a_bound_knows_what_the_theorem_leaves_free() -> None:
    v, Steps = wb.vocabulary, wb.steps("eta")
    paper = wb.Paper("free_values", "Free values", "A. Author", "draft")
    bound = v.eta * v.alpha * v.L / sqrt(v.T)
    theorem = paper.theorem("thm-1", bound=bound, exponent=-1 / 2, schedule={"eta": v.eta / sqrt(v.T)})
    study = wb.Study(paper, metric="gap", view=wb.as_recorded)
    sim = simulation(study, Steps.of(theorem, eta=0.5, T=8.0), grid={"alpha": [1.0, 3.0]})
    curves = study.bound(theorem, "printed", sim).curves(result_of(sim))
    expected = 0.5 * np.repeat([1.0, 3.0], 4)[:, None] / np.sqrt([1, 2, 4, 8])
    np.testing.assert_allclose(curves, expected, rtol=1e-14)  # at every T, not at that of the schedule
    own = study.bound(theorem, "printed", sim, known=lambda result: {"eta": 0.25})
    np.testing.assert_allclose(own.curves(result_of(sim)), expected / 2, rtol=1e-14)


def test_the_values_of_another_theorem_are_not_taken() -> None:
    v = wb.vocabulary
    paper = wb.Paper("two_theorems", "Two theorems", "A. Author", "draft")
    one, two = (
        paper.theorem(name, bound=v.eta * v.L / v.T, exponent=-1, schedule={"eta": v.eta})
        for name in ("thm-1", "thm-2")
    )
    study = wb.Study(paper, metric="gap", view=wb.as_recorded)
    sim = simulation(study, wb.steps("eta").of(one, eta=0.5))
    with pytest.raises(TypeError, match="missing constants: eta"):
        study.bound(two, "printed", sim).curves(result_of(sim))


# ---------------------------------------------------------------------------------------------------- pictures


def test_what_is_claimed_is_drawn_where_the_curve_is_no_rounding() -> None:
    marks = np.unique(np.geomspace(1, 1000, 60).round())
    mean = np.maximum(0.8**marks, 1e-30)
    study = wb.Study("drawn", "Drawn", metric="gap", view=wb.as_recorded)
    claim = study.reading("linear", simulation(study, wb.steps("eta")(eta=0.1))).geometric(factor=0.8)
    assert isinstance(claim, Kind)
    at, law = kinds._claimed(claim, marks, mean)
    assert at[-1] < 150
    np.testing.assert_allclose(law, 0.8**at, rtol=1e-9)
    read, factors, _ = kinds._read(claim, marks, mean)
    assert read[-1] == at[-1]
    np.testing.assert_allclose(factors, 0.8, rtol=1e-9)


def test_put_says_what_changes_an_entry_of_a_vector() -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 3\); an entry of a vector is changed by add_at"):
        wb.ops.put(np.zeros((2, 3)), np.zeros((2, 1), int), np.ones((2, 1)), np)


def test_a_faster_curve_says_how_small_a_term_of_the_claimed_factor_would_be_unseen() -> None:
    """It violates nothing: one of 1e-4 of the first value is not seen at T = 40, and is all that is left at 400."""
    marks = np.arange(1.0, 401.0)
    curve = np.repeat([0.8**marks + 1e-4 * 0.9**marks], 2, axis=0)
    early, late = (evidence.geometric(curve[:, :end], marks[:end], 0.9) for end in (40, 400))
    assert early.p_if_wrong == early.p_if_right == 1.0
    assert "a term 0.9^T of less than 0.01 of the first value" in early.decides
    assert late.value == pytest.approx(0.9, rel=1e-3)
