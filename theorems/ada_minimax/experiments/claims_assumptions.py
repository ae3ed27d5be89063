"""Claims that the constants which the instances declare are right."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from workbench import Skewed, Sphere, TwoRadius
from workbench.claims import Constants
from workbench.instances import Draws
from workbench.problems import (
    CosineSaddle,
    Logarithm,
    LogarithmSaddle,
    PseudoHuber,
    Quadratic,
    QuadraticSaddle,
    ScalarBilevel,
)
from workbench.samples import Noise, Samples, Space

from ...baselines.estimators.neumann import neumann
from .study import START, THEOREM_4_1, THEOREM_4_2, THEOREM_5_6

POINT = {"x": np.array([[START]]), "y": np.array([[0.0]])}
PLUS_MINUS = Sphere(0.5)
TERMS = 8  # of the Neumann estimate whose noise is sampled


def minimax_constants(c: Mapping[str, Any]) -> dict[str, Any]:
    """Smoothness of Phi and Lipschitz constant of y* as Lemma D.1 derives them."""
    return {"L_Phi": (c["mu"] + c["L"]) * c["L"] / c["mu"], "L_y": c["L"] / c["mu"]}


def with_estimate(instance: ScalarBilevel, start: Mapping[str, np.ndarray]) -> Samples:
    """The instance's own samples, and the noise of the Neumann estimate of its hypergradient.

    All samples in the estimate are independent, so its mean is the estimate without noise.
    """
    l_g1 = instance.constants(start)["l_g1"]
    noiseless = instance.noiseless()

    def noisy(x: Any, y: Any, xi: Any, xp: Any, of: ScalarBilevel = instance) -> Any:
        oracle = SimpleNamespace(**{name: partial(getattr(of, name), xp=xp) for name in of.COSTS})
        return neumann(x, y, xi, TERMS, l_g1, oracle, xp)

    def exact(x: Any, y: Any, xp: Any) -> Any:
        return noisy(
            x, y, Draws(0, np.arange(len(x)), xp)(0), xp, of=noiseless
        )  # samples that have no effect

    space = Space((1, 1))
    share = 0.99 if instance.hessian_noise == 0.0 else 0.0  # the signs of all Hessian samples seldom agree
    return {
        **instance.samples(start),
        "sigma_phi_low": Noise(space, noisy, exact, reaches=share, lower=True),
        "sigma_phi_bar": Noise(space, noisy, exact, reaches=share),
    }


CLAIMS = (
    Constants(THEOREM_5_6, "I1, plus-minus noise", lambda: Quadratic(noise=PLUS_MINUS), POINT),
    Constants(THEOREM_5_6, "I1, two-radius noise", lambda: Quadratic(noise=TwoRadius(0.25, 1.0)), POINT),
    Constants(THEOREM_5_6, "I1, skewed noise", lambda: Quadratic(noise=Skewed(0.1, 1.0)), POINT),
    Constants(THEOREM_5_6, "I1h, plus-minus noise", lambda: PseudoHuber(noise=PLUS_MINUS), POINT),
    Constants(THEOREM_5_6, "I1n, plus-minus noise", lambda: Logarithm(noise=PLUS_MINUS), POINT),
    *(
        Constants(THEOREM_4_1, label, partial(saddle, PLUS_MINUS, PLUS_MINUS), POINT, minimax_constants)
        for label, saddle in (("I2", QuadraticSaddle), ("I2q", CosineSaddle), ("I2n", LogarithmSaddle))
    ),
    Constants(
        THEOREM_4_2, "B1", partial(ScalarBilevel, PLUS_MINUS, PLUS_MINUS), POINT, samples=with_estimate
    ),
)
