"""The generated parts of the project's own paper: tables, numbers and figures for `main.tex`, and whether they fit.

Everything comes from the dossier that the HTML report shows; nothing is computed a second time, and no number is typed.
A file of this module says so in its first line, with the profile and the seed; only such files are overwritten, removed
or compared.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from typing import Any

from workbench.claims.claims import EVIDENCE, Caught
from workbench.claims.plan import SAFE, SEEDS, UNPLANNED, Piloted
from workbench.claims.power import FAR, LOOSE, SHARP
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.interim_analyses import LEAST, NOTICED
from workbench.evidence.slopes import TOL
from workbench.evidence.stats import MIN_RUNS
from workbench.homes import disk
from workbench.homes.keys import Key
from workbench.ledger.coverage import KINDS
from workbench.report import calibration_results
from workbench.report.card import OPEN, About, Card, Outcome
from workbench.report.dossier import Dossier, says_what, short
from workbench.report.drawing.figure import Figure, Order, from_real
from workbench.report.latex import Tex, environment, interval, number
from workbench.report.pages import KINDS as MEANINGS
from workbench.report.pages import duration
from workbench.report.quantities import display_name, title_of
from workbench.report.redraw import Drawing
from workbench.report.report import collect, figures, papers_of, writable
from workbench.report.summary import Summary, counts_in_words, numbers_shown, table_lines, verdicts
from workbench.report.wording import sentence
from workbench.run import catalog
from workbench.run.jobs import identity
from workbench.run.options import Options, UsageError
from workbench.run.store.results import Store
from workbench.verdicts.calibration.calibrate import PROMISE
from workbench.verdicts.verdict_cache import Kept
from workbench.verdicts.verify import Line

GENERATED = "generated"
PICTURES = "figures"  # below the folder of the generated parts
MARK = "% Written by `workbench report --paper`"
MACHINE = "machine.tex"  # what differs from computer to computer; never compared
# Templates, and their files.
PARTS = "verdicts digests overview papers errata reproduced slack worst left-out bounds lines captions"
# Kinds of evidence whose claimed number is the largest that it allows.
LIMITED = ("assumptions", "bound", "rate")
NUMERALS = "no one two three four five six seven eight nine ten eleven twelve"

Warn = Callable[[str], None]


def write(
    keys: Iterable[str], options: Options, store: Store, folder: Path, pictures: Path, warn: Warn
) -> list[Path]:
    """Writes the parts into ``folder``/generated, and copies the figures that they show; returns the paths.

    pictures: the folder of `workbench figures`; what is out of date there is drawn again. Simulates nothing. Raises
    UsageError for what cannot be read or written, before anything is computed where that can be seen.
    """
    keys, out, cache = list(keys), folder / GENERATED, Kept()
    papers_of(keys)
    for place in (folder, out, out / PICTURES, pictures):
        writable(place)
    _own(out)
    dossier = collect(keys, options, store, warn, cache)
    parts = texts(dossier, store)
    selection = [f for f in figures(dossier) if in_the_paper(f)]
    try:
        drawing = Drawing(options, store, pictures, warn=warn)
        for _ in drawing.draw(drawing.stale(selection), dossier.results):
            pass
        for name, text in parts.items():
            disk.replace(out / name, text.encode())
        names = {_picture(f) for f in selection}
        for name in sorted(names):
            disk.replace(out / PICTURES / name, disk.read(pictures / name))
        for old in _own(out).keys() - parts.keys():
            (out / old).unlink()
        for picture in (out / PICTURES).glob("*.pdf"):
            if picture.name not in names:
                picture.unlink()
    except OSError as error:
        raise UsageError(f"cannot write the paper to {out}: {error.strerror}") from None
    return [*(out / name for name in parts), *(out / PICTURES / name for name in sorted(names))]


def check(keys: Iterable[str], options: Options, store: Store, folder: Path, warn: Warn) -> list[str]:
    """Sentences on where the text in ``folder``/generated does not fit the store; none if it does.

    What differs from computer to computer is not compared. Raises UsageError if there is no text to compare.
    """
    out = folder / GENERATED
    headers = _own(out)
    if not headers:
        raise UsageError(f"{out} holds no generated text; write it with: workbench report --paper {folder}")
    header = _header(options.profile, options.seed)
    if other := next((first for first in headers.values() if first != header), None):
        origin = other.removeprefix(MARK).strip(" .%")
        raise UsageError(
            f"the text in {out} was made {origin}; compare it with the same --profile and --seed"
        )
    now = texts(collect(keys, options, store, warn, Kept()), store)
    sentences = [f"{out / name} is missing" for name in now if name not in headers]
    sentences += [f"{out / name} is no longer a part" for name in sorted(headers.keys() - now.keys())]
    for name, text in now.items():
        if name in headers and name != MACHINE:
            sentences += _different(out / name, disk.read(out / name).decode(errors="replace"), text)
    names = set(re.findall(r"\{" + f"{GENERATED}/{PICTURES}" + r"/([^{}]+)\}", "".join(now.values())))
    sentences += [
        f"{out / PICTURES / n} is missing" for n in sorted(names) if not (out / PICTURES / n).is_file()
    ]
    return sentences


def _different(path: Path, before: str, now: str) -> list[str]:
    """One sentence on a file that differs: its first line that does, and how many do."""
    lines = enumerate(zip_longest(before.splitlines(), now.splitlines(), fillvalue=""), 1)
    odd = [(n, a, b) for n, (a, b) in lines if a != b]
    if not odd:
        return []
    n, a, b = odd[0]
    at = next((k for k, (x, y) in enumerate(zip_longest(a, b)) if x != y), 0)
    more = f"; {len(odd)} lines differ" if len(odd) > 1 else ""
    return [f'{path}, line {n}, has "{_around(a, at)}" where the store gives "{_around(b, at)}"{more}']


def _around(line: str, at: int) -> str:
    return line[max(at - 25, 0) : at + 35].strip()


def _header(profile: str, seed: int) -> str:
    return f"{MARK} from profile {profile}, seed {seed}."


def _own(out: Path) -> dict[str, str]:
    """Name -> first line of the files in a folder that this module wrote.

    Raises UsageError for a file of somebody else with the ending of ours.
    """
    headers = {}
    for path in sorted(out.glob("*.tex")):
        try:
            first = disk.read(path).decode(errors="replace").partition("\n")[0]
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
        if not first.startswith(MARK):
            raise UsageError(f"{path} was not written by the workbench; move it out of {out}")
        headers[path.name] = first
    return headers


def in_the_paper(figure: Figure) -> bool:
    """Whether the paper shows a figure: of the proof only the chain of lemmas, since the rest is in its tables."""
    return not figure.of_proof or figure.key.endswith("proof-chain")


def _picture(figure: Figure) -> str:
    return f"{figure.key.replace('/', '-')}.pdf"


# ----------------------------------------------------------------------------------------------------- the parts


def texts(dossier: Dossier, store: Store) -> dict[str, str]:
    """Name of each generated file -> its text."""
    return _Parts(dossier, store).all()


class _Parts:
    def __init__(self, dossier: Dossier, store: Store) -> None:
        self._dossier, self._store, self._tex = dossier, store, environment()
        self._tex.filters |= {function.__name__: function for function in FILTERS}
        self._tex.globals.update(dossier=dossier, short=short, kinds=EVIDENCE, meanings=MEANINGS)
        self._sections = [self._section(paper) for paper in dossier.papers]
        self._calibration = calibration_results.load(store.folder)

    def all(self) -> dict[str, str]:
        sections = self._sections
        parts = {
            name: self._render(name, sections=sections) for name in (f"{part}.tex" for part in PARTS.split())
        }
        seeds = calibration_results.by_seed()
        parts["checker.tex"] = self._render("checker.tex", calibration=self._calibration, seeds=seeds)
        parts[MACHINE] = self._render(MACHINE, machines=self._machines(), sections=sections)
        for section in sections:
            parts[f"paper-{section['key']}.tex"] = self._render("paper.tex", section=section)
        answers = [answer_of(card) for section in sections for card in section["printed"]]
        parts["found.tex"] = self._render("found.tex", cards=answers)
        parts["numbers.tex"] = self._render("numbers.tex", numbers=self._numbers())
        return dict(sorted(parts.items()))

    def _render(self, template: str, **what: Any) -> str:
        text = self._tex.get_template(template).render(**what)
        # Empty lines would end a paragraph or, in a table, a row.
        lines = [line.rstrip() for line in text.splitlines()]
        return "\n".join([_header(self._dossier.profile, self._dossier.seed), *lines]) + "\n"

    def _section(self, paper: Any) -> dict[str, Any]:
        """What the paper says of one of the papers it is about."""
        d = self._dossier
        summaries = [
            Summary(t, tuple(x for x in d.of(t.key) if x.claim.evidence != "lemma"))
            for t in d.theorems[paper.key]
        ]
        lines = [x for x in d.lines if Key.of(x.claim.key).paper == paper.key]
        figures_shown = [f for f in d.figures[paper.key] if in_the_paper(f)]
        others = d.others(paper.key)
        cards = [card for key, card in d.cards.items() if Key.of(key).paper == paper.key and card.rows]
        pictures, errata = [self._figure(f) for f in figures_shown], d.errata(paper.key)
        return {
            "key": paper.key,
            "paper": paper,
            "summaries": summaries,
            "lines": lines,
            "proof": [x for x in lines if x.claim.evidence == "lemma"],
            "others": others,
            "listed": {s.theorem.key: table_lines(s.lines) for s in summaries}
            | {k: table_lines(v) for k, v in others.items()},
            "verdicts": verdicts(lines),
            "surprises": [x for x in lines if not x.as_expected],
            "tally": d.tally(lines),
            "figures": pictures,
            "cards": cards,
            "printed": [card for card in cards if any(row.printed for row in card.rows)],
            "decisive": _decisive(pictures, [s.theorem.key for s in summaries]),
            "worst_erratum": next((e for e in errata if any(c["witness"] for c in e["checks"])), None),
            "statuses": d.statuses(paper.key),
            "covered": d.coverage(paper.key)["counts"],
            "coverage": KINDS,
            "errata": errata,
            "falls": [f for s in summaries for f in d.falls.get(s.theorem.key, [])],
            "worst": [instance for s in summaries for instance in d.worst(s.theorem.key)],
            "left": [x for x in d.omissions if Key.of(x.key).paper == paper.key],
            "reasons": [o for o in d.not_judged if o.claim.paper == paper.key and o.details],
            "open": len(d.plans.get(paper.key, UNPLANNED).profiles.get(d.profile, Piloted()).open),
            "cited": _citation(paper.authors or paper.key),
            "simulations": (simulations := [s.key for s in d.simulations(paper.key)]),
            "cost": d.cost(simulations),
            "horizon": max((float(d.results[k].horizon) for k in simulations), default=0.0),
        }

    def _figure(self, figure: Figure) -> dict[str, Any]:
        results = self._dossier.results_of(figure)
        order = figure.order(results)
        caption = figure.on_real if from_real(results) else figure.caption
        # Wall-clock times differ from computer to computer.
        measured_facts = " ".join(s for s in _sentences(figure.summary(results)) if "seconds" not in s)
        return {
            "key": figure.key,
            "file": Tex(f"{GENERATED}/{PICTURES}/{_picture(figure)}"),
            "title": figure.title,
            "source": figure.source,
            "theirs": figure.of_paper,
            "of_proof": figure.of_proof,
            "order": order,
            "result": figure.result(results),
            "first": next(iter(_sentences(order.says)), "") if order else "",
            "brief": _brief(order) if order else "",
            "text": f"{caption} {measured_facts} {results.not_judged}".rstrip(),
            "table": table.without_times() if (table := figure.table_of(results)) else None,
        }

    def _machines(self) -> list[dict[str, Any]]:
        """What the results were computed with, most frequent first."""
        options = Options(profile=self._dossier.profile, seed=self._dossier.seed)
        keys = {identity(catalog.simulations()[k], options).key for k in self._dossier.results}
        facts = ("platform", "python", "numpy", "sympy", "backend", "engine")
        counts = Counter(
            tuple(str(e.attributes.get(name, "")) for name in facts)
            for e in self._store.entries()
            if e.key in keys
        )
        return [{"results": n, **dict(zip(facts, what, strict=True))} for what, n in counts.most_common()]

    def _numbers(self) -> dict[str, Any]:
        """Macros: a name in letters -> a number or a word."""
        d, sections = self._dossier, self._sections
        by_verdict = verdicts(d.lines)
        tally = d.tally(d.lines)
        orders = [f["order"] for s in sections for f in s["figures"] if f["order"]]
        outcomes = Counter(order.outcome for order in orders)
        displays: Counter[str] = sum((s["covered"] for s in sections), Counter())
        theirs = [s for section in sections for s in section["summaries"] if not s.own]
        falsifiers = [x for x in d.lines if x.claim.evidence == "falsifier"]
        numbers = {
            "Papers": in_words(len(sections)),
            "Theorems": len(theirs),
            "OwnStatements": sum(s.own for section in sections for s in section["summaries"]),
            "Claims": tally["lines"],
            "Holds": by_verdict["holds"],
            "Violated": by_verdict["violated"],
            "Inconclusive": by_verdict["inconclusive"],
            "Unexpected": tally["unexpected"],
            "Informative": tally["informative"],
            "Loose": tally["loose"],
            "Void": tally["void"],
            "LooseFactor": f"{LOOSE:g}",
            "Sharp": f"{SHARP:g}",
            "Far": f"{FAR:.2g}",
            "Falsifiers": len(falsifiers),
            "Caught": sum(x.decision.verdict == "holds" for x in falsifiers),
            "Errata": sum(len(s["errata"]) for s in sections),
            "Displays": displays.total(),
            "DisplaysExact": displays["exact"],
            "DisplaysMeasured": displays["measured"],
            "DisplaysUnchecked": displays["not checked"],
            "Links": len(d.links),
            "LeftOut": len(d.omissions),
            "Orders": in_words(len(orders)),
            "NotReproduced": in_words(outcomes["not reproduced"]),
            "InPart": in_words(outcomes["in part"]),
            "Simulations": len(d.results),
            "Rows": Tex(f"{sum(r.size for r in d.results.values()):,}".replace(",", r"\,")),
            "Steps": number(float(sum(r.size * r.horizon for r in d.results.values())), 2),
            "Profile": d.profile,
            "Seed": d.seed,
            "PilotSeeds": ", ".join(map(str, SEEDS)),
            "Safe": f"{SAFE:g}",
            "Tolerance": f"{TOL:g}",
            "Level": Tex(rf"{100 * LEVEL:g}\,\%"),
            "Families": in_words(len(FAMILIES)),
            "LeastRuns": MIN_RUNS,
            "FirstLook": LEAST,
            "Noticed": f"{NOTICED:.2g}",
            "Promise": Tex(rf"{100 * PROMISE:g}\,\%"),
        }
        if self._calibration:
            for row in self._calibration.statements:
                if row["statements"] == "all":
                    numbers[f"Statements{row['truth'].title()}"] = row["number"]
        return numbers


def answer_of(card: Card) -> dict[str, bool]:
    """What the abstract counts of a theorem: of what the paper prints, not of repaired forms."""
    rows = [row for row in card.rows if row.printed]

    def has(about: About, outcome: Outcome) -> bool:
        return any(row.about == about and row.outcome == outcome for row in rows)

    return {
        "refuted_bound": has(About.BOUND, Outcome.REFUTED),
        "refuted_proof": has(About.PROOF, Outcome.REFUTED),
        "refuted_rate": has(About.RATE, Outcome.REFUTED),
        "not_given": has(About.FROM_BOUND, Outcome.REFUTED),
        "attained": has(About.RATE, Outcome.ATTAINED),
        "open": any(row.outcome in OPEN for row in rows),
    }


def _decisive(pictures: list[dict[str, Any]], theorems: list[str]) -> dict[str, Any] | None:
    """The picture of a theorem, if there is one; else the first that is not the paper's own."""
    ours = [f for f in pictures if not f["theirs"] and not f["of_proof"]]
    names = {f"{Key.of(key).paper}/fig-{short(key)}" for key in theorems}
    return next((f for f in ours if f["key"] in names), next(iter(ours), None))


