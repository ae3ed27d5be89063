"""Worst cases from a step: what is traced, refused, solved, rounded and replayed; known values as judges."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sympy import Integer, Rational, simplify
from typer.testing import CliRunner

import workbench as wb
from workbench.cli.app import app
from workbench.ledger.worst_case import certify, closed_form, replay, report, solve
from workbench.ledger.worst_case.oracle import FAR, NoClass
from workbench.ledger.worst_case.question import AtHorizon, at_horizon
from workbench.ledger.worst_case.scalars import NotLinear, Program
from workbench.ledger.worst_case.trace import Question, Traced, trace

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples/worst_case"
needs_solver = pytest.mark.skipif(not solve.is_installed(), reason="pip install '.[worst-case]'")
State, Steps = wb.state("x"), wb.steps("eta")


LEVELS = {"grad": "smooth convex", "other": "outer smooth convex (L = L_f)", "lmo": "bounded convex set"}
OF_LEVELS: dict[str, Any] = {
    "classes": LEVELS,
    "constants": {"L": Fraction(1), "L_f": Fraction(2), "D": Fraction(1)},
    "distance": None,
}


def method(step: Callable[..., Any], state: Any = State) -> Any:
    def init(start: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        return state(*(start["x"] for _ in state._fields))

    return SimpleNamespace(step=step, init=init, State=state, Steps=Steps)


def descent(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)))


def question(step: Any = descent, of: str = "smooth convex", metric: str = "gap", **more: Any) -> Question:
    given: dict[str, Any] = {
        "method": method(step),
        "steps": {"eta": 1},
        "classes": {"grad": of},
        "constants": {"L": Fraction(1), "mu": Fraction(1, 5), "G": Fraction(1)},
        "metric": metric,
        "distance": Fraction(1),
        "gap": None,
    }
    return Question(**{**given, **more})


def both(asked: Question, count: int) -> tuple[Fraction, Fraction, Traced, dict[str, Any]]:
    run = trace(asked, count)
    upper, lower = certify.upper(run.statement), certify.lower(run.statement)
    numbers = [Fraction(c["statement"]["claimed"]) for c in (upper, lower)]
    return numbers[0], numbers[1], run, lower


def from_file(name: str, T: int) -> tuple[AtHorizon, Traced]:
    claim = report.claims_of(str(EXAMPLES / f"{name}.py"), None, (T,))[0]
    horizon = at_horizon(claim, T)
    return horizon, trace(horizon.question, horizon.count)


# ------------------------------------------------------------------------------------------------- tracing


def test_a_step_becomes_rows_of_exact_coefficients() -> None:
    """Two steps 1/3: x_2 = x_0 - (g_0 + g_1) / 3, and the same point is asked once."""
    statement = trace(question(steps={"eta": Fraction(1, 3)}), 2).statement
    assert statement["numbers"] == []
    points = statement["parts"][0]["points"]
    assert points[0] == {"x": {}, "g": {}, "f": {}}
    assert points[-1]["x"] == {"x": "1", "g1": "-1/3", "g2": "-1/3"}
    assert len(points) == len(statement["values"]) + 1 == 4


def test_roots_are_kept_as_they_are_made() -> None:
    """theta of the accelerated method is no fraction; its making is: (1 + sqrt(5)) / 2."""
    program = Program()
    theta = (1.0 + (1.0 + program.scalar(4) * 1.0) ** 0.5) / 2.0
    assert program.trees == [["^", "5", "1/2"], ["+", "1", "n0"], ["*", "1/2", "n1"]]
    assert theta.value == pytest.approx((1 + 5**0.5) / 2, rel=1e-15)


def bad(change: Callable[..., Any]) -> Callable[..., Any]:
    def step(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        g = oracle.grad(s.x, draw(0))
        return State(change(s.x, g, t, xp, oracle, draw))

    return step


REFUSED = {
    "normalized": (lambda x, g, t, xp, o, d: x - g / xp.sqrt(xp.sum(g * g)), "multiplies two vectors"),
    "norm of ops": (lambda x, g, t, xp, o, d: x - g / wb.ops.norm(g, xp), ""),
    "clipped": (lambda x, g, t, xp, o, d: wb.ops.clip(x - g, -1.0, 1.0, xp), ""),
    "sign": (lambda x, g, t, xp, o, d: x - wb.ops.sign(g, xp), ""),
    "decides": (lambda x, g, t, xp, o, d: x - g if g > 0 else x, "decides by the value"),
    "where": (lambda x, g, t, xp, o, d: xp.where(g > 0, x, g), "decides by the value"),
    "coordinates": (lambda x, g, t, xp, o, d: x[:, :1] - g, "single coordinates"),
    "power": (lambda x, g, t, xp, o, d: x - g**2, "a power of an iterate"),
    "divides": (lambda x, g, t, xp, o, d: x / g, "divides by an iterate"),
    "shift": (lambda x, g, t, xp, o, d: x + 1.0, "adds a number to every coordinate"),
    "noise": (lambda x, g, t, xp, o, d: x - g * d(1).normal(2), "random numbers"),
    "exp": (lambda x, g, t, xp, o, d: xp.exp(x), "exp"),
    "dimension": (lambda x, g, t, xp, o, d: x - g / x.shape[1], "the dimension of an iterate"),
    "array": (lambda x, g, t, xp, o, d: x - g * xp.zeros((2, 1)), "an array of another shape"),
    "equal": (lambda x, g, t, xp, o, d: xp.where(x == g, x, g), "decides by the value"),
    "not equal": (lambda x, g, t, xp, o, d: x if x != g else g, "decides by the value"),
    "absolute": (lambda x, g, t, xp, o, d: abs(x) - g, "TypeError"),
    "fault": (lambda x, g, t, xp, o, d: x - g * None, "NoneType"),
    "by zero": (lambda x, g, t, xp, o, d: x - g / (t - t), "divides by zero"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_steps_that_are_not_linear_are_refused_in_a_sentence(name: str) -> None:
    change, why = REFUSED[name]
    with pytest.raises(NotLinear, match=why or "it "):
        trace(question(bad(change)), 2)


def test_what_depends_on_the_origin_is_refused() -> None:
    """Weight decay: the worst case would depend on where 0 lies."""
    decay = bad(lambda x, g, t, xp, o, d: 0.9 * x - g)
    with pytest.raises(NotLinear, match=r"0\.9 times a point"):
        trace(question(decay), 2)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"of": "quasiconvex"}, "no class 'quasiconvex'"),
        ({"metric": "loss"}, "no worst case of the metric 'loss'"),
        ({"constants": {}}, "needs L"),
        ({"classes": {"lmo": "convex set"}}, "the step asks the oracle for 'grad'"),
        ({"metric": "regret"}, "linear losses"),
        ({"of": "smooth convex (M = L)"}, "no constant .M."),
        ({"metric": "inner_gap"}, "say which function"),
        (
            {"classes": {"grad": "smooth", "other": "outer smooth convex"}, "metric": "inner_gap"},
            "the inner function is convex",
        ),
        ({"classes": LEVELS}, "of two levels the metric is one of"),
        (
            {"classes": {"grad": "outer smooth convex"}, "metric": "inner_gap"},
            "another that it is minimized over",
        ),
        (
            {"classes": {"grad": "convex", "l": "outer monotone"}, "metric": "inner_gap"},
            "none of an outer function",
        ),
        (
            {"classes": {"grad": "smooth convex", "prox": "convex", "project": "convex set"}},
            "the 3 classes .* two at most",
        ),
        (
            {"classes": {"grad": "nonexpansive", "project": "convex set"}},
            "a nonexpansive map is the only class",
        ),
    ],
)
def test_what_is_not_declared_is_refused_in_a_sentence(change: dict[str, Any], why: str) -> None:
    with pytest.raises(NoClass, match=why):
        trace(question(**change), 1)


def of_sum(step: Any = descent, metric: str = "dist_sq", n: int = 2, **more: Any) -> Question:
    constants = {"L": Fraction(1), "mu": Fraction(1, 5), "n": Fraction(n), **more.pop("constants", {})}
    given = {"noise": Fraction(1), "of": "finite sum of smooth strongly convex", **more}
    return question(step, metric=metric, constants=constants, **given)


@pytest.mark.parametrize(
    ("asked", "count", "why"),
    [
        (lambda: of_sum(n=1), 1, "from 2 to 64 functions, not n = 1"),
        (lambda: of_sum(constants={"n": Fraction(5, 2)}), 1, "not n = 5/2"),
        (lambda: of_sum(n=3), 4, "n = 3 and 4 steps have more than 64 sequences"),
        (lambda: of_sum(metric="dist"), 1, "of a finite sum the metric is one of gap, gap_mean, dist_sq"),
        (lambda: of_sum(of="finite sum of monotone"), 1, "functions that have a minimizer"),
        (lambda: of_sum(of="finite sum of convexx"), 1, "no class 'finite sum of convexx'"),
        (
            lambda: of_sum(classes={"grad": "finite sum of convex", "prox": "convex"}),
            1,
            "a finite sum is that of one class",
        ),
        (lambda: replace(of_sum(), constants={"L": Fraction(1), "mu": Fraction(1, 5)}), 1, "needs n"),
    ],
)
def test_finite_sums_that_are_not_covered(asked: Callable[[], Question], count: int, why: str) -> None:
    with pytest.raises(NoClass, match=why):
        trace(asked(), count)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda x, g, t, xp, o, d: x - o.grad(x), "without a sample draw"),
        (lambda x, g, t, xp, o, d: x - o.grad(x, d(1)), "draws twice"),
        (lambda x, g, t, xp, o, d: x - g * d(0).normal(2), "random numbers"),
    ],
)
def test_a_step_of_a_finite_sum_draws_one_function(change: Any, why: str) -> None:
    with pytest.raises(NotLinear, match=why):
        trace(of_sum(bad(change)), 1)


# ------------------------------------------------------------------------------------------ known worst cases

KNOWN: dict[str, Callable[[int], Fraction]] = {  # squared where the metric is a root; sources: in the files
    "gradient_descent": lambda T: Fraction(1, 4 * T + 2),
    "proximal_point": lambda T: Fraction(1, 4 * T),
    "halpern": lambda T: Fraction(2, T + 1) ** 2,
    "strongly_convex": lambda T: Fraction(4, 5) ** (2 * T),
    "nonconvex": lambda T: Fraction(4, 3 * T + 2),
    "extragradient": lambda T: Fraction(1, 2 * T),
    "heavy_ball_quadratic": lambda T: (Fraction(1, 2) ** T * (1 + Fraction(3 * T, 5))) ** 2,
}


@needs_solver
@pytest.mark.parametrize("T", [1, 3])
@pytest.mark.parametrize("name", KNOWN)
def test_known_worst_cases_lie_between_the_certified_numbers(name: str, T: int) -> None:
    horizon, run = from_file(name, T)
    high = Fraction(certify.upper(run.statement)["statement"]["claimed"])
    lower = certify.lower(run.statement)
    low, exact = Fraction(lower["statement"]["claimed"]), KNOWN[name](T)
    assert low <= exact <= high
    assert high - low <= exact / 10**4
    assert replay.metric(horizon, run, lower) == pytest.approx(float(low), rel=1e-6)


def test_gradient_descent_on_quadratics_needs_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """max h (1 - h)^(2 T) / 2 over [0, 1] is at h = 1/(2 T + 1)."""
    monkeypatch.setattr(solve, "is_installed", lambda: False)
    for T in (1, 3, 8):
        exact = Fraction(2 * T, 2 * T + 1) ** (2 * T) / (2 * (2 * T + 1))
        high, low, _, _ = both(question(of="convex quadratic"), T)
        assert low <= exact <= high
        assert high - low < exact / 10**8


def test_quadratics_with_a_root_in_their_step_and_another_start() -> None:
    """Steps of length sqrt 2 from a gap: the larger of both ends, (1 - sqrt 2 / 5)^2 and (sqrt 2 - 1)^2."""
    asked = question(
        of="strongly convex quadratic", steps={"eta": 2 ** Rational(1, 2)}, distance=None, gap=Fraction(1)
    )
    high, low, _, _ = both(asked, 1)
    assert float(low) <= (1 - 2**0.5 / 5) ** 2 <= float(high)
    assert high - low < Fraction(1, 10**8)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"metric": "gap_min"}, "minimum 'gap_min'"),
        ({"classes": {"grad": "convex quadratic", "prox": "convex"}}, "only class"),
        ({"of": "finite sum of convex quadratic"}, "needs n|functions that have a minimizer"),
    ],
)
def test_quadratics_that_are_not_covered(change: dict[str, Any], why: str) -> None:
    with pytest.raises(NoClass, match=why):
        trace(question(**{"of": "convex quadratic", **change}), 2)


def test_a_quadratic_is_not_asked_for_proximal_points() -> None:
    asked = question(
        bad(lambda x, g, t, xp, o, d: o.prox(x, 1)),
        classes=dict.fromkeys(("grad", "prox"), "convex quadratic"),
    )
    with pytest.raises(NoClass, match="asked for gradients, not by prox"):
        trace(asked, 1)


@needs_solver
def test_one_step_of_other_lengths() -> None:
    """f(x_1) - f* over L-smooth convex f is max(1/(4 a + 2), (1 - a)^2 / 2): both regimes of the step a."""
    for a in (Fraction(1, 2), Fraction(19, 10)):
        exact = max(1 / (4 * a + 2), (1 - a) ** 2 / 2)
        high, low, _, _ = both(question(steps={"eta": a}), 1)
        assert low <= exact <= high
        assert high - low < exact / 10**4


@needs_solver
@pytest.mark.parametrize(("n", "noise"), [(2, Fraction(1)), (3, Fraction(1, 2))])
def test_one_step_over_a_finite_sum_in_expectation(n: int, noise: Fraction) -> None:
    """E|x_1 - x*|^2 for a step 1/L, whatever n is: Taylor, Bach, COLT 2019, in the form that PEPit's `wc_sgd` has."""
    a, v = 1 - 0.2, float(noise)
    exact = a**2 / 2 + a / 2 * (a**2 + 4 * v**2) ** 0.5 + v**2
    high, low, _, _ = both(of_sum(n=n, noise=noise**2), 1)
    assert float(low) <= exact <= float(high)
    assert high - low < Fraction(exact) / 10**6


