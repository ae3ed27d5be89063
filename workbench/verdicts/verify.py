"""From claims to verdicts: simulates missing results, collects the findings, and decides over the whole set."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from workbench.claims import interim_analyses, plan, power
from workbench.claims.claims import EVIDENCE, Caught, Claim
from workbench.claims.costs import Complexity
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.readings import Rate, Reading, Tight
from workbench.claims.records import PROFILES, Simulation
from workbench.claims.runs import Runs
from workbench.claims.usable_rows import Refused, until_failure
from workbench.engine.records import Result
from workbench.evidence.budget import FAMILIES, LEVEL, decide_by_family
from workbench.evidence.interim_analyses import at_share, is_settled, share
from workbench.evidence.verdicts import Decision, Finding, NotEnough, Verdict
from workbench.homes import mistakes, threads
from workbench.homes.keys import Key
from workbench.homes.papers import per_view
from workbench.ledger.claims import ExactCheck, LemmaClaim, MeasuredCheck, exact_verdicts, settle
from workbench.ledger.claims import claims as of_the_ledger
from workbench.ledger.graph import chain
from workbench.ledger.worst_case import claims as worst_cases
from workbench.ledger.worst_case.claims import Certified
from workbench.run import catalog, make_contract
from workbench.run.catalog import Entry
from workbench.run.jobs import Progress, prepare
from workbench.run.options import Options, UsageError
from workbench.run.pending import at_first
from workbench.run.pool import ensure, select
from workbench.run.store.content import content, without_last_bits
from workbench.run.store.fingerprint import authored_key
from workbench.run.store.results import Store
from workbench.run.timings import TIMINGS
from workbench.verdicts import plans

EXACT = "exact lines of the ledger"
# What the result of a simulation is made of.
MADE_OF = ("algorithm", "make", "horizon", "runs", "mutation", "marks", "probe", "record", "method")
MISSING = "more of its runs: `workbench verify` computes them"


@dataclass(frozen=True)
class Line:
    """One claim with its verdict.

    seconds: computing time of its simulations and of the check. void: why it is no evidence (`experiments.power`).
    error: why it could not be evaluated; then it is inconclusive, which nobody expected.
    """

    claim: Claim
    decision: Decision
    seconds: float
    void: str = ""
    error: UsageError | None = None

    @property
    def as_expected(self) -> bool:
        return self.error is None and self.decision.verdict == self.claim.expected

    @property
    def refuted(self) -> bool:
        """Whether a published statement comes out false, as the claim says."""
        return bool(self.claim.refutes) and self.as_expected

    @property
    def word(self) -> str:
        """The verdict as it is shown."""
        return "refuted" if self.refuted else str(self.decision.verdict)

    @property
    def loose(self) -> bool:
        return not self.void and power.loose(self.decision)

    def record(self) -> dict[str, Any]:
        """The stable JSON form, read by other programs; missing numbers are null."""
        d, f = self.decision, self.decision.finding
        note = "; ".join(
            part
            for part in (
                self.void and f"void: {self.void}",
                f.warning and f"warning: {f.warning}",
                f.note,
                self.refuted and f"refuted: {self.claim.refutes}",
                d.costs,
                self.claim.note,
                d.decides and f"to decide: {d.decides}",
            )
            if part
        )
        return {
            "id": self.claim.id,
            "key": self.claim.key,
            "evidence": self.claim.evidence,
            "experiment": self.claim.experiment,
            "verdict": str(d.verdict),
            "expected": self.claim.expected,
            "refutes": self.claim.refutes,
            "claimed": _number(f.claimed),
            "value": _number(f.value),
            "low": _number(d.low),
            "high": _number(d.high),
            "sensitivity": _number(d.sensitivity),
            "admitted": _number(d.admitted),
            "slack": _number(f.slack),
            "trend": _number(f.trend[0]),
            "trend_high": _number(f.trend[1]),
            "runs": f.runs,
            "horizon": _number(f.horizon),
            "seconds": round(self.seconds, 3),
            "void": self.void,
            "note": note,
            "error": "" if self.error is None else str(self.error),
        }


def not_asked(claims: Sequence[Claim], profile: str, most: int) -> list[str]:
    """What is said of claims that a profile does not decide, in sentences; at most ``most`` of the plan's are named."""
    plans = plans_of(claims)
    later = PROFILES[PROFILES.index(profile) + 1 :]
    of_profile = [c for c in claims if profile in c.profiles]
    longer = [c for c in claims if c not in of_profile and any(p in c.profiles for p in later)]
    shorter = len(claims) - len(of_profile) - len(longer)
    sentences = []
    if longer:
        need = "claim needs" if len(longer) == 1 else "claims need"
        sentences.append(f"{len(longer)} more {need} a longer profile than {profile} to be decided.")
    if shorter:
        of = "claim belongs" if shorter == 1 else "claims belong"
        sentences.append(f"{shorter} more {of} to shorter profiles than {profile}.")
    against = [c for c in of_profile if plans[c.paper].is_against(c.id, profile)]
    lacking = [c for c in of_profile if c not in against]
    for some, why in (
        (lacking, "for want of runs"),
        (against, "because its pilot runs do not show what is claimed"),
    ):
        if some:
            claims_are = "claim is" if len(some) == 1 else "claims are"
            more = ":" if len(of_profile) <= most else " (--notes names them)."
            sentences.append(f"{len(some)} more {claims_are} left out by the plan {why}{more}")
            if len(of_profile) <= most:
                sentences += [
                    f"  {c.key}; {c.evidence}; {c.experiment}: {why_left(c, profile, plans[c.paper])}"
                    for c in some
                ]
    return sentences


