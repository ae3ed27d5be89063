"""Are the declared constants of an instance right? Sampled ratios that must not exceed 1, and reach it if attained.

``ratios(instance, start)`` tries every constant that ``instance.constants(start)`` declares: an upper bound gives
sampled / declared, a lower bound declared / sampled, so a ratio above 1 is a counter-example and a largest ratio
near 1 says that the constant is attained (`ATTAINED` lists those that should be). Points are random with radii over
six decades, then improved by local search; all quotients are of finite differences, which are averages of the
derivative in question: they can miss its extreme value, never exceed it (beyond round-off).

Rows are runs, as everywhere: constants may be columns, and every ratio array is (samples, runs).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workbench.algorithms.estimators.neumann import neumann
from workbench.arrays.noise import Gaussian, Skewed, Sphere, TwoRadius
from workbench.arrays.ops import dot, norm
from workbench.arrays.random import Draws

Array = np.ndarray
Map = Callable[[Array], Array]
Samplers = dict[str, Callable[[np.random.Generator], Array]]

# Attained on the instance families here, or approached as closely as one likes (l_f0, for |y| -> infinity).
ATTAINED = frozenset(
    {"L", "mu", "mu_g", "l_f0", "l_f1", "l_g1", "l_g2", "Delta_1", "d_1"}
    | {"sigma_low", "sigma_bar", "sigma_x_low", "sigma_x_bar", "sigma_y"}
    | {"sigma_f", "sigma_g1", "sigma_g2", "sigma_phi_low", "sigma_phi_bar"}
)
# Products of worst cases, which no single instance attains together.
CONSERVATIVE = {
    "L_Phi": "(mu + L) L / mu bounds the smoothness of Phi (Lemma D.1)",
    "L_y": "L / mu, or l_g1 / mu_g, bounds the Lipschitz constant of y*",
    "L_f": "bounds |hypergradient formula at y - grad Phi| / |y - y*| (Lemma E.1)",
    "L_F": "bounds the smoothness of Phi in the bilevel problem (Lemma E.1)",
}

LAWS = (Sphere, TwoRadius, Skewed, Gaussian)
NEUMANN = 8  # terms of the estimate whose noise is sampled
SAMPLES = 200
CHAINS, SEARCH = 3, 60  # independent local searches, and the places each of them tries


def ratios(
    instance: Any, start: Mapping[str, Array], seed: int = 0, derived: Mapping[str, Any] | None = None
) -> dict[str, Array]:
    """Constant -> (samples, runs) of sampled / declared (lower bounds: declared / sampled).

    derived: constants that follow from the declared ones by a theorem's formula (`CONSERVATIVE` names those that are
    understood); for minimax instances L_Phi and L_y are filled in. Constants nobody can sample are left out.
    Raises TypeError for an instance that does not offer its exact functions.
    """
    declared = {**instance.constants(start), **(derived or {})}
    if hasattr(instance, "g"):
        sampled = _bilevel(instance, start, declared, seed)
    elif hasattr(instance, "y_star"):
        L, mu = declared["L"], declared["mu"]
        declared = {"L_Phi": (mu + L) * L / mu, "L_y": L / mu, **declared}
        sampled = _minimax(instance, start, declared, seed)
    elif hasattr(instance, "grad_f"):
        sampled = _single_level(instance, start, seed)
    else:
        raise TypeError(
            f"{type(instance).__name__} offers neither grad_f nor y_star: nothing to compare with"
        )
    found = {}
    for i, (name, sampler) in enumerate(
        sampled.items()
    ):  # each its own generator: one more constant changes no other
        if name in declared:
            found[name] = _quotient(name, sampler(np.random.default_rng([seed, i])), declared[name])
    return found


def quiet(instance: Any) -> Any:
    """The same instance without noise: its oracle is exact."""
    changes: dict[str, Any] = {
        f.name: Sphere(0.0)
        for f in dataclasses.fields(instance)
        if isinstance(getattr(instance, f.name), LAWS)
    }
    if hasattr(instance, "hessian_noise"):
        changes["hessian_noise"] = 0.0
    return dataclasses.replace(instance, **changes)


def _quotient(name: str, sampled: Array, declared: Any) -> Array:
    """sampled / declared, or declared / sampled for a lower bound; 0/0 := 1 (a noiseless instance is exact)."""
    a, b = np.broadcast_arrays(sampled, np.reshape(np.asarray(declared, dtype=float), (1, -1)))
    if name in ("mu", "mu_g") or name.endswith("_low"):
        a, b = b, a
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((a == 0.0) & (b == 0.0), 1.0, a / b)


# ------------------------------------------------------------------------------------------- the problems


def _single_level(instance: Any, start: Mapping[str, Array], seed: int) -> Samplers:
    x = start["x"]
    grad = lambda u: instance.grad_f(u, np)  # noqa: E731
    (noise,) = _noise([x.shape], seed, lambda u, xi: (instance.grad(u, xi, np) - instance.grad_f(u, np),))
    return {
        "L": lambda rng: _smoothness(grad, x.shape, rng),
        "sigma_low": lambda rng: noise,
        "sigma_bar": lambda rng: noise,
        "Delta_1": lambda rng: _gap(lambda u: instance.f(u, np), grad, x, rng),
    }


def _minimax(instance: Any, start: Mapping[str, Array], declared: Mapping[str, Any], seed: int) -> Samplers:
    x, y = start["x"], start["y"]
    split, joint = _joint(x, y)
    grad = lambda z: np.hstack(instance.grads_f(*split(z), np))  # noqa: E731
    down_y = lambda z: -instance.grads_f(*split(z), np)[1]  # noqa: E731
    grad_phi = lambda u: instance.grad_phi(u, np)  # noqa: E731

    def disturbance(u: Array, v: Array, xi: Any) -> tuple[Array, ...]:
        noisy, exact = instance.grad(u, v, xi, np), instance.grads_f(u, v, np)
        return noisy[0] - exact[0], noisy[1] - exact[1]

    noise_x, noise_y = _noise([x.shape, y.shape], seed, disturbance)
    return {
        "L": lambda rng: _smoothness(grad, joint, rng),
        "mu": lambda rng: _convexity(down_y, joint, x.shape[1], declared["L"], rng),
        "L_Phi": lambda rng: _smoothness(grad_phi, x.shape, rng),
        "L_y": lambda rng: _lipschitz(lambda u: instance.y_star(u, np), x.shape, rng),
        "sigma_x_low": lambda rng: noise_x,
        "sigma_x_bar": lambda rng: noise_x,
        "sigma_y": lambda rng: noise_y,
        "Delta_1": lambda rng: _gap(lambda u: instance.phi(u, np), grad_phi, x, rng),
        "d_1": lambda rng: _distance(
            lambda v: -instance.grads_f(x, v, np)[1], y, declared["mu"], declared["L"]
        ),
    }


def _bilevel(instance: Any, start: Mapping[str, Array], declared: Mapping[str, Any], seed: int) -> Samplers:
    x, y, exact, l_g1 = start["x"], start["y"], quiet(instance), declared["l_g1"]
    split, joint = _joint(x, y)
    oracle, still, xi = _Bound(instance), _Bound(exact), Draws(seed, np.arange(len(x)), np).at(1)(0)
    grad_f = lambda z: np.hstack(instance.grads_f(*split(z), np))  # noqa: E731
    value_g = lambda z: instance.g(*split(z), np)  # noqa: E731
    down_y = lambda z: exact.grad_y_g(*split(z), xi, np)  # noqa: E731
    grad_phi = lambda u: instance.grad_phi(u, np)  # noqa: E731

    def disturbance(u: Array, v: Array, xi: Any) -> tuple[Array, ...]:
        noisy, mean = instance.grad_f(u, v, xi, np), instance.grads_f(u, v, np)
        w = np.ones_like(v) / np.sqrt(v.shape[1])  # a direction for the second derivatives
        hess = instance.hess_yy_g(u, v, w, xi, 1, np) - exact.hess_yy_g(u, v, w, xi, 1, np)
        jac = instance.jac_xy_g(u, v, w, xi, 1, np) - exact.jac_xy_g(u, v, w, xi, 1, np)
        grad_g = instance.grad_y_g(u, v, xi, np) - exact.grad_y_g(u, v, xi, np)
        # All samples of the estimate are independent, so its mean is the noiseless estimate.
        phi = neumann(u, v, xi, NEUMANN, l_g1, oracle, np) - neumann(u, v, xi, NEUMANN, l_g1, still, np)
        return noisy[0] - mean[0], noisy[1] - mean[1], grad_g, hess, jac, phi

    f_x, f_y, g_y, hess, jac, phi = _noise([x.shape, y.shape], seed, disturbance)

    def slope_y(z: Array) -> Array:
        return norm(instance.grads_f(*split(z), np)[1], np)[:, 0]

    def bias(z: Array) -> Array:
        """|hypergradient formula at y - grad Phi| / |y - y*|."""
        u, v = split(z)
        formula = neumann(u, v, xi, 400, l_g1, still, np)
        return (norm(formula - grad_phi(u), np) / norm(v - instance.y_star(u, np), np))[:, 0]

    def second(z: Array) -> Array:
        """Both second derivatives of g, applied to one direction."""
        u, v = split(z)
        w = np.ones_like(v) / np.sqrt(v.shape[1])
        return np.hstack([exact.hess_yy_g(u, v, w, xi, 1, np), exact.jac_xy_g(u, v, w, xi, 1, np)])

    return {
        "mu_g": lambda rng: _convexity(down_y, joint, x.shape[1], l_g1, rng),
        "l_g1": lambda rng: _smoothness(_gradient_of(value_g), joint, rng, value=value_g),
        "l_g2": lambda rng: _lipschitz(second, joint, rng),
        "l_f0": lambda rng: np.stack([slope_y(z) for z in _points(joint, rng)]),
        "l_f1": lambda rng: _smoothness(grad_f, joint, rng),
        "L_y": lambda rng: _lipschitz(lambda u: instance.y_star(u, np), x.shape, rng),
        "L_f": lambda rng: np.stack([bias(z) for z in _points(joint, rng)]),
        "L_F": lambda rng: _smoothness(grad_phi, x.shape, rng),
        "sigma_f": lambda rng: np.maximum(f_x, f_y),
        "sigma_g1": lambda rng: g_y,
        "sigma_g2": lambda rng: np.maximum(hess, jac),
        "sigma_phi_low": lambda rng: phi,
        "sigma_phi_bar": lambda rng: phi,
        "Delta_1": lambda rng: _gap(lambda u: instance.phi(u, np), grad_phi, x, rng),
        "d_1": lambda rng: _distance(lambda v: exact.grad_y_g(x, v, xi, np), y, declared["mu_g"], l_g1),
    }


class _Bound:
    """An instance's oracle methods with ``xp`` bound, as `neumann` expects them."""

    def __init__(self, instance: Any) -> None:
        self._instance = instance

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._instance, name)
        return lambda *args: method(*args, xp=np)