@needs_solver
def test_without_noise_at_the_minimizer_a_finite_sum_is_one_function() -> None:
    """Two steps of 1/L: the largest distance is that of |x|^2 mu / 2 in each of the functions."""
    high, low, run, _ = both(of_sum(noise=Fraction(0)), 2)
    assert low <= Fraction(4, 5) ** 4 <= high
    assert high - low < Fraction(1, 10**5)
    assert len(run.paths) == 4


@needs_solver
def test_a_replay_draws_the_functions_that_the_trace_drew() -> None:
    """With the answers of two paths exchanged the engine's run strays."""
    asked = of_sum()
    _, _, run, lower = both(asked, 1)
    horizon = AtHorizon(asked, 1, Fraction(1))
    assert replay.metric(horizon, run, lower) == pytest.approx(
        float(Fraction(lower["statement"]["claimed"])), rel=1e-6
    )
    one, two = run.paths
    with pytest.raises(replay.Strayed):
        replay.metric(horizon, replace(run, paths=[replace(one, order=two.order), two]), lower)


@needs_solver
def test_a_worst_case_that_is_infinite_has_no_certificate() -> None:
    """Without any condition on the start; a solver's number would be no bound."""
    run = trace(question(distance=None), 1)
    with pytest.raises(solve.NoSolution):
        certify.upper(run.statement)


