"""SVRB, RSVRB and RE-RSVRB against loops typed from the listings, and exact expectations over the sampled task.

The loops work on one run and one task at a time, with dense matrices whose noise makes every projection active.
"""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from discover import trajectory
from thin import one_in
from workbench.theorems.rsvrb.experiments import many_tasks
from workbench.theorems.rsvrb.methods import blocks, matrices, re_rsvrb, rsvrb, svrb
from workbench.theorems.rsvrb.problems.quadratic import Quadratic
from workbench.theorems.rsvrb.problems.tasks import QuadraticTasks, heterogeneous

from workbench.arrays.random import Draws
from workbench.claims.mutation import mutant
from workbench.engine.choice import simulate
from workbench.engine.fused import Fused
from workbench.engine.oracle import Oracle
from workbench.engine.records import Problem, Rows, Run

D, E, M, RUNS = 3, 2, 3, 4
RNG = np.random.default_rng(11)
P, N = RNG.standard_normal((M, D, D)), RNG.standard_normal((M, D, E))
Q, J = RNG.standard_normal((M, E, E)), RNG.standard_normal((M, D, E))
B = RNG.standard_normal((M, E, E))
B = B + B.transpose(0, 2, 1) + 1.5 * np.eye(E)
RADII = 0.8 + RNG.uniform(size=(4, M))
WEIGHTS = np.array([0.5, 0.3, 0.2])
LAM, SEED = 0.4, 6
IDS = np.array([3, 0, 7, 5])
UPPER, LOWER = D + E, D * E + E * E + E  # numbers per sample


def upper(i: int, x: Any, y: Any, n: Any) -> tuple[Any, Any]:
    """(grad_x f_i, grad_y f_i); the sample enters in a sum and in a product with the point."""
    fx = P[i] @ x + N[i] @ np.tanh(y) + n[:D] * (1 + 0.2 * x)
    return fx, Q[i] @ y + N[i].T @ x + n[D:] * (1 + 0.2 * y)


def lower(i: int, x: Any, y: Any, n: Any) -> tuple[Any, Any, Any]:
    """(grad_y g_i, d2g_i/dxdy, d2g_i/dydy); the noise of the last need not be symmetric."""
    V, H, w = n[: D * E].reshape(D, E), n[D * E : -E].reshape(E, E), n[-E:]
    gyy = B[i] + H + 0.3 * np.outer(np.sin(y), np.sin(y))
    gxy = J[i] + V + 0.1 * np.outer(np.sin(x), np.cos(y))
    return gyy @ y + gxy.T @ x + w, gxy, gyy


def rows(function: Any, *columns: Any) -> tuple[Any, ...]:
    return tuple(
        np.stack(c) for c in zip(*(function(*row) for row in zip(*columns, strict=True)), strict=True)
    )


class Tasks:
    """The batched oracle of the functions above."""

    COSTS = {n: {n: 1} for n in ("upper", "lower", "all_upper", "all_lower", "radii", "sampling")}  # noqa: RUF012

    def upper(self, i, x, y, xi, k, xp):
        return rows(upper, i[:, 0], x, y, xi.normal(UPPER, 0, k))

    def lower(self, i, x, y, zeta, k, xp):
        return rows(lower, i[:, 0], x, y, zeta.normal(LOWER, 0, k))

    def all_upper(self, x, y, xi, k, xp):
        return self._all(upper, x, y, xi.normal((M, UPPER), 0, k))

    def all_lower(self, x, y, zeta, k, xp):
        return self._all(lower, x, y, zeta.normal((M, LOWER), 0, k))

    def _all(self, function, x, y, n):
        each = [rows(function, [i] * len(x), x, y[:, i], n[:, i]) for i in range(M)]
        return tuple(np.stack(part, axis=1) for part in zip(*each, strict=True))

    def radii(self, x, xp):
        return tuple(r[None, :, None] for r in RADII)

    def sampling(self, xp):
        return WEIGHTS[None], np.cumsum(WEIGHTS)[None]


class Single:
    """Task 1 alone."""

    COSTS = {"upper": {"upper": 1}, "lower": {"lower": 1}}  # noqa: RUF012

    def upper(self, x, y, xi, k, xp):
        return rows(upper, [1] * len(x), x, y, xi.normal(UPPER, 0, k))

    def lower(self, x, y, zeta, k, xp):
        return rows(lower, [1] * len(x), x, y, zeta.normal(LOWER, 0, k))


