"""docs/reference.md has every public name, and every public name a docstring. (`test_guide` runs the page's code.)"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.claims.readings import Reading, Readings
from workbench.cli import instance_list
from workbench.cli.instance_list import fields_of, start_of
from workbench.homes import on_demand, papers

PAGE = (Path(__file__).parents[1] / "docs" / "reference.md").read_text()
HEADS = "\n".join(re.findall(r"^## .*$", PAGE, re.MULTILINE))
ROWS = "\n".join(re.findall(r"^\|(.*?[^\\])\|", PAGE, re.MULTILINE))  # first cells


def members(module: ModuleType) -> set[str]:
    """The public classes and functions that a module defines, and its constants in capitals."""
    own = {
        n
        for n, x in vars(module).items()
        if inspect.isroutine(x) or inspect.isclass(x)
        if x.__module__ == module.__name__
    }
    return {n for n in own if not n.startswith("_")}


def shown(name: str, text: str) -> bool:
    """Whether a name stands in code: `name`, `name(...)`."""
    return re.search(rf"`{re.escape(name)}[`(]", text) is not None


def test_every_public_name_has_a_heading_or_a_row() -> None:
    heads = set(re.findall(r"\w+", HEADS))
    assert [n for n in wb.__all__ if n not in heads and not shown(n, ROWS)] == []


def test_every_link_within_the_page_has_a_heading() -> None:
    heads = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    places = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}
    assert set(re.findall(r"\]\(#(.*?)\)", PAGE)) <= places


@pytest.mark.parametrize("module", [wb.ops, wb.samples, wb.softmax], ids=lambda module: module.__name__)
def test_every_member_has_a_row(module: ModuleType) -> None:
    listed = {"Map"} | {n for n in members(module) if shown(n, PAGE)}
    assert members(module) <= listed


@pytest.mark.parametrize("module", on_demand.doors())
def test_every_name_of_a_stub_is_on_the_page(module: str) -> None:
    assert [n for n in on_demand.doors()[module] if not shown(n, PAGE)] == []


def test_every_constant_and_every_kind_of_evidence_has_a_row() -> None:
    assert [n for n in (*wb.vocabulary.SYMBOLS, *wb.evidence.__all__) if not shown(n, PAGE)] == []


@pytest.mark.parametrize("name", wb.problems.__all__)
def test_the_row_of_a_problem_is_right(name: str) -> None:
    """Its parameters, what is recorded, its constants; what a step may call stands in the table below."""
    (row,) = re.findall(rf"^\| `{name}\((.*?)\)` \|.*\| (.*?) \| (.*?) \|$", PAGE, re.MULTILINE)
    problem = getattr(wb.problems, name)()
    facts, start = fields_of(type(problem)), start_of(problem)
    assert start is not None
    seen = getattr(problem, "checkpoint_metrics", lambda s, t, xp: {})(
        SimpleNamespace(**start), np.ones(1), np
    )
    assert [p.split("=")[0] for p in row[0].split(", ")] == list(facts["parameters"])
    assert row[1].replace("`", "").split() == [*facts["recorded"], *seen]
    assert row[2].replace("`", "").split() == list(facts["constants"])
    assert [n for n in facts["oracle"] if not shown(n, PAGE)] == []


RECORDS = (wb.Paper, wb.Theorem, wb.Form, wb.Study, wb.Grid, wb.Problem, wb.Result, Readings)


def public() -> Iterator[tuple[str, Any]]:
    """Every public name, the members of those that are modules, and the methods of the records."""
    for name in wb.__all__:
        thing = getattr(wb, name)
        yield name, thing
        if inspect.ismodule(thing):
            names = getattr(thing, "__all__", members(thing))
            yield from ((f"{name}.{n}", getattr(thing, n)) for n in names)
    yield from ((f"Reading.{n}", getattr(Reading, n)) for n in ("rate", "tight", "level", "caught"))
    for record in RECORDS:
        fields = getattr(record, "__dataclass_fields__", {})  # whose defaults may be functions
        for n, x in vars(record).items():
            if n not in fields and not n.startswith("_") and hasattr(type(x), "__get__"):
                yield f"{record.__name__}.{n}", x


def test_every_public_name_has_a_docstring() -> None:
    """Numbers and tuples need none; a dataclass without one shows its signature."""
    documented = {n: inspect.getdoc(x) or "" for n, x in public() if not isinstance(x, float | tuple)}
    assert [n for n, text in documented.items() if not text or text.startswith(f"{n}(")] == []


def test_the_instances_of_every_paper_are_described() -> None:
    """By `workbench list --instances`, also those whose costs depend on their arguments."""
    rows = instance_list.rows([home.key for home in papers.homes() if home.key != papers.COMPETITORS])
    assert len(rows) >= 20
    assert all(row["oracle"] for row in rows if row["recorded"])