@needs_solver
def test_a_smaller_bound_is_never_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the solver returns is changed; whatever comes out as a certificate is at least the worst case."""
    right = solve.multipliers
    for share in (0.5, 0.9, 0.99, 1.01, 2.0):
        monkeypatch.setattr(solve, "multipliers", lambda *a, share=share: right(*a) * share)
        try:
            made = certify.upper(trace(question(), 3).statement)
        except solve.NoSolution:
            continue
        assert Fraction(made["statement"]["claimed"]) >= Fraction(1, 14)


def two_levels(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
    """Step t of the method of `bilevel.py`."""
    weight = wb.ops.column(wb.ops.power(t, -c.eta, xp), s.x, xp)
    vertex = oracle.lmo(weight * oracle.other(s.x) + oracle.grad(s.x))
    return State(s.x + 2.0 / (t + 1.0) * (vertex - s.x))


def slope_of(x: float, s: float, b: float, cut: float) -> float:
    """Of s x + h(x - b), where the slope of h is that of a square, cut off."""
    return s + max(-cut, min(cut, x - b))


def value_of(x: float, s: float, b: float, cut: float) -> float:
    y = abs(x - b)
    return s * x + (y * y / 2 if y <= cut else cut * (y - cut / 2))


def best_of_instances(metric: str, p: float, count: int) -> float:
    """The largest gap on [0, 1] over G = s x + h(x - b) and twice such a function as F, each with its s, b and cut."""
    places, cuts = (0.0, 0.5, 1.0), (0.1, 1.0)
    inner = list(product((0.0, 0.5, 1.0, 2.0), places, cuts))
    largest = -math.inf
    for G, F, start in product(inner, product((-1.5, -1.0, -0.5, 0.0, 1.0), places, cuts), (0.0, 1.0)):
        x = start
        for t in range(1, count + 1):
            x += 2 / (t + 1) * ((slope_of(x, *G) + 2 * t**-p * slope_of(x, *F) < 0) - x)
        solution = min((k / 100 for k in range(101)), key=lambda y: value_of(y, *G))
        depth = 2 * value_of(solution, *F) - 2 * min(value_of(k / 100, *F) for k in range(101))
        if metric == "last_outer_gap":
            largest = max(largest, 2 * value_of(x, *F) - 2 * value_of(solution, *F))
        elif depth <= 1:
            largest = max(largest, value_of(x, *G) - value_of(solution, *G))
    return largest


@needs_solver
@pytest.mark.parametrize("p", [0, Fraction(1, 2), Fraction(1, 4)])
@pytest.mark.parametrize("metric", ["last_inner_gap", "last_outer_gap"])
def test_two_levels(metric: str, p: Any) -> None:
    """Both sides meet, with roots and without; no instance exceeds them, and some of the line have a third of them."""
    depth = Fraction(1) if metric == "last_inner_gap" else None
    asked = question(two_levels, metric=metric, steps={"eta": p}, depth=depth, **OF_LEVELS)
    upper, lower, run, _ = both(asked, 2)
    assert lower <= upper <= lower * Fraction(100001, 100000)
    assert (FAR**2 in [Fraction(f["constant"]) for f in run.statement["start"]]) == (p != 0)
    assert upper / 3 <= best_of_instances(metric, float(p), 2) <= float(upper)


@needs_solver
@pytest.mark.parametrize("depth", [0, 1])
def test_one_step_of_two_levels(depth: int) -> None:
    """G = 2 x + x^2 / 2, F = x^2 - 2 x on [0, 1] attain (L_f + L) D^2 / 2 + depth from 0; less is left of depth 0."""
    asked = question(
        two_levels, metric="last_inner_gap", steps={"eta": 0}, depth=Fraction(depth), **OF_LEVELS
    )
    upper, lower, _, _ = both(asked, 1)
    assert lower <= upper <= lower * Fraction(100001, 100000)
    assert upper <= Fraction(3, 2) + depth + Fraction(1, 10**5)
    assert lower >= (Fraction(5, 2) - Fraction(1, 10**5) if depth else Fraction(1, 2))


@needs_solver
def test_one_oracle_at_two_points_is_two_gradients(tmp_path: Path) -> None:
    """The estimator of `ir_cg` with exact gradients is the gradient, and its bound about these is covered."""
    of = "pair_f: outer smooth convex (L = L_f); pair_g: smooth convex (L = L_g); lmo: bounded convex set"
    words = ("--class", of, "--form", "exact gradients", "--steps", "1,2", "--store", str(tmp_path))
    done = command("ir_cg/thm-1-outer", *words)
    assert done.exit_code == 0, done.output
    assert "At T = 2 the constant can be improved to 0.31" in done.stdout
    table = command("ir_cg/thm-1-outer", *words, "--table")
    slacks = table.stdout.split("|")[-3].split("(")[0].strip()  # of the row
    assert f"| {slacks}, 3.091" in (EXAMPLES / "README.md").read_text()
    assert "gradients at the solution are at most 1e+09" in done.stdout


@needs_solver
def test_a_replay_of_another_step_strays() -> None:
    """The engine runs the step itself: a trace of another one is found out."""
    horizon, run = from_file("gradient_descent", 3)
    lower = certify.lower(run.statement)
    longer = bad(lambda x, g, t, xp, o, d: x - 1.01 * g)
    other = AtHorizon(question(longer), horizon.count, horizon.claimed)
    with pytest.raises(replay.Strayed, match="before step 2"):
        replay.metric(other, run, lower)


# --------------------------------------------------------------------------------------------------- commands


def command(*words: str) -> Any:
    return CliRunner().invoke(app, ["worst-case", *words])


def test_the_table_of_the_page_is_what_the_command_prints(tmp_path: Path) -> None:
    """From the kept certificates, without a solver."""
    files = sorted(map(str, EXAMPLES.glob("*.py")))
    done = command(*files, "--table", "--store", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert done.stdout.strip() in (EXAMPLES / "README.md").read_text()
    assert len(files) >= 10
    assert not list(tmp_path.rglob("*.json"))  # none was made


def test_without_a_solver_nothing_is_said_and_no_number_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "is_installed", lambda: False)
    done = command(str(EXAMPLES / "gradient_descent.py"), "--steps", "7", "--store", str(tmp_path))
    assert done.exit_code == 4
    assert "pip install 'theorem-workbench[worst-case]'" in done.output
    assert " -  " in done.stdout


def test_the_json_has_both_sides_and_the_words(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = command(
        str(EXAMPLES / "proximal_point.py"), "--steps", "2,10", "--json", str(out), "--store", str(tmp_path)
    )
    assert done.exit_code == 0
    (one,) = json.loads(out.read_text())["worst_cases"]
    assert [a["T"] for a in one["answers"]] == [2, 10]
    for answer in one["answers"]:
        assert answer["at_least"] <= answer["at_most"] <= answer["claimed"]
        assert answer["covers"] is True
    assert one["outcome"] == "improved"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("examples/nsgdm.py", "--class", "smooth"), "is about noise"),
        (("examples/adagrad_norm.py", "--class", "smooth bounded below"), "not linear in past iterates"),
        (("examples/f2sa.py", "--class", "smooth"), "no claim of a bound"),
        (("examples/nesterov.py",), "declares no class of functions"),
        (("examples/worst_case/halpern.py", "--steps", "1,zero"), "wanted whole numbers"),
        (("examples/nesterov.py", "--class", "grad smooth: "), "is no list of classes"),
        (
            ("examples/extragradient.py", "--class", "monotone", "--distance", "__import__('os')"),
            "no formula",
        ),
        (("examples/extragradient.py", "--class", "Lipschitz monotone"), "distance"),
        (("examples/nesterov.py", "--class", "smooth convex", "--form", "own"), "in the form 'own'"),
        (("no_such_file.py",), "no_such_file"),
    ],
)
def test_bad_input_is_one_sentence(
    words: tuple[str, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    done = command(*words, "--store", str(tmp_path))
    assert done.exit_code == 2, done.output
    assert why in done.output
    assert "Traceback" not in done.output
    assert not done.stdout.strip()


def test_rounding_outward_is_exact() -> None:
    for x in (
        Fraction(1, 3),
        Fraction(1, 20),
        Fraction(2),
        Fraction(99999999, 10**8),
        Fraction(1, 7 * 10**9),
    ):
        for root in (False, True):
            up, down = (Fraction(report.outward(x, 7, sign, root)) for sign in (1, -1))
            assert down ** (1 + root) <= x <= up ** (1 + root)
            assert (up - down) <= Fraction(2, 10**6) * up
    assert report.outward(Fraction(1, 20), 7, 1) == "0.05"


# ------------------------------------------------------------------------------------- one step as a formula


def a_claim(file: str, classes: dict[str, str] | None) -> Any:
    return report.claims_of(str(ROOT / "examples" / file), classes, (1,))[0]


A, MU = closed_form.A, closed_form.MU
# File, its class where it declares none, the formula of one step, its source or how it follows by hand.
FORMULAS: list[tuple[str, dict[str, str] | None, Any]] = [
    ("worst_case/strongly_convex.py", None, (1 - A * MU) ** 2),
    (
        "sgd_strongly_convex.py",
        {"grad": "smooth strongly convex"},
        (1 - A * MU) ** 2,
    ),  # the theorem: 1 - a mu
    ("worst_case/gradient_descent.py", None, 1 / (4 * A + 2)),  # Drori, Teboulle (2014), Theorem 1, N = 1
    ("worst_case/heavy_ball.py", None, 1 / (4 * A + 2)),  # its first step is one of gradient descent
    (
        "worst_case/nonconvex.py",
        None,
        4 / (2 + 4 * A - A**2),
    ),  # Abbaszadehpeivasti et al. (2022): 4 / 5 at a = 1
    ("worst_case/proximal_point.py", None, 1 / (4 * A)),  # Taylor et al. (2017), Theorem 4.1, N = 1
    ("worst_case/extragradient.py", None, (1 + A**2) / (4 * A)),
    ("worst_case/ogda.py", None, (1 + A**2) / (4 * A)),  # its first step is one of extragradient
    ("worst_case/online_gradient.py", None, Integer(1)),  # one loss of length G on a set of diameter D
]


@needs_solver
@pytest.mark.parametrize(("file", "classes", "formula"), FORMULAS, ids=[f[0] for f in FORMULAS])
def test_the_formula_of_one_step_is_found_and_proved(
    file: str, classes: dict[str, str] | None, formula: Any, tmp_path: Path
) -> None:
    claim = a_claim(file, classes)
    form = closed_form.one_step(claim)
    assert simplify(form.factor - formula) == 0
    assert form.open_lines(tmp_path) == []
    if classes is None:  # the table says the same
        assert f"| `{claim.key}` | {closed_form.text(form.factor)} |" in (EXAMPLES / "README.md").read_text()


@needs_solver
@pytest.mark.parametrize("file", ["nonconvex", "extragradient", "strongly_convex"])
def test_away_from_its_grid_a_formula_lies_between_certificates(file: str) -> None:
    claim = a_claim(f"worst_case/{file}.py", None)
    form = closed_form.one_step(claim)
    base = at_horizon(replace(claim, shift=-1), 1).question
    a, mu = Fraction(9, 10), Fraction(9, 10) if "mu" in base.constants else None
    (name,) = base.steps
    asked = trace(closed_form.at_step(base, name, a, mu), 1).statement
    value = Fraction(str(form.factor.subs({A: Rational(a), MU: Rational(mu or 1)})))
    high, low = (Fraction(side(asked)["statement"]["claimed"]) for side in (certify.upper, certify.lower))
    assert low <= value <= high < low * (1 + Fraction(1, 10**5))


@needs_solver
def test_the_distance_contracts_as_the_gap_does(tmp_path: Path) -> None:
    claim = replace(a_claim("worst_case/strongly_convex.py", None), metric="dist_sq", distance=Integer(1))
    form = closed_form.one_step(claim)
    assert simplify(form.factor - (1 - A * MU) ** 2) == 0
    assert form.open_lines(tmp_path) == []


@needs_solver
@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("bilevel", "there are no multipliers to fit"),
        ("chebyshev", "over quadratics there are no multipliers to fit"),
        ("frank_wolfe", "its step has no size for a formula"),
        ("sgd", "no product of powers"),
        ("subgradient", "no fraction of polynomials"),
    ],
)
def test_where_one_step_has_no_formula_one_sentence_says_why(file: str, reason: str) -> None:
    with pytest.raises(NoClass, match=reason):
        closed_form.one_step(a_claim(f"worst_case/{file}.py", None))


@needs_solver
@pytest.mark.parametrize("file", ["strongly_convex", "gradient_descent"])
def test_a_wrong_formula_of_one_step_has_no_proof(
    file: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A formula that does not cancel the values is refused; of one that does, the matrix is indefinite somewhere."""
    claim = a_claim(f"worst_case/{file}.py", None)
    fits = list(closed_form.one_step(claim).multipliers)
    number = 0 if file == "strongly_convex" else 1

    def wrong(changed: list[Any]) -> closed_form.ClosedForm:
        numbers = iter(changed)
        for fit in ("_of_factors", "_of_polynomials"):
            monkeypatch.setattr(closed_form, fit, lambda column, at: next(numbers))
        return closed_form.one_step(claim)

    with pytest.raises(NoClass, match="do not cancel"):
        wrong([*fits[:number], fits[number] * (1 - A / 2), *fits[number + 1 :]])
    if number:  # of a distance the values know nothing
        smaller = [fits[0] * Rational(9, 10), *fits[1:]]
    else:
        smaller = [fits[0] * Rational(9, 10), fits[1] + fits[0] / 10, *fits[2:]]
    assert wrong(smaller).open_lines(tmp_path)


