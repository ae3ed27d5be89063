"""The bilevel competitors against plain second implementations, finite differences and closed forms.

The references treat one run with ordinary vectors and full matrices, written from the listings of the papers; the noise
is handed to them as numbers. Everything is compared on a nonlinear problem with noise in every derivative.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from declared_constants import check
from discover import trajectory
from workbench.theorems.baselines import (
    aid_cg,
    aid_fp,
    bsa,
    fsla,
    mrbo,
    mstsa,
    reverse,
    saba,
    smb,
    stable_dense,
    stocbio,
    sustain,
    ttsa,
    vrbo,
)
from workbench.theorems.baselines.estimators.conjugate_gradients import solve
from workbench.theorems.baselines.estimators.truncated import hia, shia
from workbench.theorems.biadam.experiments.compared import RIVALS, Setting
from workbench.theorems.biadam.problems.finite_sum import FiniteSum

from workbench.arrays.random import Draws
from workbench.engine.oracle import Oracle
from workbench.homes import papers

SEED, RUNS, T = 11, 2, 7
D, P = 2, 3
RNG = np.random.default_rng(3)
H_0 = np.array([[1.4, 0.3, 0.0], [0.3, 1.1, -0.2], [0.0, -0.2, 0.9]])
MIX = RNG.standard_normal((D, P))  # d2g/dxdy = -MIX
TARGET = RNG.standard_normal(P)
START = {"x": 0.5 * RNG.standard_normal((RUNS, D)), "y": 0.5 * RNG.standard_normal((RUNS, P))}


@dataclass(frozen=True)
class Problem:
    """g = y'H_0 y/2 + (bend/4) sum y^4 - x'MIX y,  f = |x|^2/2 + sum log cosh(y - TARGET) + x_1 y_1, with noise."""

    level: float = 0.3
    bend: float = 0.05
    H: Any = None

    COSTS: ClassVar = {
        "grad_f": {"gradient": 1}, "grad_y_g": {"gradient": 1}, "hess_yy_g": {"hessian_vector": 1},
        "jac_xy_g": {"jacobian_vector": 1}, "nearest_x": {}, "nearest_y": {},
    }  # fmt: skip

    def matrix(self) -> Any:
        return H_0 if self.H is None else self.H

    def grad_f(self, x, y, xi, xp):
        noise_x, noise_y = (self.level * xi.normal(d, part) for d, part in ((D, 0), (P, 1)))
        first = np.array([[1.0, 0.0]])
        return x + y[:, :1] * first + noise_x, np.tanh(y - TARGET) + x[:, :1] * np.eye(P)[:1] + noise_y

    def grad_y_g(self, x, y, zeta, xp):
        return y @ self.matrix() + self.bend * y**3 - x @ MIX + self.level * zeta.normal(P, 2)

    def hess_yy_g(self, x, y, v, zeta, k, xp):
        return v @ self.matrix() + 3 * self.bend * y**2 * v + 0.3 * self.level * zeta.sign(1, 4, k) * v

    def jac_xy_g(self, x, y, v, zeta, k, xp):
        return -(1.0 + self.level * zeta.sign(1, 5, k)) * (v @ MIX.T)

    def nearest_x(self, z, A, xp):
        return z

    def nearest_y(self, z, xp):
        return z


class One:
    """One run of a `Problem`, with vectors and matrices. A sample is (iteration, number, repeated draw)."""

    def __init__(self, problem: Problem, run: int) -> None:
        self.q, self.draws = problem, Draws(SEED, [run], np)

    def numbers(self, kind: str, sample: tuple[int, int, int], d: int, part: int, k: int = 0) -> np.ndarray:
        t, number, first = sample
        return getattr(self.draws.at(t)(number), kind)(d, part, first + k)[0]

    def f(self, x, y, s):
        f_x = x + np.array([y[0], 0.0]) + self.q.level * self.numbers("normal", s, D, 0)
        f_y = (
            np.tanh(y - TARGET) + np.array([x[0], 0.0, 0.0]) + self.q.level * self.numbers("normal", s, P, 1)
        )
        return f_x, f_y

    def g_y(self, x, y, s):
        return (
            self.q.matrix() @ y + self.q.bend * y**3 - MIX.T @ x
            + self.q.level * self.numbers("normal", s, P, 2)
        )  # fmt: skip

    def H(self, x, y, s, k=0):
        noise = 0.3 * self.q.level * self.numbers("sign", s, 1, 4, k)[0]
        return self.q.matrix() + np.diag(3 * self.q.bend * y**2 + noise)

    def J(self, x, y, s, k=0):
        return -(1 + self.q.level * self.numbers("sign", s, 1, 5, k)[0]) * MIX

    def hia(self, x, y, s, c):
        f_x, f_y = self.f(x, y, s)
        k = int(self.numbers("uniform", s, 1, 7)[0] * c.K)
        product = np.eye(P)
        for i in range(1, k + 1):
            product = (np.eye(P) - c.theta * self.H(x, y, s, i)) @ product
        return f_x - self.J(x, y, s) @ (c.K * c.theta * product @ f_y)

    def shia(self, x, y, s, c):
        f_x, f_y = self.f(x, y, s)
        total, product = np.eye(P), np.eye(P)
        for i in range(1, c.K):
            product = (np.eye(P) - c.theta * self.H(x, y, s, i)) @ product
            total = total + product
        return f_x - self.J(x, y, s) @ (c.theta * total @ f_y)

    def descended(self, x, y, alpha, N, t, number=1):
        path = [y]
        for j in range(N):
            path.append(path[-1] - alpha * self.g_y(x, path[-1], (t, number, j)))
        return path


Path = list[tuple[np.ndarray, np.ndarray]]


def plain_reverse(o: One, x: Any, y: Any, c: Any) -> Path:
    """The product of the listing as a matrix, term by term."""
    path = [(x, y)]
    for t in range(1, T + 1):
        ys = o.descended(x, y, c.alpha, c.N, t)
        f_x, f_y = o.f(x, ys[-1], (t, 0, 0))
        h = f_x
        for j in range(c.N):
            product = np.eye(P)
            for i in range(j + 1, c.N):
                product = product @ (np.eye(P) - c.alpha * o.H(x, ys[i], (t, 1, i)))
            h = h - c.alpha * o.J(x, ys[j], (t, 1, j)) @ product @ f_y
        x, y = x - c.beta * h, ys[-1]
        path.append((x, y))
    return path


def plain_aid(o: One, x: Any, y: Any, c: Any, solve: Callable[[Any, Any], Any]) -> Path:
    path = [(x, y)]
    for t in range(1, T + 1):
        y = o.descended(x, y, c.alpha, c.N, t)[-1]
        f_x, f_y = o.f(x, y, (t, 0, 0))
        x = x - c.beta * (f_x - o.J(x, y, (t, 2, 0)) @ solve(o.H(x, y, (t, 2, 0)), f_y))
        path.append((x, y))
    return path


def plain_aid_fp(o: One, x: Any, y: Any, c: Any) -> Path:
    def series(H: Any, b: Any) -> Any:  # alpha sum_(k<K) (I - alpha H)^k b
        powers = [np.linalg.matrix_power(np.eye(P) - c.alpha * H, k) for k in range(c.K)]
        return c.alpha * sum(powers) @ b

    return plain_aid(o, x, y, c, series)


def plain_aid_cg(o: One, x: Any, y: Any, c: Any) -> Path:
    return plain_aid(o, x, y, c, np.linalg.solve)  # exact after P steps


def plain_stocbio(o: One, x: Any, y: Any, c: Any) -> Path:
    path = [(x, y)]
    for t in range(1, T + 1):
        y = o.descended(x, y, c.alpha, c.N, t)[-1]
        x = x - c.beta * o.shia(x, y, (t, 0, 0), c)
        path.append((x, y))
    return path


def plain_bsa(o: One, x: Any, y: Any, c: Any) -> Path:
    path = [(x, y)]
    for k in range(T):
        for j in range(math.ceil(math.sqrt(k + 1))):
            y = y - c.beta / (j + 1) * o.g_y(x, y, (k + 1, 1, j))
        x = x - c.alpha * o.hia(x, y, (k + 1, 0, 0), c)
        path.append((x, y))
    return path


def plain_ttsa(o: One, x: Any, y: Any, c: Any) -> Path:
    path = [(x, y)]
    for t in range(1, T + 1):
        y = y - c.beta * (c.m + t) ** -0.4 * o.g_y(x, y, (t, 1, 0))
        x = x - c.alpha * (c.m + t) ** -0.6 * o.hia(x, y, (t, 0, 0), c)
        path.append((x, y))
    return path


def plain_smb(o: One, x: Any, y: Any, c: Any) -> Path:
    path, m = [(x, y)], None
    for t in range(1, T + 1):
        h = o.hia(x, y, (t, 0, 0), c)
        m = h if m is None else (1 - c.eta) * m + c.eta * h
        x, y = x - c.alpha * m, y - c.beta * o.g_y(x, y, (t, 1, 0))
        path.append((x, y))
    return path


def plain_mrbo(o: One, x: Any, y: Any, c: Any) -> Path:
    """As listed: the estimates at z_k with the sample of step k - 1, then the step."""
    path, w, u, old, eta = [(x, y)], None, None, None, None
    for k in range(1, T + 1):
        if old is None:
            w, u = o.shia(x, y, (1, 2, 0), c), o.g_y(x, y, (1, 3, 0))
        else:
            xi, zeta = (k - 1, 0, 0), (k - 1, 1, 0)
            w = o.shia(x, y, xi, c) + (1 - c.c_1 * eta**2) * (w - o.shia(*old, xi, c))
            u = o.g_y(x, y, zeta) + (1 - c.c_2 * eta**2) * (u - o.g_y(*old, zeta))
        eta, old = c.d * (c.m + k) ** (-1 / 3), (x, y)
        x, y = x - c.gamma * eta * w, y - c.lam * eta * u
        path.append((x, y))
    return path


def plain_sustain(o: One, x: Any, y: Any, c: Any) -> Path:
    path, f, g, old, rate = [(x, y)], None, None, None, None
    for t in range(1, T + 1):
        if old is None:
            f, g = o.hia(x, y, (1, 2, 0), c), o.g_y(x, y, (1, 3, 0))
        else:
            xi, zeta = (t - 1, 0, 0), (t - 1, 1, 0)
            f = o.hia(x, y, xi, c) + (1 - c.c_f * rate**2) * (f - o.hia(*old, xi, c))
            g = o.g_y(x, y, zeta) + (1 - c.c_g * rate**2) * (g - o.g_y(*old, zeta))
        rate, old = (c.w + t) ** (-1 / 3), (x, y)
        x, y = x - c.alpha * rate * f, y - c.beta * rate * g
        path.append((x, y))
    return path


def plain_mstsa(o: One, x: Any, y: Any, c: Any) -> Path:
    path, h, before = [(x, y)], None, None
    for t in range(1, T + 1):
        y_old, y = y, y - c.beta / math.sqrt(t + 1) * o.g_y(x, y, (t, 1, 0))
        new = o.hia(x, y, (t, 0, 0), c)
        h = new if h is None else new + (1 - c.eta) * (h - o.hia(before, y_old, (t, 0, 0), c))
        before, x = x, x - c.alpha / math.sqrt(t + 1) * h
        path.append((x, y))
    return path


def plain_fsla(o: One, x: Any, y: Any, c: Any) -> Path:
    path, v, d, before = [(x, y)], np.zeros(P), None, None
    for t in range(1, T + 1):
        rate = (c.m + t) ** -0.5
        y_new = y - c.beta * rate * o.g_y(x, y, (t, 2, 0))
        residual = o.H(x, y_new, (t, 4, 0)) @ v - o.f(x, y_new, (t, 3, 0))[1]
        v_new = v - c.delta * rate * residual

        def p(x: Any, y: Any, v: Any, t: int = t) -> Any:
            return o.f(x, y, (t, 0, 0))[0] - o.J(x, y, (t, 1, 0)) @ v

        now = p(x, y_new, v_new)
        d = now if d is None else now + (1 - min(1.0, c.eta * rate)) * (d - p(before, y, v))
        before, x, y, v = x, x - c.alpha * rate * d, y_new, v_new
        path.append((x, y))
    return path


def plain_vrbo(o: One, x: Any, y: Any, c: Any) -> Path:
    """Sample j of a batch has the repeated draws 2 K j ... for g_y, and 2 K j + K ... for the hypergradient."""
    path, w, u = [(x, y)], None, None
    for k in range(T):
        t = k + 1

        def both(x: Any, y: Any, number: int, j: int, t: int = t) -> Any:
            at = 2 * c.K * j
            return o.shia(x, y, (t, number, at + c.K), c), o.g_y(x, y, (t, number, at))

        if k % c.q == 0:
            batch = [both(x, y, 0, j) for j in range(c.S)]
            w, u = (np.mean([b[i] for b in batch], axis=0) for i in range(2))

        def follow(w: Any, u: Any, old: Any, new: Any, j: int) -> Any:
            a, b = both(*new, 1, j), both(*old, 1, j)
            return w + a[0] - b[0], u + a[1] - b[1]

        x_old, x = x, x - c.alpha * w
        w, u = follow(w, u, (x_old, y), (x, y), 0)
        ys = [y, y - c.beta * u]
        for j in range(1, c.M + 2):
            w, u = follow(w, u, (x, ys[j - 1]), (x, ys[j]), j)
            if j <= c.M:
                ys.append(ys[j] - c.beta * u)
        y = ys[c.M + 1]
        path.append((x, y))
    return path


def plain_stable(o: One, x: Any, y: Any, c: Any) -> Path:
    """Both projections are active for the constants chosen below."""

    def clipped(V: Any) -> Any:
        left, values, right = np.linalg.svd(V, full_matrices=False)
        return left @ np.diag(np.minimum(values, c.C)) @ right

    def raised(H: Any) -> Any:
        values, vectors = np.linalg.eigh((H + H.T) / 2)
        return vectors @ np.diag(np.maximum(values, c.mu)) @ vectors.T

    path, old = [(x, y)], (x, y)
    V, H = clipped(o.J(x, y, (1, 2, 0))), raised(o.H(x, y, (1, 2, 0)))
    for t in range(1, T + 1):
        rate, zeta = (c.m + t) ** -0.5, (t, 1, 0)
        keep = 1 - min(1.0, c.tau * rate)
        f_x, f_y = o.f(x, y, (t, 0, 0))
        V = clipped(keep * (V - o.J(*old, zeta)) + o.J(x, y, zeta))
        H = raised(keep * (H - o.H(*old, zeta)) + o.H(x, y, zeta))
        x_new = x - c.alpha * rate * (f_x - V @ np.linalg.solve(H, f_y))
        y_new = y - c.beta * rate * o.g_y(x, y, zeta) - np.linalg.solve(H, V.T @ (x_new - x))
        old, x, y = (x, y), x_new, y_new
        path.append((x, y))
    return path


ALL: dict[Any, tuple[Any, Callable[..., Path]]] = {
    reverse: (reverse.Steps(alpha=0.2, beta=0.3, N=4), plain_reverse),
    aid_fp: (aid_fp.Steps(alpha=0.2, beta=0.3, N=3, K=5), plain_aid_fp),
    aid_cg: (aid_cg.Steps(alpha=0.2, beta=0.3, N=3, K=P), plain_aid_cg),
    stocbio: (stocbio.Steps(alpha=0.2, beta=0.3, N=3, K=4, theta=0.4), plain_stocbio),
    bsa: (bsa.Steps(alpha=0.3, beta=0.4, K=4, theta=0.4), plain_bsa),
    ttsa: (ttsa.Steps(alpha=0.5, beta=0.7, m=2.0, K=4, theta=0.4), plain_ttsa),
    smb: (smb.Steps(alpha=0.3, beta=0.2, eta=0.3, K=4, theta=0.4), plain_smb),
    mrbo: (mrbo.Steps(gamma=0.4, lam=0.5, d=1.2, m=3.0, c_1=0.7, c_2=0.9, K=4, theta=0.4), plain_mrbo),
    sustain: (sustain.Steps(alpha=0.4, beta=0.5, w=3.0, c_f=0.7, c_g=0.9, K=4, theta=0.4), plain_sustain),
    mstsa: (mstsa.Steps(alpha=0.4, beta=0.5, eta=0.6, K=4, theta=0.4), plain_mstsa),
    fsla: (fsla.Steps(alpha=0.4, beta=0.5, delta=0.6, eta=1.9, m=2.0), plain_fsla),
    stable_dense: (stable_dense.Steps(alpha=0.4, beta=0.5, tau=1.1, m=2.0, C=1.0, mu=0.9), plain_stable),
    vrbo: (vrbo.Steps(alpha=0.2, beta=0.2, q=3, S=4, M=2, K=3, theta=0.4), plain_vrbo),
}
each = pytest.mark.parametrize("method", ALL, ids=lambda m: m.__name__.rpartition(".")[2])


@each
def test_against_the_listing(method: Any) -> None:
    problem, (steps, plain) = Problem(), ALL[method]
    states = trajectory(method, problem, steps, START, np.arange(RUNS), T, seed=SEED)
    for run in range(RUNS):
        path = plain(One(problem, run), START["x"][run], START["y"][run], steps)
        for state, (x, y) in zip(states, path, strict=True):
            np.testing.assert_allclose(state.x[run], x, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(state.y[run], y, rtol=1e-9, atol=1e-12)


def test_saba_against_the_listing_and_at_the_solution() -> None:
    """SAGA with constant steps: the noise of sampling vanishes, so single components lead to the exact solution."""
    q, steps = FiniteSum(), saba.Steps(rho=0.2, gamma=0.1, N=4, M=2)
    start = {name: v[:, :1] for name, v in START.items()}
    states = trajectory(saba, q, steps, start, np.arange(RUNS), 1500, seed=SEED)
    for run in range(RUNS):
        x, y, v = float(start["x"][run, 0]), float(start["y"][run, 0]), 0.0
        memory = {
            "g": [[h * y - c * x, h * v, -c * v] for h, c in zip(q.h, q.c, strict=True)],
            "f": [[q.a * (x - p), y - o] for p, o in zip(q.p, q.q, strict=True)],
        }
        draws = Draws(SEED, [run], np)
        for t in range(1, 41):
            i, j = (int(draws.at(t)(k).uniform(1)[0, 0] * n) for k, n in ((0, 4), (1, 2)))
            new = {
                "g": (i, [q.h[i] * y - q.c[i] * x, q.h[i] * v, -q.c[i] * v]),
                "f": (j, [q.a * (x - q.p[j]), y - q.q[j]]),
            }
            found = {}
            for level, (place, values) in new.items():
                means = np.mean(memory[level], axis=0)
                found[level] = [
                    a - b + m for a, b, m in zip(values, memory[level][place], means, strict=True)
                ]
                memory[level][place] = values
            (g_y, Hv, Jv), (f_x, f_y) = found["g"], found["f"]
            x, y, v = x - 0.1 * (f_x - Jv), y - 0.2 * g_y, v - 0.2 * (Hv - f_y)
            got = [getattr(states[t], name)[run, 0] for name in ("x", "y", "v")]
            np.testing.assert_allclose(got, [x, y, v], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(states[-1].x, q.solution(), atol=1e-9)
    np.testing.assert_allclose(q.grad_phi(states[-1].x, np), 0.0, atol=1e-9)


def test_constants_of_the_finite_sum() -> None:
    check(FiniteSum(), {name: v[:, :2] for name, v in START.items()})


@each
def test_says_how_well_its_rule_is_documented(method: Any) -> None:
    assert method.LABEL in {"C", "P", "GK"}
    assert "arXiv" in method.SOURCE


# Without noise, with grad^2_yy g = h I and theta = 1/h one term of the Neumann sums is the inverse itself.
SCALAR = Problem(level=0.0, bend=0.0, H=1.25 * np.eye(P))
CONVERGING: dict[Any, Any] = {
    reverse: reverse.Steps(alpha=0.8, beta=0.2, N=3),
    aid_fp: aid_fp.Steps(alpha=0.8, beta=0.2, N=3, K=3),
    aid_cg: aid_cg.Steps(alpha=0.5, beta=0.2, N=3, K=3),
    stocbio: stocbio.Steps(alpha=0.5, beta=0.2, N=3, K=1, theta=0.8),
    bsa: bsa.Steps(alpha=0.2, beta=0.8, K=1, theta=0.8),
    ttsa: ttsa.Steps(alpha=2.0, beta=1.0, m=9.0, K=1, theta=0.8),
    smb: smb.Steps(alpha=0.1, beta=0.5, eta=0.5, K=1, theta=0.8),
    mrbo: mrbo.Steps(gamma=0.3, lam=0.5, d=2.0, m=8.0, c_1=1.0, c_2=1.0, K=1, theta=0.8),
    sustain: sustain.Steps(alpha=0.6, beta=1.0, w=8.0, c_f=4.0, c_g=4.0, K=1, theta=0.8),
    mstsa: mstsa.Steps(alpha=0.4, beta=0.5, eta=0.5, K=1, theta=0.8),
    fsla: fsla.Steps(alpha=0.5, beta=1.0, delta=1.0, eta=1.0, m=3.0),
    stable_dense: stable_dense.Steps(alpha=0.5, beta=1.0, tau=1.0, m=3.0, C=9.0, mu=0.5),
    vrbo: vrbo.Steps(alpha=0.1, beta=0.3, q=3, S=2, M=3, K=1, theta=0.8),
}


def hypergradient(problem: Problem, x: np.ndarray) -> np.ndarray:
    """By central differences of F(x) = f(x, y*(x)), y* from the linear inner problem."""
    S = np.linalg.solve(problem.matrix(), MIX.T)

    def F(x: np.ndarray) -> float:
        y = S @ x
        return float(x @ x / 2 + np.log(np.cosh(y - TARGET)).sum() + x[0] * y[0])

    return np.array([(F(x + 1e-5 * e) - F(x - 1e-5 * e)) / 2e-5 for e in np.eye(D)])


@pytest.mark.parametrize("method", CONVERGING, ids=lambda m: m.__name__.rpartition(".")[2])
def test_reaches_a_stationary_point_without_noise(method: Any) -> None:
    last = trajectory(method, SCALAR, CONVERGING[method], START, np.arange(RUNS), 1200, seed=SEED)[-1]
    for x in last.x:
        assert np.abs(hypergradient(SCALAR, x)).max() < 1e-6


def test_reverse_is_the_derivative_of_the_unrolled_loop() -> None:
    """Central differences of x -> f(x, y^N(x)) through the inner steps, nonlinear in y."""
    problem, N, alpha = Problem(level=0.0), 6, 0.3
    x, y = START["x"][0], START["y"][0]

    def value(x: np.ndarray) -> float:
        last = One(problem, 0).descended(x, y, alpha, N, 1)[-1]
        return float(x @ x / 2 + np.log(np.cosh(last - TARGET)).sum() + x[0] * last[0])

    slope = [(value(x + 1e-6 * e) - value(x - 1e-6 * e)) / 2e-6 for e in np.eye(D)]
    one = {name: v[:1] for name, v in START.items()}
    states = trajectory(reverse, problem, reverse.Steps(alpha=alpha, beta=1.0, N=N), one, [0], 1)
    np.testing.assert_allclose(one["x"][0] - states[1].x[0], slope, rtol=1e-7)


def test_aid_approaches_the_implicit_gradient_from_few_to_many_steps() -> None:
    """AID-FP's error is |(I - alpha H)^K grad_y f| in the H-system; AID-CG is exact after dim(y) steps."""
    problem = Problem(level=0.0)
    x, y = START["x"][0], START["y"][0]
    one, o = {name: v[:1] for name, v in START.items()}, One(problem, 0)
    f_x, f_y = o.f(x, y, (1, 0, 0))
    H, J = o.H(x, y, (1, 0, 0)), o.J(x, y, (1, 0, 0))
    exact = f_x - J @ np.linalg.solve(H, f_y)

    def found(module: Any, K: int) -> np.ndarray:
        steps = module.Steps(alpha=0.3, beta=1.0, N=0, K=K)
        return one["x"][0] - trajectory(module, problem, steps, one, [0], 1)[1].x[0]

    for K in (1, 4, 40):
        left = J @ np.linalg.solve(H, np.linalg.matrix_power(np.eye(P) - 0.3 * H, K) @ f_y)
        np.testing.assert_allclose(found(aid_fp, K) - exact, left, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(found(aid_cg, P), exact, rtol=1e-10)
    assert np.abs(found(aid_cg, 1) - exact).max() > 1e-3
    np.testing.assert_allclose(found(aid_cg, 40), exact, rtol=1e-10)  # a solved system stays solved


def test_conjugate_gradients_solve_each_row_in_as_many_steps_as_eigenvalues() -> None:
    b = np.array([[1.0, 2.0, -1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    A = np.diag([2.0, 2.0, 5.0])
    v = solve(lambda u: u @ A, b, np.zeros_like(b), 2, np)
    np.testing.assert_allclose(v, b @ np.linalg.inv(A), atol=1e-14)


@pytest.mark.parametrize("rule", [hia, shia])
def test_the_mean_of_a_neumann_estimate_is_the_truncated_series(rule: Any) -> None:
    """Over lengths and signs: theta sum_(k<K) (I - theta H)^k, within five standard errors of 40000 runs."""
    problem, runs, K, theta = Problem(), 40_000, 4, 0.4
    x, y = np.repeat(START["x"][:1], runs, axis=0), np.repeat(START["y"][:1], runs, axis=0)
    got = rule(x, y, Draws(5, np.arange(runs), np).at(1)(0), K, theta, Oracle(problem, np), np).value
    exact = One(Problem(level=0.0), 0)
    f_x, f_y = exact.f(x[0], y[0], (1, 0, 0))
    H = exact.H(x[0], y[0], (1, 0, 0))
    series = theta * sum(np.linalg.matrix_power(np.eye(P) - theta * H, k) for k in range(K))
    error = got.mean(axis=0) - (f_x + MIX @ series @ f_y)
    assert (np.abs(error) < 5 * got.std(axis=0) / math.sqrt(runs)).all()


def test_vrbo_follows_the_gradient_of_the_inner_problem() -> None:
    """Without noise u is grad_y g at the current point after every iteration, and w the truncated hypergradient."""
    problem = Problem(level=0.0)
    steps = vrbo.Steps(alpha=0.2, beta=0.2, q=50, S=1, M=2, K=3, theta=0.4)
    o, c = One(problem, 0), SimpleNamespace(K=3, theta=0.4)
    for s in trajectory(vrbo, problem, steps, START, np.arange(RUNS), 20)[1:]:
        for x, y, w, u in zip(s.x, s.y, s.w, s.u, strict=True):
            np.testing.assert_allclose(u, o.g_y(x, y, (1, 0, 0)), atol=1e-12)
            np.testing.assert_allclose(w, o.shia(x, y, (1, 0, 0), c), atol=1e-12)


@pytest.mark.parametrize("rival", RIVALS, ids=lambda r: r.name)
def test_the_calls_of_an_iteration_are_those_that_set_its_horizon(rival: Any) -> None:
    """Metered over a period of VRBO; a random length differs from its mean by less than five standard errors."""
    setting, horizon, runs = Setting(N=4, K=3, theta=0.4, S=5), 6, 400
    module = importlib.import_module(papers.module_name("methods", rival.algorithm))
    start = {name: np.repeat(v[:1], runs, axis=0) for name, v in START.items()}
    calls: dict[str, Any] = {}
    trajectory(
        module, Problem(), rival.steps(0.01, 0.01, setting), start, np.arange(runs), horizon, calls=calls
    )
    metered = sum(float(np.mean(v)) for v in calls.values()) / horizon
    listed = rival.calls(setting)
    random = rival.name in ("biadam", "vr-biadam", "sustain", "smb")
    assert metered == pytest.approx(listed, abs=5 * 2 / math.sqrt(runs * horizon) if random else 1e-12)


def test_a_repeated_draw_is_a_sample_of_its_own() -> None:
    """Equal address, equal numbers: draw k of a sample is draw 0 of ``repeated(k)``, and the next ones follow."""
    xi = Draws(1, [0, 5], np).at(3)(2)
    np.testing.assert_array_equal(xi.repeat(4).normal(3, 1), xi.normal(3, 1, 4))
    np.testing.assert_array_equal(xi.repeat(4).repeat(2).uniform(2, 0, 1), xi.uniform(2, 0, 7))
    np.testing.assert_array_equal(xi.repeat(4).index(9, 5, 2), xi.index(9, 5, 2, 4))
    assert (xi.repeat(1).normal(3) != xi.normal(3)).any()
