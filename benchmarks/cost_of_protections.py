"""What each protection of a rate costs: in runs until a true rate holds, and in wrong exponents that go unnoticed.

`python -m benchmarks.cost_of_protections` prints the table of the guide (docs/reading-a-verdict.md). Two
kinds of curves are planted, both without any of what the protections are against: window means of a stochastic method
over three decades (`planted.noisy`), and seven horizons with independent runs at each of them. The protections are
left out one by one, then all together. The last rows have the same protections at other shares of the error budget.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from workbench import evidence
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.protections import PROTECTIONS
from workbench.evidence.stats import Floats
from workbench.verdicts.calibration.planted import Generator, View

CLAIMS = 6  # of the paper whose level is used
RUNS = tuple(int(n) for n in np.round(2.0 ** np.arange(5, 12.1, 0.5)))  # that are tried until a claim holds
NOTICING = 1024  # runs with which wrong exponents are looked for
WANTED = 0.9  # share of the repeats


@dataclass(frozen=True)
class Curves:
    """Planted curves of one exponent. draw(rng, runs) -> values (runs, M), marks (M,)."""

    name: str
    exponent: float
    draw: Callable[[Generator, int], tuple[Floats, Floats]]


def _decades(rng: Generator, runs: int) -> tuple[Floats, Floats]:
    view = View(1_000_000)
    return view.windows(rng, view.power(-0.5), runs)


def _horizons(rng: Generator, runs: int) -> tuple[Floats, Floats]:
    marks: Floats = 2.0 ** np.arange(6.0, 13.0)
    return rng.chisquare(8, (runs, marks.size)) / marks, marks


CURVES = (Curves("three decades", -0.5, _decades), Curves("seven horizons", -1.0, _horizons))


@dataclass(frozen=True)
class Variant:
    """What is left out, and the level for each direction."""

    name: str
    without: tuple[str, ...] = ()
    side: float = LEVEL / len(FAMILIES) / CLAIMS


def variants() -> list[Variant]:
    budget = {
        "one claim, not six": LEVEL / len(FAMILIES),
        "200 claims, not six": LEVEL / len(FAMILIES) / 200,
        "looked at once of four": LEVEL / len(FAMILIES) / CLAIMS / 8,
    }
    return [
        Variant("all protections"),
        *(Variant(f"without {name}", (name,)) for name in PROTECTIONS),
        Variant("without any", PROTECTIONS),
        *(Variant(name, (), side) for name, side in budget.items()),
    ]


def costs(curves: Curves, repeats: int, seed: int = 0) -> list[tuple[str, float, float]]:
    """(name of a variant, runs with which a true rate holds, error of a wrong one that is violated), in nine of ten.

    Infinite where no number in `RUNS` does, or no error is noticed with `NOTICING` runs.
    """
    rng = np.random.default_rng([seed, *curves.name.encode()])
    tables = [curves.draw(rng, max(RUNS)) for _ in range(repeats)]
    return [(v.name, _to_hold(curves, tables, v), _error(curves, tables, v)) for v in variants()]


Tables = Sequence[tuple[Floats, Floats]]


def _to_hold(curves: Curves, tables: Tables, variant: Variant) -> float:
    for runs in RUNS:
        holding = 0
        for values, marks in tables:
            finding = evidence.rate(values[:runs], marks, curves.exponent, without=variant.without)
            holding += finding.p_if_wrong <= variant.side
        if holding >= WANTED * len(tables):
            return runs
    return np.inf


def _error(curves: Curves, tables: Tables, variant: Variant) -> float:
    errors = []
    for values, marks in tables:
        finding = evidence.rate(values[:NOTICING], marks, curves.exponent, without=variant.without)
        assert finding.rejects is not None
        errors.append(finding.rejects(variant.side))
    return float(np.sort(errors)[int(np.ceil(WANTED * len(errors))) - 1])


def least_squares(curves: Curves, repeats: int, seed: int = 0) -> tuple[float, float]:
    """The same of a line through the logarithms of the means at all marks, with its error from the runs alone."""
    rng = np.random.default_rng([seed, *curves.name.encode()])
    side, numbers, errors = LEVEL / len(FAMILIES) / CLAIMS, [], []
    for _ in range(repeats):
        values, marks = curves.draw(rng, max(RUNS))
        for runs in RUNS:
            if evidence.rates.slope(values[:runs], marks).p_below(curves.exponent + evidence.TOL) <= side:
                break
        numbers.append(runs)
        low, _ = evidence.rates.slope(values[:NOTICING], marks).interval(side)
        errors.append(curves.exponent - low + evidence.TOL)
    last = int(np.ceil(WANTED * repeats)) - 1
    return float(np.sort(numbers)[last]), float(np.sort(errors)[last])


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures what the protections of a rate cost.")
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("| curves | protections | runs to hold | wrong exponent noticed |\n|---|---|---|---|")
    for curves in CURVES:
        rows = costs(curves, given.repeats, given.seed)
        rows.append(("least squares over all marks", *least_squares(curves, given.repeats, given.seed)))
        for name, runs, error in rows:
            print(f"| {curves.name} | {name} | {runs:.0f} | {error:.2g} off |")


if __name__ == "__main__":
    main()