def left_by_plan(claims: Sequence[Claim], profile: str) -> str:
    """How many of these claims the plan leaves out of a profile, in words; "" for none."""
    plans_held = plans_of(claims)
    mine = [c for c in claims if profile in c.profiles]
    if not mine:
        return ""
    against = sum(plans_held[c.paper].is_against(c.id, profile) for c in mine)
    unshown = f", {against} of them because its pilot runs do not show what is claimed" * bool(against)
    return f"{len(mine)} left out by the plan{unshown}"


def _number(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None


@per_view
def claims() -> tuple[Claim, ...]:
    """All claims of experiments and ledger, sorted by theorem and kind of evidence, then in module order.

    Raises UsageError for two of a paper that have the same id.
    """
    checks = [
        *map(worst_cases.certified, catalog.claims()),
        *of_the_ledger(catalog.lemmas().values(), catalog.simulations(), catalog.samplers()),
    ]
    plans.check_apart(checks)
    return tuple(sorted(checks, key=lambda c: (c.key, EVIDENCE.index(c.evidence))))


def family_of(claim: Claim) -> tuple[str, str]:
    """(paper, one of `FAMILIES`): identifies the claims that share an error probability."""
    return claim.paper, FAMILIES[isinstance(claim, LemmaClaim)]


def claims_of(entry: Entry) -> list[Claim]:
    """The claims that a catalog entry stands for. Raises UsageError if there are none."""
    if entry.kind == "paper":
        selection = [c for c in claims() if Key.of(c.key).paper == entry.key]
    elif entry.kind == "experiment":
        selection = [c for c in claims() if entry.key in c.needs]
    else:
        selection = [c for c in claims() if c.key == entry.key]
    if not selection and (mistakes_on_import := catalog.import_failures().get(entry.paper)):
        raise UsageError("; ".join(mistakes_on_import))
    if not selection:
        raise UsageError(
            f"{entry.key} ({entry.kind}) has no claim to verify; name a paper, theorem or experiment"
        )
    return selection


def plans_of(of_claims: Iterable[Claim]) -> dict[str, Plan]:
    """Paper -> its plan, of the papers of these claims.

    Raises BadPlan for a file that is no plan, and UsageError for an entry that no claim uses, if all claims of the
    paper could be imported.
    """
    plans_by_paper = {paper: plan.of(paper) for paper in dict.fromkeys(c.paper for c in of_claims)}
    import_failures = catalog.import_failures()
    for paper, paper_plan in plans_by_paper.items():
        if paper_plan.profiles and paper not in import_failures:
            plans.check_used(paper, paper_plan, (c for c in claims() if c.paper == paper))
    return plans_by_paper


def read_by(plan: Plan, options: Options) -> Plan:
    """The plan by which results are read: with the user's own numbers, tolerances are those of the authors."""
    return replace(plan.as_given() if options.has_own_size else plan, seed=options.seed)


def why_left(claim: Claim, profile: str, plan: Plan) -> str:
    """Why the plan leaves a claim out of a profile; "" where it does not, or where the claim is of other profiles.

    Also where the claim or its method is another than the one that the pilots judged, if the plan says which it was.
    """
    if profile not in claim.profiles or not (why := plan.why_open(claim.id, profile)):
        return ""
    digest = plan.profiles[profile].judged.get(claim.id)
    return "" if digest and digest != judgement(claim, profile) else why


def judgement(claim: Claim, profile: str) -> str:
    """Digest of what runs judge in a claim: its exponent and tolerances, and simulations as their authors wrote them.

    The last bits of numbers do not count (`authored_key`). "" where a simulation cannot be prepared: the mistake is
    told when it is to run.
    """
    inner: Any = claim
    while isinstance(inner, Caught | Complexity):
        inner = inner.claim
    reading = getattr(inner, "reading", None)
    numbers = [getattr(inner, name, None) for name in ("rtol", "expected")]
    if reading is not None:
        numbers += [reading.claimed.value, reading.tol, reading.drift_tol, reading.terms, reading.log_power]
        numbers += [*filter(None, [reading.without])]
    simulations = catalog.simulations()
    try:
        jobs = [prepare(simulations[name], Options(profile)) for name in sorted(set(claim.needs))]
        keys = [authored_key(job.simulation, job.batch) for job in jobs]
        return content([numbers, keys], "judgement", without_last_bits).hex()[:16]
    except Exception:  # whatever a paper's own code raises
        return ""


def chosen_claims(keys: Iterable[str], options: Options) -> tuple[list[Claim], list[Claim]]:
    """(claims decided in this profile, claims left out): those selected by the keys, or all, in catalog order.

    A plan leaves out what its pilot runs did not decide with the numbers of the profile; with the user's own horizon or
    number of runs nothing is left out, and tolerances are those of the authors (`evaluate`).
    """
    own = options.has_own_size
    selection = selected_claims(keys)
    plans = {} if own else plans_of(selection)

    def is_left_out(claim: Claim) -> bool:
        profile = options.profile
        return profile not in claim.profiles or (
            not own and bool(why_left(claim, profile, plans[claim.paper]))
        )

    return [c for c in selection if not is_left_out(c)], [c for c in selection if is_left_out(c)]


def selected_claims(keys: Iterable[str]) -> list[Claim]:
    """The claims selected by the keys, or all, in catalog order, whatever the profile and the plan."""
    selection: dict[
        str, list[Claim]
    ] = {}  # by their keys: to compare every claim with every other takes long
    for claim in (c for entry in catalog.entries_for(keys) for c in claims_of(entry)):
        selection.setdefault(claim.key, []).append(claim)
    return [c for c in claims() if not selection or c in selection.get(c.key, ())]


def import_failures(claims: Iterable[Claim], keys: Iterable[str]) -> list[str]:
    """Why modules of the papers of these claims (without keys: of any paper) could not be imported."""
    of = {family_of(c)[0] for c in claims}
    return [
        s
        for paper, sentences in catalog.import_failures().items()
        if paper in of or not keys
        for s in sentences
    ]


def simulations_of(items: Iterable[Any]) -> list[Simulation]:
    """The simulations that claims or figures need, without duplicates.

    Raises UsageError for an unknown one, and for one that is another than the listed one of its key.
    """
    items, simulations = list(items), catalog.simulations()
    readers = {key: item for item in items for key in item.needs}
    for key, item in readers.items():
        if key not in simulations:
            raise mistakes.no_simulation(key, item, simulations)
    for item in items:
        for sim in _simulations(item):
            simulation = simulations.get(sim.key, sim)
            if any(getattr(sim, name) != getattr(simulation, name) for name in MADE_OF):
                raise mistakes.another(sim.key, item)
    return [simulations[key] for key in dict.fromkeys(readers)]


def _simulations(item: Any) -> Iterator[Simulation]:
    """Those that a claim was made with."""
    if isinstance(item, Simulation):
        yield item
    elif isinstance(item, Claim | Reading):
        for field in fields(item):
            yield from _simulations(getattr(item, field.name))
    elif isinstance(item, tuple | list):
        for inner in item:
            yield from _simulations(inner)


def verify(
    claims: list[Claim],
    options: Options,
    store: Store,
    on_result: Callable[[Simulation, bool], None] = lambda sim, from_store: None,
    warn: Callable[[str], None] = lambda sentence: None,
    progress: Progress | None = None,
) -> list[Line]:
    """One line per claim; the verdicts are decided jointly (`decide_by_family`).

    A claim that cannot be evaluated is a line with an error, and ends no other.
    """
    findings = _Findings(claims, options)
    results = ensure(
        simulations_of(claims),
        options,
        store,
        on_result,
        warn,
        progress,
        findings.make_one,
        at_first,
        findings.short,
    )
    return _decide(claims, findings, results, options, store)


def lines_from(
    claims: list[Claim], results: Mapping[str, Result], options: Options, store: Store
) -> list[Line]:
    """`complete` lines from results at hand, which include all that the claims need."""
    return complete(_decide(claims, _Findings(claims, options), results, options, store))


def complete(lines: list[Line]) -> list[Line]:
    """The lines. Raises UsageError for the first that could not be evaluated."""
    if error := next((line.error for line in lines if line.error), None):
        raise error
    return lines


def _decide(
    claims: list[Claim], findings: _Findings, results: Mapping[str, Result], options: Options, store: Store
) -> list[Line]:
    with TIMINGS.phase(EXACT):
        settle(claims, store.folder, options.jobs)
        worst_cases.settle(claims, store.folder)
    evaluations = findings.all(results)
    decisions = decide_by_family([finding for finding, _ in evaluations], [family_of(c) for c in claims])
    seconds = [
        s + sum(_cost(results[k]) for k in c.needs) for c, (_, s) in zip(claims, evaluations, strict=True)
    ]
    voids = power.voids(list(zip(claims, decisions, strict=True)))
    rows = zip(claims, decisions, seconds, voids, strict=True)
    return [Line(*row, findings.errors.get(n)) for n, row in enumerate(rows)]


class _Findings:
    """The findings of the claims, each at the first look that settles it (`workbench.claims.interim_analyses`).

    Most of them are computed while simulations are still running. errors: by the number of a claim, why it could not be
    evaluated.
    """

    def __init__(self, claims: list[Claim], options: Options) -> None:
        self._claims, self._options, self._plans = claims, options, plans_of(claims)
        self._findings: dict[int, tuple[Finding, float]] = {}  # the last look so far
        self._look: dict[int, int] = {}  # claim -> its next look
        self._failed: dict[int, int] = {}  # claim -> runs behind its last look that were known to have failed
        # Exact checks of the ledger are left to their own worker processes, worst cases to their solver.
        self._open = [n for n, c in enumerate(claims) if not isinstance(c, ExactCheck | Certified)]
        self._sides = sides(claims, options.profile)
        self._short: list[str] = []
        self.errors: dict[int, UsageError] = {}

    def make_one(self, results: Mapping[str, Result]) -> bool:
        """Computes one more finding, of a claim whose simulations have the runs of its next look, if there is one."""
        self._short = []
        self._open += [n for n in self._findings if n not in self._open and self._news(n, results)]
        for n in self._open:
            if all(key in results for key in self._claims[n].needs):
                lacking = self._lacking(n, results)
                if not lacking:
                    self._make(n, results)
                    return True
                self._short += lacking
        return False

    def short(self, results: Mapping[str, Result]) -> list[str]:
        """The simulations of which the last `make_one` missed the runs of the next look of a claim."""
        return self._short

    def all(self, results: Mapping[str, Result]) -> list[tuple[Finding, float]]:
        """(finding, seconds it took) for every claim, in order; where runs are missing, that of the last look made."""
        while self.make_one(results):
            pass
        for n, claim in enumerate(self._claims):
            if n not in self._findings:
                self._make(n, results, 1 if claim.needs else None)
        for n in self._open:
            finding, seconds = self._findings[n]
            self._findings[n] = replace(finding, decides=MISSING), seconds
        return [self._findings[n] for n in range(len(self._claims))]

    def _news(self, n: int, results: Mapping[str, Result]) -> bool:
        """Whether runs behind the look that decided a claim have failed since; then it is looked at again."""
        if n in self.errors or not self._findings[n][0].of_mean:
            return False
        results, look = select(results, self._claims[n].needs), self._look[n] - 1
        if self._behind(results, look) == self._failed[n]:
            return False
        self._look[n] = look
        return True

    @staticmethod
    def _behind(results: Mapping[str, Result], look: int) -> int:
        """How many rows failed behind a look of a claim that reads these."""
        some = interim_analyses.read(results, look, interim_analyses.most(results.values()))
        return sum(interim_analyses.failed_behind(result) for result in some.values())

    def _lacking(self, n: int, results: Mapping[str, Result]) -> list[str]:
        results = select(results, self._claims[n].needs)
        look, last = self._look.get(n, 1), interim_analyses.most(results.values())
        return [
            key
            for key, runs in interim_analyses.runs_at_look(results, look, last).items()
            if results[key].runs < runs
        ]

    def _make(self, n: int, results: Mapping[str, Result], look: int | None = None) -> None:
        began, claim = time.perf_counter(), self._claims[n]
        results = select(results, claim.needs)
        look, last = look or self._look.get(n, 1), interim_analyses.most(results.values())
        try:
            with TIMINGS.phase("evaluating claims"), mistakes.blame(_what(claim), claim):
                some = interim_analyses.read(results, look, last)
                finding = evaluate(claim, some, self._options, self._plans[claim.paper])
                finding = at_share(finding, share(look, last))
                final = look == last or is_settled(finding, self._sides[n], 2.0 ** (last - look))
                self._failed[n] = sum(map(interim_analyses.failed_behind, some.values()))
        except UsageError as error:
            self.errors[n] = error
            why = ": ".join(filter(None, (error.where, error.why)))
            finding, final = _not_computed(claim, results, why, "a claim that can be evaluated"), True
        before = self._findings[n][1] if n in self._findings else 0.0
        self._findings[n] = finding, before + time.perf_counter() - began
        self._look[n] = look + 1
        if n in self._open and final:
            self._open.remove(n)


def _what(claim: Claim) -> str:
    return f"{claim.key}, {claim.experiment}"


def _not_computed(claim: Claim, results: Mapping[str, Result], why: str, decides: str) -> Finding:
    """The inconclusive finding on a claim that was not evaluated."""
    of_claim = [results[key] for key in claim.needs]
    return Finding(
        claim.evidence,
        claimed=math.nan,
        value=math.nan,
        low=-math.inf,
        high=math.inf,
        p_if_wrong=1.0,
        p_if_right=1.0,
        runs=min((r.runs for r in of_claim), default=0),
        horizon=min((r.horizon for r in of_claim), default=math.nan),
        note=f"not computed ({why})",
        decides=decides,
    )


def sides(claims: Sequence[Claim], profile: str) -> list[float]:
    """The level, for each direction, at which a claim's looks end.

    That of a family with all claims of its paper in this profile, whichever of them are asked for, but those that are
    exact whatever is found: then the same look ends a claim in every command, and what is decided at it stays so
    (`decide_by_family` knows which findings are exact, and has fewer in its families).
    """
    in_families = [c for c in selected_claims([]) if profile in c.profiles and not _always_exact(c)]
    sizes = Counter(map(family_of, in_families))
    return [LEVEL / len(FAMILIES) / max(1, sizes[family_of(c)]) for c in claims]


def _always_exact(claim: Claim) -> bool:
    return isinstance(claim, ExactCheck | Certified) or claim.evidence in ("exponent", "assumptions")


def evaluate(
    claim: Claim, results: Mapping[str, Result], options: Options, plan: Plan = UNPLANNED
) -> Finding:
    """The claim's finding, or an inconclusive one if the user's own horizon or number of runs is too small for it.

    plan: of its paper (`read_by`).

    With the numbers of a profile an error is a mistake in the claim: a UsageError if a paper's code can be blamed, else
    it propagates. Raises UsageError for a claim whose premise is false, and for one that reads a quantity which is not
    recorded: no horizon would mend these.
    """
    what = _what(claim)
    usable = {key: until_failure(result) for key, result in select(results, claim.needs).items()}
    try:
        _check_horizon(claim, results, options)
        return claim.finding(usable, read_by(plan, options))
    except (Refused, KeyError) as error:
        where = mistakes.location(error)
        why = mistakes.message(error) if where else str(error.args[0])
        raise UsageError(why, what, where or mistakes.defined_at(claim)) from None
    except (Exception, SystemExit) as error:
        few = options.has_own_size and bool(claim.needs)  # too few runs, or too short, for a claim about runs
        short = few and isinstance(error, ArithmeticError | IndexError | ValueError)
        if not short and not isinstance(error, NotEnough):
            with mistakes.blame(what, claim):
                raise
        profile = "the horizon and runs of a profile, for which the claim is made"
        decides = error.decides if isinstance(error, NotEnough) else profile
        return _not_computed(claim, results, str(error), decides)


def _check_horizon(claim: Any, results: Mapping[str, Result], options: Options) -> None:
    """Raises Refused for a rate that is read along t of an algorithm whose steps are those of one horizon.

    The value at t says nothing about a run of t iterations, which has other steps. (A bound may hold at every t.)
    """
    while isinstance(claim, Caught | Complexity):
        claim = claim.claim
    if not isinstance(claim, Rate | Tight) or claim.reading.view.whole:
        return
    sim, theorem = claim.reading.sim, claim.reading.theorem
    result = results[sim.key]
    with threads.one_for_blas():
        runs = Runs(result.runs, options.seed, options.data)
        obstacle = make_contract.of_the_horizon(sim, result.horizon, runs)
    if not obstacle and not isinstance(theorem, str) and not theorem.anytime and sim.kind != "falsifier":
        obstacle = f"the schedule of {theorem.key} is for a horizon chosen beforehand"
    if obstacle:
        raise Refused(
            f"{obstacle}, so that a curve along t is none over horizons: give each horizon a grid point of its own"
            " (until) and read it with view=at_horizons"
        )


def _cost(result: Result) -> float:
    return float(result.elapsed[-1])


def measured(lines: Iterable[Line]) -> dict[tuple[str, str], str]:
    """(link, check) -> verdict, of the lines that are measured along runs."""
    return {
        (line.claim.lemma.key, line.claim.item.name): str(line.decision.verdict)
        for line in lines
        if isinstance(line.claim, MeasuredCheck)
    }


def measured_claims(papers: Iterable[str], options: Options) -> list[Claim]:
    """What a profile measures of the proofs of papers."""
    papers = set(papers)
    return [
        c for c in chosen_claims([], options)[0] if isinstance(c, MeasuredCheck) and family_of(c)[0] in papers
    ]


def measured_lines(
    papers: Iterable[str], results: Mapping[str, Result], options: Options, store: Store
) -> list[Line]:
    """`measured_claims` with their verdicts, of those whose results are at hand."""
    claims = measured_claims(papers, options)
    return lines_from([c for c in claims if all(key in results for key in c.needs)], results, options, store)


def proof_verdicts(
    lines: Iterable[Line], folder: Path, jobs: int | None = None
) -> dict[tuple[str, str], str]:
    """(link, check) -> verdict, for the proofs of the theorems that these lines are about.

    All exact checks of the proofs are among them, and those measured checks that are among the lines.
    """
    lemmas, lines = catalog.lemmas(), list(lines)
    keys = dict.fromkeys(line.claim.key for line in lines if line.claim.key in catalog.theorems())
    with TIMINGS.phase(EXACT):
        exact = exact_verdicts({x.key: x for key in keys for x in chain(lemmas, key)}.values(), folder, jobs)
    return {**exact, **measured(lines)}


def all_as_expected(lines: Iterable[Line]) -> bool:
    return all(line.as_expected for line in lines)


def informative(lines: Iterable[Line]) -> str:
    """How many lines are informative, loose and void, and how many are undecided if any is."""
    return power.summary(
        (line.void, line.loose, line.decision.verdict == Verdict.INCONCLUSIVE) for line in lines
    )


def sharpness(lines: Iterable[Line]) -> str:
    """How sharp the lines are, void ones left out; "" where none has an exponent."""
    return power.sensitivities(line.decision for line in lines if not line.void)


def refutations(lines: Iterable[Line]) -> list[str]:
    """The published statements that are refuted, each once."""
    return list(dict.fromkeys(line.claim.refutes for line in lines if line.refuted))


def counts(lines: Iterable[Line]) -> dict[str, int]:
    verdicts = [line.decision.verdict for line in lines]
    return {str(v): verdicts.count(v) for v in Verdict}
