"""The eight methods of the paper's figures on one problem: settings of L219-221 (convex) and L1285-1287 (dictionary).

Every method of a figure gets about the same wall-clock time (the paper: four minutes, one for the dictionary), so
the horizons differ; they are stated as iterations. What the paper leaves open and is chosen here: STORM weights of
SBCGI (its own theory's), S = q of SPIDER-FW, phi of SDBGD (the minimum, lower bound 0), the warm start: half of all
iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from workbench.algorithms.baselines import ar_ip_seg, sbcgf, sbcgi, sdbgd
from workbench.algorithms.ir_cg import ir_fscg, ir_scg
from workbench.engine.records import Grid, Result
from workbench.experiments.ir_cg.study import OUTER_1, OUTER_2, OUTER_5, OUTER_6
from workbench.experiments.records import Batch, Simulation

RUNS = {"quick": 2, "default": 3, "full": 10}
WARM_GAMMA = 0.1


@dataclass(frozen=True)
class Method:
    """name: of the simulation, after the figure's. steps: (n, horizon) -> Steps. horizon: in the default profile."""

    name: str
    title: str
    algorithm: str
    steps: Callable[[int, int], Any]
    horizon: int


def root(n: int) -> int:
    """S = q: the integer part of sqrt(n)."""
    return int(np.sqrt(n))


def _ir_scg(varsigma: float, n: int, horizon: int) -> Any:
    return ir_scg.Steps(**OUTER_1.steps("own", varsigma=varsigma, p=0.25))


def _ir_fscg(varsigma: float, n: int, horizon: int) -> Any:
    """alpha_t = 2/(t+1) for t >= q, as printed for the experiments (L219); Theorem 2 has 2/(t+2)."""
    return ir_fscg.Steps(**{**OUTER_2.steps("own", varsigma=varsigma, p=0.5, q=root(n)), "b": 1})


def _ir_scg_5(varsigma: float, n: int, horizon: int) -> Any:
    return ir_scg.Steps(**OUTER_5.steps("own", varsigma=varsigma))


def _ir_fscg_6(varsigma: float, n: int, horizon: int) -> Any:
    return ir_fscg.Steps(**OUTER_6.steps("repaired", varsigma=varsigma, q=root(n)))


