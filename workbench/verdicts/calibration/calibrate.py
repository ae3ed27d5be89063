"""False-alarm rates and power of the checker on planted curves (`workbench calibrate`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np

from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.stats import clopper_pearson
from workbench.evidence.verdicts import Decision, Verdict, decide
from workbench.verdicts.calibration import adversaries, enclosed, kinds, planted
from workbench.verdicts.calibration import sizes as mean_tests
from workbench.verdicts.calibration.interim_analyses import FAMILY
from workbench.verdicts.calibration.planted import MORE, NO, OPEN, YES, Scenario, draw_until_clear

PROMISE = 0.01  # largest share of wrong verdicts, and of missed ones where a decision is required
SIDE = (
    0.0025  # error probability on each side of the limits shown, at either number of data sets: 99 % in all
)


def scenarios(family: int = FAMILY) -> list[Scenario]:
    """All planted families of a paper with so many claims, the adversarial ones last."""
    return [
        *planted.scenarios(family),
        *adversaries.scenarios(family),
        *kinds.scenarios(family),
        *enclosed.scenarios(family),
    ]


def calibrate(
    repeats: int = 100,
    seed: int = 0,
    level: float = LEVEL / len(FAMILIES),
    names: tuple[str, ...] | None = None,
    family: int = FAMILY,
) -> list[dict[str, object]]:
    """Rows, one per scenario: percentages of decided, wrong (false alarm) and right (power) verdicts.

    repeats: data sets of a scenario; `MORE` times as many where it must decide, or one of these is decided wrongly.
    Each verdict is made look by look, at level/family, the strictest level that one claim among `family` may face
    (`decide`). `wrong_from`, `wrong_to`, `right_from`, `right_to` are two-sided 99 % Clopper-Pearson limits. `ok` means
    that they are compatible with at most 1 % wrong verdicts and, if the scenario `must_decide`, with at least 99 %
    right ones.
    `unsaid` counts the verdicts that a claim holds which do not say what the scenario requires them to
    (`Scenario.says`); one is too many. Seeds depend only on the scenario's name, so a subset gives the same rows.

    The last row pools the others: wrong verdicts over all scenarios with a known truth, right ones over those that must
    decide. It is strict: `ok` means that the limits *demonstrate* at most 1 % and at least 99 %. (With too few verdicts
    to demonstrate this at all, `ok` means compatibility as in the other rows.)
    """
    selection = [s for s in scenarios(family) if names is None or s.name in names]
    counts = []
    for s in selection:
        rng = np.random.default_rng([seed, *s.name.encode()])
        counts.append(_Count.of(s, _decisions(s, rng, repeats, level / family)))
    rows = [_row(s, c) for s, c in zip(selection, counts, strict=True)]
    return [*rows, _pooled_row(selection, counts)]


def _decisions(s: Scenario, rng: np.random.Generator, repeats: int, level: float) -> list[Decision]:
    def one() -> Decision:
        return decide([s.evidence(rng)], level)[0]

    if s.decides:
        return [one() for _ in range(MORE * repeats)]
    return draw_until_clear(one, repeats, lambda decision: decision.verdict == s.wrong)


def sizes(
    samples: int = 40_000, seed: int = 0, level: float = LEVEL / len(FAMILIES), family: int = FAMILY
) -> list[dict[str, object]]:
    """Rows of `workbench.verdicts.calibration.sizes.sizes` at the level of one claim of a family."""
    return mean_tests.sizes(level / family, samples, seed)


def failures(rows: list[dict[str, object]]) -> list[str]:
    """Names of the rows that refute the promise (1 % false alarms, 99 % power), and the pool if it does not show it."""
    return [str(row["scenario"]) for row in rows if not row["ok"]]


@dataclass(frozen=True)
class _Count:
    """Numbers of verdicts, of decisive, wrong and right ones, and of those whose note lacks the required phrase."""

    verdicts: int = 0
    decisive: int = 0
    wrong: int = 0
    right: int = 0
    silent: int = 0

    @classmethod
    def of(cls, s: Scenario, decisions: Sequence[Decision]) -> _Count:
        verdicts = [d.verdict for d in decisions]
        holds, violated = verdicts.count(Verdict.HOLDS), verdicts.count(Verdict.VIOLATED)
        right, wrong = {YES: (holds, violated), NO: (violated, holds), OPEN: (0, 0)}[s.truth]
        without_phrase = sum(
            d.verdict == Verdict.HOLDS and s.says not in d.finding.note + d.finding.warning for d in decisions
        )
        return cls(len(verdicts), holds + violated, wrong, right, without_phrase)

    def __add__(self, other: _Count) -> _Count:
        return _Count(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


def _row(s: Scenario, c: _Count) -> dict[str, object]:
    false, power = _compatible(c.wrong, c.verdicts), _compatible(c.verdicts - c.right, c.verdicts)
    ok = false and (power or not s.decides) and not c.silent
    return _cells(s.name, s.truth, "yes" if s.decides else "no", c, c, ok)


def _pooled_row(selection: Sequence[Scenario], counts: Sequence[_Count]) -> dict[str, object]:
    pairs = list(zip(selection, counts, strict=True))
    testable = sum((c for s, c in pairs if s.truth != "open"), _Count())
    silent = sum(c.silent for c in counts)
    compulsory = sum((c for s, c in pairs if s.decides), _Count())
    wrong = f"{testable.wrong} of {testable.verdicts} wrong"
    name = f"pooled: {wrong}, {compulsory.right} of the {compulsory.verdicts} that must decide right"
    errors = (
        (testable.wrong, testable.verdicts),
        (compulsory.verdicts - compulsory.right, compulsory.verdicts),
    )
    ok = all(_within_promise(bad, n) for bad, n in errors)
    return _cells(name, "all", "all", replace(testable, silent=silent), compulsory, ok=ok and not silent)


def _cells(
    name: str, truth: str, decides: str, testable: _Count, compulsory: _Count, ok: bool
) -> dict[str, object]:
    """One row of the table. testable: verdicts that may be wrong; compulsory: verdicts that must be right."""
    wrong, right = (
        _per_cent(k, c.verdicts) for k, c in ((testable.wrong, testable), (compulsory.right, compulsory))
    )
    return {
        "scenario": name,
        "truth": truth,
        "must_decide": decides,
        "repeats": testable.verdicts,
        "decided_%": _per_cent(testable.decisive, testable.verdicts)[0],
        **dict(zip(("wrong_%", "wrong_from", "wrong_to"), wrong, strict=True)),
        **dict(zip(("right_%", "right_from", "right_to"), right, strict=True)),
        "unsaid": testable.silent,
        "ok": ok,
    }


def _per_cent(k: int, n: int) -> tuple[float, float, float]:
    low, high = clopper_pearson(k, n, SIDE)
    return 100 * k / n if n else np.nan, 100 * low, 100 * high


def _compatible(bad: int, n: int) -> bool:
    """Whether this many bad verdicts are compatible with a true share within the promise."""
    return clopper_pearson(bad, n, SIDE)[0] <= PROMISE


def _within_promise(bad: int, n: int) -> bool:
    """Whether the true share of bad verdicts is shown to be within the promise, if n verdicts could show it at all."""
    if clopper_pearson(0, n, SIDE)[1] > PROMISE:
        return _compatible(bad, n)
    return clopper_pearson(bad, n, SIDE)[1] <= PROMISE
