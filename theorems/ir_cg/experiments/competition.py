"""The eight methods of the paper's figures on one problem: settings of L219-221 (convex) and L1285-1287 (dictionary).

Every method of a figure gets about the same wall-clock time (the paper: four minutes, one for the dictionary), so
the horizons, given in iterations, differ. The paper leaves open, and this module chooses: the STORM weights of SBCGI
(those of its own theory), S = q of SPIDER-FW, phi of SDBGD (the minimum, lower bound 0), and the length of the warm
start (half of all iterations).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from workbench import Batch, Grid, Result, Theorem, profile
from workbench.claims import Competition, Method, Simulation, first_draws, views

from ...baselines import ar_ip_seg, sbcgf, sbcgi, sdbgd
from ..methods import ir_fscg, ir_scg
from ..theory.paper import PAPER
from .study import OUTER_1, OUTER_2, OUTER_5, OUTER_6, STUDY, schedule

RUNS = profile(2, 3, 10)
LONG_STEP, WARM_GAMMA = 1e-2, 0.1
CHOSEN = "steps of the paper's section 3 and appendix B.3"
StepsOf = Callable[[int, int], Any]  # (n, horizon) -> Steps
METHODS = {  # name of the simulation, after the figure's -> title, algorithm
    "ir-scg": ("IR-SCG", f"{PAPER.key}.ir_scg"),
    "ir-fscg": ("IR-FSCG", f"{PAPER.key}.ir_fscg"),
    "sbcgi": ("SBCGI", "baselines.sbcgi"),
    "sbcgf": ("SBCGF", "baselines.sbcgf"),
    "seg-short": ("aR-IP-SeG (short step)", "baselines.ar_ip_seg"),
    "seg-long": ("aR-IP-SeG (long step)", "baselines.ar_ip_seg"),
    "sdbgd-short": ("SDBGD (short step)", "baselines.sdbgd"),
    "sdbgd-long": ("SDBGD (long step)", "baselines.sdbgd"),
}


def root(n: int) -> int:
    """S = q: the integer part of sqrt(n)."""
    return int(np.sqrt(n))


def _ir_scg(theorem: Theorem, varsigma: float, n: int, horizon: int) -> Any:
    """p = 1/4 where the theorem leaves it open."""
    return ir_scg.Steps(**schedule(theorem, varsigma=varsigma, p=0.25))


def _ir_fscg(theorem: Theorem, varsigma: float, n: int, horizon: int, **printed: Any) -> Any:
    """p = 1/2 where the theorem leaves it open. printed: entries that differ in the paper's experiments."""
    return ir_fscg.Steps(**{**schedule(theorem, varsigma=varsigma, p=0.5, q=root(n)), **printed})


def _sbcgi(gamma: float, a: float, K_0: float, b: float, omega: float, n: int, horizon: int) -> Any:
    return sbcgi.Steps(gamma, a, K_0, b, omega, horizon // 2, WARM_GAMMA, root(n), root(n))


def _sbcgf(gamma: float, K_0: float, b: float, n: int, horizon: int) -> Any:
    return sbcgf.Steps(gamma, K_0, b, root(n), root(n), horizon // 2, WARM_GAMMA)


def _ar_ip_seg(gamma: float, rho: float, n: int, horizon: int) -> Any:
    return ar_ip_seg.Steps(gamma, 0.75, rho, 0.25, 0.5)


def _sdbgd(gamma: float, n: int, horizon: int) -> Any:
    return sdbgd.Steps(gamma, 1.0, 1.0, 0.0)


def convex(varsigma: float) -> tuple[Method, ...]:
    """The methods of Figures 1 and 2. alpha_t = 2/(t+1) for t >= q in IR-FSCG (L219); Theorem 2 has 2/(t+2)."""
    return _methods(
        partial(_ir_scg, OUTER_1, varsigma),
        partial(_ir_fscg, OUTER_2, varsigma, b=1),
        partial(_sbcgi, 0.01, 1.0, 1e-4, 0.5, 1.0),
        partial(_sbcgf, 1e-5, 1e-4, 0.5),
        partial(_ar_ip_seg, 1e-7, 1e3),
        partial(_ar_ip_seg, LONG_STEP, 1e3),
        partial(_sdbgd, 1e-6),
        partial(_sdbgd, LONG_STEP),
    )


def dictionary(varsigma: float) -> tuple[Method, ...]:
    """The methods of Figure 3."""
    return _methods(
        partial(_ir_scg, OUTER_5, varsigma),
        partial(_ir_fscg, OUTER_6, varsigma),
        partial(_sbcgi, 0.1, 2 / 3, 0.01, 1 / 3, 2 / 3),
        partial(_sbcgf, 1e-3, 0.01, 1 / 3),
        partial(_ar_ip_seg, 1e-4, 1.0),
        partial(_ar_ip_seg, LONG_STEP, 1.0),
        partial(_sdbgd, 5e-3),
        partial(_sdbgd, LONG_STEP),
    )


def _methods(*steps: StepsOf) -> tuple[Method, ...]:
    """steps: in the order of `METHODS`."""
    return tuple(
        Method(name, title, algorithm, rule)
        for (name, (title, algorithm)), rule in zip(METHODS.items(), steps, strict=True)
    )


def random_starts(instance: Any, d: int, grid: Grid) -> np.ndarray:
    """(runs, d): standard normals projected on the set, one for each noise identity whatever the number of runs."""
    return instance.box.project(first_draws(grid)(0).normal(d), np)


def make(problem: Callable[[Grid], Any], d: int, method: Method, horizon: int, runs: int) -> Batch:
    grid = Grid([{}], runs)
    instance = problem(grid)
    start = {"x": random_starts(instance, d, grid)}
    n = instance.constants(start)["n"]
    return Batch(instance, method.steps(int(n), horizon), start, grid)


def competition(
    figure: str, problem: Callable[[Grid], Any], d: int, methods: tuple[Method, ...]
) -> Competition:
    return Competition(STUDY, figure, methods, partial(make, problem, d))


def simulations(
    race: Competition, horizons: Mapping[str, int], printed: Mapping[str, int]
) -> tuple[Simulation, ...]:
    """horizons: of the default profile by name of the method, one for the short and the long steps.

    printed: the same from the paper's table, the horizons of the profile full: where a method needs them to overtake
    the others, no shorter run would tell.
    """

    def lengths(method: Method) -> dict[str, int]:
        name = method.name.removesuffix("-short").removesuffix("-long")
        T = horizons[name]
        return profile(max(40, T // 20), T, printed[name])

    return race.simulations(lengths, RUNS, chosen=CHOSEN)


def calls_of(method: Method, result: Result, sizes: Mapping[str, int]) -> np.ndarray:
    """(M,) oracle calls of one run so far, as the paper counts them: samples of either level, evaluated once or twice.

    sizes: level ("f", "g") -> number of components, the cost of a full pass. A batch has S = q samples in a finite-sum
    method, and one in IR-SCG and in the main phase of SBCGI, which calls the cut oracle once per iteration.
    """

    def count(resource: str) -> np.ndarray:
        return views.calls_of(resource)(result).mean(axis=0)

    S = 1 if method.name == "ir-scg" else root(max(sizes.values()))
    total = np.zeros(len(result.marks))
    for level, n in sizes.items():
        total += S * count(f"batch_{level}") + n * count(f"pass_{level}") + count(f"sample_{level}")
        if method.name == "sbcgi" and f"batch_{level}" in result.calls:
            total -= (S - 1) * count("lmo_cut")
    return total