@needs_solver
def test_one_step_as_a_command(tmp_path: Path) -> None:
    words = ("--class", "smooth strongly convex", "--one-step", "--store", str(tmp_path))
    done = command(str(ROOT / "examples/sgd_strongly_convex.py"), *words)
    assert done.exit_code == 0, done.output
    assert "f(x_1) - f* <= (1 - a*mu)^2 (f(x_0) - f*)" in done.stdout
    done = command(str(EXAMPLES / "nonconvex.py"), "--one-step", "--store", str(tmp_path))
    assert "At the theorem's own a = 1 it is 4/5, where the theorem has 1." in done.stdout
    refused = command(str(EXAMPLES / "halpern.py"), "--one-step", "--store", str(tmp_path))
    assert refused.exit_code == 2
    assert "its step has no size for a formula" in refused.output


# ------------------------------------------------------------------------------------- claims that must fail


def few(text: str) -> str:
    """The claim of gradient descent at small horizons: a solver takes seconds for the largest of its own."""
    assert "horizons=(1, 2, 5, 10, 20, 40)" in text
    return text.replace("horizons=(1, 2, 5, 10, 20, 40)", "horizons=(2, 4)")


@needs_solver
def test_a_bound_that_is_too_small_is_refuted(tmp_path: Path) -> None:
    """A fifth of a theorem's bound: an example of the class exceeds it, in the command and as a claim of the file."""
    text = (EXAMPLES / "gradient_descent.py").read_text()
    wrong = tmp_path / "too_small.py"
    wrong.write_text(few(text.replace("/ (2 * v.T)", "/ (10 * v.T)")))
    assert wrong.read_text() != few(text)
    store = ("--store", str(tmp_path / "store"))
    done = command(str(wrong), "--steps", "1,4", *store)
    assert done.exit_code == 1, done.output
    assert "At T = 4 the bound is refuted: an example of the class exceeds it." in done.stdout
    verdict = CliRunner().invoke(app, ["verify", str(wrong), "--profile", "quick", *store])
    assert verdict.exit_code == 1, verdict.output
    assert "refuted       worst case, smooth convex" in verdict.stdout