# --------------------------------------------------------------------------------------------- the samplers


def _joint(x: Array, y: Array) -> tuple[Callable[[Array], tuple[Array, Array]], tuple[int, int]]:
    """z -> (x, y), and the shape of z."""
    d = x.shape[1]
    return (lambda z: (z[:, :d], z[:, d:])), (len(x), d + y.shape[1])


def _points(shape: tuple[int, int], rng: np.random.Generator, samples: int = SAMPLES) -> list[Array]:
    """Random points: isotropic, radius log-uniform from 1e-2 to 1e4."""
    return [_direction(shape, rng) * 10.0 ** rng.uniform(-2, 4, size=(shape[0], 1)) for _ in range(samples)]


def _direction(shape: tuple[int, int], rng: np.random.Generator) -> Array:
    e = rng.standard_normal(shape)
    return e / norm(e, np)


def _width(z: Array) -> Array:
    """Half the length of a short pair: small against curvature's own scale, large against round-off."""
    return 1e-3 * np.maximum(1.0, norm(z, np))


def _lipschitz(F: Map, shape: tuple[int, int], rng: np.random.Generator) -> Array:
    """|F(u) - F(v)| / |u - v| over random pairs, long and short."""
    out = []
    for u in _points(shape, rng):
        for v in (u + _direction(shape, rng) * _width(u), rng.permuted(u, axis=1) + _direction(shape, rng)):
            out.append((norm(F(u) - F(v), np) / norm(u - v, np))[:, 0])
    return np.stack(out)


