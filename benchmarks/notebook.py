"""Five usual ways to read a rate off a curve, and `judge`, on the theorem of the README: python -m benchmarks.notebook.

SGD with steps eta/sqrt(t) on a noisy quadratic has the exponent -1/4. Each way gives a 99 % interval; the table says
how often, over seeds that were not used before, it excludes the true exponent, and contains a wrong one, -1/3.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
from scipy.optimize import curve_fit
from scipy.stats import t as student

import workbench as wb
from workbench.evidence import rates

HORIZON, RUNS, SEEDS = 300_000, 256, range(100, 120)
TRUE, WRONG = -1 / 4, -1 / 3
Interval = tuple[float, float]

State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta / xp.sqrt(t) * oracle.grad(s.x, draw(0)))


def init(start, c, oracle, draw, xp):
    return State(start["x"])


def curves(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Values (runs, M) and marks (M,): means over (T/2, T] of the gradient norm."""
    grid = wb.Grid([{"sigma": 1.0}], RUNS)
    bowl = wb.problems.Quadratic(wb.Sphere(grid["sigma"]))
    problem = wb.Problem(
        SimpleNamespace(init=init, step=step), bowl, Steps(eta=1.0), {"x": grid.full(1.0)}, grid
    )
    marks = np.unique(np.round(np.geomspace(1, HORIZON, 120))).astype(int)
    return rates.window_means(wb.simulate(problem, wb.Run(marks, seed)).table("grad_norm_mean"), marks)


def line(x: np.ndarray, y: np.ndarray) -> Interval:
    """The slope of a least-squares line, with the interval that its residuals give."""
    d = x - x.mean()
    slope = d @ y / (d @ d)
    residual = y - y.mean() - slope * d
    error = np.sqrt(residual @ residual / (x.size - 2) / (d @ d))
    wide = student.ppf(0.995, x.size - 2) * error
    return slope - wide, slope + wide


def whole_curve(values: np.ndarray, marks: np.ndarray) -> Interval:
    return line(np.log(marks), np.log(values.mean(0)))


def last_decade(values: np.ndarray, marks: np.ndarray) -> Interval:
    tail = marks >= marks[-1] / 10
    return whole_curve(values[:, tail], marks[tail])


def power_fit(values: np.ndarray, marks: np.ndarray) -> Interval:
    mean = values.mean(0)
    (_, power), covariance = curve_fit(lambda T, c, p: c * T**p, marks, mean, p0=(mean[-1], -0.5))
    wide = student.ppf(0.995, marks.size - 2) * np.sqrt(covariance[1, 1])
    return power - wide, power + wide


def slopes_of_runs(values: np.ndarray, marks: np.ndarray) -> Interval:
    x = np.log(marks) - np.log(marks).mean()
    slopes = np.log(values) @ x / (x @ x)
    wide = student.ppf(0.995, len(slopes) - 1) * slopes.std(ddof=1) / np.sqrt(len(slopes))
    return slopes.mean() - wide, slopes.mean() + wide


def power_with_floor(values: np.ndarray, marks: np.ndarray) -> Interval:
    mean = values.mean(0)
    start = (mean[-1] * marks[-1] ** 0.25, -0.25, 0.0)
    fit, covariance = curve_fit(lambda T, c, p, f: c * T**p + f, marks, mean, p0=start, maxfev=20_000)
    wide = student.ppf(0.995, marks.size - 3) * np.sqrt(covariance[1, 1])
    return fit[1] - wide, fit[1] + wide


WAYS: dict[str, Callable[[np.ndarray, np.ndarray], Interval]] = {
    "least squares, whole curve": whole_curve,
    "least squares, last decade": last_decade,
    "c T^p, whole curve": power_fit,
    "mean of the runs' slopes": slopes_of_runs,
    "c T^p + floor, whole curve": power_with_floor,
}


def main() -> None:
    tables = [curves(seed) for seed in SEEDS]
    print(f"{len(tables)} seeds, {RUNS} runs, T = {HORIZON}; the true exponent is {TRUE:g}")
    for name, way in WAYS.items():
        intervals = [way(*table) for table in tables]
        missed = sum(not low <= TRUE <= high for low, high in intervals)
        taken = sum(low <= WRONG <= high for low, high in intervals)
        print(f"{name:28} excludes the truth {missed:2}, contains {WRONG:.3g} {taken:2}")
    for claimed in (TRUE, WRONG):
        verdicts = [wb.judge(values, marks, claimed).verdict for values, marks in tables]
        counts = ", ".join(f"{verdicts.count(v)} {v}" for v in ("holds", "violated", "not decided"))
        print(f"judge, claimed {claimed:.3g}: {counts}")


if __name__ == "__main__":
    main()