EIGHT = QuadraticTasks()
START = {"x": RNG.standard_normal((RUNS, D)), "y": RNG.standard_normal((RUNS, E))}
MANY = {"x": START["x"], "y": RNG.standard_normal((RUNS, M, E))}


# -------------------------------------------------------------------------- projections, typed for one matrix


def into_ball(a: Any, r: float) -> Any:
    size = math.sqrt(sum(float(t) ** 2 for t in a))
    return a if size <= r else a * (r / size)


def singular_at_most(V: Any, r: float) -> Any:
    """From the eigenvectors of V'V, without a singular value decomposition."""
    values, q = np.linalg.eigh(V.T @ V)
    factor = [min(1.0, r / math.sqrt(t)) if t > 0 else 1.0 for t in values]
    return V @ q @ np.diag(factor) @ q.T


def eigenvalues_at_least(H: Any, low: float) -> Any:
    """2 by 2, by the formula for eigenvalues: S + (parts below low) times their projections."""
    S = (H + H.T) / 2
    mean, half = (S[0, 0] + S[1, 1]) / 2, math.hypot((S[0, 0] - S[1, 1]) / 2, S[0, 1])
    high, least = mean + half, mean - half
    onto_high = (S - least * np.eye(2)) / (high - least)
    return max(high, low) * onto_high + max(least, low) * (np.eye(2) - onto_high)


def minus(u: Any, v: Any, V: Any, H: Any) -> Any:
    return u - V @ np.linalg.inv(H) @ v


# ------------------------------------------------------------------------------------------ Algorithm 1


def svrb_by_hand(c: Any, horizon: int, run: int) -> dict[str, Any]:
    x, y = START["x"][run], START["y"][run]
    draw = Draws(SEED, IDS[run : run + 1], np)
    sample = draw.at(1)
    first = [
        (*upper(1, x, y, sample(2).normal(UPPER, 0, k)[0]), *lower(1, x, y, sample(3).normal(LOWER, 0, k)[0]))
        for k in range(c.S)
    ]
    u, v, w, V, H = (sum(part) / c.S for part in zip(*first, strict=True))
    x_before, y_before = x, y
    for t in range(horizon):
        draw.at(t + 1)
        xi, zeta = draw(0).normal(UPPER)[0], draw(1).normal(LOWER)[0]
        eta = c.c / (c.c_0 + t) ** c.a
        square = (c.c / (c.c_0 + max(t - 1, 0)) ** c.a) ** 2
        f, f_old = upper(1, x, y, xi), upper(1, x_before, y_before, xi)
        g, g_old = lower(1, x, y, zeta), lower(1, x_before, y_before, zeta)
        u = (1 - c.b_fx * square) * (u - f_old[0]) + f[0]
        v = into_ball((1 - c.b_fy * square) * (v - f_old[1]) + f[1], c.C_fy)
        V = singular_at_most((1 - c.b_gxy * square) * (V - g_old[1]) + g[1], c.C_gxy)
        H = eigenvalues_at_least((1 - c.b_gyy * square) * (H - g_old[2]) + g[2], c.lam)
        w = (1 - c.b_gy * square) * (w - g_old[0]) + g[0]
        x_before, y_before = x, y
        x, y = x - eta * c.gamma * minus(u, v, V, H), y - eta * c.tau * w
    return {"x": x, "x_old": x_before, "y": y, "y_old": y_before, "u": u, "v": v, "V": V, "H": H, "w": w}


@pytest.mark.parametrize("S", [1, 3])
def test_svrb_is_algorithm_1(S: int) -> None:
    c = svrb.Steps(0.2, 0.3, 0.7, 1.4, 0.9, 0.8, 0.7, 0.6, 0.5, 1.1, 1.3, LAM, 1 / 3, S)
    found = trajectory(svrb, Single(), c, START, IDS, 7, seed=SEED)[-1]
    for run in range(RUNS):
        for name, value in svrb_by_hand(c, 7, run).items():
            np.testing.assert_allclose(getattr(found, name)[run], value, rtol=1e-9, atol=1e-10, err_msg=name)


# ------------------------------------------------------------------------------------------ Algorithm 2


