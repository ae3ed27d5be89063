"""The methods of Figures 1 and 2 (L61-65, L77-85) with equal budgets of oracle calls and step sizes chosen by one rule.

A call is a gradient, a Hessian-vector or a Jacobian-vector product on one minibatch. Every method gets the same number
of calls, hence a horizon of its own. Each has two free numbers, a step of y ("inner") and a step of x ("outer"), which
`step_sizes` chooses; everything else is alike for all methods (`Setting`). Where steps fall, as (m + t)^-p, the free
numbers are those at t = 0; the weights of new samples in a momentum begin at ``WEIGHT`` and fall as the paper of the
method says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench import Result
from workbench.claims import Method

from ...baselines import aid_cg, aid_fp, fsla, mrbo, reverse, smb, stocbio, sustain, vrbo
from ..methods import biadam, vr_biadam
from ..methods.matrices import GRADIENT, MEAN_NORM, MOMENTUM
from ..theory.paper import PAPER

M_0, WEIGHT, AVERAGE = (
    100.0,
    0.9,
    0.1,
)  # of falling steps; first weight of a momentum; weight of SMB's average
RHO, EPSILON = 1e-6, 1e-3  # of A_t = diag(sqrt(w~_t) + rho) and B_t = (b_t + epsilon) I
SPAN, PERIOD = 3, 3  # inner steps of VRBO, and the period of its large batches (L81, L85)


@dataclass(frozen=True)
class Setting:
    """N: inner iterations of the double loops, and steps of their linear systems. K: terms of a Neumann sum. theta: its
    step. S: minibatches in a large batch.
    """

    N: int
    K: int
    theta: float
    S: int


@dataclass(frozen=True)
class Rival:
    """calls: (setting) -> oracle calls of one iteration, on average. steps: (inner, outer, setting) -> ``Steps``."""

    name: str
    title: str
    algorithm: str
    calls: Callable[[Setting], float]
    steps: Callable[[Any, Any, Setting], Any]


def _mrbo(inner: Any, outer: Any, s: Setting) -> Any:
    d = M_0 ** (1 / 3)  # eta_0 = 1
    return mrbo.Steps(outer, inner, d, M_0, WEIGHT, WEIGHT, s.K, s.theta)


def _sustain(inner: Any, outer: Any, s: Setting) -> Any:
    d, weight = M_0 ** (1 / 3), WEIGHT * M_0 ** (2 / 3)
    return sustain.Steps(outer * d, inner * d, M_0, weight, weight, s.K, s.theta)


def _fsla(inner: Any, outer: Any, s: Setting) -> Any:
    d = M_0**0.5
    return fsla.Steps(outer * d, inner * d, inner * d, WEIGHT * d, M_0)  # one step for y and v


def _adam(module: Any, p: float, inner: Any, outer: Any, s: Setting, **other: Any) -> Any:
    """A_t from the second moment of w_t, B_t of (5); eta_0 = 1."""
    rules = {"adapt_x": MOMENTUM, "adapt_y": MEAN_NORM, "epsilon": EPSILON, "rho": RHO, **other}
    return module.Steps(outer, inner, M_0**p, M_0, WEIGHT, WEIGHT, s.K, 1.0 / s.theta, **rules)


RIVALS = (
    Rival("biadam", "BiAdam", f"{PAPER.key}.biadam", lambda s: 3 + (s.K - 1) / 2,
          lambda i, o, s: _adam(biadam, 1 / 2, i, o, s)),
    Rival("vr-biadam", "VR-BiAdam", f"{PAPER.key}.vr_biadam", lambda s: s.K + 5,
          lambda i, o, s: _adam(vr_biadam, 1 / 3, i, o, s)),
    Rival("reverse", "reverse", "baselines.reverse", lambda s: 3 * s.N + 1,
          lambda i, o, s: reverse.Steps(i, o, s.N)),
    Rival("aid-fp", "AID-FP", "baselines.aid_fp", lambda s: 2 * s.N + 2,
          lambda i, o, s: aid_fp.Steps(i, o, s.N, s.N)),
    Rival("aid-cg", "AID-CG", "baselines.aid_cg", lambda s: 2 * s.N + 3,
          lambda i, o, s: aid_cg.Steps(i, o, s.N, s.N)),
    Rival("stocbio", "stocBiO", "baselines.stocbio", lambda s: s.N + s.K + 1,
          lambda i, o, s: stocbio.Steps(i, o, s.N, s.K, s.theta)),
    Rival("mrbo", "MRBO", "baselines.mrbo", lambda s: 2 * (s.K + 2), _mrbo),
    Rival("vrbo", "VRBO", "baselines.vrbo", lambda s: (s.K + 2) * (2 * (SPAN + 2) + s.S / PERIOD),
          lambda i, o, s: vrbo.Steps(o, i, PERIOD, s.S, SPAN, s.K, s.theta)),
    Rival("sustain", "SUSTAIN", "baselines.sustain", lambda s: s.K + 5, _sustain),
    Rival("fsla", "FSLA", "baselines.fsla", lambda s: 7.0, _fsla),
    Rival("smb", "SMB", "baselines.smb", lambda s: 3 + (s.K - 1) / 2,
          lambda i, o, s: smb.Steps(o, i, AVERAGE, s.K, s.theta)),
)  # fmt: skip
# (4) as printed. Where grad_x f = 0 it says A_t = rho I: a fixed matrix, whose rho only scales the outer step.
VOID = Rival(
    "biadam-literal", "BiAdam, (4) as printed", f"{PAPER.key}.biadam", RIVALS[0].calls,
    lambda i, o, s: _adam(biadam, 1 / 2, i, o, s, adapt_x=GRADIENT, rho=1.0),
)  # fmt: skip


def horizons(rival: Rival, setting: Setting, budget: Mapping[str, int]) -> dict[str, int]:
    """Iterations that the budget of calls allows, in each profile."""
    return {profile: max(1, round(calls / rival.calls(setting))) for profile, calls in budget.items()}


def lengths(
    rivals: tuple[Rival, ...], setting: Setting, budget: Mapping[str, int]
) -> Callable[[Method], Any]:
    """The horizons of each method."""
    rival = {r.name: r for r in rivals}
    return lambda method: horizons(rival[method.name], setting, budget)


def methods(rivals: tuple[Rival, ...]) -> tuple[Method, ...]:
    """Their ``steps`` take a setting and a table name -> (inner, outer)."""
    return tuple(
        Method(r.name, r.title, r.algorithm, lambda setting, table, r=r: r.steps(*table[r.name], setting))
        for r in rivals
    )


def calls_of(result: Result) -> Any:
    """(M,) oracle calls of one run before each mark, all kinds alike; the mean over runs of different lengths."""
    total = sum(v.mean(axis=0) for v in result.calls.values())
    return (
        total * (result.marks - 1.0) / result.marks
    )  # counted after the step of the mark, recorded before it
