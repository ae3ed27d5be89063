"""What is claimed of Tables 1 and 2: metered queries against the listings, and who keeps up with what moves."""

from __future__ import annotations

from functools import partial

import numpy as np

from workbench import evidence
from workbench.engine.records import Result
from workbench.evidence import Finding
from workbench.experiments.build import count_claim, curve_claim
from workbench.experiments.f2obo import compared_runs
from workbench.experiments.f2obo.checks import increments, window
from workbench.experiments.f2obo.choices import LONG, REGRET
from workbench.experiments.records import Claim

ONE, TWO = "f2obo/table-1", "f2obo/table-2"
SIMS = {s.key.removeprefix("f2obo/sim-"): s for s in compared_runs.SIMULATIONS}
D, E = {"case": compared_runs.CASES["oscillation"]}, {"case": compared_runs.CASES["jumps"]}
OF_V_T = 0.5  # exponent of V_T on E
FEW_JUMPS = 0.08  # tolerance there: an increment holds whole jumps only


def _k(result: Result) -> int:
    return compared_runs.logarithmic(result.horizon)


def cg_products(result: Result) -> float:
    """SOBOW's Hessian-vector products per round: one for the residual of the warm start, Q_t for the steps."""
    t = np.arange(1, result.horizon + 1)
    return float(np.mean(1 + np.ceil(1.0 + compared_runs.CG_GROWTH * t)))


def none_of(name: str, resource: str) -> Claim:
    """A method that must not ask for second derivatives at all."""
    sim = SIMS[name]

    def check(results: dict[str, Result]) -> Finding:
        result = results[sim.key]
        asked = int(result.calls[resource].max()) if resource in result.calls else 0
        return evidence.complexity(asked, 0, result.horizon, f"{resource} calls per run")

    return Claim(ONE, "complexity", f"{sim.title}; {resource}", check, (sim.key,), profiles=LONG)  # type: ignore[arg-type]


def counts() -> list[Claim]:
    expected = (
        ("fsobo", "gradient", lambda r: 3),
        ("fsobo", "hessian_vector", lambda r: 1),
        ("sobow", "gradient", lambda r: 3),
        ("sobow", "hessian_vector", cg_products),
        ("obbo", "gradient", lambda r: _k(r) + 2),
        ("obbo", "hessian_vector", _k),
        ("aobo", "hessian_vector", _k),
        ("f2obo-sl", "gradient", lambda r: 6),
    )
    made = [count_claim(ONE, SIMS[f"table-1-{n}"], what, per_round) for n, what, per_round in expected]
    made += [count_claim(TWO, SIMS["table-2-sogd"], "gradient", lambda r: 6)]
    made += [count_claim(TWO, SIMS["table-2-sobbo"], "gradient", lambda r: compared_runs.INNER + 2)]
    return [Claim(c.key, c.evidence, c.experiment, c.check, c.needs, profiles=LONG) for c in made]


def bounded(name: str) -> Claim:
    """V_T = 0 on D: a method that solves its inner problem well enough has bounded regret, whatever H_2,T is."""
    measure = partial(evidence.rate, claimed=0.0, tol=0.05)

    def late(values: np.ndarray, marks: np.ndarray) -> Finding:
        return measure(values, marks, window=window(marks))

    return curve_claim(ONE, "rate", SIMS[f"table-1-{name}"], late, REGRET, D, profiles=LONG)


CLAIMS = (
    *counts(),
    *(
        none_of(f"table-1-{name}", what)
        for name in ("f2obo", "f2obo-sl", "af2obo")
        for what in ("hessian_vector", "jacobian_vector")
    ),
    *(bounded(name) for name in ("ogd", "obbo", "f2obo", "af2obo")),
    *(
        curve_claim(
            ONE, "rate", SIMS[f"table-1-{name}"], increments("rate", 1.0, 0.1), REGRET, D, profiles=LONG
        )
        for name in ("sobow", "fsobo", "f2obo-sl")
    ),
    *(
        curve_claim(
            ONE,
            "rate",
            SIMS[f"table-1-{name}"],
            increments("rate", OF_V_T, FEW_JUMPS),
            REGRET,
            E,
            profiles=LONG,
        )
        for name in ("ogd", "sobow", "obbo", "fsobo", "aobo", "f2obo", "af2obo")
    ),
)