def chosen(u: float, mix: float) -> tuple[int, float]:
    """i with p_1 + ... + p_(i-1) < u, and p_i."""
    p = [(1 - mix) / M + mix * q for q in WEIGHTS]
    total = 0.0
    for i in range(M):
        total += p[i]
        if u <= total:
            return i, p[i]
    return M - 1, p[-1]


def start_by_hand(S: int, run: int) -> dict[str, Any]:
    x, y = MANY["x"][run], MANY["y"][run]
    draw = Draws(SEED, IDS[run : run + 1], np).at(1)
    out: dict[str, Any] = {n: [] for n in "uvVHw"}
    for i in range(M):
        each = [
            (
                *upper(i, x, y[i], draw(3).normal((M, UPPER), 0, k)[0, i]),
                *lower(i, x, y[i], draw(4).normal((M, LOWER), 0, k)[0, i]),
            )
            for k in range(S)
        ]
        for name, part in zip("uvwVH", zip(*each, strict=True), strict=True):
            out[name].append(sum(part) / S)
    d = sum(minus(out["u"][i], out["v"][i], out["V"][i], out["H"][i]) for i in range(M)) / M
    return {"x": x, "x_old": x, "y": list(y), "y_old": list(y), **out, "d": d}


def iteration_by_hand(s: dict[str, Any], c: Any, eta: float, eta_old: float, draw: Any) -> dict[str, Any]:
    """Lines 3-15 of Algorithm 2."""
    square = eta_old**2
    i_t, p = chosen(float(draw(0).uniform(1, 0)[0, 0]), c.mix)
    j_t = int(draw(0).index(M, 1, 1)[0, 0])
    xi, zeta = draw(1).normal(UPPER)[0], draw(2).normal(LOWER)[0]
    new: dict[str, Any] = {n: [None] * M for n in ("u", "v", "V", "H", "w", "y")}
    for i in range(M):
        if i == i_t:
            f, f_old = upper(i, s["x"], s["y"][i], xi), upper(i, s["x_old"], s["y_old"][i], xi)
            g, g_old = lower(i, s["x"], s["y"][i], zeta), lower(i, s["x_old"], s["y_old"][i], zeta)
            u = (1 - c.b_fx * square) * (s["u"][i] - f_old[0] / p) + f[0] / p
            v = (1 - c.b_fy * square) * (s["v"][i] - f_old[1] / p) + f[1] / p
            V = (1 - c.b_gxy * square) * (s["V"][i] - g_old[1] / p) + g[1] / p
            H = (1 - c.b_gyy * square) * (s["H"][i] - g_old[2] / p) + g[2] / p
            new["u"][i], new["v"][i] = into_ball(u, RADII[0, i]), into_ball(v, RADII[1, i])
            new["V"][i] = singular_at_most(V, RADII[2, i])
            new["H"][i] = eigenvalues_at_least(H, c.lam)
            new["w"][i] = (1 - c.b_gy * square) * (s["w"][i] - g_old[0] / p) + g[0] / p
        else:
            new["u"][i], new["v"][i] = (1 - c.b_fx * square) * s["u"][i], (1 - c.b_fy * square) * s["v"][i]
            new["V"][i] = (1 - c.b_gxy * square) * s["V"][i]
            new["H"][i] = eigenvalues_at_least((1 - c.b_gyy * square) * s["H"][i], c.lam)
            new["w"][i] = (1 - c.b_gy * square) * s["w"][i]
    z_old, z = (minus(*(b[n][j_t] for n in "uvVH")) for b in (s, new))
    d = (1 - c.b_d * square) * (s["d"] - z_old) + z
    for i in range(M):
        to = into_ball(s["y"][i] - c.tau * new["w"][i], RADII[3, i])
        new["y"][i] = (1 - eta) * s["y"][i] + eta * to
    return {**new, "x": s["x"] - eta * c.gamma * d, "x_old": s["x"], "y_old": s["y"], "d": d}


def compare(found: Any, run: int, by_hand: dict[str, Any]) -> None:
    listing = {**found._asdict(), **blocks.stacks(found, LAM, np)._asdict()}
    for name, value in by_hand.items():
        np.testing.assert_allclose(listing[name][run], np.stack(value), rtol=1e-8, atol=1e-9, err_msg=name)


BETAS = {"b_fx": 0.9, "b_fy": 0.8, "b_gxy": 0.7, "b_gyy": 0.6, "b_gy": 0.5, "b_d": 0.4}


