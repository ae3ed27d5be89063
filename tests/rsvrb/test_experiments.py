"""The experiments of this paper: parameters, levels, and claims that must be able to fail."""

from __future__ import annotations

import dataclasses
import itertools
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from workbench.theorems.rsvrb.experiments import (
    claims_many_tasks,
    claims_stages,
    enumeration,
    many_tasks,
    one_task,
    stages,
    stages_compliant,
    study,
)
from workbench.theorems.rsvrb.experiments.levels import decreasing, stage
from workbench.theorems.rsvrb.experiments.region import inside
from workbench.theorems.rsvrb.methods import blocks, rsvrb
from workbench.theorems.rsvrb.methods.matrices import hypergradient
from workbench.theorems.rsvrb.problems.wave_tasks import WaveTasks
from workbench.theorems.rsvrb.theory import sampling, theorem_1, theorem_2, witness

from workbench.arrays.random import Draws
from workbench.engine.records import Result
from workbench.evidence.verdicts import Verdict, decide

COMPLIANT = (
    (theorem_1.THEOREM, one_task.compliant, study.known_one),
    *((theorem_2.THEOREM, many_tasks.Compliant(m), study.known_tasks) for m in (1, 2)),
)


def verdict(found: Any) -> Verdict:
    (decided,) = decide([found])
    return decided.verdict


def result(data: dict[str, np.ndarray], marks: Any, runs: int, **constants: Any) -> Result:
    """A result made by hand: one grid point."""
    none = np.zeros(runs)
    held = {n: np.atleast_2d(np.asarray(v, float)) for n, v in constants.items()}
    return Result(np.asarray(marks), data, {}, np.arange(runs), none, none, {}, np.zeros(len(marks)), held)


@pytest.mark.parametrize(("theorem", "make", "known"), COMPLIANT, ids=["1", "2, m = 1", "2, m = 2"])
def test_compliant_runs_obey_the_theorem_and_their_bound_is_finite(
    theorem: Any, make: Any, known: Any
) -> None:
    batch = make(100, 2)
    constants = batch.instance.constants(batch.start)
    steps = {n: np.full((1, 1), v) for n, v in batch.steps._asdict().items()}
    made: Any = SimpleNamespace(constants=constants, steps=steps)
    values = {**constants, **known(made)}
    theorem.check("repaired", **{n: float(np.max(v)) for n, v in values.items()})
    assert np.all(np.isfinite(theorem.numeric("repaired")(T=1e6, **values)))


def test_the_bound_of_theorem_1_says_something() -> None:
    batch = one_task.compliant(100, 2)
    constants = {**batch.instance.constants(batch.start), "delta_y": 0.0, "delta_0": 0.0}
    constants |= theorem_1.parameters(1.0, **constants)
    first = batch.instance.grad_F(batch.start["x"], np) ** 2
    assert np.all(theorem_1.THEOREM.numeric("repaired")(T=2.0**18, **constants) < first)


def test_compliant_stages_obey_theorem_3_as_printed_and_it_says_something() -> None:
    """Every beta is below 1, the record's bound counts the iterations, and eps_7 is below F(x_0) - F_*."""
    values = stages_compliant.constants()
    theorem = study.THEOREM_3
    theorem.check("printed", **values)
    steps = theorem.steps("printed", **values)
    assert all(0 < steps[b] * steps["c"] ** 2 < 1 for b in (*study.BETAS, "b_d"))
    eta, eps, _ = stages_compliant.PLAN[-1]
    assert 0.5 * values["Delta"] < eps < values["Delta"] < stages_compliant.PLAN[-2][1]
    assert eta == pytest.approx(steps["c"] * 2 ** (-(stages_compliant.STAGES - 1) / 2))
    assert stages_compliant.ENDS[-1] <= theorem.numeric("printed")(precision=1 / eps, **values)
    # The corrected parameters ask for far more.
    at = theorem.constants("repaired", precision=1.0, **values)
    assert at["eps_1"] > 1e3 * stages_compliant.PLAN[0][1]


