"""What the experiments of this paper choose, and how its bounds are lined up with what the engine records.

Theorems 1-6 hold for every varsigma > 0; the experiments take 1, so that they are compliant and practical at once. At
mark m the engine records the state before step m: the paper's x_t, z_t with t = m - 1. Bounds are taken there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from theorems.ir_cg import constants as k
from theorems.ir_cg import theorem_1, theorem_2, theorems_3_4, theorems_5_6
from workbench import evidence
from workbench.engine.records import Result
from workbench.evidence import Finding
from workbench.experiments.build import Results, by_run, constants_of
from workbench.experiments.claims import Claim, Custom
from workbench.experiments.records import PROFILES, Batch, Mutation, Simulation

DELTA = 0.2  # costs sqrt(log(1/delta)) in the bounds, and lets 50 runs decide
VARSIGMA = 1.0
SMALL_VARSIGMA = 0.3  # least norm: m sigma_t is small from the start, so that the powers of t show
C_STORM = 3**-0.5  # of the concentration inequality: admissible for noise bounded almost surely
LONG = ("default", "full")
CHOSEN = "varsigma = 1 (the theorems allow any positive value)"
ONE_SAMPLE_P, FINITE_SUM_P = (0.1, 0.25, 0.4), (0.25, 0.5, 0.75)
Q = 8  # period and batch size of the finite-sum witnesses
AWAY = Q // 2  # the error of SPIDER is 0 at t = 0 mod q: marks are read where t = q/2 mod q
RESIDUES = tuple(sorted({int(Q * round(2 ** (j / 4) / Q) + AWAY + 1) for j in range(12, 96)}))

OUTER_1, INNER_1 = theorem_1.OUTER, theorem_1.INNER
OUTER_2, INNER_2 = theorem_2.OUTER, theorem_2.INNER
OUTER_5, INNER_5 = theorems_5_6.THEOREM_5["outer"], theorems_5_6.THEOREM_5["inner"]
OUTER_6, INNER_6 = theorems_5_6.THEOREM_6["outer"], theorems_5_6.THEOREM_6["inner"]
OUTER_OWN, INNER_OWN = theorems_5_6.OWN["outer"], theorems_5_6.OWN["inner"]
OUTER_OWN_FS, INNER_OWN_FS = theorems_5_6.OWN_FS["outer"], theorems_5_6.OWN_FS["inner"]
THEOREM_3, THEOREM_4 = theorems_3_4.THEOREM_3, theorems_3_4.THEOREM_4


def simulation(
    name: str,
    title: str,
    algorithm: str,
    make: Callable[[int, int], Batch],
    horizon: Mapping[str, int],
    runs: Mapping[str, int],
    mutation: Mutation | None = None,
    wrong: str = "",
    marks: tuple[int, ...] = (),
) -> Simulation:
    """A compliant simulation; a falsifier where a line is mutated or ``wrong`` says what else is."""
    return Simulation(
        key=f"ir_cg/sim-{name}",
        title=title,
        algorithm=f"ir_cg.{algorithm}",
        make=make,
        horizon=horizon,
        runs=runs,
        kind="falsifier" if mutation or wrong else "compliant",
        chosen=f"{CHOSEN}; {wrong}" if wrong else CHOSEN,
        mutation=mutation,
        marks=marks,
    )


def exponent(theorem: Any, p: float) -> float:
    """The claimed rate at one p."""
    return float(theorem.case("rate").claimed.subs(k.p, p))


def at_t(result: Result, first: int = 1) -> np.ndarray:
    """(M,) mask of the marks at which t = mark - 1 >= first."""
    return result.marks - 1 >= first


def curves(
    theorem: Any, form: str, sim: Simulation, result: Result, t: np.ndarray, **free: Any
) -> np.ndarray:
    """(rows, M): the bound at each t for each row's constants and grid parameters."""
    grid = {name: column[:, None] for name, column in result.params.items()}
    known = {**constants_of(sim, result), "varsigma": VARSIGMA, **free, **grid}
    values = theorem.numeric(form)(**known, T=t.astype(float)[None, :])
    return np.broadcast_to(values, (result.runs, len(t)))