@pytest.mark.parametrize(("mix", "S"), [(0.0, 1), (1.0, 2), (0.4, 1)])
def test_rsvrb_is_algorithm_2(mix: float, S: int) -> None:
    c = rsvrb.Steps(0.2, 0.3, 0.7, **BETAS, lam=LAM, c_0=1.4, a=1 / 3, mix=mix, S=S)
    states = trajectory(rsvrb, Tasks(), c, MANY, IDS, 9, seed=SEED)
    for run in range(RUNS):
        s, draw = start_by_hand(S, run), Draws(SEED, IDS[run : run + 1], np)
        compare(states[0], run, s)
        for t in range(9):
            eta, eta_old = (c.c / (c.c_0 + max(x, 0)) ** c.a for x in (t, t - 1))
            s = iteration_by_hand(s, c, eta, eta_old, draw.at(t + 1))
        compare(states[-1], run, s)


def test_all_projections_of_the_comparison_are_active() -> None:
    """Otherwise the comparison above would not see them."""
    c = rsvrb.Steps(0.2, 0.3, 0.7, **BETAS, lam=LAM, c_0=1.4, a=1 / 3)
    end = blocks.stacks(trajectory(rsvrb, Tasks(), c, MANY, IDS, 9, seed=SEED)[-1], LAM, np)
    assert np.isclose(np.linalg.norm(end.u, axis=-1), RADII[0]).any()
    assert np.isclose(np.linalg.norm(end.v, axis=-1), RADII[1]).any()
    assert np.isclose(np.linalg.svd(end.V)[1][..., 0], RADII[2]).any()
    assert np.isclose(np.linalg.eigvalsh(end.H)[..., 0], LAM).any()


# ------------------------------------------------------------------------------------------ Algorithm 3


@pytest.mark.parametrize("last", [0.0, 1.0])
def test_re_rsvrb_is_algorithm_3(last: float) -> None:
    """Stages of 4, ceil(8) and ceil(16 ...) iterations; each begins where the one before it was at its random time."""
    c = re_rsvrb.Steps(0.2, 0.3, 0.5, **BETAS, lam=LAM, T_1=3.2, A=1.0, B=1.0, mix=0.5, last=last, S=1)
    horizon = 4 + 8 + 16
    end = trajectory(re_rsvrb, Tasks(), c, MANY, IDS, horizon, seed=SEED)[-1]
    outputs = set()
    for run in range(RUNS):
        s, draw = start_by_hand(1, run), Draws(SEED, IDS[run : run + 1], np)
        uniform = float(draw.at(1)(5).uniform(1, 2)[0, 0])
        t = 0
        for k, length in enumerate((4, 8, 16)):
            eta = c.c * 2 ** (-k / 2)
            if k:
                assert length == math.ceil(max(c.A / eta, c.B / eta**2) - 1e-9)
            stop = length if last else math.floor(uniform * (length + 1))
            states = [s]
            for _ in range(length):
                t += 1
                draw.at(t)
                uniform = float(draw(0).uniform(1, 2)[0, 0])  # of the last iteration: for the next stage
                if len(states) <= stop:
                    states.append(iteration_by_hand(states[-1], c, eta, eta, draw))
            s = states[stop]
            outputs.add(stop)
        compare(end, run, s)
    np.testing.assert_array_equal(end.k, 4.0)
    np.testing.assert_array_equal(end.iterations, 0.0)
    assert last or len(outputs) > 3


def test_a_stage_bills_all_of_its_samples() -> None:
    """Waiting at the output does not make a stage cheaper: T_k samples, each at two points."""
    c = re_rsvrb.Steps(0.2, 0.3, 0.5, **BETAS, lam=LAM, T_1=4.0, A=1.0, B=1.0)
    calls: dict[str, Any] = {}
    trajectory(re_rsvrb, QuadraticTasks(), c, {n: v[:, :1] for n, v in START.items()}, IDS, 12, calls=calls)
    assert {n: int(np.max(v)) for n, v in calls.items()} == {"evaluation_f": 24, "evaluation_g": 24}


# ----------------------------------------------------------------------- expectations over the sampled tasks


