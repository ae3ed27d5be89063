"""IR-SCG, IR-FSCG and their competitors against second implementations, by-hand steps and the proof's inequalities.

The second implementations are written from the listings with explicit sums, one run at a time, on a problem whose
sampled gradients are matrices drawn beforehand; they share no line with the package but the set's oracle.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from discover import trajectory
from workbench.theorems.baselines import ar_ip_seg, sbcgf, sbcgi, sdbgd, spider_fw
from workbench.theorems.ir_cg.methods import ir_fscg, ir_scg

from workbench.arrays.random import Draws
from workbench.arrays.sets import L1Ball

D, N, RUNS = 4, 6, 3
RNG = np.random.default_rng(20)
# f_i(x) = x'P_i x/2 - p_i'x with indefinite P_i and a positive mean; likewise g_i with Q_i, q_i.
P = RNG.standard_normal((N, D, D))
P = P + P.transpose(0, 2, 1)
P = P - P.mean(0) + np.diag([1.0, 2.0, 0.5, 1.5])
Q = RNG.standard_normal((N, D, D))
Q = Q + Q.transpose(0, 2, 1)
Q = Q - Q.mean(0) + np.diag([2.0, 1.0, 0.0, 0.0])  # flat in two coordinates: X_opt is no point
p, q = RNG.standard_normal((2, N, D))
q[:, 2:] -= q[:, 2:].mean(0)
X = L1Ball(1.5)
START = X.project(RNG.standard_normal((RUNS, D)), np)


def f_grad(x, i):
    return P[i].mean(0) @ x - p[i].mean(0)


def g_value(x, i):
    return 0.5 * x @ Q[i].mean(0) @ x - q[i].mean(0) @ x


def g_grad(x, i):
    return Q[i].mean(0) @ x - q[i].mean(0)


ALL = np.arange(N)


def rows(function, x, indices):
    """A one-run function on each run with its own indices."""
    return np.stack([np.atleast_1d(function(x[r], indices[r])) for r in range(len(x))])


class FiniteSum:
    """The batched oracle of the problem above."""

    COSTS = {  # noqa: RUF012
        name: {name: 1}
        for name in (
            "pair_f", "pair_g", "difference_f", "difference_g", "valued_pair_g", "full_f", "full_g", "full_valued_g",
            "grad_f", "grad_g", "valued_grad_g", "lmo", "lmo_cut", "project",
        )
    }  # fmt: skip

    def pair_f(self, x, x_old, theta, S, xp):
        i = theta.index(N, S)
        return rows(f_grad, x, i), rows(f_grad, x_old, i)

    def pair_g(self, x, x_old, xi, S, xp):
        i = xi.index(N, S)
        return rows(g_grad, x, i), rows(g_grad, x_old, i)

    def difference_f(self, x, x_old, theta, S, xp):
        f, f_old = self.pair_f(x, x_old, theta, S, xp)
        return f - f_old

    def difference_g(self, x, x_old, xi, S, xp):
        g, g_old = self.pair_g(x, x_old, xi, S, xp)
        return g - g_old

    def valued_pair_g(self, x, x_old, xi, S, xp):
        i = xi.index(N, S)
        return rows(g_value, x, i), rows(g_value, x_old, i), rows(g_grad, x, i), rows(g_grad, x_old, i)

    def full_f(self, x, xp):
        return rows(f_grad, x, [ALL] * len(x))

    def full_g(self, x, xp):
        return rows(g_grad, x, [ALL] * len(x))

    def full_valued_g(self, x, xp):
        return rows(g_value, x, [ALL] * len(x)), self.full_g(x, xp)

    def grad_f(self, x, theta, xp):
        return rows(f_grad, x, theta.index(N, 1))

    def grad_g(self, x, xi, xp):
        return rows(g_grad, x, xi.index(N, 1))

    def valued_grad_g(self, x, xi, xp):
        i = xi.index(N, 1)
        return rows(g_value, x, i), rows(g_grad, x, i)

    def lmo(self, c, xp):
        return X.lmo(c, xp)

    def lmo_cut(self, c, a, r, xp):
        return lp_over_cut(c, a, r)

    def project(self, x, xp):
        return X.project(x, xp)


def lp_over_cut(c, a, r):
    """Best mixture of two vertices of the ball under <a, v> <= r: a linear programme with one cut ends there."""
    corners = np.vstack([1.5 * np.eye(D), -1.5 * np.eye(D)])
    points, empty = [], []
    for c_r, a_r, r_r in zip(c, a, r[:, 0], strict=True):
        height = corners @ a_r
        candidates = [v for v, h in zip(corners, height, strict=True) if h <= r_r]
        for v, h in zip(corners, height, strict=True):
            for w, k in zip(corners, height, strict=True):
                if h > r_r >= k:
                    candidates.append(w + (r_r - k) / (h - k) * (v - w))
        empty.append([not candidates])
        points.append(min(candidates, key=lambda v: c_r @ v) if candidates else np.zeros(D))
    return np.array(points), np.array(empty)


def simulate(algorithm, steps, horizon, seed=5):
    """(states before iterations 1..horizon+1, calls)."""
    calls = {}
    ids = np.arange(RUNS)
    return trajectory(
        algorithm, FiniteSum(), steps, {"x": START}, ids, horizon, seed=seed, calls=calls
    ), calls


def indices(t, stream, S, seed=5):
    """(runs, S): the indices of the paper's iteration t (the engine counts from 1)."""
    return Draws(seed, np.arange(RUNS), np).at(t + 1)(stream).index(N, S)