@pytest.mark.parametrize(("moves", "expected"), [(True, Verdict.HOLDS), (False, Verdict.VIOLATED)])
def test_a_run_that_stands_still_breaks_theorem_3(moves: bool, expected: Verdict) -> None:
    marks = np.array(stages_compliant.MARKS)
    gap = stages_compliant.constants()["Delta"] * np.ones((24, len(marks)))
    if moves:
        gap = gap * 2.0 ** -np.arange(len(marks)) * (1.0 + 0.02 * np.arange(24)[:, None])
    made = result({"gap": gap}, marks, 24)
    claim = stages_compliant.CLAIMS[0]
    assert verdict(claim.finding({next(iter(stages_compliant.SIMS.values())).key: made})) is expected


def test_constants_of_the_tasks_are_those_of_each() -> None:
    found = study._constants_of_tasks(2, 0.8, 0.18, 1)
    problem = study.gentle_tasks(2)
    tasks = problem.of_tasks(1)
    assert found["C_p"] == pytest.approx(2 * sum(sampling.size(t) ** 2 for t in tasks))
    assert found["delta_y"] == pytest.approx(sum((0.8 * 0.18 - a * 0.8) ** 2 for a in problem.a[0]))
    assert found["delta_d"] == 0.0


# ---------------------------------------------------------------------------------------------------- levels


@pytest.mark.parametrize("i", [0, 3, 6])
def test_the_second_moment_of_a_sampled_hypergradient(i: int) -> None:
    """Against all 32 outcomes of u - V v/H at y displaced by the noise of w, for little noise."""
    x, small = 0.7, 1e-4
    scales = {"s_u": 0.5, "s_v": 0.4, "s_w": 0.3, "s_V": 0.2, "s_H": 0.3}
    task = dataclasses.replace(study.tasks(8).task(i), **{n: small * v for n, v in scales.items()})
    y, z = task.a * x, []
    for n_u, n_v, n_H, n_V, n_w in itertools.product((-1.0, 1.0), repeat=5):
        H, V = task.h + task.s_H * n_H, -task.h * task.a - task.s_V * n_V
        w = task.s_H * n_H * y - task.s_V * n_V * x - task.s_w * n_w
        moved = y - w / task.h
        u = task.s * (task.A * (x - task.c) + task.s_u * n_u)
        v = task.s * (task.B * (moved - task.e) + task.s_v * n_v)
        z.append(u - V * v / H)
    mean = task.grad_F(np.array([[x]]), np)[0, 0]
    assert task.sampled_moment(x) - mean**2 == pytest.approx(np.var(z), rel=1e-3)


def test_the_spread_is_the_mean_square_of_both_steps() -> None:
    """Of d minus the mean of the z_i, and of this mean: over i with its probability and j uniform."""
    problem, d = study.tasks(3, 1.0), 2
    q, _ = problem.sampling(np)
    for mix in (0.0, 0.4, 1.0):
        p = ((1 - mix) / 3 + mix * q)[0]
        total = 0.0
        for i, j in itertools.product(range(3), repeat=2):
            z = d * problem.task(i).sampled_moment(problem.x_opt())
            total += p[i] / 3 * z * (((i == j) - 1 / 3) ** 2 + (1 / 3) ** 2) / p[i] ** 2
        assert float(problem.spread(mix, d)[0, 0]) == pytest.approx(total)


def test_the_minimizer_has_no_gradient() -> None:
    problem = study.tasks(8, 1.0)
    assert np.abs(problem.grad_F(np.full((1, 2), problem.x_opt()), np)).max() < 1e-12