BOUND, CLASS = "v.L * v.D_1**2 / (2 * v.T)", '"smooth convex"'
EXACT = "v.L * v.D_1**2 / (4 * v.T + 2)"
QUADRATIC = "v.L * v.D_1**2 * (2 * v.T / (2 * v.T + 1)) ** (2 * v.T) / (4 * v.T + 2)"


def changed(tmp_path: Path, *pairs: tuple[str, str]) -> Any:
    """The command on gradient descent with texts replaced."""
    text = (EXAMPLES / "gradient_descent.py").read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "changed.py"
    file.write_text(text)
    return command(str(file), "--steps", "1,3", "--store", str(tmp_path / "store"))


@needs_solver
@pytest.mark.parametrize(
    ("pairs", "status"),
    [
        ([(BOUND, EXACT)], 0),
        ([(BOUND, EXACT.replace("4 * v.T + 2", "4.04 * v.T + 2.02"))], 1),  # the constant 1 % smaller
        ([(BOUND, EXACT.replace("v.T", "(v.T + 1)"))], 1),  # T counted one too far
        ([(BOUND, EXACT), ('"eta": 1 / v.L', '"eta": 3 / v.L')], 1),
        ([(BOUND, QUADRATIC)], 1),  # that of quadratics, for all smooth convex functions
        ([(BOUND, QUADRATIC), (CLASS, '"convex quadratic"')], 0),
        ([(BOUND, f"{QUADRATIC} * 99 / 100"), (CLASS, '"convex quadratic"')], 1),
    ],
)
def test_bounds_a_little_wrong_are_refuted(pairs: list[tuple[str, str]], status: int, tmp_path: Path) -> None:
    done = changed(tmp_path, *pairs)
    assert done.exit_code == status, done.output
    assert ("the bound is refuted" in done.stdout) == (status == 1)


