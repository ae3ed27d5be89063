"""Worst cases of known value: the certified numbers beside those of PEPit, and the processor time of both.

`python -m benchmarks.worst_cases [FILE.md]`; PEPit is not among the project's requirements: `pip install pepit cvxpy`
in an environment of one's own. Without it its columns are empty. Exact values: Drori, Teboulle (2014) for gradient
descent, Taylor, Hendrickx, Glineur (2017) for the proximal point method, Lieder (2021) for Halpern's iteration, Drori,
Teboulle (2016) for subgradients; that of Nesterov's method has no closed form.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from workbench.ledger import certificate
from workbench.ledger.worst_case import certify, report
from workbench.ledger.worst_case.question import at_horizon
from workbench.ledger.worst_case.trace import trace

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "examples/worst_case"
SIZES = (20, 40)  # steps of Nesterov's method


@dataclass(frozen=True)
class Case:
    """A method after some steps. exact: the worst case, None where no closed form is known; peer: PEPit's."""

    name: str
    file: Path
    steps: int
    exact: Fraction | None
    peer: Callable[[int], float]


def nesterov(n: int) -> float:
    from math import sqrt

    from PEPit import PEP
    from PEPit.functions import SmoothConvexFunction

    problem = PEP()
    f = problem.declare_function(SmoothConvexFunction, L=1)
    best, x = f.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((x - best) ** 2 <= 1)
    y, theta = x, 1.0
    for _ in range(n):
        new, following = y - f.gradient(y), (1 + sqrt(1 + 4 * theta**2)) / 2
        y, x, theta = new + (theta - 1) / following * (new - x), new, following
    problem.set_performance_metric(f(x) - f(best))
    return solution(problem)


def gradient_descent(n: int) -> float:
    from PEPit import PEP
    from PEPit.functions import SmoothConvexFunction

    problem = PEP()
    f = problem.declare_function(SmoothConvexFunction, L=1)
    best, x = f.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((x - best) ** 2 <= 1)
    for _ in range(n):
        x = x - f.gradient(x)
    problem.set_performance_metric(f(x) - f(best))
    return solution(problem)


def proximal_point(n: int) -> float:
    from PEPit import PEP
    from PEPit.functions import ConvexFunction
    from PEPit.primitive_steps import proximal_step

    problem = PEP()
    f = problem.declare_function(ConvexFunction)
    best, x = f.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((x - best) ** 2 <= 1)
    for _ in range(n):
        x, _, value = proximal_step(x, f, 1)
    problem.set_performance_metric(value - f(best))
    return solution(problem)


def halpern(n: int) -> float:
    from PEPit import PEP
    from PEPit.operators import LipschitzOperator

    problem = PEP()
    T = problem.declare_function(LipschitzOperator, L=1)
    best, _, _ = T.fixed_point()
    start = problem.set_initial_point()
    problem.set_initial_condition((start - best) ** 2 <= 1)
    x = start
    for k in range(n):
        x = 1 / (k + 2) * start + (1 - 1 / (k + 2)) * T.gradient(x)
    problem.set_performance_metric((x - T.gradient(x)) ** 2)
    return solution(problem)


def subgradient(n: int) -> float:
    from math import sqrt

    from PEPit import PEP
    from PEPit.functions import ConvexLipschitzFunction

    problem = PEP()
    f = problem.declare_function(ConvexLipschitzFunction, M=1)
    best, x = f.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((x - best) ** 2 <= 1)
    for _ in range(n):
        problem.set_performance_metric(f(x) - f(best))
        x = x - 1 / sqrt(n + 1) * f.subgradient(x)
    problem.set_performance_metric(f(x) - f(best))
    return solution(problem)


def solution(problem: Any) -> float:
    return float(problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0))


CASES = (
    Case("gradient descent", FOLDER / "gradient_descent.py", 4, Fraction(1, 18), gradient_descent),
    Case("proximal point", FOLDER / "proximal_point.py", 5, Fraction(1, 20), proximal_point),
    Case("Halpern, squared", FOLDER / "halpern.py", 9, Fraction(4, 100), halpern),
    Case("subgradient", FOLDER / "subgradient.py", 8, Fraction(1, 3), subgradient),
    *(Case("Nesterov", ROOT / "examples/nesterov.py", n, None, nesterov) for n in SIZES),
)


def ours(case: Case) -> tuple[Fraction, Fraction, float, float]:
    """(upper, lower, seconds to solve and round, seconds to check) in processor time."""
    claims = report.claims_of(str(case.file), None, None) if case.file.parent == FOLDER else _nesterov(case)
    horizon = at_horizon(claims[0], case.steps)
    statement = trace(horizon.question, case.steps).statement
    begin = time.process_time()
    documents = certify.upper(statement), certify.lower(statement)
    middle = time.process_time()
    for document in documents:
        certificate.check(document)
    end = time.process_time()
    high, low = (Fraction(d["statement"]["claimed"]) for d in documents)
    return high, low, middle - begin, end - middle


def _nesterov(case: Case) -> list[Any]:
    return report.claims_of(str(case.file), {"grad": "smooth convex"}, (case.steps,))


def theirs(case: Case) -> tuple[float, float] | None:
    """(number, seconds of processor time), or None without PEPit."""
    begin = time.process_time()
    try:
        value = case.peer(case.steps)
    except ImportError:
        return None
    return value, time.process_time() - begin


def rows() -> list[str]:
    out = [
        "| method | steps | exact | certified, at least | at most | PEPit | both solved, rounded | checked | PEPit |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for case in CASES:
        high, low, solving, checking = ours(case)
        other = theirs(case)
        exact = "" if case.exact is None else f"{float(case.exact):.10g}"
        number, seconds = ("", "") if other is None else (f"{other[0]:.10g}", f"{other[1]:.2f} s")
        cells = (case.name, str(case.steps), exact, f"{float(low):.10g}", f"{float(high):.10g}", number)
        out.append(f"| {' | '.join(cells)} | {solving:.2f} s | {checking:.2f} s | {seconds} |")
        print(out[-1], flush=True)
    return out


def main() -> None:
    table = "\n".join(rows())
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(
            f"# Worst cases\n\nMade by `python -m benchmarks.worst_cases`.\n\n{table}\n"
        )


if __name__ == "__main__":
    main()