class Chosen:
    """Samples of a step: task i, index j, and fixed noise."""

    def __init__(self, u: float, j: int) -> None:
        self.u, self.j = u, j

    def __call__(self, number: int) -> Any:
        return SimpleNamespace(
            uniform=lambda d, part=0, k=0: np.array([[self.u]]),
            index=lambda n, size, part=0, k=0: np.array([[self.j]]),
            normal=lambda d, part=0, k=0: np.random.default_rng(100 + number).standard_normal((1, d)),
        )


class Wide(Tasks):
    """No projection is active."""

    def radii(self, x, xp):
        return tuple(np.full((1, M, 1), 1e6) for _ in range(4))


@pytest.mark.parametrize("mix", [0.0, 0.7, 1.0])
def test_a_sampled_block_is_unbiased(mix: float) -> None:
    """Over i with its probabilities every estimator has the mean of STORM on all tasks; over j, d that of all z_i."""
    c = rsvrb.Steps(0.2, 0.3, 0.7, **BETAS, lam=-1e6, c_0=1.0, a=0.0, mix=mix)
    rng = np.random.default_rng(2)
    shapes = {
        "x": (D,),
        "x_old": (D,),
        "y": (M, E),
        "y_old": (M, E),
        "u": (M, D),
        "v": (M, E),
        "w": (M, E),
        "d": (D,),
    }
    fields = {n: rng.standard_normal((1, *shape)) for n, shape in shapes.items()}
    fields["V"] = rng.standard_normal((1, M, D, E))
    H = rng.standard_normal((1, M, E, E))
    fields["H"] = H + np.swapaxes(H, -1, -2) + 4 * np.eye(E)
    every = blocks.Stacks(**{n: fields[n] for n in blocks.Stacks._fields})
    s = blocks.state_of(fields["x"], fields["x_old"], fields["d"], every, np.full((1, M, 1), 1e6), np)
    oracle = Oracle(Wide(), np)
    p = [(1 - mix) / M + mix * q for q in WEIGHTS]
    ends = list(itertools.accumulate(p))
    mean: dict[str, Any] = dict.fromkeys("uvVHw", 0.0)
    of_d: Any = 0.0
    of_z: Any = 0.0
    for i, j in itertools.product(range(M), range(M)):
        state = blocks.iterate(s, 0.7, 0.7, c, oracle, Chosen(ends[i] - p[i] / 2, j), np)
        new = blocks.stacks(state, c.lam, np)
        for name in mean:
            mean[name] = mean[name] + p[i] / M * getattr(new, name)
        of_d = of_d + p[i] / M * state.d
        of_z = of_z + p[i] / M * np.mean(matrices.hypergradient(new.u, new.v, new.V, new.H, np), axis=1)
    xi, zeta = Chosen(0.0, 0)(1).normal(UPPER)[0], Chosen(0.0, 0)(2).normal(LOWER)[0]
    place = {
        "u": (upper, xi, 0),
        "v": (upper, xi, 1),
        "w": (lower, zeta, 0),
        "V": (lower, zeta, 1),
        "H": (lower, zeta, 2),
    }
    names = {"u": "b_fx", "v": "b_fy", "w": "b_gy", "V": "b_gxy", "H": "b_gyy"}
    for name, (function, n, part) in place.items():
        beta = BETAS[names[name]] * 0.49
        for i in range(M):
            new_value = function(i, s.x[0], fields["y"][0, i], n)[part]
            old_value = function(i, s.x_old[0], fields["y_old"][0, i], n)[part]
            expected = (1 - beta) * (fields[name][0, i] - old_value) + new_value
            if name == "H":
                expected = (expected + expected.T) / 2
            np.testing.assert_allclose(mean[name][0, i], expected, rtol=1e-9, atol=1e-9, err_msg=name)
    z_old = np.mean(matrices.hypergradient(every.u, every.v, every.V, every.H, np), axis=1)
    np.testing.assert_allclose(of_d, (1 - BETAS["b_d"] * 0.49) * (s.d - z_old) + of_z, rtol=1e-9)


# ---------------------------------------------------------------------------------------------- both engines


COMPILED = [
    (svrb, Quadratic(), svrb.Steps(0.5, 0.4, 0.8, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.6, 0.7, 0.9)),
]  # the others with delayed tasks: below