def average(x, sigma, t, q=0):
    """z_t by the sums of the listing; x, sigma: lists over 0..t."""
    weights = {i: (i + 1) * i * (sigma[i - 1] - sigma[i]) for i in range(q + 1, t + 1)}
    top = (t + 1) * t * sigma[t]
    return (top * x[t] + sum(w * x[i] for i, w in weights.items())) / (top + sum(weights.values()))


@pytest.mark.parametrize(("a", "b", "omega", "power"), [(2.0, 2.0, 1.0, 0.25), (1.0, 1.0, 6 / 7, 2 / 7)])
def test_ir_scg_is_the_listing(a, b, omega, power):
    T = 25
    states, calls = simulate(ir_scg, ir_scg.Steps(0.7, power, a, b, omega), T)
    sigma = [0.7 * (t + 1) ** -power for t in range(T + 2)]
    for r in range(RUNS):
        x, F, G = [START[r]], None, None
        for t in range(T):
            alpha = (a / (t + b)) ** omega
            i, j = indices(t, 0, 1)[r], indices(t, 1, 1)[r]
            if t == 0:
                F, G = f_grad(x[0], i), g_grad(x[0], j)
            else:
                F = (1 - alpha) * F + f_grad(x[t], i) - (1 - alpha) * f_grad(x[t - 1], i)
                G = (1 - alpha) * G + g_grad(x[t], j) - (1 - alpha) * g_grad(x[t - 1], j)
            v = X.lmo((sigma[t] * F + G)[None], np)[0]
            x.append(x[t] + alpha * (v - x[t]))
            s = states[t + 1]
            np.testing.assert_allclose(s.x[r], x[t + 1], rtol=1e-11, atol=1e-13)
            np.testing.assert_allclose(s.F[r], F, rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(s.G[r], G, rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(s.z[r], average(x, sigma, t + 1), rtol=1e-10, atol=1e-12)
            assert s.sigma[r, 0] == pytest.approx(sigma[t + 1], rel=1e-13)
    assert calls == {"pair_f": T, "pair_g": T, "lmo": T}


@pytest.mark.parametrize(
    ("q_", "S", "a", "b", "omega", "power", "plus"),
    [(4, 4, 2.0, 2.0, 1.0, 0.5, 0), (3, 2, 2.0, 1.0, 1.0, 0.5, 0), (4, 3, 1.0, 1.0, 0.75, 0.5, 1)],
)
def test_ir_fscg_is_the_listing(q_, S, a, b, omega, power, plus):
    """Theorem 2, the experiments' step (L219) and Theorem 6; the average starts at q with sums over i > q."""
    T, hold = 22, q_ + plus
    alpha_0 = np.log(hold) / hold
    steps = ir_fscg.Steps(0.7, power, a, b, omega, q_, S, alpha_0, hold)
    states, calls = simulate(ir_fscg, steps, T)
    sigma = [0.7 * (max(t, hold) + 1) ** -power for t in range(T + 2)]
    for r in range(RUNS):
        x, F, G = [START[r]], None, None
        for t in range(T):
            if t % q_ == 0:
                F, G = f_grad(x[t], ALL), g_grad(x[t], ALL)
            else:
                i, j = indices(t, 0, S)[r], indices(t, 1, S)[r]
                F = F + f_grad(x[t], i) - f_grad(x[t - 1], i)
                G = G + g_grad(x[t], j) - g_grad(x[t - 1], j)
            alpha = alpha_0 if t < hold else (a / (t + b)) ** omega
            v = X.lmo((sigma[t] * F + G)[None], np)[0]
            x.append(x[t] + alpha * (v - x[t]))
            s = states[t + 1]
            np.testing.assert_allclose(s.x[r], x[t + 1], rtol=1e-11, atol=1e-13)
            np.testing.assert_allclose(s.G[r], G, rtol=1e-10, atol=1e-12)
            z = average(x, sigma, t + 1, q_) if t >= q_ else x[t + 1]
            np.testing.assert_allclose(s.z[r], z, rtol=1e-10, atol=1e-12)
    full = -(-T // q_)
    assert calls == {
        "full_f": full,
        "full_g": full,
        "difference_f": T - full,
        "difference_g": T - full,
        "lmo": T,
    }


def test_sbcgi_is_its_listing():
    warm, T = 5, 14
    steps = sbcgi.Steps(0.3, 0.9, 0.2, 0.5, 0.8, warm, 0.1, 3, 2)
    states, calls = simulate(sbcgi, steps, T)
    skipped = 0
    for r in range(RUNS):
        x, x_old, G = START[r], START[r], None
        for t in range(warm):
            G = spider_estimate(G, g_grad, x, x_old, t, 3, indices(t, 0, 2)[r])
            x, x_old = x + 0.1 / (t + 1) * (X.lmo(G[None], np)[0] - x), x
            np.testing.assert_allclose(states[t + 1].x[r], x, atol=1e-12)
        level, F, g = g_value(x, ALL), 0.0, 0.0
        for k in range(T - warm):
            i, j = indices(warm + k, 0, 1)[r], indices(warm + k, 1, 1)[r]
            keep = 1 - (k + 1) ** -0.8
            F = f_grad(x, i) + keep * (F - f_grad(x_old, i))
            G = g_grad(x, j) + keep * (G - g_grad(x_old, j))
            g = g_value(x, j) + keep * (g - g_value(x_old, j))
            room = level - g + 0.2 * (k + 1) ** -0.5 + G @ x
            v, empty = lp_over_cut(F[None], G[None], np.array([[room]]))
            x_old, x = x, x if empty[0, 0] else x + 0.3 * (k + 1) ** -0.9 * (v[0] - x)
            skipped += int(empty[0, 0])
            np.testing.assert_allclose(states[warm + k + 1].x[r], x, atol=1e-11)
    assert states[-1].empty.sum() == skipped
    assert calls["full_valued_g"] == 1
    assert calls["lmo_cut"] == calls["valued_pair_g"] == T - warm


def spider_estimate(old, grad, x, x_old, t, every, sample):
    if t % every == 0:
        return grad(x, ALL)
    return old + grad(x, sample) - grad(x_old, sample)


def test_sbcgf_is_its_listing():
    warm, T, every, S = 4, 15, 3, 2
    steps = sbcgf.Steps(0.2, 0.2, 0.5, every, S, warm, 0.1)
    states, calls = simulate(sbcgf, steps, T)
    for r in range(RUNS):
        x, x_old, G, F, g = START[r], START[r], None, None, None
        for t in range(warm):
            G = spider_estimate(G, g_grad, x, x_old, t, every, indices(t, 0, S)[r])
            x, x_old = x + 0.1 / (t + 1) * (X.lmo(G[None], np)[0] - x), x
        level = g_value(x, ALL)
        for k in range(T - warm):
            i, j = indices(warm + k, 0, S)[r], indices(warm + k, 1, S)[r]
            F = spider_estimate(F, f_grad, x, x_old, k, every, i)
            G = spider_estimate(G, g_grad, x, x_old, k, every, j)
            g = spider_estimate(g, g_value, x, x_old, k, every, j)
            v, empty = lp_over_cut(F[None], G[None], np.array([[level - g + 0.2 * (k + 1) ** -0.5 + G @ x]]))
            x_old, x = x, x if empty[0, 0] else x + 0.2 * (v[0] - x)
            np.testing.assert_allclose(states[warm + k + 1].x[r], x, atol=1e-11)
    assert calls["full_valued_g"] == -(-(T - warm) // every)


def test_an_empty_cut_keeps_the_point():
    """A level far below the optimum leaves nothing of X: x stays, the counter counts."""
    steps = sbcgi.Steps(0.3, 0.9, -1e3, 0.5, 0.8, 0, 0.1, 3, 2)
    states, _ = simulate(sbcgi, steps, 3)
    np.testing.assert_array_equal(states[-1].x, START)
    np.testing.assert_array_equal(states[-1].empty, np.full((RUNS, 1), 3.0))


def test_spider_fw_is_its_listing():
    states, _ = simulate(spider_fw, spider_fw.Steps(0.5, 3, 2), 8)
    for r in range(RUNS):
        x, x_old, G = START[r], START[r], None
        for t in range(8):
            G = spider_estimate(G, g_grad, x, x_old, t, 3, indices(t, 0, 2)[r])
            x, x_old = x + 0.5 / (t + 1) * (X.lmo(G[None], np)[0] - x), x
            np.testing.assert_allclose(states[t + 1].x[r], x, atol=1e-12)


def test_ar_ip_seg_is_its_listing():
    T = 12
    states, calls = simulate(ar_ip_seg, ar_ip_seg.Steps(0.1, 0.75, 3.0, 0.25, 0.5), T)
    project = lambda x: X.project(x[None], np)[0]  # noqa: E731
    for r in range(RUNS):
        x, ys, weights = START[r], [], []
        for t in range(T):
            gamma, rho = 0.1 * (t + 1) ** -0.75, 3.0 * (t + 1) ** 0.25
            i = [indices(t, stream, 1)[r] for stream in range(4)]
            y = project(x - gamma * (f_grad(x, i[0]) + rho * g_grad(x, i[1])))
            x = project(x - gamma * (f_grad(y, i[2]) + rho * g_grad(y, i[3])))
            ys.append(y)
            weights.append((gamma * rho) ** 0.5)
            np.testing.assert_allclose(states[t + 1].x[r], x, atol=1e-12)
            np.testing.assert_allclose(
                states[t + 1].z[r], np.average(ys, axis=0, weights=weights), atol=1e-12
            )
    assert calls == {"grad_f": 2 * T, "grad_g": 2 * T, "project": 2 * T}


def test_sdbgd_is_its_rule():
    T = 12
    states, _ = simulate(sdbgd, sdbgd.Steps(0.05, 0.8, 0.6, -2.0), T)
    active = 0
    for r in range(RUNS):
        x = START[r]
        for t in range(T):
            i, j = indices(t, 0, 1)[r], indices(t, 1, 1)[r]
            f, g = f_grad(x, i), g_grad(x, j)
            phi = min(0.8 * (g_value(x, j) + 2.0), 0.6 * (g @ g))
            lam = max((phi - f @ g) / (g @ g), 0.0)
            active += lam > 0
            x = X.project((x - 0.05 * (f + lam * g))[None], np)[0]
            np.testing.assert_allclose(states[t + 1].x[r], x, atol=1e-12)
    assert 0 < active < RUNS * T  # both branches of the maximum occur


def test_sdbgd_without_inner_gradient():
    """Where the sampled inner gradient vanishes there is no barrier: lambda = 0."""
    one = np.ones((1, 2))
    oracle = SimpleNamespace(
        grad_f=lambda x, i: one, valued_grad_g=lambda x, i: (one[:, :1], 0.0 * one), project=lambda x: x
    )
    s = sdbgd.step(sdbgd.State(one), 1.0, sdbgd.Steps(0.1, 1.0, 1.0, 0.0), oracle, lambda i: None, np)
    np.testing.assert_allclose(s.x, 0.9 * one)
