"""Makes the plan of a paper from pilot runs (`workbench plan`).

For each profile the simulations are run with the pilot seeds. Then

1. every reading gets the start of its window (`workbench.claims.windows`), and every claim of a slope or a level
   the narrowest tolerance, of `plan.LADDER` and the one that its author gives, with which it stays in;
2. every statistical claim gets its margin: by how many standard errors it is decided as expected beyond what its error
   budget asks for. It is the mean over the pilot seeds where they agree within `AGREE` standard errors, and otherwise
   the smallest of them: the rare run that one pilot met, a verdict will meet too. A claim with a margin below `SAFE`
   is left out of the profile, with the number of runs that would give it this margin if more runs can. So is one whose
   margin falls below `AFTER` when the farthest run of each pilot is moved `FARTHER` times as far out, to either side
   (`workbench.evidence.stats.with_outlier`): standard errors say nothing of a run that is rarer than the pilots' runs.
3. A claim of which a pilot decided the opposite stays in, whatever its margin: a plan is no place to lose a refutation.

`SAFE` standard errors mean that a claim which stays in fails to be decided for one seed in ten thousand if three pilots
happened to meet its margin exactly, and for one in 1,500 with the error that they have. `surprises`
adds up over the claims of a call these probabilities and those of a run that far out, as if all tails were heavy.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from workbench.claims import plan, windows
from workbench.claims.claims import Claim
from workbench.claims.plan import FARTHER, SEEDS, BadPlan, Piloted, Plan, Tolerance
from workbench.claims.usable_rows import until_failure
from workbench.engine.records import Result
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.stats import with_outlier
from workbench.evidence.verdicts import Verdict
from workbench.ledger.claims import ExactCheck
from workbench.run.options import Options
from workbench.run.pool import ensure
from workbench.run.store.results import Store
from workbench.verdicts import plans, verify
from workbench.verdicts.studies.pilot_margins import (
    SENSITIVE,
    Row,
    at_last_look,
    row_of,
    unless_far,
    without_finding,
)
from workbench.verdicts.studies.statistics_digest import statistics_digest

LEAST = 1e-6  # a smaller number of claims left undecided is not told from this one

Pilots = dict[str, list[Mapping[str, Result]]]  # profile -> results of each pilot seed


@dataclass
class Planned:
    """The plans made, by paper, and the rows that they rest on.

    moved: sentences on profiles that were not piloted, whose windows start elsewhere from now on.
    """

    plans: dict[str, Plan] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    window_changes: list[str] = field(default_factory=list)

    def surprises(self, profile: str) -> float:
        """How many claims of one call are expected not to come out as expected."""
        return sum(row.chance_open for row in self.rows if row.profile == profile)


def few(number: float) -> str:
    """A number of claims to one digit; below what pilot runs can show, only that it is below."""
    return f"{number:.1g}" if number == 0.0 or number >= LEAST else f"less than {LEAST:.0e}"


def simulate(
    claims: Sequence[Claim],
    profiles: Iterable[str],
    seeds: Sequence[int],
    store: Store,
    jobs: int | None = None,
    warn: Callable[[str], None] = lambda sentence: None,
    note: Callable[[str], None] = lambda sentence: None,
) -> Pilots:
    """The results of pilot seeds, computed where they are missing."""
    by_seed: Pilots = {}
    for profile in profiles:
        mine = [c for c in claims if profile in c.profiles]
        for seed in seeds:
            note(f"{profile}, pilot seed {seed}")
            options = Options(profile=profile, seed=seed, jobs=jobs)
            results = ensure(verify.simulations_of(mine), options, store, warn=warn)
            usable = {key: until_failure(result) for key, result in results.items()}
            by_seed.setdefault(profile, []).append(usable)
    return by_seed


def propose(
    claims: Sequence[Claim], pilots: Pilots, before: Mapping[str, Plan], seeds: Sequence[int] = SEEDS
) -> Planned:
    """The plans of the papers of these claims, which are all of their papers.

    before: paper -> its plan, of which profiles that were not piloted keep what their claims use.
    """
    result = Planned()
    for paper in dict.fromkeys(c.paper for c in claims):
        mine = [c for c in claims if c.paper == paper and not isinstance(c, ExactCheck)]
        then = plans.used_part(before.get(paper, Plan()), mine)
        current = dict(then.profiles)
        trials = {
            profile: _Trial(_of(mine, profile), profile, results) for profile, results in pilots.items()
        }
        _choose_tolerances(current, trials)
        for profile, trial in trials.items():
            rows = trial.rows
            result.rows += rows
            current[profile] = replace(
                current[profile],
                margins={r.claim.id: round(r.margin, 1) for r in rows if math.isfinite(r.margin)},
                open={r.claim.id: r.why for r in rows if r.why},
                against={r.claim.id: True for r in rows if r.why and r.against},
                seeds=tuple(seeds),
                statistics=statistics_digest(),
                judged={r.claim.id: verify.judgement(r.claim, profile) for r in rows if r.why},
            )
        result.plans[paper] = Plan(current)
        result.window_changes += _sentences_on_windows(paper, then, result.plans[paper], mine, pilots)
    return result


def committed_plans(papers: Iterable[str]) -> dict[str, Plan]:
    """Paper -> the plan in its file; empty where that is none."""
    plans = {}
    for paper in papers:
        try:
            plans[paper] = plan.of(paper)
        except BadPlan:
            plans[paper] = Plan()
    return plans


def _choose_tolerances(current: dict[str, Piloted], trials: Mapping[str, _Trial]) -> None:
    """Tries tolerances, narrowest first, with which every claim stays in that stays in with those that authors give.

    A claim has one tolerance in all profiles. It becomes wider where a profile would leave the claim out, where a pilot
    decides the opposite, and where no wrong exponent or level would be violated any more. (The narrower the tolerance,
    the weaker is the drift that may be a burn-in.) If it cannot, those of claims on the same reading become wider: they
    share its window.
    """
    ladders = {
        windows.within(c): tolerances
        for t in trials.values()
        for c in t.claims
        if (tolerances := windows.ladder(c))
    }
    step = {name: len(tolerances) - 1 for name, tolerances in ladders.items()}
    _judged_with(current, trials, {n: ladders[n][-1] for n in step}, None)
    given = {profile: (trial.left_out, trial.left_out | trial.mute) for profile, trial in trials.items()}
    hopeful = {
        windows.within(c) for t in trials.values() for c in t.claims if c.id not in t.left_out | t.mute
    }
    stale = set(step) & hopeful
    step |= dict.fromkeys(stale, 0)
    while stale:
        _judged_with(current, trials, {n: ladders[n][k] for n, k in step.items()}, stale)
        wider = {name for name, k in step.items() if k < len(ladders[name]) - 1}
        stale = set()
        for profile, trial in trials.items():
            for claim in trial.claims:
                lost_claims, failed = given[profile]  # which fail anyway
                if claim.id in (trial.left_out - lost_claims) | (trial.mute - failed):
                    own = {windows.within(claim)} & wider
                    beside = set().union(*(t.beside(claim) for t in trials.values()))
                    stale |= own or (wider & beside)
        for name in stale:
            step[name] += 1


def _judged_with(
    current: dict[str, Piloted],
    trials: Mapping[str, _Trial],
    tolerances: Mapping[str, Tolerance],
    stale: set[str] | None,
) -> None:
    """Judges all profiles with these tolerances. stale: ids of those that have changed; None: all are new."""
    for profile, trial in trials.items():
        mine = {name: tol for name, tol in tolerances.items() if name in trial.names}
        current[profile] = Piloted(trial.windows, tolerances=mine)
    changed_windows = set().union(*(trial.choose(stale, Plan(current)) for trial in trials.values()))
    for profile, trial in trials.items():  # a window starts where the profile that needs most lets it start
        current[profile] = replace(current[profile], windows=trial.windows)
    for trial in trials.values():
        trial.judge(stale, changed_windows, Plan(current))


def _sentences_on_windows(
    paper: str, before: Plan, current: Plan, claims: Sequence[Claim], profiles: Iterable[str]
) -> list[str]:
    """Sentences on profiles that were not piloted, of which a window or a tolerance is another from now on."""
    sentences = []
    for profile, of_profile in current.profiles.items():
        if profile in profiles:
            continue
        for reading in of_profile.windows:
            if current.start(reading) != (then := before.start(reading)):
                sentences.append(
                    f"{profile}: the window of {paper}/{reading} starts now at {_share(current.start(reading))}, and "
                    f"at {_share(then)} when the claims of {profile} were chosen: plan {profile} again"
                )
        for claim in _of(claims, profile):
            if not windows.ladder(claim):
                continue
            name, given = windows.within(claim), windows.ladder(claim)[-1]
            now, then = (p.tolerance(name, given.claimed, given.given) for p in (current, before))
            if now != then:
                sentences.append(
                    f"{profile}: the tolerance of {paper}/{claim.id} is now {now:g}, and was {then:g} when the claims "
                    f"of {profile} were chosen: plan {profile} again"
                )
    return sentences


def _of(claims: Iterable[Claim], profile: str) -> list[Claim]:
    """The claims of a profile whose verdict is foretold."""
    return [c for c in claims if profile in c.profiles and c.expected != Verdict.INCONCLUSIVE]


class _Trial:
    """The pilot results of one profile, read with the tolerances and windows that the plan says at the time.

    names: ids of the tolerances that its claims have. lost: ids of the claims that do not stay in, or of which a pilot
    decides the opposite. mute: of those of which no wrong number would be violated.
    """

    def __init__(
        self, claims: Sequence[Claim], profile: str, results: Sequence[Mapping[str, Result]]
    ) -> None:
        self.claims, self._profile, self._results = claims, profile, results
        self.names = {name for c in claims if (name := windows.within(c))}
        self.left_out: set[str] = set()
        self.mute: set[str] = set()
        self.windows: dict[str, float] = {}
        # By the number of the claim: where its window starts, and whether it is admissible; its row.
        self._starts: dict[int, tuple[float | None, bool]] = {}
        self._rows: dict[int, Row] = {}
        self._sides: dict[tuple[str, str], float] = {}  # family -> level of each of its claims

    @property
    def rows(self) -> list[Row]:
        return [self._rows[n] for n in range(len(self.claims))]

    def beside(self, claim: Claim) -> set[str]:
        """Ids of the tolerances of claims on the same reading, with which it shares a window."""
        if (own := windows.reading_of(claim)) is None:
            return set()
        others = (c for c in self.claims if (r := windows.reading_of(c)) is not None and r.id == own.id)
        return {windows.within(c) for c in others}

    def choose(self, stale: set[str] | None, plan: Plan) -> set[str]:
        """Chooses the windows again of claims whose tolerance has changed, or of all; the readings that moved."""
        for n, claim in enumerate(self.claims):
            if self._is(claim, stale) and windows.reading_of(claim) is not None:
                self._starts[n] = windows.choice(claim, self._results, plan)
        before, self.windows = self.windows, self._windows()
        return {
            name for name in before.keys() | self.windows.keys() if before.get(name) != self.windows.get(name)
        }

    def judge(self, stale: set[str] | None, changed_windows: set[str], plan: Plan) -> None:
        """Judges claims again whose tolerance has changed or whose window has moved."""
        mine = [
            n
            for n, c in enumerate(self.claims)
            if self._is(c, stale) or ((r := windows.reading_of(c)) is not None and r.id in changed_windows)
        ]
        for n, row in zip(mine, self._margin_rows([self.claims[n] for n in mine], plan), strict=True):
            _, admissible = self._starts.get(n, (None, True))
            self._rows[n] = row if admissible else without_finding(row)
        self.left_out = {r.claim.id for r in self.rows if r.why or r.is_contradicted}
        self.mute = {r.claim.id for r in self.rows if r.mute}

    def _is(self, claim: Claim, stale: set[str] | None) -> bool:
        return stale is None or windows.within(claim) in stale

    def _windows(self) -> dict[str, float]:
        """Reading -> start. The claims that must hold choose it; those that must fail only where there is no other."""
        right: dict[str, float] = {}
        wrong: dict[str, float] = {}
        for n, claim in enumerate(self.claims):
            start, _ = self._starts.get(n, (None, True))
            if start is not None and (reading := windows.reading_of(claim)) is not None:
                pilots = wrong if windows.wanted_violated(claim) else right
                pilots[reading.id] = max(start, pilots.get(reading.id, 0.0))
        return {**wrong, **right}

    def _margin_rows(self, claims: Sequence[Claim], plan: Plan) -> list[Row]:
        options = Options(profile=self._profile)
        findings = [[at_last_look(c, r, options, plan) for r in self._results] for c in claims]
        families = [verify.family_of(c) for c in claims]
        if not self._sides:  # all claims are judged for the first time
            pairs = zip(findings, families, strict=True)
            tests = Counter(family for of_claim, family in pairs if not of_claim[0].exact)
            self._sides = {f: LEVEL / len(FAMILIES) / max(1, tests[f]) for f in families}
        sides = [self._sides[f] for f in families]
        rows = [
            row_of(c, self._profile, fs, side) for c, fs, side in zip(claims, findings, sides, strict=True)
        ]
        for factor in (FARTHER, -FARTHER):
            with with_outlier(factor):
                findings = [[at_last_look(c, r, options, plan) for r in self._results] for c in claims]
            rows = [unless_far(r, fs, side) for r, fs, side in zip(rows, findings, sides, strict=True)]
        return rows


def write(result: Planned) -> list[str]:
    """Writes the plans beside the papers' experiments and returns the names of the files. Raises OSError."""
    files = []
    for paper, current in result.plans.items():
        file = plan.file_of(paper)
        assert file is not None  # the paper's claims were found
        part = file.with_name(f".{file.name}.part")
        part.write_text(current.text())
        part.replace(file)
        files.append(str(file))
    return files


