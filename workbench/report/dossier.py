"""What the dossier shows, as plain data for its templates: from verdicts, the ledger, the catalog and stored results.

Nothing is decided here. The verdicts are those of `workbench.verdicts.verify`, the statuses those of
`workbench.ledger.status`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from markupsafe import Markup

from workbench.claims.claims import EVIDENCE, Bound, Claim
from workbench.claims.families import Family
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.records import Simulation
from workbench.engine.records import Result
from workbench.evidence.verdicts import Verdict
from workbench.homes.keys import Key
from workbench.ledger import coverage, outcomes, study
from workbench.ledger.claims import LemmaClaim
from workbench.ledger.graph import WORDS, Link, chain
from workbench.ledger.waterfall import Fall, fall
from workbench.report.card import Card
from workbench.report.drawing.figure import Figure, Results
from workbench.report.formulas import mathml, prose
from workbench.report.proof_graph import Layout, layout
from workbench.report.quantities import for_readers, symbols
from workbench.run import catalog
from workbench.theory import vocabulary
from workbench.theory.lemma import MEASURED, Lemma
from workbench.theory.record import Paper, Theorem
from workbench.theory.sentences import head
from workbench.verdicts import omissions as not_decided
from workbench.verdicts.omissions import Omission
from workbench.verdicts.verify import Line


@dataclass(frozen=True)
class Cell:
    """Verdicts of one kind of evidence on one theorem: counts by verdict, and of the unexpected ones."""

    counts: Mapping[str, int]
    surprises: int

    @property
    def look(self) -> str:
        """The class of the cell: the most striking thing in it."""
        if not self.counts:
            return "none"
        if self.surprises:
            return "surprise"
        return next(v for v in ("violated", "inconclusive", "holds") if self.counts.get(v))


@dataclass(frozen=True)
class Constant:
    """A constant of a bound: name and formula in LaTeX, and its value on the instance at the horizon."""

    name: str
    formula: str
    value: str


@dataclass(frozen=True)
class Chain:
    """The definitions of one form of a bound, with values on the instance of one simulation."""

    form: str
    source: str
    own: bool
    simulation: str
    constants: tuple[Constant, ...]


@dataclass(frozen=True)
class Dossier:
    """Everything that a report shows of its papers.

    lines: the verdicts. links: lemma key -> status. results: simulation key -> result. cards: theorem key -> what it
    comes to. profile, seed: those of the call. omissions: claims that the profile leaves out. plans: paper
    -> the plan by which its claims were read. document: the verdicts for programs.
    """

    lines: Sequence[Line]
    links: Mapping[str, Link]
    results: Mapping[str, Result]
    cards: Mapping[str, Card]
    profile: str
    seed: int
    omissions: Sequence[Claim] = ()
    plans: Mapping[str, Plan] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict)

    def results_of(self, figure: Figure) -> Results:
        """What a figure shows."""
        paper, curves = Key.of(figure.key).paper, set(figure.needs)
        of_plan = (not_decided.Reason.RUNS, not_decided.Reason.PILOTS)
        by_plan = [
            o
            for o in self.not_judged
            if o.claim.needs and curves.issuperset(o.claim.needs) and o.reason in of_plan
        ]
        return figure.own_results(
            self.results, self.plans.get(paper, UNPLANNED), not_decided.in_caption(by_plan)
        )

    @cached_property
    def not_judged(self) -> list[Omission]:
        """What this call does not judge, each with its reason."""
        return not_decided.omissions(self.omissions, self.profile)

    def silent(self, theorem: str) -> str:
        """What is said of a theorem of which runs decide nothing; "" for all others."""
        return not_decided.without_runs(theorem, [line.claim for line in self.lines], self.not_judged)

    @cached_property
    def papers(self) -> tuple[Paper, ...]:
        """The papers that the lines are about, in the order of their keys. One without theorems has only its key."""
        papers = {t.paper.key: t.paper for t in catalog.theorems().values()}
        keys = {Key.of(line.claim.key).paper for line in self.lines}
        return tuple(papers.get(key, Paper(key, key, "", "")) for key in sorted(keys))

    @cached_property
    def theorems(self) -> dict[str, tuple[Theorem, ...]]:
        """Paper -> its theorems with a line, in the order of the verdict table."""
        keys = {line.claim.key for line in self.lines}
        return {
            paper.key: tuple(
                t for t in catalog.theorems().values() if t.paper.key == paper.key and t.key in keys
            )
            for paper in self.papers
        }

    @cached_property
    def figures(self) -> dict[str, tuple[Figure, ...]]:
        """Paper -> its figures whose results are at hand."""
        ready = [f for f in catalog.figures().values() if all(k in self.results for k in f.needs)]
        return {p.key: tuple(f for f in ready if Key.of(f.key).paper == p.key) for p in self.papers}

    def waterfalls(self, theorem: str) -> set[str]:
        """The simulations on which the slack of this theorem is taken apart."""
        return {w.sim.key for w in catalog.waterfalls() if w.key == theorem}

    @cached_property
    def falls(self) -> dict[str, list[Fall]]:
        """Theorem -> where the slack of its bound is lost, on the results at hand."""
        by_theorem: dict[str, list[Fall]] = {}
        for w in catalog.waterfalls():
            if w.sim.key in self.results and w.key in {line.claim.key for line in self.lines}:
                one = fall(w, self.results[w.sim.key], without_failed=True)
                by_theorem.setdefault(w.key, []).append(one)
        return by_theorem

    def worst(self, theorem: str) -> list[tuple[Family, dict[str, Any]]]:
        """The worst instances found in families of this theorem's instances, kept with its paper."""
        return [
            (f, instance)
            for f in catalog.families()
            if f.theorem.key == theorem
            for instance in f.worst_instances()
        ]

    def simulations(self, paper: str) -> list[Simulation]:
        return [
            s
            for s in catalog.simulations().values()
            if s.key in self.results and Key.of(s.key).paper == paper
        ]

    # ---------------------------------------------------------------------------------------------- verdicts

    def of(self, key: str) -> list[Line]:
        return [line for line in self.lines if line.claim.key == key]

    def others(self, paper: str) -> dict[str, list[Line]]:
        """Lines of a paper that are neither about one of its theorems nor about a link of a proof, by their key."""
        by_key: dict[str, list[Line]] = {}
        for line in self.lines:
            key = line.claim.key
            is_elsewhere = key in catalog.theorems() or line.claim.evidence == "lemma"
            if Key.of(key).paper == paper and not is_elsewhere:
                by_key.setdefault(key, []).append(line)
        return by_key

    def cells(self, lines: Iterable[Line]) -> dict[str, Cell]:
        """Kind of evidence -> its verdicts."""
        lines = list(lines)
        parts = {kind: [x for x in lines if x.claim.evidence == kind] for kind in EVIDENCE}
        return {
            kind: Cell(Counter(str(x.decision.verdict) for x in part), sum(not x.as_expected for x in part))
            for kind, part in parts.items()
        }

    def tally(self, lines: Iterable[Line]) -> dict[str, int]:
        """How many lines there are, informative, loose, void and unexpected; what is undecided informs of nothing."""
        lines = list(lines)
        void, loose = sum(bool(x.void) for x in lines), sum(x.loose for x in lines)
        undecided = sum(x.decision.verdict == Verdict.INCONCLUSIVE and not x.void for x in lines)
        return {
            "lines": len(lines),
            "informative": len(lines) - void - loose - undecided,
            "loose": loose,
            "void": void,
            "unexpected": sum(not x.as_expected for x in lines),
        }

    # ----------------------------------------------------------------------------------------- constants, cost

    def bounds(self, theorem: Theorem) -> list[Chain]:
        """The chain of definitions of every form of a theorem, each with the values that its first bound has."""
        chains = []
        claims = self._bounds_of(theorem)
        for form in theorem.forms:
            claim = next((c for c in claims if c.form == form.name), None)
            values = self._values(claim) if claim else {}
            rows = zip(form.definitions, theorem.latex_definitions(form.name), strict=True)
            constants = tuple(
                Constant(name, formula, values.get(symbol.name, "")) for (symbol, _), (name, formula) in rows
            )
            on = claim.sim.key if claim and values else ""
            chains.append(Chain(form.name, form.source, form.own, on, constants))
        return chains

    def _bounds_of(self, theorem: Theorem) -> list[Bound]:
        return [bound for line in self.of(theorem.key) if (bound := line.claim.bound)]

    def _values(self, claim: Bound) -> dict[str, str]:
        """Name -> value at the last mark; a range over the grid points."""
        result = self.results.get(claim.sim.key)
        if result is None:
            return {}
        T = (result.marks + claim.shift).astype(float)[None, :]
        arguments = {**result.constants, **claim.known(result), "T": T}
        with np.errstate(all="ignore"):
            constants = claim.theorem.constants(claim.form, **arguments)
        return {name: spread(np.asarray(value)) for name, value in constants.items()}

    def instance(self, theorem: Theorem) -> dict[str, dict[Markup, str]]:
        """Simulation of a bound -> the instance's constants there: name, typeset, and value."""
        own = {s.name: tex for s, tex in {**vocabulary.LATEX, **theorem.notation}.items()}
        paper = theorem.paper.key
        latex = {**symbols().get(paper, {}), **own}
        by_simulation = {}
        for claim in self._bounds_of(theorem):
            if (result := self.results.get(claim.sim.key)) is not None:
                by_simulation[claim.sim.key] = {
                    mathml(latex[name]) if name in latex else prose(for_readers(name, paper)): spread(value)
                    for name, value in result.constants.items()
                }
        return by_simulation

    def cost(self, keys: Iterable[str]) -> float:
        """Seconds that these simulations took."""
        return float(sum(self.results[k].elapsed[-1] for k in set(keys) if k in self.results))

    # ------------------------------------------------------------------------------------------------- proofs

    def lemmas(self, paper: str) -> dict[str, Lemma]:
        return {k: x for k, x in catalog.lemmas().items() if x.paper.key == paper and k in self.links}

    def graph(self, paper: str) -> Layout:
        lemmas = self.lemmas(paper)
        return layout({k: x.uses for k, x in lemmas.items()}, {k: short(k) for k in lemmas})

    def errata_of(self, theorem: str) -> list[dict[str, Any]]:
        """The errata of a paper that a line of this theorem names, or a link of its proof."""
        paper = Key.of(theorem).paper
        links = {link.key for link in chain(catalog.lemmas(), theorem)}
        return [
            row
            for row in self.errata(paper)
            if any(c["lemma"] in links for c in row["checks"])
            or any(line.claim.key == theorem for line in row["claims"])
        ]

    def statuses(self, paper: str) -> Counter[str]:
        return Counter(WORDS[self.links[key].status] for key in self.lemmas(paper))

    def _measured(self, lemma: str) -> dict[str, Line]:
        """The lines of a link that were measured along runs, by the name of their check."""
        return {x.claim.item.name: x for x in self.of(lemma) if isinstance(x.claim, LemmaClaim)}

    def checks(self, lemma: Lemma) -> list[dict[str, Any]]:
        """Each check of a link: what was found of it, and the point that refutes it if there is one."""
        lines = self._measured(lemma.key)
        rows = []
        for check in lemma.checks:
            line = lines.get(check.name)
            exact = not isinstance(check, MEASURED)
            outcome = outcomes.outcome(check) if exact else None
            rows.append(
                {
                    "name": check.name,
                    "form": check.form,
                    "shows": check.shows,
                    "expected": check.expected,
                    "erratum": check.erratum,
                    "note": check.note,
                    "verdict": str(outcome.verdict) if outcome else line and str(line.decision.verdict),
                    "method": outcome.method if outcome else "measured on runs",
                    "witness": _point(outcome.witness) if outcome and outcome.witness else "",
                    "slack": line.decision.finding.slack if line and not exact else None,
                    "certified": bool(outcome and outcome.certificate),
                }
            )
        return rows

    def study(self, lemma: Lemma) -> tuple[str, str]:
        """Mutants of a link that were refuted, out of all, and what its constants can be; "" before a study."""
        record = study.in_memory(lemma)
        if record is None:
            return "", ""
        mutants = f"{record.count('refuted')} of {len(record.mutants)}" if record.mutants else ""
        return mutants, "; ".join(text for _, text in record.brackets if " can be " in text)

    def coverage(self, paper: str) -> dict[str, Any]:
        """Displayed lines of a paper's proofs: counts by kind, and every line."""
        displays = [d for d in catalog.coverage() if d.paper == paper]
        rows = [
            {
                "source": d.source,
                "says": d.says,
                "link": d.link and f"{paper}/{d.link}",
                "kind": coverage.kind(d, catalog.lemmas()),
                "by": ", ".join(d.checks) or d.why,
            }
            for d in displays
        ]
        return {"counts": Counter(row["kind"] for row in rows), "rows": rows}

    def errata(self, paper: str) -> list[dict[str, Any]]:
        """A paper's errata, each with the checks that decide it and a counter-example where one was found."""
        rows = [row for row in catalog.errata_rows() if Key.of(row["key"]).paper == paper]
        rows.sort(key=lambda row: _natural_order(row["key"]))
        for row in rows:
            for check in row["checks"]:
                lemma = catalog.lemmas()[check["lemma"]]
                item = lemma.check(check["check"])
                exact = None if isinstance(item, MEASURED) else outcomes.outcome(item)
                line = self._measured(check["lemma"]).get(check["check"])
                measured = f"{line.decision.verdict} on runs" if line else "not measured here"
                check["verdict"] = str(exact.verdict) if exact else measured
                check["witness"] = _point(exact.witness) if exact and exact.witness else ""
            row["claims"] = [
                line for line in self.lines if Key.of(row["key"]).name in _words(line) and _of(line, paper)
            ]
        return rows


def _of(line: Line, paper: str) -> bool:
    return Key.of(line.claim.key).paper == paper and line.claim.evidence != "lemma"


def _words(line: Line) -> set[str]:
    return {word.strip(".,;:()") for word in line.claim.note.split()}


def says_what(theorem: Theorem) -> bool:
    """Whether the statement already has what is bounded, and where it is explained, that explanation too."""
    what = head(theorem.metric)
    return what in theorem.statement and theorem.metric.removeprefix(what) in theorem.statement


def _natural_order(key: str) -> list[tuple[int, str]]:
    """A key to sort labels by, so that E2 comes before E10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", key)]


def _point(witness: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sorted(witness.items()))


def spread(values: np.ndarray) -> str:
    """The last column of a table as one number, or as its range over the rows."""
    table = np.asarray(values, dtype=float)
    last = table[..., -1] if table.ndim else table
    finite = last[np.isfinite(last)]
    if not finite.size:
        return "undefined"
    low, high = float(finite.min()), float(finite.max())
    return f"{low:.4g}" if np.isclose(low, high, rtol=1e-9, atol=0.0) else f"{low:.4g} to {high:.4g}"


def short(key: str) -> str:
    """A link's name without its paper."""
    return Key.of(key).name.removeprefix("lem-")
