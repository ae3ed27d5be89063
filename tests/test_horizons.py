"""A number per horizon is that of the horizon: its iteration is a mark, whatever the grid; and one claim that cannot be
evaluated leaves the others their verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import workbench as wb
from workbench.claims.readings import Rate
from workbench.cli.app import app
from workbench.homes import papers
from workbench.run import catalog, jobs
from workbench.run.options import Options

EXAMPLES = Path(__file__).parents[1] / "examples"

HUBER = '''"""Gradient descent: f(x_k) - f* <= L R^2 / (4 k + 2), attained by a Huber function for each k.

Source: Drori, Teboulle, Math. Program. 145 (2014), Theorem 3.1. x_k is recorded at mark k + 1.
"""

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Gradient descent", "Drori, Teboulle", "Math. Program. 145 (2014)")
THEOREM = PAPER.theorem(
    "thm-3.1",
    statement=r"$f(x_k) - f^* \\le L R^2 / (4 k + 2)$",
    metric="$f(x_T) - f^*$",
    bound=v.L * v.D_1**2 / (4 * v.T + 2),
    exponent=-1,
    schedule={"L": v.L},
    generic={v.L: 1, v.D_1: 1},
)
State = wb.state("x")
Steps = wb.steps("L")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - oracle.grad(s.x, draw(0)) / c.L)


def worst(grid):
    return wb.problems.Huber(wb.Sphere(0.0), w=1.0 / (2.0 * (grid["until"] - 1.0) + 1.0))


STUDY = wb.Study(PAPER, metric="gap", view=wb.at_horizons, kind="compliant", shift=-1)
SIM = STUDY.simulation(
    step, Steps.of(THEOREM), problem=worst, start={"x": 1.0}, grid={"until": HORIZONS}, horizon=2001, runs=32
)
CURVE = STUDY.reading(THEOREM, SIM)
CLAIMS = (STUDY.bound(THEOREM, "printed", SIM), CURVE.rate(), CURVE.tight(), MORE)
'''
HORIZONS = [1001, 1201, 1401, 1601, 1801, 2001]  # but for the last, no mark of a run of 2001 iterations


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_STORE", "store")
    return tmp_path


def verified(name: str, horizons: object, more: str = "", status: int = 0) -> tuple[list[dict], str]:
    """The lines of the paper with these horizons, and what is said on standard error."""
    text = HUBER.replace("HORIZONS", str(horizons)).replace(", MORE)", f", {more})")
    Path(f"{name}.py").write_text(text)
    words = ["verify", f"./{name}.py", "--profile", "quick", "--jobs", "1", "--json", "lines.json"]
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == status, done.output
    return json.loads(Path("lines.json").read_text())["claims"] if Path(
        "lines.json"
    ).exists() else [], done.stderr


def test_a_horizon_that_is_no_usual_mark_is_read_at_its_own_iteration() -> None:
    """It was read at the last mark before it, and placed at the horizon: a slope of -1.35, where it is -1 exactly."""
    lines, _ = verified("huber", HORIZONS)
    bound, rate, tight = lines
    assert [line["verdict"] for line in lines] == 3 * ["holds"]
    for line in (rate, tight):
        assert line["value"] == pytest.approx(-1.0, abs=1e-3)
    assert bound["slack"] == pytest.approx(1.0, abs=1e-9)


def test_one_claim_that_cannot_be_evaluated_ends_no_other() -> None:
    wrong = 'CURVE.rate(metric="gapp"), CURVE.tight(metric=lambda result: 1 / 0, tag="zero")'
    lines, said = verified("partly", HORIZONS, wrong, status=2)
    assert [line["verdict"] for line in lines if not line["error"]] == 3 * ["holds"]
    one, two = (line for line in lines if line["error"])
    assert "no quantity 'gapp' is recorded" in one["error"]
    assert "ZeroDivisionError" in two["error"]
    assert one["verdict"] == two["verdict"] == "inconclusive"
    assert said.count("error: ") == 1
    assert "2 claims could not be evaluated; their lines say why" in said


@pytest.mark.parametrize("wrong", [1000.5, -3.0, 2.5])
def test_a_horizon_is_a_number_of_iterations(wrong: float) -> None:
    _, said = verified("broken", [wrong, 64.0], status=2)
    assert f"until is the number of iterations of a row; {wrong:g} is none" in said


def test_nesterovs_iterate_is_read_at_its_own_horizon() -> None:
    """x_k is recorded at the mark k + 1, for which each horizon of the example is one; it read x_(k-1)."""
    with papers.temporary_view():
        papers.look(opened=[EXAMPLES / "nesterov.py"])
        sim = catalog.simulations()["nesterov/sim-fast"]
        claims = [c for c in catalog.claims() if isinstance(c, Rate) and c.needs == (sim.key,)]
        result = jobs.execute(jobs.prepare(sim, Options("quick")), "numpy")
        values, T = claims[0].reading.curve({sim.key: result})
    np.testing.assert_array_equal(T, [2**k + 1 for k in range(6, 14)])
    assert set(T) <= set(result.marks)
    # The next iterate differs by 2 / k = 2e-4 at least, rounding by 1e-9.
    path = np.array([steps_of_acceleration(int(horizon) - 1) for horizon in T])
    start = np.unique(result.constants["D_1"])
    np.testing.assert_allclose(np.sort(values[:, 0]), np.sort(start**2 / (2 * (2 * path[0] + 1))), rtol=1e-7)
    np.testing.assert_allclose(
        values / values[:, :1], np.tile((2 * path[0] + 1) / (2 * path + 1), (32, 1)), rtol=1e-7
    )


def steps_of_acceleration(k: int) -> float:
    """How far k accelerated steps under a constant gradient of 1 go."""
    x = y = 0.0
    theta = 1.0
    for _ in range(k):
        new, following = y + 1.0, (1.0 + np.sqrt(1.0 + 4.0 * theta**2)) / 2.0
        x, y, theta = new, new + (theta - 1.0) / following * (new - x), following
    return x


def test_a_row_without_a_horizon_of_its_own_has_none() -> None:
    grid = wb.Grid([{"until": 8.0}, {"until": 32.0}, {"until": 0.0}], 2)
    assert wb.Batch(None, None, {}, grid).horizons == (8, 32)
