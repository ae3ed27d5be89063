"""Bundled real data as arrays: split, standardized, with a chosen class balance; every call returns the same arrays.

The tables are scikit-learn's. Its files are read without importing it, which takes two seconds in every process.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

Array = Any

BINARY = ("digits", "cancer")


@dataclass(frozen=True)
class Part:
    """A part of a data set. features: (n, d). labels: (n,) class numbers 0, 1, ... as int64."""

    features: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)

    def one_hot(self, classes: int) -> np.ndarray:
        """(n, classes) of 0.0 and 1.0."""
        return np.eye(classes)[self.labels]


@cache
def binary(name: str, share: float) -> tuple[Part, Part]:
    """(train, test) of a two-class set, positives (label 1) being ``share`` of the training part.

    ``digits``: odd digits are positive; ``cancer``: benign tumours are. The test part, 30 %, keeps its own balance. As
    in Yuan et al. 2021, positives are removed at random until the share is reached. Where the share is larger than that
    of the data (as for the paper's 0.9, L254), negatives are removed instead.
    """
    features, labels = _load(name)
    train, test = _split(features, labels, (0.7, 0.3))
    rows = _rows_by_share(train.labels, share)
    train, (test,) = _standardize(Part(train.features[rows], train.labels[rows]), [test])
    return train, test


@cache
def digits_in_three(train: int = 600, validation: int = 600) -> tuple[Part, Part, Part]:
    """(train, validation, test) of the ten digits; 64 pixels in [0, 1] and a column of ones for the bias."""
    features, labels = _load("ten digits")
    features = np.hstack([features / 16.0, np.ones((len(features), 1))])
    rest = len(labels) - train - validation
    return _split(features, labels, (train, validation, rest))  # type: ignore[return-value]


def _load(name: str) -> tuple[np.ndarray, np.ndarray]:
    """What ``load_breast_cancer`` and ``load_digits`` of scikit-learn return; digits as odd or even, or all ten.

    Raises ValueError for another name.
    """
    if name not in (*BINARY, "ten digits"):
        raise ValueError(f"unknown data set {name!r}; choose one of {', '.join(BINARY)}")
    table = _table("breast_cancer.csv", header=1) if name == "cancer" else _table("digits.csv.gz")
    features, labels = table[:, :-1].copy(), table[:, -1].astype(np.int64)
    return features, labels % 2 if name == "digits" else labels


def _table(file: str, header: int = 0) -> np.ndarray:
    """The numbers of a file of scikit-learn's, below its first lines."""
    package = importlib.util.find_spec("sklearn")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the bundled data are those of scikit-learn, which is not installed")
    place = Path(package.origin).parent / "datasets" / "data" / file
    return np.loadtxt(place, delimiter=",", skiprows=header)


def _split(features: np.ndarray, labels: np.ndarray, sizes: tuple[float, ...]) -> tuple[Part, ...]:
    """Cuts a fixed permutation into parts proportional to ``sizes``."""
    order = np.random.default_rng(0).permutation(len(labels))
    ends = np.round(np.cumsum(sizes) / np.sum(sizes) * len(labels)).astype(int)[:-1]
    return tuple(Part(features[i], labels[i]) for i in np.split(order, ends))


def _rows_by_share(labels: np.ndarray, share: float) -> np.ndarray:
    """Sorted indices of the rows kept so that label 1 makes up ``share``: the over-represented class is thinned."""
    if not 0.0 < share < 1.0:
        raise ValueError(f"the share of positives must lie strictly between 0 and 1, got {share}")
    positive, negative = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    random = np.random.default_rng(1)
    most = round(len(negative) * share / (1.0 - share))
    if most <= len(positive):
        positive = random.permutation(positive)[:most]
    else:
        negative = random.permutation(negative)[: round(len(positive) * (1.0 - share) / share)]
    return np.sort(np.concatenate([positive, negative]))


def _standardize(first: Part, others: list[Part]) -> tuple[Part, list[Part]]:
    """Zero mean and unit variance on ``first``; constant columns (empty pixels) become zero."""
    mean, deviation = first.features.mean(axis=0), first.features.std(axis=0)
    scale = np.where(deviation > 0.0, deviation, 1.0)

    def standardize(part: Part) -> Part:
        # A pixel that is empty in the training part carries no information and is set to zero in the others, too.
        return Part(np.where(deviation > 0.0, (part.features - mean) / scale, 0.0), part.labels)

    return standardize(first), [standardize(part) for part in others]