def unfit(result: Planned, before: Mapping[str, Plan]) -> list[str]:
    """Where the committed plans do not say what the rules give now, in sentences.

    A margin that has moved by less than `SENSITIVE` is no difference.
    """
    sentences = []
    for paper, current in result.plans.items():
        if not before[paper].profiles:
            sentences.append(f"{paper} has no plan.json yet; the command without --check writes it")
            continue
        for profile, now in current.profiles.items():
            then = before[paper].profiles.get(profile, Piloted())
            if then.rule != now.rule:
                sentences.append(
                    f"{profile}: {paper} was planned by rule {then.rule}; the rule is now {now.rule}"
                )
            if then.statistics != now.statistics:
                how = (
                    "by other statistics than today's" if then.statistics else "by statistics of unknown date"
                )
                sentences.append(f"{profile}: {paper} was planned {how}, and its margins are of those")
            for name in sorted(now.windows.keys() | then.windows.keys()):
                if now.windows.get(name) != then.windows.get(name):
                    sentences.append(
                        f"{profile}: the window of {paper}/{name} starts at {_share(then.windows.get(name))} in the "
                        f"plan, at {_share(now.windows.get(name))} by the rule"
                    )
            for name in sorted(now.tolerances.keys() | then.tolerances.keys()):
                if now.tolerances.get(name) != then.tolerances.get(name):
                    sentences.append(
                        f"{profile}: the tolerance of {paper}/{name} is {_tolerance(then, name)} in the plan, "
                        f"{_tolerance(now, name)} by the rule"
                    )
            for name in sorted(now.open.keys() ^ then.open.keys()):
                was_open, margin = name in then.open, then.margins.get(name, now.margins.get(name, math.inf))
                if abs(margin - now.margins.get(name, math.inf)) >= SENSITIVE or name not in then.margins:
                    sentences.append(
                        f"{profile}: {paper}/{name} is {'left out' if was_open else 'decided'} in the plan, "
                        f"{'decided' if was_open else 'left out'} by the rule"
                    )
    return sentences


def _tolerance(of_profile: Piloted, name: str) -> str:
    return f"{of_profile.tolerances[name].chosen:g}" if name in of_profile.tolerances else "the author's"


def _share(start: float | None) -> str:
    return "no share of the horizon" if start is None else f"1/{1 / start:g} of the horizon"