@pytest.mark.parametrize(("algorithm", "instance", "steps"), COMPILED, ids=["svrb"])
def test_compiled_steps_agree_with_the_loop(algorithm: Any, instance: Any, steps: Any) -> None:
    """Where Jacobians and Hessians are diagonal, every step can be compiled."""
    start = {"x": np.full((RUNS, 2), 1.5), "y": np.full((RUNS, 2), 0.5)}
    problem = Problem(algorithm, instance, steps, start)
    eager, fused = (simulate(problem, Run(np.array([1, 7, 40]), engine=e)) for e in ("eager", "fused"))
    for name, values in eager.data.items():
        np.testing.assert_allclose(fused.data[name], values, rtol=1e-9, atol=1e-12, err_msg=name)
    assert {n: v.tolist() for n, v in eager.calls.items()} == {n: v.tolist() for n, v in fused.calls.items()}
    assert eager.calls["evaluation_f"].ravel().tolist() == [2, 14, 80]


# ------------------------------------------------------------------------- tasks that are delayed until sampled


NEAR = {"x": np.linspace(0.5, 1.5, 2 * RUNS).reshape(RUNS, 2), "y": np.full((RUNS, 2), 0.5)}


def listed(s: dict[str, Any], c: Any, eta: Any, eta_old: Any, instance: Any, draw: Any) -> dict[str, Any]:
    """Lines 3-15 of Algorithm 2 for all tasks and runs at once, diagonal Jacobians and Hessians: nothing is delayed."""
    oracle, m = Oracle(instance, np), s["y"].shape[1]
    pick, rows = draw(0), np.arange(len(s["x"]))
    i, p = blocks.draw_task(c.mix, pick.uniform(1, 0), oracle, np)
    j, n = pick.index(m, 1, 1)[:, 0], i[:, 0]
    f, f_old = (oracle.upper(i, s[x], s[y][rows, n], draw(1), 0) for x, y in (("x", "y"), ("x_old", "y_old")))
    g, g_old = (oracle.lower(i, s[x], s[y][rows, n], draw(2), 0) for x, y in (("x", "y"), ("x_old", "y_old")))
    C_fx, C_fy, C_gxy, R = oracle.radii(s["x"])
    betas = {"u": c.b_fx, "v": c.b_fy, "V": c.b_gxy, "H": c.b_gyy, "w": c.b_gy}
    sampled = {"u": (f[0], f_old[0]), "v": (f[1], f_old[1]), "w": (g[0], g_old[0]), "V": (g[1], g_old[1])}
    sampled["H"] = (g[2], g_old[2])
    new: dict[str, Any] = {}
    for name, (now, old) in sampled.items():
        keep = np.asarray(1.0 - betas[name] * eta_old**2)
        one = keep * (s[name][rows, n] - old / p) + now / p
        if name in "uv":
            radius = (C_fx if name == "u" else C_fy)[0, n]
            one = one / np.maximum(np.linalg.norm(one, axis=-1, keepdims=True) / radius, 1.0)
        if name == "V":
            one = np.clip(one, -C_gxy[0, n], C_gxy[0, n])
        new[name] = keep[..., None] * s[name]
        new[name][rows, n] = one
        if name == "H":
            new[name] = np.maximum(new[name], c.lam)
    before, after = (b["u"][rows, j] - b["V"][rows, j] * b["v"][rows, j] / b["H"][rows, j] for b in (s, new))
    d = (1.0 - c.b_d * eta_old**2) * (s["d"] - before) + after
    to = s["y"] - c.tau * new["w"]
    size = np.linalg.norm(to, axis=-1, keepdims=True)
    rate = np.asarray(eta)[..., None]
    y = (1.0 - rate) * s["y"] + rate * np.where(size > R, to * (R / size), to)
    active = (size > R).any(axis=(1, 2))
    return {
        **new,
        "x": s["x"] - eta * c.gamma * d,
        "x_old": s["x"],
        "y": y,
        "y_old": s["y"],
        "d": d,
        "active": active,
    }


