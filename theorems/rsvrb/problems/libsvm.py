"""The binary data sets a1a, a8a, w1a and w8a: generated with the same shapes, or read from LIBSVM files of the user's.

A set has a training part and a part for validation, the set's own test part (L795). Generated features copy the kind of
the real ones. An Adult row (a1a, a8a) has one of the levels of each of 14 attributes, some missing; a web row (w1a,
w8a) has about 12 keywords of 300, whose frequencies fall like those of words. Labels follow a planted linear rule with
noise, with the share of positives of the real sets (24 % and 3 %).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from workbench.instances import downloads

VARIABLE = "WORKBENCH_LIBSVM"  # names a folder with the files a1a, a1a.t, ...
SITE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary.html"
ATTRIBUTES = (5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 3, 5, 40)  # levels of the 14 attributes of Adult: 123 in all
WORDS_IN_A_ROW = 12


@dataclass(frozen=True)
class Shape:
    """Rows for training and for validation, and features."""

    train: int
    validation: int
    features: int

    @property
    def positives(self) -> float:
        return 0.24 if self.features == 123 else 0.03


SHAPES = {
    "a1a": Shape(1605, 30956, 123),
    "a8a": Shape(22696, 9865, 123),
    "w1a": Shape(2477, 47272, 300),
    "w8a": Shape(49749, 14951, 300),
}


@dataclass(frozen=True)
class Points:
    """features: (n, d) sparse. labels: (n,) of +1.0 and -1.0."""

    features: Any
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)

    def first(self, n: int) -> Points:
        """The first n rows, all of them if there are no more."""
        return Points(self.features[:n], self.labels[:n])


@cache
def synthetic(name: str) -> tuple[Points, Points]:
    """(train, validation) of the shape of a set; every call returns the same points."""
    shape = SHAPES[name]
    random = np.random.default_rng([53, shape.features])  # a1a and a8a are parts of one population
    draw = _adult if shape.features == 123 else _web
    rule = random.standard_normal(shape.features)
    population = draw(np.random.default_rng([54, shape.features]), 20_000)
    scores = population @ rule
    scale = 2.0 / float(np.std(scores))
    # The logistic model's offset for the wanted share of positives.
    offset = float(
        np.quantile(scale * scores + np.random.default_rng(55).logistic(size=20_000), 1 - shape.positives)
    )
    random = np.random.default_rng([56, *name.encode()])
    parts = []
    for n in (shape.train, shape.validation):
        features = draw(random, n)
        positive = scale * (features @ rule) + random.logistic(size=n) > offset
        parts.append(Points(features, np.where(positive, 1.0, -1.0)))
    return parts[0], parts[1]


def _adult(random: np.random.Generator, n: int) -> Any:
    """(n, 123): one level of each attribute, the first ones more frequent; one entry in 100 is missing."""
    columns, first = [], 0
    for levels in ATTRIBUTES:
        shares = 1.0 / np.arange(1.0, levels + 1)
        columns.append(first + random.choice(levels, n, p=shares / shares.sum()))
        first += levels
    levels_of_rows = np.stack(columns, axis=1)
    present = random.random(levels_of_rows.shape) > 0.01
    rows = np.repeat(np.arange(n), present.sum(axis=1))
    return sparse.csr_matrix((np.ones(len(rows)), (rows, levels_of_rows[present])), shape=(n, first))


def _web(random: np.random.Generator, n: int, words: int = 300) -> Any:
    """(n, 300): each keyword on its own, with a frequency that falls with its rank."""
    frequency = 1.0 / np.arange(3.0, words + 3) ** 0.8
    frequency = np.minimum(frequency * WORDS_IN_A_ROW / frequency.sum(), 0.9)
    columns = [np.flatnonzero(random.random(n) < f) for f in frequency]
    rows = np.concatenate(columns)
    names = np.repeat(np.arange(words), [len(c) for c in columns])
    return sparse.csr_matrix((np.ones(len(rows)), (rows, names)), shape=(n, words))


@cache
def own(name: str) -> tuple[Points, Points]:
    """(train, validation) of the real set, from the files ``name`` and ``name.t`` in the folder `VARIABLE`.

    Raises ValueError, with one sentence, if there is no such folder or file, or a file is damaged, or not the one that
    its name says: rows are counted, since a file that was cut at the end of a line has no other fault.
    """
    folder = os.environ.get(VARIABLE, "")
    if not folder:
        raise ValueError(
            f"{name} is not fetched automatically: let {VARIABLE} name a folder with the files {name} and {name}.t"
            f" of {SITE}"
        )
    shape = SHAPES[name]
    parts = []
    for file, rows in ((name, shape.train), (f"{name}.t", shape.validation)):
        path = Path(folder) / file
        points = read(path, shape.features)
        if len(points) != rows:
            raise ValueError(f"{path} has {len(points)} rows, but {file} of {SITE} has {rows}")
        if len(only := set(points.labels)) == 1:
            raise ValueError(f"{path} has rows of one class only, with the label {only.pop():+.0f}")
        parts.append(points)
    return parts[0], parts[1]


def read(path: Path, features: int) -> Points:
    """The points of a LIBSVM file with labels +1 and -1 and features 1, ..., ``features``.

    Raises ValueError, with one sentence, for a file that cannot be read or has another content.
    """
    from sklearn.datasets import load_svmlight_file

    if what := downloads.other_form(path):
        raise ValueError(f"{path} is {what}")
    try:
        data: Any = load_svmlight_file(str(path), n_features=features, zero_based=False)
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror or error})") from None
    except (ValueError, OverflowError) as error:
        why = " ".join(str(error).split())
        line = _bad_line(path, features)
        at = f", line {line}," if line else ""
        raise ValueError(f"{path}{at} is no LIBSVM file with the features 1 to {features} ({why})") from None
    rows, labels = data[0].tocsr(), np.asarray(data[1], float)
    if (wrong := np.flatnonzero(np.abs(labels) != 1.0)).size:
        line = _line_of(path, int(wrong[0]))
        raise ValueError(f"{path}, line {line}, has the label {labels[wrong[0]]:g}; wanted +1 or -1")
    if (bad := np.flatnonzero(~np.isfinite(rows.data))).size:
        row = int(np.searchsorted(rows.indptr, bad[0], side="right")) - 1
        raise ValueError(f"{path}, line {_line_of(path, row)}, has a value that is not finite")
    return Points(rows, labels)


def _bad_line(path: Path, features: int) -> int:
    """The first line, from 1, that is not "<label> <feature>:<value> ..." with increasing features; 0 for none."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for n, text in enumerate(file, 1):
            try:
                label, *pairs = text.partition("#")[0].split() or ["0"]
                float(label)
                numbers = [int(pair.partition(":")[0]) for pair in pairs]
                [float(pair.partition(":")[2]) for pair in pairs]
            except ValueError:
                return n
            if numbers != sorted(set(numbers)) or not all(1 <= k <= features for k in numbers):
                return n
    return 0


def _line_of(path: Path, row: int) -> int:
    """The line, from 1, on which a row of data stands, from 0; comments and empty lines are none."""
    with path.open(encoding="utf-8", errors="replace") as file:
        lines = [n for n, text in enumerate(file, 1) if text.partition("#")[0].strip()]
    return lines[row]
