"""Reads a table of measured curves: runs x checkpoints, from a file or folder of one of the usual forms.

Wide tables have one row or one column a run, long ones a row per run and checkpoint. Which column is which is guessed
from names that are usual for it, said in `Table.roles`, and can be named instead.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import re
import warnings
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.homes import disk
from workbench.report.judging import event_files

Floats = NDArray[np.float64]
Columns = dict[str, Any]  # lists of cells, or arrays of numbers
LARGEST = 1 << 30  # bytes of a file that is read
# Names of columns, in small letters; the part behind the last "/" or "." counts as well.
USUAL = {
    "run": "run seed trial rep replicate repetition idx_rep run_id random_state sample path trajectory worker_seed",
    "at": "step steps iteration iterations iter it t k n epoch round stop_val horizon global_step _step mark samples",
    "value": "value loss error err objective objective_value gap metric regret grad_norm norm distance suboptimality",
    "group": "method algorithm solver solver_name optimizer group tag variant",
}
DELIMITERS = ",;\t|"
# Columns that trackers export beside what they track, and standard errors.
BESIDE = re.compile(
    r"(wall|relative)?[ _]?time(stamp)?|_runtime|.*__(min|max)|(.*[ _])?(std(err|dev)?|std[ _]err(or)?|sem?)|",
    re.IGNORECASE,
)
NO_TABLES = {
    "<!doctype html": "a page of the web",
    "<html": "a page of the web",
    "version https://git-lfs": "a pointer of Git LFS: fetch the file with git lfs pull",
}


class TableError(ValueError):
    """A file that is no table of curves. The message names the column or the row."""


@dataclass(frozen=True)
class Curves:
    """Curves of one group: values (runs, M) at marks (M,), increasing. runs: their labels, for pairs."""

    values: Floats
    marks: Floats
    runs: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True)
class Roles:
    """The columns by what they hold; None is guessed."""

    run: str | None = None
    at: str | None = None
    value: str | None = None
    group: str | None = None


@dataclass(frozen=True)
class Table:
    """What a file holds. layout: a sentence on how it was read. at, value: names for a picture's axes."""

    groups: tuple[Curves, ...]
    layout: str
    at: str = "T"
    value: str = "value"
    notes: tuple[str, ...] = field(default=())


def read(source: Path | bytes, roles: Roles | None = None, common: bool = False) -> Table:
    """The curves of a file, or of its bytes. common: keep the checkpoints that all runs of a group have.

    Raises TableError, OSError where the file cannot be read.
    """
    roles = roles or Roles()
    if isinstance(source, Path) and source.is_dir():
        return _folder(source, roles, common)
    data = source if isinstance(source, bytes) else _bytes(source)
    if data.startswith(b"\x1f\x8b"):
        data = _unzip(data)
    if not data.strip():
        raise TableError("the file is empty")
    if data.startswith((b"\x93NUMPY", b"PK\x03\x04")):
        return _arrays(_numpy(data), roles)
    if data.startswith((b"\x89HDF\r\n\x1a\n", b"CDF\x01", b"CDF\x02")):
        return _arrays(_netcdf(data), roles)
    if event_files.is_events(data):
        return _events({"": [data]}, roles, common)
    columns = _parquet(data) if data.startswith(b"PAR1") else _text(data, roles.group is not None)
    return _table(columns, roles, common) if isinstance(columns, dict) else _bare(columns, roles)


def _bytes(path: Path) -> bytes:
    with disk.opened(path, LARGEST) as file:
        return file.read()