def test_levels_are_those_of_the_recursion() -> None:
    """e+ = (1 - beta_t) e + beta_t n with variance 1 of n, and its mean over t; constant beta in a stage."""
    T, square, total = 200_000, 0.0, 0.0
    for t in range(1, T + 1):
        beta = (t + 10.0) ** (-2 / 3)
        square = (1 - beta) ** 2 * square + beta**2
        total += square
    assert total / T == pytest.approx(float(decreasing(np.array([T]), 1.0, 1.0)[0]), rel=0.02)
    square = 0.0
    for _ in range(4000):
        square = (1 - 0.01) ** 2 * square + 0.01**2
    assert float(stage(1.0, 1.0, 0.1, 1e9, 2.0)) == pytest.approx(square / 4, rel=0.01)


def test_the_output_of_a_stage_remembers_the_one_before() -> None:
    """The mean over a uniform time, each stage with half the beta and twice the length of the one before."""
    beta, length, start = 1e-3, 5000, 1.0
    for _ in range(8):
        square = beta / 2 + (start - beta / 2) * np.exp(-2 * beta * np.arange(length))
        start, level, n = float(square.mean()), beta / 2, beta * length
        beta, length = beta / 2, 2 * length
    assert start == pytest.approx(float(witness.STAGE.value(b=2 * level, c=1, S=1, L_F=0.5, n=n)), rel=0.01)


# ---------------------------------------------------------------------------------------- claims that can fail


def test_a_run_that_leaves_the_region_is_found() -> None:
    sim = list(one_task.SIMS.values())[1]
    claim = inside(theorem_1.THEOREM, sim, ("outside_x_max", "outside_y_max"))
    near, far = np.full((3, 2), 0.5), np.array([[0.1, 0.2], [0.3, 1.2], [0.1, np.nan]])
    for other, expected in ((near, Verdict.HOLDS), (far, Verdict.VIOLATED)):
        made = result({"outside_x_max": near, "outside_y_max": other}, [1, 2], 3)
        assert verdict(claim.finding({sim.key: made})) is expected
    assert claim.finding({sim.key: made}).value == 2


def test_blocks_are_unbiased_and_their_falsifiers_are_not() -> None:
    right, *wrong = enumeration.UNBIASED
    assert verdict(right.finding({})) is Verdict.HOLDS
    assert all(verdict(w.claim.finding({})) is Verdict.VIOLATED for w in wrong)


def other(change: Any) -> Any:
    """Iterations whose arguments or new state are changed."""
    iterate = blocks.iterate

    def changed(s: Any, eta: Any, eta_old: Any, c: Any, *rest: Any) -> Any:
        return change(iterate, s, eta, eta_old, c, *rest)

    return changed


def negated(name: str) -> Any:
    def change(iterate: Any, *args: Any) -> Any:
        made = iterate(*args)
        return made._replace(**{name: -getattr(made, name)})

    return other(change)


def with_steps(**fields: str) -> Any:
    """Iterations in which a parameter has the value of another one."""
    return other(
        lambda iterate, s, eta, eta_old, c, *rest: iterate(
            s, eta, eta_old, c._replace(**{n: getattr(c, of) for n, of in fields.items()}), *rest
        )
    )


def shrinking(factor: float) -> Any:
    """`blocks._others` that shrinks by 1 - beta times a factor."""
    others = blocks._others
    return lambda s, eta, keep, *rest: others(s, eta, lambda b: 1.0 - factor * (1.0 - keep(b)), *rest)


WRONG_BLOCKS = {
    **{f"minus {name}": (rsvrb, "iterate", negated(f"stored_{name}")) for name in ("u", "v", "w", "V", "H")},
    "no weights": (blocks, "draw_task", lambda *a, drawn=blocks.draw_task: (drawn(*a)[0], 1.0 + 0.0 * drawn(*a)[1])),
    "beta of others": (blocks, "_others", shrinking(0.5)),
    "eta_t for eta_(t-1)": (
        rsvrb, "iterate", other(lambda f, s, eta, eta_old, *rest: f(s, eta, eta, *rest)),
    ),
    "beta = b eta_(t-1)": (
        rsvrb, "iterate", other(lambda f, s, eta, eta_old, *rest: f(s, eta, eta_old**0.5, *rest)),
    ),
    **{
        f"{name} for {of}": (rsvrb, "iterate", with_steps(**{name: of}))
        for name, of in itertools.pairwise(("b_fx", "b_fy", "b_gxy", "b_gyy", "b_gy", "b_fx"))
    },
    "not delayed": (blocks, "_y_of", lambda s, i, xp, y_of=blocks._y_of: 2 * (y_of(s, i, xp)[0],)),
    "nan": (rsvrb, "iterate", other(lambda f, *a: f(*a)._replace(stored_w=np.nan * a[0].stored_w))),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG_BLOCKS)
