"""Writes the dossier: one folder of HTML pages that opens from disk, without a network.

A small script sorts, filters and searches; without it everything can be read all the same.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from workbench.claims import interim_analyses as looks
from workbench.claims.claims import EVIDENCE
from workbench.claims.plan import AFTER, FARTHER, LADDER, SAFE, SEEDS, UNPLANNED, Piloted
from workbench.claims.power import FAR_IN_PRINT, LOOSE, SHARP
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.interim_analyses import LEAST, NOTICED
from workbench.evidence.slopes import TOL
from workbench.homes import disk
from workbench.homes.keys import Key
from workbench.homes.papers import for_command
from workbench.homes.usage import UsageError
from workbench.homes.visible_text import visible
from workbench.ledger.graph import WORDS, WRONG, Status
from workbench.report import calibration_results
from workbench.report.calibration_results import Calibration
from workbench.report.card import look
from workbench.report.cards import is_own
from workbench.report.curves import PALETTE, anchor, curves
from workbench.report.dossier import Cell, Dossier, says_what, short
from workbench.report.drawing.draw import CURVES
from workbench.report.drawing.figure import Figure
from workbench.report.drawing.status_colors import LOOKS
from workbench.report.formulas import mathml, prose, statement, with_breaks
from workbench.report.quantities import display_name, for_readers
from workbench.report.summary import numbers_shown
from workbench.report.theorem_table import row_of
from workbench.run import catalog
from workbench.run.installation import versions
from workbench.theory.notation import MINUS
from workbench.verdicts.verify import Line, left_by_plan

MANIFEST = ".report.json"  # the files of the last dossier in this folder
ENDINGS = (".html", ".css", ".js", ".json")  # of these files
KINDS = {
    "assumptions": "are the instance's constants right? Sampled ratios never exceed them.",
    "exponent": "does the claimed rate follow from the printed bound? Exact.",
    "bound": "measured at most the bound at every checkpoint; with the slack, bound over measured.",
    "rate": "the normalised curve stops growing, and its tail is no slower than claimed, up to the tolerance.",
    "tight": "the exponent is attained, two-sided, up to the tolerance; and the level where theory gives one.",
    "geometric": "the curve is of order q^T; the factor q per iteration, with its interval.",
    "bounded": "the curve is of order 1: its mean stops growing, which a logarithm does not.",
    "limit": "the mean tends to a number, or rests elsewhere.",
    "logarithm": "the number of logarithms beside a power of T.",
    "scaling": "exponents in other parameters: noise, condition number, number of tasks, drift.",
    "complexity": "metered oracle calls against the claimed count.",
    "lemma": "lines of the proof.",
    "falsifier": "a nearby wrong method or claim must come out violated.",
}


def page_texts(
    dossier: Dossier, images: Mapping[str, Path], folder: Path, calibration: Calibration | None = None
) -> dict[str, str]:
    """Name of the file -> text of every page, the overview first.

    images: figure key -> its file below ``folder``, which need not be there yet. calibration: results of
    `workbench calibrate`.
    """
    pages = _Pages(dossier, images, folder, calibration)
    return {name: visible(text) for name, text in pages.all()}


def write(texts: Mapping[str, str], folder: Path) -> list[Path]:
    """Writes the pages, and removes those of an earlier dossier that this one does not have; no other file is touched.

    Returns the paths. Raises OSError, and UsageError, having written nothing, if a file of somebody else has the name
    of a page.
    """
    before = _manifest(folder)
    if foreign := [name for name in texts if name not in before and (folder / name).exists()]:
        raise UsageError(
            f"{folder} has a file {foreign[0]} that no report wrote; name another folder by --out"
        )
    # The list comes first: after an interrupted call it must cover every page that may have been written.
    _write(folder / MANIFEST, json.dumps(sorted(before | texts.keys()), indent=1) + "\n")
    for name, text in texts.items():
        _write(folder / name, text)
    for name in before - texts.keys():
        (folder / name).unlink(missing_ok=True)
    _write(folder / MANIFEST, json.dumps(sorted(texts), indent=1) + "\n")
    return [folder / name for name in texts]


def _write(path: Path, text: str) -> None:
    disk.replace(path, text.encode())


def _manifest(folder: Path) -> set[str]:
    """Names of the pages of an earlier dossier. Only plain names that this module could have written are believed."""
    try:
        names = disk.read_json(folder / MANIFEST)
    except (OSError, ValueError):
        return set()
    plain = isinstance(names, list) and all(isinstance(n, str) for n in names)
    return {n for n in names if Path(n).name == n and n.endswith(ENDINGS)} if plain else set()


def _plan_of(dossier: Dossier, paper: str) -> dict[str, Any]:
    """What the plan of a paper says of the profile."""
    profile_plan = dossier.plans.get(paper, UNPLANNED).profiles.get(dossier.profile)
    plan = profile_plan or Piloted()
    omissions = (c for c in dossier.omissions if c.paper == paper and c.id in plan.open)
    return {
        "piloted": profile_plan is not None,
        "rule": plan.rule,
        "seeds": plan.seeds,
        "windows": len(plan.windows),
        "margins": len(plan.margins.keys() - plan.open.keys()),
        "open": {f"{c.key}; {c.evidence}; {display_name(c)}": plan.open[c.id] for c in omissions},
    }


class _Pages:
    def __init__(
        self, dossier: Dossier, images: Mapping[str, Path], folder: Path, calibration: Calibration | None
    ) -> None:
        self._dossier, self._images, self._folder, self._calibration = dossier, images, folder, calibration
        self._html = Environment(
            loader=PackageLoader("workbench.report"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        filters = (
            number,
            display_name,
            cell_text,
            says_what,
            mathml,
            with_breaks,
            prose,
            statement,
            for_command,
            page_of,
            look,
        )
        self._html.filters |= {function.__name__: function for function in filters}
        self._html.globals["dossier"] = dossier

    def all(self) -> Iterator[tuple[str, str]]:
        """(name of the file, its text) of every page."""
        d = self._dossier
        yield "index.html", self._overview()
        for paper in d.papers:
            yield f"{paper.key}.html", self._paper(paper)
            for theorem in d.theorems[paper.key]:
                yield page_of(theorem.key), self._theorem(theorem)
            if d.lemmas(paper.key):
                yield f"{paper.key}-proof.html", self._proof(paper)
        errata = {
            p.key: [{**row, "claims": [_row(x) for x in row["claims"]]} for row in d.errata(p.key)]
            for p in d.papers
        }
        yield "errata.html", self._page("errata.html", "Errata", errata=errata)
        figures = {p.key: [self._figure(f) for f in d.figures[p.key]] for p in d.papers}
        yield "gallery.html", self._page("gallery.html", "Figures", figures=figures)
        coverage = {p.key: _sums(d.coverage(p.key)["counts"]) for p in d.papers}
        yield (
            "methods.html",
            self._page(
                "methods.html", "How verdicts are made", kinds=KINDS, level=f"{LEVEL:.0%}", families=FAMILIES,
                loose=f"{LOOSE:g}", sharp=f"{SHARP:g}", far=FAR_IN_PRINT, ladder=LADDER,
                covered=coverage, seeds=SEEDS, safe=f"{SAFE:g}", after=f"{AFTER:g}",
                farther=f"{FARTHER:g}", profile=d.profile,
                first=LEAST, noticed=f"{NOTICED:.2g}", tol=TOL,
                plans={p.key: _plan_of(d, p.key) for p in d.papers},
            ),
        )  # fmt: skip
        seeds = calibration_results.by_seed()
        yield (
            "checker.html",
            self._page(
                "checker.html", "What is known of the checker", calibration=self._calibration, seeds=seeds
            ),
        )
        simulations = {p.key: [self._simulation(s) for s in d.simulations(p.key)] for p in d.papers}
        yield (
            "machine.html",
            self._page(
                "machine.html", "Machine, versions, seeds", versions=versions(), platform=platform.platform(),
                simulations=simulations,
            ),
        )  # fmt: skip
        looks = {_look(status): look[:2] for status, look in LOOKS.items()}
        yield "style.css", self._html.get_template("style.css").render(looks=looks, palette=PALETTE)
        for name in ("dossier.js", "curves.js"):
            yield name, self._html.get_template(name).render()
        index = json.dumps(sorted(set(self._index())), indent=0)
        yield "search.js", f"window.INDEX = {index};\n"
        yield "verdicts.json", json.dumps(d.document, indent=1, allow_nan=False) + "\n"

    def _index(self) -> Iterator[tuple[str, str]]:
        """(text, page and anchor) of everything that the overview's search finds."""
        d = self._dossier
        for line in d.lines:
            key, is_theorem = line.claim.key, line.claim.key in catalog.theorems()
            if line.claim.evidence != "lemma":
                page = page_of(key) if is_theorem else f"{Key.of(key).paper}.html"
                yield (
                    f"{key} {line.claim.evidence}: {display_name(line.claim)}: {line.word}",
                    f"{page}#{anchor(line)}",
                )
        for paper in d.papers:
            for theorem in d.theorems[paper.key]:
                yield f"{theorem.key} theorem: {theorem.title}", page_of(theorem.key)
            for key, lemma in d.lemmas(paper.key).items():
                yield f"{key}: {lemma.title}: {d.links[key].words}", f"{paper.key}-proof.html#{key}"
            for row in d.errata(paper.key):
                yield f"{row['key']} erratum: {row['title']}", f"errata.html#{row['key']}"
            for figure in d.figures[paper.key]:
                yield f"{figure.key} figure: {figure.title}", f"gallery.html#{figure.key}"

    def _page(self, template: str, title: str, **values: Any) -> str:
        return self._html.get_template(template).render(title=title, **values)

    def _overview(self) -> str:
        d, rows = self._dossier, {}
        for paper in d.papers:
            theorems = [(t.key, page_of(t.key), d.of(t.key)) for t in d.theorems[paper.key]]
            others = [(key, f"{paper.key}.html#{key}", lines) for key, lines in d.others(paper.key).items()]
            proof = [x for x in d.lines if x.claim.key in d.lemmas(paper.key) and x.claim.evidence == "lemma"]
            entries = [*theorems, *others]
            if proof:
                entries.append(("proof", f"{paper.key}-proof.html", proof))
            rows[paper.key] = [
                {
                    "name": key.removeprefix(f"{paper.key}/"),
                    "page": page,
                    "cells": d.cells(x for x in lines if key == "proof" or x.claim.evidence != "lemma"),
                    "tally": d.tally(x for x in lines if key == "proof" or x.claim.evidence != "lemma"),
                    "silent": d.silent(key) if (key, page, lines) in theorems else "",
                }
                for key, page, lines in entries
            ]
        errata = {p.key: len(d.errata(p.key)) for p in d.papers}
        answers = {
            p.key: {key: card for key, card in d.cards.items() if Key.of(key).paper == p.key and card.rows}
            for p in d.papers
        }
        return self._page(
            "index.html", "Verdicts", rows=rows, errata=errata, answers=answers, tally=d.tally(d.lines), kinds=EVIDENCE,
            loose=f"{LOOSE:g}", far=FAR_IN_PRINT, left=left_by_plan(d.omissions, d.profile),
            theorem_rows=self._theorem_rows(),
        )  # fmt: skip

    def _theorem_rows(self) -> list[dict[str, Any]]:
        """The row of each theorem that a paper states, in the table of what is decided."""
        d = self._dossier
        theorems = [t for paper in d.papers for t in d.theorems[paper.key] if not is_own(t)]
        lines = {t.key: [x for x in d.of(t.key) if x.claim.evidence != "lemma"] for t in theorems}
        return [{"page": page_of(t.key), "row": row_of(t, lines[t.key], d.not_judged)} for t in theorems]

    def _paper(self, paper: Any) -> str:
        d = self._dossier
        theorems = [
            {"page": page_of(t.key), "title": f"{short(t.key)}: {t.title}", "source": t.source,
             "key": t.key, "card": d.cards.get(t.key)}
            for t in d.theorems[paper.key]
        ]  # fmt: skip
        others = {key: [_row(x) for x in lines] for key, lines in d.others(paper.key).items()}
        proof = f"{paper.key}-proof.html" if d.lemmas(paper.key) else ""
        return self._page(
            "paper.html", paper.title, paper=paper, theorems=theorems, others=others, proof=proof,
            statuses=_sums(d.statuses(paper.key)),
        )  # fmt: skip

    def _theorem(self, theorem: Any) -> str:
        d = self._dossier
        lines = [x for x in d.of(theorem.key) if x.claim.evidence != "lemma"]
        needs = {key for x in lines for key in x.claim.needs}
        simulations = needs | d.waterfalls(theorem.key)
        figures = [f for f in d.figures[theorem.paper.key] if not f.of_proof and simulations & set(f.needs)]
        figures.sort(key=lambda f: not f.key.endswith(f"fig-{Key.of(theorem.key).name}"))  # its own first
        return self._page(
            "theorem.html", f"{short(theorem.key)}: {theorem.title}", theorem=theorem, rows=[_row(x) for x in lines],
            chains=d.bounds(theorem), instances=d.instance(theorem), figures=[self._figure(f) for f in figures],
            cost=duration(d.cost(needs)), card=d.cards.get(theorem.key), worst=d.worst(theorem.key),
            errata=d.errata_of(theorem.key), curves=curves(lines, d.results),
            silent=d.silent(theorem.key), left=[o for o in d.not_judged if o.claim.key == theorem.key],
            proof=f"{theorem.paper.key}-proof.html" if d.lemmas(theorem.paper.key) else "",
        )  # fmt: skip

    def _proof(self, paper: Any) -> str:
        d = self._dossier
        nodes = {
            key: {
                "name": short(key),
                "title": x.title,
                "source": x.source,
                "statement": x.statement,
                "note": x.note,
                "uses": x.uses,
                "words": d.links[key].words,
                "look": _look(d.links[key].status),
                "theorem": key in {t.key for t in d.theorems[paper.key]},
                "checks": d.checks(x),
                "errata": d.links[key].errata,
                "verdict": "violated"
                if d.links[key].status in WRONG
                else _VERDICTS.get(d.links[key].status, "holds"),
                "study": d.study(x),
            }
            for key, x in d.lemmas(paper.key).items()
        }
        statuses = {d.links[key].status for key in nodes}
        return self._page(
            "proof.html", f"The proof: {paper.title}", paper=paper, nodes=nodes, graph=d.graph(paper.key),
            legend={_look(s): WORDS[s] for s in reversed(Status) if s in statuses}, covered=d.coverage(paper.key),
            statuses=_sums(d.statuses(paper.key)),
        )  # fmt: skip

    def _figure(self, figure: Figure) -> dict[str, Any]:
        results = self._dossier.results_of(figure)
        image = self._images[figure.key].relative_to(self._folder)
        return {
            "id": figure.key,
            "key": figure.key,
            "title": figure.title,
            "source": figure.source,
            "of_paper": figure.of_paper,
            "order": figure.order(results),
            "table": figure.table_of(results),
            "file": image.as_posix(),
            "caption": figure.caption_of(results),
            "settings": figure.settings_of(results),
            "result": figure.result(results),
            "curves": image.with_suffix(f".{CURVES}").as_posix() if figure.has_curves else "",
            "replay": figure.needs[0] if figure.needs else "",
        }

    def _simulation(self, sim: Any) -> dict[str, Any]:
        result = self._dossier.results[sim.key]
        return {
            "key": sim.key, "title": sim.title, "kind": sim.kind, "chosen": sim.chosen,
            "runs": result.runs, "planned": looks.of(result)[-1],
            "horizon": result.horizon, "engine": f"{result.meta['engine']}, {result.meta['backend']}",
            "seed": result.meta["seed"], "seconds": float(result.elapsed[-1]),
        }  # fmt: skip


