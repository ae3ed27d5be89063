"""What can be sampled of a problem that changes from round to round: its maps in a few rounds, early and late."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from workbench.arrays.ops import rowsum
from workbench.instances.declared import (
    Deviation,
    Distance,
    Lipschitz,
    Norm,
    Sample,
    Samples,
    Space,
    StronglyMonotone,
)

Array = Any
ROUNDS = (1.0, 2.0, 3.0, 50.0)  # early and late
FIRST = np.asarray(1.0)


def sampled(instance: Any, start: Mapping[str, np.ndarray]) -> Samples:
    """For exact oracles. M is loose: it adds the suprema of the terms of F_t, which different points attain."""
    x = start["x"]
    d = x.shape[-1]
    space, joint = Space((d,), instance.project, ROUNDS), Space((d, d), instance.project, ROUNDS)
    grads_f, grads_g = (full_gradient(instance, level) for level in "fg")

    def bend(t: Array, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        one = 0.0 * y + 1.0
        return instance.hess_yy_g(t, x, y, one, xp=xp), instance.jac_xy_g(t, x, y, one, xp=xp)

    def value(t: Array, x: Array, xp: Any) -> Array:
        return rowsum(instance.f(t, x, instance.y_star(t, x, xp), xp), xp)

    inner, nearest = partial(instance.grad_y_g, FIRST, x), instance.y_star(FIRST, x, np)
    return {
        "mu_g": StronglyMonotone(joint, instance.grad_y_g),
        "L_g1": Lipschitz(joint, grads_g),
        "L_g2": Lipschitz(joint, bend),
        "L_f0": Norm(joint, grads_f),
        "L_f1": Lipschitz(joint, grads_f),
        "M": Norm(space, value, reaches=0.5),
        "d_y": Distance(inner, start.get("y", nearest)),
        "d_z": Distance(inner, start.get("z", nearest)),
    }


def deviations(instance: Any, start: Mapping[str, np.ndarray]) -> tuple[Sample, ...]:
    """The noise of both full gradients of an oracle that takes samples."""
    d = start["x"].shape[-1]
    joint = Space((d, d), instance.project, ROUNDS)
    maps = [full_gradient(instance, level) for level in "fg"]
    return tuple(Deviation(joint, gradient, gradient, reaches=0.98) for gradient in maps)


def full_gradient(instance: Any, level: str) -> Callable[..., tuple[Array, Array]]:
    """In (x, y), of f or g."""
    in_x, in_y = (getattr(instance, f"grad_{part}_{level}") for part in "xy")
    return lambda *at, xp: (in_x(*at, xp=xp), in_y(*at, xp=xp))