def test_the_blocks_are_those_of_the_algorithm(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another sign, weight, beta or shrinking of any block is found, and so is y_(t-1) taken to be y_t."""
    monkeypatch.setattr(*WRONG_BLOCKS[wrong])
    assert verdict(enumeration.UNBIASED[0].finding({})) is Verdict.VIOLATED


def test_only_the_second_iteration_has_delayed_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in what is stored of the blocks that were not sampled shows where they are sampled next."""
    estimators = blocks._estimators

    def without_shrink(s: Any, *rest: Any) -> Any:
        return estimators(s._replace(shrink_u=1.0 + 0.0 * s.shrink_u), *rest)

    monkeypatch.setattr(blocks, "_estimators", without_shrink)
    first, *second = enumeration._errors(enumeration._Unprojected, True)
    assert np.max(first) < 1e-12
    assert all(np.max(found) > 1e-3 for found in second)


@pytest.mark.parametrize("shift", [1e-6, 0.02])
def test_tasks_count_with_the_probability_of_being_drawn(shift: float) -> None:
    """The weights say what they should, but tasks are drawn with other probabilities."""

    class _Misdrawn(enumeration._Unprojected):
        def sampling(self, xp: Any) -> tuple[Any, Any]:
            q, Q = super().sampling(xp)
            return q, np.hstack([Q[:, :-1] + shift, Q[:, -1:]])

    assert verdict(enumeration._claim("misdrawn", "misdrawn", kind=_Misdrawn).finding({})) is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("power", "expected"), [(0.0, Verdict.HOLDS), (1.0, Verdict.VIOLATED), (-1.0, Verdict.VIOLATED)]
)
def test_the_exponent_of_m(power: float, expected: Verdict) -> None:
    rng, held = np.random.default_rng(4), {}
    for m in many_tasks.SIZES:
        marks = many_tasks.LATE * m // np.array([4, 2, 1])
        spread = float(study.wave_tasks(m).spread(0.0, study.D)[0, 0])
        level = m**power * spread / m * np.exp(0.1 * rng.standard_normal((24, 3)))
        held[claims_many_tasks.SIMS[f"tasks-{m}"].key] = result({"grad_sq_mean": level}, marks, 24)
    assert verdict(claims_many_tasks.SCALING[1].finding(held)) is expected


@pytest.mark.parametrize(("factor", "expected"), [(1.0, Verdict.HOLDS), (3.0, Verdict.VIOLATED)])
def test_the_mean_for_many_tasks_is_at_most_twice_its_level(factor: float, expected: Verdict) -> None:
    m = claims_many_tasks.LARGEST
    marks = many_tasks.LATE * m // np.array([4, 2, 1])
    level = study.STUDY.view.predict(claims_many_tasks.level_of(m), marks[-1:])
    table = factor * np.full((24, 3), np.ravel(level)[0]) * np.linspace(0.9, 1.1, 24)[:, None]
    held = {claims_many_tasks.SIMS[f"tasks-{m}"].key: result({"grad_sq_mean": table}, marks, 24)}
    assert verdict(claims_many_tasks.AT_MOST_TWICE.finding(held)) is expected


class _Unprojected(WaveTasks):
    def radii(self, x: Any, xp: Any) -> tuple[Any, ...]:
        return (np.full((1, self.m, 1), enumeration.FAR),) * 4