def page_of(key: str) -> str:
    """The page of a theorem: "<paper>/thm-1" has <paper>-thm-1.html."""
    return f"{key.replace('/', '-')}.html"


def _row(line: Line) -> dict[str, Any]:
    value, low, high = numbers_shown(line)
    numbers = {"value": value, "low": low, "high": high}
    record = line.record()
    shown_as = {
        "experiment": display_name(line.claim),
        "note": for_readers(record["note"], Key.of(line.claim.key).paper),
        "anchor": anchor(line),
    }
    return {**record, **shown_as, **numbers, "loose": line.loose, "exact": line.decision.finding.exact}


# What the filter of a table takes a status for, if it is neither sound nor wrong.
_VERDICTS = {
    Status.BROKEN: "surprise",
    Status.OPEN: "inconclusive",
    Status.UNMEASURED: "inconclusive",
    Status.UNCHECKED: "inconclusive",
}


def _look(status: Status) -> str:
    return f"s-{status.name.lower().replace('_', '-')}"


def _sums(counts: Mapping[str, int]) -> str:
    return "; ".join(f"{what} ({n})" for what, n in counts.items())  # what may hold commas


def number(value: float | None) -> str:
    """Four digits and a minus sign; nothing for a missing or infinite number."""
    return "" if value is None or not math.isfinite(value) else f"{value:.4g}".replace("-", MINUS)


def duration(seconds: float) -> str:
    """Seconds, or minutes from two on."""
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def cell_text(cell: Cell) -> str:
    return " + ".join(
        str(cell.counts[v]) for v in ("holds", "violated", "inconclusive") if cell.counts.get(v)
    )
