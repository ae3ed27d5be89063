"""What a plan does to errors: planted papers of six claims, verified with the plan of their pilots and without one.

`python -m benchmarks.effect_of_planning` prints, for both, the share of papers with a wrong verdict, and what
became of true claims. Curves are drawn so that a window chosen badly would be wrong: transients that end within the
horizon, slopes that pass through the claimed one, exponents just beyond the tolerance, waves.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from workbench.claims.batches import always
from workbench.claims.claims import Claim
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.records import Batch
from workbench.claims.study import Study
from workbench.engine.marks import log_marks
from workbench.engine.records import Result
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.stats import Floats, clopper_pearson
from workbench.evidence.verdicts import Verdict, decide
from workbench.theory.record import Paper
from workbench.verdicts.calibration.planted import Generator
from workbench.verdicts.studies import planner

CLAIMS, RUNS, PILOTS, CLAIMED = 6, 512, 3, -0.25
MARKS = log_marks(1 << 16)
KINDS = ("true", "transient", "off", "passing", "waves")


def _mean(kind: str, rng: Generator) -> tuple[Floats, bool]:
    """A curve at the marks, and whether its exponent is the claimed one."""
    T = MARKS.astype(float)
    u = T / T[-1]
    if kind == "transient":
        return u**CLAIMED * (1 + (rng.uniform(1, 200) / T) ** 0.5), True
    if kind == "off":
        return u ** (CLAIMED + rng.uniform(0.045, 0.1)), False
    if kind == "passing":
        return u**-0.5 + 10 ** rng.uniform(0, 2), False
    if kind == "waves":
        return u**CLAIMED * (1 + 0.04 * np.cos(2 * np.pi * np.log10(T) / rng.uniform(1, 2))), True
    return u**CLAIMED, True


@dataclass(frozen=True)
class Planted:
    """A paper: claims, their means by the metric that they read, and whether each is true."""

    claims: list[Claim]
    means: dict[str, Floats]
    truth: dict[str, bool]
    sim: str

    @classmethod
    def of(cls, rng: Generator) -> Planted:
        study = Study(Paper("planted", "Planted", "nobody", "nowhere"))
        sim = study.simulation_from("one", "One", "method", _no_batch, always(int(MARKS[-1])), always(RUNS))
        claims: list[Claim] = []
        means, truth = {}, {}
        for number in range(CLAIMS):
            name = f"curve{number}"
            means[name], right = _mean(str(rng.choice(KINDS)), rng)
            reading = study.reading("planted/thm-1", sim, claimed=CLAIMED, metric=name)
            claims.append(reading.rate() if rng.random() < 0.5 else reading.tight())
            truth[claims[-1].id] = right
        return cls(claims, means, truth, sim.key)

    def results(self, rng: Generator) -> dict[str, Result]:
        none = np.zeros(RUNS, dtype=int)
        data = {
            name: mean
            * rng.lognormal(0, 0.3, (RUNS, 1))
            * np.exp(0.1 * rng.standard_normal((RUNS, MARKS.size)))
            for name, mean in self.means.items()
        }
        return {self.sim: Result(MARKS, data, {}, np.arange(RUNS), none, none, {}, np.ones(MARKS.size))}

    def outcomes(self, results: dict[str, Result], plan: Plan) -> list[tuple[bool, str]]:
        """(whether the claim is true, its verdict or "left out")."""
        claims = [c for c in self.claims if not plan.why_open(c.id, "default")]
        decisions = decide([c.finding(results, plan) for c in claims], LEVEL / len(FAMILIES))
        verdicts = {c.id: str(d.verdict) for c, d in zip(claims, decisions, strict=True)}
        return [(self.truth[c.id], verdicts.get(c.id, "left out")) for c in self.claims]


def _no_batch(horizon: int, runs: int) -> Batch:
    raise NotImplementedError("planted curves are not simulated")


def _wrong(outcomes: list[tuple[bool, str]]) -> bool:
    return any(verdict == (Verdict.VIOLATED if true else Verdict.HOLDS) for true, verdict in outcomes)


def measured(papers: int, seed: int = 0) -> list[str]:
    """A sentence with and one without plans."""
    wrong: Counter[str] = Counter()
    true: dict[str, Counter[str]] = {"with": Counter(), "without": Counter()}
    for number in range(papers):
        rng = np.random.default_rng([seed, number])
        paper = Planted.of(rng)
        pilots: dict[str, list[Mapping[str, Result]]] = {
            "default": [paper.results(rng) for _ in range(PILOTS)]
        }
        plan = planner.propose(paper.claims, pilots, {}).plans["planted"]
        results = paper.results(rng)
        for name, choice in (("with", plan), ("without", UNPLANNED)):
            outcomes = paper.outcomes(results, choice)
            wrong[name] += _wrong(outcomes)
            true[name].update(verdict for right, verdict in outcomes if right)
    sentences = []
    for name, counts in true.items():
        low, high = clopper_pearson(wrong[name], papers, 0.005)
        became = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        sentences.append(
            f"{name} a plan: {wrong[name]} of {papers} papers with a wrong verdict ({low:.1%} to {high:.1%}); of"
            f" {counts.total()} true claims {became}"
        )
    return sentences


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measures what a plan does to errors.")
    parser.add_argument("--papers", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("\n".join(measured(given.papers, given.seed)))