def _sbcgi(n: int, horizon: int) -> Any:
    return sbcgi.Steps(0.01, 1.0, 1e-4, 0.5, 1.0, horizon // 2, WARM_GAMMA, root(n), root(n))


def _sbcgf(n: int, horizon: int) -> Any:
    return sbcgf.Steps(1e-5, 1e-4, 0.5, root(n), root(n), horizon // 2, WARM_GAMMA)


def _sbcgi_6(n: int, horizon: int) -> Any:
    return sbcgi.Steps(0.1, 2 / 3, 0.01, 1 / 3, 2 / 3, horizon // 2, WARM_GAMMA, root(n), root(n))


def _sbcgf_6(n: int, horizon: int) -> Any:
    return sbcgf.Steps(1e-3, 0.01, 1 / 3, root(n), root(n), horizon // 2, WARM_GAMMA)


def _ar_ip_seg(gamma: float, rho: float, n: int, horizon: int) -> Any:
    return ar_ip_seg.Steps(gamma, 0.75, rho, 0.25, 0.5)


def _sdbgd(gamma: float, n: int, horizon: int) -> Any:
    return sdbgd.Steps(gamma, 1.0, 1.0, 0.0)


def convex(varsigma: float, horizons: Mapping[str, int]) -> tuple[Method, ...]:
    """The methods of Figures 1 and 2."""
    return _methods(
        horizons,
        (
            partial(_ir_scg, varsigma),
            partial(_ir_fscg, varsigma),
            _sbcgi,
            _sbcgf,
        ),
        rho=1e3,
        short=(1e-7, 1e-6),
    )


def dictionary(varsigma: float, horizons: Mapping[str, int]) -> tuple[Method, ...]:
    """The methods of Figure 3."""
    return _methods(
        horizons,
        (
            partial(_ir_scg_5, varsigma),
            partial(_ir_fscg_6, varsigma),
            _sbcgi_6,
            _sbcgf_6,
        ),
        rho=1.0,
        short=(1e-4, 5e-3),
    )


def _methods(
    horizons: Mapping[str, int], four: tuple[Callable, ...], rho: float, short: tuple[float, float]
) -> tuple[Method, ...]:
    long = 1e-2
    rows: tuple[tuple[str, str, str, Callable[[int, int], Any]], ...] = (
        ("ir-scg", "IR-SCG", "ir_cg.ir_scg", four[0]),
        ("ir-fscg", "IR-FSCG", "ir_cg.ir_fscg", four[1]),
        ("sbcgi", "SBCGI", "baselines.sbcgi", four[2]),
        ("sbcgf", "SBCGF", "baselines.sbcgf", four[3]),
        ("seg-short", "aR-IP-SeG (short step)", "baselines.ar_ip_seg", partial(_ar_ip_seg, short[0], rho)),
        ("seg-long", "aR-IP-SeG (long step)", "baselines.ar_ip_seg", partial(_ar_ip_seg, long, rho)),
        ("sdbgd-short", "SDBGD (short step)", "baselines.sdbgd", partial(_sdbgd, short[1])),
        ("sdbgd-long", "SDBGD (long step)", "baselines.sdbgd", partial(_sdbgd, long)),
    )
    horizon = {name: horizons[name.removesuffix("-short").removesuffix("-long")] for name, *_ in rows}
    return tuple(Method(name, title, module, steps, horizon[name]) for name, title, module, steps in rows)


def random_starts(instance: Any, d: int, runs: int) -> np.ndarray:
    """(runs, d): standard normals projected on the set, one for each noise identity whatever the number of runs."""
    rows = [np.random.default_rng([run, d]).standard_normal(d) for run in range(runs)]
    return instance.box.project(np.stack(rows), np)


def make(problem: Callable[[], Any], d: int, method: Method, horizon: int, runs: int) -> Batch:
    instance, grid = problem(), Grid([{}], runs)
    start = {"x": random_starts(instance, d, runs)}
    n = instance.constants(start)["n"]
    return Batch(instance, method.steps(int(n), horizon), start, grid)


def simulations(
    figure: str, problem: Callable[[], Any], d: int, methods: tuple[Method, ...]
) -> tuple[Simulation, ...]:
    return tuple(
        Simulation(
            key=f"ir_cg/sim-{figure}-{m.name}",
            title=f"{m.title}, {figure}",
            algorithm=m.algorithm,
            make=partial(make, problem, d, m),
            horizon={"quick": max(40, m.horizon // 20), "default": m.horizon, "full": 20 * m.horizon},
            runs=RUNS,
            kind="paper",
            chosen="steps of the paper's section 3 and appendix B.3",
        )
        for m in methods
    )


def calls_of(method: Method, result: Result, sizes: Mapping[str, int]) -> np.ndarray:
    """(M,) oracle calls of one run so far as the paper counts them: samples of either level, evaluated once or twice.

    sizes: level ("f", "g") -> number of components, what a full pass costs. A batch is S = q samples of a finite-sum
    method, one of IR-SCG and of SBCGI's main phase (which is where the cut oracle is called, once per iteration).
    """
    S = 1 if method.name == "ir-scg" else root(max(sizes.values()))
    total = np.zeros(len(result.marks))
    for level, n in sizes.items():
        for resource, size in ((f"batch_{level}", S), (f"pass_{level}", n), (f"sample_{level}", 1)):
            total = total + size * _count(result, resource)
        if method.name == "sbcgi" and f"batch_{level}" in result.calls:
            total = total - (S - 1) * _count(result, "lmo_cut")
    return total


def _count(result: Result, resource: str) -> np.ndarray:
    """(M,) calls per run; 0 for what was never called."""
    return np.mean(np.atleast_2d(result.calls.get(resource, np.zeros(len(result.marks)))), axis=0)
