"""Claims of Tables 1 and 2: metered calls against the listings, and which methods keep up with the drift."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.engine.records import Result
from workbench.experiments.claims import Count
from workbench.experiments.f2obo import compared_runs
from workbench.experiments.f2obo.study import STUDY
from workbench.experiments.readings import Claimed, Readings
from workbench.experiments.study import LONG, named
from workbench.experiments.views import as_recorded

ONE, TWO = "f2obo/table-1", "f2obo/table-2"
SIMS = named(compared_runs)
D, E = {"case": compared_runs.CASES["oscillation"]}, {"case": compared_runs.CASES["jumps"]}
BOUNDED = Claimed(0.0, "Table 1: V_T, which is 0 on D")
LINEAR = Claimed(1.0, "Table 1: H_2,T, which is linear on D")
OF_V_T = Claimed(0.5, "Table 1: V_T, of order T^1/2 on E")
FEW_JUMPS = 0.08  # tolerance there: an increment contains a whole number of jumps


def logarithmic(more: int = 0) -> Callable[[Result], float]:
    """K + ``more`` calls per round, K = ceil(3 log T)."""
    return lambda result: (compared_runs.logarithmic(result.horizon) + more) * result.horizon


def cg_products(result: Result) -> float:
    """SOBOW's Hessian-vector products: per round one for the residual of the warm start, Q_t for the steps."""
    t = np.arange(1, result.horizon + 1)
    return float(np.sum(1 + np.ceil(1.0 + compared_runs.CG_GROWTH * t)))


COUNTS: tuple[tuple[str, str, Any], ...] = (  # method, resource, calls per round or in all
    ("table-1-fsobo", "gradient", 3),
    ("table-1-fsobo", "hessian_vector", 1),
    ("table-1-sobow", "gradient", 3),
    ("table-1-sobow", "hessian_vector", cg_products),
    ("table-1-obbo", "gradient", logarithmic(2)),
    ("table-1-obbo", "hessian_vector", logarithmic()),
    ("table-1-aobo", "hessian_vector", logarithmic()),
    ("table-1-f2obo-sl", "gradient", 6),
    ("table-2-sogd", "gradient", 6),
    ("table-2-sobbo", "gradient", compared_runs.INNER + 2),
    # The paper's methods use no second derivatives.
    *(
        (f"table-1-{name}", what, 0)
        for name in ("f2obo", "f2obo-sl", "af2obo")
        for what in ("hessian_vector", "jacobian_vector")
    ),
)


def table_1(methods: tuple[str, ...], where: dict[str, float], claimed: Claimed, **more: Any) -> Readings:
    read = STUDY.reader(ONE, points=[where], claimed=claimed, profiles=LONG, **more)
    return Readings(reading for name in methods for reading in read(SIMS[f"table-1-{name}"]))


# V_T = 0 on D: a method that solves its inner problem accurately has bounded regret, whatever H_2,T is.
ON_D = table_1(("ogd", "obbo", "f2obo", "af2obo"), D, BOUNDED, view=as_recorded, tol=0.05)
LAGGING_ON_D = table_1(("sobow", "fsobo", "f2obo-sl"), D, LINEAR, tol=0.1)
ON_E = table_1(("ogd", "sobow", "obbo", "fsobo", "aobo", "f2obo", "af2obo"), E, OF_V_T, tol=FEW_JUMPS)

CLAIMS = (
    *(
        replace(Count(ONE if "table-1" in name else TWO, SIMS[name], what, listed), profiles=LONG)
        for name, what, listed in COUNTS
    ),
    *ON_D.rate(),
    *LAGGING_ON_D.rate(),
    *ON_E.rate(),
)