def _gradient_of(value: Map) -> Map:
    """Central differences of a function: good enough to find a direction with."""

    def gradient(z: Array) -> Array:
        h, n = _width(z), z.shape[1]
        return np.hstack([(value(z + h * e) - value(z - h * e)) / (2 * h) for e in np.eye(n)[:, None, :]])

    return gradient


def _smoothness(F: Map, shape: tuple[int, int], rng: np.random.Generator, value: Map | None = None) -> Array:
    """Quotients of gradient differences: random pairs, then the best pair a local search finds.

    F: the gradient. value: the function itself where F is only approximate; second differences of it then give the
    reported quotients of the search.
    """

    def stretch(z: Array, e: Array) -> tuple[Array, Array]:
        """Quotient along e at z, and the next direction of the power iteration."""
        h = _width(z)
        change = F(z + h * e) - F(z - h * e)
        size = norm(change, np)
        quotient = size / (2 * h)
        if value is not None:
            h = 10 * h  # a second difference loses twice the digits
            quotient = np.abs(value(z + h * e) - 2 * value(z) + value(z - h * e)) / h**2
        return quotient, np.where(size > 0.0, change / np.where(size > 0.0, size, 1.0), e)

    found = _search(stretch, shape, rng)
    return found if value is not None else np.vstack([_lipschitz(F, shape, rng), found])


