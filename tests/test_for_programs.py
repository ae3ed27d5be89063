"""docs/for-programs.md: what the commands write is what its schemas say, and is strict JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from workbench.claims.claims import EVIDENCE
from workbench.cli import documents
from workbench.cli.app import app
from workbench.homes.disk import SCHEMA
from workbench.report.card import Outcome
from workbench.run import catalog

PAGE = (Path(__file__).parents[1] / "docs/for-programs.md").read_text()
SCHEMAS = {name: json.loads(text) for name, text in re.findall(r"```json (\w+)\n(.*?)```", PAGE, re.DOTALL)}
OF_TYPE = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


def faults(schema: dict[str, Any], value: Any, where: str = "$") -> Iterator[str]:
    """Where a value is not as a schema says; of the words of JSON Schema those that the page uses."""
    assert set(schema) <= {"type", "required", "properties", "items", "enum", "const"}
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    is_flag = isinstance(value, bool) and "boolean" not in kinds
    if kinds and (is_flag or not any(isinstance(value, OF_TYPE[kind]) for kind in kinds)):
        yield f"{where}: {value!r} is no {' or '.join(kinds)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{where}: {value!r} is not {schema['const']!r}"
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where}: {name} is missing"
    for name, part in schema.get("properties", {}).items():
        if name in value:
            yield from faults(part, value[name], f"{where}.{name}")
    if "items" in schema:
        for number, item in enumerate(value):
            yield from faults(schema["items"], item, f"{where}[{number}]")


def strict(text: str) -> Any:
    """Raises ValueError for a NaN or an infinity, which Python reads and JSON does not have."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def properties(schema: dict[str, Any], *path: str) -> dict[str, Any]:
    for name in path:
        schema = schema["properties"][name]
        schema = schema.get("items", schema)
    return schema["properties"]


def test_what_a_schema_refuses() -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": ["integer", "null"]}, "b": {"enum": [1]}},
    }
    assert list(faults(schema, {"a": None, "c": 2})) == []
    assert len(list(faults(schema, {"b": 2}))) == 2
    assert list(faults(schema, {"a": True})) == ["$.a: True is no integer or null"]
    assert list(faults({"type": "array", "items": {"const": 1}}, [1, 2])) == ["$[1]: 2 is not 1"]


@pytest.mark.parametrize("size", [(), ("--horizon", "50", "--runs", "2")], ids=["decided", "too small"])
def test_verify_writes_what_the_page_says(
    size: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing is decided, and most numbers are not known."""
    monkeypatch.chdir(tmp_path)
    call = CliRunner().invoke
    assert call(app, ["new", "./mine"]).exit_code == 0
    done = call(app, ["verify", "./mine", "--profile", "quick", "--jobs", "1", "--json", "out.json", *size])
    assert done.exit_code == (1 if size else 0), done.output
    written = strict(Path("out.json").read_text())
    assert list(faults(SCHEMAS["verdicts"], written)) == []
    (claim, *_), (theorem, *_) = written["claims"], written["theorems"]
    assert list(properties(SCHEMAS["verdicts"], "claims")) == list(claim)
    assert list(properties(SCHEMAS["verdicts"], "theorems")) == list(theorem)
    assert list(properties(SCHEMAS["verdicts"], "theorems", "rows")) == list(theorem["rows"][0])


def test_words_of_the_schemas_are_those_of_the_code() -> None:
    verdicts = SCHEMAS["verdicts"]
    assert properties(verdicts, "claims")["evidence"]["enum"] == list(EVIDENCE)
    assert properties(verdicts, "theorems")["outcome"]["enum"] == [o for o in Outcome if o != Outcome.FAILS]
    assert properties(verdicts, "theorems", "rows")["outcome"]["enum"] == list(Outcome)
    assert set(SCHEMAS["list"]["items"]["properties"]["kind"]["enum"]) == set(catalog.KINDS)
    assert SCHEMAS["judge"]["properties"]["schema"]["const"] == SCHEMA


def test_list_and_judge_write_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call = CliRunner().invoke
    rows = strict(call(app, ["list", "--json"]).stdout)
    assert rows
    assert list(faults(SCHEMAS["list"], rows)) == []
    Path("curves.csv").write_text("t,run1,run2\n" + "".join(f"{t},{1 / t},{0}\n" for t in (1, 2, 4, 8)))
    done = call(app, ["judge", "curves.csv", "--claimed", "T^-1", "--picture", "none", "--json", "out.json"])
    assert done.exit_code in (0, 1, 4), done.output
    written = strict(Path("out.json").read_text())
    assert list(faults(SCHEMAS["judge"], written)) == []
    assert list(properties(SCHEMAS["judge"], "judgements")) == list(written["judgements"][0])


def test_a_number_that_json_does_not_have_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        documents.write_json(tmp_path / "out.json", {"value": float("nan")})
    assert not (tmp_path / "out.json").exists()
