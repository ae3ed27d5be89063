"""The base of the bilevel problems min F over argmin_X G: oracle, metrics, constants (Assumption 1, L127-156).

A problem states its set, F, G, their gradients, the optimal values and its constants. A sampled gradient is the exact
one plus noise; finite sums override that. Oracle methods that take both x_t and x_{t-1} use one sample for both, as the
recursive estimators require. They cost one batch: so the paper counts its "oracle calls", as its tables confirm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench import Box
from workbench.instances import cut_lmo, output
from workbench.ops import norm
from workbench.samples import Diameter, Gap, Lipschitz, Noise, Norm, Samples, Space, Supremum

Array = Any

SYMMETRIC = Box(-1.0, 1.0)
UNIT = Box(0.0, 1.0)

COSTS: dict[str, dict[str, int]] = {
    "pair_f": {"batch_f": 1},
    "pair_g": {"batch_g": 1},
    "difference_f": {"batch_f": 1},
    "difference_g": {"batch_g": 1},
    "valued_pair_g": {"batch_g": 1},
    "full_f": {"pass_f": 1},
    "full_g": {"pass_g": 1},
    "full_valued_g": {"pass_g": 1},
    "grad_f": {"sample_f": 1},
    "grad_g": {"sample_g": 1},
    "valued_grad_g": {"sample_g": 1},
    "lmo": {"lmo": 1},
    "lmo_cut": {"lmo_cut": 1},
    "project": {"projection": 1},
}


@dataclass(frozen=True)
class Bilevel:
    """``box``: the set X. Points are (runs, d)."""

    box: Any = SYMMETRIC

    COSTS: ClassVar = COSTS
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {}
    F_opt = 0.0  # not annotated, so not a field here; `TwoLevels` has a field, since its value depends on the data
    G_opt = 0.0
    UNIQUE = True  # X_opt has exactly one outer-optimal point, and ``solution`` returns it

    # Methods that a subclass defines: (x, xp) -> (runs, 1), (x, xp) -> (runs, d), and (d, xp) -> (d,).
    F: ClassVar[Any]
    G: ClassVar[Any]
    grad_F: ClassVar[Any]
    grad_G: ClassVar[Any]
    solution: ClassVar[Any]

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """The constants common to all problems; subclasses add theirs. Raises ValueError for a start outside X."""
        x = start["x"]
        check_start(self.box, x)
        d = x.shape[-1]
        return {"d": d, "D": self.box.diameter(d), "gap_G0": self.G(x, np) - self.G_opt}

    unsampled: ClassVar[dict[str, str]] = {
        "d": "a count",
        "n": "a count",
        "F_0": "F at the start, by definition",
        "gap_F0": "F_opt is a minimum over the solutions of another problem; the tests compute it",
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """Samples of every constant that some subclass declares; smoothness is that of single samples' gradients."""
        x = start["x"]
        space = Space((x.shape[-1],), self.project)
        return {
            "D": Diameter(x.shape[-1], self.lmo),
            "L_f": Lipschitz(space, self.grad_f, noisy=True),
            "L_g": Lipschitz(space, self.grad_g, noisy=True),
            "sigma_f": Noise(space, self.grad_f, self.grad_F),
            "sigma_g": Noise(space, self.grad_g, self.grad_G),
            "sup_F": Norm(space, self.F),
            "sup_grad_F": Norm(space, self.grad_F),
            "range_F": Supremum(space, lambda x, xp: self.F(x, xp) - self.F_opt),
            "range_G": Supremum(space, lambda x, xp: self.G(x, xp) - self.G_opt),
            "Delta_F": Supremum(space, lambda x, xp: self.F_opt - self.F(x, xp)),
            "gap_G0": Gap(self.G, self.grad_G, x, self.project),
        }

    # Noise of grad g, the mean over S samples; none unless a subclass overrides it.
    def noise_g(self, x: Array, xi: Any, S: int, xp: Any) -> Array:
        return 0.0

    # The oracle.
    def pair_f(self, x: Array, x_old: Array, theta: Any, S: int, xp: Any) -> tuple[Array, Array]:
        """(grad f_B(x), grad f_B(x_old)), B the S samples theta."""
        return self.sampled_f(x, theta, S, xp), self.sampled_f(x_old, theta, S, xp)

    def pair_g(self, x: Array, x_old: Array, xi: Any, S: int, xp: Any) -> tuple[Array, Array]:
        return self.sampled_g(x, xi, S, xp), self.sampled_g(x_old, xi, S, xp)

    def difference_f(self, x: Array, x_old: Array, theta: Any, S: int, xp: Any) -> Array:
        """grad f_B(x) - grad f_B(x_old)."""
        f, f_old = self.pair_f(x, x_old, theta, S, xp)
        return f - f_old

    def difference_g(self, x: Array, x_old: Array, xi: Any, S: int, xp: Any) -> Array:
        g, g_old = self.pair_g(x, x_old, xi, S, xp)
        return g - g_old

    def valued_pair_g(self, x: Array, x_old: Array, xi: Any, S: int, xp: Any) -> tuple[Array, ...]:
        """(g_B(x), g_B(x_old), grad g_B(x), grad g_B(x_old)); the value carries no noise here."""
        return (self.G(x, xp), self.G(x_old, xp), *self.pair_g(x, x_old, xi, S, xp))

    def full_f(self, x: Array, xp: Any) -> Array:
        return self.grad_F(x, xp)

    def full_g(self, x: Array, xp: Any) -> Array:
        return self.grad_G(x, xp)

    def full_valued_g(self, x: Array, xp: Any) -> tuple[Array, Array]:
        return self.G(x, xp), self.grad_G(x, xp)

    def grad_f(self, x: Array, theta: Any, xp: Any) -> Array:
        return self.sampled_f(x, theta, 1, xp)

    def grad_g(self, x: Array, xi: Any, xp: Any) -> Array:
        return self.sampled_g(x, xi, 1, xp)

    def valued_grad_g(self, x: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        return self.G(x, xp), self.sampled_g(x, xi, 1, xp)

    def sampled_f(self, x: Array, theta: Any, S: int, xp: Any) -> Array:
        return self.grad_F(x, xp)

    def sampled_g(self, x: Array, xi: Any, S: int, xp: Any) -> Array:
        return self.grad_G(x, xp) + self.noise_g(x, xi, S, xp)

    def lmo(self, c: Array, xp: Any) -> Array:
        return self.box.lmo(c, xp)

    def lmo_cut(self, c: Array, a: Array, r: Array, xp: Any) -> tuple[Array, Array]:
        return cut_lmo(self.box.lmo, c, a, r, xp)

    def project(self, x: Array, xp: Any) -> Array:
        return self.box.project(x, xp)

    # What is measured.
    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {}

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """Signed gaps at the output and at x_t, the distance to the solution, and the estimators' errors."""
        z = output(s)
        values = {
            "outer_gap": self.F(z, xp) - self.F_opt,
            "inner_gap": self.G(z, xp) - self.G_opt,
            "last_outer_gap": self.F(s.x, xp) - self.F_opt,
            "last_inner_gap": self.G(s.x, xp) - self.G_opt,
        }
        if self.UNIQUE:
            values["distance"] = norm(z - self.solution(z.shape[-1], xp), xp)
            values["last_distance"] = norm(s.x - self.solution(z.shape[-1], xp), xp)
        if hasattr(s, "F") and hasattr(s, "x_old"):
            values["error_f"] = norm(s.F - self.grad_F(s.x_old, xp), xp)
            values["error_g"] = norm(s.G - self.grad_G(s.x_old, xp), xp)
        return values


def check_start(box: Any, x: np.ndarray) -> None:
    """Raises ValueError unless every row of x lies in the set and is finite."""
    if not np.isfinite(x).all():
        raise ValueError("the start has entries that are not finite")
    if not np.allclose(box.project(x, np), x, rtol=0.0, atol=1e-9):
        raise ValueError("the start does not lie in the feasible set")