@needs_solver
@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([("v.D_1: 1}", "v.D_1: 0}")], "its bound is 0 at T = 1"),
        ([("v.L: 1,", "v.no_such: 1,")], "has no attribute 'no_such'"),
        ([("return State(", "return (")], "no worst case"),
        ([("return State(s.x", "x, y = s.x[0]\n    return State(s.x")], "takes single coordinates"),
        ([("v.L: 1,", "v.L: 1, v.mu: 1,"), (CLASS, '"smooth strongly convex"')], "mu is not below L"),
        ([("v.L: 1,", "v.L: 1, v.mu: 1,"), (CLASS, '"strongly convex quadratic"')], "mu is not below L"),
        ([('wb.state("x")', 'wb.state("x", "m")')], "where 'm' starts is not said"),
        (
            [("c.eta * oracle", "__import__('random').random() * oracle")],
            "the engine's run leaves the traced one",
        ),
    ],
)
def test_declarations_that_make_no_question(pairs: list[tuple[str, str]], why: str, tmp_path: Path) -> None:
    done = changed(tmp_path, *pairs)
    assert done.exit_code == 2, done.output
    assert why in done.output
    assert "Traceback" not in done.output


def test_a_run_outside_of_what_is_declared_is_told() -> None:
    """With a smaller share of its bound left than the worst case leaves, a run is not of the class."""
    claim = report.claims_of(str(EXAMPLES / "gradient_descent.py"), None, (5,))[0]
    one = report.of_claim(claim, [EXAMPLES / "certificates"], {})
    outside = "outside of what is declared here"
    assert report.Report.of_theorem(one.answers[0]) == pytest.approx(2.2)
    assert [s for s in replace(one, slacks={5: 2.1}).sentences() if outside in s]
    assert not [s for s in replace(one, slacks={5: 2.3}).sentences() if outside in s]


