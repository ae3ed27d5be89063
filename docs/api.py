"""Builds the reference of what a theorem of one's own imports, from the docstrings: `python docs/api.py [FOLDER]`.

A warning of pdoc is an error, and so is a public module, class or function without a docstring.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pdoc
from pdoc.doc import Class, Doc, Function, Module

HERE = Path(__file__).parent
MODULES = (
    "workbench.theory.record",
    "workbench.theory.laws",
    "workbench.theory.lemma",
    "workbench.theory.vocabulary",
    "workbench.arrays.noise",
    "workbench.arrays.ops",
    "workbench.arrays.random",
    "workbench.arrays.sets",
    "workbench.engine.records",
    "workbench.problems.samples",
    "workbench.problems",
    "workbench.claims.claims",
    "workbench.claims.constants",
    "workbench.claims.first_draws",
    "workbench.claims.readings",
    "workbench.claims.records",
    "workbench.claims.study",
    "workbench.claims.views",
    "workbench.claims.waterfalls",
    "workbench.evidence",
    "workbench.report.drawing.facts",
    "workbench.report.drawing.figure",
    "workbench.report.drawing.panels",
    "workbench.report.drawing.readings",
)


def undocumented(doc: Doc) -> Iterator[str]:
    """The public modules, classes and functions below ``doc`` that have no docstring, by dotted name.

    Methods may go without: many are defined by their class's first line.
    """
    if not doc.docstring.strip():
        yield doc.fullname
    if isinstance(doc, Module):
        for member in doc.own_members:
            if isinstance(member, Class | Function | Module) and not member.name.startswith("_"):
                yield from undocumented(member)


def build(folder: Path) -> None:
    """Writes the pages. Raises UserWarning for what pdoc cannot render, ValueError for what has no docstring."""
    for module in MODULES:  # pdoc refuses what happens on a first import: matplotlib looks for fonts
        importlib.import_module(module)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        missing = [name for module in MODULES for name in undocumented(Module.from_name(module))]
        if missing:
            raise ValueError(f"no docstring: {', '.join(missing)}")
        pdoc.render.configure(show_source=False, docformat="markdown", footer_text="Theorem workbench")
        pdoc.pdoc(*MODULES, output_directory=folder)


if __name__ == "__main__":
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "out"
    build(out)
    print(out / "index.html")