def _brief(order: Order) -> str:
    """What is found of an order of methods, in two sentences, and the first on why it is not the paper's."""
    return " ".join([*_sentences(order.says)[:2], *_sentences(order.why)[:1]])


def claimed_text(line: Line) -> Tex:
    """The claimed number, with its sign where it is only a limit."""
    claim = line.claim
    if isinstance(claim, Caught):
        claim = claim.wrong
    text = number(line.decision.finding.claimed)
    return Tex(rf"$\le {text[1:-1]}$") if claim.evidence in LIMITED and text.startswith("$") else text


def value_text(line: Line) -> Tex:
    """The number of a line with its interval, or "exact"."""
    value, low, high = numbers_shown(line)
    if line.decision.finding.diverged and not math.isfinite(value):
        return Tex("diverges")
    exact = line.decision.finding.exact or low == high
    limits = "exact" if exact else interval(low, high)
    return Tex(f"{number(value, 4)} {limits if math.isfinite(value) or not exact else ''}".strip())


def verdict_text(line: Line) -> Tex:
    if line.void:
        return Tex("void")
    word = str(line.decision.verdict)
    if not line.as_expected:
        return Tex(rf"{word} \textbf{{(unexpected)}}")
    if line.refuted:
        return Tex("refuted")
    return Tex(f"{word} (expected)") if word == "violated" else Tex(word)


def _citation(authors: str) -> str:
    """ "Gong, Hao and Liu" as a text cites them; "Guo et al." for more than three."""
    names = [name.split()[-1] for name in authors.split(",") if name.strip()]
    if len(names) > 3:
        return f"{names[0]} et al."
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _sentences(text: str) -> list[str]:
    """A text cut after full stops that a capital letter follows."""
    return [s for s in re.split(r"(?<=[a-z0-9)%][.])\s+(?=[A-Z])", text) if s]


def in_words(count: int) -> str:
    words = NUMERALS.split()
    return words[count] if 0 <= count < len(words) else str(count)


# fmt: off
FILTERS: tuple[Callable[..., Any], ...] = (
    claimed_text, counts_in_words, display_name, duration, in_words, says_what, sentence, title_of, value_text,
    verdict_text,
)
# fmt: on