def _convexity(F: Map, shape: tuple[int, int], first: int, largest: Any, rng: np.random.Generator) -> Array:
    """<F(y + h e) - F(y - h e), e> / 2h, the curvature in y (coordinates from ``first`` on), made small by search."""

    def stretch(z: Array, e: Array) -> tuple[Array, Array]:
        h = _width(z)
        along = e.copy()
        along[:, :first] = 0.0
        along /= np.maximum(norm(along, np), 1e-300)
        change = (F(z + h * along) - F(z - h * along)) / (2 * h)
        e_y = along[:, first:]
        following = along.copy()  # power iteration for the smallest: largest * I - curvature
        following[:, first:] = largest * e_y - change + 1e-6 * e_y
        return -dot(change, e_y, np), following / np.maximum(norm(following, np), 1e-300)

    return -_search(stretch, shape, rng)


def _search(
    stretch: Callable[[Array, Array], tuple[Array, Array]], shape: tuple[int, int], rng: np.random.Generator
) -> Array:
    """All quotients seen while a random search with shrinking radius makes the quotient large, row by row."""
    seen = []

    def climb(z: Array, e: Array, steps: int) -> tuple[Array, Array]:
        best, e_best = np.full((shape[0], 1), -np.inf), e
        for _ in range(steps):
            quotient, following = stretch(z, e)
            seen.append(quotient[:, 0])
            better = quotient > best
            best, e_best, e = np.where(better, quotient, best), np.where(better, e, e_best), following
        return best, e_best

    for _ in range(CHAINS):
        best, z_best = np.full((shape[0], 1), -np.inf), np.zeros(shape)
        e_best = _direction(shape, rng)
        for i in range(SEARCH):
            if (
                i < SEARCH // 3
            ):  # look around, near the origin where curvature lives, then climb from the best place
                z, e = _direction(shape, rng) * 10.0 ** rng.uniform(-2, 1), _direction(shape, rng)
            else:
                z, e = z_best + _direction(shape, rng) * 10.0 ** rng.uniform(-3, 0.5), e_best
            quotient, e = climb(z, e, 4)
            better = quotient > best
            best, z_best, e_best = (
                np.where(better, a, b) for a, b in ((quotient, best), (z, z_best), (e, e_best))
            )
        climb(z_best, e_best, 20)
    return np.stack(seen)


def _gap(value: Map, gradient: Map, x: Array, rng: np.random.Generator) -> Array:
    """value(x_1) - value(u) at points u that descend from random starts: at most Delta_1, up to it at a minimizer."""
    top, out = value(x), []
    for u in [x, np.zeros_like(x), *_points(x.shape, rng, 20)]:
        step, here = np.ones((len(x), 1)), u
        for _ in range(60):
            g = gradient(here)
            trial = here - step * g
            good = value(trial) < value(here)
            here, step = np.where(good, trial, here), np.where(good, 2.0 * step, 0.25 * step)
        out.append((top - value(here))[:, 0])
    return np.stack(out)


def _distance(F: Map, y: Array, smallest: Any, largest: Any) -> Array:
    """|y_1 - y*| with y* found by gradient steps on the strongly monotone F, to a residual that leaves 1e-12 of it."""
    v, step = y, 2.0 / (np.asarray(smallest) + np.asarray(largest))
    for _ in range(20_000):
        g = F(v)
        if np.all(norm(g, np) <= 1e-13 * smallest * np.maximum(norm(v - y, np), 1e-3)):
            break
        v = v - step * g
    return norm(v - y, np).T


def _noise(
    shapes: list[tuple[int, ...]], seed: int, disturbance: Callable[..., tuple[Array, ...]]
) -> list[Array]:
    """|oracle - exact| of every part of the oracle, (samples, runs), at points of moderate size.

    Moderate, because the subtraction costs digits: what is below its round-off counts as zero.
    """
    rng, draws, out = np.random.default_rng(seed), Draws(seed, np.arange(shapes[0][0]), np), []
    for t in range(1, SAMPLES + 1):
        parts = disturbance(*(rng.standard_normal(s) for s in shapes), draws.at(t)(0))
        out.append([np.where(norm(p, np) < 1e-14, 0.0, norm(p, np))[:, 0] for p in parts])
    return [np.stack(column) for column in zip(*out, strict=True)]