def _unzip(data: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as file:
            content = file.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(f"gzip cannot read it: {error}") from None
    if len(content) > LARGEST:
        raise TableError(f"it holds more than {LARGEST:.3g} bytes")
    return content


# -- folders of results


def _folder(folder: Path, roles: Roles, common: bool) -> Table:
    """TensorBoard's logs, a folder a run; or the newest result of benchopt."""
    runs: dict[str, list[bytes]] = {}
    for path in sorted(folder.rglob("*tfevents*")):
        runs.setdefault(path.parent.relative_to(folder).as_posix(), []).append(_bytes(path))
    if runs:
        return _events(runs, roles, common)
    results = [path for form in ("*.parquet", "*.csv") for path in folder.rglob(form)]
    if not results:
        raise TableError(
            "the folder holds neither event files of TensorBoard nor *.parquet or *.csv of benchopt"
        )
    newest = max(results, key=lambda path: path.stat().st_mtime_ns)
    data = _bytes(newest)
    columns = _parquet(data) if data.startswith(b"PAR1") else _text(data)
    if not isinstance(columns, dict) or "solver_name" not in columns:
        raise TableError(f"{newest.name} is no result of benchopt; name the file itself")
    table = _table(_of_benchopt(columns, roles), replace(roles, group=roles.group or "solver_name"), common)
    which = f", the newest of {len(results)} results" if len(results) > 1 else ""
    return replace(table, layout=f"{newest.name}{which}: {table.layout}")


def _of_benchopt(columns: Columns, roles: Roles) -> Columns:
    """The columns with solvers that are told apart by data set and objective, where there are several of these."""
    if roles.group is not None:
        return columns
    several = [
        name
        for name in ("dataset_name", "data_name", "objective_name")
        if len(set(columns.get(name, ()))) > 1
    ]
    labels = [
        " ".join(map(str, parts))
        for parts in zip(*(columns[n] for n in ("solver_name", *several)), strict=True)
    ]
    return {**columns, "solver_name": labels}


def _events(runs: Mapping[str, Sequence[bytes]], roles: Roles, common: bool) -> Table:
    """Scalars of TensorBoard. runs: folder of a run -> its files; folders in one folder are runs of one method.

    Where a run that was resumed has written a step twice, the later number counts.
    """
    tags: dict[str, dict[tuple[str, float], tuple[float, float]]] = {}
    for run, files in runs.items():
        for number in (n for data in files for n in _scalars(data, run)):
            cells = tags.setdefault(number.tag, {})
            wall, _ = cells.get((run, number.step), (-math.inf, 0.0))
            if number.wall >= wall:
                cells[run, number.step] = (number.wall, number.value)
    tag = roles.value or _guess(tags, "value") or (next(iter(tags)) if len(tags) == 1 else None)
    if tag not in tags:
        missing = f"there is no scalar {tag!r}" if tag else "which scalar is judged?"
        raise TableError(f"{missing}; name one of {_listing(tags) or 'none'} with --value")
    rows = [(run, step, value) for (run, step), (_, value) in sorted(tags[tag].items())]
    methods = [run.rpartition("/")[0] for run, _, _ in rows]
    columns: Columns = {
        "run": [run for run, _, _ in rows],
        "step": [step for _, step, _ in rows],
        tag: [value for _, _, value in rows],
    }
    if several := len(set(methods)) > 1:
        columns["folder"] = methods
    return _long(columns, "run", "step", Roles(value=tag, group="folder" if several else None), common)


def _scalars(data: bytes, run: str) -> list[event_files.Scalar]:
    try:
        return list(event_files.scalars(data))
    except event_files.BadEvents as error:
        raise TableError(f"{run}: {error}" if run else str(error)) from None


# -- files of arrays


def _numpy(data: bytes) -> dict[str, np.ndarray]:
    try:
        content = np.load(io.BytesIO(data), allow_pickle=False)
        return dict(content) if isinstance(content, np.lib.npyio.NpzFile) else {"values": content}
    except (ValueError, OSError, KeyError) as error:
        raise TableError(f"NumPy cannot read it: {error}") from None


def _netcdf(data: bytes) -> dict[str, np.ndarray]:
    if data.startswith(b"CDF"):
        from scipy.io import netcdf_file

        with netcdf_file(io.BytesIO(data), mmap=False) as content:
            return {name: np.array(v[...]) for name, v in content.variables.items()}
    import h5py

    with h5py.File(io.BytesIO(data), "r") as content:
        return {
            name: v[...]
            for name, v in content.items()
            if isinstance(v, h5py.Dataset) and v.dtype.kind in "fiu"
        }


def _arrays(arrays: Mapping[str, np.ndarray], roles: Roles) -> Table:
    numbers = {name: a for name, a in arrays.items() if a.dtype.kind in "fiu"}
    tables = [name for name, a in numbers.items() if a.ndim == 2]
    value = _one(roles.value, tables, "two-dimensional arrays", "--value")
    values = numbers[value].astype(float)
    lines = [
        name
        for name, a in numbers.items()
        if a.ndim == 1 and a.size in values.shape and _rises(a.astype(float))
    ]
    usual = [name for name in lines if _usual(name, "at") or name == "marks"] or lines
    if roles.at is None and not usual:
        runs, marks = values.shape
        return Table(
            (Curves(values, np.arange(1.0, marks + 1), _numbers(runs)),),
            f"the array {value!r}, a row a run; no array of checkpoints, so that they are numbered from 1",
            value=value,
        )
    at = _one(roles.at, usual, "one-dimensional increasing arrays", "--at")
    marks_array = numbers[at].astype(float)
    if values.shape[1] != marks_array.size:
        values = values.T
    if values.shape[1] != marks_array.size:
        raise TableError(
            f"{value!r} has the shape {numbers[value].shape}, and {at!r} has {marks_array.size} entries"
        )
    where = f"the array {value!r}, at the checkpoints {at!r}"
    return Table((Curves(values, marks_array, _numbers(len(values))),), where, at, value)


# -- text


def _text(data: bytes, as_written: bool = True) -> Columns | list[list[float]]:
    """The columns of a text. as_written: numbers stay as they are written, since they are names of groups."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableError("it is neither text in UTF-8 nor a file of a known form") from None
    start = text.lstrip()[:80].lower()
    for begins, what in NO_TABLES.items():
        if start.startswith(begins):
            raise TableError(f"it is {what}, no table")
    if start.startswith(("{", "[")):
        return _json(text)
    if not as_written and (numbers := _numbers_of(text)):
        return numbers
    rows = _rows(text)
    if all(_is_number(cell) for cell in rows[0]):
        return [[_number(cell, n, c) for c, cell in enumerate(row)] for n, row in enumerate(rows, 1)]
    header, body = [cell.strip() for cell in rows[0]], rows[1:]
    if not body:
        raise TableError("there is a heading, and no row below it")
    if len(set(header)) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise TableError(f"two columns are called {twice!r}")
    return {name: [row[c] for row in body] for c, name in enumerate(header)}


def _numbers_of(text: str) -> Columns:
    """The columns of a text of nothing but numbers below its heading; none where it is not so plain."""
    heading, _, rest = text.partition("\n")
    names = [name.strip() for name in heading.split(",")]
    if (
        len(names) < 2
        or len(set(names)) < len(names)
        or any(map(_is_number, names))
        or set(heading) & set('"#;\t')
    ):
        return {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a text without a row: what follows has a sentence for it
            table = np.loadtxt(io.StringIO(rest), delimiter=",", comments=None, ndmin=2)
    except ValueError:
        return {}
    return dict(zip(names, table.T, strict=True)) if len(table) and table.shape[1] == len(names) else {}


def _rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        raise TableError("the file is empty")
    delimiter = max(DELIMITERS, key=lines[0].count)
    if delimiter not in lines[0]:
        delimiter = " "
        lines = [" ".join(line.split()) for line in lines]
    rows = list(csv.reader(lines, delimiter=delimiter))
    if delimiter != ",":  # then a comma may stand for the decimal point
        rows = [[re.sub(r"^(-?\d+),(\d+)", r"\1.\2", cell) for cell in row] for row in rows]
    for n, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise TableError(f"row {n} has {len(row)} cells, and the first row has {len(rows[0])}")
    return rows


def _json(text: str) -> Columns:
    try:
        whole = text.lstrip().startswith("[")
        records = (
            json.loads(text) if whole else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
    except (ValueError, RecursionError) as error:
        raise TableError(f"it begins like JSON and is none: {error}") from None
    if not records or not all(isinstance(r, dict) for r in records):
        raise TableError('JSON is read as records, an object a line: {"run": 0, "step": 10, "value": 0.5}')
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record.get(name, "") for record in records] for name in names}


def _parquet(data: bytes) -> Columns:
    try:
        import pandas as pd

        frame = pd.read_parquet(io.BytesIO(data))
    except ImportError:
        raise TableError("Parquet needs pyarrow: pip install pyarrow") from None
    except Exception as error:  # of whichever library reads it
        raise TableError(f"it cannot be read as Parquet: {error}") from None
    return {str(name): frame[name].tolist() for name in frame.columns}


def _bare(rows: list[list[float]], roles: Roles) -> Table:
    """A table of numbers without headings."""
    if any((roles.run, roles.at, roles.value, roles.group)):
        raise TableError("the table has no headings, so that no column can be named")
    table = np.array(rows)
    if len(table) > 1 and table.shape[1] > 1 and _rises(table[0]) and not _rises(table[1]):
        return Table(
            (Curves(table[1:], table[0], _numbers(len(table) - 1)),), "first row: checkpoints; a row a run"
        )
    if table.shape[1] > 1 and len(table) > 1 and _rises(table[:, 0]) and not _rises(table[:, 1]):
        return Table(
            (Curves(table[:, 1:].T, table[:, 0], _numbers(table.shape[1] - 1)),),
            "first column: checkpoints; a column a run",
        )
    raise TableError(
        "the table has no headings, and neither its first row nor its first column alone increases as checkpoints do; "
        "add a heading such as step,run1,run2"
    )


# -- tables with headings


def _table(columns: Columns, roles: Roles, common: bool) -> Table:
    for role in ("run", "at", "value", "group"):
        if (name := getattr(roles, role)) is not None and name not in columns:
            raise TableError(f"there is no column {name!r}; there are {_listing(columns)}")
    headings = [name for name in columns if _is_number(name)]
    if len(headings) >= 3 and len(headings) >= len(columns) - 2 and roles.at is None:
        return _rows_are_runs(columns, headings, roles)
    run = roles.run or _guess(columns, "run")
    at = roles.at or _guess(columns, "at") or _first_rising(columns)
    if at is None:
        raise TableError(
            f"no column has a usual name of checkpoints (step, t, ...); name one of {_listing(columns)} with --at, or"
            " with --along if it is a parameter, such as a step size h"
        )
    if (
        run is None
        and roles.value is None
        and roles.group is None
        and _rises(_floats(columns, at, strict=False))
    ):
        return _columns_are_runs(columns, at)
    return _long(columns, run, at, roles, common)


def _rows_are_runs(columns: Columns, headings: Sequence[str], roles: Roles) -> Table:
    order = sorted(headings, key=float)
    marks = np.array([float(name) for name in order])
    values = np.stack([_floats(columns, name) for name in order], axis=1)
    group = roles.group or _guess([n for n in columns if n not in headings], "group")
    groups = _split(columns[group]) if group else {"": np.arange(len(values))}
    labels = np.array(columns[roles.run] if roles.run else range(len(values)), dtype=object)
    curves = tuple(
        Curves(values[at], marks, tuple(map(str, labels[at])), name) for name, at in groups.items()
    )
    return Table(curves, f"a row a run, the {len(marks)} headings that are numbers are its checkpoints")


def _columns_are_runs(columns: Columns, at: str) -> Table:
    names = [name for name in columns if name != at and not BESIDE.fullmatch(name)]
    if not names:
        raise TableError(f"there is no column besides {at!r}")
    marks = _floats(columns, at)
    stems: dict[str, list[str]] = {}
    for name in names:
        stems.setdefault(re.sub(r"[\s_\-.#]*\d+$", "", name), []).append(name)
    if len(names) > 1 and all(len(members) == 1 for members in stems.values()):
        raise TableError(
            f"the columns {_listing(names)} may be runs or methods; number the runs (run1, run2, ..., or sgd_1, sgd_2, "
            "adam_1, ...), or write a row per method, run and step"
        )
    several = len(stems) > 1
    curves = tuple(
        Curves(
            np.stack([_floats(columns, name) for name in members]),
            marks,
            tuple(members),
            stem if several else "",
        )
        for stem, members in stems.items()
    )
    return Table(curves, f"checkpoints in column {at!r}, a column a run", at)


def _long(columns: Columns, run: str | None, at: str, roles: Roles, common: bool) -> Table:
    group = roles.group or _guess([n for n in columns if n not in (run, at, roles.value)], "group")
    rest = [n for n in columns if n not in (run, at, group) and not BESIDE.fullmatch(n)]
    numeric = [n for n in rest if _numbers_in(columns[n]) is not None or _has_gaps(columns[n])]
    value = (
        roles.value or _guess(numeric, "value") or next((c[0] for c in (numeric, rest) if len(c) == 1), None)
    )
    if value is None:
        raise TableError(f"which column is judged? Name one of {_listing(numeric or rest)} with --value")
    steps, values = _floats(columns, at), _floats(columns, value)
    names, of_row = _labels(columns[run]) if run else ([""], np.zeros(len(steps), np.int64))
    curves, notes = [], list[str]()
    for name, rows in (_split(columns[group]) if group else {"": np.arange(len(steps))}).items():
        here, which = _in_order(of_row[rows])
        labels = [names[number] for number in here.tolist()]
        every, place = np.unique(steps[rows], return_inverse=True)
        _check_once(which * every.size + place, labels, every, run, at)
        cells = np.full((len(labels), every.size), np.nan)
        there = np.zeros(cells.shape, bool)
        cells[which, place], there[which, place] = values[rows], True
        in_all, note = _common_marks(there, labels, every, run or "run", at, common)
        notes += [note] if note else []
        curves.append(Curves(cells[:, in_all], every[in_all], tuple(labels), name))
    columns_by_role = {"runs": run, "checkpoints": at, "values": value, "groups": group}
    layout = ", ".join(f"{what} in column {name!r}" for what, name in columns_by_role.items() if name)
    return Table(tuple(curves), layout, at, value, tuple(notes))


def _check_once(places: np.ndarray, labels: Sequence[str], marks: Floats, run: str | None, at: str) -> None:
    """Raises TableError where two rows have the same place, that is the same run and mark."""
    once, counts = np.unique(places, return_counts=True)
    if (twice := once[counts > 1]).size:
        label, step = labels[twice[0] // marks.size], marks[twice[0] % marks.size]
        which = f"{run} {label}" if run else "the only run"
        hint = (
            "name the column that separates them with --group"
            if run
            else "name the column of the runs with --run"
        )
        raise TableError(f"two rows hold {which} at {at} {step:g}; {hint}")


def _common_marks(
    there: np.ndarray, labels: Sequence[str], marks: Floats, run: str, at: str, common: bool
) -> tuple[np.ndarray, str]:
    """(M,) mask of the marks that all runs have, and a note on those that only some have. there: (runs, M)."""
    in_all = np.asarray(there.all(0))
    if in_all.all():
        return in_all, ""
    first = int(np.argmin(in_all))
    if not common:
        raise TableError(
            f"{run} {labels[int(np.argmin(there[:, first]))]} has no value at {at} {marks[first]:g}, and other runs "
            f"have; with --common the {in_all.sum()} checkpoints that all runs have are judged"
        )
    if not in_all.any():
        raise TableError("no checkpoint is common to all runs")
    missing = marks.size - in_all.sum()
    return in_all, f"{missing} of {marks.size} checkpoints are left out: not every run has them"


# -- cells and names


def _split(cells: Sequence[Any]) -> dict[str, np.ndarray]:
    labels = np.array([str(cell) for cell in cells], dtype=object)
    return {name: np.flatnonzero(labels == name) for name in dict.fromkeys(labels)}


def _guess(columns: Iterable[str], role: str) -> str | None:
    names = list(columns)
    matches = [name for usual in USUAL[role].split() for name in names if _usual(name, role, usual)]
    return matches[0] if matches else None


def _usual(name: str, role: str, usual: str = "") -> bool:
    small = name.lower()
    words = (usual,) if usual else USUAL[role].split()
    return small in words or re.split(r"[/.]", small)[-1] in words


def _first_rising(columns: Columns) -> str | None:
    first = next(iter(columns))
    return first if _rises(_floats(columns, first, strict=False)) else None


def _one(name: str | None, candidates: Sequence[str], what: str, option: str) -> str:
    if name is not None and name not in candidates:
        raise TableError(f"{name!r} is not among the {what}: {_listing(candidates) or 'there is none'}")
    if name is None and len(candidates) != 1:
        many = f"name one of {_listing(candidates)} with {option}" if candidates else "there is none"
        raise TableError(f"it should hold one of the {what}; {many}")
    return name or candidates[0]


def _listing(names: Iterable[str]) -> str:
    every = list(names)
    return ", ".join(map(repr, every[:8])) + (f" and {len(every) - 8} more" if len(every) > 8 else "")


def _rises(values: Floats) -> bool:
    return bool(
        values.size > 1 and np.isfinite(values).all() and values[0] >= 0 and (np.diff(values) > 0).all()
    )


def _floats(columns: Columns, name: str, strict: bool = True) -> Floats:
    if (numbers := _numbers_in(columns[name])) is not None:
        return numbers
    if not strict:
        return np.array([float(cell) if _is_number(cell) else np.nan for cell in columns[name]])
    return np.array([_number(cell, row, name) for row, cell in enumerate(columns[name], 1)])


def _numbers_in(cells: Sequence[Any]) -> Floats | None:
    """A column as numbers; None where a cell is none."""
    if isinstance(cells, np.ndarray):
        return cells
    try:
        return None if bool in set(map(type, cells)) else np.array(list(map(float, cells)))
    except (TypeError, ValueError):
        return None


def _labels(cells: Sequence[Any]) -> tuple[list[str], np.ndarray]:
    """The names of runs, whole numbers without a decimal point, and which of them each cell is."""
    if isinstance(cells, np.ndarray):
        every, which = np.unique(cells, return_inverse=True)
        whole = (every == np.round(every)).all() and np.abs(every).max(initial=0) < 2**53
        return list(map(str, (every.astype(np.int64) if whole else every).tolist())), which
    numbers: dict[str, int] = {}
    which = np.array([numbers.setdefault(str(cell), len(numbers)) for cell in cells], np.int64)
    return list(numbers), which


def _in_order(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers that occur, in the order in which they do, and the place in it of each."""
    every, first, which = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return every[order], np.argsort(order)[which]


def _has_gaps(cells: Sequence[Any]) -> bool:
    """Whether a column has nothing but numbers and empty cells."""
    return all(cell == "" or _is_number(cell) for cell in cells)


def _number(cell: Any, row: int, column: int | str) -> float:
    if not _is_number(cell):
        where = f"column {column!r}" if isinstance(column, str) else f"cell {column + 1}"
        raise TableError(
            f"row {row}, {where}: {str(cell)[:40]!r} is no number"
            if str(cell).strip()
            else f"row {row}, {where} is empty"
        )
    return float(cell)


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return not isinstance(cell, bool)


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))