# name -> (steps, radius of the Y_i, how many of 120 iterations update all tasks: at least, at most)
FEW = dict.fromkeys(BETAS, 0.1)
DELAYED = {
    "nothing happens": (FEW, 300.0, 0, 0),
    "products become small": ({**FEW, "b_gy": 9.0, "b_gyy": 8.0}, 300.0, 20, 60),
    "projections of one task are active at times": (FEW, 4.0, 0, 0),
    "projections of two tasks are active at times": (FEW, 1.8, 1, 20),
    "projections are active always": (FEW, 0.9, 90, 120),
    "decaying steps": ({"b_gy": 30.0, "a": 0.5, "c_0": 3.0}, 300.0, 1, 20),
    "beta is 1": ({"b_gy": 100.0 / 9.0, "b_gyy": 100.0 / 9.0}, 3000.0, 120, 120),
    "beta exceeds 1": ({"b_gy": 15.0, "b_gyy": 20.0, "b_fy": 12.0}, 3000.0, 120, 120),
    "y does not move": ({**FEW, "tau": 0.0}, 3.0, 0, 0),
}


def seen(s: Any, lam: float) -> dict[str, np.ndarray]:
    """The variables of the listing in a state."""
    return {"x": s.x, "x_old": s.x_old, "d": s.d, **blocks.stacks(s, lam, np)._asdict()}


def agrees(found: Any, expected: dict[str, Any], lam: float, t: int) -> None:
    for name, value in seen(found, lam).items():
        np.testing.assert_allclose(value, expected[name], rtol=1e-9, atol=1e-10, err_msg=f"{name} at {t}")


def updates_all(s: Any) -> np.ndarray:
    """The runs whose last iteration updated all tasks, (runs,)."""
    return s.way_old[:, 0] < 0.0


@pytest.mark.parametrize("name", DELAYED)
def test_delayed_tasks_are_those_of_the_listing(name: str) -> None:
    """Every iteration, whether it touches two tasks or all, gives what the listing gives for all tasks."""
    changes, R, least, most = DELAYED[name]
    values = {"gamma": 0.2, "tau": 0.4, "c": 0.3, **BETAS, "lam": 0.6, **changes}
    c, instance = rsvrb.Steps(**values), QuadraticTasks(R_y=R)
    states = trajectory(rsvrb, instance, c, NEAR, IDS, 120, seed=SEED)
    draw, fresh, active = Draws(SEED, IDS, np), 0, 0
    s = seen(states[0], c.lam)
    for t in range(120):
        eta, eta_old = (c.c / (c.c_0 + max(k, 0)) ** c.a for k in (t, t - 1))
        s = listed(s, c, eta, eta_old, instance, draw.at(t + 1))
        agrees(states[t + 1], s, c.lam, t)
        np.testing.assert_array_equal(states[t + 1].y, blocks.stacks(states[t + 1], c.lam, np).y)
        fresh, active = fresh + updates_all(states[t + 1]).max(), active + s["active"].max()
    assert least <= fresh <= most
    assert (active > 0) == name.startswith("projections")


@pytest.mark.parametrize("R", one_in(3, [0.9, 4.0, 300.0]))
@pytest.mark.parametrize(("m", "alpha", "mix"), [(1, 0.0, 0.0), (2, 1.0, 1.0), (8, 3.0, 1.0), (40, 0.0, 0.0)])
def test_stages_of_different_lengths_are_those_of_the_listing(
    m: int, alpha: float, mix: float, R: float
) -> None:
    """RE-RSVRB with another T_1 in every run, so that some wait and begin a stage while others move.

    With (i + 1)^(-3) as weights, the last task is delayed for hundreds of iterations.
    """
    T_1 = np.array([[3.0], [10.0], [17.0], [40.0]])
    c = re_rsvrb.Steps(0.2, 0.4, 0.3, **FEW, lam=0.6, T_1=T_1, A=0.0, B=0.09 * T_1, mix=mix)
    instance = QuadraticTasks(**heterogeneous(m, alpha), R_y=R)
    states = trajectory(re_rsvrb, instance, c, NEAR, IDS, 200, seed=SEED)
    draw, s, waited = Draws(SEED, IDS, np), seen(states[0], c.lam), 0
    for t, before in enumerate(states[:-1]):
        eta, going = 0.3 * 2.0 ** (-(before.k - 1.0) / 2.0), before.iterations < before.stop
        new = listed(s, c, eta, eta, instance, draw.at(t + 1))
        s = {n: np.where(blocks.wide(going, v), new[n], v) for n, v in s.items()}
        agrees(states[t + 1], s, c.lam, t)
        waited += int((~going).sum())
    assert waited > 200
    assert states[-1].k.ravel().tolist() == [7.0, 5.0, 4.0, 3.0]