@needs_solver
def test_methods_of_one_class_are_said_to_ask_one_function(tmp_path: Path) -> None:
    done = changed(tmp_path, (CLASS, '{"grad": "smooth convex", "other": "smooth convex"}'))
    assert "grad and other ask one function of the class smooth convex." in done.stdout


def test_a_claim_without_a_solver_is_inconclusive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "is_installed", lambda: False)
    alone = tmp_path / "alone.py"
    alone.write_text((EXAMPLES / "gradient_descent.py").read_text())
    words = ["verify", str(alone), "--profile", "quick", "--store", str(tmp_path / "store")]
    verdict = CliRunner().invoke(app, words)
    assert verdict.exit_code == 1, verdict.output
    assert "inconclusive" in verdict.stdout
    assert "pip install" in verdict.stdout


@needs_solver
def test_the_split_of_a_slack(tmp_path: Path) -> None:
    """Measured slack = (bound / worst case) x (worst case / measured), in the verdict of a claim with runs."""
    text = (EXAMPLES / "gradient_descent.py").read_text()
    runs = (
        "RUNS = STUDY.simulation(\n"
        "    step, Steps.of(THEOREM), problem=wb.problems.PseudoHuber(wb.Sphere(0.0), delta=0.1),\n"
        "    start={'x': lambda grid: grid.random_start(0.5, 1.0)}, horizon=40, runs=8\n)\nCLAIMS"
    )
    file = tmp_path / "split.py"
    file.write_text(few(text).replace("CLAIMS", runs).replace("THEOREM, step, ", "THEOREM, RUNS, "))
    out = tmp_path / "out.json"
    words = [
        str(file),
        "--steps",
        "2,4",
        "--measured",
        "--json",
        str(out),
        "--store",
        str(tmp_path / "store"),
    ]
    assert command(*words).exit_code == 0
    (one,) = json.loads(out.read_text())["worst_cases"]
    for answer in one["answers"]:
        assert 1 <= answer["slack_of_theorem"] <= answer["measured_slack"]
        assert answer["slack_of_theorem"] == pytest.approx(answer["claimed"] / answer["at_most"], rel=1e-9)
    words = ["verify", str(file), "--profile", "quick", "--store", str(tmp_path / "store")]
    printed = " ".join(CliRunner().invoke(app, words).stdout.split())
    assert "(of the theorem) x" in printed
    assert "(of the instance)" in printed
