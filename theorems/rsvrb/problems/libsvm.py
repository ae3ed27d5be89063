"""The binary data sets a1a, a8a, w1a and w8a: generated with the same shapes, or read from LIBSVM files of the user's.

A set has a training part and a part for validation, the set's own test part (L795). Generated features copy the kind of
the real ones. An Adult row (a1a, a8a) has one of the levels of each of 14 attributes, some missing; a web row (w1a,
w8a) has about 12 keywords of 300, whose frequencies fall like those of words. Labels follow a planted linear rule with
noise, with the share of positives of the real sets (24 % and 3 %).
"""

from __future__ import annotations

import os
import re
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

VARIABLE = "WORKBENCH_LIBSVM"  # names a folder with the files a1a, a1a.t, ...
SITE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary.html"
ATTRIBUTES = (5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 3, 5, 40)  # levels of the 14 attributes of Adult: 123 in all
WORDS_IN_A_ROW = 12
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf)", re.ASCII | re.IGNORECASE)
DIGITS = re.compile(r"\d+", re.ASCII)
LONGEST = 1000  # digits of a feature; Python reads no number of more than a few thousand


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

    Raises ValueError, with one sentence that names the line, for a file that cannot be read or has another content.
    """
    from sklearn.datasets import load_svmlight_file

    try:
        fault = _fault(path, features)  # the loader alone would take 1_0 and qid:3
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror or error})") from None
    if fault:
        raise ValueError(f"{path}{fault}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data: Any = load_svmlight_file(str(path), n_features=features, zero_based=False)
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{path} is no LIBSVM file") from None
    return Points(data[0].tocsr(), np.asarray(data[1], float))


def _fault(path: Path, features: int) -> str:
    """What is wrong with the first wrong line, to be put behind the path; nothing if each line is right."""
    rows = 0
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        words = line.split(b"#")[0].split()  # bytes are split at ASCII blanks only, as the loader does
        label, *entries = [word.decode("utf-8", "replace") for word in words] or [""]
        rows += bool(label)
        if label and (wrong := _fault_in_label(label) or _fault_in_entries(entries, features)):
            return f", line {number}: {wrong}"
    return "" if rows else " has no data"


def _number(text: str) -> float:
    """Raises ValueError for what is not written in plain decimals: float() alone takes 1_0 and foreign digits."""
    if not DECIMAL.fullmatch(text):
        raise ValueError(text)
    return float(text)


def _fault_in_label(label: str) -> str:
    try:
        return "" if _number(label) in (-1.0, 1.0) else f"the label {label[:20]} is neither +1 nor -1"
    except ValueError:
        return f"{label[:20]!r} is no label"


def _fault_in_entries(entries: list[str], features: int) -> str:
    last = 0
    for entry in entries:
        name, _, text = entry.partition(":")
        try:
            value = _number(text)
        except ValueError:
            return f"{entry[:20]!r} is not of the form feature:value"
        if not DIGITS.fullmatch(name):
            return f"the feature {name[:20]!r} is not written in the digits 0 to 9"
        if len(name) > LONGEST:
            return f"the feature {name[:20]}... has more than {LONGEST} digits"
        feature = int(name)
        if not 1 <= feature <= features:
            return f"the feature {name[:20]} is not one of 1 to {features}"
        if feature <= last:
            return f"the feature {feature} follows {last}, but features increase within a line"
        if not np.isfinite(value):
            return f"the value {text[:20]} of feature {feature} is not finite"
        last = feature
    return ""
