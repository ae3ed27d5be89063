"""What the experiments of this paper choose where its theorems leave a constant free.

Theorems 5.6, 4.1 and 4.2 hold for *every* eta, alpha, gamma > 0. An experiment that sets them all to 1 is therefore
compliant (it tests the bound) and practical (it tests the rate) at once; it is filed under compliant.
"""

from collections.abc import Callable, Mapping
from typing import Any

from theorems.ada_minimax.theorem_4_1 import THEOREM as THEOREM_4_1
from theorems.ada_minimax.theorem_4_2 import THEOREM as THEOREM_4_2
from theorems.ada_minimax.theorem_5_6 import THEOREM as THEOREM_5_6
from workbench.experiments.records import Batch, Mutation, Simulation

START = 1.2345  # not 1: with eta = 1 a noiseless run from x = 1 would end in one step (trap T1)
STARTS = (1.0, 1.5)  # noiseless runs differ in their start only, drawn uniformly from this interval
FREE: dict[str, Any] = {"eta": 1.0, "alpha": 1.0, "gamma": 1.0}
DECADES = (1000, 10_000, 100_000, 1_000_000)  # iterations recorded whatever the profile
DELTA = 0.02  # bounds hold with 1 - 3 delta or 1 - 7 delta: 6 or 14 % of the runs may exceed them; costs log(1/delta)
METRIC = "grad_norm_mean"  # what the three theorems bound: the running mean of the gradient norm
# The claimed exponents without and with noise, which the three theorems share.
QUIET, NOISY = (float(THEOREM_5_6.case(name).claimed) for name in ("noiseless", "noisy"))
LONG = ("default", "full")  # profiles whose horizon is long enough to decide the slower claims
CHOSEN = "eta = alpha = gamma = 1 (the theorem allows any positive values)"

NSGDM_STEPS = THEOREM_5_6.steps(**FREE)
MINIMAX_STEPS = THEOREM_4_1.steps(**FREE)


def simulation(
    name: str,
    title: str,
    algorithm: str,
    make: Callable[[int, int], Batch],
    horizon: Mapping[str, int],
    runs: Mapping[str, int],
    mutation: Mutation | None = None,
    wrong: str = "",
) -> Simulation:
    """A compliant simulation of this paper; a falsifier where a line is mutated or ``wrong`` says what else is."""
    return Simulation(
        key=f"ada_minimax/sim-{name}",
        title=title,
        algorithm=f"ada_minimax.{algorithm}",
        make=make,
        horizon=horizon,
        runs=runs,
        kind="falsifier" if mutation or wrong else "compliant",
        chosen=f"{CHOSEN}; {wrong}" if wrong else CHOSEN,
        mutation=mutation,
        marks=DECADES,
    )


__all__ = [
    "CHOSEN",
    "DECADES",
    "DELTA",
    "FREE",
    "LONG",
    "METRIC",
    "MINIMAX_STEPS",
    "NOISY",
    "NSGDM_STEPS",
    "QUIET",
    "START",
    "STARTS",
    "THEOREM_4_1",
    "THEOREM_4_2",
    "THEOREM_5_6",
    "simulation",
]  # fmt: skip