def gap_bound(
    theorem: Any,
    form: str,
    sim: Simulation,
    measured: str | Callable[[Result], np.ndarray],
    first: int = 1,
    profiles: tuple[str, ...] = PROFILES,
    **free: Any,
) -> Claim:
    """measured <= bound for all t >= first, at every grid point, for a share 1 - delta of the runs.

    measured: a recorded quantity, or a function of the result that gives (rows, M).
    """

    def check(results: Results) -> Finding:
        result = results[sim.key]
        keep = at_t(result, first)
        values = result.data[measured] if isinstance(measured, str) else measured(result)
        t = result.marks[keep] - 1
        bounds = curves(theorem, form, sim, result, t, delta=DELTA, **free)
        table = by_run(values[:, keep], result.run_ids)
        marks = np.tile(t, table.shape[1] // len(t))
        return evidence.bound(table, by_run(bounds, result.run_ids), marks, "probability", DELTA)

    named = measured if isinstance(measured, str) else measured.__name__
    return Custom(theorem.key, "bound", f"{sim.title}; {named}, {form}", check, (sim.key,), profiles=profiles)


def late(
    kind: Callable[..., Finding], claimed: float, share: float = 0.001, **options: Any
) -> Callable[[np.ndarray, np.ndarray], Finding]:
    """``evidence.rate``, ``tight`` or `caught` over [share T, T]: the first iterates have other laws."""

    def measure(values: np.ndarray, t: np.ndarray) -> Finding:
        return kind(values, t, claimed, window=(share * t[-1], float(t[-1])), **options)

    return measure


def caught(values: np.ndarray, t: np.ndarray, claimed: float, since: float = 0.01, **options: Any) -> Finding:
    """A wrong method must violate the rate that the right one has, on [since T, T]."""
    window = (since * t[-1], float(t[-1]))
    return evidence.falsifier(evidence.rate(values, t, claimed, **{**options, "window": window}))


def read(
    key: str,
    kind: str,
    sim: Simulation,
    measure: Callable[[np.ndarray, np.ndarray], Finding],
    metric: str | Callable[..., tuple[np.ndarray, np.ndarray]],
    where: Mapping[str, float],
    *,
    residue: bool = False,
    first: int = 1,
    **options: Any,
) -> Claim:
    """A claim on the curve of one grid point over t; ``measure(values, t)`` gives the finding.

    metric: a recorded quantity, or a function of (result, where) that gives (values, t). residue: marks away from the
    refreshes only.
    """
    name = metric if isinstance(metric, str) else metric.__name__
    point = ", ".join([*(f"{n} = {v:g}" for n, v in where.items()), name])
    label = options.pop("label", "")

    def check(results: Results) -> Finding:
        result = results[sim.key]
        if not isinstance(metric, str):
            return measure(*metric(result, where))
        keep = at_t(result, first)
        if residue:
            keep &= (result.marks - 1) % Q == AWAY
        return measure(result.curve(metric, **where)[:, keep], result.marks[keep] - 1.0)

    return Custom(key, kind, f"{sim.title}{label}; {point}", check, (sim.key,), **options)


def shrinks(metric: str) -> Callable[[Results, Simulation], Finding]:
    """The supremum of |metric| over the last two decades but one against that over the decade before: at most 1.

    For limits without a rate (Theorems 3 and 4): each run's supremum over t in (T/10, T] over that in (T/1000, T/100].
    """

    def check(results: Results, sim: Simulation) -> Finding:
        result = results[sim.key]
        t, T = result.marks, result.horizon
        values = np.abs(result.data[metric])
        late = values[:, t > T / 10].max(axis=1, keepdims=True)
        early = values[:, (t > T / 1000) & (t <= T / 100)].max(axis=1, keepdims=True)
        table = by_run(late / early, result.run_ids)
        return evidence.bound(table, np.ones_like(table), np.full(table.shape[1], float(T)), "expectation")

    return check


def grows(theorem: Any, sim: Simulation, metric: str, **options: Any) -> Claim:
    """A wrong method whose gap does not fall: the suprema of `shrinks` must come out the wrong way round."""
    check = shrinks(metric)
    title = f"{sim.title}; sup of |{metric}| over (T/10, T] not below that over (T/1000, T/100]"
    return Custom(
        theorem.key,
        "falsifier",
        title,
        lambda results: evidence.falsifier(check(results, sim)),
        (sim.key,),
        **options,
    )


def limit_claim(theorem: Any, sim: Simulation, metric: str, **options: Any) -> Claim:
    check = shrinks(metric)
    title = f"{sim.title}; sup of |{metric}| over (T/10, T] below that over (T/1000, T/100]"
    return Custom(theorem.key, "rate", title, lambda results: check(results, sim), (sim.key,), **options)