@pytest.mark.parametrize("m", [1, 2, 3, 8, 100, 512])
@pytest.mark.parametrize("mix", [0.0, 0.3, 1.0])
def test_tasks_are_drawn_by_inversion(m: int, mix: float) -> None:
    """Bisection finds the first sum that reaches u, also where u is one of the sums or exceeds all of them."""
    instance = QuadraticTasks(**heterogeneous(m, 1.0))
    weights, sums = instance.sampling(np)
    p = (1.0 - mix) / m + mix * weights[0]
    P = (1.0 - mix) * (np.arange(m) + 1.0) / m + mix * sums[0]
    u = np.concatenate([np.linspace(1e-9, 1.0, 401), P, np.nextafter(P, 0.0), np.nextafter(P, 2.0)])
    i, p_i = blocks.draw_task(mix, u[:, None], Oracle(instance, np), np)
    expected = np.minimum((u[:, None] > P).sum(axis=1), m - 1)
    np.testing.assert_array_equal(i[:, 0], expected)
    np.testing.assert_array_equal(p_i[:, 0], p[expected])


@pytest.mark.long
def test_compiled_steps_touch_few_tasks() -> None:
    """All stacks of tasks stay in memory; at marks between which most of 70 tasks are not sampled, a batch has the
    bits of the eager loop, and so has one of its runs alone. With restarts; the step without them is compared in its
    CUDA text (`test_fused`)."""
    instance, x = QuadraticTasks(**heterogeneous(70)), np.linspace(0.5, 1.5, 80).reshape(40, 2)
    one = slice(37, 38)
    algorithm, steps = re_rsvrb, re_rsvrb.Steps(0.5, 0.4, 0.2, **BETAS, lam=0.6, T_1=5.0, A=0.0, B=0.45)
    problem = Problem(algorithm, instance, steps, {"x": x, "y": 0.5 * x})
    alone = Problem(algorithm, instance, steps, {"x": x[one], "y": 0.5 * x[one]}, Rows(np.array([37])))
    made = Fused(problem, Run(np.array([1]), engine="fused"))
    stacks = [n for n, v in enumerate(made.state) if v.ndim == 3]
    assert sorted(made.program.stacks.spots) == stacks
    assert len(stacks) == 9
    marks = np.array([1, 2, 9, 30, 31, 60])
    fused, eager, single = (
        simulate(p, Run(marks, engine=e))
        for p, e in ((problem, "fused"), (problem, "eager"), (alone, "eager"))
    )
    np.testing.assert_array_equal(eager.data["outside_x_max"], fused.data["outside_x_max"])
    for name, values in single.data.items():
        np.testing.assert_array_equal(values[0], eager.data[name][37], err_msg=name)
        np.testing.assert_allclose(values[0], fused.data[name][37], rtol=1e-11, err_msg=name)


def test_a_variable_that_is_not_stored_is_one_sentence() -> None:
    """For probes, metrics and mutations."""
    c = rsvrb.Steps(0.2, 0.3, 0.7, **BETAS, lam=LAM)
    s = trajectory(rsvrb, Tasks(), c, MANY, IDS, 0)[0]
    with pytest.raises(AttributeError, match=r"no 'u': `blocks.stacks\(state, lam, xp\).u` computes it"):
        _ = s.u
    with pytest.raises(AttributeError, match=r"no 'U'$"):
        _ = s.U


def test_the_falsifier_without_correction_is_the_listing_with_one_point() -> None:
    """The mutated statement makes the old point the new one, also for tasks that are delayed."""
    wrong = mutant(rsvrb, many_tasks.MUTATIONS["tasks-uncorrected"])
    c, instance = rsvrb.Steps(0.2, 0.4, 0.3, **FEW, lam=0.6), QuadraticTasks(R_y=4.0)
    states = trajectory(wrong, instance, c, NEAR, IDS, 60, seed=SEED)
    right = trajectory(rsvrb, instance, c, NEAR, IDS, 60, seed=SEED)
    draw, s = Draws(SEED, IDS, np), seen(states[0], c.lam)
    for t in range(60):
        s = listed({**s, "x_old": s["x"], "y_old": s["y"]}, c, 0.3, 0.3, instance, draw.at(t + 1))
        agrees(states[t + 1], s, c.lam, t)
    assert np.abs(states[-1].x - right[-1].x).max() > 1e-3
