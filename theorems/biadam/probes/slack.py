"""BiAdam (Algorithm 1): the sums over t that the proof of Theorems 1 and 3 goes through, (54)-(70).

split: calG_t with the bias R_t taken out of the error of w, 2 (u_1 + u_2 + u_3) of (62). Sums named by one letter are
weighted by eta_t: X, Z: squared moves |x~ - x_t|^2, |y~ - y_t|^2; Y: |y_t - y*|^2; V, W: squared errors of v, w; R: of
the bias. start and end: values at x_1 and after the step.
"""

from __future__ import annotations

from typing import Any

from workbench.ops import sq

from . import descent, errors

SUMS = (
    "sum_grad", "sum_norms", "sum_product", "sum_metric", "sum_split", "sum_split_sq", "sum_metric_sq", "sum_parts",
    "sum_fall", "sum_error", "sum_X", "sum_Y", "sum_Z", "sum_V", "sum_W", "sum_R", "sum_noise", "sum_bias",
)  # fmt: skip
ENDS = tuple(f"{when}_{what}" for when in ("start", "end") for what in "FYVW")
QUANTITIES = dict.fromkeys((*SUMS, *ENDS), ("last",))


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    eta = c.k / xp.sqrt(c.m + t)
    d = s.x.shape[-1]
    step = errors.step(s, new, t, c, instance, xp)
    L_0_sq = instance.L_0(d, xp) ** 2
    variance = errors.sigma_sq(d, c, instance, xp)
    metrics = instance.metrics(s, t, xp)
    size = descent.largest(s.A, xp)
    split = xp.sqrt(step.move_x) / c.gamma + (xp.sqrt(2.0 * step.w) + xp.sqrt(L_0_sq * step.y)) / c.rho
    both = step.bias + step.bias_next
    of = {
        "sum_grad": metrics["grad_norm"],
        "sum_norms": size * size,
        "sum_product": size * step.metric,
        "sum_metric": step.metric,
        "sum_split": split,
        "sum_split_sq": split * split,
        "sum_metric_sq": step.metric * step.metric,
        "sum_parts": errors.parts(step, c, L_0_sq),
        "sum_fall": errors.fall(step, eta, c, L_0_sq),
        "sum_error": eta * sq(s.w - instance.grad_phi(s.x, xp), xp),
        "sum_X": eta * step.move_x,
        "sum_Y": eta * step.y,
        "sum_Z": eta * step.move_y,
        "sum_V": eta * step.v,
        "sum_W": eta * step.w,
        "sum_R": eta * step.bias,
        "sum_noise": (c.c_1**2 + c.c_2**2) * c.gamma * variance / c.rho * eta**2,
        "sum_bias": 2.0 * c.gamma / (3.0 * c.rho * eta) * both + 4.0 * eta * c.gamma / c.rho * step.bias,
    }
    at_start = {"F": instance.phi(s.x, xp), "Y": step.y, "V": step.v, "W": step.w}
    at_end = {"F": instance.phi(new.x, xp), "Y": step.y_next, "V": step.v_next, "W": step.w_next}
    return {
        **{name: memory[name] + value for name, value in of.items()},
        **{
            f"start_{name}": xp.where(t < 1.5, value, memory[f"start_{name}"])
            for name, value in at_start.items()
        },
        **{f"end_{name}": value for name, value in at_end.items()},
    }