@pytest.mark.parametrize("factor", [1.0, 0.25])
def test_with_the_index_of_the_blocks_d_is_a_multiple_of_the_mean_of_the_z(factor: float) -> None:
    """j = i: d tends to m times the mean of the z_i, and is this mean itself with the factor 1/m (here m = 4)."""
    m, beta, runs = 4, 0.01, 3
    problem = _Unprojected(**vars(study.wave_tasks(m)))
    oracle = SimpleNamespace(**{name: partial(getattr(problem, name), xp=np) for name in problem.COSTS})
    betas = dict.fromkeys((*study.BETAS, "b_d"), 1.0)
    c = rsvrb.Steps(**many_tasks.chosen_steps(m, -enumeration.FAR, **betas))
    draws = Draws(6, np.arange(runs), np)

    def mean_of_z(s: Any) -> np.ndarray:
        tasks = blocks.stacks(s, c.lam, np)
        return hypergradient(tasks.u, tasks.v, tasks.V, tasks.H, np).mean(axis=1)

    s = rsvrb.init({"x": np.full((runs, 2), 1.2), "y": np.full((runs, 2), 0.8)}, c, oracle, draws.at(0), np)
    first = s.d - factor * m * mean_of_z(s)
    for t in range(1, 40):
        s = blocks.iterate(s, 0.01, beta**0.5, c, oracle, draws.at(t), np, of_i=factor)
        apart = s.d - factor * m * mean_of_z(s)
        np.testing.assert_allclose(apart, (1.0 - beta) ** t * first, rtol=1e-8, atol=1e-12)


def test_outputs_are_read_at_the_ends_of_stages() -> None:
    marks = np.unique([*range(1, 50), *stages.MARKS[:4], stages.MARKS[3] + 5])
    table = np.tile(marks.astype(float), (2, 1))
    made = result({"gap": table}, marks, 2)
    values, samples = claims_stages.outputs(made, table, np.ones(2, dtype=bool))
    assert samples.tolist() == [2 * stages.T_1 * 2 ** (k - 1) for k in range(1, 5)]
    assert values[0].tolist() == (samples - stages.T_1 + 1).tolist()


@pytest.mark.parametrize(
    ("power", "expected"), [(-1.0, Verdict.HOLDS), (-0.5, Verdict.VIOLATED), (-1.5, Verdict.VIOLATED)]
)
def test_the_exponent_of_the_length_of_a_stage(power: float, expected: Verdict) -> None:
    """Read at the outputs of all stages but the first, which may be anything."""
    marks, rng = np.array(stages.MARKS[:7]), np.random.default_rng(5)
    lengths = stages.T_1 * 2.0 ** np.arange(7)
    gap = lengths**power * np.exp(0.1 * rng.standard_normal((40, 7)))
    gap[:, 0] *= 20.0
    key = claims_stages.SIMS["stages"].key
    assert verdict(claims_stages.exponent_of_length(key, {key: result({"gap": gap}, marks, 40)})) is expected


def test_the_level_of_stages_is_a_power_of_their_length() -> None:
    T = 2.0 * stages.T_1 * 2.0 ** np.arange(5)
    level = np.ravel(claims_stages.level(T))
    np.testing.assert_allclose(level * T, level[0] * T[0], rtol=1e-12)


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_the_floor_tells_the_choices_of_beta_d_apart(power: float) -> None:
    """Each of the three claims holds for runs with its own exponent of m, and for no others."""
    rng, marks = np.random.default_rng(6), np.array([100, 200])
    for claim, own in zip(claims_many_tasks.FLOORS, (1.0, 0.5, 0.0), strict=True):
        held = {}
        for key, m in zip(claim.needs, many_tasks.FLOOR_SIZES, strict=True):
            table = m**power * np.exp(0.05 * rng.standard_normal((80, 2)))
            rows = np.repeat(many_tasks.ROOTS, 40)
            held[key] = dataclasses.replace(result({"grad_sq_mean": table}, marks, 80), params={"root": rows})
        expected = Verdict.HOLDS if own == power else Verdict.VIOLATED
        assert verdict(claim.finding(held)) is expected
